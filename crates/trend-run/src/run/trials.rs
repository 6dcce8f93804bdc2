//! Runs a program on many small inputs that nobody keeps, as fast as the usual limits allow.
//!
//! Unlike [`execute`](super::execute::execute), it stores no output, and no study. Each worker has one folder, one
//! input file and one log of counters for all its runs. A run is still supervised like any other.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs::{self, File};
use std::io;
use std::os::unix::fs::FileExt as _;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use object::{Object as _, ObjectSection as _, SectionKind};
use trend_profile::{Function, Location};

use super::decode::counted::Uncounted;
use super::decode::counting::count_into;
use super::decode::source::CountDecoder;
use super::execute::built::started;
use super::options::ExecuteOptions;
use super::root;
use super::supervise::runner::{NotRun, Runner};
use super::supervise::scratch::{RunFolder, WorkloadFolder};
use super::supervise::stop::Stop;
use crate::config::settings::Config;
use crate::error::RunError;
use crate::program::binaries::Binaries;
use crate::program::nature;
use crate::supervisor::wire::{End, Job, Limits};
use crate::words::placeholder::Fill;
use crate::words::shell;

/// Name of the input file in a worker's folder.
const INPUT: &str = "input";

/// Name of the counter folder in a worker's folder.
const COUNTERS: &str = "counters";

/// Name of the folder in which a program runs, unless it has its own working directory.
const WORKING: &str = "work";

/// A program that is run many times.
#[derive(Debug)]
pub struct Trials<'a> {
    config: &'a Config,
    folder: RunFolder,
    supervisor: PathBuf,
    source: CountDecoder,
    program: PathBuf,
    memory_bytes: Option<u64>,
    stop: Stop<'a>,
}

/// One run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trial {
    /// The way in which it ended.
    pub end: TrialEnd,
    /// Executions, `[locations]`: those that were known when the run ended. Empty if there are no counts.
    pub counts: Vec<u64>,
    /// CPU time of all its processes.
    pub processor: Duration,
}

/// The end of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TrialEnd {
    /// The program ended with this exit code.
    Exited(i32),
    /// A signal ended the program.
    Signaled(i32),
    /// The program took too long and was terminated.
    TimedOut,
    /// The user asked to stop.
    Cancelled,
}

/// The reason why a program cannot be tried. It completes "failed to run the program: …".
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct TrialError(String);

impl From<io::Error> for TrialError {
    fn from(error: io::Error) -> Self {
        Self(error.to_string())
    }
}

impl<'a> Trials<'a> {
    /// Prepares the scratch folder of `study`. No run of this study may be in progress.
    ///
    /// # Errors
    /// [`RunError`] if the scratch folder cannot be created, or is in use.
    pub fn open(
        config: &'a Config,
        study: &Path,
        options: &ExecuteOptions,
        cancel: &'a AtomicBool,
    ) -> Result<Self, RunError> {
        let folder = RunFolder::open(study, &options.supervisor)?;
        let stop = Stop { caller: cancel, recorder: AtomicBool::new(false) };
        let program = shell::resolved(&started(config), &config.folder);
        let binaries = Binaries::new(nature::on_path(&program), &config.folder);
        let root = root::of_study("", &config.folder);
        let source =
            CountDecoder::new(options.counters, &root.to_string_lossy(), BTreeSet::new(), binaries, config);
        let memory_bytes = options.memory_bytes.or(config.program.memory_bytes);
        let supervisor = options.supervisor.clone();
        Ok(Self { config, folder, supervisor, source, program, memory_bytes, stop })
    }

    /// Returns the program that the command starts.
    pub fn program(&self) -> &Path {
        &self.program
    }

    /// Returns the read-only data of the program, which contain its strings. They are empty if it is not an ELF file.
    pub fn read_only_data(&self) -> Vec<u8> {
        let bytes = fs::read(&self.program).unwrap_or_default();
        let Ok(file) = object::File::parse(bytes.as_slice()) else { return Vec::new() };
        let is_constant = |kind| matches!(kind, SectionKind::ReadOnlyData | SectionKind::ReadOnlyString);
        let sections = file.sections().filter(|section| is_constant(section.kind()));
        sections.filter_map(|section| section.data().ok()).collect::<Vec<_>>().concat()
    }

    /// Creates a worker, which does one run at a time. Each has its own number.
    ///
    /// # Errors
    /// Fails if its folder cannot be created.
    pub fn worker(&self, number: usize) -> Result<TrialWorker<'_>, TrialError> {
        let folder = self.folder.of_workload(&format!("worker {number}"));
        fs::create_dir_all(folder.handle.join(WORKING))?;
        let input = File::create(folder.handle.join(INPUT))?;
        let runner = Runner::new(&self.supervisor, &self.folder, &self.stop);
        let mut worker = TrialWorker { trials: self, runner, folder, input, job: Job::default() };
        worker.job = worker.job().map_err(TrialError)?;
        Ok(worker)
    }

    /// Calls `use_places` with the functions and locations that are known so far.
    pub fn with_places<T>(&self, use_places: impl FnOnce(&[Function], &[Location]) -> T) -> T {
        self.source.with_places(use_places)
    }
}

/// A worker that runs a program on one input after another.
#[derive(Debug)]
pub struct TrialWorker<'a> {
    trials: &'a Trials<'a>,
    runner: Runner<'a>,
    folder: WorkloadFolder,
    input: File,
    /// The job of every run, but for its time limit.
    job: Job,
}

impl TrialWorker<'_> {
    fn job(&self) -> Result<Job, String> {
        let Trials { config, source, program, .. } = self.trials;
        let path = self.folder.path.join(INPUT).into_os_string();
        let fill = Fill { input: Some(&path), parameters: &[] };
        let words: Vec<OsString> = config.program.command.iter().map(|word| word.fill(fill)).collect();
        let counters = self.folder.path.join(COUNTERS);
        let mut job = source.job(&words, &shell::resolved(&words[0], &config.folder), &counters)?;
        if !program.exists() && program.is_absolute() {
            return Err(format!("{} does not exist; build it first", program.display()));
        }
        let cwd = config.program.cwd.as_ref().map(|cwd| config.folder.join(cwd.fill(fill)));
        job.cwd = cwd.unwrap_or_else(|| self.folder.path.join(WORKING)).into();
        for (name, value) in &config.program.env {
            job.variable(name, value.fill(fill));
        }
        source.complete(&mut job, &counters)?;
        count_into(&mut job, &counters);
        let stdin = config.program.stdin.as_ref().map(|template| template.fill(fill));
        job.stdin = stdin.map(|path| config.folder.join(path).into());
        Ok(job)
    }

    /// Runs the program on an input. The counts of a run that takes too long are lost.
    ///
    /// # Errors
    /// [`TrialError`] if the program cannot be started, or ended well and left no counts.
    pub fn run(&self, input: &[u8], timeout: Duration) -> Result<Trial, TrialError> {
        self.input.set_len(0)?;
        self.input.write_all_at(input, 0)?;
        let counters = self.folder.handle.join(COUNTERS);
        clear(&counters);
        let memory_bytes = self.trials.memory_bytes;
        let limits = Limits { timeout: Some(timeout), memory_bytes, ..Limits::default() };
        let ended = self.runner.run(Job { limits, ..self.job.clone() }).map_err(|error| match error {
            NotRun::NotStarted { error, .. } | NotRun::NoSupervisor(error) => error.into(),
            NotRun::SupervisorEnded(how) => TrialError(format!("its supervisor ended {how}")),
        })?;
        let end = match ended.end {
            End::Exited(code) => TrialEnd::Exited(code),
            End::Signaled(signal) => TrialEnd::Signaled(signal),
            End::Cancelled => TrialEnd::Cancelled,
            End::TimedOut | End::Stopped | End::Ignored | End::Flooded { .. } | End::Unending { .. } => {
                TrialEnd::TimedOut
            }
        };
        let counts = match (self.trials.source.count(&counters), end) {
            (Ok(counted), _) => counted.counts,
            (Err(Uncounted::Unreadable(what)), TrialEnd::Exited(_)) => return Err(TrialError(what)),
            (Err(_), _) => Vec::new(),
        };
        Ok(Trial { end, counts, processor: ended.user + ended.system })
    }
}

/// Removes everything in the folder of the last run, but not the folder.
fn clear(folder: &Path) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
        let _ = if is_folder { fs::remove_dir_all(path) } else { fs::remove_file(path) };
    }
}
