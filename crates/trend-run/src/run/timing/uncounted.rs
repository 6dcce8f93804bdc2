//! Makes the program that runs in place of the counted one: a copy without the updates of its counters, or a build
//! without them.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use object::Object as _;
use trend_profile::{Warning, WarningKind};

use crate::plan::workload::Plan;
use crate::program::nature;
use crate::run::decode::source::CountSource;
use crate::run::execute::built::{self, started};
use crate::run::options::ExecuteOptions;
use crate::shim::linkage::Linked;
use crate::shim::unlock::{Updates, rewrite};
use crate::words::placeholder::Template;
use crate::words::shell;

/// A program that can run in place of the counted one.
pub(crate) struct Uncounted {
    /// True if it is a copy of the counted program without the updates of counters.
    pub(super) is_copy: bool,
    pub(super) program: PathBuf,
    /// The shell line that starts it, if the command is one.
    pub(super) line: Option<Template>,
    pub(super) variables: Vec<(&'static str, OsString)>,
    /// Pairs of a copy and the file that it was copied from.
    pub(super) originals: Vec<(PathBuf, PathBuf)>,
}

/// Returns the program to run in place of the counted one. If there is none, the error is a warning, or `None` if it is
/// not worth one.
pub(crate) fn copy(
    plan: &Plan,
    options: &ExecuteOptions,
    folder: &Path,
) -> Result<Uncounted, Option<Warning>> {
    let config = &plan.config;
    let plain = |program: PathBuf| Uncounted {
        is_copy: false,
        program,
        line: None,
        variables: Vec::new(),
        originals: Vec::new(),
    };
    if let Some(program) = &config.program.timed {
        return Ok(plain(config.folder.join(program)));
    }
    if options.counters == CountSource::Go {
        let why = "nothing was timed: a Go program with counters takes longer; set `timed` to a build without \
                   `-cover`, or use `go run`, which builds both";
        return Err(Some(Warning::new(WarningKind::NotTimed, why)));
    }
    if options.counters.language().is_some() {
        // The same command counts nothing without the variables of a counted run.
        let first = config.program.command.first().map(Template::text).unwrap_or_default();
        return Ok(plain(shell::resolved(first.as_ref(), &config.folder)));
    }
    if built::probe_of(config).is_some() {
        return Err(None);
    }
    let word = started(config);
    let program = nature::on_path(&shell::resolved(&word, &config.folder)).ok_or(None)?;
    let not_timed =
        |why: String| Some(Warning::new(WarningKind::NotTimed, format!("nothing was timed: {why}")));
    let copied = match options.counters {
        CountSource::Callgrind | CountSource::Python | CountSource::Node | CountSource::Go => plain(program),
        CountSource::Gcov if nature::is_script(&program) => {
            return Err(not_timed(format!(
                "{} is a script, so its program cannot be replaced by one without counters; use `sh -c \
                 './program …'`",
                Path::new(&word).display()
            )));
        }
        CountSource::Gcov => without_updates(&program, folder).ok_or_else(|| {
            let why = || format!("{} has no symbols: link it without `-s`", Path::new(&word).display());
            is_stripped(&program).then(why).and_then(not_timed)
        })?,
    };
    let command: Vec<OsString> = config.program.command.iter().map(|word| word.text().into()).collect();
    if shell::script(&command).is_none() || command.first() == Some(&word) {
        return Ok(copied);
    }
    if let Some(other) =
        shell::programs(&command).iter().find(|other| **other != word && !shell::is_builtin(other))
    {
        return Err(not_timed(format!(
            "the command also starts {1}, whose time and memory would be added to those of {0}; use a \
             command that starts nothing else",
            Path::new(&word).display(),
            Path::new(other).display()
        )));
    }
    let line = shell::replaced(&command, Path::new(&word), &copied.program).ok_or_else(|| {
        not_timed(format!(
            "the path {} has characters that a shell interprets; move the study to a path without spaces \
                 and special characters",
            copied.program.display()
        ))
    })?;
    Ok(Uncounted { line: Some(Template::parse(&line)), ..copied })
}

/// Returns true if a program has no symbols, which are needed to find its counters.
fn is_stripped(program: &Path) -> bool {
    let Ok(bytes) = fs::read(program) else { return false };
    object::File::parse(&*bytes).is_ok_and(|file| file.symbols().next().is_none())
}

/// Copies the program without the updates of its counters. The copy loads such copies of its libraries. Returns `None`
/// if there was nothing to remove.
fn without_updates(program: &Path, folder: &Path) -> Option<Uncounted> {
    let program = Linked::read(program)?;
    let libraries = program.whole(&[]).libraries;
    fs::create_dir_all(folder).ok()?;
    // The kernel reports canonical paths.
    let folder = fs::canonicalize(folder).ok()?;
    let mut updates = 0;
    let mut copied = |number: usize, file: &Linked| {
        let copy = folder.join(number.to_string());
        fs::copy(&file.path, &copy).ok()?;
        let update_count = rewrite(&copy, Updates::None).ok()?;
        updates += update_count;
        Some((copy, update_count))
    };
    let (copy, _) = copied(0, &program)?;
    let mut originals = vec![(copy.clone(), program.path.clone())];
    let mut preloaded = Vec::new();
    for (i, library) in libraries.iter().enumerate() {
        let (copy, update_count) = copied(i + 1, library)?;
        originals.push((copy.clone(), library.path.clone()));
        if update_count > 0 {
            preloaded.push(copy);
        }
    }
    let own = std::iter::once(&program).chain(&libraries).flat_map(|file| file.folders().iter().cloned());
    let library_path = std::env::var_os("LD_LIBRARY_PATH").unwrap_or_default();
    let folders = std::env::join_paths(own.chain(std::env::split_paths(&library_path))).ok()?;
    let preloaded = std::env::join_paths(preloaded).ok()?;
    let variables = vec![("LD_LIBRARY_PATH", folders), ("LD_PRELOAD", preloaded)];
    (updates > 0).then_some(Uncounted { is_copy: true, program: copy, line: None, variables, originals })
}
