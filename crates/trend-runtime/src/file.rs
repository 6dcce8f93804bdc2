//! The mapped file that a process records to.

use core::ffi::c_int;
use core::mem::size_of;
use core::sync::atomic::{AtomicBool, Ordering};

use crate::descriptors::Descriptor;
use crate::lock::Lock;
use crate::record::{self, External, HEADER_SIZE, Header, MAGIC, Routine, Segment, VERSION, flag};
use crate::system;

#[cfg(trend_staticlib)]
#[path = "seal.rs"]
mod seal;

/// Environment variable with the folder for records. Without it, nothing is recorded, and the program runs as usual.
const FOLDER: &str = "TREND_PROF_RECORD";
/// Minimum growth of a file in bytes.
const CHUNK: u64 = 1 << 18;
/// Minimum growth of a forked process's file in bytes. Servers fork thousands of processes that each do little.
const FORKED_CHUNK: u64 = 1 << 14;
pub(crate) const PAGE: u64 = record::PAGE as u64;
/// Maximum size of a file: this much address space is reserved for it.
pub(crate) const LARGEST: u64 = 1 << 35;

/// Record of all threads.
pub(crate) static RECORD: Lock<Record> = Lock::new(Record::new());

const MOST_FOLDER: usize = 4000;
/// Number of bytes for the program's path at the front of a file.
const PROGRAM_ROOM: usize = HEADER_SIZE as usize - size_of::<Header>();

/// Copy of [`flag::DISK_FULL`] for code that does not hold the lock.
static IS_DISK_FULL: AtomicBool = AtomicBool::new(false);

/// Returns true if the record has run out of room.
pub(crate) fn is_disk_full() -> bool {
    IS_DISK_FULL.load(Ordering::Relaxed)
}

pub(crate) struct Record {
    /// Address of the header; 0 before the first routine is entered.
    window: usize,
    /// Number of mapped bytes.
    mapped: u64,
    /// Open file; `None` if nothing is recorded.
    file: Option<c_int>,
    /// Maximum size of the record in bytes.
    largest: u64,
    /// Header that a record begins with.
    first: Header,
    process: u32,
    /// Process that this one was forked from, or 0.
    parent: u32,
    /// True in a forked process that has recorded nothing yet.
    is_left: bool,
    /// Path of the program in the record of this process, or of the one that it was forked from.
    program: &'static [u8],
    folder: [u8; MOST_FOLDER],
    folder_length: usize,
}

impl Record {
    pub(crate) const fn new() -> Self {
        Self {
            window: 0,
            mapped: 0,
            file: None,
            largest: LARGEST,
            first: Header::new(MAGIC, VERSION),
            process: 0,
            parent: 0,
            is_left: false,
            program: b"",
            folder: [0; MOST_FOLDER],
            folder_length: 0,
        }
    }

    pub(crate) fn is_begun(&self) -> bool {
        self.window != 0
    }

    /// Returns true in a forked process between [`Self::leave_to_parent`] and [`Self::begin_forked`], while there is no
    /// header.
    pub(crate) fn is_left(&self) -> bool {
        self.is_left
    }

    /// Returns true in a forked process.
    pub(crate) fn is_forked(&self) -> bool {
        self.parent != 0
    }

    /// Returns true if records go to a file.
    pub(crate) fn has_file(&self) -> bool {
        self.file.is_some()
    }

    /// Limits the record to this many bytes.
    pub(crate) fn limit(&mut self, largest: u64) {
        self.largest = largest.min(LARGEST);
    }

    /// Begins the record of routines in the `LARGEST` bytes of address space at `window`.
    pub(crate) fn begin(&mut self, window: usize, config: u32) {
        let header = Header {
            cell_size: 1 << Descriptor::cell_shift(config),
            unit: Descriptor::unit(config),
            flags: if Descriptor::is_dynamic(config) { flag::DYNAMIC } else { 0 }
                | if Descriptor::has_contexts(config) { flag::CONTEXTS } else { 0 },
            ..Header::new(MAGIC, VERSION)
        };
        self.begin_with(window, &header);
    }

    /// Begins a record with the known fields of the header.
    pub(crate) fn begin_with(&mut self, window: usize, header: &Header) {
        if let Some(folder) = system::variable(FOLDER).filter(|f| !f.is_empty()) {
            if folder.len() < MOST_FOLDER {
                self.folder[..folder.len()].copy_from_slice(folder);
                self.folder_length = folder.len();
                self.file = self.create();
            }
            if self.file.is_none() {
                system::say(b"trend-prof: nothing is recorded: no file can be made in the folder that TREND_PROF_RECORD names\n");
            }
        }
        self.window = window;
        self.first = *header;
        self.start();
    }

    /// Leaves the record to the parent, in a process that was just forked. If there is no file, the record stays: the
    /// memory is the child's own.
    ///
    /// The parent continues to write to its file, so nothing is copied from there. The child's own record lies behind
    /// the parent's in the address space. It begins when there is something to record.
    pub(crate) fn leave_to_parent(&mut self) {
        let parent = core::mem::replace(&mut self.process, system::process());
        if self.is_left {
            self.parent = parent;
        }
        let Some(file) = self.file.take() else { return };
        system::close_file(file);
        self.parent = parent;
        self.window += self.mapped as usize;
        self.largest -= self.mapped;
        self.mapped = 0;
        self.is_left = true;
        IS_DISK_FULL.store(false, Ordering::Relaxed);
    }

    /// Begins the record of a forked process.
    pub(crate) fn begin_forked(&mut self) {
        self.is_left = false;
        self.file = self.create();
        if self.file.is_none() {
            system::say(b"trend-prof: a forked process is not recorded: it can make no file of its own\n");
        }
        self.start();
    }

    fn start(&mut self) {
        self.process = system::process();
        if !self.grow(HEADER_SIZE) {
            if let Some(file) = self.file.take() {
                system::close_file(file);
                system::say(b"trend-prof: nothing is recorded: the disk is full\n");
            }
            if !self.grow(HEADER_SIZE) {
                system::fail(b"trend-prof: no memory is left to record in\n");
            }
        }
        // SAFETY: the front of the file has room for the path behind the header, and stays mapped.
        let room: &'static mut [u8] =
            unsafe { core::slice::from_raw_parts_mut(self.at(size_of::<Header>() as u64), PROGRAM_ROOM) };
        let length = match self.program.len() {
            0 => system::program(room),
            known => {
                room[..known].copy_from_slice(self.program);
                known
            }
        };
        self.program = &room[..length];
        *self.header() = Header {
            process: self.process,
            forked_from: self.parent,
            used: HEADER_SIZE,
            program: if length == 0 { 0 } else { size_of::<Header>() as u64 },
            program_length: length as u64,
            address: self.window as u64,
            ..self.first
        };
    }

    fn create(&self) -> Option<c_int> {
        // Process ids are reused, so a serial number distinguishes the files.
        (0..10_000).find_map(|serial| system::create(self.path(serial)?.as_bytes()))
    }

    fn path(&self, serial: u32) -> Option<Path> {
        let mut path = Path { bytes: [0; MOST_FOLDER + 64], length: 0 };
        path.push(self.folder.get(..self.folder_length)?);
        path.push(b"/");
        path.push_number(system::process());
        path.push(b"-");
        path.push_number(serial);
        path.push(b".trend-record\0");
        Some(path)
    }

    /// Returns the header at the front of the file.
    #[allow(clippy::mut_from_ref)]
    pub(crate) fn header(&self) -> &mut Header {
        // SAFETY: the header is mapped once the record is begun, and the lock is held.
        unsafe { &mut *(self.window as *mut Header) }
    }

    /// Returns the address of an offset in the file.
    pub(crate) fn at<T>(&self, offset: u64) -> *mut T {
        (self.window + offset as usize) as *mut T
    }

    /// Returns the offset of an address in the file.
    pub(crate) fn offset_of(&self, address: u64) -> Option<u64> {
        address.checked_sub(self.window as u64).filter(|offset| *offset < self.mapped)
    }

    /// Allocates zeroed bytes in the file. Returns their offset, or `None` if the disk is full.
    pub(crate) fn allocate(&mut self, length: u64) -> Option<u64> {
        self.allocate_aligned(length, 32)
    }

    fn allocate_aligned(&mut self, length: u64, alignment: u64) -> Option<u64> {
        if self.is_left {
            return None;
        }
        let offset = self.header().used.next_multiple_of(alignment);
        let end = offset.checked_add(length)?;
        if end > self.mapped && !self.grow(end) {
            self.header().flags |= flag::DISK_FULL;
            IS_DISK_FULL.store(true, Ordering::Relaxed);
            return None;
        }
        self.header().used = end;
        Some(offset)
    }

    /// Allocates whole pages of the file and maps them at another address, too. Copies the first `kept` bytes there
    /// into them. Returns their offset, or `None` if the disk is full.
    pub(crate) fn allocate_at(&mut self, address: usize, length: u64, kept: usize) -> Option<u64> {
        debug_assert!(kept == 0 || self.file.is_some(), "memory alone is never mapped anew");
        let offset = match self.file {
            // Memory without a file cannot be mapped twice.
            None => 0,
            Some(_) => self.allocate_aligned(length, PAGE)?,
        };
        if kept > 0 {
            // SAFETY: the window has the new pages, and the caller's bytes are mapped.
            unsafe { self.at::<u8>(offset).copy_from_nonoverlapping(address as *const u8, kept) };
        }
        self.map(address, offset, length).then_some(offset)
    }

    fn grow(&mut self, end: u64) -> bool {
        let chunk = if self.is_forked() { FORKED_CHUNK } else { CHUNK };
        let length = (end - self.mapped).max(chunk).max(self.mapped / 4).next_multiple_of(PAGE);
        if self.mapped + length > self.largest {
            return false;
        }
        if let Some(file) = self.file
            && !system::allocate(file, self.mapped, length)
        {
            return false;
        }
        let is_mapped = self.map(self.window + self.mapped as usize, self.mapped, length);
        if is_mapped {
            self.mapped += length;
        }
        is_mapped
    }

    fn map(&self, address: usize, offset: u64, length: u64) -> bool {
        let (kind, file) = match self.file {
            Some(file) => (system::MAP_SHARED, file),
            None => (system::MAP_PRIVATE | system::MAP_ANONYMOUS | system::MAP_NORESERVE, -1),
        };
        let flags = kind | system::MAP_FIXED;
        system::map(address, length as usize, system::PROT_READ_WRITE, flags, file, offset).is_some()
    }

    /// Adds a segment of a thread's frames, which already have memory.
    pub(crate) fn add_segment(&mut self, slot: u32, index: u32, frames: u64, length: u64) {
        let Some(offset) = self.allocate(size_of::<Segment>() as u64) else { return };
        let next = self.header().segments;
        // SAFETY: the segment was just allocated.
        unsafe { *self.at::<Segment>(offset) = Segment { next, slot, index, frames, length } };
        self.header().segments = offset;
    }

    /// Replaces the frames of a segment by others that begin with a copy of them.
    pub(crate) fn lengthen_segment(&mut self, slot: u32, index: u32, frames: u64, length: u64) {
        let mut next = self.header().segments;
        while next != 0 {
            // SAFETY: segments are linked by offsets in the file.
            let segment = unsafe { &mut *self.at::<Segment>(next) };
            if (segment.slot, segment.index) == (slot, index) {
                (segment.frames, segment.length) = (frames, length);
                return;
            }
            next = segment.next;
        }
    }

    /// Adds the name of a routine to the file.
    pub(crate) fn name_routine(&mut self, index: u32, descriptor: &Descriptor) {
        let (name, file) = (descriptor.name(), descriptor.file());
        let length = size_of::<Routine>() + name.len() + file.len();
        let Some(offset) = self.allocate(length as u64) else { return };
        let routine = Routine {
            next: self.header().routines,
            index,
            line: descriptor.line,
            name_length: name.len() as u32,
            file_length: file.len() as u32,
        };
        // SAFETY: the bytes were just allocated.
        unsafe {
            *self.at::<Routine>(offset) = routine;
            let text = self.at::<u8>(offset + size_of::<Routine>() as u64);
            text.copy_from_nonoverlapping(name.as_ptr(), name.len());
            text.add(name.len()).copy_from_nonoverlapping(file.as_ptr(), file.len());
        }
        self.header().routines = offset;
    }

    /// Adds a function without a probe to the file. Returns the location of its number of calls, or `None` if the disk
    /// is full.
    pub(crate) fn register_external(&mut self, name: &[u8], object: &[u8]) -> Option<*mut u64> {
        let length = size_of::<External>() + name.len() + object.len();
        let offset = self.allocate(length as u64)?;
        let external = self.at::<External>(offset);
        let next = self.header().externals;
        let new =
            External { next, calls: 0, name_length: name.len() as u32, file_length: object.len() as u32 };
        // SAFETY: the bytes were just allocated.
        let calls = unsafe {
            *external = new;
            let text = external.add(1).cast::<u8>();
            text.copy_from_nonoverlapping(name.as_ptr(), name.len());
            text.add(name.len()).copy_from_nonoverlapping(object.as_ptr(), object.len());
            &raw mut (*external).calls
        };
        self.header().externals = offset;
        Some(calls)
    }
}

struct Path {
    bytes: [u8; MOST_FOLDER + 64],
    length: usize,
}

impl Path {
    fn as_bytes(&self) -> &[u8] {
        &self.bytes[..self.length]
    }

    fn push(&mut self, text: &[u8]) {
        self.bytes[self.length..self.length + text.len()].copy_from_slice(text);
        self.length += text.len();
    }

    fn push_number(&mut self, number: u32) {
        if number >= 10 {
            self.push_number(number / 10);
        }
        self.push(&[b'0' + (number % 10) as u8]);
    }
}
