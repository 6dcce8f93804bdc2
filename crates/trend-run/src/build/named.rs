//! Finds the program that a command refers to, among the programs that builds made.
//!
//! cargo, cmake, meson and libtool put the results of `trend-prof build` into folders that users do not type:
//!
//! ```text
//!   hb, ./hb, target/release/hb   ──▶  target/trend-prof/x86_64-unknown-linux-gnu/release/hb
//!   ./quad, build/quad            ──▶  build-trend/quad
//! ```
//!
//! The candidates are the programs that the last build linked, and the programs with counters below the folder. A
//! command's word refers to the candidate of the same file name. If there are several, the one whose path agrees with
//! the word for most folders wins, compared from the end.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Component, Path, PathBuf};

use walkdir::{DirEntry, WalkDir};

use crate::config::settings::Config;
use crate::program::binaries::{Walk, is_elf};
use crate::program::mark::marks;
use crate::program::nature::{is_instrumented, is_library, is_script, on_path};
use crate::project::cargo;
use crate::words::placeholder::{Fill, Template};
use crate::words::shell;

/// Extensions of C and C++ sources.
const CODE: [&str; 4] = ["c", "cc", "cpp", "cxx"];

/// Maximum depth to which folders are searched for a program's source.
const SOURCE_DEPTH: usize = 4;

/// The meaning of the command's first word, or of the program that its shell line starts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Named {
    /// The file of this name.
    AsWritten,
    /// A program that a build made. Its path is relative to the configuration's folder if it is below that.
    Made {
        /// The word as written.
        word: PathBuf,
        /// Path of the program.
        program: PathBuf,
    },
    /// Several programs that builds made. The word is ambiguous.
    Several {
        /// The word as written.
        word: PathBuf,
        /// Paths of the programs.
        programs: Vec<PathBuf>,
    },
    /// No program can be started.
    Missing {
        /// The word as written.
        word: PathBuf,
        /// True if a file of this name exists, but is not executable.
        is_there: bool,
        /// The programs in the folder.
        programs: Vec<PathBuf>,
        /// A C or C++ source of this name, relative to the folder.
        source: Option<PathBuf>,
    },
}

/// The program that a command refers to.
struct Word {
    path: PathBuf,
    /// The path to start.
    file: PathBuf,
    /// True if the word is part of a shell line, which may be about something else.
    is_of_line: bool,
}

/// Finds the program that a configuration's command refers to. `linked` are the programs that the last build linked.
///
/// If `is_counted`, a program without counters is replaced by an instrumented one. If callgrind counts, the existing
/// program is used.
pub fn named(config: &Config, linked: &[PathBuf], is_counted: bool) -> Named {
    let Some(Word { path: word, file, is_of_line }) = word(config) else { return Named::AsWritten };
    let there = on_path(&file).filter(|path| is_executable(path));
    if let Some(path) = &there
        && (!is_counted || is_script(path) || has_counters(path))
    {
        return Named::AsWritten;
    }
    let made = Made::new(config, linked);
    let mut programs = made.named(&word);
    match (programs.len(), there) {
        (1, _) => Named::Made { word, program: programs.remove(0) },
        (_, Some(_)) => Named::AsWritten,
        _ if is_of_line => Named::AsWritten,
        (0, None) => {
            let source = source_of(&word, &config.folder);
            Named::Missing { is_there: file.is_file(), programs: made.all(), source, word }
        }
        (_, None) => Named::Several { word, programs },
    }
}

/// Returns the C or C++ source in a folder that has a program's name. Its path is relative to the folder.
fn source_of(program: &Path, folder: &Path) -> Option<PathBuf> {
    let is_visible =
        |entry: &DirEntry| entry.depth() == 0 || !entry.file_name().as_encoded_bytes().starts_with(b".");
    let files = WalkDir::new(folder).max_depth(SOURCE_DEPTH).sort_by_file_name().into_iter();
    let is_source = |path: &Path| {
        let is_code = path.extension().is_some_and(|e| CODE.iter().any(|code| e == *code));
        is_code && path.file_stem() == program.file_name()
    };
    let files = files.filter_entry(is_visible).flatten().map(DirEntry::into_path);
    let source = files.into_iter().find(|path| is_source(path))?;
    source.strip_prefix(folder).map(Path::to_owned).ok()
}

/// Returns true if a build in the configuration's folder may make the program that the command names. This holds if
/// the program does not exist, lies in the folder, or is named in the build's files.
pub fn may_be_made(config: &Config) -> bool {
    let Some(Word { path, file, .. }) = word(config) else { return false };
    if path.components().count() > 1 || path.starts_with(".") {
        return file.starts_with(&config.folder) || !is_executable(&file);
    }
    on_path(&path).is_none_or(|path| !is_executable(&path)) || is_spoken_of(&path, &config.folder)
}

/// Returns true if the folder contains a program of this name that was built without counters.
pub fn is_made_without_counters(config: &Config) -> bool {
    let Some(Word { path, .. }) = word(config) else { return false };
    let programs = Walk::below(&config.folder, &passes_over).programs;
    programs.iter().any(|program| program.file_name() == path.file_name() && !has_counters(program))
}

impl Config {
    /// Changes the command so that it starts `program` instead of `word`.
    pub fn start(&mut self, word: &Path, program: &Path) {
        let command: Vec<OsString> = self.program.command.iter().map(|word| word.text().into()).collect();
        let started = as_command(program);
        if shell::script(&command).is_none() {
            self.program.command[0] = Template::literal(started.as_os_str());
        } else if let Some(line) = shell::replaced(&command, word, &started) {
            self.program.command[2] = Template::parse(&line);
        }
    }
}

/// Turns `quad` into `./quad`, so that it is not searched on PATH.
fn as_command(program: &Path) -> PathBuf {
    if program.components().count() > 1 { program.to_owned() } else { Path::new(".").join(program) }
}

/// Returns the program that the command refers to, if it is the same in each run.
fn word(config: &Config) -> Option<Word> {
    let program = &config.program;
    let nothing = Fill { input: None, parameters: &[] };
    let line: Vec<String> = program.command.iter().map(Template::text).collect();
    let is_of_line = shell::script(&line).is_some();
    let word = if is_of_line {
        only_path(&shell::programs(&line))?
    } else {
        program.command.first().filter(|word| word.names().next().is_none())?.fill(nothing)
    };
    // With another PATH, a name leads elsewhere.
    let is_name = !word.to_string_lossy().contains('/');
    if word.is_empty() || is_name && program.env.iter().any(|(name, _)| name == "PATH") {
        return None;
    }
    let file = shell::resolved(&word, &config.folder);
    Some(Word { path: word.into(), file, is_of_line })
}

/// Returns the only program of a shell line that is given by its path. Returns `None` if the line changes its folder.
fn only_path(programs: &[OsString]) -> Option<OsString> {
    let is_path = |word: &&OsString| {
        let word = word.to_string_lossy();
        word.contains('/') && !word.contains(['$', '`', '*', '~', '{'])
    };
    let mut paths = programs.iter().filter(is_path);
    let first = paths.next()?;
    let is_only = paths.all(|other| other == first) && !programs.iter().any(|word| word == "cd");
    is_only.then(|| first.clone())
}

/// The programs that builds in a folder made.
struct Made<'a> {
    config: &'a Config,
    /// Absolute paths.
    files: Vec<PathBuf>,
}

impl<'a> Made<'a> {
    fn new(config: &'a Config, linked: &[PathBuf]) -> Self {
        let mut files = Walk::below(&config.folder, &passes_over).programs;
        if let Some(target) = cargo::target_directory(&config.folder) {
            files.extend(Walk::below(&target.join(cargo::FOLDER), &passes_over).programs);
        }
        files.extend(linked.iter().filter(|path| is_elf(path)).cloned());
        Self { config, files: distinct(files) }
    }

    /// Returns the programs that a word can refer to.
    fn named(&self, word: &Path) -> Vec<PathBuf> {
        let of_name = self.files.iter().filter(|file| file.file_name() == word.file_name());
        let mut programs: Vec<&PathBuf> = of_name.filter(|file| self.is_program(file)).collect();
        let agreement = |program: &PathBuf| {
            let pairs = parts(word).zip(parts(program));
            pairs.take_while(|(a, b)| a == b).count()
        };
        let furthest = programs.iter().map(|program| agreement(program)).max();
        programs.retain(|program| Some(agreement(program)) == furthest);
        let build = self.config.program.build.as_deref().unwrap_or_default();
        prefer(&mut programs, |program| is_in_folder_of(program, build, &self.config.folder));
        prefer(&mut programs, |program| is_of_profile(program, build));
        drop_copies(&mut programs);
        programs.into_iter().map(|program| self.shown(program)).collect()
    }

    fn all(&self) -> Vec<PathBuf> {
        let programs = self.files.iter().filter(|file| self.is_program(file));
        programs.map(|program| self.shown(program)).collect()
    }

    fn is_program(&self, file: &Path) -> bool {
        // Without counters, only cargo's folder tells which programs our build made.
        let is_plain =
            || self.config.program.plain && file.components().any(|c| c.as_os_str() == cargo::FOLDER);
        is_executable(file) && (has_counters(file) || is_plain()) && !is_library(file)
    }

    /// Returns the path that starts the program. For libtool's `.libs/program`, this is the script next to that folder.
    fn shown(&self, program: &Path) -> PathBuf {
        let script = || {
            let folder = program.parent().filter(|folder| folder.ends_with(LIBTOOL))?;
            let script = folder.with_file_name(program.file_name()?);
            is_script(&script).then_some(script)
        };
        let program = script().unwrap_or_else(|| program.to_owned());
        program.strip_prefix(&self.config.folder).map(Path::to_owned).unwrap_or(program)
    }
}

/// Folder in which libtool keeps the programs that its scripts start.
const LIBTOOL: &str = ".libs";

/// Keeps one of several files with the same bytes, because builds copy programs that they linked.
fn drop_copies(programs: &mut Vec<&PathBuf>) {
    let mut contents: Vec<Vec<u8>> = Vec::new();
    if programs.len() > 1 {
        programs.retain(|program| {
            let bytes = fs::read(program).unwrap_or_default();
            let is_new = !contents.contains(&bytes);
            contents.extend(is_new.then_some(bytes));
            is_new
        });
    }
}

/// Keeps only the preferred programs, if there are any.
fn prefer(programs: &mut Vec<&PathBuf>, speaks_for: impl Fn(&Path) -> bool) {
    if programs.iter().any(|program| speaks_for(program)) {
        programs.retain(|program| speaks_for(program));
    }
}

/// Returns true if the program lies below a folder that the build's command names.
fn is_in_folder_of(program: &Path, build: &[OsString], folder: &Path) -> bool {
    let words = shell::words(build);
    let is_folder = |word: &&OsString| parts(Path::new(word)).next().is_some() && folder.join(word).is_dir();
    words.iter().filter(is_folder).any(|word| program.starts_with(folder.join(word)))
}

/// Returns true if the program lies in the folder of the profile that a cargo command builds.
fn is_of_profile(program: &Path, build: &[OsString]) -> bool {
    let words = shell::words(build);
    let is = |name: &str| words.iter().any(|word| word == name);
    let named = words.windows(2).find(|pair| pair[0] == "--profile").map(|pair| pair[1].clone());
    let profile = match named {
        Some(name) if name == "dev" => "debug".into(),
        Some(name) => name,
        None if is("--release") || is("-r") => "release".into(),
        None => OsString::from("debug"),
    };
    is("cargo") && parts(program).nth(1).is_some_and(|folder| folder == profile)
}

/// Returns a path's components in reverse order.
fn parts(path: &Path) -> impl Iterator<Item = &OsStr> {
    path.components().rev().filter_map(|component| match component {
        Component::Normal(name) => Some(name),
        _ => None,
    })
}

/// Returns each file once, under its shortest path. cargo links programs under a second name.
fn distinct(files: Vec<PathBuf>) -> Vec<PathBuf> {
    let mut by_inode: BTreeMap<(u64, u64), PathBuf> = BTreeMap::new();
    for file in files {
        let Ok(metadata) = fs::metadata(&file) else { continue };
        let name = by_inode.entry((metadata.dev(), metadata.ino())).or_insert_with(|| file.clone());
        if file.as_os_str().len() < name.as_os_str().len() {
            *name = file;
        }
    }
    let mut files: Vec<PathBuf> = by_inode.into_values().collect();
    files.sort();
    files
}

/// True for folders without programs that users would name. These are hidden folders, the folders of build systems'
/// tests and of packages, and cargo's internal or uninstrumented folders.
fn passes_over(folder: &Path) -> bool {
    const NOT_LOOKED_INTO: [&str; 4] = ["CMakeFiles", "meson-private", "node_modules", "venv"];
    const OF_CARGO: [&str; 3] = ["deps", "build", "incremental"];
    let name = folder.file_name().unwrap_or_default();
    let is_hidden = name.as_encoded_bytes().starts_with(b".") && name != LIBTOOL;
    let is_ours = || folder.components().any(|component| component.as_os_str() == cargo::FOLDER);
    let is_not_looked_into = |folders: &[&str]| folders.iter().any(|other| name == *other);
    is_hidden
        || is_not_looked_into(&NOT_LOOKED_INTO)
        || if is_ours() { is_not_looked_into(&OF_CARGO) } else { folder.join("CACHEDIR.TAG").is_file() }
}

fn is_executable(path: &Path) -> bool {
    path.metadata().is_ok_and(|m| m.is_file() && m.permissions().mode() & 0o111 != 0)
}

fn has_counters(program: &Path) -> bool {
    is_instrumented(program) || !marks(program).is_empty()
}

/// Returns true if the files that describe the folder's build contain this name, as they would if the build made such
/// a program.
fn is_spoken_of(name: &Path, folder: &Path) -> bool {
    const FILES: [&str; 8] = [
        "CMakeLists.txt",
        "meson.build",
        "Makefile.am",
        "src/Makefile.am",
        "GNUmakefile",
        "makefile",
        "Makefile",
        "src/CMakeLists.txt",
    ];
    let name = name.as_os_str();
    if cargo::makes(folder, name) {
        return true;
    }
    let is_word = |c: char| c.is_alphanumeric() || "_-.+".contains(c);
    let texts = FILES.iter().filter_map(|file| fs::read_to_string(folder.join(file)).ok());
    texts.into_iter().any(|text| text.split(|c| !is_word(c)).any(|word| name == word))
}
