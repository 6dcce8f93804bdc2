//! Splits a `go run` command into the build and the program that it starts.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use crate::machine::cache::user_cache;
use crate::program::digest::Digest;
use crate::words::error::ConfigError;

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
        let Some(cache) = user_cache() else {
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
pub(crate) fn plain_of(program: &Path) -> PathBuf {
    let mut plain = program.as_os_str().to_owned();
    plain.push(".plain");
    plain.into()
}

/// Splits `go -C a run -tags x ./cmd 5` into the words before `run`, its flags, and the rest.
pub(crate) fn call<'w>(
    words: &'w [String],
    verb: &str,
) -> Option<(&'w [String], &'w [String], &'w [String])> {
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
}
