//! Evaluates the counters of regions: zero, one of the function's counters, or a sum or difference of two terms.

use super::LlvmError;
use super::reader::ByteReader;

/// Term that gives a region's count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Term {
    Zero,
    /// Counter of the function, by number.
    Counter(u32),
    /// Expression of the function, by number, used as a sum.
    Sum(u32),
    /// Expression of the function, by number, used as a difference.
    Difference(u32),
}

impl Term {
    /// Decodes a term: two bits of kind, then a number.
    pub(super) fn decode(word: u32) -> Self {
        let number = word >> 2;
        match word & 3 {
            0 => Self::Zero,
            1 => Self::Counter(number),
            2 => Self::Difference(number),
            _ => Self::Sum(number),
        }
    }
}

/// Two operands. The term that refers to the expression says whether to add or subtract them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Expression {
    pub(crate) left: Term,
    pub(crate) right: Term,
}

pub(super) fn read_expressions(reader: &mut ByteReader<'_>) -> Result<Vec<Expression>, LlvmError> {
    let number = reader.count()?;
    let mut expressions = Vec::with_capacity(number);
    for _ in 0..number {
        let (left, right) = (Term::decode(reader.uleb32()?), Term::decode(reader.uleb32()?));
        expressions.push(Expression { left, right });
    }
    Ok(expressions)
}

/// Computes the values of terms from a function's counters, and caches those of expressions.
pub(super) struct Evaluation<'a> {
    counters: &'a [u64],
    expressions: &'a [Expression],
    /// Cached values `[expressions]`, as a sum and as a difference.
    values: Vec<[Value; 2]>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Value {
    Unknown,
    /// Evaluation has begun; meeting it again means a cycle.
    Begun,
    Known(i128),
}

impl Value {
    fn is_known(self) -> bool {
        matches!(self, Self::Known(_))
    }
}

/// Limit of values, larger than any meaningful sum of counters, so that nested sums cannot overflow.
const LARGEST: i128 = 1 << 100;

impl<'a> Evaluation<'a> {
    pub(super) fn new(counters: &'a [u64], expressions: &'a [Expression]) -> Self {
        Self { counters, expressions, values: vec![[Value::Unknown; 2]; expressions.len()] }
    }

    /// Returns the term's value, negative if counters contradict each other. Returns `None` if the term refers to a
    /// missing counter or expression, or to itself.
    ///
    /// Expressions can be nested thousands deep in a long function, so this uses an explicit stack.
    pub(super) fn value(&mut self, term: Term) -> Option<i128> {
        let mut stack = vec![term];
        while let Some(&top) = stack.last() {
            if self.state(top)?.is_known() {
                stack.pop();
                continue;
            }
            let (number, sign) = slot(top)?;
            let Expression { left, right } = self.expressions[number];
            let operands = [self.state(left)?, self.state(right)?];
            if let [Value::Known(left), Value::Known(right)] = operands {
                let value = if sign == 0 { left + right } else { left - right };
                self.values[number][sign] = Value::Known(value.clamp(-LARGEST, LARGEST));
                stack.pop();
                continue;
            }
            // Evaluation began before, and an operand is still missing: the operand depends on this expression.
            if self.values[number][sign] == Value::Begun {
                return None;
            }
            self.values[number][sign] = Value::Begun;
            let missing = [left, right].into_iter().zip(operands).filter(|(_, v)| !v.is_known());
            stack.extend(missing.map(|(term, _)| term));
        }
        match self.state(term)? {
            Value::Known(value) => Some(value),
            Value::Unknown | Value::Begun => None,
        }
    }

    /// Returns the state of a term; `None` if the function has no such counter or expression.
    fn state(&self, term: Term) -> Option<Value> {
        match term {
            Term::Zero => Some(Value::Known(0)),
            Term::Counter(number) => {
                self.counters.get(number as usize).map(|count| Value::Known(i128::from(*count)))
            }
            Term::Sum(_) | Term::Difference(_) => {
                let (number, sign) = slot(term)?;
                Some(self.values.get(number)?[sign])
            }
        }
    }
}

fn slot(term: Term) -> Option<(usize, usize)> {
    match term {
        Term::Sum(number) => Some((number as usize, 0)),
        Term::Difference(number) => Some((number as usize, 1)),
        Term::Zero | Term::Counter(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(counters: &[u64], expressions: &[(Term, Term)], term: Term) -> Option<i128> {
        let expressions: Vec<Expression> =
            expressions.iter().map(|&(left, right)| Expression { left, right }).collect();
        Evaluation::new(counters, &expressions).value(term)
    }

    #[test]
    fn sums_and_differences_of_counters() {
        use Term::{Counter, Difference, Sum, Zero};
        let expressions = [(Counter(0), Counter(1)), (Sum(0), Difference(0)), (Zero, Sum(1))];
        assert_eq!(value(&[7, 3], &expressions, Sum(0)), Some(10));
        assert_eq!(value(&[7, 3], &expressions, Difference(0)), Some(4));
        assert_eq!(value(&[7, 3], &expressions, Sum(1)), Some(14));
        assert_eq!(value(&[7, 3], &expressions, Difference(2)), Some(-14));
    }

    #[test]
    fn circles_and_strangers_have_no_value() {
        use Term::{Counter, Sum};
        assert_eq!(value(&[1], &[(Sum(1), Counter(0)), (Sum(0), Counter(0))], Sum(0)), None);
        assert_eq!(value(&[1], &[(Sum(0), Sum(0))], Sum(0)), None);
        assert_eq!(value(&[1], &[], Counter(1)), None);
        assert_eq!(value(&[1], &[], Sum(0)), None);
    }

    #[test]
    fn a_deep_chain_needs_no_deep_stack_and_a_doubling_one_no_time() {
        use Term::{Counter, Sum};
        let chain: Vec<(Term, Term)> = (1..200_000).map(|i| (Sum(i), Counter(0))).collect();
        let chain = [chain, vec![(Counter(0), Counter(0))]].concat();
        assert_eq!(value(&[1], &chain, Sum(0)), Some(200_001));
        let doubling: Vec<(Term, Term)> = (1..500).map(|i| (Sum(i), Sum(i))).collect();
        let doubling = [doubling, vec![(Counter(0), Counter(0))]].concat();
        assert_eq!(value(&[u64::MAX], &doubling, Sum(0)), Some(LARGEST));
    }
}
