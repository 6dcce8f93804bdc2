//! Inserts counters into loops, before optimization.
//!
//! ```text
//!   entry:      trips = 0, cost = 0                  for each loop; they run on from activation to activation
//!   preheader:  trips₀ = trips, cost₀ = cost, inputs
//!   latch:      trips += 1
//!   exits:      exit(trips − trips₀, cost − cost₀, inputs), inner(trips of inner loops − their trips before)
//! ```
//!
//! The variables become registers. If the trips of a loop can be computed, the optimizer computes the sums. The rest of
//! the loop is vectorized and unrolled as without them. Until then, the called functions have no bodies, and access
//! nothing of the program.

use super::counters::{Counters, Trips, Watcher};
use super::watched::Watched;
use super::weights::weights;
use crate::loops::facts::LoopFacts;
use crate::loops::inputs::input::Input;

/// Maximum number of inner loops whose trips are counted separately.
const MOST_INNER: usize = 64;

impl Watcher<'_, '_> {
    /// Watches the loops that can be watched. Stores the indices of their tables, and the inner loops that are counted,
    /// in `facts`. `next` is the index of the next table.
    pub(crate) fn watch(&self, inputs: &[Vec<Input>], facts: &mut [LoopFacts], next: &mut usize) {
        let is_counted: Vec<bool> = self.loops.iter().map(|l| l.is_simple(self.graph)).collect();
        // Loops are recorded at their exits, so a loop without exits is not watched.
        let is_watched = |number: &usize| {
            let is_left = !self.loops[*number].exits.is_empty();
            is_counted[*number] && is_left && facts[*number].constant_trips.is_none()
        };
        let watched: Vec<usize> = (0..self.loops.len()).filter(is_watched).collect();
        if watched.is_empty() {
            return;
        }
        let (mut weights, firsts) = weights(self.graph, self.loops);
        let mut counters = Counters {
            trips: (0..self.loops.len()).map(|of| self.trips_of(of, is_counted[of], facts)).collect(),
            cost: self.variable(),
            folded: self.loops.iter().map(|_| None).collect(),
        };
        // Inner loops come first. If an inner loop has constant trips, its cost is added to the blocks of the loop
        // around it.
        for of in (0..self.loops.len()).rev() {
            counters.folded[of] = self.folded(of, &counters, &mut weights, &firsts);
        }
        for number in &watched {
            let inner = self.inside(*number);
            let is_known = inner.len() <= MOST_INNER && inner.iter().all(|inside| is_counted[*inside]);
            facts[*number].affine_cost = self.affine_cost(*number, &counters, &weights);
            facts[*number].inner = is_known.then_some(inner);
            facts[*number].table = Some(*next);
            *next += 1;
        }
        // Values before a loop are read before anything is added there.
        let watched: Vec<Watched> =
            watched.into_iter().map(|of| self.front(of, &inputs[of], &counters, &weights, facts)).collect();
        for (number, one) in self.loops.iter().enumerate() {
            let Some(Trips::In(counter)) = counters.trips[number] else { continue };
            match facts[number].constant_trips {
                Some(trips) => self.add(self.in_front(one), counter, trips),
                None => self.add(self.graph.blocks[one.latches[0]].terminator(), counter, 1),
            }
        }
        for (block, weight) in (0..).zip(weights).filter(|(_, weight)| *weight > 0) {
            self.add(self.graph.blocks[block].first_insertion_point(), counters.cost, weight);
        }
        // Each hook is inserted before those that are there already, so the last to be executed comes first. These
        // are groups, then outer loops, then inner loops, whose trips add to the cost of outer ones.
        let mut watched = watched.into_iter().peekable();
        for (number, facts) in facts.iter_mut().enumerate() {
            let of_loop = watched.next_if(|one| one.number == number);
            if let Some(one) = &of_loop {
                self.record(one, &counters, facts);
            }
            if let Some(folded) = &counters.folded[number] {
                let exits = self.exits_of(number).into_iter();
                exits.for_each(|exit| self.add_folded(exit, number, folded, &counters));
            }
        }
    }
}
