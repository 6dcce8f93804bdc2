//! Formats numbers of the report, with the words that explain their units.

pub(crate) use trend_answer::number::*;
use trend_profile::Unit;

/// Formats the number of rows that are not shown: `1 more line`, `1,480 more clusters`.
pub(crate) fn more(n: usize, noun: &str) -> String {
    let ending = if n == 1 { "" } else { "s" };
    format!("{} more {noun}{ending}", size(n as f64))
}

const LEGEND: &str = "k = 10³, M = 10⁶, G = 10⁹, T = 10¹²";
const LEGEND_OF_TIMES: &str = "k = ns, M = µs, G = ms, T = s";

/// Returns the meaning of the suffixes; every table explains it once.
pub(crate) fn legend(unit: &Unit) -> &'static str {
    if unit.is_time() { LEGEND_OF_TIMES } else { LEGEND }
}

/// Returns the meaning of the suffixes after a comma, if it is unusual: for times.
pub(crate) fn legend_of_times(unit: &Unit) -> String {
    if unit.is_time() { format!(", {LEGEND_OF_TIMES}") } else { String::new() }
}

/// Formats an exact cost with its unit: `1.80 G executions`, `5.40 ms`.
pub(crate) fn in_unit(value: u64, unit: &Unit) -> String {
    if unit.is_time() {
        return picoseconds(value as f64);
    }
    format!("{} {}", count(value), crate::layout::text::shorten(unit.name(), 40))
}

/// Formats a predicted cost to two digits, with its unit: `1.4 G executions`.
pub(crate) fn predicted_in(value: f64, unit: &Unit) -> String {
    if unit.is_time() {
        return picoseconds(value);
    }
    format!("{} {}", cost(value, 2), crate::layout::text::shorten(unit.name(), 40))
}

/// Appends an interval, already in parentheses, to a cost. It may be empty or absent.
pub(crate) fn followed_by(cost: String, ends: Option<String>) -> String {
    match ends {
        Some(ends) if !ends.is_empty() => format!("{cost} {ends}"),
        _ => cost,
    }
}

/// Returns true if both ends of an interval are finite.
pub(crate) fn is_finite(ci: &[f64; 2]) -> bool {
    ci.iter().all(|v| v.is_finite())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_told_in_a_unit_that_fits() {
        let texts = [0, 999, 1500, 2_500_000, 5_400_000_000, 61_000_000_000_000]
            .map(|t| in_unit(t, &Unit::new("ps")));
        assert_eq!(texts, ["0 ps", "999 ps", "1.50 ns", "2.50 µs", "5.40 ms", "61.0 s"]);
        assert_eq!(in_unit(1_800_000_000, &Unit::default()), "1.80 G executions");
    }
}
