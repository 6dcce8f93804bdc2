//! Beginning of a trial: the program is built, and the study is open.

use std::ffi::OsString;

use trend_run::{CountSource, ExecuteOptions, Publish};

use super::setup::Setup;
use crate::commands::measuring::run::campaign::{Campaign, execution};
use crate::failure::Failure;
use crate::terminal::Terminal;
use crate::{cli, study};

/// Maximum number of files to run, spread over their sizes. More would add little.
const MOST_FILES: usize = 60;

/// Builds the program, opens the study, and chooses the source of counts.
pub(super) fn begin(args: &cli::Try, setup: &mut Setup, terminal: Terminal) -> Result<Campaign, Failure> {
    let path = args.study.clone().unwrap_or_else(|| study::default_of(&setup.config));
    let counters = CountSource::own(&setup.config);
    let options = ExecuteOptions {
        jobs: args.jobs,
        fresh: args.fresh,
        publish: Publish::WithSuccess,
        ..execution(counters)
    };
    let is_to_build = setup.choose_build(args);
    let mut campaign = Campaign::begin(&setup.config, &path, options, is_to_build, terminal)?;
    if counters == CountSource::Gcov {
        campaign.options.counters = chosen(&campaign, is_to_build, terminal);
    }
    Ok(campaign)
}

/// Returns the source of counts: the program's own counters or, if it has none, valgrind.
fn chosen(campaign: &Campaign, is_built: bool, terminal: Terminal) -> CountSource {
    let config = &campaign.plan.config;
    let command: Vec<OsString> = config.program.command.iter().map(|word| word.text().into()).collect();
    let may_start_another = is_built && trend_run::starts_script(&command, &config.folder);
    if may_start_another || trend_run::starts_instrumented(&command, &config.folder) {
        return CountSource::Gcov;
    }
    if let Some(doubt) = &campaign.build_doubt {
        terminal.warn(doubt);
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
