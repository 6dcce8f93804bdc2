//! Confirms a fault with a study of its own: its law is fitted at some sizes, and has to hold at a larger one.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::Duration;

use trend_analyze::{Findings, Options, Pace, Row, RowLaw, Rows, analyze, pace};
use trend_profile::StudyFile;
use trend_run::{Config, ExecuteOptions, Parameter};

use super::hunt::Fault;
use crate::commands::measuring::grow;
use crate::commands::measuring::run::begin::created;
use crate::commands::measuring::run::campaign::Campaign;
use crate::commands::trial::setup::grown;
use crate::failure::Failure;
use crate::interruption::Interruption;
use crate::terminal::Terminal;

/// Number of sizes that the law is fitted to.
const FITTED: i32 = 9;

/// Factor between the largest size and the smallest.
const SPAN: f64 = 24.0;

/// Factor from the largest size that the law is fitted to, to the size at which it has to hold.
const BEYOND: u64 = 2;

/// Time limit of a run, far above what is expected of it.
const LONGEST: Duration = Duration::from_mins(1);

/// Time limit of the runs without counters, which measure the time.
const MOST_TIMING: Duration = Duration::from_secs(15);

/// Size at which the cost is predicted, in bytes.
const TARGET: f64 = 1e6;

/// A place in the program.
#[derive(Clone, Debug)]
pub(super) struct FaultPlace {
    pub(super) function: String,
    pub(super) file: String,
    pub(super) line: u32,
}

impl FaultPlace {
    /// Returns the name of the place's row: `file:line`.
    pub(super) fn row(&self) -> String {
        format!("{}:{}", self.file, self.line)
    }
}

/// The files of a fault.
#[derive(Clone, Debug)]
pub(super) struct Files {
    pub(super) recipe: PathBuf,
    pub(super) study: PathBuf,
}

impl Files {
    /// Returns the files of a place in the folder of all faults.
    pub(super) fn of_fault(place: &FaultPlace, folder: &Path) -> Self {
        let name = Path::new(&place.file).file_name().unwrap_or_default().to_string_lossy().into_owned();
        let stem = folder.join(format!("{name}-{}", place.line));
        let with = |extension: &str| {
            let mut path = stem.clone().into_os_string();
            path.push(extension);
            PathBuf::from(path)
        };
        Self { recipe: with(".grow"), study: with(".trend") }
    }
}

/// The result of the check.
#[derive(Debug)]
pub(super) enum Confirmed {
    /// The law predicted the largest run.
    Law(Box<CheckedLaw>),
    /// The claim is dropped, for this reason.
    Not(String),
}

/// The law of a fault's place, and the size at which it was checked.
#[derive(Debug)]
pub(super) struct CheckedLaw {
    /// Growth, such as `n^2`.
    pub(super) growth: String,
    /// The law, such as `0.5·bytes^2`.
    pub(super) formula: String,
    /// Size of the largest run in bytes.
    pub(super) largest: f64,
    /// Executions there, and their interval as predicted from smaller sizes.
    pub(super) count: u64,
    pub(super) predicted: [f64; 2],
    pub(super) findings: Findings,
}

/// The program and its options for the runs of the studies.
pub(super) struct Bench<'a> {
    pub(super) config: &'a Config,
    pub(super) options: &'a ExecuteOptions,
    /// Exit codes of the program during the search. They count as success, because invalid inputs also take time.
    pub(super) exit_codes: &'a BTreeSet<u8>,
    pub(super) interruption: &'a Interruption,
    pub(super) terminal: Terminal,
}

impl Bench<'_> {
    /// Runs the fault's recipe at many sizes, and checks its law.
    ///
    /// # Errors
    /// A study cannot be written or analysed.
    pub(super) fn confirm(
        &self,
        fault: &Fault,
        place: &FaultPlace,
        files: &Files,
    ) -> Result<Confirmed, Failure> {
        let Some(last) = fault.steps.last() else { return Ok(Confirmed::Not("no run succeeded".to_owned())) };
        let sizes = sizes(last.n);
        let largest = last.n * BEYOND;
        let beyond = fault.recipe.input(largest).len() as f64;
        let config = self.config_for(files, &sizes)?;
        let options = ExecuteOptions { fresh: true, timeout: Some(LONGEST), ..self.options.clone() };
        let (plan, study) = (trend_run::plan(&config)?, created(&config, &files.study)?);
        let mut campaign = Campaign::new(plan, study, options, self.interruption.clone(), self.terminal);
        if let Some(failed) = failed(&mut campaign)? {
            return Ok(Confirmed::Not(failed));
        }
        let before = Self::findings(files, place, beyond)?;
        let Some(row) = row_of(&before, place) else {
            return Ok(Confirmed::Not("the larger runs did not execute it".to_owned()));
        };
        let law = row.fits.law();
        if law.and_then(pace) != Some(Pace::Fast) {
            let growth = growth(row);
            return Ok(Confirmed::Not(format!("over more sizes, it may grow as {growth}")));
        }
        let point = before.points.iter().position(|point| point.asked);
        let Some(predicted) = point.and_then(|point| row.outlooks[point]).and_then(|outlook| outlook.ci)
        else {
            return Ok(Confirmed::Not("its law predicts nothing for larger inputs".to_owned()));
        };
        campaign.plan = trend_run::plan(&self.config_for(files, &[largest])?)?;
        campaign.options.fresh = false;
        if let Some(failed) = failed(&mut campaign)? {
            return Ok(Confirmed::Not(failed));
        }
        campaign.time_within(MOST_TIMING)?;
        campaign.finish()?;
        let findings = Self::findings(files, place, TARGET)?;
        let Some(row) = row_of(&findings, place) else {
            return Ok(Confirmed::Not("the largest run did not execute it".to_owned()));
        };
        let count = row.costs.iter().copied().max().unwrap_or(0);
        if !(predicted[0]..=predicted[1]).contains(&(count as f64)) {
            let expected = format!("{:.0} to {:.0} times", predicted[0], predicted[1]);
            let what = format!("with {beyond} bytes it ran {count} times, and its law predicted {expected}");
            return Ok(Confirmed::Not(what));
        }
        let law = row.fits.law();
        let formula = law.and_then(RowLaw::law).map(|law| law.formula()).unwrap_or_default();
        let growth = growth(row);
        if law.and_then(pace) != Some(Pace::Fast) {
            return Ok(Confirmed::Not(format!("with the largest input, it may grow as {growth}")));
        }
        Ok(Confirmed::Law(Box::new(CheckedLaw {
            growth,
            formula,
            largest: beyond,
            count,
            predicted,
            findings,
        })))
    }

    /// Returns the configuration that runs the recipe at these sizes.
    fn config_for(&self, files: &Files, sizes: &[u64]) -> Result<Config, Failure> {
        let mut config = self.config.clone();
        let seed = grow::seed(&files.recipe);
        grown(&mut config, seed)?;
        let values = sizes.iter().map(u64::to_string).collect();
        config.workloads.parameters = vec![Parameter { name: seed.parameter.to_owned(), values }];
        let codes: Vec<u8> =
            self.config.program.exit_codes.iter().flatten().chain(self.exit_codes).copied().collect();
        config.program.exit_codes = Some(codes);
        Ok(config)
    }

    fn findings(files: &Files, place: &FaultPlace, bytes: f64) -> Result<Findings, Failure> {
        let recorded = StudyFile::read(&files.study, None)?;
        let recorded = trend_analyze::to_analyze(recorded, &[], &[]);
        let first = recorded.features().first().map(|feature| feature.name.clone()).unwrap_or_default();
        let options = Options {
            rows: [Rows::Functions, Rows::Lines].into(),
            at: vec![(first, bytes)],
            full_meant: vec![place.row()],
            ..Options::default()
        };
        Ok(analyze(&recorded, &options)?)
    }
}

/// Runs the workloads. Returns the reason if a run failed.
fn failed(campaign: &mut Campaign) -> Result<Option<String>, Failure> {
    campaign.execute()?;
    if let Some(failure) = campaign.summary.failures.first() {
        let outcome = trend_analyze::outcome_in_words(&failure.outcome);
        return Ok(Some(format!("with {}, the program {outcome}", failure.workload)));
    }
    Ok((campaign.summary.cancelled > 0).then(|| "it was interrupted".to_owned()))
}

/// Returns the sizes that the law is fitted to.
fn sizes(largest: u64) -> Vec<u64> {
    let step = |i: i32| {
        (largest as f64 * SPAN.powf(f64::from(i - FITTED + 1) / f64::from(FITTED - 1))).round() as u64
    };
    let sizes: BTreeSet<u64> = (0..FITTED).map(step).map(|size| size.max(1)).collect();
    sizes.into_iter().collect()
}

fn row_of<'f>(findings: &'f Findings, place: &FaultPlace) -> Option<&'f Row> {
    let name = place.row();
    findings.lines.iter().flatten().find(|row| row.name == name)
}

/// Returns a row's growth in words.
pub(super) fn growth(row: &Row) -> String {
    let model = row.fits.best();
    let growth = model.and_then(|model| model.growth.as_ref());
    growth.map_or_else(|| "unknown growth".to_owned(), |growth| growth.short.in_a_sentence())
}

/// Returns the growth of a place in other findings, such as those of the user's files.
pub(super) fn growth_at(findings: &Findings, place: &FaultPlace) -> String {
    row_of(findings, place).map_or_else(|| "not executed".to_owned(), growth)
}

impl CheckedLaw {
    /// Returns the size at which the cost is predicted.
    pub(super) fn target(&self) -> Option<f64> {
        self.findings.points.iter().find(|point| point.asked)?.values.first().map(|value| value.at)
    }

    /// Returns the CPU time there in seconds, and its interval.
    pub(super) fn seconds(&self) -> Option<[f64; 3]> {
        let time = self.findings.answer.as_ref()?.time.as_ref()?;
        Some([time.seconds, time.ci[0], time.ci[1]])
    }
}
