//! Words that users write: commands, templates with placeholders, parameters and their values, quantities with units.
//!
//! Begin with `placeholder`, the templates from which commands are filled in.

pub(crate) mod error;
pub(crate) mod parameter;
pub(crate) mod placeholder;
pub(crate) mod quantity;
pub(crate) mod shell;
