"""Replays regressions and repairs of growth in real programs: does `trend-prof diff` see each, and nothing without a
change?

    benches/run.py replay CACHE [--group NAME] [--only TEXT] [--no-honest]

Uses the cases of real-programs, and its CACHE. For each known fault, the fixed and the faulty release run on the same
inputs and are compared both ways: one is a regression at the function with the fault, the other its repair. Both must
have the right exit code, and neither may contradict its own rows. Both releases also run at a larger size; the
predicted interval of the ratio there must contain the measured one. `trend-prof check` of the faulty release, against
laws of the fixed one, must report the function as broken. Honest programs run twice, and are compared with
themselves: any difference (salted hashes, random pivots) is noise. Prints tables in Markdown. Exits with 1 if a fault
was not seen, noise was called a change, an answer contradicts itself, or an interval misses what was measured.
"""

import json
from collections import Counter

import studies
from shared import Failed, call, found, say, table
from studies import Bench

# Maximum length of the names of C++ templates.
LONGEST_NAME = 70
# The outcome that the same two studies must have in the other order.
MIRROR = {"regressed": "improved", "improved": "regressed", "holds": "holds", "cannot_tell": "cannot_tell"}
EXIT_CODES = {"regressed": 1, "cannot_tell": 3, "holds": 0, "improved": 0}
FIRST_WORDS = {"regressed": "Regressed", "cannot_tell": "Cannot tell", "holds": "Holds", "improved": "Improved"}


def compared(trend_prof, before, after, at=()):
    """Returns the comparison, with the exit code and the text output."""
    command = [trend_prof, "diff", "--exit-code", *(["--at", *at] if at else []), before, after]
    said = call([*command, "--format", "json", "--top", "1000"], codes=(0, 1, 3))
    if not said.stdout:
        raise Failed(said.stderr.strip())
    comparison = json.loads(said.stdout)
    comparison["exit_code"], comparison["text"] = said.returncode, call([*command, "--color", "never"], codes=None).stdout
    return comparison


def rows(comparison):
    return [row for kind in ("changes", "lines", "clusters") for row in comparison[kind]]


def close(a, b):
    return abs(a - b) <= 1e-6 * max(abs(a), abs(b))


def within(comparison):
    """Returns contradictions in one comparison."""
    outcome, total, reason = comparison["outcome"], comparison["total"], comparison.get("reason", {}).get("kind")
    wrong = []
    if comparison["exit_code"] != EXIT_CODES[outcome]:
        wrong.append(f"exit code {comparison['exit_code']} of {outcome}")
    if not comparison["text"].startswith(FIRST_WORDS[outcome]):
        wrong.append(f"the headline begins with {comparison['text'].split()[0]}")
    effect = total.get("effect")
    if outcome == "holds" and effect != "same":
        wrong.append(f"holds, and the whole is {effect}")
    if (outcome, effect) in (("regressed", "better"), ("improved", "worse")):
        wrong.append(f"{outcome}, and the whole is {effect}")
    if reason == "cost" and effect != {"regressed": "worse", "improved": "better"}[outcome]:
        wrong.append(f"{outcome} by cost, and the whole is {effect}")
    faster = [row for row in [total, *rows(comparison)] if row.get("grows") == "faster"]
    if "Nothing grows faster" in comparison["text"] and faster:
        wrong.append(f"nothing grows faster, but {name(faster[0])} does")
    if reason == "growth" and outcome == "regressed" and not faster:
        wrong.append("regressed by growth, and no row grows faster")
    for row in [total, *rows(comparison)]:
        ratio, sides = row["change"].get("ratio"), [row["before"]["cost"], row["after"]["cost"]]
        if ratio is not None and None not in sides and sides[0] > 0 and not close(ratio * sides[0], sides[1]):
            wrong.append(f"{name(row)}: a ratio of {ratio:.6g}, and {sides[0]:.6g} → {sides[1]:.6g}")
    if comparison["identical"] and rows(comparison):
        wrong.append("identical, and rows changed")
    return wrong


def with_studies(trend_prof, comparison, before, after):
    """Returns differences between the costs of the whole here and the predictions of `show` for either study."""
    if comparison.get("basis", {}).get("kind") != "predicted" or not comparison["at"]:
        return []
    wrong, at = [], [f"{feature}={value:.17g}" for feature, value in comparison["at"]]
    for study, side in ((before, "before"), (after, "after")):
        try:
            outlooks = found(trend_prof, "show", study, "--at", *at)["total"]["outlooks"]
        except Failed:
            continue
        shown = next((outlook["cost"] for outlook in outlooks if outlook), None)
        here = comparison["total"][side]["cost"]
        if shown is not None and here and not close(shown, here):
            wrong.append(f"{here:.6g} {side}, which `show` says is {shown:.6g}")
    return wrong


def between(one, other):
    """Returns contradictions between a comparison and the one in the other order."""
    wrong = []
    if other["outcome"] != MIRROR[one["outcome"]]:
        wrong.append(f"{one['outcome']}, and {other['outcome']} the other way")
    ratios = [comparison["total"]["change"].get("ratio") for comparison in (one, other)]
    if None not in ratios and not close(ratios[0] * ratios[1], 1):
        wrong.append(f"ratios {ratios[0]:.4g} and {ratios[1]:.4g} the other way")
    return wrong


def of_pair(trend_prof, before, after):
    """Returns both comparisons of two studies, and all contradictions."""
    there, back = compared(trend_prof, before, after), compared(trend_prof, after, before)
    wrong = within(there) + [f"the other way: {text}" for text in within(back)] + between(there, back)
    return there, back, wrong + with_studies(trend_prof, there, before, after)


def of_law(comparison, direction):
    """Returns changes of the law, the heaviest first."""
    kinds = ("class", "exponent")
    changes = [c for c in comparison["changes"] if c["change"]["kind"]["kind"] in kinds and c["change"]["direction"] == direction]
    return sorted(changes, key=lambda c: -c["weight"])


def name(row):
    return row["place"]["name"] if "place" in row else "the whole"


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
    call([trend_prof, "check", baseline_of, "--config", config, "--save-baseline", baseline])
    config.write_text('[[expect]]\nnew-code = true\ngrowth = "<= n log n"\n')
    judged = found(trend_prof, "check", study, "--config", config, "--against", baseline, codes=(0, 1, 3))["expectations"]
    judgements = {e["judgement"] for e in judged if e.get("place", {}).get("name") in case.fault}
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
    before, after = (found(bench.trend_prof, "show", study)["total"]["max_cost"] for study in beyond)
    comparison = compared(bench.trend_prof, *inside, at=[f"n={at}"])
    change, measured = comparison["total"]["change"], after / before
    interval = change.get("ratio_ci")
    if interval is None or comparison["at"] != [["n", at]]:
        return f"n = {at:,}: **no interval**; ×{measured:.3g}", False
    is_right = interval[0] <= measured <= interval[1]
    mark = "" if is_right else "**"
    return f"n = {at:,}: ×{change['ratio']:.3g} (×{interval[0]:.3g} … ×{interval[1]:.3g}); {mark}×{measured:.3g}{mark}", is_right


def faults(bench, cases):
    rows, bad = [], 0
    for case in cases:
        if not case.build:
            continue
        try:
            faulty, mended = (bench.study(case, build, case.sizes, is_timed=case.is_timed) for build in (case.faulty, case.build))
            worse, better, wrong = of_pair(bench.trend_prof, mended, faulty)
            judgement = checked(bench.trend_prof, mended, faulty, case)
            at_larger, is_held = further(bench, case, (mended, faulty))
        except Failed as error:
            say(str(error))
            rows.append([case.name, f"{case.faulty}, {case.build}", *["not run"] * 6, ""])
            bad += 1
            continue
        is_seen = blamed(worse, case, "worse") is not None and worse["outcome"] == "regressed"
        # A later release may be slower elsewhere.
        is_mended = blamed(better, case, "better") is not None and (better["outcome"] == "improved" or case.is_slower_elsewhere)
        right = is_seen and is_mended and judgement == "broken" and not wrong and is_held
        bad += not right
        outcomes = [f"{side['outcome'].replace('_', ' ')}, {side['exit_code']}" for side in (worse, better)]
        verdict = "; ".join(["seen"] * (is_seen and is_mended) + [f"**{text}**" for text in wrong]) or "**missed**"
        rows.append([case.name, f"{case.build} → {case.faulty}", outcomes[0], whole(worse), at_function(worse, case, "worse"),
                      outcomes[1], judgement, at_larger, verdict])
        say(f"{case.name}: {verdict}")
    table("### Faults", ["fault", "versions", "before → after, exit code", "the whole", "at the function", "the other way", "`check`",
                         "at a larger size: predicted; measured", ""], rows)
    return bad


def again(bench, case, build):
    """Makes a second study of the same program on the same inputs."""
    first = bench.study(case, build, case.sizes)
    # Keep the length of the name: it is in the program's environment, which some programs copy.
    second = first.with_name(first.stem[:-1] + "~.trend")
    second.unlink(missing_ok=True)
    call([bench.trend_prof, "run", "--config", first.with_suffix(".toml"), "--study", second, "--no-build", "--quiet"], first.parent)
    return first, second


def noise(bench, cases):
    rows, bad, functions = [], 0, 0
    for case in cases:
        try:
            comparison, _, wrong = of_pair(bench.trend_prof, *again(bench, case, case.build))
        except Failed as error:
            say(str(error))
            rows.append([case.name, case.build, "not run", "", ""])
            continue
        kinds = Counter(c["change"]["kind"]["kind"] for c in comparison["changes"])
        changes = sum(kinds.values())
        functions += comparison["unchanged"] + comparison["undecided"] + changes
        is_wrong = comparison["outcome"] not in ("holds", "cannot_tell") or changes > 0 or bool(wrong)
        bad += is_wrong
        what = ", ".join([f"{count} {kind}" for kind, count in kinds.items()] + wrong)
        exact = "identical" if comparison["identical"] else "noisy"
        rows.append([case.name, case.build, exact, comparison["outcome"], f"**{what}**" if what else "none"])
    if not cases:
        return 0
    table("### The same program twice", ["program", "version", "counts", "outcome", "changes"], rows)
    print(f"\n{functions} functions compared.")
    return bad


def arguments(parser):
    studies.arguments(parser)
    parser.add_argument("--no-honest", action="store_true", help="skip the honest programs")


def main(options):
    bench, bad = Bench(options), 0
    for title, known, honest in studies.groups(options):
        print(f"\n## {title}")
        bad += faults(bench, known) + (0 if options.no_honest else noise(bench, honest))
    return bad > 0
