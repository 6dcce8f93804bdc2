//! Measures the memory of a reader with an allocator that counts the current thread's allocations.
//!
//! The fuzz targets use this file too, so both enforce one limit.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

/// Maximum bytes of memory per byte of text, besides a constant. A line of two bytes becomes a location with its names,
/// and JSON is a tree before it is counts.
pub(crate) const PER_BYTE_OF_TEXT: usize = 256;
/// Maximum bytes of memory per byte of a format with compression: deflate makes at most 1032 bytes of one.
pub(crate) const PER_PACKED_BYTE: usize = 8 * 1032;
/// Bytes for tables of fixed size, buffers, and spare capacity of names.
const CONSTANT: usize = 4 << 20;

pub(crate) struct Counting;

thread_local! {
    static HELD: Cell<isize> = const { Cell::new(0) };
    static MOST: Cell<isize> = const { Cell::new(0) };
}

/// Counts a change. Memory can be freed by another thread than the one that allocated it, and after a thread's end.
fn add(bytes: isize) {
    let _ = HELD.try_with(|held| {
        held.set(held.get() + bytes);
        let _ = MOST.try_with(|most| most.set(most.get().max(held.get())));
    });
}

// SAFETY: every call is passed on unchanged to the system's allocator.
#[allow(unsafe_code, reason = "there is no other way to see what is allocated")]
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        add(layout.size() as isize);
        // SAFETY: the caller keeps the contract of `GlobalAlloc`.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        add(layout.size() as isize);
        // SAFETY: the caller keeps the contract of `GlobalAlloc`.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        add(-(layout.size() as isize));
        // SAFETY: the caller keeps the contract of `GlobalAlloc`.
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        add(size as isize - layout.size() as isize);
        // SAFETY: the caller keeps the contract of `GlobalAlloc`.
        unsafe { System.realloc(pointer, layout, size) }
    }
}

#[global_allocator]
static COUNTING: Counting = Counting;

/// Runs work on an input of this length, and checks that it takes no more memory than the length explains.
///
/// # Panics
/// Panics if the work took more than `per_byte` bytes per byte, plus a constant.
pub(crate) fn within<T>(length: usize, per_byte: usize, work: impl FnOnce() -> T) -> T {
    let before = HELD.get();
    MOST.set(before);
    let done = work();
    let most = MOST.get() - before;
    let allowed = CONSTANT + length * per_byte;
    assert!(most <= allowed as isize, "{length} bytes took {most} bytes of memory, {allowed} are allowed");
    done
}
