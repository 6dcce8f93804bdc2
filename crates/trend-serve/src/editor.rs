//! Opens a line of code in the user's editor.

use std::ffi::{OsStr, OsString};
use std::path::Path;

use hyper::StatusCode;
use serde::Deserialize;
use serde_json::{Value, json};
use trend_profile::Study;

use crate::ServeError;
use crate::answer::Refusal;
use crate::source::{self, SourceRoot};

/// A command that opens a file at a line; `{file}` and `{line}` are placeholders.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Editor {
    command: Vec<String>,
}

/// Body of a request to open a line.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Request {
    file: String,
    #[serde(default = "first_line")]
    line: u32,
}

fn first_line() -> u32 {
    1
}

impl Editor {
    /// Parses a command line such as `code -g {file}:{line}`. No shell is involved, but quotes work as in one.
    ///
    /// # Errors
    /// [`ServeError::Editor`] if a quote is not closed or the program is missing.
    pub fn parse(command: &str) -> Result<Self, ServeError> {
        let bad = |what: String| ServeError::Editor { command: command.to_owned(), what };
        let mut words = shell_words::split(command).map_err(|e| bad(e.to_string()))?;
        if words.first().is_none_or(String::is_empty) {
            return Err(bad("it has no program".to_owned()));
        }
        if !words.iter().skip(1).any(|word| word.contains("{file}")) {
            words.push("{file}".to_owned());
        }
        Ok(Self { command: words })
    }

    /// Returns the program and its arguments.
    fn command(&self, file: &Path, line: u32) -> Vec<OsString> {
        let (program, arguments) = self.command.split_at(1);
        let filled = arguments.iter().map(|word| fill(word, file.as_os_str(), &line.to_string()));
        program.iter().map(OsString::from).chain(filled).collect()
    }
}

/// Replaces the placeholders in a word. The line goes first, so that a file called `{line}` keeps its name.
fn fill(word: &str, file: &OsStr, line: &str) -> OsString {
    let with_line = word.replace("{line}", line);
    let parts: Vec<&OsStr> = with_line.split("{file}").map(OsStr::new).collect();
    parts.join(file)
}

/// Opens the file and line in `body`, `{"file", "line"}`, and returns them.
pub(crate) fn open(
    study: &Study,
    root: &SourceRoot,
    editor: Option<&Editor>,
    body: &[u8],
) -> Result<Value, Refusal> {
    let request: Request = serde_json::from_slice(body)
        .map_err(|e| Refusal::bad_request(format!("the body is not {{\"file\": …, \"line\": …}}: {e}")))?;
    let path = source::to_edit(study, root, &request.file)?;
    let editor = editor.ok_or_else(|| {
        Refusal::new(
            StatusCode::CONFLICT,
            "no editor is set; start the server with --editor 'code -g {file}:{line}'",
        )
    })?;
    let command = editor.command(&path, request.line.max(1));
    trend_run::launch(&command).map_err(|e| {
        let program = command[0].to_string_lossy();
        Refusal::new(
            StatusCode::CONFLICT,
            format!("failed to start {program}: {e}; name another with --editor"),
        )
    })?;
    Ok(json!({ "file": request.file, "line": request.line.max(1) }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(editor: &Editor, file: &str) -> Vec<String> {
        editor.command(Path::new(file), 7).into_iter().map(|w| w.into_string().unwrap()).collect()
    }

    #[test]
    fn a_file_stays_one_argument_whatever_its_name() {
        let editor = Editor::parse("'my editor' -g {file}:{line} --x={y}").unwrap();
        assert_eq!(
            words(&editor, "/a b/$(touch x); {line}.c"),
            ["my editor", "-g", "/a b/$(touch x); {line}.c:7", "--x={y}"]
        );
        assert_eq!(words(&Editor::parse("ed").unwrap(), "/a.c"), ["ed", "/a.c"]);
        for wrong in ["", "  ", "''", "code 'x"] {
            assert!(matches!(Editor::parse(wrong), Err(ServeError::Editor { .. })), "{wrong}");
        }
    }
}
