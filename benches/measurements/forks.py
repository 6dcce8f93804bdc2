"""Measures the probe of routines in a server that forks a process for each request.

    benches/run.py forks [--requests 2000] [--repetitions 5] [--server FOLDER]

The server answers requests on a local port. Each child reads a request, splits it into words, sorts them and sends an
answer. With `--server`, mini_httpd is measured instead: FOLDER contains its sources. Both are built by clang-22 -O2, with
and without the probe, and the builds take turns. Prints the median time of a request, the ratio of each pair, and the
bytes of records for each child. Needs trend-probe next to trend-prof. Takes about a minute.
"""

import os
import signal
import socket
import statistics
import subprocess
import time
from pathlib import Path

from shared import PROGRAMS, call, in_turns, scratch

PORT = 9100
REQUEST = b"GET /index.html HTTP/1.0\r\nHost: localhost\r\nUser-Agent: benchmark\r\nAccept: text/html, text/plain\r\n\r\n"


def build(options, folder):
    sources = [PROGRAMS / "words-server.c"]
    if options.server:
        sources = [*(options.server / f"{name}.c" for name in ("mini_httpd", "match", "tdate_parse")), "-lcrypt"]
    compiler = ["clang-22", "-g", "-O2", "-w", "-D_GNU_SOURCE", "-Wno-implicit-function-declaration", *sources, "-o"]
    call([*compiler, "plain"], folder)
    call([options.trend_prof, "build", "-q", "--probe", "routines", "--", *compiler, "probed"], folder)


def ask():
    with socket.create_connection(("127.0.0.1", PORT)) as connection:
        connection.sendall(REQUEST)
        while connection.recv(4096):
            pass


def seconds(options, folder, name):
    """Returns the time of a request, and the bytes of records of a child."""
    words = ["-D", "-u", "root", "-d", str(folder), "-l", "/dev/null"] if options.server else []
    with scratch() as records:
        server = subprocess.Popen([folder / name, "-p", str(PORT), *words], env={**os.environ, "TREND_PROF_RECORD": str(records)},
                                  stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            for _ in range(100):
                try:
                    ask()
                    break
                except OSError:
                    time.sleep(0.05)
            start = time.perf_counter()
            for _ in range(options.requests):
                ask()
            took = (time.perf_counter() - start) / options.requests
        finally:
            server.send_signal(signal.SIGTERM)
            server.wait()
        return took, sum(512 * file.stat().st_blocks for file in records.iterdir()) / options.requests


def arguments(parser):
    parser.add_argument("--requests", type=int, default=2000)
    parser.add_argument("--repetitions", type=int, default=5)
    parser.add_argument("--server", type=Path)


def main(options):
    with scratch() as folder:
        (folder / "index.html").write_text("<h1>words</h1>\n")
        build(options, folder)
        runs = in_turns({name: lambda name=name: seconds(options, folder, name) for name in ("plain", "probed")}, options.repetitions)
    plain, probed = ([took for took, _ in runs[name]] for name in ("plain", "probed"))
    ratios = [b / a for a, b in zip(plain, probed)]
    print(f"without the probe {statistics.median(plain) * 1e6:.0f} µs, with it {statistics.median(probed) * 1e6:.0f} µs")
    print(f"ratio {statistics.median(ratios):.2f} ({min(ratios):.2f}–{max(ratios):.2f})")
    print(f"{runs['probed'][-1][1] / 1024:.1f} KiB of records per child in the last round")
