//! The mapped file that a process records in.

use core::ffi::c_int;
use core::mem::size_of;
use core::sync::atomic::{AtomicBool, Ordering};

use crate::descriptors::Descriptor;
use crate::lock::Lock;
use crate::record::{External, HEADER_SIZE, Header, MAGIC, Routine, VERSION, flag};
use crate::system;

/// Where records are to go; without it nothing is recorded, and the program runs as it would.
const FOLDER: &[u8] = b"TREND_PROF_RECORD\0";
/// How much is added to a file at least, in bytes.
const CHUNK: u64 = 1 << 18;
const PAGE: u64 = 4096;
/// What no file is larger than: so much room is reserved for it in the address space.
pub(crate) const LARGEST: u64 = 1 << 35;

/// What is recorded, of all threads.
pub(crate) static RECORD: Lock<Record> = Lock::new(Record::new());

const MOST_FOLDER: usize = 4000;

/// [`flag::DISK_FULL`], for those who do not have the lock.
static IS_DISK_FULL: AtomicBool = AtomicBool::new(false);

/// Whether there was no room for something.
pub(crate) fn is_disk_full() -> bool {
    IS_DISK_FULL.load(Ordering::Relaxed)
}

pub(crate) struct Record {
    /// The address of the header; 0 before the first routine was entered.
    window: usize,
    /// Bytes that are mapped.
    mapped: u64,
    /// The open file; none where nothing is recorded.
    file: Option<c_int>,
    /// No file is larger.
    largest: u64,
    routines: u32,
    process: u32,
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
            routines: 0,
            process: 0,
            folder: [0; MOST_FOLDER],
            folder_length: 0,
        }
    }

    pub(crate) fn is_begun(&self) -> bool {
        self.window != 0
    }

    /// Lets the record have no more room than this, in bytes.
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

    /// Begins with what is known of the header.
    // Its buffers are not to be on the stack of every handler that calls a new routine.
    #[cold]
    #[inline(never)]
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
        *self.header() =
            Header { process: self.process, used: HEADER_SIZE, address: self.window as u64, ..*header };
        let mut path = [0; MOST_FOLDER];
        let length = system::program(&mut path);
        if let Some(offset) = self.allocate(length as u64) {
            // SAFETY: the bytes were allocated just now.
            unsafe { self.at::<u8>(offset).copy_from_nonoverlapping(path.as_ptr(), length) };
            let header = self.header();
            (header.program, header.program_length) = (offset, length as u64);
        }
    }

    fn create(&self) -> Option<c_int> {
        // Processes that follow each other under one number have files of their own.
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

    /// The front of the file.
    #[allow(clippy::mut_from_ref)]
    pub(crate) fn header(&self) -> &mut Header {
        // SAFETY: it is mapped once the record is begun, and the lock is held.
        unsafe { &mut *(self.window as *mut Header) }
    }

    /// The address of what is at an offset.
    pub(crate) fn at<T>(&self, offset: u64) -> *mut T {
        (self.window + offset as usize) as *mut T
    }

    /// The offset of what is at an address in the file.
    pub(crate) fn offset_of(&self, address: u64) -> Option<u64> {
        address.checked_sub(self.window as u64).filter(|offset| *offset < self.mapped)
    }

    /// Zeroed bytes of the file: offset and address; `None` where the disk is full.
    pub(crate) fn allocate(&mut self, length: u64) -> Option<u64> {
        self.allocate_aligned(length, 32)
    }

    fn allocate_aligned(&mut self, length: u64, alignment: u64) -> Option<u64> {
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

    /// Whole pages of the file, mapped at another address: the offset.
    pub(crate) fn allocate_at(&mut self, address: usize, length: u64) -> Option<u64> {
        let offset = match self.file {
            // There is nothing that could be mapped twice.
            None => 0,
            Some(_) => self.allocate_aligned(length, PAGE)?,
        };
        self.map(address, offset, length).then_some(offset)
    }

    fn grow(&mut self, end: u64) -> bool {
        let length = (end - self.mapped).max(CHUNK).max(self.mapped / 4).next_multiple_of(PAGE);
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

    /// Gives a routine its index, and its name to the file.
    pub(crate) fn register(&mut self, descriptor: &Descriptor) -> u32 {
        let known = descriptor.index();
        if known != 0 {
            return known;
        }
        self.routines += 1;
        let index = self.routines;
        let (name, file) = (descriptor.name(), descriptor.file());
        let length = core::mem::size_of::<Routine>() + name.len() + file.len();
        if let Some(offset) = self.allocate(length as u64) {
            let next = self.header().routines;
            let routine = Routine {
                next,
                index,
                line: descriptor.line,
                name_length: name.len() as u32,
                file_length: file.len() as u32,
            };
            // SAFETY: the bytes were allocated just now.
            unsafe {
                *self.at::<Routine>(offset) = routine;
                let text = self.at::<u8>(offset + size_of::<Routine>() as u64);
                text.copy_from_nonoverlapping(name.as_ptr(), name.len());
                text.add(name.len()).copy_from_nonoverlapping(file.as_ptr(), file.len());
            }
            self.header().routines = offset;
        }
        descriptor.set_index(index);
        index
    }

    /// Where the calls of a function that is not probed are counted; `None` where the disk is full.
    pub(crate) fn register_external(&mut self, name: &[u8], object: &[u8]) -> Option<*mut u64> {
        let length = size_of::<External>() + name.len() + object.len();
        let offset = self.allocate(length as u64)?;
        let external = self.at::<External>(offset);
        let next = self.header().externals;
        let new =
            External { next, calls: 0, name_length: name.len() as u32, file_length: object.len() as u32 };
        // SAFETY: the bytes were allocated just now.
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

    /// Sets the calls of all functions that are not probed to 0.
    pub(crate) fn forget_externals(&self) {
        let mut next = self.header().externals;
        while next != 0 {
            // SAFETY: they are linked by offsets in the file.
            let external = unsafe { &mut *self.at::<External>(next) };
            external.calls = 0;
            next = external.next;
        }
    }

    /// In a child that was forked: goes on in a file of its own, of the same contents.
    pub(crate) fn separate(&mut self) {
        let parent = core::mem::replace(&mut self.process, system::process());
        let Some(parents) = self.file else { return };
        let length = self.mapped as usize;
        // SAFETY: so much is mapped.
        let contents = unsafe { core::slice::from_raw_parts(self.window as *const u8, length) };
        let own = self.create().filter(|file| {
            let is_written = system::allocate(*file, 0, self.mapped) && system::write_all(*file, contents);
            if !is_written {
                system::close_file(*file);
            }
            is_written
        });
        self.file = own;
        if own.is_none() {
            system::say(b"trend-prof: a forked process is not recorded: it can make no file of its own\n");
            // What is written from here on must not come into the parent's file.
            self.detach(contents);
        } else if !self.map(self.window, 0, self.mapped) {
            system::fail(b"trend-prof: a forked process cannot map its record\n");
        }
        system::close_file(parents);
        let header = self.header();
        header.process = self.process;
        header.forked_from = parent;
        header.lost = 0;
    }

    /// Maps memory of this process alone in place of the file, with the same contents.
    fn detach(&self, contents: &[u8]) {
        let flags = system::MAP_PRIVATE | system::MAP_ANONYMOUS | system::MAP_NORESERVE;
        let copy = system::map(0, contents.len(), system::PROT_READ_WRITE, flags, -1, 0);
        let Some(copy) = copy else { system::fail(b"trend-prof: no memory is left in a forked process\n") };
        // SAFETY: both are mapped and so long.
        unsafe { (copy as *mut u8).copy_from_nonoverlapping(contents.as_ptr(), contents.len()) };
        if !self.map(self.window, 0, self.mapped) {
            system::fail(b"trend-prof: no memory is left in a forked process\n");
        }
        // SAFETY: both are mapped and so long.
        unsafe { (self.window as *mut u8).copy_from_nonoverlapping(copy as *const u8, contents.len()) };
    }

    /// Maps a part of the file that is mapped at another address there again, after [`Self::separate`].
    pub(crate) fn map_again(&self, address: usize, offset: u64, length: u64) {
        if self.file.is_some() {
            if !self.map(address, offset, length) {
                system::fail(b"trend-prof: a forked process cannot map its record\n");
            }
        } else if offset != 0 && self.map(address, 0, length) {
            // SAFETY: the window has its contents.
            unsafe { (address as *mut u8).copy_from_nonoverlapping(self.at::<u8>(offset), length as usize) };
        }
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
