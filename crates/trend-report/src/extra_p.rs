//! The counts of a study as Extra-P's JSON Lines.

use std::fmt::Write as _;

use serde_json::{Map, Value, json};
use trend_profile::Study;

use crate::counts::headers;

/// One object per location and workload that has every feature, with the cost as its value: times in seconds as
/// the metric `time`, others under the name of their unit.
///
/// Zeros are left out, as they say that a location was not executed; Extra-P models what was measured. Names are
/// those of [`crate::counts_csv`].
pub fn extra_p(study: &Study) -> String {
    let unit = study.unit();
    // A unit such as `1e-3 joules` is a part of what is measured.
    let (factor, metric) = match unit.name().split_once(' ') {
        _ if unit.is_time() => (1e-12, "time"),
        Some((part, name)) if part.starts_with("1e-") => (part.parse().unwrap_or(1.0), name),
        _ => (1.0, unit.name()),
    };
    let blocks: Vec<_> = study.blocks().collect();
    let mut text = String::new();
    for (&block, name) in blocks.iter().zip(headers(study, &blocks)) {
        for (index, &cost) in study.counts().row(block).iter().enumerate().filter(|(_, c)| **c > 0) {
            let point: Option<Map<String, Value>> =
                study.features().iter().map(|f| Some((f.name.clone(), json!(f.values[index]?)))).collect();
            let Some(point) = point.filter(|p| !p.is_empty()) else { continue };
            // A whole number stays one; a part of a unit is written with its decimal digits.
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
            Study::from_text("n: 1 2.5 3\nm: 7 8 -\na.c:3:f: 10 0 20\nb.c:1:g: 18446744073709551615 1 1")
                .unwrap();
        let lines = "{\"callpath\":\"a.c:3:f\",\"metric\":\"executions\",\"params\":{\"m\":7.0,\"n\":1.0},\"value\":10}\n\
                     {\"callpath\":\"b.c:1:g\",\"metric\":\"executions\",\"params\":{\"m\":7.0,\"n\":1.0},\"value\":18446744073709551615}\n\
                     {\"callpath\":\"b.c:1:g\",\"metric\":\"executions\",\"params\":{\"m\":8.0,\"n\":2.5},\"value\":1}\n";
        assert_eq!(extra_p(&study), lines);
    }
}
