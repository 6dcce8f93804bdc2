//! JSON in two shapes, and JSON Lines.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};
use std::str::FromStr;
use std::sync::Arc;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer};

use super::super::points;
use super::measurement::{Measurement, UNNAMED, WHOLE_PROGRAM};
use crate::import::ImportError;
use crate::import::text::shown;

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
    #[serde(deserialize_with = "id")]
    id: i64,
    name: String,
}

#[derive(Deserialize)]
struct Coordinate {
    #[serde(deserialize_with = "id")]
    id: i64,
    parameter_value_pairs: Vec<Pair>,
}

#[derive(Deserialize)]
struct Pair {
    #[serde(deserialize_with = "id")]
    parameter_id: i64,
    #[serde(deserialize_with = "value")]
    parameter_value: f64,
}

#[derive(Deserialize)]
struct Row {
    #[serde(deserialize_with = "id")]
    callpath_id: i64,
    #[serde(deserialize_with = "id")]
    coordinate_id: i64,
    #[serde(deserialize_with = "id")]
    metric_id: i64,
    #[serde(deserialize_with = "value")]
    value: f64,
}

/// Extra-P takes numbers of these tables as text, too.
#[derive(Deserialize)]
#[serde(untagged)]
enum Lenient<'a, T> {
    Number(T),
    #[serde(borrow)]
    Text(Cow<'a, str>),
}

fn lenient<'de, D, T>(deserializer: D, what: &str) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de> + FromStr,
{
    match Lenient::deserialize(deserializer)? {
        Lenient::Number(number) => Ok(number),
        Lenient::Text(text) => {
            let wrong = || D::Error::custom(format!("`{}` is no {what}", shown(&text)));
            text.trim().parse().map_err(|_| wrong())
        }
    }
}

fn id<'de, D: Deserializer<'de>>(deserializer: D) -> Result<i64, D::Error> {
    lenient(deserializer, "whole number")
}

fn value<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
    let value = lenient::<D, f64>(deserializer, "number")?;
    if value.is_finite() { Ok(value) } else { Err(D::Error::custom("a value is no finite number")) }
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
    let failed = match serde_json::from_slice::<Nested>(bytes) {
        Ok(document) => return nested(document),
        Err(error) => error,
    };
    match serde_json::from_slice::<Tables>(bytes) {
        Ok(tables) => self::tables(&tables),
        Err(_) => Err(failed.into()),
    }
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
