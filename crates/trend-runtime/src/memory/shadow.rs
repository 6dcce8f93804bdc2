//! Shadow memory: the last activation that accessed each cell, for each thread.
//!
//! The shadow of an address is at `address ^ mask`. Each thread has its own mask, which maps the parts of the address
//! space that the program uses to unused parts:
//!
//! ```text
//!   program   0x55… │ 0x7f…        blocks of 64 GB
//!   mask 1    0x15… │ 0x3f…
//!   mask 2    0x14… │ 0x3e…        every thread has its own
//! ```
//!
//! The blocks are only reserved. A page takes memory once it is written to.

use core::mem::size_of;
use core::sync::atomic::{AtomicU64, Ordering};

use crate::layout::descriptor::Descriptor;
use crate::system;

/// Number of bits of an address in the user's half of the address space. With ThreadSanitizer, the runtime can only
/// use the first 2 TB, because ThreadSanitizer knows too little about the rest.
const ADDRESS_BITS: u32 = if cfg!(trend_sanitizer = "thread") { 41 } else { 47 };
/// Number of bits of an offset in a block.
pub(crate) const BLOCK_BITS: u32 = 36;
pub(crate) const BLOCKS: usize = 1 << (ADDRESS_BITS - BLOCK_BITS);
/// First block that is not AddressSanitizer's, if that is in the process: its shadow fills 16 TB.
const FIRST: usize = if cfg!(trend_sanitizer = "address") { 0x101 } else { 1 };
/// Number of words that have a bit for each block.
const WORDS: usize = BLOCKS.div_ceil(64);
/// Bits of every mask within a page. They avoid 4K aliasing: if the last 12 bits of two addresses are equal, a
/// processor assumes that a load depends on an earlier store. Without aliasing, quicksort was two times faster.
const SKEW: usize = 0x800;
/// Expected growth of the program's mappings, in bytes.
const GROWTH: usize = 1 << 36;
const MAPS: &[u8] = b"/proc/self/maps\0";

#[derive(Clone, Copy, PartialEq, Eq)]
enum Use {
    Free,
    /// The program uses the block, or may use it soon.
    Program,
    /// The block holds a shadow or recorded data.
    Probe,
}

/// Blocks that belong to a probe, one bit each. A process can contain runtimes of several versions. By these bits, they
/// distinguish each other's reservations from the program's memory. Name and layout stay equal in all versions, so that
/// the program's copy replaces the copies of libraries.
#[allow(non_upper_case_globals, reason = "it is a symbol of object files, as those of the hooks are")]
#[unsafe(no_mangle)]
pub static trend_probe_blocks: [AtomicU64; WORDS] = [const { AtomicU64::new(0) }; WORDS];

fn is_of_probe(block: usize) -> bool {
    trend_probe_blocks[block / 64].load(Ordering::Acquire) & (1 << (block % 64)) != 0
}

/// Blocks whose shadows every thread reserves, one bit each. All bits are 0 until the blocks are known. The first block
/// is always one of them, and its bit is set last.
static SHADOWED: [AtomicU64; WORDS] = [const { AtomicU64::new(0) }; WORDS];

/// Returns true if memory may be mapped there: it has a shadow, or will have one because nothing is reserved yet.
#[cfg_attr(not(trend_staticlib), allow(dead_code, reason = "`placing` is what programs are linked with"))]
pub(crate) fn is_shadowed(start: usize, end: usize) -> bool {
    let bit = |block: usize| SHADOWED[block / 64].load(Ordering::Acquire) & (1 << (block % 64)) != 0;
    !bit(0) || end <= 1 << ADDRESS_BITS && (start >> BLOCK_BITS..end.div_ceil(1 << BLOCK_BITS)).all(bit)
}

/// Use of each block of the address space.
pub(crate) struct Blocks {
    uses: [Use; BLOCKS],
    /// Binary logarithm of a shadow's size relative to the memory it shadows: ids can be larger than cells.
    widening: u32,
}

impl Blocks {
    pub(crate) const fn new() -> Self {
        Self { uses: [Use::Free; BLOCKS], widening: 0 }
    }

    /// Marks the blocks that the program has mapped.
    pub(crate) fn begin(&mut self, config: u32) {
        self.widening = 2_u32.saturating_sub(Descriptor::cell_shift(config));
        // Block 0 always counts as used: programs that want low addresses ask for them.
        self.uses[0] = Use::Program;
        each_mapping(|start, end| {
            each_part(start, end, BLOCK_BITS, |from, to| {
                // A block is reserved before it is marked as a probe's. Until then it looks like the program's, which
                // wastes shadows but is not an error.
                if is_of_probe(from >> BLOCK_BITS) || (1..FIRST).contains(&(from >> BLOCK_BITS)) {
                    return;
                }
                let first = from.saturating_sub(GROWTH) >> BLOCK_BITS;
                let last = (to + GROWTH) >> BLOCK_BITS;
                for block in first..=last.min(BLOCKS - 1) {
                    self.uses[block] = Use::Program;
                }
            });
        });
        self.see_probes();
        self.uses[1..FIRST].fill(Use::Probe);
        for block in (0..BLOCKS).rev().filter(|block| self.uses[*block] == Use::Program) {
            SHADOWED[block / 64].fetch_or(1 << (block % 64), Ordering::Release);
        }
    }

    /// Marks the blocks that this and other runtimes of the process have reserved. They contain no memory of the
    /// program.
    fn see_probes(&mut self) {
        for block in (1..BLOCKS).filter(|block| is_of_probe(*block)) {
            self.uses[block] = Use::Probe;
        }
    }

    /// Reserves an unused block. Returns its address.
    pub(crate) fn reserve_block(&mut self) -> Option<usize> {
        self.see_probes();
        for block in 1..BLOCKS {
            if self.uses[block] == Use::Free && reserve(block, system::PROT_NONE) {
                self.uses[block] = Use::Probe;
                return Some(block << BLOCK_BITS);
            }
        }
        None
    }

    /// Reserves the shadows of all memory that the program uses. Returns their mask, or `None` if fewer than `spare`
    /// blocks would be left.
    pub(crate) fn reserve_shadow(&mut self, spare: usize) -> Option<usize> {
        self.see_probes();
        let free = self.uses.iter().filter(|block| **block == Use::Free).count();
        if free < spare + self.shadows(0).count() {
            return None;
        }
        (1..BLOCKS).find(|mask| self.try_reserve(*mask)).map(|mask| (mask << BLOCK_BITS) | SKEW)
    }

    fn try_reserve(&mut self, mask: usize) -> bool {
        let is_free = |uses: &[Use; BLOCKS], block| uses[block] == Use::Free;
        if !self.shadows(mask).all(|block| is_free(&self.uses, block)) {
            return false;
        }
        // If cells are small, blocks of one shadow may coincide; reserving one twice fails.
        for block in self.shadows(mask) {
            if !reserve(block, system::PROT_READ_WRITE) {
                return false;
            }
            self.uses[block] = Use::Probe;
        }
        true
    }

    /// Returns the blocks that shadow the program's blocks.
    fn shadows(&self, mask: usize) -> impl Iterator<Item = usize> + use<> {
        let (uses, widening) = (self.uses, self.widening);
        (0..BLOCKS).filter(move |block| uses[*block] == Use::Program).flat_map(move |block| {
            (0..1_usize << widening).map(move |part| (((block << widening) + part) % BLOCKS) ^ mask)
        })
    }

    /// Calls `each` with every range of addresses that can shadow memory of the program.
    pub(crate) fn each_shadow(&self, mask: usize, mut each: impl FnMut(usize, usize)) {
        for block in self.shadows(mask >> BLOCK_BITS) {
            each(block << BLOCK_BITS, (block + 1) << BLOCK_BITS);
        }
    }

    /// Calls `each` with the parts of a mapping that belong to the program, and the lengths of their shadows. Each
    /// shadow is contiguous. The probe's own mappings are much larger, and may be adjacent to the program's.
    pub(crate) fn each_program_part(&self, start: usize, end: usize, mut each: impl FnMut(usize, usize)) {
        each_part(start, end, BLOCK_BITS - self.widening, |from, to| {
            if self.uses[from >> BLOCK_BITS] == Use::Program {
                each(from, (to - from) << self.widening);
            }
        });
    }
}

/// Splits a range of addresses at multiples of a power of two.
fn each_part(start: usize, end: usize, bits: u32, mut each: impl FnMut(usize, usize)) {
    let mut from = start;
    while from < end {
        let to = end.min(((from >> bits) + 1) << bits);
        each(from, to);
        from = to;
    }
}

/// Reserves a block. If several runtimes try, the system gives it to only one of them.
fn reserve(block: usize, protection: i32) -> bool {
    let flags =
        system::MAP_PRIVATE | system::MAP_ANONYMOUS | system::MAP_NORESERVE | system::MAP_FIXED_NOREPLACE;
    let at = block << BLOCK_BITS;
    let is_reserved = system::map(at, 1 << BLOCK_BITS, protection, flags, -1, 0) == Some(at);
    if is_reserved {
        trend_probe_blocks[block / 64].fetch_or(1 << (block % 64), Ordering::Release);
    }
    is_reserved
}

/// Calls `each` with the bounds of every mapping of the process.
pub(crate) fn each_mapping(mut each: impl FnMut(usize, usize)) {
    // Lines begin with `start-end `.
    let (mut numbers, mut which, mut is_over) = ([0_usize; 2], 0, false);
    system::read_pieces(MAPS, |piece| {
        for byte in piece {
            match byte {
                b'\n' => {
                    if numbers[1] <= 1 << ADDRESS_BITS {
                        each(numbers[0], numbers[1]);
                    }
                    (numbers, which, is_over) = ([0; 2], 0, false);
                }
                _ if is_over => {}
                b'-' => which = 1,
                b' ' => is_over = true,
                digit => {
                    let digit = (*digit as char).to_digit(16).unwrap_or(0) as usize;
                    numbers[which] = (numbers[which] << 4) | digit;
                }
            }
        }
    });
}

/// Shadow of a thread's cells.
#[derive(Clone, Copy)]
pub struct Shadow {
    /// Mask of the thread.
    pub mask: usize,
    /// Binary logarithm of a cell's size in bytes.
    pub cell_shift: u32,
}

impl Shadow {
    /// Returns the location of the id of the cell at an address.
    pub fn id_at(self, address: usize) -> *mut u32 {
        let cell = address & !((1 << self.cell_shift) - 1);
        let widened = match self.cell_shift {
            0 | 1 => (cell << (2 - self.cell_shift)) & ((1 << ADDRESS_BITS) - 1),
            _ => cell,
        };
        (widened ^ self.mask) as *mut u32
    }

    /// Returns the locations of the ids of the cells that `length` bytes at an address touch.
    pub fn ids(self, address: usize, length: usize) -> impl Iterator<Item = *mut u32> {
        let first = address & !((1 << self.cell_shift) - 1);
        (0..self.cells(address, length)).map(move |cell| self.id_at(first + (cell << self.cell_shift)))
    }

    /// Calls `each` with the ids of the cells that `length` bytes at an address touch, in contiguous pieces.
    ///
    /// # Safety
    /// The addresses must belong to the program.
    pub unsafe fn each_piece(self, address: usize, length: usize, mut each: impl FnMut(&mut [u32])) {
        // Ids of larger cells have gaps between them.
        let Some(widening) = 2_u32.checked_sub(self.cell_shift) else {
            // SAFETY: the program's memory has shadows.
            return self.ids(address, length).for_each(|id| each(unsafe { core::slice::from_mut(&mut *id) }));
        };
        let mut cells = self.cells(address, length);
        let mut widened = (address >> self.cell_shift) << (self.cell_shift + widening);
        while cells > 0 {
            // The mask swaps the halves of each page.
            let room = (SKEW - widened % SKEW) / size_of::<u32>();
            let piece = room.min(cells);
            let at = (widened & ((1 << ADDRESS_BITS) - 1)) ^ self.mask;
            // SAFETY: as above; this many ids are contiguous.
            each(unsafe { core::slice::from_raw_parts_mut(at as *mut u32, piece) });
            cells -= piece;
            widened += piece * size_of::<u32>();
        }
    }

    /// Makes cells look as if they had never been accessed, and returns the memory of their ids to the system.
    ///
    /// # Safety
    /// The addresses must belong to the program.
    pub(crate) unsafe fn forget(self, address: usize, length: usize) {
        let widening = 2_u32.saturating_sub(self.cell_shift);
        // Shadows are contiguous within a block.
        each_part(address, address + length, BLOCK_BITS - widening, |from, to| {
            // SAFETY: the caller guarantees it.
            unsafe { self.forget_part(from, to - from, widening) }
        });
    }

    unsafe fn forget_part(self, address: usize, length: usize, widening: u32) {
        const PAGE: usize = 4096;
        // Whole pages of the shadow are released, since the mask only permutes within a page.
        let first = address.next_multiple_of(PAGE);
        let last = (address + length) & !(PAGE - 1);
        // SAFETY: the ids have memory.
        unsafe {
            if first < last {
                let start = self.id_at(first) as usize & !(PAGE - 1);
                system::madvise(start as *mut _, (last - first) << widening, system::MADV_DONTNEED);
            }
            let end = address + length;
            self.ids(address, first.min(end) - address).for_each(|id| *id = 0);
            let rest = last.max(first.min(end));
            self.ids(rest, end - rest).for_each(|id| *id = 0);
        }
    }

    /// Returns the number of cells that `length` bytes at an address touch.
    pub fn cells(self, address: usize, length: usize) -> usize {
        if length == 0 {
            return 0;
        }
        ((address + length - 1) >> self.cell_shift) - (address >> self.cell_shift) + 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg_attr(miri, ignore = "memory in Miri is not where the system has it")]
    #[cfg_attr(trend_sanitizer = "thread", ignore = "only low addresses are seen")]
    fn every_mapping_is_seen() {
        let here = std::ptr::from_ref(&MAPS) as usize;
        let local = 0_u8;
        let stack = std::ptr::from_ref(&local) as usize;
        let mut is_mapped = [false; 2];
        each_mapping(|start, end| {
            assert!(start < end && start % 4096 == 0);
            is_mapped[0] |= (start..end).contains(&here);
            is_mapped[1] |= (start..end).contains(&stack);
        });
        assert_eq!(is_mapped, [true; 2]);
    }

    #[test]
    #[cfg_attr(miri, ignore = "Miri maps no memory at an address")]
    #[cfg_attr(trend_sanitizer = "address", ignore = "its allocator reserves 4 TB, of which few shadows fit")]
    #[cfg_attr(
        trend_sanitizer = "thread",
        ignore = "the tests' program is at addresses that are not watched"
    )]
    fn shadows_meet_neither_each_other_nor_the_program() {
        for cell_shift in 0..4 {
            let mut blocks = Blocks::new();
            blocks.begin(cell_shift);
            let program: Vec<usize> = (0..BLOCKS).filter(|b| blocks.uses[*b] == Use::Program).collect();
            assert!(program.len() < 20, "{program:?}");
            let mut seen = std::collections::HashSet::new();
            let mut masks = 0;
            while let Some(mask) =
                (1..BLOCKS).find(|mask| blocks.shadows(*mask).all(|block| blocks.uses[block] == Use::Free))
            {
                for block in blocks.shadows(mask) {
                    assert!(!program.contains(&block));
                    assert!(seen.insert(block), "{cell_shift} {mask}");
                }
                for block in blocks.shadows(mask).collect::<Vec<_>>() {
                    blocks.uses[block] = Use::Probe;
                }
                masks += 1;
            }
            assert!(
                masks >= 16 >> (2_u32.saturating_sub(cell_shift) * 2),
                "cells of {}: {masks}",
                1 << cell_shift
            );
        }
    }

    #[test]
    #[cfg_attr(miri, ignore = "Miri maps no memory at an address")]
    fn what_another_runtime_has_reserved_is_no_memory_of_the_program() {
        let of_program = |blocks: &Blocks| -> Vec<usize> {
            (0..BLOCKS).filter(|block| blocks.uses[*block] == Use::Program).collect()
        };
        let (mut own, mut other) = (Blocks::new(), Blocks::new());
        own.begin(2);
        let arena = own.reserve_block().unwrap() >> BLOCK_BITS;
        let mask = own.reserve_shadow(0).unwrap() >> BLOCK_BITS;
        other.begin(2);
        assert_eq!(of_program(&own), of_program(&other));
        let reserved: Vec<usize> = own.shadows(mask).chain([arena]).collect();
        assert!(reserved.iter().all(|block| other.uses[*block] == Use::Probe), "{reserved:?}");
        // Each runtime leaves alone the blocks that the other one reserves later.
        let later = own.reserve_block().unwrap();
        assert_ne!(other.reserve_block().unwrap(), later);
        let masks =
            [own.reserve_shadow(0), other.reserve_shadow(0), own.reserve_shadow(0)].map(Option::unwrap);
        assert!(masks[0] != masks[1] && masks[1] != masks[2], "{masks:?}");
    }

    #[test]
    #[cfg_attr(miri, ignore = "Miri maps no memory at an address")]
    #[cfg_attr(trend_sanitizer = "thread", ignore = "needs two neighbouring blocks of the program")]
    fn what_is_forgotten_may_lie_in_two_blocks() {
        let mut blocks = Blocks::new();
        blocks.begin(2);
        let mask = blocks.reserve_shadow(0).unwrap();
        let shadow = Shadow { mask, cell_shift: 2 };
        let is_shadowed = |block: usize| blocks.uses[block] == Use::Program;
        let second = (1..BLOCKS).find(|block| is_shadowed(*block) && is_shadowed(block - 1)).unwrap();
        let start = (second << BLOCK_BITS) - 0x2004;
        // SAFETY: the shadows of both blocks were reserved just now.
        unsafe {
            shadow.ids(start - 4, 0x4010).for_each(|id| *id = 7);
            shadow.forget(start, 0x4008);
            let left: Vec<u32> = shadow.ids(start - 4, 0x4010).map(|id| *id).collect();
            assert!(left[0] == 7 && left[left.len() - 1] == 7);
            assert!(left[1..left.len() - 1].iter().all(|id| *id == 0));
        }
    }

    #[test]
    fn cells_are_counted_by_where_they_lie() {
        let shadow = |cell_shift| Shadow { mask: 0, cell_shift };
        assert_eq!(shadow(2).cells(0x1000, 1000), 250);
        assert_eq!(shadow(2).cells(0x1003, 2), 2);
        assert_eq!(shadow(2).cells(0x1003, 0), 0);
        assert_eq!(shadow(0).cells(0x1003, 7), 7);
        assert_eq!(shadow(3).cells(0x1006, 4), 2);
        assert_eq!(shadow(0).id_at(0x1001) as usize, 0x4004);
        assert_eq!(shadow(3).id_at(0x100f) as usize, 0x1008);
    }

    #[test]
    fn pieces_have_the_ids_of_all_cells_in_their_order() {
        const PAGES: usize = 16 << 12;
        let ids = vec![0_u32; 2 * PAGES / 4];
        let aligned = (ids.as_ptr() as usize).next_multiple_of(PAGES);
        for (cell_shift, address, length) in [
            (0, 0x7fd, 0x333),
            (1, 0x7ff, 0x1001),
            (2, 0x3, 1),
            (2, 0x7f9, 0x2010),
            (3, 0x14, 0x900),
            (4, 0x20, 0x11),
        ] {
            let shadow = Shadow { mask: aligned ^ SKEW, cell_shift };
            let expected: Vec<_> = shadow.ids(address, length).collect();
            let mut joined = Vec::new();
            // SAFETY: the ids have memory there.
            unsafe {
                shadow.each_piece(address, length, |piece| {
                    joined.extend(piece.iter_mut().map(|id| &raw mut *id));
                });
            }
            assert_eq!(joined, expected, "{cell_shift} {address}");
        }
    }
}
