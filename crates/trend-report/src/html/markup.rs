//! Turns documents and names into markup.
//!
//! maud escapes HTML. [`visible`] and `<bdi>` keep a name from changing how the surrounding text is displayed.

use anstyle::Style;
use maud::{Markup, html};

use crate::layout::columns::{Cell, Column, Side, for_reading};
use crate::layout::document::{Block, Document, word};
use crate::layout::style::{BOLD, DIM, DOUBTFUL, NOTABLE};
use crate::layout::text::{cut, keep_together, shorten, visible};

/// Maximum width of a name; the full one is not needed to recognise it.
const NAME_WIDTH: usize = 90;

/// Maximum width of a message in columns.
const MESSAGE_WIDTH: usize = 1500;

/// Returns a name from outside as text, for places where no element is allowed.
pub(super) fn name_text(text: &str) -> String {
    shorten(&visible(text), NAME_WIDTH).into_owned()
}

/// Returns a name from outside as an element.
pub(super) fn name(text: &str) -> Markup {
    html! { bdi { (name_text(text)) } }
}

/// Returns a sentence that may contain names from outside.
pub(super) fn message(text: &str) -> Markup {
    html! { bdi { (keep_together(&cut(&visible(text), MESSAGE_WIDTH))) } }
}

/// Returns the paragraphs and tables of a document.
pub(super) fn of_document(document: &Document) -> Markup {
    let is_item = |block: &Block| matches!(block, Block::Text { bullet, .. } if !bullet.is_empty());
    let is_blank = |block: &&Block| matches!(block, Block::Blank | Block::Plot(_));
    let blocks: Vec<&Block> = document.blocks.iter().filter(|block| !is_blank(block)).collect();
    html! {
        @for together in blocks.chunk_by(|a, b| is_item(a) && is_item(b)) {
            @if is_item(together[0]) {
                ul.said { @for item in together { (of_block(item)) } }
            } @else { (of_block(together[0])) }
        }
    }
}

fn of_block(block: &Block) -> Markup {
    html! {
        @match block {
            Block::Title(parts) => h1 { @for part in parts { (part.text) } },
            Block::Heading(text) => h2 { (text) },
            Block::Text { bullet: "", style, text } => p class=[class(*style)] { (message(text)) },
            Block::Text { bullet, style, text } => {
                li class=[class(*style)] {
                    @if let Some(word) = word(bullet) { span.label { (word) } " " }
                    (message(text))
                }
            },
            Block::More { text, .. } => p.detail { (text) "." },
            Block::Table(columns) => (table(&for_reading(columns))),
            Block::Plot(_) | Block::Blank => {},
        }
    }
}

fn table(columns: &[&Column]) -> Markup {
    let number = |column: &Column| (column.side == Side::Right).then_some("number");
    let rows = columns.first().map_or(0, |column| column.cells.len());
    let about = columns.iter().find(|column| column.side == Side::Left).map_or("", |column| &column.title);
    html! {
        div.scroll tabindex="0" role="region" aria-label={ "By " (about) } {
            table {
                thead { tr {
                    @for column in columns {
                        @if column.title.is_empty() { td {} }
                        @else { th.number[column.side == Side::Right] scope="col" { (message(&column.title)) } }
                    }
                } }
                tbody {
                    @for row in 0..rows {
                        tr {
                            @for column in columns {
                                @let Cell { text, style } = &column.cells[row];
                                td class=[number(column)] {
                                    @if !text.is_empty() { span class=[class(*style)] { (message(text.trim())) } }
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}

/// Returns the CSS class for a terminal style.
fn class(style: Style) -> Option<&'static str> {
    let classes = [(BOLD, "costly"), (DIM, "detail"), (NOTABLE, "steep"), (DOUBTFUL, "doubt")];
    classes.into_iter().find(|(class_style, _)| *class_style == style).map(|(_, class)| class)
}
