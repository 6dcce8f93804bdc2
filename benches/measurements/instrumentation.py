"""Measures the cost of counters: CPU time of the same work without counters and with each kind of them.

    benches/run.py instrumentation CACHE [--megabytes 5] [--repetitions 5]

Compresses a file with bzip2, built by gcc and clang. Searches and parses with a Rust program that uses the crates regex
and serde_json, with and without a second thread. The builds take turns. Prints a table in Markdown with the fastest
repetition in seconds of CPU time, and its ratio to the run without counters. valgrind's callgrind runs once if it
is installed. CACHE keeps the sources of bzip2. Takes about three minutes on two cores.
"""

import random
import shutil
from pathlib import Path

from registry import BUILDS, BZIP2_FILES
from shared import PROGRAMS, REPOSITORY, call, head, in_turns, measured, row, scratch


def compare(title, commands, folder, repetitions):
    """Measures the commands by name; the first is the one without counters."""
    run = lambda command: measured(command, folder, LLVM_PROFILE_FILE="/dev/null", GCOV_PREFIX=folder / "counters").cpu
    runs = in_turns({name: lambda command=command: run(command) for name, command in commands.items()}, repetitions)
    first = next(iter(commands))
    if shutil.which("valgrind"):
        runs["callgrind, no rebuild"] = [run(["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", *commands[first]])]
    for name, seconds in runs.items():
        row(title, name, f"{min(seconds):.3f}", f"{min(seconds) / min(runs[first]):.2f}")


def bzip2(options, folder):
    folder /= "bzip2"
    BUILDS["bzip2 1.0.8"].source.fetch(options.cache.absolute(), folder)
    rng = random.Random(1)
    words = ["".join(rng.choices("etaoinshrdlu", k=rng.randint(2, 9))) for _ in range(5000)]
    text = " ".join(rng.choices(words, k=options.megabytes * 200_000))[: options.megabytes * 1_000_000]
    (folder / "input").write_text(text)
    for compiler in filter(shutil.which, ["gcc", options.clang]):
        call([compiler, "-O2", "-w", *BZIP2_FILES, "-o", "plain"], folder)
        commands = {"without counters": ["./plain", "--stdout", "input"]}
        for counters in ["gcov", "llvm"] if compiler != "gcc" else ["gcov"]:
            # Compile each source in a separate call, so that each has its own notes file.
            compile_each = "; ".join(f"{compiler} -O2 -w -c {source} -o {source[:-2]}.o" for source in BZIP2_FILES)
            objects = " ".join(f"{source[:-2]}.o" for source in BZIP2_FILES)
            # Programs that can start threads keep atomic counters.
            for name, more in {"as it is": "", "if it could start threads": "-Wl,-u,pthread_create"}.items():
                program = f"{counters}-{len(more)}"
                call([options.trend_prof, "build", "--counters", counters, "--", "sh", "-c",
                      f"{compile_each}; {compiler} {objects} -o {program} {more}"], folder)
                commands[f"{counters}, {name}"] = [f"./{program}", "--stdout", "input"]
        compare(f"bzip2, {options.megabytes} MB, {compiler} -O2", commands, folder, options.repetitions)


def crates(options, folder):
    source = (REPOSITORY / "crates/trend-collect/tests/drivers/crates.rs").read_text()
    shutil.copy(PROGRAMS / "regex-and-serde.toml", folder / "Cargo.toml")
    (folder / "crates.rs").write_text(source)
    (folder / "threads.rs").write_text(
        source.replace("fn main() {", "fn main() {\n    std::thread::spawn(|| {}).join().unwrap();", 1))
    call(["cargo", "build", "--release"], folder)
    commands = {"without counters": ["target/release/crates", "60000"]}
    for choice, name in {"all": "all crates", "own": "own crates"}.items():
        call([options.trend_prof, "build", "--crates", choice, "--", "cargo", "build", "--release"], folder)
        for program, more in {"crates": "as it is", "threads": "with a thread"}.items():
            shutil.copy(next((folder / "target/trend-prof").glob(f"*/release/{program}")), folder / f"{program}-{choice}")
            commands[f"llvm, {name}, {more}"] = [f"./{program}-{choice}", "60000"]
    compare("regex and serde_json, cargo build --release", commands, folder, options.repetitions)


def arguments(parser):
    parser.add_argument("cache", type=Path)
    parser.add_argument("--clang", default="clang-22")
    parser.add_argument("--megabytes", type=int, default=5)
    parser.add_argument("--repetitions", type=int, default=5)


def main(options):
    head("program", "counters", "seconds", "times")
    for part in (bzip2, crates):
        with scratch() as folder:
            part(options, folder)
