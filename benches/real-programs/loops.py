#!/usr/bin/env python3
"""Watches all loops of real programs: how many have a formula, and how many formulas do larger runs contradict?

    benches/real-programs/loops.py CACHE [--trend-prof PATH] [--only TEXT] [--sample N]

Fetches the programs, builds them with `trend-prof build --probe loops`, and runs each on six small inputs and on two
that are seven and ten times as large as the largest of these. `loops --format json` without the large runs gives the
learned formulas, and with them shows whether they hold. An exact formula holds if it stays the same and no further
combination of inputs is off. Prints a table in Markdown and, on stderr, each formula that does not hold. With
`--sample`, prints that many executed loops of each program, chosen at random, with their source, so that a reader can
compare their names. CACHE keeps sources, builds and studies; an existing study is not measured again. Exits with 1 if
more than 1 % of the formulas do not hold. Takes half an hour on two cores.
"""

import argparse
import json
import random
import shutil
import subprocess
import sys
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from generators import GENERATORS
from programs import BUILDS, DRIVERS, Build, project, sizes
from routines import maps
from sources import Debian, NotObtainable


@dataclass(frozen=True)
class Case:
    build: Build
    command: str  # a shell line; `{input}` stands for the workload's
    generator: object
    small: list


def crate(name, version, generator, low, high, features=""):
    return Case(project(name, version, features), "./driver {input}", GENERATORS[generator], sizes(low, high, 6))


def files(generator, low, high):
    return GENERATORS[generator], sizes(low, high, 6)


def yaml_maps(n):
    return maps([n // 8, n // 4, n // 2])


CXX = "c++ -O2 -w -std=c++17"
CASES = {
    "bzip2 1.0.8": Case(BUILDS["bzip2 1.0.8"], "./bzip2 -c {input} | ./bzip2 -dc", *files("text", 300, 100_000)),
    "expat 2.5.0, xmlwf": Case(BUILDS["expat 2.5.0"], "made/xmlwf/xmlwf {input}", *files("xml", 3, 1000)),
    "md4c 0.4.8": Case(BUILDS["md4c 0.4.8"], "./markdown {input}", *files("markdown", 300, 100_000)),
    "lua 5.3.6": Case(BUILDS["lua 5.3.6"], f"./lua '{DRIVERS}/sort.lua' {{input}} && ./lua '{DRIVERS}/loops.lua' sum $(wc -l < {{input}})",
                      *files("shuffled", 10, 3000)),
    "zlib 1.2.13, minigzip": Case(BUILDS["zlib 1.2.13"], "./minigzip < {input} | ./minigzip -d", *files("text", 300, 100_000)),
    "cmark 0.31.2": Case(BUILDS["cmark 0.31.2"], "./cmark {input}", *files("markdown", 300, 100_000)),
    "tinyxml2 9.0.0 (C++)": Case(
        Build(Debian("tinyxml2", "9.0.0"), f"{CXX} -I. -o program '{DRIVERS}/tinyxml2_print.cpp' tinyxml2.cpp"),
        "./program {input}", *files("xml", 3, 1000)),
    "jsoncpp 1.9.5 (C++)": Case(
        Build(Debian("libjsoncpp", "1.9.5"), f"{CXX} -Iinclude -o program '{DRIVERS}/jsoncpp_write.cpp' src/lib_json/*.cpp"),
        "./program {input}", *files("json_records", 3, 1000)),
    "yaml-cpp 0.8.0 (C++)": Case(
        Build(Debian("yaml-cpp", "0.8.0"), f"{CXX} -Iinclude -o program '{DRIVERS}/yaml_lookup.cpp' src/*.cpp"),
        "./program {input}", yaml_maps, sizes(8, 200, 6)),
    "csv 1.4.0": crate("csv", "1.4.0", "csv_records", 3, 1000),
    "serde_json 1.0.154": crate("serde_json", "1.0.154", "json_records", 3, 1000, '"std"'),
    "pulldown-cmark 0.12.2": crate("pulldown-cmark", "0.12.2", "markdown", 300, 100_000, '"html"'),
    "toml 1.2.1": crate("toml", "1.2.1", "toml_tables", 3, 300, '"std", "serde", "parse", "display"'),
    "petgraph 0.8.1": crate("petgraph", "0.8.1", "shuffled", 10, 300, '"std"'),
    "regex 1.13.2": crate("regex", "1.13.2", "text", 300, 30_000, '"std", "perf", "unicode"'),
    "lz4_flex 0.14.0": crate("lz4_flex", "0.14.0", "text", 300, 100_000, '"std", "safe-encode", "safe-decode"'),
}


class Failed(Exception):
    pass


def call(command, folder):
    done = subprocess.run(command, cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if done.returncode:
        said = (done.stdout + done.stderr).decode(errors="replace").splitlines()[-15:]
        raise Failed(f"{command}: exit code {done.returncode}\n" + "\n".join(said))
    return done.stdout


def studied(case, home, trend_prof):
    """Returns the study of all runs."""
    study, source = home / "loops.trend", home / "source"
    if study.exists():
        return study
    if not (home / ".built").exists():
        shutil.rmtree(home, ignore_errors=True)
        case.build.source.fetch(home.parents[1], source)
        if case.build.prepare:
            call(["sh", "-c", case.build.prepare], source)
        call([trend_prof, "build", "--probe", "loops", "--", "sh", "-c", case.build.build], source)
        (home / ".built").touch()
    shutil.rmtree(home / "inputs", ignore_errors=True)
    (home / "inputs").mkdir()
    for n in case.small:
        (home / f"inputs/small-{n:07}").write_text(case.generator(n))
    for times in (7, 10):
        n = times * case.small[-1]
        (home / f"inputs/large-{n:07}").write_text(case.generator(n))
    call([trend_prof, "-q", "run", "--no-build", "--no-time", "--probe", "loops", "--study", study, "--files", "../inputs/*", "--",
          "sh", "-c", case.command], source)
    return study


def loops(study, trend_prof, *options):
    """Returns the executed loops by a key that is the same in all analyses. Loops of one line are numbered."""
    found, seen = {}, Counter()
    for row in json.loads(call([trend_prof, "-q", "loops", study, "--format", "json", *options], study.parent))["loops"]:
        place = row["function"], row["file"], row["line"], row["depth"]
        seen[place] += 1
        # If the compiler knows the trips, they were not learned from runs.
        if row["activations"] and row["trips"]["points"]:
            found[*place, seen[place]] = row
    return found


def holds(before, after):
    """Returns true if a formula stays the same with larger runs, and is right at the same number of combinations of
    inputs."""
    return after["trips"].get("formula") == before["trips"]["formula"] and after["trips"]["off"] <= before["trips"]["off"]


def sample(all_loops, count, source):
    """Prints loops with the details that a reader needs to check their names."""
    for (function, file, line, *_), row in sorted(random.Random(1).sample(sorted(all_loops.items(), key=str), min(count, len(all_loops)))):
        inputs = ", ".join(f"{one['name']} ({one['kind']}{', changes' if one.get('changes') else ''})" for one in row["inputs"])
        trips = row["trips"]
        print(f"\n{file}:{line} in {function}\n  inputs: {inputs or 'none'}\n  trips: {trips.get('formula') or '≤ ' + trips.get('bound', '?')},"
              f" {trips['status']}, seen {row['least']} to {row['greatest']}", file=sys.stderr)
        registry = Path.home() / ".cargo/registry/src"
        path = next((path for path in [source / file, *registry.glob(f"*/{file}")] if path.is_file()), None)
        if path:
            lines = path.read_text(errors="replace").splitlines()
            for number in range(max(line - 3, 1), min(row["last_line"] + 2, line + 12, len(lines)) + 1):
                print(f"  {'>' if number == line else ' '} {number:5} {lines[number - 1][:150]}", file=sys.stderr)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("cache", type=Path)
    parser.add_argument("--trend-prof", type=Path, default=Path(__file__).resolve().parents[2] / "target/release/trend-prof")
    parser.add_argument("--only", default="")
    parser.add_argument("--sample", type=int, default=0)
    arguments = parser.parse_args()
    cache, trend_prof = arguments.cache.absolute(), arguments.trend_prof.absolute()
    print("| program | loops executed | exact | checked | wrong | fitted | constant | at most | data decide | too few inputs |")
    print("|---|---|---|---|---|---|---|---|---|---|")
    sums, failed = Counter(), False
    for name, case in CASES.items():
        if arguments.only.lower() not in name.lower():
            continue
        home = cache / "loops" / "".join(c if c.isalnum() else "-" for c in name)
        try:
            study = studied(case, home, trend_prof)
            learned = loops(study, trend_prof, "--exclude", "*large-*")
            checked = loops(study, trend_prof)
        except (Failed, NotObtainable) as error:
            print(f"{name}: {error}", file=sys.stderr, flush=True)
            failed = True
            continue
        counts = Counter(executed=len(learned))
        for place, row in learned.items():
            trips, later = row["trips"], checked[place]
            kind = trips["status"]
            if kind == "symbolic" and "bound" in trips:
                kind = "bounded"
            counts[kind] += 1
            if kind == "exact" and later["activations"] > row["activations"]:
                counts["checked"] += 1
                if not holds(row, later):
                    counts["wrong"] += 1
                    print(f"{name}: {place}: {trips} became {later['trips']}", file=sys.stderr, flush=True)
        print_row(name, counts)
        sums.update(counts)
        sample(learned, arguments.sample, home / "source")
    print_row("all", sums)
    sys.exit(failed or sums["wrong"] * 100 > sums["checked"])


def print_row(name, counts):
    kinds = ("executed", "exact", "checked", "wrong", "fitted", "constant", "bounded", "symbolic", "unknown")
    print(f"| {name} | " + " | ".join(str(counts[kind]) for kind in kinds) + " |", flush=True)


if __name__ == "__main__":
    main()
