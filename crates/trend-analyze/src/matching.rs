//! Whether a word names a function: by its name, by the end of it, or with its file. Looks nothing up.

/// Whether a function or routine, given by its name and file, is meant by a word.
pub type IsMeant = fn((&str, &str), &str) -> bool;

/// The ways to name one, from the strictest on.
pub const WAYS: [IsMeant; 3] = [is_exactly, is_in_file, |(full, _), name| is_end_of(full, name)];

fn is_exactly((full, _): (&str, &str), name: &str) -> bool {
    full == name || is_like(full, name)
}

/// Whether `name` is `FILE:NAME` of the function, with the end of the path and of the name.
fn is_in_file((full, path): (&str, &str), name: &str) -> bool {
    let starts = name.match_indices(':').map(|(i, _)| (&name[..i], &name[i + 1..]));
    let mut starts = starts.filter(|(file, _)| path == *file || is_path_end(path, file));
    starts.any(|(_, rest)| is_exactly((full, path), rest) || is_end_of(full, rest))
}

/// Whether `name` is a function's name without parameters and arguments, from some `::` on.
pub fn is_end_of(function: &str, name: &str) -> bool {
    let (full, end) = (bare_name(function), bare_name(name));
    let start = full.strip_suffix(&end).filter(|_| !end.is_empty() && !name.contains(['(', '<', '[']));
    start.is_some_and(|start| start.is_empty() || start.ends_with("::") || start.ends_with(' '))
}

/// A demangled name alone: `sums::sum` of `int sums::sum<int>(int) const`.
pub fn bare_name(name: &str) -> String {
    let short = without_brackets(name.trim_end_matches(" const"), false);
    short.trim().rsplit(' ').next().unwrap_or_default().to_owned()
}

/// Whether `text` is what `pattern` says with `…` for whatever was left out of a name in a table.
pub fn is_like(text: &str, pattern: &str) -> bool {
    let mut parts = pattern.split('…');
    let Some(mut rest) = parts.next().and_then(|start| text.strip_prefix(start)) else { return false };
    let Some(end) = parts.next_back() else { return rest.is_empty() };
    for part in parts {
        let Some(found) = rest.find(part) else { return false };
        rest = &rest[found + part.len()..];
    }
    rest.ends_with(end)
}

/// Whether `end` is `path` from some `/` on.
pub fn is_path_end(path: &str, end: &str) -> bool {
    !end.is_empty() && path.strip_suffix(end).is_some_and(|start| start.ends_with('/'))
}

/// A name without its outermost brackets and what they hold, or with `…` for that.
pub fn without_brackets(name: &str, marked: bool) -> String {
    let (mut short, mut depth) = (String::new(), 0_usize);
    for c in name.chars() {
        let before = depth;
        match c {
            '(' | '<' | '[' => depth += 1,
            ')' | '>' | ']' => depth = depth.saturating_sub(1),
            _ => {}
        }
        match (before, depth) {
            (0, 0) => short.push(c),
            (0, _) if marked => short.extend([c, '…']),
            (_, 0) if marked => short.push(c),
            _ => {}
        }
    }
    short
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_left_out_of_a_name_can_be_anything() {
        assert!(is_like("a/b/c.c:4", "a…c:4") && is_like("f<int>(int)", "f<…>(…)"));
        assert!(!is_like("abc", "ab") && !is_like("abc", "b…c") && !is_like("abc", "a…b"));
        assert!(is_like("abc", "abc"));
    }
}
