//! Determines if a program can ever have a second thread, from everything that it links, and which of a build's
//! libraries belong to it. Changes files only in the locks of their counters.
//!
//! ```text
//!   program ──needs──▶ own library ──needs──▶ library of the system      one that may start threads: all counters stay locked
//!   another program ──needs──┘                                           a library is plain if none of its programs may
//! ```

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::fs::{self, File};
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

use object::elf::{DT_NEEDED, DT_RPATH, DT_RUNPATH, DT_SONAME};
use object::read::elf::ElfFile64;
use object::{Architecture, Object, ObjectSymbol, ReadCache};

use super::unlock::{Updates, rewrite};

/// Calls with which a program can create threads.
const THREAD_CALLS: [&str; 9] = [
    "pthread_create",
    "thrd_create",
    "clone",
    "clone3",
    "__clone",
    "__clone2",
    "getaddrinfo_a",
    "timer_create",
    "mq_notify",
];

/// Calls that load code unknown at link time.
const LOADING_CALLS: [&str; 2] = ["dlopen", "dlmopen"];

/// Calls that can hide a thread call. Rust's standard library makes them for other reasons, so they do not count in
/// Rust programs, which are recognised by [`RUST`].
const HIDING_CALLS: [&str; 2] = ["syscall", "dlsym"];
const RUST: &str = "rust_eh_personality";

/// Name prefixes of further thread calls. The last one is how libstdc++ starts a `std::thread`.
const THREAD_CALL_PREFIXES: [&str; 3] = ["aio_", "lio_listio", "_ZNSt6thread"];

/// Libraries that start no threads on their own.
const QUIET_LIBRARIES: [&str; 12] = [
    C_LIBRARY,
    "libm.so.6",
    "libgcc_s.so.1",
    "libstdc++.so.6",
    "libc++.so.1",
    "libc++abi.so.1",
    "libpthread.so.0",
    "libdl.so.2",
    "librt.so.1",
    "libutil.so.1",
    "ld-linux-x86-64.so.2",
    "linux-vdso.so.1",
];
const C_LIBRARY: &str = "libc.so.6";

/// Folders of system libraries.
const SYSTEM_FOLDERS: [&str; 6] = [
    "/lib/x86_64-linux-gnu",
    "/usr/lib/x86_64-linux-gnu",
    "/lib64",
    "/usr/lib64",
    "/usr/lib",
    "/usr/local/lib",
];

/// A linked program or library.
#[derive(Clone, Debug)]
pub(crate) struct Linked {
    pub(crate) path: PathBuf,
    /// The name by which other files need it.
    name: Vec<u8>,
    needed: Vec<Vec<u8>>,
    /// Folders that it searches for libraries first.
    folders: Vec<PathBuf>,
    is_program: bool,
    /// True if its own calls can start threads.
    may_start_threads: bool,
    may_load: bool,
}

/// A program with all its libraries.
#[derive(Debug, Default)]
pub(crate) struct Whole {
    /// The given libraries that belong to the program, and further ones that were found.
    pub(crate) libraries: Vec<Linked>,
    pub(crate) may_start_threads: bool,
    may_load: bool,
}

impl Linked {
    /// Reads a file. Returns `None` if it is not a program or library for x86-64.
    pub(crate) fn read(path: &Path) -> Option<Self> {
        let cache = ReadCache::new(File::open(path).ok()?);
        let file = ElfFile64::<object::Endianness, _>::parse(&cache).ok()?;
        if file.architecture() != Architecture::X86_64 {
            return None;
        }
        let table = file.elf_dynamic_table().ok()?;
        let texts = |tag| {
            let entries = table.iter().filter(move |d| d.tag == tag);
            entries.map(|d| table.string(d).map(<[u8]>::to_vec)).collect::<Result<Vec<_>, _>>()
        };
        let needed = texts(DT_NEEDED).ok()?;
        let own_name = || path.file_name().map(|name| name.as_bytes().to_vec());
        let folder = path.parent()?;
        let search = [texts(DT_RUNPATH).ok()?, texts(DT_RPATH).ok()?].concat();
        let folders =
            search.iter().flat_map(|text| text.split(|b| *b == b':')).map(|text| in_folder(text, folder));
        let is_program = file.section_by_name(".interp").is_some();
        let is_rust = file.symbols().any(|s| s.name() == Ok(RUST));
        let starts = |name: &str| {
            THREAD_CALLS.contains(&name)
                || (!is_rust && HIDING_CALLS.contains(&name))
                || THREAD_CALL_PREFIXES.iter().any(|prefix| name.starts_with(prefix))
        };
        let calls = || file.dynamic_symbols().filter(ObjectSymbol::is_undefined).map(|s| s.name());
        // A program that does not need the C library contains it.
        let is_static = is_program && needed.iter().all(|name| name != C_LIBRARY.as_bytes());
        Some(Self {
            path: path.to_owned(),
            name: texts(DT_SONAME).ok()?.pop().or_else(own_name)?,
            folders: folders.collect(),
            is_program,
            may_start_threads: is_static || calls().any(|name| name.map_or(true, starts)),
            may_load: calls().any(|name| name.is_ok_and(|name| LOADING_CALLS.contains(&name))),
            needed,
        })
    }

    /// Returns the program with all libraries that it needs, preferring `own` libraries to system libraries. A library
    /// that cannot be found counts as one that starts threads.
    pub(crate) fn whole(&self, own: &[Self]) -> Whole {
        let mut whole = Whole::default();
        let (mut seen, mut todo) = (BTreeSet::new(), vec![self.clone()]);
        while let Some(file) = todo.pop() {
            whole.may_start_threads |= file.may_start_threads;
            whole.may_load |= file.may_load;
            for name in file.needed.iter().filter(|name| !is_quiet(name)) {
                if !seen.insert(name.clone()) {
                    continue;
                }
                let mut libraries: Vec<Self> =
                    own.iter().filter(|l| !l.is_program && l.name == *name).cloned().collect();
                if libraries.is_empty() {
                    let system = SYSTEM_FOLDERS.iter().map(PathBuf::from);
                    let mut folders = file.folders.iter().cloned().chain(system);
                    let name = OsStr::from_bytes(name);
                    libraries.extend(folders.find_map(|folder| Self::read(&folder.join(name))));
                }
                whole.may_start_threads |= libraries.is_empty();
                todo.extend(libraries.iter().cloned());
                whole.libraries.extend(libraries);
            }
        }
        whole.may_start_threads |= whole.may_load;
        whole
    }

    /// Returns the folders that it searches for libraries first.
    pub(crate) fn folders(&self) -> &[PathBuf] {
        &self.folders
    }
}

fn is_quiet(name: &[u8]) -> bool {
    QUIET_LIBRARIES.iter().any(|quiet| quiet.as_bytes() == name)
}

/// Resolves a library folder that a file in `folder` names.
fn in_folder(text: &[u8], folder: &Path) -> PathBuf {
    for origin in [b"$ORIGIN".as_slice(), b"${ORIGIN}"] {
        if let Some(rest) = text.strip_prefix(origin) {
            let rest = OsStr::from_bytes(rest.strip_prefix(b"/").unwrap_or(rest));
            return folder.join(rest);
        }
    }
    PathBuf::from(OsStr::from_bytes(text))
}

/// Returns true if a freshly linked program can have no second thread, as far as this can be determined.
pub(super) fn is_single_threaded(program: &Path) -> bool {
    Linked::read(program).is_some_and(|file| file.is_program && !file.whole(&[]).may_start_threads)
}

/// The files of a build, by the way in which their counters are updated.
#[derive(Debug, Default)]
pub(crate) struct Settled {
    pub(crate) plain: Vec<PathBuf>,
    pub(crate) locked: Vec<PathBuf>,
}

/// Makes counters plain in programs that cannot start threads, and in libraries that only such programs use. Locks all
/// other counters. `files` must contain all programs and libraries: a missing program might have threads and use the
/// libraries.
///
/// A file that cannot be changed stays as it is. It is still correct, because each update is independent and starts out
/// locked.
pub(crate) fn settle(files: &[PathBuf]) -> Settled {
    let paths: BTreeSet<PathBuf> = files.iter().filter_map(|path| fs::canonicalize(path).ok()).collect();
    let all: Vec<Linked> = paths.iter().filter_map(|path| Linked::read(path)).collect();
    // For each file, true if a program that uses it may start threads. Libraries without a program are not included.
    let mut threaded: BTreeMap<&Path, bool> = BTreeMap::new();
    for program in all.iter().filter(|file| file.is_program) {
        let whole = program.whole(&all);
        let in_it = |file: &&Linked| {
            let is_linked = || whole.libraries.iter().any(|library| library.path == file.path);
            file.path == program.path || !file.is_program && (whole.may_load || is_linked())
        };
        for file in all.iter().filter(in_it) {
            *threaded.entry(&file.path).or_default() |= whole.may_start_threads;
        }
    }
    let mut settled = Settled::default();
    for file in &all {
        let is_plain = threaded.get(file.path.as_path()) == Some(&false);
        let (updates, kind) = if is_plain {
            (Updates::Plain, &mut settled.plain)
        } else {
            (Updates::Locked, &mut settled.locked)
        };
        if rewrite(&file.path, updates).is_ok_and(|updates| updates > 0) {
            kind.push(file.path.clone());
        }
    }
    settled
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_are_relative_to_the_file_that_names_them() {
        let folder = |text: &str| in_folder(text.as_bytes(), Path::new("/b/bin"));
        assert_eq!(folder("$ORIGIN/../lib"), Path::new("/b/bin/../lib"));
        assert_eq!(folder("${ORIGIN}"), Path::new("/b/bin/"));
        assert_eq!(folder("/usr/lib"), Path::new("/usr/lib"));
    }
}
