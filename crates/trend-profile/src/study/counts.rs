//! The counts matrix. Its rows are stored compactly: most locations cost the same in every run, or less than 2³² in
//! each.

use std::cmp::Ordering;

use super::order::permute;
use crate::program::location::LocationId;

/// Costs, `[locations × workloads]`, by rows; 0 = not executed.
#[derive(Clone, Debug)]
pub struct Counts {
    workloads: usize,
    rows: Vec<CountsRow>,
}

impl Counts {
    /// Creates the matrix from rows of `workloads` counts each.
    pub(crate) fn new(rows: Vec<CountsRow>, workloads: usize) -> Self {
        Self { workloads, rows }
    }

    /// Reorders rows and columns.
    pub(crate) fn reorder(&mut self, row_order: &[usize], column_order: &[usize]) {
        permute(&mut self.rows, row_order);
        if !column_order.is_sorted() {
            self.rows.iter_mut().for_each(|row| row.pick(column_order));
        }
    }

    /// Keeps the columns whose flag is set.
    pub(crate) fn retain_workloads(&mut self, kept: &[bool]) {
        let columns: Vec<usize> = (0..kept.len()).filter(|&column| kept[column]).collect();
        self.workloads = columns.len();
        self.rows.iter_mut().for_each(|row| row.pick(&columns));
    }

    /// Returns the number of rows.
    pub fn locations(&self) -> usize {
        self.rows.len()
    }

    /// Returns the number of columns.
    pub fn workloads(&self) -> usize {
        self.workloads
    }

    /// Returns one location's cost per workload, `[workloads]`.
    pub fn row(&self, location: LocationId) -> &CountsRow {
        &self.rows[location.index()]
    }
}

/// The counts of one location, `[workloads]`, in the smallest representation that holds them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CountsRow(Cells);

/// Representations of a row, smallest first. A row always uses the first one that can hold it, so equal rows compare
/// equal.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Cells {
    Constant { count: u64, len: usize },
    Narrow(Box<[u32]>),
    Wide(Box<[u64]>),
}

impl From<&[u64]> for CountsRow {
    fn from(counts: &[u64]) -> Self {
        let mut row = Self::constant(counts.first().copied().unwrap_or(0), counts.len());
        row.put(0, counts);
        row
    }
}

impl CountsRow {
    pub(crate) fn constant(count: u64, len: usize) -> Self {
        Self(Cells::Constant { count, len })
    }

    /// Writes counts into the columns that begin at `first`.
    pub(crate) fn put(&mut self, first: usize, counts: &[u64]) {
        self.make_room(counts);
        match &mut self.0 {
            Cells::Constant { .. } => {}
            Cells::Narrow(cells) => {
                for (cell, &count) in cells[first..].iter_mut().zip(counts) {
                    *cell = count as u32;
                }
            }
            Cells::Wide(cells) => cells[first..first + counts.len()].copy_from_slice(counts),
        }
    }

    /// Switches to a representation that can also hold these counts.
    fn make_room(&mut self, counts: &[u64]) {
        let is_narrow = || u32::try_from(counts.iter().fold(0, |bits, count| bits | count)).is_ok();
        match &self.0 {
            &Cells::Constant { count, len } => {
                if counts.iter().fold(0, |difference, other| difference | (other ^ count)) != 0 {
                    self.0 = match u32::try_from(count) {
                        Ok(count) if is_narrow() => Cells::Narrow(vec![count; len].into()),
                        _ => Cells::Wide(vec![count; len].into()),
                    };
                }
            }
            Cells::Narrow(cells) if !is_narrow() => {
                self.0 = Cells::Wide(cells.iter().map(|&count| u64::from(count)).collect());
            }
            Cells::Narrow(_) | Cells::Wide(_) => {}
        }
    }

    /// Returns the bytes that the row takes on the heap.
    pub(crate) fn heap_bytes(&self) -> u64 {
        match &self.0 {
            Cells::Constant { .. } => 0,
            Cells::Narrow(cells) => size_of_val(&**cells) as u64,
            Cells::Wide(cells) => size_of_val(&**cells) as u64,
        }
    }

    /// Reduces the row to these columns, in this order.
    fn pick(&mut self, columns: &[usize]) {
        let counts = self.to_vec();
        let picked: Vec<u64> = columns.iter().map(|&column| counts[column]).collect();
        *self = Self::from(picked.as_slice());
    }

    /// Returns the number of workloads.
    pub fn len(&self) -> usize {
        match &self.0 {
            Cells::Constant { len, .. } => *len,
            Cells::Narrow(cells) => cells.len(),
            Cells::Wide(cells) => cells.len(),
        }
    }

    /// Returns true if there are no workloads.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Iterates over the counts.
    ///
    /// - Time: one branch per count; [`Self::add_to`] and [`Self::push_to`] are faster.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = u64> + '_ {
        (0..self.len()).map(|column| self.at(column))
    }

    /// Returns the count of one workload.
    ///
    /// # Panics
    /// Panics if there is no such workload.
    pub fn at(&self, workload: usize) -> u64 {
        match &self.0 {
            &Cells::Constant { count, len } => {
                assert!(workload < len, "no workload {workload} of {len}");
                count
            }
            Cells::Narrow(cells) => cells[workload].into(),
            Cells::Wide(cells) => cells[workload],
        }
    }

    /// Copies the counts into a vector.
    pub fn to_vec(&self) -> Vec<u64> {
        match &self.0 {
            &Cells::Constant { count, len } => vec![count; len],
            Cells::Narrow(cells) => cells.iter().map(|&count| u64::from(count)).collect(),
            Cells::Wide(cells) => cells.to_vec(),
        }
    }

    /// Returns true if all counts are equal. Rows in another representation are never constant.
    pub fn is_constant(&self) -> bool {
        matches!(self.0, Cells::Constant { .. })
    }

    /// Compares rows in an arbitrary order that makes equal rows neighbours.
    pub fn compare(&self, other: &Self) -> Ordering {
        self.0.cmp(&other.0)
    }

    /// Returns the largest count; 0 without workloads.
    pub fn max(&self) -> u64 {
        match &self.0 {
            &Cells::Constant { count, len } => {
                if len > 0 {
                    count
                } else {
                    0
                }
            }
            Cells::Narrow(cells) => cells.iter().fold(0, |most, &count| count.max(most)).into(),
            Cells::Wide(cells) => cells.iter().fold(0, |most, &count| count.max(most)),
        }
    }

    /// Adds `times` the counts to `sums`, which saturate: no real sum comes near 2⁶⁴.
    pub fn add_to(&self, sums: &mut [u64], times: u32) {
        fn add(sums: &mut [u64], counts: impl Iterator<Item = u64>) {
            for (sum, count) in sums.iter_mut().zip(counts) {
                *sum = saturating_sum(*sum, count);
            }
        }
        let times = u64::from(times);
        match &self.0 {
            Cells::Constant { count: 0, .. } => {}
            &Cells::Constant { count, len } => {
                add(sums, std::iter::repeat_n(count.saturating_mul(times), len));
            }
            // The product of two numbers below 2³² is below 2⁶⁴.
            Cells::Narrow(cells) => add(sums, cells.iter().map(|&count| u64::from(count) * times)),
            Cells::Wide(cells) if times == 1 => add(sums, cells.iter().copied()),
            Cells::Wide(cells) => add(sums, cells.iter().map(|count| count.saturating_mul(times))),
        }
    }

    /// Appends the counts to `values` as floating-point numbers. Above 2⁵³ the last digits are rounded.
    pub fn push_to(&self, values: &mut Vec<f64>) {
        match &self.0 {
            &Cells::Constant { count, len } => values.extend(std::iter::repeat_n(count as f64, len)),
            Cells::Narrow(cells) => values.extend(cells.iter().map(|&count| f64::from(count))),
            Cells::Wide(cells) => values.extend(cells.iter().map(|&count| count as f64)),
        }
    }
}

/// [`u64::saturating_add`] without a comparison, which older processors lack in their vector registers.
fn saturating_sum(x: u64, y: u64) -> u64 {
    let sum = x.wrapping_add(y);
    let carry = ((x & y) | ((x | y) & !sum)) >> 63;
    sum | carry.wrapping_neg()
}

#[cfg(test)]
mod tests {
    use super::*;

    const MOST: u64 = u32::MAX as u64;

    /// Returns rows of every representation, and rows whose last count forces another one.
    fn rows() -> Vec<Vec<u64>> {
        vec![
            vec![],
            vec![0; 5],
            vec![7; 5],
            vec![MOST + 7; 5],
            vec![7, 7, 7, 7, 8],
            vec![0, MOST, 3, 1, 2],
            vec![0, 1, 2, 3, MOST + 1],
            vec![MOST + 1, 1, 2, 3, 4],
            vec![u64::MAX, 0, u64::MAX, 1, 0],
        ]
    }

    #[test]
    fn every_row_has_the_counts_that_were_put_in_however_they_come() {
        for counts in rows() {
            let whole = CountsRow::from(counts.as_slice());
            let first = counts.first().copied().unwrap_or(0);
            let mut by_parts = CountsRow::constant(first, counts.len());
            for (i, part) in counts.chunks(2).enumerate() {
                by_parts.put(2 * i, part);
            }
            assert_eq!(by_parts, whole, "kept in the same way");
            assert_eq!(whole.to_vec(), counts);
            assert_eq!(whole.iter().collect::<Vec<_>>(), counts);
            assert_eq!(whole.len(), counts.len());
            assert_eq!(whole.max(), counts.iter().copied().max().unwrap_or(0));
            assert_eq!(whole.is_constant(), counts.windows(2).all(|two| two[0] == two[1]));
            let mut sums = vec![u64::MAX - MOST; counts.len()];
            whole.add_to(&mut sums, 1);
            let expected = counts.iter().map(|&c| (u64::MAX - MOST).saturating_add(c)).collect::<Vec<_>>();
            assert_eq!(sums, expected);
            let mut sums = vec![9; counts.len()];
            whole.add_to(&mut sums, u32::MAX);
            let expected =
                counts.iter().map(|&c| c.saturating_mul(MOST).saturating_add(9)).collect::<Vec<_>>();
            assert_eq!(sums, expected);
            let mut values = vec![-1.0];
            whole.push_to(&mut values);
            assert_eq!(values[1..], counts.iter().map(|&c| c as f64).collect::<Vec<_>>());
        }
    }

    #[test]
    fn columns_are_picked_and_what_is_left_is_kept_in_as_little() {
        for counts in rows().into_iter().filter(|counts| !counts.is_empty()) {
            for columns in [&[4, 0][..], &[1, 2, 3], &[], &[0, 1, 2, 3, 4]] {
                let picked: Vec<u64> = columns.iter().map(|&column| counts[column]).collect();
                let mut row = CountsRow::from(counts.as_slice());
                row.pick(columns);
                assert_eq!(row, CountsRow::from(picked.as_slice()));
                assert_eq!(row.to_vec(), picked);
            }
        }
    }
}
