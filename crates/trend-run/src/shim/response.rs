//! Expands response files, in which builds keep arguments that would make the command line too long.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

/// Maximum size of a response file to expand, in bytes. Larger files are left to the compiler.
const LONGEST_RESPONSE: u64 = 4 << 20;

/// Maximum depth of response files that name each other.
const DEEPEST_RESPONSE: u32 = 8;

/// Returns the arguments with response files expanded, lossily decoded.
pub(super) fn expanded(arguments: &[OsString], cwd: &Path) -> Vec<String> {
    let mut words = Vec::new();
    expand(arguments, cwd, DEEPEST_RESPONSE, &mut words);
    words
}

fn expand(arguments: &[OsString], cwd: &Path, depth: u32, words: &mut Vec<String>) {
    for argument in arguments {
        let response = argument.as_bytes().strip_prefix(b"@").filter(|_| depth > 0);
        let response = response.and_then(|name| {
            let path = cwd.join(OsStr::from_bytes(name));
            let is_readable =
                std::fs::metadata(&path).is_ok_and(|m| m.is_file() && m.len() <= LONGEST_RESPONSE);
            if is_readable { std::fs::read(path).ok() } else { None }
        });
        // gcc splits them almost like a shell.
        match response.map(|bytes| shell_words::split(&String::from_utf8_lossy(&bytes)).unwrap_or_default()) {
            Some(inner) => {
                let inner: Vec<OsString> = inner.into_iter().map(OsString::from).collect();
                expand(&inner, cwd, depth - 1, words);
            }
            None => words.push(argument.to_string_lossy().into_owned()),
        }
    }
}
