//! Order of a plan's workloads.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::path::Path;

use trend_profile::Definition;

use super::workload::{Plan, PlannedWorkload};
use crate::config::features::FeatureSource;
use crate::config::settings::Config;
use crate::words::quantity::parse_quantity;

impl Plan {
    /// Updates the order of the workloads, and everything else that depends on all of them.
    pub(crate) fn settle(&mut self) {
        let config = &self.config;
        // The bit patterns of non-negative numbers have the same order as the numbers.
        self.workloads.sort_by_cached_key(|w| (expense(config, w).to_bits(), w.workload.name.clone()));
        self.is_sequential = writes_one_file(config, &self.workloads);
    }
}

/// Estimates a workload's cost, without a unit: its size times its parameters.
pub(crate) fn expense(config: &Config, workload: &PlannedWorkload) -> f64 {
    let size =
        workload.input_file.as_ref().and_then(|f| fs::metadata(f).ok()).map_or(1.0, |m| m.len() as f64);
    let is_size =
        |name: &str| config.workloads.parameters.iter().any(|p| p.name == name && !p.is_repetition());
    let values = workload.parameters.iter().filter(|(name, _)| is_size(name));
    let values = values.filter_map(|(_, value)| parse_quantity(value).ok()).filter(|v| *v > 0.0);
    values.fold(size, |product, value| product * value)
}

pub(crate) fn writes_one_file(config: &Config, workloads: &[PlannedWorkload]) -> bool {
    let of_files = config.features.iter().filter(|f| matches!(f.definition, Definition::File { .. }));
    let several = |feature: &FeatureSource| {
        let mut paths: BTreeMap<OsString, usize> = BTreeMap::new();
        for workload in workloads {
            let fill = workload.fill(None);
            let cwd = config.program.cwd.as_ref().map(|t| t.fill(fill)).unwrap_or_default();
            for template in &feature.templates {
                let path = Path::new(&cwd).join(template.fill(fill));
                *paths.entry(path.into_os_string()).or_default() += 1;
            }
        }
        paths.values().any(|n| *n > 1)
    };
    of_files.into_iter().any(several)
}
