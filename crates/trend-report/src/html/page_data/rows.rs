//! Data about a row that a page needs in addition to the findings: its costs, and the curves and words of its models.
//! They become fields of the row.
//!
//! Costs would fill most of a large study's page, and they compress badly. Costly rows carry all costs exactly. If
//! there is no room for all costs, the other rows carry them rounded, as far as there is room.

use std::cmp::Reverse;

use rayon::prelude::*;
use serde::Serialize;
use serde_json::value::RawValue;
use trend_analyze::{COSTLY_SHARE, Decomposition, Findings, Fits, Model, RowLaw, without_arguments};
use trend_answer::Band;

use super::calls::warmth;
use super::levels::levels;
use super::models::{ModelExtra, Words, band};
use super::numbers::{raw, short_number};
use crate::options::By;
use crate::rows::item::Item;
use crate::words::{cells, growth, structure};

/// Minimum share of a run from which a function carries costs and words. Up to a hundred thousand functions can be
/// below it, and they are of no interest.
const LEAST_SHARE: f64 = 0.001;

/// Maximum bytes of JSON for costs, which compress to about two thirds of that. This is the room that a page of 4 MB
/// has besides the findings of 1,500 clusters in three features. The rows with the smallest shares go without costs,
/// functions first.
const MOST_BYTES: usize = 1_250_000;

/// Maximum bytes of JSON for the costs of costly rows. Up to this limit, all of them carry costs. The limit exists
/// because a study can have thousands of them.
const MOST_BYTES_OF_COSTLY: usize = 32 << 20;

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct RowExtra {
    /// Cost per workload, 0 = not executed; as numbers or as [`levels`]. Absent for functions that never take 0.1 % of
    /// a run and, in a large study, for the rows with the smallest shares.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(with = "Option<Vec<u64>>"))]
    costs: Option<Box<RawValue>>,
    /// True if `costs` are exact; otherwise they are rounded to [`levels`], and shown with `≈`.
    exact: bool,
    /// Short name without the arguments of generics; absent if it is the whole name.
    #[serde(skip_serializing_if = "Option::is_none")]
    short_name: Option<String>,
    /// Largest share of a run, if it is far above the share of the most expensive run.
    #[serde(skip_serializing_if = "Option::is_none")]
    share_of_others: Option<f64>,
    /// The row's law in short, as in `n^2`, `x·y ?`.
    growth: String,
    /// Step of growth: 0 (linear or less) to 4 (faster than `n^2.5`).
    #[serde(skip_serializing_if = "Option::is_none")]
    warmth: Option<u8>,
    /// The row's law as a formula; for an undecided law, the slowest and the fastest class.
    formula: String,
    /// Sentences about the row's law if it covers all features: a law in several features, or a constant.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    sentences: Vec<String>,
    /// Interval of the row's law in one feature; absent if the page carries none.
    #[serde(skip_serializing_if = "Option::is_none")]
    band: Option<Band>,
    /// Features with the size beyond which the row is not executed.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    ends: Vec<(String, f64)>,
    /// Positions of the functions that lie wholly in a cluster.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    within: Vec<usize>,
    /// Additional fields of the row's models, in order.
    #[cfg_attr(test, schemars(skip))]
    models: Vec<ModelExtra>,
    /// Factors of a cluster whose cost the findings decompose.
    #[serde(skip_serializing_if = "Option::is_none")]
    factors: Option<Factors>,
}

/// Entries of the function and the cost of an entry, per workload; `null` if the function was not entered.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Factors {
    #[cfg_attr(test, schemars(with = "Vec<u64>"))]
    entries: Box<RawValue>,
    #[cfg_attr(test, schemars(with = "Vec<Option<f64>>"))]
    per_entry: Box<RawValue>,
}

/// Additional fields of the program, the clusters and the functions, in the order of the findings.
pub(super) struct Rows {
    pub(super) total: RowExtra,
    pub(super) clusters: Vec<RowExtra>,
    pub(super) functions: Vec<RowExtra>,
}

impl Rows {
    pub(super) fn new(findings: &Findings) -> Self {
        let clusters = findings.clusters.iter().map(Item::of_cluster);
        let functions = findings.functions.iter().enumerate();
        let functions = functions.map(|(i, row)| Item::of_row(i + 1, row, By::Function));
        let items: Vec<Item<'_>> = clusters.chain(functions).collect();
        let costs = carried(&items, MOST_BYTES);
        let row = |(item, costs): (&Item<'_>, Option<Costs>)| RowExtra::new(findings, item, costs);
        let mut rows: Vec<RowExtra> = items.par_iter().zip(costs).map(row).collect();
        let functions = rows.split_off(findings.clusters.len());
        Self { total: RowExtra::of_total(findings), clusters: rows, functions }
    }
}

/// Returns the costs that each row carries. If there is room, all are exact. Otherwise the costs of costly rows are
/// exact and others rounded, as far as there is room.
fn carried(items: &[Item<'_>], most_bytes: usize) -> Vec<Option<Costs>> {
    let wanted = |item: &Item<'_>| is_function(item) <= (item.max_share >= LEAST_SHARE);
    let mut order: Vec<usize> = (0..items.len()).filter(|&i| wanted(&items[i])).collect();
    // Clusters with a notable share go before functions, which contain the same costs. Shares are positive numbers,
    // whose bits have the order of their values.
    let worth = |item: &Item<'_>| {
        let share = item.max_share;
        (is_costly(item), !is_function(item) && share >= LEAST_SHARE, share.to_bits())
    };
    order.sort_by_key(|&i| Reverse(worth(&items[i])));
    let has_room = |bytes: usize, i: usize| {
        bytes <= if is_costly(&items[i]) { most_bytes.max(MOST_BYTES_OF_COSTLY) } else { most_bytes }
    };
    let all: usize = order.iter().map(|&i| bytes_exactly(items[i].costs)).sum();
    // Rows that do not fit even as levels are not written.
    let mut least = 0;
    order.retain(|&i| {
        least += 2 * items[i].costs.len();
        has_room(least, i)
    });
    let costs = |&i: &usize| {
        let item = &items[i];
        if all <= most_bytes || is_costly(item) {
            Costs::exact(item.costs)
        } else {
            Costs::rounded(item.costs)
        }
    };
    let written: Vec<Costs> = order.par_iter().map(costs).collect();
    let mut carried: Vec<Option<Costs>> = items.iter().map(|_| None).collect();
    let mut bytes = 0;
    for (i, costs) in order.into_iter().zip(written) {
        bytes += costs.json.len();
        if has_room(bytes, i) {
            carried[i] = Some(costs);
        }
    }
    carried
}

fn is_costly(item: &Item<'_>) -> bool {
    item.is_costly || item.max_share > COSTLY_SHARE
}

fn is_function(item: &Item<'_>) -> bool {
    item.cluster().is_none()
}

impl RowExtra {
    fn new(findings: &Findings, item: &Item<'_>, costs: Option<Costs>) -> Self {
        let has_words = is_costly(item) || (is_function(item) && item.max_share >= LEAST_SHARE);
        let words = if has_words { Words::All(item) } else { Words::None };
        let short_name = Some(without_arguments(item.name)).filter(|name| name != item.name);
        let share_of_others = item.share_of_others();
        let parts = item.cluster().and_then(|cluster| cluster.decomposition.as_ref());
        let factors = parts.filter(|_| costs.is_some()).map(Factors::new);
        let within = item.cluster().map(|cluster| cluster.functions_within.clone()).unwrap_or_default();
        Self {
            short_name,
            share_of_others,
            within,
            factors,
            ..Self::from_fits(findings, costs, item.fits, &words)
        }
    }

    fn of_total(findings: &Findings) -> Self {
        let costs = Costs::exact(&findings.total.costs);
        Self::from_fits(
            findings,
            Some(costs),
            &findings.total.fits,
            &Words::OfTotal(findings.total.fits.joint.as_ref()),
        )
    }

    fn from_fits(findings: &Findings, costs: Option<Costs>, fits: &Fits, words: &Words<'_>) -> Self {
        let law = fits.law();
        let own = match law {
            Some(RowLaw::Of(model)) => Some(model),
            _ => None,
        };
        let is_of_row = |model: &Model| own.is_some_and(|own| std::ptr::eq(own, model));
        let ends = fits.models.iter().filter_map(|model| Some((model.feature.clone(), model.runs_until?)));
        Self {
            short_name: None,
            share_of_others: None,
            growth: law.map(growth::of_law).unwrap_or_default(),
            warmth: law.and_then(warmth),
            formula: cells::fit(law).text,
            sentences: structure::of_all_features(fits).into_iter().collect(),
            exact: costs.as_ref().is_some_and(|costs| costs.exact),
            costs: costs.map(|costs| raw(costs.json)),
            band: own.and_then(|model| band(&model.curve)),
            ends: ends.collect(),
            within: Vec::new(),
            models: fits.models.iter().map(|m| ModelExtra::new(findings, m, is_of_row(m), words)).collect(),
            factors: None,
        }
    }
}

impl Factors {
    fn new(parts: &Decomposition) -> Self {
        let values = |values: &[f64]| {
            let numbers: Vec<String> = values.iter().map(|&value| rounded(value)).collect();
            raw(format!("[{}]", numbers.join(",")))
        };
        Self { entries: values(&parts.entries.values), per_entry: values(&parts.per_entry.values) }
    }
}

/// Digits of a factor: as many as a plot shows.
const FACTOR_DIGITS: usize = 4;

fn rounded(value: f64) -> String {
    if value.is_nan() { "null".to_owned() } else { short_number(value, FACTOR_DIGITS) }
}

/// Returns the approximate length of the costs as a JSON array.
fn bytes_exactly(costs: &[u64]) -> usize {
    costs.iter().map(|cost| 2 + cost.checked_ilog10().unwrap_or(0) as usize).sum()
}

/// A row of costs as JSON.
struct Costs {
    json: String,
    /// True if the costs are not rounded.
    exact: bool,
}

impl Costs {
    fn exact(costs: &[u64]) -> Self {
        let texts: Vec<String> = costs.iter().map(ToString::to_string).collect();
        Self { json: format!("[{}]", texts.join(",")), exact: true }
    }

    /// Returns the costs as levels, or exactly if that is no longer.
    fn rounded(costs: &[u64]) -> Self {
        let exact = Self::exact(costs);
        let json = levels(costs);
        if exact.json.len() <= json.len() { exact } else { Self { json, exact: false } }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::sample::{bubble_sort, structured};

    #[test]
    fn a_law_in_several_features_has_words_of_its_own() {
        let findings = structured();
        let rows = Rows::new(&findings);
        let has_words: Vec<bool> = rows.clusters.iter().map(|row| !row.sentences.is_empty()).collect();
        let is_joint: Vec<bool> =
            findings.clusters.iter().map(|cluster| cluster.fits.joint.is_some()).collect();
        assert!(has_words == is_joint && is_joint.contains(&true), "{has_words:?} {is_joint:?}");
    }

    #[test]
    fn costs_are_rounded_where_that_is_shorter() {
        let many = vec![123_456_789; 50];
        let [exact, rounded] = [Costs::exact(&many), Costs::rounded(&many)];
        assert!(exact.exact && exact.json.starts_with("[123456789,123456789"));
        assert!(!rounded.exact && rounded.json.len() < exact.json.len() / 3);
        let few = Costs::rounded(&[1, 0, u64::MAX]);
        assert_eq!((few.json, few.exact), (format!("[1,0,{}]", u64::MAX), true));
    }

    #[test]
    fn a_factor_has_as_many_digits_as_a_plot_shows() {
        let texts = [2_698_743.0, 43.215_9, 0.0, f64::NAN].map(rounded);
        assert_eq!(texts, ["2699000", "43.22", "0", "null"]);
    }

    #[test]
    fn where_there_is_no_room_for_all_the_rows_of_least_share_go_without_costs() {
        let findings = bubble_sort();
        let shared = |max_share: f64| {
            let mut cluster = findings.clusters[0].clone();
            (cluster.max_share, cluster.costly) = (max_share, max_share > COSTLY_SHARE);
            cluster
        };
        let clusters = [0.0005, 0.5, 0.01, 0.03, 0.002].map(shared);
        let items: Vec<Item<'_>> = clusters.iter().map(Item::of_cluster).collect();
        let has = |bytes| carried(&items, bytes).iter().map(Option::is_some).collect::<Vec<_>>();
        assert_eq!(has(usize::MAX), [true; 5]);
        let costs = &clusters[0].costs;
        let [exact, rounded] = [Costs::exact(costs), Costs::rounded(costs)].map(|costs| costs.json.len());
        assert_eq!(has(2 * exact + rounded), [false, true, true, true, false]);
        assert_eq!(has(0), [false, true, false, true, false]);
    }
}
