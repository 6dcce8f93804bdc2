//! Parses counts as people and spreadsheets write them: `1000000`, `1e6`, `12.0`.
//!
//! The text is parsed digit by digit: converting through `f64` would change counts above 2^53.

/// Maximum number of digits; no `u64` has more.
const DIGITS: usize = 20;
const NOT_A_NUMBER: &str = "is not a number";

/// Parses the whole number in a cell, or returns a message.
pub(crate) fn count(cell: &str) -> Result<u64, &'static str> {
    if let Ok(count) = cell.parse() {
        return Ok(count);
    }
    if cell.is_empty() {
        return Err("is empty");
    }
    let is_negative = cell.starts_with('-');
    let (mantissa, exponent) = match cell.trim_start_matches(['+', '-']).split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, exponent.parse::<i32>().map_err(|_| NOT_A_NUMBER)?),
        None => (cell.trim_start_matches(['+', '-']), 0),
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = format!("{whole}{fraction}");
    if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return Err(NOT_A_NUMBER);
    }
    let significant = digits.trim_start_matches('0');
    let trimmed = significant.trim_end_matches('0');
    if trimmed.is_empty() {
        return Ok(0);
    }
    if is_negative {
        return Err("is negative");
    }
    let zeros = (significant.len() - trimmed.len()) as i64 - fraction.len() as i64 + i64::from(exponent);
    let Ok(zeros) = usize::try_from(zeros) else { return Err("is not a whole number") };
    if trimmed.len() + zeros.min(DIGITS) > DIGITS {
        return Err("is larger than 2^64");
    }
    format!("{trimmed}{}", "0".repeat(zeros)).parse().map_err(|_| "is larger than 2^64")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_numbers_are_exact_however_they_are_written() {
        let cells = [
            ("0", 0),
            ("-0.0", 0),
            ("+7", 7),
            ("12.0", 12),
            ("12.", 12),
            ("1e6", 1_000_000),
            ("1.5E+3", 1500),
            ("2500e-2", 25),
            ("18446744073709551615", u64::MAX),
            ("18446744073709551615.0", u64::MAX),
            ("9007199254740993.0", 9_007_199_254_740_993),
        ];
        for (cell, expected) in cells {
            assert_eq!(count(cell), Ok(expected), "{cell}");
        }
    }

    #[test]
    fn everything_else_is_refused_with_its_reason() {
        let cells = [
            ("", "is empty"),
            ("many", "is not a number"),
            ("e6", "is not a number"),
            ("1e", "is not a number"),
            ("nan", "is not a number"),
            ("1e99999999999", "is not a number"),
            ("-3", "is negative"),
            ("0.5", "is not a whole number"),
            ("1e-1", "is not a whole number"),
            ("1e2147483647", "is larger than 2^64"),
            ("18446744073709551616", "is larger than 2^64"),
        ];
        for (cell, expected) in cells {
            assert_eq!(count(cell), Err(expected), "{cell}");
        }
    }
}
