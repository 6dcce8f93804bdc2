//! What a line for the shell starts, as far as that can be said without being a shell.

use std::ffi::{OsStr, OsString};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

const SHELLS: [&str; 5] = ["sh", "bash", "dash", "ksh", "zsh"];

/// The script of `sh -c SCRIPT`.
pub(crate) fn script(command: &[impl AsRef<OsStr>]) -> Option<&OsStr> {
    let [shell, flag, script, ..] = command else { return None };
    let shell = Path::new(shell).file_name()?;
    (SHELLS.iter().any(|name| shell == *name) && flag.as_ref() == "-c").then(|| script.as_ref())
}

/// The only program below `folder` that a script names by its path, as it names it; `None` of none and of several, of
/// which nobody can say which one is meant.
pub(crate) fn program(command: &[impl AsRef<OsStr>], folder: &Path) -> Option<PathBuf> {
    let script = script(command)?.to_string_lossy();
    let is_between = |c: char| c.is_whitespace() || "|&;()<>\"'`$".contains(c);
    let mut found =
        script.split(is_between).filter(|word| word.contains('/')).map(Path::new).filter(|path| {
            let file = folder.join(path);
            let is_executable = |m: std::fs::Metadata| m.is_file() && m.permissions().mode() & 0o111 != 0;
            file.starts_with(folder) && std::fs::metadata(&file).is_ok_and(is_executable)
        });
    let first = found.next()?;
    found.all(|other| other == first).then(|| first.to_owned())
}

/// The program that a line begins with, behind variables that are set for it: `cargo` of `X=1 cargo build`.
pub(crate) fn first_program(line: &OsStr) -> Option<OsString> {
    let is_name = |name: &str| {
        !name.is_empty()
            && !name.starts_with(|c: char| c.is_ascii_digit())
            && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
    };
    let words = shell_words::split(&line.to_string_lossy()).ok()?;
    let is_assignment = |word: &String| word.split_once('=').is_some_and(|(name, _)| is_name(name));
    words.into_iter().find(|word| !is_assignment(word)).map(OsString::from)
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
            let found = super::program(&["/bin/sh", "-c", script], root.path());
            found.map(|path| path.to_string_lossy().into_owned())
        };
        assert_eq!(program("cat corpus/a.txt | /bin/cat|./parse {n} >./out").as_deref(), Some("./parse"));
        assert_eq!(program("./parse 1 && ./parse 2").as_deref(), Some("./parse"));
        assert_eq!(program("bin/sort; ./parse"), None);
        assert_eq!(program("parse"), None);
        assert_eq!(super::program(&["./parse", "-c", "./parse"], root.path()), None);
    }

    #[test]
    fn variables_before_a_program_are_none() {
        let first = |line: &str| first_program(line.as_ref());
        assert_eq!(first("X=1 Y='a b' cargo build").as_deref(), Some("cargo".as_ref()));
        assert_eq!(first("cargo build X=1").as_deref(), Some("cargo".as_ref()));
        assert_eq!(first("cd a && cargo build").as_deref(), Some("cd".as_ref()));
        assert_eq!(first("1=2 cargo").as_deref(), Some("1=2".as_ref()));
        assert_eq!((first("X=1"), first("'")), (None, None));
    }
}
