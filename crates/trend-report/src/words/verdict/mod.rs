//! Sentences at the top, which readers need even if they read nothing else. Their content is decided by
//! [`trend_analyze::statements`].
//!
//! Begin at `sentences.rs`.

pub(crate) mod doubts;
mod pace;
pub(crate) mod sentences;
mod series;
pub(crate) mod statement;
