//! Recognises the file names of compilers that can instrument.

/// Compiler names without target prefix and version suffix.
const BASES: [&str; 6] = ["cc", "gcc", "g++", "c++", "clang", "clang++"];

/// Parts of targets whose programs do not run on this machine, or have no file system for their counters.
const FOREIGN: [&str; 4] = ["-none", "-elf", "mingw", "avr"];

/// Returns true if a file of this name is a C or C++ compiler, such as `gcc`, `g++-12` or `x86_64-linux-gnu-gcc-12`.
/// False for `gcc-ar`, `clang-format` and `arm-none-eabi-gcc`.
pub(crate) fn is_compiler(name: &str) -> bool {
    let is_version = |v: &str| {
        v.starts_with(|c: char| c.is_ascii_digit()) && v.chars().all(|c| c.is_ascii_digit() || c == '.')
    };
    let stem = match name.rsplit_once('-') {
        Some((stem, version)) if is_version(version) => stem,
        _ => name,
    };
    BASES.iter().any(|base| match stem.strip_suffix(base) {
        Some("") => true,
        Some(prefix) => prefix.ends_with('-') && !FOREIGN.iter().any(|f| prefix.contains(f)),
        None => false,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn compilers_are_told_from_their_tools() {
        for name in ["cc", "gcc", "g++", "c++", "clang", "clang++", "gcc-12", "clang++-16", "gcc-4.9"] {
            assert!(is_compiler(name), "{name}");
        }
        assert!(is_compiler("x86_64-linux-gnu-g++-12"));
        assert!(is_compiler("c99-gcc"));
        for name in [
            "gcc-ar",
            "gcc-ar-12",
            "clang-format",
            "clang-16-tidy",
            "cpp",
            "ccache",
            "arm-none-eabi-gcc",
            "ld",
            "",
        ] {
            assert!(!is_compiler(name), "{name}");
        }
        assert!(!is_compiler("trend-prof"));
    }
}
