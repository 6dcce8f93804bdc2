//! `trend-prof run --since REV`: reruns only workloads whose counts may have changed.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use trend_profile::{Access, Study, StudyFile};
use trend_run::{Bodies, Changes, Config, CountSource, ExecuteOptions, Plan, PlannedWorkload};

use super::campaign::Campaign;
use crate::failure::Failure;
use crate::terminal::{Terminal, plural};

/// Maximum number of functions that a message lists.
const MOST_NAMED: usize = 5;

/// Reruns the workloads whose counts may have changed since the revision at which the study was measured.
pub(super) fn since(
    revision: &str,
    config: &Config,
    path: &Path,
    options: ExecuteOptions,
    may_build: bool,
    terminal: Terminal,
) -> Result<Campaign, Failure> {
    if !path.exists() {
        return Err(Failure::new(format!("{}: no study of {revision} to reuse", path.display()))
            .hint("run without --since"));
    }
    // Keep the file open, so that the study stays locked until the new one replaces it.
    let file = StudyFile::open(path, Access::Write)?;
    let old = file.load()?;
    let inputs = trend_run::plan(config)?;
    let inputs: BTreeSet<PathBuf> = inputs.workloads.iter().filter_map(PlannedWorkload::input_file).collect();
    let changes = match not_by_workload(&file, &old, &options) {
        Some(reason) => Changes::Anything(reason.to_owned()),
        None => trend_run::changes_since(&config.folder, revision, &old, &inputs)
            .map_err(|error| Failure::from_error("failed to compare with the study's revision", &error))?,
    };
    let bodies = match changes {
        Changes::Bodies(bodies) => bodies,
        Changes::Nothing => {
            terminal.note(&format!("no source changed since {revision}"));
            drop(file);
            return Campaign::begin(config, path, options, may_build, terminal)?.run();
        }
        Changes::Anything(reason) => {
            terminal.note(&format!("everything runs again: {reason}"));
            drop(file);
            let options = ExecuteOptions { fresh: true, ..options };
            return Campaign::begin(config, path, options, may_build, terminal)?.run();
        }
    };
    // Write a new study next to the old one and replace that at the end. The name is hidden, because a leftover file is
    // removed.
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let new = path.with_file_name(format!(".{name}.since"));
    let _ = fs::remove_file(&new);
    let mut campaign = Campaign::begin(config, &new, options, may_build, terminal)?;
    campaign.plan.adopt(&file.run_states(), 1)?;
    let division = Division::new(&bodies, &old, &mut campaign.plan, revision, terminal);
    campaign.execute()?;
    if let Some((compared, kept)) = division.compared
        && campaign.summary.cancelled == 0
    {
        let now = campaign.study.load()?;
        campaign.plan.workloads.extend(kept);
        match bodies.contradiction(&old, &division.positions, &now, &compared) {
            None => {
                bodies.carry(&old, &division.positions, &now, &mut campaign.study)?;
                let count = plural(division.positions.len(), "workload");
                terminal.note(&format!(
                    "kept {count} that executed no changed code; {compared} was run again as a check, with the same \
                     counts"
                ));
            }
            Some(reason) => {
                terminal.note(&format!("everything runs again: {reason}"));
                let before = campaign.summary.finished;
                campaign.execute()?;
                campaign.summary.finished += before;
                campaign.summary.skipped = 0;
            }
        }
    }
    // From here on, the campaign's study is the one at `path`.
    let made = std::mem::replace(&mut campaign.study, file);
    if campaign.summary.cancelled > 0 || !made.is_published() {
        drop(made);
        let _ = fs::remove_file(&new);
        terminal.note(&format!("{} is unchanged", path.display()));
        return Ok(campaign);
    }
    made.close()?;
    fs::rename(&new, path)
        .map_err(|error| Failure::from_error(format!("failed to replace {}", path.display()), &error))?;
    campaign.study = StudyFile::open(path, Access::Write)?;
    Ok(campaign)
}

/// Returns a reason if the study's counts do not divide by workload: it has repeated runs, series, loops or other
/// costs.
fn not_by_workload(file: &StudyFile, old: &Study, options: &ExecuteOptions) -> Option<&'static str> {
    if options.counters != CountSource::Gcov || *old.unit() != CountSource::Gcov.unit() {
        return Some("the study does not count executions");
    }
    if !old.series().is_empty() || !old.loops().is_empty() {
        return Some("the study has routines or loops, which are not kept per workload");
    }
    file.run_states().iter().any(|run| run.repetition > 0).then_some("the study has repeated runs")
}

/// Division of the workloads into those to run and those to keep.
struct Division {
    /// Positions of the kept workloads in the old study, without the compared one.
    positions: Vec<usize>,
    /// Name of the first workload that could be kept, which is run for comparison, and the other kept workloads.
    compared: Option<(String, Vec<PlannedWorkload>)>,
}

impl Division {
    /// Leaves only the workloads to run in the plan, and prints the reason.
    fn new(bodies: &Bodies, old: &Study, plan: &mut Plan, revision: &str, terminal: Terminal) -> Self {
        let concerned = bodies.concerned(old);
        let position = |w: &PlannedWorkload| {
            let is_same = |workload: &trend_profile::Workload| {
                workload.name == w.workload.name && workload.fingerprint == w.workload.fingerprint
            };
            old.workloads().iter().position(is_same).filter(|position| !concerned.contains_key(position))
        };
        let all = std::mem::take(&mut plan.workloads);
        let (mut kept, run): (Vec<_>, Vec<_>) = all.into_iter().partition(|w| position(w).is_some());
        let names = bodies.names(old);
        let more = names.len().saturating_sub(MOST_NAMED);
        let shown = names[..names.len().min(MOST_NAMED)].join(", ");
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        terminal.note(&format!(
            "{} to run: new, or affected by changes since {revision} ({shown}{more})",
            plural(run.len(), "workload")
        ));
        plan.workloads = run;
        if kept.is_empty() {
            return Self { positions: Vec::new(), compared: None };
        }
        let compared = kept.remove(0);
        let name = compared.workload.name.clone();
        plan.workloads.push(compared);
        Self { positions: kept.iter().filter_map(position).collect(), compared: Some((name, kept)) }
    }
}
