//! Writes the rows of a table as CSV, unrounded.

use std::fmt::Write as _;

use trend_analyze::{Findings, Law, Outlook, Point, PowerLawModel, RowLaw};

use super::fields::{field, number, source};
use crate::error::ReportError;
use crate::options::{By, TableOptions};
use crate::rows::item::{self, Item, Listed};
use crate::rows::scope::Scope;
use crate::rows::selection;
use crate::words::growth;

/// A row with the values that its columns show.
struct CsvRecord<'a> {
    item: &'a Item<'a>,
    scope: &'a Scope<'a>,
    by: By,
    /// Function, file and line; empty or 0 if unknown.
    place: (&'a str, &'a str, u32),
    law: Option<&'a PowerLawModel>,
    own: Option<Law>,
    predicted: Option<Outlook>,
}

type Field = fn(&CsvRecord<'_>) -> String;

/// Headings and fields of the columns, in order.
const COLUMNS: [(&str, Field); 29] = [
    ("rank", |r| r.item.rank.to_string()),
    ("kind", |r| r.by.noun().to_owned()),
    ("name", |r| field(r.item.name)),
    ("function", |r| field(r.place.0)),
    ("file", |r| field(r.place.1)),
    ("line", |r| if r.place.2 > 0 { r.place.2.to_string() } else { String::new() }),
    ("locations", |r| r.item.cluster().map(|c| c.members.len().to_string()).unwrap_or_default()),
    ("costly", |r| r.item.is_costly.to_string()),
    ("max_cost", |r| r.item.max_cost.to_string()),
    ("max_share", |r| number(Some(r.item.max_share))),
    ("feature", |r| field(&r.own.as_ref().map(|law| law.features.join(" ")).unwrap_or_default())),
    ("growth", |r| field(&r.item.row_law(r.scope).map(growth::of_law).unwrap_or_default())),
    ("decided", |r| r.own.as_ref().map(|law| law.decided.to_string()).unwrap_or_default()),
    ("a", |r| number(r.law.map(|l| l.a))),
    ("a_lo", |r| end(r.law.and_then(|l| l.a_ci), 0)),
    ("a_hi", |r| end(r.law.and_then(|l| l.a_ci), 1)),
    ("b", |r| number(r.law.map(|l| l.b))),
    ("b_lo", |r| end(r.law.and_then(|l| l.b_ci), 0)),
    ("b_hi", |r| end(r.law.and_then(|l| l.b_ci), 1)),
    ("r2", |r| number(r.law.map(|l| l.r2))),
    ("points", |r| r.law.map(|l| l.points.to_string()).unwrap_or_default()),
    ("ignored_zeros", |r| r.law.map(|l| l.ignored_zeros.to_string()).unwrap_or_default()),
    ("at", |r| field(&r.scope.point.map(|(_, at)| sizes(at)).unwrap_or_default())),
    ("predicted", |r| number(r.predicted.map(|p| p.cost))),
    ("predicted_lo", |r| end(r.predicted.and_then(|p| p.ci), 0)),
    ("predicted_hi", |r| end(r.predicted.and_then(|p| p.ci), 1)),
    ("share_of_largest", |r| number(Some(r.item.share_of_largest))),
    ("source", |r| r.own.as_ref().map(|law| source(law.source).to_owned()).unwrap_or_default()),
    ("law", |r| field(&r.own.as_ref().map(Law::formula).unwrap_or_default())),
];

/// Returns the rows of a table as CSV under a header row, unrounded. An empty field is a missing value.
///
/// All rows are included unless [`TableOptions::top`] limits them. A name that a spreadsheet would read as a formula
/// gets a leading apostrophe.
///
/// # Errors
/// Fails in the same cases as [`crate::table`].
pub fn csv(findings: &Findings, options: &TableOptions) -> Result<String, ReportError> {
    let options = selection::settled(findings, options);
    let scope = Scope::new(findings, &options)?;
    let options = TableOptions { top: options.top.or(Some(usize::MAX)), ..options };
    let mut text = COLUMNS.map(|(name, _)| name).join(",") + "\n";
    for item in selection::selection(findings, &scope, &options)?.shown {
        let record = CsvRecord::new(&item, &scope, options.by);
        let _ = writeln!(text, "{}", COLUMNS.map(|(_, field)| field(&record)).join(","));
    }
    Ok(text)
}

impl<'a> CsvRecord<'a> {
    fn new(item: &'a Item<'a>, scope: &'a Scope<'a>, by: By) -> Self {
        let place: (&str, &str, u32) = match item.listed {
            Listed::Cluster(cluster) => {
                cluster.namesake().map_or(("", "", 0), |m| (&m.function, &m.file, m.line))
            }
            Listed::Row(row, By::Function) => (&row.name, &row.file, row.line),
            Listed::Row(row, _) => ("", &row.file, row.line),
        };
        let own = item.row_law(scope).and_then(RowLaw::law);
        Self { item, scope, by, place, law: item.law(scope), own, predicted: item::predicted(item, scope) }
    }
}

/// Formats a point as `x=640 y=1200`, or as the bare value if it has a single feature.
fn sizes(point: &Point) -> String {
    match point.values.as_slice() {
        [one] => one.at.to_string(),
        all => {
            all.iter().map(|value| format!("{}={}", value.feature, value.at)).collect::<Vec<_>>().join(" ")
        }
    }
}

/// Formats one end of an interval; empty if it is missing or not finite.
fn end(interval: Option<[f64; 2]>, end: usize) -> String {
    number(interval.map(|ends| ends[end]))
}
