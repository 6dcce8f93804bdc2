//! Words doubts for a person: the observation, its meaning, and the remedy.

use std::fmt;
use std::path::Path;

use trend_profile::shell_path;

use crate::budget::MOST_MEMBERS;
use crate::doubt::{Doubt, Explanation, FeatureName, NoJoint, Unfit};
use crate::model_doubts::{FEW_POINTS, NARROW_RANGE};

impl fmt::Display for Doubt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoLaw { why: Unfit::NeverExecuted, .. } => f.write_str("never executed"),
            Self::NoLaw { feature, why } => unfit(f, ["power law", "workloads"], feature, why),
            Self::NoGrowth { feature, why } => unfit(f, ["growth class", "different sizes"], feature, why),
            Self::FewPoints { points, narrow: true } => {
                write!(f, "{points} points only: the intervals are too narrow for so few")
            }
            Self::FewPoints { points, .. } => {
                write!(f, "{points} points only: too few to see where the model is wrong")
            }
            Self::NarrowRange { feature, span, of_study: true } => write!(
                f,
                "feature {feature} spans a factor of {span:.1} only; growth shows over at least a factor of \
                 {NARROW_RANGE}, better a thousand"
            ),
            Self::NarrowRange { feature, span, .. } => write!(
                f,
                "{feature} grows by a factor of {span:.1} only over the points used: run larger or smaller workloads"
            ),
            Self::IgnoredZeros { feature, workloads } => write!(
                f,
                "{workloads} workloads with a cost or a {feature} of zero are left out: the model says what this \
                 costs where it runs at all"
            ),
            Self::EndsEarly { feature, until } => write!(
                f,
                "it ran in none of the runs of more than {feature} = {until}: beyond that nothing is predicted, and \
                 what the model says is what it would cost if it ran"
            ),
            Self::BeyondReach { feature, at, class } => {
                let class = class.with_variable(feature);
                write!(
                    f,
                    "at {feature} = {at} the cost grows to more than any number as {class}: no prediction there"
                )
            }
            Self::Diagnosed { feature, diagnosis, better } => {
                f.write_str(&diagnosis.in_words(feature))?;
                better.as_ref().map_or(Ok(()), |better| write!(f, "; {better}"))
            }
            Self::NoJoint { features, why } => no_joint(f, features, why),
            Self::OffWhatWasMeasured { feature, at, factor } => write!(
                f,
                "at {feature} = {at} {factor:.2} times what the model says was measured: believe what was measured"
            ),
            Self::OffAtTheLargest { feature, largest, factor } => write!(
                f,
                "the runs of {feature} = {largest}, the largest, cost {factor:.2} times what the model says; what is \
                 predicted beyond may be as far off"
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

/// Writes that a feature has no `what`, which needs a number of `points`.
fn unfit(
    f: &mut fmt::Formatter<'_>,
    [what, points]: [&str; 2],
    feature: &FeatureName,
    why: &Unfit,
) -> fmt::Result {
    write!(f, "no {what} in {feature}")?;
    match why {
        Unfit::NeverExecuted => f.write_str(": never executed"),
        Unfit::TooFew { points: known, needed } => write!(
            f,
            ": {known} {points} have a positive cost and a positive {feature}, and {needed} are \
             needed; run workloads of other sizes"
        ),
        Unfit::ConstantFeature => f.write_str(": it has one value only; run workloads of other sizes"),
        Unfit::NotWorthIt => f.write_str(", which has little to do with this cost"),
        Unfit::Other(error) => write!(f, ": {error}"),
    }
}

fn no_joint(f: &mut fmt::Formatter<'_>, features: &[FeatureName], why: &NoJoint) -> fmt::Result {
    write!(f, "no model in {} together: ", features.join(" and "))?;
    match why {
        NoJoint::NoPart => f.write_str("none of them plays a part in this cost"),
        NoJoint::OnePart(feature) => write!(f, "only {feature} plays a part in this cost"),
        NoJoint::OneIsEnough => f.write_str("one is enough"),
        NoJoint::TooFewWorkloads => f.write_str("too few workloads have all of them"),
        NoJoint::NoLaw => f.write_str("the cost depends on all of them, and no law was found that says how"),
        NoJoint::Unfit(error) => write!(f, "{error}"),
    }
}

fn left_out(f: &mut fmt::Formatter<'_>, doubt: &Doubt) -> fmt::Result {
    match doubt {
        Doubt::RowsLeftOut { rows, count } => write!(
            f,
            "{count} {rows} are left out, the cheapest: a study of this size has models of no more; fewer features \
             leave room for more"
        ),
        Doubt::ClassesLeftOut { rows, count } => write!(
            f,
            "{count} {rows}, those of the least share of a run, have a power law and no growth class: a study of this \
             size has verdicts of no more; fewer features leave room for more"
        ),
        Doubt::PointsLeftOut { points, kept, of } => write!(
            f,
            "laws are of {kept} {points} at most, spread evenly over the logarithm of the size: a row has {of}; costs \
             and calls are of all"
        ),
        Doubt::AdviceLeftOut { asked, of } => write!(
            f,
            "sizes to run next are looked for in {asked} of {of} features, those that explain the whole best: name one \
             with `--feature`"
        ),
        Doubt::LoopsLeftOut { functions, loops } => write!(
            f,
            "{loops} loops of {functions} functions are left out, those with the fewest trips: a study has formulas of \
             no more nested loops; in the costs of callers they are names"
        ),
        Doubt::MembersLeftOut { count } => write!(
            f,
            "{count} members of clusters are not listed, the cheapest: {MOST_MEMBERS} are the most that are; their \
             costs count"
        ),
        Doubt::PageLeftOut { kept } => {
            let parts: Vec<String> =
                kept.iter().map(|(kept, all, what)| format!("{kept} of {all} {what}")).collect();
            let parts = parts.join(", ");
            write!(f, "this page has {parts}, the costliest; `trend-prof show --format json` has all")
        }
        _ => Ok(()),
    }
}

fn of_study(f: &mut fmt::Formatter<'_>, doubt: &Doubt) -> fmt::Result {
    match doubt {
        Doubt::OneWorkload => f.write_str("one workload says nothing about growth: run more, of different sizes"),
        Doubt::FewWorkloads { workloads, narrow } => {
            let why =
                if *narrow { "intervals are too narrow for so few" } else { "too few to tell one law from another" };
            write!(f, "{workloads} workloads only: {why}; run at least {FEW_POINTS}")
        }
        Doubt::FailedWorkloads { failed, all } => write!(
            f,
            "{failed} of {all} workloads have no counts; if those are the large ones, growth is underestimated"
        ),
        Doubt::LargestFailed { feature, largest, failed, from, reason, last_words, .. } => {
            write!(f, "{feature} = {largest} is the largest run that succeeded; ")?;
            match failed {
                1 => write!(f, "the only larger one failed, {feature} = {from} {reason}")?,
                _ => write!(f, "each of the {failed} larger ones failed, {feature} = {from} {reason}")?,
            }
            if last_words.is_empty() { Ok(()) } else { write!(f, ": {last_words}") }
        }
        Doubt::NoFeatures => f.write_str(
            "there are no features, so that nothing can be predicted; declare some under [features] or add them with \
             `import features`",
        ),
        Doubt::MissingValues { feature, missing, all } => {
            write!(f, "feature {feature} is missing for {missing} of {all} workloads")
        }
        Doubt::NotPositive { feature, workloads } => write!(
            f,
            "feature {feature} is zero or negative for {workloads} workloads, which power laws leave out"
        ),
        Doubt::ConstantFeature { feature, value } => {
            write!(f, "feature {feature} is {value} for every workload: it can explain nothing")
        }
        Doubt::NothingVaries => {
            f.write_str("no location's cost varies: the workloads differ in nothing that the program does")
        }
        Doubt::NotDeterministic { locations } => write!(
            f,
            "{locations} locations count differently when a workload is run again (hashing, clocks, threads?): they \
             are marked, and their models use the median"
        ),
        Doubt::UncountedGrowth { exponent, ci: [lo, hi], level, runs, program } => write!(
            f,
            "processor time grows as counts^{exponent:.2} ({:.0} % interval {lo:.2} to {hi:.2}, {runs} runs): work grows \
             where nothing is counted, in the kernel, in libc (strlen, strcat, memmove, realloc), in Rust's standard \
             library (`remove`, `insert`, `contains`) or in a library that is not instrumented; {}",
            level * 100.0,
            way_out(program)
        ),
        Doubt::MostlyUncounted { seconds, count, is_rust, program } => write!(
            f,
            "the longest run took {seconds:.2} s of processor time for {count:.0} counted executions: nearly all of its \
             work is in code without counters, such as libc, {}a library that is not instrumented (see `ldd`) or a part \
             that was not built under `trend-prof build`; {}",
            if *is_rust { "Rust's standard library (`Vec::remove`, `sort`, hashing), " } else { "" },
            way_out(program)
        ),
        Doubt::Recorded(warning) => f.write_str(&warning.message),
        _ => Ok(()),
    }
}

/// Suggests a command that counts the rest, ready to be copied.
fn way_out(program: &str) -> String {
    let name = shell_path(Path::new(&format!("{program}-instructions.trend")));
    format!(
        "`trend-prof run --counts callgrind --study {name}`, with what else this study's `run` was given, counts it too, in \
         15 to 30 times the time"
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
                f.write_str("no feature and no part of the names tells these workloads apart")
            }
        }
    }
}
