//! Templates: texts with placeholders such as `{input}` and `{n}`. `{{` and `}}` stand for braces.
//!
//! Braces that do not contain a name are literal text, as in `awk '{s += $1}'`. A template with such braces is code,
//! and unknown names in it are literal text as well, as in `awk '{s += $1} END {print}'`.
//!
//! Templates are bytes, because commands and file names need not be UTF-8.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt, OsStringExt};

use trend_profile::CommandPiece;

use super::parameter::is_parameter_name;

/// Name of the input file's placeholder.
pub(crate) const INPUT: &str = "input";

#[derive(Clone, Debug, PartialEq, Eq)]
enum Piece {
    Literal(Vec<u8>),
    Placeholder(String),
}

/// A text with placeholders.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Template {
    pieces: Vec<Piece>,
    /// True if some braces do not contain a name.
    is_code: bool,
}

/// The values of the placeholders in one workload.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fill<'a> {
    pub(crate) input: Option<&'a OsStr>,
    pub(crate) parameters: &'a [(String, String)],
}

impl Template {
    /// Parses a template.
    pub fn parse(text: &OsStr) -> Self {
        let bytes = text.as_bytes();
        let mut pieces = Vec::new();
        let mut literal = Vec::new();
        let mut is_code = false;
        let mut at = 0;
        while at < bytes.len() {
            match bytes[at] {
                brace @ (b'{' | b'}') if bytes.get(at + 1) == Some(&brace) => {
                    literal.push(brace);
                    at += 2;
                }
                b'{' => {
                    let rest = &bytes[at + 1..];
                    let end = rest.iter().position(|b| *b == b'}');
                    let Some(name) = end.and_then(|end| name(&rest[..end])) else {
                        // A brace without a partner is text, as in `awk {`.
                        is_code |= end.is_some();
                        literal.push(b'{');
                        at += 1;
                        continue;
                    };
                    at += name.len() + 2;
                    if !literal.is_empty() {
                        pieces.push(Piece::Literal(std::mem::take(&mut literal)));
                    }
                    pieces.push(Piece::Placeholder(name));
                }
                other => {
                    literal.push(other);
                    at += 1;
                }
            }
        }
        if !literal.is_empty() {
            pieces.push(Piece::Literal(literal));
        }
        Self { pieces, is_code }
    }

    /// Creates a template without placeholders.
    pub fn literal(text: &OsStr) -> Self {
        Self { pieces: vec![Piece::Literal(text.as_bytes().to_vec())], is_code: false }
    }

    /// Returns true if some braces do not contain a name. The text is then code, and unknown names are literal text.
    pub(crate) fn is_code(&self) -> bool {
        self.is_code
    }

    /// Returns the names of the placeholders.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.pieces.iter().filter_map(|piece| match piece {
            Piece::Literal(_) => None,
            Piece::Placeholder(name) => Some(name.as_str()),
        })
    }

    /// Returns the first placeholder that is neither known nor literal text.
    pub(crate) fn unknown(&self, placeholders: &[String]) -> Option<&str> {
        self.names().find(|name| !self.is_code && !placeholders.iter().any(|k| k == name))
    }

    /// Returns the pieces, lossily decoded.
    pub(crate) fn pieces(&self) -> Vec<CommandPiece> {
        let piece = |piece: &Piece| match piece {
            Piece::Literal(bytes) => CommandPiece::Text(String::from_utf8_lossy(bytes).into_owned()),
            Piece::Placeholder(name) => CommandPiece::Placeholder(name.clone()),
        };
        self.pieces.iter().map(piece).collect()
    }

    /// Returns the template's source text, lossily decoded.
    pub fn text(&self) -> String {
        self.text_with(|_| true)
    }

    /// Returns the template's source text. Placeholders for which `is_placeholder` is false become literal text.
    pub(crate) fn text_with(&self, is_placeholder: impl Fn(&str) -> bool) -> String {
        let piece = |piece: &Piece| match piece {
            Piece::Literal(bytes) => String::from_utf8_lossy(bytes).replace('{', "{{").replace('}', "}}"),
            Piece::Placeholder(name) if is_placeholder(name) => format!("{{{name}}}"),
            Piece::Placeholder(name) => format!("{{{{{name}}}}}"),
        };
        self.pieces.iter().map(piece).collect()
    }

    /// Returns true if the template contains the input file's placeholder.
    pub(crate) fn uses_input(&self) -> bool {
        self.uses(INPUT)
    }

    /// Returns true if the template contains this placeholder.
    pub(crate) fn uses(&self, name: &str) -> bool {
        self.names().any(|n| n == name)
    }

    /// Fills in all placeholders. If there is no input, `{input}` stays, for display.
    pub(crate) fn fill(&self, fill: Fill<'_>) -> OsString {
        let mut text = Vec::new();
        for piece in &self.pieces {
            match piece {
                Piece::Literal(bytes) => text.extend_from_slice(bytes),
                Piece::Placeholder(name) if name == INPUT => {
                    text.extend_from_slice(fill.input.map_or(b"{input}", OsStrExt::as_bytes));
                }
                Piece::Placeholder(name) => {
                    let value = fill.parameters.iter().find(|(n, _)| n == name);
                    match value {
                        Some((_, value)) => text.extend_from_slice(value.as_bytes()),
                        None if self.is_code => text.extend_from_slice(format!("{{{name}}}").as_bytes()),
                        None => {}
                    }
                }
            }
        }
        OsString::from_vec(text)
    }
}

/// Returns the name between braces if a parameter can have it.
fn name(bytes: &[u8]) -> Option<String> {
    let name = std::str::from_utf8(bytes).ok()?;
    is_parameter_name(name).then(|| name.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn filled(text: &str) -> OsString {
        let parameters = [("n".to_owned(), "60".to_owned())];
        let fill = Fill { input: Some(OsStr::from_bytes(b"a \xff.txt")), parameters: &parameters };
        Template::parse(OsStr::new(text)).fill(fill)
    }

    #[test]
    fn placeholders_are_filled_in_and_double_braces_are_braces() {
        assert_eq!(filled("--n={n}"), "--n=60");
        assert_eq!(filled("{{n}}{n}"), "{n}60");
        assert_eq!(filled("awk {"), "awk {");
        assert_eq!(filled("{s += $1} END {print} {n}"), "{s += $1} END {print} 60");
        assert_eq!(filled("find -exec {} ;"), "find -exec {} ;");
        assert_eq!(filled("{input}").as_bytes(), b"a \xff.txt");
    }

    #[test]
    fn an_unknown_placeholder_is_named() {
        let unknown = |text: &str| {
            let placeholders = ["input".to_owned(), "n".to_owned()];
            Template::parse(OsStr::new(text)).unknown(&placeholders).map(str::to_owned)
        };
        assert_eq!(unknown("{n} {m}").as_deref(), Some("m"));
        assert_eq!(unknown("{input} {n} {{m}} {}"), None);
        assert_eq!(unknown("{s += $1} {m}"), None);
    }

    #[test]
    fn a_text_is_read_as_it_was_written() {
        for text in ["{n} {{m}}", "{s += $1} {n}", "a{b c}d", "{{", "}"] {
            let template = Template::parse(OsStr::new(text));
            let again = Template::parse(OsStr::new(&template.text()));
            assert_eq!(again.text(), template.text(), "{text}");
        }
    }
}
