//! What a build instruments, and how.

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
}
