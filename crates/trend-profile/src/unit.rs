//! What costs are counted in.

use serde::Serialize;

/// What a study's costs are counted in; by default executions of basic blocks.
///
/// Costs are whole numbers, so that times are in a unit that is small enough: 2⁶⁴ picoseconds are 213 days.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(transparent)]
pub struct Unit(String);

impl Unit {
    /// Of basic blocks, lines or functions: what coverage tools count.
    pub const EXECUTIONS: &str = "executions";
    /// The unit of callgrind and other profilers of machine code.
    pub const INSTRUCTIONS: &str = "instructions";
    /// Times.
    pub const PICOSECONDS: &str = "ps";

    /// A unit of that name, a plural where the language has one; an empty name is [`Self::EXECUTIONS`].
    pub fn new(name: &str) -> Self {
        Self(if name.is_empty() { Self::EXECUTIONS } else { name }.to_owned())
    }

    /// Its name: `executions`, `instructions`, `ps`.
    pub fn name(&self) -> &str {
        &self.0
    }

    /// Whether costs are executions.
    pub fn is_executions(&self) -> bool {
        self.0 == Self::EXECUTIONS
    }

    /// Whether costs are times.
    pub fn is_time(&self) -> bool {
        self.0 == Self::PICOSECONDS
    }
}

/// What of a run is limited or predicted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Measure {
    /// Its cost, in the study's unit.
    Counts,
    /// Its processor time without counters, in seconds.
    Seconds,
    /// Its peak memory, in bytes.
    Bytes,
}

impl Default for Unit {
    fn default() -> Self {
        Self::new(Self::EXECUTIONS)
    }
}
