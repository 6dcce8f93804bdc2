//! The mathematics of trend-prof: derives how a program scales from a table of costs.
//!
//! | question | answer |
//! |---|---|
//! | does one vector vary linearly with another? | [`linear_regression`], [`r_squared`], [`Standardized`] |
//! | how does a cost grow with a feature? | [`PowerLaw`], [`Linear`] |
//! | how sure is that? | [`intervals()`], [`percentile_intervals`] over [`Resamples`] |
//! | how does it grow with several features at once? | [`joint_growth`] |
//! | what does a cost come to at a point? | [`Law`] |
//! | which law does it follow, `n`, `n log n`, `n^2`, …? | [`growth()`] |
//! | how much does an average of few observations weigh? | [`scatter_of_one`], [`weights_of_averages`], [`growth_of_averages`] |
//! | which further runs would decide that? | [`deciding_runs`], [`further_sizes`], [`further_units`] |
//! | is the power law the right model at all? | [`diagnose`] |
//! | how well does the best of many features explain a cost by chance? | [`chance_r2`] |
//! | do the points follow two trends? | [`two_trends()`] |
//! | what changed between two versions of a cost? | [`paired()`] |
//! | how long does one execution of a fragment take? | [`MajorityMean`], [`ConstantCurve`] |
//! | what do a person's formulas in features and constants come to? | [`Formulas`] |
//! | does time grow faster than what was counted? | [`uncounted_growth`] |
//!
//! # Design constraints
//!
//! - Numbers in, numbers out: no I/O, no clock, no globals, no threads. Seeds are arguments.
//! - The same arguments give the same bits on the same machine, however many threads call. Sums run in a fixed order,
//!   and data are shared only by reference. `ln` and `exp` come from the platform and may differ in the last place
//!   between platforms.
//! - Costs and features are passed as `f64`. The caller converts `u64` counts to `f64` in one documented place.
//! - A fit that succeeds holds finite numbers. A fit that fails is a [`FitError`], never a NaN.
//! - Sums of squares are always taken about the mean, in units of the largest deviation. Features such as file sizes
//!   around 10⁹ lose no digits, and intermediate results do not overflow if the final result does not.
//! - Doubt is data: the result counts points that were left out and resamples that could not be fitted.

mod bisection;
mod bootstrap;
mod chance;
mod change_point;
mod constants;
mod curvature;
mod diagnosis;
mod diagnosis_words;
mod equal_runs;
mod error;
mod formula;
mod growth;
mod interval;
mod intervals;
mod law;
mod line;
mod linear;
mod linear_system;
mod logarithms;
pub mod loops;
mod memory_law;
#[cfg(test)]
mod noise;
mod offset_power;
mod order_statistics;
mod paired;
mod power_law;
mod regression;
mod resamples;
mod robust_intervals;
mod scatter;
mod standardized;
mod students;
mod time_law;
mod two_trends;
mod uncounted;
mod weighted_line;
mod weights;
mod wide;

pub use bisection::largest_that;
pub use bootstrap::{percentile_intervals, weighted_percentile_intervals};
pub use chance::chance_r2;
pub use constants::{ConstantAt, ConstantCurve, ConstantPoint, MajorityMean};
pub use diagnosis::{Diagnosis, diagnose, diagnose_scatter};
pub use equal_runs::EqualRuns;
pub use error::FitError;
pub use formula::{FormulaError, Formulas, Quantity};
pub use growth::{DecidingRuns, NotDecidable, Reach, deciding_runs, further_sizes, further_units};
pub use growth::{Growth, GrowthClass, GrowthFit, JointModel, LOG_AS_EXPONENT, MayHide, NoSuchClass, Term};
pub use growth::{growth, growth_of_averages, growth_of_some, joint_growth};
pub use interval::Interval;
pub use intervals::{Axes, LineIntervals, intervals, weighted_intervals};
pub use law::{Factor, FeatureIndex, Law, LawSum, LawTerm};
pub use linear::Linear;
pub use memory_law::{MemoryCurve, MemoryLaw, MemoryShape};
pub use offset_power::OffsetPower;
pub use order_statistics::{nearest_rank, percentiles, ranks, sample_standard_deviation};
pub use paired::{MeanRatio, Paired, Relation, mean_ratio, paired};
pub use power_law::PowerLaw;
pub use regression::{Regression, dot, linear_regression, r_squared};
pub use resamples::Resamples;
pub use standardized::Standardized;
pub use time_law::{Seconds, TimeLaw, TimedRun};
pub use two_trends::{TwoTrends, two_trends};
pub use uncounted::{UncountedGrowth, time_keeps_to, uncounted_growth};
pub use weights::{Scattered, scatter_of_one, variances_of_averages, weights_of_averages};
