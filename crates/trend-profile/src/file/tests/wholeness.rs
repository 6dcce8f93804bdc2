//! Tests that the file is intact at every moment and that damage is detected.

use std::fs::{self, OpenOptions};
use std::os::unix::fs::FileExt;
use std::path::Path;

use super::recorded::{Folder, function, location, record, run, workload};
use crate::error::StudyError;
use crate::file::bodies::loops::tests::triangle;
use crate::file::container::header;
use crate::file::container::log::Access;
use crate::file::copies::repair::repair;
use crate::file::study_file::{NewStudy, ObjectRecord, StudyFile};
use crate::observed::series::{Observation, Series, Variable};
use crate::program::command::Command;
use crate::program::location::Symbol;
use crate::runs::feature::Definition;
use crate::runs::sampled::{Part, Sampled, SampledPlace};
use crate::runs::usage::Usage;
use crate::runs::warning::{Warning, WarningKind};
use crate::runs::workload::Outcome;
use crate::study::source_text::SourceText;

/// Returns the whole contents of a study as text.
fn contents_of(path: &Path) -> Result<String, StudyError> {
    let file = StudyFile::open(path, Access::Read)?;
    let study = file.load()?;
    Ok(format!("{study:?} {:?} {:?} {:?}", file.run_states(), file.objects(), file.command()))
}

/// Fills a study with records of every kind.
fn fill(file: &mut StudyFile) {
    file.set_command(&Command::Line("./sort {n}".to_owned())).unwrap();
    file.add_objects(&[ObjectRecord { path: "/src/a.gcno".to_owned(), stamp: 7 }]).unwrap();
    file.declare_features(&[("n".to_owned(), Definition::Parameter("n".to_owned()))]).unwrap();
    file.intern(&[function("f")], &(0..40).map(location).collect::<Vec<_>>()).unwrap();
    (1..9).for_each(|i| record(file, &i.to_string(), &[i * i; 40]));
    file.add_sources(&[SourceText { file: "a.c".to_owned(), text: "int main;\n".repeat(20) }]).unwrap();
    file.add_warnings(&[Warning::new(WarningKind::Excluded, "m")]).unwrap();
    file.add_feature("given", &Definition::Given).unwrap();
    file.set_feature_values("3", &[("given".to_owned(), Some(5.0))]).unwrap();
    file.record(&workload("x", "f"), &run(0, Outcome::Crashed { signal: 11 }), None, &[]).unwrap();
    let symbol = Symbol::plain("sort");
    let observation =
        Observation { count: 2, min: 3, max: 5, sum: 8, sum_of_squares: 34.0, ..Observation::at(4) };
    let series = [Series::of_routine(symbol, "/p", Variable::Rms, vec![observation])];
    file.set_series("5", &series).unwrap();
    file.set_loops("6", &[triangle()]).unwrap();
    let places = vec![SampledPlace { part: Part::Library("libc".to_owned()), line: 0, samples: 5 }];
    let period = std::time::Duration::from_millis(1);
    file.set_sampled("6", Sampled { usage: Usage::default(), period, lost: 0, places }).unwrap();
    let (workload, run) = (workload("7", "f"), run(0, Outcome::Finished));
    file.record_with_loops(&workload, &run, Some(&[9; 40]), &[], &series, &[triangle()]).unwrap();
}

#[test]
fn every_changed_bit_and_every_cut_of_a_study_is_an_error_or_changes_nothing() {
    let folder = Folder::new();
    let mut file = folder.create();
    fill(&mut file);
    file.close().unwrap();
    let whole = fs::read(folder.study()).unwrap();
    let contents = contents_of(&folder.study()).unwrap();
    let bad = folder.path("bad.trend");
    fs::write(&bad, &whole).unwrap();
    let file = OpenOptions::new().write(true).open(&bad).unwrap();
    let mut errors = 0;
    for bit in 0..whole.len() * 8 {
        let at = (bit / 8) as u64;
        file.write_all_at(&[whole[bit / 8] ^ 1 << (bit % 8)], at).unwrap();
        match contents_of(&bad) {
            Ok(other) => assert_eq!(other, contents, "bit {bit}"),
            Err(_) => errors += 1,
        }
        file.write_all_at(&whole[bit / 8..=bit / 8], at).unwrap();
    }
    assert_eq!(errors, whole.len() * 8, "no byte is without a check");
    for length in (0..whole.len() as u64).rev() {
        file.set_len(length).unwrap();
        assert!(contents_of(&bad).is_err(), "cut at {length}");
    }
}

#[test]
fn a_copy_made_at_any_moment_opens_and_has_what_was_recorded() {
    let folder = Folder::new();
    let mut file = folder.create();
    let copy = folder.path("copy.trend");
    file.intern(&[function("f")], &[location(1)]).unwrap();
    for i in 1..20 {
        record(&mut file, &i.to_string(), &[i]);
        fs::copy(folder.study(), &copy).unwrap();
        let study = StudyFile::open(&copy, Access::Read).unwrap().load().unwrap();
        assert_eq!(study.workloads().len() as u64, i);
        assert!(study.warnings().iter().any(|w| w.kind == WarningKind::Unfinished), "a copy says what it is");
        // The original has no such warning: it is still being written.
        let study = StudyFile::open(&folder.study(), Access::Read).unwrap().load().unwrap();
        assert!(study.warnings().is_empty());
        // A copy that is cut anywhere has everything before the cut.
        let bytes = fs::read(&copy).unwrap();
        fs::write(&copy, &bytes[..bytes.len() - i as usize]).unwrap();
        let study = StudyFile::open(&copy, Access::Read).unwrap().load().unwrap();
        assert_eq!(study.workloads().len() as u64, i - 1);
    }
}

#[test]
fn what_a_killed_writer_left_half_written_is_cut_off_by_the_next() {
    let folder = Folder::new();
    let mut file = folder.create();
    fill(&mut file);
    let open = fs::read(folder.study()).unwrap();
    file.close().unwrap();
    let contents = contents_of(&folder.study()).unwrap();
    for rest in [&b""[..], &[0; 100], b"half a record", &open[header::LENGTH..header::LENGTH + 20]] {
        fs::write(folder.study(), [&open, rest].concat()).unwrap();
        assert!(contents_of(&folder.study()).unwrap().contains("Unfinished"));
        StudyFile::open(&folder.study(), Access::Write).unwrap().close().unwrap();
        assert_eq!(contents_of(&folder.study()).unwrap(), contents);
    }
    // Damage followed by intact records is not a half-written record, so nothing after it may be cut off.
    let mut damaged = open.clone();
    damaged[header::LENGTH + 200] ^= 1;
    fs::write(folder.study(), &damaged).unwrap();
    for access in [Access::Read, Access::Write] {
        let error = StudyFile::open(&folder.study(), access).unwrap_err();
        assert!(matches!(error, StudyError::Damaged { .. }), "{error}");
    }
    assert_eq!(fs::read(folder.study()).unwrap(), damaged);
}

#[test]
fn a_study_has_one_writer_whatever_it_is_called() {
    let folder = Folder::new();
    let mut file = folder.create();
    file.intern(&[function("f")], &[location(1)]).unwrap();
    let link = folder.path("link.trend");
    fs::hard_link(folder.study(), &link).unwrap();
    std::os::unix::fs::symlink(folder.study(), folder.path("soft.trend")).unwrap();
    for name in ["a.trend", "link.trend", "soft.trend"] {
        let error = StudyFile::open(&folder.path(name), Access::Write).unwrap_err();
        assert!(matches!(error, StudyError::Busy { .. }), "{error}");
        let error = StudyFile::draft(&folder.path(name), &NewStudy::new("p", ""), true).unwrap_err();
        assert!(matches!(error, StudyError::Busy { .. }), "{error}");
    }
    record(&mut file, "1", &[1]);
    assert_eq!(StudyFile::open(&link, Access::Read).unwrap().load().unwrap().workloads().len(), 1);
}

#[test]
fn writers_that_take_turns_lose_nothing() {
    let folder = Folder::new();
    let mut file = folder.create();
    file.intern(&[function("f")], &[location(1)]).unwrap();
    file.close().unwrap();
    std::thread::scope(|scope| {
        for half in 0..2 {
            let path = folder.study();
            scope.spawn(move || {
                for i in 0..20 {
                    let mut file = StudyFile::open(&path, Access::Write).unwrap();
                    record(&mut file, &format!("{}", half * 20 + i), &[i]);
                }
            });
        }
    });
    let study = StudyFile::open(&folder.study(), Access::Read).unwrap().load().unwrap();
    assert_eq!(study.workloads().len(), 40);
}

#[test]
fn a_study_that_is_moved_removed_or_changed_while_it_is_written_is_not_written_on() {
    let folder = Folder::new();
    let recorded = |file: &mut StudyFile| {
        let values = [("n".to_owned(), Some(1.0))];
        file.record(&workload("2", "f"), &run(0, Outcome::Finished), Some(&[1]), &values)
    };
    let other = folder.path("other.trend");

    let mut file = folder.create();
    file.intern(&[function("f")], &[location(1)]).unwrap();
    record(&mut file, "1", &[1]);
    fs::rename(folder.study(), &other).unwrap();
    let error = recorded(&mut file).unwrap_err().to_string();
    assert!(error.contains("a.trend was renamed to") && error.contains("other.trend"), "{error}");
    // A new study at the path is left alone, and the old one is complete under its new name.
    folder.create().close().unwrap();
    assert!(matches!(file.close(), Err(StudyError::Moved { .. })));
    assert_eq!(StudyFile::open(&other, Access::Read).unwrap().load().unwrap().workloads().len(), 1);
    assert!(StudyFile::open(&folder.study(), Access::Read).unwrap().run_states().is_empty());
    fs::remove_file(folder.study()).unwrap();

    let mut file = folder.create();
    fs::remove_file(folder.study()).unwrap();
    let error = recorded(&mut file).unwrap_err().to_string();
    assert!(error.contains("a.trend was removed"), "{error}");
    drop(file);

    let mut file = folder.create();
    OpenOptions::new().write(true).open(folder.study()).unwrap().set_len(70).unwrap();
    let error = recorded(&mut file).unwrap_err();
    assert!(matches!(error, StudyError::Changed { .. }), "{error}");
}

#[test]
fn a_study_comes_into_its_place_whole_or_not_at_all() {
    let folder = Folder::new();
    let mut draft = StudyFile::draft(&folder.study(), &NewStudy::new("sort", ""), false).unwrap();
    fill(&mut draft);
    assert!(!folder.study().exists());
    drop(draft);
    assert_eq!(folder.names(), [""; 0], "what is not published leaves nothing");

    let mut draft = StudyFile::draft(&folder.study(), &NewStudy::new("sort", ""), false).unwrap();
    fs::write(folder.study(), "somebody else's").unwrap();
    assert!(matches!(draft.publish(), Err(StudyError::Exists { .. })));
    drop(draft);
    assert_eq!(fs::read(folder.study()).unwrap(), b"somebody else's");
    let mut draft = StudyFile::draft(&folder.study(), &NewStudy::new("sort", ""), true).unwrap();
    fill(&mut draft);
    draft.publish().unwrap();
    draft.close().unwrap();
    assert_eq!(folder.names(), ["a.trend"]);
    assert_eq!(StudyFile::open(&folder.study(), Access::Read).unwrap().run_states().len(), 9);
}

#[test]
fn what_a_killed_process_had_begun_goes_with_the_next_writer() {
    let folder = Folder::new();
    folder.create().close().unwrap();
    let draft = StudyFile::draft(&folder.study(), &NewStudy::new("sort", ""), true).unwrap();
    let begun = folder.names().into_iter().find(|name| name != "a.trend").unwrap();
    drop(draft);
    fs::write(folder.path(&begun), "left behind").unwrap();
    drop(StudyFile::open(&folder.study(), Access::Write).unwrap());
    assert_eq!(folder.names(), ["a.trend"]);
}

#[test]
fn names_that_mean_something_to_others_are_names_of_files() {
    let folder = Folder::new();
    let long = format!("{}.trend", "n".repeat(249));
    for name in [":memory:", "file:x.trend", "file:x?mode=memory", "-", &long] {
        let path = folder.path(name);
        StudyFile::create(&path, &NewStudy::new("p", "")).unwrap().close().unwrap();
        assert_eq!(StudyFile::open(&path, Access::Write).unwrap().program(), "p");
    }
    assert_eq!(folder.names().len(), 5);
    let path = folder.path(&"n".repeat(256));
    let error = StudyFile::create(&path, &NewStudy::new("p", "")).unwrap_err().to_string();
    assert!(error.contains("too long"), "{error}");
}

#[test]
fn files_that_are_no_study_are_refused_and_left_as_they_are() {
    let folder = Folder::new();
    let path = folder.study();
    let open = |path: &Path| StudyFile::open(path, Access::Write).map(drop).unwrap_err();
    assert!(matches!(open(&path), StudyError::Missing { .. }));
    assert!(matches!(open(folder.path("").as_path()), StudyError::NotAStudy { .. }));
    for contents in [&b""[..], b"text", &[b'x'; 5000]] {
        fs::write(&path, contents).unwrap();
        assert!(matches!(open(&path), StudyError::NotAStudy { .. }));
        assert_eq!(fs::read(&path).unwrap(), contents);
    }
    let new = NewStudy::new("", "");
    assert!(matches!(StudyFile::create(&path, &new), Err(StudyError::Exists { .. })));
}

#[test]
fn a_study_of_a_newer_version_is_refused_with_both_versions() {
    let folder = Folder::new();
    folder.create().close().unwrap();
    let mut bytes = fs::read(folder.study()).unwrap();
    bytes[16] = 99;
    let check = twox_hash::XxHash3_64::oneshot(&bytes[..40]);
    bytes[40..48].copy_from_slice(&check.to_le_bytes());
    fs::write(folder.study(), bytes).unwrap();
    let error = StudyFile::open(&folder.study(), Access::Read).map(drop).unwrap_err();
    assert!(error.to_string().contains("version 99") && error.to_string().contains("up to 3"), "{error}");
}

#[test]
fn a_study_with_records_of_a_later_version_is_newer_and_not_damaged() {
    let folder = Folder::new();
    let mut file = folder.create();
    fill(&mut file);
    file.log.append([&[120, 1, 2, 3], &[]]).unwrap();
    file.close().unwrap();
    let error = StudyFile::open(&folder.study(), Access::Read).map(drop).unwrap_err();
    assert!(matches!(error, StudyError::NewerContents { .. }), "{error}");
    assert!(error.to_string().contains("was written by a newer trend-prof: the record at byte "), "{error}");
    // A record of a known kind with invalid contents.
    let path = folder.path("other.trend");
    let mut file = StudyFile::create(&path, &NewStudy::new("", "")).unwrap();
    file.log.append([&[1, 200], &[]]).unwrap();
    file.close().unwrap();
    let error = StudyFile::open(&path, Access::Read).map(drop).unwrap_err();
    assert!(matches!(error, StudyError::Damaged { .. }), "{error}");
}

#[test]
fn a_repair_gets_out_every_run_that_is_whole() {
    let folder = Folder::new();
    let mut file = folder.create();
    fill(&mut file);
    file.close().unwrap();
    let whole = fs::read(folder.study()).unwrap();
    let (bad, mended) = (folder.path("bad.trend"), folder.path("mended.trend"));
    let mut most = 0;
    for at in (0..whole.len()).step_by(41) {
        let mut bytes = whole.clone();
        bytes[at] ^= 4;
        fs::write(&bad, &bytes).unwrap();
        let repaired = repair(&bad, &mended).unwrap();
        let study = StudyFile::open(&mended, Access::Read).unwrap();
        assert_eq!(study.run_states().len(), repaired.runs);
        study.load().unwrap();
        assert!(repaired.runs == 8 || repaired.runs == 9 || repaired.lost_runs > 0, "{at}: {repaired:?}");
        assert_eq!(repaired.gaps.len(), usize::from(at >= header::LENGTH), "{at}: {repaired:?}");
        most = most.max(repaired.lost_runs);
        assert!(matches!(repair(&bad, &mended), Err(StudyError::Exists { .. })));
        fs::remove_file(&mended).unwrap();
        assert_eq!(fs::read(&bad).unwrap(), bytes, "the damaged one is only read");
    }
    assert_eq!(most, 9, "without their places counts mean nothing");
    fs::write(&bad, [0; 5000]).unwrap();
    assert!(matches!(repair(&bad, &mended), Err(StudyError::NotAStudy { .. })));
    assert!(!mended.exists());
}

#[test]
fn a_repair_believes_no_record_that_claims_more_than_it_has() {
    let folder = Folder::new();
    let mut file = folder.create();
    let (body, bytes) =
        crate::file::bodies::body::pack(&crate::file::bodies::body::of_places(&[], &[])).unwrap();
    let claim = crate::file::records::record::Record::Places { first: [0, 0], count: [1, u32::MAX], bytes };
    file.append_with(claim, &body).unwrap();
    drop(file);
    let mended = folder.path("mended.trend");
    repair(&folder.study(), &mended).unwrap();
    assert!(StudyFile::open(&mended, Access::Read).unwrap().load().unwrap().locations().is_empty());
}
