//! Packages of cargo: their programs, and the folders in which those are built.

use std::env;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;
use trend_profile::shell_word;

/// Name of the folder below cargo's usual target directory.
pub(crate) const FOLDER: &str = "trend-prof";

/// Environment variable that sets cargo's target directory.
pub(crate) const TARGET: &str = "CARGO_TARGET_DIR";

/// Returns cargo's usual target directory for the package or workspace around a folder, or `None` outside of a package.
pub(crate) fn target_directory(folder: &Path) -> Option<PathBuf> {
    let folder = std::path::absolute(folder).ok()?;
    if !folder.ancestors().any(|f| f.join("Cargo.toml").is_file()) {
        return None;
    }
    if let Some(set) = env::var_os(TARGET).filter(|d| !d.is_empty()) {
        // In a nested build, the variable already names our folder: return its parent.
        let set = PathBuf::from(set);
        let parent = set.parent().filter(|_| set.ends_with(FOLDER)).map(Path::to_owned);
        return Some(folder.join(parent.unwrap_or(set)));
    }
    metadata(&folder)?["target_directory"].as_str().map(PathBuf::from)
}

/// Returns cargo's description of the packages around a folder.
pub(crate) fn metadata(folder: &Path) -> Option<Value> {
    let text =
        output(Command::new("cargo").args(["metadata", "--no-deps", "--format-version", "1"]), folder)?;
    serde_json::from_str(&text).ok()
}

/// Returns true if a package around `folder` produces a program of this name.
pub(crate) fn makes(folder: &Path, name: &OsStr) -> bool {
    let json = metadata(folder);
    let packages = json.iter().flat_map(|json| list(&json["packages"]));
    packages.flat_map(program_names).any(|program| name == program)
}

/// Returns the command that builds the program that a path or a name refers to. It is `cargo build` with the profile in
/// the path and, if there are several programs, with the package and the program.
pub(crate) fn build_line(folder: &Path, word: &Path) -> String {
    const USUAL: &str = "cargo build --release";
    let Some(json) = metadata(folder) else { return USUAL.to_owned() };
    let mut parents = word.ancestors().skip(1).filter_map(Path::file_name).filter_map(OsStr::to_str);
    let parent = parents.next();
    let (kind, profile) =
        if parent == Some("examples") { ("example", parents.next()) } else { ("bin", parent) };
    let line = match profile {
        Some("debug") => "cargo build".to_owned(),
        Some(profile) if profile != "release" && parents.any(|name| name == "target") => {
            format!("cargo build --profile {}", shell_word(profile))
        }
        _ => USUAL.to_owned(),
    };
    let of_kind = |target: &Value| list(&target["kind"]).any(|k| k == kind);
    let targets = list(&json["packages"])
        .flat_map(|package| {
            list(&package["targets"]).map(move |target| (&package["name"], &target["name"], target))
        })
        .filter(|(.., target)| of_kind(target));
    let all: Vec<(&str, &str)> =
        targets.filter_map(|(package, name, _)| Some((package.as_str()?, name.as_str()?))).collect();
    let named: Vec<&(&str, &str)> =
        all.iter().filter(|(_, name)| word.file_name().is_some_and(|word| word == *name)).collect();
    if let ([(package, name)], true) = (named.as_slice(), all.len() > 1 || kind == "example") {
        return format!("{line} -p {} --{kind} {}", shell_word(package), shell_word(name));
    }
    line
}

/// Returns this machine's target triple, as printed by rustc.
pub(crate) fn host() -> Option<String> {
    let text = output(Command::new("rustc").arg("-vV"), Path::new("."))?;
    text.lines().find_map(|l| l.strip_prefix("host: ")).map(str::to_owned)
}

/// Returns the paths of the programs that an instrumented `cargo build` makes in `folder`, the package's default
/// program first. Paths below `folder` are relative to it.
pub(crate) fn programs(folder: &Path) -> Vec<String> {
    let (Some(json), Some(host)) = (metadata(folder), host()) else { return Vec::new() };
    let directory = PathBuf::from(json["target_directory"].as_str().unwrap_or("target"));
    let absolute = folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
    let directory = directory.strip_prefix(&absolute).map(Path::to_owned).unwrap_or(directory);
    let release = directory.join(FOLDER).join(host).join("release");
    let names = built_packages(&json, &absolute).flat_map(program_names);
    names.map(|name| release.join(name).to_string_lossy().into_owned()).collect()
}

/// Returns the packages that `cargo build` builds in `folder`: the folder's own package, or the default members in a
/// workspace's root.
pub(crate) fn built_packages<'j>(json: &'j Value, folder: &Path) -> impl Iterator<Item = &'j Value> {
    let is_root = json["workspace_root"].as_str().is_some_and(|root| Path::new(root) == folder);
    let manifest = folder.join("Cargo.toml");
    let own =
        move |package: &Value| package["manifest_path"].as_str().is_some_and(|p| Path::new(p) == manifest);
    let has_own = list(&json["packages"]).any(&own);
    let defaults: Vec<&Value> = list(&json["workspace_default_members"]).collect();
    list(&json["packages"]).filter(move |package| {
        if is_root && !defaults.is_empty() {
            return defaults.contains(&&package["id"]);
        }
        !has_own || own(package)
    })
}

/// Returns the names of a package's programs, starting with the one that `cargo run` runs.
pub(crate) fn program_names(package: &Value) -> Vec<&str> {
    let programs = list(&package["targets"]).filter(|t| list(&t["kind"]).any(|k| k == "bin"));
    let mut names: Vec<&str> = programs.filter_map(|t| t["name"].as_str()).collect();
    names.sort_by_key(|name| package["default_run"].as_str() != Some(name));
    names
}

pub(crate) fn list(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

fn output(command: &mut Command, folder: &Path) -> Option<String> {
    let command = command.current_dir(folder).stdin(Stdio::null()).stderr(Stdio::null());
    let output = command.output().ok().filter(|o| o.status.success())?;
    String::from_utf8(output.stdout).ok()
}
