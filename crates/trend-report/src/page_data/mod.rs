//! The data of a page, as one block of JSON: the findings as they are published, and what only a page needs. Its shape
//! is declared for the page in `ui/src/data/types.ts`.
//!
//! Numbers that are not finite are `null`. Counts above 2^53 are written to the last digit and lose it where
//! JavaScript reads them. The findings' other numbers have nine digits, see [`numbers::findings`].

mod constant;
mod models;
mod numbers;
mod packed;
mod routines;
mod rows;
mod sources;
mod workloads;

use std::fmt::Write as _;

use serde::Serialize;
use serde_json::value::RawValue;
use sha2::{Digest as _, Sha256};
use trend_analyze::Findings;
use trend_profile::Study;

use crate::verdict::Statement;
use crate::{number, table, verdict};
use constant::ConstantLocations;
use routines::RoutineExtra;
use rows::{RowExtra, Rows};
use sources::{SourceFile, Sources};
use workloads::WorkloadInfo;

/// The name and version of the format.
const SCHEMA: &str = "trend-prof/page/1";

/// Bytes of the findings' digest that tell one revision from another.
const REVISION_BYTES: usize = 8;

/// What a page is made for.
#[derive(Clone, Copy, Debug, Default)]
pub struct PageOptions<'a> {
    /// The tool and its version.
    pub generated_by: &'a str,
    /// The study's file name, for command lines.
    pub study_name: &'a str,
    /// Whether a server shows the page, whose API it may then ask.
    pub served: bool,
    /// What changes when the study does; by default a digest of the findings.
    pub revision: Option<&'a str>,
}

/// The JSON and the sources, each compressed: gzip as base64.
pub(crate) struct Packed {
    pub(crate) data: String,
    /// In the order of the JSON's `sources`.
    pub(crate) sources: Vec<String>,
}

#[derive(Serialize)]
struct PageData<'a> {
    schema: &'static str,
    generated_by: &'a str,
    study: &'a str,
    root: &'a str,
    served: bool,
    revision: &'a str,
    findings: Box<RawValue>,
    verdict: Vec<Statement>,
    legend: &'static str,
    method: String,
    workloads: Vec<WorkloadInfo<'a>>,
    /// `[features][workloads]`.
    feature_values: &'a [Vec<Option<f64>>],
    total: RowExtra,
    clusters: Vec<RowExtra>,
    functions: Vec<RowExtra>,
    routines: Vec<RoutineExtra<'a>>,
    constant: ConstantLocations<'a>,
    sources: Vec<SourceFile<'a>>,
    sources_left_out: Vec<&'a str>,
}

/// The data block of a page as JSON, for a server whose page takes it anew.
pub fn page_data(findings: &Findings, study: &Study, options: &PageOptions<'_>) -> Vec<u8> {
    json_and_sources(findings, study, options).0
}

/// All that a page carries besides what is drawn without scripts.
pub(crate) fn pack(findings: &Findings, study: &Study, options: &PageOptions<'_>) -> Packed {
    let (json, sources) = json_and_sources(findings, study, options);
    Packed { data: packed::gzip_base64(&json), sources }
}

/// The JSON, and the sources that it lists, packed.
fn json_and_sources(findings: &Findings, study: &Study, options: &PageOptions<'_>) -> (Vec<u8>, Vec<String>) {
    let published = || numbers::raw(numbers::findings(findings));
    let rest = || rayon::join(published, || Rows::new(findings));
    let (sources, (published, rows)) = rayon::join(|| Sources::new(study), rest);
    let digest = revision(&published);
    let data = PageData {
        schema: SCHEMA,
        generated_by: options.generated_by,
        study: options.study_name,
        root: study.root(),
        served: options.served,
        revision: options.revision.unwrap_or(&digest),
        findings: published,
        verdict: verdict(findings),
        legend: number::legend(&findings.unit),
        method: table::method(findings),
        workloads: workloads::workloads(study),
        feature_values: &findings.feature_values,
        total: rows.total,
        clusters: rows.clusters,
        functions: rows.functions,
        routines: routines::routines(findings, study),
        constant: ConstantLocations::new(findings, study),
        sources: sources.files,
        sources_left_out: sources.left_out,
    };
    // The keys are strings, so that nothing here can fail.
    (serde_json::to_vec(&data).unwrap_or_default(), sources.packed)
}

fn revision(findings: &RawValue) -> String {
    let mut revision = String::new();
    for byte in &Sha256::digest(findings.get().as_bytes())[..REVISION_BYTES] {
        let _ = write!(revision, "{byte:02x}");
    }
    revision
}
