//! The environment variables that make cargo instrument a build.
//!
//! Cargo gets its own target directory, so that ordinary builds stay untouched. It also gets an explicit target, so
//! that it separates the program from build scripts and procedural macros. The wrapper adds the flags.

use std::env;
use std::ffi::OsString;
use std::path::Path;

use crate::project::cargo::{FOLDER, TARGET, host, target_directory};
use crate::shim::rustc::{OTHER_WRAPPER, WRAPPER};

/// Returns the variables to set. Outside of a cargo package, these are only the variables for the wrapper.
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
