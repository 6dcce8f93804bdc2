//! study

pub(crate) mod exclusion;
pub(crate) mod matching;
pub(crate) mod names;
pub(crate) mod point;
pub(crate) mod survey;
