#!/usr/bin/env python3
"""Searches programs for worse inputs, with several seeds, and prints a row for each search.

    benches/worst.py TREND_PROF FOLDER... [--seeds 1,2,3] [--budget 60s] [--recipes N]

Each folder has a Makefile that builds `parse`, and inputs in `corpus`.
"""

import argparse
import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time


def searched(binary, folder, seed, options):
    with tempfile.TemporaryDirectory() as scratch:
        copy = os.path.join(scratch, "program")
        shutil.copytree(folder, copy)
        begin, before = time.time(), resource.getrusage(resource.RUSAGE_CHILDREN)
        words = [binary, "-q", "try", "--worst", "--seed", str(seed), "--format", "json", *options,
                 "--files", "corpus/*", "--", "./parse", "{input}"]
        ran = subprocess.run(words, cwd=copy, capture_output=True, text=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        if ran.returncode != 0:
            return None, ran.stderr, spent, time.time() - begin
        return json.loads(ran.stdout), ran.stderr, spent, time.time() - begin


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("binary")
    parser.add_argument("folders", nargs="+")
    parser.add_argument("--seeds", default="1")
    parser.add_argument("--budget", default="60s")
    parser.add_argument("--recipes")
    given = parser.parse_args()
    options = ["--budget", given.budget] + (["--recipes", given.recipes] if given.recipes else [])
    for folder in given.folders:
        for seed in given.seeds.split(","):
            report, errors, spent, wall = searched(os.path.abspath(given.binary), folder, seed, options)
            name = os.path.basename(folder.rstrip("/"))
            if report is None:
                print(f"{name} seed {seed}: failed: {errors[-400:]}", flush=True)
                continue
            recipes, runs = report["recipes"], report["runs"]
            print(f"{name} seed {seed}: {recipes} recipes, {runs} runs, {report['seconds']:.0f} s, "
                  f"{report['program_seconds']:.1f} s in the program, {spent:.1f} s of processor time in all, "
                  f"{wall:.0f} s with the build and the checks", flush=True)
            for fault in report["faults"]:
                print(f"    FOUND {fault['file']}:{fault['line']} {fault['function']} {fault['growth']} "
                      f"({fault['own_growth']}) {fault['recipe']} after {fault['found_after_recipes']} recipes, "
                      f"{fault['found_after_seconds']:.1f} s; at {fault['target_bytes']:.0f} bytes "
                      f"{fault['seconds_at_target']}")
            for doubt in report["unconfirmed"]:
                print(f"    not confirmed {doubt['file']}:{doubt['line']} {doubt['recipe']}: {doubt['reason']}")
            for trouble in report["troubles"]:
                print(f"    trouble {trouble['signal']} {trouble['recipe']} n={trouble['n']}")
            sys.stdout.flush()


main()
