//! Compiles the runtime that probed programs are linked with. It is a library for C, so cargo cannot build it as a
//! dependency.

use std::path::PathBuf;
use std::process::Command;

fn main() {
    let variable = |name| std::env::var_os(name).map(PathBuf::from).expect("cargo sets it");
    let source = variable("CARGO_MANIFEST_DIR").join("../trend-runtime/src");
    let output = variable("OUT_DIR").join("libtrend_runtime.a");
    println!("cargo::rerun-if-changed={}", source.display());
    let status = Command::new(variable("RUSTC"))
        .args(["--crate-name=trend_runtime", "--crate-type=staticlib", "--edition=2024", "-O"])
        .args(["-Cpanic=abort", "-Crelocation-model=pic", "-Ccodegen-units=1", "-Clto=fat", "-Cdebuginfo=0"])
        .args(["--cfg=trend_staticlib", "--target=x86_64-unknown-linux-gnu"])
        .arg(source.join("lib.rs"))
        .arg("-o")
        .arg(&output)
        .env_remove("RUSTFLAGS")
        .status()
        .expect("rustc can be started");
    assert!(status.success(), "the runtime of probed programs does not compile");
}
