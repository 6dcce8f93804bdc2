//! Compiles with the probe: clang compiles each source to bitcode, and trend-probe turns that into an object.
//!
//! ```text
//!   gcc -O2 -c a.c -o a.o        clang-22 … -emit-llvm ─▶ a.bc ─▶ trend-probe ─▶ a.o
//!   gcc a.o b.c -o p             likewise for b.c, then: gcc a.o b.o libtrend_runtime.a -o p
//! ```
//!
//! A source for which this fails is compiled as the build says, and the build's report gives the reason.

use std::env;
use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Output, Stdio};

use serde::{Deserialize, Serialize};

use super::arguments::LLVM_FLAGS;
use super::call::{self, Input};
use super::ending::{self, Runtime};
use super::link::{Link, exit_code};
use super::log::{self, Call};
use super::search::Search;
use super::unlock;
use super::variables::{INSIDE, update};
use crate::program::instrumentation::ProbeOptions;
use crate::program::mark::Mark;

/// Variable with [`Tools`] as JSON. It is set only in builds with the probe.
pub(crate) const PROBE_TOOLS: &str = "TREND_PROF_PROBE";

/// The tools that the probe needs, and its options.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Tools {
    pub(crate) probe: PathBuf,
    /// The compilers for C and for C++.
    pub(crate) clang: [PathBuf; 2],
    /// The runtime library that is linked in.
    pub(crate) runtime: PathBuf,
    /// LLVM's library of counters, which is linked in if blocks are counted.
    pub(crate) counters: Option<PathBuf>,
    /// The mark of this build.
    pub(crate) mark: Mark,
}

impl Tools {
    /// Returns the tools of the current build, if it is one with the probe.
    pub(super) fn of_build() -> Option<Self> {
        serde_json::from_str(&env::var(PROBE_TOOLS).ok()?).ok()
    }

    /// Compiles bitcode to an object with the probe. The error is the reason why this failed.
    pub(super) fn instrument(&self, bitcode: &Path, object: &Path) -> Result<(), String> {
        let mut command = Command::new(&self.probe);
        let ProbeOptions { what, cell_size, cost, metric, contexts } = self.mark.probe;
        command
            .arg(if what.has_routines() { "routines" } else { "loops" })
            .arg(bitcode)
            .arg("-o")
            .arg(object);
        command.args(["--update", update().word(), "--mark", &self.mark.text()]);
        if what.has_routines() {
            command.args(["--cell-size", &cell_size.bytes().to_string(), "--cost", cost.word()]);
            command.args(["--metric", metric.word()]);
            command.args(contexts.then_some("--contexts"));
            command.args(what.has_loops().then_some("--loops"));
        }
        let output = output(&mut command, &self.probe)?;
        if output.status.success() {
            return Ok(());
        }
        Err(String::from_utf8_lossy(&output.stderr).lines().next().unwrap_or("trend-probe failed").to_owned())
    }
}

/// Compiler options of the build that would change the measurements, or that clang does not have. Costs are counted in
/// unoptimized code, and inputs are the reads of optimized code.
const LEFT_OUT: &[&str] = &[
    "-O",
    "-flto",
    "-fno-lto",
    "-ffat-lto-objects",
    "-fno-fat-lto-objects",
    "-fuse-linker-plugin",
    "-fprofile-",
    "-ftest-coverage",
    "--coverage",
    "-fcoverage-mapping",
    "-Werror",
    "-save-temps",
    "-gsplit-dwarf",
    "-g0",
    "-fwhole-program",
];

/// Exports the program's copy of the runtime library, so that libraries with the probe use it.
pub(super) const EXPORT: &str = "-Wl,--export-dynamic-symbol=trend_probe_*";

/// The library that unwinds the stack, for builds that name all libraries themselves. Functions with the probe end
/// their call when an exception leaves them.
const UNWINDING: [&str; 3] = ["-Wl,--push-state,--as-needed", "-lgcc_s", "-Wl,--pop-state"];

/// Options that precede the build's own options.
const FIRST: &[&str] = &[
    "-O2",
    "-g1",
    "-w",
    "-Qunused-arguments",
    "-fno-sanitize=all",
    "-Xclang",
    "-disable-llvm-passes",
    "-emit-llvm",
    "-c",
    "-Wno-unknown-warning-option",
    "-Wno-ignored-optimization-argument",
];

/// Options for problems that are errors in clang, but only warnings in gcc.
const LENIENT: [&str; 9] = [
    "-Wno-error=implicit-function-declaration",
    "-Wno-error=implicit-int",
    "-Wno-error=int-conversion",
    "-Wno-error=incompatible-function-pointer-types",
    "-Wno-error=incompatible-pointer-types",
    "-Wno-error=return-mismatch",
    "-Wno-error=register",
    "-Wno-error=c++11-narrowing",
    "-Wno-error=reserved-user-defined-literal",
];

/// Options that give debug information on variables and types, whose names the report of loops uses.
const NAMED: [&str; 2] = ["-g", "-fstandalone-debug"];

/// Options that turn off marks of variables' lifetimes. If each exit of an iteration has such marks, clang merges it
/// with the way to the next iteration. An iteration that is left early then counts as complete, and blocks are counted
/// that the source does not have.
const UNMARKED: [&str; 2] = ["-Xclang", "-disable-lifetime-markers"];

/// Certainty that the build's own compiler accepts what is compiled with the probe.
enum Acceptance {
    Sure,
    /// Errors of the build's compiler may be missing: they were turned into warnings, or warnings are errors in the
    /// build.
    Lenient,
}

/// One call of a compiler.
pub(super) struct Compilation<'a> {
    pub(super) tools: &'a Tools,
    /// The build's compiler.
    pub(super) compiler: &'a Path,
    /// The words of the call, with response files expanded.
    pub(super) words: &'a [String],
    pub(super) search: &'a Search,
    /// The folder of the shims.
    pub(super) shims: &'a Path,
    pub(super) log: &'a Path,
    pub(super) links: bool,
}

impl Compilation<'_> {
    /// Does the work of the call, with the probe.
    pub(super) fn run(&self) -> io::Result<ExitCode> {
        let call = call::Call::read(self.words);
        let folder = tempfile::Builder::new().prefix("trend-prof-probe-").tempdir()?;
        let mut objects = Vec::new();
        for (number, input) in call.inputs.iter().enumerate().filter(|(_, i)| i.kind == Input::Source) {
            let object = match &call.output {
                _ if self.links => folder.path().join(format!("{number}.o")),
                Some(output) => PathBuf::from(output),
                None => Path::new(input.path.rsplit('/').next().unwrap_or(&input.path)).with_extension("o"),
            };
            let plain = |object: &Path, first: &[OsString]| {
                self.compile(self.compiler, &call, input.position, object, first, &|_| true).status()
            };
            let bitcode = self.bitcode(&call, input.position, &object, folder.path());
            if let Ok((_, Acceptance::Lenient)) = bitcode {
                // The build's own compiler decides if the source is accepted.
                let status = plain(&folder.path().join("plain.o"), &self.dependencies(&object))?;
                if !status.success() {
                    return Ok(exit_code(status));
                }
            }
            if let Err(reason) = bitcode.and_then(|(bitcode, _)| self.tools.instrument(&bitcode, &object)) {
                let status = plain(&object, &[])?;
                if !status.success() {
                    return Ok(exit_code(status));
                }
                self.note(&Call::NotProbed { source: input.path.clone(), reason });
            }
            objects.push((input.position, object));
        }
        if !self.links {
            return Ok(ExitCode::SUCCESS);
        }
        self.link(&call, &objects)
    }

    // If the log cannot be written, the report loses detail, but the build must not break.
    fn note(&self, call: &Call) {
        let _ = log::append(self.log, call);
    }

    /// Compiles the source at a position to a file of bitcode. The error is the reason why this failed.
    fn bitcode(
        &self,
        call: &call::Call,
        source: usize,
        object: &Path,
        folder: &Path,
    ) -> Result<(PathBuf, Acceptance), String> {
        if let Some(option) = self.words.iter().find(|w| w.starts_with("-fsanitize=")) {
            return Err(format!("{option} instruments it as well"));
        }
        let is_cpp = self.compiler.file_name().is_some_and(|name| name.to_string_lossy().contains("++"));
        let clang = &self.tools.clang[usize::from(is_cpp)];
        let bitcode = folder.join(format!("{source}.bc"));
        let mut first: Vec<OsString> = FIRST.iter().map(OsString::from).collect();
        if self.words.iter().rev().find(|w| w.starts_with("-O")).is_some_and(|level| level == "-Ofast") {
            first.push("-ffast-math".into());
        }
        first.extend(UNMARKED.map(OsString::from));
        if self.tools.mark.probe.what.has_loops() {
            first.extend(NAMED.map(OsString::from));
        }
        if self.tools.counters.is_some() {
            first.extend(LLVM_FLAGS.map(OsString::from));
        }
        first.extend(self.dependencies(object));
        // clang does not know some of gcc's options. They are removed until it compiles.
        let mut unknown: Vec<String> = Vec::new();
        let is_strict = |word: &String| word.starts_with("-Werror") || word == "-pedantic-errors";
        let mut acceptance =
            if self.words.iter().any(is_strict) { Acceptance::Lenient } else { Acceptance::Sure };
        let mut is_lenient = false;
        loop {
            let is_kept = |word: &str| {
                !LEFT_OUT.iter().any(|option| word.starts_with(option))
                    && !word.starts_with("-Wp,-M")
                    && !unknown.iter().any(|u| u == word)
            };
            let mut command = self.compile(clang, call, source, &bitcode, &first, &is_kept);
            let output = output(&mut command, clang)?;
            if output.status.success() {
                return Ok((bitcode, acceptance));
            }
            let errors = String::from_utf8_lossy(&output.stderr).into_owned();
            let mut more = errors.lines().filter_map(unknown_option).collect::<Vec<_>>();
            more.retain(|option| !unknown.contains(option) && self.words.contains(option));
            if more.is_empty() && !is_lenient {
                first.extend(LENIENT.map(OsString::from));
                (is_lenient, acceptance) = (true, Acceptance::Lenient);
                continue;
            }
            if more.is_empty() {
                let first =
                    errors.lines().find(|line| line.contains("error:")).unwrap_or("it gives no reason");
                return Err(format!("clang does not compile it: {first}"));
            }
            unknown.extend(more);
        }
    }

    /// Creates the command that compiles one source like the call, without the words that are not kept.
    fn compile(
        &self,
        compiler: &Path,
        call: &call::Call,
        source: usize,
        output: &Path,
        first: &[OsString],
        is_kept: &dyn Fn(&str) -> bool,
    ) -> Command {
        let mut command = Command::new(compiler);
        command.args(first).arg("-o").arg(output).arg("-c").env("PATH", self.search.path()).env(INSIDE, "1");
        command.stdin(Stdio::inherit());
        for (position, word) in self.words.iter().enumerate() {
            let is_other = call.inputs.iter().any(|i| i.position == position) && position != source;
            let is_source = position == source;
            if is_other
                || call.output_words.contains(&position)
                || word == "-c"
                || !(is_source || is_kept(word))
            {
                continue;
            }
            command.arg(word);
        }
        command
    }

    /// Returns the options that make the compiler write the dependencies of an object of that name, as the call does
    /// for make.
    fn dependencies(&self, object: &Path) -> Vec<OsString> {
        let has = |options: &[&str]| self.words.iter().any(|w| options.iter().any(|o| w == o));
        let mut options: Vec<OsString> = Vec::new();
        let mut is_asked = has(&["-MD", "-MMD"]);
        for word in self.words {
            // Linux and old automakes write `-Wp,-MD,a.d`.
            if let Some(rest) = word.strip_prefix("-Wp,-M") {
                let (kind, file) = rest.split_once(',').unwrap_or((rest, ""));
                options.push(format!("-M{kind}").into());
                if !file.is_empty() {
                    options.extend(["-MF".into(), file.into()]);
                }
                is_asked |= matches!(kind, "D" | "MD");
            }
        }
        if !is_asked {
            return Vec::new();
        }
        if !has(&["-MF"]) && !options.contains(&"-MF".into()) {
            options.extend(["-MF".into(), object.with_extension("d").into()]);
        }
        if !has(&["-MT", "-MQ"]) && !options.contains(&"-MT".into()) {
            options.extend(["-MT".into(), object.into()]);
        }
        options
    }

    fn link(&self, call: &call::Call, objects: &[(usize, PathBuf)]) -> io::Result<ExitCode> {
        let mut command = Command::new(self.compiler);
        command.env("PATH", self.search.path()).env(INSIDE, "1");
        if !call.inputs.is_empty() {
            // The runtime goes before all libraries. Libraries with the probe have their own copy, but must use the
            // program's. At run time, a library of that name without the probe may be found instead.
            let undefined = if self.tools.mark.probe.what.has_routines() {
                ["-Wl,--undefined=trend_probe_4_slow_enter"].as_slice()
            } else {
                &[]
            };
            command.args(undefined).arg("-Wl,--undefined=trend_probe_loops_3_table");
            // A static program loads no libraries, and a self-relocating one cannot look up names while it relocates.
            if !self.words.iter().any(|word| word == "-static" || word == "-static-pie") {
                command.arg(EXPORT);
            }
            command.arg(&self.tools.runtime);
        }
        for (position, word) in self.words.iter().enumerate() {
            match objects.iter().find(|(source, _)| *source == position) {
                Some((_, object)) => {
                    let names_language =
                        self.words[..position].iter().any(|w| w == "-x" || w.starts_with("-x"));
                    if names_language {
                        command.args(["-x", "none"]);
                    }
                    command.arg(object);
                }
                None => drop(command.arg(word)),
            }
        }
        if self.words.iter().any(|word| word == "-nodefaultlibs" || word == "-nostdlib") {
            command.args(UNWINDING);
        }
        let words: Vec<OsString> = self.words.iter().map(OsString::from).collect();
        let ending = || ending::of_c(self.compiler, self.words, Runtime::Llvm, self.search, self.shims);
        self.tools.link(&mut command, self.log, &unlock::product(&words), ending)
    }
}

impl Tools {
    /// Runs a linker command that lacks only the arguments for counters of blocks.
    pub(super) fn link(
        &self,
        linker: &mut Command,
        log: &Path,
        product: &Path,
        ending: impl FnOnce() -> Result<Vec<OsString>, String>,
    ) -> io::Result<ExitCode> {
        if let Some(library) = &self.counters {
            let link = Link { log: log.to_owned(), ending: ending(), comes_last: false };
            let library = ["-Wl,-u,__llvm_profile_runtime".into(), library.into()];
            return link.run(linker, &library, || vec![product.to_owned()]);
        }
        let status = linker.status()?;
        if status.success() {
            let program = std::path::absolute(product)?;
            let _ = log::append(log, &Call::Linked { program: program.to_string_lossy().into_owned() });
        }
        Ok(exit_code(status))
    }
}

pub(super) fn output(command: &mut Command, program: &Path) -> Result<Output, String> {
    command.stdout(Stdio::null()).stderr(Stdio::piped());
    let child = command.spawn().map_err(|e| format!("cannot start {}: {e}", program.display()))?;
    child.wait_with_output().map_err(|e| format!("cannot wait for {}: {e}", program.display()))
}

/// Extracts the option from `error: unknown argument: '-fno-tree-vrp'`.
fn unknown_option(line: &str) -> Option<String> {
    let rest = line.split_once("unknown argument")?.1;
    let rest = rest.split_once('\'')?.1;
    Some(rest.split_once('\'')?.0.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_that_clang_does_not_know_are_found_in_what_it_says() {
        let option = |line: &str| unknown_option(line);
        assert_eq!(
            option("clang: error: unknown argument: '-fconserve-stack'"),
            Some("-fconserve-stack".to_owned())
        );
        assert_eq!(
            option("clang: error: unknown argument '-fno-allow-store'; did you mean '-fno-x'?"),
            Some("-fno-allow-store".to_owned())
        );
        assert_eq!(option("a.c:1:2: error: expected ';'"), None);
    }
}
