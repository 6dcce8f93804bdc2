//! Reports functions that an instrumented program called, but that are not instrumented themselves.

use std::collections::BTreeMap;

use trend_profile::{Warning, WarningKind};

use crate::names::symbol;

/// Returns a warning about functions whose reads and costs are missing. `externals` holds their calls by linkage name
/// and library.
pub fn not_probed(externals: &BTreeMap<(String, String), u64>) -> Option<Warning> {
    const MOST: usize = 12;
    let calls = |calls: u64| format!("{calls} call{}", if calls == 1 { "" } else { "s" });
    let mut all: Vec<_> =
        externals.iter().map(|((name, library), n)| (symbol(name).name, library, *n)).collect();
    all.sort_by_key(|(_, _, calls)| std::cmp::Reverse(*calls));
    let (of_rust, others): (Vec<_>, Vec<_>) = all.into_iter().partition(|(name, _, _)| is_of_rust(name));
    let list = |some: &[(String, &String, u64)], one: &dyn Fn(&(String, &String, u64)) -> String| {
        let mut text: Vec<String> = some.iter().take(MOST).map(one).collect();
        if some.len() > MOST {
            text.push(format!("and {} more", some.len() - MOST));
        }
        text.join("; ")
    };
    let mut sentences = Vec::new();
    if !others.is_empty() {
        let one = |(name, library, n): &(String, &String, u64)| {
            let library = library.rsplit('/').next().unwrap_or_default();
            format!("{library}: {}, {}", without_arguments(name), calls(*n))
        };
        sentences.push(format!(
            "not probed, so their reads and costs are missing: {}; build their library with the probe too",
            list(&others, &one)
        ));
    }
    if !of_rust.is_empty() {
        let one = |(name, _, n): &(String, &String, u64)| format!("{name}, {}", calls(*n));
        sentences.push(format!(
            "of Rust's standard library only generic functions are probed; reads and costs of others are \
             missing: {}",
            list(&of_rust, &one)
        ));
    }
    (!sentences.is_empty()).then(|| Warning::new(WarningKind::NotProbed, sentences.join("; ")))
}

/// Strips arguments: `std::vector<int>::at(unsigned long)` → `std::vector<…>::at`. Names of operators and of Rust stay
/// as they are.
fn without_arguments(name: &str) -> String {
    if name.contains("operator") || name.starts_with('<') || name.contains("::<") {
        return name.to_owned();
    }
    let mut short = String::new();
    let mut depth = 0;
    for c in name.chars() {
        match c {
            '(' if depth == 0 => break,
            '<' => {
                depth += 1;
                if depth == 1 {
                    short.push_str("<…");
                }
            }
            '>' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            short.push(c);
        }
    }
    short
}

/// Returns true if a demangled name belongs to Rust's standard library: `core::fmt::write`,
/// `<alloc::string::String>::push`, `<str as core::fmt::Display>::fmt`.
fn is_of_rust(name: &str) -> bool {
    let is_path = |name: &str| ["core::", "alloc::", "std::"].iter().any(|of| name.starts_with(of));
    let inner = name.trim_start_matches(['<', '&', '[', '(']);
    // Primitive types have no crate. C++ has a `std` as well, but no turbofish.
    let is_of_language =
        || inner.split_once(" as ").is_some_and(|(ty, of)| !ty.contains("::") && is_path(of));
    let is_of_cpp = !name.starts_with('<') && !name.contains("::<") && name.contains(['(', '<']);
    !is_of_cpp && (is_path(inner) || is_of_language())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_standard_library_of_rust_is_told_from_what_can_be_probed() {
        for name in [
            "core::fmt::write",
            "<alloc::string::String>::push",
            "<str as core::fmt::Display>::fmt",
            "core::f::<()>",
        ] {
            assert!(is_of_rust(name), "{name}");
        }
        let others = [
            "grid::inversions",
            "std::sort(int*, int*)",
            "std::move<int>",
            "strfry",
            "<a::B as core::fmt::Debug>::fmt",
        ];
        for name in others {
            assert!(!is_of_rust(name), "{name}");
        }
    }

    #[test]
    fn names_are_told_without_their_arguments() {
        let find = "std::basic_string<char, std::allocator<char> >::find(char, unsigned long) const";
        assert_eq!(without_arguments(find), "std::basic_string<…>::find");
        for name in ["deflate", "a::operator<(int)", "core::f::<()>", "<a::B as c::D>::e"] {
            assert_eq!(without_arguments(name), name);
        }
    }

    #[test]
    fn what_is_not_probed_is_listed_by_calls() {
        let calls = |name: &str, n| ((name.to_owned(), "/lib/libx.so".to_owned()), n);
        let externals = [calls("f", 1), calls("g", 7), calls("_RNvNtCsgEmfK2I1SDS_4core3fmt5write", 3)];
        let warning = not_probed(&externals.into_iter().collect()).expect("there are some");
        let [others, help, rust] = [
            "libx.so: g, 7 calls; libx.so: f, 1 call; build",
            "with the probe too; of Rust's standard library",
            "core::fmt::write, 3 calls",
        ];
        for part in [others, help, rust] {
            assert!(warning.message.contains(part), "{part}: {}", warning.message);
        }
        assert_eq!(not_probed(&BTreeMap::new()), None);
    }
}
