//! Where the numbers that describe a workload come from.

use std::ffi::OsStr;

use regex::bytes::Regex;
use toml::de::DeValue;
use trend_profile::Definition;

use super::section::{Entry, Section};
use super::{ProgramConfig, WorkloadsConfig};
use crate::ConfigError;
use crate::placeholder::Template;

const FORMS: &str = "\"size\", \"lines\", or a table with one of `parameter`, `path`, `stdout`, `stderr`, \
                     `file` and `pattern`, `command`, `location`";

/// A feature with everything that is needed to find its values.
#[derive(Clone, Debug)]
pub struct FeatureSource {
    /// Its name.
    pub name: String,
    /// What the study is told about it.
    pub definition: Definition,
    /// The expression, with one group, where the definition has one.
    pub(crate) pattern: Option<Regex>,
    /// The file's path or the command's words, where the definition has them.
    pub(crate) templates: Vec<Template>,
}

impl FeatureSource {
    fn new(name: &str, definition: Definition) -> Self {
        Self { name: name.to_owned(), definition, pattern: None, templates: Vec::new() }
    }

    /// Reads one entry of `[features]`.
    pub(super) fn parse(
        name: &str,
        entry: Entry<'_>,
        workloads: &WorkloadsConfig,
    ) -> Result<Self, ConfigError> {
        if let DeValue::String(word) = &entry.value {
            let definition = match word.as_ref() {
                "size" => Definition::Size,
                "lines" => Definition::Lines,
                _ => return Err(entry.wrong(FORMS)),
            };
            return if workloads.has_input() {
                Ok(Self::new(name, definition))
            } else {
                Err(entry.bad(
                    "there is no input file to measure",
                    "give `workloads.files` or `workloads.generate`, or use a parameter",
                ))
            };
        }
        if !matches!(entry.value, DeValue::Table(_)) {
            return Err(entry.wrong(FORMS));
        }
        let whole = entry.clone();
        let mut table = entry.section()?;
        let feature = Self::from_table(name, &whole, &mut table, workloads)?;
        table.finish()?;
        feature.ok_or_else(|| whole.bad("says nothing that is known", &format!("it is {FORMS}")))
    }

    fn from_table(
        name: &str,
        whole: &Entry<'_>,
        table: &mut Section<'_>,
        workloads: &WorkloadsConfig,
    ) -> Result<Option<Self>, ConfigError> {
        let taken: Vec<(&str, Entry<'_>)> =
            ["parameter", "path", "stdout", "stderr", "file", "pattern", "command", "location"]
                .into_iter()
                .filter_map(|key| table.take(key).map(|entry| (key, entry)))
                .collect();
        let kinds: Vec<&str> = taken.iter().map(|(key, _)| *key).collect();
        let [(kind, entry), rest @ ..] = taken.as_slice() else { return Ok(None) };
        if kinds != ["file", "pattern"] && !rest.is_empty() {
            return Err(whole.bad(format!("has {} at once", kinds.join(" and ")), &format!("it is {FORMS}")));
        }
        let known = workloads.placeholders();
        let feature = match *kind {
            "parameter" => Self::parameter(name, entry, workloads)?,
            "path" => Self::matching(name, entry, Definition::Path)?,
            "stdout" => Self::matching(name, entry, Definition::Stdout)?,
            "stderr" => Self::matching(name, entry, Definition::Stderr)?,
            "file" => {
                let Some((_, pattern)) = rest.first() else {
                    return Err(entry.bad("has no `pattern`", "write { file = \"…\", pattern = '…(\\d+)' }"));
                };
                let path = entry.string()?;
                let feature = Self::matching(name, pattern, |pattern| Definition::File {
                    path: path.clone(),
                    pattern,
                })?;
                Self { templates: vec![template(entry, &path, &known)?], ..feature }
            }
            "command" => {
                let words = command_words(entry)?;
                let templates = words.iter().map(|w| template(entry, w, &known)).collect::<Result<_, _>>()?;
                Self { templates, ..Self::new(name, Definition::Command(words)) }
            }
            "location" => {
                let place = entry.string()?;
                let line = place.rsplit_once(':').and_then(|(_, line)| line.parse::<u32>().ok());
                if line.is_none_or(|line| line == 0) {
                    return Err(entry.bad(format!("{place:?} is no place"), "write FILE:LINE"));
                }
                Self::new(name, Definition::Location(place))
            }
            _ => return Err(entry.bad("has no `file`", "write { file = \"…\", pattern = '…(\\d+)' }")),
        };
        Ok(Some(feature))
    }

    fn parameter(name: &str, entry: &Entry<'_>, workloads: &WorkloadsConfig) -> Result<Self, ConfigError> {
        let parameter = entry.string()?;
        let Some(found) = workloads.parameters.iter().find(|p| p.name == parameter) else {
            let known: Vec<&str> = workloads.parameters.iter().map(|p| p.name.as_str()).collect();
            let known = if known.is_empty() { "there are none".to_owned() } else { known.join(", ") };
            return Err(entry.bad(
                format!("there is no parameter `{parameter}`"),
                &format!("in `workloads.parameters`: {known}"),
            ));
        };
        if !found.is_numeric() {
            return Err(
                entry.bad(format!("the values of `{parameter}` are no numbers"), "a feature is a number")
            );
        }
        Ok(Self::new(name, Definition::Parameter(parameter)))
    }

    fn matching(
        name: &str,
        entry: &Entry<'_>,
        definition: impl Fn(String) -> Definition,
    ) -> Result<Self, ConfigError> {
        let pattern = entry.string()?;
        let regex = Regex::new(&pattern).map_err(|e| {
            // The last line says what is wrong; those before it draw the place.
            let what = e.to_string();
            let what = what.lines().last().unwrap_or_default().trim_start_matches("error: ").to_owned();
            entry
                .bad(format!("{pattern:?} is no regular expression: {what}"), "the syntax is that of ripgrep")
        })?;
        if regex.captures_len() != 2 {
            let groups = regex.captures_len() - 1;
            return Err(entry.bad(
                format!("{pattern:?} has {groups} groups, and should have one"),
                "put the number in parentheses, such as 'rows-(\\d+)', and write other groups as (?:…)",
            ));
        }
        Ok(Self { pattern: Some(regex), ..Self::new(name, definition(pattern)) })
    }
}

/// The features of a configuration that declares none: the input's size and the sweep's parameters,
/// but for those that only vary the randomness.
pub(super) fn defaults(workloads: &WorkloadsConfig, _: &ProgramConfig) -> Vec<FeatureSource> {
    let size = workloads.has_input().then(|| FeatureSource::new("bytes", Definition::Size));
    let of_sweep = workloads.parameters.iter().filter(|p| p.is_numeric() && !p.is_repetition());
    let of_sweep = of_sweep.map(|p| FeatureSource::new(&p.name, Definition::Parameter(p.name.clone())));
    let mut features: Vec<FeatureSource> = size.into_iter().collect();
    features.extend(of_sweep.filter(|f| f.name != "bytes"));
    features
}

/// A command as an array of words, or as one string that is split as a shell would.
pub(super) fn command_words(entry: &Entry<'_>) -> Result<Vec<String>, ConfigError> {
    let expected = "an array of strings, or one string";
    let words = if let DeValue::String(line) = &entry.value {
        shell_words::split(line)
            .map_err(|e| entry.bad(e.to_string(), "close the quotes, or write an array"))?
    } else {
        entry.strings(expected)?
    };
    match words.first() {
        Some(program) if !program.is_empty() => Ok(words),
        _ => Err(entry.bad("is empty", "name the program and its arguments")),
    }
}

pub(super) fn template(entry: &Entry<'_>, text: &str, known: &[String]) -> Result<Template, ConfigError> {
    Template::parse(OsStr::new(text), known).map_err(|unknown| ConfigError::UnknownPlaceholder {
        place: format!("{}:{}: `{}`", entry.source.path.display(), entry.line, entry.key),
        name: unknown.name,
        known: known.to_vec(),
    })
}
