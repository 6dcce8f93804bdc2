#!/bin/sh
# A `RUSTC_WORKSPACE_WRAPPER`: runs rustc for the crates of the workspace, and adds counters except to build scripts and
# procedural macros. It optimizes only two of the crates. Cargo stores these builds separately from ordinary ones, and
# shares the dependencies. trend-prof reads the places of the counters from the executable, which must not be stripped.
case " $* " in
*" --crate-name build_script_build "* | *" proc-macro "* | *" --print"*) exec "$@" ;;
# A run spends nearly all of its time in these two crates. Optimizing the others takes longer than it saves.
*" --crate-name trend_model "* | *" --crate-name trend_analyze "*) ;;
*) set -- "$@" -C opt-level=0 ;;
esac
exec "$@" -C instrument-coverage -C strip=none
