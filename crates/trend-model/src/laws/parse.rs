//! Parses growth classes as people write them: the inverse of their display.

use std::str::FromStr;

use super::class::GrowthClass;

/// A text that is not a growth class. The message completes "failed to read …".
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{0}` is not a growth class; write one such as `1`, `log n`, `n`, `n log n`, `n^1.5`, `n^2`, `2^n` \
     or `n!`"
)]
pub struct NoSuchClass(String);

/// Largest exponent of a power: a cost that grows faster is an exponential.
const MOST_EXPONENT: f64 = 100.0;

/// Largest base of an exponential.
const MOST_BASE: f64 = 1e6;

impl FromStr for GrowthClass {
    type Err = NoSuchClass;

    /// Parses the output of [`Display`](std::fmt::Display), with any spaces, and other common spellings of the same
    /// classes: `O(n log n)`, `n*log(n)`, `n²`, `sqrt(n)`, `n*2^n`. The variable is `n`.
    fn from_str(text: &str) -> Result<Self, NoSuchClass> {
        let written: String =
            text.chars().filter(|c| !c.is_whitespace() && !matches!(c, '*' | '·')).collect();
        let inner = written.strip_prefix("O(").and_then(|rest| rest.strip_suffix(')')).unwrap_or(&written);
        class(inner).ok_or_else(|| NoSuchClass(text.trim().to_owned()))
    }
}

/// Returns the class of a text without spaces and multiplication signs.
fn class(text: &str) -> Option<GrowthClass> {
    match text {
        "" => return None,
        "n!" => return Some(GrowthClass::Factorial),
        "n2^n" => return Some(GrowthClass::TimesExponential),
        _ => {}
    }
    if let Some(base) = text.strip_suffix("^n") {
        let base: f64 = base.parse().ok().filter(|base| *base > 1.0 && *base <= MOST_BASE)?;
        return Some(if base == 2.0 { GrowthClass::Exponential } else { GrowthClass::exponential(base) });
    }
    let logarithms = ["logn", "log(n)", "lgn", "log2(n)", "log2n", "lnn"];
    let log = logarithms.iter().find_map(|log| text.strip_suffix(log));
    let exponent = exponent(log.unwrap_or(text))?;
    let free = GrowthClass::free(exponent, log.is_some());
    Some(GrowthClass::FIXED.into_iter().find(|class| class.term() == free.term()).unwrap_or(free))
}

/// Returns the exponent of a power of `n`; 0 for the empty text before a lone logarithm.
fn exponent(power: &str) -> Option<f64> {
    match power {
        "" | "1" => return Some(0.0),
        "n" => return Some(1.0),
        "n²" => return Some(2.0),
        "n³" => return Some(3.0),
        "sqrt(n)" | "√n" => return Some(0.5),
        _ => {}
    }
    let exponent: f64 = power.strip_prefix("n^")?.parse().ok()?;
    (0.0..=MOST_EXPONENT).contains(&exponent).then_some(exponent)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_are_read_as_they_are_written() {
        let free = [
            GrowthClass::free(1.21, false),
            GrowthClass::free(1.21, true),
            GrowthClass::exponential(1.62),
            GrowthClass::exponential(1.012),
        ];
        for class in GrowthClass::FIXED.into_iter().chain(free) {
            assert_eq!(class.to_string().parse(), Ok(class));
        }
    }

    #[test]
    fn common_spellings_are_read_as_well() {
        for (text, class) in [
            ("O(n)", GrowthClass::Linear),
            ("O(1)", GrowthClass::Constant),
            ("n*log(n)", GrowthClass::Linearithmic),
            ("nlogn", GrowthClass::Linearithmic),
            (" n ^ 2 ", GrowthClass::Quadratic),
            ("n²", GrowthClass::Quadratic),
            ("n²·log n", GrowthClass::QuadraticLog),
            ("sqrt(n)", GrowthClass::SquareRoot),
            ("n^1.0", GrowthClass::Linear),
            ("n * 2^n", GrowthClass::TimesExponential),
        ] {
            assert_eq!(text.parse(), Ok(class), "{text}");
        }
    }

    #[test]
    fn what_is_no_class_is_refused() {
        for text in
            ["", "<= n", "m", "n^-1", "n^1e9", "1^n", "0.5^n", "n^n", "2n", "linear", "n^nan", "inf^n"]
        {
            assert!(text.parse::<GrowthClass>().is_err(), "{text}");
        }
    }
}
