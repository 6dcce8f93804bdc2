//! Beginning of a trial: the program is built, and the study is open.

use std::ffi::OsString;
use std::path::PathBuf;

use trend_run::{Config, CountSource, ExecuteOptions, Publish};

use super::setup::Setup;
use crate::commands::measuring::run::measured::SUPERVISOR;
use crate::commands::measuring::run::prepared::{Prepared, prepared};
use crate::failure::Failure;
use crate::terminal::Terminal;
use crate::{cli, study};

/// Maximum number of files to run, spread over their sizes. More would add little.
const MOST_FILES: usize = 60;

/// A trial whose program is built and whose study is open.
pub(super) struct Begun {
    pub(super) path: PathBuf,
    pub(super) options: ExecuteOptions,
    pub(super) prepared: Prepared,
}

/// Builds the program, opens the study, and chooses the source of counts.
pub(super) fn begin(args: &cli::Try, setup: &mut Setup, terminal: Terminal) -> Result<Begun, Failure> {
    let path = args.study.clone().unwrap_or_else(|| study::default_of(&setup.config));
    let mut options = ExecuteOptions {
        supervisor: SUPERVISOR.into(),
        jobs: args.jobs,
        fresh: args.fresh,
        publish: Publish::WithSuccess,
        counters: CountSource::own(&setup.config),
        ..ExecuteOptions::default()
    };
    let is_to_build = setup.choose_build(args);
    let prepared = prepared(&setup.config, &path, &options, is_to_build, terminal)?;
    setup.config.program.clone_from(&prepared.plan.config.program);
    if options.counters == CountSource::Gcov {
        options.counters = counters(&setup.config, is_to_build, prepared.build_doubt.clone(), terminal);
    }
    Ok(Begun { path, options, prepared })
}

/// Returns the source of counts: the program's own counters or, if it has none, valgrind.
fn counters(config: &Config, is_built: bool, build_doubt: Option<String>, terminal: Terminal) -> CountSource {
    let command: Vec<OsString> = config.program.command.iter().map(|word| word.text().into()).collect();
    let may_start_another = is_built && trend_run::starts_script(&command, &config.folder);
    if may_start_another || trend_run::starts_instrumented(&command, &config.folder) {
        return CountSource::Gcov;
    }
    if let Some(doubt) = build_doubt {
        terminal.warn(&doubt);
    }
    let word = command.first().map(|word| word.to_string_lossy()).unwrap_or_default();
    let why = if is_built { "the build added none" } else { "there is no build for it" };
    terminal.note(&format!("{word} has no counters ({why}), so valgrind counts its instructions"));
    CountSource::Callgrind
}

/// Keeps at most `MOST_FILES` workloads, including the smallest and the largest. They must be sorted by size.
pub(super) fn spread<T>(workloads: &mut Vec<T>) {
    let count = workloads.len();
    if count <= MOST_FILES {
        return;
    }
    // Keep the first workload of each of `MOST_FILES - 1` equal parts, and the last of all.
    let part = |i: usize| i * (MOST_FILES - 1) / (count - 1);
    let mut i = 0;
    workloads.retain(|_| {
        let is_kept = i == 0 || part(i) != part(i - 1);
        i += 1;
        is_kept
    });
}
