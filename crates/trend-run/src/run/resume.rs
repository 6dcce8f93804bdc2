//! What the study has already, and what is left to do.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use trend_profile::{ObjectRecord, StudyFile, Warning};

use super::{CountSource, source};
use crate::{PendingRun, Plan, RunError};

/// What one worker does in one go: a workload, and which of its repetitions. They are one unit, so
/// that all of them get the same input and no two use its folder at once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Unit {
    /// Index in [`Plan::workloads`].
    pub(super) workload: usize,
    /// Never empty.
    pub(super) repetitions: Vec<u32>,
}

impl Unit {
    pub(super) fn pending<'p>(&'p self, plan: &'p Plan) -> impl Iterator<Item = PendingRun> + 'p {
        let workload = &plan.workloads[self.workload];
        self.repetitions.iter().map(|repetition| PendingRun {
            workload: workload.workload.name.clone(),
            repetition: *repetition,
            features: workload.known.clone(),
        })
    }
}

/// What was recorded before.
#[derive(Debug)]
pub(super) struct Earlier {
    /// Runs that are still good.
    pub(super) done: usize,
    /// What is left to do, in the plan's order.
    pub(super) units: Vec<Unit>,
    /// Workloads with good runs, by index in the plan.
    recorded: Vec<usize>,
    /// Values that are known and were found as the feature is defined now: (feature, workload).
    values: BTreeSet<(String, String)>,
    /// Features that are defined as they were.
    unchanged: BTreeSet<String>,
}

impl Earlier {
    /// `needs_series`: whether a run is good only if its workload has series.
    pub(super) fn read(study: &StudyFile, plan: &Plan, repeat: u32, needs_series: bool) -> Self {
        let states = study.run_states();
        let finished: BTreeSet<(&str, &str, u32)> = states
            .iter()
            .filter(|s| s.outcome.is_finished() && (s.has_series || !needs_series))
            .map(|s| (s.workload.as_str(), s.fingerprint.as_str(), s.repetition))
            .collect();
        let (mut done, mut units, mut recorded) = (0, Vec::new(), Vec::new());
        for (i, planned) in plan.workloads.iter().enumerate() {
            let workload = &planned.workload;
            let is_done =
                |r: &u32| finished.contains(&(workload.name.as_str(), workload.fingerprint.as_str(), *r));
            let (good, left): (Vec<u32>, Vec<u32>) = (0..repeat).partition(is_done);
            done += good.len();
            if !good.is_empty() {
                recorded.push(i);
            }
            if !left.is_empty() {
                units.push(Unit { workload: i, repetitions: left });
            }
        }
        let (values, unchanged) = if recorded.is_empty() { Default::default() } else { known(study, plan) };
        Self { done, units, recorded, values, unchanged }
    }

    /// Whether any earlier run has a value of this feature.
    pub(super) fn has_value(&self, feature: &str) -> bool {
        self.values.iter().any(|(f, _)| f == feature)
    }

    /// Whether every workload is going to be run now.
    pub(super) fn is_empty(&self) -> bool {
        self.recorded.is_empty()
    }

    /// Recorded workloads with the features that they lack and that need no run.
    pub(super) fn computable(&self, plan: &Plan) -> Vec<(usize, Vec<usize>)> {
        let lacking = |workload: &usize| {
            let features = plan.config.features.iter().enumerate();
            let lacking = features.filter(|(_, f)| f.needs_no_run() && self.lacks(plan, *workload, &f.name));
            let lacking: Vec<usize> = lacking.map(|(i, _)| i).collect();
            (!lacking.is_empty()).then_some((*workload, lacking))
        };
        self.recorded.iter().filter_map(lacking).collect()
    }

    /// Warns of features that were declared after runs that would have had to look for them.
    pub(super) fn lacking_runs(&self, plan: &Plan) -> Vec<Warning> {
        use trend_profile::Definition as D;
        let is_of_runs = |d: &D| matches!(d, D::Stdout(_) | D::Stderr(_) | D::File { .. });
        let mut warnings = Vec::new();
        for feature in plan.config.features.iter().filter(|f| is_of_runs(&f.definition)) {
            let name = &feature.name;
            let lacking = self.recorded.iter().filter(|w| self.lacks(plan, **w, name)).count();
            if lacking > 0 && !self.unchanged.contains(name) {
                let message = format!(
                    "feature `{name}` was declared after {lacking} workloads had run, and is found only in a run: \
                     `trend-prof run --fresh` runs them again, `trend-prof import features` takes values from a table"
                );
                warnings.push(Warning::new("feature_needs_runs", message));
            }
        }
        warnings
    }

    fn lacks(&self, plan: &Plan, workload: usize, feature: &str) -> bool {
        let name = plan.workloads[workload].workload.name.clone();
        !self.values.contains(&(feature.to_owned(), name))
    }
}

/// Values of features that are defined as they were, and those features.
fn known(study: &StudyFile, plan: &Plan) -> (BTreeSet<(String, String)>, BTreeSet<String>) {
    let (names, features) = study.feature_table();
    let declared: BTreeMap<&str, _> =
        plan.config.features.iter().map(|f| (f.name.as_str(), &f.definition)).collect();
    let (mut values, mut unchanged) = (BTreeSet::new(), BTreeSet::new());
    for feature in &features {
        if declared.get(feature.name.as_str()) != Some(&&feature.definition) {
            continue;
        }
        unchanged.insert(feature.name.clone());
        let workloads = names.iter().zip(&feature.values).filter(|(_, value)| value.is_some());
        values.extend(workloads.map(|(name, _)| (feature.name.clone(), name.clone())));
    }
    (values, unchanged)
}

/// Returns true if an object of a study was compiled again since its runs.
pub fn is_of_another_build(study: &StudyFile, counters: CountSource) -> bool {
    check_build(study.path(), &study.objects(), |path| source::stamp_of(counters, path)).is_err()
}

/// Compares the study's objects with the notes on the disk. Gives notes that are gone: alone they
/// are no proof of another build.
///
/// # Errors
/// [`RunError::Rebuilt`] when an object was compiled again.
pub(super) fn check_build(
    study: &Path,
    objects: &[ObjectRecord],
    stamp_of: impl Fn(&Path) -> Option<u32>,
) -> Result<Option<PathBuf>, RunError> {
    let mut missing = None;
    for object in objects {
        let path = PathBuf::from(&object.path);
        match stamp_of(&path) {
            Some(stamp) if stamp == object.stamp => {}
            Some(_) => {
                let what = "it was compiled again".to_owned();
                return Err(RunError::Rebuilt { study: study.to_owned(), object: path, what });
            }
            None => missing = Some(path),
        }
    }
    Ok(missing)
}
