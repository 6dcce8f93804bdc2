//! The results of an analysis, in the shape of the machine-readable output.
//!
//! The serialised fields are a published format: fields may be added, but not renamed. Data that only drawing needs
//! (costs per workload) is skipped.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::{Serialize, Serializer};
use trend_profile::{FeatureId, Unit};

use crate::doubt::Doubt;
use crate::{
    Answer, Decomposition, Filling, FragmentsOutlook, Intervals, Joint, Law, LoopFunctionRow, LoopRow,
    MemoryLine, Model, Outlook, Point, RowLaw, Scatter, SeriesModel, SeriesRow, WAYS, is_path_end,
};

/// The name and version of the format.
pub const SCHEMA: &str = "trend-prof/findings/2";

/// All results of the analysis of one study.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema, ts_rs::TS))]
pub struct Findings {
    /// The name and version of the format.
    pub schema: &'static str,
    /// The program that was studied.
    pub program: Program,
    /// Unit of all costs: `executions`, `instructions`, `ps` for times, or a metric's name.
    #[cfg_attr(test, schemars(with = "String"), ts(type = "string"))]
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
    /// The runs.
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
    /// The processor time at the target by formulas and a machine's constants; absent without a calibration.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fragments: Option<FragmentsOutlook>,
    /// The whole program as one row.
    #[serde(serialize_with = "with_law")]
    #[cfg_attr(test, schemars(with = "WithLaw<'static, Total>"), ts(as = "WithLaw<'static, Total>"))]
    pub total: Total,
    /// Groups of locations that vary together, by descending maximum cost.
    #[serde(serialize_with = "with_laws")]
    #[cfg_attr(
        test,
        schemars(with = "Vec<WithLaw<'static, Cluster>>"),
        ts(as = "Vec<WithLaw<'static, Cluster>>")
    )]
    pub clusters: Vec<Cluster>,
    /// Functions by descending maximum cost.
    #[serde(serialize_with = "with_laws")]
    #[cfg_attr(test, schemars(with = "Vec<WithLaw<'static, Row>>"), ts(as = "Vec<WithLaw<'static, Row>>"))]
    pub functions: Vec<Row>,
    /// Lines by descending maximum cost, if requested.
    #[serde(default, skip_serializing_if = "Option::is_none", serialize_with = "with_laws_if_any")]
    #[cfg_attr(
        test,
        schemars(with = "Option<Vec<WithLaw<'static, Row>>>"),
        ts(as = "Option<Vec<WithLaw<'static, Row>>>")
    )]
    pub lines: Option<Vec<Row>>,
    /// Basic blocks by descending maximum cost, if requested.
    #[serde(default, skip_serializing_if = "Option::is_none", serialize_with = "with_laws_if_any")]
    #[cfg_attr(
        test,
        schemars(with = "Option<Vec<WithLaw<'static, Row>>>"),
        ts(as = "Option<Vec<WithLaw<'static, Row>>>")
    )]
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

/// Minimum cost of a function in a cluster, relative to its costliest function, for a notable part.
const NOTABLE_PART: f64 = 0.1;

/// The program that was studied.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema, ts_rs::TS))]
pub struct Program {
    /// Name of the program.
    pub name: String,
}

/// The runs of a study.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema, ts_rs::TS))]
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
#[cfg_attr(test, derive(schemars::JsonSchema, ts_rs::TS))]
pub struct LongestRun {
    /// Name of the workload.
    pub workload: String,
    /// Processor time in seconds, the median.
    pub seconds: f64,
    /// Elapsed time of the same run, in seconds.
    pub elapsed_seconds: f64,
    /// Peak memory of the process in bytes, the maximum over all its runs.
    pub peak_bytes: u64,
}

/// A workload without counts.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema, ts_rs::TS))]
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
#[cfg_attr(test, derive(schemars::JsonSchema, ts_rs::TS))]
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
#[cfg_attr(test, derive(schemars::JsonSchema, ts_rs::TS))]
pub struct Locations {
    /// Number of all locations.
    pub total: usize,
    /// Number of locations whose cost varies enough to be clustered.
    pub varying: usize,
    /// Number of locations whose count differed between repetitions of one workload.
    pub unstable: usize,
}

/// The whole program as one row.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema, ts_rs::TS))]
pub struct Total {
    /// The greatest cost in any workload.
    pub max_cost: u64,
    /// One model per feature.
    pub models: Vec<Model>,
    /// The features in which predictions are sums of the functions' costs: all features if the program has several
    /// functions.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub parts: Vec<Parts>,
    /// The predicted costs at [`Findings::points`], by its law; `null` if unknown.
    pub outlooks: Vec<Option<Outlook>>,
    /// The law of the cost in several features together; absent if one feature explains as much.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub joint: Option<Joint>,
    /// The scatter of the runs about its law; `null` without a law.
    pub scatter: Option<Scatter>,
    /// Costs, `[workloads]`.
    #[serde(skip)]
    pub costs: Vec<u64>,
}

/// Parts that add up to the predicted whole.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema, ts_rs::TS))]
pub struct Parts {
    /// The feature, by its position in the study.
    #[serde(skip)]
    pub id: FeatureId,
    /// Name of the feature.
    pub feature: String,
    /// The functions that may cost most at the furthest size, in that order. The rest of the program is one more part.
    pub functions: Vec<String>,
    /// The files of these functions.
    pub files: Vec<String>,
    /// One for each function, and one for the rest unless nothing is left.
    #[serde(skip)]
    pub rows: Vec<Part>,
}

/// A part of the whole.
#[derive(Clone, Debug)]
pub struct Part {
    /// The part's model in the feature.
    pub model: Model,
    /// Costs, `[workloads]`.
    pub costs: Vec<u64>,
}

/// Kind of a cluster's representative.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema, ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum RepresentativeKind {
    /// A feature of the workloads.
    Feature,
    /// The location of the greatest variance in the cluster.
    Location,
}

/// Representative that the members of a cluster are compared with.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema, ts_rs::TS))]
pub struct Representative {
    /// Its kind.
    pub kind: RepresentativeKind,
    /// The feature's name, or the location's as `file:line`.
    pub name: String,
}

/// Locations whose costs vary together linearly.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema, ts_rs::TS))]
pub struct Cluster {
    /// Position by maximum cost, from 1.
    pub rank: usize,
    /// The title for people: `file:line in function`, followed by its rank if another cluster has the same title.
    pub title: String,
    /// The name of the member that the title shows. In the user's own code, this is the representative, else the
    /// costliest member in a loop, else the costliest. If no member is the user's own, it is the representative.
    pub named_by: Arc<str>,
    /// The representative that its members are compared with; its name identifies the cluster.
    pub representative: Representative,
    /// True if it takes more than 2 % of some workload's total.
    pub costly: bool,
    /// The greatest cost in any workload.
    pub max_cost: u64,
    /// The greatest share of a workload's total, 0 to 1.
    pub max_share: f64,
    /// The share of the costliest workload's total, 0 to 1. It leaves startup costs out, which matter only in small
    /// runs.
    pub share_of_largest: f64,
    /// The share of the cost today, 0 to 1: its law ÷ the whole's law, in the run where the latter is greatest.
    /// Measured in the costliest workload instead if one of them has no law.
    pub share_now: f64,
    /// By descending maximum cost. A location can be a member of several clusters.
    pub members: Vec<Member>,
    /// Number of functions that have a notable part of it. With more than one, it is a group, whatever its title.
    pub function_count: usize,
    /// Positions in [`Findings::functions`] of the functions that lie wholly in it.
    #[serde(skip)]
    pub functions_within: Vec<usize>,
    /// Features in the cluster besides the representative.
    pub features: Vec<String>,
    /// One model per feature.
    pub models: Vec<Model>,
    /// The predicted costs at [`Findings::points`], by its law; `null` if unknown.
    pub outlooks: Vec<Option<Outlook>>,
    /// The law of the cost in several features together; absent if one feature explains as much.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub joint: Option<Joint>,
    /// The cost as entries of the function times cost per entry; only for costly clusters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub decomposition: Option<Decomposition>,
    /// Costlier clusters that this one overtakes as its feature grows.
    pub overtakes: Vec<Overtaking>,
    /// Costs, `[workloads]`.
    #[serde(skip)]
    pub costs: Vec<u64>,
}

/// A location in a cluster.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema, ts_rs::TS))]
pub struct Member {
    /// The location's name, unique in the study.
    pub name: Arc<str>,
    /// The function's name for people.
    pub function: Arc<str>,
    /// Path of the source file.
    pub file: Arc<str>,
    /// True if the file is the user's own: below the study's root.
    pub own: bool,
    /// The block's first line.
    pub line: u32,
    /// All of its lines in `file`.
    pub lines: Arc<[u32]>,
    /// The compiler's number of the block within its function.
    pub block: u32,
    /// R² of the linear fit to the representative.
    pub r2: f64,
    /// The greatest cost in any workload.
    pub max_cost: u64,
    /// True if its count differed between repetitions of one workload.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub unstable: bool,
}

/// A cluster that another one overtakes.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema, ts_rs::TS))]
pub struct Overtaking {
    /// The name of the overtaken cluster's representative.
    pub cluster: String,
    /// The overtaken cluster's rank by maximum cost.
    pub rank: usize,
    /// The feature whose growth causes it.
    pub feature: String,
    /// The feature's value at which the two models cross.
    pub at: f64,
}

/// A function, a line or a block.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema, ts_rs::TS))]
pub struct Row {
    /// The function's name, `file:line`, or the location's name.
    pub name: String,
    /// Path of the source file.
    pub file: String,
    /// Its first line in the file.
    pub line: u32,
    /// The greatest cost in any workload.
    pub max_cost: u64,
    /// The greatest share of a workload's total, 0 to 1.
    pub max_share: f64,
    /// The share of the costliest workload's total, 0 to 1. It leaves startup costs out, which matter only in small
    /// runs.
    pub share_of_largest: f64,
    /// The share of the cost today, 0 to 1: its law ÷ the whole's law, in the run where the latter is greatest.
    /// Measured in the costliest workload instead if one of them has no law.
    pub share_now: f64,
    /// One model per feature.
    pub models: Vec<Model>,
    /// The predicted costs at [`Findings::points`], by its law; `null` if unknown.
    pub outlooks: Vec<Option<Outlook>>,
    /// The law of the cost in several features together; absent if one feature explains as much.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub joint: Option<Joint>,
    /// Costs, `[workloads]`.
    #[serde(skip)]
    pub costs: Vec<u64>,
}

impl Row {
    /// True if a word names this row by any of the [`WAYS`], or names its file.
    pub fn is_meant(&self, word: &str) -> bool {
        let is_named = WAYS.iter().any(|is_meant| is_meant((&self.name, &self.file), word));
        is_named || is_path_end(&self.name, word) || self.is_in(word)
    }

    /// True if `file` is the row's file, or the end of its path.
    pub fn is_in(&self, file: &str) -> bool {
        self.file == file || is_path_end(&self.file, file)
    }
}

impl Cluster {
    /// Returns the member that the title shows. If the findings do not list all members, it may be another one.
    pub fn namesake(&self) -> Option<&Member> {
        self.members.iter().find(|m| m.name == self.named_by).or_else(|| self.members.first())
    }

    /// Returns the functions that have a notable part of the cost, by falling cost.
    pub(crate) fn notable_functions(&self) -> Vec<&str> {
        notable_functions(self.members.iter())
    }

    /// Returns the members in the user's own code if the costliest member is not: the code that calls it is among them.
    pub fn own_lines(&self) -> Vec<&Member> {
        let is_elsewhere = self.members.first().is_some_and(|costliest| !costliest.own);
        self.members.iter().filter(|member| is_elsewhere && member.own).collect()
    }

    /// Returns a copy that lists no members.
    #[must_use]
    pub fn without_members(&self) -> Self {
        Self {
            rank: self.rank,
            title: self.title.clone(),
            named_by: self.named_by.clone(),
            representative: self.representative.clone(),
            costly: self.costly,
            max_cost: self.max_cost,
            max_share: self.max_share,
            share_of_largest: self.share_of_largest,
            share_now: self.share_now,
            members: Vec::new(),
            function_count: self.function_count,
            functions_within: self.functions_within.clone(),
            features: self.features.clone(),
            models: self.models.clone(),
            outlooks: self.outlooks.clone(),
            joint: self.joint.clone(),
            decomposition: self.decomposition.clone(),
            overtakes: self.overtakes.clone(),
            costs: self.costs.clone(),
        }
    }
}

/// Returns the functions that have a notable part of the members' cost, by falling cost. There are several if a cluster
/// spans functions.
pub(crate) fn notable_functions<'a>(members: impl Iterator<Item = &'a Member>) -> Vec<&'a str> {
    let mut by_name: BTreeMap<&str, f64> = BTreeMap::new();
    for member in members.filter(|member| !member.function.is_empty()) {
        *by_name.entry(&member.function).or_default() += member.max_cost as f64;
    }
    let mut costs: Vec<(&str, f64)> = by_name.into_iter().collect();
    costs.sort_by(|a, b| b.1.total_cmp(&a.1));
    let most = costs.first().map_or(0.0, |(_, cost)| *cost);
    costs.into_iter().filter(|(_, cost)| *cost >= NOTABLE_PART * most).map(|(name, _)| name).collect()
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

// The law is not stored, as it follows from the models.
/// A row with its law.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema, ts_rs::TS), schemars(rename = "{T}"))]
pub(crate) struct WithLaw<'a, T> {
    #[serde(flatten)]
    row: &'a T,
    /// The law of the cost; `null` if unknown.
    law: Option<Law>,
}

/// A row with models that determine one law.
pub(crate) trait Modelled: Serialize {
    fn law(&self) -> Option<Law>;
}

impl Modelled for Row {
    fn law(&self) -> Option<Law> {
        RowLaw::of(&self.models, self.joint.as_ref())?.law()
    }
}

impl Modelled for Cluster {
    fn law(&self) -> Option<Law> {
        RowLaw::of(&self.models, self.joint.as_ref())?.law()
    }
}

impl Modelled for SeriesModel {
    fn law(&self) -> Option<Law> {
        Self::law(self)?.law()
    }
}

impl Modelled for Total {
    fn law(&self) -> Option<Law> {
        Self::law(self)
    }
}

pub(crate) fn with_law<T: Modelled, S: Serializer>(row: &T, serializer: S) -> Result<S::Ok, S::Error> {
    WithLaw { row, law: row.law() }.serialize(serializer)
}

#[expect(clippy::ref_option, reason = "serde gives it so")]
pub(crate) fn with_law_if_any<T: Modelled, S: Serializer>(
    row: &Option<T>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    row.as_ref().map(|row| WithLaw { row, law: row.law() }).serialize(serializer)
}

fn published<T: Modelled>(rows: &[T]) -> impl Iterator<Item = WithLaw<'_, T>> {
    rows.iter().map(|row| WithLaw { row, law: row.law() })
}

fn with_laws<T: Modelled, S: Serializer>(rows: &[T], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(published(rows))
}

#[expect(clippy::ref_option, reason = "serde gives it so")]
fn with_laws_if_any<T: Modelled, S: Serializer>(
    rows: &Option<Vec<T>>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    with_laws(rows.as_deref().unwrap_or_default(), serializer)
}

impl Total {
    /// Returns the law in one feature: its own, or the sum of parts.
    pub fn law_in(&self, model: &Model) -> Option<Law> {
        match self.parts_in(model) {
            Some(parts) => parts.law(),
            None => model.law(),
        }
    }

    /// Returns the parts that add up to the whole in the feature of one of its models.
    pub(crate) fn parts_in(&self, model: &Model) -> Option<&Parts> {
        self.parts.iter().find(|parts| parts.id == model.id)
    }

    /// Returns the law of the whole.
    pub fn law(&self) -> Option<Law> {
        match RowLaw::of(&self.models, self.joint.as_ref())? {
            RowLaw::Of(model) => self.law_in(model),
            joint @ RowLaw::Joint(_) => joint.law(),
        }
    }
}
