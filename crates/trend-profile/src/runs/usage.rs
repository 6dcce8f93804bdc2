//! Time and memory of one run.

use std::time::Duration;

use serde::{Deserialize, Serialize};

/// Time and memory of one run.
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Usage {
    /// Wall-clock time of the run.
    pub wall: Duration,
    /// CPU time in user mode, children included.
    pub user: Duration,
    /// CPU time in the kernel, children included.
    pub system: Duration,
    /// Peak resident memory in bytes of the largest process.
    pub peak_rss_bytes: u64,
}

impl Usage {
    /// Returns the lower median by CPU time; `None` for an empty slice.
    pub fn median(of: &[Self]) -> Option<Self> {
        let mut by_cpu = of.to_vec();
        by_cpu.sort_by_key(Self::cpu);
        by_cpu.get(by_cpu.len().checked_sub(1)? / 2).copied()
    }

    /// Returns the CPU time in user mode and in the kernel.
    pub fn cpu(&self) -> Duration {
        self.user + self.system
    }
}
