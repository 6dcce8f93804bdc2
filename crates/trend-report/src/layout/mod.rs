//! Texts, numbers, tables and plots of any content, as lines of a terminal or as Markdown.
//!
//! Begin at `document.rs`: every output for people is first a [`document::Document`]. Text from outside is made
//! harmless in `text.rs`.

pub(crate) mod axis;
pub(crate) mod braille;
pub(crate) mod columns;
pub(crate) mod document;
pub(crate) mod markdown;
pub(crate) mod number;
pub(crate) mod style;
pub(crate) mod text;
