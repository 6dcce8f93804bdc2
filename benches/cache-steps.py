#!/usr/bin/env python3
"""Sums a matrix by rows and by columns across all caches, and compares the predictions of `trend-prof` for larger ones
with the truth.

    benches/cache-steps.py [--trend-prof PATH]

Each study has matrices up to one size, from the smallest cache's capacity to beyond all caches. For matrices with two
and three times as many rows and columns, the predicted time must be within 25 % of the truth or doubted by `cache`,
whatever other doubts there are. Sums by columns must be doubted somewhere. Prints a table in Markdown; exits with 1
if a condition fails. Takes some minutes on a quiet machine. Needs gcc and a build of trend-prof.
"""

import argparse
import json
import resource
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

PROGRAM = """#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(int c, char **v) {
    long n = atol(strrchr(v[1], '-') + 1), rounds = atol(v[3]), pitch = n + 8;
    int by_rows = !strcmp(v[2], "rows");
    double *m = malloc(n * pitch * sizeof(double)), sum = 0;
    for (long i = 0; i < n * pitch; i++)
        m[i] = i;
    for (long r = 0; r < rounds; r++)
        for (long i = 0; i < n; i++)
            for (long j = 0; j < n; j++)
                sum += by_rows ? m[i * pitch + j] : m[j * pitch + i];
    return c < 4 || sum == 42;
}
"""
LARGEST = [120, 250, 500, 1000, 2000, 4000]  # rows and columns: 115 kB to 128 MB
ADDITIONS = 4e8  # in the largest run
TIMES = [2, 3]
WRONG = 0.25


def truth(folder, words, repeat=3):
    """Returns the median processor time in seconds."""
    seconds = []
    for _ in range(repeat):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(words, cwd=folder, check=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        seconds.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return statistics.median(seconds)


def studied(trend_prof, folder, order, largest):
    """Returns the prediction and the truth for each multiple of the largest size."""
    rounds = max(1, round(ADDITIONS / largest ** 2))
    inputs = folder / f"{order}-{largest}"
    inputs.mkdir()
    # For workloads that are files, no run of three times the largest size is made.
    for size in (round(largest * 10 ** (-i / 8)) for i in range(9)):
        (inputs / f"n-{size}").write_text("x")
    study = folder / f"{order}-{largest}.trend"
    (folder / "trend-prof.toml").write_text(
        f'[program]\ncommand = ["./matrix", "{{input}}", "{order}", "{rounds}"]\n[workloads]\nfiles = "{inputs.name}/*"\n'
        "[features]\nn = { path = 'n-(\\d+)' }\n")
    subprocess.run([trend_prof, "-q", "run", "--study", study], cwd=folder, check=True)
    for times in TIMES:
        at = times * largest
        said = subprocess.run([trend_prof, "show", "--format", "json", "--at", f"n={at}", study], cwd=folder, check=True,
                              stdout=subprocess.PIPE).stdout
        answer = json.loads(said)["answer"]
        yield at, answer.get("time"), truth(folder, ["./plain", f"n-{at}", order, str(rounds)], 1 if times > 2 else 3)


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--trend-prof", type=Path, default=Path("target/release/trend-prof"))
    arguments.add_argument("--largest", type=int, nargs="+", default=LARGEST, help="rows and columns of each study's largest matrix")
    arguments.add_argument("--orders", nargs="+", default=["rows", "columns"])
    arguments = arguments.parse_args()
    trend_prof = arguments.trend_prof.absolute()
    wrong, doubted = [], set()
    print("| sum by | up to | at | truth | said | error | doubts |\n|---|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        (folder / "matrix.c").write_text(PROGRAM)
        subprocess.run([trend_prof, "-q", "build", "--", "gcc", "-O1", "-o", "matrix", "matrix.c"], cwd=folder, check=True)
        subprocess.run(["gcc", "-O1", "-o", "plain", "matrix.c"], cwd=folder, check=True)
        for order in arguments.orders:
            for largest in arguments.largest:
                for at, said, seconds in studied(trend_prof, folder, order, largest):
                    megabytes = [f"{8 * n * n / 1e6:.1f} MB" for n in (largest, at)]
                    if said is None:
                        wrong.append(f"{order} of {largest}: nothing was timed")
                        continue
                    error = said["seconds"] / seconds - 1
                    print(f"| {order} | {megabytes[0]} | {megabytes[1]} | {seconds:.2f} s | {said['seconds']:.2f} s | {error:+.0%} |"
                          f" {', '.join(said['doubts'])} |", flush=True)
                    if "cache" in said["doubts"]:
                        doubted.add(order)
                    if "cache" not in said["doubts"] and abs(error) > WRONG:
                        wrong.append(f"{order} of {largest} at {at}: {error:+.0%} and no step")
    if "columns" in arguments.orders and "columns" not in doubted:
        wrong.append("no step was seen")
    print("\n" + ("\n".join(wrong) if wrong else "Where no step was seen, all were right within 25 %."))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
