//! Selects and sorts the rows of a table.

use std::collections::BTreeSet;

use trend_analyze::{Findings, SeriesRow};
use trend_profile::{SeriesKind, Variable};

use super::item::{Item, predicted};
use super::scope::Scope;
use crate::error::ReportError;
use crate::options::{By, Sort, TableOptions};

/// Number of rows shown by default, if no more are costly.
const USUAL_ROWS: usize = 10;

/// Returns the rows of one kind, by descending maximum cost.
///
/// # Errors
/// [`ReportError::NotAnalyzed`] if the findings lack this kind of row.
pub(crate) fn all(findings: &Findings, by: By) -> Result<Vec<Item<'_>>, ReportError> {
    let rows = match by {
        By::Cluster => return Ok(findings.clusters.iter().map(Item::of_cluster).collect()),
        By::Function => &findings.functions,
        By::Line => findings.lines.as_ref().ok_or(ReportError::NotAnalyzed { rows: "lines" })?,
        By::Block => findings.blocks.as_ref().ok_or(ReportError::NotAnalyzed { rows: "blocks" })?,
    };
    Ok(rows.iter().enumerate().map(|(i, row)| Item::of_row(i + 1, row, by)).collect())
}

/// The rows that are shown, out of all rows of their kind.
pub(crate) struct Selection<'a> {
    pub(crate) shown: Vec<Item<'a>>,
    /// Number of rows before the selection.
    pub(crate) total: usize,
    /// True if only costly rows are shown, which is the default.
    pub(crate) costly_only: bool,
}

/// Returns the options with clusters in place of functions, if the findings have no functions.
pub(crate) fn settled(findings: &Findings, options: &TableOptions) -> TableOptions {
    if options.by != By::Function || !findings.functions.is_empty() {
        return options.clone();
    }
    let sort = if options.sort == Sort::Predicted { Sort::Cost } else { options.sort };
    TableOptions { by: By::Cluster, sort, ..options.clone() }
}

/// Sorts and selects rows according to the options.
///
/// # Errors
/// Fails in the same cases as [`all`].
pub(crate) fn selection<'a>(
    findings: &'a Findings,
    scope: &Scope<'_>,
    options: &TableOptions,
) -> Result<Selection<'a>, ReportError> {
    let mut items = all(findings, options.by)?;
    sort(&mut items, scope, options.sort);
    let total = items.len();
    let costly = items.iter().filter(|i| i.is_costly).count();
    let by_cost = matches!(options.sort, Sort::Cost | Sort::Share);
    let costly_only = options.top.is_none() && by_cost && costly > 0;
    if costly_only {
        items.retain(|item| item.is_costly);
    } else {
        items.truncate(options.top.unwrap_or(costly.max(USUAL_ROWS)));
    }
    Ok(Selection { shown: items, total, costly_only })
}

/// Returns the exponent of a row's law at the point of the predictions.
pub(crate) fn exponent(item: &Item<'_>, scope: &Scope<'_>) -> Option<f64> {
    let law = item.row_law(scope)?.law()?;
    law.exponent(&scope.point?.1.values_of(&law.features)?)
}

/// Sorts rows in descending order. Rows without a value go last, and ties are broken by maximum cost.
pub(crate) fn sort<'a>(items: &mut [Item<'a>], scope: &Scope<'_>, sort: Sort) {
    let key = |item: &Item<'a>| -> f64 {
        let value = match sort {
            Sort::Cost => Some(item.max_cost as f64),
            Sort::Share => Some(item.share),
            Sort::Exponent => exponent(item, scope),
            Sort::Predicted => predicted(item, scope).map(|e| e.cost),
        };
        value.filter(|v| !v.is_nan()).unwrap_or(f64::NEG_INFINITY)
    };
    let mut keyed: Vec<(f64, Item<'a>)> = items.iter().map(|item| (key(item), *item)).collect();
    keyed.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.rank.cmp(&b.1.rank)));
    items.iter_mut().zip(keyed).for_each(|(item, (_, sorted))| *item = sorted);
}

/// Keeps only the series whose sizes are measured in this variable. By default, a place that has dynamic read memory
/// sizes keeps only these, because they cover all input.
///
/// # Errors
/// [`ReportError::NoSeries`] for a study without series, [`ReportError::NoSuchVariable`] if none has this variable.
pub fn choose_variable(findings: &mut Findings, variable: Option<Variable>) -> Result<(), ReportError> {
    let Some(variable) = variable else {
        let place = |row: &SeriesRow| {
            let names = (row.name.clone(), row.object.clone(), row.context.clone());
            (row.kind, names, row.unit.clone())
        };
        let dynamic: BTreeSet<_> =
            findings.series.iter().filter(|row| row.variables == [Variable::Drms]).map(place).collect();
        findings.series.retain(|row| row.variables != [Variable::Rms] || !dynamic.contains(&place(row)));
        return Ok(());
    };
    let measured: BTreeSet<Variable> = findings.series.iter().flat_map(|row| row.variables.clone()).collect();
    if measured.is_empty() {
        return Err(ReportError::NoSeries(SeriesKind::Routine));
    }
    if !measured.contains(&variable) {
        return Err(ReportError::NoSuchVariable { variable, measured: measured.into_iter().collect() });
    }
    findings.series.retain(|row| row.variables.contains(&variable));
    Ok(())
}

/// Returns the exponent of the worst calls' law at its furthest prediction. Series without a law get −∞, so that they
/// are sorted last.
pub(crate) fn exponent_of_series(row: &SeriesRow) -> f64 {
    let slope = || {
        let [model] = row.worst.fits.models.as_slice() else { return None };
        model.law()?.exponent(&[model.predictions.last()?.at])
    };
    slope().filter(|slope| !slope.is_nan()).unwrap_or(f64::NEG_INFINITY)
}
