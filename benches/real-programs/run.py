#!/usr/bin/env python3
"""Tests trend-prof on real programs with known growth: does it find superlinear code, and stay quiet about other code?

    benches/real-programs/run.py CACHE [--trend-prof PATH] [--group NAME] [--only TEXT] [--csv FOLDER]

Fetches the programs in `programs.py` and `unseen.py` (needs Debian with apt, pip, cargo, cmake and a C compiler).
Builds them under `trend-prof build` and runs them on generated inputs. Compares the verdict on every costly function
and line with the growth of that row beyond the analysed sizes. Prints tables in Markdown. Exits with 1 if a fault was
missed or an alarm was false. CACHE keeps sources, builds and studies; `--csv` writes the counts of every wrongly
judged row.
"""

import argparse
import csv
import json
import shutil
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import judge
import pairs
import programs
import unseen
from sources import NotObtainable

HERE = Path(__file__).resolve().parent
BUILDS = programs.BUILDS | unseen.BUILDS | pairs.BUILDS
# Title, faults and honest code of each group. The groups are judged alike and counted separately.
GROUPS = {
    "seen": ("In view when the guards were made", programs.FAULTS, programs.HONEST),
    "unseen": ("Not in view when the models were made", unseen.FAULTS, unseen.HONEST),
    "pairs": ("Further pairs of releases", pairs.FAULTS, []),
}


class Failed(Exception):
    pass


def checked(command, folder, what):
    done = subprocess.run(command, cwd=folder, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if done.returncode:
        raise Failed(f"{what} failed:\n" + "\n".join(done.stdout.splitlines()[-12:]))
    return done.stdout


def file_name(text):
    return "".join(c if c.isalnum() else "-" for c in text)


class Bench:
    def __init__(self, cache, trend_prof):
        self.cache, self.trend_prof = cache, trend_prof
        self.versions = {}
        self.failed = {}
        self.count = {"functions": Counter(), "lines": Counter()}

    def built(self, name):
        """Returns the folder of a build, and builds if it does not exist."""
        folder = self.cache / "builds" / name.replace(" ", "-").replace("'", "")
        done = folder / ".built"
        if not done.exists():
            if name in self.failed:
                raise Failed(self.failed[name])
            shutil.rmtree(folder, ignore_errors=True)
            build = BUILDS[name]
            try:
                version = build.source.fetch(self.cache, folder)
                start = time.monotonic()
                if build.prepare:
                    checked(["sh", "-c", build.prepare], folder, f"preparing {name}")
                said = checked([self.trend_prof, "build", "--", "sh", "-c", build.build], folder, f"building {name}")
                if "nothing was instrumented" in said:
                    raise Failed(f"building {name}: {said.splitlines()[-1]}")
            except (NotObtainable, Failed) as error:
                self.failed[name] = str(error)
                raise Failed(str(error)) from error
            done.write_text(version)
            say(f"built {name} in {time.monotonic() - start:.0f} s")
        self.versions[name] = done.read_text()
        return folder

    def study(self, case, build, sizes, suffix, is_timed=False):
        """Runs a case at these sizes, also without counters if it is timed, and returns the study's path. Earlier runs
        are not repeated."""
        folder = self.built(build)
        name = file_name(case.name) + suffix
        config, study = folder / f"{name}.toml", folder / f"{name}.trend"
        lines = ["[program]", f"command = {json.dumps(case.command)}", 'timeout = "2m"', "[workloads]",
                 f"parameters = {{ n = {json.dumps(sizes)} }}"]
        if case.generator:
            lines.append(f"generate = {json.dumps(['python3', str(HERE / 'generators.py'), case.generator, '{n}'])}")
        lines += ["[features]", 'n = { parameter = "n" }', ""]
        text = "\n".join(lines)
        if not config.exists() or config.read_text() != text:
            study.unlink(missing_ok=True)  # a study keeps what it ran at other sizes
            config.write_text(text)
        timing = [] if is_timed else ["--no-time"]
        checked([self.trend_prof, "run", "--config", config, "--study", study, "--no-build", *timing], folder,
                f"{case.name} ({build})")
        return study

    def judged(self, case, build):
        start = time.monotonic()
        inside = self.study(case, build, case.sizes, "")
        beyond = self.study(case, build, list(case.beyond), "-beyond")
        result = judge.rows(self.trend_prof, inside, beyond, case.sorts)
        for kind, table in zip(("functions", "lines"), result[1:]):
            self.count[kind].update(row.outcome() for row in table)
        say(f"{case.name} ({build}): {time.monotonic() - start:.0f} s")
        return result


def say(text):
    print(text, file=sys.stderr, flush=True)


def fault_row(case, functions, lines):
    """Returns a Markdown cell with the verdicts on the function with the fault and its lines, and whether it was found."""
    blamed = [row for row in functions if row.name in case.fault]
    found = [row for row in blamed if row.superlinear]
    shown = (found or blamed)[:1]
    hot = [row for row in lines if row.outcome() == "found"]
    cell = "not costly" if not shown else f"`{shown[0].name}`: {shown[0].verdict}, {shown[0].share:.0%}"
    line = f"`{Path(hot[0].name).name}`: {hot[0].verdict}, {hot[0].share:.0%}" if hot else "none"
    return [cell, line, "found" if found and hot else "open" if shown and shown[0].superlinear is None else "**missed**"]


def tally(table):
    count = Counter(row.outcome() for row in table)
    steep = f"{count['found']} found" + f", **{count['missed']} missed**" * bool(count["missed"])
    flat = f"{count['quiet']} quiet" + f", **{count['alarm']} alarms**" * bool(count["alarm"])
    return f"{steep}; {flat}" + f"; {count['open']} undecided" * bool(count["open"]) + f"; {count['between']} between" * bool(
        count["between"])


def expectations(case, functions):
    """Checks the functions whose class is known: (cell, wrong)."""
    cells, wrong = [], False
    for name, truths in case.grows.items():
        row = next((row for row in functions if row.name == name), None)
        verdict = row.verdict if row else "not costly"
        named = [part.strip() for part in verdict.replace("?", "").split(" or ")]
        right = row is not None and any(truth in named for truth in truths)
        wrong |= not right
        cells.append(f"`{name}`: {verdict}" + ("" if right else f" (**truth {' or '.join(truths)}**)"))
    return "; ".join(cells), wrong


class Wrong:
    """Wrongly judged rows, as one CSV per case."""

    def __init__(self, folder):
        self.folder = folder
        self.rows = []

    def add(self, case, build, sizes, tables):
        bad = [row for table in tables for row in table if row.outcome() in ("missed", "alarm")]
        self.rows += [(case.name, build, row) for row in bad]
        if self.folder and bad:
            self.folder.mkdir(parents=True, exist_ok=True)
            name = file_name(f"{case.name} {build}") + ".csv"
            with open(self.folder / name, "w", newline="") as file:
                table = csv.writer(file)
                table.writerow(["row", "verdict", "outcome", "exponent_beyond", "share", *(f"n={size:.0f}" for size in sizes)])
                for row in bad:
                    table.writerow([row.name, row.verdict, row.outcome(), f"{row.exponent:.3f}", f"{row.share:.4f}", *row.costs])


def write(title, header, table):
    print(f"\n{title}\n\n| {' | '.join(header)} |\n|{'---|' * len(header)}")
    for row in table:
        print(f"| {' | '.join(row)} |")


def faults(bench, cases, wrong):
    table, bad = [], 0
    for case in cases:
        versions = f"{case.faulty} → {case.build}" if case.build else case.faulty
        try:
            sizes, functions, lines = bench.judged(case, case.faulty)
            cells = fault_row(case, functions, lines)
            wrong.add(case, case.faulty, sizes, (functions, lines))
            if case.build:
                mended_sizes, *mended = bench.judged(case, case.build)
                wrong.add(case, case.build, mended_sizes, mended)
        except (Failed, RuntimeError) as error:
            say(str(error))
            table.append([case.name, versions, "not run", "", "", "", ""])
            bad += 1
            continue
        bad += cells[2] != "found"
        table.append([case.name, versions, *cells,
                      f"functions {tally(functions)}; lines {tally(lines)}",
                      f"functions {tally(mended[0])}; lines {tally(mended[1])}" if case.build else "none"])
    write("### Known faults", ["fault", "versions", "function", "costliest line", "", "faulty version", "mended version"], table)
    return bad


def honest(bench, cases, wrong):
    table, bad = [], 0
    for case in cases:
        try:
            sizes, functions, lines = bench.judged(case, case.build)
        except (Failed, RuntimeError) as error:
            say(str(error))
            table.append([case.name, case.build, "not run", "", ""])
            bad += 1
            continue
        wrong.add(case, case.build, sizes, (functions, lines))
        cell, untrue = expectations(case, functions)
        bad += untrue
        table.append([case.name, case.build, cell, tally(functions), tally(lines)])
    write("### Honest code", ["case", "version", "known classes", "functions", "lines"], table)
    return bad


def judge_group(bench, group, options):
    """Prints the tables of a group, and returns the number of errors."""
    title, *parts = group
    chosen = [[case for case in cases if options.only in case.name] for cases in parts]
    if not any(chosen):
        return 0
    print(f"\n## {title}")
    bench.count = {"functions": Counter(), "lines": Counter()}
    wrong = Wrong(options.csv)
    bad = sum(part(bench, cases, wrong) for part, cases in zip((faults, honest), chosen) if cases)
    if wrong.rows:
        write("### Wrong", ["case", "version", "row", "share", "verdict", "exponent beyond", ""],
              [[case, build, f"`{row.name}`", f"{row.share:.1%}", row.verdict, f"{row.exponent:.2f}", row.outcome()]
               for case, build, row in wrong.rows])
    outcomes = ["found", "missed", "quiet", "alarm", "open", "between"]
    write("### In all", ["rows that cost 1 % or more", *outcomes],
          [[kind, *(str(count[outcome]) for outcome in outcomes)] for kind, count in bench.count.items()])
    return bad + len(wrong.rows)


def arguments_of_cases(description):
    """Returns a parser with the arguments of every script that runs cases."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("cache", type=Path)
    parser.add_argument("--trend-prof", type=Path, default=HERE.parent.parent / "target/release/trend-prof")
    parser.add_argument("--group", default="", choices=GROUPS, help="one group of cases")
    parser.add_argument("--only", default="", help="cases whose name contains this")
    return parser


def main():
    parser = arguments_of_cases(__doc__)
    parser.add_argument("--csv", type=Path, help="a folder for the counts of rows judged wrongly")
    options = parser.parse_args()
    if options.csv:
        options.csv = options.csv.absolute()
    bench = Bench(options.cache.absolute(), options.trend_prof.absolute())
    groups = [group for name, group in GROUPS.items() if options.group in ("", name)]
    wrong = sum(judge_group(bench, group, options) for group in groups)
    moved = {name: version for name, version in bench.versions.items() if version not in name}
    if moved:
        print("\nVersions that were fetched: " + ", ".join(f"{name}: {version}" for name, version in moved.items()) + ".")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
