//! Tests that recorded data is read back. Tests of the file's integrity are in `wholeness`.

use std::fs;
use std::path::PathBuf;
use std::time::Duration;

use tempfile::TempDir;

use crate::file::bodies::loops::tests::triangle;
use crate::file::container::log::Access;
use crate::file::study_file::{NewStudy, ObjectRecord, Origin, StudyFile};
use crate::observed::loops::{LoopFunction, RunLoops};
use crate::observed::series::{MemoryMeasure, Observation, Series, Variable};
use crate::program::call::{Call, FunctionName};
use crate::program::location::{Function, Kind, Location, LocationId, Symbol};
use crate::runs::feature::Definition;
use crate::runs::machine::{Calibration, Constant, ConstantMeasurement, Machine};
use crate::runs::note::{LONGEST_NOTE, Note, Noted};
use crate::runs::sampled::{Part, Sampled, SampledPlace};
use crate::runs::unit::Unit;
use crate::runs::usage::Usage;
use crate::runs::warning::{Warning, WarningKind};
use crate::runs::workload::{LargerRun, MemoryLatency, Outcome, Run, Timing, Workload, WorkloadId};
use crate::study::source_text::SourceText;

/// A temporary folder of one test.
pub(in crate::file) struct Folder(TempDir);

impl Folder {
    pub(in crate::file) fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    pub(in crate::file) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub(in crate::file) fn study(&self) -> PathBuf {
        self.path("a.trend")
    }

    pub(in crate::file) fn create(&self) -> StudyFile {
        StudyFile::create(&self.study(), &NewStudy::new("sort", "/src")).unwrap()
    }

    /// Returns the names of all files, sorted.
    pub(in crate::file) fn names(&self) -> Vec<String> {
        let mut names: Vec<String> = fs::read_dir(self.0.path())
            .unwrap()
            .map(|e| e.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }
}

pub(in crate::file) fn function(name: &str) -> Function {
    Function { symbol: Symbol::plain(name), file: "a.c".to_owned(), line: 1, signature: "s".to_owned() }
}

pub(in crate::file) fn location(block: u32) -> Location {
    Location { block, lines: [block, block + 1].into(), ..Location::on_line(Kind::Block, "a.c", block) }
}

pub(in crate::file) fn workload(name: &str, fingerprint: &str) -> Workload {
    Workload {
        fingerprint: fingerprint.to_owned(),
        command: "./sort".to_owned(),
        usage: Some(Usage::default()),
        ..Workload::imported(name)
    }
}

pub(in crate::file) fn run(repetition: u32, outcome: Outcome) -> Run {
    let usage = Usage { wall: Duration::from_millis(5), peak_rss_bytes: 4096, ..Usage::default() };
    Run { repetition, outcome, usage, stderr_tail: String::new() }
}

pub(in crate::file) fn record(file: &mut StudyFile, name: &str, counts: &[u64]) {
    let values = [("n".to_owned(), name.parse().ok())];
    file.record(&workload(name, "f"), &run(0, Outcome::Finished), Some(counts), &values).unwrap();
}

#[test]
fn a_larger_run_comes_back_until_the_program_is_run_in_another_way() {
    let folder = Folder::new();
    let mut file = folder.create();
    record(&mut file, "1", &[]);
    let timing = Timing { machine_memory_bytes: 7, runs: vec![Usage::default()] };
    let values = vec![("n".to_owned(), 3.0), ("bytes".to_owned(), 9.0)];
    let larger = LargerRun { workload: "3".to_owned(), fingerprint: "f".to_owned(), values, timing };
    file.set_larger_run(larger.clone()).unwrap();
    let latencies = vec![MemoryLatency { working_set_bytes: 16384, nanoseconds: 1.25 }];
    file.set_latencies(latencies.clone()).unwrap();
    record(&mut file, "2", &[]);
    file.close().unwrap();
    let mut file = StudyFile::open(&folder.study(), Access::Write).unwrap();
    let study = file.load().unwrap();
    assert_eq!((study.larger(), study.latencies()), (Some(&larger), &*latencies));
    assert_eq!((larger.value("bytes"), larger.value("m")), (Some(9.0), None));
    file.declare_features(&[("n".to_owned(), Definition::Size)]).unwrap();
    assert_eq!(file.larger_run().unwrap().value("n"), None);
    file.record(&workload("1", "g"), &run(0, Outcome::Finished), Some(&[]), &[]).unwrap();
    assert_eq!(file.larger_run(), None);
}

#[test]
fn samples_come_back_until_the_workload_is_another() {
    let folder = Folder::new();
    let mut file = folder.create();
    record(&mut file, "1", &[]);
    let part = Part::Function { name: "sort".to_owned(), file: "a.c".to_owned() };
    let places = vec![
        SampledPlace { part, line: 3, samples: u64::MAX },
        SampledPlace { part: Part::Library("libc.so.6".to_owned()), line: 0, samples: 5 },
    ];
    let period = Duration::from_micros(997);
    let sampled = Sampled { usage: Usage::default(), period, lost: 2, places };
    file.set_sampled("1", sampled.clone()).unwrap();
    assert!(file.set_sampled("2", sampled.clone()).is_err());
    file.close().unwrap();
    let mut file = StudyFile::open(&folder.study(), Access::Write).unwrap();
    let study = file.load().unwrap();
    assert_eq!(study.workloads()[0].sampled.as_ref(), Some(&sampled));
    // Numbers from a file may be huge; their sum must not overflow.
    assert_eq!(sampled.samples(), u64::MAX);
    assert!(file.run_states()[0].is_sampled);
    file.record(&workload("1", "g"), &run(0, Outcome::Finished), Some(&[]), &[]).unwrap();
    assert!(file.load().unwrap().workloads()[0].sampled.is_none());
}

#[test]
fn calls_come_back_and_replace_those_before() {
    let folder = Folder::new();
    let mut file = folder.create();
    assert!(!file.lacks_calls());
    file.intern(&[function("main")], &[location(1)]).unwrap();
    record(&mut file, "1", &[3]);
    let name = |name: &str| FunctionName::new(name, "a.cpp");
    let call = |caller: &str, line| Call {
        caller: name(caller),
        file: "a.h".into(),
        line,
        callee: name("find"),
        sites: 2,
    };
    assert!(file.lacks_calls() && file.load().unwrap().calls().is_empty());
    file.set_calls(&[call("main", 3)]).unwrap();
    file.set_calls(&[call("main", 9), call("dedupe", 70)]).unwrap();
    file.close().unwrap();
    let file = StudyFile::open(&folder.study(), Access::Read).unwrap();
    assert!(!file.lacks_calls());
    assert_eq!(file.load().unwrap().calls(), [call("dedupe", 70), call("main", 9)]);
}

#[test]
fn calls_are_missing_once_further_functions_are_known() {
    let folder = Folder::new();
    let mut file = folder.create();
    file.intern(&[function("main")], &[location(1)]).unwrap();
    file.set_calls(&[]).unwrap();
    assert!(!file.lacks_calls());
    file.intern(&[function("dedupe")], &[location(2)]).unwrap();
    assert!(file.lacks_calls());
}

#[test]
fn what_is_recorded_comes_back_in_canonical_order() {
    let folder = Folder::new();
    let mut file = folder.create();
    file.declare_features(&[("n".to_owned(), Definition::Parameter("n".to_owned()))]).unwrap();
    let ids = file.intern(&[function("f")], &[location(9), location(3)]).unwrap();
    assert_eq!(ids, [LocationId(0), LocationId(1)]);
    assert_eq!(
        file.intern(&[function("f")], &[location(3), location(5)]).unwrap(),
        [LocationId(1), LocationId(2)]
    );
    record(&mut file, "20", &[1, 2, u64::MAX]);
    record(&mut file, "10", &[4, 5]);
    file.add_sources(&[SourceText { file: "a.c".to_owned(), text: "int main;\n".to_owned() }]).unwrap();
    file.add_warnings(&[Warning::new(WarningKind::Excluded, "m"), Warning::new(WarningKind::Excluded, "m")])
        .unwrap();
    file.add_objects(&[ObjectRecord { path: "a.gcno".to_owned(), stamp: u32::MAX }]).unwrap();
    drop(file);

    let file = StudyFile::open(&folder.study(), Access::Read).unwrap();
    let study = file.load().unwrap();
    assert_eq!((study.program(), study.root()), ("sort", "/src"));
    assert_eq!(study.locations().iter().map(|l| l.line).collect::<Vec<_>>(), [3, 5, 9]);
    assert_eq!(study.location(LocationId(0)).lines[..], [3, 4]);
    assert_eq!(study.workloads().iter().map(|w| w.name.as_str()).collect::<Vec<_>>(), ["10", "20"]);
    assert_eq!(study.counts().row(LocationId(0)).to_vec(), [5, 2]);
    assert_eq!(study.counts().row(LocationId(1)).to_vec(), [0, u64::MAX]);
    assert_eq!(study.features()[0].values, [Some(10.0), Some(20.0)]);
    assert_eq!(study.workloads()[0].usage.unwrap().wall, Duration::from_millis(5));
    assert_eq!(study.source("a.c"), Some("int main;\n"));
    assert_eq!(study.warnings().len(), 1);
    assert_eq!(file.objects()[0].stamp, u32::MAX);
    drop(file);
    assert_eq!(folder.names(), ["a.trend"]);
}

#[test]
fn series_come_back_and_go_with_their_workload() {
    let folder = Folder::new();
    let mut file = folder.create();
    file.intern(&[function("f")], &[location(1)]).unwrap();
    record(&mut file, "2", &[1]);
    record(&mut file, "1", &[1]);
    let series = |context: &str, size: u64, workload: u32| {
        let symbol = Symbol { name: "sort".to_owned(), linkage: "_Z4sort".to_owned() };
        let observation =
            Observation { count: 2, min: 3, max: 5, sum: 8, sum_of_squares: 34.0, ..Observation::at(size) };
        let mut series = Series::of_routine(symbol, "/p/prog", Variable::Drms, vec![observation]);
        series.place.context = context.to_owned();
        Series { unit: Unit::new("instructions"), workload: WorkloadId(workload), ..series }
    };
    let several = |workload: u32| {
        let observations = vec![Observation { sizes: [3, 5, 0, 0], count: 1, ..Observation::default() }];
        let variables = vec![Variable::Rms, Variable::Drms];
        Series { variables, observations, ..series("several", 0, workload) }
    };
    file.set_series("2", &[series("", 10, 7), series("main", 10, 7), several(7)]).unwrap();
    file.set_series("1", &[series("", 99, 0)]).unwrap();
    file.set_series("1", &[series("", 20, 0)]).unwrap();
    assert_eq!(
        file.set_series("3", &[]).unwrap_err().to_string(),
        "the study is inconsistent: there is no workload `3`"
    );
    let study = file.load().unwrap();
    assert_eq!(study.series(), [series("", 20, 0), series("", 10, 1), series("main", 10, 1), several(1)]);
    file.record(&workload("2", "other"), &run(0, Outcome::Finished), Some(&[1]), &[]).unwrap();
    assert_eq!(file.load().unwrap().series(), [series("", 20, 0)]);
    // A run can bring its own series.
    let (run, own) = (run(0, Outcome::Finished), [series("own", 30, 0)]);
    file.record_with_series(&workload("2", "other"), &run, Some(&[7]), &[], &own).unwrap();
    let study = file.load().unwrap();
    assert_eq!(study.series(), [series("", 20, 0), series("own", 30, 1)]);
    assert_eq!(study.counts().row(LocationId(0)).iter().collect::<Vec<_>>(), [1, 7]);
}

#[test]
fn memory_by_line_comes_back_beside_other_series() {
    let folder = Folder::new();
    let mut file = folder.create();
    file.intern(&[function("f")], &[location(1)]).unwrap();
    record(&mut file, "1", &[1]);
    let line = |measure, amount| Series::of_line(Symbol::plain("push"), "list.c", 40, measure, amount);
    let routine =
        Series::of_routine(Symbol::plain("sort"), "/p", Variable::Rms, vec![Observation::of_one(3, 9)]);
    let series = [
        routine,
        line(MemoryMeasure::Allocations, 10),
        line(MemoryMeasure::AtPeak, 240),
        Series::of_line(Symbol::plain(""), "", 0, MemoryMeasure::Left, u64::MAX),
    ];
    file.set_series("1", &series).unwrap();
    let study = file.load().unwrap();
    let mut expected = series.to_vec();
    expected.sort_by(|a, b| a.key().cmp(&b.key()));
    assert_eq!(study.series(), expected);
    let measures: Vec<_> =
        study.series().iter().filter_map(|one| MemoryMeasure::counted_in(&one.unit)).collect();
    assert_eq!(measures, [MemoryMeasure::Left, MemoryMeasure::Allocations, MemoryMeasure::AtPeak]);
}

#[test]
fn loops_come_back_with_their_run_and_go_with_their_workload() {
    let folder = Folder::new();
    let mut file = folder.create();
    file.intern(&[function("f")], &[location(1)]).unwrap();
    record(&mut file, "2", &[1]);
    record(&mut file, "1", &[1]);
    assert_eq!(file.load().unwrap().loops(), [], "a study from before there were loops has none");
    let of = |line, workload| RunLoops {
        workload: WorkloadId(workload),
        functions: vec![LoopFunction { line, ..triangle() }],
    };
    file.set_loops("2", &of(8, 0).functions).unwrap();
    file.set_loops("1", &of(5, 0).functions).unwrap();
    file.set_loops("1", &of(6, 0).functions).unwrap();
    assert!(file.set_loops("3", &[]).unwrap_err().to_string().contains("no workload `3`"));
    assert_eq!(file.load().unwrap().loops(), [of(6, 0), of(8, 1)]);
    assert_eq!(file.load().unwrap().without(|name| name == "1").loops(), [of(8, 0)]);
    let run = run(0, Outcome::Finished);
    let series = [Series::of_routine(triangle().symbol, "/p", Variable::Rms, vec![Observation::at(4)])];
    let added = |file: &mut StudyFile, series: &[Series]| {
        file.record_with_loops(&workload("2", "other"), &run, Some(&[7]), &[], series, &of(3, 0).functions)
    };
    added(&mut file, &series).unwrap();
    let study = file.load().unwrap();
    assert_eq!(study.loops(), [of(6, 0), of(3, 1)]);
    assert_eq!(study.series().len(), 1);
    assert_eq!(study.counts().row(LocationId(0)).iter().collect::<Vec<_>>(), [1, 7]);
    file.record(&workload("2", "third"), &run, Some(&[1]), &[]).unwrap();
    assert_eq!(file.load().unwrap().loops(), [of(6, 0)]);
    added(&mut file, &[]).unwrap();
    assert!(file.load().unwrap().series().is_empty());
}

#[test]
fn the_input_size_of_a_routine_is_a_feature_that_may_be_declared_after_the_runs() {
    let folder = Folder::new();
    let mut file = folder.create();
    file.intern(&[function("f")], &[location(1)]).unwrap();
    for (name, sizes) in [("1", [10, 20]), ("2", [500, 400])] {
        record(&mut file, name, &[1]);
        let observations = sizes.map(|size| Observation { count: 1, ..Observation::at(size) });
        let symbol = Symbol { name: "parse(char*)".to_owned(), linkage: "_Z5parsePc".to_owned() };
        let mut of_sizes = observations.to_vec();
        Observation::merge(&mut of_sizes);
        file.set_series(name, &[Series::of_routine(symbol, "p.c", Variable::Rms, of_sizes)]).unwrap();
    }
    let declare = |file: &mut StudyFile, routine: &str| {
        let feature = ("edges".to_owned(), Definition::InputSize(routine.to_owned()));
        file.declare_features(&[feature]).unwrap();
    };
    declare(&mut file, "parse");
    drop(file);
    let study = StudyFile::read(&folder.study(), None).unwrap();
    assert_eq!(study.features()[0].values, [Some(20.0), Some(500.0)]);
    let mut file = StudyFile::open(&folder.study(), Access::Write).unwrap();
    declare(&mut file, "pars");
    let study = file.load().unwrap();
    assert_eq!(study.features()[0].values, [None, None]);
    let [Warning { kind, message }] = study.warnings() else { panic!("{:?}", study.warnings()) };
    assert_eq!(*kind, WarningKind::UnknownRoutine);
    assert!(message.contains("`pars`") && message.ends_with(": parse(char*)"), "{message}");
}

#[test]
fn what_costs_are_counted_in_is_kept() {
    let folder = Folder::new();
    let mut file = folder.create();
    assert!(file.load().unwrap().unit().is_executions());
    let origin = Origin { format: "hyperfine".to_owned(), unit: Unit::new("ps") };
    file.set_origin(&origin).unwrap();
    assert!(file.load().unwrap().unit().is_time());
    assert_eq!(file.origin(), Some(origin));
}

#[test]
fn repetitions_give_their_lower_median_and_mark_where_they_disagree() {
    let folder = Folder::new();
    let mut file = folder.create();
    file.intern(&[function("f")], &[location(1), location(2)]).unwrap();
    for (repetition, counts) in [[7, 10], [7, 30], [7, 20], [7, 40]].iter().enumerate() {
        let run = run(repetition as u32, Outcome::Finished);
        file.record(&workload("w", "f"), &run, Some(counts), &[]).unwrap();
    }
    let study = file.load().unwrap();
    assert_eq!(study.counts().row(LocationId(0)).to_vec(), [7]);
    assert_eq!(study.counts().row(LocationId(1)).to_vec(), [20]);
    assert_eq!((study.is_unstable(LocationId(0)), study.is_unstable(LocationId(1))), (false, true));
    assert_eq!(study.workloads()[0].repetitions, 4);
}

#[test]
fn a_changed_fingerprint_replaces_what_was_recorded_and_failures_are_kept_apart() {
    let folder = Folder::new();
    let mut file = folder.create();
    file.intern(&[function("f")], &[location(1)]).unwrap();
    file.record(&workload("w", "old"), &run(0, Outcome::Finished), Some(&[1]), &[]).unwrap();
    file.record(&workload("w", "old"), &run(1, Outcome::Finished), Some(&[1]), &[]).unwrap();
    file.record(&workload("w", "new"), &run(0, Outcome::Finished), Some(&[9]), &[]).unwrap();
    for outcome in [
        Outcome::Failed { code: 3 },
        Outcome::Crashed { signal: 11 },
        Outcome::TimedOut,
        Outcome::NoCounts { reason: "why".to_owned() },
        Outcome::NotStarted { reason: "why not".to_owned() },
    ] {
        let name = format!("{outcome:?}");
        file.record(&workload(&name, "f"), &run(0, outcome.clone()), None, &[]).unwrap();
        let states = file.run_states();
        assert_eq!(states.iter().find(|s| s.workload == name).unwrap().outcome, outcome);
    }
    let study = file.load().unwrap();
    assert_eq!(study.counts().row(LocationId(0)).to_vec(), [9]);
    assert_eq!((study.workloads()[0].repetitions, study.failed().len()), (1, 5));
}

#[test]
fn features_declared_anew_keep_values_that_still_mean_something() {
    let folder = Folder::new();
    let mut file = folder.create();
    let size = |name: &str| (name.to_owned(), Definition::Size);
    file.declare_features(&[size("a"), size("b")]).unwrap();
    let values = [("a".to_owned(), Some(1.0)), ("b".to_owned(), Some(2.0))];
    file.record(&workload("w", "f"), &run(0, Outcome::Finished), Some(&[]), &values).unwrap();
    file.add_feature("given", &Definition::Given).unwrap();
    file.set_feature_values("w", &[("given".to_owned(), Some(5.0))]).unwrap();
    file.declare_features(&[size("c"), size("b")]).unwrap();
    let features = file.load().unwrap().features().to_vec();
    let values: Vec<_> = features.iter().map(|f| (f.name.as_str(), f.values[0])).collect();
    assert_eq!(values, [("c", None), ("b", Some(2.0)), ("given", Some(5.0))]);
    file.add_warnings(&[
        Warning::new(WarningKind::FeatureMissing, "b"),
        Warning::new(WarningKind::MissingNotes, "a.gcno"),
    ])
    .unwrap();
    file.declare_features(&[("b".to_owned(), Definition::Lines)]).unwrap();
    let (workloads, features) = file.feature_table();
    assert_eq!(
        (workloads, features[0].values.clone()),
        (vec!["w".to_owned()], vec![None]),
        "b means another thing"
    );
    assert_eq!(file.load().unwrap().warnings(), [Warning::new(WarningKind::MissingNotes, "a.gcno")]);

    file.set_feature_values("w", &[("b".to_owned(), Some(9.0))]).unwrap();
    file.declare_features(&[]).unwrap();
    assert_eq!(file.load().unwrap().features().len(), 1, "only what was given");
    file.declare_features(&[("b".to_owned(), Definition::Lines)]).unwrap();
    assert_eq!(file.load().unwrap().features()[0].values, [Some(9.0)], "b was not lost meanwhile");
    assert_eq!(
        file.set_feature_values("nobody", &[]).unwrap_err().to_string(),
        "the study is inconsistent: there is no workload `nobody`"
    );
}

#[test]
fn a_machines_constants_are_kept_whatever_is_forgotten() {
    let constant = |name: &str, seconds: f64| {
        let (low, high) = (seconds, seconds);
        let point = ConstantMeasurement { bytes: 0, seconds, low, high, agreeing: 6, measured_by: 10 };
        Constant { name: name.to_owned(), fingerprint: "f".to_owned(), points: vec![point] }
    };
    let calibration = |constants| {
        let machine = Machine { cpu: "Z80".to_owned(), constants, ..Machine::default() };
        Calibration { machine, formulas: "seconds = n*insert\n".to_owned() }
    };
    let folder = Folder::new();
    let mut file = folder.create();
    assert_eq!(file.load().unwrap().calibration(), None);
    file.set_calibration(calibration(vec![constant("insert", 1e-8)])).unwrap();
    let second = calibration(vec![constant("insert", 2e-8), constant("sift", 3e-8)]);
    file.set_calibration(second.clone()).unwrap();
    let refused = file.set_calibration(calibration(vec![constant("insert", f64::NAN)])).unwrap_err();
    assert!(refused.to_string().contains("`insert` at 0 bytes has NaN seconds"), "{refused}");
    file.clear().unwrap();
    file.publish().unwrap();
    drop(file);
    let study = StudyFile::open(&folder.study(), Access::Read).unwrap().load().unwrap();
    assert_eq!(study.calibration(), Some(&second));
    let elsewhere = study.on_machine(calibration(vec![constant("insert", 9.0)]).machine);
    assert_eq!(elsewhere.calibration().unwrap().machine.constants[0].points[0].seconds, 9.0);
}

#[test]
fn notes_are_replaced_removed_and_kept_by_fresh_runs_and_merges() {
    let on = |name: &str| Noted::Function { name: name.to_owned(), file: "a.c".to_owned() };
    let note = |name: &str, text: &str| Note { on: on(name), text: text.to_owned() };
    let folder = Folder::new();
    let mut file = folder.create();
    for (name, text) in [("f", "slow"), ("g", "fine"), ("f", "fixed"), ("h", "gone"), ("h", "")] {
        file.set_note(note(name, text)).unwrap();
    }
    let cluster = Note { on: Noted::Cluster { representative: "a.c:4".to_owned() }, text: "c".to_owned() };
    file.set_note(cluster.clone()).unwrap();
    let refused = file.set_note(note("f", &"x".repeat(LONGEST_NOTE + 1))).unwrap_err();
    assert!(refused.to_string().contains("more than 10000 bytes"), "{refused}");
    file.clear().unwrap();
    file.publish().unwrap();
    drop(file);
    let file = StudyFile::open(&folder.study(), Access::Read).unwrap();
    let all = [note("f", "fixed"), note("g", "fine"), cluster];
    assert_eq!((file.load().unwrap().notes(), file.notes()), (&all[..], all.to_vec()));
    let mut other = StudyFile::create(&folder.path("b.trend"), &NewStudy::new("sort", "/src")).unwrap();
    other.set_note(note("f", "its own")).unwrap();
    other.merge(&file).unwrap();
    assert_eq!(other.notes()[..2], [note("f", "its own"), note("g", "fine")]);
}

#[test]
fn what_is_forgotten_is_not_in_the_file_any_more() {
    let folder = Folder::new();
    let mut file = folder.create();
    file.declare_features(&[("n".to_owned(), Definition::Size)]).unwrap();
    file.intern(&[function("f")], &[location(1)]).unwrap();
    record(&mut file, "1", &[1]);
    file.add_sources(&[SourceText { file: "a.c".to_owned(), text: "secret".to_owned() }]).unwrap();
    let id = file.id();
    file.clear().unwrap();
    assert!(file.run_states().is_empty() && file.load().unwrap().sources().is_empty());
    assert_eq!(file.intern(&[function("g")], &[location(4)]).unwrap(), [LocationId(0)]);
    record(&mut file, "2", &[9]);
    // Until it is published, the study at the path is unchanged, and no other process can write it.
    assert!(!file.is_published());
    assert_eq!(StudyFile::open(&folder.study(), Access::Read).unwrap().run_states()[0].workload, "1");
    assert!(matches!(StudyFile::open(&folder.study(), Access::Write), Err(crate::StudyError::Busy { .. })));
    file.publish().unwrap();
    drop(file);
    assert_eq!(folder.names(), ["a.trend"]);
    assert!(fs::metadata(folder.study()).unwrap().len() < 1000);
    let file = StudyFile::open(&folder.study(), Access::Read).unwrap();
    let study = file.load().unwrap();
    assert_eq!((file.id(), study.program(), study.features()[0].values[0]), (id, "sort", Some(2.0)));
    assert_eq!((study.workloads().len(), study.functions()[0].symbol.name.as_str()), (1, "g"));
}

#[test]
fn retired_workloads_are_kept_and_do_not_count_until_they_are_taken_back() {
    let folder = Folder::new();
    let mut file = folder.create();
    for name in ["1", "2", "3"] {
        record(&mut file, name, &[]);
    }
    file.record(&workload("4", "f"), &run(0, Outcome::TimedOut), None, &[]).unwrap();
    let counted = |file: &StudyFile| {
        let study = file.load().unwrap();
        let names = study.workloads().iter().map(|w| w.name.clone()).collect::<Vec<_>>().join(" ");
        (names, study.failed().len(), study.warnings().len())
    };
    assert_eq!(counted(&file), ("1 2 3".to_owned(), 1, 0));
    file.retire(|name, _| name == "2" || name == "4").unwrap();
    assert_eq!(counted(&file), ("1 3".to_owned(), 0, 1));
    file.close().unwrap();
    let mut file = StudyFile::open(&folder.study(), Access::Write).unwrap();
    assert_eq!((counted(&file).0, file.run_states().len()), ("1 3".to_owned(), 4));
    // A study of another task has the second workload in use.
    let mut other = StudyFile::create(&folder.path("b.trend"), &NewStudy::new("sort", "/src")).unwrap();
    other.merge(&file).unwrap();
    assert_eq!(counted(&other).0, "1 3");
    file.retire(|name, _| name == "3").unwrap();
    other.merge(&file).unwrap();
    assert_eq!(counted(&other), ("1 2 3".to_owned(), 1, 0));
}

#[test]
fn a_run_is_taken_once_however_often_its_record_is_given() {
    let folder = Folder::new();
    let mut file = folder.create();
    let record = |file: &mut StudyFile, outcome: Outcome, id: [u8; 16]| {
        let mut record =
            crate::file::records::record::RunRecord::new(&workload("w", "f"), &run(0, outcome), &[], false);
        record.id = id;
        file.append(crate::file::records::record::Record::Run(Box::new(record))).unwrap();
    };
    record(&mut file, Outcome::TimedOut, [1; 16]);
    record(&mut file, Outcome::Failed { code: 1 }, [2; 16]);
    record(&mut file, Outcome::TimedOut, [1; 16]);
    assert_eq!(file.run_states()[0].outcome, Outcome::Failed { code: 1 });
    drop(file);
    let file = StudyFile::open(&folder.study(), Access::Read).unwrap();
    assert_eq!(file.run_states()[0].outcome, Outcome::Failed { code: 1 });
}
