//! Checks the published format against its types.

use std::path::Path;

use schemars::generate::SchemaSettings;
use schemars::transform::{RecursiveTransform, Transform as _};
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::Serialize;
use serde_json::Value;

use super::Findings;
use super::typescript::assert_declared;
use crate::answer::Candidates;
use crate::compare::Comparison;
use crate::expect::Checked;
use crate::forecast::fragments::CalibrationReport;

/// The fields of [`trend_profile::Machine`], which is a file's format without a schema. A test that prints a
/// calibration checks it against the schema, so that these cannot differ.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Machine")]
pub(crate) struct MachineFields {
    /// The name of its processor.
    cpu: String,
    /// Number of its processors.
    cores: u32,
    /// Its memory in bytes; 0 if unknown.
    memory_bytes: u64,
    /// The operating system.
    system: String,
    /// Seconds per execution; absent if nothing was measured.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    constant: Vec<ConstantFields>,
}

/// Seconds per execution of a fragment.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Constant")]
struct ConstantFields {
    /// Its name in formulas.
    name: String,
    /// A digest of the program that timed it, and of the method.
    fingerprint: String,
    /// Measurements by ascending memory.
    at: Vec<ConstantMeasurementFields>,
}

/// A constant, measured with this working set of its fragment.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "ConstantMeasurement")]
struct ConstantMeasurementFields {
    /// The working set in bytes; 0 if it does not grow.
    bytes: u64,
    /// Seconds per execution.
    seconds: f64,
    /// Lower end of the interval.
    low: f64,
    /// Upper end of the interval.
    high: f64,
    /// Number of processes that agreed on it.
    kept: u32,
    /// Number of processes that measured it.
    of: u32,
}

/// Closes a schema: undeclared fields are errors, so that tests find a field that is missing in the schema. Optional
/// fields are absent and never `null`.
fn closed(schema: &mut Schema) {
    let plain = schema
        .get("description")
        .and_then(Value::as_str)
        .map(|text| text.replace("[`", "`").replace("`]", "`"));
    if let Some(text) = plain {
        schema.insert("description".to_owned(), text.into());
    }
    let required = schema.get("required").and_then(Value::as_array).cloned().unwrap_or_default();
    let Some(properties) = schema.get_mut("properties").and_then(Value::as_object_mut) else { return };
    for (name, property) in
        properties.iter_mut().filter(|(name, _)| !required.contains(&Value::from(name.as_str())))
    {
        for key in ["type", "anyOf"] {
            let Some(Value::Array(either)) = property.get_mut(key) else { continue };
            either.retain(|one| *one != "null" && one.get("type") != Some(&"null".into()));
            assert_eq!(either.len(), 1, "{name}");
            let only = either.remove(0);
            match only {
                Value::Object(only) => {
                    let Some(property) = property.as_object_mut() else { continue };
                    property.remove(key);
                    property.extend(only);
                }
                only => property[key] = only,
            }
        }
    }
    schema.insert("additionalProperties".to_owned(), false.into());
}

#[test]
fn the_committed_schema_is_that_of_the_types() {
    assert_committed::<Findings>(crate::findings::SCHEMA, "findings.schema.json");
    assert_committed::<Checked>(crate::expect::SCHEMA, "check.schema.json");
    assert_committed::<Comparison>(crate::compare::comparison::SCHEMA, "diff.schema.json");
    assert_committed::<CalibrationReport<'_>>(crate::forecast::fragments::SCHEMA, "calibration.schema.json");
}

fn assert_committed<T: JsonSchema>(id: &str, file: &str) {
    let generator = SchemaGenerator::new(SchemaSettings::draft2020_12().for_serialize());
    let mut schema = generator.into_root_schema_for::<T>();
    RecursiveTransform(closed).transform(&mut schema);
    schema.insert("$id".to_owned(), id.into());
    let text = serde_json::to_string_pretty(&schema).unwrap() + "\n";
    let path = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs")).join(file);
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        std::fs::write(&path, &text).unwrap();
    }
    let known = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(text == known, "UPDATE_GOLDEN=1 writes {} anew", path.display());
}

#[test]
fn the_page_knows_the_types_of_the_findings() {
    assert_declared::<(Findings, Candidates, Comparison)>("findings-types.ts");
}
