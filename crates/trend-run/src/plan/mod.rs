//! Turns a configuration, and the files on disk, into workloads.

mod extend;
mod files;

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::{OsStr, OsString};
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use trend_profile::{Definition, Warning, Workload};

use crate::digest::Digest;
use crate::placeholder::{Fill, Template};
use crate::shell::quoted;
use crate::{Config, FeatureSource, Parameter, RunError, parse_quantity};

/// Maximum number of workloads of a study; more are probably a typo.
const MOST_WORKLOADS: u128 = 1_000_000;

/// The workloads to run.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The configuration from which the plan was made.
    pub config: Config,
    /// The workloads, presumably cheapest first, judged by their size and parameters.
    pub workloads: Vec<PlannedWorkload>,
    /// Doubts about the workloads.
    pub warnings: Vec<Warning>,
    /// True if workloads must run one after another, because they write the same file.
    pub(crate) sequential: bool,
}

/// A workload, with everything needed to run it.
#[derive(Clone, Debug)]
pub struct PlannedWorkload {
    /// The workload as it is recorded.
    pub workload: Workload,
    /// The parameters and their values, in declaration order.
    pub parameters: Vec<(String, String)>,
    /// The input file as passed to the program; `None` for generated inputs.
    pub input: Option<OsString>,
    /// Absolute path of the input file.
    pub(crate) input_file: Option<PathBuf>,
    /// Features that are known before the run.
    pub known: Vec<(String, f64)>,
}

impl PlannedWorkload {
    /// Returns the absolute path of the input file, if there is one.
    pub fn input_file(&self) -> Option<PathBuf> {
        self.input_file.clone()
    }

    /// Returns the values of the placeholders. `input` stands for a generated input.
    pub(crate) fn fill<'a>(&'a self, input: Option<&'a OsStr>) -> Fill<'a> {
        Fill { input: input.or(self.input.as_deref()), parameters: &self.parameters }
    }
}

/// Finds the workloads of a configuration.
///
/// # Errors
/// [`RunError::NoWorkload`] says where workloads were expected, and gives advice. [`RunError::TooManyWorkloads`] if
/// there are more than a million.
pub fn plan(config: &Config) -> Result<Plan, RunError> {
    let inputs = inputs(config)?;
    let sweep = &config.workloads.parameters;
    let combinations: u128 = sweep.iter().map(|p| p.values.len() as u128).product();
    let count = combinations.saturating_mul(inputs.len() as u128);
    if count > MOST_WORKLOADS {
        return Err(RunError::TooManyWorkloads { path: config.path.clone(), count, limit: MOST_WORKLOADS });
    }
    let combinations = combinations_of(sweep);
    let mut names = BTreeSet::new();
    let mut workloads = Vec::new();
    for input in &inputs {
        for parameters in &combinations {
            workloads.push(planned(config, input.as_deref(), parameters, &mut names));
        }
    }
    if let Some(shard) = config.shard {
        workloads.retain(|planned| shard.has(&planned.workload.name));
    }
    let mut plan = Plan { config: config.clone(), workloads, warnings: unused(config), sequential: false };
    plan.settle();
    if plan.sequential {
        let message = "workloads run one after another because they write the same file that a feature is \
                       read from; put {input} or a parameter into its name to run them at once";
        plan.warnings.push(Warning::new("shared_output_file", message));
    }
    Ok(plan)
}

/// Returns the input files, or a single `None` if the workloads have no files.
fn inputs(config: &Config) -> Result<Vec<Option<PathBuf>>, RunError> {
    let no_workload = |what: String| RunError::NoWorkload { path: config.path.clone(), what };
    let workloads = &config.workloads;
    if !workloads.files.is_empty() {
        let found = files::matching(&config.folder, &workloads.files);
        if found.is_empty() {
            let patterns = workloads.files.join("`, `");
            let folder = config.folder.display();
            return Err(no_workload(format!("no file matches `{patterns}` in {folder}")));
        }
        return Ok(found.into_iter().map(Some).collect());
    }
    // With the probe, one run is enough: calls of routines and activations of loops have sizes of their own.
    if workloads.parameters.is_empty() && !config.program.probe.has_probe() {
        return Err(no_workload(
            "give workloads with the command: `trend-prof run --param n=60..60000x10 -- ./program {n}` or \
             `--files 'inputs/*' -- ./program {input}`; or in trend-prof.toml: `[workloads] files = \
             \"inputs/*\"` or `parameters = { n = \"60..60000 x10\" }`. A program built with `--probe \
             routines` needs none: `trend-prof run --probe routines -- ./program`"
                .to_owned(),
        ));
    }
    Ok(vec![None])
}

/// Returns every combination of values. The last parameter varies fastest.
fn combinations_of(sweep: &[Parameter]) -> Vec<Vec<(String, String)>> {
    let mut combinations = vec![Vec::new()];
    for parameter in sweep {
        let extended = combinations.iter().flat_map(|c: &Vec<(String, String)>| {
            let value = |v: &String| [c.clone(), vec![(parameter.name.clone(), v.clone())]].concat();
            parameter.values.iter().map(value)
        });
        combinations = extended.collect();
    }
    combinations
}

fn planned(
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
        known: Vec::new(),
    };
    let command = filled(&config.program.command, planned.fill(None));
    planned.workload.command = quoted(&command);
    planned.workload.fingerprint = fingerprint(config, &planned, &command);
    planned.known = known(config, &planned);
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
    if let Some(metadata) = workload.input_file.as_ref().and_then(|f| fs::metadata(f).ok()) {
        let state =
            [metadata.len().to_string(), metadata.mtime().to_string(), metadata.mtime_nsec().to_string()];
        section("input", &state.map(OsString::from));
    }
    digest.finish()
}

/// Returns the features that are known without running the workload.
fn known(config: &Config, workload: &PlannedWorkload) -> Vec<(String, f64)> {
    let value = |feature: &FeatureSource| match &feature.definition {
        Definition::Size => {
            workload.input_file.as_ref().and_then(|f| fs::metadata(f).ok()).map(|m| m.len() as f64)
        }
        Definition::Parameter(_) | Definition::Path(_) => feature.before_runs(workload).ok(),
        _ => None,
    };
    config.features.iter().filter_map(|f| Some((f.name.clone(), value(f)?))).collect()
}

/// Estimates a workload's cost, without a unit: its size times its parameters.
fn expense(config: &Config, workload: &PlannedWorkload) -> f64 {
    let size =
        workload.input_file.as_ref().and_then(|f| fs::metadata(f).ok()).map_or(1.0, |m| m.len() as f64);
    let is_size =
        |name: &str| config.workloads.parameters.iter().any(|p| p.name == name && !p.is_repetition());
    let values = workload.parameters.iter().filter(|(name, _)| is_size(name));
    let values = values.filter_map(|(_, value)| parse_quantity(value).ok()).filter(|v| *v > 0.0);
    values.fold(size, |product, value| product * value)
}

fn writes_one_file(config: &Config, workloads: &[PlannedWorkload]) -> bool {
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

/// Warns of inputs and parameters that are never passed to the program.
fn unused(config: &Config) -> Vec<Warning> {
    let program = &config.program;
    let of_program = program.command.iter().chain(&program.stdin).chain(&program.cwd);
    let of_program: Vec<&Template> = of_program.chain(program.env.iter().map(|(_, t)| t)).collect();
    let mut warnings = Vec::new();
    if config.workloads.has_input() && !of_program.iter().any(|t| t.uses_input()) {
        let message = "the input is not used, so every run is the same; put {input} into `command` or set \
                       `stdin = \"{input}\"`";
        warnings.push(Warning::new("unused_input", message));
    }
    let of_generator: Vec<&Template> = config.workloads.generate.iter().flatten().collect();
    for parameter in config.workloads.parameters.iter().filter(|p| !p.is_repetition()) {
        if !of_program.iter().chain(&of_generator).any(|t| t.uses(&parameter.name)) {
            let name = &parameter.name;
            let message =
                format!("the parameter `{name}` is not used; put {{{name}}} into `command` or `generate`");
            warnings.push(Warning::new("unused_parameter", message));
        }
    }
    warnings
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{CommandLine, parse_parameter};

    fn swept(command: &str, parameters: &[&str]) -> Plan {
        let line = CommandLine {
            command: command.split(' ').map(OsString::from).collect(),
            parameters: parameters.iter().map(|p| parse_parameter(p).unwrap()).collect(),
            ..CommandLine::default()
        };
        plan(&Config::from_command_line(Path::new("/nowhere"), line).unwrap()).unwrap()
    }

    #[test]
    fn every_combination_is_a_workload_cheapest_first() {
        let plan = swept("./sort {n} {seed}", &["n=600,60", "seed=1,2"]);
        let names: Vec<&str> = plan.workloads.iter().map(|w| w.workload.name.as_str()).collect();
        assert_eq!(names, ["n=60 seed=1", "n=60 seed=2", "n=600 seed=1", "n=600 seed=2"]);
        assert_eq!(plan.workloads[0].workload.command, "./sort 60 1");
        assert_eq!(plan.workloads[0].known, [("n".to_owned(), 60.0)]);
        assert!(plan.warnings.is_empty());
    }

    #[test]
    fn fingerprints_tell_commands_apart_and_stay_the_same() {
        let first = swept("./sort {n}", &["n=60,600"]);
        let again = swept("./sort {n}", &["n=60,600"]);
        let other = swept("./sort -r {n}", &["n=60,600"]);
        let prints =
            |p: &Plan| p.workloads.iter().map(|w| w.workload.fingerprint.clone()).collect::<Vec<_>>();
        assert_eq!(prints(&first), prints(&again));
        assert_ne!(prints(&first)[0], prints(&first)[1]);
        assert_ne!(prints(&first)[0], prints(&other)[0]);
    }

    #[test]
    fn a_parameter_that_is_used_nowhere_is_noticed() {
        let kinds: Vec<String> = swept("./sort", &["n=60"]).warnings.into_iter().map(|w| w.kind).collect();
        assert_eq!(kinds, ["unused_parameter"]);
    }

    #[test]
    fn no_workload_says_what_helps() {
        let line = CommandLine { command: vec!["./sort".into()], ..CommandLine::default() };
        let config = Config::from_command_line(Path::new("/nowhere"), line).unwrap();
        let error = plan(&config).unwrap_err();
        assert!(error.hint().unwrap().contains("--param"), "{error}");
    }

    #[test]
    fn inputs_have_the_names_of_their_files_and_never_look_like_options() {
        let root = tempfile::tempdir().unwrap();
        fs::write(root.path().join("-rf"), "12345").unwrap();
        fs::write(root.path().join("a b.txt"), "1").unwrap();
        let text = "[program]\ncommand = ['./p', '{input}']\n[workloads]\nfiles = '*[ft]'\n";
        let plan = plan(&Config::parse(text, &root.path().join("trend-prof.toml")).unwrap()).unwrap();
        let commands: Vec<&str> = plan.workloads.iter().map(|w| w.workload.command.as_str()).collect();
        assert_eq!(commands, ["./p 'a b.txt'", "./p ./-rf"]);
        assert_eq!(plan.workloads[1].workload.name, "-rf");
        assert_eq!(plan.workloads[1].known, [("bytes".to_owned(), 5.0)]);
    }
}
