//! Reads the elements of an XML document one after the other. Only XML's five entities and numeric character references
//! are resolved. Declarations of a document type are ignored, so nothing can expand.
//!
//! A document is complete once its root element is closed.

use quick_xml::Reader;
use quick_xml::escape::unescape;
use quick_xml::events::{BytesEnd, BytesStart, Event};

use super::ImportError;
use super::input::MARK;
use super::text::{self, cut, shown};

/// Maximum bytes of a parser message, which contains names from the document.
const LONGEST_PROBLEM: usize = 200;

/// A document that is read once, from beginning to end.
pub(super) struct Document<'a> {
    bytes: &'a [u8],
    reader: Reader<&'a [u8]>,
    format: &'static str,
    /// Number of open elements.
    open: usize,
    has_root: bool,
    /// Line number at `counted`, a position in `bytes`.
    line: usize,
    counted: usize,
}

/// A part of a document.
pub(super) enum Node<'a> {
    Open(Element<'a>),
    Close(BytesEnd<'a>),
    /// Text within an element; entities split it into several parts.
    Text(String),
}

/// Start tag of an element.
pub(super) struct Element<'a> {
    tag: BytesStart<'a>,
    line: usize,
}

impl<'a> Document<'a> {
    /// Creates a reader. `format` is the expected format, for errors.
    pub(super) fn new(bytes: &'a [u8], format: &'static str) -> Self {
        // The parser would skip the byte order mark without counting it.
        let bytes = bytes.strip_prefix(MARK).unwrap_or(bytes);
        let mut reader = Reader::from_reader(bytes);
        reader.config_mut().expand_empty_elements = true;
        Self { bytes, reader, format, open: 0, has_root: false, line: 1, counted: 0 }
    }

    /// Reads the next part; returns `None` after the root element.
    pub(super) fn next(&mut self) -> Result<Option<Node<'a>>, ImportError> {
        loop {
            self.count_lines();
            let event = match self.reader.read_event() {
                Ok(event) => event,
                Err(error) => return Err(self.failed(&error)),
            };
            match event {
                Event::Start(tag) | Event::Empty(tag) => {
                    if self.open == 0 && self.has_root {
                        return Err(ImportError::line(
                            self.line,
                            "its root element is closed before this one",
                        ));
                    }
                    self.has_root = true;
                    self.open += 1;
                    return Ok(Some(Node::Open(Element { tag, line: self.line })));
                }
                Event::End(tag) => {
                    self.open = self.open.saturating_sub(1);
                    return Ok(Some(Node::Close(tag)));
                }
                Event::Text(text) => {
                    let text = String::from_utf8_lossy(&text);
                    if self.open > 0 {
                        return Ok(Some(Node::Text(text.into_owned())));
                    }
                    self.check_outside(&text)?;
                }
                Event::CData(text) if self.open > 0 => {
                    return Ok(Some(Node::Text(String::from_utf8_lossy(&text).into_owned())));
                }
                Event::GeneralRef(name) => {
                    let text = self.resolved(&format!("&{};", String::from_utf8_lossy(&name)))?;
                    return Ok(Some(Node::Text(text)));
                }
                Event::CData(text) => self.check_outside(&String::from_utf8_lossy(&text))?,
                Event::Comment(_) | Event::Decl(_) | Event::PI(_) | Event::DocType(_) => {}
                Event::Eof if !self.has_root => {
                    return Err(self.other_format("it has no element"));
                }
                Event::Eof if self.open > 0 => {
                    let missing = format!("elements are not closed at line {}", self.line);
                    return Err(ImportError::CutOff { missing });
                }
                Event::Eof => return Ok(None),
            }
        }
    }

    /// Returns the error for a document of another format.
    pub(super) fn other_format(&self, problem: &str) -> ImportError {
        ImportError::OtherFormat { format: self.format, problem: problem.to_owned() }
    }

    fn check_outside(&self, text: &str) -> Result<(), ImportError> {
        match text.trim_ascii() {
            "" => Ok(()),
            text if self.has_root => {
                Err(ImportError::line(self.line, format!("`{}` comes after the root element", shown(text))))
            }
            text => Err(self.other_format(&format!("`{}` is not an element", shown(text)))),
        }
    }

    fn resolved(&self, text: &str) -> Result<String, ImportError> {
        resolved(text, self.line)
    }

    fn failed(&self, error: &quick_xml::Error) -> ImportError {
        if !self.has_root && self.reader.buffer_position() == 0 {
            return self.other_format("it is not XML");
        }
        let problem = cut(&error.to_string(), LONGEST_PROBLEM).into_owned();
        match error {
            // These errors occur at the end of the file.
            quick_xml::Error::Syntax(_) => {
                ImportError::CutOff { missing: format!("{problem} (line {})", self.line) }
            }
            _ => ImportError::line(self.line, problem),
        }
    }

    /// Counts the lines before the next part.
    fn count_lines(&mut self) {
        let position = usize::try_from(self.reader.buffer_position())
            .map_or(self.bytes.len(), |p| p.min(self.bytes.len()));
        if let Some(passed) = self.bytes.get(self.counted..position) {
            self.line += memchr::memchr_iter(b'\n', passed).count();
            self.counted = position;
        }
    }
}

impl Element<'_> {
    pub(super) fn name(&self) -> &[u8] {
        self.tag.name().into_inner()
    }

    /// Returns the line of the document in which the element begins.
    pub(super) fn line(&self) -> usize {
        self.line
    }

    /// Returns the value of an attribute.
    pub(super) fn attribute(&self, name: &str) -> Result<Option<String>, ImportError> {
        let attribute = self.tag.try_get_attribute(name);
        let attribute =
            attribute.map_err(|e| ImportError::line(self.line, cut(&e.to_string(), LONGEST_PROBLEM)))?;
        attribute.map(|attribute| resolved(&String::from_utf8_lossy(&attribute.value), self.line)).transpose()
    }

    /// Parses an attribute that is a line number.
    pub(super) fn line_number(&self, name: &str) -> Result<u32, ImportError> {
        let value = self.attribute(name)?.unwrap_or_default();
        text::line_number(&value).ok_or_else(|| {
            ImportError::line(self.line, format!("{name}=\"{}\" is not a line number", shown(&value)))
        })
    }

    /// Parses an attribute that is a count.
    pub(super) fn count(&self, name: &str) -> Result<Option<u64>, ImportError> {
        self.attribute(name)?.map(|value| text::count(&value, name, self.line)).transpose()
    }
}

fn resolved(text: &str, line: usize) -> Result<String, ImportError> {
    match unescape(text) {
        Ok(text) => Ok(text.into_owned()),
        Err(error) => Err(ImportError::line(line, cut(&error.to_string(), LONGEST_PROBLEM))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(text: &str) -> Result<Vec<String>, String> {
        let mut document = Document::new(text.as_bytes(), "report");
        let mut parts = Vec::new();
        while let Some(node) = document.next().map_err(|e| e.to_string())? {
            parts.push(match node {
                Node::Open(element) => {
                    let value = element.attribute("a").map_err(|e| e.to_string())?;
                    format!("{} {} {value:?}", element.line(), String::from_utf8_lossy(element.name()))
                }
                Node::Close(tag) => format!("/{}", String::from_utf8_lossy(tag.name().as_ref())),
                Node::Text(text) => text,
            });
        }
        Ok(parts)
    }

    #[test]
    fn elements_have_lines_attributes_and_texts() {
        let text = "\u{feff}<?xml version='1.0'?>\n<!DOCTYPE r SYSTEM 'x'>\n<r>\n<s a='&lt;1&#65;'/><t>x &amp; <![CDATA[<y>]]></t></r>\n";
        let expected =
            ["3 r None", "\n", "4 s Some(\"<1A\")", "/s", "4 t None", "x ", "&", " ", "<y>", "/t", "/r"];
        assert_eq!(parts(text).unwrap(), expected);
    }

    #[test]
    fn what_is_no_whole_document_is_refused_with_its_line() {
        let error = |text: &str| parts(text).unwrap_err();
        assert_eq!(error(""), "the file is not a valid report: it has no element");
        assert_eq!(error("a,b"), "the file is not a valid report: `a,b` is not an element");
        assert_eq!(error("<r>\n<s>"), "the file is cut off: elements are not closed at line 2");
        assert!(
            error("<r>\n<s a=").starts_with("the file is cut off: syntax error"),
            "{}",
            error("<r>\n<s a=")
        );
        assert!(error("<r>\n</s>").starts_with("line 2: ill-formed document"), "{}", error("<r>\n</s>"));
        assert_eq!(error("<r/>\n<r/>"), "line 2: its root element is closed before this one");
        assert_eq!(error("<r/>\nx"), "line 1: `x` comes after the root element");
    }

    /// Ten entities, each ten times the one before, would expand to gigabytes.
    #[test]
    fn no_entity_of_a_document_type_is_expanded() {
        let declared = |i: usize| format!("<!ENTITY e{i} \"{}\">", format!("&e{};", i - 1).repeat(10));
        let declared = (1..10).map(declared).collect::<Vec<_>>().concat();
        for text in [
            format!("<!DOCTYPE r [{declared}]><r>&e9;</r>"),
            format!("<!DOCTYPE r [{declared}]><r a='&e9;'/>"),
        ] {
            let error = parts(&text).unwrap_err();
            assert!(error.starts_with("line 1: ") && error.contains("e9"), "{error}");
        }
    }
}
