//! What an analysis found, in the shape of the machine-readable output.
//!
//! The fields that are serialised are a published format: one is added freely, and none is renamed.
//! What is only needed to draw (costs per workload) is skipped there.

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

/// Everything that an analysis of one study found.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema, ts_rs::TS))]
pub struct Findings {
    /// The name and version of the format.
    pub schema: &'static str,
    /// The program that was studied.
    pub program: Program,
    /// What all costs are counted in: `executions`, `instructions`, `ps` for times, or a metric's name.
    #[cfg_attr(test, schemars(with = "String"), ts(type = "string"))]
    pub unit: Unit,
    /// The seed of the bootstrap.
    pub seed: u64,
    /// A location joins a cluster when its R² with the representative is above `1 - alpha`.
    pub alpha: f64,
    /// The level of all intervals, such as 0.95.
    pub level: f64,
    /// How the intervals are made.
    pub intervals: Intervals,
    /// How many bootstrap resamples the intervals come from; 0 where they come from none.
    pub resamples: usize,
    /// The runs.
    pub workloads: Workloads,
    /// The features, in declared order.
    pub features: Vec<FeatureSummary>,
    /// The places that were counted.
    pub locations: Locations,
    /// Where [`Outlook`]s are for: what somebody asked for, then twice and ten times the first feature's 95th percentile.
    pub points: Vec<Point>,
    /// Where a feature stands that is not given; nothing where there is one feature.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub fillings: Vec<Filling>,
    /// What a reader should know who reads nothing else; absent where too few sizes were run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answer: Option<Answer>,
    /// The processor time at the target by formulas and constants of a machine; absent where `calibrate` made none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fragments: Option<FragmentsOutlook>,
    /// The whole program.
    #[serde(serialize_with = "with_law")]
    #[cfg_attr(test, schemars(with = "WithLaw<'static, Total>"), ts(as = "WithLaw<'static, Total>"))]
    pub total: Total,
    /// By descending maximum cost.
    #[serde(serialize_with = "with_laws")]
    #[cfg_attr(
        test,
        schemars(with = "Vec<WithLaw<'static, Cluster>>"),
        ts(as = "Vec<WithLaw<'static, Cluster>>")
    )]
    pub clusters: Vec<Cluster>,
    /// By descending maximum cost.
    #[serde(serialize_with = "with_laws")]
    #[cfg_attr(test, schemars(with = "Vec<WithLaw<'static, Row>>"), ts(as = "Vec<WithLaw<'static, Row>>"))]
    pub functions: Vec<Row>,
    /// By descending maximum cost; only when asked for.
    #[serde(default, skip_serializing_if = "Option::is_none", serialize_with = "with_laws_if_any")]
    #[cfg_attr(
        test,
        schemars(with = "Option<Vec<WithLaw<'static, Row>>>"),
        ts(as = "Option<Vec<WithLaw<'static, Row>>>")
    )]
    pub lines: Option<Vec<Row>>,
    /// By descending maximum cost; only when asked for.
    #[serde(default, skip_serializing_if = "Option::is_none", serialize_with = "with_laws_if_any")]
    #[cfg_attr(
        test,
        schemars(with = "Option<Vec<WithLaw<'static, Row>>>"),
        ts(as = "Option<Vec<WithLaw<'static, Row>>>")
    )]
    pub blocks: Option<Vec<Row>>,
    /// Places by the size of what they work on, by falling cost: routines by the size of their own input; absent where the
    /// study has none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub series: Vec<SeriesRow>,
    /// Memory by the line that asked for it, by falling bytes at the heap's peak, the moment when most was allocated
    /// in all; absent where it was not recorded.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub memory_lines: Vec<MemoryLine>,
    /// Loops of the program, outer ones before those in them, with the laws of their trips in its own words; absent where the
    /// study has none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub loops: Vec<LoopRow>,
    /// What the loops of each function come to.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub loop_functions: Vec<LoopFunctionRow>,
    /// What makes the findings doubtful as a whole.
    pub doubts: Vec<Doubt>,
    /// `[workloads]`, each by name in the study's order, for plots.
    #[serde(skip)]
    pub workload_names: Vec<String>,
    /// `[features][workloads]`; `None` = missing.
    #[serde(skip)]
    pub feature_values: Vec<Vec<Option<f64>>>,
}

/// A function has a notable part of a cluster from this part of what the costliest function has.
const NOTABLE_PART: f64 = 0.1;

/// The program that was studied.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema, ts_rs::TS))]
pub struct Program {
    /// Its name.
    pub name: String,
}

/// The runs of a study.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema, ts_rs::TS))]
pub struct Workloads {
    /// How many have counts.
    pub count: usize,
    /// How many have none.
    pub failed: usize,
    /// Those, by name.
    pub failures: Vec<Failure>,
    /// The run without counters that took longest; absent where all runs had counters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub longest: Option<LongestRun>,
}

/// What a workload took without counters.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema, ts_rs::TS))]
pub struct LongestRun {
    /// The workload.
    pub workload: String,
    /// Processor time in seconds, the median.
    pub seconds: f64,
    /// Elapsed time in seconds in the same run.
    pub elapsed_seconds: f64,
    /// Peak memory of the process in bytes, the most of all its runs.
    pub peak_bytes: u64,
}

/// A workload without counts.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema, ts_rs::TS))]
pub struct Failure {
    /// The workload.
    pub name: String,
    /// How its run ended, in words.
    pub reason: String,
    /// The end of what it wrote to stderr.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub stderr_tail: String,
    /// `[features]`; `null` where a value is not known.
    pub values: Vec<Option<f64>>,
}

/// A feature's distribution over the workloads that have it.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema, ts_rs::TS))]
pub struct FeatureSummary {
    /// Its name.
    pub name: String,
    /// The least value; `null` where there is none.
    pub min: Option<f64>,
    /// The 95th percentile by nearest rank.
    pub p95: Option<f64>,
    /// The greatest value.
    pub max: Option<f64>,
    /// Workloads without a value.
    pub missing: usize,
    /// Workloads whose value is not positive, which a power law has to leave out.
    pub not_positive: usize,
    /// The earlier feature whose cluster this one joined, as it fits it linearly.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub joins: Option<String>,
}

/// How many places were counted.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema, ts_rs::TS))]
pub struct Locations {
    /// All of them.
    pub total: usize,
    /// Those whose cost varies enough to be clustered.
    pub varying: usize,
    /// Those whose count differed between repetitions of one workload.
    pub unstable: usize,
}

/// The whole program as one row.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema, ts_rs::TS))]
pub struct Total {
    /// The greatest cost of a workload.
    pub max_cost: u64,
    /// One per feature.
    pub models: Vec<Model>,
    /// The features in which predictions are sums of what functions cost: all, where the program has several.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub parts: Vec<Parts>,
    /// What it will cost at [`Findings::points`], by its law; `null` where nothing can be said.
    pub outlooks: Vec<Option<Outlook>>,
    /// How the cost depends on several features together; absent where one tells as much.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub joint: Option<Joint>,
    /// How the runs scatter about its law; `null` without one.
    pub scatter: Option<Scatter>,
    /// `[workloads]`.
    #[serde(skip)]
    pub costs: Vec<u64>,
}

/// What the whole is predicted as the sum of.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema, ts_rs::TS))]
pub struct Parts {
    /// The feature by its place in the study.
    #[serde(skip)]
    pub id: FeatureId,
    /// The feature.
    pub feature: String,
    /// The functions that may cost most at the furthest size, that first; the rest of the program is one part more.
    pub functions: Vec<String>,
    /// The files that these are in.
    pub files: Vec<String>,
    /// Of each function, and of the rest unless nothing is left.
    #[serde(skip)]
    pub rows: Vec<Part>,
}

/// A part of the whole.
#[derive(Clone, Debug)]
pub struct Part {
    /// Its model in the feature.
    pub model: Model,
    /// `[workloads]`.
    pub costs: Vec<u64>,
}

/// What a cluster is represented by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema, ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum RepresentativeKind {
    /// A feature of the workloads.
    Feature,
    /// The location of the greatest variance in the cluster.
    Location,
}

/// What the members of a cluster are compared with.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema, ts_rs::TS))]
pub struct Representative {
    /// What it is.
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
    /// What a person calls it: `file:line in function`, with its rank behind it where another one is called the same.
    pub title: String,
    /// The member that is its title, by name: of the user's own code the representative or, where that is none, the
    /// costliest member in a loop, or else the costliest; where no member is the user's own, the representative.
    pub named_by: Arc<str>,
    /// What its members are compared with; its name is the cluster's id.
    pub representative: Representative,
    /// Whether it takes more than 2 % of some workload's total.
    pub costly: bool,
    /// The greatest cost of a workload.
    pub max_cost: u64,
    /// The greatest share of a workload's total, 0 to 1.
    pub max_share: f64,
    /// The share of the total of the costliest workload, 0 to 1: what remains where a startup cost does not count.
    pub share_of_largest: f64,
    /// The share of the cost today, 0 to 1: its law ÷ that of the whole, in the run where the latter is greatest.
    /// What was measured
    /// in the costliest workload, where one of them has no law.
    pub share_now: f64,
    /// By descending maximum cost. A location can be a member of several clusters.
    pub members: Vec<Member>,
    /// Number of functions that have a notable part of it. With more than one it is a group, whatever its title.
    pub function_count: usize,
    /// Features in the cluster besides the representative.
    pub features: Vec<String>,
    /// One per feature.
    pub models: Vec<Model>,
    /// What it will cost at [`Findings::points`], by its law; `null` where nothing can be said.
    pub outlooks: Vec<Option<Outlook>>,
    /// How the cost depends on several features together; absent where one tells as much.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub joint: Option<Joint>,
    /// The cost as entries of the function times cost per entry; only of costly clusters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub decomposition: Option<Decomposition>,
    /// Costlier clusters that this one passes as its feature grows.
    pub overtakes: Vec<Overtaking>,
    /// `[workloads]`.
    #[serde(skip)]
    pub costs: Vec<u64>,
}

/// A location in a cluster.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema, ts_rs::TS))]
pub struct Member {
    /// The location's name, unique in the study.
    pub name: Arc<str>,
    /// The function, as a person knows it.
    pub function: Arc<str>,
    /// The source file.
    pub file: Arc<str>,
    /// Whether that is the user's own: below the study's root.
    pub own: bool,
    /// The block's first line.
    pub line: u32,
    /// All of its lines in `file`.
    pub lines: Arc<[u32]>,
    /// The compiler's number of the block within its function.
    pub block: u32,
    /// Of the linear fit to the representative.
    pub r2: f64,
    /// The greatest cost of a workload.
    pub max_cost: u64,
    /// Whether its count differed between repetitions of one workload.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub unstable: bool,
}

/// That one cluster passes another.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema, ts_rs::TS))]
pub struct Overtaking {
    /// The representative's name of the cluster that is passed.
    pub cluster: String,
    /// Its rank by maximum cost.
    pub rank: usize,
    /// Of which feature.
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
    /// The source file.
    pub file: String,
    /// The line on which it begins.
    pub line: u32,
    /// The greatest cost of a workload.
    pub max_cost: u64,
    /// The greatest share of a workload's total, 0 to 1.
    pub max_share: f64,
    /// The share of the total of the costliest workload, 0 to 1: what remains where a startup cost does not count.
    pub share_of_largest: f64,
    /// The share of the cost today, 0 to 1: its law ÷ that of the whole, in the run where the latter is greatest.
    /// What was measured
    /// in the costliest workload, where one of them has no law.
    pub share_now: f64,
    /// One per feature.
    pub models: Vec<Model>,
    /// What it will cost at [`Findings::points`], by its law; `null` where nothing can be said.
    pub outlooks: Vec<Option<Outlook>>,
    /// How the cost depends on several features together; absent where one tells as much.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub joint: Option<Joint>,
    /// `[workloads]`.
    #[serde(skip)]
    pub costs: Vec<u64>,
}

impl Row {
    /// Whether a word is its name in any of the [`WAYS`], or its file.
    pub fn is_meant(&self, word: &str) -> bool {
        let is_named = WAYS.iter().any(|is_meant| is_meant((&self.name, &self.file), word));
        is_named || is_path_end(&self.name, word) || self.is_in(word)
    }

    /// Whether that is its file, or the end of its path.
    pub fn is_in(&self, file: &str) -> bool {
        self.file == file || is_path_end(&self.file, file)
    }
}

impl Cluster {
    /// The member that is its title; where the findings list fewer members than there are, maybe another one.
    pub fn namesake(&self) -> Option<&Member> {
        self.members.iter().find(|m| m.name == self.named_by).or_else(|| self.members.first())
    }

    /// Returns the functions that have a notable part of the cost, by falling cost.
    pub(crate) fn notable_functions(&self) -> Vec<&str> {
        notable_functions(self.members.iter())
    }

    /// The members in the user's own code, where most of the cost is not: what calls the code that costs is among them.
    pub fn own_lines(&self) -> Vec<&Member> {
        let is_elsewhere = self.members.first().is_some_and(|costliest| !costliest.own);
        self.members.iter().filter(|member| is_elsewhere && member.own).collect()
    }

    /// A copy that lists no members.
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

/// Returns the functions of members that have a notable part of the cost, by falling cost: several where a cluster
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
    /// Swaps the point at a position with the first, which is where two studies are compared.
    pub fn swap_with_first_point(&mut self, position: usize) {
        self.points.swap(0, position);
        self.total.outlooks.swap(0, position);
        self.clusters.iter_mut().for_each(|cluster| cluster.outlooks.swap(0, position));
        let rows = self.functions.iter_mut().chain(self.lines.iter_mut().flatten());
        rows.chain(self.blocks.iter_mut().flatten()).for_each(|row| row.outlooks.swap(0, position));
    }

    /// A copy without clusters, functions, lines and blocks.
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
            series: self.series.clone(),
            memory_lines: Vec::new(),
            loops: self.loops.clone(),
            loop_functions: self.loop_functions.clone(),
            doubts: self.doubts.clone(),
            workload_names: self.workload_names.clone(),
            feature_values: self.feature_values.clone(),
        }
    }

    /// The whole as it is published, with its law.
    pub fn published_total(&self) -> impl Serialize + '_ {
        WithLaw { row: &self.total, law: self.total.law() }
    }

    /// The clusters as they are published, each with its law.
    pub fn published_clusters(&self) -> impl Iterator<Item = impl Serialize + '_> {
        published(&self.clusters)
    }

    /// The functions as they are published, each with its law.
    pub fn published_functions(&self) -> impl Iterator<Item = impl Serialize + '_> {
        published(&self.functions)
    }

    /// The position of a feature by name.
    pub fn feature(&self, name: &str) -> Option<usize> {
        self.features.iter().position(|f| f.name == name)
    }
}

// Not stored, as it follows from the models.
/// A row with its law.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema, ts_rs::TS), schemars(rename = "{T}"))]
pub(crate) struct WithLaw<'a, T> {
    #[serde(flatten)]
    row: &'a T,
    /// How the cost follows from features; `null` where nothing can be said.
    law: Option<Law>,
}

/// What has models, and one law among them.
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
    /// The law in one feature: its own, or the sum of parts.
    pub fn law_in(&self, model: &Model) -> Option<Law> {
        match self.parts_in(model) {
            Some(parts) => parts.law(),
            None => model.law(),
        }
    }

    /// What the whole is a sum of in the feature of one of its models.
    pub(crate) fn parts_in(&self, model: &Model) -> Option<&Parts> {
        self.parts.iter().find(|parts| parts.id == model.id)
    }

    /// The law of the whole.
    pub fn law(&self) -> Option<Law> {
        match RowLaw::of(&self.models, self.joint.as_ref())? {
            RowLaw::Of(model) => self.law_in(model),
            joint @ RowLaw::Joint(_) => joint.law(),
        }
    }
}
