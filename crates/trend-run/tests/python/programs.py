"""Writes random programs whose blocks begin with a line of their own, so that line events count the blocks."""

import random
import sys

PRELUDE = '''\
class Item:
    v = 3

    def __getattr__(self, name):
        raise KeyError(name)


class Context:
    w = 3

    def __init__(self, v):
        self.v = v

    def __enter__(self):
        return self

    def __exit__(self, *error):
        return self.v % 3 == 0


item = Item()
total = 0
budget = [3000]


def tick(v):
    budget[0] -= 1
    if budget[0] < 0:
        raise SystemExit
    global total
    total += v if isinstance(v, int) else 1
    return total


def fails(x):
    tick(1)
    if x % 5 == 4:
        raise IndexError(x)
    return x % 2


def safe(function, *arguments):
    try:
        return function(*arguments)
    except Exception:
        return 1


def wrapped(function):
    return lambda *arguments: function(*arguments)


'''

TESTS = [
    "x % 2",
    "x > y",
    "y == 3",
    "x % 3 == 1",
    "item.v",
    "x in z",
    "not x",
    "isinstance(x, int)",
    "fails(x)",
    "x > 2 and y < 5",
]
VALUES = ["x", "y", "x + 1", "(y * 3) % 7", "len(z)", "x - y", "item.v"]
SIMPLE = ["x = {}", "y = {}", "x, y = y, {}", "z = z[-5:] + [{}]", "tick({})"]
COMPREHENSIONS = [
    "z = [\n    (a * 2)\n    for a in range(4)\n    if a % 2]",
    "z = list({\n    (a): (b)\n    for a in range(3)\n    for b in range(a)})",
    "tick(sum(\n    (a + 1)\n    for a in range(5)))",
]
PATTERNS = ["0 | 1", "int() if fails(x)", "[a, b]", "str()"]


class Program:
    """A random program under construction."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.lines = []
        self.indentation = 0
        self.definitions = 0
        self.tries = 0

    def text(self):
        for i in range(3):
            self.line("def main%d(x, y):" % i)
            self.inside(lambda: self.line("z = [1, 2, 3]"))
            self.block(4, False)
        self.line("for k in range(6):")
        for i in range(3):
            self.line("    safe(main%d, k, k + %d)" % (i, i))
        self.line("print(total)")
        return PRELUDE + "\n".join(self.lines) + "\n"

    def line(self, text):
        self.lines += [" " * 4 * self.indentation + line for line in text.split("\n")]

    def inside(self, write):
        self.indentation += 1
        write()
        self.indentation -= 1

    def chance(self, probability):
        return self.random.random() < probability

    def test(self):
        # A failing attribute counts as `else`, unless it is within `try`.
        return self.random.choice(TESTS + ["item.q == x"] * bool(self.tries))

    def value(self):
        return self.random.choice(VALUES)

    def block(self, depth, in_loop):
        self.inside(lambda: self.statements(depth, in_loop))

    def statements(self, depth, in_loop):
        self.line(self.random.choice(["x = y", "y = x", "tick(x)"]))
        for _ in range(self.random.randint(1, 3)):
            kinds = [self.simple, self.simple, self.comprehension, self.jump]
            if depth > 0:
                kinds += [self.chain, self.chain, self.loop, self.counted_loop, self.attempt, self.context]
                kinds += [self.function, self.generator, self.definition, self.function_value, self.conditional]
                kinds += [self.cases] if sys.version_info >= (3, 10) else []
            self.random.choice(kinds)(depth - 1, in_loop)
            self.line(self.random.choice(["x = x", "y = y", "tick(y)"]))

    def simple(self, depth, in_loop):
        self.line(self.random.choice(SIMPLE).format(self.value()))

    def comprehension(self, depth, in_loop):
        self.line(self.random.choice(COMPREHENSIONS))

    def jump(self, depth, in_loop):
        self.line("if %s:" % self.test())
        jumps = ["raise ValueError(x)", "return x"] + ["continue", "break"] * in_loop
        self.line("    " + self.random.choice(jumps))

    def chain(self, depth, in_loop):
        self.line("if %s:" % self.test())
        self.block(depth, in_loop)
        for _ in range(self.random.choice([0, 0, 0, 1, 2, 4])):
            self.line("elif %s:" % self.test())
            self.block(depth, in_loop)
        self.otherwise(0.5, depth, in_loop)

    def otherwise(self, probability, depth, in_loop):
        if self.chance(probability):
            self.line("else:")
            self.block(depth, in_loop)

    def loop(self, depth, in_loop):
        self.line("for x in range(%d):" % self.random.randint(0, 4))
        self.block(depth, True)
        self.otherwise(0.3, depth, in_loop)

    def counted_loop(self, depth, in_loop):
        self.line("w%d = %d" % (depth, self.random.randint(0, 4)))
        self.line("while w%d > 0:" % depth)
        self.line("    w%d -= 1" % depth)
        self.block(depth, True)
        self.otherwise(0.3, depth, in_loop)

    def attempt(self, depth, in_loop):
        self.line("try:")
        self.tries += 1
        self.block(depth, in_loop)
        self.tries -= 1
        self.line("except %s:" % self.random.choice(["ValueError", "(KeyError, IndexError)", "Exception"]))
        self.block(depth, in_loop)
        self.otherwise(0.4, depth, in_loop)
        if self.chance(0.4):
            self.line("finally:\n    tick(2)")

    def context(self, depth, in_loop):
        self.line("with Context(%s):" % self.value())
        self.block(depth, in_loop)

    def cases(self, depth, in_loop):
        self.line("match x:")
        patterns = PATTERNS + ["_"] * self.chance(0.5)
        for pattern in patterns:
            self.inside(lambda: (self.line("case %s:" % pattern), self.block(depth, in_loop)))

    def named(self, letter):
        self.definitions += 1
        return "%s%d" % (letter, self.definitions)

    def body(self, depth, *first):
        """Writes the body of a definition, which is not within `try`."""
        tries, self.tries = self.tries, 0
        self.inside(lambda: [self.line(line) for line in first])
        self.block(depth, False)
        self.tries = tries

    def function(self, depth, in_loop):
        name = self.named("f")
        if self.chance(0.5):
            self.line("@wrapped")
        self.line("def %s(x, y=2):" % name)
        self.body(depth, *['"documentation"'] * self.chance(0.5), "z = [1, 2]")
        for _ in range(2):
            self.line("tick(safe(%s, %s))" % (name, self.value()))

    def generator(self, depth, in_loop):
        name = self.named("g")
        self.line("def %s(x, y=1):" % name)
        self.body(depth, "z = [1]", "yield x")
        self.line("tick(safe(list, safe(%s, 3)))" % name)

    def definition(self, depth, in_loop):
        name = self.named("C")
        self.line("class %s:" % name)
        self.inside(lambda: (self.line("x = y = 1\n\ndef __m(self, x, y=3):"), self.body(depth, "z = [4]")))
        self.line("    def go(self):\n        return self.__m(4)")
        self.line("tick(safe(%s().go))" % name)

    def function_value(self, depth, in_loop):
        self.line("tick((lambda a:\n    a + 1)(%s))" % self.value())

    def conditional(self, depth, in_loop):
        self.line("y = (tick(1)\n    if %s else\n    tick(2))" % self.test())
