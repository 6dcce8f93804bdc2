//! FNV-1a, a hash that is equal on every machine.

pub(crate) struct Fnv(u64);

impl Fnv {
    pub(crate) fn new() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }

    pub(crate) fn bytes(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }

    pub(crate) fn words<const N: usize>(&mut self, words: [u32; N]) {
        for word in words {
            self.bytes(&word.to_le_bytes());
        }
    }

    pub(crate) fn finish(&self) -> u64 {
        self.0
    }
}
