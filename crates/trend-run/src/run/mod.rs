//! Runs the workloads of a plan and records their counts.
//!
//! ```text
//!   units ──▶ worker ─┐  input, run, counters → counts, features
//!         ──▶ worker ─┼──▶ channel ──▶ recorder ──▶ study
//!         ──▶ worker ─┘               (the caller's thread)
//! ```

mod binaries;
mod built;
mod callgrind;
mod calls;
mod counters;
mod counting;
mod diagnosis;
mod fragments;
mod inlined;
mod language;
mod larger;
mod latency;
mod matches;
mod memory;
mod places;
mod process;
mod record;
mod report;
mod resume;
pub(crate) mod root;
mod routines;
mod sampling;
pub(crate) mod scratch;
mod source;
mod stop;
mod summary;
mod timed;
mod timing;
mod trials;
mod values;
mod worker;

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{self, Sender};
use std::thread;
use std::time::Duration;

use trend_profile::{Command, Definition, Outcome, RunState, StudyFile, Warning};

pub(crate) use binaries::{Walk, is_elf};
pub use built::probe_of;
pub(crate) use counters::source_files;
pub(crate) use diagnosis::{has_counters_in, is_instrumented, is_library, is_script, on_path};
pub use diagnosis::{starts_instrumented, starts_script};
pub use fragments::{Experiment, FragmentError, FragmentWorker, Measurement};
pub use language::go::modules as go_modules;
pub use source::CountSource;
pub use summary::{Advice, Failure, Summary};
pub use timing::{time, time_side_by_side};
pub use trials::{Trial, TrialEnd, TrialError, TrialWorker, Trials};

use self::binaries::Binaries;
use self::matches::Matches;
use self::memory::MemoryWatch;
use self::process::Runner;
use self::record::{Recorder, Sources};
use self::report::Report;
pub use self::resume::is_of_another_build;
use self::resume::{Earlier, Unit};
use self::scratch::RunFolder;
use self::source::Source;
use self::stop::Stop;
use self::worker::{PreparedWorkload, RunContext};
use crate::supervisor::wire::Limits;
use crate::{Config, Event, Observer, Plan, RunError, Template, shell};

/// Options that override the configuration.
#[derive(Clone, Debug, Default)]
pub struct ExecuteOptions {
    /// The executable that becomes a [supervisor](crate::supervisor) when it is started as one. A program that can
    /// become one itself passes `/proc/self/exe`, which stays valid if another version is installed in its place.
    pub supervisor: PathBuf,
    /// Number of runs at the same time.
    pub jobs: Option<NonZeroUsize>,
    /// Time limit of a run; a longer run fails.
    pub timeout: Option<Duration>,
    /// Time after which a run is ended and counts as finished.
    pub stop_after: Option<Duration>,
    /// Limit of the address space of each process of a run.
    pub memory_bytes: Option<u64>,
    /// Number of runs of each workload.
    pub repeat: Option<u32>,
    /// True if everything recorded is deleted first.
    pub fresh: bool,
    /// The source of the counts.
    pub counters: CountSource,
    /// True if the lines that allocate memory are recorded.
    pub memory_by_line: bool,
    /// True if no texts of sources are recorded.
    pub without_sources: bool,
    /// The moment at which a new study appears at its path.
    pub publish: Publish,
    /// The folder for temporary files of builds. The default is the system's.
    pub temporary: Option<PathBuf>,
}

/// The moment at which a study that is only a draft appears at its path.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Publish {
    /// Before the first run, when nothing else can fail: the study says if all runs fail.
    #[default]
    WithRuns,
    /// With the first run that succeeds: nothing stays of a wrong command.
    WithSuccess,
}

/// Runs the workloads that are not recorded yet, and records them.
///
/// `cancel` may be set at any time and from anywhere, for example from a signal handler. The current runs are then
/// ended with all their processes, and the summary says how many runs are missing.
///
/// # Errors
/// [`RunError`]; everything recorded until then stays recorded.
pub fn execute(
    plan: &Plan,
    study: &mut StudyFile,
    options: &ExecuteOptions,
    observer: &dyn Observer,
    cancel: &AtomicBool,
) -> Result<Summary, RunError> {
    let folder = RunFolder::open(study.path(), &options.supervisor)?;
    let stop = Stop { caller: cancel, recorder: AtomicBool::new(false) };
    let first = Runner::new(&options.supervisor, &folder, &stop);
    let started = diagnosis::on_path(&shell::resolved(&started(&plan.config), &plan.config.folder));
    let binaries = Binaries::new(started.clone(), &plan.config.folder);
    if options.counters == CountSource::Gcov {
        let memory = options.memory_bytes.or(plan.config.program.memory_bytes);
        built::check(&plan.config, started.as_deref(), &binaries, memory)?;
    }
    let is_new = !study.is_published();
    if options.fresh && !is_new {
        let has_counts = study.run_states().iter().any(|run| run.outcome.is_finished());
        study.clear()?;
        // A study without counts is replaced right away, so that it then says that runs fail.
        if !has_counts {
            study.publish()?;
        }
    }
    check_command(plan, study)?;
    let retired = plan.retired(&study.run_states())?;
    let is_ours = |name: &str| plan.config.shard.is_none_or(|shard| shard.has(name));
    study.retire(|name, was| if is_ours(name) { retired.contains(name) } else { was })?;
    let needs_probe = plan.config.program.probe.has_probe();
    let has_probe = needs_probe || built::probe_of(&plan.config).is_some();
    source::check(options.counters, has_probe, study)?;
    let folder_of_sources = root::of_study(study.root(), &plan.config.folder);
    let root = folder_of_sources.to_string_lossy();
    let objects = root::objects(study, &plan.config.folder);
    let missing =
        resume::check_build(study.path(), &objects, |path| source::stamp_of(options.counters, path))?;
    let repeat = options.repeat.unwrap_or(plan.config.program.repeat()).max(1);
    let watches_memory = options.memory_by_line || plan.config.program.memory_by_line;
    let earlier = Earlier::read(study, plan, repeat, watches_memory);
    declare_features(plan, study)?;

    let known_functions = study.functions_count();
    let required: BTreeSet<PathBuf> = objects.iter().map(|o| PathBuf::from(&o.path)).collect();
    let counted = started.as_deref().filter(|_| options.counters == CountSource::Callgrind);
    let doubts = counted.and_then(|program| diagnosis::counted_counters(program, &plan.config.folder));
    let memory = if watches_memory {
        Some(MemoryWatch::new(&folder, &first, started.as_deref(), &binaries, &root)?)
    } else {
        None
    };
    let source = Source::new(options.counters, &root, required, binaries.clone(), &plan.config);
    let limits = limits(plan, options);
    let supervisor = options.supervisor.as_path();
    let context = RunContext {
        config: &plan.config,
        folder: &folder,
        source: &source,
        memory: memory.as_ref(),
        limits,
        supervisor,
        stop: &stop,
    };
    let jobs = jobs(plan, options, &earlier.units, repeat);
    let sources =
        if options.without_sources { Sources::Nothing } else { Sources::Below(&plan.config.folder) };
    let recorder = Recorder::new(study, &source, &objects, missing, &folder_of_sources, sources);
    let matches = Matches::new(plan, &earlier);
    let (summary, told) = (Summary::default(), BTreeSet::new());
    let mut session = Session { plan, observer, earlier, recorder, matches, summary, told };
    if is_new && options.publish == Publish::WithRuns {
        session.recorder.publish()?;
    }
    session.begin(&context, &first, jobs)?;
    session.warn(doubts.as_slice())?;
    session.warn(memory.as_ref().map_or(&[], |memory| memory.warnings.as_slice()))?;
    session.run(&context, first, jobs)?;
    let summary = session.finish(&context)?;
    let has_new = study.functions_count() > known_functions;
    if options.counters == CountSource::Gcov && summary.finished > 0 && (has_new || !study.has_calls()) {
        calls::record(study, &root, started.as_deref(), &binaries)?;
    }
    Ok(summary)
}

/// Stores the command in the study. Refuses a command with another program, because the study's counts would be lost.
/// Also refuses another command if the study has counts of workloads that would not run again, because it would then
/// mix two commands.
fn check_command(plan: &Plan, study: &mut StudyFile) -> Result<(), RunError> {
    let command = Command::Template(plan.config.program.command.iter().map(Template::pieces).collect());
    let Some(known) = study.command().filter(|known| !known.is_same(&command)) else {
        return Ok(study.set_command(&command)?);
    };
    let is_same_program = known.has_program_of(&command);
    let planned: BTreeSet<&str> = plan.workloads.iter().map(|w| w.workload.name.as_str()).collect();
    let remains =
        |r: &RunState| r.outcome.is_finished() && !(is_same_program && planned.contains(r.workload.as_str()));
    if study.run_states().iter().any(remains) {
        let (known, command) = (known.to_string(), command.to_string());
        return Err(RunError::OtherCommand { study: study.path().to_owned(), known, command });
    }
    Ok(study.set_command(&command)?)
}

/// Returns the program that the command starts: the only program that its script names, or else its first word.
fn started(config: &Config) -> OsString {
    let fill = crate::placeholder::Fill { input: None, parameters: &[] };
    let words: Vec<OsString> = config.program.command.iter().map(|word| word.fill(fill)).collect();
    let of_script = shell::program(&words, &config.folder).map(PathBuf::into_os_string);
    of_script.or_else(|| words.into_iter().next()).unwrap_or_default()
}

/// Returns the limits of a run.
fn limits(plan: &Plan, options: &ExecuteOptions) -> Limits {
    let program = &plan.config.program;
    Limits {
        timeout: options.timeout.or(program.timeout),
        stop_after: options.stop_after.or(program.stop_after),
        memory_bytes: options.memory_bytes.or(program.memory_bytes),
        larger_stack: program.probe.has_probe(),
    }
}

/// Returns the number of runs at the same time.
fn jobs(plan: &Plan, options: &ExecuteOptions, units: &[Unit], repeat: u32) -> usize {
    if plan.is_sequential(repeat) {
        return 1;
    }
    let cores = thread::available_parallelism().map_or(1, NonZeroUsize::get);
    let wanted = options.jobs.or(plan.config.program.jobs).map_or(cores, NonZeroUsize::get);
    wanted.min(units.len()).max(1)
}

fn declare_features(plan: &Plan, study: &mut StudyFile) -> Result<(), RunError> {
    let features: Vec<(String, Definition)> =
        plan.config.features.iter().map(|f| (f.name.clone(), f.definition.clone())).collect();
    Ok(study.declare_features(&features)?)
}

/// A finished or failed run on its way to the recorder.
struct Message {
    workload: usize,
    repetition: u32,
    report: Report,
}

/// The recording side of one call of `execute`.
struct Session<'a> {
    plan: &'a Plan,
    observer: &'a dyn Observer,
    earlier: Earlier,
    recorder: Recorder<'a>,
    matches: Matches,
    summary: Summary,
    /// Warnings that the observer has already received.
    told: BTreeSet<Warning>,
}

impl Session<'_> {
    /// Announces the plan, and computes missing features of recorded workloads.
    fn begin(&mut self, context: &RunContext<'_>, runner: &Runner<'_>, jobs: usize) -> Result<(), RunError> {
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
    fn run(&mut self, context: &RunContext<'_>, first: Runner<'_>, jobs: usize) -> Result<(), RunError> {
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

    fn finish(mut self, context: &RunContext<'_>) -> Result<Summary, RunError> {
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

    fn warn(&mut self, warnings: &[Warning]) -> Result<(), RunError> {
        self.recorder.warn(warnings)?;
        for warning in warnings {
            self.tell(warning);
        }
        Ok(())
    }

    /// Passes a warning to the observer, but only once.
    fn tell(&mut self, warning: &Warning) {
        if self.told.insert(warning.clone()) {
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
