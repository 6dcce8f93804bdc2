//! Tests of a study as a whole.

use super::*;
use crate::observed::series::{Observation, ObservationParts, Place};
use crate::program::location::Symbol;

#[test]
fn own_files_are_those_below_the_root() {
    let text = "src/a.c:3:f: 1 20\nregex-1.10.0/src/lib.rs:5:g: 5 5\n/usr/include/vector:9:h: 7 7";
    let mut study = Study::from_text(text).unwrap();
    // Without any text, a crate cannot be distinguished from a folder of the user.
    assert_eq!(study.own_files(), HashSet::from(["src/a.c", "regex-1.10.0/src/lib.rs"]));
    let source = |file: &str| SourceText { file: file.to_owned(), text: String::new() };
    study.parts.sources = vec![source("/usr/include/vector"), source("src/a.c")];
    assert_eq!(study.own_files(), HashSet::from(["src/a.c"]));
}

#[test]
fn the_cost_of_the_program_is_that_of_the_runs_with_series_of_one_kind() {
    let mut study = Study::from_text("a.c:3:f: 5 20").unwrap();
    let parts = ObservationParts { own: Some(5), ..ObservationParts::NONE };
    let observation = Observation { parts, ..Observation::of_one(1, 5) };
    let routine = Series::of_routine(Symbol::plain("f"), "a.c", Variable::Rms, vec![observation]);
    let line = Series { workload: WorkloadId(1), ..routine.clone() };
    let line = Series { place: Place { kind: SeriesKind::Line, ..line.place }, ..line };
    study.parts.series = vec![routine, line];
    assert_eq!(study.program_cost(SeriesKind::Routine, &[Variable::Rms]), Some(5));
    assert_eq!(study.program_cost(SeriesKind::Line, &[Variable::Rms]), None);
}

#[test]
fn a_line_ran_as_often_as_its_most_frequent_block_in_each_function() {
    let study = Study::from_text(
        "a.c:3:f: 1 20\na.c:3:f: 5 5\na.c:3:g: 100 100\na.c:4:f: 7 7\nlib/a.c:3:f: 1000 1000",
    )
    .unwrap();
    // The end of a path can match several files.
    assert_eq!(study.executions_of_line("a.c:3").unwrap(), [1105, 1120]);
    assert_eq!(study.executions_of_line("lib/a.c:3").unwrap(), [1000, 1000]);
    assert!(study.executions_of_line("a.c:5").is_none());
}
