//! Targets that are out of reach because a version would take more than a day.

use serde::Serialize;
use trend_model::largest_that;

use crate::point::two_digits_below;
use crate::{Findings, Law};

/// A day in seconds.
const DAY: f64 = 86_400.0;

/// Seconds per execution that are assumed if nothing was timed.
const ASSUMED_SECONDS: f64 = 1e-9;

/// A target that no run reaches within a day.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema, ts_rs::TS))]
pub struct OutOfReach {
    /// The requested target, or ten times the measured sizes.
    pub asked: f64,
    /// Seconds that the slower version takes at the target; `null` if too large for a number.
    pub seconds: Option<f64>,
    /// Seconds per unit of cost.
    pub rate: f64,
    /// True if the rate is assumed because nothing was timed.
    pub is_assumed: bool,
    /// The largest size that both versions run within a day.
    pub largest: f64,
}

/// Returns the target at a position if a version takes more than a day there, and the size to compare at instead.
/// Returns `None` if both versions reach the target, or if costs do not depend on the feature alone.
pub fn out_of_reach(before: &Findings, after: &Findings, feature: &str, point: usize) -> Option<OutOfReach> {
    let asked = after.points.get(point)?.value_named(feature)?;
    let laws = [before.total.law()?, after.total.law()?];
    if laws.iter().any(|law| law.features != [feature]) {
        return None;
    }
    let (rate, is_assumed) = rate(before, after);
    let seconds = |law: &Law, x: f64| law.cost(&[x]).map(|cost| cost * rate);
    let is_reached = |x: f64| laws.iter().all(|law| seconds(law, x).is_some_and(|s| s <= DAY));
    let measured = [before, after].map(|findings| findings.features[findings.feature(feature)?].max);
    let measured =
        measured.into_iter().collect::<Option<Vec<f64>>>()?.into_iter().fold(f64::INFINITY, f64::min);
    if is_reached(asked) || asked <= measured || !is_reached(measured) {
        return None;
    }
    let largest = two_digits_below(largest_that(measured, asked, is_reached)).max(measured);
    let both = laws.iter().map(|law| seconds(law, asked)).collect::<Option<Vec<f64>>>();
    let seconds = both.map(|both| both.into_iter().fold(0.0, f64::max));
    Some(OutOfReach { asked, seconds, rate, is_assumed, largest })
}

/// Returns the seconds per unit of cost, and true if they are assumed.
fn rate(before: &Findings, after: &Findings) -> (f64, bool) {
    let timed = [after, before].into_iter().find_map(|findings| findings.answer.as_ref()?.time.as_ref());
    if after.unit.is_time() {
        return (1e-12, false);
    }
    match timed {
        Some(time) => (time.law.rate, false),
        None => (ASSUMED_SECONDS, true),
    }
}
