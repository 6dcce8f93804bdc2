"""Gives the columns on which trend-prof is judged to other tools: Extra-P, the crate big_o, PyPI's big_O, Google
Benchmark's rule.

    cargo run --release -p trend-model --example recovery -- 200 100000 --dump | benches/run.py peers
    cargo run --release -p trend-analyze --example joint_designs -- 20 --dump | benches/run.py peers --joint

Reads the columns from standard input, one JSON object per line. Without `--joint`, writes the recovery matrix as one
Markdown table per tool: the percentage of instances whose leading term it names. These tools never answer "undecided":
an answer that is not right is wrong, or outside of the ten classes.

With `--joint`, the columns have two features, and only Extra-P is asked. Each cell has the percentage of columns whose law
has the truth's terms, or whose prediction at ten times the largest sizes is within 10 % of the truth. Extra-P always
answers and gives no interval.

Needs the packages of models/requirements.txt, and cargo.
"""

import json
import logging
import re
import subprocess
import sys
import warnings

import numpy as np
from big_o.big_o import infer_big_o_class
from extrap.entities.callpath import Callpath
from extrap.entities.coordinate import Coordinate
from extrap.entities.measurement import Measurement
from extrap.entities.metric import Metric
from extrap.modelers.multi_parameter.multi_parameter_modeler import MultiParameterModeler
from extrap.modelers.single_parameter.basic import SingleParameterModeler

from shared import HERE, head, row

NEAR = 0.1

# Exponents of the features and of their logarithms for each term of a true law.
TERMS = {
    "x·y": ((1, 0), (1, 0)),
    "x^2·log y": ((2, 0), (0, 1)),
    "x": ((1, 0), (0, 0)),
    "y^2": ((0, 0), (2, 0)),
    "x log x·y": ((1, 1), (1, 0)),
}
CLASSES = ["1", "log n", "n^0.5", "n", "n log n", "n^1.5", "n^2", "n^2 log n", "n^3", "2^n"]
# Names of models, in PyPI's big_O and the crate.
NAMES = {"Constant": "1", "Linear": "n", "Quadratic": "n^2", "Cubic": "n^3", "Logarithmic": "log n", "Linearithmic": "n log n",
         "Exponential": "2^n"}


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
    with np.errstate(all="ignore"):
        best, _ = infer_big_o_class(x, y)
    kind = type(best).__name__
    return exponent_name(best.coefficients()[1]) if kind == "Polynomial" else NAMES.get(kind, kind)


def law_of_extra_p(modeler, points):
    """Returns the function that Extra-P finds with its default options, from the features of each point and its costs."""
    callpath, metric = Callpath("work"), Metric("count")
    measurements = [Measurement(Coordinate(*point), callpath, metric, costs) for point, costs in points]
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        return modeler.model([measurements])[0].hypothesis.function


def extra_p(x, y):
    """Returns the leading term, which is the one that grows fastest."""
    growth = [(0.0, 0.0)]
    for compound in law_of_extra_p(SingleParameterModeler(), (((n,), [cost]) for n, cost in zip(x, y))).compound_terms:
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
    """Returns all answers of the crate, from the program `big_o_peer`."""
    manifest = HERE / "models/big_o_peer/Cargo.toml"
    numbers = lambda values: " ".join(repr(v) for v in values)
    lines = "\n".join(f"{numbers(i['x'])};{numbers(i['y'])}" for i in instances)
    command = ["cargo", "run", "--quiet", "--release", "--manifest-path", str(manifest)]
    output = subprocess.run(command, input=lines, capture_output=True, text=True, check=True).stdout

    def name(line):
        model, _, notation = line.partition("\t")
        if model in NAMES:
            return NAMES[model]
        exponent = re.search(r"n\^([0-9.]+)", notation)
        return exponent_name(float(exponent.group(1))) if exponent else model

    return [name(line) for line in output.splitlines()]


def show(tool, instances, answers, conditions):
    right, total = {}, {}
    for instance, answer in zip(instances, answers, strict=True):
        cell = instance["class"], instance["condition"]
        right[cell] = right.get(cell, 0) + (answer == instance["class"])
        total[cell] = total.get(cell, 0) + 1
    print(f"### Right, in per cent: {tool}\n")
    head("class", *conditions)
    for name in CLASSES:
        row(name, *(f"{100 * right[name, c] / total[name, c]:.1f}" for c in conditions if (name, c) in total))
    print(flush=True)


def terms(function):
    """Returns the terms with a feature, as exponents."""
    found = []
    for compound in function.compound_terms:
        powers = {0: [0.0, 0.0], 1: [0.0, 0.0]}
        for parameter, term in compound.parameter_term_pairs:
            for simple in term.simple_terms:
                powers[parameter][simple.term_type == "logarithm"] += float(simple.exponent)
        found.append(tuple(tuple(powers[j]) for j in (0, 1)))
    return sorted(found)


def judge(column):
    """Returns two booleans: the terms are the truth's, and the prediction is near."""
    try:
        by_point = {}
        for point, cost in zip(column["points"], column["costs"], strict=True):
            by_point.setdefault(tuple(point), []).append(cost)
        function = law_of_extra_p(MultiParameterModeler(), sorted(by_point.items()))
        expected = sorted(tuple(tuple(map(float, p)) for p in TERMS[term]) for term in column["terms"])
        has_terms = terms(function) == expected if hasattr(function, "compound_terms") else False
        predicted = float(function.evaluate(tuple(column["far"])))
    except (ArithmeticError, ValueError, IndexError, KeyError, np.linalg.LinAlgError):
        return False, False
    return has_terms, abs(predicted / column["far_cost"] - 1) <= NEAR


def joint(columns):
    logging.disable(logging.CRITICAL)
    cells = {}
    for column in columns:
        cells.setdefault((column["truth"], column["design"], column["noise"]), []).append(judge(column))
    head("cost", "design", "noise", "right, %", "terms, %", "near, %")
    for (truth, design, noise), judged in cells.items():
        share = lambda values: f"{100 * sum(values) / len(judged):.0f}"
        row(truth, design, f"{100 * noise:.0f} %", share(any(j) for j in judged), share(j[0] for j in judged), share(j[1] for j in judged))


def arguments(parser):
    parser.add_argument("--joint", action="store_true", help="columns in two features")
    parser.add_argument("--without", action="append", default=[], help="leave out a tool, such as extrap")


def main(options):
    instances = [json.loads(line) for line in sys.stdin]
    if options.joint:
        return joint(instances)
    conditions = list(dict.fromkeys(i["condition"] for i in instances))
    tools = {"google": google_benchmark, "big_O": big_o_python, "big_o crate": None, "extrap": extra_p}
    for tool, function in tools.items():
        if tool in options.without:
            continue
        answers = [] if function else big_o_crate(instances)
        for instance in instances if function else []:
            try:
                answers.append(function(np.array(instance["x"]), np.array(instance["y"])))
            except (ArithmeticError, ValueError, IndexError, np.linalg.LinAlgError) as error:
                answers.append(f"error: {error}")
        show(tool, instances, answers, conditions)
    return 0
