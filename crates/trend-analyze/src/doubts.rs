//! What makes a whole study doubtful.

use std::path::Path;

use trend_model::uncounted_growth;
use trend_profile::{Outcome, Study, Warning, shell_path};

use crate::model_doubts::{FEW_POINTS, NARROW_RANGE};
use crate::{FeatureSummary, GrowthModel, Intervals, Locations, Options, Total};

/// Runs with less processor time than this are startup and the scheduler's granularity.
const TIMER_FLOOR_SECONDS: f64 = 0.010;

/// Processor time per counted execution above which most of the time is spent elsewhere. A basic block
/// takes some 1 to 10 ns, its counter included, on any machine that this runs on.
const MOST_SECONDS_PER_EXECUTION: f64 = 100e-9;

/// Runs with less processor time than this spend much of it on being started.
const LONG_RUN_SECONDS: f64 = 0.1;

/// The warnings about a study as a whole, the gravest first; before all, what was left out of the findings.
pub(crate) fn find(
    study: &Study,
    features: &[FeatureSummary],
    locations: &Locations,
    total: &Total,
    options: &Options,
    left_out: Vec<Warning>,
) -> Vec<Warning> {
    let mut warnings = left_out;
    let mut warn = |kind: &str, message: String| warnings.push(Warning::new(kind, message));
    let k = study.workloads().len();
    if k == 1 {
        warn(
            "one_workload",
            "one workload says nothing about growth: run more, of different sizes".to_owned(),
        );
    } else if k < FEW_POINTS {
        let why = match options.intervals {
            Intervals::Percentile => "intervals are too narrow for so few",
            Intervals::Robust => "too few to tell one law from another",
        };
        let message = format!("{k} workloads only: {why}; run at least {FEW_POINTS}");
        warn("few_workloads", message);
    }
    let failed = study.failed().len();
    if failed > 0 {
        let message = format!(
            "{failed} of {} workloads have no counts; if those are the large ones, growth is underestimated",
            failed + k
        );
        warn("failed_workloads", message);
    }
    if features.is_empty() {
        let message = "there are no features, so that nothing can be predicted; declare some under [features] or \
                       add them with `import features`";
        warn("no_features", message.to_owned());
    }
    for (feature, model) in features.iter().zip(&total.models) {
        let explodes = model.growth.as_ref().is_some_and(GrowthModel::explodes);
        feature_doubts(feature, k, explodes, &mut warn);
    }
    if locations.total > 0 && locations.varying == 0 && k > 1 {
        let message =
            "no location's cost varies: the workloads differ in nothing that the program does".to_owned();
        warn("nothing_varies", message);
    }
    if locations.unstable > 0 {
        let message = format!(
            "{} locations count differently when a workload is run again (hashing, clocks, threads?): they are \
             marked, and their models use the median",
            locations.unstable
        );
        warn("not_deterministic", message);
    }
    let timed = timed(study, &total.costs);
    // Runs under valgrind take its time, and callgrind counts whatever is not in the kernel.
    if study.unit().is_executions() {
        let growth = uncounted_growth_in_words(&timed, options.seed);
        if let Some(message) = growth.or_else(|| mostly_uncounted(&timed, is_rust(study))) {
            warn("uncounted_work", format!("{message}; {}", way_out(study.program())));
        }
    }
    warnings.extend(study.warnings().iter().cloned());
    warnings
}

/// `explodes`: the whole grows with it as an exponential does, which shows over a few units.
fn feature_doubts(
    feature: &FeatureSummary,
    workloads: usize,
    explodes: bool,
    warn: &mut impl FnMut(&str, String),
) {
    let name = &feature.name;
    if feature.missing > 0 {
        let message = format!("feature {name} is missing for {} of {workloads} workloads", feature.missing);
        warn("missing_values", message);
    }
    if feature.not_positive > 0 {
        let message = format!(
            "feature {name} is zero or negative for {} workloads, which power laws leave out",
            feature.not_positive
        );
        warn("not_positive", message);
    }
    let (Some(min), Some(max)) = (feature.min, feature.max) else { return };
    if min == max && workloads > 1 {
        warn(
            "constant_feature",
            format!("feature {name} is {min} for every workload: it can explain nothing"),
        );
    } else if min > 0.0 && max / min < NARROW_RANGE && workloads > 1 && !explodes {
        let message = format!(
            "feature {name} spans a factor of {:.1} only; growth shows over at least a factor of {NARROW_RANGE}, \
             better a thousand",
            max / min
        );
        warn("narrow_range", message);
    }
}

/// Total count and processor seconds of the workloads that were timed.
fn timed(study: &Study, totals: &[u64]) -> Vec<(f64, f64)> {
    let timed = study.workloads().iter().zip(totals);
    timed.filter_map(|(w, &total)| Some((total as f64, w.usage?.cpu().as_secs_f64()))).collect()
}

/// What counts the rest, as commands that can be copied.
fn way_out(program: &str) -> String {
    let name = shell_path(Path::new(&format!("{program}-instructions.trend")));
    format!(
        "`trend-prof run --counts callgrind --study {name}`, with what else this study's `run` was given, counts it too, in \
         15 to 30 times the time"
    )
}

/// Whether some of what was counted is Rust.
fn is_rust(study: &Study) -> bool {
    study.functions().iter().any(|function| Path::new(&function.file).extension().is_some_and(|e| e == "rs"))
}

/// Whether even the longest run was busy with something else than what was counted.
fn mostly_uncounted(timed: &[(f64, f64)], is_rust: bool) -> Option<String> {
    let &(count, seconds) = timed.iter().max_by(|a, b| a.1.total_cmp(&b.1))?;
    let elsewhere = seconds >= LONG_RUN_SECONDS && seconds > count * MOST_SECONDS_PER_EXECUTION;
    elsewhere.then(|| {
        format!(
            "the longest run took {seconds:.2} s of processor time for {count:.0} counted executions: nearly all of its \
             work is in code without counters, such as libc, {}a library that is not instrumented (see `ldd`) or a part that \
             was not built under `trend-prof build`",
            if is_rust { "Rust's standard library (`Vec::remove`, `sort`, hashing), " } else { "" }
        )
    })
}

/// Whether processor time grows faster than all that was counted.
fn uncounted_growth_in_words(timed: &[(f64, f64)], seed: u64) -> Option<String> {
    let (counts, seconds): (Vec<f64>, Vec<f64>) = timed.iter().copied().unzip();
    let growth = uncounted_growth(&counts, &seconds, TIMER_FLOOR_SECONDS, seed)?;
    Some(format!(
        "processor time grows as counts^{:.2} ({:.0} % interval {:.2} to {:.2}, {} runs): work grows where nothing is \
         counted, in the kernel, in libc (strlen, strcat, memmove, realloc), in Rust's standard library (`remove`, `insert`, \
         `contains`) or in a library that is not instrumented",
        growth.power_law.b,
        growth.exponent.level * 100.0,
        growth.exponent.lo,
        growth.exponent.hi,
        growth.runs
    ))
}

/// How a run ended, in words.
pub fn outcome_in_words(outcome: &Outcome) -> String {
    match outcome {
        Outcome::Finished => "finished".to_owned(),
        Outcome::Failed { code } => format!("exited with {code}"),
        Outcome::Crashed { signal } => format!("ended by signal {signal}"),
        Outcome::TimedOut => "reached its time limit".to_owned(),
        Outcome::NoCounts { reason } | Outcome::NotStarted { reason } => reason.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_library_without_counters_is_noticed_by_the_time_that_it_takes() {
        let bzip2_with_the_systems_library = [(1_000.0, 0.002), (48_000.0, 1.0)];
        assert!(
            mostly_uncounted(&bzip2_with_the_systems_library, false).unwrap().contains("libc, a library")
        );
        let of_rust = mostly_uncounted(&bzip2_with_the_systems_library, true).unwrap();
        assert!(of_rust.contains("libc, Rust's standard library") && of_rust.contains("(see `ldd`)"));
        let is_rust = |text: &str| is_rust(&Study::from_text(text).unwrap());
        assert!(is_rust("src/main.rs:3:f: 1 2\na.c:3:f: 1 2") && !is_rust("a.c:3:f: 1 2"));
        let all_counted = [(1_000.0, 0.002), (5e8, 1.0)];
        assert_eq!(mostly_uncounted(&all_counted, true), None);
        let too_short_to_say = [(10.0, 0.09)];
        assert_eq!(mostly_uncounted(&too_short_to_say, true), None);
    }

    #[test]
    fn the_way_out_can_be_copied_into_a_shell() {
        assert!(
            way_out("events")
                .contains("`trend-prof run --counts callgrind --study events-instructions.trend`")
        );
        assert!(way_out("it's").contains(r"--study 'it'\''s-instructions.trend'`"));
    }

    #[test]
    fn a_strcat_in_a_loop_counts_n_and_takes_its_square() {
        let loop_of_strcats: Vec<(f64, f64)> =
            (1..=20).map(|i| f64::from(i * 10_000)).map(|n| (n, n * n * 1e-10)).collect();
        assert!(uncounted_growth_in_words(&loop_of_strcats, 1).unwrap().contains("counts^2.00"));
        let all_counted: Vec<(f64, f64)> =
            (1..=20).map(|i| f64::from(i * 10_000_000)).map(|n| (n, n * 3e-9)).collect();
        assert_eq!(uncounted_growth_in_words(&all_counted, 1), None);
    }
}
