//! Everything about one thing that was named, for a terminal.

use trend_analyze::Findings;
use trend_profile::Study;

use crate::cluster_page::cluster_page;
use crate::row_page::{file_page, row_page};
use crate::rows::Scope;
use crate::select::{self, Subject};
use crate::{By, ReportError, TableOptions};

/// Everything about one cluster, function, line or file, for a terminal.
///
/// `name` is a cluster's name, its rank (`1` or `#1`) or one of its members or lines; a function's name, the end of it
/// (`sum` for `sums::sum(int)`) or `FILE:NAME`; a library function that a line calls; a line that is in no cluster, where the findings have lines; or a file.
/// A path may be given by its end, and `…` stands for what a table left out of a name.
///
/// # Errors
/// [`ReportError::Unknown`], [`ReportError::Ambiguous`], [`ReportError::UnknownFeature`].
pub fn page(
    findings: &Findings,
    study: Option<&Study>,
    name: &str,
    options: &TableOptions,
) -> Result<String, ReportError> {
    let scope = Scope::new(findings, options)?;
    Ok(match select::subject(findings, name)? {
        Subject::Cluster(cluster) => cluster_page(findings, study, cluster, None, &scope, options),
        Subject::Place(cluster, place) => {
            cluster_page(findings, study, cluster, Some(&place), &scope, options)
        }
        Subject::Function(row) => row_page(findings, study, row, By::Function, &scope, options),
        Subject::Line(row) => row_page(findings, study, row, By::Line, &scope, options),
        Subject::File(file) => file_page(findings, study, file, &scope, options),
    })
}
