//! The command of a proposed configuration, and what follows from it.

use std::ffi::OsString;

use super::text::quoted;
use crate::parameter::is_repetition;
use crate::placeholder::{INPUT, Template};

/// Values of a parameter of which nothing is known: three decades.
const RANGE: &str = "\"60..60000 x10\"";

/// A command whose placeholders are known.
pub(super) struct Command {
    /// With placeholders and doubled braces.
    words: Vec<String>,
    /// One word that is a line for the shell.
    is_line: bool,
    /// The placeholders, each once.
    placeholders: Vec<String>,
}

impl Command {
    /// A program that is given the input's name, or is given nothing and reads the input.
    pub(super) fn of_program(program: &str, takes_no_arguments: bool) -> Self {
        // Braces of a file name are no placeholders.
        let program = braces_doubled(program);
        if takes_no_arguments {
            return Self { words: vec![program], is_line: false, placeholders: Vec::new() };
        }
        let words = vec![program, format!("{{{INPUT}}}")];
        Self { words, is_line: false, placeholders: vec![INPUT.to_owned()] }
    }

    pub(super) fn of_words(words: &[OsString]) -> Self {
        let mut placeholders = Vec::new();
        let words: Vec<String> =
            words.iter().map(|word| with_placeholders(word, &mut placeholders)).collect();
        let is_line = words.len() == 1 && words[0].trim().contains(char::is_whitespace);
        Self { words, is_line, placeholders }
    }

    /// Where nothing in the command differs from workload to workload, the standard input does.
    pub(super) fn reads_stdin(&self) -> bool {
        self.placeholders.is_empty()
    }

    /// Whether workloads are files.
    pub(super) fn takes_input(&self) -> bool {
        self.reads_stdin() || self.placeholders.iter().any(|name| name == INPUT)
    }

    pub(super) fn parameters(&self) -> Vec<&str> {
        self.placeholders.iter().map(String::as_str).filter(|name| *name != INPUT).collect()
    }

    pub(super) fn line(&self) -> String {
        let words: Vec<String> = self.words.iter().map(|word| quoted(word)).collect();
        if self.is_line {
            format!("command = {}", words[0])
        } else {
            format!("command = [{}]", words.join(", "))
        }
    }

    pub(super) fn stdin_line(&self) -> String {
        let line = "stdin = \"{input}\"";
        if self.reads_stdin() { line.to_owned() } else { format!("# {line}") }
    }

    pub(super) fn workloads(&self, files: &str) -> String {
        let files = format!("files = {files}");
        let files = if self.takes_input() { files } else { format!("# {files}") };
        let range = |name: &str| if is_repetition(name) { "[1, 2, 3]" } else { RANGE };
        let values: Vec<String> =
            self.parameters().iter().map(|name| format!("{name} = {}", range(name))).collect();
        let parameters = match values.as_slice() {
            [] => format!("# parameters = {{ n = {RANGE}, seed = [1, 2, 3] }}"),
            values => format!("parameters = {{ {} }}", values.join(", ")),
        };
        format!("{files}\n{parameters}")
    }

    pub(super) fn features(&self) -> String {
        let bytes = "bytes = \"size\"                               # of {input}; also \"lines\"";
        let is_named = self.parameters().contains(&"bytes");
        let bytes = if self.takes_input() && !is_named { bytes.to_owned() } else { format!("# {bytes}") };
        let parameter = |name: &str| format!("{name:<5} = {{ parameter = \"{name}\" }}");
        let parameters = self.parameters().into_iter().filter(|name| !is_repetition(name));
        let parameters: Vec<String> = parameters.map(parameter).collect();
        let parameters =
            if parameters.is_empty() { vec![format!("# {}", parameter("n"))] } else { parameters };
        format!("{bytes}\n{}", parameters.join("\n"))
    }
}

/// The word, whose placeholders are added to those that are known. Braces that no name is in are text.
fn with_placeholders(word: &OsString, placeholders: &mut Vec<String>) -> String {
    let template = Template::parse(word);
    if !template.names().all(is_name) {
        return braces_doubled(&word.to_string_lossy());
    }
    let new = template.names().filter(|name| !placeholders.iter().any(|known| known == name));
    let new: std::collections::BTreeSet<String> = new.map(str::to_owned).collect();
    placeholders.extend(new);
    template.text()
}

fn is_name(name: &str) -> bool {
    !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-')
}

fn braces_doubled(text: &str) -> String {
    text.replace('{', "{{").replace('}', "}}")
}
