//! Finds the rows that a claim about all rows must not contradict.

use serde::Serialize;
use trend_answer::Pace;

use crate::findings::Findings;
use crate::findings::law::Fits;
use crate::forecast::pace::shown_pace;

/// The rows whose laws, as shown, grow faster than `n log n` or may do so. Poor laws are included, as they are shown
/// too.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ShownPaces {
    /// Their positions in [`Findings::functions`].
    pub functions: Vec<(usize, Pace)>,
    /// Their positions in [`Findings::clusters`].
    pub clusters: Vec<(usize, Pace)>,
}

impl ShownPaces {
    pub(super) fn new(findings: &Findings) -> Self {
        let functions = findings.functions.iter().map(|row| shown(&row.fits));
        let clusters = findings.clusters.iter().map(|row| shown(&row.fits));
        Self { functions: faster(functions), clusters: faster(clusters) }
    }
}

fn shown(fits: &Fits) -> Option<Pace> {
    shown_pace(fits.law()?)
}

/// Returns the positions and paces of the rows that are not slow.
fn faster(paces: impl Iterator<Item = Option<Pace>>) -> Vec<(usize, Pace)> {
    let paces = paces.enumerate().filter_map(|(i, pace)| Some((i, pace?)));
    paces.filter(|(_, pace)| *pace != Pace::Slow).collect()
}
