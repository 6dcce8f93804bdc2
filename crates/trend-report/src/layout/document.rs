//! The content of an output as paragraphs and tables. It is written for a terminal, as Markdown, or, by
//! [`crate::html()`], as HTML.

use anstyle::Style;

use super::columns::{Cell, Column, lay_out};
use super::style::{BOLD, DIM, HEADING, paint};
use super::text::{visible, wrap};

/// A part of a document.
pub(crate) enum Block {
    /// The first line; its parts have already been made [`visible`].
    Title(Vec<Cell>),
    Heading(String),
    /// A paragraph after a bullet or a word; the text may contain anything.
    Text {
        bullet: &'static str,
        style: Style,
        text: String,
    },
    /// A note on omitted rows and, for a terminal, how to show them.
    More {
        text: String,
        how: String,
    },
    Table(Vec<Column>),
    /// A plot with its caption and legend as lines, only for a terminal.
    Plot(Vec<String>),
    Blank,
}

/// A sequence of paragraphs and tables.
pub(crate) struct Document {
    /// Width of the terminal in columns.
    pub(crate) width: usize,
    pub(crate) blocks: Vec<Block>,
}

impl Document {
    pub(crate) fn new(width: usize) -> Self {
        Self { width, blocks: Vec::new() }
    }

    pub(crate) fn blank(&mut self) {
        self.blocks.push(Block::Blank);
    }

    pub(crate) fn title(&mut self, parts: Vec<Cell>) {
        self.blocks.push(Block::Title(parts));
    }

    pub(crate) fn heading(&mut self, text: &str) {
        self.blank();
        self.blocks.push(Block::Heading(text.to_owned()));
    }

    /// Adds a paragraph, whose text may contain anything.
    pub(crate) fn paragraph(&mut self, style: Style, text: &str) {
        self.item("", style, text);
    }

    /// Adds a paragraph after a bullet or a word. Further lines are aligned with the text.
    pub(crate) fn item(&mut self, bullet: &'static str, style: Style, text: &str) {
        self.blocks.push(Block::Text { bullet, style, text: text.to_owned() });
    }

    pub(crate) fn more(&mut self, text: String, how: String) {
        self.blocks.push(Block::More { text, how });
    }

    pub(crate) fn table(&mut self, columns: Vec<Column>) {
        self.blocks.push(Block::Table(columns));
    }

    /// Adds a plot with a caption above it and a legend below it.
    pub(crate) fn plot(&mut self, caption: &str, lines: Vec<String>, legend: &str) {
        let mut all = item("", BOLD, caption, self.width);
        all.extend(lines);
        if !legend.is_empty() {
            all.extend(item("", DIM, legend, self.width));
        }
        self.blocks.push(Block::Plot(all));
    }

    /// Returns the document for a terminal, with ANSI colours. Only tables with whole names are wider than the
    /// terminal.
    pub(crate) fn for_terminal(self) -> String {
        let mut lines: Vec<String> = Vec::new();
        for block in self.blocks {
            match block {
                Block::Title(parts) => {
                    lines.push(parts.iter().map(|part| paint(part.style, &part.text)).collect());
                }
                Block::Heading(text) => lines.push(paint(BOLD, &text)),
                Block::Text { bullet, style, text } => lines.extend(item(bullet, style, &text, self.width)),
                Block::More { text, how } => {
                    lines.extend(item("", DIM, &format!("{text}; {how}."), self.width));
                }
                Block::Table(columns) => lines.extend(lay_out(columns, self.width, HEADING)),
                Block::Plot(plot) => lines.extend(plot),
                // Skips blank lines at the top, and after another blank line.
                Block::Blank if lines.last().is_none_or(String::is_empty) => {}
                Block::Blank => lines.push(String::new()),
            }
        }
        while lines.last().is_some_and(String::is_empty) {
            lines.pop();
        }
        lines.push(String::new());
        lines.join("\n")
    }
}

/// Returns a bullet if it is a word, and not just a sign for terminals.
pub(crate) fn word(bullet: &str) -> Option<&str> {
    Some(bullet.trim()).filter(|word| word.len() > 1)
}

/// Wraps a paragraph into lines that are no wider than the terminal.
fn item(bullet: &str, style: Style, text: &str, width: usize) -> Vec<String> {
    let indent = crate::layout::text::width(bullet);
    let lines = wrap(&visible(text), width.saturating_sub(indent), 0).into_iter().enumerate();
    let line = |(i, line): (usize, String)| match (bullet, i) {
        ("", _) => paint(style, &line),
        (_, 0) => paint(style, bullet) + &line,
        _ => " ".repeat(indent) + &line,
    };
    lines.map(line).collect()
}
