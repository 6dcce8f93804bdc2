//! Tests unmodified reports of coverage tools and benchmarks: see `tests/data/README.md`. All count one program. It
//! compares each of n distinct items with all before it, n·(n − 1)/2 times.

use std::collections::BTreeMap;
use std::path::Path;

use trend_collect::import::{
    Imported, Root, clover, cobertura, gcov_json, gcovr, go_bench, gungraun, istanbul,
};
use trend_profile::Kind;

const SIZES: [u64; 7] = [50, 100, 200, 400, 800, 1600, 3200];

fn sample(name: &str) -> Vec<u8> {
    std::fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(name)).unwrap()
}

/// Returns the folder in which the tools ran.
fn root() -> Root {
    Root::new("/tmp/dedup")
}

/// Returns the text of the JavaScript program.
fn source(name: &str) -> Option<String> {
    (name == "dedup.js").then(|| String::from_utf8(sample("dedup.js")).unwrap())
}

/// Sums the counts of the only run by function and line.
fn lines(imported: &Imported, kind: Kind) -> BTreeMap<(String, u32), u64> {
    let [run] = imported.runs.as_slice() else { panic!("{} runs", imported.runs.len()) };
    let mut lines = BTreeMap::new();
    for &(location, count) in &run.counts {
        let l = &imported.locations[location as usize];
        assert!(["dedup.c", "dedup.js"].contains(&&*l.file), "{}", l.file);
        if l.kind == kind {
            let function = imported.functions[l.function.index()].symbol.name.clone();
            *lines.entry((function, l.line)).or_default() += count;
        }
    }
    lines
}

fn at(function: &str, line: u32) -> (String, u32) {
    (function.to_owned(), line)
}

/// Returns the counts of gcc's own gcov for the C program: the lines of `has`, of `unique` and of `main`.
fn of_c(n: u64) -> BTreeMap<(String, u32), u64> {
    let compares = n * (n - 1) / 2;
    let has = [(4, n), (6, compares + n), (7, compares), (8, 0), (10, n)];
    let unique = [(13, 1), (15, 1), (16, n + 1), (17, n), (18, n), (20, 1)];
    let main = [(23, 1), (25, 1), (26, 1), (27, n + 1), (28, n), (29, 1), (30, 1), (31, 1)];
    let of = |function: &'static str, rows: &[(u32, u64)]| {
        rows.iter().map(|&(line, count)| (at(function, line), count)).collect::<Vec<_>>()
    };
    [of("has", &has), of("unique", &unique), of("main", &main)].concat().into_iter().collect()
}

#[test]
fn gcovr_counts_the_lines_of_a_program_in_each_of_its_formats() {
    for n in SIZES {
        let json = gcovr::read(&sample(&format!("gcovr/n-{n}.json")), &root()).unwrap();
        assert_eq!(lines(&json, Kind::Block), of_c(n));
        let entries = [(at("has", 4), n), (at("main", 23), 1), (at("unique", 13), 1)];
        assert_eq!(lines(&json, Kind::Entry), entries.into());
        let xml = cobertura::read(&sample(&format!("cobertura/gcovr-{n}.xml")), &root(), &|_| None).unwrap();
        assert_eq!(lines(&xml, Kind::Block), of_c(n));
        assert_eq!(lines(&xml, Kind::Entry), BTreeMap::new());
        // gcovr's Clover has no functions.
        let xml = clover::read(&sample(&format!("clover/gcovr-{n}.xml")), &root(), &|_| None).unwrap();
        let expected = of_c(n).into_iter().map(|((_, line), count)| (at("", line), count)).collect();
        assert_eq!(lines(&xml, Kind::Block), expected);
    }
}

#[test]
fn every_version_of_gcovr_counts_alike() {
    for version in ["5.2", "6.0", "7.2"] {
        let read = gcovr::read(&sample(&format!("gcovr/gcovr-{version}.json")), &root()).unwrap();
        assert_eq!(lines(&read, Kind::Block), of_c(3200), "{version}");
        assert_eq!(lines(&read, Kind::Entry)[&at("has", 4)], 3200, "{version}");
        assert_eq!(read.warnings, []);
    }
    // The first version has no functions.
    let read = gcovr::read(&sample("gcovr/gcovr-4.2.json"), &root()).unwrap();
    let expected = of_c(3200).into_iter().map(|((_, line), count)| (at("", line), count)).collect();
    assert_eq!(lines(&read, Kind::Block), expected);
    let error = gcov_json::read(&sample("gcovr/gcovr-6.0.json"), &root()).unwrap_err().to_string();
    assert!(error.contains("missing field"), "{error}");
}

/// Returns the lines of `has`: the loop, its comparison, and both results.
fn of_javascript(n: u64) -> [((String, u32), u64); 4] {
    [(at("has", 12), n), (at("has", 13), n * (n - 1) / 2), (at("has", 14), 0), (at("has", 17), n)]
}

#[test]
fn istanbul_counts_statements_in_the_function_that_contains_them() {
    for n in SIZES {
        let read = istanbul::read(&sample(&format!("istanbul/nyc-{n}.json")), &root()).unwrap();
        let lines_of = lines(&read, Kind::Block);
        for (place, count) in of_javascript(n) {
            // The loop and its `i = 0` are two statements of one line.
            let statements = if place.1 == 12 { 2 } else { 1 };
            assert_eq!(lines_of[&place], statements * count, "{place:?}");
        }
        assert_eq!(lines_of[&at("(anonymous_2)", 21)], n);
        assert_eq!(lines_of[&at("", 20)], 1);
        let entries = [(at("has", 11), n), (at("unique", 1), 1), (at("(anonymous_2)", 21), n)];
        assert_eq!(lines(&read, Kind::Entry), entries.into());
    }
    let nyc = istanbul::read(&sample("istanbul/nyc-50.json"), &root()).unwrap();
    let jest = istanbul::read(&sample("istanbul/jest-50.json"), &root()).unwrap();
    assert_eq!(lines(&jest, Kind::Block), lines(&nyc, Kind::Block));
    let c8 = lines(&istanbul::read(&sample("istanbul/c8-50.json"), &root()).unwrap(), Kind::Block);
    // V8 counts blocks, so the condition's line has the loop's count.
    assert_eq!((c8[&at("has", 13)], c8[&at("unique", 4)], c8[&at("", 20)]), (1225, 50, 1));
}

#[test]
fn istanbul_counts_the_same_in_xml() {
    for n in SIZES {
        let xml = cobertura::read(&sample(&format!("cobertura/nyc-{n}.xml")), &root(), &source).unwrap();
        let lines_of = lines(&xml, Kind::Block);
        for (place, count) in of_javascript(n) {
            assert_eq!(lines_of[&place], count, "{place:?}");
        }
        assert_eq!((lines_of[&at("(anonymous_2)", 21)], lines_of[&at("", 20)]), (n, 1));
        assert_eq!(lines(&xml, Kind::Entry)[&at("has", 11)], n);
        let xml = clover::read(&sample(&format!("clover/nyc-{n}.xml")), &root(), &source).unwrap();
        let without_functions: BTreeMap<u32, u64> =
            lines(&xml, Kind::Block).into_iter().map(|((_, line), count)| (line, count)).collect();
        assert_eq!(without_functions, lines_of.into_iter().map(|((_, line), count)| (line, count)).collect());
    }
}

#[test]
fn coverage_py_says_only_whether_a_line_ran() {
    let read = cobertura::read(&sample("cobertura/coverage-py.xml"), &root(), &|_| None).unwrap();
    assert!(read.runs[0].counts.iter().all(|&(_, count)| count <= 1));
    assert_eq!((&*read.locations[0].file, read.locations.len()), ("dedup.py", 20));
}

/// Returns the costs by benchmark and workload.
fn points(imported: &Imported) -> BTreeMap<(String, String), Vec<u64>> {
    let mut points: BTreeMap<_, Vec<u64>> = BTreeMap::new();
    for run in &imported.runs {
        let (location, cost) = run.counts[0];
        let label = imported.locations[location as usize].label.to_string();
        points.entry((label, run.workload.as_deref().unwrap().to_owned())).or_default().push(cost);
    }
    points
}

#[test]
fn go_has_a_line_for_each_repetition_and_metrics_of_its_own() {
    let output = sample("go-bench/count.txt");
    let point = |n: u64| ("example.com/dedup.BenchmarkUnique".to_owned(), format!("n={n}"));
    let times = points(&go_bench::read(&output, None).unwrap());
    assert_eq!(times[&point(50)], [3_143_000, 2_472_000, 2_978_000]);
    assert_eq!(times[&("example.com/dedup.BenchmarkNone".to_owned(), "all".to_owned())], [1110, 1234, 1063]);
    let compares = go_bench::read(&output, Some("compares/op")).unwrap();
    assert_eq!(compares.unit.name(), "compares");
    for n in SIZES {
        assert_eq!(points(&compares)[&point(n)], [n * (n - 1) / 2; 3]);
    }
    let bytes = go_bench::read(&output, Some("B/op")).unwrap();
    assert_eq!((bytes.unit.name(), &points(&bytes)[&point(3200)]), ("bytes", &vec![87_288; 3]));
}

#[test]
fn gungraun_counts_the_instructions_of_a_benchmark() {
    let read = |name: &str, event| {
        gungraun::read(&sample(&format!("gungraun/0.19.4/{name}/summary.json")), event).unwrap()
    };
    let unique = read("unique.n_50", None);
    let point = |n: u64| ("sorting::lists::unique(items({n}))".to_owned(), format!("n={n}"));
    assert_eq!((unique.unit.name(), &points(&unique)[&point(50)]), ("instructions", &vec![5574]));
    assert_eq!(points(&read("unique.n_50", Some("EstimatedCycles")))[&point(50)], [8494]);
    // `benches` numbers its ids, so they are not sizes.
    let sum = points(&read("sum.of_2", None));
    assert_eq!(sum.keys().next(), Some(&("sorting::lists::sum(items({n}))".to_owned(), "n=200".to_owned())));
}
