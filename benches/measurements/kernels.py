"""Checks the formulas of loops and of calls in numerical programs, at arguments that were never run.

    benches/run.py kernels [--only TEXT] [--keep FOLDER] [--show]

Builds each program of `programs/kernels` with `trend-prof build --probe loops`, runs it at seven random combinations of
its arguments, and reads its formulas. A second build of the same source, without trend-prof, counts the trips of each
loop and the calls of each function itself. Both builds then run at seven to eleven other combinations, among them
equal, zero, one and swapped ones. If all calls of a function have the same known values, its formulas are compared with
these counts: those of each loop's trips in a call, and those of all trips of the function. Formulas of single
activations are compared with the activations of the other combinations. Prints the wrong formulas and the numbers of
formulas by kind and result, and fails if one is wrong.
"""

import random
import re
import shutil
import tempfile
from collections import Counter
from pathlib import Path

from formulas_of_loops import evaluated, python
from shared import PROGRAMS, call, found

KERNELS = PROGRAMS / "kernels"
LEARNED = 7
MARK = "// in terms of the arguments: "
FUNCTION = re.compile(r"(\w+)\([^()]*(?:\([^()]*\)[^()]*)*\) \{ CALL;")


def ranges(source):
    """Returns the range of each argument."""
    first = source.splitlines()[0].split(": ", 1)[1]
    return {name: tuple(map(int, span.split(".."))) for name, span in (word.split("=") for word in first.split())}


def combinations(spans, draw):
    """Returns combinations to learn from, and others to check at."""
    drawn = lambda: {name: draw.randint(*span) for name, span in spans.items()}
    learned = [drawn() for _ in range(LEARNED)]
    last = learned[-1]
    least = min(high for _, high in spans.values())
    swapped = {name: min(max(value, low), high) for value, (name, (low, high)) in zip(reversed(last.values()), spans.items())}
    alone = [{**last, name: number} for name, number in zip(spans, [0, 1, 0, 1, 0])]
    return learned, [dict.fromkeys(spans, 0), dict.fromkeys(spans, 1), dict.fromkeys(spans, least), swapped, *alone, drawn(), drawn()]


def functions(source):
    """Returns, for each function, the line that counts its calls, and its names in terms of the arguments.

    The line is `None` for `main`. The names are `None` if their values differ from call to call."""
    lines, known = source.splitlines(), {}
    for number, line in enumerate(lines, 1):
        name = FUNCTION.search(line)
        is_main = line.startswith("int main(")
        if not name and not is_main:
            continue
        before = lines[number - 2]
        words = before.removeprefix(MARK) if before.startswith(MARK) else ""
        is_known = words != "differs"
        known["main" if is_main else name[1]] = None if is_main else number, dict(pair.split(" = ", 1) for pair in words.split(", ") if pair) if is_known else None
    return known


def counted(program, arguments):
    """Returns the number of executions of each line that counts them."""
    done = call(["timeout", "60", program, *arguments.values()])
    return {int(line): int(times) for line, times in (words.split() for words in done.stderr.splitlines())}


def values(names, arguments):
    """Returns the values of a function's names in Python, for the arguments of a program."""
    return {**arguments, **{name: eval(words, {"__builtins__": {}}, arguments) for name, words in names.items()}}


def value(formula, values):
    """Returns the value of a formula. Python identifiers replace its names first, because `from.rows` is not valid."""
    known = {}
    for index, (name, number) in enumerate(sorted(values.items(), key=lambda pair: len(pair[0]), reverse=True)):
        known[f"name_{index}"] = number
        formula = re.sub(rf"(?<![A-Za-z_.]){re.escape(name.replace('->', '.'))}(?![A-Za-z0-9_.(])", f"name_{index}", formula)
    return evaluated(python(formula), known)


def check(path, folder, trend_prof, show):
    """Returns counts of formulas by kind and result, the wrong formulas, and those that cannot be evaluated."""
    source = path.read_text()
    learned, others = combinations(ranges(source), random.Random(path.stem))
    compiler, counter = ("clang++-22", "g++") if path.suffix == ".cpp" else ("clang-22", "gcc")
    include = f"-I{KERNELS}"
    call([counter, "-O1", "-DCOUNTED", include, path, "-o", folder / "counted", "-lm"])
    shutil.copy(path, folder)
    call([trend_prof, "-q", "build", "--probe", "loops", "--", compiler, "-O2", "-g", include, path.name, "-o", "program", "-lm"], folder)

    def run(combinations):
        for one in combinations:
            words = [f"--param={name}={number}" for name, number in one.items()]
            call([trend_prof, "-q", "run", "--no-build", "--no-time", "--probe", "loops", *words, "--", "./program", *(f"{{{name}}}" for name in one)], folder)
        return found(trend_prof, "loops", folder=folder)

    few = run(learned)
    if show:
        print(call([trend_prof, "loops"], folder).stdout)
    all_ = {(row["line"], row.get("number")): row for row in run(others)["loops"]}
    results, wrong, unknown, lines = Counter(), [], [], source.splitlines()
    counts = [(one, counted(folder / "counted", one)) for one in others]
    known = functions(source)

    def compare(kind, place, formula, is_bound, line, names, lines):
        """Compares a formula with the executions of `lines` in a call of a function, counted on `line`."""
        for arguments, count in counts:
            if line and not count.get(line):
                continue
            known_values = values(names, arguments)
            given, seen = value(formula, known_values), sum(count.get(at, 0) for at in lines) / (count[line] if line else 1)
            if isinstance(given, ZeroDivisionError) and not seen:
                continue
            if isinstance(given, Exception):
                results[kind, "not evaluated"] += 1
                unknown.append(f"{path.name}:{place} {kind} {formula}: {given}")
                return
            if given < seen if is_bound else given != seen:
                results[kind, "wrong"] += 1
                wrong.append(f"{path.name}:{place} {kind} {formula}: {given} for {seen} at {known_values}")
                return
        results[kind, "right"] += 1

    for row in few["loops"]:
        if not row["activations"] or row["file"] != path.name or "TRIP;" not in lines[row["line"] - 1]:
            continue
        trips = row["trips"]
        other = all_[row["line"], row.get("number")]["trips"]
        status = trips["status"]
        results["trips", status] += 1
        if status == "exact" and (other.get("formula"), other.get("off")) != (trips["formula"], 0):
            results["trips", "wrong"] += 1
            wrong.append(f"{path.name}:{row['line']} trips {trips['formula']}, later {other}")
        name = row["function"].split("(")[0]
        line, names = known.get(name, (None, None))
        formula = row["in_call"]["formula"]
        is_bound = bool(row["in_call"].get("at_most"))
        if row["in_call"]["status"] != "exact" and not is_bound or "trips of" in formula or "passes of" in formula:
            results["in a call", row["in_call"]["status"]] += 1
        elif names is None:
            results["in a call", "calls differ"] += 1
        else:
            compare("in a call", row["line"], formula, is_bound, line, names, [row["line"]])
    for row in few["loop_functions"]:
        line, names = known.get(row["name"].split("(")[0], (None, None))
        if not row.get("trips"):
            results["function", "no formula"] += 1
        elif names is None:
            results["function", "calls differ"] += 1
        else:
            inside = {loop["line"] for loop in few["loops"] if loop["function"] == row["name"] and loop["file"] == path.name}
            compare("function", row["line"], row["trips"], False, line, names, inside)
    return results, wrong, unknown


def arguments(parser):
    parser.add_argument("--only", default="", help="programs whose name contains this")
    parser.add_argument("--keep", type=Path, help="a folder for the programs and their studies")
    parser.add_argument("--show", action="store_true", help="print the tables of each program")


def main(options):
    total, wrong, programs = Counter(), [], 0
    for path in sorted(KERNELS.glob("*.c*")):
        if options.only not in path.name:
            continue
        programs += 1
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            if options.keep:
                folder = options.keep / path.stem
                folder.mkdir(parents=True, exist_ok=True)
                for study in folder.glob("*.trend"):
                    study.unlink()
            results, bad, unknown = check(path, folder, options.trend_prof, options.show)
        total.update(results)
        wrong += bad
        print(f"{path.name}: " + ", ".join(f"{kind} {status} {count}" for (kind, status), count in sorted(results.items())), flush=True)
        print("".join(f"  {one}\n" for one in bad), end="", flush=True)
        print("".join(f"  cannot be compared: {one}\n" for one in unknown), end="", flush=True)
    print(f"\n{programs} programs")
    for (kind, status), count in sorted(total.items()):
        print(f"{kind} {status}: {count}")
    print(f"wrong: {len(wrong)}")
    return int(bool(wrong))
