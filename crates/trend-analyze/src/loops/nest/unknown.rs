//! Loops whose trips are unknown: the symbols for them, and loops that never ran.

use trend_model::loops::Polynomial;
use trend_profile::LoopFunction;

use super::{Certainty, Nest, NestTrips};
use crate::loops::symbols::{counter, file_name};
use crate::loops::trips::TripsLaw;

impl Nest<'_> {
    /// Returns the symbol for the unknown trips of a loop: `trips of parse.c:12`. In `n·(trips of parse.c:12)`, it
    /// stands for the average over the n trips of an outer loop. O counts at least one trip for each activation,
    /// because the pass that leaves a loop is no trip, but may enter its content. Ω counts only the trips.
    pub(in crate::loops) fn unknown_trips(&self, index: u32) -> String {
        let line = self.line(index);
        let number = self.number_on_line(index).map_or(String::new(), |number| format!(" no. {number}"));
        let file = file_name(&self.function.file);
        format!("trips of {file}:{line}{number}")
    }

    /// Returns the trips of a loop in one activation of an outer loop, as a product with symbols for unknown trips. If
    /// the trips of a loop in between are known, and are the same in all trips of the outer loop, they replace its
    /// symbol.
    pub(super) fn unknown_trips_around(&self, index: u32, outer: u32) -> NestTrips {
        // Loops around a loop have smaller indices than it has.
        let up_to_outer = self.function.around(index).take_while(|&one| one >= outer);
        up_to_outer.fold(self.by_symbol(index), |product, one| {
            let own = self.own(one);
            let has_counter = || own.trips.any_name(&mut |name| counter(name).is_some());
            let is_same = (one == outer && !self.laws[one as usize].is_unknown())
                || (own.is_known() && !has_counter() && !self.varies_in(&own.trips, one, outer));
            if !is_same {
                return self.in_unknown(product, index, one);
            }
            match self.passes(index, one, &own).and_then(|passes| product.polynomial().times(&passes)) {
                // The trips of the outer loop may be only a bound.
                Some(trips) => NestTrips::of_polynomial(trips, product.certainty.max(own.certainty)),
                None => self.by_symbol(index),
            }
        })
    }

    /// Multiplies the trips of a loop by the symbol of an outer loop with unknown trips. If the trips have a symbol
    /// that already includes all trips of the outer loop, they are returned as they are.
    pub(super) fn in_unknown(&self, trips: NestTrips, index: u32, outer: u32) -> NestTrips {
        if trips.is_by_symbol {
            return trips;
        }
        match trips.trips.times(&self.by_symbol(outer).trips) {
            Some(product) => NestTrips {
                is_by_symbol: true,
                ..NestTrips::new(product, trips.certainty.max(Certainty::Symbolic))
            },
            None => self.by_symbol(index),
        }
    }

    /// Returns the unknown trips of a loop: its symbol, which includes all trips of the unknown loops around it.
    pub(super) fn by_symbol(&self, index: u32) -> NestTrips {
        let symbol = Polynomial::name(&self.unknown_trips(index));
        NestTrips { is_by_symbol: true, ..NestTrips::of_polynomial(symbol, Certainty::Symbolic) }
    }

    /// Returns true if no run entered a loop, or one of the loops around it. A loop that is left by the end of the
    /// program has no activations. It counts as entered if a loop inside it was.
    pub(in crate::loops) fn never_ran(&self, index: u32) -> bool {
        self.never_ran[index as usize]
    }

    /// Returns true if a loop's trips need not be added to a cost, because the symbol of a loop directly inside
    /// includes them. Both loops have unknown trips, and each trip of the outer loop enters the inner one. If the outer
    /// loop is certain, the inner one is as well, so that Ω keeps a symbol for them.
    pub(in crate::loops) fn is_covered(&self, index: u32) -> bool {
        let is_unknown = |one: u32| self.laws[one as usize].is_unknown();
        let covers = |&inner: &u32| {
            let one = self.at(inner);
            one.parent == Some(index)
                && is_unknown(inner)
                && !one.is_conditional
                && (!self.is_left_early(inner) || self.is_left_early(index))
                && !self.never_ran(inner)
                && self.trips_in_call(inner).trips.has_name(&self.unknown_trips(inner))
        };
        is_unknown(index) && self.nested[index as usize].iter().any(covers)
    }
}

/// Returns, for each loop, true if no run entered it or a loop inside it, or if this holds for a loop around it.
/// Uncounted loops count as entered. If the compiler knows the trips of a loop, only the loops around it decide.
pub(super) fn never_ran(function: &LoopFunction, laws: &[TripsLaw]) -> Vec<bool> {
    let loops = &function.loops;
    let mut is_entered: Vec<bool> =
        loops.iter().map(|one| one.total.activations > 0 || one.is_uncounted).collect();
    // Loops come after the loops around them.
    for index in (0..loops.len()).rev() {
        if let Some(parent) = loops[index].parent {
            is_entered[parent as usize] |= is_entered[index];
        }
    }
    let mut never_ran: Vec<bool> = Vec::with_capacity(loops.len());
    for (index, one) in loops.iter().enumerate() {
        let is_around = one.parent.is_some_and(|parent| never_ran[parent as usize]);
        never_ran.push(is_around || (laws[index].is_unknown() && !is_entered[index]));
    }
    never_ran
}
