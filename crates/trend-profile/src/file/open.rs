//! Creating, opening and migrating study files, and what SQLite's errors mean for a person.

use std::fs;
use std::io::Read;
use std::path::Path;
use std::time::Duration;

use rusqlite::{Connection, ErrorCode, OpenFlags, TransactionBehavior};

use super::schema::{APPLICATION_ID, MIGRATIONS, VERSION};
use super::{Access, NewStudy, StudyFile};
use crate::StudyError;

/// How long to wait for another process that is writing. A write takes milliseconds.
const BUSY_TIMEOUT: Duration = Duration::from_secs(20);

impl StudyFile {
    /// Creates a study.
    ///
    /// # Errors
    /// [`StudyError::Exists`] when something is there already, and whatever the disk says.
    pub fn create(path: &Path, new: &NewStudy) -> Result<Self, StudyError> {
        if fs::symlink_metadata(path).is_ok() {
            return Err(StudyError::Exists { path: path.to_owned() });
        }
        // Made complete under another name first: a study that is there is a whole one.
        let folder = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let unfinished = folder.join(format!(".{name}.{}.new", std::process::id()));
        let made = fill_new(&unfinished, new).map_err(|e| explain(path, e)).and_then(|()| {
            // Unlike a rename, a link does not replace what somebody else put there meanwhile.
            fs::hard_link(&unfinished, path)
                .or_else(|_| fs::rename(&unfinished, path))
                .map_err(|e| io(path, e))
        });
        let _ = fs::remove_file(&unfinished);
        made?;
        Self::open(path, Access::Write)
    }

    /// Opens a study, bringing an older one up to date when it may be written.
    ///
    /// # Errors
    /// Says whether the file is missing, something else, of a newer version, or cannot be written.
    pub fn open(path: &Path, access: Access) -> Result<Self, StudyError> {
        check_header(path)?;
        let file = match access {
            Access::Write => Self::connect(path, OpenFlags::SQLITE_OPEN_READ_WRITE, false)?,
            // Opened for writing where possible, because only then SQLite clears its WAL away.
            Access::Read => Self::connect(path, OpenFlags::SQLITE_OPEN_READ_WRITE, false)
                .or_else(|_| Self::connect(path, OpenFlags::SQLITE_OPEN_READ_ONLY, false))
                .or_else(|_| Self::connect_immutable(path))?,
        };
        file.migrate(access)?;
        Ok(file)
    }

    fn connect(path: &Path, flags: OpenFlags, uri: bool) -> Result<Self, StudyError> {
        let flags = flags | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = if uri {
            let escaped = path.to_string_lossy().replace('%', "%25").replace('?', "%3f").replace('#', "%23");
            let flags = flags | OpenFlags::SQLITE_OPEN_URI;
            Connection::open_with_flags(format!("file:{escaped}?immutable=1"), flags)
        } else {
            Connection::open_with_flags(path, flags)
        };
        let explained = |e| explain(path, e);
        let connection = connection.map_err(explained)?;
        connection.busy_timeout(BUSY_TIMEOUT).map_err(explained)?;
        // A study can come from anywhere: its schema must not be able to run anything.
        connection
            .execute_batch("PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON; PRAGMA foreign_keys = ON; PRAGMA synchronous = NORMAL;")
            .map_err(explained)?;
        let file = Self { path: path.to_owned(), connection };
        // The first statement that touches the file is the one that finds out.
        file.connection.query_row("SELECT count(*) FROM sqlite_schema", [], |_| Ok(())).map_err(explained)?;
        Ok(file)
    }

    /// Reads a study from where nothing can be written, not even SQLite's own bookkeeping.
    pub(super) fn connect_immutable(path: &Path) -> Result<Self, StudyError> {
        let mut wal = path.as_os_str().to_owned();
        wal.push("-wal");
        if fs::metadata(&wal).is_ok_and(|m| m.len() > 0) {
            return Err(StudyError::ReadOnly { path: path.to_owned() });
        }
        Self::connect(path, OpenFlags::SQLITE_OPEN_READ_ONLY, true)
    }

    fn migrate(&self, access: Access) -> Result<(), StudyError> {
        let version = self.version()?;
        if version > VERSION {
            return Err(StudyError::Newer { path: self.path.clone(), found: version, supported: VERSION });
        }
        if version < VERSION {
            migrate(&self.connection).map_err(|e| match access {
                Access::Write => self.sqlite(e),
                Access::Read => StudyError::ReadOnly { path: self.path.clone() },
            })?;
        }
        Ok(())
    }

    fn version(&self) -> Result<i64, StudyError> {
        self.connection.query_row("PRAGMA user_version", [], |row| row.get(0)).map_err(|e| self.sqlite(e))
    }
}

fn fill_new(path: &Path, new: &NewStudy) -> rusqlite::Result<()> {
    let connection = Connection::open(path)?;
    connection.pragma_update(None, "journal_mode", "WAL")?;
    connection.pragma_update(None, "application_id", APPLICATION_ID)?;
    migrate(&connection)?;
    let mut insert = connection.prepare("INSERT INTO meta (key, value) VALUES (?1, ?2)")?;
    insert.execute(("program", &new.program))?;
    insert.execute(("root", &new.root))?;
    insert.execute(("created_by", concat!("trend-prof ", env!("CARGO_PKG_VERSION"))))?;
    Ok(())
}

/// Applies what is missing, all of it or nothing, also when two processes begin at once.
fn migrate(connection: &Connection) -> rusqlite::Result<()> {
    let transaction = rusqlite::Transaction::new_unchecked(connection, TransactionBehavior::Immediate)?;
    let version: i64 = transaction.query_row("PRAGMA user_version", [], |row| row.get(0))?;
    for step in MIGRATIONS.iter().skip(usize::try_from(version).unwrap_or(usize::MAX)) {
        transaction.execute_batch(step)?;
    }
    transaction.pragma_update(None, "user_version", VERSION)?;
    transaction.commit()
}

/// Tells a study from other files before SQLite touches it.
fn check_header(path: &Path) -> Result<(), StudyError> {
    let mut header = [0_u8; 100];
    let not_a_study = |found: &str| StudyError::NotAStudy { path: path.to_owned(), found: found.to_owned() };
    // Looked at before it is opened: opening a pipe waits for somebody to write into it.
    let metadata = fs::metadata(path).map_err(|e| io(path, e))?;
    if metadata.is_dir() {
        return Err(not_a_study("it is a folder"));
    }
    if !metadata.is_file() {
        return Err(not_a_study("it is no file"));
    }
    let mut file = fs::File::open(path).map_err(|e| io(path, e))?;
    if metadata.len() == 0 {
        return Err(not_a_study("it is empty"));
    }
    let read = file.read(&mut header).map_err(|e| io(path, e))?;
    if read < header.len() || !header.starts_with(b"SQLite format 3\0") {
        return Err(not_a_study("it is no SQLite database"));
    }
    let id = i64::from(u32::from_be_bytes([header[68], header[69], header[70], header[71]]));
    if id != APPLICATION_ID {
        return Err(not_a_study("it is a SQLite database of another application"));
    }
    Ok(())
}

fn io(path: &Path, source: std::io::Error) -> StudyError {
    let path = path.to_owned();
    match source.kind() {
        std::io::ErrorKind::NotFound => StudyError::Missing { path },
        std::io::ErrorKind::AlreadyExists => StudyError::Exists { path },
        std::io::ErrorKind::StorageFull => StudyError::DiskFull { path },
        std::io::ErrorKind::ReadOnlyFilesystem => StudyError::ReadOnly { path },
        _ => StudyError::Io { path, source },
    }
}

/// What an error of SQLite means for the file at `path`.
pub(super) fn explain(path: &Path, source: rusqlite::Error) -> StudyError {
    let path = path.to_owned();
    match source.sqlite_error_code() {
        Some(ErrorCode::DiskFull) => StudyError::DiskFull { path },
        Some(ErrorCode::ReadOnly | ErrorCode::CannotOpen | ErrorCode::PermissionDenied) => {
            StudyError::ReadOnly { path }
        }
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => StudyError::Busy { path },
        Some(ErrorCode::NotADatabase) => {
            StudyError::NotAStudy { path, found: "it is no SQLite database".to_owned() }
        }
        Some(ErrorCode::DatabaseCorrupt) => StudyError::Damaged { path, what: source.to_string() },
        _ => StudyError::Sqlite { path, source },
    }
}
