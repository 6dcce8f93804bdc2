//! Tests the limits of an import with hostile files: gzip bombs, millions of small records, endless lines and names,
//! and records that cause quadratic work.

use std::io::Write as _;
use std::rc::Rc;
use std::time::{Duration, Instant};

use trend_collect::csv;
use trend_collect::import::{
    Budget, ImportError, Imported, Input, Limits, Root, aprof, callgrind, clover, cobertura, extra_p,
    gcov_json, gcovr, go_bench, go_cover, google_benchmark, gungraun, hyperfine, istanbul, lcov, llvm_cov,
    parquet, python_trace,
};

use crate::memory::within;

/// Small limits; the ratio of memory to kept bytes is that of real files.
const LIMITS: Limits = Limits { unpacked: 6 << 20, document: 1 << 20, kept: 2 << 20 };
/// Maximum bytes of memory per byte that may be kept. A part is charged together with its later data, and a document is
/// in memory along with its parsed form.
const PER_KEPT_BYTE: usize = 6;

fn read(format: &str, input: Input<'_>) -> Result<Imported, ImportError> {
    let root = Root::new("/p");
    match format {
        "aprof" => aprof::read(input),
        "callgrind" => callgrind::read(input, None, &root),
        "clover" => clover::read(input, &root, &|_| None),
        "cobertura" => cobertura::read(input, &root, &|_| None),
        "csv" => csv::read(input, &[]).map(Imported::from),
        "extra-p" => extra_p::read(input, None),
        "gcov" => gcov_json::read(input, &root),
        "gcovr" => gcovr::read(input, &root),
        "go-bench" => go_bench::read(input, None),
        "go-cover" => go_cover::read(input, &root),
        "go-coverage" => crate::import_formats::read_go_coverage(input),
        "google-benchmark" => google_benchmark::read(input, None),
        "gungraun" => gungraun::read(input, None),
        "hyperfine" => hyperfine::read(input),
        "istanbul" => istanbul::read(input, &root),
        "lcov" => lcov::read(input, &root),
        "llvm-cov" => llvm_cov::read(input, &root),
        "parquet" => parquet::read(input, &[]),
        "python-trace" => python_trace::read(input, "m"),
        "v8-coverage" => crate::import_formats::read_v8(input),
        other => panic!("{other}"),
    }
}

fn packed(text: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(text).unwrap();
    encoder.finish().unwrap()
}

/// Format, beginning, repeated part (`@` is the number of the repetition), and end.
type Hostile = (&'static str, &'static str, &'static str, &'static str);

const LLVM: &str = "],\"totals\":{}}],\"type\":\"llvm.coverage.json.export\",\"version\":\"2.0.1\"}";

const GCOVR: &str = "{\"line_number\":1,\"count\":1}]}]}";

fn hostile() -> Vec<Hostile> {
    let function =
        "{\"data\":[{\"functions\":[{\"name\":\"f\",\"count\":1,\"filenames\":[\"a.c\"],\"regions\":[";
    let names = "{\"data\":[{\"functions\":[{\"name\":\"f\",\"count\":1,\"filenames\":[";
    let line = "{\"line_number\":@,\"count\":1},";
    let of_function = "{\"line_number\":@,\"count\":1,\"function_name\":\"f@\"},";
    vec![
        ("lcov", "", "\0", ""),
        ("lcov", "", "\n", ""),
        ("lcov", "SF:", "aaaaaaaaaaaaaaaa", ""),
        ("lcov", "SF:a.c\n", "DA:1,1\n", "end_of_record\n"),
        ("lcov", "SF:a.c\n", "DA:@,1\n", "end_of_record\n"),
        ("lcov", "SF:a.c\n", "FN:1,f\n", "end_of_record\n"),
        ("lcov", "SF:a.c\n", "FN:@,9999999,f@\n", "DA:1,1\nend_of_record\n"),
        ("lcov", "SF:a.c\n", "FNDA:1,f@\n", "DA:1,1\nend_of_record\n"),
        ("lcov", "SF:a.c\n", "FNL:@,1\n", "DA:1,1\nend_of_record\n"),
        ("lcov", "", "SF:@\nDA:1,1\nLF:7\nend_of_record\n", ""),
        ("lcov", "", "TN:@\nSF:a\nDA:@,1\nend_of_record\n", ""),
        ("go-coverage", "\0cwm\u{1}\0\0\0", "aaaaaaaa", ""),
        (
            "v8-coverage",
            "{\"result\":[",
            "{\"url\":\"file:///p/a.js\",\"functions\":[{\"functionName\":\"f\",\"isBlockCoverage\":true,\"ranges\":[{\"startOffset\":0,\"endOffset\":60,\"count\":1}]}]},",
            "{\"url\":\"\",\"functions\":[]}]}",
        ),
        (
            "v8-coverage",
            "{\"result\":[{\"url\":\"file:///p/a.js\",\"functions\":[{\"functionName\":\"f\",\"isBlockCoverage\":true,\"ranges\":[",
            "{\"startOffset\":@,\"endOffset\":60,\"count\":@},",
            "{\"startOffset\":0,\"endOffset\":60,\"count\":1}]}]}]}",
        ),
        ("gcov", "", "                ", ""),
        ("gcov", "{\"x\":", "[", ""),
        ("gcov", "{\"x\":\"", "aaaaaaaaaaaaaaaa", "\"}"),
        ("gcov", "{\"x\":\"", "\\\"", "\"}"),
        ("gcov", "{\"files\":[{\"file\":\"", "aaaaaaaaaaaaaaaa", "\"}]}"),
        (
            "gcov",
            "{\"files\":[{\"file\":\"a\",\"functions\":[],\"lines\":[",
            line,
            "{\"line_number\":1,\"count\":1}]}]}",
        ),
        (
            "gcov",
            "{\"files\":[{\"file\":\"a\",\"functions\":[],\"lines\":[",
            of_function,
            "{\"line_number\":1,\"count\":1}]}]}",
        ),
        ("gcov", "", "{\"files\":[]}", ""),
        (
            "gcov",
            "{\"files\":[",
            "{\"file\":\"@\",\"functions\":[],\"lines\":[]},",
            "{\"file\":\"\",\"functions\":[],\"lines\":[]}]}",
        ),
        ("llvm-cov", function, "[@,1,1,1,1,0,0,0],", ""),
        ("llvm-cov", function, "[@,1,1,1,1,0,0,1],", "[1,1,1,1,1,0,0,0]]}"),
        ("llvm-cov", names, "\"a\",", "\"b\"],\"regions\":[]}"),
        ("csv", "", "a@,", "b\n1\n"),
        ("csv", "a\n", "1\n", ""),
        ("csv", "a\n", "1,", "1\n"),
        ("csv", "a\n", ",", "1\n"),
        ("csv", "a\n\"", "1\n", ""),
        ("go-cover", "mode: count\n", "a.go:1.1,2.2 1 1\n", ""),
        ("go-cover", "mode: count\n", "@.go:1.1,2.2 1 1\n", ""),
        ("python-trace", "", "    1: x\n", ""),
        ("python-trace", "", "    1: def f():\n", ""),
        ("callgrind", "events: Ir\nfn=f\n", "+1 1\n", ""),
        ("callgrind", "events: Ir\nfn=f\n1 ", "1 ", "\n"),
        ("callgrind", "events: Ir\n", "fn=(@) f@\n1 1\n", ""),
        ("callgrind", "events: Ir\nob=/lib/x.so\n", "fn=f\n+1 1\n", ""),
        ("callgrind", "events: Ir\nob=/lib/x.so\n", "fn=f@\n1 1\ncfn=g@\ncalls=1 1\n1 1\n", ""),
        ("aprof", "v 1\nr \"f\" \"p\" 1\n", "p 1 5 1 1 1 1 1\n", ""),
        ("aprof", "v 1\nr \"f\" \"p\" 1\n", "p 1 @ 1 1 1 1 1\n", ""),
        ("aprof", "v 1\n", "r \"f@\" \"p\" @\n", ""),
        ("aprof", "v 1\nr \"f\" \"p\" 1\n", "q @ 1 1 1 1 1 1\nx 1 @ 1\n", ""),
        ("hyperfine", "{\"results\":[{\"command\":\"a\",\"times\":[", "1,", "1]}]}"),
        (
            "hyperfine",
            "{\"results\":[",
            "{\"command\":\"a @\",\"times\":[1]},",
            "{\"command\":\"a\",\"times\":[1]}]}",
        ),
        (
            "google-benchmark",
            "{\"benchmarks\":[",
            "{\"name\":\"b@\",\"error_occurred\":true},",
            "{\"name\":\"b\",\"cpu_time\":1}]}",
        ),
        (
            "google-benchmark",
            "{\"benchmarks\":[",
            "{\"name\":\"b/x@:1\",\"cpu_time\":1},",
            "{\"name\":\"b\",\"cpu_time\":1}]}",
        ),
        ("google-benchmark", "{\"benchmarks\":[{\"name\":\"a", "/b", "\",\"cpu_time\":1}]}"),
        ("google-benchmark", "{\"benchmarks\":[{\"name\":\"a", "/x@:1", "\",\"cpu_time\":1}]}"),
        ("gcovr", "{\"gcovr/format_version\":\"0.6\",\"files\":[{\"file\":\"a\",\"lines\":[", line, GCOVR),
        (
            "gcovr",
            "{\"gcovr/format_version\":\"0.6\",\"files\":[{\"file\":\"a\",\"lines\":[",
            of_function,
            GCOVR,
        ),
        ("gcovr", "{\"gcovr/format_version\":\"0.6\",\"files\":[", "{\"file\":\"\"},", "{\"file\":\"a\"}]}"),
        ("gcovr", "{\"files\":", "[", ""),
        (
            "istanbul",
            "{\"a.js\":{\"fnMap\":{},\"f\":{},\"s\":{},\"statementMap\":{",
            "\"@\":{},",
            "\"x\":{}}}}",
        ),
        (
            "istanbul",
            "{\"a.js\":{\"statementMap\":{},\"fnMap\":{},\"f\":{},\"s\":{",
            "\"@\":1,",
            "\"x\":1}}}",
        ),
        ("istanbul", "{", "\"@\":{\"statementMap\":{},\"fnMap\":{},\"f\":{},\"s\":{}},", "\"x\":1}"),
        (
            "istanbul",
            "{\"a.js\":{\"s\":{},\"f\":{},\"fnMap\":{},\"statementMap\":{},\"b\":{\"1\":[1]},\"branchMap\":{\"1\":{\"type\":\"if\",\"locations\":[",
            "{},",
            "{}]}}}}",
        ),
        ("cobertura", "", "<a>", ""),
        ("cobertura", "<coverage ", "a=\"1\" ", "/>"),
        ("cobertura", "<coverage>", "<sources><source>/@</source></sources>", "</coverage>"),
        ("cobertura", "<coverage><sources><source>", "&amp;", "</source></sources></coverage>"),
        ("cobertura", "<coverage><class filename='a'>", "<line number='@' hits='1'/>", "</class></coverage>"),
        ("cobertura", "<coverage>", "<class filename='@'><line number='1' hits='1'/></class>", "</coverage>"),
        (
            "cobertura",
            "<coverage><class filename='a'>",
            "<method name='f@'><line number='@' hits='1'/></method>",
            "</class></coverage>",
        ),
        ("cobertura", "<coverage><class filename='a'>", "<method/>", "</class></coverage>"),
        (
            "clover",
            "<coverage><project><file name='a'>",
            "<line num='@' count='1'/>",
            "</file></project></coverage>",
        ),
        (
            "clover",
            "<coverage><project><file name='a'>",
            "<line num='@' count='1' type='method'/>",
            "</file></project></coverage>",
        ),
        (
            "clover",
            "<coverage><project>",
            "<file name='@'><line num='1' count='1'/></file>",
            "</project></coverage>",
        ),
        ("clover", "<!DOCTYPE r [", "<!ENTITY a@ 'x'>", "]><coverage/>"),
        ("go-bench", "", "BenchmarkX 1 1 ns/op\n", ""),
        ("go-bench", "", "BenchmarkX/n=@ 1 1 ns/op\n", ""),
        ("go-bench", "BenchmarkX 1", " 1 m@", "\n"),
        ("go-bench", "BenchmarkX", "/x", " 1 1 ns/op\n"),
        ("go-bench", "", "--- FAIL: Benchmark@\n", "BenchmarkX 1 1 ns/op\n"),
        (
            "gungraun",
            "{\"version\":\"2\",\"module_path\":\"f\",\"callgrind_summary\":{\"summaries\":[",
            "{\"events\":{}},",
            "{\"events\":{}}]}}",
        ),
        (
            "gungraun",
            "{\"version\":\"2\",\"module_path\":\"f\",\"callgrind_summary\":{\"summaries\":[{\"events\":{",
            "\"e@\":{},",
            "\"Ir\":{\"new\":1}}}]}}",
        ),
        (
            "gungraun",
            "",
            "{\"version\":\"2\",\"module_path\":\"f\",\"id\":\"n_@\",\"callgrind_summary\":{\"summaries\":[{\"events\":{\"Ir\":{\"new\":1}}}]}}",
            "",
        ),
        ("gungraun", "{\"version\":\"2\",\"module_path\":\"f\",\"details\":\"", "1 ", "\"}"),
        ("extra-p", "PARAMETER n\nPOINTS 1\nDATA ", "1 ", "\n"),
        ("extra-p", "PARAMETER n\nPOINTS ", "1 ", "\n"),
        ("extra-p", "", "{\"params\":{\"n\":@},\"value\":1}\n", ""),
        ("extra-p", "{\"params\":{\"n\":1},\"value\":[", "1,", "1]}\n"),
    ]
}

/// Returns the hostile text, repeated to at least `size` bytes.
fn text((_, first, repeated, last): Hostile, size: usize) -> Vec<u8> {
    let mut text = first.to_owned();
    let mut number = 0_u32;
    while text.len() < size {
        number += 1;
        text.push_str(&repeated.replace('@', &number.to_string()));
    }
    text.push_str(last);
    if text.contains("llvm") || first.contains("\"data\"") {
        text.push_str(LLVM);
    }
    text.into_bytes()
}

#[test]
fn no_file_takes_more_memory_than_it_may_or_more_time_than_its_length() {
    for case in hostile() {
        for is_packed in [true, false] {
            // The packed files unpack to more than the limit.
            let text = text(case, if is_packed { 7 << 20 } else { 1 << 19 });
            let bytes = if is_packed { packed(&text) } else { text };
            let shown = format!("{case:?}, packed: {is_packed}");
            eprintln!("{shown}");
            let budget = Rc::new(Budget::new(LIMITS));
            let begin = Instant::now();
            let read = within(LIMITS.kept as usize, PER_KEPT_BYTE, || {
                Input::new(bytes.as_slice(), &budget).and_then(|input| read(case.0, input))
            });
            assert!(begin.elapsed() < Duration::from_secs(20), "{shown}: {:?}", begin.elapsed());
            if is_packed {
                assert!(read.is_err(), "{shown}");
            }
        }
    }
}

#[test]
fn what_is_too_much_is_named_with_its_limit() {
    let error = |format: &str, text: &str, limits: Limits| {
        let budget = Rc::new(Budget::new(limits));
        let bytes = packed(text.as_bytes());
        Input::new(bytes.as_slice(), &budget).and_then(|input| read(format, input)).unwrap_err().to_string()
    };
    let begins = |error: &str, with: &str| assert!(error.starts_with(with), "{error}");
    let lines: Vec<String> = (0..100_000).map(|i| format!("DA:{i},1\n")).collect();
    let file = format!("SF:a.c\n{}end_of_record\n", lines.concat());
    let unpacked = error("lcov", &file, Limits { unpacked: 1 << 20, kept: 1 << 30, ..LIMITS });
    begins(&unpacked, "unpacks to more than 1 MiB");
    begins(&error("lcov", &file, LIMITS), "takes more than 2 MiB of memory");
    let long = format!("SF:{}\n", "a".repeat(2 << 20));
    begins(&error("lcov", &long, LIMITS), "line 1 is longer than 1 MiB");
    let name = format!("{{\"files\":[{{\"file\":\"{}\"}}]}}", "a".repeat(2 << 20));
    begins(&error("gcov", &name, Limits { unpacked: 1 << 20, ..LIMITS }), "unpacks to more than 1 MiB");
    let wide = "1,".repeat(17 << 20);
    let limits = Limits { unpacked: 1 << 30, kept: 1 << 30, ..LIMITS };
    begins(&error("csv", &wide, limits), "line 1 is longer than 32 MiB");
}

#[test]
fn the_files_of_an_import_are_measured_together() {
    let file = packed("SF:a.c\nDA:1,1\nend_of_record\n".repeat(20_000).as_bytes());
    let budget = Rc::new(Budget::new(Limits { unpacked: 1 << 20, ..LIMITS }));
    let import = || read("lcov", Input::new(file.as_slice(), &budget).unwrap());
    assert!(import().is_ok());
    assert!(matches!(import(), Err(ImportError::TooMuchUnpacked { .. })));
}

#[test]
fn a_million_places_are_kept_in_a_few_times_the_length_of_their_file() {
    // Files as tools write them: a thousand lines and some functions each.
    let file = |file: u32| {
        let functions = (0..50).map(|f| format!("FN:{},file{file}_function{f}\n", f * 20 + 1));
        let lines = (1..=1000).map(|line| format!("DA:{line},{}\n", line * 7));
        let records = functions.chain(lines).collect::<Vec<_>>().concat();
        format!("SF:src/file{file}.c\n{records}LF:1000\nend_of_record\n")
    };
    let text = (0..200).map(file).collect::<Vec<_>>().concat();
    let imported = within(text.len(), 16, || lcov::read(text.as_bytes(), &Root::new(""))).unwrap();
    assert_eq!((imported.locations.len(), imported.warnings.len()), (200_000, 0));
}
