//! Tests of the page of a routine by the size of its input.

use crate::tests::analyze;
use trend_analyze::{Findings, Options};
use trend_profile::{Observation, ObservationParts, Series, SeriesKind, Study, StudyParts, Symbol, Variable};

use super::*;

/// Returns a routine's series as a whole, and for its calls from main at the smaller sizes. Each size n has two calls,
/// which cost `cost(n)` and half of it. A quarter of the input comes from the kernel.
fn routine(name: &str, variable: Variable, cost: fn(u64) -> u64) -> [Series; 2] {
    let observation = |i: u64| {
        let (size, greatest) = (4 * i, cost(4 * i));
        let (least, sum) = (greatest / 2, greatest + greatest / 2);
        let parts = ObservationParts {
            outermost: Some(sum),
            own: Some(sum / 3),
            from_kernel: Some(2 * i),
            from_threads: Some(0),
            ..ObservationParts::NONE
        };
        let sum_of_squares = (least * least + greatest * greatest) as f64;
        Observation {
            count: 2,
            min: least,
            max: greatest,
            sum,
            sum_of_squares,
            parts,
            ..Observation::at(size)
        }
    };
    let all = Series::of_routine(Symbol::plain(name), "s.c", variable, (1..=60).map(observation).collect());
    let mut called = all.clone();
    called.place.context = "main".to_owned();
    called.observations.truncate(30);
    [all, called]
}

/// Returns a study of runs with these sizes n, which called the routines `sort` and `sum`.
fn study(sizes: &[u64]) -> Study {
    Study::new(parts(sizes)).unwrap()
}

fn parts(sizes: &[u64]) -> StudyParts {
    let n = sizes.iter().map(u64::to_string).collect::<Vec<_>>().join(" ");
    let text = format!("n: {n}\ns.c:7:sort: {n}\ns.c:20:sum: {n}\n");
    let mut parts = StudyParts::from_text(&text).unwrap();
    let series = [routine("sort", Variable::Drms, |n| n * n), routine("sum", Variable::Drms, |n| 6 * n)];
    parts.functions.iter_mut().for_each(|function| function.line = 7);
    StudyParts { series: series.into_iter().flatten().collect(), ..parts }
}

#[test]
fn sizes_are_dynamic_where_these_were_measured_unless_somebody_chooses() {
    let rms = |name| Series {
        variables: vec![Variable::Rms],
        ..routine(name, Variable::Rms, |n| 9 * n)[0].clone()
    };
    let drawn = study(&[5]);
    let all = [rms("sort"), rms("main")].into_iter().chain(drawn.series().iter().cloned());
    let workloads = drawn.workloads().to_vec();
    let study = Study::new(StudyParts { workloads, series: all.collect(), ..StudyParts::default() }).unwrap();
    let names_with = |variable| {
        let mut findings = analyzed(&study);
        choose_variable(&mut findings, variable).map(|()| {
            let row = |row: &trend_analyze::SeriesRow| format!("{} {}", row.name, row.variables[0].name());
            findings.series.iter().filter(|row| row.context.is_none()).map(row).collect::<Vec<_>>()
        })
    };
    assert_eq!(names_with(None).unwrap(), ["sort drms", "main rms", "sum drms"]);
    assert_eq!(names_with(Some(Variable::Rms)).unwrap(), ["main rms", "sort rms"]);
    assert_eq!(names_with(Some(Variable::Drms)).unwrap(), ["sort drms", "sum drms"]);
    let chosen = choose_variable(&mut analyzed(&drawn), Some(Variable::Rms));
    let measured = vec![Variable::Drms];
    assert_eq!(chosen, Err(ReportError::NoSuchVariable { variable: Variable::Rms, measured }));
}

fn analyzed(study: &Study) -> Findings {
    let rows = [trend_analyze::Rows::Functions].into();
    analyze(study, &Options { rows, ..Options::default() }).unwrap()
}

#[test]
fn the_page_of_a_routine_tells_all_about_its_cost_by_the_size_of_its_input() {
    let study = study(&[5]);
    let options = TableOptions { top: Some(5), ..at_width(80) };
    let text = crate::page(&analyzed(&study), Some(&study), "sort", &options).unwrap();
    insta::assert_snapshot!(shown(&text), @r"
    sort  s.c:7
    1.77 M executions with callees, 100.0 % of the program; 590 k executions self,
    33.3 %; 120 calls with 60 input sizes from 4 to 240 cells (drms).
    The input size drms (dynamic read memory size) is the number of memory cells
    that a call reads before it writes them. A cell counts again if the kernel or
    another thread wrote to it since.
    25.0 % of its input came from the kernel (such as files), 0.0 % from other
    threads.
    All calls together read 14,640 cells.

    The worst call of each size:
    Growth in drms: n^2 (support 100 %): drms^2.
    For large inputs, doubling drms multiplies the cost by 4.

    Cost of the worst call over drms, both logarithmic
          │                                                               ⢀⡠◇⠒⠉
          │                                                          ⢀⣀⠤⠒⠉⠁
          │                                                     ⢀⣀⠤⠒⠊⠁
          │                                                ⢀◇⠤⠒⠊⠁
    100 k ┤                                            ⣀⠤⠔⠊⠁
          │                                       •••••
          │                                  •••••
          │                             •••••
          │                        •••••
     1000 ┤                   ⢀••⠒•
          │              ⢀⡠•⠒•⠁
          │         •⡠⠤⠒•⠁
          │    ⢀⣀⠤⠒⠉⠁
       10 ┤⣀⠤•⠊⠁
          └───────────┬──────────────────────┬─────────────────────┬───────────
                     10                     100                  1000
    line: n^2: drms^2; ◇ predictions; shaded: 95 % interval.

    Predictions
       drms    cost  95 % interval  of the largest size  from
      456     208 k        207.9 k                 1.9×  n^2
    2,280    5.20 M        5.198 M                 9.5×  n^2

    Worst, average and best call
    call     growth  law          as a + b·n^c            R²
    worst    n^2     drms^2       0.00043 + 1.0·n^2.0   1.00
    average  n^2     0.75·drms^2  0.00025 + 0.75·n^2.0  1.00
    best     n^2     0.5·drms^2   0.00022 + 0.50·n^2.0  1.00
    self     n^2     0.25·drms^2  0.00011 + 0.25·n^2.0  1.00

    Calls by input size
     drms  calls   least    mean  greatest     all  of its cost
      4      2       8      12        16      24         <0.1 %
     60      2    1800    2700      3600    5400          0.3 %
    120      2    7200    10.8 k    14.4 k  21.6 k        1.2 %
    180      2    16.2 k  24.3 k    32.4 k  48.6 k        2.7 %
    240      2    28.8 k  43.2 k    57.6 k  86.4 k        4.9 %
    55 more sizes; --top 60 shows all.

    Calling contexts
    called from  sizes  calls   cost  of its cost  worst call grows  law
    main            30   60    227 k       12.8 %  n^2               drms^2
    ");
}

#[test]
fn the_place_in_the_program_follows_where_workloads_have_several_sizes() {
    let study = study(&[5, 10, 20, 40, 80]);
    let findings = analyzed(&study);
    let text = crate::page_markdown(&findings, Some(&study), "sum", &at_width(80)).unwrap();
    let headings: Vec<&str> = text.lines().filter(|line| line.starts_with('#')).collect();
    assert_eq!(
        headings,
        [
            "## sum  s.c:7",
            "### Predictions",
            "### Worst, average and best call",
            "### Calls by input size",
            "### Calling contexts",
            "## sum  s.c:7",
            "### Predictions",
            "### Lines",
            "### Other models"
        ]
    );
    assert!(text.contains("| 4 | 2 | 12 | 18 | 24 | 36 | "), "{text}");
    assert!(text.contains("40 more sizes.\n"), "{text}");
    let error = crate::page(&findings, None, "sot", &at_width(80)).unwrap_err().to_string();
    assert!(error.contains("nearest: sort"), "{error}");
}

/// Returns a study of runs with growing n: each calls `sort` once on n cells, and n times on 4 cells.
fn study_of_runs() -> Study {
    let sizes = [10, 20, 40, 80, 160, 320, 640];
    let run = |(workload, &n): (usize, &u64)| {
        let observation = |size: u64, count: u64, cost: u64| Observation {
            count,
            min: cost,
            max: cost,
            sum: count * cost,
            sum_of_squares: (count * cost * cost) as f64,
            parts: ObservationParts {
                outermost: Some(count * cost),
                own: Some(2 * count),
                ..ObservationParts::default()
            },
            ..Observation::at(size)
        };
        let observations = vec![observation(4, n, 10), observation(1000 + n, 1, 3 * n * n)];
        let series = Series::of_routine(Symbol::plain("sort"), "s.c", Variable::Drms, observations);
        Series { workload: trend_profile::WorkloadId(workload as u32), ..series }
    };
    Study::new(StudyParts { series: sizes.iter().enumerate().map(run).collect(), ..parts(&sizes) }).unwrap()
}

#[test]
fn what_all_calls_of_a_run_cost_is_told_by_the_features_of_the_runs() {
    let study = study_of_runs();
    let text = crate::page_markdown(&analyzed(&study), Some(&study), "sort", &at_width(80)).unwrap();
    let of_runs = text.split("### All calls of a run, by the features of the runs").nth(1).unwrap();
    let rows: Vec<&str> = of_runs.lines().filter(|line| line.starts_with("| ")).take(4).collect();
    assert_eq!(
        rows[2..],
        [r"| all calls | n | n\^2 | 3·n\^2 + 10·n |", "| self | n | n | 2·n + 2 |"],
        "{text}"
    );
}

#[test]
fn the_findings_of_one_routine_have_its_rows_and_what_was_measured() {
    let study = study(&[5]);
    let findings = analyzed(&study);
    let one = crate::findings_of(&findings, "sort").unwrap();
    let rows: Vec<_> = one.series.iter().map(|row| (&*row.name, row.context.as_deref())).collect();
    assert_eq!(rows, [("sort", None), ("sort", Some("main"))]);
    assert_eq!((one.functions.len(), &*one.functions[0].name, one.clusters.len()), (1, "sort", 0));
    let tuple = &one.series[0].tuples[2];
    assert_eq!((tuple.sizes.as_slice(), tuple.count, tuple.min, tuple.max), (&[12][..], 2, 72, 144));
    assert_eq!((tuple.sum, tuple.sum_of_squares, tuple.self_sum), (216, Some(25_920.0), Some(72)));
    assert!(findings.series.iter().all(|row| row.tuples.is_empty()));
    let error = crate::findings_of(&findings, "sot").unwrap_err().to_string();
    assert!(error.contains("nearest: sort"), "{error}");
}

#[test]
fn kinds_of_calls_are_told_among_the_facts_of_a_routine() {
    let calls = |i: u64| Observation {
        count: 10,
        min: 3,
        max: 8 * i,
        sum: 9 * 3 + 8 * i,
        sum_of_squares: (81 + 64 * i * i) as f64,
        ..Observation::at(8 * i)
    };
    let series =
        vec![Series::of_routine(Symbol::plain("get"), "s.c", Variable::Rms, (2..40).map(calls).collect())];
    let workloads = study(&[5]).workloads().to_vec();
    let study = Study::new(StudyParts { workloads, series, ..StudyParts::default() }).unwrap();
    let text = crate::page_markdown(&analyzed(&study), None, "get", &at_width(80)).unwrap();
    let sentence = text.lines().find(|line| line.contains("Two kinds of calls"));
    assert!(
        sentence.is_some_and(|sentence| sentence.contains(" cost 3, ") && sentence.contains(" n (10.0 % ")),
        "{text}"
    );
}

#[test]
fn a_law_that_describes_its_costs_poorly_is_no_decided_one_in_list_and_page() {
    let study = study(&[5]);
    let mut findings = analyzed(&study);
    let table = |findings: &Findings| {
        crate::series_table(findings, SeriesKind::Routine, SeriesFilter::default(), &at_width(120)).unwrap()
    };
    assert!(!table(&findings).contains(" ?"));
    for row in &mut findings.series {
        let model = &mut row.worst.fits.models[0];
        model.power_law.as_mut().unwrap().r2 = 0.01;
        model.growth.as_mut().unwrap().classes.iter_mut().for_each(|class| class.spread = 1.0);
    }
    assert!(table(&findings).contains("n^2 ?"), "{}", table(&findings));
    let text = crate::page(&findings, Some(&study), "sort", &at_width(120)).unwrap();
    assert!(text.contains("The law fits the costs poorly. Predictions are a guess."), "{text}");
    assert!(!text.contains("For large inputs, doubling"), "{text}");
}

#[test]
fn where_calls_of_one_size_cost_very_differently_drms_is_proposed() {
    let read = |variable, sizes: u64, least: u64| {
        let observation =
            |size| Observation { count: 9, min: least, max: 100, sum: 500, ..Observation::at(size) };
        let observations = (1..=sizes).map(observation).collect();
        let series = Series::of_routine(Symbol::plain("fill"), "s.c", variable, observations);
        Study::new(StudyParts { series: vec![series], ..parts(&[5]) }).unwrap()
    };
    let texts = |study: &Study| {
        let findings = analyzed(study);
        let filter = SeriesFilter::default();
        let table = crate::series_table(&findings, SeriesKind::Routine, filter, &at_width(120)).unwrap();
        [table, crate::page(&findings, Some(study), "fill", &at_width(120)).unwrap()]
    };
    let is_proposed = |study| texts(&study).map(|text| text.contains("--metric drms"));
    assert_eq!(is_proposed(read(Variable::Rms, 3, 1)), [true; 2]);
    assert_eq!(is_proposed(read(Variable::Rms, 4, 1)), [false; 2]);
    assert_eq!(is_proposed(read(Variable::Rms, 3, 90)), [false; 2]);
    assert_eq!(is_proposed(read(Variable::Drms, 3, 1)), [false; 2]);
}
