//! Environment variables shared by a build, its shims and the programs that they call.

use std::env;

use crate::Update;

/// Variable with the kind of counter updates: `atomic` or `single`.
pub(crate) const UPDATE: &str = "TREND_PROF_UPDATE";
/// Variable that is set for the real compiler and for everything that it calls.
pub(super) const INSIDE: &str = "TREND_PROF_INSIDE_COMPILER";

pub(super) fn update() -> Update {
    let is_single = env::var_os(UPDATE).is_some_and(|u| u == "single");
    if is_single { Update::Single } else { Update::Atomic }
}
