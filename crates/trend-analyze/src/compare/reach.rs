//! Targets that are out of reach because a version would take more than a day.

use serde::Serialize;
use trend_answer::Law;
use trend_model::largest_that;

use crate::findings::Findings;
use crate::findings::time::TimeOutlook;
use crate::study::point::two_digits_below;

/// A day in seconds.
const DAY: f64 = 86_400.0;

/// Seconds per execution that are assumed if nothing was timed.
const ASSUMED_SECONDS: f64 = 1e-9;

/// A target that no run reaches within a day.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
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
///
/// The time of a version is the one that its own answer predicts. A version that was not timed has the rate of the
/// other.
pub fn out_of_reach(before: &Findings, after: &Findings, feature: &str, point: usize) -> Option<OutOfReach> {
    let target = after.points.get(point)?.value_named(feature)?;
    let versions = [before, after];
    let laws = [before.total.law()?, after.total.law()?];
    if laws.iter().any(|law| law.features != [feature]) {
        return None;
    }
    let measured = versions.map(|findings| findings.features[findings.feature(feature)?].max);
    let measured =
        measured.into_iter().collect::<Option<Vec<f64>>>()?.into_iter().fold(f64::INFINITY, f64::min);
    let (rate, is_assumed) = rate(before, after);
    let of_rate = |law: &Law, x: f64| law.cost(&[x]).map(|cost| cost * rate);
    let is_reached = |law: &Law, x: f64| of_rate(law, x).is_some_and(|seconds| seconds <= DAY);
    if target <= measured || !laws.iter().all(|law| is_reached(law, measured)) {
        return None;
    }
    let reach = |(findings, law): (&Findings, &Law)| match time(findings, point) {
        Some(time) => (Some(time.seconds), time.day_up_to.unwrap_or(target)),
        None => {
            (of_rate(law, target), two_digits_below(largest_that(measured, target, |x| is_reached(law, x))))
        }
    };
    let [one, other] = [(before, &laws[0]), (after, &laws[1])].map(reach);
    let seconds = one.0.zip(other.0).map(|(one, other)| one.max(other));
    if seconds.is_some_and(|seconds| seconds <= DAY) {
        return None;
    }
    let largest = one.1.min(other.1).max(measured);
    Some(OutOfReach { asked: target, seconds, rate, is_assumed, largest })
}

/// Returns the time that a study's answer predicts at a point.
fn time(findings: &Findings, point: usize) -> Option<&TimeOutlook> {
    findings.answer.as_ref().filter(|answer| answer.point == point)?.time.as_ref()
}

/// Returns the greater number of seconds per unit of cost of both versions, and true if it is assumed.
fn rate(before: &Findings, after: &Findings) -> (f64, bool) {
    if after.unit.is_time() {
        return (1e-12, false);
    }
    let rates = [before, after].into_iter().filter_map(|findings| {
        let time = findings.answer.as_ref()?.time.as_ref()?;
        Some(time.law.rate)
    });
    rates.reduce(f64::max).map_or((ASSUMED_SECONDS, true), |rate| (rate, false))
}
