//! Findings as terminal tables, JSON, Markdown, CSV and one HTML page.
//!
//! # Design constraints
//!
//! - Pure functions from findings to text: nothing is printed, read, or spawned here, and the same
//!   findings give the same bytes.
//! - Whatever comes from outside (names of programs, files, functions, features, workloads; source
//!   text) is made harmless in the language of the output before it is written.
//! - Terminal output always has ANSI colours; whoever prints it strips them where they do not belong.
//! - No estimate is shown without its interval, or a mark that it has none.

#![forbid(unsafe_code)]

mod error;
mod options;

pub use error::ReportError;
pub use options::{By, Sort, TableOptions};

use trend_analyze::Findings;
use trend_profile::Study;

/// The machine-readable output: pretty-printed JSON with a trailing newline; numbers that are not
/// finite are `null`.
pub fn json(_findings: &Findings) -> String {
    todo!()
}

/// The findings as a table for a terminal, with verdict and warnings around it.
///
/// # Errors
/// [`ReportError::UnknownFeature`], and [`ReportError::NotAnalyzed`] for lines and blocks that the
/// findings do not have.
pub fn table(
    _findings: &Findings,
    _study: Option<&Study>,
    _options: &TableOptions,
) -> Result<String, ReportError> {
    todo!()
}

/// Everything about one cluster, for a terminal. `name` is the representative's name, a rank (`1` or
/// `#1`), or a member's name or `file:line`; a path may be given by its end.
///
/// # Errors
/// [`ReportError::UnknownCluster`], [`ReportError::UnknownFeature`].
pub fn cluster_page(
    _findings: &Findings,
    _study: Option<&Study>,
    _name: &str,
    _options: &TableOptions,
) -> Result<String, ReportError> {
    todo!()
}

/// What each cluster and function will cost where `feature` is `at`, and how they will rank, for a
/// terminal.
///
/// # Errors
/// [`ReportError::UnknownFeature`].
pub fn prediction_table(
    _findings: &Findings,
    _feature: &str,
    _at: f64,
    _options: &TableOptions,
) -> Result<String, ReportError> {
    todo!()
}

/// The findings as a Markdown document: verdict, warnings, table.
///
/// # Errors
/// As [`table`].
pub fn markdown(_findings: &Findings, _options: &TableOptions) -> Result<String, ReportError> {
    todo!()
}

/// The rows of a table as CSV under a header row, unrounded.
///
/// # Errors
/// As [`table`].
pub fn csv(_findings: &Findings, _options: &TableOptions) -> Result<String, ReportError> {
    todo!()
}

/// One self-contained HTML page: no scripts, nothing loaded. `generated_by` is the tool and version.
pub fn html(_findings: &Findings, _study: &Study, _generated_by: &str) -> String {
    todo!()
}

/// What a sentence of the verdict says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StatementKind {
    /// What costs most.
    Dominates,
    /// What certainly grows faster than linearly.
    Grows,
    /// That nothing grows faster than linearly.
    Steady,
    /// What will overtake.
    Overtakes,
    /// What is poorly modelled.
    Doubtful,
}

/// A sentence of the verdict. Its text can contain hostile names: escape it as any other name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Statement {
    /// What it is about.
    pub kind: StatementKind,
    /// The cluster that it is about, by its representative's name.
    pub cluster: Option<String>,
    /// The sentence.
    pub text: String,
}

/// The sentences at the top: what dominates, what grows fastest, what will overtake, and what of
/// this is doubtful.
pub fn verdict(_findings: &Findings) -> Vec<Statement> {
    todo!()
}
