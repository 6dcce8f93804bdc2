#!/usr/bin/env python3
"""Measures the cost of watching all loops: processor time of the same work without it, with it, and with the probe of
routines as well.

    benches/loops.py --bzip2 FOLDER [--trend-probe PATH] [--repetitions 5] [--only NAME]
    benches/loops.py --functions 2500 [--trend-prof PATH]

Sorts 2 million ints eight times by its own quicksort, compresses 19 MB of text with bzip2 -9 (FOLDER has its sources,
as left by `examples/bzip2/fetch.sh`), convolves an image with a 3x3 kernel 300 times, and multiplies 5 million pairs
of 4x4 matrices whose size the compiler does not know. Each is built by clang-22 -O2 without the probe, with loops,
with routines, and with both. The builds take turns. Prints a table in Markdown with the fastest repetition in seconds
of processor time, the median of the ratios to the build without the probe in the same turn, and the size of the
record. Outputs are compared. Takes about two minutes on two cores.

With `--functions`, builds a program of that many functions with four loops each and runs it at eight sizes instead.
Prints the seconds that `trend-prof build`, `run` and `loops` take.
"""

import argparse
import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from probe import BZIP2, QUICKSORT  # noqa: E402

CONVOLUTION = """
#include <stdio.h>
static float in[1030][1030], out[1030][1030], kernel[3][3] = {{1, 2, 1}, {2, 4, 2}, {1, 2, 1}};
__attribute__((noinline)) void convolve(int h, int w) {
    for (int y = 1; y < h - 1; y++) for (int x = 1; x < w - 1; x++) {
        float s = 0;
        for (int i = 0; i < 3; i++) for (int j = 0; j < 3; j++) s += in[y + i - 1][x + j - 1] * kernel[i][j];
        out[y][x] = s;
    }
}
int main(void) {
    for (int i = 0; i < 1024; i++) for (int j = 0; j < 1024; j++) in[i][j] = i * j % 7;
    for (int r = 0; r < 300; r++) { convolve(1024, 1024); in[r % 1024][5] = out[7][r % 1024]; }
    printf("%g\\n", out[511][300]); return 0;
}
"""
MATRICES = """
#include <stdio.h>
#include <stdlib.h>
__attribute__((noinline)) void multiply(const double *a, const double *b, double *c, int n) {
    for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) {
        double s = 0;
        for (int k = 0; k < n; k++) s += a[i * n + k] * b[k * n + j];
        c[i * n + j] = s;
    }
}
int main(int count, char **arguments) {
    int n = count > 1 ? atoi(arguments[1]) : 4;
    double a[256], b[256], c[256], s = 0;
    for (int i = 0; i < 256; i++) a[i] = i % 7, b[i] = i % 5 * 0.1;
    for (int r = 0; r < 5000000; r++) { multiply(a, b, c, n); a[r % 16] = c[r % 15] * 0.01; s += c[3]; }
    printf("%g\\n", s); return 0;
}
"""
FOUR_LOOPS = """
__attribute__((noinline)) static long f{number}(int n) {{
    long s = {number};
    for (int i = 0; i < n; i++) for (int j = 0; j < i; j++) s += i ^ j;
    for (int k = 1; k < n; k *= 2) s ^= k;
    for (int l = n; l > 0; l -= {step}) s += l & 7;
    return s;
}}
"""
BUILDS = {"loops": ["loops"], "routines": ["routines"], "routines,loops": ["routines", "--loops"]}
CLANG = "clang-22 -O2 -w".split()
BITCODE = "-g -fstandalone-debug -Xclang -disable-llvm-passes -Xclang -disable-lifetime-markers -emit-llvm -c".split()


def build(probe, kind, sources, folder, program):
    """Builds a program from these sources, without the probe if `kind` is none."""
    if kind is None:
        subprocess.run([*CLANG, *sources, "-lm", "-o", program], check=True)
        return
    objects = []
    for source in sources:
        bitcode, target = folder / f"{source.stem}.bc", folder / f"{source.stem}-{kind}.o"
        subprocess.run([*CLANG, *BITCODE, source, "-o", bitcode], check=True)
        subprocess.run([probe, BUILDS[kind][0], bitcode, "-o", target, *BUILDS[kind][1:]], check=True)
        objects.append(target)
    runtime = folder / "runtime.a"
    subprocess.run([probe, "runtime", "-o", runtime], check=True)
    subprocess.run(["gcc", *objects, runtime, "-lm", "-pthread", "-o", program], check=True)


def run(command, folder):
    """Returns seconds of processor time, the output, and the size of the record in bytes."""
    records = Path(tempfile.mkdtemp(dir=folder))
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    environment = dict(os.environ, TREND_PROF_RECORD=str(records))
    output = subprocess.run(command, check=True, stdout=subprocess.PIPE, env=environment).stdout
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    size = sum(file.stat().st_size for file in records.iterdir())
    shutil.rmtree(records)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, output, size


def text(path, size):
    """Returns a number of bytes of text from the system's headers, repeated as needed."""
    everything = b"".join(file.read_bytes() for file in sorted(Path("/usr/include").glob("*.h")))
    path.write_bytes((everything * (size // len(everything) + 1))[:size])
    return path


def many(functions, trend_prof, folder):
    """Builds, runs and analyses a program of many loops, and returns the seconds of each step."""
    source = "#include <stdio.h>\n#include <stdlib.h>\n"
    source += "".join(FOUR_LOOPS.format(number=number, step=number % 5 + 1) for number in range(functions))
    calls = "".join(f"s += f{number}(n);" for number in range(functions))
    source += f'int main(int c, char **a) {{ int n = atoi(a[1]); long s = 0; {calls} printf("%ld\\n", s); return c == 0; }}\n'
    (folder / "many.c").write_text(source)
    steps = {
        "build": ["build", "--probe", "loops", "--", "cc", "-O2", "many.c", "-o", "many"],
        "run": ["run", "--no-build", "--no-time", "--probe", "loops", "--param", "n=3,5,8,13,21,34,55,89", "--", "./many", "{n}"],
        "loops": ["loops", "--format", "json"],
    }
    for name, words in steps.items():
        before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
        subprocess.run([trend_prof, "-q", *words], cwd=folder, check=True, stdout=subprocess.DEVNULL)
        clock, after = time.monotonic() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
        processor = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        print(f"{name}: {clock:.1f} s, {processor:.1f} s of processor time", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bzip2", type=Path, help="the folder with the sources of bzip2")
    parser.add_argument("--trend-probe", default="trend-probe")
    parser.add_argument("--repetitions", type=int, default=5)
    parser.add_argument("--only", help="one of the programs")
    parser.add_argument("--functions", type=int, help="build and analyse a program of so many functions instead")
    parser.add_argument("--trend-prof", type=Path, default=Path("trend-prof"))
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        if arguments.functions:
            return many(arguments.functions, Path(shutil.which(arguments.trend_prof)).resolve(), folder)
        programs = {}
        for title, source in {"quicksort": QUICKSORT, "3x3 convolution": CONVOLUTION, "4x4 matrices": MATRICES}.items():
            path = folder / f"{title.replace(' ', '-')}.c"
            path.write_text(source)
            programs[title] = ([path], [])
        if arguments.bzip2:
            sources = [arguments.bzip2 / source for source in BZIP2]
            programs["bzip2 -9"] = (sources, ["-9", "-c", str(text(folder / "text", 19_000_000))])
        print("| processor time | without |", " | ".join(BUILDS), "|\n|---|---|" + "---|" * len(BUILDS))
        for title, (sources, words) in programs.items():
            if arguments.only not in (None, title):
                continue
            built = {kind: folder / f"{sources[0].stem}-{kind}.program" for kind in [None, *BUILDS]}
            for kind, program in built.items():
                build(arguments.trend_probe, kind, sources, folder, program)
            times = {kind: [] for kind in built}
            sizes, outputs = {}, set()
            for _ in range(arguments.repetitions):
                for kind, program in built.items():
                    seconds, output, sizes[kind] = run([program, *words], folder)
                    times[kind].append(seconds)
                    outputs.add(output)
            if len(outputs) > 1:
                sys.exit(f"{title}: the probe changes what it writes")
            cells = [f"{min(times[None]):.2f} s"]
            for kind in BUILDS:
                ratio = statistics.median(a / b for a, b in zip(times[kind], times[None]))
                cells.append(f"{min(times[kind]):.2f} s, {ratio:.2f} ×, {sizes[kind] / 1e6:.1f} MB")
            print(f"| {title} |", " | ".join(cells), "|", flush=True)


if __name__ == "__main__":
    main()
