//! What can go wrong when findings are shown: only that something was asked for that is not there.

/// Why findings could not be shown. Each completes "failed to show the findings: …".
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ReportError {
    /// No feature has that name.
    #[error("no feature is named `{name}`{}", nearest_or_all(.nearest, "the study has none"))]
    UnknownFeature {
        /// What was asked for, made visible.
        name: String,
        /// What may have been meant, nearest first.
        nearest: Vec<String>,
    },
    /// No cluster is named like that, has that rank, or has a member there.
    #[error("no cluster is named `{name}`{}", nearest_or_all(.nearest, "the study has none"))]
    UnknownCluster {
        /// What was asked for, made visible.
        name: String,
        /// What may have been meant, nearest first.
        nearest: Vec<String>,
    },
    /// The study has no routines by input size.
    #[error("the study has no routines by the size of their input; `import aprof` makes such a study")]
    NoRoutines,
    /// The analysis was not asked to model these rows.
    #[error("the findings have no {rows}; analyze with that kind of row")]
    NotAnalyzed {
        /// `lines` or `blocks`.
        rows: &'static str,
    },
}

fn nearest_or_all(nearest: &[String], none: &str) -> String {
    match nearest {
        [] => format!(" ({none})"),
        names => format!("; nearest: {}", names.join(", ")),
    }
}
