//! `trend-prof run`: runs the workloads of a configuration and records them in a study.

pub(crate) mod begin;
pub(crate) mod campaign;
pub(crate) mod configured;
mod program;
mod since;
pub(crate) mod summary;

use std::path::Path;
use std::process::ExitCode;

use trend_profile::StudyFile;
use trend_run::{Config, CountSource, ExecuteOptions, Language, Publish};
use trend_steer::Goal;

use self::campaign::{Campaign, execution};
use self::configured::configuration;
use self::since::since;
use crate::failure::Failure;
use crate::terminal::Terminal;
use crate::waiting::Waiting;
use crate::{cli, study};

/// Maximum number of counts for which the study is analysed right after its runs. The analysis then takes half a
/// second.
const MOST_COUNTS_ANSWERED: usize = 1_000_000;

pub(crate) fn run(args: &cli::Run, terminal: Terminal) -> Result<ExitCode, Failure> {
    let mut config = configuration(args)?;
    config.program.packages = args.packages.unwrap_or(config.program.packages);
    let counters = args.counts.unwrap_or_else(|| CountSource::own(&config));
    let path = args.study.clone().unwrap_or_else(|| study::default_of(&config));
    let options = ExecuteOptions {
        jobs: args.jobs,
        timeout: args.timeout,
        stop_after: args.stop_after,
        memory_bytes: args.memory,
        repeat: args.repeat,
        fresh: args.fresh,
        memory_by_line: args.memory_by_line,
        without_sources: args.no_sources,
        publish: Publish::WithRuns,
        ..execution(counters)
    };
    if options.memory_by_line || config.program.memory_by_line {
        refuse_memory(counters)?;
    }
    // Callgrind should run the program without counters. Cargo can build it that way; for other builds the existing
    // program is run.
    config.program.plain = counters == CountSource::Callgrind;
    let may_build = !args.no_build && (is_counted_build(counters) || is_cargo_build(&config, terminal));
    let (mut campaign, is_over) = if args.until_decided {
        trend_steer::check(&config, &path)?;
        let mut campaign = Campaign::begin(&config, &path, options, may_build, terminal)?;
        let is_over = campaign.until_decided(Goal::Costly, args.budget)?;
        (campaign, is_over)
    } else {
        let campaign = match &args.since {
            Some(revision) => since(revision, &config, &path, options, may_build, terminal)?,
            None => Campaign::begin(&config, &path, options, may_build, terminal)?.run()?,
        };
        let is_over = campaign.summary.cancelled == 0;
        (campaign, is_over)
    };
    if is_over && !args.no_time {
        campaign.time()?;
    }
    if !args.until_decided {
        campaign.report();
    }
    let code = campaign.exit_code(is_over);
    campaign.finish()?;
    if is_over || args.until_decided {
        say_answer(&path, terminal);
    }
    Ok(code)
}

/// Returns true if a program's build adds its counters.
fn is_counted_build(counters: CountSource) -> bool {
    counters == CountSource::Gcov || counters.language().is_some_and(Language::is_built)
}

/// Refuses to record memory by line where allocations do not lead to lines.
fn refuse_memory(counters: CountSource) -> Result<(), Failure> {
    let why = match counters {
        CountSource::Gcov => return Ok(()),
        CountSource::Callgrind => "under valgrind, which has its own allocator",
        CountSource::Python => "for Python, whose interpreter allocates for all lines",
        CountSource::Node => "for JavaScript, whose engine allocates for all lines",
        CountSource::Go => "for Go, whose runtime allocates for all lines",
    };
    Err(Failure::new(format!("memory by line does not work {why}"))
        .hint("omit `--memory-by-line`, or count with `--counts gcov`"))
}

/// Prints the answer for the recorded runs, if the analysis is fast enough that the user need not wait.
fn say_answer(path: &Path, terminal: Terminal) {
    if terminal.quiet {
        return;
    }
    let waiting = Waiting::new(terminal, "analysing");
    let Ok(study) = StudyFile::read(path, None) else { return };
    if study.locations().len() * study.workloads().len() > MOST_COUNTS_ANSWERED {
        return;
    }
    let study = trend_analyze::to_analyze(study, &[], &[]);
    let Ok(findings) = study::findings(&study, &cli::Analysis::default(), &[], &study::Wanted::default())
    else {
        return;
    };
    drop(waiting);
    for sentence in trend_report::answer(&findings) {
        terminal.note(&sentence);
    }
}

/// Returns true if the configured build calls cargo, which trend-prof can configure for callgrind. Warns if another
/// command hides the call of cargo.
fn is_cargo_build(config: &Config, terminal: Terminal) -> bool {
    let Some(build) = &config.program.build else { return false };
    if trend_run::mentions_cargo(build) {
        let words = match build.as_slice() {
            [_, flag, line] if flag == "-c" => std::slice::from_ref(line),
            words => words,
        };
        let line: Vec<_> = words.iter().map(|word| word.to_string_lossy()).collect();
        terminal.warn(&format!(
            "the build `{}` is skipped and the existing program is run, because only builds that begin with \
             `cargo` can be told to leave out the counters",
            line.join(" ")
        ));
        terminal.hint(
            "put trend-prof.toml beside Cargo.toml and set `build = \"cargo build --release\"`, or build \
             with `CARGO_PROFILE_RELEASE_DEBUG=limited cargo build --release` and set `command` to that \
             program",
        );
    }
    trend_run::is_cargo_build(build)
}
