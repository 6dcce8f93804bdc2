#!/usr/bin/env python3
"""Runs real programs with the probe once each: which routines grow, by the size of their own input?

    benches/real-programs/routines.py CACHE [--trend-prof PATH] [--only TEXT]

Fetches the programs and builds them with `trend-prof build --probe routines` and by clang-22 without it. Runs each
once on an input that has parts of many sizes. Prints a table in Markdown with the verdicts of `show --by routine` on
routines whose growth is known from their source, with other routines called superlinear, and with the times of
building, running, showing and the page. Exits with 1 if a routine gets a wrong verdict, or the probe changes the
output of a program. CACHE keeps sources.
"""

import argparse
import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from generators import GENERATORS, json_values, text
from programs import DRIVERS, PAKA_CMARK, project
from sources import Crate, Debian, NotObtainable, Python

# Routines with a smaller share of the run's cost are not listed.
LEAST_SHARE = 0.02


@dataclass(frozen=True)
class Case:
    source: object
    build: str  # a shell line
    command: str  # a shell line; the input lies in `input`
    input: object  # makes it
    grows: dict  # by routine: what may be said of its worst call, as the algorithm says
    why: str  # how that is known, and what else is seen
    prepare: str = ""
    named: tuple = ()  # what else may be called superlinear, as `why` explains
    metric: str = "rms"


def parts(generator, counts, between="\n\n"):
    """Returns a document with parts of these sizes."""
    return between.join(GENERATORS[generator](n).strip() for n in counts) + "\n"


def steps(low, high, count):
    return sorted({round(low * (high / low) ** (i / (count - 1))) for i in range(count)})


def maps(counts):
    value = lambda i: f"word{i}" if i % 4 == 0 else str(1_000_000 + i)
    return "".join("---\n" + "".join(f"key{i:06}: {value(i)}\n" for i in range(n)) for n in counts)


def joins(counts):
    """Returns two tables of n rows each and a join without an index, for each n."""
    script = ["PRAGMA automatic_index = off;"]
    for n in counts:
        numbers = f"WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c WHERE i < {n}) SELECT i + 1000000"
        script += [f"CREATE TABLE a{n} AS {numbers} AS x FROM c; CREATE TABLE b{n} AS {numbers} AS y FROM c;",
                   f"SELECT count(*) FROM a{n} JOIN b{n} ON x = y;"]
    return "\n".join(script) + "\n"


LINEAR, SQUARE = {"n"}, {"n^2"}
N_LOG_N = {"n log n"}
DEDUPLICATE = "reduce .[] as $x ([]; if index([$x]) then . else . + [$x] end) | length"
SQLITE = "$CC -O2 -w -I. -DSQLITE_THREADSAFE=1 -DSQLITE_OMIT_LOAD_EXTENSION shell.c sqlite3.c -o shell -lm -lpthread"
JQ_TEXTS = (r"""sed -e 's/\\/\\\\/g' -e 's/"/\\"/g' -e 's/^/"/' -e 's/$/\\n"/' src/builtin.jq > src/builtin.inc"""
            r""" && echo '#define JQ_VERSION "1.7.1"' > src/version.h && echo '#define JQ_CONFIG ""' > src/config_opts.inc""")
JQ = "$CC -O2 -w -D_GNU_SOURCE -DIEEE_8087 -DHAVE_MEMMEM -I. -Isrc -o jq $(ls src/*.c | grep -v inject_errors) -lm -lpthread"
YAML = f"$CXX -O2 -w -std=c++17 -Iinclude -o look_up '{DRIVERS / 'yaml_lookup.cpp'}' $(ls src/*.cpp)"
CARGO = "cargo build -q --release"


def crate(package, version, features=""):
    return project(package, version, features).source


CASES = {
    "bzip2 1.0.8, files of many sizes": Case(
        Debian("bzip2", "1.0.8"), 'make CC="$CC" CFLAGS="-O2 -w" bzip2',
        f"rm -f part*; for n in {' '.join(map(str, steps(1000, 800_000, 24)))}; do head -c $n input > part$n; done; ./bzip2 -c part*",
        lambda: text(800_000), {"generateMTFValues": LINEAR, "compressStream": LINEAR, "mainQSort3": N_LOG_N},
        "One pass over a block is linear, and its strings are sorted by a quicksort with three parts, and small parts by"
        " `mainSimpleSort`. It reads through buffers, and needs drms.", named=("mainSort", "mainSimpleSort", "fallbackSort"), metric="drms"),
    "SQLite, joins without an index": Case(
        Debian("sqlite3", "3.[4-9]*"), SQLITE, "./shell < input", lambda: joins(steps(20, 600, 12)),
        {"sqlite3VdbeExec": SQUARE}, "A call of the virtual machine reads both tables once and compares each pair of their rows.",
        "./configure && make sqlite3.c shell.c"),
    "cmark 0.28.3, brackets after images": Case(
        Python("paka.cmark", "2.0.0"), PAKA_CMARK.replace("cc ", "$CC -w "), "./cmark input",
        lambda: parts("image_brackets", steps(20, 1500, 16)), {"handle_close_bracket": LINEAR, "cmark_parse_inlines": SQUARE},
        "`handle_close_bracket` marks all open brackets before it: linear in what it reads, and called for each bracket of a"
        " paragraph by `cmark_parse_inlines`, which is quadratic in the paragraph."),
    "jq 1.7.1, distinct values by index": Case(
        Debian("jq", "1.7.1"), JQ, f"./jq '{DEDUPLICATE}' input", lambda: "".join(map(json_values, steps(20, 1200, 14))),
        {"process": SQUARE, "jv_array_indexes": LINEAR},
        "`index` looks through the whole array, and the filter asks for each value of a document: `process` has one document a call.",
        JQ_TEXTS),
    "yaml-cpp 0.8, keys by name": Case(
        Debian("yaml-cpp", "0.8.0"), YAML, "./look_up input", lambda: maps(steps(10, 800, 14)),
        {"look_up(YAML::Node const&": SQUARE},
        "A map of yaml-cpp is a list of pairs: looking up each of its keys is quadratic. A quarter of the values throw."),
    "zstd 1.5, two threads": Case(
        Debian("libzstd", "1.5.[5-9]"), 'make -C programs CC="$CC" CFLAGS="-O2 -w -DZSTD_DISABLE_ASM" -j2 zstd',
        f"rm -f part*; for n in {' '.join(map(str, steps(2000, 3_000_000, 20)))}; do head -c $n input > part$n; done;"
        " programs/zstd -q -3 -T2 -B600KiB -c part*", lambda: text(3_000_000), {"ZSTD_compressBlock_doubleFast": LINEAR, "ZSTD_seqToCodes": LINEAR},
        "Workers go over blocks of bounded size in one pass. `n log n` is not so: tables that fill once are counted as input, and"
        " in small blocks they are a larger part of it.", named=("ZSTD_encodeSequences", "ZSTD_compressContinue_internal")),
    "pulldown-cmark 0.12.0, open comments": Case(
        crate("pulldown-cmark", "0.12.0", '"html"'), CARGO, "./driver input",
        lambda: parts("open_comments", steps(10, 800, 14)),
        {"scan_inline_html_comment": LINEAR, "<Parser>::handle_inline_pass1": SQUARE},
        "Each open comment looks for its end in all that is left of the paragraph; the pass over a paragraph is quadratic."),
    "comrak 0.16.0, empty angle brackets": Case(
        crate("comrak", "0.16.0"), CARGO, "./driver input", lambda: parts("angle_brackets", steps(10, 800, 14)),
        {"Position>::find_line_start": LINEAR},
        "For each error, pest walks back to the start of the line. One walk is linear in what it reads; the caller, which walks"
        " for each bracket of a paragraph, is quadratic."),
}


class Failed(Exception):
    pass


def call(command, folder, environment=None):
    """Returns the output, elapsed seconds and seconds of processor time."""
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    done = subprocess.run(command, cwd=folder, env=environment, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    after, end = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    if done.returncode:
        said = (done.stdout + done.stderr).decode(errors="replace").splitlines()[-15:]
        raise Failed(f"{command}: exit code {done.returncode}\n" + "\n".join(said))
    return done, end - start, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def built(case, cache, name, trend_prof):
    """Returns a folder with a build without the probe and one with it, and the seconds of the second build."""
    home = cache / "routines" / "".join(c if c.isalnum() else "-" for c in name)
    done = home / ".built"
    if done.exists():
        return home, float(done.read_text())
    variables = dict(os.environ, CC="clang-22", CXX="clang++-22")
    shutil.rmtree(home, ignore_errors=True)
    case.source.fetch(cache, home / "source")
    if case.prepare:
        call(["sh", "-c", case.prepare], home / "source", variables)
    for kind in ("plain", "probe"):
        shutil.copytree(home / "source", home / kind, symlinks=True)
        command = ["sh", "-c", case.build]
        if kind == "probe":
            command = [trend_prof, "build", "--probe", "routines", "--metric", case.metric, "--", *command]
        _, seconds, _ = call(command, home / kind, variables)
        if case.build == CARGO:
            where = "target/release/driver" if kind == "plain" else "target/trend-prof/*/release/driver"
            shutil.copy(next((home / kind).glob(where)), home / kind / "driver")
    done.write_text(str(seconds))
    return home, seconds


def measured(case, home, trend_prof):
    """Returns the findings of one run, and a Markdown cell with all times."""
    for kind in ("plain", "probe"):
        (home / kind / "input").write_text(case.input())
    line = ["sh", "-c", case.command]
    plain, _, least = call(line, home / "plain")
    with tempfile.TemporaryDirectory() as record:
        probe, _, most = call(line, home / "probe", dict(os.environ, TREND_PROF_RECORD=record))
    if probe.stdout != plain.stdout:
        raise Failed("the program with the probe prints something else")
    study = home / "probe/routines.trend"
    _, run, _ = call([trend_prof, "-q", "run", "--fresh", "--study", study, "--", *line], home / "probe")
    found, show, _ = call([trend_prof, "show", "--by", "routine", "--format", "json", study], home)
    _, report, _ = call([trend_prof, "-q", "report", study, "-o", home / "probe/routines.html"], home)
    return json.loads(found.stdout), f"{least:.2f} s → {most:.2f} s, {most / least:.1f} × | {run:.1f} s | {show:.1f} s | {report:.1f} s"


def judged(case, findings):
    """Returns the verdicts on the known routines, the others that are called superlinear, and whether all of it is
    right."""
    def worst(row):
        models = row["worst"]["models"]
        return models[0]["growth"] if models else None

    rows = [row for row in findings["series"] if row["variables"] == [case.metric] and worst(row)]
    cells, right = [], True
    for name, classes in case.grows.items():
        known = [row for row in rows if name in row["name"]]
        verdict = worst(known[0])["verdict"] if known else "not seen"
        right &= verdict in classes
        cells.append(f"`{name}`: {verdict}" + ("" if verdict in classes else " **wrong**"))
    others = [row["name"] for row in rows if worst(row)["superlinear"] and worst(row)["decided"] and row["share"] >= LEAST_SHARE
              and not any(name in row["name"] for name in case.grows)]
    right &= all(any(name in other for name in case.named) for other in others)
    return ", ".join(cells), ", ".join(f"`{other}`" for other in others), right


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("cache", type=Path)
    parser.add_argument("--trend-prof", type=Path, default=Path(__file__).resolve().parents[2] / "target/release/trend-prof")
    parser.add_argument("--only", default="")
    arguments = parser.parse_args()
    cache, trend_prof = arguments.cache.absolute(), arguments.trend_prof.absolute()
    cache.mkdir(parents=True, exist_ok=True)
    print("| program | what is known | what else grows | why | routines | build | program | run | show | page |")
    print("|---|---|---|---|---|---|---|---|---|---|")
    failed = False
    for name, case in CASES.items():
        if arguments.only.lower() not in name.lower():
            continue
        try:
            home, build = built(case, cache, name, trend_prof)
            findings, times = measured(case, home, trend_prof)
        except (Failed, NotObtainable) as error:
            print(f"{name}: {error}", file=sys.stderr, flush=True)
            failed = True
            continue
        known, others, right = judged(case, findings)
        failed |= not right
        routines = len({row["name"] for row in findings["series"]})
        print(f"| {name} | {known} | {others} | {case.why} | {routines} | {build:.0f} s | {times} |", flush=True)
    sys.exit(failed)


if __name__ == "__main__":
    main()
