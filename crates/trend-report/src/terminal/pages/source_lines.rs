//! Lists the lines of a function with their costs and clusters.

use std::collections::{BTreeMap, HashMap};

use trend_analyze::{Cluster, Findings, Row};
use trend_profile::{LocationId, Study};

use crate::layout::columns::{Cell, Column, Columns, Room};
use crate::layout::number;
use crate::layout::style::DIM;
use crate::layout::text::{cut, source_line, visible};
use crate::rows::scope::Scope;
use crate::words::{cells, growth};

/// Maximum width of source text; the terminal may leave less.
const SOURCE_WIDTH: usize = 100;

/// Maximum number of clusters named for a line.
const MOST_CLUSTERS: usize = 2;

/// A line on which blocks begin.
pub(crate) struct SourceLine<'a> {
    pub(crate) file: String,
    /// Line number; 0 if unknown.
    pub(crate) line: u32,
    pub(crate) max_cost: u64,
    /// Share of the most expensive workload.
    pub(crate) share: f64,
    /// Clusters that contain a block of the line, by rank.
    pub(crate) clusters: Vec<&'a Cluster>,
}

/// A line's costs, `[workloads]`, and the clusters with members on it.
type Summed<'a> = (Vec<u64>, Vec<&'a Cluster>);

/// Returns the lines of a function that were executed, by falling cost.
pub(crate) fn of_function<'a>(findings: &'a Findings, study: &Study, row: &Row) -> Vec<SourceLine<'a>> {
    let is_wanted = |id: &LocationId| {
        let function = study.function(study.location(*id).function);
        function.symbol.name == row.name && function.file == row.file
    };
    let mut members: HashMap<(&str, u32, u32, &str), Vec<&'a Cluster>> = HashMap::new();
    for cluster in &findings.clusters {
        for m in &cluster.members {
            members.entry((&m.file, m.line, m.block, &m.function)).or_default().push(cluster);
        }
    }
    let mut lines: BTreeMap<(&str, u32), Summed<'a>> = BTreeMap::new();
    for id in study.blocks().filter(is_wanted) {
        let location = study.location(id);
        let row = study.counts().row(id);
        let (costs, clusters) =
            lines.entry((&location.file, location.line)).or_insert_with(|| (vec![0; row.len()], Vec::new()));
        row.add_to(costs, 1);
        let function = study.function(location.function).symbol.name.as_str();
        let key = (&*location.file, location.line, location.block, function);
        clusters.extend(members.get(&key).into_iter().flatten());
    }
    let largest = findings.total.costs.iter().enumerate().rev().max_by_key(|(_, total)| **total);
    let share = |costs: &[u64]| match largest {
        Some((i, &total)) if total > 0 => costs.get(i).map_or(0.0, |&cost| cost as f64 / total as f64),
        _ => 0.0,
    };
    let mut lines: Vec<SourceLine<'a>> = lines
        .into_iter()
        .map(|((file, line), (costs, mut clusters))| {
            clusters.sort_by_key(|c| c.rank);
            clusters.dedup_by_key(|c| c.rank);
            let max_cost = costs.iter().copied().max().unwrap_or(0);
            SourceLine { file: file.to_owned(), line, max_cost, share: share(&costs), clusters }
        })
        .filter(|line| line.max_cost > 0)
        .collect();
    lines.sort_by_key(|line| std::cmp::Reverse(line.max_cost));
    lines
}

/// Returns the source text of a line.
pub(crate) fn text(study: &Study, file: &str, line: u32) -> Option<String> {
    let text = study.source(file)?.lines().nth((line as usize).checked_sub(1)?)?;
    Some(source_line(text))
}

pub(crate) fn columns(study: &Study, lines: &[SourceLine<'_>], scope: &Scope<'_>) -> Vec<Column> {
    let place =
        |l: &SourceLine<'_>| if l.line > 0 { format!("{}:{}", l.file, l.line) } else { l.file.clone() };
    let source = |l: &SourceLine<'_>| {
        let text = text(study, &l.file, l.line)?;
        Some(Cell::styled(cut(text.trim_start(), SOURCE_WIDTH), DIM))
    };
    Columns::new(lines)
        .right("max cost", Room::Fixed, |l| cells::aligned(number::count(l.max_cost)))
        .right("share", Room::Goes(1), |l| number::share(l.share))
        .left("line", Room::Shrinks(14), |l| visible(&place(l)).into_owned())
        .left("cluster", Room::Goes(2), |l| in_clusters(l, scope))
        .left("source", Room::Shrinks(12), source)
        .columns
}

/// Names the clusters of a line with their growth: `#1 n^2, #3 n`. Empty if the line is in none.
fn in_clusters(line: &SourceLine<'_>, scope: &Scope<'_>) -> String {
    let name = |cluster: &&Cluster| {
        let law = scope.law(&cluster.fits);
        let growth = law.map(|law| growth::of_law(law));
        format!("#{} {}", cluster.rank, growth.unwrap_or_default()).trim_end().to_owned()
    };
    let mut names: Vec<String> = line.clusters.iter().take(MOST_CLUSTERS).map(name).collect();
    if line.clusters.len() > MOST_CLUSTERS {
        names.push("…".to_owned());
    }
    names.join(", ")
}
