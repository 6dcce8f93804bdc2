#!/usr/bin/env python3
"""Measures the probe of routines in a server that forks a process for each request.

    benches/forks.py [--trend-prof PATH] [--requests 2000] [--repetitions 5] [--server FOLDER]

The server answers requests on a local port. Each child reads a request, splits it into words, sorts them and sends an
answer. With `--server`, mini_httpd is measured instead: FOLDER contains its sources. Both are built by clang-22 -O2, with
and without the probe, and the builds take turns. Prints the median time of a request, the ratio of each pair, and the
bytes of records for each child. Needs trend-probe next to trend-prof. Takes about a minute.
"""

import argparse
import os
import signal
import socket
import statistics
import subprocess
import tempfile
import time
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parent.parent
SERVER = r"""
#include <arpa/inet.h>
#include <ctype.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
struct word { char *text; struct word *next; };
static struct word *words;
static void add(char *text) {
    struct word **at = &words;
    while (*at && strcmp((*at)->text, text) < 0) at = &(*at)->next;
    struct word *new = malloc(sizeof *new);
    new->text = strdup(text); new->next = *at; *at = new;
}
static int split(char *text) {
    int count = 0;
    for (char *at = text; *at;) {
        while (*at && !isalnum((unsigned char)*at)) at++;
        char *start = at;
        while (isalnum((unsigned char)*at)) at++;
        if (at > start) { char end = *at; *at = 0; add(start); count++; if (end) at++; }
    }
    return count;
}
static void answer(int connection) {
    char request[4096], line[256];
    ssize_t length = read(connection, request, sizeof request - 1);
    if (length <= 0) exit(1);
    request[length] = 0;
    int n = snprintf(line, sizeof line, "%d words\n", split(request));
    if (write(connection, line, n) < 0) exit(1);
    for (struct word *word = words; word; word = word->next)
        if (write(connection, word->text, strlen(word->text)) < 0) exit(1);
}
int main(int count, char **of) {
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_port = htons(atoi(of[2])), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    int yes = 1, server = socket(AF_INET, SOCK_STREAM, 0);
    setsockopt(server, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    if (bind(server, (struct sockaddr *)&at, sizeof at) || listen(server, 64)) return 1;
    signal(SIGCHLD, SIG_IGN);
    for (;;) {
        int connection = accept(server, 0, 0);
        if (connection < 0) continue;
        if (fork() == 0) { answer(connection); close(connection); exit(0); }
        close(connection);
    }
}
"""
REQUEST = b"GET /index.html HTTP/1.0\r\nHost: localhost\r\nUser-Agent: benchmark\r\nAccept: text/html, text/plain\r\n\r\n"


def build(arguments, folder):
    compiler = ["clang-22", "-g", "-O2", "-w", "-D_GNU_SOURCE", "-Wno-implicit-function-declaration"]
    if arguments.server:
        sources = [str(Path(arguments.server).resolve() / f"{name}.c") for name in ("mini_httpd", "match", "tdate_parse")]
        compiler += [*sources, "-lcrypt"]
    else:
        (folder / "server.c").write_text(SERVER)
        compiler += ["server.c"]
    for name, command in [("plain", []), ("probed", [arguments.trend_prof, "build", "-q", "--probe", "routines", "--"])]:
        subprocess.run([*command, *compiler, "-o", name], cwd=folder, check=True)


def seconds(arguments, folder, name, port, records):
    """Returns the time of a request."""
    options = ["-D", "-u", "root", "-d", str(folder), "-l", "/dev/null"] if arguments.server else []
    environment = {**os.environ, "TREND_PROF_RECORD": str(records)}
    command = [folder / name, "-p", str(port), *options]
    server = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def ask():
        with socket.create_connection(("127.0.0.1", port)) as connection:
            connection.sendall(REQUEST)
            while connection.recv(4096):
                pass

    try:
        for _ in range(100):
            try:
                ask()
                break
            except OSError:
                time.sleep(0.05)
        start = time.perf_counter()
        for _ in range(arguments.requests):
            ask()
        return (time.perf_counter() - start) / arguments.requests
    finally:
        server.send_signal(signal.SIGTERM)
        server.wait()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--trend-prof", default=str(REPOSITORY / "target/release/trend-prof"))
    parser.add_argument("--requests", type=int, default=2000)
    parser.add_argument("--repetitions", type=int, default=5)
    parser.add_argument("--server")
    arguments = parser.parse_args()
    arguments.trend_prof = str(Path(arguments.trend_prof).resolve())
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        (folder / "index.html").write_text("<h1>words</h1>\n")
        build(arguments, folder)
        plain, probed, size = [], [], 0
        for repetition in range(arguments.repetitions):
            records = folder / f"records-{repetition}"
            records.mkdir()
            plain.append(seconds(arguments, folder, "plain", 9100 + repetition, records))
            probed.append(seconds(arguments, folder, "probed", 9200 + repetition, records))
            size = sum(512 * file.stat().st_blocks for file in records.iterdir())
        ratios = [b / a for a, b in zip(plain, probed)]
        print(f"without the probe {statistics.median(plain) * 1e6:.0f} µs, with it {statistics.median(probed) * 1e6:.0f} µs")
        print(f"ratio {statistics.median(ratios):.2f} ({min(ratios):.2f}–{max(ratios):.2f})")
        print(f"{size / arguments.requests / 1024:.1f} KiB of records per child in the last round")


main()
