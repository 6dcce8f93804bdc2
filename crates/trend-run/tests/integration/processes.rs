//! Tests the side effects of a run's processes: they leave, stay, multiply, write, and occupy memory.

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use trend_profile::{Outcome, WarningKind};
use trend_run::{ExecuteOptions, RunError, Summary};

use crate::bench::{Bench, options, sweep};

/// A daemon that leaves its session, and counts only some time after the program has ended.
const DAEMON: &str = r"
#include <stdlib.h>
#include <unistd.h>
static volatile long sink;
static void work(long n) {
    for (long i = 0; i < n; i++)
        sink += i; /* LINE 7 */
}
int main(int argc, char **argv) {
    long n = atol(argv[1]), milliseconds = atol(argv[2]);
    if (fork() == 0) {
        setsid();
        if (fork() != 0) _exit(0);
        usleep(milliseconds * 1000);
        work(n);
        exit(0);
    }
    work(1);
    return 0;
}
";

const DAEMON_LINE: &str = "daemon.c:7";

fn with(program: &str, source: &str) -> Bench {
    let bench = Bench { folder: tempfile::tempdir().unwrap() };
    bench.compile(program, source);
    bench
}

fn command(command: &str) -> String {
    format!("[program]\ncommand = {command}\n[workloads]\nparameters = {{ n = [5] }}\n")
}

/// Returns the number of processes whose command line contains this word.
fn running(word: &str) -> usize {
    let lines =
        fs::read_dir("/proc").unwrap().flatten().filter_map(|p| fs::read(p.path().join("cmdline")).ok());
    lines.filter(|line| line.split(|b| *b == 0).any(|w| w == word.as_bytes())).count()
}

fn warned(summary: &Summary, kind: &WarningKind) -> bool {
    summary.warnings.iter().any(|w| w.kind == *kind)
}

#[test]
fn what_a_daemon_counts_belongs_to_its_own_run() {
    let bench = with("daemon", DAEMON);
    let text = command("'./daemon {n} 300'");
    let thrice = ExecuteOptions { repeat: Some(3), ..options() };
    let summary = bench.run_with(&text, &thrice).unwrap();
    assert_eq!(summary.finished, 3, "{summary:?}");
    assert!(!warned(&summary, &WarningKind::LeftProcesses));
    let study = bench.loaded();
    // Each repetition has its own 1 and its daemon's 5. A median would differ if a daemon's counts went to another run.
    assert_eq!(study.executions_of_line(DAEMON_LINE).unwrap(), [6]);
    assert_eq!(study.workloads()[0].repetitions, 3);
}

#[test]
fn a_daemon_that_stays_is_ended_before_the_next_run() {
    let bench = with("daemon", DAEMON);
    // The daemon waits longer than its run does. The number is unique on this machine, to find the process.
    let waits = (3_000_000 + std::process::id() % 1_000_000).to_string();
    let text = command(&format!("'./daemon {{n}} {waits}'"));
    let twice = ExecuteOptions { repeat: Some(2), ..options() };
    let summary = bench.run_with(&text, &twice).unwrap();
    assert_eq!(summary.finished, 2, "{summary:?}");
    assert!(warned(&summary, &WarningKind::LeftProcesses));
    assert_eq!(bench.loaded().executions_of_line(DAEMON_LINE).unwrap(), [1]);
    assert_eq!(running(&waits), 0);
    assert!(!bench.leftovers());
}

#[test]
fn processes_that_multiply_are_ended() {
    // Hundreds of processes at the same time, each in its own session, that replace those that end.
    let bench = with(
        "bomb",
        r"
        #include <stdlib.h>
        #include <unistd.h>
        #include <sys/wait.h>
        int main(int argc, char **argv) {
            int depth = argc > 2 ? atoi(argv[2]) : 0;
            for (int child = 0; child < 6; child++)
                if (depth < 3 && fork() == 0) {
                    char next[9];
                    setsid();
                    next[0] = '1' + depth; next[1] = 0;
                    execl(argv[0], argv[0], argv[1], next, NULL);
                    _exit(1);
                }
            for (;;) {
                if (depth < 3 && wait(NULL) > 0 && fork() == 0) { setsid(); for (;;) pause(); }
                if (depth >= 3) pause();
            }
        }",
    );
    let word = format!("bomb-{}", std::process::id());
    let limited = ExecuteOptions { timeout: Some(Duration::from_secs(2)), ..options() };
    let begin = Instant::now();
    let most = thread::scope(|scope| {
        let run =
            scope.spawn(|| bench.run_with(&command(&format!("'./bomb {word}{{n}}'")), &limited).unwrap());
        let mut most = 0;
        while !run.is_finished() {
            most = most.max(running(&format!("{word}5")));
            thread::sleep(Duration::from_millis(50));
        }
        assert_eq!(run.join().unwrap().failures[0].outcome, Outcome::TimedOut);
        most
    });
    assert!(most > 100, "{most}");
    assert!(begin.elapsed() < Duration::from_secs(30));
    assert_eq!(running(&format!("{word}5")), 0);
}

/// A program that occupies as many MiB as its argument says. It prints the kernel's figure of its peak memory.
const OCCUPIER: &str = r#"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(int argc, char **argv) {
    size_t size = atol(argv[1]) << 20;
    char *p = malloc(size);
    memset(p, 1, size);
    if (argc > 2 && !strcmp(argv[2], "double"))
        for (;; size *= 2) {
            char *more = realloc(p, 2 * size);
            if (!more) abort();
            p = more;
            memset(p, 1, 2 * size);
        }
    if (argc > 2 && !strcmp(argv[2], "abort")) abort();
    char line[200];
    FILE *status = fopen("/proc/self/status", "r");
    while (fgets(line, sizeof line, status))
        if (!strncmp(line, "VmHWM", 5)) fputs(line, stderr);
    return p[0] - 1;
}
"#;

#[test]
fn peak_memory_is_that_of_the_program_whatever_the_tool_has() {
    let bench = with("occupier", OCCUPIER);
    let text = format!(
        "{}[features]\ntrue = {{ stderr = 'VmHWM:\\s+(\\d+)' }}\n",
        sweep("[1, 2, 10]", "").replace("./loop", "./occupier")
    );
    for size in [0, 300 << 20] {
        let ballast = std::hint::black_box(vec![1_u8; size]);
        let fresh = ExecuteOptions { fresh: true, ..options() };
        assert_eq!(bench.run_with(&text, &fresh).unwrap().finished, 3);
        let study = bench.loaded();
        let truths =
            &study.feature_named("true").map(|f| study.features()[f.index()].values.clone()).unwrap();
        for (workload, truth) in study.workloads().iter().zip(truths) {
            let (peak, truth) = (workload.usage.unwrap().peak_rss_bytes as f64, truth.unwrap() * 1024.0);
            assert!((peak - truth).abs() < 0.2 * truth, "{}: {peak} instead of {truth}", workload.name);
        }
        drop(ballast);
    }
}

#[test]
fn memory_is_suspected_where_the_program_had_half_of_its_limit() {
    let bench = with("occupier", OCCUPIER);
    let limited = ExecuteOptions { memory_bytes: Some(100 << 20), ..options() };
    let help = |how: &str| {
        let text = sweep("[3]", how).replace("./loop", "./occupier");
        let summary = bench.run_with(&text, &limited).unwrap();
        assert_eq!(summary.failures[0].outcome, Outcome::Crashed { signal: 6 });
        summary.advice()[0].help.clone()
    };
    assert!(help("double").unwrap().contains("may have been reached"));
    assert!(!help("abort").unwrap().contains("memory"));
}

/// A program that writes 700 MB to its stderr or stdout, with a number near the beginning and one near the end.
const TALKER: &str = r#"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(int argc, char **argv) {
    FILE *out = !strcmp(argv[1], "stdout") ? stdout : stderr;
    static char line[1 << 16];
    memset(line, 'x', sizeof line - 1);
    line[sizeof line - 2] = '\n';
    fprintf(out, "nodes=1\n");
    for (int k = 0; k < 11000; k++) fputs(line, out);
    fprintf(out, "nodes=42\nthe end\n");
    return argc > 2 ? 3 : 0;
}
"#;

/// Returns the peak disk usage of the files below a folder while `run` ran.
fn most_on_disk(folder: &Path, run: impl FnOnce() + Send) -> u64 {
    fn occupied(folder: &Path) -> u64 {
        let entries = fs::read_dir(folder).into_iter().flatten().flatten();
        let sizes = entries.map(|e| match e.metadata() {
            Ok(m) if m.is_dir() => occupied(&e.path()),
            Ok(m) => m.blocks() * 512,
            Err(_) => 0,
        });
        sizes.sum()
    }
    thread::scope(|scope| {
        let run = scope.spawn(run);
        let mut most = 0;
        while !run.is_finished() {
            most = most.max(occupied(folder));
            thread::sleep(Duration::from_millis(5));
        }
        run.join().unwrap();
        most
    })
}

/// Number of bytes that `TALKER` writes.
const TALKED: u64 = 11_000 * ((1 << 16) - 1);

/// Limit of the disk usage. The supervisor trims the output every 25 ms. The disk then holds 64 MiB, plus what the
/// program wrote since, which is more if other programs delay the supervisor. Half of the output is far from both what
/// trimming leaves and what piles up without it.
const MOST_ON_DISK: u64 = TALKED / 2;

#[test]
fn of_endless_output_the_end_is_kept() {
    let bench = with("talker", TALKER);
    let scratch = bench.path("s.trend.run");
    let most = most_on_disk(&scratch, || {
        let summary = bench.run(&command("'./talker stderr {n}'"));
        assert!(summary.failures[0].stderr_tail.ends_with("x\nnodes=42\nthe end\n"));
    });
    assert!(most < MOST_ON_DISK, "{most}");
    for stream in ["stdout", "stderr"] {
        let features = format!("[features]\nnodes = {{ {stream} = 'nodes=(\\d+)' }}\n");
        let text = format!("{}{features}", command(&format!("['sh', '-c', './talker {stream} # {{n}}']")));
        let most = most_on_disk(&scratch, || {
            let summary = bench.run_with(&text, &ExecuteOptions { fresh: true, ..options() }).unwrap();
            assert_eq!(summary.finished, 1, "{summary:?}");
        });
        assert!((60_000_000..MOST_ON_DISK).contains(&most), "{stream}: {most}");
        assert_eq!(bench.loaded().features()[0].values, [Some(42.0)]);
    }
}

/// Returns the process ids of this process's supervisors.
fn supervisors() -> Vec<String> {
    let own = std::process::id().to_string();
    let stat = |pid: &str| fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    let is_child = |pid: &String| {
        let stat = stat(pid);
        stat.rsplit(") ").next().and_then(|rest| rest.split(' ').nth(1)) == Some(own.as_str())
    };
    let name = |pid: &String| fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
    let pids = fs::read_dir("/proc").unwrap().flatten().filter_map(|e| e.file_name().into_string().ok());
    let pids = pids.filter(|pid| pid.bytes().all(|b| b.is_ascii_digit()));
    pids.filter(|pid| is_child(pid) && name(pid).starts_with(b"trend-prof-supervisor\0")).collect()
}

#[test]
fn a_run_whose_supervisor_is_killed_is_no_run_and_leaves_nothing() {
    let bench = Bench::with_loop();
    // Durations of `sleep` that are unique on this machine.
    let [left, waits] = [1, 2].map(|i| (100_000_000 + std::process::id() * 10 + i).to_string());
    // A process that has lost every property that could identify it, except its parents.
    let script = format!("env -i setsid sh -c \"sleep {left}\" & ./loop {{n}}; sleep {waits}");
    let text = command(&format!("['sh', '-c', '{script}']"));
    let killed = AtomicBool::new(false);
    let summary = thread::scope(|scope| {
        let run = scope.spawn(|| bench.run(&text));
        while !run.is_finished() {
            if running(&left) > 0 && running(&waits) > 0 && !killed.swap(true, Ordering::Relaxed) {
                for supervisor in supervisors() {
                    Command::new("kill").args(["-9", &supervisor]).status().unwrap();
                }
            }
            thread::sleep(Duration::from_millis(10));
        }
        run.join().unwrap()
    });
    let Outcome::NoCounts { reason } = &summary.failures[0].outcome else { panic!("{summary:?}") };
    assert!(reason.contains("its supervisor process ended by SIGKILL"), "{reason}");
    assert_eq!((running(&left), running(&waits)), (0, 0));
    assert!(!bench.leftovers());
    assert_eq!(bench.run(&command("'./loop {n}'")).finished, 1);
}

#[test]
fn a_folder_of_the_user_is_not_taken_for_scratch() {
    let bench = Bench::with_loop();
    fs::create_dir(bench.path("s.trend.run")).unwrap();
    bench.write("s.trend.run/thesis", "x");
    let error = bench.run_with(&sweep("[5]", ""), &options()).unwrap_err();
    assert!(matches!(error, RunError::NotScratch { .. }), "{error}");
    assert!(error.hint().unwrap().contains("rename or remove"));
    assert_eq!(fs::read(bench.path("s.trend.run/thesis")).unwrap(), b"x");
}

#[test]
fn the_environment_of_a_run_is_the_same_in_every_repetition() {
    let bench = Bench::with_loop();
    let script = "env | grep -v ^_= | sort >>environment-$$; pwd >>environment-$$; ./loop {n}";
    let text = command(&format!("['sh', '-c', '{script}']"));
    let thrice = ExecuteOptions { repeat: Some(3), ..options() };
    assert_eq!(bench.run_with(&text, &thrice).unwrap().finished, 3);
    let names = fs::read_dir(bench.folder.path()).unwrap().flatten().map(|e| e.path());
    let written: Vec<String> = names
        .filter(|p| p.file_name().unwrap().to_string_lossy().starts_with("environment-"))
        .map(|p| fs::read_to_string(p).unwrap())
        .collect();
    assert_eq!(written.len(), 3);
    assert!(written.iter().all(|text| *text == written[0]), "{written:?}");
}

#[test]
fn a_program_has_the_settings_that_the_tool_has() {
    let bench = Bench::with_loop();
    let settings = ["THP_enabled", "SigBlk", "SigIgn"];
    let script = "cat /proc/self/status >status-{n}; ulimit -a >>status-{n}; ./loop {n}";
    bench.run(&command(&format!("['sh', '-c', '{script}']")));
    // Runs the same script directly below this process, as a shell starts it.
    let line = "cat /proc/self/status >status-6; ulimit -a >>status-6";
    let status = Command::new("sh").args(["-c", line]).current_dir(bench.folder.path()).status();
    assert!(status.unwrap().success());
    let read = |name: &str| -> Vec<String> {
        let text = fs::read_to_string(bench.path(name)).unwrap();
        let of_interest = |line: &&str| settings.iter().any(|s| line.starts_with(s)) || line.contains('(');
        // Signals 32 and 33 belong to glibc, and posix_spawn ignores others than fork.
        let own = |line: &str| match line.strip_prefix("SigIgn:\t") {
            Some(mask) => format!("{:x}", u64::from_str_radix(mask, 16).unwrap() & 0x7fff_ffff),
            None => line.to_owned(),
        };
        text.lines().filter(of_interest).map(own).collect()
    };
    assert!(read("status-5").len() > 5);
    assert_eq!(read("status-5"), read("status-6"));
}
