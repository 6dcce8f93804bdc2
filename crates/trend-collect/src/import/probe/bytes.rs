//! Reads of a record's bytes, and of its seal.

use std::mem::{offset_of, size_of};

use trend_runtime::record::{Header, PAGE, check, flag};

use super::{LONGEST_NAME, damaged};
use crate::import::ImportError;

/// The bytes of a file, which are not trusted.
#[derive(Clone, Copy)]
pub(super) struct Bytes<'a>(pub(super) &'a [u8]);

impl Bytes<'_> {
    pub(super) fn array<const N: usize>(self, at: u64) -> Result<[u8; N], ImportError> {
        let bytes = usize::try_from(at).ok().and_then(|at| self.0.get(at..)?.first_chunk());
        let missing = || ImportError::CutOff { missing: format!("the data at byte {at} are missing") };
        bytes.copied().ok_or_else(missing)
    }

    /// Compares each page of a sealed record with its check.
    pub(super) fn check_seal(self) -> Result<(), ImportError> {
        let at = offset_of!(Header, flags);
        let flags = self.short(at as u64)?;
        let used = self.long(offset_of!(Header, used) as u64)?;
        let changed = |start: u64, end: u64| {
            Err(ImportError::Changed { page: start / PAGE as u64, start, end: end.saturating_sub(1) })
        };
        let seal = match self.seal(used) {
            Some((seal, true)) => seal,
            _ if flags & flag::SEALED == 0 => return Ok(()),
            Some((seal, false)) => return changed(seal, used),
            None => return changed(used.saturating_sub(16), used),
        };
        let mut first = self.0[..PAGE.min(seal as usize)].to_vec();
        // The flag is written last, so it is missing if the process was killed at that moment.
        first[at..at + 4].copy_from_slice(&(flags | flag::SEALED).to_ne_bytes());
        let pages = self.0[..seal as usize].chunks(PAGE).skip(1);
        for (page, bytes) in (0..).zip(std::iter::once(&first[..]).chain(pages)) {
            if check(bytes) != self.long(seal + 8 * page)? {
                let start = page * PAGE as u64;
                return changed(start, start + bytes.len() as u64);
            }
        }
        Ok(())
    }

    /// Returns the position of the seal that ends at `end`, and true if its own check is right. `None` if there is
    /// none.
    fn seal(self, end: u64) -> Option<(u64, bool)> {
        let [pages, own] = [16, 8].map(|from_end| self.long(end.checked_sub(from_end)?).ok());
        let start = pages?.checked_mul(8).and_then(|length| end.checked_sub(16)?.checked_sub(length))?;
        let sealed = self.0.get(usize::try_from(start).ok()?..usize::try_from(end).ok()?.checked_sub(8)?)?;
        let is_one = start >= size_of::<Header>() as u64 && start.div_ceil(PAGE as u64) == pages?;
        is_one.then(|| (start, own.is_some_and(|own| check(sealed) == own)))
    }

    pub(super) fn short(self, at: u64) -> Result<u32, ImportError> {
        Ok(u32::from_ne_bytes(self.array(at)?))
    }

    pub(super) fn long(self, at: u64) -> Result<u64, ImportError> {
        Ok(u64::from_ne_bytes(self.array(at)?))
    }

    pub(super) fn text(self, at: u64, length: u32) -> Result<String, ImportError> {
        let end = at.checked_add(u64::from(length)).and_then(|end| usize::try_from(end).ok());
        let bytes =
            if length > LONGEST_NAME { None } else { end.and_then(|end| self.0.get(at as usize..end)) };
        let missing = || ImportError::CutOff { missing: format!("the name at byte {at} is missing") };
        let bytes = bytes.ok_or_else(missing)?;
        Ok(String::from_utf8_lossy(bytes).into_owned())
    }

    /// Returns the positions of the items in a linked list. Items have `size` bytes and the next position at offset
    /// `next`.
    pub(super) fn list(self, first: u64, size: usize, next: usize) -> Result<Vec<u64>, ImportError> {
        let mut places = Vec::new();
        let mut at = first;
        while at != 0 {
            if at < size_of::<Header>() as u64 || places.len() > self.0.len() / size {
                return Err(damaged("a list without an end"));
            }
            places.push(at);
            at = self.long(at.saturating_add(next as u64))?;
        }
        Ok(places)
    }

    /// Reads the two texts after a `T`, whose lengths are at these offsets. All texts together may take at most `left`
    /// bytes.
    pub(super) fn names<T>(
        self,
        at: u64,
        first: usize,
        second: usize,
        left: &mut u64,
    ) -> Result<(String, String), ImportError> {
        let [first, second] = [first, second].map(|offset| self.short(at + offset as u64));
        let (first, second) = (first?, second?);
        let start = at + size_of::<T>() as u64;
        let length = u64::from(first) + u64::from(second);
        *left = left.checked_sub(length).ok_or_else(|| damaged("names longer than the file"))?;
        Ok((self.text(start, first)?, self.text(start + u64::from(first), second)?))
    }
}
