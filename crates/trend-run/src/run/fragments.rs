//! Programs of experiments, which time fragments of code: started once for each experiment and size of memory.

use std::ffi::{OsStr, OsString};
use std::fs::{self, File};
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use trend_profile::is_constant_name;

use super::diagnosis;
use super::process::{NotRun, Runner};
use super::scratch::RunFolder;
use super::stop::Stop;
use crate::digest::{Digest, stamp_of};
use crate::supervisor::wire::{End, Job, Limits};
use crate::{RunError, shell};

/// What begins the output of such a program.
const HEADER: &str = "trend-fragment 1";

/// No list of experiments and no measurement is longer.
const LONGEST_OUTPUT: u64 = 1 << 20;

/// What is kept of a program's complaint.
const LONGEST_COMPLAINT: u64 = 4 << 10;

/// How long one experiment may take: making data of a gigabyte takes a while.
const PATIENCE: Duration = Duration::from_mins(5);

/// A program of experiments.
#[derive(Debug)]
pub struct FragmentWorker {
    command: Vec<OsString>,
    folder: PathBuf,
    supervisor: PathBuf,
    scratch: RunFolder,
}

/// One of its experiments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Experiment {
    /// The constant's name.
    pub name: String,
    /// How many bytes an element of its data takes; 0 where its memory does not grow.
    pub element_bytes: u64,
}

/// How an experiment is to be measured.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Measurement {
    /// How many elements its data has.
    pub elements: u64,
    /// The shortest time of one measurement.
    pub least: Duration,
    /// Repetitions grow by this factor from one measurement to the next.
    pub growth: f64,
}

/// Why an experiment gave nothing.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FragmentError {
    /// The program cannot be started.
    #[error("cannot start {program}")]
    NotStarted {
        /// The program.
        program: String,
        /// Why.
        source: io::Error,
    },
    /// It did not do what it should.
    #[error("{program}: {what}")]
    Failed {
        /// The program and its arguments.
        program: String,
        /// What it did instead.
        what: String,
    },
    /// The caller asked to stop.
    #[error("stopped")]
    Stopped,
}

impl FragmentWorker {
    /// A command, which is started in a folder; a relative path to the program starts there. What it prints goes through a
    /// folder beside the file of the machine.
    ///
    /// # Errors
    /// [`RunError`] where that folder cannot be made, or somebody else measures for the same file.
    pub fn open(
        command: &[OsString],
        folder: &Path,
        machine: &Path,
        supervisor: &Path,
    ) -> Result<Self, RunError> {
        let scratch = RunFolder::open(machine)?;
        let (command, folder, supervisor) = (command.to_vec(), folder.to_owned(), supervisor.to_owned());
        Ok(Self { command, folder, supervisor, scratch })
    }

    /// What decides whether a constant is still good: the words of the command, the files that they name, and how it is
    /// measured.
    pub fn fingerprint(&self, experiment: &str, least: Duration, largest_bytes: u64) -> String {
        let mut digest = Digest::new();
        for (i, word) in self.command.iter().enumerate() {
            let path =
                if i == 0 { diagnosis::on_path(&self.program()) } else { Some(self.folder.join(word)) };
            let stamp = path.and_then(|path| stamp_of(&path)).unwrap_or_default();
            digest.field(word).field(stamp.to_string());
        }
        digest.field(experiment).field(least.as_nanos().to_string()).field(largest_bytes.to_string());
        digest.finish()
    }

    /// Its experiments, in its order.
    ///
    /// # Errors
    /// [`FragmentError`], also for names that no formula can have.
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
                return Err(failed(format!(
                    "`{name}` is no name for a constant: letters, digits and `_` are"
                )));
            }
            if experiments.iter().any(|known| known.name == name) {
                return Err(failed(format!("lists `{name}` twice")));
            }
            experiments.push(Experiment { name: name.to_owned(), element_bytes });
        }
        Ok(experiments)
    }

    /// Seconds per execution, one for each measurement of one process; those of no execution or no time are left out.
    ///
    /// # Errors
    /// [`FragmentError`].
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

    /// What it prints behind the header.
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
            End::Signaled(signal) => return Err(failed(format!("ended by signal {signal}{}", complaint()))),
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

/// The beginning of a file as text.
fn beginning(path: &Path, most: u64) -> io::Result<String> {
    let mut bytes = Vec::new();
    File::open(path)?.take(most).read_to_end(&mut bytes)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// The start of a text from elsewhere, on one line.
fn brief(text: &str) -> String {
    text.chars().take(200).map(|c| if c.is_control() { ' ' } else { c }).collect()
}
