#!/usr/bin/env bash
# Makes the pictures of the README, of docs/page.md and of docs/routines-figures.md from real output. Needs aha and chromium
# (Debian packages), clang-22, trend-probe's packages (docs/routines.md), and `npm ci` in crates/trend-report/ui.
set -euo pipefail
cd "$(dirname "$0")/.."
cargo build --release -q -p trend-prof
cargo build --release -q -p trend-profile --example made_study
trend_prof=$PWD/target/release/trend-prof
made_study=$PWD/target/release/examples/made_study
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

shoot() { # FILE.html OUT.png WIDTH,HEIGHT
    chromium --headless --no-sandbox --disable-gpu --disable-background-networking --hide-scrollbars \
        --force-device-scale-factor=1.5 --user-data-dir="$scratch/profile" --window-size="$3" \
        --screenshot="$2" "file://$1" >/dev/null 2>&1
}

COLUMNS=100 "$trend_prof" --color always demo "$scratch/demo" 2>/dev/null |
    sed "s|$scratch/demo|trend-prof-demo|" >"$scratch/demo.txt"
{
    echo '<meta charset="utf-8"><body style="background:#16181d;margin:14px 18px">'
    echo '<pre style="font:14px/1.35 DejaVu Sans Mono,monospace;color:#d8dce4">$ trend-prof demo'
    aha --no-header --black <"$scratch/demo.txt"
    echo '</pre>'
} >"$scratch/demo.html"
lines=$(wc -l <"$scratch/demo.txt")
shoot "$scratch/demo.html" docs/demo.png "910,$((lines * 19 + 70))"

# The pages, light and dark: a list append that is a bug, and routines by the size of their input.
cp -r examples/list-append "$scratch/list-append"
(cd "$scratch/list-append" && "$trend_prof" -q run >/dev/null 2>&1 && "$trend_prof" -q report -o "$scratch/parser.html")
"$made_study" routines "$scratch/routines.trend"
"$trend_prof" -q report "$scratch/routines.trend" -o "$scratch/routines.html"
node crates/trend-report/ui/tests/pictures.mjs docs \
    "overview=$scratch/parser.html#/overview" \
    "cluster=$scratch/parser.html#/cluster/list.c:7%236?at=bytes:128MB" \
    "source=$scratch/parser.html#/source/list.c?line=7&at=bytes:128MB" \
    "routines=$scratch/routines.html#/routines?selected=routine%7Cinsertion_sort%7Ctable.c%7C"

# The charts of docs/routines-figures.md, from one run of the example.
cargo build --release -q -p trend-probe
cp -r examples/routines "$scratch/charts"
(cd "$scratch/charts" && "$trend_prof" -q build --probe routines -- make >/dev/null 2>&1 &&
    "$trend_prof" -q run --probe routines -- ./routines && "$trend_prof" -q report -o "$scratch/charts.html")
charts() { # NAME ROUTINE [PARAMETERS]
    echo "charts-$1@.multiples=$scratch/charts.html#/routines?selected=routine%7C$2%7Croutines.c%7C${3:-}"
}
node crates/trend-report/ui/tests/pictures.mjs docs "$(charts spread insertion_sort)" "$(charts bounds heapsort_ints)" \
    "$(charts amortized push)"
