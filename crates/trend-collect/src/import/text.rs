//! Parses numbers in lines of text.

use std::borrow::Cow;

use super::ImportError;
pub(super) use super::error::shown;
use crate::fnv::Fnv;

/// Parses a number that consists of decimal digits only.
pub(super) fn digits(text: &str) -> Option<u64> {
    // `parse` alone would accept `+3`.
    text.bytes().all(|b| b.is_ascii_digit()).then(|| text.parse().ok()).flatten()
}

/// Parses a line number.
pub(super) fn line_number(text: &str) -> Option<u32> {
    digits(text).and_then(|n| u32::try_from(n).ok())
}

/// Parses a count as tools write it: digits, or `1.5e+10`.
pub(super) fn count(text: &str, what: &str, line: usize) -> Result<u64, ImportError> {
    crate::number::count(text)
        .map_err(|problem| ImportError::line(line, format!("the {what} `{}` {problem}", shown(text))))
}

/// Cuts a name to at most `most` bytes, because it is copied often. A cut name keeps its beginning, and a digest keeps
/// it unique.
pub(super) fn cut(name: &str, most: usize) -> Cow<'_, str> {
    if name.len() <= most {
        return Cow::Borrowed(name);
    }
    let mut digest = Fnv::new();
    digest.bytes(name.as_bytes());
    let digest = format!("…{:016x}", digest.finish());
    let begin = &name[..name.floor_char_boundary(most.saturating_sub(digest.len()))];
    Cow::Owned(format!("{begin}{digest}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_names_that_begin_alike_stay_apart() {
        let name = |last: &str| format!("{}{last}", "é".repeat(3000));
        let (one, other) = (name("1"), name("2"));
        assert_ne!(cut(&one, 4096), cut(&other, 4096));
        assert!(cut(&one, 4096).len() <= 4096 && cut(&one, 4096).starts_with("éé"));
        assert_eq!(cut("short", 5), "short");
    }

    #[test]
    fn a_folder_that_no_path_can_have_is_put_before_no_name() {
        let root = crate::import::Root::new("/p");
        assert_eq!(root.within("/q").name("a.c"), "/q/a.c");
        assert_eq!(root.within(&"/q".repeat(1 << 19)).name("a.c"), "a.c");
    }
}
