//! Expressions in the inputs of a loop, in postfix order. trend-runtime's `loop_record.rs` describes their text.

use std::fmt;

/// Maximum number of terms; as in trend-profile.
const MOST: usize = 64;

/// An operator on the last two values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Operator {
    Plus,
    Minus,
    Times,
    QuotientDown,
    QuotientUp,
    Lesser,
    Greater,
    /// Logarithm of the first value to the base of the second, rounded down.
    LogarithmDown,
    /// Logarithm of the first value to the base of the second, rounded up.
    LogarithmUp,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Term {
    Number(i64),
    Input(usize),
    Operator(Operator),
}

/// An expression in the inputs of a loop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Terms(Vec<Term>);

impl Terms {
    pub(crate) fn number(number: i64) -> Self {
        Self(vec![Term::Number(number)])
    }

    pub(crate) fn input(position: usize) -> Self {
        Self(vec![Term::Input(position)])
    }

    pub(crate) fn is_short(&self) -> bool {
        self.0.len() <= MOST
    }

    /// Combines two expressions by an operator. Operations on numbers are computed.
    pub(crate) fn then(&self, other: &Self, operator: Operator) -> Self {
        match (&self.0[..], &other.0[..]) {
            ([Term::Number(a)], [Term::Number(b)]) if let Some(number) = computed(*a, *b, operator) => {
                Self::number(number)
            }
            (_, [Term::Number(0)]) if matches!(operator, Operator::Plus | Operator::Minus) => self.clone(),
            ([Term::Number(0)], _) if operator == Operator::Plus => other.clone(),
            (_, [Term::Number(1)])
                if matches!(operator, Operator::Times | Operator::QuotientDown | Operator::QuotientUp) =>
            {
                self.clone()
            }
            (a, b) => Self([a, b, &[Term::Operator(operator)]].concat()),
        }
    }
}

fn computed(a: i64, b: i64, operator: Operator) -> Option<i64> {
    match operator {
        Operator::Plus => a.checked_add(b),
        Operator::Minus => a.checked_sub(b),
        Operator::Times => a.checked_mul(b),
        Operator::Lesser => Some(a.min(b)),
        Operator::Greater => Some(a.max(b)),
        Operator::QuotientDown | Operator::QuotientUp | Operator::LogarithmDown | Operator::LogarithmUp => {
            None
        }
    }
}

impl fmt::Display for Terms {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (position, term) in self.0.iter().enumerate() {
            if position > 0 {
                f.write_str(" ")?;
            }
            match term {
                Term::Number(number) => write!(f, "{number}")?,
                Term::Input(input) => write!(f, "#{input}")?,
                Term::Operator(operator) => f.write_str(match operator {
                    Operator::Plus => "+",
                    Operator::Minus => "-",
                    Operator::Times => "*",
                    Operator::QuotientDown => "d",
                    Operator::QuotientUp => "u",
                    Operator::Lesser => "l",
                    Operator::Greater => "g",
                    Operator::LogarithmDown => "ld",
                    Operator::LogarithmUp => "lu",
                })?,
            }
        }
        Ok(())
    }
}
