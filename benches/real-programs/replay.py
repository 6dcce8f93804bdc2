#!/usr/bin/env python3
"""Replays regressions and repairs of growth in real programs: does `trend-prof diff` see each, and nothing without a
change?

    benches/real-programs/replay.py CACHE [--trend-prof PATH] [--group NAME] [--only TEXT] [--no-honest]

Uses the cases of run.py, and its CACHE. For each known fault, the fixed and the faulty release run on the same inputs
and are compared both ways: one is a regression at the function with the fault, the other its repair. Both must have
the right exit code, and neither may contradict its own rows (contradictions.py). Both releases also run at a larger
size; the predicted interval of the ratio there must contain the measured one. `trend-prof check` of the faulty release,
against laws of the fixed one, must report the function as broken. Honest programs run twice, and are compared with
themselves: any difference (salted hashes, random pivots) is noise. Prints tables in Markdown. Exits with 1 if a fault
was not seen, noise was called a change, an answer contradicts itself, or an interval misses what was measured.
"""

import json
import subprocess
import sys
from collections import Counter

from contradictions import Unreadable, compared, of_pair
from run import GROUPS, Bench, Failed, arguments_of_cases, say, write
from sources import NotObtainable

# Maximum length of the names of C++ templates.
LONGEST_NAME = 70


def of_law(comparison, direction):
    """Returns changes of the law, the heaviest first."""
    kinds = ("class", "exponent")
    found = [c for c in comparison["changes"] if c["change"]["kind"]["kind"] in kinds and c["change"]["direction"] == direction]
    return sorted(found, key=lambda c: -c["weight"])


def name(change):
    return change["place"]["name"]


def law(change):
    sides = (change[side]["growth"] or "no law" for side in ("before", "after"))
    return " → ".join(sides)


def blamed(comparison, case, direction):
    """Returns the change at the function with the fault, even if only one version has it."""
    changes = [c for c in comparison["changes"] if name(c) in case.fault and c["change"]["direction"] == direction]
    return max(changes, key=lambda c: c["weight"], default=None)


def checked(trend_prof, baseline_of, study, case):
    """Returns the result of `check` for the function with the fault, against the laws of another study."""
    baseline = study.with_suffix(".baseline.json")
    # Only the baseline's expectations apply.
    config = study.with_suffix(".expect.toml")
    config.write_text("")
    said = subprocess.run([trend_prof, "check", baseline_of, "--config", config, "--save-baseline", baseline], text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if said.returncode:
        raise Failed(said.stderr.strip())
    config.write_text('[[expect]]\nnew-code = true\ngrowth = "<= n log n"\n')
    said = subprocess.run([trend_prof, "check", study, "--config", config, "--against", baseline, "--format", "json"], text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if not said.stdout:
        raise Failed(said.stderr.strip())
    found = [e for e in json.loads(said.stdout)["expectations"] if e.get("place", {}).get("name") in case.fault]
    judgements = {e["judgement"] for e in found}
    return next((word for word in ("broken", "undecided", "holds") if word in judgements), "not found")


def at_function(comparison, case, direction):
    """Describes the change in this direction at the function with the fault."""
    change = blamed(comparison, case, direction)
    if change is None:
        return "not there"
    shown = name(change) if len(name(change)) <= LONGEST_NAME else name(change)[:LONGEST_NAME] + "…"
    return f"`{shown}`: {change['change']['kind']['kind']}, {law(change)}"


def whole(comparison):
    """Describes the change of the whole, and its size."""
    total, at = comparison["total"], ", ".join(f"{feature} = {value:,.0f}" for feature, value in comparison["at"])
    ratio = total["change"].get("ratio")
    times = "?" if ratio is None else f"×{ratio:.3g}"
    return f"{times} at {at}" if at else times


def further(bench, case, inside):
    """Describes the ratio of the costs at a larger size, predicted and measured. Also returns true if the interval contains
    the measured one."""
    at = case.beyond[0]
    beyond = [bench.study(case, build, [at], "-further") for build in (case.build, case.faulty)]
    shown = [json.loads(subprocess.run([bench.trend_prof, "show", "--format", "json", study], check=True, text=True,
                                       stdout=subprocess.PIPE).stdout) for study in beyond]
    before, after = (found["total"]["max_cost"] for found in shown)
    comparison = compared(bench.trend_prof, *inside, at=[f"n={at}"])
    change, measured = comparison["total"]["change"], after / before
    interval = change.get("ratio_ci")
    if interval is None or comparison["at"] != [["n", at]]:
        return f"n = {at:,}: **no interval**; ×{measured:.3g}", False
    is_right = interval[0] <= measured <= interval[1]
    mark = "" if is_right else "**"
    return f"n = {at:,}: ×{change['ratio']:.3g} (×{interval[0]:.3g} … ×{interval[1]:.3g}); {mark}×{measured:.3g}{mark}", is_right


def faults(bench, cases):
    table, bad = [], 0
    for case in cases:
        if not case.build:
            continue
        try:
            faulty, mended = (bench.study(case, build, case.sizes, "", case.is_timed) for build in (case.faulty, case.build))
            worse, better, wrong = of_pair(bench.trend_prof, mended, faulty)
            judgement = checked(bench.trend_prof, mended, faulty, case)
            at_larger, is_held = further(bench, case, (mended, faulty))
        except (Failed, NotObtainable, Unreadable, subprocess.CalledProcessError) as error:
            say(str(error))
            table.append([case.name, f"{case.faulty}, {case.build}", *["not run"] * 6, ""])
            bad += 1
            continue
        is_seen = blamed(worse, case, "worse") is not None and worse["outcome"] == "regressed"
        # A later release may be slower elsewhere.
        is_mended = blamed(better, case, "better") is not None and (better["outcome"] == "improved" or case.is_slower_elsewhere)
        right = is_seen and is_mended and judgement == "broken" and not wrong and is_held
        bad += not right
        outcomes = [f"{found['outcome'].replace('_', ' ')}, {found['exit_code']}" for found in (worse, better)]
        verdict = "; ".join(["seen"] * (is_seen and is_mended) + [f"**{text}**" for text in wrong]) or "**missed**"
        table.append([case.name, f"{case.build} → {case.faulty}", outcomes[0], whole(worse), at_function(worse, case, "worse"),
                      outcomes[1], judgement, at_larger, verdict])
        say(f"{case.name}: {verdict}")
    write("### Faults", ["fault", "versions", "before → after, exit code", "the whole", "at the function", "the other way", "`check`",
                         "at a larger size: predicted; measured", ""], table)
    return bad


def again(bench, case, build):
    """Makes a second study of the same program on the same inputs."""
    first = bench.study(case, build, case.sizes, "")
    # Keep the length of the name: it is in the program's environment, which some programs copy.
    second = first.with_name(first.stem[:-1] + "~.trend")
    second.unlink(missing_ok=True)
    config = first.with_suffix(".toml")
    subprocess.run([bench.trend_prof, "run", "--config", config, "--study", second, "--no-build", "--quiet"], check=True,
                   cwd=first.parent, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return first, second


def noise(bench, cases):
    table, bad, functions = [], 0, 0
    for case in cases:
        try:
            comparison, _, wrong = of_pair(bench.trend_prof, *again(bench, case, case.build))
        except (Failed, NotObtainable, Unreadable, subprocess.CalledProcessError) as error:
            say(str(error))
            table.append([case.name, case.build, "not run", "", ""])
            continue
        kinds = Counter(c["change"]["kind"]["kind"] for c in comparison["changes"])
        changes = sum(kinds.values())
        functions += comparison["unchanged"] + comparison["undecided"] + changes
        is_wrong = comparison["outcome"] not in ("holds", "cannot_tell") or changes > 0 or bool(wrong)
        bad += is_wrong
        what = ", ".join([f"{count} {kind}" for kind, count in kinds.items()] + wrong)
        exact = "identical" if comparison["identical"] else "noisy"
        table.append([case.name, case.build, exact, comparison["outcome"], f"**{what}**" if what else "none"])
    if not cases:
        return 0
    write("### The same program twice", ["program", "version", "counts", "outcome", "changes"], table)
    print(f"\n{functions} functions compared.")
    return bad


def main():
    parser = arguments_of_cases(__doc__)
    parser.add_argument("--no-honest", action="store_true", help="skip the honest programs")
    arguments = parser.parse_args()
    arguments.cache.mkdir(parents=True, exist_ok=True)
    bench, bad = Bench(arguments.cache.resolve(), arguments.trend_prof.absolute()), 0
    for group, (title, known, honest) in GROUPS.items():
        if arguments.group in ("", group):
            print(f"\n## {title}")
            bad += faults(bench, [case for case in known if arguments.only in case.name])
            bad += noise(bench, [case for case in honest if arguments.only in case.name and not arguments.no_honest])
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
