//! Probed code, and a reader of what it records.

use std::cell::UnsafeCell;
use std::ffi::c_void;
use std::fs;
use std::mem::size_of;
use std::path::PathBuf;
use std::process;
use std::sync::LazyLock;
use std::sync::atomic::AtomicU32;

use trend_runtime::activations::{trend_probe_4_begin, trend_probe_4_finish};
use trend_runtime::descriptors::Descriptor;
use trend_runtime::model::{trend_probe_4_read_range, trend_probe_4_write_range};
use trend_runtime::record::pool::{self, Pieces};
use trend_runtime::record::{Entry, Frame, Header, Routine, Table};
use trend_runtime::thread::Thread;

/// Bytes in a cell.
pub(crate) const CELL: usize = 4;
const CELL_SHIFT: u32 = CELL.ilog2();

/// A routine's descriptor as trend-probe writes it.
#[repr(C)]
pub(crate) struct ProbedRoutine {
    index: AtomicU32,
    line: u32,
    name: *const u8,
    file: *const u8,
    name_length: u32,
    file_length: u32,
    config: u32,
}

const _: () = assert!(size_of::<ProbedRoutine>() == size_of::<Descriptor>());

// SAFETY: only the index changes, and it is atomic.
unsafe impl Sync for ProbedRoutine {}

impl ProbedRoutine {
    pub(crate) const fn new(name: &'static str) -> Self {
        let file = "program.c";
        Self {
            index: AtomicU32::new(0),
            line: 7,
            name: name.as_ptr(),
            file: file.as_ptr(),
            name_length: name.len() as u32,
            file_length: file.len() as u32,
            config: CELL_SHIFT,
        }
    }

    /// Runs an activation of the routine.
    pub(crate) fn run(&'static self, body: impl FnOnce(&Activation)) {
        static FOLDER: LazyLock<()> = LazyLock::new(|| {
            // SAFETY: the variable is read only by the runtime, whose first call comes later.
            unsafe { std::env::set_var("TREND_PROF_RECORD", folder()) };
        });
        LazyLock::force(&FOLDER);
        let (thread, routine) = (THREAD.with(UnsafeCell::get), std::ptr::from_ref(self).cast());
        // SAFETY: the thread's state lives as long as the thread, and the descriptor for ever.
        unsafe {
            let frame = trend_probe_4_begin(thread, routine);
            body(&Activation { thread, frame });
            trend_probe_4_finish(thread, routine, frame);
        }
    }
}

thread_local! {
    static THREAD: UnsafeCell<Thread> = const {
        UnsafeCell::new(Thread {
            top: std::ptr::null_mut(),
            limit: std::ptr::null_mut(),
            last_id: 0,
            slot: 0,
            mask: 0,
            tables: std::ptr::null_mut(),
            flip: 0,
            writer: 0,
            clock: 0,
        })
    };
}

/// A running activation.
pub(crate) struct Activation {
    thread: *mut Thread,
    frame: *mut Frame,
}

impl Activation {
    pub(crate) fn costs(&self, own: u64) {
        // SAFETY: the frame belongs to the running activation.
        unsafe { (*self.frame).own += own };
    }

    pub(crate) fn reads(&self, cells: &[u32]) {
        let (at, length) = (cells.as_ptr() as usize, size_of_val(cells));
        // SAFETY: as above; the cells are the program's.
        unsafe {
            let mask = (*self.thread).mask;
            (*self.frame).count += trend_probe_4_read_range(self.frame, mask, CELL_SHIFT, at, length, 0);
        }
    }

    pub(crate) fn writes(&self, cells: &[u32]) {
        let (at, length) = (cells.as_ptr() as usize, size_of_val(cells));
        // SAFETY: as above.
        unsafe { trend_probe_4_write_range(self.frame, (*self.thread).mask, CELL_SHIFT, at, length, 0) };
    }
}

/// Returns cells that the runtime can watch. Under ThreadSanitizer, these are only the first in the address space.
pub(crate) fn cells(count: usize) -> &'static mut [u32] {
    const READ_WRITE: i32 = 3;
    const PRIVATE_ANONYMOUS: i32 = 0x22;
    const MAP_32BIT: i32 = 0x40;
    unsafe extern "C" {
        fn mmap(
            at: *mut c_void,
            length: usize,
            access: i32,
            flags: i32,
            file: i32,
            offset: i64,
        ) -> *mut c_void;
    }
    let low = if cfg!(trend_sanitizer = "thread") { MAP_32BIT } else { 0 };
    // SAFETY: the memory is new, and stays mapped.
    unsafe {
        let length = count * size_of::<u32>();
        let at = mmap(std::ptr::null_mut(), length, READ_WRITE, PRIVATE_ANONYMOUS | low, -1, 0);
        assert_ne!(at.addr(), usize::MAX, "no memory");
        std::slice::from_raw_parts_mut(at.cast(), count)
    }
}

/// Calls of a routine with one size.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Calls {
    pub(crate) size: u64,
    pub(crate) count: u64,
    pub(crate) cost: u64,
    pub(crate) own: u64,
}

/// Returns the calls of a routine that a process has recorded, by size.
pub(crate) fn recorded(process: u32, routine: &str) -> Vec<Calls> {
    let record = record_of(process);
    let index = record.routine(routine).unwrap();
    let mut all: Vec<Calls> = Vec::new();
    for table in record.tables().filter(|table| table.routine == index) {
        for place in 0..table.capacity {
            let entry: Entry = record.at(table.entries + place * size_of::<Entry>() as u64);
            let new = Calls { size: entry.size, count: entry.calls, cost: entry.sum, own: entry.own };
            match all.iter_mut().find(|calls| calls.size == new.size) {
                Some(calls) => {
                    calls.count += new.count;
                    calls.cost += new.cost;
                    calls.own += new.own;
                }
                None if new.count > 0 => all.push(new),
                None => {}
            }
        }
    }
    all.sort_by_key(|calls| calls.size);
    all
}

/// Returns the folder of the records of this process and its children.
fn folder() -> PathBuf {
    static FOLDER: LazyLock<PathBuf> = LazyLock::new(|| {
        let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("records-{}", process::id()));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).unwrap();
        folder
    });
    FOLDER.clone()
}

/// Returns the record of this process or of one of its children.
fn record_of(process: u32) -> RecordBytes {
    let own = RecordBytes(fs::read(folder().join(format!("{}-0.trend-record", process::id()))).unwrap());
    if process == process::id() {
        return own;
    }
    let pool = RecordBytes(fs::read(folder().join(format!("{}-1.trend-record", process::id()))).unwrap());
    let mut next = pool.at::<pool::Header>(0).newest;
    loop {
        assert_ne!(next, 0, "process {process} has no record");
        let pieces: Pieces = pool.at(next + size_of::<Header>() as u64);
        let all = pieces.all[..pieces.count as usize].iter();
        let record = RecordBytes(
            all.flat_map(|piece| &pool.0[piece.offset as usize..][..piece.length as usize])
                .copied()
                .collect(),
        );
        if record.at::<Header>(0).process == process {
            return record;
        }
        next = pieces.next;
    }
}

struct RecordBytes(Vec<u8>);

impl RecordBytes {
    fn at<T: Copy>(&self, offset: u64) -> T {
        let bytes = &self.0[offset as usize..][..size_of::<T>()];
        // SAFETY: the bytes are there, and records consist of integers.
        unsafe { bytes.as_ptr().cast::<T>().read_unaligned() }
    }

    fn routine(&self, name: &str) -> Option<u32> {
        let mut offset = self.at::<Header>(0).routines;
        while offset != 0 {
            let routine: Routine = self.at(offset);
            let text = offset as usize + size_of::<Routine>();
            if self.0[text..][..routine.name_length as usize] == *name.as_bytes() {
                return Some(routine.index);
            }
            offset = routine.next;
        }
        None
    }

    fn tables(&self) -> impl Iterator<Item = Table> {
        let first = Some(self.at::<Header>(0).tables).filter(|offset| *offset != 0);
        let next = |table: &Table| (table.next != 0).then(|| self.at::<Table>(table.next));
        std::iter::successors(first.map(|offset| self.at(offset)), next)
    }
}
