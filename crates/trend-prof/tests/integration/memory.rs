//! `run --memory-by-line`: finds the line whose memory does not scale.

use crate::bench::Bench;

/// A program with a list of n nodes and a table of n² bytes.
const GRID: &str = "#include <stdlib.h>\nstruct node { struct node *next; long pair[2]; };\n\
    static void *need(size_t n) {\n    void *p = malloc(n);\n    if (!p) abort();\n    return p;\n}\n\
    static struct node *push(struct node *list) {\n    struct node *one = need(sizeof *one);\n    \
    one->next = list;\n    return one;\n}\n\
    static char *grid(long n) {\n    return (char *)need(n * n) + 1;\n}\n\
    int main(int c, char **v) {\n    long n = atol(v[1]);\n    struct node *list = NULL;\n    \
    for (long i = 0; i < n; i++)\n        list = push(list);\n    char *all = grid(n);\n    all[0] = 1;\n    \
    return list == NULL || all[0] != 1;\n}\n";

#[test]
fn the_line_whose_memory_does_not_scale_is_named_and_has_a_law() {
    let bench = Bench::new();
    bench.write("grid.c", GRID);
    bench.run(["build", "--", "gcc", "-O1", "-fno-inline", "-o", "grid", "grid.c"]).succeeds();
    let run = |options: &[&str]| {
        let words = ["run", "--no-time", "--param", "n=10..2560x9"];
        bench.run([&words, options, &["--", "./grid", "{n}"]].concat())
    };
    let without = run(&[]).succeeds();
    assert!(!without.stderr.contains("Memory:"), "{}", without.stderr);
    bench
        .run(["show", "--by", "memory"])
        .ends_with(2)
        .says(&["record it with `trend-prof run --memory-by-line`"]);
    // Runs recorded without the option are repeated; runs recorded with it are not.
    let grid = ["grid.c:14 in grid holds 99.1 % of the heap", ", and grows as n^2."];
    run(&["--memory-by-line"]).succeeds().says(&grid).says(&["9 runs recorded"]);
    run(&["--memory-by-line"]).succeeds().says(&["9 recorded before"]);
    bench.run(["show"]).succeeds().shows(&grid);
    bench.run(["show", "--by", "memory"]).succeeds().shows(&["grid.c:14", "grid.c:9", "6.6 MB", "n^2"]);
    bench.run(["show", "push"]).succeeds().shows(&["Memory that grid.c:9 allocated", "24·n"]);
    let lines = bench.findings(&[])["memory_lines"].clone();
    let line = |name: &str| {
        let all = lines.as_array().unwrap();
        all.iter().find(|line| line["name"] == name).unwrap_or_else(|| panic!("{lines}")).clone()
    };
    let numbers = |name: &str| {
        ["allocations", "asked", "most", "at_peak", "left"]
            .map(|m| line(name)[m]["max_cost"].as_u64().unwrap())
    };
    assert_eq!(numbers("grid.c:9"), [2560, 61_440, 61_440, 61_440, 61_440]);
    assert_eq!(numbers("grid.c:14"), [1, 6_553_600, 6_553_600, 6_553_600, 6_553_600]);
    let one = bench.findings(&["grid.c:14"])["memory_lines"].clone();
    assert_eq!(one.as_array().unwrap().len(), 1, "{one}");
}

#[test]
fn a_path_with_spaces_and_colons_is_as_good_as_another() {
    let bench = Bench::new();
    bench.write("a b:c/grid.c", GRID);
    bench.shell("cd 'a b:c' && gcc -g -O1 -fno-inline --coverage -o grid grid.c");
    let words =
        ["run", "--no-time", "--memory-by-line", "--study", "a b:c/s.trend", "--param", "n=10..2560x9"];
    let grid = ["grid.c:14 in grid holds 99.1 % of the heap", ", and grows as n^2."];
    let ran = bench.run(words.iter().chain(&["--", "a b:c/grid", "{n}"])).succeeds().says(&grid);
    assert!(!ran.stderr.contains("warning"), "{}", ran.stderr);
}

#[test]
fn where_memory_cannot_be_recorded_no_study_is_left() {
    let bench = Bench::new();
    bench.write("grid.c", GRID);
    bench.shell("gcc -O1 --coverage -s -o grid grid.c");
    bench
        .run(["run", "--memory-by-line", "--param", "n=10..100x9", "--", "./grid", "{n}"])
        .refuses(&["memory by line cannot be recorded"]);
    let left: Vec<_> = std::fs::read_dir(bench.folder()).unwrap().map(|e| e.unwrap().file_name()).collect();
    assert!(!left.iter().any(|name| name.to_string_lossy().contains("trend")), "{left:?}");
}

#[test]
fn callgrind_and_memory_by_line_exclude_each_other() {
    let bench = Bench::new();
    bench
        .run(["run", "--counts", "callgrind", "--memory-by-line", "--param", "n=1,2", "--", "true", "{n}"])
        .ends_with(2)
        .says(&["valgrind, which has its own allocator"]);
}
