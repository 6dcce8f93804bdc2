//! Laws of loops: the polynomial in a program's own names that gives a loop's trip count, and the combined cost of
//! loops.
//!
//! ```text
//!   observed (inputs → trips) ──interpolate──▶ polynomial of each loop ──sum_over, products──▶ polynomial of a nest
//!                                                                                                │
//!                      recurrences of calls ──▶ Cost (sequence, nesting, alternatives) ──▶ O and Ω (Growth)
//! ```
//!
//! - [`Rational`], [`Polynomial`]: exact arithmetic and its text form.
//! - [`interpolate`]: the simplest polynomial that gives all points, or all but a few; [`bound`]: an upper bound of the
//!   trips.
//! - [`sum_over`]: sums over the counter of an outer loop.
//! - [`Cost`], [`Growth`]: the algebra of sequence, nesting and alternatives, and its normal form.
//! - [`Recurrence`]: the cost of functions that call themselves.

mod costs;
mod polynomials;
mod trips;

pub use costs::cost::{Bounds, Cost, SequenceBounds};
pub use costs::growth::{Growth, Order, Rate, Side};
pub use costs::growth_sum::GrowthSum;
pub use costs::recurrence::{Recurrence, Shrinking};
pub use polynomials::polynomial::{Atom, Monomial, Name, Polynomial, Rounding};
pub use polynomials::rational::Rational;
pub use polynomials::summation::{power_sum, sum_over};
pub use polynomials::words::superscript;
pub use trips::bounds::bound;
pub use trips::interpolation::interpolate;
pub use trips::problem::{Interpolated, MOST_INPUTS, Point};
