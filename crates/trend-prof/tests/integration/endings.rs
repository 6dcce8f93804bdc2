//! However `run` ends, it leaves no processes and no temporary files.
//!
//! The part `daemons` of `benches/run.py chaos` does the same many times at random moments.

use std::fs;
use std::process::{Child, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::bench::{Bench, Ran};

/// Time limit for leftover processes to end on a busy machine. By themselves they would sleep for years.
const SOON: Duration = Duration::from_secs(30);

/// Returns a sleep duration that no other test and no other test suite on this machine uses.
fn seconds(of_test: u32) -> u32 {
    100_000_000 + std::process::id() * 10 + of_test
}

/// Configures runs that never end. One process stays in its session, one leaves it, and one also clears its
/// environment. `seconds` distinguishes them from those of other tests.
fn endless(seconds: u32) -> Bench {
    let bench = Bench::with_loop();
    let script = format!(
        "setsid sleep {seconds} & env -i setsid sh -c \"sleep {seconds} & sleep {seconds}\" & sleep {seconds}; ./program {{n}}"
    );
    bench.configure(&format!(
        "[program]\ncommand = ['sh', '-c', '{script}']\n[workloads]\nparameters = {{ n = [1, 2, 3] }}\n"
    ));
    bench
}

/// Returns the IDs of processes with this word in their command line.
fn with_word(word: &str) -> Vec<u32> {
    let pids = fs::read_dir("/proc").unwrap().flatten().filter_map(|e| e.file_name().to_str()?.parse().ok());
    let has_word = |pid: &u32| {
        let line = fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
        line.split(|b| *b == 0).any(|w| w == word.as_bytes())
    };
    pids.filter(has_word).collect()
}

fn wait_until(what: &str, within: Duration, is_so: impl Fn() -> bool) {
    let begin = Instant::now();
    while !is_so() {
        assert!(begin.elapsed() < within, "not so after {:?}: {what}", begin.elapsed());
        sleep(Duration::from_millis(5));
    }
}

/// Starts `run` in its own session and waits until two runs are in progress.
fn start(bench: &Bench, seconds: u32) -> Child {
    let run = bench.interruptible(["run", "-j2"]);
    let mut command = std::process::Command::new("setsid");
    command.arg(run.get_program()).args(run.get_args()).current_dir(bench.folder()).stdin(Stdio::null());
    let child = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    wait_until("two runs are under way", SOON, || with_word(&seconds.to_string()).len() == 8);
    child
}

fn nothing_is_left(bench: &Bench, seconds: u32) {
    wait_until("nothing runs, and no file is left", SOON, || {
        let scratch = bench.path("program.trend.run");
        let left = with_word(&seconds.to_string()).len()
            + with_word(&bench.path("program.trend.run").to_string_lossy()).len();
        left == 0 && !scratch.exists()
    });
}

fn next_run_is_fine(bench: &Bench) {
    bench.configure(
        "[program]\ncommand = ['./program', '{n}']\n[workloads]\nparameters = { n = [1, 2, 3] }\n",
    );
    bench.run(["run", "--fresh"]).succeeds().says(&["3 runs recorded"]);
}

#[test]
fn after_each_signal_nothing_is_left_and_the_exit_code_tells_it() {
    let seconds = seconds(1);
    for (signal, code) in [("INT", 130), ("TERM", 143), ("HUP", 129), ("KILL", -9)] {
        let bench = endless(seconds);
        let child = start(&bench, seconds);
        bench.shell(&format!("kill -{signal} {}", child.id()));
        nothing_is_left(&bench, seconds);
        let ran = Ran::from(child.wait_with_output().unwrap()).ends_with(code);
        if signal != "KILL" {
            ran.says(&["not run"]);
        }
        next_run_is_fine(&bench);
    }
}

#[test]
fn after_the_end_of_its_whole_session_nothing_is_left() {
    let seconds = seconds(2);
    let bench = endless(seconds);
    let child = start(&bench, seconds);
    bench.shell(&format!("pkill -KILL -s {}", child.id()));
    nothing_is_left(&bench, seconds);
    Ran::from(child.wait_with_output().unwrap()).ends_with(-9);
    next_run_is_fine(&bench);
}

#[test]
fn a_next_run_that_comes_at_once_is_not_refused() {
    let seconds = seconds(3);
    let bench = endless(seconds);
    for _ in 0..5 {
        let mut child = start(&bench, seconds);
        child.kill().unwrap();
        // Start the next run while the processes of the killed one are still being ended.
        let mut next = start_at_once(&bench);
        child.wait().unwrap();
        sleep(Duration::from_millis(300));
        assert!(next.try_wait().unwrap().is_none(), "the next run was refused");
        next.kill().unwrap();
        next.wait().unwrap();
        nothing_is_left(&bench, seconds);
    }
}

fn start_at_once(bench: &Bench) -> Child {
    bench.command(["run", "-j2"]).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
}

#[test]
fn the_end_of_a_program_or_of_its_children_leaves_nothing_behind() {
    let seconds = seconds(4);
    let bench = endless(seconds);
    let child = start(&bench, seconds);
    // Kill all processes at once, repeatedly, until every run has failed.
    wait_until("all runs are over", Duration::from_secs(30), || {
        let _ =
            std::process::Command::new("pkill").args(["-KILL", "-f", &format!("sleep {seconds}")]).status();
        !bench.path("program.trend.run").exists()
    });
    nothing_is_left(&bench, seconds);
    Ran::from(child.wait_with_output().unwrap()).fails(&["SIGKILL"]);
    next_run_is_fine(&bench);
}

#[test]
fn between_counted_and_timed_runs_a_kill_leaves_nothing_behind() {
    let bench = Bench::with_sizes("[20000000, 40000000, 80000000]");
    for _ in 0..4 {
        let mut run = bench.command(["run", "--fresh"]).stderr(Stdio::null()).spawn().unwrap();
        wait_until("the program is copied", SOON, || bench.path("program.trend.run/uncounted").exists());
        run.kill().unwrap();
        run.wait().unwrap();
        wait_until("the folder is gone", SOON, || !bench.path("program.trend.run").exists());
    }
    bench.run(["run", "--fresh"]).succeeds().says(&["3 runs recorded"]);
}

#[test]
fn a_compiler_that_is_at_work_ends_with_the_tool_and_leaves_no_temporary_file() {
    let seconds = seconds(7);
    let bench = Bench::with_sizes("[1, 2]");
    bench.write(
        "bin/cc",
        format!(
            "#!/bin/sh\n: >\"$TMPDIR/cc1234.o\"\n: >{}\nexec sleep {seconds}\n",
            bench.path("begun").display()
        ),
    );
    bench.shell("chmod +x bin/cc; mkdir temporary");
    let path = format!("{}:{}", bench.path("bin").display(), std::env::var("PATH").unwrap());
    let mut run = bench.command(["run", "--no-build", "--memory-by-line"]);
    run.env("PATH", path).env("TMPDIR", bench.path("temporary")).stderr(Stdio::null());
    let mut run = run.spawn().unwrap();
    wait_until("the compiler is at work", SOON, || with_word(&seconds.to_string()).len() == 1);
    assert!(bench.path("begun").exists());
    run.kill().unwrap();
    run.wait().unwrap();
    nothing_is_left(&bench, seconds);
    assert_eq!(fs::read_dir(bench.path("temporary")).unwrap().count(), 0);
    assert!(!bench.path("program.trend").exists());
}

#[test]
fn supervisors_outlive_signals_that_go_to_everybody() {
    let seconds = seconds(5);
    let bench = endless(seconds);
    let child = start(&bench, seconds);
    let scratch = bench.path("program.trend.run");
    let mut everybody = with_word(&scratch.to_string_lossy());
    assert_eq!(everybody.len(), 3, "two supervisors of runs, and one of the folder");
    everybody.push(child.id());
    let everybody: Vec<String> = everybody.iter().map(u32::to_string).collect();
    bench.shell(&format!("kill -TERM {}", everybody.join(" ")));
    nothing_is_left(&bench, seconds);
    Ran::from(child.wait_with_output().unwrap()).ends_with(143);
}

#[test]
fn under_nohup_the_end_of_the_terminal_means_nothing() {
    let seconds = seconds(6);
    let bench = endless(seconds);
    let run = bench.command(["run", "-j2"]);
    let mut command = std::process::Command::new("nohup");
    command.arg(run.get_program()).args(run.get_args()).current_dir(bench.folder()).stdin(Stdio::null());
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    wait_until("two runs are under way", SOON, || with_word(&seconds.to_string()).len() == 8);
    bench.shell(&format!("kill -HUP {}", child.id()));
    sleep(Duration::from_millis(300));
    assert!(child.try_wait().unwrap().is_none());
    child.kill().unwrap();
    child.wait().unwrap();
    nothing_is_left(&bench, seconds);
}

#[test]
fn a_folder_of_the_user_is_refused_and_stays_as_it_is() {
    let bench = Bench::with_sizes("[1, 2]");
    bench.shell("mkdir program.trend.run; echo x >program.trend.run/thesis");
    bench
        .run(["run"])
        .refuses(&["program.trend.run", "is not a scratch folder"])
        .hints(&["rename or remove", "--study"]);
    assert_eq!(bench.read("program.trend.run/thesis"), "x\n");
    bench.shell("mv program.trend.run mine; ln -s mine program.trend.run");
    bench.run(["run"]).refuses(&["is not a scratch folder"]);
    assert_eq!(bench.read("mine/thesis"), "x\n");
    bench.shell("rm program.trend.run");
    bench.run(["run"]).succeeds();
}
