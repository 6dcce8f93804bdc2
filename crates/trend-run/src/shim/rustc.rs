//! Wraps rustc for cargo: adds `-C instrument-coverage` to the crates of the program.
//!
//! Given an explicit target, cargo passes it on only for crates that become part of the program. Build scripts,
//! procedural macros and their dependencies are compiled for the host and are left alone. The user's flags are kept,
//! but our flags come after them on rustc's command line.

use std::ffi::OsString;

use super::arguments::{Decision, Work};
use crate::program::instrumentation::Crates;

/// Name under which cargo calls this executable.
pub(crate) const WRAPPER: &str = "trend-prof-rustc";

/// Reason for leaving rustc alone if it was given no target.
pub(crate) const HOST: &str = "it is for the host (build scripts, procedural macros and their dependencies)";

/// Variable with the user's own `RUSTC_WRAPPER`.
pub(crate) const OTHER_WRAPPER: &str = "TREND_PROF_RUSTC_WRAPPER";

/// Arguments that follow the others. A stripped program has no mapping, and `run --memory-by-line` gets lines from
/// debug information. `cfg(trend_prof)` tells `trend-prof-test` that there are counters to reset.
pub(super) const FLAGS: [&str; 8] = [
    "-C",
    "instrument-coverage",
    "-C",
    "debuginfo=line-tables-only",
    "-C",
    "strip=none",
    "--cfg",
    "trend_prof",
];

/// Arguments for a program without counters. The debug information has lines and calls, but no types of variables.
pub(super) const PLAIN_FLAGS: [&str; 4] = ["-C", "debuginfo=limited", "-C", "strip=none"];

/// Decides about one call. The first argument is rustc itself.
pub(super) fn decide(arguments: &[OsString], crates: Crates) -> Decision {
    let has = |name: &str| arguments.iter().any(|a| a.to_str().is_some_and(|a| a == name));
    let has_value = |name: &str| {
        has(name) || arguments.iter().any(|a| a.to_str().is_some_and(|a| a.starts_with(&format!("{name}="))))
    };
    // cargo queries rustc with `-vV` or `--print cfg`.
    if !has_value("--crate-name") || has_value("--print") || has("-") {
        return Decision::PassThrough("cargo asks about rustc");
    }
    if !has_value("--target") {
        return Decision::PassThrough(HOST);
    }
    // cargo caps the lints only of crates from a registry or a repository, vendored or not.
    if crates == Crates::Own && has_value("--cap-lints") {
        return Decision::PassThrough("it is a dependency, and only your own crates count");
    }
    let mut emits = arguments.iter().filter_map(|a| a.to_str()?.strip_prefix("--emit="));
    if emits
        .next()
        .is_some_and(|kinds| !kinds.split(',').any(|k| k.starts_with("link") || k.starts_with("obj")))
    {
        return Decision::PassThrough("it produces no code");
    }
    let links = has("--test")
        || arguments.windows(2).any(|w| w[0] == "--crate-type" && w[1] != "lib" && w[1] != "rlib");
    Decision::Instrument(Work { compilations: 1, links, clashes: Vec::new() })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(line: &str) -> Vec<OsString> {
        line.split(' ').map(OsString::from).collect()
    }

    #[test]
    fn what_comes_from_elsewhere_can_be_left_out() {
        let call = "rustc --crate-name regex lib.rs --crate-type lib --emit=dep-info,metadata,link --cap-lints allow --target x";
        assert!(matches!(decide(&words(call), Crates::All), Decision::Instrument(_)));
        assert!(matches!(decide(&words(call), Crates::Own), Decision::PassThrough(_)));
        let own = call.replace("--cap-lints allow ", "");
        assert!(matches!(decide(&words(&own), Crates::Own), Decision::Instrument(_)));
    }

    #[test]
    fn only_what_becomes_part_of_the_program_is_instrumented() {
        let decide = |line: &str| super::decide(&words(line), Crates::All);
        let program = "rustc --crate-name p src/main.rs --crate-type bin --emit=dep-info,link --target x86_64-unknown-linux-gnu";
        assert_eq!(
            decide(program),
            Decision::Instrument(Work { compilations: 1, links: true, clashes: vec![] })
        );
        for line in [
            "rustc -vV",
            "rustc - --crate-name ___ --print=file-names --target x",
            "rustc --crate-name build_script_build build.rs --crate-type bin --emit=dep-info,link",
            "rustc --crate-name p src/lib.rs --crate-type lib --emit=dep-info,metadata --target x",
        ] {
            assert!(matches!(decide(line), Decision::PassThrough(_)), "{line}");
        }
    }
}
