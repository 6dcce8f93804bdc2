//! Writes the block of JSON: head, findings and tail, of which each part is written as soon as it is made.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::{self, BufWriter, Write};

use serde::Serialize;
use sha2::{Digest as _, Sha256};
use trend_analyze::{Findings, Fits, MemoryLine, Row, Total};
use trend_profile::{SeriesKind, Study};

use super::answer::AnswerExtra;
use super::calls::{self, CallTree};
use super::compare::{Compare, PageComparison};
use super::constant::ConstantLocations;
use super::limits::within_limits;
use super::rows::Rows;
use super::series::{self, KindWords};
use super::sources::{SourceFile, Sources};
use super::workloads::{self, WorkloadInfo};
use super::{numbers, packed, tables, words};
use crate::layout::number;
use crate::words::loops::notes_of_trips;
use crate::words::study;

/// Name and version of this tool, which pages state.
pub const GENERATED_BY: &str = concat!("trend-prof ", env!("CARGO_PKG_VERSION"));

/// The name and version of the format.
const SCHEMA: &str = "trend-prof/page/5";

/// Bytes of the findings' digest that identify a revision.
const REVISION_BYTES: usize = 8;

/// Settings of a page.
#[derive(Clone, Copy, Debug, Default)]
pub struct PageOptions<'a> {
    /// Name and version of the tool.
    pub generated_by: &'a str,
    /// File name of the study, for command lines.
    pub study_name: &'a str,
    /// True if a server shows the page. The page can then use the server's API.
    pub served: bool,
    /// Identifier that changes with the study; by default a digest of the findings.
    pub revision: Option<&'a str>,
    /// Comparison with the previous version, if there is one.
    pub comparison: Option<PageComparison<'a>>,
}

/// The JSON and the sources, each compressed with gzip and encoded as base64.
pub(crate) struct Packed {
    pub(crate) data: String,
    /// Sources, in the order of the JSON's `sources`.
    pub(crate) sources: Vec<String>,
}

/// Fields that precede the findings.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Head<'a> {
    schema: &'static str,
    /// Name and version of the tool.
    generated_by: &'a str,
    /// File name of the study, for command lines.
    study: &'a str,
    /// Folder that source paths are relative to; empty if unknown.
    root: &'a str,
    /// True if trend-prof serves this page. Its API is then available.
    served: bool,
}

/// Fields that follow the findings. The revision is a digest of the findings.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Tail<'a> {
    revision: &'a str,
    /// Data for the sentences of the answer at any target.
    answer: AnswerExtra,
    /// Meaning of the suffixes: `k = 10³, …`, or for times `k = ns, …`.
    legend: &'static str,
    /// Method of the intervals, in words.
    method: String,
    /// Words that pages use, with their meanings.
    words: Vec<(&'static str, String)>,
    /// Share of a run above which a row is costly.
    costly_share: f64,
    /// Runs, in the study's order.
    workloads: Vec<WorkloadInfo<'a>>,
    /// Values of the features: `[features][workloads]`.
    feature_values: &'a [Vec<Option<f64>>],
    /// Calling contexts of the series.
    call_trees: Vec<CallTree>,
    /// Nouns by kind of series.
    #[cfg_attr(test, schemars(with = "BTreeMap<String, KindWords>"))]
    series_words: BTreeMap<SeriesKind, KindWords>,
    /// Changes in growth since the previous version; absent if there is no comparison.
    #[serde(skip_serializing_if = "Option::is_none")]
    compare: Option<Compare<'a>>,
    /// Notes on the trips of each loop in the findings.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    loop_notes: Vec<Vec<String>>,
    /// Locations that belong to no cluster, because their cost hardly varies. Together with the clusters' members,
    /// these are all locations.
    constant: ConstantLocations<'a>,
    /// Source files on the page, in the order of their `<template class="source">`.
    sources: Vec<SourceFile<'a>>,
}

/// Writes the data block of a page as JSON, for a server whose page reloads it.
///
/// # Errors
/// Fails if writing to the stream fails.
pub fn write_page_data(
    findings: &Findings,
    study: &Study,
    options: &PageOptions<'_>,
    stream: impl Write,
) -> io::Result<()> {
    write(findings, &within_limits(findings), study, options, stream).map(drop)
}

/// Returns the data that a page carries in addition to its static part. `findings` are `all` within the limits.
pub(crate) fn pack(all: &Findings, findings: &Findings, study: &Study, options: &PageOptions<'_>) -> Packed {
    let mut gzip = packed::gzip();
    // Keys are strings, and writing to memory does not fail.
    let sources = write(all, findings, study, options, &mut gzip).unwrap_or_default();
    Packed { data: packed::into_base64(gzip), sources }
}

/// Writes the JSON in pieces, so that memory holds only one piece at a time. Returns the compressed sources that the
/// JSON lists.
fn write(
    all: &Findings,
    findings: &Findings,
    study: &Study,
    options: &PageOptions<'_>,
    mut stream: impl Write,
) -> io::Result<Vec<String>> {
    let (sources, (rows, series)) = rayon::join(
        || Sources::new(study),
        || rayon::join(|| Rows::new(findings), || series::series(all, findings, study)),
    );
    let head = Head {
        schema: SCHEMA,
        generated_by: options.generated_by,
        study: options.study_name,
        root: study.root(),
        served: options.served,
    };
    let head = serde_json::to_vec(&head)?;
    // The three parts form one object, so the braces between them are left out.
    stream.write_all(&head[..head.len() - 1])?;
    stream.write_all(b",\"findings\":")?;
    let mut digested = Digested { stream: &mut stream, digest: Sha256::new() };
    let mut pieces = BufWriter::with_capacity(PIECE_BYTES, &mut digested);
    let (lines, blocks) = (findings.lines.clone(), findings.blocks.clone());
    let total =
        Total { fits: Fits::default(), outlooks: Vec::new(), parts: Vec::new(), ..findings.total.clone() };
    let memory_lines = findings.memory_lines.iter().take(MOST_MEMORY_LINES).map(brief).collect();
    let without_tables =
        Findings { lines, blocks, total, series: Vec::new(), memory_lines, ..findings.without_rows() };
    numbers::write_findings(&without_tables, &mut pieces)?;
    pieces.write_all(b",\"tables\":")?;
    pieces.write_all(tables::tables(findings, &rows, &series).as_bytes())?;
    pieces.flush()?;
    drop(pieces);
    let digest = digested.revision();
    let tail = Tail {
        revision: options.revision.unwrap_or(&digest),
        answer: AnswerExtra::new(findings, study),
        legend: number::legend(&findings.unit),
        method: study::method(findings),
        words: words::words(findings),
        costly_share: trend_analyze::COSTLY_SHARE,
        workloads: workloads::workloads(study),
        feature_values: &findings.feature_values,
        call_trees: calls::call_trees(findings),
        series_words: series::words(findings),
        compare: options.comparison.as_ref().and_then(Compare::new),
        loop_notes: findings.loops.iter().map(notes_of_trips).collect(),
        constant: ConstantLocations::new(all, study),
        sources: sources.files,
    };
    stream.write_all(b",")?;
    let mut pieces = BufWriter::with_capacity(PIECE_BYTES, WithoutFirst { stream, is_first: true });
    serde_json::to_writer(&mut pieces, &tail)?;
    pieces.flush()?;
    Ok(sources.packed)
}

/// Maximum number of allocating lines on a page, those with most memory first.
const MOST_MEMORY_LINES: usize = 20;

/// Returns an allocating line without the data that no page shows. Only the most bytes that it held at a time keep
/// their law and costs.
fn brief(line: &MemoryLine) -> MemoryLine {
    let row =
        |row: &Row| Row { costs: Vec::new(), fits: Fits::default(), outlooks: Vec::new(), ..row.clone() };
    MemoryLine {
        allocations: row(&line.allocations),
        asked: row(&line.asked),
        at_peak: row(&line.at_peak),
        left: row(&line.left),
        ..line.clone()
    }
}

/// Size of a piece in bytes.
const PIECE_BYTES: usize = 1 << 16;

/// Writer that digests the bytes it passes on.
struct Digested<W> {
    stream: W,
    digest: Sha256,
}

impl<W> Digested<W> {
    fn revision(self) -> String {
        let mut revision = String::new();
        for byte in &self.digest.finalize()[..REVISION_BYTES] {
            let _ = write!(revision, "{byte:02x}");
        }
        revision
    }
}

impl<W: Write> Write for Digested<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.stream.write(bytes)?;
        self.digest.update(&bytes[..written]);
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.stream.flush()
    }
}

/// Writer that passes on all but the first byte.
struct WithoutFirst<W> {
    stream: W,
    is_first: bool,
}

impl<W: Write> Write for WithoutFirst<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.is_first && !bytes.is_empty() {
            self.stream.write_all(&bytes[1..])?;
            self.is_first = false;
            return Ok(bytes.len());
        }
        self.stream.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.stream.flush()
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use schemars::JsonSchema;
    use trend_answer::schema::{generator, schema};

    use super::*;
    use crate::html::page_data::models::ModelExtra;
    use crate::html::page_data::rows::RowExtra;
    use crate::html::page_data::series::SeriesExtra;
    use crate::tests::published;

    /// The data block of a page, which carries it as gzipped JSON.
    #[derive(JsonSchema)]
    #[expect(dead_code, reason = "only its type is looked at")]
    struct PageData<'a> {
        #[serde(flatten)]
        head: Head<'a>,
        /// Output of `trend-prof show --format json`, with fewer digits. The program, clusters, functions and series
        /// are tables whose rows have additional fields.
        #[schemars(with = "published::Findings")]
        findings: (),
        #[serde(flatten)]
        tail: Tail<'a>,
    }

    #[test]
    fn the_committed_schema_is_that_of_the_page() {
        let mut generator = generator();
        // Additional fields of the findings' tables.
        generator.subschema_for::<(RowExtra, ModelExtra, SeriesExtra<'_>)>();
        let text = schema::<PageData<'_>>(generator, None);
        let path = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/ui/generated/page.schema.json"));
        if std::env::var_os("UPDATE_GOLDEN").is_some() {
            std::fs::write(path, &text).unwrap();
        }
        let written = std::fs::read_to_string(path).unwrap_or_default();
        assert!(text == written, "UPDATE_GOLDEN=1 writes {} anew", path.display());
    }
}
