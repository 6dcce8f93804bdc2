//! Reads Cobertura's XML, which most coverage tools can write: the executions of each line of each class.
//!
//! ```text
//! <coverage>
//!   <sources><source>/home/me/sort</source></sources>                   the folder of the file names
//!   <class name="sort.c" filename="sort.c">
//!     <methods><method name="sort" hits="50"><lines>…</lines></method>  istanbul: its first line, and its entries as `hits`;
//!                                                                       gcovr, Cobertura, coverlet: all of its lines
//!     <lines><line number="4" hits="120"/>…                             the executions of all lines
//! ```
//!
//! Conditions are parts of lines and have no costs of their own.

use std::collections::BTreeMap;

use super::budget::COUNT;
use super::place::{Places, Tally};
use super::source_file::{SourceFile, Sources, Span};
use super::xml::{Document, Element, Node};
use super::{ImportError, Imported, ImportedRun, Input, Root};

const FORMAT: &str = "Cobertura report";

/// Maximum number of source folders tried for each file; tools write one or two.
const MOST_SOURCES: usize = 20;

/// Reads a report as one run. `sources` returns the text of a source file by its name in the study. It shows which of
/// several folders a file is in, and where functions of JavaScript end.
///
/// # Errors
/// Fails if the input is not such XML, is cut off, or has an invalid number.
pub fn read<'a>(
    input: impl Into<Input<'a>>,
    root: &Root,
    sources: Sources<'_>,
) -> Result<Imported, ImportError> {
    let input = input.into();
    let mut reader = Reader {
        root,
        sources,
        places: Places::new(input.budget()),
        run: Tally::new(input.budget()),
        folders: Vec::new(),
        class: None,
        method: None,
    };
    let bytes = input.document()?;
    let mut document = Document::new(&bytes, FORMAT);
    let mut is_first = true;
    let mut folder = None;
    while let Some(node) = document.next()? {
        match node {
            Node::Open(element) => {
                if std::mem::take(&mut is_first) && element.name() != b"coverage" {
                    return Err(document.other_format("its root is not `coverage`"));
                }
                match element.name() {
                    b"source" => folder = Some(String::new()),
                    // Clover's root element has the same name.
                    b"project" => return Err(document.other_format("it has a `project`")),
                    _ => reader.open(&element)?,
                }
            }
            Node::Text(text) => folder.iter_mut().for_each(|folder| folder.push_str(&text)),
            Node::Close(element) if element.name().as_ref() == b"source" => {
                let folder = folder.take().filter(|_| reader.folders.len() < MOST_SOURCES);
                reader.folders.extend(folder.map(|f| f.trim().to_owned()));
            }
            Node::Close(element) => reader.close(element.name().as_ref()),
        }
        reader.places.budget().check()?;
    }
    let run = ImportedRun { counts: reader.run.into_counts(), ..ImportedRun::default() };
    if run.counts.is_empty() {
        return Err(ImportError::NoCounts { reason: "it lists no line of any class".to_owned() });
    }
    Ok(reader.places.finish(vec![run]))
}

struct Reader<'a> {
    root: &'a Root,
    sources: Sources<'a>,
    places: Places,
    run: Tally,
    folders: Vec<String>,
    class: Option<Class>,
    method: Option<Method>,
}

/// A source file that is being read.
struct Class {
    file: SourceFile,
    methods: Vec<Method>,
    /// Lines that methods list; the class lists them again.
    of_methods: BTreeMap<u32, u64>,
}

struct Method {
    name: String,
    lines: Option<(u32, u32)>,
    entered: Option<u64>,
}

impl Reader<'_> {
    fn open(&mut self, element: &Element<'_>) -> Result<(), ImportError> {
        match element.name() {
            b"class" => {
                self.close(b"class");
                let name = element.attribute("filename")?;
                let name =
                    name.ok_or_else(|| ImportError::line(element.line(), "a class has no filename"))?;
                let file = SourceFile::new(&name, &self.places.budget());
                self.class = Some(Class { file, methods: Vec::new(), of_methods: BTreeMap::new() });
            }
            b"method" if self.class.is_some() => {
                let name = element.attribute("name")?.unwrap_or_default();
                self.method = Some(Method { name, lines: None, entered: element.count("hits")? });
            }
            b"line" => {
                let number = element.line_number("number")?;
                let hits = element.count("hits")?;
                let hits = hits.ok_or_else(|| ImportError::line(element.line(), "a line has no hits"))?;
                let Some(class) = &mut self.class else {
                    return Err(ImportError::line(element.line(), "a line is in no class"));
                };
                match &mut self.method {
                    None => class.file.add(number, hits),
                    Some(method) => {
                        let (first, last) = method.lines.unwrap_or((number, number));
                        method.lines = Some((first.min(number), last.max(number)));
                        if class.of_methods.insert(number, hits).is_none() {
                            class.file.keep(COUNT);
                        }
                    }
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn close(&mut self, name: &[u8]) {
        match name {
            b"method" => {
                if let (Some(class), Some(method)) = (&mut self.class, self.method.take()) {
                    class.file.keep(size_of::<Method>());
                    class.methods.push(method);
                }
            }
            b"class" => {
                self.method = None;
                if let Some(class) = self.class.take() {
                    self.record(class);
                }
            }
            _ => {}
        }
    }

    fn record(&mut self, class: Class) {
        let Class { mut file, methods, of_methods } = class;
        // Istanbul only lists a method's first line, which need not have a statement.
        let has_ends = methods.iter().any(|m| m.lines.is_some_and(|(first, last)| first < last));
        for method in methods {
            let Some((first, last)) = method.lines else { continue };
            let last = has_ends.then_some(last);
            file.function(Span { name: method.name, first, last, entered: method.entered });
        }
        for (number, hits) in of_methods {
            if has_ends && !file.has_line(number) {
                file.add(number, hits);
            }
        }
        let root = self.root_of(&file.name);
        file.record(&root, self.sources, &mut self.places, &mut self.run);
    }

    /// Returns the root for a file's name: the folder that has the file, or else the first one.
    fn root_of(&self, file: &str) -> Root {
        let mut folders = self.folders.iter().map(|folder| self.root.within(folder));
        let Some(first) = folders.next() else { return self.root.clone() };
        if self.folders.len() == 1 {
            return first;
        }
        let has_file = |root: &Root| (self.sources)(&root.name(file)).is_some();
        std::iter::once(first.clone()).chain(folders).find(has_file).unwrap_or(first)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(text: &str, sources: Sources<'_>) -> Vec<(String, String, u32, bool, u64)> {
        let read = read(text.as_bytes(), &Root::new("/p"), sources).unwrap();
        let row = |&(l, count): &(u32, u64)| {
            let l = &read.locations[l as usize];
            let function = read.functions[l.function.index()].symbol.name.clone();
            (l.file.to_string(), function, l.line, l.kind == trend_profile::Kind::Entry, count)
        };
        read.runs[0].counts.iter().map(row).collect()
    }

    fn report(folders: &str, class: &str) -> String {
        format!(
            "<?xml version='1.0'?><!DOCTYPE coverage SYSTEM 'x'><coverage><sources>{folders}</sources><packages><package \
                 name='.'><classes><class filename='a&amp;b.c' name='a'>{class}</class></classes></package></packages></coverage>"
        )
    }

    const METHODS: &str = "<methods><method name='f' signature=''><lines><line number='3' hits='2'/><line number='4' hits='20'/>\
                           <line number='5' hits='9'/></lines></method><method name='g'><lines><line number='9' hits='1'/></lines>\
                           </method></methods><lines><line number='3' hits='2' branch='true' condition-coverage='50% (1/2)'>\
                           <conditions><condition number='0'/></conditions></line><line number='4' hits='20'/><line number='9' \
                           hits='1'/><line number='12' hits='1'/></lines>";

    #[test]
    fn lines_are_in_the_method_that_lists_them_and_count_once() {
        let row = |function: &str, line, count| ("a&b.c".to_owned(), function.to_owned(), line, false, count);
        let expected = [row("f", 3, 2), row("f", 4, 20), row("f", 5, 9), row("g", 9, 1), row("", 12, 1)];
        assert_eq!(rows(&report("<source>/p</source>", METHODS), &|_| None), expected);
    }

    #[test]
    fn a_method_with_its_first_line_alone_lasts_until_the_next_and_has_entries() {
        let class = "<methods><method name='f' hits='7'><lines><line number='1' hits='7'/></lines></method><method name='g' \
                     hits='2'><lines><line number='8' hits='2'/></lines></method></methods><lines><line number='2' hits='70'/>\
                     <line number='9' hits='1.5e3'/></lines>";
        let row = |function: &str, line, is_entry, count| {
            ("a&b.c".to_owned(), function.to_owned(), line, is_entry, count)
        };
        let expected =
            [row("f", 2, false, 70), row("g", 9, false, 1500), row("f", 1, true, 7), row("g", 8, true, 2)];
        assert_eq!(rows(&report("<source>/p</source>", class), &|_| None), expected);
    }

    #[test]
    fn a_file_is_in_the_folder_that_has_it() {
        let folders = "<source>/p/x</source><source>\n/p/y</source>";
        let text = report(folders, METHODS);
        let file = |sources: Sources<'_>| rows(&text, sources)[0].0.clone();
        assert_eq!(file(&|name| (name == "y/a&b.c").then(String::new)), "y/a&b.c");
        assert_eq!(file(&|_| None), "x/a&b.c");
    }

    #[test]
    fn what_is_wrong_is_named_with_its_line() {
        let error = |text: &str| read(text.as_bytes(), &Root::new(""), &|_| None).unwrap_err().to_string();
        assert!(error("<report/>").contains("its root is not `coverage`"));
        assert!(error("<coverage>\n<project/></coverage>").contains("it has a `project`"));
        assert!(error("<coverage/>").contains("lists no line"));
        let line =
            |line: &str| error(&format!("<coverage>\n<class filename='a'>\n{line}</class></coverage>"));
        assert_eq!(line("<line number='x' hits='1'/>"), "line 3: number=\"x\" is not a line number");
        assert_eq!(line("<line number='1' hits='-1'/>"), "line 3: the hits `-1` is negative");
        assert_eq!(
            line("<line number='1' hits='99999999999999999999'/>"),
            "line 3: the hits `99999999999999999999` is larger than 2^64"
        );
        assert_eq!(line("<line number='1'/>"), "line 3: a line has no hits");
        assert_eq!(
            error("<coverage><line number='1' hits='1'/></coverage>"),
            "line 1: a line is in no class"
        );
        assert_eq!(error("<coverage><class/></coverage>"), "line 1: a class has no filename");
    }
}
