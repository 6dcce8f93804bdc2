//! Numbers as short as JSON can write them.

use std::fmt::Write as _;
use std::io;

use serde::Serialize as _;
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

impl serde_json::ser::Formatter for ShortNumbers {
    fn write_f64<W: ?Sized + io::Write>(&mut self, writer: &mut W, value: f64) -> io::Result<()> {
        if value.fract() == 0.0 && value.abs() < LARGEST_WHOLE {
            return write!(writer, "{}", value as i64);
        }
        let mut json = String::new();
        push(&mut json, value, FINDINGS_DIGITS);
        writer.write_all(json.as_bytes())
    }
}

/// Text that is JSON, to be written as it is.
pub(super) fn raw(json: String) -> Box<RawValue> {
    RawValue::from_string(json).unwrap_or_else(|_| RawValue::NULL.to_owned())
}

/// Appends `value` to so many significant digits as a JSON number, without zeros that say nothing: `1234e8`, `12.5`,
/// `31e-6`; `null` where it is not finite.
pub(super) fn push(json: &mut String, value: f64, digits: usize) {
    if !value.is_finite() {
        json.push_str("null");
        return;
    }
    let scientific = format!("{value:.*e}", digits.saturating_sub(1));
    let (mantissa, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    let (sign, mantissa) = mantissa.strip_prefix('-').map_or(("", mantissa), |rest| ("-", rest));
    let mut figures: String = mantissa.chars().filter(char::is_ascii_digit).collect();
    figures.truncate(figures.trim_end_matches('0').len().max(1));
    if figures == "0" {
        json.push('0');
        return;
    }
    // Places of the last figure behind (or, negative, before) the decimal point.
    let places = figures.len() as i32 - 1 - exponent;
    json.push_str(sign);
    match places {
        -2..=0 => {
            json.push_str(&figures);
            (places..0).for_each(|_| json.push('0'));
        }
        1.. if exponent >= 0 => {
            let (whole, part) = figures.split_at(exponent as usize + 1);
            let _ = write!(json, "{whole}.{part}");
        }
        _ => {
            let _ = write!(json, "{figures}e{}", -places);
        }
    }
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
    let (mut figures, mut exponent) = (count / step + u64::from(count % step >= step / 2), excess);
    while figures % 10 == 0 {
        figures /= 10;
        exponent += 1;
    }
    match exponent {
        1 => _ = write!(json, "{figures}0"),
        2 => _ = write!(json, "{figures}00"),
        _ => _ = write!(json, "{figures}e{exponent}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn short(value: f64, digits: usize) -> String {
        let mut json = String::new();
        push(&mut json, value, digits);
        json
    }

    fn short_count(count: u64) -> String {
        let mut json = String::new();
        push_count(&mut json, count, 4);
        json
    }

    #[test]
    fn numbers_are_written_without_zeros_that_say_nothing() {
        let shown = [0.0, 1.0, 1_234_567.0, 120.0, 12.5, -0.000_031, 0.25, 1e300, 99_999.6, -0.0, 5e-324];
        let shown = shown.map(|v| short(v, 5));
        assert_eq!(
            shown,
            ["0", "1", "1234600", "120", "12.5", "-31e-6", "25e-2", "1e300", "1e5", "0", "49407e-328"]
        );
        assert_eq!([f64::NAN, f64::INFINITY].map(|v| short(v, 5)), ["null", "null"]);
    }

    #[test]
    fn every_short_number_is_json_and_as_near_as_its_digits_say() {
        for exponent in -300..300 {
            for digits in 1..10 {
                let value = 1.234_567_890_123 * 10_f64.powi(exponent);
                let read: f64 = serde_json::from_str(&short(value, digits)).unwrap();
                assert!(
                    (read / value - 1.0).abs() <= 0.51 * 10_f64.powi(1 - digits as i32),
                    "{value} {read}"
                );
            }
        }
    }

    #[test]
    fn counts_keep_four_digits() {
        let shown =
            [0, 7, 9999, 12_345, 99_995, 1_234_500_000, 5_000_000_000, u64::MAX].map(short_count).to_vec();
        assert_eq!(shown, ["0", "7", "9999", "12350", "1e5", "1235e6", "5e9", "1845e16"]);
        for shift in 0..64 {
            let count = (1_u64 << shift) + 12_345 * u64::from(shift > 40);
            let read: f64 = serde_json::from_str(&short_count(count)).unwrap();
            assert!((read / count as f64 - 1.0).abs() <= 0.000_51, "{count} {read}");
        }
    }
}
