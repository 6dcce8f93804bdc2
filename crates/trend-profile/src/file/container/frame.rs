//! Frames hold one record each. Every frame has a checksum and is chained to the one before.
//!
//! ```text
//!    0  magic      4  where a search for intact frames begins
//!    4  zero       4
//!    8  length     8  of the payload
//!   16  previous   8  the check of the frame before, or the study's seed
//!   24  check      8  XXH3 of the payload, seeded with the XXH3 of the 24 bytes above
//!   32  payload
//! ```
//!
//! A file that only grows by whole frames is intact up to its last frame at every moment. The chain reveals frames that
//! were removed, duplicated or moved, although each would be intact by itself.

use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;

use twox_hash::XxHash3_64;

use crate::identity::StudyId;

/// Number of bytes before a payload.
pub(in crate::file) const LENGTH: usize = 32;

const MAGIC: [u8; 4] = [0x93, b't', b'p', b'f'];

/// Bytes read at once: thousands of small frames in one system call.
const WINDOW: usize = 1 << 20;

/// A frame: header and payload.
#[derive(Clone, Debug)]
pub(in crate::file) struct Frame {
    bytes: Vec<u8>,
    check: u64,
}

impl Frame {
    /// Creates a frame with the payload `parts`, chained to a frame with the checksum `previous`.
    pub(in crate::file) fn new(previous: u64, parts: [&[u8]; 2]) -> Self {
        let length = parts[0].len() + parts[1].len();
        let mut bytes = Vec::with_capacity(LENGTH + length);
        bytes.extend_from_slice(&MAGIC);
        bytes.extend_from_slice(&[0; 4]);
        bytes.extend_from_slice(&(length as u64).to_le_bytes());
        bytes.extend_from_slice(&previous.to_le_bytes());
        bytes.extend_from_slice(&[0; 8]);
        for part in parts {
            bytes.extend_from_slice(part);
        }
        let check = check(&bytes[..24], &bytes[LENGTH..]);
        bytes[24..LENGTH].copy_from_slice(&check.to_le_bytes());
        Self { bytes, check }
    }

    /// Returns the bytes to write.
    pub(in crate::file) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Returns the checksum that the next frame is chained to.
    pub(in crate::file) fn check(&self) -> u64 {
        self.check
    }
}

fn check(head: &[u8], payload: &[u8]) -> u64 {
    XxHash3_64::oneshot_with_seed(XxHash3_64::oneshot(head), payload)
}

/// Returns the checksum that the first frame of a study is chained to.
pub(in crate::file) fn seed(id: StudyId) -> u64 {
    XxHash3_64::oneshot(&id.0)
}

/// Result of reading at the next position of a file.
#[derive(Debug, PartialEq, Eq)]
pub(in crate::file) enum Next<'a> {
    /// An intact frame: offset of its payload, and the payload.
    Payload { offset: u64, payload: &'a [u8] },
    /// End of the range to read.
    End,
    /// No intact frame that follows the one before.
    Broken,
}

/// Reads frames one after the other, in a buffer as large as the largest frame.
#[derive(Debug)]
pub(in crate::file) struct Frames<'f> {
    file: &'f File,
    end: u64,
    position: u64,
    last: u64,
    window: Vec<u8>,
    window_offset: u64,
}

impl<'f> Frames<'f> {
    /// Reads the frames of `file` from `position` to `end`. The first one must follow a frame with the checksum `last`.
    pub(in crate::file) fn new(file: &'f File, position: u64, end: u64, last: u64) -> Self {
        Self { file, end, position, last, window: Vec::new(), window_offset: position }
    }

    /// Returns the position of the next frame.
    pub(in crate::file) fn position(&self) -> u64 {
        self.position
    }

    /// Returns the checksum of the frame before.
    pub(in crate::file) fn last(&self) -> u64 {
        self.last
    }

    /// Reads the next frame.
    ///
    /// # Errors
    /// Fails if the file cannot be read.
    pub(in crate::file) fn next(&mut self) -> io::Result<Next<'_>> {
        if self.position == self.end {
            return Ok(Next::End);
        }
        let Some(head) = self.head()? else { return Ok(Next::Broken) };
        if head.previous != self.last {
            return Ok(Next::Broken);
        }
        self.payload(&head)
    }

    /// Moves to the next frame that is intact by itself, at this position or later, and ignores its chain. Returns true
    /// if there is one.
    ///
    /// - Time: O(bytes), even if many places look like long frames: the bytes spent on failed checks are limited.
    pub(in crate::file) fn resynchronise(&mut self) -> io::Result<bool> {
        let mut allowance = self.end.saturating_sub(self.position).saturating_mul(4);
        while self.position < self.end {
            let (position, length) = (self.position, self.end - self.position);
            let bytes = self.bytes(position, (LENGTH as u64).max(4096).min(length) as usize)?;
            let Some(at) = bytes.windows(MAGIC.len()).position(|word| word == MAGIC) else {
                // The magic can begin in the last bytes.
                self.position += (bytes.len() as u64).saturating_sub(MAGIC.len() as u64 - 1).max(1);
                continue;
            };
            self.position += at as u64;
            if let Some(head) = self.head()? {
                if head.length > allowance {
                    return Ok(false);
                }
                allowance -= head.length;
                let position = self.position;
                if let Next::Payload { .. } = self.payload(&head)? {
                    (self.position, self.last) = (position, head.previous);
                    return Ok(true);
                }
            }
            self.position += 1;
        }
        Ok(false)
    }

    /// Reads the head of a frame at this position. Returns `None` if the file has no room for the frame.
    fn head(&mut self) -> io::Result<Option<Head>> {
        let Some(room) = (self.end - self.position).checked_sub(LENGTH as u64) else { return Ok(None) };
        let bytes = self.bytes(self.position, LENGTH)?;
        let word = |at: usize| u64::from_le_bytes(std::array::from_fn(|i| bytes[at + i]));
        let head = Head {
            length: word(8),
            previous: word(16),
            check: word(24),
            bytes: std::array::from_fn(|i| bytes[i]),
        };
        Ok((bytes[..4] == MAGIC && bytes[4..8] == [0; 4] && head.length <= room).then_some(head))
    }

    /// Reads the payload of the frame at this position and moves past it, if the frame is intact.
    fn payload(&mut self, head: &Head) -> io::Result<Next<'_>> {
        let offset = self.position + LENGTH as u64;
        let Ok(length) = usize::try_from(head.length) else { return Ok(Next::Broken) };
        self.bytes(offset, length)?;
        let payload = &self.window[(offset - self.window_offset) as usize..][..length];
        if check(&head.bytes, payload) != head.check {
            return Ok(Next::Broken);
        }
        self.position = offset + head.length;
        self.last = head.check;
        Ok(Next::Payload { offset, payload })
    }

    /// Returns the bytes that begin at `offset`. All of them must lie below `end`.
    fn bytes(&mut self, offset: u64, length: usize) -> io::Result<&[u8]> {
        let window = self.window_offset..self.window_offset + self.window.len() as u64;
        if offset < window.start || offset + length as u64 > window.end {
            let longest = usize::try_from(self.end - offset).unwrap_or(usize::MAX);
            self.window.clear();
            self.window.resize(length.max(WINDOW).min(longest), 0);
            self.window_offset = offset;
            self.file.read_exact_at(&mut self.window, offset)?;
        }
        Ok(&self.window[(offset - self.window_offset) as usize..][..length])
    }
}

/// Header of a frame.
struct Head {
    length: u64,
    previous: u64,
    check: u64,
    bytes: [u8; 24],
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    /// Writes a file of frames with these payloads. Returns the file, the start of each frame, and the end of the last
    /// one.
    fn file_of(payloads: &[&[u8]]) -> (File, Vec<u64>, u64) {
        let mut file = tempfile::tempfile().unwrap();
        let (mut last, mut starts, mut end) = (1, Vec::new(), 0);
        for payload in payloads {
            let frame = Frame::new(last, [payload, b"!"]);
            file.write_all(frame.bytes()).unwrap();
            starts.push(end);
            (last, end) = (frame.check(), end + frame.bytes().len() as u64);
        }
        (file, starts, end)
    }

    fn read(file: &File, end: u64) -> (Vec<Vec<u8>>, bool) {
        let mut frames = Frames::new(file, 0, end, 1);
        let mut payloads = Vec::new();
        loop {
            match frames.next().unwrap() {
                Next::Payload { payload, .. } => payloads.push(payload.to_vec()),
                Next::End => return (payloads, true),
                Next::Broken => return (payloads, false),
            }
        }
    }

    #[test]
    fn payloads_of_all_lengths_come_back() {
        let long = vec![42; 3 * WINDOW];
        let (file, _, end) = file_of(&[b"one", &long, b"", b"two"]);
        let (payloads, is_whole) = read(&file, end);
        assert!(is_whole);
        let lengths: Vec<usize> = payloads.iter().map(Vec::len).collect();
        assert_eq!(lengths, [4, 3 * WINDOW + 1, 1, 4]);
        assert_eq!(payloads[3], b"two!");
    }

    #[test]
    fn every_changed_bit_and_every_cut_is_noticed_and_what_follows_is_found() {
        let (file, starts, end) = file_of(&[b"first", b"second", b"third"]);
        for bit in 0..end * 8 {
            let mut byte = [0];
            file.read_exact_at(&mut byte, bit / 8).unwrap();
            file.write_all_at(&[byte[0] ^ 1 << (bit % 8)], bit / 8).unwrap();
            let (payloads, is_whole) = read(&file, end);
            let damaged = starts.iter().rposition(|start| *start <= bit / 8).unwrap();
            assert!(!is_whole && payloads.len() == damaged, "bit {bit}");
            let mut frames = Frames::new(&file, starts[damaged], end, 1);
            assert_eq!(frames.resynchronise().unwrap(), damaged < 2, "bit {bit}");
            if damaged < 2 {
                assert_eq!(frames.position(), starts[damaged + 1]);
                assert!(matches!(frames.next().unwrap(), Next::Payload { .. }));
            }
            file.write_all_at(&byte, bit / 8).unwrap();
        }
        for cut in 0..end {
            let (payloads, is_whole) = read(&file, cut);
            assert_eq!(is_whole, cut == 0 || starts.contains(&cut), "cut at {cut}");
            assert!(payloads.len() <= starts.iter().filter(|s| **s < cut).count());
        }
    }

    #[test]
    fn frames_that_were_taken_out_moved_or_put_in_twice_are_noticed() {
        let (file, starts, end) = file_of(&[b"1", b"2", b"3"]);
        let mut bytes = vec![0; end as usize];
        file.read_exact_at(&mut bytes, 0).unwrap();
        let frames: Vec<&[u8]> = bytes.chunks(starts[1] as usize).collect();
        for order in [&[0, 2][..], &[1, 2], &[1, 0, 2], &[0, 0, 1, 2], &[0, 1, 1, 2]] {
            let mut other = tempfile::tempfile().unwrap();
            let bytes: Vec<u8> = order.iter().flat_map(|i| frames[*i]).copied().collect();
            other.write_all(&bytes).unwrap();
            assert!(!read(&other, bytes.len() as u64).1, "{order:?}");
        }
    }

    #[test]
    fn many_places_that_look_like_long_frames_cost_no_more_than_the_file() {
        let mut bytes = Vec::new();
        while bytes.len() < 4 << 20 {
            let rest = (4_u64 << 20) - bytes.len() as u64;
            bytes.extend_from_slice(&MAGIC);
            bytes.extend_from_slice(&[0; 4]);
            bytes.extend_from_slice(&rest.saturating_sub(100).to_le_bytes());
            bytes.extend_from_slice(&[0; 16]);
        }
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(&bytes).unwrap();
        let mut frames = Frames::new(&file, 0, bytes.len() as u64, 1);
        assert!(!frames.resynchronise().unwrap());
        assert!(frames.position() < 1000, "given up after a few of them");
    }
}
