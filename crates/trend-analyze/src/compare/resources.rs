//! CPU time and memory of both versions in the largest run that was timed in both, and the time of code that is
//! not counted. This module predicts nothing.

use serde::Serialize;
use trend_profile::{Study, Workload};

use super::effect::Effect;
use super::pairs::Pairs;
use super::version::Version;
use crate::findings::time::{TimePart, TimePartKind};

/// Smallest factor of CPU time that matters. The studies were measured at different times, and a machine may be
/// busy or warm.
const SECONDS_MATTER: f64 = 1.5;

/// Smallest difference of CPU time in seconds that matters. Short runs say little about long ones.
const LONG_ENOUGH: f64 = 0.1;

/// Smallest factor of memory that matters. The pages and arenas of an allocator differ by less.
const MEMORY_MATTERS: f64 = 1.25;

/// Smallest difference of memory in bytes that matters. Even idle processes differ by this much between machines and
/// libraries.
const NOTABLE_BYTES: f64 = 1e6;

/// CPU time and memory, before and after.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Resources {
    /// CPU time in seconds; absent if no run was timed in both versions.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seconds: Option<Resource>,
    /// Peak memory in bytes. It comes from runs with counters if no run without counters was measured in both versions.
    /// Absent if no run was measured in both.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub memory: Option<Resource>,
    /// The uncounted code that takes most of the time, before and after; `null` if none was seen.
    pub uncounted: [Option<Uncounted>; 2],
}

/// The time or memory of the largest run that was measured in both versions.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Resource {
    /// The name of the run.
    pub workload: String,
    /// The value before the change.
    pub before: f64,
    /// The value after the change.
    pub after: f64,
    /// The effect of the change. A difference within the scatter of such measurements counts as no change.
    pub effect: Effect,
}

/// Code that is not counted.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Uncounted {
    /// The kind of code: a library or the kernel.
    pub kind: TimePartKind,
    /// The name of the library; empty for the kernel.
    pub name: String,
    /// The share of the CPU time of the longest sampled run, 0 to 1.
    pub share: f64,
}

impl Resources {
    pub(super) fn new(before: Version<'_>, after: Version<'_>, pairs: &Pairs) -> Self {
        let resource = |measured: fn(&Workload) -> Option<f64>, matters: f64, least: f64| {
            let both = pairs.by_size().filter_map(|(i, j)| {
                let (old, new) = (workload(before.study, i), workload(after.study, j));
                Some((old, measured(old)?, measured(new)?))
            });
            let (largest, before, after) = both.last()?;
            let ratio = after / before;
            let effect = if (after - before).abs() < least {
                Effect::Same
            } else {
                Effect::from_interval(Some([ratio; 2]), matters)
            };
            Some(Resource { workload: largest.name.clone(), before, after, effect })
        };
        let seconds: fn(&Workload) -> Option<f64> =
            |w| Some(w.timing.as_ref()?.median()?.cpu().as_secs_f64());
        let peak: fn(&Workload) -> Option<f64> = |w| {
            let runs = &w.timing.as_ref()?.runs;
            runs.iter().map(|run| run.peak_rss_bytes as f64).filter(|bytes| *bytes > 0.0).reduce(f64::max)
        };
        // Short runs are not timed, and a version that was made faster may have no others.
        let peak_with_counters: fn(&Workload) -> Option<f64> =
            |w| Some(w.usage?.peak_rss_bytes as f64).filter(|bytes| *bytes > 0.0);
        Self {
            seconds: resource(seconds, SECONDS_MATTER, LONG_ENOUGH)
                .filter(|s| s.before > 0.0 && s.after > 0.0),
            memory: resource(peak, MEMORY_MATTERS, NOTABLE_BYTES)
                .or_else(|| resource(peak_with_counters, MEMORY_MATTERS, NOTABLE_BYTES)),
            uncounted: [before, after].map(uncounted),
        }
    }
}

fn workload(study: &Study, i: usize) -> &Workload {
    &study.workloads()[i]
}

/// Returns the uncounted code that takes most of the time today.
fn uncounted(version: Version<'_>) -> Option<Uncounted> {
    let parts = version.findings.answer.as_ref()?.time_parts.as_ref()?;
    let not_counted = parts.rows.iter().filter(|part| part.kind != TimePartKind::Function);
    let most: &TimePart = not_counted.max_by(|a, b| a.share.total_cmp(&b.share))?;
    Some(Uncounted { kind: most.kind, name: most.name.clone(), share: most.share })
}
