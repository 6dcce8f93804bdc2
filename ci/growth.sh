#!/bin/sh
# Makes studies that grow in one number, counts the executions of trend-prof's commands on them, and checks the
# expectations of trend-prof.toml. Each input is target/growth/COMMAND/NUMBER-VALUE.*, such as show/locations-250.trend;
# `import` reads exported tables.
#
# Needs target/debug/trend-prof and target/debug/examples/made_study:
#
#     cargo build --workspace --example made_study --bin trend-prof --locked
set -eu
cd "$(dirname "$0")/.."
folder=target/growth
tool=target/debug/trend-prof
maker=target/debug/examples/made_study

# Makes a study of each size, and links it into the folder of each command:
#
#     studies WHAT COMMANDS KIND NUMBER NUMBER SIZE…
#
# KIND and the numbers are arguments of made_study; `@` stands for the size.
studies() {
    what=$1 commands=$2 kind=$3 first=$4 second=$5
    shift 5
    for size in "$@"; do
        study=$folder/$what-$size.trend
        "$maker" "$kind" "$(echo "$first" | sed "s/@/$size/")" "$(echo "$second" | sed "s/@/$size/")" "$study"
        for command in $commands; do
            mkdir -p "$folder/$command"
            case $command in
            import) export_table "$study" "$what-$size" ;;
            *) ln "$study" "$folder/$command/$what-$size.trend" ;;
            esac
        done
        rm "$study"
    done
}

# Exports a study to the file that `import` reads.
export_table() {
    case $2 in
    routines-* | tuples-*) "$tool" export aprof "$1" -o "$folder/import/$2.aprof" --quiet ;;
    *) "$tool" export csv "$1" -o "$folder/import/$2.csv" --quiet ;;
    esac
}

make_studies() {
    rm -rf "$folder"
    mkdir -p "$folder"
    studies locations 'show report diff import merge' locations @ 8 250 500 1000 2000 4000 8000
    studies workloads 'show report diff import merge' locations 44 @ 320 640 1280 2560 5120 10240
    studies features 'show' features @ 12 2 3 4 6 8 12
    studies features 'import' features @ 12 32 64 128 256 512 1024
    studies functions 'diff' functions @ 8 50 100 200 400 800 1600
    studies routines 'routines report import' routines @ 8 20 40 80 160 320 640
    studies tuples 'routines report import' routines 2 @ 500 1000 2000 4000 8000 16000
    studies loops 'loops report' nests @ 4 40 80 160 320 640 1280
    studies depth 'loops' nests @ 64 8 16 24 32 48 64
    studies calls 'loops' calls @ 3 80 160 320 640 1280 2560
}

# Builds trend-prof with counters in its own crates. The dependencies have none: growth there shows only if our crates
# call them more often. The ordinary executables are put back, however the build ends.
build_counted() {
    for executable in "$tool" "$maker"; do cp -p "$executable" "$executable.ordinary"; done
    trap restore EXIT
    trap 'exit 1' HUP INT TERM
    env RUSTC_WORKSPACE_WRAPPER="$PWD/ci/counted-rustc.sh" \
        cargo build --quiet --workspace --example made_study --bin trend-prof --locked
    cp -p "$tool" "$folder/trend-prof"
    restore
}

restore() {
    for executable in "$tool" "$maker"; do
        if [ -e "$executable.ordinary" ]; then mv -f "$executable.ordinary" "$executable"; fi
    done
}

make_studies
build_counted
"$tool" run --quiet --fresh --no-sources
# A change can make a limit undecided without making anything slower. It is printed, and only a broken limit fails.
"$tool" check --allow-undecided
