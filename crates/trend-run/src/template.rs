//! A commented trend-prof.toml for the program in a folder.

use std::collections::BTreeSet;
use std::fs;
use std::io::Read;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use crate::config::CONFIG_FILE;

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
}

/// Looks at a folder and proposes a configuration.
pub fn propose(folder: &Path) -> Proposal {
    let names = names(folder);
    let build = build(folder, &names);
    let executable = executables(folder, &names).into_iter().next();
    let inputs = INPUT_FOLDERS.iter().find(|name| has_files(&folder.join(name)));
    let (mut found, mut to_do) = (Vec::new(), Vec::new());
    if let Some(build) = &build {
        found.push(format!("{}: the build is `{}`", build.marker, build.command));
    }
    let (known, others) = match build.as_ref().map(|b| b.programs.as_slice()) {
        Some([program, others @ ..]) => (Some(program.clone()), others),
        _ => (None, &[][..]),
    };
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
    let workloads = if let Some(inputs) = inputs {
        found.push(format!("{inputs}/: its files are taken for the inputs; change `files` if they are not"));
        format!("files = {}", quoted(&format!("{inputs}/**/*")))
    } else {
        to_do.push(
            "name the inputs in `files`, or use `parameters`: more than ten, over three decades of size"
                .to_owned(),
        );
        "files = \"inputs/*\"".to_owned()
    };
    // Braces of a file name are no placeholders.
    let command = quoted(&program.replace('{', "{{").replace('}', "}}"));
    let build = match &build {
        Some(build) => format!("build = {}", quoted(&build.command)),
        None => "# build = \"make\"".to_owned(),
    };
    let others: Vec<String> = others.iter().map(|o| format!("#           {}\n", quoted(o))).collect();
    let others = match others.as_slice() {
        [] => String::new(),
        others => format!("# Other programs of this build:\n{}", others.concat()),
    };
    Proposal { text: text(&build, &command, &others, &workloads), found, to_do }
}

/// Every key, those that are not needed as comments.
fn text(build: &str, program: &str, others: &str, workloads: &str) -> String {
    format!(
        r#"# What trend-prof runs and measures. Relative paths start in the folder of this file.

[program]
# `trend-prof run` does this first, with compilers that instrument, when sources changed.
# An array of words, or a line for the shell.
{build}
# Which crates of a cargo build count: "all", or your "own" alone, which is faster; work in the others is then not seen.
# crates = "all"
# "single" is faster than "atomic", and exact for programs of one thread.
# update = "atomic"
# Which counters clang builds in: "gcov" or "llvm".
# counters = "gcov"
# What is run for each workload. {{input}} is the input file, {{n}} the parameter n, {{{{ and }}}} are braces.
command = [{program}, "{{input}}"]
{others}# The program's standard input; nothing by default.
# stdin = "{{input}}"
# Where it runs; by default this folder.
# cwd = "."
# Its name in reports; by default the file name of the command.
# name = "program"
# A run is stopped after this time, and at this much memory (address space).
timeout = "10m"
# memory = "2GB"
# How often each workload is run. More than once shows which counts are not deterministic.
# repeat = 1
# How many run at once; by default as many as there are cores.
# jobs = 2
# Exit codes that mean success.
# exit-codes = [0]
# Variables added to its environment.
# env = {{ LC_ALL = "C" }}

[workloads]
# Each file is a workload: one pattern, or an array of them. ** is any number of folders.
{workloads}
# Or every combination of parameters: arrays, or ranges of that many values on a logarithmic scale.
# parameters = {{ n = "60..60000 x10", seed = [1, 2, 3] }}
# A command whose stdout becomes {{input}}.
# generate = ["python3", "gen.py", "{{n}}", "{{seed}}"]

# Numbers that describe a workload; costs are predicted from them. Without this table: the size of the
# input, and every parameter that is not called seed, rep or trial.
[features]
bytes = "size"                               # of {{input}}; also "lines"
# n     = {{ parameter = "n" }}
# rows  = {{ path = 'rows-(\d+)' }}            # the group in the workload's path; every pattern has one
# nodes = {{ stdout = 'nodes=(\d+)' }}         # its last match in the output; also stderr
# edges = {{ file = "stats.txt", pattern = 'edges=(\d+)' }}
# depth = {{ command = ["./depth", "{{input}}"] }}
# parse = {{ location = "parse.c:120" }}       # how often a line ran; may be added after the runs

# How a part of the program may grow: a function, or `file = "parse.c"`, `line = "parse.c:120"`, or `program = true`.
# This version reads it and does not check it.
# [[expect]]
# function = "last_node"
# growth   = "<= n log n"
# feature  = "bytes"
"#
    )
}

fn build(folder: &Path, names: &BTreeSet<String>) -> Option<Build> {
    let has = |name: &str| names.contains(name);
    if has("Cargo.toml") {
        let programs = crate::build::cargo::programs(folder);
        return Some(Build { marker: "Cargo.toml", command: "cargo build --release".to_owned(), programs });
    }
    let make = ["GNUmakefile", "makefile", "Makefile"].into_iter().find(|name| has(name));
    if let Some(marker) = make {
        return Some(Build { marker, command: "make".to_owned(), programs: Vec::new() });
    }
    let with =
        |marker, command: &str| Some(Build { marker, command: command.to_owned(), programs: Vec::new() });
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
    let command = format!("{compiler} -g -O1 -o {} {}{libraries}", shell(stem), shell(source));
    Some(Build { marker: "one source", command, programs: vec![format!("./{stem}")] })
}

fn shell(word: &str) -> String {
    shell_words::quote(word).into_owned()
}

/// A TOML string.
fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => quoted.extend(['\\', c]),
            c if c.is_control() => quoted.extend(format!("\\u{:04X}", c as u32).chars()),
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
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
        let mut start = [0; 4];
        let magic = fs::File::open(path).and_then(|mut f| f.read_exact(&mut start));
        is_executable && magic.is_ok() && start == *b"\x7fELF" && !name.contains(".so")
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
        let root = tempfile::tempdir().unwrap();
        for (name, text) in files {
            let path = root.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        let proposal = propose(root.path());
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
                let is_code = rest.starts_with("[[")
                    || rest.split_once('=').is_some_and(|(k, _)| {
                        let k = k.trim();
                        !k.is_empty() && k.chars().all(|c| c.is_ascii_lowercase() || c == '-')
                    });
                if is_code { rest.to_owned() } else { l.to_owned() }
            })
            .collect();
        let text = uncommented.join("\n").replace("[program]", "[program]\ncommand = \"p {n} {input}\"");
        let config = Config::parse(&text, Path::new("/x/trend-prof.toml")).unwrap();
        assert_eq!(config.features.len(), 7);
        assert_eq!(config.expectations.len(), 1);
        assert_eq!(config.program.env.len(), 1);
        assert!(config.workloads.generate.is_some());
        assert!(config.program.memory_bytes.is_some() && config.program.stdin.is_some());
    }
}
