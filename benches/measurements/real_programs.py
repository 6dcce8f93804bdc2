"""Tests trend-prof on real programs with known growth: does it find superlinear code, and stay quiet about other code?

    benches/run.py real-programs CACHE [--group NAME] [--only TEXT]

Fetches the programs of the cases (needs Debian with apt, pip, cargo, cmake and a C compiler). Builds them under
`trend-prof build` and runs them on generated inputs. Compares the verdict on every costly function and line with the
growth of that row beyond the analysed sizes. Prints tables in Markdown. Exits with 1 if a fault was missed or an alarm
was false. CACHE keeps sources, builds and studies.
"""

import csv
import math
import re
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import studies
from shared import Failed, call, found, say, table
from studies import Bench, arguments

OUTCOMES = ["found", "missed", "quiet", "alarm", "open", "between"]
COSTLY = 0.01  # of the largest run
# Thresholds of exponents from the largest analysed size on. `n` has 1, and `n log n` has 1.05 to 1.15 at these sizes.
# Tables that double and caches that overflow rise in steps. So each step must be steep, or all of them together flat.
STEEP = 1.25
FLAT = 1.03


@dataclass
class Row:
    name: str
    share: float  # of the largest run that was analysed
    verdict: str
    superlinear: object  # true, false, or None where the named classes disagree
    exponent: object  # from the largest size that was analysed to the largest beyond; None where one costs nothing
    steep: bool
    sorts: bool = False  # of code that sorts, where `n log n` is true

    def outcome(self):
        """Returns `found` or `missed` for superlinear rows, `alarm` or `quiet` for others, and `open` for undecided
        verdicts. Rows between the two (n log n, or not yet clear) are `between`."""
        if self.exponent is None or (self.exponent > FLAT and not self.steep):
            return "between"
        if self.superlinear is None:
            return "open"
        if self.steep:
            return "found" if self.superlinear else "missed"
        if self.superlinear and self.sorts and "n log n" in self.verdict:
            return "between"
        return "alarm" if self.superlinear else "quiet"


def places(findings):
    """Maps names of locations, as in the header of the CSV, to function and line. Names whose cost never varies are
    missing."""
    members = [member for cluster in findings["clusters"] for member in cluster["members"]]
    return {member["name"]: (member["function"], f"{member['file']}:{member['line']}") for member in members}


def place(name):
    """Splits a name into function and `FILE:LINE`, for names that `places` lacks."""
    file, line, rest = re.fullmatch(r"(.*?):(\d+)(?:#\d+)?(?::(.*))?", name).groups()
    return re.sub(r"#\d+$", "", rest or ""), f"{file}:{line}"


def costs(trend_prof, study, findings):
    """Returns the sizes in rising order, and the costs of each function and line at them."""
    header, *runs = csv.reader(call([trend_prof, "export", "csv", study]).stdout.splitlines())
    known_places = places(findings)
    runs.sort(key=lambda run: float(run[1]))
    functions, lines = {}, {}
    for column, name in enumerate(header[2:], start=2):
        function, line = known_places.get(name) or place(name)
        counts = [int(run[column]) for run in runs]
        for rows, key in ((functions, function), (lines, line)):
            known = rows.setdefault(key, [0] * len(runs))
            rows[key] = [a + b for a, b in zip(known, counts)]
    return [float(run[1]) for run in runs], functions, lines


def exponent(costs, sizes):
    (low, high), (small, large) = costs, sizes
    return math.log(high / low) / math.log(large / small) if low > 0 and high > 0 else None


def judged_rows(trend_prof, study, beyond, sorts):
    """Returns the costly functions and the costly lines of a study."""
    findings = found(trend_prof, "show", study, "--by", "line")
    later = found(trend_prof, "show", beyond, "--no-growth")
    sizes, functions, lines = costs(trend_prof, study, findings)
    further, functions_beyond, lines_beyond = costs(trend_prof, beyond, later)
    largest = sum(row[-1] for row in lines.values())
    judged = []
    for kind, here, there in (("functions", functions, functions_beyond), ("lines", lines, lines_beyond)):
        table = []
        for row in findings[kind]:
            known = here.get(row["name"])
            # Two static functions with the same name are one sum here and two rows there, so they are left out.
            if known is None or max(known) != row["max_cost"] or known[-1] < COSTLY * largest:
                continue
            growth = row["models"][0].get("growth") or {}
            after = there.get(row["name"], [0] * len(further))
            end, at = [known[-1], *after], [sizes[-1], *further]
            steps = [exponent(end[i : i + 2], at[i : i + 2]) for i in range(len(further))]
            table.append(Row(row["name"], known[-1] / largest, growth.get("verdict", "none"), growth.get("superlinear"),
                             exponent((end[0], end[-1]), (at[0], at[-1])),
                             all(step is not None and step >= STEEP for step in steps), sorts))
        judged.append(sorted(table, key=lambda row: -row.share))
    return judged


def judged(bench, counts, case, build):
    """Returns the costly functions and the costly lines of a case, and counts their outcomes."""
    start = time.monotonic()
    inside, beyond = bench.study(case, build, case.sizes), bench.study(case, build, case.beyond, "-beyond")
    result = judged_rows(bench.trend_prof, inside, beyond, case.sorts)
    for kind, rows in zip(counts, result):
        counts[kind].update(row.outcome() for row in rows)
    say(f"{case.name} ({build}): {time.monotonic() - start:.0f} s")
    return result


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


def wrong_rows(case, build, tables):
    """Returns the cells of wrongly judged rows."""
    return [[case.name, build, f"`{row.name}`", f"{row.share:.1%}", row.verdict, f"{row.exponent:.2f}", row.outcome()]
            for rows in tables for row in rows if row.outcome() in ("missed", "alarm")]


def faults(bench, counts, cases, wrong):
    rows, bad = [], 0
    for case in cases:
        versions = f"{case.faulty} → {case.build}" if case.build else case.faulty
        try:
            functions, lines = judged(bench, counts, case, case.faulty)
            cells = fault_row(case, functions, lines)
            wrong += wrong_rows(case, case.faulty, (functions, lines))
            if case.build:
                mended = judged(bench, counts, case, case.build)
                wrong += wrong_rows(case, case.build, mended)
        except Failed as error:
            say(str(error))
            rows.append([case.name, versions, "not run", "", "", "", ""])
            bad += 1
            continue
        bad += cells[2] != "found"
        rows.append([case.name, versions, *cells,
                      f"functions {tally(functions)}; lines {tally(lines)}",
                      f"functions {tally(mended[0])}; lines {tally(mended[1])}" if case.build else "none"])
    table("### Known faults", ["fault", "versions", "function", "costliest line", "", "faulty version", "mended version"], rows)
    return bad


def honest(bench, counts, cases, wrong):
    rows, bad = [], 0
    for case in cases:
        try:
            functions, lines = judged(bench, counts, case, case.build)
        except Failed as error:
            say(str(error))
            rows.append([case.name, case.build, "not run", "", ""])
            bad += 1
            continue
        wrong += wrong_rows(case, case.build, (functions, lines))
        cell, untrue = expectations(case, functions)
        bad += untrue
        rows.append([case.name, case.build, cell, tally(functions), tally(lines)])
    table("### Honest code", ["case", "version", "known classes", "functions", "lines"], rows)
    return bad


def judge_group(bench, title, *parts):
    """Prints the tables of a group, and returns the number of errors."""
    if not any(parts):
        return 0
    print(f"\n## {title}")
    counts, wrong = {"functions": Counter(), "lines": Counter()}, []
    bad = sum(part(bench, counts, cases, wrong) for part, cases in zip((faults, honest), parts) if cases)
    if wrong:
        table("### Wrong", ["case", "version", "row", "share", "verdict", "exponent beyond", ""], wrong)
    table("### In all", ["rows that cost 1 % or more", *OUTCOMES],
          [[kind, *(count[outcome] for outcome in OUTCOMES)] for kind, count in counts.items()])
    return bad + len(wrong)


def main(options):
    bench = Bench(options)
    wrong = sum(judge_group(bench, *group) for group in studies.groups(options))
    moved = {name: version for name, version in bench.versions.items() if version not in name}
    if moved:
        print("\nVersions that were fetched: " + ", ".join(f"{name}: {version}" for name, version in moved.items()) + ".")
    return wrong > 0
