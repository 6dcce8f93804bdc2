#!/usr/bin/env bash
# Installs the packages of ci/release.sh in every way, and runs trend-prof to its first answer. If a tool is missing,
# skips the tests that need it, and says so.
#
#   ci/test-release.sh FOLDER
#
#   ROOT  a root folder with a C compiler to install packages in; only for the user root [none: the demo is not tested]
#         debootstrap --variant=minbase --include=gcc,libc6-dev stable ROOT
set -euo pipefail
packages=$(cd "${1:?usage: ci/test-release.sh FOLDER}" && pwd)
cd "$(dirname "$0")/.."
archive=$(basename "$packages"/trend-prof-*-x86_64-linux.tar.gz)
version=${archive#trend-prof-} version=${version%-x86_64-linux.tar.gz}
work=$(mktemp -d)
trap 'rm -rf "$work"; [ -z "${server:-}" ] || kill "$server" 2> /dev/null || true' EXIT

skip() { echo "test-release.sh: not tested: $1" >&2; }
fail() { echo "test-release.sh: $1" >&2; exit 1; }
has() { command -v "$1" > /dev/null; }
is_static() { readelf -l "$1" | grep -q LOAD && ! readelf -l "$1" | grep -q INTERP; }
expect_version() { [ "$("$1" --version)" = "trend-prof $version" ] || fail "$1 --version: $("$1" --version)"; }

# Prints the seconds that a command takes, and fails with its output if it fails.
timed() {
    local what=$1 begun
    shift
    begun=$(date +%s%N)
    "$@" > "$work/output" 2>&1 || { cat "$work/output" >&2; fail "$what failed"; }
    awk -v ns=$(($(date +%s%N) - begun)) -v what="$what" 'BEGIN { printf "%6.2f s  %s\n", ns / 1e9, what }'
}

# Prints counts that make a study without a compiler: f is quadratic.
counts() {
    echo "workload,n,f.c:3:f"
    for n in 100 200 400 800 1600 3200 6400 12800; do echo "n-$n,$n,$((n * n))"; done
}
first_answer='cd /tmp && trend-prof -q import csv counts.csv --features n && trend-prof show | grep -q "n^2"'

install_sh() {
    timed "install.sh from a folder" sh "$packages/install.sh" "$packages" "$work/prefix"
    expect_version "$work/prefix/bin/trend-prof"
    expect_version "$work/prefix/bin/cargo-trend-prof"
    [ -f "$work/prefix/share/man/man1/trend-prof-run.1" ] || fail "the man pages are missing"
    # A changed archive is refused before anything is installed.
    mkdir "$work/changed"
    cp "$packages"/{SHA256SUMS,install.sh} "$work/changed"
    { cat "$packages/$archive"; echo; } > "$work/changed/$archive"
    ! sh "$packages/install.sh" "$work/changed" "$work/refused" 2> "$work/error" || fail "a changed archive was installed"
    grep -q "has another checksum" "$work/error" || fail "$(cat "$work/error")"
    [ ! -e "$work/refused" ] || fail "a changed archive left files"
}

from_url() {
    has curl || has wget || { skip "install.sh from a URL: neither curl nor wget"; return; }
    python3 -u -m http.server --bind 127.0.0.1 --directory "$packages" 0 > "$work/server" 2>&1 &
    local port=
    server=$!
    for _ in $(seq 50); do
        port=$(sed -n 's/.* port \([0-9]*\) .*/\1/p' "$work/server")
        [ -z "$port" ] || break
        sleep 0.1
    done
    timed "install.sh from a URL" sh "$packages/install.sh" "http://127.0.0.1:$port/" "$work/from-url"
    kill "$server"
    server=
    expect_version "$work/from-url/bin/trend-prof"
}

# Tests in a root folder with only a static shell: no C library, no compiler.
empty_root() {
    if ! has busybox || ! is_static "$(command -v busybox)"; then skip "an empty root: no static busybox"; return; fi
    if ! is_static "$work/prefix/bin/trend-prof"; then skip "an empty root: trend-prof is not static"; return; fi
    local root=$work/root
    mkdir -p "$root"/{bin,dev,tmp,packages}
    # A plain file serves as /dev/null, because creating a device needs more rights.
    touch "$root/dev/null"
    cp "$(command -v busybox)" "$root/bin"
    for applet in $("$root/bin/busybox" --list); do ln -s busybox "$root/bin/$applet" 2> /dev/null || true; done
    cp "$packages"/{install.sh,SHA256SUMS,"$archive"} "$root/packages"
    counts > "$root/tmp/counts.csv"
    enter=(chroot "$root")
    [ "$(id -u)" = 0 ] || enter=(unshare -r chroot "$root")
    timed "empty root: install.sh" "${enter[@]}" /bin/sh /packages/install.sh /packages /usr
    timed "empty root: first answer" "${enter[@]}" /bin/sh -c "PATH=/usr/bin:/bin; $first_answer"
}

# Tests in a root folder with a C compiler: from the archive to the answer of the demo, and the .deb.
root_with_compiler() {
    [ -n "${ROOT:-}" ] || { skip "a root with a C compiler: ROOT is not set"; return; }
    # Programs find their own executable in /proc. The mount ends with the command.
    enter=(unshare --mount sh -c 'mount -t proc proc "$0/proc" && exec chroot "$0" "$@"' "$ROOT")
    mkdir -p "$ROOT/packages" "$ROOT/tmp"
    cp "$packages"/{install.sh,SHA256SUMS,"$archive"} "$ROOT/packages"
    local demo='cd /tmp && rm -rf demo && PATH=/opt/t/bin:/usr/bin:/bin trend-prof demo --quick demo'
    timed "root with gcc: install.sh" "${enter[@]}" sh /packages/install.sh /packages /opt/t
    timed "root with gcc: demo --quick to its answer" "${enter[@]}" sh -c "$demo"
    grep -q 'n^2' "$work/output" || { cat "$work/output" >&2; fail "the demo does not find the square"; }
    local deb=trend-prof_${version}_amd64.deb
    [ -f "$packages/$deb" ] || { skip "the .deb: it was not built"; return; }
    cp "$packages/$deb" "$ROOT/packages"
    timed "root with gcc: dpkg -i" "${enter[@]}" dpkg -i "/packages/$deb"
    [ "$("${enter[@]}" trend-prof --version)" = "trend-prof $version" ] || fail "the .deb has another version"
    "${enter[@]}" dpkg --verify trend-prof
    "${enter[@]}" dpkg -r trend-prof > /dev/null
}

wheel() {
    python3 -m venv "$work/venv"
    timed "pip install" "$work/venv/bin/pip" install --quiet --no-index --disable-pip-version-check "$packages"/trend_prof-*.whl
    expect_version "$work/venv/bin/trend-prof"
    "$work/venv/bin/pip" uninstall --quiet --yes trend-prof
    [ ! -e "$work/venv/bin/trend-prof" ] || fail "pip uninstall leaves the executable"
    if has twine; then twine check --strict "$packages"/*.whl; else skip "twine check: twine is not installed"; fi
}

npm_package() {
    has npm || { skip "the npm package: no npm"; return; }
    timed "npm install" npm install --offline --no-audit --no-fund --prefix "$work/npm" "$packages/trend-prof-$version.tgz"
    expect_version "$work/npm/node_modules/.bin/trend-prof"
}

# Checks that all published crates can be packaged, without building them, and that the names in `metadata.binstall`
# match the archive and its executables.
crates() {
    timed "cargo package" cargo package --workspace --locked --offline --no-verify --allow-dirty --target-dir "$work/crates"
    cargo metadata --no-deps --format-version 1 --offline | python3 -c '
import json, os, sys, tarfile
package = next(p for p in json.load(sys.stdin)["packages"] if p["name"] == "trend-prof")
binstall = {key: text.replace("{ version }", package["version"]) for key, text in package["metadata"]["binstall"].items()}
names = tarfile.open(os.path.join(sys.argv[1], os.path.basename(binstall["pkg-url"]))).getnames()
for binary in ("trend-prof", "cargo-trend-prof"):
    name = binstall["bin-dir"].replace("{ bin }", binary).replace("{ binary-ext }", "")
    assert name in names, f"{name} is not in the archive"
' "$packages"
}

(cd "$packages" && sha256sum --quiet -c SHA256SUMS)
install_sh
from_url
empty_root
root_with_compiler
wheel
npm_package
crates
if ! compgen -G "$packages/*.deb" > /dev/null; then
    skip "lintian: there is no .deb"
elif has lintian; then lintian --fail-on error "$packages"/*.deb; else skip "lintian: it is not installed"; fi
echo "test-release.sh: $version can be installed"
