//! Programs with the probe that call a library, with every way of linking.

use crate::bench::{Bench, can_probe};
use crate::probe::{build, tuples};

/// The library `libx.so`, which adds up numbers.
const LIBRARY: &str =
    "int f(const int *a, int n) { int s = 0; for (int i = 0; i < n; i++) s += a[i]; return s; }\n";

const LINKED: &str = r#"#include <stdio.h>
#include <stdlib.h>
int f(const int *, int);
int main(int c, char **v) {
    int n = atoi(v[1]), *a = malloc(n * sizeof *a), s = 0;
    for (int i = 0; i < n; i++)
        a[i] = i;
    for (int k = 0; k < 3; k++)
        s += f(a, n);
    printf("%d\n", s);
    return 0;
}
"#;

/// Returns a program that loads the library at run time and closes it before it exits.
fn loaded() -> String {
    let opened = "    void *x = dlopen(\"./libx.so\", RTLD_NOW);\n    if (!x) { puts(dlerror()); return 2; }\n    \
                  int (*f)(const int *, int) = (int (*)(const int *, int))dlsym(x, \"f\");\n    for (int k";
    LINKED
        .replace("int f(const int *, int);", "#include <dlfcn.h>")
        .replace("    for (int k", opened)
        .replace("    printf", "    dlclose(x);\n    printf")
}

const MAKEFILE: &str = "CFLAGS = -O2 -fPIC\nprogram: main.o libx.so\n\t$(CC) -o $@ main.o $(LIBRARIES)\n\
                        libx.so: x.o\n\t$(CC) -shared -o $@ x.o\n";

/// Creates a program with its library, or returns `None` if there is no probe.
fn project(main: &str, libraries: &str) -> Option<Bench> {
    if !can_probe("libraries of programs with the probe") {
        return None;
    }
    let bench = Bench::new();
    bench.write("x.c", LIBRARY);
    bench.write("main.c", main);
    bench.write("Makefile", MAKEFILE.replace("$(LIBRARIES)", libraries));
    Some(bench)
}

/// Linker options for a library that the program names.
const NAMED: &str = "-L. -lx -Wl,-rpath,.";

/// Returns the output of a shell command.
fn printed(bench: &Bench, line: &str) -> String {
    bench.shell(&format!("{line} >printed"));
    bench.read("printed")
}

#[test]
fn a_library_without_the_probe_is_listed_with_what_is_called_of_it() {
    let Some(bench) = project(LINKED, NAMED) else { return };
    bench.shell("gcc -O2 -shared -fPIC -o libx.so x.c && touch x.o libx.so");
    bench.run(build(&["--probe", "routines"])).succeeds().says(&["instrumented 1 compilation and 1 link"]);
    let ran = bench.run(["run", "--", "./program", "50"]).succeeds();
    ran.says(&["not probed", "libx.so: f, 3 calls"]);
    assert!(tuples(&bench, "f").is_empty());
}

#[test]
fn a_library_with_the_probe_is_measured_where_it_is_linked_and_where_it_is_loaded() {
    for (main, libraries) in [(LINKED.to_owned(), NAMED), (loaded(), "-ldl")] {
        let Some(bench) = project(&main, libraries) else { return };
        bench.shell("make >log 2>&1");
        let plain = printed(&bench, "./program 50");
        bench.shell("rm -f *.o libx.so program");
        bench
            .run(build(&["--probe", "routines"]))
            .succeeds()
            .says(&["instrumented 2 compilations and 2 links"]);
        let ran = bench.run(["run", "--", "./program", "50"]).succeeds();
        assert!(!ran.stderr.contains("libx.so"), "{}", ran.stderr);
        let points = tuples(&bench, "f");
        assert_eq!(points.iter().map(|t| (t[0], t[1])).collect::<Vec<_>>(), [(50, 3)], "{libraries}");
        // The program's result does not change, whether it is recorded or not.
        assert_eq!(plain, "3675\n");
        assert_eq!(printed(&bench, "./program 50"), plain);
        assert_eq!(printed(&bench, "mkdir -p records; TREND_PROF_RECORD=records ./program 50"), plain);
        assert_eq!(std::fs::read_dir(bench.path("records")).unwrap().count(), 1);
    }
}

#[test]
fn a_constructor_of_another_source_is_not_said_to_be_missing() {
    if !can_probe("constructors with the probe") {
        return;
    }
    let bench = Bench::new();
    bench.write("table.hpp", "struct Table { int *cells, n; Table(int n); ~Table(); };\n");
    let source = "#include \"table.hpp\"\nTable::Table(int n) : cells(new int[n]), n(n) { for (int i = 0; i < n; i++) cells[i] = i; }\n\
                  Table::~Table() { int s = 0; for (int i = 0; i < n; i++) s += cells[i]; if (s < 0) __builtin_trap(); delete[] cells; }\n";
    bench.write("table.cpp", source);
    bench.write(
        "main.cpp",
        "#include \"table.hpp\"\nint main() { for (int i = 0; i < 20; i++) Table t(i); }\n",
    );
    let compile =
        ["build", "--probe", "routines", "--", "g++", "-O2", "-o", "program", "main.cpp", "table.cpp"];
    bench.run(compile).succeeds();
    let ran = bench.run(["run", "--", "./program"]).succeeds();
    assert!(!ran.stderr.contains("Table"), "{}", ran.stderr);
    let calls = |name: &str| tuples(&bench, name).iter().map(|t| t[1]).sum::<u64>();
    assert_eq!((calls("Table::Table(int)"), calls("Table::~Table()")), (20, 20));
}
