//! Tests the path from compiled programs to functions, locations and counts.

use std::path::Path;
use std::process::Command;

use trend_collect::{Data, Program};
use trend_profile::{Kind, Location};

use crate::compilers::workshop;
use crate::oracle::{Compiler, GCC, files_below, run};

/// Returns a program's notes, and the counts of one run.
pub(crate) fn measured(folder: &Path, arguments: &[&str]) -> (Program, Vec<u64>) {
    run(Command::new("./program").args(arguments).current_dir(folder));
    let mut program = Program::new(folder.to_str().unwrap());
    let mut objects = Vec::new();
    for notes in files_below(folder, "gcno") {
        let bytes = std::fs::read(&notes).unwrap();
        objects.push((program.add_notes(notes.to_str().unwrap(), &bytes).unwrap(), notes));
    }
    let mut counts = vec![0; program.locations().len()];
    for (object, notes) in objects {
        let data = std::fs::read(notes.with_extension("gcda")).unwrap();
        let warnings = program.add_data(object, &Data::parse(&data).unwrap(), &mut counts).unwrap();
        assert_eq!(warnings, []);
    }
    (program, counts)
}

/// Returns the counts of the locations that pass, in their order.
fn counts_of(program: &Program, counts: &[u64], passes: impl Fn(&str, &Location) -> bool) -> Vec<u64> {
    let locations = program.locations().iter().zip(counts);
    let name = |l: &Location| program.functions()[l.function.index()].symbol.name.clone();
    locations.filter(|(l, _)| passes(&name(l), l)).map(|(_, &c)| c).collect()
}

fn bubble_sort(compiler: &Compiler) {
    if !compiler.is_there() {
        return;
    }
    let folder = workshop();
    compiler.build(folder.path(), &["bubble_sort.c"], &[]);
    let (program, counts) = measured(folder.path(), &["60"]);
    let on_line = |line| {
        counts_of(&program, &counts, |name, l| {
            name == "bubble_sort" && l.kind == Kind::Block && l.line == line && *l.file == *"bubble_sort.c"
        })
    };
    assert!(on_line(3).contains(&61), "the outer test: {:?}", on_line(3));
    assert!(on_line(4).contains(&1830), "the inner test: {:?}", on_line(4));
    assert!(on_line(5).contains(&1770), "the comparison: {:?}", on_line(5));
    let entries = counts_of(&program, &counts, |name, l| name == "bubble_sort" && l.kind == Kind::Entry);
    assert_eq!(entries, [1]);
}

#[test]
fn bubble_sort_of_60_compares_1770_times() {
    bubble_sort(&GCC);
    bubble_sort(&Compiler { c: "clang-14", cpp: "clang++-14", gcov: &["llvm-cov-14", "gcov"] });
    bubble_sort(&Compiler { c: "clang-22", cpp: "clang++-22", gcov: &["llvm-cov-22", "gcov"] });
}

#[test]
fn parallel_regions_belong_to_their_function() {
    let folder = workshop();
    GCC.build(folder.path(), &["parallel.c"], &["-fopenmp", "-fprofile-update=atomic"]);
    let (program, counts) = measured(folder.path(), &[]);
    let outlined = program.functions().iter().position(|f| f.symbol.linkage == "main._omp_fn.0").unwrap();
    assert_eq!(program.functions()[outlined].symbol.name, "main");
    let of_outlined = |kind, line: u32| {
        counts_of(&program, &counts, |_, l| {
            l.function.index() == outlined && l.kind == kind && l.lines.contains(&line)
        })
    };
    assert_eq!(of_outlined(Kind::Block, 10), [100], "sum += i");
    assert!(of_outlined(Kind::Block, 9).contains(&300), "{:?}", of_outlined(Kind::Block, 9));
    let entry = counts_of(&program, &counts, |_, l| l.function.index() == outlined && l.kind == Kind::Entry);
    assert_eq!(entry, [3], "one call for each thread");
}

#[test]
fn equal_copies_of_a_function_are_one_and_different_ones_stay_apart() {
    let folder = workshop();
    GCC.build(folder.path(), &["flow.c", "other.c"], &[]);
    let (program, counts) = measured(folder.path(), &[]);
    let signatures = |name: &str| program.functions().iter().filter(|f| f.symbol.name == name).count();
    assert_eq!((signatures("gcd"), signatures("scaled")), (1, 2));
    let calls = |name: &str| counts_of(&program, &counts, |n, l| n == name && l.kind == Kind::Entry);
    assert_eq!(calls("gcd"), [50 + 20]);
    assert_eq!(calls("scaled").iter().sum::<u64>(), 50 + 20);
    assert_eq!(calls("jumping"), [5], "coming back by longjmp is not a call");
}

#[test]
fn identity_does_not_depend_on_the_order_of_the_objects() {
    let folder = workshop();
    GCC.build(folder.path(), &["flow.c", "other.c"], &["-O2"]);
    let of_order = |order: [&str; 2]| {
        let mut program = Program::new(folder.path().to_str().unwrap());
        for name in order {
            program.add_notes(name, &std::fs::read(folder.path().join(name)).unwrap()).unwrap();
        }
        let mut functions = program.functions().to_vec();
        functions.sort();
        (functions, program.locations().len())
    };
    assert_eq!(of_order(["flow.gcno", "other.gcno"]), of_order(["other.gcno", "flow.gcno"]));
}

#[test]
fn functions_of_cpp_have_the_names_that_people_know() {
    let folder = workshop();
    GCC.build(folder.path(), &["flow.cc"], &[]);
    let (program, counts) = measured(folder.path(), &[]);
    let names: Vec<&str> = program.functions().iter().map(|f| f.symbol.name.as_str()).collect();
    for name in ["int largest<int>", "largest<int>(int const*, int)", "catcher(int)", "static initialisers"] {
        let is_there = names.contains(&name);
        assert_eq!(is_there, !name.starts_with("int "), "{name} of {names:?}");
    }
    assert!(names.iter().filter(|n| n.starts_with("square::square(int)")).count() == 2, "C1 and C2");
    assert_eq!(counts_of(&program, &counts, |n, l| n == "catcher(int)" && l.kind == Kind::Entry), [30]);
    for location in program.locations().iter().filter(|l| l.line > 0) {
        assert!(location.lines.contains(&location.line) && location.lines.is_sorted(), "{location:?}");
        assert_eq!(&*location.file, "flow.cc");
    }
}

#[test]
fn data_of_another_build_is_refused_with_both_stamps() {
    let folder = workshop();
    GCC.build(folder.path(), &["bubble_sort.c"], &[]);
    run(Command::new("./program").current_dir(folder.path()));
    let data = std::fs::read(folder.path().join("bubble_sort.gcda")).unwrap();
    GCC.build(folder.path(), &["bubble_sort.c"], &["-O2"]);
    let notes = std::fs::read(folder.path().join("bubble_sort.gcno")).unwrap();
    let mut program = Program::new("/");
    let object = program.add_notes("bubble_sort.gcno", &notes).unwrap();
    let mut counts = vec![7; program.locations().len()];
    let error = program.add_data(object, &Data::parse(&data).unwrap(), &mut counts).unwrap_err().to_string();
    assert!(error.contains("another build") && error.contains(&format!("{:#010x}", program.stamp(object))));
    assert!(counts.iter().all(|&c| c == 7), "nothing is counted");
}
