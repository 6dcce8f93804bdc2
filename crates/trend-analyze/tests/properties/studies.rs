//! Checks whole studies: `show`, `diff` and `check --against` say no more than their rows.

use std::fs;
use std::path::Path;

use trend_analyze::{
    Advise, AnalyzeError, Baseline, BaselineError, CompareError, Findings, Judgement, Options, Version,
    analyze, common_feature, common_target, to_analyze,
};
use trend_profile::{Study, StudyFile};

use super::{agrees_with_check, both_ways, judged_against, of_findings, of_statements, worst};

/// Maximum number of counts of a checked study; the analysis of a larger one takes seconds.
const MOST_COUNTS: usize = 50_000;

/// Maximum memory in bytes for a checked study.
const MOST_MEMORY: u64 = 64 << 20;

/// Maximum number of studies in a folder that are compared with each other.
const MOST_COMPARED: usize = 3;

/// Checks the studies of a folder, each alone and compared with the others.
pub(crate) fn check(folder: &Path) {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    let mut paths: Vec<_> = entries.filter(|path| path.extension().is_some_and(|e| e == "trend")).collect();
    paths.sort();
    // Some tests damage their study, or remove all its runs.
    let studies = paths.iter().filter_map(|path| StudyFile::read(path, Some(MOST_MEMORY)).ok());
    let studies: Vec<Study> = studies.filter(is_small).map(|study| to_analyze(study, &[], &[])).collect();
    studies.iter().for_each(check_alone);
    let compared = &studies[..studies.len().min(MOST_COMPARED)];
    for (i, before) in compared.iter().enumerate() {
        compared[i..].iter().for_each(|after| check_pair(before, after));
    }
}

fn is_small(study: &Study) -> bool {
    (1..=MOST_COUNTS).contains(&(study.locations().len() * study.workloads().len()))
}

fn options(at: &[(String, f64)]) -> Options {
    Options { keep_fits: true, advise: Advise::Nothing, at: at.to_vec(), ..Options::default() }
}

/// Returns the findings of a study; `None` if no workload has counts, or if only some have counts of loops. Some tests
/// leave such studies.
fn analyzed(study: &Study, options: &Options) -> Option<Findings> {
    match analyze(study, options) {
        Ok(findings) => Some(findings),
        Err(AnalyzeError::NoWorkloads { .. } | AnalyzeError::MixedCounts { .. }) => None,
        Err(other) => panic!("failed to analyse: {other}"),
    }
}

/// Checks a study alone, if it is small.
pub(crate) fn check_alone(study: &Study) {
    if !is_small(study) {
        return;
    }
    let Some(findings) = analyzed(study, &options(&[])) else { return };
    of_statements(&findings);
    let largest = findings.features.first().and_then(|feature| Some((feature.name.clone(), feature.max?)));
    if let Some((feature, max)) = largest.filter(|(_, max)| *max > 0.0) {
        of_findings(study, &findings, &options(&[]), &[(feature, 10.0 * max)]);
    }
}

/// Compares two versions, which may be the same study, and judges the second against the first.
fn check_pair(before: &Study, after: &Study) {
    let feature = match common_feature(before, after, None) {
        Ok(feature) => feature,
        Err(CompareError::NoFeature { .. }) => return,
        Err(other) => panic!("failed to compare: {other}"),
    };
    let Some(target) = common_target(before, after, &feature) else { return };
    let options = Options { full_features: vec![feature.clone()], ..options(&[(feature.clone(), target)]) };
    let [Some(was), Some(is)] = [before, after].map(|study| analyzed(study, &options)) else { return };
    let [old, new] = [(before, &was), (after, &is)].map(|(study, findings)| Version { study, findings });
    let Some([comparison, _]) = both_ways(old, new, &feature, &options) else { return };
    let baseline = Baseline::new(before, &was, &options).unwrap();
    let judged = match judged_against(&baseline, new, &options) {
        Ok(judged) => judged,
        // The studies of a folder can be of several programs, have different features, or have no laws.
        Err(BaselineError::Program { .. } | BaselineError::Empty | BaselineError::Feature { .. }) => return,
        Err(other) => panic!("failed to judge: {other}"),
    };
    let worst = worst(&judged);
    agrees_with_check(&comparison, worst);
    if std::ptr::eq(before, after) {
        assert!(comparison.identical && comparison.changes.is_empty(), "{comparison:?}");
        assert!(matches!(worst, Judgement::Holds | Judgement::Undecided), "{worst:?}");
    }
}
