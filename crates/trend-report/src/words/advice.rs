//! Writes the advice on further runs, as a line for a terminal.

use trend_analyze::{Cluster, Findings, Model, NextRuns};

use crate::layout::document::Document;
use crate::layout::style::NOTABLE;
use crate::layout::text::brief;
use crate::rows::scope::Scope;

/// Maximum width of a cluster's name in the line.
const NAME_WIDTH: usize = 60;

/// Writes the advice for the costliest row that has any: a cluster, else the whole program. Advice that names sizes is
/// preferred to advice that no size would help.
pub(crate) fn of_findings(out: &mut Document, findings: &Findings, scope: &Scope<'_>) {
    // Sizes of a single feature cannot settle a joint law.
    let in_one = |c: &&Cluster| c.fits.joint.is_none() || scope.feature.is_some();
    let clusters = findings.clusters.iter().filter(|c| c.costly).filter(in_one);
    let named = clusters.map(|c| (c.title.as_str(), &c.fits));
    let total = findings.total.fits.joint.is_none().then_some(&findings.total.fits);
    let rows = named.chain(total.map(|fits| ("the whole program", fits)));
    let all: Vec<(&str, &NextRuns)> =
        rows.filter_map(|(name, fits)| Some((name, scope.model(fits)?.next.as_ref()?))).collect();
    let useful = all.iter().find(|(_, next)| !next.sizes.is_empty());
    if let Some((name, next)) = useful.or(all.first()) {
        let name = brief(name, NAME_WIDTH);
        out.blank();
        let message = if next.sizes.is_empty() {
            format!("{name}: {}.", next.message)
        } else {
            format!("{} ({name}).", next.message)
        };
        out.item("next: ", NOTABLE, &message);
    }
}

/// Writes the advice for one row.
pub(crate) fn of_model(out: &mut Document, model: &Model) {
    if let Some(next) = &model.next {
        out.item("next: ", NOTABLE, &format!("{}.", next.message));
        out.blank();
    }
}
