//! Matches lines after a change with lines before it, within matched functions.
//!
//! Lines with equal text are matched in their order. If lines were replaced by the same number of lines, these are
//! matched in their order. Other replaced lines are matched if their texts are nearly equal.

use std::collections::{BTreeSet, HashMap};

use rayon::prelude::*;
use similar::{Algorithm, DiffOp, capture_diff_slices};

use super::bodies::{Bodies, Line};
use super::matching::Matched;
use crate::findings::row::{Cluster, Member, Row};

/// Least share of text that two matched lines have in common, and of lines that two matched clusters have in common.
const SIMILAR: f64 = 0.5;

/// Largest product of a function's lines before and after that is compared: the comparison takes this many steps at
/// worst.
const MOST_COMPARED: usize = 100_000_000;

/// Maximum number of line pairs that are compared within one replacement.
const MOST_ALIKE: usize = 10_000;

/// A map from lines before the change to lines after it.
pub(super) struct LineMap<'a> {
    after: HashMap<Line<'a>, Line<'a>>,
}

impl<'a> LineMap<'a> {
    /// Maps the lines of functions that both versions have.
    pub(super) fn new(functions: &[(&'a Row, &'a Row)], old: &Bodies<'_>, new: &Bodies<'_>) -> Self {
        let lines = functions.par_iter().flat_map_iter(|&(was, is)| {
            let first = old.first(was).zip(new.first(is));
            let pairs = first.map(|_| pairs((old, was), (new, is))).unwrap_or_default();
            let line =
                |row: &'a Row, first: u32, i: usize| (row.file.as_str(), first.saturating_add(i as u32));
            let (before, after) = first.unwrap_or_default();
            pairs.into_iter().map(move |(i, j)| (line(was, before, i), line(is, after, j)))
        });
        Self { after: lines.collect() }
    }

    fn get(&self, line: Line<'_>) -> Option<Line<'a>> {
        self.after.get(&line).copied()
    }
}

/// Returns pairs of lines before and after, as offsets from the function's first line.
fn pairs((old, was): (&Bodies<'_>, &Row), (new, is): (&Bodies<'_>, &Row)) -> Vec<(usize, usize)> {
    let (Some(before), Some(after)) = (old.text(was), new.text(is)) else {
        // Without sources, a line is assumed to keep its distance from the function's first line.
        let first = old.first(was).unwrap_or_default();
        return old
            .counted(was)
            .filter_map(|line| line.checked_sub(first))
            .map(|i| (i as usize, i as usize))
            .collect();
    };
    if before == after {
        return (0..before.len()).map(|i| (i, i)).collect();
    }
    if before.len().saturating_mul(after.len()) > MOST_COMPARED {
        return Vec::new();
    }
    let mut pairs = Vec::new();
    for op in capture_diff_slices(Algorithm::Patience, before, after) {
        let (old, new) = (op.old_range(), op.new_range());
        match op {
            DiffOp::Equal { .. } => pairs.extend(old.zip(new)),
            DiffOp::Replace { .. } if old.len() == new.len() => pairs.extend(old.zip(new)),
            DiffOp::Replace { .. } if old.len().saturating_mul(new.len()) <= MOST_ALIKE => {
                let offsets = alike(&before[old.clone()], &after[new.clone()]);
                pairs.extend(offsets.into_iter().map(|(i, j)| (old.start + i, new.start + j)));
            }
            DiffOp::Replace { .. } | DiffOp::Delete { .. } | DiffOp::Insert { .. } => {}
        }
    }
    pairs
}

/// Returns pairs of replaced lines whose texts are nearly equal, in their order.
fn alike(before: &[&str], after: &[&str]) -> Vec<(usize, usize)> {
    let mut next = 0;
    let mut pairs = Vec::new();
    for (i, line) in before.iter().enumerate() {
        let similarities =
            after.iter().enumerate().skip(next).map(|(j, is)| (strsim::sorensen_dice(line, is), j));
        let best = similarities.max_by(|a, b| a.0.total_cmp(&b.0).then(b.1.cmp(&a.1)));
        if let Some((_, j)) = best.filter(|(similarity, _)| *similarity >= SIMILAR) {
            pairs.push((i, j));
            next = j + 1;
        }
    }
    pairs
}

/// Matches the counted lines of functions that both versions have.
pub(super) fn of_functions(
    functions: &[(&Row, &Row)],
    map: &LineMap<'_>,
    (old, before): (&Bodies<'_>, &[Row]),
    (new, after): (&Bodies<'_>, &[Row]),
) -> Matched {
    fn positions(rows: &[Row]) -> HashMap<Line<'_>, usize> {
        rows.iter().enumerate().map(|(i, row)| ((row.file.as_str(), row.line), i)).collect()
    }
    let (old_rows, new_rows) = (positions(before), positions(after));
    let mut matched = Matched::default();
    let (mut visited, mut paired) = (BTreeSet::new(), BTreeSet::new());
    for &(was, is) in functions {
        for line in old.counted(was) {
            let Some(&i) = old_rows.get(&(was.file.as_str(), line)) else { continue };
            // The instances of a generic function share its lines.
            if !visited.insert(i) {
                continue;
            }
            match map.get((&was.file, line)).and_then(|line| new_rows.get(&line)) {
                Some(&j) if paired.insert(j) => matched.pairs.push((i, j)),
                _ => matched.vanished.push(i),
            }
        }
        let rows = new.counted(is).filter_map(|line| new_rows.get(&(is.file.as_str(), line)).copied());
        matched.new.extend(rows);
    }
    matched.new.sort_unstable();
    matched.new.dedup();
    matched.new.retain(|j| !paired.contains(j));
    matched
}

/// Matches clusters that have most of their lines in common, most similar first.
pub(super) fn clusters<'a>(before: &'a [Cluster], after: &'a [Cluster], map: &LineMap<'a>) -> Matched {
    // A member without a mapped line is assumed to be where it was.
    let own =
        |member: &'a Member| if member.line > 0 { (&*member.file, member.line) } else { (&*member.name, 0) };
    let old = before.iter().map(|cluster| {
        let lines = cluster.members.iter().map(|member| map.get(own(member)).unwrap_or(own(member)));
        lines.collect::<BTreeSet<_>>()
    });
    let old: Vec<BTreeSet<Line<'_>>> = old.collect();
    // A line can be in several clusters.
    let mut at: HashMap<Line<'_>, Vec<usize>> = HashMap::new();
    let mut sizes = Vec::new();
    for (j, cluster) in after.iter().enumerate() {
        let lines: BTreeSet<Line<'_>> = cluster.members.iter().map(own).collect();
        sizes.push(lines.len());
        for line in lines {
            at.entry(line).or_default().push(j);
        }
    }
    let mut alike = Vec::new();
    for (i, lines) in old.iter().enumerate() {
        let mut both: HashMap<usize, usize> = HashMap::new();
        for j in lines.iter().filter_map(|line| at.get(line)).flatten() {
            *both.entry(*j).or_default() += 1;
        }
        let similarity = |(j, both)| (2.0 * both as f64 / (lines.len() + sizes[j]) as f64, i, j);
        let similar = both.into_iter().map(similarity);
        alike.extend(similar.filter(|(similarity, ..)| *similarity >= SIMILAR));
    }
    alike.sort_by(|a, b| b.0.total_cmp(&a.0).then((a.1, a.2).cmp(&(b.1, b.2))));
    let (mut vanished, mut new): (BTreeSet<_>, BTreeSet<_>) =
        ((0..before.len()).collect(), (0..after.len()).collect());
    let mut pairs = Vec::new();
    for (_, i, j) in alike {
        if vanished.contains(&i) && new.contains(&j) {
            vanished.remove(&i);
            new.remove(&j);
            pairs.push((i, j));
        }
    }
    Matched { pairs, vanished: vanished.into_iter().collect(), new: new.into_iter().collect() }
}
