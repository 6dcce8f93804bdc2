//! Memory lies where its shadow is.
//!
//! Allocators ask for addresses that nobody uses, as mimalloc does from 2 TB on. The shadows of all threads are reserved
//! before that, for the blocks in which the program has something and those beside them: elsewhere a hint is left out, as the
//! system may do, and the system says where there is room. What would lie elsewhere nevertheless is not mapped.

use core::arch::global_asm;
use core::ffi::{c_int, c_void};
use core::sync::atomic::{AtomicBool, Ordering};

use crate::{shadow, system};

// A program may have an `mmap` of its own: then that is the one.
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

/// `mmap(2)` of the whole process.
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
    // SAFETY: as the caller says.
    let found = unsafe { system::mmap(at, length, protection, flags, file, offset) };
    if found as usize == usize::MAX || is_shadowed(found) {
        return found;
    }
    if is_fixed {
        system::fail(b"trend-prof: the program maps memory at an address of its own choice (MAP_FIXED) that is too far from all other to be watched\n");
    }
    // SAFETY: it was mapped just now, where nothing was.
    unsafe { system::munmap(found, length) };
    if is_new {
        return system::refused(system::EEXIST);
    }
    if !IS_SAID.swap(true, Ordering::Relaxed) {
        system::say(b"trend-prof: a mapping failed (ENOMEM): with the probe a program can map about 64 GB\n");
    }
    system::refused(system::ENOMEM)
}
