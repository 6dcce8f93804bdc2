//! Studies that were crafted to harm their readers.

use std::fs;
use std::process::{Command, Stdio};

use trend_profile::{
    Definition, Function, FunctionId, Kind, Location, NewStudy, Outcome, Run, SourceText, StudyFile, Usage,
    Workload,
};
use wait4::Wait4 as _;

use crate::bench::{Bench, is_installed, skipped};

/// Maximum memory of any command, whatever the study contains.
const MOST_BYTES: u64 = 1 << 30;

fn study(bench: &Bench, root: &str) -> StudyFile {
    let mut file = StudyFile::create(&bench.path("hostile.trend"), &NewStudy::new("p", root)).unwrap();
    file.add_feature("n", &Definition::Given).unwrap();
    file
}

/// Adds `count` locations in the file `name`.
fn learn(file: &mut StudyFile, name: &str, count: u32) {
    let function = Function::plain("f", name, 1);
    let location = |block: u32| Location {
        function: FunctionId(0),
        kind: Kind::Block,
        block,
        file: name.into(),
        line: 1 + block,
        lines: [1 + block].into(),
        label: "".into(),
    };
    let locations: Vec<Location> = (0..count).map(location).collect();
    file.intern(&[function], &locations).unwrap();
}

fn record(file: &mut StudyFile, workload: u64, counts: &[u64]) {
    record_again(file, workload, 0, counts);
}

fn record_again(file: &mut StudyFile, workload: u64, repetition: u32, counts: &[u64]) {
    let run =
        Run { repetition, outcome: Outcome::Finished, usage: Usage::default(), stderr_tail: String::new() };
    let name = format!("w{workload:04}");
    let values = [("n".to_owned(), Some(workload as f64))];
    file.record(&Workload::imported(&name), &run, Some(counts), &values).unwrap();
}

/// Asserts that every reading command stays within the memory limit, and succeeds or ends with an error.
#[track_caller]
fn is_harmless(bench: &Bench) {
    let size = fs::metadata(bench.path("hostile.trend")).unwrap().len();
    assert!(size < 2 << 20, "a study of {size} bytes is not small");
    for arguments in [
        &["show", "hostile.trend"][..],
        &["show", "hostile.trend", "--format", "json"],
        &["report", "hostile.trend", "-o", "/dev/null"],
        &["predict", "hostile.trend", "n=1000"],
        &["export", "csv", "hostile.trend", "-o", "/dev/null"],
        &["repair", "hostile.trend"],
    ] {
        let _ = fs::remove_file(bench.path("hostile.repaired.trend"));
        let mut command = bench.command(arguments);
        let mut child = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
        let stderr = child.stderr.take().unwrap();
        let messages = std::thread::spawn(move || std::io::read_to_string(stderr).unwrap());
        let ended = child.wait4().unwrap();
        let messages = messages.join().unwrap();
        assert!(matches!(ended.status.code(), Some(0 | 2)), "{arguments:?}: {:?} {messages}", ended.status);
        assert!(
            ended.rusage.maxrss < MOST_BYTES,
            "{arguments:?} took {} bytes: {messages}",
            ended.rusage.maxrss
        );
    }
}

#[test]
fn texts_that_unpack_to_gigabytes_harm_nobody() {
    let bench = Bench::new();
    let mut file = study(&bench, "");
    learn(&mut file, "0.c", 3);
    (1..9).for_each(|w| record(&mut file, w, &[w, w * w, 7]));
    for i in 0..40 {
        let text = "\n".repeat(50 << 20);
        file.add_sources(&[SourceText { file: format!("{i}.c"), text }]).unwrap();
    }
    file.close().unwrap();
    bench.run(["show", "hostile.trend"]).refuses(&["hostile.trend", "bytes of memory"]);
    is_harmless(&bench);
}

#[test]
fn texts_just_within_the_limit_harm_nobody() {
    let bench = Bench::new();
    let mut file = study(&bench, "");
    learn(&mut file, "0.c", 3);
    (1..9).for_each(|w| record(&mut file, w, &[w, w * w, 7]));
    for i in 0..9 {
        let text = "<\n".repeat(25 << 20);
        file.add_sources(&[SourceText { file: format!("{i}.c"), text }]).unwrap();
    }
    file.close().unwrap();
    bench.run(["show", "hostile.trend"]).succeeds();
    is_harmless(&bench);
}

#[test]
fn counts_of_very_many_workloads_harm_nobody() {
    let bench = Bench::new();
    let mut file = study(&bench, "");
    learn(&mut file, "a.c", 60_000);
    (0..3000).for_each(|w| record(&mut file, w, &vec![w % 2; 60_000]));
    file.close().unwrap();
    bench.run(["show", "hostile.trend"]).refuses(&["hostile.trend", "bytes of memory"]);
    is_harmless(&bench);
}

#[test]
fn very_many_repetitions_harm_nobody() {
    let bench = Bench::new();
    let mut file = study(&bench, "");
    learn(&mut file, "a.c", 250_000);
    (0..400).for_each(|r| record_again(&mut file, 1, r, &vec![7; 250_000]));
    file.close().unwrap();
    bench.run(["show", "hostile.trend"]).refuses(&["hostile.trend", "bytes of memory", "--memory 8GB"]);
    is_harmless(&bench);
}

#[test]
fn very_many_features_of_very_many_workloads_harm_nobody() {
    let bench = Bench::new();
    let mut file = study(&bench, "");
    learn(&mut file, "a.c", 3);
    let names =
        |kind: &str| (0..16_000).map(|i| (format!("{kind}{i}"), Definition::Given)).collect::<Vec<_>>();
    (0..9_000).for_each(|w| record(&mut file, w, &[w, w * w, 7]));
    file.declare_features(&names("f")).unwrap();
    let too_many = (0..20_000).map(|i| (format!("f{i}"), Definition::Given)).collect::<Vec<_>>();
    let refused = file.declare_features(&too_many);
    assert!(matches!(refused, Err(trend_profile::StudyError::Inconsistent { .. })), "{refused:?}");
    file.close().unwrap();
    bench.run(["show", "hostile.trend"]).refuses(&["hostile.trend", "bytes of memory"]);
    is_harmless(&bench);
}

#[test]
fn features_that_are_counts_of_lines_harm_nobody() {
    let bench = Bench::new();
    let mut file = study(&bench, "");
    learn(&mut file, "a.c", 400_000);
    (1..9).for_each(|w| record(&mut file, w, &vec![w; 400_000]));
    let feature = |i: u32| (format!("f{i}"), Definition::Location(format!("b{i}.c:{}", 1 + i)));
    file.declare_features(&(0..10_000).map(feature).collect::<Vec<_>>()).unwrap();
    file.close().unwrap();
    let begin = std::time::Instant::now();
    bench.run(["export", "csv", "hostile.trend", "-o", "/dev/null"]).succeeds();
    // The limit suits a debug build. 4 G comparisons would take longer.
    assert!(begin.elapsed().as_secs() < 30, "{:?}", begin.elapsed());
}

#[test]
fn a_study_from_elsewhere_reads_nothing_outside_of_itself() {
    if !is_installed("strace") {
        return skipped("what a study reads", "strace is not installed");
    }
    let bench = Bench::new();
    bench.write("secret/a.c", "secret\n");
    let secret = bench.path("secret");
    let mut file = study(&bench, &secret.to_string_lossy());
    learn(&mut file, "a.c", 3);
    (1..9).for_each(|w| record(&mut file, w, &[w, w * w, 7]));
    file.close().unwrap();
    for arguments in [
        &["show", "hostile.trend"][..],
        &["show", "hostile.trend", "a.c:2"],
        &["report", "hostile.trend", "-o", "page.html"],
        &["predict", "hostile.trend", "n=1000"],
        &["export", "csv", "hostile.trend"],
        &["repair", "hostile.trend"],
    ] {
        let mut traced = Command::new("strace");
        traced.args(["-f", "-qq", "-e", "trace=%file", "-o", "trace", env!("CARGO_BIN_EXE_trend-prof")]);
        let ended = traced.args(arguments).current_dir(bench.folder()).output().unwrap();
        assert!(ended.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&ended.stderr));
        let trace = bench.read("trace");
        assert!(trace.contains("hostile.trend"), "{arguments:?} was not traced");
        assert!(!trace.contains("secret"), "{arguments:?} looked at what the study names: {trace}");
    }
    assert!(!bench.read("page.html").contains("secret\n"));
}
