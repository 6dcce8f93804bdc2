//! Parses the inputs and the output of a compiler call.

use std::collections::BTreeSet;
use std::path::Path;

/// Options whose value is the next word. All other options stand alone or have their value attached.
const WITH_VALUE: &[&str] = &[
    "-o",
    "-x",
    "-I",
    "-L",
    "-l",
    "-D",
    "-U",
    "-A",
    "-T",
    "-u",
    "-z",
    "-e",
    "-G",
    "-B",
    "-F",
    "-h",
    "-include",
    "-imacros",
    "-isystem",
    "-iquote",
    "-idirafter",
    "-iprefix",
    "-iwithprefix",
    "-iwithprefixbefore",
    "-isysroot",
    "--sysroot",
    "-imultilib",
    "-include-pch",
    "-MF",
    "-MT",
    "-MQ",
    "-MJ",
    "-Xlinker",
    "-Xassembler",
    "-Xpreprocessor",
    "-Xclang",
    "-mllvm",
    "-arch",
    "-target",
    "--param",
    "-aux-info",
    "-wrapper",
    "-framework",
    "-dumpbase",
    "-dumpdir",
    "-dumpbase-ext",
    "-rpath",
    "-soname",
    "-gcc-toolchain",
    "-working-directory",
    "-install_name",
];

/// Names of sources that build systems compile to learn about the compiler. They must behave as if nothing had been
/// added, and leave no files behind.
const PROBES: &[&str] = &["conftest.", "CMakeCCompilerId.", "CMakeCXXCompilerId.", "sanitycheckc"];

/// Folders in which build systems compile such sources.
const PROBE_FOLDERS: &[&str] = &["/CMakeFiles/CMakeTmp", "/CMakeFiles/CMakeScratch", "/meson-private"];

/// The kind of an input, given by its name or by the language option.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Input {
    Source,
    Assembler,
    Header,
    Object,
}

/// A word that names an input.
pub(super) struct InputWord {
    pub(super) kind: Input,
    pub(super) path: String,
    /// Index of the word in the call.
    pub(super) position: usize,
}

/// The inputs and the output of a call.
pub(super) struct Call {
    pub(super) inputs: Vec<InputWord>,
    pub(super) output: Option<String>,
    /// Indices of the words that name the output.
    pub(super) output_words: Vec<usize>,
}

impl Call {
    /// Parses the words of a call. Response files must already be expanded.
    pub(super) fn read(words: &[String]) -> Self {
        let mut call = Self { inputs: Vec::new(), output: None, output_words: Vec::new() };
        let mut language: Option<String> = None;
        let mut words = words.iter().enumerate();
        let mut only_inputs = false;
        while let Some((position, word)) = words.next() {
            if only_inputs || word == "-" || !word.starts_with('-') {
                let kind = kind(word, language.as_deref());
                call.inputs.push(InputWord { kind, path: word.clone(), position });
            } else if word == "--" {
                only_inputs = true;
            } else if word == "-x" || word.starts_with("-x") {
                let named = if word == "-x" {
                    words.next().map(|(_, w)| w.clone())
                } else {
                    Some(word[2..].to_owned())
                };
                language = named.filter(|l| l != "none");
            } else if word == "-o" {
                call.output = words.next().map(|(_, w)| w.clone());
                call.output_words.extend([position, position + 1]);
            } else if let Some(output) = word.strip_prefix("-o").filter(|o| o.starts_with(['/', '.'])) {
                call.output = Some(output.to_owned());
                call.output_words.push(position);
            } else if WITH_VALUE.contains(&word.as_str()) {
                words.next();
            }
        }
        call
    }

    /// Returns true if a build system makes this call to learn about the compiler.
    pub(super) fn is_probe(&self, cwd: &Path) -> bool {
        let in_folder = |path: &str| PROBE_FOLDERS.iter().any(|f| path.contains(f));
        in_folder(&cwd.to_string_lossy())
            || self.inputs.iter().any(|InputWord { path, .. }| {
                let name = path.rsplit('/').next().unwrap_or(path);
                in_folder(path) || PROBES.iter().any(|probe| name.starts_with(probe))
            })
    }

    /// Returns the objects and archives that the call names.
    pub(super) fn objects(&self) -> impl Iterator<Item = &str> {
        let objects = self.inputs.iter().filter(|input| input.kind == Input::Object);
        let is_named_so = |path: &&str| Path::new(path).extension().is_some_and(|e| e == "o" || e == "a");
        objects.map(|input| input.path.as_str()).filter(is_named_so)
    }

    /// Returns the base names that several of the sources have.
    pub(super) fn clashes(&self) -> Vec<String> {
        let stem = |path: &str| {
            let name = path.rsplit('/').next().unwrap_or(path);
            name.rsplit_once('.').map_or(name, |(stem, _)| stem).to_owned()
        };
        let sources = self.inputs.iter().filter(|input| input.kind == Input::Source);
        let mut seen = BTreeSet::new();
        let twice: BTreeSet<String> =
            sources.map(|input| stem(&input.path)).filter(|s| !seen.insert(s.clone())).collect();
        twice.into_iter().collect()
    }
}

fn kind(path: &str, language: Option<&str>) -> Input {
    match language {
        Some("assembler" | "assembler-with-cpp") => return Input::Assembler,
        Some(language) if language.ends_with("-header") => return Input::Header,
        Some(_) => return Input::Source,
        None => {}
    }
    let name = path.rsplit('/').next().unwrap_or(path);
    match name.rsplit_once('.').map_or("", |(_, extension)| extension) {
        "c" | "i" | "C" | "cc" | "cp" | "cxx" | "cpp" | "CPP" | "c++" | "ii" | "cppm" | "ixx" | "m"
        | "mm" | "M" | "mi" | "mii" => Input::Source,
        "s" | "S" | "sx" | "asm" => Input::Assembler,
        "h" | "H" | "hh" | "hp" | "hpp" | "HPP" | "hxx" | "h++" | "tcc" => Input::Header,
        _ => Input::Object,
    }
}
