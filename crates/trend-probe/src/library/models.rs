//! Models of functions of the C library, which is not probed: their reads and writes as documented, and not as
//! implemented.

use super::effects::Amount::{
    All, Argument as Of, ArgumentIfZero, Bytes, BytesIfZero, Items, Lesser, Product, Result, ResultAndOne,
    ResultTimes,
};
use super::effects::Effect::{
    self, Allocates, Gives, GivesText, GivesWide, Grows, KernelCompletes, KernelGivesEntry, KernelReceives,
    KernelReceivesAll, KernelScatters, KernelWrites, Maps, Reads, ReadsEqual, ReadsEqualCaseless,
    ReadsEqualWide, ReadsNumber, ReadsText, ReadsToByte, ReadsToMatch, ReadsToResult, ReadsWide,
    ReadsWideToResult, Reallocates, Remaps, Shrinks, Streams, StreamsText, TakesField, TakesToken,
    TakesTokenAt, Unmaps, Writes, WritesBehind, WritesTail, WritesText, WritesTextWithin, WritesToResult,
    WritesWide, WritesWideTail,
};
use crate::ir::value::Value;

const fn text(of: u32) -> Effect {
    ReadsText(of, All)
}

/// Returns the effects of a call of a function with a name.
pub(crate) fn effects_of(name: &str, call: Value) -> Option<&'static [Effect]> {
    match name {
        "syscall" if call.arguments() > 0 => call.operand(0).constant().and_then(effects_of_system_call),
        _ => effects(name),
    }
}

/// Returns the effects of a kernel function that `syscall` calls by its number. Its arguments follow the number.
fn effects_of_system_call(number: u64) -> Option<&'static [Effect]> {
    Some(match number {
        // read, pread64, recvfrom, getdents64.
        0 | 17 | 45 | 217 => const { &[KernelWrites(2, Result)] },
        // getrandom.
        318 => const { &[KernelWrites(1, Result)] },
        // write, pwrite64.
        1 | 18 => const { &[Reads(2, Of(3))] },
        // sched_yield, getpid, gettid.
        24 | 39 | 186 => &[],
        _ => return None,
    })
}

/// Removes the prefix that newer C standards put before a function's name.
fn without_standard(name: &str) -> &str {
    name.strip_prefix("__isoc99_").or(name.strip_prefix("__isoc23_")).unwrap_or(name)
}

/// Returns the index of the format, for a function that reads input into its further arguments according to a format.
pub(crate) fn scanned_format(name: &str) -> Option<u32> {
    match without_standard(name) {
        "scanf" => Some(0),
        "fscanf" | "sscanf" => Some(1),
        _ => None,
    }
}

/// Returns the effects of a function, or `None` if they are unknown. A function that does nothing to the program's
/// memory has no effects. If a function calls functions of the program, their effects come in addition.
#[expect(clippy::match_same_arms, reason = "the arms are grouped as the library's documentation groups them")]
pub(crate) fn effects(name: &str) -> Option<&'static [Effect]> {
    // Functions of the allocator are handled where they are defined, since the standard library calls them as well.
    if is_of_allocator(name) {
        return Some(&[]);
    }
    // The C library has other names for files beyond 2 GB, for C99, and for the checks of `-D_FORTIFY_SOURCE`.
    let name = without_standard(name);
    Some(match name {
        "memcpy" | "memmove" | "mempcpy" | "__memcpy_chk" | "__memmove_chk" | "__mempcpy_chk" => {
            const { &[Reads(1, Of(2)), Writes(0, Of(2))] }
        }
        "memset" | "__memset_chk" | "explicit_bzero" => const { &[Writes(0, Of(2))] },
        "bzero" => const { &[Writes(0, Of(1))] },
        "memcmp" | "bcmp" => const { &[Reads(0, Of(2)), Reads(1, Of(2))] },
        "memchr" => const { &[ReadsToResult(0, Of(2))] },
        "memrchr" => const { &[Reads(0, Of(2))] },
        "memmem" => const { &[ReadsToResult(0, Of(1)), Reads(2, Of(3))] },
        "strlen" | "strrchr" | "puts" | "perror" | "getenv" | "secure_getenv" | "system" | "remove"
        | "unlink" | "rmdir" | "mkdir" | "chdir" | "opendir" | "open" | "open64" | "access" | "creat"
        | "popen" => const { &[text(0)] },
        "strchr" | "strchrnul" => const { &[ReadsToResult(0, All)] },
        "strpbrk" => const { &[ReadsToResult(0, All), text(1)] },
        "strstr" | "strcasestr" => const { &[ReadsToMatch(0, 1), text(1)] },
        "strspn" | "strcspn" => const { &[Reads(0, ResultAndOne), text(1)] },
        "atoi" | "atol" | "atoll" | "atof" => const { &[ReadsNumber(0)] },
        "strtol" | "strtoul" | "strtoll" | "strtoull" | "strtod" | "strtof" | "strtold" | "strtoimax"
        | "strtoumax" => const { &[ReadsNumber(0), Writes(1, Bytes(8))] },
        "strnlen" => const { &[ReadsText(0, Of(1))] },
        "strcmp" | "strcoll" => const { &[ReadsEqual(0, 1, All)] },
        "strcasecmp" => const { &[ReadsEqualCaseless(0, 1, All)] },
        "strncmp" => const { &[ReadsEqual(0, 1, Of(2))] },
        "strncasecmp" => const { &[ReadsEqualCaseless(0, 1, Of(2))] },
        "rename" | "fopen" | "fopen64" | "link" | "symlink" => const { &[text(0), text(1)] },
        "freopen" => const { &[text(0), text(1)] },
        "fdopen" => const { &[text(1)] },
        "strcpy" | "stpcpy" | "__strcpy_chk" | "__stpcpy_chk" => const { &[text(1), WritesText(0)] },
        "strncpy" | "__strncpy_chk" => const { &[ReadsText(1, Of(2)), Writes(0, Of(2))] },
        "strcat" | "__strcat_chk" => const { &[text(0), text(1), WritesTail(0, 1, All)] },
        "strncat" | "__strncat_chk" => const { &[text(0), ReadsText(1, Of(2)), WritesTail(0, 1, Of(2))] },
        "strtok" => const { &[text(1), TakesToken(0)] },
        "strtok_r" | "__strtok_r" => const { &[text(1), TakesTokenAt(0, 1, 2)] },
        "strsep" => const { &[text(1), TakesField(0, 1)] },
        "memccpy" => const { &[ReadsToByte(1, 2, Of(3)), WritesToResult(0, Of(3))] },
        "wcslen" | "wcsrchr" => const { &[ReadsWide(0, All)] },
        "wcsnlen" => const { &[ReadsWide(0, Of(1))] },
        "wcschr" => const { &[ReadsWideToResult(0, All)] },
        "wmemchr" => const { &[ReadsWideToResult(0, Of(2))] },
        "wcscmp" => const { &[ReadsEqualWide(0, 1, All)] },
        "wcsncmp" => const { &[ReadsEqualWide(0, 1, Of(2))] },
        "wcscpy" | "wcpcpy" => const { &[ReadsWide(1, All), WritesWide(0)] },
        "wcsncpy" | "wcpncpy" => const { &[ReadsWide(1, Of(2)), Writes(0, Items(2, WIDE))] },
        "wcscat" => const { &[ReadsWide(0, All), ReadsWide(1, All), WritesWideTail(0, 1)] },
        "wcsdup" => const { &[ReadsWide(0, All), GivesWide] },
        "wmemcpy" | "wmemmove" | "wmempcpy" => {
            const { &[Reads(1, Items(2, WIDE)), Writes(0, Items(2, WIDE))] }
        }
        "wmemset" => const { &[Writes(0, Items(2, WIDE))] },
        "wmemcmp" => const { &[Reads(0, Items(2, WIDE)), Reads(1, Items(2, WIDE))] },
        "strdup" => const { &[text(0), GivesText] },
        "strndup" => const { &[ReadsText(0, Of(1)), GivesText] },
        "realpath" => const { &[text(0), GivesText] },
        "getcwd" => const { &[GivesText] },
        "malloc" | "valloc" => const { &[Allocates(Of(0))] },
        "_Znwm"
        | "_Znam"
        | "_ZnwmRKSt9nothrow_t"
        | "_ZnamRKSt9nothrow_t"
        | "_ZnwmSt11align_val_t"
        | "_ZnamSt11align_val_t"
        | "__cxa_allocate_exception" => const { &[Gives(Of(0))] },
        "aligned_alloc" | "memalign" => const { &[Allocates(Of(1))] },
        "calloc" => const { &[Allocates(Product(0, 1))] },
        "realloc" => const { &[Reallocates(0, Of(1)), Allocates(Of(1))] },
        "reallocarray" => const { &[Reallocates(0, Product(1, 2)), Allocates(Product(1, 2))] },
        "posix_memalign" => const { &[Writes(0, BytesIfZero(8)), WritesBehind(0, ArgumentIfZero(2))] },
        "qsort" | "qsort_r" => const { &[Reads(0, Product(1, 2)), Writes(0, Product(1, 2))] },
        "read" | "__read_chk" | "pread" | "pread64" | "__pread_chk" | "__pread64_chk" | "recv"
        | "__recv_chk" | "recvfrom" | "__recvfrom_chk" | "getdents64" => const { &[KernelWrites(1, Result)] },
        "readv" | "preadv" | "preadv64" | "preadv2" | "preadv64v2" => const { &[KernelScatters(1, 2)] },
        "recvmsg" => const { &[KernelReceives(1)] },
        "recvmmsg" => const { &[KernelReceivesAll(1)] },
        "io_uring_submit"
        | "io_uring_submit_and_get_events"
        | "io_uring_submit_and_wait"
        | "io_uring_submit_and_wait_timeout" => const { &[KernelCompletes(0)] },
        "readlink" => const { &[text(0), KernelWrites(1, Result)] },
        "getrandom" => const { &[KernelWrites(0, Result)] },
        "getentropy" => const { &[KernelWrites(0, ArgumentIfZero(1))] },
        "readdir" | "readdir64" => const { &[KernelGivesEntry] },
        "mmap" | "mmap64" => const { &[Maps(1, 3)] },
        "munmap" => const { &[Unmaps(0, 1)] },
        "mremap" => const { &[Shrinks(0, 1, 2), Remaps(0, Lesser(1, 2)), Grows(1, 2)] },
        "write" | "pwrite" | "pwrite64" | "send" | "sendto" => const { &[Reads(1, Of(2))] },
        "fread" | "fread_unlocked" => const { &[Streams(ResultTimes(1)), Writes(0, ResultTimes(1))] },
        "__fread_chk" | "__fread_unlocked_chk" => {
            const { &[Streams(ResultTimes(2)), Writes(0, ResultTimes(2))] }
        }
        "fwrite" | "fwrite_unlocked" => const { &[Reads(0, Product(1, 2))] },
        "fputs" | "fputs_unlocked" => const { &[text(0)] },
        "fgets" | "fgets_unlocked" => const { &[StreamsText, GivesText] },
        "getc" | "getc_unlocked" | "fgetc" | "fgetc_unlocked" | "getchar" | "getchar_unlocked" => {
            const { &[Streams(Bytes(1))] }
        }
        "getline" | "getdelim" | "__getdelim" => {
            const { &[Streams(Result), Writes(0, Bytes(8)), Writes(1, Bytes(8)), WritesBehind(0, Result)] }
        }
        "stat" | "lstat" | "stat64" | "lstat64" => const { &[text(0), KernelWrites(1, BytesIfZero(STAT))] },
        "fstat" | "fstat64" => const { &[KernelWrites(1, BytesIfZero(STAT))] },
        "fstatat" | "fstatat64" => const { &[text(1), KernelWrites(2, BytesIfZero(STAT))] },
        "statx" => const { &[text(1), KernelWrites(4, BytesIfZero(STATX))] },
        "statfs" | "statfs64" => const { &[text(0), KernelWrites(1, BytesIfZero(STATFS))] },
        "fstatfs" | "fstatfs64" => const { &[KernelWrites(1, BytesIfZero(STATFS))] },
        "clock_gettime" => const { &[KernelWrites(1, BytesIfZero(16))] },
        "gettimeofday" => const { &[KernelWrites(0, BytesIfZero(16))] },
        "printf" => const { &[text(0)] },
        "fprintf" | "dprintf" | "__printf_chk" | "syslog" => const { &[text(1)] },
        "__fprintf_chk" => const { &[text(2)] },
        "vprintf" => const { &[text(0)] },
        "vfprintf" => const { &[text(1)] },
        "sprintf" | "vsprintf" => const { &[text(1), WritesText(0)] },
        "snprintf" | "vsnprintf" => const { &[text(2), WritesTextWithin(0, Of(1))] },
        "__sprintf_chk" | "__vsprintf_chk" => const { &[text(3), WritesText(0)] },
        "__snprintf_chk" | "__vsnprintf_chk" => const { &[text(4), WritesTextWithin(0, Of(1))] },
        // The amount that `scanf` and `fscanf` take from a stream is unknown.
        "sscanf" => const { &[text(0), text(1)] },
        _ if WITHOUT_EFFECT.binary_search(&name).is_ok() => &[],
        _ => return None,
    })
}

/// Functions of the C library that call functions of the program.
const CALLING_BACK: [&str; 9] =
    ["bsearch", "dlclose", "exit", "fork", "pthread_once", "qsort", "qsort_r", "quick_exit", "raise"];

/// Returns true if a function's effects are known, and it calls nothing of the program.
pub(crate) fn calls_nothing_back(name: &str) -> bool {
    effects(name).is_some() && CALLING_BACK.binary_search(&name).is_err()
}

/// Returns the name of a function that rustc generates, without its mangling:
/// `_RNvCsfLfy6EI15iL_7___rustc12___rust_alloc`.
fn of_rustc(name: &str) -> Option<&str> {
    if name.starts_with("__rust_") {
        return Some(name);
    }
    let (_, name) = name.strip_prefix("_RNvC")?.split_once("_7___rustc")?;
    let name = name.trim_start_matches(|c: char| c.is_ascii_digit());
    Some(name.strip_prefix('_').unwrap_or(name))
}

/// Kinds of functions through which Rust calls the allocator of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Allocator {
    /// Allocates. The first argument is the number of bytes.
    Gives,
    /// Reallocates. The arguments are a pointer, its size in bytes, the alignment, and the new size.
    Moves,
    /// Frees memory, or does nothing.
    Other,
}

/// Returns the kind of an allocator function.
pub(crate) fn allocator(name: &str) -> Option<Allocator> {
    Some(match of_rustc(name)? {
        "__rust_alloc" | "__rust_alloc_zeroed" => Allocator::Gives,
        "__rust_realloc" => Allocator::Moves,
        "__rust_dealloc" | "__rust_no_alloc_shim_is_unstable" | "__rust_no_alloc_shim_is_unstable_v2" => {
            Allocator::Other
        }
        _ => return None,
    })
}

/// Returns true if a function belongs to the allocator.
pub(crate) fn is_of_allocator(name: &str) -> bool {
    allocator(name).is_some()
}

/// Size of a `struct stat` in bytes.
const STAT: u64 = 144;
/// Size of a `struct statx` in bytes.
const STATX: u64 = 256;
/// Size of a `struct statfs` in bytes.
const STATFS: u64 = 120;
/// Size of a `wchar_t` in bytes.
const WIDE: u64 = 4;

/// Functions that read and write none of the program's memory, or only objects that the library itself created.
#[rustfmt::skip]
const WITHOUT_EFFECT: &[&str] = &[
    "_Exit", "_Unwind_Backtrace", "_Unwind_DeleteException", "_Unwind_GetDataRelBase", "_Unwind_GetIP",
    "_Unwind_GetIPInfo", "_Unwind_GetLanguageSpecificData", "_Unwind_GetRegionStart", "_Unwind_GetTextRelBase",
    "_Unwind_RaiseException", "_Unwind_Resume", "_Unwind_SetGR", "_Unwind_SetIP",
    "_ZNSt8ios_base4InitC1Ev", "_ZNSt8ios_base4InitD1Ev", "_ZSt17__throw_bad_allocv", "_ZSt19__throw_logic_errorPKc",
    "_ZSt20__throw_length_errorPKc", "_ZSt20__throw_out_of_rangePKc", "_ZSt24__throw_out_of_range_fmtPKcz",
    "_ZSt9terminatev", "_ZdaPv", "_ZdaPvSt11align_val_t", "_ZdaPvm", "_ZdlPv", "_ZdlPvSt11align_val_t", "_ZdlPvm",
    "_ZdlPvmSt11align_val_t",
    "__assert_fail", "__ctype_b_loc", "__ctype_tolower_loc", "__ctype_toupper_loc", "__cxa_atexit", "__cxa_begin_catch",
    "__cxa_call_unexpected", "__cxa_end_catch", "__cxa_finalize", "__cxa_free_exception", "__cxa_guard_abort",
    "__cxa_guard_acquire", "__cxa_guard_release", "__cxa_pure_virtual", "__cxa_rethrow", "__cxa_thread_atexit_impl",
    "__cxa_throw", "__errno_location", "__libc_current_sigrtmax", "__libc_current_sigrtmin", "__sigsetjmp",
    "__stack_chk_fail", "_exit", "_longjmp", "_setjmp", "abort", "abs", "acos", "acosf", "alarm", "asin", "asinf", "atan",
    "atan2", "atan2f", "atanf", "atexit", "bsearch", "cbrt", "ceil", "ceilf", "clearerr", "clock", "close", "closedir",
    "cos", "cosf", "cosh", "difftime", "dlclose", "dlerror", "dlsym", "dup", "dup2", "erf", "erfc", "exit", "exp", "exp2",
    "expf", "expm1", "fabs", "fabsf", "fchmod", "fclose", "feof", "ferror", "fflush", "fileno", "floor",
    "floorf", "fmax", "fmin", "fmod", "fmodf", "fork", "fputc", "free", "frexp", "fseek", "fseeko", "fseeko64", "fsync",
    "ftell", "ftello", "ftello64", "ftruncate", "ftruncate64",
    "getegid", "geteuid", "getgid", "getpagesize", "getpid", "getppid", "getuid", "hypot", "isalnum", "isalpha", "isatty",
    "iscntrl", "isdigit", "isgraph", "islower", "isprint", "ispunct", "isspace", "isupper", "isxdigit", "kill", "labs",
    "ldexp", "lgamma", "localeconv", "log", "log10", "log1p", "log2", "logf", "longjmp", "lrint", "lround", "lseek", "lseek64",
    "malloc_usable_size", "modf", "mprotect", "nearbyint", "pclose", "pow", "powf",
    "pthread_attr_destroy", "pthread_attr_init", "pthread_cond_broadcast", "pthread_cond_destroy", "pthread_cond_init",
    "pthread_cond_signal", "pthread_cond_wait", "pthread_create", "pthread_exit", "pthread_getspecific", "pthread_join",
    "pthread_key_create", "pthread_mutex_destroy", "pthread_mutex_init", "pthread_mutex_lock", "pthread_mutex_trylock",
    "pthread_mutex_unlock", "pthread_mutexattr_destroy", "pthread_mutexattr_init", "pthread_mutexattr_settype",
    "pthread_once", "pthread_rwlock_rdlock", "pthread_rwlock_unlock", "pthread_rwlock_wrlock", "pthread_self",
    "pthread_setspecific", "pthread_sigmask", "putc", "putc_unlocked", "putchar", "putchar_unlocked", 
    "raise", "rand", "rand_r", "random", "rewind", "rewinddir", "rint", "round", "sched_yield", "setbuf", "setjmp",
    "setlocale", "setvbuf", "sigaction", "siglongjmp", "signal", "sigprocmask", "sigsetjmp", "sin", "sinf", "sinh",
    "sleep", "sqrt", "sqrtf", "srand", "srandom", "strerror", "sysconf", "tan", "tanf", "tanh", "tgamma", "time", "times",
    "tolower", "toupper", "trunc", "truncf", "umask", "ungetc", "usleep", "wait", "waitpid",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn allocators_of_rust_are_known_by_mangled_names() {
        assert_eq!(of_rustc("_RNvCsfLfy6EI15iL_7___rustc12___rust_alloc"), Some("__rust_alloc"));
        assert_eq!(of_rustc("_RNvCsfLfy6EI15iL_7___rustc17rust_begin_unwind"), Some("rust_begin_unwind"));
        assert_eq!(of_rustc("_RNvCs1_4core5panic"), None);
        assert_eq!(allocator("_RNvCs5_7___rustc14___rust_realloc"), Some(Allocator::Moves));
        assert_eq!(allocator("__rust_try"), None);
        assert!(effects("__rust_dealloc").is_some_and(<[Effect]>::is_empty));
    }

    #[test]
    fn names_without_effect_are_in_order_and_have_no_other_model() {
        assert!(WITHOUT_EFFECT.is_sorted());
        for name in WITHOUT_EFFECT {
            assert!(effects(name).is_some_and(<[Effect]>::is_empty), "{name}");
        }
    }
}
