use std::time::Duration;

use trend_answer::CacheStep;
use trend_profile::{LargerRun, Measure, MemoryLatency, SourceText, Study, StudyParts, Timing, Usage};

use super::*;
use crate::analyze::analyze;
use crate::findings::Findings;
use crate::options::{Options, Rows};

/// A study of eight sizes: a square, a line, a line whose quadratic part is hidden by noise, and code that never ran.
fn parts() -> StudyParts {
    let sizes: Vec<u64> = (0..8).map(|i| 100 << i).collect();
    let noise = [1.0, 1.04, 0.97, 1.02, 0.97, 1.03, 0.98, 1.02];
    let row = |f: &dyn Fn(usize, f64) -> f64| {
        let costs = sizes.iter().enumerate().map(|(i, n)| format!("{}", f(i, *n as f64).round()));
        costs.collect::<Vec<_>>().join(" ")
    };
    let text = format!(
        "n: {}\na.c:3:square: {}\na.c:9:line: {}\nb.c:4:open: {}\nb.c:9:idle: {}",
        row(&|_, n| n),
        row(&|_, n| n * n / 2.0),
        row(&|_, n| 7.0 * n + 3.0),
        row(&|i, n| (20.0 * n + 0.0006 * n * n) * noise[i]),
        row(&|_, _| 0.0),
    );
    StudyParts::from_text(&text).unwrap()
}

fn expected(subject: Subject, limit: &str) -> Expectation {
    Expectation {
        origin: Origin::Config { file: "trend-prof.toml".to_owned(), line: 1 },
        subject,
        limit: Limit::Growth { limit: limit.parse().unwrap() },
        feature: None,
    }
}

fn function(name: &str, limit: &str) -> Expectation {
    expected(Subject::Function(name.to_owned()), limit)
}

fn analyze_for(study: &Study, expectations: &[Expectation]) -> (Findings, Options) {
    let options = Options {
        keep_fits: true,
        rows: [Rows::Functions, Rows::Lines].into(),
        full_meant: words(expectations),
        ..Options::default()
    };
    (analyze(study, &options).unwrap(), options)
}

fn judged(expectations: &[Expectation]) -> Vec<Judged> {
    let study = Study::new(parts()).unwrap();
    let (findings, options) = analyze_for(&study, expectations);
    judge(&study, &findings, &options, expectations).unwrap()
}

fn judgements(expectations: &[Expectation]) -> Vec<Judgement> {
    judged(expectations).iter().map(|judged| judged.judgement).collect()
}

#[test]
fn what_the_verdict_says_decides() {
    use Judgement::{Broken, Holds, Undecided};
    let expectations = [
        function("square", "<= n^2"),
        function("square", "< n^2"),
        function("square", "<= n log n"),
        function("line", "<= n"),
        function("open", "<= n"),
        function("open", "<= n^3"),
    ];
    assert_eq!(judgements(&expectations), [Holds, Broken, Broken, Holds, Undecided, Holds]);
    let open = &judged(&expectations[4..5])[0];
    assert_eq!(open.reason, Some(Reason::Open));
    assert!(open.next.as_ref().is_some_and(|next| !next.message.is_empty()), "{open:?}");
}

#[test]
fn of_a_growth_about_the_limit_the_limit_that_holds_is_named() {
    let sizes: Vec<u64> = (0..10).map(|i| 1000 << i).collect();
    let noise = [0.99, 0.98, 1.01, 0.98, 1.015, 0.99, 1.01, 1.0, 1.02, 1.01];
    let row =
        |f: &dyn Fn(usize) -> f64| (0..10).map(|i| f(i).round().to_string()).collect::<Vec<_>>().join(" ");
    let n = |i: usize| sizes[i] as f64;
    let text = format!("n: {}\na.c:3:pass: {}", row(&n), row(&|i| 20.0 * n(i) * noise[i]));
    let study = Study::from_text(&text).unwrap();
    let expectations = [function("pass", "<= n"), function("pass", "<= n log n"), function("pass", "< n")];
    let (findings, options) = analyze_for(&study, &expectations);
    let verdict = &findings.functions[0].fits.models[0].growth.as_ref().unwrap().verdict;
    assert_eq!(verdict, "about n");
    let all = judge(&study, &findings, &options, &expectations).unwrap();
    assert_eq!(all[0].judgement, Judgement::Undecided);
    assert_eq!(all[0].reason, Some(Reason::WithinLog { fastest: "n log n".to_owned() }));
    assert_eq!([all[1].judgement, all[2].judgement], [Judgement::Holds, Judgement::Broken]);
}

#[test]
fn a_file_is_every_function_of_it_and_the_program_is_the_whole() {
    let whole = expected(Subject::Program, "<= n^2");
    let file = expected(Subject::File("a.c".to_owned()), "<= n");
    let judged = judged(&[whole, file]);
    let names: Vec<_> =
        judged.iter().map(|j| (j.place.as_ref().map(|p| p.name.as_str()), j.judgement)).collect();
    assert_eq!(
        names,
        [(None, Judgement::Holds), (Some("square"), Judgement::Broken), (Some("line"), Judgement::Holds)]
    );
}

#[test]
fn what_is_not_there_is_unknown_and_what_never_ran_undecided() {
    let unknown = judged(&[function("sqare", "<= n")]);
    let nearest = vec!["square".to_owned(), "line".to_owned(), "open".to_owned()];
    assert_eq!(unknown[0].judgement, Judgement::Unknown);
    assert_eq!(unknown[0].reason, Some(Reason::NoSuchPlace { nearest }));
    let idle = judged(&[function("idle", "<= n")]);
    assert_eq!((idle[0].judgement, &idle[0].reason), (Judgement::Undecided, &Some(Reason::NeverExecuted)));
    let feature = Expectation { feature: Some("bytes".to_owned()), ..function("line", "<= n") };
    let known = vec!["n".to_owned()];
    assert_eq!(judged(&[feature])[0].reason, Some(Reason::NoSuchFeature { known }));
}

#[test]
fn a_cost_is_compared_with_its_interval() {
    // The function costs 7·n + 3 at n = 1,000,000.
    let cost = |most| Expectation {
        limit: Limit::Cost { measure: Measure::Counts, at: vec![("n".to_owned(), 1e6)], most },
        ..function("line", "<= n")
    };
    assert_eq!(judgements(&[cost(7.1e6), cost(6.9e6)]), [Judgement::Holds, Judgement::Broken]);
    let open = Expectation { subject: Subject::Function("open".to_owned()), ..cost(1e8) };
    let judged = judged(&[open]);
    let Some(Found::Cost { ci: Some([low, high]), .. }) = judged[0].found else { panic!("{judged:?}") };
    assert!(low < 1e8 && 1e8 < high && judged[0].judgement == Judgement::Undecided);
}

/// A study with seven executions per unit of n. A unit takes 0.1 ms · `slow` and 1000 bytes, on top of 2 MB.
fn timed(slow: f64) -> Study {
    Study::new(timed_parts(slow)).unwrap()
}

fn timed_parts(slow: f64) -> StudyParts {
    let mut parts = StudyParts::from_text(
        "n: 100 200 400 800 1600 3200 6400\na.c:1:f: 700 1400 2800 5600 11200 22400 44800",
    )
    .unwrap();
    for (i, workload) in parts.workloads.iter_mut().enumerate() {
        let n = f64::from(100 << i);
        let user = Duration::from_secs_f64(1e-4 * slow * n);
        let usage =
            Usage { wall: user, user, peak_rss_bytes: 2_000_000 + 1000 * (100 << i), ..Usage::default() };
        workload.timing = Some(Timing { machine_memory_bytes: 0, runs: vec![usage] });
    }
    parts
}

#[test]
fn seconds_and_memory_are_those_of_runs_that_were_timed() {
    use Judgement::{Broken, Holds, Undecided};

    let limit = |measure, most| Expectation {
        limit: Limit::Cost { measure, at: vec![("n".to_owned(), 1e5)], most },
        ..expected(Subject::Program, "<= n")
    };
    // At n = 100,000, 10 s and 102 MB are predicted. As the sizes double, the memory may be half to twice that.
    let expectations = [
        limit(Measure::Seconds, 15.0),
        limit(Measure::Seconds, 10.0),
        limit(Measure::Seconds, 5.0),
        limit(Measure::Seconds, 0.1),
        limit(Measure::Bytes, 240e6),
        limit(Measure::Bytes, 102e6),
        limit(Measure::Bytes, 45e6),
    ];
    let judged = |study: &Study| {
        let (findings, options) = analyze_for(study, &expectations);
        judge(study, &findings, &options, &expectations).unwrap()
    };
    let judgements = |judged: &[Judged]| judged.iter().map(|judged| judged.judgement).collect::<Vec<_>>();
    let all = judged(&timed(1.0));
    assert_eq!(judgements(&all), [Holds, Undecided, Broken, Broken, Holds, Undecided, Broken]);
    let Some(Found::Cost { cost, .. }) = all[0].found else { panic!("{all:?}") };
    assert!((cost / 10.0 - 1.0).abs() < 1e-6, "{cost}");
    let Some(Found::Cost { cost, .. }) = all[4].found else { panic!("{all:?}") };
    assert!((cost / 102e6 - 1.0).abs() < 1e-6, "{cost}");
    // The predicted time is 1 s, but the longest run is short and says little. A limit that is far enough away is
    // decided nevertheless.
    let short = judged(&timed(0.1));
    assert_eq!(judgements(&short), [Holds, Holds, Holds, Broken, Holds, Undecided, Broken]);
    let short = judged(&timed(0.3));
    assert_eq!(judgements(&short), [Holds, Undecided, Undecided, Broken, Holds, Undecided, Broken]);
    let doubt = |judged: &Judged| matches!(judged.reason, Some(Reason::Time { doubt: TimeDoubt::Short, .. }));
    assert!(short[1..3].iter().all(doubt), "{short:?}");
    let parts = StudyParts::from_text("n: 100 200 400 800 1600 3200\na.c:1:f: 7 14 28 56 112 224").unwrap();
    let untimed = judged(&Study::new(parts).unwrap());
    assert!(untimed.iter().all(|j| j.reason == Some(Reason::NotTimed) && j.judgement == Undecided));
}

fn cache_of_4_mb() -> Vec<MemoryLatency> {
    [(4 << 20, 10.0), (8 << 20, 100.0), (64 << 20, 120.0)]
        .map(|(working_set_bytes, nanoseconds)| MemoryLatency { working_set_bytes, nanoseconds })
        .to_vec()
}

#[test]
fn memory_that_follows_no_line_may_leave_a_cache_as_the_counts_grow() {
    // Peak memory alternates by a megabyte, on top of 4.1 MB of data in the longest run.
    let leaves = |n: f64| {
        let mut parts = timed_parts(1.0);
        for (i, workload) in parts.workloads.iter_mut().enumerate() {
            let n: u64 = 100 << i;
            let turn = if i % 2 == 1 { 1_000_000 } else { 0 };
            workload.timing.as_mut().unwrap().runs[0].peak_rss_bytes = 1_000_000 + n * n / 10 + turn;
        }
        parts.latencies = cache_of_4_mb();
        let options = Options { at: vec![("n".to_owned(), n)], ..Options::default() };
        let answer = analyze(&Study::new(parts).unwrap(), &options).unwrap().answer.unwrap();
        assert_eq!(answer.memory, None);
        answer.time.unwrap().doubts.contains(&TimeDoubt::Cache)
    };
    assert!(leaves(64_000.0) && !leaves(6500.0));
}

#[test]
fn runs_that_are_leaving_a_cache_say_nothing_of_what_is_beyond_it() {
    // 3 kB per unit make 19 MB in the longest run, which is beyond the only cache step.
    let time_outlook = |drift: f64, bytes: u64| {
        let mut parts = timed_parts(1.0);
        for (i, workload) in parts.workloads.iter_mut().enumerate() {
            let n = f64::from(100 << i);
            let run = &mut workload.timing.as_mut().unwrap().runs[0];
            run.user = run.user.mul_f64((n / 6400.0).powf(drift));
            run.wall = run.user;
            run.peak_rss_bytes = 2_000_000 + bytes * (100 << i);
        }
        parts.latencies = cache_of_4_mb();
        let options = Options { at: vec![("n".to_owned(), 64_000.0)], ..Options::default() };
        analyze(&Study::new(parts).unwrap(), &options).unwrap().answer.unwrap().time.unwrap()
    };
    // If memory does not grow, the reason why time grows faster is unknown as well.
    for bytes in [3000, 0] {
        let slower = time_outlook(0.4, bytes);
        assert_eq!(slower.doubts, [TimeDoubt::Cache], "{bytes}");
        assert!(
            matches!(slower.law.cache, Some(CacheStep::Size(size)) if (size / 6400.0 - 1.0).abs() < 1e-6)
        );
    }
    for drift in [0.0, 0.15] {
        let steady = time_outlook(drift, 3000);
        assert_eq!((steady.law.cache, steady.doubts), (None, vec![]), "{drift}");
    }
}

#[test]
fn a_busy_machine_is_no_doubt_where_processor_time_is_the_same_each_time() {
    // Wall time is ten times CPU time. Each run of a workload takes the usual CPU time multiplied by its
    // entry in `runs`.
    let doubts = |runs: &[f64]| {
        let mut parts = timed_parts(1.0);
        for workload in &mut parts.workloads {
            let timing = workload.timing.as_mut().unwrap();
            let usual = Usage { wall: timing.runs[0].wall * 10, ..timing.runs[0] };
            timing.runs = runs.iter().map(|&t| Usage { user: usual.user.mul_f64(t), ..usual }).collect();
        }
        let options = Options { at: vec![("n".to_owned(), 64_000.0)], ..Options::default() };
        analyze(&Study::new(parts).unwrap(), &options).unwrap().answer.unwrap().time.unwrap().doubts
    };
    assert_eq!(doubts(&[1.0, 1.1, 1.05]), []);
    assert_eq!(doubts(&[1.0, 1.3, 1.05]), [TimeDoubt::Disturbed]);
    assert_eq!(doubts(&[1.0]), [TimeDoubt::Disturbed]);
}

#[test]
fn a_run_without_counters_that_is_larger_than_all_others_is_one_of_the_law() {
    let time_and_memory = |larger: Option<LargerRun>| {
        let mut parts = timed_parts(0.3);
        parts.larger = larger;
        parts.latencies = cache_of_4_mb();
        let options = Options { at: vec![("n".to_owned(), 1e5)], ..Options::default() };
        let answer = analyze(&Study::new(parts).unwrap(), &options).unwrap().answer.unwrap();
        (answer.time.unwrap(), answer.memory.unwrap())
    };
    let larger_run = |workload: &str, seconds: f64, bytes: u64| {
        let user = Duration::from_secs_f64(seconds);
        let runs = vec![Usage { wall: user, user, peak_rss_bytes: bytes, ..Usage::default() }];
        let timing = Timing { machine_memory_bytes: 0, runs };
        let values = vec![("n".to_owned(), 19_200.0)];
        Some(LargerRun { workload: workload.to_owned(), fingerprint: String::new(), values, timing })
    };
    let (without, _) = time_and_memory(None);
    // The longest run has 6.4 MB of data.
    assert_eq!(without.doubts, [TimeDoubt::Short, TimeDoubt::Cache]);
    assert!((without.seconds / 3.0 - 1.0).abs() < 1e-6);
    let (with, memory) = time_and_memory(larger_run("n=19200", 0.576, 21_200_000));
    assert!((with.longest / 0.576 - 1.0).abs() < 1e-9 && with.doubts.is_empty(), "{with:?}");
    assert!((with.seconds / 3.0 - 1.0).abs() < 1e-6 && (memory.bytes / 102e6 - 1.0).abs() < 1e-6, "{with:?}");
    // 134,400 executions take 8.6 µs each instead of 4.3 µs. At n = 100,000, an execution takes no less.
    let (slower, _) = time_and_memory(larger_run("n=19200", 1.152, 21_200_000));
    assert!(slower.seconds > 5.0, "{slower:?}");
    // A larger run that has been counted since is already part of the study.
    assert_eq!(time_and_memory(larger_run("w0007", 1.152, 21_200_000)).0, without);
}

#[test]
fn the_growth_of_a_program_is_open_where_nearly_all_of_its_work_is_not_counted() {
    use Judgement::{Broken, Holds, Undecided};

    let with = |seconds: &dyn Fn(f64) -> f64| {
        let mut parts = StudyParts::from_text(
            "n: 100 200 400 800 1600 3200\na.c:1:f: 7000 14000 28000 56000 112000 224000",
        )
        .unwrap();
        for (workload, n) in parts.workloads.iter_mut().zip([100.0, 200.0, 400.0, 800.0, 1600.0, 3200.0]) {
            workload.usage = Some(Usage { user: Duration::from_secs_f64(seconds(n)), ..Usage::default() });
        }
        Study::new(parts).unwrap()
    };
    let expectations =
        [expected(Subject::Program, "<= n"), function("f", "<= n"), expected(Subject::Program, "<= n^0.5")];
    let judged = |study: &Study| {
        let (findings, options) = analyze_for(study, &expectations);
        let judged = judge(study, &findings, &options, &expectations).unwrap();
        judged.into_iter().map(|judged| (judged.judgement, judged.reason)).collect::<Vec<_>>()
    };
    assert_eq!(judged(&with(&|_| 0.001)), [(Holds, None), (Holds, None), (Broken, None)]);
    let open = [(Undecided, Some(Reason::Uncounted)), (Holds, None), (Broken, None)];
    assert_eq!(judged(&with(&|_| 2.0)), open);
    assert_eq!(judged(&with(&|n| 1e-6 * n * n)), open);
    // The time of a run is linear, so no part of the run grows faster.
    assert_eq!(judged(&with(&|n| 1e-3 * n)), [(Holds, None), (Holds, None), (Broken, None)]);
}

#[test]
fn too_few_sizes_decide_nothing() {
    let study = Study::from_text("n: 10 20 40\na.c:1:f: 100 400 1600").unwrap();
    let expectations = [function("f", "<= n")];
    let (findings, options) = analyze_for(&study, &expectations);
    let judged = judge(&study, &findings, &options, &expectations).unwrap();
    assert_eq!(judged[0].judgement, Judgement::Undecided);
    assert_eq!(judged[0].reason, Some(Reason::FewSizes { sizes: 3 }));
}

#[test]
fn comments_beside_the_code_are_expectations() {
    let text = "\n// trend-prof: <= n in n\nlong square(int n)\n{\n}\n\n\n\nlong line; // trend-prof: < n\n";
    let sources = vec![SourceText { file: "a.c".to_owned(), text: text.to_owned() }];
    let mut parts = parts();
    parts.functions.iter_mut().filter(|f| f.symbol.name == "square").for_each(|f| f.line = 3);
    let study = Study::new(StudyParts { sources, ..parts }).unwrap();
    let expectations = in_sources(&study).unwrap();
    let (findings, options) = analyze_for(&study, &expectations);
    let judged = judge(&study, &findings, &options, &expectations).unwrap();
    let places: Vec<_> =
        judged.iter().map(|j| (j.place.as_ref().map(|p| (p.name.as_str(), p.line)), j.judgement)).collect();
    assert_eq!(places, [(Some(("square", 3)), Judgement::Broken), (Some(("a.c:9", 9)), Judgement::Broken)]);
    let parts = StudyParts {
        sources: vec![SourceText { file: "a.c".to_owned(), text: "// trend-prof: fast\n".to_owned() }],
        ..self::parts()
    };
    let error = in_sources(&Study::new(parts).unwrap()).unwrap_err();
    assert!(error.to_string().starts_with("a.c:1: `fast` is not a growth class"), "{error}");
}

#[test]
fn new_code_is_what_a_baseline_does_not_know() {
    let known_functions = vec![("line".to_owned(), "a.c".to_owned()), ("open".to_owned(), "b.c".to_owned())];
    let judged = judged(&[expected(Subject::NewCode(known_functions), "<= n log n")]);
    let names: Vec<_> =
        judged.iter().map(|j| (j.place.as_ref().unwrap().name.as_str(), j.judgement)).collect();
    assert_eq!(names, [("square", Judgement::Broken)]);
}
