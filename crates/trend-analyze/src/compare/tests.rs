use std::fmt::Write as _;

use trend_profile::{SourceText, Study, StudyParts, Symbol};

use super::*;
use crate::analyze::analyze;
use crate::options::Options;

/// Returns a study with the costs of functions at ten sizes.
fn parts(functions: &[(&str, &dyn Fn(f64) -> f64)]) -> StudyParts {
    let sizes: Vec<f64> = (0..10).map(|i| f64::from(100 << i)).collect();
    let row = |f: &dyn Fn(f64) -> f64| {
        let costs: Vec<String> = sizes.iter().map(|n| f(*n).round().to_string()).collect();
        costs.join(" ")
    };
    let mut text = format!("n: {}", row(&|n| n));
    for (i, (name, cost)) in functions.iter().enumerate() {
        write!(text, "\na.c:{}:{name}: {}", 10 * i + 1, row(cost)).unwrap();
    }
    StudyParts::from_text(&text).unwrap()
}

fn compared(before: StudyParts, after: StudyParts) -> Comparison {
    let (before, after) = (Study::new(before).unwrap(), Study::new(after).unwrap());
    let options = Options { at: vec![("n".to_owned(), 1e6)], ..Options::default() };
    let (old, new) = (analyze(&before, &options).unwrap(), analyze(&after, &options).unwrap());
    let version = |study, findings| Version { study, findings };
    compare(version(&before, &old), version(&after, &new), "n", &options).unwrap()
}

const STEADY: (&str, &dyn Fn(f64) -> f64) = ("steady", &|n| 40.0 * n);

fn kinds(comparison: &Comparison) -> Vec<(&str, ChangeKind, Direction)> {
    comparison.changes.iter().map(|c| (c.name(), c.change.kind, c.change.direction)).collect()
}

#[test]
fn the_same_counts_are_identical() {
    let comparison = compared(parts(&[STEADY]), parts(&[STEADY]));
    assert_eq!((comparison.outcome, comparison.unchanged, comparison.identical), (Outcome::Holds, 1, true));
    assert_eq!(kinds(&comparison), []);
    // Imported counts without lines or functions are identical as well.
    let text = "n: 100 200 400 800\nfirst: 100 200 400 800\nsecond: 500 900 1700 3300";
    let study = || StudyParts::from_text(text).unwrap();
    let comparison = compared(study(), study());
    assert!(comparison.identical && comparison.clusters.is_empty(), "{:?}", comparison.clusters);
}

/// Returns a study of one function at these sizes. Each workload is named by its size.
fn at_sizes(sizes: &[u64], cost: impl Fn(u64) -> u64) -> StudyParts {
    let row = |f: &dyn Fn(u64) -> u64| sizes.iter().map(|n| f(*n).to_string()).collect::<Vec<_>>().join(" ");
    let mut parts = StudyParts::from_text(&format!("n: {}\na.c:1:f: {}", row(&|n| n), row(&cost))).unwrap();
    for (workload, n) in parts.workloads.iter_mut().zip(sizes) {
        workload.name = format!("n={n}");
    }
    parts
}

#[test]
fn further_runs_of_an_unchanged_program_are_no_change() {
    let scattered = |sizes: &[u64]| at_sizes(sizes, |n| n * n / 3 * (7 + n / 100 % 5));
    let few: Vec<u64> = (0..10).map(|i| 100 << i).collect();
    let more: Vec<u64> = (0..10).flat_map(|i| [100 << i, 150 << i]).collect();
    let further: Vec<u64> = (0..13).map(|i| 100 << i).collect();
    for sizes in [&more, &further] {
        for (before, after) in [(&few, sizes), (sizes, &few)] {
            let same = compared(scattered(before), scattered(after));
            assert_eq!((same.outcome, same.identical), (Outcome::Holds, true), "{before:?} {after:?}");
            assert_eq!(same.total.change.ratio, Some(1.0));
        }
    }
}

#[test]
fn a_change_that_only_larger_runs_of_one_version_show_is_seen() {
    let few: Vec<u64> = (0..9).map(|i| 100 << i).collect();
    let further: Vec<u64> = (0..15).map(|i| 100 << i).collect();
    let before = at_sizes(&few, |n| 100 * n);
    let after = at_sizes(&further, |n| if n > 25_600 { n * n } else { 100 * n });
    let seen = compared(before, after);
    assert!(seen.outcome != Outcome::Holds && !seen.identical, "{seen:?}");
    assert!(seen.total.change.ratio.unwrap() > 1000.0, "{:?}", seen.total);
    let whole = change_statements(&seen).into_iter().next();
    assert!(matches!(whole, Some(ChangeStatement::Whole { is_as_before: false })), "{whole:?}");
}

#[test]
fn another_class_is_found_at_its_function_and_its_repair_as_well() {
    let before = || parts(&[STEADY, ("list", &|n| 6.0 * n)]);
    let after = || parts(&[STEADY, ("list", &|n| n * n / 40.0 + 6.0 * n)]);
    let worse = compared(before(), after());
    assert_eq!(kinds(&worse), [("list", ChangeKind::Class, Direction::Worse)]);
    assert_eq!((worse.outcome, worse.unchanged), (Outcome::Regressed, 1));
    assert_eq!((&*worse.changes[0].before.growth, &*worse.changes[0].after.growth), ("n", "n^2"));
    // The total is 46·n before, and n²/40 more after.
    let ratio = worse.total.change.ratio.unwrap();
    assert!((ratio / ((46e6 + 1e12 / 40.0) / 46e6) - 1.0).abs() < 0.05, "{ratio}");
    let better = compared(after(), before());
    assert_eq!(kinds(&better), [("list", ChangeKind::Class, Direction::Better)]);
    assert_eq!(better.outcome, Outcome::Improved);
}

#[test]
fn unchanged_code_of_unclear_growth_does_not_blur_the_change() {
    let noise = [1.0, 1.1, 0.92, 1.07, 0.93, 1.1, 0.9, 1.09, 0.93, 1.0];
    let unclear = |n: f64| 30.0 * n.powf(1.1) * noise[(n / 100.0).log2() as usize];
    let study = |changed: f64| parts(&[("unclear", &unclear), ("changed", &|n| changed * n)]);
    let better = compared(study(200.0), study(140.0));
    assert_eq!(better.outcome, Outcome::Improved, "{:?}", better.total);
    // The change removes 60 of about 30·n^0.1 + 200 executions per unit of n.
    let [low, high] = better.total.change.ratio_ci.unwrap();
    let truth = 1.0 - 60.0 / (30.0 * 1e6_f64.powf(0.1) + 200.0);
    assert!(low <= truth && truth <= high && high - low < 0.15, "{truth} {low} {high}");
    assert_eq!(compared(study(140.0), study(200.0)).outcome, Outcome::Regressed);
}

#[test]
fn differences_of_one_feature_say_nothing_about_costs_in_two() {
    // One function costs 20·n·m with much scatter in both versions. The other costs 10·n·m before and 13·n·m after, so
    // the whole costs 10 % more.
    let mut text = [String::from("n:"), String::from("m:")];
    let mut state = 124_u64;
    let mut costs: [Vec<String>; 3] = Default::default();
    for i in 0..24 {
        state = state * 48_271 % 2_147_483_647;
        let (n, m) = (f64::from(100 << (i % 8)), [2.0, 10.0, 55.0][i / 8]);
        let scatter = 0.6 * (state as f64 / 2_147_483_647.0) + 0.7;
        write!(text[0], " {n}").unwrap();
        write!(text[1], " {m}").unwrap();
        for (costs, cost) in costs.iter_mut().zip([20.0 * scatter, 10.0, 13.0]) {
            costs.push((cost * n * m).round().to_string());
        }
    }
    let study = |changed: usize| {
        let [unclear, changed] = [0, changed].map(|i| costs[i].join(" "));
        let text = format!("{}\n{}\na.c:1:unclear: {unclear}\na.c:9:f: {changed}", text[0], text[1]);
        Study::new(StudyParts::from_text(&text).unwrap()).unwrap()
    };
    let at = vec![("n".to_owned(), 1e5), ("m".to_owned(), 5e3)];
    let options = Options { at, ..Options::default() };
    let [before, after] = [1, 2].map(study);
    let [old, new] = [&before, &after].map(|study| analyze(study, &options).unwrap());
    let version = |study, findings| Version { study, findings };
    let total = compare(version(&before, &old), version(&after, &new), "n", &options).unwrap().total;
    let [low, high] = total.change.ratio_ci.unwrap();
    assert!((low..=high).contains(&1.1), "{low} {high} {total:?}");
}

#[test]
fn a_factor_and_a_floor_are_told_apart() {
    let comparison = compared(
        parts(&[STEADY, ("twice", &|n| 10.0 * n), ("start", &|n| 30.0 * n)]),
        parts(&[STEADY, ("twice", &|n| 20.0 * n), ("start", &|n| 30.0 * n + 5000.0)]),
    );
    let [(first, ChangeKind::Factor { by, .. }, _), (second, ChangeKind::Floor { by: floor, factor, .. }, _)] =
        kinds(&comparison)[..]
    else {
        panic!("{:?}", kinds(&comparison))
    };
    assert_eq!((first, second), ("twice", "start"));
    assert!((by - 2.0).abs() < 1e-9 && (floor - 5000.0).abs() < 1e-3 && (factor - 1.0).abs() < 1e-9);
    assert!(comparison.changes.iter().all(|c| c.change.exact));
    assert_eq!(comparison.outcome, Outcome::Regressed);
}

#[test]
fn a_cost_that_becomes_exponential_has_another_class_and_no_floor() {
    let study = |cost: &dyn Fn(u64) -> u64| {
        let sizes = [4, 5, 6, 7, 9, 11, 13, 16, 20];
        let row = |f: &dyn Fn(u64) -> u64| sizes.map(|n| f(n).to_string()).join(" ");
        let text =
            format!("n: {}\na.c:1:main: {}\na.c:9:parse: {}", row(&|n| n), row(&|n| 20 * n), row(cost));
        StudyParts::from_text(&text).unwrap()
    };
    for (before, after) in [(0, 1), (1, 0)] {
        let costs: [&dyn Fn(u64) -> u64; 2] = [&|n| n + 1, &|n| (2 << n) - 1];
        let comparison = compared(study(costs[before]), study(costs[after]));
        let [(name, kind, _)] = kinds(&comparison)[..] else { panic!("{:?}", kinds(&comparison)) };
        assert_eq!((name, kind), ("parse", ChangeKind::Class));
    }
}

#[test]
fn new_vanished_moved_and_renamed_functions_are_known() {
    let text = "int f(int n)\n{\n    int sum = 0;\n    while (n)\n        sum += n--;\n    log(sum);\n    check(sum);\n    return sum;\n}\n";
    let with = |name: &str, file: &str| {
        let mut parts = parts(&[STEADY, ("f", &|n| 9.0 * n), ("gone", &|n| 3.0 * n)]);
        parts.functions[1].symbol = Symbol::plain(name);
        parts.functions[1].line = 1;
        parts.functions[1].file = file.to_owned();
        let locations = parts.locations.iter_mut().filter(|l| l.function.0 == 1);
        locations.for_each(|l| (l.file, l.line, l.lines) = (file.into(), 8, [8].into()));
        StudyParts { sources: vec![SourceText { file: file.to_owned(), text: text.to_owned() }], ..parts }
    };
    let moved = compared(with("f", "x.c"), with("f", "y.c"));
    assert_eq!((moved.unchanged, moved.changes.len()), (3, 0));
    let mut renamed = with("total", "x.c");
    renamed.functions[2].symbol = Symbol::plain("fresh");
    let comparison = compared(with("sum", "x.c"), renamed);
    let kinds = kinds(&comparison);
    assert_eq!(
        kinds,
        [("fresh", ChangeKind::New, Direction::Worse), ("gone", ChangeKind::Vanished, Direction::Better)]
    );
    assert_eq!(comparison.unchanged, 2);
}

/// Returns a study with a function that begins on line 1 of this text, the counts of its lines, and a function that
/// never changes.
fn source(text: &str, lines: &[(u32, &dyn Fn(f64) -> f64)]) -> StudyParts {
    let functions: Vec<(&str, &dyn Fn(f64) -> f64)> = lines.iter().map(|(_, cost)| ("f", *cost)).collect();
    let mut parts = parts(&functions);
    parts.functions.truncate(1);
    parts.functions[0].line = 1;
    for (location, (line, _)) in parts.locations.iter_mut().zip(lines) {
        location.function.0 = 0;
        location.line = *line;
        location.lines = [*line].into();
    }
    StudyParts { sources: vec![SourceText { file: "a.c".to_owned(), text: text.to_owned() }], ..parts }
}

const BEFORE: &str = "f(n)\n{\n    start();\n    while (n--)\n        work();\n    end();\n}\n";
/// One line before the loop and two lines in it are new, and one line has a different text.
const AFTER: &str = "f(n)\n{\n    start();\n    log();\n    while (n-- > 0)\n        work();\n    end();\n    for (;;)\n        more();\n}\n";

#[test]
fn lines_are_those_of_the_same_text_or_order_and_the_one_that_changed_is_named() {
    let once = |_| 60.0;
    let (line, square) = (|n| 5.0 * n, |n| n * n / 9.0);
    let before = source(BEFORE, &[(3, &once), (4, &line), (5, &line), (6, &once)]);
    let after = source(
        AFTER,
        &[(3, &once), (4, &once), (5, &line), (6, &square), (7, &once), (8, &line), (9, &square)],
    );
    let comparison = compared(before, after);
    let kinds: Vec<_> = comparison
        .lines
        .iter()
        .map(|c| (c.name(), c.was.as_ref().map(|was| was.line), c.change.kind))
        .collect();
    let expected = [
        ("a.c:9", None, ChangeKind::New),
        ("a.c:6", Some(5), ChangeKind::Class),
        ("a.c:8", None, ChangeKind::New),
        ("a.c:4", None, ChangeKind::New),
    ];
    assert_eq!(kinds, expected);
}

#[test]
fn functions_without_a_first_line_begin_where_they_are_counted() {
    let (once, line, square) = (|_| 60.0, |n| 5.0 * n, |n| n * n / 9.0);
    let without = |parts: StudyParts| {
        let mut parts = parts;
        parts.functions[0].line = 0;
        parts
    };
    let before = without(source(BEFORE, &[(3, &once), (4, &line), (5, &line), (6, &once)]));
    let after = without(source(AFTER, &[(3, &once), (5, &line), (6, &square), (7, &once)]));
    let comparison = compared(before, after);
    let [change] = comparison.lines.as_slice() else { panic!("{:?}", comparison.lines) };
    assert_eq!((change.name(), change.was.as_ref().map(|was| was.line)), ("a.c:6", Some(5)));
}

#[test]
fn clusters_are_those_of_the_same_lines() {
    let once = |_| 60.0;
    let (line, twice, square, cube) =
        (|n| 5.0 * n, |n| 10.0 * n, |n| n * n / 9.0, |n: f64| n.powi(3) / 900.0);
    let before = || source(BEFORE, &[(3, &once), (4, &square), (5, &line), (6, &line)]);
    let moved = format!("f(n)\n\n\n{}", &BEFORE[5..]);
    // The function moved down by two lines. A cluster that costs twice as much stays the same cluster; one that grows
    // faster has changed.
    let after =
        |loops: &dyn Fn(f64) -> f64| source(&moved, &[(5, &once), (6, loops), (7, &twice), (8, &twice)]);
    let factor = compared(before(), after(&square));
    assert_eq!((factor.clusters.len(), factor.lines.len()), (0, 2), "{:?}", factor.clusters);
    let law = compared(before(), after(&cube));
    let [change] = law.clusters.as_slice() else { panic!("{:?}", law.clusters) };
    assert_eq!((change.name(), change.change.kind), ("a.c:6 in f", ChangeKind::Class));
}

#[test]
fn noise_changes_nothing_and_few_shared_workloads_tell_nothing() {
    let noisy = |seed: u64| {
        let noise = |i: u64| 1.0 + ((i * 7919 + seed * 104_729) % 23) as f64 / 200.0;
        let cost = move |n: f64| 80.0 * n * noise(n as u64);
        parts(&[STEADY, ("noisy", &cost)])
    };
    let comparison = compared(noisy(1), noisy(2));
    assert_eq!(kinds(&comparison), vec![]);
    assert_eq!((comparison.unchanged, comparison.undecided), (1, 1));
    // At 20 times the largest size, 5 % of noise may leave the outcome open.
    assert!(matches!(comparison.outcome, Outcome::Holds | Outcome::CannotTell), "{:?}", comparison.outcome);
    assert_eq!((comparison.lines.len(), comparison.clusters.len()), (0, 0));
    let mut other = noisy(2);
    other.features[0].values.iter_mut().flatten().for_each(|n| *n += 1.0);
    assert_eq!(compared(noisy(1), other).outcome, Outcome::CannotTell);
}

#[test]
fn what_cannot_be_compared_is_refused() {
    let text = |feature: &str| Study::from_text(&format!("{feature}: 1 2 3 4\na.c:1:f: 1 2 3 4")).unwrap();
    let common = |before, after, requested| common_feature(&text(before), &text(after), requested);
    let (n, bytes) = (vec!["n".to_owned()], vec!["bytes".to_owned()]);
    assert_eq!(common("n", "bytes", None), Err(CompareError::NoFeature { before: n.clone(), after: bytes }));
    let unknown = CompareError::UnknownFeature { name: "m".to_owned(), common: n };
    assert_eq!(common("n", "n", Some("m")), Err(unknown));
}

#[test]
fn memory_of_runs_with_counters_is_compared_where_none_without_is_in_both() {
    let with_peaks = |bytes: fn(f64) -> f64| {
        let mut parts = parts(&[STEADY]);
        for (i, workload) in parts.workloads.iter_mut().enumerate() {
            let peak_rss_bytes = bytes(f64::from(100 << i)) as u64;
            workload.usage = Some(trend_profile::Usage { peak_rss_bytes, ..Default::default() });
        }
        parts
    };
    let linear = || with_peaks(|n| 4e6 + 8.0 * n);
    let quadratic = || with_peaks(|n| 4e6 + n * n / 100.0);
    let worse = compared(linear(), quadratic());
    assert_eq!((worse.outcome, worse.reason), (Outcome::Regressed, OutcomeReason::Memory));
    let memory = worse.resources.memory.unwrap();
    assert_eq!((memory.before, memory.after), (4e6 + 8.0 * 51_200.0, 4e6 + 51_200.0 * 512.0));
    let better = compared(quadratic(), linear());
    assert_eq!((better.outcome, better.reason), (Outcome::Improved, OutcomeReason::Memory));
    assert_eq!(compared(linear(), linear()).outcome, Outcome::Holds);
}

#[test]
fn a_few_constant_executions_that_become_a_square_are_told_as_growth() {
    let before = || parts(&[STEADY, ("search", &|_| 5.0)]);
    let after = || parts(&[STEADY, ("search", &|n| 5.0 + n * n)]);
    let worse = compared(before(), after());
    let [search] = &*worse.changes else { panic!("{:?}", worse.changes) };
    assert_eq!(
        (search.grows, &*search.before.growth, &*search.after.growth),
        (GrowthChange::Faster, "1", "n^2")
    );
    let better = compared(after(), before());
    assert_eq!((better.changes[0].grows, better.nothing_faster), (GrowthChange::Slower, true));
}
