//! Words of the commands that trend-prof proposes, so that they can be copied into a shell whatever files and workloads
//! are called.

use std::path::Path;

/// A word as a shell takes it: `'a b'`.
pub fn shell_word(word: &str) -> String {
    // Of an argument, `n=5` needs no quotes; only zsh has a meaning for `=` at the beginning.
    if word.contains(|c: char| c.is_control() && c != '\n') {
        return ansi_c(word);
    }
    let without = word.replace('=', "-");
    if !word.starts_with('=') && shell_words::quote(&without) == without {
        return word.to_owned();
    }
    shell_words::quote(word).into_owned()
}

/// A word with control characters, which a terminal would not show: bash, zsh and ksh read it.
fn ansi_c(word: &str) -> String {
    let mut quoted = "$'".to_owned();
    for c in word.chars() {
        match c {
            '\'' | '\\' => quoted.extend(['\\', c]),
            c if c.is_control() => {
                let mut bytes = [0; 4];
                quoted.extend(c.encode_utf8(&mut bytes).bytes().map(|byte| format!("\\x{byte:02x}")));
            }
            c => quoted.push(c),
        }
    }
    quoted + "'"
}

/// A path as a shell takes it, and no program for an option: `./-x`.
pub fn shell_path(path: &Path) -> String {
    let text = path.to_string_lossy();
    if text.starts_with('-') { shell_word(&format!("./{text}")) } else { shell_word(&text) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_what_a_shell_makes_of_them() {
        let hostile = [
            "a b",
            "$(touch x)",
            "it's",
            "`id`",
            "a;b",
            "*",
            "~",
            "a\nb",
            "\"",
            "",
            "é",
            "-x",
            "a=b",
            "=ls",
            "!",
        ];
        for word in hostile {
            assert_eq!(shell_words::split(&shell_word(word)).unwrap(), [word], "{word}");
        }
        assert_eq!(shell_word("a\u{1b}[31m's"), r"$'a\x1b[31m\'s'");
        assert_eq!([shell_word("bytes=1e6"), shell_word("=ls")], ["bytes=1e6", "'=ls'"]);
        assert_eq!(shell_path(Path::new("out/a.trend")), "out/a.trend");
        assert_eq!(shell_path(Path::new("-x y.trend")), "'./-x y.trend'");
        assert_eq!(shell_path(Path::new("-x.trend")), "./-x.trend");
    }
}
