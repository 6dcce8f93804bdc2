//! Decides whether there is time for a run, from the finished runs of smaller sizes. This module chooses no sizes.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use trend_profile::{Study, Usage};
use trend_run::{Plan, parse_quantity};

use crate::event::{Event, Note, Observer};
use crate::forecast::Forecast;

/// Decides for each run whether it may begin.
pub(crate) struct Admission {
    /// Series and size of each workload, by name. Workloads of a series differ only in the size, and in parameters that
    /// vary the randomness.
    sizes: BTreeMap<String, (String, f64)>,
    /// Sizes and seconds of runs, by series.
    times: Mutex<BTreeMap<String, Vec<(f64, f64)>>>,
    /// Workloads that were refused.
    refused: Mutex<BTreeSet<String>>,
    begin: Instant,
    budget: Duration,
}

impl Admission {
    /// Creates the admission for the workloads of a plan, by their values of `parameter`. Runs recorded in `study`
    /// count as finished.
    pub(crate) fn new(
        plan: &Plan,
        parameter: &str,
        study: Option<&Study>,
        begin: Instant,
        budget: Duration,
    ) -> Self {
        let mut sizes = BTreeMap::new();
        for planned in &plan.workloads {
            let mut series = Vec::new();
            let mut size = None;
            for (name, value) in &planned.parameters {
                if name == parameter {
                    size = parse_quantity(value).ok();
                } else if !trend_run::is_repetition(name) {
                    series.push(format!("{name}={value}"));
                }
            }
            if let Some(size) = size {
                sizes.insert(planned.workload.name.clone(), (series.join(" "), size));
            }
        }
        let (times, refused) = (Mutex::default(), Mutex::default());
        let admission = Self { sizes, times, refused, begin, budget };
        for workload in study.iter().flat_map(|study| study.workloads()) {
            if let Some(usage) = &workload.usage {
                admission.finished(&workload.name, usage);
            }
        }
        admission
    }

    /// Records that a run has finished.
    pub(crate) fn finished(&self, workload: &str, usage: &Usage) {
        let Some((series, size)) = self.sizes.get(workload) else { return };
        let mut times = self.times.lock().unwrap_or_else(PoisonError::into_inner);
        times.entry(series.clone()).or_default().push((*size, usage.wall.as_secs_f64()));
    }

    /// Returns true if a run may begin: its predicted time must not exceed the remaining time. Reports the first
    /// workload that is refused.
    pub(crate) fn admits(&self, workload: &str, observer: &dyn Observer) -> bool {
        let Some((series, size)) = self.sizes.get(workload) else { return true };
        let times = self.times.lock().unwrap_or_else(PoisonError::into_inner).get(series).cloned();
        let seconds = Forecast::from_times(times.unwrap_or_default(), None, 1).seconds(&[(*size, 1)]);
        let left = self.budget.saturating_sub(self.begin.elapsed());
        let Some(seconds) = seconds.filter(|seconds| *seconds > left.as_secs_f64()) else { return true };
        let mut refused = self.refused.lock().unwrap_or_else(PoisonError::into_inner);
        if refused.is_empty() {
            observer.event(&Event::Note(Note::NotBegun { workload, seconds, left }));
        }
        refused.insert(workload.to_owned());
        false
    }

    /// Returns the workloads that were refused.
    pub(crate) fn into_refused(self) -> BTreeSet<String> {
        self.refused.into_inner().unwrap_or_else(PoisonError::into_inner)
    }
}
