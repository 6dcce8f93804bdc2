#!/usr/bin/env python3
"""Compares successive releases without a known regression of growth: does `trend-prof diff` stay quiet?

    benches/real-programs/neighbours.py CACHE [--trend-prof PATH] [--group NAME] [--only TEXT]

Uses the honest cases of run.py, and its CACHE: two releases of a program run on the same inputs. The prediction of
`diff` for a larger size is compared with the costs of both releases there. A release is flagged if its outcome is
*regressed*. That is right if the whole costs at least 5 % more at that size, or if a named function has a ratio of
costs that continues to grow beyond the runs. Prints tables in Markdown. Exits with 1 if a release was flagged wrongly
or did not run.
"""

import json
import subprocess
import sys
from dataclasses import replace

import programs
import run
import unseen
from replay import law, name, of_law
from run import Bench, Failed, arguments_of_cases, say, write
from sources import NotObtainable

# The case and the other version: an existing build, or a version that is built like another one.
SEEN = [
    ("zlib: minigzip", "zlib 1.2.13", ("zlib 1.3", "zlib 1.2.13", "1.3")),
    ("lz4 -9", "lz4 1.9.4", ("lz4 1.10.0", "lz4 1.9.4", "1.10.0")),
    ("cmark-gfm: ordinary text", "cmark-gfm 0.29.0.gfm.6", "cmark-gfm 0.29.0.gfm.13"),
    ("md4c: ordinary text", ("md4c 0.5.2", "md4c 0.4.8", "0.5.2"), "md4c 0.5.3"),
    ("expat: ordinary records", "expat 2.5.0", "expat 2.6 or newer"),
    ("libxml2: ordinary records", ("libxml2 2.9.10", "libxml2 2.9.14", "2.9.10"), "libxml2 2.9.14"),
    ("mawk: counting words", "mawk 1.3.4", ("mawk 1.3.4 of 2025", "mawk 1.3.4", "1.3.4.20250131")),
    ("lua: all pairs", ("lua 5.3.3", "lua 5.3.6", "5.3.3"), "lua 5.3.6"),
    ("sqlite: sort", "sqlite 3.45", ("sqlite 3.46", "sqlite 3.45", "0.30.1")),
    ("libtommath: schoolbook", "libtommath 1.2.0", ("libtommath 1.3.0", "libtommath 1.2.0", "1.3.0")),
]
UNSEEN = [
    ("cJSON: items by link", ("cJSON 1.7.15", "cJSON 1.7.18", "1.7.15"), "cJSON 1.7.18"),
    ("jansson: one object, sorted", "jansson 2.14", ("jansson 2.15.1", "jansson 2.14", "2.15.1")),
    ("pcre2: words", ("pcre2 10.36", "pcre2 10.42", "10.36"), "pcre2 10.42"),
    ("brotli", "brotli 1.0.9", ("brotli 1.1.0", "brotli 1.0.9", "1.1.0")),
    ("zstd", "zstd 1.5.4", ("zstd 1.5.7", "zstd 1.5.4", "1.5.7")),
    ("mujs: objects", ("mujs 1.3.2", "mujs 1.3.6", "1.3.2"), "mujs 1.3.6"),
    ("mujs: sort", ("mujs 1.3.2", "mujs 1.3.6", "1.3.2"), "mujs 1.3.6"),
    ("diff: few changes", "diffutils 3.8", ("diffutils 3.10", "diffutils 3.8", "3.10")),
    ("diff: other order", ("diffutils 3.10", "diffutils 3.8", "3.10"), ("diffutils 3.12", "diffutils 3.8", "3.12")),
    ("tidy: ordinary page", "tidy 5.6.0", ("tidy 5.8.0", "tidy 5.6.0", "5.8.0")),
]
GROUPS = {
    "seen": ("Programs in view when the models were made", SEEN, programs.HONEST),
    "unseen": ("Programs that were not", UNSEEN, unseen.HONEST),
}

NOTABLE = 0.05


def build(of):
    """Returns the name of a build; a build of another version is added."""
    if isinstance(of, str):
        return of
    title, like, version = of
    known = run.BUILDS[like]
    run.BUILDS[title] = replace(known, source=replace(known.source, version=version))
    return title


def said(trend_prof, *words):
    done = subprocess.run([trend_prof, *words], text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if done.returncode:
        raise Failed(done.stderr.strip())
    return json.loads(done.stdout)


def costs(bench, study):
    """Returns the costs of the whole and by function, in the largest workload."""
    found = said(bench.trend_prof, "show", "--format", "json", study)
    by_name = {"": found["total"]["max_cost"]}
    for function in found["functions"]:
        by_name[function["name"]] = by_name.get(function["name"], 0) + function["max_cost"]
    return by_name


def growth(sides, was, function):
    """Returns the ratio of the cost after to the cost before."""
    before, after = sides
    return after.get(function, 0) / max(before.get(was, 0), 1)


def pair(bench, case, old, new):
    builds = [build(old), build(new)]
    inside = [bench.study(case, b, case.sizes, "") for b in builds]
    beyond = [bench.study(case, b, list(case.beyond), "-beyond") for b in builds]
    target = case.beyond[-1]
    found = said(bench.trend_prof, "diff", "--format", "json", "--top", "1000", "--at", f"n={target}", *inside)
    now, then = ([costs(bench, study) for study in studies] for studies in (inside, beyond))
    measured = growth(then, "", "")
    grows = [c for c in of_law(found, "worse") if c["weight"] >= 0.001]
    # Renamed functions are looked up by both names.
    was = [c.get("was", c["place"])["name"] for c in grows]
    goes_on = [growth(then, old, name(c)) / growth(now, old, name(c)) for old, c in zip(was, grows)]
    is_flagged = found["outcome"] == "regressed"
    is_right = not is_flagged or measured - 1 >= NOTABLE or any(times - 1 >= NOTABLE for times in goes_on)
    change = found["total"]["change"]
    predicted = change.get("ratio") or 1.0
    interval = change.get("ratio_ci")
    whole = f"{predicted - 1:+.1%} ({interval[0] - 1:+.1%} … {interval[1] - 1:+.1%})" if interval else "not told from before"
    words = "; ".join(f"`{name(c)}`: {law(c)}, ratio ×{times:.2f} further on" for c, times in zip(grows[:2], goes_on))
    outcome = found["outcome"] if is_right else f"**{found['outcome']}**"
    row = [case.name, f"{builds[0]} → {builds[1]}", outcome, words or "nothing",
           whole, f"{measured - 1:+.1%}"]
    say(" | ".join(row))
    return row, is_right


def main():
    arguments = arguments_of_cases(__doc__).parse_args()
    arguments.cache.mkdir(parents=True, exist_ok=True)
    bench, bad = Bench(arguments.cache.resolve(), arguments.trend_prof.absolute()), 0
    for group, (title, pairs, cases) in GROUPS.items():
        if arguments.group not in ("", group):
            continue
        table = []
        for case_name, old, new in pairs:
            if arguments.only not in case_name:
                continue
            [case] = [case for case in cases if case.name == case_name]
            try:
                row, is_right = pair(bench, case, old, new)
            except (Failed, NotObtainable) as error:
                say(str(error))
                row, is_right = [case_name, f"{build(old)} → {build(new)}", "not run", "", "", ""], False
            table.append(row)
            bad += not is_right
        header = ["program", "releases", "outcome", "grows faster", "the whole at the larger size: predicted", "measured"]
        write(f"### {title}", header, table)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
