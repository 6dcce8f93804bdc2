//! Compares imported counts with the output of the tools themselves.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;
use std::rc::Rc;

use trend_collect::import::{Budget, Imported, Input, Limits, Root, gcov_json, lcov};
use trend_profile::Kind;

use crate::compilers::workshop;
use crate::oracle::{GCC, run};

/// Returns true if a tool is installed; otherwise the test is skipped.
pub(crate) fn is_there(tool: &str) -> bool {
    let there = Command::new(tool).arg("--version").output().is_ok();
    if !there {
        eprintln!("skipped: {tool} is not installed");
    }
    there
}

fn read(path: &Path) -> Vec<u8> {
    let file = std::fs::File::open(path).unwrap();
    let limits = Limits::for_files(file.metadata().unwrap().len());
    Input::new(file, &Rc::new(Budget::new(limits))).unwrap().document().unwrap()
}

/// Sums costs by a key made of file, function and line.
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
