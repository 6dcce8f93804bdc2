//! Accesses with their addresses.

use super::access::{Access, Size};
use super::addresses::Address;

/// An access and its address.
pub(crate) struct Placed {
    pub(crate) access: Access,
    pub(crate) address: Address,
}

impl Placed {
    /// Returns the accessed range of bytes, as offsets from the sum, if its length is known.
    pub(super) fn bytes(&self) -> Option<(i64, i64)> {
        match self.access.size {
            Size::Known(size) => Some((self.address.offset, self.address.offset.checked_add_unsigned(size)?)),
            Size::Computed(_) => None,
        }
    }

    /// Returns an access to a range of the bytes that `others` access.
    pub(super) fn covering((from, to): (i64, i64), others: &[&Self]) -> Self {
        let first = others[0];
        let alignment = |other: &&Self| {
            let apart = from.wrapping_sub(other.address.offset);
            other.access.alignment.min(1 << apart.trailing_zeros().min(62))
        };
        let access = Access {
            offset: first.access.offset + (from - first.address.offset),
            size: Size::Known((to - from).unsigned_abs()),
            alignment: others.iter().map(alignment).max().unwrap_or(1),
            ..first.access
        };
        Self { access, address: Address { sum: first.address.sum.clone(), offset: from } }
    }
}
