use trend_profile::WarningKind;
use trend_run::ExecuteOptions;

use crate::bench::{Bench, options};

const PROGRAM: &str = "[program]\ncommand = ['sh', '-c', './loop $(wc -c <{input}); echo edges=$(wc -l <{input}) >&2; \
                       echo faces=5 >faces-$(basename {input}).txt', '{input}']\n[workloads]\nfiles = '*-*.in'\n";

fn values(bench: &Bench, name: &str) -> Vec<Option<f64>> {
    let study = bench.loaded();
    let feature = study.feature_named(name).unwrap();
    study.features()[feature.index()].values.clone()
}

fn bench_with_inputs() -> Bench {
    let bench = Bench::with_loop();
    bench.write("a-10.in", "one\ntwo\n");
    bench.write("b-20.in", "one\ntwo\nthree\n");
    bench
}

#[test]
fn every_kind_of_feature_has_its_value() {
    let bench = bench_with_inputs();
    let features = "[features]\nbytes = 'size'\nlines = 'lines'\nrows = { path = '-(\\d+)' }\n\
                    nodes = { stdout = 'nodes=(\\d+)' }\nedges = { stderr = 'edges=(\\d+)' }\n\
                    faces = { file = 'faces-a-10.in.txt', pattern = 'faces=(\\d+)' }\n\
                    words = { command = ['sh', '-c', 'wc -w <$0', '{input}'] }\nrounds = { location = 'loop.c:12' }\n";
    let summary = bench.run(&format!("{PROGRAM}{features}"));
    assert_eq!(summary.finished, 2, "{summary:?}");
    let some = |a: f64, b: f64| vec![Some(a), Some(b)];
    assert_eq!(values(&bench, "bytes"), some(8.0, 14.0));
    assert_eq!(values(&bench, "lines"), some(2.0, 3.0));
    assert_eq!(values(&bench, "rows"), some(10.0, 20.0));
    assert_eq!(values(&bench, "nodes"), some(16.0, 28.0), "the last match counts");
    assert_eq!(values(&bench, "edges"), some(2.0, 3.0));
    assert_eq!(values(&bench, "words"), some(2.0, 3.0));
    assert_eq!(values(&bench, "rounds"), some(8.0, 14.0));
    // All workloads write the same file, so they run one after another, and a warning says so.
    assert_eq!(values(&bench, "faces")[0], Some(5.0));
    assert!(summary.warnings.iter().any(|w| w.kind == WarningKind::SharedOutputFile));
}

#[test]
fn features_are_added_after_the_runs_without_running_again() {
    let bench = bench_with_inputs();
    bench.run(PROGRAM);
    let features = "[features]\nlines = 'lines'\nrows = { path = '-(\\d+)' }\nnodes = { stdout = 'nodes=(\\d+)' }\n\
                    words = { command = ['sh', '-c', 'wc -w <$0', '{input}'] }\n";
    let summary = bench.run(&format!("{PROGRAM}{features}"));
    assert_eq!((summary.finished, summary.skipped), (0, 2));
    assert_eq!(values(&bench, "lines"), [Some(2.0), Some(3.0)]);
    assert_eq!(values(&bench, "rows"), [Some(10.0), Some(20.0)]);
    assert_eq!(values(&bench, "words"), [Some(2.0), Some(3.0)]);
    assert_eq!(values(&bench, "nodes"), [None, None]);
    let warning = summary.warnings.iter().find(|w| w.kind == WarningKind::FeatureNeedsRuns).unwrap();
    assert!(warning.message.contains("`nodes`") && warning.message.contains("--fresh"));
    let fresh = ExecuteOptions { fresh: true, ..options() };
    bench.run_with(&format!("{PROGRAM}{features}"), &fresh).unwrap();
    assert_eq!(values(&bench, "nodes"), [Some(16.0), Some(28.0)]);
}

#[test]
fn a_pattern_that_never_matches_is_named_with_a_sample_of_the_text() {
    let bench = bench_with_inputs();
    let summary = bench.run(&format!("{PROGRAM}[features]\nx = {{ stdout = 'vertices=(\\d+)' }}\n"));
    assert_eq!(summary.finished, 2);
    let warning = summary.warnings.iter().find(|w| w.kind == WarningKind::FeatureNeverMatched).unwrap();
    for part in ["`x`", "vertices=(\\d+)", "nodes="] {
        assert!(warning.message.contains(part), "{}", warning.message);
    }
    assert!(bench.loaded().warnings().contains(warning));
}

#[test]
fn only_a_feature_that_does_not_divide_the_workloads_is_missed_in_some() {
    let missed = |features: &str| {
        let bench = bench_with_inputs();
        let summary = bench.run(&format!("{PROGRAM}[features]\n{features}"));
        let warnings = summary.warnings.into_iter().filter(|w| w.kind == WarningKind::FeatureMissing);
        warnings.map(|w| w.message).collect::<Vec<_>>()
    };
    let groups = "a = { path = 'a-(\\d+)' }\nb = { path = 'b-(\\d+)' }\n";
    assert_eq!(missed(groups), [""; 0]);
    let messages = missed(&format!("{groups}lines = 'lines'\n"));
    assert!(messages.len() == 2 && messages[0].contains("`a`: 1 of 2 runs have no value"), "{messages:?}");
    // The other run has no value at all.
    assert_eq!(missed("a = { path = 'a-(\\d+)' }\nc = { path = 'c-(\\d+)' }\n").len(), 1);
}

#[test]
fn a_generated_input_is_measured_and_goes_after_the_run() {
    let bench = Bench::with_loop();
    let text = "[program]\ncommand = ['sh', '-c', './loop $(wc -c <{input})']\n[workloads]\n\
                parameters = { n = [5, 50] }\ngenerate = ['sh', '-c', 'head -c $0 /dev/zero', '{n}']\n";
    let options = ExecuteOptions { repeat: Some(2), ..options() };
    assert_eq!(bench.run_with(text, &options).unwrap().finished, 4);
    assert_eq!(values(&bench, "bytes"), values(&bench, "n"));
    assert!(!bench.leftovers());
}
