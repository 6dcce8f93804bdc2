//! A configuration from the command line alone.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use super::features;
use super::program::ProgramConfig;
use super::settings::{Config, Fragments, absolute};
use super::workloads::WorkloadsConfig;
use crate::words::error::ConfigError;
use crate::words::parameter::Parameter;
use crate::words::placeholder::Template;

/// Stands for the configuration file's name in messages if there is no file.
const COMMAND_LINE: &str = "command line";

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
        let placeholders = workloads.placeholders();
        let template = |text: &OsString| {
            let template = Template::parse(text);
            template.unknown(&placeholders).map_or_else(
                || Ok(template.clone()),
                |name| {
                    let place = format!("argument `{}`", text.to_string_lossy());
                    Err(ConfigError::unknown_placeholder(&place, name, &placeholders))
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
