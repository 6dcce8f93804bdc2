//! Table of the readers of files. The tests of damage, of truncation and of limits run all of them, and so does the
//! fuzz target `import`.
//!
//! Parquet files and the probe's records are compressed, and have their own tests and targets.

use std::rc::Rc;

use trend_collect::csv;
use trend_collect::import::{
    Budget, ImportError, Imported, Input, Limits, Root, aprof, callgrind, clover, cobertura, criterion,
    extra_p, gcov_json, gcovr, go_bench, go_cover, go_coverage, google_benchmark, gungraun, hyperfine,
    istanbul, lcov, llvm_cov, python_trace, v8_coverage,
};

pub(crate) type Read = fn(Input<'_>) -> Result<Imported, ImportError>;

/// Reader of a format.
pub(crate) struct Reader {
    /// Name of the format on the command line, and of its folder in `tests/seeds`.
    pub(crate) name: &'static str,
    pub(crate) read: Read,
    /// Texts that could exhaust the memory or the time: beginning, repeated part (`@` is the number of the
    /// repetition), and end.
    pub(crate) hostile: &'static [[&'static str; 3]],
}

/// Description of the counters in `seeds/go-coverage`.
const GO_META: &[u8] = include_bytes!("../data/sort.covmeta");

/// Returns the reader of a format.
///
/// # Panics
/// Panics if there is none of this name.
pub(crate) fn reader(name: &str) -> &'static Reader {
    READERS.iter().find(|reader| reader.name == name).unwrap_or_else(|| panic!("no reader is named {name}"))
}

fn root() -> Root {
    Root::new("/p")
}

fn no_source(_: &str) -> Option<String> {
    None
}

/// Reads one file that has each of criterion's three files on a line.
fn read_criterion(input: Input<'_>) -> Result<Imported, ImportError> {
    let bytes = input.document()?;
    let mut parts = bytes.split(|&b| b == b'\n');
    let benchmark = parts.next().unwrap_or_default();
    let files = criterion::Files { benchmark, sample: parts.next(), estimates: parts.next() };
    criterion::read(&files, &Rc::new(Budget::new(Limits::for_files(bytes.len() as u64))))
}

/// Reads V8's coverage of a script of 60 characters.
fn read_v8_coverage(input: Input<'_>) -> Result<Imported, ImportError> {
    let text = "function f(n) { for (;n--;) { if (n) { f(0) } /x/ } }\nf(5);\n";
    v8_coverage::read(input, &root(), v8_coverage::Scripts::Own, &|_| Some(text.to_owned()))
}

pub(crate) static READERS: &[Reader] = &[
    Reader {
        name: "aprof",
        read: |input| aprof::read(input),
        hostile: &[
            ["v 1\nr \"f\" \"p\" 1\n", "p 1 5 1 1 1 1 1\n", ""],
            ["v 1\nr \"f\" \"p\" 1\n", "p 1 @ 1 1 1 1 1\n", ""],
            ["v 1\n", "r \"f@\" \"p\" @\n", ""],
            ["v 1\nr \"f\" \"p\" 1\n", "q @ 1 1 1 1 1 1\nx 1 @ 1\n", ""],
        ],
    },
    Reader {
        name: "callgrind",
        read: |input| callgrind::read(input, None, &root()),
        hostile: &[
            ["events: Ir\nfn=f\n", "+1 1\n", ""],
            ["events: Ir\nfn=f\n1 ", "1 ", "\n"],
            ["events: Ir\n", "fn=(@) f@\n1 1\n", ""],
            ["events: Ir\nob=/lib/x.so\n", "fn=f\n+1 1\n", ""],
            ["events: Ir\nob=/lib/x.so\n", "fn=f@\n1 1\ncfn=g@\ncalls=1 1\n1 1\n", ""],
        ],
    },
    Reader {
        name: "clover",
        read: |input| clover::read(input, &root(), &no_source),
        hostile: &[
            [
                "<coverage><project><file name='a'>",
                "<line num='@' count='1'/>",
                "</file></project></coverage>",
            ],
            [
                "<coverage><project><file name='a'>",
                "<line num='@' count='1' type='method'/>",
                "</file></project></coverage>",
            ],
            [
                "<coverage><project>",
                "<file name='@'><line num='1' count='1'/></file>",
                "</project></coverage>",
            ],
            ["<!DOCTYPE r [", "<!ENTITY a@ 'x'>", "]><coverage/>"],
        ],
    },
    Reader {
        name: "cobertura",
        read: |input| cobertura::read(input, &root(), &no_source),
        hostile: &[
            ["", "<a>", ""],
            ["<coverage ", r#"a="1" "#, "/>"],
            ["<coverage>", "<sources><source>/@</source></sources>", "</coverage>"],
            ["<coverage><sources><source>", "&amp;", "</source></sources></coverage>"],
            ["<coverage><class filename='a'>", "<line number='@' hits='1'/>", "</class></coverage>"],
            ["<coverage>", "<class filename='@'><line number='1' hits='1'/></class>", "</coverage>"],
            [
                "<coverage><class filename='a'>",
                "<method name='f@'><line number='@' hits='1'/></method>",
                "</class></coverage>",
            ],
            ["<coverage><class filename='a'>", "<method/>", "</class></coverage>"],
        ],
    },
    Reader { name: "criterion", read: read_criterion, hostile: &[] },
    Reader {
        name: "csv",
        read: |input| csv::read(input, &["n".to_owned()]).map(Imported::from),
        hostile: &[
            ["", "a@,", "b,n\n1\n"],
            ["a,n\n", "1,1\n", ""],
            ["a,n\n", "1,", "1\n"],
            ["a,n\n", ",", "1\n"],
            ["a,n\n\"", "1\n", ""],
        ],
    },
    Reader {
        name: "extra-p",
        read: |input| extra_p::read(input, None),
        hostile: &[
            ["PARAMETER n\nPOINTS 1\nDATA ", "1 ", "\n"],
            ["PARAMETER n\nPOINTS ", "1 ", "\n"],
            ["", "{\"params\":{\"n\":@},\"value\":1}\n", ""],
            [r#"{"params":{"n":1},"value":["#, "1,", "1]}\n"],
        ],
    },
    Reader {
        name: "gcov",
        read: |input| gcov_json::read(input, &root()),
        hostile: &[
            ["", "                ", ""],
            [r#"{"x":"#, "[", ""],
            [r#"{"x":""#, "aaaaaaaaaaaaaaaa", r#""}"#],
            [r#"{"x":""#, "\\\"", r#""}"#],
            [r#"{"files":[{"file":""#, "aaaaaaaaaaaaaaaa", r#""}]}"#],
            [
                r#"{"files":[{"file":"a","functions":[],"lines":["#,
                r#"{"line_number":@,"count":1},"#,
                r#"{"line_number":1,"count":1}]}]}"#,
            ],
            [
                r#"{"files":[{"file":"a","functions":[],"lines":["#,
                r#"{"line_number":@,"count":1,"function_name":"f@"},"#,
                r#"{"line_number":1,"count":1}]}]}"#,
            ],
            ["", r#"{"files":[]}"#, ""],
            [
                r#"{"files":["#,
                r#"{"file":"@","functions":[],"lines":[]},"#,
                r#"{"file":"","functions":[],"lines":[]}]}"#,
            ],
        ],
    },
    Reader {
        name: "gcovr",
        read: |input| gcovr::read(input, &root()),
        hostile: &[
            [
                r#"{"gcovr/format_version":"0.6","files":[{"file":"a","lines":["#,
                r#"{"line_number":@,"count":1},"#,
                r#"{"line_number":1,"count":1}]}]}"#,
            ],
            [
                r#"{"gcovr/format_version":"0.6","files":[{"file":"a","lines":["#,
                r#"{"line_number":@,"count":1,"function_name":"f@"},"#,
                r#"{"line_number":1,"count":1}]}]}"#,
            ],
            [r#"{"gcovr/format_version":"0.6","files":["#, r#"{"file":""},"#, r#"{"file":"a"}]}"#],
            [r#"{"files":"#, "[", ""],
        ],
    },
    Reader {
        name: "go-bench",
        read: |input| go_bench::read(input, None),
        hostile: &[
            ["", "BenchmarkX 1 1 ns/op\n", ""],
            ["", "BenchmarkX/n=@ 1 1 ns/op\n", ""],
            ["BenchmarkX 1", " 1 m@", "\n"],
            ["BenchmarkX", "/x", " 1 1 ns/op\n"],
            ["", "--- FAIL: Benchmark@\n", "BenchmarkX 1 1 ns/op\n"],
        ],
    },
    Reader {
        name: "go-cover",
        read: |input| go_cover::read(input, &root()),
        hostile: &[["mode: count\n", "a.go:1.1,2.2 1 1\n", ""], ["mode: count\n", "@.go:1.1,2.2 1 1\n", ""]],
    },
    Reader {
        name: "go-coverage",
        read: |input| go_coverage::read(input, GO_META, &root(), &[], &no_source),
        hostile: &[["\0cwm\u{1}\0\0\0", "aaaaaaaa", ""]],
    },
    Reader {
        name: "google-benchmark",
        read: |input| google_benchmark::read(input, None),
        hostile: &[
            [
                r#"{"benchmarks":["#,
                r#"{"name":"b@","error_occurred":true},"#,
                r#"{"name":"b","cpu_time":1}]}"#,
            ],
            [r#"{"benchmarks":["#, r#"{"name":"b/x@:1","cpu_time":1},"#, r#"{"name":"b","cpu_time":1}]}"#],
            [r#"{"benchmarks":[{"name":"a"#, "/b", r#"","cpu_time":1}]}"#],
            [r#"{"benchmarks":[{"name":"a"#, "/x@:1", r#"","cpu_time":1}]}"#],
        ],
    },
    Reader {
        name: "gungraun",
        read: |input| gungraun::read(input, None),
        hostile: &[
            [
                r#"{"version":"2","module_path":"f","callgrind_summary":{"summaries":["#,
                r#"{"events":{}},"#,
                r#"{"events":{}}]}}"#,
            ],
            [
                r#"{"version":"2","module_path":"f","callgrind_summary":{"summaries":[{"events":{"#,
                r#""e@":{},"#,
                r#""Ir":{"new":1}}}]}}"#,
            ],
            [
                "",
                r#"{"version":"2","module_path":"f","id":"n_@","callgrind_summary":{"summaries":[{"events":{"Ir":{"new":1}}}]}}"#,
                "",
            ],
            [r#"{"version":"2","module_path":"f","details":""#, "1 ", r#""}"#],
        ],
    },
    Reader {
        name: "hyperfine",
        read: |input| hyperfine::read(input),
        hostile: &[
            [r#"{"results":[{"command":"a","times":["#, "1,", "1]}]}"],
            [r#"{"results":["#, r#"{"command":"a @","times":[1]},"#, r#"{"command":"a","times":[1]}]}"#],
        ],
    },
    Reader {
        name: "istanbul",
        read: |input| istanbul::read(input, &root()),
        hostile: &[
            [r#"{"a.js":{"fnMap":{},"f":{},"s":{},"statementMap":{"#, r#""@":{},"#, r#""x":{}}}}"#],
            [r#"{"a.js":{"statementMap":{},"fnMap":{},"f":{},"s":{"#, r#""@":1,"#, r#""x":1}}}"#],
            ["{", r#""@":{"statementMap":{},"fnMap":{},"f":{},"s":{}},"#, r#""x":1}"#],
            [
                r#"{"a.js":{"s":{},"f":{},"fnMap":{},"statementMap":{},"b":{"1":[1]},"branchMap":{"1":{"type":"if","locations":["#,
                "{},",
                "{}]}}}}",
            ],
        ],
    },
    Reader {
        name: "lcov",
        read: |input| lcov::read(input, &root()),
        hostile: &[
            ["", "\0", ""],
            ["", "\n", ""],
            ["SF:", "aaaaaaaaaaaaaaaa", ""],
            ["SF:a.c\n", "DA:1,1\n", "end_of_record\n"],
            ["SF:a.c\n", "DA:@,1\n", "end_of_record\n"],
            ["SF:a.c\n", "FN:1,f\n", "end_of_record\n"],
            ["SF:a.c\n", "FN:@,9999999,f@\n", "DA:1,1\nend_of_record\n"],
            ["SF:a.c\n", "FNDA:1,f@\n", "DA:1,1\nend_of_record\n"],
            ["SF:a.c\n", "FNL:@,1\n", "DA:1,1\nend_of_record\n"],
            ["", "SF:@\nDA:1,1\nLF:7\nend_of_record\n", ""],
            ["", "TN:@\nSF:a\nDA:@,1\nend_of_record\n", ""],
        ],
    },
    Reader {
        name: "llvm-cov",
        read: |input| llvm_cov::read(input, &root()),
        hostile: &[
            [
                r#"{"data":[{"functions":[{"name":"f","count":1,"filenames":["a.c"],"regions":["#,
                "[@,1,1,1,1,0,0,0],",
                r#"],"totals":{}}],"type":"llvm.coverage.json.export","version":"2.0.1"}"#,
            ],
            [
                r#"{"data":[{"functions":[{"name":"f","count":1,"filenames":["a.c"],"regions":["#,
                "[@,1,1,1,1,0,0,1],",
                r#"[1,1,1,1,1,0,0,0]]}],"totals":{}}],"type":"llvm.coverage.json.export","version":"2.0.1"}"#,
            ],
            [
                r#"{"data":[{"functions":[{"name":"f","count":1,"filenames":["#,
                r#""a","#,
                r#""b"],"regions":[]}],"totals":{}}],"type":"llvm.coverage.json.export","version":"2.0.1"}"#,
            ],
        ],
    },
    Reader {
        name: "python-trace",
        read: |input| python_trace::read(input, "pkg.mod"),
        hostile: &[["", "    1: x\n", ""], ["", "    1: def f():\n", ""]],
    },
    Reader {
        name: "v8-coverage",
        read: read_v8_coverage,
        hostile: &[
            [
                r#"{"result":["#,
                r#"{"url":"file:///p/a.js","functions":[{"functionName":"f","isBlockCoverage":true,"ranges":[{"startOffset":0,"endOffset":60,"count":1}]}]},"#,
                r#"{"url":"","functions":[]}]}"#,
            ],
            [
                r#"{"result":[{"url":"file:///p/a.js","functions":[{"functionName":"f","isBlockCoverage":true,"ranges":["#,
                r#"{"startOffset":@,"endOffset":60,"count":@},"#,
                r#"{"startOffset":0,"endOffset":60,"count":1}]}]}]}"#,
            ],
        ],
    },
];
