//! Functions of the operating system and the C library.
//!
//! System calls whose names ISO C does not reserve, such as `read`, are made directly. A program may define functions
//! of these names, which would be called instead.

pub(crate) mod lock;
pub(crate) mod reserved;

#[cfg(not(miri))]
use core::arch::asm;
use core::ffi::{c_char, c_int, c_void};

#[cfg(not(miri))]
use kernel::fstat;
use kernel::{close, fcntl, getpid, open, read, readlink, sched_yield, unlink, write};

/// Exit code of a program that cannot run with the probe, such as one of objects with different options. Its reason is
/// on stderr.
pub const EXIT_FAILED: i32 = 70;

pub(crate) const PROT_NONE: c_int = 0;
pub(crate) const PROT_READ_WRITE: c_int = 3;
pub(crate) const MAP_SHARED: c_int = 1;
pub(crate) const MAP_PRIVATE: c_int = 2;
pub(crate) const MAP_FIXED: c_int = 0x10;
pub(crate) const MAP_ANONYMOUS: c_int = 0x20;
pub(crate) const MAP_NORESERVE: c_int = 0x4000;
pub(crate) const MAP_FIXED_NOREPLACE: c_int = 0x10_0000;
pub(crate) const MADV_DONTNEED: c_int = 4;
#[cfg(any(trend_staticlib, miri))]
pub(crate) const ENOMEM: c_int = 12;
pub(crate) const EEXIST: c_int = 17;
#[cfg(trend_staticlib)]
pub(crate) const EINVAL: c_int = 22;
const O_RDONLY: c_int = 0;
const O_RDWR: c_int = 2;
const O_CREAT: c_int = 0o100;
const O_EXCL: c_int = 0o200;
const O_CLOEXEC: c_int = 0o2_000_000;
const SIG_SETMASK: c_int = 2;
const F_DUPFD_CLOEXEC: c_int = 1030;
/// Lowest descriptor for the file of the record.
const FIRST_DESCRIPTOR: c_int = 500;
const CLOCK_MONOTONIC: c_int = 1;

unsafe extern "C" {
    fn __errno_location() -> *mut c_int;
    pub(crate) fn madvise(at: *mut c_void, length: usize, advice: c_int) -> c_int;
    #[cfg(trend_staticlib)]
    pub(crate) fn munmap(at: *mut c_void, length: usize) -> c_int;
    fn posix_fallocate(file: c_int, offset: i64, length: i64) -> c_int;
    fn malloc_usable_size(at: *const c_void) -> usize;
    fn clock_gettime(clock: c_int, into: *mut [i64; 2]) -> c_int;
    /// The environment: strings `NAME=value`, and a final null. Programs such as bash define their own `getenv`, so
    /// it is not called.
    #[cfg_attr(miri, link_name = "environ")]
    static mut __environ: *const *const c_char;
    fn pthread_sigmask(how: c_int, new: *const [u64; 16], old: *mut [u64; 16]) -> c_int;
    #[cfg(trend_staticlib)]
    pub(crate) fn pthread_key_delete(key: u32) -> c_int;
    pub(crate) fn pthread_key_create(
        key: *mut u32,
        destructor: Option<unsafe extern "C" fn(*mut c_void)>,
    ) -> c_int;
    pub(crate) fn pthread_setspecific(key: u32, value: *const c_void) -> c_int;
    pub(crate) fn pthread_getspecific(key: u32) -> *mut c_void;
    fn pthread_atfork(
        before: Option<unsafe extern "C" fn()>,
        parent: Option<unsafe extern "C" fn()>,
        child: Option<unsafe extern "C" fn()>,
    ) -> c_int;
    fn _exit(code: c_int) -> !;
    fn strlen(text: *const c_char) -> usize;
    fn dladdr(address: *const c_void, info: *mut Found) -> c_int;
}

/// Result of `dladdr`.
#[repr(C)]
struct Found {
    object: *const c_char,
    base: *mut c_void,
    symbol: *const c_char,
    address: *mut c_void,
}

/// Address of the C library's `_dl_find_object`; null before version 2.35 and in static programs.
#[cfg(not(miri))]
mod find_object {
    use core::arch::global_asm;

    global_asm!(
        ".weak _dl_find_object",
        ".pushsection .data.rel.ro, \"aw\"",
        ".balign 8",
        ".hidden trend_probe_find_object",
        ".globl trend_probe_find_object",
        "trend_probe_find_object:",
        ".quad _dl_find_object",
        ".popsection",
    );
}

/// The fields that `_dl_find_object` fills in, with room for those of later versions.
#[cfg(not(miri))]
#[repr(C)]
struct FoundObject {
    flags: u64,
    start: *const c_void,
    end: *const c_void,
    /// Its second word is the address of the path.
    map: *const [*const c_char; 2],
    rest: [u64; 9],
}

/// Returns the path of the library that contains a function. Returns `None` if it is unknown or the program itself.
///
/// Takes no lock and searches no symbols, unlike `dladdr`. A forked process looks up each function again.
#[cfg(not(miri))]
fn library_of(function: *const c_void) -> Option<&'static [u8]> {
    type Find = unsafe extern "C" fn(*const c_void, *mut FoundObject) -> c_int;
    unsafe extern "C" {
        static trend_probe_find_object: Option<Find>;
    }
    let nothing = core::ptr::null();
    let mut info =
        FoundObject { flags: 0, start: nothing, end: nothing, map: core::ptr::null(), rest: [0; 9] };
    // SAFETY: the result has room for all of its fields, and the path ends with a zero.
    unsafe {
        let find = (&raw const trend_probe_find_object).read_volatile()?;
        if find(function, &raw mut info) != 0 || info.map.is_null() {
            return None;
        }
        let [_, path] = *info.map;
        Some(core::slice::from_raw_parts(path.cast(), strlen(path))).filter(|path| !path.is_empty())
    }
}

#[cfg(miri)]
fn library_of(_function: *const c_void) -> Option<&'static [u8]> {
    None
}

/// Returns the path of the program or library that contains a function; empty if it is unknown.
pub(crate) fn object_of(function: *const c_void) -> &'static [u8] {
    if let Some(library) = library_of(function) {
        return library;
    }
    let mut info = Found {
        object: core::ptr::null(),
        base: core::ptr::null_mut(),
        symbol: core::ptr::null(),
        address: core::ptr::null_mut(),
    };
    // SAFETY: the path ends with a zero.
    unsafe {
        if function.is_null() || dladdr(function, &raw mut info) == 0 || info.object.is_null() {
            return b"";
        }
        core::slice::from_raw_parts(info.object.cast(), strlen(info.object))
    }
}

/// Returns the number of bytes of a `malloc` block that the program may use.
///
/// # Safety
/// `at` must be the address of such a block.
pub(crate) unsafe fn usable(at: usize) -> usize {
    // SAFETY: the caller guarantees it.
    unsafe { malloc_usable_size(at as *const c_void) }
}

/// Writes the path of the program that this process runs to `path`. Returns its length in bytes; 0 on failure.
pub(crate) fn program(path: &mut [u8]) -> usize {
    // SAFETY: the buffer has the given length.
    let length = unsafe { readlink(c"/proc/self/exe".as_ptr(), path.as_mut_ptr().cast(), path.len()) };
    usize::try_from(length).unwrap_or(0)
}

/// Prints a message and ends the process. A program built with the probe cannot run without the missing resource.
pub(crate) fn fail(message: &[u8]) -> ! {
    say(message);
    // SAFETY: the call ends the process.
    unsafe { _exit(EXIT_FAILED) }
}

/// Writes a message to standard error.
pub(crate) fn say(message: &[u8]) {
    // SAFETY: the bytes are valid; a failed write has no consequences.
    let _ = unsafe { write(2, message.as_ptr().cast(), message.len()) };
}

pub(crate) fn process() -> u32 {
    // SAFETY: the call cannot fail.
    unsafe { getpid() as u32 }
}

/// Returns the nanoseconds since an arbitrary moment, including time in which the process slept or waited.
pub(crate) fn now() -> u64 {
    let mut now = [0; 2];
    // SAFETY: the buffer is as large as a `timespec`, and the system has this clock.
    unsafe { clock_gettime(CLOCK_MONOTONIC, &raw mut now) };
    let [seconds, nanoseconds] = now;
    seconds as u64 * 1_000_000_000 + nanoseconds as u64
}

pub(crate) fn give_way() {
    // SAFETY: the call cannot fail.
    unsafe { sched_yield() };
}

/// Returns a variable of the environment. The value is valid until the program changes its environment.
pub(crate) fn variable(name: &str) -> Option<&'static [u8]> {
    // SAFETY: the list ends with null, and each text with a zero.
    unsafe {
        let mut next = __environ;
        while !next.is_null() && !(*next).is_null() {
            let text = core::slice::from_raw_parts((*next).cast::<u8>(), strlen(*next));
            if let Some(value) = text.strip_prefix(name.as_bytes()).and_then(|rest| rest.strip_prefix(b"=")) {
                return Some(value);
            }
            next = next.add(1);
        }
    }
    None
}

/// Creates a file that does not exist yet, for reading and writing. The path must end with a zero. Returns the error's
/// number on failure, [`EEXIST`] if there is such a file.
pub(crate) fn create(path: &[u8]) -> Result<c_int, c_int> {
    open_high(path, O_CREAT | O_EXCL)
}

/// Opens a file for reading and writing. The path must end with a zero.
pub(crate) fn open_again(path: &[u8]) -> Option<c_int> {
    open_high(path, 0).ok()
}

/// Removes a file. The path must end with a zero.
pub(crate) fn remove(path: &[u8]) {
    debug_assert_eq!(path.last(), Some(&0));
    // SAFETY: the path ends with a zero.
    unsafe { unlink(path.as_ptr().cast()) };
}

/// Returns the device and the inode number of an open file.
#[cfg(not(miri))]
pub(crate) fn identity(file: c_int) -> Option<[u64; 2]> {
    let mut of_file = [0_u64; 18];
    // SAFETY: the buffer is as large as a `stat`, which begins with these two.
    (unsafe { fstat(file, &raw mut of_file) } == 0).then(|| [of_file[0], of_file[1]])
}

/// Returns a constant, since Miri lacks `fstat`, and its programs close no files of others.
#[cfg(miri)]
pub(crate) fn identity(_file: c_int) -> Option<[u64; 2]> {
    Some([0; 2])
}

fn open_high(path: &[u8], flags: c_int) -> Result<c_int, c_int> {
    debug_assert_eq!(path.last(), Some(&0));
    // SAFETY: the path ends with a zero.
    let file = unsafe { open(path.as_ptr().cast(), O_RDWR | O_CLOEXEC | flags, 0o600) };
    if file < 0 {
        return Err(if cfg!(miri) { EEXIST } else { -file });
    }
    // Programs close low descriptors, and reuse them for their own files. They leave higher ones alone.
    // SAFETY: only numbers are passed.
    let above = unsafe { fcntl(file, F_DUPFD_CLOEXEC, FIRST_DESCRIPTOR) };
    if above < 0 {
        return Ok(file);
    }
    close_file(file);
    Ok(above)
}

/// Registers what is called before a fork, and after it in the parent and in the child. Miri cannot fork.
///
/// # Safety
/// The functions must live as long as the process.
pub(crate) unsafe fn at_fork(
    before: unsafe extern "C" fn(),
    parent: unsafe extern "C" fn(),
    child: unsafe extern "C" fn(),
) {
    if !cfg!(miri) {
        // SAFETY: the caller guarantees it.
        unsafe { pthread_atfork(Some(before), Some(parent), Some(child)) };
    }
}

/// Reserves disk space for a part of a file. Afterwards, writing to memory mapped from it cannot fail.
pub(crate) fn allocate(file: c_int, offset: u64, length: u64) -> bool {
    // SAFETY: only numbers are passed.
    unsafe { posix_fallocate(file, offset as i64, length as i64) == 0 }
}

/// Calls the kernel directly. A reference to `syscall` would mark the program as one that may start threads, and cost
/// it the cheaper counters. Returns the negated error number on failure.
///
/// # Safety
/// The conditions of the system call apply.
#[cfg(not(miri))]
unsafe fn call(number: isize, arguments: [usize; 6]) -> isize {
    let [first, second, third, fourth, fifth, sixth] = arguments;
    let mut result = number;
    // SAFETY: the caller guarantees it.
    unsafe {
        asm!(
            "syscall",
            inlateout("rax") result,
            in("rdi") first,
            in("rsi") second,
            in("rdx") third,
            in("r10") fourth,
            in("r8") fifth,
            in("r9") sixth,
            lateout("rcx") _,
            lateout("r11") _,
            options(nostack),
        );
    }
    result
}

/// System calls, under the names of their functions in the C library.
#[cfg(not(miri))]
mod kernel {
    use core::ffi::{c_char, c_int, c_void};

    use super::call;

    macro_rules! system_calls {
        ($($number:literal $name:ident($($argument:ident: $type:ty),*) -> $result:ty;)*) => {$(
            pub(super) unsafe fn $name($($argument: $type),*) -> $result {
                let mut arguments = [0; 6];
                let given: &[usize] = &[$($argument as usize),*];
                arguments.iter_mut().zip(given).for_each(|(argument, given)| *argument = *given);
                // SAFETY: the caller guarantees the conditions of the call.
                unsafe { call($number, arguments) as $result }
            }
        )*};
    }

    system_calls! {
        0 read(file: c_int, into: *mut c_void, length: usize) -> isize;
        1 write(file: c_int, from: *const c_void, length: usize) -> isize;
        2 open(path: *const c_char, flags: c_int, mode: c_int) -> c_int;
        3 close(file: c_int) -> c_int;
        5 fstat(file: c_int, into: *mut [u64; 18]) -> c_int;
        24 sched_yield() -> c_int;
        39 getpid() -> c_int;
        72 fcntl(file: c_int, command: c_int, argument: c_int) -> c_int;
        87 unlink(path: *const c_char) -> c_int;
        89 readlink(path: *const c_char, into: *mut c_char, length: usize) -> isize;
    }
}

/// System calls through the C library, whose functions Miri supports.
#[cfg(miri)]
mod kernel {
    use core::ffi::{c_char, c_int, c_void};

    unsafe extern "C" {
        pub(super) fn read(file: c_int, into: *mut c_void, length: usize) -> isize;
        pub(super) fn write(file: c_int, from: *const c_void, length: usize) -> isize;
        pub(super) fn open(path: *const c_char, flags: c_int, ...) -> c_int;
        pub(super) fn close(file: c_int) -> c_int;
        pub(super) fn sched_yield() -> c_int;
        pub(super) fn getpid() -> c_int;
        pub(super) fn fcntl(file: c_int, command: c_int, ...) -> c_int;
        pub(super) fn unlink(path: *const c_char) -> c_int;
        pub(super) fn readlink(path: *const c_char, into: *mut c_char, length: usize) -> isize;
    }
}

/// Calls the system's `mmap`, since the process has its own `mmap`.
///
/// # Safety
/// The conditions of `mmap` apply.
#[cfg(not(miri))]
pub(crate) unsafe fn mmap(
    at: *mut c_void,
    length: usize,
    protection: c_int,
    flags: c_int,
    file: c_int,
    offset: i64,
) -> *mut c_void {
    const NUMBER: isize = 9;
    let arguments =
        [at as usize, length, protection as usize, flags as usize, file as usize, offset as usize];
    // SAFETY: the caller guarantees it.
    let result = unsafe { call(NUMBER, arguments) };
    if (-4095..0).contains(&result) { refused(-result as c_int) } else { result as *mut c_void }
}

/// Allocates memory in place of `mmap`, since Miri cannot map memory at an address or without protection. Memory that
/// is reserved can be used at once. A mapping at an address must be in memory that was allocated before, and clears it.
///
/// # Safety
/// As for `mmap`.
#[cfg(miri)]
pub(crate) unsafe fn mmap(
    at: *mut c_void,
    length: usize,
    _protection: c_int,
    flags: c_int,
    _file: c_int,
    _offset: i64,
) -> *mut c_void {
    const MOST: usize = 1 << 24;
    const PAGE: usize = 4096;
    unsafe extern "C" {
        fn aligned_alloc(alignment: usize, length: usize) -> *mut c_void;
    }
    if at.is_null() && length > MOST || flags & MAP_FIXED_NOREPLACE != 0 {
        return refused(ENOMEM);
    }
    // SAFETY: the caller guarantees it.
    unsafe {
        let at = if at.is_null() { aligned_alloc(PAGE, length.next_multiple_of(PAGE)) } else { at };
        at.cast::<u8>().write_bytes(0, length);
        core::ptr::with_exposed_provenance_mut(at.expose_provenance())
    }
}

/// Sets `errno`, and returns the result of an `mmap` that fails.
pub(crate) fn refused(error: c_int) -> *mut c_void {
    // SAFETY: every thread has an `errno`.
    unsafe { *__errno_location() = error };
    usize::MAX as *mut c_void
}

/// Maps memory. Returns `None` if the system refuses.
pub(crate) fn map(
    at: usize,
    length: usize,
    protection: c_int,
    flags: c_int,
    file: c_int,
    offset: u64,
) -> Option<usize> {
    // SAFETY: `MAP_FIXED` is only used in memory that was mapped for it.
    let address = unsafe { mmap(at as *mut c_void, length, protection, flags, file, offset as i64) } as usize;
    (address != usize::MAX).then_some(address)
}

/// Calls `each` with the pieces of a small file of the kernel.
pub(crate) fn read_pieces(path: &'static [u8], mut each: impl FnMut(&[u8])) {
    debug_assert_eq!(path.last(), Some(&0));
    let mut buffer = [0_u8; 4096];
    // SAFETY: the path ends with a zero, and the buffer has the given length.
    unsafe {
        let file = open(path.as_ptr().cast(), O_RDONLY | O_CLOEXEC, 0);
        if file < 0 {
            return;
        }
        loop {
            let length = read(file, buffer.as_mut_ptr().cast(), buffer.len());
            if length <= 0 {
                break;
            }
            each(&buffer[..length as usize]);
        }
        close(file);
    }
}

pub(crate) fn close_file(file: c_int) {
    // SAFETY: the runtime owns the descriptor.
    unsafe { close(file) };
}

/// Blocks all signals of this thread. Returns the signals that were blocked before. Miri has none.
pub(crate) fn block_signals() -> [u64; 16] {
    let mut old = [0; 16];
    if cfg!(miri) {
        return old;
    }
    // SAFETY: both are as large as a set of signals.
    unsafe { pthread_sigmask(SIG_SETMASK, &raw const ALL, &raw mut old) };
    old
}

/// Blocks only these signals.
pub(crate) fn restore_signals(old: &[u64; 16]) {
    if cfg!(miri) {
        return;
    }
    // SAFETY: the array is as large as a set of signals.
    unsafe { pthread_sigmask(SIG_SETMASK, old, core::ptr::null_mut()) };
}

static ALL: [u64; 16] = [u64::MAX; 16];
