//! Parses numbers with units, such as `128MB`, `1e6`, `64KiB`, `1k` and `10m`.

use std::time::Duration;

/// The reason why a text is not a quantity. Completes "failed to read `…`: …".
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct QuantityError(String);

/// Unit prefixes of amounts, followed by `B` or nothing. Case is ignored, and `k`, `M`, `G` and `T` are always decimal.
const UNITS: [(&str, f64); 10] = [
    ("", 1.0),
    ("k", 1e3),
    ("m", 1e6),
    ("g", 1e9),
    ("t", 1e12),
    ("p", 1e15),
    ("ki", 1024.0),
    ("mi", 1_048_576.0),
    ("gi", 1_073_741_824.0),
    ("ti", 1_099_511_627_776.0),
];

const KNOWN_UNITS: &str = "k, M, G, T, P, Ki, Mi, Gi, Ti, each with or without B";
const KNOWN_TIMES: &str = "ms, s, m, h, d";

/// Parses an amount: `60`, `1.5`, `1e6`, `1_000_000`, `128MB` (10⁶ each), `64KiB` (2¹⁰ each), `1k`.
///
/// # Errors
/// [`QuantityError`] if the number is not finite or the unit is unknown.
pub fn parse_quantity(text: &str) -> Result<f64, QuantityError> {
    let (number, unit) = number_and_unit(text)?;
    let lower = unit.to_ascii_lowercase();
    let prefix = lower.strip_suffix('b').unwrap_or(&lower);
    let factor = UNITS.iter().find(|(name, _)| *name == prefix).map(|(_, factor)| *factor);
    let value = number * factor.ok_or_else(|| unknown_unit(text, unit, KNOWN_UNITS))?;
    if value.is_finite() { Ok(value) } else { Err(out_of_range(text)) }
}

/// Parses an amount of memory. See [`parse_quantity`] for the units.
///
/// # Errors
/// The errors of [`parse_quantity`], and an error for amounts below one byte.
pub fn parse_bytes(text: &str) -> Result<u64, QuantityError> {
    let value = parse_quantity(text)?;
    // The limit is about 2^63, written so that the comparison of floats is exact.
    if (1.0..9.2e18).contains(&value) { Ok(value as u64) } else { Err(out_of_range(text)) }
}

/// Parses a time such as `30s`, `10m`, `1.5h` or `200ms`. A number without a unit is in seconds.
///
/// # Errors
/// [`QuantityError`] if the number is not positive or the unit is unknown.
pub fn parse_duration(text: &str) -> Result<Duration, QuantityError> {
    let (number, unit) = number_and_unit(text)?;
    let seconds = match unit {
        "ms" => 1e-3,
        "" | "s" | "sec" => 1.0,
        "m" | "min" => 60.0,
        "h" => 3600.0,
        "d" => 86400.0,
        _ => return Err(unknown_unit(text, unit, KNOWN_TIMES)),
    };
    let time = Duration::try_from_secs_f64(number * seconds).map_err(|_| out_of_range(text))?;
    if time.is_zero() { Err(out_of_range(text)) } else { Ok(time) }
}

fn unknown_unit(text: &str, unit: &str, units: &str) -> QuantityError {
    QuantityError(format!("`{text}` has the unknown unit `{unit}`; use one of {units}"))
}

fn out_of_range(text: &str) -> QuantityError {
    QuantityError(format!("`{text}` is out of range"))
}

/// Splits a text into the number at its start and the unit after it.
fn number_and_unit(text: &str) -> Result<(f64, &str), QuantityError> {
    let text = text.trim();
    let bytes = text.as_bytes();
    let digit = |i: usize| bytes.get(i).is_some_and(u8::is_ascii_digit);
    let mut end = usize::from(matches!(bytes.first(), Some(b'-' | b'+')));
    while digit(end) || matches!(bytes.get(end), Some(b'.' | b'_')) {
        end += 1;
    }
    if matches!(bytes.get(end), Some(b'e' | b'E')) {
        let sign = usize::from(matches!(bytes.get(end + 1), Some(b'-' | b'+')));
        if digit(end + 1 + sign) {
            end += 2 + sign;
            while digit(end) {
                end += 1;
            }
        }
    }
    let (number, unit) = text.split_at(end);
    let number = number.replace('_', "");
    match number.parse::<f64>() {
        Ok(number) if number.is_finite() => Ok((number, unit.trim_start())),
        Ok(_) => Err(out_of_range(text)),
        Err(_) => Err(QuantityError(format!("`{text}` does not begin with a number"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_are_read_with_decimal_and_binary_units() {
        for (text, value) in [
            ("60", 60.0),
            ("1e6", 1e6),
            ("2.5e-3", 2.5e-3),
            ("1_000", 1000.0),
            ("128MB", 128e6),
            ("128 MB", 128e6),
            ("64KiB", 65536.0),
            ("1k", 1000.0),
            ("1K", 1000.0),
            ("2Gi", 2_147_483_648.0),
            ("3TB", 3e12),
            ("7B", 7.0),
            ("-4", -4.0),
        ] {
            assert_eq!(parse_quantity(text), Ok(value), "{text}");
        }
    }

    #[test]
    fn what_is_no_amount_is_refused() {
        let error = |text: &str| parse_quantity(text).unwrap_err();
        for text in ["", "MB", "nan", "inf", ".", "1.2.3", "e5", "--1"] {
            assert_eq!(error(text).to_string(), format!("`{text}` does not begin with a number"));
        }
        assert_eq!(error("12 apples"), unknown_unit("12 apples", "apples", KNOWN_UNITS));
        assert_eq!(error("1e999"), out_of_range("1e999"));
        for text in ["0", "-1MB"] {
            assert_eq!(parse_bytes(text), Err(out_of_range(text)));
        }
        assert_eq!(parse_bytes("2GB"), Ok(2_000_000_000));
    }

    #[test]
    fn times_are_read_and_a_bare_number_is_in_seconds() {
        assert_eq!(parse_duration("10m"), Ok(Duration::from_mins(10)));
        assert_eq!(parse_duration("30s"), Ok(Duration::from_secs(30)));
        assert_eq!(parse_duration("250ms"), Ok(Duration::from_millis(250)));
        assert_eq!(parse_duration("1.5"), Ok(Duration::from_millis(1500)));
        for text in ["0", "-1s", "1e300h"] {
            assert_eq!(parse_duration(text), Err(out_of_range(text)));
        }
        assert_eq!(parse_duration("10 parsecs"), Err(unknown_unit("10 parsecs", "parsecs", KNOWN_TIMES)));
        assert_eq!(parse_duration("").unwrap_err().to_string(), "`` does not begin with a number");
    }
}
