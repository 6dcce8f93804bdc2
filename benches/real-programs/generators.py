#!/usr/bin/env python3
"""Writes one input to stdout: `generators.py NAME SIZE`. The same name and size always give the same bytes.

Numbers in an input are all of one width: code that reads digits would else truly cost n log n."""

import random
import sys

WORDS = "the of growth cost input measure a line count block run model size grows with every program and in".split()


def text(n):
    """n bytes of ordinary words in lines of ordinary length."""
    source = random.Random(n)
    lines, length = [], 0
    while length < n:
        line = " ".join(source.choices(WORDS, k=source.randint(6, 14)))
        lines.append(line)
        length += len(line) + 1
    return ("\n".join(lines) + "\n")[:n]


def markdown(n):
    """About n bytes of an ordinary document."""
    source = random.Random(n)
    parts, length = [], 0
    while length < n:
        sentence = " ".join(source.choices(WORDS, k=source.randint(20, 60)))
        words = sentence.split()
        words[3], words[7], words[11] = f"*{words[3]}*", f"`{words[7]}`", f"[{words[11]}](https://example.org/{len(parts):07})"
        kind = len(parts) % 6
        part = {0: f"## {words[0]} {words[1]}", 1: "- " + "\n- ".join(words[:5]), 2: "> " + " ".join(words),
                3: "    " + sentence}.get(kind, " ".join(words))
        parts.append(part + "\n\n")
        length += len(part) + 2
    return "".join(parts)


def xml(n):
    """An ordinary document of n records."""
    source = random.Random(n)
    record = '  <item id="{:07}" kind="{}"><name>{}</name><note>{} &amp; {}</note></item>\n'
    return "<?xml version='1.0'?>\n<list>\n" + "".join(
        record.format(i, source.choice(WORDS), source.choice(WORDS), *source.choices(WORDS, k=2)) for i in range(n)) + "</list>\n"


def attributes(n):
    return " ".join(f"x{i:07}=''" for i in range(n))


def lua_sort_killer(n):
    """A permutation that makes Lua 5.1's quicksort compare every pair: the adversary of McIlroy ("A killer adversary for
    quicksort", 1999) plays against that algorithm."""
    gas, solid, candidate = n, 0, 0
    value = [gas] * n
    a = [None, *range(n)]

    def less(x, y):
        nonlocal solid, candidate
        if value[x] == gas and value[y] == gas:
            frozen = x if x == candidate else y
            value[frozen] = solid
            solid += 1
        if value[x] == gas:
            candidate = x
        elif value[y] == gas:
            candidate = y
        return value[x] < value[y]

    todo = [(1, n)]
    while todo:
        low, high = todo.pop()
        while low < high:
            if less(a[high], a[low]):
                a[low], a[high] = a[high], a[low]
            if high - low == 1:
                break
            middle = (low + high) // 2
            if less(a[middle], a[low]):
                a[middle], a[low] = a[low], a[middle]
            elif less(a[high], a[middle]):
                a[middle], a[high] = a[high], a[middle]
            if high - low == 2:
                break
            pivot = a[middle]
            a[middle], a[high - 1] = a[high - 1], a[middle]
            i, j = low, high - 1
            while True:
                i += 1
                while less(a[i], pivot):
                    i += 1
                j -= 1
                while less(pivot, a[j]):
                    j -= 1
                if j < i:
                    break
                a[i], a[j] = a[j], a[i]
            a[high - 1], a[i] = a[i], a[high - 1]
            if i - low < high - i:
                todo.append((i + 1, high))
                high = i - 1
            else:
                todo.append((low, i - 1))
                low = i + 1
    return "".join(f"{v:07}\n" for v in value)


def shuffled(n):
    """The numbers from 1 to n in random order, one per line, all of one width."""
    numbers = list(range(1, n + 1))
    random.Random(n).shuffle(numbers)
    return "".join(f"{number:07}\n" for number in numbers)


GENERATORS = {
    "text": text,
    "markdown": markdown,
    "xml": xml,
    "shuffled": shuffled,
    "lua_sort_killer": lua_sort_killer,
    # Markdown that some release took quadratic time for.
    "code_in_nested_quotes": lambda n: ">" * n + "`a` " * n,
    "emphasis_in_nested_quotes": lambda n: ">" * n + "*a* " * n,
    "image_brackets": lambda n: "![[]()" * n,
    "wide_table": lambda n: "|a" * n + "\n" + "|-" * n + "\n",
    "rows_without_cells": lambda n: "|a" * int(n**0.5) + "\n" + "|-" * int(n**0.5) + "\n" + "|x\n" * n,
    "unclosed_titles": lambda n: '[a](b "\n' * n,
    "autolink_images": lambda n: "![l" * n,
    "long_reference": lambda n: "[a]: " + "u" * n + "\n\n" + "[a]\n" * n,
    "open_definitions": lambda n: "[x]: (\n" * n,
    "image_brackets_in_text": lambda n: markdown(n) + "![[]()" * (n // 500) + "\n",
    "unclosed_titles_in_text": lambda n: markdown(n) + '[a](b "\n' * (n // 500),
    "angle_brackets": lambda n: "<>" * n + "\n",
    "definitions": lambda n: "[a]: u\n" * n,
    "open_comments": lambda n: "a <!-- " * n + "\n",
    # XML.
    "long_comment": lambda n: "<a><!-- " + "x" * n + " --></a>\n",
    "long_attribute": lambda n: "<a b='" + "x" * n + "'/>\n",
    "many_attributes": lambda n: "<a " + attributes(n) + "/>\n",
    "many_attributes_in_records": lambda n: xml(3 * n).replace("<list>", f"<list {attributes(n // 4)}>"),
}

if __name__ == "__main__":
    sys.stdout.write(GENERATORS[sys.argv[1]](int(sys.argv[2])))
