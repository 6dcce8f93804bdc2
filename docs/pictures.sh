#!/usr/bin/env bash
# Makes the pictures of the README from real output. Needs aha and chromium (Debian packages).
set -euo pipefail
cd "$(dirname "$0")/.."
cargo build --release -q
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

shoot() { # FILE.html OUT.png WIDTH,HEIGHT
    chromium --headless --no-sandbox --disable-gpu --disable-background-networking --hide-scrollbars \
        --force-device-scale-factor=1.5 --user-data-dir="$scratch/profile" --window-size="$3" \
        --screenshot="$2" "file://$1" >/dev/null 2>&1
}

COLUMNS=100 target/release/trend-prof --color always demo "$scratch/demo" 2>/dev/null |
    sed "s|$scratch/demo|trend-prof-demo|" >"$scratch/demo.txt"
{
    echo '<meta charset="utf-8"><body style="background:#16181d;margin:14px 18px">'
    echo '<pre style="font:14px/1.35 DejaVu Sans Mono,monospace;color:#d8dce4">$ trend-prof demo'
    aha --no-header --black <"$scratch/demo.txt"
    echo '</pre>'
} >"$scratch/demo.html"
lines=$(wc -l <"$scratch/demo.txt")
shoot "$scratch/demo.html" docs/demo.png "910,$((lines * 19 + 70))"
shoot "$scratch/demo/bubble_sort.html" docs/report.png 1100,1500
