//! Determines what a compiler call does, and which flags it needs for its objects to count.
//!
//! The flags go before the caller's own. After them, they would be read as inputs following `--`, or in the language of
//! an unfinished `-x`.

use std::ffi::OsString;
use std::path::Path;

use super::call::{Call, Input};
use super::response;
use crate::program::instrumentation::Update;

/// Options with which a call produces no code.
const NO_CODE: &[&str] = &[
    "-E",
    "-M",
    "-MM",
    "-fsyntax-only",
    "-###",
    "--version",
    "-dumpmachine",
    "-dumpversion",
    "-dumpfullversion",
    "-dumpspecs",
    "--help",
    "-cc1",
    "-cc1as",
    "--analyze",
    "--precompile",
    "-emit-ast",
];

/// Options that leave out libraries needed to write the counters.
const NO_LIBRARY: &[&str] = &["-nostdlib", "-nodefaultlibs", "-nostartfiles", "-nolibc"];

/// Reason for not instrumenting a source that a build system compiles to examine the compiler.
pub(crate) const PROBE: &str = "it is a test of the build system";

/// Reasons for not instrumenting calls that query the compiler. Configuration steps make such calls in addition to
/// compiling their tests.
pub(crate) const QUESTIONS: [&str; 3] = [NO_PRODUCT, NO_INPUT, THROWN_AWAY];
const NO_PRODUCT: &str = "it produces no code";
const NO_INPUT: &str = "it has no inputs";
const THROWN_AWAY: &str = "its output is thrown away";

/// Flags of LLVM's source-based coverage. A link needs only the first.
pub(super) const LLVM_FLAGS: [&str; 2] = ["-fprofile-instr-generate", "-fcoverage-mapping"];

/// Debug information, which gives `run --memory-by-line` its lines. A different choice by the caller comes later on the
/// command line and wins.
const DEBUG: &str = "-g";

/// The decision about a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Decision {
    /// Add the flags.
    Instrument(Work),
    /// Leave the call alone, for this reason.
    PassThrough(&'static str),
}

/// The work that an instrumented call does.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub(crate) struct Work {
    /// Number of sources that it compiles.
    pub(crate) compilations: usize,
    /// True if it links.
    pub(crate) links: bool,
    /// Base names that several of its sources have. These sources share their notes, and data is lost.
    pub(crate) clashes: Vec<String>,
}

impl Work {
    /// Returns the flags to put before the others.
    pub(crate) fn flags(&self, update: Update) -> Vec<&'static str> {
        // A pure link does not need the mode, and clang -Werror rejects it.
        match (self.compilations, update) {
            (0, _) => vec!["--coverage"],
            (_, Update::Atomic) => vec![DEBUG, "--coverage", "-fprofile-update=atomic"],
            (_, Update::Single) => vec![DEBUG, "--coverage", "-fprofile-update=single"],
        }
    }

    /// Returns the flags for clang's source-based coverage.
    pub(crate) fn llvm_flags(&self, update: Update) -> Vec<&'static str> {
        let [generate, mapping] = LLVM_FLAGS;
        match (self.compilations, update) {
            (0, _) => vec![generate],
            (_, Update::Atomic) => vec![DEBUG, generate, mapping, "-fprofile-update=atomic"],
            (_, Update::Single) => vec![DEBUG, generate, mapping, "-fprofile-update=single"],
        }
    }
}

/// Decides about a call with these arguments in the folder `cwd`.
pub(crate) fn decide(arguments: &[OsString], cwd: &Path) -> Decision {
    let words = response::expanded(arguments, cwd);
    let has = |names: &[&str]| words.iter().any(|w| names.iter().any(|n| w == n));
    if has(NO_CODE) || words.iter().any(|w| w.starts_with("-print-") || w.starts_with("--print-")) {
        return Decision::PassThrough(NO_PRODUCT);
    }
    let call = Call::read(&words);
    if call.inputs.is_empty() {
        return Decision::PassThrough(NO_INPUT);
    }
    if matches!(call.output.as_deref(), Some("-" | "/dev/null")) {
        return Decision::PassThrough(THROWN_AWAY);
    }
    if call.is_probe(cwd) {
        return Decision::PassThrough(PROBE);
    }
    if has(&["-ffreestanding"]) {
        return Decision::PassThrough("it is freestanding and cannot write counters");
    }
    // libtool links C++ libraries with -nostdlib and names the libraries itself.
    if has(NO_LIBRARY) && !has(&["-shared", "-lc"]) {
        return Decision::PassThrough("it leaves out the standard library");
    }
    let kinds: Vec<Input> = call.inputs.iter().map(|input| input.kind).collect();
    if kinds.contains(&Input::Header) {
        return Decision::PassThrough("it precompiles a header");
    }
    let compilations = kinds.iter().filter(|k| **k == Input::Source).count();
    let links = !has(&["-c", "-S"]);
    if links && (has(&["-r", "--relocatable", "-Wl,-r", "-Wl,--relocatable"])) {
        return Decision::PassThrough("it links objects into an object");
    }
    if compilations == 0 && !links {
        return Decision::PassThrough("it only assembles");
    }
    Decision::Instrument(Work { compilations, links, clashes: call.clashes() })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decided(line: &str) -> Decision {
        let words: Vec<OsString> =
            shell_words::split(line).unwrap().into_iter().map(OsString::from).collect();
        decide(&words, Path::new("/src"))
    }

    fn work(line: &str) -> Work {
        match decided(line) {
            Decision::Instrument(work) => work,
            Decision::PassThrough(reason) => panic!("{line}: passed through: {reason}"),
        }
    }

    fn flags(line: &str) -> String {
        work(line).flags(Update::Atomic).join(" ")
    }

    #[test]
    fn compiling_and_linking_get_the_flags_that_each_needs() {
        assert_eq!(flags("-O2 -c a.c -o a.o"), "-g --coverage -fprofile-update=atomic");
        assert_eq!(flags("-O2 a.c -lm -o a"), "-g --coverage -fprofile-update=atomic");
        assert_eq!(flags("a.o b.o libc.a -o a"), "--coverage");
        assert_eq!(flags("-shared -fPIC a.o -o liba.so"), "--coverage");
        assert_eq!(flags("-S a.c"), "-g --coverage -fprofile-update=atomic");
        assert_eq!(flags("start.S main.o -o a"), "--coverage");
        assert_eq!(work("-c a.c").flags(Update::Single), ["-g", "--coverage", "-fprofile-update=single"]);
    }

    #[test]
    fn what_a_call_does_is_counted() {
        assert_eq!(work("a.c b.cc c.o"), Work { compilations: 2, links: true, clashes: vec![] });
        assert_eq!(work("-c -MD -MF a.c.d a.c"), Work { compilations: 1, links: false, clashes: vec![] });
        assert_eq!(work("-x c - -o a").compilations, 1);
        assert_eq!(work("-xc++ a.txt -x none b.o -o a").compilations, 1);
        assert_eq!(work("-o a -- a.c -b.c").compilations, 2);
        assert_eq!(work("-include config.h -I inc a.c -c").compilations, 1);
    }

    #[test]
    fn calls_that_make_no_code_are_left_alone() {
        for line in [
            "-E a.c",
            "-M a.c",
            "-MM a.c",
            "-fsyntax-only a.c",
            "--version",
            "-v",
            "-dumpmachine",
            "-print-search-dirs",
            "--print-file-name=libc.so",
            "-### a.c",
            "",
            "-O2",
            "-x c-header all.h -o all.h.gch",
            "all.hpp",
            "-c start.s",
            "-c -x assembler start.txt",
            "-Werror -Wfoo -S -o /dev/null -x c /dev/null",
            "-c a.c -o -",
        ] {
            assert!(matches!(decided(line), Decision::PassThrough(_)), "{line}");
        }
    }

    #[test]
    fn calls_without_a_library_to_write_counters_are_left_alone() {
        for line in
            ["-nostdlib a.c -o a", "-ffreestanding -c a.c", "-nostartfiles a.o -o a", "-r a.o b.o -o c.o"]
        {
            assert!(matches!(decided(line), Decision::PassThrough(_)), "{line}");
        }
        // libtool links C++ like this.
        assert!(work("-shared -nostdlib crti.o a.o -lstdc++ -lc -o liba.so").links);
    }

    #[test]
    fn tests_of_build_systems_are_left_alone() {
        for line in ["-o conftest conftest.c", "-c conftest.cpp", "CMakeCCompilerId.c", "sanitycheckc.c -o x"]
        {
            assert!(matches!(decided(line), Decision::PassThrough(_)), "{line}");
        }
        let arguments = ["testCCompiler.c".into()];
        let cwd = Path::new("/b/CMakeFiles/CMakeScratch/TryCompile-x1");
        assert!(matches!(decide(&arguments, cwd), Decision::PassThrough(_)));
        assert_eq!(work("-c src/conftestlike.c").compilations, 1);
    }

    #[test]
    fn two_sources_of_one_base_name_are_noticed() {
        assert_eq!(work("a/x.c b/x.c c/y.c -o prog").clashes, ["x"]);
        assert_eq!(work("a/x.c b/x.o -o prog").clashes, [""; 0]);
    }

    #[test]
    fn response_files_are_looked_into() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("args"), "-O2 'a b.c'\n\"x\\\"y.c\" -c @more").unwrap();
        std::fs::write(folder.path().join("more"), "third.c @args").unwrap();
        match decide(&["@args".into()], folder.path()) {
            Decision::Instrument(work) => assert!(!work.links && work.compilations >= 3),
            other @ Decision::PassThrough(_) => panic!("{other:?}"),
        }
        assert_eq!(
            decide(&["@none".into(), "-c".into()], folder.path()),
            Decision::PassThrough("it only assembles")
        );
    }
}
