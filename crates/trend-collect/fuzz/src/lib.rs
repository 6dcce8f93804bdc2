//! Memory limits shared by all targets: no reader may take more memory than the length of its input explains.

#[path = "../../tests/integration/memory.rs"]
mod memory;

/// Runs a reader of text within its memory limit.
pub fn text(bytes: &[u8], read: impl FnOnce()) {
    memory::within(bytes.len(), memory::PER_BYTE_OF_TEXT, read);
}

/// Runs a reader of a possibly compressed format within its memory limit.
pub fn packed(bytes: &[u8], read: impl FnOnce()) {
    memory::within(bytes.len(), memory::PER_PACKED_BYTE, read);
}
