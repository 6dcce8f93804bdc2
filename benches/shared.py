"""Helpers of the measurements: they call programs and time them, check the load, build small programs, and print tables."""

import contextlib
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
REPOSITORY = HERE.parent
PROGRAMS = HERE / "programs"
LINES_OF_ERRORS = 15


class Failed(Exception):
    """Raised when a step fails that the measurement needs."""


@dataclass(frozen=True)
class Ran:
    """Result of a process: exit code, output, elapsed and processor seconds, and peak memory in bytes."""

    code: int
    output: bytes
    clock: float
    cpu: float
    peak: int


def failed(command, code, output, what=""):
    last = "\n".join(output.splitlines()[-LINES_OF_ERRORS:])
    return Failed(f"{what or ' '.join(map(str, command))}: exit code {code}\n{last}")


def call(command, folder=None, what="", codes=(0,), **options):
    """Runs a command and returns the completed process. Fails unless its exit code is in `codes`; `None` accepts any."""
    done = subprocess.run(list(map(str, command)), cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True, errors="replace", **options)
    if codes is not None and done.returncode not in codes:
        raise failed(command, done.returncode, done.stdout + done.stderr, what)
    return done


def found(trend_prof, *words, folder=None, codes=(0,)):
    """Returns the JSON that a command of trend-prof prints."""
    return json.loads(call([trend_prof, *words, "--format", "json"], folder, codes=codes).stdout)


def measured(command, folder=None, codes=(0,), stderr=subprocess.DEVNULL, **variables):
    """Runs a command with further environment variables, and measures it with all processes that it waits for.

    GNU time tells the peak: for a child of this process, the kernel's number starts with the memory of this process."""
    with tempfile.TemporaryFile() as output, tempfile.NamedTemporaryFile("r") as peak:
        words = ["/usr/bin/time", "-q", "-f", "%M", "-o", peak.name, *map(str, command)]
        environment = {**os.environ, **{name: str(value) for name, value in variables.items()}}
        start = time.perf_counter()
        process = subprocess.Popen(words, cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=output, stderr=stderr)
        _, status, usage = os.wait4(process.pid, 0)
        clock = time.perf_counter() - start
        process.returncode = os.waitstatus_to_exitcode(status)
        output.seek(0)
        text = output.read()
        if codes is not None and process.returncode not in codes:
            raise failed(command, process.returncode, text.decode(errors="replace"))
        return Ran(process.returncode, text, clock, usage.ru_utime + usage.ru_stime, 1024 * int(peak.read().split()[-1]))


def in_turns(runs, repetitions):
    """Calls each of the functions in turn, and returns the results of each."""
    results = {name: [] for name in runs}
    for _ in range(repetitions):
        for name, run in runs.items():
            results[name].append(run())
    return results


def ratio(ones, others):
    """Returns the median of the ratios within a turn."""
    return statistics.median(one / other for one, other in zip(ones, others))


@contextlib.contextmanager
def busy(processes, *prefix):
    """Keeps processors busy by processes that never rest."""
    load = [subprocess.Popen([*prefix, "sh", "-c", "while :; do :; done"]) for _ in range(processes)]
    try:
        yield
    finally:
        for process in load:
            process.kill()
            process.wait()


@contextlib.contextmanager
def scratch():
    with tempfile.TemporaryDirectory(prefix="trend-prof-bench-") as folder:
        yield Path(folder)


def build_small(source, folder, compiler, trend_prof=None, options=()):
    """Builds a program of the folder `programs`, by `trend-prof build` if it is given."""
    shutil.copy(PROGRAMS / source, folder)
    by = [trend_prof, "-q", "build", *options, "--"] if trend_prof else []
    call([*by, *compiler.split(), source], folder)


def source_text(size):
    """Returns a number of bytes of this repository's Rust, repeated as needed."""
    text = b"".join(path.read_bytes() for path in sorted(REPOSITORY.glob("crates/**/*.rs")))
    return (text * (size // len(text) + 1))[:size]


def sizes(low, high, count=10):
    """Returns sizes from `low` to `high`, evenly spaced on a log scale."""
    return [round(low * (high / low) ** (i / (count - 1))) for i in range(count)]


def file_name(text):
    return "".join(c if c.isalnum() or c in "._" else "-" for c in text)


def say(text):
    print(text, file=sys.stderr, flush=True)


def row(*cells):
    print("| " + " | ".join(map(str, cells)) + " |", flush=True)


def head(*cells):
    row(*cells)
    print("|" + "---|" * len(cells), flush=True)


def table(title, header, rows):
    print(f"\n{title}\n")
    head(*header)
    for cells in rows:
        row(*cells)
