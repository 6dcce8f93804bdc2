//! Applies fitted laws at the points of the findings.
//!
//! - Begin with `row_models`: models rows, and `outlook` predicts each at the points. `today` gives shares of the cost
//!   now, `pace` classifies the growth of a law, and `overtaking` finds rows that will cost more than others.
//! - `seconds`, `latency`, `fitting` and `time_parts` predict time; `memory` and `memory_lines` predict memory.
//! - `fragments` predicts time by the user's formulas, and `predict` costs at sizes that a user asks for.
//! - `outliers` finds runs that are far off the law of the whole.

pub(crate) mod fitting;
pub(crate) mod fragments;
pub(crate) mod latency;
pub(crate) mod memory;
pub(crate) mod memory_lines;
pub(crate) mod outliers;
pub(crate) mod outlook;
pub(crate) mod overtaking;
pub(crate) mod pace;
pub(crate) mod predict;
pub(crate) mod row_models;
pub(crate) mod seconds;
pub(crate) mod time_parts;
pub(crate) mod today;
