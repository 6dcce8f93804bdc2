//! The command line as types. What the words do is in `commands`.

mod calibrate;
mod check;
mod diff;
mod import;
mod loops;
mod trial;

use std::ffi::OsString;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, Parser, Subcommand, ValueEnum};
use serde::de::DeserializeOwned;
use serde::de::value::StrDeserializer;
use trend_analyze::{Intervals, Options};
use trend_profile::{SeriesKind, Variable};
use trend_run::{
    CellSize, ClangCounters, Cost, CountSource, Crates, Metric, Probe, Update, parse_bytes, parse_duration,
};

pub(crate) use calibrate::{Calibrate, CalibrateFormat};
pub(crate) use check::{Check, CheckFormat};
pub(crate) use diff::{Diff, DiffFormat};
pub(crate) use import::Import;
pub(crate) use loops::{Loops, LoopsFormat};
pub(crate) use trial::{Grow, Try};

/// Predicts how the cost of your program grows with its input, and which line will not scale.
#[derive(Debug, Parser)]
#[command(
    name = "trend-prof",
    version,
    max_term_width = 100,
    after_help = "\
Begin with `trend-prof demo`. For a program of your own:

    trend-prof try -- ./prog {size} build, choose sizes, run, answer: one command
    trend-prof init                 write trend-prof.toml
    trend-prof build -- make        build with compilers that instrument
    trend-prof run                  run the workloads
    trend-prof show                 what will not scale
    trend-prof predict bytes=1GB    what it will cost there"
)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
    #[command(flatten)]
    pub(crate) global: Global,
}

/// Options of every command.
#[derive(Debug, Args)]
pub(crate) struct Global {
    /// Colours: on a terminal, always or never
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto", display_order = 100)]
    pub(crate) color: Color,
    /// Say more: all warnings; each run as it ends; given twice, also as it begins
    #[arg(short, long, global = true, action = clap::ArgAction::Count, display_order = 101)]
    pub(crate) verbose: u8,
    /// Say nothing but results and errors
    #[arg(short, long, global = true, conflicts_with = "verbose", display_order = 102)]
    pub(crate) quiet: bool,
    /// Threads of the analysis [default: one per core]; the results do not depend on it
    #[arg(long, global = true, value_name = "N", display_order = 103)]
    pub(crate) threads: Option<usize>,
}

fn parse_cell_size(text: &str) -> Result<CellSize, String> {
    let bytes: u32 = text.parse().map_err(|_| "is not a number".to_owned())?;
    CellSize::try_from(bytes).map_err(str::to_owned)
}

/// Reads one of the words that the configuration has for this as well.
fn word<T>(words: &'static [&'static str]) -> impl TypedValueParser<Value = T>
where
    T: DeserializeOwned + Clone + Send + Sync + 'static,
{
    PossibleValuesParser::new(words)
        .try_map(|word| T::deserialize(StrDeserializer::<serde::de::value::Error>::new(&word)))
}

/// What is measured: several words in any order.
fn parse_probe(words: &str) -> Result<Probe, String> {
    Probe::try_from(words.to_owned())
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum Color {
    Auto,
    Always,
    Never,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Study the paper's bubble sort, end to end, in a fresh folder
    Demo(Demo),
    /// Build the program, choose sizes, run it until its growth is decided, and say how it grows
    Try(Box<Try>),
    /// Write a commented trend-prof.toml for the program in this folder
    Init(Init),
    /// Run a build with compilers that instrument
    Build(Build),
    /// Run the workloads and record their counts; goes on where it stopped
    Run(Box<Run>),
    /// Show findings in the terminal
    Show(Show),
    /// Show the loops of the program, and what they come to in its own words
    Loops(Loops),
    /// Write the findings as one self-contained HTML page
    Report(Report),
    /// Show the page in a browser on this machine, live while the study fills
    Serve(Serve),
    /// Say what everything will cost at a size that was never run
    Predict(Predict),
    /// Time fragments of code on this machine, for formulas that predict seconds
    Calibrate(Calibrate),
    /// Hold the program to what is expected of its growth
    Check(Check),
    /// Say what grows differently in two versions of the program
    Diff(Diff),
    /// Make a study of counts from elsewhere, or add features to one
    Import(Import),
    /// Write an input that is larger or smaller than a given one
    Grow(Grow),
    /// Write what is whole of a damaged study into a new one
    Repair(Repair),
    /// Write a study's counts or findings in another format
    Export(Export),
}

#[derive(Debug, Args)]
pub(crate) struct Demo {
    /// The folder to make
    #[arg(default_value = "trend-prof-demo")]
    pub(crate) folder: PathBuf,
    /// Stop at arrays of 8000 numbers: seconds instead of a minute
    #[arg(long)]
    pub(crate) quick: bool,
    /// What is measured: how often each of the `blocks` is executed; the cost of each call of the `routines` by the size of its
    /// input; how often `loops` are run through; or several, such as `routines,loops`. The latter two need trend-probe and clang-22
    #[arg(long, value_name = "WHAT", default_value = "blocks", value_parser = parse_probe)]
    pub(crate) probe: Probe,
    /// How many runs at once [default: one per core]
    #[arg(short, long, value_name = "N")]
    pub(crate) jobs: Option<NonZeroUsize>,
}

#[derive(Debug, Args)]
#[command(override_usage = "trend-prof init [OPTIONS] [FOLDER] [-- COMMAND…]")]
pub(crate) struct Init {
    /// The program's folder
    #[arg(default_value = ".")]
    pub(crate) folder: PathBuf,
    /// Replace a trend-prof.toml that is there
    #[arg(long)]
    pub(crate) force: bool,
    /// What is run for each workload: `./program {input}`, `./program {size}`, or `./program` alone, which then reads the input
    /// as its standard input [default: what is found in the folder]
    #[arg(last = true, value_name = "COMMAND")]
    pub(crate) command: Vec<OsString>,
}

#[derive(Debug, Args)]
pub(crate) struct Build {
    /// How counters are updated: `atomic` is exact with any number of threads, `single` is faster and
    /// exact with one; a program that cannot start threads is as fast with either on x86-64
    #[arg(long, value_name = "HOW", default_value = "atomic", value_parser = word::<Update>(&["atomic", "single"]))]
    pub(crate) update: Update,
    /// Which counters clang builds in: `gcov`, or `llvm` (source-based coverage); gcc has only the first
    /// and rustc only the second
    #[arg(long, value_name = "WHICH", default_value = "gcov", value_parser = word::<ClangCounters>(&["gcov", "llvm"]))]
    pub(crate) counters: ClangCounters,
    /// Which crates of a cargo build count: `all`, or only your `own`: members of the workspace and path
    /// dependencies. Work in the others is then not seen, and the program is faster
    #[arg(long, value_name = "WHICH", default_value = "all", value_parser = word::<Crates>(&["all", "own"]))]
    pub(crate) crates: Crates,
    /// What is measured: how often each of the `blocks` is executed; the cost of each call of the `routines` by the size of its
    /// input; how often `loops` are run through, by the values that decide it; or several, such as `routines,loops`. The latter
    /// two need trend-probe and clang-22, and are for C, C++ and cargo
    #[arg(long, value_name = "WHAT", default_value = "blocks", value_parser = parse_probe)]
    pub(crate) probe: Probe,
    /// With --probe routines: bytes of a cell, in which inputs are counted
    #[arg(long, value_name = "BYTES", default_value = "4", requires = "probe", value_parser = parse_cell_size)]
    pub(crate) cell_size: CellSize,
    /// With --probe routines: what costs are counted in: basic `blocks`, `instructions` of LLVM, or the `nanoseconds` that pass,
    /// of which each call takes some for the probe
    #[arg(long, value_name = "WHAT", default_value = "blocks", requires = "probe", value_parser = word::<Cost>(&["blocks", "instructions", "nanoseconds"]))]
    pub(crate) cost: Cost,
    /// With --probe routines: what the size of an input is. `rms` counts cells that a call reads before it writes them; `drms`
    /// as well those that it reads again after the kernel or another thread has written them, and is slower
    #[arg(long, value_name = "METRIC", default_value = "rms", requires = "probe", value_parser = word::<Metric>(&["rms", "drms"]))]
    pub(crate) metric: Metric,
    /// With --probe routines: the costs of a routine for each path of callers that leads to it, as well
    #[arg(long, requires = "probe")]
    pub(crate) contexts: bool,
    /// The build, such as `make -j2`
    #[arg(last = true, required = true, value_name = "COMMAND")]
    pub(crate) command: Vec<OsString>,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Without a trend-prof.toml, give the workloads and the command here:

    trend-prof run --param size=60..60000x10 -- ./sort {size}
    trend-prof run --files 'corpus/*.tar' -- ./bzip2 --stdout {input}

`60..60000x10` are ten sizes, evenly spaced on a log scale; `60,200,500` are three.")]
#[expect(clippy::struct_excessive_bools, reason = "each is an option of its own")]
pub(crate) struct Run {
    /// The configuration [default: trend-prof.toml in this folder]
    #[arg(long, value_name = "FILE", conflicts_with_all = ["command"])]
    pub(crate) config: Option<PathBuf>,
    /// The study [default: named like the program]
    #[arg(long, value_name = "FILE")]
    pub(crate) study: Option<PathBuf>,
    /// How many runs at once [default: one per core]
    #[arg(short, long, value_name = "N")]
    pub(crate) jobs: Option<NonZeroUsize>,
    /// Run every workload this many times, to find what is not deterministic
    #[arg(long, value_name = "N")]
    pub(crate) repeat: Option<u32>,
    /// Stop a run after this time, such as `90s` or `10m`
    #[arg(long, value_name = "TIME", value_parser = parse_duration)]
    pub(crate) timeout: Option<Duration>,
    /// End a run with SIGTERM after this time and keep its counts, such as `10s`: for servers; one that goes on for 10 s
    /// more is killed
    #[arg(long, value_name = "TIME", value_parser = parse_duration)]
    pub(crate) stop_after: Option<Duration>,
    /// Address space that a run may use, such as `2GB`
    #[arg(long, value_name = "SIZE", value_parser = parse_bytes)]
    pub(crate) memory: Option<u64>,
    /// Forget what was measured before and begin anew
    #[arg(long)]
    pub(crate) fresh: bool,
    /// Keep what was measured at this revision of git of workloads that executed no function that changed since, and run
    /// the others again
    #[arg(long, value_name = "REV", conflicts_with_all = ["fresh", "until_decided", "repeat", "probe"])]
    pub(crate) since: Option<String>,
    /// Then choose further sizes, the cheapest first, until it is decided how every costly cluster grows
    #[arg(long)]
    pub(crate) until_decided: bool,
    /// The time that --until-decided may take
    #[arg(long, value_name = "TIME", default_value = "10m", value_parser = parse_duration, requires = "until_decided")]
    pub(crate) budget: Duration,
    /// Do not build first
    #[arg(long)]
    pub(crate) no_build: bool,
    /// Do not run workloads without counters afterwards, to see how long they take
    #[arg(long)]
    pub(crate) no_time: bool,
    /// Also record which lines ask for memory, how much of it, and what they hold at the heap's peak: `show --by memory` lists them.
    /// Needs a C compiler, and debug information for lines
    #[arg(long)]
    pub(crate) memory_by_line: bool,
    /// What counts: `gcov` needs an instrumented build; `callgrind` counts instructions of any program and of
    /// the libraries that it calls, in 15 to 30 times the time
    #[arg(long, value_name = "WHAT", default_value = "gcov", value_parser = word::<CountSource>(&["gcov", "callgrind"]))]
    pub(crate) counts: CountSource,
    /// What the program was built to measure: `blocks`, `routines`, `loops`, or several. With `routines` or `loops`, one run without an input is enough, and the
    /// configuration's build command builds with the probe
    #[arg(long, value_name = "WHAT", value_parser = parse_probe)]
    pub(crate) probe: Option<Probe>,
    /// A parameter and its values; several parameters give every combination
    #[arg(long = "param", value_name = "NAME=VALUES", requires = "command")]
    pub(crate) parameters: Vec<String>,
    /// Input files, as a glob pattern
    #[arg(long, value_name = "GLOB", requires = "command", conflicts_with = "parameters")]
    pub(crate) files: Vec<String>,
    /// What the program reads on stdin, such as `{input}`
    #[arg(long, value_name = "PATH", requires = "command")]
    pub(crate) stdin: Option<String>,
    /// The program and its arguments; `{input}` and `{NAME}` stand for the workload's
    #[arg(last = true, value_name = "COMMAND")]
    pub(crate) command: Vec<OsString>,
}

#[derive(Debug, Args)]
pub(crate) struct Analysis {
    /// Seed of the bootstrap
    #[arg(long, default_value_t = Options::default().seed, value_name = "N", help_heading = "Analysis")]
    pub(crate) seed: u64,
    /// A location joins a cluster when it fits with R² > 1 − ALPHA
    #[arg(long, default_value_t = Options::default().alpha, value_name = "ALPHA", help_heading = "Analysis")]
    pub(crate) alpha: f64,
    /// How intervals are made: `robust` is right for few workloads as well, `percentile` is the paper's
    /// bootstrap
    #[arg(long, default_value = "robust", value_name = "HOW", value_parser = word::<Intervals>(&["robust", "percentile"]), help_heading = "Analysis")]
    pub(crate) intervals: Intervals,
    /// Leave a workload out, by its name or a pattern such as 'corpus/big-*'; may be given several times
    #[arg(long, value_name = "WORKLOAD", help_heading = "Analysis")]
    pub(crate) exclude: Vec<String>,
    /// Leave growth classes out: with thousands of clusters they take most of the time
    #[arg(long, help_heading = "Analysis")]
    pub(crate) no_growth: bool,
    /// Memory of the machine that the answer is about, such as `16GB` [default: that of the machine that made the runs]
    #[arg(long, value_name = "SIZE", value_parser = parse_bytes, help_heading = "Analysis")]
    pub(crate) machine_memory: Option<u64>,
    /// Memory that the study may take when it is read, such as `8GB` [default: 512 MiB, or 32 times its size where that is more]
    #[arg(long, value_name = "SIZE", value_parser = parse_bytes, help_heading = "Analysis")]
    pub(crate) memory: Option<u64>,
}

impl Default for Analysis {
    fn default() -> Self {
        let Options { seed, alpha, .. } = Options::default();
        let (intervals, exclude) = (Intervals::Robust, Vec::new());
        Self { seed, alpha, intervals, exclude, no_growth: false, machine_memory: None, memory: None }
    }
}

#[derive(Clone, Debug, Args)]
pub(crate) struct Table {
    /// The rows
    #[arg(long, default_value = "cluster", value_name = "WHAT")]
    pub(crate) by: By,
    /// Their order
    #[arg(long, default_value = "cost", value_name = "WHAT")]
    pub(crate) sort: Sort,
    /// The one feature that laws are shown in [default: each row by the law that explains it best]; several, such as
    /// `bytes,lines`, are put into one law
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    pub(crate) feature: Vec<String>,
    /// The size that predictions are for, such as `n=1e6` or `bytes=128MB`
    /// [default: 10 times the 95th percentile]
    #[arg(long, value_name = "FEATURE=SIZE")]
    pub(crate) at: Vec<String>,
    /// How many rows [default: those that cost more than 2 %]
    #[arg(long, value_name = "N")]
    pub(crate) top: Option<usize>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum By {
    Cluster,
    Function,
    Line,
    Block,
    /// Routines by the size of their own input, of programs built with `--probe routines` and of imports from aprof
    Routine,
    /// Processor time in seconds, of functions, libraries and the kernel, as `run` samples it
    Time,
    /// Lines by the memory that they asked for, of runs with `--memory-by-line`
    Memory,
}

impl By {
    /// The series that are the rows, instead of costs of workloads.
    pub(crate) fn series(self) -> Option<SeriesKind> {
        match self {
            Self::Routine => Some(SeriesKind::Routine),
            Self::Memory => Some(SeriesKind::Line),
            _ => None,
        }
    }
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum Sort {
    Cost,
    Predicted,
    Exponent,
    Share,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    Table,
    Json,
    Csv,
    Markdown,
}

#[derive(Debug, Args)]
#[command(
    override_usage = "trend-prof show [OPTIONS] [STUDY] [NAME]",
    after_help = "\
Costs end in k = 10³, M = 10⁶, G = 10⁹ or T = 10¹²; those that are times, in k = ns, M = µs, G = ms or T = s."
)]
pub(crate) struct Show {
    /// The study [default: the one *.trend file of this folder], and what to show all of: a cluster by
    /// its name or rank, a function or FILE:LINE
    #[arg(value_name = "STUDY_OR_NAME", num_args = 0..=2)]
    pub(crate) words: Vec<OsString>,
    /// How to write it
    #[arg(long, default_value = "table", value_name = "FORMAT")]
    pub(crate) format: Format,
    #[command(flatten)]
    pub(crate) table: Table,
    /// With `--by routine`: the tree of calling contexts, below each routine what it called
    #[arg(long)]
    pub(crate) contexts: bool,
    /// What the size of a routine's input is: `rms`, the cells that a call reads before it writes them, or `drms`, which
    /// counts those again that the kernel or another thread wrote meanwhile [default: drms where it was measured]
    #[arg(long, value_name = "METRIC", value_parser = word::<Variable>(&["rms", "drms"]))]
    pub(crate) metric: Option<Variable>,
    /// With `--by routine`: only routines that were called with at least so many different input sizes
    #[arg(long, value_name = "N")]
    pub(crate) min_tuples: Option<usize>,
    #[command(flatten)]
    pub(crate) analysis: Analysis,
}

#[derive(Debug, Args)]
pub(crate) struct Report {
    /// The study [default: the one *.trend file of this folder]
    pub(crate) study: Option<PathBuf>,
    /// The page; `-` is stdout [default: named like the study]
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// The study of a version before: the page then shows what grows differently since, as `diff` says it
    #[arg(long, value_name = "STUDY")]
    pub(crate) before: Option<PathBuf>,
    /// Further sizes to predict, such as `bytes=1GB`
    #[arg(long, value_name = "FEATURE=SIZE")]
    pub(crate) at: Vec<String>,
    #[command(flatten)]
    pub(crate) analysis: Analysis,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Begin it while `trend-prof run` is under way, and watch the page fill. Beyond what the page of
`report` has, this one has the exact costs of every location, predictions for any size, and opens
lines in your editor:

    trend-prof serve --open
    trend-prof serve --port 8000 --editor 'code -g {file}:{line}'

It listens on 127.0.0.1 alone and answers no page but its own; other users of this machine can open
it too.")]
pub(crate) struct Serve {
    /// The study [default: the one *.trend file of this folder]
    pub(crate) study: Option<PathBuf>,
    /// Where to listen; 0 is any free port [default: 7357, or the next free one]
    #[arg(long, value_name = "N")]
    pub(crate) port: Option<u16>,
    /// Open the page in a browser
    #[arg(long)]
    pub(crate) open: bool,
    /// The folder that the study's source paths start from: the page shows sources of it that the study has not stored,
    /// and your editor opens files there [default: none to show; to edit, the folder in which you start this]
    #[arg(long, value_name = "FOLDER")]
    pub(crate) source_root: Option<PathBuf>,
    /// What opens a line of code, in a window of its own; `{file}` and `{line}` stand for the two
    #[arg(long, value_name = "COMMAND")]
    pub(crate) editor: Option<String>,
    /// Further sizes to predict, such as `bytes=1GB`
    #[arg(long, value_name = "FEATURE=SIZE")]
    pub(crate) at: Vec<String>,
    #[command(flatten)]
    pub(crate) analysis: Analysis,
}

#[derive(Debug, Args)]
#[command(override_usage = "trend-prof predict [OPTIONS] [STUDY] <FEATURE=SIZE>...")]
pub(crate) struct Predict {
    /// The study [default: the one *.trend file of this folder], and the size, such as `bytes=1GB`; of several features one
    /// each. A feature that is not given goes along with one that is, or stands where it was in the costliest run
    #[arg(value_name = "STUDY_OR_SIZE", num_args = 1.., required = true)]
    pub(crate) words: Vec<OsString>,
    /// How many rows [default: those that cost more than 2 %]
    #[arg(long, value_name = "N")]
    pub(crate) top: Option<usize>,
    /// Another machine, as `calibrate` wrote it there: the time by formulas is then that of it
    #[arg(long, value_name = "FILE")]
    pub(crate) machine: Option<PathBuf>,
    /// How to write it
    #[arg(long, default_value = "table", value_name = "FORMAT")]
    pub(crate) format: Format,
    #[command(flatten)]
    pub(crate) analysis: Analysis,
}

#[derive(Debug, Args)]
pub(crate) struct Repair {
    /// The damaged study; it is only read
    pub(crate) study: PathBuf,
    /// The study to make [default: NAME.repaired.trend]
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct Export {
    /// `csv`, `parquet` (a row per count), `parquet-matrix` (a row per workload) and `extra-p` (JSON Lines): the
    /// counts, as `import` reads them; `aprof`: routines by input size;
    /// `json` and `markdown`: the findings
    pub(crate) format: ExportFormat,
    /// The study [default: the one *.trend file of this folder]
    pub(crate) study: Option<PathBuf>,
    /// Where to write [default: stdout]
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) analysis: Analysis,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ExportFormat {
    Csv,
    Json,
    Markdown,
    Parquet,
    ParquetMatrix,
    ExtraP,
    Aprof,
}
