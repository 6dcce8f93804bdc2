//! Reads V8's precise coverage, which node writes for each process and worker: `NODE_V8_COVERAGE=FOLDER`.
//!
//! ```text
//! result            [{url, functions: [{functionName, isBlockCoverage, ranges: [{startOffset, endOffset, count}]}]}]
//! source-map-cache  {url: {lineLengths, data}}
//! ```
//!
//! `places` finds where executions can differ in the source, `ranges` counts these places, and `origin` leads from
//! generated code to the source.

mod names;
mod origin;
mod places;
mod ranges;
mod script;
mod tokens;

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;
use serde_json::value::RawValue;
use trend_profile::{Warning, WarningKind};

use super::error::listed;
use super::place::{Places, Tally};
use super::{ImportError, Imported, ImportedRun, Input, Root};
use script::Reader;

/// Returns the text of a source file by its name in the study.
pub type Sources<'a> = &'a dyn Fn(&str) -> Option<String>;

/// The scripts whose executions are costs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Scripts {
    /// Scripts below the root, without the packages in `node_modules`.
    #[default]
    Own,
    /// All scripts, including packages.
    All,
}

#[derive(Deserialize)]
struct Report<'a> {
    #[serde(borrow)]
    result: Vec<ScriptCoverage<'a>>,
    #[serde(borrow, default, rename = "source-map-cache")]
    maps: BTreeMap<Cow<'a, str>, CachedMap<'a>>,
}

#[derive(Deserialize)]
struct ScriptCoverage<'a> {
    #[serde(borrow)]
    url: Cow<'a, str>,
    #[serde(borrow)]
    functions: Vec<FunctionCoverage<'a>>,
}

#[derive(Deserialize)]
struct FunctionCoverage<'a> {
    #[serde(borrow, rename = "functionName")]
    name: Cow<'a, str>,
    /// The function's own range first.
    ranges: Vec<RangeCoverage>,
    /// False if only entries are counted.
    #[serde(rename = "isBlockCoverage")]
    has_blocks: bool,
}

/// A range in UTF-16 code units and its executions.
#[derive(Clone, Copy, Deserialize)]
struct RangeCoverage {
    #[serde(rename = "startOffset")]
    begin: u32,
    #[serde(rename = "endOffset")]
    end: u32,
    count: u64,
}

#[derive(Deserialize)]
struct CachedMap<'a> {
    #[serde(default, rename = "lineLengths")]
    line_lengths: Vec<u32>,
    #[serde(borrow, default)]
    data: Option<&'a RawValue>,
}

/// Reads the coverage of one process or worker as one run.
///
/// Places that did not run are left out. Scripts whose text is not found are named in a warning.
///
/// # Errors
/// Fails if the input is not such JSON, is cut off, or has no counts of the scripts that are to be counted.
pub fn read<'a>(
    input: impl Into<Input<'a>>,
    root: &Root,
    scripts: Scripts,
    sources: Sources<'_>,
) -> Result<Imported, ImportError> {
    let input = input.into();
    let mut places = Places::new(input.budget());
    let mut tally = Tally::new(input.budget());
    let bytes = input.document()?;
    let report: Report<'_> = serde_json::from_slice(&bytes)?;
    let mut reader = Reader::new(root, scripts, sources);
    for script in &report.result {
        reader.add(script, report.maps.get(&script.url), &mut places, &mut tally)?;
        places.budget().check()?;
    }
    let run = ImportedRun { counts: tally.into_counts(), ..ImportedRun::default() };
    for warning in warnings(&reader) {
        places.warn(warning);
    }
    if run.counts.is_empty() {
        return Err(ImportError::NoCounts { reason: nothing(&reader) });
    }
    Ok(places.finish(vec![run]))
}

fn nothing(reader: &Reader<'_>) -> String {
    if let Some(script) = reader.without_text.first() {
        return format!("the text of {script} was not found, or is not what ran");
    }
    match reader.packages.first() {
        Some(package) => format!("only packages ran, such as {package}; count them with `--packages all`"),
        None => "no script of the project ran".to_owned(),
    }
}

fn warnings(reader: &Reader<'_>) -> Vec<Warning> {
    let list = |names: &BTreeSet<String>| listed(names.iter().map(String::as_str));
    let mut warnings = Vec::new();
    if !reader.without_text.is_empty() {
        let message = format!(
            "not counted: {}, whose text was not found or is not what ran; transform it with a source map",
            list(&reader.without_text)
        );
        warnings.push(Warning::new(WarningKind::NotCounted, message));
    }
    if !reader.packages.is_empty() {
        let message =
            format!("not counted: the packages {}; count them with `--packages all`", list(&reader.packages));
        warnings.push(Warning::new(WarningKind::NotCounted, message));
    }
    if !reader.without_blocks.is_empty() {
        let message = format!(
            "not counted: the blocks of {}, compiled before V8 began to count them",
            list(&reader.without_blocks)
        );
        warnings.push(Warning::new(WarningKind::NotCounted, message));
    }
    if !reader.regexes.is_empty() {
        let message = format!(
            "not counted: steps within the regular expressions of {}; V8 does not count these steps, so compare \
             with the CPU time",
            list(&reader.regexes)
        );
        warnings.push(Warning::new(WarningKind::NotCounted, message));
    }
    warnings
}

#[cfg(test)]
mod tests;
