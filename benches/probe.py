#!/usr/bin/env python3
"""What the probe of routines costs: processor time and memory of the same work without it and with it.

    benches/probe.py --bzip2 FOLDER [--crates] [--trend-prof PATH] [--megabytes 19] [--repetitions 5]

Sorts 2 million ints eight times by a quicksort of its own, four times by libc's qsort with a callback, and compresses text
with bzip2 -9 (FOLDER has its sources, as `examples/bzip2/fetch.sh` leaves them). Each is built by clang-22 -O2 without the
probe, with it, with counters of blocks as well, and with `--metric drms`. The builds take turns; printed, as a table in Markdown, is the fastest of the
repetitions in seconds of processor time, how many times as long that is as without the probe, and the peak of memory.
With `--crates`, which may stand alone, it measures a cargo project as well, whose programs parse with serde_json, write Markdown with pulldown-cmark and
search with regex; all that they depend on has the probe. Needs trend-probe beside trend-prof, and for `--crates` the three crates
from crates.io. Takes about two minutes on two cores, and with `--crates` six.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parent.parent
BZIP2 = [f"{name}.c" for name in "blocksort bzip2 bzlib compress crctable decompress huffman randtable".split()]
QUICKSORT = """
#include <stdio.h>
#include <stdlib.h>
static void sort(int *a, int n) {
    while (n > 16) {
        int pivot = a[n / 2], i = -1, j = n;
        for (;;) {
            do i++; while (a[i] < pivot);
            do j--; while (a[j] > pivot);
            if (i >= j) break;
            int t = a[i]; a[i] = a[j]; a[j] = t;
        }
        sort(a, j + 1);
        a += j + 1; n -= j + 1;
    }
    for (int i = 1; i < n; i++) { int x = a[i], j = i; for (; j > 0 && a[j - 1] > x; j--) a[j] = a[j - 1]; a[j] = x; }
}
int main(void) {
    int n = 2000000, *a = malloc(n * sizeof *a); unsigned x = 1; long sum = 0;
    for (int round = 0; round < 8; round++) {
        for (int i = 0; i < n; i++) { x = x * 1664525 + 1013904223; a[i] = x >> 4; }
        sort(a, n); sum += a[n / 2];
    }
    printf("%ld\\n", sum); return 0;
}
"""
QSORT = """
#include <stdio.h>
#include <stdlib.h>
static int compare(const void *a, const void *b) { int x = *(const int *)a, y = *(const int *)b; return (x > y) - (x < y); }
int main(void) {
    int n = 2000000, *a = malloc(n * sizeof *a); unsigned x = 1; long sum = 0;
    for (int round = 0; round < 4; round++) {
        for (int i = 0; i < n; i++) { x = x * 1664525 + 1013904223; a[i] = x >> 4; }
        qsort(a, n, sizeof *a, compare); sum += a[n / 2];
    }
    printf("%ld\\n", sum); return 0;
}
"""
# What is at work in each of these programs is a crate and what it depends on.
CRATES = {
    "serde_json, 30,000 objects": ("json", "30000"),
    "pulldown-cmark, 15,000 sections": ("markdown", "15000"),
    "regex, 60,000 lines": ("regex", "60000"),
}
MANIFEST = """
[package]
name = "crates"
version = "0.0.0"
edition = "2024"
[dependencies]
serde_json = "=1.0.154"
pulldown-cmark = { version = "=0.13.6", default-features = false, features = ["html"] }
regex = "=1.13.2"
[profile.release]
debug = 1
[workspace]
"""
MAIN = r'''
use std::fmt::Write;

fn json(n: usize) -> usize {
    let mut text = String::from("[");
    for i in 0..n {
        let comma = if i > 0 { "," } else { "" };
        write!(text, r#"{comma}{{"id":{i},"name":"item number {i}","tags":["a","b{}"],"price":{}.5,"ok":true}}"#, i % 7, i % 1000).unwrap();
    }
    text.push(']');
    let mut sum = 0;
    for _ in 0..5 {
        let value: serde_json::Value = serde_json::from_str(&text).unwrap();
        sum += value.as_array().unwrap().iter().map(|v| v["tags"].as_array().unwrap().len()).sum::<usize>();
        sum += value.to_string().len();
    }
    sum
}

fn markdown(n: usize) -> usize {
    let mut text = String::new();
    for i in 0..n {
        write!(text, "# Head {i}\n\nSome *text* with `code` and a [link](http://x/{i}).\n\n- item one\n- item **two**\n\n> quote\n\n").unwrap();
    }
    let mut sum = 0;
    for _ in 0..5 {
        let mut html = String::new();
        pulldown_cmark::html::push_html(&mut html, pulldown_cmark::Parser::new(&text));
        sum += html.len();
    }
    sum
}

fn regex(n: usize) -> usize {
    let mut text = String::new();
    for i in 0..n {
        writeln!(text, "user{i}@example{}.com, 2024-0{}-1{} some words here", i % 13, i % 9 + 1, i % 9).unwrap();
    }
    let mails = regex::Regex::new(r"(\w+)@(\w+)\.com").unwrap();
    let dates = regex::Regex::new(r"(\d{4})-(\d{2})-(\d{2})").unwrap();
    let found = mails.captures_iter(&text).map(|c| c[1].len()).sum::<usize>();
    found + dates.captures_iter(&text).map(|c| c[3].len()).sum::<usize>() + dates.replace_all(&text, "$3/$2/$1").len()
}

fn main() {
    let words: Vec<String> = std::env::args().collect();
    let n = words[2].parse().unwrap();
    println!("{}", match &*words[1] { "json" => json(n), "markdown" => markdown(n), _ => regex(n) });
}
'''
KINDS = {
    "without": None,
    "rms": ["--probe", "routines"],
    "rms+blocks": ["--probe", "routines,blocks"],
    "drms": ["--probe", "routines", "--metric", "drms"],
}


def variables(record):
    return dict(os.environ, TREND_PROF_RECORD=str(record), LLVM_PROFILE_FILE=str(record / "blocks.profraw"))


def measured(command, folder, record):
    """Seconds of processor time of a run that records into `record`, and a digest of what it prints."""
    for old in record.iterdir():
        old.unlink()
    with tempfile.TemporaryFile() as output:
        process = subprocess.Popen(
            command, cwd=folder, stdout=output, env=variables(record))
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            sys.exit(f"{command[0]} ended with {process.returncode}")
        output.seek(0)
        return usage.ru_utime + usage.ru_stime, hash(output.read())


def peak(command, folder, record):
    """Megabytes of memory. What the kernel says of a child that ended begins with the memory of this process."""
    process = subprocess.Popen(
        command, cwd=folder, stdout=subprocess.DEVNULL, env=variables(record))
    most = 0
    while process.poll() is None:
        try:
            status = Path(f"/proc/{process.pid}/status").read_text()
            if f"Name:\t{Path(command[0]).name[:15]}\n" in status and "VmHWM" in status:
                most = max(most, int(status.split("VmHWM:")[1].split()[0]) / 1024)
        except OSError:
            pass
        time.sleep(0.01)
    return most


def compiled(folder, sources, name, arguments):
    """Programs of C, by kind."""
    for kind, options in KINDS.items():
        compiler = ["clang-22", "-O2", "-w", *sources, "-o", f"{name}-{kind}"]
        build(compiler, options, folder, arguments)
    return {kind: [f"./{name}-{kind}"] for kind in KINDS}


def crates(folder, arguments):
    """Programs of a cargo project, by kind."""
    programs = {}
    for kind, options in KINDS.items():
        project = folder / f"crates-{kind}"
        (project / "src").mkdir(parents=True)
        (project / "Cargo.toml").write_text(MANIFEST)
        (project / "src/main.rs").write_text(MAIN)
        build(["cargo", "build", "-q", "--release"], options, project, arguments)
        where = "target/release/crates" if options is None else "target/trend-prof/*/release/crates"
        programs[kind] = [str(next(project.glob(where)))]
    return programs


def build(command, options, folder, arguments):
    if options is not None:
        command = [str(arguments.trend_prof.absolute()), "build", *options, "--", *command]
    done = subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode:
        sys.exit(f"{' '.join(command)}\n{done.stdout}")


def row(title, programs, words, folder, record, arguments):
    """A row of the table: the kinds take turns."""
    best = dict.fromkeys(programs, float("inf"))
    outputs = set()
    for _ in range(arguments.repetitions):
        for kind, program in programs.items():
            seconds, output = measured([*program, *words], folder, record)
            best[kind] = min(best[kind], seconds)
            outputs.add(output)
    if len(outputs) != 1:
        sys.exit(f"{title}: outputs differ")
    cells = [
        f"{s:.2f} s, {s / best['without']:.2f} ×, {peak([*programs[kind], *words], folder, record):.0f} MB"
        for kind, s in best.items()
    ]
    print(f"| {title} | " + " | ".join(cells) + " |", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bzip2", type=Path)
    parser.add_argument("--crates", action="store_true")
    parser.add_argument("--trend-prof", type=Path, default=REPOSITORY / "target/release/trend-prof")
    parser.add_argument("--megabytes", type=int, default=19)
    parser.add_argument("--repetitions", type=int, default=5)
    arguments = parser.parse_args()
    if not (arguments.bzip2 or arguments.crates):
        parser.error("--bzip2 or --crates says what is measured")
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        record = folder / "record"
        record.mkdir()
        print("| | " + " | ".join(KINDS) + " |")
        print("|---|" + "---|" * len(KINDS))
        if arguments.bzip2:
            (folder / "quicksort.c").write_text(QUICKSORT)
            (folder / "qsort.c").write_text(QSORT)
            text = b"".join(path.read_bytes() for path in sorted(REPOSITORY.glob("crates/**/*.rs")))
            size = arguments.megabytes * 10**6
            (folder / "text").write_bytes((text * (size // len(text) + 1))[:size])
            bzip2 = [str(arguments.bzip2.resolve() / name) for name in BZIP2]
            for title, name, sources, words in (
                ("quicksort, 8 × 2 M ints", "quicksort", ["quicksort.c"], []),
                ("libc's qsort, 4 × 2 M ints", "qsort", ["qsort.c"], []),
                (f"bzip2 -9, {arguments.megabytes} MB of text", "bzip2", bzip2, ["-9c", "text"]),
            ):
                row(title, compiled(folder, sources, name, arguments), words, folder, record, arguments)
        if arguments.crates:
            programs = crates(folder, arguments)
            for title, words in CRATES.items():
                row(title, programs, words, folder, record, arguments)


if __name__ == "__main__":
    main()
