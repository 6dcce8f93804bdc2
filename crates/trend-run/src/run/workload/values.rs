//! Finds the values of features.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use trend_profile::Definition;

use crate::config::features::FeatureSource;
use crate::plan::values::{NoValue, number};
use crate::plan::workload::PlannedWorkload;
use crate::run::decode::counting::count_into;
use crate::run::supervise::runner::{NotRun, Runner};
use crate::run::supervise::scratch::WorkloadFolder;
use crate::supervisor::wire::{End, Job};
use crate::words::shell;

/// Maximum length of the end of a text to search, in bytes. The last match counts, and programs print it close to the
/// end.
pub(crate) const LONGEST_TEXT: u64 = 64 << 20;

/// Maximum length of the output of a command that prints a number, in bytes.
const LONGEST_NUMBER: u64 = 4096;

/// Name of the file for that output.
const FEATURE: &str = "feature";

/// Resolution of file times.
const CLOCK_TICK: Duration = Duration::from_millis(20);

/// The traces of a run that features examine.
#[derive(Clone, Debug)]
pub(crate) struct Traces<'a> {
    pub(crate) workload: &'a PlannedWorkload,
    /// The input as passed to the program, and its file.
    pub(crate) input: Option<(OsString, PathBuf)>,
    /// The configuration's folder.
    pub(crate) folder: &'a Path,
    /// The program's working directory.
    pub(crate) cwd: &'a Path,
    /// The traces of the run itself; `None` without a run.
    pub(crate) run: Option<RunTraces<'a>>,
    /// A folder for the counters of feature commands.
    pub(crate) scratch: &'a WorkloadFolder,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct RunTraces<'a> {
    pub(crate) stdout: &'a Path,
    pub(crate) stderr: &'a Path,
    pub(crate) begin: SystemTime,
}

impl FeatureSource {
    /// Returns true if the value can be found without running the program.
    pub(crate) fn needs_no_run(&self) -> bool {
        use Definition as D;
        matches!(self.definition, D::Size | D::Lines | D::Parameter(_) | D::Path(_) | D::Command(_))
    }

    pub(crate) fn value(&self, traces: &Traces<'_>, runner: &Runner<'_>) -> Result<f64, NoValue> {
        let nothing = |why: String| NoValue::Nothing { why };
        let input =
            || traces.input.as_ref().map(|(_, file)| file).ok_or_else(|| nothing("no input".to_owned()));
        let run = || traces.run.ok_or_else(|| nothing("it is found in a run".to_owned()));
        let failed = |path: &Path, e: io::Error| nothing(format!("{}: {e}", path.display()));
        match &self.definition {
            Definition::Size => {
                let file = input()?;
                fs::metadata(file).map(|m| m.len() as f64).map_err(|e| failed(file, e))
            }
            Definition::Lines => {
                let file = input()?;
                count_lines(file).map(|n| n as f64).map_err(|e| failed(file, e))
            }
            Definition::Parameter(_) | Definition::Path(_) => self.before_runs(traces.workload),
            Definition::Stdout(_) => self.in_file(run()?.stdout),
            Definition::Stderr(_) => self.in_file(run()?.stderr),
            Definition::File { .. } => self.in_written_file(traces, run()?.begin),
            Definition::Command(_) => self.printed(traces, runner),
            Definition::Location(_) | Definition::InputSize(_) | Definition::Given => Err(NoValue::NotHere),
        }
    }

    fn in_file(&self, path: &Path) -> Result<f64, NoValue> {
        let text = read_end(path, LONGEST_TEXT)
            .map_err(|e| NoValue::Nothing { why: format!("{}: {e}", path.display()) })?;
        self.last_match(&text)
    }

    /// Finds the value in a file that the run wrote. An older file belongs to another run.
    fn in_written_file(&self, traces: &Traces<'_>, begin: SystemTime) -> Result<f64, NoValue> {
        let input = traces.input.as_ref().map(|(given, _)| given.as_os_str());
        let Some(template) = self.templates.first() else { return Err(NoValue::NotHere) };
        let path = traces.cwd.join(template.fill(traces.workload.fill(input)));
        let modified = fs::metadata(&path).and_then(|m| m.modified());
        match modified {
            Ok(time) if time + CLOCK_TICK >= begin => self.in_file(&path),
            Ok(_) => Err(NoValue::Nothing { why: format!("the run did not write {}", path.display()) }),
            Err(e) => Err(NoValue::Nothing { why: format!("{}: {e}", path.display()) }),
        }
    }

    /// Runs the feature's command and parses its output.
    fn printed(&self, traces: &Traces<'_>, runner: &Runner<'_>) -> Result<f64, NoValue> {
        let input = traces.input.as_ref().map(|(given, _)| given.as_os_str());
        let words: Vec<OsString> =
            self.templates.iter().map(|t| t.fill(traces.workload.fill(input))).collect();
        let nothing = |why: String| NoValue::Nothing { why: format!("`{}`: {why}", shell::quoted(&words)) };
        let mut job = Job {
            program: shell::resolved(&words[0], traces.folder).into(),
            name: words[0].clone(),
            arguments: words[1..].to_vec(),
            cwd: traces.cwd.into(),
            stdout: Some(traces.scratch.output(FEATURE, Some(LONGEST_NUMBER))),
            ..Job::default()
        };
        count_into(&mut job, &traces.scratch.path.join("discarded"));
        let ended = runner.run(job).map_err(|e| match e {
            NotRun::NotStarted { error, .. } | NotRun::NoSupervisor(error) => nothing(error.to_string()),
            NotRun::SupervisorEnded(how) => nothing(format!("its supervisor ended {how}")),
        })?;
        match ended.end {
            End::Exited(0) => {}
            End::Exited(code) => return Err(nothing(format!("exit code {code}"))),
            other => return Err(nothing(format!("{other:?}"))),
        }
        let output = traces.scratch.path.join(FEATURE);
        let text = read_end(&output, LONGEST_NUMBER).map_err(|e| nothing(e.to_string()))?;
        number(&text)
    }
}

/// Reads the last `most` bytes of a file.
pub(crate) fn read_end(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    let mut file = File::open(path)?;
    let length = file.metadata()?.len();
    file.seek(SeekFrom::Start(length.saturating_sub(most)))?;
    let mut text = Vec::new();
    file.take(most).read_to_end(&mut text)?;
    Ok(text)
}

fn count_lines(path: &Path) -> io::Result<u64> {
    let mut file = File::open(path)?;
    let mut buffer = vec![0; 1 << 16];
    let mut lines = 0;
    loop {
        match file.read(&mut buffer) {
            Ok(0) => return Ok(lines),
            Ok(n) => lines += buffer[..n].split(|b| *b == b'\n').count() as u64 - 1,
            Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
            Err(e) => return Err(e),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_and_ends_of_files_are_read() {
        let root = tempfile::tempdir().unwrap();
        let file = root.path().join("f");
        fs::write(&file, "one\ntwo\nthree").unwrap();
        assert_eq!(count_lines(&file).unwrap(), 2);
        assert_eq!(read_end(&file, 5).unwrap(), b"three");
        assert_eq!(read_end(&file, 500).unwrap().len(), 13);
    }
}
