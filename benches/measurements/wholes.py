"""Compares predictions of whole programs at larger sizes, from the studies of real-programs, with the measurements there.

    benches/run.py wholes CACHE

Takes every study in its CACHE that has a companion of larger sizes, and predicts the whole at the smallest, the
middle and the largest of those. Prints a table in Markdown: intervals that contain the measurement, their widths, and
the errors of the costs. Makes no measurements itself.
"""

import csv
import io
import math
import statistics
import sys
from pathlib import Path

from shared import Failed, call, found, head, row

csv.field_size_limit(sys.maxsize)


def costs(trend_prof, study):
    """Returns the feature, and the median total cost of the runs of each size; None unless there is exactly one feature."""
    text = call([trend_prof, "export", "csv", study], codes=None).stdout
    rows = list(csv.reader(io.StringIO(text)))
    if not rows or sum(":" not in name for name in rows[0]) != 2:
        return None
    runs = {}
    for cells in rows[1:]:
        runs.setdefault(float(cells[1]), []).append(sum(int(count or 0) for count in cells[2:]))
    return rows[0][1], {size: statistics.median(cost) for size, cost in runs.items()}


def compared(trend_prof, study, later):
    """Returns predictions and truth: (size as a multiple of the largest, cost, interval, truth)."""
    (feature, inside), (other, beyond) = (costs(trend_prof, path) or (None, {}) for path in (study, later))
    larger = sorted(size for size in beyond if size > 1.5 * max(inside, default=math.inf))
    if feature is None or feature != other or not larger:
        return []
    asked = {larger[0], larger[len(larger) // 2], larger[-1]}
    at = [word for size in asked for word in ("--at", f"{feature}={size:g}")]
    try:
        said = found(trend_prof, "show", study, *at)["total"]["models"][0]["predictions"]
    except Failed:
        return []
    near = ((p, size) for p in said for size in asked if math.isclose(p["at"], size, rel_tol=1e-6) and p.get("ci"))
    return [(size / max(inside), p["cost"], p["ci"], beyond[size]) for p, size in near]


def show(name, found):
    held = sum(lo <= truth * (1 + 1e-9) and truth * (1 - 1e-9) <= hi for _, _, (lo, hi), truth in found)
    width = statistics.median(math.log(hi / lo) for _, _, (lo, hi), _ in found)
    off = sorted(abs(math.log(cost / truth)) for _, cost, _, truth in found)
    figures = len(found), f"{held / len(found):.1%}", f"e^{width:.3f}", f"{statistics.median(off):.2%}", f"{off[int(0.9 * len(off))]:.1%}"
    row(name, *figures)


def arguments(parser):
    parser.add_argument("cache", type=Path)


def main(options):
    pairs = [(path.with_name(path.name.replace("-beyond.trend", ".trend")), path)
             for path in sorted(options.cache.glob("builds/*/*-beyond.trend"))]
    by_study = [compared(options.trend_prof, *pair) for pair in pairs if pair[0].exists()]
    predictions = [one for study in by_study for one in study]
    if not predictions:
        raise Failed(f"{options.cache} has no study with larger sizes beside it: `real-programs` makes them")
    print(f"{sum(map(bool, by_study))} studies\n")
    head("times the largest", "predictions", "interval holds", "width", "error, median", "nine of ten")
    for least, most in ((1.5, 3), (3, 7), (7, 15), (15, math.inf)):
        if part := [one for one in predictions if least <= one[0] < most]:
            show(f"{least:g} to {most:g}", part)
    show("all", predictions)
