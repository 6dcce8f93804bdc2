//! What a page needs of a row besides the findings: its costs, and its models' curves and words.
//!
//! Costs are most of what a large study would fill a page with, and compress badly. Rows that are costly carry all of
//! them exactly; the others carry them rounded, and as many rows as there is room for.

use std::cmp::Reverse;

use rayon::prelude::*;
use serde::Serialize;
use serde_json::value::RawValue;
use trend_analyze::{Decomposition, Findings, Joint, Model, RowLaw, without_arguments};

use super::calls::warmth;
use super::models::{ModelExtra, Words};
use super::numbers::{push_count, raw};
use crate::rows::{COSTLY_SHARE, Item};
use crate::{By, cells, growth};

/// Functions that never take this share of a run carry no costs and no words: there can be a hundred thousand of them,
/// and nobody looks.
const LEAST_SHARE: f64 = 0.001;

/// Digits of costs of rows that are not costly. A plot of residuals still shows what a tenth of a per cent is.
const DIGITS: u32 = 4;

/// Digits where there are more costs than [`MANY`]: no plot of costs shows more.
const DIGITS_OF_MANY: u32 = 3;

const MANY: usize = 600_000;

/// Bytes of JSON that costs may take, about three eighths of it when compressed: what a page of 8 MB has room for besides
/// the findings of 1,500 clusters in three features. The rows of least share go without, functions first.
const MOST_BYTES: usize = 3_600_000;

/// The same where rows are costly, all of which have their costs otherwise: a study can be made in which thousands are.
const MOST_BYTES_OF_COSTLY: usize = 32 << 20;

#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(super) struct RowExtra {
    /// Cost per workload, 0 = not executed; `null` where the page carries none: functions that never take 0.1 % of a run,
    /// and where a study is large the rows of least share.
    #[cfg_attr(test, ts(type = "Array<number> | null"))]
    costs: Option<Box<RawValue>>,
    /// Whether `costs` are exact; else they are rounded to four digits (three in large studies), and shown with `≈`.
    exact: bool,
    /// What the row is called in short, without the arguments of generics; absent where that is its whole name.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    name: Option<String>,
    /// The greatest share of a run, where the share of the costliest run does not tell about it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    share_of_others: Option<f64>,
    /// The row's law in short: `n^2`, `x·y ?`.
    growth: String,
    /// How fast that is: 0 (linear or less) to 4 (faster than `n^2.5`).
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    warmth: Option<u8>,
    /// The row's law as a formula; of an undecided one the slowest and the fastest.
    formula: String,
    /// As many as the row has models, in their order.
    models: Vec<ModelExtra>,
    /// Of a cluster whose cost the findings take apart.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    factors: Option<Factors>,
}

/// How often the function was entered, and what an entry costs, per workload; `null` where it was not entered.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
struct Factors {
    #[cfg_attr(test, ts(type = "Array<number>"))]
    entries: Box<RawValue>,
    #[cfg_attr(test, ts(type = "Array<number | null>"))]
    per_entry: Box<RawValue>,
}

/// Of the whole program, of the clusters and of the functions, in the order of the findings.
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

/// The costs of each row that carries them; all costly ones do, as far as there is room for anything.
fn carried(items: &[Item<'_>], most_bytes: usize) -> Vec<Option<Costs>> {
    let wanted = |item: &Item<'_>| is_function(item) <= (item.max_share >= LEAST_SHARE);
    let values: usize = items.iter().filter(|item| wanted(item)).map(|item| item.costs.len()).sum();
    let digits = if values > MANY { DIGITS_OF_MANY } else { DIGITS };
    let mut order: Vec<usize> = (0..items.len()).filter(|&i| wanted(&items[i])).collect();
    // Clusters that take some part of a run go before functions, which share their costs. Shares are positive numbers,
    // whose bits are in their order.
    let worth = |item: &Item<'_>| {
        let share = item.max_share;
        (is_costly(item), !is_function(item) && share >= LEAST_SHARE, share.to_bits())
    };
    order.sort_by_key(|&i| Reverse(worth(&items[i])));
    let has_room = |bytes: usize, i: usize| {
        bytes <= if is_costly(&items[i]) { most_bytes.max(MOST_BYTES_OF_COSTLY) } else { most_bytes }
    };
    // What there is no room for even with one digit a cost is not written.
    let mut least = 0;
    order.retain(|&i| {
        least += 2 * items[i].costs.len();
        has_room(least, i)
    });
    let costs = |&i: &usize| {
        let item = &items[i];
        (i, Costs::new(item.costs, (!is_costly(item)).then_some(digits)))
    };
    let written: Vec<(usize, Costs)> = order.par_iter().map(costs).collect();
    let mut carried: Vec<Option<Costs>> = items.iter().map(|_| None).collect();
    let mut bytes = 0;
    for (i, costs) in written {
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
        let name = Some(without_arguments(item.name)).filter(|name| name != item.name);
        let share_of_others = item.share_of_others();
        let parts = item.cluster().and_then(|cluster| cluster.decomposition.as_ref());
        let factors = parts.filter(|_| costs.is_some()).map(Factors::new);
        Self { name, share_of_others, factors, ..Self::of(findings, costs, item.models, item.joint, &words) }
    }

    fn of_total(findings: &Findings) -> Self {
        let costs = Costs::new(&findings.total.costs, None);
        Self::of(
            findings,
            Some(costs),
            &findings.total.models,
            findings.total.joint.as_ref(),
            &Words::OfTotal(findings.total.joint.as_ref()),
        )
    }

    fn of(
        findings: &Findings,
        costs: Option<Costs>,
        models: &[Model],
        joint: Option<&Joint>,
        words: &Words<'_>,
    ) -> Self {
        let law = RowLaw::of(models, joint);
        let is_of_row = |model: &Model| matches!(law, Some(RowLaw::Of(of)) if std::ptr::eq(of, model));
        Self {
            name: None,
            share_of_others: None,
            growth: law.map(growth::of_law).unwrap_or_default(),
            warmth: law.and_then(warmth),
            formula: cells::fit(law).text,
            exact: costs.as_ref().is_some_and(|costs| costs.exact),
            costs: costs.map(|costs| raw(costs.json)),
            models: models.iter().map(|m| ModelExtra::new(findings, m, is_of_row(m), words)).collect(),
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

/// With as many digits as a plot shows.
fn rounded(value: f64) -> String {
    if value.is_nan() {
        return "null".to_owned();
    }
    let digits = format!("{value:.*e}", DIGITS as usize - 1);
    // The shortest that is the same number.
    digits.parse::<f64>().map_or(digits, |number| number.to_string())
}

/// A row of costs as a JSON array.
struct Costs {
    json: String,
    /// Whether no digit was rounded away.
    exact: bool,
}

impl Costs {
    /// To so many digits, or to the last.
    fn new(costs: &[u64], digits: Option<u32>) -> Self {
        let digits = digits.unwrap_or(u64::MAX.ilog10() + 1);
        let loses = |cost: &u64| {
            let excess = cost.checked_ilog10().map_or(0, |log| (log + 1).saturating_sub(digits));
            !cost.is_multiple_of(10_u64.pow(excess))
        };
        let mut json = String::with_capacity(costs.len() * 6);
        for (i, &cost) in costs.iter().enumerate() {
            json.push(if i == 0 { '[' } else { ',' });
            push_count(&mut json, cost, digits);
        }
        json.push_str(if costs.is_empty() { "[]" } else { "]" });
        Self { json, exact: !costs.iter().any(loses) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample::bubble_sort;

    #[test]
    fn costs_are_exact_unless_rounding_changes_one() {
        let json = |costs: &[u64], digits| {
            let costs = Costs::new(costs, digits);
            (costs.json, costs.exact)
        };
        assert_eq!(json(&[1, 123_456_789], None), ("[1,123456789]".to_owned(), true));
        assert_eq!(json(&[1, 123_456_789], Some(4)), ("[1,1.235e8]".to_owned(), false));
        assert_eq!(json(&[0, 9999, 1_230_000], Some(4)), ("[0,9999,1.23e6]".to_owned(), true));
        assert_eq!(json(&[u64::MAX], None), (format!("[{}]", u64::MAX), true));
        assert_eq!(json(&[], Some(3)), ("[]".to_owned(), true));
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
        let [exact, rounded] = [1, 0].map(|i| carried(&items, usize::MAX)[i].as_ref().unwrap().json.len());
        assert_eq!(has(2 * exact + rounded), [false, true, true, true, false]);
        assert_eq!(has(0), [false, true, false, true, false]);
    }
}
