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
        r#"# Settings of trend-prof. Paths are relative to the folder of this file.

[program]
# Build command: an array of words, or a line for the shell. If sources changed, `trend-prof run` runs it first, with
# compilers that add counters.
{build}
# Language; by default detected from `command`. "python" and "node" need no build, because their runtimes count. "go" is
# built with Go's counters.
# language = "python"
# Code of an interpreted program to count: your "own" files, or "all" installed packages as well.
# packages = "own"
# Crates of a cargo build to count: "all", or only your "own". With "own" the program is faster, but work in other
# crates is not seen.
# crates = "all"
# Update of counters: "single" is faster than "atomic", and exact for programs with one thread.
# update = "atomic"
# Counters that clang inserts: "gcov" or "llvm".
# counters = "gcov"
# Measurements: "blocks" counts executions of basic blocks; "routines" measures the cost of each call by the size of its
# input; "loops" counts trips. Several are possible: "routines,loops". "routines" and "loops" need trend-probe and
# clang-22.
# probe = "blocks"
# Only for "routines": bytes of a cell; unit of costs ("blocks", "instructions" or "nanoseconds"); input size ("rms" or
# "drms", which counts cells again that the kernel or another thread wrote); `contexts = true` also records costs per
# path of callers.
# cell-size = 4
# cost = "blocks"
# metric = "rms"
# contexts = false
# Command to run for each workload. {{input}} is the input file, {{n}} is the parameter n. Write {{{{ and }}}}
# for braces.
{command}
{others}# File for standard input; empty by default. A program that reads it, as `sort` does, needs this line
# and no "{{input}}" in `command`.
{stdin}
# Working directory of the program; by default the folder of this file.
# cwd = "."
# Name of the program in reports; by default the file name of the command.
# name = "program"
# Stop a run after this time. `memory` limits its address space.
timeout = "10m"
# memory = "2GB"
# For servers: end the run with SIGTERM after this time, and keep its counts.
# stop-after = "10s"
# Program without counters to time, instead of a copy of the counted program. `time = false` skips timing.
# timed = "plain/program"
# Also record the memory that each line allocates, for `show --by memory`.
# memory-by-line = false
# Run each workload this many times; 2 or more detect nondeterministic counts.
# repeat = 1
# Number of parallel runs; by default one per core.
# jobs = 2
# Exit codes that mean success; for a signal, use 128 + its number: 134 is SIGABRT, 143 is SIGTERM.
# exit-codes = [0]
# Variables to add to the program's environment.
# env = {{ LC_ALL = "C" }}

[workloads]
# Each file is a workload: one pattern, or an array of patterns. ** matches any number of folders.
# Or each combination of parameters is a workload: arrays of values, or ranges. "60..60000 x10" has 10 values on a
# logarithmic scale.
{workloads}
# Command whose stdout becomes {{input}}.
{generate}

# Numbers that describe a workload. Costs are predicted from them. Without this table, they are the size of the input,
# and every parameter that is not called seed, rep, trial or repetition.
[features]
{features}
# rows  = {{ path = 'rows-(\d+)' }}            # the group in the workload's path; every pattern has one group
# nodes = {{ stdout = 'nodes=(\d+)' }}         # its last match in the output; `stderr` reads the error output
# edges = {{ file = "stats.txt", pattern = 'edges=(\d+)' }}
# depth = {{ command = ["./depth", "{{input}}"] }}
# parse = {{ location = "parse.c:120" }}       # executions of a line; may be added after the runs
# graph = {{ input-size = "parse_graph" }}     # a routine's largest input, in cells, of a build with
#                                            # `--probe routines`; may be added after the runs

# For `trend-prof calibrate`: a program of experiments that executes code fragments, and files of formulas over the
# measured constants: `seconds = n*insert + 1.5*n*log2(n)*sift`.
# [fragments]
# worker = ["./experiments"]
# formulas = "heap.formulas"

# Limits for `trend-prof check`. Place: a `function`, every function of a `file`, a `line` ("FILE:LINE"), the whole
# program (`program = true`), or functions that the baseline lacks (`new-code = true`). `growth` limits the growth in
# `feature` (default: the first). `cost` limits the cost at the size `at`. For the whole program, also
# `seconds = "<= 10"` and `memory = "<= 2GB"`. A comment in the code also limits growth:
# `// trend-prof: <= n log n in bytes`.
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
