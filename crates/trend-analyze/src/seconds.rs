//! How long a program will take at the target, and why that may be wrong.

use serde::Serialize;
use trend_model::{TimeLaw, TimedRun, largest_that};
use trend_profile::{LargerRun, Study, Timing};

use crate::latency::leaves_a_cache;
use crate::memory::MemoryOutlook;
use crate::point::{the_size, two_digits_below};
use crate::{Law, Outlook, Point};

/// Runs shorter than this say little of long ones.
const LONG_ENOUGH: f64 = 0.25;

/// Time per count that scatters more than this is not understood.
const MOST_SCATTER: f64 = 0.06;

/// An interval of the counts with ends this far apart is not decided; nor are counts without one.
const OPEN: f64 = 2.0;

/// Elapsed time differs from processor time where it is so many times as long: the program waits.
const WAITING: f64 = 1.25;

/// Runs are leaving a cache where the drift of their time per count is more than this: with ten times the counts a count takes 1.6 times as
/// long, of which the law keeps half, so that it is wrong by 25 % whether that goes on or ends. Of 26 studies of real programs none has more than 0.16.
const LEAVING: f64 = 0.2;

/// Processor times of the same workload within this factor agree, whatever else the machine did: the interval of a prediction is as wide.
const ALIKE: f64 = 1.0 + TimeLaw::MARGIN;

/// A program uses several processors where elapsed time is this part of processor time.
const PARALLEL: f64 = 0.8;

/// A day in seconds.
const DAY: f64 = 86_400.0;

/// How many times the size of the longest run a run of a day may have.
const FAR: f64 = 1e9;

/// Processor time at a point.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema, ts_rs::TS))]
pub struct TimeOutlook {
    /// In seconds.
    pub seconds: f64,
    /// Where it may lie.
    pub ci: [f64; 2],
    /// What gives it at other sizes.
    pub law: TimeTerms,
    /// The longest run that was timed, in seconds of processor time.
    pub longest: f64,
    /// Elapsed time ÷ processor time in that run.
    pub elapsed: f64,
    /// What that means.
    pub elapsed_is: Elapsed,
    /// The largest size of two digits whose run takes at most a day; `null` where there is no one size, or none takes longer.
    pub day_up_to: Option<f64>,
    /// Why it is not to be trusted; empty where it is.
    pub doubts: Vec<TimeDoubt>,
}

/// The terms of a [`TimeLaw`]: C counts at the size x take the geometric mean of `rate · C · (C ÷ counts)^(kept_drift · drift)`
/// and `power[0] · x^power[1]`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema, ts_rs::TS))]
pub struct TimeTerms {
    /// Seconds per count in the largest run.
    pub rate: f64,
    /// The counts of that run.
    pub counts: f64,
    /// How the rate grows with the counts: an exponent, 0 to 0.5.
    pub drift: f64,
    /// The part of the drift that goes on beyond the largest run.
    pub kept_drift: f64,
    /// The interval is this much wider at both ends than no drift, all of it and the power law differ.
    pub margin: f64,
    /// The time is undecided where the interval of the counts spans more than this factor.
    pub open: f64,
    /// From where on time leaves a cache of the machine and is not to be trusted; `null` where it does not.
    pub cache: Option<CacheStep>,
    /// Coefficient and exponent of the longest runs' times over the size; `null` where there is no one size, and where the counts
    /// outgrow every power of it.
    pub power: Option<[f64; 2]>,
}

/// Where what the program works on no longer fits into a cache that holds the longest run, or the runs are leaving one themselves.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema, ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum CacheStep {
    /// From this size on.
    Size(f64),
    /// From so many counts on: what it works on may grow as its work.
    Counts(f64),
}

/// Why a time is not to be trusted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema, ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum TimeDoubt {
    /// The longest run is too short.
    Short,
    /// Time does not follow the counts.
    Scattered,
    /// What the program works on leaves a cache of the machine on the way to the point.
    Cache,
    /// How the counts grow is not decided.
    Undecided,
    /// Other processes had the processor during all runs, or the program waited, and its runs do not show that its processor time
    /// stayed the same.
    Disturbed,
}

impl TimeDoubt {
    /// The gravest first.
    pub const ALL: [Self; 5] = [Self::Short, Self::Scattered, Self::Cache, Self::Undecided, Self::Disturbed];
}

/// How elapsed time compares with processor time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema, ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum Elapsed {
    /// The program worked all the time, on one processor.
    AsProcessor,
    /// It waited, or others had the processor.
    Longer,
    /// It used several processors.
    Shorter,
}

impl Elapsed {
    /// Of elapsed time ÷ processor time.
    pub fn of(times: f64) -> Self {
        match times {
            more if more > WAITING => Self::Longer,
            less if less < PARALLEL => Self::Shorter,
            _ => Self::AsProcessor,
        }
    }
}

/// At a point where the whole program's counts are known; `None` where nothing was timed. `law` is that of the counts: it
/// tells how many a run has that was timed and not counted, `memory` is the peak at the point.
pub(crate) fn seconds(
    study: &Study,
    point: &Point,
    whole: Outlook,
    law: Option<&Law>,
    memory: Option<&MemoryOutlook>,
) -> Option<TimeOutlook> {
    let size = the_size(point);
    let mut counts = vec![0.0; study.workloads().len()];
    if study.workloads().iter().any(|workload| workload.timing.is_some()) {
        for id in study.blocks() {
            let row = study.counts().row(id);
            counts.iter_mut().enumerate().for_each(|(i, sum)| *sum += row.at(i) as f64);
        }
    }
    let counted = study.workloads().iter().enumerate().filter_map(|(i, workload)| {
        let timing = workload.timing.as_ref()?;
        let used = timing.median()?;
        let size = size.as_ref().and_then(|size| study.features()[size.id.index()].values[i]);
        Some((TimedRun { counts: counts[i], seconds: used.cpu().as_secs_f64(), size }, used, timing))
    });
    let larger = || {
        let (run, law) = (larger(study)?, law?);
        let used = run.timing.median()?;
        let at: Option<Vec<f64>> = law.features.iter().map(|name| run.value(name)).collect();
        let size = size.as_ref().and_then(|size| run.value(&size.feature));
        Some((
            TimedRun { counts: law.cost(&at?)?, seconds: used.cpu().as_secs_f64(), size },
            used,
            &run.timing,
        ))
    };
    let timed: Vec<_> = counted.chain(larger()).collect();
    let of_counts = law;
    let mut law = TimeLaw::fit(&timed.iter().map(|(run, ..)| *run).collect::<Vec<_>>())?;
    // Counts that outgrow every power take time that follows none.
    law.power = law.power.filter(|_| !of_counts.is_some_and(Law::explodes));
    let at = law.at(whole.cost, whole.ci, size.map(|size| size.at));
    let (longest_run, longest, longest_timing) =
        timed.iter().max_by(|a, b| a.0.seconds.total_cmp(&b.0.seconds))?;
    let elapsed = longest.wall.as_secs_f64() / longest.cpu().as_secs_f64();
    let elapsed_is = Elapsed::of(elapsed);
    let is_open = whole.ci.is_none_or(|[low, high]| high > OPEN * low);
    // What grows is what the program works on; the rest is mostly libraries. Where memory is unknown, it may grow as the work.
    let least = timed.iter().map(|(_, used, _)| used.peak_rss_bytes).min().unwrap_or(0);
    let data = match memory {
        Some(memory) => longest_run.size.map(|size| memory.curve().growth(size)),
        None => Some((longest.peak_rss_bytes - least) as f64),
    };
    let step = |now: f64| {
        let from = leaves_a_cache(study.latencies(), now)?;
        Some(match memory {
            Some(memory) => CacheStep::Size(memory.curve().size_of(from)),
            None => CacheStep::Counts(longest_run.counts * from / now),
        })
    };
    let cache = if law.drift > LEAVING {
        Some(longest_run.size.map_or(CacheStep::Counts(longest_run.counts), CacheStep::Size))
    } else {
        data.filter(|now| *now > 0.0).and_then(step)
    };
    let leaves = match cache {
        Some(CacheStep::Size(from)) => size.is_some_and(|size| size.at > from),
        Some(CacheStep::Counts(from)) => whole.cost > from,
        None => false,
    };
    let doubts = [
        (TimeDoubt::Short, law.longest < LONG_ENOUGH),
        (TimeDoubt::Scattered, law.scatter.is_none_or(|scatter| scatter > MOST_SCATTER)),
        (TimeDoubt::Cache, leaves),
        (TimeDoubt::Undecided, is_open),
        (TimeDoubt::Disturbed, elapsed_is == Elapsed::Longer && !is_repeatable(longest_timing)),
    ];
    let doubts = doubts.into_iter().filter_map(|(doubt, holds)| holds.then_some(doubt)).collect();
    let terms = TimeTerms {
        rate: law.rate,
        counts: law.largest,
        drift: law.drift,
        kept_drift: TimeLaw::KEPT_DRIFT,
        margin: TimeLaw::MARGIN,
        open: OPEN,
        cache,
        power: law.power.map(|power| [power.a, power.b]),
    };
    let takes_a_day_at_most = |x: f64| {
        let counts = of_counts.and_then(|law| law.cost(&[x]));
        counts.is_some_and(|counts| law.at(counts, None, Some(x)).seconds <= DAY)
    };
    let day_up_to = size.zip(longest_run.size).and_then(|(size, longest)| {
        let is_of_size = of_counts.is_some_and(|law| law.features == [size.feature.as_str()]);
        let may_take_longer =
            is_of_size && takes_a_day_at_most(longest) && !takes_a_day_at_most(longest * FAR);
        may_take_longer.then(|| two_digits_below(largest_that(longest, longest * FAR, takes_a_day_at_most)))
    });
    let (seconds, ci, longest) = (at.seconds, at.ci, law.longest);
    Some(TimeOutlook { seconds, ci, law: terms, longest, elapsed, elapsed_is, day_up_to, doubts })
}

/// Whether several runs of one workload took the same processor time.
fn is_repeatable(timing: &Timing) -> bool {
    let times = || timing.runs.iter().map(|run| run.cpu().as_secs_f64());
    timing.runs.len() > 1 && times().fold(0.0, f64::max) <= ALIKE * times().fold(f64::INFINITY, f64::min)
}

/// The run without counters that is larger than all that were counted, as long as it is.
pub(crate) fn larger(study: &Study) -> Option<&LargerRun> {
    let is_counted =
        |run: &&LargerRun| study.workloads().iter().any(|w| w.name == run.workload && w.timing.is_some());
    study.larger().filter(|run| !is_counted(run))
}
