//! `trend-prof.toml` → [`Config`]: serde reads the values one by one; here is checked what they are together.

use std::path::Path;
use std::slice;

use serde::Deserialize;
use toml::Spanned;

use super::features::{self, Feature, FeatureSource, FeatureTable};
use super::source::{Source, keys};
use super::{Config, Expectation, ProgramConfig, Target, WorkloadsConfig, absolute, started, values};
use crate::ConfigError;
use crate::parameter::{self, Parameter};
use crate::placeholder::Fill;

/// `ulimit` would not go further either, and a slip such as `repeat = 1e9` should be noticed.
const MOST_REPETITIONS: u32 = 100_000;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    program: ProgramConfig,
    #[serde(default)]
    workloads: WorkloadsConfig,
    #[serde(default, deserialize_with = "values::entries")]
    features: Vec<(String, Feature)>,
    #[serde(default)]
    expect: Vec<Spanned<Expect>>,
}

#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields, expecting = "a table")]
struct Expect {
    program: Option<Spanned<bool>>,
    function: Option<String>,
    file: Option<String>,
    line: Option<String>,
    growth: Option<Spanned<String>>,
    feature: Option<String>,
}

pub(super) fn parse(text: &str, path: &Path) -> Result<Config, ConfigError> {
    let source = Source::parse(path, text)?;
    let program = [keys::<ProgramConfig>(), keys::<WorkloadsConfig>(), keys::<Expect>()];
    let known = [&program[..], &[keys::<File>(), keys::<FeatureTable>()]].concat().concat();
    let File { mut program, workloads, features, expect } = source.read(&known)?;

    let folder = absolute(path.parent().unwrap_or(Path::new("")));
    check_workloads(&source, &workloads)?;
    check_program(&source, &program, &workloads)?;
    if program.name.is_empty() {
        let filled: Vec<_> =
            program.command.iter().map(|word| word.fill(Fill { input: None, parameters: &[] })).collect();
        // What is built only later is not there to be found in a script, and a name that is found only the second time
        // would be that of another study.
        let words = if program.build.is_some() { &filled[..1] } else { &filled[..] };
        program.name = ProgramConfig::name_of(&started(words, &folder));
    }
    let features = if features.is_empty() {
        features::defaults(&workloads)
    } else {
        let feature = |(name, feature)| FeatureSource::read(&source, name, feature, &workloads);
        features.into_iter().map(feature).collect::<Result<_, _>>()?
    };
    let expectations = expect.into_iter().map(|e| expectation(&source, e)).collect::<Result<_, _>>()?;
    Ok(Config { path: path.to_owned(), folder, program, workloads, features, expectations })
}

fn check_workloads(source: &Source<'_>, workloads: &WorkloadsConfig) -> Result<(), ConfigError> {
    for Parameter { name, .. } in &workloads.parameters {
        parameter::check_name(name)
            .map_err(|what| source.bad(source.offset(&["workloads", "parameters", name]), what, ""))?;
    }
    let Some(generate) = &workloads.generate else { return Ok(()) };
    let offset = source.offset(&["workloads", "generate"]);
    let bad = |what, help| Err(source.bad(offset, what, help));
    if !workloads.files.is_empty() {
        return bad("stands beside `files`", "the input comes from one or the other");
    }
    if workloads.parameters.is_empty() {
        let help = "give `parameters = { n = \"60..60000 x10\" }` and use {n} in the command";
        return bad("has no parameters to generate inputs from", help);
    }
    // The input is what this makes.
    let known: Vec<String> = workloads.parameters.iter().map(|p| p.name.clone()).collect();
    source.check_templates(&["workloads", "generate"], generate, &known)
}

fn check_program(
    source: &Source<'_>,
    program: &ProgramConfig,
    workloads: &WorkloadsConfig,
) -> Result<(), ConfigError> {
    if program.command.is_empty() {
        let help = "write `command = [\"./program\", \"{input}\"]` under [program]";
        return Err(source.missing("program.command", help));
    }
    let known = workloads.placeholders();
    source.check_templates(&["program", "command"], &program.command, &known)?;
    source.check_templates(&["program", "stdin"], program.stdin.as_slice(), &known)?;
    source.check_templates(&["program", "cwd"], program.cwd.as_slice(), &known)?;
    for (name, text) in &program.env {
        let keys = ["program", "env", name];
        if name.is_empty() || name.contains(['=', '\0']) {
            return Err(source.bad(source.offset(&keys), "is no name for a variable", "leave out `=`"));
        }
        source.check_templates(&keys, slice::from_ref(text), &known)?;
    }
    if program.repeat() > MOST_REPETITIONS {
        let help = format!("at most {MOST_REPETITIONS}");
        return Err(source.bad(source.offset(&["program", "repeat"]), "is more than anybody needs", &help));
    }
    Ok(())
}

fn expectation(source: &Source<'_>, written: Spanned<Expect>) -> Result<Expectation, ConfigError> {
    let start = written.span().start;
    let Expect { program, function, file, line, growth, feature } = written.into_inner();
    if let Some(program) = program.as_ref().filter(|program| !*program.get_ref()) {
        return Err(source.bad(program.span().start, "is false, and should be true", ""));
    }
    let program = program.map(|_| Target::Program);
    let others = [function.map(Target::Function), file.map(Target::File), line.map(Target::Line)];
    let mut targets = program.into_iter().chain(others.into_iter().flatten());
    let help = "write one of `function = \"…\"`, `file = \"…\"`, `line = \"FILE:LINE\"`, `program = true`";
    let target = targets.next().ok_or_else(|| source.bad(start, "names no place", help))?;
    if targets.next().is_some() {
        return Err(source.bad(start, "names several places", help));
    }
    let help = "write such as `growth = \"<= n log n\"`";
    let growth = growth.ok_or_else(|| source.bad(start, "has no `growth`", help))?;
    let config_line = source.line(growth.span().start);
    Ok(Expectation { config_line, target, growth: growth.into_inner(), feature })
}
