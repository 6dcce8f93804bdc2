//! Compares the plan with the study, and decides which runs are left to do.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use trend_profile::{ObjectRecord, StudyFile, Warning, WarningKind};

use crate::error::RunError;
use crate::plan::workload::Plan;
use crate::run::decode::source::{self, CountSource};
use crate::run::event::PendingRun;
use crate::run::root;

/// A worker's unit of work: some repetitions of a workload. They are one unit, so that all of them get the same input
/// and no two use the workload's folder at once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Unit {
    /// Index in [`Plan::workloads`].
    pub(crate) workload: usize,
    /// Numbers of the repetitions; never empty.
    pub(crate) repetitions: Vec<u32>,
}

impl Unit {
    pub(crate) fn pending<'p>(&'p self, plan: &'p Plan) -> impl Iterator<Item = PendingRun> + 'p {
        let workload = &plan.workloads[self.workload];
        self.repetitions.iter().map(|repetition| PendingRun {
            workload: workload.workload.name.clone(),
            repetition: *repetition,
            features: workload.known_features.clone(),
        })
    }
}

/// The runs that were recorded before.
#[derive(Debug)]
pub(crate) struct Earlier {
    /// Number of runs that are still valid.
    pub(crate) done: usize,
    /// The remaining work, in the plan's order.
    pub(crate) units: Vec<Unit>,
    /// Indices of the workloads in the plan that have valid runs.
    recorded: Vec<usize>,
    /// Values that were found with the feature's present definition, as (feature, workload).
    values: BTreeSet<(String, String)>,
    /// Names of features whose definition has not changed.
    unchanged: BTreeSet<String>,
}

impl Earlier {
    /// If `needs_series`, a run is valid only if its workload has series.
    pub(crate) fn read(study: &StudyFile, plan: &Plan, repeat: u32, needs_series: bool) -> Self {
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
        let (values, unchanged) =
            if recorded.is_empty() { Default::default() } else { known_values(study, plan) };
        Self { done, units, recorded, values, unchanged }
    }

    /// Returns true if an earlier run has a value of this feature.
    pub(crate) fn has_value(&self, feature: &str) -> bool {
        self.values.iter().any(|(f, _)| f == feature)
    }

    /// Returns true if all workloads have to run now.
    pub(crate) fn is_empty(&self) -> bool {
        self.recorded.is_empty()
    }

    /// Returns recorded workloads with the missing features that need no run.
    pub(crate) fn computable(&self, plan: &Plan) -> Vec<(usize, Vec<usize>)> {
        let lacking = |workload: &usize| {
            let features = plan.config.features.iter().enumerate();
            let lacking = features.filter(|(_, f)| f.needs_no_run() && self.lacks(plan, *workload, &f.name));
            let lacking: Vec<usize> = lacking.map(|(i, _)| i).collect();
            (!lacking.is_empty()).then_some((*workload, lacking))
        };
        self.recorded.iter().filter_map(lacking).collect()
    }

    /// Warns of features that were declared after runs, although they can only be found during a run.
    pub(crate) fn lacking_runs(&self, plan: &Plan) -> Vec<Warning> {
        use trend_profile::Definition as D;
        let is_of_runs = |d: &D| matches!(d, D::Stdout(_) | D::Stderr(_) | D::File { .. });
        let mut warnings = Vec::new();
        for feature in plan.config.features.iter().filter(|f| is_of_runs(&f.definition)) {
            let name = &feature.name;
            let lacking = self.recorded.iter().filter(|w| self.lacks(plan, **w, name)).count();
            if lacking > 0 && !self.unchanged.contains(name) {
                let message = format!(
                    "feature `{name}` has no value for {lacking} workloads that ran before it was \
                     declared; run them again with `trend-prof run --fresh`, or take values from a table \
                     with `trend-prof import features`"
                );
                warnings.push(Warning::new(WarningKind::FeatureNeedsRuns, message));
            }
        }
        warnings
    }

    fn lacks(&self, plan: &Plan, workload: usize, feature: &str) -> bool {
        let name = plan.workloads[workload].workload.name.clone();
        !self.values.contains(&(feature.to_owned(), name))
    }
}

/// Returns the values of features whose definition has not changed, and the names of these features.
fn known_values(study: &StudyFile, plan: &Plan) -> (BTreeSet<(String, String)>, BTreeSet<String>) {
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

/// Returns true if an object of a study was compiled again since its runs. `folder` is the configuration's.
pub fn is_of_another_build(study: &StudyFile, folder: &Path, counters: CountSource) -> bool {
    check_build(study.path(), &root::objects(study, folder), |path| source::stamp_of(counters, path)).is_err()
}

/// Compares the study's objects with the notes on disk. Returns notes that no longer exist, which alone do not prove
/// another build.
///
/// # Errors
/// [`RunError::Rebuilt`] if an object was compiled again.
pub(crate) fn check_build(
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
