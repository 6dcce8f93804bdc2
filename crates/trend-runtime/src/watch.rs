//! What the kernel and other threads write: for each cell its last writer, and marks in the shadows of those who have to
//! read it again.
//!
//! ```text
//!   cell's writer: A        B reads it: A, and others read     A writes it again: marks B's shadow, writer A
//! ```
//!
//! A thread that finds itself as a cell's only user has nothing to do. A mark keeps the id of the activation that had
//! accessed the cell, as RMS does not count it again.

use core::sync::atomic::{AtomicBool, AtomicU32, AtomicUsize, Ordering::Relaxed};

use crate::activations::{bottom_of, first_read, last_to_know};
use crate::mappings::is_of_file;
use crate::record::Frame;
use crate::shadow::{Blocks, Shadow};
use crate::thread::SLOTS;

/// Bits of an id where others are watched.
const ID: u32 = (1 << 30) - 1;
/// Another thread wrote the cell after the activation had accessed it …
const BY_THREAD: u32 = 1 << 31;
/// … or the kernel did.
const BY_KERNEL: u32 = BY_THREAD | (1 << 30);
/// The kernel as a writer. Threads have even numbers; the lowest bit tells that others have read the cell since.
const KERNEL: u32 = u32::MAX - 1;
const READ_BY_OTHERS: u32 = 1;

static IS_WATCHED: AtomicBool = AtomicBool::new(false);
/// The mask of the writers' shadow.
static WRITERS: AtomicUsize = AtomicUsize::new(0);
/// Of each running thread the mask of its shadow; 0 of none.
static MASKS: [AtomicUsize; SLOTS] = [const { AtomicUsize::new(0) }; SLOTS];
static USED: AtomicUsize = AtomicUsize::new(0);
static LAST_WRITER: AtomicU32 = AtomicU32::new(0);
/// Bytes of streams that make no whole cell yet.
static STREAMED: AtomicU32 = AtomicU32::new(0);

/// Whether the kernel and other threads are watched.
pub(crate) fn is_watched() -> bool {
    IS_WATCHED.load(Relaxed)
}

/// Begins to watch; `None` where there is no room.
pub(crate) fn begin(blocks: &mut Blocks) -> Option<()> {
    WRITERS.store(blocks.reserve_shadow(0)?, Relaxed);
    IS_WATCHED.store(true, Relaxed);
    Some(())
}

/// A thread has begun: what leads from its shadow to the writers', and its number as one.
pub(crate) fn admit(slot: usize, mask: usize) -> (usize, u32) {
    MASKS[slot].store(mask, Relaxed);
    USED.fetch_max(slot + 1, Relaxed);
    new_writer(mask)
}

/// What leads from a shadow to the writers', and a number as one.
pub(crate) fn new_writer(mask: usize) -> (usize, u32) {
    let writer = LAST_WRITER.fetch_add(2, Relaxed) + 2;
    (mask ^ WRITERS.load(Relaxed), writer & ID)
}

/// A thread has ended.
pub(crate) fn leave(slot: usize) {
    MASKS[slot].store(0, Relaxed);
}

/// The masks of all running threads but one.
fn masks(except: usize) -> impl Iterator<Item = usize> {
    let used = USED.load(Relaxed);
    MASKS[..used].iter().map(|mask| mask.load(Relaxed)).filter(move |mask| *mask != 0 && *mask != except)
}

fn writer_of(shadow: usize, mask: usize) -> *mut u32 {
    (shadow ^ mask ^ WRITERS.load(Relaxed)) as *mut u32
}

/// Called where a cell is new to the caller's caller as well, or others have written it. `old` is what the shadow of the cell
/// had.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trend_probe_4_first_read_watched(
    frame: *mut Frame,
    mask: usize,
    old: u32,
    shadow: usize,
) {
    // SAFETY: the hooks pass the frame of an activation and the shadow of a cell that it reads; the bottom of the stack,
    // below it, has the ids that are none of this thread's and its number as a writer.
    unsafe {
        let bottom = &*bottom_of(frame);
        let (own, last_of_others) = (bottom.count as u32, bottom.id);
        let known = if old & ID <= last_of_others { 0 } else { old & ID };
        // Nobody else wrote the cell since the thread accessed it, and its last writer knows that it did.
        if known != 0 && known == old {
            if known < (*frame.sub(1)).id {
                first_read(frame, known, 1);
            }
            return;
        }
        let writer = writer_of(shadow, mask);
        let last = *writer & !READ_BY_OTHERS;
        let by = match old {
            // The thread has not accessed it before; marks are those of an earlier one.
            _ if known == 0 && last == 0 => is_of_file(shadow ^ mask).then_some(KERNEL),
            _ if known == 0 => (last != own).then_some(last),
            _ if old & BY_KERNEL == BY_KERNEL => Some(KERNEL),
            _ if old & BY_THREAD != 0 => Some(last),
            _ => None,
        };
        if last != own && last != 0 && last != KERNEL {
            *writer |= READ_BY_OTHERS;
        }
        match by {
            None if known < (*frame.sub(1)).id => first_read(frame, known, 1),
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
                if known != 0 {
                    let again = if (*frame).id <= known { frame } else { last_to_know(frame, known) };
                    (*again).again += 1;
                }
            }
        }
    }
}

/// Called at a write of cells of which the thread is not the last writer, or not the only user since.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trend_probe_4_first_write(
    frame: *mut Frame,
    mask: usize,
    cells: u32,
    shadow: usize,
) {
    // SAFETY: as above; neighbouring cells whose shadows are as well.
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
        // SAFETY: shadows of one address are there in all threads.
        unsafe {
            if *at != 0 {
                *at = (*at & ID) | by;
            }
        }
    }
}

/// The kernel has written `length` bytes.
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

/// The activation has taken `length` bytes from a stream: as many cells of input that the kernel wrote. They are no cells of
/// the program's memory, so that RMS does not count them.
pub(crate) unsafe fn streamed(frame: *mut Frame, shadow: Shadow, length: usize) -> u64 {
    if !is_watched() {
        return 0;
    }
    let all = STREAMED.load(Relaxed) as usize + length;
    let cells = all >> shadow.cell_shift;
    STREAMED.store((all - (cells << shadow.cell_shift)) as u32, Relaxed);
    // SAFETY: the frame is that of the running activation.
    unsafe {
        first_read(frame, 0, cells as i64);
        (*frame).from_kernel += cells as u64;
        (*frame).own_from_kernel += cells as u64;
        (*frame).again += cells as u64;
    }
    cells as u64
}

/// Makes cells look to all threads as if nobody had accessed them.
pub(crate) unsafe fn forget(shadow: Shadow, address: usize, length: usize) {
    // SAFETY: as the caller says.
    unsafe {
        for mask in masks(0) {
            Shadow { mask, ..shadow }.forget(address, length);
        }
        if is_watched() {
            Shadow { mask: WRITERS.load(Relaxed), ..shadow }.forget(address, length);
        }
    }
}

/// Whoever knew the cells of a range knows them at another address, where nobody knew any.
pub(crate) unsafe fn moved(shadow: Shadow, from: usize, to: usize, length: usize) {
    let writers = is_watched().then(|| WRITERS.load(Relaxed));
    for mask in masks(0).chain(writers) {
        let shadow = Shadow { mask, ..shadow };
        for (old, new) in shadow.ids(from, length).zip(shadow.ids(to, length)) {
            // SAFETY: both are the program's. Cells that nobody knew take no memory.
            unsafe {
                if *old != 0 {
                    *new = *old;
                }
            }
        }
    }
}

/// What becomes of a cell's id when ids are given anew: those of earlier threads are forgotten, and marks stay.
pub(crate) fn renumbered(old: u32, last_of_others: u32, frames: &[Frame]) -> u32 {
    let id = old & ID;
    if id <= last_of_others {
        return 0;
    }
    (old & !ID) | (FIRST_ID - 1 + frames.partition_point(|frame| frame.id <= id) as u32)
}

/// The id of the bottom of a stack after that, and of the first activation: between them is that of all that have ended.
pub(crate) const BOTTOM_ID: u32 = 1;
pub(crate) const FIRST_ID: u32 = 3;
