//! Unpacks the counts of all runs into the matrix of a study, on all processors.
//!
//! ```text
//!   blobs ──read, unpack: some workloads at a time──▶ counts of each run ──▶ rows of locations, a part at a time
//! ```
//!
//! Memory is reused: new memory has to be cleared, which takes longer than unpacking into it.

use std::sync::atomic::{AtomicU64, Ordering};

use rayon::prelude::*;

use super::bodies::blob::Unpacker;
use crate::error::StudyError;
use crate::study::counts::CountsRow;

/// Maximum number of workloads unpacked at once: their part of a row fills whole cache lines.
const WORKLOADS_AT_ONCE: usize = 32;

/// Maximum number of counts unpacked at once, if possible. With many locations or repetitions, fewer workloads are
/// unpacked at once.
const COUNTS_AT_ONCE: usize = 1 << 23;

/// Parts into which rows are divided per processor, so that none waits long for another.
const PARTS: usize = 4;

/// Reason why there is no matrix.
#[derive(Debug)]
pub(in crate::file) enum Failed {
    /// The blobs could not be read.
    Source(StudyError),
    /// The counts of a workload could not be decoded.
    Unreadable {
        /// Position of the workload.
        workload: usize,
        /// Description of the damage.
        what: String,
    },
    /// The counts need more memory than allowed.
    TooMany,
}

impl From<StudyError> for Failed {
    fn from(error: StudyError) -> Self {
        Self::Source(error)
    }
}

/// Result of unpacking all blobs.
#[derive(Debug, PartialEq)]
pub(in crate::file) struct Matrix {
    /// Rows by location, `[workloads]` each. A count is the lower median over a workload's repetitions: unlike a mean,
    /// it was observed.
    pub(in crate::file) rows: Vec<CountsRow>,
    /// True per location if repetitions disagree.
    pub(in crate::file) unstable: Vec<bool>,
    /// Bytes of memory taken by rows and flags.
    pub(in crate::file) bytes: u64,
}

/// A run on its way into the matrix.
#[derive(Default)]
struct UnpackedRun {
    workload: usize,
    blob: Vec<u8>,
    counts: Vec<u64>,
}

/// Builds the matrix of `workloads` columns in at most `memory` bytes. `runs` holds the workload of every run,
/// ascending without gaps. `next` writes the blob of the next run into its argument.
pub(in crate::file) fn unpacked(
    locations: usize,
    workloads: usize,
    mut runs: &[usize],
    memory: u64,
    mut next: impl FnMut(&mut Vec<u8>) -> Result<(), StudyError>,
) -> Result<Matrix, Failed> {
    let of_rows = (locations as u64).saturating_mul(size_of::<CountsRow>() as u64 + 1);
    let left = AtomicU64::new(memory.checked_sub(of_rows).ok_or(Failed::TooMany)?);
    let mut rows = vec![CountsRow::constant(0, workloads); locations];
    let mut unstable = vec![false; locations];
    let share = locations.div_ceil(PARTS * rayon::current_num_threads()).max(1);
    let most_counts =
        usize::try_from(memory / size_of::<u64>() as u64).unwrap_or(usize::MAX).max(COUNTS_AT_ONCE);
    let mut batch: Vec<UnpackedRun> = Vec::new();
    let mut is_first = true;
    while !runs.is_empty() {
        let now;
        (now, runs) = runs.split_at(batch_length(runs, locations, most_counts)?);
        batch.resize_with(now.len(), UnpackedRun::default);
        for (run, &workload) in batch.iter_mut().zip(now) {
            run.workload = workload;
            next(&mut run.blob)?;
        }
        batch.par_iter_mut().try_for_each_init(Unpacker::default, |unpacker, run| {
            let unreadable = |what| Failed::Unreadable { workload: run.workload, what };
            unpacker.unpack(&run.blob, locations, &mut run.counts).map_err(unreadable)
        })?;
        let parts = rows.par_chunks_mut(share).zip(unstable.par_chunks_mut(share)).enumerate();
        parts
            .try_for_each(|(i, (rows, unstable))| fill(rows, unstable, &batch, i * share, is_first, &left))?;
        is_first = false;
    }
    Ok(Matrix { rows, unstable, bytes: memory - left.into_inner() })
}

/// Returns the number of runs to unpack next: all runs of the next few workloads.
fn batch_length(runs: &[usize], locations: usize, most_counts: usize) -> Result<usize, Failed> {
    let mut length = 0;
    for repetitions in runs.chunk_by(|a, b| a == b).take(WORKLOADS_AT_ONCE).map(<[usize]>::len) {
        let counts = (length + repetitions).saturating_mul(locations);
        if length > 0 && counts > COUNTS_AT_ONCE {
            break;
        }
        if counts > most_counts {
            return Err(Failed::TooMany);
        }
        length += repetitions;
    }
    Ok(length)
}

/// Writes the counts of some runs into rows, which begin with the location `first`. Takes the memory of rows from
/// `left`.
fn fill(
    rows: &mut [CountsRow],
    unstable: &mut [bool],
    runs: &[UnpackedRun],
    first: usize,
    is_first: bool,
    left: &AtomicU64,
) -> Result<(), Failed> {
    let repetitions: Vec<usize> =
        runs.chunk_by(|a, b| a.workload == b.workload).map(<[UnpackedRun]>::len).collect();
    let of_runs: Vec<&[u64]> = runs.iter().map(|run| &run.counts[first..first + rows.len()]).collect();
    let mut counts = vec![0; runs.len()];
    for (i, (row, unstable)) in rows.iter_mut().zip(unstable).enumerate() {
        for (count, of_run) in counts.iter_mut().zip(&of_runs) {
            *count = of_run[i];
        }
        if repetitions.len() < runs.len() {
            *unstable |= medians(&repetitions, &mut counts);
        }
        let of_workloads = &counts[..repetitions.len()];
        let before = row.heap_bytes();
        if is_first {
            *row = CountsRow::constant(of_workloads[0], row.len());
        }
        row.put(runs[0].workload, of_workloads);
        let taken = row.heap_bytes() - before;
        if taken > 0 {
            let take = |left: u64| left.checked_sub(taken);
            left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, take).map_err(|_| Failed::TooMany)?;
        }
    }
    Ok(())
}

/// Moves the lower median of each workload's repetitions to the front. Returns true if any repetitions disagree.
fn medians(repetitions: &[usize], counts: &mut [u64]) -> bool {
    let mut is_unstable = false;
    let mut first = 0;
    for (workload, &repetitions) in repetitions.iter().enumerate() {
        let seen = &mut counts[first..first + repetitions];
        seen.sort_unstable();
        is_unstable |= seen.first() != seen.last();
        counts[workload] = seen[(repetitions - 1) / 2];
        first += repetitions;
    }
    is_unstable
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::file::bodies::blob::pack;

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
        let runs: Vec<(usize, usize)> =
            (0..230).flat_map(|w| (0..repetitions(w)).rev().map(move |run| (w, run))).collect();
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
        // Eleven bytes for a number, which has at most ten.
        blobs[77] = zstd::bulk::compress(&[&[0xff; 10][..], &[0, 1, 2]].concat(), 3).unwrap();
        assert!(is_named(&blobs));
    }

    #[test]
    fn what_the_source_says_is_told() {
        let failed = |_: &mut Vec<u8>| Err(StudyError::Inconsistent { what: "no blob".to_owned() });
        let result = unpacked(3, 2, &[0, 1], u64::MAX, failed);
        assert!(matches!(result, Err(Failed::Source(StudyError::Inconsistent { .. }))));
    }

    #[test]
    fn counts_take_no_more_memory_than_they_may() {
        let huge = unpacked(1 << 40, 1 << 10, &[0], 1 << 30, |_| Ok(()));
        assert!(matches!(huge, Err(Failed::TooMany)));
        // Rows of constant counts take little memory for any number of workloads; others take 4 bytes per count.
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
