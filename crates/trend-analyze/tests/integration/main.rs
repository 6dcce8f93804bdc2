//! Analyses of synthetic studies.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

#[path = "../../examples/joint_designs/designs.rs"]
mod designs;
mod joint_laws;
#[path = "../../examples/joint_designs/judge.rs"]
mod judge;
#[path = "../properties/mod.rs"]
#[expect(dead_code, reason = "other tests use the rest")]
mod properties;
