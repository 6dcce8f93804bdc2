//! Writes numbers in the shortest form that JSON has for them.

use std::io;

use serde::Serialize as _;
use serde_json::ser::{CompactFormatter, Formatter};
use serde_json::value::RawValue;
use trend_analyze::Findings;

/// Digits of the findings' numbers; a page shows four.
pub(super) const FINDINGS_DIGITS: usize = 6;

/// Limit below which JavaScript represents every integer exactly.
const LARGEST_WHOLE: f64 = 9_007_199_254_740_992.0;

/// Writes the findings as they are published, except that fractions have six significant digits.
pub(super) fn write_findings(findings: &Findings, stream: impl io::Write) -> io::Result<()> {
    let mut serializer = serde_json::Serializer::with_formatter(stream, ShortNumbers);
    Ok(findings.serialize(&mut serializer)?)
}

/// Returns the JSON of a value, with numbers as short as in the findings.
pub(super) fn short(value: &impl serde::Serialize) -> Box<RawValue> {
    let mut json = Vec::new();
    // Writing to memory does not fail.
    let _ = value.serialize(&mut serde_json::Serializer::with_formatter(&mut json, ShortNumbers));
    raw(String::from_utf8(json).unwrap_or_default())
}

/// Formatter of compact JSON with short numbers.
struct ShortNumbers;

impl Formatter for ShortNumbers {
    fn write_f64<W: ?Sized + io::Write>(&mut self, writer: &mut W, value: f64) -> io::Result<()> {
        writer.write_all(short_number(value, FINDINGS_DIGITS).as_bytes())
    }
}

/// Formats a number with `digits` significant digits. From six digits on, integers stay exact.
pub(super) fn short_number(value: f64, digits: usize) -> String {
    let is_whole = |value: f64| value.fract() == 0.0 && value.abs() < LARGEST_WHOLE;
    let rounded = match digits {
        FINDINGS_DIGITS.. if is_whole(value) => value,
        _ => format!("{value:.*e}", digits - 1).parse().unwrap_or(value),
    };
    if is_whole(rounded) {
        return (rounded as i64).to_string();
    }
    let mut text = Vec::new();
    // Writing to memory does not fail.
    let _ = CompactFormatter.write_f64(&mut text, rounded);
    String::from_utf8(text).unwrap_or_default()
}

/// Wraps text that is already JSON.
pub(super) fn raw(json: String) -> Box<RawValue> {
    RawValue::from_string(json).unwrap_or_else(|_| RawValue::NULL.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_six_digits() {
        let values = [0.0, -1.0, 1_234_567.0, 12.5, -0.000_031, 1.0 / 3.0, 1e300 / 3.0, 5e-324, f64::NAN];
        let expected = "[0,-1,1234567,12.5,-0.000031,0.333333,3.33333e+299,5e-324,null]";
        assert_eq!(short(&values).get(), expected);
    }
}
