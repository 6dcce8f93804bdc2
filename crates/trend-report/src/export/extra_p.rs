//! Writes the counts of a study as Extra-P's JSON Lines.

use std::fmt::Write as _;

use serde_json::{Map, Value, json};
use trend_profile::Study;

use super::counts::headers;

/// Returns one object per location and workload, with the cost as its value. Workloads with a missing feature are left
/// out. Times are in seconds, as the metric `time`; other costs have their unit's name as the metric.
///
/// Extra-P requires every location at every point, so zeros are included. Locations without any count are left out.
/// Names are the same as in [`crate::counts_csv`].
pub fn extra_p(study: &Study) -> String {
    let unit = study.unit();
    // A unit such as `1e-3 joules` consists of a factor and a metric.
    let (factor, metric) = match unit.name().split_once(' ') {
        _ if unit.is_time() => (1e-12, "time"),
        Some((part, name)) if part.starts_with("1e-") => (part.parse().unwrap_or(1.0), name),
        _ => (1.0, unit.name()),
    };
    let blocks: Vec<_> = study.blocks().collect();
    let mut text = String::new();
    for (&block, name) in blocks.iter().zip(headers(study, &blocks)) {
        let row = study.counts().row(block);
        if row.max() == 0 {
            continue;
        }
        for (index, cost) in row.iter().enumerate() {
            let point: Option<Map<String, Value>> =
                study.features().iter().map(|f| Some((f.name.clone(), json!(f.values[index]?)))).collect();
            let Some(point) = point.filter(|p| !p.is_empty()) else { continue };
            // Whole units stay integers; fractions of a unit are written with decimals.
            let value = if factor == 1.0 { json!(cost) } else { json!(cost as f64 * factor) };
            let line = json!({"params": point, "callpath": name, "metric": metric, "value": value});
            let _ = writeln!(text, "{line}");
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_count_is_a_measurement_at_its_point() {
        let study =
            Study::from_text("n: 1 2.5 3\nm: 7 8 -\na.c:3:f: 10 0 20\nb.c:1:g: 45 1 1\nc.c:1:h: 0 0 0")
                .unwrap();
        // Extra-P has read this file; `measured.csv` in the same folder holds its results.
        let lines = include_str!("../../../trend-collect/tests/data/extra-p/exported.jsonl");
        assert_eq!(extra_p(&study), lines);
        let study = Study::from_text("n: 1\nb.c:1:g: 18446744073709551615").unwrap();
        assert!(extra_p(&study).contains("\"value\":18446744073709551615}"));
    }
}
