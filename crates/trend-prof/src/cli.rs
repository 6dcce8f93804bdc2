//! The command line as types. The `commands` module implements the subcommands.

mod analysis;
mod calibrate;
mod check;
mod diff;
mod import;
mod loops;
mod trial;
mod words;

use std::ffi::OsString;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Parser, Subcommand, ValueEnum};
use trend_analyze::RunLimit;
use trend_profile::{SeriesKind, Variable};
use trend_run::{
    CellSize, ClangCounters, Cost, CountSource, Crates, Metric, Packages, Probe, Update, parse_bytes,
    parse_duration,
};

pub(crate) use analysis::Analysis;
pub(crate) use calibrate::{Calibrate, CalibrateFormat};
pub(crate) use check::{Check, CheckFormat};
pub(crate) use diff::{Diff, DiffFormat};
pub(crate) use import::Import;
pub(crate) use loops::{Loops, LoopsFormat};
pub(crate) use trial::{Grow, Try, TryFormat};

use self::words::word;

/// Predicts how the cost of your program grows with its input, and which line will not scale.
#[derive(Debug, Parser)]
#[command(
    name = "trend-prof",
    version,
    max_term_width = 100,
    after_help = "\
Start with `trend-prof demo`. For your own program:

    trend-prof try -- ./prog {size}   build, choose sizes, run and report in one command
    trend-prof init                   write trend-prof.toml
    trend-prof build -- make          build with instrumentation
    trend-prof run                    run the workloads
    trend-prof show                   show what will not scale
    trend-prof predict bytes=1GB      predict the costs at this size"
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
    /// When to use colours; `auto` uses them on a terminal
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto", display_order = 100)]
    pub(crate) color: Color,
    /// Show all warnings and each finished run; -vv also shows when a run starts
    #[arg(short, long, global = true, action = clap::ArgAction::Count, display_order = 101)]
    pub(crate) verbose: u8,
    /// Print only results and errors
    #[arg(short, long, global = true, conflicts_with = "verbose", display_order = 102)]
    pub(crate) quiet: bool,
    /// Number of analysis threads, which does not affect the results [default: one per core]
    #[arg(long, global = true, value_name = "N", display_order = 103)]
    pub(crate) threads: Option<usize>,
}

fn parse_cell_size(text: &str) -> Result<CellSize, String> {
    let bytes: u32 = text.parse().map_err(|_| "is not a number".to_owned())?;
    CellSize::try_from(bytes).map_err(str::to_owned)
}

/// Parses the argument of `--probe`: one or several words in any order.
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
    /// Study the paper's bubble sort, end to end, in a new folder
    Demo(Demo),
    /// Build the program, choose sizes, run it until its growth is clear, and report the growth
    Try(Box<Try>),
    /// Write a commented trend-prof.toml for the program in this folder
    Init(Init),
    /// Build with instrumentation
    Build(Build),
    /// Run the workloads and record their counts; resumes an interrupted study
    Run(Box<Run>),
    /// Show findings in the terminal
    Show(Show),
    /// Write a note on a function or a cluster, for `show` and the page
    Note(Note),
    /// Show loop trip counts as formulas of program variables
    Loops(Loops),
    /// Write the findings as one self-contained HTML page
    Report(Report),
    /// Show the page in a local browser, updated while runs are recorded
    Serve(Serve),
    /// Predict all costs at a size that was never run
    Predict(Predict),
    /// Time code fragments on this machine, for formulas that predict seconds
    Calibrate(Calibrate),
    /// Check growth against expectations
    Check(Check),
    /// Compare the growth of two versions of the program
    Diff(Diff),
    /// Create a study from other tools' counts, or add features to a study
    Import(Import),
    /// Write a larger or smaller version of an input
    Grow(Grow),
    /// Put the runs of several studies into one, such as those of `run --shard`
    Merge(Merge),
    /// Recover the readable part of a damaged study
    Repair(Repair),
    /// Export a study's counts or findings to another format
    Export(Export),
    /// Print a shell's completions, or write the man pages
    Generate(Generate),
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:

    trend-prof generate bash > ~/.local/share/bash-completion/completions/trend-prof
    trend-prof generate zsh > ~/.zfunc/_trend-prof
    trend-prof generate fish > ~/.config/fish/completions/trend-prof.fish
    trend-prof generate man -o ~/.local/share/man/man1")]
pub(crate) struct Generate {
    /// Shell whose completions are printed, or `man` for the pages
    pub(crate) what: Generated,
    /// Folder for the man pages
    #[arg(short, long, value_name = "FOLDER", default_value = ".")]
    pub(crate) output: PathBuf,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum Generated {
    Bash,
    Zsh,
    Fish,
    Man,
}

#[derive(Debug, Args)]
pub(crate) struct Demo {
    /// Folder to create
    #[arg(default_value = "trend-prof-demo")]
    pub(crate) folder: PathBuf,
    /// Stop at arrays of 8000 numbers: takes seconds instead of a minute
    #[arg(long)]
    pub(crate) quick: bool,
    /// Measurements to take: `blocks` counts executions of basic blocks; `routines` measures the cost of each call by
    /// the size of its input; `loops` counts trips. Several are possible, such as `routines,loops`. `routines` and
    /// `loops` need trend-probe and clang-22
    #[arg(long, value_name = "WHAT", default_value = "blocks", value_parser = parse_probe)]
    pub(crate) probe: Probe,
    /// Number of parallel runs [default: one per core]
    #[arg(short, long, value_name = "N")]
    pub(crate) jobs: Option<NonZeroUsize>,
}

#[derive(Debug, Args)]
#[command(override_usage = "trend-prof init [OPTIONS] [FOLDER] [-- COMMAND…]")]
pub(crate) struct Init {
    /// Folder of the program
    #[arg(default_value = ".")]
    pub(crate) folder: PathBuf,
    /// Replace an existing trend-prof.toml
    #[arg(long)]
    pub(crate) force: bool,
    /// Input file, relative to the folder, from which `trend-prof grow` makes smaller and larger ones
    #[arg(long, value_name = "FILE")]
    pub(crate) grow: Option<PathBuf>,
    /// Command to run for each workload: `./program {input}`, `./program {size}`, or just `./program`, which then reads
    /// the input from stdin [default: detected from the folder]
    #[arg(last = true, value_name = "COMMAND")]
    pub(crate) command: Vec<OsString>,
}

#[derive(Debug, Args)]
pub(crate) struct Build {
    /// Update method of the counters: `atomic` is exact with any number of threads; `single` is faster and exact with
    /// one thread. For programs that cannot start threads, both are equally fast on x86-64
    #[arg(long, value_name = "HOW", default_value = "atomic", requires = "command", value_parser = word::<Update>(&["atomic", "single"]))]
    pub(crate) update: Update,
    /// Counters that clang inserts: `gcov` or `llvm` (source-based coverage). gcc always uses `gcov`, and rustc always
    /// uses `llvm`
    #[arg(long, value_name = "WHICH", default_value = "gcov", requires = "command", value_parser = word::<ClangCounters>(&["gcov", "llvm"]))]
    pub(crate) counters: ClangCounters,
    /// Crates of a cargo build to count: `all`, or only your `own` (workspace members and path dependencies). With
    /// `own` the program is faster, but work in other crates is not seen
    #[arg(long, value_name = "WHICH", default_value = "all", requires = "command", value_parser = word::<Crates>(&["all", "own"]))]
    pub(crate) crates: Crates,
    /// Measurements to take: `blocks` counts executions of basic blocks; `routines` measures the cost of each call by
    /// the size of its input; `loops` counts trips by the values that decide them. Several are possible, such as
    /// `routines,loops`. `routines` and `loops` need trend-probe and clang-22, and support C, C++ and cargo
    #[arg(long, value_name = "WHAT", default_value = "blocks", requires = "command", value_parser = parse_probe)]
    pub(crate) probe: Probe,
    /// With --probe routines: size in bytes of a cell, the unit of input sizes
    #[arg(long, value_name = "BYTES", default_value = "4", requires = "probe", value_parser = parse_cell_size)]
    pub(crate) cell_size: CellSize,
    /// With --probe routines: unit of costs: basic `blocks`, LLVM `instructions`, or elapsed `nanoseconds`, which
    /// include the overhead of the probe in each call
    #[arg(long, value_name = "WHAT", default_value = "blocks", requires = "probe", value_parser = word::<Cost>(&["blocks", "instructions", "nanoseconds"]))]
    pub(crate) cost: Cost,
    /// With --probe routines: definition of the input size. `rms` counts the cells that a call reads before it writes
    /// them. `drms` also counts cells that it reads again after the kernel or another thread wrote them, and is slower
    #[arg(long, value_name = "METRIC", default_value = "rms", requires = "probe", value_parser = word::<Metric>(&["rms", "drms"]))]
    pub(crate) metric: Metric,
    /// With --probe routines: also record the costs of a routine separately for each path of callers
    #[arg(long, requires = "probe")]
    pub(crate) contexts: bool,
    /// Build command, such as `make -j2`. Without it, the `build` of trend-prof.toml runs, with the options there
    #[arg(last = true, value_name = "COMMAND")]
    pub(crate) command: Vec<OsString>,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Without a trend-prof.toml, give the workloads and the command on the command line:

    trend-prof run --param size=60..60000x10 -- ./sort {size}
    trend-prof run --files 'corpus/*.tar' -- ./bzip2 --stdout {input}

`60..60000x10` stands for ten sizes, evenly spaced on a log scale; `60,200,500` lists three.")]
#[expect(clippy::struct_excessive_bools, reason = "each is an option of its own")]
pub(crate) struct Run {
    /// Configuration file [default: trend-prof.toml in this folder]
    #[arg(long, value_name = "FILE", conflicts_with_all = ["command"])]
    pub(crate) config: Option<PathBuf>,
    /// Study file [default: named after the program]
    #[arg(long, value_name = "FILE")]
    pub(crate) study: Option<PathBuf>,
    /// Number of parallel runs [default: one per core]
    #[arg(short, long, value_name = "N")]
    pub(crate) jobs: Option<NonZeroUsize>,
    /// Run each workload N times to detect nondeterministic counts
    #[arg(long, value_name = "N")]
    pub(crate) repeat: Option<u32>,
    /// Stop a run after this time, such as `90s` or `10m`
    #[arg(long, value_name = "TIME", value_parser = parse_duration)]
    pub(crate) timeout: Option<Duration>,
    /// End a run with SIGTERM after this time, such as `10s`, and keep its counts. For servers; a run that continues
    /// for another 10 s is killed
    #[arg(long, value_name = "TIME", value_parser = parse_duration)]
    pub(crate) stop_after: Option<Duration>,
    /// Exit codes that mean success, such as `0,1`; for a signal, use 128 + its number [default: 0]
    #[arg(long, value_name = "CODES", value_delimiter = ',', requires = "command")]
    pub(crate) exit_codes: Vec<u8>,
    /// Limit of a run's address space, such as `2GB`
    #[arg(long, value_name = "SIZE", value_parser = parse_bytes)]
    pub(crate) memory: Option<u64>,
    /// Discard all recorded runs and start over
    #[arg(long)]
    pub(crate) fresh: bool,
    /// Reuse results recorded at this git revision for workloads whose functions have not changed since; rerun the
    /// others
    #[arg(long, value_name = "REV", conflicts_with_all = ["fresh", "until_decided", "repeat", "probe"])]
    pub(crate) since: Option<String>,
    /// Run only this share of the workloads, such as `3/16`, into a separate study; `merge` puts the studies together.
    /// `auto` reads K and N from Slurm, GitLab or AWS Batch; `auto/16` reads only K, also from Kubernetes, HyperQueue
    /// or PBS
    #[arg(long, value_name = "K/N", value_parser = trend_run::Shard::parse, conflicts_with_all = ["since", "until_decided"])]
    pub(crate) shard: Option<trend_run::Shard>,
    /// Keep adding sizes, cheapest first, until the growth of every costly cluster is clear
    #[arg(long)]
    pub(crate) until_decided: bool,
    /// Time limit of --until-decided
    #[arg(long, value_name = "TIME", default_value = "10m", value_parser = parse_duration, requires = "until_decided")]
    pub(crate) budget: Duration,
    /// Skip the build
    #[arg(long)]
    pub(crate) no_build: bool,
    /// Skip the uninstrumented runs, which measure how long the workloads take
    #[arg(long)]
    pub(crate) no_time: bool,
    /// Record no source texts. The page then shows no code, and expectations in comments are not seen
    #[arg(long)]
    pub(crate) no_sources: bool,
    /// Also record how much memory each line allocates and how much it holds at the heap's peak, for `show --by
    /// memory`. Needs a C compiler, and debug information for line numbers
    #[arg(long)]
    pub(crate) memory_by_line: bool,
    /// Source of the counts [default: `python`, `node` or `go` if the command starts such a program, else `gcov`].
    /// `gcov` and `go` need an instrumented build. `python` and `node` need none. `callgrind` needs none either: it
    /// counts instructions of any program and its libraries, and runs 15 to 30 times slower
    #[arg(long, value_name = "WHAT", value_parser = word::<CountSource>(&["gcov", "callgrind", "python", "node", "go"]))]
    pub(crate) counts: Option<CountSource>,
    /// Code of an interpreted program to count: your `own` files below this folder, or `all` installed packages as well
    #[arg(long, value_name = "WHICH", value_parser = word::<Packages>(&["own", "all"]))]
    pub(crate) packages: Option<Packages>,
    /// Measurements that the program was built for: `blocks`, `routines`, `loops`, or several. With `routines` or
    /// `loops`, the configured build command builds with the probe, and one run is enough, even without an input
    #[arg(long, value_name = "WHAT", value_parser = parse_probe)]
    pub(crate) probe: Option<Probe>,
    /// Parameter and its values; several parameters are combined in every way
    #[arg(long = "param", value_name = "NAME=VALUES", requires = "command")]
    pub(crate) parameters: Vec<String>,
    /// Input files, as a glob pattern
    #[arg(long, value_name = "GLOB", requires = "command", conflicts_with = "parameters")]
    pub(crate) files: Vec<String>,
    /// File to use as the program's stdin, such as `{input}`
    #[arg(long, value_name = "PATH", requires = "command")]
    pub(crate) stdin: Option<String>,
    /// Program and its arguments; `{input}` and `{NAME}` are replaced by the workload's values
    #[arg(last = true, value_name = "COMMAND")]
    pub(crate) command: Vec<OsString>,
}

#[derive(Clone, Debug, Args)]
pub(crate) struct Table {
    /// Kind of rows
    #[arg(long, default_value = "function", value_name = "WHAT")]
    pub(crate) by: By,
    /// Order of the rows [default: predicted for functions, cost for others]
    #[arg(long, value_name = "WHAT")]
    pub(crate) sort: Option<Sort>,
    /// Feature in which to show the laws [default: the best one for each row]; several, such as `bytes,lines`, are
    /// combined in one law
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    pub(crate) feature: Vec<String>,
    /// Size to predict for, such as `n=1e6` or `bytes=128MB` [default: 10 times the 95th percentile]
    #[arg(long, value_name = "FEATURE=SIZE")]
    pub(crate) at: Vec<String>,
    /// Number of rows [default: rows above 2 % of a run; for functions, also those above 2 % of the
    /// prediction]
    #[arg(long, value_name = "N")]
    pub(crate) top: Option<usize>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum By {
    /// Groups of blocks whose costs rise and fall together
    Cluster,
    /// Functions, by the cost of their own blocks
    Function,
    /// Source lines, by the cost of their blocks
    Line,
    /// Basic blocks
    Block,
    /// Routines by the size of their own input, from programs built with `--probe routines` and from aprof imports
    Routine,
    /// CPU time in seconds of functions, libraries and the kernel, as sampled by `run`
    Time,
    /// Lines by the memory that they allocated, from runs with `--memory-by-line`
    Memory,
}

impl By {
    /// Returns the kind of series that form the rows, if the rows are series.
    pub(crate) fn series(self) -> Option<SeriesKind> {
        match self {
            Self::Routine => Some(SeriesKind::Routine),
            Self::Memory => Some(SeriesKind::Line),
            _ => None,
        }
    }

    /// Returns the word for rows that are series of this kind: `routine`.
    pub(crate) fn of_series(kind: SeriesKind) -> Option<String> {
        let by = Self::value_variants().iter().find(|by| by.series() == Some(kind))?;
        Some(by.to_possible_value()?.get_name().to_owned())
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
Suffixes of costs: k = 10³, M = 10⁶, G = 10⁹, T = 10¹². Suffixes of times: k = ns, M = µs, G = ms, T = s."
)]
pub(crate) struct Show {
    /// Study [default: the only *.trend file in this folder], and the item to show in full: a cluster's name or rank, a
    /// function, or FILE:LINE
    #[arg(value_name = "STUDY_OR_NAME", num_args = 0..=2)]
    pub(crate) words: Vec<OsString>,
    /// Output format
    #[arg(long, default_value = "table", value_name = "FORMAT")]
    pub(crate) format: Format,
    #[command(flatten)]
    pub(crate) table: Table,
    /// With `--by routine`: show a tree of calling contexts, with callees below their callers
    #[arg(long)]
    pub(crate) contexts: bool,
    /// Definition of a routine's input size: `rms` counts the cells that a call reads before it writes them; `drms`
    /// also counts cells that it reads again after the kernel or another thread wrote them [default: drms if it was
    /// measured]
    #[arg(long, value_name = "METRIC", value_parser = word::<Variable>(Variable::ALL.map(Variable::name)))]
    pub(crate) metric: Option<Variable>,
    /// With `--by routine`: show only routines with at least N tuples, each of which is an input size with its costs
    #[arg(long, value_name = "N")]
    pub(crate) min_tuples: Option<usize>,
    #[command(flatten)]
    pub(crate) analysis: Analysis,
}

#[derive(Debug, Args)]
#[command(
    override_usage = "trend-prof note [OPTIONS] [STUDY] [NAME] [TEXT]",
    after_help = "\
Examples:

    trend-prof note intern \"linear search; fixed in #123\"
    trend-prof note intern              # prints the note
    trend-prof note intern --remove
    trend-prof note                     # prints all notes"
)]
pub(crate) struct Note {
    /// Study [default: the only *.trend file in this folder]; name of a function or cluster, as for `show`; text of the
    /// note. Without a text, prints the note; without a name, prints all notes
    #[arg(value_name = "STUDY_OR_NAME", num_args = 0..=3)]
    pub(crate) words: Vec<OsString>,
    /// Remove the note
    #[arg(long)]
    pub(crate) remove: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Report {
    /// Study [default: the only *.trend file in this folder]
    pub(crate) study: Option<PathBuf>,
    /// Output file; `-` is stdout [default: named after the study]
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// Study of an earlier version; the page then also shows the differences in growth, as `diff` does
    #[arg(long, value_name = "STUDY")]
    pub(crate) before: Option<PathBuf>,
    /// Additional size to predict, such as `bytes=1GB`
    #[arg(long, value_name = "FEATURE=SIZE")]
    pub(crate) at: Vec<String>,
    #[command(flatten)]
    pub(crate) analysis: Analysis,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Start it while `trend-prof run` is in progress, and watch the page fill. In addition to the page of \
`report`, this one has the exact costs of every location and predictions for any size, and opens \
lines in your editor:

    trend-prof serve --open
    trend-prof serve --port 8000 --editor 'code -g {file}:{line}'

It listens only on 127.0.0.1 and serves only its own page, but other users of this machine can open it.")]
pub(crate) struct Serve {
    /// Study [default: the only *.trend file in this folder]
    pub(crate) study: Option<PathBuf>,
    /// Port to listen on; 0 selects any free port [default: 7357, or the next free one]
    #[arg(long, value_name = "N")]
    pub(crate) port: Option<u16>,
    /// Open the page in a browser
    #[arg(long)]
    pub(crate) open: bool,
    /// Folder for the study's relative source paths, to show missing sources and to open files in your editor [default:
    /// none for the page; the current folder for the editor]
    #[arg(long, value_name = "FOLDER")]
    pub(crate) source_root: Option<PathBuf>,
    /// Command that opens a line of code in a new window; `{file}` and `{line}` are replaced
    #[arg(long, value_name = "COMMAND")]
    pub(crate) editor: Option<String>,
    /// Additional size to predict, such as `bytes=1GB`
    #[arg(long, value_name = "FEATURE=SIZE")]
    pub(crate) at: Vec<String>,
    #[command(flatten)]
    pub(crate) analysis: Analysis,
}

#[derive(Debug, Args)]
#[command(override_usage = "trend-prof predict [OPTIONS] [STUDY] <FEATURE=SIZE>...")]
pub(crate) struct Predict {
    /// Study [default: the only *.trend file in this folder] and size, such as `bytes=1GB`, one for each feature. A
    /// feature without a size follows a given feature, or keeps its value of the most expensive run
    #[arg(value_name = "STUDY_OR_SIZE", num_args = 1.., required_unless_present = "within")]
    pub(crate) words: Vec<OsString>,
    /// Show the largest input that a run can process within this time or memory, such as `10s`, `1h` or `16GB`; can be
    /// repeated [default: a second, a minute, an hour and 16 GB]. A size to predict is then optional
    #[arg(long, value_name = "LIMIT", value_parser = words::limit)]
    pub(crate) within: Vec<RunLimit>,
    /// Number of rows [default: all that take more than 2 % of a run or of the prediction]
    #[arg(long, value_name = "N")]
    pub(crate) top: Option<usize>,
    /// Constants of another machine, as written there by `calibrate`; formulas then predict its time
    #[arg(long, value_name = "FILE")]
    pub(crate) machine: Option<PathBuf>,
    /// Output format
    #[arg(long, default_value = "table", value_name = "FORMAT")]
    pub(crate) format: Format,
    #[command(flatten)]
    pub(crate) analysis: Analysis,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Every run has an id and is kept once, even if several studies contain it. The command fails if the studies are not of \
the same program, build and command.

    trend-prof run --shard 1/2 --study part1.trend      on one machine
    trend-prof run --shard 2/2 --study part2.trend      on another
    trend-prof merge part*.trend -o all.trend")]
pub(crate) struct Merge {
    /// Studies to merge
    #[arg(required = true, value_name = "STUDY")]
    pub(crate) studies: Vec<PathBuf>,
    /// Study to create
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: PathBuf,
    /// Replace an existing study
    #[arg(long)]
    pub(crate) force: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Repair {
    /// Damaged study; it is not changed
    pub(crate) study: PathBuf,
    /// Study to create [default: NAME.repaired.trend]
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct Export {
    /// Output format. `csv`, `parquet` (a row per count), `parquet-matrix` (a row per workload) and `extra-p` (JSON
    /// Lines) contain the counts in a form that `import` reads; `aprof` contains the routines by input size; `json` and
    /// `markdown` contain the findings; `laws` (CSV) and `laws-parquet` are a table of the laws of all rows in all
    /// features; `pprof` and `speedscope` are profiles of the predicted costs of functions; `study`, which
    /// needs --redact, is a copy to share, without private data
    pub(crate) format: ExportFormat,
    /// Study [default: the only *.trend file in this folder]
    pub(crate) study: Option<PathBuf>,
    /// Output file [default: stdout]
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// Size to predict for, such as `n=1e8` or `bytes=128MB`; can be repeated for several features [default: 10 times
    /// the 95th percentile]
    #[arg(long, value_name = "FEATURE=SIZE")]
    pub(crate) at: Vec<String>,
    /// With `study`: leave out command-line words, source texts, messages, absolute paths, and names of users and
    /// machines. Costs, symbols and relative paths stay
    #[arg(long)]
    pub(crate) redact: bool,
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
    Laws,
    LawsParquet,
    Pprof,
    Speedscope,
    Study,
}

impl ExportFormat {
    /// Returns true if the output contains predictions.
    pub(crate) fn has_predictions(self) -> bool {
        use ExportFormat::{Json, Laws, LawsParquet, Markdown, Pprof, Speedscope};
        matches!(self, Json | Markdown | Laws | LawsParquet | Pprof | Speedscope)
    }
}
