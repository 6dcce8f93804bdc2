#!/usr/bin/env python3
"""Measures the cost of `run --memory-by-line`: processor time of the same work without counters, with counters, and with
memory by line.

    benches/memory.py CACHE [--trend-prof PATH] [--repetitions 7] [--only TEXT]

Fetches and builds programs like benches/real-programs, and uses its CACHE: bzip2, cmark, Lua, SQLite and comrak
(Rust). Another program only allocates, alone and in eight threads. The three kinds take turns. Prints a table in
Markdown with medians of seconds, and of two ratios within a turn: to the counted run, and the overhead of memory by
line on a run without counters. Needs GNU time.
"""

import argparse
import random
import statistics
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE / "real-programs"))

from programs import Build  # noqa: E402
from run import BUILDS, Bench, Failed  # noqa: E402
from seconds import plain  # noqa: E402
from sources import NotObtainable  # noqa: E402

TREES = r"""
#include <stdio.h>
#include <stdlib.h>
#include <pthread.h>
struct tree { struct tree *left, *right; };
static struct tree *grown(int depth) {
    struct tree *tree = malloc(sizeof *tree);
    tree->left = depth ? grown(depth - 1) : NULL;
    tree->right = depth ? grown(depth - 1) : NULL;
    return tree;
}
static long felled(struct tree *tree) {
    if (!tree) return 0;
    long nodes = 1 + felled(tree->left) + felled(tree->right);
    free(tree);
    return nodes;
}
static void *work(void *depth) {
    long nodes = 0;
    for (int i = 0; i < 12; i++) nodes += felled(grown(*(int *)depth));
    return (void *)nodes;
}
int main(int count, char **words) {
    int threads = atoi(words[1]), depth = count > 2 ? atoi(words[2]) : 19;
    pthread_t all[64];
    for (int i = 1; i < threads; i++) pthread_create(&all[i], NULL, work, &depth);
    long nodes = (long)work(&depth);
    for (int i = 1; i < threads; i++) {
        void *more;
        pthread_join(all[i], &more);
        nodes += (long)more;
    }
    printf("%ld\n", nodes);
    return 0;
}
"""

TEXT_RUST = "\n\n".join(f"# Title {i}\n\nSome *text* with `code`, [a link](http://x/{i}) and\n\n- one\n- two **bold**\n" for i in range(30_000))
LUA = """
local all = {}
for i = 1, 600000 do all[i] = { name = "n" .. i, value = i } end
local sum = 0
for _, one in ipairs(all) do sum = sum + one.value + #one.name end
print(sum)
"""


class Text:
    """A program with a single source file."""

    def __init__(self, name, text):
        self.name, self.text = name, text

    def fetch(self, cache, folder):
        folder.mkdir(parents=True)
        (folder / self.name).write_text(self.text)
        return "1"


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
    BUILDS["trees"] = Build(Text("trees.c", TREES), "cc -O2 -pthread -o trees trees.c")
    return [
        Work("bzip2 1.0.8", "bzip2 1.0.8", ["./bzip2", "--stdout", "{input}"], text),
        Work("cmark 0.31.2", "cmark 0.31.2", ["./cmark", "{input}"], 4 * TEXT_RUST.encode()),
        Work("Lua 5.3.6", "lua 5.3.6", ["./lua", "{input}"], LUA.encode()),
        Work("SQLite 3.45", "sqlite 3.45", ["./query", "sort", "600000"]),
        Work("comrak 0.18", "comrak 0.18.0", ["./driver", "{input}"], TEXT_RUST.encode()),
        Work("malloc alone (12 trees of 2²⁰ nodes)", "trees", ["./trees", "1"]),
        Work("malloc alone in 8 threads (12 trees of 2¹⁷ nodes in each)", "trees", ["./trees", "8", "16"]),
    ]


def seconds(times):
    user, system = times.read_text().split()[-2:]
    times.unlink()
    return float(user) + float(system)


def natively(folder, command):
    times = folder / "times"
    subprocess.run(["/usr/bin/time", "-a", "-o", times, "-f", "%U %S", *command], cwd=folder, check=True,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return seconds(times)


def counted(trend_prof, folder, command, options):
    """Returns the processor time of the program alone in a run by trend-prof."""
    times, script = folder / "times", folder / "timed.sh"
    script.write_text(f"#!/bin/sh\nshift\nexec /usr/bin/time -a -o '{times}' -f '%U %S' \"$@\"\n")
    script.chmod(0o755)
    words = [trend_prof, "run", "--study", folder / "memory.trend", "--fresh", "--no-time", "-j1", *options, "--param", "n=1", "--",
             "./timed.sh", "{n}", *command]
    done = subprocess.run(words, cwd=folder, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if done.returncode:
        raise Failed(done.stdout)
    return seconds(times)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("cache", type=Path)
    parser.add_argument("--trend-prof", type=Path, default=HERE.parent / "target" / "release" / "trend-prof")
    parser.add_argument("--repetitions", type=int, default=7)
    parser.add_argument("--only", default="")
    options = parser.parse_args()
    options.cache.mkdir(parents=True, exist_ok=True)
    bench = Bench(options.cache.resolve(), options.trend_prof.resolve())
    print("| program | without counters | counted | with memory by line | of counted | added to without counters |")
    print("|---|---:|---:|---:|---:|---:|", flush=True)
    for work in works():
        if options.only not in work.title:
            continue
        try:
            with_counters, without = bench.built(work.build), plain(bench, work.build)
        except (Failed, NotObtainable) as error:
            print(f"{work.title}: left out: {error}", file=sys.stderr)
            continue
        with tempfile.NamedTemporaryFile() as file:
            file.write(work.input)
            file.flush()
            command = [word.replace("{input}", file.name) for word in work.command]
            turns = []
            for turn in range(options.repetitions + 1):
                one = (natively(without, command), counted(bench.trend_prof, with_counters, command, []),
                       counted(bench.trend_prof, with_counters, command, ["--memory-by-line"]))
                # The first turn reads everything from the disk.
                if turn:
                    turns.append(one)
        medians = [statistics.median(column) for column in zip(*turns)]
        ratios = [statistics.median(watched / counts for _, counts, watched in turns),
                  statistics.median(1 + (watched - counts) / alone for alone, counts, watched in turns)]
        print(f"| {work.title} | " + " | ".join(f"{m:.2f} s" for m in medians) + " | " + " | ".join(f"{r:.2f}" for r in ratios) + " |",
              flush=True)


if __name__ == "__main__":
    main()
