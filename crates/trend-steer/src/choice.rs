//! Chooses the next runs: the advice on the most expensive open row, limited by time, disk space and earlier failures.

use std::collections::BTreeSet;

use trend_analyze::{Findings, NextRuns, Options, analyze};
use trend_profile::Study;
use trend_run::{Plan, RunError};

use crate::forecast::Forecast;
use crate::standing::{Goal, Row};
use crate::steering::Steering;
use crate::{Ended, SteerError};

/// Maximum factor between a round's sizes and the largest size so far. Time is the only resource that is predicted, and
/// generated inputs also fill the disk.
const MOST_GROWTH: f64 = 10.0;

/// The corresponding factor if runs are too short to predict their time.
const MOST_UNFORESEEN_GROWTH: f64 = 4.0;

/// Factor from a size that failed to the largest size that is tried.
const BELOW_FAILURE: f64 = 0.99;

/// Runs to add, or the reason why there are none.
#[derive(Debug)]
pub(crate) enum Choice {
    Run {
        /// Row that the runs are for.
        row: String,
        /// Values of the parameter, with the total number of inputs for each.
        values: Vec<(String, usize)>,
    },
    Nothing(Ended),
}

/// The data that a choice depends on.
pub(crate) struct Chooser<'a> {
    pub(crate) goal: Goal<'a>,
    pub(crate) plan: &'a Plan,
    pub(crate) study: &'a Study,
    pub(crate) steering: &'a Steering,
    pub(crate) forecast: &'a Forecast<'a>,
    /// Workloads that failed in this session and are not retried in it.
    pub(crate) failed: &'a BTreeSet<String>,
    /// Number of runs per workload.
    pub(crate) repeat: usize,
    /// Remaining time in seconds.
    pub(crate) left: f64,
}

/// An advised value of the parameter.
struct Wanted {
    size: f64,
    value: String,
    inputs: usize,
    /// Number of missing runs that have not failed.
    runs: usize,
    /// Name of an advised workload that has failed.
    failed: Option<String>,
}

impl Chooser<'_> {
    /// Returns the runs for the first row that is open and for which runs are missing.
    pub(crate) fn choice(&self, findings: &Findings) -> Result<Choice, SteerError> {
        let rows = self.goal.rows(self.study, findings, self.steering.feature)?;
        let mut why = Ended::NoAdvice;
        let mut open = None;
        for row in &rows {
            let Some(next) = row.standing.next().filter(|next| !next.sizes.is_empty()) else { continue };
            let wanted = self.wanted(next)?;
            if wanted.iter().any(|w| w.runs > 0) {
                open = Some((row, missing(wanted)));
                break;
            }
            if why == Ended::NoAdvice {
                let failed = wanted.into_iter().find_map(|w| w.failed);
                why = failed.map_or(Ended::NoInputs, Ended::Failed);
            }
        }
        let Some((row, wanted)) = open else {
            return Ok(Choice::Nothing(why));
        };
        let failure = self.failure();
        let is_hopeful = |w: &Wanted| failure.as_ref().is_none_or(|(size, _)| w.size <= *size);
        if wanted.iter().all(is_hopeful) && self.is_in_time(&wanted) {
            return Ok(run(row, wanted));
        }
        // The best advice is out of reach. Analyses again with a largest size that is within reach.
        let time = self.forecast.largest(self.left, wanted[0].runs);
        let why = match &failure {
            Some((size, name)) if time.is_none_or(|time| *size < time) && !wanted.iter().all(is_hopeful) => {
                Ended::Failed(name.clone())
            }
            _ => Ended::Time,
        };
        let bounds = time.into_iter().chain(failure.as_ref().map(|(size, _)| *size)).chain(self.most());
        let Some(largest) = bounds.min_by(f64::total_cmp) else { return Ok(Choice::Nothing(why)) };
        let name = findings.features[self.steering.feature].name.clone();
        let options = Options { largest: Some((name, largest)), ..self.goal.options() };
        let nearer = analyze(self.study, &options)?;
        for row in &self.goal.rows(self.study, &nearer, self.steering.feature)? {
            let Some(next) = row.standing.next() else { continue };
            let mut affordable = Vec::new();
            for wanted in missing(self.wanted(next)?).into_iter().filter(is_hopeful) {
                affordable.push(wanted);
                if !self.is_in_time(&affordable) {
                    affordable.pop();
                }
            }
            if !affordable.is_empty() {
                return Ok(run(row, affordable));
            }
        }
        Ok(Choice::Nothing(why))
    }

    /// Returns the advised values, and the number of their runs that the plan lacks. Sizes are limited to the maximum
    /// of the round.
    fn wanted(&self, next: &NextRuns) -> Result<Vec<Wanted>, RunError> {
        // For existing sizes, the advice is this number of additional inputs.
        let is_again = next.sizes.iter().all(|size| self.sizes().any(|recorded| recorded == *size));
        let most = self.most().unwrap_or(f64::INFINITY);
        let parameter = &self.steering.parameter;
        let mut all: Vec<Wanted> = Vec::new();
        for size in next.sizes.iter().map(|size| size.min(most)) {
            let Some(value) = self.steering.value_for(size) else { continue };
            if all.iter().any(|wanted| wanted.value == value) {
                continue;
            }
            let input_count = if is_again { self.plan.count_of(parameter, &value) } else { 0 };
            let inputs = input_count + next.inputs;
            let further = self.plan.further(parameter, std::slice::from_ref(&value), inputs)?;
            let (failed, good): (Vec<_>, Vec<_>) =
                further.into_iter().map(|w| w.workload.name).partition(|name| self.failed.contains(name));
            let (runs, failed) = (good.len() * self.repeat, failed.into_iter().next());
            all.push(Wanted { size, value, inputs, runs, failed });
        }
        Ok(all)
    }

    fn is_in_time(&self, wanted: &[Wanted]) -> bool {
        let runs: Vec<(f64, usize)> = wanted.iter().map(|w| (w.size, w.runs)).collect();
        self.forecast.seconds(&runs).is_none_or(|seconds| seconds <= self.left)
    }

    /// Returns the sizes of the finished runs.
    fn sizes(&self) -> impl Iterator<Item = f64> {
        self.study.features()[self.steering.feature].values.iter().flatten().copied()
    }

    /// Returns the largest size for this round.
    fn most(&self) -> Option<f64> {
        let growth = if self.forecast.has_law() { MOST_GROWTH } else { MOST_UNFORESEEN_GROWTH };
        Some(self.sizes().max_by(f64::total_cmp)? * growth)
    }

    /// Returns the smallest size that is known to be too large, and the workload that failed there. A failure below a
    /// size that finished has another reason.
    fn failure(&self) -> Option<(f64, String)> {
        let finished = self.sizes().max_by(f64::total_cmp).unwrap_or(0.0);
        let sizes = self.failed.iter().filter_map(|name| Some((self.steering.size_in(name)?, name)));
        let smallest = sizes.filter(|(size, _)| *size > finished).min_by(|p, q| p.0.total_cmp(&q.0));
        smallest.map(|(size, name)| ((size * BELOW_FAILURE).max(finished), name.clone()))
    }
}

fn missing(mut wanted: Vec<Wanted>) -> Vec<Wanted> {
    wanted.retain(|w| w.runs > 0);
    wanted
}

fn run(row: &Row, wanted: Vec<Wanted>) -> Choice {
    let values = wanted.into_iter().map(|w| (w.value, w.inputs)).collect();
    Choice::Run { row: row.name.clone(), values }
}
