//! Runs rounds: runs the plan, analyses the study, and adds further sizes to the plan.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use trend_analyze::{Findings, Options, analyze, to_analyze};
use trend_profile::{Study, StudyFile, Warning};
use trend_run::{Config, ExecuteOptions, Plan, PlannedWorkload, Summary, parse_quantity};

use crate::account::{Account, Ended, RowAccount};
use crate::admission::Admission;
use crate::choice::{Choice, Chooser};
use crate::deadline::within;
use crate::error::SteerError;
use crate::event::{Event, Note, Observer};
use crate::forecast::Forecast;
use crate::standing::{self, Goal};
use crate::steering::{self, Steering};

/// Maximum number of rounds. Each one adds sizes. If advice has not helped by then, it will not help later.
const MOST_ROUNDS: usize = 20;

/// Options and limits for running the chosen sizes.
#[derive(Clone, Copy)]
pub struct Job<'a> {
    /// Options for the runs.
    pub options: &'a ExecuteOptions,
    /// Time limit for all runs together.
    pub budget: Duration,
    /// Receives the events.
    pub observer: &'a dyn Observer,
    /// Set by the caller to stop; finished runs are recorded.
    pub stop: &'a AtomicBool,
}

/// Checks that a configuration has a parameter that can set a size. If it has none, the error contains the sizes that
/// would help the study at `path`, if one exists.
///
/// # Errors
/// [`SteerError::NoParameter`] if no parameter can set a size.
pub fn check(config: &Config, path: &Path) -> Result<(), SteerError> {
    if steering::has_size_parameter(config) {
        return Ok(());
    }
    let recorded = path.exists().then(|| StudyFile::read(path, None).ok()).flatten();
    let recorded = recorded.map(|study| to_analyze(study, &[], &[]));
    let findings = recorded.and_then(|study| analyze(&study, &Options::default()).ok());
    let rows = findings.as_ref().map(|findings| standing::costly_rows(findings, 0)).unwrap_or_default();
    let advice = rows.iter().find_map(|row| row.standing.next().filter(|next| !next.sizes.is_empty()));
    let advice = advice.map(|next| next.message.clone());
    Err(SteerError::NoParameter { has_files: !config.workloads.files.is_empty(), advice })
}

/// Forwards all events, except for warnings that an earlier round gave. Refuses runs for which there is no time.
struct NewWarnings<'a> {
    observer: &'a dyn Observer,
    shown_warnings: &'a Mutex<BTreeSet<Warning>>,
    admission: Option<&'a Admission>,
}

impl trend_run::Observer for NewWarnings<'_> {
    fn event(&self, event: &trend_run::Event<'_>) {
        if let trend_run::Event::Warned(warning) = event
            && !self.shown_warnings.lock().unwrap_or_else(PoisonError::into_inner).insert((*warning).clone())
        {
            return;
        }
        if let (trend_run::Event::Ended { workload, outcome, usage }, Some(admission)) =
            (event, self.admission)
            && outcome.is_finished()
        {
            admission.finished(workload, usage);
        }
        self.observer.event(&Event::Run(event));
    }

    fn may_begin(&self, workload: &str) -> bool {
        self.admission.is_none_or(|admission| admission.admits(workload, self.observer))
    }
}

/// Runs the workloads of a plan, and then others until the goal is decided or the budget is spent. Returns the
/// summary of all runs, which is also valid after an error.
///
/// # Errors
/// A round could not be run, or its study could not be read or analysed.
pub fn decide(
    goal: Goal<'_>,
    job: Job<'_>,
    plan: Plan,
    study: &mut StudyFile,
) -> (Summary, Result<Account, SteerError>) {
    let jobs = job.options.jobs.or(plan.config.program.jobs);
    let jobs = jobs.or_else(|| thread::available_parallelism().ok()).map_or(1, usize::from);
    let (begin, summary) = (Instant::now(), Summary::default());
    let (failed, shown_warnings) = (BTreeSet::new(), Mutex::default());
    let mut rounds =
        Rounds { goal, job, plan, study, begin, jobs, summary, failed, refused: 0, shown_warnings };
    let account = rounds.run();
    (rounds.summary, account)
}

struct Rounds<'a> {
    goal: Goal<'a>,
    job: Job<'a>,
    plan: Plan,
    study: &'a mut StudyFile,
    begin: Instant,
    /// Number of parallel runs.
    jobs: usize,
    summary: Summary,
    /// Workloads that failed and are not retried in this session.
    failed: BTreeSet<String>,
    /// Number of runs for which there was no time.
    refused: usize,
    shown_warnings: Mutex<BTreeSet<Warning>>,
}

impl Rounds<'_> {
    /// Runs rounds until there is no reason for another one.
    fn run(&mut self) -> Result<Account, SteerError> {
        for round in 1..=MOST_ROUNDS {
            self.execute(round == 1)?;
            if self.is_stopped() || self.study_is_empty() {
                break;
            }
            let study = self.study.load()?;
            // Sizes are chosen for one feature, so the analysis must keep it.
            let steered = Steering::new(&self.plan, &study);
            let steered = steered.map(|steering| study.features()[steering.feature].name.clone());
            let kept: Vec<String> = steered.into_iter().chain(self.goal.features()).collect();
            let study = to_analyze(study, &kept, &[]);
            let findings = analyze(&study, &self.goal.options())?;
            let Some(steering) = Steering::new(&self.plan, &study) else {
                return Ok(self.account(Ended::NothingFollows, Vec::new()));
            };
            let feature = steering.feature;
            let forecast = self.forecast(&study, &findings, feature);
            let choice = if self.left().is_zero() {
                Choice::Nothing(Ended::Spent)
            } else {
                let chooser = Chooser {
                    goal: self.goal,
                    plan: &self.plan,
                    study: &study,
                    steering: &steering,
                    forecast: &forecast,
                    failed: &self.failed,
                    repeat: self.repeat() as usize,
                    left: self.left().as_secs_f64(),
                };
                chooser.choice(&findings)?
            };
            let (row, values) = match choice {
                Choice::Nothing(ended) => {
                    let rows = rows(self.goal, &study, &findings, feature, &forecast)?;
                    return Ok(self.account(ended, rows));
                }
                Choice::Run { .. } if self.is_stopped() => break,
                Choice::Run { .. } if round == MOST_ROUNDS => {
                    let rows = rows(self.goal, &study, &findings, feature, &forecast)?;
                    return Ok(self.account(Ended::Rounds(MOST_ROUNDS), rows));
                }
                Choice::Run { row, values } => (row, values),
            };
            let (parameter, left) = (&steering.parameter, self.left());
            self.note(Note::Round { number: round + 1, parameter, values: &values, row: &row, left });
            for (value, inputs) in &values {
                self.plan.extend(parameter, std::slice::from_ref(value), *inputs)?;
            }
        }
        Ok(self.account(Ended::Stopped, Vec::new()))
    }

    fn account(&self, ended: Ended, rows: Vec<RowAccount>) -> Account {
        Account { what: self.goal.words(), ended, rows, spent: self.begin.elapsed(), budget: self.job.budget }
    }

    fn note(&self, note: Note<'_>) {
        self.job.observer.event(&Event::Note(note));
    }

    fn study_is_empty(&self) -> bool {
        !self.study.run_states().iter().any(|run| run.outcome.is_finished())
    }

    fn left(&self) -> Duration {
        self.job.budget.saturating_sub(self.begin.elapsed())
    }

    /// Runs the planned workloads that the study lacks, until the user or the time limit stops it.
    fn execute(&mut self, first: bool) -> Result<(), SteerError> {
        self.plan.workloads.retain(|w| !self.failed.contains(&w.workload.name));
        self.smallest_first();
        let options = ExecuteOptions { fresh: first && self.job.options.fresh, ..self.job.options.clone() };
        let Job { budget, observer, stop, .. } = self.job;
        let (begin, plan, study) = (self.begin, &self.plan, &mut *self.study);
        let earlier_study = if options.fresh { None } else { study.load().ok() };
        let parameter = steering::first_numeric_parameter(&plan.config);
        let admission =
            parameter.map(|name| Admission::new(plan, name, earlier_study.as_ref(), begin, budget));
        let new_warnings =
            NewWarnings { observer, shown_warnings: &self.shown_warnings, admission: admission.as_ref() };
        let left = budget.saturating_sub(begin.elapsed());
        let summary =
            within(left, stop, |stop| trend_run::execute(plan, study, &options, &new_warnings, stop));
        observer.event(&Event::RunsOver);
        let summary = summary?;
        // Refused workloads are dropped, because the remaining time only shrinks.
        let refused = admission.map(Admission::into_refused).unwrap_or_default();
        self.plan.workloads.retain(|w| !refused.contains(&w.workload.name));
        self.failed.extend(summary.failures.iter().map(|f| f.workload.clone()));
        if first {
            self.summary.skipped = summary.skipped;
        }
        self.summary.finished += summary.finished;
        self.summary.cancelled = summary.cancelled + self.refused;
        self.refused += refused.len() * self.repeat() as usize;
        self.summary.failures.extend(summary.failures);
        let new = summary.warnings.into_iter().filter(|w| !self.summary.warnings.contains(w));
        let new: Vec<Warning> = new.collect();
        self.summary.warnings.extend(new);
        Ok(())
    }

    /// Sorts workloads by size: small runs show how long larger ones take.
    fn smallest_first(&mut self) {
        let Some(name) = steering::first_numeric_parameter(&self.plan.config) else { return };
        let size = |w: &PlannedWorkload| {
            let (_, value) = w.parameters.iter().find(|(parameter, _)| parameter == name)?;
            parse_quantity(value).ok()
        };
        self.plan.workloads.sort_by(|p, q| size(p).unwrap_or(0.0).total_cmp(&size(q).unwrap_or(0.0)));
    }

    fn repeat(&self) -> u32 {
        self.job.options.repeat.unwrap_or(self.plan.config.program.repeat()).max(1)
    }

    fn forecast<'f>(&self, study: &Study, findings: &'f Findings, feature: usize) -> Forecast<'f> {
        let jobs = if self.plan.is_sequential(self.repeat()) { 1 } else { self.jobs };
        Forecast::new(study, findings, feature, jobs)
    }

    fn is_stopped(&self) -> bool {
        self.job.stop.load(Ordering::Relaxed)
    }
}

/// Returns the state of the rows, with the time that their advised runs would take.
fn rows(
    goal: Goal<'_>,
    study: &Study,
    findings: &Findings,
    feature: usize,
    forecast: &Forecast<'_>,
) -> Result<Vec<RowAccount>, SteerError> {
    let row = |row: standing::Row| {
        let seconds = row.standing.next().and_then(|next| {
            let runs: Vec<(f64, usize)> = next.sizes.iter().map(|&size| (size, next.inputs)).collect();
            forecast.seconds(&runs)
        });
        RowAccount { name: row.name, standing: row.standing, seconds }
    };
    Ok(goal.rows(study, findings, feature)?.into_iter().map(row).collect())
}
