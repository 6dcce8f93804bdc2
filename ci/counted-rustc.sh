#!/bin/sh
# Stands between cargo and rustc for the crates of the workspace, and adds counters to all that become part of a
# program. Cargo keeps what it makes apart from ordinary builds of the same crates, and shares the dependencies.
case " $* " in
*" --crate-name build_script_build "* | *" proc-macro "* | *" --print"*) exec "$@" ;;
*) exec "$@" -C instrument-coverage -C strip=none ;;
esac
