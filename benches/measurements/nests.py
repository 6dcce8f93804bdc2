"""Checks the formulas of loops and of calls on random affine nests, against a simulation of the same nests.

    benches/run.py nests [--nests 2000] [--seed 1] [--keep FOLDER] [--line]

Generates nests of up to four loops: steps of 1 to 3 or by a parameter, both directions, all comparisons, triangles,
tiles, unsigned counters that wrap around below 0, minima of several bounds, and exits that the data decide. Builds
them with `trend-prof build --probe loops`, a hundred to a program, and runs each program at seven combinations of its
parameters. With `--line`, all parameters move together. Then compares each formula that is called exact, and each
bound, with a simulation at ten other combinations, among them equal, zero, one and swapped ones. Prints the wrong
ones and a summary, and fails if there is one.
"""

import json
import random
import subprocess
import tempfile
from pathlib import Path

from formulas_of_loops import evaluated, python

PARAMETERS = "nmk"
RUNS = [(4, 7, 2), (7, 5, 3), (9, 8, 1), (6, 11, 4), (12, 4, 2), (10, 9, 5), (5, 13, 3)]
LINE = [(n, n + 3, 2) for n in (4, 5, 7, 9, 12, 14, 17)]
OTHERS = [(0, 0, 1), (1, 1, 1), (0, 6, 2), (6, 0, 2), (1, 9, 3), (9, 1, 1), (8, 8, 8), (15, 6, 2), (6, 15, 7), (3, 2, 5)]
NESTS_OF_A_PROGRAM = 100
TIMED = ["timeout", "300"]


class Sum:
    """A sum of names with coefficients, and a number."""

    def __init__(self, names=(), number=0):
        self.names, self.number = dict(names), number

    def value(self, values):
        return self.number + sum(values[name] * times for name, times in self.names.items())

    def c(self):
        words = [name if times == 1 else f"{times} * {name}" for name, times in self.names.items()]
        text = " + ".join(words + ([str(self.number)] if self.number or not words else []))
        return f"({text})" if len(words) + bool(self.number) > 1 else text


class Loop:
    """A loop: header in C, the values of its counter for values of the names, and what is inside."""

    def __init__(self, counter, header, values, body, leaves=None):
        self.counter, self.header, self.values, self.body, self.leaves = counter, header, values, body, leaves


def bound(draw, counters):
    """Draws a bound: mostly a parameter, or a counter of an outer loop."""
    kind = draw.random()
    if counters and kind < 0.35:
        return Sum({draw.choice(counters): 1}, draw.choice([0, 0, 1, -1, 2]))
    if counters and kind < 0.5:
        return Sum({draw.choice(PARAMETERS[:2]): 1, draw.choice(counters): -1}, draw.choice([0, -1, 1]))
    if kind < 0.92:
        return Sum({draw.choice(PARAMETERS[:2]): 1}, draw.choice([0, 0, 0, -1, 1, -2]))
    return Sum({}, draw.choice([3, 8]))


def start(draw, counters):
    kind = draw.random()
    if counters and kind < 0.3:
        return Sum({draw.choice(counters): 1}, draw.choice([0, 1, 1]))
    if kind < 0.4:
        return Sum({"k": 1})
    return Sum({}, draw.choice([0, 0, 0, 1, 2]))


def counted(first, holds, step):
    values = []
    while holds(first):
        values.append(first)
        first += step
    return values


def loops(draw, depth, counters, number):
    """Draws a loop, and the loops inside it. Returns it with the next number of a counter."""
    counter = f"i{number}"
    kind = draw.random()
    low, high = start(draw, counters), bound(draw, counters)
    step = draw.choice([1, 1, 1, 2, 3])
    if kind < 0.12 and depth > 1:
        size = draw.choice([2, 4, 5])
        end, inner = Sum({draw.choice(PARAMETERS[:2]): 1}), f"i{number + 1}"
        tile = Loop(
            inner,
            f"for (int {inner} = {counter}; {inner} < ({counter} + {size} < {end.c()} ? {counter} + {size} : {end.c()}); {inner}++)",
            lambda v: list(range(v[counter], min(v[counter] + size, end.value(v)))),
            [],
        )
        tile.body, number = bodies(draw, depth - 2, counters + [inner], number + 2)
        header = f"for (int {counter} = 0; {counter} < {end.c()}; {counter} += {size})"
        return Loop(counter, header, lambda v: list(range(0, end.value(v), size)), [tile]), number
    if kind < 0.45:
        sign = draw.choice(["<", "<", "<="])
        more = 0 if sign == "<" else 1
        other = bound(draw, counters) if draw.random() < 0.12 else high
        condition = f"{counter} {sign} {high.c()}" + (f" && {counter} < {other.c()}" if other is not high else "")
        header = f"for (int {counter} = {low.c()}; {condition}; {counter} += {step})"
        values = lambda v: counted(low.value(v), lambda at: at < high.value(v) + more and (other is high or at < other.value(v)), step)
    elif kind < 0.62:
        sign = draw.choice([">=", ">"])
        header = f"for (int {counter} = {high.c()} - 1; {counter} {sign} {low.c()}; {counter} -= {step})"
        less = 0 if sign == ">=" else 1
        values = lambda v: counted(high.value(v) - 1, lambda at: at >= low.value(v) + less, -step)
    elif kind < 0.7:
        # Wraps around below 0.
        name = draw.choice(PARAMETERS[:2])
        header = f"for (unsigned {counter} = (unsigned){name} - 1; {counter} < (unsigned){name}; {counter} -= {step})"
        values = lambda v: list(range(v[name] - 1, -1, -step))
    elif kind < 0.78:
        header = f"for (int {counter} = {low.c()}; {counter} < {high.c()}; {counter} += k)"
        values = lambda v: counted(low.value(v), lambda at: at < high.value(v), v["k"])
    elif kind < 0.84:
        name = draw.choice(PARAMETERS)
        header = f"for (int {counter} = 0; {counter} != {name}; {counter}++)"
        values = lambda v: list(range(v[name]))
    else:
        header = f"for (int {counter} = {low.c()}; {counter} < {high.c()}; {counter}++)"
        values = lambda v: list(range(low.value(v), high.value(v)))
    leaves = draw.choice([3, 5, 9]) if draw.random() < 0.08 else None
    # An unsigned counter would make the bounds of inner loops unsigned.
    inside = counters if "unsigned" in header else counters + [counter]
    body, number = bodies(draw, depth - 1, inside, number + 1)
    return Loop(counter, header, values, body, leaves), number


def bodies(draw, depth, counters, number):
    found = []
    if depth > 0:
        for _ in range(draw.choice([0, 1, 1, 1, 2])):
            one, number = loops(draw, depth, counters, number)
            found.append(one)
    return found, number


def text(loop, lines, indent):
    loop.line = len(lines) + 1
    lines.append("    " * indent + loop.header + " {")
    if loop.leaves:
        lines.append("    " * (indent + 1) + f"if (data[sink++ & 63] == {loop.leaves}) break;")
    lines.append("    " * (indent + 1) + "sink++;")
    for one in loop.body:
        text(one, lines, indent + 1)
    lines.append("    " * indent + "}")


def simulate(loop, values, seen):
    """Adds the activations of a loop and of the loops inside: values of names, and trips. Data leave no loop here."""
    trips = loop.values(values)
    seen.setdefault(loop.line, []).append((dict(values), len(trips)))
    for at in trips:
        for one in loop.body:
            simulate(one, {**values, loop.counter: at}, seen)


def all_loops(loop):
    return [loop] + [inside for one in loop.body for inside in all_loops(one)]


def is_wrong(value, count, is_bound):
    return isinstance(value, Exception) or (value < count if is_bound else value != count)


def check(nests, folder, trend_prof, is_line):
    """Returns the numbers of exact, bounded and other formulas of trips, of calls and of functions, and wrong ones."""
    lines = ["#include <stdlib.h>", "volatile unsigned sink; volatile int data[64];"]
    for number, nest in enumerate(nests):
        lines.append(f"__attribute__((noinline)) void f{number}(int n, int m, int k) {{")
        for one in nest:
            text(one, lines, 1)
        lines.append("}")
    calls = " ".join(f"f{number}(n, m, k);" for number in range(len(nests)))
    lines.append(f"int main(int c, char **v) {{ int n = atoi(v[1]), m = atoi(v[2]), k = atoi(v[3]); {calls} return 0; }}")
    (folder / "nests.c").write_text("\n".join(lines) + "\n")

    def prof(*words):
        return subprocess.run(TIMED + [trend_prof, "-q", *words], cwd=folder, check=True, stdout=subprocess.PIPE).stdout

    prof("build", "--probe", "loops", "--", "clang-22", "-O2", "-g", "nests.c", "-o", "nests")
    (folder / "runs.txt").write_text("".join(" ".join(map(str, run)) + "\n" for run in (LINE if is_line else RUNS)))
    for study in folder.glob("*.trend"):
        study.unlink()
    for run in LINE if is_line else RUNS:
        words = [f"--param={name}={value}" for name, value in zip("nmk", run)]
        prof("run", "--no-build", "--no-time", "--probe", "loops", *words, "--", "./nests", "{n}", "{m}", "{k}")
    found = json.loads(prof("loops", "--format", "json"))
    rows = {row["line"]: row for row in found["loops"]}
    functions = {row["name"]: row for row in found["loop_functions"]}
    counts, wrong = {}, []

    def count(kind, status):
        counts[kind, status] = counts.get((kind, status), 0) + 1

    for number, nest in enumerate(nests):
        samples = []
        for run in OTHERS:
            seen = {}
            for one in nest:
                simulate(one, dict(zip(PARAMETERS, run)), seen)
            samples.append((dict(zip(PARAMETERS, run)), seen))
        everything = [inside for one in nest for inside in all_loops(one)]
        is_left = {}
        for one in nest:
            for inside in all_loops(one):
                outer = [other for other in everything if inside in all_loops(other)]
                is_left[inside.line] = any(other.leaves for other in outer)
        for one in everything:
            row = rows[one.line]
            trips = [(values, count) for _, seen in samples for values, count in seen.get(one.line, [])]
            status, formula = row["trips"]["status"], row["trips"].get("formula")
            if one.leaves:
                formula = row["trips"].get("bound") or formula
                status = "bounded" if formula else status
            count("trips", status)
            if status in ("exact", "bounded"):
                expression = python(formula)
                bad = [(v, t) for v, t in trips if is_wrong(evaluated(expression, v), t, one.leaves)]
                if bad:
                    wrong.append(f"f{number} line {one.line} trips {status} {formula}: {bad[0]}  {one.header}")
            call = row["in_call"]
            status = "bounded" if call.get("at_most") else call["status"]
            # Unknown trips of another loop have no value here.
            status = "symbolic" if "trips of" in call["formula"] or "passes of" in call["formula"] else status
            count("calls", status)
            expression = python(call["formula"]) if status in ("exact", "bounded") else None
            for parameters, seen in samples if expression else []:
                total = sum(trips for _, trips in seen.get(one.line, []))
                value = evaluated(expression, parameters)
                if is_wrong(value, total, status == "bounded" or is_left[one.line]):
                    wrong.append(f"f{number} line {one.line} call {status} {call['formula']}: {value} for {total} at {parameters}  {one.header}")
                    break
        trips = functions[f"f{number}"].get("trips")
        count("functions", "exact" if trips else "none")
        for parameters, seen in samples if trips else []:
            total = sum(count for activations in seen.values() for _, count in activations)
            if evaluated(python(trips), parameters) != total:
                wrong.append(f"f{number} {trips}: {evaluated(python(trips), parameters)} for {total} at {parameters}")
                break
    return counts, wrong


def arguments(parser):
    parser.add_argument("--nests", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", type=Path, help="a folder for the last program and its study")
    parser.add_argument("--line", action="store_true", help="let all parameters move together in the runs")


def main(options):
    draw, total, wrong = random.Random(options.seed), {}, []
    for first in range(0, options.nests, NESTS_OF_A_PROGRAM):
        nests = []
        while len(nests) < min(NESTS_OF_A_PROGRAM, options.nests - first):
            one, _ = loops(draw, draw.choice([1, 2, 3, 4]), [], 0)
            nests.append([one])
        with tempfile.TemporaryDirectory() as name:
            folder = options.keep or Path(name)
            folder.mkdir(exist_ok=True)
            counts, bad = check(nests, folder, options.trend_prof, options.line)
        for key, count in counts.items():
            total[key] = total.get(key, 0) + count
        wrong += [f"program {first // NESTS_OF_A_PROGRAM}: {one}" for one in bad]
        print("\n".join(bad), flush=True)
    for (kind, status), count in sorted(total.items()):
        print(f"{kind} {status}: {count}")
    print(f"wrong: {len(wrong)}")
    return int(bool(wrong))
