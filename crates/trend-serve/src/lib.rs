//! The page of a study on loopback, with what does not fit into a file: every location's costs, predictions for any size,
//! the editor, and the study as it fills.
//!
//! A request goes from `connection` over `gate` (who may ask) and `routes` (what is asked) to the module that answers.
//! One thread reads and analyses the study (`live`); requests see what it found last (`content`).
//!
//! # Design constraints
//!
//! - It listens on loopback, answers its own page alone, and gives no file that the study does not name.
//! - It keeps no connection to the study: a file that is copied while it is served is whole.
//! - It prints nothing. The caller announces the address.

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
