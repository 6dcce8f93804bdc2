//! A commented trend-prof.toml for the program in a folder.

mod command;
mod text;

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use trend_profile::shell_word;

use crate::config::CONFIG_FILE;
use crate::run::is_elf;
use command::Command;
use text::{Choice, quoted, text};

/// A configuration that somebody can go on from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proposal {
    /// The text of a trend-prof.toml; [`Config::parse`](crate::Config::parse) accepts it.
    pub text: String,
    /// What was found in the folder, a sentence each.
    pub found: Vec<String>,
    /// What has to be filled in before it can run, a sentence each; empty when it works as it is.
    pub to_do: Vec<String>,
}

/// Folders that inputs are often kept in.
const INPUT_FOLDERS: [&str; 7] = ["inputs", "input", "corpus", "workloads", "samples", "testdata", "data"];

/// How a folder's program is built.
struct Build {
    /// The file that says so.
    marker: &'static str,
    /// As in `[program] build`.
    command: String,
    /// Where the programs are then, as far as that can be told, the likeliest first.
    programs: Vec<String>,
    /// Whether its program cannot be given a file's name.
    takes_no_arguments: bool,
}

impl Build {
    fn new(marker: &'static str, command: &str) -> Self {
        Self { marker, command: command.to_owned(), programs: Vec::new(), takes_no_arguments: false }
    }
}

/// Looks at a folder and proposes a configuration, for a command where there is one; of none the program is looked for.
pub fn propose(folder: &Path, command: &[OsString]) -> Proposal {
    let names = names(folder);
    let build = build(folder, &names);
    let (mut found, mut to_do) = (Vec::new(), Vec::new());
    if let Some(build) = &build {
        found.push(format!("{}: the build is `{}`", build.marker, build.command));
    }
    let (command, others) = if command.is_empty() {
        program(folder, &names, build.as_ref(), &mut found, &mut to_do)
    } else {
        (Command::of_words(command), String::new())
    };
    if command.reads_stdin() {
        found.push("the program is given the input as its standard input".to_owned());
    }
    let inputs = INPUT_FOLDERS.iter().find(|name| has_files(&folder.join(name)));
    let files = inputs.map(|inputs| quoted(&format!("{inputs}/**/*")));
    match inputs {
        _ if !command.takes_input() => {}
        Some(inputs) => {
            found.push(format!(
                "{inputs}/: its files are taken for the inputs; change `files` if they are not"
            ));
        }
        None => to_do.push(
            "name the inputs in `files`, or use `parameters`: more than ten, over three decades of size"
                .to_owned(),
        ),
    }
    if !command.parameters().is_empty() {
        to_do.push("change the values of `parameters` to sizes that the program is run with".to_owned());
    }
    let choice = Choice {
        build: match &build {
            Some(build) => format!("build = {}", quoted(&build.command)),
            None => "# build = \"make\"".to_owned(),
        },
        others,
        stdin: command.stdin_line(),
        workloads: command.workloads(files.as_deref().unwrap_or("\"inputs/*\"")),
        features: command.features(),
        command: command.line(),
    };
    Proposal { text: text(&choice), found, to_do }
}

/// The program of a folder as a command, and others that its build makes, as comments.
fn program(
    folder: &Path,
    names: &BTreeSet<String>,
    build: Option<&Build>,
    found: &mut Vec<String>,
    to_do: &mut Vec<String>,
) -> (Command, String) {
    let (known, others) = match build.map(|b| b.programs.as_slice()) {
        Some([program, others @ ..]) => (Some(program.clone()), others),
        _ => (None, &[][..]),
    };
    let executable = executables(folder, names).into_iter().next();
    let program = known.or_else(|| executable.map(|name| format!("./{name}"))).unwrap_or_else(|| {
        to_do.push("write the program into `command`: `./program` is only an example".to_owned());
        "./program".to_owned()
    });
    if program != "./program" {
        found.push(format!("the program is `{program}`"));
    }
    if !others.is_empty() {
        let others = others.join("`, `");
        found.push(format!("the build makes other programs as well; change `command` for one of `{others}`"));
    }
    let lines: Vec<String> = others.iter().map(|o| format!("#           {}\n", quoted(o))).collect();
    let others = match lines.as_slice() {
        [] => String::new(),
        lines => format!("# Other programs of this build:\n{}", lines.concat()),
    };
    (Command::of_program(&program, build.is_some_and(|b| b.takes_no_arguments)), others)
}

fn build(folder: &Path, names: &BTreeSet<String>) -> Option<Build> {
    let has = |name: &str| names.contains(name);
    if has("Cargo.toml") {
        let programs = crate::build::cargo::programs(folder);
        return Some(Build { programs, ..Build::new("Cargo.toml", "cargo build --release") });
    }
    let make = ["GNUmakefile", "makefile", "Makefile"].into_iter().find(|name| has(name));
    if let Some(marker) = make {
        return Some(Build::new(marker, "make"));
    }
    let with = |marker, command| Some(Build::new(marker, command));
    if has("CMakeLists.txt") {
        return with("CMakeLists.txt", "cmake -S . -B build-trend && cmake --build build-trend");
    }
    if has("meson.build") {
        return with("meson.build", "test -d build-trend || meson setup build-trend; ninja -C build-trend");
    }
    if has("configure") {
        return with("configure", "test -f Makefile || ./configure --disable-shared; make");
    }
    single_source(folder, names)
}

/// A folder with one source is a program of one source.
fn single_source(folder: &Path, names: &BTreeSet<String>) -> Option<Build> {
    let compiler = |name: &String| match name.rsplit_once('.')?.1 {
        "c" => Some("cc"),
        "cc" | "cpp" | "cxx" => Some("c++"),
        _ => None,
    };
    let mut sources = names.iter().filter_map(|n| Some((n, compiler(n)?)));
    let (Some((source, compiler)), None) = (sources.next(), sources.next()) else { return None };
    let stem = source.rsplit_once('.').map_or(source.as_str(), |(stem, _)| stem);
    let text = fs::read_to_string(folder.join(source)).unwrap_or_default();
    let libraries = if text.contains("<math.h>") { " -lm" } else { "" };
    let command = format!("{compiler} -g -O1 -o {} {}{libraries}", shell_word(stem), shell_word(source));
    let takes_no_arguments = ["main(void)", "main()"].iter().any(|main| text.contains(main));
    let programs = vec![format!("./{stem}")];
    Some(Build { programs, takes_no_arguments, ..Build::new("one source", &command) })
}

fn names(folder: &Path) -> BTreeSet<String> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries.filter_map(|e| e.file_name().into_string().ok()).filter(|n| !n.starts_with('.')).collect()
}

/// Programs of this machine's own kind, not scripts.
fn executables(folder: &Path, names: &BTreeSet<String>) -> Vec<String> {
    let is_program = |name: &&String| {
        let path = folder.join(name);
        let is_executable = path.metadata().is_ok_and(|m| m.is_file() && m.permissions().mode() & 0o111 != 0);
        is_executable && is_elf(&path) && !name.contains(".so")
    };
    names.iter().filter(is_program).cloned().collect()
}

fn has_files(folder: &Path) -> bool {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries.filter(|e| e.file_name() != CONFIG_FILE).any(|e| e.path().is_file() || e.path().is_dir())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Config;

    fn proposed(files: &[(&str, &str)]) -> (Proposal, Config) {
        proposed_for(files, &[])
    }

    fn proposed_for(files: &[(&str, &str)], command: &[&str]) -> (Proposal, Config) {
        let root = tempfile::tempdir().unwrap();
        for (name, text) in files {
            let path = root.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        let proposal = propose(root.path(), &command.iter().map(OsString::from).collect::<Vec<_>>());
        let config = Config::parse(&proposal.text, &root.path().join(CONFIG_FILE)).unwrap();
        (proposal, config)
    }

    #[test]
    fn an_empty_folder_gets_a_configuration_that_says_what_to_fill_in() {
        let (proposal, config) = proposed(&[]);
        assert_eq!(proposal.to_do.len(), 2);
        assert!(config.program.build.is_none());
    }

    #[test]
    fn one_source_with_inputs_works_as_it_is() {
        let (proposal, config) = proposed(&[("my {sort}.c", "#include <math.h>"), ("inputs/1", "")]);
        assert_eq!(proposal.to_do, [""; 0]);
        let line = config.program.build.unwrap()[2].to_string_lossy().into_owned();
        assert!(line.contains("-lm"), "{line}");
        assert_eq!(config.program.name, "my {sort}");
        assert_eq!(config.workloads.files, ["inputs/**/*"]);
    }

    #[test]
    fn a_program_that_can_be_given_no_name_reads_its_standard_input() {
        let source = "#include <stdio.h>\nint main(void) { return getchar(); }";
        let (proposal, config) = proposed(&[("count.c", source), ("inputs/1", "")]);
        assert_eq!(proposal.to_do, [""; 0]);
        assert!(proposal.text.contains("command = [\"./count\"]\n"));
        assert!(config.program.stdin.unwrap().uses_input());
        let (proposal, config) = proposed(&[("count.c", "int main(int c, char **v) { return c; }")]);
        assert!(config.program.stdin.is_none() && proposal.text.contains("[\"./count\", \"{input}\"]"));
        assert!(proposal.text.contains("A program that reads it, as `sort` does, needs this line"));
    }

    #[test]
    fn a_command_that_is_given_is_taken_as_it_is() {
        let given = |command: &[&str]| proposed_for(&[("inputs/1", ""), ("Makefile", "")], command);
        let (proposal, config) = given(&["wc", "-l"]);
        assert!(config.program.stdin.is_some() && proposal.to_do.is_empty(), "{proposal:?}");
        let (_, config) = given(&["./p", "--in={input}"]);
        assert!(config.program.stdin.is_none() && config.workloads.files == ["inputs/**/*"]);
        let (proposal, config) = given(&["./p", "{n}", "{k}"]);
        assert_eq!(config.features.iter().map(|f| &*f.name).collect::<Vec<_>>(), ["n", "k"]);
        assert!(config.workloads.files.is_empty() && config.workloads.parameters.len() == 2);
        assert_eq!(proposal.to_do.len(), 1);
        let (_, config) = given(&["./p {n} <{input} | wc"]);
        assert_eq!((config.features.len(), config.workloads.files.len()), (2, 1));
        let (_, config) = given(&["./p", "{bytes}", "{seed}", "{input}"]);
        assert_eq!(config.features.iter().map(|f| &*f.name).collect::<Vec<_>>(), ["bytes"]);
        assert_eq!(config.workloads.parameters[1].values, ["1", "2", "3"]);
        let (_, config) = given(&["awk", "{ print $1 }", "{input}"]);
        assert_eq!(config.program.command[1].text(), "{{ print $1 }}");
    }

    #[test]
    fn build_systems_are_recognised() {
        for (file, word) in [("Makefile", "make"), ("CMakeLists.txt", "cmake"), ("meson.build", "ninja")] {
            let (_, config) = proposed(&[(file, "")]);
            assert!(config.program.build.unwrap()[2].to_string_lossy().contains(word));
        }
    }

    #[test]
    fn every_key_is_documented_and_every_commented_key_is_known() {
        let (proposal, _) = proposed(&[]);
        let uncommented: Vec<String> = proposal
            .text
            .lines()
            .filter(|l| !l.starts_with("files =") && !l.starts_with("command ="))
            .map(|l| {
                let rest = l.strip_prefix("# ").unwrap_or(l);
                let is_code = rest.starts_with('[')
                    || rest.split_once('=').is_some_and(|(k, _)| {
                        let k = k.trim();
                        !k.is_empty() && k.chars().all(|c| c.is_ascii_lowercase() || c == '-')
                    });
                if is_code { rest.to_owned() } else { l.to_owned() }
            })
            .collect();
        let text = uncommented.join("\n").replace("[program]", "[program]\ncommand = \"p {n} {input}\"");
        let config = Config::parse(&text, Path::new("/x/trend-prof.toml")).unwrap();
        assert_eq!(config.features.len(), 8);
        assert_eq!(config.program.env.len(), 1);
        assert!(config.workloads.generate.is_some() && !config.fragments.worker.is_empty());
        assert!(config.program.memory_bytes.is_some() && config.program.stdin.is_some());
        assert!(config.expectations[0].growth.is_some() && config.expectations[0].costs.len() == 1);
    }
}
