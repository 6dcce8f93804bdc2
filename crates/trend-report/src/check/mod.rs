//! Judgements of expectations, for people and for tools that check programs.
//!
//! The judgements come from `trend_analyze::judge`. There is one file for each format; begin at `text.rs`. All of
//! them share the sentences of `words.rs`.

pub(crate) mod github;
pub(crate) mod junit;
pub(crate) mod sarif;
pub(crate) mod text;
mod words;

#[cfg(test)]
mod tests;
