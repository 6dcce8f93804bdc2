//! Which study a file is, and whether its folder on this machine can be believed.

/// Which study a file is: random, and the same for all of its copies.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StudyId(pub [u8; 16]);

impl StudyId {
    /// A study that there was not before.
    pub fn random() -> Self {
        Self(random())
    }
}

/// Random bytes from the kernel.
pub(crate) fn random<const N: usize>() -> [u8; N] {
    let mut bytes = [0; N];
    // It fails only on a kernel older than this program supports.
    let _ = getrandom::fill(&mut bytes);
    bytes
}
