#!/usr/bin/env python3
"""Measures the cost of sampling: processor time of sampled runs relative to timed runs.

    benches/sampling.py [--trend-prof PATH] [--repetitions 7]

There are two programs, one with a single thread and one with eight threads that allocate and free. The longest of
several sizes takes about a fifth of a second, because longer runs are sampled while they are timed. Each repetition
is a separate study. Prints a table in Markdown of medians. Needs gcc and permission to sample
(`kernel.perf_event_paranoid` is 2 or less).
"""

import argparse
import json
import statistics
import subprocess
import tempfile
from pathlib import Path

PROGRAM = r"""
#include <pthread.h>
#include <stdlib.h>
static long n;
static void *work(void *sum) {
    void *all[64] = {0};
    for (long i = 0; i < n; i++) {
        void **one = &all[i * 2654435761u >> 7 & 63];
        free(*one);
        *one = malloc(16 + (i & 255));
        *(volatile long *)sum += (long)*one;
    }
    return NULL;
}
int main(int count, char **words) {
    int threads = atoi(words[2]);
    /* Each in a cache line of its own. */
    struct { _Alignas(128) long sum; } of[64] = {0};
    pthread_t all[64];
    n = atol(words[1]) * 1000 / threads;
    for (int i = 1; i < threads; i++) pthread_create(&all[i], NULL, work, &of[i].sum);
    work(&of[0].sum);
    for (int i = 1; i < threads; i++) pthread_join(all[i], NULL);
    return count != 3;
}
"""


def measured(trend_prof, folder, threads, largest):
    """Returns the longest sampled run from the findings."""
    sizes = json.dumps([max(1, round(largest * 10 ** (-i / 5))) for i in range(8)])
    (folder / "trend-prof.toml").write_text(
        f'[program]\ncommand = ["./work", "{{n}}", "{threads}"]\n[workloads]\nparameters = {{ n = {sizes} }}\n'
        "[features]\nn = { parameter = 'n' }\n")
    subprocess.run([trend_prof, "-q", "run", "--fresh", "--study", "work.trend"], cwd=folder, check=True)
    said = subprocess.run([trend_prof, "show", "--format", "json", "work.trend"], cwd=folder, check=True, stdout=subprocess.PIPE).stdout
    return json.loads(said)["answer"]["time_parts"]["run"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--trend-prof", type=Path, default=Path("target/release/trend-prof"))
    parser.add_argument("--repetitions", type=int, default=7)
    options = parser.parse_args()
    trend_prof = options.trend_prof.absolute()
    print("| threads | timed | samples | lost | sampled ÷ timed |\n|---:|---:|---:|---:|---:|", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        (folder / "work.c").write_text(PROGRAM)
        subprocess.run([trend_prof, "-q", "build", "--", "gcc", "-O2", "-pthread", "-o", "work", "work.c"], cwd=folder, check=True)
        for threads in (1, 8):
            runs = [measured(trend_prof, folder, threads, 6_000) for _ in range(options.repetitions)]
            median = lambda of: statistics.median(of(run) for run in runs)
            print(f"| {threads} | {median(lambda r: r['seconds']):.2f} s | {median(lambda r: r['samples']):.0f} |"
                  f" {median(lambda r: r['lost']):.0f} | {median(lambda r: r['sampled_seconds'] / r['seconds']):.3f} |", flush=True)


if __name__ == "__main__":
    main()
