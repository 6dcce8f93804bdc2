//! Tracks writes by the kernel and other threads. Keeps the last writer of each cell, and marks the shadows of threads
//! that must read the cell again.
//!
//! ```text
//!   cell's writer: A        B reads it: A, and others read     A writes it again: marks B's shadow, writer A
//! ```
//!
//! A thread that is a cell's only user has nothing to do. A mark keeps the id of the activation that had accessed the
//! cell, since RMS does not count it again.

use core::sync::atomic::{AtomicBool, AtomicU32, AtomicUsize, Ordering::Relaxed};

use super::first_reads::{bottom_of, first_read, innermost_that_accessed};
use super::mapped_files::is_of_file;
use super::shadow::{Blocks, Shadow};
use crate::layout::record::Frame;

/// Maximum number of threads that can be watched at a time.
pub(crate) const SLOTS: usize = 4096;
/// Bits of an id if the kernel and other threads are watched.
const ID: u32 = (1 << 30) - 1;
/// Mark of a cell that another thread wrote after the activation had accessed it.
const BY_THREAD: u32 = 1 << 31;
/// Mark of a cell that the kernel wrote after the activation had accessed it.
const BY_KERNEL: u32 = BY_THREAD | (1 << 30);
/// Number of the kernel as a writer. Threads have even numbers. The lowest bit is set once others have read the cell.
const KERNEL: u32 = u32::MAX - 1;
const READ_BY_OTHERS: u32 = 1;

static IS_WATCHED: AtomicBool = AtomicBool::new(false);
/// Mask of the writers' shadow.
static WRITERS: AtomicUsize = AtomicUsize::new(0);
/// Mask of the shadow of each running thread; 0 for none.
static MASKS: [AtomicUsize; SLOTS] = [const { AtomicUsize::new(0) }; SLOTS];
static USED: AtomicUsize = AtomicUsize::new(0);
static LAST_WRITER: AtomicU32 = AtomicU32::new(0);
/// Number of bytes of streams that do not make up a whole cell yet.
static STREAMED: AtomicU32 = AtomicU32::new(0);

/// Returns true if the kernel and other threads are watched.
pub(crate) fn is_watched() -> bool {
    IS_WATCHED.load(Relaxed)
}

/// Starts to watch. Returns `None` if there is no room.
pub(crate) fn begin(blocks: &mut Blocks) -> Option<()> {
    WRITERS.store(blocks.reserve_shadow(0)?, Relaxed);
    IS_WATCHED.store(true, Relaxed);
    Some(())
}

/// Registers a thread that begins. Returns the XOR of its mask and the writers' mask, and its number as a writer.
pub(crate) fn admit(slot: usize, mask: usize) -> (usize, u32) {
    MASKS[slot].store(mask, Relaxed);
    USED.fetch_max(slot + 1, Relaxed);
    new_writer(mask)
}

/// Returns the XOR of a mask and the writers' mask, and the number of a new writer.
pub(crate) fn new_writer(mask: usize) -> (usize, u32) {
    let writer = LAST_WRITER.fetch_add(2, Relaxed) + 2;
    (mask ^ WRITERS.load(Relaxed), writer & ID)
}

/// Removes a thread that has ended.
pub(crate) fn leave(slot: usize) {
    MASKS[slot].store(0, Relaxed);
}

/// Returns the masks of all running threads but one.
fn masks(except: usize) -> impl Iterator<Item = usize> {
    let used = USED.load(Relaxed);
    MASKS[..used].iter().map(|mask| mask.load(Relaxed)).filter(move |mask| *mask != 0 && *mask != except)
}

fn writer_of(shadow: usize, mask: usize) -> *mut u32 {
    (shadow ^ mask ^ WRITERS.load(Relaxed)) as *mut u32
}

/// Counts a first read. `old` is the value in the shadow of the cell. Called if a cell is also new to the activation's
/// caller, or if others have written it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trend_probe_4_first_read_watched(
    frame: *mut Frame,
    mask: usize,
    old: u32,
    shadow: usize,
) {
    // SAFETY: the hooks pass the frame of an activation and the shadow of a cell that it reads. The bottom of the
    // stack below it has the last id that does not belong to this thread, and the thread's number as a writer.
    unsafe {
        let bottom = &*bottom_of(frame);
        let (own, last_of_others) = (bottom.count as u32, bottom.id);
        let access = if old & ID <= last_of_others { 0 } else { old & ID };
        // Others have not written the cell since the thread accessed it, and its last writer knows of that access.
        if access != 0 && access == old {
            if access < (*frame.sub(1)).id {
                first_read(frame, access, 1);
            }
            return;
        }
        let writer = writer_of(shadow, mask);
        let last = *writer & !READ_BY_OTHERS;
        let by = match old {
            // The thread has not accessed the cell before. Marks belong to an earlier thread.
            _ if access == 0 && last == 0 => is_of_file(shadow ^ mask).then_some(KERNEL),
            _ if access == 0 => (last != own).then_some(last),
            _ if old & BY_KERNEL == BY_KERNEL => Some(KERNEL),
            _ if old & BY_THREAD != 0 => Some(last),
            _ => None,
        };
        if last != own && last != 0 && last != KERNEL {
            *writer |= READ_BY_OTHERS;
        }
        match by {
            None if access < (*frame.sub(1)).id => first_read(frame, access, 1),
            None => {}
            Some(by) => {
                first_read(frame, 0, 1);
                if by == KERNEL {
                    (*frame).from_kernel += 1;
                    (*frame).own_from_kernel += 1;
                } else {
                    (*frame).from_threads += 1;
                    (*frame).own_from_threads += 1;
                }
                if access != 0 {
                    let again =
                        if (*frame).id <= access { frame } else { innermost_that_accessed(frame, access) };
                    (*again).again += 1;
                }
            }
        }
    }
}

/// Marks cells as written. Called if the thread is not their last writer, or if others have read them since.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trend_probe_4_first_write(
    frame: *mut Frame,
    mask: usize,
    cells: u32,
    shadow: usize,
) {
    // SAFETY: as above; the cells and their shadows are contiguous.
    unsafe {
        let own = (*bottom_of(frame)).count as u32;
        for cell in 0..cells as usize {
            let at = shadow + cell * size_of::<u32>();
            let writer = writer_of(at, mask);
            if *writer != own {
                mark(at, mask, BY_THREAD, mask);
                *writer = own;
            }
        }
    }
}

/// Marks a cell in the shadows of all threads but one.
unsafe fn mark(shadow: usize, mask: usize, by: u32, except: usize) {
    for other in masks(except) {
        let at = (shadow ^ mask ^ other) as *mut u32;
        // SAFETY: all threads have a shadow of each address.
        unsafe {
            if *at != 0 {
                *at = (*at & ID) | by;
            }
        }
    }
}

/// Records that the kernel has written `length` bytes.
pub(crate) unsafe fn kernel_writes(shadow: Shadow, address: usize, length: usize) {
    if !is_watched() || address == 0 {
        return;
    }
    for at in shadow.ids(address, length) {
        // SAFETY: the program has passed the memory to the kernel.
        unsafe {
            mark(at as usize, shadow.mask, BY_KERNEL, 0);
            *writer_of(at as usize, shadow.mask) = KERNEL;
        }
    }
}

/// Records that the activation has taken `length` bytes from a stream. They count as cells of input that the kernel
/// wrote. RMS does not count them, since they are not cells of the program's memory.
pub(crate) unsafe fn streamed(frame: *mut Frame, shadow: Shadow, length: usize) -> u64 {
    if !is_watched() {
        return 0;
    }
    let all = STREAMED.load(Relaxed) as usize + length;
    let cells = all >> shadow.cell_shift;
    STREAMED.store((all - (cells << shadow.cell_shift)) as u32, Relaxed);
    // SAFETY: the frame belongs to the running activation.
    unsafe {
        first_read(frame, 0, cells as i64);
        (*frame).from_kernel += cells as u64;
        (*frame).own_from_kernel += cells as u64;
        (*frame).again += cells as u64;
    }
    cells as u64
}

/// Makes cells look to all threads as if they had never been accessed.
pub(crate) unsafe fn forget(shadow: Shadow, address: usize, length: usize) {
    // SAFETY: the caller guarantees it.
    unsafe {
        for mask in masks(0) {
            Shadow { mask, ..shadow }.forget(address, length);
        }
        if is_watched() {
            Shadow { mask: WRITERS.load(Relaxed), ..shadow }.forget(address, length);
        }
    }
}

/// Copies the shadows of a range to another address, where no cell was accessed.
pub(crate) unsafe fn moved(shadow: Shadow, from: usize, to: usize, length: usize) {
    let writers = is_watched().then(|| WRITERS.load(Relaxed));
    for mask in masks(0).chain(writers) {
        let shadow = Shadow { mask, ..shadow };
        for (old, new) in shadow.ids(from, length).zip(shadow.ids(to, length)) {
            // SAFETY: both ranges are the program's. Skipping cells that were never accessed saves memory.
            unsafe {
                if *old != 0 {
                    *new = *old;
                }
            }
        }
    }
}

/// Returns the new id of a cell when ids are renumbered. Ids of earlier threads are forgotten, and marks stay.
pub(crate) fn renumbered(old: u32, last_of_others: u32, frames: &[Frame]) -> u32 {
    let id = old & ID;
    if id <= last_of_others {
        return 0;
    }
    (old & !ID) | (FIRST_ID - 1 + frames.partition_point(|frame| frame.id <= id) as u32)
}

/// Id of the bottom of a stack after renumbering. The first activation has `FIRST_ID`, and the id between stands for
/// all that have ended.
pub(crate) const BOTTOM_ID: u32 = 1;
pub(crate) const FIRST_ID: u32 = 3;
