//! Encodes costs as one of 4,095 levels at equal ratios, in two characters instead of about six digits. If costs span a
//! factor of a thousand, levels are 0.17 % apart; if they span all counts, 1.1 %. Rounding loses up to half of that.

use std::fmt::Write as _;

/// Digits of a level: the alphabet of base64.
const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// Number of levels for positive costs; 0 has another one.
const LEVELS: usize = DIGITS.len() * DIGITS.len() - 1;

/// Returns the JSON of `{least, most, levels}`. Level 0 is 0, level 1 the smallest positive cost, and the last level
/// the largest cost. The first digits of all levels precede the second digits, because similar digits compress better.
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
