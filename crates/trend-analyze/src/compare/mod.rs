//! Compares two studies of a program, before and after a change: which code grows differently, and whether that is
//! noise.
//!
//! ```text
//!   functions of both ─▶ matched (name, then moved, then renamed by content) ─▶ their lines ─▶ clusters by their members
//!                              │
//!   laws of both ──────▶ costs at the target ─▶ their ratio ─┐
//!                              │                             ├─▶ Compared, one per row ─▶ Outcome
//!   workloads of both ─▶ pairs of costs ─▶ what changed, and how well the ratio is known
//! ```
//!
//! Each version is predicted by its own law: a row has the numbers that `show` prints for its study. Costs of the same
//! workload are compared with each other, so that differences between inputs cancel. Among thousands of functions, some
//! differ by luck: the probability of a difference is multiplied by the number of comparisons (Bonferroni). Only the
//! rows decide the outcome (`outcome.rs`) and the sentences (`statements.rs`).

mod bodies;
mod change;
pub(crate) mod comparison;
mod effect;
mod lines;
pub(crate) mod matching;
mod outcome;
mod pairs;
mod ratio;
mod reach;
mod resources;
mod statements;
mod version;
mod version_row;

pub use change::{Change, ChangeKind, Compared, Direction, GrowthChange};
pub use comparison::{Comparison, compare};
pub use effect::Effect;
pub use outcome::{Outcome, OutcomeReason};
pub use pairs::{Basis, WorkloadCounts};
pub use reach::{OutOfReach, out_of_reach};
pub use resources::{Resource, Resources, Uncounted};
pub use statements::{ChangeStatement, change_statements};
pub use version::{CompareError, Version, common_feature, common_target, common_targets};
pub use version_row::Side;

#[cfg(test)]
mod properties;
#[cfg(test)]
mod tests;
