//! What the operating system and the C library are asked for.

use core::arch::asm;
use core::ffi::{c_char, c_int, c_void};

pub(crate) const PROT_NONE: c_int = 0;
pub(crate) const PROT_READ_WRITE: c_int = 3;
pub(crate) const MAP_SHARED: c_int = 1;
pub(crate) const MAP_PRIVATE: c_int = 2;
pub(crate) const MAP_FIXED: c_int = 0x10;
pub(crate) const MAP_ANONYMOUS: c_int = 0x20;
pub(crate) const MAP_NORESERVE: c_int = 0x4000;
pub(crate) const MAP_FIXED_NOREPLACE: c_int = 0x10_0000;
pub(crate) const MADV_DONTNEED: c_int = 4;
#[cfg(trend_staticlib)]
pub(crate) const ENOMEM: c_int = 12;
#[cfg(trend_staticlib)]
pub(crate) const EEXIST: c_int = 17;
const O_RDONLY: c_int = 0;
const O_RDWR: c_int = 2;
const O_CREAT: c_int = 0o100;
const O_EXCL: c_int = 0o200;
const O_CLOEXEC: c_int = 0o2_000_000;
const SIG_SETMASK: c_int = 2;
const F_DUPFD_CLOEXEC: c_int = 1030;
/// The least number of the record as a file of the process.
const FIRST_DESCRIPTOR: c_int = 500;
const CLOCK_MONOTONIC: c_int = 1;

unsafe extern "C" {
    fn __errno_location() -> *mut c_int;
    pub(crate) fn madvise(at: *mut c_void, length: usize, advice: c_int) -> c_int;
    #[cfg(trend_staticlib)]
    pub(crate) fn munmap(at: *mut c_void, length: usize) -> c_int;
    fn posix_fallocate(file: c_int, offset: i64, length: i64) -> c_int;
    fn open(path: *const c_char, flags: c_int, ...) -> c_int;
    fn close(file: c_int) -> c_int;
    fn fcntl(file: c_int, command: c_int, ...) -> c_int;
    fn read(file: c_int, into: *mut c_void, length: usize) -> isize;
    fn write(file: c_int, from: *const c_void, length: usize) -> isize;
    fn readlink(path: *const c_char, into: *mut c_char, length: usize) -> isize;
    fn malloc_usable_size(at: *const c_void) -> usize;
    fn getpid() -> c_int;
    fn clock_gettime(clock: c_int, into: *mut [i64; 2]) -> c_int;
    fn getenv(name: *const c_char) -> *const c_char;
    fn sched_yield() -> c_int;
    fn pthread_sigmask(how: c_int, new: *const [u64; 16], old: *mut [u64; 16]) -> c_int;
    #[cfg(trend_staticlib)]
    pub(crate) fn pthread_key_delete(key: u32) -> c_int;
    pub(crate) fn pthread_key_create(
        key: *mut u32,
        destructor: Option<unsafe extern "C" fn(*mut c_void)>,
    ) -> c_int;
    pub(crate) fn pthread_setspecific(key: u32, value: *const c_void) -> c_int;
    pub(crate) fn pthread_getspecific(key: u32) -> *mut c_void;
    pub(crate) fn pthread_atfork(
        before: Option<unsafe extern "C" fn()>,
        parent: Option<unsafe extern "C" fn()>,
        child: Option<unsafe extern "C" fn()>,
    ) -> c_int;
    fn _exit(code: c_int) -> !;
    fn strlen(text: *const c_char) -> usize;
    fn dladdr(address: *const c_void, found: *mut Found) -> c_int;
}

/// What `dladdr` tells.
#[repr(C)]
struct Found {
    object: *const c_char,
    base: *mut c_void,
    symbol: *const c_char,
    address: *mut c_void,
}

/// The path of the program or library that a function is in.
pub(crate) fn object_of(function: *const c_void) -> &'static [u8] {
    let mut found = Found {
        object: core::ptr::null(),
        base: core::ptr::null_mut(),
        symbol: core::ptr::null(),
        address: core::ptr::null_mut(),
    };
    // SAFETY: what is found ends with a zero.
    unsafe {
        if function.is_null() || dladdr(function, &raw mut found) == 0 || found.object.is_null() {
            return b"";
        }
        core::slice::from_raw_parts(found.object.cast(), strlen(found.object))
    }
}

/// How many bytes of a block of `malloc`'s the program may use.
///
/// # Safety
/// It is one.
pub(crate) unsafe fn usable(at: usize) -> usize {
    // SAFETY: as the caller says.
    unsafe { malloc_usable_size(at as *const c_void) }
}

/// Puts the path of the program that this process runs into `path`: how many bytes of it.
pub(crate) fn program(path: &mut [u8]) -> usize {
    // SAFETY: the buffer has the length that is given.
    let length = unsafe { readlink(c"/proc/self/exe".as_ptr(), path.as_mut_ptr().cast(), path.len()) };
    usize::try_from(length).unwrap_or(0)
}

/// Ends the process with a message: what was built with the probe cannot run without what is missing.
pub(crate) fn fail(message: &[u8]) -> ! {
    say(message);
    // SAFETY: ends the process.
    unsafe { _exit(70) }
}

/// Writes to standard error.
pub(crate) fn say(message: &[u8]) {
    // SAFETY: the bytes are there; that nothing may be written changes nothing.
    let _ = unsafe { write(2, message.as_ptr().cast(), message.len()) };
}

pub(crate) fn process() -> u32 {
    // SAFETY: cannot fail.
    unsafe { getpid() as u32 }
}

/// Nanoseconds since some moment before; the process may have slept or waited meanwhile.
pub(crate) fn now() -> u64 {
    let mut now = [0; 2];
    // SAFETY: it is as large as a time. The system has this clock.
    unsafe { clock_gettime(CLOCK_MONOTONIC, &raw mut now) };
    let [seconds, nanoseconds] = now;
    seconds as u64 * 1_000_000_000 + nanoseconds as u64
}

pub(crate) fn give_way() {
    // SAFETY: cannot fail.
    unsafe { sched_yield() };
}

/// A variable of the environment; the name ends with a zero. Valid until the program changes its environment.
pub(crate) fn variable(name: &'static [u8]) -> Option<&'static [u8]> {
    debug_assert_eq!(name.last(), Some(&0));
    // SAFETY: the name ends with a zero, and what is given is null or ends with one.
    unsafe {
        let value = getenv(name.as_ptr().cast());
        if value.is_null() {
            return None;
        }
        Some(core::slice::from_raw_parts(value.cast(), strlen(value)))
    }
}

/// Creates a file that is not there, for reading and writing; the path ends with a zero.
pub(crate) fn create(path: &[u8]) -> Option<c_int> {
    debug_assert_eq!(path.last(), Some(&0));
    // SAFETY: the path ends with a zero.
    let file = unsafe { open(path.as_ptr().cast(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600) };
    if file < 0 {
        return None;
    }
    // Programs close the first numbers, and give them to files of their own. They leave alone what is above.
    // SAFETY: numbers alone.
    let above = unsafe { fcntl(file, F_DUPFD_CLOEXEC, FIRST_DESCRIPTOR) };
    if above < 0 {
        return Some(file);
    }
    close_file(file);
    Some(above)
}

/// Makes sure that a part of a file has its place on the disk: writing to memory that is mapped from it cannot fail.
pub(crate) fn allocate(file: c_int, offset: u64, length: u64) -> bool {
    // SAFETY: numbers alone.
    unsafe { posix_fallocate(file, offset as i64, length as i64) == 0 }
}

/// The system's `mmap`, as the process has one of its own. Programs that cannot start threads have cheaper counters; one that
/// refers to `syscall` may start some, so it is not referred to.
///
/// # Safety
/// That of `mmap`.
pub(crate) unsafe fn mmap(
    at: *mut c_void,
    length: usize,
    protection: c_int,
    flags: c_int,
    file: c_int,
    offset: i64,
) -> *mut c_void {
    const NUMBER: isize = 9;
    let mut result = NUMBER;
    // SAFETY: as the caller says.
    unsafe {
        asm!(
            "syscall",
            inlateout("rax") result,
            in("rdi") at,
            in("rsi") length,
            in("rdx") protection as usize,
            in("r10") flags as usize,
            in("r8") file as isize,
            in("r9") offset,
            lateout("rcx") _,
            lateout("r11") _,
            options(nostack),
        );
    }
    if (-4095..0).contains(&result) { refused(-result as c_int) } else { result as *mut c_void }
}

/// What `mmap` returns where it fails, and why.
pub(crate) fn refused(error: c_int) -> *mut c_void {
    // SAFETY: every thread has one.
    unsafe { *__errno_location() = error };
    usize::MAX as *mut c_void
}

/// Maps memory; `None` where the system refuses.
pub(crate) fn map(
    at: usize,
    length: usize,
    protection: c_int,
    flags: c_int,
    file: c_int,
    offset: u64,
) -> Option<usize> {
    // SAFETY: MAP_FIXED is only used in memory that was mapped for it.
    let address = unsafe { mmap(at as *mut c_void, length, protection, flags, file, offset as i64) } as usize;
    (address != usize::MAX).then_some(address)
}

/// All of a small file of the kernel's, in pieces.
pub(crate) fn read_pieces(path: &'static [u8], mut each: impl FnMut(&[u8])) {
    debug_assert_eq!(path.last(), Some(&0));
    let mut buffer = [0_u8; 4096];
    // SAFETY: the path ends with a zero, and the buffer has the length that is given.
    unsafe {
        let file = open(path.as_ptr().cast(), O_RDONLY | O_CLOEXEC);
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
    // SAFETY: the descriptor is ours.
    unsafe { close(file) };
}

/// No signal comes to this thread any more: those that were blocked before.
pub(crate) fn block_signals() -> [u64; 16] {
    let mut old = [0; 16];
    // SAFETY: both are as large as a set of signals.
    unsafe { pthread_sigmask(SIG_SETMASK, &raw const ALL, &raw mut old) };
    old
}

/// Blocks only these signals.
pub(crate) fn restore_signals(old: &[u64; 16]) {
    // SAFETY: it is as large as a set of signals.
    unsafe { pthread_sigmask(SIG_SETMASK, old, core::ptr::null_mut()) };
}

static ALL: [u64; 16] = [u64::MAX; 16];
