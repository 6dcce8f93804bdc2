//! Names of workloads and features that the command line gives for the files.

use std::collections::{HashMap, HashSet};
use std::path::Path;

use regex::Regex;
use trend_collect::csv::{self, FeatureTable};

use crate::cli;
use crate::failure::Failure;
use crate::formats;
use crate::terminal::Terminal;

/// Name of the pattern's group and the table's column that hold the workload's name.
const WORKLOAD: &str = "workload";

/// Options that apply to every file.
pub(super) struct Given {
    features: Vec<(String, f64)>,
    pattern: Option<Regex>,
    table: Option<FeatureTable>,
    /// Row of the table for each workload.
    rows: HashMap<String, usize>,
    names: Vec<String>,
    workload: Option<String>,
}

/// Workload and features extracted from a file's path.
#[derive(Default)]
pub(super) struct FromPath {
    pub(super) workload: Option<String>,
    pub(super) features: Vec<(String, f64)>,
}

impl Given {
    pub(super) fn new(args: &cli::Import, terminal: Terminal) -> Result<Self, Failure> {
        let features = args.feature.iter().map(|text| crate::study::size(text));
        let features = features.collect::<Result<Vec<_>, _>>()?;
        let pattern = args.pattern.as_deref().map(compiled).transpose()?;
        let table = args.feature_table.as_deref().map(|path| table(path, terminal)).transpose()?;
        let workloads = table.iter().flat_map(|t| t.workloads.iter().cloned());
        let rows = workloads.zip(0..).collect();
        let names = names(&features, pattern.as_ref(), table.as_ref());
        Ok(Self { features, pattern, table, rows, names, workload: args.workload.clone() })
    }

    /// Extracts the workload's name and the features from a path.
    pub(super) fn of_path(&self, path: &Path) -> Result<FromPath, Failure> {
        let mut from_path = FromPath { workload: self.workload.clone(), ..FromPath::default() };
        let Some(pattern) = &self.pattern else { return Ok(from_path) };
        let text = path.to_string_lossy();
        let Some(groups) = pattern.captures(&text) else {
            return Err(Failure::new(format!("--pattern does not match {text}"))
                .hint("it is searched anywhere in the path as given"));
        };
        for name in pattern.capture_names().flatten() {
            let Some(value) = groups.name(name) else { continue };
            if name == WORKLOAD {
                from_path.workload.get_or_insert(value.as_str().to_owned());
                continue;
            }
            let number = trend_run::parse_quantity(value.as_str()).map_err(|e| {
                Failure::from_error(format!("failed to read `{name}` from {text} by --pattern"), &e)
            })?;
            from_path.features.push((name.to_owned(), number));
        }
        Ok(from_path)
    }

    /// Returns the features of a workload from all sources but its file. Later entries override earlier ones.
    pub(super) fn of_workload(&self, workload: &str, from_path: &FromPath) -> Vec<(String, f64)> {
        let mut features = Vec::new();
        if let Some(table) = &self.table
            && let Some(&row) = self.rows.get(workload)
        {
            let values = table.features.iter().filter_map(|f| Some((f.name.clone(), f.values[row]?)));
            features.extend(values);
        }
        features.extend(from_path.features.iter().cloned());
        features.extend(self.features.iter().cloned());
        features
    }

    /// Returns the features in declaration order. They come before the features of the files.
    pub(super) fn names(&self) -> &[String] {
        &self.names
    }
}

fn names(features: &[(String, f64)], pattern: Option<&Regex>, table: Option<&FeatureTable>) -> Vec<String> {
    let of_pattern = pattern.iter().flat_map(|p| p.capture_names().flatten());
    let of_pattern = of_pattern.filter(|name| *name != WORKLOAD).map(str::to_owned);
    let of_table = table.iter().flat_map(|t| &t.features).map(|f| f.name.clone());
    let mut seen = HashSet::new();
    let all = features.iter().map(|f| f.0.clone()).chain(of_pattern).chain(of_table);
    all.filter(|name| seen.insert(name.clone())).collect()
}

fn compiled(pattern: &str) -> Result<Regex, Failure> {
    let regex = Regex::new(pattern).map_err(|e| {
        Failure::new(format!("failed to read --pattern: {}", e.to_string().replace('\n', " ")))
    })?;
    if regex.capture_names().flatten().next().is_none() {
        return Err(
            Failure::new("--pattern has no named group").hint("name the number as a group: `run-(?<n>\\d+)`")
        );
    }
    Ok(regex)
}

fn table(path: &Path, terminal: Terminal) -> Result<FeatureTable, Failure> {
    let budget = formats::budget([path], None)?;
    let table =
        csv::read_features(formats::input(path, &budget)?).map_err(|e| formats::unreadable(path, &e))?;
    for warning in &table.warnings {
        terminal.warn(&warning.message);
    }
    Ok(table)
}
