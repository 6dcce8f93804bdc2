//! Routines and other functions as trend-probe writes them into the code of a program.

use core::ffi::c_void;
use core::sync::atomic::{AtomicU32, Ordering};

use crate::file::RECORD;
use crate::record::PART_MARK;
use crate::system;

/// A routine of the program, as trend-probe writes it into the code.
#[repr(C)]
pub struct Descriptor {
    /// 0 until the routine is entered for the first time.
    index: AtomicU32,
    /// The line where it begins, or 0.
    pub line: u32,
    name: *const u8,
    file: *const u8,
    name_length: u32,
    file_length: u32,
    /// Bits 0–2: bytes of a cell, as a power of two; 3–4: the unit; 5: whether the kernel and other threads are watched; 6:
    /// whether calling contexts are told apart.
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
        // SAFETY: trend-probe writes both.
        unsafe { core::slice::from_raw_parts(self.name, self.name_length as usize) }
    }

    pub(crate) fn file(&self) -> &[u8] {
        // SAFETY: trend-probe writes both.
        unsafe { core::slice::from_raw_parts(self.file, self.file_length as usize) }
    }
}

/// A function that is not probed, as trend-probe writes it into the code.
#[repr(C)]
pub struct ExternalDescriptor {
    /// Where its calls are counted; null until the first one.
    calls: *mut u64,
    name: *const u8,
    name_length: usize,
    function: *const c_void,
}

/// Whether a function of a known object is probed, and a part of its callers.
///
/// # Safety
/// It is a function, or null.
unsafe fn is_part(function: *const c_void) -> bool {
    // What stands at the beginning of a page need not have anything in front of it.
    let has_room = function as usize % 4096 >= PART_MARK.len();
    // SAFETY: it is of the same page as the function.
    has_room && unsafe { function.cast::<[u8; 8]>().sub(1).read_unaligned() == PART_MARK }
}

/// Called at the first call of a function that this module has not: where to count its calls if it is not probed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trend_probe_4_external(external: *mut ExternalDescriptor) -> *mut u64 {
    static mut UNCOUNTED: u64 = 0;
    // SAFETY: the hooks pass what trend-probe wrote.
    unsafe {
        let external = &mut *external;
        let name = core::slice::from_raw_parts(external.name, external.name_length);
        // Before the lock is taken: who loads a library waits for no call here.
        let object = system::object_of(external.function);
        let is_probed = !object.is_empty() && is_part(external.function);
        let calls = if is_probed { None } else { RECORD.lock().register_external(name, object) };
        external.calls = calls.unwrap_or(&raw mut UNCOUNTED);
        external.calls
    }
}
