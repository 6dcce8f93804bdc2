//! What programs with the probe record, against closed forms and against the definition.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod contexts;
mod damage;
mod definition;
mod ends;
mod forks;
mod input;
mod loops;
mod models;
mod processes;
mod sizes;
mod support;
mod time;
mod versions;
