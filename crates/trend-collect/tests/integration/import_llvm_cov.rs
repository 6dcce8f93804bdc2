//! Tests exports of `llvm-cov export` for whole programs: every function and region of the JSON is imported.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use serde_json::Value;
use trend_collect::import::{Imported, Root, llvm_cov};
use trend_profile::Kind;

use crate::compilers::workshop;
use crate::imports::is_there;
use crate::oracle::run;

/// Linkage name of the function, true for its entry, number of the region, file and line.
type LocationRow = (String, bool, u32, String, u32);

/// Parses the JSON as documented by LLVM: `[line, column, last line, last column, count, file, expanded file, kind]`,
/// with kind 0 for code. A function with regions in several files occurs once per file, each time with all its regions.
fn printed(text: &str, root: &str) -> BTreeMap<LocationRow, u64> {
    let json: Value = serde_json::from_str(text).unwrap();
    let mut counts = BTreeMap::new();
    let mut note = |place: LocationRow, count: u64| {
        let before = counts.insert(place.clone(), count);
        assert!(before.is_none_or(|before| before == count), "{place:?}: {before:?} and {count}");
    };
    for function in json["data"].as_array().unwrap().iter().flat_map(|d| d["functions"].as_array().unwrap()) {
        let name = function["name"].as_str().unwrap();
        let file = |index: &Value| {
            let file = function["filenames"][index.as_u64().unwrap() as usize].as_str().unwrap();
            file.strip_prefix(root).map_or(file, |f| f.trim_start_matches('/')).to_owned()
        };
        let regions = function["regions"].as_array().unwrap();
        let code = regions.iter().enumerate().filter(|(_, r)| r[7] == 0);
        for (index, region) in code.clone() {
            let line = region[0].as_u64().unwrap() as u32;
            let place = (name.to_owned(), false, index as u32, file(&region[5]), line);
            note(place, region[4].as_u64().unwrap());
        }
        let first = code.map(|(_, region)| region).next().unwrap();
        let place = (name.to_owned(), true, 0, file(&first[5]), first[0].as_u64().unwrap() as u32);
        note(place, function["count"].as_u64().unwrap());
    }
    counts
}

fn imported(read: &Imported) -> BTreeMap<LocationRow, u64> {
    let place = |&(location, count): &(u32, u64)| {
        let l = &read.locations[location as usize];
        let function = read.functions[l.function.index()].symbol.linkage.clone();
        ((function, l.kind == Kind::Entry, l.block, l.file.to_string(), l.line), count)
    };
    let counts: BTreeMap<LocationRow, u64> = read.runs[0].counts.iter().map(place).collect();
    assert_eq!(counts.len(), read.runs[0].counts.len(), "places are there once");
    counts
}

/// Exports the counts of one run of a program, and compares them. Returns the number of regions.
fn compare(folder: &Path, arguments: &[&str]) -> usize {
    let here = |command: &mut Command| run(command.current_dir(folder));
    here(Command::new("./program").args(arguments).env("LLVM_PROFILE_FILE", "raw"));
    here(Command::new("llvm-profdata-22").args(["merge", "raw", "-o", "data"]));
    let text = here(Command::new("llvm-cov-22").args(["export", "./program", "-instr-profile=data"]));
    let root = folder.to_str().unwrap();
    let read = llvm_cov::read(text.as_bytes(), &Root::new(root)).unwrap();
    assert_eq!(read.warnings, []);
    let (theirs, ours) = (printed(&text, root), imported(&read));
    assert_eq!(ours, theirs);
    assert!(theirs.values().any(|count| *count > 1));
    theirs.len()
}

#[test]
fn every_region_of_a_c_program_is_that_of_the_export() {
    if !is_there("clang-22") {
        return;
    }
    let folder = workshop();
    let flags = ["-fprofile-instr-generate", "-fcoverage-mapping", "-w"];
    for sources in [&["bubble_sort.c"][..], &["flow.c", "other.c"]] {
        run(Command::new("clang-22")
            .args(flags)
            .args(sources)
            .args(["-o", "program"])
            .current_dir(folder.path()));
        assert!(compare(folder.path(), &["60"]) > 10);
    }
}

#[test]
fn every_region_of_templates_and_macros_is_that_of_the_export() {
    if !is_there("clang++-22") {
        return;
    }
    let folder = workshop();
    let flags = ["-fprofile-instr-generate", "-fcoverage-mapping", "-fcoverage-mcdc", "-std=c++17", "-w"];
    run(Command::new("clang++-22")
        .args(flags)
        .args(["regions.cc", "-o", "program"])
        .current_dir(folder.path()));
    assert!(compare(folder.path(), &["40"]) > 60);
}

#[test]
fn every_region_of_a_rust_program_is_that_of_the_export() {
    if !is_there("llvm-cov-22") {
        return;
    }
    let folder = workshop();
    let flags = ["--edition", "2024", "-O", "-C", "instrument-coverage", "regions.rs", "-o", "program"];
    run(Command::new("rustc").args(flags).current_dir(folder.path()));
    assert!(compare(folder.path(), &["40"]) > 100);
}
