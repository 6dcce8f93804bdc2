//! Tests unmodified files of other tools: see `tests/data/README.md`.

use std::collections::BTreeMap;
use std::path::Path;
use std::rc::Rc;

use trend_collect::import::{
    Budget, Imported, ImportedRun, Limits, Root, criterion, go_cover, google_benchmark, hyperfine, lcov,
    parquet, python_trace,
};
use trend_profile::Kind;

fn sample(name: &str) -> Vec<u8> {
    std::fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(name)).unwrap()
}

/// Returns the counts of the first run by function and line.
fn lines(imported: &Imported) -> BTreeMap<(String, u32), u64> {
    let row = |&(location, count): &(u32, u64)| {
        let l = &imported.locations[location as usize];
        let function = imported.functions[l.function.index()].symbol.name.clone();
        (l.kind == Kind::Block).then_some(((function, l.line), count))
    };
    imported.runs[0].counts.iter().filter_map(row).collect()
}

/// Returns the costs of each point by workload and location.
fn points(imported: &Imported) -> BTreeMap<(String, String), Vec<u64>> {
    let mut points: BTreeMap<_, Vec<u64>> = BTreeMap::new();
    for run in &imported.runs {
        let (location, cost) = run.counts[0];
        let label = imported.locations[location as usize].label.to_string();
        points.entry((run.workload.as_deref().unwrap().to_owned(), label)).or_default().push(cost);
    }
    points
}

#[test]
fn c8_counts_how_often_lines_of_javascript_ran() {
    let read = lcov::read(&sample("c8.info"), &Root::new("")).unwrap();
    let lines = lines(&read);
    assert_eq!(lines[&("has".to_owned(), 13)], 1225, "50·49/2 comparisons");
    assert_eq!(lines[&("unique".to_owned(), 4)], 50);
    assert_eq!(read.warnings, []);
}

/// nyc does not record where functions end, but the source shows it. With the source, each line is in the function that
/// runs it.
#[test]
fn nyc_counts_lines_in_the_function_that_contains_them() {
    let source = |name: &str| String::from_utf8(sample(&format!("nyc/{name}"))).ok();
    let read = lcov::read_with_sources(&sample("nyc/lcov.info"), &Root::new(""), &source).unwrap();
    let functions: Vec<(u32, String)> = lines(&read).into_keys().map(|(name, line)| (line, name)).collect();
    let lines_of = |function: &str| -> Vec<u32> {
        let mut lines: Vec<u32> =
            functions.iter().filter(|(_, name)| name == function).map(|(line, _)| *line).collect();
        lines.sort_unstable();
        lines
    };
    assert_eq!(lines_of("has"), [2, 3, 4, 7]);
    assert_eq!(lines_of("(anonymous_1)"), [11]);
    assert_eq!(lines_of("(anonymous_2)"), [19, 20, 22]);
    assert_eq!(lines_of("(anonymous_3)"), [16, 17]);
    assert_eq!(lines_of(""), [10, 12, 26, 27, 28, 30]);
    assert_eq!(read.warnings, []);
}

#[test]
fn coverage_py_says_only_whether_a_line_ran() {
    let read = lcov::read(&sample("coverage-py.info"), &Root::new("")).unwrap();
    assert!(lines(&read).values().all(|&count| count <= 1));
    assert_eq!(read.warnings, []);
}

#[test]
fn parquet_files_of_every_compression_and_decimals_are_read() {
    for name in ["lz4.parquet", "brotli.parquet"] {
        let read = parquet::read(sample(name).as_slice(), &["n".to_owned()]).unwrap();
        let row = |run: &ImportedRun| (run.features[0].1, run.counts.iter().map(|c| c.1).collect::<Vec<_>>());
        let rows: Vec<_> = read.runs.iter().map(row).collect();
        let expected = [10, 20, 40, 80].map(|x: u32| {
            let x64 = u64::from(x);
            (f64::from(x) / 4.0, vec![x64 * x64, 3 * x64, 7 * x64])
        });
        assert_eq!(rows, expected, "{name}");
    }
}

#[test]
fn pythons_trace_counts_how_often_lines_ran() {
    let read = python_trace::read(&sample("dedup.cover"), "dedup").unwrap();
    let lines = lines(&read);
    assert_eq!(lines[&("unique".to_owned(), 5)], 21);
    assert_eq!(lines[&("unique".to_owned(), 7)], 20);
    assert_eq!(&*read.locations[0].file, "dedup.py");
}

#[test]
fn go_counts_blocks() {
    let read = go_cover::read(&sample("go-cover.out"), &Root::new("")).unwrap();
    let inner = read.locations.iter().position(|l| l.label.ends_with("dedup.go:15.29")).unwrap() as u32;
    assert!(read.runs[0].counts.contains(&(inner, 4950)), "100·99/2 comparisons");
    assert_eq!(read.warnings, []);
}

#[test]
fn google_benchmark_has_repetitions_arguments_and_units() {
    let read = google_benchmark::read(&sample("google-benchmark.json"), None).unwrap();
    let points = points(&read);
    let insertion: Vec<&Vec<u64>> = ["n=64", "n=256", "n=1024", "n=4096", "n=16384"]
        .map(|n| &points[&(n.to_owned(), "BM_insertion".to_owned())])
        .to_vec();
    assert!(insertion.iter().all(|costs| costs.len() == 2), "repetitions, no aggregates");
    assert!(insertion.windows(2).all(|pair| pair[0][0] < pair[1][0]));
    // The largest run took at least a microsecond, and at most a second.
    assert!((1_000_000..1_000_000_000_000).contains(&insertion[4][0]));
    assert_eq!(points[&("rows=64 cols=64".to_owned(), "BM_mix".to_owned())].len(), 1);
}

#[test]
fn hyperfine_and_criterion_have_a_time_per_run() {
    let read = hyperfine::read(&sample("hyperfine.json")).unwrap();
    let of_sort = points(&read);
    assert_eq!(of_sort.len(), 4);
    assert!(of_sort.iter().all(|((_, name), times)| name == "./sort {n}" && times.len() == 4));
    assert_eq!(of_sort[&("n=100".to_owned(), "./sort {n}".to_owned())][0], 695_774_000);

    let (benchmark, data) = (sample("criterion/benchmark.json"), sample("criterion/sample.json"));
    let estimates = sample("criterion/estimates.json");
    let files = criterion::Files { benchmark: &benchmark, sample: Some(&data), estimates: Some(&estimates) };
    let budget = Rc::new(Budget::new(Limits::for_files(1 << 20)));
    let mut times: Vec<u64> =
        criterion::read(&files, &budget).unwrap().runs.iter().map(|r| r.counts[0].1).collect();
    assert_eq!(times.len(), 100);
    times.sort_unstable();
    let estimate =
        criterion::read(&criterion::Files { sample: None, ..files }, &budget).unwrap().runs[0].counts[0].1;
    // The median of an even number of samples lies between two of them.
    assert!(times[49] <= estimate + 1 && estimate <= times[50] + 1, "{estimate}");
}
