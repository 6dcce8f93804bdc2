//! Sets up the environment in which a build finds the shims: PATH, CC and CXX.

use std::collections::BTreeSet;
use std::env;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use crate::error::BuildError;
use crate::shim;
use crate::shim::names::is_compiler;
use crate::shim::search::Search;

/// Candidates for CC if it is not set.
const C: [&str; 3] = ["cc", "gcc", "clang"];
const CXX: [&str; 3] = ["c++", "g++", "clang++"];

/// The environment that a build needs.
pub(super) struct Environment {
    /// Variables to set.
    pub(super) variables: Vec<(OsString, OsString)>,
    /// The names under which shims have to exist.
    pub(super) names: BTreeSet<String>,
}

impl Environment {
    pub(super) fn new(shims: &Path, search: &Search) -> Result<Self, BuildError> {
        let mut names = search.compilers();
        let mut named = Vec::new();
        let mut variables = Vec::new();
        for (variable, defaults) in [("CC", C), ("CXX", CXX)] {
            let value = env::var(variable).ok().filter(|v| !v.trim().is_empty());
            let value =
                value.or_else(|| defaults.iter().find(|n| names.contains(**n)).map(|n| (*n).to_owned()));
            let Some(Choice { value, compiler }) = value.and_then(|v| through_shim(&v, shims)) else {
                continue;
            };
            variables.push((variable.into(), value.into()));
            names.insert(compiler.name.clone());
            named.extend(compiler.path.map(|path| (compiler.name, path)));
        }
        if names.is_empty() {
            let what = "none of cc, gcc and clang is on PATH";
            return Err(BuildError::new(what, "install gcc or clang, or put it on PATH"));
        }
        let mut compilers = OsString::new();
        for (name, path) in named {
            compilers.push(format!("{name}="));
            compilers.push(path);
            compilers.push("\n");
        }
        variables.push((shim::COMPILERS.into(), compilers));
        let mut path = shims.as_os_str().to_owned();
        path.push(":");
        path.push(search.path());
        variables.push(("PATH".into(), path));
        Ok(Self { variables, names })
    }
}

struct Named {
    name: String,
    /// The compiler's path, if the variable's value contains one.
    path: Option<PathBuf>,
}

struct Choice {
    value: String,
    compiler: Named,
}

/// Replaces the compiler in a value such as `ccache /opt/gcc-12 -m32`, giving `ccache SHIMS/gcc-12 -m32`. Returns
/// `None` if no word is a compiler.
fn through_shim(value: &str, shims: &Path) -> Option<Choice> {
    let mut words = shell_words::split(value).ok()?;
    let (position, name) = words.iter().enumerate().find_map(|(i, word)| {
        let name = Path::new(word).file_name()?.to_str()?;
        is_compiler(name).then(|| (i, name.to_owned()))
    })?;
    let path = PathBuf::from(&words[position]);
    let is_elsewhere = path.parent().is_some_and(|p| !p.as_os_str().is_empty() && p != shims);
    shims.join(&name).to_str()?.clone_into(&mut words[position]);
    Some(Choice {
        value: shell_words::join(words),
        compiler: Named { name, path: is_elsewhere.then_some(path) },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_other_words_of_cc_stay_as_they_are() {
        let shims = Path::new("/cache/shims");
        let through = |value: &str| through_shim(value, shims).map(|c| (c.value, c.compiler.path));
        assert_eq!(through("gcc"), Some(("/cache/shims/gcc".to_owned(), None)));
        assert_eq!(through("ccache gcc -m32"), Some(("ccache /cache/shims/gcc -m32".to_owned(), None)));
        assert_eq!(
            through("/opt/bin/gcc-12"),
            Some(("/cache/shims/gcc-12".to_owned(), Some("/opt/bin/gcc-12".into())))
        );
        // A nested build: the value already names a shim.
        assert_eq!(through("/cache/shims/cc"), Some(("/cache/shims/cc".to_owned(), None)));
        assert_eq!(through("tcc"), None);
    }
}
