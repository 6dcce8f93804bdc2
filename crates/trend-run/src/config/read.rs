//! `trend-prof.toml` → [`Config`].

use std::ffi::OsString;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use toml::de::{DeTable, DeValue};

use super::features::{self, FeatureSource, command_words, template};
use super::section::{Entry, Section, Source};
use super::{Config, Expectation, ProgramConfig, Target, WorkloadsConfig, absolute, started};
use crate::parameter::{self, Parameter};
use crate::placeholder::{Fill, Template};
use crate::quantity::{QuantityError, parse_bytes, parse_duration};
use crate::{ClangCounters, ConfigError, Crates, Instrumentation, Update};

/// `ulimit` would not go further either, and a slip such as `repeat = 1e9` should be noticed.
const MOST_REPETITIONS: i64 = 100_000;

pub(super) fn parse(text: &str, path: &Path) -> Result<Config, ConfigError> {
    let source = Source { path, text };
    let document = DeTable::parse(text).map_err(|e| source.syntax(&e))?.into_inner();
    let mut top = Section::new(source, "", document);
    let mut program = top.take_section("program")?;
    let workloads = parse_workloads(&mut top)?;
    let features = top.take_section("features")?;
    let expectations = top.take("expect");
    top.finish()?;

    let folder = absolute(path.parent().unwrap_or(Path::new("")));
    let parsed = parse_program(&mut program, &workloads, &folder);
    // What is missing is most likely there under a wrong name.
    let program = match parsed {
        Err(missing @ ConfigError::Missing { .. }) => return Err(program.finish().err().unwrap_or(missing)),
        Err(other) => return Err(other),
        Ok(parsed) => {
            program.finish()?;
            parsed
        }
    };
    let features = parse_features(features, &workloads, &program)?;
    let expectations = match expectations {
        Some(entry) => entry.items()?.into_iter().map(expectation).collect::<Result<_, _>>()?,
        None => Vec::new(),
    };
    Ok(Config { path: path.to_owned(), folder, program, workloads, features, expectations })
}

fn parse_program(
    table: &mut Section<'_>,
    workloads: &WorkloadsConfig,
    folder: &Path,
) -> Result<ProgramConfig, ConfigError> {
    let known = workloads.placeholders();
    let fill = |entry: &Entry<'_>| template(entry, &entry.string()?, &known);
    let build = table.take("build").map(|e| build_command(&e)).transpose()?;
    let instrument = instrumentation(table)?;
    let command = table.take("command");
    let name = table.take("name").map(|e| e.string()).transpose()?;
    let stdin = table.take("stdin").map(|e| fill(&e)).transpose()?;
    let cwd = table.take("cwd").map(|e| fill(&e)).transpose()?;
    let env = match table.take("env") {
        Some(entry) => {
            let mut variables = entry.section()?.take_rest();
            let variable = |(name, entry): (String, Entry<'_>)| {
                if name.is_empty() || name.contains(['=', '\0']) {
                    return Err(entry.bad("is no name for a variable", "leave out `=`"));
                }
                let text = entry.scalar().ok_or_else(|| entry.wrong("a string or a number"))?;
                Ok((name, template(&entry, &text, &known)?))
            };
            variables.drain(..).map(variable).collect::<Result<_, _>>()?
        }
        None => Vec::new(),
    };
    let timeout = table.take("timeout").map(|e| read(&e, parse_duration, "10m")).transpose()?;
    let stop_after = table.take("stop-after").map(|e| read(&e, parse_duration, "10s")).transpose()?;
    let memory_bytes = table.take("memory").map(|e| read(&e, parse_bytes, "2GB")).transpose()?;
    let repeat = table.take("repeat").map(|e| (e.number(1), e));
    let repeat = match repeat {
        Some((number, entry)) if number.as_ref().is_ok_and(|n| *n > MOST_REPETITIONS) => {
            return Err(entry.bad("is more than anybody needs", &format!("at most {MOST_REPETITIONS}")));
        }
        Some((number, _)) => number? as u32,
        None => 1,
    };
    let jobs = table.take("jobs").map(|e| e.number(1)).transpose()?;
    let exit_codes = match table.take("exit-codes") {
        Some(entry) => {
            entry.items()?.iter().map(|i| i.number(0).map(|n| n as i32)).collect::<Result<_, _>>()?
        }
        None => vec![0],
    };
    let help = "write `command = [\"./program\", \"{input}\"]` under [program]";
    let entry = command.ok_or_else(|| table.missing("command", help))?;
    let words = command_words(&entry)?;
    let command: Vec<Template> =
        words.iter().map(|w| template(&entry, w, &known)).collect::<Result<_, _>>()?;
    let filled: Vec<_> =
        command.iter().map(|word| word.fill(Fill { input: None, parameters: &[] })).collect();
    // What is built only later is not there to be found in a script, and a name that is found only the second time
    // would be that of another study.
    let started = if build.is_some() { PathBuf::from(&filled[0]) } else { started(&filled, folder) };
    let defaults = ProgramConfig::named(&started);
    Ok(ProgramConfig {
        name: name.unwrap_or(defaults.name),
        build,
        instrument,
        command,
        stdin,
        env,
        cwd,
        timeout,
        stop_after,
        memory_bytes,
        repeat,
        jobs: jobs.and_then(|n| NonZeroUsize::new(n as usize)),
        exit_codes,
    })
}

/// How the build instruments.
fn instrumentation(table: &mut Section<'_>) -> Result<Instrumentation, ConfigError> {
    let mut instrument = Instrumentation::default();
    if let Some(entry) = table.take("crates") {
        instrument.crates = one_of(&entry, &[("all", Crates::All), ("own", Crates::Own)])?;
    }
    if let Some(entry) = table.take("update") {
        instrument.update = one_of(&entry, &[("atomic", Update::Atomic), ("single", Update::Single)])?;
    }
    if let Some(entry) = table.take("counters") {
        instrument.counters =
            one_of(&entry, &[("gcov", ClangCounters::Gcov), ("llvm", ClangCounters::Llvm)])?;
    }
    Ok(instrument)
}

fn one_of<T: Copy>(entry: &Entry<'_>, choices: &[(&str, T)]) -> Result<T, ConfigError> {
    let word = entry.string()?;
    let known: Vec<String> = choices.iter().map(|(name, _)| format!("\"{name}\"")).collect();
    let help = format!("write {}", known.join(" or "));
    let chosen = choices.iter().find(|(name, _)| *name == word).map(|(_, value)| *value);
    chosen.ok_or_else(|| entry.bad(format!("{word:?} is not known"), &help))
}

/// The build as an array of words, or as a line for the shell.
fn build_command(entry: &Entry<'_>) -> Result<Vec<OsString>, ConfigError> {
    if let DeValue::String(line) = &entry.value {
        return Ok(["sh", "-c", line.as_ref()].map(OsString::from).to_vec());
    }
    Ok(command_words(entry)?.into_iter().map(OsString::from).collect())
}

/// A number with a unit.
fn read<T>(
    entry: &Entry<'_>,
    parse: impl Fn(&str) -> Result<T, QuantityError>,
    example: &str,
) -> Result<T, ConfigError> {
    let expected = format!("a number with a unit, such as \"{example}\"");
    let text = entry.scalar().ok_or_else(|| entry.wrong(&expected))?;
    parse(&text).map_err(|e| entry.bad(e.to_string(), &format!("write {expected}")))
}

fn parse_workloads(top: &mut Section<'_>) -> Result<WorkloadsConfig, ConfigError> {
    let mut table = top.take_section("workloads")?;
    let files = table.take("files");
    let parameters = match table.take("parameters") {
        Some(entry) => {
            let mut rest = entry.section()?.take_rest();
            rest.drain(..).map(|(name, e)| sweep(&name, &e)).collect::<Result<_, _>>()?
        }
        None => Vec::new(),
    };
    let generate = table.take("generate");
    table.finish()?;
    let patterns = match &files {
        Some(entry) => entry.strings("a pattern of files, or an array of them")?,
        None => Vec::new(),
    };
    for pattern in &patterns {
        if let (Some(entry), Err(e)) = (&files, glob::Pattern::new(pattern)) {
            return Err(
                entry.bad(format!("{pattern:?} is no pattern of files: {e}"), "such as \"corpus/**/*.txt\"")
            );
        }
    }
    let mut workloads = WorkloadsConfig { files: patterns, parameters, generate: None };
    if let Some(entry) = generate {
        if files.is_some() {
            return Err(entry.bad("stands beside `files`", "the input comes from one or the other"));
        }
        if workloads.parameters.is_empty() {
            let help = "give `parameters = { n = \"60..60000 x10\" }` and use {n} in the command";
            return Err(entry.bad("has no parameters to generate inputs from", help));
        }
        let known = workloads.placeholders();
        let words = command_words(&entry)?;
        let words = words.iter().map(|w| template(&entry, w, &known)).collect::<Result<_, _>>()?;
        workloads.generate = Some(words);
    }
    Ok(workloads)
}

fn sweep(name: &str, entry: &Entry<'_>) -> Result<Parameter, ConfigError> {
    let help = "such as `n = \"60..60000 x10\"` or `n = [60, 200, 500]`";
    parameter::check_name(name).map_err(|what| entry.bad(what, help))?;
    let values = if let DeValue::Array(_) = &entry.value {
        let value = |item: &Entry<'_>| {
            item.scalar().map(|v| parameter::plain(&v)).ok_or_else(|| item.wrong("a number or a string"))
        };
        let values = entry.items()?.iter().map(value).collect::<Result<_, _>>()?;
        parameter::distinct(values)
    } else {
        let expected = "an array of values, or a range such as \"60..60000 x10\"";
        parameter::parse_values(&entry.scalar().ok_or_else(|| entry.wrong(expected))?)
    };
    Ok(Parameter { name: name.to_owned(), values: values.map_err(|what| entry.bad(what, help))? })
}

fn parse_features(
    mut table: Section<'_>,
    workloads: &WorkloadsConfig,
    program: &ProgramConfig,
) -> Result<Vec<FeatureSource>, ConfigError> {
    if table.is_empty() {
        return Ok(features::defaults(workloads, program));
    }
    table.take_rest().into_iter().map(|(name, entry)| FeatureSource::parse(&name, entry, workloads)).collect()
}

fn expectation(entry: Entry<'_>) -> Result<Expectation, ConfigError> {
    let whole = entry.clone();
    let mut table = entry.section()?;
    let text = |entry: Option<Entry<'_>>| entry.map(|e| e.string()).transpose();
    let program = table.take("program");
    let function = text(table.take("function"))?;
    let file = text(table.take("file"))?;
    let line = text(table.take("line"))?;
    let growth = table.take("growth");
    let feature = text(table.take("feature"))?;
    table.finish()?;
    if let Some(entry) = program.as_ref().filter(|e| !matches!(e.value, DeValue::Boolean(true))) {
        return Err(entry.wrong("true"));
    }
    let mut targets: Vec<Target> = program.map(|_| Target::Program).into_iter().collect();
    targets.extend(function.map(Target::Function));
    targets.extend(file.map(Target::File));
    targets.extend(line.map(Target::Line));
    let help = "write one of `function = \"…\"`, `file = \"…\"`, `line = \"FILE:LINE\"`, `program = true`";
    if targets.len() > 1 {
        return Err(whole.bad("names several places", help));
    }
    let target = targets.pop().ok_or_else(|| whole.bad("names no place", help))?;
    let growth =
        growth.ok_or_else(|| whole.bad("has no `growth`", "write such as `growth = \"<= n log n\"`"))?;
    Ok(Expectation { config_line: growth.line, target, growth: growth.string()?, feature })
}
