//! Memory in reserved address space.

use super::{
    MADV_DONTNEED, MAP_ANONYMOUS, MAP_FIXED, MAP_NORESERVE, MAP_PRIVATE, PROT_READ_WRITE, madvise, map,
};

/// Puts memory into address space that is reserved at an address. Returns false if there is no memory.
pub(crate) fn in_memory(at: usize, length: usize) -> bool {
    let flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED;
    map(at, length, PROT_READ_WRITE, flags, -1, 0).is_some()
}

/// Puts memory into address space, and keeps the first `kept` bytes that are there.
pub(crate) fn in_memory_with(at: usize, length: usize, kept: usize) -> bool {
    let flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
    let Some(copy) = map(0, kept, PROT_READ_WRITE, flags, -1, 0) else { return false };
    // SAFETY: the bytes have memory, before and after it is exchanged.
    unsafe {
        (copy as *mut u8).copy_from_nonoverlapping(at as *const u8, kept);
        let is_done = in_memory(at, length);
        if is_done {
            (at as *mut u8).copy_from_nonoverlapping(copy as *const u8, kept);
        }
        madvise(copy as *mut _, kept, MADV_DONTNEED);
        is_done
    }
}
