//! Studies of versions 1 and 2, which were SQLite databases. They are converted to records when they are read, and
//! replaced by a study of today's version when they are written.
//!
//! A database can bring its own tables, views and triggers, so it is not trusted: every table must be one that those
//! versions made, and no query may take longer than a valid study could.

mod read;
#[cfg(test)]
mod tests;

use std::fs::{self, File};
use std::io;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use rusqlite::{Connection, ErrorCode, OpenFlags};

use super::body::Budget;
use super::log::Log;
use super::{Access, Draft, StudyFile};
use crate::StudyError;

/// `application_id` of a study: "trnd" in ASCII.
const APPLICATION_ID: i64 = 0x7472_6e64;

/// Last version that was a database.
const LAST_VERSION: i64 = 2;

/// Tables of version 2; version 1 has no tables of routines.
const TABLES: [&str; 12] = [
    "meta",
    "objects",
    "functions",
    "locations",
    "workloads",
    "runs",
    "features",
    "feature_values",
    "sources",
    "warnings",
    "routines",
    "routine_tuples",
];

/// Virtual-machine steps of SQLite between two checks of the limit.
const STEPS: i32 = 100_000;

/// Maximum number of steps per byte of the file; valid studies take less than one.
const STEPS_PER_BYTE: u64 = 20;

/// Opens a database. For reading, the converted study stays in memory; for writing, it replaces the database.
pub(super) fn open(path: &Path, file: File, access: Access) -> Result<StudyFile, StudyError> {
    let length = file.metadata().map_err(|e| super::log::io_error(path, e))?.len();
    let copy = Copied::of(path).map_err(|e| super::log::io_error(path, e))?;
    let database = Database { path, connection: connect(path, &copy.database(), length)? };
    database.check()?;
    let new = database.new_study()?;
    let mut study = match access {
        Access::Write => {
            let (draft, log) = Draft::begin(path, new.id, true, Some(file))?;
            StudyFile::begun(Some(draft), log, &new)?
        }
        Access::Read => StudyFile::begun(None, Log::nameless(path, new.id)?, &new)?,
    };
    database.copy_into(&mut study, &mut Budget::of_file(length))?;
    study.publish()?;
    if access == Access::Write {
        // The new study has their contents.
        let _ = [WAL, "-shm"].map(|suffix| fs::remove_file(beside(path, suffix)));
    }
    Ok(study)
}

/// Suffix of SQLite's write-ahead log. A killed writer leaves one next to the database, and it is part of the data.
const WAL: &str = "-wal";

fn beside(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    name.into()
}

/// A database with its log, copied to a temporary folder. SQLite writes to a database to apply its log, and it reads
/// other files next to the database, which anyone could have put there.
struct Copied {
    folder: tempfile::TempDir,
}

impl Copied {
    fn of(path: &Path) -> io::Result<Self> {
        let copied = Self { folder: tempfile::tempdir()? };
        let database = copied.database();
        fs::copy(path, &database)?;
        fs::set_permissions(&database, fs::Permissions::from_mode(0o600))?;
        let log = beside(path, WAL);
        if fs::symlink_metadata(&log).is_ok_and(|m| m.is_file()) {
            fs::copy(log, beside(&database, WAL))?;
            fs::set_permissions(beside(&database, WAL), fs::Permissions::from_mode(0o600))?;
        }
        Ok(copied)
    }

    fn database(&self) -> PathBuf {
        self.folder.path().join("study")
    }
}

/// An open copy of a database.
struct Database<'p> {
    path: &'p Path,
    connection: Connection,
}

/// Opens the copy of the database at `path`; errors name `path`.
fn connect(path: &Path, copy: &Path, length: u64) -> Result<Connection, StudyError> {
    let explained = |e: rusqlite::Error| explain(path, &e);
    let flags = OpenFlags::SQLITE_OPEN_NO_MUTEX | OpenFlags::SQLITE_OPEN_READ_WRITE;
    let mut connection = Connection::open_with_flags(copy, flags).map_err(explained)?;
    connection
        .execute_batch("PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON;")
        .map_err(explained)?;
    let mut left = length.saturating_mul(STEPS_PER_BYTE).max(200_000_000) / STEPS as u64;
    let count = move || {
        left = left.saturating_sub(1);
        left == 0
    };
    connection.progress_handler(STEPS, Some(count)).map_err(explained)?;
    Ok(connection)
}

impl Database<'_> {
    /// Checks that the database is an intact study of a known version and contains nothing else.
    fn check(&self) -> Result<(), StudyError> {
        let pragma = |name: &str| -> Result<i64, StudyError> {
            self.connection
                .query_row(&format!("PRAGMA {name}"), [], |row| row.get(0))
                .map_err(|e| self.failed(&e))
        };
        if pragma("application_id")? != APPLICATION_ID {
            let found = "it is a SQLite database of another application".to_owned();
            return Err(StudyError::NotAStudy { path: self.path.to_owned(), found });
        }
        let found = pragma("user_version")?;
        if found > LAST_VERSION {
            let supported = super::header::VERSION.into();
            return Err(StudyError::Newer { path: self.path.to_owned(), found, supported });
        }
        let entries = self.rows("SELECT type, name, tbl_name FROM sqlite_schema", |row| {
            Ok((row.get::<_, String>(0)?, row.get::<_, String>(1)?, row.get::<_, String>(2)?))
        })?;
        for (kind, name, table) in &entries {
            let is_known = match kind.as_str() {
                "table" => TABLES.contains(&name.as_str()),
                "index" => name.starts_with("sqlite_autoindex_") && TABLES.contains(&table.as_str()),
                _ => false,
            };
            if !is_known {
                return Err(self.damaged(format!("it has a {kind} `{name}`, which no study has")));
            }
        }
        let of_version = if found < LAST_VERSION { &TABLES[..10] } else { &TABLES[..] };
        let has = |table: &&&str| entries.iter().any(|(kind, name, _)| kind == "table" && name == **table);
        if let Some(missing) = of_version.iter().find(|table| !has(table)) {
            return Err(self.damaged(format!("it has no table `{missing}`")));
        }
        let told: String = self
            .connection
            .query_row("PRAGMA integrity_check(1)", [], |row| row.get(0))
            .map_err(|e| self.failed(&e))?;
        if told == "ok" { Ok(()) } else { Err(self.damaged(told)) }
    }

    fn has_routines(&self) -> Result<bool, StudyError> {
        let query = "SELECT count(*) FROM sqlite_schema WHERE name = 'routine_tuples'";
        self.connection.query_row(query, [], |row| row.get(0)).map_err(|e| self.failed(&e))
    }

    fn rows<T>(
        &self,
        query: &str,
        read: impl FnMut(&rusqlite::Row<'_>) -> rusqlite::Result<T>,
    ) -> Result<Vec<T>, StudyError> {
        let mut statement = self.connection.prepare(query).map_err(|e| self.failed(&e))?;
        let rows = statement.query_map([], read).map_err(|e| self.failed(&e))?;
        rows.collect::<rusqlite::Result<_>>().map_err(|e| self.failed(&e))
    }

    fn failed(&self, error: &rusqlite::Error) -> StudyError {
        explain(self.path, error)
    }

    fn damaged(&self, what: impl Into<String>) -> StudyError {
        StudyError::Damaged { path: self.path.to_owned(), what: what.into() }
    }
}

/// Converts an error of SQLite into one for the file at `path`.
fn explain(path: &Path, source: &rusqlite::Error) -> StudyError {
    let path = path.to_owned();
    match source.sqlite_error_code() {
        Some(ErrorCode::DiskFull) => StudyError::DiskFull { path },
        Some(ErrorCode::ReadOnly | ErrorCode::CannotOpen | ErrorCode::PermissionDenied) => {
            StudyError::ReadOnly { path }
        }
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => StudyError::Busy { path },
        Some(ErrorCode::OperationInterrupted) => {
            StudyError::Damaged { path, what: "reading it takes longer than its size allows".to_owned() }
        }
        _ => StudyError::Damaged { path, what: source.to_string() },
    }
}
