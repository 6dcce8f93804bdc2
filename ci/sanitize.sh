#!/usr/bin/env bash
# Runs the tests of unsafe code under Miri, AddressSanitizer and ThreadSanitizer. Needs a nightly compiler:
#
#   rustup toolchain install nightly --profile minimal --component miri,rust-src
#
#   ci/sanitize.sh [miri|address|thread]...        [all three]
set -euo pipefail
cd "$(dirname "$0")/.."
target=$(rustc -vV | sed -n 's/^host: //p')
# Builds in another folder, because the changed flags would cause a rebuild of everything in the usual one.
export CARGO_TARGET_DIR=${CARGO_TARGET_DIR:-target}/sanitize
export CARGO_INCREMENTAL=0

# The runtime makes pointers from integers, and its mappings remain until the process ends.
miri() {
    MIRIFLAGS='-Zmiri-permissive-provenance -Zmiri-disable-isolation -Zmiri-ignore-leaks' \
        cargo +nightly miri test --locked --package trend-runtime --lib --test integration
}

address() {
    RUSTFLAGS='-Zsanitizer=address --cfg trend_sanitizer="address"' \
        cargo +nightly test --locked --package trend-runtime --target "$target" --lib --test integration
}

# Also builds the standard library with the sanitizer, which otherwise would not see how threads synchronize there.
thread() {
    RUSTFLAGS='-Zsanitizer=thread --cfg trend_sanitizer="thread"' TSAN_OPTIONS='halt_on_error=1 die_after_fork=0' \
        cargo +nightly test --locked -Zbuild-std --package trend-runtime --target "$target" --lib --test integration
}

(($#)) || set -- miri address thread
for sanitizer in "$@"; do
    echo "ci/sanitize.sh: $sanitizer" >&2
    "$sanitizer"
done
