#!/usr/bin/env python3
"""Measures the cost of the probe of routines: processor time and memory of the same work without it and with it.

    benches/probe.py --bzip2 FOLDER [--crates] [--trend-prof PATH] [--megabytes 19] [--repetitions 5]

Sorts 2 million ints eight times by its own quicksort and four times by libc's qsort with a callback, and compresses
text with bzip2 -9 (FOLDER has its sources, as left by `examples/bzip2/fetch.sh`). Each is built by clang-22 -O2
without the probe, with it, with counters of blocks as well, and with `--metric drms`. The builds take turns. Prints a
table in Markdown with the fastest repetition in seconds of processor time, its ratio to the build without the probe,
and the peak of memory. With `--crates`, which may be used alone, it also measures a cargo project. Its programs parse
with serde_json, toml and csv, write Markdown with pulldown-cmark, search with regex, compress with miniz_oxide and
lz4_flex, find paths with petgraph, digest with sha2 and multiply with ndarray; all their dependencies have the probe.
Needs trend-probe next to trend-prof, and for `--crates` these crates from crates.io. Takes about two minutes on two
cores, and with `--crates` fifteen.
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
# Each of these programs mainly executes a crate and its dependencies.
CRATES = {
    "serde_json, 30,000 objects": ("json", "30000"),
    "pulldown-cmark, 15,000 sections": ("markdown", "15000"),
    "regex, 60,000 lines": ("regex", "60000"),
    "miniz_oxide, 8 MB there and back": ("deflate", "8000000"),
    "lz4_flex, 5 × 8 MB there and back": ("lz4", "8000000"),
    "toml, 20,000 tables": ("toml", "20000"),
    "csv, 5 × 200,000 records": ("csv", "200000"),
    "petgraph, 200,000 nodes": ("graph", "200000"),
    "sha2, 60 MB": ("sha2", "60000000"),
    "ndarray, product of 1,000 × 1,000": ("matrix", "1000"),
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
miniz_oxide = { version = "=0.9.1", features = ["with-alloc"] }
lz4_flex = { version = "=0.14.0", default-features = false, features = ["std", "safe-encode", "safe-decode"] }
toml = "=1.2.1"
csv = "=1.4.0"
petgraph = "=0.8.1"
sha2 = "=0.11.1"
ndarray = "=0.16.1"
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

/// Text that repeats itself now and then.
fn words(n: usize) -> String {
    let (mut text, mut x) = (String::new(), 1_u32);
    while text.len() < n {
        x = x.wrapping_mul(1664525).wrapping_add(1013904223);
        write!(text, "{} ", ["alpha", "beta", "gamma", "delta", "epsilon"][(x >> 16) as usize % 5]).unwrap();
        if x >> 28 == 0 {
            write!(text, "{x}\n").unwrap();
        }
    }
    text
}

fn deflate(n: usize) -> usize {
    let text = words(n);
    let packed = miniz_oxide::deflate::compress_to_vec(text.as_bytes(), 6);
    let unpacked = miniz_oxide::inflate::decompress_to_vec(&packed).unwrap();
    assert_eq!(unpacked, text.as_bytes());
    packed.len()
}

fn lz4(n: usize) -> usize {
    let text = words(n);
    let mut sum = 0;
    for _ in 0..5 {
        let packed = lz4_flex::block::compress_prepend_size(text.as_bytes());
        sum += packed.len() + lz4_flex::block::decompress_size_prepended(&packed).unwrap().len();
    }
    sum
}

fn toml(n: usize) -> usize {
    let mut text = String::new();
    for i in 0..n {
        write!(text, "[table{i}]\nname = \"item {i}\"\nvalues = [1, 2, {i}]\nprice = {i}.5\nwhen = 2024-01-02\n\n").unwrap();
    }
    let value: toml::Table = toml::from_str(&text).unwrap();
    value.len() + toml::to_string(&value).unwrap().len()
}

fn csv(n: usize) -> usize {
    let mut text = String::from("id,name,price\n");
    for i in 0..n {
        writeln!(text, "{i},\"name, {}\",{}.25", i % 97, i % 1000).unwrap();
    }
    let mut sum = 0;
    for _ in 0..5 {
        let mut reader = csv::Reader::from_reader(text.as_bytes());
        for record in reader.records() {
            let record = record.unwrap();
            sum += record[1].len() + record[2].parse::<f64>().unwrap() as usize;
        }
    }
    sum
}

fn graph(n: usize) -> usize {
    let mut graph = petgraph::graph::DiGraph::<u32, u32>::new();
    let nodes: Vec<_> = (0..n).map(|i| graph.add_node(i as u32)).collect();
    let mut x = 1_u32;
    for i in 0..5 * n {
        x = x.wrapping_mul(1664525).wrapping_add(1013904223);
        graph.add_edge(nodes[i % n], nodes[(x >> 8) as usize % n], x >> 24);
    }
    let far = petgraph::algo::dijkstra(&graph, nodes[0], None, |edge| *edge.weight());
    far.len() + petgraph::algo::kosaraju_scc(&graph).len()
}

fn sha2(n: usize) -> usize {
    use sha2::Digest;
    let text = words(n);
    let digest = sha2::Sha256::digest(text.as_bytes());
    digest[0] as usize
}

fn matrix(n: usize) -> usize {
    let a = ndarray::Array2::from_shape_fn((n, n), |(i, j)| (i * 7 + j) as f64 % 13.0);
    let b = ndarray::Array2::from_shape_fn((n, n), |(i, j)| (i + j * 5) as f64 % 11.0);
    let c = a.dot(&b) + &a * 2.0;
    c.sum() as usize
}

fn main() {
    let words: Vec<String> = std::env::args().collect();
    let n = words[2].parse().unwrap();
    println!("{}", match &*words[1] { "json" => json(n), "markdown" => markdown(n), "regex" => regex(n), "deflate" => deflate(n),
        "lz4" => lz4(n), "toml" => toml(n), "csv" => csv(n), "graph" => graph(n), "sha2" => sha2(n), _ => matrix(n) });
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
    """Returns seconds of processor time of a run that records into `record`, and a digest of its output."""
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
    """Returns the peak memory in megabytes. The kernel's value for an ended child starts with the memory of this
    process."""
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
    """Returns C programs by kind."""
    for kind, options in KINDS.items():
        compiler = ["clang-22", "-O2", "-w", *sources, "-o", f"{name}-{kind}"]
        build(compiler, options, folder, arguments)
    return {kind: [f"./{name}-{kind}"] for kind in KINDS}


def crates(folder, arguments):
    """Returns the programs of a cargo project by kind."""
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
    """Returns a row of the table; the kinds take turns."""
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
