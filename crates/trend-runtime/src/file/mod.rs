//! The mapped file that a process records to.

mod own_file;
mod pool;
#[cfg(trend_staticlib)]
mod seal;

use core::ffi::c_int;
use core::mem::size_of;
use core::sync::atomic::{AtomicBool, Ordering, fence};

use self::own_file::{OwnFile, PAGE};
use self::pool::Pool;
use crate::layout::descriptor::Descriptor;
use crate::layout::record::pool::{MOST_PIECES, Piece, Pieces};
use crate::layout::record::{External, HEADER_SIZE, Header, MAGIC, Routine, Segment, VERSION, flag};
use crate::system;
use crate::system::lock::Lock;

/// Environment variable with the folder for records. Without it, nothing is recorded, and the program runs as usual.
const FOLDER: &str = "TREND_PROF_RECORD";
/// Minimum growth of a record in bytes.
const CHUNK: u64 = 1 << 18;
/// Minimum growth of a forked process's record in bytes. Servers fork thousands of processes that each do little.
const FORKED_CHUNK: u64 = 1 << 14;
/// Alignment of everything in a record.
const ALIGNMENT: u64 = 32;
/// Maximum size of a file: this much address space is reserved for it.
pub(crate) const LARGEST: u64 = 1 << 35;

/// Record of all threads.
pub(crate) static RECORD: Lock<OwnRecord> = Lock::new(OwnRecord::new());

const MOST_FOLDER: usize = 4000;

/// Copy of [`flag::DISK_FULL`] for code that does not hold the lock.
static IS_DISK_FULL: AtomicBool = AtomicBool::new(false);

/// Returns true if the record has run out of room.
pub(crate) fn is_disk_full() -> bool {
    IS_DISK_FULL.load(Ordering::Relaxed)
}

/// The mapped record of a process. The fields that a forked process writes come first.
#[repr(C)]
pub(crate) struct OwnRecord {
    /// Address of the header; 0 before the first routine is entered.
    window: usize,
    /// Number of mapped bytes.
    mapped: u64,
    /// File of the record; `None` if nothing is recorded.
    file: Option<OwnFile>,
    /// File that forked processes share. It exists after the first fork.
    pool: Option<Pool>,
    /// True after a pool could not be created. Later forks do not try again.
    has_no_pool: bool,
    /// Pieces of the pool that hold the record. Without any, the record has a file to itself.
    pieces: Pieces,
    /// Start and end of unused bytes that were skipped for page alignment.
    gap: [u64; 2],
    /// Maximum size of the record in bytes.
    largest: u64,
    /// Header that a record begins with.
    first: Header,
    process: u32,
    /// Process that this one was forked from, or 0.
    parent: u32,
    /// True in a forked process that has recorded nothing yet.
    has_no_record: bool,
    /// Path of the program in the record of this process, or of the one that it was forked from.
    program: &'static [u8],
    folder: [u8; MOST_FOLDER],
    folder_length: usize,
}

impl OwnRecord {
    pub(crate) const fn new() -> Self {
        Self {
            window: 0,
            mapped: 0,
            file: None,
            pool: None,
            has_no_pool: false,
            pieces: Pieces { next: 0, count: 0, all: [Piece { offset: 0, length: 0 }; MOST_PIECES] },
            gap: [0; 2],
            largest: LARGEST,
            first: Header::new(MAGIC, VERSION),
            process: 0,
            parent: 0,
            has_no_record: false,
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
    pub(crate) fn has_record(&self) -> bool {
        !self.has_no_record
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

    /// Prepares a fork: the child's record needs a file that parent and child share.
    pub(crate) fn before_fork(&mut self) {
        if self.pool.is_none() && self.file.is_some() && !self.has_no_pool {
            self.begin_pool();
            self.has_no_pool = self.pool.is_none();
        }
    }

    // Kept out of line, so that the path is not on the stack of every fork.
    #[cold]
    #[inline(never)]
    fn begin_pool(&mut self) {
        let Some(file) = self.create() else { return };
        self.pool = Pool::begin(file);
        if self.pool.is_none() {
            // A file without a header would be taken for a damaged record.
            let [process, serial] = file.name;
            if let Some(path) = self.path(process, serial) {
                system::remove(path.as_bytes());
            }
            file.close();
        }
    }

    /// Leaves the record to the parent, in a process that was just forked. If there is no file, the record stays: the
    /// memory is the child's own.
    ///
    /// The parent continues to write to its record, so nothing is copied from there. The child's own record follows
    /// the parent's in the address space. It begins when there is something to record.
    pub(crate) fn leave_to_parent(&mut self) {
        let parent = core::mem::replace(&mut self.process, system::process());
        if self.has_no_record {
            self.parent = parent;
        }
        let Some(file) = self.file.take() else { return };
        if self.pieces.count == 0 {
            file.close();
        }
        self.pieces.count = 0;
        self.gap = [0; 2];
        self.parent = parent;
        self.window += self.mapped as usize;
        self.largest -= self.mapped;
        self.mapped = 0;
        self.has_no_record = true;
        // Writing would copy the parent's page.
        if is_disk_full() {
            IS_DISK_FULL.store(false, Ordering::Relaxed);
        }
    }

    /// Begins the record of a forked process.
    pub(crate) fn begin_forked(&mut self) {
        self.has_no_record = false;
        self.file = self.pool.as_ref().map(|pool| pool.file);
        if self.descriptor().is_none() {
            self.file = None;
            system::say(b"trend-prof: a forked process is not recorded: the shared file cannot be created or opened\n");
        }
        self.start();
    }

    /// Returns the descriptor of the record's file. Opens the file again if the program has closed it.
    fn descriptor(&mut self) -> Option<c_int> {
        let file = self.file.as_ref()?;
        if file.is_open() { Some(file.descriptor) } else { self.open_again() }
    }

    // Kept out of line, so that the path is not on the stack of every process.
    #[cold]
    #[inline(never)]
    fn open_again(&mut self) -> Option<c_int> {
        let mut file = self.file?;
        let [process, serial] = file.name;
        file.descriptor = system::open_again(self.path(process, serial)?.as_bytes())?;
        if !file.is_open() {
            system::close_file(file.descriptor);
            return None;
        }
        self.file = Some(file);
        if let Some(pool) = self.pool.as_mut().filter(|pool| pool.file.identity == file.identity) {
            pool.file = file;
        }
        Some(file.descriptor)
    }

    fn start(&mut self) {
        self.process = system::process();
        if !self.grow(HEADER_SIZE) {
            if let Some(file) = self.file.take() {
                file.close();
                system::say(b"trend-prof: nothing is recorded: the disk is full\n");
            }
            if !self.grow(HEADER_SIZE) {
                system::fail(b"trend-prof: no memory is left to record in\n");
            }
        }
        let is_in_pool = self.pieces.count > 0;
        let front = size_of::<Header>() + if is_in_pool { size_of::<Pieces>() } else { 0 };
        // SAFETY: the front of the file has room for the path after the header, and stays mapped.
        let room: &'static mut [u8] =
            unsafe { core::slice::from_raw_parts_mut(self.at(front as u64), HEADER_SIZE as usize - front) };
        let length = match self.program.len().min(room.len()) {
            0 => system::program(room),
            length => {
                room[..length].copy_from_slice(&self.program[..length]);
                length
            }
        };
        self.program = &room[..length];
        *self.header() = Header {
            process: self.process,
            forked_from: self.parent,
            used: (front + length) as u64,
            program: if length == 0 { 0 } else { front as u64 },
            program_length: length as u64,
            address: self.window as u64,
            ..self.first
        };
        if is_in_pool && let Some(pool) = &self.pool {
            self.keep_pieces();
            // SAFETY: they were just written.
            pool.add(unsafe { &mut *self.kept_pieces() });
        }
    }

    /// Creates a file with a new name.
    #[cold]
    #[inline(never)]
    fn create(&self) -> Option<OwnFile> {
        let process = system::process();
        // Process ids are reused, so a serial number distinguishes the files.
        for serial in 0..10_000 {
            let path = self.path(process, serial)?;
            match system::create(path.as_bytes()) {
                Ok(descriptor) => {
                    let Some(identity) = system::identity(descriptor) else {
                        system::remove(path.as_bytes());
                        system::close_file(descriptor);
                        return None;
                    };
                    return Some(OwnFile { descriptor, identity, name: [process, serial] });
                }
                Err(system::EEXIST) => {}
                Err(_) => return None,
            }
        }
        None
    }

    fn path(&self, process: u32, serial: u32) -> Option<Path> {
        let mut path = Path { bytes: [0; MOST_FOLDER + 64], length: 0 };
        path.push(self.folder.get(..self.folder_length)?);
        path.push(b"/");
        path.push_number(process);
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
        let [start, end] = self.gap;
        if length <= end - start && !self.has_no_record {
            self.gap[0] = (start + length).next_multiple_of(ALIGNMENT).min(end);
            return Some(start);
        }
        self.allocate_aligned(length, ALIGNMENT)
    }

    fn allocate_aligned(&mut self, length: u64, alignment: u64) -> Option<u64> {
        if self.has_no_record {
            return None;
        }
        let used = self.header().used.next_multiple_of(ALIGNMENT);
        let offset = used.next_multiple_of(alignment);
        let end = offset.checked_add(length)?;
        if end > self.mapped && !self.grow(end) {
            self.header().flags |= flag::DISK_FULL;
            IS_DISK_FULL.store(true, Ordering::Relaxed);
            return None;
        }
        self.header().used = end;
        if offset - used > self.gap[1] - self.gap[0] {
            self.gap = [used, offset];
        }
        Some(offset)
    }

    /// Allocates bytes at the front of a page and maps their pages at another address, too. Copies the first `kept`
    /// bytes there into them. Returns their offset, or `None` if the disk is full.
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
        self.map(address, offset, length.next_multiple_of(PAGE)).then_some(offset)
    }

    fn grow(&mut self, end: u64) -> bool {
        // A record in a pool doubles, so that it has few pieces.
        let (least, more) =
            if self.is_forked() { (FORKED_CHUNK, self.mapped) } else { (CHUNK, self.mapped / 4) };
        let needed = (end - self.mapped).max(least).next_multiple_of(PAGE);
        let preferred = needed.max(more).next_multiple_of(PAGE);
        self.extend(preferred) || (needed < preferred && self.extend(needed))
    }

    /// Adds mapped bytes to the record. Returns false if there is no room.
    fn extend(&mut self, length: u64) -> bool {
        if self.mapped + length > self.largest || (self.file.is_some() && !self.reserve(length)) {
            return false;
        }
        let is_mapped = self.map(self.window + self.mapped as usize, self.mapped, length);
        if is_mapped {
            self.mapped += length;
        }
        if self.pieces.count > 0 {
            if !is_mapped {
                self.pieces.count -= 1;
            } else if self.mapped > length {
                self.keep_pieces();
            }
        }
        is_mapped
    }

    /// Reserves disk space for the next bytes of the record.
    fn reserve(&mut self, length: u64) -> bool {
        let Some(file) = self.descriptor() else { return false };
        if !self.is_forked() {
            return system::allocate(file, self.mapped, length);
        }
        let count = self.pieces.count as usize;
        let pool = self.pool.as_ref().filter(|_| count < MOST_PIECES);
        let Some(piece) = pool.and_then(|pool| pool.take(file, length)) else { return false };
        self.pieces.all[count] = piece;
        self.pieces.count += 1;
        true
    }

    /// Writes the pieces to the record. The process can be killed at any moment, so their number comes last.
    fn keep_pieces(&self) {
        // SAFETY: the first page is mapped, and has room for them.
        unsafe {
            (*self.kept_pieces()).all = self.pieces.all;
            fence(Ordering::Release);
            (*self.kept_pieces()).count = self.pieces.count;
        }
    }

    fn kept_pieces(&self) -> *mut Pieces {
        self.at(size_of::<Header>() as u64)
    }

    fn map(&mut self, address: usize, offset: u64, length: u64) -> bool {
        self.map_as(system::MAP_SHARED, address, offset, length)
    }

    /// Maps bytes of the record at an address, the last ones first. If there is a file, `kind` is
    /// [`system::MAP_SHARED`] or [`system::MAP_PRIVATE`].
    fn map_as(&mut self, kind: c_int, address: usize, offset: u64, length: u64) -> bool {
        let is_mapped = |address: usize, length: u64, kind: c_int, file: c_int, offset: u64| {
            let flags = kind | system::MAP_FIXED | system::MAP_NORESERVE;
            system::map(address, length as usize, system::PROT_READ_WRITE, flags, file, offset).is_some()
        };
        if self.file.is_none() {
            return is_mapped(address, length, system::MAP_PRIVATE | system::MAP_ANONYMOUS, -1, 0);
        }
        let Some(file) = self.descriptor() else { return false };
        if self.pieces.count == 0 {
            return is_mapped(address, length, kind, file, offset);
        }
        let pieces = &self.pieces.all[..self.pieces.count as usize];
        let (mut start, end) = (pieces.iter().map(|piece| piece.length).sum::<u64>(), offset + length);
        pieces.iter().rev().all(|piece| {
            let to = end.min(start);
            start -= piece.length;
            let from = offset.max(start);
            let at = address + from.saturating_sub(offset) as usize;
            from >= to || is_mapped(at, to - from, kind, file, piece.offset + (from - start))
        })
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
                // If the process is killed in between, there are too few frames and no wrong ones.
                segment.length = segment.length.min(length);
                fence(Ordering::Release);
                segment.frames = frames;
                fence(Ordering::Release);
                segment.length = length;
                return;
            }
            next = segment.next;
        }
    }

    /// Removes the frames of a segment from the record.
    pub(crate) fn empty_segment(&mut self, slot: u32, index: u32) {
        self.lengthen_segment(slot, index, 0, 0);
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
