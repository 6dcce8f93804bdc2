//! Runs a program of experiments as `trend-prof calibrate` does.

#![expect(clippy::unwrap_used, reason = "in a test a panic is the report")]

use std::path::PathBuf;
use std::process::{Command, Output};

fn run(arguments: &[&str]) -> Output {
    let mut program = PathBuf::from(std::env::current_exe().unwrap().parent().unwrap().parent().unwrap());
    program.push("examples/numbers");
    Command::new(program).args(arguments).output().unwrap()
}

/// Returns the repetitions, executions and nanoseconds of each measurement.
fn measurements(arguments: &[&str]) -> Vec<[u64; 3]> {
    let output = run(arguments);
    assert!(output.status.success(), "{output:?}");
    let text = String::from_utf8(output.stdout).unwrap();
    let mut lines = text.lines();
    assert_eq!(lines.next(), Some("trend-fragment 1"));
    let numbers = |line: &str| line.split(' ').map(|number| number.parse().unwrap()).collect::<Vec<u64>>();
    lines.map(|line| numbers(line).try_into().unwrap()).collect()
}

#[test]
fn it_lists_what_it_has_and_refuses_the_rest() {
    let listed = run(&["list"]);
    assert!(listed.status.success());
    assert_eq!(listed.stdout, b"trend-fragment 1\npush 8\nsum 8\n");
    for wrong in [
        &["pop", "10", "1000", "2"][..],
        &["push", "0", "1000", "2"],
        &["push", "10", "1000", "1"],
        &[],
        &["push"],
    ] {
        let output = run(wrong);
        assert_eq!(output.status.code(), Some(2), "{wrong:?}");
        assert!(String::from_utf8_lossy(&output.stderr).contains("EXPERIMENT ELEMENTS NANOSECONDS GROWTH"));
    }
}

#[test]
fn what_can_be_repeated_is_until_it_takes_long_enough() {
    let least = 4_000_000;
    let measured = measurements(&["sum", "1000", &least.to_string(), "2"]);
    assert!(measured.len() >= 5, "{measured:?}");
    assert!(measured.iter().map(|m| m[2]).sum::<u64>() >= 2 * least, "{measured:?}");
    // Shorter measurements are not printed: they are not reliable.
    assert!(measured.iter().all(|m| m[2] >= least / 32 && m[1] % 1000 == 0), "{measured:?}");
    // Repetitions double, also where a measurement was too short and was added to the next one.
    let mut executions = 0;
    for [repetitions, more, _] in &measured {
        executions += more;
        assert_eq!(executions, 1000 * (2 * repetitions - 1), "{measured:?}");
        assert!(repetitions.is_power_of_two(), "{measured:?}");
    }
    let slower = measurements(&["sum", "1000", &least.to_string(), "1.2"]);
    assert!(slower.len() > measured.len(), "{slower:?}");
}

#[test]
fn what_begins_anew_is_added_up_until_it_takes_long_enough() {
    let measured = measurements(&["push", "100", "3200000", "2"]);
    assert!(measured.len() >= 5, "{measured:?}");
    assert!(measured.iter().all(|m| m[2] >= 100_000 && m[1] % 100 == 0 && m[1] > 100), "{measured:?}");
}
