#!/usr/bin/env python3
"""Measures how often `trend-prof check` changes its verdict about a program whose counts differ from run to run.

    benches/verdicts.py [--program c|hashes|pivots] [--times 200] [--sizes '100..100000 x12'] [--busy N]
                        [--until-decided] [--trend-prof target/release/trend-prof]

A C program fills a hash table with a salted hash and sorts by random pivots, both from getrandom, so that no two runs
count the same. It is measured again and checked the given number of times, while twice as many processes as the
machine has cores keep it busy. With `--until-decided`, `check` runs the sizes that would decide undecided verdicts.
Prints a row per expectation with the number of times each verdict was given. The expectations are chosen to be far
from the truth, close to it, and broken.

`--program hashes` is a Rust program that fills a table with the hash function of `HashMap`, with a new salt in each
run. `--program pivots` is one that sorts by random pivots. Each is run again and checked against the baseline of its
first run the given number of times. Prints the number of times of each exit code.
"""

import argparse
import collections
import contextlib
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

HASHES = r"""
use std::collections::hash_map::RandomState;
use std::hash::BuildHasher;

/// A table of as many buckets as keys, with the hash function of `HashMap`.
struct Table { salt: RandomState, buckets: Vec<Vec<u64>> }

impl Table {
    fn insert(&mut self, key: u64) {
        let bucket = self.salt.hash_one(key) as usize % self.buckets.len();
        for known in &self.buckets[bucket] {
            if *known == key { return; }
        }
        self.buckets[bucket].push(key);
    }
}

fn main() {
    let n: usize = std::env::args().nth(1).unwrap().parse().unwrap();
    let mut table = Table { salt: RandomState::new(), buckets: vec![Vec::new(); n] };
    for _ in 0..2 {
        for key in 0..n as u64 { table.insert(key); }
    }
    println!("{}", table.buckets.iter().map(Vec::len).max().unwrap());
}
"""

PIVOTS = r"""
use std::collections::hash_map::RandomState;
use std::hash::BuildHasher;

struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) as usize % end
    }
}

fn quicksort(of: &mut [u64], random: &mut Random) {
    if of.len() < 2 { return; }
    let end = of.len() - 1;
    of.swap(random.below(of.len()), end);
    let (pivot, mut kept) = (of[end], 0);
    for i in 0..end {
        if of[i] < pivot { of.swap(i, kept); kept += 1; }
    }
    of.swap(kept, end);
    let (low, high) = of.split_at_mut(kept);
    quicksort(low, random);
    quicksort(&mut high[1..], random);
}

fn main() {
    let n: u64 = std::env::args().nth(1).unwrap().parse().unwrap();
    let mut random = Random(RandomState::new().hash_one(n));
    let mut numbers: Vec<u64> = (0..n).collect();
    quicksort(&mut numbers, &mut random);
    println!("{}", numbers.is_sorted());
}
"""

RUST = {"hashes": HASHES, "pivots": PIVOTS}

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
    arguments.add_argument("--program", choices=["c", *RUST], default="c")
    arguments.add_argument("--times", type=int, default=200)
    arguments.add_argument("--busy", type=int, default=2 * os.cpu_count(), help="processes that keep the machine busy")
    arguments.add_argument("--sizes", default="100..100000 x12")
    arguments.add_argument("--until-decided", action="store_true")
    arguments.add_argument("--trend-prof", default="target/release/trend-prof")
    arguments = arguments.parse_args()
    trend_prof = str(pathlib.Path(arguments.trend_prof).resolve())
    with tempfile.TemporaryDirectory(prefix="trend-prof-verdicts-") as folder:
        run = measured if arguments.program == "c" else against_baseline
        run(trend_prof, pathlib.Path(folder), arguments)


def caller(trend_prof, folder):
    def call(*words, codes=(0,)):
        said = subprocess.run([trend_prof, *words], cwd=folder, capture_output=True, text=True)
        assert said.returncode in codes, said.stderr
        return said

    return call


@contextlib.contextmanager
def busy(processes):
    load = [subprocess.Popen(["sh", "-c", "while :; do :; done"]) for _ in range(processes)]
    try:
        yield
    finally:
        for process in load:
            process.kill()
            process.wait()


def against_baseline(trend_prof, folder, arguments):
    (folder / "src").mkdir()
    (folder / "src/main.rs").write_text(RUST[arguments.program])
    (folder / "Cargo.toml").write_text('[package]\nname = "work"\nversion = "0.1.0"\nedition = "2021"\n[workspace]\n')
    (folder / "trend-prof.toml").write_text(
        '[program]\nbuild = "cargo build --release"\ncommand = ["target/release/work", "{n}"]\n'
        f'[workloads]\nparameters = {{ n = "{arguments.sizes}" }}\n'
    )
    call = caller(trend_prof, folder)
    call("run", "--no-time")
    call("check", "--save-baseline", "baseline.json")
    until = ["--until-decided"] if arguments.until_decided else []
    codes, said, begin = collections.Counter(), {}, time.monotonic()
    with busy(arguments.busy):
        for _ in range(arguments.times):
            call("run", "--fresh", "--no-build", "--no-time")
            checked = call("check", *until, "--against", "baseline.json", codes=(0, 1, 2, 3))
            codes[checked.returncode] += 1
            said.setdefault(checked.returncode, checked.stdout or checked.stderr)
    took = time.monotonic() - begin
    print(f"{arguments.program}, n = {arguments.sizes}: {arguments.times} times in {took:.0f} s, load average "
          f"{os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
    print("exit codes:", ", ".join(f"{code}: {count}" for code, count in sorted(codes.items())))
    for code in sorted(codes)[1:]:
        print(f"\nexit code {code} for the first time:\n{said[code]}")


def measured(trend_prof, folder, arguments):
    times, sizes = arguments.times, arguments.sizes
    until = ["--until-decided"] if arguments.until_decided else []
    (folder / "work.c").write_text(PROGRAM)
    expected = "".join(f'[[expect]]\nfunction = "{name}"\ngrowth = "{growth}"\n' for name, growth in EXPECTED)
    (folder / "trend-prof.toml").write_text(
        f'[program]\ncommand = ["./work", "{{n}}"]\n[workloads]\nparameters = {{ n = "{sizes}" }}\n' + expected
    )
    call = caller(trend_prof, folder)
    call("build", "--", "cc", "-O1", "-o", "work", "work.c")
    verdicts, codes, begin = collections.defaultdict(collections.Counter), collections.Counter(), time.monotonic()
    with busy(arguments.busy):
        for i in range(times):
            call("run", "--fresh", "--no-build", "--no-time")
            checked = call("check", *until, "--format", "json", codes=(0, 1, 3))
            codes[checked.returncode] += 1
            for judged in json.loads(checked.stdout)["expectations"]:
                name, limit = judged["expectation"]["subject"]["name"], judged["expectation"]["limit"]["limit"]
                verdicts[name, limit][judged["judgement"]] += 1
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
