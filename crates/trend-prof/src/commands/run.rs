//! `trend-prof run`: runs the workloads of a configuration and records them in a study.

mod program;
mod since;
pub(super) mod until;

use std::collections::BTreeSet;
use std::path::Path;
use std::process::ExitCode;
use std::sync::atomic::AtomicBool;

use trend_profile::{Access, NewStudy, Opening, RunState, StudyError, StudyFile, Warning, shell_path};
use trend_run::{
    Advice, BuildOutput, BuildReport, CONFIG_FILE, CommandLine, Config, ConfigError, CountSource,
    ExecuteOptions, Language, Plan, Publish, RunError, Summary,
};

use self::until::Until;
use super::build;
use crate::failure::{EXIT_EXPECTATION, Failure};
use crate::interruption::Interruption;
use crate::progress::Progress;
use crate::terminal::{Terminal, plural};
use crate::waiting::Waiting;
use crate::{cli, study};

/// Path of the executable that supervises runs. It is this executable even if another is installed in its place.
pub(super) const SUPERVISOR: &str = "/proc/self/exe";

/// Maximum number of counts for which the study is analysed right after its runs. The analysis then takes half a
/// second.
const MOST_COUNTS_ANSWERED: usize = 1_000_000;

/// Number of lines of a failed run's stderr to show.
const STDERR_LINES: usize = 3;

pub(super) fn run(args: &cli::Run, terminal: Terminal) -> Result<ExitCode, Failure> {
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
        let ended = until::until_decided(
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
        Some(revision) => since::since(revision, &config, &path, &options, may_build, terminal)?,
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

/// Runs the recorded workloads without counters to measure their time. After an interruption the next call times the
/// rest.
pub(super) fn time(
    config: &Config,
    path: &Path,
    options: &ExecuteOptions,
    interruption: &Interruption,
    terminal: Terminal,
) -> Result<(), Failure> {
    time_until(config, path, options, interruption.flag(), terminal)
}

/// Like `time`, but until `stop` is set.
pub(super) fn time_until(
    config: &Config,
    path: &Path,
    options: &ExecuteOptions,
    stop: &AtomicBool,
    terminal: Terminal,
) -> Result<(), Failure> {
    if config.program.time == Some(false) || !path.exists() {
        return Ok(());
    }
    let mut study = StudyFile::open(path, Access::Write)?;
    let mut plan = trend_run::plan(config)?;
    plan.adopt(&study.run_states(), 1)?;
    let progress = Progress::new(terminal);
    let timed = trend_run::time(&plan, &mut study, options, &progress, stop);
    progress.finish();
    timed?;
    Ok(study.close()?)
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

/// Result of the runs.
pub(super) struct Measured {
    /// The configuration, with the program that was run.
    pub(super) config: Config,
    pub(super) summary: Summary,
    pub(super) interruption: Interruption,
}

impl Measured {
    /// Returns 1 if a workload failed, or 128 plus the signal's number if the user stopped it.
    pub(super) fn exit_code(&self) -> ExitCode {
        match (self.summary.cancelled, self.summary.failures.len()) {
            (0, 0) => ExitCode::SUCCESS,
            (0, _) => ExitCode::from(EXIT_EXPECTATION),
            _ => self.interruption.exit_code(),
        }
    }
}

/// Builds if needed, and runs the missing workloads.
pub(super) fn measured(
    config: &Config,
    path: &Path,
    options: &ExecuteOptions,
    may_build: bool,
    terminal: Terminal,
) -> Result<Measured, Failure> {
    let Prepared { plan, mut study, interruption, .. } =
        prepared(config, path, options, may_build, terminal)?;
    let progress = Progress::new(terminal);
    let summary = trend_run::execute(&plan, &mut study, options, &progress, interruption.flag());
    progress.finish();
    let summary = summary?;
    let is_published = study.is_published();
    study.close()?;
    if !is_published {
        terminal.note(&format!("no run succeeded: {} is unchanged", path.display()));
    }
    Ok(Measured { config: plan.config, summary, interruption })
}

/// The state before the first run.
pub(super) struct Prepared {
    /// The plan. Its configuration names the program that the build made for the name in the command.
    pub(super) plan: Plan,
    pub(super) study: StudyFile,
    pub(super) interruption: Interruption,
    /// The reason why a successful build may have made no program with counters.
    pub(super) build_doubt: Option<String>,
}

/// Builds if needed, and returns the plan and the study. The plan includes completely recorded workloads at sizes
/// beyond the configuration's.
pub(super) fn prepared(
    config: &Config,
    path: &Path,
    options: &ExecuteOptions,
    may_build: bool,
    terminal: Terminal,
) -> Result<Prepared, Failure> {
    let known = recorded(path, options.fresh, terminal)?;
    // Listen before the build and before the study is created: a process that is killed by a signal cleans nothing up.
    // A signal now ends the build with all its processes.
    let interruption = Interruption::listen()?;
    let is_counted = options.counters == CountSource::Gcov;
    let (mut linked, mut build_doubt, mut is_built) = (Vec::new(), None, false);
    // With `--fresh`, recorded runs may be of sources that changed since.
    let measured = known.as_ref().filter(|_| !options.fresh);
    if may_build && let Some(reason) = trend_run::needs_build(&program::found(config, is_counted), measured) {
        terminal.note(&format!("building: {reason}"));
        let report = built(config, options.temporary.as_deref(), &interruption, terminal)?;
        let nothing = report.warnings.iter().find(|w| w.kind == trend_run::NOTHING_INSTRUMENTED);
        (build_doubt, linked) = (nothing.map(|w| w.message.clone()), report.linked);
        is_built = true;
    }
    // The sources of an interpreted program are its build.
    let may_be_new = is_built || options.counters.language().is_some();
    let known = match known {
        Some(study) if may_be_new && !options.fresh => {
            of_this_build(study, path, config, options.counters, terminal)?
        }
        known => known,
    };
    let config = &program::settled(config, &linked, is_counted, may_build, terminal)?;
    let mut plan = trend_run::plan(config)?;
    let study = match known {
        Some(study) => study,
        None => created(config, path)?,
    };
    if !options.fresh {
        let recorded = study.run_states();
        note_others(&plan, &recorded, terminal)?;
        plan.adopt(&recorded, options.repeat.unwrap_or(config.program.repeat()))?;
    }
    Ok(Prepared { plan, study, interruption, build_doubt })
}

/// Runs the configured build, and prints doubts about its result.
fn built(
    config: &Config,
    temporary: Option<&Path>,
    interruption: &Interruption,
    terminal: Terminal,
) -> Result<BuildReport, Failure> {
    let command = config.program.build.as_deref().unwrap_or_default();
    let instrument = config.program.instrumentation();
    let output = if terminal.quiet { BuildOutput::Kept } else { BuildOutput::Stderr };
    let mut options = build::options(&config.folder, instrument, output)?;
    options.temporary = temporary.map(Path::to_owned);
    let report = build::instrumented(command, &options, interruption, terminal)?;
    // A build that had nothing to do is fine here. If the program has no counters, that shows when it runs.
    let is_fine = [trend_run::NOTHING_INSTRUMENTED, trend_run::ONLY_CONFIGURED, trend_run::UP_TO_DATE];
    if let Some(other) = report.warnings.iter().find(|w| w.kind == trend_run::BUILT_OTHERWISE) {
        return Err(Failure::new(other.message.as_str()).exit_code(EXIT_EXPECTATION));
    }
    let doubts = report.warnings.iter().filter(|w| !is_fine.contains(&w.kind.as_str()));
    doubts.for_each(|w| terminal.warn(&w.message));
    if report.status.success() {
        return Ok(report);
    }
    let line: Vec<_> = command.iter().map(|word| word.to_string_lossy()).collect();
    Err(Failure::new(format!("the build ended with {}: `{}`", report.status, line.join(" ")))
        .hint("fix it, or build with `trend-prof build -- COMMAND` and run with `--no-build`")
        .exit_code(EXIT_EXPECTATION))
}

/// Sets a study aside if its counts are of another build than the current one, because its program no longer exists.
/// Replaces a study that was set aside before.
fn of_this_build(
    study: StudyFile,
    path: &Path,
    config: &Config,
    counters: CountSource,
    terminal: Terminal,
) -> Result<Option<StudyFile>, Failure> {
    if !trend_run::is_of_another_build(&study, &config.folder, counters) {
        return Ok(Some(study));
    }
    let mut aside = path.as_os_str().to_owned();
    aside.push(".earlier");
    // Rename it while it is locked, so that no other run starts writing to it.
    std::fs::rename(path, &aside)
        .map_err(|error| Failure::from_error(format!("failed to set {} aside", path.display()), &error))?;
    drop(study);
    terminal.note(&format!(
        "the program {}, so every workload runs again; the earlier study is kept as {}",
        if counters.language().is_some() { "changed" } else { "was rebuilt" },
        Path::new(&aside).display()
    ));
    Ok(None)
}

/// Creates a draft of a new study, which appears at `path` with its runs.
pub(super) fn created(config: &Config, path: &Path) -> Result<StudyFile, Failure> {
    let new = NewStudy::new(&config.program.name, "");
    let made = match StudyFile::draft(path, &new, false) {
        // Another run created it in the meantime and is writing to it.
        Err(StudyError::Exists { path }) => StudyFile::open(&path, Access::Write),
        made => made,
    };
    made.map_err(|error| match error {
        StudyError::Busy { path } => RunError::UnderWay { study: path }.into(),
        error => error.into(),
    })
}

/// Notes which workloads of the study are not in the configuration.
fn note_others(plan: &Plan, recorded: &[RunState], terminal: Terminal) -> Result<(), Failure> {
    let retired = plan.retired(recorded)?;
    if let Some(warning) = Warning::of_retired(retired.iter().map(String::as_str)) {
        terminal.note(&warning.message);
    }
    let planned: BTreeSet<&str> = plan.workloads.iter().map(|w| w.workload.name.as_str()).collect();
    let finished = recorded.iter().filter(|run| run.outcome.is_finished()).map(|run| run.workload.as_str());
    let is_ours = |name: &str| plan.config.shard.is_none_or(|shard| shard.has(name));
    let further: BTreeSet<&str> = finished
        .filter(|name| is_ours(name) && !planned.contains(name) && !retired.contains(*name))
        .collect();
    if !further.is_empty() {
        terminal.note(&format!(
            "also counted, with further values: {} of the study; `--fresh` removes them",
            plural(further.len(), "workload")
        ));
    }
    Ok(())
}

/// Opens the existing study. If `fresh`, sets a damaged one aside.
fn recorded(path: &Path, fresh: bool, terminal: Terminal) -> Result<Option<StudyFile>, Failure> {
    if !path.exists() {
        return Ok(None);
    }
    let opened = if fresh {
        StudyFile::open_or_set_aside(path)
    } else {
        StudyFile::open(path, Access::Write).map(|study| Opening::Whole(Box::new(study)))
    };
    match opened {
        Err(StudyError::Busy { path }) => Err(RunError::UnderWay { study: path }.into()),
        Err(error) => Err(error.into()),
        Ok(Opening::Whole(study)) => Ok(Some(*study)),
        Ok(Opening::SetAside(aside)) => {
            terminal.note(&format!("the damaged study is kept as {}", aside.display()));
            Ok(None)
        }
    }
}

/// Returns the text of a failure with the last lines of the run's stderr.
pub(super) fn failure_text(advice: &Advice) -> String {
    let lines: Vec<&str> = advice.stderr_tail.lines().collect();
    let last = lines[lines.len().saturating_sub(STDERR_LINES)..].iter();
    last.fold(advice.text.clone(), |text, line| format!("{text}\n    {line}"))
}

/// Prints the result of the runs to stderr.
pub(super) fn report_summary(summary: &Summary, path: &Path, terminal: Terminal) {
    for advice in summary.advice() {
        let failure = Failure::new(failure_text(&advice));
        match advice.help {
            Some(help) => failure.hint(help).print(),
            None => failure.print(),
        }
    }
    if !summary.failures.is_empty() {
        terminal.hint("after fixing it, rerun this command: only failures run again");
    }
    let mut parts = vec![format!("{} recorded in {}", plural(summary.finished, "run"), path.display())];
    for (count, what) in [
        (summary.skipped, "recorded before"),
        (summary.failures.len(), "failed"),
        (summary.cancelled, "not run"),
    ] {
        if count > 0 {
            parts.push(format!("{count} {what}"));
        }
    }
    terminal.note(&parts.join(", "));
    if summary.cancelled > 0 {
        terminal.hint("rerun this command to continue");
    } else if summary.finished + summary.skipped > 0 {
        terminal.note(&format!("next: `trend-prof show {0}`, `trend-prof report {0}`", shell_path(path)));
    }
}

/// Reads the configuration of a file, with the probe that its program was built with.
pub(super) fn configured(path: &Path) -> Result<Config, Failure> {
    let mut config = Config::read(path)?;
    config.read_run()?;
    let built = trend_run::probe_of(&program::found(&config, true));
    config.program.probe = built.unwrap_or(config.program.probe);
    Ok(config)
}

fn configuration(args: &cli::Run) -> Result<Config, Failure> {
    let mut config = written(args)?;
    config.read_run()?;
    // A program on the command line may come from any build, so look up its probe.
    let built = || {
        if args.command.is_empty() { None } else { trend_run::probe_of(&program::found(&config, true)) }
    };
    config.program.probe = args.probe.or_else(built).unwrap_or(config.program.probe);
    config.shard = args.shard;
    Ok(config)
}

/// Returns the configuration from the file or the command line.
fn written(args: &cli::Run) -> Result<Config, Failure> {
    if args.command.is_empty() {
        let path = args.config.clone().unwrap_or_else(|| CONFIG_FILE.into());
        return Ok(Config::read(&path)?);
    }
    let parameters =
        args.parameters.iter().map(|p| trend_run::parse_parameter(p)).collect::<Result<_, _>>()?;
    let line = CommandLine {
        command: args.command.clone(),
        parameters,
        files: args.files.clone(),
        stdin: args.stdin.clone().map(Into::into),
    };
    let mut config = Config::from_command_line(Path::new("."), line)?;
    config.program.exit_codes = Some(args.exit_codes.clone()).filter(|codes| !codes.is_empty());
    Ok(config)
}

impl From<ConfigError> for Failure {
    fn from(error: ConfigError) -> Self {
        Self::from_error("failed to read the configuration", &error).maybe_hint(error.hint())
    }
}

impl From<RunError> for Failure {
    fn from(error: RunError) -> Self {
        match error {
            RunError::Study(error) => error.into(),
            error => Self::from_error("failed to run", &error).maybe_hint(error.hint()),
        }
    }
}
