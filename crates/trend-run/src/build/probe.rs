//! Finds the tools of a build with the probe: trend-probe, and the clang whose bitcode it reads.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::error::BuildError;
use crate::program::instrumentation::ProbeOptions;
use crate::program::mark::Mark;
use crate::shim::probe::Tools;
use crate::shim::search::Search;

/// The program that instruments. It needs LLVM and is installed separately.
const PROGRAM: &str = "trend-probe";
/// The LLVM version that trend-probe is built with.
const LLVM: &str = "22";
/// The folder in which packages of this LLVM version install programs, under names without the version.
const INSTALLED: &str = "/usr/lib/llvm-22/bin";

/// Finds the tools, and writes the runtime library for linking into `folder`.
///
/// # Errors
/// Fails if a tool is missing or has another version. The hint says how to get it.
pub(super) fn tools(
    options: ProbeOptions,
    executable: &Path,
    search: &Search,
    folder: &Path,
) -> Result<Option<Tools>, BuildError> {
    let Some(mark) = Mark::new(options) else { return Ok(None) };
    let sibling = executable.with_file_name(PROGRAM);
    let probe = Some(sibling).filter(|path| path.is_file()).or_else(|| search.find(PROGRAM));
    let probe = probe.ok_or_else(|| {
        let help = format!(
            "install LLVM {LLVM} with `apt install llvm-{LLVM}-dev clang-{LLVM}`, then run `cargo install \
             --locked --path crates/trend-probe` in trend-prof's source"
        );
        BuildError::new(
            format!("--probe: {PROGRAM} is neither beside {} nor on PATH", executable.display()),
            help,
        )
    })?;
    let version = output_of(&probe, &["--version"])?;
    let own = env!("CARGO_PKG_VERSION");
    if version.split_whitespace().nth(1) != Some(own) {
        let what = format!(
            "--probe: {} has version {}, but this trend-prof is {own}",
            probe.display(),
            version.trim()
        );
        return Err(BuildError::new(what, "install both from the same source"));
    }
    let [c, cpp] = compilers(search, Path::new(INSTALLED))?;
    let runtime = folder.join("libtrend_runtime.a");
    // Write a new file and rename it, because another build may be linking with the library.
    let new = folder.join(format!("libtrend_runtime.{}", std::process::id()));
    output_of(&probe, &["runtime", "-o", &new.to_string_lossy()])?;
    fs::rename(&new, &runtime)
        .map_err(|e| BuildError::new(format!("--probe: {}: {e}", runtime.display()), ""))?;
    let counters = if options.what.has_blocks() { Some(counters(&c)?) } else { None };
    Ok(Some(Tools { probe, clang: [c, cpp], runtime, counters, mark }))
}

/// Finds the library of clang's counters, which is next to the library whose path clang prints.
fn counters(clang: &Path) -> Result<PathBuf, BuildError> {
    let named = output_of(clang, &["--rtlib=compiler-rt", "--print-libgcc-file-name"])?;
    let builtins = Path::new(named.trim());
    let name = builtins.file_name().unwrap_or_default().to_string_lossy().replace("builtins", "profile");
    let library = builtins.with_file_name(name);
    if library.is_file() {
        return Ok(library);
    }
    let what = format!("--probe: clang's profile runtime is missing: {}", library.display());
    Err(BuildError::new(what, format!("`apt install libclang-rt-{LLVM}-dev`")))
}

/// Finds the compilers for C and C++ on PATH, or else in the folder in which packages install them.
fn compilers(search: &Search, installed: &Path) -> Result<[PathBuf; 2], BuildError> {
    let [Some(c), Some(cpp)] = ["clang", "clang++"].map(|name| {
        let installed = installed.join(name);
        search.find(&format!("{name}-{LLVM}")).or_else(|| Some(installed).filter(|path| path.is_file()))
    }) else {
        let help = format!("`apt install clang-{LLVM}`");
        return Err(BuildError::new(format!("--probe: clang-{LLVM} is not on PATH"), help));
    };
    Ok([c, cpp])
}

/// Runs a program and returns its output.
fn output_of(program: &Path, arguments: &[&str]) -> Result<String, BuildError> {
    let failed = |what: &str| {
        let help = format!("if a library is missing: `apt install llvm-{LLVM}`");
        BuildError::new(format!("--probe: {}: {}", program.display(), what.trim()), help)
    };
    let output = Command::new(program).args(arguments).stdin(Stdio::null()).output();
    let output = output.map_err(|e| failed(&e.to_string()))?;
    if !output.status.success() {
        return Err(failed(&String::from_utf8_lossy(&output.stderr)));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    #[test]
    fn compilers_are_those_on_path_then_those_that_are_installed_and_none_is_told() {
        let folder = tempfile::tempdir().unwrap();
        let [on_path, installed] = ["path", "installed"].map(|name| folder.path().join(name));
        let search = Search::new(Some(on_path.as_os_str()), &[]);
        for path in [&on_path, &installed] {
            fs::create_dir(path).unwrap();
        }
        let make = |path: PathBuf| {
            fs::write(&path, "#!/bin/sh\n").unwrap();
            fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
        };
        let is_told = || {
            let error = compilers(&search, &installed).unwrap_err();
            assert_eq!(error.to_string(), "--probe: clang-22 is not on PATH");
            assert_eq!(error.hint(), Some("`apt install clang-22`"));
        };
        is_told();
        // The C compiler alone is not enough.
        make(installed.join("clang"));
        is_told();
        make(installed.join("clang++"));
        let names = ["clang", "clang++"];
        assert_eq!(compilers(&search, &installed).unwrap(), names.map(|name| installed.join(name)));
        let names = ["clang-22", "clang++-22"].map(|name| on_path.join(name));
        names.iter().cloned().for_each(make);
        assert_eq!(compilers(&search, &installed).unwrap(), names);
        assert!(INSTALLED.contains(LLVM));
    }
}
