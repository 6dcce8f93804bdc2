//! Versions of the gcov format.

use std::fmt;

/// Format version of a file: the version of gcc that it follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Version(pub(super) u32);

impl Version {
    pub(crate) const GCC_4_8: u32 = 48;
    pub(crate) const GCC_8: u32 = 80;
    pub(crate) const GCC_9: u32 = 90;
    pub(crate) const GCC_12: u32 = 120;
    pub(super) const OLDEST: u32 = 47;
    pub(super) const TOO_NEW: u32 = 160;

    /// Returns ten times major plus minor: 48 for `408*`, 122 for `B22*`; 0 for an invalid version.
    pub(crate) fn number(self) -> u32 {
        let digit = |c: u8| c.is_ascii_digit().then(|| u32::from(c - b'0'));
        let [a, b, c, _] = self.0.to_be_bytes();
        let number = match a {
            b'A'..=b'Z' => digit(b).zip(digit(c)).map(|(b, c)| u32::from(a - b'A') * 100 + b * 10 + c),
            // `408*` is 4.08: the two digits after the major version are the minor one.
            b'0'..=b'9' if b == b'0' => digit(c).map(|c| u32::from(a - b'0') * 10 + c),
            _ => None,
        };
        number.unwrap_or(0)
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}`", self.0.to_be_bytes().escape_ascii())?;
        match self.number() {
            0 => Ok(()),
            n => write!(f, " (gcc {}.{})", n / 10, n % 10),
        }
    }
}
