//! Tracks memory that is mapped, moved and unmapped, and the parts of it that are files.

use super::mapped_files::{FILES, is_of_file};
use super::model::{MOST_MARKED, models, write};
use super::shadow::Shadow;
use super::watch;
use crate::system;

const PAGE: usize = 4096;
/// `MAP_ANONYMOUS`: the mapping has no file, whatever the file argument is.
const NO_FILE: usize = system::MAP_ANONYMOUS as usize;
/// Result of an `mmap` or `mremap` that fails.
const FAILED: usize = usize::MAX;
/// Rounds a length up to whole pages, as the kernel does.
fn pages(length: usize) -> usize {
    length.checked_next_multiple_of(PAGE).unwrap_or(length)
}

/// Marks newly mapped memory as never accessed. If it belongs to a file, its contents come from the kernel.
unsafe fn mapped(shadow: Shadow, address: usize, length: usize, is_file: bool) {
    // SAFETY: the memory is the program's.
    unsafe { watch::forget(shadow, address, length) };
    if watch::is_watched() {
        FILES.change(address, address + length, is_file);
    }
}

models! {
    /// Handles newly mapped memory.
    trend_probe_4_maps(frame, shadow, at, length, flags) {
        if at != FAILED {
            let is_file = flags & NO_FILE == 0;
            mapped(shadow, at, pages(length), is_file);
            if !is_file && length <= MOST_MARKED {
                write(frame, shadow, at, length);
            }
        }
        0
    }

    /// Handles memory that is about to be unmapped. The C library may get it next, and its mappings are not seen.
    trend_probe_4_unmaps(_frame, shadow, at, length, _none) {
        if at.is_multiple_of(PAGE) && length > 0 {
            mapped(shadow, at, pages(length), false);
        }
        0
    }

    /// Handles a mapping that is about to lose everything beyond its new length.
    trend_probe_4_shrinks(_frame, shadow, at, old, new) {
        let (old, new) = (pages(old), pages(new));
        if at.is_multiple_of(PAGE) && 0 < new && new < old {
            mapped(shadow, at + new, old - new, false);
        }
        0
    }

    /// Handles a mapping that has moved. Activations that accessed a cell count as having accessed it at the new
    /// address. If `length` is 0, the memory is at both addresses.
    trend_probe_4_remaps(_frame, shadow, at, to, length) {
        if to != FAILED && to != at {
            let is_file = watch::is_watched() && is_of_file(at);
            if length == 0 {
                mapped(shadow, to, PAGE, is_file);
            } else {
                let length = pages(length);
                mapped(shadow, to, length, is_file);
                watch::moved(shadow, at, to, length);
                mapped(shadow, at, length, false);
            }
        }
        0
    }

    /// Handles a mapping that may have grown.
    trend_probe_4_grows(frame, shadow, at, old, new) {
        let (old, new) = (pages(old), pages(new));
        if at != FAILED && old < new {
            let is_file = watch::is_watched() && is_of_file(at);
            mapped(shadow, at + old, new - old, is_file);
            if !is_file && new - old <= MOST_MARKED {
                write(frame, shadow, at + old, new - old);
            }
        }
        0
    }
}
