//! Splits a `cargo run` command into the build and the program that it starts.

use std::path::Path;

use serde_json::Value;

use super::cargo::{built_packages, list, metadata, program_names};
use crate::words::error::ConfigError;

/// Options of `cargo run` that take the next word as their value.
const WITH_VALUE: [&str; 16] = [
    "--bin",
    "--example",
    "-p",
    "--package",
    "-F",
    "--features",
    "--profile",
    "--target",
    "--target-dir",
    "--manifest-path",
    "--color",
    "--config",
    "-Z",
    "-j",
    "--jobs",
    "--message-format",
];

/// A call of `cargo run`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct CargoRun {
    /// The command that builds the program.
    pub(crate) build: Vec<String>,
    /// The program's name, followed by its arguments.
    pub(crate) command: Vec<String>,
}

impl CargoRun {
    /// Reads a command. Returns `None` if it is not `cargo run`.
    ///
    /// # Errors
    /// Fails if cargo could start several programs, or if the package has no program.
    pub(crate) fn read(folder: &Path, words: &[String]) -> Option<Result<Self, ConfigError>> {
        let call = Call::read(words)?;
        let example = call.value(&["--example"]);
        let Some(name) = call.value(&["--bin"]).or(example) else {
            let name = call.only_program(folder);
            return Some(name.map(|name| call.starting(&name, &["--bin", &name])));
        };
        Some(Ok(call.starting(name, &[])))
    }
}

/// The parts of `cargo +nightly run --release -- 5`.
struct Call<'w> {
    /// The words before `run`.
    before: &'w [String],
    /// The options after `run`, up to the program's arguments.
    options: &'w [String],
    arguments: &'w [String],
}

impl<'w> Call<'w> {
    fn read(words: &'w [String]) -> Option<Self> {
        let is_cargo = Path::new(words.first()?).file_name().is_some_and(|name| name == "cargo");
        let run = 1 + end_of_options(&words[1..], |word| word.starts_with('+'));
        let is_run = is_cargo && words.get(run).is_some_and(|word| word == "run" || word == "r");
        let rest = is_run.then(|| &words[run + 1..])?;
        let end = end_of_options(rest, |_| false);
        let arguments = &rest[end..];
        let arguments = arguments.strip_prefix(&["--".to_owned()]).unwrap_or(arguments);
        Some(Self { before: &words[..run], options: &rest[..end], arguments })
    }

    fn value(&self, names: &[&str]) -> Option<&'w str> {
        let is_named = |word: &str| {
            let is_short = |name: &&&str| name.len() == 2 && is_group(word) && word.ends_with(&name[1..]);
            names.contains(&word) || names.iter().any(|name| is_short(&name))
        };
        let separate = self.options.windows(2).find(|pair| is_named(&pair[0]));
        let attached = || {
            self.options.iter().find_map(|word| {
                let (name, value) = word.split_once('=')?;
                names.contains(&name).then_some(value)
            })
        };
        separate.map(|pair| pair[1].as_str()).or_else(attached)
    }

    fn starting(&self, name: &str, more: &[&str]) -> CargoRun {
        let more = more.iter().map(|word| (*word).to_owned());
        let build = self.before.iter().cloned().chain(["build".to_owned()]);
        let build = build.chain(self.options.iter().cloned()).chain(more).collect();
        let command = std::iter::once(name.to_owned()).chain(self.arguments.iter().cloned()).collect();
        CargoRun { build, command }
    }

    /// Returns the program that cargo starts if the options name none.
    fn only_program(&self, folder: &Path) -> Result<String, ConfigError> {
        let manifest = self.value(&["--manifest-path"]).and_then(|path| Path::new(path).parent());
        let folder = manifest.map_or_else(|| folder.to_owned(), |below| folder.join(below));
        let line = self.before.iter().chain([&"run".to_owned()]).cloned().collect::<Vec<_>>().join(" ");
        let json = metadata(&folder).ok_or_else(|| {
            let what = format!("`{line}`: no cargo package in {}", folder.display());
            ConfigError::new(what, "run it in the folder with Cargo.toml")
        })?;
        let package = self.value(&["-p", "--package"]);
        let absolute = folder.canonicalize().unwrap_or(folder);
        let packages: Vec<&Value> = match package {
            Some(name) => list(&json["packages"]).filter(|p| p["name"] == name).collect(),
            None => built_packages(&json, &absolute).collect(),
        };
        let names: Vec<&str> = packages.iter().flat_map(|package| program_names(package)).collect();
        let defaults: Vec<&str> = packages.iter().filter_map(|p| p["default_run"].as_str()).collect();
        match (defaults.as_slice(), names.as_slice()) {
            ([one], _) | ([], [one]) => Ok((*one).to_owned()),
            (_, []) => Err(ConfigError::new(
                format!("`{line}`: the package has no program"),
                "choose a package that has one: `-p PACKAGE`",
            )),
            (_, several) => Err(ConfigError::new(
                format!("`{line}` could start any of `{}`", several.join("`, `")),
                format!("choose one: `{line} --bin {} …`", several[0]),
            )),
        }
    }
}

/// Returns true if the word combines several one-letter options, such as `-rp`.
fn is_group(word: &str) -> bool {
    word.len() > 2 && word.starts_with('-') && word[1..].chars().all(|c| c.is_ascii_alphabetic())
}

/// Returns the position of the first word that is neither an option, nor an option's value, nor accepted by
/// `is_passed`.
fn end_of_options(words: &[String], is_passed: impl Fn(&str) -> bool) -> usize {
    let mut at = 0;
    while let Some(word) = words.get(at) {
        let is_option = word.starts_with('-') && word != "--";
        if !is_option && !is_passed(word) {
            break;
        }
        let has_value =
            WITH_VALUE.contains(&word.as_str()) || is_group(word) && word.ends_with(['p', 'F', 'j', 'Z']);
        at += if has_value { 2 } else { 1 };
    }
    at.min(words.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> Option<(String, String)> {
        let words: Vec<String> = line.split(' ').map(str::to_owned).collect();
        let run = CargoRun::read(Path::new("/nowhere"), &words)?.unwrap();
        Some((run.build.join(" "), run.command.join(" ")))
    }

    #[test]
    fn a_call_of_cargo_run_is_a_build_and_a_program() {
        let cases = [
            ("cargo run --bin hb {n}", "cargo build --bin hb", "hb {n}"),
            ("cargo r -r --bin=hb -- --fast {n}", "cargo build -r --bin=hb", "hb --fast {n}"),
            ("cargo run -qp a --bin hb 5", "cargo build -qp a --bin hb", "hb 5"),
            (
                "cargo +nightly -q run --features a,b --example e -- -- {n}",
                "cargo +nightly -q build --features a,b --example e",
                "e -- {n}",
            ),
        ];
        for (line, build, command) in cases {
            assert_eq!(read(line), Some((build.to_owned(), command.to_owned())), "{line}");
        }
        for line in ["cargo build --bin hb", "cargo", "./run cargo run", "cargo test run"] {
            assert_eq!(read(line), None, "{line}");
        }
    }
}
