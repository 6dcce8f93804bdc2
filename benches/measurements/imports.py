"""Imports hostile and large files, and prints the time and memory of each.

    benches/run.py imports [--only WORD] [--keep FOLDER]

A hostile file is small, or expands to hundreds of megabytes. It must take at most 1 GB and 30 s of CPU time,
whether it is refused or not. A large file is of a realistic kind and must be imported. The exit code is 1 if one of
them fails. The tests of trend-collect import many more hostile files, under smaller limits.
"""

import contextlib
import resource
import zlib
from pathlib import Path

from shared import head, measured, row, scratch

MB = 1 << 20
MOST_SECONDS, MOST_BYTES = 30, 1 << 30
# Memory limit of an import, which protects this machine.
MOST_MEMORY = 8 << 30

GCOV = '{"format_version":"1","gcc_version":"14","current_working_directory":"/p","data_file":"a","files":[{"file":"a.c","functions":['
GCOV_LINE = '{"line_number":@,"count":1},'
LAST_LINE = '{"line_number":1,"count":1}]}]}'
GCOVR = '{"gcovr/format_version":"0.6","files":[{"file":"a.c","lines":['
LLVM = '{"data":[{"functions":[{"name":"f","count":1,"filenames":['
LLVM_END = ']}],"totals":{}}],"type":"llvm.coverage.json.export","version":"2.0.1"}'
ISTANBUL = '{"a.js":{"s":{},"f":{},"fnMap":{},"statementMap":{},"branchMap":{"1":{"type":"if","locations":['
CLOVER = "<coverage><project><file name='a'>"
SUBSTITUTIONS = "_Z1fIS_IiiE" + "".join(f"S{c}_IS{c}_S{c}_E" for c in "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ") * 4

# Format, what there is much of, the beginning, a part that is repeated unchanged, its megabytes, and the end. The file
# is compressed by gzip.
BOMBS = [
    ("lcov", "zeros", "", "\0", 2000, ""),
    ("lcov", "one line", "SF:", "a", 2000, ""),
    ("lcov", "same line", "SF:a.c\n", "DA:1,1\n", 2000, "end_of_record\n"),
    ("lcov", "functions", "SF:a.c\n", "FN:1,f\n", 1000, "end_of_record\n"),
    ("gcov", "nested", '{"x":', "[", 1000, ""),
    ("gcov", "name", '{"files":[{"file":"', "a", 1000, '"}]}'),
    ("gcov", "lines", GCOV + '],"lines":[', GCOV_LINE.replace("@", "1"), 1000, LAST_LINE),
    ("gcov", "documents", "", '{"files":[]}', 1000, ""),
    ("gcovr", "lines", GCOVR, GCOV_LINE.replace("@", "1"), 500, LAST_LINE),
    ("istanbul", "arms", ISTANBUL, "{},", 500, "{}]}}}}"),
    ("cobertura", "nested", "", "<a>", 500, ""),
    ("cobertura", "attributes", "<coverage ", 'a="1" ', 500, "/>"),
    ("clover", "lines", CLOVER, "<line num='1' count='1'/>", 500, "</file></project></coverage>"),
    ("go-bench", "results", "", "BenchmarkX 1 1 ns/op\n", 1000, ""),
    ("gungraun", "processes", '{"version":"2","module_path":"f","callgrind_summary":{"summaries":[', '{"events":{}},', 500,
     '{"events":{}}]}}'),
    ("google-benchmark", "warnings", '{"benchmarks":[', '{"name":"a","error_occurred":true,"error_message":"x"},', 500,
     '{"name":"b","cpu_time":1}]}'),
    ("llvm-cov", "regions", LLVM + '"a.c"],"regions":[', "[1,1,1,1,1,0,0,0],", 1000, "[1,1,1,1,1,0,0,0]" + LLVM_END),
    ("llvm-cov", "file names", LLVM, '"a",', 1000, '"a"],"regions":[[1,1,1,1,1,0,0,0]' + LLVM_END),
    ("csv", "columns", "a\n", "1,", 1000, "1\n"),
    ("csv", "header", "", "a,", 1000, "b\n1\n"),
    ("csv", "rows", "a\n", "1\n", 1000, ""),
    ("go-cover", "blocks", "mode: count\n", "a.go:1.1,2.2 1 1\n", 1000, ""),
    ("python-trace", "functions", "", "    1: def f():\n", 1000, ""),
    ("callgrind", "same line", "events: Ir\nfn=f\n", "1 1\n", 1000, "totals: 1\n"),
    ("aprof", "points", 'v 1\nr "f" "p" 1\n', "p 1 5 1 1 1 1 1\n", 1000, ""),
    ("hyperfine", "times", '{"results":[{"command":"a","times":[', "1,", 500, "1]}]}"),
    ("extra-p", "values", '{"params":{"n":1},"value":[', "1,", 500, "1]}\n"),
]

# Format, what there is much of, the beginning, a part that is repeated with its number for `@`, how often, and the end.
# Each record must be stored, or names cause more work than their length.
RECORDS = [
    ("lcov", "lines", "SF:a.c\n", "DA:@,1\n", 400_000, "end_of_record\n"),
    ("lcov", "nested functions", "SF:a.c\n", "FN:@,9999999,f@\nDA:@,1\n", 150_000, "end_of_record\n"),
    ("lcov", "wrong sections", "", "SF:@\nDA:1,1\nLF:7\nend_of_record\n", 80_000, ""),
    ("lcov", "long file", f"SF:{'d/' * MB}\n", "DA:@,1\n", 400_000, "end_of_record\n"),
    ("lcov", "mangled", "SF:a.rs\n", "FN:@,_RNvC1a" + "".join(f"B{i}_" for i in range(9)) + "INtC1a1bTTTTTTTTTTTTEEEEEEEEEEEEE@\nDA:@,1\n",
     20_000, "end_of_record\n"),
    ("gcov", "mangled", GCOV + '],"lines":[', f'{{"line_number":@,"count":1,"function_name":"{SUBSTITUTIONS}@E"}},', 3_000, LAST_LINE),
    ("gcov", "lines of unknown functions", GCOV + '],"lines":[', '{"line_number":@,"count":1,"function_name":"f@"},', 40_000, LAST_LINE),
    ("clover", "entities", "<!DOCTYPE r [<!ENTITY e0 'x'>" + "".join(f"<!ENTITY e{i} '{f'&e{i - 1};' * 100}'>" for i in range(1, 10)),
     "", 1, "]><coverage><project name='&e9;'>&e9;</project></coverage>"),
    ("callgrind", "lines of a long name", f"events: Ir\nfl={'a' * MB}\nfn={'f' * MB}\n", "+1 1\n", 400_000, ""),
    ("callgrind", "library calls", "events: Ir\nob=/lib/x.so\n", "fn=f@\n1 1\ncfn=f1\ncalls=1 1\n1 1\n", 50_000, ""),
    ("hyperfine", "long command", '{"results":[{"command":"' + "1 " * MB + '","times":[1],"parameters":{', '"@":"1",', 300, '"x":"1"}}]}'),
    ("extra-p", "lines of long names", '{"params":{"n":1},"callpath":"' + "c" * MB + '","value":[', "1,", 500_000, "1]}\n"),
    ("llvm-cov", "regions", LLVM + '"a.c"],"regions":[', "[@,1,@,1,1,0,0,0],", 200_000, "[1,1,1,1,1,0,0,0]" + LLVM_END),
]


def packed(pieces):
    """Compresses pieces by gzip."""
    packer = zlib.compressobj(9, zlib.DEFLATED, 31)
    for piece in pieces:
        yield packer.compress(piece.encode())
    yield packer.flush()


def repeated(begin, part, megabytes, end):
    piece = part * max(1, MB // len(part))
    yield begin
    for _ in range(megabytes * MB // len(piece)):
        yield piece
    yield end


def numbered(begin, part, count, end, size=10_000):
    yield begin
    for first in range(0, count, size):
        yield "".join(part.replace("@", str(i)) for i in range(first, min(first + size, count)))
    yield end


def lcov(files, branches=0):
    """Yields files of 1,000 lines."""
    for f in range(files):
        functions = "".join(f"FN:{g * 20 + 1},file{f}_function{g}\nFNDA:{g},file{f}_function{g}\n" for g in range(50))
        lines = "".join("".join(f"BRDA:{i},{b // 2},{b % 2},{i * b}\n" for b in range(branches)) + f"DA:{i},{i * f % 99991}\n"
                        for i in range(1, 1001))
        yield f"SF:src/module{f % 100}/file{f}.c\n{functions}{lines}LF:1000\nLH:1000\nend_of_record\n"


def gcov(files):
    yield '{"format_version":"1","gcc_version":"14","current_working_directory":"/p","data_file":"a","files":['
    for f in range(files):
        functions = ",".join(f'{{"blocks":9,"blocks_executed":7,"demangled_name":"file{f}_function{g}","end_column":1,"end_line":{g * 20 + 19},'
            f'"execution_count":{g},"name":"file{f}_function{g}","start_column":5,"start_line":{g * 20 + 1}}}' for g in range(50))
        lines = ",".join(f'{{"branches":[],"count":{i * 7},"line_number":{i},"unexecuted_block":false,'
            f'"function_name":"file{f}_function{(i - 1) // 20}"}}' for i in range(1, 1001))
        yield ("," if f else "") + f'{{"file":"src/file{f}.c","functions":[{functions}],"lines":[{lines}]}}'
    yield "]}"


LARGE = [
    ("lcov", "1 M lines", lambda: lcov(1_000)),
    ("lcov", "128 MB", lambda: lcov(9_000)),
    ("lcov", "128 MB of branches", lambda: lcov(1_150, branches=6)),
    ("gcov", "1 M lines", lambda: gcov(1_000)),
    ("callgrind", "1 M lines", lambda: numbered("events: Ir\n", "fl=src/@.c\nfn=f@\n" + "".join(f"{i} {i}@\n" for i in range(1, 101)),
                                                10_000, "", 100)),
    ("go-cover", "1 M blocks", lambda: numbered("mode: count\n", "example.com/x/file@.go:1@.2,2@.3 4 @\n", 1_000_000, "")),
]


def cases():
    """Yields format, name, pieces of the file, the end of its name, and whether it must be imported."""
    for form, name, *parts in BOMBS:
        yield form, name, packed(repeated(*parts)), "gz", False
    for form, name, *parts in RECORDS:
        yield form, name, numbered(*parts), form, False
    for form, name, pieces in LARGE:
        yield form, f"large: {name}", pieces(), form, True


def arguments(parser):
    parser.add_argument("--only", default="", help="cases whose format and name contain this")
    parser.add_argument("--patience", type=int, default=200, help="seconds after which an import is killed")
    parser.add_argument("--keep", type=Path, help="a folder for the files, which are made once")


def main(options):
    failures = 0
    resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))
    head("format", "file", "MB", "s", "cpu s", "peak MB", "exit", "said")
    with scratch() if options.keep is None else contextlib.nullcontext(options.keep) as folder:
        folder.mkdir(exist_ok=True, parents=True)
        for form, name, pieces, ending, is_large in cases():
            if options.only not in f"{form} {name}":
                continue
            path = folder / f"{form}-{name.translate(str.maketrans(' ', '-', ':,'))}.{ending}"
            if not path.exists():
                with open(path, "wb") as file:
                    file.writelines(piece if isinstance(piece, bytes) else piece.encode() for piece in pieces)
            with scratch() as work:
                command = ["timeout", options.patience, options.trend_prof, "import", form, path, "--study", "study.trend"]
                with open(work / "said", "w+") as stderr:
                    ran = measured(command, work, None, stderr)
                said = [line for line in (work / "said").read_text(errors="replace").splitlines() if line]
            said = next((line for line in said if "error" in line or "panicked" in line), said[-1] if said else "")
            is_well = ran.code == 0 if is_large else ran.code in (0, 2) and ran.cpu <= MOST_SECONDS and ran.peak <= MOST_BYTES
            failures += not is_well
            row(form, name, f"{path.stat().st_size / MB:.1f}", f"{ran.clock:.1f}", f"{ran.cpu:.1f}", f"{ran.peak / MB:.0f}", ran.code,
                ("" if is_well else "**fails** ") + said[:160])
            if options.keep is None:
                path.unlink()
    return failures > 0
