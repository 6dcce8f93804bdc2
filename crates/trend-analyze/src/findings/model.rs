//! The result of a fit in one feature: laws with their intervals, the verdict, predictions and doubts.

use std::sync::Arc;

use serde::Serialize;
use trend_answer::Source;
use trend_model::Growth;
use trend_profile::FeatureId;

use super::bound::Bound;
use super::doubt::Doubt;
use super::growth::GrowthModel;

/// Growth of a cost with one feature.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Model {
    /// The feature, by its position in the study.
    #[serde(skip)]
    pub id: FeatureId,
    /// The feature's name.
    pub feature: String,
    /// The origin of the law in this feature, see [`Model::law`]; `null` if it has none.
    pub source: Option<Source>,
    /// `a·f^b`; `null` if the data allow none, for which a doubt gives the reason.
    pub power_law: Option<PowerLawModel>,
    /// `a + b·f`; `null` if the data allow none.
    pub linear: Option<LinearModel>,
    /// The growth class. `null` if the data allow none, for which a doubt gives the reason; also for a function, line
    /// or block that never takes 0.1 % of a run.
    pub growth: Option<GrowthModel>,
    /// Predictions at ascending values of the feature, by the best growth class, or by the power law if there is no
    /// class.
    pub predictions: Vec<Prediction>,
    /// Points of the law for plots, from the smallest size to the furthest prediction and on up to
    /// [`Options::reach`](crate::Options::reach). Ends before it overflows; empty for rows that are not costly.
    #[serde(skip)]
    pub curve: Vec<CurvePoint>,
    /// The verdict as it was fitted, if there is one and [`Options::keep_fits`](crate::Options::keep_fits) is set.
    #[serde(skip)]
    pub fit: Option<Arc<Growth>>,
    /// The largest size at which the row ran, if it did in nearly all runs up to there and in none beyond.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub runs_until: Option<f64>,
    /// The two trends that the workloads follow, if they do.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub split: Option<Split>,
    /// The runs that would decide the verdict or widen a narrow range. Only for the total and, in each feature, for the
    /// eight costliest clusters that some runs would help; clusters before these have a reason why no runs would help
    /// them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next: Option<NextRuns>,
    /// The cost divided by growth classes, from slow to fast; only for costly rows.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub bounds: Vec<Bound>,
    /// Doubts about this model.
    pub doubts: Vec<Doubt>,
}

/// `cost = a·feature^b`.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct PowerLawModel {
    /// The coefficient `a`.
    pub a: f64,
    /// Interval of `a`; `null` if too few resamples could be fitted.
    pub a_ci: Option<[f64; 2]>,
    /// The exponent `b`.
    pub b: f64,
    /// Its interval.
    pub b_ci: Option<[f64; 2]>,
    /// R² in the log domain.
    pub r2: f64,
    /// Number of workloads in the fit.
    pub points: usize,
    /// Number of different values of the feature among them.
    pub sizes: usize,
    /// The greatest of these values divided by the least.
    pub span: f64,
    /// Number of workloads left out because the cost or the feature is zero (or the feature is missing).
    pub ignored_zeros: usize,
}

/// `cost = a + b·feature`.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct LinearModel {
    /// The cost at 0.
    pub a: f64,
    /// Its interval.
    pub a_ci: Option<[f64; 2]>,
    /// The cost per unit of the feature.
    pub b: f64,
    /// Its interval.
    pub b_ci: Option<[f64; 2]>,
    /// R² of the linear fit.
    pub r2: f64,
}

/// A cost at a size that may never have been run.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Prediction {
    /// Value of the feature.
    pub at: f64,
    /// The cost that the law predicts.
    pub cost: f64,
    /// Its interval. For a growth class, it includes the doubt between the classes; `null` if one of them leaves it
    /// without an upper end.
    pub ci: Option<[f64; 2]>,
    /// The law that predicts it.
    pub source: Source,
    /// True if the user asked for this value; otherwise it is 2 or 10 times the 95th percentile.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub asked: bool,
}

/// A point of a model's curve.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CurvePoint {
    /// Value of the feature.
    pub at: f64,
    /// The cost that the law predicts.
    pub cost: f64,
    /// Its interval.
    pub ci: Option<[f64; 2]>,
}

/// Minimum number of points of a sound model. A line goes through nearly all of fewer points. Six leave four to
/// contradict its two parameters, so an accident would show.
const SOUND_POINTS: usize = 6;

/// Minimum number of sizes of a sound model. Any bend goes through three.
const SOUND_SIZES: usize = 4;

/// Minimum span of the sizes of a sound model. Below a factor of three, `n` and `n log n` differ by less than a
/// startup cost makes up for. An exponential needs only a few units.
const SOUND_SPAN: f64 = 3.0;

/// Result of checking for enough points at enough sizes, far enough apart, for a headline.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Soundness {
    /// The model is good enough for a headline.
    Sound,
    /// The model has no law at all.
    NoLaw,
    /// Too few runs have a cost.
    FewRuns {
        /// Number of runs with a cost.
        runs: usize,
        /// Minimum number of runs.
        needed: usize,
    },
    /// There are too few different sizes.
    FewSizes {
        /// Number of different sizes.
        sizes: usize,
        /// Minimum number of sizes.
        needed: usize,
    },
    /// The largest size is too small a multiple of the smallest.
    Narrow {
        /// The multiple that the runs have.
        span: f64,
        /// The multiple that is needed.
        needed: f64,
    },
}

impl Model {
    /// Checks if the model is good enough for headlines, and returns the first missing requirement otherwise.
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

    /// Returns true if headlines may be based on it.
    pub fn is_sound(&self) -> bool {
        self.soundness() == Soundness::Sound
    }

    /// Returns the law's cost at feature value `x`, also for a row whose predictions are sums; `None` if it is not a
    /// number.
    ///
    /// Builds the law each time. For many sizes, call [`Model::law`] once.
    pub fn predict(&self, x: f64) -> Option<f64> {
        self.law()?.cost(&[x])
    }

    /// Returns the prediction at exactly this value of the feature.
    pub fn prediction_at(&self, at: f64) -> Option<&Prediction> {
        self.predictions.iter().find(|p| p.at == at)
    }
}

impl PowerLawModel {
    /// Returns `a·x^b`. It is computed in logarithms, so it is right even if `x^b` alone overflows.
    pub fn predict(&self, x: f64) -> f64 {
        (self.a.ln() + self.b * x.ln()).exp()
    }
}

/// Two trends in the points of one model.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Split {
    /// The feature whose value separates the trends, if one does.
    pub told_apart_by: Option<String>,
    /// The rule that separates the trends in words, such as `sorted ≤ 0` or a part of the workloads' names.
    pub rule: Option<String>,
    /// The trends, the cheaper one first.
    pub trends: Vec<Trend>,
}

/// The workloads of one trend, and its models.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Trend {
    /// Names of the workloads, in the study's order.
    pub workloads: Vec<String>,
    /// `a·f^b`, fitted to these workloads alone.
    pub power_law: Option<PowerLawModel>,
    /// The growth class of these workloads alone.
    pub growth: Option<GrowthModel>,
}

/// Further runs that would reveal more about a cost.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct NextRuns {
    /// Name of the feature.
    pub feature: String,
    /// Its values to run, ascending.
    pub sizes: Vec<f64>,
    /// The expected cost of one run of the whole program at each size.
    pub costs: Vec<f64>,
    /// Number of different inputs to run at each size.
    pub inputs: usize,
    /// True if these runs are expected to decide the verdict, whichever of its classes is right.
    pub decides: bool,
    /// The advice as a sentence.
    pub message: String,
}

impl NextRuns {
    /// Returns advice without runs; the caller adds the reason.
    pub(crate) fn none(feature: &str) -> Self {
        let feature = feature.to_owned();
        Self {
            feature,
            sizes: Vec::new(),
            costs: Vec::new(),
            inputs: 0,
            decides: false,
            message: String::new(),
        }
    }
}
