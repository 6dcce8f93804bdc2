//! Quotes words of commands that trend-prof proposes. They can be copied into a shell whatever the names of files and
//! workloads.

use std::path::Path;

/// Quotes a word for a shell: `'a b'`.
pub fn shell_word(word: &str) -> String {
    // As an argument, `n=5` needs no quotes; only zsh treats a leading `=` specially.
    if word.contains(|c: char| c.is_control() && c != '\n') {
        return ansi_c(word);
    }
    let without = word.replace('=', "-");
    if !word.starts_with('=') && shell_words::quote(&without) == without {
        return word.to_owned();
    }
    shell_words::quote(word).into_owned()
}

/// Quotes a word with control characters, which a terminal would not show. bash, zsh and ksh understand this form.
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

/// Quotes a path for a shell. A leading `-` becomes `./-`, so that no program takes the path for an option.
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
