//! `trend-prof run --until-decided`: after the configured workloads, further sizes of the sweep, chosen by the advice
//! of the analysis, until the verdicts on all that is costly are decided or the time is spent.
//!
//! ```text
//!   plan ─▶ run ─▶ analyse ─▶ costliest undecided row ─▶ its advice, as far as there is time for it ─┐
//!            ▲                  none: done                                                           │
//!            └────────────────────────── further values of the parameter ◀───────────────────────────┘
//! ```

mod account;
mod admission;
mod choice;
mod forecast;
mod standing;
mod steering;

use std::collections::BTreeSet;
use std::path::Path;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use trend_analyze::{Findings, Options, analyze};
use trend_profile::{Study, StudyFile, Warning};
use trend_run::{Config, Event, ExecuteOptions, Observer, Plan, PlannedWorkload, Summary, parse_quantity};

use self::account::brief;
use self::admission::Admission;
use self::choice::{Choice, Chooser, Why};
use self::forecast::Forecast;
use self::steering::Steering;
use super::run;
use crate::failure::Failure;
use crate::interruption::Interruption;
use crate::progress::Progress;
use crate::terminal::Terminal;

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
    let interruption = Interruption::listen()?;
    let jobs = job.options.jobs.or(job.config.program.jobs);
    let jobs = jobs.or_else(|| thread::available_parallelism().ok()).map_or(1, usize::from);
    let mut rounds = Rounds {
        job,
        plan,
        study,
        interruption,
        begin,
        budget,
        jobs,
        summary: Summary::default(),
        // What fails is not tried again at once.
        failed: BTreeSet::new(),
        refused: 0,
        told: Mutex::default(),
    };
    let end = rounds.go_on();
    // What was run is told of, whatever happened then.
    run::report_summary(&rounds.summary, job.path, job.terminal);
    let end = end?;
    // Whoever interrupts after all is known is told it nevertheless.
    if end.is_none() && rounds.is_interrupted() {
        return Ok(rounds.interruption.exit_code());
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
    let recorded = job.path.exists().then(|| crate::study::load(job.path, None).ok()).flatten();
    let recorded = recorded.map(|study| crate::study::to_analyse(study, &[], &[]));
    let findings = recorded.and_then(|study| analyze(&study, &Options::default()).ok());
    let rows = findings.as_ref().map(|findings| standing::rows(findings, 0)).unwrap_or_default();
    let advice = rows.iter().find_map(|row| row.standing.next().filter(|next| !next.sizes.is_empty()));
    failure.maybe_hint(advice.map(|next| format!("what would help: {}", next.message)))
}

/// The whole is to be decided as well.
fn options() -> Options {
    Options { advise_whole: true, ..Options::default() }
}

/// Sets a mark when it goes out of scope, by a panic as well: a thread that waits for it is never waited for in vain.
struct SetAtEnd<'a>(&'a AtomicBool);

impl Drop for SetAtEnd<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Passes everything on, but no warning that an earlier round gave, and lets nothing begin for which there is no time.
struct NewWarnings<'a> {
    progress: &'a Progress,
    told: &'a Mutex<BTreeSet<Warning>>,
    admission: Option<&'a Admission>,
    terminal: Terminal,
}

impl Observer for NewWarnings<'_> {
    fn event(&self, event: &Event<'_>) {
        if let Event::Warned(warning) = event
            && !self.told.lock().unwrap_or_else(PoisonError::into_inner).insert((*warning).clone())
        {
            return;
        }
        if let (Event::Ended { workload, outcome, usage }, Some(admission)) = (event, self.admission)
            && outcome.is_finished()
        {
            admission.finished(workload, usage);
        }
        self.progress.event(event);
    }

    fn may_begin(&self, workload: &str) -> bool {
        self.admission.is_none_or(|admission| admission.admits(workload, self.terminal))
    }
}

/// Why it ended, and how everything stands.
struct End {
    findings: Findings,
    feature: usize,
    study: Study,
    why: Why,
}

struct Rounds<'a> {
    job: &'a Job<'a>,
    plan: Plan,
    study: StudyFile,
    interruption: Interruption,
    begin: Instant,
    budget: Duration,
    jobs: usize,
    summary: Summary,
    failed: BTreeSet<String>,
    /// Runs for which there was no time.
    refused: usize,
    told: Mutex<BTreeSet<Warning>>,
}

impl Rounds<'_> {
    /// Runs round by round; nothing when there is nothing to analyse.
    fn go_on(&mut self) -> Result<Option<End>, Failure> {
        let terminal = self.job.terminal;
        for round in 1..=MOST_ROUNDS {
            self.run(round == 1)?;
            if self.is_interrupted() || self.study_is_empty() {
                return Ok(None);
            }
            let study = self.study.load()?;
            // Sizes are chosen in one feature, which has to stay.
            let steered = Steering::new(self.job.config, &self.plan, &study);
            let steered = steered.map(|steering| study.features()[steering.feature].name.clone());
            let study = crate::study::to_analyse(study, steered.as_slice(), &[]);
            let findings = analyze(&study, &options())?;
            let Some(steering) = Steering::new(self.job.config, &self.plan, &study) else {
                terminal
                    .warn("no feature follows a numeric parameter, so that no further sizes can be chosen");
                return Ok(None);
            };
            let feature = steering.feature;
            let choice = if self.left().is_zero() {
                Choice::Nothing(Why::Spent)
            } else {
                let chooser = Chooser {
                    plan: &self.plan,
                    study: &study,
                    steering: &steering,
                    forecast: self.forecast(&study, &findings, feature),
                    failed: &self.failed,
                    repeat: self.repeat() as usize,
                    left: self.left().as_secs_f64(),
                };
                chooser.choice(&findings)?
            };
            let (row, values) = match choice {
                Choice::Nothing(why) => return Ok(Some(End { findings, feature, study, why })),
                Choice::Run { .. } if self.is_interrupted() => return Ok(None),
                Choice::Run { .. } if round == MOST_ROUNDS => {
                    return Ok(Some(End { findings, feature, study, why: Why::Rounds }));
                }
                Choice::Run { row, values } => (row, values),
            };
            let listed: Vec<&str> = values.iter().map(|(value, _)| value.as_str()).collect();
            terminal.note(&format!(
                "round {}: {} = {}, for {row}; {} left",
                round + 1,
                steering.parameter,
                listed.join(", "),
                brief(self.left())
            ));
            for (value, inputs) in &values {
                self.plan.extend(&steering.parameter, std::slice::from_ref(value), *inputs)?;
            }
        }
        Ok(None)
    }

    fn study_is_empty(&self) -> bool {
        !self.study.run_states().iter().any(|run| run.outcome.is_finished())
    }

    fn left(&self) -> Duration {
        self.budget.saturating_sub(self.begin.elapsed())
    }

    /// Runs what the plan has and the study has not, until the user or the time says stop.
    fn run(&mut self, first: bool) -> Result<(), Failure> {
        self.plan.workloads.retain(|w| !self.failed.contains(&w.workload.name));
        self.smallest_first();
        let options = ExecuteOptions { fresh: first && self.job.options.fresh, ..self.job.options.clone() };
        let (stop, done) = (AtomicBool::new(false), AtomicBool::new(false));
        let progress = Progress::new(self.job.terminal);
        let (begin, budget) = (self.begin, self.budget);
        let (plan, study, interruption) = (&self.plan, &mut self.study, &self.interruption);
        let known = if options.fresh { None } else { study.load().ok() };
        let parameter = steering::first(self.job.config);
        let admission = parameter.map(|name| Admission::new(plan, name, known.as_ref(), begin, budget));
        let (terminal, told) = (self.job.terminal, &self.told);
        let observer = NewWarnings { progress: &progress, told, admission: admission.as_ref(), terminal };
        let summary = thread::scope(|scope| {
            scope.spawn(|| {
                while !done.load(Ordering::Relaxed) {
                    let is_over = interruption.is_requested() || begin.elapsed() >= budget;
                    stop.fetch_or(is_over, Ordering::Relaxed);
                    thread::park_timeout(TICK);
                }
            });
            let _done = SetAtEnd(&done);
            trend_run::execute(plan, study, &options, &observer, &stop)
        });
        progress.finish();
        let summary = summary?;
        // There will be less time, not more.
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

    /// What tells how long the larger ones take goes before them.
    fn smallest_first(&mut self) {
        let Some(name) = steering::first(self.job.config) else { return };
        let size = |w: &PlannedWorkload| {
            let (_, value) = w.parameters.iter().find(|(parameter, _)| parameter == name)?;
            parse_quantity(value).ok()
        };
        self.plan.workloads.sort_by(|p, q| size(p).unwrap_or(0.0).total_cmp(&size(q).unwrap_or(0.0)));
    }

    fn repeat(&self) -> u32 {
        self.job.options.repeat.unwrap_or(self.job.config.program.repeat).max(1)
    }

    fn forecast<'f>(&self, study: &Study, findings: &'f Findings, feature: usize) -> Forecast<'f> {
        let jobs = if self.plan.is_sequential(self.repeat()) { 1 } else { self.jobs };
        Forecast::new(study, findings, feature, jobs)
    }

    fn is_interrupted(&self) -> bool {
        self.interruption.is_requested()
    }
}
