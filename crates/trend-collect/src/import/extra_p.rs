//! Reads Extra-P's measurements: text, JSON and JSON Lines.
//!
//! ```text
//! PARAMETER p n                                         {"parameters": ["p"], "measurements":
//! POINTS ( 2 10 ) ( 4 10 )                                {"main->sort": {"time": [
//! REGION main->sort                                         {"point": [2], "values": [1.5, 1.6]}]}}}
//! METRIC time
//! DATA 1.5 1.6               for the first point         {"params": {"p": 2}, "callpath": "main->sort",
//! DATA 3.1 3.0               for the second               "metric": "time", "value": 1.5}
//! ```
//!
//! The metric `time` is in seconds and is kept in picoseconds. Other values with decimals are stored as
//! whole numbers of a smaller unit.

mod json;
mod measurement;
mod sections;

use std::collections::BTreeSet;

use trend_profile::Unit;

use self::measurement::Measurement;
use super::error::listed;
use super::points::{self, BenchmarkRuns, SECOND, whole};
use super::text::shown;
use super::{ImportError, Imported, Input};

/// Name of the metric that is measured in seconds.
const TIME: &str = "time";

/// Reads the measurements of one metric; the default is the only one, or `time`.
///
/// # Errors
/// Fails if the input has none of the formats or is cut off, or if values are not costs. Also fails if the metric is
/// missing, or if there are several and none is chosen.
pub fn read<'a>(input: impl Into<Input<'a>>, metric: Option<&str>) -> Result<Imported, ImportError> {
    let input = input.into();
    let mut points = BenchmarkRuns::new(input.budget());
    let bytes = &*input.document()?;
    let is_json = bytes.iter().find(|b| !b.is_ascii_whitespace()) == Some(&b'{');
    let (measurements, warning) = if is_json {
        (json::read(bytes)?, None)
    } else {
        (sections::read(bytes)?, is_unfinished(bytes).then(points::unfinished))
    };
    let metrics: BTreeSet<&str> = measurements.iter().map(|m| &*m.metric).collect();
    let wanted = chosen(&metrics, metric)?.to_owned();
    let of_metric: Vec<&Measurement> = measurements.iter().filter(|m| *m.metric == *wanted).collect();
    let (unit, factor) = match &*wanted {
        TIME => (Unit::new(Unit::PICOSECONDS), SECOND),
        metric => points::scale(metric, &of_metric.iter().flat_map(|m| m.values.iter().copied())),
    };
    for measurement in of_metric {
        let costs = measurement.values.iter().map(|value| {
            whole(value * factor).ok_or_else(|| format!("the {} {value} is not a valid cost", shown(&wanted)))
        });
        points.add(&measurement.callpath, &measurement.parameters, costs)?;
    }
    if let Some(warning) = warning {
        points.warn(warning);
    }
    points.finish(unit, "it has no values")
}

fn chosen<'a>(metrics: &BTreeSet<&'a str>, wanted: Option<&str>) -> Result<&'a str, ImportError> {
    let choices = || listed(metrics.iter().copied());
    match wanted {
        Some(name) => metrics.iter().copied().find(|m| *m == name).ok_or_else(|| ImportError::Unknown {
            what: "metric",
            name: name.to_owned(),
            choices: choices(),
        }),
        None if metrics.len() > 1 => metrics.get(TIME).copied().ok_or_else(|| ImportError::NoCounts {
            reason: format!("none of its metrics was chosen; choose one with --metric: {}", choices()),
        }),
        None => {
            metrics.first().copied().ok_or_else(|| ImportError::NoCounts { reason: "it is empty".to_owned() })
        }
    }
}

/// Returns true if the last number of a text may lack digits.
fn is_unfinished(bytes: &[u8]) -> bool {
    bytes.last() != Some(&b'\n')
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "# made by hand\nPARAMETER p\nPARAMETER n\nPOINTS ( 2 10 ) ( 4 10 )\nREGION main->sort\n\
                        METRIC time\nDATA 1.5 1.6\nDATA 3 3.25\nMETRIC calls\nDATA 7\nDATA 9\n";

    fn rows(read: &Imported) -> Vec<(String, u64)> {
        read.runs.iter().map(|r| (r.workload.as_deref().unwrap().to_owned(), r.counts[0].1)).collect()
    }

    fn expected(rows: &[(&str, u64)]) -> Vec<(String, u64)> {
        rows.iter().map(|&(name, cost)| (name.to_owned(), cost)).collect()
    }

    #[test]
    fn text_has_points_regions_metrics_and_repetitions() {
        let time = read(TEXT.as_bytes(), None).unwrap();
        let s = 1_000_000_000_000;
        let times =
            [("p=2 n=10", 3 * s / 2), ("p=2 n=10", 8 * s / 5), ("p=4 n=10", 3 * s), ("p=4 n=10", 13 * s / 4)];
        assert_eq!(rows(&time), expected(&times));
        assert!(time.unit.is_time());
        let calls = read(TEXT.as_bytes(), Some("calls")).unwrap();
        assert_eq!(
            (rows(&calls), calls.unit.name()),
            (expected(&[("p=2 n=10", 7), ("p=4 n=10", 9)]), "calls")
        );
        assert!(read(TEXT.as_bytes(), Some("x")).unwrap_err().to_string().contains("`calls`, `time`"));
    }

    #[test]
    fn points_of_one_parameter_need_no_braces() {
        for points in ["POINTS 10 20", "POINTS (10) (20)", "POINTS ( 10 ) ( 20 )", "POINTS 10\nPOINTS 20"] {
            let text = format!("PARAMETER n\n{points}\nREGION a\nDATA 0.125\nDATA 2\n");
            let read = read(text.as_bytes(), None).unwrap();
            assert_eq!(
                (rows(&read), read.unit.name()),
                (expected(&[("n=10", 125), ("n=20", 2000)]), "1e-3 value")
            );
        }
        let nested = "PARAMETER a b\nPOINTS ((1) (2)) ((3) (4))\nREGION r\nDATA 5\nDATA 6\n";
        assert_eq!(
            rows(&read(nested.as_bytes(), None).unwrap()),
            expected(&[("a=1 b=2", 5), ("a=3 b=4", 6)])
        );
    }
}
