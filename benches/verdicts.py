#!/usr/bin/env python3
"""Measures how often `trend-prof check` changes its verdict about a program whose counts differ from run to run.

    benches/verdicts.py [--times 200] [--sizes '100..100000 x12'] [--until-decided] [--trend-prof target/release/trend-prof]

A C program fills a hash table with a salted hash and sorts by random pivots, both from getrandom, so that no two runs
count the same. It is measured again and checked the given number of times, while twice as many processes as the
machine has cores keep it busy. With `--until-decided`, `check` runs the sizes that would decide undecided verdicts.
Prints a row per expectation with the number of times each verdict was given. The expectations are chosen to be far
from the truth, close to it, and broken.
"""

import argparse
import collections
import json
import os
import pathlib
import subprocess
import tempfile
import time

PROGRAM = r"""
#include <stdint.h>
#include <stdlib.h>
#include <sys/random.h>

static uint64_t state;
static uint64_t drawn(void) { return state = state * 6364136223846793005u + 1442695040888963407u, state >> 33; }

struct entry { uint64_t key; struct entry *next; };

/* A chained table of as many buckets as keys. */
static void fill(struct entry **table, struct entry *entries, long n, uint64_t salt) {
    for (long i = 0; i < n; i++) {
        uint64_t hash = ((uint64_t)i ^ salt) * 0x9e3779b97f4a7c15u;
        struct entry **last = &table[(hash >> 20) % (uint64_t)n];
        while (*last)
            last = &(*last)->next;
        entries[i] = (struct entry){i, 0};
        *last = &entries[i];
    }
}

static void quicksort(long *a, long n) {
    while (n > 1) {
        long pivot = a[drawn() % (uint64_t)n], i = 0, j = n - 1;
        while (i <= j) {
            while (a[i] < pivot) i++;
            while (a[j] > pivot) j--;
            if (i <= j) { long t = a[i]; a[i++] = a[j]; a[j--] = t; }
        }
        quicksort(a, j + 1);
        a += i;
        n -= i;
    }
}

int main(int argc, char **argv) {
    long n = atol(argv[1]);
    uint64_t salt;
    if (getrandom(&state, sizeof state, 0) < 0 || getrandom(&salt, sizeof salt, 0) < 0) return 1;
    struct entry **table = calloc(n, sizeof *table), *entries = calloc(n, sizeof *entries);
    fill(table, entries, n, salt);
    long *a = malloc(n * sizeof *a);
    for (long i = 0; i < n; i++) a[i] = (long)(drawn() % (uint64_t)n);
    quicksort(a, n);
    return 0;
}
"""

EXPECTED = [
    ("fill", "<= n log n"),
    ("fill", "<= n"),
    ("fill", "<= n^0.5"),
    ("quicksort", "<= n^2"),
    ("quicksort", "<= n^1.5"),
    ("quicksort", "<= n log n"),
    ("quicksort", "<= n"),
]


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--times", type=int, default=200)
    arguments.add_argument("--sizes", default="100..100000 x12")
    arguments.add_argument("--until-decided", action="store_true")
    arguments.add_argument("--trend-prof", default="target/release/trend-prof")
    arguments = arguments.parse_args()
    trend_prof = str(pathlib.Path(arguments.trend_prof).resolve())
    with tempfile.TemporaryDirectory(prefix="trend-prof-verdicts-") as folder:
        measured(trend_prof, pathlib.Path(folder), arguments)


def measured(trend_prof, folder, arguments):
    times, sizes = arguments.times, arguments.sizes
    until = ["--until-decided"] if arguments.until_decided else []
    (folder / "work.c").write_text(PROGRAM)
    expected = "".join(f'[[expect]]\nfunction = "{name}"\ngrowth = "{growth}"\n' for name, growth in EXPECTED)
    (folder / "trend-prof.toml").write_text(
        f'[program]\ncommand = ["./work", "{{n}}"]\n[workloads]\nparameters = {{ n = "{sizes}" }}\n' + expected
    )

    def call(*words):
        return subprocess.run([trend_prof, *words], cwd=folder, capture_output=True, text=True)

    built = call("build", "--", "cc", "-O1", "-o", "work", "work.c")
    assert built.returncode == 0, built.stderr
    load = [subprocess.Popen(["sh", "-c", "while :; do :; done"]) for _ in range(2 * os.cpu_count())]
    verdicts, codes, begin = collections.defaultdict(collections.Counter), collections.Counter(), time.monotonic()
    try:
        for i in range(times):
            ran = call("run", "--fresh", "--no-build", "--no-time")
            assert ran.returncode == 0, ran.stderr
            checked = call("check", *until, "--format", "json")
            codes[checked.returncode] += 1
            for judged in json.loads(checked.stdout)["expectations"]:
                name, limit = judged["expectation"]["subject"]["name"], judged["expectation"]["limit"]["limit"]
                verdicts[name, limit][judged["judgement"]] += 1
    finally:
        for process in load:
            process.kill()
            process.wait()
    took = time.monotonic() - begin
    print(f"n = {sizes}: {times} times in {took:.0f} s, load average {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
    print("\n| function | expected | holds | undecided | broken | differ |\n|---|---|---|---|---|---|")
    for name, limit in EXPECTED:
        counts = verdicts[name, limit]
        words = [str(counts[word]) for word in ("holds", "undecided", "broken")]
        differ = times - max(counts.values())
        print(f"| {name} | `{limit}` | {' | '.join(words)} | {differ} |")
    print("\nexit codes:", ", ".join(f"{code}: {count}" for code, count in sorted(codes.items())))


if __name__ == "__main__":
    main()
