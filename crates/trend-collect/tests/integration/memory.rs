//! How much memory a reader takes: an allocator that counts what the current thread holds.
//!
//! The fuzz targets use this file too, so that both hold the readers to the same promise.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

/// What a reader of text may hold at most, beside a constant: a line of two bytes becomes a location with its
/// names, and JSON is a tree before it is counts.
pub(crate) const PER_BYTE_OF_TEXT: usize = 256;
/// The same of what can be compressed: deflate makes 1032 bytes of one at most.
pub(crate) const PER_PACKED_BYTE: usize = 8 * 1032;
/// Tables of fixed size, buffers, and names that are kept with some slack.
const CONSTANT: usize = 4 << 20;

pub(crate) struct Counting;

thread_local! {
    static HELD: Cell<isize> = const { Cell::new(0) };
    static MOST: Cell<isize> = const { Cell::new(0) };
}

/// Memory can be freed by another thread than that which took it, and after a thread's end.
fn add(bytes: isize) {
    let _ = HELD.try_with(|held| {
        held.set(held.get() + bytes);
        let _ = MOST.try_with(|most| most.set(most.get().max(held.get())));
    });
}

// SAFETY: every call goes to the system's allocator as it is.
#[allow(unsafe_code, reason = "there is no other way to see what is allocated")]
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        add(layout.size() as isize);
        // SAFETY: the caller's promise.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        add(layout.size() as isize);
        // SAFETY: the caller's promise.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        add(-(layout.size() as isize));
        // SAFETY: the caller's promise.
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        add(size as isize - layout.size() as isize);
        // SAFETY: the caller's promise.
        unsafe { System.realloc(pointer, layout, size) }
    }
}

#[global_allocator]
static COUNTING: Counting = Counting;

/// Does some work on an input of that length and refuses it more memory than the length explains.
///
/// # Panics
/// It took more than `per_byte` for each byte, and a constant.
pub(crate) fn within<T>(length: usize, per_byte: usize, work: impl FnOnce() -> T) -> T {
    let before = HELD.get();
    MOST.set(before);
    let done = work();
    let most = MOST.get() - before;
    let allowed = CONSTANT + length * per_byte;
    assert!(most <= allowed as isize, "{length} bytes took {most} bytes of memory, {allowed} are allowed");
    done
}
