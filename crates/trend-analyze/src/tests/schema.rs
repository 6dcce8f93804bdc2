//! Checks the published format against its types.

use std::path::Path;

use schemars::JsonSchema;
use serde::Serialize;
use trend_answer::schema::{generator, schema};

use crate::answer::Candidates;
use crate::compare::Comparison;
use crate::expect::Checked;
use crate::findings::Findings;
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

#[test]
fn the_committed_schema_is_that_of_the_types() {
    assert_committed::<Findings>(Some(crate::findings::SCHEMA), "docs/findings.schema.json");
    assert_committed::<Checked>(Some(crate::expect::SCHEMA), "docs/check.schema.json");
    assert_committed::<Comparison>(Some(crate::compare::comparison::SCHEMA), "docs/diff.schema.json");
    assert_committed::<CalibrationReport<'_>>(
        Some(crate::forecast::fragments::SCHEMA),
        "docs/calibration.schema.json",
    );
    // The part of the page's data that is not published.
    assert_committed::<Candidates>(None, "crates/trend-report/ui/generated/candidates.schema.json");
}

fn assert_committed<T: JsonSchema>(id: Option<&str>, file: &str) {
    let text = schema::<T>(generator(), id);
    let path = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")).join(file);
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        std::fs::write(&path, &text).unwrap();
    }
    let committed = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(text == committed, "UPDATE_GOLDEN=1 writes {} anew", path.display());
}
