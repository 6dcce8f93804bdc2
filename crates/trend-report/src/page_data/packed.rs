//! Bytes as base64 of their gzip, which is what a browser inflates without a library.

use std::io::Write as _;

use base64::Engine as _;
use flate2::{Compression, GzBuilder};

const LEVEL: u32 = 6;

/// The same bytes at any time on any machine: the header carries no time and no name.
pub(super) fn gzip_base64(bytes: &[u8]) -> String {
    let mut encoder = GzBuilder::new().mtime(0).write(Vec::new(), Compression::new(LEVEL));
    // Writing to memory does not fail.
    let gzip = encoder.write_all(bytes).and_then(|()| encoder.finish()).unwrap_or_default();
    base64::engine::general_purpose::STANDARD.encode(gzip)
}
