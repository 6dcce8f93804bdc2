//! Reads Clover's XML: the executions of each line of each file.
//!
//! ```text
//! <coverage clover="4.5.0"><project>
//!   <file name="Sort.java" path="/home/me/Sort.java">
//!     <line num="3" type="method" signature="sort(int[]) : void" count="50"/>    start of a function, and its entries
//!     <line num="4" type="stmt" count="120"/>                                    a statement
//!     <line num="5" type="cond" truecount="80" falsecount="40"/>                 a condition
//! ```
//!
//! A line's count is the largest count of its statements and conditions, as in Istanbul's own reports. Tools that know
//! no functions write no methods.

use trend_profile::{Warning, WarningKind};

use super::place::{Places, Tally};
use super::source_file::{SourceFile, Sources, Span};
use super::xml::{Document, Element, Node};
use super::{ImportError, Imported, ImportedRun, Input, Root};

const FORMAT: &str = "Clover report";

/// Reads a report as one run. `sources` returns the text of a source file by its name in the study; it shows where
/// functions of JavaScript end.
///
/// # Errors
/// Fails if the input is not such XML, is cut off, or has an invalid number.
pub fn read<'a>(
    input: impl Into<Input<'a>>,
    root: &Root,
    sources: Sources<'_>,
) -> Result<Imported, ImportError> {
    let input = input.into();
    let mut places = Places::new(input.budget());
    let mut run = Tally::new(input.budget());
    let bytes = input.document()?;
    let mut document = Document::new(&bytes, FORMAT);
    let mut is_first = true;
    let mut has_project = false;
    let mut file: Option<SourceFile> = None;
    while let Some(node) = document.next()? {
        match node {
            Node::Open(element) => {
                if std::mem::take(&mut is_first) && element.name() != b"coverage" {
                    return Err(document.other_format("its root is not `coverage`"));
                }
                has_project |= element.name() == b"project";
                match (element.name(), &mut file) {
                    (b"file", None) => {
                        let name = element
                            .attribute("path")?
                            .map_or_else(|| element.attribute("name"), |path| Ok(Some(path)))?;
                        let name =
                            name.ok_or_else(|| ImportError::line(element.line(), "a file has no name"))?;
                        file = Some(SourceFile::new(&name, &places.budget()));
                    }
                    (b"file", Some(_)) => {
                        return Err(ImportError::line(element.line(), "a file is within another"));
                    }
                    (b"line", Some(file)) => add(&element, file, &mut places)?,
                    (b"line", None) => return Err(ImportError::line(element.line(), "a line is in no file")),
                    _ => {}
                }
            }
            Node::Close(element) if element.name().as_ref() == b"file" => {
                if let Some(file) = file.take() {
                    file.record(root, sources, &mut places, &mut run);
                }
            }
            Node::Close(_) | Node::Text(_) => {}
        }
        places.budget().check()?;
    }
    if !has_project {
        return Err(document.other_format("it has no `project`"));
    }
    let run = ImportedRun { counts: run.into_counts(), ..ImportedRun::default() };
    if run.counts.is_empty() {
        return Err(ImportError::NoCounts { reason: "it lists no line of any file".to_owned() });
    }
    Ok(places.finish(vec![run]))
}

fn add(element: &Element<'_>, file: &mut SourceFile, places: &mut Places) -> Result<(), ImportError> {
    let number = element.line_number("num")?;
    let count = match element.count("count")? {
        Some(count) => Some(count),
        // Conditions have counts of true and false.
        None => {
            element.count("truecount")?.zip(element.count("falsecount")?).map(|(t, f)| t.saturating_add(f))
        }
    };
    let count = count.ok_or_else(|| ImportError::line(element.line(), "a line has no count"))?;
    if element.attribute("type")?.as_deref() != Some("method") {
        let line_count = file.line(number);
        *line_count = (*line_count).max(count);
        return Ok(());
    }
    let name =
        element.attribute("name")?.map_or_else(|| element.attribute("signature"), |name| Ok(Some(name)))?;
    let name = name.unwrap_or_else(|| format!("(line {number})"));
    file.function(Span { name, first: number, last: None, entered: Some(count) });
    // Only PHPUnit writes this attribute.
    if element.attribute("crap")?.is_some() {
        let message = "PHPUnit counts the tests that run a line, not its executions, which shows no growth";
        places.warn(Warning::new(WarningKind::HitOrMiss, message));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    const OPEN: &str = "<?xml version=\"1.0\"?>\n<coverage clover=\"4.5.0\"><project><package name=\"p\">\n\
        <file name=\"Sort.java\" path=\"/p/Sort.java\"><metrics/><class name=\"Sort\"/>\n\
        <line num=\"3\" type=\"method\" signature=\"sort(int[]) : void\" count=\"50\"/>\n\
        <line num=\"4\" type=\"stmt\" count=\"120\"/><line num=\"4\" type=\"stmt\" count=\"60\"/>\n\
        <line num=\"5\" type=\"cond\" truecount=\"80\" falsecount=\"41\"/>\n\
        <line num=\"9\" type=\"method\" name=\"main\" count=\"1\"/><line num=\"10\" type=\"stmt\" count=\"1\"/></file>\n\
        <file name=\"a.js\"><line num=\"1\" count=\"3\" type=\"cond\" truecount=\"1\" falsecount=\"1\"/></file>\n\
        </package></project><testproject/></coverage>\n";

    #[test]
    fn lines_have_the_count_of_what_ran_most_and_methods_have_entries() {
        let read = read(OPEN.as_bytes(), &Root::new("/p"), &|_| None).unwrap();
        let row = |&(l, count): &(u32, u64)| {
            let l = &read.locations[l as usize];
            (&*l.file, read.functions[l.function.index()].symbol.name.as_str(), l.line, count)
        };
        let rows: Vec<_> = read.runs[0].counts.iter().map(row).collect();
        let (java, sort) = ("Sort.java", "sort(int[]) : void");
        let expected = [
            (java, sort, 4, 120),
            (java, sort, 5, 121),
            (java, "main", 10, 1),
            (java, sort, 3, 50),
            (java, "main", 9, 1),
            ("a.js", "", 1, 3),
        ];
        assert_eq!(rows, expected);
        assert_eq!(read.warnings, []);
    }

    #[test]
    fn phpunit_is_warned_of() {
        let text = OPEN.replace("type=\"method\"", "type=\"method\" crap=\"1\"");
        let warnings = read(text.as_bytes(), &Root::new(""), &|_| None).unwrap().warnings;
        assert_eq!((warnings.len(), warnings[0].kind.as_str()), (1, "hit_or_miss"));
    }

    #[test]
    fn what_is_wrong_is_named_with_its_line() {
        let error = |text: &str| read(text.as_bytes(), &Root::new(""), &|_| None).unwrap_err().to_string();
        assert!(error("<coverage><sources/></coverage>").contains("it has no `project`"));
        assert!(error("<a/>").contains("its root is not `coverage`"));
        assert!(error("<coverage><project/></coverage>").contains("lists no line"));
        let file = |text: &str| error(&format!("<coverage><project>\n{text}</project></coverage>"));
        assert_eq!(
            file("<file name='a'>\n<line num='1' type='stmt'/></file>"),
            "line 3: a line has no count"
        );
        assert_eq!(
            file("<file name='a'><line num='' count='1'/></file>"),
            "line 2: num=\"\" is not a line number"
        );
        assert_eq!(
            file("<file name='a'><line num='1' count='many'/></file>"),
            "line 2: the count `many` is not a number"
        );
        assert_eq!(file("<line num='1' count='1'/>"), "line 2: a line is in no file");
        assert_eq!(file("<file/>"), "line 2: a file has no name");
        assert_eq!(file("<file name='a'><file name='b'/></file>"), "line 2: a file is within another");
    }
}
