//! Takes the lock off counters that no second thread can reach.
//!
//! Whether a program can start threads is known only when it is linked; its objects were compiled before, with atomic
//! updates, and rustc has no others. A program that counts inside its hottest loops pays for them with several times
//! its own time. On x86-64 an update is one instruction that names its counter by its distance from the next one:
//!
//! ```text
//!   f0 48 ff 05 d3 d2 d1 d0        lock incq  counter(%rip)
//!   f0 48 83 05 d3 d2 d1 d0 01     lock addq  $1, counter(%rip)
//!   3e 48 …                        the prefix in its place means nothing in 64-bit code
//! ```
//!
//! Only instructions whose operand is a counter are changed; the program's own atomic operations stay. An update that
//! comes to its counter through a register keeps its lock, and is right as well.

use std::ffi::OsString;
use std::fs;
use std::io;
use std::ops::Range;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

use object::elf::DT_NEEDED;
use object::read::elf::ElfFile64;
use object::{Architecture, Object, ObjectSection, ObjectSymbol, SectionKind};

use crate::Update;

/// The section that has the counters of LLVM's source-based coverage, and nothing else.
const SECTION: &str = "__llvm_prf_cnts";

/// What the names of gcov's counters begin with, those of gcc and those of clang.
const SYMBOLS: [&str; 2] = ["__gcov0.", "__llvm_gcov_ctr"];

/// A counter has eight bytes.
const COUNTER_BYTES: u64 = 8;

/// `lock incq` and `lock addq`: the bytes up to the distance, and the bytes behind it.
const UPDATES: [([u8; 4], &[u8]); 2] = [([0xf0, 0x48, 0xff, 0x05], &[]), ([0xf0, 0x48, 0x83, 0x05], &[1])];

/// A prefix without meaning where the lock was.
const NO_LOCK: u8 = 0x3e;

/// Calls by which a program comes to further threads, or to code that nobody has seen.
const THREAD_CALLS: [&str; 11] = [
    "pthread_create",
    "thrd_create",
    "clone",
    "clone3",
    "__clone",
    "__clone2",
    "dlopen",
    "dlmopen",
    "getaddrinfo_a",
    "timer_create",
    "mq_notify",
];

/// Calls behind which such a call can hide; Rust's standard library makes them for other reasons, and so does every Rust
/// program, which is known by [`RUST`].
const HIDING_CALLS: [&str; 2] = ["syscall", "dlsym"];
const RUST: &str = "rust_eh_personality";

/// What the names of further such calls begin with. The last is how libstdc++ starts a `std::thread`.
const THREAD_CALL_PREFIXES: [&str; 3] = ["aio_", "lio_listio", "_ZNSt6thread"];

/// Libraries that start no threads by themselves.
const QUIET_LIBRARIES: [&str; 12] = [
    "libc.so.6",
    "libm.so.6",
    "libgcc_s.so.1",
    "libstdc++.so.6",
    "libc++.so.1",
    "libc++abi.so.1",
    "libpthread.so.0",
    "libdl.so.2",
    "librt.so.1",
    "libutil.so.1",
    "ld-linux-x86-64.so.2",
    "linux-vdso.so.1",
];

/// The program or library that a C compiler links.
pub(super) fn product(arguments: &[OsString]) -> PathBuf {
    let separate = arguments.windows(2).rev().find(|w| w[0] == "-o").map(|w| PathBuf::from(&w[1]));
    let attached = || arguments.iter().rev().find_map(|a| a.to_str()?.strip_prefix("-o").map(PathBuf::from));
    separate.or_else(attached).unwrap_or_else(|| "a.out".into())
}

/// The value of an option of rustc that is `--name value` or `--name=value`.
pub(super) fn value(arguments: &[OsString], name: &str) -> Option<OsString> {
    let attached = format!("{name}=");
    let pairs = arguments.windows(2).find(|w| w[0] == name).map(|w| w[1].clone());
    pairs.or_else(|| arguments.iter().find_map(|a| Some(a.to_str()?.strip_prefix(&attached)?.into())))
}

/// The programs and libraries that a call of rustc links, as far as they are there.
pub(super) fn rust_products(arguments: &[OsString]) -> Vec<PathBuf> {
    let value = |name: &str| value(arguments, name);
    if let Some(file) = value("-o") {
        return vec![file.into()];
    }
    let folder = value("--out-dir").map_or_else(|| PathBuf::from("."), PathBuf::from);
    let Some(name) = value("--crate-name") else { return Vec::new() };
    let extra = arguments.iter().find_map(|a| {
        let a = a.to_str()?;
        a.strip_prefix("extra-filename=").or_else(|| a.strip_prefix("-Cextra-filename="))
    });
    let stem = format!("{}{}", name.to_string_lossy(), extra.unwrap_or_default());
    let files = [folder.join(&stem), folder.join(format!("lib{stem}.so"))];
    files.into_iter().filter(|f| f.is_file()).collect()
}

/// Makes the counters of a linked program or library plain: with [`Update::Single`] always, else where the program
/// cannot start threads. Says how many updates were changed.
///
/// # Errors
/// It cannot be read or written. What was changed until then is right: each update is by itself.
pub(super) fn unlock(program: &Path, update: Update) -> io::Result<usize> {
    let bytes = fs::read(program)?;
    let Ok(file) = ElfFile64::<object::Endianness>::parse(bytes.as_slice()) else { return Ok(0) };
    if file.architecture() != Architecture::X86_64 || (update == Update::Atomic && may_start_threads(&file)) {
        return Ok(0);
    }
    let counters = counters(&file);
    if counters.is_empty() {
        return Ok(0);
    }
    let writer = fs::OpenOptions::new().write(true).open(program)?;
    let mut changed = 0;
    for section in file.sections().filter(|s| s.kind() == SectionKind::Text) {
        let (Ok(code), Some((offset, _))) = (section.data(), section.file_range()) else { continue };
        let locks = locks(code, section.address(), &counters);
        if let (Some(first), Some(last)) = (locks.first(), locks.last()) {
            let mut code = code[*first..=*last].to_vec();
            for lock in &locks {
                code[lock - first] = NO_LOCK;
            }
            writer.write_all_at(&code, offset + *first as u64)?;
            changed += locks.len();
        }
    }
    Ok(changed)
}

/// Where the counters of a program are, in rising order.
fn counters(file: &ElfFile64<'_>) -> Vec<Range<u64>> {
    let range = |address: u64, size: u64| address..address.saturating_add(size);
    let section = file.section_by_name(SECTION).map(|s| range(s.address(), s.size()));
    let is_counter = |name: &str| SYMBOLS.iter().any(|prefix| name.starts_with(prefix));
    let symbols = file.symbols().filter(|s| s.name().is_ok_and(is_counter));
    let symbols = symbols.map(|s| range(s.address(), s.size()));
    let mut counters: Vec<_> = section.into_iter().chain(symbols).filter(|r| !r.is_empty()).collect();
    counters.sort_by_key(|range| range.start);
    counters
}

/// Where in `code`, which begins at `address`, locks of counters are.
///
/// - Time: O(bytes · log counters).
fn locks(code: &[u8], address: u64, counters: &[Range<u64>]) -> Vec<usize> {
    let is_counter = |operand: u64| {
        let before = counters.partition_point(|range| range.start <= operand);
        let range = before.checked_sub(1).map(|i| &counters[i]).filter(|range| range.contains(&operand));
        range.is_some_and(|range| (operand - range.start).is_multiple_of(COUNTER_BYTES))
    };
    let is_update = |position: usize, (head, tail): &([u8; 4], &[u8])| {
        let Some(rest) = code[position..].strip_prefix(head) else { return false };
        let Some((distance, rest)) = rest.split_first_chunk() else { return false };
        let next = address.wrapping_add((position + head.len() + distance.len() + tail.len()) as u64);
        rest.starts_with(tail) && is_counter(next.wrapping_add_signed(i32::from_le_bytes(*distance).into()))
    };
    let lock = UPDATES[0].0[0];
    (0..code.len()).filter(|i| code[*i] == lock && UPDATES.iter().any(|u| is_update(*i, u))).collect()
}

/// Whether a program can ever have a second thread, as far as can be told; of a shared library it never can.
fn may_start_threads(file: &ElfFile64<'_>) -> bool {
    let Ok(table) = file.elf_dynamic_table() else { return true };
    let needed = table.iter().filter(|d| d.tag == DT_NEEDED).map(|d| table.string(d).ok());
    let needed: Option<Vec<&[u8]>> = needed.collect();
    // Without the C library's name in it, the program holds that library inside.
    let Some(needed) = needed.filter(|names| names.iter().any(|n| *n == b"libc.so.6")) else { return true };
    let is_quiet = |name: &[u8]| QUIET_LIBRARIES.iter().any(|quiet| quiet.as_bytes() == name);
    let is_rust = file.symbols().any(|s| s.name() == Ok(RUST));
    let starts = |name: &str| {
        THREAD_CALLS.contains(&name)
            || (!is_rust && HIDING_CALLS.contains(&name))
            || THREAD_CALL_PREFIXES.iter().any(|prefix| name.starts_with(prefix))
    };
    let mut calls = file.dynamic_symbols().filter(ObjectSymbol::is_undefined);
    // A library is called by programs that may have threads.
    let is_library = file.section_by_name(".interp").is_none();
    is_library || !needed.iter().all(|name| is_quiet(name)) || calls.any(|s| s.name().map_or(true, starts))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_locks_of_counters_are_found() {
        let increment = |distance: i32| [&UPDATES[0].0[..], &distance.to_le_bytes()].concat();
        let add = |distance: i32, value| [&UPDATES[1].0[..], &distance.to_le_bytes(), &[value]].concat();
        // The code is at 0x1000 and the counters are at 0x2000 and 0x3000.
        let code = [
            increment(0x2000 - 0x1008),
            vec![0x90],
            increment(0x3010 - 0x1011),
            increment(0x2004 - 0x1019),
            increment(0x2020 - 0x1021),
            add(0x3018 - 0x102a, 1),
            add(0x3018 - 0x1033, 2),
            vec![0xf0, 0x48, 0xff, 0x05, 0, 0],
        ]
        .concat();
        assert_eq!(locks(&code, 0x1000, &[0x2000..0x2020, 0x3000..0x3020]), [0, 9, 33]);
    }

    #[test]
    fn the_product_is_where_the_compiler_puts_it() {
        let folder = tempfile::tempdir().unwrap();
        let program = folder.path().join("p_q-0123");
        fs::write(&program, "").unwrap();
        let out = folder.path().to_str().unwrap();
        let line = |line: &str| line.split(' ').map(OsString::from).collect::<Vec<_>>();
        let cargos = line(&format!("rustc --crate-name p_q -C extra-filename=-0123 --out-dir {out}"));
        assert_eq!(rust_products(&cargos), std::slice::from_ref(&program));
        let by_hand = line(&format!("rustc --crate-name=p_q -o {out}/p"));
        assert_eq!(rust_products(&by_hand), [folder.path().join("p")]);
        assert_eq!(product(&line("-o x a.c -o y b.c")), Path::new("y"));
        assert_eq!(product(&line("a.c -ox")), Path::new("x"));
        assert_eq!(product(&line("a.c")), Path::new("a.out"));
    }
}
