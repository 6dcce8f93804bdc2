//! Turns `trend-prof.toml` into a [`Config`]. serde reads the single values, and this module checks how they fit
//! together.

use std::fmt::Display;
use std::io::{self, Read as _};
use std::path::Path;
use std::slice;

use serde::Deserialize;
use toml::Spanned;
use trend_profile::Measure;

use super::expectation::{CostLimit, Expectation, Target};
use super::features::{self, Feature, FeatureSource, FeatureTable};
use super::program::ProgramConfig;
use super::settings::{Config, Fragments, absolute};
use super::source::{ConfigText, keys};
use super::values;
use super::workloads::WorkloadsConfig;
use crate::words::error::ConfigError;
use crate::words::parameter::{self, Parameter};
use crate::words::placeholder::Fill;
use crate::words::quantity::{parse_duration, parse_quantity};

/// Maximum number of repetitions, so that a slip such as `repeat = 1e9` is noticed.
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
    fragments: Fragments,
    #[serde(default)]
    expect: Vec<Spanned<Expect>>,
}

#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case", expecting = "a table")]
struct Expect {
    program: Option<Spanned<bool>>,
    function: Option<String>,
    file: Option<String>,
    line: Option<String>,
    new_code: Option<Spanned<bool>>,
    growth: Option<Spanned<String>>,
    #[serde(deserialize_with = "values::names")]
    feature: Vec<String>,
    #[serde(deserialize_with = "values::sizes")]
    at: Vec<(String, f64)>,
    cost: Option<Spanned<String>>,
    seconds: Option<Spanned<String>>,
    memory: Option<Spanned<String>>,
}

impl Config {
    /// Reads and checks a configuration file.
    ///
    /// # Errors
    /// [`ConfigError`] names the file, the line and the key.
    pub fn read(path: &Path) -> Result<Self, ConfigError> {
        Self::parse(&Self::text(path)?, path)
    }

    /// Reads the expectations of a configuration file. The file may lack everything else if the program's counts are
    /// imported.
    ///
    /// # Errors
    /// [`ConfigError`] names the file, the line and the key.
    pub fn read_expectations(path: &Path) -> Result<Vec<Expectation>, ConfigError> {
        expectations(&Self::text(path)?, path)
    }

    fn text(path: &Path) -> Result<String, ConfigError> {
        let failed =
            |error: &dyn Display, help| ConfigError::new(format!("{}: {error}", path.display()), help);
        let mut bytes = Vec::new();
        trend_profile::open_readable(path).and_then(|mut file| file.read_to_end(&mut bytes)).map_err(
            |error| {
                let is_missing = error.kind() == io::ErrorKind::NotFound;
                let help = "write one for the program in this folder with `trend-prof init`";
                failed(&error, if is_missing { help } else { "" })
            },
        )?;
        String::from_utf8(bytes).map_err(|error| failed(&error.utf8_error(), ""))
    }

    /// Checks the text of a configuration. `path` is the file's path for messages, and relative paths start in its
    /// folder.
    ///
    /// # Errors
    /// [`ConfigError`] names the file, the line and the key.
    pub fn parse(text: &str, path: &Path) -> Result<Self, ConfigError> {
        parse(text, path)
    }
}

/// Reads the expectations of a configuration. The rest is parsed but not checked.
pub(super) fn expectations(text: &str, path: &Path) -> Result<Vec<Expectation>, ConfigError> {
    let source = ConfigText::parse(path, text)?;
    file(&source)?.expect.into_iter().map(|e| expectation(&source, e)).collect()
}

fn file(source: &ConfigText<'_>) -> Result<File, ConfigError> {
    source.read(&every_key())
}

/// Returns the keys of all tables.
pub(super) fn every_key() -> Vec<&'static str> {
    let program = [keys::<ProgramConfig>(), keys::<WorkloadsConfig>(), keys::<Fragments>(), keys::<Expect>()];
    [&program[..], &[keys::<File>(), keys::<FeatureTable>()]].concat().concat()
}

pub(super) fn parse(text: &str, path: &Path) -> Result<Config, ConfigError> {
    let source = ConfigText::parse(path, text)?;
    let File { mut program, workloads, features, fragments, expect } = file(&source)?;

    let folder = absolute(path.parent().unwrap_or(Path::new("")));
    check_workloads(&source, &workloads)?;
    check_program(&source, &program, &workloads)?;
    if program.name.is_empty() {
        let filled: Vec<_> =
            program.command.iter().map(|word| word.fill(Fill { input: None, parameters: &[] })).collect();
        // A program that is still to be built does not exist when the script is searched for it. If its name were only
        // found the second time, the name of the study would change.
        let words = if program.build.is_some() { &filled[..1] } else { &filled[..] };
        program.name = ProgramConfig::name_of_command(words, &folder);
    }
    let features = if features.is_empty() {
        features::defaults(&workloads)
    } else {
        let feature = |(name, feature)| FeatureSource::read(&source, name, feature, &workloads);
        features.into_iter().map(feature).collect::<Result<_, _>>()?
    };
    let expectations = expect.into_iter().map(|e| expectation(&source, e)).collect::<Result<_, _>>()?;
    let path = path.to_owned();
    Ok(Config { path, folder, program, workloads, shard: None, features, fragments, expectations })
}

fn check_workloads(source: &ConfigText<'_>, workloads: &WorkloadsConfig) -> Result<(), ConfigError> {
    for Parameter { name, .. } in &workloads.parameters {
        parameter::check_name(name)
            .map_err(|what| source.bad(source.offset(&["workloads", "parameters", name]), what, ""))?;
    }
    let Some(generate) = &workloads.generate else { return Ok(()) };
    let offset = source.offset(&["workloads", "generate"]);
    let bad = |what, help| Err(source.bad(offset, what, help));
    if !workloads.files.is_empty() {
        return bad("`files` is set as well", "choose one source of input");
    }
    if workloads.parameters.is_empty() {
        let help = "give `parameters = { n = \"60..60000 x10\" }` and use {n} in the command";
        return bad("there are no parameters to generate inputs from", help);
    }
    // The command creates the input, so `{input}` is unknown here.
    let names: Vec<String> = workloads.parameters.iter().map(|p| p.name.clone()).collect();
    source.check_templates(&["workloads", "generate"], generate, &names)
}

fn check_program(
    source: &ConfigText<'_>,
    program: &ProgramConfig,
    workloads: &WorkloadsConfig,
) -> Result<(), ConfigError> {
    if program.command.is_empty() {
        let help = "write `command = [\"./program\", \"{input}\"]` under [program]";
        return Err(source.missing("program.command", help));
    }
    let placeholders = workloads.placeholders();
    source.check_templates(&["program", "command"], &program.command, &placeholders)?;
    source.check_templates(&["program", "stdin"], program.stdin.as_slice(), &placeholders)?;
    source.check_templates(&["program", "cwd"], program.cwd.as_slice(), &placeholders)?;
    for (name, text) in &program.env {
        let keys = ["program", "env", name];
        if name.is_empty() || name.contains(['=', '\0']) {
            return Err(source.bad(source.offset(&keys), "not a valid variable name", "remove the `=`"));
        }
        source.check_templates(&keys, slice::from_ref(text), &placeholders)?;
    }
    if program.repeat() > MOST_REPETITIONS {
        let help = format!("at most {MOST_REPETITIONS}");
        return Err(source.bad(source.offset(&["program", "repeat"]), "too many repetitions", &help));
    }
    Ok(())
}

fn expectation(source: &ConfigText<'_>, written: Spanned<Expect>) -> Result<Expectation, ConfigError> {
    let start = written.span().start;
    let Expect { program, function, file, line, new_code, growth, feature, at, cost, seconds, memory } =
        written.into_inner();
    let flag = |flag: Option<Spanned<bool>>, target: Target| match flag {
        Some(flag) if !*flag.get_ref() => Err(source.bad(flag.span().start, "must be true", "")),
        flag => Ok(flag.map(|_| target)),
    };
    let flags = [flag(program, Target::Program)?, flag(new_code, Target::NewCode)?];
    let others = [function.map(Target::Function), file.map(Target::File), line.map(Target::Line)];
    let mut targets = flags.into_iter().chain(others).flatten();
    let help = "write one of `function = \"…\"`, `file = \"…\"`, `line = \"FILE:LINE\"`, `program = true`, `new-code = true`";
    let target = targets.next().ok_or_else(|| source.bad(start, "no place is named", help))?;
    if targets.next().is_some() {
        return Err(source.bad(start, "several places are named", help));
    }
    let costs = [(Measure::Counts, cost), (Measure::Seconds, seconds), (Measure::Bytes, memory)];
    let costs = costs.into_iter().filter_map(|(measure, written)| Some((measure, written?)));
    let costs: Vec<CostLimit> = costs
        .map(|(measure, written)| cost_limit(source, measure, &written, at.clone(), &target))
        .collect::<Result<_, _>>()?;
    if growth.is_none() && costs.is_empty() {
        let help = "write such as `growth = \"<= n log n\"`, or `at = \"bytes=1GB\"` and `cost = \"<= 2 G\"`, \
                    `seconds = \"<= 10\"` or `memory = \"<= 2GB\"`";
        return Err(source.bad(start, "no `growth`, `cost`, `seconds` or `memory`", help));
    }
    if costs.is_empty() && !at.is_empty() {
        let help = "growth has no size; remove `at`";
        return Err(source.bad(start, "`at` without `cost`, `seconds` or `memory`", help));
    }
    let config_line = source.line(growth.as_ref().map_or(start, |growth| growth.span().start));
    let growth = growth.map(Spanned::into_inner);
    Ok(Expectation { config_line, target, growth, costs, features: feature })
}

fn cost_limit(
    source: &ConfigText<'_>,
    measure: Measure,
    written: &Spanned<String>,
    at: Vec<(String, f64)>,
    target: &Target,
) -> Result<CostLimit, ConfigError> {
    let bad = |what: &dyn Display, help| Err(source.bad(written.span().start, what, help));
    if at.is_empty() {
        return bad(&"no size is given", "write `at = \"bytes=1GB\"` beside it");
    }
    if measure != Measure::Counts && *target != Target::Program {
        return bad(
            &"not available for a part of the program",
            "time and memory are known only for the whole: `program = true`",
        );
    }
    if matches!(target, Target::Line(_)) {
        return bad(&"the cost of a line is not predicted", "limit the cost of its function");
    }
    let help = match measure {
        Measure::Counts => "write such as `cost = \"<= 2 G\"`",
        Measure::Seconds => "write such as `seconds = \"<= 10\"` or `seconds = \"<= 5 min\"`",
        Measure::Bytes => "write such as `memory = \"<= 2GB\"`",
    };
    let text = written.get_ref().trim();
    let Some(most) = text.strip_prefix("<=").or_else(|| text.strip_prefix('≤')) else {
        return bad(&"not an upper limit", help);
    };
    let most = match measure {
        Measure::Counts | Measure::Bytes => parse_quantity(most),
        Measure::Seconds => parse_duration(most).map(|time| time.as_secs_f64()),
    };
    match most {
        Ok(most) => Ok(CostLimit { measure, at, most }),
        Err(error) => bad(&error, help),
    }
}
