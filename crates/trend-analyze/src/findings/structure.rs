//! Facts about a cost beyond a single curve over a single feature, in the shape of the machine-readable output. These
//! are several features at once, entries times cost per entry, two trends in one, and further runs to make.

use std::sync::Arc;

use serde::Serialize;
use trend_answer::{Law, Source};
use trend_model::JointModel;

use super::model::Model;

/// Law of a cost in several features together.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Joint {
    /// The share of the evidence for the best structure, 0 to 1.
    pub support: f64,
    /// R² of log cost.
    pub r2: f64,
    /// The law; an average if it is undecided.
    pub law: Law,
    /// The laws that the data allow, by falling support. An undecided law is their average.
    pub laws: Vec<JointSupport>,
    /// The model as it was fitted.
    #[serde(skip)]
    pub fit: Arc<JointModel>,
}

/// A law in several features that the data allow.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct JointSupport {
    /// The formula of the law.
    pub formula: String,
    /// Its weight among the listed laws, 0 to 1.
    pub support: f64,
}

impl Joint {
    /// Converts a model; `None` if a number is not finite.
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

    /// Returns the sums that a law averages, with their weights.
    pub fn laws(law: &Law) -> Vec<JointSupport> {
        let names: Vec<&str> = law.features.iter().map(String::as_str).collect();
        let sums = law.parts.iter().flat_map(|(_, law)| &law.sums);
        sums.map(|sum| JointSupport { formula: sum.formula(&names), support: sum.weight }).collect()
    }
}

/// A cluster's cost as the number of entries of its function times the cost per entry.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Decomposition {
    /// The function that holds the cluster's costliest location.
    pub function: String,
    /// Path of the source file.
    pub file: String,
    /// The line on which it begins.
    pub line: u32,
    /// The number of entries of the function.
    pub entries: Factor,
    /// The cluster's cost in this function divided by the entries, over the workloads that entered it.
    pub per_entry: Factor,
}

/// A factor of a cost.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Factor {
    /// The greatest value in any workload.
    pub max: f64,
    /// One model per feature.
    pub models: Vec<Model>,
    /// `[workloads]`; NaN if unknown.
    #[serde(skip)]
    pub values: Vec<f64>,
}
