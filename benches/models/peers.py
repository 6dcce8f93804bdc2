"""Computes the recovery matrix for existing tools: Extra-P, the crate big_o, PyPI's big_O, Google Benchmark's rule.

    cargo run --release -p trend-model --example recovery -- 200 100000 --dump | python3 benches/models/peers.py

Reads the instances from standard input, one JSON object per line, and writes one Markdown table per tool: the
percentage of instances whose leading term it names. Needs the packages of requirements.txt and cargo. These tools
never answer "undecided": an answer that is not right is wrong, or outside of the ten classes.
"""

import argparse
import json
import pathlib
import re
import subprocess
import sys
import warnings

import numpy as np

CLASSES = ["1", "log n", "n^0.5", "n", "n log n", "n^1.5", "n^2", "n^2 log n", "n^3", "2^n"]


def google_benchmark(x, y):
    """Applies Google Benchmark's complexity.cc: one coefficient by least squares for each curve. The lowest root mean
    square divided by the mean wins."""
    curves = {
        "1": np.ones_like(x),
        "n": x,
        "n^2": x**2,
        "n^3": x**3,
        "log n": np.log2(x),
        "n log n": x * np.log2(x),
    }

    def normalized_rms(g):
        coefficient = (y * g).sum() / (g * g).sum()
        return np.sqrt(np.mean((y - coefficient * g) ** 2)) / y.mean()

    return min(curves, key=lambda name: normalized_rms(curves[name]))


def exponent_name(exponent):
    """Returns the class to which a fitted exponent rounds, within 0.05."""
    for name, value in {"1": 0, "n^0.5": 0.5, "n": 1, "n^1.5": 1.5, "n^2": 2, "n^3": 3}.items():
        if abs(exponent - value) <= 0.05:
            return name
    return f"n^{exponent:.2f}"


def big_o_python(x, y):
    from big_o.big_o import infer_big_o_class

    names = {"Constant": "1", "Linear": "n", "Quadratic": "n^2", "Cubic": "n^3", "Logarithmic": "log n",
             "Linearithmic": "n log n", "Exponential": "2^n"}
    with np.errstate(all="ignore"):
        best, _ = infer_big_o_class(x, y)
    kind = type(best).__name__
    return exponent_name(best.coefficients()[1]) if kind == "Polynomial" else names.get(kind, kind)


class ExtraP:
    """The default single-parameter modeler; its leading term is the one that grows fastest."""

    def __init__(self):
        from extrap.entities.callpath import Callpath
        from extrap.entities.coordinate import Coordinate
        from extrap.entities.measurement import Measurement
        from extrap.entities.metric import Metric
        from extrap.modelers.single_parameter.basic import SingleParameterModeler

        self.types = Coordinate, Measurement, Callpath("f"), Metric("count")
        self.modeler = SingleParameterModeler()

    def __call__(self, x, y):
        coordinate, measurement, callpath, metric = self.types
        points = [measurement(coordinate(n), callpath, metric, [c]) for n, c in zip(x, y)]
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            function = self.modeler.model([points])[0].hypothesis.function
        growth = [(0.0, 0.0)]
        for compound in function.compound_terms:
            parts = {"polynomial": 0.0, "logarithm": 0.0}
            for term in compound.simple_terms:
                parts[term.term_type] = parts.get(term.term_type, 0.0) + float(term.exponent)
            growth.append((parts["polynomial"], parts["logarithm"]))
        power, log = max(growth)
        if log == 0:
            return exponent_name(power)
        logs = {(0.0, 1.0): "log n", (1.0, 1.0): "n log n", (2.0, 1.0): "n^2 log n"}
        return logs.get((power, log), f"n^{power:g} log^{log:g} n")


def big_o_crate(instances):
    """Returns all answers of the crate, from the program next to this script."""
    manifest = pathlib.Path(__file__).parent / "big_o_peer" / "Cargo.toml"
    numbers = lambda values: " ".join(repr(v) for v in values)
    lines = "\n".join(f"{numbers(i['x'])};{numbers(i['y'])}" for i in instances)
    command = ["cargo", "run", "--quiet", "--release", "--manifest-path", str(manifest)]
    output = subprocess.run(command, input=lines, capture_output=True, text=True, check=True).stdout
    names = {"Constant": "1", "Linear": "n", "Quadratic": "n^2", "Cubic": "n^3", "Logarithmic": "log n",
             "Linearithmic": "n log n", "Exponential": "2^n"}

    def name(line):
        model, _, notation = line.partition("\t")
        if model in names:
            return names[model]
        exponent = re.search(r"n\^([0-9.]+)", notation)
        return exponent_name(float(exponent.group(1))) if exponent else model

    return [name(line) for line in output.splitlines()]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--without", action="append", default=[], help="leave out a tool, such as extrap")
    arguments = parser.parse_args()
    instances = [json.loads(line) for line in sys.stdin]
    conditions = list(dict.fromkeys(i["condition"] for i in instances))
    tools = {"google": google_benchmark, "big_O": big_o_python, "big_o crate": None, "extrap": None}
    for tool in tools:
        if tool in arguments.without:
            continue
        if tool == "big_o crate":
            answers = big_o_crate(instances)
        else:
            function = ExtraP() if tool == "extrap" else tools[tool]
            answers = []
            for instance in instances:
                x, y = np.array(instance["x"]), np.array(instance["y"])
                try:
                    answers.append(function(x, y))
                except (ArithmeticError, ValueError, IndexError, np.linalg.LinAlgError) as error:
                    answers.append(f"error: {error}")
        table(tool, instances, answers, conditions)


def table(tool, instances, answers, conditions):
    right, total = {}, {}
    for instance, answer in zip(instances, answers, strict=True):
        cell = instance["class"], instance["condition"]
        right[cell] = right.get(cell, 0) + (answer == instance["class"])
        total[cell] = total.get(cell, 0) + 1
    print(f"### Right, in per cent: {tool}\n")
    print(f"| class | {' | '.join(conditions)} |")
    print(f"|---|{'---:|' * len(conditions)}")
    for name in CLASSES:
        cells = [f"{100 * right[name, c] / total[name, c]:.1f}" for c in conditions if (name, c) in total]
        print(f"| {name} | {' | '.join(cells)} |")
    print(flush=True)


if __name__ == "__main__":
    main()
