"""Measures the cost of sampling: CPU time of sampled runs relative to timed runs.

    benches/run.py sampling [--repetitions 7]

A program allocates and frees in one thread, and in eight. The longest of several sizes takes about a fifth of a second,
because longer runs are sampled while they are timed. Each repetition is a separate study. Prints a table in Markdown
of medians. Needs gcc and permission to sample (`kernel.perf_event_paranoid` is 2 or less).
"""

import json
import statistics

from shared import build_small, call, found, head, row, scratch, sizes

LARGEST = 6000


def sampled(trend_prof, folder, threads):
    """Returns the longest sampled run from the findings."""
    (folder / "trend-prof.toml").write_text(
        f'[program]\ncommand = ["./work", "{{n}}", "{threads}"]\n[workloads]\n'
        f"parameters = {{ n = {json.dumps(sizes(LARGEST * 10 ** -1.4, LARGEST, 8))} }}\n[features]\nn = {{ parameter = 'n' }}\n")
    call([trend_prof, "-q", "run", "--fresh", "--study", "work.trend"], folder)
    return found(trend_prof, "show", "work.trend", folder=folder)["answer"]["time_parts"]["run"]


def arguments(parser):
    parser.add_argument("--repetitions", type=int, default=7)


def main(options):
    head("threads", "timed", "samples", "lost", "sampled ÷ timed")
    with scratch() as folder:
        build_small("allocations.c", folder, "gcc -O2 -pthread -o work", options.trend_prof)
        for threads in (1, 8):
            runs = [sampled(options.trend_prof, folder, threads) for _ in range(options.repetitions)]
            median = lambda of: statistics.median(of(run) for run in runs)
            row(threads, f"{median(lambda r: r['seconds']):.2f} s", f"{median(lambda r: r['samples']):.0f}",
                f"{median(lambda r: r['lost']):.0f}", f"{median(lambda r: r['sampled_seconds'] / r['seconds']):.3f}")
