//! Deserializes values whose written form differs from their type's default form.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::path::PathBuf;
use std::time::Duration;

use serde::Deserialize;
use serde::de::{Deserializer, Error};
use toml::Spanned;

use crate::words::parameter::{self, Parameter};
use crate::words::placeholder::Template;
use crate::words::quantity::{QuantityError, parse_bytes, parse_duration, parse_quantity};

/// A string or a number, passed to the program as written. Fractions arrive as strings.
#[derive(Deserialize)]
#[serde(untagged, expecting = "expected a string or a number")]
enum Scalar {
    Text(String),
    Number(i64),
}

impl From<Scalar> for String {
    fn from(scalar: Scalar) -> Self {
        match scalar {
            Scalar::Text(text) => text,
            Scalar::Number(number) => number.to_string(),
        }
    }
}

/// One string, or an array of words.
#[derive(Deserialize)]
#[serde(untagged, expecting = "expected a string or an array of strings")]
enum Words {
    Line(String),
    List(Vec<String>),
}

/// A range, or an array of values.
#[derive(Deserialize)]
#[serde(untagged, expecting = "expected an array of values, or a range such as \"60..60000 x10\"")]
enum Values {
    Range(Scalar),
    List(Vec<Scalar>),
}

impl<'de> Deserialize<'de> for Template {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(Self::parse(OsStr::new(&String::deserialize(deserializer)?)))
    }
}

/// Reads a name, or an array of names.
pub(super) fn names<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<String>, D::Error> {
    Ok(match Words::deserialize(deserializer)? {
        Words::Line(name) => vec![name],
        Words::List(names) => names,
    })
}

/// Reads `bytes=1GB`, or an array of such strings.
pub(super) fn sizes<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<(String, f64)>, D::Error> {
    let texts = names(deserializer)?;
    let size = |text: &String| {
        let (feature, size) = text.rsplit_once('=').ok_or_else(|| {
            D::Error::custom(format!("`{text}` is not a size; write for example `bytes=1GB`"))
        })?;
        Ok((feature.trim().to_owned(), parse_quantity(size).map_err(D::Error::custom)?))
    };
    texts.iter().map(size).collect()
}

fn command_words<E: Error>(written: Words) -> Result<Vec<String>, E> {
    let words = match written {
        Words::Line(line) => shell_words::split(&line)
            .map_err(|e| E::custom(format!("{e}: close the quotes, or write an array")))?,
        Words::List(words) => words,
    };
    match words.first() {
        Some(program) if !program.is_empty() => Ok(words),
        _ => Err(E::custom("empty; name the program and its arguments")),
    }
}

/// Reads a command: an array of words, or one string that is split like in a shell.
pub(super) fn words<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Vec<String>>, D::Error> {
    command_words(Words::deserialize(deserializer)?).map(Some)
}

/// Reads a command with placeholders.
pub(super) fn command<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Template>, D::Error> {
    let words = words(deserializer)?.unwrap_or_default();
    Ok(words.iter().map(|word| Template::parse(OsStr::new(word))).collect())
}

/// Reads an optional command with placeholders.
pub(super) fn generate<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<Vec<Template>>, D::Error> {
    command(deserializer).map(Some)
}

/// Reads a build command: an array of words, or one line for the shell.
pub(super) fn build<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Vec<OsString>>, D::Error> {
    let words = match Words::deserialize(deserializer)? {
        Words::Line(line) => vec!["sh".to_owned(), "-c".to_owned(), line],
        list @ Words::List(_) => command_words(list)?,
    };
    Ok(Some(words.into_iter().map(OsString::from).collect()))
}

/// Reads a program and its arguments, without placeholders.
pub(super) fn program<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<OsString>, D::Error> {
    let words = command_words(Words::deserialize(deserializer)?)?;
    Ok(words.into_iter().map(OsString::from).collect())
}

/// Reads a path, or an array of paths.
pub(super) fn paths<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<PathBuf>, D::Error> {
    Ok(names(deserializer)?.into_iter().map(PathBuf::from).collect())
}

/// Reads a file pattern, or an array of patterns.
pub(super) fn patterns<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<String>, D::Error> {
    let patterns = names(deserializer)?;
    for pattern in &patterns {
        glob::Pattern::new(pattern).map_err(|e| {
            D::Error::custom(format!("{pattern:?} is not a file pattern such as \"corpus/**/*.txt\": {e}"))
        })?;
    }
    Ok(patterns)
}

pub(super) fn time<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Duration>, D::Error> {
    quantity(deserializer, parse_duration, "10m")
}

pub(super) fn bytes<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<u64>, D::Error> {
    quantity(deserializer, parse_bytes, "2GB")
}

fn quantity<'de, D: Deserializer<'de>, T>(
    deserializer: D,
    parse: impl Fn(&str) -> Result<T, QuantityError>,
    example: &str,
) -> Result<Option<T>, D::Error> {
    let wrong = |e| D::Error::custom(format!("{e}: write a number with a unit, such as \"{example}\""));
    parse(&String::from(Scalar::deserialize(deserializer)?)).map(Some).map_err(wrong)
}

/// Reads a table with arbitrary keys, and keeps their order.
pub(super) fn entries<'de, D: Deserializer<'de>, T: Deserialize<'de>>(
    deserializer: D,
) -> Result<Vec<(String, T)>, D::Error> {
    let mut entries: Vec<(Spanned<String>, T)> = BTreeMap::deserialize(deserializer)?.into_iter().collect();
    entries.sort_by_key(|(key, _)| key.span().start);
    Ok(entries.into_iter().map(|(key, value)| (key.into_inner(), value)).collect())
}

/// Reads environment variables.
pub(super) fn env<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<(String, Template)>, D::Error> {
    let template = |(name, text): (String, Scalar)| (name, Template::parse(OsStr::new(&String::from(text))));
    Ok(entries(deserializer)?.into_iter().map(template).collect())
}

/// Reads a table of parameters, each with a range or an array of values.
pub(super) fn sweep<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Parameter>, D::Error> {
    let parameter = |(name, values): (String, Values)| {
        let values = match values {
            Values::Range(text) => parameter::parse_values(&String::from(text)),
            Values::List(values) => {
                parameter::distinct(values.into_iter().map(|v| parameter::plain(&String::from(v))).collect())
            }
        };
        let help = "such as `n = \"60..60000 x10\"` or `n = [60, 200, 500]`";
        let values = values.map_err(|what| D::Error::custom(format!("`{name}`: {what}; {help}")))?;
        Ok(Parameter { name, values })
    };
    entries(deserializer)?.into_iter().map(parameter).collect()
}
