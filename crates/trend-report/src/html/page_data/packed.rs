//! Encodes bytes as base64 of their gzip, which a browser decompresses without a library.

use std::io::Write as _;

use base64::engine::GeneralPurpose;
use base64::engine::general_purpose::STANDARD;
use base64::write::EncoderStringWriter;
use flate2::write::GzEncoder;
use flate2::{Compression, GzBuilder};

/// Compression level. For the page of 30,000 locations, level 9 takes the same time as level 6, and the page is 0.6 %
/// smaller. For the data of 1,500 clusters, level 9 takes 50 % more time than level 6, and the data are 1 % smaller.
/// For the same data, level 5 takes 60 % of the time of level 6, and they are 2 % larger.
const LEVEL: u32 = 9;

/// Gzip's code for an unknown operating system, so that all machines write the same bytes.
const SYSTEM: u8 = 0xff;

/// A gzip member, as base64, of the bytes that are written to it.
pub(super) type Gzip = GzEncoder<EncoderStringWriter<'static, GeneralPurpose, String>>;

pub(super) fn gzip() -> Gzip {
    let base64 = EncoderStringWriter::new(&STANDARD);
    GzBuilder::new().operating_system(SYSTEM).write(base64, Compression::new(LEVEL))
}

pub(super) fn into_base64(gzip: Gzip) -> String {
    // Writing to memory does not fail.
    gzip.finish().map(EncoderStringWriter::into_inner).unwrap_or_default()
}

pub(crate) fn gzip_base64(bytes: &[u8]) -> String {
    let mut gzip = gzip();
    // Writing to memory does not fail.
    let _ = gzip.write_all(bytes);
    into_base64(gzip)
}
