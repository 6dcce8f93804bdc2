//! Builds Go programs with the counters of `go build -cover`.
//!
//! The flags come through `GOFLAGS`, so that they also reach a `go` that a script calls. Plain counters are exact while
//! one goroutine runs. If the program or a package that it uses may start another one, the counters are atomic.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::AtomicBool;

use super::options::BuildOptions;
use super::output::{redirected, whole};
use super::process;
use super::report::{BuildReport, GoCounters};
use crate::error::BuildError;
use crate::machine::cache::user_cache;
use crate::program::instrumentation::Update;
use crate::project::go_run::{call, plain_of};
use crate::words::shell;

const FLAGS: &str = "GOFLAGS";

/// Packages and functions of the standard library that call a program's code in their own goroutines.
const CONCURRENT: [&str; 7] = [
    "\"net/http\"",
    "\"net/rpc\"",
    "\"os/exec\"",
    "time.AfterFunc(",
    "context.AfterFunc(",
    "runtime.SetFinalizer(",
    "runtime.AddCleanup(",
];

/// Returns true if a build command calls nothing but `go`.
pub(super) fn is_build(words: &[OsString]) -> bool {
    let programs = shell::programs(words);
    let is_go = |program: &OsString| Path::new(program).file_name() == Some(OsStr::new("go"));
    !programs.is_empty() && programs.iter().all(is_go)
}

/// Runs a build with counters. The program of `go run` is also built without them.
pub(super) fn build(
    words: &[OsString],
    options: &BuildOptions,
    cancel: &AtomicBool,
) -> Result<BuildReport, BuildError> {
    let texts: Vec<String> = words.iter().map(|word| word.to_string_lossy().into_owned()).collect();
    let counters = counters(&texts, options)?;
    let mut flags = std::env::var(FLAGS).unwrap_or_default();
    let mode = if counters.is_atomic { "atomic" } else { "count" };
    flags += &[" -cover -covermode=", mode].concat();
    if !counters.modules.is_empty() {
        let patterns: Vec<String> = counters.modules.iter().map(|module| format!("{module}/...")).collect();
        flags += &[" -coverpkg=", &patterns.join(",")].concat();
    }
    let mut report = run(words, options, Some(flags.trim()), cancel)?;
    if let Some(program) = output(&texts).filter(|_| report.status.success()) {
        report.linked = vec![options.folder.join(program)];
        if is_ours(program) {
            let plain = plain_of(Path::new(program)).into_os_string();
            let words: Vec<OsString> =
                words.iter().map(|word| if word == program { plain.clone() } else { word.clone() }).collect();
            report.status = run(&words, options, None, cancel)?.status;
        }
    }
    report.go = Some(counters);
    Ok(report)
}

/// Returns the value of `-o`.
fn output(words: &[String]) -> Option<&str> {
    words.windows(2).find(|pair| pair[0] == "-o").map(|pair| pair[1].as_str())
}

/// True for a program of `go run`.
fn is_ours(program: &str) -> bool {
    user_cache().is_some_and(|cache| Path::new(program).starts_with(cache.join("go")))
}

fn run(
    words: &[OsString],
    options: &BuildOptions,
    flags: Option<&str>,
    cancel: &AtomicBool,
) -> Result<BuildReport, BuildError> {
    let mut child = Command::new(&words[0]);
    child.args(&words[1..]).current_dir(&options.folder);
    child.envs(flags.map(|flags| (FLAGS, flags)));
    child.envs(options.temporary.as_ref().map(|folder| ("TMPDIR", folder)));
    let output = redirected(&mut child, options.output)?;
    let ended = process::run(&mut child, cancel).map_err(|error| {
        let what = format!("cannot start `{}`: {error}", shell::quoted(words));
        BuildError::new(what, "install Go, or put it on PATH")
    })?;
    let process::Ended::Over(status) = ended else { return Err(BuildError::Interrupted) };
    let output = output.and_then(|file| whole(file).ok()).unwrap_or_default();
    Ok(BuildReport::of_status(status, output))
}

/// Chooses the counters, and the modules whose packages are counted.
fn counters(words: &[String], options: &BuildOptions) -> Result<GoCounters, BuildError> {
    let packages: Vec<String> = match call(words, "build").or_else(|| call(words, "install")) {
        Some((.., packages)) if !packages.is_empty() => packages.to_vec(),
        Some(_) => vec![".".to_owned()],
        None => vec!["./...".to_owned()],
    };
    let modules = list(&["-m", "-f", "{{.Path}}"], &[], &options.folder)?;
    let is_module = |name: &&str| !name.is_empty() && *name != "command-line-arguments";
    let modules: Vec<String> = modules.lines().filter(is_module).map(str::to_owned).collect();
    let reason = match options.instrument.update {
        Update::Single => None,
        Update::Atomic => {
            let files = "{{if not .Standard}}{{$d := .Dir}}{{range .GoFiles}}{{$d}}/{{.}}\n{{end}}{{end}}";
            let files = list(&["-deps", "-f", files], &packages, &options.folder)?;
            let text = |file: &&str| fs::read_to_string(file).is_ok_and(|text| may_start_goroutines(&text));
            files.lines().filter(|file| !file.is_empty()).find(text).map(PathBuf::from)
        }
    };
    Ok(GoCounters { modules, is_atomic: reason.is_some(), reason })
}

/// Calls `go list`, which fails outside of a module.
fn list(options: &[&str], packages: &[String], folder: &Path) -> Result<String, BuildError> {
    let mut command = Command::new("go");
    command.arg("list").args(options).args(packages).current_dir(folder);
    let output = command.stdin(Stdio::null()).output().map_err(|error| {
        BuildError::new(format!("cannot start `go list`: {error}"), "install Go, or put it on PATH")
    })?;
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Returns true if a Go source may start goroutines that run at the same time as others: `go` outside of comments and
/// text, or a function of the standard library that does so.
fn may_start_goroutines(source: &str) -> bool {
    let mut rest = source;
    while let Some(first) = rest.chars().next() {
        if CONCURRENT.iter().any(|name| rest.starts_with(name)) {
            return true;
        }
        let is_word = |c: char| c.is_alphanumeric() || c == '_';
        let length = match first {
            '/' if rest.starts_with("//") => rest.find('\n').unwrap_or(rest.len()),
            '/' if rest.starts_with("/*") => rest.find("*/").map_or(rest.len(), |end| end + 2),
            '`' => rest[1..].find('`').map_or(rest.len(), |end| end + 2),
            '"' | '\'' => text_length(rest, first),
            _ if is_word(first) => rest.find(|c| !is_word(c)).unwrap_or(rest.len()),
            _ => first.len_utf8(),
        };
        let (word, behind) = rest.split_at(length);
        if word == "go" {
            return true;
        }
        rest = behind;
    }
    false
}

/// Returns the length of a string or rune with its quotes.
fn text_length(rest: &str, quote: char) -> usize {
    let mut is_escaped = false;
    for (at, c) in rest.char_indices().skip(1) {
        if !is_escaped && (c == quote || c == '\n') {
            return at + c.len_utf8();
        }
        is_escaped = !is_escaped && c == '\\';
    }
    rest.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn goroutines_are_found_in_code_alone() {
        for starts in
            ["\tgo f()\n", "x := 1; go func() {}()", "import \"net/http\"\n", "time.AfterFunc(d, f)"]
        {
            assert!(may_start_goroutines(starts), "{starts}");
        }
        for starts_not in [
            "// go f()\n/* go g() */ s := \"go \\\" go\" + `go` + string('\\'')\n",
            "ergo f(); x.gogo()\n",
            "import \"net/url\"\n",
        ] {
            assert!(!may_start_goroutines(starts_not), "{starts_not}");
        }
    }
}
