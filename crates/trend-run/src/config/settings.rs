//! The whole configuration.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use serde::Deserialize;

use super::expectation::Expectation;
use super::features::FeatureSource;
use super::program::ProgramConfig;
use super::shard::Shard;
use super::values;
use super::workloads::WorkloadsConfig;
use crate::program::language::Language;

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

impl Config {
    /// Returns the language whose runtime counts, if the program is in one.
    pub fn language(&self) -> Option<Language> {
        let command =
            || self.program.command.iter().map(|word| word.text().into()).collect::<Vec<OsString>>();
        self.program.language.or_else(|| Language::of_command(&command(), &self.folder))
    }
}

pub(crate) fn absolute(path: &Path) -> PathBuf {
    let path = if path.as_os_str().is_empty() { Path::new(".") } else { path };
    std::path::absolute(path).unwrap_or_else(|_| path.to_owned()).components().collect()
}
