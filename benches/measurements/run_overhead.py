"""Measures the overhead of `trend-prof run` on top of the runs themselves.

    benches/run.py run-overhead [--runs 300] [--repetitions 7] [--milliseconds 5]

Builds a small program with counters whose run takes about 5 ms and runs it 300 times, two at once: under `trend-prof
run`, and in a plain shell loop (`xargs -P2`). The two take turns. Prints the ratio of their median times, and fails
if it is above the goal. On a busy machine the ratio says little; compare the fastest of each then.
"""

import statistics
import subprocess
import tempfile
import time
from pathlib import Path

GOAL = 1.2

PROGRAM = r"""
#include <stdio.h>
#include <stdlib.h>

static unsigned scramble(unsigned x) {
    x ^= x << 13;
    x ^= x >> 17;
    return x & 1 ? x ^ x << 5 : x + 7;
}

int main(int argc, char **argv) {
    unsigned x = 2463534242u;
    long steps = argc > 2 ? atol(argv[1]) + atol(argv[2]) : 0;
    for (long k = 0; k < steps; k++) x = scramble(x);
    printf("%u\n", x);
    return 0;
}
"""


def timed(command, **options):
    start = time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, **options)
    return time.perf_counter() - start


def steps_for(milliseconds, folder):
    """Returns the number of steps for which a run of the program lasts that long, process start included."""
    low, high = 1_000, 100_000_000
    while high - low > low // 50:
        middle = (low + high) // 2
        seconds = min(timed(["./program", str(middle), "0"], cwd=folder) for _ in range(5))
        low, high = (middle, high) if seconds * 1000 < milliseconds else (low, middle)
    return low


def arguments(parser):
    parser.add_argument("--runs", type=int, default=300)
    parser.add_argument("--repetitions", type=int, default=7)
    parser.add_argument("--milliseconds", type=float, default=5)


def main(options):
    trend_prof = options.trend_prof
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "program.c").write_text(PROGRAM)
        build = [trend_prof, "build", "--update", "single", "--", "cc", "-O1", "-o", "program", "program.c"]
        subprocess.run(build, cwd=folder, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        steps = str(steps_for(options.milliseconds, folder))
        single = statistics.median(timed(["./program", steps, "0"], cwd=folder) for _ in range(20))
        print(f"one run: {single * 1000:.2f} ms, {steps} steps")

        ids = [str(k) for k in range(1, options.runs + 1)]
        loops, studies = [], []
        for repetition in range(options.repetitions):
            loops.append(
                timed(["xargs", "-P2", "-n1", "./program", steps], cwd=folder, input="\n".join(ids).encode())
            )
            study = f"{repetition}.trend"
            studies.append(
                timed(
                    [trend_prof, "-q", "run", "-j2", "--study", study, "--param", "k=" + ",".join(ids)]
                    + ["--", "./program", steps, "{k}"],
                    cwd=folder,
                    stdin=subprocess.DEVNULL,
                )
            )
            print(f"  shell loop {loops[-1]:.3f} s, trend-prof run {studies[-1]:.3f} s")

    loop, study = statistics.median(loops), statistics.median(studies)
    ratio = study / loop
    print(f"fastest: shell loop {min(loops):.3f} s, trend-prof run {min(studies):.3f} s, {min(studies) / min(loops):.2f}")
    print(f"median of {options.repetitions}: shell loop {loop:.3f} s, trend-prof run {study:.3f} s")
    print(f"ratio {ratio:.2f} (goal: at most {GOAL})")
    return 0 if ratio <= GOAL else 1
