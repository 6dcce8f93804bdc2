use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::load::Runs;
use super::matrix::Failed;
use super::{Access, NewStudy, ObjectRecord, Origin, SourceText, StudyFile};
use crate::{
    Definition, Function, FunctionId, InputMetric, Kind, Location, LocationId, Outcome, RoutineProfile, Run,
    StudyError, Symbol, Tuple, Unit, Usage, Warning, Workload, WorkloadId,
};

/// A folder of this test's own, removed at the end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("trend-profile-{name}-{}", std::process::id()));
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    fn study(&self) -> PathBuf {
        self.0.join("a.trend")
    }

    fn create(&self) -> StudyFile {
        let new = NewStudy { program: "sort".to_owned(), root: "/src".to_owned() };
        StudyFile::create(&self.study(), &new).unwrap()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn function(name: &str) -> Function {
    let symbol = Symbol { name: name.to_owned(), linkage: name.to_owned() };
    Function { symbol, file: "a.c".to_owned(), line: 1, signature: "s".to_owned() }
}

fn location(block: u32) -> Location {
    Location {
        function: FunctionId(0),
        kind: Kind::Block,
        block,
        file: "a.c".into(),
        line: block,
        lines: [block, block + 1].into(),
        label: "".into(),
    }
}

fn workload(name: &str, fingerprint: &str) -> Workload {
    Workload {
        fingerprint: fingerprint.to_owned(),
        command: "./sort".to_owned(),
        usage: Some(Usage::default()),
        ..Workload::imported(name)
    }
}

fn run(repetition: u32, outcome: Outcome) -> Run {
    let usage = Usage { wall: Duration::from_millis(5), peak_rss_bytes: 4096, ..Usage::default() };
    Run { repetition, outcome, usage, stderr_tail: String::new() }
}

fn record(file: &mut StudyFile, name: &str, counts: &[u64]) {
    let values = [("n".to_owned(), name.parse().ok())];
    file.record(&workload(name, "f"), &run(0, Outcome::Finished), Some(counts), &values).unwrap();
}

#[test]
fn what_is_recorded_comes_back_in_canonical_order() {
    let folder = Folder::new("round-trip");
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
    file.add_warnings(&[Warning::new("k", "m"), Warning::new("k", "m")]).unwrap();
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
    assert_eq!(file.objects().unwrap()[0].stamp, u32::MAX);
    drop(file);
    let left: Vec<_> = fs::read_dir(&folder.0).unwrap().map(|e| e.unwrap().file_name()).collect();
    assert_eq!(left, ["a.trend"], "a closed study is one file");
}

#[test]
fn routines_by_input_size_come_back_and_go_with_their_workload() {
    let folder = Folder::new("routines");
    let mut file = folder.create();
    file.intern(&[function("f")], &[location(1)]).unwrap();
    record(&mut file, "2", &[1]);
    record(&mut file, "1", &[1]);
    let profile = |context: &str, size: u64, workload: u32| RoutineProfile {
        symbol: Symbol { name: "sort".to_owned(), linkage: "_Z4sort".to_owned() },
        object: "/p/prog".to_owned(),
        context: context.to_owned(),
        metric: InputMetric::Drms,
        workload: WorkloadId(workload),
        tuples: vec![Tuple { size, calls: 2, min: 3, max: 5, sum: 8, sum_of_squares: 34.0 }],
    };
    file.set_routines("2", &[profile("", 10, 7), profile("main", 10, 7)]).unwrap();
    file.set_routines("1", &[profile("", 99, 0)]).unwrap();
    file.set_routines("1", &[profile("", 20, 0)]).unwrap();
    assert!(file.set_routines("3", &[]).is_err());
    let study = file.load().unwrap();
    assert_eq!(study.routines(), [profile("", 20, 0), profile("", 10, 1), profile("main", 10, 1)]);
    file.record(&workload("2", "other"), &run(0, Outcome::Finished), Some(&[1]), &[]).unwrap();
    assert_eq!(file.load().unwrap().routines(), [profile("", 20, 0)]);
}

#[test]
fn what_costs_are_counted_in_is_kept() {
    let folder = Folder::new("unit");
    let mut file = folder.create();
    assert!(file.load().unwrap().unit().is_executions());
    let origin = Origin { format: "hyperfine".to_owned(), unit: Unit::new("ps") };
    file.set_origin(&origin).unwrap();
    assert!(file.load().unwrap().unit().is_time());
    assert_eq!(file.origin().unwrap(), Some(origin));
}

#[test]
fn repetitions_give_their_lower_median_and_mark_where_they_disagree() {
    let folder = Folder::new("repeat");
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
    let folder = Folder::new("fingerprint");
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
        let states = file.run_states().unwrap();
        assert_eq!(states.iter().find(|s| s.workload == name).unwrap().outcome, outcome);
    }
    let study = file.load().unwrap();
    assert_eq!(study.counts().row(LocationId(0)).to_vec(), [9]);
    assert_eq!((study.workloads()[0].repetitions, study.failed().len()), (1, 5));
}

#[test]
fn features_declared_anew_keep_values_that_still_mean_something() {
    let folder = Folder::new("features");
    let mut file = folder.create();
    let size = |name: &str| (name.to_owned(), Definition::Size);
    file.declare_features(&[size("a"), size("b")]).unwrap();
    let values = [("a".to_owned(), Some(1.0)), ("b".to_owned(), Some(2.0))];
    file.record(&workload("w", "f"), &run(0, Outcome::Finished), Some(&[]), &values).unwrap();
    file.add_feature("given", &Definition::Given).unwrap();
    file.set_feature_values("w", &[("given".to_owned(), Some(5.0))]).unwrap();
    file.declare_features(&[size("c"), size("b")]).unwrap();
    let features = file.load().unwrap().features().to_vec();
    let found: Vec<_> = features.iter().map(|f| (f.name.as_str(), f.values[0])).collect();
    assert_eq!(found, [("c", None), ("b", Some(2.0)), ("given", Some(5.0))]);
    file.add_warnings(&[Warning::new("feature_missing", "b"), Warning::new("missing_notes", "a.gcno")])
        .unwrap();
    file.declare_features(&[("b".to_owned(), Definition::Lines)]).unwrap();
    let (workloads, features) = file.feature_table().unwrap();
    assert_eq!(
        (workloads, features[0].values.clone()),
        (vec!["w".to_owned()], vec![None]),
        "b means another thing"
    );
    assert_eq!(file.load().unwrap().warnings(), [Warning::new("missing_notes", "a.gcno")]);

    file.set_feature_values("w", &[("b".to_owned(), Some(9.0))]).unwrap();
    file.declare_features(&[]).unwrap();
    assert_eq!(file.load().unwrap().features().len(), 1, "only what was given");
    file.declare_features(&[("b".to_owned(), Definition::Lines)]).unwrap();
    assert_eq!(file.load().unwrap().features()[0].values, [Some(9.0)], "b was not lost meanwhile");
    assert!(file.set_feature_values("nobody", &[]).is_err());
}

#[test]
fn files_that_are_no_study_are_refused_and_left_as_they_are() {
    let folder = Folder::new("foreign");
    let path = folder.study();
    let open = |path: &Path| StudyFile::open(path, Access::Write).map(drop).unwrap_err();
    assert!(matches!(open(&path), StudyError::Missing { .. }));
    assert!(matches!(open(&folder.0), StudyError::NotAStudy { .. }));
    for contents in [&b""[..], b"text", &[b'x'; 5000], b"SQLite format 3\0"] {
        fs::write(&path, contents).unwrap();
        assert!(matches!(open(&path), StudyError::NotAStudy { .. }));
        assert_eq!(fs::read(&path).unwrap(), contents);
    }
    let new = NewStudy { program: String::new(), root: String::new() };
    assert!(matches!(StudyFile::create(&path, &new), Err(StudyError::Exists { .. })));
    fs::remove_file(&path).unwrap();
    let other = rusqlite::Connection::open(&path).unwrap();
    other.execute_batch("CREATE TABLE t (x); PRAGMA application_id = 1;").unwrap();
    drop(other);
    assert!(open(&path).to_string().contains("another application"));
}

#[test]
fn a_study_of_a_newer_version_is_refused_with_both_versions() {
    let folder = Folder::new("newer");
    let file = folder.create();
    file.connection.pragma_update(None, "user_version", 99).unwrap();
    drop(file);
    let error = StudyFile::open(&folder.study(), Access::Read).map(drop).unwrap_err();
    assert!(error.to_string().contains("version 99") && error.to_string().contains("up to 2"), "{error}");
}

#[test]
fn an_older_study_is_migrated_when_it_is_opened() {
    let folder = Folder::new("older");
    drop(folder.create());
    // Version 0 is a study before its first migration: our application's file without tables.
    fs::remove_file(folder.study()).unwrap();
    let old = rusqlite::Connection::open(folder.study()).unwrap();
    old.pragma_update(None, "application_id", super::schema::APPLICATION_ID).unwrap();
    old.execute_batch("CREATE TABLE was_here (x)").unwrap();
    drop(old);
    let mut file = StudyFile::open(&folder.study(), Access::Write).unwrap();
    file.intern(&[function("f")], &[location(1)]).unwrap();
    let version: i64 = file.connection.query_row("PRAGMA user_version", [], |r| r.get(0)).unwrap();
    assert_eq!(version, super::schema::VERSION);
}

#[test]
fn a_full_disk_is_named_and_loses_nothing_that_was_recorded() {
    let folder = Folder::new("full");
    let mut file = folder.create();
    let locations: Vec<Location> = (0..3000).map(location).collect();
    file.intern(&[function("f")], &locations).unwrap();
    record(&mut file, "1", &vec![1; 3000]);
    let pages: i64 = file.connection.query_row("PRAGMA page_count", [], |r| r.get(0)).unwrap();
    file.connection.pragma_update_and_check(None, "max_page_count", pages, |_| Ok(())).unwrap();
    let noise: Vec<u64> = (0..3000_u64).map(|i| i.wrapping_mul(0x9e37_79b9_7f4a_7c15)).collect();
    let error = file
        .record(&workload("2", "f"), &run(0, Outcome::Finished), Some(&noise), &[])
        .expect_err("24 kB of noise do not fit");
    assert!(matches!(error, StudyError::DiskFull { .. }), "{error}");
    assert_eq!(file.load().unwrap().workloads().len(), 1);
}

#[test]
fn a_study_in_a_folder_that_cannot_be_written_can_be_read() {
    let folder = Folder::new("read-only");
    let mut file = folder.create();
    file.intern(&[function("f")], &[location(1)]).unwrap();
    record(&mut file, "1", &[5]);
    drop(file);
    // Root writes anywhere, so the immutable way is taken directly as well.
    let file = StudyFile::connect_immutable(&folder.study()).unwrap();
    assert_eq!(file.load().unwrap().counts().row(LocationId(0)).to_vec(), [5]);
}

#[test]
fn two_writers_at_once_lose_nothing() {
    let folder = Folder::new("two");
    let mut file = folder.create();
    file.intern(&[function("f")], &[location(1)]).unwrap();
    let path = folder.study();
    std::thread::scope(|scope| {
        for half in 0..2 {
            let path = &path;
            scope.spawn(move || {
                let mut file = StudyFile::open(path, Access::Write).unwrap();
                for i in 0..50 {
                    record(&mut file, &format!("{}", half * 50 + i), &[i]);
                }
            });
        }
    });
    assert_eq!(file.load().unwrap().workloads().len(), 100);
}

#[test]
fn locations_that_are_not_there_take_no_memory() {
    let folder = Folder::new("claims");
    let mut file = folder.create();
    file.intern(&[function("f")], &(0..40).map(location).collect::<Vec<_>>()).unwrap();
    record(&mut file, "one", &[1; 40]);
    for (last, said) in
        [(4_294_967_290_i64, "cannot have 4294967291 locations"), (50, "location 39 is missing")]
    {
        file.connection.execute("UPDATE locations SET id = ?1 WHERE id >= 39", [last]).unwrap();
        let told = file.load().unwrap_err().to_string();
        assert!(told.contains(said), "{told}");
    }
}

#[test]
fn damage_anywhere_in_the_file_gives_an_error_or_a_consistent_study() {
    let folder = Folder::new("damage");
    let mut file = folder.create();
    file.declare_features(&[("n".to_owned(), Definition::Size)]).unwrap();
    file.intern(&[function("f")], &(0..40).map(location).collect::<Vec<_>>()).unwrap();
    (1..9).for_each(|i| record(&mut file, &i.to_string(), &[i; 40]));
    drop(file);
    let whole = fs::read(folder.study()).unwrap();
    let bad_path = folder.0.join("bad.trend");
    for i in 0..400 {
        let mut bad = whole.clone();
        let at = (i * 7919) % bad.len();
        bad[at] ^= 1 << (i % 8);
        if i % 10 == 0 {
            bad.truncate(at);
        }
        fs::write(&bad_path, bad).unwrap();
        if let Ok(study) = StudyFile::open(&bad_path, Access::Read).and_then(|f| f.load()) {
            assert_eq!(study.counts().locations(), study.locations().len().min(study.counts().locations()));
        }
        for suffix in ["", "-wal", "-shm"] {
            let _ = fs::remove_file(folder.0.join(format!("bad.trend{suffix}")));
        }
    }
}

#[test]
fn a_study_with_too_many_counts_is_called_large_and_not_damaged() {
    let folder = Folder::new("large");
    let error = folder.create().without_matrix(Failed::TooMany, 1 << 44, &Runs::default());
    assert!(matches!(error, StudyError::TooLarge { locations: 17_592_186_044_416, workloads: 0, .. }));
    let told = error.to_string();
    assert!(told.contains("a.trend: is too large") && !told.contains("damage"), "{told}");
}
