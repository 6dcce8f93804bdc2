//! Growth classes and the terms of formulas: names, order and values. This module fits nothing.

use std::cmp::Ordering;
use std::fmt;

use statrs::function::gamma::ln_gamma;

/// Approximate exponent of a logarithmic factor over the sizes of most studies.
pub const LOG_AS_EXPONENT: f64 = 0.1;

/// Number of billionths in 1; bases are stored in billionths.
const BILLION: f64 = 1e9;

/// Class of a cost's growth: a member of the family that verdicts report. Ordered by growth.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum GrowthClass {
    /// `1`: does not grow.
    Constant,
    /// `log n`.
    Logarithmic,
    /// `n^0.5`.
    SquareRoot,
    /// `n`.
    Linear,
    /// `n log n`.
    Linearithmic,
    /// `n^1.5`.
    ThreeHalves,
    /// `n^2`.
    Quadratic,
    /// `n^2 log n`.
    QuadraticLog,
    /// `n^3`.
    Cubic,
    /// `2^n`.
    Exponential,
    /// `n·2^n`: visits every element of every subset.
    TimesExponential,
    /// `n!`: visits all orders of the elements.
    Factorial,
    /// `b^n` with a base other than 2.
    FreeExponential {
        /// The base in billionths. It is rounded to the digits that its name shows, so that two verdicts `1.62^n` are
        /// the same class.
        billionths: u64,
    },
    /// `n^b` or `n^b log n` with an exponent that no other class has.
    Free {
        /// The exponent in hundredths, rounded, so that two verdicts `n^1.21` are the same class.
        hundredths: u16,
        /// True if there is a logarithmic factor.
        log: bool,
    },
}

impl GrowthClass {
    /// Classes for which only coefficients are fitted, by growth.
    pub(crate) const FIXED: [Self; 12] = [
        Self::Constant,
        Self::Logarithmic,
        Self::SquareRoot,
        Self::Linear,
        Self::Linearithmic,
        Self::ThreeHalves,
        Self::Quadratic,
        Self::QuadraticLog,
        Self::Cubic,
        Self::Exponential,
        Self::TimesExponential,
        Self::Factorial,
    ];

    /// The ten classes that most programs have, by growth.
    pub const NAMED: [Self; 10] = *Self::FIXED.first_chunk().unwrap();

    /// Returns the class as text with the given variable: `with_variable("bytes")` on [`Self::Linearithmic`] returns
    /// `bytes log bytes`.
    pub fn with_variable(self, variable: &str) -> String {
        self.term().with_variable(variable)
    }

    /// Returns the leading term of the class.
    pub fn term(self) -> Term {
        let power = |exponent, log| Term::Power { exponent, log };
        match self {
            Self::Constant => power(0.0, false),
            Self::Logarithmic => power(0.0, true),
            Self::SquareRoot => power(0.5, false),
            Self::Linear => power(1.0, false),
            Self::Linearithmic => power(1.0, true),
            Self::ThreeHalves => power(1.5, false),
            Self::Quadratic => power(2.0, false),
            Self::QuadraticLog => power(2.0, true),
            Self::Cubic => power(3.0, false),
            Self::Exponential => Term::Exponential { base: 2.0 },
            Self::TimesExponential => Term::TimesExponential { base: 2.0 },
            Self::Factorial => Term::Factorial,
            Self::FreeExponential { billionths } => Term::Exponential { base: billionths as f64 / BILLION },
            Self::Free { hundredths, log } => power(f64::from(hundredths) / 100.0, log),
        }
    }

    /// Returns the free class `n^exponent` or `n^exponent·log n`, with the exponent to two decimals. Negative exponents
    /// count as 0.
    pub fn free(exponent: f64, log: bool) -> Self {
        Self::Free { hundredths: (exponent * 100.0).round().clamp(0.0, f64::from(u16::MAX)) as u16, log }
    }

    /// Returns the power halfway between two paces ([`Term::pace`]). Its exponent is rounded to a multiple of 0.5 if
    /// one is near, and to one decimal otherwise.
    pub fn about([slowest, fastest]: [f64; 2]) -> Self {
        let middle = slowest.midpoint(fastest);
        let half = (middle * 2.0).round() / 2.0;
        let is_half = (middle - half).abs() <= LOG_AS_EXPONENT;
        let free = Self::free(if is_half { half } else { (middle * 10.0).round() / 10.0 }, false);
        Self::NAMED.into_iter().find(|class| class.term() == free.term()).unwrap_or(free)
    }

    /// Returns the class `base^n`. The base is rounded to two decimals. Below 1.1, the part above 1 is rounded to two
    /// significant digits instead; from 10 up, the base is rounded to three significant digits.
    pub fn exponential(base: f64) -> Self {
        let decimals = match base {
            b if b < 1.1 => 2 - (b - 1.0).max(1.0 / BILLION).log10().ceil() as i32,
            b if b < 10.0 => 2,
            b => (2 - b.log10() as i32).max(0),
        };
        let unit = 10f64.powi(decimals.min(9));
        Self::FreeExponential { billionths: ((base * unit).round() / unit * BILLION).round() as u64 }
    }

    /// Returns true if two classes belong to one family. These are equal classes, exponentials with fitted bases, and
    /// free powers with the same logarithmic factor and exponents on the same side of `n`. Fitted bases and exponents
    /// differ from fit to fit.
    pub(crate) fn is_of_family(self, other: Self) -> bool {
        match (self, other) {
            (Self::Free { log, .. }, Self::Free { log: of_other, .. }) => {
                log == of_other && (self > Self::Linear) == (other > Self::Linear)
            }
            (Self::FreeExponential { .. }, Self::FreeExponential { .. }) => true,
            _ => self == other,
        }
    }

    /// Returns the kind of growth, then the base or exponent, then whether there is a further factor. Ranks are equal
    /// only if a free class has the name of another class.
    fn rank(self) -> (u8, u64, bool) {
        match self.term() {
            Term::Factorial => (2, 0, false),
            Term::TimesExponential { base } => (1, (base * BILLION).round() as u64, true),
            Term::Exponential { base } => (1, (base * BILLION).round() as u64, false),
            Term::Power { exponent, log } => (0, (exponent * 100.0).round() as u64, log),
        }
    }
}

impl Ord for GrowthClass {
    fn cmp(&self, other: &Self) -> Ordering {
        let is_free = |class: &Self| matches!(class, Self::Free { .. } | Self::FreeExponential { .. });
        self.rank().cmp(&other.rank()).then(is_free(self).cmp(&is_free(other)))
    }
}

impl PartialOrd for GrowthClass {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Display for GrowthClass {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.with_variable("n"))
    }
}

/// A function of one feature; formulas are sums of these.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Term {
    /// `x^exponent`, times `log₂ x` if `log` is true. An exponent of 0 without logarithm is the constant 1.
    Power {
        /// The exponent, not negative.
        exponent: f64,
        /// True if there is a logarithmic factor.
        log: bool,
    },
    /// `base^x`.
    Exponential {
        /// The base, above 1.
        base: f64,
    },
    /// `x·base^x`.
    TimesExponential {
        /// The base, above 1.
        base: f64,
    },
    /// `x!`; Γ(x + 1) between integers.
    Factorial,
}

impl Term {
    /// The constant 1.
    pub const ONE: Self = Self::Power { exponent: 0.0, log: false };

    /// Returns true if the term outgrows every power of x: adding a few units to x multiplies it.
    pub fn explodes(self) -> bool {
        !matches!(self, Self::Power { .. })
    }

    /// Returns the exponent by which terms are sorted by growth; infinite for terms that outgrow all powers.
    pub fn pace(self) -> f64 {
        match self {
            Self::Power { exponent, log } => exponent + if log { LOG_AS_EXPONENT } else { 0.0 },
            _ => f64::INFINITY,
        }
    }

    /// Returns the logarithm of an exploding term's value at a positive `x`, even if the value itself overflows; NaN
    /// for other terms.
    pub(crate) fn log_value(self, x: f64) -> f64 {
        match self {
            Self::Exponential { base } => x * base.ln(),
            Self::TimesExponential { base } => x * base.ln() + x.ln(),
            Self::Factorial => ln_gamma(x + 1.0),
            Self::Power { .. } => f64::NAN,
        }
    }

    /// Returns the term's value at feature value `x`. The value is negative for a logarithm below `x = 1`, and NaN for
    /// a negative `x`.
    pub fn value(self, x: f64) -> f64 {
        match self {
            Self::Exponential { base: 2.0 } => x.exp2(),
            Self::Exponential { base } => base.powf(x),
            Self::TimesExponential { base } => x * Self::Exponential { base }.value(x),
            Self::Factorial => ln_gamma(x + 1.0).exp(),
            Self::Power { exponent, log } => {
                let power = if exponent == 0.0 { 1.0 } else { x.powf(exponent) };
                if log { power * x.log2() } else { power }
            }
        }
    }

    /// Returns the term as text with the given variable, such as `bytes^2 log bytes`. Exponents have at most two
    /// decimals, and bases four significant digits of the part above 1.
    pub fn with_variable(self, variable: &str) -> String {
        let (exponent, log) = match self {
            Self::Power { exponent, log } => (exponent, log),
            Self::Factorial => return format!("{variable}!"),
            Self::TimesExponential { base } => {
                return format!("{variable}·{}", Self::Exponential { base }.with_variable(variable));
            }
            Self::Exponential { base } => {
                let decimals = (3 - (base - 1.0).abs().max(1.0 / BILLION).log10().floor() as i32).clamp(0, 9);
                let unit = 10f64.powi(decimals);
                return format!("{}^{variable}", (base * unit).round() / unit);
            }
        };
        let rounded = (exponent * 100.0).round() / 100.0;
        let power = match rounded {
            0.0 => String::new(),
            1.0 => variable.to_owned(),
            _ => format!("{variable}^{rounded}"),
        };
        match (power.is_empty(), log) {
            (true, false) => "1".to_owned(),
            (true, true) => format!("log {variable}"),
            (false, false) => power,
            (false, true) => format!("{power} log {variable}"),
        }
    }
}

/// Formats a sum such as `1.5·n^2 + 3·n − 20`, with four significant digits, in the given order. A constant has an
/// empty term.
pub(crate) fn formula_of(terms: &[(f64, String)]) -> String {
    let mut text = String::new();
    for (coefficient, term) in terms {
        text.push_str(match (text.is_empty(), *coefficient < 0.0) {
            (true, false) => "",
            (true, true) => "−",
            (false, false) => " + ",
            (false, true) => " − ",
        });
        let size = four_digits(coefficient.abs());
        if term.is_empty() {
            text.push_str(&size);
            continue;
        }
        if size != "1" {
            text.push_str(&size);
            text.push('·');
        }
        text.push_str(term);
    }
    if text.is_empty() { "0".to_owned() } else { text }
}

/// Formats four significant digits without trailing zeros; uses an exponent outside the range from 0.001 to 10⁷.
pub(crate) fn four_digits(value: f64) -> String {
    let rounded: f64 = format!("{value:.3e}").parse().unwrap_or(value);
    if value == 0.0 || (1e-3..1e7).contains(&value) { format!("{rounded}") } else { format!("{rounded:e}") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::laws::law::{LawSum, LawTerm};

    fn formula_in(terms: &[(f64, Term)], variable: &str) -> String {
        let terms: Vec<LawTerm> = terms.iter().map(|&(c, term)| LawTerm::of_one(c, term)).collect();
        LawSum { weight: 1.0, class: None, terms, from: 0.0 }.formula(&[variable])
    }

    #[test]
    fn classes_are_written_as_the_report_writes_them() {
        let names = GrowthClass::NAMED.map(|class| class.to_string());
        let expected = ["1", "log n", "n^0.5", "n", "n log n", "n^1.5", "n^2", "n^2 log n", "n^3", "2^n"];
        assert_eq!(names, expected);
        assert_eq!(GrowthClass::TimesExponential.with_variable("items"), "items·2^items");
        assert_eq!(GrowthClass::Factorial.to_string(), "n!");
        assert_eq!(GrowthClass::free(1.2099, false).to_string(), "n^1.21");
        assert_eq!(GrowthClass::free(1.2099, true).with_variable("bytes"), "bytes^1.21 log bytes");
        let bases = [1.000_123_4, 1.0123, 1.1, 1.3, 1.618_034, 7.0, 12.345, 4321.0];
        let names = bases.map(|base| GrowthClass::exponential(base).to_string());
        let expected = ["1.00012^n", "1.012^n", "1.1^n", "1.3^n", "1.62^n", "7^n", "12.3^n", "4321^n"];
        assert_eq!(names, expected);
    }

    #[test]
    fn classes_are_ordered_by_growth() {
        assert!(GrowthClass::NAMED.is_sorted());
        let between = GrowthClass::free(1.21, true);
        assert!(GrowthClass::Linearithmic < between && between < GrowthClass::ThreeHalves);
        let exponential = GrowthClass::exponential;
        assert!(GrowthClass::free(7.0, true) < exponential(1.01) && exponential(1.01) < exponential(1.62));
        assert!(exponential(1.62) < GrowthClass::Exponential && GrowthClass::Exponential < exponential(7.0));
        assert!(GrowthClass::FIXED.is_sorted() && GrowthClass::FIXED.starts_with(&GrowthClass::NAMED));
        assert!(
            GrowthClass::TimesExponential < exponential(2.01) && exponential(4321.0) < GrowthClass::Factorial
        );
        assert_ne!(GrowthClass::free(2.0, false).cmp(&GrowthClass::Quadratic), Ordering::Equal);
    }

    #[test]
    fn formulas_read_like_formulas() {
        let terms =
            [(1.5, GrowthClass::Quadratic.term()), (-0.5, GrowthClass::Linear.term()), (20.0, Term::ONE)];
        assert_eq!(formula_in(&terms, "n"), "1.5·n^2 − 0.5·n + 20");
        assert_eq!(formula_in(&[(1.0, GrowthClass::Logarithmic.term())], "k"), "log k");
        assert_eq!(formula_in(&[(1.234_567e-9, Term::Exponential { base: 2.0 })], "n"), "1.235e-9·2^n");
        assert_eq!(formula_in(&[(3.0, Term::Exponential { base: 1.618_034 })], "n"), "3·1.618^n");
        assert_eq!(formula_in(&[], "n"), "0");
    }

    #[test]
    fn terms_have_the_values_of_their_closed_forms() {
        assert_eq!(GrowthClass::Linearithmic.term().value(8.0), 24.0);
        assert_eq!(GrowthClass::QuadraticLog.term().value(4.0), 32.0);
        assert_eq!(GrowthClass::Exponential.term().value(10.0), 1024.0);
        assert_eq!(GrowthClass::TimesExponential.term().value(10.0), 10_240.0);
        assert!((GrowthClass::Factorial.term().value(10.0) / 3_628_800.0 - 1.0).abs() < 1e-12);
        for class in &GrowthClass::FIXED[9..] {
            let term = class.term();
            assert!((term.log_value(12.0).exp() / term.value(12.0) - 1.0).abs() < 1e-12, "{class}");
        }
        assert_eq!(Term::ONE.value(0.0), 1.0);
    }
}
