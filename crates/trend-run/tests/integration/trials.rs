//! Runs of many small inputs that nobody keeps.

use std::fs;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use trend_run::{TrialEnd, Trials};

use crate::bench::{Bench, options};

/// Counts the bytes of its input. Some first bytes select another end.
const PROGRAM: &str = r#"
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
static volatile long bytes;
int main(int argc, char **argv) {
    FILE *f = fopen(argv[1], "r");
    int first = getc(f);
    fclose(fopen("left", "w"));
    for (int c = first; c != EOF; c = getc(f))
        bytes++; /* LINE 11 */
    if (first == 'a')
        abort();
    if (first == 'h')
        sleep(100);
    if (first == 'm' && !malloc(1L << 40))
        return 4;
    return first == 'f' ? 3 : 0;
}
"#;

const CONFIG: &str = "[program]\ncommand = './read {input}'\nmemory = '1GB'\n[workloads]\nfiles = 'read.c'\n";

#[test]
fn each_trial_has_its_own_end_and_counts_and_leaves_nothing() {
    let bench = Bench { folder: tempfile::tempdir().unwrap() };
    bench.compile("read", PROGRAM);
    let (config, stop) = (bench.config(CONFIG), AtomicBool::new(false));
    let trials = Trials::open(&config, &bench.path("s.trend"), &options(), &stop).unwrap();
    let workers = [0, 1].map(|number| trials.worker(number).unwrap());
    let counted = |worker: usize, input: &str| {
        let trial = workers[worker].run(input.as_bytes(), Duration::from_secs(20)).unwrap();
        let at = trials.with_places(|_, locations| {
            let is_line = |location: &usize| locations[*location].line == 11;
            (0..locations.len()).filter(is_line).map(|location| trial.counts[location]).max()
        });
        (trial.end, at.unwrap_or(0))
    };
    // A shorter input leaves nothing of a longer one, and counts of one run are not added to those of another.
    assert_eq!(counted(0, "xxxxxxxx"), (TrialEnd::Exited(0), 8));
    assert_eq!(counted(0, "xxx"), (TrialEnd::Exited(0), 3));
    assert_eq!(counted(1, "fail"), (TrialEnd::Exited(3), 4));
    assert_eq!(counted(1, "more"), (TrialEnd::Exited(4), 4));
    let aborted = workers[0].run(b"abort", Duration::from_secs(20)).unwrap();
    assert_eq!(aborted.end, TrialEnd::Signaled(6));
    let hung = workers[0].run(b"hang", Duration::from_millis(300)).unwrap();
    assert_eq!(hung.end, TrialEnd::TimedOut);
    assert_eq!(counted(0, "xx"), (TrialEnd::Exited(0), 2));
    // The program ran in the scratch folder, which ends with the trials.
    assert!(!bench.path("left").exists());
    drop(workers);
    drop(trials);
    assert!(!bench.leftovers());
}

#[test]
fn the_strings_of_a_program_are_in_its_read_only_data() {
    let bench = Bench { folder: tempfile::tempdir().unwrap() };
    bench.compile("read", &PROGRAM.replace("\"left\"", "\"a-string-of-its-own\""));
    let (config, stop) = (bench.config(CONFIG), AtomicBool::new(false));
    let trials = Trials::open(&config, &bench.path("s.trend"), &options(), &stop).unwrap();
    let data = trials.read_only_data();
    assert!(data.windows(19).any(|bytes| bytes == b"a-string-of-its-own"));
    assert!(trials.program().ends_with("read") && fs::metadata(trials.program()).is_ok());
}

#[test]
fn a_request_to_stop_ends_the_current_trial() {
    let bench = Bench { folder: tempfile::tempdir().unwrap() };
    bench.compile("read", PROGRAM);
    let (config, stop) = (bench.config(CONFIG), AtomicBool::new(true));
    let trials = Trials::open(&config, &bench.path("s.trend"), &options(), &stop).unwrap();
    let trial = trials.worker(0).unwrap().run(b"hang", Duration::from_secs(100)).unwrap();
    assert_eq!(trial.end, TrialEnd::Cancelled);
}
