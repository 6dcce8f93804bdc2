//! Counts of other tools: what is read agrees with what these tools say themselves.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use trend_collect::import::{Imported, Root, callgrind, gcov_json, lcov, unpacked};
use trend_profile::Kind;

use crate::compilers::workshop;
use crate::oracle::{GCC, run};

/// Whether a tool is there; without it the test is skipped.
pub(crate) fn is_there(tool: &str) -> bool {
    let there = Command::new(tool).arg("--version").output().is_ok();
    if !there {
        eprintln!("skipped: {tool} is not installed");
    }
    there
}

fn read(path: &Path) -> Vec<u8> {
    unpacked(std::fs::read(path).unwrap()).unwrap()
}

/// Costs by file and a part of their place.
fn sums<K: Ord>(imported: &Imported, kind: Kind, key: impl Fn(&str, &str, u32) -> K) -> BTreeMap<K, u64> {
    let mut sums = BTreeMap::new();
    for &(location, count) in &imported.runs[0].counts {
        let l = &imported.locations[location as usize];
        if l.kind == kind {
            let function = &imported.functions[l.function.index()].symbol.name;
            *sums.entry(key(&l.file, function, l.line)).or_default() += count;
        }
    }
    sums
}

/// `1,234 (12.3%)  file:function [object]` as callgrind_annotate prints it.
fn annotated(folder: &Path, file: &str) -> (u64, BTreeMap<String, u64>) {
    let text = run(Command::new("callgrind_annotate")
        .args(["--threshold=100", "--auto=no", "--show=Ir", file])
        .current_dir(folder));
    let number = |text: &str| text.trim().replace(',', "").parse::<u64>().ok();
    let mut functions = BTreeMap::new();
    let mut total = 0;
    for line in text.lines() {
        let Some((cost, rest)) = line.split_once('(') else { continue };
        let Some((cost, (_, name))) = number(cost).zip(rest.split_once(") ")) else { continue };
        let name = name.trim();
        if name == "PROGRAM TOTALS" {
            total = cost;
        } else {
            let name = name.rsplit_once(" [").map_or(name, |(name, _)| name);
            *functions.entry(name.to_owned()).or_default() += cost;
        }
    }
    (total, functions)
}

/// Runs a program under callgrind, and gives what it wrote beside the folder.
fn callgrind(options: &[&str]) -> Option<(tempfile::TempDir, Vec<u8>)> {
    if !is_there("valgrind") {
        return None;
    }
    let folder = workshop();
    run(Command::new("gcc")
        .args(["-g", "-O1", "-w", "bubble_sort.c", "-o", "program"])
        .current_dir(folder.path()));
    let mut command = Command::new("valgrind");
    command.args(["-q", "--tool=callgrind", "--callgrind-out-file=out"]).args(options);
    run(command.args(["./program", "40"]).current_dir(folder.path()));
    let bytes = read(&folder.path().join("out"));
    Some((folder, bytes))
}

/// The sum of the first costs of all lines `totals:`.
fn totals(output: &[u8]) -> u64 {
    let text = String::from_utf8_lossy(output);
    let totals = text.lines().filter_map(|l| l.strip_prefix("totals:"));
    totals.map(|t| t.split_whitespace().next().unwrap().parse::<u64>().unwrap()).sum()
}

fn agrees_with_callgrind_annotate(options: &[&str]) {
    let Some((folder, bytes)) = callgrind(options) else { return };
    let imported = callgrind::read(&bytes, None, &Root::new("")).unwrap();
    let (total, functions) = annotated(folder.path(), "out");
    let by_function = sums(&imported, Kind::Block, |_, name, _| name.to_owned());
    assert_eq!(by_function.values().sum::<u64>(), totals(&bytes));
    // What it prints as the total is callgrind's `summary:`, which can have a few instructions that belong to no
    // function.
    assert!(total.abs_diff(totals(&bytes)) < 10);
    assert!(total > 100_000 && functions.len() > 100, "{total} in {} functions", functions.len());
    // Functions of several files are several rows there; the names are what both have.
    let mut expected: BTreeMap<String, u64> = BTreeMap::new();
    for (name, cost) in functions {
        *expected.entry(name.rsplit_once(':').unwrap().1.to_owned()).or_default() += cost;
    }
    let nonzero: BTreeMap<_, _> = by_function.into_iter().filter(|(_, c)| *c > 0).collect();
    expected.retain(|_, cost| *cost > 0);
    assert_eq!(nonzero, expected);
}

#[test]
fn every_function_costs_what_callgrind_annotate_says() {
    agrees_with_callgrind_annotate(&[]);
    agrees_with_callgrind_annotate(&["--compress-strings=no", "--compress-pos=no"]);
}

#[test]
fn instructions_jumps_and_caches_are_read_besides() {
    agrees_with_callgrind_annotate(&[
        "--dump-instr=yes",
        "--collect-jumps=yes",
        "--cache-sim=yes",
        "--branch-sim=yes",
    ]);
}

#[test]
fn parts_of_one_file_add_up() {
    // callgrind_annotate reads the last part only.
    let options = ["--combine-dumps=yes", "--dump-every-bb=20000", "--separate-recs=3"];
    let Some((_folder, bytes)) = callgrind(&options) else { return };
    let imported = callgrind::read(&bytes, None, &Root::new("")).unwrap();
    assert!(String::from_utf8_lossy(&bytes).contains("part: 2"));
    assert_eq!(sums(&imported, Kind::Block, |_, _, _| ())[&()], totals(&bytes));
}

#[test]
fn lines_of_lcov_are_those_of_gcov() {
    let folder = workshop();
    GCC.build(folder.path(), &["flow.c", "other.c"], &[]);
    run(Command::new("./program").current_dir(folder.path()));
    let here = |command: &mut Command| run(command.current_dir(folder.path()));
    here(Command::new("gcov").args(["--json-format", "flow.gcda", "other.gcda"]));
    let root = Root::new(folder.path().to_str().unwrap());
    let by_line = |imported: &Imported| sums(imported, Kind::Block, |file, _, line| (file.to_owned(), line));
    let mut expected = BTreeMap::new();
    for object in ["flow", "other"] {
        let json = folder.path().join(format!("{object}.gcov.json.gz"));
        let imported = gcov_json::read(&read(&json), &root).unwrap();
        for (place, count) in by_line(&imported) {
            *expected.entry(place).or_insert(0) += count;
        }
    }
    assert!(expected.len() > 30);
    if !is_there("lcov") {
        return;
    }
    here(Command::new("lcov").args([
        "-q",
        "-c",
        "-d",
        ".",
        "-o",
        "out.info",
        "--rc",
        "lcov_branch_coverage=1",
    ]));
    let bytes = read(&folder.path().join("out.info"));
    let imported = lcov::read(&bytes, &root).unwrap();
    assert_eq!(by_line(&imported), expected);
    let entries = sums(&imported, Kind::Entry, |_, name, _| name.to_owned());
    assert_eq!(entries["main"], 1);
}
