#!/usr/bin/env bash
# Runs the tests of unsafe code under Miri, AddressSanitizer and ThreadSanitizer. Needs a nightly compiler:
#
#   rustup toolchain install nightly --profile minimal --component miri,rust-src
#
#   ci/sanitize.sh [miri|address|thread]...        [all three]
set -euo pipefail
cd "$(dirname "$0")/.."
target=$(rustc -vV | sed -n 's/^host: //p')
# The flags would rebuild everything else.
export CARGO_TARGET_DIR=${CARGO_TARGET_DIR:-target}/sanitize
export CARGO_INCREMENTAL=0

# Pointers are made from numbers, and what is mapped stays mapped until the process ends.
miri() {
    MIRIFLAGS='-Zmiri-permissive-provenance -Zmiri-disable-isolation -Zmiri-ignore-leaks' \
        cargo +nightly miri test --locked --package trend-runtime --lib --test integration
}

address() {
    RUSTFLAGS='-Zsanitizer=address --cfg trend_sanitizer="address"' \
        cargo +nightly test --locked --package trend-runtime --target "$target" --lib --test integration
}

# A standard library without the sanitizer would hide what orders two threads' accesses.
thread() {
    RUSTFLAGS='-Zsanitizer=thread --cfg trend_sanitizer="thread"' TSAN_OPTIONS='halt_on_error=1 die_after_fork=0' \
        cargo +nightly test --locked -Zbuild-std --package trend-runtime --target "$target" --lib --test integration
}

(($#)) || set -- miri address thread
for sanitizer in "$@"; do
    echo "ci/sanitize.sh: $sanitizer" >&2
    "$sanitizer"
done
