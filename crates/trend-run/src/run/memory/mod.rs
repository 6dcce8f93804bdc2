//! Records which lines allocate memory, with a library that is preloaded before the C library of a run's programs.
//!
//! ```text
//!   scratch/memory.so            the library: C in `memory/`, compiled here
//!   scratch/own-code             the addresses of the program's own code
//!   counters/4711-0.trend-memory the record of one process; its child processes have their own files
//! ```
//!
//! `record.c` writes the file, with its sites and the table of live pointers. `walk.c` finds the code that asked for an
//! allocation. `calls.c` wraps malloc and similar functions, and `operators.c` wraps C++'s operators.
//!
//! `trend-collect` identifies the program's own code (`asking_code`) and reads a record (`memory_record`).
//! `trend-analyze` has the laws of each line (`memory_lines`).

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::os::fd::AsRawFd as _;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use trend_collect::import::Root;
use trend_collect::{AskingCode, MemoryRecord, memory_record};
use trend_profile::{MemoryMeasure, Series, Symbol, Warning, WarningKind};

use super::supervise::runner::{NotRun, Runner};
use super::supervise::scratch::RunFolder;
use crate::error::RunError;
use crate::program::binaries::{Binaries, is_elf};
use crate::program::nature;
use crate::shim::linkage::Linked;
use crate::shim::search::Search;
use crate::supervisor::wire::{End, Job, Limits, Output};

/// The library's source files, in the order in which they form one translation unit.
const SOURCE: &str = concat!(
    include_str!("../../shim/ending/limit.c"),
    include_str!("record.c"),
    include_str!("walk.c"),
    include_str!("calls.c"),
    include_str!("operators.c"),
);

/// Compiler options. Functions get the frame pointers at which `walk.c` starts, and the compiler replaces no calls.
const COMPILE: [&str; 16] = [
    "-x",
    "c",
    "-O2",
    "-fPIC",
    "-shared",
    "-w",
    "-fvisibility=hidden",
    "-fno-omit-frame-pointer",
    "-fno-optimize-sibling-calls",
    "-fno-builtin-malloc",
    "-fno-builtin-calloc",
    "-fno-builtin-realloc",
    "-fno-builtin-free",
    "-fno-stack-protector",
    "-U_FORTIFY_SOURCE",
    "-",
];

/// The environment variables for the library.
const FOLDER: &str = "TREND_PROF_MEMORY";
const OWN_CODE: &str = "TREND_PROF_OWN_CODE";
const PRELOAD: &str = "LD_PRELOAD";

/// Names of the library and of the compiler's messages in the scratch folder.
const LIBRARY: &str = "memory.so";
const ERRORS: &str = "memory.errors";

/// Number of bytes of the compiler's messages that are kept.
const LONGEST_ERRORS: u64 = 65_536;

/// Maximum number of programs and libraries to inspect.
const MOST_MODULES: usize = 64;

/// Maximum size of a program to read, in bytes. Its debug information takes several times as much memory.
const LONGEST_PROGRAM: u64 = 4 << 30;

/// A run probably has its own allocator if its peak memory exceeds the recorded peak times this factor, plus
/// [`UNSEEN_BYTES`].
const UNSEEN_TIMES: u64 = 3;

/// Number of bytes that the program itself and the counters may take.
const UNSEEN_BYTES: u64 = 32 << 20;

/// Watches the memory of runs.
#[derive(Debug)]
pub(crate) struct MemoryWatch {
    /// Path of the library for `LD_PRELOAD`.
    library: OsString,
    own_code: PathBuf,
    root: Root,
    modules: Mutex<Vec<AskingCode>>,
    /// Warnings that apply to all runs.
    pub(crate) warnings: Vec<Warning>,
}

/// The recorded memory of a run.
#[derive(Debug, Default)]
pub(crate) struct Watched {
    /// Amounts by line. The workload is not set.
    pub(crate) series: Vec<Series>,
    pub(crate) warnings: Vec<Warning>,
}

impl MemoryWatch {
    /// Writes the library and the file of own code into the scratch folder. `runner` runs the compiler, and `started`
    /// is the program that runs start. Names of sources are relative to `root`.
    ///
    /// # Errors
    /// [`RunError::NoMemoryWatch`] if there is no C compiler, or no program with own code.
    pub(crate) fn new(
        scratch: &RunFolder,
        runner: &Runner<'_>,
        started: Option<&Path>,
        binaries: &Binaries,
        root: &str,
    ) -> Result<Self, RunError> {
        let failed = |what: String| RunError::NoMemoryWatch { what };
        compile(scratch, runner).map_err(failed)?;
        let library = preloadable(scratch);
        let (mut modules, mut places, mut warnings) = (Vec::new(), Vec::new(), Vec::new());
        for path in programs(started, binaries) {
            let Ok(metadata) = fs::metadata(&path) else { continue };
            let place = (metadata.dev(), metadata.ino());
            if metadata.len() > LONGEST_PROGRAM || places.contains(&place) {
                continue;
            }
            let code = fs::read(&path).map_err(|e| e.to_string());
            let code = code.and_then(|bytes| AskingCode::parse(&bytes).map_err(|e| format!("it {e}")));
            let usable_code = code.and_then(|code| {
                Some(code)
                    .filter(AskingCode::is_known)
                    .ok_or_else(|| "it has no symbols; link it without `-s`".to_owned())
            });
            match usable_code {
                Ok(code) => {
                    warnings.extend((!code.has_lines()).then(|| no_lines(&path)));
                    modules.push(code);
                    places.push(place);
                }
                Err(what) => {
                    let message =
                        format!("the lines of {} that allocate memory are unknown: {what}", path.display());
                    warnings.push(Warning::new(WarningKind::MemoryByLine, message));
                }
            }
        }
        if modules.is_empty() {
            let what = "found no program whose lines can be looked up; name it in `command`";
            return Err(failed(warnings.pop().map_or(what.to_owned(), |warning| warning.message)));
        }
        let own_code = scratch.path().join("own-code");
        let table =
            AskingCode::table(places.iter().zip(&modules).map(|(place, code)| (place.0, place.1, code)));
        fs::write(&own_code, table).map_err(|e| failed(format!("{}: {e}", own_code.display())))?;
        Ok(Self { library, own_code, root: Root::new(root), modules: Mutex::new(modules), warnings })
    }

    /// Makes a program and all its children record below `counters`.
    pub(crate) fn watch(&self, job: &mut Job, counters: &Path) {
        let others = job.value_of(PRELOAD).cloned().or_else(|| std::env::var_os(PRELOAD));
        let mut libraries = self.library.clone();
        for other in others.iter().filter(|others| !others.is_empty()) {
            libraries.push(":");
            libraries.push(other);
        }
        job.variable(PRELOAD, libraries);
        job.variable(FOLDER, counters);
        job.variable(OWN_CODE, &self.own_code);
    }

    /// Adds up the records of a run's processes. `peak_rss_bytes` is the run's peak memory.
    pub(crate) fn read(&self, counters: &Path, peak_rss_bytes: u64) -> Watched {
        let mut watched = Watched::default();
        let mut warn = |what: String| {
            watched.warnings.push(Warning::new(WarningKind::MemoryByLine, format!("memory by line: {what}")));
        };
        let mut files: Vec<PathBuf> =
            fs::read_dir(counters).into_iter().flatten().flatten().map(|e| e.path()).collect();
        files.retain(|file| file.extension() == Some(OsStr::new(memory_record::EXTENSION)));
        files.sort();
        let mut sums: BTreeMap<AllocatingLine, Amounts> = BTreeMap::new();
        let mut largest = 0;
        let (mut is_full, mut is_untracked, mut is_any) = (false, false, false);
        for file in &files {
            let record = fs::read(file).map_err(|e| e.to_string());
            let record = record.and_then(|bytes| MemoryRecord::read(&bytes).map_err(|e| e.to_string()));
            match record {
                // A process that runs none of the program's code, such as a shell.
                Ok(record) if record.sites.len() < 2 => {}
                Ok(record) => {
                    is_any = true;
                    is_full |= record.is_full;
                    is_untracked |= record.is_untracked;
                    self.add(&record, largest, &mut sums);
                    largest = largest.max(record.peak);
                }
                Err(what) => warn(format!("a process's record {what}")),
            }
        }
        if is_full {
            warn(
                "some memory is shown as \"other code\": there are too many lines, or the disk is full"
                    .to_owned(),
            );
        }
        if is_untracked {
            warn("some allocations are missing, because there was no memory to record them".to_owned());
        }
        if files.is_empty() {
            warn(
                "no process recorded anything: processes that are linked statically, have their own \
                 allocator, or run as another user cannot be watched; link the program dynamically and \
                 use the system's malloc, or omit --memory-by-line"
                    .to_owned(),
            );
        } else if !is_any {
            warn(
                "no allocation was seen: the program is linked statically, has its own allocator (such as \
                 jemalloc or mimalloc), or uses mmap; link the program dynamically and use the system's \
                 malloc, or omit --memory-by-line"
                    .to_owned(),
            );
        } else if peak_rss_bytes > largest.saturating_mul(UNSEEN_TIMES).saturating_add(UNSEEN_BYTES) {
            warn(format!(
                "only {1} MB of the {0} MB of a run were allocated by malloc, because memory from the \
                 program's own allocator or from mmap is not seen; link the program dynamically and use \
                 the system's malloc, or omit --memory-by-line",
                peak_rss_bytes / 1_000_000,
                largest / 1_000_000
            ));
        }
        watched.series = sums
            .into_iter()
            .flat_map(|(line, amounts)| {
                MemoryMeasure::ALL.map(|measure| {
                    let function = Symbol { name: line.function.clone(), linkage: line.linkage.clone() };
                    Series::of_line(function, &line.file, line.line, measure, amounts.get(measure))
                })
            })
            .collect();
        watched
    }

    /// Adds a process's record. The amounts at the peak are those of the process with the highest peak. `largest` is
    /// the highest peak so far.
    fn add(&self, record: &MemoryRecord, largest: u64, sums: &mut BTreeMap<AllocatingLine, Amounts>) {
        if record.peak > largest {
            for sum in sums.values_mut() {
                sum.at_peak = 0;
            }
        }
        let mut own: BTreeMap<AllocatingLine, Amounts> = BTreeMap::new();
        let mut modules = self.modules.lock().unwrap_or_else(PoisonError::into_inner);
        for (number, site) in record.sites.iter().enumerate().filter(|(_, site)| site.allocations > 0) {
            // Site 0 holds memory that no own code requested.
            let module = modules.get_mut(site.module as usize).filter(|_| number > 0);
            let asker = module.and_then(|module| module.asker(site.address));
            let line = asker.map_or_else(AllocatingLine::default, |asker| {
                let symbol = trend_collect::readable_symbol(&asker.function);
                AllocatingLine {
                    file: self.root.file(&asker.file),
                    line: asker.line,
                    function: symbol.name,
                    linkage: symbol.linkage,
                }
            });
            let sum = own.entry(line).or_default();
            sum.allocations = sum.allocations.saturating_add(site.allocations);
            sum.requested_bytes = sum.requested_bytes.saturating_add(site.asked);
            sum.peak_bytes = sum.peak_bytes.saturating_add(site.most);
            sum.at_peak = sum.at_peak.saturating_add(site.at_peak);
            sum.unfreed_bytes = sum.unfreed_bytes.saturating_add(site.left);
        }
        for (line, amounts) in own {
            let sum = sums.entry(line).or_default();
            sum.allocations = sum.allocations.saturating_add(amounts.allocations);
            sum.requested_bytes = sum.requested_bytes.saturating_add(amounts.requested_bytes);
            sum.unfreed_bytes = sum.unfreed_bytes.saturating_add(amounts.unfreed_bytes);
            sum.peak_bytes = sum.peak_bytes.max(amounts.peak_bytes);
            if record.peak > largest {
                sum.at_peak = amounts.at_peak;
            }
        }
    }
}

/// A line that allocates memory. All fields are empty for code outside of the program.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
struct AllocatingLine {
    file: String,
    line: u32,
    function: String,
    linkage: String,
}

/// The amounts of memory that a line allocated.
#[derive(Clone, Copy, Debug, Default)]
struct Amounts {
    allocations: u64,
    requested_bytes: u64,
    peak_bytes: u64,
    at_peak: u64,
    unfreed_bytes: u64,
}

impl Amounts {
    fn get(self, measure: MemoryMeasure) -> u64 {
        match measure {
            MemoryMeasure::Allocations => self.allocations,
            MemoryMeasure::Asked => self.requested_bytes,
            MemoryMeasure::Most => self.peak_bytes,
            MemoryMeasure::AtPeak => self.at_peak,
            MemoryMeasure::Left => self.unfreed_bytes,
        }
    }
}

fn no_lines(program: &Path) -> Warning {
    let message = format!(
        "{} has no debug information, so memory is known by function, not by line; build it with `-g`",
        program.display()
    );
    Warning::new(WarningKind::MemoryByLine, message)
}

/// Returns the files that may contain own code. These are the started program with its libraries, and programs and
/// libraries with counters, which it may run and load.
fn programs(started: Option<&Path>, binaries: &Binaries) -> Vec<PathBuf> {
    let own = started.filter(|path| is_elf(path)).into_iter().flat_map(with_libraries);
    let with_counters = binaries.candidates().filter(|path| nature::is_instrumented(path));
    own.chain(with_counters).take(MOST_MODULES).collect()
}

/// Returns a program and the libraries that it is linked with, except for system libraries.
pub(crate) fn with_libraries(program: &Path) -> Vec<PathBuf> {
    let libraries = Linked::read(program).map(|linked| linked.whole(&[]).libraries).unwrap_or_default();
    let libraries = libraries.into_iter().map(|library| library.path).filter(|path| !is_of_system(path));
    std::iter::once(program.to_owned()).chain(libraries).collect()
}

fn is_of_system(library: &Path) -> bool {
    let whole = fs::canonicalize(library).unwrap_or_else(|_| library.to_owned());
    ["/lib", "/lib64", "/usr/lib", "/usr/lib64", "/nix/store", "/gnu/store"]
        .iter()
        .any(|folder| whole.starts_with(folder))
}

/// Returns a path of the library for `LD_PRELOAD`, which cannot escape some characters. A path with such characters is
/// replaced by one through this process's handle of the folder. This process outlives its runs.
fn preloadable(scratch: &RunFolder) -> OsString {
    let path = scratch.path().join(LIBRARY);
    if !path.as_os_str().as_bytes().iter().any(|byte| b" \t\n:".contains(byte)) {
        return path.into();
    }
    format!("/proc/{}/fd/{}/{LIBRARY}", std::process::id(), scratch.handle().as_raw_fd()).into()
}

/// Compiles [`SOURCE`], with a C compiler on PATH. A supervisor ends the compiler if this process is killed, and its
/// temporary files are in the scratch folder.
fn compile(scratch: &RunFolder, runner: &Runner<'_>) -> Result<(), String> {
    let search = Search::new(std::env::var_os("PATH").as_deref(), &[]);
    let compiler = ["cc", "gcc", "clang"].iter().find_map(|name| search.find(name));
    let compiler = compiler.ok_or("no C compiler on PATH")?;
    let compiler = std::path::absolute(&compiler).unwrap_or(compiler);
    let failed = |what: &str| format!("{} cannot compile the recording library: {what}", compiler.display());
    let folder = scratch.path();
    let (source, errors) = (folder.join("memory.c"), folder.join(ERRORS));
    fs::write(&source, SOURCE).map_err(|e| failed(&format!("{}: {e}", source.display())))?;
    let mut job = Job {
        program: compiler.clone().into(),
        name: compiler.clone().into(),
        arguments: COMPILE.iter().chain(&["-o", LIBRARY, "-ldl"]).map(OsString::from).collect(),
        cwd: folder.into(),
        stdin: Some(source.into()),
        stdout: None,
        stderr: Some(Output { path: ERRORS.into(), keep: Some(LONGEST_ERRORS) }),
        limits: Limits::default(),
        ..Job::default()
    };
    job.variable("TMPDIR", folder);
    let ended = runner.run(job).map_err(|not_run| match not_run {
        NotRun::NotStarted { error, .. } | NotRun::NoSupervisor(error) => failed(&error.to_string()),
        NotRun::SupervisorEnded(how) => failed(&format!("the supervisor ended {how}")),
    })?;
    if ended.end == End::Exited(0) {
        return Ok(());
    }
    let text = fs::read(errors).unwrap_or_default();
    let text = String::from_utf8_lossy(&text);
    let line = text.lines().find(|line| line.contains("error")).or_else(|| text.lines().next());
    Err(failed(line.unwrap_or("it did not finish").trim()))
}

#[cfg(test)]
mod tests;
