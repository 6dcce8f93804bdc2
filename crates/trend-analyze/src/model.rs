//! What a fit in one feature found: laws with their intervals, the verdict, predictions and doubts.

use std::sync::Arc;

use serde::Serialize;
use trend_model::Growth;
use trend_profile::FeatureId;

#[cfg(doc)]
use crate::Point;
use crate::doubt::Doubt;
use crate::{Bound, GrowthModel, NextRuns, Source, Split};

/// How a cost grows with one feature.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema, ts_rs::TS))]
pub struct Model {
    /// The feature by its place in the study.
    #[serde(skip)]
    pub id: FeatureId,
    /// The feature.
    pub feature: String,
    /// Which of what follows is the law in this feature, see [`Model::law`]; `null` where there is none.
    pub source: Option<Source>,
    /// `a·f^b`; `null` where the data allow none, and a warning says why.
    pub power_law: Option<PowerLawModel>,
    /// `a + b·f`; `null` where the data allow none.
    pub linear: Option<LinearModel>,
    /// The class of growth; `null` where the data allow none, and a warning says why, and for a function, line or block that never takes
    /// 0.1 % of a run.
    pub growth: Option<GrowthModel>,
    /// Of the best growth class where there is one, else of the power law, at ascending values of the feature.
    pub predictions: Vec<Prediction>,
    /// The law of the furthest prediction from the smallest size up to that prediction and on up to
    /// [`Options::reach`](crate::Options::reach), for plots; ends before it overflows. Of rows that are not costly
    /// there is none.
    #[serde(skip)]
    pub curve: Vec<CurvePoint>,
    /// The verdict as it was fitted, where there is one and [`Options::keep_fits`](crate::Options::keep_fits) is set.
    #[serde(skip)]
    pub fit: Option<Arc<Growth>>,
    /// The largest size at which it ran, where it did in nearly all runs up to there and in none of those beyond.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub runs_until: Option<f64>,
    /// The two trends that the workloads follow, where they do.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub split: Option<Split>,
    /// Which runs would decide the verdict or widen a narrow range; only of the total and, for each feature, of the
    /// eight costliest clusters that some runs would help, and of those before them that none would.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next: Option<NextRuns>,
    /// The cost divided by classes of growth, by their growth; only of rows that are costly.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub bounds: Vec<Bound>,
    /// What makes this model doubtful.
    pub doubts: Vec<Doubt>,
}

/// `cost = a·feature^b`.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema, ts_rs::TS))]
pub struct PowerLawModel {
    /// The coefficient.
    pub a: f64,
    /// Its interval; `null` where too few resamples could be fitted.
    pub a_ci: Option<[f64; 2]>,
    /// The exponent.
    pub b: f64,
    /// Its interval.
    pub b_ci: Option<[f64; 2]>,
    /// In the log domain.
    pub r2: f64,
    /// Workloads that the fit uses.
    pub points: usize,
    /// How many different values of the feature these have.
    pub sizes: usize,
    /// The greatest of these values divided by the least.
    pub span: f64,
    /// Workloads left out because the cost or the feature is zero (or the feature is missing).
    pub ignored_zeros: usize,
}

/// `cost = a + b·feature`.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema, ts_rs::TS))]
pub struct LinearModel {
    /// The cost at 0.
    pub a: f64,
    /// Its interval.
    pub a_ci: Option<[f64; 2]>,
    /// The cost per unit of the feature.
    pub b: f64,
    /// Its interval.
    pub b_ci: Option<[f64; 2]>,
    /// Of the linear fit.
    pub r2: f64,
}

/// A cost at a size that may never have been run.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema, ts_rs::TS))]
pub struct Prediction {
    /// The feature's value.
    pub at: f64,
    /// The cost that the model gives.
    pub cost: f64,
    /// Its interval. Of a growth class it carries the doubt between the classes as well; `null` where one of them leaves it
    /// without an upper end.
    pub ci: Option<[f64; 2]>,
    /// What it comes from.
    pub source: Source,
    /// Whether somebody asked for this value, rather than it being 2 or 10 times the 95th percentile.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub asked: bool,
}

/// What a row will cost at a [`Point`].
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema, ts_rs::TS))]
pub struct Outlook {
    /// The cost that the law gives.
    pub cost: f64,
    /// Its interval; `null` where there is none.
    pub ci: Option<[f64; 2]>,
    /// What it comes from.
    pub source: Source,
}

/// A point of a model's curve.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CurvePoint {
    /// The feature's value.
    pub at: f64,
    /// The cost that the model gives.
    pub cost: f64,
    /// Its interval.
    pub ci: Option<[f64; 2]>,
}

/// Fewer points than these are a line's through nearly all of them: with four left to disagree with its two
/// parameters, an accident would show.
const SOUND_POINTS: usize = 6;

/// Any bend goes through three sizes.
const SOUND_SIZES: usize = 4;

/// Over less than a factor of three, `n` and `n log n` differ by less than a startup cost makes up for; an exponential needs
/// no more than a few units.
const SOUND_SPAN: f64 = 3.0;

/// Whether there are enough points at enough sizes, far enough apart, to make headlines of; what is missing where not.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Soundness {
    /// There are.
    Sound,
    /// There is no law at all.
    NoLaw,
    /// Too few runs with a cost.
    FewRuns {
        /// How many there are.
        runs: usize,
        /// How many there have to be.
        needed: usize,
    },
    /// Too few different sizes.
    FewSizes {
        /// How many there are.
        sizes: usize,
        /// How many there have to be.
        needed: usize,
    },
    /// The largest size is too small a multiple of the smallest.
    Narrow {
        /// Which multiple it is.
        span: f64,
        /// Which it has to be.
        needed: f64,
    },
}

impl Model {
    /// Whether headlines may be made of it, and what is missing where not.
    pub fn soundness(&self) -> Soundness {
        let explodes = || self.growth.as_ref().is_some_and(GrowthModel::explodes);
        match &self.power_law {
            None => Soundness::NoLaw,
            Some(law) if law.points < SOUND_POINTS => {
                Soundness::FewRuns { runs: law.points, needed: SOUND_POINTS }
            }
            Some(law) if law.sizes < SOUND_SIZES => {
                Soundness::FewSizes { sizes: law.sizes, needed: SOUND_SIZES }
            }
            Some(law) if law.span < SOUND_SPAN && !explodes() => {
                Soundness::Narrow { span: law.span, needed: SOUND_SPAN }
            }
            Some(_) => Soundness::Sound,
        }
    }

    /// Whether headlines may be made of it.
    pub fn is_sound(&self) -> bool {
        self.soundness() == Soundness::Sound
    }

    /// The law's cost at feature value `x`, also of a row whose predictions are sums; `None` where that is no number.
    ///
    /// Builds the law anew: of many sizes ask [`Model::law`] once.
    pub fn predict(&self, x: f64) -> Option<f64> {
        self.law()?.cost(&[x])
    }

    /// The prediction at exactly this value of the feature.
    pub fn prediction_at(&self, at: f64) -> Option<&Prediction> {
        self.predictions.iter().find(|p| p.at == at)
    }
}

impl PowerLawModel {
    /// `a·x^b`, in logarithms so that `x^b` may overflow where the product does not.
    pub fn predict(&self, x: f64) -> f64 {
        (self.a.ln() + self.b * x.ln()).exp()
    }
}
