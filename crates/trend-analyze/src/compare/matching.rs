//! Matches functions after a change with functions before it.
//!
//! Functions are matched in several steps: by name and file; by name alone, if a function moved; without signature,
//! type arguments and the version of a dependency; without the namespace. Finally, renamed functions are matched by the
//! text of their lines.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::bodies::Bodies;
use super::version::Version;
use crate::findings::row::Row;
use crate::study::matching::bare_name;

/// Least share of lines that a renamed function has in common with its former self.
const SIMILAR: f64 = 0.7;

/// Minimum number of lines for matching by content. Shorter functions resemble too many others.
const FEWEST_LINES: usize = 4;

/// Positions of the rows that both versions have, and of the rows that only one has.
#[derive(Default)]
pub(crate) struct Matched {
    pub(crate) pairs: Vec<(usize, usize)>,
    pub(crate) vanished: Vec<usize>,
    pub(crate) new: Vec<usize>,
}

pub(super) fn functions(
    (before, old): (&crate::findings::Findings, &Bodies<'_>),
    (after, new): (&crate::findings::Findings, &Bodies<'_>),
) -> Matched {
    matched(&Functions::of_rows(&before.functions, old), &Functions::of_rows(&after.functions, new))
}

/// The place by which a function is recognised.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FunctionPlace<'a> {
    pub(crate) name: &'a str,
    pub(crate) file: &'a str,
    pub(crate) line: u32,
}

/// The functions of a version, in the form that is matched.
pub(crate) struct Functions<'a> {
    pub(crate) places: Vec<FunctionPlace<'a>>,
    /// Hashes of the lines of the function at a position; `None` if there are too few lines to distinguish functions.
    pub(crate) lines: Box<dyn Fn(usize) -> Option<Vec<u32>> + 'a>,
}

impl<'a> Functions<'a> {
    /// Returns the functions of a study.
    pub(crate) fn new(version: Version<'a>) -> Self {
        let bodies = Bodies::new(version);
        let rows = &version.findings.functions;
        Self { places: places(rows), lines: Box::new(move |i| hashes(&bodies, &rows[i])) }
    }

    fn of_rows(rows: &'a [Row], bodies: &'a Bodies<'a>) -> Self {
        Self { places: places(rows), lines: Box::new(|i| hashes(bodies, &rows[i])) }
    }
}

fn places(rows: &[Row]) -> Vec<FunctionPlace<'_>> {
    rows.iter().map(|row| FunctionPlace { name: &row.name, file: &row.file, line: row.line }).collect()
}

/// Returns the hashes of a function's lines, without the first line, which contains its name.
fn hashes(bodies: &Bodies<'_>, row: &Row) -> Option<Vec<u32>> {
    let lines = bodies.text(row)?.iter().skip(1).filter(|line| !line.is_empty());
    let lines: Vec<u32> = lines.map(|line| hash(line)).collect();
    (lines.len() >= FEWEST_LINES).then_some(lines)
}

/// Hashes a line by FNV-1a in 24 bits. The function must never change because baselines store its results.
fn hash(line: &str) -> u32 {
    let all =
        line.bytes().fold(0x811c_9dc5_u32, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193));
    (all >> 24) ^ (all & 0x00ff_ffff)
}

/// Matches the functions of two versions.
///
/// - Time: O(functions · log functions), and O(functions²) if many functions are renamed at once.
pub(crate) fn matched(before: &Functions<'_>, after: &Functions<'_>) -> Matched {
    let mut matching = Matching::new(&before.places, &after.places);
    let last = |name: &str| name.rsplit("::").next().unwrap_or_default().to_owned();
    matching.by(|place| (place.name.to_owned(), place.file.to_owned()));
    matching.by(|place| (place.name.to_owned(), without_version(place.file)));
    matching.by(|place| (place.name.to_owned(), String::new()));
    matching.by(|place| (bare_name(place.name), without_version(place.file)));
    matching.by(|place| (bare_name(place.name), String::new()));
    matching.by(|place| (last(&bare_name(place.name)), without_version(place.file)));
    if !matching.old.is_empty() && !matching.new.is_empty() {
        matching.by_content(before, after);
    }
    let Matching { mut pairs, old, new, .. } = matching;
    pairs.sort_unstable();
    Matched { pairs, vanished: old.into_iter().collect(), new: new.into_iter().collect() }
}

/// Returns the file of a dependency without its version: `regex/src/lib.rs` for `regex-1.10.0/src/lib.rs`.
fn without_version(file: &str) -> String {
    let (first, rest) = file.split_once('/').unwrap_or((file, ""));
    let is_version = |text: &str| text.starts_with(|c: char| c.is_ascii_digit()) && text.contains('.');
    match first.rsplit_once('-') {
        Some((name, version)) if is_version(version) && !rest.is_empty() => format!("{name}/{rest}"),
        _ => file.to_owned(),
    }
}

struct Matching<'a> {
    before: &'a [FunctionPlace<'a>],
    after: &'a [FunctionPlace<'a>],
    pairs: Vec<(usize, usize)>,
    /// Positions before the change that are not matched yet; `new` has the positions after it.
    old: BTreeSet<usize>,
    new: BTreeSet<usize>,
}

impl<'a> Matching<'a> {
    fn new(before: &'a [FunctionPlace<'a>], after: &'a [FunctionPlace<'a>]) -> Self {
        let (old, new) = ((0..before.len()).collect(), (0..after.len()).collect());
        Self { before, after, pairs: Vec::new(), old, new }
    }

    /// Matches functions with equal keys, in the order of their lines.
    fn by<K: Ord>(&mut self, key: impl Fn(&FunctionPlace<'_>) -> K) {
        let group = |rows: &[FunctionPlace<'_>], open: &BTreeSet<usize>| {
            let mut by_key: BTreeMap<K, Vec<usize>> = BTreeMap::new();
            for &i in open {
                by_key.entry(key(&rows[i])).or_default().push(i);
            }
            for all in by_key.values_mut() {
                all.sort_by_key(|&i| rows[i].line);
            }
            by_key
        };
        let (old, mut new) = (group(self.before, &self.old), group(self.after, &self.new));
        for (key, olds) in old {
            let Some(news) = new.remove(&key) else { continue };
            // If the numbers differ, the right pairs are unknown.
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

    /// Matches functions by their lines, most similar first.
    fn by_content(&mut self, before: &Functions<'_>, after: &Functions<'_>) {
        let mut alike = Vec::new();
        let others: Vec<(usize, Vec<u32>)> =
            self.new.iter().filter_map(|&j| Some((j, (after.lines)(j)?))).collect();
        for &i in &self.old {
            let Some(lines) = (before.lines)(i) else { continue };
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

/// Returns the share of lines that two multisets have in common.
fn similarity(one: &[u32], other: &[u32]) -> f64 {
    let mut counts: HashMap<u32, (usize, usize)> = HashMap::new();
    for line in one {
        counts.entry(*line).or_default().0 += 1;
    }
    for line in other {
        counts.entry(*line).or_default().1 += 1;
    }
    let both: usize = counts.values().map(|(a, b)| a.min(b)).sum();
    2.0 * both as f64 / (one.len() + other.len()) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns pairs of names before and after, where each function is `name file`.
    fn pairs<'a>(before: &[&'a str], after: &[&'a str]) -> Vec<(&'a str, &'a str)> {
        let functions = |texts: &[&'a str]| {
            let place = |text: &&'a str| {
                let (name, file) = text.rsplit_once(' ').unwrap();
                FunctionPlace { name, file, line: 1 }
            };
            Functions { places: texts.iter().map(place).collect(), lines: Box::new(|_| None) }
        };
        let matched = matched(&functions(before), &functions(after));
        matched.pairs.into_iter().map(|(i, j)| (before[i], after[j])).collect()
    }

    #[test]
    fn a_function_is_found_again_whatever_part_of_its_name_changed() {
        for (was, is) in [
            ("work a.c", "work b.c"),
            ("work(int) a.cpp", "work(long, int) a.cpp"),
            ("a::work(int) a.cpp", "b::c::work(int) a.cpp"),
            ("long work<int>(int) a.cpp", "long work<long>(long) b.cpp"),
            ("<table::Table>::insert src/lib.rs", "<table::Table<u8>>::insert::<u64> src/map.rs"),
            ("dep::find dep-1.2.0/src/lib.rs", "dep::find dep-2.0.0-rc.1/src/lib.rs"),
        ] {
            assert_eq!(pairs(&[was], &[is]), [(was, is)]);
        }
        assert_eq!(pairs(&["work a.c"], &["play a.c"]), []);
    }

    #[test]
    fn what_is_alike_in_more_ways_is_matched_first() {
        let matched = pairs(&["f(int) a.cpp", "f(long) a.cpp"], &["f(long) b.cpp", "f(int, int) a.cpp"]);
        assert_eq!(matched, [("f(int) a.cpp", "f(int, int) a.cpp"), ("f(long) a.cpp", "f(long) b.cpp")]);
        // Several candidates match equally well.
        assert_eq!(pairs(&["f(int) a.cpp"], &["f(long) a.cpp", "f(char) a.cpp"]), []);
    }
}
