//! From the unpacked bytes of some runs to rows of the matrix. Knows nothing of threads.

use super::blob::{Numbers, TOO_LARGE};
use super::matrix::Failed;

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
    /// What is wrong with the blob.
    pub(super) damage: Option<String>,
}

/// Some rows of the matrix.
pub(super) struct Part<'a> {
    pub(super) cells: &'a mut [u64],
    pub(super) unstable: &'a mut [bool],
    pub(super) outcome: Result<(), Failed>,
}

impl Part<'_> {
    /// Reads the `i`-th part of all runs: some rows of some runs at a time, so that neither the bytes of the runs nor the
    /// rows are far away, and the next number of one run is looked for while that of another is.
    pub(super) fn fill(&mut self, runs: &[Run], i: usize, workloads: usize) -> Result<(), Failed> {
        let mut numbers: Vec<Numbers<'_>> =
            runs.iter().map(|run| Numbers::new(&run.bytes[run.starts[i]..])).collect();
        let mut counts = vec![0; ROWS * runs.len()];
        let order = Order::of(runs);
        let rows = self.cells.chunks_mut(ROWS * workloads).zip(self.unstable.chunks_mut(ROWS));
        for (cells, unstable) in rows {
            for (j, numbers) in numbers.chunks_mut(SIDE_BY_SIDE).enumerate() {
                let counts = counts[j * SIDE_BY_SIDE..].chunks_mut(runs.len()).take(unstable.len());
                if let Some(run) = counts.map(|counts| read(numbers, counts)).find_map(Result::err) {
                    let workload = runs[j * SIDE_BY_SIDE + run].workload;
                    return Err(Failed::Unreadable { workload, what: TOO_LARGE.to_owned() });
                }
            }
            let rows = cells.chunks_mut(workloads).zip(counts.chunks_mut(runs.len())).zip(unstable);
            for ((row, counts), unstable) in rows {
                order.put(runs, counts, row, unstable);
            }
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
enum Order {
    /// They are columns from this one on.
    Columns(usize),
    /// Each is a column.
    Shuffled,
    /// Some are repetitions.
    Repeated,
}

impl Order {
    fn of(runs: &[Run]) -> Self {
        let all = |relation: fn(usize, usize) -> bool| {
            runs.windows(2).all(|two| relation(two[0].workload, two[1].workload))
        };
        if all(|one, next| next == one + 1) {
            Self::Columns(runs.first().map_or(0, |run| run.workload))
        } else if all(|one, next| next != one) {
            Self::Shuffled
        } else {
            Self::Repeated
        }
    }

    /// Puts the counts of one location into its row.
    fn put(&self, runs: &[Run], counts: &mut [u64], row: &mut [u64], unstable: &mut bool) {
        match self {
            Self::Columns(first) => row[*first..first + runs.len()].copy_from_slice(counts),
            Self::Shuffled => {
                runs.iter().zip(counts).for_each(|(run, count)| row[run.workload] = *count);
            }
            Self::Repeated => *unstable |= medians(runs, counts, row),
        }
    }
}

/// Puts the lower median over the repetitions of each workload into its place, and says whether some disagree.
fn medians(runs: &[Run], counts: &mut [u64], row: &mut [u64]) -> bool {
    let mut is_unstable = false;
    let mut rest = counts;
    for repetitions in runs.chunk_by(|a, b| a.workload == b.workload) {
        let seen;
        (seen, rest) = rest.split_at_mut(repetitions.len());
        seen.sort_unstable();
        is_unstable |= seen.first() != seen.last();
        row[repetitions[0].workload] = seen[(seen.len() - 1) / 2];
    }
    is_unstable
}
