//! Which line after a change is which line before it, within the functions that are the same.
//!
//! By what the lines say, in their order; where so many lines were replaced by as many, by their order; of others those that
//! say nearly the same.

use std::collections::{BTreeSet, HashMap};

use similar::{Algorithm, DiffOp, capture_diff_slices};
use trend_profile::Study;

use super::Version;
use super::matching::Matched;
use crate::row_models::lines_of;
use crate::{Cluster, Options, Row};

/// Lines are one where so much of their text is the same, and clusters where so much of their lines is.
const SIMILAR: f64 = 0.5;

/// Pairs of lines of one replacement that are looked at.
const MOST_ALIKE: usize = 10_000;

/// A line of a study: a file and a number.
type Line<'a> = (&'a str, u32);

/// The counted lines of functions, by the file and the line on which each begins.
pub(super) struct Bodies<'a> {
    study: &'a Study,
    lines: HashMap<Line<'a>, BTreeSet<u32>>,
}

impl<'a> Bodies<'a> {
    pub(super) fn new(version: Version<'a>) -> Self {
        let study = version.study;
        let mut lines: HashMap<Line<'_>, BTreeSet<u32>> = HashMap::new();
        for location in study.locations() {
            let function = study.function(location.function);
            if *location.file == function.file {
                lines.entry((&function.file, function.line)).or_default().extend(&*location.lines);
            }
        }
        Self { study, lines }
    }

    /// The lines that are counted; nothing where none is.
    fn counted<'s>(&'s self, function: &'s Row) -> impl Iterator<Item = u32> + 's {
        self.lines.get(&(function.file.as_str(), function.line)).into_iter().flatten().copied()
    }

    /// The counted lines of functions with their models.
    pub(super) fn rows<'r>(
        &self,
        version: Version<'_>,
        options: &Options,
        functions: impl Iterator<Item = &'r Row>,
    ) -> Vec<Row> {
        let mut wanted: HashMap<&str, BTreeSet<u32>> = HashMap::new();
        for function in functions {
            wanted.entry(&function.file).or_default().extend(self.counted(function));
        }
        let is_wanted = |file: &str, line| wanted.get(file).is_some_and(|lines| lines.contains(&line));
        if wanted.is_empty() {
            return Vec::new();
        }
        lines_of(version.study, options, version.findings, is_wanted)
    }

    /// What its lines say from the first to the last that is counted; `None` where the source is not there.
    pub(super) fn text(&self, function: &Row) -> Option<Vec<&'a str>> {
        let last = self.counted(function).last()?;
        let text = self.study.source(&function.file)?;
        let count = (last + 1).saturating_sub(function.line) as usize;
        let before = function.line.saturating_sub(1) as usize;
        Some(text.lines().skip(before).take(count).map(str::trim).collect())
    }
}

/// Of lines that were replaced by others, those that say nearly the same, in their order.
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

/// Lines after by lines before.
#[derive(Default)]
pub(super) struct LineMap<'a> {
    after: HashMap<Line<'a>, Line<'a>>,
}

impl<'a> LineMap<'a> {
    /// Adds the lines of a function that is in both versions.
    pub(super) fn add(&mut self, (old, was): (&Bodies<'_>, &'a Row), (new, is): (&Bodies<'_>, &'a Row)) {
        let mut pair = |before: usize, after: usize| {
            let line =
                |row: &'a Row, offset: usize| (row.file.as_str(), row.line.saturating_add(offset as u32));
            self.after.insert(line(was, before), line(is, after));
        };
        let (Some(before), Some(after)) = (old.text(was), new.text(is)) else {
            // Without sources, lines are where they were below the head of their function.
            let offset = |line: u32, row: &Row| line.saturating_sub(row.line) as usize;
            old.counted(was).for_each(|line| pair(offset(line, was), offset(line, was)));
            return;
        };
        for op in capture_diff_slices(Algorithm::Patience, &before, &after) {
            match op {
                DiffOp::Equal { old_index, new_index, len } => {
                    (0..len).for_each(|i| pair(old_index + i, new_index + i));
                }
                DiffOp::Replace { old_index, old_len, new_index, new_len } if old_len == new_len => {
                    (0..old_len).for_each(|i| pair(old_index + i, new_index + i));
                }
                DiffOp::Replace { old_index, old_len, new_index, new_len }
                    if old_len.saturating_mul(new_len) <= MOST_ALIKE =>
                {
                    let (old, new) =
                        (&before[old_index..old_index + old_len], &after[new_index..new_index + new_len]);
                    alike(old, new).into_iter().for_each(|(i, j)| pair(old_index + i, new_index + j));
                }
                DiffOp::Replace { .. } | DiffOp::Delete { .. } | DiffOp::Insert { .. } => {}
            }
        }
    }

    fn get(&self, line: Line<'_>) -> Option<Line<'a>> {
        self.after.get(&line).copied()
    }
}

/// The counted lines of functions that are in both versions.
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
    let (mut seen, mut taken) = (BTreeSet::new(), BTreeSet::new());
    for &(was, is) in functions {
        for line in old.counted(was) {
            let Some(&i) = old_rows.get(&(was.file.as_str(), line)) else { continue };
            // Lines of generic functions are those of each of their instances.
            if !seen.insert(i) {
                continue;
            }
            match map.get((&was.file, line)).and_then(|line| new_rows.get(&line)) {
                Some(&j) if taken.insert(j) => matched.pairs.push((i, j)),
                _ => matched.vanished.push(i),
            }
        }
        let rows = new.counted(is).filter_map(|line| new_rows.get(&(is.file.as_str(), line)).copied());
        matched.new.extend(rows);
    }
    matched.new.sort_unstable();
    matched.new.dedup();
    matched.new.retain(|j| !taken.contains(j));
    matched
}

/// Clusters are those that have most of their lines in common, the most alike first.
pub(super) fn clusters(before: &[Cluster], after: &[Cluster], map: &LineMap<'_>) -> Matched {
    let old = before.iter().map(|cluster| {
        let lines = cluster.members.iter().map(|member| map.get((&member.file, member.line)));
        lines.flatten().collect::<BTreeSet<_>>()
    });
    let old: Vec<BTreeSet<Line<'_>>> = old.collect();
    // A line can be in several clusters.
    let mut at: HashMap<Line<'_>, Vec<usize>> = HashMap::new();
    let mut sizes = Vec::new();
    for (j, cluster) in after.iter().enumerate() {
        let lines: BTreeSet<Line<'_>> = cluster.members.iter().map(|m| (&*m.file, m.line)).collect();
        sizes.push(lines.len());
        lines.into_iter().for_each(|line| at.entry(line).or_default().push(j));
    }
    let mut alike = Vec::new();
    for (i, lines) in old.iter().enumerate() {
        let mut both: HashMap<usize, usize> = HashMap::new();
        for j in lines.iter().filter_map(|line| at.get(line)).flatten() {
            *both.entry(*j).or_default() += 1;
        }
        let of = before[i].members.iter().map(|m| (&*m.file, m.line)).collect::<BTreeSet<_>>().len();
        let similar = both.into_iter().map(|(j, both)| (2.0 * both as f64 / (of + sizes[j]) as f64, i, j));
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
