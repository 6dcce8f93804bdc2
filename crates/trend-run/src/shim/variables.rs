//! Environment variables by which a build, its stand-ins for compilers and what they call know of each other.

use std::env;

use crate::Update;

/// `atomic` or `single`.
pub(crate) const UPDATE: &str = "TREND_PROF_UPDATE";
/// Set for the real compiler and everything that it calls.
pub(super) const INSIDE: &str = "TREND_PROF_INSIDE_COMPILER";

pub(super) fn update() -> Update {
    let is_single = env::var_os(UPDATE).is_some_and(|u| u == "single");
    if is_single { Update::Single } else { Update::Atomic }
}
