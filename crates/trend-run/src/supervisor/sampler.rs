//! Samples where a program spends its time. At regular intervals of CPU time, the kernel records the address in
//! the program and its descendants. The program does not notice: it gets no signal, is not stopped, and runs none of
//! our code.
//!
//! ```text
//!   supervisor ──perf_event_open──▶ an event and a ring of memory for each processor
//!        │ fork                         ▲ samples, mappings, forks
//!        └──▶ program ──exec────────────┘ inherits the events; its exec turns them on
//! ```
//!
//! Addresses in the kernel are left out, so that no privileges are needed if `/proc/sys/kernel/perf_event_paranoid` is
//! 2 or less. `trend-collect` reads the records.

use std::fs::{self, File};
use std::io::{self, Write};
use std::os::fd::{AsRawFd, BorrowedFd, FromRawFd, OwnedFd};
use std::ptr::NonNull;
use std::sync::atomic::{AtomicU64, Ordering};

use rustix::fs::{Mode, OFlags, openat};
use rustix::io::Errno;

use super::wire::Sampling;

/// Size of a ring in bytes. In the 25 ms between two reads, the kernel writes less than a tenth of it.
const RING_BYTES: usize = 64 << 10;

/// Offsets in the page before a ring: the position up to which the kernel wrote, and the one up to which we read.
const HEAD: usize = 1024;
const TAIL: usize = 1032;

/// The flag `PERF_FLAG_FD_CLOEXEC`.
const CLOSE_ON_EXEC: libc::c_ulong = 1 << 3;

const TYPE_SOFTWARE: u32 = 1;
const CPU_CLOCK: u64 = 0;

/// Maximum size of one run's records. Programs that start a hundred thousand others produce this much.
const MOST_BYTES: u64 = 256 << 20;

/// The content of a sample: address, process and thread, time.
const SAMPLE_TYPE: u64 = 1 | 1 << 1 | 1 << 2;

/// The events are off until exec, are inherited, and exclude the kernel and hypervisors. Mappings, execs and forks are
/// recorded as well. All records have their time.
const FLAGS: u64 =
    DISABLED | INHERIT | NO_KERNEL | NO_HYPERVISOR | MAPPINGS | NAMES | ON_AT_EXEC | FORKS | TIMES | EXECS;
const DISABLED: u64 = 1;
const INHERIT: u64 = 1 << 1;
const NO_KERNEL: u64 = 1 << 5;
const NO_HYPERVISOR: u64 = 1 << 6;
const MAPPINGS: u64 = 1 << 8;
const NAMES: u64 = 1 << 9;
const ON_AT_EXEC: u64 = 1 << 12;
const FORKS: u64 = 1 << 13;
const TIMES: u64 = 1 << 18;
const EXECS: u64 = 1 << 24;

/// The first version of the kernel's `perf_event_attr`, which every kernel accepts.
#[repr(C)]
struct Attributes {
    kind: u32,
    size: u32,
    config: u64,
    period: u64,
    sample_type: u64,
    read_format: u64,
    flags: u64,
    wakeup: u32,
    breakpoint: u32,
    address: u64,
}

/// Samples the programs that this process starts next, until it is dropped.
#[derive(Debug)]
pub(super) struct Sampler {
    file: File,
    written: u64,
    rings: Vec<Ring>,
}

/// Checks that this process may sample others.
///
/// # Errors
/// Fails with the kernel's error if it may not.
pub(crate) fn may_sample() -> io::Result<()> {
    let any_processor = -1;
    event(any_processor, u64::MAX >> 1).map(drop)
}

impl Sampler {
    /// Starts sampling into a file in `folder`.
    ///
    /// # Errors
    /// Fails with the kernel's error, usually missing permission.
    pub(super) fn start(folder: BorrowedFd<'_>, sampling: &Sampling) -> io::Result<Self> {
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::TRUNC | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let file = openat(folder, &sampling.path, flags, Mode::from_raw_mode(0o666))?;
        let period = u64::try_from(sampling.period.as_nanos()).unwrap_or(u64::MAX);
        let online = fs::read_to_string("/sys/devices/system/cpu/online")?;
        let mut rings = Vec::new();
        for processor in processors(&online) {
            match Ring::new(processor, period) {
                Ok(ring) => rings.push(ring),
                // The processor went offline meanwhile.
                Err(error) if error.raw_os_error() == Some(Errno::NODEV.raw_os_error()) => {}
                Err(error) => return Err(error),
            }
        }
        Ok(Self { file: file.into(), written: 0, rings })
    }

    /// Appends the records since the last call to the file.
    ///
    /// # Errors
    /// Fails if the file cannot be written, or if there are more than [`MOST_BYTES`].
    pub(super) fn collect(&mut self) -> io::Result<()> {
        for ring in &self.rings {
            self.written += ring.write_to(&mut self.file)?;
        }
        if self.written > MOST_BYTES {
            return Err(Errno::FBIG.into());
        }
        Ok(())
    }
}

/// Parses the numbers in a list such as `0-3,8`.
fn processors(list: &str) -> impl Iterator<Item = i32> {
    let ranges = list.trim().split(',').filter_map(|range| {
        let (first, last) = range.split_once('-').unwrap_or((range, range));
        Some(first.parse::<i32>().ok()?..=last.parse::<i32>().ok()?)
    });
    ranges.flatten()
}

/// Opens an event for this process and its descendants, on one processor or on any.
#[expect(unsafe_code, reason = "a system call that no safe crate has")]
fn event(processor: i32, period: u64) -> io::Result<OwnedFd> {
    let attributes = Attributes {
        kind: TYPE_SOFTWARE,
        size: size_of::<Attributes>() as u32,
        config: CPU_CLOCK,
        period,
        sample_type: SAMPLE_TYPE,
        read_format: 0,
        flags: FLAGS,
        wakeup: 0,
        breakpoint: 0,
        address: 0,
    };
    let (this_process, no_group) = (0, -1);
    // SAFETY: the kernel reads the bytes of the attributes that their size field announces, and they outlive the
    // call.
    let event = unsafe {
        libc::syscall(
            libc::SYS_perf_event_open,
            &raw const attributes,
            this_process,
            processor,
            no_group,
            CLOSE_ON_EXEC,
        )
    };
    let event = i32::try_from(event).ok().filter(|event| *event >= 0).ok_or_else(io::Error::last_os_error)?;
    // SAFETY: the kernel has just opened the descriptor, and nothing else owns it.
    Ok(unsafe { OwnedFd::from_raw_fd(event) })
}

/// The event of one processor, and the memory to which the kernel writes its records.
#[derive(Debug)]
struct Ring {
    /// A page of numbers, followed by the ring.
    memory: NonNull<u8>,
    page: usize,
    _event: OwnedFd,
}

impl Ring {
    #[expect(unsafe_code, reason = "system calls that no safe crate has")]
    fn new(processor: i32, period: u64) -> io::Result<Self> {
        let event = event(processor, period)?;
        // SAFETY: the call only returns a number.
        let page = usize::try_from(unsafe { libc::sysconf(libc::_SC_PAGESIZE) }).map_err(io::Error::other)?;
        // SAFETY: the kernel chooses an unused address range.
        let memory = unsafe {
            libc::mmap(
                std::ptr::null_mut(),
                page + RING_BYTES,
                libc::PROT_READ | libc::PROT_WRITE,
                libc::MAP_SHARED,
                event.as_raw_fd(),
                0,
            )
        };
        if memory == libc::MAP_FAILED {
            return Err(io::Error::last_os_error());
        }
        let memory = NonNull::new(memory.cast()).ok_or(io::ErrorKind::OutOfMemory)?;
        Ok(Self { memory, page, _event: event })
    }

    #[expect(unsafe_code, reason = "memory that the kernel writes to")]
    fn number(&self, at: usize) -> &AtomicU64 {
        // SAFETY: the page is mapped as long as `self` lives, the offset is aligned to 8 bytes, and the kernel changes
        // the number atomically.
        unsafe { AtomicU64::from_ptr(self.memory.as_ptr().add(at).cast()) }
    }

    #[expect(unsafe_code, reason = "memory that the kernel writes to")]
    fn write_to(&self, file: &mut File) -> io::Result<u64> {
        let head = self.number(HEAD).load(Ordering::Acquire);
        let tail = self.number(TAIL).load(Ordering::Relaxed);
        let length = (head.wrapping_sub(tail) as usize).min(RING_BYTES);
        let begin = tail as usize % RING_BYTES;
        let to_end = length.min(RING_BYTES - begin);
        for (at, length) in [(begin, to_end), (0, length - to_end)] {
            // SAFETY: the range is within the ring, and the kernel does not write between tail and head.
            let bytes =
                unsafe { std::slice::from_raw_parts(self.memory.as_ptr().add(self.page + at), length) };
            file.write_all(bytes)?;
        }
        self.number(TAIL).store(head, Ordering::Release);
        Ok(length as u64)
    }
}

impl Drop for Ring {
    #[expect(unsafe_code, reason = "what is mapped by hand is unmapped by hand")]
    fn drop(&mut self) {
        // SAFETY: the memory was mapped with this length, and nothing refers to it any more.
        unsafe { libc::munmap(self.memory.as_ptr().cast(), self.page + RING_BYTES) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn processors_are_read_as_the_kernel_writes_them() {
        assert_eq!(processors("0-2,5,8-9\n").collect::<Vec<_>>(), [0, 1, 2, 5, 8, 9]);
        assert_eq!(processors("0\n").collect::<Vec<_>>(), [0]);
        assert_eq!(processors("\n").count(), 0);
    }
}
