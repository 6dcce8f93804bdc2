//! Makes text from outside harmless, and shortens it to fit.
//!
//! Names and source lines can contain anything. [`visible`] is applied to each before it reaches an output. The output
//! then adds its own escaping (HTML, CSV, Markdown).

use std::borrow::Cow;
use std::fmt::Write as _;
use std::iter;

use trend_analyze::{positions_outside_brackets, without_arguments, without_brackets};
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// Maximum number of marks on one character. No alphabet needs more; a longer pile is meant to paint over other lines.
const MOST_MARKS: usize = 3;

/// Separator of a line and the library function that it calls, in the name of a location.
pub(crate) const CALLS: &str = " → ";

/// Separator of a line and its function, in the title of a cluster.
const IN: &str = " in ";

/// Spaces that replace a tab in source lines.
const TAB: &str = "    ";

/// Escapes characters that are invisible or affect how other text is shown: control characters (ANSI escapes,
/// newlines), bidirectional overrides, zero-width characters, tags and piles of combining marks.
pub(crate) fn visible(text: &str) -> Cow<'_, str> {
    let mut marks = 0;
    if text.chars().all(|c| !is_hidden(c, &mut marks)) {
        return Cow::Borrowed(text);
    }
    let mut marks = 0;
    let mut shown = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        match c {
            '\n' | '\r' | '\t' => shown.extend(c.escape_default()),
            c if c.is_ascii_control() => {
                let _ = write!(shown, "\\x{:02x}", u32::from(c));
            }
            c if is_hidden(c, &mut marks) => {
                let _ = write!(shown, "\\u{{{:x}}}", u32::from(c));
            }
            c => shown.push(c),
        }
    }
    Cow::Owned(shown)
}

/// Returns a line of source code, made visible, with its indentation.
pub(crate) fn source_line(text: &str) -> String {
    visible(&text.trim_end().replace('\t', TAB)).into_owned()
}

/// Returns true if `c` must be escaped. `marks` counts the zero-width characters before it.
fn is_hidden(c: char, marks: &mut usize) -> bool {
    let hidden = c.is_control()
        || matches!(c,
            '\u{ad}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{180e}' | '\u{200b}'..='\u{200f}'
            | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}'
            | '\u{feff}' | '\u{fff0}'..='\u{fffb}' | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}');
    if hidden {
        return true;
    }
    *marks = if c.width() == Some(0) { *marks + 1 } else { 0 };
    *marks > MOST_MARKS
}

/// Puts no-break spaces between numbers and their suffixes.
pub(crate) fn keep_together(text: &str) -> String {
    let mut shown = String::with_capacity(text.len() + 8);
    let mut before = ' ';
    let mut rest = text.chars();
    while let Some(c) = rest.next() {
        let mut ahead = rest.clone();
        let suffix = ahead.next().is_some_and(|s| "kMGTPE%".contains(s))
            && ahead.next().is_none_or(|n| !n.is_alphanumeric());
        shown.push(if c == ' ' && before.is_ascii_digit() && suffix { '\u{a0}' } else { c });
        before = c;
    }
    shown
}

/// Returns the number of columns that the text takes in a terminal.
pub(crate) fn width(text: &str) -> usize {
    text.width()
}

/// Returns a name from outside as people know it: without the arguments of generics, made visible, and shortened.
pub(crate) fn brief(name: &str, columns: usize) -> String {
    shorten(&visible(&without_arguments(name)), columns).into_owned()
}

/// Returns the text with a capital first letter.
pub(crate) fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

/// Shortens the text with `…` if it is wider than `columns`.
///
/// A path first loses folders at its beginning. In `file:line` followed by a function, the line and the end of the
/// function's name are kept. A C++ signature loses its parameters, and then its namespaces. Otherwise the middle is
/// removed. The end gets the larger half, because the end of a place or of a mangled name says more than the beginning.
/// The page does the same: `ui/src/format/text.ts`.
pub(crate) fn shorten(text: &str, columns: usize) -> Cow<'_, str> {
    if text.width() <= columns {
        return Cow::Borrowed(text);
    }
    let Some(room) = columns.checked_sub(1) else { return Cow::Borrowed("") };
    let without_folders = text.match_indices('/').map(|(i, _)| &text[i..]).find(|rest| rest.width() <= room);
    if let Some(rest) = without_folders
        && rest.width() >= room / 2
    {
        return Cow::Owned(format!("…{rest}"));
    }
    if let Some(short) = shorten_after_place(text, columns) {
        return Cow::Owned(short);
    }
    // In a C++ signature, the function's name matters most: first the parameters are removed, then the generic
    // arguments.
    if let Some(signature) = without_parameters(text)
        && signature.width() < text.width()
    {
        return Cow::Owned(shorten(&signature, columns).into_owned());
    }
    Cow::Owned(without_namespaces(text, columns).unwrap_or_else(|| without_middle(text, room)))
}

/// Returns a function's name without parameters, and from one of its `::` on if there is no room for more: `…::insert`.
/// The name after the last `::` is cut last. Returns `None` for other names.
fn without_namespaces(text: &str, columns: usize) -> Option<String> {
    let name = text.strip_suffix(" const").unwrap_or(text);
    let name = name.strip_suffix("(…)").unwrap_or(text);
    let starts: Vec<usize> = positions_outside_brackets(name, "::").collect();
    let own = starts.last().map_or(name, |last| &name[last + 2..]);
    if own.is_empty() || own == text {
        return None;
    }
    let ends = starts.iter().map(|&start| format!("…{}", &name[start..]));
    let mut forms = iter::once(name.to_owned()).chain(ends).chain([own.to_owned()]);
    Some(forms.find(|form| form.width() <= columns).unwrap_or_else(|| without_middle(own, columns - 1)))
}

/// Replaces the middle of a text by `…`, so that `room` columns of it remain.
fn without_middle(text: &str, room: usize) -> String {
    let head = prefix(text, room * 2 / 5);
    format!("{head}…{}", suffix(text, room - head.width()))
}

/// Shortens `src/main.rs:6 → ptr::drop_in_place` to `…/main.rs:6 → …in_place`: the file, the line and the end of the
/// text after them. Returns `None` if the text does not start with a place.
fn shorten_after_place(text: &str, columns: usize) -> Option<String> {
    /// Minimum width at which a name is still recognisable.
    const LEAST: usize = 5;
    let (place, rest) = split_place(text)?;
    if rest.starts_with(IN) && place.width() + IN.width() + LEAST > columns {
        return Some(shorten(place, columns).into_owned());
    }
    let file = place.rfind('/').map_or(place.to_owned(), |slash| format!("…{}", &place[slash..]));
    let place = if file.width() < place.width() { file.as_str() } else { place };
    let Some(room) = columns.checked_sub(place.width()).filter(|room| *room >= LEAST) else {
        return Some(without_middle(text, columns - 1));
    };
    if rest.width() <= room {
        return Some(format!("{place}{rest}"));
    }
    // In a C++ signature, the function's name matters most.
    let signature = without_parameters(rest);
    if let Some(signature) = signature.as_ref().filter(|signature| signature.width() <= room) {
        return Some(format!("{place}{signature}"));
    }
    let rest = signature.as_deref().and_then(|signature| signature.split("(…").next()).unwrap_or(rest);
    if rest.width() <= room {
        return Some(format!("{place}{rest}"));
    }
    let arrow =
        [CALLS, IN].into_iter().find(|arrow| room >= arrow.width() + LEAST && rest.starts_with(arrow));
    let arrow = arrow.unwrap_or_default();
    let end = suffix(&rest[arrow.len()..], room - arrow.width() - 1);
    Some(format!("{place}{arrow}…{end}"))
}

/// Splits `src/main.rs:6` from the text after it. Returns `None` if nothing follows, or if the text does not start with
/// a place.
fn split_place(text: &str) -> Option<(&str, &str)> {
    let digits = |start: usize| text[start..].find(|c: char| !c.is_ascii_digit());
    let mut ends = text.match_indices(':').filter_map(|(i, _)| Some((i, digits(i + 1)?)));
    let (colon, length) = ends.find(|(i, length)| *length > 0 && text[..*i].contains('.'))?;
    Some(text.split_at(colon + 1 + length))
}

/// Returns a demangled C++ name with `(…)` and `<…>` in place of its outermost brackets, or `None` for other names.
fn without_parameters(text: &str) -> Option<String> {
    let is_signature = text.ends_with(')') || text.ends_with(") const");
    is_signature.then(|| without_brackets(text, true))
}

/// Cuts the text with `…` at its end if it is wider than `columns`.
pub(crate) fn cut(text: &str, columns: usize) -> Cow<'_, str> {
    if text.width() <= columns {
        return Cow::Borrowed(text);
    }
    match columns.checked_sub(1) {
        Some(room) => Cow::Owned(format!("{}…", prefix(text, room))),
        None => Cow::Borrowed(""),
    }
}

fn prefix(text: &str, columns: usize) -> &str {
    let ends = text.char_indices().map(|(i, c)| i + c.len_utf8());
    let fits = ends.take_while(|&end| text[..end].width() <= columns);
    &text[..fits.last().unwrap_or(0)]
}

fn suffix(text: &str, columns: usize) -> &str {
    let starts = text.char_indices().rev().map(|(i, _)| i);
    let fits = starts.take_while(|&start| text[start..].width() <= columns);
    &text[fits.last().unwrap_or(text.len())..]
}

/// Returns the spaces that fill `text` up to `columns`.
pub(crate) fn padding(text: &str, columns: usize) -> String {
    " ".repeat(columns.saturating_sub(text.width()))
}

/// Wraps the paragraph into lines of at most `columns`. Lines after the first are indented by `indent`.
///
/// Lines break at spaces. A word that is wider than a line is cut into pieces, so that nothing is lost.
pub(crate) fn wrap(paragraph: &str, columns: usize, indent: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let mut line = String::new();
    let paragraph = keep_together(paragraph);
    for word in paragraph.split(' ').filter(|w| !w.is_empty()) {
        let mut word = word;
        loop {
            let blank = line.trim_start().is_empty();
            let joined = line.width() + usize::from(!blank) + word.width();
            if joined <= columns {
                if !blank {
                    line.push(' ');
                }
                line.push_str(word);
                break;
            }
            if blank {
                let mut piece = prefix(word, columns.saturating_sub(line.width()));
                if piece.is_empty() {
                    // A single character that is wider than the line is written anyway.
                    piece = &word[..word.chars().next().map_or(0, char::len_utf8)];
                }
                line.push_str(piece);
                word = &word[piece.len()..];
            }
            lines.push(std::mem::replace(&mut line, " ".repeat(indent)));
            if word.is_empty() {
                break;
            }
        }
    }
    if !line.trim_start().is_empty() || lines.is_empty() {
        lines.push(line);
    }
    // Text is copied from a terminal, so it gets normal spaces.
    lines.into_iter().map(|line| line.replace('\u{a0}', " ")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_hides_or_paints_over_other_text_is_escaped() {
        assert_eq!(visible("plain Füße 名前"), "plain Füße 名前");
        assert_eq!(visible("\x1b[31mred\n"), "\\x1b[31mred\\n");
        assert_eq!(visible("a\u{202e}b\u{9b}c\u{200b}\u{e0041}"), "a\\u{202e}b\\u{9b}c\\u{200b}\\u{e0041}");
        let zalgo = format!("e{}", "\u{301}".repeat(5));
        assert_eq!(visible(&zalgo), "e\u{301}\u{301}\u{301}\\u{301}\\u{301}");
    }

    #[test]
    fn a_long_path_loses_folders_and_other_names_their_middle() {
        assert_eq!(shorten("bubble_sort.c:4", 15), "bubble_sort.c:4");
        assert_eq!(shorten("a/long/path/to/file.c:120", 14), "…/file.c:120");
        assert_eq!(shorten("a/long/path/to/file.c:120", 17), "…/to/file.c:120");
        assert_eq!(shorten("a/long/path/to/file.c:120", 9), "a/l…c:120");
        let called = "src/main.rs:6 → ptr::drop_in_place";
        assert_eq!(shorten(called, 33), "…/main.rs:6 → ptr::drop_in_place");
        assert_eq!(shorten(called, 24), "…/main.rs:6 → …_in_place");
        assert_eq!(shorten(called, 18), "…/main.rs:6…_place");
        assert_eq!(shorten(called, 12), "src/…n_place");
        let method = "corpus::Index<int>::count_pairs(std::function<bool(int)> const&) const";
        assert_eq!(shorten(method, 40), "corpus::Index<…>::count_pairs(…) const");
        assert_eq!(shorten(method, 30), "corpus::Index<…>::count_pairs");
        assert_eq!(shorten(method, 20), "…::count_pairs");
        assert_eq!(shorten(method, 11), "count_pairs");
        let call = "std::function<bool(int)>::operator()(int) const";
        assert_eq!(shorten(call, 40), "std::function<…>::operator()(…) const");
        assert_eq!(shorten("A::operator<(A<int> const&, int) const", 24), "A::operator<(…) const");
        assert_eq!(shorten("a.c:12:parse_everything#3", 18), "a.c:12…verything#3");
        assert_eq!(shorten("sums::sum<std::vector<int> >(std::vector<int> const&)", 24), "sums::sum<…>(…)");
        let titled = "src/a.cpp:73 in ns::Scanner::match(std::string const&, int) const";
        assert_eq!(shorten(titled, 50), "…/a.cpp:73 in ns::Scanner::match(…) const");
        assert_eq!(shorten(titled, 36), "…/a.cpp:73 in ns::Scanner::match");
        assert_eq!(shorten(titled, 28), "…/a.cpp:73 in …canner::match");
        assert_eq!(shorten(titled, 14), "src/a.cpp:73");
        assert_eq!(shorten("名前名前名前", 6), "名…前");
        assert_eq!(shorten("abc", 0), "");
        assert_eq!(cut("abcdef", 4), "abc…");
    }

    #[test]
    fn a_paragraph_is_wrapped_and_no_word_of_it_is_lost() {
        assert_eq!(wrap("one two three", 8, 2), ["one two", "  three"]);
        assert_eq!(wrap("abcdefghij k", 4, 1), ["abcd", " efg", " hij", " k"]);
        assert_eq!(wrap("", 4, 1), [""]);
        assert_eq!(wrap("at most 5.40 G here", 13, 0), ["at most", "5.40 G here"]);
    }
}
