//! Observations of runs besides counts: costs by input size, trips of loops. Begin at `series`.

pub(crate) mod loops;
pub(crate) mod series;

mod context;
