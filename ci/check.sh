#!/bin/sh
# Runs the workloads of trend-prof.toml and checks the expectations. Jobs of GitHub, GitLab or a hook call it.
#
#   TREND_PROF       the trend-prof executable                       [trend-prof]
#   FOLDER           folder of trend-prof.toml                       [.]
#   AGAINST          a baseline                                      [none]
#   SARIF            a file for results in SARIF                     [none]
#   ALLOW_UNDECIDED  `true` lets undecided expectations pass         [false]
#   GITHUB_STEP_SUMMARY  GitHub's file for the job's summary         [none]
#
# Has the exit codes of `trend-prof check`: 0 all hold, 1 broken, 2 unreadable, 3 undecided.
set -eu

program=${TREND_PROF:-trend-prof}
cd "${FOLDER:-.}"
# A study from a cache or an earlier job belongs to another build.
"$program" run --quiet --fresh

set -- check
[ -z "${AGAINST:-}" ] || set -- "$@" --against "$AGAINST"
[ -z "${SARIF:-}" ] || set -- "$@" --report "sarif=$SARIF"
[ "${ALLOW_UNDECIDED:-false}" != true ] || set -- "$@" --allow-undecided
if [ -z "${GITHUB_STEP_SUMMARY:-}" ]; then
    exec "$program" "$@"
fi
summary=$(mktemp)
trap 'rm -f "$summary"' EXIT
code=0
"$program" "$@" --format github --report "markdown=$summary" || code=$?
cat "$summary" >> "$GITHUB_STEP_SUMMARY"
exit "$code"
