"""Searches programs for worse inputs, with several seeds, and prints a row for each search.

    benches/run.py worst FOLDER... [--seeds 1,2,3] [--budget 60s] [--recipes N]

Each folder has a Makefile that builds `parse`, and inputs in `corpus`.
"""

import json
import shutil
from pathlib import Path

from shared import Failed, measured, scratch


def searched(options, folder, seed):
    with scratch() as made:
        shutil.copytree(folder, made / "program")
        limits = ["--budget", options.budget, *(["--recipes", options.recipes] if options.recipes else [])]
        return measured([options.trend_prof, "-q", "try", "--worst", "--seed", seed, "--format", "json", *limits,
                         "--files", "corpus/*", "--", "./parse", "{input}"], made / "program")


def arguments(parser):
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--seeds", default="1")
    parser.add_argument("--budget", default="60s")
    parser.add_argument("--recipes")


def main(options):
    for folder, seed in ((folder, seed) for folder in options.folders for seed in options.seeds.split(",")):
        title = f"{folder.name} seed {seed}"
        try:
            ran = searched(options, folder, seed)
        except Failed as error:
            print(f"{title}: failed: {error}", flush=True)
            continue
        report = json.loads(ran.output)
        print(f"{title}: {report['recipes']} recipes, {report['runs']} runs, {report['seconds']:.0f} s, "
              f"{report['program_seconds']:.1f} s in the program, {ran.cpu:.1f} s of CPU time in all, "
              f"{ran.clock:.0f} s with the build and the checks")
        for fault in report["faults"]:
            print(f"    FOUND {fault['file']}:{fault['line']} {fault['function']} {fault['growth']} ({fault['own_growth']}) "
                  f"{fault['recipe']} after {fault['found_after_recipes']} recipes, {fault['found_after_seconds']:.1f} s; "
                  f"at {fault['target_bytes']:.0f} bytes {fault['seconds_at_target']}")
        for doubt in report["unconfirmed"]:
            print(f"    not confirmed {doubt['file']}:{doubt['line']} {doubt['recipe']}: {doubt['reason']}")
        for trouble in report["troubles"]:
            print(f"    trouble {trouble['signal']} {trouble['recipe']} n={trouble['n']}")
