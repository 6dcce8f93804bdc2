//! Models of functions without a probe: memory that they read and write, memory that they allocate, and data from the
//! kernel.

use core::mem::size_of;

use super::first_reads::first_read;
use super::shadow::Shadow;
use super::watch;
use crate::layout::record::Frame;
use crate::system;

/// Records that the calling activation has read `length` bytes. Returns the number of cells that are new to it.
///
/// # Safety
/// The frame must belong to the running activation, and the shadow to its thread.
pub unsafe fn read(frame: *mut Frame, shadow: Shadow, address: usize, length: usize) -> u64 {
    // SAFETY: the caller guarantees it.
    unsafe { read_some(frame, shadow, address, length, |_| true) }
}

/// Numbers of cells of a range that are examined together: first [`MANY`], and [`SOME`] if these are not alike.
const MANY: usize = 64;
const SOME: usize = 16;

/// Does the same as [`read`] for the cells whose former id `is_wanted` accepts.
unsafe fn read_some(
    frame: *mut Frame,
    shadow: Shadow,
    address: usize,
    length: usize,
    is_wanted: impl Fn(u32) -> bool,
) -> u64 {
    if address == 0 {
        return 0;
    }
    // SAFETY: below every activation's frame there is another one, and every address that the program uses has a
    // shadow.
    unsafe {
        let (id, parent) = ((*frame).id, (*frame.sub(1)).id);
        if watch::is_watched() {
            let mut new = 0;
            for at in shadow.ids(address, length) {
                // A cell that others wrote has a mark in its sign bit, so it is less than any id.
                let old = *at;
                if old.cast_signed() < id.cast_signed() && is_wanted(old) {
                    *at = id;
                    new += 1;
                    if old.cast_signed() < parent.cast_signed() {
                        watch::trend_probe_4_first_read_watched(frame, shadow.mask, old, at as usize);
                    }
                }
            }
            return new;
        }
        let (mut new, mut same, mut before) = (0_u64, 0_i64, 0_u32);
        let mut see = |old: u32, cells: &mut [u32]| {
            if old < id && is_wanted(old) {
                cells.fill(id);
                new += cells.len() as u64;
                if old < parent {
                    // Neighboring cells were mostly accessed together.
                    if same > 0 && old != before {
                        first_read(frame, before, same);
                        same = 0;
                    }
                    (same, before) = (same + cells.len() as i64, old);
                }
            }
        };
        let are_alike =
            |cells: &[u32]| cells.iter().fold(0, |differ, other| differ | (*other ^ cells[0])) == 0;
        shadow.each_piece(address, length, |ids| {
            for many in ids.chunks_mut(MANY) {
                if are_alike(many) {
                    see(many[0], many);
                    continue;
                }
                for some in many.chunks_mut(SOME) {
                    if are_alike(some) {
                        see(some[0], some);
                        continue;
                    }
                    for cell in some {
                        see(*cell, core::slice::from_mut(cell));
                    }
                }
            }
        });
        if same > 0 {
            first_read(frame, before, same);
        }
        new
    }
}

/// Records that the calling activation has written `length` bytes.
///
/// # Safety
/// As for [`read`].
pub unsafe fn write(frame: *mut Frame, shadow: Shadow, address: usize, length: usize) {
    if address == 0 {
        return;
    }
    // SAFETY: the same reason as above.
    unsafe {
        let id = (*frame).id;
        let is_watched = watch::is_watched();
        shadow.each_piece(address, length, |ids| {
            ids.fill(id);
            if is_watched {
                let first = ids.as_ptr() as usize;
                watch::trend_probe_4_first_write(frame, shadow.mask, ids.len() as u32, first);
            }
        });
    }
}

/// Size in bytes up to which new memory is marked cell by cell. Marking takes as much memory again, even if the program
/// never uses the block. In larger blocks, cells that are read before they are written count as input.
pub(crate) const MOST_MARKED: usize = 1 << 20;

/// Handles memory that the calling activation has received. Its contents do not count as input, even if other code
/// used it before.
unsafe fn allocated(frame: *mut Frame, shadow: Shadow, at: usize, length: usize) {
    if at == 0 {
        return;
    }
    // SAFETY: as above; the block is as long as the allocator says.
    unsafe {
        let end = at + system::usable(at).max(length);
        if length > MOST_MARKED {
            watch::forget(shadow, at, end - at);
            return;
        }
        write(frame, shadow, at, length);
        // Memory after the requested length must not look like contents that a `realloc` moves.
        let used = (at + length).next_multiple_of(1 << shadow.cell_shift);
        shadow.ids(used, end.saturating_sub(used)).for_each(|id| *id = 0);
    }
}

/// Handles a block that is about to be moved. The cells that were accessed and are kept count as read.
unsafe fn reallocates(frame: *mut Frame, shadow: Shadow, at: usize, length: usize) -> u64 {
    if at == 0 {
        return 0;
    }
    // SAFETY: the same reason as above.
    unsafe { read_some(frame, shadow, at, system::usable(at).min(length), |id| id != 0) }
}

/// `sizeof(struct mmsghdr)`, followed by the offset of the number of received bytes.
const MESSAGE_OF_MANY: usize = 64;
const MESSAGE_LENGTH: usize = 56;

/// Offset of the length in a `struct dirent`.
const ENTRY_OF_FOLDER_LENGTH: usize = 16;

/// Records that the kernel has written `length` bytes into `parts` buffers. Each one is an address and a length.
unsafe fn kernel_scatters(shadow: Shadow, at: usize, parts: usize, length: usize) {
    let mut left = length;
    for part in 0..if at == 0 { 0 } else { parts } {
        // SAFETY: the program has passed the buffers to the kernel.
        unsafe {
            let [start, room] = *(at as *const [usize; 2]).add(part);
            watch::kernel_writes(shadow, start, room.min(left));
            left = left.saturating_sub(room);
        }
    }
}

/// Records that the kernel has written `length` bytes into the buffers of a `struct msghdr`. The structure begins
/// with the address and length of a name, and the buffers follow.
unsafe fn kernel_receives(shadow: Shadow, message: usize, length: usize) {
    if message != 0 {
        // SAFETY: the same reason as above.
        unsafe {
            let [_, _, at, parts] = *(message as *const [usize; 4]);
            kernel_scatters(shadow, at, parts, length);
        }
    }
}

/// Offsets in liburing's `struct io_uring`: the mask for positions in the queue, the queue, its first and last
/// position, and the flags. `LONG_ENTRIES` is the flag for entries of twice the size.
const QUEUE_MASK: usize = 16;
const QUEUE_ENTRIES: usize = 56;
const QUEUE_BOUNDS: usize = 64;
const RING_FLAGS: usize = 192;
const LONG_ENTRIES: u32 = 1 << 10;
/// Size of an entry in bytes, and the offsets of its flags, second address, first address, and length.
const ENTRY: usize = 64;
const ENTRY_FLAGS: usize = 1;
const ENTRY_OTHER: usize = 8;
const ENTRY_ADDRESS: usize = 16;
const ENTRY_LENGTH: usize = 24;
/// Flag of an entry for which the kernel chooses the buffer.
const CHOSEN_BUFFER: u8 = 1 << 5;
/// `sizeof(struct statx)`.
const STATX: usize = 256;

/// Records the buffers that the kernel fills when the program submits its queue. The program looks at them only after
/// that.
unsafe fn kernel_completes(shadow: Shadow, ring: usize) {
    if ring == 0 {
        return;
    }
    // SAFETY: the program has passed the ring to liburing.
    unsafe {
        let mask = *((ring + QUEUE_MASK) as *const *const u32);
        let entries = *((ring + QUEUE_ENTRIES) as *const usize);
        let [first, last] = *((ring + QUEUE_BOUNDS) as *const [u32; 2]);
        let size = ENTRY << u32::from(*((ring + RING_FLAGS) as *const u32) & LONG_ENTRIES != 0);
        if mask.is_null() || entries == 0 {
            return;
        }
        for number in 0..last.wrapping_sub(first).min(*mask + 1) {
            let entry = entries + (first.wrapping_add(number) & *mask) as usize * size;
            let address = *((entry + ENTRY_ADDRESS) as *const usize);
            let length = *((entry + ENTRY_LENGTH) as *const u32) as usize;
            if *((entry + ENTRY_FLAGS) as *const u8) & CHOSEN_BUFFER != 0 {
                continue;
            }
            match *(entry as *const u8) {
                // READV, RECVMSG, READ_FIXED, READ and RECV, STATX.
                1 => kernel_scatters(shadow, address, length, usize::MAX),
                10 => kernel_receives(shadow, address, usize::MAX),
                4 | 22 | 27 => watch::kernel_writes(shadow, address, length),
                21 => watch::kernel_writes(shadow, *((entry + ENTRY_OTHER) as *const usize), STATX),
                _ => {}
            }
        }
    }
}

/// Generates functions for the hooks from models. Each takes the calling frame, the mask, the binary logarithm of a
/// cell's size, and three numbers. It returns the number of new cells.
macro_rules! models {
    ($($(#[$doc:meta])* $name:ident($frame:ident, $shadow:ident, $a:ident, $b:ident, $c:ident) $body:block)*) => {$(
        $(#[$doc])*
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $name(
            $frame: *mut $crate::layout::record::Frame,
            mask: usize,
            shift: u32,
            $a: usize,
            $b: usize,
            $c: usize,
        ) -> u64 {
            let $shadow = $crate::memory::shadow::Shadow { mask, cell_shift: shift };
            let _ = ($frame, $b, $c);
            // SAFETY: the hooks pass values that belong together, and the arguments of the modelled function.
            unsafe { $body }
        }
    )*};
}
pub(crate) use models;

models! {
    /// Reads `length` bytes.
    trend_probe_4_read_range(frame, shadow, at, length, _none) {
        read(frame, shadow, at, length)
    }

    /// Writes `length` bytes.
    trend_probe_4_write_range(frame, shadow, at, length, _none) {
        write(frame, shadow, at, length);
        0
    }

    /// Writes `length` bytes at the address that the pointer at `at` holds.
    trend_probe_4_write_behind(frame, shadow, at, length, _none) {
        if at != 0 {
            write(frame, shadow, *(at as *const usize), length);
        }
        0
    }

    /// Handles new memory from `malloc` and similar functions.
    trend_probe_4_allocated(frame, shadow, at, length, _none) {
        allocated(frame, shadow, at, length);
        0
    }

    /// Handles memory that is about to be moved or cut.
    trend_probe_4_reallocates(frame, shadow, at, length, _none) {
        reallocates(frame, shadow, at, length)
    }

    /// Handles new memory from an allocator about which nothing else is known.
    trend_probe_4_given(frame, shadow, at, length, _none) {
        if at != 0 && length > MOST_MARKED {
            watch::forget(shadow, at, length);
        } else {
            write(frame, shadow, at, length);
        }
        0
    }

    /// Handles `length` bytes that were moved from `at`, which may be free again, to `to`. Activations that accessed a
    /// cell count as having accessed it at the new address.
    trend_probe_4_moved(_frame, shadow, at, to, length) {
        if at != 0 && to != 0 && at != to {
            shadow.ids(at, length).zip(shadow.ids(to, length)).for_each(|(from, to)| *to = *from);
        }
        0
    }

    /// Records that the kernel has written `length` bytes.
    trend_probe_4_kernel_writes(_frame, shadow, at, length, _none) {
        watch::kernel_writes(shadow, at, length);
        0
    }

    /// Records that the kernel has written `length` bytes into `parts` buffers, each an address and a length.
    trend_probe_4_kernel_scatters(_frame, shadow, at, parts, length) {
        kernel_scatters(shadow, at, parts, length);
        0
    }

    /// Records that the kernel has written `length` bytes into the buffers of a `struct msghdr`.
    trend_probe_4_kernel_receives(_frame, shadow, message, length, _none) {
        kernel_receives(shadow, message, length);
        0
    }

    /// Records that the kernel has written into the buffers of `messages` `struct mmsghdr`s, and the length of each.
    trend_probe_4_kernel_receives_all(_frame, shadow, at, messages, _none) {
        for message in 0..if at == 0 { 0 } else { messages } {
            let message = at + message * MESSAGE_OF_MANY;
            let length = message + MESSAGE_LENGTH;
            kernel_receives(shadow, message, *(length as *const u32) as usize);
            watch::kernel_writes(shadow, length, size_of::<u32>());
        }
        0
    }

    /// Records that the kernel has written a `struct dirent`.
    trend_probe_4_kernel_gives_entry(_frame, shadow, entry, _none, _other) {
        if entry != 0 {
            let length = *((entry + ENTRY_OF_FOLDER_LENGTH) as *const u16);
            watch::kernel_writes(shadow, entry, length.into());
        }
        0
    }

    /// Records that the kernel writes into the buffers that wait in the queue of a `struct io_uring`.
    trend_probe_4_kernel_completes(_frame, shadow, ring, _none, _other) {
        kernel_completes(shadow, ring);
        0
    }

    /// Takes `length` bytes from a stream.
    trend_probe_4_streams(frame, shadow, length, _none, _other) {
        watch::streamed(frame, shadow, length)
    }
}
