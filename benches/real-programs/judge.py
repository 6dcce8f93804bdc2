"""Compares trend-prof's verdict on every costly row with the row's costs at larger sizes."""

import csv
import json
import math
import re
import subprocess
from dataclasses import dataclass

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
    costs: list  # [sizes, then the sizes beyond]
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


def output_of(trend_prof, *words):
    done = subprocess.run([trend_prof, "--color", "never", *words], text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if done.returncode:
        raise RuntimeError(f"trend-prof {' '.join(map(str, words))}: {done.stderr.strip()}")
    return done.stdout


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
    header, *runs = csv.reader(output_of(trend_prof, "export", "csv", study).splitlines())
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


def rows(trend_prof, study, beyond, sorts):
    """Returns the costly functions and the costly lines of a study."""
    findings = json.loads(output_of(trend_prof, "show", study, "--by", "line", "--format", "json"))
    later = json.loads(output_of(trend_prof, "show", beyond, "--no-growth", "--format", "json"))
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
                             all(step is not None and step >= STEEP for step in steps), known + after, sorts))
        judged.append(sorted(table, key=lambda row: -row.share))
    return sizes + further, *judged
