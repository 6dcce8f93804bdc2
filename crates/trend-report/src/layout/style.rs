//! The few colours of terminal output. They only emphasize; the text is complete without them.

use anstyle::{AnsiColor, Style};

pub(crate) const PLAIN: Style = Style::new();
pub(crate) const BOLD: Style = Style::new().bold();
pub(crate) const DIM: Style = Style::new().dimmed();
/// Style of rows that deserve attention: growth, overtaking.
pub(crate) const NOTABLE: Style = AnsiColor::Yellow.on_default();
/// Style of results that should not be trusted.
pub(crate) const DOUBTFUL: Style = AnsiColor::Red.on_default();
pub(crate) const POINTS: Style = AnsiColor::Cyan.on_default().bold();
pub(crate) const LINE: Style = AnsiColor::Blue.on_default();
pub(crate) const HEADING: Style = Style::new().bold().underline();

/// Returns the text in a style.
pub(crate) fn paint(style: Style, text: &str) -> String {
    format!("{style}{text}{style:#}")
}
