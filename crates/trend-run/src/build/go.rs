//! Builds Go programs with the counters of `go build -cover`.
//!
//! The flags come through `GOFLAGS`, so that they also reach a `go` that a script calls. Plain counters are exact while
//! one goroutine runs. If the program or a package that it uses may start another one, the counters are atomic.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::AtomicBool;

use super::report::{BuildReport, GoCounters};
use super::{BuildOptions, folder, process};
use crate::digest::Digest;
use crate::{BuildError, ConfigError, Update, shell};

const FLAGS: &str = "GOFLAGS";

/// Flags of `go build` and `go run` that take the next word as their value.
const WITH_VALUE: [&str; 19] = [
    "-C",
    "-asmflags",
    "-buildmode",
    "-buildvcs",
    "-compiler",
    "-covermode",
    "-coverpkg",
    "-exec",
    "-gcflags",
    "-gccgoflags",
    "-installsuffix",
    "-ldflags",
    "-mod",
    "-modfile",
    "-o",
    "-overlay",
    "-p",
    "-pgo",
    "-tags",
];

/// Packages and functions of the standard library that call a program's code in goroutines of their own.
const CONCURRENT: [&str; 7] = [
    "\"net/http\"",
    "\"net/rpc\"",
    "\"os/exec\"",
    "time.AfterFunc(",
    "context.AfterFunc(",
    "runtime.SetFinalizer(",
    "runtime.AddCleanup(",
];

/// A call of `go run`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct GoRun {
    pub(crate) name: String,
    /// The command that builds the program.
    pub(crate) build: Vec<OsString>,
    /// The program that the build makes, followed by its arguments.
    pub(crate) command: Vec<OsString>,
    /// The program without counters, which the build makes as well.
    pub(crate) plain: PathBuf,
}

impl GoRun {
    /// Reads a command. Returns `None` if it is not `go run` of a package here.
    ///
    /// # Errors
    /// Fails if there is no folder for the program.
    pub(crate) fn read(folder: &Path, words: &[String]) -> Option<Result<Self, ConfigError>> {
        let (before, flags, rest) = call(words, "run")?;
        let files = rest
            .iter()
            .take_while(|word| Path::new(word).extension().is_some_and(|extension| extension == "go"))
            .count();
        let (packages, arguments) = rest.split_at(files.max(1).min(rest.len()));
        let package = packages.first().filter(|package| !package.contains('@'))?;
        let here = folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
        let named = here.join(package);
        let name = named.components().next_back().map(|part| part.as_os_str().to_string_lossy().into_owned());
        let name = name.unwrap_or_else(|| "main".to_owned());
        let name = name.strip_suffix(".go").unwrap_or(&name).to_owned();
        let Some(cache) = folder::user_cache() else {
            let what = "go run: there is no folder for the program";
            return Some(Err(ConfigError::new(what, "set HOME or XDG_CACHE_HOME")));
        };
        let digest =
            packages.iter().chain(flags).fold(Digest::new().field(&here).finish(), |digest, word| {
                Digest::new().field(digest).field(word).finish()
            });
        let program = cache.join("go").join(&digest[..16]).join(&name);
        let words = before.iter().cloned().chain(["build".to_owned()]).chain(flags.iter().cloned());
        let mut build: Vec<OsString> = words.map(OsString::from).collect();
        build.extend(["-o".into(), program.clone().into_os_string()]);
        build.extend(packages.iter().map(OsString::from));
        let plain = plain_of(&program);
        let arguments = arguments.iter().map(OsString::from);
        let command = std::iter::once(program.into_os_string()).chain(arguments).collect();
        Some(Ok(Self { name, build, command, plain }))
    }
}

/// Returns the place of the program without counters.
fn plain_of(program: &Path) -> PathBuf {
    let mut plain = program.as_os_str().to_owned();
    plain.push(".plain");
    plain.into()
}

/// Splits `go -C a run -tags x ./cmd 5` into the words before `run`, its flags, and the rest.
fn call<'w>(words: &'w [String], verb: &str) -> Option<(&'w [String], &'w [String], &'w [String])> {
    let is_go = Path::new(words.first()?).file_name() == Some(OsStr::new("go"));
    let at = 1 + if words.get(1).is_some_and(|word| word == "-C") { 2 } else { 0 };
    let rest = words.get(at + 1..).filter(|_| is_go && words.get(at).is_some_and(|word| word == verb))?;
    let mut end = 0;
    while let Some(word) = rest.get(end).filter(|word| word.starts_with('-')) {
        let name = word.strip_prefix('-').filter(|name| name.starts_with('-')).unwrap_or(word);
        end += if WITH_VALUE.contains(&name) { 2 } else { 1 };
    }
    Some((&words[..at], &rest[..end.min(rest.len())], &rest[end.min(rest.len())..]))
}

/// True if a build command calls nothing but `go`.
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
    folder::user_cache().is_some_and(|cache| Path::new(program).starts_with(cache.join("go")))
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
    let said = super::redirected(&mut child, options.output)?;
    let ended = process::run(&mut child, cancel).map_err(|error| {
        BuildError::new(format!("start `{}`: {error}", shell::quoted(words)), "install Go, or put it on PATH")
    })?;
    let process::Ended::Over(status) = ended else { return Err(BuildError::Interrupted) };
    let said = said.and_then(|file| super::whole(file).ok()).unwrap_or_default();
    Ok(BuildReport::of_status(status, said))
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
        BuildError::new(format!("start `go list`: {error}"), "install Go, or put it on PATH")
    })?;
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// True if a Go source may start goroutines that run at the same time as others: `go` outside of comments and text, or a
/// function of the standard library that does so.
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
    fn a_call_of_go_run_is_a_build_and_a_program() {
        let words = |line: &str| line.split(' ').map(str::to_owned).collect::<Vec<_>>();
        let run = GoRun::read(Path::new("/m"), &words("go run -tags x ./cmd/sort -v {n}")).unwrap().unwrap();
        let build: Vec<_> = run.build.iter().map(|word| word.to_string_lossy().into_owned()).collect();
        assert_eq!((&build[..5], &build[6..]), (&words("go build -tags x -o")[..], &words("./cmd/sort")[..]));
        assert_eq!((run.name.as_str(), &run.command[1..]), ("sort", &["-v", "{n}"].map(OsString::from)[..]));
        assert_eq!(build[5], run.command[0].to_string_lossy());
        let of_files = GoRun::read(Path::new("/m"), &words("go run a.go b.go 5")).unwrap().unwrap();
        assert_eq!((of_files.name.as_str(), &of_files.command[1..]), ("a", &["5".into()][..]));
        for line in ["go build ./x", "go", "cargo run", "go run example.com/x@latest 5"] {
            assert!(GoRun::read(Path::new("/m"), &words(line)).is_none(), "{line}");
        }
    }

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
