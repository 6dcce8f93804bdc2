//! Memory of the program: the last activation that accessed each cell, and who wrote it. `shadow` holds the
//! cells, `first_reads` counts first reads of them, and `watch` holds their writers. The other files report accesses by
//! functions without a probe, and mapped memory.

pub(crate) mod first_reads;
mod mapped_files;
pub mod mappings;
pub mod model;
#[cfg(trend_staticlib)]
mod placing;
pub mod shadow;
pub mod texts;
pub mod watch;
