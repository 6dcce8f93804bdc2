//! Formats numbers for people, with about as many digits as the interval supports, and with unit suffixes.

/// Sign of negative numbers. Only text for shells and files has hyphens.
const MINUS: char = '−';

/// Suffixes of costs: 10³, 10⁶, …
const SUFFIXES: [&str; 7] = ["", " k", " M", " G", " T", " P", " E"];

/// Smallest cost that is scaled; smaller ones are printed to the last unit.
const SCALED_FROM: f64 = 10_000.0;

/// Number of digits shown without an interval.
const DIGITS_WITHOUT_INTERVAL: usize = 3;

/// Returns the number of digits of `value` that an interval supports, on which both ends roughly agree: at least two
/// and at most four.
pub fn supported_digits(value: f64, ci: Option<[f64; 2]>) -> usize {
    let Some([lo, hi]) = ci else { return DIGITS_WITHOUT_INTERVAL };
    let half = (hi - lo) / 2.0;
    if !half.is_finite() || !value.is_finite() || half < 0.0 {
        return DIGITS_WITHOUT_INTERVAL;
    }
    if half == 0.0 {
        return 4;
    }
    ((value.abs() / half).log10().floor() + 1.0).clamp(2.0, 4.0) as usize
}

/// Formats `value` with `digits` significant digits, in scientific notation where zeros would hide them.
pub fn significant(value: f64, digits: usize) -> String {
    if !value.is_finite() {
        return if value.is_nan() {
            "?"
        } else if value > 0.0 {
            "∞"
        } else {
            "−∞"
        }
        .to_owned();
    }
    if value == 0.0 {
        return "0".to_owned();
    }
    let scientific = format!("{value:.*e}", digits.saturating_sub(1));
    let exponent: i32 = scientific.rsplit_once('e').and_then(|(_, e)| e.parse().ok()).unwrap_or(0);
    if (-4..6).contains(&exponent) {
        let decimals = (digits as i32 - 1 - exponent).max(0) as usize;
        // Digits left of the point that the precision does not support become zeros.
        let rounded: f64 = scientific.parse().unwrap_or(value);
        signed(format!("{rounded:.decimals$}"))
    } else {
        signed(scientific)
    }
}

/// Replaces a leading hyphen with a minus sign. Hyphens in exponents stay.
fn signed(text: String) -> String {
    match text.strip_prefix('-') {
        Some(digits) => format!("{MINUS}{digits}"),
        None => text,
    }
}

/// Returns the separator between the ends of an interval. A dash would be hard to see among minus signs.
fn between(low: &str, high: &str) -> &'static str {
    if [low, high].iter().any(|end| end.starts_with(MINUS)) { " … " } else { "–" }
}

/// Formats an interval with three digits, or as one number if both ends then look the same.
pub fn significant_interval([lo, hi]: [f64; 2]) -> String {
    let [low, high] = [lo, hi].map(|v| significant(v, DIGITS_WITHOUT_INTERVAL));
    if low == high { low } else { format!("{low}{}{high}", between(&low, &high)) }
}

/// Formats a cost with `digits` significant digits: `1770`, `5.40 G`.
pub fn cost(value: f64, digits: usize) -> String {
    let (number, suffix) = scaled(value, digits);
    format!("{number}{suffix}")
}

/// Formats a prediction with as many digits as its interval supports; without an interval, adds `≈`.
pub fn predicted(value: f64, ci: Option<[f64; 2]>) -> String {
    match ci {
        Some(_) => cost(value, supported_digits(value, ci).min(3)),
        None => format!("≈ {}", cost(value, 2)),
    }
}

/// Formats an exact cost.
pub fn count(value: u64) -> String {
    cost(value as f64, DIGITS_WITHOUT_INTERVAL)
}

fn scaled(value: f64, digits: usize) -> (String, &'static str) {
    if !value.is_finite() || value.abs() < SCALED_FROM {
        let whole = value.is_finite() && (is_whole(value) || value.abs() >= 1000.0);
        return (if whole { positive_zero(format!("{value:.0}")) } else { significant(value, digits) }, "");
    }
    // Round first, so that 999,960 becomes 1.00 M and not 1000 k.
    let rounded = rounded(value, digits);
    let thousands = (rounded.abs().log10() / 3.0 + 1e-9).floor() as usize;
    match SUFFIXES.get(thousands) {
        Some(suffix) => (significant(rounded / 1000_f64.powi(thousands as i32), digits), suffix),
        None => (significant(value, digits), ""),
    }
}

/// Returns true if a number is whole, apart from rounding in its computation.
fn is_whole(value: f64) -> bool {
    const ROUNDING: f64 = 1e-12;
    (value - value.round()).abs() <= ROUNDING * value.abs()
}

/// Formats an interval of costs: `21.5–21.7 G`, or as one number if both ends look the same at four digits.
pub fn cost_interval([lo, hi]: [f64; 2]) -> String {
    let digits = digits_that_differ(lo, hi, cost, 4);
    let ((low, low_suffix), (high, high_suffix)) = (scaled(lo, digits), scaled(hi, digits));
    let dash = between(&low, &high);
    if low == high && low_suffix == high_suffix {
        format!("{low}{low_suffix}")
    } else if low_suffix == high_suffix && !low.contains('e') {
        format!("{low}{dash}{high}{high_suffix}")
    } else {
        format!("{low}{low_suffix}{dash}{high}{high_suffix}")
    }
}

/// Formats an interval of costs to follow a cost: `(21.5–21.7 G)`. Empty if both ends are equal when rounded to three
/// digits, the most that a predicted cost shows.
pub fn cost_ends([lo, hi]: [f64; 2]) -> String {
    if cost(lo, 3) == cost(hi, 3) { String::new() } else { format!("({})", cost_interval([lo, hi])) }
}

/// Returns the fewest digits, at least 2, at which the ends of an interval look different.
fn digits_that_differ(lo: f64, hi: f64, print: impl Fn(f64, usize) -> String, most: usize) -> usize {
    (2..most).find(|&digits| print(lo, digits) != print(hi, digits)).unwrap_or(most)
}

/// Formats the exponent of a power law with two decimals, or with one if its interval is wide.
pub fn exponent(b: f64, ci: Option<[f64; 2]>) -> String {
    let wide = ci.is_some_and(|[lo, hi]| hi - lo > 0.4);
    positive_zero(if wide { format!("{b:.1}") } else { format!("{b:.2}") })
}

/// Formats an interval of exponents: `1.90–1.96`. A third decimal is added if two would hide its width; one number is
/// enough if the ends agree in three.
pub fn exponent_interval([lo, hi]: [f64; 2]) -> String {
    let print = |decimals: usize| {
        let [low, high] = [lo, hi].map(|v| positive_zero(format!("{v:.decimals$}")));
        if low == high { (true, low) } else { (false, format!("{low}{}{high}", between(&low, &high))) }
    };
    let (hidden, text) = print(2);
    if hidden { print(3).1 } else { text }
}

/// Removes trailing zeros from a printed number: `27` for `27.0`.
pub fn trimmed(number: &str) -> &str {
    if number.contains('.') && !number.contains('e') {
        number.trim_end_matches('0').trim_end_matches('.')
    } else {
        number
    }
}

/// Returns true if a printed exponent is zero, which means no growth.
pub fn is_zero(exponent: &str) -> bool {
    exponent.bytes().all(|b| matches!(b, b'0' | b'.'))
}

fn positive_zero(text: String) -> String {
    match text.strip_prefix('-') {
        Some(digits) if digits.bytes().all(|b| matches!(b, b'0' | b'.')) => digits.to_owned(),
        _ => signed(text),
    }
}

/// Formats a number with its noun: `1 workload`, `1,200 workloads`.
pub fn plural(n: usize, noun: &str) -> String {
    if n == 1 { format!("1 {noun}") } else { format!("{} {noun}s", size(n as f64)) }
}

/// Formats the value of a feature: `600,000`, `52.43 M`, `0.25`.
pub fn size(value: f64) -> String {
    if value.is_finite() && value.abs() < 1e7 {
        if value.fract() == 0.0 {
            return grouped(value as i64);
        }
        if value.abs() >= 100.0 {
            return grouped(value.round() as i64);
        }
        return significant(value, DIGITS_WITHOUT_INTERVAL);
    }
    let digits = (1..4).find(|&d| format!("{value:.*e}", d - 1).parse() == Ok(value)).unwrap_or(4);
    if digits <= 3 && value.abs() < 1e21 {
        let thousands = (value.abs().log10() / 3.0 + 1e-9).floor() as usize;
        if let Some(suffix) = SUFFIXES.get(thousands) {
            return signed(format!("{}{suffix}", value / 1000_f64.powi(thousands as i32)));
        }
    }
    cost(value, digits.min(3))
}

/// Formats a round value for an axis, with only the digits it has: `20 k`, `1.5 M`, `0.25`, `1e-9`.
pub fn tick(value: f64) -> String {
    let size = value.abs();
    if size == 0.0 {
        return "0".to_owned();
    }
    if !(1e-3..1e21).contains(&size) {
        return signed(format!("{:e}", rounded(value, 6)));
    }
    if size < SCALED_FROM {
        return signed(rounded(value, 6).to_string());
    }
    let thousands = (size.log10() / 3.0 + 1e-9).floor() as usize;
    let suffix = SUFFIXES.get(thousands).copied().unwrap_or_default();
    signed(format!("{}{suffix}", rounded(value / 1000_f64.powi(thousands as i32), 6)))
}

/// Formats a whole number in groups: `600,000`.
pub fn grouped(value: i64) -> String {
    let digits = value.unsigned_abs().to_string();
    let mut text = if value < 0 { MINUS.to_string() } else { String::new() };
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Rounds a number to `digits` significant digits.
pub fn rounded(value: f64, digits: usize) -> f64 {
    format!("{value:.*e}", digits - 1).parse().unwrap_or(value)
}

/// Rounds a number to two digits, which is the best precision of a crossing.
pub fn two_digits(value: f64) -> f64 {
    rounded(value, 2)
}

/// Formats a share between 0 and 1 as a percentage.
pub fn share(share: f64) -> String {
    percent(share) + " %"
}

/// Formats a share now and at a target, if that is known: `28.0 → 30.1 %`.
pub fn share_change(now: f64, then: Option<f64>) -> String {
    match then {
        Some(then) => format!("{} → {}", percent(now), share(then)),
        None => share(now),
    }
}

/// Formats a probability as a percentage, never rounded to 0 or 100 %: `>99 %`.
pub fn probability(value: f64) -> String {
    match (value * 100.0).round() {
        100.0 if value < 1.0 - 1e-9 => ">99 %".to_owned(),
        0.0 => "<1 %".to_owned(),
        percent => format!("{percent:.0} %"),
    }
}

fn percent(share: f64) -> String {
    if share > 0.0 && share < 0.0005 { "<0.1".to_owned() } else { format!("{:.1}", share * 100.0) }
}

/// Formats R², never rounded up to 1 if it is smaller.
pub fn r2(r2: f64) -> String {
    if !r2.is_finite() {
        return "?".to_owned();
    }
    if (0.995..0.9995).contains(&r2) {
        return format!("{r2:.3}");
    }
    positive_zero(format!("{r2:.2}"))
}

/// Formats a factor with the digits that its interval supports: `4.002× (4.000–4.003)`.
pub fn factor(value: f64, ci: Option<[f64; 2]>) -> String {
    match ci {
        Some([lo, hi]) => {
            let digits = digits_that_differ(lo, hi, significant, 4);
            let [value, lo, hi] = [value, lo, hi].map(|v| significant(v, digits));
            if lo == hi && lo == value {
                format!("{value}×")
            } else {
                format!("{value}× ({lo}{}{hi})", between(&lo, &hi))
            }
        }
        None => format!("≈ {}×", significant(value, 2)),
    }
}

/// Units of times in picoseconds.
const TIMES: [(f64, &str); 5] = [(1e12, "s"), (1e9, "ms"), (1e6, "µs"), (1e3, "ns"), (1.0, "ps")];

/// Formats picoseconds: `5.40 ms`.
pub fn picoseconds(value: f64) -> String {
    let (size, unit) = TIMES.into_iter().find(|(size, _)| value >= *size).unwrap_or((1.0, "ps"));
    format!("{} {unit}", significant(value / size, DIGITS_WITHOUT_INTERVAL))
}

/// Length of a day in seconds.
pub const DAY: f64 = 86_400.0;

/// Formats a time with its interval: `5.6 s (4.6–7.3)`.
pub fn seconds(value: f64, ci: Option<[f64; 2]>) -> String {
    in_unit(value, unit_of_time(value), 2) + &ends(ci, value, unit_of_time)
}

/// Returns the largest unit that fits at least twice into the time, and its length in seconds. Below 2 s, the unit is
/// s; below 0.1 s, ms; below 0.1 ms, µs.
pub fn unit_of_time(seconds: f64) -> (f64, &'static str) {
    let units = [(365.25 * DAY, "years"), (DAY, "days"), (3600.0, "h"), (60.0, "min"), (1.0, "s")];
    let is_enough = |(size, _): &(f64, &str)| seconds >= 2.0 * size;
    let sub_second = match seconds {
        s if s >= 0.1 => (1.0, "s"),
        s if s > 0.0 && s < 1e-4 => (1e-6, "µs"),
        _ => (1e-3, "ms"),
    };
    units.into_iter().find(is_enough).unwrap_or(sub_second)
}

/// Formats a number of bytes in powers of ten: `1.4 MB`.
pub fn bytes(value: f64, digits: usize) -> String {
    in_unit(value, unit_of_bytes(value), digits)
}

/// Formats the value of a feature: `40 MB` or `5.01 MB` for bytes, `600,000` for others.
pub fn feature_size(feature: &str, value: f64) -> String {
    if feature == "bytes" { byte_size(value) } else { size(value) }
}

/// Formats a number of bytes as a size: `640`, `40 MB`, and `5.01 MB` for 5,005,034.
pub fn byte_size(value: f64) -> String {
    /// Size from which a number of terabytes is hard to read.
    const MOST: f64 = 1e18;
    let near = rounded(value, DIGITS_WITHOUT_INTERVAL);
    let (unit_size, unit) = unit_of_bytes(near);
    if unit_size == 1.0 || near >= MOST {
        return size(value);
    }
    let scaled = near / unit_size;
    let text = if near == value { scaled.to_string() } else { significant(scaled, DIGITS_WITHOUT_INTERVAL) };
    format!("{text} {unit}")
}

/// Formats a number of bytes with its interval: `500 MB (450–560)`.
pub fn bytes_with_interval(value: f64, ci: Option<[f64; 2]>) -> String {
    bytes(value, 2) + &ends(ci, value, unit_of_bytes)
}

/// Returns the largest unit that fits into a number of bytes, and its size in bytes.
fn unit_of_bytes(bytes: f64) -> (f64, &'static str) {
    let units = [(1e12, "TB"), (1e9, "GB"), (1e6, "MB"), (1e3, "kB")];
    units.into_iter().find(|(size, _)| bytes >= *size).unwrap_or((1.0, "bytes"))
}

fn in_unit(value: f64, (size, unit): (f64, &str), digits: usize) -> String {
    format!("{} {unit}", significant(value / size, digits))
}

/// Smallest ratio of an interval's ends at which each end has its own unit.
const WIDE: f64 = 1000.0;

/// Formats an interval in the unit of a value as ` (4.6–7.3)`, and a wide one as ` (32 ms–14 h)`. Returns an empty
/// string without an interval, or if both ends read the same.
fn ends(ci: Option<[f64; 2]>, value: f64, unit_of: impl Fn(f64) -> (f64, &'static str)) -> String {
    let Some(ci) = ci else { return String::new() };
    let is_wide = ci[0] > 0.0 && ci[1] >= WIDE * ci[0] && unit_of(ci[0]) != unit_of(ci[1]);
    let common = unit_of(value).0;
    let [low, high] =
        ci.map(|end| if is_wide { in_unit(end, unit_of(end), 2) } else { significant(end / common, 2) });
    if low == high { String::new() } else { format!(" ({low}–{high})") }
}

#[cfg(test)]
mod tests;
