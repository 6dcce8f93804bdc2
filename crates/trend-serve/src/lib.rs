//! Serves the page of a study on loopback, with features that a file cannot have: every location's costs, predictions
//! for any size, the editor, and updates while the study grows.
//!
//! A request passes from `connection` through `gate` (who may send it) and `routes` (what it requests) to the module
//! that answers. One thread reads and analyses the study (`live`); requests see its latest result (`content`).
//!
//! # Design constraints
//!
//! - The server listens on loopback, answers only its own page, and serves no file that the study does not name.
//! - The server keeps no connection to the study: a file that is copied while it is served is complete.
//! - The server prints nothing. The caller announces the address.

#![forbid(unsafe_code)]

mod address;
mod answer;
mod connection;
mod content;
mod editor;
mod error;
mod file_state;
mod gate;
mod live;
mod points;
mod predict;
mod query;
mod routes;
mod server;
mod source;

pub use editor::Editor;
pub use error::ServeError;
pub use server::{ServeOptions, Server};
