//! The places of runs whose counts are read as imports. They only grow, so positions of locations stay valid.

use std::sync::{PoisonError, RwLock};

use trend_collect::import::{Imported, Merged};
use trend_profile::{Function, Location};

/// The functions and locations of all runs so far.
#[derive(Debug, Default)]
pub(crate) struct Places(RwLock<Merged>);

impl Places {
    /// Calls `use_places` with the known functions and locations.
    pub(crate) fn with<T>(&self, use_places: impl FnOnce(&[Function], &[Location]) -> T) -> T {
        let places = self.0.read().unwrap_or_else(PoisonError::into_inner);
        use_places(places.functions(), places.locations())
    }

    /// Adds the places of a run, and its counts to `counts`, indexed by position.
    pub(crate) fn add(&self, imported: &Imported, counts: &mut Vec<u64>) {
        let mut places = self.0.write().unwrap_or_else(PoisonError::into_inner);
        let ids = places.learn(imported);
        counts.resize(places.locations().len().max(counts.len()), 0);
        for &(location, count) in imported.runs.iter().flat_map(|run| &run.counts) {
            let sum = &mut counts[ids[location as usize] as usize];
            *sum = sum.saturating_add(count);
        }
    }
}
