//! One table of the configuration: its keys in written order, each taken once, the rest unknown.

use std::path::Path;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::ConfigError;

/// Names at most this far apart are slips of the pen.
const SIMILAR: f64 = 0.7;

/// The text that spans refer to.
#[derive(Clone, Copy)]
pub(super) struct Source<'t> {
    pub(super) path: &'t Path,
    pub(super) text: &'t str,
}

/// A value with its place.
#[derive(Clone)]
pub(super) struct Entry<'t> {
    pub(super) source: Source<'t>,
    /// The key with the tables around it.
    pub(super) key: String,
    /// 1-based.
    pub(super) line: usize,
    pub(super) value: DeValue<'t>,
}

/// A table, taken apart.
pub(super) struct Section<'t> {
    source: Source<'t>,
    name: String,
    entries: Vec<(String, Entry<'t>)>,
    known: Vec<String>,
}

impl Source<'_> {
    pub(super) fn line_of(self, offset: usize) -> usize {
        let before = &self.text.as_bytes()[..offset.min(self.text.len())];
        before.split(|b| *b == b'\n').count()
    }

    pub(super) fn syntax(self, error: &toml::de::Error) -> ConfigError {
        let line = error.span().map_or(1, |s| self.line_of(s.start));
        ConfigError::Syntax { path: self.path.to_owned(), line, what: error.message().replace('\n', "; ") }
    }
}

impl<'t> Section<'t> {
    pub(super) fn new(source: Source<'t>, name: &str, table: DeTable<'t>) -> Self {
        let mut entries: Vec<(usize, String, Spanned<DeValue<'t>>)> = table
            .into_iter()
            .map(|(key, value)| (key.span().start, key.into_inner().into_owned(), value))
            .collect();
        // The map is ordered by name, and features are declared in an order that matters.
        entries.sort_by_key(|(start, ..)| *start);
        let entries = entries
            .into_iter()
            .map(|(start, word, value)| {
                let key = if name.is_empty() { word.clone() } else { format!("{name}.{word}") };
                let line = source.line_of(start);
                (word, Entry { source, key, line, value: value.into_inner() })
            })
            .collect();
        Self { source, name: name.to_owned(), entries, known: Vec::new() }
    }

    /// Takes a known key out.
    pub(super) fn take(&mut self, word: &str) -> Option<Entry<'t>> {
        self.known.push(word.to_owned());
        let position = self.entries.iter().position(|(w, _)| w == word)?;
        Some(self.entries.remove(position).1)
    }

    /// Takes a known key that is a table, or an empty table.
    pub(super) fn take_section(&mut self, word: &str) -> Result<Self, ConfigError> {
        match self.take(word) {
            Some(entry) => entry.section(),
            None => Ok(Self::new(self.source, word, DeTable::default())),
        }
    }

    /// Everything that is left, whatever its key.
    pub(super) fn take_rest(&mut self) -> Vec<(String, Entry<'t>)> {
        std::mem::take(&mut self.entries)
    }

    /// Whether nothing was written.
    pub(super) fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Checks that nothing is left.
    pub(super) fn finish(self) -> Result<(), ConfigError> {
        let Some((word, entry)) = self.entries.into_iter().next() else { return Ok(()) };
        let similarity = |known: &String| strsim::jaro_winkler(&word, known);
        let nearest = self.known.iter().max_by(|a, b| similarity(a).total_cmp(&similarity(b)));
        Err(ConfigError::UnknownKey {
            path: entry.source.path.to_owned(),
            line: entry.line,
            key: entry.key,
            nearest: nearest.filter(|n| similarity(n) >= SIMILAR).cloned(),
            known: self.known,
        })
    }

    /// A key that has to be there.
    pub(super) fn missing(&self, word: &str, help: &str) -> ConfigError {
        ConfigError::Missing {
            path: self.source.path.to_owned(),
            key: format!("{}.{word}", self.name),
            help: help.to_owned(),
        }
    }
}

impl<'t> Entry<'t> {
    pub(super) fn section(self) -> Result<Section<'t>, ConfigError> {
        match self.value {
            DeValue::Table(table) => Ok(Section::new(self.source, &self.key, table)),
            _ => Err(self.wrong("a table")),
        }
    }

    pub(super) fn string(&self) -> Result<String, ConfigError> {
        match &self.value {
            DeValue::String(text) => Ok(text.to_string()),
            _ => Err(self.wrong("a string")),
        }
    }

    /// A string or an array of strings.
    pub(super) fn strings(&self, expected: &str) -> Result<Vec<String>, ConfigError> {
        match &self.value {
            DeValue::String(text) => Ok(vec![text.to_string()]),
            DeValue::Array(_) => {
                self.items()?.iter().map(|i| i.string().map_err(|_| i.wrong(expected))).collect()
            }
            _ => Err(self.wrong(expected)),
        }
    }

    /// The items of an array, each with its own line.
    pub(super) fn items(&self) -> Result<Vec<Entry<'t>>, ConfigError> {
        let DeValue::Array(array) = &self.value else { return Err(self.wrong("an array")) };
        let item = |(i, item): (usize, &Spanned<DeValue<'t>>)| Entry {
            source: self.source,
            key: format!("{}[{i}]", self.key),
            line: self.source.line_of(item.span().start),
            value: item.get_ref().clone(),
        };
        Ok(array.iter().enumerate().map(item).collect())
    }

    /// A whole number of at least `least`.
    pub(super) fn number(&self, least: i64) -> Result<i64, ConfigError> {
        let DeValue::Integer(number) = &self.value else { return Err(self.wrong("a whole number")) };
        let text = number.as_str().replace('_', "");
        match i64::from_str_radix(&text, number.radix()) {
            Ok(value) if value >= least => Ok(value),
            _ => Err(self.bad(format!("{number} is out of range"), &format!("at least {least} is possible"))),
        }
    }

    /// A string or a number, as text.
    pub(super) fn scalar(&self) -> Option<String> {
        match &self.value {
            DeValue::String(text) => Some(text.to_string()),
            DeValue::Integer(number) => {
                let text = number.as_str().replace('_', "");
                i64::from_str_radix(&text, number.radix()).ok().map(|n| n.to_string())
            }
            DeValue::Float(number) => Some(number.as_str().replace('_', "")),
            _ => None,
        }
    }

    pub(super) fn wrong(&self, expected: &str) -> ConfigError {
        let found = match &self.value {
            DeValue::String(text) => format!("the string {text:?}"),
            DeValue::Integer(number) => format!("the number {number}"),
            DeValue::Float(number) => format!("the number {number}"),
            DeValue::Boolean(value) => format!("{value}"),
            DeValue::Datetime(_) => "a date".to_owned(),
            DeValue::Array(_) => "an array".to_owned(),
            DeValue::Table(_) => "a table".to_owned(),
        };
        ConfigError::WrongType {
            path: self.source.path.to_owned(),
            line: self.line,
            key: self.key.clone(),
            found,
            expected: expected.to_owned(),
        }
    }

    pub(super) fn bad(&self, what: impl Into<String>, help: &str) -> ConfigError {
        ConfigError::BadValue {
            path: self.source.path.to_owned(),
            line: self.line,
            key: self.key.clone(),
            what: what.into(),
            help: help.to_owned(),
        }
    }
}
