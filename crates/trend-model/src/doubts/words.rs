//! Renders a diagnosis as a sentence for a person who knows the feature's name. This module finds nothing itself.

use super::diagnosis::Diagnosis;
use super::equal_runs::EqualRuns;

impl Diagnosis {
    /// Returns the diagnosis as a sentence; `feature` is the name of the feature.
    ///
    /// ```
    /// # use trend_model::Diagnosis;
    /// let change = Diagnosis::ChangePoint {
    ///     at: 39_800.0, exponent_below: 1.0, exponent_above: 2.01, jump: 1.1, log_odds: 30.0,
    /// };
    /// assert_eq!(
    ///     change.in_words("n"),
    ///     "a change point at n ≈ 40,000: the cost grows as n^1.00 below and as n^2.01 above"
    /// );
    /// ```
    pub fn in_words(&self, feature: &str) -> String {
        match *self {
            Self::Bend { exponent_small, exponent_large, .. } => {
                let (what, off) = if exponent_large < exponent_small {
                    ("the cost grows more slowly at large sizes: the exponent falls", "high")
                } else {
                    ("a lower-order term or startup cost hides part of the growth: the exponent rises", "low")
                };
                format!(
                    "{what} from {exponent_small:.2} in the smaller half of the range to \
                     {exponent_large:.2} in the larger; for much larger inputs the power law predicts too \
                     {off}"
                )
            }
            Self::ChangePoint { at, exponent_below, exponent_above, jump, .. } => {
                let growth = if (exponent_above - exponent_below).abs() < SAME_EXPONENT {
                    let exponent = exponent_below.midpoint(exponent_above);
                    format!("the cost grows as {feature}^{exponent:.2} on both sides")
                } else {
                    format!(
                        "the cost grows as {feature}^{exponent_below:.2} below and as {feature}^{exponent_above:.2} above"
                    )
                };
                format!("a change point at {feature} ≈ {}: {growth}{}", two_digits(at), jump_in_words(jump))
            }
            Self::Fan { spread_small, spread_large, .. } => {
                let verb = if spread_large > spread_small { "grows" } else { "shrinks" };
                format!(
                    "the noise {verb} with {feature} (from {} to {}): another feature matters, or there \
                     are two trends",
                    scatter(spread_small),
                    scatter(spread_large)
                )
            }
            Self::Split { factor, factor_at_largest, upper_share, .. } => {
                let share = upper_share * 100.0;
                let towards = if (factor_at_largest / factor).ln().abs() < SAME_FACTOR.ln() {
                    String::new()
                } else {
                    format!(", {} times at the largest", times(factor_at_largest))
                };
                format!(
                    "two trends, not one: {share:.0} % of the runs cost {} times as much as the others at the same \
                     {feature}{towards}",
                    times(factor)
                )
            }
            Self::EqualRuns { equal, .. } => {
                format!("{feature} alone does not determine the cost; {}", equal.in_words(feature))
            }
            Self::Unexplained { equal, r2, spread } => {
                let equal = equal.map(|e| format!("; {}", e.in_words(feature))).unwrap_or_default();
                format!(
                    "this feature does not explain the cost (R² = {r2:.2}, noise {}){equal}",
                    scatter(spread)
                )
            }
        }
    }
}

/// Minimum difference of exponents that are printed separately.
const SAME_EXPONENT: f64 = 0.1;

/// Minimum ratio of factors that are printed separately, and minimum jump that is mentioned.
const SAME_FACTOR: f64 = 1.2;

impl EqualRuns {
    fn in_words(self, feature: &str) -> String {
        let factor = if self.factor < 10.0 { format!("{:.1}", self.factor) } else { two_digits(self.factor) };
        let factor = factor.strip_suffix(".0").unwrap_or(&factor);
        format!("{} runs with equal {feature} differ by up to {factor}×", self.runs)
    }
}

fn jump_in_words(jump: f64) -> String {
    if jump >= SAME_FACTOR {
        format!(", and is {} times as high just above", times(jump))
    } else if jump <= 1.0 / SAME_FACTOR {
        format!(", and falls by a factor of {} there", times(1.0 / jump))
    } else {
        String::new()
    }
}

/// Formats a standard deviation of log cost as the percentage by which costs typically exceed the trend. A factor of
/// two or more is formatted as a factor.
fn scatter(spread: f64) -> String {
    let factor = spread.exp();
    if factor < 2.0 {
        format!("{:.0} %", (factor - 1.0) * 100.0)
    } else {
        format!("a factor of {}", times(factor))
    }
}

/// Formats a factor with three significant digits below 10, and with two above.
fn times(factor: f64) -> String {
    if factor < 10.0 { format!("{factor:.2}") } else { two_digits(factor) }
}

/// Rounds to two significant digits. From 0.0001 to a billion, there is no exponent, and digits are grouped in threes.
fn two_digits(value: f64) -> String {
    let rounded = format!("{value:.1e}").parse().unwrap_or(value);
    if !(1e-4..1e9).contains(&value) {
        return format!("{value:.1e}");
    }
    let decimals = (1.0 - f64::log10(rounded).floor()).clamp(0.0, 20.0) as usize;
    let digits = format!("{rounded:.decimals$}");
    if rounded < 1e4 {
        return digits;
    }
    let comma = |(i, digit): (usize, char)| {
        let is_group = i > 0 && (digits.len() - i).is_multiple_of(3);
        is_group.then_some(',').into_iter().chain([digit])
    };
    digits.chars().enumerate().flat_map(comma).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn assert_told(diagnosis: &Diagnosis, parts: &[&str]) {
        let text = diagnosis.in_words("n");
        for part in parts {
            assert!(text.contains(part), "no {part:?} in {text}");
        }
    }

    #[test]
    fn a_bend_says_in_which_direction_the_exponent_and_predictions_go() {
        let bend = |exponent_small, exponent_large| Diagnosis::Bend {
            exponent_small,
            exponent_large,
            p_value: 1e-9,
        };
        assert_told(
            &bend(1.64, 1.99),
            &["rises from 1.64 in the smaller", "to 1.99 in the larger", "too low"],
        );
        assert_told(
            &bend(1.2, 1.1),
            &["falls from 1.20 in the smaller", "to 1.10 in the larger", "too high"],
        );
    }

    #[test]
    fn noise_says_whether_it_grows() {
        let fan = |spread_small, spread_large| Diagnosis::Fan { spread_small, spread_large, p_value: 1e-9 };
        assert_told(&fan(0.05, 0.4), &["grows with n (from 5 % to 49 %)"]);
        assert_told(&fan(0.4, 0.05), &["shrinks with n (from 49 % to 5 %)"]);
    }

    #[test]
    fn equal_runs_and_jumps_are_told_with_their_factor() {
        let equal = EqualRuns { runs: 12, factor: 8.02 };
        let unexplained = Diagnosis::Unexplained { equal: Some(equal), r2: 0.3, spread: 0.7 };
        let runs = "12 runs with equal n differ by up to 8×";
        assert_told(&unexplained, &["(R² = 0.30, noise a factor of 2.01)", runs]);
        let alone = Diagnosis::EqualRuns { equal: EqualRuns { factor: 1234.0, ..equal }, spread: 0.7 };
        assert_told(&alone, &["n alone ", "12 runs", "up to 1200×"]);
        let change = |jump| Diagnosis::ChangePoint {
            at: 4.04e4,
            exponent_below: 1.0,
            exponent_above: 1.04,
            jump,
            log_odds: 20.0,
        };
        assert_told(&change(10.0), &["n ≈ 40,000", "n^1.02 on both sides", "10 times as high just above"]);
        assert_told(&change(0.5), &["falls by a factor of 2.00 there"]);
        let split = |factor_at_largest| Diagnosis::Split {
            factor: 2.0,
            factor_at_largest,
            upper_share: 0.4,
            separation: 9.0,
        };
        assert!(split(2.1).in_words("n").ends_with("at the same n"));
        assert!(split(9.0).in_words("n").ends_with("at the same n, 9.00 times at the largest"));
    }

    #[test]
    fn numbers_are_rounded_to_two_digits() {
        for (value, text) in [
            (0.012_34, "0.012"),
            (9.96, "10"),
            (1.234_5e9, "1.2e9"),
            (3.96e4, "40,000"),
            (1.26e6, "1,300,000"),
        ] {
            assert_eq!(two_digits(value), text);
        }
    }
}
