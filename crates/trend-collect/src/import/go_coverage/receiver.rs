//! Finds the declarations of functions in their sources, because the description names methods without their types.

use std::collections::HashMap;

use super::Sources;

/// The declarations of functions in source files, read when a file is first needed.
pub(super) struct Declarations<'a> {
    sources: Sources<'a>,
    /// Lines with a declaration, and the text that begins there.
    by_file: HashMap<String, Vec<(u32, String)>>,
}

/// Beginning of the name of a function outside of functions: `func.L18.C9`.
const LITERAL: &str = "func.L";

/// Maximum bytes of a declaration that are kept.
const LONGEST: usize = 256;

impl<'a> Declarations<'a> {
    pub(super) fn new(sources: Sources<'a>) -> Self {
        Self { sources, by_file: HashMap::new() }
    }

    /// Returns the line of a function's declaration, from that of its first block.
    pub(super) fn line(&mut self, file: &str, name: &str, first: u32) -> Option<u32> {
        if let Some(place) = name.strip_prefix(LITERAL) {
            return place.split('.').next()?.parse().ok();
        }
        let declared = self.of_file(file);
        let before = declared.partition_point(|(line, _)| *line <= first);
        let name = name.rsplit('.').next();
        declared[..before].last().filter(|(_, text)| function_of(text) == name).map(|(line, _)| *line)
    }

    /// Returns the name with its type, as Go prints it: `(*Stack).Push`, `Stack.Len`.
    pub(super) fn name(&mut self, file: &str, name: &str, line: Option<u32>) -> String {
        // The description may have the type, but none with parameters.
        let (described, name) = match name.rsplit_once('.') {
            Some((described, name)) if !described.starts_with(LITERAL) => (Some(described), name),
            _ => (None, name),
        };
        let declared = self.of_file(file);
        let declared_index = line.and_then(|line| declared.binary_search_by_key(&line, |(l, _)| *l).ok());
        let receiver =
            declared_index.and_then(|index| receiver_of(&declared[index].1)).or(described.map(str::to_owned));
        match receiver {
            Some(receiver) if receiver.starts_with('*') => format!("({receiver}).{name}"),
            Some(receiver) => format!("{receiver}.{name}"),
            None => name.to_owned(),
        }
    }

    fn of_file(&mut self, file: &str) -> &[(u32, String)] {
        let sources = self.sources;
        self.by_file.entry(file.to_owned()).or_insert_with(|| {
            let text = sources(file).unwrap_or_default();
            let declared = text.lines().zip(1..).filter(|(line, _)| line.starts_with("func "));
            declared
                .map(|(line, number)| (number, line[..line.floor_char_boundary(LONGEST)].to_owned()))
                .collect()
        })
    }
}

/// Returns what stands between the receiver's parentheses, and what follows them.
fn split(declaration: &str) -> Option<(Option<&str>, &str)> {
    let rest = declaration.strip_prefix("func ")?.trim_start();
    let Some(rest) = rest.strip_prefix('(') else { return Some((None, rest)) };
    let (receiver, rest) = rest.split_once(')')?;
    Some((Some(receiver), rest.trim_start()))
}

fn function_of(declaration: &str) -> Option<&str> {
    let (_, rest) = split(declaration)?;
    rest.split(['(', '[']).next().map(str::trim)
}

/// Returns the type of the receiver, without type parameters: `*Stack`.
fn receiver_of(declaration: &str) -> Option<String> {
    let receiver = split(declaration)?.0?;
    let typed = receiver.split('[').next()?.trim();
    let typed = typed.rsplit([' ', '\t']).next()?;
    let (star, name) = typed.strip_prefix('*').map_or(("", typed), |name| ("*", name));
    (!name.is_empty()).then(|| format!("{star}{name}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn methods_have_the_type_of_their_receiver() {
        let text = "package a\n\nfunc (s *Stack[T]) Push(x T) {\n\ts.x()\n}\nfunc (Stack) Len() int { return 0 }\nfunc Map[T any](f func() T) {\n";
        let sources = |_: &str| Some(text.to_owned());
        let mut declarations = Declarations::new(&sources);
        let mut named = |name: &str, first: u32| {
            let line = declarations.line("a.go", name, first);
            (line, declarations.name("a.go", name, line))
        };
        assert_eq!(named("Push", 4), (Some(3), "(*Stack).Push".to_owned()));
        assert_eq!(named("Len", 6), (Some(6), "Stack.Len".to_owned()));
        assert_eq!(named("*Stack.Push", 4), (Some(3), "(*Stack).Push".to_owned()));
        assert_eq!(named("*Gone.Push", 1), (None, "(*Gone).Push".to_owned()));
        assert_eq!(named("Map", 8), (Some(7), "Map".to_owned()));
        assert_eq!(named("other", 8), (None, "other".to_owned()));
        assert_eq!(named("func.L8.C9", 8), (Some(8), "func.L8.C9".to_owned()));
    }
}
