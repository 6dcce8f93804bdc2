//! Numbers as short as JSON can write them.

use std::fmt::Write as _;
use std::io;

use serde::Serialize as _;
use serde_json::ser::{CompactFormatter, Formatter};
use serde_json::value::RawValue;
use trend_analyze::Findings;

/// Digits of the findings' numbers; what a page shows has four. Of a study of 1,500 clusters in three features nine
/// would take 0.7 MB of a page of 8 MB more, all 17 a third of it.
const FINDINGS_DIGITS: usize = 6;

/// Below this every integer is one that JavaScript holds.
const LARGEST_WHOLE: f64 = 9_007_199_254_740_992.0;

/// Writes the findings as they are published, but for numbers with a fraction, which have six significant digits.
pub(super) fn write_findings(findings: &Findings, stream: impl io::Write) -> io::Result<()> {
    let mut serializer = serde_json::Serializer::with_formatter(stream, ShortNumbers);
    Ok(findings.serialize(&mut serializer)?)
}

/// The JSON of a value with the findings' short numbers.
pub(super) fn short(value: &impl serde::Serialize) -> Box<RawValue> {
    let mut json = Vec::new();
    // Writing to memory does not fail.
    let _ = value.serialize(&mut serde_json::Serializer::with_formatter(&mut json, ShortNumbers));
    raw(String::from_utf8(json).unwrap_or_default())
}

/// Compact JSON with short numbers.
struct ShortNumbers;

impl Formatter for ShortNumbers {
    fn write_f64<W: ?Sized + io::Write>(&mut self, writer: &mut W, value: f64) -> io::Result<()> {
        if value.fract() == 0.0 && value.abs() < LARGEST_WHOLE {
            return write!(writer, "{}", value as i64);
        }
        let rounded = format!("{value:.*e}", FINDINGS_DIGITS - 1).parse().unwrap_or(value);
        CompactFormatter.write_f64(writer, rounded)
    }
}

/// Text that is JSON, to be written as it is.
pub(super) fn raw(json: String) -> Box<RawValue> {
    RawValue::from_string(json).unwrap_or_else(|_| RawValue::NULL.to_owned())
}

/// A count to so many significant digits.
pub(super) fn push_count(json: &mut String, count: u64, digits: u32) {
    let excess = count.checked_ilog10().map_or(0, |log| (log + 1).saturating_sub(digits));
    if excess == 0 {
        let _ = write!(json, "{count}");
        return;
    }
    // In integers, so that what has few digits is written exactly.
    let step = 10_u64.pow(excess);
    let rounded = u128::from(count / step + u64::from(count % step >= step / 2)) * u128::from(step);
    let _ = write!(json, "{rounded:e}");
}

#[cfg(test)]
mod tests {
    use super::*;

    fn short_count(count: u64) -> String {
        let mut json = String::new();
        push_count(&mut json, count, 4);
        json
    }

    #[test]
    fn numbers_have_six_digits() {
        let values = [0.0, -1.0, 1_234_567.0, 12.5, -0.000_031, 1.0 / 3.0, 1e300 / 3.0, 5e-324, f64::NAN];
        let expected = "[0,-1,1234567,12.5,-0.000031,0.333333,3.33333e+299,5e-324,null]";
        assert_eq!(short(&values).get(), expected);
    }

    #[test]
    fn counts_keep_four_digits() {
        let shown =
            [0, 7, 9999, 12_345, 99_995, 1_234_500_000, 5_000_000_000, u64::MAX].map(short_count).to_vec();
        assert_eq!(shown, ["0", "7", "9999", "1.235e4", "1e5", "1.235e9", "5e9", "1.845e19"]);
        for shift in 0..64 {
            let count = (1_u64 << shift) + 12_345 * u64::from(shift > 40);
            let read: f64 = serde_json::from_str(&short_count(count)).unwrap();
            assert!((read / count as f64 - 1.0).abs() <= 0.000_51, "{count} {read}");
        }
    }
}
