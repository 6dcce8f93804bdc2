//! Counts the places of one script in the files that it was written in.

use std::collections::{BTreeSet, HashMap};
use std::rc::Rc;

use super::names::names;
use super::origin::Origin;
use super::places::{Class, CountedPlace, Outline, outline};
use super::ranges::{RangeCount, Ranges};
use super::{CachedMap, FunctionCoverage, ScriptCoverage, Scripts, Sources};
use crate::import::place::{Places, Tally};
use crate::import::{ImportError, Root};

const PACKAGES: &str = "node_modules/";

/// Bytes charged for each place that is looked up, so that a file cannot name one source a million times.
const LOOKED_UP: usize = 4;

/// A source file: its text's length and lines, and its places.
struct SourceOutline {
    outline: Outline,
    /// Length in UTF-16 code units.
    length: u32,
    /// Offsets of lines in UTF-16 code units.
    lines: Vec<u32>,
    /// True for places on a line with several places.
    is_crowded: Vec<bool>,
}

impl SourceOutline {
    fn new(text: &str) -> Self {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let (mut length, mut lines) = (0_u32, vec![0]);
        for c in text.chars() {
            length = length.saturating_add(c.len_utf16() as u32);
            if c == '\n' {
                lines.push(length);
            }
        }
        let outline = outline(text);
        let places = &outline.places;
        let is_on = |index: Option<usize>, line: u32| {
            index.and_then(|index| places.get(index)).is_some_and(|place| place.line == line)
        };
        let crowded = |(index, place): (usize, &CountedPlace)| {
            is_on(index.checked_sub(1), place.line) || is_on(Some(index + 1), place.line)
        };
        let is_crowded = places.iter().enumerate().map(crowded).collect();
        Self { outline, length, lines, is_crowded }
    }

    fn line_of(&self, offset: u32) -> u32 {
        self.lines.partition_point(|start| *start <= offset) as u32
    }
}

/// Reads scripts, and remembers what was not counted.
pub(super) struct Reader<'a> {
    root: &'a Root,
    scripts: Scripts,
    texts: Sources<'a>,
    /// Sources by name; `None` if there is no text.
    outlines: HashMap<String, Option<Rc<SourceOutline>>>,
    pub(super) without_text: BTreeSet<String>,
    pub(super) packages: BTreeSet<String>,
    /// Functions that were compiled before V8 counted blocks.
    pub(super) without_blocks: BTreeSet<String>,
    /// Lines with regular expressions that ran.
    pub(super) regexes: BTreeSet<String>,
}

/// A place of a source and its offset in the script.
struct Counted {
    offset: u32,
    place: usize,
}

impl<'a> Reader<'a> {
    pub(super) fn new(root: &'a Root, scripts: Scripts, texts: Sources<'a>) -> Self {
        Self {
            root,
            scripts,
            texts,
            outlines: HashMap::new(),
            without_text: BTreeSet::new(),
            packages: BTreeSet::new(),
            without_blocks: BTreeSet::new(),
            regexes: BTreeSet::new(),
        }
    }

    /// Adds the counts of a script. Scripts that are not files, such as node's own, have none.
    pub(super) fn add(
        &mut self,
        script: &ScriptCoverage<'_>,
        map: Option<&CachedMap<'_>>,
        places: &mut Places,
        run: &mut Tally,
    ) -> Result<(), ImportError> {
        let Some(path) = file_path(&script.url) else { return Ok(()) };
        let origin = map.and_then(|map| Origin::parse(map.data?.get(), &map.line_lengths));
        match origin {
            Some(origin) => self.add_generated(script, &path, &origin, places, run),
            None => self.add_written(script, &path, places, run),
        }
    }

    /// Adds a script that runs as it was written.
    fn add_written(
        &mut self,
        script: &ScriptCoverage<'_>,
        path: &str,
        places: &mut Places,
        run: &mut Tally,
    ) -> Result<(), ImportError> {
        let name = self.root.name(path);
        if !self.is_counted(&name) {
            return Ok(());
        }
        let end = script.functions.iter().filter_map(|f| f.ranges.first()).map(|range| range.end).max();
        let source = self.source(&name, None).filter(|source| end == Some(source.length));
        let Some(source) = source else {
            self.without_text.insert(name);
            return Ok(());
        };
        let ranges = Ranges::new(&script.functions);
        let written = vec![None; script.functions.len()];
        let names = names(&script.functions, &ranges, &written, &source.outline.classes);
        let lines = script.functions.iter().map(|f| f.ranges.first().map_or(0, |r| source.line_of(r.begin)));
        let functions: Vec<_> = lines.map(|line| Some((0, line))).collect();
        let all = source.outline.places.iter().enumerate();
        let counted: Vec<Counted> = all.map(|(place, p)| Counted { offset: p.offset, place }).collect();
        let file = File { name, source: &source, number: 0 };
        self.count(script, &ranges, &names, &functions, &file, &counted, places, run)
    }

    /// Adds a script that was generated, in the files that it was written in.
    fn add_generated(
        &mut self,
        script: &ScriptCoverage<'_>,
        path: &str,
        origin: &Origin,
        places: &mut Places,
        run: &mut Tally,
    ) -> Result<(), ImportError> {
        let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
        let ranges = Ranges::new(&script.functions);
        let spans = || script.functions.iter().map(|f| f.ranges.first().map_or((0, 0), |r| (r.begin, r.end)));
        let spans_written: Vec<_> = spans().map(|(begin, end)| origin.written(begin, end)).collect();
        let functions: Vec<_> =
            spans_written.iter().map(|f| f.map(|(source, line, _)| (source, line))).collect();
        let written: Vec<Option<String>> =
            script.functions.iter().map(|f| origin.name_of(f.ranges.first()?.begin, &f.name)).collect();
        for (number, of) in origin.sources.iter().enumerate() {
            let number = number as u32;
            let name = self.root.name(&source_path(folder, &of.path));
            if !self.is_counted(&name) {
                continue;
            }
            let Some(source) = self.source(&name, of.text.as_deref()) else {
                self.without_text.insert(name);
                continue;
            };
            let all = &source.outline.places;
            let position = |place: &CountedPlace| (place.line - 1, place.column - 1);
            let next = |index: usize| all.get(index + 1).map_or((u32::MAX, 0), position);
            let counted = all.iter().enumerate().filter_map(|(place, p)| {
                let offset = origin.generated(number, position(p), next(place))?;
                Some(Counted { offset, place })
            });
            let mut counted: Vec<Counted> = counted.collect();
            counted.sort_by_key(|c| c.offset);
            let classes: Vec<Class> = source
                .outline
                .classes
                .iter()
                .filter_map(|c| origin.class(number, c, &source.lines))
                .collect();
            let names = names(&script.functions, &ranges, &written, &classes);
            let file = File { name, source: &source, number };
            self.count(script, &ranges, &names, &functions, &file, &counted, places, run)?;
        }
        Ok(())
    }

    /// Adds the counts of places that ran in one file, and the entries of its functions.
    #[expect(clippy::too_many_arguments, reason = "the parts of one script and of one file")]
    fn count(
        &mut self,
        script: &ScriptCoverage<'_>,
        ranges: &Ranges<'_>,
        names: &[String],
        functions: &[Option<(u32, u32)>],
        file: &File<'_>,
        counted: &[Counted],
        places: &mut Places,
        run: &mut Tally,
    ) -> Result<(), ImportError> {
        places.budget().keep(LOOKED_UP * counted.len());
        places.budget().check()?;
        let id = places.file(&file.name);
        let mut ids: Vec<Option<u32>> = vec![None; script.functions.len()];
        let is_here = |index: usize| functions[index].filter(|(source, _)| *source == file.number);
        for (index, function) in script.functions.iter().enumerate() {
            let Some(((_, line), entered)) = is_here(index).zip(entered(function)) else { continue };
            ids[index] = Some(if names[index].is_empty() {
                places.outside(id)
            } else {
                let function = places.function_of(trend_profile::Symbol::plain(&names[index]), id, line);
                run.add(places.entry(function), entered);
                function
            });
        }
        let ranges_around = ranges.around(counted.iter().map(|c| c.offset));
        for (Counted { place, .. }, innermost) in counted.iter().zip(ranges_around) {
            let Some(RangeCount { function, count }) = innermost.filter(|range| range.count > 0) else {
                continue;
            };
            if !script.functions[function].has_blocks {
                self.without_blocks.insert(names[function].clone());
                continue;
            }
            let function = ids[function].unwrap_or_else(|| places.outside(id));
            let at = &file.source.outline.places[*place];
            let label = if file.source.is_crowded[*place] {
                format!("{}:{}:{}", file.name, at.line, at.column)
            } else {
                String::new()
            };
            run.add(places.spanning(function, *place as u32 + 1, id, &at.lines, &label), count);
            self.regexes.extend(at.regex.map(|line| format!("{}:{line}", file.name)));
        }
        Ok(())
    }

    /// Returns true if the script is to be counted, and remembers packages that are not.
    fn is_counted(&mut self, name: &str) -> bool {
        if self.scripts == Scripts::All {
            return true;
        }
        if let Some((_, path)) = name.rsplit_once(PACKAGES) {
            let parts = if path.starts_with('@') { 2 } else { 1 };
            let package: Vec<&str> = path.split('/').take(parts).collect();
            self.packages.insert(package.join("/"));
            return false;
        }
        !name.starts_with('/')
    }

    fn source(&mut self, name: &str, text: Option<&str>) -> Option<Rc<SourceOutline>> {
        if let Some(outline) = self.outlines.get(name) {
            return outline.clone();
        }
        let text = text.map(str::to_owned).or_else(|| (self.texts)(name));
        let source = text.map(|text| Rc::new(SourceOutline::new(&text)));
        self.outlines.insert(name.to_owned(), source.clone());
        source
    }
}

/// A file of a script, and its number in the source map.
struct File<'a> {
    name: String,
    source: &'a SourceOutline,
    number: u32,
}

/// Returns the entries of a function that ran.
fn entered(function: &FunctionCoverage<'_>) -> Option<u64> {
    function.ranges.first().map(|range| range.count).filter(|count| *count > 0)
}

/// Returns the path of a URL of a file.
fn file_path(url: &str) -> Option<String> {
    let path = url.strip_prefix("file://")?;
    let path = path.split(['?', '#']).next().unwrap_or(path);
    let mut bytes = Vec::with_capacity(path.len());
    let mut rest = path.as_bytes();
    while let [first, tail @ ..] = rest {
        let code = tail.get(..2).filter(|_| *first == b'%').and_then(|hex| std::str::from_utf8(hex).ok());
        if let Some(byte) = code.and_then(|hex| u8::from_str_radix(hex, 16).ok()) {
            bytes.push(byte);
            rest = &tail[2..];
        } else {
            bytes.push(*first);
            rest = tail;
        }
    }
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

/// Returns the path of a source that a source map in `folder` names.
fn source_path(folder: &str, source: &str) -> String {
    if let Some(path) = file_path(source) {
        return path;
    }
    let source = source.split_once("://").map_or(source, |(_, path)| path);
    if source.starts_with('/') { source.to_owned() } else { format!("{folder}/{source}") }
}
