#!/usr/bin/env python3
"""Ends `trend-prof run`, its supervisors and its programs in every way, repeatedly; nothing may be left behind.

    benches/endings.py [--trend-prof PATH] [--tries 200] [--seed 1]

Every run has processes that leave their session, some that also clear their environment, daemons that count after the
program has ended, and generated inputs. Each try starts `run`, waits for a random moment, and sends a random signal.
It goes to the tool, a supervisor, a program, all processes of a program, or the whole session of the tool; then the
tool itself is ended, if it is still running. After at most 2 s no process and no scratch file may exist, and the next
`run` may not be refused. Finally, an undisturbed run completes the study of the tries in which no program was
signalled. Its content must equal that of an undisturbed study.
"""

import argparse
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

SOON = 2.0

PROGRAM = r"""
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static volatile long sink;

static void work(long n) {
    for (long i = 0; i < n; i++) sink += i;
}

int main(int argc, char **argv) {
    long n = atol(argv[1]);
    if (fork() == 0) {
        setsid();
        if (fork() != 0) _exit(0);
        usleep(5000);
        work(n);
        exit(0);
    }
    if (fork() == 0) {
        setsid();
        char *none[] = {NULL};
        execle("/bin/sh", "sh", "-c", "sleep 0.02", argv[2], NULL, none);
    }
    work(n);
    usleep(10000);
    return 0;
}
"""

CONFIG = """
[program]
command = ["./program", "{{n}}", "{word}"]
[workloads]
parameters = {{ n = [{sizes}] }}
generate = ["sh", "-c", "echo $0; sleep 0.005", "{{n}}"]
"""


def processes():
    """Returns parent, session and command line of every process."""
    table = {}
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            try:
                stat = Path("/proc", entry, "stat").read_text()
                words = Path("/proc", entry, "cmdline").read_bytes().split(b"\0")
            except OSError:
                continue
            fields = stat.rpartition(")")[2].split()
            if fields[0] not in "ZX":
                table[int(entry)] = (int(fields[1]), int(fields[3]), words)
    return table


def below(root, table):
    found, parents = [], [root]
    while parents:
        parent = parents.pop()
        children = [pid for pid, (above, _, _) in table.items() if above == parent]
        found += children
        parents += children
    return found


def send(number, pids):
    for pid in pids:
        try:
            os.kill(pid, number)
        except ProcessLookupError:
            pass


def main():
    default = Path(__file__).resolve().parent.parent / "target/release/trend-prof"
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--trend-prof", default=str(default), help="the binary to test")
    options.add_argument("--tries", type=int, default=200)
    options.add_argument("--seed", type=int, default=1)
    options = options.parse_args()
    trend_prof = os.path.abspath(options.trend_prof)
    chance = random.Random(options.seed)
    failures, slowest, seen = 0, 0.0, {}

    with tempfile.TemporaryDirectory() as folder:
        word = f"endings-{os.getpid()}"
        Path(folder, "program.c").write_text(PROGRAM)
        sizes = ", ".join(str(1000 + 10 * k) for k in range(options.tries * 4))
        Path(folder, "trend-prof.toml").write_text(CONFIG.format(sizes=sizes, word=word))
        build = [trend_prof, "-q", "build", "--update", "single", "--", "cc", "-o", "program", "program.c"]
        subprocess.run(build, cwd=folder, check=True)

        def start(study):
            command = [trend_prof, "run", "-j2", "--study", study]
            streams = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL, "stderr": subprocess.PIPE}
            return subprocess.Popen(command, cwd=folder, start_new_session=True, **streams)

        def left(scratch):
            marks = (word.encode(), str(scratch).encode())
            return [pid for pid, (_, _, words) in processes().items() if any(mark in words for mark in marks)]

        for attempt in range(options.tries):
            what = chance.choice(["tool", "supervisor", "program", "programs", "session"])
            # If a daemon alone is killed, its counts are lost without notice.
            study = "killed.trend" if what in ("program", "programs") else "s.trend"
            scratch = Path(folder, f"{study}.run")
            tool = start(study)
            time.sleep(chance.uniform(0.0, 0.25))
            table = processes()
            supervisors = [p for p in below(tool.pid, table) if table[p][2][0] == b"trend-prof-supervisor"]
            programs = [p for s in supervisors for p in below(s, table)]
            session = [p for p, (_, s, _) in table.items() if s == tool.pid]
            targets = {
                "tool": [tool.pid],
                "supervisor": supervisors[:1],
                "program": programs[:1],
                "programs": programs,
                "session": session,
            }
            number = chance.choice([signal.SIGKILL, signal.SIGHUP, signal.SIGTERM, signal.SIGINT])
            if tool.poll() is None:
                send(number, targets[what])
            if what not in ("tool", "session"):
                time.sleep(chance.uniform(0.0, 0.1))
                send(signal.SIGKILL, [tool.pid] if tool.poll() is None else [])
            seen[what] = seen.get(what, 0) + 1
            begin = time.perf_counter()
            while (left(scratch) or scratch.exists()) and time.perf_counter() - begin < SOON:
                time.sleep(0.002)
            slowest = max(slowest, time.perf_counter() - begin)
            said = tool.communicate()[1].decode(errors="replace")
            here = left(scratch)
            if here or scratch.exists() or "under way" in said:
                failures += 1
                table = processes()
                files = sorted(os.listdir(scratch)) if scratch.exists() else []
                print(f"try {attempt}: {number.name} to {what}: left {[(p, table.get(p)) for p in here]}, "
                      f"scratch files {files}, it said {said!r}")
                send(signal.SIGKILL, here)

        def columns(study):
            """Returns the findings without the number of earlier failures."""
            for _ in range(2):
                last = start(study)
                said = last.communicate()[1].decode(errors="replace")
            if last.returncode != 0:
                sys.exit(f"the last run ended with {last.returncode}: {said}")
            command = [trend_prof, "export", "csv", study]
            return subprocess.run(command, cwd=folder, check=True, stdout=subprocess.PIPE).stdout

        same = columns("s.trend") == columns("whole.trend")

    print(json.dumps(seen))
    print(f"{options.tries} tries, {failures} left something or were refused; the slowest was clean after {slowest:.2f} s")
    print(f"the counts are {'those of an undisturbed study' if same else 'OTHERS than those of an undisturbed study'}")
    return 0 if same and not failures else 1


if __name__ == "__main__":
    sys.exit(main())
