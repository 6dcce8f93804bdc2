//! A digest that is the same on every machine and in every version: 128-bit FNV-1a.
//!
//! It detects changes, but does not protect against attackers.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

const OFFSET: u128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d;
const PRIME: u128 = 0x0000_0000_0100_0000_0000_0000_0000_013b;

/// Hashes a sequence of fields.
#[derive(Clone, Debug)]
pub(crate) struct Digest(u128);

impl Digest {
    pub(crate) fn new() -> Self {
        Self(OFFSET)
    }

    /// Adds a field. Its length is hashed as well, so that `ab c` differs from `a bc`.
    pub(crate) fn field(&mut self, field: impl AsRef<OsStr>) -> &mut Self {
        let bytes = field.as_ref().as_bytes();
        self.bytes(&(bytes.len() as u64).to_le_bytes());
        self.bytes(bytes);
        self
    }

    fn bytes(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u128::from(*byte)).wrapping_mul(PRIME);
        }
    }

    /// Returns the digest as a number.
    pub(crate) fn value(&self) -> u128 {
        self.0
    }

    /// Returns 32 hexadecimal digits.
    pub(crate) fn finish(&self) -> String {
        format!("{:032x}", self.0)
    }
}

/// Returns a number that depends on a file's bytes, or `None` if there is no such file.
pub(crate) fn stamp_of(file: &Path) -> Option<u32> {
    let bytes = file.is_file().then(|| fs::read(file).ok())??;
    let digest = Digest::new().field(OsStr::from_bytes(&bytes)).finish();
    u32::from_str_radix(&digest[..8], 16).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_digest_is_that_of_the_published_algorithm() {
        // From the reference vectors of FNV-1a 128.
        let mut digest = Digest::new();
        digest.bytes(b"a");
        assert_eq!(digest.finish(), "d228cb696f1a8caf78912b704e4a8964");
    }

    #[test]
    fn fields_do_not_run_into_each_other() {
        let digest = |fields: &[&str]| {
            let mut digest = Digest::new();
            for field in fields {
                digest.field(field);
            }
            digest.finish()
        };
        assert_ne!(digest(&["ab", "c"]), digest(&["a", "bc"]));
        assert_ne!(digest(&[]), digest(&[""]));
    }
}
