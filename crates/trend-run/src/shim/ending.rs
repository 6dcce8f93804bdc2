//! Provides the object file that is linked into programs and shared libraries, so that their counters are written
//! however they end.
//!
//! The compilers' runtimes write counters only at `exit`. The object, written in C in `ending/`, also writes them at
//! `_exit`, `quick_exit`, `abort`, fatal signals and `exec`, and for children after `fork`. It does nothing unless the
//! environment names a log ([`COUNTS`]), which only a run does. The linker redirects the calls that end a program to it
//! (`--wrap`). Its references to a runtime are weak, and `-u` links in the symbols that it needs.
//!
//! If the object is not available, the program is linked without it, and the build says so.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::io::{self, Write};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use object::read::elf::ElfFile64;
use object::{Object, ObjectSymbol, SymbolKind};

use super::names::is_compiler;
use super::search::{Search, canonical};
use super::variables::INSIDE;
use crate::program::digest::Digest;

/// The variable that names the log into which a process writes its counters.
pub(crate) const COUNTS: &str = "TREND_PROF_COUNTS";

/// The object's source files, in the order in which they form one translation unit.
const SOURCE: &str = concat!(
    include_str!("ending/limit.c"),
    include_str!("ending/log.c"),
    include_str!("ending/counters.c"),
    include_str!("ending/process.c"),
    include_str!("ending/signals.c"),
    include_str!("ending/calls.c"),
);

/// Compiler options, in addition to the flags that select the machine.
const COMPILE: [&str; 10] = [
    "-x",
    "c",
    "-O2",
    "-fPIC",
    "-w",
    "-fvisibility=hidden",
    "-fno-lto",
    "-U_FORTIFY_SOURCE",
    "-fno-stack-protector",
    "-c",
];

/// Calls of the C library that are redirected to the object.
const LIBRARY_CALLS: [&str; 15] = [
    "_exit",
    "_Exit",
    "quick_exit",
    "daemon",
    "sigaction",
    "signal",
    "__sysv_signal",
    "execve",
    "execv",
    "execvp",
    "execvpe",
    "fexecve",
    "execl",
    "execlp",
    "execle",
];

/// The runtime that holds a program's counters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Runtime {
    /// gcc's libgcov.
    Gcc,
    /// clang's own runtime for gcov.
    ClangGcov,
    /// LLVM's profile runtime.
    Llvm,
}

impl Runtime {
    /// Returns the runtime's functions whose calls are redirected to the object.
    fn calls(self) -> &'static [&'static str] {
        match self {
            Self::Gcc => &[
                "__gcov_execve",
                "__gcov_execv",
                "__gcov_execvp",
                "__gcov_execl",
                "__gcov_execlp",
                "__gcov_execle",
            ],
            Self::ClangGcov => &[
                "llvm_gcov_init",
                "llvm_gcda_start_file",
                "llvm_gcda_emit_function",
                "llvm_gcda_emit_arcs",
                "llvm_gcda_summary_info",
                "llvm_gcda_end_file",
                "llvm_writeout_files",
                "llvm_reset_counters",
                "__gcov_dump",
            ],
            Self::Llvm => &["__llvm_profile_initialize", "__llvm_profile_write_file", "__llvm_profile_dump"],
        }
    }

    /// Returns a symbol for each member of the runtime's library that the object needs and that no other reference
    /// links in. Redirected calls and weak references link nothing in. The symbols are hidden ones, because the program
    /// would take an exported symbol from a library.
    fn needed(self) -> &'static [&'static str] {
        match self {
            Self::Gcc => &[],
            Self::ClangGcov => &["llvm_gcov_init"],
            Self::Llvm => &["__llvm_profile_write_buffer", "__llvm_profile_set_filename"],
        }
    }
}

/// Returns the arguments with which a C compiler links the object in.
fn link_arguments(object: &Path, runtime: Runtime) -> Vec<OsString> {
    let mut linker = String::from("-Wl");
    for call in LIBRARY_CALLS.iter().chain(runtime.calls()) {
        linker += ",--wrap=";
        linker += call;
    }
    // A statically linked program contains only the parts of the C library that something refers to.
    for symbol in runtime.needed().iter().chain(&["__register_atfork", "__cxa_at_quick_exit"]) {
        linker += ",-u,";
        linker += symbol;
    }
    // The object is not passed as a compiler input, because the compiler names its other outputs after its inputs.
    vec!["-Xlinker".into(), object.into(), linker.into()]
}

/// Returns the arguments for linking the object with a C compiler. The error is the reason for linking without it.
pub(super) fn of_c(
    compiler: &Path,
    words: &[String],
    runtime: Runtime,
    search: &Search,
    shims: &Path,
) -> Result<Vec<OsString>, String> {
    let object = compiled(compiler, &machine_flags(words), search, shims)?;
    Ok(link_arguments(&object, runtime))
}

/// Returns the arguments for linking the object with rustc. `words` are rustc's arguments.
pub(super) fn of_rustc(words: &[OsString], search: &Search, shims: &Path) -> Result<Vec<OsString>, String> {
    let target = super::unlock::value(words, "--target").unwrap_or_default();
    let target = target.to_string_lossy();
    let is_ours = target.starts_with(std::env::consts::ARCH) && target.ends_with("-linux-gnu");
    if !is_ours {
        return Err(format!("no C compiler is known for {target}"));
    }
    if let Some(linker) = codegen_option(words, "linker-flavor").filter(|flavor| flavor != "gcc") {
        return Err(format!("the linker is called as {linker}, not as a C compiler"));
    }
    if let Some(linker) = codegen_option(words, "linker") {
        let name = Path::new(&linker).file_name().unwrap_or_default().to_string_lossy().into_owned();
        if !is_compiler(&name) {
            return Err(format!("its linker {linker} is not a C compiler"));
        }
    }
    let compiler = ["cc", "gcc", "clang"].iter().find_map(|name| search.find(name));
    let compiler = compiler.ok_or("no C compiler on PATH")?;
    let object = compiled(&compiler, &[], search, shims)?;
    let arguments = link_arguments(&object, Runtime::Llvm);
    Ok(arguments.into_iter().flat_map(|a| ["-C".into(), joined("link-arg=", &a)]).collect())
}

fn joined(before: &str, word: &OsStr) -> OsString {
    let mut joined = OsString::from(before);
    joined.push(word);
    joined
}

/// Returns the value of the last `-C name=value` in a call of rustc.
fn codegen_option(words: &[OsString], name: &str) -> Option<String> {
    let words: Vec<_> = words.iter().map(|w| w.to_string_lossy()).collect();
    let separate = words.windows(2).filter(|w| w[0] == "-C" || w[0] == "--codegen").map(|w| w[1].as_ref());
    let attached = words.iter().filter_map(|w| w.strip_prefix("-C"));
    separate
        .chain(attached)
        .filter_map(|w| w.strip_prefix(name)?.strip_prefix('='))
        .next_back()
        .map(str::to_owned)
}

/// Returns the flags that select the machine for which a compiler compiles.
fn machine_flags(words: &[String]) -> Vec<String> {
    let mut flags = Vec::new();
    let mut words = words.iter();
    while let Some(word) = words.next() {
        let with_value = ["-target", "--sysroot", "-isysroot", "-gcc-toolchain", "-B"];
        if with_value.contains(&word.as_str()) {
            flags.push(word.clone());
            flags.extend(words.next().cloned());
        } else if word == "-mllvm" {
            words.next();
        } else if ["-m", "--target=", "--sysroot=", "--gcc-toolchain=", "-B"]
            .iter()
            .any(|f| word.starts_with(f))
        {
            flags.push(word.clone());
        }
    }
    flags
}

/// Returns the object, compiled once for each compiler and set of flags.
fn compiled(compiler: &Path, flags: &[String], search: &Search, shims: &Path) -> Result<PathBuf, String> {
    let failed = |what: &str| format!("{} cannot compile what writes them: {what}", compiler.display());
    let failed_io = |e: io::Error| failed(&e.to_string());
    let real = canonical(compiler);
    let identity = fs::metadata(&real).map_err(failed_io)?;
    let mut digest = Digest::new();
    digest.field(&real).field(identity.len().to_string()).field(identity.mtime().to_string()).field(SOURCE);
    for flag in COMPILE.iter().copied().chain(flags.iter().map(String::as_str)) {
        digest.field(flag);
    }
    let folder = shims.join("objects");
    let object = folder.join(format!("{}.o", &digest.finish()[..16]));
    if object.is_file() {
        return Ok(object);
    }
    fs::create_dir_all(&folder).map_err(failed_io)?;
    let unfinished = tempfile::Builder::new().suffix(".o").tempfile_in(&folder).map_err(failed_io)?;
    let mut command = Command::new(compiler);
    command.args(flags).args(COMPILE).arg("-o").arg(unfinished.path()).arg("-");
    command.env("PATH", search.path()).env(INSIDE, "1");
    command.env_remove("DEPENDENCIES_OUTPUT").env_remove("SUNPRO_DEPENDENCIES");
    command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::piped());
    let mut child = command.spawn().map_err(failed_io)?;
    if let Some(mut stdin) = child.stdin.take() {
        // If the compiler does not read its input, its error output says why.
        let _ = stdin.write_all(SOURCE.as_bytes());
    }
    let output = child.wait_with_output().map_err(failed_io)?;
    if !output.status.success() {
        let text = String::from_utf8_lossy(&output.stderr);
        let line = text.lines().find(|l| l.contains("error")).or_else(|| text.lines().next());
        return Err(failed(line.unwrap_or("it failed").trim()));
    }
    unfinished.persist(&object).map_err(|e| failed(&e.to_string()))?;
    Ok(object)
}

/// Returns a function of the program's own that has the name of a redirected call. Its parameters are unknown, so the
/// object must not intercept its calls. Returns `None` if the C library is linked statically, because its functions
/// look the same.
pub(super) fn own_call(program: &Path) -> Option<&'static str> {
    let bytes = fs::read(program).ok()?;
    let file = ElfFile64::<object::Endianness>::parse(bytes.as_slice()).ok()?;
    let uses_library = file.elf_dynamic_table().ok()?.iter().any(|d| d.tag == object::elf::DT_NEEDED);
    if !uses_library {
        return None;
    }
    let is_function =
        |s: &object::read::elf::ElfSymbol64<'_, '_>| s.is_definition() && s.kind() == SymbolKind::Text;
    let mut functions = file.symbols().filter(|s| is_function(s) && s.is_global());
    functions.find_map(|s| LIBRARY_CALLS.iter().find(|call| s.name() == Ok(call)).copied())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flags_of_the_machine_are_taken_and_others_are_not() {
        let words = |line: &str| line.split(' ').map(str::to_owned).collect::<Vec<_>>();
        let flags =
            machine_flags(&words("-O2 -m32 -mllvm -x -target i386 --sysroot=/s -B tools a.c -o -Wl,-m"));
        assert_eq!(flags, ["-m32", "-target", "i386", "--sysroot=/s", "-B", "tools"]);
    }

    #[test]
    fn rustc_links_with_it_only_where_it_calls_a_c_compiler_for_this_machine() {
        let folder = tempfile::tempdir().unwrap();
        let search = Search::new(std::env::var_os("PATH").as_deref(), &[]);
        let link = |line: &str| {
            let words: Vec<OsString> = line.split(' ').map(OsString::from).collect();
            of_rustc(&words, &search, folder.path())
        };
        let target = format!("--target {}-unknown-linux-gnu", std::env::consts::ARCH);
        let arguments = link(&target).unwrap();
        assert_eq!(arguments[..2], ["-C", "link-arg=-Xlinker"]);
        assert!(link(&format!("{target} -C linker=/usr/bin/clang-16")).is_ok());
        for other in ["-C linker=rust-lld", "-Clinker-flavor=ld.lld", "-C linker=a -Clinker=wild"] {
            let refused = link(&format!("{target} {other}")).unwrap_err();
            assert!(refused.contains(" C compiler"), "{other}: {refused}");
        }
        assert_eq!(
            link("--target sparc64-unknown-linux-gnu").unwrap_err(),
            "no C compiler is known for sparc64-unknown-linux-gnu"
        );
        // The object is compiled only once.
        assert_eq!(fs::read_dir(folder.path().join("objects")).unwrap().count(), 1);
    }

    #[test]
    fn a_compiler_that_cannot_compile_it_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let search = Search::new(std::env::var_os("PATH").as_deref(), &[]);
        let words = ["--sysroot=/no/where".to_owned(), "-mno-such-thing".to_owned()];
        let why =
            of_c(&search.find("cc").unwrap(), &words, Runtime::Gcc, &search, folder.path()).unwrap_err();
        assert!(why.contains("cannot compile"), "{why}");
        assert_eq!(fs::read_dir(folder.path().join("objects")).unwrap().count(), 0);
    }
}
