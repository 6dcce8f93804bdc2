//! Beginning of a campaign: builds the program, and opens the study.

use std::collections::BTreeSet;
use std::path::Path;

use trend_profile::{Access, NewStudy, Opening, RunState, StudyError, StudyFile, Warning, WarningKind};
use trend_run::{BuildOutput, BuildReport, Config, CountSource, ExecuteOptions, Plan, RunError};

use super::campaign::Campaign;
use super::program;
use crate::commands::measuring::build;
use crate::failure::{EXIT_EXPECTATION, Failure};
use crate::interruption::Interruption;
use crate::terminal::{Terminal, plural};

impl Campaign {
    /// Builds if needed, and returns the campaign. Its plan includes completely recorded workloads at sizes beyond the
    /// configuration's.
    pub(crate) fn begin(
        config: &Config,
        path: &Path,
        options: ExecuteOptions,
        may_build: bool,
        terminal: Terminal,
    ) -> Result<Self, Failure> {
        let existing = recorded(path, options.fresh, terminal)?;
        // Listen before the build and before the study is created: a process that is killed by a signal cleans nothing
        // up. A signal now ends the build with all its processes.
        let interruption = Interruption::listen()?;
        let is_counted = options.counters == CountSource::Gcov;
        let (mut linked, mut build_doubt, mut is_built) = (Vec::new(), None, false);
        // With `--fresh`, recorded runs may be of sources that changed since.
        let measured = existing.as_ref().filter(|_| !options.fresh);
        if may_build
            && let Some(reason) =
                trend_run::needs_build(&program::of_earlier_build(config, is_counted), measured)
        {
            terminal.note(&format!("building: {reason}"));
            let report = built(config, options.temporary.as_deref(), &interruption, terminal)?;
            let nothing = report.warnings.iter().find(|w| w.kind == WarningKind::NothingInstrumented);
            (build_doubt, linked) = (nothing.map(|w| w.message.clone()), report.linked);
            is_built = true;
        }
        // The sources of an interpreted program are its build.
        let may_be_new = is_built || options.counters.language().is_some();
        let existing = match existing {
            Some(study) if may_be_new && !options.fresh => {
                of_this_build(study, path, config, options.counters, terminal)?
            }
            existing => existing,
        };
        let config = &program::settled(config, &linked, is_counted, may_build, terminal)?;
        let mut plan = trend_run::plan(config)?;
        let study = match existing {
            Some(study) => study,
            None => created(config, path)?,
        };
        if !options.fresh {
            let recorded = study.run_states();
            note_others(&plan, &recorded, terminal)?;
            plan.adopt(&recorded, options.repeat.unwrap_or(config.program.repeat()))?;
        }
        let mut campaign = Self::new(plan, study, options, interruption, terminal);
        campaign.build_doubt = build_doubt;
        Ok(campaign)
    }
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
    let is_fine =
        [WarningKind::NothingInstrumented, WarningKind::OnlyConfigured, WarningKind::InstrumentedBefore];
    if let Some(other) = report.warnings.iter().find(|w| w.kind == WarningKind::BuiltOtherwise) {
        return Err(Failure::new(other.message.as_str()).exit_code(EXIT_EXPECTATION));
    }
    let doubts = report.warnings.iter().filter(|w| !is_fine.contains(&w.kind));
    doubts.for_each(|w| terminal.warn(&w.message));
    if report.status.success() {
        return Ok(report);
    }
    let line: Vec<_> = command.iter().map(|word| word.to_string_lossy()).collect();
    Err(Failure::new(format!("the build failed ({}): `{}`", report.status, line.join(" ")))
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
pub(crate) fn created(config: &Config, path: &Path) -> Result<StudyFile, Failure> {
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
            "the study also has {} with further values, which the analysis includes; `--fresh` removes them",
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

impl From<RunError> for Failure {
    fn from(error: RunError) -> Self {
        match error {
            RunError::Study(error) => error.into(),
            error => Self::from_error("failed to run", &error).maybe_hint(error.hint()),
        }
    }
}
