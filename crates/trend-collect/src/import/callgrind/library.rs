//! Decides which code belongs to a library. The cost of library code is charged to the line that calls it.
//!
//! Library code is the standard library of Rust and C++, and the system's code such as the C library. Crates from a
//! registry and the user's own libraries don't count: they often contain the code that does not scale.

use crate::import::text::cut;

/// Folders of sources that are not the program's: headers, and sources named by the debug information of distributions.
const FOLDERS: [&str; 6] =
    ["/usr/include/", "/usr/lib/", "/usr/lib32/", "/usr/lib64/", "/usr/src/debug/", "/build/glibc-"];

/// Folders in which rustc's standard library and its crates were compiled.
const RUST: [&str; 2] = ["/rustc/", "/rust/deps/"];
/// Folder in which the sources of the standard library are installed.
const RUST_INSTALLED: &str = "/lib/rustlib/src/rust/";

/// Folders in which the system and package managers keep shared libraries.
const SHARED: [&str; 9] = [
    "/lib/",
    "/lib32/",
    "/lib64/",
    "/usr/lib/",
    "/usr/lib32/",
    "/usr/lib64/",
    "/usr/libexec/",
    "/nix/store/",
    "/gnu/store/",
];

/// Prefixes of names in the standard libraries of Rust and C++.
const NAMES: [&str; 6] = ["std::", "core::", "alloc::", "hashbrown::", "__rustc::", "__gnu_cxx::"];

/// Returns true if a source file belongs to a library.
pub(crate) fn is_library_file(file: &str) -> bool {
    FOLDERS.iter().chain(&RUST).any(|folder| file.starts_with(folder)) || file.contains(RUST_INSTALLED)
}

/// Returns true if everything in an executable or shared library is library code, whatever its sources. This includes
/// code without an object (mapped by the kernel, or generated at run time).
pub(super) fn is_library_object(object: &str) -> bool {
    let name = object.rsplit('/').next().unwrap_or_default();
    let is_shared = name.split('.').skip(1).any(|part| part == "so");
    object == super::inlining::UNKNOWN || is_shared && SHARED.iter().any(|folder| object.starts_with(folder))
}

/// Returns true if a demangled name belongs to a standard library.
pub(crate) fn is_library_name(name: &str) -> bool {
    let is_standard = |path: &str| {
        let path = path.trim_start_matches(|c: char| "<&*[(".contains(c)).trim_start_matches("mut ");
        NAMES.iter().any(|start| path.starts_with(start))
    };
    // `<alloc::vec::Vec<T> as mine::Trait>::f` belongs to the trait.
    let of_trait = name.starts_with('<').then(|| after_last_outside(name, " as ", 1)).flatten();
    is_standard(without_return_type(name)) && of_trait.is_none_or(is_standard)
}

/// Strips the return type, which valgrind's own demangler writes: `void std::sort<int*>(int*, int*)` without `void`.
fn without_return_type(name: &str) -> &str {
    let function = name.split_once('(').map_or(name, |(start, _)| start);
    if function.contains("operator") {
        return name;
    }
    after_last_outside(function, " ", 0).unwrap_or(name)
}

/// Returns the text after the last occurrence that is within at most `depth` brackets.
fn after_last_outside<'n>(name: &'n str, text: &str, depth: usize) -> Option<&'n str> {
    let (mut open, mut after) = (0_usize, None);
    for (i, c) in name.char_indices() {
        match c {
            '<' => open += 1,
            '>' if !name[..i].ends_with('-') => open = open.saturating_sub(1),
            _ if open <= depth && name[i..].starts_with(text) => after = Some(&name[i + text.len()..]),
            _ => {}
        }
    }
    after
}

/// Suffixes that glibc appends to variants of a function for different processors.
const VARIANTS: [&str; 5] = ["_avx", "_evex", "_sse", "_ssse", "_erms"];

/// Maximum bytes of a name; longer ones are cut, because every location has a copy.
const LONGEST_NAME: usize = 200;

/// Shortens paths: `alloc::vec::Vec<T,A>::remove` → `Vec::remove`, `<[A] as
/// core::slice::cmp::SlicePartialEq<B>>::equal` → `SlicePartialEq::equal`, `__strcat_avx2` → `strcat`. Other names
/// stay.
pub(super) fn short_name(name: &str) -> String {
    cut(&shortened(name), LONGEST_NAME).into_owned()
}

fn shortened(name: &str) -> String {
    if let Some(rest) = name.strip_prefix("__")
        && let Some(end) = VARIANTS.iter().filter_map(|variant| rest.find(variant)).min()
        && end > 0
    {
        return rest[..end].to_owned();
    }
    // Strips the arguments of C++ functions.
    let name = name.split_once('(').map_or(name, |(start, _)| if start.is_empty() { name } else { start });
    let parts = parts(name);
    let named: Vec<String> = parts.iter().map(|part| head(part)).filter(|part| !part.is_empty()).collect();
    match named.as_slice() {
        [] => name.to_owned(),
        [.., of, own] => format!("{of}::{own}"),
        [own] => own.clone(),
    }
}

/// Splits a path at `::`, except within brackets.
fn parts(name: &str) -> Vec<&str> {
    let (mut parts, mut depth, mut start) = (Vec::new(), 0_usize, 0);
    let bytes = name.as_bytes();
    for (i, &byte) in bytes.iter().enumerate() {
        match byte {
            b'<' | b'[' | b'{' => depth += 1,
            // The `>` of `->` closes no bracket.
            b'>' if i > 0 && bytes[i - 1] == b'-' => {}
            b'>' | b']' | b'}' => depth = depth.saturating_sub(1),
            // The second colon of three begins no other separator.
            b':' if depth == 0 && i >= start && bytes.get(i + 1) == Some(&b':') => {
                parts.push(&name[start..i]);
                start = i + 2;
            }
            _ => {}
        }
    }
    parts.push(&name[start.min(name.len())..]);
    parts
}

/// Strips the arguments of a part. `<T as Trait>` becomes the trait, `<T>` the type.
fn head(part: &str) -> String {
    let Some(inner) = part.strip_prefix('<').map(|p| p.strip_suffix('>').unwrap_or(p)) else {
        return part.split('<').next().unwrap_or_default().to_owned();
    };
    // In `core::slice::<impl [T]>::contains`, the part before names the type.
    if inner.starts_with("impl ") {
        return String::new();
    }
    let named = inner.rsplit_once(" as ").map_or(inner, |(_, of)| of);
    let last = parts(named).pop().unwrap_or_default();
    last.split('<').next().unwrap_or_default().trim_start_matches(['&', '*']).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_standard_library_and_the_systems_are_libraries_and_crates_are_none() {
        for file in [
            "/rustc/59807616/library/alloc/src/vec/mod.rs",
            "/rust/deps/hashbrown-0.15.5/src/raw/mod.rs",
            "/u/.rustup/toolchains/x/lib/rustlib/src/rust/library/core/src/iter.rs",
            "/usr/include/c++/12/bits/stl_vector.h",
        ] {
            assert!(is_library_file(file), "{file}");
        }
        for file in ["/u/.cargo/registry/src/x/regex-1.0.0/src/lib.rs", "/p/src/main.rs", "???", "sort.c"] {
            assert!(!is_library_file(file), "{file}");
        }
        for object in ["/usr/lib/x86_64-linux-gnu/libc.so.6", "/lib64/ld-linux-x86-64.so.2", "???"] {
            assert!(is_library_object(object), "{object}");
        }
        for object in ["/usr/bin/sort", "/p/libmine.so", "/usr/lib/git-core/git", ""] {
            assert!(!is_library_object(object), "{object}");
        }
        assert!(is_library_name("<alloc::vec::Vec<T> as core::clone::Clone>::clone"));
        assert!(is_library_name("<&mut core::str::Chars as core::iter::Iterator>::next"));
        assert!(is_library_name("std::vector<int>::push_back"));
        assert!(is_library_name("void std::__introsort_loop<int*, long>(int*, int*, long)"));
        assert!(is_library_name("__gnu_cxx::new_allocator<int>::allocate(unsigned long)"));
        assert!(!is_library_name("planted::main"));
        assert!(!is_library_name("<alloc::vec::Vec<T> as planted::Sum>::sum"));
        assert!(!is_library_name("std::vector<int, std::allocator<int> > mine<int>(int)"));
    }

    #[test]
    fn names_in_libraries_are_short() {
        for (name, short) in [
            ("alloc::vec::Vec<T,A>::remove", "Vec::remove"),
            ("<alloc::vec::Vec<T>>::remove", "Vec::remove"),
            ("core::slice::<impl [T]>::contains", "slice::contains"),
            ("<T as core::slice::cmp::SliceContains>::slice_contains", "SliceContains::slice_contains"),
            ("remove<u64, alloc::alloc::Global>", "remove"),
            ("std::vector<int, std::allocator<int> >::erase(int const*)", "vector::erase"),
            ("__memmove_avx_unaligned_erms", "memmove"),
            ("__strlen_sse2", "strlen"),
            ("__avx", "__avx"),
            ("__libc_start_main", "__libc_start_main"),
            ("core::iter::traits::iterator::Iterator::map<fn(u8)->u8>", "Iterator::map"),
            ("(below main)", "(below main)"),
            ("a:::b", "a:::b"),
            ("emmo:::::ve", "emmo:::ve"),
            (":::", ":"),
            ("", ""),
            ("<", "<"),
        ] {
            assert_eq!(short_name(name), short);
        }
    }
}
