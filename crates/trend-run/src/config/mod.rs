//! What is to be run: `trend-prof.toml`, or the same from the command line.
//!
//! A [`Config`] is checked when it is made: placeholders are known, expressions compile, ranges
//! make sense. Nothing here looks at the disk but [`Config::read`].

mod features;
mod read;
mod source;
#[cfg(test)]
mod tests;
mod values;

use std::ffi::OsString;
use std::fmt::Display;
use std::io;
use std::num::{NonZeroU32, NonZeroUsize};
use std::path::{Path, PathBuf};
use std::time::Duration;

pub use features::FeatureSource;
use serde::Deserialize;
use trend_profile::Measure;

use crate::build::cargo::CargoRun;
use crate::parameter::Parameter;
use crate::placeholder::{INPUT, Template};
use crate::{
    CellSize, ClangCounters, ConfigError, Cost, Crates, Instrumentation, Metric, Probe, ProbeOptions, Update,
    shell,
};

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
    /// What times fragments of code, and formulas with them.
    pub fragments: Fragments,
    /// What the program is held to; only carried here.
    pub expectations: Vec<Expectation>,
}

/// How the program is built and run.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case", expecting = "a table")]
pub struct ProgramConfig {
    /// What builds it.
    #[serde(deserialize_with = "values::build")]
    pub build: Option<Vec<OsString>>,
    /// Which crates count.
    pub crates: Crates,
    /// How counters are updated.
    pub update: Update,
    /// Which counters clang builds in.
    pub counters: ClangCounters,
    /// What of the program is measured.
    pub probe: Probe,
    /// Bytes of a cell, in which the probe counts inputs; 4 by default.
    pub cell_size: CellSize,
    /// What the probe counts costs in.
    pub cost: Cost,
    /// What the probe takes as the size of an input.
    pub metric: Metric,
    /// Whether the probe tells calling contexts apart.
    pub contexts: bool,
    /// What runs it; never empty.
    #[serde(deserialize_with = "values::command")]
    pub command: Vec<Template>,
    /// The program's name; by default the file name of the command's first word, or of the one program of the folder that
    /// `sh -c` starts.
    pub name: String,
    /// The file that is its standard input; nothing is by default.
    pub stdin: Option<Template>,
    /// Variables added to its environment.
    #[serde(deserialize_with = "values::env")]
    pub env: Vec<(String, Template)>,
    /// Where it runs; by default the configuration's folder.
    pub cwd: Option<Template>,
    /// When a run is stopped.
    #[serde(deserialize_with = "values::time")]
    pub timeout: Option<Duration>,
    /// When a run is ended, with SIGTERM, that has done its work then: a server's.
    #[serde(deserialize_with = "values::time")]
    pub stop_after: Option<Duration>,
    /// How much address space a process of a run can have.
    #[serde(rename = "memory", deserialize_with = "values::bytes")]
    pub memory_bytes: Option<u64>,
    /// A build of the program without counters, which is timed in place of a copy of the counted one.
    pub timed: Option<PathBuf>,
    /// Whether it is recorded which lines ask for memory.
    pub memory_by_line: bool,
    /// Whether workloads are timed as well; they are by default.
    pub time: Option<bool>,
    /// How often each workload is run; by default once.
    pub repeat: Option<NonZeroU32>,
    /// How many run at once; by default as many as there are cores.
    pub jobs: Option<NonZeroUsize>,
    /// The exit codes that mean success, by default 0; 128 and a signal's number is the end by that signal.
    pub exit_codes: Option<Vec<u8>>,
    /// Whether the build makes nothing count and adds debug information alone, for callgrind.
    #[serde(skip)]
    pub plain: bool,
}

/// Where the workloads come from.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields, expecting = "a table")]
pub struct WorkloadsConfig {
    /// Patterns of files, each of which is a workload.
    #[serde(deserialize_with = "values::patterns")]
    pub files: Vec<String>,
    /// Parameters, every combination of which is a workload.
    #[serde(deserialize_with = "values::sweep")]
    pub parameters: Vec<Parameter>,
    /// A command whose stdout is the input.
    #[serde(deserialize_with = "values::generate")]
    pub generate: Option<Vec<Template>>,
}

/// What times fragments of code, and what a person wrote of them.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields, expecting = "a table")]
pub struct Fragments {
    /// The program of experiments and its arguments; empty where the constants come from elsewhere.
    #[serde(deserialize_with = "values::program")]
    pub worker: Vec<OsString>,
    /// Files of formulas, relative to the configuration's folder.
    #[serde(deserialize_with = "values::paths")]
    pub formulas: Vec<PathBuf>,
}

/// What an [`Expectation`] is about.
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
    /// Every function that a baseline does not know.
    NewCode,
}

/// One `[[expect]]`: how something may grow, or what it may cost.
#[derive(Clone, Debug, PartialEq)]
pub struct Expectation {
    /// The line of the configuration on which it stands, 1-based.
    pub config_line: usize,
    /// What it is about.
    pub target: Target,
    /// What growth is expected, such as `<= n log n`; not looked into here.
    pub growth: Option<String>,
    /// What it may cost.
    pub costs: Vec<CostLimit>,
    /// The feature in which it grows; by default the first.
    pub feature: Option<String>,
}

/// What something may cost at a size.
#[derive(Clone, Debug, PartialEq)]
pub struct CostLimit {
    /// What of it is limited.
    pub measure: Measure,
    /// Features and values.
    pub at: Vec<(String, f64)>,
    /// The most that is allowed: in the study's unit, seconds or bytes.
    pub most: f64,
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
        Self::parse(&Self::text(path)?, path)
    }

    /// Reads what a configuration file expects; it may have nothing else, as that of a program whose counts are imported.
    ///
    /// # Errors
    /// [`ConfigError`] names the file, the line and the key.
    pub fn read_expectations(path: &Path) -> Result<Vec<Expectation>, ConfigError> {
        read::expectations(&Self::text(path)?, path)
    }

    fn text(path: &Path) -> Result<String, ConfigError> {
        let failed =
            |error: &dyn Display, help| ConfigError::new(format!("{}: {error}", path.display()), help);
        let bytes = std::fs::read(path).map_err(|error| {
            let is_missing = error.kind() == io::ErrorKind::NotFound;
            let help = "`trend-prof init` writes one for the program in this folder";
            failed(&error, if is_missing { help } else { "" })
        })?;
        String::from_utf8(bytes).map_err(|error| failed(&error.utf8_error(), ""))
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
    /// A placeholder is unknown, the command is empty or a parameter is there twice.
    pub fn from_command_line(folder: &Path, line: CommandLine) -> Result<Self, ConfigError> {
        if line.command.is_empty() {
            let help = "write the program behind it: `-- ./sort {n}`";
            return Err(ConfigError::new("`--`: no command follows", help));
        }
        for (i, parameter) in line.parameters.iter().enumerate() {
            if line.parameters[..i].iter().any(|p| p.name == parameter.name) {
                let what = format!("`{}`: is given twice", parameter.name);
                return Err(ConfigError::new(what, "give all its values at once: `n=1,2,3`"));
            }
        }
        let workloads = WorkloadsConfig { files: line.files, parameters: line.parameters, generate: None };
        let known = workloads.placeholders();
        let template = |text: &OsString| {
            let template = Template::parse(text);
            template.unknown(&known).map_or_else(
                || Ok(template.clone()),
                |name| {
                    let place = format!("argument `{}`", text.to_string_lossy());
                    Err(ConfigError::unknown_placeholder(&place, name, &known))
                },
            )
        };
        let folder = absolute(folder);
        let program = ProgramConfig {
            command: line.command.iter().map(template).collect::<Result<_, _>>()?,
            stdin: line.stdin.as_ref().map(template).transpose()?,
            name: ProgramConfig::name_of(&started(&line.command, &folder)),
            ..ProgramConfig::default()
        };
        let features = features::defaults(&workloads);
        let path = PathBuf::from(COMMAND_LINE);
        let fragments = Fragments::default();
        Ok(Self { path, folder, program, workloads, features, fragments, expectations: Vec::new() })
    }
}

impl Config {
    /// Takes a command `cargo run` for the program that it starts, and for the build of that where none is configured.
    ///
    /// # Errors
    /// Nobody can say which program it would start.
    pub fn read_cargo_run(&mut self) -> Result<(), ConfigError> {
        let words: Vec<String> = self.program.command.iter().map(Template::text).collect();
        let Some(run) = CargoRun::read(&self.folder, &words).transpose()? else { return Ok(()) };
        let is_named_so = self.program.name == ProgramConfig::name_of(Path::new(&words[0]));
        if is_named_so {
            self.program.name.clone_from(&run.command[0]);
        }
        self.program.build.get_or_insert_with(|| run.build.iter().map(OsString::from).collect());
        self.program.command = run.command.iter().map(|word| Template::parse(word.as_ref())).collect();
        Ok(())
    }
}

/// What a command starts: its first word, and of `sh -c SCRIPT` the one program of the folder that the script names.
fn started(command: &[OsString], folder: &Path) -> PathBuf {
    shell::program(command, folder).unwrap_or_else(|| command.first().map(PathBuf::from).unwrap_or_default())
}

impl ProgramConfig {
    /// How the build instruments.
    pub fn instrumentation(&self) -> Instrumentation {
        let Self { update, counters, crates, plain, probe, cell_size, cost, metric, contexts, .. } = *self;
        let probe = ProbeOptions { what: probe, cell_size, cost, metric, contexts };
        Instrumentation { update, counters, crates, plain, probe }
    }

    /// How often each workload is run; at least 1.
    pub fn repeat(&self) -> u32 {
        self.repeat.map_or(1, NonZeroU32::get)
    }

    /// Whether an exit code means success.
    pub fn succeeds_with(&self, code: i32) -> bool {
        self.exit_codes.as_ref().map_or(code == 0, |codes| codes.iter().any(|c| i32::from(*c) == code))
    }

    fn name_of(program: &Path) -> String {
        program.file_name().unwrap_or(program.as_os_str()).to_string_lossy().into_owned()
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
