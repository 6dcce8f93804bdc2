//! Recursions: the quantity that shrinks with each call, and the recurrence as text.

use trend_model::loops::{Growth, Polynomial, Rational, Recurrence, Shrinking, Side};

/// Two large arguments, at which rounding and summands hardly change a quotient.
const LARGE: [f64; 2] = [1e9, 1e12];

/// Maximum relative difference of the quotient between the two arguments. A summand such as the 1000 of `n/2 + 1000`
/// stays far below it.
const SAME_QUOTIENT: f64 = 1e-3;

/// Lengths and starts of ranges at which formulas are compared. Summands and limits such as `max(hi, 5000)` matter at
/// some of them.
const AT_LENGTHS: [f64; 6] = [1.0, 7.0, 1000.0, 1e5, 1e7, 1e9];

/// The value of all other names there.
const OTHER_VALUE: f64 = 97.0;

/// Maximum difference of two lengths that are the same, relative to the end of the range.
const SAME_LENGTH: f64 = 1e-12;

/// The quantity that shrinks with every call of a recursion.
#[derive(Clone, Copy, Debug)]
pub(super) enum Measure<'a> {
    /// The value of a parameter.
    Parameter(&'a str),
    /// The length of a range, `to − from`.
    Range { from: &'a str, to: &'a str },
}

impl<'a> Measure<'a> {
    /// Returns the name of the quantity in costs. Ranges begin at 0 there, because their costs depend on the length
    /// alone.
    pub(super) fn parameter(self) -> &'a str {
        match self {
            Self::Parameter(name) | Self::Range { to: name, .. } => name,
        }
    }

    /// Returns a cost with ranges that begin at 0.
    pub(super) fn of_length(self, cost: &Growth) -> Option<Growth> {
        match self {
            Self::Parameter(_) => Some(cost.clone()),
            Self::Range { from, .. } => {
                cost.substituted(Side::Upper, &|name, _| (name == from).then(Growth::one))
            }
        }
    }
}

/// Returns true if a formula depends only on the length of a range, wherever the range begins.
pub(super) fn is_of_range(formula: &Polynomial, from: &str, to: &str) -> bool {
    let value = |start: f64, length: f64| {
        formula.value_f64(&|name| match name {
            _ if name == from => Some(start),
            _ if name == to => Some(start + length),
            _ => Some(OTHER_VALUE),
        })
    };
    let is_same = |length: f64, start: f64| {
        let values = value(start, length).zip(value(0.0, length));
        values.is_some_and(|(moved, at_zero)| (moved - at_zero).abs() <= SAME_LENGTH * (start + length))
    };
    // Where it is negative, `from` is the end of the range.
    let is_forward = value(0.0, LARGE[0]).is_some_and(|value| value >= 0.0);
    is_forward
        && AT_LENGTHS.into_iter().all(|length| AT_LENGTHS.into_iter().all(|start| is_same(length, start)))
}

/// Returns a formula for a range that begins at 0.
pub(super) fn from_zero(formula: &Polynomial, from: &str) -> Option<Polynomial> {
    formula.substituted(&|name| (name == from).then(|| Polynomial::constant(Rational::ZERO)))
}

/// Returns the way in which an argument shrinks compared with the parameter.
pub(super) fn shrinking(argument: &Polynomial, parameter: &str) -> Option<Shrinking> {
    let name = Polynomial::name(parameter);
    if let Some(less) = name.minus(argument)?.as_constant() {
        let less = u32::try_from(less.as_integer()?).ok().filter(|&less| less > 0)?;
        return Some(Shrinking::Less(less));
    }
    // At large values, rounding no longer affects a quotient. A constant is not a quotient: `f(5)` is the same for all
    // n.
    let divisor = |x: f64| Some(x / argument.value_f64(&|one| (one == parameter).then_some(x))?);
    let [small, large] = LARGE.map(divisor);
    let (small, large) = (small?, large?);
    let is_quotient = large > 1.0 + 1e-9 && large.is_finite() && (small / large - 1.0).abs() < SAME_QUOTIENT;
    is_quotient.then_some(Shrinking::By(large))
}

/// Writes a recurrence as text: `T(n) = 2·T(n/2) + n`. The length of a range is `s`.
pub(super) fn written(recurrence: &Recurrence, measure: Measure<'_>, own: &Growth) -> String {
    let (parameter, note, own) = match measure {
        Measure::Parameter(name) => (name, String::new(), own.to_string()),
        Measure::Range { from, to } => {
            let length = |name: &str, _| (name == to).then(|| Growth::name("s"));
            let own =
                own.substituted(Side::Upper, &length).map_or_else(|| own.to_string(), |own| own.to_string());
            ("s", format!(", s = {to} − {from}"), own)
        }
    };
    let mut text = format!("T({parameter}) = ");
    for (count, shrinking) in &recurrence.calls {
        let argument = match shrinking {
            Shrinking::By(divisor) => format!("{parameter}/{}", (divisor * 1000.0).round() / 1000.0),
            Shrinking::Less(step) => format!("{parameter} − {step}"),
        };
        let count = if *count == 1 { String::new() } else { format!("{count}·") };
        text.extend([count.as_str(), "T(", argument.as_str(), ") + "]);
    }
    text + &own + &note
}
