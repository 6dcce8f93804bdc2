//! Proposes a commented trend-prof.toml for the program in a folder.

pub(crate) mod command;
mod text;

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use trend_profile::shell_word;

use self::command::{Command, Seed, braces_doubled};
use self::text::{Choice, quoted, text};
use super::settings::CONFIG_FILE;
use crate::program::binaries::is_elf;
use crate::program::language::Language;
use crate::project::cargo;
use crate::project::cargo_run::CargoRun;
use crate::words::error::ConfigError;

/// A proposed configuration, as a starting point for the user.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proposal {
    /// Text of a trend-prof.toml, accepted by [`Config::parse`](crate::Config::parse).
    pub text: String,
    /// Findings in the folder, one sentence each.
    pub findings: Vec<String>,
    /// Entries to fill in before the program can run, one sentence each; empty if the text works as it is.
    pub to_do: Vec<String>,
    /// The command that rebuilds the program after a build without counters.
    pub build_anew: Option<String>,
}

/// Files in which cmake and meson describe a configured folder.
const CMAKE_CACHE: &str = "CMakeCache.txt";
const MESON_INFO: &str = "meson-info/meson-info.json";

/// The file that autoconf's `configure` writes.
const CONFIGURED: &str = "config.status";

/// Usual folders of inputs.
const INPUT_FOLDERS: [&str; 7] = ["inputs", "input", "corpus", "workloads", "samples", "testdata", "data"];

/// The build of a folder's program.
struct Build {
    /// Name of the file from which the build was derived.
    marker: &'static str,
    /// The command for `[program] build`.
    command: String,
    /// The command that rebuilds everything, if an earlier build without counters is up to date.
    anew: Option<String>,
    /// Paths of the programs after the build, as far as known, the most likely one first.
    programs: Vec<String>,
    /// True if the program cannot be given the name of a file.
    takes_no_arguments: bool,
}

impl Build {
    fn new(marker: &'static str, command: &str) -> Self {
        Self {
            marker,
            command: command.to_owned(),
            anew: None,
            programs: Vec::new(),
            takes_no_arguments: false,
        }
    }
}

/// Examines a folder and proposes a configuration. If `command` is empty, looks for the program. `cargo run` is
/// replaced by the program that it starts. If `seed` is given, inputs of other sizes are made from it.
///
/// # Errors
/// Fails if it is unclear which program `cargo run` would start.
pub fn propose(folder: &Path, command: &[OsString], seed: Option<Seed<'_>>) -> Result<Proposal, ConfigError> {
    let names = names(folder);
    let words: Vec<String> = command.iter().map(|word| word.to_string_lossy().into_owned()).collect();
    let run = CargoRun::read(folder, &words).transpose()?;
    let started: Option<Vec<OsString>> =
        run.as_ref().map(|run| run.command.iter().map(OsString::from).collect());
    let command = started.as_deref().unwrap_or(command);
    let build = match run {
        Some(run) => Some(Build::new("cargo run", &shell_words::join(run.build))),
        // The build of another program in the folder would not be this one's.
        None if Language::of_command(command, folder).is_some() => None,
        None => build(folder, &names, command.first().map(Path::new)),
    };
    let (mut findings, mut to_do) = (Vec::new(), Vec::new());
    if let Some(build) = &build {
        findings.push(format!("{}: the build is `{}`", build.marker, build.command));
    }
    let (command, others) = if command.is_empty() {
        program(folder, &names, build.as_ref(), &mut findings, &mut to_do)
    } else {
        (Command::of_words(command), String::new())
    };
    if command.reads_stdin() {
        findings.push("the program gets the input as its standard input".to_owned());
    }
    let inputs = INPUT_FOLDERS.iter().find(|name| has_files(&folder.join(name)));
    let files = inputs.map(|inputs| quoted(&format!("{inputs}/**/*")));
    match inputs {
        _ if !command.takes_input() || seed.is_some() => {}
        Some(inputs) => {
            findings.push(format!("{inputs}/: its files are used as inputs; change `files` if they are not"));
        }
        None => to_do.push(
            "set the inputs in `files`, or use `parameters`: more than ten, over three decades of size"
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
        workloads: command.workloads(files.as_deref().unwrap_or("\"inputs/*\""), seed),
        generate: generate(seed),
        features: command.features(),
        command: command.line(),
    };
    Ok(Proposal { text: text(&choice), findings, to_do, build_anew: build.and_then(|build| build.anew) })
}

/// Returns the line for the command that makes inputs from `seed`, or a comment with an example.
fn generate(seed: Option<Seed<'_>>) -> String {
    let Some(seed) = seed else {
        return "# generate = [\"python3\", \"gen.py\", \"{n}\", \"{seed}\"]".to_owned();
    };
    let path = quoted(&braces_doubled(&seed.path.to_string_lossy()));
    format!("generate = [\"trend-prof\", \"grow\", {path}, \"{{{}}}\"]", seed.parameter)
}

/// Returns the command for a folder's program, and comment lines with other programs that its build makes.
fn program(
    folder: &Path,
    names: &BTreeSet<String>,
    build: Option<&Build>,
    findings: &mut Vec<String>,
    to_do: &mut Vec<String>,
) -> (Command, String) {
    let (built, others) = match build.map(|b| b.programs.as_slice()) {
        Some([program, others @ ..]) => (Some(program.clone()), others),
        _ => (None, &[][..]),
    };
    let executable = executables(folder, names).into_iter().next();
    let program = built.or_else(|| executable.map(|name| format!("./{name}"))).unwrap_or_else(|| {
        to_do.push("write the program into `command`: `./program` is only an example".to_owned());
        "./program".to_owned()
    });
    if program != "./program" {
        findings.push(format!("the program is `{program}`"));
    }
    if !others.is_empty() {
        let others = others.join("`, `");
        findings
            .push(format!("the build also makes other programs; change `command` to use one of `{others}`"));
    }
    let lines: Vec<String> = others.iter().map(|o| format!("#           {}\n", quoted(o))).collect();
    let others = match lines.as_slice() {
        [] => String::new(),
        lines => format!("# Other programs of this build:\n{}", lines.concat()),
    };
    (Command::of_program(&program, build.is_some_and(|b| b.takes_no_arguments)), others)
}

/// Returns the build of a folder. `program` selects one of several programs.
fn build(folder: &Path, names: &BTreeSet<String>, program: Option<&Path>) -> Option<Build> {
    let has = |name: &str| names.contains(name);
    if has("Cargo.toml") {
        let programs = cargo::programs(folder);
        let command = cargo::build_line(folder, program.unwrap_or(Path::new("")));
        return Some(Build { programs, ..Build::new("Cargo.toml", &command) });
    }
    if let Some(build) = of_build_folder(folder) {
        return Some(build);
    }
    let make = ["GNUmakefile", "makefile", "Makefile"].into_iter().find(|name| has(name));
    // In an in-source build of cmake, the Makefile names the compiler by its path.
    if let Some(marker) = make.filter(|_| !has(CMAKE_CACHE)) {
        let configured = of_autotools(folder, names).filter(|_| has(CONFIGURED));
        let anew = |line: &str| Some(line.to_owned());
        return Some(match configured {
            Some(build) => Build { anew: anew("make clean && make"), ..build },
            None => Build { anew: anew("make -B"), ..Build::new(marker, "make") },
        });
    }
    if has("CMakeLists.txt") {
        return Some(Build::new("CMakeLists.txt", &with_cmake(".")));
    }
    if has("meson.build") {
        return Some(Build::new("meson.build", &with_meson("")));
    }
    of_autotools(folder, names).or_else(|| single_source(folder, names))
}

/// Returns a separate build of the sources for which cmake or meson configured this folder.
fn of_build_folder(folder: &Path) -> Option<Build> {
    let names_sources = |text: &str| {
        let line = text.lines().find_map(|line| line.strip_prefix("CMAKE_HOME_DIRECTORY:INTERNAL="))?;
        Some(PathBuf::from(line))
            .filter(|sources| *sources != std::path::absolute(folder).unwrap_or_default())
    };
    let cache = fs::read_to_string(folder.join(CMAKE_CACHE)).ok();
    if let Some(sources) = cache.as_deref().and_then(names_sources) {
        return Some(Build::new(CMAKE_CACHE, &with_cmake(&shell_word(&sources.to_string_lossy()))));
    }
    let info = fs::read_to_string(folder.join(MESON_INFO)).ok()?;
    let info: serde_json::Value = serde_json::from_str(&info).ok()?;
    let sources = info["directories"]["source"].as_str()?;
    Some(Build::new(MESON_INFO, &with_meson(&format!(" {}", shell_word(sources)))))
}

fn with_cmake(sources: &str) -> String {
    format!("cmake -S {sources} -B build-trend && cmake --build build-trend")
}

/// `sources` begins with a blank, or is empty if the sources are in this folder.
fn with_meson(sources: &str) -> String {
    format!(
        "{{ test -f build-trend/build.ninja || meson setup build-trend{sources}; }} && ninja -C build-trend"
    )
}

/// Command that gives automake's files the times of a release. A checkout gives them new times in any order. make
/// would then write them again, which needs the same version of automake.
const IN_ORDER: &str = "touch -c aclocal.m4; find . -name configure -o -name Makefile.in -o -name config.h.in \
                        | xargs touch -c";

/// Returns the build of a project with a `configure` script, or with the input from which autoconf makes one.
fn of_autotools(folder: &Path, names: &BTreeSet<String>) -> Option<Build> {
    let has = |name: &str| names.contains(name);
    // A `configure` beside its source may have been made here, and another checkout lacks it.
    let marker = ["configure.ac", "configure.in", "configure"].into_iter().find(|name| has(name))?;
    let text = fs::read(folder.join(marker)).unwrap_or_default();
    let is_of_autoconf = marker != "configure" || memchr::memmem::find(&text, b"utoconf").is_some();
    // With this option, programs do not need libtool's script to find their libraries. A `configure` from elsewhere may
    // not know the option.
    let configure = if is_of_autoconf { "./configure --disable-shared" } else { "./configure" };
    let make_it = if marker == "configure" { "" } else { "{ test -f configure || autoreconf -fi; } && " };
    let done = if is_of_autoconf { CONFIGURED } else { "Makefile" };
    let configured =
        if has("aclocal.m4") { format!("{{ {IN_ORDER}; {configure}; }}") } else { configure.to_owned() };
    let command = format!("{make_it}{{ test -f {done} || {configured}; }} && make");
    Some(Build::new(marker, &command))
}

/// Returns the build of a folder with a single source file.
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

/// Returns the programs for this machine in a folder, without scripts.
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
    use crate::config::settings::Config;
    use crate::words::placeholder::Template;

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
        let words: Vec<OsString> = command.iter().map(OsString::from).collect();
        let proposal = propose(root.path(), &words, None).unwrap();
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
    fn inputs_are_made_from_a_file() {
        let root = tempfile::tempdir().unwrap();
        let command = ["./p", "{input}"].map(OsString::from);
        let proposal = propose(
            root.path(),
            &command,
            Some(Seed { path: Path::new("a {b}.json"), parameter: "percent" }),
        )
        .unwrap();
        assert_eq!(proposal.to_do, [""; 0]);
        let config = Config::parse(&proposal.text, &root.path().join(CONFIG_FILE)).unwrap();
        let generate: Vec<String> = config.workloads.generate.unwrap().iter().map(Template::text).collect();
        assert_eq!(generate, ["trend-prof", "grow", "a {{b}}.json", "{percent}"]);
        assert_eq!(config.workloads.parameters[0].name, "percent");
        assert!(config.workloads.files.is_empty());
        let features: Vec<&str> = config.features.iter().map(|feature| &*feature.name).collect();
        assert_eq!(features, ["bytes"]);
    }

    #[test]
    fn build_systems_are_recognised() {
        for (file, word) in [("Makefile", "make"), ("CMakeLists.txt", "cmake"), ("meson.build", "ninja")] {
            let (_, config) = proposed(&[(file, "")]);
            assert!(config.program.build.unwrap()[2].to_string_lossy().contains(word));
        }
    }

    #[test]
    fn a_project_of_autotools_is_configured_and_not_compiled_by_guess() {
        let line = |files: &[(&str, &str)]| {
            let (_, config) = proposed_for(files, &["./p", "{n}"]);
            config.program.build.map(|build| build[2].to_string_lossy().into_owned()).unwrap_or_default()
        };
        let main = ("main.c", "int main() {}");
        let autoconf = ("configure", "# Generated by GNU Autoconf 2.71");
        let configured = "{ test -f config.status || ./configure --disable-shared; } && make";
        // Once the project was built, its folder has files that a fresh checkout lacks.
        let made = [autoconf, ("Makefile", ""), ("config.status", "")];
        for source in ["configure.ac", "configure.in"] {
            for built in 0..=made.len() {
                let files = [&[(source, ""), main][..], &made[..built]].concat();
                if built != 2 {
                    let whole = format!("{{ test -f configure || autoreconf -fi; }} && {configured}");
                    assert_eq!(line(&files), whole, "{files:?}");
                }
            }
        }
        assert_eq!(line(&[autoconf, main]), configured);
        assert_eq!(line(&[autoconf, ("Makefile", ""), ("config.status", "")]), configured);
        let checkout = line(&[autoconf, ("aclocal.m4", ""), ("Makefile.in", ""), main]);
        let ordered = format!(
            "{{ test -f config.status || {{ {IN_ORDER}; ./configure --disable-shared; }}; }} && make"
        );
        assert_eq!(checkout, ordered);
        assert_eq!(line(&[("configure", ""), main]), "{ test -f Makefile || ./configure; } && make");
        assert_eq!(line(&[autoconf, ("Makefile", "")]), "make");
        let info = r#"{"directories": {"source": "/s s"}}"#;
        assert!(line(&[("meson-info/meson-info.json", info)]).contains("meson setup build-trend '/s s'"));
        let cache = [("CMakeCache.txt", "CMAKE_HOME_DIRECTORY:INTERNAL=/s"), ("Makefile", "")];
        assert!(line(&cache).starts_with("cmake -S /s -B build-trend"), "{}", line(&cache));
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
