#!/usr/bin/env bash
# Builds the packages of a release for x86-64 Linux: an archive, a .deb, a wheel, an npm package, SHA256SUMS, and
# install.sh, which installs the archive.
#
#   ci/release.sh [FOLDER]                                               [target/packages]
#
#   BINARIES           folder of finished executables to package         [none: they are built]
#   SOURCE_DATE_EPOCH  time of all packaged files                        [time of the last commit]
#   CARGO_TARGET_DIR   folder of the build                               [target/dist]
#
# The executables are static, so that they run on any distribution. The same executables give the same packages.
# Needs musl-tools, Python and, for the .deb, dpkg-deb.
set -euo pipefail
export LC_ALL=C TZ=UTC
umask 022
mkdir -p "${1:-$(dirname "$0")/../target/packages}"
output=$(cd "${1:-$(dirname "$0")/../target/packages}" && pwd)
cd "$(dirname "$0")/.."
export SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct)}
readonly target=x86_64-unknown-linux-musl

# Builds the executables. They contain no path of this machine.
build() {
    local cargo_home=${CARGO_HOME:-$HOME/.cargo}
    export CARGO_TARGET_DIR=${CARGO_TARGET_DIR:-$PWD/target/dist} CARGO_INCREMENTAL=0
    export RUSTFLAGS="--remap-path-prefix=$PWD=/trend-prof --remap-path-prefix=$cargo_home=/cargo"
    export CFLAGS_x86_64_unknown_linux_musl="-ffile-prefix-map=$cargo_home=/cargo -ffile-prefix-map=$PWD=/trend-prof"
    cargo build --release --locked --target "$target" -p trend-prof --features parquet
    BINARIES=$CARGO_TARGET_DIR/$target/release
}

# Writes the folders and files that are installed below a prefix.
stage() {
    local tree=$1 share=$1/share program
    mkdir -p "$tree/bin" "$share"/{bash-completion/completions,zsh/site-functions,fish/vendor_completions.d,doc/trend-prof}
    for program in trend-prof cargo-trend-prof; do
        strip --strip-all -o "$tree/bin/$program" "$BINARIES/$program"
        chmod 755 "$tree/bin/$program"
    done
    "$tree/bin/trend-prof" -q generate man -o "$share/man/man1"
    "$tree/bin/trend-prof" generate bash > "$share/bash-completion/completions/trend-prof"
    "$tree/bin/trend-prof" generate zsh > "$share/zsh/site-functions/_trend-prof"
    "$tree/bin/trend-prof" generate fish > "$share/fish/vendor_completions.d/trend-prof.fish"
    cp README.md CHANGELOG.md LICENSE-MIT LICENSE-APACHE "$share/doc/trend-prof"
    python3 ci/packages.py licences "$target" > "$share/doc/trend-prof/LICENSES-OF-CRATES"
}

# Packs a folder in $work. The same files give the same bytes.
archive() {
    tar --sort=name --format=ustar --owner=0 --group=0 --numeric-owner --mtime="@$SOURCE_DATE_EPOCH" -C "$work" -c "$1" |
        gzip -9n > "$2"
}

# Writes the .deb. Debian requires compressed man pages, and its own names for the licence and the changelog.
deb() {
    local root=$work/deb doc=$work/deb/usr/share/doc/trend-prof
    local maintainer="The trend-prof developers <trend-prof@users.noreply.github.com>"
    mkdir -p "$root/DEBIAN" "$root/usr"
    cp -r "$work/$name/." "$root/usr"
    find "$root/usr/share/man" -type f -exec gzip -9n {} +
    mkdir -p "$root/usr/share/zsh/vendor-completions" "$root/usr/share/lintian/overrides"
    mv "$root/usr/share/zsh/site-functions/_trend-prof" "$root/usr/share/zsh/vendor-completions"
    rmdir "$root/usr/share/zsh/site-functions"
    ln -s trend-prof.1.gz "$root/usr/share/man/man1/cargo-trend-prof.1.gz"
    gzip -9n "$doc/CHANGELOG.md"
    printf 'trend-prof (%s) unstable; urgency=medium\n\n  * Release; CHANGELOG.md.gz names the changes.\n\n -- %s  %s\n' \
        "$version" "$maintainer" "$(date -u -R -d "@$SOURCE_DATE_EPOCH")" | gzip -9n > "$doc/changelog.gz"
    { echo "trend-prof is licensed under MIT or Apache-2.0, as you choose."; echo; cat LICENSE-MIT; echo
      echo "On Debian systems, the Apache License 2.0 is in /usr/share/common-licenses/Apache-2.0."
      echo "LICENSES-OF-CRATES has the licences of the libraries in the program."; } > "$doc/copyright"
    rm "$doc"/{LICENSE-MIT,LICENSE-APACHE}
    # lintian warns of static executables, which are what runs on every distribution.
    printf 'trend-prof: %s\n' statically-linked-binary shared-library-lacks-prerequisites > "$root/usr/share/lintian/overrides/trend-prof"
    cat > "$root/DEBIAN/control" <<CONTROL
Package: trend-prof
Version: $version
Architecture: amd64
Maintainer: $maintainer
Section: devel
Priority: optional
Recommends: gcc | clang
Installed-Size: $(du -sk --apparent-size "$root/usr" | cut -f1)
Homepage: https://github.com/trend-prof/trend-prof
Description: predicts how the cost of a program grows with its input
 trend-prof runs a program on many inputs and counts every basic block. It
 reports how the cost of each part grows with the input, which line will not
 scale, its cost at ten times the load, and how sure that is.
CONTROL
    (cd "$root" && find usr -type f -print0 | sort -z | xargs -0 md5sum > DEBIAN/md5sums)
    find "$root" -exec touch -hd "@$SOURCE_DATE_EPOCH" {} +
    dpkg-deb --root-owner-group -Zgzip -z9 --build "$root" "$output/trend-prof_${version}_amd64.deb" > /dev/null
}

[ -n "${BINARIES:-}" ] || build
version=$("$BINARIES/trend-prof" --version | cut -d' ' -f2)
name=trend-prof-$version-x86_64-linux
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

rm -f "$output"/{trend-prof-*-x86_64-linux.tar.gz,trend-prof_*_amd64.deb,trend_prof-*.whl,trend-prof-*.tgz,install.sh,SHA256SUMS}
stage "$work/$name"
archive "$name" "$output/$name.tar.gz"
if command -v dpkg-deb > /dev/null; then
    deb
else
    echo "release.sh: the .deb is not built, because dpkg-deb is missing" >&2
fi
python3 ci/packages.py wheel "$work/$name" "$version" "$output"
python3 ci/packages.py npm "$work/$name" "$version" "$work/package"
archive package "$output/trend-prof-$version.tgz"
install -m 755 ci/install.sh "$output"
(cd "$output" && sha256sum install.sh trend* > SHA256SUMS)
ls -l "$output"
