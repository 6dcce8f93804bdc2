"""Measures the cost of the probe of routines and of loops: CPU time and memory of the same work without and with it.

    benches/run.py probe CACHE [--kinds rms,drms] [--only TEXT] [--crates] [--megabytes 19] [--repetitions 5]
    benches/run.py probe CACHE --functions 2500

Sorts 2 million ints eight times by its own quicksort and four times by libc's qsort with a callback, compresses text
with bzip2 -9, convolves an image with a 3x3 kernel 300 times, multiplies 5 million pairs of 4x4 matrices whose size the
compiler does not know, and runs six of the programs of `kernels` with larger arguments. Each is built by clang-22 -O2
without the probe, with the probe of routines, with counters of blocks as well, with `--metric drms`, with the probe of
loops, and with both probes. The builds take turns, and their outputs are compared. Prints a table in Markdown with the
fastest repetition in seconds of CPU time, the median of the ratios to the build without the probe in the same turn, the
peak of memory, and the size of the records.

With `--crates`, measures a cargo project instead. Its programs parse with serde_json, toml and csv, write Markdown with
pulldown-cmark, search with regex, compress with miniz_oxide and lz4_flex, find paths with petgraph, digest with sha2
and multiply with ndarray; all their dependencies have the probe. With `--functions`, builds a program of that many
functions with four loops each, runs it at eight sizes, and prints the seconds that `trend-prof build`, `run` and
`loops` take.

Needs trend-probe next to trend-prof. CACHE keeps the sources of bzip2. Takes about four minutes on two cores, and
with `--crates` fifteen or more.
"""

import shutil
from pathlib import Path

from registry import BUILDS, BZIP2_FILES
from shared import PROGRAMS, Failed, call, head, in_turns, measured, ratio, row, scratch, source_text

# Each of these programs mainly executes a crate and its dependencies.
CRATES = {
    "serde_json, 30,000 objects": ("json", "30000"),
    "pulldown-cmark, 15,000 sections": ("markdown", "15000"),
    "regex, 60,000 lines": ("regex", "60000"),
    "miniz_oxide, 8 MB there and back": ("deflate", "8000000"),
    "lz4_flex, 5 × 8 MB there and back": ("lz4", "8000000"),
    "toml, 20,000 tables": ("toml", "20000"),
    "csv, 5 × 200,000 records": ("csv", "200000"),
    "petgraph, 200,000 nodes": ("graph", "200000"),
    "sha2, 60 MB": ("sha2", "60000000"),
    "ndarray, product of 1,000 × 1,000": ("matrix", "1000"),
}
FILES = {
    "quicksort, 8 × 2 M ints": ("quicksort.c", []),
    "libc's qsort, 4 × 2 M ints": ("qsort.c", []),
    "3×3 convolution, 300 × 1 M": ("convolution.c", []),
    "4×4 matrices, 5 M products": ("small-matrices.c", []),
    "k-means, 100,000 points": ("kernels/kmeans.c", ["100000", "8", "16", "10"]),
    "hotspot, 1,000 × 1,000": ("kernels/hotspot.c", ["1000", "1000", "60"]),
    "blocked LU, 700 × 700": ("kernels/lud.c", ["700"]),
    "alignment, 3,000 × 3,000": ("kernels/needleman_wunsch.c", ["3000", "3000", "5"]),
    "srad, 800 × 800": ("kernels/srad.c", ["800", "800", "25"]),
    "neighbours, 1 M records": ("kernels/nn.c", ["1000000", "10", "10"]),
}
PLAIN = "without"
KINDS = {
    "rms": ["--probe", "routines"],
    "rms+blocks": ["--probe", "routines,blocks"],
    "drms": ["--probe", "routines", "--metric", "drms"],
    "loops": ["--probe", "loops"],
    "rms+loops": ["--probe", "routines,loops"],
}
FOUR_LOOPS = """
__attribute__((noinline)) static long f{number}(int n) {{
    long s = {number};
    for (int i = 0; i < n; i++) for (int j = 0; j < i; j++) s += i ^ j;
    for (int k = 1; k < n; k *= 2) s ^= k;
    for (int l = n; l > 0; l -= {step}) s += l & 7;
    return s;
}}
"""


def build(options, kind, command, folder):
    by = [] if kind == PLAIN else [options.trend_prof, "build", *KINDS[kind], "--"]
    call([*by, *command], folder)


def compiled(options, folder, sources, name):
    """Returns C programs by kind."""
    for kind in options.kinds:
        build(options, kind, ["clang-22", "-O2", "-w", *sources, "-lm", "-o", f"{name}-{kind}"], folder)
    return {kind: f"./{name}-{kind}" for kind in options.kinds}


def crates(options, folder):
    """Returns the programs of a cargo project by kind."""
    programs = {}
    for kind in options.kinds:
        project = folder / f"crates-{kind}"
        (project / "src").mkdir(parents=True)
        shutil.copy(PROGRAMS / "crates/Cargo.toml", project)
        shutil.copy(PROGRAMS / "crates/main.rs", project / "src")
        build(options, kind, ["cargo", "build", "-q", "--release"], project)
        programs[kind] = next(project.glob(f"target/{'' if kind == PLAIN else 'trend-prof/*/'}release/crates"))
    return programs


def run(command, folder):
    """Returns what a run did, and the bytes of its records."""
    with scratch() as record:
        ran = measured(command, folder, TREND_PROF_RECORD=record, LLVM_PROFILE_FILE=record / "blocks.profraw")
        return ran, sum(file.stat().st_size for file in record.glob("*.trend-record"))


def compare(title, programs, words, folder, options):
    """Prints a row of the table."""
    runs = in_turns({kind: lambda program=program: run([program, *words], folder) for kind, program in programs.items()},
                    options.repetitions)
    if len({ran.output for of_kind in runs.values() for ran, _ in of_kind}) != 1:
        raise Failed(f"{title}: the probe changes what it writes")
    seconds = {kind: [ran.cpu for ran, _ in of_kind] for kind, of_kind in runs.items()}
    row(title, *(f"{min(seconds[kind]):.2f} s, {ratio(seconds[kind], seconds[PLAIN]):.2f} ×, {of_kind[0][0].peak / 1e6:.0f} MB"
                 + (f", {of_kind[-1][1] / 1e6:.1f} MB of records" if kind != PLAIN else "") for kind, of_kind in runs.items()))


def many(options, folder):
    """Builds, runs and analyses a program of many loops, and prints the seconds of each step."""
    source = "#include <stdio.h>\n#include <stdlib.h>\n"
    source += "".join(FOUR_LOOPS.format(number=number, step=number % 5 + 1) for number in range(options.functions))
    calls = "".join(f"s += f{number}(n);" for number in range(options.functions))
    source += f'int main(int c, char **a) {{ int n = atoi(a[1]); long s = 0; {calls} printf("%ld\\n", s); return c == 0; }}\n'
    (folder / "many.c").write_text(source)
    for step, words in {
        "build": ["--probe", "loops", "--", "cc", "-O2", "many.c", "-o", "many"],
        "run": ["--no-build", "--no-time", "--probe", "loops", "--param", "n=3,5,8,13,21,34,55,89", "--", "./many", "{n}"],
        "loops": ["--format", "json"],
    }.items():
        ran = measured([options.trend_prof, "-q", step, *words], folder)
        print(f"{step}: {ran.clock:.1f} s, {ran.cpu:.1f} s of CPU time", flush=True)


def arguments(parser):
    parser.add_argument("cache", type=Path)
    parser.add_argument("--kinds", type=lambda text: text.split(","), default=list(KINDS), help=", ".join(KINDS))
    parser.add_argument("--only", default="", help="programs whose name contains this")
    parser.add_argument("--crates", action="store_true")
    parser.add_argument("--functions", type=int)
    parser.add_argument("--megabytes", type=int, default=19)
    parser.add_argument("--repetitions", type=int, default=5)


def main(options):
    options.kinds = [PLAIN, *options.kinds]
    with scratch() as folder:
        if options.functions:
            return many(options, folder)
        head("", *options.kinds)
        if options.crates:
            chosen = {title: words for title, words in CRATES.items() if options.only in title}
            programs = crates(options, folder)
            for title, words in chosen.items():
                compare(title, programs, words, folder, options)
            return 0
        for title, (source, words) in FILES.items():
            if options.only in title:
                compare(title, compiled(options, folder, [PROGRAMS / source], Path(source).stem), words, folder, options)
        title = f"bzip2 -9, {options.megabytes} MB of text"
        if options.only in title:
            BUILDS["bzip2 1.0.8"].source.fetch(options.cache.absolute(), folder / "bzip2")
            (folder / "text").write_bytes(source_text(options.megabytes * 10**6))
            sources = [folder / "bzip2" / file for file in BZIP2_FILES]
            compare(title, compiled(options, folder, sources, "bzip2"), ["-9c", "text"], folder, options)
