//! Runs programs of experiments, which time fragments of code. The program is started once for each experiment and data
//! size.

use std::ffi::{OsStr, OsString};
use std::fs::{self, File};
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use trend_profile::is_constant_name;

use super::supervise::runner::{NotRun, Runner};
use super::supervise::scratch::RunFolder;
use super::supervise::stop::Stop;
use crate::error::RunError;
use crate::program::digest::{Digest, stamp_of};
use crate::program::nature;
use crate::supervisor::wire::{End, Job, Limits};
use crate::words::shell;

/// First line of such a program's output.
const HEADER: &str = "trend-fragment 1";

/// Maximum length of a list of experiments, or of a measurement, in bytes.
const LONGEST_OUTPUT: u64 = 1 << 20;

/// Maximum length of a program's error output, in bytes.
const LONGEST_COMPLAINT: u64 = 4 << 10;

/// Time limit of one experiment. Creating a gigabyte of data takes a while.
const PATIENCE: Duration = Duration::from_mins(5);

/// A program of experiments.
#[derive(Debug)]
pub struct FragmentWorker {
    command: Vec<OsString>,
    folder: PathBuf,
    supervisor: PathBuf,
    scratch: RunFolder,
}

/// An experiment of such a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Experiment {
    /// Name of the constant that it measures.
    pub name: String,
    /// Size of an element of its data in bytes; 0 if its memory does not grow.
    pub element_bytes: u64,
}

/// The parameters of a measurement.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Measurement {
    /// Number of elements in the data.
    pub elements: u64,
    /// Shortest duration of one measurement.
    pub least: Duration,
    /// Factor by which repetitions grow from one measurement to the next.
    pub growth: f64,
}

/// The reason why an experiment has no result.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FragmentError {
    /// The program cannot be started.
    #[error("cannot start {program}")]
    NotStarted {
        /// The program.
        program: String,
        /// The operating system's error.
        source: io::Error,
    },
    /// The program did not behave as expected.
    #[error("{program}: {what}")]
    Failed {
        /// The program and its arguments.
        program: String,
        /// The unexpected behaviour.
        what: String,
    },
    /// The caller asked to stop.
    #[error("stopped")]
    Stopped,
}

impl FragmentWorker {
    /// Prepares a command, which starts in `folder`; a relative path to the program starts there as well. Its output
    /// goes through a folder next to the machine's file.
    ///
    /// # Errors
    /// [`RunError`] if that folder cannot be created, or if another process is measuring for the same file.
    pub fn open(
        command: &[OsString],
        folder: &Path,
        machine: &Path,
        supervisor: &Path,
    ) -> Result<Self, RunError> {
        let scratch = RunFolder::open(machine, supervisor)?;
        let (command, folder, supervisor) = (command.to_vec(), folder.to_owned(), supervisor.to_owned());
        Ok(Self { command, folder, supervisor, scratch })
    }

    /// Returns a digest of everything that determines if a constant is still valid. It covers the words of the command,
    /// the files that they name, and the way of measuring.
    pub fn fingerprint(&self, experiment: &str, least: Duration, largest_bytes: u64) -> String {
        let mut digest = Digest::new();
        for (i, word) in self.command.iter().enumerate() {
            let path = if i == 0 { nature::on_path(&self.program()) } else { Some(self.folder.join(word)) };
            let stamp = path.and_then(|path| stamp_of(&path)).unwrap_or_default();
            digest.field(word).field(stamp.to_string());
        }
        digest.field(experiment).field(least.as_nanos().to_string()).field(largest_bytes.to_string());
        digest.finish()
    }

    /// Lists the program's experiments, in its order.
    ///
    /// # Errors
    /// [`FragmentError`], also for names that cannot occur in a formula.
    pub fn experiments(&self, stop: &AtomicBool) -> Result<Vec<Experiment>, FragmentError> {
        let arguments = [OsString::from("list")];
        let failed = |what: String| self.failed(&arguments, what);
        let mut experiments: Vec<Experiment> = Vec::new();
        for line in self.run(&arguments, stop)?.lines() {
            let read = line.split_once(' ').and_then(|(name, bytes)| Some((name, bytes.parse().ok()?)));
            let (name, element_bytes) = read.ok_or_else(|| {
                failed(format!("listed an experiment as `{}`, not as `NAME BYTES`", brief(line)))
            })?;
            if !is_constant_name(name) {
                let name = brief(name);
                return Err(failed(format!("`{name}` is not a constant name; use letters, digits and `_`")));
            }
            if experiments.iter().any(|other| other.name == name) {
                return Err(failed(format!("lists `{name}` twice")));
            }
            experiments.push(Experiment { name: name.to_owned(), element_bytes });
        }
        Ok(experiments)
    }

    /// Runs an experiment once, and returns the seconds per execution for each measurement. Measurements without
    /// executions or time are left out.
    ///
    /// # Errors
    /// [`FragmentError`] if the program fails.
    pub fn measure(
        &self,
        experiment: &Experiment,
        how: Measurement,
        stop: &AtomicBool,
    ) -> Result<Vec<f64>, FragmentError> {
        let Measurement { elements, least, growth } = how;
        let arguments =
            [experiment.name.clone(), elements.to_string(), least.as_nanos().to_string(), growth.to_string()];
        let arguments = arguments.map(OsString::from);
        let mut seconds = Vec::new();
        for line in self.run(&arguments, stop)?.lines() {
            let numbers: Option<Vec<u64>> = line.split(' ').map(|number| number.parse().ok()).collect();
            let Some([_, executions, nanoseconds]) = numbers.as_deref() else {
                let what = format!("printed `{}`, not `REPETITIONS EXECUTIONS NANOSECONDS`", brief(line));
                return Err(self.failed(&arguments, what));
            };
            if *executions > 0 && *nanoseconds > 0 {
                seconds.push(*nanoseconds as f64 * 1e-9 / *executions as f64);
            }
        }
        Ok(seconds)
    }

    fn program(&self) -> PathBuf {
        shell::resolved(self.command.first().map_or(OsStr::new(""), OsString::as_os_str), &self.folder)
    }

    /// Runs the program and returns its output after the header.
    fn run(&self, arguments: &[OsString], stop: &AtomicBool) -> Result<String, FragmentError> {
        let failed = |what: String| self.failed(arguments, what);
        let here = self.scratch.of_workload("experiments");
        fs::create_dir_all(&here.handle).map_err(|e| failed(e.to_string()))?;
        let job = Job {
            program: self.program().into(),
            name: self.command.first().cloned().unwrap_or_default(),
            arguments: self.command.iter().skip(1).chain(arguments).cloned().collect(),
            cwd: self.folder.clone().into(),
            stdout: Some(here.output("stdout", Some(LONGEST_OUTPUT))),
            stderr: Some(here.output("stderr", Some(LONGEST_COMPLAINT))),
            limits: Limits { timeout: Some(PATIENCE), ..Limits::default() },
            ..Job::default()
        };
        let stop = Stop { caller: stop, recorder: AtomicBool::new(false) };
        let runner = Runner::new(&self.supervisor, &self.scratch, &stop);
        let ended = runner.run(job).map_err(|e| match e {
            NotRun::NotStarted { error, .. } | NotRun::NoSupervisor(error) => {
                FragmentError::NotStarted { program: self.program().display().to_string(), source: error }
            }
            NotRun::SupervisorEnded(how) => failed(format!("its supervisor ended {how}")),
        })?;
        let complaint = || {
            let text = beginning(&here.handle.join("stderr"), LONGEST_COMPLAINT).unwrap_or_default();
            if text.trim().is_empty() { String::new() } else { format!(": {}", brief(text.trim())) }
        };
        match ended.end {
            End::Exited(0) => {}
            End::Exited(code) => return Err(failed(format!("ended with exit code {code}{}", complaint()))),
            End::Signaled(signal) => {
                return Err(failed(format!("was killed by signal {signal}{}", complaint())));
            }
            End::Cancelled => return Err(FragmentError::Stopped),
            End::TimedOut => return Err(failed(format!("did not end within {} s", PATIENCE.as_secs()))),
            other => return Err(failed(format!("{other:?}"))),
        }
        let text =
            beginning(&here.handle.join("stdout"), LONGEST_OUTPUT).map_err(|e| failed(e.to_string()))?;
        match text.split_once('\n') {
            Some((HEADER, rest)) => Ok(rest.to_owned()),
            _ => Err(failed(format!("did not print `{HEADER}` first: does it call trend_experiments?"))),
        }
    }

    fn failed(&self, arguments: &[OsString], what: String) -> FragmentError {
        let words: Vec<_> = self.command.iter().chain(arguments).map(|word| word.to_string_lossy()).collect();
        FragmentError::Failed { program: words.join(" "), what }
    }
}

/// Reads the beginning of a file as text.
fn beginning(path: &Path, most: u64) -> io::Result<String> {
    let mut bytes = Vec::new();
    File::open(path)?.take(most).read_to_end(&mut bytes)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// Returns the beginning of a foreign text, on one line.
fn brief(text: &str) -> String {
    text.chars().take(200).map(|c| if c.is_control() { ' ' } else { c }).collect()
}
