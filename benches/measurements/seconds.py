"""Compares the predicted time and memory at ten times the largest size with those of a build without counters.

    benches/run.py seconds CACHE [--group NAME] [--only TEXT]

Uses the honest cases of real-programs, and its CACHE; of cases that differ only in sizes, one. Sizes are chosen so that the
largest run takes about half a second. Three and ten times that size are then run by another build of the program,
made without trend-prof. Cases that do not reach that time, or grow so fast that the truth would take minutes, are
left out and named. Each is predicted twice: with the run of three times the largest size, if `trend-prof` had time
for one, and without it. Prints a table in Markdown, even of partial results after Ctrl-C. Needs GNU time.
"""

import json
import math
import statistics
import subprocess
import tempfile
import time
from dataclasses import dataclass

from shared import HERE, Failed, found, measured, say, sizes, table
from studies import arguments, each_honest, study_name

LONG = 0.5  # seconds of the largest run that is timed
MOST = 60.0  # seconds of a run that tells the truth


class Truth:
    """Runs of the build without counters."""

    def __init__(self, folder, case):
        self.folder, self.case = folder, case

    def run(self, n, repeat=1):
        """Returns the median CPU time in seconds, and the greatest peak memory in bytes."""
        with tempfile.NamedTemporaryFile() as input:
            if self.case.generator:
                subprocess.run(["python3", HERE / "generators.py", self.case.generator, str(n)], stdout=input, check=True)
            words = [word.replace("{input}", input.name).replace("{n}", str(n)) for word in self.case.command]
            runs = [measured(["timeout", 4 * MOST, *words], self.folder) for _ in range(repeat)]
        return statistics.median(run.cpu for run in runs), max(run.peak for run in runs)


def largest(truth, case):
    """Returns the size whose run takes about the wanted time, and the exponent there. Results are cached."""
    kept = truth.folder / f"{study_name(case)}.largest"
    if not kept.exists():
        kept.write_text(json.dumps(search_largest(truth, case)))
    top, power = json.loads(kept.read_text())
    if LONG * 10 ** power > 2 * MOST:
        raise Failed(f"{case.name}: ten times the size would take {LONG * 10 ** power:.0f} s")
    return top, power


def search_largest(truth, case):
    n, (took, _) = case.beyond[-1], truth.run(case.beyond[-1])
    while took < LONG / 3 and n < case.beyond[-1] * 10_000:
        factor = min(10.0, max(2.0, LONG / max(took, 0.01) / 2))
        n = round(n * factor)
        took, _ = truth.run(n)
    if took < LONG / 3:
        raise Failed(f"{case.name}: takes {took:.2f} s at n = {n}")
    half, _ = truth.run(n // 2)
    power = max(0.5, math.log2(max(took, 0.01) / max(half, 0.01)))
    return max(4, round(n * (LONG / took) ** (1 / power))), power


def study_below(bench, case, top):
    """Returns the timed study of sizes up to this one."""
    return bench.study(case, case.build, sizes(max(1, top // 100), top, 11), "-seconds", is_timed=True)


def without_larger(bench, study, n, larger):
    """Returns the prediction without the run of three times the largest size, and whether there is such a run."""
    try:
        return predicted(bench, study, n, "--exclude", f"n={larger}"), True
    except Failed:
        return predicted(bench, study, n), False


def predicted(bench, study, n, *options):
    return found(bench.trend_prof, "show", study, "--at", f"n={n}", *options)["answer"]


def studied(bench, case, rows):
    truth = Truth(bench.plain(case.build), case)
    top, power = largest(truth, case)
    begin = time.monotonic()
    study = study_below(bench, case, top)
    for times in (3, 10):
        answer = predicted(bench, study, times * top)
        alone, has_larger = without_larger(bench, study, times * top, 3 * top)
        seconds, memory = truth.run(times * top, 3 if times == 3 else 1)
        rows.append(Row(case.name, times, seconds, memory, answer, alone, has_larger))
    say(f"{case.name}: {time.monotonic() - begin:.0f} s, n^{power:.1f}")


@dataclass
class Row:
    """A program at a multiple of the largest size: the truth, and the predictions with and without the larger run."""

    name: str
    times: int
    seconds: float
    bytes: int
    answer: dict
    alone: dict
    has_larger: bool

    def said(self, is_alone):
        return (self.alone if is_alone else self.answer).get("time")

    def error(self, is_alone=False):
        return self.said(is_alone)["seconds"] / self.seconds - 1

    def is_covered(self, is_alone=False):
        low, high = self.said(is_alone)["ci"]
        return low <= self.seconds <= high

    def memory_error(self, is_alone=False):
        memory = (self.alone if is_alone else self.answer).get("memory")
        return memory["bytes"] / self.bytes - 1 if memory else None


def show(rows):
    lines = []
    for row in rows:
        cells = [row.name, f"{row.times}×", f"{row.seconds:.2f} s"]
        said = row.said(False)
        if said:
            low, high = said["ci"]
            cells += [f"{said['seconds']:.2f} s ({low:.2f}–{high:.2f})", f"{row.error():+.0%}",
                      f"{row.error(True):+.0%}" if row.has_larger else "no larger run",
                      "yes" if row.is_covered() else "**no**", ", ".join(said["doubts"])]
        else:
            cells += ["not timed", "", "", "", ""]
        memory = row.memory_error()
        cells += [f"{row.bytes / 1e6:.1f} MB", "–" if memory is None else f"{memory:+.0%}"]
        lines.append(cells)
    table("### Time and memory",
          ["program", "size", "truth", "said", "error", "without the larger run", "covered", "doubts", "memory", "error"], lines)


def account(rows):
    for times in (3, 10):
        for is_alone in (True, False):
            for trusted in (False, True):
                some = [r for r in rows if r.times == times and r.said(is_alone) and not (trusted and r.said(is_alone)["doubts"])]
                errors = sorted(abs(r.error(is_alone)) for r in some)
                if not errors:
                    continue
                covered = sum(r.is_covered(is_alone) for r in some)
                widths = statistics.median(r.said(is_alone)["ci"][1] / r.said(is_alone)["ci"][0] for r in some)
                within = lambda most: sum(e <= most for e in errors) / len(errors)
                print(f"- {times}×, {'without' if is_alone else 'with'} the larger run, {'without doubts' if trusted else 'all'}:"
                      f" {len(errors)} programs, median error {statistics.median(errors):.0%}, within 30 % {within(.3):.0%}, within 50 %"
                      f" {within(.5):.0%}; intervals cover {covered / len(errors):.0%} at a median width of a factor {widths:.1f}")
            memory = [abs(e) for r in rows if r.times == times for e in [r.memory_error(is_alone)] if e is not None]
            if memory:
                within = sum(e <= .25 for e in memory) / len(memory)
                print(f"- {times}×, {'without' if is_alone else 'with'} the larger run, memory: {len(memory)} programs, median error"
                      f" {statistics.median(memory):.1%}, within 25 % {within:.0%}")


def doubts(rows):
    """Prints how far predictions with and without each doubt are off."""
    answers = [(row, is_alone) for row in rows for is_alone in (True, False) if row.said(is_alone)]
    lines = []
    for doubt in sorted({doubt for row, is_alone in answers for doubt in row.said(is_alone)["doubts"]}) + ["any"]:
        for has in (True, False):
            some = [(row, is_alone) for row, is_alone in answers
                    if has == (doubt in row.said(is_alone)["doubts"] or doubt == "any" and bool(row.said(is_alone)["doubts"]))]
            if some:
                outside = sum(not row.is_covered(is_alone) for row, is_alone in some)
                errors = [abs(math.log(1 + row.error(is_alone))) for row, is_alone in some]
                widths = [math.log(row.said(is_alone)["ci"][1] / row.said(is_alone)["ci"][0]) for row, is_alone in some]
                lines.append([doubt, "yes" if has else "no", len(some), f"{outside / len(some):.0%}",
                              f"{math.exp(statistics.median(errors)):.2f}", f"{math.exp(max(errors)):.2f}",
                              f"{math.exp(statistics.median(widths)):.1f}"])
    table("### Doubts", ["doubt", "raised", "predictions", "outside the interval", "median factor off", "largest factor off",
                         "width of the interval"], lines)


def main(options):
    rows = []
    left_out = each_honest(options, lambda bench, case: studied(bench, case, rows))
    show(rows)
    print()
    account(rows)
    print()
    doubts(rows)
    print("\nLeft out: " + "; ".join(left_out) if left_out else "")
