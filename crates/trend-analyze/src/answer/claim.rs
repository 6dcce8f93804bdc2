//! Makes a claim about all rows if no place needs fixing. It contradicts no growth that a row shows.

use serde::Serialize;

use super::LEAST_SHARE;
use super::choice::Target;
use crate::pace::Pace;
use crate::{Findings, Joint, Model, Outlook, RowLaw};

/// A claim about the rows that an answer does not name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema, ts_rs::TS))]
pub struct Unnamed {
    /// True if the claim covers only large parts of the cost at the target, as a smaller part grows faster than `n log
    /// n`.
    pub large_only: bool,
    /// True if no covered row grows faster than `n log n`; otherwise no covered row is known to.
    pub certain: bool,
}

/// The rows whose laws, as shown, grow faster than `n log n` or may do so. Poor laws are included, as they are shown
/// too.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ShownPaces {
    /// Their positions in [`Findings::functions`].
    pub functions: Vec<(usize, Pace)>,
    /// Their positions in [`Findings::clusters`].
    pub clusters: Vec<(usize, Pace)>,
}

impl ShownPaces {
    pub(super) fn new(findings: &Findings) -> Self {
        let functions = findings.functions.iter().map(|row| shown(&row.models, row.joint.as_ref()));
        let clusters = findings.clusters.iter().map(|row| shown(&row.models, row.joint.as_ref()));
        Self { functions: faster(functions), clusters: faster(clusters) }
    }

    /// Returns the claim that holds at a target.
    ///
    /// It is certain if no row that may grow faster can take [`LEAST_SHARE`] there. It covers only large rows if
    /// smaller ones grow faster.
    pub(super) fn claim(&self, target: &Target<'_>) -> Unnamed {
        let rows = self.rows(target);
        let certain = rows.iter().all(|row| !row.may_be_large);
        let is_fast = rows.iter().any(|row| row.pace == Pace::Fast);
        Unnamed { large_only: !rows.is_empty() && (certain || is_fast), certain }
    }

    fn rows(&self, target: &Target<'_>) -> Vec<ShownRow> {
        let Findings { functions, clusters, .. } = target.findings;
        let row = |pace: Pace, models: &[Model], outlooks: &[Option<Outlook>]| ShownRow {
            pace,
            may_be_large: may_be_large(models, then(outlooks, target.point), target),
        };
        let of_functions = self.functions.iter().map(|&(i, pace)| (pace, &functions[i]));
        let of_clusters = self.clusters.iter().map(|&(i, pace)| (pace, &clusters[i]));
        let functions = of_functions.map(|(pace, found)| row(pace, &found.models, &found.outlooks));
        functions.chain(of_clusters.map(|(pace, found)| row(pace, &found.models, &found.outlooks))).collect()
    }
}

/// A row that may grow faster than `n log n`, at a target.
struct ShownRow {
    pace: Pace,
    may_be_large: bool,
}

/// True if the row may take a large part of the cost at the target. A row without a prediction may, unless it has
/// stopped running.
fn may_be_large(models: &[Model], then: Option<Outlook>, target: &Target<'_>) -> bool {
    let Some(then) = then else { return models.iter().all(|model| model.runs_until.is_none()) };
    let upper = then.ci.map_or(then.cost, |[_, upper]| upper);
    target.share(upper, then.cost) >= LEAST_SHARE
}

pub(super) fn then(outlooks: &[Option<Outlook>], point: usize) -> Option<Outlook> {
    outlooks.get(point).copied().flatten()
}

fn shown(models: &[Model], joint: Option<&Joint>) -> Option<Pace> {
    Pace::shown(RowLaw::of(models, joint)?)
}

/// Returns the positions and paces of the rows that are not slow.
fn faster(paces: impl Iterator<Item = Option<Pace>>) -> Vec<(usize, Pace)> {
    let known = paces.enumerate().filter_map(|(i, pace)| Some((i, pace?)));
    known.filter(|(_, pace)| *pace != Pace::Slow).collect()
}
