//! Layout of the file that a probed process leaves.
//!
//! ```text
//! Header │ routines, tables, entries, segments of stacks … in the order in which they were needed
//! ```
//!
//! Items of variable size are linked by offsets from the header. A process writes to memory mapped from the file.
//! However the process ends, only activations that were still running are missing from the tables. Those are in the
//! stacks: frames with an id, from the bottom up. Integers have the machine's byte order.
//!
//! If a process ends normally and alone, its record is sealed ([`flag::SEALED`]). A seal is the end of the allocated
//! bytes:
//!
//! ```text
//! the check of each page before the seal │ their number │ the check of the seal up to here      8 bytes each
//! ```
//!
//! The first page is checked as if it had the flag, which is written after the seal.
//!
//! Forked processes share one file, since creating a file takes longer than many children live. [`pool`] is its layout.

/// First bytes of a record.
pub const MAGIC: [u8; 8] = *b"trendprb";
/// Version of this layout. The runtime's symbols contain it as well, so that hooks of one version never meet frames of
/// another.
pub const VERSION: u32 = 4;
/// Mark before the code of a function that is a part of its callers. It shows a caller in another source file that
/// the function is probed.
pub const PART_MARK: [u8; 8] = *b"trendprt";
/// Size of the first page. It begins with the header and the program's path.
pub const HEADER_SIZE: u64 = 4096;

/// Header at the front of the file.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Header {
    /// Magic number, [`MAGIC`].
    pub magic: [u8; 8],
    /// Version of the layout, [`VERSION`].
    pub version: u32,
    /// Size of a cell in bytes.
    pub cell_size: u32,
    /// Unit of costs: a [`Unit`].
    pub unit: u32,
    /// Bits of [`flag`].
    pub flags: u32,
    /// Process id.
    pub process: u32,
    /// Id of the process that it was forked from, or 0.
    pub forked_from: u32,
    /// Number of bytes of the file that are allocated.
    pub used: u64,
    /// Number of activations that could not be recorded because the disk was full or memory had run out.
    pub lost: u64,
    /// Offset of the first [`Routine`]; as in all offsets, 0 stands for none.
    pub routines: u64,
    /// Offset of the first [`Table`].
    pub tables: u64,
    /// Offset of the first [`Segment`].
    pub segments: u64,
    /// Offset of the first [`External`].
    pub externals: u64,
    /// Offset of the path of the process's program; 0 if it is unknown.
    pub program: u64,
    /// Length of that path in bytes.
    pub program_length: u64,
    /// Address of the file in the memory of the process.
    pub address: u64,
}

impl Header {
    /// Returns the header of an empty file.
    pub const fn new(magic: [u8; 8], version: u32) -> Self {
        Self {
            magic,
            version,
            cell_size: 0,
            unit: 0,
            flags: 0,
            process: 0,
            forked_from: 0,
            used: 0,
            lost: 0,
            routines: 0,
            tables: 0,
            segments: 0,
            externals: 0,
            program: 0,
            program_length: 0,
            address: 0,
        }
    }
}

/// Events in a process, as bits of [`Header::flags`].
pub mod flag {
    /// The kernel and other threads are watched: sizes are DRMS, and RMS is known.
    pub const DYNAMIC: u32 = 1;
    /// A routine continued after its caller had ended, as in coroutines. Some costs and sizes are wrong.
    pub const INTERLEAVED: u32 = 2;
    /// The disk was full.
    pub const DISK_FULL: u32 = 4;
    /// There were more threads than can be watched at a time. Those beyond were not recorded.
    pub const UNWATCHED_THREADS: u32 = 8;
    /// Each calling context of a routine has a [`Table`](super::Table).
    pub const CONTEXTS: u32 = 16;
    /// There were more calling contexts than the maximum.
    pub const CONTEXTS_FULL: u32 = 32;
    /// Calls were nested so deeply that memory ran out. Each further call took the place of its caller, which is lost.
    pub const NO_FRAMES: u32 = 64;
    /// The allocated bytes end with a seal, and nothing was written afterwards.
    pub const SEALED: u32 = 128;
}

/// Number of bytes that a check in a seal covers. The last check can cover fewer.
pub const PAGE: usize = 4096;

/// Returns the check of some bytes.
///
/// Bytes that differ in one word of 8 bytes have different checks: each step is a bijection of the lane and of the
/// word. Other changes have the same check with a probability of 2^−64.
pub fn check(bytes: &[u8]) -> u64 {
    const ODD: u64 = 0x9e37_79b9_7f4a_7c15;
    let step = |lane: u64, word: u64| (lane ^ word).wrapping_mul(ODD).rotate_left(29);
    // Four lanes take as long as one, since multiplications overlap.
    let mut lanes = [bytes.len() as u64, 1, 2, 3];
    for words in bytes.chunks(8 * lanes.len()) {
        for (lane, word) in lanes.iter_mut().zip(words.chunks(8)) {
            let mut whole = [0; 8];
            whole[..word.len()].copy_from_slice(word);
            *lane = step(*lane, u64::from_ne_bytes(whole));
        }
    }
    lanes.into_iter().fold(0, step)
}

/// Unit of costs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum Unit {
    /// Basic blocks before optimization.
    Blocks = 0,
    /// LLVM instructions before optimization.
    Instructions = 1,
    /// Nanoseconds.
    Nanoseconds = 2,
}

impl Unit {
    /// Returns the unit with a number.
    pub fn from_number(number: u32) -> Option<Self> {
        [Self::Blocks, Self::Instructions, Self::Nanoseconds].into_iter().find(|unit| *unit as u32 == number)
    }
}

/// Layout of a file with the records of forked processes: children of a process, their children, and so on.
///
/// ```text
/// Header, up to the end of the page │ pieces of records: whole pages, in the order in which they were needed
/// ```
///
/// A record is split into pieces. [`Pieces`](pool::Pieces), which follows the header of the record, lists them. Read
/// one after another, they are the record as it would be in its own file. Offsets are from the front of the file.
pub mod pool {
    /// First bytes of a file.
    pub const MAGIC: [u8; 8] = *b"trendfrk";
    /// Version of this layout.
    pub const VERSION: u32 = 1;
    /// Maximum number of pieces of a record. While there is room, each is at least as long as all previous ones
    /// together.
    pub const MOST_PIECES: usize = 24;

    /// Header at the front of the file. All processes write to it.
    #[repr(C)]
    #[derive(Clone, Copy, Debug)]
    pub struct Header {
        /// Always [`MAGIC`].
        pub magic: [u8; 8],
        /// [`VERSION`] of the runtime that created the file.
        pub version: u64,
        /// Number of bytes that belong to the header and to pieces.
        pub used: u64,
        /// Number of bytes that have disk space.
        pub reserved: u64,
        /// Offset of the newest record; 0 for none.
        pub newest: u64,
    }

    /// Position of a record in the file.
    #[repr(C)]
    #[derive(Clone, Copy, Debug)]
    pub struct Pieces {
        /// Offset of the previously added record; 0 for none.
        pub next: u64,
        /// Number of pieces in `all` that are used; at least one.
        pub count: u64,
        /// The pieces in the order of the record's bytes.
        pub all: [Piece; MOST_PIECES],
    }

    /// Part of a record.
    #[repr(C)]
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub struct Piece {
        /// Offset of its first byte.
        pub offset: u64,
        /// Number of bytes: a multiple of the page size.
        pub length: u64,
    }
}

/// A routine. Its name and the path of its file follow.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Routine {
    /// Offset of the next routine.
    pub next: u64,
    /// Index of the routine, from 1.
    pub index: u32,
    /// Line where the routine begins, or 0.
    pub line: u32,
    /// Length of the linkage name in bytes.
    pub name_length: u32,
    /// Length of the path in bytes.
    pub file_length: u32,
}

/// Record of one routine in one thread; with [`flag::CONTEXTS`], in one calling context as well.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Table {
    /// Offset of the next table.
    pub next: u64,
    /// Index of the routine.
    pub routine: u32,
    /// Slot of the thread. When a thread ends, a new one can take over its slot.
    pub slot: u32,
    /// Number of places for entries: a power of two.
    pub capacity: u64,
    /// Number of entries.
    pub length: u64,
    /// Offset of the first place; places without calls are empty.
    pub entries: u64,
    /// In the process: address of the first place.
    pub address: u64,
    /// In the process: number of running activations of the routine.
    pub depth: u64,
    /// In the process: address of the table of the calling context, or one of the constants.
    pub parent: u64,
    /// Offset of the caller's table, which is less than this table's own; or [`NO_CALLER`] or [`CALLERS_UNKNOWN`].
    pub caller: u64,
    /// Activations that are not yet in an entry.
    pub recent: [Recent; RECENT],
}

/// Number of kinds of activations that are counted before they are added to entries: a power of two.
pub const RECENT: usize = 8;

/// Activations with equal totals and without cells that count again. They are added to the [`Entry`] of their size when
/// others take their place.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Recent {
    /// Number of cells of input.
    pub size: u64,
    /// Cost of each activation, including callees.
    pub cost: u64,
    /// Twice the cost of each activation without callees, plus 1 if another activation of the routine encloses it.
    pub own: u64,
    /// Number of activations.
    pub calls: u64,
}

/// [`Table::caller`] of routines without a probed caller, and of all routines if contexts are not distinguished.
pub const NO_CALLER: u64 = 0;
/// [`Table::caller`] of calls beyond the maximum number of contexts.
pub const CALLERS_UNKNOWN: u64 = 1;

/// All activations of a routine with one size and one number of cells that count again.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Entry {
    /// Number of cells of input.
    pub size: u64,
    /// Number of cells that count again in each activation. Its RMS is smaller than the size by this number.
    pub again: u64,
    /// Number of activations.
    pub calls: u64,
    /// Least cost of an activation, including callees.
    pub least: u64,
    /// Greatest cost of an activation, including callees.
    pub greatest: u64,
    /// Total cost of the activations, including callees.
    pub sum: u64,
    /// Sum of the squares of the costs, the low half first.
    pub squares: [u64; 2],
    /// Total cost of the activations that no other activation of the routine encloses.
    pub outermost: u64,
    /// Total cost without callees.
    pub own: u64,
    /// Least cost of an activation without callees.
    pub own_least: u64,
    /// Greatest cost of an activation without callees.
    pub own_greatest: u64,
    /// Sum of the squares of the costs without callees, the low half first.
    pub own_squares: [u64; 2],
    /// Number of cells of the input that other threads wrote.
    pub from_threads: u64,
    /// Number of cells of the input that the kernel wrote.
    pub from_kernel: u64,
    /// Number of cells that other threads wrote and no callee read.
    pub own_from_threads: u64,
    /// Number of cells that the kernel wrote and no callee read.
    pub own_from_kernel: u64,
}

/// Consecutive frames of a thread's stack.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Segment {
    /// Offset of the next segment.
    pub next: u64,
    /// Slot of the thread.
    pub slot: u32,
    /// Index among the thread's segments, from 0 at the bottom.
    pub index: u32,
    /// Offset of the first [`Frame`].
    pub frames: u64,
    /// Number of frames in the segment.
    pub length: u64,
}

/// A running activation. The frame at the bottom of a stack is not an activation; it stands for the caller of the
/// first one.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Frame {
    /// Id of the activation, larger than all ids that its thread assigned before. 0 if the frame holds no
    /// activation.
    pub id: u32,
    /// Index of the routine. 0 if a forked process inherited the frame: the cost then belongs to another process.
    pub routine: u32,
    /// Amount added to `count` to get the size: cells that only callees have read.
    pub carried: i64,
    /// Cost of the callees.
    pub inclusive: u64,
    /// Number of cells that the activation read itself before its last call. In the bottom frame of a running process:
    /// the thread's number as a writer.
    pub count: u64,
    /// Cost without callees before its last call.
    pub own: u64,
    /// Number of cells read by its parts: called functions that are not routines.
    pub parts_count: u64,
    /// Cost of its parts.
    pub parts_own: u64,
    /// In the process: address of its [`Table`].
    pub table: u64,
    /// Number of cells that count again: RMS is smaller than the size by this number. This field and the next two
    /// include callees.
    pub again: u64,
    /// Number of cells of its input that the kernel wrote.
    pub from_kernel: u64,
    /// Number of cells of its input that other threads wrote.
    pub from_threads: u64,
    /// Number of cells that the kernel wrote and the activation read itself.
    pub own_from_kernel: u64,
    /// Number of cells that other threads wrote and the activation read itself.
    pub own_from_threads: u64,
}

/// A function without a probe, with its number of calls from probed code. Its name and the path of its library follow.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct External {
    /// Offset of the next function.
    pub next: u64,
    /// Number of calls.
    pub calls: u64,
    /// Length of the name in bytes.
    pub name_length: u32,
    /// Length of the path in bytes.
    pub file_length: u32,
}
