//! From the compressed counts of runs to the matrix of a study, on all processors. Knows no database.
//!
//! ```text
//!   runs  ─unpack─▶  some columns at a time  ─median of repetitions, transpose─▶  rows of locations
//! ```
//!
//! Columns are used again for the next runs: memory that is asked for anew has to be cleared, which takes longer than
//! to unpack it.

use super::blob::Unpacker;

/// How many locations are brought from columns to rows at once: their rows stay in the cache meanwhile.
const TRANSPOSED: usize = 64;

/// How many workloads are unpacked at once.
const TOGETHER: usize = 64;

/// Counts that cannot be read.
#[derive(Debug)]
pub(super) struct Unreadable {
    /// Position of the workload.
    pub(super) workload: usize,
    /// What is wrong with them.
    pub(super) what: String,
}

/// A run to be unpacked.
struct Column<'a> {
    blob: &'a [u8],
    workload: usize,
    counts: Vec<u64>,
    outcome: Result<(), String>,
}

/// `[locations × workloads]`, the lower median over each workload's repetitions, and where those disagree. The lower
/// median is a count that was seen, unlike a mean. `blobs` are the repetitions of every workload.
pub(super) fn unpacked(
    blobs: &[Vec<Vec<u8>>],
    locations: usize,
) -> Result<(Vec<Vec<u64>>, Vec<bool>), Unreadable> {
    let mut unstable = vec![false; locations];
    let mut rows: Vec<Vec<u64>> = (0..locations).map(|_| Vec::with_capacity(blobs.len())).collect();
    let mut buffers: Vec<Vec<u64>> = Vec::new();
    for (block, workloads) in blobs.chunks(TOGETHER).enumerate() {
        let mut columns: Vec<Column<'_>> = Vec::new();
        for (i, repetitions) in workloads.iter().enumerate() {
            let workload = block * TOGETHER + i;
            columns.extend(repetitions.iter().map(|blob| Column {
                blob,
                workload,
                counts: buffers.pop().unwrap_or_default(),
                outcome: Ok(()),
            }));
        }
        on_all_processors(&mut columns, |_, columns| {
            let mut unpacker = Unpacker::default();
            for column in columns {
                column.outcome = unpacker.unpack(column.blob, locations, &mut column.counts);
            }
        });
        for column in &mut columns {
            let outcome = std::mem::replace(&mut column.outcome, Ok(()));
            outcome.map_err(|what| Unreadable { workload: column.workload, what })?;
        }
        for repetitions in columns.chunk_by_mut(|a, b| a.workload == b.workload) {
            median(repetitions, &mut unstable);
        }
        columns.dedup_by_key(|column| column.workload);
        on_all_processors(&mut rows, |first, rows| append(rows, first, &columns));
        buffers.extend(columns.into_iter().map(|column| column.counts));
    }
    Ok((rows, unstable))
}

/// Appends the columns' counts of the locations from `first` on to their rows.
fn append(rows: &mut [Vec<u64>], first: usize, columns: &[Column<'_>]) {
    for (i, rows) in rows.chunks_mut(TRANSPOSED).enumerate() {
        let start = first + i * TRANSPOSED;
        for column in columns {
            for (row, &count) in rows.iter_mut().zip(&column.counts[start..]) {
                row.push(count);
            }
        }
    }
}

/// Leaves the lower median over the repetitions of one workload in the first of them, by location.
fn median(repetitions: &mut [Column<'_>], unstable: &mut [bool]) {
    let Some((first, others)) = repetitions.split_first_mut().filter(|(_, others)| !others.is_empty()) else {
        return;
    };
    let mut seen = Vec::with_capacity(others.len() + 1);
    for (location, (count, unstable)) in first.counts.iter_mut().zip(unstable).enumerate() {
        seen.clear();
        seen.push(*count);
        seen.extend(others.iter().map(|other| other.counts[location]));
        seen.sort_unstable();
        *unstable |= seen.first() != seen.last();
        *count = seen[(seen.len() - 1) / 2];
    }
}

/// Works on a share of the items in every thread; `work` is told the position of its first.
fn on_all_processors<T: Send>(items: &mut [T], work: impl Fn(usize, &mut [T]) + Sync) {
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let share = items.len().div_ceil(threads).max(1);
    let mut done = vec![false; items.len().div_ceil(share)];
    let work = &work;
    std::thread::scope(|scope| {
        let mut shares = items.chunks_mut(share).zip(&mut done).enumerate();
        let own = shares.next();
        for (i, (items, done)) in shares {
            let job = move || {
                work(i * share, items);
                *done = true;
            };
            // Where no further thread can be had its share is left.
            let _ = std::thread::Builder::new().spawn_scoped(scope, job);
        }
        if let Some((_, (items, done))) = own {
            work(0, items);
            *done = true;
        }
    });
    for (i, (items, done)) in items.chunks_mut(share).zip(done).enumerate() {
        if !done {
            work(i * share, items);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::blob::pack;
    use super::*;

    #[test]
    fn many_workloads_come_back_by_location_with_the_lower_median_of_their_repetitions() {
        let counts = |workload: usize, run: usize| -> Vec<u64> {
            (0..150)
                .map(|l| (1000 * l + 7 * workload) as u64 + if l == 99 { run as u64 } else { 0 })
                .collect()
        };
        let runs = |workload: usize| if workload.is_multiple_of(5) { 4 } else { 1 };
        let blobs = |w: usize| (0..runs(w)).rev().map(|run| pack(&counts(w, run)).unwrap()).collect();
        let (rows, unstable) = unpacked(&(0..130).map(blobs).collect::<Vec<_>>(), 150).unwrap();
        for (location, row) in rows.iter().enumerate() {
            let expected = |w: usize| counts(w, (runs(w) - 1) / 2)[location];
            assert_eq!(*row, (0..130).map(expected).collect::<Vec<u64>>());
        }
        assert_eq!(unstable.iter().enumerate().filter(|u| *u.1).map(|u| u.0).collect::<Vec<_>>(), [99]);
    }

    #[test]
    fn the_workload_whose_counts_are_damaged_is_named() {
        let mut blobs = vec![vec![pack(&[1, 2, 3]).unwrap()]; 100];
        blobs[77][0].truncate(5);
        assert_eq!(unpacked(&blobs, 3).unwrap_err().workload, 77);
    }
}
