#!/bin/sh
# Gets the source of bzip2 1.0.8 into ./bzip2-1.0.8, by the name of a package:
# Debian's source package, or where there is no apt, the copy in the crate
# bzip2-sys. Needs no root and leaves the system's package lists alone.
set -eu
cd "$(dirname "$0")"
version=1.0.8
target=bzip2-$version

if [ -f "$target/bzip2.c" ]; then
    echo "$target is here already"
    exit 0
fi
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT INT TERM

from_debian() {
    command -v apt-get >/dev/null || return 1
    keyring=/usr/share/keyrings/debian-archive-keyring.gpg
    [ -f "$keyring" ] || return 1
    # The installed bzip2's own release, as apt insists on the version it knows.
    release=$(. /etc/os-release && echo "${VERSION_CODENAME:-stable}")
    mkdir -p "$scratch/lists/partial" "$scratch/cache/archives/partial"
    echo "deb-src [signed-by=$keyring] http://deb.debian.org/debian $release main" >"$scratch/sources.list"
    apt() {
        apt-get -qq -o APT::Sandbox::User="$(id -un)" -o Dir::Etc::sourcelist="$scratch/sources.list" -o Dir::Etc::sourceparts=- \
            -o Dir::State::lists="$scratch/lists" -o Dir::Cache="$scratch/cache" "$@"
    }
    apt update && (cd "$scratch" && apt source --download-only bzip2) || return 1
    tar -xzf "$scratch/bzip2_$version.orig.tar.gz" -C "$scratch" || return 1
    mv "$scratch/bzip2-$version" "$target"
}

from_crate() {
    command -v cargo >/dev/null || return 1
    mkdir -p "$scratch/get/src"
    : >"$scratch/get/src/lib.rs"
    cat >"$scratch/get/Cargo.toml" <<TOML
[package]
name = "get"
version = "0.0.0"
edition = "2021"

[dependencies]
bzip2-sys = "=0.1.13"

[workspace]
TOML
    (cd "$scratch/get" && cargo vendor --quiet >/dev/null) || return 1
    mv "$scratch"/get/vendor/bzip2-sys/bzip2-* "$target"
}

if from_debian; then
    echo "$target comes from Debian's source package"
elif from_crate; then
    echo "$target comes from the crate bzip2-sys"
else
    echo "fetch.sh: neither apt-get nor cargo could get bzip2; put its source into $PWD/$target by hand" >&2
    exit 1
fi
