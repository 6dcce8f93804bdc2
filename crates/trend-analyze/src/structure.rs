//! What a single curve over a single feature cannot say of a cost, in the shape of the machine-readable output:
//! several features at once, entries times cost per entry, two trends in one, and which runs would tell more.

use std::sync::Arc;

use serde::Serialize;
use trend_model::JointModel;

use crate::{GrowthModel, Law, Model, PowerLawModel, Source};

/// How a cost depends on several features together.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema, ts_rs::TS))]
pub struct Joint {
    /// The share of the evidence that the best structure has, 0 to 1.
    pub support: f64,
    /// Of log cost.
    pub r2: f64,
    /// The law.
    pub law: Law,
    /// The laws that the data allow, by falling support: what an undecided law is the average of.
    pub laws: Vec<JointSupport>,
    /// As it was fitted.
    #[serde(skip)]
    pub fit: Arc<JointModel>,
}

/// A law in several features that the data allow.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema, ts_rs::TS))]
pub struct JointSupport {
    /// The formula of the law.
    pub formula: String,
    /// Its weight among those that are listed, 0 to 1.
    pub support: f64,
}

impl Joint {
    /// `None` when a number is not finite.
    pub(crate) fn new(model: JointModel, names: &[&Arc<str>]) -> Option<Self> {
        let coefficients = model.terms.iter().map(|term| term.coefficient);
        let is_finite = [model.r2, model.support].into_iter().chain(coefficients).all(f64::is_finite);
        let law = Law {
            features: names.iter().map(std::string::ToString::to_string).collect(),
            source: Source::Joint,
            decided: model.decided,
            parts: vec![(String::new(), model.law.clone())],
        };
        let (support, r2, laws) = (model.support, model.r2, Self::laws(&law));
        is_finite.then(|| Self { support, r2, law, laws, fit: Arc::new(model) })
    }

    /// Returns the sums that a law is the average of.
    pub fn laws(law: &Law) -> Vec<JointSupport> {
        let names: Vec<&str> = law.features.iter().map(String::as_str).collect();
        let sums = law.parts.iter().flat_map(|(_, law)| &law.sums);
        sums.map(|sum| JointSupport { formula: sum.formula(&names), support: sum.weight }).collect()
    }
}

/// A cluster's cost as how often its function was entered times what it costs per entry.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema, ts_rs::TS))]
pub struct Decomposition {
    /// The function that holds the cluster's costliest location.
    pub function: String,
    /// The source file.
    pub file: String,
    /// The line on which it begins.
    pub line: u32,
    /// How often the function was entered.
    pub entries: Factor,
    /// The cluster's cost in this function divided by the entries, over the workloads that entered it.
    pub per_entry: Factor,
}

/// A factor of a cost.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema, ts_rs::TS))]
pub struct Factor {
    /// The greatest value of a workload.
    pub max: f64,
    /// One per feature.
    pub models: Vec<Model>,
    /// `[workloads]`; NaN where there is none.
    #[serde(skip)]
    pub values: Vec<f64>,
}

/// Two trends that one model was laid through.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema, ts_rs::TS))]
pub struct Split {
    /// The feature whose value tells the trends apart, where there is one.
    pub told_apart_by: Option<String>,
    /// In words: which workloads are in which trend, such as `sorted ≤ 0` or a part of their names.
    pub rule: Option<String>,
    /// The cheaper one first.
    pub trends: Vec<Trend>,
}

/// The workloads of one trend, and its models.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema, ts_rs::TS))]
pub struct Trend {
    /// By name, in the study's order.
    pub workloads: Vec<String>,
    /// `a·f^b` of these alone.
    pub power_law: Option<PowerLawModel>,
    /// The growth class of these alone.
    pub growth: Option<GrowthModel>,
}

/// Which runs would tell more about a cost.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema, ts_rs::TS))]
pub struct NextRuns {
    /// The feature.
    pub feature: String,
    /// Its values to run, ascending.
    pub sizes: Vec<f64>,
    /// What one run of the whole program is expected to cost at each of them.
    pub costs: Vec<f64>,
    /// How many different inputs at each.
    pub inputs: usize,
    /// Whether these are expected to decide the verdict, whichever of its classes is the true one.
    pub decides: bool,
    /// The advice as a sentence.
    pub message: String,
}

impl NextRuns {
    /// No runs, for a reason that is still to be told.
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
