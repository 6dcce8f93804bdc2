//! Searches for inputs that make a program's cost grow faster than the user's inputs do.
//!
//! The search is over *recipes*: generators of inputs of any size, such as `"["×n "]"×n`. One recipe is measured at
//! several sizes, so that its cost has a growth and not only an amount.
//!
//! ```text
//!   seeds, strings of the program ─▶ Fragments ─▶ Search ─▶ recipes ─▶ (the caller runs them) ─▶ counts
//!                                                   ▲                                             │
//!                                                   └── Archive: the best recipe of each place ◀──┘
//! ```
//!
//! # Design constraints
//!
//! - No processes, no files, no clock. The caller runs the recipes and returns the counts.
//! - The same seed, fragments and counts give the same recipes in the same order.
//! - A place is the position of its count; this crate knows no names.

#![forbid(unsafe_code)]

mod archive;
mod chance;
mod change;
mod fragments;
mod growth;
mod invention;
mod key;
mod recipe;
mod search;
mod shrinking;
mod text;

pub use fragments::Fragments;
pub use growth::{Measured, Steep, steep};
pub use key::{Form, Key, Order};
pub use recipe::{Part, Recipe, Times};
pub use search::Search;
pub use shrinking::smaller;
pub use text::RecipeError;
