//! Laws: growth classes and their terms, and costs as sums of terms. Nothing here is fitted. Begin at `class`.

pub(crate) mod class;
pub(crate) mod law;
pub(crate) mod parse;
