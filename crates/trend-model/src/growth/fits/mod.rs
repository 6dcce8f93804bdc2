//! Fits of sums of terms to points, robust and previewed. Nothing here knows which sums compete. Begin at `fit`.

pub(crate) mod fit;
pub(crate) mod points;
pub(crate) mod previews;
pub(crate) mod splits;

mod steps;
