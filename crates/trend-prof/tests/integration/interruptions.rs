//! Runs that are killed, stopped, started twice or read meanwhile: the study ends up the same.

use std::fs;
use std::io::Read;
use std::process::{Child, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::bench::{Bench, Ran};

/// Returns sizes whose runs take a few milliseconds each.
fn sizes(count: u32) -> String {
    let sizes: Vec<String> = (1..=count).map(|k| (200_000 * k).to_string()).collect();
    format!("[{}]", sizes.join(", "))
}

fn start(bench: &Bench, study: &str) -> Child {
    // Times differ from run to run.
    let mut command = bench.interruptible(["run", "--no-time", "--study", study]);
    command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap()
}

fn end(mut child: Child) -> Ran {
    let mut stderr = String::new();
    child.stderr.take().unwrap().read_to_string(&mut stderr).unwrap();
    let mut output = child.wait_with_output().unwrap();
    output.stderr = stderr.into_bytes();
    Ran::from(output)
}

fn findings(bench: &Bench, study: &str) -> String {
    bench.run(["show", study, "--format", "json"]).succeeds().stdout
}

#[test]
fn a_run_killed_at_any_moment_goes_on_to_the_same_study() {
    let bench = Bench::with_sizes(&sizes(40));
    let begin = Instant::now();
    end(start(&bench, "whole.trend")).succeeds();
    let whole = begin.elapsed();

    // The kills are spread over the study at irregular intervals, so they hit different moments of a run. If the
    // machine is faster now, the run may finish first; then another study starts.
    let mut kills = 0;
    for permille in [40, 110, 70, 160, 30, 90, 130, 55].into_iter().cycle().take(40) {
        let mut child = start(&bench, "killed.trend");
        sleep(whole * permille / 1000);
        if child.try_wait().unwrap().is_some() {
            fs::remove_file(bench.path("killed.trend")).unwrap();
            continue;
        }
        child.kill().unwrap();
        child.wait().unwrap();
        kills += 1;
        if kills == 8 {
            break;
        }
    }
    assert!(kills >= 4, "only {kills} of 40 runs were still going on");
    end(start(&bench, "killed.trend")).succeeds();
    assert_eq!(findings(&bench, "killed.trend"), findings(&bench, "whole.trend"));
    // All runs are recorded, so none is repeated.
    end(start(&bench, "killed.trend")).succeeds().says(&["0 runs recorded", "40 recorded before"]);
}

#[test]
fn the_findings_are_the_same_bytes_with_any_number_of_threads_and_jobs() {
    let bench = Bench::with_sizes("[100, 150, 230, 340, 510, 760, 1100, 1700, 2600, 3900, 5800, 8600]");
    bench.run(["run", "-j1", "--study", "one.trend"]).succeeds();
    bench.run(["run", "-j4", "--study", "four.trend"]).succeeds();
    let one = findings(&bench, "one.trend");
    assert_eq!(findings(&bench, "four.trend"), one);
    for threads in ["1", "2", "7"] {
        let ran = bench.run(["show", "one.trend", "--format", "json", "--threads", threads]).succeeds();
        assert_eq!(ran.stdout, one, "{threads} threads");
    }
    let other = bench.run(["show", "one.trend", "--format", "json", "--seed", "2"]).succeeds().stdout;
    assert_ne!(other, one, "the seed makes no difference");
}

#[test]
fn a_second_run_of_a_study_waits_outside_and_show_may_look_in() {
    let bench = Bench::with_sizes(&sizes(100));
    let first = start(&bench, "both.trend");
    // `show` fails until a run is recorded.
    let begin = Instant::now();
    let shown = loop {
        let shown = bench.run(["show", "both.trend", "--format", "json"]);
        if shown.code == 0 || begin.elapsed() > Duration::from_secs(20) {
            break shown;
        }
        sleep(Duration::from_millis(5));
    };
    let seen = shown.succeeds().json()["workloads"]["count"].as_u64().unwrap();
    let second = end(start(&bench, "both.trend"));
    end(first).succeeds();
    // The first run may have finished before the second one started.
    if second.code == 0 {
        assert!(second.stderr.contains("100 recorded before"), "{}", second.stderr);
    } else {
        second.refuses(&["both.trend", "is writing this study"]).hints(&["--study"]);
    }
    assert!((1..=100).contains(&seen));
    assert_eq!(bench.findings(&["both.trend"])["workloads"]["count"], 100);
}

#[test]
fn an_interrupt_keeps_what_is_finished() {
    let bench = Bench::with_sizes(&sizes(60));
    let child = start(&bench, "stopped.trend");
    // The signal handler is installed before this folder appears.
    while !bench.path("stopped.trend.run").exists() {
        sleep(Duration::from_millis(1));
    }
    sleep(Duration::from_millis(100));
    bench.shell(&format!("kill -INT {}", child.id()));
    let ran = end(child);
    // The run may have finished before the signal.
    if ran.code == 130 {
        ran.says(&["not run"]).hints(&["rerun this command"]);
    } else {
        ran.succeeds();
    }
    end(start(&bench, "stopped.trend")).succeeds();
    assert_eq!(bench.findings(&["stopped.trend"])["workloads"]["count"], 60);
}

#[test]
fn an_interrupt_of_the_tool_alone_ends_what_a_build_started() {
    let bench = Bench::new();
    // A shell handles a signal only after its foreground command ends.
    bench.write("build.sh", "sleep 600 & echo $! >pid\nsleep 600\n");
    bench.configure("[program]\nbuild = \"sh build.sh\"\ncommand = [\"./program\"]\n");
    for words in [&["build", "--", "sh", "build.sh"][..], &["run"]] {
        let _ = fs::remove_file(bench.path("pid"));
        let child = bench.interruptible(words).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        let is_written = || fs::read(bench.path("pid")).is_ok_and(|pid| pid.ends_with(b"\n"));
        while !is_written() {
            sleep(Duration::from_millis(5));
        }
        bench.shell(&format!("kill -INT {}", child.id()));
        assert_eq!(child.wait_with_output().unwrap().status.code(), Some(130), "{words:?}");
        // The process may take a moment to end.
        bench.shell("for i in $(seq 100); do kill -0 $(cat pid) 2>&- || exit 0; sleep 0.1; done; exit 1");
    }
}

#[test]
fn counts_of_two_builds_are_never_mixed() {
    let bench = Bench::with_sizes("[100, 200, 300]");
    bench.run(["run"]).succeeds();
    bench.replace("trend-prof.toml", "300]", "300, 400]");
    bench.replace("main.c", "sum += i", "sum -= i");
    bench.run(["-q", "build", "--", "cc", "-o", "program", "main.c"]).succeeds();
    bench.run(["run"]).refuses(&["built"]).hints(&["--fresh"]);
    assert_eq!(bench.counts(&[]).column("n"), [100, 200, 300]);
    bench.run(["run", "--fresh"]).succeeds().says(&["4 runs recorded"]);
}
