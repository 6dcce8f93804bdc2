//! Removes the lock from counters that no second thread can reach, or restores it.
//!
//! Only the linker knows if a program can start threads. Its objects were compiled before, with atomic updates, and
//! rustc has no others. A program that counts in its hottest loops pays several times its own time for them. On x86-64
//! an update is a single instruction that addresses its counter relative to the next instruction:
//!
//! ```text
//!   f0 48 ff 05 d3 d2 d1 d0        lock incq  counter(%rip)
//!   f0 48 83 05 d3 d2 d1 d0 01     lock addq  $1, counter(%rip)
//!   3e 48 …                        without lock: this prefix has no effect in 64-bit code
//! ```
//!
//! Only instructions whose operand is a counter are changed; the program's own atomic operations stay. An update that
//! addresses its counter through a register keeps its lock, which is correct as well.

use std::ffi::OsString;
use std::fs;
use std::io;
use std::ops::Range;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

use object::read::elf::ElfFile64;
use object::{Architecture, Object, ObjectSection, ObjectSymbol, SectionKind};

/// The section that contains only counters of LLVM's source-based coverage.
const SECTION: &str = "__llvm_prf_cnts";

/// Prefixes of the symbols of gcov's counters, in gcc and in clang.
const SYMBOLS: [&str; 2] = ["__gcov0.", "__llvm_gcov_ctr"];

/// Size of a counter in bytes.
const COUNTER_BYTES: u64 = 8;

/// `incq` and `addq`: the bytes between the prefix and the distance, and the bytes after it.
const INSTRUCTIONS: [([u8; 3], &[u8]); 2] = [([0x48, 0xff, 0x05], &[]), ([0x48, 0x83, 0x05], &[1])];

/// The lock prefix, and the meaningless prefix that replaces it.
const LOCK: u8 = 0xf0;
const NO_LOCK: u8 = 0x3e;

/// No-op instructions of eight and of nine bytes.
const NOTHING: [&[u8]; 2] = [&[0x0f, 0x1f, 0x84, 0, 0, 0, 0, 0], &[0x66, 0x0f, 0x1f, 0x84, 0, 0, 0, 0, 0]];

/// The way in which counters are updated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Updates {
    /// Atomic updates, exact with any number of threads.
    Locked,
    /// Plain updates, exact with one thread.
    Plain,
    /// No updates.
    None,
}

/// Returns the program or library that a C compiler links.
pub(super) fn product(arguments: &[OsString]) -> PathBuf {
    let separate = arguments.windows(2).rev().find(|w| w[0] == "-o").map(|w| PathBuf::from(&w[1]));
    let attached = || arguments.iter().rev().find_map(|a| a.to_str()?.strip_prefix("-o").map(PathBuf::from));
    separate.or_else(attached).unwrap_or_else(|| "a.out".into())
}

/// Returns the value of a rustc option written `--name value` or `--name=value`.
pub(super) fn value(arguments: &[OsString], name: &str) -> Option<OsString> {
    let attached = format!("{name}=");
    let pairs = arguments.windows(2).find(|w| w[0] == name).map(|w| w[1].clone());
    pairs.or_else(|| arguments.iter().find_map(|a| Some(a.to_str()?.strip_prefix(&attached)?.into())))
}

/// Returns the existing programs and libraries that a call of rustc links.
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

/// Rewrites the counter updates of a linked program or library. Returns the number of updates that can be rewritten,
/// which is 0 if any was compiled without a lock.
///
/// # Errors
/// Fails if the file cannot be read or written. A partial change is still correct, because each update is independent.
pub(crate) fn rewrite(program: &Path, wanted: Updates) -> io::Result<usize> {
    let bytes = fs::read(program)?;
    let Ok(file) = ElfFile64::<object::Endianness>::parse(bytes.as_slice()) else { return Ok(0) };
    if file.architecture() != Architecture::X86_64 {
        return Ok(0);
    }
    let counters = counters(&file);
    if counters.is_empty() {
        return Ok(0);
    }
    let (mut code, mut update_count) = (bytes.clone(), 0);
    for section in file.sections().filter(|s| s.kind() == SectionKind::Text) {
        let (Ok(text), Some((offset, _))) = (section.data(), section.file_range()) else { continue };
        let Some(updates) = updates(text, section.address(), &counters) else { return Ok(0) };
        for update in updates {
            let place = offset as usize + update.start..offset as usize + update.end;
            match wanted {
                Updates::Locked => code[place.start] = LOCK,
                Updates::Plain => code[place.start] = NO_LOCK,
                Updates::None => {
                    let nothing = NOTHING.iter().filter(|nothing| nothing.len() == place.len());
                    nothing.for_each(|nothing| code[place.clone()].copy_from_slice(nothing));
                }
            }
            update_count += 1;
        }
    }
    let first = bytes.iter().zip(&code).position(|(old, new)| old != new);
    if let (Some(first), Some(last)) = (first, bytes.iter().zip(&code).rposition(|(old, new)| old != new)) {
        fs::OpenOptions::new().write(true).open(program)?.write_all_at(&code[first..=last], first as u64)?;
    }
    Ok(update_count)
}

/// Returns the address ranges of a program's counters, in ascending order.
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

/// Returns the ranges of the counter updates in `code`, which begins at `address`, including their prefixes. Returns
/// `None` if an update has no prefix. Such code was compiled without locks, and a byte before another update may look
/// like a prefix although it ends the previous instruction.
///
/// - Time: O(bytes · log counters).
fn updates(code: &[u8], address: u64, counters: &[Range<u64>]) -> Option<Vec<Range<usize>>> {
    let is_counter = |operand: u64| {
        let before = counters.partition_point(|range| range.start <= operand);
        let range = before.checked_sub(1).map(|i| &counters[i]).filter(|range| range.contains(&operand));
        range.is_some_and(|range| (operand - range.start).is_multiple_of(COUNTER_BYTES))
    };
    let end = |begin: usize, (head, tail): &([u8; 3], &[u8])| {
        let (distance, rest) = code[begin..].strip_prefix(head)?.split_first_chunk()?;
        let end = begin + head.len() + distance.len() + tail.len();
        let next = address.wrapping_add(end as u64);
        let operand = next.wrapping_add_signed(i32::from_le_bytes(*distance).into());
        (rest.starts_with(tail) && is_counter(operand)).then_some(end)
    };
    let updates = (0..code.len()).filter(|i| code[*i] == INSTRUCTIONS[0].0[0]).filter_map(|begin| {
        let end = INSTRUCTIONS.iter().find_map(|instruction| end(begin, instruction))?;
        let prefix = begin.checked_sub(1).filter(|i| [LOCK, NO_LOCK].contains(&code[*i]));
        Some(prefix.map(|prefix| prefix..end))
    });
    updates.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_updates_of_counters_are_found() {
        let instruction = |prefix, i: usize, distance: i32| {
            [&[prefix], &INSTRUCTIONS[i].0[..], &distance.to_le_bytes()].concat()
        };
        let increment = |distance| instruction(LOCK, 0, distance);
        let add = |distance, value| [instruction(NO_LOCK, 1, distance), vec![value]].concat();
        // The code starts at 0x1000, and the counters are at 0x2000 and 0x3000.
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
        let counters = [0x2000..0x2020, 0x3000..0x3020];
        let ranges = updates(&code, 0x1000, &counters).unwrap();
        assert_eq!(ranges, [0..8, 9..17, 33..42]);
        assert!(ranges.iter().all(|update| NOTHING.iter().any(|nothing| nothing.len() == update.len())));
        // The last byte of `mov %esi,%eax` looks like the start of a locked update.
        let compiled_plain =
            [&[0x89], &increment(0x2000 - 0x1009)[..], &[0x90], &increment(0x2008 - 0x1011)[1..]];
        assert_eq!(updates(&compiled_plain.concat(), 0x1000, &counters), None);
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
