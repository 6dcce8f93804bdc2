//! Descriptors of routines and other functions, as trend-probe writes them into the code of a program.

use core::ffi::c_void;
use core::sync::atomic::{AtomicU64, Ordering};

use super::state::ROUTINES;
use crate::file::{OwnRecord, RECORD};
pub use crate::layout::descriptor::Descriptor;
use crate::layout::record::PART_MARK;
use crate::system;

/// Routines that have an index, with those that this process has named in its record.
pub(crate) struct Names {
    /// Address of the descriptors, by index.
    descriptors: usize,
    /// Address of one bit for each routine, set if it is named.
    named: usize,
    last: u32,
}

impl Names {
    pub(crate) const fn new() -> Self {
        Self { descriptors: 0, named: 0, last: 0 }
    }

    /// Reserves the address space. Returns `None` if there is no room.
    pub(crate) fn begin(&mut self) -> Option<()> {
        let flags = system::MAP_PRIVATE | system::MAP_ANONYMOUS | system::MAP_NORESERVE;
        let room = |bytes| system::map(0, bytes, system::PROT_READ_WRITE, flags, -1, 0);
        self.descriptors = room(ROUTINES * size_of::<*const Descriptor>())?;
        self.named = room(ROUTINES / 8)?;
        Some(())
    }

    /// Returns the index of a routine, and adds its name to the record.
    pub(crate) fn register(&mut self, record: &mut OwnRecord, descriptor: &Descriptor) -> u32 {
        let index = descriptor.index();
        if index != 0 {
            self.name(record, index, descriptor);
            return index;
        }
        self.last += 1;
        let index = self.last;
        if index as usize >= ROUTINES {
            system::fail(b"trend-prof: the program has more than a million routines\n");
        }
        // SAFETY: there is room for this many routines.
        unsafe { *(self.descriptors as *mut *const Descriptor).add(index as usize) = descriptor };
        self.name(record, index, descriptor);
        descriptor.set_index(index);
        index
    }

    /// Adds the name of a running routine to the record.
    ///
    /// # Safety
    /// The module of the routine must still be loaded.
    pub(crate) unsafe fn name_again(&mut self, record: &mut OwnRecord, index: u32) {
        // SAFETY: descriptors are written once, before their index is known.
        let descriptor = unsafe { &**(self.descriptors as *const *const Descriptor).add(index as usize) };
        self.name(record, index, descriptor);
    }

    fn name(&mut self, record: &mut OwnRecord, index: u32, descriptor: &Descriptor) {
        // SAFETY: there is a bit for each routine.
        let bits = unsafe { &*(self.named as *const AtomicU64).add(index as usize / 64) };
        let bit = 1 << (index % 64);
        // One access reads and writes, so that a fresh page faults only once.
        if bits.fetch_or(bit, Ordering::Relaxed) & bit == 0 {
            record.name_routine(index, descriptor);
        }
    }

    /// Marks all routines as unnamed, since a forked process has its own record.
    pub(crate) fn forget(&mut self) {
        // SAFETY: the runtime owns the memory.
        unsafe { system::madvise(self.named as *mut _, ROUTINES / 8, system::MADV_DONTNEED) };
    }
}

/// A function without a probe, as trend-probe writes it into the code.
#[repr(C)]
pub struct ExternalDescriptor {
    /// Location of its number of calls; null until the first call.
    calls: *mut u64,
    name: *const u8,
    name_length: usize,
    function: *const c_void,
}

/// Returns true if a function of a known object is probed and a part of its callers.
///
/// # Safety
/// The pointer must point to a function, or be null.
unsafe fn is_part(function: *const c_void) -> bool {
    // The page before the function's page need not be mapped, so the mark must be on the same page.
    let has_room = function as usize % 4096 >= PART_MARK.len();
    // SAFETY: the mark is on the same page as the function.
    has_room && unsafe { function.cast::<[u8; 8]>().sub(1).read_unaligned() == PART_MARK }
}

/// Returns the location of the number of calls of a function outside this module. Calls of probed functions are not
/// counted. Called at the function's first call.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trend_probe_4_external(external: *mut ExternalDescriptor) -> *mut u64 {
    static mut UNCOUNTED: u64 = 0;
    // SAFETY: the hooks pass what trend-probe wrote.
    unsafe {
        let external = &mut *external;
        let name = core::slice::from_raw_parts(external.name, external.name_length);
        // `dladdr` can wait for a thread that loads a library. That thread may need the lock, so it is not taken yet.
        let object = system::object_of(external.function);
        let is_probed = !object.is_empty() && is_part(external.function);
        let mut record = RECORD.lock();
        if !record.has_record() {
            // The function is looked up again once this process records.
            return &raw mut UNCOUNTED;
        }
        let calls = if is_probed { None } else { record.register_external(name, object) };
        external.calls = calls.unwrap_or(&raw mut UNCOUNTED);
        external.calls
    }
}
