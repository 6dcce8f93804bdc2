//! Whether the largest sizes alone multiply as an exponential verdict says. Compares no classes.
//!
//! ```text
//!   log cost            ●        An exponential is a straight line here. `n^n` and `2^(n²)` bend upwards all along, `2^n/n`
//!     │               ●          at the small end: some base fits all sizes best, and beyond the data that of the largest
//!     │          ●               is nearer to the truth.
//!     │   ●
//!     └─────────────────── n
//! ```
//!
//! So where the base of the largest sizes is another, the verdict names both.

use super::class::Term;
use super::growth_fit::GrowthFit;
use super::model::{Model, exponential_from};
use super::points::Points;
use super::turning::Turn;

/// Part of the logarithm of a base from which another is worth a word.
const REMARKABLE: f64 = 0.01;

/// The same of what the slope changes by all along, where sizes are so few that it may seem to by chance; of this many sizes
/// it does not.
const BENT: f64 = 0.1;
const ENOUGH_SIZES: usize = 8;

/// Standard errors from which the robust fit to the largest sizes has another base.
const SIGNIFICANT: f64 = 3.0;

/// How often the largest sizes of a true exponential may be said to have another base.
const CHANCE: f64 = 0.005;

/// The exponential through the largest sizes, when the verdict names one class, which explodes, and they multiply otherwise.
pub(crate) fn other_base(points: &Points, models: &[(f64, Model)], named: &[GrowthFit]) -> Option<Model> {
    let [fit] = named else { return None };
    if !fit.class.term().explodes() {
        return None;
    }
    let (_, model) = models.iter().find(|(_, model)| model.class == fit.class)?;
    let turn = Turn::new(points, model, &points.relative_x())?;
    // Logarithm of what the model multiplies by over the size of the largest.
    let rate = turn.slope - turn.excess;
    let is_turned = turn.p_value <= CHANCE && turn.excess.abs() >= REMARKABLE * rate;
    let enough = if points.sizes(points.len()) < ENOUGH_SIZES { BENT } else { REMARKABLE };
    let is_bent = turn.bend.abs() >= enough * rate;
    if !is_turned && !is_bent {
        return None;
    }
    let rival = exponential_from(points, turn.from)?;
    let Term::Exponential { base: other } = rival.class.term() else { return None };
    let difference = (other.ln() * points.x_max() - rate).abs();
    // An outlier among the largest sizes turns a slope, and hardly a robust fit beyond its error; all along it bends nothing.
    let error = if is_bent { 0.0 } else { rival.fit.variance(&[0.0, 1.0, 0.0, 0.0]).sqrt() };
    let is_other = difference > (REMARKABLE * rate).max(SIGNIFICANT * error) && rival.class != fit.class;
    is_other.then_some(rival)
}
