//! Derives how often unwatched loops were entered. If the compiler knows the trips of an unwatched loop, its count
//! follows from the watched loops.
//!
//! ```text
//!   for (i = 0; i < n; i++)          watched: the sum of the trips of all loops inside is measured
//!     for (k = 0; k < 8; k++)        entered: that sum / 8
//! ```
//!
//! A count that no watched loop determines is unknown, not 0.

use trend_profile::{LoopFunction, LoopObservation, ProgramLoop};

/// Returns how often each loop of a function was entered; `None` if no count determines it.
///
/// - Time: O(loops · (depth + observations)).
pub(super) fn entries(function: &LoopFunction) -> Vec<Option<u64>> {
    let loops = &function.loops;
    let is_watched = loops.iter().all(|one| one.constant_trips.is_none());
    let nested = if is_watched { Vec::new() } else { function.nested() };
    let count = |index: usize| match loops[index].constant_trips {
        None => Some(loops[index].total.activations).filter(|_| !loops[index].is_uncounted),
        Some(trips) => measured(function, &nested, index, trips),
    };
    let mut counts: Vec<Option<u64>> = (0..loops.len()).map(count).collect();
    // The count of a loop determines the counts of the loop around it and of the loops inside it. It says nothing about
    // a later loop in the function: a call between the two may not return.
    loop {
        let before = counts.iter().flatten().count();
        for index in (0..loops.len()).rev() {
            let Some(parent) = loops[index].parent.map(|parent| parent as usize) else { continue };
            if let (None, Some(trips), Some(inside)) =
                (counts[parent], loops[parent].constant_trips, in_each_trip(loops, &counts, index))
            {
                counts[parent] = (trips > 0 && inside.is_multiple_of(trips)).then(|| inside / trips);
            }
        }
        for index in 0..loops.len() {
            let around = || {
                let parent = loops[index].parent.filter(|_| !loops[index].is_conditional)? as usize;
                counts[parent]?.checked_mul(loops[parent].constant_trips?)
            };
            counts[index] = counts[index].or_else(around);
        }
        if counts.iter().flatten().count() == before {
            return counts;
        }
    }
}

/// Derives the count of a loop from its trips measured in the nearest watched loop around it. Sampled trips are
/// estimates, so they only count if every kept observation shows one entry per trip.
fn measured(function: &LoopFunction, nested: &[Vec<u32>], index: usize, trips: u64) -> Option<u64> {
    let loops = &function.loops;
    let parent = |one: usize| loops[one].parent.map(|parent| parent as usize);
    let outer = std::iter::successors(parent(index), |&one| parent(one))
        .find(|&one| loops[one].constant_trips.is_none())
        .filter(|&one| !loops[one].is_uncounted)?;
    let watched = &loops[outer];
    if watched.total.activations == 0 {
        return Some(0);
    }
    let place = nested[outer].binary_search(&(index as u32)).ok()?;
    let inside: Option<Vec<u64>> =
        watched.observations.iter().map(|o| o.inner_trips.get(place).copied()).collect();
    let inside = inside.filter(|_| trips > 0)?;
    if watched.total.sampled.is_none() {
        let sum = inside.iter().try_fold(0_u64, |sum, trips| sum.checked_add(*trips))?;
        return sum.is_multiple_of(trips).then(|| sum / trips);
    }
    // Both sums were rounded when the sample was scaled to all activations.
    let is_in_each_trip = |(o, inside): (&LoopObservation, &u64)| {
        o.trips.sum.checked_mul(trips).is_some_and(|expected| expected.abs_diff(*inside) < trips)
    };
    let is_alike = parent(index) == Some(outer)
        && !loops[index].is_conditional
        && watched.observations.iter().zip(&inside).all(is_in_each_trip);
    is_alike.then_some(watched.total.trips)
}

/// Returns how often a loop was entered if every trip around it, or every call of the function, enters it.
fn in_each_trip(loops: &[ProgramLoop], counts: &[Option<u64>], index: usize) -> Option<u64> {
    counts[index].filter(|_| !loops[index].is_conditional)
}
