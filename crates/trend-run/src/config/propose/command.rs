//! The command of a proposed configuration, and the entries that depend on it.

use std::ffi::OsString;
use std::path::Path;

use super::text::quoted;
use crate::words::parameter::is_repetition;
use crate::words::placeholder::{INPUT, Template};

/// A file that inputs of other sizes are made from.
#[derive(Clone, Copy, Debug)]
pub struct Seed<'a> {
    /// Its path, relative to the folder.
    pub path: &'a Path,
    /// Name of the parameter for the size of an input.
    pub parameter: &'a str,
}

/// Values for an unknown parameter: three decades.
const RANGE: &str = "\"60..60000 x10\"";

/// Sizes of inputs that are made from a file: four decades.
const MADE_SIZES: &str = "\"1..10000 x12\"";

/// A command with known placeholders.
pub(super) struct Command {
    /// The words, with placeholders and doubled braces.
    words: Vec<String>,
    /// True if the command is one word with a line for the shell.
    is_line: bool,
    /// The placeholders, without duplicates.
    placeholders: Vec<String>,
}

impl Command {
    /// Creates the command of a program that is given the input's name, or that takes no arguments and reads its
    /// standard input.
    pub(super) fn of_program(program: &str, takes_no_arguments: bool) -> Self {
        // Braces in a file name are not placeholders.
        let program = braces_doubled(program);
        if takes_no_arguments {
            return Self { words: vec![program], is_line: false, placeholders: Vec::new() };
        }
        let words = vec![program, format!("{{{INPUT}}}")];
        Self { words, is_line: false, placeholders: vec![INPUT.to_owned()] }
    }

    /// Creates the command that a user typed. In words that are code, only placeholders that also occur in other words
    /// count, if the other words have any.
    pub(super) fn of_words(words: &[OsString]) -> Self {
        let templates: Vec<Template> = words.iter().map(|word| Template::parse(word)).collect();
        let names_of = |is_meant: &dyn Fn(&Template) -> bool| {
            let mut names: Vec<String> = Vec::new();
            for name in templates.iter().filter(|t| is_meant(t)).flat_map(Template::names) {
                if !names.iter().any(|other| other == name) {
                    names.push(name.to_owned());
                }
            }
            names
        };
        let mut placeholders = names_of(&|template| !template.is_code());
        if placeholders.is_empty() {
            placeholders = names_of(&|_| true);
        }
        let is_placeholder = |name: &str| placeholders.iter().any(|placeholder| placeholder == name);
        let words: Vec<String> = templates.iter().map(|t| t.text_with(is_placeholder)).collect();
        let is_line = words.len() == 1 && words[0].trim().contains(char::is_whitespace);
        Self { words, is_line, placeholders }
    }

    /// Returns true if the input is the standard input, because no argument varies between workloads.
    pub(super) fn reads_stdin(&self) -> bool {
        self.placeholders.is_empty()
    }

    /// Returns true if workloads are files.
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

    /// Returns the lines for the workloads. If inputs are made from a file, `files` is only an example.
    pub(super) fn workloads(&self, files: &str, seed: Option<Seed<'_>>) -> String {
        let files = format!("files = {files}");
        let files = if self.takes_input() && seed.is_none() { files } else { format!("# {files}") };
        let range = |name: &str| if is_repetition(name) { "[1, 2, 3]" } else { RANGE };
        let grown = seed.map(|seed| format!("{} = {MADE_SIZES}", seed.parameter));
        let values = self.parameters().into_iter().map(|name| format!("{name} = {}", range(name)));
        let values: Vec<String> = grown.into_iter().chain(values).collect();
        let parameters = match values.as_slice() {
            [] => format!("# parameters = {{ n = {RANGE}, seed = [1, 2, 3] }}"),
            values => format!("parameters = {{ {} }}", values.join(", ")),
        };
        format!("{files}\n{parameters}")
    }

    pub(super) fn features(&self) -> String {
        let bytes = "bytes = \"size\"                               # size of {input}; or \"lines\"";
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

pub(super) fn braces_doubled(text: &str) -> String {
    text.replace('{', "{{").replace('}', "}}")
}
