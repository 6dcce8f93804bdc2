//! What the targets have in common: no reader may take more memory than the length of its input explains.

#[path = "../../tests/integration/memory.rs"]
mod memory;

/// Reads text within its allowance.
pub fn text(bytes: &[u8], read: impl FnOnce()) {
    memory::within(bytes.len(), memory::PER_BYTE_OF_TEXT, read);
}

/// Reads something that can be compressed within its allowance.
pub fn packed(bytes: &[u8], read: impl FnOnce()) {
    memory::within(bytes.len(), memory::PER_PACKED_BYTE, read);
}
