//! The text of a trend-prof.toml: every key, with an explanation.

/// The known facts about a program, each as TOML lines or comments.
pub(super) struct Choice {
    pub(super) build: String,
    pub(super) command: String,
    /// Other programs of the build, as comments; empty if there are none.
    pub(super) others: String,
    pub(super) stdin: String,
    pub(super) workloads: String,
    pub(super) generate: String,
    pub(super) features: String,
}

/// Returns the text with every key. Keys that are not needed are comments.
pub(super) fn text(choice: &Choice) -> String {
    let Choice { build, command, others, stdin, workloads, generate, features } = choice;
    format!(
        r#"# What trend-prof runs and measures. Relative paths start in the folder of this file.

[program]
# `trend-prof run` does this first, with compilers that instrument, when sources changed.
# An array of words, or a line for the shell.
{build}
# A "python" or "node" program needs no build, because its runtime counts; "go" builds with its own counters. By default the
# command tells the language. Which code of such a program counts: your "own" files, or "all" installed packages as well.
# language = "python"
# packages = "own"
# Which crates of a cargo build count: "all", or your "own" alone, which is faster; work in the others is then not seen.
# crates = "all"
# "single" is faster than "atomic", and exact for programs of one thread.
# update = "atomic"
# Which counters clang builds in: "gcov" or "llvm".
# counters = "gcov"
# What is measured: how often each of the "blocks" is executed, each call of the "routines" by the size of the input that
# it read, or how often "loops" are run through, which need trend-probe and clang 22; or several: "routines,loops,blocks".
# Then, for routines, bytes of a cell, what costs are counted in ("blocks", "instructions" or "nanoseconds"), whether what
# the kernel and other threads write counts again ("drms"), and whether costs are recorded for each path of callers, too.
# probe = "blocks"
# cell-size = 4
# cost = "blocks"
# metric = "rms"
# contexts = false
# What is run for each workload. {{input}} is the input file, {{n}} the parameter n, {{{{ and }}}} are braces.
{command}
{others}# The program's standard input; nothing by default. A program that reads it, as `sort` does, needs this line and no
# "{{input}}" in `command`.
{stdin}
# Where it runs; by default this folder.
# cwd = "."
# Its name in reports; by default the file name of the command.
# name = "program"
# A run is stopped after this time, and at this much memory (address space).
timeout = "10m"
# memory = "2GB"
# A server is ended after this time, with SIGTERM, and what it counted until then is the run's.
# stop-after = "10s"
# A build without counters, which is timed in place of a copy of the counted program; `time = false` times nothing.
# timed = "plain/program"
# Whether it is recorded which lines ask for memory, and how much of it they hold: `show --by memory`.
# memory-by-line = false
# How often each workload is run. More than once shows which counts are not deterministic.
# repeat = 1
# How many run at once; by default as many as there are cores.
# jobs = 2
# Exit codes that mean success. The end by a signal is 128 and its number, as a shell has it: 134 is abort, 143 SIGTERM.
# exit-codes = [0]
# Variables added to its environment.
# env = {{ LC_ALL = "C" }}

[workloads]
# Each file is a workload: one pattern, or an array of them. ** is any number of folders.
# Or every combination of parameters: arrays, or ranges of that many values on a logarithmic scale.
{workloads}
# A command whose stdout becomes {{input}}.
{generate}

# Numbers that describe a workload; costs are predicted from them. Without this table: the size of the
# input, and every parameter that is not called seed, rep or trial.
[features]
{features}
# rows  = {{ path = 'rows-(\d+)' }}            # the group in the workload's path; every pattern has one
# nodes = {{ stdout = 'nodes=(\d+)' }}         # its last match in the output; also stderr
# edges = {{ file = "stats.txt", pattern = 'edges=(\d+)' }}
# depth = {{ command = ["./depth", "{{input}}"] }}
# parse = {{ location = "parse.c:120" }}       # how often a line ran; may be added after the runs
# graph = {{ input-size = "parse_graph" }}     # a routine's largest input, in cells that it read, of a build with
#                                            # `--probe routines`; may be added after the runs

# A program of experiments, which `trend-prof calibrate` times fragments of code with, and files of formulas in what it
# finds: `seconds = n*insert + 1.5*n*log2(n)*sift`.
# [fragments]
# worker = ["./experiments"]
# formulas = "heap.formulas"

# What `trend-prof check` holds the program to: how fast a `function`, every function of a `file`, a `line` ("FILE:LINE"),
# the whole (`program = true`) or what a baseline does not know (`new-code = true`) may grow in a feature, by default the
# first; and what it may cost at a size, and the whole take: `seconds = "<= 10"`, `memory = "<= 2GB"`. A comment beside the
# code limits growth as well: `// trend-prof: <= n log n in bytes`.
# [[expect]]
# function = "parse"
# growth = "<= n log n"
# feature = "bytes"
# at = "bytes=1GB"
# cost = "<= 2 G"
"#
    )
}

/// Formats a TOML string. It is a JSON string in which TOML also wants U+007F escaped.
pub(super) fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string().replace('\u{7f}', "\\u007F")
}
