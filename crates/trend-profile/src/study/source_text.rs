//! Texts of the source files.

/// A source file's text when the program ran.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceText {
    /// Path as in [`Location::file`](crate::Location).
    pub file: String,
    /// Text of the file, lossily decoded.
    pub text: String,
}
