//! The runs, as a page lists them.

use serde::Serialize;
use trend_profile::{Study, Workload};

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct WorkloadInfo<'a> {
    name: &'a str,
    /// The command line; empty for imported counts.
    command: &'a str,
    repetitions: u32,
    /// Wall-clock time of the run in seconds; `null` for imported counts.
    wall_s: Option<f64>,
    cpu_s: Option<f64>,
    peak_rss_bytes: Option<u64>,
}

/// Returns the runs in the study's order.
pub(super) fn workloads(study: &Study) -> Vec<WorkloadInfo<'_>> {
    study.workloads().iter().map(info).collect()
}

fn info(workload: &Workload) -> WorkloadInfo<'_> {
    let usage = workload.usage;
    WorkloadInfo {
        name: &workload.name,
        command: &workload.command,
        repetitions: workload.repetitions,
        wall_s: usage.map(|u| u.wall.as_secs_f64()),
        cpu_s: usage.map(|u| u.cpu().as_secs_f64()),
        peak_rss_bytes: usage.map(|u| u.peak_rss_bytes),
    }
}
