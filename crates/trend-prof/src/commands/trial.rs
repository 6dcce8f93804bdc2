//! `trend-prof try`: builds, runs and answers in one command.
//!
//! The program and its build come from `trend-prof.toml`, from the command line, or from the files in the folder, like
//! `init`. The sizes come from [`trend_steer::scout`] and its rounds.

mod begun;
mod deadline;
mod judgement;
mod setup;
mod worst;

use std::path::Path;
use std::process::ExitCode;
use std::time::Instant;

use trend_analyze::{Doubt, Expectation, Limit, Origin, Subject};
use trend_profile::StudyFile;
use trend_report::{By, Sort, TableOptions};
use trend_run::Summary;
use trend_steer::{Account, Ended, Event, Goal, Job, LARGEST, Note, Observer, Rounds};

use self::begun::{Begun, begin, spread};
use self::deadline::until;
use self::judgement::{Tried, judged};
use self::setup::setup;
use super::findings::check;
use super::measuring::grow;
use super::measuring::run::measured::time_until;
use super::measuring::run::prepared::Prepared;
use super::measuring::run::summary::report_summary;
use crate::failure::{EXIT_EXPECTATION, EXIT_WRONG_INPUT, Failure};
use crate::progress::Progress;
use crate::terminal::{self, Terminal};
use crate::{cli, study};

/// Largest size that is chosen before an expectation is known to need larger ones. It covers five decades and needs
/// little memory.
const LARGEST_EXPECTED: f64 = 1_048_576.0;

/// Share of the time budget for runs with counters. Runs without counters get the rest and take about as long.
const COUNTED: f64 = 2.0 / 3.0;

pub(super) fn trial(args: &cli::Try, terminal: Terminal) -> Result<ExitCode, Failure> {
    let mut setup = setup(args, terminal)?;
    let program = &mut setup.config.program;
    program.packages = args.packages.unwrap_or(program.packages);
    if args.worst {
        return worst::worst(args, setup, terminal);
    }
    let expected: Vec<Expectation> = args.expect.map(of_program).into_iter().collect();
    let analysis = check::options(&expected, &cli::Analysis::default())?;
    let Begun { path, mut options, prepared } = begin(args, &mut setup, terminal)?;
    let Prepared { mut plan, mut study, interruption, .. } = prepared;
    if std::mem::take(&mut options.fresh) && study.is_published() {
        study.clear()?;
    }
    let watcher = Watcher { progress: Progress::new(terminal) };
    let begin = Instant::now();
    let to_count = if expected.is_empty() { args.budget.mul_f64(COUNTED) } else { args.budget };
    let job = |budget| Job {
        config: &setup.config,
        goal: match (expected.as_slice(), &setup.scouted) {
            ([], _) => Goal::Costly,
            (_, None) if !args.parameters.is_empty() => {
                Goal::Expectations { expected: &[], options: &analysis }
            }
            (expected, _) => Goal::Expectations { expected, options: &analysis },
        },
        options: &options,
        budget,
        observer: &watcher,
        stop: interruption.flag(),
    };
    let mut failures = Vec::new();
    if let Some(parameter) = &setup.scouted {
        let largest = if expected.is_empty() { LARGEST } else { LARGEST_EXPECTED };
        let scouted = trend_steer::scout(job(to_count), parameter, largest, &mut plan, &mut study)?;
        watcher.progress.finish();
        if scouted.sizes.is_empty() && !interruption.is_requested() {
            report_summary(&scouted.summary, &path, terminal);
            let failure =
                Failure::new(format!("no run succeeded with {{{parameter}}} = 4, nor with larger values"));
            return Err(match parameter.as_str() {
                grow::PERCENT | grow::REPETITIONS => failure,
                _ => failure.hint(format!(
                    "if it needs other values, give them: `--param {parameter}=1000..100000x8`"
                )),
            }
            .exit_code(if expected.is_empty() { EXIT_EXPECTATION } else { EXIT_WRONG_INPUT }));
        }
        say_sizes(parameter, &scouted, terminal);
        failures = scouted.summary.failures;
    }
    if plan.workloads.iter().all(|workload| workload.parameters.is_empty()) {
        spread(&mut plan.workloads);
    }
    let files = if args.files.is_empty() { 0 } else { plan.workloads.len() };
    let left = to_count.saturating_sub(begin.elapsed());
    let mut rounds = Rounds::new(job(left), plan, study);
    let account = rounds.run();
    watcher.progress.finish();
    let mut summary = rounds.summary().clone();
    drop(rounds);
    let account = Account { spent: begin.elapsed(), budget: to_count, ..account? };
    if interruption.is_requested() {
        report_summary(&summary, &path, terminal);
        return Ok(interruption.exit_code());
    }
    let ran = summary.finished + summary.skipped + summary.failures.len();
    if files > ran {
        let budget = args.budget.as_secs_f64();
        terminal.warn(&format!(
            "{} of {files} files were not run for lack of time ({budget} s); give more with `--budget`",
            files - ran
        ));
    }
    if !expected.is_empty() {
        if account.ended != Ended::Stopped && !account.rows.is_empty() {
            account.lines().last().into_iter().for_each(|line| terminal.note(line));
        }
        summary.failures.splice(0..0, failures);
        let tried = Tried { path: &path, summary, scouted: setup.scouted.as_deref() };
        return judged(args, &expected, &analysis, tried, terminal);
    }
    let end = begin + args.budget;
    until(end, interruption.flag(), |stop| time_until(&setup.config, &path, &options, stop, terminal))?;
    answer(&path, &summary, &account, terminal)?;
    setup.offer(args, &path, terminal);
    Ok(ExitCode::SUCCESS)
}

fn say_sizes(parameter: &str, scouted: &trend_steer::Scouted, terminal: Terminal) {
    let (Some(first), Some(last)) = (scouted.sizes.first(), scouted.sizes.last()) else { return };
    let failed =
        scouted.failed.map(|failed| format!("; {failed} failed or took too long")).unwrap_or_default();
    terminal.note(&format!("{parameter} from {first} to {last} in {} runs{failed}", scouted.sizes.len()));
}

/// Returns the expectation that the whole program grows within the limit.
fn of_program(limit: trend_analyze::GrowthLimit) -> Expectation {
    let limit = Limit::Growth { limit };
    Expectation { origin: Origin::CommandLine, subject: Subject::Program, limit, feature: None }
}

/// Prints the findings and the reason why the runs ended.
fn answer(path: &Path, summary: &Summary, account: &Account, terminal: Terminal) -> Result<(), Failure> {
    if summary.finished + summary.skipped == 0 && !summary.failures.is_empty() {
        report_summary(summary, path, terminal);
        return Err(Failure::new("no run succeeded").exit_code(EXIT_EXPECTATION));
    }
    let analysis = cli::Analysis::default();
    let study = StudyFile::read(path, None)?;
    let study = trend_analyze::to_analyze(study, &[], &[]);
    let waiting = study::analysing(&study, terminal);
    let findings = study::findings(&study, &analysis, &[], &study::Wanted::default())?;
    drop(waiting);
    let options = TableOptions { by: By::Function, sort: Sort::Predicted, ..terminal.table_options() };
    terminal::table(&trend_report::table(&findings, Some(&study), &options)?)?;
    if findings.doubts.iter().any(|doubt| matches!(doubt, Doubt::NothingVaries)) {
        let feature = findings.features.first().map_or("the size", |feature| feature.name.as_str());
        terminal.warn(&format!(
            "nothing counted varies with {feature}: the program ignores its argument, reads its standard \
             input (use `--stdin {{input}}`), or leaves the work to libraries that are not counted"
        ));
    }
    if account.ended != Ended::Stopped {
        account.lines().last().into_iter().for_each(|line| terminal.note(line));
    }
    Ok(())
}

/// Shows the progress of the runs and, between them, decided results.
struct Watcher {
    progress: Progress,
}

impl Observer for Watcher {
    fn event(&self, event: &Event<'_>) {
        match event {
            Event::Run(event) => trend_run::Observer::event(&self.progress, event),
            Event::RunsOver => self.progress.finish(),
            // Not worth a note, because files bring their own sizes.
            Event::Note(Note::NothingFollows) => {}
            Event::Note(note) => self.progress.note(&note.to_string()),
        }
    }
}
