//! Computes shares of today's cost: values of the laws in the largest run, just as shares at the target are values of
//! the laws there.
//!
//! ```text
//!   cost │         ●          the costliest run is an outlier: its shares follow no law, and comparing
//!        │       ╱            them with shares at the target shows rises and falls by chance
//!        │  ●  ╱ ╱── whole
//!        │   ╱ ╱──── row      share_now = row ÷ whole, where the whole's law is greatest among the runs
//!        └──────┊──▶ size
//! ```

use rayon::prelude::*;
use trend_answer::{Law, Source, number};
use trend_profile::Study;

use crate::findings::Findings;
use crate::findings::law::Fits;
use crate::findings::model::Model;
use crate::findings::row::{Row, Total};

/// The run in which the law of the whole is greatest, and the whole's cost there.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Now {
    pub(crate) run: usize,
    pub(crate) whole: f64,
}

/// Number of digits of a share. More digits would make a page of 30,000 rows half a percent larger.
const DIGITS: usize = 5;

fn rounded(share: f64) -> f64 {
    number::rounded(share, DIGITS)
}

/// The whole's cost today, which rows are compared with.
struct Today {
    run: usize,
    /// `[features]`, with their names in the study.
    values: Vec<(String, Option<f64>)>,
    /// The value of the whole's law in that run, or the greatest of a function with a verdict if that is larger.
    whole: f64,
}

/// Fills in the shares of today, and returns their run and whole. A row without a law keeps its measured share.
pub(crate) fn fill_in(study: &Study, findings: &mut Findings) -> Option<Now> {
    let today = Today::new(study, &findings.total, &findings.functions)?;
    findings.clusters.par_iter_mut().for_each(|row| {
        row.share_now = rounded(today.share(&row.fits).unwrap_or(row.share_of_largest));
    });
    let rows = [Some(&mut findings.functions), findings.lines.as_mut(), findings.blocks.as_mut()];
    rows.into_iter().flatten().for_each(|rows| today.fill_in_rows(rows));
    Some(Now { run: today.run, whole: today.whole })
}

/// Fills in the shares of rows that were modelled later.
pub(crate) fn fill_in_rows(study: &Study, findings: &Findings, rows: &mut [Row]) {
    if let Some(today) = Today::new(study, &findings.total, &findings.functions) {
        today.fill_in_rows(rows);
    }
}

impl Today {
    fn new(study: &Study, total: &Total, functions: &[Row]) -> Option<Self> {
        let law = total.law()?;
        let values = |run: usize| -> Vec<(String, Option<f64>)> {
            study.features().iter().map(|feature| (feature.name.clone(), feature.values[run])).collect()
        };
        let runs = (0..study.workloads().len()).filter_map(|run| {
            let values = values(run);
            Some((at(&law, &values)?, run, values))
        });
        // The first of equal runs wins.
        let (own, run, values) = runs.reduce(|most, next| if next.0 > most.0 { next } else { most })?;
        let mut today = Self { run, values, whole: own };
        let parts = functions.par_iter().filter_map(|row| {
            let law = row.fits.law()?.law()?;
            today.cost(&row.fits.models, &law).filter(|_| law.source != Source::PowerLaw)
        });
        today.whole = parts.reduce(|| own, f64::max);
        Some(today)
    }

    fn fill_in_rows(&self, rows: &mut [Row]) {
        rows.par_iter_mut().for_each(|row| {
            row.share_now = rounded(self.share(&row.fits).unwrap_or(row.share_of_largest));
        });
    }

    fn share(&self, fits: &Fits) -> Option<f64> {
        let cost = self.cost(&fits.models, &fits.law()?.law()?)?;
        Some(cost / cost.max(self.whole))
    }

    /// Returns the value of a row's law; `None` if the row no longer runs at that size.
    fn cost(&self, models: &[Model], law: &Law) -> Option<f64> {
        let value = |name: &str| self.values.iter().find(|(feature, _)| feature == name)?.1;
        let has_ended =
            |model: &Model| model.runs_until.zip(value(&model.feature)).is_some_and(|(until, at)| at > until);
        if models.iter().any(has_ended) {
            return None;
        }
        at(law, &self.values)
    }
}

fn at(law: &Law, values: &[(String, Option<f64>)]) -> Option<f64> {
    let value = |name: &String| values.iter().find(|(feature, _)| feature == name)?.1;
    law.cost(&law.features.iter().map(value).collect::<Option<Vec<_>>>()?)
}
