//! Compares every region count with `llvm-cov export`, on programs of rustc and clang. Damaged profiles and programs
//! must give errors and never panic.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use trend_collect::{CoverageMap, LlvmError, Program, RawProfile, RegionKind, SummedProfile};
use trend_profile::Kind;

use crate::oracle::{files_below, run};

/// Start, end, count, file, and kind of each region.
type Printed = Vec<[u64; 7]>;

/// Returns the tools of this version of LLVM, if they are installed.
fn tools(version: &str) -> Option<[String; 2]> {
    let tools = ["llvm-profdata", "llvm-cov"].map(|tool| format!("{tool}-{version}"));
    let is_there = |tool: &String| Command::new(tool).arg("--version").output().is_ok();
    if tools.iter().all(is_there) {
        return Some(tools);
    }
    eprintln!("skipped: llvm-{version} is not installed");
    None
}

/// Copies a test program to a temporary folder.
fn workshop(source: &str) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs").join(source);
    let to = folder.path().join(source);
    fs::copy(from, &to).unwrap();
    (folder, to)
}

fn rustc(source: &Path) -> PathBuf {
    let program = source.with_extension("program");
    let mut command = Command::new("rustc");
    command.args(["--edition", "2024", "-O", "-C", "instrument-coverage", "-o"]);
    run(command.arg(&program).arg(source).current_dir(source.parent().unwrap()));
    program
}

/// Runs a program once per argument, and returns the profiles.
fn profiles(program: &Path, arguments: &[&str]) -> Vec<PathBuf> {
    let folder = program.parent().unwrap();
    for argument in arguments {
        let mut command = Command::new(program);
        command.arg(argument).env("LLVM_PROFILE_FILE", "%p-%m.profraw");
        run(command.current_dir(folder));
    }
    files_below(folder, "profraw")
}

/// Returns llvm-cov's regions of each function; functions with equal names are in order.
fn exported(
    tools: &[String; 2],
    program: &Path,
    profiles: &[PathBuf],
) -> BTreeMap<String, Vec<(u64, Printed)>> {
    let merged = program.with_extension("profdata");
    run(Command::new(&tools[0]).args(["merge", "-o"]).arg(&merged).args(profiles));
    let mut command = Command::new(&tools[1]);
    let text = run(command.args(["export", "-instr-profile"]).arg(&merged).arg(program));
    let json: serde_json::Value = serde_json::from_str(&text).unwrap();
    let mut functions: BTreeMap<String, Vec<(u64, Printed)>> = BTreeMap::new();
    for function in json["data"][0]["functions"].as_array().unwrap() {
        let region = |r: &serde_json::Value| {
            let number = |i: usize| r[i].as_u64().unwrap();
            [number(0), number(1), number(2), number(3), number(4), number(5), number(7)]
        };
        let regions = function["regions"].as_array().unwrap().iter().map(region).collect();
        let name = function["name"].as_str().unwrap().to_owned();
        functions.entry(name).or_default().push((function["count"].as_u64().unwrap(), regions));
    }
    functions
}

#[derive(Debug, Default)]
struct Compared {
    functions: usize,
    regions: usize,
    executed: usize,
}

fn compare(tools: &[String; 2], program: &Path, raw: &[PathBuf]) -> Compared {
    let theirs = exported(tools, program, raw);
    let map = CoverageMap::parse(&fs::read(program).unwrap()).unwrap();
    let mut counters = SummedProfile::default();
    for path in raw {
        let profile = RawProfile::parse(&fs::read(path).unwrap()).unwrap();
        assert!(map.wrote(&profile), "{}", path.display());
        counters.add(&profile).unwrap();
    }
    let mut compared = Compared::default();
    for function in map.functions() {
        let nothing: &[u64] = &[];
        let counters_of_function = counters.of_function(function).unwrap();
        let (counts, is_contradictory) = function.counts(counters_of_function.unwrap_or(nothing));
        assert!(!is_contradictory, "{}", function.name());
        let mut ours = Printed::new();
        for (region, count) in function.regions().iter().zip(&counts) {
            let kind = match region.kind {
                RegionKind::Code => 0,
                RegionKind::Expansion => 1,
                RegionKind::Skipped => 2,
                RegionKind::Gap => 3,
                RegionKind::Branch | RegionKind::Decision => continue,
            };
            let ((a, b), (c, d)) = (region.start, region.end);
            let place = [a, b, c, d].map(u64::from);
            ours.push([place[0], place[1], place[2], place[3], *count, u64::from(region.file), kind]);
        }
        // llvm-cov prints a function of several files once for each set of files.
        let printed = theirs.get(function.name());
        assert!(printed.is_some() || counters_of_function.is_none(), "{} is not printed", function.name());
        for (count, regions) in printed.into_iter().flatten() {
            assert_eq!(&ours, regions, "{}", function.name());
            assert_eq!(*count, counts[0], "{}", function.name());
            compared.functions += 1;
            compared.regions += ours.len();
            compared.executed += ours.iter().filter(|r| r[4] > 0).count();
        }
    }
    assert_eq!(compared.functions, theirs.values().map(Vec::len).sum::<usize>());
    compared
}

#[test]
fn every_region_of_a_rust_program_agrees() {
    let Some(tools) = tools("22") else { return };
    let (_folder, source) = workshop("regions.rs");
    let program = rustc(&source);
    let compared = compare(&tools, &program, &profiles(&program, &["40", "3"]));
    assert!(compared.functions > 10 && compared.regions > 100 && compared.executed > 80, "{compared:?}");
}

fn clang(version: &str, flags: &[&str]) {
    let Some(tools) = tools(version) else { return };
    let compiler = format!("clang++-{version}");
    if Command::new(&compiler).arg("--version").output().is_err() {
        eprintln!("skipped: no {compiler}");
        return;
    }
    let (_folder, source) = workshop("regions.cc");
    let program = source.with_extension("program");
    let mut command = Command::new(compiler);
    command.args(["-fprofile-instr-generate", "-fcoverage-mapping", "-std=c++17"]).args(flags).arg("-o");
    run(command.arg(&program).arg("regions.cc").current_dir(source.parent().unwrap()));
    let compared = compare(&tools, &program, &profiles(&program, &["40", "3"]));
    eprintln!("clang {version} {flags:?}: {compared:?}");
    assert!(compared.functions > 8 && compared.regions > 60 && compared.executed > 40, "{compared:?}");
}

#[test]
fn every_region_of_a_cpp_program_agrees() {
    for version in ["14", "16", "19", "22"] {
        clang(version, &["-O0"]);
        clang(version, &["-O2"]);
    }
    for version in ["19", "22"] {
        clang(version, &["-O1", "-fcoverage-mcdc", "-mllvm", "-enable-value-profiling"]);
    }
}

/// Returns a small program and a profile of it.
fn sample() -> (Vec<u8>, Vec<u8>) {
    let (_folder, source) = workshop("regions.rs");
    let program = rustc(&source);
    let raw = profiles(&program, &["9"]);
    (fs::read(&program).unwrap(), fs::read(&raw[0]).unwrap())
}

#[test]
fn locations_are_what_one_counter_counts_of_one_line() {
    let (_folder, source) = workshop("regions.rs");
    let binary = fs::read(rustc(&source)).unwrap();
    let raw = profiles(&source.with_extension("program"), &["9"]);
    let mut program = Program::new(source.parent().unwrap().to_str().unwrap());
    let object = program.add_binary("regions.program", &binary).unwrap();
    let mut counters = SummedProfile::default();
    counters.add(&RawProfile::parse(&fs::read(&raw[0]).unwrap()).unwrap()).unwrap();
    let mut counts = vec![0; program.locations().len()];
    assert_eq!(program.add_profiles(object, &counters, &mut counts).unwrap(), []);

    let text = fs::read_to_string(&source).unwrap();
    let line = |mark: &str| text.lines().position(|l| l.contains(mark)).unwrap() as u32 + 1;
    let of = |name: &str, line: u32| -> Vec<u64> {
        let is_wanted = |l: &trend_profile::Location| {
            l.kind == Kind::Block
                && l.line == line
                && program.functions()[l.function.index()].symbol.name == name
        };
        let all = program.locations().iter().zip(&counts);
        all.filter(|(l, _)| is_wanted(l)).map(|(_, count)| *count).collect()
    };
    // Each instance makes 8 + 7 + … + 1 comparisons.
    assert_eq!(of("regions::bubble::<u32>", line("v[j] > v[j + 1]"))[0], 36);
    assert_eq!(of("regions::bubble::<String>", line("v[j] > v[j + 1]"))[0], 36);
    // One line has three counters: the condition and both arms.
    assert_eq!(of("regions::parity", line("// odd or even")), [9, 4, 5]);
    let labels: Vec<&str> =
        program.locations().iter().filter(|l| l.line == line("// odd or even")).map(|l| &*l.label).collect();
    assert!(labels.iter().all(|l| l.starts_with("regions.rs:")), "{labels:?}");
    assert!(program.locations().iter().all(|l| *l.file == *"regions.rs"));
}

#[test]
fn a_profile_that_is_cut_anywhere_is_refused() {
    let (_, profile) = sample();
    assert!(RawProfile::parse(&profile).unwrap().function_count() > 5);
    for length in 0..profile.len() {
        assert!(RawProfile::parse(&profile[..length]).is_err(), "{length} of {}", profile.len());
    }
    let twice = [profile.clone(), profile.clone()].concat();
    let (once, twice) = (RawProfile::parse(&profile).unwrap(), RawProfile::parse(&twice).unwrap());
    assert_eq!(twice.function_count(), 2 * once.function_count());
}

#[test]
fn a_program_that_is_cut_anywhere_is_refused() {
    let (binary, _) = sample();
    let functions = CoverageMap::parse(&binary).unwrap().functions().len();
    // The section table comes last, so no part of the file is a valid program.
    for length in 0..binary.len() {
        let part = CoverageMap::parse(&binary[..length]);
        assert!(part.is_err(), "{length} of {}", binary.len());
    }
    assert!(functions > 10);
    // Cuts within the sections: every cut gives an error or only intact functions.
    let range = sections_only(&binary);
    for cut in range.clone() {
        let mut damaged = binary.clone();
        damaged[cut..range.end].fill(0);
        if let Ok(part) = CoverageMap::parse(&damaged) {
            assert!(part.functions().len() <= functions, "{cut}");
        }
    }
}

#[test]
fn another_builds_profile_is_noticed() {
    let (binary, _) = sample();
    let (_folder, source) = workshop("regions.rs");
    let text =
        fs::read_to_string(&source).unwrap().replace("// a place for more", "if v.len() == 77 { return; }");
    fs::write(&source, text).unwrap();
    let raw = profiles(&rustc(&source), &["9"]);
    let mut program = Program::new("/p");
    let object = program.add_binary("p", &binary).unwrap();
    let mut counters = SummedProfile::default();
    counters.add(&RawProfile::parse(&fs::read(&raw[0]).unwrap()).unwrap()).unwrap();
    let mut counts = vec![0; program.locations().len()];
    let error = program.add_profiles(object, &counters, &mut counts).unwrap_err();
    assert!(matches!(error, LlvmError::OtherBuild { .. } | LlvmError::OtherProgram), "{error}");
    assert!(counts.iter().all(|c| *c == 0));
}

#[test]
fn programs_without_a_mapping_are_told_what_they_lack() {
    let error = CoverageMap::parse(&fs::read("/bin/true").unwrap()).unwrap_err();
    assert!(error.to_string().contains("instrument-coverage"), "{error}");
    assert!(matches!(CoverageMap::parse(b"#!/bin/sh\n"), Err(LlvmError::NotProgram { .. })));
    assert!(matches!(RawProfile::parse(b""), Err(LlvmError::NotProfile { .. })));
    assert!(matches!(RawProfile::parse(b"oncg*22Babcd"), Err(LlvmError::NotProfile { .. })));
}

#[test]
fn damage_never_panics() {
    let (binary, profile) = sample();
    let mut random = ChaCha8Rng::seed_from_u64(1);
    let map = CoverageMap::parse(&binary).unwrap();
    for _ in 0..20_000 {
        let mut damaged = profile.clone();
        damage(&mut random, &mut damaged, 0..profile.len());
        if let Ok(profile) = RawProfile::parse(&damaged) {
            let mut counters = SummedProfile::default();
            if counters.add(&profile).is_ok() {
                for function in map.functions() {
                    let _ = counters.of_function(function).map(|c| function.counts(c.unwrap_or(&[])));
                }
            }
        }
    }
    // Damages the mappings within the program.
    let small = sections_only(&binary);
    let whole = RawProfile::parse(&profile).unwrap();
    for _ in 0..20_000 {
        let mut damaged = binary.clone();
        damage(&mut random, &mut damaged, small.clone());
        let mut program = Program::new("/p");
        let Ok(object) = program.add_binary("/p/a", &damaged) else { continue };
        let mut counters = SummedProfile::default();
        counters.add(&whole).unwrap();
        let mut counts = vec![0; program.locations().len()];
        let _ = program.add_profiles(object, &counters, &mut counts);
    }
}

/// Returns the range of function mappings and file tables in the program's file.
fn sections_only(binary: &[u8]) -> std::ops::Range<usize> {
    use object::{Object, ObjectSection};
    let file = object::File::parse(binary).unwrap();
    let range = |name: &str| file.section_by_name(name).unwrap().file_range().unwrap();
    let (start, _) = range("__llvm_covfun");
    let (last, length) = range("__llvm_covmap");
    (start as usize)..(last + length) as usize
}

fn damage(random: &mut ChaCha8Rng, bytes: &mut [u8], range: std::ops::Range<usize>) {
    for _ in 0..=random.next_u32() % 3 {
        let at = range.start + random.next_u32() as usize % range.len();
        match random.next_u32() % 3 {
            0 => bytes[at] = random.next_u32() as u8,
            1 => bytes[at] = [0, 1, 0x7f, 0x80, 0xff][random.next_u32() as usize % 5],
            _ => bytes[at] ^= 1 << (random.next_u32() % 8),
        }
    }
}

const CRATES: &str = r#"
[package]
name = "crates"
version = "0.0.0"
edition = "2024"

[[bin]]
name = "crates"
path = "crates.rs"

[dependencies]
regex = "=1.13.1"
serde_json = "=1.0.154"

[workspace]
"#;

#[test]
fn every_region_of_regex_and_serde_json_agrees() {
    let Some(tools) = tools("22") else { return };
    // The folder is kept, so that only the first run compiles the crates.
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("rust-crates");
    fs::create_dir_all(&folder).unwrap();
    let lock = fs::File::create(folder.join("lock")).unwrap();
    lock.lock().unwrap();
    fs::write(folder.join("Cargo.toml"), CRATES).unwrap();
    let driver = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/drivers/crates.rs");
    fs::copy(driver, folder.join("crates.rs")).unwrap();
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["build", "--release", "--target-dir", "target"]).env("RUSTFLAGS", "-C instrument-coverage");
    // Build scripts and procedural macros are instrumented here as well.
    run(cargo.env("LLVM_PROFILE_FILE", "/dev/null").env_remove("CARGO_BUILD_TARGET").current_dir(&folder));
    let program = folder.join("target/release/crates");
    let runs = tempfile::tempdir().unwrap();
    let copy = runs.path().join("crates");
    fs::copy(&program, &copy).unwrap();
    let raw = profiles(&copy, &["40", "3"]);
    assert_eq!(raw.len(), 2);
    let compared = compare(&tools, &copy, &raw);
    eprintln!("regex and serde_json: {compared:?}");
    assert!(
        compared.functions > 3000 && compared.regions > 20_000 && compared.executed > 4000,
        "{compared:?}"
    );

    let binary = fs::read(&copy).unwrap();
    let start = std::time::Instant::now();
    let mut ours = Program::new(folder.to_str().unwrap());
    let object = ours.add_binary("crates", &binary).unwrap();
    let decoded = start.elapsed();
    let mut counters = SummedProfile::default();
    let bytes = fs::read(&raw[0]).unwrap();
    let start = std::time::Instant::now();
    counters.add(&RawProfile::parse(&bytes).unwrap()).unwrap();
    let mut counts = vec![0; ours.locations().len()];
    assert_eq!(ours.add_profiles(object, &counters, &mut counts).unwrap(), []);
    let added = start.elapsed();
    let (functions, locations) = (ours.functions().len(), ours.locations().len());
    eprintln!("{functions} functions, {locations} locations; mapping {decoded:?}, a profile {added:?}");
    assert!(ours.locations().iter().any(|l| l.file.starts_with("regex-automata-")));
    assert!(ours.locations().iter().any(|l| *l.file == *"crates.rs"));
}
