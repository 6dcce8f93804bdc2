//! `trend-prof try`: builds, runs and answers in one command.
//!
//! The program and its build come from `trend-prof.toml`, from the command line, or from the files in the folder, like
//! `init`. The sizes come from [`trend_steer::scout`] and its rounds.

mod begun;
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
use trend_steer::{Account, Goal, LARGEST};

use self::begun::{begin, spread};
use self::judgement::{Tried, judged};
use self::setup::setup;
use super::findings::check;
use super::measuring::grow;
use crate::failure::{EXIT_EXPECTATION, EXIT_WRONG_INPUT, Failure};
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
    let mut campaign = begin(args, &mut setup, terminal)?;
    let path = campaign.study.path().to_owned();
    if std::mem::take(&mut campaign.options.fresh) && campaign.study.is_published() {
        campaign.study.clear()?;
    }
    let begin = Instant::now();
    let to_count = if expected.is_empty() { args.budget.mul_f64(COUNTED) } else { args.budget };
    let mut failures = Vec::new();
    if let Some(parameter) = &setup.scouted {
        let largest = if expected.is_empty() { LARGEST } else { LARGEST_EXPECTED };
        let scouted = campaign.scout(parameter, largest, to_count)?;
        if scouted.sizes.is_empty() && !campaign.interruption.is_requested() {
            campaign.report();
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
        failures = std::mem::take(&mut campaign.summary.failures);
    }
    let all = campaign.plan.workloads.clone();
    if all.iter().all(|workload| workload.parameters.is_empty()) {
        spread(&mut campaign.plan.workloads);
    }
    let files = if args.files.is_empty() { 0 } else { campaign.plan.workloads.len() };
    let goal = match (expected.as_slice(), &setup.scouted) {
        ([], _) => Goal::Costly,
        (_, None) if !args.parameters.is_empty() => Goal::Expectations { expected: &[], options: &analysis },
        (expected, _) => Goal::Expectations { expected, options: &analysis },
    };
    let account = campaign.decide(goal, to_count.saturating_sub(begin.elapsed()))?;
    let account = Account { spent: begin.elapsed(), budget: to_count, ..account };
    if campaign.interruption.is_requested() {
        campaign.report();
        return Ok(campaign.interruption.exit_code());
    }
    let Summary { finished, skipped, .. } = campaign.summary;
    let ran = finished + skipped + campaign.summary.failures.len();
    if files > ran {
        let budget = args.budget.as_secs_f64();
        terminal.warn(&format!(
            "{} of {files} files were not run for lack of time ({budget} s); give more with `--budget`",
            files - ran
        ));
    }
    if !expected.is_empty() {
        if !account.rows.is_empty() {
            account.lines().last().into_iter().for_each(|line| terminal.note(line));
        }
        let mut summary = std::mem::take(&mut campaign.summary);
        summary.failures.splice(0..0, failures);
        campaign.finish()?;
        let tried = Tried { path: &path, summary, scouted: setup.scouted.as_deref() };
        return judged(args, &expected, &analysis, tried, terminal);
    }
    // Files that an earlier command recorded are timed as well.
    campaign.plan.workloads = all;
    campaign.time_within(args.budget.saturating_sub(begin.elapsed()))?;
    if finished + skipped == 0 && !campaign.summary.failures.is_empty() {
        campaign.report();
        return Err(Failure::new("no run succeeded").exit_code(EXIT_EXPECTATION));
    }
    campaign.finish()?;
    answer(&path, &account, terminal)?;
    setup.offer(args, &path, terminal);
    Ok(ExitCode::SUCCESS)
}

fn say_sizes(parameter: &str, scouted: &trend_steer::Scouted, terminal: Terminal) {
    let (Some(first), Some(last)) = (scouted.sizes.first(), scouted.sizes.last()) else { return };
    let failed = scouted
        .failed
        .map(|failed| format!("; {parameter} = {failed} failed or took too long"))
        .unwrap_or_default();
    terminal.note(&format!("{parameter} from {first} to {last} in {} runs{failed}", scouted.sizes.len()));
}

/// Returns the expectation that the whole program grows within the limit.
fn of_program(limit: trend_analyze::GrowthLimit) -> Expectation {
    let limit = Limit::Growth { limit };
    Expectation { origin: Origin::CommandLine, subject: Subject::Program, limit, feature: None }
}

/// Prints the findings and the reason why the runs ended.
fn answer(path: &Path, account: &Account, terminal: Terminal) -> Result<(), Failure> {
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
    if !account.rows.is_empty() {
        account.lines().last().into_iter().for_each(|line| terminal.note(line));
    }
    Ok(())
}
