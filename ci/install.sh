#!/bin/sh
# Installs trend-prof from the files of a release.
#
#   sh install.sh SOURCE [PREFIX]
#
# SOURCE is a folder with the archive and SHA256SUMS, or its URL. PREFIX defaults to /usr/local for root, and to
# ~/.local for other users. Nothing is installed unless the archive has the checksum in SHA256SUMS.
set -eu

fail() {
    echo "install.sh: $1" >&2
    exit 1
}

[ $# -eq 1 ] || [ $# -eq 2 ] || fail "usage: sh install.sh SOURCE [PREFIX]"
source=${1%/}
if [ "$(id -u)" = 0 ]; then prefix=${2:-/usr/local}; else prefix=${2:-$HOME/.local}; fi
[ "$(uname -s) $(uname -m)" = "Linux x86_64" ] ||
    fail "the packages are for x86-64 Linux, but this is $(uname -s) $(uname -m); build trend-prof with cargo"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

get() {
    case $source in
        *://*)
            if command -v curl > /dev/null; then
                curl -fsSL -o "$work/$1" "$source/$1" || fail "$source/$1: cannot be downloaded"
            else
                wget -q -O "$work/$1" "$source/$1" || fail "$source/$1: cannot be downloaded"
            fi
            ;;
        *) cp "$source/$1" "$work/$1" || fail "$source/$1: cannot be read" ;;
    esac
}

get SHA256SUMS
# Each line has a checksum, two spaces, and a name.
line=$(grep '  trend-prof-.*-x86_64-linux\.tar\.gz$' "$work/SHA256SUMS") || fail "SHA256SUMS names no archive"
archive=${line#*  }
case $archive in
    */* | *" "* | *"
"*) fail "SHA256SUMS names more than one archive, or a path" ;;
esac
get "$archive"
echo "$line" > "$work/expected"
(cd "$work" && sha256sum -c expected > /dev/null 2>&1) ||
    fail "$archive has another checksum than in SHA256SUMS; nothing is installed"

mkdir "$work/tree"
tar -xzf "$work/$archive" -C "$work/tree"
mkdir -p "$prefix"
# A running trend-prof keeps its old executable; the new one takes over the name.
for program in trend-prof cargo-trend-prof; do rm -f "$prefix/bin/$program"; done
cp -R "$work/tree/${archive%.tar.gz}/." "$prefix"
echo "$("$prefix/bin/trend-prof" --version) is in $prefix/bin"
case :$PATH: in
    *":$prefix/bin:"*) ;;
    *) echo "add $prefix/bin to PATH" ;;
esac
