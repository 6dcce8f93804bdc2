//! Finds the program to run: the one that the build made for the name in the command.

use std::path::{Path, PathBuf};

use trend_run::{Config, Named, named};

use crate::failure::Failure;
use crate::terminal::Terminal;

/// Maximum number of programs that a message lists.
const MOST_NAMED: usize = 10;

/// Returns the configuration with the program that earlier builds made, if it is known.
pub(super) fn of_earlier_build(config: &Config, is_counted: bool) -> Config {
    match named(config, &[], is_counted) {
        Named::Made { word, program } => starting(config, &word, &program),
        Named::AsWritten | Named::Several { .. } | Named::Missing { .. } => config.clone(),
    }
}

/// Returns the configuration with the program to run after a build that linked `linked`. If the build may not run,
/// messages say so.
///
/// # Errors
/// Fails if the program is missing, not executable or ambiguous.
pub(super) fn settled(
    config: &Config,
    linked: &[PathBuf],
    is_counted: bool,
    may_build: bool,
    terminal: Terminal,
) -> Result<Config, Failure> {
    match named(config, linked, is_counted) {
        Named::AsWritten => Ok(config.clone()),
        Named::Made { word, program } => {
            terminal.note(&format!("`{}` is {}", word.display(), program.display()));
            Ok(starting(config, &word, &program))
        }
        Named::Several { word, programs } => {
            Err(Failure::new(format!("`{}` is ambiguous: {}", word.display(), listed(&programs)))
                .hint(format!("give its path: `-- {} …`", shown(&programs[0]))))
        }
        Named::Missing { word, is_there: true, .. } => {
            Err(Failure::new(format!("`{}` is not executable", word.display()))
                .hint(format!("`chmod +x {}`, or name another program", word.display())))
        }
        Named::Missing { word, programs, source, .. } => {
            Err(missing(config, &word, &programs, source.as_deref(), may_build))
        }
    }
}

fn starting(config: &Config, word: &Path, program: &Path) -> Config {
    let mut config = config.clone();
    config.start(word, program);
    config
}

fn missing(
    config: &Config,
    word: &Path,
    programs: &[PathBuf],
    source: Option<&Path>,
    may_build: bool,
) -> Failure {
    let word = word.display();
    let or_from_source = |advice: String| source.map_or(advice, building);
    match (programs, &config.program.build) {
        ([], Some(build)) if !may_build => {
            let line = build.last().map(|word| word.to_string_lossy()).unwrap_or_default();
            Failure::new(format!("`{word}` was not found, and the build was skipped"))
                .hint(format!("omit `--no-build`, or build it first: `trend-prof build -- sh -c '{line}'`"))
        }
        ([], Some(_)) => Failure::new(format!(
            "`{word}` was not found, and the build made no program with counters"
        ))
        .hint(or_from_source(
            "build it with `trend-prof build -- COMMAND`, which reports why, and run the program \
                     that it makes"
                .to_owned(),
        )),
        ([], None) => Failure::new(format!("`{word}` was not found, and nothing here tells how to build it"))
            .hint(or_from_source(
                "build it with `trend-prof build -- COMMAND`, then give the path of the program".to_owned(),
            )),
        (programs, _) => Failure::new(format!("`{word}` was not found. The build made {}", listed(programs)))
            .hint(or_from_source(format!("run one of its programs: `-- {} …`", shown(&programs[0])))),
    }
}

/// Returns the advice to build a program from its source, because the project's build does not make it.
fn building(source: &Path) -> String {
    let compiler = if source.extension().is_some_and(|e| e == "c") { "cc" } else { "c++" };
    let name = source.file_stem().unwrap_or_default().to_string_lossy();
    format!(
        "{source} may be its source; run `trend-prof build -- {compiler} -o {name} {source} …` with the other \
         sources and the libraries that it needs, and repeat this command with `--no-build`",
        source = source.display()
    )
}

fn listed(programs: &[PathBuf]) -> String {
    let names: Vec<String> = programs.iter().take(MOST_NAMED).map(|p| format!("`{}`", shown(p))).collect();
    match programs.len().saturating_sub(MOST_NAMED) {
        0 => names.join(", "),
        more => format!("{} and {more} more", names.join(", ")),
    }
}

/// Returns a program's path as a user would type it.
fn shown(program: &Path) -> String {
    let is_name = program.components().count() == 1;
    format!("{}{}", if is_name { "./" } else { "" }, program.display())
}
