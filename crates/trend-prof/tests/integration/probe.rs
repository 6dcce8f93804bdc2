//! C and C++ with the probe: what one build measures, and messages about programs that were built in other ways.

use std::collections::BTreeMap;
use std::path::Path;

use trend_profile::{Observation, StudyFile, Variable};

use crate::aprof_plot::{self, Point, Report};
use crate::bench::{Bench, Ran, can_probe};

/// A program whose loops run a known number of times. The comparison by `?:` is a separate place.
const WORK: &str = r"
void sort(int *a, int n) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j + 1 < n - i; j++)
            if (a[j] > a[j + 1]) {
                int t = a[j];
                a[j] = a[j + 1];
                a[j + 1] = t;
            }
}
int sum(const int *a, int n) {
    int s = 0;
    for (int i = 0; i < n; i++)
        s += a[i];
    return s;
}
";

const MAIN: &str = r#"#include <stdio.h>
#include <stdlib.h>
void sort(int *, int);
int sum(const int *, int);
int main(int c, char **v) {
    int n = atoi(v[1]), *a = malloc(n * sizeof *a);
    for (int i = 0; i < n; i++)
        a[i] = n - i;
    sort(a, n);
    int s = 0;
    for (int k = 0; k < 5; k++)
        s += sum(a, n);
    if (n == 77)
        abort();
    printf("sum=%d\n", s);
    return 0;
}
"#;

const MAKEFILE: &str = "CFLAGS = -O2\nprogram: main.o work.o\n\t$(CC) $(LDFLAGS) -o $@ main.o work.o\nclean:\n\trm -f *.o program\n";

/// Creates a program of two sources with a Makefile, or returns `None` if there is no probe.
pub(crate) fn project() -> Option<Bench> {
    if !can_probe("programs in C with the probe") {
        return None;
    }
    let bench = Bench::new();
    bench.write("work.c", WORK);
    bench.write("main.c", MAIN);
    bench.write("Makefile", MAKEFILE);
    Some(bench)
}

pub(crate) fn build<'a>(options: &[&'a str]) -> Vec<&'a str> {
    [&["build"], options, &["--", "make"]].concat()
}

const SIZES: [&str; 5] = ["run", "--param", "n=10,20,40,80,160", "--", "./program"];

/// Runs the program with [`SIZES`].
fn run(bench: &Bench, more: &[&str]) {
    let words: Vec<&str> = SIZES[..1].iter().chain(more).chain(&SIZES[1..]).copied().chain(["{n}"]).collect();
    bench.run(words).succeeds().says(&["5 runs recorded"]);
}

/// Returns, for each size of a routine in the aprof report, the size, the calls, and the sums of inclusive and self
/// costs.
pub(crate) fn tuples(bench: &Bench, routine: &str) -> Vec<[u64; 4]> {
    let report = bench.run(["export", "aprof"]).succeeds().stdout;
    let mut name = "";
    let mut tuples = Vec::new();
    for line in report.lines() {
        match *line.split(' ').collect::<Vec<_>>() {
            ["r", ..] => name = line.split('"').nth(1).unwrap(),
            ["p", _, size, _, _, sum, _, calls, _, own, ..] if name == routine => {
                tuples.push([size, calls, sum, own].map(|text| text.parse().unwrap()));
            }
            _ => {}
        }
    }
    tuples
}

#[test]
fn one_build_counts_blocks_and_observes_routines() {
    let Some(bench) = project() else { return };
    let fragments =
        ["instrumented 2 compilations and 1 link", "probe of routines and with single-thread counters"];
    bench.run(build(&["--probe", "routines,blocks"])).succeeds().says(&fragments);
    run(&bench, &[]);
    let sizes = [10, 20, 40, 80, 160];
    let counts = bench.counts(&[]);
    let pairs_of = |cost: fn(u64) -> u64| sizes.map(|n| (n, cost(n))).to_vec();
    // The numbers are in descending order, so each comparison swaps.
    assert_eq!(counts.pairs("n", "work.c:5:13"), pairs_of(|n| n * (n - 1) / 2));
    assert_eq!(counts.pairs("n", "work.c:5:34"), pairs_of(|n| n * (n - 1) / 2));
    assert_eq!(counts.pairs("n", "work.c:14:sum"), pairs_of(|n| 5 * n));
    let calls = |routine: &str| tuples(&bench, routine).iter().map(|t| [t[0], t[1]]).collect::<Vec<_>>();
    assert_eq!(calls("sort"), sizes.map(|n| [n, 1]));
    assert_eq!(calls("sum"), sizes.map(|n| [n, 5]));
    // `sum` has entry, exit and a last condition, and two blocks per iteration. `sort` has four blocks for each of n(n
    // − 1)/2 comparisons: condition, comparison, swap and end. Its outer loop adds three per iteration.
    let costs = |routine: &str| tuples(&bench, routine).iter().map(|t| t[3]).collect::<Vec<_>>();
    assert_eq!(costs("sum"), sizes.map(|n| 5 * (2 * n + 3)));
    assert_eq!(costs("sort"), sizes.map(|n| 4 * (n * (n - 1) / 2) + 3 * n + 3));
    // The inclusive cost of `main` is the sum of all self costs.
    let own = |routine| tuples(&bench, routine).iter().map(|t| t[3]).sum::<u64>();
    let inclusive: u64 = tuples(&bench, "main").iter().map(|t| t[2]).sum();
    assert_eq!(inclusive, own("main") + own("sort") + own("sum"));
    // One study has both, with tables of clusters, functions and routines.
    let findings = bench.findings(&["--by", "function"]);
    assert_eq!(findings["unit"], "executions");
    assert!(!findings["series"].as_array().unwrap().is_empty());
    let names: Vec<_> = findings["functions"].as_array().unwrap().iter().map(|f| f["name"].clone()).collect();
    assert_eq!(names[0], "sort");
    bench.run(["show", "--by", "routine"]).succeeds().shows(&["sort", "n^2"]);
}

/// Returns the study's routines by size, in the form of an aprof-plot report.
fn points_of_study(bench: &Bench, variable: Variable) -> BTreeMap<String, BTreeMap<u64, Point>> {
    let study = StudyFile::read(&bench.path("program.trend"), None).unwrap();
    let mut all: BTreeMap<String, BTreeMap<u64, Point>> = BTreeMap::new();
    let is_whole = |place: &trend_profile::Place| place.context.is_empty();
    for series in study.series().iter().filter(|s| s.variables == [variable] && is_whole(&s.place)) {
        for observation in &series.observations {
            let Observation { count, min, max, sum, sum_of_squares, parts, .. } = *observation;
            let own = parts.own_costs.unwrap();
            let own_input = parts.own_input.map_or([0; 2], |own| [own.from_kernel, own.from_threads]);
            let [kernel, threads] = [parts.from_kernel, parts.from_threads].map(Option::unwrap_or_default);
            let point = Point {
                min: min as f64,
                max: max as f64,
                sum: sum as f64,
                squares: sum_of_squares,
                calls: count,
                real: parts.outermost.unwrap() as f64,
                own: parts.own.unwrap() as f64,
                own_min: own.min as f64,
                own_max: own.max as f64,
                own_squares: own.sum_of_squares,
                induced: [kernel, threads, own_input[0], own_input[1]],
            };
            let sizes = all.entry(series.place.symbol.name.clone()).or_default();
            sizes.entry(observation.size()).and_modify(|sum| sum.add(&point)).or_insert(point);
        }
    }
    all
}

/// Returns the sizes of `show ROUTINE --format json`, with the fields that an aprof-plot report also has.
fn points_of_json(bench: &Bench, routine: &str, metric: &str) -> BTreeMap<u64, [f64; 7]> {
    let findings = bench.findings(&["program.trend", routine, "--metric", metric]);
    let rows = findings["series"].as_array().unwrap().iter();
    let whole = rows.clone().find(|row| row["context"].is_null()).unwrap();
    let tuples = whole["tuples"].as_array().unwrap().iter();
    let fields = ["count", "min", "max", "sum", "sum_of_squares", "outermost_sum", "self_sum"];
    tuples
        .map(|tuple| {
            (tuple["sizes"][0].as_u64().unwrap(), fields.map(|field| tuple[field].as_f64().unwrap()))
        })
        .collect()
}

/// Exports a report and parses it like aprof-plot. Asserts that it contains all data of the study and of its JSON.
#[track_caller]
fn report_of(bench: &Bench, metric: &str) -> Report {
    bench.run(["export", "aprof", "program.trend", "-o", "program.aprof"]).succeeds();
    let report = aprof_plot::read(&bench.read("program.aprof")).unwrap();
    assert_eq!((report.version, &*report.metric, &*report.input), (5, "bb_count", metric));
    let expected = points_of_study(bench, Variable::named(metric).unwrap());
    let routines = report.routines();
    assert_eq!(routines.keys().collect::<Vec<_>>(), expected.keys().collect::<Vec<_>>());
    for (name, points) in &routines {
        assert_eq!(*points, &expected[*name], "{name}");
        let in_json = points
            .iter()
            .map(|(size, p)| (*size, [p.calls as f64, p.min, p.max, p.sum, p.squares, p.real, p.own]));
        assert_eq!(points_of_json(bench, name, metric), in_json.collect(), "{name}");
    }
    // The cost of `main` is the sum of all self costs.
    let main: f64 = routines["main"].values().map(|point| point.sum).sum();
    assert_eq!((report.own, report.total), (main, main));
    report
}

#[test]
fn aprof_plot_reads_every_field_of_a_report_as_the_study_and_its_json_have_it() {
    let Some(bench) = project() else { return };
    bench.replace(
        "main.c",
        "#include <stdio.h>",
        "#include <fcntl.h>\n#include <stdio.h>\n#include <unistd.h>",
    );
    bench.replace("main.c", "    int s = 0;\n", "    int s = 0, zeros = open(\"/dev/zero\", O_RDONLY);\n");
    bench.replace(
        "main.c",
        "        s += sum(a, n);\n",
        "        read(zeros, a, n * sizeof *a / 2), s += sum(a, n) + a[0];\n",
    );
    let kinds = [
        ("rms", &["--metric", "rms"][..]),
        ("drms", &["--metric", "drms"]),
        ("drms", &["--metric", "drms", "--contexts"]),
    ];
    for (metric, options) in kinds {
        bench.shell("make clean >log; rm -f *.trend");
        bench.run(build(&[&["--probe", "routines"], options].concat())).succeeds();
        run(&bench, &[]);
        let report = report_of(&bench, metric);
        let mut callers = report.callers();
        callers.sort_unstable();
        let expected = [("main", "sort"), ("main", "sum")];
        assert_eq!(callers, if options.contains(&"--contexts") { &expected[..] } else { &[] });
        let kernel = |name: &str| {
            let points = report.routines()[name].values();
            points.fold([0, 0], |sum, point| [sum[0] + point.induced[0], sum[1] + point.induced[2]])
        };
        let from_kernel = if metric == "drms" { 5 * (5 + 10 + 20 + 40 + 80) } else { 0 };
        assert_eq!(kernel("sum"), [from_kernel; 2], "{options:?}");
        // `main` also reads one cell of each buffer itself, after `sum` did.
        assert_eq!(kernel("main"), [from_kernel, 0], "{options:?}");
        bench.run(["import", "aprof", "program.aprof", "--study", "again.trend"]).succeeds();
        bench.run(["export", "aprof", "again.trend", "-o", "again.aprof"]).succeeds();
        let again = aprof_plot::read(&bench.read("again.aprof")).unwrap();
        assert_eq!(again.routines(), report.routines(), "{options:?}");
    }
}

#[test]
fn blocks_are_modelled_in_what_a_routine_read() {
    let Some(bench) = project() else { return };
    bench.configure(
        "[program]\nbuild = \"make\"\nprobe = \"routines,blocks\"\ncommand = [\"./program\", \"{m}\"]\n[workloads]\n\
         parameters = { m = [20, 40, 80, 160, 320] }\n[features]\nnumbers = { input-size = \"sort\" }\n",
    );
    bench.run(["run"]).succeeds().says(&["building", "5 runs recorded"]);
    let pairs = bench.counts(&[]).pairs("numbers", "work.c:5:34");
    assert_eq!(pairs, [20, 40, 80, 160, 320].map(|n| (n, n * (n - 1) / 2)));
}

#[test]
fn counters_of_both_kinds_are_there_however_a_program_ends() {
    let Some(bench) = project() else { return };
    bench.run(build(&["--probe", "routines,blocks"])).succeeds();
    bench.configure(
        "[program]\ncommand = [\"./program\", \"{n}\"]\nexit-codes = [0, 134]\n[workloads]\nparameters = { n = [76, 77] }\n",
    );
    bench.run(["run"]).succeeds().says(&["2 runs recorded"]);
    assert_eq!(bench.counts(&[]).pairs("n", "work.c:14:sum"), [(76, 380), (77, 385)]);
    assert_eq!(tuples(&bench, "sum").iter().map(|t| (t[0], t[1])).collect::<Vec<_>>(), [(76, 5), (77, 5)]);
}

#[test]
fn programs_of_other_options_are_told_where_make_takes_them_for_up_to_date() {
    let Some(bench) = project() else { return };
    bench.run(build(&["--probe", "routines"])).succeeds();
    bench
        .run(build(&["--probe", "routines"]))
        .succeeds()
        .says(&["`program` has the probe of an earlier build"]);
    let before = "`program` was built with `--probe routines` and";
    for (options, now) in [
        (
            &["--probe", "routines", "--cost", "instructions"][..],
            "with `--probe routines --cost instructions`",
        ),
        (&["--probe", "routines", "--cell-size", "8"], "with `--probe routines --cell-size 8`"),
        (&["--probe", "routines", "--metric", "drms"], "with `--probe routines --metric drms`"),
        (&["--probe", "routines,blocks"], "with `--probe routines,blocks`"),
        (&[], "without the probe"),
    ] {
        bench.run(build(options)).fails(&[before, now, "make clean"]);
    }
    // Recompile one of two objects.
    bench.shell("touch -d '+5 seconds' work.c");
    let parts = bench.run(build(&["--probe", "routines", "--cost", "instructions"]));
    parts.fails(&["`main.o` was built with `--probe routines`, but this", "make clean"]);
    // A program linked from such objects reports the same when it runs.
    bench
        .run(["run", "--probe", "routines", "--", "./program", "10"])
        .ends_with(1)
        .says(&["different options"]);
    bench.shell("rm -f program *.o");
    bench.run(build(&[])).succeeds();
    bench.shell("rm program");
    bench
        .run(build(&["--probe", "routines"]))
        .fails(&["built without the probe, but", " with `--probe routines`"]);
    bench.shell("rm -f program *.o");
    bench.run(build(&["--probe", "routines"])).succeeds();
    bench.shell("rm program");
    bench.run(build(&[])).fails(&["built with `--probe routines`, but", " without the probe"]);
}

#[test]
fn a_program_that_does_not_measure_what_is_asked_for_is_refused_before_it_runs() {
    let Some(bench) = project() else { return };
    bench.run(build(&[])).succeeds();
    let routines = ["run", "--probe", "routines", "--param", "n=10,20", "--", "./program", "{n}"];
    bench.run(routines).refuses(&["program was not built with `--probe routines`"]).hints(&["make clean"]);
    bench.shell("make clean >log");
    bench.run(build(&["--probe", "routines"])).succeeds();
    bench
        .run(["run", "--probe", "routines,blocks", "--", "./program", "10"])
        .refuses(&["`--probe routines,blocks`"]);
    // Without the option, `run` looks up the probe that the program was built with.
    bench.run(["run", "--", "./program", "10"]).succeeds().says(&["1 run recorded"]);
    assert_eq!(tuples(&bench, "sum").iter().map(|t| (t[0], t[1])).collect::<Vec<_>>(), [(10, 5)]);
    // The probe reserves much address space but uses little of it.
    bench
        .run(["run", "--memory", "2GB", "--", "./program", "10"])
        .refuses(&["terabytes"])
        .hints(&["remove `memory`"]);
    let limited = [
        "run",
        "--study",
        "limited.trend",
        "--probe",
        "routines",
        "--",
        "sh",
        "-c",
        "ulimit -v 1000000; ./program 10",
    ];
    bench.run(limited).ends_with(1).says(&["terabytes of address space", "without `ulimit -v`"]);
    // A program that does not receive the folder for its records.
    let silent = ["run", "--study", "other.trend", "--probe", "routines", "--", "sh", "-c"];
    let line = ["unset TREND_PROF_RECORD; ./program 10"];
    bench
        .run(silent.iter().chain(&line))
        .ends_with(1)
        .says(&["has the probe but recorded nothing", "clears"]);
}

#[test]
fn what_costs_are_counted_in_is_the_study_s_unit() {
    let Some(bench) = project() else { return };
    bench.run(build(&["--probe", "routines", "--cost", "instructions"])).succeeds();
    run(&bench, &[]);
    assert_eq!(bench.findings(&[])["unit"], "instructions");
    assert!(bench.run(["export", "aprof"]).succeeds().stdout.contains("\nm vex-instr\n"));
    bench.run(["show"]).succeeds().shows(&["Costs in instructions;"]);
    // New runs are added to the study, but two kinds of costs are not mixed.
    bench.run(["run", "--param", "n=10,320", "--", "./program", "{n}"]).succeeds().says(&["1 run recorded"]);
    bench.shell("make clean >log");
    bench.run(build(&["--probe", "routines"])).succeeds();
    let again = bench.run(["run", "--param", "n=10,640", "--", "./program", "{n}"]);
    again.refuses(&["program.trend"]).hints(&["--fresh"]);
}

#[test]
fn a_failed_build_is_not_told_as_instrumented() {
    let Some(bench) = project() else { return };
    bench.replace("work.c", "return s;", "return s");
    let ran = bench.run(build(&["--probe", "routines"])).ends_with(2).says(&["the build failed"]);
    assert!(!ran.stderr.contains("instrumented"), "{}", ran.stderr);
}

#[test]
fn the_study_of_another_program_is_not_replaced() {
    let Some(bench) = project() else { return };
    bench.run(build(&[])).succeeds();
    run(&bench, &["--study", "one.trend"]);
    bench.shell("cp program other");
    let other = ["run", "--study", "one.trend", "--param", "n=10,20,40,80,160", "--", "./other", "{n}"];
    bench
        .run(other)
        .refuses(&["has runs of `./program {n}`, but this is `./other {n}`"])
        .hints(&["--study", "--fresh"]);
    // An additional argument changes the program's runs, which is allowed.
    let more = ["run", "--study", "one.trend", "--param", "n=10,20,40,80,160", "--", "./program", "{n}", "x"];
    bench.run(more).succeeds().says(&["5 runs recorded"]);
}

#[test]
fn what_the_probe_cannot_see_is_linked_and_listed() {
    let Some(bench) = project() else { return };
    bench.replace("main.c", "sort(a, n);", "sort(a, n); by_hand(n); of_gcc(a, n); of_archive(a, n);");
    bench.replace(
        "main.c",
        "int main",
        "void by_hand(int), of_gcc(int *, int), of_archive(int *, int);\nint main",
    );
    bench.write("hand.s", ".globl by_hand\nby_hand: ret\n.section .note.GNU-stack,\"\",@progbits\n");
    for name in ["of_gcc", "of_archive"] {
        bench.write(
            format!("{name}.c"),
            format!("void {name}(int *a, int n) {{ for (int i = 0; i < n; i++) a[i]++; }}\n"),
        );
    }
    bench.shell("gcc -O2 -c of_gcc.c -o gcc.o && gcc -O2 -c of_archive.c -o archived.o && ar rc libarchived.a archived.o");
    bench.write("Makefile", "program: main.o work.o hand.o\n\t$(CC) -o $@ $^ gcc.o libarchived.a\nhand.o: hand.s\n\t$(CC) -c hand.s\n");
    bench.run(build(&["--probe", "routines"])).succeeds().says(&["instrumented 2 compilations and 1 link"]);
    let ran = bench.run(["run", "--", "./program", "50"]).succeeds();
    ran.says(&[
        "not probed",
        "program: by_hand, 1 call",
        "program: of_gcc, 1 call",
        "program: of_archive, 1 call",
    ]);
    assert_eq!(tuples(&bench, "sum").iter().map(|t| (t[0], t[1])).collect::<Vec<_>>(), [(50, 5)]);
}

#[test]
fn what_gcc_only_warns_of_is_probed() {
    if !can_probe("programs in C and C++ with the probe") {
        return;
    }
    let bench = Bench::new();
    bench.write(
        "old.c",
        "twice(n) { int *p = n; return more((long)p) * 2; }\nvoid none(void) { return 1; }\n",
    );
    bench.write(
        "old.cc",
        "#define WORD \"word\"\nint size(unsigned n) { register int s = 3; int a[] = {n}; return s + a[0]; }\n\
         const char *text = \"a \"WORD;\n",
    );
    let line = "gcc -std=gnu99 -c old.c -o c.o; g++ -c old.cc -o cc.o";
    let ran = bench
        .run(["build", "--probe", "routines", "--", "sh", "-c", line])
        .succeeds()
        .says(&["instrumented 2 compilations"]);
    assert!(!ran.stderr.contains("not probed"), "{}", ran.stderr);
}

#[test]
fn flags_that_the_build_has_already_do_not_disturb() {
    let Some(bench) = project() else { return };
    for (flags, probe) in [
        ("-flto", "routines"),
        ("-flto -ffat-lto-objects", "routines,blocks"),
        ("-fprofile-generate", "routines"),
        ("--coverage", "routines,blocks"),
        ("-static", "routines"),
        ("-static", "routines,blocks"),
        ("-static-pie -fPIE", "routines"),
        ("-pie -fPIE", "routines,blocks"),
        ("-no-pie -fno-pie", "routines"),
        ("-Wl,--gc-sections -ffunction-sections", "routines,blocks"),
    ] {
        let flags = format!("CFLAGS=-O2 {flags}");
        let link = flags.replace("CFLAGS=-O2", "LDFLAGS=");
        bench.shell("make clean >log");
        bench.run(["build", "--probe", probe, "--", "make", &flags, &link]).succeeds();
        bench.run(["run", "--fresh", "--probe", probe, "--", "./program", "50"]).succeeds();
        let points = tuples(&bench, "sum");
        assert_eq!(points.iter().map(|t| (t[0], t[1])).collect::<Vec<_>>(), [(50, 5)], "{flags} {probe}");
    }
    for sanitizer in ["address", "undefined", "thread", "leak", "address,undefined"] {
        bench.shell("make clean >log");
        let [compile, link] =
            ["CFLAGS=-O2", "LDFLAGS="].map(|flags| format!("{flags} -fsanitize={sanitizer}"));
        let sanitized = ["build", "--probe", "routines", "--", "make", &compile, &link];
        let cause = format!(": -fsanitize={sanitizer} instruments it");
        bench.run(sanitized).ends_with(1).says(&["main.c is not probed", &cause]);
    }
}

#[test]
fn a_missing_or_other_trend_probe_is_told_with_what_to_install() {
    let Some(bench) = project() else { return };
    bench.shell("mkdir bin");
    std::fs::copy(env!("CARGO_BIN_EXE_trend-prof"), bench.path("bin/trend-prof")).unwrap();
    let alone = |path: &str| {
        let mut command = std::process::Command::new(bench.path("bin/trend-prof"));
        command
            .args(["build", "--probe", "routines", "--", "make"])
            .current_dir(bench.folder())
            .env("PATH", path);
        let output = command.env("XDG_CACHE_HOME", bench.path("cache")).output().unwrap();
        (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
    };
    let (code, messages) = alone("/usr/bin:/bin");
    assert_eq!(code, Some(2), "{messages}");
    assert!(
        messages.contains("trend-probe is neither beside") && messages.contains("apt install llvm-22-dev"),
        "{messages}"
    );
    for (script, expected) in [
        ("echo trend-probe 9.9.9", "has version trend-probe 9.9.9"),
        ("echo 'libLLVM.so.22.1: cannot open shared object file' >&2; exit 127", "apt install llvm-22"),
    ] {
        bench.write("bin/trend-probe", format!("#!/bin/sh\n{script}\n"));
        bench.shell("chmod +x bin/trend-probe");
        let (code, messages) = alone("/usr/bin:/bin");
        assert!(code == Some(2) && messages.contains(expected), "{messages}");
    }
}

#[test]
fn a_missing_library_of_counters_is_told_with_what_to_install() {
    let Some(bench) = project() else { return };
    let none = bench.path("none");
    let clang = format!("#!/bin/sh\necho {}/libclang_rt.builtins-x86_64.a\n", none.display());
    bench.write("bin/clang-22", &clang);
    bench.shell("chmod +x bin/clang-22");
    let path = format!("{}:{}", bench.path("bin").display(), std::env::var("PATH").unwrap());
    let ran = bench.command(build(&["--probe", "routines,blocks"])).env("PATH", &path).output().unwrap();
    Ran::from(ran)
        .refuses(&["runtime is missing", &format!("{}/libclang_rt.profile-x86_64.a", none.display())])
        .hints(&["apt install libclang-rt-22-dev"]);
    // Routines alone need no such library.
    let alone = bench.command(build(&["--probe", "routines"])).env("PATH", &path).output().unwrap();
    assert!(!Ran::from(alone).stderr.contains("profile runtime"));
}

#[test]
fn a_compiler_of_another_llvm_is_told_for_each_source() {
    let Some(bench) = project() else { return };
    // An older LLVM cannot read the bitcode of newer compilers.
    bench.write("bin/clang-22", "#!/bin/sh\nwhile [ $# -gt 0 ]; do [ \"$1\" = -o ] && out=$2; shift; done\n[ \"$out\" ] && echo 'BC newer' >\"$out\"\nexit 0\n");
    bench.shell("chmod +x bin/clang-22");
    let path = format!("{}:{}", bench.path("bin").display(), std::env::var("PATH").unwrap());
    let output = bench.command(build(&["--probe", "routines"])).env("PATH", path).output().unwrap();
    let messages = String::from_utf8_lossy(&output.stderr);
    assert!(
        messages.contains("work.c is not probed") && messages.contains("is not bitcode of LLVM 22 or older"),
        "{messages}"
    );
    assert!(Path::new(&bench.path("program")).is_file(), "{messages}");
}

/// Adds a second record to the program's, as a library with version 9 of the probe would.
const WITH_OTHER: &str = "./program $0 && cd \"$TREND_PROF_RECORD\" && cat *.trend-record >9-9.trend-record && \
                          printf '\\011' | dd of=9-9.trend-record bs=1 seek=8 conv=notrunc 2>&1";

#[test]
fn what_another_version_recorded_is_left_out_and_told() {
    let Some(bench) = project() else { return };
    bench.run(build(&["--probe", "routines"])).succeeds();
    let run = |study: &str, script: &str| {
        bench.run(["run", "--study", study, "--param", "n=10,20", "--", "sh", "-c", script, "{n}"])
    };
    run("program.trend", WITH_OTHER)
        .succeeds()
        .says(&["the probe of another trend-prof version", "rebuild it"]);
    assert_eq!(tuples(&bench, "sum").iter().map(|t| (t[0], t[1])).collect::<Vec<_>>(), [(10, 5), (20, 5)]);
    let alone = format!(
        "{WITH_OTHER} && mv 9-9.trend-record kept && rm -f *.trend-record && mv kept 9-9.trend-record"
    );
    run("other.trend", &alone)
        .ends_with(1)
        .says(&["it has version 9", "build the program with this trend-prof"]);
}

/// A program that ends with 20 as its result, like a solver that found a solution.
#[test]
fn a_profile_is_kept_whatever_the_exit_code() {
    if !can_probe("exit codes") {
        return;
    }
    let bench = Bench::new();
    bench.write(
        "solve.c",
        "__attribute__((noinline)) int sum(const int *a, int n) { int s = 0; for (int i = 0; i < n; i++) s += a[i]; return s; }\n\
         int main(void) { static int a[99]; int s = 0; for (int n = 1; n < 99; n++) s += sum(a, n); return 20 + s; }\n",
    );
    bench
        .run(["build", "--probe", "routines", "--", "gcc", "-g", "-O2", "solve.c", "-o", "solve"])
        .succeeds();
    let run = bench.run(["run", "--", "./solve"]).succeeds();
    run.says(&["ended with exit code 20", "--exit-codes 0,20"]);
    assert_eq!(tuples(&bench, "sum").len(), 98);
    let accepted = bench.run(["run", "--fresh", "--exit-codes", "0,20", "--", "./solve"]).succeeds();
    assert!(!accepted.stderr.contains("exit code"), "{}", accepted.stderr);
    bench.run(["run", "--fresh", "--exit-codes", "0", "--", "./solve"]).ends_with(1);
}

/// Natively, 100,000 nested calls of this function need half of the usual stack of 8 MB.
#[test]
fn a_recursion_that_fits_without_the_probe_fits_with_it() {
    if !can_probe("a deep recursion") {
        return;
    }
    let bench = Bench::new();
    bench.write(
        "deep.c",
        "struct L { struct L *n; int v; };\n\
         __attribute__((noinline)) long rec(struct L *l, int d) {\n\
             volatile char pad[16]; pad[0] = d; if (!l) return 0; long r = rec(l->n, d + 1); return r + l->v + pad[0]; }\n\
         static struct L x[100000];\n\
         int main(void) { for (int i = 1; i < 100000; i++) x[i - 1].n = x + i; return rec(x, 0) == 1; }\n",
    );
    bench.run(["build", "--probe", "routines", "--", "gcc", "-g", "-O2", "deep.c", "-o", "deep"]).succeeds();
    // If the hard limit keeps the stack from growing, a message explains the crash.
    let trend_prof = env!("CARGO_BIN_EXE_trend-prof");
    let line = format!(
        "ulimit -S -s 1024 && ulimit -H -s 1024 && exec {trend_prof} run --study small.trend -- ./deep"
    );
    let ran =
        std::process::Command::new("sh").args(["-c", &line]).current_dir(bench.folder()).output().unwrap();
    Ran::from(ran).says(&["SIGSEGV", "the hard limit is 1024 kB"]);
    bench.run(["run", "--", "./deep"]).succeeds();
    assert_eq!(tuples(&bench, "rec").iter().map(|tuple| tuple[1]).sum::<u64>(), 100_001);
}
