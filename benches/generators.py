#!/usr/bin/env python3
"""Writes one input to stdout: `generators.py NAME SIZE`. The same name and size always give the same bytes.

All numbers in an input have the same width, because code that reads digits would otherwise truly cost n log n."""

import random
import struct
import sys
from pathlib import Path

WORDS = "the of growth cost input measure a line count block run model size grows with every program and in".split()


def text(n):
    """Returns n bytes of ordinary words in lines of ordinary length."""
    source = random.Random(n)
    lines, length = [], 0
    while length < n:
        line = " ".join(source.choices(WORDS, k=source.randint(6, 14)))
        lines.append(line)
        length += len(line) + 1
    return ("\n".join(lines) + "\n")[:n]


def markdown(n):
    """Returns about n bytes of an ordinary document."""
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
    """Returns an ordinary document of n records."""
    source = random.Random(n)
    record = '  <item id="{:07}" kind="{}"><name>{}</name><note>{} &amp; {}</note></item>\n'
    return "<?xml version='1.0'?>\n<list>\n" + "".join(
        record.format(i, source.choice(WORDS), source.choice(WORDS), *source.choices(WORDS, k=2)) for i in range(n)) + "</list>\n"


def attributes(n):
    return " ".join(f"x{i:07}=''" for i in range(n))


def lua_sort_killer(n):
    """Returns a permutation that makes Lua 5.1's quicksort compare every pair: the adversary of McIlroy ("A killer
    adversary for quicksort", 1999) plays against that algorithm."""
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
    """Returns the numbers from 1 to n in random order, one per line, all of the same width."""
    numbers = list(range(1, n + 1))
    random.Random(n).shuffle(numbers)
    return "".join(f"{number:07}\n" for number in numbers)


def json_records(n):
    source = random.Random(n)
    record = '{{"id": {}, "kind": "{}", "size": {}, "tags": ["{}", "{}"], "note": null}}'
    return "[\n" + ",\n".join(record.format(1_000_000 + i, source.choice(WORDS), source.randint(100, 999), *source.choices(WORDS, k=2))
                               for i in range(n)) + "\n]\n"


def json_keys(n):
    """Returns one object with n keys in random order."""
    return "{" + ",".join(f'"k{i:07}": {1_000_000 + i}' for i in random.Random(n).sample(range(n), n)) + "}\n"


def json_values(n):
    """Returns n numbers, about half of them unique."""
    source = random.Random(n)
    return json_list(1_000_000 + source.randrange(n) for _ in range(n))


def json_list(values):
    return "[" + ",".join(map(str, values)) + "]\n"


def yaml(n, every=0):
    """Returns an ordinary document of n records, some of them with an anchor."""
    source = random.Random(n)
    record = "- {}id: {:07}\n  kind: {}\n  note: \"{} {}\"\n  sizes: [{}, {}, {}]\n"
    anchored = "- &a{:07}\n  id: {:07}\n  kind: {}\n  note: \"{} {}\"\n  sizes: [{}, {}, {}]\n"
    parts = []
    for i in range(n):
        values = [i, *source.choices(WORDS, k=3), *(source.randint(100, 999) for _ in range(3))]
        parts.append(anchored.format(i, *values) if every and i % every == 0 else record.format("", *values))
    return "".join(parts)


def csv_records(n):
    """Returns n records of five columns. Some fields are quoted."""
    source = random.Random(n)
    record = '{:07},{},"{}, {}",{}.5,"a ""{}"""\n'
    return "id,kind,note,size,name\n" + "".join(
        record.format(i, *source.choices(WORDS, k=3), source.randint(100, 999), source.choice(WORDS)) for i in range(n))


def toml_tables(n):
    """Returns n tables, each with values of several types and an inner table."""
    source = random.Random(n)
    table = '[item{0:07}]\nkind = "{1}"\nsizes = [{2}, {3}, {4}]\nprice = {5}.5\nwhen = 2024-01-02\n[item{0:07}.note]\ntext = "{6} {7}"\n\n'
    return "".join(table.format(i, source.choice(WORDS), *(source.randint(100, 999) for _ in range(4)), *source.choices(WORDS, k=2))
                   for i in range(n))


def html(n):
    """Returns an ordinary page of n paragraphs."""
    source = random.Random(n)
    paragraph = '<p class="{}">{} <b>{}</b> <a href="/{:07}">{}</a>.</p>\n'
    return "<!DOCTYPE html>\n<html><head><title>page</title></head><body>\n" + "".join(
        paragraph.format(source.choice(WORDS), " ".join(source.choices(WORDS, k=12)), *source.choices(WORDS, k=1), i,
                         source.choice(WORDS)) for i in range(n)) + "</body></html>\n"


def script(mode):
    """Returns a generator of one of the small programs in drivers/scripts.js."""
    text = (Path(__file__).resolve().parent / "real-programs/drivers/scripts.js").read_text()
    return lambda n: f"var mode = '{mode}', n = {n};\n{text}"


def points(n, on_sphere):
    """Returns n points in a cube or on a sphere, for qhull."""
    source = random.Random(n)
    rows = []
    for _ in range(n):
        point = [source.gauss(0, 1) if on_sphere else source.uniform(-1, 1) for _ in range(3)]
        length = sum(x * x for x in point) ** 0.5 if on_sphere else 1
        rows.append(" ".join(f"{x / length:+.9f}" for x in point))
    return f"3\n{n}\n" + "\n".join(rows) + "\n"


def pigeons(n):
    """Returns clauses which state that n + 1 pigeons fit into n holes: false, and hard to refute."""
    number = lambda pigeon, hole: pigeon * n + hole + 1
    clauses = [[number(p, h) for h in range(n)] for p in range(n + 1)]
    clauses += [[-number(p, h), -number(q, h)] for h in range(n) for p in range(n + 1) for q in range(p)]
    return f"p cnf {(n + 1) * n} {len(clauses)}\n" + "".join(" ".join(map(str, clause)) + " 0\n" for clause in clauses)


def blobs(n):
    """Returns a bitmap of n by n with a disc in each field of 16 by 16."""
    row = lambda y: "".join("1" if (x % 16 - 8) ** 2 + (y % 16 - 8) ** 2 < 40 else "0" for x in range(n))
    rows = [row(y) for y in range(16)]
    return f"P1\n{n} {n}\n" + "".join(rows[y % 16] + "\n" for y in range(n))


def spaces_in_text(n):
    """Returns ordinary text with a long run of spaces in one line."""
    ordinary = text(n)
    return ordinary[: n // 2] + " " * (n // 100) + "." + ordinary[n // 2 :]


def changed_lines(n, share):
    """Returns two files of n lines as one. Lines of the first start with `<`, lines of the second with `>`, and a share
    of the second's is new."""
    source = random.Random(n)
    rows = []
    for _ in range(n):
        line = " ".join(source.choices(WORDS, k=4)) + f" {source.randrange(10**7):07}"
        rows += ["<" + line, ">" + (f"new {source.randrange(10**7):07}" if source.random() < share else line)]
    return "\n".join(rows) + "\n"


def shuffled_lines(n):
    """Returns two files with the same n lines in different orders, in the format of `changed_lines`."""
    source = random.Random(n)
    old, new = (source.sample(range(n), n) for _ in range(2))
    return "".join(f"<{a:07}\n>{b:07}\n" for a, b in zip(old, new))


def macros(n):
    """Returns ordinary text for m4 with a definition and its use in every tenth line."""
    source = random.Random(n)
    return "".join(f"define(`name{i % 50:03}', `{source.choice(WORDS)} $1')name{i % 50:03}(`x')\n" if i % 10 == 0
                   else " ".join(source.choices(WORDS, k=10)) + "\n" for i in range(n))


def foreach(n, version):
    """Returns a loop over n items with one of the example macros of m4."""
    items = ", ".join(f"`{i:07}'" for i in range(n))
    return f"include(`foreachq{version}.m4')foreachq(`x', `{items}', `x\n')"


def tiff_pictures(n):
    """Returns a TIFF file of n pictures of one pixel."""
    tags = [(256, 1), (257, 1), (258, 8), (259, 1), (262, 1), (273, 8), (278, 1), (279, 1)]
    entries = b"".join(struct.pack("<HHII", tag, 4, 1, value) for tag, value in tags)
    size = 2 + len(entries) + 4
    directories = (struct.pack("<H", len(tags)) + entries + struct.pack("<I", 12 + size * (i + 1) if i + 1 < n else 0) for i in range(n))
    return b"II*\0" + struct.pack("<I", 12) + b"\0\0\0\0" + b"".join(directories)


def nested_fallbacks(n):
    """Returns an inclusion that fails, and n more; each is the fallback of the previous one."""
    return ('<a xmlns:xi="http://www.w3.org/2001/XInclude">' + '<xi:include href="none.xml"><xi:fallback>' * n + "<b/>"
            + "</xi:fallback></xi:include>" * n + "</a>\n")


def maps(counts):
    """Returns maps of these sizes in YAML."""
    value = lambda i: f"word{i}" if i % 4 == 0 else str(1_000_000 + i)
    return "".join("---\n" + "".join(f"key{i:06}: {value(i)}\n" for i in range(n)) for n in counts)


GENERATORS = {
    "text": text,
    "markdown": markdown,
    "xml": xml,
    "shuffled": shuffled,
    "lua_sort_killer": lua_sort_killer,
    # Markdown for which some release took quadratic time.
    "code_in_nested_quotes": lambda n: ">" * n + "`a` " * n,
    "emphasis_in_nested_quotes": lambda n: ">" * n + "*a* " * n,
    "image_brackets": lambda n: "![[]()" * n,
    "wide_table": lambda n: "|a" * n + "\n" + "|-" * n + "\n",
    "unclosed_titles": lambda n: '[a](b "\n' * n,
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
    # Inputs of the cases that were not in view.
    "json_records": json_records,
    "json_keys": json_keys,
    "json_values": json_values,
    "csv_records": csv_records,
    "toml_tables": toml_tables,
    "yaml": yaml,
    "yaml_anchors": lambda n: yaml(n, 3),
    "yaml_nested": lambda n: "[" * n,
    "html": html,
    "html_attributes": lambda n: "<!DOCTYPE html>\n<title>page</title>\n<p " + attributes(n) + ">text</p>\n",
    "ini_keys": lambda n: "[all]\n" + "".join(f"key{i:07} = {i:07}\n" for i in range(n)),
    "settings": lambda n: "".join(f"key{i:07} = {1_000_000 + i};\n" for i in range(n)),
    "setting_groups": lambda n: "all = (\n" + ",\n".join(
        f'{{ id = {1_000_000 + i}; name = "n{i:07}"; sizes = [100, 200, 300]; }}' for i in range(n)) + "\n);\n",
    **{f"script_{mode}": script(mode) for mode in ("objects", "queue", "characters", "sort", "matrix")},
    "spaces": lambda n: " " * n + ".",
    "spaces_in_text": spaces_in_text,
    "letters": lambda n: "a" * n + ".",
    "brackets": lambda n: "[" * n + "\n",
    "points_in_cube": lambda n: points(n, False),
    "points_on_sphere": lambda n: points(n, True),
    "pigeons": pigeons,
    "blobs": blobs,
    "few_changes": lambda n: changed_lines(n, 0.01),
    "shuffled_lines": shuffled_lines,
    "macros": macros,
    "foreachq2": lambda n: foreach(n, 2),
    "foreachq4": lambda n: foreach(n, 4),
    # Inputs of further pairs of releases.
    "dotted_names": lambda n: "IF " + "a." * n + "#\n",
    "nested_operators": lambda n: "return " + "(" * n + '"a"' + " .. a)" * n + "\n",
    "nested_fallbacks": nested_fallbacks,
    "tiff_pictures": tiff_pictures,
    "json_comments": lambda n: '[{"a": 1} /*' + "x" * 8 * n + "\n*/" + " /**/" * n + "]\n",
    "jsonnet_sort": lambda n: f"std.length(std.sort(std.range(1, {n})))\n",
    "power": lambda n: f"9 {n} ^ p\n",
    "power_in_hexadecimal": lambda n: f"16 o 9 {n} ^ p\n",
}

if __name__ == "__main__":
    made = GENERATORS[sys.argv[1]](int(sys.argv[2]))
    sys.stdout.buffer.write(made if isinstance(made, bytes) else made.encode())
