//! Places of rows and members in words.

use trend_analyze::{Member, Row};

/// Returns a member's `file:line`, or its name if it has no line.
pub(crate) fn member_place(member: &Member) -> String {
    if member.line > 0 { format!("{}:{}", member.file, member.line) } else { member.name.to_string() }
}

/// Returns a row's `file:line`, as far as they are known.
pub(crate) fn row_place(row: &Row) -> String {
    line_in(&row.file, row.line)
}

/// Returns `file:line`, as far as they are known.
pub(crate) fn line_in(file: &str, line: u32) -> String {
    match (file, line) {
        ("", _) => String::new(),
        (file, 0) => file.to_owned(),
        (file, line) => format!("{file}:{line}"),
    }
}
