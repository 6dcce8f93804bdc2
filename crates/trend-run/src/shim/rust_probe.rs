//! Compiles crates with the probe: rustc leaves bitcode, and trend-probe turns it into objects.
//!
//! ```text
//!   rustc --crate-type lib ─▶ libx.rlib with bitcode ─▶ trend-probe ─▶ libx.rlib with objects
//!   rustc --crate-type bin ─▶ linker: x.rcgu.o ─▶ trend-probe ─▶ the real linker: … libtrend_runtime.a
//! ```
//!
//! A library is converted as soon as rustc has written it, so that cargo caches the converted file. A program's own
//! objects exist only while it is linked, so this module stands in for the linker as well. The standard library stays
//! as it is, except for generics that are compiled with the crate that uses them.

use std::borrow::Cow;
use std::env;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

use super::archive::{self, Member};
use super::ending::{self, Runtime};
use super::link::exit_code;
use super::log::{self, Call};
use super::probe::{EXPORT, Tools, output};
use super::response;
use super::search::Search;
use super::unlock::{self, value};
use super::variables::LOG;

/// Name under which rustc calls this executable as its linker.
pub(crate) const LINKER: &str = "trend-prof-linker";

/// Variable with the linker that rustc would call otherwise.
const REAL_LINKER: &str = "TREND_PROF_LINKER";

/// rustc's default linker.
const USUAL_LINKER: &str = "cc";

/// Options that follow the other arguments. Costs are counted in unoptimized code, in one module per crate. Function
/// names include the types of generics.
const FLAGS: &[&str] = &[
    "linker-plugin-lto",
    "no-prepopulate-passes",
    "lto=off",
    "codegen-units=1",
    "debuginfo=line-tables-only",
    "split-debuginfo=off",
    "symbol-mangling-version=v0",
    "strip=none",
];

/// Without this level, rustc reuses generics that the standard library already compiled, and these have no probe.
const OPTIMIZED: &str = "opt-level=2";

/// Option that gives debug information on variables and types, whose names the report of loops uses.
const NAMED: &str = "debuginfo=full";

/// Option that counts blocks.
const COUNTED: &str = "instrument-coverage";

/// First bytes of bitcode, and of bitcode in a wrapper.
const BITCODE: [&[u8]; 2] = [b"BC\xC0\xDE", b"\xDE\xC0\x17\x0B"];

/// One call of rustc that compiles a crate of the program.
pub(super) struct Compilation<'a> {
    pub(super) tools: &'a Tools,
    /// rustc with its environment, but without its arguments.
    pub(super) rustc: Command,
    pub(super) arguments: &'a [OsString],
    /// The folder of the shims.
    pub(super) shims: &'a Path,
    pub(super) log: &'a Path,
}

impl Compilation<'_> {
    /// Calls rustc and converts the libraries that it writes.
    pub(super) fn run(mut self) -> io::Result<ExitCode> {
        self.rustc.args(kept(self.arguments));
        for flag in FLAGS {
            self.rustc.args(["-C", flag]);
        }
        if self.tools.mark.probe.what.has_loops() {
            self.rustc.args(["-C", NAMED]);
        }
        if self.tools.counters.is_some() {
            self.rustc.args(["-C", COUNTED]);
        }
        let level = codegen(self.arguments, "opt-level");
        if !matches!(level.as_deref(), Some("2" | "3")) && !self.arguments.iter().any(|a| a == "-O") {
            self.rustc.args(["-C", OPTIMIZED]);
            // Debug assertions follow the optimization level unless they are set explicitly.
            let is_said = codegen(self.arguments, "debug-assertions").is_some();
            if !is_said && level.is_none_or(|level| level == "0") {
                self.rustc.args(["-C", "debug-assertions=on"]);
            }
        }
        let linker = codegen(self.arguments, "linker").unwrap_or_else(|| USUAL_LINKER.to_owned());
        self.rustc.arg("-C").arg(joined("linker=", self.shims.join(LINKER).as_os_str()));
        let status = self.rustc.env(REAL_LINKER, linker).status()?;
        if status.success() {
            for library in products(self.arguments) {
                if let Err(error) = self.convert(&library) {
                    self.note(&library.to_string_lossy(), &error.to_string());
                }
            }
        }
        Ok(exit_code(status))
    }

    fn convert(&self, library: &Path) -> io::Result<()> {
        let bytes = fs::read(library)?;
        let folder = tempfile::Builder::new().prefix("trend-prof-probe-").tempdir()?;
        let runtime = fs::read(&self.tools.runtime)?;
        let mut members = archive::members(&bytes)?;
        for (number, member) in members.iter_mut().enumerate().filter(|(_, m)| is_bitcode(&m.data)) {
            let name = String::from_utf8_lossy(&member.name).into_owned();
            let bitcode = folder.path().join(format!("{number}.bc"));
            let object = folder.path().join(format!("{number}.o"));
            fs::write(&bitcode, &member.data)?;
            if let Err(reason) = self.tools.object(&bitcode, &object) {
                self.note(&name, &reason);
            }
            if object.is_file() {
                *member = Member { name: member.name.clone(), data: Cow::Owned(fs::read(&object)?) };
            }
        }
        // A build that links this library may not use the probe, so the library includes the runtime.
        if library.extension().is_some_and(|kind| kind == "a") {
            members.extend(archive::members(&runtime)?);
        }
        let unfinished = library.with_extension("trend-prof");
        fs::write(&unfinished, archive::archive(&members)?)?;
        fs::rename(&unfinished, library)
    }

    fn note(&self, source: &str, reason: &str) {
        note_not_probed(self.log, source, reason);
    }
}

// If the log cannot be written, the report loses detail, but the build must not break.
fn note_not_probed(log: &Path, source: &str, reason: &str) {
    let _ = log::append(log, &Call::NotProbed { source: source.to_owned(), reason: reason.to_owned() });
}

impl Tools {
    /// Compiles bitcode to an object, with the probe if possible. If this fails, compiles it without the probe, and
    /// returns the reason as the error.
    fn object(&self, bitcode: &Path, object: &Path) -> Result<(), String> {
        let Err(reason) = self.instrument(bitcode, object) else { return Ok(()) };
        let mut command = Command::new(&self.clang[0]);
        command.args(["-O2", "-fPIC", "-c", "-x", "ir"]).arg(bitcode).arg("-o").arg(object);
        // If clang cannot compile it either, the linker may still understand the bitcode.
        let is_made = output(command.stdin(Stdio::null()), &self.clang[0]).is_ok_and(|o| o.status.success());
        if !is_made {
            let _ = fs::remove_file(object);
        }
        Err(reason)
    }
}

/// Runs the linker with rustc's arguments, and adds the probe to the program's own objects.
pub(super) fn link(arguments: &[OsString], search: &Search, shims: &Path) -> io::Result<ExitCode> {
    let linker = env::var_os(REAL_LINKER).unwrap_or_else(|| USUAL_LINKER.into());
    let mut command = Command::new(&linker);
    command.env("PATH", search.path());
    let (Some(tools), Some(log)) = (Tools::of_build(), env::var_os(LOG)) else {
        return Ok(exit_code(command.args(arguments).status()?));
    };
    let log = Path::new(&log);
    let folder = tempfile::Builder::new().prefix("trend-prof-probe-").tempdir()?;
    let words = response::expanded(arguments, &env::current_dir()?);
    // Our library must precede rustc's, which may belong to another version of LLVM.
    command.args(&tools.counters);
    for (number, word) in words.iter().enumerate() {
        // The linker gets objects, so options of its optimizer are dropped.
        if word.starts_with("-Wl,-plugin-opt") || word.starts_with("-plugin-opt") {
            continue;
        }
        if let Some(script) = word.strip_prefix("-Wl,--version-script=") {
            let exported = folder.path().join("version-script");
            fs::write(&exported, with_probe(&fs::read_to_string(script)?))?;
            command.arg(joined("-Wl,--version-script=", exported.as_os_str()));
            continue;
        }
        let is_object = Path::new(word).extension().is_some_and(|kind| kind == "o");
        if !is_object || !fs::read(word).is_ok_and(|bytes| is_bitcode(&bytes)) {
            command.arg(word);
            continue;
        }
        let object = folder.path().join(format!("{number}.o"));
        if let Err(reason) = tools.object(Path::new(word), &object) {
            let name = Path::new(word).file_name().unwrap_or_default().to_string_lossy();
            note_not_probed(log, &name, &reason);
        }
        command.arg(if object.is_file() { object.as_os_str() } else { OsStr::new(word) });
    }
    // If the C library is an archive, the parts that the probe needs must come after the probe.
    command.arg(&tools.runtime).arg(EXPORT).arg("-lc");
    let product = unlock::product(&words.iter().map(OsString::from).collect::<Vec<_>>());
    let compiler = linker.to_str().and_then(|name| search.find(name)).unwrap_or_else(|| linker.into());
    let ending = || ending::of_c(&compiler, &words, Runtime::Llvm, search, shims);
    tools.link(&mut command, log, &product, ending)
}

/// Changes rustc's version script `{ global: a; local: *; };` so that the probe's functions stay visible.
fn with_probe(script: &str) -> String {
    match script.split_once("global:") {
        Some((front, back)) => format!("{front}global: trend_probe_*;{back}"),
        None => script.replacen('{', "{ global: trend_probe_*;", 1),
    }
}

fn is_bitcode(bytes: &[u8]) -> bool {
    BITCODE.iter().any(|magic| bytes.starts_with(magic))
}

/// Returns the arguments without incremental compilation, which would split a crate into many modules.
fn kept(arguments: &[OsString]) -> Vec<&OsString> {
    let is_incremental = |word: &OsString| word.as_bytes().starts_with(b"incremental=");
    let is_flag = |word: &OsString| word == "-C" || word == "--codegen";
    let positions = 0..arguments.len();
    let kept = positions.filter(|at| {
        let word = &arguments[*at];
        let is_name = is_flag(word) && arguments.get(at + 1).is_some_and(is_incremental);
        let is_value = is_incremental(word) && *at > 0 && is_flag(&arguments[at - 1]);
        !is_name && !is_value && !word.as_bytes().starts_with(b"-Cincremental=")
    });
    kept.map(|at| &arguments[at]).collect()
}

/// Returns the last value of a codegen option of rustc; empty if the option has no value.
fn codegen(arguments: &[OsString], name: &str) -> Option<String> {
    let mut last_value = None;
    let mut is_next = false;
    for argument in arguments {
        let argument = argument.to_string_lossy();
        let option = if is_next {
            Some(&*argument)
        } else {
            argument
                .strip_prefix("-C")
                .or_else(|| argument.strip_prefix("--codegen="))
                .filter(|o| !o.is_empty())
        };
        if let Some(rest) = option.and_then(|option| option.strip_prefix(name)) {
            match rest.strip_prefix('=') {
                Some(value) => last_value = Some(value.to_owned()),
                None if rest.is_empty() => last_value = Some(String::new()),
                None => {}
            }
        }
        is_next = argument == "-C" || argument == "--codegen";
    }
    last_value
}

/// Returns the archives that a call of rustc writes.
fn products(arguments: &[OsString]) -> Vec<PathBuf> {
    let files = if let Some(file) = value(arguments, "-o") {
        vec![PathBuf::from(file)]
    } else {
        let folder = value(arguments, "--out-dir").map_or_else(|| PathBuf::from("."), PathBuf::from);
        let Some(name) = value(arguments, "--crate-name") else { return Vec::new() };
        let extra = codegen(arguments, "extra-filename").unwrap_or_default();
        let stem = folder.join(format!("lib{}{extra}", name.to_string_lossy()));
        ["rlib", "a"].map(|kind| joined(stem.as_os_str(), OsStr::new(&format!(".{kind}"))).into()).into()
    };
    let is_archive = |file: &PathBuf| {
        let mut magic = [0; 8];
        let read = fs::File::open(file).and_then(|mut file| io::Read::read_exact(&mut file, &mut magic));
        read.is_ok() && &magic == b"!<arch>\n"
    };
    files.into_iter().filter(is_archive).collect()
}

fn joined(front: impl AsRef<OsStr>, back: &OsStr) -> OsString {
    let mut all = front.as_ref().to_owned();
    all.push(back);
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(line: &str) -> Vec<OsString> {
        line.split(' ').map(OsString::from).collect()
    }

    #[test]
    fn the_last_value_of_an_option_counts_however_it_is_written() {
        let line = words(
            "x.rs -C opt-level=1 -Copt-level=3 --codegen linker=a -C lto -C linker-plugin-lto -o opt-level=7",
        );
        assert_eq!(codegen(&line, "opt-level").as_deref(), Some("3"));
        assert_eq!(codegen(&line, "linker").as_deref(), Some("a"));
        assert_eq!(codegen(&line, "lto").as_deref(), Some(""));
        assert_eq!(codegen(&line, "incremental"), None);
    }

    #[test]
    fn incremental_compilation_is_left_out() {
        let line = words("x.rs -C incremental=/a -C opt-level=1 -Cincremental=/b --cfg incremental=c");
        let kept: Vec<String> = kept(&line).iter().map(|w| w.to_string_lossy().into_owned()).collect();
        assert_eq!(kept.join(" "), "x.rs -C opt-level=1 --cfg incremental=c");
    }

    #[test]
    fn libraries_export_what_the_probe_needs() {
        assert_eq!(
            with_probe("{\n  global:\n    f;\n  local:\n    *;\n};"),
            "{\n  global: trend_probe_*;\n    f;\n  local:\n    *;\n};"
        );
        assert_eq!(with_probe("{ local: *; };"), "{ global: trend_probe_*; local: *; };");
    }
}
