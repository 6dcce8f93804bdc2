//! Files that the page includes, and their digests.

use base64::Engine as _;
use sha2::{Digest as _, Sha256};

/// Style sheets of the static part and of the app.
pub(crate) const STYLES: [&str; 2] =
    [include_str!("../../ui/report.css"), include_str!("../../ui/dist/app.css")];

/// The app, which esbuild bundles from `ui/src`.
pub(crate) const APP: &str = include_str!("../../ui/dist/app.js");

/// The Rust code that the app calls, which `UPDATE_GOLDEN=1 cargo nextest run -p trend-report module` builds from
/// `trend-answer`.
pub(crate) const MODULE: &[u8] = include_bytes!("../../ui/dist/module.wasm");

/// Returns the digest by which a policy identifies text in the page.
pub(super) fn digest(text: &str) -> String {
    let digest = base64::engine::general_purpose::STANDARD.encode(Sha256::digest(text.as_bytes()));
    format!("'sha256-{digest}'")
}
