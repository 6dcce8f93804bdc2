#!/usr/bin/env python3
"""Measures how often `trend-prof check --against` changes its result for an unchanged program whose counts differ each
time.

    benches/baselines.py [--times 200] [--busy 4] [--sizes '100..20000 x10'] [--only c] [--trend-prof target/release/trend-prof]

There are two programs, one in C (a salted hash table, random pivots) and one in Rust (the standard library's salted
hashes: a probing table, a tree of keys in random order). Each is measured, and its baseline is stored. Then it is
measured again and checked against the baseline the given number of times, while `--busy` processes keep the machine
busy. Prints how often each exit code occurred, and which limits did not hold.
"""

import argparse
import collections
import json
import os
import pathlib
import subprocess
import tempfile
import time

import verdicts

RUST = r"""
use std::collections::HashMap;
use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher, Hasher};

struct Table { slots: Vec<Option<u64>>, state: RandomState }
impl Table {
    #[inline(never)]
    fn insert(&mut self, key: u64) {
        let mut h = self.state.build_hasher();
        h.write_u64(key);
        let mut i = h.finish() as usize % self.slots.len();
        while self.slots[i].is_some() { i = (i + 1) % self.slots.len(); }
        self.slots[i] = Some(key);
    }
}
#[derive(Default)]
struct Node { key: u64, left: Option<Box<Node>>, right: Option<Box<Node>> }
#[inline(never)]
fn tree_insert(root: &mut Option<Box<Node>>, key: u64) {
    let mut at = root;
    while let Some(node) = at { at = if key < node.key { &mut node.left } else { &mut node.right }; }
    *at = Some(Box::new(Node { key, ..Node::default() }));
}
fn main() {
    let n: u64 = std::env::args().nth(1).unwrap().parse().unwrap();
    let mut map = HashMap::new();
    for k in 0..n { map.insert(k.wrapping_mul(0x9E3779B97F4A7C15), k); }
    let keys: Vec<u64> = map.keys().copied().collect();
    let mut table = Table { slots: vec![None; (n as usize * 5 / 4).max(8)], state: RandomState::new() };
    let mut root = None;
    for k in &keys { table.insert(*k); tree_insert(&mut root, *k); }
    println!("{}", root.is_some());
}
"""

PROGRAMS = {
    "c": (verdicts.PROGRAM, "work.c", ["cc", "-O1", "-o", "work", "work.c"]),
    "rust": (RUST, "src/main.rs", ["cargo", "build", "--release"]),
}


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--times", type=int, default=200)
    arguments.add_argument("--busy", type=int, default=0)
    arguments.add_argument("--sizes", default="100..20000 x10")
    arguments.add_argument("--only", choices=PROGRAMS)
    arguments.add_argument("--trend-prof", default="target/release/trend-prof")
    arguments = arguments.parse_args()
    trend_prof = str(pathlib.Path(arguments.trend_prof).resolve())
    for name in [arguments.only] if arguments.only else PROGRAMS:
        with tempfile.TemporaryDirectory(prefix="trend-prof-baselines-") as folder:
            measured(trend_prof, pathlib.Path(folder), name, arguments)


def measured(trend_prof, folder, name, arguments):
    text, file, build = PROGRAMS[name]
    (folder / "src").mkdir()
    (folder / file).write_text(text)
    (folder / "Cargo.toml").write_text('[package]\nname = "work"\nversion = "0.1.0"\nedition = "2021"\n')

    def call(*words):
        return subprocess.run([trend_prof, *words], cwd=folder, capture_output=True, text=True)

    def run():
        ran = call("run", "--fresh", "--no-build", "--no-time", "--quiet")
        assert ran.returncode == 0, ran.stderr

    built = call("build", "--", *build)
    assert built.returncode == 0, built.stderr
    program = next(iter([*folder.glob("work"), *folder.glob("target/trend-prof/*/release/work")]))
    (folder / "trend-prof.toml").write_text(
        f'[program]\ncommand = ["./{program.relative_to(folder)}", "{{n}}"]\n[workloads]\n'
        f'parameters = {{ n = "{arguments.sizes}" }}\n'
    )
    run()
    kept = call("check", "--save-baseline", "growth.json")
    assert kept.returncode == 0, kept.stderr
    load = [subprocess.Popen(["sh", "-c", "while :; do :; done"]) for _ in range(arguments.busy)]
    codes, broken, begin = collections.Counter(), collections.Counter(), time.monotonic()
    try:
        for _ in range(arguments.times):
            run()
            checked = call("check", "--against", "growth.json", "--format", "json")
            codes[checked.returncode] += 1
            for judged in json.loads(checked.stdout)["expectations"]:
                if judged["judgement"] != "holds":
                    place = judged.get("place", {}).get("name", "the whole program")
                    broken[place, judged["expectation"]["limit"]["kind"], judged["judgement"]] += 1
    finally:
        for process in load:
            process.kill()
            process.wait()
    took = time.monotonic() - begin
    told = ", ".join(f"{code}: {count}" for code, count in sorted(codes.items()))
    average = os.getloadavg()[0]
    print(f"{name}, n = {arguments.sizes}: {arguments.times} times in {took:.0f} s, load average {average:.1f}: exit codes {told}")
    for (place, kind, judgement), count in broken.most_common():
        print(f"    {judgement} {count} times: {kind} of {place}")


if __name__ == "__main__":
    main()
