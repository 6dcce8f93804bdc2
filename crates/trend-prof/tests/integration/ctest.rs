//! `cmake/TrendProf.cmake`: tests of growth in a real cmake project, run by ctest.

use std::process::Command;

use crate::bench::{Bench, Ran, is_installed, repository, skipped};

const PROJECT: &str = r#"cmake_minimum_required(VERSION 3.16)
project(sample C CXX)
list(APPEND CMAKE_MODULE_PATH "MODULES")
include(TrendProf)
enable_testing()
option(SQUARE "work is quadratic" OFF)
add_executable(work work.c)
if(SQUARE)
    target_compile_definitions(work PRIVATE SQUARE)
endif()
add_executable(lines lines.cpp)
trend_prof_test(NAME honest TARGET work ARGS linear {n} GROWTH "<= n")
trend_prof_test(NAME quadratic TARGET work ARGS square {n} GROWTH "<= n log n")
trend_prof_test(NAME undecided TARGET work ARGS linear {n} GROWTH "<= n" SIZES 100,200,400)
trend_prof_test(NAME allowed TARGET work ARGS linear {n} GROWTH "<= n" SIZES 100,200,400 ALLOW_UNDECIDED)
trend_prof_test(NAME crashing TARGET work ARGS crash {n} GROWTH "<= n" SIZES 100..1000x8)
trend_prof_test(NAME "of small sizes" TARGET work ARGS crash {n} GROWTH "<= n")
trend_prof_test(NAME reading TARGET lines ARGS {input} GROWTH "<= n" FILES corpus/*.txt)
"#;

const WORK: &str = r#"#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(int argc, char **argv) {
    long n = atol(argv[2]), inner = 1, sum = 0;
    if (!strcmp(argv[1], "crash") && n > 500) {
        fprintf(stderr, "there is no room for %ld\n", n);
        abort();
    }
#ifdef SQUARE
    inner = n;
#endif
    if (!strcmp(argv[1], "square"))
        inner = n;
    for (long i = 0; i < n; i++)
        for (long j = 0; j < inner; j++)
            sum ^= i * j;
    return sum == -1;
}
"#;

const LINES: &str = r"#include <fstream>
int main(int, char **argv) {
    std::ifstream file(argv[1]);
    long lines = 0;
    for (char c; file.get(c);)
        lines += c == '\n';
    return lines == 0;
}
";

fn sample() -> Bench {
    let bench = Bench::new();
    let modules = repository().join("cmake").canonicalize().unwrap();
    bench.write("CMakeLists.txt", PROJECT.replace("MODULES", modules.to_str().unwrap()));
    bench.write("work.c", WORK);
    bench.write("lines.cpp", LINES);
    for lines in [10, 20, 50, 100, 200, 500, 1000, 2000, 5000] {
        bench.write(format!("corpus/{lines}.txt"), "a line\n".repeat(lines));
    }
    bench
}

fn ctest(bench: &Bench, words: &[&str], trend_prof: &str) -> Ran {
    let mut command = Command::new("ctest");
    command.args(["--output-on-failure"]).args(words).current_dir(bench.path("build"));
    Ran::from(command.env("TREND_PROF", trend_prof).output().unwrap())
}

#[test]
fn ctest_judges_the_work_of_programs() {
    if !is_installed("cmake") {
        skipped("ctest", "cmake is not installed");
        return;
    }
    let bench = sample();
    let trend_prof = env!("CARGO_BIN_EXE_trend-prof");
    bench
        .shell("cmake -S . -B build -DCMAKE_BUILD_TYPE=Release >/dev/null && cmake --build build >/dev/null");
    let ran = ctest(&bench, &["-j2"], trend_prof).ends_with(8);
    for (name, end) in [
        ("trend-prof.build.work", "Passed"),
        ("honest", "Passed"),
        ("quadratic", "***Failed"),
        ("undecided", "***Failed"),
        ("allowed", "Passed"),
        ("crashing", "***Failed"),
        ("of small sizes", "Passed"),
        ("reading", "Passed"),
    ] {
        let is_result = |line: &str| line.contains(&format!(": {name} .")) && line.contains(end);
        assert!(ran.stdout.lines().any(is_result), "no {end} of {name} in\n{}", ran.stdout);
    }
    ran.shows(&[
        "the whole program grows as n^2",
        "work does not grow as `<= n log n`.",
        "quadratic.trend` says what grows",
        "It is undecided whether work grows as `<= n`.",
        "work.c:16 in main grows as n^2",
        "there is no room for",
        "trend-prof cannot say how work grows.",
    ]);
    // The user's own build is unchanged and contains no notes files.
    bench.shell("! find build -path build/trend-prof -prune -o -name '*.gcno' -print | grep .");
    let missing = ctest(&bench, &["-R", "honest"], "/nowhere/trend-prof").ends_with(8);
    missing.shows(&["counts with trend-prof, which is not there"]);
}

#[test]
fn the_build_that_counts_has_the_projects_options() {
    if !is_installed("cmake") || !is_installed("ninja") {
        skipped("ctest", "cmake or ninja is not installed");
        return;
    }
    let bench = sample();
    bench.shell("cmake -S . -B build -G Ninja -DSQUARE=ON -DCMAKE_CXX_FLAGS=-O1 >/dev/null");
    let ran = ctest(&bench, &["-R", "honest"], env!("CARGO_BIN_EXE_trend-prof")).ends_with(8);
    ran.shows(&["the whole program grows as n^2"]);
    bench.replace("CMakeLists.txt", "TARGET lines", "TARGET line");
    let refused = Command::new("cmake").args(["-S", ".", "-B", "build"]).current_dir(bench.folder()).output();
    let refused = Ran::from(refused.unwrap()).ends_with(1);
    refused.says(&["there is no target line; call this behind add_executable"]);
}
