use std::fmt::Write as _;
use std::time::Duration;

use trend_answer::{Outlook, Pace, Spread, Unnamed};
use trend_profile::{Part, Sampled, SampledPlace, StudyParts, Timing, Usage};

use super::*;
use crate::analyze::analyze;
use crate::findings::law::RowLaw;
use crate::forecast::pace::shown_pace;
use crate::options::Options;

/// Returns the findings of ten runs. Functions are given by their place and law.
pub(crate) fn findings(functions: &[(&str, &dyn Fn(f64) -> f64)]) -> Findings {
    let sizes: Vec<f64> = (0..10).map(|i| f64::from(100 << i)).collect();
    let row = |f: &dyn Fn(f64) -> f64| {
        let costs: Vec<String> = sizes.iter().map(|n| f(*n).round().to_string()).collect();
        costs.join(" ")
    };
    let rows: Vec<String> = functions.iter().map(|(name, f)| format!("{name}: {}", row(f))).collect();
    let study = Study::from_text(&format!("n: {}\n{}", row(&|n| n), rows.join("\n"))).unwrap();
    let options = Options { keep_fits: true, ..Options::default() };
    let findings = analyze(&study, &options).unwrap();
    crate::properties::of_findings(&study, &findings, &options, &[("n".to_owned(), 1e6)]);
    findings
}

fn answer(functions: &[(&str, &dyn Fn(f64) -> f64)]) -> Option<Answer> {
    findings(functions).answer
}

#[test]
fn what_grows_too_fast_is_named_with_its_shares() {
    let answer = answer(&[("a.c:4:line", &|n| 100.0 * n), ("a.c:9:pairs", &|n| n * n / 1000.0)]).unwrap();
    let place = answer.place.unwrap();
    assert_eq!((answer.kind, &*place.function, place.line), (AnswerKind::Fix, "pairs", 9));
    // The largest size is 51,200 and the target 512,000; costs are 100·n and n²/1000.
    assert!(
        (place.share - 51.2 / 151.2).abs() < 1e-3 && (place.share_then - 512.0 / 612.0).abs() < 1e-2,
        "{place:?}"
    );
    assert!((answer.whole.cost / (51.2e6 + 512e3 * 512.0) - 1.0).abs() < 0.01, "{:?}", answer.whole);
}

#[test]
fn the_line_is_the_one_that_costs_most_then_and_not_today() {
    let answer = answer(&[("a.c:4:find", &|n| 100.0 * n), ("a.c:9:find", &|n| n * n / 2000.0)]).unwrap();
    let place = answer.place.unwrap();
    assert_eq!((answer.kind, &*place.function, place.line), (AnswerKind::Fix, "find", 9));
}

#[test]
fn the_costliest_is_that_of_time_where_samples_say_where_it_goes() {
    let sizes: Vec<f64> = (0..10).map(|i| f64::from(100 << i)).collect();
    let row = |f: &dyn Fn(f64) -> f64| {
        let costs: Vec<String> = sizes.iter().map(|n| f(*n).to_string()).collect();
        costs.join(" ")
    };
    let lines = format!("a.c:4:dispatch: {}\na.c:9:find: {}", row(&|n| 90.0 * n), row(&|n| 10.0 * n));
    let mut parts = StudyParts::from_text(&format!("n: {}\n{lines}", row(&|n| n))).unwrap();
    for (workload, n) in parts.workloads.iter_mut().zip(&sizes) {
        let user = Duration::from_secs_f64(n / 1e4);
        let usage = Usage { wall: user, user, peak_rss_bytes: 1 << 20, ..Usage::default() };
        workload.timing = Some(Timing { machine_memory_bytes: 0, runs: vec![usage] });
    }
    let place = |parts: &StudyParts| {
        let study = Study::new(parts.clone()).unwrap();
        analyze(&study, &Options::default()).unwrap().answer.unwrap().place.unwrap()
    };
    assert_eq!(place(&parts).function, "dispatch");
    let places = [("dispatch", 40), ("find", 60)].map(|(name, samples)| {
        let part = Part::Function { name: name.to_owned(), file: "a.c".to_owned() };
        SampledPlace { part, line: 7, samples }
    });
    let period = Duration::from_millis(1);
    let sampled = Sampled { usage: Usage::default(), period, lost: 0, places: places.into() };
    parts.workloads.last_mut().unwrap().sampled = Some(sampled);
    let of_time = place(&parts);
    assert_eq!((&*of_time.function, of_time.time_shares.map(|[now, _]| now)), ("find", Some(0.6)));
}

#[test]
fn sorting_is_no_fault_and_the_costliest_is_named() {
    let answer = answer(&[("a.c:4:line", &|n| 10.0 * n), ("a.c:9:sort", &|n| 20.0 * n * n.log2())]).unwrap();
    let place = answer.place.unwrap();
    assert_eq!((answer.kind, &*place.function), (AnswerKind::Steady, "sort"));
    assert_eq!(answer.unnamed, Some(Unnamed { large_only: false, certain: true }));
}

#[test]
fn what_is_open_is_named_with_the_runs_that_would_tell() {
    let noise = [1.0, 1.07, 0.95, 1.03, 0.94, 1.06, 0.96, 1.04, 0.97, 1.02];
    let open = |n: f64| (20.0 * n + 0.0002 * n * n) * noise[(n / 100.0).log2() as usize];
    let answer = answer(&[("a.c:4:line", &|n| 40.0 * n), ("a.c:9:open", &open)]).unwrap();
    let place = answer.place.unwrap();
    assert_eq!((answer.kind, &*place.function), (AnswerKind::Open, "open"));
    assert!(place.share_then_ci.is_some_and(|[low, high]| low < 0.5 && high > 0.5), "{place:?}");
    assert!(answer.next.is_some_and(|next| !next.sizes.is_empty()));
}

#[test]
fn one_of_a_library_is_named_where_none_of_ones_own_is_to_be_mended() {
    let named = |functions: &[(&str, &dyn Fn(f64) -> f64)]| {
        let answer = answer(functions).unwrap();
        (answer.kind, answer.place.unwrap().function)
    };
    let find: (&str, &dyn Fn(f64) -> f64) = ("/usr/include/list.h:9:find", &|n| n * n / 10.0);
    let fix = |name: &str| (AnswerKind::Fix, name.to_owned());
    assert_eq!(named(&[("a.c:4:line", &|n| 100.0 * n), find]), fix("find"));
    assert_eq!(named(&[("a.c:4:pairs", &|n| n * n / 100.0), find]), fix("pairs"));
    // It takes a hundredth of a percent.
    assert_eq!(named(&[("a.c:4:few", &|n| n * n / 1e5), find]), fix("find"));
    let sort: (&str, &dyn Fn(f64) -> f64) = ("/usr/include/sort.h:9:sort", &|n| 20.0 * n * n.log2());
    assert_eq!(named(&[("a.c:4:line", &|n| 100.0 * n), sort]), (AnswerKind::Steady, "line".to_owned()));
}

#[test]
fn too_few_sizes_have_no_answer() {
    let study = Study::from_text("n: 10 20 40\na.c:1:f: 100 400 1600").unwrap();
    assert_eq!(analyze(&study, &Options::default()).unwrap().answer, None);
}

#[test]
fn what_grows_fast_and_takes_little_is_no_place_to_fix_and_the_largest_groups_are_named() {
    // n² is 3 % of the cost at the target.
    let answer = answer(&[("a.c:4:line", &|n| 100.0 * n), ("a.c:9:pairs", &|n| n * n * 6e-6)]).unwrap();
    assert_eq!((answer.kind, answer.spread), (AnswerKind::Spread, Some(Spread::SmallFast)));
    assert_eq!((answer.place, answer.unnamed), (None, None));
    assert!(
        answer.groups[0].title.contains("line") && answer.groups[0].share_then > 0.9,
        "{:?}",
        answer.groups
    );
}

#[test]
fn many_small_functions_that_make_the_whole_grow_are_one_group() {
    let names: Vec<String> = (1..=30).map(|i| format!("a.c:{i}:part{i}")).collect();
    let square = |n: f64| n * n / 100.0;
    let functions: Vec<(&str, &dyn Fn(f64) -> f64)> =
        names.iter().map(|name| (name.as_str(), &square as &dyn Fn(f64) -> f64)).collect();
    let answer = answer(&functions).unwrap();
    assert_eq!((answer.kind, answer.spread), (AnswerKind::Spread, Some(Spread::SmallFast)));
    let [group] = answer.groups.as_slice() else { panic!("{:?}", answer.groups) };
    assert!(group.functions == 30 && group.share_then > 0.99, "{group:?}");
}

#[test]
fn what_grows_fast_and_will_be_next_to_nothing_is_left_out_of_the_claim() {
    // n² is 0.3 % of the cost at the target.
    let answer = answer(&[("a.c:4:line", &|n| 1000.0 * n), ("a.c:9:pairs", &|n| n * n * 6e-6)]).unwrap();
    assert_eq!(answer.kind, AnswerKind::Steady);
    assert_eq!(answer.unnamed, Some(Unnamed { large_only: true, certain: true }));
}

#[test]
fn now_is_what_the_laws_say_and_not_an_outlier() {
    let odd = |n: f64| if n == 25_600.0 { 20.0 } else { 1.0 };
    let line = |n: f64| 100.0 * n * odd(n);
    let place =
        answer(&[("a.c:4:line", &line), ("a.c:9:pairs", &|n| n * n / 1000.0)]).unwrap().place.unwrap();
    // In the costliest run, an outlier of the line, the square has only 1.3 %.
    assert!(place.function == "pairs" && (place.share - 51.2 / 151.2).abs() < 0.03, "{place:?}");
    assert!(place.share_then > place.share, "{place:?}");
}

/// A study of functions with random laws and scales. Some belong to a library, and some scatter.
fn drawn(seed: u64) -> Study {
    // Lehmer's generator, with the multiplier of Park and Miller.
    let mut state = seed * 7919 + 1;
    let mut next = move || {
        state = state * 48_271 % 2_147_483_647;
        state as f64 / 2_147_483_647.0
    };
    let sizes: Vec<f64> = (0..8).map(|i| f64::from(200 << i)).collect();
    let mut text = format!("n: {}", sizes.iter().map(ToString::to_string).collect::<Vec<_>>().join(" "));
    for i in 0..3 + (next() * 4.0) as usize {
        let exponent = [0.0, 1.0, 1.0, 1.5, 2.0][(next() * 5.0) as usize];
        let (scale, noise) = (10.0_f64.powf(5.0 + 2.5 * next()), if next() < 0.5 { 0.0 } else { 0.1 });
        let file = if next() < 0.3 { "/usr/include/lib.h" } else { "a.c" };
        // Sometimes two blocks belong to one function.
        let function = i - usize::from(i > 0 && next() < 0.3);
        let largest = sizes[7];
        let costs: Vec<String> = sizes
            .iter()
            .map(|n| scale * (n / largest).powf(exponent) * (1.0 + noise * (next() - 0.5)))
            .map(|cost| cost.round().to_string())
            .collect();
        write!(text, "\n{file}:{}:f{function}: {}", i + 4, costs.join(" ")).unwrap();
    }
    Study::from_text(&text).unwrap()
}

#[test]
fn no_answer_contradicts_its_rows() {
    let mut kinds = std::collections::BTreeSet::new();
    for seed in 1..=16 {
        let study = drawn(seed);
        for at in [None, Some(25_600.0), Some(1e8)] {
            let at = at.map(|at| ("n".to_owned(), at)).into_iter().collect();
            let findings = analyze(&study, &Options { at, ..Options::default() }).unwrap();
            let Some(answer) = &findings.answer else { continue };
            kinds.insert(format!("{:?}", answer.kind));
            check(&findings, answer, &study, seed);
        }
    }
    assert!(kinds.len() >= 3, "{kinds:?}");
}

/// Checks that every number equals its row's, that the named place has the largest share by its rule, and that no claim
/// contradicts a row.
fn check(findings: &Findings, answer: &Answer, study: &Study, seed: u64) {
    let candidates = Candidates::new(findings, study).unwrap();
    let then = |outlook: Option<Outlook>| outlook.map_or(0.0, |o| o.cost / o.cost.max(answer.whole.cost));
    let share = |i: usize| then(findings.functions[i].outlooks[answer.point]);
    assert_eq!(Some(answer.whole), findings.total.outlooks[answer.point], "seed {seed}");
    let named = answer.place.as_ref().map(|place| {
        let is_it = |c: &&Candidate| {
            let row = &findings.functions[c.function];
            (&row.name, &row.file) == (&place.function, &place.file)
        };
        let candidate = candidates.functions.iter().find(is_it).unwrap();
        let row = &findings.functions[candidate.function];
        assert_eq!(place.share, row.share_now, "seed {seed}");
        assert!((place.share_then - share(candidate.function)).abs() < 1e-12, "seed {seed}: {place:?}");
        candidate
    });
    let fast = candidates.functions.iter().filter(|c| c.pace == Some(Pace::Fast));
    let large = fast.filter(|c| share(c.function) >= LEAST_SHARE);
    match (answer.kind, named) {
        (AnswerKind::Fix, Some(named)) => {
            let own = large.filter(|c| c.is_own >= named.is_own);
            assert!(own.clone().all(|c| share(c.function) <= share(named.function)), "seed {seed}");
            assert!(own.clone().any(|c| c == named), "seed {seed}");
        }
        _ => assert_eq!(large.count(), 0, "seed {seed}: {answer:?}"),
    }
    assert_eq!(answer.kind == AnswerKind::Spread, answer.place.is_none(), "seed {seed}");
    if let Some(unnamed) = answer.unnamed {
        let rows = findings.functions.iter().map(|row| (&row.fits, row.outlooks[answer.point]));
        let rows = rows.chain(findings.clusters.iter().map(|row| (&row.fits, row.outlooks[answer.point])));
        let faster = rows.filter_map(|(fits, then)| {
            let pace = shown_pace(RowLaw::Of(fits.best()?))?;
            (pace != Pace::Slow)
                .then_some((pace, then.is_none_or(|o| o.cost >= LEAST_SHARE * answer.whole.cost)))
        });
        let faster: Vec<(Pace, bool)> = faster.collect();
        assert!(unnamed.large_only || !unnamed.certain || faster.is_empty(), "seed {seed}: {faster:?}");
        assert!(
            unnamed.large_only || faster.iter().all(|row| row.0 != Pace::Fast),
            "seed {seed}: {faster:?}"
        );
        assert!(!unnamed.certain || faster.iter().all(|row| !row.1), "seed {seed}: {faster:?}");
    }
}
