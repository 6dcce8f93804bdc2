//! Gives children of `clone(2)` their own records. The C library calls handlers for children of `fork(3)` only, so
//! such a child would write to the record of its parent.

use core::arch::global_asm;
use core::ffi::{c_int, c_void};

use crate::routines::{fork, process};
use crate::{loops, system};

// If a program defines its own `clone`, that one is used.
global_asm!(
    ".weak clone",
    ".type clone, @function",
    "clone:",
    "jmp {clone}",
    // The system's call. The child begins on its stack, where it finds its function and the argument.
    "trend_probe_clone:",
    "and rsi, -16",
    "sub rsi, 16",
    "mov [rsi + 8], rcx",
    "mov [rsi], rdi",
    "mov rdi, rdx",
    "mov rdx, r8",
    "mov r8, r9",
    "mov r10, [rsp + 8]",
    "mov eax, 56",
    "syscall",
    "test rax, rax",
    "jz 2f",
    "ret",
    "2:",
    "xor ebp, ebp",
    "pop rax",
    "pop rdi",
    "call rax",
    "mov edi, eax",
    "mov eax, 60",
    "syscall",
    "ud2",
    clone = sym clone,
);

type Start = unsafe extern "C" fn(*mut c_void) -> c_int;

unsafe extern "C" {
    fn trend_probe_clone(
        start: Start,
        stack: *mut c_void,
        flags: c_int,
        argument: *mut c_void,
        parent_id: *mut c_int,
        local: *mut c_void,
        child_id: *mut c_int,
    ) -> isize;
}

/// The child shares the memory, like a thread or a child of `vfork`.
const CLONE_VM: c_int = 0x100;

/// Function that a child runs.
struct Call {
    start: Start,
    argument: *mut c_void,
    has_routines: bool,
    has_loops: bool,
}

/// Replaces `clone(2)` in the whole process. The last three arguments exist only with some flags.
unsafe extern "C" fn clone(
    start: Option<Start>,
    stack: *mut c_void,
    flags: c_int,
    argument: *mut c_void,
    parent_id: *mut c_int,
    local: *mut c_void,
    child_id: *mut c_int,
) -> c_int {
    let Some(start) = start.filter(|_| !stack.is_null()) else { return failed(system::EINVAL) };
    // SAFETY: the caller passes what the system's call needs. A child without shared memory has a copy of `call`.
    let result = unsafe {
        if flags & CLONE_VM != 0 {
            trend_probe_clone(start, stack, flags, argument, parent_id, local, child_id)
        } else {
            let call =
                Call { start, argument, has_routines: process::has_begun(), has_loops: loops::has_begun() };
            before(&call);
            let argument = (&raw const call).cast_mut().cast();
            let result = trend_probe_clone(begin, stack, flags, argument, parent_id, local, child_id);
            after(&call);
            result
        }
    };
    if result < 0 { failed(-result as c_int) } else { result as c_int }
}

fn failed(error: c_int) -> c_int {
    let _: *mut c_void = system::refused(error);
    -1
}

/// Runs in the child.
unsafe extern "C" fn begin(call: *mut c_void) -> c_int {
    // SAFETY: the parent passed its call, and took the locks.
    unsafe {
        let call = &*call.cast::<Call>();
        if call.has_loops {
            loops::in_child();
        }
        if call.has_routines {
            fork::in_child();
        }
        (call.start)(call.argument)
    }
}

unsafe fn before(call: &Call) {
    // SAFETY: the records have begun.
    unsafe {
        if call.has_routines {
            fork::before();
        }
        if call.has_loops {
            loops::before_fork();
        }
    }
}

unsafe fn after(call: &Call) {
    // SAFETY: the locks are held since [`before`].
    unsafe {
        if call.has_loops {
            loops::after_fork();
        }
        if call.has_routines {
            fork::after();
        }
    }
}
