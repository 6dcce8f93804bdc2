//! Sentences about findings, kind by kind. Other tests check kinds, names and numbers, so a rewording changes the
//! expectations of this file: `cargo insta test --accept -p trend-report --lib`.

use insta::assert_snapshot;
use trend_analyze::{
    Answer, AnswerGroup, AnswerKind, CallShares, CodeKind, Doubt, Elapsed, Explanation, Findings,
    GrowthModel, KindLaw, KindOfCalls, KindOfContexts, Kinds, LongestRun, MayHide, MemoryDoubt, MemoryHolder,
    MemoryOutlook, NextRuns, NoJoint, Outlook, Repeating, Source, Spread, TimeDoubt, TimeOutlook, TimeTerms,
    Unfit, Unnamed,
};
use trend_model::{Diagnosis, EqualRuns, FitError, GrowthClass};
use trend_profile::{SeriesKind, Variable, Warning};

use crate::ReportError;
use crate::tests::sample::{bubble_sort, doubtful, law, predicted_at, verdict_on};
use crate::tests::verdict::{answer_with_kernel, linear};
use crate::words::answer::do_not_rely;
use crate::words::growth;
use crate::words::kinds::sentence;

/// Returns the doubts with their kinds, one per line.
fn listed(doubts: impl IntoIterator<Item = Doubt>) -> String {
    let lines: Vec<String> = doubts.into_iter().map(|doubt| format!("{}: {doubt}", doubt.kind())).collect();
    lines.join("\n")
}

#[test]
fn doubts_about_a_law() {
    let n = || "n".into();
    let unfit = [
        Unfit::NeverExecuted,
        Unfit::TooFew { points: 3, needed: 4 },
        Unfit::ConstantFeature,
        Unfit::NotWorthIt,
        Unfit::TwoKinds,
        Unfit::Other(FitError::ParametersOutOfRange),
    ];
    let no_law = unfit.iter().map(|why| Doubt::NoLaw { feature: n(), why: why.clone() });
    let no_growth = unfit.iter().map(|why| Doubt::NoGrowth { feature: n(), why: why.clone() });
    let no_joint = [
        NoJoint::NoPart,
        NoJoint::OnePart(n()),
        NoJoint::OneIsEnough,
        NoJoint::TooFewWorkloads,
        NoJoint::NoLaw,
        NoJoint::Unfit(FitError::ConstantFeature),
    ];
    let no_joint = no_joint.map(|why| Doubt::NoJoint { features: vec![n(), "m".into()], why });
    let others = [
        Doubt::FewPoints { points: 4, narrow: true },
        Doubt::FewPoints { points: 4, narrow: false },
        Doubt::NarrowRange { feature: n(), span: 3.0, of_study: false },
        Doubt::IgnoredZeros { feature: n(), workloads: 2 },
        Doubt::EndsEarly { feature: n(), until: 500.0 },
        Doubt::BeyondReach { feature: n(), at: 5000.0, class: GrowthClass::Exponential },
        Doubt::OffWhatWasMeasured { feature: n(), at: 500.0, factor: 1.7 },
        Doubt::OffAtTheLargest { feature: n(), largest: 500.0, factor: 0.6 },
    ];
    assert_snapshot!(listed(no_law.chain(no_growth).chain(no_joint).chain(others)), @"
    no_model: never executed
    no_model: no power law in n: 3 workloads with a positive cost and n, but 4 are needed; run other sizes
    no_model: no power law in n: it has only one value; run other sizes
    no_model: no power law in n, which has little to do with this cost
    no_model: no power law in n: there are two kinds of calls, each with its own law
    no_model: no power law in n: the parameters of the fit are out of range
    no_growth: no growth class in n: never executed
    no_growth: no growth class in n: 3 different sizes with a positive cost and n, but 4 are needed; run other sizes
    no_growth: no growth class in n: it has only one value; run other sizes
    no_growth: no growth class in n, which has little to do with this cost
    no_growth: no growth class in n: there are two kinds of calls, each with its own law
    no_growth: no growth class in n: the parameters of the fit are out of range
    no_joint: no model in n and m together: none of them affects this cost
    no_joint: no model in n and m together: only n affects this cost
    no_joint: no model in n and m together: one of them is enough
    no_joint: no model in n and m together: too few workloads have all of them
    no_joint: no model in n and m together: the cost depends on all of them, but no law fits
    no_joint: no model in n and m together: the feature has the same value at all usable points
    few_points: only 4 points, so the intervals are too narrow
    few_points: only 4 points, too few to see where the model is wrong
    narrow_range: n spans only a factor of 3.0 over the points used; run larger or smaller workloads
    ignored_zeros: 2 workloads where the cost or n is zero are left out; the model covers only runs where it executes
    ends_early: no run above n = 500 executed it, so nothing is predicted there; the model gives its cost if it were executed
    beyond_reach: no prediction at n = 5,000: the cost, which grows as 2^n, is too large for a number
    off_what_was_measured: the cost measured at n = 500 is 1.70 times the model's; trust the measurement
    off_at_the_largest: the largest runs (n = 500) cost 0.60 times what the model predicts; predictions for larger sizes may be off by as much
    ");
}

#[test]
fn patterns_that_residuals_show() {
    let p_value = 1e-9;
    let equal = EqualRuns { runs: 12, factor: 8.02 };
    let bend = |exponent_small, exponent_large| Diagnosis::Bend { exponent_small, exponent_large, p_value };
    let change = |exponent_above, jump| Diagnosis::ChangePoint {
        at: 4.04e4,
        exponent_below: 1.0,
        exponent_above,
        jump,
        log_odds: 20.0,
    };
    let fan = |spread_small, spread_large| Diagnosis::Fan { spread_small, spread_large, p_value };
    let split = |factor_at_largest| Diagnosis::Split {
        factor: 2.0,
        factor_at_largest,
        upper_share: 0.4,
        separation: 9.0,
    };
    let diagnoses = [
        bend(1.64, 1.99),
        bend(1.2, 1.1),
        change(1.04, 10.0),
        change(2.0, 0.5),
        fan(0.05, 0.4),
        fan(0.4, 0.05),
        split(2.1),
        split(9.0),
        Diagnosis::EqualRuns { equal: EqualRuns { factor: 1234.0, ..equal }, spread: 0.7 },
        Diagnosis::Unexplained { equal: Some(equal), r2: 0.3, spread: 0.7 },
    ];
    let diagnosed = |(diagnosis, better)| Doubt::Diagnosed { feature: "n".into(), diagnosis, better };
    let separated = |feature: Option<&str>, rule: Option<&str>| Explanation::Split {
        feature: feature.map(str::to_owned),
        rule: rule.map(str::to_owned),
    };
    let explanations = [
        Explanation::Feature("m".into()),
        Explanation::Together(vec!["n".into(), "m".into()]),
        separated(Some("sorted"), Some("sorted ≤ 0")),
        separated(None, Some("`random` in the name is more expensive")),
        separated(None, None),
    ];
    let unexplained = diagnoses.map(|diagnosis| diagnosed((diagnosis, None)));
    let explained = explanations.map(|better| diagnosed((split(2.1), Some(Box::new(better)))));
    assert_snapshot!(listed(unexplained.into_iter().chain(explained)), @"
    bend: a lower-order term or startup cost hides part of the growth: the exponent rises from 1.64 in the smaller half of the range to 1.99 in the larger; for much larger inputs the power law predicts too low
    bend: the cost grows more slowly at large sizes: the exponent falls from 1.20 in the smaller half of the range to 1.10 in the larger; for much larger inputs the power law predicts too high
    change_point: a change point at n ≈ 40,000: the cost grows as n^1.02 on both sides, and is 10 times as high just above
    change_point: a change point at n ≈ 40,000: the cost grows as n^1.00 below and as n^2.00 above, and falls by a factor of 2.00 there
    fan: the noise grows with n (from 5 % to 49 %): another feature matters, or there are two trends
    fan: the noise shrinks with n (from 49 % to 5 %): another feature matters, or there are two trends
    split: two trends, not one: 40 % of the runs cost 2.00 times as much as the others at the same n
    split: two trends, not one: 40 % of the runs cost 2.00 times as much as the others at the same n, 9.00 times at the largest
    equal_runs: n alone does not determine the cost; 12 runs with equal n differ by up to 1200×
    unexplained: this feature does not explain the cost (R² = 0.30, noise a factor of 2.01); 12 runs with equal n differ by up to 8×
    split: two trends, not one: 40 % of the runs cost 2.00 times as much as the others at the same n; `m` explains it better
    split: two trends, not one: 40 % of the runs cost 2.00 times as much as the others at the same n; `n` and `m` together explain it better
    split: two trends, not one: 40 % of the runs cost 2.00 times as much as the others at the same n; split by `sorted`: sorted ≤ 0
    split: two trends, not one: 40 % of the runs cost 2.00 times as much as the others at the same n; split by name: `random` in the name is more expensive
    split: two trends, not one: 40 % of the runs cost 2.00 times as much as the others at the same n; no feature and no part of the names separates these workloads
    ");
}

#[test]
fn what_is_left_out() {
    let doubts = [
        Doubt::RowsLeftOut { rows: "lines", count: 70 },
        Doubt::ClassesLeftOut { rows: "lines", count: 70 },
        Doubt::PointsLeftOut { points: "workloads", most: 400, all: 9000 },
        Doubt::AdviceLeftOut { advised: 4, all: 9 },
        Doubt::LoopsLeftOut { functions: 3, loops: 70 },
        Doubt::MembersLeftOut { count: 70 },
        Doubt::PageLeftOut { shown: vec![(100, 900, "clusters"), (200, 800, "functions")] },
    ];
    assert_snapshot!(listed(doubts), @"
    rows_left_out: the 70 cheapest lines are left out to limit the analysis; fewer features leave room for more
    classes_left_out: the 70 lines with the smallest shares have a power law but no growth class, to limit the analysis; fewer features leave room for more
    points_left_out: laws are fitted to at most 400 workloads, spread evenly over the logarithm of the size (a row has 9000); costs and calls cover all
    advice_left_out: sizes to run next are suggested for only 4 of 9 features, those that best explain the cost of the whole program; choose another with `--feature`
    loops_left_out: 70 loops of 3 functions, those with the fewest trips, have no formulas, because the study has too many nested loops; formulas of their callers contain `cost of NAME` instead
    members_left_out: the 70 cheapest members of clusters are not listed (limit: 2000000); their costs still count
    page_left_out: this page has only the most expensive rows: 100 of 900 clusters, 200 of 800 functions; `trend-prof show --format json` has all
    ");
}

#[test]
fn doubts_about_a_study() {
    let n = || "n".into();
    let failed = |failed, last_words: &str| Doubt::LargestFailed {
        feature: n(),
        largest: 30.0,
        failed,
        from: 40.0,
        reason: "exited with code 1".to_owned(),
        timed_out: false,
        last_words: last_words.to_owned(),
    };
    let program = || "sort".to_owned();
    let codes = [CodeKind::Native, CodeKind::Rust, CodeKind::Python];
    let growing = codes.map(|code| Doubt::UncountedGrowth {
        exponent: 2.0,
        ci: [1.9, 2.1],
        level: 0.95,
        runs: 20,
        code,
        program: program(),
    });
    let mostly =
        codes.map(|code| Doubt::MostlyUncounted { seconds: 1.0, count: 48_000.0, code, program: program() });
    let others = [
        Doubt::OneWorkload,
        Doubt::FewWorkloads { workloads: 4, narrow: true },
        Doubt::FewWorkloads { workloads: 4, narrow: false },
        Doubt::NarrowRange { feature: n(), span: 3.0, of_study: true },
        Doubt::FailedWorkloads { failed: 2, all: 9 },
        failed(1, ""),
        failed(2, "out of memory"),
        Doubt::NoFeatures,
        Doubt::MissingValues { feature: n(), missing: 2, all: 9 },
        Doubt::NotPositive { feature: n(), workloads: 2 },
        Doubt::ConstantFeature { feature: n(), value: 500.0 },
        Doubt::NothingVaries,
        Doubt::NotDeterministic { locations: 3 },
    ];
    let retired = [&["a"][..], &["a", "b"]].map(|names| Warning::of_retired(names.iter().copied()));
    let retired = retired.into_iter().flatten().map(Doubt::Recorded);
    assert_snapshot!(listed(others.into_iter().chain(growing).chain(mostly).chain(retired)), @"
    one_workload: one workload shows no growth; run more sizes
    few_workloads: only 4 workloads: the intervals are too narrow; run at least 10
    few_workloads: only 4 workloads: too few to tell one law from another; run at least 10
    narrow_range: feature n spans only a factor of 3.0; run sizes that span at least a factor of 10, better a thousand
    failed_workloads: 2 of 9 workloads have no counts; if they are the large ones, growth is underestimated
    largest_failed: n = 30 is the largest run that succeeded; the only larger one failed: n = 40 exited with code 1
    largest_failed: n = 30 is the largest run that succeeded; both larger ones failed: n = 40 exited with code 1: out of memory
    no_features: nothing can be predicted without features; declare some under [features] or add them with `import features`
    missing_values: feature n is missing for 2 of 9 workloads
    not_positive: feature n is zero or negative for 2 workloads; power laws leave them out
    constant_feature: feature n is 500 for every workload, so it explains nothing
    nothing_varies: no cost varies: the program does the same work for every workload
    not_deterministic: 3 locations have different counts in repeated runs (hashing, clocks, threads?); they are marked, and their models use the median
    uncounted_work: CPU time grows as counts^2.00 (95 % interval 1.90 to 2.10, 20 runs), so work grows in code that is not counted: the kernel, libc (strlen, strcat, memmove, realloc), Rust's standard library (`remove`, `insert`, `contains`) or another library; to count it too (15 to 30 times slower), run `trend-prof run --counts callgrind --study sort-instructions.trend` with the other `run` options of this study
    uncounted_work: CPU time grows as counts^2.00 (95 % interval 1.90 to 2.10, 20 runs), so work grows in code that is not counted: the kernel, libc (strlen, strcat, memmove, realloc), Rust's standard library (`remove`, `insert`, `contains`) or another library; to count it too (15 to 30 times slower), run `trend-prof run --counts callgrind --study sort-instructions.trend` with the other `run` options of this study
    uncounted_work: CPU time grows as counts^2.00 (95 % interval 1.90 to 2.10, 20 runs), so work grows in code that is not counted: functions in C (`in` and `pop(0)` of lists, `sorted`, slices, regular expressions) or installed packages; `--packages all` counts packages; work in C shows only in the CPU time
    uncounted_work: the longest run took 1.00 s of CPU time for only 48.0 k counted executions: nearly all of its work is in code without counters, such as libc, another library (see `ldd`) or code not built under `trend-prof build`; to count it too (15 to 30 times slower), run `trend-prof run --counts callgrind --study sort-instructions.trend` with the other `run` options of this study
    uncounted_work: the longest run took 1.00 s of CPU time for only 48.0 k counted executions: nearly all of its work is in code without counters, such as libc, Rust's standard library (`Vec::remove`, `sort`, hashing), another library (see `ldd`) or code not built under `trend-prof build`; to count it too (15 to 30 times slower), run `trend-prof run --counts callgrind --study sort-instructions.trend` with the other `run` options of this study
    uncounted_work: the longest run took 1.00 s of CPU time for only 48.0 k counted executions: nearly all of its work is in code without counters, such as functions in C or installed packages; `--packages all` counts packages; work in C shows only in the CPU time
    retired: workload a does not count, because it is no longer configured; its runs stay in the study
    retired: 2 workloads, such as a, do not count, because they are no longer configured; their runs stay in the study
    ");
}

/// Returns the sentences of an answer about the bubble sort at n = 10 million.
fn answered(change: impl FnOnce(&mut Answer)) -> Vec<String> {
    let mut answer = answer_with_kernel(0.0);
    change(&mut answer);
    crate::answer(&predicted_at(Findings { answer: Some(answer), ..bubble_sort() }, 1e7))
}

/// Returns an answer's advice, which follows its cost.
fn advised(kind: AnswerKind, change: impl FnOnce(&mut Answer)) -> String {
    let all = answered(|answer| {
        answer.kind = kind;
        change(answer);
    });
    all[1..].join(" ")
}

#[test]
fn what_an_answer_advises() {
    let at =
        |function: &str, line| Repeating { function: function.to_owned(), file: "main.c".to_owned(), line };
    let kinds = [
        advised(AnswerKind::Fix, |_| ()),
        advised(AnswerKind::Fix, |answer| {
            let place = answer.place.as_mut().unwrap();
            (place.caller, place.branching) = (Some(at("main", 9)), Some(at("walk", 12)));
            place.repeating = Some(at("parse", 30));
        }),
        advised(AnswerKind::Fix, |answer| {
            let place = answer.place.as_mut().unwrap();
            (place.is_own, place.caller) = (false, Some(at("main", 9)));
        }),
        advised(AnswerKind::Open, |answer| {
            let place = answer.place.as_mut().unwrap();
            (place.share_then_ci, place.caller) = (Some([0.2, 0.6]), Some(at("main", 9)));
            answer.next = Some(NextRuns {
                feature: "n".to_owned(),
                sizes: vec![120_000.0, 240_000.0],
                costs: vec![6e9, 1.2e10],
                inputs: 1,
                decides: true,
                message: String::new(),
            });
        }),
    ];
    let steady = [(false, true), (false, false), (true, true), (true, false)].map(|(large_only, certain)| {
        advised(AnswerKind::Steady, |answer| {
            answer.unnamed = Some(Unnamed { large_only, certain });
            let place = answer.place.as_mut().unwrap();
            place.costliest = certain;
            place.time_shares = large_only.then_some([0.2, 0.1]);
            place.caller = (!certain).then(|| at("main", 9));
        })
    });
    let group = |title: &str, functions| AnswerGroup {
        cluster: 0,
        title: title.to_owned(),
        functions,
        share: 0.3,
        share_then: 0.4,
    };
    let why = [Spread::SmallFast, Spread::FastGroup, Spread::WholeFast, Spread::AllSmall];
    let spread = why.map(|why| {
        advised(AnswerKind::Spread, |answer| {
            answer.spread = Some(why);
            answer.groups = vec![group("a.c:9 in find", 3), group("b.c:4 in sort", 1)];
            answer.groups.truncate(if why == Spread::AllSmall { 1 } else { 2 });
        })
    });
    assert_snapshot!([&kinds[..], &steady, &spread].concat().join("\n"), @"
    Fix bubble_sort.c:4 in bubble_sort: 100.0 % of the cost now, 100.0 % then.
    Fix bubble_sort.c:4 in bubble_sort: 100.0 % of the cost now, 100.0 % then. Its calls come from main.c:9 in main. Recursion at main.c:12 in walk: one call makes several recursive calls. The loop at main.c:30 in parse runs as often as this function is called, and may contain the call.
    Fix main.c:9 in main, which calls bubble_sort: 100.0 % of the cost now, 100.0 % then.
    Watch bubble_sort.c:4 in bubble_sort (growth unclear): 100.0 % of the cost now, 20.0 % to 60.0 % then. Its calls come from main.c:9 in main. Run n = 120,000 and 240,000 to find out.
    Nothing grows faster than n log n. The most expensive function is bubble_sort.c:4 in bubble_sort: 100.0 % of the cost now, 100.0 % then.
    Nothing is known to grow faster than n log n. Your most expensive function is bubble_sort.c:4 in bubble_sort: 100.0 % of the cost now, 100.0 % then. Its calls come from main.c:9 in main.
    Nothing that takes 5.0 % or more of the cost at the target grows faster than n log n. By time, the most expensive function is bubble_sort.c:4 in bubble_sort: 20.0 % of the time now, 10.0 % then.
    Nothing that takes 5.0 % or more of the cost at the target is known to grow faster than n log n. Your most expensive function is bubble_sort.c:4 in bubble_sort: 20.0 % of the time now, 10.0 % then. Its calls come from main.c:9 in main.
    No single function stands out: no function that grows faster than n log n reaches 5.0 % of the cost at the target. The largest groups at the target: a.c:9 in find (a group of 3 functions), 40.0 %; b.c:4 in sort, 40.0 %.
    No single function stands out: some blocks grow faster than n log n, but this is not certain for any function. The largest groups at the target: a.c:9 in find (a group of 3 functions), 40.0 %; b.c:4 in sort, 40.0 %.
    No single function stands out: the whole program grows faster than n log n, but this is not certain for any function. The largest groups at the target: a.c:9 in find (a group of 3 functions), 40.0 %; b.c:4 in sort, 40.0 %.
    No single function stands out: no function reaches 5.0 % of the cost at the target. The largest group at the target: a.c:9 in find (a group of 3 functions), 40.0 %.
    ");
}

#[test]
fn what_the_program_may_hide() {
    let answer = Some(answer_with_kernel(0.0));
    let mut findings = predicted_at(Findings { answer, ..bubble_sort() }, 1e7);
    let linear = (GrowthClass::Linear, 1.0, &[(6300.0, GrowthClass::Linear)][..]);
    let class = GrowthClass::Quadratic;
    let may_hide = MayHide {
        class,
        term: class.term(),
        probability: 0.03,
        size: 1e6,
        cost: 2.5e8,
        share: 0.04,
        rules_out: Some(2.1e6),
    };
    let growth = GrowthModel { may_hide: Some(may_hide), ..verdict_on(&[linear], 1, Some(false)) };
    findings.total.fits.models[0].growth = Some(growth);
    let mut said = |high| {
        let (cost, ci) = (6.3e10, Some([6.2e10, high]));
        findings.total.outlooks = vec![Some(Outlook { cost, ci, source: Source::Class })];
        crate::answer(&findings)[2..].join(" ")
    };
    assert_snapshot!(said(6.4e10), @"With a probability of 3 %, the whole program has a quadratic part (at most 4.0 % of its cost now) and costs up to 85 G executions at n = 10 M. A run at n = 2,100,000 would show it.");
    // 96 % of 63 G, and 25 G.
    assert_eq!(said(8.6e10), "");
}

#[test]
fn what_an_answer_costs() {
    let time = |elapsed, elapsed_is, doubts| TimeOutlook {
        seconds: 90_000.0,
        ci: [80_000.0, 100_000.0],
        law: TimeTerms {
            rate: 1e-9,
            counts: 6.3e9,
            startup: 0.0,
            drift: 0.0,
            kept_drift: 0.0,
            margin: 0.1,
            open: 2.0,
            cache: None,
            power: None,
        },
        longest: 6.3,
        elapsed,
        elapsed_is,
        day_up_to: Some(9.8e6),
        fits: Vec::new(),
        doubts,
    };
    let memory = |machine_bytes, doubts| MemoryOutlook {
        bytes: 5e8,
        ci: [4.5e8, 5.6e8],
        constant: 0.0,
        per_unit: 50.0,
        per_power: 0.0,
        exponent: 1.0,
        bounds: [Vec::new(), Vec::new()],
        known: Vec::new(),
        machine_bytes,
        fits_up_to: Some(4e6),
        fits: Vec::new(),
        doubts,
    };
    let costs = |time: Option<TimeOutlook>, memory: Option<MemoryOutlook>| {
        let all = answered(|answer| (answer.time, answer.memory, answer.place) = (time, memory, None));
        all.join(" ")
    };
    let of_time = [
        time(1.0, Elapsed::AsProcessor, Vec::new()),
        time(0.5, Elapsed::Shorter, Vec::new()),
        time(2.0, Elapsed::Longer, Vec::new()),
        time(1.0, Elapsed::AsProcessor, vec![TimeDoubt::Undecided]),
    ];
    let of_memory = [
        memory(Some(52e7 as u64), Vec::new()),
        memory(Some(5e7 as u64), Vec::new()),
        memory(None, vec![MemoryDoubt::Steps]),
        memory(None, vec![MemoryDoubt::Faster]),
        memory(None, vec![MemoryDoubt::MayStep(123_456.0)]),
    ];
    let holders = [Some("n"), Some("1"), None].map(|growth| {
        let holder = MemoryHolder {
            name: "parse.c:40".to_owned(),
            function: "read_all".to_owned(),
            share: 0.78,
            growth: growth.map(str::to_owned),
            feature: None,
            then: None,
        };
        answered(|answer| (answer.memory_holder, answer.place) = (Some(holder), None)).join(" ")
    });
    let lines = [
        of_time.map(|time| costs(Some(time), None)).to_vec(),
        of_memory.map(|memory| costs(None, Some(memory))).to_vec(),
        holders.to_vec(),
        TimeDoubt::ALL.map(|doubt| do_not_rely(doubt, 0.02)).to_vec(),
    ];
    assert_snapshot!(lines.concat().join("\n"), @"
    At n = 10 M (170×): 25 h (22–28). A day is enough up to n = 9,800,000.
    At n = 10 M (170×): 25 h (22–28) of CPU time, 12 h of wall time. A day is enough up to n = 9,800,000.
    At n = 10 M (170×): 25 h (22–28) of CPU time. Wall time is unknown; the longest run took 13 s. A day is enough up to n = 9,800,000.
    At n = 10 M (170×): about 25 h (22–28), 63 G executions (62–64 G). Time is a rough guess: the growth of the cost is unclear. A day is enough up to n = 9,800,000.
    At n = 10 M (170×): 500 MB (450–560) of memory (may exceed the machine's 520 MB), 63 G executions (62–64 G).
    At n = 10 M (170×): 500 MB (450–560) of memory (more than the machine's 50 MB), 63 G executions (62–64 G). The machine's 50 MB is enough up to n = 4,000,000.
    At n = 10 M (170×): about 500 MB (450–560) of memory, 63 G executions (62–64 G). Memory is a rough guess: it grows in steps, like an array that doubles when full.
    At n = 10 M (170×): about 500 MB (450–560) of memory, 63 G executions (62–64 G). Memory is a rough guess: it grows faster than linearly, or in steps; a larger run would decide.
    At n = 10 M (170×): about 500 MB (450–560) of memory, 63 G executions (62–64 G). Memory is a rough guess: at these sizes, arrays that double when full look linear; a run at n = 120,000 would tell.
    At n = 10 M (170×): 63 G executions (62–64 G). Memory: parse.c:40 in read_all holds 78.0 % of the heap at its peak, and grows as n.
    At n = 10 M (170×): 63 G executions (62–64 G). Memory: parse.c:40 in read_all holds 78.0 % of the heap at its peak, and does not grow.
    At n = 10 M (170×): 63 G executions (62–64 G). Memory: parse.c:40 in read_all holds 78.0 % of the heap at its peak.
    Time is a rough guess: the longest run worked for only 20 ms; add one that takes a second.
    Time is a rough guess: it does not follow the counts in these runs; runs of larger sizes would help.
    Time is a rough guess: the working set outgrows a CPU cache before this size, and time grows faster from there; runs of larger sizes would help.
    Time is a rough guess: the growth of the cost is unclear.
    Time is a rough guess: every run waited, or shared the CPU with other processes; an idle machine would help.
    ");
}

#[test]
fn what_is_said_without_an_answer_or_where_it_may_fail() {
    let mut findings = bubble_sort();
    let (seconds, elapsed_seconds, peak_bytes) = (2.0, 9.0, 1_000_000);
    findings.workloads.longest =
        Some(LongestRun { workload: "n=8000".to_owned(), seconds, elapsed_seconds, peak_bytes });
    let mut failing = Findings { answer: Some(answer_with_kernel(0.8)), ..bubble_sort() };
    failing.doubts.push(Doubt::LargestFailed {
        feature: "n".into(),
        largest: 2848.0,
        failed: 3,
        from: 4000.0,
        reason: "exited with 1".to_owned(),
        timed_out: false,
        last_words: "out of memory".to_owned(),
    });
    let sentences = [crate::answer(&findings), crate::answer(&predicted_at(failing, 1e7))].concat();
    assert_snapshot!(sentences.join("\n"), @"
    n=8000 takes 2.0 s of CPU time, 9.0 s of wall time and 1.0 MB of memory without counters. Time at other sizes is not predicted.
    May fail at n = 10 M (170×): the run at n = 4,000 exited with 1.
    At n = 10 M (170×): 63 G executions (62–64 G).
    Nothing that was counted grows faster than n log n. The most expensive function is bubble_sort.c:4 in bubble_sort: 100.0 % of the cost now, 100.0 % then.
    The kernel (not counted) takes 80.0 % of the time now.
    ");
}

#[test]
fn the_verdict_on_a_study() {
    let texts = |findings: &Findings| -> Vec<String> {
        crate::verdict(findings)
            .into_iter()
            .map(|statement| format!("{:?}: {}", statement.kind, statement.text))
            .collect()
    };
    let mut without_intervals = linear();
    for cluster in &mut without_intervals.clusters {
        cluster.fits.models[0].power_law.as_mut().unwrap().b_ci = None;
    }
    let counted = |count| {
        let mut findings = bubble_sort();
        findings.clusters.clear();
        findings.workloads.count = count;
        texts(&findings)
    };
    let studies = [bubble_sort(), linear(), without_intervals, doubtful()].map(|findings| texts(&findings));
    let nothing = [0, 1, 2].map(counted);
    assert_snapshot!([studies.concat(), nothing.concat()].concat().join("\n"), @"
    Grows: bubble_sort.c:4 in bubble_sort costs most and grows fastest: 85.6 % of the most expensive run, up to 5.40 G executions; it grows as n^2 (1.5·n^2 − 0.5·n).
    Grows: bubble_sort.c:6 in bubble_sort also grows faster than linearly: 0.25·n^2.00 (exponent 1.99–2.01); 14.4 % of the most expensive run.
    Dominates: bubble_sort.c:4 in bubble_sort costs most: 85.6 % of the most expensive run, up to 5.40 G executions; it grows as 3.00·n^1.00 (exponent 0.999).
    Steady: Nothing that was run grows measurably faster than linearly in n.
    Dominates: bubble_sort.c:4 in bubble_sort costs most: 85.6 % of the most expensive run, up to 5.40 G executions; it grows as ≈ 3.00·n^1.00 (no interval).
    Steady: No law fits well enough to tell whether anything grows faster than linearly.
    Doubtful: All 3 costly clusters are without intervals, so the precision of their predictions is unknown.
    Grows: bubble_sort.c:4 in bubble_sort costs most and grows fastest: 85.6 % of the most expensive run, up to 5.40 G executions; it grows as n^2 (1.5·n^2 − 0.5·n).
    Overtakes: bubble_sort.c:6 in bubble_sort (rank 2) will overtake bubble_sort.c:4 in bubble_sort (rank 1) at about n = 1,200,000, 21 times the largest run.
    Doubtful: 2 of 3 costly clusters are poorly modelled (R² below 0.9, or no model): bubble_sort.c:6 in bubble_sort, bubble_sort.c:2 in bubble_sort; their predictions are a guess. 1 of 3 costly clusters is without intervals, so the precision of its predictions is unknown.
    Doubtful: No workload was counted: there is nothing to report.
    Doubtful: Only one workload was counted, which shows no growth.
    Doubtful: No cost varies: the program does the same work for every workload.
    ");
}

#[test]
fn growth_and_its_meaning() {
    let range = Some((60.0, 60_000.0));
    let mut few = bubble_sort().clusters[0].fits.models[0].clone();
    few.power_law.as_mut().unwrap().points = 4;
    few.growth.as_mut().unwrap().points = 4;
    let sentences = [&bubble_sort().clusters[0].fits.models[0], &doubtful().clusters[1].fits.models[0], &few]
        .map(|model| growth::sentences(model, range, Some(600_000.0)).join("\n"));
    assert_snapshot!(sentences.join("\n"), @"
    Growth in n: n^2 (support 99 %): 1.5·n^2 − 0.5·n; other laws: n^2 log n (support 1 %): 0.1·n^2 log n + 9·n.
    For large inputs, doubling n multiplies the cost by 4; that term dominates at all sizes that were run.
    Growth in n is undecided between n and n log n: n (support 30 %): 9·n; n log n (support 60 %): 0.8·n log n.
    At n = 600,000 they predict 5.4–9.2 M; one run there would decide, unless the noise is larger than the difference.
    Growth in n: n^2 (support 99 %): 1.5·n^2 − 0.5·n; other laws: n^2 log n (support 1 %): 0.1·n^2 log n + 9·n.
    4 runs are too few to say how it grows (6 are enough). Predictions are a guess.
    ");
    let classes = [
        GrowthClass::Constant,
        GrowthClass::Logarithmic,
        GrowthClass::Linear,
        GrowthClass::Linearithmic,
        GrowthClass::Quadratic,
        GrowthClass::QuadraticLog,
        GrowthClass::Exponential,
        GrowthClass::exponential(1.62),
    ];
    let meanings = classes.map(|class| {
        let mut model = bubble_sort().clusters[0].fits.models[0].clone();
        model.power_law = Some(law(3.0, 1.0, 0.004, 1.0));
        model.growth = Some(verdict_on(&[(class, 1.0, &[(3.0, class)])], 1, None));
        growth::meaning(&model, range, None).unwrap_or_default()
    });
    assert_snapshot!(meanings.join("\n"), @"
    The cost does not depend on n.
    For large inputs, each doubling of n adds the same cost.
    For large inputs, doubling n doubles the cost.
    For large inputs, doubling n slightly more than doubles the cost.
    For large inputs, doubling n multiplies the cost by 4.
    For large inputs, doubling n multiplies the cost by slightly more than 4.
    For large inputs, one more unit of n doubles the cost.
    For large inputs, one more unit of n multiplies the cost by 1.62.
    ");
}

#[test]
fn kinds_of_calls() {
    let law = |growth: &str, formula: &str| KindLaw {
        growth: growth.to_owned(),
        formula: formula.to_owned(),
        is_constant: growth == "1",
    };
    let part = CallShares { calls: 0.75, cost: 0.09 };
    let calls = |growth, formula| KindOfCalls { law: law(growth, formula), part };
    let from = |context: &str, growth| {
        let contexts = vec![context.to_owned()];
        KindOfContexts { contexts, law: law(growth, ""), part }
    };
    let runs = |rule: Option<&str>| Kinds::Runs {
        told_apart_by: None,
        rule: rule.map(str::to_owned),
        cheaper: calls("n", ""),
        costlier: calls("n^2", ""),
    };
    let spread =
        |dearest_part| Kinds::Spread { cheapest: law("1", "3"), dearest: law("n^2", "rms"), dearest_part };
    let kinds = [
        Kinds::Contexts { kinds: vec![from("main → parse", "n"), from("main → print", "n^2")] },
        runs(None),
        runs(Some("`random` in the name is more expensive")),
        Kinds::Trends { cheaper: calls("n", "2·rms"), costlier: calls("n", "26·rms + 5") },
        spread(Some(part)),
        spread(None),
    ];
    assert_snapshot!(kinds.map(|kinds| sentence(&kinds)).join("\n"), @"
    Two kinds of calls: those from parse cost n (75.0 % of the calls, 9.0 % of the cost), those from print cost n^2 (75.0 % of the calls, 9.0 % of the cost).
    Two kinds of calls, in different runs: in some runs they cost n (75.0 % of the calls, 9.0 % of the cost), in the others n^2 (75.0 % of the calls, 9.0 % of the cost).
    Two kinds of calls, in different runs: in some runs they cost n (75.0 % of the calls, 9.0 % of the cost), in the others n^2 (75.0 % of the calls, 9.0 % of the cost); `random` in the name is more expensive.
    Two kinds of calls, on two curves: the cheaper cost 2·rms (75.0 % of the calls, 9.0 % of the cost), the costlier 26·rms + 5 (75.0 % of the calls, 9.0 % of the cost). The law of the worst call is that of the costlier kind.
    Two kinds of calls: the cheapest of a size cost 3, the most expensive n^2 (75.0 % of the calls, 9.0 % of the cost).
    Calls of one size differ more at larger sizes: the cheapest cost 3, the most expensive n^2.
    ");
}

#[test]
fn what_cannot_be_shown() {
    let nearest = || vec!["shift".to_owned(), "insert".to_owned()];
    let name = || "shitf".to_owned();
    let errors = [
        ReportError::UnknownFeature { name: name(), nearest: nearest() },
        ReportError::UnknownFeature { name: name(), nearest: Vec::new() },
        ReportError::Unknown { name: name(), nearest: nearest() },
        ReportError::Unknown { name: name(), nearest: Vec::new() },
        ReportError::Ambiguous { name: name(), candidates: nearest(), more: 0 },
        ReportError::Ambiguous { name: name(), candidates: nearest(), more: 7 },
        ReportError::NoSeries(SeriesKind::Routine),
        ReportError::NoSeries(SeriesKind::Line),
        ReportError::NotSampled,
        ReportError::NotPredicted,
        ReportError::NothingPredicted,
        ReportError::TooLarge { name: name(), at: "n = 10 M".to_owned() },
        ReportError::NoMemoryLines,
        ReportError::NoLoops,
        ReportError::NoLoopAt { place: "a.c:9".to_owned(), near: vec!["a.c:4".to_owned()] },
        ReportError::NoLoopAt { place: "a.c:9".to_owned(), near: Vec::new() },
        ReportError::NoContexts(SeriesKind::Routine),
        ReportError::NoSuchVariable { variable: Variable::Rms, measured: vec![Variable::Drms] },
        ReportError::NoSuchSort,
        ReportError::NotAnalyzed { rows: "lines" },
    ];
    assert_snapshot!(errors.map(|error| error.to_string()).join("\n"), @"
    no feature named `shitf`; nearest: shift, insert
    no feature named `shitf` (the study has none)
    no cluster, function, routine or line named `shitf`; nearest: shift, insert
    no cluster, function, routine or line named `shitf` (the study has none)
    `shitf` is ambiguous: shift; insert
    `shitf` is ambiguous: shift; insert; and 7 more
    the study has no routines by input size; record them with `trend-prof build --probe routines`
    the study has no lines by input size; record them with `trend-prof run --memory-by-line`
    the study has no time samples; `trend-prof run` samples runs of at least 20 ms without counters, and warns if it cannot (scripts, or /proc/sys/kernel/perf_event_paranoid above 2)
    shares of the time need a prediction, and this study has none; run more sizes (`trend-prof show` suggests them)
    no law predicts the cost of a function at that size; run more sizes (`trend-prof show` suggests them)
    the cost of shitf at n = 10 M exceeds pprof's largest number, 9.2·10¹⁸; export speedscope, or give a smaller size
    the study has no memory by line; record it with `trend-prof run --memory-by-line`
    the study has no loops; record them with a program built by `trend-prof build --probe loops`
    no loop at a.c:9; near it: a.c:4
    no loop at a.c:9
    the study has no calling contexts; record them with `trend-prof build --probe routines --contexts`
    the study's input sizes were measured as drms, not as rms; measure it with `trend-prof build --probe routines`, or with aprof
    rows measured by their own input size have no common predicted cost; sort by cost, share or exponent
    the findings have no lines; analyze with that kind of row
    ");
}
