//! Memory of the program: the last activation that accessed each cell, and who wrote it. `shadow` has the cells,
//! `first_reads` counts them, `watch` has their writers, and the other files tell these about functions without a probe.

pub(crate) mod first_reads;
mod mapped_files;
pub mod mappings;
pub mod model;
#[cfg(trend_staticlib)]
mod placing;
pub mod shadow;
pub mod texts;
pub mod watch;
