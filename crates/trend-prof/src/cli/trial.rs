//! Arguments of `trend-prof try` and `trend-prof grow`.

use std::ffi::OsString;
use std::num::{NonZeroU32, NonZeroUsize};
use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ValueEnum};
use trend_analyze::GrowthLimit;
use trend_run::{Packages, parse_duration};

#[derive(Debug, Args)]
#[command(
    override_usage = "trend-prof try [OPTIONS] [-- COMMAND…]",
    after_help = "\
Examples:

    trend-prof try -- ./sort {size}                        choose sizes automatically
    trend-prof try --files 'corpus/*' -- ./parse {input}   run existing files
    trend-prof try --grow big.json -- ./parse {input}      make smaller and larger files from one
    trend-prof try -- cargo run --release -- {size}        run the program that cargo starts
    trend-prof try -- python3 sort.py {size}               count the modules of a Python program
    trend-prof try                                         use trend-prof.toml, or find a program
    trend-prof try --worst --files 'corpus/*' -- ./parse {input}   search for inputs that are worse

The program is built first if this folder contains trend-prof.toml, Cargo.toml, Makefile, CMakeLists.txt, meson.build, \
configure, configure.ac, or a single C or C++ source. Name the program as you do after an ordinary build: `sort`, \
`./sort`, `build/sort` and `target/release/sort` all mean the program with counters that the build made. A program \
without counters runs under valgrind, if it is installed."
)]
#[expect(clippy::struct_excessive_bools, reason = "each is an option of its own")]
pub(crate) struct Try {
    /// Time limit for the runs; a third of it is reserved for timing the program without counters. With --worst: time
    /// limit for the search [default: 60s; 5m with --worst]
    #[arg(long, value_name = "TIME", default_value = "60s", default_value_if("worst", "true", "5m"), hide_default_value = true, value_parser = parse_duration)]
    pub(crate) budget: Duration,
    /// Input files, as a glob pattern; the smallest are run first
    #[arg(long, value_name = "GLOB", requires = "command", conflicts_with_all = ["grow", "parameters"])]
    pub(crate) files: Vec<String>,
    /// Input file from which `trend-prof grow` makes smaller and larger ones, by cutting or repeating its content
    #[arg(long, value_name = "FILE", requires = "command")]
    pub(crate) grow: Option<PathBuf>,
    /// Parameter and its values, such as `mode=fast` or `n=100..10000x8`; without it, values are chosen automatically
    #[arg(long = "param", value_name = "NAME=VALUES", requires = "command")]
    pub(crate) parameters: Vec<String>,
    /// File to use as the program's stdin, such as `{input}`
    #[arg(long, value_name = "PATH", requires = "command")]
    pub(crate) stdin: Option<OsString>,
    /// Study file [default: named after the program]
    #[arg(long, value_name = "FILE")]
    pub(crate) study: Option<PathBuf>,
    /// Number of parallel runs [default: one per core]
    #[arg(short, long, value_name = "N")]
    pub(crate) jobs: Option<NonZeroUsize>,
    /// Check the growth of the whole program against a limit, such as `<= n log n`, and exit like `check`. Chosen sizes
    /// are then at most a million, unless larger ones are needed to decide. With `--param`, only the given sizes are
    /// run
    #[arg(long, value_name = "GROWTH")]
    pub(crate) expect: Option<GrowthLimit>,
    /// With --expect: exit with 0 if the growth is undecided
    #[arg(long, requires = "expect")]
    pub(crate) allow_undecided: bool,
    /// Search for inputs whose cost grows faster than that of the given files. The program runs thousands of times on
    /// invented inputs
    #[arg(long, conflicts_with_all = ["expect", "grow", "parameters"])]
    pub(crate) worst: bool,
    /// With --worst: seed of the search. With the same seed, it tries the same inputs in the same order; another seed
    /// tries others
    #[arg(long, value_name = "N", default_value_t = 1, requires = "worst")]
    pub(crate) seed: u64,
    /// With --worst: number of recipes to try, if the time suffices. A recipe generates inputs of any size, such as
    /// `"["×n "]"×n`
    #[arg(long, value_name = "N", requires = "worst")]
    pub(crate) recipes: Option<usize>,
    /// With --worst: output format
    #[arg(long, value_name = "FORMAT", default_value = "table", requires = "worst")]
    pub(crate) format: TryFormat,
    /// Skip the build
    #[arg(long)]
    pub(crate) no_build: bool,
    /// Code of an interpreted program to count: your `own` files below this folder, or `all` installed packages as well
    #[arg(long, value_name = "WHICH", value_parser = super::words::word::<Packages>(&["own", "all"]))]
    pub(crate) packages: Option<Packages>,
    /// Discard all recorded runs and start over
    #[arg(long)]
    pub(crate) fresh: bool,
    /// Program and its arguments; `{input}` stands for a file, and any other name such as `{size}` for a number
    #[arg(last = true, value_name = "COMMAND")]
    pub(crate) command: Vec<OsString>,
}

/// Output formats of `try --worst`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum TryFormat {
    Table,
    Json,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Scales the number of elements of a JSON array, or of the largest array in a JSON object. Scales the number of lines \
of other texts, and the number of bytes of any other file. The output goes to stdout, in the same form as the input.

A recipe, as `try --worst` saves it, generates inputs of any size: `\"[\"×n \"]\"×n`. For a recipe, PERCENT is n, the \
number of repetitions.

In trend-prof.toml: `parameters = { percent = \"1..10000 x12\" }` and
`generate = [\"trend-prof\", \"grow\", \"seed.json\", \"{percent}\"]`.")]
pub(crate) struct Grow {
    /// Input file, or a recipe of `try --worst`
    pub(crate) file: PathBuf,
    /// Size of the output in percent of the input's size; for a recipe, n
    pub(crate) percent: NonZeroU32,
}
