//! The features that describe a workload, and the sources of their values.

use std::ffi::OsStr;
use std::fmt;

use regex::bytes::Regex;
use serde::de::value::MapAccessDeserializer;
use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use trend_profile::Definition;

use super::source::ConfigText;
use super::values;
use super::workloads::WorkloadsConfig;
use crate::words::error::ConfigError;
use crate::words::placeholder::Template;

const FORMS: &str = "it is \"size\", \"lines\", or a table with one of `parameter`, `path`, `stdout`, `stderr`, `file` and \
                     `pattern`, `command`, `location`, `input-size`";

/// An entry of `[features]` as written in the file.
pub(super) enum Feature {
    Word(String),
    Table(Box<FeatureTable>),
}

impl<'de> Deserialize<'de> for Feature {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct WordOrTable;
        impl<'de> Visitor<'de> for WordOrTable {
            type Value = Feature;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("\"size\", \"lines\", or a table")
            }
            fn visit_str<E>(self, word: &str) -> Result<Feature, E> {
                Ok(Feature::Word(word.to_owned()))
            }
            fn visit_map<A: MapAccess<'de>>(self, entries: A) -> Result<Feature, A::Error> {
                Deserialize::deserialize(MapAccessDeserializer::new(entries)).map(Feature::Table)
            }
        }
        deserializer.deserialize_any(WordOrTable)
    }
}

#[derive(Default, serde::Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct FeatureTable {
    parameter: Option<String>,
    path: Option<String>,
    stdout: Option<String>,
    stderr: Option<String>,
    file: Option<String>,
    pattern: Option<String>,
    #[serde(deserialize_with = "values::words")]
    command: Option<Vec<String>>,
    location: Option<String>,
    #[serde(rename = "input-size")]
    input_size: Option<String>,
}

/// A feature, with everything needed to find its values.
#[derive(Clone, Debug)]
pub struct FeatureSource {
    /// The feature's name.
    pub name: String,
    /// The definition that the study stores.
    pub definition: Definition,
    /// The regular expression, which has one group, if the definition has one.
    pub(crate) pattern: Option<Regex>,
    /// The file's path or the command's words, if the definition has them.
    pub(crate) templates: Vec<Template>,
}

impl FeatureSource {
    fn new(name: &str, definition: Definition) -> Self {
        Self { name: name.to_owned(), definition, pattern: None, templates: Vec::new() }
    }

    /// Checks one entry of `[features]`.
    pub(super) fn read(
        source: &ConfigText<'_>,
        name: String,
        written: Feature,
        workloads: &WorkloadsConfig,
    ) -> Result<Self, ConfigError> {
        let offset = source.offset(&["features", &name]);
        let (kind, definition) = match written {
            Feature::Word(word) if word == "size" => ("", Definition::Size),
            Feature::Word(word) if word == "lines" => ("", Definition::Lines),
            Feature::Word(word) => return Err(source.bad(offset, format!("{word:?} is unknown"), FORMS)),
            Feature::Table(table) => table.only().map_err(|(what, help)| source.bad(offset, what, help))?,
        };
        let keys = ["features", &name, kind];
        let offset = source.offset(&keys);
        check(&definition, workloads).map_err(|(what, help)| source.bad(offset, what, &help))?;
        let (pattern, texts) = match &definition {
            Definition::Path(pattern) | Definition::Stdout(pattern) | Definition::Stderr(pattern) => {
                (Some(pattern), &[][..])
            }
            Definition::File { path, pattern } => (Some(pattern), std::slice::from_ref(path)),
            Definition::Command(words) => (None, words.as_slice()),
            _ => (None, &[][..]),
        };
        let pattern =
            pattern.map(|p| regex(p)).transpose().map_err(|(what, help)| source.bad(offset, what, help))?;
        let templates: Vec<Template> = texts.iter().map(|text| Template::parse(OsStr::new(text))).collect();
        source.check_templates(&keys, &templates, &workloads.placeholders())?;
        Ok(Self { name, definition, pattern, templates })
    }
}

impl FeatureTable {
    /// Returns the key and the definition of the only kind that is given. Otherwise returns the mistake and advice.
    fn only(self) -> Result<(&'static str, Definition), (String, &'static str)> {
        let file = match (self.file, self.pattern) {
            (Some(path), Some(pattern)) => Some(Definition::File { path, pattern }),
            (None, None) => None,
            (file, _) => {
                let missing = if file.is_some() { "pattern" } else { "file" };
                return Err((
                    format!("`{missing}` is missing"),
                    "write { file = \"…\", pattern = '…(\\d+)' }",
                ));
            }
        };
        let kinds = [
            ("parameter", self.parameter.map(Definition::Parameter)),
            ("path", self.path.map(Definition::Path)),
            ("stdout", self.stdout.map(Definition::Stdout)),
            ("stderr", self.stderr.map(Definition::Stderr)),
            ("pattern", file),
            ("command", self.command.map(Definition::Command)),
            ("location", self.location.map(Definition::Location)),
            ("input-size", self.input_size.map(Definition::InputSize)),
        ];
        let mut given: Vec<_> = kinds.into_iter().filter_map(|(key, kind)| Some((key, kind?))).collect();
        match given.len() {
            0 => Err(("no known key".to_owned(), FORMS)),
            1 => Ok(given.remove(0)),
            _ => {
                let keys: Vec<&str> = given.iter().map(|(key, _)| *key).collect();
                Err((format!("{} cannot be combined", keys.join(" and ")), FORMS))
            }
        }
    }
}

/// Checks a definition. Fails with the mistake and advice.
fn check(definition: &Definition, workloads: &WorkloadsConfig) -> Result<(), (String, String)> {
    match definition {
        Definition::Size | Definition::Lines if !workloads.has_input() => Err((
            "there is no input file to measure".to_owned(),
            "give `workloads.files` or `workloads.generate`, or use a parameter".to_owned(),
        )),
        Definition::Parameter(name) => match workloads.parameters.iter().find(|p| p.name == *name) {
            Some(parameter) if parameter.is_numeric() => Ok(()),
            Some(_) => {
                Err((format!("the values of `{name}` are not numbers"), "a feature is a number".to_owned()))
            }
            None => {
                let parameters: Vec<&str> = workloads.parameters.iter().map(|p| p.name.as_str()).collect();
                let parameters =
                    if parameters.is_empty() { "there are none".to_owned() } else { parameters.join(", ") };
                let what = format!("no parameter `{name}`");
                Err((what, format!("in `workloads.parameters`: {parameters}")))
            }
        },
        Definition::Location(place) => {
            let line = place.rsplit_once(':').and_then(|(_, line)| line.parse::<u32>().ok());
            if line.is_some_and(|line| line > 0) {
                return Ok(());
            }
            Err((format!("{place:?} is not a place"), "write FILE:LINE".to_owned()))
        }
        Definition::InputSize(routine) if routine.trim().is_empty() => {
            Err(("no routine is named".to_owned(), "write a routine's name, or FILE:NAME".to_owned()))
        }
        _ => Ok(()),
    }
}

/// Compiles a regular expression that must have one group.
fn regex(pattern: &str) -> Result<Regex, (String, &'static str)> {
    let regex = Regex::new(pattern).map_err(|e| {
        // The last line says what is wrong; the lines before it mark the position.
        let what = e.to_string();
        let what = what.lines().last().unwrap_or_default().trim_start_matches("error: ");
        (format!("{pattern:?} is not a regular expression: {what}"), "use the syntax of ripgrep")
    })?;
    let groups = regex.captures_len() - 1;
    if groups != 1 {
        let what = format!("{pattern:?} has {groups} groups, but needs one");
        return Err((
            what,
            "put the number in parentheses, as in 'rows-(\\d+)', and write other groups as (?:…)",
        ));
    }
    Ok(regex)
}

/// Returns the features of a configuration that declares none: the input's size and the numeric parameters, except
/// those that only vary the randomness.
pub(super) fn defaults(workloads: &WorkloadsConfig) -> Vec<FeatureSource> {
    let size = workloads.has_input().then(|| FeatureSource::new("bytes", Definition::Size));
    let of_sweep = workloads.parameters.iter().filter(|p| p.is_numeric() && !p.is_repetition());
    let of_sweep = of_sweep.map(|p| FeatureSource::new(&p.name, Definition::Parameter(p.name.clone())));
    let mut features: Vec<FeatureSource> = size.into_iter().collect();
    features.extend(of_sweep.filter(|f| f.name != "bytes"));
    features
}
