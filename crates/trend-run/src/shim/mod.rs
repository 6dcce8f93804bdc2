//! Stands in for a compiler: adds instrumentation flags and becomes the real compiler.
//!
//! ```text
//!   make ──▶ PATH ──▶ shims/gcc ─▶ trend-prof, called "gcc" ──adds flags──▶ exec /usr/bin/gcc
//!                                        └── one line to the build's log
//! ```
//!
//! The shims remain after a build, because build systems store the compiler's absolute path in their caches. Outside of
//! a build, a shim becomes the real compiler without adding anything. The real compiler gets a PATH without the shims
//! and a mark in its environment. This keeps a wrapper such as ccache, which looks for "the next gcc", from coming back
//! here.

mod archive;
pub(crate) mod arguments;
mod call;
pub(crate) mod ending;
mod link;
pub(crate) mod linkage;
pub(crate) mod log;
pub(crate) mod names;
pub(crate) mod probe;
mod response;
mod rust_probe;
pub(crate) mod rustc;
pub(crate) mod search;
pub(crate) mod unlock;
mod variables;

use std::env;
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use self::ending::Runtime;
use self::variables::{INSIDE, update};
use crate::program::instrumentation::Crates;
use crate::program::mark;
use crate::program::nature::is_instrumented as has_counters;

pub(crate) use self::arguments::{Decision, PROBE, QUESTIONS};
pub(crate) use self::log::{Call, append_text, read as read_log};
pub(crate) use self::names::is_compiler;
pub(crate) use self::probe::{PROBE_TOOLS, Tools};
pub(crate) use self::rust_probe::LINKER;
pub(crate) use self::search::Search;

pub(crate) use self::variables::{COMPILERS, COUNTERS, CRATES, LOG, NO_COUNTERS, SHIMS, UPDATE};

/// A request to act as a compiler.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    /// Name of the compiler, such as `gcc-12`.
    name: String,
    /// The folder in the first word of the command line, if it has one.
    folder: Option<PathBuf>,
}

/// The reason why the real compiler could not be called. Completes "failed to compile: …".
#[derive(Debug, thiserror::Error)]
pub enum ShimError {
    /// There is no real compiler of that name.
    #[error("{name}: no such compiler on PATH")]
    NoCompiler {
        /// Name of the compiler.
        name: String,
    },
    /// The compiler cannot be started.
    #[error("cannot start {}: {source}", path.display())]
    NotStarted {
        /// Path of the compiler.
        path: PathBuf,
        /// The operating system's error.
        source: std::io::Error,
    },
}

/// Returns a request if the first word of the command line names a compiler. Must be called first in `main`; if there
/// is a request, only [`exec`] is left to do.
pub fn requested(argv0: Option<&OsStr>) -> Option<Request> {
    let path = Path::new(argv0?);
    let is_known = |name: &&str| is_compiler(name) || [rustc::WRAPPER, LINKER].contains(name);
    let name = path.file_name()?.to_str().filter(is_known)?.to_owned();
    let folder = path.parent().filter(|f| !f.as_os_str().is_empty()).map(Path::to_owned);
    Some(Request { name, folder })
}

/// Becomes the requested compiler, or calls it and returns its exit code. On error, the exit code should be 127.
///
/// # Errors
/// [`ShimError`] if there is no such compiler, or if it cannot be started.
pub fn exec(request: &Request, arguments: impl Iterator<Item = OsString>) -> Result<ExitCode, ShimError> {
    let arguments: Vec<OsString> = arguments.collect();
    let shims = env::var_os(SHIMS).map(PathBuf::from);
    let shims: Vec<PathBuf> = shims.into_iter().chain(request.folder.clone()).collect();
    let search = Search::new(env::var_os("PATH").as_deref(), &shims);
    let log = env::var_os(LOG).filter(|_| env::var_os(INSIDE).is_none());
    if request.name == LINKER {
        let not_started = |source| ShimError::NotStarted { path: LINKER.into(), source };
        let shims = shims.first().map_or(Path::new("."), PathBuf::as_path);
        return rust_probe::link(&arguments, &search, shims).map_err(not_started);
    }
    if request.name == rustc::WRAPPER {
        let shims = shims.first().map_or(Path::new("."), PathBuf::as_path);
        return exec_rustc(&arguments, &search, shims, log.as_deref());
    }
    // A path from CC or CXX is valid only during the build.
    let named = log.as_ref().and_then(|_| named_compiler(&request.name, &search));
    let compiler = named
        .or_else(|| search.find(&request.name))
        .ok_or_else(|| ShimError::NoCompiler { name: request.name.clone() })?;
    let mut command = Command::new(&compiler);
    let mut link = None;
    if let Some(log) = &log {
        let cwd = env::current_dir().unwrap_or_default();
        let decision = if is_plain() {
            Decision::PassThrough("the program is built without counters")
        } else if is_build_script() {
            Decision::PassThrough("a cargo build script calls it, and rustc links what it compiles")
        } else if Tools::of_build().is_some() && arguments.iter().any(|word| word == "-S") {
            Decision::PassThrough("it writes assembler, which is not probed")
        } else {
            arguments::decide(&arguments, &cwd)
        };
        if matches!(&decision, Decision::Instrument(work) if work.links) {
            note_objects_of_other_builds(&response::expanded(&arguments, &cwd), &cwd, Path::new(log));
        }
        if let Decision::Instrument(work) = &decision
            && let Some(tools) = Tools::of_build()
        {
            let words = response::expanded(&arguments, &cwd);
            let (log, links) = (Path::new(log), work.links);
            let _ = log::append(log, &Call::new(&compiler, decision));
            let shims = shims.first().map_or(Path::new("."), PathBuf::as_path);
            let compilation = probe::Compilation {
                tools: &tools,
                compiler: &compiler,
                words: &words,
                search: &search,
                shims,
                log,
                links,
            };
            return compilation
                .run()
                .map_err(|source| ShimError::NotStarted { path: compiler.clone(), source });
        }
        if let Decision::Instrument(work) = &decision {
            let is_clang = is_clang(&compiler);
            let is_llvm = env::var_os(COUNTERS).is_some_and(|c| c == "llvm") && is_clang;
            // If the user already asks for LLVM's counters, gcov's must not be added.
            let has_own = arguments.iter().any(|a| a == arguments::LLVM_FLAGS[0]);
            match (has_own, is_llvm) {
                (true, _) => {}
                (false, true) => drop(command.args(work.llvm_flags(update()))),
                (false, false) => drop(command.args(work.flags(update()))),
            }
            if work.links {
                let runtime = match (has_own || is_llvm, is_clang) {
                    (true, _) => Runtime::Llvm,
                    (false, true) => Runtime::ClangGcov,
                    (false, false) => Runtime::Gcc,
                };
                let words = response::expanded(&arguments, &cwd);
                let shims = shims.first().map_or(Path::new("."), PathBuf::as_path);
                let ending = ending::of_c(&compiler, &words, runtime, &search, shims);
                link = Some(link::Link { log: log.into(), ending, comes_last: false });
            }
        }
        // If the log cannot be written, the report loses detail, but the build must not break.
        let _ = log::append(Path::new(log), &Call::new(&compiler, decision));
    }
    command.env("PATH", search.path()).env(INSIDE, "1");
    let not_started = |source| ShimError::NotStarted { path: compiler, source };
    match link {
        Some(link) => {
            link.run(&command, &arguments, || vec![unlock::product(&arguments)]).map_err(not_started)
        }
        None => Err(not_started(command.args(&arguments).exec())),
    }
}

/// Logs the objects of a link that were built with other options, because the link or its program will fail. Also logs
/// the build's own objects, recognised by relative paths, that an earlier build compiled without counters.
fn note_objects_of_other_builds(words: &[String], cwd: &Path, log: &Path) {
    let own = Tools::of_build().map(|tools| tools.mark);
    let is_counted = own.is_none() && !is_plain();
    let asks_for_counters = words.iter().any(|word| word == "--coverage" || word.starts_with("-fprofile"));
    for object in call::Call::read(words).objects() {
        let path = cwd.join(object);
        let marks = mark::marks(&path);
        let other = marks.iter().find(|mark| Some(*mark) != own.as_ref());
        let has_counters_alone =
            || own.is_some() && !asks_for_counters && marks.is_empty() && has_counters(&path);
        if other.is_some() || has_counters_alone() {
            // If the log cannot be written, the report loses detail, but the build must not break.
            let (object, probe) = (object.to_owned(), other.cloned());
            let _ = log::append(log, &Call::BuiltOtherwise { object, probe });
        } else if is_counted && Path::new(object).is_relative() && mark::has_uncounted_code(&path) {
            let _ = log::append(log, &Call::Uncounted { object: object.to_owned() });
        }
    }
}

/// Returns true if a compiler is clang, whatever its name.
fn is_clang(compiler: &Path) -> bool {
    let has_name = |path: &Path| path.file_name().is_some_and(|n| n.to_string_lossy().contains("clang"));
    has_name(compiler) || has_name(&search::canonical(compiler))
}

/// Returns true if the program gets no counters.
fn is_plain() -> bool {
    env::var_os(COUNTERS).is_some_and(|c| c == NO_COUNTERS)
}

/// Returns true if a cargo build script called the compiler.
fn is_build_script() -> bool {
    env::var_os("OUT_DIR").is_some() && env::var_os("CARGO_MANIFEST_DIR").is_some()
}

/// Becomes or calls the rustc that cargo passes as the first argument.
fn exec_rustc(
    arguments: &[OsString],
    search: &Search,
    shims: &Path,
    log: Option<&OsStr>,
) -> Result<ExitCode, ShimError> {
    let [compiler, rest @ ..] = arguments else {
        return Err(ShimError::NoCompiler { name: rustc::WRAPPER.to_owned() });
    };
    let mut command = match env::var_os(rustc::OTHER_WRAPPER) {
        Some(wrapper) => {
            let mut command = Command::new(wrapper);
            command.arg(compiler);
            command
        }
        None => Command::new(compiler),
    };
    // rustc's linker is a C compiler, which links exactly what rustc passes to it.
    command.env("PATH", search.path()).env(INSIDE, "1");
    let not_started = |source| ShimError::NotStarted { path: PathBuf::from(compiler), source };
    if let Some(log) = log.map(Path::new) {
        let crates = if env::var_os(CRATES).is_some_and(|c| c == "own") { Crates::Own } else { Crates::All };
        let decision = rustc::decide(arguments, crates);
        let work = match &decision {
            Decision::Instrument(work) => Some(work.clone()),
            Decision::PassThrough(_) => None,
        };
        // If the log cannot be written, the report loses detail, but the build must not break.
        let _ = log::append(log, &Call::new(Path::new(compiler), decision));
        if work.is_some()
            && !is_plain()
            && let Some(tools) = Tools::of_build()
        {
            let compilation =
                rust_probe::Compilation { tools: &tools, rustc: command, arguments: rest, shims, log };
            return compilation.run().map_err(not_started);
        }
        command.args(rest);
        if work.is_some() && is_plain() {
            command.args(rustc::PLAIN_FLAGS);
        } else if let Some(work) = work {
            command.args(rustc::FLAGS);
            if work.links {
                let ending = ending::of_rustc(rest, search, shims);
                let link = link::Link { log: log.to_owned(), ending, comes_last: true };
                return link.run(&command, &[], || unlock::rust_products(arguments)).map_err(not_started);
            }
        }
    } else {
        command.args(rest);
    }
    Err(not_started(command.exec()))
}

/// Returns the path that CC or CXX gave for a compiler of this name.
fn named_compiler(name: &str, search: &Search) -> Option<PathBuf> {
    let named = env::var_os(COMPILERS)?;
    let mut lines = named.as_bytes().split(|b| *b == b'\n');
    let path = lines.find_map(|line| line.strip_prefix(name.as_bytes())?.strip_prefix(b"="))?;
    Some(PathBuf::from(OsStr::from_bytes(path))).filter(|path| search.is_real(path))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_word_tells_a_compiler_from_ourselves() {
        assert_eq!(requested(Some(OsStr::new("trend-prof"))), None);
        assert_eq!(requested(Some(OsStr::new("/usr/bin/trend-prof"))), None);
        assert_eq!(requested(None), None);
        let request = requested(Some(OsStr::new("/cache/shims/g++-12"))).unwrap();
        assert_eq!(request, Request { name: "g++-12".to_owned(), folder: Some("/cache/shims".into()) });
        assert_eq!(requested(Some(OsStr::new("cc"))).unwrap().folder, None);
    }
}
