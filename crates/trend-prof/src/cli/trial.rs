//! Arguments of `trend-prof try` and `trend-prof grow`.

use std::ffi::OsString;
use std::num::{NonZeroU32, NonZeroUsize};
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use trend_analyze::GrowthLimit;
use trend_run::parse_duration;

#[derive(Debug, Args)]
#[command(
    override_usage = "trend-prof try [OPTIONS] [-- COMMAND…]",
    after_help = "\
Examples:

    trend-prof try -- ./sort {size}                    chooses sizes by itself
    trend-prof try --files 'corpus/*' -- ./parse {input}
    trend-prof try --grow big.json -- ./parse {input}  makes smaller and larger files out of one
    trend-prof try -- cargo run --release -- {n}       the program that cargo starts
    trend-prof try                                     as trend-prof.toml says, or with what is found in this folder

The program is built first if this folder says how: by trend-prof.toml, Cargo.toml, Makefile, CMakeLists.txt, meson.build,
configure, configure.ac, or one C or C++ source. Name it as you would start it after your own build: `sort`, `./sort`,
`build/sort` and `target/release/sort` all mean the one with counters that the build made. A program without counters runs
under valgrind, if that is there."
)]
pub(crate) struct Try {
    /// Time limit for the runs; a third of it is for runs without counters, which measure the time
    #[arg(long, value_name = "TIME", default_value = "60s", value_parser = parse_duration)]
    pub(crate) budget: Duration,
    /// Input files, as a glob pattern; the smallest are run first
    #[arg(long, value_name = "GLOB", requires = "command", conflicts_with_all = ["grow", "parameters"])]
    pub(crate) files: Vec<String>,
    /// Input file from which `trend-prof grow` makes smaller and larger ones. They are parts and repetitions of it,
    /// without new content
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
    /// With --expect: exit with 0 if it is undecided
    #[arg(long, requires = "expect")]
    pub(crate) allow_undecided: bool,
    /// Skip the build
    #[arg(long)]
    pub(crate) no_build: bool,
    /// Discard all recorded runs and start over
    #[arg(long)]
    pub(crate) fresh: bool,
    /// Program and its arguments; `{input}` stands for a file, and any other name such as `{size}` for a number
    #[arg(last = true, value_name = "COMMAND")]
    pub(crate) command: Vec<OsString>,
}

#[derive(Debug, Args)]
#[command(after_help = "\
An array of JSON gets as many elements as that; of a JSON object, its largest array. A text gets so many times the lines, and
any other file so many times the bytes. What is written to stdout is of the same form as the file.

In trend-prof.toml: `parameters = { percent = \"1..10000 x12\" }` and
`generate = [\"trend-prof\", \"grow\", \"seed.json\", \"{percent}\"]`.")]
pub(crate) struct Grow {
    /// Input file
    pub(crate) file: PathBuf,
    /// Size of the output in percent of the input's size
    pub(crate) percent: NonZeroU32,
}
