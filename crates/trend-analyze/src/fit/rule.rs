//! Finds a rule that separates two groups of workloads: the value of a feature, or a word in their names. Fits nothing.

use std::collections::{BTreeMap, BTreeSet};

use trend_profile::Study;

/// Maximum fraction of workloads that a rule may put into the wrong group. Where two trends cross, workloads belong to
/// either.
const LARGEST_ERROR: f64 = 0.05;

/// A rule that separates costlier workloads from cheaper ones.
#[derive(Debug, PartialEq)]
pub(crate) struct Rule {
    /// The feature that it tests, if it tests one.
    pub(crate) feature: Option<String>,
    pub(crate) words: String,
    /// `[workloads]` that were given, as the rule classifies them.
    pub(crate) is_costlier: Vec<bool>,
}

/// Returns a rule that reproduces `is_costlier` for the workloads `indices`. It tests a feature other than `own`, the
/// first declared one with the fewest errors, or else a word of the names.
pub(crate) fn find(study: &Study, own: &str, indices: &[usize], is_costlier: &[bool]) -> Option<Rule> {
    let features = study.features().iter().filter(|f| f.name != own).filter_map(|feature| {
        let values: Option<Vec<f64>> = indices.iter().map(|&i| feature.values[i]).collect();
        threshold(&feature.name, &values?, is_costlier)
    });
    let names: Vec<&str> = indices.iter().map(|&i| study.workloads()[i].name.as_str()).collect();
    best(features).or_else(|| best(word(&names, is_costlier).into_iter()))
}

/// Returns the first rule with the fewest errors, if these are few enough and it makes two groups.
fn best(rules: impl Iterator<Item = (usize, Rule)>) -> Option<Rule> {
    let (errors, rule) = rules.min_by_key(|(errors, _)| *errors)?;
    let allowed = LARGEST_ERROR * rule.is_costlier.len() as f64;
    let is_two = [true, false].iter().all(|side| rule.is_costlier.contains(side));
    (errors as f64 <= allowed && is_two).then_some(rule)
}

/// Returns the best threshold of a feature, and the number of workloads that it puts into the wrong group.
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
    let words = format!("{cheap} is cheaper, {costly} more expensive");
    let is_costlier = values.iter().map(|&v| (v >= high) == costlier_is_above).collect();
    Some((errors, Rule { feature: Some(name.to_owned()), words, is_costlier }))
}

/// Returns the word that occurs in the names of one group and not in the other's, and the number of names that it
/// gets wrong. Among words with the same number of errors, words win over numbers, then words of the costlier group
/// over words of the cheaper one, and then the first in alphabetical order.
fn word(names: &[&str], is_costlier: &[bool]) -> Option<(usize, Rule)> {
    let mut by_word: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (i, name) in names.iter().enumerate() {
        for word in parts(name) {
            by_word.entry(word).or_default().push(i);
        }
    }
    let costlier = is_costlier.iter().filter(|c| **c).count();
    let choice = |(word, having): (&&str, &Vec<usize>)| {
        let right = having.iter().filter(|&&i| is_costlier[i]).count();
        // Errors are cheaper workloads with the word and costlier ones without it. In the opposite rule, all others are
        // wrong.
        let errors = (having.len() - right) + (costlier - right);
        let is_number = word.starts_with(|c: char| c.is_ascii_digit());
        let candidate = |errors, means_costlier: bool| (errors, is_number, !means_costlier);
        [candidate(errors, true), candidate(names.len() - errors, false)].into_iter().min()
    };
    let all = by_word.iter().filter_map(|entry| Some((choice(entry)?, entry)));
    let ((errors, _, means_cheaper), (word, having)) =
        all.min_by(|p, q| p.0.cmp(&q.0).then(p.1.0.cmp(q.1.0)))?;
    let mut is_costlier = vec![means_cheaper; names.len()];
    for &i in having {
        is_costlier[i] = !means_cheaper;
    }
    let words =
        format!("`{word}` in the name is {}", if means_cheaper { "cheaper" } else { "more expensive" });
    Some((errors, Rule { feature: None, words, is_costlier }))
}

/// Returns the runs of letters and of digits in a name.
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
        let words: Vec<&str> = parts("in/sorted-1000_x9.txt").into_iter().collect();
        assert_eq!(words, ["1000", "9", "in", "sorted", "txt", "x"]);
        assert_eq!(parts("größe12é").into_iter().collect::<Vec<_>>(), ["12", "größe", "é"]);
        assert!(parts("").is_empty() && parts("-/").is_empty());
    }

    #[test]
    fn a_feature_tells_groups_apart_by_its_values() {
        let text = "n: 1 2 3 4\nkind: 0 1 0 1\nruns: 9 2 8 1\na.c:1:f: 1 9 1 9";
        let study = Study::from_text(text).unwrap();
        let rule = find(&study, "n", &[0, 1, 2, 3], &[false, true, false, true]).unwrap();
        assert_eq!(rule.feature.as_deref(), Some("kind"));
        assert_eq!(rule.words, "kind = 0 is cheaper, kind = 1 more expensive");
        let rule = find(&study, "kind", &[0, 1, 2, 3], &[false, true, false, true]).unwrap();
        assert_eq!(rule.words, "runs ≥ 8 is cheaper, runs ≤ 2 more expensive");
        assert_eq!(find(&study, "n", &[0, 1, 2, 3], &[false, false, true, true]), None);
    }

    #[test]
    fn a_word_tells_groups_apart_that_all_names_of_one_have() {
        let names = ["random-10", "sorted-10", "random-20", "sorted-20"];
        let rule = best(word(&names, &[false, true, false, true]).into_iter()).unwrap();
        assert_eq!(rule.words, "`sorted` in the name is more expensive");
        assert_eq!(best(word(&names, &[false, true, true, false]).into_iter()), None);
    }
}
