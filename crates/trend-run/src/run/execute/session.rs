//! One call of `execute`: the workers, and the recorder of their reports.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{self, Sender};
use std::thread;

use trend_profile::{Outcome, Warning};

use super::matches::Matches;
use super::record::Recorder;
use super::resume::{Earlier, Unit};
use super::summary::{Failure, Summary};
use crate::error::RunError;
use crate::plan::workload::Plan;
use crate::run::event::{Event, Observer};
use crate::run::supervise::runner::Runner;
use crate::run::workload::report::Report;
use crate::run::workload::worker::{PreparedWorkload, RunContext};

/// A finished or failed run on its way to the recorder.
struct Message {
    workload: usize,
    repetition: u32,
    report: Report,
}

/// The recording side of one call of `execute`.
pub(crate) struct Session<'a> {
    pub(super) plan: &'a Plan,
    pub(super) observer: &'a dyn Observer,
    pub(super) earlier: Earlier,
    pub(super) recorder: Recorder<'a>,
    pub(super) matches: Matches,
    pub(super) summary: Summary,
    /// Warnings that the observer has already received.
    pub(super) observed_warnings: BTreeSet<Warning>,
}

impl Session<'_> {
    /// Announces the plan, and computes missing features of recorded workloads.
    pub(super) fn begin(
        &mut self,
        context: &RunContext<'_>,
        runner: &Runner<'_>,
        jobs: usize,
    ) -> Result<(), RunError> {
        let pending: Vec<_> = self.earlier.units.iter().flat_map(|u| u.pending(self.plan)).collect();
        self.summary.skipped = self.earlier.done;
        self.summary.cancelled = pending.len();
        let total = self.earlier.done + pending.len();
        self.observer.event(&Event::Planned { total, done: self.earlier.done, jobs, pending: &pending });
        self.warn(&self.plan.warnings.clone())?;
        let warnings = self.earlier.lacking_runs(self.plan);
        self.warn(&warnings)?;
        for (workload, features) in self.earlier.computable(self.plan) {
            if context.stop.is_requested() {
                break;
            }
            let workload = &self.plan.workloads[workload];
            // If the input is missing, the values stay missing, and a warning at the end says so.
            let Ok(prepared) = PreparedWorkload::prepare(context, runner, workload) else { continue };
            let values = prepared.values_without_a_run(&features);
            let mut named = Vec::new();
            for (feature, value) in features.iter().zip(values) {
                self.matches.saw(*feature, &value);
                named.push((self.plan.config.features[*feature].name.clone(), value.ok()));
            }
            self.recorder.set_values(&workload.workload.name, &named)?;
        }
        Ok(())
    }

    /// Starts the workers and records their reports.
    pub(super) fn run(
        &mut self,
        context: &RunContext<'_>,
        first: Runner<'_>,
        jobs: usize,
    ) -> Result<(), RunError> {
        let units = std::mem::take(&mut self.earlier.units);
        let next = AtomicUsize::new(0);
        let (plan, observer) = (self.plan, self.observer);
        thread::scope(|scope| {
            let (sender, messages) = mpsc::channel();
            let others = (1..jobs).map(|_| context.runner());
            for runner in std::iter::once(first).chain(others) {
                let (sender, units, next) = (sender.clone(), &units, &next);
                scope.spawn(move || work(context, &runner, plan, observer, units, next, &sender));
            }
            drop(sender);
            let mut result = Ok(());
            let mut is_stopping = false;
            for message in messages {
                if result.is_ok() {
                    result = self.record(message);
                }
                if result.is_err() {
                    context.stop.recorder.store(true, Ordering::Relaxed);
                }
                if context.stop.is_requested() && !std::mem::replace(&mut is_stopping, true) {
                    observer.event(&Event::Stopping);
                }
            }
            result
        })
    }

    fn record(&mut self, message: Message) -> Result<(), RunError> {
        let Message { workload, repetition, mut report } = message;
        let planned = &self.plan.workloads[workload];
        let values = std::mem::take(&mut report.values);
        self.matches.saw_run(&values);
        let features = &self.plan.config.features;
        let values: Vec<(String, Option<f64>)> =
            features.iter().zip(values).map(|(f, value)| (f.name.clone(), value.ok())).collect();
        self.recorder.record(planned, repetition, &report, &values)?;
        for warning in &report.warnings {
            self.tell(warning);
        }
        self.summary.cancelled -= 1;
        if report.outcome == Outcome::Finished {
            self.summary.finished += 1;
        } else {
            self.summary.failures.push(Failure {
                workload: planned.workload.name.clone(),
                repetition,
                outcome: report.outcome.clone(),
                stderr_tail: report.stderr_tail.clone(),
            });
        }
        let over = self.summary.skipped + self.summary.finished + self.summary.failures.len();
        self.observer.event(&Event::Finished {
            workload: &planned.workload.name,
            repetition,
            outcome: &report.outcome,
            usage: &report.usage,
            features: &values,
            done: over,
            total: over + self.summary.cancelled,
        });
        Ok(())
    }

    pub(super) fn finish(mut self, context: &RunContext<'_>) -> Result<Summary, RunError> {
        self.warn(&context.source.warnings())?;
        // While runs are missing, warnings about all runs would be premature.
        if !context.stop.is_requested() {
            let warnings = self.matches.warnings(self.plan);
            self.warn(&warnings)?;
        }
        self.summary.failures.sort_by(|a, b| (&a.workload, a.repetition).cmp(&(&b.workload, b.repetition)));
        self.summary.warnings = self.recorder.warnings().iter().cloned().collect();
        Ok(self.summary)
    }

    pub(super) fn warn(&mut self, warnings: &[Warning]) -> Result<(), RunError> {
        self.recorder.warn(warnings)?;
        for warning in warnings {
            self.tell(warning);
        }
        Ok(())
    }

    /// Passes a warning to the observer, but only once.
    fn tell(&mut self, warning: &Warning) {
        if self.observed_warnings.insert(warning.clone()) {
            self.observer.event(&Event::Warned(warning));
        }
    }
}

/// Runs one worker until no units are left.
fn work(
    context: &RunContext<'_>,
    runner: &Runner<'_>,
    plan: &Plan,
    observer: &dyn Observer,
    units: &[Unit],
    next: &AtomicUsize,
    messages: &Sender<Message>,
) {
    while !context.stop.is_requested() {
        let Some(unit) = units.get(next.fetch_add(1, Ordering::Relaxed)) else { return };
        let workload = &plan.workloads[unit.workload];
        let name = workload.workload.name.as_str();
        let send = |repetition: u32, report: Report| {
            // The recorder receives messages until the last worker ends.
            let _ = messages.send(Message { workload: unit.workload, repetition, report });
        };
        let started = |repetition: u32| observer.event(&Event::Started { workload: name, repetition });
        if !observer.may_begin(name) {
            continue;
        }
        started(unit.repetitions[0]);
        let prepared = match PreparedWorkload::prepare(context, runner, workload) {
            Ok(prepared) => prepared,
            Err(None) => return,
            Err(Some(report)) => {
                for repetition in &unit.repetitions {
                    send(*repetition, report.copy());
                }
                continue;
            }
        };
        for (i, repetition) in unit.repetitions.iter().enumerate() {
            if i > 0 {
                if !observer.may_begin(name) {
                    break;
                }
                started(*repetition);
            }
            match prepared.run() {
                Some(report) => {
                    let (outcome, usage) = (&report.outcome, &report.usage);
                    observer.event(&Event::Ended { workload: name, outcome, usage });
                    send(*repetition, report);
                }
                None => return,
            }
        }
    }
}
