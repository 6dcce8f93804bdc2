//! Costs of loops and calls: sequences, nests, alternatives, recursion, and their growth. Begin at `cost`.

pub(crate) mod cost;
pub(crate) mod growth;
pub(crate) mod growth_sum;
pub(crate) mod recurrence;
