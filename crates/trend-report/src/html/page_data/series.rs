//! Data about a series that a page needs in addition to the findings: its observations, its place, its models' curves,
//! and its words.

use std::collections::{BTreeMap, HashMap};

use rayon::prelude::*;
use serde::Serialize;
use trend_analyze::{Findings, Model, RowLaw, SeriesModel, SeriesRow};
use trend_profile::{Function, Observation, SeriesKind, SeriesWords, Study, Variable};

use super::calls;
use super::models::{ModelExtra, Words};
use crate::words::{growth, series};

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct SeriesExtra<'a> {
    /// Observations `[size, count, min, max, sum, sum of squares]`, merged over the workloads, by ascending size. The
    /// sum of squares is 0 if unknown.
    observations: Vec<(u64, u64, u64, u64, u64, f64)>,
    /// Cost of each observation without its callees; empty if the profile does not have it.
    own_costs: Vec<u64>,
    #[cfg_attr(test, schemars(skip))]
    worst: Fit,
    #[cfg_attr(test, schemars(skip))]
    average: Fit,
    #[cfg_attr(test, schemars(skip))]
    best: Fit,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(skip))]
    own: Option<Fit>,
    /// Sentences about costs, calls and input.
    facts: Vec<String>,
    /// Cells that all calls read; absent if sizes were measured in several variables.
    #[serde(skip_serializing_if = "Option::is_none")]
    volume: Option<f64>,
    /// Share of the volume that only `drms` sees; absent if the series was not measured by `rms` as well.
    #[serde(skip_serializing_if = "Option::is_none")]
    dynamic: Option<f64>,
    /// Number of additional sizes that `drms` distinguishes, relative to the number of sizes by `rms`.
    #[serde(skip_serializing_if = "Option::is_none")]
    richness: Option<f64>,
    /// Growth in short, in the variable given by [`CallTree::growth_in`](super::calls::CallTree); empty if unknown.
    growth: String,
    /// Step of growth: 0 (linear or less) to 4 (faster than `n^2.5`).
    #[serde(skip_serializing_if = "Option::is_none")]
    warmth: Option<u8>,
    /// File of the place, if the study has a function of that name; else empty.
    file: &'a str,
    line: u32,
}

/// Additional fields of the models for one cost of the series, in order.
#[derive(Serialize)]
struct Fit {
    models: Vec<ModelExtra>,
}

/// Nouns for a kind of series.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct KindWords {
    /// Noun for a place: `routine`.
    place: &'static str,
    /// Noun for an observed execution: `call`.
    execution: &'static str,
    /// Unit of the size: `cells`.
    size_unit: &'static str,
}

/// Returns the words for each kind of series in the findings.
pub(super) fn words(findings: &Findings) -> BTreeMap<SeriesKind, KindWords> {
    let words = |row: &SeriesRow| {
        let SeriesWords { place, execution, size_unit, .. } = row.kind.words();
        (row.kind, KindWords { place, execution, size_unit })
    };
    findings.series.iter().map(words).collect()
}

/// Returns the additional fields of the series, in the order of the findings.
///
/// `all` are the findings before a page's limits. Totals over all calls come from there, as a page may have only some
/// sizes.
pub(super) fn series<'a, 'f>(
    all: &'f Findings,
    findings: &'f Findings,
    study: &'a Study,
) -> Vec<SeriesExtra<'a>> {
    // Places by name and file, because some profilers report the file as the object. The empty file stands for any.
    let mut places: HashMap<(&str, &str), (&str, u32)> = HashMap::new();
    if !findings.series.is_empty() {
        for Function { symbol, file, line, .. } in study.functions().iter().filter(|f| f.line > 0) {
            for inside in [file, ""] {
                places.entry((&symbol.name, inside)).or_insert((file, *line));
            }
        }
    }
    let growth_in = calls::growth_in(findings);
    let place = |row: &'f SeriesRow| (row.kind, &*row.name, &*row.object, &row.context, &row.unit);
    let rms = all.series.iter().filter(|row| row.variables == [Variable::Rms]);
    let by_rms: HashMap<_, &SeriesRow> = rms.map(|row| (place(row), row)).collect();
    // Both have the same order, and a page may end earlier.
    let extra = |(row, whole): (&'f SeriesRow, &'f SeriesRow)| {
        let source = |object| places.get(&(row.name.as_str(), object)).copied();
        let (file, line) = source(&row.object).or_else(|| source("")).unwrap_or_default();
        let rms = by_rms.get(&place(row)).copied().filter(|_| row.variables == [Variable::Drms]);
        let volume = series::input_volume(whole, rms);
        let dynamic = volume.as_ref().and_then(|volume| volume.dynamic.as_ref());
        let grows = growth_in.law_of(row);
        let model = |model: &SeriesModel| {
            let law = model.fits.law();
            let is_law =
                |candidate: &Model| matches!(law, Some(RowLaw::Of(own)) if std::ptr::eq(own, candidate));
            let extra = |model: &Model| {
                let words = if model.growth.is_some() { Words::OfSizes(range(row)) } else { Words::None };
                let extra = ModelExtra::new(findings, model, false, &words);
                if is_law(model) { extra.without_law() } else { extra }
            };
            Fit { models: model.fits.models.iter().map(extra).collect() }
        };
        SeriesExtra {
            observations: row.observations.iter().map(columns).collect(),
            own_costs: row.observations.iter().map_while(|o| o.parts.own).collect(),
            worst: model(&row.worst),
            average: model(&row.average),
            best: model(&row.best),
            own: row.own.as_ref().map(model),
            facts: series::facts(whole, rms),
            volume: volume.as_ref().map(|volume| volume.read),
            dynamic: dynamic.map(|dynamic| dynamic.share),
            richness: dynamic.map(|dynamic| dynamic.richness),
            growth: grows.map(growth::of_law).unwrap_or_default(),
            warmth: grows.and_then(calls::warmth),
            file,
            line,
        }
    };
    findings.series.par_iter().zip(&all.series).map(extra).collect()
}

fn columns(o: &Observation) -> (u64, u64, u64, u64, u64, f64) {
    (o.size(), o.count, o.min, o.max, o.sum, o.sum_of_squares)
}

/// Returns the smallest and the largest positive size.
fn range(row: &SeriesRow) -> Option<(f64, f64)> {
    let mut sizes = row.observations.iter().map(|o| o.size() as f64).filter(|size| *size > 0.0);
    let least = sizes.next()?;
    Some((least, sizes.next_back().unwrap_or(least)))
}
