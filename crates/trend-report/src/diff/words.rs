//! Describes a single change: its name and place, what changed, and by how much.

use trend_analyze::{Basis, ChangeKind, Compared, Comparison, Effect};

use crate::layout::number;
use crate::layout::text::{brief, visible};

/// Maximum width of a name.
pub(super) const NAME_WIDTH: usize = 60;

/// Returns the point at which costs are compared: `at n = 1 M`.
pub(super) fn at(comparison: &Comparison) -> String {
    if matches!(comparison.basis, Basis::Measured { .. }) {
        return "mean of the shared runs".to_owned();
    }
    let value = comparison.at.iter().find(|(feature, _)| *feature == comparison.feature);
    let size = |(feature, at): &(String, f64)| {
        format!("at {} = {}", visible(feature), number::feature_size(feature, *at))
    };
    value.map(size).unwrap_or_default()
}

pub(crate) fn name(compared: &Compared) -> String {
    let now = brief(compared.name(), NAME_WIDTH);
    match &compared.was {
        Some(was) if was.name != compared.name() => format!("{} → {now}", brief(&was.name, NAME_WIDTH)),
        _ => now,
    }
}

pub(crate) fn place(compared: &Compared) -> String {
    let Some(place) = &compared.place else { return String::new() };
    let now = match place.line {
        0 => visible(&place.file).into_owned(),
        line => format!("{}:{line}", visible(&place.file)),
    };
    match &compared.was {
        Some(was) if was.file != place.file => format!("{} → {now}", visible(&was.file)),
        _ => now,
    }
}

pub(crate) fn what(compared: &Compared) -> String {
    match compared.change.kind {
        ChangeKind::None => "unchanged".to_owned(),
        ChangeKind::New => "new".to_owned(),
        ChangeKind::Vanished => "removed".to_owned(),
        ChangeKind::Class => "class".to_owned(),
        ChangeKind::Exponent { by, .. } => {
            format!("exponent {}{:.2}", if by < 0.0 { "−" } else { "+" }, by.abs())
        }
        ChangeKind::Factor { by, .. } => format!("factor {}", number::significant(by, 3)),
        ChangeKind::Differs { by } => format!("differs {}", as_change(by)),
        ChangeKind::Floor { by, factor, .. } => {
            let floor = format!("floor {}", signed_cost(by));
            if is_one(factor) { floor } else { format!("factor {}, {floor}", number::significant(factor, 3)) }
        }
    }
}

/// Formats a difference in cost with its sign: `−1.60 M`.
pub(crate) fn signed_cost(by: f64) -> String {
    format!("{}{}", if by < 0.0 { "−" } else { "+" }, number::cost(by.abs(), 3))
}

pub(super) fn growth(compared: &Compared) -> String {
    let [before, after] = [&compared.before.growth, &compared.after.growth].map(|growth| visible(growth));
    let is_of_one = matches!(compared.change.kind, ChangeKind::New | ChangeKind::Vanished);
    match (before.as_ref(), after.as_ref()) {
        (before, after) if before == after => after.to_owned(),
        ("", after) if is_of_one => after.to_owned(),
        (before, "") if is_of_one => before.to_owned(),
        (before, after) => {
            let [before, after] = [before, after].map(|growth| if growth.is_empty() { "?" } else { growth });
            format!("{before} → {after}")
        }
    }
}

/// Formats a change with its interval: `+27 % (+20 % … +34 %)`, `1,200× more`.
pub(crate) fn change(compared: &Compared) -> String {
    let (middle, interval) = change_and_interval(compared);
    middle + &interval
}

/// Returns a change and its interval. The interval begins with a space, or is empty.
pub(super) fn change_and_interval(compared: &Compared) -> (String, String) {
    let Some(ratio) = compared.change.ratio else { return Default::default() };
    // The ends of the interval are written like the change, so that they can be compared.
    let mut ratios = compared.change.ratio_ci.iter().flatten().chain([&ratio]);
    let are_multiples = ratios.clone().all(|ratio| *ratio > 0.0) && ratios.any(|ratio| is_multiple(*ratio));
    let formatted = |ratio| if are_multiples { multiple(ratio) } else { as_change(ratio) };
    // For large factors, the interval is written only if it leaves the change open.
    if is_multiple(ratio) && compared.effect != Effect::Open {
        return (multiple(ratio), String::new());
    }
    let middle = formatted(ratio);
    let interval = match compared.change.ratio_ci.map(|ci| ci.map(formatted)) {
        Some([low, high]) if low != middle || high != middle => format!(" ({low} … {high})"),
        _ => String::new(),
    };
    (middle, interval)
}

/// Returns true if a ratio is shown as a multiple and not as a percentage.
fn is_multiple(ratio: f64) -> bool {
    ratio > 0.0 && !(0.1..=10.0).contains(&ratio)
}

/// Formats a ratio: `+27 %`, `1,200× more`, `290× less`.
fn as_change(ratio: f64) -> String {
    if is_multiple(ratio) {
        return multiple(ratio);
    }
    let percent = (ratio - 1.0) * 100.0;
    let digits = if percent.abs() < 1.0 { 2 } else { usize::from(percent.abs() < 10.0) };
    // A sign in front of zero would claim a direction.
    let sign = match percent {
        _ if percent.abs() < 0.005 => "",
        _ if percent < 0.0 => "−",
        _ => "+",
    };
    format!("{sign}{:.*} %", digits, percent.abs())
}

/// Formats a ratio as a multiple: `1,200× more`, `290× less`, `the same`.
fn multiple(ratio: f64) -> String {
    let (factor, direction) = if ratio > 1.0 { (ratio, "more") } else { (1.0 / ratio, "less") };
    if is_one(factor) {
        return "the same".to_owned();
    }
    format!("{}× {direction}", number::significant(factor, 3))
}

/// Returns true if a factor is 1 in three digits.
fn is_one(factor: f64) -> bool {
    (factor - 1.0).abs() < 0.005
}

pub(crate) fn certainty(compared: &Compared) -> String {
    match compared.change.kind {
        ChangeKind::New | ChangeKind::Vanished => String::new(),
        _ if compared.change.exact => "exact".to_owned(),
        _ => String::new(),
    }
}
