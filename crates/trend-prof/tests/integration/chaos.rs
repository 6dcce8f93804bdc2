//! Runs a few tries of `benches/run.py chaos`, which kills 2,200 times.

use std::process::Command;

use crate::bench::{is_installed, repository, skipped};

#[track_caller]
fn chaos(parts: &[&str]) {
    if !is_installed("python3") {
        return skipped("chaos", "python3 is not installed");
    }
    let mut command = Command::new("python3");
    command.arg(repository().join("benches/run.py")).args(["chaos", "--quick"]);
    command.args(["--trend-prof", env!("CARGO_BIN_EXE_trend-prof")]).args(parts);
    let output = command.output().unwrap();
    let stdout = String::from_utf8_lossy(&output.stdout);
    let last = stdout.lines().last().unwrap_or_default();
    let tries: u32 = last.split(' ').next().and_then(|tries| tries.parse().ok()).unwrap_or(0);
    assert!(output.status.success() && last.ends_with(" 0 exceptions"), "{stdout}{}", {
        String::from_utf8_lossy(&output.stderr)
    });
    assert!(tries > 0, "nothing was tried: {stdout}");
}

#[test]
fn a_run_that_is_killed_leaves_nothing_behind_and_loses_nothing() {
    chaos(&["kills", "daemons"]);
}

#[test]
fn a_probed_sampled_or_watched_run_that_is_killed_leaves_nothing_behind_and_loses_nothing() {
    chaos(&["forks", "loops", "memory", "sampling", "serving"]);
}

#[test]
fn a_comparison_of_revisions_that_is_killed_leaves_no_worktree() {
    chaos(&["revisions"]);
}

#[test]
fn a_study_that_is_copied_or_moved_while_it_is_written_is_whole_or_says_what_happened() {
    chaos(&["copies", "moves", "stale", "clock"]);
}

#[test]
fn two_commands_at_once_do_their_work_or_say_why_not() {
    chaos(&["pairs"]);
}

#[test]
fn a_damaged_study_says_what_it_said_or_nothing() {
    chaos(&["damage"]);
}

#[test]
fn a_disk_that_is_full_and_calls_that_fail_lose_nothing() {
    if !is_installed("strace") {
        return skipped("calls that fail", "strace is not installed");
    }
    chaos(&["disks", "calls"]);
}
