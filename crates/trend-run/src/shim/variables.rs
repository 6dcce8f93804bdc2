//! Environment variables shared by a build, its shims and the programs that they call.

use std::env;

use crate::program::instrumentation::Update;

/// Variable with the path of the current build's log. It is set only during a build.
pub(crate) const LOG: &str = "TREND_PROF_BUILD_LOG";
/// Variable with the folder of the shims.
pub(crate) const SHIMS: &str = "TREND_PROF_SHIMS";
/// Variable with the kind of counters: `gcov`, `llvm` or [`NO_COUNTERS`].
pub(crate) const COUNTERS: &str = "TREND_PROF_COUNTERS";
/// Value of [`COUNTERS`] for a build without counters. Only rustc gets additional flags, for debug information.
pub(crate) const NO_COUNTERS: &str = "none";
/// Variable with the crates to count: `all` or `own`.
pub(crate) const CRATES: &str = "TREND_PROF_CRATES";
/// Variable with lines `name=path`, for compilers that CC and CXX give by path.
pub(crate) const COMPILERS: &str = "TREND_PROF_COMPILERS";
/// Variable with the kind of counter updates: `atomic` or `single`.
pub(crate) const UPDATE: &str = "TREND_PROF_UPDATE";
/// Variable that is set for the real compiler and for everything that it calls.
pub(super) const INSIDE: &str = "TREND_PROF_INSIDE_COMPILER";

pub(super) fn update() -> Update {
    let is_single = env::var_os(UPDATE).is_some_and(|u| u == "single");
    if is_single { Update::Single } else { Update::Atomic }
}
