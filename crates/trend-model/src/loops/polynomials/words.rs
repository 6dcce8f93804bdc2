//! Formats polynomials: `½n² − ½n`, `n·m·p`, `⌈n/4⌉`, `⌊log₂ n⌋ + 1`.

use std::cmp::Reverse;
use std::fmt;

use super::polynomial::{Atom, Monomial, Name, Polynomial, Rounding};
use super::rational::Rational;

impl fmt::Display for Polynomial {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut terms: Vec<(&Monomial, Rational)> = self.terms().collect();
        let degree = |monomial: &Monomial| monomial.iter().map(|(_, power)| *power).sum::<u32>();
        let single = |monomial: &Monomial| monomial.iter().map(|(_, power)| *power).max();
        // A sum begins with a positive term.
        terms.sort_by_key(|(monomial, coefficient)| {
            (Reverse(degree(monomial)), Reverse(single(monomial)), coefficient.is_negative())
        });
        // Moves the first positive term to the front of a linear sum: `40 − n` for a loop that ends at a number.
        if terms.first().is_some_and(|(monomial, c)| degree(monomial) == 1 && c.is_negative())
            && let Some(added) = terms.iter().position(|(_, coefficient)| !coefficient.is_negative())
        {
            terms[..=added].rotate_right(1);
        }
        if terms.is_empty() {
            return f.write_str("0");
        }
        // Single names need no parentheses.
        if let Some(name) = self.as_name() {
            return f.write_str(name);
        }
        for (position, (monomial, coefficient)) in terms.into_iter().enumerate() {
            let is_negative = coefficient.is_negative();
            match (position, is_negative) {
                (0, false) => {}
                (0, true) => f.write_str("−")?,
                (_, false) => f.write_str(" + ")?,
                (_, true) => f.write_str(" − ")?,
            }
            let size = if is_negative { coefficient.negated().unwrap_or(coefficient) } else { coefficient };
            if monomial.is_empty() {
                write!(f, "{size}")?;
                continue;
            }
            if size != Rational::ONE {
                let text = size.to_string();
                if text.contains('/') {
                    write!(f, "({text})")?;
                } else {
                    f.write_str(&text)?;
                }
                // `2len(v)` could be read as one name; `2n` could not.
                if !is_letter(monomial) {
                    f.write_str("·")?;
                }
            }
            write_monomial(f, monomial)?;
        }
        Ok(())
    }
}

/// Returns true if a product begins with a single-letter name.
fn is_letter(monomial: &Monomial) -> bool {
    matches!(monomial.first(), Some((Atom::Name(name), _)) if name.chars().count() == 1)
}

fn write_monomial(f: &mut fmt::Formatter<'_>, monomial: &Monomial) -> fmt::Result {
    for (position, (atom, power)) in monomial.iter().enumerate() {
        if position > 0 {
            f.write_str("·")?;
        }
        write!(f, "{atom}")?;
        if *power > 1 {
            f.write_str(&superscript(*power))?;
        }
    }
    Ok(())
}

/// Formats a power as superscript: `²`.
pub fn superscript(power: u32) -> String {
    const DIGITS: [char; 10] = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];
    power.to_string().bytes().map(|digit| DIGITS[usize::from(digit - b'0')]).collect()
}

/// Formats the base of a logarithm as subscript: `₂`.
pub(crate) fn subscript(base: u32) -> String {
    const DIGITS: [char; 10] = ['₀', '₁', '₂', '₃', '₄', '₅', '₆', '₇', '₈', '₉'];
    base.to_string().bytes().map(|digit| DIGITS[usize::from(digit - b'0')]).collect()
}

impl fmt::Display for Atom {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let brackets = |rounding: &Rounding| match rounding {
            Rounding::Down => ("⌊", "⌋"),
            Rounding::Up => ("⌈", "⌉"),
        };
        let side = |one: &Polynomial| match (one.terms().len(), one.as_name()) {
            (1, Some(name)) => Self::Name(Name::clone(name)).to_string(),
            (0 | 1, _) => one.to_string(),
            _ => format!("({one})"),
        };
        let divisor_side = |one: &Polynomial| {
            let is_factor = one.as_name().is_some() || one.as_constant().is_some() || one.terms().len() > 1;
            if is_factor { side(one) } else { format!("({one})") }
        };
        match self {
            // Texts that are not plain names get parentheses.
            Self::Name(name) if name.contains([' ', '+', '*', '−', '/']) => write!(f, "({name})"),
            Self::Name(name) => f.write_str(name),
            Self::Log { argument, base, rounding } => {
                let (left, right) = brackets(rounding);
                let base = subscript(*base);
                if let Some((numerator, divisor)) = argument.as_quotient(*rounding) {
                    write!(f, "{left}log{base}({}/{}){right}", side(numerator), divisor_side(divisor))
                } else if argument.terms().len() > 1 {
                    write!(f, "{left}log{base}({argument}){right}")
                } else {
                    write!(f, "{left}log{base} {}{right}", side(argument))
                }
            }
            Self::Sqrt { argument, rounding } => {
                let (left, right) = brackets(rounding);
                if argument.terms().len() > 1 {
                    write!(f, "{left}√({argument}){right}")
                } else {
                    write!(f, "{left}√{}{right}", side(argument))
                }
            }
            Self::Quotient { numerator, divisor, rounding } => {
                let (left, right) = brackets(rounding);
                write!(f, "{left}{}/{}{right}", side(numerator), divisor_side(divisor))
            }
            Self::Min(a, b) => write!(f, "min({a}, {b})"),
            Self::Max(a, b) => write!(f, "max({a}, {b})"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn polynomials_are_written_as_people_write_them() {
        let name = Polynomial::name;
        let n = name("n");
        let half = Rational::new(1, 2).unwrap();
        let square = n.power(2).unwrap();
        let triangle = square.minus(&n).unwrap().scaled(half).unwrap();
        let text = |p: &Polynomial| p.to_string();
        assert_eq!(text(&square.plus(&n).unwrap().plus(&Polynomial::integer(1)).unwrap()), "n² + n + 1");
        assert_eq!(text(&triangle), "½n² − ½n");
        assert_eq!(text(&n.times(&name("m")).unwrap().times(&name("p")).unwrap()), "m·n·p");
        assert_eq!(text(&name("len(v)").scaled(Rational::integer(2)).unwrap()), "2·len(v)");
        assert_eq!(text(&n.scaled(Rational::new(5, 7).unwrap()).unwrap()), "(5/7)n");
        assert_eq!(text(&name("m").minus(&name("a")).unwrap()), "m − a");
        assert_eq!(text(&Polynomial::default()), "0");
        assert_eq!(text(&Polynomial::integer(-3)), "−3");
        let quotient = Polynomial::atom(Atom::Quotient {
            numerator: Box::new(n.plus(&Polynomial::integer(3)).unwrap()),
            divisor: Box::new(Polynomial::integer(4)),
            rounding: Rounding::Down,
        });
        assert_eq!(text(&quotient), "⌊(n + 3)/4⌋");
        let log =
            Polynomial::atom(Atom::Log { argument: Box::new(n.clone()), base: 2, rounding: Rounding::Down });
        assert_eq!(text(&n.times(&log).unwrap()), "n·⌊log₂ n⌋");
        let place = name("*p at list.c:12");
        assert_eq!(text(&place.power(2).unwrap()), "(*p at list.c:12)²");
        assert_eq!(text(&place), "*p at list.c:12");
        let over = |numerator: &Polynomial, divisor: &Polynomial, outer| {
            let quotient = Atom::Quotient {
                numerator: Box::new(numerator.clone()),
                divisor: Box::new(divisor.clone()),
                rounding: Rounding::Up,
            };
            Atom::Log { argument: Box::new(Polynomial::atom(quotient)), base: 2, rounding: outer }
        };
        assert_eq!(over(&n, &name("size"), Rounding::Up).to_string(), "⌈log₂(n/size)⌉", "rounded once");
        assert_eq!(over(&n, &name("size"), Rounding::Down).to_string(), "⌊log₂ ⌈n/size⌉⌋");
        assert_eq!(over(&place, &name("m"), Rounding::Up).to_string(), "⌈log₂((*p at list.c:12)/m)⌉");
    }
}
