//! What is to be run: `trend-prof.toml`, or the same from the command line.
//!
//! A [`Config`] is checked when it is made: placeholders are known, expressions compile, ranges
//! make sense. Nothing here looks at the disk but [`Config::read`].

mod features;
mod read;
mod section;
#[cfg(test)]
mod tests;

use std::ffi::OsString;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::time::Duration;

pub use features::FeatureSource;

use crate::parameter::Parameter;
use crate::placeholder::{INPUT, Template};
use crate::{ConfigError, Instrumentation, shell};

/// What stands for the configuration file in messages where there is none.
const COMMAND_LINE: &str = "command line";

/// The name of the configuration file.
pub const CONFIG_FILE: &str = "trend-prof.toml";

/// What is to be run, and what is to be known about each workload.
#[derive(Clone, Debug)]
pub struct Config {
    /// The file that this was read from, for messages.
    pub path: PathBuf,
    /// The folder of that file, absolute; relative paths start here.
    pub folder: PathBuf,
    /// The program.
    pub program: ProgramConfig,
    /// Its workloads.
    pub workloads: WorkloadsConfig,
    /// What is to be known about each workload, in declared order.
    pub features: Vec<FeatureSource>,
    /// What is expected of the growth; only carried here.
    pub expectations: Vec<Expectation>,
}

/// How the program is built and run.
#[derive(Clone, Debug)]
pub struct ProgramConfig {
    /// The program's name; by default the file name of the command's first word, or of the one program of the folder that
    /// `sh -c` starts.
    pub name: String,
    /// What builds it.
    pub build: Option<Vec<OsString>>,
    /// How the build instruments.
    pub instrument: Instrumentation,
    /// What runs it; never empty.
    pub command: Vec<Template>,
    /// The file that is its standard input; nothing is by default.
    pub stdin: Option<Template>,
    /// Variables added to its environment.
    pub env: Vec<(String, Template)>,
    /// Where it runs; by default the configuration's folder.
    pub cwd: Option<Template>,
    /// When a run is stopped.
    pub timeout: Option<Duration>,
    /// When a run is ended, with SIGTERM, that has done its work then: a server's.
    pub stop_after: Option<Duration>,
    /// How much address space a process of a run can have.
    pub memory_bytes: Option<u64>,
    /// How often each workload is run; at least 1.
    pub repeat: u32,
    /// How many run at once; by default as many as there are cores.
    pub jobs: Option<NonZeroUsize>,
    /// The exit codes that mean success; 128 and a signal's number is the end by that signal.
    pub exit_codes: Vec<i32>,
}

/// Where the workloads come from.
#[derive(Clone, Debug, Default)]
pub struct WorkloadsConfig {
    /// Patterns of files, each of which is a workload.
    pub files: Vec<String>,
    /// Parameters, every combination of which is a workload.
    pub parameters: Vec<Parameter>,
    /// A command whose stdout is the input.
    pub generate: Option<Vec<Template>>,
}

/// What a [`Expectation`] is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    /// The whole program.
    Program,
    /// A function, by name.
    Function(String),
    /// Every function of a file.
    File(String),
    /// A line, as `file:line`.
    Line(String),
}

/// One `[[expect]]`: how something may grow.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expectation {
    /// The line of the configuration on which it stands, 1-based.
    pub config_line: usize,
    /// What it is about.
    pub target: Target,
    /// What is expected, such as `<= n log n`; not looked into here.
    pub growth: String,
    /// The feature in which it grows; by default the first.
    pub feature: Option<String>,
}

/// A configuration's parts as the command line gives them.
#[derive(Clone, Debug, Default)]
pub struct CommandLine {
    /// The program and its arguments, with placeholders.
    pub command: Vec<OsString>,
    /// The sweep.
    pub parameters: Vec<Parameter>,
    /// Patterns of input files.
    pub files: Vec<String>,
    /// The standard input, with placeholders.
    pub stdin: Option<OsString>,
}

impl Config {
    /// Reads and checks a configuration file.
    ///
    /// # Errors
    /// [`ConfigError`] names the file, the line and the key.
    pub fn read(path: &Path) -> Result<Self, ConfigError> {
        let unreadable = |source| ConfigError::Unreadable { path: path.to_owned(), source };
        let bytes = std::fs::read(path).map_err(unreadable)?;
        let text = String::from_utf8(bytes).map_err(|e| {
            let good = &e.as_bytes()[..e.utf8_error().valid_up_to()];
            ConfigError::Syntax {
                path: path.to_owned(),
                line: good.split(|b| *b == b'\n').count(),
                what: "the file is not UTF-8".to_owned(),
            }
        })?;
        Self::parse(&text, path)
    }

    /// Checks the text of a configuration; `path` is where it stands, and where relative paths in
    /// it start.
    ///
    /// # Errors
    /// [`ConfigError`] names the file, the line and the key.
    pub fn parse(text: &str, path: &Path) -> Result<Self, ConfigError> {
        read::parse(text, path)
    }

    /// A configuration without a file, for `trend-prof run --param n=1,2 -- ./program {n}`.
    ///
    /// # Errors
    /// [`ConfigError::UnknownPlaceholder`], and [`ConfigError::BadArgument`] for an empty command or
    /// a parameter that is there twice.
    pub fn from_command_line(folder: &Path, line: CommandLine) -> Result<Self, ConfigError> {
        let bad = |argument: &str, what: &str, help: &str| ConfigError::BadArgument {
            argument: argument.to_owned(),
            what: what.to_owned(),
            help: help.to_owned(),
        };
        if line.command.is_empty() {
            return Err(bad("--", "no command follows", "write the program behind it: `-- ./sort {n}`"));
        }
        for (i, parameter) in line.parameters.iter().enumerate() {
            if line.parameters[..i].iter().any(|p| p.name == parameter.name) {
                return Err(bad(&parameter.name, "is given twice", "give all its values at once: `n=1,2,3`"));
            }
        }
        let workloads = WorkloadsConfig { files: line.files, parameters: line.parameters, generate: None };
        let known = workloads.placeholders();
        let template = |text: &OsString| {
            Template::parse(text, &known).map_err(|unknown| ConfigError::UnknownPlaceholder {
                place: format!("argument `{}`", text.to_string_lossy()),
                name: unknown.name,
                known: known.clone(),
            })
        };
        let folder = absolute(folder);
        let program = ProgramConfig {
            command: line.command.iter().map(template).collect::<Result<_, _>>()?,
            stdin: line.stdin.as_ref().map(template).transpose()?,
            ..ProgramConfig::named(&started(&line.command, &folder))
        };
        let features = features::defaults(&workloads, &program);
        let path = PathBuf::from(COMMAND_LINE);
        Ok(Self { path, folder, program, workloads, features, expectations: Vec::new() })
    }
}

/// What a command starts: its first word, and of `sh -c SCRIPT` the one program of the folder that the script names.
fn started(command: &[OsString], folder: &Path) -> PathBuf {
    shell::program(command, folder).unwrap_or_else(|| command.first().map(PathBuf::from).unwrap_or_default())
}

impl ProgramConfig {
    /// A program with defaults for everything but its command.
    fn named(path: &Path) -> Self {
        Self {
            name: path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned(),
            build: None,
            instrument: Instrumentation::default(),
            command: Vec::new(),
            stdin: None,
            env: Vec::new(),
            cwd: None,
            timeout: None,
            stop_after: None,
            memory_bytes: None,
            repeat: 1,
            jobs: None,
            exit_codes: vec![0],
        }
    }
}

impl WorkloadsConfig {
    /// The placeholders that can be filled in.
    pub(crate) fn placeholders(&self) -> Vec<String> {
        let input = (self.has_input()).then(|| INPUT.to_owned());
        input.into_iter().chain(self.parameters.iter().map(|p| p.name.clone())).collect()
    }

    /// Whether there is an input file.
    pub(crate) fn has_input(&self) -> bool {
        !self.files.is_empty() || self.generate.is_some()
    }
}

fn absolute(path: &Path) -> PathBuf {
    let path = if path.as_os_str().is_empty() { Path::new(".") } else { path };
    std::path::absolute(path).unwrap_or_else(|_| path.to_owned()).components().collect()
}
