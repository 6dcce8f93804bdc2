#!/usr/bin/env python3
"""Imports hostile and large files, and prints the time and memory of each.

    cargo build --release -p trend-prof
    benches/imports/hostile.py [--binary target/release/trend-prof] [--only WORD] [--keep FOLDER]

A hostile file has a few MB and must take at most 1 GB and 30 s of processor time, whether it is refused or not. A
large file is of a realistic kind and must be imported. The exit code is 1 if one of them fails.
"""

import argparse
import os
import resource
import subprocess
import sys
import tempfile
import time
import zlib
from pathlib import Path

MB = 1 << 20
MOST_SECONDS, MOST_BYTES = 30, 1 << 30
# Memory limit of an import, which protects this machine.
MOST_MEMORY = 8 << 30


def write(path, pieces):
    with open(path, "wb") as file:
        for piece in pieces:
            file.write(piece if isinstance(piece, bytes) else piece.encode())


def packed(pieces):
    """Compresses pieces by gzip."""
    packer = zlib.compressobj(9, zlib.DEFLATED, 31)
    for piece in pieces:
        yield packer.compress(piece if isinstance(piece, bytes) else piece.encode())
    yield packer.flush()


def many(count, line, size=10_000):
    """Yields `line(i)` for each i, in pieces."""
    for begin in range(0, count, size):
        yield "".join(line(i) for i in range(begin, min(begin + size, count)))


def csv_square(rows, columns):
    yield "workload," + ",".join(f"c{i}" for i in range(columns)) + "\n"
    for row in range(rows):
        yield f"w{row}" + ",1" * columns + "\n"


def bomb(head, line, size, tail=""):
    """Returns `size` bytes of a repeated line, compressed by gzip."""
    piece = line * max(1, MB // len(line))
    def pieces():
        yield head
        for _ in range(size // len(piece)):
            yield piece
        yield tail
    return packed(pieces())


def gcov(files):
    yield '{"format_version":"1","gcc_version":"14","current_working_directory":"/p","data_file":"a","files":['
    yield from files
    yield "]}"


LLVM_END = '],"totals":{}}],"type":"llvm.coverage.json.export","version":"2.0.1"}'


def cases():
    """Yields name, format, further arguments, and pieces of the file. The name starts with `large` if the import must
    succeed."""
    def case(name, form, pieces, *arguments, ending=None):
        return name, form, pieces, arguments, ending or form

    nest = 2 * MB
    gz = "gz"
    # Bombs: 2 MB of gzip expand to up to 2 GB.
    yield case("zeros.gz", "lcov", lambda: bomb("", "\0" * 4096, 2000 * MB), ending=gz)
    yield case("empty lines.gz", "lcov", lambda: bomb("", "\n", 2000 * MB), ending=gz)
    yield case("one line.gz", "lcov", lambda: bomb("SF:", "a" * 4096, 2000 * MB), ending=gz)
    yield case("same line.gz", "lcov", lambda: bomb("SF:a.c\n", "DA:1,1\n", 2000 * MB, "end_of_record\n"), ending=gz)
    yield case("functions.gz", "lcov", lambda: bomb("SF:a.c\n", "FN:1,f\n", 1000 * MB, "end_of_record\n"), ending=gz)
    yield case("entries.gz", "lcov", lambda: bomb("SF:a.c\n", "FNDA:1,f\n", 1000 * MB, "DA:1,1\nend_of_record\n"), ending=gz)
    yield case("spaces.gz", "gcov", lambda: bomb("", " ", 2000 * MB), ending=gz)
    yield case("nested.gz", "gcov", lambda: bomb('{"x":', "[", 1000 * MB), ending=gz)
    yield case("string.gz", "gcov", lambda: bomb('{"x":"', "a" * 4096, 2000 * MB, '"}'), ending=gz)
    yield case("name.gz", "gcov", lambda: bomb('{"files":[{"file":"', "a" * 4096, 1000 * MB, '"}]}'), ending=gz)
    line = '{"line_number":1,"count":1},'
    yield case("lines.gz", "gcov", lambda: bomb('{"files":[{"file":"a.c","functions":[],"lines":[', line, 1000 * MB,
        line[:-1] + "]}]}"), ending=gz)
    yield case("lines first.gz", "gcov", lambda: bomb('{"files":[{"lines":[', line, 1000 * MB,
        line[:-1] + '],"file":"a.c","functions":[]}]}'), ending=gz)
    yield case("documents.gz", "gcov", lambda: bomb("", '{"files":[]}', 1000 * MB), ending=gz)
    yield case("lines.gz", "gcovr", lambda: bomb('{"gcovr/format_version":"0.6","files":[{"file":"a.c","lines":[', line, 500 * MB,
        line[:-1] + "]}]}"), ending=gz)
    yield case("arms.gz", "istanbul", lambda: bomb('{"a.js":{"s":{},"f":{},"fnMap":{},"statementMap":{},"branchMap":{"1":{"type":"if",'
        '"locations":[', "{},", 500 * MB, "{}]}}}}"), ending=gz)
    yield case("nested.gz", "cobertura", lambda: bomb("", "<a>", 500 * MB), ending=gz)
    yield case("attributes.gz", "cobertura", lambda: bomb("<coverage ", 'a="1" ', 500 * MB, "/>"), ending=gz)
    yield case("lines.gz", "clover", lambda: bomb("<coverage><project><file name='a'>", "<line num='1' count='1'/>", 500 * MB,
        "</file></project></coverage>"), ending=gz)
    yield case("entities", "clover", lambda: ["<!DOCTYPE r [<!ENTITY e0 'x'>", *(f"<!ENTITY e{i} '{f'&e{i - 1};' * 100}'>"
        for i in range(1, 10)), "]><coverage><project name='&e9;'>&e9;</project></coverage>"])
    yield case("results.gz", "go-bench", lambda: bomb("", "BenchmarkX 1 1 ns/op\n", 1000 * MB), ending=gz)
    yield case("processes.gz", "gungraun", lambda: bomb('{"version":"2","module_path":"f","callgrind_summary":{"summaries":[',
        '{"events":{}},', 500 * MB, '{"events":{}}]}}'), ending=gz)
    yield case("warnings.gz", "google-benchmark", lambda: bomb('{"benchmarks":[',
        '{"name":"a","error_occurred":true,"error_message":"x"},', 500 * MB, '{"name":"b","cpu_time":1}]}'), ending=gz)
    region = "[1,1,1,1,1,0,0,0],"
    yield case("regions.gz", "llvm-cov", lambda: bomb(
        '{"data":[{"functions":[{"name":"f","count":1,"filenames":["a.c"],"regions":[', region, 1000 * MB,
        region[:-1] + "]}" + LLVM_END), ending=gz)
    yield case("file names.gz", "llvm-cov", lambda: bomb('{"data":[{"functions":[{"name":"f","count":1,"filenames":[',
        '"a",', 1000 * MB, '"a"],"regions":[[1,1,1,1,1,0,0,0]]}' + LLVM_END), ending=gz)
    yield case("files.gz", "llvm-cov", lambda: bomb('{"data":[{"files":[', "{},", 1000 * MB, '{}],"functions":[' + LLVM_END), ending=gz)
    yield case("columns.gz", "csv", lambda: bomb("a\n", "1,", 1000 * MB, "1\n"), ending=gz)
    yield case("header.gz", "csv", lambda: bomb("", "a,", 1000 * MB, "b\n1\n"), ending=gz)
    yield case("rows.gz", "csv", lambda: bomb("a\n", "1\n", 1000 * MB), ending=gz)
    yield case("square", "csv", lambda: csv_square(1000, 1000))
    yield case("quoted.gz", "csv", lambda: bomb('a\n"', "1\n", 1000 * MB), ending=gz)
    yield case("blocks.gz", "go-cover", lambda: bomb("mode: count\n", "a.go:1.1,2.2 1 1\n", 1000 * MB), ending=gz)
    yield case("lines.gz", "python-trace", lambda: bomb("", "    1: x\n", 1000 * MB), ending=gz)
    yield case("functions.gz", "python-trace", lambda: bomb("", "    1: def f():\n", 1000 * MB), ending=gz)
    yield case("deeper.gz", "python-trace", lambda: packed(many(20_000, lambda i: "    1: " + " " * i + "def f():\n", 100)), ending=gz)
    yield case("same line.gz", "callgrind", lambda: bomb("events: Ir\nfn=f\n", "1 1\n", 1000 * MB, "totals: 1\n"), ending=gz)
    yield case("numbers.gz", "callgrind", lambda: bomb("events: Ir\nfn=f\n", "1 " + "1 " * 4000 + "\n", 1000 * MB), ending=gz)
    yield case("points.gz", "aprof", lambda: bomb('v 1\nr "f" "p" 1\n', "p 1 5 1 1 1 1 1\n", 1000 * MB), ending=gz)
    yield case("times.gz", "hyperfine", lambda: bomb('{"results":[{"command":"a","times":[', "1,", 500 * MB, "1]}]}"), ending=gz)
    yield case("results.gz", "hyperfine", lambda: bomb('{"results":[', '{"command":"a","times":[1]},', 500 * MB,
        '{"command":"a","times":[1]}]}'), ending=gz)
    yield case("data.gz", "extra-p", lambda: bomb("PARAMETER n\nPOINTS 1\nDATA ", "1 ", 500 * MB, "\n"), ending=gz)
    yield case("points.gz", "extra-p", lambda: bomb("PARAMETER n\nPOINTS ", "1 ", 500 * MB, "\n"), ending=gz)
    json_line = '{"params":{"n":1},"value":1}\n'
    yield case("lines.gz", "extra-p", lambda: bomb("", json_line, 500 * MB), ending=gz)
    yield case("values.gz", "extra-p", lambda: bomb('{"params":{"n":1},"value":[', "1,", 500 * MB, "1]}\n"), ending=gz)
    # Some MB of text in which each record must be stored.
    yield case("lines", "lcov", lambda: ["SF:a.c\n", *many(400_000, lambda i: f"DA:{i},1\n"), "end_of_record\n"])
    yield case("functions", "lcov", lambda: ["SF:a.c\n", *many(200_000, lambda i: f"FN:{i},f{i}\n"),
        *many(200_000, lambda i: f"DA:{i},1\n"), "end_of_record\n"])
    yield case("nested functions", "lcov", lambda: ["SF:a.c\n", *many(150_000, lambda i: f"FN:{i},9999999,f{i}\n"),
        *many(150_000, lambda i: f"DA:{i},1\n"), "end_of_record\n"])
    yield case("short and open functions", "lcov", lambda: ["SF:a.c\n", *many(100_000, lambda i: f"FN:{i},9999999,f{i}\n"),
        *many(100_000, lambda i: f"FN:{100_000 + i},g{i}\n"), *many(200_000, lambda i: f"DA:{i},1\n"), "end_of_record\n"])
    yield case("sections", "lcov", lambda: many(100_000, lambda i: f"SF:{i}\nDA:1,1\nend_of_record\n"))
    yield case("wrong sections", "lcov", lambda: many(80_000, lambda i: f"SF:{i}\nDA:1,1\nLF:7\nend_of_record\n"))
    yield case("tests", "lcov", lambda: many(100_000, lambda i: f"TN:{i}\nSF:a\nDA:{i},1\nend_of_record\n"))
    yield case("long file", "lcov", lambda: [f"SF:{'d/' * MB}\n", *many(400_000, lambda i: f"DA:{i},1\n"), "end_of_record\n"])
    yield case("long folder", "gcov", lambda: ['{"current_working_directory":"/' + "d/" * MB + '","files":[',
        *many(5_000, lambda i: f'{{"file":"{i}","functions":[],"lines":[{{"line_number":1,"count":1}}]}},'),
        '{"file":"x","functions":[],"lines":[]}]}'])
    yield case("functions", "gcov", lambda: gcov(['{"file":"a.c","lines":[],"functions":[',
        *many(40_000, lambda i: f'{{"name":"f{i}","start_line":{i},"execution_count":1}},'),
        '{"name":"f","start_line":1,"execution_count":1}]}']))
    yield case("lines of unknown functions", "gcov", lambda: gcov(['{"file":"a.c","functions":[],"lines":[',
        *many(40_000, lambda i: f'{{"line_number":{i},"count":1,"function_name":"f{i}"}},'), line[:-1] + "]}"]))
    yield case("mangled", "gcov", lambda: gcov(['{"file":"a.c","functions":[],"lines":[',
        *many(8_000, lambda i: '{"line_number":1,"count":1,"function_name":"_Z' + str(len(str(i)) + 1) + f'f{i}' + "N1aI" * 60
            + '"},', 500), line[:-1] + "]}"]))
    substitutions = "_Z1fIS_IiiE" + "".join(f"S{c}_IS{c}_S{c}_E" for c in "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ") * 4
    yield case("mangled substitutions", "gcov", lambda: gcov(['{"file":"a.c","functions":[],"lines":[',
        *many(3_000, lambda i: f'{{"line_number":{i},"count":1,"function_name":"{substitutions}{i}E"}},', 100),
        line[:-1] + "]}"]))
    rust = "_RNvC1a" + "".join(f"B{i}_" for i in range(9)) + "INtC1a1bTTTTTTTTTTTTEEEEEEEEEEEEE"
    yield case("mangled rust", "lcov", lambda: ["SF:a.rs\n", *many(20_000, lambda i: f"FN:{i},{rust}{i}\n"),
        *many(20_000, lambda i: f"DA:{i},1\n"), "end_of_record\n"])
    yield case("regions", "llvm-cov", lambda: ['{"data":[{"functions":[{"name":"f","count":1,"filenames":["a.c"],"regions":[',
        *many(200_000, lambda i: f"[{i},1,{i},1,1,0,0,0],"), "[1,1,1,1,1,0,0,0]]}", LLVM_END])
    yield case("lines", "gcovr", lambda: ['{"gcovr/format_version":"0.6","files":[{"file":"a.c","lines":[',
        *many(40_000, lambda i: f'{{"line_number":{i},"count":1,"function_name":"f{i}"}},'), line[:-1] + "]}]}"])
    yield case("statements", "istanbul", lambda: ['{"a.js":{"f":{},"fnMap":{},"statementMap":{',
        *many(100_000, lambda i: f'"{i}":{{"start":{{"line":{i}}}}},'), '"x":{}},"s":{', *many(100_000, lambda i: f'"{i}":1,'), '"x":1}}}'])
    yield case("functions", "istanbul", lambda: ['{"a.js":{"s":{},"statementMap":{},"fnMap":{', *many(50_000,
        lambda i: f'"{i}":{{"name":"f{i}","loc":{{"start":{{"line":{i}}}}}}},'), '"x":{"name":"","loc":{}}},"f":{',
        *many(50_000, lambda i: f'"{i}":1,'), '"x":1}}}'])
    yield case("lines", "cobertura", lambda: ["<coverage><class filename='a'>", *many(150_000,
        lambda i: f"<line number='{i}' hits='1'/>"), "</class></coverage>"])
    yield case("methods", "cobertura", lambda: ["<coverage><class filename='a'>", *many(60_000,
        lambda i: f"<method name='f{i}'><line number='{i}' hits='1'/></method>"), "</class></coverage>"])
    yield case("classes", "cobertura", lambda: ["<coverage>", *many(80_000,
        lambda i: f"<class filename='{i}'><line number='1' hits='1'/></class>"), "</coverage>"])
    yield case("methods", "clover", lambda: ["<coverage><project><file name='a'>", *many(80_000,
        lambda i: f"<line num='{i}' count='1' type='method'/>"), "</file></project></coverage>"])
    yield case("benchmarks", "go-bench", lambda: many(90_000, lambda i: f"BenchmarkX/n={i} 1 1 ns/op\n"))
    yield case("metrics", "go-bench", lambda: ["BenchmarkX 1", *many(40_000, lambda i: f" 1 m{i}"), " 1 ns/op\n"])
    yield case("benchmarks", "gungraun", lambda: many(40_000, lambda i: f'{{"version":"2","module_path":"f","id":"n_{i}",'
        '"callgrind_summary":{"summaries":[{"events":{"Ir":{"new":1}}}]}}\n'))
    yield case("nested", "llvm-cov", lambda: ['{"data":' + "[" * nest])
    yield case("columns", "csv", lambda: [*many(600_000, lambda i: f"c{i},"), "x\n", "1," * 600_000, "1\n"])
    yield case("rows", "csv", lambda: ["a\n", "1\n" * (2 * MB)])
    yield case("features", "csv", lambda: [*many(5_000, lambda i: f"c{i},"), "x\n", ("1," * 5_000 + "1\n") * 300],
        "--features", ",".join(f"c{i}" for i in range(5_000)))
    yield case("blocks", "go-cover", lambda: ["mode: count\n", *many(200_000, lambda i: f"a.go:{i}.1,2.2 1 1\n")])
    yield case("files", "go-cover", lambda: ["mode: count\n", *many(200_000, lambda i: f"{i}.go:1.1,2.2 1 1\n")])
    yield case("lines", "python-trace", lambda: ["    1: x\n" * 400_000])
    yield case("deep", "python-trace", lambda: many(2_500, lambda i: "    1: " + " " * i + "def f():\n", 100))
    yield case("lines", "callgrind", lambda: ["events: Ir\nfn=f\n", "+1 1\n" * 800_000])
    yield case("lines of a long name", "callgrind", lambda: [f"events: Ir\nfl={'a' * MB}\nfn={'f' * MB}\n", "+1 1\n" * 400_000])
    yield case("functions", "callgrind", lambda: ["events: Ir\n", *many(150_000, lambda i: f"fn=f{i}\n1 1\n")])
    yield case("calls", "callgrind", lambda: ["events: Ir\n", *many(100_000, lambda i: f"fn=f{i}\n1 1\ncfn=f{i + 1}\ncalls=1 1\n1 1\n"),
        "fn=f100000\n1 1\n"])
    yield case("a ring of library calls", "callgrind", lambda: ["events: Ir\nob=/lib/x.so\n", *many(50_000,
        lambda i: f"fn=f{i}\n1 1\ncfn=f{(i * 7919 + 1) % 50_000}\ncalls=1 1\n1 1\n"), "ob=/p\nfl=a.c\nfn=main\n1 1\ncob=/lib/x.so\ncfn=f0\ncalls=1 1\n1 1\n"])
    yield case("library called by all", "callgrind", lambda: ["events: Ir\n", *many(1_500,
        lambda i: f"ob=/p\nfl=a.c\nfn=m{i}\n1 1\n" + "".join(f"cob=/lib/x.so\ncfn=f{j * 13 % 700}\ncalls=1 1\n{j} 1\n" for j in range(40)), 100),
        *many(700, lambda i: f"ob=/lib/x.so\nfl=?\nfn=f{i}\n1 1\n" + "".join(f"cfn=f{(i + j) % 700}\ncalls=1 1\n1 1\n" for j in range(1, 60)), 100)])
    yield case("points", "aprof", lambda: ['v 1\nr "f" "p" 1\n', *many(200_000, lambda i: f"p 1 {i} 1 1 1 1 1\n")])
    yield case("contexts", "aprof", lambda: ['v 1\nr "f" "p" 1\n', *many(80_000, lambda i: f"q {i} 1 1 1 1 1 1\n"),
        *many(80_000, lambda i: f"x 1 {i} {i - 1}\n")])
    yield case("results", "hyperfine", lambda: ['{"results":[', *many(60_000, lambda i:
        f'{{"command":"a {i}","times":[1],"parameters":{{"n":"{i}"}}}},'), '{"command":"a","times":[1]}]}'])
    yield case("long command", "hyperfine", lambda: ['{"results":[{"command":"' + "1 " * MB + '","times":[1],"parameters":{'
        + ",".join(f'"{i}":"{i % 10}"' for i in range(300)) + "}}]}"])
    yield case("benchmarks", "google-benchmark", lambda: ['{"benchmarks":[', *many(60_000, lambda i:
        f'{{"name":"BM/{i}","cpu_time":1}},'), '{"name":"a","cpu_time":1}]}'])
    yield case("failures", "google-benchmark", lambda: ['{"benchmarks":[', *many(60_000, lambda i:
        f'{{"name":"BM/{i}","error_occurred":true}},'), '{"name":"a","cpu_time":1}]}'])
    yield case("a long name", "google-benchmark", lambda: ['{"benchmarks":[{"name":"a' + "/b" * MB + '","cpu_time":1}]}'])
    yield case("a name of many arguments", "google-benchmark", lambda: ['{"benchmarks":[{"name":"a' + "".join(f"/x{i}:1" for i in range(300_000))
        + '","cpu_time":1}]}'])
    yield case("lines", "extra-p", lambda: many(80_000, lambda i: f'{{"params":{{"n":{i}}},"value":1}}\n'))
    yield case("callpaths", "extra-p", lambda: many(60_000, lambda i: f'{{"params":{{"n":1}},"callpath":"c{i}","value":1}}\n'))
    yield case("lines of long names", "extra-p", lambda: ['{"params":{"n":1},"value":[' + "1," * 500_000 + '1],"callpath":"' + "c" * MB + '"}\n'])
    # Large files of realistic kinds.
    yield case("large 1 M lines", "lcov", lambda: many(1_000, lambda f: f"TN:\nSF:src/file{f}.c\n"
        + "".join(f"FN:{g * 20 + 1},file{f}_function{g}\nFNDA:{g},file{f}_function{g}\n" for g in range(50))
        + "".join(f"DA:{i},{i * 7}\n" for i in range(1, 1001)) + "LF:1000\nLH:1000\nend_of_record\n", 10))
    yield case("large 128 MB", "lcov", lambda: lcov_of(128 * MB))
    yield case("large 128 MB of branches", "lcov", lambda: lcov_of(128 * MB, branches=6))
    yield case("large 128 MB of tests", "lcov", lambda: (f"TN:t{t}\n" + piece for t in range(8) for piece in lcov_of(16 * MB)))
    yield case("large 1 M lines", "gcov", lambda: gcov(gcov_files(1_000)))
    yield case("large 1 M lines.gz", "gcov", lambda: packed(gcov(gcov_files(1_000))), ending=gz)
    yield case("large 1 M regions", "llvm-cov", lambda: ['{"data":[{"functions":[', ",".join(
        f'{{"name":"f{f}","count":{f},"filenames":["src/{f % 999}.c"],"branches":[],"regions":['
        + ",".join(f"[{i},{i},{i},9,{i * f},0,0,0]" for i in range(1, 101)) + "]}" for f in range(10_000)), LLVM_END])
    yield case("large 100 k columns, 100 rows", "csv", lambda: [",".join(f"src/{i % 100}.c:{i}:f{i // 50}" for i in range(100_000)) + ",n\n",
        *many(100, lambda r: ",".join(str(r * i) for i in range(100_000)) + f",{r}\n", 1)], "--features", "n")
    yield case("large 1 M lines", "callgrind", lambda: ["events: Ir\n", *many(10_000, lambda f: f"fl=src/{f % 999}.c\nfn=f{f}\n"
        + "".join(f"{i} {i * f}\n" for i in range(1, 101)), 100)])
    yield case("large 1 M blocks", "go-cover", lambda: ["mode: count\n", *many(1_000_000, lambda i:
        f"example.com/x/pkg{i % 99}/file{i % 999}.go:{i // 999 * 10 + 1}.2,{i // 999 * 10 + 5}.3 4 {i}\n")])


def lcov_of(size, branches=0):
    """Yields files of 1,000 lines, up to a number of bytes."""
    written, number = 0, 0
    while written < size:
        text = [f"SF:src/module{number % 100}/file{number}.c\n"]
        for g in range(50):
            text.append(f"FN:{g * 20 + 1},file{number}_function{g}\nFNDA:{g},file{number}_function{g}\n")
        for i in range(1, 1001):
            text.extend(f"BRDA:{i},{b // 2},{b % 2},{i * b}\n" for b in range(branches))
            text.append(f"DA:{i},{i * number % 99991}\n")
        text.append("LF:1000\nLH:1000\nend_of_record\n")
        piece = "".join(text)
        written += len(piece)
        number += 1
        yield piece


def gcov_files(count):
    for f in range(count):
        functions = ",".join(f'{{"blocks":9,"blocks_executed":7,"demangled_name":"file{f}_function{g}","end_column":1,"end_line":{g * 20 + 19},'
            f'"execution_count":{g},"name":"file{f}_function{g}","start_column":5,"start_line":{g * 20 + 1}}}' for g in range(50))
        lines = ",".join(f'{{"branches":[],"count":{i * 7},"line_number":{i},"unexecuted_block":false,'
            f'"function_name":"file{f}_function{(i - 1) // 20}"}}' for i in range(1, 1001))
        yield ("," if f else "") + f'{{"file":"src/file{f}.c","functions":[{functions}],"lines":[{lines}]}}'


def limited():
    resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))


def run(binary, form, path, arguments, folder, patience):
    """Returns elapsed seconds, processor seconds, peak bytes, exit code and stderr."""
    command = [binary, "import", form, str(path), "--study", f"{folder}/study.trend", "--fresh", *arguments]
    with open(f"{folder}/stderr", "wb+") as stderr:
        begin = time.monotonic()
        child = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=stderr, cwd=folder, preexec_fn=limited)
        while True:
            pid, status, usage = os.wait4(child.pid, os.WNOHANG)
            elapsed = time.monotonic() - begin
            if pid:
                break
            if elapsed > patience:
                child.kill()
            time.sleep(0.005)
        child.returncode = os.waitstatus_to_exitcode(status)
        stderr.seek(0)
        said = [line for line in stderr.read(1 << 20).decode(errors="replace").splitlines() if line]
    said = next((line for line in said if "error" in line or "panicked" in line), said[-1] if said else "")
    return elapsed, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024, child.returncode, said


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", default="target/release/trend-prof")
    parser.add_argument("--only", default="", help="cases whose format and name contain this")
    parser.add_argument("--patience", type=float, default=200, help="seconds after which an import is killed")
    parser.add_argument("--keep", help="a folder for the files, which are made once")
    options = parser.parse_args()
    binary = os.path.abspath(options.binary)
    failures = 0
    with tempfile.TemporaryDirectory(prefix="trend-prof-imports-") as folder:
        print("| format | file | MB | MB unpacked | s | cpu s | peak MB | exit | said |\n|---|---|---:|---:|---:|---:|---:|---:|---|")
        for name, form, pieces, arguments, ending in cases():
            if options.only not in f"{form} {name}":
                continue
            at = Path(options.keep or folder)
            at.mkdir(exist_ok=True, parents=True)
            path = at / f"{form}-{name.replace(' ', '-').replace('.gz', '')}.{ending}"
            if not path.exists():
                write(path, pieces())
            seconds, cpu, most, code, said = run(binary, form, path, arguments, folder, options.patience)
            size = path.stat().st_size
            is_large = name.startswith("large")
            is_well = code == 0 if is_large else code in (0, 2) and cpu <= MOST_SECONDS and most <= MOST_BYTES
            failures += not is_well
            unpacked = f"{sum_unpacked(path) / MB:.0f}" if ending == "gz" else ""
            print(f"| {form} | {name} | {size / MB:.1f} | {unpacked} | {seconds:.1f} | {cpu:.1f} | {most / MB:.0f} | {code} | "
                  f"{'' if is_well else '**fails** '}{said[:160]} |", flush=True)
            if not options.keep:
                path.unlink()
    sys.exit(1 if failures else 0)


def sum_unpacked(path):
    """Returns the unpacked size that gzip stores at the end of a file."""
    return int.from_bytes(path.read_bytes()[-4:], "little")


if __name__ == "__main__":
    main()
