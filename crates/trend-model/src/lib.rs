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
//!
//! # Folders
//!
//! The folders are listed from the bottom up. Each uses only earlier ones, and those of one row do not use each
//! other.
//!
//! | folder | what it has |
//! |---|---|
//! | `numerics/`, `laws/`, `loops/` | arithmetic of points; laws as data; polynomials, which loops follow exactly |
//! | `statistics/` | samples: percentiles, Student's t, resamples, paired comparisons |
//! | `lines/` | least-squares lines with their intervals |
//! | `models/` | power laws and linear models |
//! | `growth/`, `resources/` | which class a cost follows; time and memory |
//! | `joint/`, `doubts/` | growth with several features; whether the power law is the right model |

mod doubts;
mod error;
mod growth;
mod joint;
mod laws;
mod lines;
pub mod loops;
mod models;
mod numerics;
mod resources;
mod statistics;

pub use doubts::diagnosis::{Diagnosis, diagnose, diagnose_scatter};
pub use doubts::equal_runs::EqualRuns;
pub use doubts::two_trends::{TwoTrends, two_trends};
pub use error::FitError;
pub use growth::advice::plans::{further_sizes, further_units};
pub use growth::advice::{DecidingRuns, NotDecidable, Reach, deciding_runs};
pub use growth::candidates::growth_fit::GrowthFit;
pub use growth::verdict::{Growth, MayHide, growth, growth_of_averages, growth_of_some};
pub use joint::model::{JointModel, joint_growth};
pub use laws::class::{GrowthClass, LOG_AS_EXPONENT, Term};
pub use laws::law::{Factor, FeatureIndex, Law, LawSum, LawTerm};
pub use laws::parse::NoSuchClass;
pub use lines::regression::{Regression, linear_regression, r_squared};
pub use models::axes::{Axes, LineIntervals};
pub use models::bootstrap::{percentile_intervals, weighted_percentile_intervals};
pub use models::intervals::{intervals, weighted_intervals};
pub use models::linear::Linear;
pub use models::offset_power::OffsetPower;
pub use models::power_law::PowerLaw;
pub use models::weights::{Scattered, scatter_of_one, variances_of_averages, weights_of_averages};
pub use numerics::bisection::largest_that;
pub use resources::constants::{ConstantAt, ConstantCurve, ConstantPoint, MajorityMean};
pub use resources::formula::{FormulaError, Formulas, Quantity};
pub use resources::memory_law::{MemoryCurve, MemoryLaw, MemoryShape};
pub use resources::time_law::{Seconds, TimeLaw, TimedRun};
pub use resources::uncounted::{UncountedGrowth, time_keeps_to, uncounted_growth};
pub use statistics::centred::dot;
pub use statistics::chance::chance_r2;
pub use statistics::interval::Interval;
pub use statistics::order_statistics::{nearest_rank, percentiles, ranks, sample_standard_deviation};
pub use statistics::paired::{MeanRatio, Paired, Relation, mean_ratio, paired};
pub use statistics::resamples::Resamples;
pub use statistics::standardized::Standardized;
