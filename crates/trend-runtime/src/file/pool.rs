//! The file that keeps the records of forked processes.

use core::ffi::c_int;
use core::mem::size_of;
use core::sync::atomic::{AtomicU64, Ordering};

use super::own_file::{OwnFile, PAGE};
use crate::layout::record::pool::{Header, MAGIC, Piece, Pieces, VERSION};
use crate::system;

/// Granularity of reserved disk space, in bytes. Each reservation adds an eighth of the file. If that fails, only the
/// needed space is reserved.
const STEP: u64 = 1 << 16;

/// Header at the front of the file, as the processes share it.
#[repr(C)]
struct Shared {
    magic: [u8; 8],
    version: u64,
    used: AtomicU64,
    reserved: AtomicU64,
    newest: AtomicU64,
}

const _: () = assert!(size_of::<Shared>() == size_of::<Header>());

/// Pool shared by the descendants of its creator.
pub(super) struct Pool {
    /// Address of the header.
    header: usize,
    pub(super) file: OwnFile,
}

impl Pool {
    /// Begins a pool in a new file. Returns `None` if the disk is full or the page cannot be mapped.
    pub(super) fn begin(file: OwnFile) -> Option<Self> {
        if !system::allocate(file.descriptor, 0, PAGE) {
            return None;
        }
        let kind = system::MAP_SHARED;
        let header = system::map(0, PAGE as usize, system::PROT_READ_WRITE, kind, file.descriptor, 0)?;
        let shared = Shared {
            magic: MAGIC,
            version: VERSION.into(),
            used: PAGE.into(),
            reserved: PAGE.into(),
            newest: 0.into(),
        };
        // SAFETY: the page was just mapped.
        unsafe { (header as *mut Shared).write(shared) };
        Some(Self { header, file })
    }

    /// Takes pages of the file. `file` is its descriptor in this process, which may have been opened again. Returns
    /// `None` if the disk is full.
    pub(super) fn take(&self, file: c_int, length: u64) -> Option<Piece> {
        let shared = self.shared();
        let mut offset = shared.used.load(Ordering::Relaxed);
        loop {
            let end = offset + length;
            let reserved = shared.reserved.load(Ordering::Acquire);
            if end > reserved {
                let reserve = |to: u64| system::allocate(file, reserved, to - reserved).then_some(to);
                let ahead = (end + reserved / 8).next_multiple_of(STEP);
                let to = reserve(ahead).or_else(|| reserve(end))?;
                shared.reserved.fetch_max(to, Ordering::Release);
            }
            match shared.used.compare_exchange(offset, end, Ordering::Relaxed, Ordering::Relaxed) {
                Ok(_) => return Some(Piece { offset, length }),
                Err(used) => offset = used,
            }
        }
    }

    /// Adds a record whose first page is complete. `pieces` is in that page.
    pub(super) fn add(&self, pieces: &mut Pieces) {
        let newest = &self.shared().newest;
        pieces.next = newest.load(Ordering::Relaxed);
        let first = pieces.all[0].offset;
        while let Err(next) =
            newest.compare_exchange_weak(pieces.next, first, Ordering::Release, Ordering::Relaxed)
        {
            pieces.next = next;
        }
    }

    fn shared(&self) -> &Shared {
        // SAFETY: the page stays mapped, and the shared fields are atomic.
        unsafe { &*(self.header as *const Shared) }
    }
}
