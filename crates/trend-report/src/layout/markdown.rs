//! Writes a document as Markdown.

use std::fmt::Write as _;

use super::columns::{Column, Side, for_reading};
use super::document::{Block, Document, word};
use super::text::visible;

pub(crate) fn written(document: &Document) -> String {
    let mut text = String::new();
    let mut was_item = false;
    for block in &document.blocks {
        let is_item = matches!(block, Block::Text { bullet, .. } if !bullet.is_empty());
        if was_item && !is_item {
            text.push('\n');
        }
        was_item = is_item;
        let _ = match block {
            Block::Title(parts) => {
                let parts: String = parts.iter().map(|part| escaped(&part.text)).collect();
                writeln!(text, "## {parts}\n")
            }
            Block::Heading(heading) => writeln!(text, "### {}\n", escaped(heading)),
            Block::Text { bullet, text: sentence, .. } if is_item => {
                let word = word(bullet).map(|word| format!("**{word}** ")).unwrap_or_default();
                writeln!(text, "- {word}{}", escaped(sentence))
            }
            Block::Text { text: sentence, .. } => writeln!(text, "{}\n", escaped(sentence)),
            Block::More { text: more, .. } => writeln!(text, "{}.\n", escaped(more)),
            Block::Table(columns) => writeln!(text, "{}", table_of(&for_reading(columns))),
            Block::Plot(_) | Block::Blank => Ok(()),
        };
    }
    text
}

fn table_of(columns: &[&Column]) -> String {
    let row = |cell: &dyn Fn(&Column) -> String| {
        let cells: Vec<String> = columns.iter().map(|column| cell(column)).collect();
        format!("| {} |\n", cells.join(" | "))
    };
    let side = |column: &Column| match column.side {
        Side::Left => ":--".to_owned(),
        Side::Right => "--:".to_owned(),
    };
    let rows = columns.first().map_or(0, |column| column.cells.len());
    let cell = |text: &str| {
        let text = text.trim_end();
        // Indented text is part of a tree.
        let indent = if text.is_empty() { 0 } else { text.len() - text.trim_start_matches(' ').len() };
        "&nbsp;".repeat(indent) + &escaped(text.trim())
    };
    let of_row = |i: usize| {
        row(&|column| match column.side {
            Side::Left => cell(&column.cells[i].text),
            Side::Right => escaped(column.cells[i].text.trim()),
        })
    };
    let rows = (0..rows).map(of_row);
    row(&|column| escaped(&column.title)) + &row(&side) + &rows.collect::<String>()
}

/// Escapes text that Markdown or HTML would take for markup.
pub(crate) fn escaped(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for c in visible(text).chars() {
        match c {
            '<' => shown.push_str("&lt;"),
            '>' => shown.push_str("&gt;"),
            '&' => shown.push_str("&amp;"),
            // Keep `@` from mentioning, and notifying, a user.
            '@' => shown.push_str("&#64;"),
            '\\' | '`' | '*' | '_' | '[' | ']' | '|' | '~' | '^' | '$' | '#' | '!' => {
                shown.push('\\');
                shown.push(c);
            }
            c => shown.push(c),
        }
    }
    // Keep addresses from becoming links.
    shown.replace("://", ":&#47;/").replace("www.", "www&#46;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markup_in_names_is_text() {
        assert_eq!(escaped("a|b`c`<script>"), "a\\|b\\`c\\`&lt;script&gt;");
        assert_eq!(escaped("[x](http://evil) @all"), "\\[x\\](http:&#47;/evil) &#64;all");
    }
}
