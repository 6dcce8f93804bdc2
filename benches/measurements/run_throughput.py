"""Measures the runs per second of `trend-prof run` for a program that takes 1 ms, and the memory of the tool and its
supervisors.

    benches/run.py run-throughput [--runs 20000] [--jobs 2]

Prints runs recorded and resident memory as they grow. A tool with constant memory has the same at the end as after
the first tenth.
"""

import os
import subprocess
import tempfile
import time
from pathlib import Path

PROGRAM = r"""
#include <stdlib.h>
static volatile long sink;
int main(int argc, char **argv) {
    for (long k = atol(argv[1]); k > 0; k--) sink += k;
    return 0;
}
"""


def occupied(pid):
    """Returns resident memory now and at its peak, in MB; zeros if the process is gone."""
    try:
        lines = Path("/proc", str(pid), "status").read_text().splitlines()
    except OSError:
        return 0.0, 0.0
    values = dict(line.split(":", 1) for line in lines if line.startswith(("VmRSS", "VmHWM")))
    return tuple(int(values.get(name, "0 kB").split()[0]) / 1000 for name in ("VmRSS", "VmHWM"))


def supervisors(tool):
    found = []
    for entry in filter(str.isdigit, os.listdir("/proc")):
        try:
            parent = int(Path("/proc", entry, "stat").read_text().rpartition(")")[2].split()[1])
            name = Path("/proc", entry, "cmdline").read_bytes().split(b"\0")[0]
        except OSError:
            continue
        if parent == tool and name == b"trend-prof-supervisor":
            found.append(int(entry))
    return found


def arguments(parser):
    parser.add_argument("--runs", type=int, default=20_000)
    parser.add_argument("--jobs", type=int, default=2)


def main(options):
    trend_prof = options.trend_prof
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "program.c").write_text(PROGRAM)
        build = [trend_prof, "-q", "build", "--update", "single", "--", "cc", "-O1", "-o", "program", "program.c"]
        subprocess.run(build, cwd=folder, check=True)
        # A parameter can have at most 10,000 values.
        sizes = ",".join(str(1000 + k) for k in range(100))
        seeds = ",".join(str(k) for k in range(max(1, options.runs // 100)))
        Path(folder, "trend-prof.toml").write_text(
            "[program]\ncommand = ['./program', '{n}', '{seed}']\n"
            f"[workloads]\nparameters = {{ n = [{sizes}], seed = [{seeds}] }}\n"
        )
        command = [trend_prof, "-q", "run", f"-j{options.jobs}", "--study", "s.trend"]
        begin = time.perf_counter()
        tool = subprocess.Popen(command, cwd=folder, stdin=subprocess.DEVNULL)
        peaks = {}
        while tool.poll() is None:
            time.sleep(1)
            of_tool = occupied(tool.pid)
            below = [occupied(pid) for pid in supervisors(tool.pid)]
            peaks["tool"] = max(peaks.get("tool", 0.0), of_tool[1])
            peaks["supervisor"] = max([peaks.get("supervisor", 0.0)] + [peak for _, peak in below])
            listed = ", ".join(f"{now:.1f}" for now, _ in below)
            print(f"  {time.perf_counter() - begin:6.1f} s: tool {of_tool[0]:.1f} MB, supervisors {listed} MB")
        seconds = time.perf_counter() - begin
        if tool.returncode != 0:
            return tool.returncode
        print(f"{options.runs} runs, {options.jobs} at once: {seconds:.1f} s, {options.runs / seconds:.0f} runs a second")
        print(f"peak: tool {peaks.get('tool', 0):.1f} MB, largest supervisor {peaks.get('supervisor', 0):.1f} MB")
        return 0
