//! `build` with every kind of build, and programs that were built by hand.

use crate::bench::{BODY, Bench, LOOP, is_installed, skipped};

const MAKEFILE: &str = "program: main.o\n\t$(CC) -o $@ main.o\nclean:\n\trm -f program *.o\n";

/// Runs `program` for three sizes and asserts that the loop's body ran exactly that often.
#[track_caller]
fn counts_exactly(bench: &Bench, program: &str) {
    bench
        .run(["run", "--study", "counted.trend", "--param", "n=10,200,3000", "--", program, "{n}"])
        .succeeds();
    let counts = bench.counts(&["counted.trend"]);
    assert_eq!(counts.pairs("n", BODY), [(10, 10), (200, 200), (3000, 3000)]);
}

fn with_makefile() -> Bench {
    let bench = Bench::new();
    bench.write("main.c", LOOP);
    bench.write("Makefile", MAKEFILE);
    bench
}

#[test]
fn make_builds_with_compilers_that_instrument() {
    let bench = with_makefile();
    bench.run(["build", "--", "make"]).succeeds().says(&["instrumented 1 compilation"]);
    counts_exactly(&bench, "./program");
}

#[test]
fn a_makefile_that_names_its_compiler_is_instrumented_as_well() {
    let bench = with_makefile();
    bench.replace("Makefile", "program:", "CC = gcc\nprogram:");
    bench.run(["build", "--", "make"]).succeeds();
    counts_exactly(&bench, "./program");
}

#[test]
fn a_compiler_given_to_make_is_instrumented_as_well() {
    let bench = with_makefile();
    bench.run(["build", "--", "make", "CC=gcc -std=c11"]).succeeds();
    counts_exactly(&bench, "./program");
}

#[test]
fn a_line_of_shell_is_a_build() {
    let bench = with_makefile();
    bench.run(["build", "--", "sh", "-c", "cc -c main.c && cc -o program main.o"]).succeeds();
    counts_exactly(&bench, "./program");
}

#[test]
fn a_build_within_a_build_instruments_once() {
    let bench = with_makefile();
    let itself = env!("CARGO_BIN_EXE_trend-prof");
    bench.run(["build", "--", itself, "build", "--", "make"]).succeeds();
    counts_exactly(&bench, "./program");
}

/// Creates the project of [`with_makefile`] with a `CMakeLists.txt` as well.
fn with_cmake() -> Bench {
    let bench = with_makefile();
    bench.write(
        "CMakeLists.txt",
        "cmake_minimum_required(VERSION 3.10)\nproject(p C)\nadd_executable(program main.c)\n",
    );
    bench
}

#[test]
fn cmake_builds_out_of_source() {
    if !is_installed("cmake") {
        return skipped("cmake", "not installed");
    }
    let bench = with_cmake();
    bench.run(["build", "--", "sh", "-c", "cmake -S . -B out && cmake --build out"]).succeeds();
    counts_exactly(&bench, "out/program");
}

#[test]
fn cmake_configures_and_builds_in_two_calls_and_does_nothing_in_a_third() {
    if !is_installed("cmake") {
        return skipped("cmake", "not installed");
    }
    let bench = with_cmake();
    bench
        .run(["build", "--", "cmake", "-S", ".", "-B", "out"])
        .succeeds()
        .says(&["tests of the build system"]);
    bench.run(["build", "--", "cmake", "--build", "out"]).succeeds().says(&["instrumented 1 compilation"]);
    bench.run(["build", "--", "cmake", "--build", "out"]).succeeds().says(&["`out/program` has counters"]);
}

#[test]
fn ccache_gives_the_notes_back_with_the_object() {
    if !is_installed("ccache") {
        return skipped("ccache", "not installed");
    }
    let bench = with_makefile();
    let build = || {
        let mut command = bench.command(["build", "--", "make", "CC=ccache cc"]);
        command.env("CCACHE_DIR", bench.path("cache")).output().unwrap()
    };
    assert!(build().status.success());
    bench.shell("make clean && rm -f *.gcno");
    assert!(build().status.success());
    counts_exactly(&bench, "./program");
}

#[test]
fn clang_is_instrumented() {
    if !is_installed("clang") {
        return skipped("clang", "not installed");
    }
    let bench = with_makefile();
    bench.run(["build", "--", "make", "CC=clang"]).succeeds();
    counts_exactly(&bench, "./program");
}

#[test]
fn cplusplus_is_instrumented_with_its_names_in_the_clear() {
    let bench = Bench::new();
    bench.write(
        "sum.cc",
        "#include <cstdlib>\n#include <vector>\nnamespace sums {\nlong sum(const std::vector<int> &v) {\n    \
         long s = 0;\n    for (int x : v)\n        s += x;\n    return s;\n}\n}\n\
         int main(int, char **argv) { return sums::sum(std::vector<int>(atoi(argv[1]))) != 0; }\n",
    );
    bench.run(["build", "--", "sh", "-c", "c++ -O0 -o program sum.cc"]).succeeds();
    bench.run(["run", "--param", "n=10..10000x12", "--", "./program", "{n}"]).succeeds();
    let findings = bench.findings(&[]);
    let names: Vec<&str> =
        findings["functions"].as_array().unwrap().iter().map(|f| f["name"].as_str().unwrap()).collect();
    assert!(names.contains(&"sums::sum(std::vector<int, std::allocator<int> > const&)"), "{names:#?}");
}

#[test]
fn files_are_fed_to_a_program_that_reads_its_stdin_as_the_guide_says() {
    let bench = Bench::new();
    bench.write("main.c", "#include <stdio.h>\nint main(void) {\n    long sum = 0;\n    while (getchar() != EOF)\n        sum++;\n    return sum < 0;\n}\n");
    bench.run(["build", "--", "cc", "-O0", "-o", "parse", "main.c"]).succeeds();
    for bytes in [10, 200, 3000] {
        bench.write(format!("logs/{bytes}"), "x".repeat(bytes));
    }
    let guide = std::fs::read_to_string(crate::bench::repository().join("docs/guides/files.md")).unwrap();
    let commands = guide.lines().filter_map(|line| line.trim().strip_prefix("trend-prof "));
    let command =
        commands.filter(|line| line.starts_with("run ")).find(|line| line.contains("--stdin")).unwrap();
    let line = format!("{} -q {command}", env!("CARGO_BIN_EXE_trend-prof"));
    bench.shell(&line);
    assert_eq!(
        bench.counts(&["parse.trend"]).pairs("bytes", "main.c:5:main"),
        [(10, 10), (200, 200), (3000, 3000)]
    );
}

#[test]
fn of_a_script_the_study_is_named_by_the_program_that_it_starts() {
    let bench = Bench::with_loop();
    bench.run(["run", "--param", "n=10,20", "--", "sh", "-c", "true && ./program {n}"]).succeeds();
    assert!(bench.path("program.trend").exists());
}

#[test]
fn a_program_built_by_hand_counts() {
    let bench = with_makefile();
    bench.shell("cc --coverage -o program main.c");
    counts_exactly(&bench, "./program");
}

#[test]
fn an_optimised_program_keeps_its_exact_counts() {
    let bench = with_makefile();
    bench.run(["build", "--", "sh", "-c", "cc -O2 -o program main.c"]).succeeds();
    bench.run(["run", "--param", "n=10,200,3000", "--", "./program", "{n}"]).succeeds();
    let counts = bench.counts(&[]);
    assert_eq!(counts.pairs("n", BODY), [(10, 10), (200, 200), (3000, 3000)]);
}

#[test]
fn a_build_that_fails_says_so_and_keeps_its_exit_code() {
    let bench = with_makefile();
    bench.replace("main.c", "long n", "long long long n");
    let ran = bench.run(["build", "--", "make"]);
    assert!(ran.code != 0 && ran.code != 101, "{ran:?}");
    assert!(ran.stderr.contains("main.c:4"), "{}", ran.stderr);
}

#[test]
fn a_build_without_a_command_takes_that_of_the_configuration() {
    let bench = with_makefile();
    bench.run(["build"]).refuses(&["error: no build command", "trend-prof.toml"]);
    bench.configure(
        "[program]\nbuild = [\"make\"]\nupdate = \"single\"\ncommand = [\"./program\", \"{n}\"]\n[workloads]\nparameters = { n = [1, 2] }\n",
    );
    bench.run(["build"]).succeeds().says(&["instrumented 1 compilation", "exact for one thread"]);
    // Options on the command line belong to a command there.
    bench.run(["build", "--update", "single"]).refuses(&["<COMMAND>"]);
}

#[test]
fn a_build_that_finds_everything_up_to_date_says_that_nothing_is_instrumented() {
    let bench = with_makefile();
    bench.shell("make >log");
    let words =
        ["error: nothing was instrumented", "clean first", "clang and clang++", "`program` has no counters"];
    bench.run(["build", "--", "make"]).fails(&words);
}

#[test]
fn objects_that_an_earlier_build_compiled_without_counters_are_named() {
    let bench = with_makefile();
    bench.write("part.c", "int part(int n) { return n + 1; }\n");
    bench.write("text.c", "const char *text = \"no code\";\n");
    bench.write("hand.s", ".text\n.globl hand\nhand: ret\n");
    bench.write(
        "Makefile",
        "program: main.o part.o text.o hand.o libold.a\n\t$(CC) -o $@ main.o part.o text.o hand.o libold.a\n\
         libold.a: old.o\n\tar cr $@ old.o\nold.o: part.c\n\t$(CC) -Dpart=old -c -o $@ part.c\n",
    );
    bench.shell("make part.o text.o hand.o >log");
    bench.run(["build", "--", "make"]).succeeds().says(&["`part.o` has no counters", "make clean"]);
    // The program is linked again, without any compilation.
    bench.shell("rm program");
    bench.run(["build", "--", "make"]).succeeds().says(&["`part.o` has no counters", "nothing was compiled"]);
    bench.shell("rm -f program *.o *.a && make libold.a >log");
    bench.run(["build", "--", "make"]).succeeds().says(&["`libold.a` has no counters"]);
    bench.shell("rm -f program *.o *.a");
    let whole = bench.run(["build", "--", "make"]).succeeds();
    assert!(!whole.stderr.contains("no counters"), "{}", whole.stderr);
}

#[test]
fn a_build_that_finds_what_it_instrumented_before_succeeds_and_says_so() {
    let bench = with_makefile();
    bench.run(["build", "--", "make"]).succeeds();
    bench.run(["build", "--", "make"]).succeeds().says(&["nothing was compiled", "`program` has counters"]);
    bench.shell("cc -o other main.c");
    let words = ["nothing was instrumented", "`program` has counters", "`other` has none"];
    bench.run(["build", "--", "make"]).fails(&words);
}

/// Creates a project with a `configure` script like autoconf's. It queries the compiler and compiles a test program.
fn with_configure() -> Bench {
    let bench = with_makefile();
    bench.write(
        "configure",
        "#!/bin/sh\nset -e\n${CC:-cc} --version >/dev/null\necho 'int main(void) { return 0; }' >conftest.c\n\
         ${CC:-cc} -o conftest conftest.c\nrm -f conftest conftest.c\n",
    );
    bench
}

const CONFIGURED: [&str; 3] = ["build", "--", "sh configure && make"];

#[test]
fn a_configuration_before_a_build_that_has_nothing_to_do_does_not_hide_programs_without_counters() {
    let bench = with_configure();
    bench
        .run(["build", "--", "sh", "configure"])
        .succeeds()
        .says(&["tests of the build system", "also build"]);
    bench.shell("make >log");
    bench.run(CONFIGURED).fails(&["nothing was instrumented", "clean first", "`program` has no counters"]);
    bench.shell("make clean >log");
    bench.run(CONFIGURED).succeeds().says(&["instrumented 1 compilation"]);
    bench.run(CONFIGURED).succeeds().says(&["everything was up to date", "`program` has counters"]);
}

#[test]
fn a_run_says_nothing_of_a_configuration_before_a_build_that_has_nothing_to_do() {
    let bench = with_configure();
    // Programs in hidden folders count only if the command runs them.
    bench.write("Makefile", ".out/program: main.c\n\tmkdir -p .out\n\t$(CC) -o $@ main.c\n");
    bench.run(CONFIGURED).succeeds().says(&["instrumented 1 compilation"]);
    bench.configure(
        "[program]\nbuild = \"sh configure && make\"\ncommand = [\"./.out/program\", \"{n}\"]\n[workloads]\n\
         parameters = { n = [10, 20] }\n",
    );
    let ran = bench.run(["run"]).succeeds().says(&["building", "2 runs recorded"]);
    assert!(!ran.stderr.contains("tests of the build system"), "{}", ran.stderr);
}

#[test]
fn a_build_without_a_compiler_that_is_known_fails() {
    let bench = Bench::new();
    bench.run(["build", "--", "true"]).fails(&["no compiler was called"]);
}

#[test]
fn run_builds_first_and_again_when_a_source_changes() {
    let bench = with_makefile();
    bench.configure(
        "[program]\nbuild = \"make\"\ncommand = [\"./program\", \"{n}\"]\n[workloads]\nparameters = { n = [10, 20] }\n",
    );
    bench.run(["run"]).succeeds().says(&["building", "2 runs recorded"]);
    bench.run(["run"]).succeeds().says(&["2 recorded before"]);
    bench.replace("main.c", "sum += i", "sum += i * i");
    bench.shell("touch -d '+5 seconds' main.c");
    bench.run(["run"]).succeeds().says(&["every workload runs again", "2 runs recorded"]);
    bench.run(["run", "--fresh"]).succeeds().says(&["2 runs recorded"]);
}

const LIBRARY: &str = "long work(long n) {\n    long sum = 0;\n    for (long i = 0; i < n; i++)\n        sum += i;\n    return sum;\n}\n";

#[test]
fn a_shared_library_counts_with_its_program() {
    let bench = Bench::new();
    bench.write("work.c", LIBRARY);
    bench.write("main.c", "#include <stdlib.h>\nlong work(long);\nint main(int c, char **v) { return work(atol(v[1])) == 42; }\n");
    bench.write("Makefile", "program: main.o libwork.so\n\t$(CC) -o $@ main.o -L. -lwork\nlibwork.so: work.c\n\t$(CC) -shared -fPIC -o $@ work.c\n");
    bench.run(["build", "--", "make"]).succeeds().says(&["instrumented 2 compilations and 2 links"]);
    bench.configure(
        "[program]\ncommand = [\"./program\", \"{n}\"]\nenv = { LD_LIBRARY_PATH = \".\" }\n[workloads]\nparameters = { n = [10, 200, 3000] }\n",
    );
    bench.run(["run"]).succeeds();
    assert_eq!(bench.counts(&[]).pairs("n", "work.c:4:work"), [(10, 10), (200, 200), (3000, 3000)]);
}

#[test]
fn make_builds_with_llvms_counters() {
    if !is_installed("clang-22") {
        return skipped("clang's source-based coverage", "clang-22 is not installed");
    }
    let bench = with_makefile();
    bench.run(["build", "--counters", "llvm", "--", "make", "CC=clang-22"]).succeeds();
    assert!(!bench.path("main.gcno").exists());
    bench.run(["run", "--param", "n=10,200,3000", "--", "./program", "{n}"]).succeeds();
    assert_eq!(bench.counts(&[]).pairs("n", "main.c:6:main"), [(10, 10), (200, 200), (3000, 3000)]);
}

#[test]
fn children_that_were_forked_count_once() {
    let bench = Bench::new();
    let main = "#include <stdlib.h>\n#include <sys/wait.h>\n#include <unistd.h>\nlong work(long);\nlong before(long n) {\n    \
                long sum = 0;\n    for (long i = 0; i < n; i++)\n        sum ^= i;\n    return sum;\n}\nint main(int c, char **v) {\n    \
                long n = atol(v[1]) + (before(atol(v[1])) == 42);\n    for (int i = 0; i < 3; i++)\n        if (fork() == 0)\n            \
                exit(work(n) == 42);\n    while (wait(0) > 0)\n        ;\n    return 0;\n}\n";
    bench.write("main.c", main);
    bench.write("work.c", LIBRARY);
    for (compiler, counters) in [("cc", "gcov"), ("clang-22", "gcov"), ("clang-22", "llvm")] {
        if compiler != "cc" && !is_installed(compiler) {
            skipped("clang's counters", "clang-22 is not installed");
            continue;
        }
        let line =
            format!("{compiler} -c main.c && {compiler} -c work.c && {compiler} -o program main.o work.o");
        bench.run(["build", "--counters", counters, "--", "sh", "-c", &line]).succeeds();
        bench.run(["run", "--fresh", "--param", "n=10,200,3000", "--", "./program", "{n}"]).succeeds();
        let counts = bench.counts(&[]);
        assert_eq!(counts.pairs("n", "work.c:4:work"), [(10, 30), (200, 600), (3000, 9000)]);
        assert_eq!(counts.pairs("n", "main.c:8:before"), [(10, 10), (200, 200), (3000, 3000)]);
    }
}

#[test]
fn a_cmake_tree_that_was_configured_before_is_explained() {
    if !is_installed("cmake") {
        return skipped("cmake", "not installed");
    }
    let bench = with_cmake();
    bench.shell("cmake -S . -B out >log");
    let ran = bench.run(["build", "--", "cmake", "--build", "out"]);
    ran.fails(&["out/CMakeCache.txt", "trend-prof build -- sh -c \"cmake"]);
    bench
        .run(["build", "--", "sh", "-c", "cmake -S . -B build-trend && cmake --build build-trend"])
        .succeeds();
    let again = "cmake -S . -B build-trend && cmake --build build-trend";
    bench.run(["build", "--", "sh", "-c", again]).succeeds().says(&["`build-trend/program` has counters"]);
    counts_exactly(&bench, "build-trend/program");
}

#[test]
fn what_meson_configures_is_judged_without_older_programs_beside_it() {
    if !is_installed("meson") || !is_installed("ninja") {
        return skipped("meson", "not installed");
    }
    let bench = with_makefile();
    bench.write("meson.build", "project('p', 'c')\nexecutable('program', 'main.c')\n");
    bench.shell("cc -o older main.c");
    bench
        .run(["build", "--", "meson", "setup", "out"])
        .succeeds()
        .says(&["tests of the build system", "also build"]);
    let ninja = ["build", "--", "ninja", "-C", "out"];
    bench.run(ninja).succeeds().says(&["instrumented 1 compilation"]);
    bench.run(ninja).succeeds().says(&["everything was up to date", "`out/program` has counters"]);
    counts_exactly(&bench, "out/program");
    // This build does not touch that folder.
    bench.run(["build", "--", "true"]).fails(&["nothing was instrumented", "`older` has none"]);
}

#[test]
fn a_build_that_is_up_to_date_succeeds_among_more_files_than_are_looked_at() {
    let bench = with_makefile();
    bench.run(["build", "--", "make"]).succeeds();
    bench.shell("mkdir corpus && cd corpus && seq 1 20010 | xargs touch");
    bench.run(["build", "--", "make"]).succeeds().says(&[
        "everything was up to date",
        "`program` has counters",
        "too many files to check",
    ]);
}
