//! Summarises a study and its rows in single numbers: shares, runs and failures, the distribution of each feature.

use trend_model::nearest_rank;
use trend_profile::Study;

use crate::clusters::{Clustering, Seed};
use crate::doubts;
use crate::findings::{Failure, FeatureSummary, LongestRun, Workloads};

/// Minimum ratio of a row's largest share of a run to its share of the costliest run that is worth mentioning.
const FAR_ABOVE: f64 = 1.25;

/// Returns true if a row's largest share of a run is far above its share of the costliest run.
pub fn is_far_above(max_share: f64, share_of_largest: f64) -> bool {
    max_share > share_of_largest * FAR_ABOVE
}

pub(crate) fn workloads(study: &Study) -> Workloads {
    let failure = |failed: &trend_profile::FailedWorkload| Failure {
        name: failed.name.clone(),
        reason: doubts::outcome_in_words(&failed.outcome),
        stderr_tail: failed.stderr_tail.clone(),
        values: failed.values.clone(),
    };
    let failures: Vec<Failure> = study.failed().iter().map(failure).collect();
    Workloads { count: study.workloads().len(), failed: failures.len(), failures, longest: longest(study) }
}

fn longest(study: &Study) -> Option<LongestRun> {
    let timed = study.workloads().iter().filter_map(|workload| {
        let timing = workload.timing.as_ref()?;
        let peak_bytes = timing.runs.iter().map(|run| run.peak_rss_bytes).max()?;
        let run = timing.median()?;
        Some(LongestRun {
            workload: workload.name.clone(),
            seconds: run.cpu().as_secs_f64(),
            elapsed_seconds: run.wall.as_secs_f64(),
            peak_bytes,
        })
    });
    timed.max_by(|a, b| a.seconds.total_cmp(&b.seconds))
}

pub(crate) fn feature_summaries(study: &Study, clustering: &Clustering) -> Vec<FeatureSummary> {
    let summary = |(index, feature): (usize, &trend_profile::Feature)| {
        let values: Vec<f64> = feature.values.iter().flatten().copied().collect();
        let id = trend_profile::FeatureId(index as u32);
        let joins = clustering.groups.iter().find(|g| g.features.contains(&id)).and_then(|g| match g.seed {
            Seed::Feature(f) => Some(study.features()[f.index()].name.clone()),
            Seed::Location(_) => None,
        });
        FeatureSummary {
            name: feature.name.clone(),
            min: values.iter().copied().min_by(f64::total_cmp),
            p95: nearest_rank(&values, 0.95),
            max: values.iter().copied().max_by(f64::total_cmp),
            missing: feature.values.len() - values.len(),
            not_positive: values.iter().filter(|v| **v <= 0.0).count(),
            joins,
        }
    };
    study.features().iter().enumerate().map(summary).collect()
}
