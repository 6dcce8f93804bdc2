//! Identity of a study.

/// Identity of a study: random, and the same for all of its copies.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StudyId(pub [u8; 16]);

impl StudyId {
    /// Creates a new identity.
    pub fn random() -> Self {
        Self(random())
    }
}

/// Returns random bytes from the kernel.
pub(crate) fn random<const N: usize>() -> [u8; N] {
    let mut bytes = [0; N];
    // The call fails only on kernels older than this program supports.
    let _ = getrandom::fill(&mut bytes);
    bytes
}
