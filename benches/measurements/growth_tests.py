"""Compares the verdicts of five tools on the growth of twenty functions, and how often they change.

    benches/run.py growth-tests [--times 50] [--tools trend-prof,gungraun] [--load] [--results FILE] [--report]

Each tool judges every function the given number of times; `--load` keeps twice as many processes busy as the machine
has cores. The verdicts are appended to the results, so that a comparison can be made in parts. Prints a table of all
results; `--report` only prints that. growth-tests/README.md describes the requirements and the columns.
"""

import collections
import json
import os
import pathlib
import re
import time

from shared import HERE, Failed, busy, call, head, row, say

CRATE = HERE / "growth-tests"
FUNCTIONS = re.findall(r'^ +(\w+) "<= ', (CRATE / "src/lib.rs").read_text(), re.M)
WORSE = set(FUNCTIONS[:10])
ASSERTIONS = [f"{version}::{name}" for version in ("before", "after") for name in FUNCTIONS]

# Times for criterion instead of 3 s and 5 s. It takes 100 samples, as always.
CRITERION = ["--warm-up-time", "0.2", "--measurement-time", "0.5", "--noplot"]


def run(*words):
    """Returns what cargo prints."""
    environment = os.environ | {"NO_COLOR": "1", "CARGO_TERM_COLOR": "never"}
    return call(["sh", "-c", 'exec cargo "$@" 2>&1', "sh", *words], CRATE, codes=None, env=environment).stdout


def tested(target, *words):
    """Returns the verdicts of a test target."""

    def judge():
        said = run("test", "--no-fail-fast", "--test", target, *words)
        result = re.search(r"^test result: .* (\d+) passed; (\d+) failed", said, re.M)
        if not result:
            raise Failed(said)
        failed = said[said.rindex("\nfailures:\n"):] if int(result[2]) else ""
        failed = set(re.findall(r"^    (\w+::\w+)$", failed, re.M))
        if len(failed) != int(result[2]) or len(failed) + int(result[1]) != len(ASSERTIONS):
            raise Failed(said)
        undecided = set(re.findall(r"it is undecided whether (\w+::\w+) grows", said))
        # A test that fails for a reason other than growth gives no verdict.
        broken = set(re.findall(r"(?:cannot say how (\w+::\w+) grows)", said))
        if broken or "failed to build" in said:
            raise Failed(said)
        verdict = lambda name: "undecided" if name in undecided else "fails" if name in failed else "passes"
        return {name: verdict(name) for name in ASSERTIONS}, said

    return judge


def gungraun():
    """Returns verdicts: a function fails with 5 % more instructions than the first version at one of the sizes."""
    run("bench", "--bench", "instructions", "--", "--save-baseline=first")
    said = run(
        "bench", "--bench", "instructions", "--features", "second", "--", "--baseline=first", "--callgrind-limits=ir=5%"
    )
    return regressed(said, r"^instructions::all::(\w+)", r"Performance has regressed"), said


def criterion():
    """Returns verdicts: a function fails if criterion reports a regression at one of the sizes."""
    # This also compares with an earlier baseline, if there is one. That result is ignored.
    run("bench", "--bench", "clock", "--", "--save-baseline", "first", *CRITERION)
    said = run("bench", "--bench", "clock", "--features", "second", "--", "--baseline", "first", *CRITERION)
    return regressed(said, r"^Benchmarking (\w+)/\d+", r"^ +Performance has regressed\."), said


def regressed(said, header, flag):
    verdicts = {}
    name = None
    for line in said.splitlines():
        if found := re.search(header, line):
            name = found[1]
            verdicts.setdefault(f"after::{name}", "passes")
        # The list at the end repeats the names of benchmarks, and contains no verdict of the last one.
        elif re.search(flag, line) and name:
            verdicts[f"after::{name}"] = "fails"
    if sorted(verdicts) != sorted(f"after::{name}" for name in FUNCTIONS):
        raise Failed(said)
    return verdicts


TOOLS = {
    "trend-prof": tested("trend_prof"),
    "bigoish": tested("bigoish", "--", "--test-threads=1"),
    "big-o-test": tested("big_o_test", "--", "--test-threads=1"),
    "gungraun": gungraun,
    "criterion": criterion,
}


def is_right(name, verdict):
    version, function = name.split("::")
    return verdict == ("fails" if version == "after" and function in WORSE else "passes")


def report(results):
    """Prints a line for each tool and machine, and the wrong verdicts of each."""
    groups = collections.defaultdict(list)
    for result in results:
        groups[result["tool"], result["load"]].append(result)
    order = sorted(groups, key=lambda group: (group[1], list(TOOLS).index(group[0])))
    head("tool", "machine", "runs", "verdicts", "right", "wrong: honest code fails", "wrong: worse code passes", "undecided", "changing",
         "seconds")
    details = []
    for tool, load in order:
        runs = groups[tool, load]
        given = collections.defaultdict(collections.Counter)
        for result in runs:
            for name, verdict in result["verdicts"].items():
                given[name][verdict] += 1
        share = collections.Counter()
        for name, counts in given.items():
            for verdict, count in counts.items():
                is_worse = not is_right(name, "passes")
                kind = "right" if is_right(name, verdict) else "undecided" if verdict == "undecided" else is_worse
                share[kind] += count / len(runs)
        changing = sum(len(counts) > 1 for counts in given.values())
        seconds = sorted(result["seconds"] for result in runs)[len(runs) // 2]
        machine = "busy" if load else "as found"
        row(tool, machine, len(runs), len(given), *(f"{share[kind]:.1f}" for kind in ("right", False, True, "undecided")), changing,
            f"{seconds:.0f}")
        wrong = {name: dict(counts) for name, counts in given.items()
                 if any(not is_right(name, verdict) for verdict in counts)}
        average = [result["average"] for result in runs]
        details.append(f"\n{tool}, {machine}, load average {min(average):.1f} to {max(average):.1f}:")
        details += [f"    {name}: " + ", ".join(f"{v} {c}" for v, c in counts.items()) for name, counts in wrong.items()]
    print(*details, sep="\n")


def arguments(parser):
    parser.add_argument("--times", type=int, default=50)
    parser.add_argument("--tools", default=",".join(TOOLS))
    parser.add_argument("--load", action="store_true")
    parser.add_argument("--results", type=pathlib.Path, default=CRATE / "target/results.jsonl")
    parser.add_argument("--report", action="store_true")


def main(options):
    tools = options.tools.split(",")
    if unknown := set(tools) - set(TOOLS):
        raise Failed(f"no such tool: {', '.join(unknown)}")
    os.environ["TREND_PROF"] = str(options.trend_prof)
    options.results.parent.mkdir(parents=True, exist_ok=True)
    if not options.report:
        # Build before measuring. trend-prof builds separately at its first test.
        run("test", "--no-run")
        run("bench", "--no-run")
        run("bench", "--no-run", "--features", "second")
        with busy(2 * os.cpu_count() if options.load else 0):
            for number, tool in ((number, tool) for number in range(options.times) for tool in tools):
                average, began = os.getloadavg()[0], time.monotonic()
                verdicts, said = TOOLS[tool]()
                seconds = time.monotonic() - began
                result = {"tool": tool, "load": options.load, "average": average, "seconds": seconds, "verdicts": verdicts}
                with options.results.open("a") as file:
                    print(json.dumps(result), file=file)
                options.results.with_suffix(f".{tool}.txt").write_text(said)
                right = sum(is_right(*item) for item in verdicts.items())
                say(f"{tool} {number + 1}: {right} of {len(verdicts)} right, {seconds:.0f} s")
    report([json.loads(line) for line in options.results.read_text().splitlines()])
