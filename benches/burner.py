#!/usr/bin/env python3
"""Measures the effect of a busy machine on the seconds that `trend-prof` predicts.

    benches/burner.py [--trend-prof PATH] [--rounds N]

One program is studied on one processor in three situations: while nothing else runs, while a program that never rests
runs on the other processor, and while it runs on the same one. The predictions must agree with the quiet one within
the intervals, or report that the machine was busy. Prints a table in Markdown; exits with 1 if an answer does
neither. Needs gcc, two processors, and a build of trend-prof.
"""

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path

# A program that works for n and uses memory that grows with n, so that caches matter.
PROGRAM = """#include <stdlib.h>
int main(int c, char **v) {
    long n = atol(v[1]), sum = 0;
    unsigned *p = malloc(n * 16 * sizeof(unsigned)), at = 1;
    for (long i = 0; i < n * 16; i++)
        p[i] = i;
    for (long i = 0; i < n * 400; i++) {
        at = at * 1103515245 + 12345;
        sum += p[at % (n * 16)] ^ i;
    }
    return sum == 42;
}
"""
SIZES = "n=1000..100000x9"
AT = "n=1000000"
OWN, OTHER = 0, 1  # processors
PLACES = {"nowhere": None, "on the other processor": OTHER, "on the same processor": OWN}


def studied(trend_prof, folder, name, burner):
    """Returns the answer while a burner runs on a processor, or on none."""
    study = folder / f"{name}.trend"
    burns = burner is not None and subprocess.Popen(["taskset", "-c", str(burner), "sh", "-c", "while :; do :; done"])
    try:
        subprocess.run(["taskset", "-c", str(OWN), trend_prof, "-q", "run", "--jobs", "1", "--study", study, "--param", SIZES, "--",
                        "./work", "{n}"], cwd=folder, check=True)
    finally:
        if burns:
            burns.kill()
            burns.wait()
    said = subprocess.run([trend_prof, "show", "--format", "json", "--at", AT, study], cwd=folder, check=True, stdout=subprocess.PIPE)
    return json.loads(said.stdout)["answer"]["time"]


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--trend-prof", type=Path, default=Path("target/release/trend-prof"))
    arguments.add_argument("--rounds", type=int, default=3)
    arguments = arguments.parse_args()
    trend_prof, bad = arguments.trend_prof.absolute(), 0
    print("| burner | said | to the quiet one | elapsed ÷ processor time | doubts | the same, or busy |\n|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        (folder / "work.c").write_text(PROGRAM)
        subprocess.run([trend_prof, "-q", "build", "--", "gcc", "-O1", "-o", "work", "work.c"], cwd=folder, check=True)
        for number in range(arguments.rounds):
            quiet = None
            for place, burner in PLACES.items():
                time = studied(trend_prof, folder, f"{number}-{burner}", burner)
                quiet = quiet or time
                (low, high), (quiet_low, quiet_high) = time["ci"], quiet["ci"]
                is_same = low <= quiet["seconds"] <= high and quiet_low <= time["seconds"] <= quiet_high
                is_fine = is_same or "disturbed" in time["doubts"]
                bad += not is_fine
                print(f"| {place} | {time['seconds']:.2f} s ({low:.2f}–{high:.2f}) | {time['seconds'] / quiet['seconds'] - 1:+.0%} |"
                      f" {time['elapsed']:.2f} | {', '.join(time['doubts'])} | {'yes' if is_fine else '**no**'} |", flush=True)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
