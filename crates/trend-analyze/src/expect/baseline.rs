//! Baselines: laws without counts, in a small file that later studies are compared with.
//!
//! A baseline has the whole program and each function that takes at least 0.1 % of a run. Costs are kept at two points:
//! the most expensive run, where they are known best, and the target. Their limits are defined in `against`.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde::{Deserialize, Serialize};
use trend_answer::Outlook;
use trend_profile::Study;

use super::growth::RowGrowth;
use super::source_root::SourceRoot;
use crate::compare::Version;
use crate::compare::matching::{FunctionPlace, Functions};
use crate::error::AnalyzeError;
use crate::findings::Findings;
use crate::findings::law::Fits;
use crate::findings::row::Row;
use crate::forecast::memory::memory;
use crate::forecast::predict::{Predictions, predict};
use crate::forecast::seconds::seconds;
use crate::options::Options;

/// The name and version of the format.
const SCHEMA: &str = "trend-prof/baseline/2";

/// The format of earlier releases: only functions, each with the upper end of its cost at one point.
const EARLIER_SCHEMA: &str = "trend-prof/baseline/1";

/// Number of digits of kept costs.
const COST_DIGITS: i32 = 6;

/// Least memory that is kept, in bytes. Less is mostly the memory of the process itself.
const LEAST_MEMORY: f64 = 64e6;

/// Maximum number of lines for which a function's lines are kept. If a longer function is renamed, it counts as new
/// code.
const MOST_LINES: usize = 400;

/// The laws of a program and its functions in a study.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Baseline {
    /// The name and version of the format.
    schema: String,
    /// The name of the program.
    pub(super) program: String,
    /// The points at which costs are kept: features and values.
    #[serde(default)]
    pub(super) points: Vec<BTreeMap<String, f64>>,
    /// The only point of the earlier format.
    #[serde(default, skip_serializing)]
    at: BTreeMap<String, f64>,
    /// The whole program; absent in the earlier format.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) whole: Option<ProgramLaws>,
    /// The functions, by name and file.
    pub(super) functions: Vec<BaselineFunction>,
}

/// The laws of the whole program.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ProgramLaws {
    /// For each feature, the fastest class that the verdict named.
    pub(super) growth: BTreeMap<String, String>,
    /// The cost at each point.
    pub(super) costs: Vec<Option<PointCost>>,
    /// CPU time at the last point in seconds; absent if it is unreliable.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) seconds: Option<f64>,
    /// Upper end of the peak memory at the last point in bytes; absent if it is small or unreliable.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) memory: Option<f64>,
}

/// The laws of a function.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct BaselineFunction {
    pub(super) name: String,
    /// The path relative to the study's root, or relative to the root of the sources if they are not below it.
    pub(super) file: String,
    /// For each feature, the fastest class that the verdict named; absent without a verdict.
    pub(super) growth: BTreeMap<String, String>,
    /// The share of the most expensive run or of the whole at the last point, whichever is greater; 0 to 1.
    #[serde(default)]
    pub(super) share: f64,
    /// The cost at each point.
    #[serde(default)]
    pub(super) costs: Vec<Option<PointCost>>,
    /// Hashes of the function's lines, six hexadecimal digits each. They identify a renamed function.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub(super) lines: String,
    /// The upper end of the cost's interval, in the earlier format.
    #[serde(default, skip_serializing)]
    cost: Option<f64>,
}

/// A cost at a point.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PointCost {
    /// The cost by the law.
    pub(super) cost: f64,
    /// The upper end of the cost's interval as a multiple of the cost; 1 if runs do not scatter.
    pub(super) spread: f64,
}

/// A reason why a baseline cannot be used.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum BaselineError {
    /// The text is not JSON, or has other fields.
    #[error("{0}")]
    NotRead(String),
    /// The file has an unknown format.
    #[error("it has the format `{schema}`, not `{SCHEMA}`")]
    Format {
        /// The format that the file names.
        schema: String,
    },
    /// The baseline is of another program.
    #[error("it is for the program `{baseline}`, but the study is for `{study}`")]
    Program {
        /// The program of the baseline.
        baseline: String,
        /// The program of the study.
        study: String,
    },
    /// The baseline has no laws.
    #[error("it has no law of any function, so there is nothing to check")]
    Empty,
    /// The baseline has laws in a feature that the study lacks.
    #[error("it has laws in `{feature}`, which the study lacks; the study has {}", .features.join(", "))]
    Feature {
        /// The feature of the baseline.
        feature: String,
        /// The features of the study.
        features: Vec<String>,
    },
    /// The baseline has an unknown growth class.
    #[error("it says that `{function}` grows as `{class}`, which is not a growth class")]
    Class {
        /// The function with this class.
        function: String,
        /// The text of the unknown class.
        class: String,
    },
    /// Costs cannot be predicted at a point of the baseline.
    #[error(transparent)]
    Point(#[from] AnalyzeError),
}

impl Baseline {
    /// Builds the baseline of a study. `findings` are the results of analyzing `study` under `options`, with
    /// [`Options::keep_fits`](crate::Options::keep_fits).
    ///
    /// # Errors
    /// Returns the errors of [`predict`](crate::predict()).
    pub fn new(study: &Study, findings: &Findings, options: &Options) -> Result<Self, AnalyzeError> {
        let points = points(findings);
        let predictions = predictions(study, findings, options, &points)?;
        let recognisable = Functions::new(Version { study, findings });
        let root = SourceRoot::new(study);
        let functions = findings.functions.iter().enumerate().filter(|(_, row)| row.is_judgeable());
        let to_baseline = |(i, row): (usize, &Row)| BaselineFunction {
            name: row.name.clone(),
            file: root.name(&row.file).to_owned(),
            growth: fastest_classes(findings, &row.fits),
            share: rounded_up(share(row, i, predictions.last()), 3),
            costs: predictions.iter().map(|p| PointCost::from_outlook(p.functions[i].as_ref())).collect(),
            lines: (recognisable.lines)(i).map(|lines| hashes_to_text(&lines)).unwrap_or_default(),
            cost: None,
        };
        let mut functions: Vec<BaselineFunction> = functions.map(to_baseline).collect();
        functions.sort_by(|a, b| (&a.name, &a.file).cmp(&(&b.name, &b.file)));
        functions.dedup_by(|a, b| (&a.name, &a.file) == (&b.name, &b.file));
        let whole = Some(ProgramLaws::new(study, findings, &predictions));
        let program = findings.program.name.clone();
        Ok(Self { schema: SCHEMA.to_owned(), program, points, at: BTreeMap::new(), whole, functions })
    }

    /// Parses a baseline file of the current or an earlier format.
    ///
    /// # Errors
    /// Returns [`BaselineError::NotRead`] or [`BaselineError::Format`].
    pub fn parse(text: &str) -> Result<Self, BaselineError> {
        #[derive(Deserialize)]
        struct Head {
            schema: String,
        }
        let not_read = |error: serde_json::Error| BaselineError::NotRead(error.to_string());
        let head: Head = serde_json::from_str(text).map_err(not_read)?;
        if head.schema != SCHEMA && head.schema != EARLIER_SCHEMA {
            return Err(BaselineError::Format { schema: head.schema });
        }
        let mut baseline: Self = serde_json::from_str(text).map_err(not_read)?;
        baseline.bring_up_to_date();
        Ok(baseline)
    }

    /// Converts the costs of the earlier format. Each gets a spread of 1 because it already includes its interval.
    fn bring_up_to_date(&mut self) {
        let at = std::mem::take(&mut self.at);
        if at.is_empty() || !self.points.is_empty() {
            return;
        }
        self.points = vec![at];
        let costs = self.functions.iter().filter_map(|function| function.cost);
        let total: f64 = costs.sum();
        for function in &mut self.functions {
            let cost = function.cost.take();
            function.costs = vec![cost.map(|cost| PointCost { cost, spread: 1.0 })];
            function.share = cost.filter(|_| total > 0.0).map_or(0.0, |cost| cost / total);
        }
    }

    /// Returns the number of functions.
    pub fn len(&self) -> usize {
        self.functions.len()
    }

    /// Returns true if the baseline has no functions.
    pub fn is_empty(&self) -> bool {
        self.functions.is_empty()
    }

    /// Returns the functions in the form that is matched with another version.
    pub(super) fn as_functions(&self) -> Functions<'_> {
        // Functions with the same name and file are kept once, regardless of their lines.
        let functions = self.functions.iter();
        let places = functions.map(|f| FunctionPlace { name: &f.name, file: &f.file, line: 0 }).collect();
        Functions { places, lines: Box::new(|i| hashes_from_text(&self.functions[i].lines)) }
    }
}

impl ProgramLaws {
    /// Takes over the laws of the total, with time and memory at the last point if they are reliable.
    fn new(study: &Study, findings: &Findings, predictions: &[Predictions]) -> Self {
        let total = &findings.total;
        let last = predictions.last();
        let memory = last.and_then(|p| memory(study, &p.point, None, &[]));
        let time = last.and_then(|p| seconds(study, &p.point, p.total?, total, memory.as_ref(), &[]));
        Self {
            growth: fastest_classes(findings, &total.fits),
            costs: predictions.iter().map(|p| PointCost::from_outlook(p.total.as_ref())).collect(),
            seconds: time.filter(|time| time.doubts.is_empty()).map(|time| rounded_up(time.seconds, 3)),
            memory: memory
                .filter(|memory| memory.doubts.is_empty() && memory.bytes >= LEAST_MEMORY)
                .map(|memory| rounded_up(memory.ci[1], 3)),
        }
    }
}

impl PointCost {
    /// Returns `None` for a prediction without an interval, or without a positive cost.
    fn from_outlook(outlook: Option<&Outlook>) -> Option<Self> {
        let outlook = outlook.filter(|outlook| outlook.cost > 0.0)?;
        let [_, high] = outlook.ci?;
        let spread = rounded_up((high / outlook.cost).max(1.0), COST_DIGITS);
        Some(Self { cost: rounded_up(outlook.cost, COST_DIGITS), spread })
    }
}

/// Returns the features of the most expensive run, and the target. Leaves out a point that is not a size.
fn points(findings: &Findings) -> Vec<BTreeMap<String, f64>> {
    let costs = &findings.total.costs;
    let costliest = (0..costs.len()).max_by_key(|&run| costs[run]);
    let values_of_run = |run: usize| {
        let values = findings.features.iter().zip(&findings.feature_values);
        values.filter_map(|(feature, values)| Some((feature.name.clone(), values[run]?))).collect()
    };
    let target = findings.points.last();
    let target = target.map(|point| point.values.iter().map(|v| (v.feature.clone(), v.at)).collect());
    let are_sizes = |point: &BTreeMap<String, f64>| {
        !point.is_empty() && point.values().all(|value| *value > 0.0 && value.is_finite())
    };
    costliest.map(values_of_run).into_iter().chain(target).filter(are_sizes).collect()
}

/// Predicts the costs of all rows at points.
pub(super) fn predictions(
    study: &Study,
    findings: &Findings,
    options: &Options,
    points: &[BTreeMap<String, f64>],
) -> Result<Vec<Predictions>, AnalyzeError> {
    let coordinates = |point: &BTreeMap<String, f64>| point.clone().into_iter().collect::<Vec<_>>();
    points.iter().map(|point| predict(study, findings, options, &coordinates(point))).collect()
}

/// Returns a function's share of the most expensive run or of the whole at a point, whichever is greater.
pub(super) fn share(row: &Row, position: usize, at: Option<&Predictions>) -> f64 {
    let then = at.and_then(|at| Some(at.functions[position]?.cost / at.total?.cost));
    row.share_of_largest.max(then.filter(|share| share.is_finite()).unwrap_or(0.0)).min(1.0)
}

/// Returns, for each feature, the fastest class that a row's verdict names, if enough sizes were run.
fn fastest_classes(findings: &Findings, fits: &Fits) -> BTreeMap<String, String> {
    let fastest_class = |name: &str| {
        let model = fits.in_feature(name);
        let growth = match fits.joint.as_ref() {
            Some(joint) => Some(RowGrowth::from_joint(joint, name)),
            None => model.filter(|model| model.is_sound()).and_then(RowGrowth::from_model),
        };
        Some((name.to_owned(), growth?.classes.into_iter().max()?.to_string()))
    };
    findings.features.iter().filter_map(|feature| fastest_class(&feature.name)).collect()
}

/// Rounds up to this many digits, so that a file under version control changes little.
fn rounded_up(number: f64, digits: i32) -> f64 {
    if number <= 0.0 || !number.is_finite() {
        return number;
    }
    let exponent = digits - 1 - number.log10().floor() as i32;
    // Dividing by a power of ten that a double holds exactly gives the nearest number with these digits.
    let (up, down) = (10f64.powi(exponent.max(0)), 10f64.powi((-exponent).max(0)));
    (number * up / down * (1.0 - f64::EPSILON * 4.0)).ceil() / up * down
}

/// Writes the hashes of lines as [`BaselineFunction::lines`]; empty for too many lines.
fn hashes_to_text(lines: &[u32]) -> String {
    if lines.len() > MOST_LINES {
        return String::new();
    }
    lines.iter().fold(String::new(), |mut text, line| {
        let _ = write!(text, "{line:06x}");
        text
    })
}

/// Reads the hashes that [`hashes_to_text`] has written; `None` if there are none.
fn hashes_from_text(lines: &str) -> Option<Vec<u32>> {
    let hash = |digits: &[u8]| u32::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok();
    let lines: Option<Vec<u32>> = lines.as_bytes().chunks(6).map(hash).collect();
    lines.filter(|lines| !lines.is_empty())
}
