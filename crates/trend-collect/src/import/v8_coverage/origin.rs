//! Leads from positions in generated code to the source that was written, by a source map.

use std::collections::HashMap;

use oxc_sourcemap::SourceMap;

use super::places::Class;

/// A position in a text: line and column in UTF-16 code units, both 0-based.
type Position = (u32, u32);

/// The mappings of a script with a source map.
pub(super) struct Origin {
    /// Offsets of the generated code's lines in UTF-16 code units.
    line_starts: Vec<u32>,
    /// Source, its position, and the generated offset; sorted.
    by_source: Vec<(u32, Position, u32)>,
    /// Generated offset, source, its position and name; sorted.
    by_offset: Vec<(u32, u32, Position, Option<u32>)>,
    pub(super) sources: Vec<MappedSource>,
    names: Vec<String>,
}

/// A source file of a script.
pub(super) struct MappedSource {
    /// Path as the source map gives it.
    pub(super) path: String,
    /// Text, if the source map has it.
    pub(super) text: Option<String>,
}

impl Origin {
    /// Reads a source map. `line_lengths` are the lengths of the generated code's lines.
    pub(super) fn parse(map: &str, line_lengths: &[u32]) -> Option<Self> {
        let map = SourceMap::from_json_string(map).ok()?;
        let mut start = 0_u32;
        let mut line_starts = Vec::with_capacity(line_lengths.len());
        for length in line_lengths {
            line_starts.push(start);
            start = start.saturating_add(length.saturating_add(1));
        }
        let root = map.get_source_root().unwrap_or_default().trim_end_matches('/').to_owned();
        let texts: HashMap<usize, String> = map
            .get_source_contents()
            .enumerate()
            .filter_map(|(index, text)| Some((index, text?.to_owned())))
            .collect();
        let sources = map.get_sources().enumerate().map(|(index, path)| {
            let path = if root.is_empty() { path.to_owned() } else { format!("{root}/{path}") };
            MappedSource { path, text: texts.get(&index).cloned() }
        });
        let sources: Vec<MappedSource> = sources.collect();
        let names = map.get_names().map(str::to_owned).collect();
        let mut origin = Self { line_starts, by_source: Vec::new(), by_offset: Vec::new(), sources, names };
        for token in map.get_tokens() {
            let Some(offset) = origin.offset(token.get_dst_line(), token.get_dst_col()) else { continue };
            let Some(source) = token.get_source_id() else { continue };
            let place = (token.get_src_line(), token.get_src_col());
            origin.by_source.push((source, place, offset));
            origin.by_offset.push((offset, source, place, token.get_name_id()));
        }
        origin.by_source.sort_unstable();
        origin.by_offset.sort_unstable();
        Some(origin)
    }

    fn offset(&self, line: u32, column: u32) -> Option<u32> {
        self.line_starts.get(line as usize)?.checked_add(column)
    }

    /// Returns the generated offset of the first mapped position of a source from `begin` to before `end`.
    pub(super) fn generated(&self, source: u32, begin: Position, end: Position) -> Option<u32> {
        let first = self.by_source.partition_point(|&(s, place, _)| (s, place) < (source, begin));
        let &(mapped_source, place, offset) = self.by_source.get(first)?;
        (mapped_source == source && place < end).then_some(offset)
    }

    /// Returns the source, the line (1-based) and the name of the first mapped position between two generated offsets.
    pub(super) fn written(&self, begin: u32, end: u32) -> Option<(u32, u32, Option<&str>)> {
        let first = self.by_offset.partition_point(|&(offset, ..)| offset < begin);
        let &(offset, source, place, name) = self.by_offset.get(first)?;
        let name = name.and_then(|name| self.names.get(name as usize)).map(String::as_str);
        (offset < end).then_some((source, place.0.saturating_add(1), name))
    }

    /// Returns the written name of a function that begins at a generated offset, if the source map has it.
    pub(super) fn name_of(&self, begin: u32, name: &str) -> Option<String> {
        const BEFORE_NAME: [&str; 3] = ["", "function ", "async function "];
        if name.is_empty() {
            return None;
        }
        BEFORE_NAME.iter().find_map(|before| {
            let at = begin.saturating_add(before.len() as u32);
            let first = self.by_offset.partition_point(|&(offset, ..)| offset < at);
            let name = self.by_offset.get(first).filter(|(offset, ..)| *offset == at)?.3?;
            self.names.get(name as usize).cloned()
        })
    }

    /// Returns a class of a source with its generated offsets. `lines` are the offsets of the source's lines.
    pub(super) fn class(&self, source: u32, class: &Class, lines: &[u32]) -> Option<Class> {
        let position = |offset: u32| {
            let line = lines.partition_point(|start| *start <= offset) - 1;
            (line as u32, offset - lines[line])
        };
        let end = if class.end == u32::MAX { (u32::MAX, 0) } else { position(class.end) };
        let begin = self.generated(source, position(class.begin), end)?;
        let last = self.by_source.partition_point(|&(s, place, _)| (s, place) <= (source, end));
        let end = last.checked_sub(1).and_then(|last| self.by_source.get(last))?.2.saturating_add(1);
        Some(Class { name: class.name.clone(), begin, end })
    }
}
