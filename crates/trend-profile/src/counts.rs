//! The counts matrix.

use crate::{LocationId, WorkloadId};

/// Costs, `[locations × workloads]`, row-major; 0 = not executed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counts {
    workloads: usize,
    cells: Vec<u64>,
}

impl Counts {
    /// A matrix of zeros.
    pub fn zeros(locations: usize, workloads: usize) -> Self {
        Self { workloads, cells: vec![0; locations * workloads] }
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

    /// Sets one cell.
    pub fn set(&mut self, location: LocationId, workload: WorkloadId, count: u64) {
        let workloads = self.workloads;
        self.cells[location.index() * workloads + workload.index()] = count;
    }
}
