//! Costs that arise in each trip, computed from the trips.

use super::counters::{Counters, Folded, Trips, Watcher};

impl Watcher<'_, '_> {
    /// Removes the costs that arise in each trip from the weights of a loop's blocks: they can be computed from the
    /// trips.
    pub(super) fn folded(
        &self,
        of: usize,
        counters: &Counters,
        weights: &mut [u64],
        firsts: &[usize],
    ) -> Option<Folded> {
        let one = &self.loops[of];
        let [latch] = one.latches[..] else { return None };
        let trips = counters.trips[of]?;
        // If a latch and other blocks leave to one block, the number of executions of the header is unknown there.
        let is_mixed = |exit: &usize| {
            let from = &self.graph.predecessors[*exit];
            from.contains(&latch) && from.len() > 1
        };
        if self.exits_of(of).iter().any(is_mixed) {
            return None;
        }
        let header = std::mem::take(&mut weights[one.header]);
        let latch = std::mem::take(&mut weights[firsts[latch]]);
        if let Trips::Times(times, parent) = trips
            && let Some(parent) = self.loops[parent].latches.first()
        {
            let is_late = self.exits_of(of).iter().any(|exit| self.leaves_by_latch(*exit, of));
            weights[firsts[*parent]] += (header + latch) * times + if is_late { 0 } else { header };
            return None;
        }
        let before = self.builder_in_front(one).trips(of, counters);
        Some(Folded { header, latch, before })
    }

    /// Returns true if the latch of a loop leads to a block.
    fn leaves_by_latch(&self, exit: usize, of: usize) -> bool {
        self.graph.predecessors[exit].iter().any(|from| self.loops[of].latches.contains(from))
    }

    /// Returns the cost of an activation for each trip, and its fixed cost, if these are the same for all activations.
    pub(super) fn affine_cost(&self, of: usize, counters: &Counters, weights: &[u64]) -> Option<[u64; 2]> {
        let folded = counters.folded[of].as_ref()?;
        let has_others = self.loops[of].blocks.iter().any(|block| weights[*block] > 0);
        let mut once = self
            .exits_of(of)
            .into_iter()
            .map(|exit| if self.leaves_by_latch(exit, of) { 0 } else { folded.header });
        let first = once.next()?;
        let is_same = once.all(|other| other == first);
        let mut inside = self.inside(of).into_iter();
        let are_in_trips = inside.all(|inside| matches!(counters.trips[inside], Some(Trips::Times(..))));
        (is_same && !has_others && are_in_trips).then_some([folded.header + folded.latch, first])
    }

    /// Adds the cost that all trips of a loop have in common, at an exit of the loop.
    pub(super) fn add_folded(&self, exit: usize, of: usize, folded: &Folded, counters: &Counters) {
        if folded.header + folded.latch == 0 {
            return;
        }
        let (builder, long) = (self.builder, self.builder.int64());
        let trips = self.at(exit).trips_since(of, counters, folded.before);
        let all = builder.multiply(trips, builder.constant(long, folded.header + folded.latch));
        // The header is executed once more, unless the condition is at the end of the body.
        let once = if self.leaves_by_latch(exit, of) { 0 } else { folded.header };
        let so_far = builder.load(long, counters.cost);
        let sum = builder.add(builder.add(so_far, all), builder.constant(long, once));
        builder.store(sum, counters.cost);
    }
}
