//! Descriptors of routines, as trend-probe writes them into the code of a program.

use core::sync::atomic::{AtomicU32, Ordering};

/// A routine of the program, as trend-probe writes it into the code.
#[repr(C)]
pub struct Descriptor {
    /// Index of the routine; 0 until it is entered for the first time.
    index: AtomicU32,
    /// Line where the routine begins, or 0.
    pub line: u32,
    name: *const u8,
    file: *const u8,
    name_length: u32,
    file_length: u32,
    /// Options of the probe. Bits 0–2: binary logarithm of a cell's size in bytes; 3–4: unit; 5: 1 if the kernel and
    /// other threads are watched; 6: 1 if calling contexts are distinguished.
    pub config: u32,
}

impl Descriptor {
    pub(crate) fn cell_shift(config: u32) -> u32 {
        config & 7
    }

    pub(crate) fn unit(config: u32) -> u32 {
        (config >> 3) & 3
    }

    pub(crate) fn is_dynamic(config: u32) -> bool {
        config & 32 != 0
    }

    pub(crate) fn has_contexts(config: u32) -> bool {
        config & 64 != 0
    }

    pub(crate) fn index(&self) -> u32 {
        self.index.load(Ordering::Acquire)
    }

    pub(crate) fn set_index(&self, index: u32) {
        self.index.store(index, Ordering::Release);
    }

    pub(crate) fn name(&self) -> &[u8] {
        // SAFETY: trend-probe writes the address and the length.
        unsafe { core::slice::from_raw_parts(self.name, self.name_length as usize) }
    }

    pub(crate) fn file(&self) -> &[u8] {
        // SAFETY: trend-probe writes the address and the length.
        unsafe { core::slice::from_raw_parts(self.file, self.file_length as usize) }
    }
}
