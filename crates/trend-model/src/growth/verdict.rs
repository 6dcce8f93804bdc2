//! The verdict on how a cost grows: which classes the data support, and how much. Fits nothing itself.
//!
//! ```text
//!   points ─▶ candidates, each fitted ─▶ evidence of each ─▶ support of each class ─▶ decided, or undecided
//!             floor + lower + leading    fit × parsimony      sums to 1                between the few classes
//!                                        × largest sizes                               that hold 97 % of it
//! ```

use std::cmp::Ordering;

use statrs::distribution::{ContinuousCDF, StudentsT};

use super::candidate::candidates;
use super::class::{GrowthClass, Term, formula};
use super::model::{Columns, Model};
use super::points::Points;
use crate::power_law::is_usable;
use crate::regression::check_points;
use crate::{FitError, Interval};

/// Different sizes below which there is no verdict: with three, every two-parameter model fits some rival's data.
const FEWEST_SIZES: usize = 4;

/// Support that the named classes have together.
const NAMED_SUPPORT: f64 = 0.95;

/// Models with this much less log evidence than the best are dropped: e^−14 is one in a million.
const NEGLIGIBLE: f64 = 14.0;

/// Fraction of the different sizes that are held out at the large end.
const HELD_OUT: f64 = 0.25;

/// Weight of the prediction of the largest sizes beside the evidence, which contains it once already.
const EXTRAPOLATION: f64 = 0.0;

/// How a cost grows with a feature, as far as the data tell.
#[derive(Clone, Debug)]
pub struct Growth {
    /// The classes that the data support, by falling support, which sums to 1.
    pub fits: Vec<GrowthFit>,
    /// Whether one class has nearly all of the support.
    pub decided: bool,
    /// Points that were used: those where feature and cost are positive.
    pub points: usize,
    /// Points left out because feature or cost is zero or negative.
    pub ignored_zeros: usize,
    named: usize,
    models: Vec<(f64, Model)>,
    scale: Points,
}

/// The best model of a growth class.
#[derive(Clone, Debug)]
pub struct GrowthFit {
    /// The class.
    pub class: GrowthClass,
    /// Probability-like weight that the data give the class, over all models with its leading term.
    pub support: f64,
    /// Coefficients and terms, the leading one first.
    pub terms: Vec<(f64, Term)>,
    /// Standard deviation of log cost about the model.
    pub spread: f64,
}

impl GrowthFit {
    /// The model's cost at feature value `x`.
    pub fn predict(&self, x: f64) -> f64 {
        self.terms.iter().map(|(coefficient, term)| coefficient * term.value(x)).sum()
    }

    /// The model as text, such as `1.5·n^2 + 3·n` for the variable `n`. `log` is the logarithm to base 2.
    pub fn formula(&self, variable: &str) -> String {
        formula(&self.terms, variable)
    }
}

/// Asks which growth classes the data support.
///
/// # Errors
///
/// [`FitError::LengthMismatch`], [`FitError::NonFinite`], [`FitError::TooFewPoints`] below four different usable
/// feature values, [`FitError::ConstantFeature`], [`FitError::ParametersOutOfRange`] when no model can be fitted.
pub fn growth(x: &[f64], y: &[f64]) -> Result<Growth, FitError> {
    check_points(x, y)?;
    let usable = x.iter().zip(y).filter(|&(&x, &y)| is_usable(x, y)).count();
    let points = Points::new(x, y);
    let sizes = points.sizes(points.len());
    if sizes == 1 && usable > 1 {
        return Err(FitError::ConstantFeature);
    }
    if sizes < FEWEST_SIZES {
        return Err(FitError::TooFewPoints { points: sizes, needed: FEWEST_SIZES });
    }
    let models = weighted_models(&points);
    let mut fits: Vec<GrowthFit> = Vec::new();
    let mut families = Vec::new();
    for (weight, model) in &models {
        match families.iter().position(|&family| family == model.family()) {
            Some(i) => fits[i].support += weight,
            None => {
                families.push(model.family());
                let terms = model.terms(&points);
                fits.push(GrowthFit { class: model.class, support: *weight, terms, spread: model.fit.sigma });
            }
        }
    }
    if fits.is_empty() {
        return Err(FitError::ParametersOutOfRange);
    }
    fits.sort_by(|p, q| q.support.total_cmp(&p.support).then(p.class.cmp(&q.class)));
    let mut sum = 0.0;
    let named = 1 + fits
        .iter()
        .take_while(|fit| {
            sum += fit.support;
            sum < NAMED_SUPPORT
        })
        .count();
    let named = named.min(fits.len());
    Ok(Growth {
        decided: named == 1,
        fits,
        points: usable,
        ignored_zeros: x.len() - usable,
        named,
        models,
        scale: points,
    })
}

/// All models worth mentioning with weights that sum to 1, by falling weight.
fn weighted_models(points: &Points) -> Vec<(f64, Model)> {
    let columns = Columns::new(points);
    let mut models: Vec<Model> =
        candidates().iter().filter_map(|candidate| Model::new(points, &columns, candidate)).collect();
    models.sort_by(|p, q| q.log_evidence.total_cmp(&p.log_evidence).then(p.class.cmp(&q.class)));
    let Some(best) = models.first() else { return Vec::new() };
    let temper = temper(&best.fit.standardized);
    let top = best.log_evidence;
    for model in &mut models {
        model.log_evidence = (model.log_evidence - top) * temper;
    }
    models.retain(|model| model.log_evidence > -NEGLIGIBLE);
    let sizes = points.sizes(points.len());
    let from = points.without_largest(((sizes as f64 * HELD_OUT) as usize).max(1));
    let held_out: Vec<f64> = if EXTRAPOLATION > 0.0 {
        models.iter().map(|model| model.log_predictive(points, &columns, from)).collect()
    } else {
        vec![0.0; models.len()]
    };
    let lowest = held_out.iter().copied().filter(|v| v.is_finite()).fold(f64::INFINITY, f64::min);
    let score = |model: &Model, held_out: f64| {
        let held_out = if held_out.is_finite() { held_out } else { lowest };
        model.log_evidence + if held_out.is_finite() { EXTRAPOLATION * temper * held_out } else { 0.0 }
    };
    let scores: Vec<f64> = models.iter().zip(&held_out).map(|(model, &h)| score(model, h)).collect();
    let top = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let weights: Vec<f64> = scores.iter().map(|score| (score - top).exp()).collect();
    let total: f64 = weights.iter().sum();
    let mut weighted: Vec<(f64, Model)> = weights.iter().map(|w| w / total).zip(models).collect();
    weighted.sort_by(|p, q| q.0.total_cmp(&p.0));
    weighted
}

/// Fraction of the evidence that counts when residuals are not independent: a smooth pattern means that no model is
/// right, and k points on it are not k observations.
///
/// # Formula
///
/// `(1−ρ)/(1+ρ)`, the effective fraction of a sample with autocorrelation ρ = 1 − V/2, V von Neumann's ratio, where
/// ρ exceeds what independent residuals show.
fn temper(residuals: &[f64]) -> f64 {
    let steps: f64 = residuals.windows(2).map(|w| (w[1] - w[0]).powi(2)).sum();
    let squares: f64 = residuals.iter().map(|r| r * r).sum();
    let correlation = 1.0 - steps / squares / 2.0;
    let chance = 2.0 / (residuals.len() as f64).sqrt();
    if squares > 0.0 && correlation > chance { (1.0 - correlation) / (1.0 + correlation) } else { 1.0 }
}

impl Growth {
    /// The classes that the verdict names: one when it is decided, else the smallest set that has nearly all of
    /// the support, by falling support.
    pub fn named(&self) -> &[GrowthFit] {
        &self.fits[..self.named]
    }

    /// The best-supported class with its model.
    pub fn best(&self) -> &GrowthFit {
        &self.fits[0]
    }

    /// `n log n`, or `undecided between n and n log n`; classes by growth.
    pub fn verdict(&self) -> String {
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

    /// Whether the cost grows faster than `class`; `None` when the named classes disagree.
    pub fn grows_faster_than(&self, class: GrowthClass) -> Option<bool> {
        let faster = self.named().iter().filter(|fit| fit.class.cmp(&class) == Ordering::Greater).count();
        match faster {
            0 => Some(false),
            all if all == self.named => Some(true),
            _ => None,
        }
    }

    /// Whether the cost grows faster than linearly, as `n log n` does; `None` when the data do not decide it.
    pub fn is_superlinear(&self) -> Option<bool> {
        self.grows_faster_than(GrowthClass::Linear)
    }

    /// Interval of the expected cost at feature value `x`, averaged over all supported models: it carries the doubt
    /// between models as well as that within each.
    ///
    /// # Errors
    ///
    /// [`FitError::PredictionOutOfDomain`] for an `x` that is not positive and finite, [`FitError::InvalidLevel`].
    pub fn predict_interval(&self, x: f64, level: f64) -> Result<Interval, FitError> {
        let is_positive = x.is_finite() && x > 0.0;
        if !is_positive {
            return Err(FitError::PredictionOutOfDomain { at: x });
        }
        if !(level > 0.0 && level < 1.0) {
            return Err(FitError::InvalidLevel { level });
        }
        let parts: Vec<Part> = self.models.iter().filter_map(|(w, model)| Part::new(*w, model, &self.scale, x)).collect();
        let tail = (1.0 - level) / 2.0;
        let cost = |log: f64| log.exp() * self.scale.y_max;
        Ok(Interval { lo: cost(quantile(&parts, tail)), hi: cost(quantile(&parts, 1.0 - tail)), level })
    }
}

/// One model's prediction: Student's t about a logarithm.
struct Part {
    weight: f64,
    centre: f64,
    error: f64,
    t: StudentsT,
}

impl Part {
    fn new(weight: f64, model: &Model, points: &Points, x: f64) -> Option<Self> {
        let (centre, error) = model.predict(points, x);
        let t = StudentsT::new(0.0, 1.0, model.fit.degrees_of_freedom).ok()?;
        (!centre.is_nan() && !error.is_nan()).then_some(Self { weight, centre, error, t })
    }

    fn probability_below(&self, value: f64) -> f64 {
        if self.error > 0.0 && self.centre.is_finite() {
            self.t.cdf((value - self.centre) / self.error)
        } else if value < self.centre {
            0.0
        } else {
            1.0
        }
    }
}

/// The `q`-quantile of the mixture.
fn quantile(parts: &[Part], q: f64) -> f64 {
    const STEPS: usize = 60;
    let total: f64 = parts.iter().map(|part| part.weight).sum();
    let below = |value: f64| parts.iter().map(|part| part.weight * part.probability_below(value)).sum::<f64>();
    let reach = |part: &Part| 1e-12 + part.error * 40.0;
    let mut low = parts.iter().map(|part| part.centre - reach(part)).fold(f64::INFINITY, f64::min);
    let mut high = parts.iter().map(|part| part.centre + reach(part)).fold(f64::NEG_INFINITY, f64::max);
    for _ in 0..STEPS {
        let middle = low.midpoint(high);
        if below(middle) < q * total {
            low = middle;
        } else {
            high = middle;
        }
    }
    low.midpoint(high)
}
