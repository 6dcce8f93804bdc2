//! The table of formats. A new format needs a reader in `trend_collect::import`, a row here, and a sample in
//! `trend-collect/tests/seeds/NAME`, where NAME is its name on the command line. Its detection is tested with the
//! sample.

pub(crate) mod sources;

use std::fmt::Write as _;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::rc::Rc;

use trend_collect::csv;
use trend_collect::import::{
    Budget, ImportError, Imported, Input, Limits, Root, aprof, callgrind, clover, cobertura, criterion,
    extra_p, gcov_json, gcovr, go_bench, go_cover, go_coverage, google_benchmark, gungraun, hyperfine,
    istanbul, lcov, llvm_cov, parquet, probe, python_trace, v8_coverage,
};
use trend_profile::shell_path;

use crate::failure::Failure;

/// Maximum depth of the search for files. Criterion's folders are group, function, value and `new`; some programs put
/// them deeper.
const DEEPEST: usize = 16;

/// Bytes at the start of a file that are used to detect its format.
const BEGINNING: u64 = 4 << 10;

/// A format: its name, how it is detected, and its reader.
pub(crate) struct Format {
    /// Name of the format on the command line.
    pub(crate) name: &'static str,
    /// Description for the help text.
    about: &'static str,
    pub(crate) kind: FormatKind,
    /// The option that the format takes in addition to the common ones.
    option: Option<&'static str>,
    /// Ending of the paths of its files, if a folder can be given in their place.
    in_folder: Option<&'static str>,
    /// Returns true if a file that starts with this text has the format.
    sniff: fn(&str) -> bool,
    read: fn(InputFile<'_>) -> Result<Imported, ImportError>,
}

/// Meaning of a format's files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FormatKind {
    /// Places with one cost each. Files of one workload are parts of one run, and their costs add up.
    Counts,
    /// Repeated measurements. Files of one workload are repetitions of it.
    Measurements,
    /// A table with user-defined columns for places, features and workloads.
    Table,
}

/// Options that only some formats take.
#[derive(Default)]
pub(crate) struct Options<'a> {
    pub(crate) features: &'a [String],
    pub(crate) event: Option<&'a str>,
    pub(crate) metric: Option<&'a str>,
}

/// A file to read.
struct InputFile<'a> {
    path: &'a Path,
    input: Input<'a>,
    folder: &'a Path,
    root: Root,
    budget: &'a Rc<Budget>,
    options: &'a Options<'a>,
}

/// All formats, in the order in which detection tries them: the first whose `sniff` returns true. If a row must
/// precede others, a comment on it names them.
static FORMATS: &[Format] = &[
    Format {
        name: "lcov",
        about: "Line counts as lcov's tracefiles (Go, JavaScript, Ruby, Java, C, …)",
        kind: FormatKind::Counts,
        option: None,
        in_folder: None,
        sniff: |text| text.lines().any(|line| line.starts_with("TN:") || line.starts_with("SF:")),
        read: |s| {
            let source = |file: &str| sources::text(s.folder, file);
            lcov::read_with_sources(s.input, &s.root, &source)
        },
    },
    // Before gcovr: files of both have the keys `file` and `line_number`.
    Format {
        name: "gcov",
        about: "Line counts of `gcov --json-format`",
        kind: FormatKind::Counts,
        option: None,
        in_folder: None,
        sniff: |text| {
            // gcc 12 writes the folder at the end, so the start of the file may lack it.
            let has = |key: &str| text.contains(&format!("\"{key}\""));
            has("current_working_directory") || has("gcc_version")
        },
        read: |s| gcov_json::read(s.input, &s.root),
    },
    Format {
        name: "gcovr",
        about: "Line counts of `gcovr --json`",
        kind: FormatKind::Counts,
        option: None,
        in_folder: None,
        sniff: |text| {
            // Older files have the version at the end.
            let has = |key: &str| text.contains(&format!("\"{key}\""));
            text.contains("\"gcovr/") || has("file") && (has("line_number") || has("lineno"))
        },
        read: |s| gcovr::read(s.input, &s.root),
    },
    Format {
        name: "istanbul",
        about: "Statement counts of JavaScript: coverage-final.json of nyc, jest, vitest, c8",
        kind: FormatKind::Counts,
        option: None,
        in_folder: None,
        sniff: |text| text.contains("\"statementMap\""),
        read: |s| istanbul::read(s.input, &s.root),
    },
    // Before cobertura, which takes every other `<coverage>`.
    Format {
        name: "clover",
        about: "Line counts as Clover's XML (gcovr, JavaScript, Java, …)",
        kind: FormatKind::Counts,
        option: None,
        in_folder: None,
        sniff: |text| text.contains("<coverage") && (text.contains(" clover=") || text.contains("<project")),
        read: |s| clover::read(s.input, &s.root, &|file: &str| sources::text(s.folder, file)),
    },
    Format {
        name: "cobertura",
        about: "Line counts as Cobertura's XML (gcovr, JavaScript, .NET, …)",
        kind: FormatKind::Counts,
        option: None,
        in_folder: None,
        sniff: |text| text.contains("<coverage"),
        read: |s| cobertura::read(s.input, &s.root, &|file: &str| sources::text(s.folder, file)),
    },
    Format {
        name: "llvm-cov",
        about: "Region counts of `llvm-cov export`",
        kind: FormatKind::Counts,
        option: None,
        in_folder: None,
        sniff: |text| text.starts_with("{\"data\":["),
        read: |s| llvm_cov::read(s.input, &s.root),
    },
    Format {
        name: "callgrind",
        about: "Instructions per line of `valgrind --tool=callgrind`; any program, no rebuild",
        kind: FormatKind::Counts,
        option: Some("--event"),
        in_folder: None,
        sniff: |text| text.lines().any(|line| line.starts_with("events:")),
        read: |s| callgrind::read(s.input, s.options.event, &s.root),
    },
    Format {
        name: "go-cover",
        about: "Block counts of `go test -covermode=count -coverprofile=FILE`",
        kind: FormatKind::Counts,
        option: None,
        in_folder: None,
        sniff: |text| text.starts_with("mode: "),
        read: |s| go_cover::read(s.input, &s.root),
    },
    Format {
        name: "go-coverage",
        about: "Block counts of a program of `go build -cover`: GOCOVERDIR's covcounters files",
        kind: FormatKind::Counts,
        option: None,
        in_folder: None,
        sniff: |text| text.starts_with("\0cwm"),
        read: go_coverage,
    },
    Format {
        name: "v8-coverage",
        about: "Block counts of JavaScript: NODE_V8_COVERAGE's files",
        kind: FormatKind::Counts,
        option: None,
        in_folder: None,
        sniff: |text| text.contains("\"scriptId\"") && text.contains("\"result\""),
        read: |s| {
            let source = |file: &str| sources::text(s.folder, file);
            v8_coverage::read(s.input, &s.root, v8_coverage::Scripts::Own, &source)
        },
    },
    Format {
        name: "aprof",
        about: "Routines by the size of their input, as aprof measures them",
        kind: FormatKind::Counts,
        option: None,
        in_folder: None,
        sniff: |text| {
            let has = |start: &str| text.lines().any(|line| line.starts_with(start));
            has("r ") && (has("p ") || has("q "))
        },
        read: |s| aprof::read(s.input),
    },
    Format {
        name: "probe",
        about: "Routines by input size, as recorded by programs built with --probe",
        kind: FormatKind::Counts,
        option: None,
        in_folder: None,
        sniff: |text| ["trendprb", "trendfrk"].iter().any(|magic| text.starts_with(magic)),
        read: |s| probe::read(s.input, &s.root),
    },
    Format {
        name: "google-benchmark",
        about: "Times of Google Benchmark, as `--benchmark_format=json` writes them",
        kind: FormatKind::Measurements,
        option: Some("--metric"),
        in_folder: None,
        sniff: |text| text.contains("\"benchmarks\"") || text.contains("\"executable\""),
        read: |s| google_benchmark::read(s.input, s.options.metric),
    },
    Format {
        name: "hyperfine",
        about: "Times of commands, as `hyperfine --export-json` writes them",
        kind: FormatKind::Measurements,
        option: None,
        in_folder: None,
        sniff: |text| text.contains("\"results\"") && text.contains("\"command\""),
        read: |s| hyperfine::read(s.input),
    },
    Format {
        name: "criterion",
        about: "Times of criterion: its folder, target/criterion",
        kind: FormatKind::Measurements,
        option: None,
        in_folder: Some("new/benchmark.json"),
        sniff: |text| text.contains("\"group_id\""),
        read: |s| criterion(s.path, s.input, s.budget),
    },
    Format {
        name: "gungraun",
        about: "Instructions of Gungraun's (iai-callgrind's) benchmarks: target/gungraun",
        kind: FormatKind::Measurements,
        option: Some("--event"),
        in_folder: Some("summary.json"),
        sniff: |text| text.contains("\"benchmark_exe\"") && text.contains("\"module_path\""),
        read: |s| gungraun::read(s.input, s.options.event),
    },
    Format {
        name: "go-bench",
        about: "Times and other metrics of Go's benchmarks, as `go test -bench` prints them",
        kind: FormatKind::Measurements,
        option: Some("--metric"),
        in_folder: None,
        sniff: |text| text.lines().any(|line| line.starts_with("goos: ") || go_bench::is_result(line)),
        read: |s| go_bench::read(s.input, s.options.metric),
    },
    Format {
        name: "extra-p",
        about: "Measurements as Extra-P reads them: text, JSON or JSON Lines",
        kind: FormatKind::Measurements,
        option: Some("--metric"),
        in_folder: None,
        sniff: |text| {
            let is_json = text.contains("\"params\"") || text.contains("\"measurements\"");
            is_json || text.lines().any(|line| line.starts_with("PARAMETER "))
        },
        read: |s| extra_p::read(s.input, s.options.metric),
    },
    Format {
        name: "python-trace",
        about: "Line counts of `python3 -m trace --count`: its .cover files",
        kind: FormatKind::Counts,
        option: None,
        in_folder: None,
        sniff: |text| {
            let is_counted = |line: &str| {
                let count = line.split_once(": ").map(|(count, _)| count.trim_start());
                line.starts_with(' ') && count.is_some_and(|count| count.parse::<u64>().is_ok())
            };
            text.lines().any(is_counted)
        },
        read: |s| {
            let module = s.path.file_stem().unwrap_or_default().to_string_lossy();
            python_trace::read(s.input, &module)
        },
    },
    Format {
        name: "parquet",
        about: "The same tables as csv in a Parquet file, or one row per count",
        kind: FormatKind::Table,
        option: Some("--features"),
        in_folder: None,
        sniff: |text| text.starts_with("PAR1"),
        read: |s| parquet::read(s.input, s.options.features),
    },
    // Last: the first line of any text can have a comma.
    Format {
        name: "csv",
        about: "A table: a row per workload, a column per location",
        kind: FormatKind::Table,
        option: Some("--features"),
        in_folder: None,
        sniff: |text| {
            let header = text.lines().next().unwrap_or_default();
            header.contains(',') && !header.starts_with(['{', '['])
        },
        read: |s| csv::read(s.input, s.options.features).map(Imported::from),
    },
];

/// Returns the table of formats for `--help`.
pub(crate) fn table() -> String {
    let mut text = "Formats:\n".to_owned();
    for Format { name, about, .. } in FORMATS {
        let _ = writeln!(text, "  {name:<18}{about}");
    }
    text
}

impl Format {
    /// Returns the format with this name.
    pub(crate) fn named(name: &str) -> Option<&'static Self> {
        FORMATS.iter().find(|format| format.name == name)
    }

    /// Detects the format of a file or folder.
    ///
    /// # Errors
    /// Fails if no format matches or the file cannot be read.
    pub(crate) fn of_file(path: &Path) -> Result<&'static Self, Failure> {
        let format = match fs::metadata(path) {
            Err(_) => None,
            Ok(metadata) if metadata.is_dir() => Self::of_folder(path)?,
            Ok(_) => Self::sniffed(path)?,
        };
        format.ok_or_else(|| unknown(path))
    }

    /// Returns the first format that has files below the folder.
    fn of_folder(path: &Path) -> Result<Option<&'static Self>, Failure> {
        for format in FORMATS {
            let mut files = Vec::new();
            if let Some(ending) = format.in_folder {
                within(path, ending, DEEPEST, &mut files)?;
            }
            if !files.is_empty() {
                return Ok(Some(format));
            }
        }
        Ok(None)
    }

    fn sniffed(path: &Path) -> Result<Option<&'static Self>, Failure> {
        let budget = budget([path], None)?;
        let beginning = input(path, &budget)?.beginning(BEGINNING).map_err(|e| unreadable(path, &e))?;
        let text = String::from_utf8_lossy(&beginning);
        Ok(FORMATS.iter().find(|format| (format.sniff)(&text)))
    }

    /// Refuses options that the format does not take.
    pub(crate) fn check(&self, options: &Options<'_>) -> Result<(), Failure> {
        let given = [
            ("--features", !options.features.is_empty()),
            ("--event", options.event.is_some()),
            ("--metric", options.metric.is_some()),
        ];
        let Some((option, _)) = given.into_iter().find(|&(o, is_given)| is_given && self.option != Some(o))
        else {
            return Ok(());
        };
        let takes: Vec<&str> = FORMATS.iter().filter(|f| f.option == Some(option)).map(|f| f.name).collect();
        Err(Failure::new(format!("`import {}` does not take {option}", self.name))
            .hint(format!("it belongs to {}", takes.join(", "))))
    }

    /// Returns the files to read. For some formats a folder stands for every matching file below it.
    pub(crate) fn files(&self, paths: &[PathBuf]) -> Result<Vec<PathBuf>, Failure> {
        let Some(ending) = self.in_folder else { return Ok(paths.to_vec()) };
        let mut files = Vec::new();
        for path in paths {
            if path.is_dir() { within(path, ending, DEEPEST, &mut files)? } else { files.push(path.clone()) }
        }
        if files.is_empty() {
            let names: Vec<String> = paths.iter().map(|p| p.display().to_string()).collect();
            return Err(Failure::new(format!("no {ending} file below {}", names.join(", "))));
        }
        files.sort();
        Ok(files)
    }

    /// Reads one file.
    pub(crate) fn read(
        &self,
        path: &Path,
        folder: &Path,
        options: &Options<'_>,
        budget: &Rc<Budget>,
    ) -> Result<Imported, Failure> {
        let (input, root) = (input(path, budget)?, Root::new(&folder.to_string_lossy()));
        let source = InputFile { path, input, folder, root, budget, options };
        (self.read)(source).map_err(|error| {
            let failure = unreadable(path, &error);
            let is_unread = matches!(
                error,
                ImportError::OtherFormat { .. } | ImportError::Line { .. } | ImportError::Json { .. }
            );
            match Self::sniffed(path) {
                Ok(Some(other)) if is_unread && other.name != self.name => {
                    failure.hint(format!("it looks like `import {}`", other.name))
                }
                _ => failure,
            }
        })
    }
}

/// Returns the error for a word that names neither a format nor a file of a known format.
fn unknown(path: &Path) -> Failure {
    let names: Vec<&str> = FORMATS.iter().map(|format| format.name).collect();
    let what = if path.exists() { "has no known format" } else { "is neither a format nor a file" };
    Failure::new(format!("{} {what}", path.display())).hint(format!(
        "the formats are {}, and `features` for numbers that describe workloads",
        names.join(", ")
    ))
}

/// Collects every file below a folder whose path ends with `ending`.
fn within(folder: &Path, ending: &str, depth: usize, files: &mut Vec<PathBuf>) -> Result<(), Failure> {
    let failed = |e: std::io::Error| missing(folder, &e);
    for entry in fs::read_dir(folder).map_err(failed)? {
        let entry = entry.map_err(failed)?;
        let path = entry.path();
        if depth > 0 && entry.file_type().map_err(failed)?.is_dir() {
            within(&path, ending, depth - 1, files)?;
        } else if path.ends_with(ending) {
            files.push(path);
        }
    }
    Ok(())
}

/// Reads one of criterion's benchmarks, given its `benchmark.json`.
fn criterion(path: &Path, benchmark: Input<'_>, budget: &Rc<Budget>) -> Result<Imported, ImportError> {
    let sibling = |name: &str| match File::open(path.with_file_name(name)) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(ImportError::Unreadable { error: format!("{name}: {error}") }),
        Ok(file) => Input::new(file, budget)?.document().map(Some),
    };
    let (benchmark, sample, estimates) =
        (benchmark.document()?, sibling("sample.json")?, sibling("estimates.json")?);
    let files = criterion::Files {
        benchmark: &benchmark,
        sample: sample.as_deref(),
        estimates: estimates.as_deref(),
    };
    criterion::read(&files, budget)
}

/// Reads the counters of a Go process, whose description is in the same folder.
fn go_coverage(source: InputFile<'_>) -> Result<Imported, ImportError> {
    let name = source.path.file_name().unwrap_or_default().to_string_lossy();
    let meta = go_coverage::meta_of(&name).ok_or_else(|| ImportError::OtherFormat {
        format: "file of Go's counters",
        problem: format!("its name does not begin with {}, as Go names it", go_coverage::COUNTERS),
    })?;
    let bytes = fs::read(source.path.with_file_name(&meta))
        .map_err(|error| ImportError::Unreadable { error: format!("{meta}: {error}") })?;
    let text = |file: &str| sources::text(source.folder, file);
    let modules = trend_run::go_modules(source.folder);
    go_coverage::read(source.input, &bytes, &source.root, &modules, &text)
}

/// Returns the limits for the files of one import. `memory` replaces the default limit of memory.
pub(crate) fn budget<P: AsRef<Path>>(
    files: impl IntoIterator<Item = P>,
    memory: Option<u64>,
) -> Result<Rc<Budget>, Failure> {
    let mut bytes = 0_u64;
    for path in files {
        let metadata = fs::metadata(path.as_ref()).map_err(|e| missing(path.as_ref(), &e))?;
        bytes = bytes.saturating_add(metadata.len());
    }
    let limits = Limits::for_files(bytes);
    let kept = memory.unwrap_or(limits.kept);
    Ok(Rc::new(Budget::new(Limits { kept, ..limits })))
}

/// Opens a file, and decompresses it if it is compressed by gzip.
pub(crate) fn input(path: &Path, budget: &Rc<Budget>) -> Result<Input<'static>, Failure> {
    let file = File::open(path).map_err(|e| missing(path, &e))?;
    Input::new(file, budget).map_err(|e| unreadable(path, &e))
}

fn missing(path: &Path, error: &std::io::Error) -> Failure {
    Failure::from_error(format!("failed to read {}", path.display()), error)
}

pub(crate) fn unreadable(path: &Path, error: &ImportError) -> Failure {
    let unpack = || format!("if you trust it, unpack it first with `gunzip {}`", shell_path(path));
    let hint = match error {
        ImportError::TooMuchUnpacked { .. } => Some(unpack()),
        ImportError::TooMuchMemory { .. } | ImportError::TooMany { .. } => {
            Some("import fewer files at a time, or allow more with `--memory 8GB`".to_owned())
        }
        _ => None,
    };
    Failure::from_error(format!("failed to read {}", path.display()), error).maybe_hint(hint)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The files were written by the tools themselves. Each must be detected as the format in its name.
    #[test]
    fn files_show_which_format_they_are_of() {
        let collect = Path::new(env!("CARGO_MANIFEST_DIR")).join("../trend-collect/tests");
        let mut names = std::collections::BTreeSet::new();
        let seeds = fs::read_dir(collect.join("seeds")).unwrap().map(|entry| entry.unwrap().path());
        let mut samples: Vec<(PathBuf, String)> = Vec::new();
        for folder in seeds {
            let name = folder.file_name().unwrap().to_string_lossy().into_owned();
            for file in fs::read_dir(&folder).unwrap() {
                samples.push((file.unwrap().path(), name.clone()));
            }
        }
        samples.push((collect.join("data/lz4.parquet"), "parquet".to_owned()));
        for (path, name) in &samples {
            let format = Format::sniffed(path).unwrap().map(|format| format.name);
            assert_eq!(format, Some(name.as_str()), "{}", path.display());
            names.insert(name.as_str());
        }
        assert_eq!(names.len(), FORMATS.len(), "{names:?}");
    }
}
