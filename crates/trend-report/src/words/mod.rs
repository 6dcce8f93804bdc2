//! Findings in words: sentences and cells of tables, shared by all outputs.
//!
//! Begin at `growth.rs`, which words the law of a single row. `answer.rs` and `verdict/` are about the whole program.

pub(crate) mod advice;
pub(crate) mod answer;
pub(crate) mod calibration;
pub(crate) mod cells;
pub(crate) mod fitting;
pub(crate) mod growth;
pub(crate) mod kinds;
pub(crate) mod loops;
pub(crate) mod memory;
pub(crate) mod model;
pub(crate) mod point;
pub(crate) mod series;
pub(crate) mod structure;
pub(crate) mod study;
pub(crate) mod verdict;
