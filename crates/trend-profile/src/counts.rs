//! The counts matrix.

use crate::LocationId;

/// Costs, `[locations × workloads]`, by rows; 0 = not executed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counts {
    workloads: usize,
    /// Each with one cell per workload.
    rows: Vec<Vec<u64>>,
}

impl Counts {
    /// Takes rows of equal length, one for each element of `row_order`, in the orders given.
    pub(crate) fn from_rows(mut rows: Vec<Vec<u64>>, row_order: &[usize], column_order: &[usize]) -> Self {
        let is_ordered = column_order.is_sorted();
        let row = |&row: &usize| {
            let row = std::mem::take(&mut rows[row]);
            if is_ordered { row } else { column_order.iter().map(|&column| row[column]).collect() }
        };
        Self { workloads: column_order.len(), rows: row_order.iter().map(row).collect() }
    }

    /// Keeps the columns whose flag is set.
    pub(crate) fn retain_workloads(&mut self, kept: &[bool]) {
        self.rows.iter_mut().for_each(|row| crate::study::retain(row, kept));
        self.workloads = kept.iter().filter(|&&kept| kept).count();
    }

    /// Number of rows.
    pub fn locations(&self) -> usize {
        self.rows.len()
    }

    /// Number of columns.
    pub fn workloads(&self) -> usize {
        self.workloads
    }

    /// One location's cost per workload, `[workloads]`.
    pub fn row(&self, location: LocationId) -> &[u64] {
        &self.rows[location.index()]
    }
}
