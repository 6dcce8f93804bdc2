#!/usr/bin/env python3
"""What the probe of routines costs: processor time and memory of the same work without it and with it.

    benches/probe.py --bzip2 FOLDER [--trend-prof PATH] [--megabytes 19] [--repetitions 5]

Sorts 2 million ints eight times by a quicksort of its own, four times by libc's qsort with a callback, and compresses text
with bzip2 -9 (FOLDER has its sources, as `examples/bzip2/fetch.sh` leaves them). Each is built by clang-22 -O2 without the
probe, with it, with counters of blocks as well, and with `--metric drms`. The builds take turns; printed, as a table in Markdown, is the fastest of the
repetitions in seconds of processor time, how many times as long that is as without the probe, and the peak of memory.
Needs trend-probe beside trend-prof. Takes about two minutes on two cores.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parent.parent
BZIP2 = [f"{name}.c" for name in "blocksort bzip2 bzlib compress crctable decompress huffman randtable".split()]
QUICKSORT = """
#include <stdio.h>
#include <stdlib.h>
static void sort(int *a, int n) {
    while (n > 16) {
        int pivot = a[n / 2], i = -1, j = n;
        for (;;) {
            do i++; while (a[i] < pivot);
            do j--; while (a[j] > pivot);
            if (i >= j) break;
            int t = a[i]; a[i] = a[j]; a[j] = t;
        }
        sort(a, j + 1);
        a += j + 1; n -= j + 1;
    }
    for (int i = 1; i < n; i++) { int x = a[i], j = i; for (; j > 0 && a[j - 1] > x; j--) a[j] = a[j - 1]; a[j] = x; }
}
int main(void) {
    int n = 2000000, *a = malloc(n * sizeof *a); unsigned x = 1; long sum = 0;
    for (int round = 0; round < 8; round++) {
        for (int i = 0; i < n; i++) { x = x * 1664525 + 1013904223; a[i] = x >> 4; }
        sort(a, n); sum += a[n / 2];
    }
    printf("%ld\\n", sum); return 0;
}
"""
QSORT = """
#include <stdio.h>
#include <stdlib.h>
static int compare(const void *a, const void *b) { int x = *(const int *)a, y = *(const int *)b; return (x > y) - (x < y); }
int main(void) {
    int n = 2000000, *a = malloc(n * sizeof *a); unsigned x = 1; long sum = 0;
    for (int round = 0; round < 4; round++) {
        for (int i = 0; i < n; i++) { x = x * 1664525 + 1013904223; a[i] = x >> 4; }
        qsort(a, n, sizeof *a, compare); sum += a[n / 2];
    }
    printf("%ld\\n", sum); return 0;
}
"""
KINDS = {
    "without": None,
    "rms": ["--probe", "routines"],
    "rms+blocks": ["--probe", "routines,blocks"],
    "drms": ["--probe", "routines", "--metric", "drms"],
}


def variables(record):
    return dict(os.environ, TREND_PROF_RECORD=str(record), LLVM_PROFILE_FILE=str(record / "blocks.profraw"))


def measured(command, folder, record):
    """Seconds of processor time of a run that records into `record`, and a digest of what it prints."""
    for old in record.iterdir():
        old.unlink()
    with tempfile.TemporaryFile() as output:
        process = subprocess.Popen(
            command, cwd=folder, stdout=output, env=variables(record))
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            sys.exit(f"{command[0]} ended with {process.returncode}")
        output.seek(0)
        return usage.ru_utime + usage.ru_stime, hash(output.read())


def peak(command, folder, record):
    """Megabytes of memory. What the kernel says of a child that ended begins with the memory of this process."""
    process = subprocess.Popen(
        command, cwd=folder, stdout=subprocess.DEVNULL, env=variables(record))
    most = 0
    while process.poll() is None:
        try:
            status = Path(f"/proc/{process.pid}/status").read_text()
            if f"Name:\t{Path(command[0]).name[:15]}\n" in status and "VmHWM" in status:
                most = max(most, int(status.split("VmHWM:")[1].split()[0]) / 1024)
        except OSError:
            pass
        time.sleep(0.01)
    return most


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bzip2", type=Path, required=True)
    parser.add_argument("--trend-prof", type=Path, default=REPOSITORY / "target/release/trend-prof")
    parser.add_argument("--megabytes", type=int, default=19)
    parser.add_argument("--repetitions", type=int, default=5)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        record = folder / "record"
        record.mkdir()
        (folder / "quicksort.c").write_text(QUICKSORT)
        (folder / "qsort.c").write_text(QSORT)
        text = b"".join(path.read_bytes() for path in sorted(REPOSITORY.glob("crates/**/*.rs")))
        size = arguments.megabytes * 10**6
        (folder / "text").write_bytes((text * (size // len(text) + 1))[:size])
        programs = {
            "quicksort, 8 × 2 M ints": ("quicksort", ["quicksort.c"], []),
            "libc's qsort, 4 × 2 M ints": ("qsort", ["qsort.c"], []),
            f"bzip2 -9, {arguments.megabytes} MB of text":
                ("bzip2", [str(arguments.bzip2.resolve() / name) for name in BZIP2], ["-9c", "text"]),
        }
        print("| | " + " | ".join(KINDS) + " |")
        print("|---|" + "---|" * len(KINDS))
        for title, (name, sources, words) in programs.items():
            for kind, options in KINDS.items():
                compiler = ["clang-22", "-O2", "-w", *sources, "-o", f"{name}-{kind}"]
                if options is not None:
                    compiler = [str(arguments.trend_prof), "build", *options, "--", *compiler]
                subprocess.run(compiler, cwd=folder, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
            best = {kind: float("inf") for kind in KINDS}
            outputs = set()
            for _ in range(arguments.repetitions):
                for kind in KINDS:
                    seconds, output = measured([f"./{name}-{kind}", *words], folder, record)
                    best[kind] = min(best[kind], seconds)
                    outputs.add(output)
            if len(outputs) != 1:
                sys.exit(f"{name}: outputs differ")
            cells = [
                f"{s:.2f} s, {s / best['without']:.2f} ×, {peak([f'./{name}-{kind}', *words], folder, record):.0f} MB"
                for kind, s in best.items()
            ]
            print(f"| {title} | " + " | ".join(cells) + " |", flush=True)


if __name__ == "__main__":
    main()
