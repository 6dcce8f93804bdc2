"""Evaluates formulas that trend-prof prints, in Python."""

import re
from fractions import Fraction

SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")
FRACTIONS = {"½": (1, 2), "⅓": (1, 3), "⅔": (2, 3), "¼": (1, 4), "¾": (3, 4), "⅕": (1, 5), "⅙": (1, 6), "⅚": (5, 6), "⅛": (1, 8), "⅜": (3, 8), "⅝": (5, 8), "⅞": (7, 8), "⅖": (2, 5), "⅗": (3, 5), "⅘": (4, 5)}


def python(formula):
    """Turns a formula of trend-prof into a Python expression."""
    formula = formula.replace("−", "-").replace("·", "*")
    formula = re.sub("([⁰¹²³⁴⁵⁶⁷⁸⁹]+)", lambda found: "**" + found[1].translate(SUPERSCRIPTS), formula)
    for sign, (a, b) in FRACTIONS.items():
        formula = formula.replace(sign, f"F({a},{b})*")
    formula = re.sub(r"\((\d+)/(\d+)\)", r"F(\1,\2)*", formula).replace("**(", "*(")
    formula = re.sub(r"(?<![\w)])(\d+)([a-zA-Z_])", r"\1*\2", formula)
    formula = re.sub(r"(\d)([⌈⌊])", r"\1*\2", formula).replace("**⌈", "*⌈").replace("**⌊", "*⌊")
    formula = formula.replace("⌈", "up(").replace("⌊", "down(").replace("⌉", ")").replace("⌋", ")")
    formula = re.sub(r"\*+(?= |$|\))", "", formula)
    formula = re.sub(r"\*\*(?!\d)", "*", formula)
    return re.sub(r"(up|down)\(", r"\1(F(1)*", formula)


def evaluated(expression, values):
    """Returns the value of an expression, or 0 if it is negative. Returns the exception if evaluation raises one."""
    names = {"F": Fraction, "up": lambda x: -((-x) // 1), "down": lambda x: x // 1, "min": min, "max": max}
    try:
        return max(0, eval(expression, {"__builtins__": {}}, {**names, **values}))
    except (NameError, SyntaxError, ZeroDivisionError) as error:
        return error
