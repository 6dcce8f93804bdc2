//! One workload, from its input to its counts.

use std::ffi::{OsStr, OsString};
use std::fs::{self, File};
use std::io;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::SystemTime;

use trend_profile::{Definition, Outcome, Warning};

use super::Stop;
use super::by_hand;
use super::counters::Uncounted;
use super::diagnosis;
use super::process::{self, End, Ended, Limits};
use super::report::Report;
use super::scratch::{self, RunFolder};
use super::source::Source;
use super::values::{NoValue, RunTraces, Traces, read_end};
use crate::shim::ending::COUNTS;
use crate::{Config, PlannedWorkload};

/// How much of a failed run's stderr is kept.
const TAIL_BYTES: u64 = 4096;

/// libgcov repeats itself; the first of it is enough.
const COMPLAINT_BYTES: u64 = 65_536;

/// What every worker knows.
pub(super) struct Shop<'a> {
    pub(super) config: &'a Config,
    pub(super) folder: &'a RunFolder,
    pub(super) source: &'a Source,
    pub(super) limits: Limits,
    pub(super) stop: &'a Stop<'a>,
}

/// A workload that is ready to run: its folder exists, its input is there.
pub(super) struct Bench<'a> {
    shop: &'a Shop<'a>,
    workload: &'a PlannedWorkload,
    folder: PathBuf,
    /// The input as the program is given it, and the file.
    input: Option<(OsString, PathBuf)>,
    cwd: PathBuf,
}

impl Drop for Bench<'_> {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.folder);
    }
}

impl<'a> Bench<'a> {
    /// Makes the folder and the input; `Err` has the reason why the workload cannot be run, or
    /// nothing when the caller asked to stop.
    pub(super) fn prepare(
        shop: &'a Shop<'a>,
        workload: &'a PlannedWorkload,
    ) -> Result<Self, Option<Box<Report>>> {
        let folder = shop.folder.of_workload(&workload.workload.name);
        let refuse = |reason: String| Some(Box::new(Report::not_started(reason)));
        fs::create_dir_all(&folder).map_err(|e| refuse(format!("{}: {e}", folder.display())))?;
        let input = workload.input.clone().zip(workload.input_file.clone());
        let cwd = shop.config.folder.clone();
        let mut bench = Self { shop, workload, folder, input, cwd };
        if let Some((_, file)) = &bench.input {
            fs::metadata(file).map_err(|e| refuse(format!("the input {}: {e}", file.display())))?;
        }
        if shop.config.workloads.generate.is_some() {
            let file = bench.generate()?;
            bench.input = Some((file.clone().into_os_string(), file));
        }
        if let Some(cwd) = &shop.config.program.cwd {
            bench.cwd = shop.config.folder.join(cwd.fill(bench.fill()));
        }
        Ok(bench)
    }

    fn fill(&self) -> crate::placeholder::Fill<'_> {
        self.workload.fill(self.input.as_ref().map(|(given, _)| given.as_os_str()))
    }

    /// Runs the generator into the workload's folder.
    fn generate(&self) -> Result<PathBuf, Option<Box<Report>>> {
        let templates = self.shop.config.workloads.generate.iter().flatten();
        let words: Vec<OsString> = templates.map(|t| t.fill(self.workload.fill(None))).collect();
        let line = crate::build::quoted(&words);
        let (file, errors) = (self.folder.join("input"), self.folder.join("stderr"));
        let refuse = |what: &str| {
            let mut report = Report::not_started(format!("the generator `{line}` {what}"));
            report.stderr_tail = tail(&errors);
            if let Some(last) = report.stderr_tail.lines().rfind(|l| !l.trim().is_empty()) {
                report.outcome =
                    Outcome::NotStarted { reason: format!("the generator `{line}` {what}: {last}") };
            }
            Some(Box::new(report))
        };
        let cannot = |e: &io::Error| refuse(&format!("cannot be started: {}", explained(e)));
        let folder = &self.shop.config.folder;
        let mut command = Command::new(resolved(&words[0], folder));
        command.args(&words[1..]).arg0(&words[0]).current_dir(folder).stdin(Stdio::null());
        command.stdout(File::create(&file).map_err(|e| cannot(&e))?);
        command.stderr(File::create(&errors).map_err(|e| cannot(&e))?);
        count_into(&mut command, &self.folder.join("discarded"), &self.folder);
        // The limits are the program's; a generator may take longer and more.
        let ended = process::run(command, Limits::default(), self.shop.stop).map_err(|e| cannot(&e))?;
        match ended.end {
            End::Exited(0) => {}
            End::Exited(code) => return Err(refuse(&format!("failed with exit code {code}"))),
            End::Signaled(signal) => return Err(refuse(&format!("was ended by signal {signal}"))),
            End::TimedOut | End::Cancelled | End::Stopped => return Err(None),
        }
        let is_empty = fs::metadata(&file).is_ok_and(|m| m.len() == 0);
        if is_empty { Err(refuse("wrote nothing to its stdout")) } else { Ok(file) }
    }

    /// Runs the program once; `None` when the caller asked to stop.
    pub(super) fn run(&self) -> Option<Report> {
        let counters = self.folder.join("counters");
        let program = &self.shop.config.program;
        let words: Vec<OsString> = program.command.iter().map(|t| t.fill(self.fill())).collect();
        let executable = resolved(&words[0], &self.shop.config.folder);
        let command = match self.command(&words, &executable, &counters) {
            Ok(command) => command,
            Err(reason) => return Some(Report::not_started(reason)),
        };
        let begin = SystemTime::now();
        let ended = match process::run(command, self.shop.limits, self.shop.stop) {
            Ok(ended) => ended,
            Err(error) => {
                return Some(Report::not_started(self.why_not_started(&words[0], &executable, &error)));
            }
        };
        if matches!(ended.end, End::TimedOut | End::Cancelled) {
            // Those that left the group for one of their own.
            scratch::kill_users_of(&self.folder);
        }
        let report = match ended.end {
            End::Cancelled => None,
            End::Stopped => Some(self.counted(ended, &counters, begin, &words)),
            // As a shell gives it, a signal is a code as well.
            End::Exited(code) if program.exit_codes.contains(&code) => {
                Some(self.counted(ended, &counters, begin, &words))
            }
            End::Signaled(signal) if program.exit_codes.contains(&(128 + signal)) => {
                Some(self.counted(ended, &counters, begin, &words))
            }
            _ => Some(self.failed(ended)),
        };
        let _ = fs::remove_dir_all(&counters);
        let _ = fs::remove_file(self.folder.join("gcov-errors"));
        report
    }

    fn command(&self, words: &[OsString], executable: &Path, counters: &Path) -> Result<Command, String> {
        let program = &self.shop.config.program;
        let mut command = self.shop.source.command(words, executable, counters)?;
        command.current_dir(&self.cwd);
        for (name, value) in &program.env {
            command.env(name, value.fill(self.fill()));
        }
        self.shop.source.complete_variables(&mut command);
        count_into(&mut command, counters, &self.folder);
        command.stdin(match &program.stdin {
            Some(template) => {
                let path = self.shop.config.folder.join(template.fill(self.fill()));
                Stdio::from(File::open(&path).map_err(|e| format!("stdin, {}: {e}", path.display()))?)
            }
            None => Stdio::null(),
        });
        let file = |name: &str| {
            let path = self.folder.join(name);
            File::create(&path).map(Stdio::from).map_err(|e| format!("{}: {e}", path.display()))
        };
        command.stderr(file("stderr")?);
        let is_wanted =
            self.shop.config.features.iter().any(|f| matches!(f.definition, Definition::Stdout(_)));
        // A reader at the other end of a pipe would cost the program time, and keep it from seeking.
        command.stdout(if is_wanted { file("stdout")? } else { Stdio::null() });
        Ok(command)
    }

    fn why_not_started(&self, word: &OsStr, executable: &Path, error: &io::Error) -> String {
        if !self.cwd.is_dir() {
            return format!("the working directory {} is not there", self.cwd.display());
        }
        let word = word.to_string_lossy();
        match error.kind() {
            io::ErrorKind::NotFound if executable.exists() => {
                format!("`{word}` cannot be started: the interpreter or loader that it asks for is not there")
            }
            io::ErrorKind::NotFound if executable.is_absolute() => {
                format!("`{word}` is not there: looked for {}; build it first", executable.display())
            }
            io::ErrorKind::NotFound => {
                format!("`{word}` is not on PATH; a program in this folder is written `./{word}`")
            }
            io::ErrorKind::PermissionDenied => format!("`{word}` is not executable"),
            _ => format!("`{word}` cannot be started: {}", explained(error)),
        }
    }

    /// A run that ended in another way than well, with the end of what it said of it.
    fn failed(&self, ended: Ended) -> Report {
        let outcome = match ended.end {
            End::Exited(code) => Outcome::Failed { code },
            End::Signaled(signal) => Outcome::Crashed { signal },
            End::TimedOut | End::Cancelled | End::Stopped => Outcome::TimedOut,
        };
        let mut report = Report::new(outcome, ended.usage);
        report.stderr_tail = tail(&self.folder.join("stderr"));
        if report.stderr_tail.trim().is_empty() && report.outcome != Outcome::TimedOut {
            let input = self.input.as_ref().map(|(given, _)| given.as_os_str());
            report.by_hand = Some(by_hand::line(self.shop.config, self.workload, input));
        }
        if let Some(remark) =
            diagnosis::memory_remark(ended.end, self.shop.limits.memory_bytes, &report.stderr_tail)
        {
            if !report.stderr_tail.is_empty() && !report.stderr_tail.ends_with('\n') {
                report.stderr_tail.push('\n');
            }
            report.stderr_tail.push_str(&remark);
        }
        report
    }

    /// The counts and features of a run that ended well.
    fn counted(&self, ended: Ended, counters: &Path, begin: SystemTime, words: &[OsString]) -> Report {
        let mut report = Report::new(Outcome::Finished, ended.usage);
        let errors = read_end(&self.folder.join("gcov-errors"), COMPLAINT_BYTES).unwrap_or_default();
        let complaints = diagnosis::complaints(&String::from_utf8_lossy(&errors));
        report.warnings = complaints.warnings;
        if ended.left_processes {
            let message = "a run left processes behind that had to be killed: what they counted is missing; let the \
                           program wait for the processes that it starts";
            report.warnings.push(Warning::new("left_processes", message));
        }
        let lost = |what: String| Uncounted::Unreadable(what);
        let counted =
            complaints.lost.map_or_else(|| self.shop.source.count(counters), |what| Err(lost(what)));
        let reason = match counted {
            Ok(counted) => {
                report.values = self.values(begin);
                report.warnings.extend(counted.warnings.iter().cloned());
                report.counted = Some(counted);
                return report;
            }
            Err(Uncounted::Nothing { lost }) => {
                let stderr = tail(&self.folder.join("stderr"));
                let run =
                    diagnosis::Run { words, folder: &self.shop.config.folder, cwd: &self.cwd, begin, lost };
                self.shop.source.nothing_written(&run, &stderr)
            }
            Err(Uncounted::Unreadable(reason)) => reason,
            Err(Uncounted::OtherBuild { object }) => {
                let reason = format!(
                    "its counters are of another build than the notes {}: build everything again",
                    object.display()
                );
                report.rebuilt = Some(object);
                reason
            }
        };
        report.outcome = Outcome::NoCounts { reason };
        report.stderr_tail = tail(&self.folder.join("stderr"));
        report
    }

    fn values(&self, begin: SystemTime) -> Vec<Result<f64, NoValue>> {
        let (stdout, stderr) = (self.folder.join("stdout"), self.folder.join("stderr"));
        let traces = Traces {
            workload: self.workload,
            input: self.input.clone(),
            folder: &self.shop.config.folder,
            cwd: &self.cwd,
            run: Some(RunTraces { stdout: &stdout, stderr: &stderr, begin }),
            scratch: &self.folder,
        };
        self.shop.config.features.iter().map(|f| f.value(&traces, self.shop.stop)).collect()
    }

    /// Values of the features with these indices that need no run.
    pub(super) fn values_without_a_run(&self, features: &[usize]) -> Vec<Result<f64, NoValue>> {
        let traces = Traces {
            workload: self.workload,
            input: self.input.clone(),
            folder: &self.shop.config.folder,
            cwd: &self.cwd,
            run: None,
            scratch: &self.folder,
        };
        features.iter().map(|i| self.shop.config.features[*i].value(&traces, self.shop.stop)).collect()
    }
}

/// Where a command's program is: one that is named by path is looked for from the configuration's
/// folder, wherever it is going to run.
pub(super) fn resolved(word: &OsStr, folder: &Path) -> PathBuf {
    let path = Path::new(word);
    let is_path = word.to_string_lossy().contains('/');
    if is_path { folder.join(path) } else { path.to_owned() }
}

/// Lets a command and all its children write counters below `counters`, and complaints about them
/// into `folder`.
pub(super) fn count_into(command: &mut Command, counters: &Path, folder: &Path) {
    command.env("GCOV_PREFIX", counters).env("GCOV_ERROR_FILE", folder.join("gcov-errors"));
    command.env_remove("GCOV_PREFIX_STRIP").env_remove("GCOV_EXIT_AT_ERROR");
    // A process writes one profile for itself and one for each library; %m tells them apart.
    // Programs that cannot open the log write as if they knew nothing of it.
    let _ = fs::create_dir_all(counters);
    command.env(COUNTS, counters.join(super::counters::PROCESSES));
    let profile = counters.join(format!("%p-%m.{}", super::counters::PROFILE));
    command.env("LLVM_PROFILE_FILE", profile);
}

fn tail(path: &Path) -> String {
    let bytes = read_end(path, TAIL_BYTES).unwrap_or_default();
    String::from_utf8_lossy(&bytes).into_owned()
}

/// An error of the operating system in words, without its number.
fn explained(error: &io::Error) -> String {
    let text = error.to_string();
    text.split(" (os error").next().unwrap_or_default().to_lowercase()
}
