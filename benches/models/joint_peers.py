"""Finds laws in two features with Extra-P, on the columns on which trend-prof is judged.

    cargo run --release -p trend-analyze --example joint_designs -- 20 --dump | python3 benches/models/joint_peers.py

Reads the columns from standard input, one JSON object per line, and writes a Markdown table. Each cell has the
percentage of columns whose law has the truth's terms, or whose prediction at ten times the largest sizes is within 10
% of the truth. Extra-P always answers and gives no interval. Needs the packages of requirements.txt.
"""

import json
import logging
import sys
import warnings

import numpy as np
from extrap.entities.callpath import Callpath
from extrap.entities.coordinate import Coordinate
from extrap.entities.measurement import Measurement
from extrap.entities.metric import Metric
from extrap.entities.terms import MultiParameterTerm
from extrap.modelers.multi_parameter.multi_parameter_modeler import MultiParameterModeler

NEAR = 0.1

# Exponents of the features and of their logarithms for each term of a true law.
TERMS = {
    "x·y": ((1, 0), (1, 0)),
    "x^2·log y": ((2, 0), (0, 1)),
    "x": ((1, 0), (0, 0)),
    "y^2": ((0, 0), (2, 0)),
    "x log x·y": ((1, 1), (1, 0)),
}


def model(column):
    """Returns the function that Extra-P finds with its default options."""
    by_point = {}
    for point, cost in zip(column["points"], column["costs"], strict=True):
        by_point.setdefault(tuple(point), []).append(cost)
    callpath, metric = Callpath("work"), Metric("count")
    points = [Measurement(Coordinate(*point), callpath, metric, costs) for point, costs in sorted(by_point.items())]
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        return MultiParameterModeler().model([points])[0].hypothesis.function


def terms(function):
    """Returns the terms with a feature, as exponents."""
    found = []
    for compound in function.compound_terms:
        powers = {0: [0.0, 0.0], 1: [0.0, 0.0]}
        assert isinstance(compound, MultiParameterTerm)
        for parameter, term in compound.parameter_term_pairs:
            for simple in term.simple_terms:
                powers[parameter][simple.term_type == "logarithm"] += float(simple.exponent)
        found.append(tuple(tuple(powers[j]) for j in (0, 1)))
    return sorted(found)


def judge(column):
    """Returns two booleans: the terms are the truth's, and the prediction is near."""
    try:
        function = model(column)
        expected = sorted(tuple(tuple(map(float, p)) for p in TERMS[term]) for term in column["terms"])
        has_terms = terms(function) == expected if hasattr(function, "compound_terms") else False
        predicted = float(function.evaluate(tuple(column["far"])))
    except (ArithmeticError, ValueError, IndexError, KeyError, np.linalg.LinAlgError):
        return False, False
    return has_terms, abs(predicted / column["far_cost"] - 1) <= NEAR


def main():
    logging.disable(logging.CRITICAL)
    cells = {}
    for line in sys.stdin:
        column = json.loads(line)
        cell = column["truth"], column["design"], column["noise"]
        cells.setdefault(cell, []).append(judge(column))
    print("| cost | design | noise | right, % | terms, % | near, % |")
    print("|---|---|---:|---:|---:|---:|")
    for (truth, design, noise), judged in cells.items():
        share = lambda values: f"{100 * sum(values) / len(judged):.0f}"
        rights = [share(any(j) for j in judged), share(j[0] for j in judged), share(j[1] for j in judged)]
        print(f"| {truth} | {design} | {100 * noise:.0f} % | {' | '.join(rights)} |")


if __name__ == "__main__":
    main()
