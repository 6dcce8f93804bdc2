//! Which function after a change is which function before it.
//!
//! By name and file; then by name alone, where it moved; then by what its lines say, where it was renamed.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::lines::Bodies;
use crate::{Findings, Row};

/// A function was renamed where so much of its lines is the same.
const SIMILAR: f64 = 0.7;

/// Functions of fewer lines are like too many others.
const FEWEST_LINES: usize = 4;

/// Positions of the rows that both versions have, and of the rows that one has.
#[derive(Default)]
pub(super) struct Matched {
    pub(super) pairs: Vec<(usize, usize)>,
    pub(super) vanished: Vec<usize>,
    pub(super) new: Vec<usize>,
}

pub(super) fn functions(
    (before, old): (&Findings, &Bodies<'_>),
    (after, new): (&Findings, &Bodies<'_>),
) -> Matched {
    let mut matching = Matching::new(before, after);
    matching.by(|row| (row.name.clone(), row.file.clone()));
    matching.by(|row| (row.name.clone(), String::new()));
    if !matching.old.is_empty() && !matching.new.is_empty() {
        matching.by_content(old, new);
    }
    let Matching { mut pairs, old, new, .. } = matching;
    pairs.sort_unstable();
    Matched { pairs, vanished: old.into_iter().collect(), new: new.into_iter().collect() }
}

struct Matching<'a> {
    before: &'a [Row],
    after: &'a [Row],
    pairs: Vec<(usize, usize)>,
    /// What is not matched yet.
    old: BTreeSet<usize>,
    new: BTreeSet<usize>,
}

impl<'a> Matching<'a> {
    fn new(before: &'a Findings, after: &'a Findings) -> Self {
        let (before, after) = (before.functions.as_slice(), after.functions.as_slice());
        let (old, new) = ((0..before.len()).collect(), (0..after.len()).collect());
        Self { before, after, pairs: Vec::new(), old, new }
    }

    /// Matches those of one key, in the order of their lines.
    fn by<K: Ord>(&mut self, key: impl Fn(&Row) -> K) {
        let of = |rows: &[Row], open: &BTreeSet<usize>| {
            let mut by_key: BTreeMap<K, Vec<usize>> = BTreeMap::new();
            for &i in open {
                by_key.entry(key(&rows[i])).or_default().push(i);
            }
            for all in by_key.values_mut() {
                all.sort_by_key(|&i| rows[i].line);
            }
            by_key
        };
        let (old, mut new) = (of(self.before, &self.old), of(self.after, &self.new));
        for (key, olds) in old {
            let Some(news) = new.remove(&key) else { continue };
            // Of different numbers nobody knows which is which.
            if olds.len() == news.len() {
                for pair in olds.into_iter().zip(news) {
                    self.add(pair);
                }
            }
        }
    }

    fn add(&mut self, (i, j): (usize, usize)) {
        self.old.remove(&i);
        self.new.remove(&j);
        self.pairs.push((i, j));
    }

    /// Matches what is most alike first.
    fn by_content(&mut self, old: &Bodies<'_>, new: &Bodies<'_>) {
        let mut alike = Vec::new();
        let others: Vec<(usize, Vec<&str>)> =
            self.new.iter().filter_map(|&j| Some((j, body(new, &self.after[j])?))).collect();
        for &i in &self.old {
            let Some(lines) = body(old, &self.before[i]) else { continue };
            for &(j, ref other) in &others {
                let similarity = similarity(&lines, other);
                if similarity >= SIMILAR {
                    alike.push((similarity, i, j));
                }
            }
        }
        alike.sort_by(|a, b| b.0.total_cmp(&a.0).then((a.1, a.2).cmp(&(b.1, b.2))));
        for (_, i, j) in alike {
            if self.old.contains(&i) && self.new.contains(&j) {
                self.add((i, j));
            }
        }
    }
}

/// The lines of a function after the first, which has its name; `None` where that is too little.
fn body<'a>(bodies: &Bodies<'a>, row: &Row) -> Option<Vec<&'a str>> {
    let lines: Vec<&str> =
        bodies.text(row)?.iter().skip(1).copied().filter(|line| !line.is_empty()).collect();
    (lines.len() >= FEWEST_LINES).then_some(lines)
}

/// The share of two multisets of lines that is in both.
fn similarity(one: &[&str], other: &[&str]) -> f64 {
    let mut counts: HashMap<&str, (usize, usize)> = HashMap::new();
    for line in one {
        counts.entry(line).or_default().0 += 1;
    }
    for line in other {
        counts.entry(line).or_default().1 += 1;
    }
    let both: usize = counts.values().map(|(a, b)| a.min(b)).sum();
    2.0 * both as f64 / (one.len() + other.len()) as f64
}
