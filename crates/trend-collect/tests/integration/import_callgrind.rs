//! Compares with callgrind: totals and functions with `callgrind_annotate`, inlined code with binutils' `addr2line`,
//! and the cost of libraries at the lines that call them.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;

use trend_collect::DebugInfo;
use trend_collect::import::callgrind::{Frame, Inlining, read, read_inlined};
use trend_collect::import::{Imported, Root};
use trend_profile::Kind;

use crate::compilers::workshop;
use crate::imports::is_there;
use crate::oracle::run;

/// A program that ran under callgrind, and callgrind's output.
struct Counted {
    folder: tempfile::TempDir,
    bytes: Vec<u8>,
}

/// Separator between a line and the library function that it calls.
const CALLS: &str = " → ";

impl Counted {
    /// Builds and runs a program; returns `None` if valgrind is not installed.
    fn new(compiler: &[&str], argument: &str, options: &[&str]) -> Option<Self> {
        if !is_there("valgrind") {
            return None;
        }
        let folder = workshop();
        run(Command::new(compiler[0])
            .args(&compiler[1..])
            .args(["-o", "program"])
            .current_dir(folder.path()));
        Some(Self::run(folder, argument, options))
    }

    fn run(folder: tempfile::TempDir, argument: &str, options: &[&str]) -> Self {
        let mut command = Command::new("valgrind");
        command.args(["-q", "--tool=callgrind", "--callgrind-out-file=out"]).args(options);
        // `trend-prof run` sets this as well, so that copying costs an equal amount per byte at all sizes.
        command.env("GLIBC_TUNABLES", "glibc.cpu.hwcaps=-ERMS");
        run(command.arg("./program").arg(argument).current_dir(folder.path()));
        let bytes = std::fs::read(folder.path().join("out")).unwrap();
        Self { folder, bytes }
    }

    fn root(&self) -> Root {
        Root::new(self.folder.path().canonicalize().unwrap().to_str().unwrap())
    }

    fn read(&self) -> Imported {
        read(&self.bytes, None, &self.root()).unwrap()
    }

    fn read_inlined(&self) -> Imported {
        let program = self.folder.path().join("program");
        let info = DebugInfo::parse(&std::fs::read(&program).unwrap()).unwrap();
        let mut inlining = OfProgram { info };
        read_inlined(&self.bytes, None, &self.root(), &mut inlining).unwrap()
    }

    /// Returns the sum of the first costs of all `totals:` lines.
    fn totals(&self) -> u64 {
        let text = String::from_utf8_lossy(&self.bytes);
        let totals = text.lines().filter_map(|l| l.strip_prefix("totals:"));
        totals.map(|t| t.split_whitespace().next().unwrap().parse::<u64>().unwrap()).sum()
    }

    fn annotate(&self, options: &[&str]) -> String {
        let mut command = Command::new("callgrind_annotate");
        command.args(["--threshold=100", "--auto=no", "--show=Ir"]).args(options);
        run(command.arg("out").current_dir(self.folder.path()))
    }

    /// Returns the total and the functions' own costs by name, as printed by callgrind_annotate.
    fn annotated(&self) -> (u64, BTreeMap<String, u64>) {
        let mut functions = BTreeMap::new();
        let mut total = 0;
        for line in self.annotate(&[]).lines() {
            let Some((cost, name)) = row(line) else { continue };
            if name == "PROGRAM TOTALS" {
                total = cost;
            } else {
                // callgrind_annotate prints a function of several files as several rows.
                *functions.entry(function_of(name)).or_default() += cost;
            }
        }
        functions.retain(|_, cost| *cost > 0);
        (total, functions)
    }

    /// Returns the inclusive costs of a function's callees, as printed by callgrind_annotate.
    fn called_by(&self, caller: &str) -> BTreeMap<String, u64> {
        let text = self.annotate(&["--tree=calling"]);
        let mut called = BTreeMap::new();
        let mut is_caller = false;
        for (cost, name) in text.lines().filter_map(row) {
            if let Some(name) = name.strip_prefix('*') {
                is_caller = function_of(name) == caller;
            } else if let Some(name) = name.strip_prefix('>').filter(|_| is_caller) {
                let name = function_of(name.rsplit_once(" (").unwrap().0);
                *called.entry(name).or_default() += cost;
            }
        }
        called
    }
}

struct OfProgram {
    info: DebugInfo,
}

impl Inlining for OfProgram {
    fn frames(&mut self, object: &str, address: u64) -> Arc<[Frame]> {
        if object.ends_with("/program") { self.info.frames(address) } else { Arc::default() }
    }
}

/// Parses a row of callgrind_annotate: `1,234 (12.3%)  name`.
fn row(line: &str) -> Option<(u64, &str)> {
    let (cost, rest) = line.split_once('(')?;
    let cost = cost.trim().replace(',', "").parse().ok()?;
    Some((cost, rest.split_once(')')?.1.trim()))
}

/// Returns the function in `file:function [object]`.
fn function_of(name: &str) -> String {
    let name = name.rsplit_once(" [").map_or(name, |(name, _)| name);
    name.rsplit_once(':').unwrap().1.to_owned()
}

/// Sums the costs of all blocks by a key made of function, label and line.
fn sums<K: Ord>(imported: &Imported, key: impl Fn(&str, &str, u32) -> Option<K>) -> BTreeMap<K, u64> {
    let mut sums = BTreeMap::new();
    for &(location, count) in &imported.runs[0].counts {
        let l = &imported.locations[location as usize];
        let function = &imported.functions[l.function.index()].symbol.name;
        if l.kind == Kind::Block
            && let Some(key) = key(function, &l.label, l.line)
        {
            *sums.entry(key).or_default() += count;
        }
    }
    sums.retain(|_, cost| *cost > 0);
    sums
}

fn total(imported: &Imported) -> u64 {
    sums(imported, |_, _, _| Some(())).values().sum()
}

/// Returns the costs of library calls by label, which names the line and the function.
fn charged(imported: &Imported) -> BTreeMap<String, u64> {
    sums(imported, |_, label, _| label.contains(CALLS).then(|| label.to_owned()))
}

const BUBBLE_SORT: [&str; 5] = ["gcc", "-g", "-O1", "-w", "bubble_sort.c"];

fn agrees_with_callgrind_annotate(options: &[&str]) {
    let Some(counted) = Counted::new(&BUBBLE_SORT, "40", options) else { return };
    let imported = counted.read();
    let (annotated, expected) = counted.annotated();
    assert_eq!(total(&imported), counted.totals());
    // callgrind_annotate prints callgrind's `summary:` as the total. It can have a few instructions that belong to no
    // function.
    assert!(annotated.abs_diff(counted.totals()) < 10);
    assert!(annotated > 100_000 && expected.len() > 100, "{annotated} in {} functions", expected.len());
    // Own costs of functions agree, except for the costs of libraries charged to the program.
    let own = sums(&imported, |name, label, _| (!label.contains(CALLS)).then(|| name.to_owned()));
    assert_eq!(own["main"], expected["main"]);
    let charged: u64 = expected.iter().map(|(name, cost)| cost - own.get(name).unwrap_or(&0)).sum();
    assert_eq!(charged, charged_in(&imported));
    for name in ["_dl_relocate_object", "__GI___tunables_init", "strsep"] {
        assert_eq!(own[name], expected[name], "{name} runs before main alone");
    }
    for name in ["malloc", "free", "_int_malloc"] {
        assert!(expected[name] > 0 && !own.contains_key(name), "{name} is called by main alone");
    }
    // The costs charged to main equal the costs of its calls.
    let called = counted.called_by("main");
    let of_main = |callee: &str| {
        let label = format!("{CALLS}{callee}");
        sums(&imported, |name, l, _| (name == "main" && l.ends_with(&label)).then_some(()))
            .values()
            .sum::<u64>()
    };
    assert!(called.len() >= 3, "{called:?}");
    for (callee, cost) in called {
        assert!(of_main(&callee).abs_diff(cost) <= 5, "{callee}: {} for {cost}", of_main(&callee));
    }
}

fn charged_in(imported: &Imported) -> u64 {
    charged(imported).values().sum()
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
    // callgrind_annotate only reads the last part.
    let options = ["--combine-dumps=yes", "--dump-every-bb=5000", "--separate-recs=3"];
    let Some(counted) = Counted::new(&BUBBLE_SORT, "40", &options) else { return };
    let text = String::from_utf8_lossy(&counted.bytes);
    assert!(text.matches("desc: Trigger: --dump-every-bb=5000").count() > 1);
    assert_eq!(total(&counted.read()), counted.totals());
}

/// Maps addresses of the program to lines with binutils: the innermost line in `file`.
fn lines_of_addresses(program: &Path, file: &str, addresses: &[u64]) -> BTreeMap<u64, u32> {
    let mut command = Command::new("addr2line");
    command.args(["-a", "-i", "-e"]).arg(program).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let text: Vec<String> = addresses.iter().map(|a| format!("{a:#x}\n")).collect();
    let mut stdin = child.stdin.take().unwrap();
    let writer = std::thread::spawn(move || stdin.write_all(text.concat().as_bytes()).unwrap());
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    let mut lines = BTreeMap::new();
    let mut address = 0;
    for line in String::from_utf8_lossy(&output.stdout).lines() {
        if let Some(hex) = line.strip_prefix("0x") {
            address = u64::from_str_radix(hex, 16).unwrap();
        } else if let Some((path, line)) = line.split_once(" (").map_or(line, |(l, _)| l).rsplit_once(':')
            && path.ends_with(file)
            && let Ok(line) = line.parse()
        {
            lines.entry(address).or_insert(line);
        }
    }
    lines
}

/// Returns the cost of each line of `file`: the costs of its addresses, plus the inclusive costs of their calls to
/// functions outside of `file`. Parses uncompressed output with as little code as possible.
fn costs_of_lines(counted: &Counted, file: &str) -> BTreeMap<u32, u64> {
    let text = String::from_utf8_lossy(&counted.bytes);
    let hex = |word: &str| u64::from_str_radix(word.strip_prefix("0x")?, 16).ok();
    let (mut object, mut line_file, mut callee_file, mut is_call) = ("", "", None, false);
    let mut costs: Vec<(u64, u64)> = Vec::new();
    for line in text.lines() {
        let mut words = line.split(' ');
        if let Some(name) = line.strip_prefix("ob=") {
            object = name;
        } else if let Some(name) = ["fl=", "fi=", "fe="].iter().find_map(|key| line.strip_prefix(key)) {
            line_file = name;
        } else if let Some(name) = line.strip_prefix("cfi=") {
            callee_file = Some(name);
        } else if line.starts_with("calls=") {
            is_call = true;
        } else if let Some(address) = words.next().and_then(hex) {
            let is_own_call = is_call && callee_file.unwrap_or(line_file).ends_with(file);
            if object.ends_with("/program") && !is_own_call {
                costs.push((address, words.nth(1).unwrap().parse().unwrap()));
            }
            if is_call {
                (is_call, callee_file) = (false, None);
            }
        }
    }
    let addresses: Vec<u64> = costs.iter().map(|(address, _)| *address).collect();
    let lines = lines_of_addresses(&counted.folder.path().join("program"), file, &addresses);
    let mut sums = BTreeMap::new();
    for (address, cost) in costs {
        if let Some(line) = lines.get(&address) {
            *sums.entry(*line).or_default() += cost;
        }
    }
    sums
}

const UNCOMPRESSED: [&str; 4] =
    ["--compress-strings=no", "--compress-pos=no", "--dump-instr=yes", "--demangle=no"];

/// Returns the number of the line with this text in a test program.
fn line_of(file: &str, text: &str) -> u32 {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs").join(file);
    let source = std::fs::read_to_string(path).unwrap();
    1 + source.lines().position(|line| line.contains(text)).unwrap() as u32
}

/// Returns the costs of a planted program by line and library function, at two sizes. Checks every line against
/// addr2line and callgrind's inclusive costs, except for the lines in `calls_back`, which libraries call.
fn planted(
    compiler: &[&str],
    file: &str,
    sizes: [&str; 2],
    calls_back: &[u32],
) -> Option<[BTreeMap<String, u64>; 2]> {
    let measured = |counted: &Counted| {
        let imported = counted.read_inlined();
        assert_eq!(total(&imported), counted.totals());
        assert_eq!(total(&counted.read()), counted.totals());
        let (annotated, _) = counted.annotated();
        assert!(annotated.abs_diff(counted.totals()) < 10);
        let number = imported.locations.iter().filter(|l| *l.file == *file).count();
        assert!(number > 20, "{number} locations of {file}");
        let ours = sums(&imported, |_, _, line| Some(line));
        for (line, cost) in costs_of_lines(counted, file) {
            if !calls_back.contains(&line) {
                let cost_read = of_file(&imported, file, line);
                assert!(
                    cost_read.abs_diff(cost) <= 1 + cost / 1000,
                    "line {line}: {cost_read} for {cost}; {ours:?}"
                );
            }
        }
        charged(&imported)
    };
    let small = Counted::new(compiler, sizes[0], &UNCOMPRESSED)?;
    let few = measured(&small);
    let large = Counted::run(small.folder, sizes[1], &UNCOMPRESSED);
    Some([few, measured(&large)])
}

fn of_file(imported: &Imported, file: &str, line: u32) -> u64 {
    let counts = imported.runs[0].counts.iter();
    let of_line = counts.filter(|(location, _)| {
        let l = &imported.locations[*location as usize];
        l.kind == Kind::Block && *l.file == *file && l.line == line
    });
    of_line.map(|(_, cost)| cost).sum()
}

/// Returns the cost ratio of the two sizes for calls whose label begins with `start` and contains `end`.
fn ratio([few, many]: &[BTreeMap<String, u64>; 2], start: &str, end: &str) -> f64 {
    let cost = |charged: &BTreeMap<String, u64>| -> u64 {
        let of = charged.iter().filter(|(label, _)| label.starts_with(start) && label.contains(end));
        of.map(|(_, cost)| *cost).sum()
    };
    cost(many) as f64 / cost(few) as f64
}

#[test]
fn work_of_libc_is_charged_to_the_line_of_c_that_calls_it() {
    let compiler = ["gcc", "-g", "-O1", "-w", "planted.c"];
    let Some(charged) = planted(&compiler, "planted.c", ["8000", "16000"], &[]) else { return };
    // gcc compiles `strcat` to `strlen` and writes at the end itself.
    for (call, function) in [("strcat(all", "str"), ("memmove(queue", "mem"), ("strlen(text)", "strlen")] {
        let start = format!("planted.c:{}{CALLS}", line_of("planted.c", call));
        let ratio = ratio(&charged, &start, function);
        assert!((3.4..4.2).contains(&ratio), "{start}{function}: {ratio} in {charged:?}");
    }
}

#[test]
fn work_of_rusts_standard_library_is_charged_to_the_line_that_calls_it() {
    if !is_there("rustc") {
        return;
    }
    let compiler = ["rustc", "-g", "-O", "planted.rs"];
    let sort = line_of("planted.rs", "sort_by");
    let Some(charged) = planted(&compiler, "planted.rs", ["2000", "4000"], &[sort]) else { return };
    for (call, function) in [("queue.remove", "Vec::remove"), ("seen.contains", "slice::contains")] {
        let label = format!("planted.rs:{}{CALLS}{function}", line_of("planted.rs", call));
        let ratio = ratio(&charged, &label, "");
        assert!((3.4..4.2).contains(&ratio), "{label}: {ratio} in {charged:?}");
    }
}
