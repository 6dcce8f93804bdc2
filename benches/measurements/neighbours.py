"""Compares successive releases without a known regression of growth: does `trend-prof diff` stay quiet?

    benches/run.py neighbours CACHE [--group NAME] [--only TEXT]

Uses the honest cases of real-programs, and its CACHE: two releases of a program run on the same inputs. The prediction of
`diff` for a larger size is compared with the costs of both releases there. A release is flagged if its outcome is
*regressed*. That is right if the whole costs at least 5 % more at that size, or if a named function has a ratio of
costs that continues to grow beyond the runs. Prints tables in Markdown. Exits with 1 if a release was flagged wrongly
or did not run.
"""

from dataclasses import replace

from measurements.replay import law, name, of_law
from registry import BUILDS
from shared import Failed, found, say, table
from studies import Bench, arguments, groups

# The case and the other version: an existing build, or a version that is built like another one.
PAIRS = [
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
NOTABLE = 0.05


def build(of):
    """Returns the name of a build; a build of another version is added."""
    if isinstance(of, str):
        return of
    title, like, version = of
    known = BUILDS[like]
    BUILDS[title] = replace(known, source=replace(known.source, version=version))
    return title


def costs(bench, study):
    """Returns the costs of the whole and by function, in the largest workload."""
    shown = found(bench.trend_prof, "show", study)
    by_name = {"": shown["total"]["max_cost"]}
    for function in shown["functions"]:
        by_name[function["name"]] = by_name.get(function["name"], 0) + function["max_cost"]
    return by_name


def growth(sides, was, function):
    """Returns the ratio of the cost after to the cost before."""
    before, after = sides
    return after.get(function, 0) / max(before.get(was, 0), 1)


def pair_of(bench, case, old, new):
    builds = [build(old), build(new)]
    inside = [bench.study(case, b, case.sizes) for b in builds]
    beyond = [bench.study(case, b, case.beyond, "-beyond") for b in builds]
    target = case.beyond[-1]
    comparison = found(bench.trend_prof, "diff", *inside, "--top", "1000", "--at", f"n={target}")
    now, then = ([costs(bench, study) for study in studies] for studies in (inside, beyond))
    measured = growth(then, "", "")
    grows = [c for c in of_law(comparison, "worse") if c["weight"] >= 0.001]
    # Renamed functions are looked up by both names.
    was = [c.get("was", c["place"])["name"] for c in grows]
    goes_on = [growth(then, old, name(c)) / growth(now, old, name(c)) for old, c in zip(was, grows)]
    is_flagged = comparison["outcome"] == "regressed"
    is_right = not is_flagged or measured - 1 >= NOTABLE or any(times - 1 >= NOTABLE for times in goes_on)
    change = comparison["total"]["change"]
    predicted = change.get("ratio") or 1.0
    interval = change.get("ratio_ci")
    whole = f"{predicted - 1:+.1%} ({interval[0] - 1:+.1%} … {interval[1] - 1:+.1%})" if interval else "not told from before"
    words = "; ".join(f"`{name(c)}`: {law(c)}, ratio ×{times:.2f} further on" for c, times in zip(grows[:2], goes_on))
    outcome = comparison["outcome"] if is_right else f"**{comparison['outcome']}**"
    row = [case.name, f"{builds[0]} → {builds[1]}", outcome, words or "nothing",
           whole, f"{measured - 1:+.1%}"]
    say(" | ".join(row))
    return row, is_right


def main(options):
    bench, bad = Bench(options), 0
    for title, _, honest in groups(options):
        rows, cases = [], {case.name: case for case in honest}
        for name_of_case, old, new in (pair for pair in PAIRS if pair[0] in cases):
            try:
                cells, is_right = pair_of(bench, cases[name_of_case], old, new)
            except Failed as error:
                say(str(error))
                cells, is_right = [name_of_case, f"{build(old)} → {build(new)}", "not run", "", "", ""], False
            rows.append(cells)
            bad += not is_right
        if rows:
            table(f"### {title}",
                  ["program", "releases", "outcome", "grows faster", "the whole at the larger size: predicted", "measured"], rows)
    return bad > 0
