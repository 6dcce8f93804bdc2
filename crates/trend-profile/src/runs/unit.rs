//! Units in which costs are counted.

use serde::Serialize;

/// Unit of a study's costs; by default executions of basic blocks.
///
/// Costs are whole numbers, so times need a small unit: 2⁶⁴ picoseconds are 213 days.
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(transparent)]
pub struct Unit(String);

impl Unit {
    /// Executions of basic blocks, lines or functions, as coverage tools count them.
    pub const EXECUTIONS: &str = "executions";
    /// Unit of callgrind and other profilers of machine code.
    pub const INSTRUCTIONS: &str = "instructions";
    /// Unit of times, one picosecond.
    pub const PICOSECONDS: &str = "ps";

    /// Creates a unit with this name, usually a plural; an empty name means [`Self::EXECUTIONS`].
    pub fn new(name: &str) -> Self {
        Self(if name.is_empty() { Self::EXECUTIONS } else { name }.to_owned())
    }

    /// Returns the unit's name: `executions`, `instructions`, `ps`.
    pub fn name(&self) -> &str {
        &self.0
    }

    /// Returns true if costs are executions.
    pub fn is_executions(&self) -> bool {
        self.0 == Self::EXECUTIONS
    }

    /// Returns true if costs are times.
    pub fn is_time(&self) -> bool {
        self.0 == Self::PICOSECONDS
    }
}

/// Quantity of a run that is limited or predicted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Measure {
    /// Cost, in the study's unit.
    Counts,
    /// CPU time without counters, in seconds.
    Seconds,
    /// Peak memory, in bytes.
    Bytes,
}

impl Default for Unit {
    fn default() -> Self {
        Self::new(Self::EXECUTIONS)
    }
}
