//! Which runs would tell more, as a line for a terminal.

use trend_analyze::{Cluster, Findings, Model, NextRuns};

use crate::document::Document;
use crate::rows::Scope;
use crate::style::NOTABLE;
use crate::text::brief;

/// A cluster's name in the line.
const NAME_WIDTH: usize = 60;

/// The advice on the costliest row for which there is some: a cluster, else the whole program. What names sizes goes
/// before what says that none help.
pub(crate) fn of_findings(out: &mut Document, findings: &Findings, scope: &Scope<'_>) {
    // Sizes of one feature decide nothing where several make the law.
    let in_one = |c: &&Cluster| c.joint.is_none() || scope.feature.is_some();
    let clusters = findings.clusters.iter().filter(|c| c.costly).filter(in_one);
    let named = clusters.map(|c| (c.title.as_str(), c.models.as_slice()));
    let total = findings.total.joint.is_none().then_some(findings.total.models.as_slice());
    let rows = named.chain(total.map(|models| ("the whole program", models)));
    let all: Vec<(&str, &NextRuns)> =
        rows.filter_map(|(name, models)| Some((name, scope.model(models)?.next.as_ref()?))).collect();
    let useful = all.iter().find(|(_, next)| !next.sizes.is_empty());
    if let Some((name, next)) = useful.or(all.first()) {
        let name = brief(name, NAME_WIDTH);
        out.blank();
        out.item("next: ", NOTABLE, &format!("{} ({name}).", next.message));
    }
}

/// The advice on one row.
pub(crate) fn of_model(out: &mut Document, model: &Model) {
    if let Some(next) = &model.next {
        out.item("next: ", NOTABLE, &format!("{}.", next.message));
        out.blank();
    }
}
