//! The lines of each function.

use std::collections::{BTreeSet, HashMap};

use super::version::Version;
use crate::findings::row::Row;
use crate::forecast::row_models::lines_of;
use crate::options::Options;

/// A line of a study: a file and a number.
pub(super) type Line<'a> = (&'a str, u32);

/// A function: its file and its name.
pub(super) type Function<'a> = (&'a str, &'a str);

/// The counted lines of functions, and their text.
pub(super) struct Bodies<'a> {
    lines: HashMap<Function<'a>, BTreeSet<u32>>,
    sources: HashMap<&'a str, Vec<&'a str>>,
}

impl<'a> Bodies<'a> {
    pub(super) fn new(version: Version<'a>) -> Self {
        let study = version.study;
        let mut lines: HashMap<Function<'_>, BTreeSet<u32>> = HashMap::new();
        for location in study.locations() {
            let function = study.function(location.function);
            if *location.file == function.file {
                lines.entry((&function.file, &function.symbol.name)).or_default().extend(&*location.lines);
            }
        }
        let files: BTreeSet<&str> = lines.keys().map(|(file, _)| *file).collect();
        let split = |file: &'a str| Some((file, study.source(file)?.lines().map(str::trim).collect()));
        let sources = files.into_iter().filter_map(split).collect();
        Self { lines, sources }
    }

    /// Returns the counted lines of a function; empty if it has none.
    pub(super) fn counted<'s>(&'s self, function: &'s Row) -> impl Iterator<Item = u32> + 's {
        self.lines.get(&(function.file.as_str(), function.name.as_str())).into_iter().flatten().copied()
    }

    /// Returns the first line of a function, or the first counted line if the study does not have it.
    pub(super) fn first(&self, function: &Row) -> Option<u32> {
        if function.line > 0 { Some(function.line) } else { self.counted(function).find(|line| *line > 0) }
    }

    /// Returns the counted lines of functions as rows with their models.
    pub(super) fn rows<'r>(
        &self,
        version: Version<'_>,
        options: &Options,
        functions: impl Iterator<Item = &'r Row>,
    ) -> Vec<Row> {
        let mut lines_by_file: HashMap<&str, BTreeSet<u32>> = HashMap::new();
        for function in functions {
            lines_by_file.entry(&function.file).or_default().extend(self.counted(function));
        }
        let is_wanted = |file: &str, line| lines_by_file.get(file).is_some_and(|lines| lines.contains(&line));
        if lines_by_file.is_empty() {
            return Vec::new();
        }
        lines_of(version.study, options, version.findings, is_wanted)
    }

    /// Returns the text of a function from its first to its last counted line; `None` if the source is missing or too
    /// short.
    pub(super) fn text(&self, function: &Row) -> Option<&[&'a str]> {
        let (first, last) = (self.first(function)?, self.counted(function).last()?);
        self.sources.get(function.file.as_str())?.get(first as usize - 1..last as usize)
    }
}
