//! Predicts the program's time at the target, with reasons why that may be wrong.

use trend_answer::{CacheStep, Law, OPEN, Outlook, is_open};
use trend_model::{TimeLaw, TimedRun};
use trend_profile::{LargerRun, Study, Timing};

use super::fitting::TimeBySize;
use super::latency::leaves_a_cache;
use crate::findings::fitting::RunLimit;
use crate::findings::memory::MemoryOutlook;
use crate::findings::row::Total;
use crate::findings::time::{Elapsed, TimeDoubt, TimeOutlook, TimeTerms};
use crate::study::point::{Point, the_size};

/// Minimum duration of the longest run beyond the startup, in seconds. Shorter runs say little about long ones.
const LONG_ENOUGH: f64 = 0.25;

/// Maximum scatter of time per count. With more, the time is not understood.
const MOST_SCATTER: f64 = 0.06;

/// Ratio of elapsed to CPU time above which the program waits.
const WAITING: f64 = 1.25;

/// Drift of the time per count above which runs are leaving a cache. With ten times the counts, a count takes 1.6 times
/// as long. The law keeps half of that, so it is wrong by 25 % whether the drift goes on or ends. None of 26 studies of
/// real programs has more than 0.16.
const LEAVING: f64 = 0.2;

/// Maximum ratio of CPU times of the same workload that agree, whatever else the machine did. The interval of a
/// prediction is as wide.
const ALIKE: f64 = 1.0 + TimeLaw::MARGIN;

/// Ratio of elapsed to CPU time below which the program uses several processors.
const PARALLEL: f64 = 0.8;

/// Length of a day in seconds.
const DAY: f64 = 86_400.0;

impl Elapsed {
    /// Classifies wall time ÷ CPU time.
    pub fn from_ratio(times: f64) -> Self {
        match times {
            more if more > WAITING => Self::Longer,
            less if less < PARALLEL => Self::Shorter,
            _ => Self::AsProcessor,
        }
    }
}

/// Predicts the time at a point with known counts of the whole; `None` if no run was timed. The law of `total`
/// gives the counts of a run that was timed but not counted. `memory` is the peak at the point, and `within` lists
/// limits of time to find the largest sizes for.
pub(crate) fn seconds(
    study: &Study,
    point: &Point,
    whole: Outlook,
    total: &Total,
    memory: Option<&MemoryOutlook>,
    within: &[RunLimit],
) -> Option<TimeOutlook> {
    let law = total.law();
    let law = law.as_ref();
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
    // If the counts outgrow every power, so does the time.
    law.power = law.power.filter(|_| !of_counts.is_some_and(Law::explodes));
    let at = law.at(whole.cost, whole.ci, size.map(|size| size.at));
    let (longest_run, longest, longest_timing) =
        timed.iter().max_by(|a, b| a.0.seconds.total_cmp(&b.0.seconds))?;
    let elapsed = longest.wall.as_secs_f64() / longest.cpu().as_secs_f64();
    let elapsed_is = Elapsed::from_ratio(elapsed);
    // The growing part of memory is the working set; the rest is mostly libraries. If memory is unknown, the working
    // set may grow like the work.
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
    let leaves = cache.is_some_and(|cache| cache.is_left(whole.cost, size.map(|size| size.at)));
    let doubts = [
        (TimeDoubt::Short, law.longest - law.startup < LONG_ENOUGH),
        (TimeDoubt::Scattered, law.scatter.is_none_or(|scatter| scatter > MOST_SCATTER)),
        (TimeDoubt::Cache, leaves),
        (TimeDoubt::Undecided, is_open(whole.ci)),
        (TimeDoubt::Disturbed, elapsed_is == Elapsed::Longer && !is_repeatable(longest_timing)),
    ];
    let doubts = doubts.into_iter().filter_map(|(doubt, holds)| holds.then_some(doubt)).collect();
    let terms = TimeTerms {
        startup: law.startup,
        rate: law.rate,
        counts: law.largest,
        drift: law.drift,
        kept_drift: TimeLaw::KEPT_DRIFT,
        margin: TimeLaw::MARGIN,
        open: OPEN,
        cache,
        power: law.power.map(|power| [power.a, power.b]),
    };
    let of_size = of_counts.zip(size.as_ref()).filter(|(law, size)| law.features == [size.feature.as_str()]);
    let by_size = of_size.map(|(counts, size)| {
        let mut sizes: Vec<f64> = timed.iter().filter_map(|(run, ..)| run.size).collect();
        sizes.retain(|size| *size > 0.0);
        sizes.sort_by(f64::total_cmp);
        let curve =
            total.fits.models.iter().find(|model| model.id == size.id).map_or(&[][..], |model| &model.curve);
        TimeBySize::new(&law, counts, curve, sizes)
    });
    let up_to = |seconds: f64| by_size.as_ref()?.up_to(seconds);
    let day_up_to = up_to(DAY).map(|fit| fit.size);
    let mut limits: Vec<f64> = within.iter().filter_map(RunLimit::seconds).collect();
    limits.sort_by(f64::total_cmp);
    limits.dedup();
    let fits = limits.into_iter().filter_map(up_to).collect();
    let (seconds, ci, longest) = (at.seconds, at.ci, law.longest);
    Some(TimeOutlook { seconds, ci, law: terms, longest, elapsed, elapsed_is, day_up_to, fits, doubts })
}

/// Returns true if several runs of one workload took the same CPU time.
fn is_repeatable(timing: &Timing) -> bool {
    let times = || timing.runs.iter().map(|run| run.cpu().as_secs_f64());
    timing.runs.len() > 1 && times().fold(0.0, f64::max) <= ALIKE * times().fold(f64::INFINITY, f64::min)
}

/// Returns the run without counters that is larger than all counted runs, unless it has been counted since.
pub(crate) fn larger(study: &Study) -> Option<&LargerRun> {
    let is_counted =
        |run: &&LargerRun| study.workloads().iter().any(|w| w.name == run.workload && w.timing.is_some());
    study.larger().filter(|run| !is_counted(run))
}
