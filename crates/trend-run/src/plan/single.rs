//! Describes one workload: its name, its command, its fingerprint, and the features that are known before it runs.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use trend_profile::{Definition, Workload};

use super::workload::PlannedWorkload;
use crate::config::features::FeatureSource;
use crate::config::settings::Config;
use crate::program::digest::Digest;
use crate::program::language::Packages;
use crate::words::placeholder::{Fill, Template};
use crate::words::shell::quoted;

/// Describes the workload with this input file and these parameters. `names` are those of the workloads before it.
pub(crate) fn planned(
    config: &Config,
    input_file: Option<&Path>,
    parameters: &[(String, String)],
    names: &mut BTreeSet<String>,
) -> PlannedWorkload {
    let relative = input_file.map(|file| file.strip_prefix(&config.folder).unwrap_or(file));
    let mut words: Vec<String> = relative.iter().map(|r| r.to_string_lossy().into_owned()).collect();
    words.extend(parameters.iter().map(|(name, value)| format!("{name}={value}")));
    if words.is_empty() {
        words.push(config.program.name.clone());
    }
    let name = unique(&words.join(" "), names);
    let input = relative.zip(input_file).map(|(relative, absolute)| given(config, relative, absolute));
    let mut planned = PlannedWorkload {
        workload: Workload {
            name,
            command: String::new(),
            input: input.as_ref().map(|i| i.to_string_lossy().into_owned()),
            fingerprint: String::new(),
            repetitions: 1,
            usage: Some(trend_profile::Usage::default()),
            timing: None,
            sampled: None,
        },
        parameters: parameters.to_vec(),
        input,
        input_file: input_file.map(Path::to_owned),
        known_features: Vec::new(),
    };
    let command = filled(&config.program.command, planned.fill(None));
    planned.workload.command = quoted(&command);
    planned.workload.fingerprint = fingerprint(config, &planned, &command);
    planned.known_features = known_features(config, &planned);
    planned
}

/// Returns the input's path as passed to the program. It is relative if the program runs in the configuration's folder,
/// and never looks like an option.
fn given(config: &Config, relative: &Path, absolute: &Path) -> OsString {
    if config.program.cwd.is_some() {
        return absolute.as_os_str().to_owned();
    }
    if relative.to_string_lossy().starts_with('-') {
        return Path::new(".").join(relative).into_os_string();
    }
    relative.as_os_str().to_owned()
}

/// Makes a name unique by adding a number. Names of files that are not UTF-8 can look the same.
fn unique(name: &str, names: &mut BTreeSet<String>) -> String {
    let mut candidate = name.to_owned();
    let mut number = 2;
    while !names.insert(candidate.clone()) {
        candidate = format!("{name} #{number}");
        number += 1;
    }
    candidate
}

fn filled(templates: &[Template], fill: Fill<'_>) -> Vec<OsString> {
    templates.iter().map(|t| t.fill(fill)).collect()
}

/// Returns a digest of everything known that determines a run's behaviour.
fn fingerprint(config: &Config, workload: &PlannedWorkload, command: &[OsString]) -> String {
    let fill = workload.fill(None);
    let mut digest = Digest::new();
    digest.field("trend-prof workload 1");
    let mut section = |name: &str, fields: &[OsString]| {
        digest.field(name).field(fields.len().to_string());
        for field in fields {
            digest.field(field);
        }
    };
    let program = &config.program;
    section("command", command);
    section("stdin", &program.stdin.iter().map(|t| t.fill(fill)).collect::<Vec<_>>());
    section("cwd", &program.cwd.iter().map(|t| t.fill(fill)).collect::<Vec<_>>());
    let variable = |(name, value): &(String, Template)| [OsString::from(name), value.fill(fill)];
    section("env", &program.env.iter().flat_map(variable).collect::<Vec<_>>());
    let parameter = |(name, value): &(String, String)| [OsString::from(name), OsString::from(value)];
    section("parameters", &workload.parameters.iter().flat_map(parameter).collect::<Vec<_>>());
    section("generate", &filled(config.workloads.generate.as_deref().unwrap_or_default(), fill));
    // The default is left out, so fingerprints from before this option existed stay valid.
    if program.packages == Packages::All {
        section("packages", &[OsString::from("all")]);
    }
    if let Some(metadata) = workload.input_file.as_ref().and_then(|f| fs::metadata(f).ok()) {
        let state =
            [metadata.len().to_string(), metadata.mtime().to_string(), metadata.mtime_nsec().to_string()];
        section("input", &state.map(OsString::from));
    }
    digest.finish()
}

/// Returns the features that are known without running the workload.
fn known_features(config: &Config, workload: &PlannedWorkload) -> Vec<(String, f64)> {
    let value = |feature: &FeatureSource| match &feature.definition {
        Definition::Size => {
            workload.input_file.as_ref().and_then(|f| fs::metadata(f).ok()).map(|m| m.len() as f64)
        }
        Definition::Parameter(_) | Definition::Path(_) => feature.before_runs(workload).ok(),
        _ => None,
    };
    config.features.iter().filter_map(|f| Some((f.name.clone(), value(f)?))).collect()
}
