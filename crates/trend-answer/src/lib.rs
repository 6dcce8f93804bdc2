//! Computes everything that depends on a target: costs by laws, the place to fix, time and memory. Also formats
//! numbers.
//!
//! # Design constraints
//!
//! - This code runs in the program, and as WebAssembly in the page. So it uses no files, no threads and no clock.
//! - Nothing is fitted here. Laws, intervals and candidates are given.

mod choice;
mod fill;
#[cfg(any(test, target_arch = "wasm32"))]
mod flat;
mod law;
#[cfg(target_arch = "wasm32")]
mod module;
pub mod number;
mod outlook;
#[cfg(feature = "schema")]
pub mod schema;
mod time;

pub use choice::{
    AnswerKind, Choice, Contender, Group, LEAST_SHARE, NOTABLE_SHARE, Others, Pace, Scene, Shown, Spread,
    Unnamed, Weighed, share_of,
};
pub use fill::{Filling, Leader, Origin, fill};
pub use law::{Law, PublishedFactor, Source, published_term};
pub use outlook::{Band, Outlook, Row, is_same_size, raised, widened};
pub use time::{CacheStep, Growth, HiddenPart, OPEN, Part, is_open};
