//! What can go wrong when findings are shown: only that something was asked for that is not there.

use trend_profile::{SeriesKind, Variable};

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
    /// No cluster, function, routine or line is named like that, and no cluster has that rank.
    #[error("no cluster, function, routine or line is named `{name}`{}", nearest_or_all(.nearest, "the study has none"))]
    Unknown {
        /// What was asked for, made visible.
        name: String,
        /// What may have been meant, nearest first.
        nearest: Vec<String>,
    },
    /// Several functions, lines or files are named like that.
    #[error("`{name}` can be any of {}", all(.candidates, *.more))]
    Ambiguous {
        /// What was asked for, made visible.
        name: String,
        /// Names that tell them apart.
        candidates: Vec<String>,
        /// How many more there are.
        more: usize,
    },
    /// The study has no series of this kind.
    #[error("the study has no {}s by the size of their input; `{}` makes such a study", .0.words().place, .0.words().made_by)]
    NoSeries(SeriesKind),
    /// It is not known where the time goes.
    #[error(
        "nothing is known of where the time goes: `run` samples runs without counters of at least 20 ms, and says why where it \
         cannot, as of scripts, or where /proc/sys/kernel/perf_event_paranoid is above 2"
    )]
    NotSampled,
    /// Runs were timed, and nothing is predicted.
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
    /// No loop is at a line.
    #[error("no loop is at {place}{}", if .near.is_empty() { String::new() } else { format!("; near it: {}", .near.join(", ")) })]
    NoLoopAt {
        /// What was asked for, made visible.
        place: String,
        /// Places of loops, nearest first.
        near: Vec<String>,
    },
    /// The study has such series, and none in calling contexts.
    #[error("the study has no calling contexts; `{} --contexts` records them", .0.words().made_by)]
    NoContexts(SeriesKind),
    /// No series' sizes are measured in this variable.
    #[error(
        "the study's input sizes were measured as {}, and none as {}; {}",
        all_variables(.known), .variable.name(), .variable.made_by()
    )]
    NoSuchVariable {
        /// What was asked for.
        variable: Variable,
        /// What there is.
        known: Vec<Variable>,
    },
    /// Series are not predicted at a size that somebody names: each has sizes of its own.
    #[error(
        "what is measured by its own size is sorted by cost, share or exponent, and has no predicted cost at one common size"
    )]
    NoSuchSort,
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

fn all_variables(variables: &[Variable]) -> String {
    variables.iter().map(|variable| variable.name()).collect::<Vec<_>>().join(" and ")
}

/// C++ names have commas of their own.
fn all(names: &[String], more: usize) -> String {
    let more = if more > 0 { format!("; and {more} more") } else { String::new() };
    names.join("; ") + &more
}
