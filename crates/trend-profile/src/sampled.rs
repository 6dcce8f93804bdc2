//! Where a program spends its time: one run without counters, of which samples were taken.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::Usage;

/// A run of a workload without counters, and where the processor was in it at regular intervals of processor time in user mode.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sampled {
    /// What it used. Taking samples makes a run a little longer.
    pub usage: Usage,
    /// The processor time from one sample to the next.
    pub period: Duration,
    /// Samples that were taken and lost.
    pub lost: u64,
    /// Where the others were; each place once. None where they could not be recorded.
    pub places: Vec<SampledPlace>,
}

/// A place, and how many samples it has.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SampledPlace {
    /// Whose it is.
    pub part: Part,
    /// The line in the part's file, 1-based; 0 where that is not known, and in libraries.
    pub line: u32,
    /// How many.
    pub samples: u64,
}

/// Whose code something is.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Part {
    /// A function of the study, with what was inlined into it that is not counted.
    Function {
        /// Its name for people.
        name: String,
        /// Its source file, as the study has it.
        file: String,
    },
    /// Code without counts, by the name of its library, crate or program.
    Library(String),
}

impl Sampled {
    /// How many samples there are.
    pub fn samples(&self) -> u64 {
        self.places.iter().map(|place| place.samples).fold(0, u64::saturating_add)
    }
}
