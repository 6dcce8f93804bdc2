//! What a compiler call does, and which flags it needs so that its objects count.
//!
//! The flags go in front of the caller's own: behind them they would be read as inputs after `--`
//! and in the language of an unfinished `-x`.

use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::Path;

use crate::Update;

/// Options whose value is the next word. Every other option stands alone or has its value attached.
const WITH_VALUE: &[&str] = &[
    "-o",
    "-x",
    "-I",
    "-L",
    "-l",
    "-D",
    "-U",
    "-A",
    "-T",
    "-u",
    "-z",
    "-e",
    "-G",
    "-B",
    "-F",
    "-h",
    "-include",
    "-imacros",
    "-isystem",
    "-iquote",
    "-idirafter",
    "-iprefix",
    "-iwithprefix",
    "-iwithprefixbefore",
    "-isysroot",
    "--sysroot",
    "-imultilib",
    "-include-pch",
    "-MF",
    "-MT",
    "-MQ",
    "-MJ",
    "-Xlinker",
    "-Xassembler",
    "-Xpreprocessor",
    "-Xclang",
    "-mllvm",
    "-arch",
    "-target",
    "--param",
    "-aux-info",
    "-wrapper",
    "-framework",
    "-dumpbase",
    "-dumpdir",
    "-dumpbase-ext",
    "-rpath",
    "-soname",
    "-gcc-toolchain",
    "-working-directory",
    "-install_name",
];

/// Options with which nothing is compiled to code.
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

/// Options that leave out what the counters need to be written.
const NO_LIBRARY: &[&str] = &["-nostdlib", "-nodefaultlibs", "-nostartfiles", "-nolibc"];

/// Names of sources that build systems compile to learn about the compiler. They must behave as if
/// nothing had been added, and leave no files behind.
const PROBES: &[&str] = &["conftest.", "CMakeCCompilerId.", "CMakeCXXCompilerId.", "sanitycheckc"];

/// Why such a source is left alone.
pub(crate) const PROBE: &str = "it is a test of the build system";

/// Why calls are left alone that ask a compiler something, as configurations do besides compiling their tests.
pub(crate) const QUESTIONS: [&str; 3] = [NO_PRODUCT, NO_INPUT, THROWN_AWAY];
const NO_PRODUCT: &str = "it produces no code";
const NO_INPUT: &str = "it has no inputs";
const THROWN_AWAY: &str = "its output is thrown away";

/// Folders in which build systems compile such sources.
const PROBE_FOLDERS: &[&str] = &["/CMakeFiles/CMakeTmp", "/CMakeFiles/CMakeScratch", "/meson-private"];

/// A response file beyond this is read by the compiler alone.
const LONGEST_RESPONSE: u64 = 4 << 20;

/// Response files can name each other.
const DEEPEST_RESPONSE: u32 = 8;

/// The flags of LLVM's source-based coverage; a link needs only the first.
pub(super) const LLVM_FLAGS: [&str; 2] = ["-fprofile-instr-generate", "-fcoverage-mapping"];

/// What is to be done with a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Decision {
    /// Add the flags.
    Instrument(Work),
    /// Leave it alone, for this reason.
    PassThrough(&'static str),
}

/// What an instrumented call does.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Work {
    /// How many sources it compiles.
    pub(crate) compilations: usize,
    /// Whether it links.
    pub(crate) links: bool,
    /// Base names that several of its sources share: so they share their notes, and data is lost.
    pub(crate) clashes: Vec<String>,
}

impl Work {
    /// The flags that go in front of the others.
    pub(crate) fn flags(&self, update: Update) -> Vec<&'static str> {
        // A link alone has no use for the mode, and clang -Werror complains of it.
        match (self.compilations, update) {
            (0, _) => vec!["--coverage"],
            (_, Update::Atomic) => vec!["--coverage", "-fprofile-update=atomic"],
            (_, Update::Single) => vec!["--coverage", "-fprofile-update=single"],
        }
    }

    /// The same for clang's source-based coverage.
    pub(crate) fn llvm_flags(&self, update: Update) -> Vec<&'static str> {
        let [generate, mapping] = LLVM_FLAGS;
        match (self.compilations, update) {
            (0, _) => vec![generate],
            (_, Update::Atomic) => vec![generate, mapping, "-fprofile-update=atomic"],
            (_, Update::Single) => vec![generate, mapping, "-fprofile-update=single"],
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Input {
    Source,
    Assembler,
    Header,
    Object,
}

/// Decides about the arguments of one call, made in the folder `cwd`.
pub(crate) fn decide(arguments: &[OsString], cwd: &Path) -> Decision {
    let mut words = Vec::new();
    expand(arguments, cwd, DEEPEST_RESPONSE, &mut words);
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
        return Decision::PassThrough("it is freestanding and has no file to write counters to");
    }
    // libtool links C++ libraries with -nostdlib and names the libraries itself.
    if has(NO_LIBRARY) && !has(&["-shared", "-lc"]) {
        return Decision::PassThrough("it leaves out the standard library");
    }
    let kinds: Vec<Input> = call.inputs.iter().map(|(kind, _)| *kind).collect();
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

/// The arguments with response files in place of their names, lossily decoded.
fn expand(arguments: &[OsString], cwd: &Path, depth: u32, words: &mut Vec<String>) {
    for argument in arguments {
        let response = argument.as_bytes().strip_prefix(b"@").filter(|_| depth > 0);
        let response = response.and_then(|name| {
            let path = cwd.join(OsStr::from_bytes(name));
            let is_readable =
                std::fs::metadata(&path).is_ok_and(|m| m.is_file() && m.len() <= LONGEST_RESPONSE);
            if is_readable { std::fs::read(path).ok() } else { None }
        });
        match response {
            Some(bytes) => expand(&split_response(&bytes), cwd, depth - 1, words),
            None => words.push(argument.to_string_lossy().into_owned()),
        }
    }
}

/// Words of a response file: separated by blanks, with quotes and backslashes, as GCC reads them.
fn split_response(bytes: &[u8]) -> Vec<OsString> {
    let mut words = Vec::new();
    let mut word: Option<Vec<u8>> = None;
    let mut quote = None;
    let mut bytes = bytes.iter().copied();
    while let Some(byte) = bytes.next() {
        match (quote, byte) {
            (_, b'\\') => word.get_or_insert_default().extend(bytes.next()),
            (Some(open), _) if open == byte => quote = None,
            (None, b'\'' | b'"') => {
                quote = Some(byte);
                word.get_or_insert_default();
            }
            (None, b) if b.is_ascii_whitespace() => words.extend(word.take().map(OsString::from_vec)),
            (_, b) => word.get_or_insert_default().push(b),
        }
    }
    words.extend(word.map(OsString::from_vec));
    words
}

/// The inputs and the output of a call.
struct Call {
    inputs: Vec<(Input, String)>,
    output: Option<String>,
}

impl Call {
    fn read(words: &[String]) -> Self {
        let mut call = Self { inputs: Vec::new(), output: None };
        let mut language: Option<String> = None;
        let mut words = words.iter();
        let mut only_inputs = false;
        while let Some(word) = words.next() {
            if only_inputs || word == "-" || !word.starts_with('-') {
                call.inputs.push((kind(word, language.as_deref()), word.clone()));
            } else if word == "--" {
                only_inputs = true;
            } else if word == "-x" || word.starts_with("-x") {
                let named = if word == "-x" { words.next().cloned() } else { Some(word[2..].to_owned()) };
                language = named.filter(|l| l != "none");
            } else if word == "-o" {
                call.output = words.next().cloned();
            } else if let Some(output) = word.strip_prefix("-o").filter(|o| o.starts_with(['/', '.'])) {
                call.output = Some(output.to_owned());
            } else if WITH_VALUE.contains(&word.as_str()) {
                words.next();
            }
        }
        call
    }

    fn is_probe(&self, cwd: &Path) -> bool {
        let in_folder = |path: &str| PROBE_FOLDERS.iter().any(|f| path.contains(f));
        in_folder(&cwd.to_string_lossy())
            || self.inputs.iter().any(|(_, path)| {
                let name = path.rsplit('/').next().unwrap_or(path);
                in_folder(path) || PROBES.iter().any(|probe| name.starts_with(probe))
            })
    }

    fn clashes(&self) -> Vec<String> {
        let stem = |path: &str| {
            let name = path.rsplit('/').next().unwrap_or(path);
            name.rsplit_once('.').map_or(name, |(stem, _)| stem).to_owned()
        };
        let sources = self.inputs.iter().filter(|(kind, _)| *kind == Input::Source);
        let mut seen = BTreeSet::new();
        let twice: BTreeSet<String> =
            sources.map(|(_, path)| stem(path)).filter(|s| !seen.insert(s.clone())).collect();
        twice.into_iter().collect()
    }
}

fn kind(path: &str, language: Option<&str>) -> Input {
    match language {
        Some("assembler" | "assembler-with-cpp") => return Input::Assembler,
        Some(language) if language.ends_with("-header") => return Input::Header,
        Some(_) => return Input::Source,
        None => {}
    }
    let name = path.rsplit('/').next().unwrap_or(path);
    match name.rsplit_once('.').map_or("", |(_, extension)| extension) {
        "c" | "i" | "C" | "cc" | "cp" | "cxx" | "cpp" | "CPP" | "c++" | "ii" | "cppm" | "ixx" | "m"
        | "mm" | "M" | "mi" | "mii" => Input::Source,
        "s" | "S" | "sx" | "asm" => Input::Assembler,
        "h" | "H" | "hh" | "hp" | "hpp" | "HPP" | "hxx" | "h++" | "tcc" => Input::Header,
        _ => Input::Object,
    }
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
        assert_eq!(flags("-O2 -c a.c -o a.o"), "--coverage -fprofile-update=atomic");
        assert_eq!(flags("-O2 a.c -lm -o a"), "--coverage -fprofile-update=atomic");
        assert_eq!(flags("a.o b.o libc.a -o a"), "--coverage");
        assert_eq!(flags("-shared -fPIC a.o -o liba.so"), "--coverage");
        assert_eq!(flags("-S a.c"), "--coverage -fprofile-update=atomic");
        assert_eq!(flags("start.S main.o -o a"), "--coverage");
        assert_eq!(work("-c a.c").flags(Update::Single), ["--coverage", "-fprofile-update=single"]);
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
        // As libtool links C++.
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
