"""Measures the effect of a busy machine on the seconds that `trend-prof` predicts.

    benches/run.py burner [--rounds N]

One program is studied on one processor in three situations: while nothing else runs, while a program that never rests
runs on the other processor, and while it runs on the same one. The predictions must agree with the quiet one within
the intervals, or report that the machine was busy. Prints a table in Markdown; exits with 1 if an answer does
neither. Needs gcc and two processors.
"""

import contextlib

from shared import build_small, busy, call, found, head, row, scratch

SIZES = "n=1000..100000x9"
AT = "n=1000000"
OWN, OTHER = "0", "1"  # processors
PLACES = {"nowhere": None, "on the other processor": OTHER, "on the same processor": OWN}


def studied(trend_prof, folder, name, burner):
    """Returns the answer while a burner runs on a processor, or on none."""
    study = folder / f"{name}.trend"
    with busy(1, "taskset", "-c", burner) if burner else contextlib.nullcontext():
        call(["taskset", "-c", OWN, trend_prof, "-q", "run", "--jobs", "1", "--study", study, "--param", SIZES, "--", "./work", "{n}"],
             folder)
    return found(trend_prof, "show", "--at", AT, study)["answer"]["time"]


def arguments(parser):
    parser.add_argument("--rounds", type=int, default=3)


def main(options):
    bad = 0
    head("burner", "said", "to the quiet one", "elapsed ÷ CPU time", "doubts", "the same, or busy")
    with scratch() as folder:
        build_small("random-reads.c", folder, "gcc -O1 -o work", options.trend_prof)
        for number in range(options.rounds):
            quiet = None
            for place, burner in PLACES.items():
                time = studied(options.trend_prof, folder, f"{number}-{burner}", burner)
                quiet = quiet or time
                (low, high), (quiet_low, quiet_high) = time["ci"], quiet["ci"]
                is_same = low <= quiet["seconds"] <= high and quiet_low <= time["seconds"] <= quiet_high
                is_fine = is_same or "disturbed" in time["doubts"]
                bad += not is_fine
                row(place, f"{time['seconds']:.2f} s ({low:.2f}–{high:.2f})", f"{time['seconds'] / quiet['seconds'] - 1:+.0%}",
                    f"{time['elapsed']:.2f}", ", ".join(time["doubts"]), "yes" if is_fine else "**no**")
    return bad > 0
