#!/usr/bin/env python3
"""Measures the cost of counters: processor time of the same work without counters and with each kind of them.

    benches/instrumentation.py --bzip2 FOLDER [--trend-prof PATH] [--megabytes 5] [--repetitions 5]

Compresses a file with bzip2 (FOLDER has its sources, as left by `examples/bzip2/fetch.sh`), built by gcc and clang.
Searches and parses with a Rust program that uses the crates regex and serde_json, with and without a second thread.
The builds take turns. Prints a table in Markdown with the fastest repetition in seconds of processor time, and its
ratio to the run without counters. valgrind's callgrind runs once if it is installed. Takes about three minutes on two
cores.
"""

import argparse
import os
import random
import resource
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parent.parent
SOURCES = [f"{name}.c" for name in "blocksort bzip2 bzlib compress crctable decompress huffman randtable".split()]
CARGO = """
[package]
name = "crates"
version = "0.0.0"
edition = "2024"
[[bin]]
name = "crates"
path = "crates.rs"
[[bin]]
name = "threads"
path = "threads.rs"
[dependencies]
regex = "=1.13.1"
serde_json = "=1.0.154"
[workspace]
"""


def cpu_seconds(command, folder):
    environment = dict(os.environ, LLVM_PROFILE_FILE="/dev/null", GCOV_PREFIX=str(Path(folder, "counters")))
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, cwd=folder, env=environment, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def quietly(command, folder):
    subprocess.run(command, cwd=folder, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def measure(title, commands, folder, repetitions):
    """Measures the commands by name; the first is the one without counters."""
    best = {name: float("inf") for name in commands}
    for _ in range(repetitions):
        for name, command in commands.items():
            best[name] = min(best[name], cpu_seconds(command, folder))
    first = next(iter(commands))
    if shutil.which("valgrind"):
        callgrind = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", *commands[first]]
        best["callgrind, no rebuild"] = cpu_seconds(callgrind, folder)
    for name, seconds in best.items():
        print(f"| {title} | {name} | {seconds:.3f} | {seconds / best[first]:.2f} |", flush=True)


def bzip2(options, folder):
    for file in Path(options.bzip2).glob("*.[ch]"):
        shutil.copy(file, folder)
    rng = random.Random(1)
    words = ["".join(rng.choices("etaoinshrdlu", k=rng.randint(2, 9))) for _ in range(5000)]
    text = " ".join(rng.choices(words, k=options.megabytes * 200_000))[: options.megabytes * 1_000_000]
    Path(folder, "input").write_text(text)
    for compiler in ["gcc", *([options.clang] if shutil.which(options.clang) else [])]:
        build = [compiler, "-O2", "-w", *SOURCES]
        quietly([*build, "-o", "plain"], folder)
        commands = {"without counters": ["./plain", "--stdout", "input"]}
        for counters in ["gcov", "llvm"] if compiler != "gcc" else ["gcov"]:
            trend = [options.trend_prof, "build", "--counters", counters, "--"]
            # Compile each source in a separate call, so that each has its own notes file.
            for source in SOURCES:
                quietly([*trend, compiler, "-O2", "-w", "-c", source, "-o", source[:-2] + f"-{counters}.o"], folder)
            objects = [source[:-2] + f"-{counters}.o" for source in SOURCES]
            # Programs that can start threads keep atomic counters.
            for name, more in {"as it is": [], "if it could start threads": ["-Wl,-u,pthread_create"]}.items():
                program = f"{counters}-{len(more)}"
                quietly([*trend, compiler, *objects, "-o", program, *more], folder)
                commands[f"{counters}, {name}"] = [f"./{program}", "--stdout", "input"]
        measure(f"bzip2, {options.megabytes} MB, {compiler} -O2", commands, folder, options.repetitions)


def crates(options, folder):
    Path(folder, "Cargo.toml").write_text(CARGO)
    shutil.copy(REPOSITORY / "crates/trend-collect/tests/drivers/crates.rs", folder)
    with_threads = Path(folder, "crates.rs").read_text().replace(
        "fn main() {", "fn main() {\n    std::thread::spawn(|| {}).join().unwrap();", 1)
    Path(folder, "threads.rs").write_text(with_threads)
    quietly(["cargo", "build", "--release"], folder)
    commands = {"without counters": ["target/release/crates", "60000"]}
    for choice, name in {"all": "all crates", "own": "own crates"}.items():
        quietly([options.trend_prof, "build", "--crates", choice, "--", "cargo", "build", "--release"], folder)
        for program, more in {"crates": "as it is", "threads": "with a thread"}.items():
            built = next(Path(folder, "target/trend-prof").glob(f"*/release/{program}"))
            shutil.copy(built, Path(folder, f"{program}-{choice}"))
            commands[f"llvm, {name}, {more}"] = [f"./{program}-{choice}", "60000"]
    measure("regex and serde_json, cargo build --release", commands, folder, options.repetitions)


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--trend-prof", default=str(REPOSITORY / "target/release/trend-prof"))
    options.add_argument("--bzip2", required=True, help="the folder with bzip2's sources")
    options.add_argument("--clang", default="clang-22")
    options.add_argument("--megabytes", type=int, default=5)
    options.add_argument("--repetitions", type=int, default=5)
    options = options.parse_args()
    options.trend_prof = os.path.abspath(options.trend_prof)
    print("| program | counters | seconds | times |\n|---|---|---:|---:|")
    for part in [bzip2, crates]:
        with tempfile.TemporaryDirectory() as folder:
            part(options, folder)
    return 0


if __name__ == "__main__":
    sys.exit(main())
