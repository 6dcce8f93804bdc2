//! The end of what a program prints, kept in memory: it may print gigabytes, and is asked for them only when it fails.

use std::io::{self, PipeReader, PipeWriter, Read};
use std::os::fd::{AsFd, BorrowedFd};

use rustix::io::ioctl_fionbio;

/// How much is read at once; what a pipe holds.
const CHUNK: usize = 1 << 16;

/// So often is read at a time, so that a program that prints without end cannot keep anybody from looking at the clock.
const MOST_READS: usize = 16;

/// The reading end of a pipe, and the last bytes that came out of it.
#[derive(Debug)]
pub(super) struct Tail {
    pipe: PipeReader,
    most: usize,
    kept: Vec<u8>,
    chunk: Vec<u8>,
}

impl Tail {
    /// A pipe of which the last `most` bytes are kept, and its writing end.
    pub(super) fn new(most: usize) -> io::Result<(Self, PipeWriter)> {
        let (pipe, writer) = io::pipe()?;
        ioctl_fionbio(&pipe, true)?;
        Ok((Self { pipe, most, kept: Vec::new(), chunk: vec![0; CHUNK] }, writer))
    }

    /// Takes out of the pipe what is in it, without waiting for more.
    pub(super) fn drain(&mut self) {
        for _ in 0..MOST_READS {
            let Ok(length @ 1..) = self.pipe.read(&mut self.chunk) else { return };
            self.kept.extend_from_slice(&self.chunk[length.saturating_sub(self.most)..length]);
            self.kept.drain(..self.kept.len().saturating_sub(self.most));
        }
    }

    /// What came last, with `�` for what is no text.
    pub(super) fn text(&self) -> String {
        String::from_utf8_lossy(&self.kept).into_owned()
    }
}

impl AsFd for Tail {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.pipe.as_fd()
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    #[test]
    fn the_last_bytes_are_kept_whatever_pieces_they_come_in() {
        let (mut tail, mut writer) = Tail::new(6).unwrap();
        tail.drain();
        assert_eq!(tail.text(), "");
        for text in ["ab", "cdefghij", "k"] {
            writer.write_all(text.as_bytes()).unwrap();
            tail.drain();
        }
        assert_eq!(tail.text(), "fghijk");
        drop(writer);
        tail.drain();
        assert_eq!(tail.text(), "fghijk");
    }
}
