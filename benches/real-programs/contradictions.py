"""Finds contradictions between the answer of `trend-prof diff` and its own rows, or those of `trend-prof show`."""

import json
import subprocess

# The outcome that the same two studies must have in the other order.
MIRROR = {"regressed": "improved", "improved": "regressed", "holds": "holds", "cannot_tell": "cannot_tell"}
EXIT_CODES = {"regressed": 1, "cannot_tell": 3, "holds": 0, "improved": 0}
FIRST_WORDS = {"regressed": "Regressed", "cannot_tell": "Cannot tell", "holds": "Holds", "improved": "Improved"}


class Unreadable(Exception):
    pass


def compared(trend_prof, before, after, at=()):
    """Returns the comparison, with the exit code and the text output."""
    command = [trend_prof, "diff", "--exit-code", *(["--at", *at] if at else []), before, after]
    call = lambda *words: subprocess.run([*command, *words], text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    said = call("--format", "json", "--top", "1000")
    if said.returncode not in (0, 1, 3) or not said.stdout:
        raise Unreadable(said.stderr.strip())
    found = json.loads(said.stdout)
    found["exit_code"], found["text"] = said.returncode, call("--color", "never").stdout
    return found


def rows(found):
    return [row for kind in ("changes", "lines", "clusters") for row in found[kind]]


def name(row):
    return row["place"]["name"] if "place" in row else "the whole"


def close(a, b):
    return abs(a - b) <= 1e-6 * max(abs(a), abs(b))


def within(found):
    """Returns contradictions in one comparison."""
    outcome, total, reason = found["outcome"], found["total"], found.get("reason", {}).get("kind")
    wrong = []
    if found["exit_code"] != EXIT_CODES[outcome]:
        wrong.append(f"exit code {found['exit_code']} of {outcome}")
    if not found["text"].startswith(FIRST_WORDS[outcome]):
        wrong.append(f"the headline begins with {found['text'].split()[0]}")
    effect = total.get("effect")
    if outcome == "holds" and effect != "same":
        wrong.append(f"holds, and the whole is {effect}")
    if (outcome, effect) in (("regressed", "better"), ("improved", "worse")):
        wrong.append(f"{outcome}, and the whole is {effect}")
    if reason == "cost" and effect != {"regressed": "worse", "improved": "better"}[outcome]:
        wrong.append(f"{outcome} by cost, and the whole is {effect}")
    faster = [row for row in [total, *rows(found)] if row.get("grows") == "faster"]
    if "Nothing grows faster" in found["text"] and faster:
        wrong.append(f"nothing grows faster, but {name(faster[0])} does")
    if reason == "growth" and outcome == "regressed" and not faster:
        wrong.append("regressed by growth, and no row grows faster")
    for row in [total, *rows(found)]:
        ratio, sides = row["change"].get("ratio"), [row["before"]["cost"], row["after"]["cost"]]
        if ratio is not None and None not in sides and sides[0] > 0 and not close(ratio * sides[0], sides[1]):
            wrong.append(f"{name(row)}: a ratio of {ratio:.6g}, and {sides[0]:.6g} → {sides[1]:.6g}")
    if found["identical"] and rows(found):
        wrong.append("identical, and rows changed")
    return wrong


def with_studies(trend_prof, found, before, after):
    """Returns differences between the costs of the whole here and the predictions of `show` for either study."""
    if found.get("basis", {}).get("kind") != "predicted" or not found["at"]:
        return []
    wrong, at = [], [f"{feature}={value:.17g}" for feature, value in found["at"]]
    for study, side in ((before, "before"), (after, "after")):
        said = subprocess.run([trend_prof, "show", "--format", "json", "--at", *at, study], text=True, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE)
        outlooks = json.loads(said.stdout)["total"]["outlooks"] if said.returncode == 0 else []
        shown = next((outlook["cost"] for outlook in outlooks if outlook), None)
        here = found["total"][side]["cost"]
        if shown is not None and here and not close(shown, here):
            wrong.append(f"{here:.6g} {side}, which `show` says is {shown:.6g}")
    return wrong


def between(one, other):
    """Returns contradictions between a comparison and the one in the other order."""
    wrong = []
    if other["outcome"] != MIRROR[one["outcome"]]:
        wrong.append(f"{one['outcome']}, and {other['outcome']} the other way")
    ratios = [found["total"]["change"].get("ratio") for found in (one, other)]
    if None not in ratios and not close(ratios[0] * ratios[1], 1):
        wrong.append(f"ratios {ratios[0]:.4g} and {ratios[1]:.4g} the other way")
    return wrong


def of_pair(trend_prof, before, after):
    """Returns both comparisons of two studies, and all contradictions."""
    there, back = compared(trend_prof, before, after), compared(trend_prof, after, before)
    wrong = within(there) + [f"the other way: {text}" for text in within(back)] + between(there, back)
    return there, back, wrong + with_studies(trend_prof, there, before, after)
