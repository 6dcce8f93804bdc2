use std::fs;
use std::time::{Duration, Instant};

use trend_profile::Outcome;
use trend_run::ExecuteOptions;

use crate::bench::{Bench, options, sweep};

fn reason(outcome: Outcome) -> String {
    match outcome {
        Outcome::NoCounts { reason } | Outcome::NotStarted { reason } => reason,
        other => panic!("{other:?} has no reason"),
    }
}

#[test]
fn a_failed_run_is_recorded_with_the_end_of_its_stderr_and_the_others_go_on() {
    let bench = Bench::with_loop();
    let text = "[program]\ncommand = ['./loop', '{n}', '{how}']\n[workloads]\n\
                parameters = { n = [5], how = ['', 'fail', 'abort'] }\n\
                [features]\nsize = { parameter = 'n' }\nsaid = { stdout = '([0-9]+)' }\n";
    let text = text.replace("['', ", "['ok', ");
    let summary = bench.run(&text);
    assert_eq!((summary.finished, summary.failures.len()), (1, 2));
    let states = bench.study().run_states();
    let outcomes: Vec<Outcome> = states.iter().map(|s| s.outcome.clone()).collect();
    assert!(outcomes.contains(&Outcome::Failed { code: 3 }));
    assert!(outcomes.contains(&Outcome::Crashed { signal: 6 }));
    let failed = states.iter().find(|s| s.outcome == Outcome::Failed { code: 3 }).unwrap();
    assert_eq!(failed.stderr_tail, "it went wrong\n");
    assert!(
        summary.advice().iter().any(|a| a.help.as_ref().is_some_and(|h| h.contains("exit-codes = [0, 3]"))),
        "{:?}",
        summary.advice()
    );
    let study = bench.study().load().unwrap();
    assert_eq!(study.failed().len(), 2);
    for workload in study.failed() {
        assert_eq!(workload.values, [Some(5.0), None], "{workload:?}");
        assert_eq!(workload.stderr_tail.is_empty(), workload.outcome != Outcome::Failed { code: 3 });
    }
    assert!(!bench.leftovers());
}

#[test]
fn of_a_failed_run_that_says_nothing_on_stderr_it_is_told_that_its_stdout_is_not_kept() {
    let bench = Bench::with_loop();
    let with = |script: &str, features: &str| {
        format!(
            "[program]\ncommand = ['sh', '-c', '{script}']\n[workloads]\nparameters = {{ n = [5] }}\n{features}"
        )
    };
    for features in ["", "[features]\nx = { stdout = \"(.)\" }\n"] {
        let (outcome, state, summary) = bench.outcome_of(&with("echo no such rule {n}; exit 2", features));
        assert_eq!((outcome, state.stderr_tail.as_str()), (Outcome::Failed { code: 2 }, ""));
        let text = &summary.advice()[0].text;
        assert!(text.contains("its stdout is not kept"), "{text}");
    }
    let (.., state, summary) = bench.outcome_of(&with("echo {n}; echo wrong >&2; exit 2", ""));
    assert_eq!(state.stderr_tail, "wrong\n");
    assert!(!summary.advice()[0].text.contains("stdout"), "{:?}", summary.advice());
}

#[test]
fn a_measured_program_prints_to_no_reader() {
    let bench = Bench::with_loop();
    let script = "test /dev/stdout -ef /dev/null && ./loop {n}";
    let text =
        format!("[program]\ncommand = ['sh', '-c', '{script}']\n[workloads]\nparameters = {{ n = [5] }}\n");
    assert_eq!(bench.outcome_of(&text).0, Outcome::Finished);
}

#[test]
fn other_exit_codes_can_mean_success() {
    let bench = Bench::with_loop();
    let text = sweep("[5]", "fail").replace("[workloads]", "exit-codes = [0, 3]\n[workloads]");
    assert_eq!(bench.run(&text).finished, 1);
}

#[test]
fn a_program_that_leaves_without_writing_counters_is_told_from_one_that_has_none() {
    for how in ["_exit", "quick_exit"] {
        let bench = Bench::with_loop();
        let (outcome, ..) = bench.outcome_of(&sweep("[5]", how));
        assert!(reason(outcome).contains("did not write its counters"), "{how}");
    }
    let bench = Bench::with_loop();
    let plain = "[program]\ncommand = 'true {n}'\n[workloads]\nparameters = { n = [1] }";
    let (outcome, ..) = bench.outcome_of(plain);
    assert!(reason(outcome).contains("`true` is not instrumented; build it with `trend-prof build"));
}

#[test]
fn of_a_script_the_program_that_it_starts_is_to_blame() {
    let bench = Bench::with_loop();
    let with = |script: &str| {
        format!("[program]\ncommand = ['sh', '-c', '{script}']\n[workloads]\nparameters = {{ n = [5] }}")
    };
    fs::copy("/bin/true", bench.path("plain")).unwrap();
    let (outcome, ..) = bench.outcome_of(&with("true | ./plain {n}"));
    assert!(reason(outcome).contains("`./plain` is not instrumented"));
    let (outcome, ..) = bench.outcome_of(&with("true {n}"));
    assert!(reason(outcome).contains("`sh` is a script"));
    assert_eq!(bench.run(&with("true | ./loop {n}")).finished, 1);
    let name = |text: &str| bench.config(text).program.name;
    assert_eq!(name(&with("true | ./loop {n}")), "loop");
    assert_eq!(name(&with("./plain | ./loop {n}")), "sh");
    // Before the build, the program may be missing, and the study would then get another name.
    assert_eq!(name(&with("./loop {n}").replace("[workloads]", "build = 'make'\n[workloads]")), "sh");
}

#[test]
fn counters_that_cannot_be_written_say_so() {
    let bench = Bench::with_loop();
    let (outcome, ..) = bench.outcome_of(&sweep("[5]", "elsewhere"));
    assert!(reason(outcome).contains("could not be written"));
}

#[test]
fn missing_and_damaged_notes_name_their_path() {
    let bench = Bench::with_loop();
    let notes = bench.path("loop.gcno");
    let whole = fs::read(&notes).unwrap();
    fs::write(&notes, &whole[..whole.len() / 2]).unwrap();
    let (outcome, ..) = bench.outcome_of(&sweep("[5]", ""));
    assert!(reason(outcome).contains("loop.gcno cannot be used"));
    fs::remove_file(&notes).unwrap();
    let (outcome, ..) = bench.outcome_of(&sweep("[5]", ""));
    assert!(reason(outcome).contains("keep the .gcno files"));
    // The failed runs recorded no counts, so `--fresh` is not needed.
    fs::write(&notes, &whole).unwrap();
    assert_eq!(bench.run(&sweep("[5]", "")).finished, 1);
}

#[test]
fn a_hanging_run_is_stopped_with_all_its_processes() {
    let bench = Bench::with_loop();
    let begin = Instant::now();
    let options = ExecuteOptions { timeout: Some(Duration::from_millis(300)), ..options() };
    let summary = bench.run_with(&sweep("[5]", "hang"), &options).unwrap();
    assert_eq!(summary.failures[0].outcome, Outcome::TimedOut);
    assert!(begin.elapsed() < Duration::from_secs(20));
    assert_eq!(survivors(&bench), 0);
}

/// Returns the number of processes left by the bench's runs.
pub(crate) fn survivors(bench: &Bench) -> usize {
    let mark = format!("GCOV_PREFIX={}", bench.path("s.trend.run").display());
    let processes = fs::read_dir("/proc").unwrap().flatten();
    let environments = processes.filter_map(|p| fs::read(p.path().join("environ")).ok());
    environments.filter(|e| e.windows(mark.len()).any(|w| w == mark.as_bytes())).count()
}

#[test]
fn a_memory_limit_ends_a_run_and_is_named() {
    let bench = Bench::with_loop();
    let options = ExecuteOptions { memory_bytes: Some(200 << 20), ..options() };
    let summary = bench.run_with(&sweep("[5]", "memory"), &options).unwrap();
    assert_eq!(summary.failures[0].outcome, Outcome::Failed { code: 1 });
    assert!(summary.failures[0].stderr_tail.contains("the memory limit of 209715200 bytes was reached"));
    assert!(summary.advice()[0].help.as_ref().unwrap().contains("raise `memory`"));
}

#[test]
fn what_cannot_be_started_says_what_was_looked_for() {
    let bench = Bench::with_loop();
    let with =
        |command: &str| format!("[program]\ncommand = '{command}'\n[workloads]\nparameters = {{ n = [1] }}");
    let (outcome, ..) = bench.outcome_of(&with("./nothing {n}"));
    assert!(reason(outcome).contains(&format!("looked for {}", bench.path("nothing").display())));
    let (outcome, ..) = bench.outcome_of(&with("no-such-program {n}"));
    assert!(reason(outcome).contains("not on PATH"));
    let (outcome, ..) = bench.outcome_of(&with("./loop.c {n}"));
    assert!(reason(outcome).contains("not executable"));
}

#[test]
fn a_generator_that_fails_or_writes_nothing_is_named() {
    let bench = Bench::with_loop();
    let with = |generator: &str| {
        format!(
            "[program]\ncommand = ['sh', '-c', './loop $(cat {{input}})']\n[workloads]\nparameters = {{ n = [1, 2] }}\n\
             generate = ['sh', '-c', '{generator}', '{{n}}']"
        )
    };
    let (outcome, ..) = bench.outcome_of(&with("echo no luck >&2; exit 4"));
    let message = reason(outcome);
    assert!(message.contains("failed with exit code 4") && message.contains("no luck"), "{message}");
    let (outcome, ..) = bench.outcome_of(&with("true"));
    assert!(reason(outcome).contains("wrote nothing"));
    assert_eq!(bench.run(&with("echo 30$0")).finished, 2);
}
