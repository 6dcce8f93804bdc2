"""Measures the analysis of studies with many locations.

    benches/run.py scale same        one study, with increasing parts of the analysis
    benches/run.py scale growth      time per count from 1k to 1M locations
    benches/run.py scale compared    `check` and `diff`

Keeps the counts in --folder (target/scale), and uses them the next time. Every program runs alone, three times one
after the other (`growth`: 4 to 20 times), and the fastest is reported. A busy machine shows in `wall` and less in
`cpu`, both in seconds. Needs NumPy.

The defaults have the size of elsa, a C analyser with 33,647 basic blocks, of which 22,382 vary over 785 workloads in
about 1,489 ways. A cluster is a power law of the size with its own exponent and its own scatter from run to run; a
quarter of the clusters runs in some workloads only. Its members are multiples of it, some with a constant. A few
clusters have most of the members, most have one or two. All other locations cost the same in every run. About thirty
locations each are the lines of one function.
"""

from pathlib import Path

import numpy as np

from shared import REPOSITORY, call, head, measured, row

SAME_WORK = ["--intervals", "percentile", "--no-growth"]
EXPONENTS = [0.0, 0.5, 1.0, 1.0, 1.0, 1.2, 1.5, 2.0]
LINES_PER_FUNCTION = 30


def counts(random, size, locations, varying, clusters):
    """Returns the matrix [locations, workloads] of costs."""
    workloads = len(size)
    popularity = np.arange(1, clusters + 1) ** -1.1
    members = 1 + random.multinomial(varying - clusters, popularity / popularity.sum())
    matrix = np.zeros((locations, workloads), np.int64)
    end = 0
    for count in members:
        exponent = random.choice(EXPONENTS)
        scatter = random.uniform(0.35, 1.0) * random.standard_normal(workloads)
        level = random.uniform(np.log(10), np.log(1000)) - (4 if exponent > 1.5 else 0)
        cost = np.exp(level + exponent * np.log(size) + scatter)
        if random.random() < 0.25:
            cost *= random.random(workloads) < random.uniform(0.1, 0.9)
        cost = np.round(cost)
        if cost.std() < 20:
            cost[random.integers(workloads)] += 1000
        factors = random.integers(1, 6, count)
        factors[0] = 5  # The largest represents the cluster.
        besides = random.integers(0, 3, count) * (cost.std() > 20)
        start, end = end, end + count
        matrix[start:end] = factors[:, None] * cost + besides[:, None]
    matrix[end:] = random.integers(0, 3, locations - end)[:, None]
    random.shuffle(matrix)
    return matrix


def make(path, features, locations=33_647, workloads=785, varying=22_382, clusters=1_489, seed=1):
    """Writes counts as a table for `trend-prof import csv`, and as arrays for `scale-peer`."""
    random = np.random.default_rng(seed)
    size = np.exp(random.uniform(np.log(1e2), np.log(1e5), workloads)).astype(np.int64)
    # In addition to the size: a feature that nearly follows it, and one that is independent of it.
    values = {
        "bytes": size,
        "lines": 1 + (size * random.uniform(0.02, 0.05, workloads)).astype(np.int64),
        "depth": random.integers(1, 200, workloads),
    }
    matrix = counts(random, size, locations, varying, clusters)
    np.savez(Path(path).with_suffix(".npz"), counts=matrix, feature=size)
    # A file has a hundred functions.
    places = [
        f"f{i // (100 * LINES_PER_FUNCTION)}.c:{10 + i % (100 * LINES_PER_FUNCTION)}:function{i // LINES_PER_FUNCTION}"
        for i in range(locations)
    ]
    with open(path, "w") as table:
        print("workload", *features, *places, sep=",", file=table)
        for workload in range(workloads):
            print(f"w{workload:05}", *(values[name][workload] for name in features), *matrix[:, workload].tolist(), sep=",", file=table)


def study(options, name, features, **size):
    """Returns a study of counts, and makes it if it does not exist."""
    trend = options.folder / f"{name}.trend"
    if not trend.exists():
        options.folder.mkdir(parents=True, exist_ok=True)
        csv = trend.with_suffix(".csv")
        make(csv, features, **size)
        call([options.trend_prof, "import", "csv", csv, "--features", ",".join(features), "--study", trend])
        csv.unlink()
    return trend


def show(options, trend, form, *words, times=3):
    """Returns the fastest of several runs."""
    return min((measured([options.trend_prof, "show", trend, "--format", form, *words]) for _ in range(times)), key=lambda ran: ran.clock)


def same(options):
    one = study(options, "one-feature", ["bytes"])
    three = study(options, "three-features", ["bytes", "lines", "depth"])
    head("trend-prof", "wall, s", "cpu, s", "peak, MiB")
    for what, words in {
        "models of locations": (one, "csv", *SAME_WORK),
        "models of functions and JSON as well": (one, "json", *SAME_WORK),
        "three features, growth classes, all diagnoses, JSON": (three, "json"),
    }.items():
        ran = show(options, *words)
        row(what, f"{ran.clock:.2f}", f"{ran.cpu:.2f}", f"{ran.peak / 2**20:.0f}")


def growth(options):
    head("locations", "the same work: elapsed ns per count", "ns cpu", "peak, MiB", "with growth classes: ns cpu per count",
         "peak, MiB")
    for locations in options.locations:
        # As in the program of the other table, two thirds vary, and there is one cluster in 22 locations.
        varying = locations * 2 // 3
        trend = study(options, f"{locations}-locations", ["bytes"], locations=locations, workloads=200, varying=varying,
                      clusters=locations // 22)
        same = show(options, trend, "csv", *SAME_WORK, times=max(4, min(20, 400_000 // locations)))
        more = show(options, trend, "json", times=1)
        per_count = lambda seconds: f"{seconds * 1e9 / (varying * 200):.0f}"
        row(locations, per_count(same.clock), per_count(same.cpu), f"{same.peak / 2**20:.0f}", per_count(more.cpu), f"{more.peak / 2**20:.0f}")


def compared(options):
    """Measures `check` with one expectation, and `diff` of two studies."""
    head("workloads", "`check`, s", "`diff`, s")
    for workloads in options.workloads:
        size = {"locations": 30_000, "workloads": workloads, "varying": 20_000, "clusters": 1_400}
        studies = [study(options, f"{workloads}-workloads-{seed}", ["bytes"], seed=seed, **size) for seed in (1, 2)]
        config = options.folder / "check.toml"
        config.write_text('[[expect]]\nfunction = "function1"\ngrowth = "<= n^2"\n')
        check = [options.trend_prof, "check", studies[0], "--config", config]
        seconds = [[measured(command, codes=None).clock for _ in range(3)] for command in (check, [options.trend_prof, "diff", *studies])]
        row(workloads, *(f"{min(some):.2f} to {max(some):.2f}" for some in seconds))


KINDS = {"same": same, "growth": growth, "compared": compared}


def arguments(parser):
    parser.add_argument("what", choices=KINDS)
    parser.add_argument("--folder", type=Path, default=REPOSITORY / "target/scale")
    parser.add_argument("--locations", type=int, nargs="+", default=[1000, 10_000, 33_000, 100_000, 1_000_000])
    parser.add_argument("--workloads", type=int, nargs="+", default=[30, 200, 1000])


def main(options):
    KINDS[options.what](options)
