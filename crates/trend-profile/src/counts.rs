//! The counts matrix.

use crate::LocationId;

/// Costs, `[locations × workloads]`, row-major; 0 = not executed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counts {
    workloads: usize,
    cells: Vec<u64>,
}

impl Counts {
    /// Takes rows of equal length, one for each element of `row_order`, in the orders given.
    pub(crate) fn from_rows(
        mut rows: Vec<Vec<u64>>,
        row_order: &[usize],
        column_order: &[usize],
    ) -> Self {
        let mut cells = Vec::with_capacity(row_order.len() * column_order.len());
        for &row in row_order {
            // Each row's memory goes as soon as it is copied: large matrices would not fit twice.
            let row = std::mem::take(&mut rows[row]);
            cells.extend(column_order.iter().map(|&column| row[column]));
        }
        Self { workloads: column_order.len(), cells }
    }

    /// Number of rows.
    pub fn locations(&self) -> usize {
        self.cells.len().checked_div(self.workloads).unwrap_or(0)
    }

    /// Number of columns.
    pub fn workloads(&self) -> usize {
        self.workloads
    }

    /// One location's cost per workload, `[workloads]`.
    pub fn row(&self, location: LocationId) -> &[u64] {
        let start = location.index() * self.workloads;
        &self.cells[start..start + self.workloads]
    }
}
