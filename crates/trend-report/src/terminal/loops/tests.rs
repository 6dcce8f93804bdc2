use crate::tests::analyze;
use trend_analyze::{LoopRelation, Options, RelationStatus};
use trend_profile::{
    LoopExtreme, LoopFunction, LoopInput, LoopInputKind, LoopInputValue, LoopObservation, LoopSummary,
    LoopTotal, ProgramLoop, RunLoops, SourceText, Study, StudyParts, Symbol, Workload, WorkloadId,
};

use super::cells::MOST_CHARACTERS;
use crate::*;

const SOURCE: &str = "\
#include <stdio.h>

void triangle(int n) {
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < i; j++)
            puts(\"x\");

        puts(\"y\");
    }
}
";

fn observation(inputs: [i64; 4], activations: u64, trips: u64, inner: Vec<u64>) -> LoopObservation {
    LoopObservation {
        inputs,
        activations,
        trips: LoopSummary { least: trips, greatest: trips, sum: trips * activations },
        cost: LoopSummary::new(trips),
        inner_trips: inner,
    }
}

fn with_total(one: ProgramLoop) -> ProgramLoop {
    let mut total = LoopTotal::default();
    for o in &one.observations {
        let extreme = LoopExtreme { trips: o.trips.greatest, inputs: o.inputs };
        let (activations, trips) = (o.activations, o.trips.sum);
        total.add(&LoopTotal { activations, trips, least: extreme, greatest: extreme, sampled: None });
    }
    ProgramLoop { total, ..one }
}

/// Returns a study of a triangle, and of a loop with n² + n + 1 trips except at one point.
fn study() -> Study {
    Study::new(study_parts()).unwrap()
}

fn study_parts() -> StudyParts {
    let sizes = [3_i64, 5, 8, 13, 21];
    let input = |name: &str, counter_of| LoopInput {
        name: name.to_owned(),
        kind: LoopInputKind::Parameter,
        counter_of,
        value: LoopInputValue::Integer,
        is_limit: false,
    };
    let outer = sizes.map(|n| observation([n, 0, 0, 0], 1, n as u64, vec![(n * (n - 1) / 2) as u64]));
    let inner = (0..21_i64).map(|i| {
        let activations = sizes.iter().filter(|&&n| n > i).count() as u64;
        observation([i, 0, 0, 0], activations, i as u64, Vec::new())
    });
    let function = |name: &str, line, loops| LoopFunction {
        symbol: Symbol { name: name.to_owned(), linkage: name.to_owned() },
        object: "t.c".to_owned(),
        file: "t.c".to_owned(),
        line,
        parameters: vec!["n".to_owned()],
        loops,
        calls: Vec::new(),
    };
    let triangle = vec![
        with_total(ProgramLoop {
            line: 4,
            inputs: vec![input("n", None)],
            observations: outer.to_vec(),
            ..ProgramLoop::default()
        }),
        with_total(ProgramLoop {
            line: 5,
            parent: Some(0),
            inputs: vec![input("i", Some(0))],
            observations: inner.collect(),
            ..ProgramLoop::default()
        }),
    ];
    let off = [(13, 183), (50, 2551), (72, 5257), (80, 6481), (98, 9704), (115, 13341), (139, 19461)];
    let print = with_total(ProgramLoop {
        line: 18,
        inputs: vec![input("n", None)],
        observations: off.map(|(n, trips)| observation([n, 0, 0, 0], 1, trips, Vec::new())).to_vec(),
        ..ProgramLoop::default()
    });
    StudyParts {
        program: "t".to_owned(),
        workloads: vec![Workload::imported("w")],
        sources: vec![SourceText { file: "t.c".to_owned(), text: SOURCE.to_owned() }],
        loops: vec![RunLoops {
            workload: WorkloadId(0),
            functions: vec![function("triangle", 3, triangle), function("print", 17, vec![print])],
        }],
        ..StudyParts::default()
    }
}

/// Removes colours: each begins with an escape and ends with the letter m.
fn plain(text: &str) -> String {
    let mut parts = text.split('\u{1b}');
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |plain, part| plain + part.split_once('m').map_or("", |(_, rest)| rest))
}

#[test]
fn loops_and_functions_are_tables_with_what_has_to_be_known() {
    let findings = analyze(&study(), &Options::default()).unwrap();
    let options = TableOptions { width: 160, ..TableOptions::default() };
    let text = plain(&loops_table(&findings, &options).unwrap());
    for expected in [
        "3 loops in 2 functions; 3 executed: 2 exact, 1 fitted, ",
        " 0 constant, 0 symbolic, 0 unknown",
        "n² + n + 1 !",
        "½n² − ½n",
        "fitted but 1 of 7",
        "O(n²)",
        "t.c:18: 9704 trips instead of 9703 at n = 98",
    ] {
        assert!(text.contains(expected), "{expected}\n{text}");
    }
    let markdown = loops_markdown(&findings, &options).unwrap();
    assert!(markdown.contains("| t.c:18") && markdown.contains("n² + n + 1"), "{markdown}");
}

#[test]
fn trips_that_were_always_the_same_are_said_with_the_values_of_the_inputs() {
    let mut parts = study_parts();
    let print = &mut parts.loops[0].functions[1].loops[0];
    print.observations = vec![observation([8, 0, 0, 0], 500, 8, Vec::new())];
    let extreme = LoopExtreme { trips: 8, inputs: [8, 0, 0, 0] };
    let total = LoopTotal { activations: 500, trips: 4000, least: extreme, greatest: extreme, sampled: None };
    print.total = total;
    let study = Study::new(parts).unwrap();
    let findings = analyze(&study, &Options::default()).unwrap();
    let text = plain(&loops_of_function(&findings, &study, "print", &TableOptions::default()).unwrap());
    for expected in ["8 each time", "constant", "8 trips in each of 500 activations; n was 8"] {
        assert!(text.contains(expected), "{expected}\n{text}");
    }
}

#[test]
fn the_source_of_a_function_has_its_loops_beside_it() {
    let study = study();
    let findings = analyze(&study, &Options::default()).unwrap();
    let text = plain(&loops_of_function(&findings, &study, "tri", &TableOptions::default()).unwrap());
    assert!(text.starts_with("triangle · t.c:3\nA call is O(n²); "), "{text}");
    assert!(text.lines().nth(1).unwrap().contains(" ½n² + ½n trips"), "{text}");
    let lines: Vec<&str> = text.lines().skip(3).take(10).collect();
    let expected = "
line      trips  O   source
   2
   3                 void triangle(int n) {
   4  ┌   n      n²      for (int i = 0; i < n; i++) {
   5  │┌  i      i           for (int j = 0; j < i; j++)
   6  │└                         puts(\"x\");
   7  │
   8  │                      puts(\"y\");
   9  └                  }
  10                 }";
    assert_eq!(lines.join("\n"), expected.trim_start_matches('\n'), "{text}");
    assert!(matches!(
        loops_of_function(&findings, &study, "none", &TableOptions::default()),
        Err(ReportError::Unknown { .. })
    ));
}

#[test]
fn a_law_of_a_run_says_its_interval_or_that_it_is_undecided() {
    let mut findings = analyze(&study(), &Options::default()).unwrap();
    findings.features.clear();
    let law = |status, ci: Option<[f64; 2]>| LoopRelation {
        feature: "n".to_owned(),
        formula: "3·n".to_owned(),
        status,
        at: vec![ci.map(|_| 30_000.0)],
        ci: vec![ci],
        doubts: Vec::new(),
    };
    findings.points = vec![trend_analyze::Point { values: Vec::new(), asked: true }];
    let runs = [
        law(RelationStatus::Decided, Some([29_000.0, 31_000.0])),
        law(RelationStatus::Several, Some([9_000.0, 90_000.0])),
        law(RelationStatus::Undecided, None),
    ];
    for (row, run) in findings.loops.iter_mut().zip(runs) {
        row.in_run = Some(run);
    }
    let options = TableOptions { width: 220, ..TableOptions::default() };
    let text = plain(&loops_table(&findings, &options).unwrap());
    for expected in ["≈ 3·n  ", "30 k (29–31 k)", "≈ 3·n ?", "undecided"] {
        assert!(text.contains(expected), "{expected}\n{text}");
    }
}

#[test]
fn what_is_not_read_on_a_terminal_is_whole_and_so_are_formulas_below_the_source() {
    let mut findings = analyze(&study(), &Options::default()).unwrap();
    let file = "a/rather/long/way/to/the/file/of/a/triangle.c";
    let formula = "n·m·k + n·(trips of triangle.c:4) + m·(trips of triangle.c:5)";
    findings.loops[0].file = file.to_owned();
    findings.loops[0].o = formula.to_owned();
    let at = |whole_names| {
        let options = TableOptions { width: 60, whole_names, ..TableOptions::default() };
        plain(&loops_table(&findings, &options).unwrap())
    };
    assert!(at(true).contains(file) && at(true).contains(formula), "{}", at(true));
    assert!(!at(false).contains(file) && !at(false).contains(formula), "{}", at(false));
    let long = ["n·m"; 100].join(" + ");
    let mut longer = findings.clone();
    longer.loops[0].o = long.clone();
    let options = TableOptions { width: 60, whole_names: true, ..TableOptions::default() };
    let table = plain(&loops_table(&longer, &options).unwrap());
    let beginning: String = long.chars().take(MOST_CHARACTERS / 2).collect();
    assert!(table.contains(&beginning) && !table.contains(&long), "{table}");
    assert!(table.lines().all(|line| line.chars().count() <= 160), "{table}");
    findings.loops[0].file = "t.c".to_owned();
    let options = TableOptions { width: 100, ..TableOptions::default() };
    let shown = plain(
        &loops_of_function(&findings, &study(), findings.loops[0].function.as_str(), &options).unwrap(),
    );
    let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words(&shown).contains(&words(&format!("O({formula})"))), "{shown}");
}

#[test]
fn loops_on_one_line_are_told_apart_and_what_they_share_is_said_once() {
    let mut findings = analyze(&study(), &Options::default()).unwrap();
    for row in &mut findings.loops {
        row.trips.ambiguous = true;
    }
    findings.loops[1].number = Some(2);
    findings.loops[1].line = 4;
    let options = TableOptions { width: 160, ..TableOptions::default() };
    let text = plain(&loops_of_function(&findings, &study(), "triangle", &options).unwrap());
    assert!(text.contains("t.c:4 no. 2  "), "{text}");
    let table = plain(&loops_table(&findings, &options).unwrap());
    assert_eq!(table.matches("another equally simple formula").count(), 1, "{table}");
    assert!(
        table.contains("t.c:18, t.c:4, t.c:4 no. 2: another") || table.contains("no. 2, t.c:4: another"),
        "{table}"
    );
}

#[test]
fn a_line_without_a_loop_is_no_function_and_names_what_is_near() {
    let findings = analyze(&study(), &Options::default()).unwrap();
    let shown = |name| loops_of_function(&findings, &study(), name, &TableOptions::default());
    let near = ["t.c:18", "t.c:5", "t.c:4"].map(str::to_owned).to_vec();
    assert_eq!(shown("t.c:99999"), Err(ReportError::NoLoopAt { place: "t.c:99999".to_owned(), near }));
    assert!(matches!(shown("t.c:1"), Err(ReportError::NoLoopAt { .. })), "in front of all functions");
    assert!(plain(&shown("t.c:8").unwrap()).starts_with("triangle · t.c:3\n"));
}

#[test]
fn a_loop_whose_trips_the_compiler_knows_is_not_counted_where_nothing_says_how_often() {
    let mut parts = study_parts();
    let constant = ProgramLoop { line: 8, constant_trips: Some(4), ..ProgramLoop::default() };
    let conditional = ProgramLoop { is_conditional: true, ..constant.clone() };
    parts.loops[0].functions[0].loops.extend([constant, conditional]);
    let study = Study::new(parts).unwrap();
    let findings = analyze(&study, &Options::default()).unwrap();
    let options = TableOptions { width: 300, ..TableOptions::default() };
    let text = plain(&loops_table(&findings, &options).unwrap());
    for counts in ["5 loops in 2 functions; 3 executed: 2 exact, 1 fitted, ", "; 2 not counted"] {
        assert!(text.contains(counts), "{counts}\n{text}");
    }
    let ends: Vec<Vec<&str>> = text
        .lines()
        .filter(|line| line.starts_with("t.c:8 "))
        .map(|line| line.split_whitespace().rev().take(2).collect())
        .collect();
    assert_eq!(ends, [["counted", "not"]; 2]);
    let text = plain(&loops_of_function(&findings, &study, "triangle", &options).unwrap());
    assert!(text.contains("t.c:8 no. 2: not watched "), "{text}");
}

#[test]
fn the_page_has_the_notes_of_each_loop() {
    let study = study();
    let findings = analyze(&study, &Options::default()).unwrap();
    let mut data = Vec::new();
    crate::write_page_data(&findings, &study, &crate::PageOptions::default(), &mut data).unwrap();
    let data: serde_json::Value = serde_json::from_slice(&data).unwrap();
    let loops = data["findings"]["loops"].as_array().unwrap();
    let notes: Vec<_> = loops.iter().zip(data["loop_notes"].as_array().unwrap()).collect();
    assert_eq!(notes.len(), 3);
    for (row, notes) in notes {
        let note = "9704 trips instead of 9703 at n = 98";
        assert_eq!(*notes == serde_json::json!([note]), row["line"] == 18, "{row}: {notes}");
    }
}

#[test]
fn a_sample_is_said_with_its_error() {
    let mut findings = analyze(&study(), &Options::default()).unwrap();
    (findings.loops[0].sampled, findings.loops[0].sampled_error) = (Some(0.25), Some(0.012));
    let options = TableOptions { width: 300, ..TableOptions::default() };
    let name = findings.loops[0].function.clone();
    let text = plain(&loops_of_function(&findings, &study(), &name, &options).unwrap());
    assert!(text.contains("exact, sampled") || text.contains("of 7, sampled"), "{text}");
    assert!(text.contains("with 95 % confidence, at most 1.2 % of all"), "{text}");
}

/// Returns a study with the triangle in two files, and with a list whose data decide when its loop ends.
fn alike() -> Study {
    let mut study = study_parts();
    let mut list = study.loops[0].functions[1].clone();
    list.symbol = Symbol { name: "length".to_owned(), linkage: "length".to_owned() };
    list.loops[0].inputs[0].value = LoopInputValue::Changing;
    list.loops[0].observations.iter_mut().for_each(|o| o.inputs = [0; 4]);
    LoopObservation::merge(&mut list.loops[0].observations);
    let mut other = study.loops[0].functions[0].clone();
    (other.file, other.object) = ("src/u.c".to_owned(), "src/u.c".to_owned());
    let functions = &mut study.loops[0].functions;
    functions.extend([list, other]);
    functions.sort_by(|a, b| a.key().cmp(&b.key()));
    Study::new(study).unwrap()
}

#[test]
fn one_of_several_functions_of_a_name_is_named_by_its_place() {
    let study = alike();
    let findings = analyze(&study, &Options::default()).unwrap();
    let shown = |name| loops_of_function(&findings, &study, name, &TableOptions::default());
    let Err(ReportError::Ambiguous { candidates, .. }) = shown("triangle") else { panic!("one was chosen") };
    assert_eq!(candidates, ["triangle (src/u.c:3)", "triangle (t.c:3)"]);
    assert!(plain(&shown("u.c:5").unwrap()).starts_with("triangle · src/u.c:3\n"));
    // Names are accepted as by `show`: with the file, and with `…` for a part that a table left out.
    assert!(plain(&shown("u.c:triangle").unwrap()).starts_with("triangle · src/u.c:3\n"));
    assert!(plain(&shown("le…h").unwrap()).starts_with("length · "));
    assert!(matches!(shown("c:5"), Err(ReportError::Unknown { .. })), "the end of a name is no file");
}

#[test]
fn a_loop_that_data_decide_shows_what_was_seen_and_names_the_data() {
    let study = alike();
    let findings = analyze(&study, &Options::default()).unwrap();
    let shown = loops_of_function(&findings, &study, "length", &TableOptions::default());
    let text = plain(&shown.unwrap());
    assert!(text.contains("183–19.5 k seen"), "{text}");
    assert!(text.contains("depends on n, which changes from trip to trip"), "{text}");
    // In a narrow terminal, formulas are cut at their ends, and only columns of numbers are dropped.
    let narrow = TableOptions { width: 60, ..TableOptions::default() };
    let table = plain(&loops_table(&findings, &narrow).unwrap());
    assert!(
        table.contains("n² + n + 1 !") && table.lines().all(|line| line.chars().count() <= 60),
        "{table}"
    );
}

#[test]
fn a_study_without_loops_says_how_to_get_some() {
    let study = Study::from_text("n: 1 2 4\na.c:3:f: 10 20 40").unwrap();
    let findings = analyze(&study, &Options::default()).unwrap();
    let error = loops_table(&findings, &TableOptions::default()).unwrap_err();
    assert!(error.to_string().contains("build --probe loops"));
}
