use std::path::Path;

use rusqlite::Connection;

use super::super::header::DATABASE_MAGIC;
use super::super::tests::Folder;
use super::super::{Access, StudyFile, blob};
use crate::{Command, LocationId, Outcome, StudyError};

/// Schema of version 2, as trend-prof created it.
const VERSION_2: &str = include_str!("version-2.sql");

/// Creates a database with a workload that ran twice and one that failed.
fn database(path: &Path) -> Connection {
    let connection = Connection::open(path).unwrap();
    connection.pragma_update(None, "journal_mode", "WAL").unwrap();
    connection.execute_batch(VERSION_2).unwrap();
    connection
        .execute_batch(
            "PRAGMA application_id = 0x74726e64; PRAGMA user_version = 2;
             INSERT INTO meta VALUES ('program', 'sort'), ('root', '/src'), ('command', './sort {n}');
             INSERT INTO objects VALUES ('a.gcno', 4294967295);
             INSERT INTO functions VALUES (7, 'f', 'f', 'a.c', 1, 's');
             INSERT INTO locations VALUES (0, 7, 0, 2, 'a.c', 3, '[3,4]', ''), (1, 7, 1, 0, 'a.c', 1, '[1]', '');
             INSERT INTO workloads VALUES (5, 'w', './sort 1', NULL, 'print'), (6, 'x', './sort 2', 'in', 'p');
             INSERT INTO features VALUES ('n', 0, '{\"parameter\":\"n\"}'), ('old', -1, '\"size\"');
             INSERT INTO feature_values VALUES (5, 'n', 4.0), (5, 'old', 1.0);
             INSERT INTO warnings VALUES ('k', 'm');
             INSERT INTO routines VALUES (1, 'r', '_r', 'o');
             INSERT INTO routine_tuples VALUES (5, 1, '', 'rms', 4, 2, 3, 5, 8, 34.0);
             INSERT INTO runs VALUES (6, 0, 'crashed', '11', 0.5, 0.1, 0.1, 4096, 'oh', NULL);",
        )
        .unwrap();
    let text = zstd::bulk::compress(b"int main;", 3).unwrap();
    connection.execute("INSERT INTO sources VALUES ('a.c', 9, ?1)", [text]).unwrap();
    for (repetition, count) in [(0, 10), (1, 30)] {
        let counts = blob::pack(&[count, 1]).unwrap();
        connection
            .execute(
                "INSERT INTO runs VALUES (5, ?1, 'finished', '', 0.5, 0.1, 0.1, 4096, '', ?2)",
                rusqlite::params![repetition, counts],
            )
            .unwrap();
    }
    connection
}

fn check(file: &StudyFile) {
    assert_eq!(
        (file.program(), file.root(), file.command()),
        ("sort", "/src", Some(&Command::Line("./sort {n}".to_owned())))
    );
    assert_eq!(file.objects()[0].stamp, u32::MAX);
    let study = file.load().unwrap();
    assert_eq!(study.counts().row(LocationId(1)).to_vec(), [10]);
    assert!(study.is_unstable(LocationId(1)));
    assert_eq!(study.location(LocationId(1)).lines[..], [3, 4]);
    assert_eq!((study.features().len(), study.features()[0].values[0]), (1, Some(4.0)));
    let failed = &study.failed()[0];
    let ended = (failed.name.as_str(), &failed.outcome, failed.stderr_tail.as_str());
    assert_eq!(ended, ("x", &Outcome::Crashed { signal: 11 }, "oh"));
    assert_eq!(file.run_states()[2].stderr_tail, "oh");
    assert_eq!((study.source("a.c"), study.warnings().len()), (Some("int main;"), 1));
    assert_eq!(study.series()[0].observations[0].sum, 8);
    assert_eq!(study.workloads()[0].usage.unwrap().peak_rss_bytes, 4096);
}

#[test]
fn an_older_study_is_read_where_it_is_and_replaced_when_it_is_written() {
    let folder = Folder::new();
    drop(database(&folder.study()));
    check(&StudyFile::open(&folder.study(), Access::Read).unwrap());
    assert!(std::fs::read(folder.study()).unwrap().starts_with(&DATABASE_MAGIC));
    check(&StudyFile::open(&folder.study(), Access::Write).unwrap());
    assert!(!std::fs::read(folder.study()).unwrap().starts_with(&DATABASE_MAGIC));
    check(&StudyFile::open(&folder.study(), Access::Read).unwrap());
    assert_eq!(folder.names(), ["a.trend"]);
}

#[test]
fn what_an_older_version_had_not_yet_brought_into_its_file_is_read() {
    let folder = Folder::new();
    let connection = database(&folder.study());
    // A killed writer leaves the database and its log.
    for suffix in ["", "-wal"] {
        let name = |stem: &str| folder.path(&format!("{stem}.trend{suffix}"));
        std::fs::copy(name("a"), name("b")).unwrap();
    }
    drop(connection);
    check(&StudyFile::open(&folder.path("b.trend"), Access::Read).unwrap());
}

#[test]
fn a_database_that_is_not_quite_a_study_is_refused() {
    let folder = Folder::new();
    let refused = |change: &str, said: &str| {
        let path = folder.study();
        database(&path).execute_batch(change).unwrap();
        let error = StudyFile::open(&path, Access::Read).and_then(|f| f.load()).unwrap_err();
        assert!(error.to_string().contains(said), "{change}: {error}");
        std::fs::remove_file(&path).unwrap();
    };
    refused("PRAGMA application_id = 1", "another application");
    refused("PRAGMA user_version = 9", "version 9");
    refused("DROP TABLE warnings", "no table `warnings`");
    refused("CREATE TRIGGER t AFTER INSERT ON meta BEGIN DELETE FROM runs; END", "trigger `t`");
    refused("CREATE TABLE other (x)", "table `other`");
    refused(
        "DROP TABLE warnings; CREATE VIEW warnings (kind, message) AS
         WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT 'k', i FROM n",
        "view `warnings`",
    );
    refused("UPDATE locations SET id = 9 WHERE id = 1", "location 1 is missing");
    refused("PRAGMA foreign_keys = OFF; UPDATE locations SET function = 8", "belongs to no function");
    refused("UPDATE runs SET counts = x'00' WHERE counts IS NOT NULL", "counts of workload `w`");
    refused("UPDATE sources SET length = 99999999999", "claims too many bytes");
}

#[test]
fn a_damaged_database_is_an_error_or_says_the_same() {
    let folder = Folder::new();
    drop(database(&folder.study()));
    let whole = std::fs::read(folder.study()).unwrap();
    let bad = folder.path("bad.trend");
    for i in 0..300 {
        let mut bytes = whole.clone();
        let at = (i * 7919) % bytes.len();
        bytes[at] ^= 1 << (i % 8);
        if i % 10 == 0 {
            bytes.truncate(at);
        }
        std::fs::write(&bad, bytes).unwrap();
        // SQLite has no checksums for values, so a changed value may go unnoticed; this test accepts that.
        if let Ok(file) = StudyFile::open(&bad, Access::Read)
            && let Err(error) = file.load()
        {
            assert!(matches!(error, StudyError::Damaged { .. } | StudyError::Inconsistent { .. }), "{error}");
        }
    }
}
