//! Demangles the names of functions.
//!
//! Names come from files that can be hostile, and a short mangled name can expand to a huge one. A name that would get
//! too long stays mangled.

use std::fmt::{self, Write};

use cpp_demangle::DemangleOptions;
use trend_profile::Symbol;

/// Maximum bytes of a demangled name; longer ones stay mangled. Names of deeply nested templates have a few thousand
/// characters.
const LONGEST_NAME: usize = 16 * 1024;

/// Maximum bytes of a mangled crate name: the hash that distinguishes versions, and a name as registries allow it.
const LONGEST_CRATE: usize = 96;

/// Suffixes that gcc and clang append to the name of a function with an outlined parallel region.
const OUTLINED: [&str; 2] = ["._omp_fn.", ".omp_outlined"];
/// Functions that run the initialisers of a file's variables.
const FILE_INITIALISERS: [&str; 2] = ["_GLOBAL__sub_I_", "_GLOBAL__I_"];
const INITIALISERS: [&str; 2] = ["static_initialization_and_destruction_0", "__cxx_global_var_init"];

/// Returns the two names of a function with this linkage name.
pub fn symbol(linkage: &str) -> Symbol {
    Symbol { name: readable(linkage), linkage: linkage.to_owned() }
}

/// Returns the names of a function in a coverage mapping. Types in generic arguments lose their paths.
pub(crate) fn symbol_of_mapping(name: &str) -> Symbol {
    Symbol { name: shortened(&readable(without_file(name))), linkage: name.to_owned() }
}

/// Returns the linker's name. In coverage mappings, clang puts the file before the name of a local function: `a.c:f` or
/// `a.c;f`.
pub(crate) fn without_file(name: &str) -> &str {
    name.rsplit_once([':', ';']).map_or(name, |(_, linkage)| linkage)
}

/// Returns true if a name is mangled by C++ or Rust.
pub(crate) fn is_mangled(name: &str) -> bool {
    name.starts_with("_Z") || name.starts_with("_R")
}

/// Returns the names of a routine of a probed program. Types in Rust's generic arguments lose their paths. The linkage
/// name loses the crate that compiled it, so a generic function compiled by several crates is one routine.
pub(crate) fn symbol_of_routine(linkage: &str) -> Symbol {
    if !linkage.starts_with("_R") {
        return symbol(linkage);
    }
    let Some(name) = demangled(linkage) else { return symbol(linkage) };
    Symbol { name: shortened(&name), linkage: without_compiling_crate(linkage, &name).to_owned() }
}

/// Strips the compiling crate: `_RINvCs1_1a1fmECs2_1b` → `_RINvCs1_1a1fmE`. The result is the longest prefix with an
/// equal demangled name.
fn without_compiling_crate<'a>(linkage: &'a str, name: &str) -> &'a str {
    // A crate's name begins with `C`. A repeated one is a reference that begins with `B`: `Cs96uaqE2tJuP_4demo`, `B3_`.
    let starts = linkage.bytes().enumerate().rev().take(LONGEST_CRATE);
    let starts = starts.filter(|(_, byte)| matches!(byte, b'C' | b'B')).map(|(at, _)| at);
    let mut fronts = starts.map(|at| &linkage[..at]);
    fronts.find(|front| demangled(front).is_some_and(|front_name| front_name == name)).unwrap_or(linkage)
}

/// Shortens generic arguments: `a::f::<b::c::T>` → `a::f::<T>`, `<b::T as c::U>::g` → `<T as U>::g`. A closure keeps
/// the name of its function.
fn shortened(name: &str) -> String {
    let mut short = String::with_capacity(name.len());
    let mut depth = 0_usize;
    // Start of the current path in `short`.
    let mut start = 0;
    let mut rest = name;
    while let Some(c) = rest.chars().next() {
        if depth > 0 && rest.starts_with("::") && !rest.starts_with("::{") && !rest.starts_with("::<") {
            short.truncate(start);
            rest = &rest[2..];
            continue;
        }
        let is_arrow = c == '>' && short.ends_with('-');
        match c {
            '<' => depth += 1,
            '>' if !is_arrow => depth = depth.saturating_sub(1),
            _ => {}
        }
        short.push(c);
        if !(c.is_alphanumeric() || matches!(c, '_' | ':' | '{' | '}' | '#' | '>')) {
            start = short.len();
        }
        rest = &rest[c.len_utf8()..];
    }
    short
}

fn readable(linkage: &str) -> String {
    let outlined = OUTLINED.iter().filter_map(|mark| linkage.find(mark)).min();
    let origin = match outlined {
        Some(end) if end > 0 => &linkage[..end],
        _ => linkage,
    };
    if let Some(of) = FILE_INITIALISERS.iter().find_map(|mark| origin.strip_prefix(mark)) {
        return format!("static initialisers ({})", demangled(of).unwrap_or_else(|| of.to_owned()));
    }
    if INITIALISERS.iter().any(|mark| origin.contains(mark)) {
        return "static initialisers".to_owned();
    }
    demangled(origin).unwrap_or_else(|| origin.to_owned())
}

fn demangled(name: &str) -> Option<String> {
    if name.len() > LONGEST_NAME {
        return None;
    }
    if let Ok(rust) = rustc_demangle::try_demangle(name) {
        let mut out = Bounded::default();
        return write!(out, "{rust:#}").is_ok().then_some(out.text);
    }
    if !name.strip_prefix("_Z").is_some_and(is_encoding) {
        return None;
    }
    // The name can be demangled even if the parameter types cannot: gcc 12 mangles some uses of `enable_if` in a way of
    // its own.
    let (symbol, _) = cpp_demangle::BorrowedSymbol::with_tail(name.as_bytes()).ok()?;
    let mut out = Bounded::default();
    let options = DemangleOptions::new().no_return_type();
    symbol.structured_demangle(&mut out, &options).ok()?;
    (!out.text.is_empty()).then_some(out.text)
}

/// Returns true if this can follow `_Z` in a mangled name. C names such as `_Zgetc` would be operators of types that
/// have no names, which C++ does not allow to overload. Only `new` and `delete` need no such type.
fn is_encoding(rest: &str) -> bool {
    const ALLOCATORS: [&str; 4] = ["nw", "na", "dl", "da"];
    rest.contains(|c: char| c.is_ascii_digit() || c == 'S')
        || ALLOCATORS.iter().any(|name| rest.starts_with(name))
}

/// A string with a maximum length.
#[derive(Default)]
struct Bounded {
    text: String,
}

impl Write for Bounded {
    fn write_str(&mut self, s: &str) -> fmt::Result {
        if self.text.len() + s.len() > LONGEST_NAME {
            return Err(fmt::Error);
        }
        self.text.push_str(s);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_c_that_look_mangled_stay() {
        let shown = |name: &str| demangled(name).unwrap_or_else(|| name.to_owned());
        assert_eq!(
            (shown("_Zgetc"), shown("_Z"), shown("_Zed")),
            ("_Zgetc".into(), "_Z".into(), "_Zed".into())
        );
        assert_eq!(
            (shown("_Znwm"), shown("_ZdlPv")),
            ("operator new(unsigned long)".into(), "operator delete(void*)".into())
        );
        assert_eq!(
            (shown("_ZgeRK1AS1_"), shown("_Z3addii")),
            ("operator>=(A const&, A const&)".into(), "add(int, int)".into())
        );
    }

    #[test]
    fn names_are_demangled_by_their_language() {
        let names = [
            ("main", "main"),
            ("_ZNK5shape4areaEv", "shape::area() const"),
            ("_Z3maxIiET_S0_S0_", "max<int>(int, int)"),
            ("_ZN5shapeC1Ei", "shape::shape(int)"),
            ("_ZN4core3fmt5write17h0123456789abcdefE", "core::fmt::write"),
            ("_RNvC6_123foo3bar", "123foo::bar"),
            ("_Znonsense", "_Znonsense"),
            (
                "_ZSt4swapIiENSt9enable_ifIXsrSt6__and_IJSt6__not_ISt15__is_tuple_likeIT_EESt21is_move_constructibleIS4_ESt18\
                 is_move_assignableIS4_EEE5valueEvE4typeERS4_SE_",
                "std::swap<int>",
            ),
        ];
        for (linkage, name) in names {
            assert_eq!(symbol(linkage), Symbol { name: name.to_owned(), linkage: linkage.to_owned() });
        }
    }

    #[test]
    fn names_of_generics_are_short_enough_to_read() {
        let names = [
            ("sort::quicksort::<alloc::string::String>", "sort::quicksort::<String>"),
            ("<s::T as core::clone::Clone>::clone", "<T as Clone>::clone"),
            (
                "s::f::<alloc::vec::Vec<core::option::Option<u8>>, s::g::{closure#0}>",
                "s::f::<Vec<Option<u8>>, g::{closure#0}>",
            ),
            ("s::main::{closure#0}", "s::main::{closure#0}"),
            ("std::vector<int>::push_back(int)", "std::vector<int>::push_back(int)"),
        ];
        for (long, short) in names {
            assert_eq!(shortened(long), short);
        }
        assert_eq!(symbol_of_mapping("dir/a.cc;_ZL3foov").name, "foo()");
        assert_eq!(symbol_of_mapping("a.c:helper").name, "helper");
    }

    #[test]
    fn a_generic_routine_is_one_whichever_crate_compiles_it() {
        let by = |compiler: &str| symbol_of_routine(&format!("_RINvCsbgkIR7uE0Pd_4grid7largestm{compiler}"));
        assert_eq!(by("ECs96uaqE2tJuP_4demo").name, "grid::largest::<u32>");
        assert_eq!(by("ECs96uaqE2tJuP_4demo"), by("ECs8_7a_CBC_B"));
        assert_eq!(by("ECs8_1b").linkage, "_RINvCsbgkIR7uE0Pd_4grid7largestmE");
        let grow = "_RNvMs3_NtCslNYArtu3iFV_5alloc7raw_vecINtB5_6RawVecmE8grow_one";
        for compiler in ["", "B9_", "Cs96uaqE2tJuP_4demo"] {
            let linkage = grow.to_owned();
            let expected = Symbol { name: "<alloc::raw_vec::RawVec<u32>>::grow_one".to_owned(), linkage };
            let symbol = symbol_of_routine(&format!("{grow}{compiler}"));
            assert_eq!((symbol.linkage, symbol.name.contains("grow_one")), (expected.linkage, true));
        }
        let plain = "_RNvCsbgkIR7uE0Pd_4grid10inversions";
        assert_eq!(symbol_of_routine(plain).linkage, plain);
        assert_eq!(symbol_of_routine("_ZN4grid1fE"), symbol("_ZN4grid1fE"));
    }

    #[test]
    fn outlined_code_has_the_name_of_its_function() {
        assert_eq!(readable("main._omp_fn.0"), "main");
        assert_eq!(readable("_ZN5shape4areaEv._omp_fn.12"), "shape::area()");
        assert_eq!(readable("main.omp_outlined"), "main");
        assert_eq!(readable(".omp_outlined."), ".omp_outlined.");
    }

    #[test]
    fn static_initialisers_are_readable() {
        assert_eq!(readable("_GLOBAL__sub_I__ZN5shapeC2Ei"), "static initialisers (shape::shape(int))");
        assert_eq!(readable("_GLOBAL__sub_I_main"), "static initialisers (main)");
        assert_eq!(readable("_Z41__static_initialization_and_destruction_0ii"), "static initialisers");
        assert_eq!(readable("__cxx_global_var_init.3"), "static initialisers");
    }

    #[test]
    fn a_name_that_doubles_with_every_letter_stays_mangled() {
        // Each pair contains everything before it twice.
        let mut name = "_Z1fSt4pairI".to_owned();
        name.push_str(&"St4pairIiiES_IS1_S1_E".repeat(400));
        assert!(readable(&name).len() <= LONGEST_NAME);
    }
}
