//! The log of a run's processes: what each wrote of its counters when it ended, however it ended.
//!
//! ```text
//! record: magic  kind  pid  token  length  body  seal      (8 4 4 8 8 … 8 bytes; the writer's byte order)
//! body:   a row of entries, in records of the kinds PART and END
//! entry:  format  path length  data length  path  data     (4 4 8 … … bytes)
//! seal:   magic ⊕ token ⊕ length
//! ```
//!
//! A process appends BEGIN, then PARTs, then END; CANCEL takes back its last END, because an `exec` failed. Processes that
//! were killed leave no END, and a record that was cut short has no seal: whatever follows it is found by its magic.

use std::collections::BTreeMap;

/// What every record begins with: `\x89\x1aTPlog1`, read as a number.
const MAGIC: u64 = 0x3167_6f6c_5054_1a89;
const HEADER_BYTES: usize = 32;
const SEAL_BYTES: usize = 8;
const ENTRY_BYTES: usize = 16;

const BEGIN: u32 = 1;
const PART: u32 = 2;
const END: u32 = 3;
const CANCEL: u32 = 4;

/// What a process wrote of one object, or of one program or library.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Written<'a> {
    /// The bytes of a `.gcda`, and the path that the compiler gave it.
    Gcda {
        /// The path, as bytes.
        path: &'a [u8],
        /// The file's bytes.
        data: &'a [u8],
    },
    /// The bytes of a `.profraw`.
    Profile(&'a [u8]),
}

/// What the processes of a run wrote.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ProcessLog<'a> {
    /// In the order of the log.
    pub written: Vec<Written<'a>>,
    /// How many processes began.
    pub begun: usize,
    /// How many of them ended without writing what they counted.
    pub lost: usize,
    /// Whether a record was cut short.
    pub is_damaged: bool,
}

struct Record<'a> {
    kind: u32,
    process: (u32, u64),
    body: &'a [u8],
    length: usize,
}

impl<'a> ProcessLog<'a> {
    /// Reads the bytes of a log. Whatever they are, it gives what is whole.
    ///
    /// - Time and memory: O(bytes).
    pub fn parse(bytes: &'a [u8]) -> Self {
        let mut log = Self::default();
        // Which records of each process count; the last is what CANCEL takes back.
        let mut processes: BTreeMap<(u32, u64), Process> = BTreeMap::new();
        let mut bodies: Vec<Option<Vec<Written<'a>>>> = Vec::new();
        let mut at = 0;
        while at < bytes.len() {
            let Some(record) = record(&bytes[at..]) else {
                log.is_damaged = true;
                let magic = MAGIC.to_ne_bytes();
                let next = bytes[at + 1..].windows(magic.len()).position(|w| w == magic);
                match next {
                    Some(distance) => at += 1 + distance,
                    None => break,
                }
                continue;
            };
            at += record.length;
            let process = processes.entry(record.process).or_default();
            match record.kind {
                BEGIN => process.has_begun = true,
                PART | END => {
                    let written = entries(record.body);
                    log.is_damaged |= written.is_none();
                    process.has_ended |= record.kind == END && written.is_some();
                    process.last = Some(bodies.len());
                    bodies.push(written);
                }
                CANCEL => {
                    process.has_ended = false;
                    if let Some(last) = process.last.take() {
                        bodies[last] = None;
                    }
                }
                _ => log.is_damaged = true,
            }
        }
        log.written = bodies.into_iter().flatten().flatten().collect();
        log.begun = processes.values().filter(|p| p.has_begun).count();
        log.lost = processes.values().filter(|p| p.has_begun && !p.has_ended).count();
        log
    }
}

#[derive(Default)]
struct Process {
    has_begun: bool,
    has_ended: bool,
    last: Option<usize>,
}

fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_ne_bytes(bytes.get(at..at + 4)?.try_into().ok()?))
}

fn u64_at(bytes: &[u8], at: usize) -> Option<u64> {
    Some(u64::from_ne_bytes(bytes.get(at..at.checked_add(8)?)?.try_into().ok()?))
}

/// The record that the bytes begin with, where it is whole.
fn record(bytes: &[u8]) -> Option<Record<'_>> {
    if u64_at(bytes, 0)? != MAGIC {
        return None;
    }
    let (kind, pid, token) = (u32_at(bytes, 8)?, u32_at(bytes, 12)?, u64_at(bytes, 16)?);
    let body_length = u64_at(bytes, 24)?;
    let end = HEADER_BYTES.checked_add(usize::try_from(body_length).ok()?)?;
    if u64_at(bytes, end)? != MAGIC ^ token ^ body_length {
        return None;
    }
    Some(Record { kind, process: (pid, token), body: &bytes[HEADER_BYTES..end], length: end + SEAL_BYTES })
}

/// The entries of a body; `None` when they do not fill it.
fn entries(mut body: &[u8]) -> Option<Vec<Written<'_>>> {
    let mut entries = Vec::new();
    while !body.is_empty() {
        let (format, path_length, data_length) = (u32_at(body, 0)?, u32_at(body, 4)?, u64_at(body, 8)?);
        let (path, rest) = body[ENTRY_BYTES..].split_at_checked(path_length as usize)?;
        let (data, rest) = rest.split_at_checked(usize::try_from(data_length).ok()?)?;
        entries.push(match format {
            1 => Written::Gcda { path, data },
            2 => Written::Profile(data),
            _ => return None,
        });
        body = rest;
    }
    Some(entries)
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

    fn data<'a>(log: &ProcessLog<'a>) -> Vec<&'a [u8]> {
        let data = |w: &Written<'a>| match w {
            Written::Gcda { data, .. } | Written::Profile(data) => *data,
        };
        log.written.iter().map(data).collect()
    }

    #[test]
    fn what_processes_wrote_comes_back_and_killed_ones_are_counted() {
        let body = [entry(1, "/a.gcda", b"abc"), entry(2, "", b"profile")].concat();
        let log = [record(BEGIN, 1, &[]), record(BEGIN, 2, &[]), record(PART, 1, &body), record(END, 1, &[])];
        let log = log.concat();
        let parsed = ProcessLog::parse(&log);
        assert_eq!((parsed.begun, parsed.lost, parsed.is_damaged), (2, 1, false));
        assert_eq!(parsed.written[0], Written::Gcda { path: b"/a.gcda", data: b"abc" });
        assert_eq!(parsed.written[1], Written::Profile(b"profile"));
    }

    #[test]
    fn an_exec_that_failed_takes_its_counts_back() {
        let (first, second) = (entry(2, "", b"early"), entry(2, "", b"late"));
        let begun = [record(BEGIN, 1, &[]), record(END, 1, &first), record(CANCEL, 1, &[])].concat();
        let parsed = ProcessLog::parse(&begun);
        assert_eq!((data(&parsed).len(), parsed.lost), (0, 1));
        let ended = [&begun[..], &record(END, 1, &second)].concat();
        let parsed = ProcessLog::parse(&ended);
        assert_eq!((data(&parsed), parsed.lost), (vec![&b"late"[..]], 0));
    }

    #[test]
    fn a_record_that_was_cut_short_hides_no_other() {
        let body = entry(2, "", &[7; 100]);
        let whole = record(END, 1, &body);
        for length in 1..whole.len() {
            let log =
                [&record(BEGIN, 1, &[]), &whole[..length], &record(END, 2, &entry(2, "", b"ok"))].concat();
            let parsed = ProcessLog::parse(&log);
            assert_eq!(data(&parsed), [b"ok"], "{length}");
            assert!(parsed.is_damaged && parsed.lost == 1, "{length}");
            assert!(data(&ProcessLog::parse(&log[..40 + length])).is_empty());
        }
    }

    #[test]
    fn lengths_that_lie_are_refused() {
        for (path, length) in [(u32::MAX, 0), (0, u64::MAX), (1, 1)] {
            let head = [&1_u32.to_ne_bytes()[..], &path.to_ne_bytes(), &u64::to_ne_bytes(length)].concat();
            let log = record(END, 1, &head);
            assert!(ProcessLog::parse(&log).is_damaged);
        }
        let mut log = record(END, 1, &[]);
        log[24..32].copy_from_slice(&u64::MAX.to_ne_bytes());
        assert!(ProcessLog::parse(&log).is_damaged);
        assert!(ProcessLog::parse(b"junk").is_damaged && !ProcessLog::parse(b"").is_damaged);
    }
}
