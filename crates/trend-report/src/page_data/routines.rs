//! What a page needs of a routine besides the findings: its tuples, its place, and its models' curves and words.

use std::collections::HashMap;

use rayon::prelude::*;
use serde::Serialize;
use trend_analyze::{Findings, RoutineModel, RoutineRow};
use trend_profile::{Study, Tuple};

use super::models::{ModelExtra, Words};

#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(super) struct RoutineExtra<'a> {
    /// `[size, calls, min, max, sum, sum of squares]`, merged over the workloads, by ascending size; the last
    /// is 0 where it is not known.
    tuples: Vec<(u64, u64, u64, u64, u64, f64)>,
    worst: ModelExtra,
    average: ModelExtra,
    best: ModelExtra,
    /// Where the routine is, if the study has a function of that name; else empty.
    file: &'a str,
    line: u32,
}

/// In the order of the findings' routines.
pub(super) fn routines<'a>(findings: &Findings, study: &'a Study) -> Vec<RoutineExtra<'a>> {
    let mut places: HashMap<&str, (&str, u32)> = HashMap::new();
    if !findings.routines.is_empty() {
        for function in study.functions().iter().filter(|f| f.line > 0) {
            places.entry(&function.symbol.name).or_insert((&function.file, function.line));
        }
    }
    let extra = |row: &RoutineRow| {
        let (file, line) = places.get(row.name.as_str()).copied().unwrap_or_default();
        let model = |model: &RoutineModel| {
            let words = if model.model.growth.is_some() { Words::OfSizes(range(row)) } else { Words::None };
            ModelExtra::new(findings, &model.model, false, &words)
        };
        RoutineExtra {
            tuples: row.tuples.iter().map(columns).collect(),
            worst: model(&row.worst),
            average: model(&row.average),
            best: model(&row.best),
            file,
            line,
        }
    };
    findings.routines.par_iter().map(extra).collect()
}

fn columns(tuple: &Tuple) -> (u64, u64, u64, u64, u64, f64) {
    (tuple.size, tuple.calls, tuple.min, tuple.max, tuple.sum, tuple.sum_of_squares)
}

/// The least and the greatest positive size.
fn range(row: &RoutineRow) -> Option<(f64, f64)> {
    let mut sizes = row.tuples.iter().map(|t| t.size as f64).filter(|size| *size > 0.0);
    let least = sizes.next()?;
    Some((least, sizes.next_back().unwrap_or(least)))
}
