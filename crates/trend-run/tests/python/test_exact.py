"""Counts of random programs, which have to equal the interpreter's line events.

`PROGRAMS=160 python3 -m unittest test_exact` tries that many.
"""

import ast
import json
import os
import sys
import unittest

from counted import ProgramTest
from programs import Program

TRACER = """\
import collections, json, sys
events = collections.Counter()
path = sys.argv[1]
def tracer(frame, event, argument):
    if frame.f_code.co_filename != path:
        return None
    if event == "line":
        events[frame.f_lineno] += 1
    return tracer
with open(path) as file:
    code = compile(file.read(), path, "exec")
sys.settrace(tracer)
try:
    exec(code, {"__name__": "__main__"})
except SystemExit:
    pass
sys.settrace(None)
with open(path + ".events", "w") as file:
    json.dump(events, file)
"""

INLINED = sys.version_info >= (3, 12)

PLAIN = (ast.Assign, ast.AugAssign, ast.Expr, ast.Return, ast.Raise, ast.Break, ast.Continue, ast.If)


def comparable(tree):
    """Returns the lines where an event means that a block begins: those of simple statements, tests and elements.

    Elements of comprehensions have two events from Python 3.12 on.
    """
    lines, others = set(), set()
    for node in ast.walk(tree):
        if isinstance(node, PLAIN):
            lines.add(node.lineno)
        elif isinstance(node, ast.GeneratorExp) or isinstance(node, ast.ListComp) and not INLINED:
            lines.add(node.elt.lineno)
        elif isinstance(node, ast.DictComp) and not INLINED:
            lines.add(node.key.lineno)
        elif isinstance(node, ast.IfExp):
            lines.add(node.orelse.lineno)
            others.add(node.body.lineno)
        elif isinstance(node, ast.Lambda):
            others.add(node.lineno)
    return lines - others


@unittest.skipIf(sys.version_info < (3, 10), "Python 3.9 has further line events at the end of `with` and at `return`")
class Exact(ProgramTest):
    def test_counts_equal_line_events(self):
        compared = 0
        for seed in range(int(os.environ.get("PROGRAMS", 6))):
            with self.subTest(seed=seed):
                compared += self.compare(Program(seed).text())
        self.assertGreater(compared, 100)

    def compare(self, text):
        """Compares a program's counts, and returns how many."""
        path = self.write("program.py", text)
        self.write("tracer.py", TRACER)
        traced = self.plain("tracer.py", path)
        counted = self.same("program.py")
        self.assertEqual(traced.out, counted.out)
        with open(path + ".events") as file:
            events = {int(line): count for line, count in json.load(file).items()}
        counts = {}
        for module in counted.processes[0]["modules"]:
            if module["file"] == path:
                for _, line, _, _, count in module["blocks"]:
                    counts.setdefault(line, []).append(count)
        alone = {line: of_line[0] for line, of_line in counts.items() if len(of_line) == 1}
        lines = comparable(ast.parse(text)) & set(alone)
        expected = {line: events.get(line, 0) for line in lines}
        self.assertEqual({line: alone[line] for line in lines}, expected)
        return len(lines)


if __name__ == "__main__":
    unittest.main()
