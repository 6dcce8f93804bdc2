//! Programs as files on disk: their language, and the instrumentation that a build gave them.
//!
//! `nature` tells programs with counters from others, and `binaries` finds them in folders. `instrumentation` has the
//! options of a build, and `mark` the trace that a build with the probe leaves in a program.

pub(crate) mod binaries;
pub(crate) mod digest;
pub(crate) mod instrumentation;
pub(crate) mod language;
pub(crate) mod mark;
pub(crate) mod nature;
