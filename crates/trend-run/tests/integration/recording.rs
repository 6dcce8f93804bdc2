use std::ffi::OsStr;
use std::num::NonZeroUsize;
use std::os::unix::ffi::OsStrExt;
use trend_profile::WarningKind;

use trend_run::{CommandLine, Config, ExecuteOptions, parse_parameter};

use crate::bench::{Bench, LOOP_LINE, options, sweep};

#[test]
fn runs_at_once_never_mix_their_counts() {
    let bench = Bench::with_loop();
    let values: Vec<String> = (1..=60).map(|n| (n * 7).to_string()).collect();
    let options = ExecuteOptions { jobs: NonZeroUsize::new(8), ..options() };
    let summary = bench.run_with(&sweep(&format!("[{}]", values.join(",")), ""), &options).unwrap();
    assert_eq!((summary.finished, summary.failures.len()), (60, 0), "{summary:?}");
    let study = bench.loaded();
    let counts = study.executions_of_line(LOOP_LINE).unwrap();
    for (workload, count) in study.workloads().iter().zip(counts) {
        assert_eq!(workload.name, format!("n={count}"));
        assert!(workload.usage.unwrap().wall.as_micros() > 0);
    }
    assert_eq!(study.features()[0].name, "n");
    assert!(study.source("loop.c").unwrap().contains("LINE 12"));
    assert!(!bench.leftovers());
}

#[test]
fn a_program_that_forks_is_summed_over_its_processes() {
    let bench = Bench::with_loop();
    bench.run(&sweep("[100]", "fork"));
    assert_eq!(bench.loaded().executions_of_line(LOOP_LINE).unwrap(), [400]);
}

#[test]
fn several_programs_of_one_command_are_summed() {
    let bench = Bench::with_loop();
    bench.compile("other", "int main(int c, char **v) { return 0; }");
    bench.run("[program]\ncommand = ['sh', '-c', './loop {n}; ./loop {n} | ./other']\n[workloads]\nparameters = { n = 5 }");
    let study = bench.loaded();
    assert_eq!(study.executions_of_line(LOOP_LINE).unwrap(), [10]);
    assert_eq!(study.executions_of_line("other.c:1").unwrap(), [1]);
}

#[test]
fn files_of_every_name_are_inputs() {
    let bench = Bench::with_loop();
    let names: [&[u8]; 5] = [b"a b.in", b"new\nline.in", b"\xff.in", b"\xfe.in", b"-n.in"];
    for (i, name) in names.iter().enumerate() {
        bench.write(OsStr::from_bytes(name), &"x".repeat(i));
    }
    let text = "[program]\ncommand = ['sh', '-c', 'test -f \"$0\" && ./loop 5 <\"$0\"', '{input}']\n\
                [workloads]\nfiles = '*.in'\n";
    let summary = bench.run(text);
    assert_eq!(summary.finished, 5, "{summary:?}");
    let study = bench.loaded();
    let mut names: Vec<&str> = study.workloads().iter().map(|w| w.name.as_str()).collect();
    names.sort_unstable();
    assert_eq!(names, ["-n.in", "a b.in", "new\nline.in", "\u{fffd}.in", "\u{fffd}.in #2"]);
    // Nothing runs twice, not even inputs whose names look the same.
    assert_eq!(bench.run(text).skipped, 5);
}

#[test]
fn stdin_environment_and_folder_are_given_to_the_run() {
    let bench = Bench::with_loop();
    std::fs::create_dir(bench.path("there")).unwrap();
    bench.write("in.txt", "7");
    let text = "[program]\ncommand = ['sh', '-c', '\"$PROGRAM\" $(cat)$MORE; basename $PWD']\nstdin = '{input}'\n\
                cwd = 'there'\nenv = { MORE = '0', PROGRAM = '../loop' }\n[workloads]\nfiles = 'in.*'\n\
                [features]\nx = { stdout = 'ther(e*)' }";
    let summary = bench.run(text);
    assert_eq!(summary.finished, 1, "{summary:?}");
    assert_eq!(bench.loaded().executions_of_line(LOOP_LINE).unwrap(), [70]);
    assert_eq!(summary.warnings[0].kind, WarningKind::FeatureNotANumber);
    assert!(summary.warnings[0].message.contains("\"e\""));
}

#[test]
fn the_command_line_alone_is_enough() {
    let bench = Bench::with_loop();
    let line = CommandLine {
        command: vec!["./loop".into(), "{n}".into()],
        parameters: vec![parse_parameter("n=10..1000x3").unwrap()],
        ..CommandLine::default()
    };
    let config = Config::from_command_line(bench.folder.path(), line).unwrap();
    let plan = trend_run::plan(&config).unwrap();
    let stop = std::sync::atomic::AtomicBool::new(false);
    trend_run::execute(&plan, &mut bench.study(), &options(), &(), &stop).unwrap();
    assert_eq!(bench.loaded().executions_of_line(LOOP_LINE).unwrap(), [10, 100, 1000]);
}

#[test]
fn repetitions_are_runs_of_their_own() {
    let bench = Bench::with_loop();
    let thrice = ExecuteOptions { repeat: Some(3), ..options() };
    assert_eq!(bench.run_with(&sweep("[4]", ""), &thrice).unwrap().finished, 3);
    assert_eq!(bench.loaded().workloads()[0].repetitions, 3);
    let more = ExecuteOptions { repeat: Some(5), ..options() };
    let summary = bench.run_with(&sweep("[4]", ""), &more).unwrap();
    assert_eq!((summary.finished, summary.skipped), (2, 3));
}
