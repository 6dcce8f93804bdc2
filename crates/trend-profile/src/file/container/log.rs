//! Opens, locks, appends to and publishes the study file.
//!
//! A writer holds a lock on the open file, not on its name, so a file has one writer whatever its name or links.
//! Readers take no lock; they read what was complete when they opened the file.
//!
//! A new file is filled under a temporary name next to its target, and one rename publishes it. Apart from the
//! temporary file, no file belongs to a study because of its name.

use std::ffi::OsString;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io;
use std::os::fd::AsRawFd;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{FileExt, MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use rustix::fs::{CWD, OFlags, RenameFlags, renameat_with};
use twox_hash::XxHash3_64;

use super::frame;
use super::frame::{Frame, Frames, Next};
use super::header;
use super::header::{Header, State, Unreadable};
use crate::error::StudyError;
use crate::file::records::record::Flaw;
use crate::identity::StudyId;

/// Access with which a study is opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// Read only; works on read-only disks and while another process writes.
    Read,
    /// Read and write, for one process at a time.
    Write,
}

/// Time that a writer waits for the previous one: a killed process holds its locks until its memory is cleared.
const PATIENCE: Duration = Duration::from_secs(3);

/// Interval between two attempts to lock.
const LOOK: Duration = Duration::from_millis(10);

/// An open study file, read up to its last intact frame.
#[derive(Debug)]
pub(in crate::file) struct Log {
    /// Path as given by the caller.
    path: PathBuf,
    /// Canonical path of the file, checked before every write.
    place: PathBuf,
    file: File,
    id: StudyId,
    access: Access,
    /// Offset of the next frame.
    end: u64,
    /// Checksum of the last frame.
    last: u64,
    /// True if the last writer marked every frame up to the end as intact.
    is_closed: bool,
    /// True unless a reader finds that the last writer was interrupted.
    is_complete: bool,
}

impl Log {
    /// Reads the header of a file that [`open_file`] opened and locked.
    pub(in crate::file) fn of_file(path: &Path, file: File, access: Access) -> Result<Self, StudyError> {
        let not_a_study =
            |problem: &str| StudyError::NotAStudy { path: path.to_owned(), problem: problem.to_owned() };
        let damaged = |what: &str| StudyError::Damaged { path: path.to_owned(), what: what.to_owned() };
        let length = file.metadata().map_err(|e| io_error(path, e))?.len();
        if length == 0 {
            return Err(not_a_study("it is empty"));
        }
        let mut bytes = [0; header::LENGTH];
        let present = (length as usize).min(bytes.len());
        file.read_exact_at(&mut bytes[..present], 0).map_err(|e| io_error(path, e))?;
        let header = match Header::parse(&bytes) {
            _ if present < bytes.len() && bytes.starts_with(&header::MAGIC) => {
                return Err(damaged("it ends within its header"));
            }
            Ok(header) => header,
            Err(Unreadable::OtherFile) => return Err(not_a_study("it does not begin like a study")),
            Err(Unreadable::Damaged) => return Err(damaged("its header does not match its checksum")),
            Err(Unreadable::Newer(version)) => {
                let (version, supported) = (i64::from(version), i64::from(header::VERSION));
                return Err(StudyError::Newer { path: path.to_owned(), version, supported });
            }
        };
        let end = match header.state {
            State::Closed(closed) if closed > length => {
                let what = format!("it has only {length} of {closed} bytes: its end is missing");
                return Err(StudyError::Damaged { path: path.to_owned(), what });
            }
            State::Closed(closed) if access == Access::Write && closed < length => {
                return Err(damaged("something was appended to it"));
            }
            State::Closed(closed) => closed,
            State::Open => length,
        };
        let place = fs::canonicalize(path).map_err(|e| io_error(path, e))?;
        let (path, last) = (path.to_owned(), frame::seed(header.id));
        let (id, is_closed) = (header.id, header.state != State::Open);
        let is_complete = is_closed || access == Access::Write || is_being_written(&file);
        Ok(Self { path, place, file, id, access, end, last, is_closed, is_complete })
    }

    /// Reads every frame and passes its payload to `take`, which returns an error for a bad one. A writer then cuts off
    /// what a killed writer left half written.
    pub(in crate::file) fn replay(
        &mut self,
        mut take: impl FnMut(u64, &[u8]) -> Result<(), Flaw>,
    ) -> Result<(), StudyError> {
        let mut frames = Frames::new(&self.file, header::LENGTH as u64, self.end, self.last);
        loop {
            let position = frames.position();
            match frames.next().map_err(|e| io_error(&self.path, e))? {
                Next::Payload { offset, payload } => {
                    take(offset, payload).map_err(|flaw| match flaw {
                        Flaw::Damaged(what) => self.damaged_at(position, &what),
                        Flaw::UnknownKind => StudyError::NewerContents {
                            path: self.path.clone(),
                            what: format!("the record at byte {position} has an unknown kind"),
                        },
                    })?;
                }
                Next::End => break,
                Next::Broken => {
                    // Nothing follows a record that a writer did not finish.
                    if self.is_closed || frames.resynchronise().map_err(|e| io_error(&self.path, e))? {
                        return Err(self.damaged_at(position, "does not match its checksum"));
                    }
                    self.end = position;
                    break;
                }
            }
        }
        let last = frames.last();
        self.last = last;
        if self.access == Access::Write {
            self.begin_to_write()?;
        }
        Ok(())
    }

    fn damaged_at(&self, position: u64, what: &str) -> StudyError {
        StudyError::Damaged { path: self.path.clone(), what: format!("the record at byte {position} {what}") }
    }

    /// Cuts off an unfinished frame, then marks the study as open.
    fn begin_to_write(&mut self) -> Result<(), StudyError> {
        let write = || {
            self.file.set_len(self.end)?;
            self.write_state(State::Open)?;
            self.file.sync_data()
        };
        write().map_err(|e| self.io(e))
    }

    fn write_state(&self, state: State) -> io::Result<()> {
        self.file.write_all_at(&Header { id: self.id, state }.state_bytes(), header::STATE_OFFSET)
    }

    /// Appends a record completely, or returns an error and appends nothing. Returns the offset of the payload.
    pub(in crate::file) fn append(&mut self, parts: [&[u8]; 2]) -> Result<u64, StudyError> {
        self.check_place()?;
        let frame = Frame::new(self.last, parts);
        if let Err(error) = self.file.write_all_at(frame.bytes(), self.end) {
            // If this fails as well, the next writer truncates the file.
            let _ = self.file.set_len(self.end);
            return Err(self.io(error));
        }
        let offset = self.end + frame::LENGTH as u64;
        self.end += frame.bytes().len() as u64;
        self.last = frame.check();
        Ok(offset)
    }

    /// Checks that the file is still in its place and has the expected length.
    fn check_place(&self) -> Result<(), StudyError> {
        let metadata = self.file.metadata().map_err(|e| self.io(e))?;
        if metadata.nlink() == 0 || !is_at(&self.file, &self.place) {
            let now = (metadata.nlink() > 0).then(|| self.present_place()).flatten();
            return Err(StudyError::Moved { path: self.path.clone(), now });
        }
        if metadata.len() != self.end {
            return Err(StudyError::Changed { path: self.path.clone() });
        }
        Ok(())
    }

    /// Returns the file's present path according to the kernel.
    fn present_place(&self) -> Option<PathBuf> {
        let place = fs::read_link(format!("/proc/self/fd/{}", self.file.as_raw_fd())).ok()?;
        is_at(&self.file, &place).then_some(place)
    }

    /// Marks the study as intact and flushes it to disk. Nothing may be appended afterwards.
    pub(in crate::file) fn close(&mut self) -> Result<(), StudyError> {
        if self.access == Access::Read {
            return Ok(());
        }
        let in_place = self.check_place();
        // A renamed study is intact under its new name; one that another program changed is not.
        if !matches!(in_place, Err(StudyError::Changed { .. })) {
            let close = || {
                self.file.sync_data()?;
                self.write_state(State::Closed(self.end))?;
                self.file.sync_data()
            };
            close().map_err(|e| self.io(e))?;
            self.access = Access::Read;
        }
        in_place
    }

    /// Duplicates the file handle; the duplicate keeps the lock when this one is closed.
    pub(in crate::file) fn share_lock(&self) -> Result<File, StudyError> {
        self.file.try_clone().map_err(|e| self.io(e))
    }

    /// Reads bytes of the file.
    pub(in crate::file) fn read(&self, offset: u64, bytes: &mut [u8]) -> Result<(), StudyError> {
        self.file.read_exact_at(bytes, offset).map_err(|e| self.io(e))
    }

    pub(in crate::file) fn path(&self) -> &Path {
        &self.path
    }

    pub(in crate::file) fn id(&self) -> StudyId {
        self.id
    }

    /// Returns the length of the file.
    pub(in crate::file) fn length(&self) -> u64 {
        self.end
    }

    /// Returns true unless a reader finds that the last writer was interrupted.
    pub(in crate::file) fn is_complete(&self) -> bool {
        self.is_complete
    }

    fn io(&self, source: io::Error) -> StudyError {
        io_error(&self.path, source)
    }

    pub(in crate::file) fn begin(
        path: &Path,
        place: PathBuf,
        file: File,
        id: StudyId,
    ) -> Result<Self, StudyError> {
        let header = Header { id, state: State::Open };
        let write_header = || {
            file.set_len(0)?;
            file.write_all_at(&header.to_bytes(), 0)
        };
        write_header().map_err(|e| io_error(path, e))?;
        let (path, last, end) = (path.to_owned(), frame::seed(id), header::LENGTH as u64);
        let (access, is_closed, is_complete) = (Access::Write, false, true);
        Ok(Self { path, place, file, id, access, end, last, is_closed, is_complete })
    }
}

/// A temporary file next to its target, in which a study is filled. It is removed on drop unless it was published.
#[derive(Debug)]
pub(in crate::file) struct Draft {
    place: PathBuf,
    target: PathBuf,
    may_replace: bool,
    is_published: bool,
    /// File to be replaced, locked.
    _replaced: Option<File>,
}

impl Draft {
    /// Begins a study for `path`.
    ///
    /// # Errors
    /// [`StudyError::Busy`] while another process fills a study for the same target.
    pub(in crate::file) fn begin(
        path: &Path,
        id: StudyId,
        may_replace: bool,
        replaced: Option<File>,
    ) -> Result<(Self, Log), StudyError> {
        let target = target_of(path)?;
        let place = unfinished(&target);
        let start = Instant::now();
        let file = loop {
            let mut options = OpenOptions::new();
            options.read(true).write(true).create(true).truncate(false);
            options.custom_flags(OFlags::NOFOLLOW.bits() as i32);
            let file = options.open(&place).map_err(|e| match e.kind() {
                io::ErrorKind::PermissionDenied => StudyError::ReadOnly { path: path.to_owned() },
                _ => io_error(path, e),
            })?;
            lock(&file, path, start)?;
            if is_at(&file, &place) {
                break file;
            }
        };
        let draft =
            Self { place: place.clone(), target, may_replace, is_published: false, _replaced: replaced };
        Ok((draft, Log::begin(path, place, file, id)?))
    }

    /// Flushes the file to disk and moves it to its target in one step.
    ///
    /// # Errors
    /// [`StudyError::Exists`] if the target exists and must not be replaced.
    pub(in crate::file) fn publish(&mut self, log: &mut Log) -> Result<(), StudyError> {
        log.check_place()?;
        log.file.sync_all().and_then(|()| self.rename()).map_err(|e| log.io(e))?;
        log.place.clone_from(&self.target);
        Ok(())
    }

    fn rename(&mut self) -> io::Result<()> {
        if self.may_replace {
            fs::rename(&self.place, &self.target)?;
        } else {
            rename_to_nothing(&self.place, &self.target)?;
        }
        self.is_published = true;
        bring_folder_to_disk(&self.target);
        Ok(())
    }
}

impl Drop for Draft {
    fn drop(&mut self) {
        // The file is still locked. Once it is published, its former name may belong to another writer.
        if !self.is_published {
            let _ = fs::remove_file(&self.place);
        }
    }
}

/// Makes the file's new name survive a power loss. File systems that cannot do so return an error, which is ignored.
fn bring_folder_to_disk(file: &Path) {
    if let Some(folder) = file.parent() {
        let _ = File::open(folder).and_then(|folder| folder.sync_all());
    }
}

/// Removes the temporary file that a killed process left for this target.
pub(in crate::file) fn remove_unfinished(path: &Path) {
    let Ok(place) = target_of(path).map(|target| unfinished(&target)) else { return };
    let is_file = fs::symlink_metadata(&place).is_ok_and(|m| m.is_file());
    let Some(file) = is_file.then(|| File::open(&place).ok()).flatten() else { return };
    if file.try_lock().is_ok() && is_at(&file, &place) {
        let _ = fs::remove_file(&place);
    }
}

/// Resolves all links of the path's folder, and of the path itself if it exists.
fn target_of(path: &Path) -> Result<PathBuf, StudyError> {
    if let Ok(place) = fs::canonicalize(path) {
        return Ok(place);
    }
    let folder = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let folder =
        fs::canonicalize(folder).map_err(|source| StudyError::Io { path: folder.to_owned(), source })?;
    let name = path.file_name().ok_or_else(|| io_error(path, io::ErrorKind::InvalidInput.into()))?;
    Ok(folder.join(name))
}

/// Returns the name of the temporary file for a target: hidden, short whatever the target's name, and always the same.
fn unfinished(target: &Path) -> PathBuf {
    let name = target.file_name().map(OsString::from).unwrap_or_default();
    target.with_file_name(format!(".trend-prof-{:016x}.new", XxHash3_64::oneshot(name.as_bytes())))
}

/// Opens the file at `path` if it can be a study. For writing, waits until no other process writes it.
pub(in crate::file) fn open_file(path: &Path, access: Access) -> Result<File, StudyError> {
    let start = Instant::now();
    loop {
        let file = open_without_waiting(path, access)?;
        if access == Access::Write {
            lock(&file, path, start)?;
            // Another file may have taken the path meanwhile.
            if !is_at(&file, path) {
                continue;
            }
        }
        return Ok(file);
    }
}

/// Renames a locked file to a free name: `NAME.damaged`, `NAME.damaged.2` and so on.
pub(in crate::file) fn set_aside(path: &Path) -> Result<PathBuf, StudyError> {
    for number in 1_u32.. {
        let mut name = path.as_os_str().to_owned();
        name.push(".damaged");
        if number > 1 {
            name.push(format!(".{number}"));
        }
        let aside = PathBuf::from(name);
        match rename_to_nothing(path, &aside) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            renamed => return renamed.map(|()| aside).map_err(|e| io_error(path, e)),
        }
    }
    Err(StudyError::Exists { path: path.to_owned() })
}

/// Renames a file unless the new name is taken.
fn rename_to_nothing(from: &Path, to: &Path) -> io::Result<()> {
    match renameat_with(CWD, from, CWD, to, RenameFlags::NOREPLACE) {
        // For file systems that lack this flag: unlike a rename, a link does not replace an existing file.
        Err(rustix::io::Errno::INVAL | rustix::io::Errno::NOSYS) => {
            fs::hard_link(from, to)?;
            fs::remove_file(from)
        }
        renamed => Ok(renamed?),
    }
}

/// Opens a file after checking its kind: opening a pipe would wait for a writer.
pub(in crate::file) fn open_without_waiting(path: &Path, access: Access) -> Result<File, StudyError> {
    let not_a_study =
        |problem: &str| StudyError::NotAStudy { path: path.to_owned(), problem: problem.to_owned() };
    let metadata = fs::metadata(path).map_err(|e| io_error(path, e))?;
    if metadata.is_dir() {
        return Err(not_a_study("it is a folder"));
    }
    if !metadata.is_file() {
        return Err(not_a_study("it is not a file"));
    }
    let file = OpenOptions::new().read(true).write(access == Access::Write).open(path);
    file.map_err(|e| match e.kind() {
        io::ErrorKind::PermissionDenied if access == Access::Write => {
            StudyError::ReadOnly { path: path.to_owned() }
        }
        _ => io_error(path, e),
    })
}

fn lock(file: &File, path: &Path, begin: Instant) -> Result<(), StudyError> {
    loop {
        match file.try_lock() {
            Ok(()) => return Ok(()),
            Err(TryLockError::WouldBlock) if begin.elapsed() < PATIENCE => std::thread::sleep(LOOK),
            Err(TryLockError::WouldBlock) => return Err(StudyError::Busy { path: path.to_owned() }),
            Err(TryLockError::Error(e)) => return Err(io_error(path, e)),
        }
    }
}

/// Returns true if a writer has locked the file.
fn is_being_written(file: &File) -> bool {
    let is_locked = matches!(file.try_lock_shared(), Err(TryLockError::WouldBlock));
    if !is_locked {
        let _ = file.unlock();
    }
    is_locked
}

/// Returns true if an open file is the one at `path`.
fn is_at(file: &File, path: &Path) -> bool {
    match (file.metadata(), fs::metadata(path)) {
        (Ok(a), Ok(b)) => (a.dev(), a.ino()) == (b.dev(), b.ino()),
        _ => false,
    }
}

pub(in crate::file) fn io_error(path: &Path, source: io::Error) -> StudyError {
    let path = path.to_owned();
    match source.kind() {
        io::ErrorKind::NotFound => StudyError::Missing { path },
        io::ErrorKind::AlreadyExists => StudyError::Exists { path },
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded | io::ErrorKind::FileTooLarge => {
            StudyError::DiskFull { path }
        }
        io::ErrorKind::ReadOnlyFilesystem => StudyError::ReadOnly { path },
        _ => StudyError::Io { path, source },
    }
}
