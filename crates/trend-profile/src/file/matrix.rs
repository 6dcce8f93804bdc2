//! From the compressed counts of runs to the matrix of a study, on all processors. Knows no database.
//!
//! ```text
//!   blobs ─read─▶ some runs at a time ─unpack─▶ bytes of each run ─read side by side─▶ rows of locations
//! ```
//!
//! While some runs become part of the matrix the next ones are read. Memory is used again for them: what is asked for
//! anew has to be cleared, which takes longer than to unpack into it.

use std::sync::{Mutex, PoisonError};

use super::blob::{Numbers, Unpacker};
use super::rows::{Part, Run};
use crate::StudyError;
use crate::counts::CountsRow;

/// How many workloads are unpacked at once: the part of a row that belongs to them fills whole lines of the cache. Fewer of
/// those with many locations ...
const TOGETHER: [usize; 2] = [16, 64];

/// ... so that no more counts than these are unpacked, if possible.
const COUNTS_TOGETHER: usize = 1 << 25;

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
    /// More counts than there is memory for.
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
    /// Whether the rows have no counts yet.
    is_empty: bool,
}

/// The matrix of `workloads` columns. `runs` has the workload of every run, all repetitions of one together; `next` puts
/// the blob of the next one into its argument.
pub(super) fn unpacked(
    locations: usize,
    workloads: usize,
    runs: &[usize],
    mut next: impl FnMut(&mut Vec<u8>) -> Result<(), StudyError>,
) -> Result<Matrix, Failed> {
    let cells = locations.checked_mul(workloads).ok_or(Failed::TooMany)?;
    // Asked for before it is taken: where there is not so much, taking it would end the program. Most rows need less.
    Vec::<u64>::new().try_reserve_exact(cells).map_err(|_| Failed::TooMany)?;
    let rows = vec![CountsRow::constant(0, workloads); locations];
    let mut matrix = Matrix { rows, unstable: vec![false; locations], is_empty: true };
    let together = (COUNTS_TOGETHER / locations.max(1)).clamp(TOGETHER[0], TOGETHER[1]);
    let (mut ready, mut spare): (Vec<Run>, Vec<Run>) = (Vec::new(), Vec::new());
    let mut rest = runs;
    while !(rest.is_empty() && ready.is_empty()) {
        let now;
        (now, rest) = rest.split_at(some_workloads(rest, together));
        let mut added = None;
        let mut read = Ok(());
        spare.resize_with(now.len(), Run::default);
        std::thread::scope(|scope| {
            let add = || added = Some(matrix.add(&mut ready));
            // Where no further thread can be had it is done below.
            let _ = std::thread::Builder::new().spawn_scoped(scope, add);
            read = now.iter().zip(&mut spare).try_for_each(|(&workload, run)| {
                run.workload = workload;
                next(&mut run.blob)
            });
        });
        added.unwrap_or_else(|| matrix.add(&mut ready))?;
        read?;
        std::mem::swap(&mut ready, &mut spare);
        for (run, done) in ready.iter_mut().zip(&mut spare) {
            std::mem::swap(&mut run.bytes, &mut done.bytes);
        }
    }
    Ok(matrix)
}

/// How many of the runs are of the next workloads.
fn some_workloads(runs: &[usize], workloads: usize) -> usize {
    runs.chunk_by(|a, b| a == b).take(workloads).map(<[usize]>::len).sum()
}

impl Matrix {
    fn add(&mut self, runs: &mut [Run]) -> Result<(), Failed> {
        if runs.is_empty() {
            return Ok(());
        }
        let locations = self.rows.len();
        // Some of the rows at a time are read out of all runs.
        let share = locations.div_ceil(PARTS * processors()).max(1);
        on_all_processors(runs, || {
            let mut unpacker = Unpacker::default();
            move |run: &mut Run| {
                run.damage = unpacker.unpack(&run.blob, locations, &mut run.bytes).err();
                run.starts.clear();
                if run.damage.is_none() {
                    run.starts.extend(starts(&run.bytes, share, locations));
                }
            }
        });
        for run in &mut *runs {
            if let Some(what) = run.damage.take() {
                return Err(Failed::Unreadable { workload: run.workload, what });
            }
        }
        let are_first = std::mem::take(&mut self.is_empty);
        let rows = self.rows.chunks_mut(share).zip(self.unstable.chunks_mut(share));
        let mut parts: Vec<(usize, Part<'_>)> =
            rows.map(|(rows, unstable)| Part { rows, unstable, outcome: Ok(()) }).enumerate().collect();
        let runs = &*runs;
        on_all_processors(&mut parts, || {
            |(i, part): &mut (usize, Part<'_>)| part.outcome = part.fill(runs, *i, are_first)
        });
        parts.into_iter().try_for_each(|(_, part)| part.outcome)
    }
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

fn processors() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// Works on the items in every thread, each of which takes the next one when it has done with its last. `worker` makes what
/// a thread works with.
fn on_all_processors<T: Send, W: FnMut(&mut T)>(items: &mut [T], worker: impl Fn() -> W + Sync) {
    let threads = processors().min(items.len());
    let queue = Mutex::new(items.iter_mut());
    // Poisoned by a thread that panicked, which the scope tells.
    let next = || queue.lock().unwrap_or_else(PoisonError::into_inner).next();
    let job = || {
        let mut work = worker();
        while let Some(item) = next() {
            work(item);
        }
    };
    std::thread::scope(|scope| {
        for _ in 1..threads {
            // Where no further thread can be had, the others do its work.
            let _ = std::thread::Builder::new().spawn_scoped(scope, job);
        }
        job();
    });
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
        unpacked(locations, workloads, runs, |blob| {
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
            assert_eq!(row.to_vec(), (0..230).map(expected).collect::<Vec<u64>>());
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
        assert_eq!(matrix.rows.iter().map(CountsRow::to_vec).collect::<Vec<_>>(), expected);
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
        let told = unpacked(3, 2, &[0, 1], failed);
        assert!(matches!(told, Err(Failed::Source(StudyError::Inconsistent { .. }))));
    }

    #[test]
    fn more_counts_than_memory_can_hold_are_refused() {
        for locations in [usize::MAX / 2, 1 << 50] {
            let told = unpacked(locations, 1 << 10, &[0], |_| Ok(()));
            assert!(matches!(told, Err(Failed::TooMany)));
        }
    }
}
