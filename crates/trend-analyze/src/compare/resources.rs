//! Processor time and memory of both versions in the largest run that both were timed in, and time of code that is not
//! counted. Predicts nothing.

use serde::Serialize;
use trend_profile::{Study, Workload};

use super::outcome::Effect;
use super::{Pairs, Version};
use crate::{TimePart, TimePartKind};

/// Processor times of two studies differ by less where a machine is busy or warm: they were measured at different times.
const SECONDS_MATTER: f64 = 1.5;

/// Runs that both take less say little of long ones.
const LONG_ENOUGH: f64 = 0.1;

/// Memory differs by less where pages and arenas of an allocator do.
const MEMORY_MATTERS: f64 = 1.25;

/// Memory of a process that does nothing differs by so much between machines and libraries.
const NOTABLE_BYTES: f64 = 1e6;

/// Seconds and bytes, before and after.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema, ts_rs::TS))]
pub struct Resources {
    /// Processor time in seconds; absent where no run was timed in both.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub seconds: Option<Resource>,
    /// Peak memory in bytes, of runs with counters where none without was measured in both; absent where none was at all.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub memory: Option<Resource>,
    /// Before and after: the code without counts that takes most of the time; `null` where none was seen.
    pub uncounted: [Option<Uncounted>; 2],
}

/// The time or memory of the largest run that was measured in both versions.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema, ts_rs::TS))]
pub struct Resource {
    /// The name of the run.
    pub workload: String,
    /// Before.
    pub before: f64,
    /// After.
    pub after: f64,
    /// The effect on it. A change that such measurements may scatter by is none.
    pub effect: Effect,
}

/// Code that is not counted.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema, ts_rs::TS))]
pub struct Uncounted {
    /// A library, or the kernel.
    pub kind: TimePartKind,
    /// Its name; empty of the kernel.
    pub name: String,
    /// Its share of the processor time of the longest sampled run, 0 to 1.
    pub share: f64,
}

impl Resources {
    pub(super) fn new(before: Version<'_>, after: Version<'_>, pairs: &Pairs) -> Self {
        let of = |measured: fn(&Workload) -> Option<f64>, matters: f64, least: f64| {
            let both = pairs.by_size().filter_map(|(i, j)| {
                let (old, new) = (workload(before.study, i), workload(after.study, j));
                Some((old, measured(old)?, measured(new)?))
            });
            let (largest, before, after) = both.last()?;
            let ratio = after / before;
            let effect = if (after - before).abs() < least {
                Effect::Same
            } else {
                Effect::of(Some([ratio; 2]), matters)
            };
            Some(Resource { workload: largest.name.clone(), before, after, effect })
        };
        let seconds: fn(&Workload) -> Option<f64> =
            |w| Some(w.timing.as_ref()?.median()?.cpu().as_secs_f64());
        let peak: fn(&Workload) -> Option<f64> = |w| {
            let runs = &w.timing.as_ref()?.runs;
            runs.iter().map(|run| run.peak_rss_bytes as f64).filter(|bytes| *bytes > 0.0).reduce(f64::max)
        };
        // Short runs are not timed, and the version that was mended may have no others.
        let peak_with_counters: fn(&Workload) -> Option<f64> =
            |w| Some(w.usage?.peak_rss_bytes as f64).filter(|bytes| *bytes > 0.0);
        Self {
            seconds: of(seconds, SECONDS_MATTER, LONG_ENOUGH).filter(|s| s.before > 0.0 && s.after > 0.0),
            memory: of(peak, MEMORY_MATTERS, NOTABLE_BYTES)
                .or_else(|| of(peak_with_counters, MEMORY_MATTERS, NOTABLE_BYTES)),
            uncounted: [before, after].map(uncounted),
        }
    }
}

fn workload(study: &Study, i: usize) -> &Workload {
    &study.workloads()[i]
}

/// Returns the code without counts that takes most of the time today.
fn uncounted(version: Version<'_>) -> Option<Uncounted> {
    let parts = version.findings.answer.as_ref()?.time_parts.as_ref()?;
    let not_counted = parts.rows.iter().filter(|part| part.kind != TimePartKind::Function);
    let most: &TimePart = not_counted.max_by(|a, b| a.share.total_cmp(&b.share))?;
    Some(Uncounted { kind: most.kind, name: most.name.clone(), share: most.share })
}
