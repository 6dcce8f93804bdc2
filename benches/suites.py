#!/usr/bin/env python3
"""Builds real programs with the probe and runs their own tests: do they still behave the same?

    benches/suites.py CACHE [--trend-prof PATH] [--only TEXT]

Each program is built by clang-22 without the probe, with `--metric rms` and with `--metric drms`, and its tests run
with all three. They must pass, and print the same as without the probe. A table in Markdown has the numbers of passed
and failed tests and of files with records, and the ratio of processor times. Exits with 1 if a test failed or
printed something else. Needs Debian with apt, pip, cmake and tclsh, and trend-probe next to trend-prof; CACHE keeps
sources and builds. Takes about ten minutes on two cores.
"""

import argparse
import os
import re
import resource
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(REPOSITORY / "benches/real-programs"))

from sources import Debian, NotObtainable  # noqa: E402

KINDS = {"plain": None, "rms": ["--metric", "rms"], "drms": ["--metric", "drms"]}


@dataclass(frozen=True)
class Suite:
    source: object
    build: str
    tests: dict  # by title, a line of shell
    prepare: str = ""  # before the build, without the probe
    counted: dict = field(default_factory=dict)  # by title: what in the output of the test counts its passed and failed cases


def each(pattern):
    """Returns a function that counts every match as a passed case."""
    return lambda text: (len(re.findall(pattern, text, re.M)), 0)


def sums(passed, failed):
    """Returns a function that adds up the numbers of passed and failed cases in the groups of the matches."""
    numbers = lambda pattern, text: sum(int(n) for n in re.findall(pattern, text, re.M))
    return lambda text: (numbers(passed, text), numbers(failed, text))


ZIP_TEXT = ("for level in 1 6 9; do ./minigzip -$level <text >zipped && md5sum zipped && ./minigzip -d <zipped | cmp - text"
            " || exit; done")
BZIP2_TEXT = "for level in 1 9; do ./bzip2 -$level -c text >zipped && md5sum zipped && ./bzip2 -dc zipped | cmp - text || exit; done"
# Constraints, triggers, recursion, windows, JSON, blobs and a sorter that spills. The output contains checks.
SQL = """
PRAGMA cache_size=50; CREATE TABLE t(id INTEGER PRIMARY KEY, a INT, b TEXT UNIQUE, c BLOB, CHECK(a < 100000));
CREATE TABLE log(what TEXT, old, new);
CREATE TRIGGER changed AFTER UPDATE ON t BEGIN INSERT INTO log VALUES('a', old.a, new.a); END;
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000)
INSERT INTO t SELECT i, (i * 7919) % 10007, printf('name-%06d', i), zeroblob(i % 50) FROM n;
CREATE INDEX by_a ON t(a, b); ANALYZE; UPDATE t SET a = a + 1 WHERE id % 3 = 0; DELETE FROM t WHERE id % 7 = 0;
INSERT INTO t(a, b) VALUES(200000, 'x'); INSERT INTO t(a, b) VALUES(1, 'name-000001');
SELECT count(*), sum(a), group_concat(DISTINCT length(c)) FROM t; SELECT count(*), sum(new - old) FROM log;
SELECT sum(r) FROM (SELECT rank() OVER (PARTITION BY a % 10 ORDER BY b DESC) AS r FROM t);
SELECT count(*) FROM t x JOIN t y ON x.a = y.a AND x.id < y.id;
SELECT json_extract(json_group_array(json_object('i', id, 'b', b)), '$[1234].b') FROM t;
SELECT b FROM t ORDER BY c, substr(b, 8) || a LIMIT 5 OFFSET 9000; SELECT count(*) FROM t WHERE b LIKE '%99%' OR b GLOB '*[13]5';
SAVEPOINT s; DELETE FROM t; ROLLBACK TO s; RELEASE s; VACUUM; PRAGMA integrity_check; SELECT quote(total(a)), avg(length(b)) FROM t;
"""
SQLITE = "-O2 -w -I. -DSQLITE_THREADSAFE=1 -DSQLITE_ENABLE_RTREE -DSQLITE_ENABLE_FTS5 -DSQLITE_ENABLE_MATH_FUNCTIONS"
SPEEDTEST = "./speedtest1 --size 5 --verify --testset main,cte,rtree,orm,fp,json {} | sed 's/\\.\\.* *[0-9.]*s$//; /TOTAL/d'"

SUITES = {
    "zlib": Suite(
        Debian("zlib", "1.2.13"),
        "./configure && make -j2 all && $CC -w -I. -o infcover test/infcover.c libz.a",
        {"make test": "make -s test", "infcover": "./infcover 2>&1", "text, levels 1, 6, 9": ZIP_TEXT},
        counted={"make test": each(r"\*\*\* zlib .*OK \*\*\*")},
    ),
    "bzip2": Suite(
        Debian("bzip2", "1.0.8"),
        'make -j2 CC="$CC" libbz2.a bzip2 bzip2recover',
        {"make test": "make -s test", "text, levels 1, 9": BZIP2_TEXT},
        # The Makefile's `test` stops at the first difference.
        counted={"make test": lambda text: (6 * ("you're in business" in text), 0)},
    ),
    "cmark": Suite(
        Debian("cmark", "0.30.2"),
        "cmake -S . -B made -DCMAKE_BUILD_TYPE=Release && make -C made -j2",
        {"api_test": "made/api_test/api_test",
         "ctest": "cd made && ctest | sed -n 's/ *[0-9.]* sec$//; s/^ *[0-9]*\\/[0-9]* *//p; /tests passed/p'",
         "spec_tests.py": "python3 test/spec_tests.py --no-normalize --spec test/spec.txt --program made/src/cmark",
         "pathological_tests.py": "python3 test/pathological_tests.py --program made/src/cmark | sed 's/[0-9.]* seconds//'"},
        counted={"api_test": sums(r"(\d+) tests passed", r"(\d+) failed"),
                 "ctest": each("Passed$"),
                 "spec_tests.py": sums(r"(\d+) passed", r"(\d+) failed"),
                 "pathological_tests.py": lambda text: (text.count("[PASSED]"), len(re.findall(r"\[(?!PASSED)[A-Z]+\]", text)))},
    ),
    "SQLite": Suite(
        Debian("sqlite3", "3.[4-9]*"),
        f"$CC {SQLITE} -c sqlite3.c && for part in shell.c test/speedtest1.c; do"
        f" $CC {SQLITE} $part sqlite3.o -o $(basename $part .c) -lm -lpthread -ldl || exit; done"
        f" && $CC {SQLITE} -DSQLITE_OSS_FUZZ -DSQLITE_ENABLE_DESERIALIZE test/fuzzcheck.c test/ossfuzz.c test/vt02.c test/fuzzinvariants.c"
        " ext/recover/dbdata.c ext/recover/sqlite3recover.c $(printf 'ext/misc/%s.c ' base64 base85 completion decimal ieee754 randomjson"
        " regexp series shathree sha1 stmtrand) -DSQLITE_CORE -DSQLITE_STATIC_RANDOMJSON sqlite3.o -o fuzzcheck -Itest -Iext/recover -lm -lpthread -ldl",
        {"speedtest1": SPEEDTEST.format(":memory:"),
         "speedtest1, a file, 2 threads": "rm -f work.db; " + SPEEDTEST.format("--nosync --threads 2 work.db"),
         "fuzzcheck": "./fuzzcheck --limit-mem 100M test/fuzzdata4.db 2>&1 | sed 's/ in .*//; s/, .* bytes.*//'",
         "shell": "rm -f shell.db; ./shell shell.db <script.sql 2>&1; ./shell shell.db .dump | md5sum"},
        "./configure && make sqlite3.c shell.c",
        {"speedtest1": each(r"^ *[0-9]+ - "), "speedtest1, a file, 2 threads": each(r"^ *[0-9]+ - "),
         "shell": each(r"^ok$|\|"),
         "fuzzcheck": lambda text: (sums(r"out of (\d+) tests", "$^")(text)[0], sums(r"(\d+) errors", "$^")(text)[0])},
    ),
}


def built(cache, name, kind, trend_prof):
    """Returns a folder with the program."""
    suite, source = SUITES[name], cache / "suites" / name.lower()
    folder = source / kind
    if not (source / ".prepared").exists():
        shutil.rmtree(source, ignore_errors=True)
        suite.source.fetch(cache, source / "source")
        shell(suite.prepare, source / "source", check=True)
        (source / ".prepared").touch()
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(source / "source", folder, symlinks=True)
    command = ["sh", "-c", suite.build]
    if KINDS[kind]:
        command = [trend_prof, "build", "--probe", "routines", *KINDS[kind], "--", *command]
    done = subprocess.run(command, cwd=folder, env=dict(os.environ, CC="clang-22", CFLAGS="-O2"), stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode:
        sys.exit(f"{name}, {kind}: not built\n" + "\n".join(done.stdout.splitlines()[-20:]))
    text = b"".join(path.read_bytes() for path in sorted(REPOSITORY.glob("crates/**/*.rs")))
    (folder / "text").write_bytes(text[:2_000_000])
    (folder / "script.sql").write_text(SQL)
    return folder


def shell(line, folder, record=None, check=False):
    """Returns the exit code, the output, and the processor seconds of all started processes."""
    environment = dict(os.environ, **({"TREND_PROF_RECORD": record} if record else {}))
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    # Use the exit status of the tests, not that of the pipe's filter, which removes times from their output.
    done = subprocess.run(["bash", "-c", f"set -o pipefail; {line}"], cwd=folder, env=environment, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if check and done.returncode:
        sys.exit(f"{line}\n{done.stdout}")
    return done.returncode, done.stdout, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("cache", type=Path)
    parser.add_argument("--trend-prof", type=Path, default=REPOSITORY / "target/release/trend-prof")
    parser.add_argument("--only", default="")
    arguments = parser.parse_args()
    cache = arguments.cache.absolute()
    cache.mkdir(parents=True, exist_ok=True)
    wrong = []
    print("| program | its tests | metric | passed | failed | output | files | time | |")
    print("|---|---|---|---|---|---|---|---|---|")
    for name in SUITES:
        if arguments.only.lower() not in name.lower():
            continue
        try:
            folders = {kind: built(cache, name, kind, arguments.trend_prof.absolute()) for kind in KINDS}
        except NotObtainable as error:
            sys.exit(f"{name}: {error}")
        for title, line in SUITES[name].tests.items():
            expected = None
            for kind in KINDS:
                with tempfile.TemporaryDirectory() as record:
                    code, output, seconds = shell(line, folders[kind], record)
                    recorded = len(list(Path(record).glob("*.trend-record")))
                count = SUITES[name].counted.get(title, lambda _: (1, 0))
                passed, failed = count(output)
                if expected is None:
                    expected = code, output, seconds, passed
                same = (code, output) == expected[:2]
                if code or failed or not passed or passed != expected[3] or not same or bool(recorded) == (kind == "plain"):
                    wrong.append(f"{name}, {title}, {kind}: exit code {code}\n" + "\n".join(output.splitlines()[-20:]))
                    (cache / f"suites/{name.lower()}-{title.replace(' ', '-').replace(',', '')}-{kind}.txt").write_text(output)
                ratio = f"{seconds / expected[2]:.1f} ×" if kind != "plain" else ""
                print(f"| {name} | {title} | {kind} | {passed} | {failed or expected[3] - passed} | {'same' if same else '**differs**'}"
                      f" | {recorded or ''} | {seconds:.2f} s | {ratio} |", flush=True)
    if wrong:
        sys.exit("\n\n".join(wrong))


if __name__ == "__main__":
    main()
