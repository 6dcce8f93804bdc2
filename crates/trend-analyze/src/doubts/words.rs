//! Words doubts for a person: the observation, its meaning, and the remedy.

use std::fmt;
use std::path::Path;

use trend_answer::number::{self, feature_size};
use trend_profile::shell_path;

use crate::findings::doubt::{CodeKind, Doubt, Explanation, FeatureName, NoJoint, Unfit};
use crate::fit::budget::MOST_MEMBERS;
use crate::fit::model_doubts::{FEW_POINTS, NARROW_RANGE};

impl fmt::Display for Doubt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoLaw { why: Unfit::NeverExecuted, .. } => f.write_str("never executed"),
            Self::NoLaw { feature, why } => unfit(f, ["power law", "workloads"], feature, why),
            Self::NoGrowth { feature, why } => unfit(f, ["growth class", "different sizes"], feature, why),
            Self::FewPoints { points, narrow: true } => {
                write!(f, "only {points} points, so the intervals are too narrow")
            }
            Self::FewPoints { points, .. } => {
                write!(f, "only {points} points, too few to see where the model is wrong")
            }
            Self::NarrowRange { feature, span, of_study: true } => write!(
                f,
                "feature {feature} spans only a factor of {span:.1}; run sizes that span at least a \
                 factor of {NARROW_RANGE}, better a thousand"
            ),
            Self::NarrowRange { feature, span, .. } => write!(
                f,
                "{feature} spans only a factor of {span:.1} over the points used; run larger or smaller \
                 workloads"
            ),
            Self::IgnoredZeros { feature, workloads } => write!(
                f,
                "{workloads} workloads where the cost or {feature} is zero are left out; the model covers \
                 only runs where it executes"
            ),
            Self::EndsEarly { feature, until } => write!(
                f,
                "no run above {feature} = {} executed it, so nothing is predicted there; the model \
                 gives its cost if it were executed",
                feature_size(feature, *until)
            ),
            Self::BeyondReach { feature, at, class } => {
                let class = class.with_variable(feature);
                write!(
                    f,
                    "no prediction at {feature} = {}: the cost, which grows as {class}, is too large \
                     for a number",
                    feature_size(feature, *at)
                )
            }
            Self::Diagnosed { feature, diagnosis, better } => {
                f.write_str(&diagnosis.in_words(feature))?;
                better.as_ref().map_or(Ok(()), |better| write!(f, "; {better}"))
            }
            Self::NoJoint { features, why } => no_joint(f, features, why),
            Self::OffWhatWasMeasured { feature, at, factor } => write!(
                f,
                "the cost measured at {feature} = {} is {factor:.2} times the model's; trust the \
                 measurement",
                feature_size(feature, *at)
            ),
            Self::OffAtTheLargest { feature, largest, factor } => write!(
                f,
                "the largest runs ({feature} = {}) cost {factor:.2} times what the model predicts; \
                 predictions for larger sizes may be off by as much",
                feature_size(feature, *largest)
            ),
            Self::RowsLeftOut { .. }
            | Self::ClassesLeftOut { .. }
            | Self::PointsLeftOut { .. }
            | Self::AdviceLeftOut { .. }
            | Self::LoopsLeftOut { .. }
            | Self::MembersLeftOut { .. }
            | Self::PageLeftOut { .. } => left_out(f, self),
            _ => of_study(f, self),
        }
    }
}

/// Writes that a feature has no `what`, which needs a minimum number of `points`.
fn unfit(
    f: &mut fmt::Formatter<'_>,
    [what, points]: [&str; 2],
    feature: &FeatureName,
    why: &Unfit,
) -> fmt::Result {
    write!(f, "no {what} in {feature}")?;
    match why {
        Unfit::NeverExecuted => f.write_str(": never executed"),
        Unfit::TooFew { points: count, needed } => write!(
            f,
            ": {count} {points} with a positive cost and {feature}, but {needed} are needed; run other \
             sizes"
        ),
        Unfit::ConstantFeature => f.write_str(": it has only one value; run other sizes"),
        Unfit::NotWorthIt => f.write_str(", which has little to do with this cost"),
        Unfit::TwoKinds => f.write_str(": there are two kinds of calls, each with its own law"),
        Unfit::Other(error) => write!(f, ": {error}"),
    }
}

fn no_joint(f: &mut fmt::Formatter<'_>, features: &[FeatureName], why: &NoJoint) -> fmt::Result {
    write!(f, "no model in {} together: ", features.join(" and "))?;
    match why {
        NoJoint::NoPart => f.write_str("none of them affects this cost"),
        NoJoint::OnePart(feature) => write!(f, "only {feature} affects this cost"),
        NoJoint::OneIsEnough => f.write_str("one of them is enough"),
        NoJoint::TooFewWorkloads => f.write_str("too few workloads have all of them"),
        NoJoint::NoLaw => f.write_str("the cost depends on all of them, but no law fits"),
        NoJoint::Unfit(error) => write!(f, "{error}"),
    }
}

fn left_out(f: &mut fmt::Formatter<'_>, doubt: &Doubt) -> fmt::Result {
    match doubt {
        Doubt::RowsLeftOut { rows, count } => write!(
            f,
            "the {count} cheapest {rows} are left out to limit the analysis; fewer features leave room \
             for more"
        ),
        Doubt::ClassesLeftOut { rows, count } => write!(
            f,
            "the {count} {rows} with the smallest shares have a power law but no growth class, to limit \
             the analysis; fewer features leave room for more"
        ),
        Doubt::PointsLeftOut { points, most, all } => write!(
            f,
            "laws are fitted to at most {most} {points}, spread evenly over the logarithm of the size (a row has {all}); \
             costs and calls cover all"
        ),
        Doubt::AdviceLeftOut { advised, all } => write!(
            f,
            "sizes to run next are suggested for only {advised} of {all} features, those that best explain the cost of the \
             whole program; choose another with `--feature`"
        ),
        Doubt::LoopsLeftOut { functions, loops } => write!(
            f,
            "{loops} loops of {functions} functions, those with the fewest trips, have no formulas, because the study \
             has too many nested loops; formulas of their callers contain `cost of NAME` instead"
        ),
        Doubt::MembersLeftOut { count } => write!(
            f,
            "the {count} cheapest members of clusters are not listed (limit: {MOST_MEMBERS}); their costs \
             still count"
        ),
        Doubt::PageLeftOut { shown } => {
            let parts: Vec<String> =
                shown.iter().map(|(shown, all, what)| format!("{shown} of {all} {what}")).collect();
            let parts = parts.join(", ");
            write!(
                f,
                "this page has only the most expensive rows: {parts}; `trend-prof show --format json` has all"
            )
        }
        _ => Ok(()),
    }
}

fn of_study(f: &mut fmt::Formatter<'_>, doubt: &Doubt) -> fmt::Result {
    match doubt {
        Doubt::OneWorkload => f.write_str("one workload shows no growth; run more sizes"),
        Doubt::FewWorkloads { workloads, narrow } => {
            let why =
                if *narrow { "the intervals are too narrow" } else { "too few to tell one law from another" };
            write!(f, "only {workloads} workloads: {why}; run at least {FEW_POINTS}")
        }
        Doubt::FailedWorkloads { failed, all } => write!(
            f,
            "{failed} of {all} workloads have no counts; if they are the large ones, growth is \
             underestimated"
        ),
        Doubt::LargestFailed { feature, largest, failed, from, reason, last_words, .. } => {
            let [largest, from] = [largest, from].map(|at| feature_size(feature, *at));
            write!(f, "{feature} = {largest} is the largest run that succeeded; ")?;
            match failed {
                1 => write!(f, "the only larger one failed: {feature} = {from} {reason}")?,
                2 => write!(f, "both larger ones failed: {feature} = {from} {reason}")?,
                _ => write!(f, "all {failed} larger ones failed: {feature} = {from} {reason}")?,
            }
            if last_words.is_empty() { Ok(()) } else { write!(f, ": {last_words}") }
        }
        Doubt::NoFeatures => f.write_str(
            "nothing can be predicted without features; declare some under [features] or add them with \
             `import features`",
        ),
        Doubt::MissingValues { feature, missing, all } => {
            write!(f, "feature {feature} is missing for {missing} of {all} workloads")
        }
        Doubt::NotPositive { feature, workloads } => write!(
            f,
            "feature {feature} is zero or negative for {workloads} workloads; power laws leave them out"
        ),
        Doubt::ConstantFeature { feature, value } => {
            write!(f, "feature {feature} is {value} for every workload, so it explains nothing")
        }
        Doubt::NothingVaries => {
            f.write_str("no cost varies: the program does the same work for every workload")
        }
        Doubt::NotDeterministic { locations } => write!(
            f,
            "{locations} locations have different counts in repeated runs (hashing, clocks, threads?); \
             they are marked, and their models use the median"
        ),
        Doubt::UncountedGrowth { exponent, ci: [lo, hi], level, runs, code, program } => write!(
            f,
            "CPU time grows as counts^{exponent:.2} ({:.0} % interval {lo:.2} to {hi:.2}, {runs} runs), \
             so work grows in code that is not counted: {}; {}",
            level * 100.0,
            growing_elsewhere(*code),
            way_out(*code, program)
        ),
        Doubt::MostlyUncounted { seconds, count, code, program } => write!(
            f,
            "the longest run took {seconds:.2} s of CPU time for only {} counted executions: \
             nearly all of its work is in code without counters, such as {}; {}",
            number::cost(*count, 3),
            elsewhere(*code),
            way_out(*code, program)
        ),
        Doubt::Recorded(warning) => f.write_str(&warning.message),
        _ => Ok(()),
    }
}

/// Names code without counters whose work often grows with the input.
fn growing_elsewhere(code: CodeKind) -> &'static str {
    match code {
        CodeKind::Native | CodeKind::Rust => {
            "the kernel, libc (strlen, strcat, memmove, realloc), Rust's standard library (`remove`, `insert`, \
             `contains`) or another library"
        }
        CodeKind::Python => {
            "functions in C (`in` and `pop(0)` of lists, `sorted`, slices, regular expressions) or installed packages"
        }
    }
}

/// Names code without counters that may do most of the work.
fn elsewhere(code: CodeKind) -> &'static str {
    match code {
        CodeKind::Native => "libc, another library (see `ldd`) or code not built under `trend-prof build`",
        CodeKind::Rust => {
            "libc, Rust's standard library (`Vec::remove`, `sort`, hashing), another library (see `ldd`) or code \
             not built under `trend-prof build`"
        }
        CodeKind::Python => "functions in C or installed packages",
    }
}

/// Suggests a command that counts the rest, ready to be copied.
fn way_out(code: CodeKind, program: &str) -> String {
    if code == CodeKind::Python {
        return "`--packages all` counts packages; work in C shows only in the CPU time".to_owned();
    }
    let name = shell_path(Path::new(&format!("{program}-instructions.trend")));
    format!(
        "to count it too (15 to 30 times slower), run `trend-prof run --counts callgrind --study {name}` with the \
         other `run` options of this study"
    )
}

impl fmt::Display for Explanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Feature(name) => write!(f, "`{name}` explains it better"),
            Self::Together(names) => {
                let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
                write!(f, "{} together explain it better", names.join(" and "))
            }
            Self::Split { rule: Some(rule), feature: Some(feature) } => {
                write!(f, "split by `{feature}`: {rule}")
            }
            Self::Split { rule: Some(rule), .. } => write!(f, "split by name: {rule}"),
            Self::Split { .. } => {
                f.write_str("no feature and no part of the names separates these workloads")
            }
        }
    }
}
