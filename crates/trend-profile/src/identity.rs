//! Which study a file is, and whether its folder on this machine can be believed.

use rustix::rand::{GetRandomFlags, getrandom};

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
    let mut filled = 0;
    while filled < N {
        // It fails only where a signal comes first, or on a kernel older than this program supports.
        match getrandom(&mut bytes[filled..], GetRandomFlags::empty()) {
            Ok(more) => filled += more,
            Err(rustix::io::Errno::INTR) => {}
            Err(_) => break,
        }
    }
    bytes
}
