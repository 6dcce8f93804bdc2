//! Lines of text and the numbers in them.

use super::ImportError;

/// Longer texts are cut in errors.
const SHOWN: usize = 60;

/// A text for an error message.
pub(super) fn shown(text: &str) -> String {
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// A whole number that is not negative, in decimal digits and nothing else.
pub(super) fn digits(text: &str) -> Option<u64> {
    // `parse` alone would take `+3`.
    text.bytes().all(|b| b.is_ascii_digit()).then(|| text.parse().ok()).flatten()
}

/// The number of a line.
pub(super) fn line_number(text: &str) -> Option<u32> {
    digits(text).and_then(|n| u32::try_from(n).ok())
}

/// A count as tools write it: digits, or `1.5e+10`.
pub(super) fn count(text: &str, what: &str, line: usize) -> Result<u64, ImportError> {
    crate::number::count(text)
        .map_err(|problem| ImportError::line(line, format!("the {what} `{}` {problem}", shown(text))))
}
