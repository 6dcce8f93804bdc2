//! Reads samples of a run's processes: records of the kernel's `perf_event_open(2)`, as in its ring buffers.
//!
//! ```text
//! record:  type  misc  size    body      (4 2 2 … bytes; the byte order of this machine)
//! MMAP     pid tid  address length offset  path…0  pid tid time
//! COMM     pid tid  name…0                 pid tid time      misc has the flag of an exec
//! FORK     pid parent  tid parent  time    pid tid time
//! LOST     id lost                         pid tid time
//! SAMPLE   address  pid tid  time
//! ```
//!
//! Each processor has its own buffer, so records are only ordered by time within a buffer and are sorted first. They
//! have the fields of `IP | TID | TIME` with `sample_id_all`.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use crate::addresses::{Mapping, Mappings};
use crate::bytes::{u16_at, u32_at, u64_at};

const MMAP: u32 = 1;
const LOST: u32 = 2;
const COMM: u32 = 3;
const FORK: u32 = 7;
const SAMPLE: u32 = 9;

/// Flag of a COMM record that `exec` caused.
const IS_EXEC: u16 = 1 << 13;

const HEADER_BYTES: usize = 8;
/// Bytes after every record except a sample: process, thread, and time.
const TRAILER_BYTES: usize = 16;

/// Maximum total number of mappings copied when mappings are added. Beyond it, later samples are lost.
const MOST_STEPS: usize = 16 << 20;

/// Samples of the processor's position, with their numbers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Samples {
    /// Samples by object, and by file offset of the address in bytes. An object without a file has a name that is not
    /// a path.
    pub objects: BTreeMap<Arc<str>, BTreeMap<u64, u64>>,
    /// Samples at addresses without an executable mapping.
    pub elsewhere: u64,
    /// Samples without a known position: the kernel had no room for them, or too many mappings came before.
    pub lost: u64,
}

/// An event in a process, with its time.
struct ProcessEvent {
    time: u64,
    process: u32,
    event: Event,
}

enum Event {
    Mapped(Mapping),
    Exec,
    Fork { parent: u32 },
    Lost(u64),
    Sample { address: u64 },
    Other,
}

impl Samples {
    /// Parses the records of one run. Returns `None` if one is cut off or invalid: the samples before it would only
    /// cover part of the run.
    ///
    /// - Time: O(records · log records); memory: O(bytes).
    pub fn parse(bytes: &[u8]) -> Option<Self> {
        let mut samples = Self::default();
        let (mut records, mut rest) = (Vec::new(), bytes);
        while !rest.is_empty() {
            let (record, others) = split(rest)?;
            records.push(record);
            rest = others;
        }
        // Stable: records with equal times keep their order.
        records.sort_by_key(|record: &ProcessEvent| record.time);
        let mut processes: HashMap<u32, Arc<Mappings>> = HashMap::new();
        let mut steps = 0;
        for ProcessEvent { process, event, .. } in records {
            match event {
                Event::Sample { .. } if steps > MOST_STEPS => samples.lost = samples.lost.saturating_add(1),
                Event::Mapped(_) if steps > MOST_STEPS => {}
                Event::Mapped(mapping) => {
                    let mappings = processes.entry(process).or_default();
                    steps += mappings.len();
                    Arc::make_mut(mappings).add(mapping);
                }
                Event::Exec => drop(processes.remove(&process)),
                Event::Fork { parent } if parent != process => {
                    if let Some(mappings) = processes.get(&parent).cloned() {
                        processes.insert(process, mappings);
                    }
                }
                Event::Lost(lost) => samples.lost = samples.lost.saturating_add(lost),
                Event::Sample { address } => samples.add(processes.get(&process), address),
                Event::Fork { .. } | Event::Other => {}
            }
        }
        Some(samples)
    }

    fn add(&mut self, mappings: Option<&Arc<Mappings>>, address: u64) {
        match mappings.and_then(|mappings| mappings.find(address)) {
            Some((object, offset)) => {
                *self.objects.entry(Arc::clone(object)).or_default().entry(offset).or_default() += 1;
            }
            None => self.elsewhere += 1,
        }
    }

    /// Returns the number of samples, without lost ones.
    pub fn total(&self) -> u64 {
        self.objects.values().flat_map(BTreeMap::values).sum::<u64>() + self.elsewhere
    }
}

/// Splits off the first record.
fn split(bytes: &[u8]) -> Option<(ProcessEvent, &[u8])> {
    let (kind, misc, size) = (u32_at(bytes, 0)?, u16_at(bytes, 4)?, u16_at(bytes, 6)? as usize);
    let record = bytes.get(..size).filter(|_| size >= HEADER_BYTES)?;
    let others = &bytes[size..];
    let body = &record[HEADER_BYTES..];
    if kind == SAMPLE {
        let event = Event::Sample { address: u64_at(body, 0)? };
        return Some((ProcessEvent { time: u64_at(body, 16)?, process: u32_at(body, 8)?, event }, others));
    }
    let end = body.len().checked_sub(TRAILER_BYTES)?;
    let time = u64_at(body, end + 8)?;
    let body = &body[..end];
    let event = match kind {
        MMAP => {
            let (start, length, offset) = (u64_at(body, 8)?, u64_at(body, 16)?, u64_at(body, 24)?);
            let path = body.get(32..)?.split(|byte| *byte == 0).next().unwrap_or_default();
            let object = String::from_utf8_lossy(path);
            let object = object.strip_suffix(" (deleted)").unwrap_or(&object).into();
            Event::Mapped(Mapping { start, end: start.checked_add(length)?, offset, object })
        }
        COMM if misc & IS_EXEC != 0 => Event::Exec,
        FORK => Event::Fork { parent: u32_at(body, 4)? },
        LOST => Event::Lost(u64_at(body, 8)?),
        _ => Event::Other,
    };
    let process = match event {
        Event::Lost(_) | Event::Other => 0,
        _ => u32_at(body, 0)?,
    };
    Some((ProcessEvent { time, process, event }, others))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(kind: u32, misc: u16, body: &[u8]) -> Vec<u8> {
        let size = u16::try_from(HEADER_BYTES + body.len()).unwrap();
        let header = [&kind.to_ne_bytes()[..], &misc.to_ne_bytes(), &size.to_ne_bytes()];
        [header.concat().as_slice(), body].concat()
    }

    fn with_trailer(kind: u32, misc: u16, body: &[u8], process: u32, time: u64) -> Vec<u8> {
        let trailer = [&process.to_ne_bytes()[..], &process.to_ne_bytes(), &time.to_ne_bytes()].concat();
        record(kind, misc, &[body, &trailer].concat())
    }

    fn words(words: &[u32]) -> Vec<u8> {
        words.iter().flat_map(|word| word.to_ne_bytes()).collect()
    }

    fn mapped(process: u32, [start, length, offset]: [u64; 3], path: &str, time: u64) -> Vec<u8> {
        let numbers: Vec<u8> = [start, length, offset].iter().flat_map(|n| n.to_ne_bytes()).collect();
        let mut path = path.as_bytes().to_vec();
        path.resize(path.len() / 8 * 8 + 8, 0);
        with_trailer(MMAP, 0, &[words(&[process, process]), numbers, path].concat(), process, time)
    }

    fn sample(process: u32, address: u64, time: u64) -> Vec<u8> {
        let ids = words(&[process, process]);
        record(SAMPLE, 2, &[&address.to_ne_bytes()[..], &ids, &time.to_ne_bytes()].concat())
    }

    fn fork(process: u32, parent: u32, time: u64) -> Vec<u8> {
        let body = [words(&[process, parent, process, parent]), time.to_ne_bytes().to_vec()].concat();
        with_trailer(FORK, 0, &body, parent, time)
    }

    fn exec(process: u32, time: u64) -> Vec<u8> {
        let body = [words(&[process, process]), b"sort\0\0\0\0".to_vec()].concat();
        with_trailer(COMM, IS_EXEC, &body, process, time)
    }

    fn run() -> Vec<Vec<u8>> {
        vec![
            exec(7, 1),
            mapped(7, [0x1000, 0x1000, 0x400], "/p/sort", 2),
            mapped(7, [0x8000, 0x1000, 0], "/lib/libc.so.6", 3),
            sample(7, 0x1010, 4),
            sample(7, 0x1010, 5),
            fork(8, 7, 6),
            sample(8, 0x8004, 7),
            exec(8, 8),
            sample(8, 0x1010, 9),
            mapped(8, [0x1000, 0x1000, 0], "/bin/cat (deleted)", 10),
            sample(8, 0x1010, 11),
            with_trailer(
                LOST,
                0,
                &[1_u64, 3].iter().flat_map(|n| n.to_ne_bytes()).collect::<Vec<_>>(),
                7,
                12,
            ),
            with_trailer(99, 0, &[], 7, 13),
        ]
    }

    #[test]
    fn samples_belong_to_what_their_process_had_mapped_then() {
        let samples = Samples::parse(&run().concat()).unwrap();
        let of = |object: &str| samples.objects[object].iter().map(|(at, n)| (*at, *n)).collect::<Vec<_>>();
        assert_eq!(of("/p/sort"), [(0x410, 2)]);
        assert_eq!(of("/lib/libc.so.6"), [(4, 1)]);
        assert_eq!(of("/bin/cat"), [(0x10, 1)]);
        assert_eq!((samples.elsewhere, samples.lost, samples.total()), (1, 3, 5));
    }

    #[test]
    fn the_order_of_the_buffers_does_not_matter() {
        let mut records = run();
        let expected = Samples::parse(&records.concat());
        assert!(expected.is_some());
        records.reverse();
        assert_eq!(Samples::parse(&records.concat()), expected);
        records.rotate_left(5);
        assert_eq!(Samples::parse(&records.concat()), expected);
    }

    #[test]
    fn what_is_cut_off_or_damaged_is_refused() {
        let whole = run().concat();
        let ends: Vec<usize> = run()
            .iter()
            .scan(0, |sum, record| {
                *sum += record.len();
                Some(*sum)
            })
            .collect();
        for cut in 0..whole.len() {
            let samples = Samples::parse(&whole[..cut]);
            assert_eq!(samples.is_none(), cut != 0 && !ends.contains(&cut), "{cut}");
        }
        for at in 0..whole.len() {
            for bits in [1, 0x80, 0xff] {
                let mut damaged = whole.clone();
                damaged[at] ^= bits;
                assert!(Samples::parse(&damaged).is_none_or(|samples| samples.total() <= 5 + 1), "{at}");
            }
        }
        // A record of size 0 would loop forever. One with a huge mapping takes no memory.
        assert_eq!(Samples::parse(&[0; 64]), None);
        assert_eq!(Samples::parse(&mapped(1, [u64::MAX, 2, 0], "/x", 1)), None);
    }

    #[test]
    fn samples_of_processes_that_map_without_end_are_lost() {
        let of = |mappings: u64| {
            let mut bytes = Vec::new();
            for i in 0..mappings {
                bytes.extend(mapped(1, [i * 0x1000, 0x1000, 0], "/x", i));
            }
            bytes.extend([sample(1, 0x10, mappings), sample(1, 0x20, mappings + 1)].concat());
            Samples::parse(&bytes).unwrap()
        };
        let [few, many] = [of(1000), of(7000)];
        assert_eq!((few.total(), few.lost), (2, 0));
        assert_eq!((many.total(), many.lost), (0, 2));
    }
}
