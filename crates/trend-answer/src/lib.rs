//! What laws come to at a target, and how numbers are written.
//!
//! # Design constraints
//!
//! - This code runs twice: in the program, and as WebAssembly in the page. So it has no files, no threads and no clock.
//! - Nothing is fitted here. Laws, intervals and candidates are given.

mod law;
#[cfg(target_arch = "wasm32")]
mod module;
pub mod number;
mod outlook;

pub use law::{Law, PublishedFactor, Source, published_term};
pub use outlook::{Band, Outlook, Row, is_same_size, raised};
