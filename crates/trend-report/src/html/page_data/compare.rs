//! Data about the previous version for a page: the comparison at several targets in the words of `trend-prof diff`, and
//! the costs and laws of both versions for a drawing.

use serde::Serialize;
use serde_json::value::RawValue;
use trend_analyze::{ChangeKind, Compared, Comparison, Findings, JudgedPlace, Law, Model, Row, RowLaw};

use super::calls::warmth;
use super::models::band;
use super::numbers::short;
use crate::diff::sentences::{self, Piece};
use crate::diff::{table, words};
use crate::layout::number;
use crate::options::TableOptions;
#[cfg(test)]
use crate::tests::published;

/// Two versions of a program, for a page of the later one.
#[derive(Clone, Copy, Debug)]
pub struct PageComparison<'a> {
    /// Names of the studies, before and after.
    pub names: [&'a str; 2],
    /// Findings before and after, with the feature and the rows of the comparisons.
    pub findings: [&'a Findings; 2],
    /// Comparisons by target, the default one first; all are in one feature.
    pub comparisons: &'a [Comparison],
}

/// The comparison of two versions.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct Compare<'a> {
    /// Names of the studies, before and after.
    names: [&'a str; 2],
    /// Values of the compared feature, before and after: `[workloads]`.
    sizes: [&'a [Option<f64>]; 2],
    /// Comparisons by target, the default one first.
    targets: Vec<ComparedTarget>,
    /// The whole program, and the functions that are listed at some target.
    rows: Vec<ComparedRow<'a>>,
}

/// The comparison at one target, as a terminal shows it.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct ComparedTarget {
    /// Output of `trend-prof diff --format json`, with only the changes that a terminal lists.
    #[cfg_attr(test, schemars(with = "published::Comparison"))]
    comparison: Box<RawValue>,
    /// Outcome in one word, and the program's cost.
    headline: Vec<Piece>,
    /// Sentences about faster or slower growth, and about resources.
    meaning: Vec<Piece>,
    /// Sentence with the number of unchanged functions; empty if there are none.
    unchanged: String,
    /// Number of changes that are not listed.
    more: usize,
    /// Output of `trend-prof diff --format markdown`.
    markdown: String,
    total: ChangeWords,
    /// Words of the comparison's changes, in order.
    changes: Vec<ChangeWords>,
}

/// A change in words, and as a difference.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct ChangeWords {
    /// Name, or `old → new` if it changed; empty for the whole program.
    name: String,
    /// Place, as in `list.c:7`.
    place: String,
    /// Kind of change, as in `factor 1.13, exact`.
    what: String,
    /// Costs before and after.
    costs: [String; 2],
    /// Relative change, as in `+27 % (+20 % … +34 %)`; for new or removed code, its cost with a sign.
    change: String,
    /// Difference of the costs.
    by: f64,
    /// Interval of the difference.
    by_ci: Option<[f64; 2]>,
}

/// A row in both versions.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct ComparedRow<'a> {
    /// Place according to the comparison; absent for the whole program.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(with = "Option<published::JudgedPlace>"))]
    place: Option<JudgedPlace>,
    /// Row before and after; `null` in a version without it.
    sides: [Option<ComparedSide<'a>>; 2],
}

/// A row in one version: its measured costs and its law.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct ComparedSide<'a> {
    /// Costs: `[workloads]`, 0 = not executed.
    costs: &'a [u64],
    /// Law of the costs in terms of features; `null` if there is none.
    #[cfg_attr(test, schemars(with = "Option<published::Law>"))]
    law: Option<Box<RawValue>>,
    /// The interval of a law in one feature; `null` without one.
    #[cfg_attr(test, schemars(with = "Option<trend_answer::Band>"))]
    band: Box<RawValue>,
    /// Step of growth: 0 (linear or less) to 4.
    #[serde(skip_serializing_if = "Option::is_none")]
    warmth: Option<u8>,
}

impl<'a> Compare<'a> {
    /// Returns the comparison for a page, or `None` if no versions were compared.
    pub(super) fn new(compared: &PageComparison<'a>) -> Option<Self> {
        let feature = &compared.comparisons.first()?.feature;
        let sizes = compared.findings.map(|findings| {
            let position = findings.feature(feature);
            position.map_or(&[][..], |i| &findings.feature_values[i])
        });
        let mut rows = vec![ComparedRow {
            place: None,
            sides: compared.findings.map(|findings| Some(ComparedSide::of_total(findings))),
        }];
        for change in compared.comparisons.iter().flat_map(listed) {
            if rows.iter().all(|row| row.place != change.place) {
                rows.push(ComparedRow::new(change, compared.findings));
            }
        }
        let targets = compared.comparisons.iter().map(|c| ComparedTarget::new(c, compared.names)).collect();
        Some(Self { names: compared.names, sizes, targets, rows })
    }
}

fn listed(comparison: &Comparison) -> Vec<&Compared> {
    table::listed_functions(comparison, &TableOptions::default())
}

impl ComparedTarget {
    fn new(comparison: &Comparison, names: [&str; 2]) -> Self {
        let rows = listed(comparison);
        let changes = rows.iter().copied().cloned().collect();
        // The page lists functions; their lines are in its other views.
        let functions_only =
            Comparison { changes, lines: Vec::new(), clusters: Vec::new(), ..comparison.clone() };
        Self {
            comparison: short(&functions_only),
            headline: sentences::headline(comparison),
            meaning: sentences::meaning(comparison),
            unchanged: sentences::unchanged(comparison),
            more: comparison.changes.len() - rows.len(),
            markdown: table::diff_markdown(comparison, names, &TableOptions::default()),
            total: ChangeWords::new(&comparison.total),
            changes: rows.into_iter().map(ChangeWords::new).collect(),
        }
    }
}

impl ChangeWords {
    fn new(compared: &Compared) -> Self {
        let (before, after) = (&compared.before, &compared.after);
        let by_ci = match compared.change.kind {
            ChangeKind::New => after.ci,
            ChangeKind::Vanished => before.ci.map(|[lo, hi]| [-hi, -lo]),
            // The ratio for equal inputs is known more precisely than either cost.
            _ => compared.change.ratio_ci.map(|ci| ci.map(|ratio| before.cost * (ratio - 1.0))),
        };
        let by = after.cost - before.cost;
        let change = Some(words::change(compared)).filter(|change| !change.is_empty());
        let what = [words::what(compared), words::certainty(compared)];
        Self {
            name: words::name(compared),
            place: words::place(compared),
            what: what.into_iter().filter(|word| !word.is_empty()).collect::<Vec<_>>().join(", "),
            costs: [before.cost, after.cost].map(|cost| number::cost(cost, 3)),
            // New or vanished code has no ratio.
            change: change.unwrap_or_else(|| words::signed_cost(by)),
            by,
            by_ci,
        }
    }
}

impl<'a> ComparedRow<'a> {
    fn new(change: &Compared, [before, after]: [&'a Findings; 2]) -> Self {
        let was = change.was.as_ref().or(change.place.as_ref());
        let old = was.filter(|_| change.change.kind != ChangeKind::New);
        let new = change.place.as_ref().filter(|_| change.change.kind != ChangeKind::Vanished);
        let side =
            |findings, place: Option<&JudgedPlace>| function(findings, place?).map(ComparedSide::of_row);
        Self { place: change.place.clone(), sides: [side(before, old), side(after, new)] }
    }
}

/// Returns the function at a place. If a file has several functions with this name, returns the one at this line, else
/// the first.
fn function<'a>(findings: &'a Findings, place: &JudgedPlace) -> Option<&'a Row> {
    let alike =
        || findings.functions.iter().filter(|row| (&row.name, &row.file) == (&place.name, &place.file));
    alike().find(|row| row.line == place.line).or_else(|| alike().next())
}

impl<'a> ComparedSide<'a> {
    fn of_row(row: &'a Row) -> Self {
        let law = row.fits.law();
        Self::new(&row.costs, law, law.and_then(RowLaw::law))
    }

    fn of_total(findings: &'a Findings) -> Self {
        let total = &findings.total;
        Self::new(&total.costs, total.fits.law(), total.law())
    }

    fn new(costs: &'a [u64], row_law: Option<RowLaw<'_>>, law: Option<Law>) -> Self {
        let model: Option<&Model> = match row_law {
            Some(RowLaw::Of(model)) => Some(model),
            _ => None,
        };
        Self {
            costs,
            law: law.map(|law| short(&law)),
            band: short(&model.and_then(|model| band(&model.curve))),
            warmth: row_law.and_then(warmth),
        }
    }
}
