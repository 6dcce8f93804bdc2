//! What a build instruments, and how.

use std::fmt;

/// How counters are updated.
///
/// Atomic updates cost time: compressing 10 MB with bzip2 1.0.8 (gcc 12, -O2, x86-64) takes 0.54 s of
/// processor time without counters, 0.58 s with plain ones and 1.15 s with atomic ones. They are the
/// default because without them a program with threads loses counts. In programs for x86-64 that cannot start
/// threads, and in the build's libraries that are in such programs alone, they are made plain.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Update {
    /// Atomically, so that the counts of several threads are exact.
    #[default]
    Atomic,
    /// Plainly: faster, and wrong for programs with threads.
    Single,
}

/// Which counters clang builds in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ClangCounters {
    /// Those of gcov, as gcc does.
    #[default]
    Gcov,
    /// Those of LLVM's source-based coverage.
    Llvm,
}

/// Which crates of a cargo build count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Crates {
    /// All that become part of the program.
    #[default]
    All,
    /// Those that are compiled from the user's own folders: members of the workspace and path dependencies, and
    /// not what comes from a registry or a repository. Their work is then not seen.
    Own,
}

/// What is instrumented, and how.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Instrumentation {
    /// How counters are updated.
    pub update: Update,
    /// Which counters clang builds in; gcc has only gcov's, rustc only LLVM's.
    pub counters: ClangCounters,
    /// Which crates count.
    pub crates: Crates,
    /// Whether nothing counts, and debug information is all that is added: for a cargo project that callgrind is to run.
    pub plain: bool,
    /// What is measured.
    pub probe: ProbeOptions,
}

/// What of a program is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Probe {
    routines: bool,
    loops: bool,
    blocks: bool,
}

impl Probe {
    /// How often each basic block is executed.
    pub const BLOCKS: Self = Self { routines: false, loops: false, blocks: true };
    /// The cost of each call of a routine, and the size of the input that it read.
    pub const ROUTINES: Self = Self { routines: true, loops: false, blocks: false };
    /// How often each loop is run through, by the values that decide it.
    pub const LOOPS: Self = Self { routines: false, loops: true, blocks: false };

    /// Both, of the same runs.
    #[must_use]
    pub const fn and(self, more: Self) -> Self {
        Self {
            routines: self.routines || more.routines,
            loops: self.loops || more.loops,
            blocks: self.blocks || more.blocks,
        }
    }

    /// Whether calls of routines are observed.
    pub fn has_routines(self) -> bool {
        self.routines
    }

    /// Whether loops are watched.
    pub fn has_loops(self) -> bool {
        self.loops
    }

    /// Whether blocks are counted.
    pub fn has_blocks(self) -> bool {
        self.blocks
    }

    /// Whether trend-probe instruments the program.
    pub fn has_probe(self) -> bool {
        self.routines || self.loops
    }

    /// The words for it.
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
                "`{other}` cannot be measured: name `blocks`, `routines` and `loops`, separated by commas"
            )),
        })
    }
}

impl From<Probe> for String {
    fn from(probe: Probe) -> Self {
        probe.words()
    }
}

/// What a routine's costs are counted in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Cost {
    /// Basic blocks, as they are before the code is optimized.
    #[default]
    Blocks,
    /// Instructions of LLVM in those.
    Instructions,
    /// Nanoseconds that pass.
    Nanoseconds,
}

impl Cost {
    /// The word for it.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Blocks => "blocks",
            Self::Instructions => "instructions",
            Self::Nanoseconds => "nanoseconds",
        }
    }
}

/// What the size of a call's input is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Metric {
    /// Cells that it reads before it writes them.
    #[default]
    Rms,
    /// Those, and cells that it reads again after the kernel or another thread has written them.
    Drms,
}

impl Metric {
    /// The word for it.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Rms => "rms",
            Self::Drms => "drms",
        }
    }
}

/// Bytes of a cell, in which inputs are counted: 1, 2, 4, 8 or 16.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(try_from = "u32", into = "u32")]
pub struct CellSize(u32);

impl CellSize {
    /// How many.
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

/// What is measured, and how.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct ProbeOptions {
    /// What.
    pub what: Probe,
    /// In what inputs are counted.
    pub cell_size: CellSize,
    /// What costs are counted in.
    pub cost: Cost,
    /// What their size is.
    pub metric: Metric,
    /// Whether calling contexts are told apart.
    pub contexts: bool,
}

/// The options of `trend-prof build`, but for usual ones.
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
