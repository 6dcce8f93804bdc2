//! Formats the points at which predictions are made.

use trend_analyze::{Coordinate, Given, Point};

use crate::layout::number;
use crate::layout::text::shorten;

/// Maximum width of names of features and workloads.
const NAME_WIDTH: usize = 40;

/// Formats a point: `n = 600,000`. Values that were filled in follow the given ones: `x = 640, y = 1,200 (goes along
/// with x)`.
pub(crate) fn in_words(point: &Point) -> String {
    let value = |value: &Coordinate| {
        let size = format!("{} = {}", shorten(&value.feature, NAME_WIDTH), rounded_value(value));
        match &value.given {
            Given::Asked | Given::Multiple { .. } => size,
            Given::Follows { feature } => {
                format!("{size} (follows {})", shorten(feature, NAME_WIDTH))
            }
            Given::Costliest { .. } => format!("{size} (as in the most expensive run)"),
        }
    };
    let (given, filled_in): (Vec<_>, Vec<_>) = point.values.iter().partition(|value| is_given(value));
    given.into_iter().chain(filled_in).map(value).collect::<Vec<_>>().join(", ")
}

/// Formats a value that was filled in, with its origin: `1,200, as it goes along with x`.
pub(crate) fn filled_in(value: &Coordinate) -> String {
    let size = rounded_value(value);
    match &value.given {
        Given::Follows { feature } => {
            format!("{size}, following {}", shorten(feature, NAME_WIDTH))
        }
        Given::Costliest { workload } => {
            format!("{size}, as in the most expensive run ({})", shorten(workload, NAME_WIDTH))
        }
        Given::Asked | Given::Multiple { .. } => size,
    }
}

/// Formats the sizes that were given by the user or by default: `x = 640`.
pub(crate) fn given(point: &Point) -> String {
    let given = point.values.iter().filter(|value| is_given(value));
    let given = given
        .map(|coordinate| format!("{} = {}", shorten(&coordinate.feature, NAME_WIDTH), value(coordinate)));
    given.collect::<Vec<_>>().join(", ")
}

/// Returns true if the value was given by the user or by default.
pub(crate) fn is_given(value: &Coordinate) -> bool {
    matches!(value.given, Given::Asked | Given::Multiple { .. })
}

/// Formats a value: `600,000`, `40 MB`.
pub(crate) fn value(coordinate: &Coordinate) -> String {
    number::feature_size(&coordinate.feature, coordinate.at)
}

/// Formats a value. Rounds one that follows another feature to three digits, its precision.
fn rounded_value(value: &Coordinate) -> String {
    let at = match value.given {
        Given::Follows { .. } => number::rounded(value.at, 3),
        _ => value.at,
    };
    number::feature_size(&value.feature, at)
}
