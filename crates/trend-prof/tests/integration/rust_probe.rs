//! Cargo projects with the probe: sizes and calls are compared with closed forms.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use crate::bench::{Bench, Ran, can_probe};

/// A dependency with a quadratic function, which the build script calls too, and a generic function that is compiled in
/// the dependent crate.
const GRID: &str = r"
pub fn inversions(values: &[u32]) -> u64 {
    let mut count = 0;
    for (i, a) in values.iter().enumerate() {
        for b in &values[i + 1..] {
            count += u64::from(a > b);
        }
    }
    count
}

pub fn largest<T: PartialOrd + Copy>(values: &[T]) -> Option<T> {
    let mut largest = *values.first()?;
    for value in values {
        if *value > largest {
            largest = *value;
        }
    }
    Some(largest)
}
";

const MAIN: &str = r#"
#[inline(never)]
fn sum(values: &[u32]) -> u64 {
    let mut sum = 0;
    for value in values {
        sum += u64::from(*value);
    }
    sum
}

/// Reads what it has pushed itself, into memory that the call before it gave back.
#[inline(never)]
fn pushed(n: u32) -> u64 {
    let mut values = Vec::new();
    for i in 0..n {
        values.push(i);
    }
    sum(&values)
}

/// The same with memory that the standard library's own code moves.
#[inline(never)]
fn written(n: u32) -> usize {
    let mut text = String::new();
    for i in 0..n {
        text.push(char::from(b'a' + (i % 26) as u8));
    }
    text.bytes().filter(|b| *b == b'a').count()
}

#[inline(never)]
fn fails(values: &[u32], at: usize) -> u32 {
    let copy = values.to_vec();
    let mut sum = 0_u32;
    for i in 0..=at {
        sum = sum.wrapping_add(copy[i]);
    }
    sum
}

fn main() {
    let n: u32 = std::env::args().nth(1).unwrap().parse().unwrap();
    let mut values: Vec<u32> = Vec::with_capacity(n as usize);
    let mut seed = 1_u32;
    for _ in 0..n {
        seed = seed.wrapping_mul(1_103_515_245).wrapping_add(12345);
        values.push(seed >> 8);
    }
    println!("{} {:?}", grid::inversions(&values), grid::largest(&values));
    for _ in 0..10 {
        println!("{} {}", pushed(n), written(n));
    }
    if cfg!(panic = "unwind") {
        std::panic::set_hook(Box::new(|_| {}));
        for _ in 0..3 {
            assert!(std::panic::catch_unwind(|| fails(&values, values.len())).is_err());
        }
    }
    println!("{}", sum(&values));
    let threads: Vec<_> = (0..4)
        .map(|_| {
            let values = values.clone();
            std::thread::spawn(move || sum(&values))
        })
        .collect();
    for thread in threads {
        println!("{}", thread.join().unwrap());
    }
}
"#;

/// Creates a project whose build script uses the same dependency, or returns `None` if the tools are missing.
fn project(profiles: &str) -> Option<Bench> {
    if !can_probe("the probe in cargo projects") {
        return None;
    }
    let bench = Bench::new();
    let package = |name: &str, rest: &str| {
        format!("[package]\nname = \"{name}\"\nversion = \"0.0.0\"\nedition = \"2024\"\n{rest}")
    };
    let grid = "{ path = \"grid\" }";
    let dependencies = format!("[dependencies]\ngrid = {grid}\n[build-dependencies]\ngrid = {grid}\n");
    bench.write("Cargo.toml", package("single", &format!("{dependencies}[workspace]\n{profiles}")));
    bench.write("build.rs", "fn main() { assert_eq!(grid::inversions(&[2, 1]), 1); }\n");
    bench.write("src/main.rs", MAIN);
    bench.write("grid/Cargo.toml", package("grid", ""));
    bench.write("grid/src/lib.rs", GRID);
    bench.run(["init"]).succeeds();
    bench.replace("trend-prof.toml", "files = \"inputs/*\"", "parameters = { n = [100, 400] }");
    bench.replace("trend-prof.toml", "\"{input}\"]\n", "\"{n}\"]\n");
    bench.replace("trend-prof.toml", "bytes = \"size\"", "n = { parameter = \"n\" }");
    bench.replace("trend-prof.toml", "[program]\n", "[program]\nprobe = \"routines\"\n");
    Some(bench)
}

/// Returns for each routine the sizes, the calls, and the lowest cost of a call.
fn routines(bench: &Bench) -> BTreeMap<String, Vec<(u64, u64, u64)>> {
    let report = bench.run(["export", "aprof"]).succeeds().stdout;
    let mut routines: BTreeMap<String, Vec<(u64, u64, u64)>> = BTreeMap::new();
    let mut name = String::new();
    for line in report.lines() {
        match *line.split(' ').collect::<Vec<_>>() {
            ["r", ..] => line.split('"').nth(1).unwrap().clone_into(&mut name),
            ["p", _, size, least, _, _, _, calls, ..] => {
                let number = |text: &str| text.parse::<u64>().unwrap();
                let observed = (number(size), number(calls), number(least));
                routines.entry(name.clone()).or_default().push(observed);
            }
            _ => {}
        }
    }
    routines
}

#[test]
fn costs_of_rust_go_by_what_a_call_reads() {
    let Some(bench) = project("") else { return };
    bench.run(["run"]).succeeds().says(&["2 runs recorded"]);
    let routines = routines(&bench);
    let sizes =
        |name: &str| routines[name].iter().map(|(size, calls, _)| (*size, *calls)).collect::<Vec<_>>();
    assert_eq!(sizes("grid::inversions"), [(100, 1), (400, 1)]);
    assert_eq!(sizes("grid::largest::<u32>"), [(100, 1), (400, 1)]);
    // Data that a push writes or a reallocation moves is no input. Neither is freed memory that is reused.
    assert_eq!(sizes("single::pushed"), [(0, 20)]);
    assert_eq!(sizes("single::written"), [(0, 20)]);
    // The calls are in `main`, ten times in `pushed`, and in four threads.
    assert_eq!(sizes("single::sum"), [(100, 15), (400, 15)]);
    // The call never returned.
    assert_eq!(sizes("single::fails"), [(100, 3), (400, 3)]);
    assert_eq!(sizes("single::main").iter().map(|(_, calls)| calls).sum::<u64>(), 2);
    // With two nested loops, four times the input costs sixteen times as much, apart from a linear term.
    let [(_, _, small), (_, _, large)] = routines["grid::inversions"][..] else { panic!("{routines:?}") };
    assert!((100 * 99 / 2..100 * 101 + 1000).contains(&small), "{small}");
    assert!((15 * small..=16 * small).contains(&large), "{small} {large}");
    // Allocator functions, which rustc adds, are not listed as routines.
    assert!(!routines.keys().any(|name| name.contains("__rust_alloc")), "{routines:?}");
}

#[test]
fn a_crate_that_is_studied_itself_is_the_program_wherever_it_was_unpacked() {
    let Some(bench) = project("") else { return };
    bench.write(".cargo-ok", "");
    // Both crate types are covered: a library's objects are compiled before linking, a program's objects at the link.
    let loops = |name: &str| format!("{{ let mut n = 0; for v in {name} {{ n += v; }} n }}");
    bench.write("src/lib.rs", format!("pub fn library(of: &[u32]) -> u32 {}\n", loops("of")));
    let own = format!("fn own(of: &[u32]) -> u32 {}\n", loops("of"));
    let call = "fn main() {\n    let of = std::hint::black_box([1; 10]);\n    println!(\"{} {}\", single::library(&of), own(&of));";
    bench.replace("src/main.rs", "fn main() {", &format!("{own}{call}"));
    bench.run(["run"]).succeeds().says(&["2 runs recorded"]);
    let routines = routines(&bench);
    for name in ["single::library", "single::own"] {
        assert!(routines.contains_key(name), "{name}: {routines:?}");
    }
}

#[test]
fn profiles_with_link_time_optimization_and_without_unwinding_are_probed() {
    let profile = "[profile.release]\nlto = true\npanic = \"abort\"\nstrip = true\ncodegen-units = 16\nincremental = true\n";
    let Some(bench) = project(profile) else { return };
    bench.run(["run"]).succeeds().says(&["2 runs recorded"]);
    let routines = routines(&bench);
    let calls =
        |name: &str| routines[name].iter().map(|(size, calls, _)| (*size, *calls)).collect::<Vec<_>>();
    assert_eq!(calls("grid::inversions"), [(100, 1), (400, 1)]);
    assert_eq!(calls("single::pushed"), [(0, 20)]);
    assert!(!routines.contains_key("single::fails"));
}

#[test]
fn a_build_without_optimization_keeps_its_assertions() {
    let Some(bench) = project("") else { return };
    bench.replace("trend-prof.toml", "cargo build --release", "cargo build");
    bench.replace("trend-prof.toml", "/release/", "/debug/");
    bench.replace("src/main.rs", "fn main() {", "fn main() {\n    assert!(cfg!(debug_assertions));");
    bench.run(["run"]).succeeds().says(&["2 runs recorded"]);
    let routines = routines(&bench);
    assert_eq!(routines["single::pushed"].iter().map(|(size, ..)| *size).collect::<Vec<_>>(), [0]);
}

#[test]
fn another_choice_of_what_is_measured_builds_anew_and_changed_sources_are_compiled() {
    let Some(bench) = project("") else { return };
    bench.run(["run"]).succeeds();
    bench.replace("src/main.rs", "for _ in 0..10 {", "for _ in 0..5 {");
    bench.run(["run", "--fresh"]).succeeds();
    assert_eq!(routines(&bench)["single::pushed"][0].1, 10);
    bench.replace("trend-prof.toml", "probe = \"routines\"\n", "");
    bench.run(["run", "--fresh"]).succeeds().says(&["the chosen crates or counters changed"]);
    assert!(bench.findings(&[])["series"].as_array().is_none_or(Vec::is_empty));
}

#[test]
fn the_subcommand_of_cargo_takes_the_probe_as_an_option() {
    let Some(bench) = project("") else { return };
    bench.replace("trend-prof.toml", "probe = \"routines\"\n", "");
    let folder = Path::new(env!("CARGO_BIN_EXE_cargo-trend-prof")).parent().unwrap();
    let path = format!("{}:{}", folder.display(), std::env::var("PATH").unwrap());
    let mut cargo = Command::new("cargo");
    cargo.args(["trend-prof", "run", "--probe", "routines"]).current_dir(bench.folder()).env("PATH", path);
    let output = cargo.env_remove("CARGO_TARGET_DIR").output().unwrap();
    Ran::from(output).succeeds().says(&["2 runs recorded"]);
    let sizes: Vec<_> =
        routines(&bench)["grid::inversions"].iter().map(|(size, calls, _)| (*size, *calls)).collect();
    assert_eq!(sizes, [(100, 1), (400, 1)]);
}

#[test]
fn one_build_of_rust_counts_blocks_and_observes_routines() {
    let Some(bench) = project("") else { return };
    bench.replace("trend-prof.toml", "probe = \"routines\"", "probe = \"routines,blocks\"");
    bench.run(["run"]).succeeds().says(&["2 runs recorded"]);
    assert_eq!(bench.findings(&[])["unit"], "executions");
    let counts = bench.counts(&[]);
    // `count += …` in the inner loop of `inversions`.
    assert_eq!(counts.pairs("n", "grid/src/lib.rs:6:grid::inversions"), [(100, 4950), (400, 79800)]);
    let routines = routines(&bench);
    let sizes =
        |name: &str| routines[name].iter().map(|(size, calls, _)| (*size, *calls)).collect::<Vec<_>>();
    assert_eq!(sizes("grid::inversions"), [(100, 1), (400, 1)]);
    assert_eq!(sizes("single::pushed"), [(0, 20)]);
    assert_eq!(sizes("single::sum"), [(100, 15), (400, 15)]);
    assert_eq!(sizes("single::fails"), [(100, 3), (400, 3)]);
}
