//! Writes the program and the rows of clusters, functions and series as columns, each with the page's additional
//! fields.

use serde::Serialize;
use serde_json::{Value, json};
use trend_analyze::Findings;

use super::columns::Column;
use super::numbers::FINDINGS_DIGITS;
use super::rows::Rows;
use super::series::SeriesExtra;

/// Returns the tables as a JSON object. The table of the program has one row.
pub(super) fn tables(findings: &Findings, rows: &Rows, series: &[SeriesExtra<'_>]) -> String {
    let total = table(std::iter::once(findings.published_total()), std::slice::from_ref(&rows.total));
    let ((clusters, functions), series) = rayon::join(
        || {
            rayon::join(
                || table(findings.published_clusters(), &rows.clusters),
                || table(findings.published_functions(), &rows.functions),
            )
        },
        || table(findings.series.iter(), series),
    );
    format!("{{\"total\":{total},\"clusters\":{clusters},\"functions\":{functions},\"series\":{series}}}")
}

fn table(rows: impl Iterator<Item = impl Serialize>, extras: &[impl Serialize]) -> String {
    let mut column = Column::default();
    for (row, extra) in rows.zip(extras) {
        // This cannot fail, because all keys are strings.
        let mut row = serde_json::to_value(row).unwrap_or_default();
        brief(&mut row);
        add(&mut row, serde_json::to_value(extra).unwrap_or_default());
        say_once(&mut row);
        column.push(&row, FINDINGS_DIGITS);
    }
    let mut json = String::new();
    column.write(&mut json);
    json
}

/// Adds fields. If both values are arrays or objects, their parts are merged.
fn add(to: &mut Value, more: Value) {
    match (to, more) {
        (Value::Object(to), Value::Object(more)) => {
            for (key, value) in more {
                match to.get_mut(&key) {
                    Some(field) => add(field, value),
                    None => drop(to.insert(key, value)),
                }
            }
        }
        (Value::Array(to), Value::Array(more)) => {
            to.iter_mut().zip(more).for_each(|(to, more)| add(to, more));
        }
        (to, more) => *to = more,
    }
}

/// Costs of series that have their own models.
const COSTS: [&str; 6] = ["worst", "average", "best", "own", "runs", "own_runs"];

/// Replaces a cost by `worst`, the name of the first cost, if the two are equal. They are equal if calls of one size
/// cost the same.
fn say_once(row: &mut Value) {
    for cost in &COSTS[1..4] {
        if row.get(cost).is_some_and(|of_cost| row.get(COSTS[0]) == Some(of_cost)) {
            row[cost] = COSTS[0].into();
        }
    }
}

/// Removes data that other fields of the row contain, and data that no page shows.
fn brief(row: &mut Value) {
    for cost in COSTS {
        if let Some(of_cost) = row.get_mut(cost) {
            brief(of_cost);
        }
    }
    for model in rows_in(row, "models") {
        // The row's outlooks contain the predictions of its law. Other models are drawn without predictions.
        model["predictions"] = json!([]);
        if let Some(linear) = model["linear"].as_object_mut() {
            linear.insert("a_ci".to_owned(), Value::Null);
            linear.insert("b_ci".to_owned(), Value::Null);
        }
        rows_in(model, "doubts").iter_mut().filter_map(Value::as_object_mut).for_each(|doubt| {
            doubt.remove("numbers");
        });
    }
    for member in rows_in(row, "members").iter_mut().filter_map(Value::as_object_mut) {
        let usual = match (&member["file"], &member["line"]) {
            (Value::String(file), line) => format!("{file}:{line}"),
            _ => String::new(),
        };
        if member["name"] == usual {
            member.remove("name");
        }
        if member["lines"] == json!([member["line"]]) {
            member["lines"] = json!([]);
        }
    }
}

fn rows_in<'a>(row: &'a mut Value, field: &str) -> &'a mut [Value] {
    row.get_mut(field).and_then(Value::as_array_mut).map_or(&mut [], Vec::as_mut_slice)
}
