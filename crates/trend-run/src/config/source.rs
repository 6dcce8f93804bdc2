//! The text of a configuration, and what is wrong with it where.

use std::fmt::Display;
use std::path::Path;

use serde::de::value::MapDeserializer;
use serde::de::{Deserialize, DeserializeOwned};
use toml::Spanned;
use toml::de::{DeString, DeTable, DeValue};

use crate::ConfigError;
use crate::placeholder::Template;

/// Names at most this far apart are slips of the pen.
const SIMILAR: f64 = 0.7;

/// A configuration that is TOML.
pub(super) struct Source<'t> {
    path: &'t Path,
    text: &'t str,
    document: Spanned<DeTable<'t>>,
}

impl<'t> Source<'t> {
    pub(super) fn parse(path: &'t Path, text: &'t str) -> Result<Self, ConfigError> {
        let source = Self { path, text, document: Spanned::new(0..0, DeTable::new()) };
        let document = DeTable::parse(text).map_err(|error| source.misread(&error, &[]))?;
        Ok(Self { document, ..source })
    }

    /// Reads all of it. Keys that are `known` are proposed where one is not.
    pub(super) fn read<T: Deserialize<'t>>(&self, known: &[&str]) -> Result<T, ConfigError> {
        let mut document = self.document.clone();
        document.get_mut().iter_mut().for_each(|(_, value)| keep_digits(value.get_mut()));
        T::deserialize(toml::Deserializer::from(document)).map_err(|error| self.misread(&error, known))
    }

    fn misread(&self, error: &toml::de::Error, known: &[&str]) -> ConfigError {
        let span = error.span().unwrap_or_default();
        let word = self.text.get(span.clone()).unwrap_or_default();
        let is_key = word.chars().all(|c| c.is_alphanumeric() || matches!(c, '-' | '_'));
        let similar = known.iter().filter(|_| is_key).map(|known| (strsim::jaro_winkler(word, known), known));
        let nearest = similar.filter(|(s, _)| *s >= SIMILAR).max_by(|p, q| p.0.total_cmp(&q.0));
        let help = nearest.map_or_else(String::new, |(_, nearest)| format!("did you mean `{nearest}`?"));
        self.bad(span.start, error.message().replace('\n', "; "), &help)
    }

    /// Where a key stands, given with the tables around it.
    pub(super) fn offset(&self, keys: &[&str]) -> usize {
        let (mut offset, mut table) = (0, Some(self.document.get_ref()));
        for key in keys {
            let Some((key, value)) = table.and_then(|table| table.get_key_value(*key)) else { break };
            (offset, table) = (key.span().start, value.get_ref().as_table());
        }
        offset
    }

    /// 1-based.
    pub(super) fn line(&self, offset: usize) -> usize {
        self.text.as_bytes()[..offset.min(self.text.len())].split(|b| *b == b'\n').count()
    }

    /// What stands here makes no sense.
    pub(super) fn bad(&self, offset: usize, what: impl Display, help: &str) -> ConfigError {
        let line = self.line(offset);
        let written = self.text.lines().nth(line - 1).unwrap_or_default().trim();
        ConfigError::new(format!("{}:{line}: `{written}`: {what}", self.path.display()), help)
    }

    /// A key has to be there.
    pub(super) fn missing(&self, key: &str, help: &str) -> ConfigError {
        ConfigError::new(format!("{}: `{key}` is missing", self.path.display()), help)
    }

    /// Refuses templates with a placeholder that nothing fills in.
    pub(super) fn check_templates(
        &self,
        keys: &[&str],
        templates: &[Template],
        known: &[String],
    ) -> Result<(), ConfigError> {
        let unknown = templates.iter().find_map(|template| template.unknown(known));
        unknown.map_or(Ok(()), |name| Err(self.unknown_placeholder(keys, name, known)))
    }

    fn unknown_placeholder(&self, keys: &[&str], name: &str, known: &[String]) -> ConfigError {
        let line = self.line(self.offset(keys));
        let place = format!("{}:{line}: `{}`", self.path.display(), keys.join("."));
        ConfigError::unknown_placeholder(&place, name, known)
    }
}

/// Makes fractions texts: a program is to be given the digits that are written, and nothing else is a fraction.
fn keep_digits(value: &mut DeValue<'_>) {
    match value {
        DeValue::Float(number) => {
            *value = DeValue::String(DeString::Owned(number.as_str().replace('_', "")));
        }
        DeValue::Array(items) => items.iter_mut().for_each(|item| keep_digits(item.get_mut())),
        DeValue::Table(table) => table.iter_mut().for_each(|(_, value)| keep_digits(value.get_mut())),
        _ => {}
    }
}

/// The keys of a type that denies unknown ones.
pub(super) fn keys<T: DeserializeOwned>() -> &'static [&'static str] {
    let unknown = MapDeserializer::<_, KnownKeys>::new([("", ())].into_iter());
    T::deserialize(unknown).err().map_or(&[], |known| known.0)
}

/// What a type says where a key is unknown: those that are known.
#[derive(Debug, thiserror::Error)]
#[error("{}", .0.join(", "))]
struct KnownKeys(&'static [&'static str]);

impl serde::de::Error for KnownKeys {
    fn custom<T: Display>(_: T) -> Self {
        Self(&[])
    }

    fn unknown_field(_: &str, expected: &'static [&'static str]) -> Self {
        Self(expected)
    }
}
