//! From the compressed counts of runs to the matrix of a study, on all processors. Knows no database.
//!
//! ```text
//!            ┌─▶ a thread ─unpack─▶ bytes of each run ─read side by side─▶ ┐
//!   blobs ─read: some runs at a time                                       ├─▶ rows of locations, a part at a time
//!            └─▶ this one ─unpack─▶ bytes of each run ─read side by side─▶ ┘
//! ```
//!
//! Blobs come from one place, and are read by the thread that has it. Whenever the others have enough to do, it does their
//! work as well. No thread waits for another to finish a step: to wake a thread takes as long as to unpack some runs.
//! Memory is used again: new memory has to be cleared, which takes longer than to unpack into it.

use std::sync::atomic::AtomicU64;
use std::sync::mpsc::{Receiver, TrySendError, sync_channel};
use std::sync::{Mutex, MutexGuard, PoisonError, TryLockError};

use super::blob::{LONGEST, Numbers, Unpacker};
use super::rows::{Part, Run};
use crate::StudyError;
use crate::counts::CountsRow;

/// How many workloads are unpacked at once, at most: the part of a row that belongs to them fills whole lines of the cache.
const TOGETHER: usize = 32;

/// Fewer where there are many locations or repetitions, so that no more counts than these are unpacked, if possible.
const COUNTS_TOGETHER: usize = 1 << 24;

/// Into how many parts the rows are divided for each processor, so that none waits long for another.
const PARTS: usize = 4;

/// Why there is no matrix.
#[derive(Debug)]
pub(super) enum Failed {
    /// The blobs could not be had.
    Source(StudyError),
    /// Counts that cannot be read.
    Unreadable {
        /// Position of the workload.
        workload: usize,
        /// What is wrong with them.
        what: String,
    },
    /// More counts than they may take memory.
    TooMany,
}

impl From<StudyError> for Failed {
    fn from(error: StudyError) -> Self {
        Self::Source(error)
    }
}

/// What becomes of the blobs.
#[derive(Debug, PartialEq)]
pub(super) struct Matrix {
    /// By location, `[workloads]` each: the lower median over each workload's repetitions, which is a count that was
    /// seen, unlike a mean.
    pub(super) rows: Vec<CountsRow>,
    /// Per location, whether repetitions disagree.
    pub(super) unstable: Vec<bool>,
    /// How much memory they take.
    pub(super) bytes: u64,
}

/// The matrix of `workloads` columns, in at most `memory` bytes. `runs` has the workload of every run, all repetitions of
/// one together; `next` puts the blob of the next one into its argument.
pub(super) fn unpacked(
    locations: usize,
    workloads: usize,
    runs: &[usize],
    memory: u64,
    next: impl FnMut(&mut Vec<u8>) -> Result<(), StudyError>,
) -> Result<Matrix, Failed> {
    let of_rows = (locations as u64).saturating_mul(size_of::<CountsRow>() as u64 + 1);
    let left = AtomicU64::new(memory.checked_sub(of_rows).ok_or(Failed::TooMany)?);
    let mut rows = vec![CountsRow::constant(0, workloads); locations];
    let mut unstable = vec![false; locations];
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let share = locations.div_ceil(PARTS * threads).max(1);
    let parts = rows.chunks_mut(share).zip(unstable.chunks_mut(share));
    let parts = parts.map(|(rows, unstable)| Mutex::new(Part::new(rows, unstable))).collect();
    // Each thread has some runs, and one reads the next; a count takes as much as a byte for every seven of its bits.
    let together = (threads as u64 + 1) * LONGEST as u64;
    let most_counts = usize::try_from(memory / together).unwrap_or(usize::MAX).max(COUNTS_TOGETHER);
    let work = Work {
        locations,
        share,
        parts,
        most_counts,
        left,
        spare: Mutex::default(),
        failed: Mutex::default(),
    };
    let left = work.of_all(runs, threads, next)?;
    Ok(Matrix { rows, unstable, bytes: memory - left })
}

/// What the threads share.
struct Work<'a> {
    locations: usize,
    /// Rows of a part.
    share: usize,
    parts: Vec<Mutex<Part<'a>>>,
    /// How many counts may be unpacked together: those of all repetitions of a workload are.
    most_counts: usize,
    /// How many bytes rows may still take.
    left: AtomicU64,
    /// Runs that are done with, and their memory.
    spare: Mutex<Vec<Vec<Run>>>,
    /// The first thing that went wrong.
    failed: Mutex<Option<Failed>>,
}

impl Work<'_> {
    /// Everything that becomes of the runs; gives how many bytes are left.
    fn of_all(
        self,
        mut runs: &[usize],
        threads: usize,
        mut next: impl FnMut(&mut Vec<u8>) -> Result<(), StudyError>,
    ) -> Result<u64, Failed> {
        let (sender, receiver) = sync_channel(threads - 1);
        let receiver = Mutex::new(receiver);
        std::thread::scope(|scope| {
            let work = || {
                let mut unpacker = Unpacker::default();
                while let Some(runs) = received(&receiver) {
                    self.of_some(runs, &mut unpacker);
                }
            };
            for _ in 1..threads {
                // Where no further thread can be had, this one does its work.
                let _ = std::thread::Builder::new().spawn_scoped(scope, work);
            }
            let mut unpacker = Unpacker::default();
            while !runs.is_empty() && locked(&self.failed).is_none() {
                let now;
                (now, runs) = runs.split_at(self.some_workloads(runs)?);
                let mut some = locked(&self.spare).pop().unwrap_or_default();
                some.resize_with(now.len(), Run::default);
                for (run, &workload) in some.iter_mut().zip(now) {
                    run.workload = workload;
                    next(&mut run.blob)?;
                }
                if let Err(TrySendError::Full(back) | TrySendError::Disconnected(back)) =
                    sender.try_send(some)
                {
                    self.of_some(back, &mut unpacker);
                }
            }
            drop(sender);
            work();
            Ok::<_, Failed>(())
        })?;
        let failed = self.failed.into_inner().unwrap_or_else(PoisonError::into_inner);
        failed.map_or(Ok(self.left.into_inner()), Err)
    }

    /// How many of the runs are unpacked at once next: all of some workloads.
    fn some_workloads(&self, runs: &[usize]) -> Result<usize, Failed> {
        let repetitions = runs.chunk_by(|a, b| a == b).map(<[usize]>::len);
        let ends = repetitions.scan(0, |end, repetitions| {
            *end += repetitions;
            Some(*end)
        });
        let counts = |runs: usize| runs.saturating_mul(self.locations);
        let some = ends.take(TOGETHER).take_while(|&end| counts(end) <= COUNTS_TOGETHER).last();
        let first = || runs.chunk_by(|a, b| a == b).next().map_or(0, <[usize]>::len);
        let some = some.unwrap_or_else(first);
        if counts(some) > self.most_counts { Err(Failed::TooMany) } else { Ok(some) }
    }

    /// Unpacks some runs and puts their counts into all rows.
    fn of_some(&self, mut runs: Vec<Run>, unpacker: &mut Unpacker) {
        match self.put(&mut runs, unpacker) {
            Ok(()) => locked(&self.spare).push(runs),
            Err(why) => {
                locked(&self.failed).get_or_insert(why);
            }
        }
    }

    fn put(&self, runs: &mut [Run], unpacker: &mut Unpacker) -> Result<(), Failed> {
        for run in &mut *runs {
            let unreadable = |what| Failed::Unreadable { workload: run.workload, what };
            unpacker.unpack(&run.blob, self.locations, &mut run.bytes).map_err(unreadable)?;
            run.starts.clear();
            run.starts.extend(starts(&run.bytes, self.share, self.locations));
        }
        let mut rest: Vec<usize> = (0..self.parts.len()).collect();
        while !rest.is_empty() {
            // One that no other thread is at, if there is one.
            let free = rest.iter().enumerate().find_map(|(at, &i)| match self.parts[i].try_lock() {
                Ok(part) => Some((at, part)),
                Err(TryLockError::Poisoned(part)) => Some((at, part.into_inner())),
                Err(TryLockError::WouldBlock) => None,
            });
            let (at, mut part) = free.unwrap_or_else(|| (0, locked(&self.parts[rest[0]])));
            let i = rest.swap_remove(at);
            part.fill(runs, i, &self.left)?;
        }
        Ok(())
    }
}

/// The next runs that there are, or none when there will be none.
fn received(receiver: &Mutex<Receiver<Vec<Run>>>) -> Option<Vec<Run>> {
    locked(receiver).recv().ok()
}

/// Whatever a thread that panicked left: the scope tells.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Where the numbers of every `share` of the locations begin.
fn starts(bytes: &[u8], share: usize, locations: usize) -> impl Iterator<Item = usize> {
    let mut numbers = Numbers::new(bytes);
    (0..locations).step_by(share).map(move |first| {
        if first > 0 {
            numbers.skip(share);
        }
        bytes.len() - numbers.rest().len()
    })
}

#[cfg(test)]
mod tests {
    use super::super::blob::pack;
    use super::*;

    fn of_blobs(
        locations: usize,
        workloads: usize,
        runs: &[usize],
        blobs: &[Vec<u8>],
    ) -> Result<Matrix, Failed> {
        let mut blobs = blobs.iter();
        unpacked(locations, workloads, runs, u64::MAX, |blob| {
            blob.clone_from(blobs.next().expect("as many blobs as runs"));
            Ok(())
        })
    }

    #[test]
    fn many_workloads_come_back_by_location_with_the_lower_median_of_their_repetitions() {
        let counts = |workload: usize, run: usize| -> Vec<u64> {
            (0..150)
                .map(|l| (1000 * l + 7 * workload) as u64 + if l == 99 { run as u64 } else { 0 })
                .collect()
        };
        let repetitions = |workload: usize| if workload.is_multiple_of(5) { 4 } else { 1 };
        // In another order than that of the columns, but for the last ones.
        let order: Vec<usize> = (0..100).rev().chain(100..230).collect();
        let runs: Vec<(usize, usize)> =
            order.into_iter().flat_map(|w| (0..repetitions(w)).rev().map(move |run| (w, run))).collect();
        let blobs: Vec<Vec<u8>> = runs.iter().map(|&(w, run)| pack(&counts(w, run)).unwrap()).collect();
        let workloads: Vec<usize> = runs.iter().map(|run| run.0).collect();
        let matrix = of_blobs(150, 230, &workloads, &blobs).unwrap();
        for (location, row) in matrix.rows.iter().enumerate() {
            let expected = |w: usize| counts(w, (repetitions(w) - 1) / 2)[location];
            let expected: Vec<u64> = (0..230).map(expected).collect();
            assert_eq!(*row, CountsRow::from(expected.as_slice()));
        }
        assert_eq!(
            matrix.unstable.iter().enumerate().filter(|u| *u.1).map(|u| u.0).collect::<Vec<_>>(),
            [99]
        );
    }

    #[test]
    fn runs_in_the_order_of_the_columns_are_columns() {
        let blobs: Vec<Vec<u8>> = (0..150).map(|w| pack(&[w, 300 * w, u64::MAX - w]).unwrap()).collect();
        let matrix = of_blobs(4, 150, &(0..150).collect::<Vec<_>>(), &blobs).unwrap();
        let expected: [Vec<u64>; 4] =
            [|w| w, |w| 300 * w, |w| u64::MAX - w, |_| 0].map(|f: fn(u64) -> u64| (0..150).map(f).collect());
        assert_eq!(matrix.rows, expected.map(|row| CountsRow::from(row.as_slice())));
        assert!(!matrix.unstable.contains(&true));
    }

    #[test]
    fn the_workload_whose_counts_are_damaged_is_named() {
        let runs: Vec<usize> = (0..100).collect();
        let mut blobs = vec![pack(&[1, 2, 3]).unwrap(); 100];
        let is_named = |blobs: &[Vec<u8>]| {
            let failed = of_blobs(3, 100, &runs, blobs);
            matches!(failed, Err(Failed::Unreadable { workload: 77, .. }))
        };
        assert!(!is_named(&blobs));
        blobs[77].truncate(5);
        assert!(is_named(&blobs));
        // Eleven bytes for a number that has at most ten.
        blobs[77] = zstd::bulk::compress(&[&[0xff; 10][..], &[0, 1, 2]].concat(), 3).unwrap();
        assert!(is_named(&blobs));
    }

    #[test]
    fn what_the_source_says_is_told() {
        let failed = |_: &mut Vec<u8>| Err(StudyError::Inconsistent { what: "no blob".to_owned() });
        let told = unpacked(3, 2, &[0, 1], u64::MAX, failed);
        assert!(matches!(told, Err(Failed::Source(StudyError::Inconsistent { .. }))));
    }

    #[test]
    fn counts_take_no_more_memory_than_they_may() {
        let huge = unpacked(1 << 40, 1 << 10, &[0], 1 << 30, |_| Ok(()));
        assert!(matches!(huge, Err(Failed::TooMany)));
        // Rows of constant counts take little, whatever the number of workloads; others take 4 bytes for a count.
        let made = |counts: fn(u64) -> u64, memory: u64| {
            let mut workload = 0;
            unpacked(1000, 100, &(0..100).collect::<Vec<_>>(), memory, |blob| {
                workload += 1;
                *blob = pack(&vec![counts(workload); 1000]).expect("in memory");
                Ok(())
            })
        };
        let of_rows = 1000 * (size_of::<CountsRow>() as u64 + 1);
        assert!(made(|_| 7, of_rows).is_ok());
        assert!(matches!(made(|_| 7, of_rows - 1), Err(Failed::TooMany)));
        assert!(made(|w| w, of_rows + 400_000).is_ok());
        assert!(matches!(made(|w| w, of_rows + 399_999), Err(Failed::TooMany)));
    }
}
