"""Watches all loops of real programs: how many have a formula, and how many formulas do larger runs contradict?

    benches/run.py formulas CACHE [--only TEXT] [--sample N]

Fetches the programs, builds them with `trend-prof build --probe loops`, and runs each on six small inputs and on two
that are seven and ten times as large as the largest of these. `loops --format json` without the large runs gives the
learned formulas, and with them shows whether they hold. An exact formula holds if it stays the same and no further
combination of inputs is off. Prints a table in Markdown and, on stderr, each formula that does not hold. With
`--sample`, prints that many executed loops of each program, chosen at random, with their source, so that a reader can
compare their names. CACHE keeps sources, builds and studies; an existing study is not measured again. Exits with 1 if
more than 1 % of the formulas do not hold. Takes half an hour on two cores.
"""

import random
import shutil
import sys
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from generators import GENERATORS, maps
from registry import BUILDS, DRIVERS
from shared import Failed, call, found, head, row, say, sizes
from studies import built


@dataclass(frozen=True)
class Case:
    build: str
    command: str  # a shell line; `{input}` stands for the workload's
    generator: object
    small: list


def of(build, generator, low, high, command="./driver {input}"):
    return Case(build, command, GENERATORS[generator], sizes(low, high, 6))


CASES = {
    "bzip2 1.0.8": of("bzip2 1.0.8", "text", 300, 100_000, "./bzip2 -c {input} | ./bzip2 -dc"),
    "expat 2.5.0, xmlwf": of("expat 2.5.0", "xml", 3, 1000, "made/xmlwf/xmlwf {input}"),
    "md4c 0.4.8": of("md4c 0.4.8", "markdown", 300, 100_000, "./markdown {input}"),
    "lua 5.3.6": of("lua 5.3.6", "shuffled", 10, 3000,
                    f"./lua '{DRIVERS}/sort.lua' {{input}} && ./lua '{DRIVERS}/loops.lua' sum $(wc -l < {{input}})"),
    "zlib 1.2.13, minigzip": of("zlib 1.2.13", "text", 300, 100_000, "./minigzip < {input} | ./minigzip -d"),
    "cmark 0.31.2": of("cmark 0.31.2", "markdown", 300, 100_000, "./cmark {input}"),
    "tinyxml2 9.0.0 (C++)": of("tinyxml2 9.0.0", "xml", 3, 1000, "./program {input}"),
    "jsoncpp 1.9.5 (C++)": of("jsoncpp 1.9.5", "json_records", 3, 1000, "./program {input}"),
    "yaml-cpp 0.8.0 (C++)": Case("yaml-cpp 0.8.0", "./program {input}", lambda n: maps([n // 8, n // 4, n // 2]), sizes(8, 200, 6)),
    "csv 1.4.0": of("csv 1.4.0", "csv_records", 3, 1000),
    "serde_json 1.0.154": of("serde_json 1.0.154", "json_records", 3, 1000),
    "pulldown-cmark 0.12.2": of("pulldown-cmark 0.12.2", "markdown", 300, 100_000),
    "toml 1.2.1": of("toml 1.2.1", "toml_tables", 3, 300),
    "petgraph 0.8.1": of("petgraph 0.8.1", "shuffled", 10, 300),
    "regex 1.13.2": of("regex 1.13.2", "text", 300, 30_000),
    "lz4_flex 0.14.0": of("lz4_flex 0.14.0", "text", 300, 100_000),
}


def studied(case, cache, trend_prof):
    """Returns the study of all runs."""
    source = built(cache, "loops", case.build, BUILDS[case.build], [trend_prof, "build", "--probe", "loops", "--"])
    study, inputs = source / "loops.trend", source / "inputs-of-loops"
    if study.exists():
        return study
    shutil.rmtree(inputs, ignore_errors=True)
    inputs.mkdir()
    for n in case.small:
        (inputs / f"small-{n:07}").write_text(case.generator(n))
    for n in (7 * case.small[-1], 10 * case.small[-1]):
        (inputs / f"large-{n:07}").write_text(case.generator(n))
    call([trend_prof, "-q", "run", "--no-build", "--no-time", "--probe", "loops", "--study", study, "--files", f"{inputs.name}/*", "--",
          "sh", "-c", case.command], source)
    return study


def loops(study, trend_prof, *options):
    """Returns the executed loops by a key that is the same in all analyses. Loops of one line are numbered."""
    executed, seen = {}, Counter()
    for loop in found(trend_prof, "-q", "loops", study, *options)["loops"]:
        place = loop["function"], loop["file"], loop["line"], loop["depth"]
        seen[place] += 1
        # If the compiler knows the trips, they were not learned from runs.
        if loop["activations"] and loop["trips"]["points"]:
            executed[*place, seen[place]] = loop
    return executed


def holds(before, after):
    """Returns true if a formula stays the same with larger runs, and is right at the same number of combinations of
    inputs."""
    return after["trips"].get("formula") == before["trips"]["formula"] and after["trips"]["off"] <= before["trips"]["off"]


def sample(all_loops, count, source):
    """Prints loops with the details that a reader needs to check their names."""
    for (function, file, line, *_), loop in sorted(random.Random(1).sample(sorted(all_loops.items(), key=str), min(count, len(all_loops)))):
        inputs = ", ".join(f"{one['name']} ({one['kind']}{', changes' if one.get('changes') else ''})" for one in loop["inputs"])
        trips = loop["trips"]
        print(f"\n{file}:{line} in {function}\n  inputs: {inputs or 'none'}\n  trips: {trips.get('formula') or '≤ ' + trips.get('bound', '?')},"
              f" {trips['status']}, seen {loop['least']} to {loop['greatest']}", file=sys.stderr)
        registry = Path.home() / ".cargo/registry/src"
        path = next((path for path in [source / file, *registry.glob(f"*/{file}")] if path.is_file()), None)
        if path:
            lines = path.read_text(errors="replace").splitlines()
            for number in range(max(line - 3, 1), min(loop["last_line"] + 2, line + 12, len(lines)) + 1):
                print(f"  {'>' if number == line else ' '} {number:5} {lines[number - 1][:150]}", file=sys.stderr)


def print_row(name, counts):
    row(name, *(counts[kind] for kind in ("executed", "exact", "checked", "wrong", "fitted", "constant", "bounded", "symbolic", "unknown", "nameless")))


def arguments(parser):
    parser.add_argument("cache", type=Path)
    parser.add_argument("--only", default="")
    parser.add_argument("--sample", type=int, default=0)


def main(options):
    head("program", "loops executed", "exact", "checked", "wrong", "fitted", "constant", "at most", "data decide", "too few inputs", "no name")
    sums, is_failed = Counter(), False
    for name, case in CASES.items():
        if options.only.lower() not in name.lower():
            continue
        try:
            study = studied(case, options.cache.absolute(), options.trend_prof)
            learned = loops(study, options.trend_prof, "--exclude", "*large-*")
            checked = loops(study, options.trend_prof)
        except Failed as error:
            say(f"{name}: {error}")
            is_failed = True
            continue
        counts = Counter(executed=len(learned))
        for place, known in learned.items():
            trips, later = known["trips"], checked[place]
            kind = trips["status"]
            if kind == "symbolic" and "bound" in trips:
                kind = "bounded"
            counts[kind] += 1
            # No input has a name from the source.
            counts["nameless"] += bool(known["inputs"]) and all(one["kind"] == "unnamed" for one in known["inputs"])
            if kind == "exact" and later["activations"] > known["activations"]:
                counts["checked"] += 1
                if not holds(known, later):
                    counts["wrong"] += 1
                    say(f"{name}: {place}: {trips} became {later['trips']}")
        print_row(name, counts)
        sums.update(counts)
        sample(learned, options.sample, study.parent)
    print_row("all", sums)
    return is_failed or sums["wrong"] * 100 > sums["checked"]
