//! The verdict on how a cost grows: the classes that the data support, and their support. This module fits nothing
//! itself.
//!
//! ```text
//!   points ─┬▶ candidates, each fitted  ─▶ evidence of each ──┬▶ support of each class ─▶ decided, or undecided
//!           │  floor + lower + leading     fit × parsimony    │  mean of both, sums to 1   between the few classes
//!           └▶ laws with all shares     ─▶ probability ───────┘                            with nearly all of it
//!              that their terms may have
//! ```
//!
//! Both opinions use the same noise and different priors. Each is overconfident for other programs: fits if a part is
//! too small to be seen, and sums over laws if the true law is not among them.

mod largest;
mod naming;

use std::cmp::Ordering;

use self::largest::{DOUBT, law_instead};
use self::naming::{Above, above, named, near};
use crate::error::FitError;
use crate::growth::candidates::growth_fit::GrowthFit;
use crate::growth::candidates::model::Model;
use crate::growth::candidates::weighing::weighted_models;
use crate::growth::fits::points::Points;
use crate::growth::posterior::{Hidden, MATTERS, Posterior};
use crate::laws::class::GrowthClass;
use crate::laws::law::{Law, LawSum};
use crate::lines::regression::check_points;
use crate::models::log_points::is_usable;
use crate::statistics::interval::Interval;

/// Minimum number of distinct sizes for a verdict: with three, every two-parameter model fits some rival's data.
const FEWEST_SIZES: usize = 4;

/// Multiple of the largest size at which a difference in cost must be large to matter.
const TARGET: f64 = 10.0;

/// Power of [`TARGET`] that limits the interval of a verdict near a class: at [`TARGET`] times the largest size, the
/// interval must be narrower than this factor.
const HALF_POWER: f64 = 0.5;

/// Level of the interval that must be narrow for a verdict near a class.
const NEAR_LEVEL: f64 = 0.95;

/// Minimum effect of a hidden part for a report, as a share of the cost at [`TARGET`] times the largest size.
const LEAST_EFFECT: f64 = 0.1;

/// Number of standard deviations of log cost by which a hidden part must raise the cost to be visible.
const SEEN: f64 = 4.0;

/// Rise of the log cost that always makes a hidden part visible, however much the costs scatter.
const MOST_SEEN: f64 = 1.0;

/// Number of steps per decade in the search for the size at which a hidden part becomes visible.
const STEPS_A_DECADE: f64 = 20.0;

/// Number of steps in the search for the size at which a hidden part becomes visible: up to a million times the
/// largest size.
const FARTHEST_STEPS: u32 = 120;

/// A part of the cost that is not visible yet.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MayHide {
    /// Class by which the part would grow.
    pub class: GrowthClass,
    /// Probability that the cost has such a part, however small.
    pub probability: f64,
    /// Largest plausible share of the part in the cost at the largest size. If there is such a part, it is smaller with
    /// a probability of 97.5 %.
    pub share: f64,
    /// Largest size that was run.
    pub size: f64,
    /// Size at which such a part would become visible; `None` if that is too far away.
    pub rules_out: Option<f64>,
}

/// Verdict on a cost's growth with a feature, as far as the data show.
#[derive(Clone, Debug)]
pub struct Growth {
    /// Classes that the data support, by falling support. The supports sum to 1.
    pub fits: Vec<GrowthFit>,
    /// True if one class has nearly all of the support.
    pub decided: bool,
    /// The class with the most support, if the named classes differ by no more than a log factor, and by less than 30 %
    /// in the cost at ten times the largest size, and if the interval there is narrower than a factor of √10; `None` if
    /// one class is decided.
    pub near: Option<GrowthClass>,
    /// Number of points used: those with a positive feature and cost.
    pub points: usize,
    /// Number of points left out because the feature or cost is zero or negative.
    pub ignored_zeros: usize,
    named: usize,
    posterior: Posterior,
    /// Units of the points, without the points.
    scale: Points,
}

/// Finds the growth classes that the data support.
///
/// Points that occur several times count once: three runs of a deterministic program are not three observations. The
/// order of the points does not matter, and the result is deterministic.
///
/// ```
/// let x = [100.0, 200.0, 400.0, 800.0, 1600.0, 3200.0];
/// let y = x.map(|n| 2.0 * n + 1500.0);
/// let growth = trend_model::growth(&x, &y)?;
/// assert_eq!(growth.verdict(), "n");
/// assert_eq!(growth.best().formula("bytes"), "2·bytes + 1500");
/// # Ok::<(), trend_model::FitError>(())
/// ```
///
/// # Formula
///
/// The support of a class is the mean of two opinions. The first is the sum of `exp(ln L + ln V + ln π + w·H)` over
/// its candidates, divided by the sum over all candidates. L is the likelihood of the fit: Student's t with four
/// degrees of freedom on log cost, with fitted scale. V is the posterior width in units of the prior width for every
/// coefficient (Laplace's approximation), and π is the prior probability. H is the log density of the largest quarter
/// of the sizes as predicted from the others, and w = 0.1. If the residuals of all plausible candidates form a smooth
/// pattern, none of them is right; all evidence is then scaled down to the number of independent observations. The
/// second opinion is the probability of the class over all laws with every share that their terms may have. Intervals
/// also come from these laws (`docs/method/growth.md`, *Hidden growth*). The class of a law is the class of its
/// highest term with 5 % of the cost at the largest size.
///
/// - Time: some 0.9 ms for 30 points, 2 ms for 800 (`examples/timing`).
///
/// # Errors
///
/// [`FitError::LengthMismatch`], [`FitError::NonFinite`], [`FitError::TooFewPoints`] below four distinct usable feature
/// values, [`FitError::ConstantFeature`], [`FitError::ParametersOutOfRange`] if no model can be fitted.
pub fn growth(x: &[f64], y: &[f64]) -> Result<Growth, FitError> {
    growth_of_some(x, y, usize::MAX)
}

/// Computes [`growth()`] from at most `most` points, spread over the sizes and including both ends. This suits the many
/// rows of a large table that cost next to nothing. [`Growth::points`] is the number of points used.
///
/// - Time: that of `growth` with `most` points.
///
/// # Errors
///
/// The same as [`growth()`].
pub fn growth_of_some(x: &[f64], y: &[f64], most: usize) -> Result<Growth, FitError> {
    growth_of_averages(x, y, &[], most)
}

/// Computes [`growth_of_some`] for averages over known numbers of observations. `variances` is the variance of `ln y`
/// that each point has because it is an average, `[points]`; empty if none is known. The scatter around the law is
/// added to it, and [`GrowthFit::spread`] is that scatter alone.
///
/// # Formula
///
/// As for [`growth()`], with the scale `s² = σ² + 5/7·variance` for the errors of a point. Student's errors with four
/// degrees of freedom and that scale are as informative as normal errors of that variance.
///
/// - Time: that of [`growth_of_some`].
///
/// # Errors
///
/// The same as [`growth()`], and [`FitError::LengthMismatch`] for another number of variances.
pub fn growth_of_averages(x: &[f64], y: &[f64], variances: &[f64], most: usize) -> Result<Growth, FitError> {
    check_points(x, y)?;
    if !variances.is_empty() && variances.len() != x.len() {
        return Err(FitError::LengthMismatch { expected: x.len(), actual: variances.len() });
    }
    let all = x.iter().zip(y).filter(|&(&x, &y)| is_usable(x, y)).count();
    let points = Points::of_averages(x, y, variances);
    let (points, usable) = match points.thinned(most) {
        Some(thinned) => (thinned, most),
        None => (points, all),
    };
    let sizes = points.sizes(points.len());
    if sizes == 1 && usable > 1 {
        return Err(FitError::ConstantFeature);
    }
    if sizes < FEWEST_SIZES {
        return Err(FitError::TooFewPoints { points: sizes, needed: FEWEST_SIZES });
    }
    let (mut models, independent) = weighted_models(&points);
    // A count is exact, so growth that rounding might hide does not count.
    let is_constant = all == x.len() && points.y.iter().all(|y| *y == points.y[0]);
    if is_constant {
        models.retain(|(_, model)| model.class == GrowthClass::Constant);
        for (weight, _) in &mut models {
            *weight = 1.0;
        }
    }
    let (mut posterior, of_laws) = match models.first() {
        None => return Err(FitError::ParametersOutOfRange),
        Some((_, model)) if is_constant => (Posterior::from_model(&points, model), Vec::new()),
        Some(_) => Posterior::new(&points, &models, independent),
    };
    let mut fits = fits_of(&points, &models);
    let of_fits = above(&fits);
    let mut above = Above { of_fits, of_laws: if of_laws.is_empty() { of_fits } else { above(&of_laws) } };
    fits = mixed(fits, of_laws);
    if let Some(rival) = law_instead(&points, &models, &fits[..named(&fits, above)]) {
        above.of_laws *= 1.0 - DOUBT;
        posterior.add(DOUBT, &rival);
        for fit in &mut fits {
            fit.support *= 1.0 - DOUBT;
        }
        fits = added(fits, GrowthFit::new(&points, &rival, DOUBT));
    }
    let named = named(&fits, above);
    let scale = points.units();
    let at = TARGET * scale.x_max();
    let interval = posterior.interval(&scale, at, NEAR_LEVEL);
    let is_narrow = interval.is_some_and(|log| log.hi - log.lo <= HALF_POWER * TARGET.ln());
    let near = (named > 1 && is_narrow).then(|| near(&fits[..named], at)).flatten();
    Ok(Growth {
        decided: named == 1,
        near,
        fits,
        points: usable,
        ignored_zeros: x.len() - all,
        named,
        posterior,
        scale,
    })
}

/// Averages two lists of classes with their supports. A class keeps its description from the first list, unless it has
/// hardly any support there.
fn mixed(mut fits: Vec<GrowthFit>, others: Vec<GrowthFit>) -> Vec<GrowthFit> {
    if others.is_empty() {
        return fits;
    }
    for fit in &mut fits {
        fit.support /= 2.0;
    }
    let half = |fit: GrowthFit| GrowthFit { support: fit.support / 2.0, ..fit };
    others.into_iter().map(half).fold(fits, added)
}

/// Adds one class to the list.
fn added(mut fits: Vec<GrowthFit>, other: GrowthFit) -> Vec<GrowthFit> {
    const HARDLY: f64 = 10.0;
    match fits.iter_mut().find(|fit| fit.class.is_of_family(other.class)) {
        Some(fit) => {
            let support = fit.support + other.support;
            if other.support > HARDLY * fit.support {
                *fit = other;
            }
            fit.support = support;
        }
        None => fits.push(other),
    }
    fits.sort_by(|p, q| q.support.total_cmp(&p.support).then(p.class.cmp(&q.class)));
    fits
}

/// Returns the classes of the models, by falling support.
fn fits_of(points: &Points, models: &[(f64, Model)]) -> Vec<GrowthFit> {
    let mut fits: Vec<GrowthFit> = Vec::new();
    let mut families = Vec::new();
    for (weight, model) in models {
        if let Some(i) = families.iter().position(|&family| family == model.family()) {
            fits[i].support += weight;
            continue;
        }
        families.push(model.family());
        fits.push(GrowthFit::new(points, model, *weight));
    }
    fits.sort_by(|p, q| q.support.total_cmp(&p.support).then(p.class.cmp(&q.class)));
    fits
}

impl Growth {
    /// Returns the classes that the verdict names, by falling support. If the verdict is decided, this is one class;
    /// otherwise it is the smallest set with nearly all of the support.
    pub fn named(&self) -> &[GrowthFit] {
        &self.fits[..self.named]
    }

    /// Returns true if the named classes differ in a way that matters at ten times the largest size.
    pub fn is_open(&self) -> bool {
        !self.decided && self.near.is_none()
    }

    /// Returns the best-supported class with its model.
    pub fn best(&self) -> &GrowthFit {
        &self.fits[0]
    }

    /// Returns the law of the cost as far as the verdict goes: the class, or the named classes by their supports.
    pub fn law(&self) -> Law {
        let named: f64 = self.named().iter().map(|fit| fit.support).sum();
        Law {
            sums: self
                .named()
                .iter()
                .map(|fit| LawSum { weight: fit.support / named, ..fit.sum() })
                .collect(),
        }
    }

    /// Returns the verdict as text: `n log n`, `about n`, or `undecided between n and n^2`; classes by growth.
    pub fn verdict(&self) -> String {
        if let Some(class) = self.near {
            return format!("about {class}");
        }
        let mut classes: Vec<GrowthClass> = self.named().iter().map(|fit| fit.class).collect();
        classes.sort_unstable();
        match classes.as_slice() {
            [class] => class.to_string(),
            [first @ .., last] => {
                let first: Vec<String> = first.iter().map(ToString::to_string).collect();
                format!("undecided between {} and {last}", first.join(", "))
            }
            [] => String::new(),
        }
    }

    /// Returns true if the cost grows faster than `class`; `None` if the named classes disagree.
    pub fn grows_faster_than(&self, class: GrowthClass) -> Option<bool> {
        let faster = self.named().iter().filter(|fit| fit.class.cmp(&class) == Ordering::Greater).count();
        match faster {
            0 => Some(false),
            all if all == self.named => Some(true),
            _ => None,
        }
    }

    /// Returns true if the cost grows faster than linearly, as `n log n` does; `None` if the data do not decide it.
    pub fn is_superlinear(&self) -> Option<bool> {
        self.grows_faster_than(GrowthClass::Linear)
    }

    /// Returns the largest part of a faster class that the data do not exclude, although the verdict leaves it out.
    /// Returns `None` unless the part would matter at ten times the largest size.
    pub fn may_hide(&self) -> Option<MayHide> {
        let law = self.best();
        let fastest = self.named().iter().map(|fit| fit.class).max()?;
        let hidden = self.posterior.hidden_above(fastest)?;
        let size = self.scale.x_max();
        let grown = |x: f64| law.predict(x) / law.predict(size);
        let at_target = self.scale.relative(hidden.class.term(), TARGET * size) / grown(TARGET * size);
        if hidden.share * (at_target - 1.0) < LEAST_EFFECT {
            return None;
        }
        let visible_factor = (SEEN * self.posterior.scatter).clamp(MATTERS, MOST_SEEN).exp();
        let sizes = (0..=FARTHEST_STEPS).map(|step| size * 10f64.powf(f64::from(step) / STEPS_A_DECADE));
        let rules_out =
            sizes.into_iter().find(|&x| hidden.growth(&self.scale, x) >= visible_factor * grown(x));
        let Hidden { class, probability, share, .. } = hidden;
        Some(MayHide { class, probability, share, size, rules_out })
    }

    /// Returns the interval of the expected cost at feature value `x`, over all laws that the data do not exclude. It
    /// includes the doubt between laws and within each law, and the possibility that a faster term is not visible yet.
    ///
    /// # Errors
    ///
    /// [`FitError::PredictionOutOfDomain`] if `x` is not positive and finite, or below the range of all models,
    /// [`FitError::InvalidLevel`].
    pub fn predict_interval(&self, x: f64, level: f64) -> Result<Interval, FitError> {
        let is_positive = x.is_finite() && x > 0.0;
        if !is_positive {
            return Err(FitError::PredictionOutOfDomain { at: x });
        }
        if !(level > 0.0 && level < 1.0) {
            return Err(FitError::InvalidLevel { level });
        }
        let interval = self.posterior.interval(&self.scale, x, level);
        let interval = interval.ok_or(FitError::PredictionOutOfDomain { at: x })?;
        Ok(interval.map(|log| log.exp() * self.scale.y_max))
    }
}

#[cfg(test)]
mod tests;
