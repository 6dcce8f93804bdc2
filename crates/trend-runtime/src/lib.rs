//! What a probed program is linked with.
//!
//! ```text
//!   program ── hooks that trend-probe inlined ──▶ Thread: frames, shadow, tables
//!                         └── rare cases ──▶ this crate ──▶ a mapped file: what is recorded is there,
//!                                                           however the process ends
//! ```
//!
//! - [`record`]: the layout of that file, for whoever reads it.
//! - [`descriptors`]: routines, as trend-probe writes them into the code.
//! - [`thread`]: what each thread has for the activations of its routines.
//! - [`activations`]: their ends, unwinding, and the input that each has read.
//! - [`contexts`]: a table for each path of callers, where that is wanted.
//! - [`shadow`]: for each cell of memory, the last activation that accessed it.
//! - [`tables`]: what is kept of each routine's activations: sums by size.
//! - `guests`: threads beyond those that can be watched.
//! - [`watch`]: what the kernel and other threads write.
//! - [`model`], [`texts`]: what functions that are not probed read and write.
//! - [`loops`]: how often loops are run through, by the values of their inputs; [`loop_record`]: where that is kept.
//! - [`mappings`]: memory that is mapped, and which of it is that of files; `placing`: where it may lie.
//!
//! Nothing here allocates by `malloc`, as programs bring their own; nothing unwinds.

#![cfg_attr(not(test), no_std)]

#[cfg(all(trend_staticlib, not(all(target_os = "linux", target_arch = "x86_64"))))]
compile_error!("programs are probed on x86-64 Linux");

pub mod activations;
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
