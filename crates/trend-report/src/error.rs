//! Errors when showing findings: each says that a requested item does not exist.

use trend_profile::{SeriesKind, Variable};

/// Error when findings cannot be shown.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ReportError {
    /// No feature has that name.
    #[error("no feature named `{name}`{}", nearest_or_all(.nearest, "the study has none"))]
    UnknownFeature {
        /// Requested name, made visible.
        name: String,
        /// Similar names, nearest first.
        nearest: Vec<String>,
    },
    /// No cluster, function, routine or line has that name, and no cluster has that rank.
    #[error("no cluster, function, routine or line named `{name}`{}", nearest_or_all(.nearest, "the study has none"))]
    Unknown {
        /// Requested name, made visible.
        name: String,
        /// Similar names, nearest first.
        nearest: Vec<String>,
    },
    /// Several functions, lines or files match the name.
    #[error("`{name}` is ambiguous: {}", all(.candidates, *.more))]
    Ambiguous {
        /// Requested name, made visible.
        name: String,
        /// Names that distinguish the candidates.
        candidates: Vec<String>,
        /// Number of further candidates.
        more: usize,
    },
    /// The study has no series of this kind.
    #[error("the study has no {}s by input size; record them with `trend-prof {}`", .0.words().place, .0.words().made_by)]
    NoSeries(SeriesKind),
    /// No run was sampled, so the time of functions is unknown.
    #[error(
        "the study has no time samples; `trend-prof run` samples runs of at least 20 ms without counters, and \
         warns if it cannot (scripts, or /proc/sys/kernel/perf_event_paranoid above 2)"
    )]
    NotSampled,
    /// Runs were timed, but the study allows no prediction.
    #[error(
        "shares of the time need a prediction, and this study has none; run more sizes (`trend-prof show` \
         suggests them)"
    )]
    NotPredicted,
    /// No function has a law that predicts its cost at the target.
    #[error(
        "no law predicts the cost of a function at that size; run more sizes (`trend-prof show` suggests them)"
    )]
    NothingPredicted,
    /// A predicted cost exceeds the integers of the format.
    #[error(
        "the cost of {name} at {at} exceeds pprof's largest number, 9.2·10¹⁸; export speedscope, or give a \
         smaller size"
    )]
    TooLarge {
        /// The function's name.
        name: String,
        /// The size, in words.
        at: String,
    },
    /// The study has no memory by line.
    #[error("the study has no memory by line; record it with `trend-prof {}`", SeriesKind::Line.words().made_by)]
    NoMemoryLines,
    /// The study has no loops.
    #[error("the study has no loops; record them with a program built by `trend-prof build --probe loops`")]
    NoLoops,
    /// The line has no loop.
    #[error("no loop at {place}{}", if .near.is_empty() { String::new() } else { format!("; near it: {}", .near.join(", ")) })]
    NoLoopAt {
        /// Requested place, made visible.
        place: String,
        /// Nearby places of loops, nearest first.
        near: Vec<String>,
    },
    /// The study has series of this kind, but none by calling context.
    #[error("the study has no calling contexts; record them with `trend-prof {} --contexts`", .0.words().made_by)]
    NoContexts(SeriesKind),
    /// No series was measured in this variable.
    #[error(
        "the study's input sizes were measured as {}, not as {}; {}",
        all_variables(.measured), .variable.name(), .variable.made_by()
    )]
    NoSuchVariable {
        /// The variable that was requested.
        variable: Variable,
        /// Variables in which the study's series were measured.
        measured: Vec<Variable>,
    },
    /// Series cannot be sorted by their cost at a given size, because each has its own input sizes.
    #[error(
        "rows measured by their own input size have no common predicted cost; sort by cost, share or \
         exponent"
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
