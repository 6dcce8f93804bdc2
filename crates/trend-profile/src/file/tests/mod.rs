//! Tests of the study file, and of its description in `docs/study.md`.

mod contents;
pub(crate) mod recorded;
mod wholeness;
