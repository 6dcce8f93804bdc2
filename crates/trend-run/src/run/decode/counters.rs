//! Reads the counts of a run from its counter folder.
//!
//! Programs that `trend-prof build` linked append the counts of each process to a log ([`PROCESSES`]). Without it,
//! libgcov writes `PREFIX/absolute/path/of/object.gcda`, and the notes are at the same path without the prefix.
//! LLVM's runtime writes one raw profile for each process, and for each program or library in it. The mapping is in
//! the program, which [`binaries`](crate::program::binaries) finds. Notes and mappings are decoded once, data after
//! every run.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::fs::File;
use std::io::BufReader;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::sync::{PoisonError, RwLock, RwLockReadGuard};
use std::{fmt, fs, io};

use trend_collect::{
    CoverageMap, Data, GcovError, LlvmError, ObjectId, ProcessLog, Program, RawProfile, SummedProfile,
    process_log,
};
use trend_profile::{Function, Location, ObjectRecord, Warning, WarningKind};
use walkdir::{DirEntry, WalkDir};

use super::counted::{Counted, Uncounted, lost_processes};
use super::counting::{PROCESSES, PROFILE};
use crate::program::binaries::Binaries;
use crate::program::digest;

/// Extensions of the files that are read from a run's folder.
const KINDS: [&str; 2] = ["gcda", PROFILE];

/// The mode bit that a process sets on the log if it could not append to it (`shim/ending/log.c`).
const IS_INCOMPLETE: u32 = 0o1000;

/// The mode bit of a log to which a process could not append because of a limit on the size of its files.
const IS_LIMITED: u32 = 0o4000;

const NOT_WHOLE: &str =
    "the log of its processes is incomplete: one of them could not write to it; is the disk full?";

const LIMITED: &str = "the program limits the size of the files that it writes (RLIMIT_FSIZE, `ulimit -f`), so its counts cannot be written; \
                       lower only the soft limit, or set no limit in counted runs";

/// Maximum depth of counter files, more than any path under which objects are compiled.
const DEEPEST: usize = 128;

/// Decodes counters, and keeps everything known about the program's objects. It only grows, so positions of locations
/// stay valid.
#[derive(Debug)]
pub(crate) struct GcovDecoder {
    decoded: RwLock<ProgramObjects>,
    /// Notes of objects whose counts the study has. Without one of them a run is incomplete.
    required: BTreeSet<PathBuf>,
    binaries: Binaries,
}

#[derive(Debug)]
struct ProgramObjects {
    program: Program,
    objects: BTreeMap<PathBuf, Result<ObjectId, Unusable>>,
}

/// The reason why an object's notes cannot be used.
#[derive(Clone, Debug)]
enum Unusable {
    Missing,
    Damaged(String),
}

type Log = ProcessLog<BufReader<File>>;

/// The counters that the processes of a run wrote. A child of `fork` continues in the middle of a function. So the
/// counters of all processes in one object are added up before they are interpreted.
#[derive(Default)]
struct Written {
    /// gcov's data, by the notes of the objects.
    data: BTreeMap<PathBuf, Data>,
    /// LLVM's profiles, by the programs and libraries that wrote them.
    writers: BTreeMap<PathBuf, SummedProfile>,
    is_any: bool,
}

impl Written {
    fn add_data(&mut self, notes: PathBuf, bytes: &[u8]) -> Result<(), Uncounted> {
        let data = Data::parse(bytes).map_err(|e| unreadable(&notes, &e))?;
        self.is_any = true;
        match self.data.entry(notes) {
            Entry::Vacant(place) => drop(place.insert(data)),
            Entry::Occupied(mut data_so_far) => {
                let notes = data_so_far.key().clone();
                data_so_far.get_mut().add(&data).map_err(|error| match error {
                    GcovError::OtherBuild { .. } => Uncounted::OtherBuild { object: notes },
                    error => unreadable(&notes, &error),
                })?;
            }
        }
        Ok(())
    }
}

impl From<io::Error> for Uncounted {
    fn from(error: io::Error) -> Self {
        Self::Unreadable(format!("the log of its processes cannot be read: {error}"))
    }
}

impl GcovDecoder {
    /// `root` is the folder to which source paths are relative. `required` are the notes of objects whose counts the
    /// study has.
    ///
    /// `binaries` finds programs with a coverage mapping.
    pub(crate) fn new(root: &str, required: BTreeSet<PathBuf>, binaries: Binaries) -> Self {
        let decoded = ProgramObjects { program: Program::new(root), objects: BTreeMap::new() };
        Self { decoded: RwLock::new(decoded), required, binaries }
    }

    fn decoded(&self) -> RwLockReadGuard<'_, ProgramObjects> {
        self.decoded.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// Calls `use_places` with the known functions and locations.
    pub(crate) fn with_places<T>(&self, use_places: impl FnOnce(&[Function], &[Location]) -> T) -> T {
        let decoded = self.decoded();
        use_places(decoded.program.functions(), decoded.program.locations())
    }

    /// Reads the counters that one run left in `folder`.
    ///
    /// - Time: O(bytes of data). Notes are read when their object first occurs.
    pub(crate) fn count(&self, folder: &Path) -> Result<Counted, Uncounted> {
        let mut log = log_of_processes(&folder.join(PROCESSES))?;
        let Written { data, writers, is_any } = self.written(folder, log.as_mut())?;
        let (lost, is_damaged) = log.map_or((0, false), |log| (log.lost, log.is_damaged));
        if !is_any && is_damaged {
            let what = "the log of its processes is cut off: the program was killed while writing it, or \
                        the disk is full";
            return Err(Uncounted::Unreadable(what.to_owned()));
        }
        if !is_any {
            return Err(Uncounted::Nothing { lost });
        }
        self.learn(data.keys());
        let decoded = self.decoded();
        let mut counted = Counted {
            counts: vec![0; decoded.program.locations().len()],
            objects: Vec::with_capacity(data.len() + writers.len()),
            ..Counted::default()
        };
        for (notes, data) in &data {
            if self.required.contains(notes)
                && matches!(decoded.objects.get(notes), Some(Err(Unusable::Missing)))
            {
                return Err(Uncounted::Unreadable(missing(notes)));
            }
            decoded.add(notes, data, &mut counted)?;
        }
        for (binary, counters) in &writers {
            decoded.add_profiles(binary, counters, &mut counted)?;
        }
        if counted.objects.is_empty() {
            let reason = data.keys().next().map_or_else(unknown_writer, |notes| missing(notes));
            return Err(Uncounted::Unreadable(reason));
        }
        counted.warnings.extend(lost_processes(lost));
        Ok(counted)
    }

    /// Reads the processes' own files and their log, and adds up the counters.
    fn written(&self, folder: &Path, log: Option<&mut Log>) -> Result<Written, Uncounted> {
        let mut written = Written::default();
        let [data, profiles] = files_below(folder);
        for file in data {
            let notes = notes_of(folder, &file);
            let bytes = fs::read(&file).map_err(|e| {
                Uncounted::Unreadable(format!("cannot read the counter file of {}: {e}", notes.display()))
            })?;
            written.add_data(notes, &bytes)?;
        }
        for path in profiles {
            let bytes = fs::read(&path).map_err(|e| bad_profile(&e))?;
            self.add_profile(&bytes, &mut written)?;
        }
        if let Some(log) = log {
            log.for_each(|entry| match entry {
                process_log::Written::Gcda { path, data } => {
                    let notes = Path::new("/").join(OsStr::from_bytes(path)).with_extension("gcno");
                    written.add_data(notes, data)
                }
                process_log::Written::Profile(bytes) => self.add_profile(bytes, &mut written),
            })?;
        }
        Ok(written)
    }

    /// Adds a raw profile to the counters of the program or library that wrote it.
    fn add_profile(&self, bytes: &[u8], written: &mut Written) -> Result<(), Uncounted> {
        let profile = RawProfile::parse(bytes).map_err(|e| bad_profile(&e))?;
        written.is_any = true;
        if profile.function_count() == 0 {
            return Ok(());
        }
        let writer = self.decoded().writer_of(&profile);
        let binary = match writer {
            Some(binary) => binary,
            None => self.find_writer(&profile)?,
        };
        let counters = written.writers.entry(binary).or_default();
        counters.add(&profile).map_err(|e| Uncounted::Unreadable(format!("a profile {e}")))
    }

    /// Decodes one program after another until it finds the one that wrote the profile.
    fn find_writer(&self, profile: &RawProfile) -> Result<PathBuf, Uncounted> {
        let mut damaged = None;
        for path in self.binaries.candidates() {
            if self.decoded().objects.contains_key(&path) {
                continue;
            }
            let Ok(bytes) = fs::read(&path) else { continue };
            let mut decoded = self.decoded.write().unwrap_or_else(PoisonError::into_inner);
            let ProgramObjects { program, objects } = &mut *decoded;
            let object = objects.entry(path.clone()).or_insert_with(|| {
                let object = program.add_binary(&path.to_string_lossy(), &bytes);
                object.map_err(|e| Unusable::Damaged(e.to_string()))
            });
            match object {
                Ok(object) if program.wrote(*object, profile) => return Ok(path),
                // Programs without counters are expected, except for the one that was started.
                Err(Unusable::Damaged(what)) if self.binaries.is_started(&path) => {
                    damaged = Some(format!("the program {} {what}", path.display()));
                }
                _ => {}
            }
        }
        // Another thread may have decoded the program in the meantime.
        if let Some(binary) = self.decoded().writer_of(profile) {
            return Ok(binary);
        }
        Err(Uncounted::Unreadable(damaged.unwrap_or_else(unknown_writer)))
    }

    /// Decodes notes that have not occurred before.
    fn learn<'p>(&self, notes: impl Iterator<Item = &'p PathBuf>) {
        let new: BTreeSet<&PathBuf> = {
            let decoded = self.decoded();
            notes.filter(|path| !decoded.objects.contains_key(*path)).collect()
        };
        if new.is_empty() {
            return;
        }
        let mut decoded = self.decoded.write().unwrap_or_else(PoisonError::into_inner);
        let ProgramObjects { program, objects } = &mut *decoded;
        for path in new {
            objects.entry(path.clone()).or_insert_with(|| {
                let bytes = fs::read(path).map_err(|_| Unusable::Missing)?;
                program
                    .add_notes(&path.to_string_lossy(), &bytes)
                    .map_err(|e| Unusable::Damaged(e.to_string()))
            });
        }
    }
}

impl ProgramObjects {
    /// Returns the known program that wrote a profile.
    fn writer_of(&self, profile: &RawProfile) -> Option<PathBuf> {
        let mut usable = self.objects.iter().filter_map(|(path, object)| Some((path, object.as_ref().ok()?)));
        usable.find(|(_, object)| self.program.wrote(**object, profile)).map(|(path, _)| path.clone())
    }

    fn add_profiles(
        &self,
        binary: &Path,
        counters: &SummedProfile,
        counted: &mut Counted,
    ) -> Result<(), Uncounted> {
        let Some(Ok(object)) = self.objects.get(binary) else { return Ok(()) };
        match self.program.add_profiles(*object, counters, &mut counted.counts) {
            Ok(warnings) => counted.warnings.extend(warnings),
            Err(LlvmError::OtherBuild { .. }) => {
                return Err(Uncounted::OtherBuild { object: binary.to_owned() });
            }
            Err(error) => {
                let reason = format!("the profile of {} {error}", binary.display());
                return Err(Uncounted::Unreadable(reason));
            }
        }
        let path = binary.to_string_lossy().into_owned();
        counted.objects.push(ObjectRecord { path, stamp: self.program.stamp(*object) });
        Ok(())
    }

    fn add(&self, notes: &Path, data: &Data, counted: &mut Counted) -> Result<(), Uncounted> {
        let object = match self.objects.get(notes) {
            Some(Ok(object)) => *object,
            Some(Err(Unusable::Damaged(what))) => {
                let what =
                    format!("the notes {} cannot be used: the file {what}; build again", notes.display());
                return Err(Uncounted::Unreadable(what));
            }
            Some(Err(Unusable::Missing)) | None => {
                counted.warnings.push(Warning::new(WarningKind::MissingNotes, missing(notes)));
                return Ok(());
            }
        };
        match self.program.add_data(object, data, &mut counted.counts) {
            Ok(warnings) => counted.warnings.extend(warnings),
            Err(GcovError::OtherBuild { .. }) => {
                return Err(Uncounted::OtherBuild { object: notes.to_owned() });
            }
            Err(error) => return Err(unreadable(notes, &error)),
        }
        let path = notes.to_string_lossy().into_owned();
        counted.objects.push(ObjectRecord { path, stamp: self.program.stamp(object) });
        Ok(())
    }
}

fn missing(notes: &Path) -> String {
    format!(
        "the compiler's notes {} are missing, so the counters cannot be read; compile and run in the same \
         folders, and keep the .gcno files where the compiler put them",
        notes.display()
    )
}

fn unknown_writer() -> String {
    "the program that wrote the profile was not found: it is not the one in `command` or below the \
     configuration's folder, or it was rebuilt; set `command` to it"
        .to_owned()
}

fn unreadable(notes: &Path, error: &impl fmt::Display) -> Uncounted {
    Uncounted::Unreadable(format!("the counter file of {} {error}", notes.display()))
}

/// Opens the log, or returns `None` if no process knew of it.
fn log_of_processes(path: &Path) -> Result<Option<Log>, Uncounted> {
    let file = match File::open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error.into()),
    };
    let mode = file.metadata()?.mode();
    if mode & IS_INCOMPLETE != 0 {
        let what = if mode & IS_LIMITED != 0 { LIMITED } else { NOT_WHOLE };
        return Err(Uncounted::Unreadable(what.to_owned()));
    }
    Ok(Some(ProcessLog::read(BufReader::new(file))?))
}

fn bad_profile(error: &impl fmt::Display) -> Uncounted {
    let what = format!("a raw profile {error}: the program was killed while writing it, or the disk is full");
    Uncounted::Unreadable(what)
}

/// Returns the data files and the raw profiles below `folder`, sorted.
fn files_below(folder: &Path) -> [Vec<PathBuf>; 2] {
    let entries = WalkDir::new(folder).max_depth(DEEPEST).into_iter().flatten();
    let files = entries.filter(|entry| entry.file_type().is_file()).map(DirEntry::into_path);
    let mut files: Vec<PathBuf> = files.collect();
    files.sort();
    KINDS.map(|kind| {
        let of_kind = files.iter().filter(|file| file.extension() == Some(OsStr::new(kind)));
        of_kind.cloned().collect()
    })
}

/// Returns the notes of a data file below the prefix `folder`.
fn notes_of(folder: &Path, data: &Path) -> PathBuf {
    let place = data.strip_prefix(folder).unwrap_or(data);
    Path::new("/").join(place).with_extension("gcno")
}

/// Returns the stamp of an object: from the header of notes, or from a program's mapping. Returns `None` if the file is
/// neither or cannot be read.
pub(crate) fn stamp_of(object: &Path) -> Option<u32> {
    use std::io::Read;
    let mut header = [0_u8; 12];
    fs::File::open(object).ok()?.read_exact(&mut header).ok()?;
    let stamp = [header[8], header[9], header[10], header[11]];
    match &header[..4] {
        b"oncg" => Some(u32::from_le_bytes(stamp)),
        b"gcno" => Some(u32::from_be_bytes(stamp)),
        b"\x7fELF" => match CoverageMap::parse(&fs::read(object).ok()?) {
            Ok(map) => Some(map.stamp()),
            // A program with only the probe is identified by its contents.
            Err(_) => digest::stamp_of(object),
        },
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn data_is_found_below_the_prefix_and_its_notes_without_it() {
        let root = tempfile::tempdir().unwrap();
        let data = root.path().join("src/a b/\u{fffd}.gcda");
        fs::create_dir_all(data.parent().unwrap()).unwrap();
        fs::write(&data, "").unwrap();
        fs::write(root.path().join("src/other.txt"), "").unwrap();
        fs::write(root.path().join("1-2.profraw"), "").unwrap();
        assert_eq!(files_below(root.path()), [vec![data.clone()], vec![root.path().join("1-2.profraw")]]);
        assert_eq!(notes_of(root.path(), &data), Path::new("/src/a b/\u{fffd}.gcno"));
        let name = OsStr::from_bytes(b"\xff.gcda");
        assert_eq!(notes_of(root.path(), &root.path().join(name)).as_os_str().as_bytes(), b"/\xff.gcno");
    }
}
