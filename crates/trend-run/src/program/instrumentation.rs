//! Options that say which code a build instruments, and how.

use std::fmt;

/// The way in which counters are updated.
///
/// Atomic updates cost time. Compressing 10 MB with bzip2 1.0.8 (gcc 12, -O2, x86-64) takes 0.54 s of CPU time
/// without counters, 0.58 s with plain ones and 1.15 s with atomic ones. They are the default because a program with
/// threads loses counts without them. On x86-64, the build makes them plain in programs that cannot start threads, and
/// in libraries that only such programs use.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Update {
    /// Atomic updates, so that the counts of several threads are exact.
    #[default]
    Atomic,
    /// Plain updates, which are faster but wrong for programs with threads.
    Single,
}

/// The kind of counters that clang inserts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ClangCounters {
    /// gcov's counters, as gcc uses them.
    #[default]
    Gcov,
    /// Counters of LLVM's source-based coverage.
    Llvm,
}

/// The crates of a cargo build whose code is counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Crates {
    /// All crates that become part of the program.
    #[default]
    All,
    /// Crates compiled from the user's own folders, which are workspace members and path dependencies. The work of
    /// crates from a registry or a repository is not counted.
    Own,
}

/// The code that a build instruments, and the way in which it does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Instrumentation {
    /// The way in which counters are updated.
    pub update: Update,
    /// The kind of counters that clang inserts. gcc always uses gcov's, rustc always LLVM's.
    pub counters: ClangCounters,
    /// The crates whose code is counted.
    pub crates: Crates,
    /// True if the build adds debug information but no counters, because callgrind is to run the cargo project.
    pub plain: bool,
    /// The measurements that the probe takes.
    pub probe: ProbeOptions,
}

/// A set of measurements to take of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Probe {
    routines: bool,
    loops: bool,
    blocks: bool,
}

impl Probe {
    /// The number of executions of each basic block.
    pub const BLOCKS: Self = Self { routines: false, loops: false, blocks: true };
    /// The cost of each call of a routine, and the size of the input that the call reads.
    pub const ROUTINES: Self = Self { routines: true, loops: false, blocks: false };
    /// The iterations of each loop, with the values that determine them.
    pub const LOOPS: Self = Self { routines: false, loops: true, blocks: false };

    /// Returns the union of both sets, measured in the same runs.
    #[must_use]
    pub const fn and(self, more: Self) -> Self {
        Self {
            routines: self.routines || more.routines,
            loops: self.loops || more.loops,
            blocks: self.blocks || more.blocks,
        }
    }

    /// Returns true if calls of routines are observed.
    pub fn has_routines(self) -> bool {
        self.routines
    }

    /// Returns true if loops are watched.
    pub fn has_loops(self) -> bool {
        self.loops
    }

    /// Returns true if basic blocks are counted.
    pub fn has_blocks(self) -> bool {
        self.blocks
    }

    /// Returns true if trend-probe instruments the program.
    pub fn has_probe(self) -> bool {
        self.routines || self.loops
    }

    /// Returns the measurements' names, separated by commas.
    pub fn words(self) -> String {
        let all = [(self.routines, "routines"), (self.loops, "loops"), (self.blocks, "blocks")];
        let words: Vec<&str> = all.into_iter().filter_map(|(is, word)| is.then_some(word)).collect();
        words.join(",")
    }
}

impl Default for Probe {
    fn default() -> Self {
        Self::BLOCKS
    }
}

impl TryFrom<String> for Probe {
    type Error = String;

    fn try_from(words: String) -> Result<Self, Self::Error> {
        let none = Self { routines: false, loops: false, blocks: false };
        words.split(',').map(str::trim).try_fold(none, |all, word| match word {
            "routines" => Ok(all.and(Self::ROUTINES)),
            "loops" => Ok(all.and(Self::LOOPS)),
            "blocks" => Ok(all.and(Self::BLOCKS)),
            other => Err(format!(
                "`{other}` cannot be measured; choose `blocks`, `routines` and `loops`, separated by commas"
            )),
        })
    }
}

impl From<Probe> for String {
    fn from(probe: Probe) -> Self {
        probe.words()
    }
}

/// The unit of a routine's cost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Cost {
    /// Basic blocks, before optimization.
    #[default]
    Blocks,
    /// LLVM instructions in those basic blocks.
    Instructions,
    /// Elapsed nanoseconds.
    Nanoseconds,
}

impl Cost {
    /// Returns the option's value as users write it.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Blocks => "blocks",
            Self::Instructions => "instructions",
            Self::Nanoseconds => "nanoseconds",
        }
    }
}

/// The definition of the size of a call's input.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Metric {
    /// Cells that the call reads before it writes them (read memory size).
    #[default]
    Rms,
    /// Cells as for [`Metric::Rms`], plus cells that the call reads again after the kernel or another thread wrote
    /// them.
    Drms,
}

impl Metric {
    /// Returns the option's value as users write it.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Rms => "rms",
            Self::Drms => "drms",
        }
    }
}

/// The size of a cell, the unit in which inputs are counted: 1, 2, 4, 8 or 16 bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(try_from = "u32", into = "u32")]
pub struct CellSize(u32);

impl CellSize {
    /// Returns the size in bytes.
    pub fn bytes(self) -> u32 {
        self.0
    }
}

impl Default for CellSize {
    fn default() -> Self {
        Self(4)
    }
}

impl TryFrom<u32> for CellSize {
    type Error = &'static str;

    fn try_from(bytes: u32) -> Result<Self, Self::Error> {
        let is_possible = bytes.is_power_of_two() && bytes <= 16;
        if is_possible { Ok(Self(bytes)) } else { Err("a cell has 1, 2, 4, 8 or 16 bytes") }
    }
}

impl From<CellSize> for u32 {
    fn from(size: CellSize) -> Self {
        size.0
    }
}

/// The probe's measurements and their options.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct ProbeOptions {
    /// The measurements to take.
    pub what: Probe,
    /// The unit in which inputs are counted.
    pub cell_size: CellSize,
    /// The unit of costs.
    pub cost: Cost,
    /// The definition of an input's size.
    pub metric: Metric,
    /// True if calls from different calling contexts are kept apart.
    pub contexts: bool,
}

/// Formats the options of `trend-prof build` that differ from the defaults.
impl fmt::Display for ProbeOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let usual = Self::default();
        write!(f, "--probe {}", self.what.words())?;
        if self.cell_size != usual.cell_size {
            write!(f, " --cell-size {}", self.cell_size.bytes())?;
        }
        if self.cost != usual.cost {
            write!(f, " --cost {}", self.cost.word())?;
        }
        if self.metric != usual.metric {
            write!(f, " --metric {}", self.metric.word())?;
        }
        if self.contexts {
            write!(f, " --contexts")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_measured_is_the_same_in_any_order() {
        let probe = |words: &str| Probe::try_from(words.to_owned());
        assert_eq!(probe("blocks,routines"), Ok(Probe::ROUTINES.and(Probe::BLOCKS)));
        assert_eq!(probe("loops, routines").unwrap().words(), "routines,loops");
        assert_eq!(Probe::default().words(), "blocks");
        assert!(probe("loop").unwrap_err().contains("`loop` cannot be measured"));
    }
}
