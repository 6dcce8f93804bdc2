//! Parses the values of a sweep, such as `60..60000 x10`, `60,200,500` or `7`.

use super::error::ConfigError;
use super::quantity::{QuantityError, parse_quantity};

/// Maximum number of values of one parameter; more are probably a typo.
const MOST_VALUES: usize = 10_000;

/// Integers above this limit are not exact in `f64`.
const EXACT: f64 = 9_007_199_254_740_992.0;

/// A parameter of the sweep, with its values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// The parameter's name in placeholders.
    pub name: String,
    /// The values as passed to the program, without duplicates, in the given order. Units are expanded: `1k` becomes
    /// `1000`.
    pub values: Vec<String>,
}

impl Parameter {
    /// Returns true if every value is a number. The parameter can then be a feature.
    pub fn is_numeric(&self) -> bool {
        self.values.iter().all(|v| parse_quantity(v).is_ok())
    }

    /// Returns true if the parameter's name says that it only varies the randomness. It is then not a feature by
    /// default.
    pub fn is_repetition(&self) -> bool {
        is_repetition(&self.name)
    }
}

/// Returns true if a parameter's name says that it only varies the randomness.
pub fn is_repetition(name: &str) -> bool {
    ["seed", "rep", "trial", "repetition"].contains(&name.to_ascii_lowercase().as_str())
}

/// Parses `NAME=VALUES` as given on the command line. See [`parse_values`] for the values.
///
/// # Errors
/// [`ConfigError`] says what is wrong and how to write it.
pub fn parse_parameter(argument: &str) -> Result<Parameter, ConfigError> {
    let bad = |what: String| {
        let help = "write NAME=VALUES, such as `n=60..60000x10`, `n=60,200,500`, `n=60..600x4,9000` or `mode=fast,slow`";
        ConfigError::new(format!("`{argument}`: {what}"), help)
    };
    let (name, values) = argument.split_once('=').ok_or_else(|| bad("`=` is missing".to_owned()))?;
    check_name(name).map_err(bad)?;
    Ok(Parameter { name: name.to_owned(), values: parse_values(values).map_err(bad)? })
}

/// Returns true if a placeholder can have this name.
pub(crate) fn is_parameter_name(name: &str) -> bool {
    let is_word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.');
    !name.is_empty() && name.chars().all(is_word)
}

/// Checks that a parameter can have this name. The error says why not.
pub(crate) fn check_name(name: &str) -> Result<(), String> {
    if !is_parameter_name(name) {
        return Err(format!("`{name}` is not a parameter name; use letters, digits, `_`, `-` and `.`"));
    }
    if name == "input" {
        return Err("`input` names the input file and cannot be a parameter".to_owned());
    }
    Ok(())
}

/// Parses a value, a range `FROM..TO xCOUNT`, or a list of these such as `60..500 x4,20000`. A range's values are
/// evenly spaced on a logarithmic scale and include both ends. Numbers may have units.
///
/// If both ends of a range are whole numbers, the values between are rounded to whole numbers.
///
/// # Errors
/// The error is a sentence that says what is wrong.
pub fn parse_values(text: &str) -> Result<Vec<String>, String> {
    let one = |text: &str| match text.split_once("..") {
        Some((from, rest)) => range(from, rest),
        None => Ok(vec![plain(text)]),
    };
    let values = text.split(',').map(|one_of| one(one_of.trim())).collect::<Result<Vec<_>, _>>()?;
    distinct(values.concat())
}

/// Drops duplicates, and checks that no value is empty and the list is neither empty nor too long.
pub(crate) fn distinct(values: Vec<String>) -> Result<Vec<String>, String> {
    let mut seen = std::collections::HashSet::new();
    let values: Vec<String> = values.into_iter().filter(|v| seen.insert(v.clone())).collect();
    if values.iter().any(String::is_empty) || values.is_empty() {
        return Err("a value is empty".to_owned());
    }
    if values.len() > MOST_VALUES {
        return Err(format!("{} values are too many; the limit is {MOST_VALUES}", values.len()));
    }
    Ok(values)
}

fn range(from: &str, rest: &str) -> Result<Vec<String>, String> {
    let help = "write a range as FROM..TO xCOUNT, for example `60..60000 x10`";
    let (to, count) = rest.rsplit_once('x').ok_or_else(|| format!("the range has no count; {help}"))?;
    let number = |text: &str| parse_quantity(text).map_err(|e: QuantityError| format!("{e}; {help}"));
    let (from, to) = (number(from)?, number(to)?);
    let count: usize = count.trim().parse().map_err(|_| format!("`{count}` is not a count; {help}"))?;
    if !(from > 0.0 && to > 0.0) {
        return Err("ranges are logarithmic, so both ends must be above 0; give 0 in a list".to_owned());
    }
    if to < from {
        return Err(format!("the range goes down; {help}"));
    }
    if count == 0 || (count == 1 && from != to) || count > MOST_VALUES {
        return Err(format!("a range has 2 to {MOST_VALUES} values, not {count}"));
    }
    let whole = from.fract() == 0.0 && to.fract() == 0.0;
    let steps = (count - 1).max(1) as f64;
    let value = |i: usize| {
        // The ends stay as given, without rounding.
        let value = match i {
            0 => from,
            _ if i == count - 1 => to,
            _ => from * (to / from).powf(i as f64 / steps),
        };
        number_as_text(if whole { value.round() } else { value })
    };
    Ok((0..count).map(value).collect())
}

/// Returns a value as it is passed to the program. Units and exponents are expanded; everything else stays as written.
pub(crate) fn plain(value: &str) -> String {
    let is_plain = value.bytes().all(|b| b.is_ascii_digit() || matches!(b, b'.' | b'-' | b'+'));
    match parse_quantity(value) {
        Ok(number) if !is_plain => number_as_text(number),
        _ => value.to_owned(),
    }
}

fn number_as_text(value: f64) -> String {
    if value.fract() == 0.0 && value.abs() < EXACT {
        return format!("{value:.0}");
    }
    // Six digits after the point are enough for a workload's size, and short enough for a name.
    let rounded: f64 = format!("{value:.6e}").parse().unwrap_or(value);
    format!("{rounded}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_range_is_spaced_evenly_on_a_logarithmic_scale_with_both_ends() {
        assert_eq!(parse_values("1..1000 x4").unwrap(), ["1", "10", "100", "1000"]);
        assert_eq!(parse_values("1..1000x4").unwrap(), ["1", "10", "100", "1000"]);
        assert_eq!(parse_values("1k..1M x2").unwrap(), ["1000", "1000000"]);
        let ten = parse_values("60..60000 x10").unwrap();
        assert_eq!(ten, ["60", "129", "278", "600", "1293", "2785", "6000", "12927", "27850", "60000"]);
    }

    #[test]
    fn a_range_may_be_fractional_and_must_not_fall() {
        assert!(parse_values("100..1 x3").unwrap_err().contains("goes down"));
        assert_eq!(parse_values("0.5..2 x3").unwrap(), ["0.5", "1", "2"]);
    }

    #[test]
    fn duplicates_from_rounding_are_dropped() {
        assert_eq!(parse_values("1..4 x10").unwrap(), ["1", "2", "3", "4"]);
    }

    #[test]
    fn lists_keep_words_and_plain_numbers_and_write_units_out() {
        assert_eq!(parse_values("60, 200,500").unwrap(), ["60", "200", "500"]);
        assert_eq!(parse_values("1e6,64KiB,007,fast").unwrap(), ["1000000", "65536", "007", "fast"]);
        assert_eq!(parse_values("-3").unwrap(), ["-3"]);
        assert_eq!(parse_values("1..100x3, 5k,fast").unwrap(), ["1", "10", "100", "5000", "fast"]);
    }

    #[test]
    fn what_makes_no_sense_is_refused() {
        for (text, why) in [
            ("", "a value is empty"),
            ("1,,2", "a value is empty"),
            ("1..9", "has no count"),
            ("0..9 x3", "both ends must be above 0"),
            ("1..9 x0", "values, not 0"),
            ("1..9 x1", "values, not 1"),
            ("1..9 x1000000", "values, not 1000000"),
            ("a..b x3", "`a` does not begin with a number"),
            ("1.. x3", "`` does not begin with a number"),
        ] {
            let error = parse_values(text).unwrap_err();
            assert!(error.contains(why), "{text}: {error}");
        }
        for (argument, why) in [
            ("n", "`=` is missing"),
            ("=3", "`` is not a parameter name"),
            ("input=3", "`input` names the input file"),
            ("a b=3", "`a b` is not a parameter name"),
            ("n=", "a value is empty"),
        ] {
            let error = parse_parameter(argument).unwrap_err().to_string();
            assert!(error.contains(why), "{argument}: {error}");
        }
        assert_eq!(parse_parameter("n=1,2").unwrap().values, ["1", "2"]);
    }
}
