#!/usr/bin/env python3
"""Draws figures 2 and 3 of Finkler and Mehlhorn again, and prints how near the predictions are.

    examples/shortest-paths/figures.py FOLDER OUT [--trend-prof PATH]

FOLDER is a copy of this example in which its programs were run and calibrated as README.md says. Writes OUT/fragments-constants.svg, constants
over memory, and OUT/fragments-times.svg: times predicted by counted frequencies, by what is expected of random graphs, and measured. Needs
matplotlib.
"""

import argparse
import json
import pathlib
import statistics
import subprocess

import matplotlib

matplotlib.use("svg")
matplotlib.rcParams["svg.hashsalt"] = "trend-prof"
import matplotlib.pyplot as plt


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("--trend-prof", default="trend-prof")
    arguments = parser.parse_args()

    def calibrated(config, study):
        words = [arguments.trend_prof, "calibrate", "-q", "--config", config, "--study", study, "--format", "json"]
        said = subprocess.run(words, cwd=arguments.folder, check=True, capture_output=True, text=True).stdout
        return json.loads(said)

    programs = {name: calibrated(f"{name}.toml", f"{name}.trend") for name in ("heap", "dijkstra", "matching")}
    average = calibrated("average.toml", "dijkstra.trend")
    # The study keeps the formulas that were read last.
    calibrated("dijkstra.toml", "dijkstra.trend")
    constants(programs["heap"]["machine"], arguments.out / "fragments-constants.svg")
    times(programs, average, arguments.out / "fragments-times.svg")
    print("| program | runs | seconds | predicted ÷ measured | in the median off by | within 20 % | within 50 % | in the interval |")
    print("|---|---|---|---|---|---|---|---|")
    for name, said in [*programs.items(), ("dijkstra, expected frequencies", average)]:
        row(name, said["runs"])


def row(name, runs):
    ratios = [run["predicted"]["seconds"] / run["measured"] for run in runs]
    seconds = [run["measured"] for run in runs]
    covered = sum(run["predicted"]["ci"][0] <= run["measured"] <= run["predicted"]["ci"][1] for run in runs)
    within = [sum(abs(ratio - 1) <= most for ratio in ratios) for most in (0.2, 0.5)]
    off = statistics.median(abs(ratio - 1) for ratio in ratios)
    print(f"| {name} | {len(runs)} | {min(seconds):.3f} to {max(seconds):.2g} | {min(ratios):.2f} to {max(ratios):.2f} "
          f"| {100 * off:.0f} % | {within[0]} | {within[1]} | {covered} |")


def constants(machine, path):
    figure, axes = plt.subplots(figsize=(7, 4.2))
    for constant in machine["constant"]:
        points = constant["at"]
        if len(points) > 1:
            memory = [point["bytes"] for point in points]
            axes.plot(memory, [1e9 * point["seconds"] for point in points], "o-", ms=3, lw=1, label=constant["name"])
            low, high = ([1e9 * point[end] for point in points] for end in ("low", "high"))
            axes.fill_between(memory, low, high, alpha=0.15)
    axes.set(xscale="log", yscale="log", xlabel="bytes of memory", ylabel="ns per execution", title=machine["cpu"])
    axes.set_xscale("log", base=2)
    axes.legend(fontsize=8, ncols=2)
    figure.savefig(path, bbox_inches="tight", metadata={"Date": None})


def times(programs, average, path):
    figure, all_axes = plt.subplots(1, 3, figsize=(10, 3.4))
    for axes, (name, said) in zip(all_axes, programs.items()):
        runs = sorted(said["runs"], key=lambda run: run["measured"])
        place = range(len(runs))
        axes.plot(place, [run["measured"] for run in runs], "o", mfc="none", ms=6, label="measured")
        axes.plot(place, [run["predicted"]["seconds"] for run in runs], "*", ms=5, label="by counted frequencies")
        if name == "dijkstra":
            expected = {run["workload"]: run["predicted"]["seconds"] for run in average["runs"]}
            axes.plot(place, [expected[run["workload"]] for run in runs], "x", ms=5, label="by expected frequencies")
        axes.set(yscale="log", title=name, xlabel="runs by measured time", ylabel="seconds")
        axes.legend(fontsize=7)
    figure.tight_layout()
    figure.savefig(path, bbox_inches="tight", metadata={"Date": None})


main()
