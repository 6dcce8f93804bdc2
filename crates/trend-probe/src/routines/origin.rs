//! Origin of a function's code: the program, a crate that it depends on, or a standard library.

use std::cell::RefCell;
use std::collections::HashMap;
use std::path::{Path, PathBuf};

use crate::ir::value::Value;

/// Origin of a function's code.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Origin {
    Program,
    /// A crate that the program depends on.
    Crate,
    StandardLibrary,
}

/// Returns the origin of a function's code, according to the path of its source.
pub(super) fn origin(function: Value) -> Origin {
    let Some((path, _)) = function.source() else { return Origin::Program };
    if is_of_standard_library(&path) {
        Origin::StandardLibrary
    } else if Path::new(&path).parent().is_some_and(is_of_crate) {
        Origin::Crate
    } else {
        Origin::Program
    }
}

/// Returns true if a source file belongs to the standard library of C++ or Rust.
pub(crate) fn is_of_standard_library(path: &str) -> bool {
    let begins = ["/rustc/", "/rust/deps/"].iter().any(|folder| path.starts_with(folder));
    begins || ["/include/c++/", "/rustlib/src/"].iter().any(|folder| path.contains(folder))
}

/// Files in folders that cargo has unpacked: from a registry or git, and by `cargo vendor`.
const OF_CARGO: [&str; 2] = [".cargo-ok", ".cargo-checksum.json"];

thread_local! {
    /// Known folders, each with true if it belongs to a crate that cargo got from elsewhere. The package being built
    /// never does, wherever it came from.
    static FOLDERS: RefCell<HashMap<PathBuf, bool>> = RefCell::new(package().map(|own| (own, false)).into_iter().collect());
}

/// Returns the folder of the package that cargo was asked to build, if it is being compiled.
fn package() -> Option<PathBuf> {
    std::env::var_os("CARGO_PRIMARY_PACKAGE")?;
    Some(std::env::var_os("CARGO_MANIFEST_DIR")?.into())
}

/// Returns true if a folder belongs to a crate that cargo got from elsewhere.
fn is_of_crate(folder: &Path) -> bool {
    if let Some(cached) = FOLDERS.with_borrow(|folders| folders.get(folder).copied()) {
        return cached;
    }
    let is_unpacked = OF_CARGO.iter().any(|file| folder.join(file).exists());
    let is_one = is_unpacked || folder.parent().is_some_and(is_of_crate);
    FOLDERS.with_borrow_mut(|folders| folders.insert(folder.to_owned(), is_one));
    is_one
}
