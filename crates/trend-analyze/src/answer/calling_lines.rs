//! Lists the lines that call each function, with the number of calls in the costliest run, and finds functions that
//! only one other function calls.
//!
//! A line is executed as often as its blocks. If their counts differ, as in `if (!known) add(item);`, the block that
//! calls is unknown, and the most frequent block gives the maximum.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::iter::successors;
use std::sync::Arc;

use trend_profile::{FunctionId, LocationId, Study};

use super::callers::{Key, blocks_of_lines, greatest_blocks, key, site};
use crate::findings::Findings;
use crate::findings::row::{CallingLine, Cluster, OnlyCaller};
use crate::fit::factors::Entries;

/// Maximum number of lines listed for a function. Some functions, such as allocators, have thousands of callers.
const MOST_LINES: usize = 20;

/// Fills in the calling lines of all functions. `names` has the name of each location.
///
/// - Time: O(calls + lines of the calling functions + members of clusters).
pub(crate) fn fill_in(study: &Study, entries: &Entries<'_>, names: &[Arc<str>], findings: &mut Findings) {
    if study.calls().is_empty() {
        return;
    }
    let totals = &findings.total.costs;
    let run = (0..totals.len()).max_by_key(|&run| totals[run]).unwrap_or(0);
    let greatest = greatest_blocks(study, run);
    let blocks = blocks_of_lines(study);
    let clusters = clusters_of(&findings.clusters, blocks.values().flatten().map(|&id| &*names[id.index()]));
    let mut entered: HashMap<Key<'_>, Option<u64>> = HashMap::new();
    let mut lines: HashMap<Key<'_>, Vec<CallingLine>> = HashMap::new();
    for call in study.calls() {
        let (site, callee) = (site(call), key(&call.callee));
        let entered = *entered.entry(callee).or_insert_with(|| entries.in_run(study, callee, run));
        let has_run = greatest.get(&site.caller).is_some_and(|most| *most > 0);
        if entered == Some(0) || !has_run {
            continue;
        }
        let of_line = blocks.get(&site).map_or(&[][..], Vec::as_slice);
        // Uncounted code between the line and the callee may call it any number of times.
        let runs = Runs::new(study, of_line, run).filter(|_| call.sites > 0);
        if runs.is_some_and(|runs| runs.most == 0) {
            continue;
        }
        let calls = runs.map(|runs| runs.most.saturating_mul(u64::from(call.sites)));
        lines.entry(callee).or_default().push(CallingLine {
            function: site.caller.0.to_owned(),
            function_file: site.caller.1.to_owned(),
            file: site.file.to_owned(),
            line: site.line,
            calls: calls.map(|calls| entered.map_or(calls, |entered| calls.min(entered))),
            at_most: runs.is_some_and(|runs| runs.least < runs.most || call.sites > 1) || calls > entered,
            cluster: runs.and_then(|_| common_cluster(of_line, names, &clusters)),
        });
    }
    let only_callers = only_callers(&lines, &entered);
    for row in &mut findings.functions {
        let key = (&*row.name, &*row.file);
        let Some(mut callers) = lines.remove(&key) else { continue };
        row.only_caller = only_callers.get(&key).cloned();
        callers.sort_by(|a, b| b.calls.cmp(&a.calls).then_with(|| (&a.file, a.line).cmp(&(&b.file, b.line))));
        row.more_callers = callers.len().saturating_sub(MOST_LINES);
        callers.truncate(MOST_LINES);
        row.callers = callers;
    }
}

/// Returns the only callers of functions. `lines` have the calls of each function in the costliest run, and `entered`
/// how often it was entered.
fn only_callers<'a>(
    lines: &HashMap<Key<'a>, Vec<CallingLine>>,
    entered: &HashMap<Key<'a>, Option<u64>>,
) -> HashMap<Key<'a>, OnlyCaller> {
    let only_caller = |(callee, lines): (&Key<'a>, &Vec<CallingLine>)| {
        let entered = entered.get(callee).copied().flatten()?;
        Some((*callee, only_caller(*callee, lines, entered)?))
    };
    let mut callers: HashMap<Key<'a>, OnlyCaller> = lines.iter().filter_map(only_caller).collect();
    // Functions that only call each other must have another caller, whose calls are unknown.
    let in_circles: Vec<Key<'a>> =
        callers.keys().copied().filter(|&key| is_in_circle(&callers, key)).collect();
    for key in in_circles {
        callers.remove(&key);
    }
    callers
}

/// Returns the only other function whose lines call `callee`, if their calls account for all entries.
fn only_caller(callee: Key<'_>, lines: &[CallingLine], entered: u64) -> Option<OnlyCaller> {
    let others = || lines.iter().filter(|line| (&*line.function, &*line.function_file) != callee);
    let first = others().next()?;
    let is_first =
        |line: &CallingLine| (&line.function, &line.function_file) == (&first.function, &first.function_file);
    // Calls through pointers are in no line. Without them, the lines' calls do not reach the entries.
    let calls = lines.iter().try_fold(0_u64, |sum, line| Some(sum.saturating_add(line.calls?)))?;
    let (name, file) = (first.function.clone(), first.function_file.clone());
    (others().all(is_first) && calls >= entered).then_some(OnlyCaller { name, file })
}

/// Returns true if a function is its own only caller, directly or through others.
fn is_in_circle<'m>(callers: &'m HashMap<Key<'m>, OnlyCaller>, function: Key<'m>) -> bool {
    let caller = |key: &Key<'m>| callers.get(key).map(|caller| (&*caller.name, &*caller.file));
    let mut seen = HashSet::new();
    let mut callers_above = successors(caller(&function), caller).take_while(|key| seen.insert(*key));
    callers_above.any(|key| key == function)
}

/// Counts of a line's least and most frequent blocks.
#[derive(Clone, Copy)]
struct Runs {
    least: u64,
    most: u64,
}

impl Runs {
    /// Adds up the least and the greatest counts of all copies of the function. Returns `None` if there are no blocks.
    fn new(study: &Study, blocks: &[LocationId], run: usize) -> Option<Self> {
        let mut copies: BTreeMap<FunctionId, Self> = BTreeMap::new();
        for &id in blocks {
            let count = study.counts().row(id).at(run);
            let copy =
                copies.entry(study.location(id).function).or_insert(Self { least: count, most: count });
            *copy = Self { least: copy.least.min(count), most: copy.most.max(count) };
        }
        let add = |a: Self, b: Self| Self {
            least: a.least.saturating_add(b.least),
            most: a.most.saturating_add(b.most),
        };
        copies.into_values().reduce(add)
    }
}

/// Returns each location's first cluster, by the location's name. Locations in no cluster are left out.
fn clusters_of<'a>(
    clusters: &'a [Cluster],
    locations: impl Iterator<Item = &'a str>,
) -> HashMap<&'a str, &'a Cluster> {
    let mut clusters_of: HashMap<&str, Option<&Cluster>> = locations.map(|name| (name, None)).collect();
    for cluster in clusters {
        for member in &cluster.members {
            if let Some(first) = clusters_of.get_mut(&*member.name) {
                first.get_or_insert(cluster);
            }
        }
    }
    clusters_of.into_iter().filter_map(|(name, cluster)| Some((name, cluster?))).collect()
}

/// Returns the name of the cluster that all blocks of a line belong to.
fn common_cluster(
    blocks: &[LocationId],
    names: &[Arc<str>],
    clusters: &HashMap<&str, &Cluster>,
) -> Option<String> {
    let mut of_blocks = blocks.iter().map(|id| clusters.get(&*names[id.index()]).copied());
    let first = of_blocks.next()??;
    let is_same = |cluster: Option<&Cluster>| cluster.is_some_and(|cluster| cluster.rank == first.rank);
    of_blocks.all(is_same).then(|| first.representative.name.clone())
}
