//! Tests of the sentences at the top.

use crate::tests::analyze;
use trend_analyze::{
    Answer, AnswerKind, AnswerPlace, CodeKind, Coordinate, Doubt, Given, GrowthClass, LongestRun, NextRuns,
    Options, Outlook, PartGrowth, Point, SampledRun, Source, TimePart, TimePartKind, TimeParts, Unnamed,
};

use trend_profile::{FeatureId, Observation, ObservationParts, Series, Study, StudyParts, Symbol, Variable};

use super::*;
use crate::tests::sample::{bubble_sort, predicted_at, verdict_on};

/// Returns findings in which everything grows linearly.
pub(super) fn linear() -> Findings {
    let mut findings = bubble_sort();
    let of_functions = findings.functions.iter_mut().map(|row| &mut row.fits.models[0]);
    for model in findings.clusters.iter_mut().map(|cluster| &mut cluster.fits.models[0]).chain(of_functions) {
        model.power_law = Some(law(3.0, 0.999, 0.004, 1.0));
        model.growth = None;
    }
    findings
}

#[test]
fn the_verdict_says_that_nothing_grows_only_where_intervals_say_so() {
    let mut findings = linear();
    let texts = |f: &Findings| verdict(f).into_iter().map(|s| s.text).collect::<Vec<_>>().join("\n");
    assert!(texts(&findings).contains("Nothing that was run grows"));
    for cluster in &mut findings.clusters {
        cluster.fits.models[0].power_law.as_mut().unwrap().b_ci = None;
    }
    assert!(texts(&findings).contains("No law fits well enough to tell"), "{}", texts(&findings));
    assert!(texts(&findings).contains("All 3 costly clusters are without intervals"));
    findings.clusters.clear();
    findings.workloads.count = 1;
    assert!(texts(&findings).starts_with("Only one workload "), "{}", texts(&findings));
}

#[test]
fn what_grows_fastest_and_costs_little_says_whether_that_will_change() {
    let row = |f: &dyn Fn(f64) -> f64| {
        let costs = (0..10).map(|i| f(f64::from(100 << i)).round().to_string());
        costs.collect::<Vec<_>>().join(" ")
    };
    // The n² part is 0.5 % of the cost at 51,200, and 5 % at ten times that size.
    let lines = format!("a.c:4:line: {}\na.c:9:rare: {}", row(&|n| 1e5 * n), row(&|n| n * n / 100.0));
    let study = Study::from_text(&format!("n: {}\n{lines}", row(&|n| n))).unwrap();
    let findings = crate::tests::analyze(&study, &trend_analyze::Options::default()).unwrap();
    let texts: Vec<String> = verdict(&findings).into_iter().map(|s| s.text).collect();
    let sentence = texts.iter().find(|text| text.contains("grows fastest"));
    assert!(
        sentence.is_some_and(
            |sentence| sentence.ends_with("; 0.5 % of the most expensive run, 4.9 % at n = 512,000.")
        ),
        "{texts:?}"
    );
}

#[test]
fn an_exponential_says_by_how_much_a_unit_multiplies_the_cost() {
    let mut model = bubble_sort().clusters[0].fits.models[0].clone();
    for (base, meaning) in [(2.0, "doubles the cost"), (1.62, "multiplies the cost by 1.62")] {
        let class = if base == 2.0 { GrowthClass::Exponential } else { GrowthClass::exponential(base) };
        model.growth = Some(verdict_on(&[(class, 1.0, &[(3.0, class)])], 1, Some(true)));
        let sentences = crate::words::growth::sentences(&model, Some((5.0, 30.0)), None).join(" ");
        assert!(sentences.contains(&format!("one more unit of n {meaning}.")), "{sentences}");
    }
}

#[test]
fn a_fit_through_two_sizes_makes_no_headline() {
    let mut findings = bubble_sort();
    for model in findings.clusters.iter_mut().flat_map(|c| &mut c.fits.models) {
        model.growth = None;
        let law = model.power_law.as_mut().unwrap();
        (law.points, law.sizes, law.span) = (6, 2, 1000.0);
    }
    let statements = verdict(&findings);
    assert!(statements.iter().all(|s| s.kind != StatementKind::Grows), "{statements:?}");
    let first = &statements[0].text;
    assert!(first.contains("; 2 sizes are too few ") && first.contains("(4 are enough)"), "{first}");
}

#[test]
fn too_few_runs_are_said_wherever_growth_is() {
    let study =
        Study::from_text("n: 1000 2000 4000 8000\na.c:3:f: 1000000 4000000 16000000 64000000").unwrap();
    let mut findings = analyze(&study, &Options::default()).unwrap();
    let (seconds, elapsed_seconds, peak_bytes) = (2.0, 2.0, 1_000_000);
    findings.workloads.longest =
        Some(LongestRun { workload: "n=8000".to_owned(), seconds, elapsed_seconds, peak_bytes });
    let missing = "4 runs are too few to say how it grows (6 are enough).";
    let statements = verdict(&findings);
    assert!(statements[0].text.ends_with(missing), "{statements:?}");
    let answer = answer(&findings);
    assert!(answer[0].ends_with(&format!(" is not predicted: {missing}")), "{answer:?}");
    let table = table(&findings, Some(&study), &TableOptions::default()).unwrap();
    assert!(table.contains("n^2 ?"), "{table}");
    let meaning = crate::words::growth::meaning(&findings.clusters[0].fits.models[0], None, None);
    assert!(meaning.is_some_and(|meaning| meaning.starts_with(missing) && meaning.ends_with("a guess.")));
}

#[test]
fn what_may_or_may_not_grow_faster_than_linearly_is_said_to_be_undecided() {
    let statements = verdict(&doubtful());
    let undecided = statements.iter().find(|s| s.text.contains("may grow faster"));
    assert!(undecided.is_none(), "a poor fit is told of once: {statements:?}");
    let mut findings = doubtful();
    findings.clusters[1].fits.models[0].power_law = Some(law(2.0, 1.1, 0.05, 0.99));
    // A log factor makes no difference at ten times the size.
    let of_second = |findings: &Findings| {
        verdict(findings)
            .into_iter()
            .find(|s| s.kind == StatementKind::Doubtful && s.cluster.as_deref() == Some("bubble_sort.c:6"))
    };
    assert!(of_second(&findings).is_none());
    let (line, square) = (GrowthClass::Linear, GrowthClass::Quadratic);
    let rivals = [(line, 0.6, &[(9.0, line)][..]), (square, 0.4, &[(0.2, square)][..])];
    findings.clusters[1].fits.models[0].growth = Some(verdict_on(&rivals, 2, None));
    let statements = verdict(&findings);
    let undecided = of_second(&findings).unwrap();
    assert!(undecided.text.contains("(n or n^2)"), "{}", undecided.text);
    assert_eq!(undecided.cluster.as_deref(), Some("bubble_sort.c:6"));
    let grows = statements.iter().filter(|s| s.kind == StatementKind::Grows);
    assert!(grows.map(|s| s.cluster.as_deref()).all(|c| c == Some("bubble_sort.c:4")), "{statements:?}");
}

#[test]
fn further_runs_are_advised_only_where_they_help() {
    let mut findings = doubtful();
    let model = &mut findings.clusters[1].fits.models[0];
    model.power_law = Some(law(2.0, 1.1, 0.05, 0.99));
    let (line, square) = (GrowthClass::Linear, GrowthClass::Quadratic);
    let rivals = [(line, 0.6, &[(9.0, line)][..]), (square, 0.4, &[(0.2, square)][..])];
    model.growth = Some(verdict_on(&rivals, 2, None));
    let undecided_with = |sizes: &[f64], decides| {
        let mut findings = findings.clone();
        findings.clusters[1].fits.models[0].next = Some(NextRuns {
            feature: "n".to_owned(),
            sizes: sizes.to_vec(),
            costs: sizes.to_vec(),
            inputs: 1,
            decides,
            message: String::new(),
        });
        let undecided = verdict(&findings).into_iter().find(|s| s.text.contains("may grow faster"));
        undecided.unwrap().text
    };
    let sentence = undecided_with(&[120_000.0], true);
    assert!(sentence.ends_with(" in n (n or n^2); further runs would tell."), "{sentence}");
    assert!(undecided_with(&[120_000.0], false).ends_with("; further runs would help."));
    // The advice says that no runs help.
    assert!(undecided_with(&[], false).ends_with(" in n (n or n^2)."));
}

#[test]
fn what_costs_in_small_runs_only_and_is_constant_makes_no_headline() {
    let mut findings = bubble_sort();
    let cluster = &mut findings.clusters[2];
    (cluster.max_share, cluster.share_of_largest) = (0.9, 0.0001);
    cluster.share_now = cluster.share_of_largest;
    cluster.fits.models[0].power_law.as_mut().unwrap().r2 = 0.1;
    cluster.fits.models[0].growth = None;
    let doubtful = |findings: &Findings| {
        verdict(findings)
            .iter()
            .any(|s| s.kind == StatementKind::Doubtful && s.text.contains("poorly modelled"))
    };
    assert!(doubtful(&findings));
    findings.clusters[2].costs.fill(180_000);
    assert!(!doubtful(&findings), "{:?}", verdict(&findings));
    findings.clusters[2].share_of_largest = 0.5;
    assert!(doubtful(&findings));
}

#[test]
fn another_function_of_the_costliest_cluster_is_named_with_it() {
    let mut findings = bubble_sort();
    assert!(!verdict(&findings)[0].text.contains("Its cost rises and falls with"));
    let cluster = &mut findings.clusters[0];
    let mut member = cluster.members[0].clone();
    (member.name, member.function) = ("list.c:7".into(), "append".into());
    member.max_cost = cluster.max_cost / 5;
    cluster.members.push(member);
    assert!(verdict(&findings)[0].text.ends_with(". Its cost rises and falls with list.c:7 in append."));
    findings.clusters[0].members.last_mut().unwrap().max_cost /= 4;
    assert!(!verdict(&findings)[0].text.contains("Its cost rises and falls with"));
}

#[test]
fn code_that_is_not_the_users_is_told_of_where_most_of_the_cost_is_there() {
    let mut findings = bubble_sort();
    let cluster = &mut findings.clusters[0];
    let library = cluster.members[0].clone();
    let library = trend_analyze::Member {
        name: "/usr/include/shared_ptr.h:317".into(),
        function: "std::_Sp<std::vector<int> >::_M_release()".into(),
        file: "/usr/include/shared_ptr.h".into(),
        own: false,
        line: 317,
        max_cost: cluster.max_cost / 2,
        ..library
    };
    cluster.members.insert(0, library);
    let text = &verdict(&findings)[0].text;
    assert!(text.starts_with("bubble_sort.c:4 in bubble_sort costs most"), "{text}");
    let library = "/usr/include/shared_ptr.h:317 in std::_Sp<…>::_M_release()";
    assert!(text.ends_with(&format!("library code: {library}.")), "{text}");
    let page = shown(&crate::page(&findings, None, "1", &at_width(200)).unwrap());
    let page = page.replace('\n', " ");
    assert!(page.contains(&format!("library code: {library}. Your lines")), "{page}");
    assert!(page.contains("callers: bubble_sort.c:4 in bubble_sort."), "{page}");
}

#[test]
fn what_is_linear_or_within_a_log_factor_of_it_is_said_to_be_that() {
    let mut findings = bubble_sort();
    let (line, log) = (GrowthClass::Linear, GrowthClass::Linearithmic);
    let of_functions = findings.functions.iter_mut().map(|row| &mut row.fits.models[0]);
    for model in findings.clusters.iter_mut().map(|cluster| &mut cluster.fits.models[0]).chain(of_functions) {
        let rivals: [crate::tests::sample::Class<'_>; 2] =
            [(line, 0.6, &[(9.0, line)]), (log, 0.4, &[(0.5, log)])];
        model.growth = Some(verdict_on(&rivals, 2, None));
    }
    let statements = verdict(&findings);
    let steady = statements.iter().find(|s| s.kind == StatementKind::Steady).unwrap();
    assert!(steady.text.contains("at most linear in n, or within a log factor"), "{}", steady.text);
    assert!(statements.iter().all(|s| s.kind != StatementKind::Doubtful), "{statements:?}");
}

#[test]
fn that_all_larger_runs_failed_is_said_first_and_before_predictions() {
    let mut findings = bubble_sort();
    let failed = |timed_out| Doubt::LargestFailed {
        feature: "n".into(),
        largest: 2848.0,
        failed: 3,
        from: 4000.0,
        reason: "exited with 1".to_owned(),
        timed_out,
        last_words: "out of memory".to_owned(),
    };
    // A run that timed out may be as expensive as predicted, so the prediction is no guess.
    let mut slow = bubble_sort();
    slow.doubts.push(failed(true));
    let warning = verdict(&slow)[0].text.clone();
    assert!(warning.contains("is the largest run that succeeded") && !warning.contains("guess"), "{warning}");
    findings.doubts.push(failed(false));
    let statements = verdict(&findings);
    let first = statements[0].text.as_str();
    let doubt = findings.doubts[0].to_string();
    assert!(first.starts_with(&doubt) && first.ends_with(" are a guess."), "{first}");
    let flat = |text: String| shown(&text).split_whitespace().collect::<Vec<_>>().join(" ");
    let at = |text: &str, what: &str| text.find(what).unwrap_or_else(|| panic!("{what}: {text}"));
    let table = flat(table(&findings, None, &at_width(100)).unwrap());
    assert!(at(&table, first) < at(&table, "costs most") && !table.contains("warning:"), "{table}");
    // If the target is beyond the failed size, the warning also precedes the answer.
    let answer_at = |findings: &Findings, at| {
        let answer = Some(answer_with_kernel(0.1));
        crate::answer(&predicted_at(Findings { answer, ..findings.clone() }, at))[0].clone()
    };
    let fails = answer_at(&findings, 1e7);
    assert!(fails.starts_with("May fail at n = 10 M (170×): the run at n = 4,000 "), "{fails}");
    assert!(
        !answer_at(&findings, 3900.0).contains("may fail") && !answer_at(&slow, 1e7).contains("may fail")
    );
    let predicted = flat(prediction_table(&predicted_at(findings.clone(), 1e7), &at_width(100)).unwrap());
    assert!(at(&predicted, first) < at(&predicted, "The whole program costs"), "{predicted}");
    let markdown = markdown(&findings, &TableOptions::default()).unwrap();
    assert!(at(&markdown, "is the largest run that succeeded") < at(&markdown, "costs most"), "{markdown}");
    let json: serde_json::Value = serde_json::from_str(&crate::json(&findings)).unwrap();
    assert_eq!(
        json["doubts"][0]["numbers"],
        serde_json::json!({"largest": 2848.0, "failed": 3.0, "from": 4000.0})
    );
    assert!(
        at(&html_page(&findings), "is the largest run that succeeded")
            < at(&html_page(&findings), "costs most")
    );
}

#[test]
fn a_study_of_routines_alone_opens_with_them() {
    let routine = |name: &str, own: u64, cost: fn(u64) -> u64| {
        let observation = |i: u64| {
            let own = Some(own / 39 + u64::from(i == 1) * (own % 39));
            let parts = ObservationParts { own, ..ObservationParts::default() };
            Observation { parts, ..Observation::of_one(10 * i, cost(10 * i)) }
        };
        let observations = (1..40).map(observation).collect();
        Series::of_routine(Symbol::plain(name), "prog", Variable::Rms, observations)
    };
    let series = vec![routine("read", 90_000, |n| 900 * n), routine("sort<int>", 10_000, |n| 4 * n * n)];
    let drawn = StudyParts::from_text("prog:0:read: 90000\nprog:0:sort<int>: 10000").unwrap();
    let study = Study::new(StudyParts { series, ..drawn }).unwrap();
    let findings = crate::tests::analyze(&study, &trend_analyze::Options::default()).unwrap();
    let statements = verdict(&findings);
    let about = |s: &Statement| (s.kind, s.series.map(|i| findings.series[i].name.clone()));
    assert_eq!(
        statements.iter().map(about).collect::<Vec<_>>(),
        [
            (StatementKind::Dominates, Some("read".to_owned())),
            (StatementKind::Grows, Some("sort<int>".to_owned()))
        ]
    );
    let [first, second] = [0, 1].map(|i| statements[i].text.as_str());
    assert!(first.starts_with("read ") && first.contains(" 90.0 k executions in 39 calls; "), "{first}");
    assert!(first.ends_with(" n in rms (900·rms)."), "{first}");
    assert!(second.starts_with("sort<…> ") && second.ends_with(" n^2 in rms (4·rms^2)."), "{second}");
    let options = at_width(100);
    let opened = shown(&table(&findings, Some(&study), &options).unwrap());
    assert!(opened.contains("worst call grows") && !opened.contains("warning"), "{opened}");
    let markdown = markdown(&findings, &options).unwrap();
    assert!(markdown.contains("| sort&lt;…&gt; | rms | 39 | 39 |"), "{markdown}");
    assert!(!html(&findings, &study, &PAGE).contains("Only one workload was counted"));
}

#[test]
fn where_work_was_not_counted_the_verdict_begins_with_it_and_claims_nothing_of_the_whole() {
    let mut findings = linear();
    let kinds = |f: &Findings| verdict(f).iter().map(|s| s.kind).collect::<Vec<_>>();
    assert_eq!(kinds(&findings), [StatementKind::Dominates, StatementKind::Steady]);
    let program = "sort".to_owned();
    findings.doubts.push(Doubt::MostlyUncounted {
        seconds: 1.0,
        count: 9.0,
        code: CodeKind::Native,
        program,
    });
    assert_eq!(kinds(&findings), [StatementKind::Doubtful, StatementKind::Dominates]);
    assert!(verdict(&findings)[0].text.starts_with("Some of the work was not counted"));
}

#[test]
fn where_the_kernel_takes_the_time_nothing_is_claimed_of_the_whole() {
    let mut findings = linear();
    let at = Coordinate {
        id: FeatureId(0),
        feature: "n".to_owned(),
        at: 600_000.0,
        given: Given::Multiple { of_p95: 10.0 },
    };
    findings.points = vec![Point { values: vec![at], asked: false }];
    let kernel = |share| {
        let mut findings = findings.clone();
        findings.answer = Some(answer_with_kernel(share));
        let claims =
            |text: &str| text.starts_with("Nothing grows") || text.starts_with("Nothing that was run");
        let answer = crate::answer(&findings)[1..].join(" ");
        let is_in_verdict = verdict(&findings).iter().any(|statement| claims(&statement.text));
        ([claims(&answer), is_in_verdict], answer)
    };
    assert_eq!(kernel(0.1).0, [true, true]);
    let (claims, answer) = kernel(0.8);
    assert_eq!(claims, [false, false]);
    assert!(answer.starts_with("Nothing that was counted grows"), "{answer}");
    assert!(answer.contains(": 100.0 % of the cost now, 100.0 % then. The kernel"), "{answer}");
    assert!(answer.ends_with(" takes 80.0 % of the time now."), "{answer}");
}

/// Returns an answer without a culprit, with a run of one second in which the kernel has this share.
pub(super) fn answer_with_kernel(share: f64) -> Answer {
    let kernel = TimePart {
        kind: TimePartKind::Kernel,
        name: String::new(),
        file: String::new(),
        line: 0,
        share,
        share_error: 0.01,
        share_smaller: None,
        seconds: share,
        seconds_then: 10.0 * share,
        share_then: share,
        growth: PartGrowth::Whole,
        counts: None,
        power: None,
        contradicted: false,
        is_counted: false,
    };
    let run = SampledRun {
        workload: "n=60000".to_owned(),
        seconds: 1.0,
        sampled_seconds: 1.0,
        samples: 1000,
        lost: 0,
    };
    let place = AnswerPlace {
        function: "bubble_sort".to_owned(),
        file: "bubble_sort.c".to_owned(),
        line: 4,
        repeating: None,
        is_own: true,
        caller: None,
        branching: None,
        share: 1.0,
        share_then: 1.0,
        share_then_ci: None,
        time_shares: None,
        costliest: true,
    };
    Answer {
        point: 0,
        whole: Outlook { cost: 6.3e10, ci: Some([6.2e10, 6.4e10]), source: Source::PowerLaw },
        whole_now: 6.3e9,
        run_now: 29,
        time: None,
        time_parts: Some(TimeParts {
            run,
            smaller: None,
            counts: 6.3e9,
            size: Some(60_000.0),
            rows: vec![kernel],
        }),
        memory: None,
        memory_holder: None,
        kind: AnswerKind::Steady,
        place: Some(place),
        next: None,
        spread: None,
        groups: Vec::new(),
        unnamed: Some(Unnamed { large_only: false, certain: true }),
    }
}
