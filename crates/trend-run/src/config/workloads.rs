//! The sources of the workloads.

use serde::Deserialize;

use super::values;
use crate::words::parameter::Parameter;
use crate::words::placeholder::{INPUT, Template};

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

impl WorkloadsConfig {
    /// Returns the names of the placeholders that can be filled in.
    pub(crate) fn placeholders(&self) -> Vec<String> {
        let input = (self.has_input()).then(|| INPUT.to_owned());
        input.into_iter().chain(self.parameters.iter().map(|p| p.name.clone())).collect()
    }

    /// Returns true if the workloads have an input file.
    pub(crate) fn has_input(&self) -> bool {
        !self.files.is_empty() || self.generate.is_some()
    }
}
