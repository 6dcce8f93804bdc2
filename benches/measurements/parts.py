"""Compares the predicted parts of the time at ten times the largest size with samples of runs there.

    benches/run.py parts CACHE [--group NAME] [--only TEXT]

Uses the honest cases of real-programs, its CACHE and the studies of `seconds`: the largest run of each takes about half a
second. A second study of the same program goes up to ten times that size; the samples of its largest run are the
truth. It is compared with three predictions: samples with growth of counts (`answer.time_parts`), counts alone (the
cost of each function there), and today's samples unchanged. The distance is the total variation, ½·Σ|p − q|: the part
of the time that is attributed to the wrong part, 0 to 1.
"""

import statistics
from dataclasses import dataclass

from measurements.seconds import Truth, largest, study_below
from shared import Failed, found, say, sizes, table
from studies import arguments, each_honest

def parts(findings):
    rows = findings.get("answer", {}).get("time_parts", {}).get("rows", [])
    return {(row["kind"], row["name"], row["file"]): row for row in rows}


def by_counts(findings):
    """Returns the share of each function in the costs at the first point."""
    costs = {("function", row["name"], row["file"]): (row["outlooks"][0] or {"cost": 0})["cost"] for row in findings["functions"]}
    return {key: cost / sum(costs.values()) for key, cost in costs.items()}


def distance(said, truth):
    return sum(abs(said.get(key, 0) - truth.get(key, 0)) for key in said.keys() | truth.keys()) / 2


@dataclass
class Row:
    name: str
    samples: int
    now: float
    parts: float
    counts: float
    most: str


def studied(bench, case):
    truth = Truth(bench.plain(case.build), case)
    top, _ = largest(truth, case)
    said = found(bench.trend_prof, "show", study_below(bench, case, top), "--at", f"n={10 * top}")
    known = parts(said)
    # With fewer sizes there is no answer, and the parts belong to the answer.
    beyond = sizes(max(1, top // 10), 10 * top, 8)
    study = bench.study(case, case.build, beyond, "-parts-later", is_timed=True)
    later = found(bench.trend_prof, "show", study, "--at", f"n={10 * top}")
    real = {key: row["share"] for key, row in parts(later).items()}
    if not known or not real:
        raise Failed(f"{case.name}: was not sampled")
    if (workload := later["answer"]["time_parts"]["run"]["workload"]) != f"n={10 * top}":
        raise Failed(f"{case.name}: {workload} was sampled in place of n = {10 * top}")
    then = {key: row["share_then"] for key, row in known.items()}
    now = {key: row["share"] for key, row in known.items()}
    worst = max(then.keys() | real.keys(), key=lambda key: abs(then.get(key, 0) - real.get(key, 0)))
    most = f"{worst[1] or 'the kernel'}: {then.get(worst, 0):.0%}, and is {real.get(worst, 0):.0%}"
    samples = said["answer"]["time_parts"]["run"]["samples"]
    row = Row(case.name, samples, distance(now, real), distance(then, real), distance(by_counts(said), real), most)
    say(f"{case.name}: {row.parts:.2f}, by counts {row.counts:.2f}, as today {row.now:.2f}; {most}")
    return row


def main(options):
    rows = []
    left_out = each_honest(options, lambda bench, case: rows.append(studied(bench, case)))
    table("### Whose seconds they are at ten times the size: distance to what was sampled there",
          ["program", "samples", "said", "counts alone", "as today", "furthest off"],
          [[r.name, r.samples, f"{r.parts:.2f}", f"{r.counts:.2f}", f"{r.now:.2f}", r.most] for r in rows])
    if rows:
        median = lambda field: statistics.median(getattr(row, field) for row in rows)
        print(f"\nMedian of {len(rows)}: {median('parts'):.2f}, by counts {median('counts'):.2f}, as today {median('now'):.2f}")
    print("\nLeft out: " + "; ".join(left_out) if left_out else "")
