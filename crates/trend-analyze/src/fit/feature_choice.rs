//! Chooses the features that are worth models if there are very many: the ones that explain some cost better than
//! chance. Fits no law.
//!
//! ```text
//!   5,000 features        targets: the whole, and locations by falling variance that order the workloads differently
//!         │                    │
//!         ▼                    ▼
//!   ranks of the workloads, so that n, n log n, n² and 2^n of one feature are all the same
//!         │
//!         ├─ the best feature of each target
//!         └─ then all others that explain a target better than chance, the best first, but none that varies with one
//!            that is kept
//! ```
//!
//! The time for the models of a row is proportional to the number of features, related to the program or not. In 30
//! workloads, one of 5,000 unrelated features explains some 40 % of a cost by chance.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use rayon::prelude::*;
use trend_model::{Standardized, chance_r2, dot, ranks};
use trend_profile::{Study, Warning, WarningKind};

use super::joint::SAME_FEATURE;
use crate::options::Options;
use crate::study::survey::{Survey, survey};

/// Maximum number of features for which all are modelled. An analysis of 1,000 locations and 30
/// workloads takes 10 s with 48 features, four times as long as with 12.
pub const MOST_MODELLED: usize = 48;

/// Maximum number of values of all modelled features together. Each costly row has a verdict in each of them. With 48
/// features and 400 workloads, 100 locations take ten times as long as with 24.
const MOST_VALUES: usize = 9600;

/// Number of features that are modelled however many workloads there are.
const LEAST_MODELLED: usize = 12;

/// Number of features that are kept if no feature explains anything beyond chance.
const FEWEST: usize = 8;

/// Maximum number of costs that features are to explain. Most studies have fewer that matter.
const MOST_TARGETS: usize = 32;

/// Maximum number of locations among which the costs to explain are selected.
const MOST_LOOKED_AT: usize = 4096;

/// Probability that at least one unrelated feature is kept.
const ACCIDENT: f64 = 0.05;

/// Returns the study with the features that are worth models, and with a warning about the ones that are left out.
/// Keeps all features if their number is within [the limit](most_modelled), and always the `required` ones.
///
/// - Time: O(locations·workloads + features·targets·workloads). Memory: O(features·workloads).
fn choose_features(study: Study, required: &[String]) -> Study {
    if study.features().len() <= most_modelled(study.workloads().len()) || study.workloads().is_empty() {
        return study;
    }
    let choice = Choice::new(&study, required);
    let warning = choice.warning(&study);
    study.with_features(|id| choice.selection.contains(&id.index()), warning)
}

/// Returns the maximum number of features for which all are modelled.
fn most_modelled(workloads: usize) -> usize {
    (MOST_VALUES / workloads.max(1)).clamp(LEAST_MODELLED, MOST_MODELLED)
}

/// Returns the study as it is analysed. It keeps the features that are worth models and the ones that the user named,
/// alone or with a size. Long names are cut.
#[must_use]
pub fn to_analyze(study: Study, named: &[String], at: &[(String, f64)]) -> Study {
    let required: Vec<String> = named.iter().chain(at.iter().map(|(name, _)| name)).cloned().collect();
    choose_features(study, &required).with_long_names_cut()
}

/// Selection of features, with the reasons for dropping the rest.
struct Choice {
    /// Positions of the kept features.
    selection: BTreeSet<usize>,
    /// R² of ranks that the best of all features would reach by chance if none were related to a cost.
    chance: f64,
    /// True if any feature explains more than chance.
    is_beyond_chance: bool,
    /// Number of features that explain nothing beyond chance.
    by_chance: usize,
    /// Number of features that vary linearly with a kept one.
    same: usize,
}

impl Choice {
    fn new(study: &Study, required: &[String]) -> Self {
        let features = Features::new(study);
        let targets = targets(study);
        let workloads = study.workloads().len();
        let most = most_modelled(workloads);
        let tries = features.len() * targets.len();
        let chance = chance_r2(workloads.saturating_sub(2), tries, ACCIDENT);
        let explained: Vec<Vec<f64>> =
            (0..targets.len()).into_par_iter().map(|i| features.explain(targets.row(i))).collect();

        let mut selection: BTreeSet<usize> =
            required.iter().filter_map(|name| Some(study.feature_named(name)?.index())).collect();
        let mut best = vec![0.0_f64; features.len()];
        for r2 in &explained {
            best.iter_mut().zip(r2).for_each(|(best, r2)| *best = best.max(*r2));
        }
        for r2 in &explained {
            // The first declared of equal ones.
            let pick = (0..r2.len()).rev().max_by(|&f, &g| r2[f].total_cmp(&r2[g]));
            selection.extend(pick.filter(|&f| r2[f] > chance && selection.len() < most));
        }
        let is_beyond_chance = best.iter().any(|r2| *r2 > chance);
        let mut order: Vec<usize> = (0..features.len()).collect();
        // R² is not negative, and the bits of such numbers sort like the numbers.
        order.sort_by_key(|&f| (Reverse(best[f].to_bits()), f));
        let mut same = 0;
        let most = if is_beyond_chance { most } else { FEWEST };
        let least = if is_beyond_chance { chance } else { f64::NEG_INFINITY };
        let mut others = 0;
        for f in order {
            let is_candidate = best[f] > least;
            if selection.contains(&f) {
                continue;
            }
            if !is_candidate {
                others += 1;
            } else if selection.iter().any(|&k| features.are_same(f, k)) {
                same += 1;
            } else if selection.len() < most {
                selection.insert(f);
            }
        }
        let by_chance = if is_beyond_chance { others } else { 0 };
        Self { selection, chance, is_beyond_chance, by_chance, same }
    }

    fn warning(&self, study: &Study) -> Warning {
        let (all, used_count) = (study.features().len(), self.selection.len());
        let anyone = "use any of them with `--feature NAME`";
        let message = if self.is_beyond_chance {
            let less = all - used_count - self.by_chance - self.same;
            let by_chance = format!(
                "no better than chance (rank R² below {:.2} in {} workloads)",
                self.chance,
                study.workloads().len()
            );
            let reasons = [
                (self.by_chance, by_chance.as_str()),
                (self.same, "redundant with a used one"),
                (less, "less informative"),
            ];
            let reasons = reasons.iter().filter(|(count, _)| *count > 0);
            let reasons: Vec<String> = reasons.map(|(count, why)| format!("{count} {why}")).collect();
            format!("models use {used_count} of {all} features; left out: {}; {anyone}", reasons.join(", "))
        } else {
            format!(
                "none of {all} features explains a cost better than chance in {} workloads, so the models \
                 (in the best {used_count}) may be accidental; run more workloads; {anyone}",
                study.workloads().len()
            )
        };
        Warning::new(WarningKind::FeaturesLeftOut, message)
    }
}

/// All features, as ranks and as values.
struct Features {
    /// Ranks of the features whose values differ.
    ranks: Standardized,
    /// Row of each feature in `ranks`.
    ranked: Vec<Option<usize>>,
    /// Values of the features that also have one for every workload.
    values: Standardized,
    /// Row of each feature in `values`.
    valued: Vec<Option<usize>>,
}

impl Features {
    fn new(study: &Study) -> Self {
        let workloads = study.workloads().len();
        let (mut rows, mut values) = (Standardized::new(workloads), Standardized::new(workloads));
        let (mut ranked, mut valued) = (Vec::new(), Vec::new());
        for feature in study.features() {
            let at = rows.len();
            ranked.push(rows.push(ranks(&feature.values).into_iter()).then_some(at));
            let at = values.len();
            let missing_as_nan = feature.values.iter().map(|value| value.unwrap_or(f64::NAN));
            valued.push(values.push(missing_as_nan).then_some(at));
        }
        Self { ranks: rows, ranked, values, valued }
    }

    fn len(&self) -> usize {
        self.ranked.len()
    }

    /// Returns the R² of each feature's ranks with a target's; 0 for features without ranks.
    fn explain(&self, target: &[f64]) -> Vec<f64> {
        let r2 = |at: usize| dot(self.ranks.row(at), target).powi(2).min(1.0);
        self.ranked.iter().map(|at| at.map_or(0.0, r2)).collect()
    }

    /// Returns true if two features vary together linearly, like the members of a cluster.
    fn are_same(&self, f: usize, g: usize) -> bool {
        self.valued[f].zip(self.valued[g]).is_some_and(|(f, g)| self.values.r2(f, g) > SAME_FEATURE)
    }
}

/// Returns the ranks of the whole's cost, and of the costs of locations by falling variance that order the workloads
/// differently.
fn targets(study: &Study) -> Standardized {
    let Survey { totals, mut varying, .. } = survey(study, Options::default().min_deviation);
    let mut targets = Standardized::new(totals.len());
    let of_ranks = |costs: &[u64]| ranks(&costs.iter().map(|&cost| Some(cost as f64)).collect::<Vec<_>>());
    targets.push(of_ranks(&totals).into_iter());
    varying.sort_by(|a, b| b.deviation.total_cmp(&a.deviation).then(a.location.cmp(&b.location)));
    let mut row = Standardized::new(totals.len());
    for location in varying.iter().take(MOST_LOOKED_AT).map(|varying| varying.location) {
        if targets.len() > MOST_TARGETS {
            break;
        }
        if row.push(of_ranks(&study.counts().row(location).to_vec()).into_iter()) {
            let last = row.row(row.len() - 1);
            let is_new = |i: usize| dot(targets.row(i), last).powi(2) <= SAME_FEATURE;
            if (0..targets.len()).all(is_new) {
                targets.push_row(&row, row.len() - 1);
            }
        }
    }
    targets
}

#[cfg(test)]
mod tests {
    use trend_profile::{Definition, Feature, StudyParts};

    use super::*;
    use crate::analyze::analyze;
    use crate::findings::Findings;

    /// Deterministic noise, uniform in 0..1.
    fn noise(i: usize) -> f64 {
        let mixed = (i as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let mixed = (mixed ^ (mixed >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        ((mixed ^ (mixed >> 32)) >> 11) as f64 / (1_u64 << 53) as f64
    }

    const WORKLOADS: usize = 30;

    /// A cost as a function of the values of the named features.
    type Cost<'a> = &'a dyn Fn(&[f64]) -> f64;

    /// A study with `count` noise features. The ones in `meant` get these names, and the costs depend on their values.
    fn study(count: usize, meant: &[(usize, &str)], costs: &[Cost<'_>]) -> Study {
        let values =
            |f: usize| (0..WORKLOADS).map(move |w| (10.0 + 9990.0 * noise(f * WORKLOADS + w)).round());
        let name =
            |f: usize| meant.iter().find(|m| m.0 == f).map_or_else(|| format!("f{f}"), |m| m.1.to_owned());
        let features = (0..count).map(|f| Feature {
            name: name(f),
            definition: Definition::Given,
            values: values(f).map(Some).collect(),
        });
        let of_workload = |w: usize| meant.iter().map(|m| values(m.0).nth(w).unwrap()).collect::<Vec<f64>>();
        let drawn: Vec<String> = (costs.iter().enumerate())
            .map(|(line, cost)| {
                let row = (0..WORKLOADS).map(|w| (cost(&of_workload(w)).round() as u64).to_string());
                format!("a.c:{}:f: {}", line + 1, row.collect::<Vec<_>>().join(" "))
            })
            .collect();
        let drawn = StudyParts::from_text(&drawn.join("\n")).unwrap();
        Study::new(StudyParts { features: features.collect(), ..drawn }).unwrap()
    }

    fn feature_names(study: &Study) -> Vec<&str> {
        study.features().iter().map(|f| f.name.as_str()).collect()
    }

    fn analysed(study: &Study) -> Findings {
        analyze(study, &Options::default()).unwrap()
    }

    #[test]
    fn of_a_thousand_features_those_that_explain_a_cost_are_kept_and_the_rest_is_told_of() {
        let meant = [(300, "size"), (600, "depth"), (900, "width")];
        let costs: [Cost<'_>; 3] = [&|v| v[0] * v[0], &|v| 3.0 * v[1], &|v| 2.0 * v[2] * f64::ln(v[2])];
        let study = choose_features(study(1000, &meant, &costs), &[]);
        assert_eq!(feature_names(&study), ["size", "depth", "width"]);
        let findings = analysed(&study);
        let doubt = findings.doubts.iter().find(|doubt| doubt.kind() == "features_left_out").unwrap();
        let words = doubt.to_string();
        assert!(words.starts_with("models use 3 of 1000 features; left out: 997"), "{words}");
        let growth =
            |i: usize, f: usize| findings.clusters[i].fits.models[f].growth.as_ref().unwrap().verdict.clone();
        assert_eq!(growth(0, 0), "n^2");
    }

    #[test]
    fn what_only_two_features_explain_together_keeps_both() {
        let meant = [(70, "rows"), (200, "columns")];
        let study = study(400, &meant, &[&|v| v[0] * v[1]]);
        assert_eq!(feature_names(&choose_features(study, &[])), ["rows", "columns"]);
    }

    #[test]
    fn a_feature_that_is_wanted_is_kept_and_few_are_all_kept() {
        let meant = [(70, "size")];
        let required = ["f3".to_owned(), "unknown".to_owned()];
        let chosen = choose_features(study(400, &meant, &[&|v| v[0]]), &required);
        assert_eq!(feature_names(&chosen), ["f3", "size"]);
        let few = choose_features(study(MOST_MODELLED, &[], &[&|_| 5.0]), &[]);
        assert_eq!((few.features().len(), few.warnings().len()), (MOST_MODELLED, 0));
    }

    #[test]
    fn where_all_is_chance_some_are_kept_with_a_doubt() {
        let unrelated = |v: &[f64]| 1000.0 * noise(v[0] as usize + 123_456);
        let chosen = choose_features(study(400, &[(70, "f70")], &[&unrelated]), &[]);
        assert_eq!(chosen.features().len(), FEWEST);
        assert!(chosen.warnings()[0].message.contains("may be accident"), "{:?}", chosen.warnings());
    }

    #[test]
    fn many_workloads_leave_room_for_fewer_features() {
        assert_eq!([0, 30, 200, 400, 785, 100_000].map(most_modelled), [48, 48, 48, 24, 12, 12]);
    }

    #[test]
    fn copies_of_a_feature_are_one() {
        let mut parts = study(60, &[(5, "size")], &[&|v| v[0]]);
        let copies: Vec<Feature> = parts.features()[5..6].iter().cycle().take(60).cloned().collect();
        let copies = copies.into_iter().enumerate().map(|(i, f)| Feature { name: format!("copy{i}"), ..f });
        parts = Study::new(StudyParts {
            features: copies.collect(),
            functions: parts.functions().to_vec(),
            locations: parts.locations().to_vec(),
            workloads: parts.workloads().to_vec(),
            counts: vec![parts.counts().row(trend_profile::LocationId(0)).to_vec()],
            ..StudyParts::default()
        })
        .unwrap();
        let chosen = choose_features(parts, &[]);
        assert_eq!(feature_names(&chosen), ["copy0"]);
        assert!(
            chosen.warnings()[0].message.contains("59 redundant with a used one"),
            "{:?}",
            chosen.warnings()
        );
    }
}
