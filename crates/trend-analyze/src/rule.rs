//! What tells two groups of workloads apart: the value of a feature, or a word in their names. Fits nothing.

use std::collections::{BTreeMap, BTreeSet};

use trend_profile::Study;

/// Workloads, as a fraction, that a rule may put into the other group: those where two trends cross belong to either.
const LARGEST_ERROR: f64 = 0.05;

/// A rule that tells costlier workloads from cheaper ones.
#[derive(Debug, PartialEq)]
pub(crate) struct Rule {
    /// The feature that it looks at, if it is one.
    pub(crate) feature: Option<String>,
    pub(crate) words: String,
    /// `[workloads]` of those that were asked about, by the rule.
    pub(crate) is_costlier: Vec<bool>,
}

/// The rule by which `is_costlier` comes out for the workloads `indices`: a feature other than `own`, the one with the
/// fewest errors, the first declared of these; else a word of the names.
pub(crate) fn find(study: &Study, own: &str, indices: &[usize], is_costlier: &[bool]) -> Option<Rule> {
    let features = study.features().iter().filter(|f| f.name != own).filter_map(|feature| {
        let values: Option<Vec<f64>> = indices.iter().map(|&i| feature.values[i]).collect();
        threshold(&feature.name, &values?, is_costlier)
    });
    let names: Vec<&str> = indices.iter().map(|&i| study.workloads()[i].name.as_str()).collect();
    best(features).or_else(|| best(word(&names, is_costlier).into_iter())).or_else(|| {
        best([true, false].into_iter().filter_map(|side| several_words(&names, is_costlier, side)))
    })
}

/// The first rule with the fewest errors, when these are few enough and it makes two groups.
fn best(rules: impl Iterator<Item = (usize, Rule)>) -> Option<Rule> {
    let (errors, rule) = rules.min_by_key(|(errors, _)| *errors)?;
    let allowed = LARGEST_ERROR * rule.is_costlier.len() as f64;
    let is_two = [true, false].iter().all(|side| rule.is_costlier.contains(side));
    (errors as f64 <= allowed && is_two).then_some(rule)
}

/// The best threshold of a feature, and how many workloads it puts into the wrong group.
fn threshold(name: &str, values: &[f64], is_costlier: &[bool]) -> Option<(usize, Rule)> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|&i, &j| values[i].total_cmp(&values[j]));
    let costlier = is_costlier.iter().filter(|c| **c).count();
    let mut costlier_below = 0;
    let mut best: Option<(usize, f64, f64, bool)> = None;
    for (before, pair) in order.windows(2).enumerate() {
        let below = before + 1;
        costlier_below += usize::from(is_costlier[pair[0]]);
        let (low, high) = (values[pair[0]], values[pair[1]]);
        if low == high {
            continue;
        }
        let cheaper_above = (values.len() - below) - (costlier - costlier_below);
        let errors = costlier_below + cheaper_above;
        for (errors, costlier_is_above) in [(errors, true), (values.len() - errors, false)] {
            if best.is_none_or(|(least, ..)| errors < least) {
                best = Some((errors, low, high, costlier_is_above));
            }
        }
    }
    let (errors, low, high, costlier_is_above) = best?;
    let (least, most) = (values[order[0]], values[order[order.len() - 1]]);
    let side = |value: f64, sign: &str, end: f64| {
        let sign = if value == end { "=" } else { sign };
        format!("{name} {sign} {value}")
    };
    let (below, above) = (side(low, "≤", least), side(high, "≥", most));
    let (cheap, costly) = if costlier_is_above { (below, above) } else { (above, below) };
    let words = format!("{cheap} is cheaper, {costly} costlier");
    let is_costlier = values.iter().map(|&v| (v >= high) == costlier_is_above).collect();
    Some((errors, Rule { feature: Some(name.to_owned()), words, is_costlier }))
}

/// Which names have a word, ascending.
fn names_by_word<'a>(names: &[&'a str]) -> BTreeMap<&'a str, Vec<usize>> {
    let mut by_word: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (i, name) in names.iter().enumerate() {
        for word in parts(name) {
            by_word.entry(word).or_default().push(i);
        }
    }
    by_word
}

/// The word that the names of one group have and those of the other have not, with the number of names that it gets
/// wrong; of several the first, words before numbers, and what says which are the costlier ones before what says which are
/// the others.
fn word(names: &[&str], is_costlier: &[bool]) -> Option<(usize, Rule)> {
    let by_word = names_by_word(names);
    let costlier = is_costlier.iter().filter(|c| **c).count();
    let choice = |(word, having): (&&str, &Vec<usize>)| {
        let right = having.iter().filter(|&&i| is_costlier[i]).count();
        // Named but cheaper, and costlier without being named; the other way round all others are wrong.
        let errors = (having.len() - right) + (costlier - right);
        let is_number = word.starts_with(|c: char| c.is_ascii_digit());
        let of = |errors, means_costlier: bool| (errors, is_number, !means_costlier);
        [of(errors, true), of(names.len() - errors, false)].into_iter().min()
    };
    let all = by_word.iter().filter_map(|entry| Some((choice(entry)?, entry)));
    let ((errors, _, means_cheaper), (word, having)) =
        all.min_by(|p, q| p.0.cmp(&q.0).then(p.1.0.cmp(q.1.0)))?;
    let mut is_costlier = vec![means_cheaper; names.len()];
    for &i in having {
        is_costlier[i] = !means_cheaper;
    }
    let words = format!("`{word}` in the name is {}", if means_cheaper { "cheaper" } else { "costlier" });
    Some((errors, Rule { feature: None, words, is_costlier }))
}

/// A few words of which each name of one group has one and those of the other have none.
fn several_words(names: &[&str], is_costlier: &[bool], side: bool) -> Option<(usize, Rule)> {
    /// A word of fewer names is the name of one workload.
    const FEWEST_NAMES: usize = 3;
    /// More words than these tell any groups apart.
    const MOST_WORDS: usize = 3;
    let by_word = names_by_word(names);
    let is_pure = |having: &[usize]| having.iter().all(|&i| is_costlier[i] == side);
    let pure: Vec<(&str, &[usize])> = (by_word.iter().map(|(word, having)| (*word, having.as_slice())))
        .filter(|(word, having)| word.starts_with(char::is_alphabetic) && having.len() >= FEWEST_NAMES)
        .filter(|(_, having)| is_pure(having))
        .collect();
    let (mut chosen, mut covered) = (Vec::new(), vec![false; names.len()]);
    while chosen.len() < MOST_WORDS {
        let gain = |(_, having): &(&str, &[usize])| having.iter().filter(|&&i| !covered[i]).count();
        let next = pure.iter().copied().rev().max_by_key(gain).filter(|found| gain(found) >= FEWEST_NAMES);
        let Some((word, having)) = next else { break };
        chosen.push(word);
        for &i in having {
            covered[i] = true;
        }
    }
    chosen.sort_unstable();
    let quoted: Vec<String> = chosen.iter().map(|word| format!("`{word}`")).collect();
    let which = if side { "costlier" } else { "cheaper" };
    let words = format!("{} in the name is {which}", quoted.join(" or "));
    let by_rule: Vec<bool> = covered.iter().map(|c| *c == side).collect();
    let errors = by_rule.iter().zip(is_costlier).filter(|(p, q)| p != q).count();
    (!chosen.is_empty()).then_some((errors, Rule { feature: None, words, is_costlier: by_rule }))
}

/// The runs of letters and of digits in a name.
fn parts(name: &str) -> BTreeSet<&str> {
    let class = |c: char| (c.is_alphabetic(), c.is_numeric());
    let mut parts = BTreeSet::new();
    let mut start = 0;
    let mut before = (false, false);
    for (at, now) in name.char_indices().map(|(at, c)| (at, class(c))).chain([(name.len(), (false, false))]) {
        if now != before {
            if before != (false, false) {
                parts.insert(&name[start..at]);
            }
            (start, before) = (at, now);
        }
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_fall_into_words_and_numbers() {
        let found: Vec<&str> = parts("in/sorted-1000_x9.txt").into_iter().collect();
        assert_eq!(found, ["1000", "9", "in", "sorted", "txt", "x"]);
        assert_eq!(parts("größe12é").into_iter().collect::<Vec<_>>(), ["12", "größe", "é"]);
        assert!(parts("").is_empty() && parts("-/").is_empty());
    }

    #[test]
    fn a_feature_tells_groups_apart_by_its_values() {
        let text = "n: 1 2 3 4\nkind: 0 1 0 1\nruns: 9 2 8 1\na.c:1:f: 1 9 1 9";
        let study = Study::from_text(text).unwrap();
        let rule = find(&study, "n", &[0, 1, 2, 3], &[false, true, false, true]).unwrap();
        assert_eq!(rule.feature.as_deref(), Some("kind"));
        assert_eq!(rule.words, "kind = 0 is cheaper, kind = 1 costlier");
        let rule = find(&study, "kind", &[0, 1, 2, 3], &[false, true, false, true]).unwrap();
        assert_eq!(rule.words, "runs ≥ 8 is cheaper, runs ≤ 2 costlier");
        assert_eq!(find(&study, "n", &[0, 1, 2, 3], &[false, false, true, true]), None);
    }

    #[test]
    fn a_word_tells_groups_apart_that_all_names_of_one_have() {
        let names = ["random-10", "sorted-10", "random-20", "sorted-20"];
        let rule = best(word(&names, &[false, true, false, true]).into_iter()).unwrap();
        assert_eq!(rule.words, "`sorted` in the name is costlier");
        assert_eq!(best(word(&names, &[false, true, true, false]).into_iter()), None);
    }

    #[test]
    fn several_words_tell_kinds_of_inputs_apart() {
        let names = ["text-1", "text-2", "text-3", "zero-1", "zero-2", "zero-3", "rep-1", "rep-2", "rep-3"];
        let is_costlier = [true, true, true, false, false, false, false, false, false];
        let (errors, rule) = several_words(&names, &is_costlier, false).unwrap();
        assert_eq!((errors, &*rule.words), (0, "`rep` or `zero` in the name is cheaper"));
        let mixed = [true, false, true, false, true, false, true, false, true];
        assert_eq!(several_words(&names, &mixed, true), None);
    }
}
