"""Tests the law of peak memory: does it predict what programs take at ten times the largest size?

    benches/run.py memory-law [--folder FOLDER]

Eleven programs in C, C++ and Rust fill a list, a doubling array or a table; seven take memory that grows faster than
the input. Each runs at sizes twelve to a doubling. The law is tested with seven series of these sizes, up to many
largest ones, with and without a run of three times the largest. Prints tables in Markdown: cases without a
prediction, intervals that hold, doubts, predictions off by more than a quarter without a doubt, and medians of width
and error. Needs gcc, g++, rustc and cargo, 3 GB of memory, and about five minutes.
"""

import math
import os
import statistics
import subprocess
from pathlib import Path

from shared import HERE, REPOSITORY, call, scratch, table

COMPILERS = {".c": ["gcc", "-O1", "-w"], ".cc": ["g++", "-O1"], ".rs": ["rustc", "-O"]}
GROWING = ["log", "power", "square", "line-and-square", "constant-and-square", "pieces", "arrays"]

# Series of sizes: the distance in twelfths of a doubling, and the number of sizes.
LADDERS = {12: 8, 24: 5, 40: 4, 19: 5, 7: 12, 11: 8, 10: 11}
# Ten times the largest size, and three times for the larger run, in twelfths of a doubling.
TEN, THREE = 40, 19
# Minimum index of the largest size of a series.
FIRST = 84


def sizes(most):
    """Returns sizes from 500 on, twelve to a doubling."""
    return [round(500 * 2 ** (i / 12)) for i in range(int(12 * math.log2(most / 500)) + 1)]


def peaks(helper, command, most):
    """Returns the sizes, and the peak memory of each run in bytes."""
    words = "\n".join(map(str, sizes(most)))
    said = subprocess.run([helper, *command], input=words, text=True, stdout=subprocess.PIPE, check=True).stdout
    return [tuple(map(int, line.split())) for line in said.splitlines()]


def cases(points):
    for step, count in LADDERS.items():
        for larger in (False, True):
            for top in range(FIRST, len(points) - TEN):
                if top * 7 % 3:
                    continue
                ladder = [i for i in range(top - step * (count - 1), top + 1, step) if i >= 0]
                runs = [points[i] for i in ladder + ([top + THREE] if larger else [])]
                yield larger, runs, points[top + TEN]


def judged(law, programs):
    """Yields rows: program, with the larger run, held, doubted, off, width. The last four are None without a prediction."""
    asked = [(name, larger, truth, runs) for name, points in programs.items() for larger, runs, truth in cases(points)]
    lines = [" ".join(str(v) for v in [truth[0], *(v for run in runs for v in run)]) for _, _, truth, runs in asked]
    said = subprocess.run([law], input="\n".join(lines), text=True, stdout=subprocess.PIPE, check=True).stdout.split("\n")
    for (name, larger, (_, truth), _), line in zip(asked, said):
        if line == "none":
            yield name, larger, None, None, None, None
            continue
        bytes_, low, high, shape = line.split()
        bytes_, low, high = float(bytes_), float(low), float(high)
        held = low * 0.999 <= truth <= high * 1.001
        yield name, larger, held, shape != "Clear", abs(bytes_ / truth - 1), high / low


def show(title, rows):
    groups = [("all", rows), ("with the larger run", [r for r in rows if r[1]]), ("without", [r for r in rows if not r[1]])]
    lines = []
    for name, some in groups + [(name, [r for r in rows if r[0] == name]) for name in dict.fromkeys(row[0] for row in rows)]:
        known = [row for row in some if row[2] is not None]
        share = lambda i: f"{100 * sum(row[i] for row in known) / max(len(known), 1):.1f} %"
        off = sum(row[4] > 0.25 and not row[3] for row in known)
        median = lambda i: statistics.median(row[i] for row in known) if known else math.nan
        lines.append([name, len(some), len(some) - len(known), share(2), share(3), off, f"{median(5):.2f}", f"{100 * median(4):.1f} %"])
    table(f"### {title}", ["", "cases", "nothing said", "held", "doubted", "off by a quarter, undoubted", "median width", "median error"],
          lines)


def arguments(parser):
    parser.add_argument("--folder", type=Path, help="where programs are built [default: one that is removed]")


def main(options):
    call(["cargo", "build", "--release", "--quiet", "-p", "trend-model", "--example", "memory_law"], REPOSITORY)
    law = Path(os.environ.get("CARGO_TARGET_DIR", REPOSITORY / "target")) / "release/examples/memory_law"
    with scratch() as made:
        folder = options.folder or made
        folder.mkdir(parents=True, exist_ok=True)
        helper = folder / "peaks"
        call(["gcc", "-O1", "-o", helper, HERE / "memory-law/peaks.c"])
        filling, growing = {}, {}
        for source in sorted((HERE / "memory-law/programs").iterdir()):
            program = folder / source.stem
            call([*COMPILERS[source.suffix], "-o", program, source, *(["-lm"] if source.suffix == ".c" else [])])
            if source.stem == "grows":
                for kind in GROWING:
                    growing[kind] = peaks(helper, [program, kind, "{n}"], 1_300_000)
            else:
                filling[source.stem] = peaks(helper, [program, "{n}"], 8_192_000)
        show("Programs that fill something", list(judged(law, filling)))
        show("Programs whose memory grows faster", list(judged(law, growing)))
