//! `trend-prof run`: runs the workloads of a configuration and records them in a study.

pub(crate) mod configured;
pub(crate) mod measured;
pub(crate) mod prepared;
mod program;
mod since;
pub(crate) mod summary;
pub(crate) mod until;

use std::path::Path;
use std::process::ExitCode;

use trend_profile::StudyFile;
use trend_run::{Config, CountSource, ExecuteOptions, Language, Publish, Summary};

use self::configured::configuration;
use self::measured::{SUPERVISOR, measured, time};
use self::prepared::prepared;
use self::since::since;
use self::summary::report_summary;
use self::until::{Until, until_decided};
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
        supervisor: SUPERVISOR.into(),
        jobs: args.jobs,
        timeout: args.timeout,
        stop_after: args.stop_after,
        memory_bytes: args.memory,
        repeat: args.repeat,
        fresh: args.fresh,
        counters,
        memory_by_line: args.memory_by_line,
        without_sources: args.no_sources,
        publish: Publish::WithRuns,
        temporary: None,
    };
    if options.memory_by_line || config.program.memory_by_line {
        refuse_memory(counters)?;
    }
    // Callgrind should run the program without counters. Cargo can build it that way; for other builds the existing
    // program is run.
    config.program.plain = options.counters == CountSource::Callgrind;
    let may_build =
        !args.no_build && (is_counted_build(options.counters) || is_cargo_build(&config, terminal));
    if args.until_decided {
        trend_steer::check(&config, &path)?;
        let prepared = prepared(&config, &path, &options, may_build, terminal)?;
        let report = |summary: &Summary| report_summary(summary, &path, terminal);
        let interruption = prepared.interruption.clone();
        let config = prepared.plan.config.clone();
        let ended = until_decided(
            &config,
            trend_steer::Goal::Costly,
            &options,
            args.budget,
            prepared,
            terminal,
            report,
        )?;
        if !args.no_time && !interruption.is_requested() {
            time(&config, &path, &options, &interruption, terminal)?;
        }
        say_answer(&path, terminal);
        let (Until::Interrupted(code) | Until::Over(code)) = ended;
        return Ok(code);
    }
    let measured = match &args.since {
        Some(revision) => since(revision, &config, &path, &options, may_build, terminal)?,
        None => measured(&config, &path, &options, may_build, terminal)?,
    };
    let is_whole = measured.summary.cancelled == 0;
    if is_whole && !args.no_time {
        time(&measured.config, &path, &options, &measured.interruption, terminal)?;
    }
    report_summary(&measured.summary, &path, terminal);
    if is_whole {
        say_answer(&path, terminal);
    }
    Ok(measured.exit_code())
}

/// True if a program's build adds its counters.
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
            "`{}` is not run, because only builds that begin with `cargo` can be told to build without \
             counters; the existing program is run",
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
