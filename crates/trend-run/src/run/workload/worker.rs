//! Runs one workload, from its input to its counts.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use trend_collect::Samples;
use trend_profile::{Definition, Outcome, Usage, Warning, WarningKind};

use super::ended::{explained, lost, no_supervisor, unending, unexpected_exit, usage, word};
use super::report::Report;
use super::values::{LONGEST_TEXT, RunTraces, Traces, read_end};
use crate::config::features::FeatureSource;
use crate::config::settings::Config;
use crate::plan::values::NoValue;
use crate::plan::workload::PlannedWorkload;
use crate::run::decode::counted::Uncounted;
use crate::run::decode::counting::{COMPLAINTS, PROCESSES, count_into};
use crate::run::decode::diagnosis;
use crate::run::decode::source::CountDecoder;
use crate::run::memory::MemoryWatch;
use crate::run::supervise::runner::{NotRun, Runner};
use crate::run::supervise::scratch::{RunFolder, WorkloadFolder};
use crate::run::supervise::stop::Stop;
use crate::supervisor::program::STOPPING;
use crate::supervisor::wire::{End, Ended, Job, Limits, Part, Sampling};
use crate::words::placeholder::{Fill, Template};
use crate::words::shell::{quoted, resolved};

/// Name of the counter folder in the workload's folder.
const COUNTERS: &str = "counters";

/// Name of the file with the kernel's records of samples in that folder.
const SAMPLES: &str = "samples";

/// Length of the end of stderr that is kept for a failed run.
const TAIL_BYTES: u64 = 4096;

/// Maximum length of libgcov's error messages to read. It repeats itself, so the beginning is enough.
const COMPLAINT_BYTES: u64 = 65_536;

/// The data that all workers share.
pub(crate) struct RunContext<'a> {
    pub(crate) config: &'a Config,
    pub(crate) folder: &'a RunFolder,
    pub(crate) source: &'a CountDecoder,
    pub(crate) memory: Option<&'a MemoryWatch>,
    pub(crate) limits: Limits,
    /// The executable of the supervisors.
    pub(crate) supervisor: &'a Path,
    pub(crate) stop: &'a Stop<'a>,
}

impl RunContext<'_> {
    /// Creates the runner of one worker.
    pub(crate) fn runner(&self) -> Runner<'_> {
        Runner::new(self.supervisor, self.folder, self.stop)
    }
}

/// The resources and samples of a run without counters.
pub(crate) struct CopyRun {
    pub(crate) usage: Usage,
    /// The samples; `None` if none were wanted.
    pub(crate) samples: Option<io::Result<Samples>>,
}

/// A workload that is ready to run: its folder and its input exist.
pub(crate) struct PreparedWorkload<'a> {
    context: &'a RunContext<'a>,
    runner: &'a Runner<'a>,
    workload: &'a PlannedWorkload,
    folder: WorkloadFolder,
    /// The input as passed to the program, and its file.
    input: Option<(OsString, PathBuf)>,
    cwd: PathBuf,
}

impl Drop for PreparedWorkload<'_> {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.folder.handle);
    }
}

impl<'a> PreparedWorkload<'a> {
    /// Creates the folder and the input. `Err` contains the report if the workload cannot be run, or `None` if the
    /// caller asked to stop.
    pub(crate) fn prepare(
        context: &'a RunContext<'a>,
        runner: &'a Runner<'a>,
        workload: &'a PlannedWorkload,
    ) -> Result<Self, Option<Box<Report>>> {
        let folder = context.folder.of_workload(&workload.workload.name);
        let refuse = |reason: String| Some(Box::new(Report::not_started(reason)));
        fs::create_dir_all(&folder.handle).map_err(|e| refuse(format!("{}: {e}", folder.path.display())))?;
        let input = workload.input.clone().zip(workload.input_file.clone());
        let cwd = context.config.folder.clone();
        let mut prepared = Self { context, runner, workload, folder, input, cwd };
        if let Some((_, file)) = &prepared.input {
            fs::metadata(file).map_err(|e| refuse(format!("the input {}: {e}", file.display())))?;
        }
        if context.config.workloads.generate.is_some() {
            let file = prepared.generate()?;
            prepared.input = Some((file.clone().into_os_string(), file));
        }
        if let Some(cwd) = &context.config.program.cwd {
            prepared.cwd = context.config.folder.join(cwd.fill(prepared.fill()));
        }
        Ok(prepared)
    }

    fn fill(&self) -> Fill<'_> {
        self.workload.fill(self.input.as_ref().map(|(given, _)| given.as_os_str()))
    }

    /// Runs the generator, which writes into the workload's folder.
    fn generate(&self) -> Result<PathBuf, Option<Box<Report>>> {
        let templates = self.context.config.workloads.generate.iter().flatten();
        let words: Vec<OsString> = templates.map(|t| t.fill(self.workload.fill(None))).collect();
        let line = quoted(&words);
        let (file, errors) = (self.folder.path.join("input"), self.folder.path.join("stderr"));
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
        let folder = &self.context.config.folder;
        let mut job = Job {
            program: resolved(&words[0], folder).into(),
            name: words[0].clone(),
            arguments: words[1..].to_vec(),
            cwd: folder.into(),
            stdout: Some(self.folder.output("input", None)),
            stderr: Some(self.folder.output("stderr", Some(TAIL_BYTES))),
            // The limits apply to the program; a generator may exceed them.
            limits: Limits::default(),
            ..Job::default()
        };
        count_into(&mut job, &self.folder.path.join("discarded"));
        let ended = self.runner.run(job).map_err(|e| match e {
            NotRun::NotStarted { error, .. } => cannot(&error),
            NotRun::NoSupervisor(error) => refuse(&no_supervisor(&error)),
            NotRun::SupervisorEnded(how) => refuse(&format!("was not finished: {}", lost(&how))),
        })?;
        match ended.end {
            End::Exited(0) => {}
            End::Exited(code) => return Err(refuse(&format!("failed with exit code {code}"))),
            End::Signaled(signal) => return Err(refuse(&format!("was killed by signal {signal}"))),
            End::Flooded { part, errno } => return Err(refuse(&self.flooded(part, errno))),
            End::Unending { process } => return Err(refuse(&unending(process))),
            End::TimedOut | End::Cancelled | End::Stopped | End::Ignored => return Err(None),
        }
        self.folder
            .check_room("room")
            .map_err(|e| refuse(&format!("was not finished: {}", self.full(&e))))?;
        let is_empty = fs::metadata(&file).is_ok_and(|m| m.len() == 0);
        if is_empty { Err(refuse("wrote nothing to its stdout")) } else { Ok(file) }
    }

    /// Runs the program once. Returns `None` if the caller asked to stop.
    pub(crate) fn run(&self) -> Option<Report> {
        let counters = self.folder.path.join(COUNTERS);
        let program = &self.context.config.program;
        let words: Vec<OsString> = program.command.iter().map(|t| t.fill(self.fill())).collect();
        let executable = resolved(&words[0], &self.context.config.folder);
        let mut job = match self.job(&words, &executable, &counters) {
            Ok(job) => job,
            Err(reason) => return Some(Report::not_started(reason)),
        };
        if let Some(memory) = self.context.memory {
            memory.watch(&mut job, &counters);
        }
        let stdin = job.stdin.clone().unwrap_or_default();
        let begin = SystemTime::now();
        let report = match self.runner.run(job) {
            Ok(ended) => match ended.end {
                End::Cancelled => None,
                // As in a shell, a signal has an exit code as well.
                End::Exited(code) if program.succeeds_with(code) => {
                    Some(self.counted(ended, &counters, begin, &words))
                }
                End::Signaled(signal) if program.succeeds_with(128 + signal) => {
                    Some(self.counted(ended, &counters, begin, &words))
                }
                End::Stopped => Some(self.counted(ended, &counters, begin, &words)),
                // Its routines ended, and each of their calls is worth the same as those of any other run.
                End::Exited(code)
                    if program.exit_codes.is_none()
                        && program.probe.has_routines()
                        && code != trend_collect::PROBE_FAILED =>
                {
                    let mut report = self.counted(ended, &counters, begin, &words);
                    report.warnings.push(Warning::new(WarningKind::ExitCode, unexpected_exit(code)));
                    Some(report)
                }
                _ => Some(self.failed(ended)),
            },
            Err(NotRun::NotStarted { part: Part::Program, error }) => {
                Some(Report::not_started(self.why_not_started(&words[0], &executable, &error)))
            }
            Err(NotRun::NotStarted { part, error }) => {
                let path = match part {
                    Part::Stdin => PathBuf::from(stdin),
                    _ => self.folder.path.clone(),
                };
                Some(Report::not_started(format!("{}, {}: {error}", word(part), path.display())))
            }
            Err(NotRun::NoSupervisor(error)) => Some(Report::not_started(no_supervisor(&error))),
            Err(NotRun::SupervisorEnded(how)) => {
                let outcome = Outcome::NoCounts { reason: lost(&how) };
                Some(Report::new(outcome, Usage::default()))
            }
        };
        let _ = fs::remove_dir_all(self.folder.handle.join(COUNTERS));
        report
    }

    /// Runs a copy of the program, which a shell line may start. Returns `None` if it fails or takes longer than
    /// `most`. If there is a period, the run is sampled.
    pub(crate) fn run_copy(
        &self,
        program: &Path,
        line: Option<&Template>,
        variables: Vec<(&str, OsString)>,
        most: Option<Duration>,
        period: Option<Duration>,
    ) -> Option<CopyRun> {
        let counters = self.folder.path.join(COUNTERS);
        let config = self.context.config;
        let mut words: Vec<OsString> = config.program.command.iter().map(|t| t.fill(self.fill())).collect();
        let mut executable = program.to_owned();
        if let Some(line) = line {
            executable = resolved(&words[0], &config.folder);
            words[2] = line.fill(self.fill());
        }
        let mut job = self.job(&words, &executable, &counters).ok()?;
        for (name, value) in variables {
            job.variable(name, value);
        }
        job.limits.timeout = most.into_iter().chain(job.limits.timeout).min();
        let path = self.folder.output(SAMPLES, None).path;
        job.sampling = period.map(|period| Sampling { path, period });
        let ended = self.runner.run(job).ok();
        let _ = fs::remove_dir_all(self.folder.handle.join(COUNTERS));
        let ended = ended?;
        let is_well =
            matches!(ended.end, End::Exited(code) if self.context.config.program.succeeds_with(code));
        let samples = || {
            if let Some(errno) = ended.not_sampled {
                return Err(io::Error::from_raw_os_error(errno));
            }
            let samples = Samples::parse(&fs::read(self.folder.path.join(SAMPLES))?);
            samples
                .ok_or_else(|| io::Error::new(io::ErrorKind::InvalidData, "the kernel's records are damaged"))
        };
        is_well.then(|| CopyRun { usage: usage(&ended), samples: period.map(|_| samples()) })
    }

    fn job(&self, words: &[OsString], executable: &Path, counters: &Path) -> Result<Job, String> {
        let program = &self.context.config.program;
        let mut job = self.context.source.job(words, executable, counters)?;
        job.cwd = self.cwd.clone().into();
        for (name, value) in &program.env {
            job.variable(name, value.fill(self.fill()));
        }
        self.context.source.complete(&mut job, counters)?;
        count_into(&mut job, counters);
        let stdin = program.stdin.as_ref().map(|template| template.fill(self.fill()));
        job.stdin = stdin.map(|path| self.context.config.folder.join(path).into());
        let features = &self.context.config.features;
        let reads_stdout = features.iter().any(|f| matches!(f.definition, Definition::Stdout(_)));
        let reads_stderr = features.iter().any(|f| matches!(f.definition, Definition::Stderr(_)));
        let kept = if reads_stderr { LONGEST_TEXT } else { TAIL_BYTES };
        job.stderr = Some(self.folder.output("stderr", Some(kept)));
        job.stdout = reads_stdout.then(|| self.folder.output("stdout", Some(LONGEST_TEXT)));
        job.limits = self.context.limits;
        Ok(job)
    }

    fn flooded(&self, part: Part, errno: i32) -> String {
        format!(
            "wrote too much to its {}, and the file system of {} cannot truncate the beginning of a file \
             ({}); write less, or keep the study on another file system",
            word(part),
            self.context.folder.path().display(),
            explained(&io::Error::from_raw_os_error(errno))
        )
    }

    /// Explains that a run left no free space.
    fn full(&self, error: &io::Error) -> String {
        format!(
            "{} cannot be written ({}), so counts and output may be cut off; free some space, or keep the \
             study on another disk",
            self.context.folder.path().display(),
            explained(error)
        )
    }

    fn why_not_started(&self, word: &OsStr, executable: &Path, error: &io::Error) -> String {
        if !self.cwd.is_dir() {
            return format!("the working directory {} does not exist", self.cwd.display());
        }
        let word = word.to_string_lossy();
        match error.kind() {
            io::ErrorKind::NotFound if executable.exists() => {
                format!("`{word}` cannot be started: its interpreter or loader does not exist")
            }
            io::ErrorKind::NotFound if executable.is_absolute() => {
                format!("`{word}` does not exist (looked for {}); build it first", executable.display())
            }
            io::ErrorKind::NotFound => {
                format!("`{word}` is not on PATH; for a program in this folder write `./{word}`")
            }
            io::ErrorKind::PermissionDenied => format!("`{word}` is not executable"),
            _ => format!("`{word}` cannot be started: {}", explained(error)),
        }
    }

    /// Reports a failed run, with the end of its stderr.
    fn failed(&self, ended: Ended) -> Report {
        let outcome = match ended.end {
            End::Exited(code) => Outcome::Failed { code },
            End::Signaled(signal) => Outcome::Crashed { signal },
            End::TimedOut | End::Cancelled | End::Stopped => Outcome::TimedOut,
            End::Flooded { part, errno } => {
                Outcome::NoCounts { reason: format!("it {}", self.flooded(part, errno)) }
            }
            End::Unending { process } => Outcome::NoCounts { reason: unending(process) },
            End::Ignored => {
                let seconds = STOPPING.as_secs();
                let reason = format!(
                    "it was killed because it did not end within {seconds} s after the SIGTERM of \
                     --stop-after; make it end on SIGTERM"
                );
                Outcome::NoCounts { reason }
            }
        };
        let mut report = Report::new(outcome, usage(&ended));
        report.stderr_tail = tail(&self.folder.path.join("stderr"));
        report.values = self.values_of_failed();
        if let Some(remark) = diagnosis::limit_remark(&ended, &self.context.limits, &report.stderr_tail) {
            if !report.stderr_tail.is_empty() && !report.stderr_tail.ends_with('\n') {
                report.stderr_tail.push('\n');
            }
            report.stderr_tail.push_str(&remark);
        }
        report
    }

    /// Reports a successful run, with its counts and features.
    fn counted(&self, ended: Ended, counters: &Path, begin: SystemTime, words: &[OsString]) -> Report {
        let mut report = Report::new(Outcome::Finished, usage(&ended));
        let errors = read_end(&counters.join(COMPLAINTS), COMPLAINT_BYTES).unwrap_or_default();
        let complaints = diagnosis::complaints(&String::from_utf8_lossy(&errors));
        report.warnings = complaints.warnings;
        if ended.has_left_processes {
            let message = "counts are missing because a run left processes behind that had to be killed; \
                           make the program wait for the processes that it starts";
            report.warnings.push(Warning::new(WarningKind::LeftProcesses, message));
        }
        let counted = match complaints.lost {
            Some(what) => Err(Uncounted::Unreadable(what)),
            None => self.context.source.count(counters),
        };
        let has_room = self.folder.check_room(Path::new(COUNTERS).join(PROCESSES));
        let counted = has_room.map_err(|e| Uncounted::Unreadable(self.full(&e))).and(counted);
        let reason = match counted {
            Ok(mut counted) => {
                if let Some(memory) = self.context.memory {
                    let watched = memory.read(counters, ended.peak_rss_bytes);
                    counted.series.extend(watched.series);
                    counted.warnings.extend(watched.warnings);
                }
                report.values = self.values(begin);
                report.warnings.extend(counted.warnings.iter().cloned());
                report.counted = Some(counted);
                return report;
            }
            Err(Uncounted::Nothing { lost }) => {
                let stderr = tail(&self.folder.path.join("stderr"));
                let run = diagnosis::EndedRun {
                    words,
                    folder: &self.context.config.folder,
                    cwd: &self.cwd,
                    begin,
                    lost,
                };
                self.context.source.nothing_written(&run, &stderr)
            }
            Err(Uncounted::Unreadable(reason)) => reason,
            Err(Uncounted::OtherBuild { object }) => {
                let reason = format!(
                    "its counters are from another build than the notes {}; rebuild everything",
                    object.display()
                );
                report.rebuilt = Some(object);
                reason
            }
        };
        report.outcome = Outcome::NoCounts { reason };
        report.values = self.values_of_failed();
        report.stderr_tail = tail(&self.folder.path.join("stderr"));
        report
    }

    fn traces<'t>(&'t self, run: Option<RunTraces<'t>>) -> Traces<'t> {
        Traces {
            workload: self.workload,
            input: self.input.clone(),
            folder: &self.context.config.folder,
            cwd: &self.cwd,
            run,
            scratch: &self.folder,
        }
    }

    pub(crate) fn values(&self, begin: SystemTime) -> Vec<Result<f64, NoValue>> {
        let (stdout, stderr) = (self.folder.path.join("stdout"), self.folder.path.join("stderr"));
        let traces = self.traces(Some(RunTraces { stdout: &stdout, stderr: &stderr, begin }));
        self.context.config.features.iter().map(|f| f.value(&traces, self.runner)).collect()
    }

    /// Returns the values of features that need no run, for a failed run.
    fn values_of_failed(&self) -> Vec<Result<f64, NoValue>> {
        let traces = self.traces(None);
        let value = |feature: &FeatureSource| {
            if feature.needs_no_run() { feature.value(&traces, self.runner) } else { Err(NoValue::NotHere) }
        };
        self.context.config.features.iter().map(value).collect()
    }

    /// Returns the values of the features with these indices, which must need no run.
    pub(crate) fn values_without_a_run(&self, features: &[usize]) -> Vec<Result<f64, NoValue>> {
        let traces = self.traces(None);
        features.iter().map(|i| self.context.config.features[*i].value(&traces, self.runner)).collect()
    }
}

fn tail(path: &Path) -> String {
    let bytes = read_end(path, TAIL_BYTES).unwrap_or_default();
    String::from_utf8_lossy(&bytes).into_owned()
}
