//! Splits JavaScript and TypeScript into tokens, as far as finding places needs it.
//!
//! Any text has tokens: an invalid program gives tokens with another meaning, but never an error.

/// Kind of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// An identifier, keyword or number.
    Word,
    /// A string, regular expression, or the parts of a template outside of `${…}`.
    Literal,
    /// Punctuation.
    Sign,
}

/// A token and its position.
#[derive(Clone, Copy, Debug)]
pub(super) struct Token<'a> {
    pub(super) kind: Kind,
    pub(super) text: &'a str,
    /// Offset in UTF-16 code units, as V8 counts.
    pub(super) offset: u32,
    /// Line of the token, from 1.
    pub(super) line: u32,
    /// Column in UTF-16 code units, 1-based.
    pub(super) column: u32,
}

/// Signs of several characters that differ in meaning from their parts; longer ones first.
const SIGNS: [&str; 17] = [
    "...", "&&=", "||=", "??=", "===", "!==", "=>", "&&", "||", "??", "?.", "++", "--", "==", "!=", "<=",
    ">=",
];

/// Reads tokens one after the other.
pub(super) struct Tokens<'a> {
    text: &'a str,
    at: usize,
    offset: u32,
    line: u32,
    /// Offset of the line's first character.
    line_start: u32,
}

impl<'a> Tokens<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        let mut tokens = Self { text, at: 0, offset: 0, line: 1, line_start: 0 };
        if text.starts_with("#!") {
            tokens.skip_to_line_end();
        }
        tokens
    }

    /// Reads the next token. `may_divide` is true if a `/` divides here, and false if it begins a regular expression.
    pub(super) fn next(&mut self, may_divide: bool) -> Option<Token<'a>> {
        self.skip_blanks();
        let (from, first) = (self.at, self.rest().chars().next()?);
        let (offset, line) = (self.offset, self.line);
        let column = offset - self.line_start + 1;
        let kind = match first {
            '\'' | '"' => {
                self.string(first);
                Kind::Literal
            }
            '`' => {
                self.advance(1);
                self.template();
                Kind::Literal
            }
            '/' if !may_divide && self.regex() => Kind::Literal,
            _ if is_word(first) => {
                let rest = self.rest();
                self.advance(rest.find(|c| !is_word(c)).unwrap_or(rest.len()));
                Kind::Word
            }
            _ => {
                let rest = self.rest();
                let sign = SIGNS.iter().find(|sign| rest.starts_with(**sign) && !is_conditional(rest));
                self.advance(sign.map_or(first.len_utf8(), |sign| sign.len()));
                Kind::Sign
            }
        };
        Some(Token { kind, text: &self.text[from..self.at], offset, line, column })
    }

    /// Continues a template after the `}` of a `${…}`. Returns true if another `${` follows.
    pub(super) fn resume_template(&mut self) -> bool {
        self.template();
        self.text[..self.at].ends_with("${")
    }

    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    /// Skips `bytes`, which must end at a character boundary.
    fn advance(&mut self, bytes: usize) {
        for c in self.rest()[..bytes].chars() {
            self.offset += c.len_utf16() as u32;
            if c == '\n' {
                self.line += 1;
                self.line_start = self.offset;
            }
        }
        self.at += bytes;
    }

    fn skip_to_line_end(&mut self) {
        let rest = self.rest();
        self.advance(rest.find('\n').unwrap_or(rest.len()));
    }

    fn skip_blanks(&mut self) {
        loop {
            let rest = self.rest();
            let blanks = rest.find(|c: char| !c.is_whitespace() && c != '\u{feff}').unwrap_or(rest.len());
            self.advance(blanks);
            let rest = self.rest();
            if rest.starts_with("//") {
                self.skip_to_line_end();
            } else if let Some(comment) = rest.strip_prefix("/*") {
                self.advance(comment.find("*/").map_or(rest.len(), |end| end + 4));
            } else {
                return;
            }
        }
    }

    /// Reads a string, which ends with its line at the latest.
    fn string(&mut self, quote: char) {
        let mut is_escaped = false;
        let end = self.rest().char_indices().skip(1).find(|&(_, c)| {
            let is_end = !is_escaped && (c == quote || c == '\n');
            is_escaped = !is_escaped && c == '\\';
            is_end
        });
        let length = end.map_or(self.rest().len(), |(at, c)| if c == '\n' { at } else { at + 1 });
        self.advance(length);
    }

    /// Reads a template up to its end, or up to and including the next `${`.
    fn template(&mut self) {
        let rest = self.rest();
        let mut is_escaped = false;
        for (at, c) in rest.char_indices() {
            if !is_escaped && c == '`' {
                return self.advance(at + 1);
            }
            if !is_escaped && rest[at..].starts_with("${") {
                return self.advance(at + 2);
            }
            is_escaped = !is_escaped && c == '\\';
        }
        self.advance(rest.len());
    }

    /// Reads a regular expression, or nothing if it does not end on its line.
    fn regex(&mut self) -> bool {
        let rest = self.rest();
        let (mut is_escaped, mut is_in_class) = (false, false);
        for (at, c) in rest.char_indices().skip(1) {
            match c {
                '\n' => return false,
                _ if is_escaped => {}
                '[' => is_in_class = true,
                ']' => is_in_class = false,
                '/' if !is_in_class => {
                    let flags = rest[at + 1..].find(|c| !is_word(c)).unwrap_or(rest.len() - at - 1);
                    self.advance(at + 1 + flags);
                    return true;
                }
                _ => {}
            }
            is_escaped = !is_escaped && c == '\\';
        }
        false
    }
}

fn is_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '_' | '$' | '#') || !c.is_ascii() && !c.is_whitespace()
}

/// Returns true for a `?` before a number: `a?.5:1`.
fn is_conditional(rest: &str) -> bool {
    rest.starts_with("?.") && rest[2..].starts_with(|c: char| c.is_ascii_digit())
}
