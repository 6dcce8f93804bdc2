//! What a page needs of a series besides the findings: its observations, its place, and its models' curves and words.

use std::collections::{BTreeMap, HashMap};

use rayon::prelude::*;
use serde::Serialize;
use trend_analyze::{Findings, Model, SeriesModel, SeriesRow};
use trend_profile::{Observation, SeriesKind, SeriesWords, Study};

use super::models::{ModelExtra, Words};

#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(super) struct SeriesExtra<'a> {
    /// `[size, count, min, max, sum, sum of squares]`, merged over the workloads, by ascending size; the last
    /// is 0 where it is not known.
    observations: Vec<(u64, u64, u64, u64, u64, f64)>,
    /// Per variable.
    worst: Vec<ModelExtra>,
    average: Vec<ModelExtra>,
    best: Vec<ModelExtra>,
    /// Where the place is, if the study has a function of that name; else empty.
    file: &'a str,
    line: u32,
}

/// How to speak of a kind of series.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(super) struct KindWords {
    /// A place of the kind: `routine`.
    place: &'static str,
    /// What is observed of it: `call`.
    execution: &'static str,
    /// What its size is a number of: `cells`.
    size_unit: &'static str,
}

/// By the kind of the findings' series.
pub(super) fn words(findings: &Findings) -> BTreeMap<SeriesKind, KindWords> {
    let words = |row: &SeriesRow| {
        let SeriesWords { place, execution, size_unit, .. } = row.kind.words();
        (row.kind, KindWords { place, execution, size_unit })
    };
    findings.series.iter().map(words).collect()
}

/// In the order of the findings' series.
pub(super) fn series<'a>(findings: &Findings, study: &'a Study) -> Vec<SeriesExtra<'a>> {
    let mut places: HashMap<&str, (&str, u32)> = HashMap::new();
    if !findings.series.is_empty() {
        for function in study.functions().iter().filter(|f| f.line > 0) {
            places.entry(&function.symbol.name).or_insert((&function.file, function.line));
        }
    }
    let extra = |row: &SeriesRow| {
        let (file, line) = places.get(row.name.as_str()).copied().unwrap_or_default();
        let model = |model: &SeriesModel| {
            let extra = |model: &Model| {
                let words = if model.growth.is_some() { Words::OfSizes(range(row)) } else { Words::None };
                ModelExtra::new(findings, model, false, &words)
            };
            model.models.iter().map(extra).collect()
        };
        SeriesExtra {
            observations: row.observations.iter().map(columns).collect(),
            worst: model(&row.worst),
            average: model(&row.average),
            best: model(&row.best),
            file,
            line,
        }
    };
    findings.series.par_iter().map(extra).collect()
}

fn columns(o: &Observation) -> (u64, u64, u64, u64, u64, f64) {
    (o.size(), o.count, o.min, o.max, o.sum, o.sum_of_squares)
}

/// The least and the greatest positive size.
fn range(row: &SeriesRow) -> Option<(f64, f64)> {
    let mut sizes = row.observations.iter().map(|o| o.size() as f64).filter(|size| *size > 0.0);
    let least = sizes.next()?;
    Some((least, sizes.next_back().unwrap_or(least)))
}
