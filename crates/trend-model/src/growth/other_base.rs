//! Whether the largest sizes alone multiply as an exponential verdict says. Compares no classes.
//!
//! ```text
//!   log cost            ●        An exponential is a straight line here. `n!` and `2^(n²)` bend upwards all along, `2^n/n`
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
use crate::curvature::{Curvature, two_sided_p};
use crate::linear_regression;

/// Different sizes that speak for themselves: these many, and the upper third.
const FEWEST_SIZES: usize = 4;
const PART: usize = 3;

/// Part of the logarithm of a base from which another is worth a word.
const REMARKABLE: f64 = 0.01;

/// Standard errors from which the robust fit to the largest sizes has another base.
const SIGNIFICANT: f64 = 3.0;

/// How often the largest sizes of a true exponential may be said to have another base.
const CHANCE: f64 = 0.005;

/// The exponential through the largest sizes, when the verdict names one class, an exponential, and they have another base.
pub(crate) fn other_base(points: &Points, models: &[(f64, Model)], named: &[GrowthFit]) -> Option<Model> {
    let [fit] = named else { return None };
    let Term::Exponential { base } = fit.class.term() else { return None };
    let (_, model) = models.iter().find(|(_, model)| model.class == fit.class)?;
    let sizes = points.sizes(points.len());
    let from = points.without_largest((sizes / PART).max(FEWEST_SIZES));
    let x = points.relative_x();
    let predicted = |i: usize| model.predict(points, x[i] * points.x_max()).0;
    let residuals: Vec<f64> = (0..points.len()).map(|i| points.log_y[i] - predicted(i)).collect();
    // How far costs scatter about a smooth curve, whatever its bend.
    let smooth = Curvature::new(&x, &residuals)?.residuals;
    let scatter = (smooth.iter().map(|r| r * r).sum::<f64>() / smooth.len() as f64).sqrt();
    let freedom = (points.len() as f64 - 5.0).max(1.0);
    let (of_window, window) = (&residuals[from..], &x[from..]);
    let excess = linear_regression(window, of_window).ok()?.slope;
    let mean = window.iter().sum::<f64>() / window.len() as f64;
    let error = scatter / window.iter().map(|x| (x - mean).powi(2)).sum::<f64>().sqrt();
    if excess == 0.0
        || two_sided_p(excess / error, freedom) > CHANCE
        || excess.abs() < REMARKABLE * base.ln() * points.x_max()
    {
        return None;
    }
    // An outlier among the largest sizes turns a slope, and hardly a robust fit beyond its error.
    let rival = exponential_from(points, from)?;
    let Term::Exponential { base: other } = rival.class.term() else { return None };
    let difference = (other.ln() - base.ln()).abs();
    let error = rival.fit.variance(&[0.0, 1.0, 0.0, 0.0]).sqrt() / points.x_max();
    let is_other = difference > (REMARKABLE * base.ln()).max(SIGNIFICANT * error) && rival.class != fit.class;
    is_other.then_some(rival)
}
