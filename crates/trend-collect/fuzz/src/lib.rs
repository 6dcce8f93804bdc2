//! Memory limits shared by all targets: no reader may take more memory than the length of its input explains.

#[path = "../../tests/integration/import_readers.rs"]
#[allow(dead_code, reason = "the tests use the hostile texts")]
mod import_readers;
#[path = "../../tests/integration/memory.rs"]
mod memory;

use std::sync::LazyLock;

use import_readers::{Reader, reader};

/// Reader of the format that the environment names.
static READER: LazyLock<&Reader> = LazyLock::new(|| {
    let name = std::env::var("FORMAT").expect("the variable FORMAT names a format");
    reader(&name)
});

/// Runs a reader of text within its memory limit.
pub fn text(bytes: &[u8], read: impl FnOnce()) {
    memory::within(bytes.len(), memory::PER_BYTE_OF_TEXT, read);
}

/// Runs a reader of a possibly compressed format within its memory limit.
pub fn packed(bytes: &[u8], read: impl FnOnce()) {
    memory::within(bytes.len(), memory::PER_PACKED_BYTE, read);
}

/// Runs the reader of the format that the variable `FORMAT` of the environment names.
///
/// # Panics
/// Panics if the variable is missing or names no format.
pub fn import(bytes: &[u8]) {
    let reader = *READER;
    text(bytes, || drop((reader.read)(bytes.into())));
}
