//! Parses the text of formulas into definitions.

use super::expression::{Definition, Expression, FormulaError, Kind, Operator, Position};

/// Maximum number of operations in a formula. Its parts are nested, and dropping them is recursive.
const MOST_OPERATIONS: usize = 1000;

/// Maximum nesting depth of parentheses.
const MOST_DEPTH: usize = 64;

/// Parses the definitions of a text, in its order.
pub(super) fn definitions(text: &str) -> Result<Vec<Definition>, FormulaError> {
    let mut begun: Vec<Vec<Token<'_>>> = Vec::new();
    for (i, line) in text.lines().enumerate() {
        let line_number = i + 1;
        let tokens = tokens(line, line_number)?;
        if tokens.is_empty() {
            continue;
        }
        if line.starts_with([' ', '\t']) {
            let what = "begins with a space, but there is no formula above to continue";
            let place = Position { line: line_number, column: 1 };
            begun.last_mut().ok_or_else(|| place.error(what))?.extend(tokens);
        } else {
            begun.push(tokens);
        }
    }
    begun.iter().map(|tokens| Parser { tokens, next: 0, operations: 0 }.definition()).collect()
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum What<'a> {
    Number(f64),
    Name(&'a str),
    Sign(char),
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct Token<'a> {
    place: Position,
    text: &'a str,
    what: What<'a>,
}

impl Token<'_> {
    /// Returns the place just after the token.
    fn end(&self) -> Position {
        Position { column: self.place.column + self.text.chars().count(), ..self.place }
    }
}

/// Splits a line into tokens, up to a comment.
fn tokens(line: &str, number: usize) -> Result<Vec<Token<'_>>, FormulaError> {
    let mut tokens = Vec::new();
    let mut rest = line;
    let mut column = 1;
    while let Some(first) = rest.chars().next() {
        let length = match first {
            '#' => break,
            c if is_of_name(c) && !c.is_ascii_digit() => length_of_name(rest),
            '0'..='9' | '.' => length_of_number(rest),
            c => c.len_utf8(),
        };
        let (text, behind) = rest.split_at(length);
        let place = Position { line: number, column };
        if !first.is_whitespace() {
            let what = match first {
                c if is_of_name(c) && !c.is_ascii_digit() => What::Name(text),
                '0'..='9' | '.' => {
                    let parsed: Option<f64> = text.parse().ok().filter(|number: &f64| number.is_finite());
                    What::Number(parsed.ok_or_else(|| place.error(format!("`{text}` is not a number")))?)
                }
                '·' | '×' => What::Sign('*'),
                '−' => What::Sign('-'),
                c => What::Sign(c),
            };
            tokens.push(Token { place, text, what });
        }
        column += text.chars().count();
        rest = behind;
    }
    Ok(tokens)
}

fn is_of_name(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

fn length_of(text: &str, is_part: impl Fn(char) -> bool) -> usize {
    text.find(|c| !is_part(c)).unwrap_or(text.len())
}

/// Returns the length of a name, which may contain points between its parts.
fn length_of_name(text: &str) -> usize {
    let mut length = length_of(text, is_of_name);
    while let Some(behind) = text[length..].strip_prefix('.')
        && behind.starts_with(char::is_alphabetic)
    {
        length += 1 + length_of(behind, is_of_name);
    }
    length
}

/// Returns the length of a number: digits, points, and an exponent with its sign.
fn length_of_number(text: &str) -> usize {
    let digits = length_of(text, |c| c.is_ascii_digit() || c == '.');
    let Some(exponent) = text[digits..].strip_prefix(['e', 'E']) else { return digits };
    let sign = usize::from(exponent.starts_with(['+', '-']));
    match length_of(&exponent[sign..], |c| c.is_ascii_digit()) {
        0 => digits,
        length => digits + 1 + sign + length,
    }
}

/// Parses one definition; each step takes tokens from the front.
struct Parser<'a> {
    tokens: &'a [Token<'a>],
    next: usize,
    operations: usize,
}

impl<'a> Parser<'a> {
    fn definition(mut self) -> Result<Definition, FormulaError> {
        let place = self.place();
        let name = self.name("a name to define")?.to_owned();
        let mut parameters: Vec<String> = Vec::new();
        if self.takes('(') {
            loop {
                let place = self.place();
                let parameter = self.name("the name of a parameter")?;
                if parameters.iter().any(|other| other == parameter) {
                    return Err(place.error(format!("`{parameter}` is already a parameter")));
                }
                parameters.push(parameter.to_owned());
                if !self.takes(',') {
                    break;
                }
            }
            self.expect(')')?;
        }
        self.expect('=')?;
        let is = self.sum(0)?;
        if self.next < self.tokens.len() {
            return Err(self.unexpected("an operator or the end of the line"));
        }
        Ok(Definition { place, name, parameters, is })
    }

    fn sum(&mut self, depth: usize) -> Result<Expression, FormulaError> {
        let signs = [('+', Operator::Add), ('-', Operator::Subtract)];
        self.chain(&signs, |parser| parser.product(depth))
    }

    fn product(&mut self, depth: usize) -> Result<Expression, FormulaError> {
        let signs = [('*', Operator::Multiply), ('/', Operator::Divide)];
        self.chain(&signs, |parser| parser.signed(depth))
    }

    /// Parses operations of the same precedence, from left to right.
    fn chain(
        &mut self,
        signs: &[(char, Operator)],
        part: impl Fn(&mut Self) -> Result<Expression, FormulaError>,
    ) -> Result<Expression, FormulaError> {
        let mut left = part(self)?;
        loop {
            let place = self.place();
            let Some((_, operator)) = signs.iter().find(|(sign, _)| self.takes(*sign)) else {
                return Ok(left);
            };
            left = self.operation(place, *operator, left, &part)?;
        }
    }

    /// Parses `-x`, which binds less tightly than a power.
    fn signed(&mut self, depth: usize) -> Result<Expression, FormulaError> {
        let place = self.deeper(depth)?;
        if self.takes('-') {
            let inner = Box::new(self.signed(depth + 1)?);
            return Ok(Expression { place, kind: Kind::Negative(inner) });
        }
        let base = self.single(depth)?;
        let place = self.place();
        if self.takes('^') {
            return self.operation(place, Operator::Power, base, |parser| parser.signed(depth + 1));
        }
        Ok(base)
    }

    fn operation(
        &mut self,
        place: Position,
        operator: Operator,
        left: Expression,
        right: impl Fn(&mut Self) -> Result<Expression, FormulaError>,
    ) -> Result<Expression, FormulaError> {
        self.operations += 1;
        if self.operations > MOST_OPERATIONS {
            return Err(place.error(format!("has more than {MOST_OPERATIONS} operations; name parts of it")));
        }
        let sides = Box::new([left, right(self)?]);
        Ok(Expression { place, kind: Kind::Operation(operator, sides) })
    }

    fn single(&mut self, depth: usize) -> Result<Expression, FormulaError> {
        let place = self.place();
        if self.takes('(') {
            let inner = self.sum(depth + 1)?;
            self.expect(')')?;
            return Ok(inner);
        }
        let kind = match self.peek() {
            Some(What::Number(number)) => Kind::Number(number),
            Some(What::Name(name)) => Kind::Name(name.to_owned()),
            _ => return Err(self.unexpected("a number, a name or `(`")),
        };
        self.next += 1;
        let kind = match kind {
            Kind::Name(name) if self.takes('(') => {
                let mut arguments = vec![self.sum(depth + 1)?];
                while self.takes(',') {
                    arguments.push(self.sum(depth + 1)?);
                }
                self.expect(')')?;
                Kind::Call(name, arguments)
            }
            kind => kind,
        };
        Ok(Expression { place, kind })
    }

    fn deeper(&self, depth: usize) -> Result<Position, FormulaError> {
        let place = self.place();
        if depth >= MOST_DEPTH { Err(place.error("parentheses are nested too deeply")) } else { Ok(place) }
    }

    fn name(&mut self, what: &str) -> Result<&'a str, FormulaError> {
        let Some(What::Name(name)) = self.peek() else { return Err(self.unexpected(what)) };
        self.next += 1;
        Ok(name)
    }

    fn expect(&mut self, sign: char) -> Result<(), FormulaError> {
        if self.takes(sign) { Ok(()) } else { Err(self.unexpected(&format!("`{sign}`"))) }
    }

    fn takes(&mut self, sign: char) -> bool {
        let is_it = self.peek() == Some(What::Sign(sign));
        self.next += usize::from(is_it);
        is_it
    }

    fn peek(&self) -> Option<What<'a>> {
        self.tokens.get(self.next).map(|token| token.what)
    }

    /// Returns the place of the next token, or the end of the last one.
    fn place(&self) -> Position {
        let start = Position { line: 1, column: 1 };
        let end = || self.tokens.last().map_or(start, Token::end);
        self.tokens.get(self.next).map_or_else(end, |token| token.place)
    }

    fn unexpected(&self, expected: &str) -> FormulaError {
        let actual =
            self.tokens.get(self.next).map_or("the end".to_owned(), |token| format!("`{}`", token.text));
        self.place().error(format!("expected {expected}, not {actual}"))
    }
}
