//! What a build's environment needs so that cargo instruments.
//!
//! Cargo gets a target directory of its own, so that the usual builds stay as they are, and a target, so
//! that it tells the program from build scripts and procedural macros. The wrapper adds the flags.

use std::env;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;

use crate::shim::rustc::{OTHER_WRAPPER, WRAPPER};

/// The folder below cargo's own target directory.
pub(crate) const FOLDER: &str = "trend-prof";

/// What tells cargo its target directory.
pub(super) const TARGET: &str = "CARGO_TARGET_DIR";

/// The variables to set; none where there is no cargo.
pub(super) fn variables(folder: &Path, shims: &Path) -> Vec<(OsString, OsString)> {
    let wrapper = shims.join(WRAPPER);
    let mut variables: Vec<(OsString, OsString)> = vec![("RUSTC_WRAPPER".into(), wrapper.clone().into())];
    if let Some(other) = env::var_os("RUSTC_WRAPPER").filter(|o| !o.is_empty() && *o != *wrapper) {
        variables.push((OTHER_WRAPPER.into(), other));
    }
    let Some(target_directory) = target_directory(folder) else { return variables };
    variables.push((TARGET.into(), target_directory.join(FOLDER).into()));
    if env::var_os("CARGO_BUILD_TARGET").is_none()
        && let Some(host) = host()
    {
        variables.push(("CARGO_BUILD_TARGET".into(), host.into()));
    }
    variables
}

/// Cargo's target directory of the package or workspace around a folder, where there is one.
fn target_directory(folder: &Path) -> Option<PathBuf> {
    let folder = std::path::absolute(folder).ok()?;
    if !folder.ancestors().any(|f| f.join("Cargo.toml").is_file()) {
        return None;
    }
    if let Some(set) = env::var_os(TARGET).filter(|d| !d.is_empty()) {
        // A build within a build.
        let set = PathBuf::from(set);
        let parent = set.parent().filter(|_| set.ends_with(FOLDER)).map(Path::to_owned);
        return Some(folder.join(parent.unwrap_or(set)));
    }
    let text =
        output(Command::new("cargo").args(["metadata", "--no-deps", "--format-version", "1"]), &folder)?;
    let json: Value = serde_json::from_str(&text).ok()?;
    json["target_directory"].as_str().map(PathBuf::from)
}

/// The triple of this machine, as rustc names it.
pub(crate) fn host() -> Option<String> {
    let text = output(Command::new("rustc").arg("-vV"), Path::new("."))?;
    text.lines().find_map(|l| l.strip_prefix("host: ")).map(str::to_owned)
}

/// The programs that `cargo build` makes in a folder, the package's default one first, and where an instrumented build
/// puts them: relative to `folder` where they lie below it.
pub(crate) fn programs(folder: &Path) -> Vec<String> {
    let metadata =
        output(Command::new("cargo").args(["metadata", "--no-deps", "--format-version", "1"]), folder);
    let json: Option<Value> = metadata.and_then(|text| serde_json::from_str(&text).ok());
    let (Some(json), Some(host)) = (json, host()) else { return Vec::new() };
    let directory = PathBuf::from(json["target_directory"].as_str().unwrap_or("target"));
    let absolute = folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
    let directory = directory.strip_prefix(&absolute).map(Path::to_owned).unwrap_or(directory);
    let release = directory.join(FOLDER).join(host).join("release");
    let names = built_packages(&json, &absolute).flat_map(program_names);
    names.map(|name| release.join(name).to_string_lossy().into_owned()).collect()
}

/// The packages that `cargo build` builds in a folder: its own, or in a workspace's root the default members.
fn built_packages<'j>(json: &'j Value, folder: &Path) -> impl Iterator<Item = &'j Value> {
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

/// The names of a package's programs, the one that `cargo run` starts first.
fn program_names(package: &Value) -> Vec<&str> {
    let programs = list(&package["targets"]).filter(|t| list(&t["kind"]).any(|k| k == "bin"));
    let mut names: Vec<&str> = programs.filter_map(|t| t["name"].as_str()).collect();
    names.sort_by_key(|name| package["default_run"].as_str() != Some(name));
    names
}

fn list(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

fn output(command: &mut Command, folder: &Path) -> Option<String> {
    let command = command.current_dir(folder).stdin(Stdio::null()).stderr(Stdio::null());
    let output = command.output().ok().filter(|o| o.status.success())?;
    String::from_utf8(output.stdout).ok()
}
