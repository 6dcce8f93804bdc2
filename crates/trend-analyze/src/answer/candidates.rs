//! Selects the functions that an answer may name, with everything that does not depend on the target.

use std::collections::HashMap;

use serde::Serialize;
use trend_answer::{LEAST_SHARE, NOTABLE_SHARE, Outlook, Pace};
use trend_profile::Study;

use super::ShownPaces;
use super::callers::{Behind, Callers};
use super::repeating::Loops;
use crate::findings::Findings;
use crate::findings::answer::Repeating;
use crate::findings::law::RowLaw;
use crate::findings::model::{Model, NextRuns};
use crate::findings::row::{Cluster, Member};
use crate::fit::factors::Entries;
use crate::forecast::pace::pace;
use crate::study::point::target;

/// The functions that an answer may name, whatever the target. Together with their costs at a target they determine the
/// [`Answer`](crate::Answer).
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Candidates {
    /// Minimum share of the cost at the target with which a single place decides it.
    pub least_share: f64,
    /// The pace of the whole; absent if it is unknown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub whole: Option<Pace>,
    /// The functions that may be named.
    pub functions: Vec<Candidate>,
    /// The clusters that certainly grow faster than `n log n`, by their positions in [`Findings::clusters`].
    pub fast_groups: Vec<usize>,
    /// The rows whose laws, as shown, grow faster than `n log n` or may do so.
    pub shown: ShownPaces,
}

/// A function that an answer may name.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Candidate {
    /// Its position in [`Findings::functions`].
    pub function: usize,
    /// The function's costliest line at the target; 0 if unknown.
    pub line: u32,
    /// True if it is the user's own function, and not a library's.
    pub is_own: bool,
    /// The pace of the function; absent if it is unknown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pace: Option<Pace>,
    /// The loop that runs as often as the function is called, if the function certainly grows because of more calls.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub repeating: Option<Repeating>,
    /// The line of the user's own code that makes most of its calls, in the function that makes nearly all of them,
    /// perhaps through other functions; absent if no function does.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub caller: Option<Repeating>,
    /// A line at which the function calls itself more than once, if recursion makes its calls.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub branching: Option<Repeating>,
    /// The runs that would reveal more, if its growth is undecided.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next: Option<NextRuns>,
}

impl Candidates {
    /// Returns the candidates for the findings of a study; `None` if too few sizes were run to predict the whole.
    pub fn new(findings: &Findings, study: &Study) -> Option<Self> {
        let total = &findings.total;
        let law = total.fits.law()?;
        if matches!(law, RowLaw::Of(model) if !model.is_sound()) {
            return None;
        }
        let own = study.own_files();
        // If no function is the user's own, as in imported counts, all count as own.
        let has_own = findings.functions.iter().any(|row| own.contains(&*row.file));
        let facts = cluster_facts(findings, target(&findings.points));
        let of_whole = advice(&total.fits.models);
        let is_own = |file: &str| !has_own || own.contains(file);
        let entries = Entries::new(study);
        let mut loops: HashMap<usize, Loops<'_>> = HashMap::new();
        let mut repeating = |cluster: usize, row: &crate::findings::row::Row| {
            let of_cluster = || Loops::new(study, &entries, &findings.clusters[cluster], is_own);
            loops.entry(cluster).or_insert_with(of_cluster).repeating(&row.name, &row.file)
        };
        let callers = Callers::new(study, &entries, &total.costs, has_own.then(|| own.clone()));
        // Programs can have a hundred thousand functions that cost nothing.
        let may_matter = |row: &crate::findings::row::Row| {
            let pace = row.fits.law().and_then(pace);
            row.share_now >= NOTABLE_SHARE || matches!(pace, Some(Pace::Fast | Pace::Open))
        };
        let candidate = |(function, row): (usize, &crate::findings::row::Row)| {
            let of_row = facts.get(&(&*row.name, &*row.file));
            let pace = row.fits.law().and_then(pace);
            let of_whole = of_whole.filter(|_| pace == Some(Pace::Open));
            let next = of_row.and_then(|facts| facts.next).or(of_whole).cloned();
            let fast = of_row.filter(|_| pace == Some(Pace::Fast));
            let is_own = is_own(&row.file);
            let is_behind = !is_own || fast.is_some();
            let Behind { caller, branching } =
                if is_behind { callers.behind(&findings.functions[function]) } else { Behind::default() };
            let direct = || may_matter(row).then(|| callers.direct(&findings.functions[function])).flatten();
            let caller = caller.or_else(direct);
            let is_explained = caller.is_some() || branching.is_some();
            let repeating = fast.filter(|_| !is_explained).and_then(|facts| repeating(facts.cluster, row));
            let line = of_row.map_or(row.line, |facts| facts.line);
            Candidate { function, line, is_own, pace, repeating, caller, branching, next }
        };
        let rows = findings.functions.iter().enumerate();
        let named = rows.filter(|(_, row)| is_own(&row.file) || may_matter(row));
        Some(Self {
            least_share: LEAST_SHARE,
            whole: pace(law),
            functions: named.map(candidate).collect(),
            fast_groups: fast_groups(findings),
            shown: ShownPaces::new(findings),
        })
    }
}

fn fast_groups(findings: &Findings) -> Vec<usize> {
    let is_fast = |cluster: &Cluster| {
        cluster.fits.law().filter(|law| !law.is_poor()).and_then(pace) == Some(Pace::Fast)
    };
    let clusters = findings.clusters.iter().enumerate();
    clusters.filter(|(_, cluster)| is_fast(cluster)).map(|(i, _)| i).collect()
}

/// Facts about a function from the clusters: its costliest line at the target, the cluster of that line, and the runs
/// that would decide its growth.
struct ClusterFacts<'a> {
    line: u32,
    cluster: usize,
    /// The predicted cost of the line at the target.
    then: f64,
    next: Option<&'a NextRuns>,
}

/// Returns the facts about functions from the clusters, by name and file. If a cluster has no prediction, its lines are
/// assumed to grow like their function.
fn cluster_facts(findings: &Findings, point: Option<usize>) -> HashMap<(&str, &str), ClusterFacts<'_>> {
    let functions = findings.functions.iter();
    let of_functions: HashMap<(&str, &str), _> =
        functions.map(|row| ((&*row.name, &*row.file), growth(&row.outlooks, row.max_cost, point))).collect();
    let mut facts: HashMap<(&str, &str), ClusterFacts<'_>> = HashMap::new();
    for (i, cluster) in findings.clusters.iter().enumerate() {
        let next = advice(&cluster.fits.models);
        let of_cluster = growth(&cluster.outlooks, cluster.max_cost, point);
        for member in &cluster.members {
            let function = (&*member.function, &*member.file);
            let times = of_cluster.or_else(|| of_functions.get(&function).copied().flatten()).unwrap_or(1.0);
            let then = member.max_cost as f64 * times;
            let line = ClusterFacts { line: member.line, cluster: i, then, next };
            let of_row = facts.entry(function).or_insert(ClusterFacts { ..line });
            of_row.next = of_row.next.or(next);
            // The first of several lines with the same cost.
            if then > of_row.then || then == of_row.then && member.line < of_row.line {
                *of_row = ClusterFacts { next: of_row.next, ..line };
            }
        }
    }
    facts
}

/// Returns a row's predicted cost divided by its greatest measured cost.
fn growth(outlooks: &[Option<Outlook>], max_cost: u64, point: Option<usize>) -> Option<f64> {
    let then = outlooks.get(point?).copied().flatten()?;
    (max_cost > 0).then(|| then.cost / max_cost as f64)
}

impl Findings {
    /// Returns the costliest line of each function at the target, by the function's name and file.
    pub fn costliest_lines(&self) -> HashMap<(&str, &str), u32> {
        let facts = cluster_facts(self, target(&self.points));
        facts.into_iter().map(|(function, facts)| (function, facts.line)).collect()
    }

    /// Returns the costliest block at the target among the ones that `is_meant` selects, and its cluster; the first of
    /// equal ones.
    pub fn costliest_block(&self, is_meant: impl Fn(&Member) -> bool) -> Option<(&Cluster, &Member)> {
        let point = target(&self.points);
        let mut most: Option<(f64, &Cluster, &Member)> = None;
        for cluster in &self.clusters {
            let times = growth(&cluster.outlooks, cluster.max_cost, point).unwrap_or(1.0);
            for member in cluster.members.iter().filter(|member| is_meant(member)) {
                let then = member.max_cost as f64 * times;
                if most.is_none_or(|(greatest, ..)| then > greatest) {
                    most = Some((then, cluster, member));
                }
            }
        }
        most.map(|(_, cluster, member)| (cluster, member))
    }
}

fn advice(models: &[Model]) -> Option<&NextRuns> {
    models.iter().find_map(|model| model.next.as_ref().filter(|next| !next.sizes.is_empty()))
}
