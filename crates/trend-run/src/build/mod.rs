//! Runs a build with compilers that instrument.
//!
//! The compilers are those of [`crate::shim`]. If no second thread can reach the counters of a linked program,
//! `shim/unlock.rs` makes them non-atomic. A cargo project's options are stored in its target folder (`choice`).

pub(crate) mod cargo;
mod choice;
mod configured;
mod earlier;
mod environment;
mod folder;
mod fresh;
pub(crate) mod go;
mod instrumentation;
mod notes;
mod probe;
mod process;
mod report;

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{self, Read as _, Seek as _, SeekFrom};
use std::os::fd::AsFd;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::AtomicBool;

use trend_profile::Warning;

pub use fresh::needs_build;
pub use instrumentation::{
    CellSize, ClangCounters, Cost, Crates, Instrumentation, Metric, Probe, ProbeOptions, Update,
};
pub use report::{
    BUILT_OTHERWISE, BuildReport, Compiler, GoCounters, NOTHING_INSTRUMENTED, ONLY_CONFIGURED, UP_TO_DATE,
};

use crate::BuildError;
use crate::mark::Mark;
use crate::shell;
use crate::shim::{self, Search};

/// The destination of the build's output.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum BuildOutput {
    /// The caller's stdout and stderr.
    #[default]
    Inherit,
    /// The caller's stderr, if its stdout is reserved for results.
    Stderr,
    /// The string [`BuildReport::said`], which keeps the output.
    Kept,
}

/// Options of a build.
#[derive(Clone, Debug, Default)]
pub struct BuildOptions {
    /// The folder in which the command runs.
    pub folder: PathBuf,
    /// The executable that stands in for the compilers. It must call [`shim::requested`] first.
    pub shim_binary: PathBuf,
    /// The cache folder, with a separate folder of shims for each executable. The default is `trend-prof` in
    /// `$XDG_CACHE_HOME` or `~/.cache`.
    pub cache: Option<PathBuf>,
    /// The code to instrument, and the way to do it.
    pub instrument: Instrumentation,
    /// The destination of the build's output.
    pub output: BuildOutput,
    /// The folder for temporary files of the build and of compilers. By default, the system's folder.
    pub temporary: Option<PathBuf>,
}

/// Runs `command` with instrumenting compilers.
///
/// A command of one word that contains blanks is a line for the shell. When `cancel` is set, the command and all
/// processes that it started are ended.
///
/// # Errors
/// [`BuildError`] if the command cannot be started, or if `cancel` ended it. If the command itself fails,
/// [`BuildReport::status`] says so.
pub fn build(
    command: &[OsString],
    options: &BuildOptions,
    cancel: &AtomicBool,
) -> Result<BuildReport, BuildError> {
    let words = shell_line(command);
    if go::is_build(&words) {
        return go::build(&words, options, cancel);
    }
    let [program, arguments @ ..] = words.as_slice() else {
        let help = "write the command after `--`: `trend-prof build -- make`";
        return Err(BuildError::new("build: no command was given", help));
    };
    let path = std::env::var_os("PATH");
    let outer_shims = std::env::var_os(shim::SHIMS).map(PathBuf::from);
    let place = folder::Place::choose(options.cache.as_deref(), &options.shim_binary)?;
    let shims: Vec<PathBuf> = outer_shims.into_iter().chain([place.path().to_owned()]).collect();
    let search = Search::new(path.as_deref(), &shims).without(&options.shim_binary);
    let environment = environment::Environment::new(place.path(), &search)?;
    let mut names = environment.names.clone();
    names.extend([shim::rustc::WRAPPER, shim::LINKER].map(str::to_owned));
    place.fill(&options.shim_binary, &names)?;
    let tools = probe::tools(options.instrument.probe, &options.shim_binary, &search, place.path())?;

    let temporary = options.temporary.clone().unwrap_or_else(std::env::temp_dir);
    let log = tempfile::Builder::new().prefix("trend-prof-build-").tempfile_in(&temporary);
    let log = log.map_err(io_error(&temporary))?;
    // The start time, by the clock that stamps the files.
    let start = log.as_file().metadata().and_then(|m| m.modified()).map_err(io_error(log.path()))?;
    let mut child = Command::new(program);
    child.args(arguments).current_dir(&options.folder).envs(environment.variables);
    child.envs(options.temporary.as_ref().map(|folder| ("TMPDIR", folder)));
    let cargo = cargo::variables(&options.folder, place.path());
    if let Some(target) = cargo.iter().find_map(|(name, v)| (name == cargo::TARGET).then_some(v)) {
        let target = Path::new(target);
        choice::settle(target, options.instrument).map_err(io_error(target))?;
    }
    let has_target = cargo.iter().any(|(name, _)| name == cargo::TARGET);
    child.envs(cargo);
    child.env(shim::LOG, log.path()).env(shim::SHIMS, place.path());
    child.envs(options.instrument.variables());
    if let Some(tools) = tools {
        child.env(
            shim::PROBE_TOOLS,
            serde_json::to_string(&tools).map_err(|e| {
                BuildError::new(format!("--probe: the paths of its tools are not valid text: {e}"), "")
            })?,
        );
    }
    // ccache's stored objects were compiled without notes, and a hit would not bring the notes back.
    child.env("CCACHE_DISABLE", "1");
    let said = redirected(&mut child, options.output)?;
    let ended = process::run(&mut child, cancel).map_err(|error| {
        let (command, folder) = (shell::quoted(command), options.folder.display());
        let is_missing = error.kind() == io::ErrorKind::NotFound;
        let help = format!("check that `{command}` can be run in this folder");
        let what = format!("start `{command}` in {folder}: {error}");
        BuildError::new(what, if is_missing { help } else { String::new() })
    })?;
    let process::Ended::Over(status) = ended else { return Err(BuildError::Interrupted) };
    let text = std::fs::read_to_string(log.path()).map_err(io_error(log.path()))?;
    if let Some(outer) = std::env::var_os(shim::LOG) {
        // In a nested build, the outer build counts these calls as well. If the log cannot be written, only the outer
        // report loses detail.
        let _ = shim::append_text(Path::new(&outer), &text);
    }
    let mark = Mark::new(options.instrument.probe);
    let mut report = report::report(status, &shim::read_log(&text), mark.as_ref());
    report.said = said.and_then(|file| whole(file).ok()).unwrap_or_default();
    let is_elsewhere = report.passed_through.iter().any(|(reason, _)| reason == shim::rustc::HOST);
    if has_target && !is_elsewhere && calls_cargo_alone(command) {
        // The target directory that cargo was given contains instrumented code only, so everything was up to date.
        report.warnings.retain(|w| w.kind != NOTHING_INSTRUMENTED);
    }
    let is_of_nothing = |w: &&mut Warning| [NOTHING_INSTRUMENTED, ONLY_CONFIGURED].contains(&w.kind.as_str());
    if let Some(warning) = report.warnings.iter_mut().find(is_of_nothing) {
        let named = shell::words(&words);
        let folders = configured::Folders::find(&options.folder, place.path(), &named, start);
        let earlier = earlier::Earlier::look(&options.folder, &folders, mark.as_ref());
        *warning = match folders.others.first().filter(|_| !folders.has_ours) {
            _ if earlier.is_complete() => report::up_to_date(&earlier, mark.as_ref()),
            Some(configured) if warning.kind == NOTHING_INSTRUMENTED => report::configured_before(configured),
            _ => report::with_programs(warning, &earlier, mark.as_ref()),
        };
    }
    if report.compilations + report.links > 0 {
        let walk = notes::programs(&options.folder);
        report.warnings.extend(notes::lost(&options.folder, &walk.programs, start));
        // If the search was cut, one of the unseen files may be a program with threads.
        if options.instrument.update == Update::Atomic && !options.instrument.plain && !walk.is_cut {
            let files = [walk.programs, report.linked.clone()].concat();
            let settled = shim::linkage::settle(&files);
            (report.plain, report.locked) = (settled.plain, settled.locked);
        }
    }
    Ok(report)
}

/// Returns a function that adds a path to an error.
fn io_error(path: &Path) -> impl Fn(io::Error) -> BuildError + use<> {
    let path = path.to_owned();
    move |error: io::Error| BuildError::io(&path, &error)
}

/// Sends a command's output to its destination. Returns the file that keeps it, if it is to be kept.
fn redirected(child: &mut Command, output: BuildOutput) -> Result<Option<File>, BuildError> {
    match output {
        BuildOutput::Inherit => {}
        BuildOutput::Stderr => {
            let stderr = io::stderr().as_fd().try_clone_to_owned().map_err(io_error(Path::new("stderr")))?;
            child.stdout(Stdio::from(stderr));
        }
        BuildOutput::Kept => {
            let temporary = std::env::temp_dir();
            let file = tempfile::tempfile().map_err(io_error(&temporary))?;
            let copy = || file.try_clone().map_err(io_error(&temporary));
            child.stdout(copy()?).stderr(copy()?);
            return Ok(Some(file));
        }
    }
    Ok(None)
}

/// Returns the whole content of a file.
fn whole(mut file: File) -> io::Result<String> {
    let mut bytes = Vec::new();
    file.seek(SeekFrom::Start(0))?;
    file.read_to_end(&mut bytes)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// True if cargo is the first program that a build command calls. Its program can then be built without counters next
/// to the usual builds. The command may set variables, and other programs may start cargo: `X=1 nice cargo build`.
pub fn is_cargo_build(command: &[OsString]) -> bool {
    shell::programs(&shell_line(command)).first().is_some_and(|program| calls_cargo(program))
}

/// True if a build command calls nothing but cargo.
fn calls_cargo_alone(command: &[OsString]) -> bool {
    let programs = shell::programs(&shell_line(command));
    !programs.is_empty() && programs.iter().all(|program| calls_cargo(program))
}

/// True if a build command calls cargo, but not first, such as `cd a && cargo build`.
pub fn mentions_cargo(command: &[OsString]) -> bool {
    let programs = shell::programs(&shell_line(command));
    !is_cargo_build(command) && programs.iter().any(|program| calls_cargo(program))
}

fn calls_cargo(program: &OsStr) -> bool {
    Path::new(program).file_name().is_some_and(|name| name == "cargo")
}

/// Turns one word with blanks into a line for the shell.
fn shell_line(command: &[OsString]) -> Vec<OsString> {
    match command {
        [line]
            if line.to_string_lossy().trim().contains(char::is_whitespace) && !Path::new(line).exists() =>
        {
            vec!["sh".into(), "-c".into(), line.clone()]
        }
        words => words.to_vec(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_word_with_blanks_is_a_line_for_the_shell() {
        let words = |words: &[&str]| words.iter().map(OsString::from).collect::<Vec<_>>();
        assert_eq!(shell_line(&words(&["make && true"])), words(&["sh", "-c", "make && true"]));
        assert_eq!(shell_line(&words(&["make", "-j 2"])), words(&["make", "-j 2"]));
        assert_eq!(shell_line(&words(&["make"])), words(&["make"]));
    }

    #[test]
    fn cargo_is_known_in_words_and_in_a_line() {
        let is_cargo = |words: &[&str]| is_cargo_build(&words.iter().map(OsString::from).collect::<Vec<_>>());
        assert!(is_cargo(&["cargo", "build", "--release"]));
        assert!(is_cargo(&["sh", "-c", "cargo build --release"]));
        assert!(is_cargo(&["/u/.cargo/bin/cargo build"]));
        assert!(is_cargo(&["X=1 Y='a b' cargo build"]) && is_cargo(&["bash", "-c", "X=1 cargo build"]));
        let mentions = |line: &str| mentions_cargo(&[line.into()]);
        assert!(mentions("cd a && cargo build") && !is_cargo(&["cd a && cargo build"]));
        assert!(mentions("make; cargo build|tail") && !mentions("time nice -n 5 /u/.cargo/bin/cargo build"));
        // Programs that start another program pass their environment on.
        assert!(
            is_cargo(&["time nice -n 5 /u/.cargo/bin/cargo build"]) && is_cargo(&["nice", "cargo", "build"])
        );
        assert!(is_cargo(&["env", "X=1", "cargo", "build"]));
        assert!(!mentions("X=1 cargo build") && !mentions("make cargo-docs") && !mentions("make -C cargo"));
        assert!(
            !mentions("cd cargo && make -f cargo.mk") && !mentions("echo 'a; cargo build' && ./cargo.sh")
        );
        assert!(!mentions_cargo(&["make", "-C", "cargo"].map(OsString::from)));
        let alone = |line: &str| calls_cargo_alone(&[line.into()]);
        assert!(alone("X=1 cargo build") && alone("cargo build -p a && nice cargo build -p b"));
        assert!(!alone("cargo clean; make") && !alone("cd a && cargo build"));
        assert!(!is_cargo(&["make"]) && !is_cargo(&["sh", "-c", "make cargo"]) && !is_cargo(&[]));
    }
}
