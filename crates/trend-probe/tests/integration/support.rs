//! Builds programs with the probe, runs them, and reads their records.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::Read;
use std::mem::offset_of;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::rc::Rc;

use trend_collect::import::probe::{EXTENSION, LoopRecord, ProbeRecord, Records as RecordsOfFile};
use trend_collect::import::{Budget, Limits, Root};
use trend_profile::{Observation, Variable};
use trend_runtime::record::{Header, flag, pool};

/// A program with the probe, in its own folder.
pub(crate) struct Program {
    folder: tempfile::TempDir,
}

/// Options for the compilers, in addition to the source.
#[derive(Clone, Copy, Default)]
pub(crate) struct Build<'a> {
    pub(crate) is_cpp: bool,
    /// Options of the compiler, before the source.
    pub(crate) compiler: &'a [&'a str],
    /// Options of trend-probe.
    pub(crate) probe: &'a [&'a str],
    /// Options of the linker.
    pub(crate) link: &'a [&'a str],
    /// Folder of the package that cargo was asked to build.
    pub(crate) package: Option<&'a Path>,
}

impl Build<'_> {
    pub(crate) fn program(&self, source: &str) -> Program {
        let folder = tempfile::tempdir().expect("a folder can be made");
        let program = Program { folder };
        let (language, linker) = if self.is_cpp { ("cpp", "g++") } else { ("c", "gcc") };
        let file = |name: &str| program.folder.path().join(name);
        let path = file(&format!("program.{language}"));
        fs::write(&path, source).expect("the source can be written");
        let object = file("program.o");
        self.object(&path, &object);
        done(probe().arg("runtime").arg("-o").arg(file("runtime.a")));
        let mut link = Command::new(linker);
        link.arg("-o").arg(file("program")).arg(object).args(self.link).arg(file("runtime.a"));
        done(link.args(["-lm", "-pthread", "-Wl,--export-dynamic-symbol=trend_probe_*"]));
        program
    }

    /// Compiles one source with the probe.
    pub(crate) fn object(&self, source: &Path, object: &Path) {
        let bitcode = object.with_extension("bc");
        let mut compile = Command::new(if self.is_cpp { "clang++-22" } else { "clang-22" });
        compile.args(["-O2", "-g1", "-w", "-Xclang", "-disable-llvm-passes", "-emit-llvm", "-c"]);
        done(compile.args(self.compiler).arg(source).arg("-o").arg(&bitcode));
        let mut probe = probe();
        if let Some(package) = self.package {
            probe.env("CARGO_PRIMARY_PACKAGE", "1").env("CARGO_MANIFEST_DIR", package);
        }
        done(probe.arg("routines").arg(&bitcode).arg("-o").arg(object).args(self.probe));
    }
}

pub(crate) fn probe() -> Command {
    Command::new(env!("CARGO_BIN_EXE_trend-probe"))
}

#[track_caller]
pub(crate) fn done(command: &mut Command) -> Output {
    let output = command.output().unwrap_or_else(|e| panic!("{command:?}: {e}"));
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?}: {}\n{errors}", output.status);
    output
}

/// Builds a program in C with the probe.
pub(crate) fn c(source: &str) -> Program {
    Build::default().program(source)
}

impl Program {
    /// Creates a folder for a program that does not exist yet.
    pub(crate) fn empty() -> Self {
        Self { folder: tempfile::tempdir().expect("a folder can be made") }
    }

    pub(crate) fn folder(&self) -> &Path {
        self.folder.path()
    }

    pub(crate) fn path(&self) -> PathBuf {
        self.folder.path().join("program")
    }

    /// Returns a command that runs the program, and the new folder for its records.
    pub(crate) fn command(&self, arguments: &[&str]) -> (Command, Records) {
        let records = Records(tempfile::tempdir_in(self.folder.path()).expect("a folder can be made"));
        let mut command = Command::new(self.path());
        command.args(arguments).env("TREND_PROF_RECORD", records.0.path());
        (command, records)
    }

    /// Runs the program. Returns the records of its processes together.
    #[track_caller]
    pub(crate) fn run(&self, arguments: &[&str]) -> Costs {
        let (mut command, records) = self.command(arguments);
        done(&mut command);
        records.costs()
    }
}

/// Returns a record as it would be if its process had been killed, so that it can be changed.
pub(crate) fn unsealed(mut record: Vec<u8>) -> Vec<u8> {
    record[offset_of!(Header, flags)] &= !(flag::SEALED as u8);
    record[offset_of!(Header, used)..][..8].fill(0);
    record
}

/// A folder with records.
pub(crate) struct Records(tempfile::TempDir);

impl Records {
    pub(crate) fn path(&self) -> &Path {
        self.0.path()
    }

    /// Splits shared files, so that each record has its own file. Returns those files.
    pub(crate) fn files(&self) -> Vec<PathBuf> {
        for file in self.shared_files() {
            let records =
                RecordsOfFile::new(File::open(&file).expect("it can be read")).expect("it is whole");
            for (number, record) in records.enumerate() {
                let own = file.with_extension(format!("{number}.{EXTENSION}"));
                fs::write(own, record.expect("it is whole")).expect("it can be written");
            }
            fs::remove_file(file).expect("it can be removed");
        }
        self.all_files()
    }

    /// Returns the files that forked processes share.
    pub(crate) fn shared_files(&self) -> Vec<PathBuf> {
        let mut files = self.all_files();
        files.retain(|file| {
            let mut magic = [0; 8];
            let is_read = File::open(file).and_then(|mut file| file.read_exact(&mut magic)).is_ok();
            is_read && magic == pool::MAGIC
        });
        files
    }

    fn all_files(&self) -> Vec<PathBuf> {
        let entries = fs::read_dir(self.0.path()).expect("the folder can be read");
        let mut files: Vec<PathBuf> = entries.map(|e| e.expect("it can be read").path()).collect();
        files.retain(|file| file.extension().is_some_and(|e| e == EXTENSION));
        files.sort();
        files
    }

    /// Reads the records of all processes together.
    #[track_caller]
    pub(crate) fn costs(&self) -> Costs {
        let mut all = Costs::default();
        for file in self.files() {
            let bytes = fs::read(&file).expect("it can be read");
            if LoopRecord::is_one(&bytes) {
                continue;
            }
            let record = ProbeRecord::read(&bytes).expect("it is whole");
            let budget = Rc::new(Budget::new(Limits::for_files(1 << 20)));
            if record.is_empty() {
                continue;
            }
            let imported = record.imported(&Root::new(""), &budget).expect("it can be imported");
            all.warnings.extend(imported.warnings.iter().map(|w| w.kind.to_string()));
            all.not_probed.extend(record.externals().iter().map(|((name, _), n)| (name.clone(), *n)));
            for series in imported.series {
                let key = (series.place.symbol.name, series.place.context, series.variables[0]);
                all.routines.entry(key).or_default().extend(series.observations);
            }
        }
        all.routines.values_mut().for_each(Observation::merge);
        all
    }
}

/// Recorded observations, by routine and size.
#[derive(Clone, Debug, Default)]
pub(crate) struct Costs {
    /// Observations by routine and calling context, which is empty for all contexts together.
    routines: BTreeMap<(String, String, Variable), Vec<Observation>>,
    pub(crate) warnings: Vec<String>,
    pub(crate) not_probed: BTreeMap<String, u64>,
}

impl Costs {
    /// Returns the observations of a routine by RMS, smallest first; empty if it was not called.
    pub(crate) fn costs_of(&self, routine: &str) -> Vec<Observation> {
        self.by(routine, Variable::Rms)
    }

    /// Returns the names of all routines.
    pub(crate) fn routines(&self) -> impl Iterator<Item = &str> {
        self.routines.keys().map(|(name, _, _)| &**name)
    }

    pub(crate) fn by(&self, routine: &str, variable: Variable) -> Vec<Observation> {
        self.within(routine, "", variable)
    }

    /// Returns the observations of a routine in a calling context.
    pub(crate) fn within(&self, routine: &str, context: &str, variable: Variable) -> Vec<Observation> {
        self.routines.get(&(routine.to_owned(), context.to_owned(), variable)).cloned().unwrap_or_default()
    }

    /// Returns the calling contexts of a routine, with the number and the cost of the calls in each.
    pub(crate) fn contexts(&self, routine: &str) -> Vec<(&str, u64, u64)> {
        let of_routine = self.routines.iter().filter(|((name, context, variable), _)| {
            name == routine && !context.is_empty() && *variable == Variable::Rms
        });
        let sum = |all: &[Observation], of: fn(&Observation) -> u64| all.iter().map(of).sum();
        of_routine
            .map(|((_, context, _), all)| (&**context, sum(all, |o| o.count), sum(all, |o| o.sum)))
            .collect()
    }

    /// Returns the number of calling contexts of all routines.
    pub(crate) fn count_contexts(&self) -> usize {
        let is_one = |(_, context, variable): &&(String, String, Variable)| {
            !context.is_empty() && *variable == Variable::Rms
        };
        self.routines.keys().filter(is_one).count()
    }

    /// Returns the sizes, with the number of calls for each.
    pub(crate) fn sizes(&self, routine: &str) -> Vec<(u64, u64)> {
        self.costs_of(routine).iter().map(|o| (o.size(), o.count)).collect()
    }

    /// Returns the only observation of a routine.
    #[track_caller]
    pub(crate) fn only(&self, routine: &str) -> Observation {
        match self.costs_of(routine)[..] {
            [observation] => observation,
            ref all => panic!("{routine}: {all:?}"),
        }
    }
}
