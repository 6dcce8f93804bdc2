//! Parses polynomials from a program's arithmetic: `n`, `n - 1`, `(lo + hi) / 2`, `m.rows`.

use super::polynomial::{Atom, Polynomial, Rounding};
use super::rational::Rational;

/// Maximum nesting depth; arguments in programs are never nested deeper.
const DEEPEST: usize = 32;

impl Polynomial {
    /// Parses sums, differences, products and quotients of integers and names, where `/` rounds down. A name can have
    /// fields and arguments, such as `m.rows`, `p->next` and `len(v)`. Returns `None` for any other text.
    pub fn parse(text: &str) -> Option<Self> {
        let mut parser = Parser { rest: text.trim(), depth: 0 };
        let sum = parser.sum()?;
        parser.rest.is_empty().then_some(sum)
    }
}

struct Parser<'a> {
    rest: &'a str,
    depth: usize,
}

impl Parser<'_> {
    /// Skips a sign, if it comes next.
    fn skip(&mut self, sign: char) -> bool {
        let Some(rest) = self.rest.strip_prefix(sign) else { return false };
        self.rest = rest.trim_start();
        true
    }

    fn sum(&mut self) -> Option<Polynomial> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return None;
        }
        let mut sum = self.product()?;
        loop {
            if self.skip('+') {
                sum = sum.plus(&self.product()?)?;
            } else if !self.rest.starts_with("->") && self.skip('-') {
                sum = sum.minus(&self.product()?)?;
            } else {
                self.depth -= 1;
                return Some(sum);
            }
        }
    }

    fn product(&mut self) -> Option<Polynomial> {
        let mut product = self.factor()?;
        loop {
            if self.skip('*') {
                product = product.times(&self.factor()?)?;
            } else if self.skip('/') {
                let divisor = self.factor()?;
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
            let sum = self.sum()?;
            return self.skip(')').then_some(sum);
        }
        if self.skip('-') {
            return self.factor()?.scaled(Rational::integer(-1));
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
            } else if let Some(open) = after.chars().next().filter(|c| ['(', '['].contains(c)) {
                end += after.find(if open == '(' { ')' } else { ']' })? + 1;
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
        for bad in ["", "n -", "n & 1", "f(", "(n", "n)", "3n", "\"x\""] {
            assert_eq!(read(bad), "none", "{bad}");
        }
        assert_eq!(Polynomial::parse(&"(".repeat(100_000)), None);
    }
}
