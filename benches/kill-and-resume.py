#!/usr/bin/env python3
"""Kills `trend-prof run` with -9 at random moments, resumes it, and compares the study with an undisturbed one.

    benches/kill-and-resume.py [--trend-prof PATH] [--workloads 200] [--kills 20] [--seed 1]

The findings of both studies, as `show --format json` prints them, must be the same bytes.
"""

import argparse
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

PROGRAM = r"""
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    long n = argc > 1 ? atol(argv[1]) : 0, odd = 0, pairs = 0;
    for (long i = 0; i < n; i++) {
        if (i * 2654435761u >> 7 & 1) odd++;
        for (long j = i; j < n; j++) pairs++;
    }
    printf("odd=%ld pairs=%ld\n", odd, pairs);
    return 0;
}
"""

CONFIG = """
[program]
command = ["./program", "{{n}}"]

[workloads]
parameters = {{ n = [{sizes}] }}

[features]
n   = {{ parameter = "n" }}
odd = {{ stdout = 'odd=(\\d+)' }}
"""


def main():
    default = Path(__file__).resolve().parent.parent / "target/release/trend-prof"
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--trend-prof", default=str(default), help="the binary to test")
    options.add_argument("--workloads", type=int, default=200)
    options.add_argument("--kills", type=int, default=20)
    options.add_argument("--seed", type=int, default=1)
    options = options.parse_args()
    trend_prof = os.path.abspath(options.trend_prof)
    chance = random.Random(options.seed)

    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "program.c").write_text(PROGRAM)
        sizes = ", ".join(str(100 + 25 * k) for k in range(options.workloads))
        Path(folder, "trend-prof.toml").write_text(CONFIG.format(sizes=sizes))
        build = [trend_prof, "build", "--", "cc", "-O0", "-o", "program", "program.c"]
        subprocess.run(build, cwd=folder, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

        def start(study):
            return subprocess.Popen(
                [trend_prof, "run", "--study", study],
                cwd=folder,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                start_new_session=True,
            )

        begin = time.perf_counter()
        whole = start("undisturbed.trend")
        _, errors = whole.communicate()
        if whole.returncode != 0:
            print(errors.decode(errors="replace"))
            return 1
        seconds = time.perf_counter() - begin
        print(f"undisturbed: {options.workloads} workloads in {seconds:.2f} s")

        # Short enough that the kills are spread over the whole study.
        kills = 0
        while kills < options.kills:
            run = start("killed.trend")
            delay = chance.uniform(0, 2 * seconds / options.kills)
            try:
                run.communicate(timeout=delay)
                print(f"  finished before kill {kills + 1}")
                break
            except subprocess.TimeoutExpired:
                os.kill(run.pid, signal.SIGKILL)
                run.communicate()
                kills += 1
                print(f"  kill {kills} after {delay * 1000:.0f} ms")
        last = start("killed.trend")
        _, errors = last.communicate()
        if last.returncode != 0:
            print(errors.decode(errors="replace"))
            return 1

        def findings(study):
            show = [trend_prof, "show", study, "--format", "json"]
            return subprocess.run(show, cwd=folder, check=True, stdout=subprocess.PIPE).stdout

        same = findings("undisturbed.trend") == findings("killed.trend")
        print(f"{kills} kills, findings {'the same' if same else 'DIFFER'}, byte for byte")
        return 0 if same and kills == options.kills else 1


if __name__ == "__main__":
    sys.exit(main())
