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
//! So every candidate is `floor + lower-order term + leading term` with relative errors (`candidates`). It is fitted
//! robustly (`fits`) and weighed (`candidates::weighing`) by how probable it makes the data (`candidates::evidence`).
//! The weight depends on the fit, and on the share of the parameters' prior range that the fit had to use up. Weights
//! of candidates with the same leading term add up to the support of its class (`verdict`), which is high only if
//! every rival is clearly worse. Intervals come from all laws that the data do not exclude (`posterior`). `advice`
//! finds further runs that would decide an undecided verdict.
//!
//! `examples/recovery` measures how often verdicts are right, undecided and wrong; the constants called "prior" here
//! were set with it.
//!
//! Worked example. Costs are 1700, 1900, 2300, 3100, 4700, 7900 at n = 100, 200, …, 3200. The class `n` with a floor
//! fits them exactly (`2·n + 1500`) but for rounding: a spread of 10⁻⁷ over six points with two coefficients. The best
//! rival, `n log n` with a floor and `n^0.5`, leaves 2 %: per point the data are 10⁵ times less probable. The verdict
//! is `n`, with support 1. With 3 % noise on each cost the rivals fit about as well, and the verdict is undecided.

pub(crate) mod advice;
pub(crate) mod candidates;
pub(crate) mod fits;
pub(crate) mod verdict;

mod posterior;
