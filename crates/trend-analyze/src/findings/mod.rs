//! The results of an analysis, in the shape of the machine-readable output: data without the code that computes it.
//!
//! The serialised fields are a published format: fields may be added, but not renamed. Data that only drawing needs
//! (costs per workload) is skipped.
//!
//! - [`Findings`] holds everything: the answer, the whole, clusters, functions, lines, routines, loops.
//! - `row` has the rows, `model` and `structure` their models, `law` the law that is drawn, printed and predicted.
//! - `doubt` has the reasons why a number may be wrong.

pub(crate) mod answer;
pub(crate) mod bound;
pub(crate) mod doubt;
pub(crate) mod fitting;
pub(crate) mod fragments;
pub(crate) mod growth;
pub(crate) mod law;
pub(crate) mod loops;
pub(crate) mod memory;
pub(crate) mod model;
pub(crate) mod published;
pub(crate) mod row;
pub(crate) mod series;
pub(crate) mod structure;
pub(crate) mod time;

use serde::{Deserialize, Serialize};
use trend_profile::Unit;

use self::answer::Answer;
use self::doubt::Doubt;
use self::fragments::FragmentsOutlook;
use self::loops::{LoopFunctionRow, LoopRow};
use self::memory::MemoryLine;
use self::published::{WithLaw, published, with_law, with_laws, with_laws_if_any};
use self::row::{Cluster, Row, Total};
use self::series::SeriesRow;
use crate::study::point::{Filling, Point};
#[cfg(doc)]
use trend_answer::Outlook;

/// The name and version of the format.
pub const SCHEMA: &str = "trend-prof/findings/2";

/// All results of the analysis of one study.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Findings {
    /// The name and version of the format.
    pub schema: &'static str,
    /// The program that was studied.
    pub program: Program,
    /// Unit of all costs: `executions`, `instructions`, `ps` for times, or a metric's name.
    #[cfg_attr(test, schemars(with = "String"))]
    pub unit: Unit,
    /// The seed of the bootstrap.
    pub seed: u64,
    /// A location joins a cluster if its R² with the representative is above `1 - alpha`.
    pub alpha: f64,
    /// The level of all intervals, such as 0.95.
    pub level: f64,
    /// Method for the intervals.
    pub intervals: Intervals,
    /// Number of bootstrap resamples for the intervals; 0 if they do not use any.
    pub resamples: usize,
    /// The runs with counts, and those that failed.
    pub workloads: Workloads,
    /// The features, in declared order.
    pub features: Vec<FeatureSummary>,
    /// Numbers of counted locations.
    pub locations: Locations,
    /// Points at which [`Outlook`]s predict: first the ones that the user asked for, then twice and ten times the first
    /// feature's 95th percentile.
    pub points: Vec<Point>,
    /// Values for features that a point does not give; empty if the study has one feature.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub fillings: Vec<Filling>,
    /// The summary for a reader who reads nothing else; absent if too few sizes were run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answer: Option<Answer>,
    /// The CPU time at the target by formulas and a machine's constants; absent without a calibration.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fragments: Option<FragmentsOutlook>,
    /// The whole program as one row.
    #[serde(serialize_with = "with_law")]
    #[cfg_attr(test, schemars(with = "WithLaw<'static, Total>"))]
    pub total: Total,
    /// Groups of locations that vary together, by descending maximum cost.
    #[serde(serialize_with = "with_laws")]
    #[cfg_attr(test, schemars(with = "Vec<WithLaw<'static, Cluster>>"))]
    pub clusters: Vec<Cluster>,
    /// Functions by descending maximum cost.
    #[serde(serialize_with = "with_laws")]
    #[cfg_attr(test, schemars(with = "Vec<WithLaw<'static, Row>>"))]
    pub functions: Vec<Row>,
    /// Lines by descending maximum cost, if requested.
    #[serde(default, skip_serializing_if = "Option::is_none", serialize_with = "with_laws_if_any")]
    #[cfg_attr(test, schemars(with = "Option<Vec<WithLaw<'static, Row>>>"))]
    pub lines: Option<Vec<Row>>,
    /// Basic blocks by descending maximum cost, if requested.
    #[serde(default, skip_serializing_if = "Option::is_none", serialize_with = "with_laws_if_any")]
    #[cfg_attr(test, schemars(with = "Option<Vec<WithLaw<'static, Row>>>"))]
    pub blocks: Option<Vec<Row>>,
    /// Routines by the size of their own input, by falling cost; absent if the study has none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub series: Vec<SeriesRow>,
    /// Memory by the line that allocated it, by falling bytes at the heap's peak, the moment with the most bytes
    /// allocated; absent if memory was not recorded.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub memory_lines: Vec<MemoryLine>,
    /// Loops of the program, outer before inner, with trip counts as formulas of program variables; absent if the study
    /// has none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub loops: Vec<LoopRow>,
    /// Totals of the loops of each function: the trips in a call, and its growth.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub loop_functions: Vec<LoopFunctionRow>,
    /// Doubts about the findings as a whole.
    pub doubts: Vec<Doubt>,
    /// `[workloads]`, their names in the study's order, for plots.
    #[serde(skip)]
    pub workload_names: Vec<String>,
    /// `[features][workloads]`; `None` if missing.
    #[serde(skip)]
    pub feature_values: Vec<Vec<Option<f64>>>,
}

/// The program that was studied.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Program {
    /// Name of the program.
    pub name: String,
}

/// The runs of a study.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Workloads {
    /// Number of workloads with counts.
    pub count: usize,
    /// Number of workloads without counts.
    pub failed: usize,
    /// The workloads without counts.
    pub failures: Vec<Failure>,
    /// The run without counters that took longest; absent if all runs had counters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub longest: Option<LongestRun>,
}

/// Resources that a workload took without counters.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct LongestRun {
    /// Name of the workload.
    pub workload: String,
    /// CPU time in seconds, the median.
    pub seconds: f64,
    /// Wall time of the same run, in seconds.
    pub elapsed_seconds: f64,
    /// Peak memory of the process in bytes, the maximum over all its runs.
    pub peak_bytes: u64,
}

/// A workload without counts.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Failure {
    /// Name of the workload.
    pub name: String,
    /// The outcome of its run, in words.
    pub reason: String,
    /// The end of its output to stderr.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub stderr_tail: String,
    /// `[features]`; `null` if unknown.
    pub values: Vec<Option<f64>>,
}

/// Distribution of a feature over the workloads that have it.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct FeatureSummary {
    /// The feature's name.
    pub name: String,
    /// The least value; `null` without values.
    pub min: Option<f64>,
    /// The 95th percentile by nearest rank.
    pub p95: Option<f64>,
    /// The greatest value; `null` without values.
    pub max: Option<f64>,
    /// Number of workloads without a value.
    pub missing: usize,
    /// Number of workloads whose value is not positive, which a power law has to leave out.
    pub not_positive: usize,
    /// The earlier feature whose cluster this one joined, as it is a linear function of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub joins: Option<String>,
}

/// Numbers of counted locations.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Locations {
    /// Number of all locations.
    pub total: usize,
    /// Number of locations whose cost varies enough to be clustered.
    pub varying: usize,
    /// Number of locations whose count differed between repetitions of one workload.
    pub unstable: usize,
}

impl Findings {
    /// Swaps the point at a position with the first, at which two studies are compared.
    pub fn swap_with_first_point(&mut self, position: usize) {
        self.points.swap(0, position);
        self.total.outlooks.swap(0, position);
        self.clusters.iter_mut().for_each(|cluster| cluster.outlooks.swap(0, position));
        let rows = self.functions.iter_mut().chain(self.lines.iter_mut().flatten());
        rows.chain(self.blocks.iter_mut().flatten()).for_each(|row| row.outlooks.swap(0, position));
    }

    /// Returns a copy without clusters, functions, lines, blocks and costs by size.
    #[must_use]
    pub fn without_rows(&self) -> Self {
        Self {
            schema: self.schema,
            program: self.program.clone(),
            unit: self.unit.clone(),
            seed: self.seed,
            alpha: self.alpha,
            level: self.level,
            intervals: self.intervals,
            resamples: self.resamples,
            workloads: self.workloads.clone(),
            features: self.features.clone(),
            locations: self.locations.clone(),
            points: self.points.clone(),
            fillings: self.fillings.clone(),
            answer: self.answer.clone(),
            fragments: self.fragments.clone(),
            total: self.total.clone(),
            clusters: Vec::new(),
            functions: Vec::new(),
            lines: None,
            blocks: None,
            series: Vec::new(),
            memory_lines: Vec::new(),
            loops: self.loops.clone(),
            loop_functions: self.loop_functions.clone(),
            doubts: self.doubts.clone(),
            workload_names: self.workload_names.clone(),
            feature_values: self.feature_values.clone(),
        }
    }

    /// Returns the whole as it is published, with its law.
    pub fn published_total(&self) -> impl Serialize + '_ {
        WithLaw { row: &self.total, law: self.total.law() }
    }

    /// Returns the clusters as they are published, each with its law.
    pub fn published_clusters(&self) -> impl Iterator<Item = impl Serialize + '_> {
        published(&self.clusters)
    }

    /// Returns the functions as they are published, each with its law.
    pub fn published_functions(&self) -> impl Iterator<Item = impl Serialize + '_> {
        published(&self.functions)
    }

    /// Returns the position of a feature by name.
    pub fn feature(&self, name: &str) -> Option<usize> {
        self.features.iter().position(|f| f.name == name)
    }
}

/// Method for the intervals of power laws and linear models.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Intervals {
    /// Student's t with a variance that allows for uneven scatter. These intervals hold the truth as often as they
    /// claim, even for few workloads.
    #[default]
    Robust,
    /// The paper's bootstrap percentiles, which are too narrow for few workloads.
    Percentile,
}
