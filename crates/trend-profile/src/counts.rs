//! The counts matrix.

use crate::LocationId;

/// Costs, `[locations × workloads]`, by rows; 0 = not executed.
#[derive(Clone, Debug)]
pub struct Counts {
    workloads: usize,
    /// Row-major, one row after the other as they were read: to move them takes longer than to look them up.
    cells: Vec<u64>,
    /// Where in `cells` the row of a location begins.
    starts: Vec<usize>,
}

impl Counts {
    /// Takes rows of `workloads` cells each, one after the other.
    pub(crate) fn new(cells: Vec<u64>, locations: usize, workloads: usize) -> Self {
        Self { workloads, cells, starts: (0..locations).map(|row| row * workloads).collect() }
    }

    /// Brings rows and columns into the orders given.
    pub(crate) fn reorder(&mut self, row_order: &[usize], column_order: &[usize]) {
        self.starts = row_order.iter().map(|&row| self.starts[row]).collect();
        if column_order.is_sorted() {
            return;
        }
        let mut before = vec![0; self.workloads];
        for row in self.cells.chunks_exact_mut(self.workloads.max(1)) {
            before.copy_from_slice(row);
            for (cell, &column) in row.iter_mut().zip(column_order) {
                *cell = before[column];
            }
        }
    }

    /// Keeps the columns whose flag is set.
    pub(crate) fn retain_workloads(&mut self, kept: &[bool]) {
        let mut flags = kept.iter().cycle();
        self.cells.retain(|_| flags.next().is_some_and(|&kept| kept));
        let workloads = kept.iter().filter(|&&kept| kept).count();
        for start in &mut self.starts {
            *start = *start / self.workloads.max(1) * workloads;
        }
        self.workloads = workloads;
    }

    /// Number of rows.
    pub fn locations(&self) -> usize {
        self.starts.len()
    }

    /// Number of columns.
    pub fn workloads(&self) -> usize {
        self.workloads
    }

    /// One location's cost per workload, `[workloads]`.
    pub fn row(&self, location: LocationId) -> &[u64] {
        &self.cells[self.starts[location.index()]..][..self.workloads]
    }
}
