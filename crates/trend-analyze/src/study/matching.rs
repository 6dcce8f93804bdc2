//! Decides whether a word names a function: by its name, by the end of its name, or together with its file. This module
//! looks nothing up.

use std::borrow::Cow;

/// A predicate that is true if a word means the function or routine with the given name and file.
pub type IsMeant = fn((&str, &str), &str) -> bool;

/// The ways to name a function, strictest first.
pub const WAYS: [IsMeant; 3] = [is_exactly, is_in_file, |(full, _), name| is_end_of(full, name)];

fn is_exactly((full, _): (&str, &str), name: &str) -> bool {
    // Shortened names may lack their parameters.
    let without_parameters = || positions_outside_brackets(full, "(").last().map_or(full, |at| &full[..at]);
    full == name || is_like(full, name) || name.contains('…') && is_like(without_parameters(), name)
}

/// Returns true if `name` is `FILE:NAME` of the function. Both the path and the name may be shortened to their ends.
fn is_in_file((full, path): (&str, &str), name: &str) -> bool {
    let starts = name.match_indices(':').map(|(i, _)| (&name[..i], &name[i + 1..]));
    let mut starts = starts.filter(|(file, _)| path == *file || is_path_end(path, file));
    starts.any(|(_, rest)| is_exactly((full, path), rest) || is_end_of(full, rest))
}

/// Returns true if `name` is the end of the function's bare name, starting at a `::` boundary. A `name` that has
/// parameters or arguments itself never matches.
pub fn is_end_of(function: &str, name: &str) -> bool {
    let (full, end) = (bare_name(function), bare_name(name));
    let start = full.strip_suffix(&end).filter(|_| !end.is_empty() && !name.contains(['(', '<', '[']));
    start.is_some_and(|start| start.is_empty() || start.ends_with("::") || start.ends_with(' '))
}

/// Returns a demangled name without return type, parameters and arguments: `sums::sum` for `int sums::sum<int>(int)
/// const`, `Table::insert` for `<map::Table<u8> as Insert>::insert::<u64>`.
pub fn bare_name(name: &str) -> String {
    let plain = without_brackets(&with_plain_types(name.trim_end_matches(" const")), false);
    without_empty_segments(plain.trim().rsplit(' ').next().unwrap_or_default())
}

/// Removes the empty segments that removed brackets leave behind in a path.
fn without_empty_segments(path: &str) -> String {
    path.split("::").filter(|segment| !segment.is_empty()).collect::<Vec<_>>().join("::")
}

/// Maximum length of a generic argument that a name keeps in full, in characters.
const SHORT_TYPE: usize = 20;

/// Returns a demangled name like [`bare_name`], but keeps the first argument in each list of generic arguments:
/// `Tree<Key>::insert` for `void Tree<Key, std::less<Key>>::insert(Key const&)`.
pub(crate) fn name_of_instance(name: &str) -> String {
    let name = with_plain_types(name.trim_end_matches(" const"));
    let (mut short, mut rest) = (String::new(), &*name);
    while let Some(at) = rest.find(['<', '(', '[']) {
        let (before, bracket) = (&rest[..at], rest[at..].chars().next().unwrap_or_default());
        short.push_str(before);
        let inner = &rest[at + 1..];
        if is_operator(&short, bracket) {
            short.push(bracket);
            rest = inner;
            continue;
        }
        let end = closing(inner).unwrap_or(inner.len());
        if bracket == '<' {
            let arguments = &inner[..end];
            let first =
                positions_outside_brackets(arguments, ",").next().map_or(arguments, |i| &arguments[..i]);
            let is_short = first.chars().count() <= SHORT_TYPE;
            let first = if is_short { first.to_owned() } else { bare_name(first) };
            short.extend(["<", if first.is_empty() { "…" } else { &first }, ">"]);
        }
        rest = inner.get(end + 1..).unwrap_or_default();
    }
    short.push_str(rest);
    let mut spaces = short.match_indices(' ').map(|(i, _)| i);
    let start = spaces.rfind(|&i| is_balanced(&short[..i])).map_or(0, |i| i + 1);
    without_empty_segments(&short[start..])
}

/// Replaces a bracketed type at the start of a path by the plain type: `<Table>::insert`, `<Table as Insert>::insert`
/// and `<impl Insert for Table>::insert` all become `Table::insert`.
fn with_plain_types(name: &str) -> Cow<'_, str> {
    let Some((start, inner, rest)) = bracketed_type(name) else { return Cow::Borrowed(name) };
    let of_impl = inner.strip_prefix("impl ");
    let parts = |text: &'_ str, word: &str| outside_brackets(text, word).map(|i| (i, i + word.len()));
    let own = match of_impl {
        Some(text) => parts(text, " for ").map_or(text, |(_, end)| &text[end..]),
        None => parts(inner, " as ").map_or(inner, |(begin, _)| &inner[..begin]),
    };
    let own = own.trim_start_matches(['&', '*']);
    let own = ["mut ", "const ", "dyn "].iter().fold(own, |own, word| own.trim_start_matches(word));
    Cow::Owned(format!("{start}{}{rest}", with_plain_types(own)))
}

/// Splits a name into the text before a bracketed type that starts a path, the type itself, and the text after its
/// bracket.
fn bracketed_type(name: &str) -> Option<(&str, &str, &str)> {
    let begin = if name.starts_with('<') { 0 } else { name.find("::<impl ")? + 2 };
    let end = begin + 1 + closing(&name[begin + 1..])?;
    let rest = &name[end + 1..];
    rest.starts_with("::").then(|| (&name[..begin], &name[begin + 1..end], rest))
}

/// Returns the position of the bracket that closes one opened just before `text`.
fn closing(text: &str) -> Option<usize> {
    let (mut depth, mut before) = (0_usize, ' ');
    for (i, c) in text.char_indices() {
        match c {
            '<' | '(' | '[' => depth += 1,
            // The `>` of an arrow in a function type closes nothing.
            '>' if before == '-' => {}
            '>' | ')' | ']' if depth == 0 => return Some(i),
            '>' | ')' | ']' => depth -= 1,
            _ => {}
        }
        before = c;
    }
    None
}

/// Returns the position of the first occurrence of a word outside all brackets.
fn outside_brackets(text: &str, word: &str) -> Option<usize> {
    positions_outside_brackets(text, word).next()
}

/// Returns the positions of a word outside all brackets.
pub fn positions_outside_brackets<'a>(text: &'a str, word: &'a str) -> impl Iterator<Item = usize> + 'a {
    text.match_indices(word).map(|(i, _)| i).filter(|&i| is_balanced(&text[..i]))
}

/// Returns true if the text has as many closing brackets of each kind as opening ones. Brackets in the name of an
/// operator, such as `operator<`, and the `>` of an arrow do not count.
fn is_balanced(text: &str) -> bool {
    let mut open = [0; 3];
    for (i, c) in text.char_indices() {
        let before = &text[..i];
        let (kind, step) = match c {
            '<' => (0, 1),
            '>' if !before.ends_with('-') => (0, -1),
            '(' => (1, 1),
            ')' => (1, -1),
            '[' => (2, 1),
            ']' => (2, -1),
            _ => continue,
        };
        open[kind] += if is_operator(before, c) { 0 } else { step };
    }
    open == [0; 3]
}

/// Returns true if `text` matches `pattern`, in which `…` stands for any text that a table left out of a name.
pub fn is_like(text: &str, pattern: &str) -> bool {
    let mut parts = pattern.split('…');
    let Some(mut rest) = parts.next().and_then(|start| text.strip_prefix(start)) else { return false };
    let Some(end) = parts.next_back() else { return rest.is_empty() };
    for part in parts {
        let Some(position) = rest.find(part) else { return false };
        rest = &rest[position + part.len()..];
    }
    rest.ends_with(end)
}

/// Returns true if `end` is the end of `path`, starting after a `/`.
pub fn is_path_end(path: &str, end: &str) -> bool {
    !end.is_empty() && path.strip_suffix(end).is_some_and(|start| start.ends_with('/'))
}

/// Removes the outermost brackets of a name with their content. If `marked`, the brackets stay and `…` replaces their
/// content. The brackets of `operator()` and `operator<` are part of the name.
pub fn without_brackets(name: &str, marked: bool) -> String {
    let (mut short, mut depth, mut last) = (String::new(), 0_usize, ' ');
    for c in name.chars() {
        let before = depth;
        match c {
            '(' | '<' | '[' if depth == 0 && is_operator(&short, c) => {}
            '(' | '<' | '[' => depth += 1,
            // The `>` of an arrow in a function type closes nothing.
            '>' if last == '-' => {}
            ')' | '>' | ']' => depth = depth.saturating_sub(1),
            _ => {}
        }
        match (before, depth) {
            (0, 0) => short.push(c),
            (0, _) | (_, 0) if marked => short.push(c),
            _ if marked && !short.ends_with('…') => short.push('…'),
            _ => {}
        }
        last = c;
    }
    short
}

/// Length of `operator<=`, and of a character before it.
const LONGEST_OPERATOR: usize = 14;

/// Returns true if a bracket after this text belongs to the name of an operator: `operator()`, `operator<<`.
fn is_operator(before: &str, bracket: char) -> bool {
    // The longest name is `operator<=>`. Looking further back would take quadratic time.
    let begin = before.floor_char_boundary(before.len().saturating_sub(LONGEST_OPERATOR));
    before[begin..].rsplit_once("operator").is_some_and(|(front, symbol)| {
        let is_word = !front.ends_with(|c: char| c.is_alphanumeric() || c == '_');
        let symbols = [("<", '<'), (">", '>'), ("(", ')'), ("[", ']'), ("<=", '>')];
        is_word && (symbol.is_empty() || symbols.contains(&(symbol, bracket)))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_alone_has_its_type_and_no_arguments() {
        for (full, bare) in [
            ("int sums::sum<int>(int) const", "sums::sum"),
            ("<Table>::insert", "Table::insert"),
            ("<map::Table<u8>>::insert::<u64>", "map::Table::insert"),
            ("<map::Table<u8> as core::iter::Extend<Vec<u8>>>::extend", "map::Table::extend"),
            ("<&mut map::Table as Insert>::insert", "map::Table::insert"),
            ("flaky::map::<impl flaky::Insert for flaky::Table>::insert", "flaky::map::flaky::Table::insert"),
            ("core::slice::<impl [T]>::sort", "core::slice::sort"),
            ("Vec::<fn(u8) -> u8>::push", "Vec::push"),
            ("(anonymous namespace)::work(int)", "work"),
            ("std::ostream& Json::operator<<(std::ostream&, Json::Value const&)", "Json::operator<<"),
            ("Table<int>::operator[](int)", "Table::operator[]"),
            ("bool less::operator()<int>(int) const", "less::operator()"),
            ("<unfinished", ""),
        ] {
            assert_eq!(bare_name(full), bare, "{full}");
        }
    }

    #[test]
    fn an_instance_keeps_its_first_generic_argument() {
        for (full, short) in [
            ("void Tree<Key, std::less<Key>>::insert(Key const&) const", "Tree<Key>::insert"),
            (
                "core::ptr::drop_in_place::<alloc::vec::Vec<map::Value>>",
                "core::ptr::drop_in_place::<alloc::vec::Vec>",
            ),
            ("core::ptr::drop_in_place::<[Value]>", "core::ptr::drop_in_place::<[Value]>"),
            ("void ns::(anonymous namespace)::f<int>(int)", "ns::f<int>"),
            ("<&mut map::Table<u8, u16> as Insert>::insert", "map::Table<u8>::insert"),
            ("std::ostream& Json::operator<<(std::ostream&, Json::Value const&)", "Json::operator<<"),
            ("bool less::operator()<int, long>(int) const", "less::operator()<int>"),
            ("Call<std::function<void (int)>, 3>::run()", "Call<std::function>::run"),
            ("<unfinished", "<unfinished>"),
        ] {
            assert_eq!(name_of_instance(full), short, "{full}");
        }
    }

    #[test]
    fn the_end_of_a_name_means_methods_and_instances_of_generics() {
        for full in [
            "<Table>::insert",
            "<a::Table<u8>>::insert::<u64>",
            "Table<int>::insert(int)",
            "<Table as Insert>::insert",
        ] {
            assert!(is_end_of(full, "Table::insert") && is_end_of(full, "insert"), "{full}");
            assert!(!is_end_of(full, "able::insert"), "{full}");
        }
        assert!(!is_end_of("<Table>::insert", "Other::insert"));
    }

    #[test]
    fn what_was_left_out_of_a_name_can_be_anything() {
        assert!(is_like("a/b/c.c:4", "a…c:4") && is_like("f<int>(int)", "f<…>(…)"));
        assert!(!is_like("abc", "ab") && !is_like("abc", "b…c") && !is_like("abc", "a…b"));
        assert!(is_like("abc", "abc"));
        assert!(is_exactly(("ns::Index<int>::find(int (*)(int)) const", ""), "…::Index<…>::find"));
        assert!(!is_exactly(("ns::Index<int>::find(int)", ""), "…::fin"));
        assert!(is_exactly(("a::Key::operator<(a::Key const&) const", ""), "…::operator<"));
        assert!(is_exactly(("a::Map<int>::operator()(int) const", ""), "…::operator()"));
    }
}
