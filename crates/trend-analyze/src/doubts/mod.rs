//! Finds doubts about a whole study.

pub(crate) mod words;

use std::path::Path;

use trend_model::uncounted_growth;
use trend_profile::{FailedWorkload, Outcome, SeriesKind, Study, Workload};

use crate::findings::doubt::{CodeKind, Doubt, FeatureName};
use crate::findings::growth::GrowthModel;
use crate::findings::row::Total;
use crate::findings::{FeatureSummary, Intervals, Locations};
use crate::fit::model_doubts::{FEW_POINTS, NARROW_RANGE};
use crate::options::Options;

/// CPU time below which a run is only startup and the scheduler's granularity, in seconds.
pub(crate) const TIMER_FLOOR_SECONDS: f64 = 0.010;

/// CPU time per counted execution above which most of the time is spent elsewhere. A basic block takes some 1 to
/// 10 ns, including its counter, on any machine that this runs on.
const MOST_SECONDS_PER_EXECUTION: f64 = 100e-9;

/// CPU time per counted block of a Python program above which most of the time is spent elsewhere. A block takes
/// some 0.05 to 1 µs, unless it calls code in C that works for longer.
const MOST_SECONDS_PER_PYTHON_BLOCK: f64 = 10e-6;

/// Maximum length of a failed run's last line on stderr, in characters.
const LONGEST_LAST_WORDS: usize = 200;

/// CPU time below which a run spends much of it on startup, in seconds.
const LONG_RUN_SECONDS: f64 = 0.1;

/// Returns the doubts about a study as a whole. The ones that [matter](Doubt::matters) come first.
pub(crate) fn find(
    study: &Study,
    features: &[FeatureSummary],
    locations: &Locations,
    total: &Total,
    options: &Options,
    left_out: Vec<Doubt>,
) -> Vec<Doubt> {
    let mut doubts = left_out;
    let workloads = study.workloads().len();
    // In a study of series, each size is a point.
    let is_of_series =
        locations.varying == 0 && study.series().iter().any(|series| !series.variables.is_empty());
    if workloads == 1 && !is_of_series {
        doubts.push(Doubt::OneWorkload);
    } else if workloads < FEW_POINTS && !is_of_series {
        doubts.push(Doubt::FewWorkloads { workloads, narrow: options.intervals == Intervals::Percentile });
    }
    let (failed, largest) = (study.failed().len(), largest_failed(study, features));
    let failed_larger = match largest {
        Some(Doubt::LargestFailed { failed, .. }) => failed,
        _ => 0,
    };
    doubts.extend(largest);
    if failed > failed_larger {
        doubts.push(Doubt::FailedWorkloads { failed, all: failed + workloads });
    }
    if features.is_empty() && !is_of_series {
        doubts.push(Doubt::NoFeatures);
    }
    for (feature, model) in features.iter().zip(&total.fits.models) {
        let explodes = model.growth.as_ref().is_some_and(GrowthModel::explodes);
        doubts.extend(of_feature(feature, workloads, explodes));
    }
    if locations.total > 0 && locations.varying == 0 && workloads > 1 && !is_of_series {
        doubts.push(Doubt::NothingVaries);
    }
    if locations.unstable > 0 {
        doubts.push(Doubt::NotDeterministic { locations: locations.unstable });
    }
    // Runs under valgrind take valgrind's time, and callgrind counts everything outside the kernel.
    if study.unit().is_executions() {
        let timed = timed(study, &total.costs);
        let growth = uncounted(&timed, study);
        doubts.extend(growth.or_else(|| mostly_uncounted(&timed, study)));
    }
    doubts.extend(study.warnings().iter().cloned().map(Doubt::Recorded));
    doubts.sort_by_key(|doubt| !doubt.matters());
    doubts
}

/// Returns a doubt if runs larger than the largest counted one failed, for the first feature in which some did.
fn largest_failed(study: &Study, features: &[FeatureSummary]) -> Option<Doubt> {
    let of_feature = |(index, summary): (usize, &FeatureSummary)| {
        let largest = summary.max?;
        let size = |failed: &'_ FailedWorkload| failed.values.get(index).copied().flatten();
        let larger = study.failed().iter().filter_map(|failed| Some((size(failed)?, failed)));
        let larger: Vec<(f64, &FailedWorkload)> = larger.filter(|(size, _)| *size > largest).collect();
        let &(from, least) = larger.iter().min_by(|a, b| a.0.total_cmp(&b.0))?;
        Some(Doubt::LargestFailed {
            feature: summary.name.as_str().into(),
            largest,
            failed: larger.len(),
            from,
            reason: outcome_in_words(&least.outcome),
            timed_out: larger.iter().all(|(_, failed)| failed.outcome == Outcome::TimedOut),
            last_words: last_words(&least.stderr_tail).chars().take(LONGEST_LAST_WORDS).collect(),
        })
    };
    features.iter().enumerate().find_map(of_feature)
}

/// Returns the last line of stderr that may explain a failure, or an empty string. Skips the stack and the version that
/// Node prints after the error.
pub fn last_words(stderr_tail: &str) -> &str {
    let is_place = |line: &str| line.ends_with(')') || line.ends_with(|c: char| c.is_ascii_digit());
    let is_stack = |line: &str| line.starts_with("at ") && line.contains(':') && is_place(line);
    let says_why = |line: &&str| !line.is_empty() && !is_stack(line) && !line.starts_with("Node.js v");
    stderr_tail.lines().rev().map(str::trim).find(says_why).unwrap_or_default()
}

/// Returns the doubts about a feature. `explodes` is true if the whole grows exponentially with it, which shows over a
/// few units.
fn of_feature(summary: &FeatureSummary, workloads: usize, explodes: bool) -> Vec<Doubt> {
    let feature = || FeatureName::from(summary.name.as_str());
    let mut doubts = Vec::new();
    if summary.missing > 0 {
        doubts.push(Doubt::MissingValues { feature: feature(), missing: summary.missing, all: workloads });
    }
    if summary.not_positive > 0 {
        doubts.push(Doubt::NotPositive { feature: feature(), workloads: summary.not_positive });
    }
    let (Some(min), Some(max)) = (summary.min, summary.max) else { return doubts };
    if min == max && workloads > 1 {
        doubts.push(Doubt::ConstantFeature { feature: feature(), value: min });
    } else if min > 0.0 && max / min < NARROW_RANGE && workloads > 1 && !explodes {
        doubts.push(Doubt::NarrowRange { feature: feature(), span: max / min, of_study: true });
    }
    doubts
}

/// Returns the total count and the processor seconds of each timed workload. The probe of routines takes most of the
/// CPU time, so only the times of runs without it are used.
fn timed(study: &Study, totals: &[u64]) -> Vec<(f64, f64)> {
    let observes_routines = study.series().iter().any(|series| series.place.kind == SeriesKind::Routine);
    let usage = |w: &Workload| if observes_routines { w.timing.as_ref()?.median() } else { w.usage };
    let timed = study.workloads().iter().zip(totals);
    timed.filter_map(|(w, &total)| Some((total as f64, usage(w)?.cpu().as_secs_f64()))).collect()
}

/// Returns the kind of the counted code, by the suffixes of its files.
fn code_kind(study: &Study) -> CodeKind {
    let has = |suffix: &str| {
        let is_suffix = |file: &str| Path::new(file).extension().is_some_and(|e| e == suffix);
        study.functions().iter().any(|function| is_suffix(&function.file))
    };
    match (has("rs"), has("py")) {
        (true, _) => CodeKind::Rust,
        (false, true) => CodeKind::Python,
        (false, false) => CodeKind::Native,
    }
}

/// Returns a doubt if even the longest run spent most of its time in code that was not counted. For Python, the time
/// of the shortest run counts as the start of the interpreter. Only the time beyond it matters, and only if it is at
/// least as long as the start.
fn mostly_uncounted(timed: &[(f64, f64)], study: &Study) -> Option<Doubt> {
    let by_seconds = |a: &&(f64, f64), b: &&(f64, f64)| a.1.total_cmp(&b.1);
    let &(count, seconds) = timed.iter().max_by(by_seconds)?;
    let code = code_kind(study);
    let (start, most) = match code {
        CodeKind::Python => (timed.iter().min_by(by_seconds)?.1, MOST_SECONDS_PER_PYTHON_BLOCK),
        CodeKind::Native | CodeKind::Rust => (0.0, MOST_SECONDS_PER_EXECUTION),
    };
    let work = seconds - start;
    let elsewhere = work >= LONG_RUN_SECONDS.max(start) && work > count * most;
    let program = || study.program().to_owned();
    elsewhere.then(|| Doubt::MostlyUncounted { seconds, count, code, program: program() })
}

/// Returns a doubt if CPU time grows faster than the counts.
fn uncounted(timed: &[(f64, f64)], study: &Study) -> Option<Doubt> {
    let (counts, seconds): (Vec<f64>, Vec<f64>) = timed.iter().copied().unzip();
    let growth = uncounted_growth(&counts, &seconds, TIMER_FLOOR_SECONDS)?;
    Some(Doubt::UncountedGrowth {
        exponent: growth.power_law.b,
        ci: [growth.exponent.lo, growth.exponent.hi],
        level: growth.exponent.level,
        runs: growth.runs,
        code: code_kind(study),
        program: study.program().to_owned(),
    })
}

/// Describes the outcome of a run in words.
pub fn outcome_in_words(outcome: &Outcome) -> String {
    match outcome {
        Outcome::Finished => "finished".to_owned(),
        Outcome::Failed { code } => format!("exited with code {code}"),
        Outcome::Crashed { signal } => format!("was killed by signal {signal}"),
        Outcome::TimedOut => "reached its time limit".to_owned(),
        Outcome::NoCounts { reason } | Outcome::NotStarted { reason } => reason.clone(),
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use trend_profile::{Series, StudyParts, Symbol, Timing, Usage, Variable};

    use super::*;

    /// A study of this program with one line of code in this file.
    fn program_study(program: &str, file: &str) -> Study {
        let functions = StudyParts::from_text(&format!("{file}:3:f: 1 2")).unwrap().functions;
        let program = program.to_owned();
        Study::new(StudyParts { program, functions, ..StudyParts::default() }).unwrap()
    }

    #[test]
    fn the_start_of_an_interpreter_is_no_work_elsewhere() {
        let python = program_study("sort", "sort.py");
        assert_eq!(mostly_uncounted(&[(60.0, 0.5), (800.0, 0.7)], &python), None);
        assert_eq!(mostly_uncounted(&[(60.0, 0.03), (800_000.0, 0.4)], &python), None);
        let sorted_in_c = mostly_uncounted(&[(60.0, 0.03), (800.0, 2.0)], &python);
        assert!(matches!(sorted_in_c, Some(Doubt::MostlyUncounted { code: CodeKind::Python, .. })));
    }

    #[test]
    fn the_time_of_the_probe_is_not_taken_for_uncounted_work() {
        let second = Usage { user: Duration::from_secs(1), ..Usage::default() };
        let study = |series: Vec<Series>, timing: Option<Timing>| {
            let drawn = StudyParts::from_text("n: 10\na.c:3:f: 5").unwrap();
            let workload = Workload { usage: Some(second), timing, ..drawn.workloads[0].clone() };
            Study::new(StudyParts { workloads: vec![workload], series, ..drawn }).unwrap()
        };
        let series = || vec![Series::of_routine(Symbol::plain("f"), "prog", Variable::Rms, Vec::new())];
        let plain = || Some(Timing { machine_memory_bytes: 0, runs: vec![second] });
        assert_eq!(timed(&study(Vec::new(), None), &[5]), [(5.0, 1.0)]);
        assert_eq!(timed(&study(series(), None), &[5]), []);
        assert_eq!(timed(&study(series(), plain()), &[5]), [(5.0, 1.0)]);
    }

    #[test]
    fn a_library_without_counters_is_noticed_by_the_time_that_it_takes() {
        let bzip2_with_the_systems_library = [(1_000.0, 0.002), (48_000.0, 1.0)];
        let doubt =
            mostly_uncounted(&bzip2_with_the_systems_library, &program_study("bzip2", "a.c")).unwrap();
        let program = "bzip2".to_owned();
        let expected =
            Doubt::MostlyUncounted { seconds: 1.0, count: 48_000.0, code: CodeKind::Native, program };
        assert_eq!(doubt, expected);
        let of_rust =
            mostly_uncounted(&bzip2_with_the_systems_library, &program_study("bzip2", "src/main.rs"))
                .unwrap();
        assert!(matches!(of_rust, Doubt::MostlyUncounted { code: CodeKind::Rust, .. }));
        let all_counted = [(1_000.0, 0.002), (5e8, 1.0)];
        assert_eq!(mostly_uncounted(&all_counted, &program_study("bzip2", "a.c")), None);
        let too_short_to_say = [(10.0, 0.09)];
        assert_eq!(mostly_uncounted(&too_short_to_say, &program_study("bzip2", "a.c")), None);
    }

    #[test]
    fn the_way_out_can_be_copied_into_a_shell() {
        let words = |program: &str| {
            mostly_uncounted(&[(1.0, 1.0)], &program_study(program, "a.c")).unwrap().to_string()
        };
        assert!(words("events").contains("`trend-prof run --counts callgrind --study events-"));
        assert!(words("it's").contains(r"--study 'it'\''s-instructions.trend'`"));
    }

    #[test]
    fn the_last_words_are_the_error_and_not_what_follows_it() {
        let node = "/x.js:1\nthrow new Error('boom')\n^\n\nError: boom\n    at Object.<anonymous> (/x.js:1:7)\n\nNode.js v20.20.2\n";
        assert_eq!(last_words(node), "Error: boom");
        assert_eq!(last_words("reading\nno such file\n\n"), "no such file");
        assert_eq!(last_words("at line 5: syntax error\n"), "at line 5: syntax error");
        assert_eq!(last_words(""), "");
    }

    #[test]
    fn that_every_larger_run_failed_is_told_with_its_last_words() {
        let failed = |name: &str, size: f64, last_words: &str| FailedWorkload {
            name: name.to_owned(),
            outcome: Outcome::Failed { code: 1 },
            stderr_tail: last_words.to_owned(),
            values: vec![Some(size)],
        };
        let study = |failed| {
            let drawn = StudyParts::from_text("n: 10 20 30\na.c:3:f: 1 2 3").unwrap();
            let parts = StudyParts { failed, ..drawn };
            let findings = crate::analyze::analyze(&Study::new(parts).unwrap(), &Options::default()).unwrap();
            let kinds: Vec<String> = findings.doubts.iter().map(|doubt| doubt.kind().to_owned()).collect();
            (kinds, findings.doubts)
        };
        let larger = || vec![failed("b", 50.0, "no room"), failed("a", 40.0, "reading\nout of memory\n\n")];
        let (kinds, doubts) = study(larger());
        assert!(!kinds.contains(&"failed_workloads".to_owned()), "{kinds:?}");
        let doubt = doubts.iter().find(|doubt| doubt.kind() == "largest_failed").unwrap();
        assert_eq!(doubt.numbers(), [("largest", 30.0), ("failed", 2.0), ("from", 40.0)]);
        assert!(doubt.to_string().ends_with("n = 40 exited with code 1: out of memory"), "{doubt}");
        let (kinds, _) = study(vec![failed("a", 15.0, "")]);
        assert!(
            kinds.contains(&"failed_workloads".to_owned()) && !kinds.contains(&"largest_failed".to_owned())
        );
        let (kinds, _) = study(larger().into_iter().chain([failed("c", 15.0, "")]).collect());
        assert!(
            kinds.contains(&"failed_workloads".to_owned()) && kinds.contains(&"largest_failed".to_owned())
        );
    }

    #[test]
    fn a_strcat_in_a_loop_counts_n_and_takes_its_square() {
        let loop_of_strcats: Vec<(f64, f64)> =
            (1..=20).map(|i| f64::from(i * 10_000)).map(|n| (n, n * n * 1e-10)).collect();
        let doubt = uncounted(&loop_of_strcats, &program_study("cat", "a.c"));
        assert!(
            matches!(doubt, Some(Doubt::UncountedGrowth { exponent, .. }) if (exponent - 2.0).abs() < 0.005),
            "{doubt:?}"
        );
        let all_counted: Vec<(f64, f64)> =
            (1..=20).map(|i| f64::from(i * 10_000_000)).map(|n| (n, n * 3e-9)).collect();
        assert_eq!(uncounted(&all_counted, &program_study("cat", "a.c")), None);
    }
}
