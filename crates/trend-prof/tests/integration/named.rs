//! Finds the built program for the name that the user writes: `try` and `run` in projects of each kind.

use std::path::Path;

use crate::bench::{Bench, Ran, is_installed, skipped};

const SQUARE: &str = "#include <stdlib.h>\nint main(int c, char **v) {\n    long n = atol(v[1]), sum = 0;\n    \
for (long i = 0; i < n; i++)\n        for (long j = 0; j < i; j++)\n            sum += j;\n    return sum == -1;\n}\n";

const SQUARE_IN_RUST: &str = "fn main() {\n    let n: u64 = std::env::args().nth(1).unwrap().parse().unwrap();\n    let mut sum = 0;\n    \
for i in 0..n {\n        for j in 0..i {\n            sum += std::hint::black_box(j);\n        }\n    }\n    println!(\"{sum}\");\n}\n";

/// Sizes that suffice to recognise a square on a busy machine.
const SIZES: &str = "n=20..1500x8";

/// Runs `try` on a command with a separate study.
fn tried(bench: &Bench, study: &str, command: &[&str]) -> Ran {
    let words = ["try", "--param", SIZES, "--study", study, "--"];
    bench.run(words.iter().chain(command))
}

/// Asserts that each command runs the same program with counters.
#[track_caller]
fn mean_the_square(bench: &Bench, commands: &[&[&str]]) {
    for (i, command) in commands.iter().enumerate() {
        let study = format!("{i}.trend");
        tried(bench, &study, command).succeeds();
        let findings = bench.findings(&[&study]);
        assert_eq!(findings["unit"], "executions", "{command:?}");
        assert_eq!(findings["total"]["models"][0]["growth"]["verdict"], "n^2", "{command:?}");
    }
}

/// Returns true if these programs are installed. Otherwise reports that `what` is not tested.
fn has(what: &str, programs: &[&str]) -> bool {
    let missing = programs.iter().find(|program| !is_installed(program));
    missing.inspect(|program| skipped(what, &format!("{program} is not installed"))).is_none()
}

fn package(bench: &Bench, folder: &str, name: &str, programs: &[&str]) {
    let manifest = format!("[package]\nname = \"{name}\"\nversion = \"0.1.0\"\nedition = \"2021\"\n");
    bench.write(Path::new(folder).join("Cargo.toml"), manifest);
    for program in programs {
        bench.write(Path::new(folder).join("src/bin").join(format!("{program}.rs")), SQUARE_IN_RUST);
    }
}

#[test]
fn a_program_of_cargo_is_found_by_any_of_its_names() {
    let bench = Bench::new();
    package(&bench, ".", "tiny", &["tiny"]);
    bench.write("examples/small.rs", SQUARE_IN_RUST);
    mean_the_square(
        &bench,
        &[
            &["tiny", "{n}"],
            &["./tiny", "{n}"],
            &["target/release/tiny", "{n}"],
            &["cargo", "run", "--release", "--", "{n}"],
            &["cargo", "run", "-q", "--example=small", "{n}"],
            &["sh", "-c", "./tiny {n} | cat"],
        ],
    );
    assert!(bench.path("target/trend-prof").is_dir() && !bench.path("target/release").exists());
    let run = bench.run(["run", "--study", "r.trend", "--param", "n=10,100", "--", "tiny", "{n}"]);
    run.succeeds().says(&["`tiny` is target/trend-prof/"]);
    bench.configure("[program]\nbuild = \"cargo build --release\"\ncommand = \"cargo run --release -- {n}\"\n[workloads]\nparameters = { n = [10, 20] }\n");
    bench.run(["run"]).succeeds().says(&["2 runs recorded in tiny.trend"]);
}

#[test]
fn a_workspace_with_several_programs_says_which_there_are() {
    let bench = Bench::new();
    bench.write("Cargo.toml", "[workspace]\nmembers = [\"one\", \"two\"]\nresolver = \"2\"\n");
    package(&bench, "one", "one", &["first", "second"]);
    package(&bench, "two", "two", &["third"]);
    mean_the_square(&bench, &[&["second", "{n}"], &["cargo", "run", "-rp", "two", "--", "{n}"]]);
    tried(&bench, "s.trend", &["cargo", "run", "--", "{n}"])
        .refuses(&["first`, `second`, `third"])
        .hints(&["--bin"]);
    tried(&bench, "s.trend", &["forth", "{n}"])
        .refuses(&["`forth` was not found. The build made", "second`"])
        .hints(&["-- target/trend-prof/"]);
    assert!(!bench.path("s.trend").exists());
}

#[test]
fn a_program_that_no_rule_builds_is_built_from_the_source_of_its_name() {
    let bench = Bench::new();
    bench.write("lib.c", "long twice(long n) { return 2 * n; }\n");
    bench.write("Makefile", "lib.a: lib.o\n\tar rc lib.a lib.o\n");
    bench.write("examples/quad.c", SQUARE);
    tried(&bench, "s.trend", &["./quad", "{n}"])
        .refuses(&["`./quad` was not found, and the build made no program"])
        .hints(&["trend-prof build -- cc -o quad examples/quad.c …", "--no-build"]);
    bench.run(["-q", "build", "--", "cc", "-o", "quad", "examples/quad.c", "lib.c"]).succeeds();
    bench.run(["try", "--no-build", "--param", SIZES, "--", "./quad", "{n}"]).succeeds();
}

#[test]
fn a_program_of_cmake_is_found_in_the_sources_and_in_a_folder_that_was_configured_before() {
    if !has("cmake", &["cmake"]) {
        return;
    }
    let bench = Bench::new();
    bench.write("src/quad.c", SQUARE);
    bench.write(
        "CMakeLists.txt",
        "cmake_minimum_required(VERSION 3.10)\nproject(p C)\nadd_executable(quad src/quad.c)\n",
    );
    bench.shell("cmake -S . -B build >log && cmake --build build >log");
    mean_the_square(&bench, &[&["./quad", "{n}"], &["quad", "{n}"], &["build/quad", "{n}"]]);
    let mut command =
        bench.command(["try", "--param", SIZES, "--study", "../b.trend", "--", "./quad", "{n}"]);
    let ran = Ran::from(command.current_dir(bench.path("build")).output().unwrap()).succeeds();
    ran.says(&["`./quad` is build-trend/quad"]);
    assert_eq!(bench.findings(&["b.trend"])["unit"], "executions");
}

#[test]
fn a_program_that_two_folders_of_a_build_have_is_named_by_its_path() {
    if !has("cmake", &["cmake"]) {
        return;
    }
    let bench = Bench::new();
    for folder in ["a", "b"] {
        bench.write(format!("{folder}/tool.c"), SQUARE);
        bench.write(format!("{folder}/CMakeLists.txt"), format!("add_executable({folder}tool tool.c)\nset_target_properties({folder}tool PROPERTIES OUTPUT_NAME tool)\n"));
    }
    bench.write(
        "CMakeLists.txt",
        "cmake_minimum_required(VERSION 3.10)\nproject(p C)\nadd_subdirectory(a)\nadd_subdirectory(b)\n",
    );
    let ran = tried(&bench, "s.trend", &["./tool", "{n}"]);
    ran.refuses(&["`build-trend/a/tool`, `build-trend/b/tool`"]).hints(&["-- build-trend/a/tool"]);
    mean_the_square(&bench, &[&["b/tool", "{n}"], &["build-trend/a/tool", "{n}"]]);
}

#[test]
fn a_program_of_meson_is_found() {
    if !has("meson", &["meson", "ninja"]) {
        return;
    }
    let bench = Bench::new();
    bench.write("quad.c", SQUARE);
    bench.write("meson.build", "project('p', 'c')\nexecutable('quad', 'quad.c')\n");
    mean_the_square(&bench, &[&["./quad", "{n}"], &["builddir/quad", "{n}"]]);
}

#[test]
fn a_project_of_autotools_is_configured_and_built() {
    if !has("autotools", &["autoreconf", "automake", "libtoolize"]) {
        return;
    }
    let bench = Bench::new();
    bench.write("src/quad.c", "long work(long n);\n#include <stdlib.h>\nint main(int c, char **v) { return work(atol(v[1])) == -1; }\n");
    bench.write("src/work.c", "long work(long n) {\n    long sum = 0;\n    for (long i = 0; i < n; i++)\n        for (long j = 0; j < i; j++)\n            sum += j;\n    return sum;\n}\n");
    bench.write("src/Makefile.am", "lib_LTLIBRARIES = libwork.la\nlibwork_la_SOURCES = work.c\nbin_PROGRAMS = quad\nquad_SOURCES = quad.c\nquad_LDADD = libwork.la\n");
    bench.write("Makefile.am", "SUBDIRS = src\n");
    bench.write("configure.ac", "AC_INIT([p], [1])\nAM_INIT_AUTOMAKE([foreign])\nAC_PROG_CC\nAM_PROG_AR\nLT_INIT\nAC_CONFIG_FILES([Makefile src/Makefile])\nAC_OUTPUT\n");
    mean_the_square(&bench, &[&["src/quad", "{n}"], &["quad", "{n}"]]);
    // An earlier build without counters, whose program is a wrapper script of libtool.
    bench.shell("make distclean >log 2>&1 && ./configure >log 2>&1 && make >log 2>&1 && test -f src/.libs/quad && rm -f *.trend");
    mean_the_square(&bench, &[&["./src/quad", "{n}"], &["quad", "{n}"]]);
}

#[test]
fn a_program_of_make_is_found_and_made_anew_where_it_has_no_counters() {
    let bench = Bench::new();
    bench.write("quad.c", SQUARE);
    bench.write(
        "Makefile",
        "bin/quad: quad.c\n\tmkdir -p bin dist && $(CC) -o $@ quad.c && cp bin/quad dist/quad\n",
    );
    bench.shell("make >log");
    mean_the_square(&bench, &[&["quad", "{n}"], &["./quad", "{n}"], &["bin/quad", "{n}"]]);
}

#[test]
fn a_line_of_the_configuration_builds_what_a_command_names() {
    let bench = Bench::new();
    bench.write("a/quad.c", SQUARE);
    bench.write("a/other.c", SQUARE);
    bench.configure("[program]\nbuild = \"cd a && cc -g -o quad quad.c && cc -g -o other other.c\"\ncommand = [\"quad\", \"{n}\"]\n[workloads]\nparameters = { n = \"10..100 x3\" }\n");
    mean_the_square(&bench, &[&["quad", "{n}"], &["./other", "{n}"]]);
    bench.run(["run"]).succeeds().says(&["`quad` is a/quad", "3 runs recorded in quad.trend"]);
    bench.run(["build", "--", "cc -o a/third a/other.c"]).succeeds();
    bench.run(["run", "--no-build", "--param", "n=10,20", "--", "third", "{n}"]).succeeds();
}

#[test]
fn nothing_stays_of_a_command_that_cannot_be_run() {
    let bench = Bench::new();
    bench.write("quad.c", SQUARE);
    for words in [&["try", "--", "squad", "{n}"][..], &["run", "--param", "n=1,2", "--", "squad", "{n}"]] {
        let ran = bench.run(words).refuses(&["`squad` was not found"]);
        assert!(!ran.stderr.contains("valgrind"), "{}", ran.stderr);
    }
    bench.run(["try", "--", "squad", "{n}"]).refuses(&["The build made `./quad`"]).hints(&["-- ./quad"]);
    bench.write("plain", "text");
    bench
        .run(["try", "--no-build", "--", "./plain", "{n}"])
        .refuses(&["not executable"])
        .hints(&["chmod +x"]);
    bench.write("fails.sh", "echo too bad >&2; exit 3");
    bench.run(["try", "--no-build", "--", "sh", "fails.sh", "{n}"]).fails(&["too bad", "no run succeeded"]);
    bench.shell("! ls | grep trend$");
}

#[test]
fn a_program_that_ignores_its_argument_is_not_said_to_keep_to_a_limit() {
    let bench = Bench::new();
    bench.write("s.c", "#include <stdio.h>\nint main(void) {\n    int c, n = 0;\n    while ((c = getchar()) != EOF)\n        n += c;\n    return n == -1;\n}\n");
    let warning = "nothing counted varies with n";
    bench.run(["try", "--budget", "2s", "--", "./s", "{n}"]).succeeds().says(&[warning]);
    let expect = |limit: &str, more: &[&str]| {
        let words = ["try", "--fresh", "--budget", "2s", "--expect", limit];
        bench.run(words.iter().chain(more).chain(&["--", "./s", "{n}"]))
    };
    expect("<= n log n", &[]).ends_with(3);
    expect("<= n", &["--allow-undecided"]).succeeds();
    expect("<= 1", &[]).succeeds();
}

#[test]
fn a_limit_that_is_broken_names_the_line_and_the_function_and_sizes_that_fail_are_left_out() {
    let bench = Bench::new();
    bench.write("w.c", "#include <stdlib.h>\nstatic long work(long n) {\n    long sum = 0;\n    for (long i = 0; i < n; i++)\n        \
for (long j = 0; j < i; j++)\n            sum += j;\n    return sum;\n}\nint main(int c, char **v) {\n    long n = atol(v[1]);\n    \
if (n > 1500)\n        abort();\n    return work(n) == -1;\n}\n");
    let expect = |limit: &str, more: &[&str]| {
        let words = ["try", "--fresh", "--budget", "20s", "--expect", limit];
        bench.run(words.iter().chain(more).chain(&["--", "./w", "{n}"]))
    };
    let broken = expect("<= n log n", &[]).ends_with(1);
    broken.shows(&["in work grows as n^2", "w.c:"]);
    expect("<= n^2", &[]).succeeds().says(&["larger"]);
    expect("<= n^2", &["--param", "n=10..3000x8"]).ends_with(2).says(&["the program fails"]);
}

#[test]
fn quiet_is_quiet_unless_the_build_fails() {
    let bench = Bench::new();
    bench.write("quad.c", SQUARE);
    bench.write("Makefile", "quad: quad.c\n\t@echo loud; echo louder >&2\n\t$(CC) -o $@ quad.c\n");
    for words in
        [&["-q", "try", "--param", SIZES, "--", "./quad", "{n}"][..], &["-q", "build", "--", "make", "-B"]]
    {
        let ran = bench.run(words).succeeds();
        assert_eq!(ran.stderr, "", "{words:?}");
        assert!(!ran.stdout.contains("loud"), "{words:?}");
    }
    bench.write("quad.c", "int main(void) { return }\n");
    bench.run(["-q", "try", "--", "./quad", "{n}"]).fails(&["louder", "quad.c:1", "the build failed ("]);
}

#[test]
fn braces_that_hold_no_name_are_text_everywhere() {
    let bench = Bench::new();
    bench.write("main.c", "#include <stdio.h>\n#include <string.h>\nint main(int c, char **v) {\n    puts(v[1]);\n    return strcmp(v[1], \"{s += $1} END {print}\") != 0 || !v[2];\n}\n");
    bench.run(["-q", "build", "--", "cc", "-o", "program", "main.c"]).succeeds();
    bench.write("inputs/a", "1\n");
    let command = ["--", "./program", "{s += $1} END {print}", "{input}"];
    let run = ["run", "--no-build", "--no-time", "--files", "inputs/*", "--study", "r.trend"];
    bench.run(run.iter().chain(&command)).succeeds();
    bench
        .run(["try", "--no-build", "--files", "inputs/*", "--study", "t.trend"].iter().chain(&command))
        .succeeds()
        .says(&["and set `files` in it"]);
    bench.run(["init"].iter().chain(&command)).succeeds();
    bench.run(["run", "--no-build", "--no-time", "--study", "c.trend"]).succeeds();
    bench.configure("[program]\ncommand = [\"./program\", \"{s += $1} END {print}\", \"{input}\"]\n[workloads]\nfiles = \"inputs/*\"\n");
    bench.run(["run", "--no-time", "--study", "d.trend"]).succeeds();
}
