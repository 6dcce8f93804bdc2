#!/usr/bin/env python3
"""Makes the counts of a program of a requested size, as a table for `trend-prof import csv` and as arrays for NumPy.

    generate.py OUT [--locations 33647] [--workloads 785] [--varying 22382] [--clusters 1489] [--features 1] [--seed 1]

Writes OUT.csv and OUT.npz. The defaults have the size of elsa, a C analyser with 33,647 basic blocks, of which 22,382
vary over 785 workloads in about 1,489 ways.

A cluster is a power law of the size with its own exponent and its own scatter from run to run; a quarter of the
clusters runs in some workloads only. Its members are multiples of it, some with a constant. A few clusters have most
of the members, most have one or two. All other locations cost the same in every run. About thirty locations each are
the lines of one function.
"""

import argparse

import numpy as np

EXPONENTS = [0.0, 0.5, 1.0, 1.0, 1.0, 1.2, 1.5, 2.0]
LINES_PER_FUNCTION = 30


def counts(random, size, locations, varying, clusters):
    """The matrix [locations, workloads] of costs."""
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


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out")
    defaults = dict(locations=33_647, workloads=785, varying=22_382, clusters=1_489, features=1, seed=1)
    for name, value in defaults.items():
        parser.add_argument(f"--{name}", type=int, default=value)
    args = parser.parse_args()
    random = np.random.default_rng(args.seed)
    size = np.exp(random.uniform(np.log(1e2), np.log(1e5), args.workloads)).astype(np.int64)
    # In addition to the size: a feature that nearly follows it, and one that is independent of it.
    features = {
        "bytes": size,
        "lines": 1 + (size * random.uniform(0.02, 0.05, args.workloads)).astype(np.int64),
        "depth": random.integers(1, 200, args.workloads),
    }
    features = dict(list(features.items())[: args.features])
    matrix = counts(random, size, args.locations, args.varying, args.clusters)
    np.savez(f"{args.out}.npz", counts=matrix, feature=size)
    # A file has a hundred functions.
    places = [
        f"f{i // (100 * LINES_PER_FUNCTION)}.c:{10 + i % (100 * LINES_PER_FUNCTION)}:function{i // LINES_PER_FUNCTION}"
        for i in range(args.locations)
    ]
    with open(f"{args.out}.csv", "w") as table:
        print("workload", *features, *places, sep=",", file=table)
        for workload in range(args.workloads):
            cells = [values[workload] for values in features.values()] + matrix[:, workload].tolist()
            print(f"w{workload:05}", *cells, sep=",", file=table)


if __name__ == "__main__":
    main()
