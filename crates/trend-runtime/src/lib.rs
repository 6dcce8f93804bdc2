//! Runtime that probed programs are linked with.
//!
//! ```text
//!   program ── hooks that trend-probe inlined ──▶ Thread: frames, shadow, tables
//!                         └── rare cases ──▶ this crate ──▶ a mapped file: it keeps the records,
//!                                                           however the process ends
//! ```
//!
//! The crate never calls `malloc`, since programs bring their own, and never unwinds.
//!
//! # Folders
//!
//! From the bottom up: each folder uses only earlier ones, and folders on the same line do not use each other.
//!
//! | folder | what it has |
//! |---|---|
//! | `system/`, `layout/` | functions of the system, locks; layouts that readers and hooks share: [`record`], [`loop_record`] |
//! | `file/` | the mapped file of a process |
//! | `memory/`, `loops` | cells of memory: [`shadow`], [`watch`], [`model`], [`texts`], [`mappings`]; trip counts: [`loops`] |
//! | `routines/` | activations of routines: [`thread`], [`activations`], [`contexts`], [`tables`], [`descriptors`] |
//! | `cloning` | records of children that `clone` creates |

#![cfg_attr(not(test), no_std)]

#[cfg(all(trend_staticlib, not(all(target_os = "linux", target_arch = "x86_64"))))]
compile_error!("programs are probed on x86-64 Linux");

#[cfg(trend_staticlib)]
mod cloning;
mod file;
mod layout;
pub mod loops;
mod memory;
mod routines;
mod system;

pub use layout::{loop_record, record};
pub use memory::{mappings, model, shadow, texts, watch};
pub use routines::{activations, contexts, descriptors, tables, thread};
pub use system::EXIT_FAILED;

#[cfg(trend_staticlib)]
#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    system::fail(b"trend-prof: an error in the probe's runtime\n")
}
