//! Records of watched loops against closed forms: trips, activations, costs, and names of inputs.

mod choices;
mod ends;
mod entry;
mod names;
mod recurrences;
mod rust;
mod sampling;
mod stated;
mod trips;

use std::fs;
use std::path::Path;
use std::process::Command;
use std::rc::Rc;

use trend_collect::import::probe::LoopRecord;
use trend_collect::import::{Budget, Imported, Limits, Root};
use trend_profile::{LoopFunction, LoopObservation, ProgramLoop};

use crate::support::{Program, Records, done, probe};

/// Builds a program in C or C++ whose loops are watched, and also with the probe of routines if `options` say so.
fn program(language: &str, command: &str, options: &[&str], source: &str) -> Program {
    let program = Program::empty();
    let (compiler, linker) = if language == "cpp" { ("clang++-22", "g++") } else { ("clang-22", "gcc") };
    let file = |name: &str| program.folder().join(name);
    let path = file(&format!("program.{language}"));
    fs::write(&path, source).unwrap();
    let mut compile = Command::new(compiler);
    compile.args([
        "-O2",
        "-g",
        "-fstandalone-debug",
        "-w",
        "-Xclang",
        "-disable-lifetime-markers",
        "-Xclang",
        "-disable-llvm-passes",
        "-emit-llvm",
        "-c",
    ]);
    done(compile.arg(&path).arg("-o").arg(file("program.bc")));
    done(probe().arg(command).arg(file("program.bc")).arg("-o").arg(file("program.o")).args(options));
    done(probe().arg("runtime").arg("-o").arg(file("runtime.a")));
    let mut link = Command::new(linker);
    link.arg("-o").arg(program.path()).arg(file("program.o")).arg(file("runtime.a"));
    done(link.args(["-lm", "-pthread", "-Wl,--export-dynamic-symbol=trend_probe_*"]));
    // Builds the same program without the probe, to compare its output.
    let mut plain = Command::new(compiler);
    done(plain.args(["-O2", "-w", "-pthread"]).arg(&path).arg("-o").arg(file("plain")).arg("-lm"));
    program
}

fn c(source: &str) -> Program {
    program("c", "loops", &[], source)
}

fn cpp(source: &str) -> Program {
    program("cpp", "loops", &[], source)
}

/// Runs a program and reads its record. Its output must equal the output of the same program without the probe.
#[track_caller]
fn run(program: &Program) -> Loops {
    let (mut command, records) = program.command(&[]);
    let output = done(&mut command);
    let plain = done(&mut Command::new(program.folder().join("plain")));
    assert_eq!(String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&plain.stdout));
    Loops::from_records(&records)
}

/// Records of the loops of a program.
struct Loops {
    functions: Vec<LoopFunction>,
    warnings: Vec<String>,
}

impl Loops {
    /// Reads the records of all processes together.
    #[track_caller]
    fn from_records(records: &Records) -> Self {
        let files = records.files().into_iter().map(|file| fs::read(file).unwrap());
        let records = files.filter(|bytes| LoopRecord::is_one(bytes));
        let records = records.map(|bytes| LoopRecord::read(&bytes).expect("it is whole"));
        let all = records.reduce(|mut all, record| {
            all.add(record);
            all
        });
        let imported = imported(&all.expect("loops were recorded"));
        let warnings = imported.warnings.into_iter().map(|w| format!("{}: {}", w.kind, w.message)).collect();
        Self { functions: imported.loops, warnings }
    }

    #[track_caller]
    fn function(&self, name: &str) -> &LoopFunction {
        let is_it =
            |f: &&LoopFunction| f.symbol.name == name || f.symbol.name.rsplit("::").next() == Some(name);
        let function = self.functions.iter().find(is_it);
        function.unwrap_or_else(|| {
            let all: Vec<_> = self.functions.iter().map(|f| &f.symbol.name).collect();
            panic!("{name}: {all:?}")
        })
    }

    #[track_caller]
    fn get(&self, function: &str, number: usize) -> &ProgramLoop {
        &self.function(function).loops[number]
    }

    /// Returns the values of the inputs, the activations, and their total trips.
    #[track_caller]
    fn trips(&self, function: &str, number: usize) -> Vec<(Vec<i64>, u64, u64)> {
        let one = self.get(function, number);
        let row = |o: &LoopObservation| (o.inputs[..one.inputs.len()].to_vec(), o.activations, o.trips.sum);
        one.observations.iter().map(row).collect()
    }

    /// Returns the total activations and the total trips.
    #[track_caller]
    fn total(&self, function: &str, number: usize) -> (u64, u64) {
        let total = &self.get(function, number).total;
        (total.activations, total.trips)
    }

    /// Returns the names of the inputs.
    #[track_caller]
    fn names(&self, function: &str, number: usize) -> Vec<&str> {
        self.get(function, number).inputs.iter().map(|input| &*input.name).collect()
    }
}

#[track_caller]
fn imported(record: &LoopRecord) -> Imported {
    let budget = Rc::new(Budget::new(Limits::for_files(1 << 30)));
    record.imported(&Root::new(""), &budget).expect("it can be imported")
}

fn bytes_of(records: &Records) -> Vec<u8> {
    let all = records.files().into_iter().map(|file: std::path::PathBuf| fs::read(Path::new(&file)).unwrap());
    all.into_iter().find(|bytes| LoopRecord::is_one(bytes)).expect("loops were recorded")
}
