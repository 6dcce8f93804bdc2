//! Recipes as text, in files and messages.
//!
//! ```text
//!   "text"               bytes; \n \r \t \\ \" \xNN
//!   "["×n  (…)×n         repetitions; ×√n: the square root of that. * stands for × as well
//!   {up} {down:letters}  a key: its order, and its form unless it is a decimal number
//! ```

use std::fmt::{self, Write as _};
use std::str::FromStr;

use crate::{Form, Key, Order, Part, Recipe, Times};

/// First line of a recipe's file.
const HEADER: &str = "trend-prof recipe 1";

/// Names of the forms without a factor.
const FORMS: [(Form, &str); 6] = [
    (Form::Number(1), "number"),
    (Form::Padded, "padded"),
    (Form::Letters, "letters"),
    (Form::Rearranged, "rearranged"),
    (Form::Hash31, "hash31"),
    (Form::Hash33, "hash33"),
];

/// Maximum depth of repetitions inside each other, more than any linear recipe has.
const DEEPEST: usize = 8;

/// Reason why a text is not a recipe. It completes "failed to read the recipe: …".
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{what} at character {at}")]
pub struct RecipeError {
    /// Description of the mistake.
    pub what: String,
    /// Number of characters before it.
    pub at: usize,
}

impl Recipe {
    /// Returns the text of a file with the recipe, with lines of comments.
    pub fn file(&self, comments: &[String]) -> String {
        let mut text = format!("{HEADER}\n");
        for line in comments.iter().flat_map(|comment| comment.lines()) {
            let _ = writeln!(text, "# {line}");
        }
        let _ = writeln!(text, "{self}");
        text
    }

    /// Reads a file. Returns `None` if the file is not a recipe's.
    pub fn read(file: &[u8]) -> Option<Result<Self, RecipeError>> {
        let text = file.strip_prefix(HEADER.as_bytes())?;
        let Ok(text) = std::str::from_utf8(text) else {
            return Some(Err(RecipeError { what: "a byte that is not UTF-8".to_owned(), at: 0 }));
        };
        let lines = text.lines().filter(|line| !line.trim_start().starts_with('#'));
        Some(lines.collect::<Vec<_>>().join("\n").parse())
    }
}

impl fmt::Display for Recipe {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_parts(&self.parts, f)
    }
}

fn write_parts(parts: &[Part], f: &mut fmt::Formatter<'_>) -> fmt::Result {
    for (i, part) in parts.iter().enumerate() {
        if i > 0 {
            f.write_str(" ")?;
        }
        match part {
            Part::Text(bytes) => write_text(bytes, f)?,
            Part::Key(Key { order, form }) => write!(f, "{{{order}{form}}}")?,
            Part::Repeat(times, parts) => {
                match parts.as_slice() {
                    [Part::Text(bytes)] => write_text(bytes, f)?,
                    parts => {
                        f.write_str("(")?;
                        write_parts(parts, f)?;
                        f.write_str(")")?;
                    }
                }
                f.write_str(if *times == Times::All { "×n" } else { "×√n" })?;
            }
        }
    }
    Ok(())
}

fn write_text(bytes: &[u8], f: &mut fmt::Formatter<'_>) -> fmt::Result {
    f.write_str("\"")?;
    for byte in bytes {
        match byte {
            b'\n' => f.write_str("\\n"),
            b'\r' => f.write_str("\\r"),
            b'\t' => f.write_str("\\t"),
            b'"' => f.write_str("\\\""),
            b'\\' => f.write_str("\\\\"),
            b' '..=b'~' => f.write_char(char::from(*byte)),
            other => write!(f, "\\x{other:02x}"),
        }?;
    }
    f.write_str("\"")
}

impl fmt::Display for Order {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Order::ALL.iter().filter(|(order, _)| order == self).try_for_each(|(_, name)| f.write_str(name))
    }
}

impl fmt::Display for Form {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(1) => Ok(()),
            Self::Number(factor) => write!(f, ":x{factor}"),
            _ => FORMS.iter().filter(|(form, _)| form == self).try_for_each(|(_, name)| write!(f, ":{name}")),
        }
    }
}

impl FromStr for Recipe {
    type Err = RecipeError;

    fn from_str(text: &str) -> Result<Self, RecipeError> {
        let mut reader = Reader { rest: text.chars().peekable(), at: 0 };
        let parts = reader.parts(0)?;
        if reader.rest.peek().is_some() {
            return Err(reader.wrong("`)` without `(`"));
        }
        Self::new(parts).ok_or_else(|| {
            reader
                .wrong("the input does not grow linearly: repeat one part `×n`, or nest one `×√n` in another")
        })
    }
}

struct Reader<'t> {
    rest: std::iter::Peekable<std::str::Chars<'t>>,
    at: usize,
}

impl Reader<'_> {
    fn next(&mut self) -> Option<char> {
        self.at += 1;
        self.rest.next()
    }

    fn wrong(&self, what: impl Into<String>) -> RecipeError {
        RecipeError { what: what.into(), at: self.at }
    }

    fn skip_space(&mut self) {
        while self.rest.peek().is_some_and(|c| c.is_whitespace()) {
            self.next();
        }
    }

    /// Reads parts up to `)` or the end.
    fn parts(&mut self, depth: usize) -> Result<Vec<Part>, RecipeError> {
        let mut parts = Vec::new();
        if depth > DEEPEST {
            return Err(self.wrong("too many parentheses"));
        }
        loop {
            self.skip_space();
            let part = match self.rest.peek() {
                None | Some(')') => return Ok(parts),
                Some('"') => vec![Part::Text(self.text()?)],
                Some('{') => vec![Part::Key(self.key()?)],
                Some('(') => {
                    self.next();
                    let inner = self.parts(depth + 1)?;
                    if self.next() != Some(')') {
                        return Err(self.wrong("`(` without `)`"));
                    }
                    inner
                }
                Some(other) => {
                    let what = format!("`{other}` is not a part");
                    return Err(self.wrong(what));
                }
            };
            match self.times()? {
                Some(times) => parts.push(Part::Repeat(times, part)),
                None => parts.extend(part),
            }
        }
    }

    fn times(&mut self) -> Result<Option<Times>, RecipeError> {
        self.skip_space();
        if !matches!(self.rest.peek(), Some('×' | '*')) {
            return Ok(None);
        }
        self.next();
        self.skip_space();
        match self.next() {
            Some('n') => Ok(Some(Times::All)),
            Some('√') if self.next() == Some('n') => Ok(Some(Times::Root)),
            _ => Err(self.wrong("`×` without `n` or `√n`")),
        }
    }

    fn text(&mut self) -> Result<Vec<u8>, RecipeError> {
        let mut bytes = Vec::new();
        self.next();
        loop {
            let c = self.next().ok_or_else(|| self.wrong("an unterminated text"))?;
            match c {
                '"' => return Ok(bytes),
                '\\' => bytes.push(self.escaped()?),
                c => bytes.extend(c.encode_utf8(&mut [0; 4]).bytes()),
            }
        }
    }

    fn escaped(&mut self) -> Result<u8, RecipeError> {
        match self.next() {
            Some('n') => Ok(b'\n'),
            Some('r') => Ok(b'\r'),
            Some('t') => Ok(b'\t'),
            Some(c @ ('"' | '\\')) => Ok(c as u8),
            Some('x') => {
                let mut digit = || self.next().and_then(|c| c.to_digit(16));
                let byte = digit().zip(digit()).map(|(high, low)| (high * 16 + low) as u8);
                byte.ok_or_else(|| self.wrong("`\\x` without two digits"))
            }
            _ => Err(self.wrong("an unknown escape")),
        }
    }

    fn key(&mut self) -> Result<Key, RecipeError> {
        self.next();
        let mut word = String::new();
        loop {
            match self.next() {
                Some('}') => break,
                Some(c) => word.push(c),
                None => return Err(self.wrong("`{` without `}`")),
            }
        }
        let (order, form) = word.split_once(':').unwrap_or((&word, "number"));
        let of_name = |name: &str| FORMS.iter().find(|(_, text)| *text == name).map(|(form, _)| *form);
        let form = match form.strip_prefix('x').and_then(|factor| factor.parse().ok()) {
            Some(factor) => Some(Form::Number(factor)),
            None => of_name(form),
        };
        let order = Order::ALL.iter().find(|(_, text)| *text == order).map(|(order, _)| *order);
        let key = order.zip(form).map(|(order, form)| Key { order, form });
        key.ok_or_else(|| self.wrong(format!("`{{{word}}}` is not a key")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_recipe_reads_as_it_is_written() {
        let texts = [
            r#""a\"b\\\n\xff" ">"×n ("*" {up} {down:letters} "\n")×n "end""#,
            r#"("a"×√n {zigzag:x65536} "\n")×√n"#,
            r#"({shuffled:hash33} " ")×n {up:rearranged}"#,
        ];
        for text in texts {
            let recipe: Recipe = text.parse().unwrap();
            assert_eq!(recipe.to_string(), text);
            let file = recipe.file(&["a comment\nof two lines".to_owned()]);
            assert_eq!(Recipe::read(file.as_bytes()), Some(Ok(recipe)));
        }
        assert_eq!(r#" "["  *n "é" "#.parse::<Recipe>().unwrap().input(2), "[[é".as_bytes());
        assert_eq!(Recipe::read(b"[1, 2]"), None);
    }

    #[test]
    fn wrong_texts_say_what_is_wrong_and_where() {
        let error = |text: &str| text.parse::<Recipe>().unwrap_err().to_string();
        assert_eq!(error(r#""a"×m"#), "`×` without `n` or `√n` at character 5");
        assert_eq!(error(r#""a"#), "an unterminated text at character 3");
        assert_eq!(error("{left}"), "`{left}` is not a key at character 6");
        assert!(error(r#""a""#).starts_with("the input does not grow"));
        assert!(error(r#"("a"×n)×n"#).starts_with("the input does not grow"));
        assert!(error(&"(".repeat(99)).starts_with("too many parentheses"));
    }
}
