use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use trend_profile::{Command, ObjectRecord};
use trend_run::{Event, ExecuteOptions, Observer, RunError, execute};

use crate::bad_runs::survivors;
use crate::bench::{Bench, LOOP, LOOP_LINE, Seen, options, sweep};

fn observed(bench: &Bench, text: &str) -> Vec<String> {
    let seen = Seen::default();
    let stop = AtomicBool::new(false);
    execute(&bench.plan(text), &mut bench.study(), &options(), &seen, &stop).unwrap();
    assert!(seen.planned.lock().unwrap().is_some());
    let mut started = seen.started.into_inner().unwrap();
    started.sort();
    started
}

#[test]
fn only_what_is_missing_failed_or_changed_is_run_again() {
    let bench = Bench::with_loop();
    let at = |n: &str| {
        format!(
            "[program]\ncommand = ['sh', '-c', './loop {{n}} $(cat how)']\n[workloads]\nparameters = {{ n = {n} }}"
        )
    };
    bench.write("how", "fail");
    assert_eq!(observed(&bench, &at("[1]")), ["n=1"]);
    bench.write("how", "");
    assert_eq!(observed(&bench, &at("[1, 2]")), ["n=1", "n=2"]);
    assert_eq!(observed(&bench, &at("[1, 2, 3]")), ["n=3"]);
    assert_eq!(observed(&bench, &at("[1, 2, 3]")), [""; 0]);
    let changed = at("[1, 2, 3]").replace("cat how", "cat how how");
    assert_eq!(observed(&bench, &changed), ["n=1", "n=2", "n=3"]);
}

/// Earlier versions recorded the command as a line, and objects by absolute paths.
#[test]
fn a_study_of_an_earlier_version_goes_on() {
    let bench = Bench::with_loop();
    bench.run(&sweep("[1, 2]", ""));
    let mut study = bench.study();
    let relative = study.objects().remove(0);
    assert!(!relative.path.contains('/'), "{relative:?}");
    let path = bench.folder.path().canonicalize().unwrap().join(&relative.path);
    let object = ObjectRecord { path: path.to_string_lossy().into_owned(), ..relative };
    study.clear().unwrap();
    study.publish().unwrap();
    study.set_command(&Command::Line("./loop {n}".to_owned())).unwrap();
    study.add_objects(&[object]).unwrap();
    study.close().unwrap();
    assert_eq!(observed(&bench, &sweep("[1, 2]", "")), ["n=1", "n=2"]);
    assert_eq!(observed(&bench, &sweep("[1, 2, 3]", "")), ["n=3"]);
    let other = bench.run_with(&sweep("[1]", "_exit"), &options()).unwrap_err();
    assert!(matches!(other, RunError::OtherCommand { .. }), "{other}");
}

#[test]
fn a_study_tells_of_one_command_only() {
    let bench = Bench::with_loop();
    bench.run(&sweep("[1, 2]", ""));
    let error = bench.run_with(&sweep("[1, 3]", "more"), &options()).unwrap_err();
    assert!(matches!(error, RunError::OtherCommand { .. }), "{error}");
    assert!(error.hint().unwrap().contains("--study"));
    assert_eq!(bench.loaded().executions_of_line(LOOP_LINE).unwrap(), [1, 2], "nothing was replaced");
}

#[test]
fn a_changed_input_is_run_again() {
    let bench = Bench::with_loop();
    let text = "[program]\ncommand = ['sh', '-c', './loop $(cat {input})']\n[workloads]\nfiles = '*.in'";
    bench.write("a.in", "10");
    bench.write("b.in", "20");
    assert_eq!(observed(&bench, text), ["a.in", "b.in"]);
    bench.write("b.in", "2000");
    assert_eq!(observed(&bench, text), ["b.in"]);
    assert_eq!(bench.loaded().executions_of_line(LOOP_LINE).unwrap(), [10, 2000]);
}

#[test]
fn counts_of_two_builds_are_never_mixed() {
    let bench = Bench::with_loop();
    bench.run(&sweep("[1]", ""));
    bench.compile("loop", &LOOP.replace("sink += i;", "if (i & 1) sink += i; else sink -= i;"));
    let error = bench.run_with(&sweep("[1, 2]", ""), &options()).unwrap_err();
    assert!(matches!(error, RunError::Rebuilt { .. }), "{error}");
    assert!(error.hint().unwrap().contains("--fresh"));
    assert!(!bench.leftovers());
    let fresh = ExecuteOptions { fresh: true, ..options() };
    assert_eq!(bench.run_with(&sweep("[1, 2]", ""), &fresh).unwrap().finished, 2);
}

#[test]
fn where_all_runs_fail_the_study_says_so_also_when_it_begins_anew() {
    let bench = Bench::with_loop();
    let text =
        "[program]\ncommand = ['sh', '-c', './loop {n}; exit 3']\n[workloads]\nparameters = { n = [1, 2] }\n";
    let fresh = ExecuteOptions { fresh: true, ..options() };
    let summary = bench.run_with(text, &fresh).unwrap();
    assert_eq!((summary.finished, summary.failures.len(), bench.loaded().failed().len()), (0, 2, 2));
    // Existing counts are kept until there are new ones.
    bench.run(&sweep("[1, 2]", ""));
    bench.run_with(text, &fresh).unwrap();
    assert_eq!((bench.loaded().workloads().len(), bench.loaded().failed().len()), (2, 0));
}

/// An observer that recompiles the program while its workloads run.
struct Rebuilds<'a>(&'a Bench, AtomicBool);

impl Observer for Rebuilds<'_> {
    fn event(&self, event: &Event<'_>) {
        if matches!(event, Event::Finished { .. }) && !self.1.swap(true, Ordering::Relaxed) {
            self.0.compile("loop", &LOOP.replace("sink += i;", "if (i & 1) sink += i; else sink -= i;"));
        }
    }
}

#[test]
fn a_build_during_the_runs_is_noticed() {
    let bench = Bench::with_loop();
    let text = "[program]\ncommand = ['sh', '-c', 'sleep 0.$0; ./loop $0', '{n}']\njobs = 1\n[workloads]\nparameters = { n = [1, 2, 3, 4, 5, 6] }";
    let rebuilds = Rebuilds(&bench, AtomicBool::new(false));
    let stop = AtomicBool::new(false);
    let result = execute(&bench.plan(text), &mut bench.study(), &options(), &rebuilds, &stop);
    assert!(matches!(result, Err(RunError::Rebuilt { .. })), "{result:?}");
    let recorded = bench.study().run_states();
    assert!(recorded.len() < 6);
}

#[test]
fn a_study_moved_to_objects_of_other_names_is_another_build() {
    let bench = Bench::with_loop();
    bench.run(&sweep("[1]", ""));
    std::fs::remove_file(bench.path("loop.gcno")).unwrap();
    bench.compile("again", LOOP);
    std::fs::rename(bench.path("again"), bench.path("loop")).unwrap();
    let error = bench.run_with(&sweep("[1, 2]", ""), &options()).unwrap_err();
    assert!(matches!(error, RunError::Rebuilt { .. }), "{error}");
}

#[test]
fn another_program_is_refused_as_the_counts_of_the_first_would_be_lost() {
    let bench = Bench::with_loop();
    bench.run(&sweep("[1]", ""));
    bench.compile("again", LOOP);
    let text = sweep("[1]", "").replace("./loop", "./again");
    let error = bench.run_with(&text, &options()).unwrap_err();
    assert!(matches!(error, RunError::OtherCommand { .. }), "{error}");
}

/// An observer that asks to stop when the first run begins.
struct Stops<'a>(&'a AtomicBool);

impl Observer for Stops<'_> {
    fn event(&self, event: &Event<'_>) {
        if matches!(event, Event::Started { .. }) {
            self.0.store(true, Ordering::Relaxed);
        }
    }
}

#[test]
fn a_request_to_stop_ends_the_runs_under_way_and_their_processes() {
    let bench = Bench::with_loop();
    let stop = AtomicBool::new(false);
    let begin = Instant::now();
    let plan = bench.plan(&sweep("[1, 2, 3]", "hang"));
    let summary = execute(&plan, &mut bench.study(), &options(), &Stops(&stop), &stop).unwrap();
    assert!(begin.elapsed() < Duration::from_secs(20));
    assert_eq!((summary.cancelled, summary.failures.len()), (3, 0));
    assert_eq!(survivors(&bench), 0);
    assert!(bench.study().run_states().is_empty());
    assert!(!bench.leftovers());
}

#[test]
fn processes_are_ended_that_were_left_when_the_tool_and_its_supervisors_were_killed_at_one_blow() {
    let bench = Bench::with_loop();
    let counters = bench.path("s.trend.run/0123456789abcdef/counters");
    std::fs::create_dir_all(&counters).unwrap();
    bench.write("s.trend.run/lock", "trend-prof: scratch folder of runs\n");
    let mut left =
        std::process::Command::new("sleep").arg("100").env("GCOV_PREFIX", &counters).spawn().unwrap();
    bench.run(&sweep("[1]", ""));
    let mut ended = None;
    for _ in 0..200 {
        ended = left.try_wait().unwrap();
        if ended.is_some() {
            break;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    assert!(!ended.unwrap().success());
}
