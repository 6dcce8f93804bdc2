//! Studies as files: commands that write them, or convert them.
//!
//! Begin with [`import`]: makes a study of other tools' files. [`merge`] joins studies; [`note`] edits notes on
//! functions and clusters; [`repair`] recovers a damaged one; [`export`] writes files for other tools.

pub(crate) mod export;
pub(crate) mod import;
pub(crate) mod merge;
pub(crate) mod note;
pub(crate) mod repair;
