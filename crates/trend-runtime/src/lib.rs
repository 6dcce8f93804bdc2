//! Runtime that probed programs are linked with.
//!
//! ```text
//!   program ── hooks that trend-probe inlined ──▶ Thread: frames, shadow, tables
//!                         └── rare cases ──▶ this crate ──▶ a mapped file: it keeps the records,
//!                                                           however the process ends
//! ```
//!
//! - [`record`]: layout of that file, for its readers.
//! - [`descriptors`]: routines, as trend-probe writes them into the code.
//! - [`thread`]: state of each thread for the activations of its routines.
//! - [`activations`]: ends of activations, unwinding, and the input that each has read.
//! - [`contexts`]: a table for each path of callers, if contexts are wanted.
//! - [`shadow`]: the last activation that accessed each cell of memory.
//! - [`tables`]: sums of each routine's activations by size.
//! - `guests`: threads beyond the number that can be watched.
//! - [`watch`]: cells that the kernel and other threads write.
//! - [`model`], [`texts`]: reads and writes of functions without a probe.
//! - [`loops`]: trip counts of loops by the values of their inputs; [`loop_record`]: layout of their file.
//! - [`mappings`]: mapped memory, and the parts of it that are files; `placing`: addresses where memory may be mapped.
//! - `cloning`: records of children that `clone` creates.
//!
//! The crate never calls `malloc`, since programs bring their own, and never unwinds.

#![cfg_attr(not(test), no_std)]

#[cfg(all(trend_staticlib, not(all(target_os = "linux", target_arch = "x86_64"))))]
compile_error!("programs are probed on x86-64 Linux");

/// Exit code of a program that cannot run with the probe, such as one of objects with different options. Its reason is
/// on stderr.
pub const EXIT_FAILED: i32 = 70;

pub mod activations;
#[cfg(trend_staticlib)]
mod cloning;
pub mod contexts;
pub mod descriptors;
mod file;
mod guests;
mod lock;
pub mod loop_record;
pub mod loops;
pub mod mappings;
pub mod model;
#[cfg(trend_staticlib)]
mod placing;
pub mod record;
mod renumber;
pub mod shadow;
mod system;
pub mod tables;
pub mod texts;
pub mod thread;
pub mod watch;

#[cfg(trend_staticlib)]
#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    system::fail(b"trend-prof: an error in the probe's runtime\n")
}
