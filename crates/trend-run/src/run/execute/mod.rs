//! Runs the workloads of a plan that are not recorded yet, and records them.
//!
//! `resume` decides which runs are left, `session` runs them, and `record` writes the study.

pub(crate) mod built;
mod calls;
mod matches;
mod record;
pub(crate) mod resume;
mod session;
pub(crate) mod summary;

use std::collections::BTreeSet;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::thread;

use trend_profile::{Command, Definition, RunState, StudyFile};

use self::built::started;
use self::matches::Matches;
use self::record::{Recorder, Sources};
use self::resume::{Earlier, Unit};
use self::session::Session;
use self::summary::Summary;
use super::decode::diagnosis;
use super::decode::source::{self, CountDecoder, CountSource};
use super::event::Observer;
use super::memory::MemoryWatch;
use super::options::{ExecuteOptions, Publish, limits};
use super::root;
use super::supervise::runner::Runner;
use super::supervise::scratch::RunFolder;
use super::supervise::stop::Stop;
use super::workload::worker::RunContext;
use crate::error::RunError;
use crate::plan::workload::Plan;
use crate::program::binaries::Binaries;
use crate::program::nature;
use crate::words::placeholder::Template;
use crate::words::shell;

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
    let started = nature::on_path(&shell::resolved(&started(&plan.config), &plan.config.folder));
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

    let required: BTreeSet<PathBuf> = objects.iter().map(|o| PathBuf::from(&o.path)).collect();
    let counted = started.as_deref().filter(|_| options.counters == CountSource::Callgrind);
    let doubts = counted.and_then(|program| diagnosis::counted_counters(program, &plan.config.folder));
    let memory = if watches_memory {
        Some(MemoryWatch::new(&folder, &first, started.as_deref(), &binaries, &root)?)
    } else {
        None
    };
    let source = CountDecoder::new(options.counters, &root, required, binaries.clone(), &plan.config);
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
    let (summary, observed_warnings) = (Summary::default(), BTreeSet::new());
    let mut session = Session { plan, observer, earlier, recorder, matches, summary, observed_warnings };
    if is_new && options.publish == Publish::WithRuns {
        session.recorder.publish()?;
    }
    session.begin(&context, &first, jobs)?;
    session.warn(doubts.as_slice())?;
    session.warn(memory.as_ref().map_or(&[], |memory| memory.warnings.as_slice()))?;
    session.run(&context, first, jobs)?;
    let summary = session.finish(&context)?;
    let has_ended = summary.cancelled == 0 || summary.finished > 0;
    if options.counters == CountSource::Gcov && has_ended && study.lacks_calls() {
        calls::record(study, &root, started.as_deref(), &binaries)?;
    }
    Ok(summary)
}

/// Stores the command in the study. Refuses a command with another program, because the study's counts would be lost.
/// Also refuses another command if the study has counts of workloads that would not run again, because it would then
/// mix two commands.
fn check_command(plan: &Plan, study: &mut StudyFile) -> Result<(), RunError> {
    let command = Command::Template(plan.config.program.command.iter().map(Template::pieces).collect());
    let Some(recorded) = study.command().filter(|recorded| !recorded.is_same(&command)) else {
        return Ok(study.set_command(&command)?);
    };
    let is_same_program = recorded.has_program_of(&command);
    let planned: BTreeSet<&str> = plan.workloads.iter().map(|w| w.workload.name.as_str()).collect();
    let remains =
        |r: &RunState| r.outcome.is_finished() && !(is_same_program && planned.contains(r.workload.as_str()));
    if study.run_states().iter().any(remains) {
        let (recorded, command) = (recorded.to_string(), command.to_string());
        return Err(RunError::OtherCommand { study: study.path().to_owned(), recorded, command });
    }
    Ok(study.set_command(&command)?)
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
