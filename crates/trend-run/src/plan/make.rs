//! Finds the workloads of a configuration.

use std::collections::BTreeSet;
use std::path::PathBuf;

use trend_profile::{Warning, WarningKind};

use super::files;
use super::single::planned;
use super::workload::Plan;
use crate::config::settings::Config;
use crate::error::RunError;
use crate::words::parameter::Parameter;
use crate::words::placeholder::Template;

/// Maximum number of workloads of a study; more are probably a typo.
const MOST_WORKLOADS: u128 = 1_000_000;

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
    let mut plan = Plan { config: config.clone(), workloads, warnings: unused(config), is_sequential: false };
    plan.settle();
    if plan.is_sequential {
        let message = "workloads run one after another because they write the same file that a feature is \
                       read from; put {input} or a parameter into its name to run them at once";
        plan.warnings.push(Warning::new(WarningKind::SharedOutputFile, message));
    }
    Ok(plan)
}

/// Returns the input files, or a single `None` if the workloads have no files.
pub(crate) fn inputs(config: &Config) -> Result<Vec<Option<PathBuf>>, RunError> {
    let no_workload = |what: String| RunError::NoWorkload { path: config.path.clone(), what };
    let workloads = &config.workloads;
    if !workloads.files.is_empty() {
        let files_found = files::matching(&config.folder, &workloads.files);
        if files_found.is_empty() {
            let patterns = workloads.files.join("`, `");
            let folder = config.folder.display();
            return Err(no_workload(format!("no file matches `{patterns}` in {folder}")));
        }
        return Ok(files_found.into_iter().map(Some).collect());
    }
    // With the probe, one run is enough: calls of routines and activations of loops have their own sizes.
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
pub(crate) fn combinations_of(sweep: &[Parameter]) -> Vec<Vec<(String, String)>> {
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

/// Warns of inputs and parameters that are never passed to the program.
fn unused(config: &Config) -> Vec<Warning> {
    let program = &config.program;
    let of_program = program.command.iter().chain(&program.stdin).chain(&program.cwd);
    let of_program: Vec<&Template> = of_program.chain(program.env.iter().map(|(_, t)| t)).collect();
    let mut warnings = Vec::new();
    if config.workloads.has_input() && !of_program.iter().any(|t| t.uses_input()) {
        let message = "the input is not used, so every run is the same; put {input} into `command` or set \
                       `stdin = \"{input}\"`";
        warnings.push(Warning::new(WarningKind::UnusedInput, message));
    }
    let of_generator: Vec<&Template> = config.workloads.generate.iter().flatten().collect();
    for parameter in config.workloads.parameters.iter().filter(|p| !p.is_repetition()) {
        if !of_program.iter().chain(&of_generator).any(|t| t.uses(&parameter.name)) {
            let name = &parameter.name;
            let message =
                format!("the parameter `{name}` is not used; put {{{name}}} into `command` or `generate`");
            warnings.push(Warning::new(WarningKind::UnusedParameter, message));
        }
    }
    warnings
}

#[cfg(test)]
mod tests {
    use std::ffi::OsString;
    use std::fs;
    use std::path::Path;

    use super::*;
    use crate::config::command_line::CommandLine;
    use crate::words::parameter::parse_parameter;

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
        assert_eq!(plan.workloads[0].known_features, [("n".to_owned(), 60.0)]);
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
    fn runs_that_count_other_packages_have_another_fingerprint() {
        let print = |packages: &str| {
            let text =
                format!("[program]\ncommand = ['./p']\n{packages}[workloads]\nparameters = {{ n = [1] }}\n");
            let config = Config::parse(&text, Path::new("/nowhere/trend-prof.toml")).unwrap();
            plan(&config).unwrap().workloads[0].workload.fingerprint.clone()
        };
        assert_eq!(print(""), print("packages = 'own'\n"));
        assert_ne!(print(""), print("packages = 'all'\n"));
    }

    #[test]
    fn a_parameter_that_is_used_nowhere_is_noticed() {
        let kinds: Vec<_> = swept("./sort", &["n=60"]).warnings.into_iter().map(|w| w.kind).collect();
        assert_eq!(kinds, [WarningKind::UnusedParameter]);
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
        assert_eq!(plan.workloads[1].known_features, [("bytes".to_owned(), 5.0)]);
    }
}
