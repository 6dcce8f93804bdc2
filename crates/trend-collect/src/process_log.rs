//! Reads the log of a run's processes, to which each process writes its counters however it ends.
//!
//! ```text
//! record: magic  kind  pid  token  length  body  seal      (8 4 4 8 8 … 8 bytes; the writer's byte order)
//! kind:   the kind in 8 bits, and above them the round in which the process wrote it
//! body:   a sequence of entries, in records of the kinds PART and END
//! entry:  format  path length  data length  path  data     (4 4 8 … … bytes)
//! seal:   magic ⊕ token ⊕ length
//! ```
//!
//! A process appends BEGIN, then PARTs, then END. CANCEL withdraws the END of its round, because an `exec` failed.
//! Killed processes leave no END. A truncated record has no seal; the next record after it is found by its magic.

use std::collections::BTreeMap;
use std::io::{self, Read, Seek, SeekFrom};

use crate::bytes::{u32_at, u64_at};

/// First bytes of every record: `\x89\x1aTPlog1`, read as a number.
const MAGIC: u64 = 0x3167_6f6c_5054_1a89;
const HEADER_BYTES: usize = 32;
const SEAL_BYTES: usize = 8;
const ENTRY_BYTES: usize = 16;

const BEGIN: u32 = 1;
const PART: u32 = 2;
const END: u32 = 3;
const CANCEL: u32 = 4;
const KIND_BITS: u32 = 8;

/// Bytes read at once when searching the next record.
const PIECE: u64 = 1 << 16;

/// Counters of one object, program or library, as a process wrote them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Written<'a> {
    /// Contents of a `.gcda` file, and the path that the compiler gave it.
    Gcda {
        /// Path of the file, as bytes.
        path: &'a [u8],
        /// Contents of the file.
        data: &'a [u8],
    },
    /// Contents of a `.profraw` file.
    Profile(&'a [u8]),
}

/// The log of a run's processes. Only one record at a time is in memory.
#[derive(Debug)]
pub struct ProcessLog<R> {
    log: R,
    /// Offsets and lengths of the valid bodies, in the order of the log.
    bodies: Vec<(u64, u64)>,
    /// Number of processes that began.
    pub begun: usize,
    /// Number of processes that began but did not write their counters.
    pub lost: usize,
    /// True if a record was truncated.
    pub is_damaged: bool,
}

struct LogRecord {
    kind: u32,
    round: u32,
    process: (u32, u64),
    body: (u64, u64),
}

impl<R: Read + Seek> ProcessLog<R> {
    /// Reads a log from its beginning. Intact records count, whatever else the log contains.
    ///
    /// - Time: O(bytes); memory: that of the largest record, and a few words per record.
    ///
    /// # Errors
    /// Fails if the log cannot be read.
    pub fn read(mut log: R) -> io::Result<Self> {
        let length = log.seek(SeekFrom::End(0))?;
        let mut processes: BTreeMap<(u32, u64), Process> = BTreeMap::new();
        let mut bodies: Vec<Option<(u64, u64)>> = Vec::new();
        let (mut body, mut is_damaged, mut at) = (Vec::new(), false, 0);
        while at < length {
            let Some(record) = record(&mut log, at, length)? else {
                is_damaged = true;
                match next_magic(&mut log, at + 1)? {
                    Some(next) => at = next,
                    None => break,
                }
                continue;
            };
            at = record.body.0 + record.body.1 + SEAL_BYTES as u64;
            let process = processes.entry(record.process).or_default();
            match record.kind {
                BEGIN => process.has_begun = true,
                PART | END => {
                    read_body(&mut log, record.body, &mut body)?;
                    let is_whole = entries(&body, |_| Ok::<(), ()>(())).is_some();
                    is_damaged |= !is_whole;
                    if record.kind == END && is_whole {
                        process.ends.push((record.round, bodies.len()));
                    }
                    bodies.push(is_whole.then_some(record.body));
                }
                CANCEL => {
                    if let Some(end) = process.ends.iter().rposition(|(round, _)| *round == record.round) {
                        bodies[process.ends.remove(end).1] = None;
                    }
                }
                _ => is_damaged = true,
            }
        }
        Ok(Self {
            log,
            bodies: bodies.into_iter().flatten().collect(),
            begun: processes.values().filter(|p| p.has_begun).count(),
            lost: processes.values().filter(|p| p.has_begun && p.ends.is_empty()).count(),
            is_damaged,
        })
    }

    /// Passes all valid entries to `visit`, in the order of the log.
    ///
    /// # Errors
    /// Fails if the log cannot be read, or with the error of `visit`.
    pub fn for_each<E: From<io::Error>>(
        &mut self,
        mut visit: impl FnMut(Written<'_>) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut bytes = Vec::new();
        for body in &self.bodies {
            read_body(&mut self.log, *body, &mut bytes)?;
            entries(&bytes, &mut visit).unwrap_or(Ok(()))?;
        }
        Ok(())
    }
}

#[derive(Default)]
struct Process {
    has_begun: bool,
    /// ENDs that were not withdrawn: their rounds, and the indices of their bodies. Several threads can each write one.
    ends: Vec<(u32, usize)>,
}

/// Reads the record at `at`; returns `None` if it is not intact.
fn record(log: &mut (impl Read + Seek), at: u64, length: u64) -> io::Result<Option<LogRecord>> {
    let left = length - at;
    let Some(most) = left.checked_sub((HEADER_BYTES + SEAL_BYTES) as u64) else { return Ok(None) };
    let mut header = [0; HEADER_BYTES];
    log.seek(SeekFrom::Start(at))?;
    log.read_exact(&mut header)?;
    let words = (
        u64_at(&header, 0),
        u32_at(&header, 8),
        u32_at(&header, 12),
        u64_at(&header, 16),
        u64_at(&header, 24),
    );
    let (Some(MAGIC), Some(kind), Some(pid), Some(token), Some(body)) = words else { return Ok(None) };
    if body > most {
        return Ok(None);
    }
    let mut seal = [0; SEAL_BYTES];
    let begin = at + HEADER_BYTES as u64;
    log.seek(SeekFrom::Start(begin + body))?;
    log.read_exact(&mut seal)?;
    if u64::from_ne_bytes(seal) != MAGIC ^ token ^ body {
        return Ok(None);
    }
    let (kind, round) = (kind & ((1 << KIND_BITS) - 1), kind >> KIND_BITS);
    Ok(Some(LogRecord { kind, round, process: (pid, token), body: (begin, body) }))
}

/// Finds the next possible start of a record at or after `at`.
fn next_magic(log: &mut (impl Read + Seek), mut at: u64) -> io::Result<Option<u64>> {
    let magic = MAGIC.to_ne_bytes();
    let mut bytes = Vec::new();
    loop {
        bytes.clear();
        log.seek(SeekFrom::Start(at))?;
        let count = log.take(PIECE).read_to_end(&mut bytes)?;
        if let Some(distance) = bytes.windows(magic.len()).position(|w| w == magic) {
            return Ok(Some(at + distance as u64));
        }
        if (count as u64) < PIECE {
            return Ok(None);
        }
        // A magic across the end of this piece is complete in the next one.
        at += PIECE - (magic.len() as u64 - 1);
    }
}

fn read_body(
    log: &mut (impl Read + Seek),
    (begin, length): (u64, u64),
    body: &mut Vec<u8>,
) -> io::Result<()> {
    body.clear();
    log.seek(SeekFrom::Start(begin))?;
    // The body is not longer than the log, because its seal follows it and was read.
    body.resize(length as usize, 0);
    log.read_exact(body)
}

/// Passes the entries of a body to `visit` until one fails. Returns `None` if they do not fill the body exactly.
fn entries<E>(mut body: &[u8], mut visit: impl FnMut(Written<'_>) -> Result<(), E>) -> Option<Result<(), E>> {
    while !body.is_empty() {
        let (format, path_length, data_length) = (u32_at(body, 0)?, u32_at(body, 4)?, u64_at(body, 8)?);
        let (path, rest) = body[ENTRY_BYTES..].split_at_checked(path_length as usize)?;
        let (data, rest) = rest.split_at_checked(usize::try_from(data_length).ok()?)?;
        let written = match format {
            1 => Written::Gcda { path, data },
            2 => Written::Profile(data),
            _ => return None,
        };
        if let Err(error) = visit(written) {
            return Some(Err(error));
        }
        body = rest;
    }
    Some(Ok(()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(kind: u32, pid: u32, body: &[u8]) -> Vec<u8> {
        let (token, length) = (u64::from(pid) * 7, body.len() as u64);
        let seal = MAGIC ^ token ^ length;
        let words = [MAGIC.to_ne_bytes(), ((u64::from(pid) << 32) | u64::from(kind)).to_ne_bytes()].concat();
        let head = [&words[..], &token.to_ne_bytes(), &length.to_ne_bytes()].concat();
        [&head[..], body, &seal.to_ne_bytes()].concat()
    }

    fn entry(format: u32, path: &str, data: &[u8]) -> Vec<u8> {
        let lengths = (format, path.len() as u32, data.len() as u64);
        let head =
            [&lengths.0.to_ne_bytes()[..], &lengths.1.to_ne_bytes(), &lengths.2.to_ne_bytes()].concat();
        [&head[..], path.as_bytes(), data].concat()
    }

    fn log_of(log: &[u8]) -> ProcessLog<io::Cursor<&[u8]>> {
        ProcessLog::read(io::Cursor::new(log)).unwrap()
    }

    fn data(log: &mut ProcessLog<io::Cursor<&[u8]>>) -> Vec<Vec<u8>> {
        let mut all = Vec::new();
        let mut visit = |w: Written<'_>| {
            let (Written::Gcda { data, .. } | Written::Profile(data)) = w;
            all.push(data.to_owned());
            Ok::<(), io::Error>(())
        };
        log.for_each(&mut visit).unwrap();
        all
    }

    #[test]
    fn what_processes_wrote_comes_back_and_killed_ones_are_counted() {
        let body = [entry(1, "/a.gcda", b"abc"), entry(2, "", b"profile")].concat();
        let log = [record(BEGIN, 1, &[]), record(BEGIN, 2, &[]), record(PART, 1, &body), record(END, 1, &[])];
        let log = log.concat();
        let mut parsed = log_of(&log);
        assert_eq!((parsed.begun, parsed.lost, parsed.is_damaged), (2, 1, false));
        let mut written = Vec::new();
        let mut visit = |w: Written<'_>| {
            written.push(format!("{w:?}"));
            Ok::<(), io::Error>(())
        };
        parsed.for_each(&mut visit).unwrap();
        let expected = [Written::Gcda { path: b"/a.gcda", data: b"abc" }, Written::Profile(b"profile")];
        assert_eq!(written, expected.map(|w| format!("{w:?}")));
    }

    #[test]
    fn an_exec_that_failed_takes_its_counts_back() {
        let (first, second) = (entry(2, "", b"early"), entry(2, "", b"late"));
        let begun = [record(BEGIN, 1, &[]), record(END, 1, &first), record(CANCEL, 1, &[])].concat();
        let mut parsed = log_of(&begun);
        assert_eq!((data(&mut parsed).len(), parsed.lost), (0, 1));
        let ended = [&begun[..], &record(END, 1, &second)].concat();
        let mut parsed = log_of(&ended);
        assert_eq!((data(&mut parsed), parsed.lost), (vec![b"late".to_vec()], 0));
        // Another thread wrote in between.
        let round = |round: u32, kind: u32| kind | (round << KIND_BITS);
        let log = [
            record(BEGIN, 1, &[]),
            record(round(1, END), 1, &first),
            record(round(2, END), 1, &second),
            record(round(1, CANCEL), 1, &[]),
        ];
        let log = log.concat();
        let mut parsed = log_of(&log);
        assert_eq!((data(&mut parsed), parsed.lost), (vec![b"late".to_vec()], 0));
    }

    #[test]
    fn a_record_that_was_cut_short_hides_no_other() {
        let body = entry(2, "", &[7; 100]);
        let whole = record(END, 1, &body);
        for length in 1..whole.len() {
            let log =
                [&record(BEGIN, 1, &[]), &whole[..length], &record(END, 2, &entry(2, "", b"ok"))].concat();
            let mut parsed = log_of(&log);
            assert_eq!(data(&mut parsed), [b"ok".to_vec()], "{length}");
            assert!(parsed.is_damaged && parsed.lost == 1, "{length}");
            assert!(data(&mut log_of(&log[..40 + length])).is_empty());
        }
    }

    #[test]
    fn lengths_that_lie_are_refused() {
        for (path, length) in [(u32::MAX, 0), (0, u64::MAX), (1, 1)] {
            let head = [&1_u32.to_ne_bytes()[..], &path.to_ne_bytes(), &u64::to_ne_bytes(length)].concat();
            let log = record(END, 1, &head);
            assert!(log_of(&log).is_damaged);
        }
        let mut log = record(END, 1, &[]);
        log[24..32].copy_from_slice(&u64::MAX.to_ne_bytes());
        assert!(log_of(&log).is_damaged);
        assert!(log_of(b"junk").is_damaged && !log_of(b"").is_damaged);
    }
}
