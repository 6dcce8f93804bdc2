//! Finds out which programs a shell line starts, as far as possible without being a shell.

use std::ffi::{OsStr, OsString};
use std::os::unix::fs::PermissionsExt;
use std::path::{Component, Path, PathBuf};

use trend_profile::shell_word;

const SHELLS: [&str; 5] = ["sh", "bash", "dash", "ksh", "zsh"];

/// Returns the script of `sh -c SCRIPT`.
pub(crate) fn script(command: &[impl AsRef<OsStr>]) -> Option<&OsStr> {
    let [shell, flag, script, ..] = command else { return None };
    let shell = Path::new(shell).file_name()?;
    (SHELLS.iter().any(|name| shell == *name) && flag.as_ref() == "-c").then(|| script.as_ref())
}

/// Returns the only program below `folder` that a script names by its path, as written. Returns `None` if there are
/// none or several, because then the intended one is unclear.
pub(crate) fn program(command: &[impl AsRef<OsStr>], folder: &Path) -> Option<PathBuf> {
    let script = script(command)?.to_string_lossy();
    let mut programs =
        script.split(is_between).filter(|word| word.contains('/')).map(Path::new).filter(|path| {
            let file = folder.join(path);
            let is_executable = |m: std::fs::Metadata| m.is_file() && m.permissions().mode() & 0o111 != 0;
            // A path with `..` may lead out of the folder, and is not resolved.
            let is_below = file.starts_with(folder) && !path.components().any(|c| c == Component::ParentDir);
            is_below && std::fs::metadata(&file).is_ok_and(is_executable)
        });
    let first = programs.next()?;
    programs.all(|other| other == first).then(|| first.to_owned())
}

/// Returns the script of `sh -c SCRIPT` with another file in place of a program that it names. Returns `None` if a
/// shell would not take the file's name literally.
pub(crate) fn replaced(command: &[impl AsRef<OsStr>], program: &Path, by: &Path) -> Option<OsString> {
    let script = script(command)?.to_string_lossy();
    let by = by.to_str().filter(|by| by.chars().all(|c| c.is_ascii_alphanumeric() || "/._+-".contains(c)))?;
    let mut line = String::new();
    for piece in script.split_inclusive(is_between) {
        let word = piece.trim_end_matches(is_between);
        line += if Path::new(word) == program { by } else { word };
        line += &piece[word.len()..];
    }
    Some(line.into())
}

/// True for commands that shells implement themselves and that take no time worth mentioning.
pub(crate) fn is_builtin(program: &OsStr) -> bool {
    const BUILTINS: [&str; 11] =
        ["true", "false", "test", "[", ":", "cd", "exit", "echo", "printf", "export", "ulimit"];
    BUILTINS.iter().any(|builtin| program == *builtin)
}

/// True for characters that end a word of a script, as far as paths of programs are concerned.
fn is_between(c: char) -> bool {
    c.is_whitespace() || "|&;()<>\"'`$".contains(c)
}

/// Formats a command as one line that a shell accepts.
pub(crate) fn quoted(command: &[OsString]) -> String {
    command.iter().map(|w| shell_word(&w.to_string_lossy())).collect::<Vec<_>>().join(" ")
}

/// Returns the path of a command's program. A program given by a path is resolved from the configuration's folder,
/// whatever its working directory.
pub(crate) fn resolved(word: &OsStr, folder: &Path) -> PathBuf {
    let path = Path::new(word);
    let is_path = word.to_string_lossy().contains('/');
    if is_path { folder.join(path.strip_prefix(".").unwrap_or(path)) } else { path.to_owned() }
}

/// Words that can precede the program of a command: keywords of the shell, and programs that start another one.
const BEFORE_PROGRAMS: [&str; 13] =
    ["!", "{", "if", "then", "elif", "else", "while", "until", "do", "env", "exec", "nice", "time"];

/// Returns the programs that a command starts, in order. Variable assignments and programs that start another one are
/// skipped, giving `cargo` for `X=1 nice cargo build`. For `sh -c LINE`, returns the programs of the line, and none if
/// the shell would not accept it.
pub(crate) fn programs(command: &[impl AsRef<OsStr>]) -> Vec<OsString> {
    let commands = match script(command) {
        Some(line) => commands(&line.to_string_lossy()),
        None => vec![command.iter().map(|word| word.as_ref().to_string_lossy().into_owned()).collect()],
    };
    commands.iter().filter_map(|words| program_of(words)).map(OsString::from).collect()
}

/// Returns all words of a command. For `sh -c LINE`, these are the words of the line's commands.
pub(crate) fn words(command: &[impl AsRef<OsStr>]) -> Vec<OsString> {
    match script(command) {
        Some(line) => commands(&line.to_string_lossy()).into_iter().flatten().map(OsString::from).collect(),
        None => command.iter().map(|word| word.as_ref().to_owned()).collect(),
    }
}

/// Returns the words of each command in a line. Commands end at `;`, `&`, `|`, parentheses and line breaks outside of
/// quotes.
fn commands(line: &str) -> Vec<Vec<String>> {
    let (mut quote, mut is_escaped, mut before) = (None, false, ' ');
    let is_end = |c: char| {
        let before = std::mem::replace(&mut before, c);
        match (quote, c) {
            _ if std::mem::take(&mut is_escaped) => {}
            (None | Some('"'), '\\') => is_escaped = true,
            (None, '\'' | '"') => quote = Some(c),
            (Some(open), c) if open == c => quote = None,
            // Not a separator in `2>&1`.
            (None, '&') if before == '>' || before == '<' => {}
            (None, ';' | '&' | '|' | '(' | ')' | '\n') => return true,
            _ => {}
        }
        false
    };
    let commands = line.split(is_end).filter_map(|command| shell_words::split(command).ok());
    commands.filter(|words| !words.is_empty()).collect()
}

fn program_of(words: &[String]) -> Option<&str> {
    let mut has_prefix = false;
    words.iter().map(String::as_str).find(|word| {
        let is_before = BEFORE_PROGRAMS.contains(word);
        has_prefix |= is_before;
        // Options of such a program, as in `nice -n 10 make`.
        let is_option = has_prefix && (word.starts_with('-') || word.parse::<u32>().is_ok());
        !is_before && !is_option && !is_assignment(word) && !word.starts_with(['<', '>'])
    })
}

fn is_assignment(word: &str) -> bool {
    let is_name = |name: &str| {
        !name.is_empty()
            && !name.starts_with(|c: char| c.is_ascii_digit())
            && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
    };
    word.split_once('=').is_some_and(|(name, _)| is_name(name))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn a_script_is_about_the_only_program_of_the_folder_in_it() {
        let root = tempfile::tempdir().unwrap();
        let file = |name: &str, mode: u32| {
            let path = root.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(&path, "").unwrap();
            fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
        };
        file("parse", 0o755);
        file("bin/sort", 0o755);
        file("corpus/a.txt", 0o644);
        let program = |script: &str| {
            let path_found = super::program(&["/bin/sh", "-c", script], root.path());
            path_found.map(|path| path.to_string_lossy().into_owned())
        };
        assert_eq!(program("cat corpus/a.txt | /bin/cat|./parse {n} >./out").as_deref(), Some("./parse"));
        assert_eq!(program("./parse 1 && ./parse 2").as_deref(), Some("./parse"));
        assert_eq!(program("bin/sort; ./parse"), None);
        let outside = format!("../{}/bin/sort", root.path().file_name().unwrap().to_str().unwrap());
        assert_eq!(program(&format!("{outside} {{n}}; ls")), None);
        assert_eq!(program(&format!("{outside} | ./parse")).as_deref(), Some("./parse"));
        assert_eq!(program("parse"), None);
        assert_eq!(super::program(&["./parse", "-c", "./parse"], root.path()), None);
    }

    #[test]
    fn another_file_takes_the_place_of_a_program_wherever_a_script_names_it() {
        let by = |script: &str, by: &str| {
            let line = replaced(&["sh", "-c", script], Path::new("./parse"), Path::new(by))?;
            Some(line.to_string_lossy().into_owned())
        };
        let script = "cat './parse'.txt |./parse {n} >out; ./parser \"./parse\"";
        let expected = "cat '/t/0'.txt |/t/0 {n} >out; ./parser \"/t/0\"";
        assert_eq!(by(script, "/t/0").as_deref(), Some(expected));
        assert_eq!(by(script, "/t t/0"), None);
        assert_eq!(replaced(&["./parse"], Path::new("./parse"), Path::new("/t/0")), None);
    }

    fn all(line: &str) -> String {
        let programs = programs(&["sh", "-c", line]).into_iter().map(|p| p.into_string().unwrap());
        programs.collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn variables_before_a_program_are_none() {
        assert_eq!(all("X=1 Y='a b' cargo build"), "cargo");
        assert_eq!(all("cargo build X=1"), "cargo");
        assert_eq!(all("1=2 cargo"), "1=2");
        assert_eq!((all("X=1"), all("'")), (String::new(), String::new()));
    }

    #[test]
    fn the_programs_of_a_line_are_the_first_words_of_its_commands() {
        assert_eq!(all("cd a && X=1 make -j 2; ./gen 'a; b' \"c | d\" | sort\nls"), "cd make ./gen sort ls");
        assert_eq!(all("if test -d a; then nice -n 10 make -C cargo; fi"), "test make fi");
        assert_eq!(all("(cd a; env -u B C=1 cargo build)"), "cd B");
        assert_eq!(all("echo a\\;b \"x\\\";y\" && make"), "echo make");
        assert_eq!(all("cargo build >log 2>&1 && cargo test &>log"), "cargo cargo");
        assert_eq!(all("'; X=1"), "");
    }

    #[test]
    fn a_command_in_words_begins_as_a_line_does() {
        for line in ["cargo build", "nice -n 5 cargo build", "env X=1 time cargo build", "make -C cargo"] {
            let words: Vec<&str> = line.split(' ').collect();
            assert_eq!(programs(&words), programs(&["sh", "-c", line]), "{line}");
        }
        assert_eq!(words(&["sh", "-c", "cd 'a b' && make -C c"]), ["cd", "a b", "make", "-C", "c"]);
        assert_eq!(words(&["make", "-C", "a;b"]), ["make", "-C", "a;b"]);
    }
}
