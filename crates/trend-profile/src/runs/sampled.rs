//! Samples of where a program spends its time, taken in one run without counters.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::usage::Usage;

/// A run of a workload without counters, sampled at regular intervals of CPU time in user mode.
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sampled {
    /// Time and memory of the run. Sampling makes a run slightly longer.
    pub usage: Usage,
    /// CPU time between two samples.
    pub period: Duration,
    /// Number of samples that were taken and lost.
    pub lost: u64,
    /// Places of the other samples, each once. Empty if they could not be recorded.
    pub places: Vec<SampledPlace>,
}

/// A place and its number of samples.
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SampledPlace {
    /// Function or library that contains the place.
    pub part: Part,
    /// Line in the part's file, 1-based; 0 if unknown, and in libraries.
    pub line: u32,
    /// Number of samples at the place.
    pub samples: u64,
}

/// Owner of code: a function of the study or a library.
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Part {
    /// A function of the study, with uncounted code that was inlined into it.
    Function {
        /// Demangled name of the function.
        name: String,
        /// Source file as in the study.
        file: String,
    },
    /// Code without counts, by the name of its library, crate or program.
    Library(String),
}

impl Sampled {
    /// Returns the number of recorded samples.
    pub fn samples(&self) -> u64 {
        self.places.iter().map(|place| place.samples).fold(0, u64::saturating_add)
    }
}
