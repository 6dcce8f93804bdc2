//! Parses polynomials from a program's arithmetic: `n`, `n - 1`, `(lo + hi) / 2`, `m.rows`.

use super::polynomial::{Atom, Polynomial, Rounding};
use super::rational::Rational;

/// Maximum nesting depth of parentheses and signs, and maximum number of divisions, which may be nested as well.
/// Arithmetic in programs is never nested deeper, and deeper text would overflow the stack.
const DEEPEST: usize = 32;

/// Maximum number of terms of a product. Each factor in parentheses may double them.
const MOST_TERMS: usize = 1000;

impl Polynomial {
    /// Parses sums, differences, products and quotients of integers and names, where `/` rounds down. A name can have
    /// fields and arguments, such as `m.rows`, `p->next` and `len(row(v))`. Returns `None` for any other text, and for
    /// text that is nested more than 32 times, has more than 32 divisions or a product of more than 1,000 terms.
    pub fn parse(text: &str) -> Option<Self> {
        let mut parser = Parser { rest: text.trim(), depth: 0, divisions: 0 };
        let sum = parser.sum()?;
        parser.rest.is_empty().then_some(sum)
    }
}

struct Parser<'a> {
    /// The text that is not parsed yet, without leading spaces.
    rest: &'a str,
    /// Number of parentheses and signs around the next factor.
    depth: usize,
    /// Number of divisions so far.
    divisions: usize,
}

impl Parser<'_> {
    /// Skips a sign, if it comes next.
    fn skip(&mut self, sign: char) -> bool {
        let Some(rest) = self.rest.strip_prefix(sign) else { return false };
        self.rest = rest.trim_start();
        true
    }

    /// Parses the inside of parentheses, or the operand of a sign. Returns `None` if it is nested too deeply.
    fn nested(&mut self, parse: fn(&mut Self) -> Option<Polynomial>) -> Option<Polynomial> {
        if self.depth == DEEPEST {
            return None;
        }
        self.depth += 1;
        let polynomial = parse(self)?;
        self.depth -= 1;
        Some(polynomial)
    }

    fn sum(&mut self) -> Option<Polynomial> {
        let mut sum = self.product()?;
        loop {
            if self.skip('+') {
                sum = sum.plus(&self.product()?)?;
            } else if !self.rest.starts_with("->") && self.skip('-') {
                sum = sum.minus(&self.product()?)?;
            } else {
                return Some(sum);
            }
        }
    }

    fn product(&mut self) -> Option<Polynomial> {
        let mut product = self.factor()?;
        loop {
            if self.skip('*') {
                let factor = self.factor()?;
                if product.terms().count() * factor.terms().count() > MOST_TERMS {
                    return None;
                }
                product = product.times(&factor)?;
            } else if self.skip('/') {
                let divisor = self.factor()?;
                self.divisions += 1;
                if self.divisions > DEEPEST {
                    return None;
                }
                product = Polynomial::atom(Atom::Quotient {
                    numerator: Box::new(product),
                    divisor: Box::new(divisor),
                    rounding: Rounding::Down,
                });
            } else {
                return Some(product);
            }
        }
    }

    fn factor(&mut self) -> Option<Polynomial> {
        if self.skip('(') {
            let sum = self.nested(Self::sum)?;
            return self.skip(')').then_some(sum);
        }
        if self.skip('-') {
            return self.nested(Self::factor)?.scaled(Rational::integer(-1));
        }
        let digits = self.rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(self.rest.len());
        if digits > 0 {
            let number = self.rest[..digits].parse().ok()?;
            self.rest = self.rest[digits..].trim_start();
            return Some(Polynomial::integer(number));
        }
        self.name()
    }

    fn name(&mut self) -> Option<Polynomial> {
        let is_letter = |c: char| c.is_alphanumeric() || c == '_';
        if !self.rest.starts_with(|c: char| c.is_alphabetic() || c == '_') {
            return None;
        }
        let mut end = 0;
        loop {
            let word = &self.rest[end..];
            end += word.find(|c: char| !is_letter(c)).unwrap_or(word.len());
            let after = &self.rest[end..];
            // A field, a path, a call, or an element.
            let joint = [".", "->", "::"].into_iter().find(|joint| after.starts_with(joint));
            if let Some(joint) = joint {
                end += joint.len();
            } else if after.starts_with(['(', '[']) {
                end += bracketed_length(after)?;
                if !self.rest[end..].starts_with(['.', '-', ':', '[']) {
                    break;
                }
            } else {
                break;
            }
        }
        let name = Polynomial::name(&self.rest[..end]);
        self.rest = self.rest[end..].trim_start();
        Some(name)
    }
}

/// Returns the length of the brackets at the start of a text, up to the one that closes the first. Returns `None` if
/// they are not balanced.
fn bracketed_length(text: &str) -> Option<usize> {
    let mut closing = Vec::new();
    for (position, c) in text.char_indices() {
        match c {
            '(' => closing.push(')'),
            '[' => closing.push(']'),
            ')' | ']' => {
                if closing.pop() != Some(c) {
                    return None;
                }
                if closing.is_empty() {
                    return Some(position + 1);
                }
            }
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arithmetic_of_programs_is_read() {
        let read = |text: &str| Polynomial::parse(text).map_or("none".to_owned(), |one| one.to_string());
        assert_eq!(read("n"), "n");
        assert_eq!(read("n - 1"), "n − 1");
        assert_eq!(read("2*(n+1)"), "2n + 2");
        assert_eq!(read("n / 2"), "⌊n/2⌋");
        assert_eq!(read("(lo + hi)/2"), "⌊(hi + lo)/2⌋");
        assert_eq!(read("-3"), "−3");
        assert_eq!(read("m.rows * p->count"), "m.rows·p->count");
        assert_eq!(read("len(v) - 1"), "len(v) − 1");
        assert_eq!(read("v.len()"), "v.len()");
        assert_eq!(read("max(f(n),v[i[0]]) - 1"), "max(f(n),v[i[0]]) − 1");
        assert_eq!(read("m.row(f(i)).len() * 2"), "2·m.row(f(i)).len()");
        for bad in ["", "n -", "n & 1", "f(", "(n", "n)", "3n", "\"x\"", "f(g(n)", "f(v[0)]", "f(n))"] {
            assert_eq!(read(bad), "none", "{bad}");
        }
    }

    #[test]
    fn arithmetic_is_read_up_to_a_depth_and_hostile_text_overflows_no_stack() {
        let negated = |times: usize| Polynomial::parse(&("-".repeat(times) + "n"));
        assert_eq!(negated(32), Some(Polynomial::name("n")));
        assert_eq!(negated(33), None);
        let in_parentheses =
            |times: usize| Polynomial::parse(&format!("{}n{}", "(".repeat(times), ")".repeat(times)));
        assert_eq!(in_parentheses(32), Some(Polynomial::name("n")));
        assert_eq!(in_parentheses(33), None);
        let divided = |times: usize| Polynomial::parse(&("n".to_owned() + &"/2".repeat(times)));
        assert!(divided(32).is_some() && divided(33).is_none());
        let factors: Vec<String> = (0..30).map(|i| format!("(a{i} + b{i})")).collect();
        assert!(Polynomial::parse(&factors[..9].join(" * ")).is_some());
        assert_eq!(Polynomial::parse(&factors.join(" * ")), None);
        for hostile in ["(", "-", "- ", "(-", "f(", "f(-", "n/", "n/-", "v["] {
            assert_eq!(Polynomial::parse(&hostile.repeat(100_000)), None, "{hostile}");
        }
    }
}
