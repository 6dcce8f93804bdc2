//! Response files: arguments that a build keeps in a file, for want of room in the call.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

/// A response file beyond this is read by the compiler alone.
const LONGEST_RESPONSE: u64 = 4 << 20;

/// Response files can name each other.
const DEEPEST_RESPONSE: u32 = 8;

/// The arguments with response files in place of their names, lossily decoded.
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
        // GCC splits them nearly as a shell does.
        match response.map(|bytes| shell_words::split(&String::from_utf8_lossy(&bytes)).unwrap_or_default()) {
            Some(inner) => {
                let inner: Vec<OsString> = inner.into_iter().map(OsString::from).collect();
                expand(&inner, cwd, depth - 1, words);
            }
            None => words.push(argument.to_string_lossy().into_owned()),
        }
    }
}
