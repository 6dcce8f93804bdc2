"""Compares the predictions of `trend-prof` for sums of larger matrices, by rows and by columns, with the truth.

    benches/run.py cache-steps [--largest SIZE...] [--orders rows columns]

Each study has matrices up to one size, from the smallest cache's capacity to beyond all caches. For matrices with two
and three times as many rows and columns, the predicted time must be within 25 % of the truth or doubted by `cache`,
whatever other doubts there are. Sums by columns must be doubted somewhere. Prints a table in Markdown; exits with 1
if a condition fails. Takes some minutes on a quiet machine. Needs gcc.
"""

import statistics

from shared import build_small, call, found, head, measured, row, scratch, sizes

LARGEST = [120, 250, 500, 1000, 2000, 4000]  # rows and columns: 115 kB to 128 MB
ADDITIONS = 4e8  # in the largest run
TIMES = [2, 3]
WRONG = 0.25


def studied(trend_prof, folder, order, largest):
    """Returns the prediction and the truth for each multiple of the largest size."""
    rounds = max(1, round(ADDITIONS / largest ** 2))
    inputs = folder / f"{order}-{largest}"
    inputs.mkdir()
    # For workloads that are files, no run of three times the largest size is made.
    for size in sizes(largest / 10, largest, 9):
        (inputs / f"n-{size}").write_text("x")
    study = folder / f"{order}-{largest}.trend"
    (folder / "trend-prof.toml").write_text(
        f'[program]\ncommand = ["./matrix", "{{input}}", "{order}", "{rounds}"]\n[workloads]\nfiles = "{inputs.name}/*"\n'
        "[features]\nn = { path = 'n-(\\d+)' }\n")
    call([trend_prof, "-q", "run", "--study", study], folder)
    for times in TIMES:
        at = times * largest
        answer = found(trend_prof, "show", "--at", f"n={at}", study)["answer"]
        runs = [measured(["./plain", f"n-{at}", order, rounds], folder).cpu for _ in range(1 if times > 2 else 3)]
        yield at, answer.get("time"), statistics.median(runs)


def arguments(parser):
    parser.add_argument("--largest", type=int, nargs="+", default=LARGEST, help="rows and columns of each study's largest matrix")
    parser.add_argument("--orders", nargs="+", default=["rows", "columns"])


def main(options):
    wrong, doubted = [], set()
    head("sum by", "up to", "at", "truth", "said", "error", "doubts")
    with scratch() as folder:
        build_small("sums.c", folder, "gcc -O1 -o matrix", options.trend_prof)
        build_small("sums.c", folder, "gcc -O1 -o plain")
        for order, largest in ((order, largest) for order in options.orders for largest in options.largest):
            for at, said, seconds in studied(options.trend_prof, folder, order, largest):
                if said is None:
                    wrong.append(f"{order} of {largest}: nothing was timed")
                    continue
                error = said["seconds"] / seconds - 1
                row(order, *(f"{8 * n * n / 1e6:.1f} MB" for n in (largest, at)), f"{seconds:.2f} s", f"{said['seconds']:.2f} s",
                    f"{error:+.0%}", ", ".join(said["doubts"]))
                if "cache" in said["doubts"]:
                    doubted.add(order)
                elif abs(error) > WRONG:
                    wrong.append(f"{order} of {largest} at {at}: {error:+.0%} and no step")
    if "columns" in options.orders and "columns" not in doubted:
        wrong.append("no step was seen")
    print("\n" + ("\n".join(wrong) if wrong else "Where no step was seen, all were right within 25 %."))
    return bool(wrong)
