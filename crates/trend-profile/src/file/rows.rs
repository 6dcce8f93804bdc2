//! From the unpacked bytes of some runs to rows of the matrix. Knows nothing of threads.

use std::sync::atomic::{AtomicU64, Ordering};

use super::blob::{Numbers, TOO_LARGE};
use super::matrix::Failed;
use crate::counts::CountsRow;

/// How many rows are read at once ...
const ROWS: usize = 64;

/// ... of how many runs.
const SIDE_BY_SIDE: usize = 8;

/// A run on its way into the matrix.
#[derive(Default)]
pub(super) struct Run {
    pub(super) workload: usize,
    pub(super) blob: Vec<u8>,
    pub(super) bytes: Vec<u8>,
    /// Where the numbers of each part of the matrix begin.
    pub(super) starts: Vec<usize>,
}

/// Some rows of the matrix.
pub(super) struct Part<'a> {
    rows: &'a mut [CountsRow],
    unstable: &'a mut [bool],
    /// Whether the rows have no counts yet.
    is_empty: bool,
}

impl<'a> Part<'a> {
    /// Rows without counts, and whether repetitions of each disagree.
    pub(super) fn new(rows: &'a mut [CountsRow], unstable: &'a mut [bool]) -> Self {
        Self { rows, unstable, is_empty: true }
    }

    /// Reads the `i`-th part of all runs: some rows of some runs at a time, so that neither the bytes of the runs nor the
    /// rows are far away, and the next number of one run is looked for while that of another is. What rows take is taken
    /// from what is `left`.
    pub(super) fn fill(&mut self, runs: &[Run], i: usize, left: &AtomicU64) -> Result<(), Failed> {
        let are_first = std::mem::take(&mut self.is_empty);
        let mut numbers: Vec<Numbers<'_>> =
            runs.iter().map(|run| Numbers::new(&run.bytes[run.starts[i]..])).collect();
        let mut counts = vec![0; ROWS * runs.len()];
        let columns = Columns::of(runs);
        for (rows, unstable) in self.rows.chunks_mut(ROWS).zip(self.unstable.chunks_mut(ROWS)) {
            for (j, numbers) in numbers.chunks_mut(SIDE_BY_SIDE).enumerate() {
                let counts = counts[j * SIDE_BY_SIDE..].chunks_mut(runs.len()).take(unstable.len());
                if let Some(run) = counts.map(|counts| read(numbers, counts)).find_map(Result::err) {
                    let workload = runs[j * SIDE_BY_SIDE + run].workload;
                    return Err(Failed::Unreadable { workload, what: TOO_LARGE.to_owned() });
                }
            }
            let mut taken = 0;
            for ((row, counts), unstable) in rows.iter_mut().zip(counts.chunks_mut(runs.len())).zip(unstable)
            {
                let before = row.heap_bytes();
                columns.put(counts, row, unstable, are_first);
                taken += row.heap_bytes() - before;
            }
            let take = |left: u64| left.checked_sub(taken);
            left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, take).map_err(|_| Failed::TooMany)?;
        }
        Ok(())
    }
}

/// The next number of each run, or which run has none.
fn read(numbers: &mut [Numbers<'_>], counts: &mut [u64]) -> Result<(), usize> {
    for (run, (count, numbers)) in counts.iter_mut().zip(numbers).enumerate() {
        *count = numbers.next().ok_or(run)?;
    }
    Ok(())
}

/// How runs lie beside the columns of the matrix.
struct Columns {
    /// The column of each workload.
    of_workloads: Vec<usize>,
    /// How many runs each has.
    repetitions: Vec<usize>,
    are_side_by_side: bool,
    are_repeated: bool,
}

impl Columns {
    fn of(runs: &[Run]) -> Self {
        let workloads = || runs.chunk_by(|a, b| a.workload == b.workload);
        let of_workloads: Vec<usize> = workloads().map(|runs| runs[0].workload).collect();
        Self {
            are_side_by_side: of_workloads.windows(2).all(|two| two[1] == two[0] + 1),
            are_repeated: of_workloads.len() < runs.len(),
            repetitions: workloads().map(<[Run]>::len).collect(),
            of_workloads,
        }
    }

    /// Puts the counts of one location into its row.
    fn put(&self, counts: &mut [u64], row: &mut CountsRow, unstable: &mut bool, are_first: bool) {
        if self.are_repeated {
            *unstable |= medians(&self.repetitions, counts);
        }
        let counts = &counts[..self.of_workloads.len()];
        if are_first {
            *row = CountsRow::constant(counts[0], row.len());
        }
        if self.are_side_by_side {
            row.put(self.of_workloads[0], counts);
        } else {
            row.put_each(self.of_workloads.iter().copied(), counts);
        }
    }
}

/// Puts the lower median over the repetitions of each workload to the front, and says whether some disagree.
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
