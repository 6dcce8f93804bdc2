//! The data of a page, as one block of JSON: the findings as they are published, and what only a page needs. Its shape
//! is declared for the page in `ui/generated/page-types.ts`, which a test makes of it.
//!
//! Rows of clusters, functions and series are columns, see [`columns`]. Numbers that are not finite are `null`. Counts above 2^53 are written to the last digit and lose it where
//! JavaScript reads them. The findings' other numbers have six digits, see [`numbers::findings`].

mod answer;
mod calls;
mod columns;
mod compare;
mod constant;
mod levels;
mod limits;
mod models;
mod numbers;
mod packed;
mod rows;
mod series;
mod sources;
mod tables;
mod words;
mod workloads;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::{self, BufWriter, Write};

use serde::Serialize;
use sha2::{Digest as _, Sha256};
use trend_analyze::{Findings, MemoryLine, Row, Total};
use trend_profile::{SeriesKind, Study};

use crate::loops::notes_of_trips;
use crate::{frame, number};
use answer::AnswerExtra;
use calls::CallTree;
use compare::Compare;
pub use compare::PageComparison;
use constant::ConstantLocations;
pub(crate) use limits::within_limits;
use rows::Rows;
use series::KindWords;
use sources::{SourceFile, Sources};
use workloads::WorkloadInfo;

/// What pages say that they were made by.
pub const GENERATED_BY: &str = concat!("trend-prof ", env!("CARGO_PKG_VERSION"));

/// The name and version of the format.
const SCHEMA: &str = "trend-prof/page/5";

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
    /// What it is compared with, if anything.
    pub comparison: Option<PageComparison<'a>>,
}

/// The JSON and the sources, each compressed: gzip as base64.
pub(crate) struct Packed {
    pub(crate) data: String,
    /// In the order of the JSON's `sources`.
    pub(crate) sources: Vec<String>,
}

/// What stands before the findings.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
struct Head<'a> {
    schema: &'static str,
    /// The tool and its version.
    generated_by: &'a str,
    /// The study's file name, for command lines.
    study: &'a str,
    /// The folder that source paths start from; empty where unknown.
    root: &'a str,
    /// Whether a trend-prof serves this page: then the API answers.
    served: bool,
}

/// What stands behind the findings, of which the revision is a digest.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
struct Tail<'a> {
    revision: &'a str,
    /// The two sentences that come first, at any target.
    answer: AnswerExtra,
    /// What suffixes mean: `k = 10³, …`, or of times `k = ns, …`.
    legend: &'static str,
    /// How intervals are made, in words.
    method: String,
    /// The words that pages use, and what they mean.
    words: Vec<(&'static str, String)>,
    /// What takes more than this share of a run is costly.
    costly_share: f64,
    /// The runs.
    workloads: Vec<WorkloadInfo<'a>>,
    /// `[features][workloads]`.
    feature_values: &'a [Vec<Option<f64>>],
    /// The calling contexts of the series.
    call_trees: Vec<CallTree>,
    /// By the kind of series.
    #[cfg_attr(test, ts(as = "std::collections::HashMap<String, KindWords>"))]
    series_words: BTreeMap<SeriesKind, KindWords>,
    /// What grows differently than in a version before; absent where the page has none.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    compare: Option<Compare<'a>>,
    /// What has to be known of the trips of each loop of the findings.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(test, ts(optional, as = "Option<Vec<Vec<String>>>"))]
    loop_notes: Vec<Vec<String>>,
    /// Locations that no cluster has: those whose cost hardly varies. With the clusters' members these are all.
    constant: ConstantLocations<'a>,
    /// Source files that the page carries, in the order of their `<template class="source">`.
    sources: Vec<SourceFile<'a>>,
}

/// Writes the data block of a page as JSON, for a server whose page takes it anew.
///
/// # Errors
/// What the stream says.
pub fn write_page_data(
    findings: &Findings,
    study: &Study,
    options: &PageOptions<'_>,
    stream: impl Write,
) -> io::Result<()> {
    write(findings, &within_limits(findings), study, options, stream).map(drop)
}

/// All that a page carries besides what is drawn without scripts; `findings` are those of `all` within the limits.
pub(crate) fn pack(all: &Findings, findings: &Findings, study: &Study, options: &PageOptions<'_>) -> Packed {
    let mut gzip = packed::gzip();
    // Keys are strings, and writing to memory does not fail.
    let sources = write(all, findings, study, options, &mut gzip).unwrap_or_default();
    Packed { data: packed::into_base64(gzip), sources }
}

/// Writes the JSON as it is made, so that there is no more of it at a time than a piece. Returns the sources that it lists,
/// packed.
fn write(
    all: &Findings,
    findings: &Findings,
    study: &Study,
    options: &PageOptions<'_>,
    mut stream: impl Write,
) -> io::Result<Vec<String>> {
    let (sources, (rows, series)) = rayon::join(
        || Sources::new(study),
        || rayon::join(|| Rows::new(findings), || series::series(findings, study)),
    );
    let head = Head {
        schema: SCHEMA,
        generated_by: options.generated_by,
        study: options.study_name,
        root: study.root(),
        served: options.served,
    };
    let head = serde_json::to_vec(&head)?;
    // One object of three parts: the brace between two is left out.
    stream.write_all(&head[..head.len() - 1])?;
    stream.write_all(b",\"findings\":")?;
    let mut digested = Digested { stream: &mut stream, digest: Sha256::new() };
    let mut pieces = BufWriter::with_capacity(PIECE_BYTES, &mut digested);
    let (lines, blocks) = (findings.lines.clone(), findings.blocks.clone());
    let total = Total {
        models: Vec::new(),
        outlooks: Vec::new(),
        joint: None,
        parts: Vec::new(),
        ..findings.total.clone()
    };
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
        method: frame::method(findings),
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

/// As many of the lines that hold most memory are on a page.
const MOST_MEMORY_LINES: usize = 20;

/// A line that asks for memory without what no page shows: the law is that of the most that it held.
fn brief(line: &MemoryLine) -> MemoryLine {
    let row = |row: &Row| Row {
        costs: Vec::new(),
        models: Vec::new(),
        outlooks: Vec::new(),
        joint: None,
        ..row.clone()
    };
    MemoryLine {
        allocations: row(&line.allocations),
        asked: row(&line.asked),
        at_peak: row(&line.at_peak),
        left: row(&line.left),
        ..line.clone()
    }
}

/// Bytes that are passed on at once.
const PIECE_BYTES: usize = 1 << 16;

/// Passes on what it digests.
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

/// Passes on all but the first byte.
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
    use super::models::ModelExtra;
    use super::rows::RowExtra;
    use super::series::SeriesExtra;
    use super::*;
    use crate::typescript::assert_declared;

    /// The data block of a page: gzip of this as JSON.
    #[derive(ts_rs::TS)]
    #[expect(dead_code, reason = "only its type is looked at")]
    struct PageData<'a> {
        #[ts(flatten)]
        head: Head<'a>,
        /// What `trend-prof show --format json` prints, with fewer digits. The whole, clusters, functions and series are tables
        /// whose rows have more fields.
        #[ts(type = "import('./findings-types').Findings")]
        findings: (),
        #[ts(flatten)]
        tail: Tail<'a>,
    }

    #[test]
    fn the_page_knows_the_types_of_its_data() {
        assert_declared::<(PageData<'static>, RowExtra, ModelExtra, SeriesExtra<'static>)>("page-types.ts");
    }
}
