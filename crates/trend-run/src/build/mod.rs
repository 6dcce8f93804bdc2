//! Runs a build with compilers that instrument.
//!
//! The compilers are those of [`crate::shim`]. If no second thread can reach the counters of a linked program,
//! `shim/unlock.rs` makes them non-atomic. A cargo project's options are stored in its target folder (`choice`).

mod cargo;
mod choice;
mod configured;
mod earlier;
mod environment;
mod folder;
pub(crate) mod fresh;
mod go;
pub(crate) mod named;
mod notes;
pub(crate) mod options;
mod output;
mod probe;
mod process;
pub(crate) mod report;

use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::AtomicBool;

use trend_profile::{Warning, WarningKind};

use self::options::BuildOptions;
use self::output::{io_error, redirected, whole};
use self::report::BuildReport;
use crate::error::BuildError;
use crate::program::instrumentation::Update;
use crate::program::mark::Mark;
use crate::project::cargo::TARGET;
use crate::project::command::{calls_cargo_alone, shell_line};
use crate::shim;
use crate::shim::search::Search;
use crate::words::shell;

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
        return Err(BuildError::new("no build command", help));
    };
    let path = std::env::var_os("PATH");
    let outer_shims = std::env::var_os(shim::SHIMS).map(PathBuf::from);
    let place = folder::ShimFolder::choose(options.cache.as_deref(), &options.shim_binary)?;
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
    if let Some(target) = cargo.iter().find_map(|(name, v)| (name == TARGET).then_some(v)) {
        let target = Path::new(target);
        choice::settle(target, options.instrument).map_err(io_error(target))?;
    }
    let has_target = cargo.iter().any(|(name, _)| name == TARGET);
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
    let output_file = redirected(&mut child, options.output)?;
    let ended = process::run(&mut child, cancel).map_err(|error| {
        let (command, folder) = (shell::quoted(command), options.folder.display());
        let is_missing = error.kind() == io::ErrorKind::NotFound;
        let help = format!("check that `{command}` can be run in this folder");
        let what = format!("cannot start `{command}` in {folder}: {error}");
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
    report.output = output_file.and_then(|file| whole(file).ok()).unwrap_or_default();
    let is_elsewhere = report.passed_through.iter().any(|(reason, _)| reason == shim::rustc::HOST);
    if has_target && !is_elsewhere && calls_cargo_alone(command) {
        // The target directory that cargo was given contains instrumented code only, so everything was up to date.
        report.warnings.retain(|w| w.kind != WarningKind::NothingInstrumented);
    }
    let is_of_nothing =
        |w: &&mut Warning| [WarningKind::NothingInstrumented, WarningKind::OnlyConfigured].contains(&w.kind);
    if let Some(warning) = report.warnings.iter_mut().find(is_of_nothing) {
        let named = shell::words(&words);
        let folders = configured::Folders::find(&options.folder, place.path(), &named, start);
        let earlier = earlier::Earlier::look(&options.folder, &folders, mark.as_ref());
        *warning = match folders.others.first().filter(|_| !folders.has_ours) {
            _ if earlier.is_complete() => report::up_to_date(&earlier, mark.as_ref()),
            Some(configured) if warning.kind == WarningKind::NothingInstrumented => {
                report::configured_before(configured)
            }
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
