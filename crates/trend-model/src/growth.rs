//! Growth classes: the law that a cost follows, and the confidence in it. This module chooses no features and draws
//! nothing at random.
//!
//! A count is a sum of terms: `65536 + 12·n + 0.5·n^2`. Startup costs and lower-order terms bend it away from its
//! leading term over most of the data. This misleads a fit of leading terms alone:
//!
//! ```text
//!   log cost                                      ╱ n^2
//!      │                                       ●╱
//!      │                                    ●
//!      │                                 ●        a power law through the points has exponent 1.3,
//!      │                      ●     ●             and is 30 times too low for inputs 100 times as large
//!      │ ●    ●    ●    ●
//!      └──────────────────────────────────── log n
//!        startup    n     →    n^2 emerges
//! ```
//!
//! So every candidate is `floor + lower-order term + leading term` with relative errors (`candidate`). It is fitted
//! robustly (`fit`) and weighed (`weighing`) by how probable it makes the data (`evidence`). The weight depends on the
//! fit, and on the share of the parameters' prior range that the fit had to use up. Weights of candidates with the same
//! leading term add up to the support of its class (`verdict`), which is high only if every rival is clearly worse.
//! `examples/recovery` measures how often verdicts are right, undecided and wrong; the constants called "prior" here
//! were set with it.
//!
//! Worked example. Costs are 1700, 1900, 2300, 3100, 4700, 7900 at n = 100, 200, …, 3200. The class `n` with a floor
//! fits them exactly (`2·n + 1500`) but for rounding: a spread of 10⁻⁷ over six points with two coefficients. The best
//! rival, `n log n` with a floor and `n^0.5`, leaves 2 %: per point the data are 10⁵ times less probable. The verdict
//! is `n`, with support 1. With 3 % noise on each cost the rivals fit about as well, and the verdict is undecided.

mod advice;
mod candidate;
mod class;
mod evidence;
mod fit;
mod growth_fit;
mod independence;
mod joint;
mod largest;
mod mixture;
mod model;
mod naming;
mod neighbours;
mod parse;
mod plans;
mod points;
mod posterior;
mod previews;
mod regimes;
mod splits;
mod steps;
mod verdict;
mod weighing;

pub use advice::{DecidingRuns, NotDecidable, Reach, deciding_runs};
pub use class::{GrowthClass, LOG_AS_EXPONENT, Term};
pub(crate) use class::{formula_of, four_digits};
pub use growth_fit::GrowthFit;
pub use joint::{JointModel, joint_growth};
pub use parse::NoSuchClass;
pub use plans::{further_sizes, further_units};
pub use verdict::{Growth, MayHide, growth, growth_of_averages, growth_of_some};
