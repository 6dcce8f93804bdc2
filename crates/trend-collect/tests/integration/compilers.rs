//! Compares every block count with the compiler's own gcov, on programs with every kind of control flow, at every level
//! of optimisation.

use std::path::Path;
use std::process::Command;

use crate::oracle::{Compared, Compiler, GCC, files_below, run};

const LEVELS: [&str; 4] = ["-O0", "-O1", "-O2", "-O3"];

/// Returns a temporary folder with copies of the test programs.
pub(crate) fn workshop() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let programs = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs");
    for entry in std::fs::read_dir(programs).unwrap() {
        let path = entry.unwrap().path();
        std::fs::copy(&path, folder.path().join(path.file_name().unwrap())).unwrap();
    }
    // gcov prints nothing for lines that the source lacks, so the source gets enough lines.
    std::fs::write(folder.path().join("grammar.y"), "\n".repeat(70_010)).unwrap();
    folder
}

fn build_run_compare(compiler: &Compiler, sources: &[&str], flags: &[&str]) -> Compared {
    let folder = workshop();
    compiler.build(folder.path(), sources, flags);
    // Runs twice, so that the runtime merges counters.
    run(Command::new("./program").current_dir(folder.path()));
    run(Command::new("./program").current_dir(folder.path()));
    let mut compared = Compared::default();
    for data in files_below(folder.path(), "gcda") {
        compared += compiler.compare(folder.path(), &data);
    }
    compared
}

fn every_block_agrees(compiler: Compiler) {
    if !compiler.is_there() {
        return;
    }
    let programs: [&[&str]; 4] = [&["flow.c", "other.c"], &["flow.cc"], &["labels.c"], &["leaving.c"]];
    let mut all = Compared::default();
    for sources in programs {
        for level in LEVELS {
            for update in ["-fprofile-update=single", "-fprofile-update=atomic"] {
                let compared = build_run_compare(&compiler, sources, &[level, update]);
                assert!(compared.executed > 0, "{sources:?} {level}");
                all += compared;
            }
        }
    }
    eprintln!("{}: {all:?}", compiler.c);
}

#[test]
fn every_block_agrees_with_gcc() {
    every_block_agrees(GCC);
}

#[test]
fn every_block_agrees_with_gcc_11() {
    every_block_agrees(Compiler { c: "gcc-11", cpp: "g++-11", gcov: &["gcov-11"] });
}

#[test]
fn every_block_agrees_with_gcc_12() {
    every_block_agrees(Compiler { c: "gcc-12", cpp: "g++-12", gcov: &["gcov-12"] });
}

#[test]
fn every_block_agrees_with_clang_14() {
    every_block_agrees(Compiler { c: "clang-14", cpp: "clang++-14", gcov: &["llvm-cov-14", "gcov"] });
}

#[test]
fn every_block_agrees_with_clang_16() {
    every_block_agrees(Compiler { c: "clang-16", cpp: "clang++-16", gcov: &["llvm-cov-16", "gcov"] });
}

#[test]
fn every_block_agrees_with_clang_19() {
    every_block_agrees(Compiler { c: "clang-19", cpp: "clang++-19", gcov: &["llvm-cov-19", "gcov"] });
}

#[test]
fn every_block_agrees_with_clang_22() {
    every_block_agrees(Compiler { c: "clang-22", cpp: "clang++-22", gcov: &["llvm-cov-22", "gcov"] });
}

#[test]
fn counters_of_values_are_skipped() {
    let compared = build_run_compare(&GCC, &["flow.c", "other.c"], &["-O1", "-fprofile-generate"]);
    assert!(compared.executed > 0);
}
