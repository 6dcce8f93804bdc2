#!/usr/bin/env python3
"""Times trend-prof and NumPy on the same counts in the same run.

    compare.py same    [--trend-prof PATH] [--python PATH] [--plain]   the same work, and everything
    compare.py growth  [--trend-prof PATH] [--python PATH]             time per count from 1k to 1M locations

Makes the counts with generate.py in --folder (target/scale) and reuses them the next time. Every program runs alone,
three times one after the other (`growth`: 4 to 20 times), and the fastest is reported. A busy machine shows in `wall`
and less in `cpu`, both in seconds.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
SAME_WORK = ["--intervals", "percentile", "--no-growth"]


def run(command):
    """Returns seconds, processor seconds and peak memory of a command that must succeed."""
    with tempfile.TemporaryFile() as out:
        start = time.perf_counter()
        process = subprocess.Popen([str(word) for word in command], stdout=out, stderr=subprocess.DEVNULL)
        _, status, usage = os.wait4(process.pid, 0)
        wall = time.perf_counter() - start
        if status:
            sys.exit(f"{' '.join(map(str, command))} failed")
        out.seek(0)
        text = out.read()
    cpu = usage.ru_utime + usage.ru_stime
    return {"wall": wall, "cpu": cpu, "user": usage.ru_utime, "peak_mib": usage.ru_maxrss / 1024}, text


def least(measured, times=3):
    """Returns the fastest of several runs, with its output."""
    return min((measured() for _ in range(times)), key=lambda result: result[0]["wall"])


def study(args, name, features, **size):
    """Returns counts as arrays and as a study, and makes them if they do not exist."""
    base = args.folder / name
    trend = base.with_suffix(".trend")
    if not trend.exists():
        args.folder.mkdir(parents=True, exist_ok=True)
        options = [word for key, value in size.items() for word in (f"--{key}", value)]
        run([args.python, HERE / "generate.py", base, "--features", len(features), *options])
        csv = base.with_suffix(".csv")
        run([args.trend_prof, "import", "csv", csv, "--features", ",".join(features), "--study", trend])
        csv.unlink()
    return base.with_suffix(".npz"), trend


def show(args, trend, form, *options, times=3):
    return least(lambda: run([args.trend_prof, "show", trend, "--format", form, *options]), times)


def line(what, measured, best=None):
    ratio = f"{measured['cpu'] / best['cpu']:.1f} ({measured['wall'] / best['wall']:.1f})" if best else ""
    print(f"| {what} | {measured['wall']:.2f} | {measured['cpu']:.2f} | {measured['peak_mib']:.0f} | {ratio} |", flush=True)


def same(args):
    counts, one = study(args, "one-feature", ["bytes"])
    _, three = study(args, "three-features", ["bytes", "lines", "depth"])
    print("| what | wall, s | cpu, s | peak, MiB | times the cpu (wall) of trend-prof |\n|---|---:|---:|---:|---:|")
    ours, _ = show(args, one, "csv", *SAME_WORK)
    line("trend-prof, the same work", ours)
    more, text = show(args, one, "json", *SAME_WORK)
    line("trend-prof, models of functions and JSON as well", more)
    blocked, peer = least(lambda: run([args.python, HERE / "peer.py", counts, "--block", 128]))
    line("NumPy, products of matrices", blocked, ours)
    if args.plain:
        line("NumPy, row by row", least(lambda: run([args.python, HERE / "peer.py", counts]))[0], ours)
    line("trend-prof, three features, growth classes", show(args, three, "json")[0])
    found = json.loads(text)
    clusters = sum(cluster["representative"]["kind"] == "location" for cluster in found["clusters"])
    print(f"\n{clusters} clusters; NumPy finds {json.loads(peer)['clusters']}")


def growth(args):
    print("| locations | the same work: ns per count on the clock | ns cpu | of these in the program | peak, MiB "
          "| with growth classes: ns cpu per count | peak, MiB |")
    print("|---:|---:|---:|---:|---:|---:|---:|")
    for locations in args.locations:
        # As in the program of the other table, two thirds vary, and there is one cluster in 22 locations.
        size = {"locations": locations, "workloads": 200, "varying": locations * 2 // 3, "clusters": locations // 22}
        counts, trend = study(args, f"{locations}-locations", ["bytes"], **size)
        counts.unlink(missing_ok=True)
        same, _ = show(args, trend, "csv", *SAME_WORK, times=max(4, min(20, 400_000 // locations)))
        more, _ = show(args, trend, "json", times=1)
        per_count = [same["wall"], same["cpu"], same["user"], more["cpu"]]
        cells = [f"{seconds * 1e9 / (locations * 2 // 3 * 200):.0f}" for seconds in per_count]
        cells.insert(3, f"{same['peak_mib']:.0f}")
        cells = [str(locations), *cells, f"{more['peak_mib']:.0f}"]
        print("|", " | ".join(cells), "|", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["same", "growth"])
    parser.add_argument("--trend-prof", type=Path, default=HERE.parents[1] / "target/release/trend-prof")
    parser.add_argument("--python", default=sys.executable)
    parser.add_argument("--folder", type=Path, default=HERE.parents[1] / "target/scale")
    parser.add_argument("--plain", action="store_true", help="also NumPy row by row, which takes minutes")
    parser.add_argument("--locations", type=int, nargs="+", default=[1000, 10_000, 33_000, 100_000, 1_000_000])
    args = parser.parse_args()
    {"same": same, "growth": growth}[args.what](args)


if __name__ == "__main__":
    main()
