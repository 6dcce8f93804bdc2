//! What a page needs of a row besides the findings: its costs, and its models' curves and words.

use serde::Serialize;
use serde_json::value::RawValue;
use trend_analyze::{Findings, Model};

use super::models::{ModelExtra, Words};
use super::numbers::{push_count, raw};
use crate::rows::{COSTLY_SHARE, Item};

/// Functions that never take this share of a run carry no costs and no words: there can be a hundred thousand of them,
/// and nobody looks.
const LEAST_SHARE: f64 = 0.001;

/// Digits of costs of rows that are not costly. A plot cannot show more.
const DIGITS: u32 = 4;

#[derive(Serialize)]
pub(super) struct RowExtra {
    /// `[workloads]`.
    costs: Option<Box<RawValue>>,
    exact: bool,
    /// As many as the row has models, in their order.
    models: Vec<ModelExtra>,
}

impl RowExtra {
    pub(super) fn new(findings: &Findings, item: &Item<'_>) -> Self {
        let costly = item.is_costly() || item.max_share() > COSTLY_SHARE;
        let is_function = matches!(item, Item::Row { .. });
        let cheap = item.max_share() < LEAST_SHARE;
        let costs = (!(is_function && cheap)).then(|| Costs::new(item.costs(), !costly));
        let words = if costly || (is_function && !cheap) { Words::All(item) } else { Words::None };
        Self::of(findings, costs, item.models(), &words)
    }

    pub(super) fn of_total(findings: &Findings) -> Self {
        let costs = Costs::new(&findings.total.costs, false);
        Self::of(
            findings,
            Some(costs),
            &findings.total.models,
            &Words::OfTotal(findings.total.joint.as_ref()),
        )
    }

    fn of(findings: &Findings, costs: Option<Costs>, models: &[Model], words: &Words<'_>) -> Self {
        Self {
            exact: costs.as_ref().is_some_and(|costs| costs.exact),
            costs: costs.map(|costs| raw(costs.json)),
            models: models.iter().map(|m| ModelExtra::new(findings, m, words)).collect(),
        }
    }
}

/// A row of costs as a JSON array.
struct Costs {
    json: String,
    /// Whether no digit was rounded away.
    exact: bool,
}

impl Costs {
    fn new(costs: &[u64], rounded: bool) -> Self {
        let digits = if rounded { DIGITS } else { u64::MAX.ilog10() + 1 };
        let loses = |cost: &u64| {
            let excess = cost.checked_ilog10().map_or(0, |log| (log + 1).saturating_sub(digits));
            cost % 10_u64.pow(excess) != 0
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

    #[test]
    fn costs_are_exact_unless_rounding_changes_one() {
        let json = |costs: &[u64], rounded| {
            let costs = Costs::new(costs, rounded);
            (costs.json, costs.exact)
        };
        assert_eq!(json(&[1, 123_456_789], false), ("[1,123456789]".to_owned(), true));
        assert_eq!(json(&[1, 123_456_789], true), ("[1,1235e5]".to_owned(), false));
        assert_eq!(json(&[0, 9999, 1_230_000], true), ("[0,9999,123e4]".to_owned(), true));
        assert_eq!(json(&[u64::MAX], false), (format!("[{}]", u64::MAX), true));
        assert_eq!(json(&[], true), ("[]".to_owned(), true));
    }
}
