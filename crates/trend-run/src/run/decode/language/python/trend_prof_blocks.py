"""Rewrites a module so that each of its blocks counts its executions.

A block is a piece of straight code. A counter is a call of `partial(next, count(1))`. It runs in C, cannot be
interrupted by another thread, and always returns a true value, so that it can also stand in a condition. It is a
constant of the code object: no name is added to the module.

    def f(xs):                      def f(xs):
        for x in xs:                    C1()
            if x:                       for x in xs:
                g(x)                        C2()
            else:                           if x:
                h(x)                            C3(); g(x)
                                            else:
                                                h(x)            C2 - C3

The code is executed under the user's lines, and the syntax tree is changed without the module `ast`, which the
program may never import.
"""

import _ast
import sys
from _functools import partial
from itertools import count

# The first item of the constants that stand for counters until the code is compiled.
MARK = "trend-prof counter"

FUNCTIONS = (_ast.FunctionDef, _ast.AsyncFunctionDef)
LOOPS = (_ast.For, _ast.AsyncFor, _ast.While)
COMPREHENSIONS = (_ast.ListComp, _ast.SetComp, _ast.DictComp, _ast.GeneratorExp)
# Python 3.11 added `try` with `except*`, and 3.10 added `match`.
TRIES = (_ast.Try, getattr(_ast, "TryStar", _ast.Try))
MATCH = getattr(_ast, "Match", ())
WITHS = (_ast.With, _ast.AsyncWith)
JUMPS = (_ast.Return, _ast.Raise, _ast.Break, _ast.Continue)
# The recursion limit while a tree is rewritten: `a + b + …` nests as deeply as it is long. Before 3.11, each call of a
# Python function takes space on the stack of C.
DEEPEST = 10000 if sys.version_info >= (3, 11) else 3000
QUIET_CALLS = ("isinstance", "len")
# Fields of nodes without code to count. Annotations stay as they are, because code may read them.
WITHOUT_CODE = ("annotation", "attr", "arg", "ctx", "id", "kind", "is_async", "names", "op", "ops", "type_comment")
# The other fields, by the type of the node.
FIELDS = {}


class Blocks:
    """The blocks of a module and their counts.

    `quantities` holds counters, and sums of earlier quantities as lists of (sign, index). `blocks` holds tuples of
    (function, line, column, lines, quantity).
    """

    def __init__(self):
        self.functions = []
        self.blocks = []
        self.quantities = []
        # Counts at the last `fork`, which belong to the parent.
        self.before = {}

    def forget(self):
        """Drops the counts so far."""
        self.before = {i: counted(q) for i, q in enumerate(self.quantities) if type(q) is partial}

    def counts(self):
        """Returns the values of the quantities."""
        values = []
        for i, quantity in enumerate(self.quantities):
            if type(quantity) is partial:
                values.append(counted(quantity) - self.before.get(i, 0))
            else:
                values.append(sum(sign * values[of] for sign, of in quantity))
        return values


def counted(counter):
    """Returns the number of calls of a counter, which shows only as `count(CALLS + 1)`."""
    return int(repr(counter.args[0])[6:-1]) - 1


class Place:
    """A block that is being rewritten."""

    def __init__(self, quantity, lines, in_try):
        # Number of executions, or None if it is unknown.
        self.quantity = quantity
        self.lines = lines
        # True if an exception does not leave the function.
        self.in_try = in_try
        # True if everything so far was executed as often as the block.
        self.is_whole = True


class Rewriter:
    """Rewrites one syntax tree. Positions in it stay as they are."""

    def __init__(self, text):
        self.result = Blocks()
        self.text_lines = text.split(b"\n")
        self.names = []
        self.function = 0

    def module(self, tree):
        """Rewrites a module."""
        self.begin("<module>", 1)
        if tree.body:
            self.body(tree.body, False)
        self.result.blocks.sort(key=lambda block: (block[1], block[2]))

    # Counters

    def quantity(self, value):
        self.result.quantities.append(value)
        return len(self.result.quantities) - 1

    def counter(self, node):
        """Returns a new quantity and the call that counts it, at the position of `node`."""
        quantity = self.quantity(partial(next, count(1)))
        # A definition begins at its decorators.
        first = min([node] + getattr(node, "decorator_list", []), key=lambda part: part.lineno)
        line, column = first.lineno, first.col_offset
        at = {"lineno": line, "col_offset": column, "end_lineno": line, "end_col_offset": column}
        mark = _ast.Constant(value=(MARK, quantity), kind=None, **at)
        # The compiler warns about calls of a constant, and removes the condition.
        true = _ast.Constant(value=True, kind=None, **at)
        function = _ast.IfExp(test=true, body=mark, orelse=mark, **at)
        return quantity, _ast.Call(func=function, args=[], keywords=[], **at)

    def block(self, node, quantity):
        """Adds a block that begins at a node, and returns its lines."""
        lines = set()
        row = self.text_lines[node.lineno - 1] if node.lineno <= len(self.text_lines) else b""
        column = len(row[: node.col_offset].decode("utf-8", "replace")) + 1
        self.result.blocks.append((self.function, node.lineno, column, lines, quantity))
        return lines

    def begin(self, name, line):
        self.result.functions.append((name, line))
        self.function = len(self.result.functions) - 1

    # Statements

    def body(self, statements, in_try):
        """Rewrites the statements of a block, and counts it. Returns its quantity."""
        start = beginning(statements)
        first = statements[min(start, len(statements) - 1)]
        quantity, statement = self.statement(first)
        place = Place(quantity, self.block(first, quantity), in_try)
        self.mark_lines(place, first.lineno, first.lineno)
        self.rest(statements, start, place)
        statements.insert(start, statement)
        return quantity

    def statement(self, node):
        quantity, call = self.counter(node)
        at = {"lineno": call.lineno, "col_offset": call.col_offset}
        at.update(end_lineno=call.lineno, end_col_offset=call.col_offset)
        return quantity, _ast.Expr(value=call, **at)

    def rest(self, statements, start, place):
        """Rewrites statements from `start` on. Where one of them may jump, a new block begins after it."""
        i = start
        while i < len(statements):
            node = statements[i]
            is_chain = isinstance(node, _ast.If)
            left = self.chain(node, place) if is_chain else self.compound(node, place)
            i += 1
            if i < len(statements) and isinstance(node, STATEMENTS_WITH_BODIES) and may_leave(node):
                if left is None:
                    quantity, counter = self.statement(statements[i])
                    statements.insert(i, counter)
                    i += 1
                else:
                    quantity = left
                place = Place(quantity, self.block(statements[i], quantity), place.in_try)

    def compound(self, node, place):
        """Rewrites a statement other than `if`."""
        if isinstance(node, FUNCTIONS):
            self.definition(node, place)
        elif isinstance(node, _ast.ClassDef):
            self.class_body(node, place)
        elif isinstance(node, LOOPS):
            self.loop(node, place)
        elif isinstance(node, TRIES):
            self.attempt(node, place)
        elif isinstance(node, WITHS):
            self.header(node, node.body, place, "items")
            place.is_whole = False
            self.inner(node.body, place)
        elif MATCH and isinstance(node, MATCH):
            self.cases(node, place)
        else:
            self.mark_lines(place, node.lineno, node.end_lineno)
            self.fields(node)
            place.is_whole = place.is_whole and is_quiet_statement(node, place.in_try)

    def inner(self, statements, place, in_try=False):
        """Rewrites statements that belong to the block around them."""
        in_try = in_try or place.in_try
        inner = Place(place.quantity, place.lines, in_try)
        inner.is_whole = place.is_whole
        self.rest(statements, 0, inner)

    def header(self, node, body, place, *fields):
        """Rewrites the expressions before a body."""
        self.mark_lines(place, node.lineno, max(node.lineno, body[0].lineno - 1))
        for field in fields:
            self.field(node, field)

    def loop(self, node, place):
        fields = ("test",) if isinstance(node, _ast.While) else ("target", "iter")
        self.header(node, node.body, place, *fields)
        self.body(node.body, place.in_try)
        if node.orelse:
            self.body(node.orelse, place.in_try)
        place.is_whole = False

    def attempt(self, node, place):
        place.lines.add(node.lineno)
        self.inner(node.body, place, True)
        place.is_whole = False
        for handler in node.handlers:
            self.field(handler, "type")
            self.body(handler.body, place.in_try)
        if node.orelse:
            self.body(node.orelse, place.in_try)
        if node.finalbody:
            self.inner(node.finalbody, place)

    def cases(self, node, place):
        self.field(node, "subject")
        place.lines.update(range(node.lineno, node.subject.end_lineno + 1))
        for case in node.cases:
            self.field(case, "guard")
            self.body(case.body, place.in_try)
        place.is_whole = False

    def chain(self, node, place):
        """Rewrites `if`, its `elif`s and its `else`. Returns the number of executions after it, if that follows.

        One counter is executed, whichever branch is taken. Most tests of `elif` follow from the branches after them.
        """
        links, otherwise = links_of(node)
        is_known = place.quantity is not None and place.is_whole
        for number, link in enumerate(links):
            lines = place.lines if number == 0 else set()
            lines.update(range(link.lineno, max(link.lineno + 1, link.body[0].lineno)))
            self.field(link, "test")
            is_known = is_known and is_quiet(link.test, place.in_try)
        bodies = [self.body(link.body, place.in_try) for link in links]
        if is_known:
            last = self.tests_from_above(links, bodies, place.quantity)
            if otherwise:
                remaining = self.quantity([(1, last), (-1, bodies[-1])])
                inner = Place(remaining, self.block(otherwise[0], remaining), place.in_try)
                self.rest(otherwise, 0, inner)
        else:
            after = self.body(otherwise, place.in_try) if otherwise else None
            self.tests_from_below(links, bodies, after, place.in_try)
        falls = [never_leaves(link.body, place.in_try) for link in links]
        place.is_whole = is_known and all(falls) and never_leaves(otherwise, place.in_try)
        if otherwise or not is_known:
            return None
        settled = [falls or always_leaves(link.body) for falls, link in zip(falls, links)]
        if not all(settled):
            return None
        leaving = [(-1, body) for body, link in zip(bodies, links) if always_leaves(link.body)]
        return self.quantity([(1, place.quantity)] + leaving)

    def tests_from_above(self, links, bodies, before):
        """Adds the tests of `elif`: each is executed as often as the one before it, without that one's body.

        Returns the number of executions of the last test.
        """
        for link, body in zip(links[1:], bodies):
            before = self.quantity([(1, before), (-1, body)])
            self.test(link, before)
        return before

    def tests_from_below(self, links, bodies, after, in_try):
        """Adds the tests of `elif`: each is executed as often as its body and what follows it.

        A test that may raise an exception has its own counter, because then nothing follows it. `after` is the number of
        executions of the last `else`, which gets a counter if it is needed and there is none.
        """
        for link, body in zip(links[:0:-1], bodies[:0:-1]):
            if not is_quiet(link.test, in_try):
                after, call = self.counter(link.test)
                link.test = both(call, link.test)
            else:
                if after is None:
                    after, counter = self.statement(link.test)
                    link.orelse = [counter]
                after = self.quantity([(1, body), (1, after)])
            self.test(link, after)

    def test(self, link, quantity):
        lines = self.block(link, quantity)
        lines.update(range(link.lineno, max(link.lineno + 1, link.body[0].lineno)))

    # Definitions

    def definition(self, node, place):
        first = min([node.lineno] + [d.lineno for d in node.decorator_list])
        self.mark_lines(place, first, max(node.lineno, node.body[0].lineno - 1))
        self.field(node, "decorator_list")
        self.defaults(node.args)
        self.within(node.name, node.lineno, "<locals>", lambda: self.body(node.body, False))
        place.is_whole = False

    def class_body(self, node, place):
        first = min([node.lineno] + [d.lineno for d in node.decorator_list])
        self.mark_lines(place, first, max(node.lineno, node.body[0].lineno - 1))
        for field in ("decorator_list", "bases", "keywords"):
            self.field(node, field)
        self.within(node.name, node.lineno, None, lambda: self.body(node.body, False))
        place.is_whole = False

    def within(self, name, line, scope, rewrite):
        """Rewrites the code of a function or class."""
        outer = self.function
        name = ".".join(self.names + [name])
        self.begin(name, line)
        names, self.names = self.names, [name, scope] if scope else [name]
        rewritten = rewrite()
        self.names, self.function = names, outer
        return rewritten

    def defaults(self, arguments):
        self.field(arguments, "defaults")
        self.field(arguments, "kw_defaults")

    def mark_lines(self, place, first, last):
        place.lines.update(range(first, last + 1))

    # Expressions

    def fields(self, node):
        kind = type(node)
        fields = FIELDS.get(kind)
        if fields is None:
            fields = FIELDS[kind] = [field for field in node._fields if field not in WITHOUT_CODE]
        for field in fields:
            self.field(node, field)

    def field(self, node, field):
        """Rewrites the expressions in a field of a node."""
        value = getattr(node, field, None)
        if type(value) is list:
            for i, item in enumerate(value):
                if isinstance(item, _ast.AST):
                    value[i] = self.expression(item)
        elif isinstance(value, _ast.AST):
            setattr(node, field, self.expression(value))

    def expression(self, node):
        kind = type(node)
        if kind is _ast.Name or kind is _ast.Constant:
            return node
        if kind is _ast.Lambda:
            self.defaults(node.args)
            node.body = self.within("<lambda>", node.lineno, "<locals>", lambda: self.counting(node.body))
        elif kind is _ast.IfExp:
            node.test = self.expression(node.test)
            node.body = self.branch(node.body)
            node.orelse = self.branch(node.orelse)
        elif kind in COMPREHENSIONS:
            self.comprehension(node)
        else:
            self.fields(node)
        return node

    def counting(self, node):
        """Returns an expression that counts its evaluations."""
        quantity, call = self.counter(node)
        self.mark_lines(Place(None, self.block(node, quantity), False), node.lineno, node.end_lineno)
        return both(call, self.expression(node))

    def branch(self, node):
        """Rewrites a branch of a conditional expression. A name or a constant is not worth a counter."""
        return node if is_plain(node) else self.counting(node)

    def comprehension(self, node):
        is_dict = type(node) is _ast.DictComp
        element = node.key if is_dict else node.elt
        for number, generator in enumerate(node.generators):
            is_last = number == len(node.generators) - 1
            first = element if is_last and not generator.ifs else generator.target
            self.fields(generator)
            quantity, call = self.counter(first)
            self.mark_lines(Place(None, self.block(first, quantity), False), first.lineno, first.end_lineno)
            if is_last and generator.ifs and not is_plain(element):
                quantity, last = self.counter(element)
                place = Place(None, self.block(element, quantity), False)
                self.mark_lines(place, element.lineno, element.end_lineno)
                generator.ifs.append(last)
            generator.ifs.insert(0, call)
        for field in ("key", "value") if is_dict else ("elt",):
            self.field(node, field)


def both(call, node):
    """Returns an expression that counts, and has the value of `node`."""
    at = {"lineno": node.lineno, "col_offset": node.col_offset}
    at.update(end_lineno=node.end_lineno, end_col_offset=node.end_col_offset)
    return _ast.BoolOp(op=_ast.And(), values=[call, node], **at)


def beginning(statements):
    """Returns the position after a docstring and after imports from `__future__`, which must stay first."""
    start = 0
    first = statements[0]
    if isinstance(first, _ast.Expr) and isinstance(first.value, _ast.Constant) and type(first.value.value) is str:
        start = 1
    while start < len(statements):
        node = statements[start]
        if not isinstance(node, _ast.ImportFrom) or node.module != "__future__":
            break
        start += 1
    return start


STATEMENTS_WITH_BODIES = (_ast.If,) + LOOPS + TRIES + WITHS + ((MATCH,) if MATCH else ())


def links_of(node):
    """Returns the `if` and its `elif`s, and the statements of the last `else`."""
    links = [node]
    while len(node.orelse) == 1 and isinstance(node.orelse[0], _ast.If) and is_elif(node):
        node = node.orelse[0]
        links.append(node)
    return links, node.orelse


def is_elif(node):
    """True if an `else` with one `if` was written as `elif`, which begins in the column of its `if`."""
    return node.orelse[0].col_offset == node.col_offset


def bodies_of(node):
    """Returns the lists of statements in a statement, without those of definitions."""
    if isinstance(node, FUNCTIONS) or isinstance(node, _ast.ClassDef):
        return []
    bodies = [getattr(node, field, None) for field in ("body", "orelse", "finalbody")]
    bodies += [part.body for part in getattr(node, "handlers", None) or getattr(node, "cases", None) or []]
    return [body for body in bodies if body]


def may_leave(node, in_loop=False):
    """True if a statement may jump to somewhere else than the statement after it."""
    if isinstance(node, (_ast.Break, _ast.Continue)):
        return not in_loop
    if isinstance(node, JUMPS):
        return True
    is_loop = isinstance(node, LOOPS)
    for body in bodies_of(node):
        inside = in_loop or is_loop and body is node.body
        if any(may_leave(statement, inside) for statement in body):
            return True
    # A loop that ends by `break` alone, or never, is not followed as often as it began.
    return is_loop and isinstance(node, _ast.While) and isinstance(node.test, _ast.Constant)


def always_leaves(statements):
    """True if the statement after a block is never reached from it."""
    last = statements[-1] if statements else None
    if isinstance(last, JUMPS):
        return True
    return isinstance(last, _ast.If) and always_leaves(last.body) and always_leaves(last.orelse)


def never_leaves(statements, in_try):
    """True if all of a block is executed as often as its beginning."""
    return all(is_quiet_statement(node, in_try) for node in statements)


def is_quiet_statement(node, in_try):
    """True if a statement raises no exception, as far as a reader would expect."""
    if isinstance(node, (_ast.Pass, _ast.Global, _ast.Nonlocal)):
        return True
    if isinstance(node, _ast.Expr):
        return is_quiet(node.value, in_try) or is_counter(node.value)
    if isinstance(node, _ast.Assign):
        return all(isinstance(t, _ast.Name) for t in node.targets) and is_quiet(node.value, in_try)
    return False


def is_counter(node):
    return isinstance(node, _ast.Call) and isinstance(node.func, _ast.IfExp) and not node.args


def is_quiet(node, in_try):
    """True if an expression raises no exception, as far as a reader would expect.

    Within `try`, programs look up attributes and compare in order to see whether that fails.
    """
    if isinstance(node, (_ast.Name, _ast.Constant)):
        return True
    if isinstance(node, _ast.BoolOp):
        return all(is_quiet(value, in_try) for value in node.values)
    if isinstance(node, _ast.UnaryOp):
        return isinstance(node.op, _ast.Not) and is_quiet(node.operand, in_try)
    if in_try:
        return False
    if isinstance(node, _ast.Attribute):
        return is_quiet(node.value, in_try)
    if isinstance(node, _ast.Compare):
        return is_quiet(node.left, in_try) and all(is_quiet(value, in_try) for value in node.comparators)
    if isinstance(node, (_ast.Tuple, _ast.List, _ast.Set)):
        return all(is_quiet(item, in_try) for item in node.elts)
    if isinstance(node, _ast.Call) and isinstance(node.func, _ast.Name) and node.func.id in QUIET_CALLS:
        return not node.keywords and all(is_quiet(argument, in_try) for argument in node.args)
    return False


def is_plain(node):
    """True for names, constants and attributes of names."""
    while isinstance(node, _ast.Attribute):
        node = node.value
    return isinstance(node, (_ast.Name, _ast.Constant))


def rewritten(tree, text, compile_tree):
    """Compiles the syntax tree of `text` with counters. Returns the code and its blocks."""
    rewriter = Rewriter(text)
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(max(limit, DEEPEST))
    try:
        rewriter.module(tree)
    finally:
        sys.setrecursionlimit(limit)
    code = compile_tree(tree)
    return with_counters(code, rewriter.result.quantities), rewriter.result


def with_counters(code, quantities):
    """Returns the code with counters in place of their marks."""

    def constant(value):
        if type(value) is type(code):
            return with_counters(value, quantities)
        if type(value) is tuple and len(value) == 2 and value[0] == MARK:
            return quantities[value[1]]
        return value

    return code.replace(co_consts=tuple(constant(value) for value in code.co_consts))
