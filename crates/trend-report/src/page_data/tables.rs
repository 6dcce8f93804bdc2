//! The rows of clusters and of functions, and what a page knows of them besides, as columns.

use serde::Serialize;
use serde_json::{Value, json};
use trend_analyze::Findings;

use super::columns::Column;
use super::numbers::FINDINGS_DIGITS;
use super::rows::RowExtra;

/// The four tables as a JSON object.
pub(super) fn tables(findings: &Findings, clusters: &[RowExtra], functions: &[RowExtra]) -> String {
    let ((a, b), (c, d)) = rayon::join(
        || (table(findings.published_clusters(), brief), table(clusters.iter(), whole)),
        || (table(findings.published_functions(), brief), table(functions.iter(), whole)),
    );
    format!("{{\"clusters\":{a},\"cluster_extras\":{b},\"functions\":{c},\"function_extras\":{d}}}")
}

fn table(rows: impl Iterator<Item = impl Serialize>, shown: fn(&mut Value)) -> String {
    let mut column = Column::default();
    for row in rows {
        // Keys are strings, and nothing else fails.
        let mut row = serde_json::to_value(row).unwrap_or_default();
        shown(&mut row);
        column.push(&row, FINDINGS_DIGITS);
    }
    let mut json = String::new();
    column.write(&mut json);
    json
}

fn whole(_: &mut Value) {}

/// Leaves out what other fields of the row say, and what no page shows.
fn brief(row: &mut Value) {
    for model in rows_in(row, "models") {
        // The row's law and its outlooks are these, and other models are drawn without.
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
