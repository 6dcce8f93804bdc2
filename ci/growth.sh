#!/bin/sh
# Makes studies in which one number grows, counts trend-prof's commands on them, and checks the expectations of
# trend-prof.toml. The studies are in target/growth/COMMAND/, and are named after what grows and how many it has.
#
# Needs target/debug/trend-prof and target/debug/examples/made_study.
set -eu
cd "$(dirname "$0")/.."
folder=target/growth
tool=target/debug/trend-prof
maker=target/debug/examples/made_study

# Makes a study of each size for each command: studies WHAT COMMANDS KIND NUMBER NUMBER SIZE…, where KIND and the
# numbers are those of made_study, and `@` stands for the size.
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
    studies locations 'show report diff import merge' locations @ 8 50 100 200 400 800 1600
    studies workloads 'show report diff import merge' locations 44 @ 20 40 80 160 320 640
    studies features 'show report import' features @ 24 2 4 8 16 24 32
    studies functions 'diff' functions @ 8 25 50 100 200 400 800
    studies routines 'routines report import' routines @ 8 25 50 100 200 400 800
    studies tuples 'routines report import' routines 2 @ 250 500 1000 2000 4000 8000
    studies loops 'loops report' nests @ 4 16 32 64 128 256 512
    studies depth 'loops' nests @ 64 8 16 24 32 48 64
    studies calls 'loops' calls @ 3 20 40 80 160 320 640
}

# Builds trend-prof with counters in its own crates. The dependencies are those of the ordinary build. What does not
# scale in them is called too often by ours.
build_counted() {
    build() { cargo build --quiet --workspace --bin trend-prof --locked; }
    RUSTC_WORKSPACE_WRAPPER=$PWD/ci/counted-rustc.sh build
    cp "$tool" "$folder/trend-prof"
    # The file that other tests use.
    build
}

make_studies
build_counted
"$tool" run --quiet --no-sources
"$tool" check
