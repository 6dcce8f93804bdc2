//! Memory lies where its shadow is.
//!
//! Allocators ask for addresses that nobody uses, as mimalloc does from 2 TB on. The shadows of all threads are reserved
//! before that, for the blocks in which the program has something and those beside them: elsewhere a hint is left out, as the
//! system may do, and the system says where there is room.

use core::arch::global_asm;
use core::ffi::{c_int, c_void};

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
    let is_hint = flags & (system::MAP_FIXED | system::MAP_FIXED_NOREPLACE) == 0;
    let start = at as usize;
    let is_shadowed = shadow::is_shadowed(start, start.saturating_add(length));
    let at = if is_hint && !is_shadowed { core::ptr::null_mut() } else { at };
    // SAFETY: as the caller says.
    unsafe { system::mmap(at, length, protection, flags, file, offset) }
}
