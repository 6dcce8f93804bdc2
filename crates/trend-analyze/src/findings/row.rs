//! Rows: the whole program, functions, lines, blocks, and clusters of locations.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::Serialize;
use trend_answer::{Law, Outlook, Source};
use trend_profile::FeatureId;

#[cfg(doc)]
use super::Findings;
use super::law::{Fits, RowLaw};
use super::model::Model;
use super::published::Modelled;
use super::structure::Decomposition;
use crate::study::matching::{WAYS, is_path_end};

/// Minimum cost of a function in a cluster, relative to its costliest function, for a notable part.
const NOTABLE_PART: f64 = 0.1;

/// A function, a line or a block.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
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
    /// The models; [`Fits::law`] picks the law of the row.
    #[serde(flatten)]
    pub fits: Fits,
    /// The predicted costs at [`Findings::points`], by its law; `null` if unknown.
    pub outlooks: Vec<Option<Outlook>>,
    /// The user's note on the function.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// Lines that call the function, by falling number of calls; lines without a count come last. Empty if calls were
    /// not recorded, or if the row is not a function.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub callers: Vec<CallingLine>,
    /// Number of calling lines that `callers` leaves out.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub more_callers: usize,
    /// The only function whose lines call this one in the costliest run, apart from itself. Absent if there are
    /// several, or if the known calls do not account for the function's entries.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub only_caller: Option<OnlyCaller>,
    /// Costs by workload, in the order of the study.
    #[serde(skip)]
    pub costs: Vec<u64>,
}

/// The only function that calls another one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct OnlyCaller {
    /// Name of the calling function.
    pub name: String,
    /// Path of that function's source file.
    pub file: String,
}

/// A line that calls a function.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct CallingLine {
    /// Name of the function that contains the call.
    pub function: String,
    /// Path of that function's source file.
    pub function_file: String,
    /// Path of the source file with the call. It differs from `function_file` if the call was inlined.
    pub file: String,
    /// The call's line, 1-based.
    pub line: u32,
    /// Number of calls in the costliest run; absent if the line has no count.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub calls: Option<u64>,
    /// True if `calls` is only a maximum. This has three causes: blocks of the line have different counts; the line has
    /// several call instructions, which may be alternatives; or the function was entered less often.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub at_most: bool,
    /// Representative of the cluster that grows like the calls; absent if the number of calls hardly varies, or if
    /// blocks of the line are in different clusters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cluster: Option<String>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde gives it so")]
fn is_zero(count: &usize) -> bool {
    *count == 0
}

/// Locations whose costs vary together linearly.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
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
    /// The models; [`Fits::law`] picks the law of the row.
    #[serde(flatten)]
    pub fits: Fits,
    /// The predicted costs at [`Findings::points`], by its law; `null` if unknown.
    pub outlooks: Vec<Option<Outlook>>,
    /// The cost as entries of the function times cost per entry; only for costly clusters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub decomposition: Option<Decomposition>,
    /// Costlier clusters that this one overtakes as its feature grows.
    pub overtakes: Vec<Overtaking>,
    /// The user's note on the cluster.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// Costs by workload, in the order of the study.
    #[serde(skip)]
    pub costs: Vec<u64>,
}

/// Kind of a cluster's representative.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum RepresentativeKind {
    /// A feature of the workloads.
    Feature,
    /// The location of the greatest variance in the cluster.
    Location,
}

/// Representative that the members of a cluster are compared with.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Representative {
    /// The kind of representative.
    pub kind: RepresentativeKind,
    /// The feature's name, or the location's as `file:line`.
    pub name: String,
}

/// A location in a cluster.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
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
#[cfg_attr(test, derive(schemars::JsonSchema))]
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

/// The whole program as one row.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Total {
    /// The greatest cost in any workload.
    pub max_cost: u64,
    /// The models; [`Fits::law`] picks the law of the row.
    #[serde(flatten)]
    pub fits: Fits,
    /// The features in which predictions are sums of the functions' costs: all features if the program has several
    /// functions.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub parts: Vec<Parts>,
    /// The predicted costs at [`Findings::points`], by its law; `null` if unknown.
    pub outlooks: Vec<Option<Outlook>>,
    /// The scatter of the runs about its law; `null` without a law.
    pub scatter: Option<Scatter>,
    /// Costs by workload, in the order of the study.
    #[serde(skip)]
    pub costs: Vec<u64>,
}

/// Parts that add up to the predicted whole.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
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
    /// Costs by workload, in the order of the study.
    pub costs: Vec<u64>,
}

/// Scatter of the runs' costs about the law of the whole, and the runs that are far off.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Scatter {
    /// The median of measured ÷ law.
    pub middle: f64,
    /// The scatter in the log domain: 1.4826 times the median absolute deviation, which outliers do not inflate.
    pub sigma: f64,
    /// Distance from the middle, in sigmas, beyond which a run is an outlier.
    pub limit: f64,
    /// The outliers, the furthest first.
    pub outliers: Vec<Outlier>,
}

/// A run that is far off the law.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Outlier {
    /// Name of the workload.
    pub workload: String,
    /// Measured ÷ law. Above 1, the run costs more than the law predicts.
    pub ratio: f64,
    /// Distance from the middle as a multiple of [`Scatter::sigma`].
    pub sigmas: f64,
}

impl Row {
    /// Returns true if a word names this row by any of the [`WAYS`], or names its file.
    pub fn is_meant(&self, word: &str) -> bool {
        let is_named = WAYS.iter().any(|is_meant| is_meant((&self.name, &self.file), word));
        is_named || is_path_end(&self.name, word) || self.is_in(word)
    }

    /// Returns true if `file` is the row's file, or the end of its path.
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
            fits: self.fits.clone(),
            outlooks: self.outlooks.clone(),
            decomposition: self.decomposition.clone(),
            overtakes: self.overtakes.clone(),
            note: self.note.clone(),
            costs: self.costs.clone(),
        }
    }
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
        match self.fits.law()? {
            RowLaw::Of(model) => self.law_in(model),
            joint @ RowLaw::Joint(_) => joint.law(),
        }
    }
}

impl Parts {
    /// Returns the laws of all parts as one sum.
    pub fn law(&self) -> Option<Law> {
        let names = self.functions.iter().map(String::as_str).chain(std::iter::once("the rest"));
        let part = |(name, part): (&str, &crate::findings::row::Part)| {
            let law = part.model.law()?.parts.pop()?;
            Some((name.to_owned(), law.1))
        };
        let parts = names.zip(&self.rows).map(part).collect::<Option<Vec<_>>>()?;
        let decided = self.rows.iter().all(|part| part.model.law().is_some_and(|law| law.decided));
        Some(Law { features: vec![self.feature.clone()], source: Source::SumOfParts, decided, parts })
    }
}

impl Modelled for Row {
    fn law(&self) -> Option<Law> {
        self.fits.law()?.law()
    }
}

impl Modelled for Cluster {
    fn law(&self) -> Option<Law> {
        self.fits.law()?.law()
    }
}

impl Modelled for Total {
    fn law(&self) -> Option<Law> {
        Self::law(self)
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

/// A place in the program.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct JudgedPlace {
    /// The function's name, or `file:line`.
    pub name: String,
    /// The source file; empty if unknown.
    pub file: String,
    /// The line on which the place begins; 0 if unknown.
    pub line: u32,
}
