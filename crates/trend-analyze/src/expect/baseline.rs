//! Laws without counts: a small file that later studies are compared with.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use trend_model::GrowthClass;
use trend_profile::Measure;

use super::growth::RowGrowth;
use super::{Expectation, GrowthLimit, Limit, Origin, Subject};
use crate::{Findings, Row};

/// The name and version of the format.
const SCHEMA: &str = "trend-prof/baseline/1";

/// A cost is greater than an earlier one from this factor on: a build may differ by some instructions without anybody's
/// fault.
const TOLERANCE: f64 = 1.1;

/// Digits of costs that are kept.
const DIGITS: i32 = 6;

/// How functions grew in a study.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Baseline {
    /// The name and version of the format.
    schema: String,
    /// The program.
    program: String,
    /// Where costs are predicted: features and values.
    at: BTreeMap<String, f64>,
    /// By name and file.
    functions: Vec<BaselineFunction>,
}

/// How a function grew.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct BaselineFunction {
    name: String,
    file: String,
    /// For each feature the fastest class that the verdict named.
    growth: BTreeMap<String, String>,
    /// The upper end of the interval of its cost.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    cost: Option<f64>,
}

/// Why a baseline cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BaselineError {
    /// It is of another format.
    #[error("is of the format `{found}`, and not `{SCHEMA}`")]
    Format {
        /// What it says.
        found: String,
    },
    /// It is of another program.
    #[error("is of the program `{baseline}`, and the study is of `{study}`")]
    Program {
        /// The baseline's.
        baseline: String,
        /// The study's.
        study: String,
    },
    /// A class in it is none.
    #[error("`{function}` grows in it as `{class}`, which is no growth class")]
    Class {
        /// The function.
        function: String,
        /// What stands there.
        class: String,
    },
}

impl Baseline {
    /// Of the functions that take at least 0.1 % of a run.
    pub fn of(findings: &Findings) -> Self {
        let point = findings.points.last();
        let at =
            point.map(|point| point.values.iter().map(|value| (value.feature.clone(), value.at)).collect());
        let position = findings.points.len().checked_sub(1);
        let function = |row: &Row| {
            let growth = findings.features.iter().filter_map(|feature| {
                let model = row.models.iter().find(|model| model.feature == feature.name);
                let classes = match &row.joint {
                    Some(joint) => Some(RowGrowth::of_joint(joint, &feature.name)),
                    None => model.filter(|model| model.is_sound()).and_then(RowGrowth::of),
                };
                Some((feature.name.clone(), classes?.classes.into_iter().max()?.to_string()))
            });
            let growth: BTreeMap<_, _> = growth.collect();
            let outlook = position.and_then(|i| row.outlooks.get(i)?.as_ref());
            let cost = outlook.and_then(|outlook| outlook.ci).map(|[_, high]| rounded_up(high));
            (!growth.is_empty()).then(|| BaselineFunction {
                name: row.name.clone(),
                file: row.file.clone(),
                growth,
                cost,
            })
        };
        let mut functions: Vec<BaselineFunction> = findings.functions.iter().filter_map(function).collect();
        functions.sort_by(|a, b| (&a.name, &a.file).cmp(&(&b.name, &b.file)));
        functions.dedup_by(|a, b| (&a.name, &a.file) == (&b.name, &b.file));
        let program = findings.program.name.clone();
        Self { schema: SCHEMA.to_owned(), program, at: at.unwrap_or_default(), functions }
    }

    /// The functions, by name and file.
    pub fn functions(&self) -> Vec<(String, String)> {
        self.functions.iter().map(|f| (f.name.clone(), f.file.clone())).collect()
    }

    /// How many functions it has.
    pub fn len(&self) -> usize {
        self.functions.len()
    }

    /// Whether it has none.
    pub fn is_empty(&self) -> bool {
        self.functions.is_empty()
    }

    /// That everything grows no faster than it did, and costs no more than a tenth more at the size that was predicted
    /// then; `file` is what this was read from. Features that the study has not are left out.
    ///
    /// # Errors
    /// It is of another format or program, or has classes that are none.
    pub fn expectations(&self, file: &str, findings: &Findings) -> Result<Vec<Expectation>, BaselineError> {
        if self.schema != SCHEMA {
            return Err(BaselineError::Format { found: self.schema.clone() });
        }
        if self.program != findings.program.name {
            let (baseline, study) = (self.program.clone(), findings.program.name.clone());
            return Err(BaselineError::Program { baseline, study });
        }
        let origin = || Origin::Baseline { file: file.to_owned() };
        let is_known = |feature: &str| findings.feature(feature).is_some();
        let can_predict = !self.at.is_empty() && self.at.keys().all(|feature| is_known(feature));
        let mut expectations = Vec::new();
        for function in &self.functions {
            let subject = || {
                let word = if function.file.is_empty() {
                    function.name.clone()
                } else {
                    format!("{}:{}", function.file, function.name)
                };
                Subject::Function(word)
            };
            for (feature, class) in function.growth.iter().filter(|(feature, _)| is_known(feature)) {
                let class: GrowthClass = class.parse().map_err(|_| BaselineError::Class {
                    function: function.name.clone(),
                    class: class.clone(),
                })?;
                let limit = Limit::Growth { limit: GrowthLimit::at_most(class) };
                let feature = Some(feature.clone());
                expectations.push(Expectation { origin: origin(), subject: subject(), limit, feature });
            }
            if let Some(cost) = function.cost.filter(|_| can_predict) {
                let limit = Limit::Cost {
                    measure: Measure::Counts,
                    at: self.at.clone().into_iter().collect(),
                    most: cost * TOLERANCE,
                };
                expectations.push(Expectation { origin: origin(), subject: subject(), limit, feature: None });
            }
        }
        Ok(expectations)
    }
}

/// To the digits that are kept, so that a file in version control changes little.
fn rounded_up(cost: f64) -> f64 {
    if cost <= 0.0 || !cost.is_finite() {
        return cost;
    }
    let unit = 10f64.powi(cost.log10().floor() as i32 + 1 - DIGITS);
    (cost / unit).ceil() * unit
}
