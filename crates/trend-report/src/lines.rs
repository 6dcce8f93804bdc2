//! Lines of terminal output, none wider than the terminal.

use crate::style::paint;
use crate::text::{visible, wrap};

/// Lines of terminal output, none wider than the terminal.
pub(crate) struct Lines {
    pub(crate) width: usize,
    pub(crate) lines: Vec<String>,
}

impl Lines {
    pub(crate) fn new(width: usize) -> Self {
        Self { width, lines: Vec::new() }
    }

    /// An empty line, but never two in a row nor one at the top.
    pub(crate) fn blank(&mut self) {
        if self.lines.last().is_some_and(|l| !l.is_empty()) {
            self.lines.push(String::new());
        }
    }

    /// A paragraph that can contain anything.
    pub(crate) fn paragraph(&mut self, style: anstyle::Style, text: &str) {
        self.item("", style, text);
    }

    /// The same after a bullet or a word; the lines after the first stand below the text.
    pub(crate) fn item(&mut self, bullet: &str, style: anstyle::Style, text: &str) {
        let indent = crate::text::width(bullet);
        let lines = wrap(&visible(text), self.width.saturating_sub(indent), 0);
        for (i, line) in lines.iter().enumerate() {
            let start = if i == 0 { paint(style, bullet) } else { " ".repeat(indent) };
            let body = if bullet.is_empty() { paint(style, line) } else { line.clone() };
            self.lines.push(format!("{}{body}", if bullet.is_empty() { String::new() } else { start }));
        }
    }

    pub(crate) fn finish(mut self) -> String {
        while self.lines.last().is_some_and(String::is_empty) {
            self.lines.pop();
        }
        self.lines.push(String::new());
        self.lines.join("\n")
    }
}
