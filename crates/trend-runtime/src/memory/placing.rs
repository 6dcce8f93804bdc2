//! Keeps the program's mappings where shadows are reserved.
//!
//! Allocators ask for unused addresses; mimalloc begins at 2 TB. The shadows of all threads are reserved before that,
//! for the blocks that the program uses and for their neighbors. For other addresses, the hint is dropped, as a system
//! may do, and the system chooses an address. A mapping that still lies elsewhere is undone or refused.

use core::arch::global_asm;
use core::ffi::{c_int, c_void};
use core::sync::atomic::{AtomicBool, Ordering};

use super::shadow;
use crate::system;

// If a program defines its own `mmap`, that one is used.
global_asm!(
    ".weak mmap",
    ".weak mmap64",
    ".type mmap, @function",
    ".type mmap64, @function",
    "mmap:",
    "mmap64:",
    "jmp {map}",
    map = sym map,
);

/// Replaces `mmap(2)` in the whole process.
unsafe extern "C" fn map(
    at: *mut c_void,
    length: usize,
    protection: c_int,
    flags: c_int,
    file: c_int,
    offset: i64,
) -> *mut c_void {
    static IS_SAID: AtomicBool = AtomicBool::new(false);
    let is_shadowed =
        |at: *mut c_void| shadow::is_shadowed(at as usize, (at as usize).saturating_add(length));
    let is_new = flags & system::MAP_FIXED_NOREPLACE != 0;
    let is_fixed = flags & system::MAP_FIXED != 0 && !is_new;
    let at = if is_new || is_fixed || is_shadowed(at) { at } else { core::ptr::null_mut() };
    // SAFETY: the caller guarantees it.
    let mapping = unsafe { system::mmap(at, length, protection, flags, file, offset) };
    if mapping as usize == usize::MAX || is_shadowed(mapping) {
        return mapping;
    }
    if is_fixed {
        system::fail(b"trend-prof: the program maps memory at an address of its own choice (MAP_FIXED) that is too far from all other to be watched\n");
    }
    // SAFETY: the memory was just mapped, where nothing was before.
    unsafe { system::munmap(mapping, length) };
    if is_new {
        return system::refused(system::EEXIST);
    }
    if !IS_SAID.swap(true, Ordering::Relaxed) {
        system::say(b"trend-prof: a mapping failed (ENOMEM): with the probe a program can map about 64 GB\n");
    }
    system::refused(system::ENOMEM)
}
