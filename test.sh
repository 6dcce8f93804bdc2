#!/usr/bin/env bash
# Installs what the tests need and runs all of them. As root on Debian it installs what is missing;
# elsewhere it says so and goes on with what there is (gcc, g++ and make have to be there).
set -euo pipefail
cd "$(dirname "$0")"

# Every compiler here has its notes read by the tests and compared with its own gcov, and LLVM's with their llvm-cov; the
# other tools write files that are imported and compared with what the tools say of them.
packages=(gcc g++ make cmake ninja-build meson autoconf automake libtool ccache gcc-11 g++-11 clang-14 clang-16 clang-19 clang-22
    llvm-14 llvm-16 llvm-19 llvm-22 lcov valgrind hyperfine python3 strace)
# The runtime that LLVM's counters need.
packages+=(libclang-rt-14-dev libclang-rt-16-dev libclang-rt-19-dev libclang-rt-22-dev)
# What trend-probe is built with.
packages+=(llvm-22-dev libpolly-22-dev libzstd-dev zlib1g-dev libxml2-dev)
# A program with the probe reads through it.
packages+=(liburing-dev)
# The page is walked through in a browser, and what it prints is read.
packages+=(chromium poppler-utils)
command -v node >/dev/null || packages+=(nodejs npm)
missing=()
for package in "${packages[@]}"; do
    dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || missing+=("$package")
done
if ((${#missing[@]})); then
    if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
        apt-get update -qq
        for package in "${missing[@]}"; do
            DEBIAN_FRONTEND=noninteractive apt-get install -y -qq "$package" >/dev/null ||
                echo "test.sh: $package cannot be had; its tests are skipped" >&2
        done
    else
        echo "test.sh: not installed, so that their tests are skipped: ${missing[*]}" >&2
    fi
fi
# The front end's tools need a newer node than some systems have; the package `node` brings one.
if [ "$(node -p 'process.versions.node.split(".")[0]' 2>/dev/null || echo 0)" -lt 20 ]; then
    npm install --no-save --no-fund --no-audit --prefix target/node node@22
    PATH="$PWD/target/node/node_modules/node/bin:$PATH"
fi
cargo nextest --version >/dev/null 2>&1 || cargo install --locked cargo-nextest
# Built once, in under four minutes on two cores.
cargo deny --version >/dev/null 2>&1 || cargo install --locked cargo-deny

# Nothing is built twice here, and what incremental builds keep is as large as all the rest.
export CARGO_INCREMENTAL=0
cargo fmt --all --check
cargo clippy --workspace --all-targets --locked -- -D warnings
cargo deny --locked check licenses sources bans
# The database of advisories is a git repository. Without a network, one that was fetched in the last 90 days will do.
advisories=${CARGO_HOME:-$HOME/.cargo}/advisory-dbs
if cargo deny --locked fetch db >/dev/null 2>&1 || compgen -G "$advisories/advisory-db-*/crates" >/dev/null; then
    cargo deny --locked check --disable-fetch advisories
else
    echo "test.sh: advisories are not checked: their database is not here and cannot be fetched" >&2
fi
# The fuzz targets are a workspace of their own, as they need a nightly compiler to run; here they only must not rot.
cp Cargo.lock crates/trend-collect/fuzz/
cargo check --quiet --manifest-path crates/trend-collect/fuzz/Cargo.toml --target-dir target/fuzz
cargo nextest run --workspace --locked --no-fail-fast
cargo test --workspace --doc --locked
RUSTDOCFLAGS='-D warnings' cargo doc --workspace --no-deps --locked

# The page: what is committed is what its sources give, and it does in a browser what it should.
# Of the whole workspace, so that its crates have the features that the tests built them with.
cargo build --workspace --example made_study --bin trend-prof --locked
cd crates/trend-report/ui
npm ci --no-fund --no-audit
npm run check
npm test
npm run build
git diff --exit-code -- dist || {
    echo "test.sh: dist is not what its sources give; run npm ci && npm run build in crates/trend-report/ui" >&2
    exit 1
}
npm run e2e
