//! Runs programs of node and Go, whose runtimes count.

use std::process::Command;

use trend_run::{CountSource, ExecuteOptions, Summary};

use crate::bench::{Bench, options};

const CONFIG: &str = "\
[program]
command = ['node', 'main.js', '{n}']
[workloads]
parameters = { n = [10, 20, 40] }
";

const SORT: &str = "\
function sort(a) {
  for (let i = 0; i < a.length; i++) {
    for (let j = 0; j + 1 < a.length; j++) {
      if (a[j] > a[j + 1]) {
        [a[j], a[j + 1]] = [a[j + 1], a[j]];
      }
    }
  }
}
";

const GO_SORT: &str = r#"package main

import (
	"os"
	"strconv"
)

type list []int

func (l list) sort() {
	for range l {
		for j := 0; j+1 < len(l); j++ {
			l[j], l[j+1] = l[j+1], l[j]
		}
	}
}

func main() {
	n, _ := strconv.Atoi(os.Args[1])
	make(list, n).sort()
	os.Exit(0)
}
"#;

#[expect(clippy::print_stderr, reason = "the test's own report")]
fn is_there(program: &str) -> bool {
    let there =
        Command::new(program).arg(if program == "go" { "version" } else { "--version" }).output().is_ok();
    if !there {
        eprintln!("skipped: {program} is not on PATH");
    }
    there
}

fn ran(bench: &Bench, config: &str) -> Summary {
    let counters = CountSource::own(&bench.config(config));
    bench.run_with(config, &ExecuteOptions { counters, ..options() }).unwrap()
}

/// Runs a JavaScript program with a sort, at three sizes.
fn node(main: &str) -> Bench {
    let bench = Bench::with_loop();
    bench.write("main.js", main);
    bench.write("sort.js", &format!("{SORT}module.exports = {{ sort }};\n"));
    let summary = ran(&bench, CONFIG);
    assert_eq!((summary.finished, summary.failures.len()), (3, 0), "{summary:?}");
    bench
}

fn expected(count: fn(u64) -> u64) -> Vec<u64> {
    [10, 20, 40].map(count).to_vec()
}

#[test]
fn blocks_of_a_node_program_are_counted_by_line() {
    if !is_there("node") {
        return;
    }
    let reversed = "Array.from({ length: n }, (_, i) => n - i)";
    let bench = node(&format!(
        "const n = +process.argv[2];\nrequire('./sort.js').sort({reversed});\nprocess.exit(0);\n"
    ));
    let study = bench.loaded();
    assert_eq!(study.executions_of_line("sort.js:3").unwrap(), expected(|n| n));
    assert_eq!(study.executions_of_line("sort.js:4").unwrap(), expected(|n| n * (n - 1)));
    assert_eq!(study.executions_of_line("sort.js:5").unwrap(), expected(|n| n * (n - 1) / 2));
    assert!(study.functions().iter().any(|f| (f.symbol.name.as_str(), f.line) == ("sort", 1)));
    assert!(study.source("sort.js").unwrap().contains("function sort"));
    assert!(!bench.leftovers());
}

#[test]
fn workers_and_child_processes_are_added_up() {
    if !is_there("node") {
        return;
    }
    let bench = node(
        "const { Worker, isMainThread, workerData } = require('node:worker_threads');\n\
         const { sort } = require('./sort.js');\n\
         const n = isMainThread ? +process.argv[2] : workerData;\n\
         sort(Array.from({ length: n }, (_, i) => i));\n\
         if (isMainThread && !process.argv[3]) {\n\
         new Worker(__filename, { workerData: n });\n\
         require('node:child_process').spawnSync(process.execPath, [__filename, String(n), 'child']);\n\
         }\n",
    );
    assert_eq!(bench.loaded().executions_of_line("sort.js:4").unwrap(), expected(|n| 3 * n * (n - 1)));
}

#[test]
fn modules_of_both_kinds_are_counted_and_other_engines_are_refused() {
    if !is_there("node") {
        return;
    }
    let bench = Bench::with_loop();
    bench.write("sort.mjs", &format!("export {SORT}"));
    bench
        .write("a b.mjs", "import { sort } from './sort.mjs';\nsort(new Array(+process.argv[2]).fill(1));\n");
    let config = CONFIG.replace("main.js", "a b.mjs");
    assert_eq!(ran(&bench, &config).finished, 3);
    assert_eq!(bench.loaded().executions_of_line("sort.mjs:4").unwrap(), expected(|n| n * (n - 1)));
    let bench = Bench::with_loop();
    bench.write("main.js", "process.abort();\n");
    let summary = ran(&bench, &CONFIG.replace("[workloads]", "exit-codes = [134]\n[workloads]"));
    let reason = format!("{:?}", summary.failures[0].outcome);
    assert!(reason.contains("it ended by a signal"), "{reason}");
}

#[test]
fn blocks_of_a_go_program_are_counted_by_line() {
    if !is_there("go") {
        return;
    }
    let bench = Bench::with_loop();
    bench.write("main.go", GO_SORT);
    bench.write("go.mod", "module example.com/sort\n\ngo 1.21\n");
    let config = CONFIG.replace("'node', 'main.js'", "'./sort'");
    for (options, is_counted) in [(&[][..], false), (&["-cover", "-covermode=count"][..], true)] {
        let mut build = Command::new("go");
        build.arg("build").args(options).args(["-o", "sort", "main.go"]).current_dir(bench.path(""));
        let built = build.output().unwrap();
        assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
        let summary = ran(&bench, &config);
        assert_eq!(summary.finished, if is_counted { 3 } else { 0 }, "{summary:?}");
        if !is_counted {
            let reason = format!("{:?}", summary.failures[0].outcome);
            assert!(reason.contains("`trend-prof build -- go build …`"), "{reason}");
        }
    }
    let study = bench.loaded();
    assert_eq!(study.executions_of_line("main.go:12").unwrap(), expected(|n| n));
    assert_eq!(study.executions_of_line("main.go:13").unwrap(), expected(|n| n * (n - 1)));
    let sort = study.functions().iter().find(|f| f.symbol.name == "main.list.sort").unwrap();
    assert_eq!((sort.file.as_str(), sort.line), ("main.go", 10));
}
