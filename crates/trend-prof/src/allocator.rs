//! The allocator. Where there is no memory, it says so and ends the process, which would abort otherwise.

#![expect(
    unsafe_code,
    reason = "an allocator is an unsafe trait, and the process must end without allocating"
)]

use std::alloc::{GlobalAlloc, Layout};

use mimalloc::MiMalloc;

use crate::failure::EXIT_WRONG_INPUT;

const MESSAGE: &str = "error: out of memory\n hint: allow more (`ulimit -v`) or free some, and repeat the command; what was recorded is safe\n";

/// mimalloc, without null pointers.
pub(crate) struct Allocator;

// SAFETY: each function passes its arguments and the result of mimalloc on, under the same conditions.
unsafe impl GlobalAlloc for Allocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller keeps to the conditions of `alloc`.
        or_end(unsafe { MiMalloc.alloc(layout) })
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller keeps to the conditions of `alloc_zeroed`.
        or_end(unsafe { MiMalloc.alloc_zeroed(layout) })
    }

    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: the caller keeps to the conditions of `realloc`.
        or_end(unsafe { MiMalloc.realloc(memory, layout, size) })
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        // SAFETY: the caller keeps to the conditions of `dealloc`.
        unsafe { MiMalloc.dealloc(memory, layout) }
    }
}

fn or_end(memory: *mut u8) -> *mut u8 {
    if memory.is_null() { end() } else { memory }
}

/// Ends the process. Runs nothing else: it may hold any lock.
#[cold]
fn end() -> ! {
    // SAFETY: both are system calls. The message is as long as it is said to be.
    unsafe {
        libc::write(libc::STDERR_FILENO, MESSAGE.as_ptr().cast(), MESSAGE.len());
        libc::_exit(i32::from(EXIT_WRONG_INPUT))
    }
}
