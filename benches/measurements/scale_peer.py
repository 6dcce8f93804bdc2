"""Does the work of trend-prof in NumPy: clusters, power laws and bootstrap intervals in one feature.

    benches/run.py scale-peer COUNTS.npz [--block 128] [--resamples 1000]

Without --block, locations are correlated with one representative at a time, a product of matrix and vector. With it,
a block of candidates is correlated at once, a product of matrices. The bootstrap is a product of matrices either way.
Prints one line of JSON: seconds of every step, CPU time and peak memory.
"""

import json
import resource
import time

import numpy as np

LEAST_DEVIATION = 10
SIZES = [2, 10]  # Predicted, in multiples of the 95th percentile.


def standardized(counts):
    """Returns rows of length 1 and mean 0 by falling variance, and their locations."""
    rows = counts.astype(np.float64)
    rows -= rows.mean(axis=1, keepdims=True)
    squares = np.einsum("ij,ij->i", rows, rows)
    varying = np.flatnonzero(squares >= LEAST_DEVIATION**2 * (counts.shape[1] - 1))
    order = varying[np.argsort(-squares[varying], kind="stable")]
    return rows[order] / np.sqrt(squares[order])[:, None], order


def clustered(counts, block, threshold=0.98):
    """The cluster of every location, -1 for those that do not vary, and the number of clusters."""
    rows, location = standardized(counts)
    cluster = np.full(len(counts), -1)
    found = 0
    while len(location):
        candidates = rows[: max(block, 1)]
        fits = (candidates @ rows.T) ** 2 > threshold
        free = np.ones(len(location), bool)
        for i in range(len(candidates)):
            if free[i]:
                taken = fits[i] & free
                taken[i] = True
                cluster[location[taken]] = found
                found += 1
                free &= ~taken
        rows, location = rows[free], location[free]
    return cluster, found


def summed(counts, cluster, clusters):
    """Costs of clusters, [clusters, workloads]."""
    order = np.argsort(cluster, kind="stable")
    order = order[np.searchsorted(cluster[order], 0) :]
    return np.add.reduceat(counts[order], np.searchsorted(cluster[order], np.arange(clusters)), axis=0)


def power_laws(costs, feature, resamples, seed=1):
    """Coefficient, exponent and predictions of every cluster with their 95 % intervals."""
    usable = (costs > 0) & (feature > 0)
    log_cost = np.log(np.where(usable, costs, 1.0))
    log_size = np.log(feature)
    one = usable.astype(np.float64)
    columns = one, one * log_size, one * log_size**2, log_cost, log_cost * log_size

    def fit(weights):
        n, x, xx, y, xy = (weights @ column.T for column in columns)
        with np.errstate(divide="ignore", invalid="ignore"):
            exponent = (n * xy - x * y) / (n * xx - x * x)
            return (y - exponent * x) / n, exponent

    workloads = len(feature)
    intercept, exponent = fit(np.ones((1, workloads)))
    draws = np.random.default_rng(seed).multinomial(workloads, np.full(workloads, 1 / workloads), resamples)
    intercepts, exponents = fit(draws.astype(np.float64))
    sizes = np.log(np.quantile(feature, 0.95, method="inverted_cdf") * np.array(SIZES))
    middle = [2.5, 97.5]
    intervals = [np.nanpercentile(intercepts, middle, axis=0), np.nanpercentile(exponents, middle, axis=0)]
    intervals += [np.nanpercentile(intercepts + size * exponents, middle, axis=0) for size in sizes]
    return np.exp(intercept), exponent, intervals


def arguments(parser):
    parser.add_argument("counts", help="the arrays `counts`, [locations, workloads], and `feature`")
    parser.add_argument("--block", type=int, default=0)
    parser.add_argument("--resamples", type=int, default=1000)


def main(options):
    times = [time.perf_counter()]
    data = np.load(options.counts)
    counts, feature = data["counts"], data["feature"].astype(np.float64)
    times.append(time.perf_counter())
    cluster, clusters = clustered(counts, options.block)
    times.append(time.perf_counter())
    power_laws(summed(counts, cluster, clusters), feature, options.resamples)
    times.append(time.perf_counter())
    used = resource.getrusage(resource.RUSAGE_SELF)
    load, clustering, models = np.diff(times)
    print(
        json.dumps(
            {
                "clusters": clusters,
                "load": round(load, 3),
                "clustering": round(clustering, 3),
                "models": round(models, 3),
                "wall": round(times[-1] - times[0], 3),
                "cpu": round(used.ru_utime + used.ru_stime, 3),
                "peak_mib": round(used.ru_maxrss / 1024),
            }
        )
    )
