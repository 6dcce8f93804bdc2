"""Measures the cost of `run --memory-by-line`: CPU time of the same work without counters, with counters, and with
memory by line.

    benches/run.py memory CACHE [--repetitions 7] [--only TEXT]

Fetches and builds programs like real-programs, and uses its CACHE: bzip2, cmark, Lua, SQLite and comrak
(Rust). Another program only allocates, alone and in eight threads. The three kinds take turns. Prints a table in
Markdown with medians of seconds, and of two ratios within a turn: to the counted run, and the overhead of memory by
line on a run without counters. Needs GNU time.
"""

import random
import statistics
import tempfile
from dataclasses import dataclass
from pathlib import Path

from shared import PROGRAMS, Failed, build_small, call, head, in_turns, measured, ratio, row, say, scratch
from studies import Bench

MARKDOWN = "\n\n".join(f"# Title {i}\n\nSome *text* with `code`, [a link](http://x/{i}) and\n\n- one\n- two **bold**\n" for i in range(30_000))


@dataclass
class Work:
    title: str
    build: str
    command: list
    input: bytes = b""


def works():
    numbers = random.Random(1)
    words = [bytes(numbers.choices(b"abcdefghij", k=numbers.randint(2, 9))) for _ in range(5000)]
    text = b" ".join(numbers.choices(words, k=2_500_000))
    return [
        Work("bzip2 1.0.8", "bzip2 1.0.8", ["./bzip2", "--stdout", "{input}"], text),
        Work("cmark 0.31.2", "cmark 0.31.2", ["./cmark", "{input}"], 4 * MARKDOWN.encode()),
        Work("Lua 5.3.6", "lua 5.3.6", ["./lua", "{input}"], (PROGRAMS / "records.lua").read_bytes()),
        Work("SQLite 3.45", "sqlite 3.45", ["./query", "sort", "600000"]),
        Work("comrak 0.18", "comrak 0.18.0", ["./driver", "{input}"], MARKDOWN.encode()),
        Work("malloc alone (12 trees of 2²⁰ nodes)", "trees", ["./trees", "1"]),
        Work("malloc alone in 8 threads (12 trees of 2¹⁷ nodes in each)", "trees", ["./trees", "8", "16"]),
    ]


def builds(bench, work, made):
    """Returns the folders of a build with counters and of one without."""
    if work.build != "trees":
        return bench.built(work.build), bench.plain(work.build)
    for name, by in (("counted", bench.trend_prof), ("plain", None)):
        (made / name).mkdir()
        build_small("trees.c", made / name, "cc -O2 -pthread -o trees", by)
    return made / "counted", made / "plain"


def counted(trend_prof, folder, command, options):
    """Returns the CPU time of the program alone in a run by trend-prof."""
    times, script = folder / "times", folder / "timed.sh"
    script.write_text(f"#!/bin/sh\nshift\nexec /usr/bin/time -a -o '{times}' -f '%U %S' \"$@\"\n")
    script.chmod(0o755)
    call([trend_prof, "run", "--study", folder / "memory.trend", "--fresh", "--no-time", "-j1", *options, "--param", "n=1", "--",
          "./timed.sh", "{n}", *command], folder)
    user, system = times.read_text().split()[-2:]
    times.unlink()
    return float(user) + float(system)


def arguments(parser):
    parser.add_argument("cache", type=Path)
    parser.add_argument("--repetitions", type=int, default=7)
    parser.add_argument("--only", default="", help="programs whose name contains this")


def main(options):
    bench = Bench(options)
    head("program", "without counters", "counted", "with memory by line", "of counted", "added to without counters")
    for work in works():
        if options.only not in work.title:
            continue
        with tempfile.NamedTemporaryFile() as file, scratch() as made:
            file.write(work.input)
            file.flush()
            command = [word.replace("{input}", file.name) for word in work.command]
            try:
                with_counters, without = builds(bench, work, made)
                # The first turn reads everything from the disk.
                alone, counts, watched = (seconds[1:] for seconds in in_turns({
                    "alone": lambda: measured(command, without).cpu,
                    "counts": lambda: counted(bench.trend_prof, with_counters, command, []),
                    "watched": lambda: counted(bench.trend_prof, with_counters, command, ["--memory-by-line"]),
                }, options.repetitions + 1).values())
            except Failed as error:
                say(f"{work.title}: left out: {error}")
                continue
        added = ratio([a + w - c for a, c, w in zip(alone, counts, watched)], alone)
        row(work.title, *(f"{statistics.median(seconds):.2f} s" for seconds in (alone, counts, watched)),
            f"{ratio(watched, counts):.2f}", f"{added:.2f}")
