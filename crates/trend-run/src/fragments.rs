//! Programs of experiments, which time fragments of code: started once for each experiment and size of memory.

use std::ffi::{OsStr, OsString};
use std::io::{self, Read as _};
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, Signal, kill_process_group};
use trend_profile::is_constant_name;

use crate::digest::{Digest, stamp_of};

/// What begins the output of such a program.
const HEADER: &str = "trend-fragment 1";

/// No list of experiments and no measurement is longer.
const LONGEST_OUTPUT: u64 = 1 << 20;

/// How often a wait looks whether the caller wants to stop.
const WATCH: Timespec = Timespec { tv_sec: 0, tv_nsec: 50_000_000 };

/// How long one experiment may take: making data of a gigabyte takes a while.
const PATIENCE: Duration = Duration::from_mins(5);

/// A program of experiments.
#[derive(Clone, Debug)]
pub struct FragmentWorker {
    command: Vec<OsString>,
    folder: PathBuf,
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
pub struct Experimental {
    /// How many elements its data has.
    pub elements: u64,
    /// How long repetitions take at least that are worth a measurement.
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
    /// A command, which is started in a folder; a relative path to the program starts there.
    pub fn new(command: &[OsString], folder: &Path) -> Self {
        Self { command: command.to_vec(), folder: folder.to_owned() }
    }

    /// Whether its program has to be built first.
    pub fn is_missing(&self) -> bool {
        let program = Path::new(self.program());
        program.components().count() > 1 && !self.folder.join(program).exists()
    }

    /// What decides whether its constants are still good: the program, its arguments and the experiment.
    pub fn fingerprint(&self, experiment: &str, least: Duration, largest_bytes: u64) -> String {
        let mut digest = Digest::new();
        for word in &self.command {
            digest.field(word);
        }
        // Its folder is another one elsewhere; its contents are what counts.
        let stamp = stamp_of(&self.folder.join(self.program())).unwrap_or_default();
        digest
            .field(stamp.to_string())
            .field(experiment)
            .field(least.as_nanos().to_string())
            .field(largest_bytes.to_string());
        digest.finish()
    }

    /// Its experiments, in its order.
    ///
    /// # Errors
    /// [`FragmentError`], also for names that no formula can have.
    pub fn experiments(&self, stop: &AtomicBool) -> Result<Vec<Experiment>, FragmentError> {
        let arguments = [OsString::from("list")];
        let lines = self.run(&arguments, stop)?;
        let mut experiments: Vec<Experiment> = Vec::new();
        for line in &lines {
            let failed = |what: String| self.failed(&arguments, what);
            let read = line.split_once(' ').and_then(|(name, bytes)| Some((name, bytes.parse().ok()?)));
            let (name, element_bytes) = read.ok_or_else(|| {
                failed(format!(
                    "printed `{}`, and `NAME BYTES` is what an experiment is listed by",
                    brief(line)
                ))
            })?;
            if !is_constant_name(name) {
                return Err(failed(format!(
                    "`{}` is no name for a constant: letters, digits and `_` are",
                    brief(name)
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
        how: Experimental,
        stop: &AtomicBool,
    ) -> Result<Vec<f64>, FragmentError> {
        let Experimental { elements, least, growth } = how;
        let arguments: Vec<OsString> =
            [experiment.name.clone(), elements.to_string(), least.as_nanos().to_string(), growth.to_string()]
                .map(OsString::from)
                .into();
        let lines = self.run(&arguments, stop)?;
        let mut seconds = Vec::new();
        for line in &lines {
            let numbers: Option<Vec<u64>> = line.split(' ').map(|number| number.parse().ok()).collect();
            let Some([_, executions, nanoseconds]) = numbers.as_deref() else {
                let what = format!(
                    "printed `{}`, and `REPETITIONS EXECUTIONS NANOSECONDS` is a measurement",
                    brief(line)
                );
                return Err(self.failed(&arguments, what));
            };
            if *executions > 0 && *nanoseconds > 0 {
                seconds.push(*nanoseconds as f64 * 1e-9 / *executions as f64);
            }
        }
        Ok(seconds)
    }

    fn program(&self) -> &OsStr {
        self.command.first().map_or(OsStr::new(""), OsString::as_os_str)
    }

    /// The lines that it prints behind the header.
    fn run(&self, arguments: &[OsString], stop: &AtomicBool) -> Result<Vec<String>, FragmentError> {
        let program = Path::new(self.program());
        let program =
            if program.components().count() > 1 { self.folder.join(program) } else { program.to_owned() };
        let mut command = Command::new(&program);
        command.args(self.command.iter().skip(1)).args(arguments).current_dir(&self.folder);
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).process_group(0);
        let child = command
            .spawn()
            .map_err(|source| FragmentError::NotStarted { program: program.display().to_string(), source })?;
        let failed = |what: String| self.failed(arguments, what);
        let (status, printed, complaint) = Watched { child }.end(stop).map_err(|end| match end {
            Cut::Stopped => FragmentError::Stopped,
            Cut::TooLong => failed(format!("did not end within {} s", PATIENCE.as_secs())),
            Cut::TooMuch => failed("printed more than a megabyte".to_owned()),
            Cut::Io(error) => failed(format!("cannot be read from: {error}")),
        })?;
        if !status.success() {
            let complaint = complaint.trim();
            let says = if complaint.is_empty() { String::new() } else { format!(": {}", brief(complaint)) };
            return Err(failed(format!("ended with {status}{says}")));
        }
        let mut lines = printed.lines();
        match lines.next() {
            Some(HEADER) => Ok(lines.map(str::to_owned).collect()),
            first => Err(failed(format!(
                "begins with `{}`, and programs that trend_fragment.h or the crate trend-fragment is part of with `{HEADER}`",
                brief(first.unwrap_or_default())
            ))),
        }
    }

    fn failed(&self, arguments: &[OsString], what: String) -> FragmentError {
        let words: Vec<_> = self.command.iter().chain(arguments).map(|word| word.to_string_lossy()).collect();
        FragmentError::Failed { program: words.join(" "), what }
    }
}

/// The start of a text from elsewhere, on one line.
fn brief(text: &str) -> String {
    text.chars().take(200).map(|c| if c.is_control() { ' ' } else { c }).collect()
}

/// A process that does not outlive this value, and what comes from it.
struct Watched {
    child: Child,
}

/// Why a process was ended.
enum Cut {
    Stopped,
    TooLong,
    TooMuch,
    Io(io::Error),
}

impl Watched {
    /// Waits for its end: how it ended, what it printed, and the beginning of its complaint.
    fn end(mut self, stop: &AtomicBool) -> Result<(ExitStatus, String, String), Cut> {
        let begin = Instant::now();
        let mut output = self.child.stdout.take().ok_or(Cut::TooMuch)?;
        let mut complaints = self.child.stderr.take().ok_or(Cut::TooMuch)?;
        let (mut printed, mut complaint) = (Vec::new(), Vec::new());
        let mut is_open = [true, true];
        while is_open.contains(&true) {
            if stop.load(Ordering::Relaxed) {
                return Err(Cut::Stopped);
            }
            if begin.elapsed() > PATIENCE {
                return Err(Cut::TooLong);
            }
            let none = PollFlags::empty();
            let mut waiting = [
                PollFd::new(&output, if is_open[0] { PollFlags::IN } else { none }),
                PollFd::new(&complaints, if is_open[1] { PollFlags::IN } else { none }),
            ];
            match poll(&mut waiting, Some(&WATCH)) {
                Err(rustix::io::Errno::INTR) => continue,
                polled => polled.map_err(|e| Cut::Io(e.into()))?,
            };
            let ready = waiting.map(|one| !one.revents().is_empty());
            let mut buffer = [0; 1 << 13];
            if ready[0] && is_open[0] {
                let read = output.read(&mut buffer).map_err(Cut::Io)?;
                is_open[0] = read > 0;
                printed.extend_from_slice(&buffer[..read]);
            }
            if ready[1] && is_open[1] {
                let read = complaints.read(&mut buffer).map_err(Cut::Io)?;
                is_open[1] = read > 0;
                // What goes on is read and forgotten.
                let kept = read.min((LONGEST_OUTPUT as usize).saturating_sub(complaint.len()));
                complaint.extend_from_slice(&buffer[..kept]);
            }
            if printed.len() as u64 > LONGEST_OUTPUT {
                return Err(Cut::TooMuch);
            }
        }
        let status = self.child.wait().map_err(Cut::Io)?;
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        Ok((status, text(&printed), text(&complaint)))
    }
}

impl Drop for Watched {
    fn drop(&mut self) {
        if matches!(self.child.try_wait(), Ok(None)) {
            if let Some(group) = Pid::from_raw(self.child.id() as i32) {
                let _ = kill_process_group(group, Signal::KILL);
            }
            let _ = self.child.wait();
        }
    }
}
