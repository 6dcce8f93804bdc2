//! The study as the analysis reads it: names of locations, places that a user means, points at which costs are
//! predicted, and the locations whose counts vary.

pub(crate) mod exclusion;
pub(crate) mod matching;
pub(crate) mod names;
pub(crate) mod point;
pub(crate) mod survey;
