//! Errors when showing findings: each says that a requested item does not exist.

use trend_profile::{SeriesKind, Variable};

/// Error when findings cannot be shown. Each message completes "failed to show the findings: …".
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ReportError {
    /// No feature has that name.
    #[error("no feature is named `{name}`{}", nearest_or_all(.nearest, "the study has none"))]
    UnknownFeature {
        /// Requested name, made visible.
        name: String,
        /// Similar names, nearest first.
        nearest: Vec<String>,
    },
    /// No cluster, function, routine or line has that name, and no cluster has that rank.
    #[error("no cluster, function, routine or line is named `{name}`{}", nearest_or_all(.nearest, "the study has none"))]
    Unknown {
        /// Requested name, made visible.
        name: String,
        /// Similar names, nearest first.
        nearest: Vec<String>,
    },
    /// Several functions, lines or files match the name.
    #[error("`{name}` can be any of {}", all(.candidates, *.more))]
    Ambiguous {
        /// Requested name, made visible.
        name: String,
        /// Names that distinguish the candidates.
        candidates: Vec<String>,
        /// Number of further candidates.
        more: usize,
    },
    /// The study has no series of this kind.
    #[error("the study has no {}s by the size of their input; `{}` makes such a study", .0.words().place, .0.words().made_by)]
    NoSeries(SeriesKind),
    /// No run was sampled, so the time of functions is unknown.
    #[error(
        "nothing is known of where the time goes: `run` samples runs without counters of at least 20 ms, and says why where it \
         cannot, as of scripts, or where /proc/sys/kernel/perf_event_paranoid is above 2"
    )]
    NotSampled,
    /// Runs were timed, but the study allows no prediction.
    #[error(
        "shares of the time are said of a run and of a target, and nothing is predicted of this study: run more sizes, which \
         `trend-prof show` names"
    )]
    NotPredicted,
    /// The study has no memory by line.
    #[error("the study has no memory by line; `{}` records it", SeriesKind::Line.words().made_by)]
    NoMemoryLines,
    /// The study has no loops.
    #[error("the study has no loops; `build --probe loops` makes a program that records them")]
    NoLoops,
    /// The line has no loop.
    #[error("no loop is at {place}{}", if .near.is_empty() { String::new() } else { format!("; near it: {}", .near.join(", ")) })]
    NoLoopAt {
        /// Requested place, made visible.
        place: String,
        /// Nearby places of loops, nearest first.
        near: Vec<String>,
    },
    /// The study has series of this kind, but none by calling context.
    #[error("the study has no calling contexts; `{} --contexts` records them", .0.words().made_by)]
    NoContexts(SeriesKind),
    /// No series was measured in this variable.
    #[error(
        "the study's input sizes were measured as {}, and none as {}; {}",
        all_variables(.known), .variable.name(), .variable.made_by()
    )]
    NoSuchVariable {
        /// The variable that was requested.
        variable: Variable,
        /// Variables in which the study's series were measured.
        known: Vec<Variable>,
    },
    /// Series cannot be sorted by their cost at a given size, because each has input sizes of its own.
    #[error(
        "what is measured by its own size is sorted by cost, share or exponent, and has no predicted cost at one common size"
    )]
    NoSuchSort,
    /// The analysis did not model these rows.
    #[error("the findings have no {rows}; analyze with that kind of row")]
    NotAnalyzed {
        /// Kind of the rows: `lines` or `blocks`.
        rows: &'static str,
    },
}

fn nearest_or_all(nearest: &[String], none: &str) -> String {
    match nearest {
        [] => format!(" ({none})"),
        names => format!("; nearest: {}", names.join(", ")),
    }
}

fn all_variables(variables: &[Variable]) -> String {
    variables.iter().map(|variable| variable.name()).collect::<Vec<_>>().join(" and ")
}

/// Joins names with semicolons, because C++ names contain commas.
fn all(names: &[String], more: usize) -> String {
    let more = if more > 0 { format!("; and {more} more") } else { String::new() };
    names.join("; ") + &more
}
