//! Tests of what all folders make.

pub(crate) mod schema;
