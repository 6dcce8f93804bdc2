//! The configuration of a study, from `trend-prof.toml` or from the command line.
//!
//! A [`Config`] is checked when it is created: placeholders are known, expressions compile and ranges make sense. Only
//! [`Config::read`] reads files.

mod features;
mod read;
mod source;
#[cfg(test)]
mod tests;
mod values;

use std::ffi::OsString;
use std::fmt::Display;
use std::io::{self, Read as _};
use std::num::{NonZeroU32, NonZeroUsize};
use std::path::{Path, PathBuf};
use std::time::Duration;

pub use features::FeatureSource;
use serde::Deserialize;
use trend_profile::Measure;

use crate::Shard;
use crate::build::cargo::CargoRun;
use crate::build::go::GoRun;
use crate::parameter::Parameter;
use crate::placeholder::{INPUT, Template};
use crate::{
    CellSize, ClangCounters, ConfigError, Cost, Crates, Instrumentation, Language, Metric, Packages, Probe,
    ProbeOptions, Update, shell,
};

/// Stands for the configuration file's name in messages if there is no file.
const COMMAND_LINE: &str = "command line";

/// Name of the configuration file.
pub const CONFIG_FILE: &str = "trend-prof.toml";

/// The program to run, its workloads and their features.
#[derive(Clone, Debug)]
pub struct Config {
    /// The configuration's file, for messages.
    pub path: PathBuf,
    /// Absolute path of that file's folder. Relative paths start here.
    pub folder: PathBuf,
    /// The program to build and to run.
    pub program: ProgramConfig,
    /// The workloads to run the program with.
    pub workloads: WorkloadsConfig,
    /// The share of the workloads to run; all of them by default.
    pub shard: Option<Shard>,
    /// The features of each workload, in declaration order.
    pub features: Vec<FeatureSource>,
    /// The program that times fragments of code, and the files of formulas.
    pub fragments: Fragments,
    /// The expectations about the program's growth and costs. This crate only passes them on.
    pub expectations: Vec<Expectation>,
}

/// The way in which the program is built and run.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case", expecting = "a table")]
pub struct ProgramConfig {
    /// The command that builds the program; `None` if it is built elsewhere.
    #[serde(deserialize_with = "values::build")]
    pub build: Option<Vec<OsString>>,
    /// The language whose runtime counts; by default the command decides.
    pub language: Option<Language>,
    /// The code that is counted, for such a language.
    pub packages: Packages,
    /// The crates whose code is counted.
    pub crates: Crates,
    /// The way in which counters are updated.
    pub update: Update,
    /// The kind of counters that clang inserts.
    pub counters: ClangCounters,
    /// The measurements to take.
    pub probe: Probe,
    /// Size of a cell in bytes, the probe's unit for inputs; 4 by default.
    pub cell_size: CellSize,
    /// The probe's unit of costs.
    pub cost: Cost,
    /// The probe's definition of an input's size.
    pub metric: Metric,
    /// True if the probe keeps calls from different calling contexts apart.
    pub contexts: bool,
    /// The command that runs the program; never empty.
    #[serde(deserialize_with = "values::command")]
    pub command: Vec<Template>,
    /// The program's name. By default it is the file name of the command's first word. For `sh -c`, it is the file name
    /// of the one program in the folder that the script starts.
    pub name: String,
    /// The file for its standard input; empty by default.
    pub stdin: Option<Template>,
    /// Variables to add to its environment.
    #[serde(deserialize_with = "values::env")]
    pub env: Vec<(String, Template)>,
    /// Its working directory; by default the configuration's folder.
    pub cwd: Option<Template>,
    /// Time limit of a run; a longer run fails.
    #[serde(deserialize_with = "values::time")]
    pub timeout: Option<Duration>,
    /// Time after which SIGTERM ends a run that counts as finished, such as a server's.
    #[serde(deserialize_with = "values::time")]
    pub stop_after: Option<Duration>,
    /// Limit of the address space of each process of a run.
    #[serde(rename = "memory", deserialize_with = "values::bytes")]
    pub memory_bytes: Option<u64>,
    /// A build of the program without counters. It is timed in place of a copy of the instrumented program.
    pub timed: Option<PathBuf>,
    /// True if the lines that allocate memory are recorded.
    pub memory_by_line: bool,
    /// True if workloads are timed as well, which is the default.
    pub time: Option<bool>,
    /// Number of runs of each workload; 1 by default.
    pub repeat: Option<NonZeroU32>,
    /// Number of runs at the same time; by default the number of cores.
    pub jobs: Option<NonZeroUsize>,
    /// The exit codes that mean success; by default 0. For an end by a signal, the code is 128 plus the signal's
    /// number.
    pub exit_codes: Option<Vec<u8>>,
    /// True if the build adds debug information but no counters, for callgrind.
    #[serde(skip)]
    pub plain: bool,
}

/// The sources of the workloads.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields, expecting = "a table")]
pub struct WorkloadsConfig {
    /// Patterns of files. Each matching file is a workload.
    #[serde(deserialize_with = "values::patterns")]
    pub files: Vec<String>,
    /// Parameters. Each combination of their values is a workload.
    #[serde(deserialize_with = "values::sweep")]
    pub parameters: Vec<Parameter>,
    /// A command that prints the input on its stdout.
    #[serde(deserialize_with = "values::generate")]
    pub generate: Option<Vec<Template>>,
}

/// The program that times fragments of code, and formulas written by the user.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields, expecting = "a table")]
pub struct Fragments {
    /// The program that runs the experiments, and its arguments. Empty if the constants come from elsewhere.
    #[serde(deserialize_with = "values::program")]
    pub worker: Vec<OsString>,
    /// Files of formulas, relative to the configuration's folder.
    #[serde(deserialize_with = "values::paths")]
    pub formulas: Vec<PathBuf>,
}

/// The code that an [`Expectation`] is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    /// The whole program.
    Program,
    /// A function, given by its name.
    Function(String),
    /// All functions of a file.
    File(String),
    /// A line, written `file:line`.
    Line(String),
    /// All functions that a baseline does not contain.
    NewCode,
}

/// One `[[expect]]` entry, which limits the growth or the cost of some code.
#[derive(Clone, Debug, PartialEq)]
pub struct Expectation {
    /// Line number of the entry in the configuration, 1-based.
    pub config_line: usize,
    /// The code that the entry is about.
    pub target: Target,
    /// The expected growth, such as `<= n log n`. It is not parsed here.
    pub growth: Option<String>,
    /// Limits of the costs.
    pub costs: Vec<CostLimit>,
    /// The features in which the growth is limited; empty for the first of the study.
    pub features: Vec<String>,
}

/// A cost limit at a given size.
#[derive(Clone, Debug, PartialEq)]
pub struct CostLimit {
    /// The measure that is limited.
    pub measure: Measure,
    /// The size, as features and their values.
    pub at: Vec<(String, f64)>,
    /// Maximum value: in the study's unit, in seconds or in bytes.
    pub most: f64,
}

/// The parts of a configuration that the command line gives.
#[derive(Clone, Debug, Default)]
pub struct CommandLine {
    /// The program and its arguments, with placeholders.
    pub command: Vec<OsString>,
    /// The parameters of the sweep.
    pub parameters: Vec<Parameter>,
    /// Patterns of input files.
    pub files: Vec<String>,
    /// The file for the standard input, with placeholders.
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

    /// Reads the expectations of a configuration file. The file may lack everything else if the program's counts are
    /// imported.
    ///
    /// # Errors
    /// [`ConfigError`] names the file, the line and the key.
    pub fn read_expectations(path: &Path) -> Result<Vec<Expectation>, ConfigError> {
        read::expectations(&Self::text(path)?, path)
    }

    fn text(path: &Path) -> Result<String, ConfigError> {
        let failed =
            |error: &dyn Display, help| ConfigError::new(format!("{}: {error}", path.display()), help);
        let mut bytes = Vec::new();
        trend_profile::open_readable(path).and_then(|mut file| file.read_to_end(&mut bytes)).map_err(
            |error| {
                let is_missing = error.kind() == io::ErrorKind::NotFound;
                let help = "write one for the program in this folder with `trend-prof init`";
                failed(&error, if is_missing { help } else { "" })
            },
        )?;
        String::from_utf8(bytes).map_err(|error| failed(&error.utf8_error(), ""))
    }

    /// Checks the text of a configuration. `path` is the file's path for messages, and relative paths start in its
    /// folder.
    ///
    /// # Errors
    /// [`ConfigError`] names the file, the line and the key.
    pub fn parse(text: &str, path: &Path) -> Result<Self, ConfigError> {
        read::parse(text, path)
    }

    /// Creates a configuration without a file, for `trend-prof run --param n=1,2 -- ./program {n}`.
    ///
    /// # Errors
    /// Fails if a placeholder is unknown, the command is empty or a parameter is given twice.
    pub fn from_command_line(folder: &Path, line: CommandLine) -> Result<Self, ConfigError> {
        if line.command.is_empty() {
            let help = "write the program after it: `-- ./sort {n}`";
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
            name: ProgramConfig::name_of_command(&line.command, &folder),
            ..ProgramConfig::default()
        };
        let features = features::defaults(&workloads);
        let path = PathBuf::from(COMMAND_LINE);
        let fragments = Fragments::default();
        let expectations = Vec::new();
        Ok(Self { path, folder, program, workloads, shard: None, features, fragments, expectations })
    }
}

impl Config {
    /// Returns the language whose runtime counts, if the program is in one.
    pub fn language(&self) -> Option<Language> {
        let command =
            || self.program.command.iter().map(|word| word.text().into()).collect::<Vec<OsString>>();
        self.program.language.or_else(|| Language::of_command(&command(), &self.folder))
    }

    /// Replaces a `cargo run` or `go run` command by the program that it starts. Also sets the build command if none is
    /// configured.
    ///
    /// # Errors
    /// Fails if it is unclear which program the command would start.
    pub fn read_run(&mut self) -> Result<(), ConfigError> {
        let words: Vec<String> = self.program.command.iter().map(Template::text).collect();
        if let Some(run) = GoRun::read(&self.folder, &words) {
            self.read_go_run(run?);
            return Ok(());
        }
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

impl Config {
    fn read_go_run(&mut self, run: GoRun) {
        let program = &mut self.program;
        program.name = run.name;
        program.language = Some(Language::Go);
        program.build.get_or_insert(run.build);
        program.timed.get_or_insert(run.plain);
        program.command = run.command.iter().map(|word| Template::parse(word)).collect();
    }
}

/// Returns the program that a command starts. It is the first word or, for `sh -c SCRIPT`, the one program in the
/// folder that the script names.
fn started(command: &[OsString], folder: &Path) -> PathBuf {
    shell::program(command, folder).unwrap_or_else(|| command.first().map(PathBuf::from).unwrap_or_default())
}

impl ProgramConfig {
    /// Returns the instrumentation options of the build.
    pub fn instrumentation(&self) -> Instrumentation {
        let Self { update, counters, crates, plain, probe, cell_size, cost, metric, contexts, .. } = *self;
        let probe = ProbeOptions { what: probe, cell_size, cost, metric, contexts };
        Instrumentation { update, counters, crates, plain, probe }
    }

    /// Returns the number of runs of each workload; at least 1.
    pub fn repeat(&self) -> u32 {
        self.repeat.map_or(1, NonZeroU32::get)
    }

    /// True if an exit code means success.
    pub fn succeeds_with(&self, code: i32) -> bool {
        self.exit_codes.as_ref().map_or(code == 0, |codes| codes.iter().any(|c| i32::from(*c) == code))
    }

    /// Returns the name of the program that a command starts.
    fn name_of_command(command: &[OsString], folder: &Path) -> String {
        Language::program_name(command, folder).unwrap_or_else(|| Self::name_of(&started(command, folder)))
    }

    fn name_of(program: &Path) -> String {
        program.file_name().unwrap_or(program.as_os_str()).to_string_lossy().into_owned()
    }
}

impl WorkloadsConfig {
    /// Returns the names of the placeholders that can be filled in.
    pub(crate) fn placeholders(&self) -> Vec<String> {
        let input = (self.has_input()).then(|| INPUT.to_owned());
        input.into_iter().chain(self.parameters.iter().map(|p| p.name.clone())).collect()
    }

    /// True if the workloads have an input file.
    pub(crate) fn has_input(&self) -> bool {
        !self.files.is_empty() || self.generate.is_some()
    }
}

fn absolute(path: &Path) -> PathBuf {
    let path = if path.as_os_str().is_empty() { Path::new(".") } else { path };
    std::path::absolute(path).unwrap_or_else(|_| path.to_owned()).components().collect()
}
