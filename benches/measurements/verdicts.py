"""Measures how often `trend-prof check` changes its verdict about a program whose counts differ from run to run.

    benches/run.py verdicts [--program c|hashes|pivots] [--times 200] [--sizes '100..100000 x12'] [--busy N]
                            [--until-decided]

A C program fills a hash table with a salted hash and sorts by random pivots, both from getrandom, so that no two runs
count the same. It is measured again and checked the given number of times, while twice as many processes as the
machine has cores keep it busy. With `--until-decided`, `check` runs the sizes that would decide undecided verdicts.
Prints a row per expectation with the number of times each verdict was given. The expectations are chosen to be far
from the truth, close to it, and broken.

`--program hashes` is a Rust program that fills a table with the hash function of `HashMap`, with a new salt in each
run. `--program pivots` is one that sorts by random pivots. Each is run again and checked against the baseline of its
first run the given number of times. Prints the number of times of each exit code.
"""

import collections
import json
import os
import shutil
import time

from shared import PROGRAMS, build_small, busy, call, head, row, scratch

LIMITS = {"fill": ["n log n", "n", "n^0.5"], "quicksort": ["n^2", "n^1.5", "n log n", "n"]}
EXPECTED = [(function, f"<= {growth}") for function, limits in LIMITS.items() for growth in limits]


def prepared(options, folder):
    """Builds the program, and returns the arguments of `check` that judge it."""
    trend_prof, workloads = options.trend_prof, f'[workloads]\nparameters = {{ n = "{options.sizes}" }}\n'
    if options.program == "c":
        build_small("salted.c", folder, "cc -O1 -o work", trend_prof)
        expected = "".join(f'[[expect]]\nfunction = "{name}"\ngrowth = "{growth}"\n' for name, growth in EXPECTED)
        (folder / "trend-prof.toml").write_text(f'[program]\ncommand = ["./work", "{{n}}"]\n{workloads}{expected}')
        return []
    (folder / "src").mkdir()
    shutil.copy(PROGRAMS / f"{options.program}.rs", folder / "src/main.rs")
    (folder / "Cargo.toml").write_text('[package]\nname = "work"\nversion = "0.1.0"\nedition = "2021"\n[workspace]\n')
    (folder / "trend-prof.toml").write_text(
        f'[program]\nbuild = "cargo build --release"\ncommand = ["target/release/work", "{{n}}"]\n{workloads}')
    call([trend_prof, "run", "--no-time"], folder)
    call([trend_prof, "check", "--save-baseline", "baseline.json"], folder)
    return ["--against", "baseline.json"]


def arguments(parser):
    parser.add_argument("--program", choices=["c", "hashes", "pivots"], default="c")
    parser.add_argument("--times", type=int, default=200)
    parser.add_argument("--busy", type=int, default=2 * os.cpu_count(), help="processes that keep the machine busy")
    parser.add_argument("--sizes", default="100..100000 x12")
    parser.add_argument("--until-decided", action="store_true")


def main(options):
    verdicts, codes, said = collections.defaultdict(collections.Counter), collections.Counter(), {}
    with scratch() as folder:
        check = [options.trend_prof, "check", *prepared(options, folder), *(["--until-decided"] if options.until_decided else []),
                 *(["--format", "json"] if options.program == "c" else [])]
        begin = time.monotonic()
        with busy(options.busy):
            for _ in range(options.times):
                call([options.trend_prof, "run", "--fresh", "--no-build", "--no-time"], folder)
                checked = call(check, folder, codes=(0, 1, 2, 3))
                codes[checked.returncode] += 1
                said.setdefault(checked.returncode, checked.stdout or checked.stderr)
                for judged in json.loads(checked.stdout)["expectations"] if options.program == "c" else []:
                    name, limit = judged["expectation"]["subject"]["name"], judged["expectation"]["limit"]["limit"]
                    verdicts[name, limit][judged["judgement"]] += 1
        took = time.monotonic() - begin
    print(f"{options.program}, n = {options.sizes}: {options.times} times in {took:.0f} s, load average "
          f"{os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
    if options.program == "c":
        print()
        head("function", "expected", "holds", "undecided", "broken", "differ")
        for name, limit in EXPECTED:
            counts = verdicts[name, limit]
            row(name, f"`{limit}`", *(counts[word] for word in ("holds", "undecided", "broken")),
                options.times - max(counts.values(), default=0))
    print("\nexit codes:", ", ".join(f"{code}: {count}" for code, count in sorted(codes.items())))
    for code in sorted(codes)[1:] if options.program != "c" else []:
        print(f"\nexit code {code} for the first time:\n{said[code]}")
