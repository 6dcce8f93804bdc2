#!/usr/bin/env bash
# Makes seeds, builds every target and runs each for SECONDS (default 60). Findings stay in artifacts/. The target
# `import` runs once for each format that has no target of its own.
#
#   ./run.sh [SECONDS] [TARGET or FORMAT…]
#
# cargo-fuzz needs a nightly compiler. Seeds are the samples of the tests and, if gcc and clang are installed, their
# output for small programs.
set -euo pipefail
cd "$(dirname "$0")"
seconds=${1:-60}
targets=("${@:2}")
samples=$PWD/../tests
((${#targets[@]})) || mapfile -t targets < <({ ls fuzz_targets | sed 's/\.rs$//'; ls "$samples/seeds"; } |
    grep -vx import | sort -u)

seed() { # target, files…
    mkdir -p "corpus/$1"
    for file in "${@:2}"; do cp -- "$file" "corpus/$1/${file##*/}"; done
}
for folder in "$samples"/seeds/*/; do seed "$(basename "$folder")" "$folder"*; done
seed lcov "$samples"/data/*.info
seed go-cover "$samples"/data/*.out
seed python-trace "$samples"/data/*.cover
seed google-benchmark "$samples"/data/google-benchmark.json
seed hyperfine "$samples"/data/hyperfine.json
seed gcovr "$samples"/data/gcovr/*.json
seed istanbul "$samples"/data/istanbul/*.json
seed cobertura "$samples"/data/cobertura/*.xml
seed clover "$samples"/data/clover/*.xml
seed go-bench "$samples"/data/go-bench/*.txt
seed gungraun "$samples"/data/gungraun/0.19.4/unique.n_50/summary.json
seed parquet "$samples"/data/*.parquet
for file in "$samples"/data/extra-p/*; do seed extra-p "$file"; done

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp "$samples"/programs/* "$work"
# Prints the length of the first file as little-endian bytes, so that the target can split its input.
length() { # bytes, file
    local size i
    size=$(stat -c %s "$2")
    for ((i = 0; i < $1; i++)); do printf "\\x$(printf %02x $((size >> 8 * i & 255)))"; done
}
for compiler in gcc gcc-11 clang-14 clang-19 clang-22; do
    command -v "$compiler" >/dev/null || continue
    for program in bubble_sort leaving; do
        (cd "$work" && rm -f -- *.gcda && "$compiler" --coverage -w -c "$program.c" -o "$program.o" &&
            "$compiler" --coverage "$program.o" -o program && { ./program 9 >/dev/null || true; })
        mkdir -p corpus/notes corpus/data
        cp "$work/$program.gcno" "corpus/notes/$program-$compiler.gcno"
        [ -s "$work/$program.gcda" ] || continue
        { length 2 "$work/$program.gcno" && cat "$work/$program".gc{no,da}; } >"corpus/data/$program-$compiler"
    done
done
# Builds programs with their profiles. Only the sections that the reader uses are kept; the rest would be most of the
# seed.
sections=(--strip-all -j __llvm_covmap -j __llvm_covfun -j __llvm_prf_names)
for version in 14 19 22; do
    for source in bubble_sort.c regions.cc; do
        compiler=clang-$version
        [ "$source" = bubble_sort.c ] || compiler=clang++-$version
        command -v "$compiler" "llvm-objcopy-$version" >/dev/null || continue
        (cd "$work" && "$compiler" -w -fPIC -fprofile-instr-generate -fcoverage-mapping -c "$source" -o program.o &&
            "$compiler" -fprofile-instr-generate program.o -o program && LLVM_PROFILE_FILE=raw ./program 9 >/dev/null &&
            ld -shared -z max-page-size=64 -z noseparate-code program.o -o program.so &&
            "llvm-objcopy-$version" "${sections[@]}" program.so small)
        mkdir -p corpus/profile corpus/mapping
        cp "$work/raw" "corpus/profile/$source-$version.profraw"
        { length 3 "$work/small" && cat "$work"/{small,raw}; } >"corpus/mapping/$source-$version"
    done
done

cargo +nightly fuzz build --sanitizer none
binaries=$PWD/target/$(rustc -vV | sed -n 's/^host: //p')/release
for target in "${targets[@]}"; do
    length=4096
    case $target in mapping | parquet | profile | notes | data) length=65536 ;; esac
    log=$work/log
    status=ok
    mkdir -p "artifacts/$target" "corpus/$target"
    binary=import
    [ ! -e "fuzz_targets/$target.rs" ] || binary=$target
    FORMAT=$target nice "$binaries/$binary" "corpus/$target" -max_total_time="$seconds" -max_len=$length -rss_limit_mb=512 \
        -timeout=10 -print_final_stats=1 -artifact_prefix="artifacts/$target/" >"$log" 2>&1 || status=FAILED
    count() { sed -n "s/^stat::$1: *//p" "$log"; }
    printf '%-18s %-7s %12s executions %6s MB\n' "$target" "$status" "$(count number_of_executed_units)" \
        "$(count peak_rss_mb)"
    [ "$status" = ok ] || grep -m3 -E 'panicked|ERROR|SUMMARY|bytes took' "$log" || true
done
