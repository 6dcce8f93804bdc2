//! `trend-prof run --until-decided`: after the configured workloads, further sizes of the sweep, chosen by the advice
//! of the analysis, until the verdicts on all that is costly are decided or the time is spent.
//!
//! ```text
//!   plan ─▶ run ─▶ analyse ─▶ costliest undecided row ─▶ its advice, as far as there is time for it ─┐
//!            ▲                  none: done                                                           │
//!            └────────────────────────── further values of the parameter ◀───────────────────────────┘
//! ```

mod forecast;
mod standing;
mod steering;

use std::collections::BTreeSet;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use trend_analyze::{Findings, NextRuns, Options, analyze};
use trend_profile::{Study, StudyFile};
use trend_run::{Config, ExecuteOptions, Plan, Summary};

use self::forecast::Forecast;
use self::standing::{Row, Standing};
use self::steering::Steering;
use super::run;
use crate::failure::Failure;
use crate::progress::Progress;
use crate::terminal::{Terminal, plural};

/// Rounds after which it is given up. Each adds sizes, and advice that has not helped so often is not going to.
const MOST_ROUNDS: usize = 20;

/// How often it is looked whether the time is over.
const TICK: Duration = Duration::from_millis(20);

/// What is to be done, and where.
#[derive(Clone, Copy)]
pub(super) struct Job<'a> {
    pub(super) config: &'a Config,
    pub(super) path: &'a Path,
    pub(super) options: &'a ExecuteOptions,
    pub(super) terminal: Terminal,
}

/// Runs the configured workloads, and then others until every costly row is decided or `budget` is spent.
pub(super) fn decided(job: &Job<'_>, budget: Duration, may_build: bool) -> Result<ExitCode, Failure> {
    if !steering::is_possible(job.config) {
        return Err(not_possible(job));
    }
    let (plan, study) = run::prepared(job.config, job.path, job.options, may_build, job.terminal)?;
    let begin = Instant::now();
    let interrupted = run::interruption()?;
    let jobs = job.options.jobs.or(job.config.program.jobs);
    let jobs = jobs.or_else(|| thread::available_parallelism().ok()).map_or(1, usize::from);
    let mut rounds = Rounds {
        job,
        plan,
        study,
        interrupted,
        begin,
        budget,
        jobs,
        summary: Summary::default(),
        // What fails is not tried again at once.
        failed: BTreeSet::new(),
    };
    let end = rounds.go_on()?;
    run::report_summary(&rounds.summary, job.path, job.terminal);
    if rounds.interrupted.load(Ordering::Relaxed) {
        return Ok(run::exit_code(&rounds.summary));
    }
    rounds.report(end.as_ref());
    Ok(if rounds.summary.failures.is_empty() {
        ExitCode::SUCCESS
    } else {
        ExitCode::from(crate::failure::EXIT_EXPECTATION)
    })
}

/// A sweep without a number has no next size; the study may know what sizes would help.
fn not_possible(job: &Job<'_>) -> Failure {
    let failure = Failure::new("there is no numeric parameter to choose further sizes of");
    let failure = if job.config.workloads.files.is_empty() {
        failure
            .hint("sweep over a size: `--param n=100..10000x8`, or `parameters = { n = \"100..10000 x8\" }`")
    } else {
        failure.hint(
            "input files cannot be extended: add some, or let `parameters` and `generate` under [workloads] make them",
        )
    };
    let recorded = job.path.exists().then(|| crate::study::load(Some(job.path)).ok()).flatten();
    let findings = recorded.and_then(|(_, study)| analyze(&study, &Options::default()).ok());
    let rows = findings.as_ref().map(|findings| standing::rows(findings, 0)).unwrap_or_default();
    let advice = rows.iter().find_map(|row| row.standing.next().filter(|next| !next.sizes.is_empty()));
    failure.maybe_hint(advice.map(|next| format!("what would help: {}", next.message)))
}

/// Why it ended, and how everything stands.
struct End {
    findings: Findings,
    feature: usize,
    study: Study,
    gave_up: bool,
}

struct Rounds<'a> {
    job: &'a Job<'a>,
    plan: Plan,
    study: StudyFile,
    interrupted: Arc<AtomicBool>,
    begin: Instant,
    budget: Duration,
    jobs: usize,
    summary: Summary,
    failed: BTreeSet<String>,
}

impl Rounds<'_> {
    /// Runs round by round; nothing when there is nothing to analyse.
    fn go_on(&mut self) -> Result<Option<End>, Failure> {
        let terminal = self.job.terminal;
        for round in 1..=MOST_ROUNDS {
            self.run(round == 1)?;
            if self.interrupted.load(Ordering::Relaxed) || self.study_is_empty()? {
                return Ok(None);
            }
            let study = self.study.load()?;
            let findings = analyze(&study, &Options::default())?;
            let Some(steering) = Steering::new(self.job.config, &self.plan, &study) else {
                terminal
                    .warn("no feature follows a numeric parameter, so that no further sizes can be chosen");
                return Ok(None);
            };
            let feature = steering.feature;
            let choice =
                if self.left().is_zero() { None } else { self.choice(&study, &findings, &steering)? };
            let Some((name, values, inputs)) = choice.filter(|_| round < MOST_ROUNDS) else {
                return Ok(Some(End { findings, feature, study, gave_up: round == MOST_ROUNDS }));
            };
            terminal.note(&format!(
                "round {}: {} = {}, for {name}; {} left",
                round + 1,
                steering.parameter,
                values.join(", "),
                brief(self.left())
            ));
            self.plan.extend(&steering.parameter, &values, inputs)?;
        }
        Ok(None)
    }

    fn study_is_empty(&self) -> Result<bool, Failure> {
        Ok(!self.study.run_states()?.iter().any(|run| run.outcome.is_finished()))
    }

    fn left(&self) -> Duration {
        self.budget.saturating_sub(self.begin.elapsed())
    }

    /// Runs what the plan has and the study has not, until the user or the time says stop.
    fn run(&mut self, first: bool) -> Result<(), Failure> {
        self.plan.workloads.retain(|w| !self.failed.contains(&w.workload.name));
        let options = ExecuteOptions { fresh: first && self.job.options.fresh, ..self.job.options.clone() };
        let (stop, done) = (AtomicBool::new(false), AtomicBool::new(false));
        let progress = Progress::new(self.job.terminal);
        let (begin, budget) = (self.begin, self.budget);
        let (plan, study, interrupted) = (&self.plan, &mut self.study, &self.interrupted);
        let summary = thread::scope(|scope| {
            scope.spawn(|| {
                while !done.load(Ordering::Relaxed) {
                    let is_over = interrupted.load(Ordering::Relaxed) || begin.elapsed() >= budget;
                    stop.fetch_or(is_over, Ordering::Relaxed);
                    thread::park_timeout(TICK);
                }
            });
            let summary = trend_run::execute(plan, study, &options, &progress, &stop);
            done.store(true, Ordering::Relaxed);
            summary
        });
        progress.finish();
        let summary = summary?;
        self.failed.extend(summary.failures.iter().map(|f| f.workload.clone()));
        if first {
            self.summary.skipped = summary.skipped;
        }
        self.summary.finished += summary.finished;
        self.summary.cancelled = summary.cancelled;
        self.summary.failures.extend(summary.failures);
        self.summary.warnings.extend(summary.warnings);
        Ok(())
    }

    /// The values to run next, for which row, and how many inputs of each; nothing when all is decided, or when
    /// nothing that there is time for would help.
    fn choice(
        &self,
        study: &Study,
        findings: &Findings,
        steering: &Steering,
    ) -> Result<Option<(String, Vec<String>, usize)>, Failure> {
        let forecast = Forecast::new(study, findings, steering.feature, self.jobs);
        let known: BTreeSet<&str> =
            self.plan.workloads.iter().filter_map(|w| steering.value_of(&w.parameters)).collect();
        let new_values = |next: &NextRuns| -> Vec<(f64, String)> {
            let values = next.sizes.iter().filter_map(|&size| Some((size, steering.value_for(size)?)));
            values.filter(|(_, value)| next.inputs > 1 || !known.contains(value.as_str())).collect()
        };
        let rows = standing::rows(findings, steering.feature);
        let Some(open) =
            rows.iter().find(|row| row.standing.next().is_some_and(|n| !new_values(n).is_empty()))
        else {
            return Ok(None);
        };
        let others = self.inputs_per_value(steering).max(1);
        let largest = self.largest(&forecast, steering, others);
        let fits = |next: &NextRuns| {
            let inputs = next.inputs.max(others);
            next.sizes.iter().all(|&size| largest.is_none_or(|l| size <= l))
                && forecast.seconds(&next.sizes, inputs).is_none_or(|s| s <= self.left().as_secs_f64())
        };
        let choose = |row: &Row, next: &NextRuns| {
            let mut budget = self.left().as_secs_f64();
            let mut values: Vec<String> = Vec::new();
            for (size, value) in new_values(next) {
                let seconds = forecast.seconds(&[size], next.inputs.max(others)).unwrap_or(0.0);
                if seconds <= budget && !values.contains(&value) {
                    budget -= seconds;
                    values.push(value);
                }
            }
            (!values.is_empty()).then(|| (row.name.clone(), values, next.inputs))
        };
        let wanted = open.standing.next().filter(|next| fits(next));
        if let Some(choice) = wanted.and_then(|next| choose(open, next)) {
            return Ok(Some(choice));
        }
        // There is not enough time for what would be best: what is best of the rest?
        let Some(largest) = largest.or_else(|| forecast.largest(self.left().as_secs_f64(), others)) else {
            return Ok(None);
        };
        let name = findings.features[steering.feature].name.clone();
        let options = Options { largest: Some((name, largest)), ..Options::default() };
        let nearer = analyze(study, &options)?;
        let rows = standing::rows(&nearer, steering.feature);
        Ok(rows.iter().find_map(|row| choose(row, row.standing.next()?)))
    }

    /// The largest size worth trying: below those that failed, and with time left for it.
    fn largest(&self, forecast: &Forecast, steering: &Steering, inputs: usize) -> Option<f64> {
        let in_time = forecast.largest(self.left().as_secs_f64(), inputs);
        let failed = self.failed.iter().filter_map(|name| steering.size_in(name)).min_by(f64::total_cmp);
        in_time.into_iter().chain(failed.map(|size| size * 0.99)).min_by(f64::total_cmp)
    }

    fn inputs_per_value(&self, steering: &Steering) -> usize {
        let workloads = &self.job.config.workloads;
        let others = workloads.parameters.iter().filter(|p| p.name != steering.parameter);
        let repetitions = self.job.options.repeat.unwrap_or(self.job.config.program.repeat) as usize;
        others.map(|p| p.values.len()).product::<usize>() * repetitions.max(1)
    }

    /// What is decided, what is not, and why it ended.
    fn report(&self, end: Option<&End>) {
        let terminal = self.job.terminal;
        let (spent, of) = (brief(self.begin.elapsed().min(self.budget)), brief(self.budget));
        let budget_spent = format!("budget spent ({spent} of {of})");
        let Some(end) = end else {
            if self.left().is_zero() {
                terminal.note(&budget_spent);
            }
            return;
        };
        let rows = standing::rows(&end.findings, end.feature);
        let decided: Vec<String> = rows
            .iter()
            .filter_map(|row| match &row.standing {
                Standing::Decided(class) => Some(format!("{class} for {}", row.name)),
                Standing::Open { .. } => None,
            })
            .collect();
        if !decided.is_empty() {
            terminal.note(&format!("decided: {}", decided.join("; ")));
        }
        let forecast = Forecast::new(&end.study, &end.findings, end.feature, self.jobs);
        for row in &rows {
            let Standing::Open { verdict, next } = &row.standing else { continue };
            let advice = next.as_ref().map(|next| {
                let seconds = forecast.seconds(&next.sizes, next.inputs).filter(|s| *s >= 1.0);
                let takes = seconds.map_or(String::new(), |s| format!(" (about {})", brief_seconds(s)));
                format!(": {}{takes}", next.message)
            });
            terminal.note(&format!("{verdict} for {}{}", row.name, advice.unwrap_or_default()));
        }
        let is_open = decided.len() < rows.len();
        terminal.note(&match (is_open, self.left().is_zero(), end.gave_up) {
            (true, true, _) => budget_spent,
            (true, _, true) => format!("gave up after {}, {spent} of {of}", plural(MOST_ROUNDS, "round")),
            (true, false, false) => {
                format!("stopped after {spent} of {of}: nothing that there is time for would decide more")
            }
            (false, ..) => format!("everything costly is decided, after {spent} of {of}"),
        });
    }
}

fn brief(time: Duration) -> String {
    brief_seconds(time.as_secs_f64())
}

/// `0.3 s`, `12 s`, `9m 58s`, `1.5 h`.
fn brief_seconds(seconds: f64) -> String {
    match seconds {
        s if s < 10.0 => format!("{s:.1} s"),
        s if s < 60.0 => format!("{s:.0} s"),
        s if s < 3600.0 => format!("{:.0}m {:02.0}s", (s / 60.0).floor(), (s % 60.0).floor()),
        s => format!("{:.1} h", s / 3600.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_as_long_as_they_need_to_be() {
        let shown = [0.25, 12.4, 59.4, 598.9, 600.0, 5400.0].map(brief_seconds);
        assert_eq!(shown, ["0.2 s", "12 s", "59 s", "9m 58s", "10m 00s", "1.5 h"]);
    }
}
