//! Costs as one of 4,095 levels at equal ratios: two characters each, where digits would take six. Between costs that are
//! a thousand times apart levels are 0.17 % apart, between any two counts 1.1 %; the half of it is what is lost.

use std::fmt::Write as _;

/// The digits of a level, as base64 has them.
const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// Besides the one of 0.
const LEVELS: usize = DIGITS.len() * DIGITS.len() - 1;

/// The JSON of `{least, most, levels}`: level 0 is 0, the first is the least positive cost and the last the greatest. The first
/// digits of all levels stand before the second ones, as those are alike.
pub(super) fn levels(costs: &[u64]) -> String {
    let positive = || costs.iter().copied().filter(|cost| *cost > 0);
    let (least, most) = (positive().min().unwrap_or(1), positive().max().unwrap_or(1));
    let per_level = ((most as f64).ln() - (least as f64).ln()) / (LEVELS - 1) as f64;
    let level = |&cost: &u64| match cost {
        0 => 0,
        _ if most == least => 1,
        _ => 1 + (((cost as f64).ln() - (least as f64).ln()) / per_level).round() as usize,
    };
    let mut json = String::with_capacity(2 * costs.len() + 64);
    let _ = write!(json, "{{\"least\":{least},\"most\":{most},\"levels\":\"");
    let levels: Vec<usize> = costs.iter().map(level).collect();
    json.extend(levels.iter().map(|level| char::from(DIGITS[level / DIGITS.len() % DIGITS.len()])));
    json.extend(levels.iter().map(|level| char::from(DIGITS[level % DIGITS.len()])));
    json.push_str("\"}");
    json
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zero_is_the_first_level_and_the_greatest_cost_the_last() {
        assert_eq!(levels(&[0, 10, 1_000_000]), r#"{"least":10,"most":1000000,"levels":"AA/AB/"}"#);
        assert_eq!(levels(&[7, 7, 0]), r#"{"least":7,"most":7,"levels":"AAABBA"}"#);
        assert_eq!(levels(&[]), r#"{"least":1,"most":1,"levels":""}"#);
        // 1,000 is in the middle between 10 and 100,000: level 1 + 4094 / 2 = 2048, which is 32 · 64.
        assert_eq!(levels(&[10, 1000, 100_000]), r#"{"least":10,"most":100000,"levels":"Ag/BA/"}"#);
    }
}
