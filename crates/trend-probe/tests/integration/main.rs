//! Compares the records of programs with the probe with closed forms, and with the definition.
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
