//! Takes the lock off counters that no second thread can reach.
//!
//! rustc makes every update of a counter atomic, which a program that counts inside its hottest loops pays for with
//! several times its own time, and has no option against it. On x86-64 an update is one instruction that names its
//! counter by its distance from the next instruction:
//!
//! ```text
//!   f0 48 ff 05 d3 d2 d1 d0      lock incq  counter(%rip)
//!   3e 48 ff 05 d3 d2 d1 d0      ds   incq  counter(%rip)      the prefix means nothing in 64-bit code
//! ```
//!
//! Only instructions whose operand is a slot of the counters' section are changed; the program's own atomic
//! operations stay. What reads such a slot through a register keeps its lock, and is right as well.

use std::ffi::OsString;
use std::fs;
use std::io;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

use object::elf::DT_NEEDED;
use object::read::elf::ElfFile64;
use object::{Architecture, Object, ObjectSection, ObjectSymbol, SectionKind};

use crate::Update;

const COUNTERS: &str = "__llvm_prf_cnts";

/// A counter has eight bytes.
const COUNTER_BYTES: u64 = 8;

/// `lock incq disp32(%rip)` up to its distance.
const LOCKED_INCREMENT: [u8; 4] = [0xf0, 0x48, 0xff, 0x05];

/// The same as [`LOCKED_INCREMENT`] with the distance.
const LENGTH: usize = 8;

/// A prefix without meaning where the lock was.
const NO_LOCK: u8 = 0x3e;

/// Calls by which a program comes to further threads, or to code that nobody has seen.
const THREAD_CALLS: [&str; 9] = [
    "pthread_create",
    "thrd_create",
    "clone",
    "clone3",
    "__clone",
    "__clone2",
    "dlopen",
    "timer_create",
    "mq_notify",
];

/// Libraries that start no threads by themselves.
const QUIET_LIBRARIES: [&str; 9] = [
    "libc.so.6",
    "libm.so.6",
    "libgcc_s.so.1",
    "libpthread.so.0",
    "libdl.so.2",
    "librt.so.1",
    "libutil.so.1",
    "ld-linux-x86-64.so.2",
    "linux-vdso.so.1",
];

/// The programs and libraries that a call of rustc links, as far as they are there.
pub(super) fn products(arguments: &[OsString]) -> Vec<PathBuf> {
    let value = |name: &str| {
        let attached = format!("{name}=");
        let pairs = arguments.windows(2).find(|w| w[0] == name).map(|w| w[1].clone());
        pairs.or_else(|| arguments.iter().find_map(|a| Some(a.to_str()?.strip_prefix(&attached)?.into())))
    };
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
    let Some(counters) = file.section_by_name(COUNTERS) else { return Ok(0) };
    let counters = counters.address()..counters.address().saturating_add(counters.size());
    let writer = fs::OpenOptions::new().write(true).open(program)?;
    let mut changed = 0;
    for section in file.sections().filter(|s| s.kind() == SectionKind::Text) {
        let (Ok(code), Some((offset, _))) = (section.data(), section.file_range()) else { continue };
        let locks = locks(code, section.address(), &counters);
        if let (Some(first), Some(last)) = (locks.first(), locks.last()) {
            let mut code = code[*first..=*last].to_vec();
            locks.iter().for_each(|lock| code[lock - first] = NO_LOCK);
            writer.write_all_at(&code, offset + *first as u64)?;
            changed += locks.len();
        }
    }
    Ok(changed)
}

/// Where in `code`, which begins at `address`, locks of counters are.
fn locks(code: &[u8], address: u64, counters: &std::ops::Range<u64>) -> Vec<usize> {
    let is_counter = |position: &usize| {
        let Some([.., a, b, c, d]) = code.get(*position..position + LENGTH) else { return false };
        let distance = i64::from(i32::from_le_bytes([*a, *b, *c, *d]));
        let next = address.wrapping_add((position + LENGTH) as u64);
        let operand = next.wrapping_add_signed(distance);
        counters.contains(&operand) && (operand - counters.start).is_multiple_of(COUNTER_BYTES)
    };
    let found = code.windows(LOCKED_INCREMENT.len()).enumerate();
    found.filter(|(_, window)| *window == LOCKED_INCREMENT).map(|(i, _)| i).filter(is_counter).collect()
}

/// Whether a program can ever have a second thread, as far as can be told; a shared library never can be told.
fn may_start_threads(file: &ElfFile64<'_>) -> bool {
    let Ok(table) = file.elf_dynamic_table() else { return true };
    let needed = table.iter().filter(|d| d.tag == DT_NEEDED).map(|d| table.string(d).ok());
    let needed: Option<Vec<&[u8]>> = needed.collect();
    // Without the C library's name in it the program holds it inside, or is a library itself.
    let Some(needed) = needed.filter(|names| names.iter().any(|n| *n == b"libc.so.6")) else { return true };
    let is_quiet = |name: &[u8]| QUIET_LIBRARIES.iter().any(|quiet| quiet.as_bytes() == name);
    let starts =
        |name: &str| THREAD_CALLS.contains(&name) || name.starts_with("aio_") || name == "lio_listio";
    let calls = || file.dynamic_symbols().filter(|s| s.is_undefined()).map(|s| s.name().map_or(true, starts));
    // Other programs and libraries can call a library.
    file.entry() == 0 || !needed.iter().all(|name| is_quiet(name)) || calls().any(|starts| starts)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_locks_of_counters_are_found() {
        let increment = |distance: i32| [&LOCKED_INCREMENT[..], &distance.to_le_bytes()].concat();
        // The code is at 0x1000 and the counters are at 0x2000.
        let code = [
            increment(0x2000 - 0x1008),
            vec![0x90],
            increment(0x2010 - 0x1011),
            increment(0x2004 - 0x1019),
            increment(0x2020 - 0x1021),
            vec![0xf0, 0x48, 0xff, 0x05, 0, 0],
        ]
        .concat();
        assert_eq!(locks(&code, 0x1000, &(0x2000..0x2020)), [0, 9]);
    }

    #[test]
    fn the_product_is_where_cargo_wants_it() {
        let folder = tempfile::tempdir().unwrap();
        let program = folder.path().join("p_q-0123");
        fs::write(&program, "").unwrap();
        let out = folder.path().to_str().unwrap();
        let line = |line: &str| line.split(' ').map(OsString::from).collect::<Vec<_>>();
        let cargos = line(&format!("rustc --crate-name p_q -C extra-filename=-0123 --out-dir {out}"));
        assert_eq!(products(&cargos), std::slice::from_ref(&program));
        let by_hand = line(&format!("rustc --crate-name=p_q -o {out}/p"));
        assert_eq!(products(&by_hand), [folder.path().join("p")]);
    }
}
