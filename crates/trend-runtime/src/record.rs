//! The layout of the file that a probed process leaves.
//!
//! ```text
//! Header │ routines, tables, entries, segments of stacks … in the order in which they were needed
//! ```
//!
//! Whatever is not fixed in size is linked by offsets from the header. A process writes in memory that is mapped from the
//! file: at its end, however it comes, only the activations that were running are not in the tables. Those are in
//! the stacks: frames with an id, from the bottom on. Integers are those of the machine.

/// The first bytes of a file.
pub const MAGIC: [u8; 8] = *b"trendprb";
/// The version of this layout. The names of the runtime's symbols have it as well, so that hooks of one version never meet
/// frames of another.
pub const VERSION: u32 = 4;
/// What stands in front of the code of a function that is a part of its callers: by it, a caller in another source sees that it
/// is probed.
pub const PART_MARK: [u8; 8] = *b"trendprt";
/// Bytes at the front of the file that are not given out.
pub const HEADER_SIZE: u64 = 4096;

/// What is at the front of the file.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Header {
    /// [`MAGIC`].
    pub magic: [u8; 8],
    /// [`VERSION`].
    pub version: u32,
    /// Bytes of a cell.
    pub cell_size: u32,
    /// What costs are counted in: a [`Unit`].
    pub unit: u32,
    /// See [`flag`].
    pub flags: u32,
    /// The process.
    pub process: u32,
    /// The process that it was forked from; 0 of one that was started.
    pub forked_from: u32,
    /// Bytes of the file that are given out.
    pub used: u64,
    /// Activations that could not be recorded, as the disk was full or there was no memory.
    pub lost: u64,
    /// The first [`Routine`]; 0 for none, as in all offsets.
    pub routines: u64,
    /// The first [`Table`].
    pub tables: u64,
    /// The first [`Segment`].
    pub segments: u64,
    /// The first [`External`].
    pub externals: u64,
    /// The path of the program that the process runs; 0 where that is not known.
    pub program: u64,
    /// Bytes of that path.
    pub program_length: u64,
    /// Where the file is in the memory of the process.
    pub address: u64,
}

impl Header {
    /// Of a file in which nothing is yet.
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

/// What happened in a process, as bits of [`Header::flags`].
pub mod flag {
    /// The kernel and other threads are watched: sizes are DRMS, and RMS is known.
    pub const DYNAMIC: u32 = 1;
    /// A routine went on although its caller had ended: coroutines; costs and sizes of some are wrong.
    pub const INTERLEAVED: u32 = 2;
    /// The disk was full.
    pub const DISK_FULL: u32 = 4;
    /// There were more threads than can be watched at a time; those beyond were not.
    pub const UNWATCHED_THREADS: u32 = 8;
    /// There is a [`Table`](super::Table) for each calling context of a routine.
    pub const CONTEXTS: u32 = 16;
    /// There were more calling contexts than are told apart.
    pub const CONTEXTS_FULL: u32 = 32;
    /// Calls were nested more deeply than there is memory for: each call beyond took the place of its caller, which is lost.
    pub const NO_FRAMES: u32 = 64;
}

/// What costs are counted in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum Unit {
    /// Basic blocks, as they are before the code is optimized.
    Blocks = 0,
    /// Instructions of LLVM in those.
    Instructions = 1,
    /// Nanoseconds.
    Nanoseconds = 2,
}

impl Unit {
    /// The unit of that number.
    pub fn from_number(number: u32) -> Option<Self> {
        [Self::Blocks, Self::Instructions, Self::Nanoseconds].into_iter().find(|unit| *unit as u32 == number)
    }
}

/// A routine; its name and the path of its file follow.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Routine {
    /// The offset of the next one.
    pub next: u64,
    /// From 1 on.
    pub index: u32,
    /// The line where it begins, or 0.
    pub line: u32,
    /// Bytes of the name for linkage.
    pub name_length: u32,
    /// Bytes of the path.
    pub file_length: u32,
}

/// What one thread recorded of one routine; of one calling context of it under [`flag::CONTEXTS`].
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Table {
    /// The offset of the next one.
    pub next: u64,
    /// The routine's index.
    pub routine: u32,
    /// The thread's; one that ended can pass it on to a new one.
    pub slot: u32,
    /// Room for how many entries: a power of two.
    pub capacity: u64,
    /// How many there are.
    pub length: u64,
    /// The offset of the first place for one; places without calls are empty.
    pub entries: u64,
    /// In the process: the address of that place.
    pub address: u64,
    /// In the process: how many activations of the routine are running.
    pub depth: u64,
    /// In the process: the address of the table of the calling context, or one of the constants.
    pub parent: u64,
    /// The offset of that; less than its own, [`NO_CALLER`] or [`CALLERS_UNKNOWN`].
    pub caller: u64,
    /// Activations that are in no entry yet.
    pub recent: [Recent; RECENT],
}

/// As many kinds of activations are counted before they are added to entries: a power of two.
pub const RECENT: usize = 8;

/// Activations that came to the same, and of which nothing counted again: they are added to the [`Entry`] of their size when
/// others take their place.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Recent {
    /// Cells of input.
    pub size: u64,
    /// The cost of each, with what it called.
    pub cost: u64,
    /// Two times the cost of each without that; one more where another activation of the routine encloses it.
    pub own: u64,
    /// How many activations.
    pub calls: u64,
}

/// The [`Table::caller`] of what nothing probed called, and of all where contexts are not told apart.
pub const NO_CALLER: u64 = 0;
/// The [`Table::caller`] of calls beyond the contexts that are told apart.
pub const CALLERS_UNKNOWN: u64 = 1;

/// All activations of a routine at one size, with as many cells that count again.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Entry {
    /// Cells of input.
    pub size: u64,
    /// Cells that count again in each of the activations: their RMS is less than the size by so many.
    pub again: u64,
    /// How many activations.
    pub calls: u64,
    /// The least cost of one, with what it called.
    pub least: u64,
    /// The greatest.
    pub greatest: u64,
    /// The cost of all.
    pub sum: u64,
    /// The sum of the squares of the costs, the low half first.
    pub squares: [u64; 2],
    /// The cost of those that no other activation of the routine encloses.
    pub outermost: u64,
    /// The cost of all without what they called.
    pub own: u64,
    /// The least cost of one without what it called.
    pub own_least: u64,
    /// The greatest.
    pub own_greatest: u64,
    /// The sum of the squares of the costs without what they called, the low half first.
    pub own_squares: [u64; 2],
    /// Cells of the input that other threads wrote.
    pub from_threads: u64,
    /// Cells of the input that the kernel wrote.
    pub from_kernel: u64,
    /// Cells that other threads wrote, and that none of the routines they called read.
    pub own_from_threads: u64,
    /// Cells that the kernel wrote, and that none of the routines they called read.
    pub own_from_kernel: u64,
}

/// Consecutive frames of a thread's stack.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Segment {
    /// The offset of the next one.
    pub next: u64,
    /// The thread's.
    pub slot: u32,
    /// Which of the thread's, from 0 at the bottom.
    pub index: u32,
    /// The offset of the first [`Frame`].
    pub frames: u64,
    /// How many frames have room.
    pub length: u64,
}

/// An activation that is running. The one at the bottom of a stack is none, and stands for the caller of the first.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Frame {
    /// Larger than those of all that were entered before by its thread; 0 where no activation is.
    pub id: u32,
    /// The routine's index; 0 where a forked process inherited it: what it costs belongs to another process.
    pub routine: u32,
    /// What is added to `count` for the size: cells that only routines it called have read.
    pub carried: i64,
    /// The cost of the routines that it called.
    pub inclusive: u64,
    /// Cells that it read itself, as of its last call. At the bottom in the process: the thread's number as a writer.
    pub count: u64,
    /// Its own cost, as of its last call.
    pub own: u64,
    /// Cells that parts of it have read: functions that are no routines.
    pub parts_count: u64,
    /// What these cost.
    pub parts_own: u64,
    /// The address of its [`Table`] in the process.
    pub table: u64,
    /// Cells that count again: RMS is less than the size by so many. These three include the routines that it called.
    pub again: u64,
    /// Cells of its input that the kernel wrote.
    pub from_kernel: u64,
    /// Cells of its input that other threads wrote.
    pub from_threads: u64,
    /// Cells that the kernel wrote and it read itself.
    pub own_from_kernel: u64,
    /// Cells that other threads wrote and it read itself.
    pub own_from_threads: u64,
}

/// A function that is not probed, and how often probed ones called it; its name and the path of its library follow.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct External {
    /// The offset of the next one.
    pub next: u64,
    /// How many calls.
    pub calls: u64,
    /// Bytes of the name.
    pub name_length: u32,
    /// Bytes of the path.
    pub file_length: u32,
}
