//! Reads Extra-P's JSON and JSON Lines.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::Deserialize;

use super::super::points;
use super::measurement::{Measurement, UNNAMED, WHOLE_PROGRAM};
use crate::import::ImportError;

/// JSON document: values nested in metrics, nested in callpaths.
#[derive(Deserialize)]
struct Nested {
    parameters: Vec<String>,
    measurements: BTreeMap<String, BTreeMap<String, Vec<Point>>>,
}

#[derive(Deserialize)]
struct Point {
    point: Vec<f64>,
    values: Vec<f64>,
}

/// One line of JSON Lines.
#[derive(Deserialize)]
struct JsonLine {
    params: BTreeMap<String, f64>,
    #[serde(default)]
    metric: Option<String>,
    #[serde(default)]
    callpath: Option<String>,
    value: Values,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Values {
    One(f64),
    Many(Vec<f64>),
}

pub(super) fn read(bytes: &[u8]) -> Result<Vec<Measurement>, ImportError> {
    let is_lines = {
        let mut values = serde_json::Deserializer::from_slice(bytes).into_iter::<JsonLine>();
        matches!(values.next(), Some(Ok(_)))
    };
    if is_lines {
        return lines(bytes);
    }
    nested(serde_json::from_slice(bytes)?)
}

fn lines(bytes: &[u8]) -> Result<Vec<Measurement>, ImportError> {
    let measurement = |line: Result<JsonLine, serde_json::Error>| {
        let line = line?;
        Ok(Measurement {
            parameters: line.params.into_iter().collect(),
            metric: line.metric.as_deref().unwrap_or(UNNAMED).into(),
            callpath: line.callpath.as_deref().unwrap_or(WHOLE_PROGRAM).into(),
            values: match line.value {
                Values::One(value) => vec![value],
                Values::Many(values) => values,
            },
        })
    };
    serde_json::Deserializer::from_slice(bytes).into_iter().map(measurement).collect()
}

fn nested(document: Nested) -> Result<Vec<Measurement>, ImportError> {
    points::check(document.parameters.iter().map(String::as_str))?;
    let mut measurements = Vec::new();
    for (callpath, metrics) in document.measurements {
        let callpath: Arc<str> = callpath.into();
        for (metric, points) in metrics {
            let metric: Arc<str> = metric.into();
            for Point { point, values } in points {
                if point.len() != document.parameters.len() {
                    let what = format!(
                        "a point has {} numbers for {} parameters",
                        point.len(),
                        document.parameters.len()
                    );
                    return Err(ImportError::Contradictory { what });
                }
                measurements.push(Measurement {
                    parameters: document.parameters.iter().cloned().zip(point).collect(),
                    metric: metric.clone(),
                    callpath: callpath.clone(),
                    values,
                });
            }
        }
    }
    Ok(measurements)
}
