//! The verdict on how a cost grows: which classes the data support, and how much. Fits nothing itself.
//!
//! ```text
//!   points ─▶ candidates, each fitted ─▶ evidence of each ─▶ support of each class ─▶ decided, or undecided
//!             floor + lower + leading    fit × parsimony      sums to 1                between the few classes
//!                                        × largest sizes                               that hold nearly all of it
//! ```

use std::cmp::Ordering;

use super::candidate::{Candidate, candidates};
use super::class::{GrowthClass, Term, formula, four_digits};
use super::independence::independent_fraction;
use super::largest::{DOUBT, line_instead};
use super::mixture::{Part, SMALLEST_PART, quantile};
use super::model::{Columns, Model, Previews};
use super::naming::named;
use super::points::Points;
use super::regimes::regimes;
use crate::power_law::is_usable;
use crate::regression::check_points;
use crate::{FitError, Interval};

/// Different sizes below which there is no verdict: with three, every two-parameter model fits some rival's data.
const FEWEST_SIZES: usize = 4;

/// Models with this much less log evidence than the best are dropped: e^−14 is one in a million.
const NEGLIGIBLE: f64 = 14.0;

/// Candidates whose preview is this much below the best are not fitted: previews ignore outliers, fits do not, and
/// the difference is a few units.
const HOPELESS: f64 = 20.0;

/// Points above which candidates are first screened on this many, spread over the sizes.
const MOST_SCREENED: usize = 60;

/// Candidates with this much less log evidence than the best on the screening points are not fitted to all. That more
/// points turn such odds around happens in fewer than e^−7, one in a thousand.
const SCREENED_OUT: f64 = 7.0;

/// Fraction of independent observations below which candidates that seemed hopeless are fitted after all.
const WORTH_ANOTHER_LOOK: f64 = 0.7;

/// Fraction of the different sizes that are held out at the large end.
const HELD_OUT: f64 = 0.25;

/// Weight of the prediction of the largest sizes from the others, beside the evidence, which contains it once
/// already. More makes verdicts bolder and not better (recovery matrix).
const EXTRAPOLATION: f64 = 0.1;

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
    /// The smallest feature value that the terms are of: 0, or where the upper of two pieces begins.
    pub from: f64,
}

impl GrowthFit {
    /// The model's cost at feature value `x`; NaN below [`Self::from`].
    pub fn predict(&self, x: f64) -> f64 {
        if x < self.from {
            return f64::NAN;
        }
        self.terms.iter().map(|(coefficient, term)| coefficient * term.value(x)).sum()
    }

    /// The model as text, such as `1.5·n^2 + 3·n` for the variable `n`, or `5·n (n ≥ 4000)` for an upper piece. `log` is
    /// the logarithm to base 2.
    pub fn formula(&self, variable: &str) -> String {
        let terms = formula(&self.terms, variable);
        if self.from > 0.0 { format!("{terms} ({variable} ≥ {})", four_digits(self.from)) } else { terms }
    }
}

/// Asks which growth classes the data support.
///
/// Points that occur several times count once: three runs of a deterministic program are not three observations.
/// The order of the points is of no consequence, and nothing is random.
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
/// The support of a class is the sum of `exp(ln L + ln V + ln π + w·H)` over its candidates, divided by that over all: L
/// the likelihood of the fit (Student's t with four degrees of freedom on log cost, its scale fitted), V the width of the
/// posterior in units of the prior for every coefficient (Laplace's approximation), π the prior probability, H the log
/// density of the largest quarter of the sizes as predicted from the others, w = 0.1. Where residuals form a smooth
/// pattern, no candidate is right, and all evidence is scaled down to the number of independent observations.
///
/// - Time: some 0.3 ms for 30 points, 1.5 ms for 800 (`examples/timing`).
///
/// # Errors
///
/// [`FitError::LengthMismatch`], [`FitError::NonFinite`], [`FitError::TooFewPoints`] below four different usable
/// feature values, [`FitError::ConstantFeature`], [`FitError::ParametersOutOfRange`] when no model can be fitted.
pub fn growth(x: &[f64], y: &[f64]) -> Result<Growth, FitError> {
    growth_of_some(x, y, usize::MAX)
}

/// [`growth()`] of at most `most` points, spread over the sizes with both ends among them: for the many rows of a large
/// table that cost next to nothing. [`Growth::points`] says how many were used.
///
/// - Time: as of `growth` with `most` points.
///
/// # Errors
///
/// As of [`growth()`].
pub fn growth_of_some(x: &[f64], y: &[f64], most: usize) -> Result<Growth, FitError> {
    check_points(x, y)?;
    let all = x.iter().zip(y).filter(|&(&x, &y)| is_usable(x, y)).count();
    let points = Points::new(x, y);
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
    let mut models = weighted_models(&points);
    let mut fits = fits_of(&points, &models);
    if fits.is_empty() {
        return Err(FitError::ParametersOutOfRange);
    }
    if fits[..named(&fits)].iter().all(|fit| fit.class > GrowthClass::Linear)
        && let Some(line) = line_instead(&points, &models, &fits[..named(&fits)])
    {
        for (weight, _) in &mut models {
            *weight *= 1.0 - DOUBT;
        }
        models.push((DOUBT, line));
        models.sort_by(|p, q| q.0.total_cmp(&p.0));
        fits = fits_of(&points, &models);
    }
    let named = named(&fits);
    Ok(Growth {
        decided: named == 1,
        fits,
        points: usable,
        ignored_zeros: x.len() - all,
        named,
        models,
        scale: points,
    })
}

/// The classes of the models, by falling support.
fn fits_of(points: &Points, models: &[(f64, Model)]) -> Vec<GrowthFit> {
    let mut fits: Vec<GrowthFit> = Vec::new();
    let mut families = Vec::new();
    for (weight, model) in models {
        if let Some(i) = families.iter().position(|&family| family == model.family()) {
            fits[i].support += weight;
            continue;
        }
        families.push(model.family());
        let terms = model.terms(points);
        let (spread, from) = (model.fit.sigma, model.from);
        fits.push(GrowthFit { class: model.class, support: *weight, terms, spread, from });
    }
    fits.sort_by(|p, q| q.support.total_cmp(&p.support).then(p.class.cmp(&q.class)));
    fits
}

/// All models worth mentioning with weights that sum to 1, by falling weight.
fn weighted_models(points: &Points) -> Vec<(f64, Model)> {
    let columns = Columns::new(points);
    let mut independent = 1.0;
    let mut models = candidate_models(points, &columns, independent);
    let pieces = regimes(points);
    models.extend(pieces.iter().cloned());
    let by_evidence = |p: &Model, q: &Model| {
        q.evidence.log(1.0).total_cmp(&p.evidence.log(1.0)).then(p.class.cmp(&q.class))
    };
    models.sort_by(by_evidence);
    let Some(best) = models.first() else { return Vec::new() };
    independent = independent_fraction(points, &best.fit);
    if independent < WORTH_ANOTHER_LOOK {
        models = candidate_models(points, &columns, independent);
        models.extend(pieces);
        models.sort_by(by_evidence);
    }
    let top = models.iter().map(|model| model.evidence.log(independent)).fold(f64::NEG_INFINITY, f64::max);
    models.retain(|model| model.evidence.log(independent) > top - NEGLIGIBLE);
    let sizes = points.sizes(points.len());
    let from = points.without_largest(((sizes as f64 * HELD_OUT) as usize).max(1));
    let held_out: Vec<f64> =
        models.iter().map(|model| model.log_predictive(points, &columns, from)).collect();
    let lowest = held_out.iter().copied().filter(|v| v.is_finite()).fold(f64::INFINITY, f64::min);
    let score = |model: &Model, held_out: f64| {
        let held_out = if held_out.is_finite() { held_out } else { lowest };
        model.evidence.log(independent)
            + if held_out.is_finite() { EXTRAPOLATION * independent * held_out } else { 0.0 }
    };
    let scores: Vec<f64> = models.iter().zip(&held_out).map(|(model, &h)| score(model, h)).collect();
    let top = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let weights: Vec<f64> = scores.iter().map(|score| (score - top).exp()).collect();
    let total: f64 = weights.iter().sum();
    let mut weighted: Vec<(f64, Model)> = weights.iter().map(|w| w / total).zip(models).collect();
    weighted.sort_by(|p, q| q.0.total_cmp(&p.0));
    weighted
}

/// The models that can have a say when k points are `independent·k` observations.
fn candidate_models(points: &Points, columns: &Columns, independent: f64) -> Vec<Model> {
    let Some(thinned) = points.thinned(MOST_SCREENED) else {
        return fitted(points, columns, independent).into_iter().map(|(_, model)| model).collect();
    };
    let mut screened = fitted(&thinned, &Columns::new(&thinned), independent);
    let best = screened.iter().map(|(_, m)| m.evidence.log(1.0)).fold(f64::NEG_INFINITY, f64::max);
    screened.retain(|(_, model)| model.evidence.log(1.0) > best - SCREENED_OUT / independent);
    screened.iter().filter_map(|(candidate, _)| Model::new(points, columns, candidate)).collect()
}

/// The candidates that the points allow and whose previews are not hopeless, fitted.
fn fitted(points: &Points, columns: &Columns, independent: f64) -> Vec<(Candidate, Model)> {
    let mut previews = Previews::new(points, columns);
    let preview = |candidate| Some((Model::preview(&mut previews, &candidate)?, candidate));
    let promising: Vec<_> = candidates().into_iter().filter_map(preview).collect();
    let previews = promising.iter().map(|&(preview, _)| preview);
    let hopeless =
        previews.filter(|p| p.is_finite()).fold(f64::NEG_INFINITY, f64::max) - HOPELESS / independent;
    let promising = promising.into_iter().filter(|&(preview, _)| preview > hopeless);
    promising
        .filter_map(|(_, candidate)| Some((candidate, Model::new(points, columns, &candidate)?)))
        .collect()
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

    /// The same without what is of the points, for whoever keeps thousands of verdicts: a few kilobytes at most. Fits and
    /// predictions stay the same to the last bit; a [diagnosis](crate::diagnose) needs the whole.
    #[must_use]
    pub fn for_predictions(mut self) -> Self {
        let total: f64 = self.models.iter().map(|(weight, _)| weight).sum();
        self.models.retain(|(weight, _)| *weight > SMALLEST_PART * total);
        self.models.iter_mut().for_each(|(_, model)| model.forget_points());
        self.models.shrink_to_fit();
        self.scale = self.scale.units();
        self
    }

    /// Interval of the expected cost at feature value `x`, averaged over all supported models: it carries the doubt
    /// between models as well as that within each.
    ///
    /// # Errors
    ///
    /// [`FitError::PredictionOutOfDomain`] for an `x` that is not positive and finite, or below all that the models are of,
    /// [`FitError::InvalidLevel`].
    pub fn predict_interval(&self, x: f64, level: f64) -> Result<Interval, FitError> {
        let is_positive = x.is_finite() && x > 0.0;
        if !is_positive {
            return Err(FitError::PredictionOutOfDomain { at: x });
        }
        if !(level > 0.0 && level < 1.0) {
            return Err(FitError::InvalidLevel { level });
        }
        let total: f64 = self.models.iter().map(|(weight, _)| weight).sum();
        let counts = self.models.iter().filter(|(weight, m)| *weight > SMALLEST_PART * total && x >= m.from);
        let part = |(weight, model): &(f64, Model)| {
            let (centre, error) = model.predict(&self.scale, x);
            Part::new(*weight, centre, error, model.fit.degrees_of_freedom)
        };
        let parts: Vec<Part> = counts.filter_map(part).collect();
        if parts.is_empty() {
            return Err(FitError::PredictionOutOfDomain { at: x });
        }
        let tail = (1.0 - level) / 2.0;
        let cost = |log: f64| log.exp() * self.scale.y_max;
        Ok(Interval { lo: cost(quantile(&parts, tail)), hi: cost(quantile(&parts, 1.0 - tail)), level })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::noise::Noise;
    use proptest::prelude::*;

    const SIZES: [f64; 10] = [60.0, 200.0, 500.0, 1000.0, 2000.0, 4000.0, 8000.0, 15000.0, 30000.0, 60000.0];

    fn costs(x: &[f64], cost: impl Fn(f64) -> f64) -> Growth {
        let y: Vec<f64> = x.iter().map(|&x| cost(x)).collect();
        growth(x, &y).unwrap()
    }

    #[test]
    fn what_is_kept_for_predictions_predicts_the_same() {
        let x: Vec<f64> = (0..24).map(|i| 50.0 * 1.3_f64.powi(i)).collect();
        let shapes: [fn(f64) -> f64; 4] = [
            |n| 2.0 * n + 1500.0,
            |n| n * n.ln() + 7.0,
            |n| (n * n / 3.0).floor(),
            |n| 40.0 + (n as u64 % 7) as f64,
        ];
        for (i, shape) in shapes.iter().enumerate() {
            let y: Vec<f64> = x.iter().map(|&n| shape(n)).collect();
            let whole = growth(&x, &y).unwrap();
            let kept = whole.clone().for_predictions();
            for at in [1.0, 777.0, 1e5, 1e9] {
                let (w, k) = (whole.predict_interval(at, 0.95), kept.predict_interval(at, 0.95));
                assert_eq!(format!("{w:?}"), format!("{k:?}"), "shape {i} at {at}");
                assert_eq!(whole.best().predict(at).to_bits(), kept.best().predict(at).to_bits());
            }
        }
    }

    #[test]
    fn closed_forms_of_counts_are_decided_with_their_formulas() {
        type Case = (fn(f64) -> f64, &'static str, &'static str);
        let cases: [Case; 10] = [
            (|_| 7.0, "1", "7"),
            (|n| n + 1.0, "n", "n + 1"),
            (|n| n - 1.0, "n", "n − 1"),
            (|n| 3.0 * n, "n", "3·n"),
            (|n| 1_000_000.0 + 3.0 * n, "n", "3·n + 1000000"),
            (|n| 1.5 * n * n - 0.5 * n, "n^2", "1.5·n^2 − 0.5·n"),
            (|n| n * (n + 1.0) / 2.0, "n^2", "0.5·n^2 + 0.5·n"),
            (|n| n * (n - 1.0) / 2.0 + 65_536.0, "n^2", "0.5·n^2 − 0.5·n + 65540"),
            (|n| 5.0 * n * n * n + 20.0 * n, "n^3", "5·n^3 + 20·n"),
            (|n| 20.0 + 1000.0 * n + n * n, "n^2", "n^2 + 1000·n + 20"),
        ];
        for (cost, verdict, formula) in cases {
            let growth = costs(&SIZES, cost);
            assert_eq!((growth.verdict().as_str(), growth.best().formula("n").as_str()), (verdict, formula));
        }
    }

    #[test]
    fn exact_counts_over_many_decades_are_decided() {
        let x: Vec<f64> =
            (0..10).map(|i| 10f64.powi(1 + i / 2) * if i % 2 == 0 { 1.0 } else { 3.0 }).collect();
        for startup in 0..12 {
            for x in [&x[..], &x[..7], &x[3..]] {
                assert_eq!(costs(x, |n| 2.0 * n + f64::from(startup)).verdict(), "n", "{startup} {x:?}");
            }
        }
    }

    #[test]
    fn rounding_is_no_pattern() {
        // Consecutive integers at sizes that grow by 1.31: all errors are rounding, and happen to rise.
        let x = [
            18.0, 24.0, 31.0, 41.0, 54.0, 71.0, 93.0, 123.0, 161.0, 212.0, 279.0, 366.0, 482.0, 634.0, 833.0,
        ];
        let y: Vec<f64> = (11..26).map(f64::from).collect();
        assert_eq!(growth(&x, &y).unwrap().verdict(), "log n");
    }

    #[test]
    fn rounded_logarithms_are_decided() {
        let growth = costs(&SIZES, |n| (n * n.log2() + 30.0 * n).round());
        assert_eq!(growth.verdict(), "n log n");
        assert_eq!(growth.best().formula("n"), "n log n + 30·n");
        let growth = costs(&SIZES, |n| (100.0 * n.log2()).round());
        assert_eq!(growth.verdict(), "log n");
    }

    #[test]
    fn a_table_that_is_cleared_once_bends_nothing() {
        let x: Vec<f64> = (0..12).map(|i| 2f64.powi(i)).collect();
        assert_eq!(costs(&x, |n| n + 65_536.0).verdict(), "n");
        assert_eq!(costs(&x, |n| n * n + 65_536.0).verdict(), "n^2");
    }

    #[test]
    fn a_free_exponent_is_named_when_no_other_class_has_it() {
        let growth = costs(&SIZES, |n| (40.0 * n.powf(1.21)).round());
        assert_eq!(growth.verdict(), "n^1.21");
        let growth = costs(&SIZES, |n| (40.0 * n.powf(1.21) * n.log2()).round());
        assert_eq!(growth.verdict(), "n^1.21 log n");
    }

    #[test]
    fn powers_of_two_are_told_from_powers_of_n() {
        let x: Vec<f64> = (5..=20).map(f64::from).collect();
        assert_eq!(costs(&x, |n| n.exp2() - 1.0).verdict(), "2^n");
        assert_eq!(costs(&x, |n| 3.0 * n.exp2() + 100.0 * n * n).verdict(), "2^n");
        assert_eq!(costs(&x, |n| 3.0 * n.powi(3)).verdict(), "n^3");
    }

    #[test]
    fn what_the_data_cannot_decide_stays_undecided() {
        // Six sizes over one and a half decades, a startup cost 200 times the growth, and noise.
        let x = [100.0, 200.0, 400.0, 800.0, 1600.0, 3000.0];
        let mut undecided = 0;
        for seed in 0..50 {
            let y = Noise::new(seed).costs(&x, 0.03, |n| 20_000.0 + n);
            let growth = growth(&x, &y).unwrap();
            undecided += usize::from(!growth.decided);
            assert!(growth.decided || growth.verdict().starts_with("undecided between "));
        }
        assert!(undecided >= 40, "{undecided} of 50");
    }

    #[test]
    fn hidden_squares_are_found_or_named() {
        let x: Vec<f64> = (0..20).map(|i| (100.0 * 1.44f64.powi(i)).round()).collect();
        assert_eq!(costs(&x, |n| (5000.0 + 1000.0 * n + 0.01 * n * n).round()).verdict(), "n^2");
        let mut missed = 0;
        for seed in 0..100 {
            let y = Noise::new(seed).costs(&x, 0.03, |n| 5000.0 + 1000.0 * n + 0.01 * n * n);
            let growth = growth(&x, &y).unwrap();
            assert_eq!(growth.is_superlinear(), Some(true), "seed {seed}: {}", growth.verdict());
            missed += usize::from(growth.named().iter().all(|fit| fit.class != GrowthClass::Quadratic));
        }
        assert!(missed <= 3, "{missed} of 100");
    }

    #[test]
    fn startup_costs_do_not_bend_a_line() {
        for startup in [1e3, 1e4, 1e5, 1e6] {
            let mut right = 0;
            for seed in 0..50 {
                let y = Noise::new(seed).costs(&SIZES, 0.01, |n| startup + 100.0 * n);
                let growth = growth(&SIZES, &y).unwrap();
                assert!(!growth.decided || growth.verdict() == "n", "{startup}: {}", growth.verdict());
                right += usize::from(growth.decided);
            }
            assert!(right >= 40, "{startup}: {right} of 50");
        }
    }

    #[test]
    fn degenerate_data_is_an_error_or_an_answer_and_never_nan() {
        let at = |x: &[f64], y: &[f64]| growth(x, y).unwrap_err();
        assert_eq!(at(&[1.0, 2.0], &[1.0, 2.0]), FitError::TooFewPoints { points: 2, needed: 4 });
        assert_eq!(at(&SIZES, &[0.0; 10]), FitError::TooFewPoints { points: 0, needed: 4 });
        assert_eq!(at(&[3.0; 5], &[1.0, 2.0, 3.0, 4.0, 5.0]), FitError::ConstantFeature);
        assert_eq!(at(&[1.0], &[f64::NAN]), FitError::NonFinite { index: 0 });
        let wide: Vec<f64> = (0..16).map(|i| 10f64.powi(i)).collect();
        for (x, y) in [
            (&SIZES[..], SIZES.iter().map(|n| n.powi(4)).collect::<Vec<_>>()),
            (&SIZES[..], SIZES.iter().map(|n| 1e18 + n).collect()),
            (&SIZES[..], SIZES.iter().map(|n| if *n == 2000.0 { 1e19 } else { *n }).collect()),
            (&wide[..], wide.iter().map(|n| 1.8e19_f64.min(n * n)).collect()),
            (&wide[..], wide.iter().map(|n| 1.0 / n).collect()),
            (&[-5.0, 1.0, 2.0, 3.0, 4.0, 5.0], vec![1.0, 2.0, 1.0, 2.0, 1.0, 2.0]),
            (&[1e-9, 1e-3, 1.0, 1e6], vec![1.0, 2.0, 3.0, 4.0]),
        ] {
            let Ok(growth) = growth(x, &y) else { continue };
            let total: f64 = growth.fits.iter().map(|fit| fit.support).sum();
            assert!((total - 1.0).abs() < 1e-9);
            for fit in &growth.fits {
                assert!(fit.predict(x[3]).is_finite() && !fit.formula("n").contains("NaN"), "{fit:?}");
            }
            let interval = growth.predict_interval(10.0 * x[x.len() - 1], 0.95).unwrap();
            assert!(interval.lo <= interval.hi, "{interval:?}");
        }
    }

    #[test]
    fn one_giant_outlier_changes_no_verdict() {
        let mut y: Vec<f64> = SIZES.iter().map(|n| n * n + 10.0 * n).collect();
        y[4] *= 1000.0;
        assert_eq!(growth(&SIZES, &y).unwrap().verdict(), "n^2");
    }

    #[test]
    fn growth_is_compared_with_a_class_as_far_as_it_is_known() {
        let line = costs(&SIZES, |n| 3.0 * n);
        assert_eq!(
            (line.is_superlinear(), line.grows_faster_than(GrowthClass::Constant)),
            (Some(false), Some(true))
        );
        assert_eq!(costs(&SIZES, |n| n * n).is_superlinear(), Some(true));
        let y = Noise::new(1).costs(&SIZES[..5], 0.3, |n| 1000.0 + n);
        assert_eq!(growth(&SIZES[..5], &y).unwrap().is_superlinear(), None);
    }

    #[test]
    fn intervals_without_noise_have_no_width_and_hold_the_truth() {
        let growth = costs(&SIZES, |n| 2.0 * n * n + 5.0 * n);
        let interval = growth.predict_interval(600_000.0, 0.95).unwrap();
        let truth = 2.0 * 3.6e11 + 3e6;
        assert!(
            (interval.lo / truth - 1.0).abs() < 1e-6 && (interval.hi / truth - 1.0).abs() < 1e-6,
            "{interval:?}"
        );
        assert_eq!(
            growth.predict_interval(0.0, 0.95).unwrap_err(),
            FitError::PredictionOutOfDomain { at: 0.0 }
        );
        assert_eq!(growth.predict_interval(1.0, 1.0).unwrap_err(), FitError::InvalidLevel { level: 1.0 });
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(48))]

        #[test]
        fn no_data_leads_to_nan(
            points in prop::collection::vec((-320.0..308.0f64, -320.0..308.0f64, 0..9u8), 4..90),
            reach in prop_oneof![Just(1.0), Just(0.05), Just(0.01)],
        ) {
            let value = |power: f64, kind: u8| match kind {
                0 => 0.0,
                1 => 3.0,
                _ => 10f64.powf(power * reach),
            };
            let (x, y): (Vec<f64>, Vec<f64>) =
                points.iter().map(|&(x, y, kind)| (value(x, kind.max(2)), value(y, kind))).unzip();
            if let Ok(growth) = growth(&x, &y) {
                let total: f64 = growth.fits.iter().map(|fit| fit.support).sum();
                prop_assert!((total - 1.0).abs() < 1e-9, "{growth:?}");
                for at in [1e-300, 1.0, 1e9, 1e300] {
                    match growth.predict_interval(at, 0.95) {
                        Ok(interval) => prop_assert!(interval.lo <= interval.hi, "{at}: {interval:?}"),
                        // All that is supported is the upper one of two pieces.
                        Err(error) => prop_assert!(at < growth.best().from, "{at}: {error}"),
                    }
                }
                prop_assert!(growth.fits.iter().all(|fit| fit.terms.iter().all(|(c, _)| c.is_finite())), "{growth:?}");
            }
            if let Ok(model) = crate::joint_growth(&[&x], &y, 0.95) {
                prop_assert!(model.r2.is_finite() && model.terms.iter().all(|t| t.coefficient.is_finite()));
            }
        }

        #[test]
        fn the_order_of_points_changes_no_bit(seed in 0..1000u64, rotation in 0..20usize) {
            let mut noise = Noise::new(seed);
            let mut x = noise.log_uniform(20, 10.0, 1e4);
            let mut y = noise.costs(&x, 0.05, |n| 100.0 + n * n.ln());
            let before = format!("{:?}", growth(&x, &y).unwrap().fits);
            x.rotate_left(rotation);
            y.rotate_left(rotation);
            x.swap(3, 11);
            y.swap(3, 11);
            prop_assert_eq!(before, format!("{:?}", growth(&x, &y).unwrap().fits));
        }

        #[test]
        fn units_of_the_cost_scale_the_coefficients_alone(seed in 0..1000u64, row in 0..9usize, unit in 1e-6..1e6f64) {
            let mut noise = Noise::new(seed);
            let x = noise.log_uniform(20, 10.0, 1e4);
            let y = noise.costs(&x, 0.05, |n| 1.37 * GrowthClass::NAMED[row].term().value(n));
            let scaled: Vec<f64> = y.iter().map(|y| y * unit).collect();
            let (before, after) = (growth(&x, &y).unwrap(), growth(&x, &scaled).unwrap());
            prop_assert_eq!(before.verdict(), after.verdict());
            let (before, after) = (before.best().predict(500.0), after.best().predict(500.0));
            prop_assert!((after / before / unit - 1.0).abs() < 1e-3);
        }

        #[test]
        fn units_of_the_feature_leave_the_verdict(row in 0..9usize, power in -3..4i32, scale in 1.0..1e3f64) {
            let x: Vec<f64> = (0..20).map(|i| 10.0 * 1.5f64.powi(i)).collect();
            let y: Vec<f64> = x.iter().map(|&n| scale * GrowthClass::NAMED[row].term().value(n)).collect();
            let renamed: Vec<f64> = x.iter().map(|x| x * 1024f64.powi(power)).collect();
            prop_assert_eq!(growth(&renamed, &y).unwrap().verdict(), GrowthClass::NAMED[row].to_string());
        }
    }
}
