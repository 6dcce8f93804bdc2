//! Build systems with the probe. Each makes a program, and some make a library, whose routines are recorded.

use crate::bench::{Bench, can_probe, is_installed, skipped};
use crate::probe::{project, tuples};

/// Creates the project of two sources, or returns `None` if one of these programs is not installed.
fn project_with(programs: &[&str]) -> Option<Bench> {
    for program in programs {
        if !is_installed(program) {
            skipped("a build system with the probe", &format!("{program} is not installed"));
            return None;
        }
    }
    let bench = project()?;
    bench.shell("rm Makefile");
    Some(bench)
}

/// Builds with a shell command and asserts that both routines of the program are recorded.
#[track_caller]
fn records_after(bench: &Bench, line: &str, program: &str) {
    bench.run(["build", "--probe", "routines", "--", "sh", "-c", line]).succeeds();
    records(bench, program);
}

#[track_caller]
fn records(bench: &Bench, program: &str) {
    let run = ["run", "--probe", "routines", "--study", "program.trend", "--fresh", "--", program, "50"];
    bench.run(run).succeeds();
    let calls = |routine| tuples(bench, routine).iter().map(|t| (t[0], t[1])).collect::<Vec<_>>();
    assert_eq!(calls("sum"), [(50, 5)], "{program}");
    assert_eq!(calls("sort"), [(50, 1)], "{program}");
    // Only the program is measured, not the compiler's test programs.
    let costs: Vec<u64> = tuples(bench, "sum").iter().map(|t| t[3]).collect();
    assert_eq!(costs, [5 * (2 * 50 + 3)], "{program}");
}

const LISTS: &str = "cmake_minimum_required(VERSION 3.10)\nproject(p C)\nadd_library(work ${KIND} work.c)\n\
                     add_executable(program main.c)\ntarget_link_libraries(program work)\n";

#[test]
fn sources_in_one_call_of_the_compiler() {
    let Some(bench) = project_with(&[]) else { return };
    let line = ["build", "--probe", "routines", "--", "gcc", "-O2", "main.c", "work.c", "-o", "program"];
    bench.run(line).succeeds().says(&["instrumented 2 compilations and 1 link"]);
    records(&bench, "./program");
}

#[test]
fn a_build_that_names_all_libraries_itself() {
    let Some(bench) = project_with(&[]) else { return };
    let line = "gcc -O2 -fexceptions -nodefaultlibs main.c work.c -lc -o program";
    records_after(&bench, line, "./program");
}

#[test]
fn a_line_of_shell() {
    let Some(bench) = project_with(&[]) else { return };
    let line = "set -e; for part in main work; do cc -O2 -c $part.c; done; ar rc libwork.a work.o; cc -o program main.o -L. -lwork";
    records_after(&bench, line, "./program");
}

#[test]
fn cmake_with_makefiles_and_a_library_of_either_kind() {
    let Some(bench) = project_with(&["cmake"]) else { return };
    bench.write("CMakeLists.txt", LISTS);
    for kind in ["STATIC", "SHARED", "OBJECT"] {
        let line = format!(
            "cmake -S . -B {kind} -DKIND={kind} -DCMAKE_BUILD_TYPE=Release && cmake --build {kind} -j2"
        );
        records_after(&bench, &line, &format!("{kind}/program"));
    }
}

#[test]
fn cmake_with_ninja() {
    let Some(bench) = project_with(&["cmake", "ninja"]) else { return };
    bench.write("CMakeLists.txt", LISTS);
    for (folder, options) in [
        ("plain", ""),
        ("typed", "-DCMAKE_BUILD_TYPE=RelWithDebInfo -DKIND=SHARED"),
        ("whole", "-DCMAKE_INTERPROCEDURAL_OPTIMIZATION=ON -DCMAKE_POLICY_DEFAULT_CMP0069=NEW"),
        ("one", "-DCMAKE_UNITY_BUILD=ON"),
    ] {
        let line = format!("cmake -G Ninja -S . -B {folder} {options} && cmake --build {folder}");
        records_after(&bench, &line, &format!("{folder}/program"));
    }
}

#[test]
fn ninja_alone_with_response_files_and_dependencies() {
    let Some(bench) = project_with(&["ninja"]) else { return };
    bench.write("count.h", "#define TIMES 4\n");
    bench.replace("main.c", "#include <stdlib.h>\n", "#include <stdlib.h>\n#include \"count.h\"\n");
    bench.replace("main.c", "k < 5", "k < TIMES");
    bench.write(
        "build.ninja",
        "rule cc\n  command = gcc -O2 -MMD -MF $out.d -c @$out.rsp -o $out\n  depfile = $out.d\n  deps = gcc\n  rspfile = $out.rsp\n  \
         rspfile_content = $in\nrule link\n  command = gcc @$out.rsp -o $out\n  rspfile = $out.rsp\n  \
         rspfile_content = $in\nbuild main.o: cc main.c\nbuild work.o: cc work.c\nbuild program: link main.o work.o\n",
    );
    let line = ["build", "--probe", "routines", "--", "ninja"];
    bench.run(line).succeeds().says(&["instrumented 2 compilations and 1 link"]);
    bench.write("count.h", "#define TIMES 5\n");
    // Ninja learns from the compiler that only one source includes the header.
    bench.run(line).succeeds().says(&["instrumented 1 compilation and 1 link"]);
    records(&bench, "./program");
    bench.run(line).succeeds().says(&["everything was up to date"]);
}

#[test]
fn meson_with_a_library_of_either_kind() {
    let Some(bench) = project_with(&["meson", "ninja"]) else { return };
    let build = "project('p', 'c')\nwork = library('work', 'work.c')\nexecutable('program', 'main.c', link_with: work)\n";
    bench.write("meson.build", build);
    for kind in ["static", "shared"] {
        let line =
            format!("meson setup {kind} --buildtype=release --default-library={kind} && ninja -C {kind}");
        records_after(&bench, &line, &format!("{kind}/program"));
    }
}

#[test]
fn a_source_that_the_compiler_rejects_leaves_no_object() {
    let Some(bench) = project_with(&["clang-22"]) else { return };
    bench.write("check.c", "int main(void) { return no_such_function(); }\n");
    for probe in ["routines", "loops", "routines,blocks"] {
        bench
            .run(["build", "--probe", probe, "--", "clang-22", "-c", "check.c"])
            .ends_with(1)
            .says(&["no_such_function"]);
        assert!(!bench.path("check.o").exists(), "{probe}");
    }
}

/// A program with functions of its own that are named like the C library's.
const OWN_NAMES: &str = "\
#include <stdio.h>
int atoi(const char *);
static float cells[64];
void read(char *name, float *to, int n) { for (int i = 0; i < n; i++) to[i] = i; }
void write(char *name, float *to, int n) { for (int i = 0; i < n; i++) to[i] += 1; }
int open(float *to) { return to[0] > 0; }
void close(float *to) { to[0] = 0; }
int getpid(int *to) { return *to; }
char *getenv(const char *name) { return 0; }
int main(int c, char **v) {
    int n = atoi(v[1]);
    read(\"a\", cells, n);
    write(\"a\", cells, n);
    getenv(\"a\");
    printf(\"%d %d\\n\", open(cells), getpid(&n));
    close(cells);
    return 0;
}
";

#[test]
fn a_program_may_define_functions_named_like_those_of_the_c_library() {
    if !can_probe("functions named like the C library's") {
        return;
    }
    let bench = Bench::new();
    bench.write("own.c", OWN_NAMES);
    for probe in ["routines", "loops", "blocks"] {
        bench.run(["build", "--probe", probe, "--", "gcc", "-g", "-O1", "own.c", "-o", "own"]).succeeds();
        let study = format!("{probe}.trend");
        bench
            .run([
                "run",
                "--study",
                &study,
                "--no-build",
                "--timeout",
                "20s",
                "--param",
                "n=10,20,30",
                "--",
                "./own",
                "{n}",
            ])
            .succeeds()
            .says(&["3 runs recorded"]);
    }
}

/// A script like autoconf's. It takes CC and CFLAGS from the environment, and compiles, links and runs test programs.
const CONFIGURE: &str = r#"#!/bin/sh
set -e
: "${CC=cc}" "${CFLAGS=-g -O2}"
here=$(dirname "$0")
$CC --version >/dev/null
$CC -dumpmachine >/dev/null
echo 'int main(void) { return sizeof(long) == 8 ? 0 : 1; }' >conftest.c
$CC $CFLAGS -o conftest conftest.c -lm
./conftest && size=8 || size=4
echo '#include <ac_nonexistent.h>' >conftest.c
if $CC -E conftest.c >/dev/null 2>&1; then echo "cannot preprocess" >&2; exit 1; fi
echo 'int main(void) { return no_such_function(); }' >conftest.c
if $CC $CFLAGS -o conftest conftest.c 2>/dev/null; then echo "links whatever it is given" >&2; exit 1; fi
rm -rf conftest*
sed -e "s|@CC@|$CC|; s|@CFLAGS@|$CFLAGS -DSIZE=$size|; s|@srcdir@|$here|" "$here/Makefile.in" >Makefile
"#;

#[test]
fn a_configure_script_in_a_folder_of_its_own() {
    let Some(bench) = project_with(&[]) else { return };
    bench.write("configure", CONFIGURE);
    bench.write(
        "Makefile.in",
        "VPATH = @srcdir@\nprogram: main.o work.o\n\t@CC@ -o $@ main.o work.o\n.c.o:\n\t@CC@ @CFLAGS@ -c $< -o $@\n",
    );
    // Configure and make in two separate calls.
    bench.shell("mkdir two");
    bench
        .run(["build", "--probe", "routines", "--", "cd two && sh ../configure"])
        .succeeds()
        .says(&["also build"]);
    records_after(&bench, "make -C two", "two/program");
    for (folder, variables) in [("plain", ""), ("named", "CC='gcc -std=gnu11' CFLAGS=-O1")] {
        let line = format!("mkdir {folder} && cd {folder} && {variables} sh ../configure && make");
        records_after(&bench, &line, &format!("{folder}/program"));
    }
}

#[test]
fn autoconf_and_automake_and_libtool() {
    let Some(bench) = project_with(&["autoconf", "automake", "libtoolize"]) else { return };
    bench.write(
        "configure.ac",
        "AC_INIT([p], [1])\nAM_INIT_AUTOMAKE([foreign])\nAC_PROG_CC\nAM_PROG_AR\nLT_INIT\nAC_CHECK_SIZEOF([long])\n\
         AC_CHECK_FUNCS([memmem])\nAC_CONFIG_FILES([Makefile])\nAC_OUTPUT\n",
    );
    bench.write(
        "Makefile.am",
        "lib_LTLIBRARIES = libwork.la\nlibwork_la_SOURCES = work.c\nbin_PROGRAMS = program\n\
         program_SOURCES = main.c\nprogram_LDADD = libwork.la\n",
    );
    bench.shell("autoreconf --install >log 2>&1");
    // With a shared library, libtool makes a wrapper script that starts the program.
    for (folder, options) in [("static", "--disable-shared"), ("shared", "--disable-static")] {
        let line = format!("mkdir {folder} && cd {folder} && ../configure {options} && make");
        records_after(&bench, &line, &format!("{folder}/program"));
    }
}

#[test]
fn objects_that_ccache_gives_back_have_the_probe() {
    let Some(bench) = project_with(&["ccache"]) else { return };
    bench.write(
        "Makefile",
        "program: main.o work.o\n\t$(CC) -o $@ main.o work.o\nclean:\n\trm -f *.o program\n",
    );
    let build = || {
        let line = ["build", "--probe", "routines", "--", "make", "CC=ccache gcc", "CFLAGS=-O2"];
        bench.command(line).env("CCACHE_DIR", bench.path("cache")).output().unwrap()
    };
    // The cache contains objects without the probe.
    bench.shell("CCACHE_DIR=$PWD/cache make CC='ccache gcc' CFLAGS=-O2 >log && make clean >log");
    for _ in 0..2 {
        let output = build();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        records(&bench, "./program");
        bench.shell("make clean >log");
    }
    // Conversely, a build without the probe gets no objects with it.
    bench.shell("CCACHE_DIR=$PWD/cache make CC='ccache gcc' CFLAGS=-O2 >log");
    let ran = bench.run(["run", "--probe", "routines", "--fresh", "--", "./program", "50"]);
    ran.refuses(&["was not built with `--probe routines`"]);
}

#[test]
fn what_two_probes_counted_is_not_taken_for_one() {
    let Some(bench) = project_with(&[]) else { return };
    let line = "cc -O2 -g main.c work.c -o program";
    let counted = |build: &[&str], sizes: &str| {
        bench.run([build, &["--", "sh", "-c", line]].concat()).succeeds();
        bench.run(["run", "--no-time", "--param", sizes, "--", "./program", "{n}"])
    };
    counted(&["build"], "n=10,20,40").succeeds();
    // Imitates `make clean`, which leaves gcc's notes files.
    bench.shell("rm program");
    counted(&["build", "--probe", "loops"], "n=80,160,320").succeeds();
    bench.run(["show"]).refuses(&["loops were counted in only 3 of 6 workloads", "--fresh"]);
    let fresh = ["run", "--fresh", "--no-time", "--param", "n=10,20,40", "--", "./program", "{n}"];
    bench.run(fresh).succeeds();
    bench.run(["show"]).succeeds();
}
