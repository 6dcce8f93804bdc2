//! Checks that the committed WebAssembly module was built from the present sources.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::Command;

use sha2::{Digest as _, Sha256};

use crate::html::assets::MODULE;

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

/// The crates whose sources are in the module.
const CRATES: [&str; 2] = ["trend-answer", "trend-model"];

const TARGET: &str = "wasm32-unknown-unknown";

/// The custom section with the digest of the sources, at the end of the module.
const SECTION: &str = "sources";

/// Adds the names and contents of a folder's files to a digest, in the order of their paths.
fn add_folder(digest: &mut Sha256, folder: &Path) {
    let mut paths: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    for path in paths {
        if path.is_dir() {
            add_folder(digest, &path);
        } else {
            digest.update(path.file_name().unwrap().as_encoded_bytes());
            digest.update(fs::read(&path).unwrap());
        }
    }
}

/// Returns the entries of `Cargo.lock` for a crate and its dependencies, with versions and checksums.
fn dependencies(lock: &str, crate_name: &str) -> BTreeSet<String> {
    let name = |entry: &str| entry.lines().find_map(|line| line.strip_prefix("name = ")).map(str::to_owned);
    let entries: BTreeMap<String, &str> =
        lock.split("[[package]]").filter_map(|entry| Some((name(entry)?, entry))).collect();
    let mut packages = BTreeSet::new();
    let mut open = vec![format!("\"{crate_name}\"")];
    while let Some(next) = open.pop() {
        let Some(entry) = entries.get(&next).filter(|entry| packages.insert((**entry).to_owned())) else {
            continue;
        };
        let needed = entry.lines().filter_map(|line| line.strip_prefix(" \"")?.split(['"', ' ']).next());
        open.extend(needed.map(|name| format!("\"{name}\"")));
    }
    packages
}

/// Returns a digest of everything that the module is built from.
fn sources() -> String {
    let mut digest = Sha256::new();
    for name in CRATES {
        let folder = Path::new(ROOT).join("crates").join(name);
        add_folder(&mut digest, &folder.join("src"));
        digest.update(fs::read(folder.join("Cargo.toml")).unwrap());
    }
    let lock = fs::read_to_string(Path::new(ROOT).join("Cargo.lock")).unwrap();
    for entry in dependencies(&lock, CRATES[0]) {
        digest.update(entry);
    }
    digest.finalize().iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

/// Builds the module and appends the digest of its sources.
fn build(digest: &str) -> Vec<u8> {
    let target = Path::new(ROOT).join("target/module");
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["rustc", "--locked", "--profile", "page", "-p", CRATES[0], "--crate-type", "cdylib"]);
    cargo.args(["--target", TARGET, "--target-dir"]).arg(&target).current_dir(ROOT);
    let is_built = cargo.status().unwrap().success();
    assert!(is_built, "the module is not built; run `rustup target add {TARGET}` if that target is missing");
    let mut module = fs::read(target.join(TARGET).join("page/trend_answer.wasm")).unwrap();
    // All lengths are below 128, and so one byte.
    module.extend([0, (1 + SECTION.len() + digest.len()) as u8, SECTION.len() as u8]);
    module.extend(SECTION.bytes().chain(digest.bytes()));
    module
}

#[test]
fn the_committed_module_is_made_from_the_present_sources() {
    let digest = sources();
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/ui/dist/module.wasm");
    if std::env::var_os("UPDATE_GOLDEN").is_some() && !MODULE.ends_with(digest.as_bytes()) {
        fs::write(path, build(&digest)).unwrap();
    }
    let module = fs::read(path).unwrap();
    assert!(module.ends_with(digest.as_bytes()), "UPDATE_GOLDEN=1 builds {path} anew");
}
