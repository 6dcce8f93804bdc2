//! JSON in two shapes, and JSON Lines.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use serde::Deserialize;

use super::{Measurement, UNNAMED, WHOLE_PROGRAM, points};
use crate::import::ImportError;

/// The shape that nests values in metrics in callpaths.
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

/// The older shape, of tables that refer to each other.
#[derive(Deserialize)]
struct Tables {
    callpaths: Vec<Named>,
    metrics: Vec<Named>,
    parameters: Vec<Named>,
    coordinates: Vec<Coordinate>,
    measurements: Vec<Row>,
}

#[derive(Deserialize)]
struct Named {
    id: i64,
    name: String,
}

#[derive(Deserialize)]
struct Coordinate {
    id: i64,
    parameter_value_pairs: Vec<Pair>,
}

#[derive(Deserialize)]
struct Pair {
    parameter_id: i64,
    parameter_value: f64,
}

#[derive(Deserialize)]
struct Row {
    callpath_id: i64,
    coordinate_id: i64,
    metric_id: i64,
    value: f64,
}

/// One line of JSON Lines.
#[derive(Deserialize)]
struct Line {
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
        let mut values = serde_json::Deserializer::from_slice(bytes).into_iter::<Line>();
        matches!(values.next(), Some(Ok(_)))
    };
    if is_lines {
        return lines(bytes);
    }
    let failed = match serde_json::from_slice::<Nested>(bytes) {
        Ok(document) => return nested(document),
        Err(error) => error,
    };
    match serde_json::from_slice::<Tables>(bytes) {
        Ok(tables) => self::tables(&tables),
        Err(_) => Err(ImportError::json(&failed)),
    }
}

fn lines(bytes: &[u8]) -> Result<Vec<Measurement>, ImportError> {
    let measurement = |line: Result<Line, serde_json::Error>| {
        let line = line.map_err(|e| ImportError::json(&e))?;
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
                        "a point of {} numbers, and {} parameters",
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

fn tables(tables: &Tables) -> Result<Vec<Measurement>, ImportError> {
    let names = |rows: &[Named]| {
        rows.iter().map(|n| (n.id, Arc::from(n.name.as_str()))).collect::<HashMap<i64, Arc<str>>>()
    };
    let (callpaths, metrics) = (names(&tables.callpaths), names(&tables.metrics));
    let parameters = names(&tables.parameters);
    points::check(tables.parameters.iter().map(|p| p.name.as_str()))?;
    let missing =
        |what: &str, id: i64| ImportError::Contradictory { what: format!("there is no {what} {id}") };
    let mut at: HashMap<i64, Vec<(String, f64)>> = HashMap::new();
    for coordinate in &tables.coordinates {
        let mut point = Vec::new();
        for pair in &coordinate.parameter_value_pairs {
            let name =
                parameters.get(&pair.parameter_id).ok_or_else(|| missing("parameter", pair.parameter_id))?;
            point.push((name.to_string(), pair.parameter_value));
        }
        points::check(point.iter().map(|(name, _)| name.as_str()))?;
        at.insert(coordinate.id, point);
    }
    let measurement = |row: &Row| {
        let point = at.get(&row.coordinate_id).ok_or_else(|| missing("coordinate", row.coordinate_id))?;
        Ok(Measurement {
            parameters: point.clone(),
            metric: metrics.get(&row.metric_id).ok_or_else(|| missing("metric", row.metric_id))?.clone(),
            callpath: callpaths
                .get(&row.callpath_id)
                .ok_or_else(|| missing("callpath", row.callpath_id))?
                .clone(),
            values: vec![row.value],
        })
    };
    tables.measurements.iter().map(measurement).collect()
}
