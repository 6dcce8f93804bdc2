//! The text of a configuration, with positions for error messages.

use std::fmt::Display;
use std::path::Path;

use serde::de::value::MapDeserializer;
use serde::de::{Deserialize, DeserializeOwned};
use toml::Spanned;
use toml::de::{DeString, DeTable, DeValue};

use crate::words::error::ConfigError;
use crate::words::placeholder::Template;

/// Minimum similarity of a key to a known one that the message suggests.
const SIMILAR: f64 = 0.7;

/// A configuration's text, parsed as TOML.
pub(super) struct ConfigText<'t> {
    path: &'t Path,
    text: &'t str,
    document: Spanned<DeTable<'t>>,
}

impl<'t> ConfigText<'t> {
    pub(super) fn parse(path: &'t Path, text: &'t str) -> Result<Self, ConfigError> {
        let source = Self { path, text, document: Spanned::new(0..0, DeTable::new()) };
        let document = DeTable::parse(text).map_err(|error| source.misread(&error, &[]))?;
        Ok(Self { document, ..source })
    }

    /// Deserializes the whole document. If a key is unknown, the error suggests the most similar one in `keys`.
    pub(super) fn read<T: Deserialize<'t>>(&self, keys: &[&str]) -> Result<T, ConfigError> {
        let mut document = self.document.clone();
        document.get_mut().iter_mut().for_each(|(_, value)| keep_digits(value.get_mut()));
        T::deserialize(toml::Deserializer::from(document)).map_err(|error| self.misread(&error, keys))
    }

    fn misread(&self, error: &toml::de::Error, keys: &[&str]) -> ConfigError {
        let span = error.span().unwrap_or_default();
        let word = self.text.get(span.clone()).unwrap_or_default();
        let is_key = word.chars().all(|c| c.is_alphanumeric() || matches!(c, '-' | '_'));
        let similar = keys.iter().filter(|_| is_key).map(|key| (strsim::jaro_winkler(word, key), key));
        let nearest = similar.filter(|(s, _)| *s >= SIMILAR).max_by(|p, q| p.0.total_cmp(&q.0));
        let help = nearest.map_or_else(String::new, |(_, nearest)| format!("did you mean `{nearest}`?"));
        self.bad(span.start, error.message().replace('\n', "; "), &help)
    }

    /// Returns the byte offset of a key, which is given with its enclosing tables.
    pub(super) fn offset(&self, keys: &[&str]) -> usize {
        let (mut offset, mut table) = (0, Some(self.document.get_ref()));
        for key in keys {
            let Some((key, value)) = table.and_then(|table| table.get_key_value(*key)) else { break };
            (offset, table) = (key.span().start, value.get_ref().as_table());
        }
        offset
    }

    /// Returns the line number of a byte offset, 1-based.
    pub(super) fn line(&self, offset: usize) -> usize {
        self.text.as_bytes()[..offset.min(self.text.len())].split(|b| *b == b'\n').count()
    }

    /// Returns the error that the text at `offset` makes no sense.
    pub(super) fn bad(&self, offset: usize, what: impl Display, help: &str) -> ConfigError {
        let line = self.line(offset);
        let written = self.text.lines().nth(line - 1).unwrap_or_default().trim();
        ConfigError::new(format!("{}:{line}: `{written}`: {what}", self.path.display()), help)
    }

    /// Returns the error that a required key is missing.
    pub(super) fn missing(&self, key: &str, help: &str) -> ConfigError {
        ConfigError::new(format!("{}: `{key}` is missing", self.path.display()), help)
    }

    /// Refuses templates with unknown placeholders.
    pub(super) fn check_templates(
        &self,
        keys: &[&str],
        templates: &[Template],
        placeholders: &[String],
    ) -> Result<(), ConfigError> {
        let unknown = templates.iter().find_map(|template| template.unknown(placeholders));
        unknown.map_or(Ok(()), |name| Err(self.unknown_placeholder(keys, name, placeholders)))
    }

    fn unknown_placeholder(&self, keys: &[&str], name: &str, placeholders: &[String]) -> ConfigError {
        let line = self.line(self.offset(keys));
        let place = format!("{}:{line}: `{}`", self.path.display(), keys.join("."));
        ConfigError::unknown_placeholder(&place, name, placeholders)
    }
}

/// Turns fractions into strings, so that the program receives the digits as written. Nothing else in a configuration is
/// a fraction.
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

/// Returns the keys of a type that denies unknown fields.
pub(super) fn keys<T: DeserializeOwned>() -> &'static [&'static str] {
    let unknown = MapDeserializer::<_, KnownKeys>::new([("", ())].into_iter());
    T::deserialize(unknown).err().map_or(&[], |fields| fields.0)
}

/// The error that lists a type's known keys.
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
