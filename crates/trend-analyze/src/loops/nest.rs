//! Computes how often a loop runs in one call of its function, or in one activation of a loop around it. This is the
//! sum over the loops around it, in closed form.
//!
//! ```text
//!   for (i = 0; i < n; i++)          n
//!     for (j = i + 1; j < n; j++)    n − i − 1, and in one call Σ = ½n² − ½n
//! ```
//!
//! The product, or the sum over the counter of the outer loop, comes first. The code states the start and the step of
//! most counters. Otherwise, possible starts are tried: 0, 1, the least observed value, and the inputs of the outer
//! loop. The right start is the one whose sum equals the measured trips in each activation of the outer loop. Only if
//! no start fits, and the outer loop has all names of the inner one, the measured sums are interpolated.

mod bounds;
mod unknown;

use std::cell::RefCell;
use std::collections::{BTreeSet, HashMap};

use trend_model::loops::{Atom, Name, Point, Polynomial, Rational, interpolate};
use trend_profile::{LoopExits, LoopFunction, LoopInputValue, LoopMovement, LoopObservation, ProgramLoop};

use super::signs::Signs;
use super::stated;
use super::sums::{Counting, Guarded};
use super::symbols::{counter, symbol};
use super::trips::TripsLaw;
use crate::findings::loops::LoopStatus;

/// Maximum number of observations of an outer loop that a sum is compared with. They are spread evenly over all
/// observations, which are in the order of their inputs.
pub(super) const MOST_COMPARED: usize = 512;

/// The certainty of a sum.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Certainty {
    /// The sum equals the measured trips in this many activations of an outer loop. It is 0 for a loop's own law, which
    /// involves no outer loop.
    Exact(usize),
    /// The sum follows from exact laws, and no measurement can confirm it.
    Derived,
    /// The sum is interpolated from the measured activations of an outer loop, of this many. It need not hold at other
    /// proportions of the names.
    Interpolated(usize),
    /// The sum has symbols for unknown quantities.
    Symbolic,
    /// The sum is an upper bound.
    Bound,
}

/// The trips of a loop, summed over the loops around it.
#[derive(Clone, Debug)]
pub(super) struct NestTrips {
    /// The trips where all guards are positive; otherwise, there are none.
    trips: Guarded,
    pub(super) certainty: Certainty,
    /// True if the outermost factor is the symbol of a loop with unknown trips. An example is `m·(trips of list.c:7)`
    /// if the loop of m trips is inside the loop in line 7. If the trips of the next loop around are unknown as well,
    /// they are no further factor: the symbol includes all of them.
    is_by_symbol: bool,
}

impl NestTrips {
    fn new(trips: Guarded, certainty: Certainty) -> Self {
        Self { trips, certainty, is_by_symbol: false }
    }

    fn of_polynomial(polynomial: Polynomial, certainty: Certainty) -> Self {
        Self::new(Guarded { value: polynomial, guards: Vec::new() }, certainty)
    }

    /// Returns the trips for large values of the names.
    pub(super) fn polynomial(&self) -> &Polynomial {
        &self.trips.value
    }

    /// Returns true if the trips are only the symbol of a loop with unknown trips.
    pub(super) fn is_symbol(&self) -> bool {
        self.is_by_symbol && self.polynomial().as_name().is_some()
    }

    /// Returns true if the trips are known in the program's names.
    pub(super) fn is_known(&self) -> bool {
        matches!(self.certainty, Certainty::Exact(_) | Certainty::Derived)
    }
}

/// The loops of a function with their laws.
pub(super) struct Nest<'a> {
    pub(super) function: &'a LoopFunction,
    pub(super) laws: &'a [TripsLaw],
    /// Known trips in one call of the function.
    in_call: RefCell<HashMap<u32, NestTrips>>,
    /// The loops nested in each loop at any depth, in order.
    pub(super) nested: Vec<Vec<u32>>,
    /// The [symbol] of each input of each loop.
    symbols: Vec<Vec<String>>,
    /// The line where each loop begins.
    lines: Vec<u32>,
    /// The ordinal of each loop on its line.
    numbers: Vec<u32>,
    /// The value of each input that never differs; `None` for one that does.
    same: HashMap<String, Option<i64>>,
    /// The observed values of each counter, in ascending order.
    of_counters: HashMap<String, Vec<i64>>,
    signs: Signs,
    /// For each loop: true if no run entered it.
    never_ran: Vec<bool>,
    /// Number of different values that some of a loop's inputs had. The second key has a bit for each of these inputs.
    different: RefCell<HashMap<(u32, u8), u64>>,
}

/// The result of comparing a sum with measured activations.
enum Compared {
    Right(usize),
    Wrong,
    Unknown,
}

impl<'a> Nest<'a> {
    pub(super) fn new(function: &'a LoopFunction, laws: &'a [TripsLaw]) -> Self {
        let symbols: Vec<Vec<String>> =
            function.loops.iter().map(|one| one.inputs.iter().map(symbol).collect()).collect();
        let mut same: HashMap<String, Option<i64>> = HashMap::new();
        let mut of_counters: HashMap<String, BTreeSet<i64>> = HashMap::new();
        let mut signs = Signs::default();
        for (one, symbols) in function.loops.iter().zip(&symbols) {
            for (position, symbol) in symbols.iter().enumerate() {
                let values = || one.observations.iter().map(|o| o.inputs[position]);
                let is_integer = one.inputs[position].value == LoopInputValue::Integer;
                if is_integer && values().any(|value| value < 0) {
                    signs.negative.insert(symbol.clone());
                }
                let Some(first) = values().next() else { continue };
                let shared = same.entry(symbol.clone()).or_insert(Some(first));
                *shared = shared.filter(|shared| values().all(|value| value == *shared));
                if one.inputs[position].counter_of.is_some() {
                    of_counters.entry(symbol.clone()).or_default().extend(values());
                }
            }
        }
        let of_counters =
            of_counters.into_iter().map(|(symbol, values)| (symbol, values.into_iter().collect())).collect();
        let (in_call, different) = (RefCell::default(), RefCell::default());
        let nested = function.nested();
        let never_ran = unknown::never_ran(function, laws);
        let (lines, numbers) = (Vec::new(), Vec::new());
        let nest = Self {
            function,
            laws,
            in_call,
            nested,
            symbols,
            lines,
            numbers,
            same,
            of_counters,
            signs,
            never_ran,
            different,
        };
        nest.with_lines(function.loops.iter().map(|one| one.line).collect())
    }

    /// Sets the lines where the loops begin.
    pub(super) fn with_lines(self, lines: Vec<u32>) -> Self {
        let mut count: HashMap<u32, u32> = HashMap::new();
        let mut number = |line: &u32| {
            let number = count.entry(*line).or_default();
            *number += 1;
            *number
        };
        let numbers = lines.iter().map(&mut number).collect();
        Self { lines, numbers, ..self }
    }

    /// Returns the line where a loop begins.
    pub(super) fn line(&self, index: u32) -> u32 {
        self.lines[index as usize]
    }

    fn at(&self, index: u32) -> &ProgramLoop {
        &self.function.loops[index as usize]
    }

    /// Returns the ordinal of a loop on its line, or `None` for the first. A line can hold several loops, one inside
    /// another.
    pub(super) fn number_on_line(&self, index: u32) -> Option<u32> {
        Some(self.numbers[index as usize]).filter(|number| *number > 1)
    }

    /// Returns true if the content of `outer` was entered more often than `outer` made trips, because the trip that
    /// leaves the loop enters it as well. Returns false for an unwatched loop, which has no count.
    fn is_entered_at_last(&self, index: u32, outer: u32) -> bool {
        if self.at(outer).total.activations == 0 {
            return false;
        }
        let child = self.function.around(index).take_while(|&one| one != outer).last().unwrap_or(index);
        self.at(child).total.activations > self.at(outer).total.trips
    }

    /// Returns the law of a loop, without the loops around it.
    pub(super) fn own(&self, index: u32) -> NestTrips {
        let law = &self.laws[index as usize];
        if let Some(polynomial) = law.polynomial.clone() {
            let is_exact = law.status == LoopStatus::Exact;
            let certainty = if is_exact { Certainty::Exact(0) } else { Certainty::Symbolic };
            return NestTrips::new(Guarded::new(polynomial, &self.signs), certainty);
        }
        if let Some(bound) = law.bound.clone() {
            return NestTrips::new(Guarded::new(bound, &self.signs), Certainty::Bound);
        }
        self.by_symbol(index)
    }

    /// Returns how often an outer loop enters an inner one. The trip that leaves the outer loop may enter it as well.
    fn passes(&self, index: u32, outer: u32, trips: &NestTrips) -> Option<Polynomial> {
        let is_one_more = self.is_entered_at_last(index, outer) && !self.laws[outer as usize].is_unknown();
        trips.polynomial().plus(&Polynomial::integer(i128::from(is_one_more)))
    }

    /// Returns a loop and the loops around it, the nearest first.
    fn with_around(&self, index: u32) -> impl Iterator<Item = u32> + '_ {
        std::iter::once(index).chain(self.function.around(index))
    }

    /// Returns true if a name seems to have one value in a call: its values add up to the same sum at each outermost
    /// loop with the most activations. In `while (n >= 8) n -= 8; while (n--) …`, `n` has two values.
    pub(super) fn is_same_in_call(&self, name: &str) -> bool {
        let outermost = self.function.loops.iter().zip(&self.symbols);
        let outermost = outermost.filter(|(one, _)| one.parent.is_none() && !one.is_conditional);
        let sums = outermost.filter(|(one, _)| one.total.sampled.is_none()).filter_map(|(one, symbols)| {
            let at = symbols.iter().position(|symbol| symbol == name)?;
            let of_all = |o: &LoopObservation| i128::from(o.inputs[at]) * i128::from(o.activations);
            Some((one.total.activations, one.observations.iter().map(of_all).fold(0, i128::saturating_add)))
        });
        let sums: Vec<(u64, i128)> = sums.collect();
        let entered = sums.iter().map(|(activations, _)| *activations).max();
        let mut whole = sums.iter().filter(|(activations, _)| Some(*activations) == entered);
        let first = whole.next();
        whole.all(|sum| Some(sum) == first)
    }

    /// Returns true if a loop can be left before the trips of its law, as far as the runs show.
    pub(super) fn is_left_early(&self, index: u32) -> bool {
        let law = &self.laws[index as usize];
        self.at(index).exits == LoopExits::Several && !law.is_stated && !law.is_reached
    }

    /// Returns the trips of a loop in one call of the function as a formula that is right at any values of its names,
    /// if there is one. A value below 0 means no trips if `is_summed` is false.
    pub(super) fn formula_in_call(&self, index: u32, is_summed: bool) -> Option<Polynomial> {
        self.trips_in_call(index).trips.formula(&self.signs, is_summed)
    }

    /// Returns the trips of a loop in one call of the function.
    pub(super) fn trips_in_call(&self, index: u32) -> NestTrips {
        if let Some(trips) = self.in_call.borrow().get(&index) {
            return trips.clone();
        }
        let (_, in_call) = self.trips_around(index).last().unwrap_or_else(|| (index, self.own(index)));
        self.in_call.borrow_mut().insert(index, in_call.clone());
        in_call
    }

    /// Returns the trips of a loop in one activation of itself, and of each loop around it, the nearest first. One
    /// activation of the outermost loop is one call of the function.
    pub(super) fn trips_around(&self, index: u32) -> impl Iterator<Item = (u32, NestTrips)> + '_ {
        std::iter::successors(Some((index, self.own(index))), move |(current, sum)| {
            let parent = self.at(*current).parent?;
            Some((parent, self.over(sum, index, parent)))
        })
    }

    /// Sums trips over the trips of an outer loop.
    fn over(&self, inner: &NestTrips, index: u32, outer: u32) -> NestTrips {
        let is_varying = self.varies_in(&inner.trips, index, outer);
        let is_unknown = self.laws[outer as usize].is_unknown();
        let measured = || {
            let (polynomial, count) = self.measured(index, outer)?;
            Some(NestTrips::of_polynomial(polynomial, Certainty::Interpolated(count)))
        };
        // A sum over the outer counter would be a formula in powers of an unknown number of trips.
        if is_unknown && !is_varying && counters_in(&inner.trips, outer).is_empty() {
            return self.in_unknown(inner.clone(), index, outer);
        }
        if is_unknown || is_varying {
            return measured().unwrap_or_else(|| self.unknown_trips_around(index, outer));
        }
        let trips = self.own(outer);
        let certainty = inner.certainty.max(trips.certainty);
        let (candidates, open) = self.candidates(inner, &trips, index, outer);
        let compared = |one: &Guarded| self.compared(one, index, outer);
        if certainty != Certainty::Bound {
            let right = candidates.iter().find_map(|one| match compared(one) {
                Compared::Right(count) => Some((one, count)),
                _ => None,
            });
            if let Some((one, count)) = right {
                let is_exact = matches!(certainty, Certainty::Exact(_));
                let certainty = if is_exact { Certainty::Exact(count) } else { certainty };
                return NestTrips::new(one.clone(), certainty);
            }
        }
        let is_at_last = self.is_entered_at_last(index, outer);
        let is_open = |one: &Guarded| !is_at_last && matches!(compared(one), Compared::Unknown);
        if let Some(trips) = open.clone().filter(is_open) {
            return NestTrips::new(trips, certainty.max(Certainty::Derived));
        }
        if let Some(measured) = measured() {
            return measured;
        }
        // The loop is skipped or left early in some trips.
        let is_bound = |one: &Guarded| {
            !is_at_last && matches!(self.compared_with(one, index, outer, |a, b| a >= b), Compared::Right(_))
        };
        if let Some(trips) = open.filter(|one| inner.is_known() && is_bound(one)) {
            return NestTrips::new(trips, Certainty::Bound);
        }
        match self.greatest_product(inner, &trips, index, outer) {
            Some(trips) => NestTrips::new(trips, Certainty::Bound),
            None => self.unknown_trips_around(index, outer),
        }
    }

    /// Returns the possible sums over the trips of an outer loop, and the one that holds if no measurement can confirm
    /// it.
    fn candidates(
        &self,
        inner: &NestTrips,
        trips: &NestTrips,
        index: u32,
        outer: u32,
    ) -> (Vec<Guarded>, Option<Guarded>) {
        let counters = counters_in(&inner.trips, outer);
        match counters.as_slice() {
            [] => {
                let open = inner.trips.times(&trips.trips);
                (open.clone().into_iter().collect(), open)
            }
            [name] => {
                if let Some(counting) = self.stated_counting(name, index, outer) {
                    let open = inner.trips.summed(&trips.trips, &counting, &self.signs);
                    return (open.clone().into_iter().collect(), open);
                }
                let sum = |(start, step): &(Polynomial, i64)| {
                    let step = Polynomial::integer(i128::from(*step));
                    let counting = Counting { name, start: start.clone(), step };
                    inner.trips.summed(&trips.trips, &counting, &self.signs)
                };
                let candidates = self.starts(name, outer).iter().filter_map(sum).collect();
                // If no measurement can confirm the sum, another loop with the counter shows its start.
                (candidates, self.confirmed_start(name, outer).as_ref().and_then(sum))
            }
            // Several counters of one loop: their relation is unknown.
            _ => (Vec::new(), None),
        }
    }

    /// Returns the start and the step that the code states for a counter of an outer loop.
    fn stated_counting<'s>(&self, name: &'s str, index: u32, outer: u32) -> Option<Counting<'s>> {
        let outer_inputs = &self.at(outer).inputs;
        self.with_around(index).take_while(|&one| one != outer).find_map(|one| {
            let position = self.symbols[one as usize].iter().position(|symbol| symbol == name)?;
            let LoopMovement { start, step, .. } = self.at(one).stated.inputs.get(position)?;
            let (start, step) =
                (stated::polynomial(start, outer_inputs)?, stated::polynomial(step, outer_inputs)?);
            Some(Counting { name, start, step })
        })
    }

    /// Returns true if a name in a number of trips, counters aside, has different values in the trips of an outer loop.
    fn varies_in(&self, trips: &Guarded, index: u32, outer: u32) -> bool {
        let is_stated = self.with_around(index).take_while(|&one| one != outer).any(|one| {
            let movements = self.at(one).inputs.iter().zip(&self.at(one).stated.inputs);
            movements.zip(&self.symbols[one as usize]).any(|((input, movement), symbol)| {
                input.counter_of.is_none() && movement.varies_in == Some(outer) && trips.has_name(symbol)
            })
        });
        is_stated || self.differs_by_trip(trips, index, outer)
    }

    /// Returns true if the inputs of a sum, counters aside, had more combinations of values than the outer loop had
    /// activations. Some of them then changed between trips, so no single value holds for all trips.
    fn differs_by_trip(&self, sum: &Guarded, index: u32, outer: u32) -> bool {
        let activations = self.at(outer).total.activations;
        // The activations of an unwatched loop are not counted.
        if activations == 0 {
            return false;
        }
        let is_named = |one: u32, at: usize| {
            self.at(one).inputs[at].counter_of.is_none() && sum.has_name(&self.symbols[one as usize][at])
        };
        self.with_around(index).take_while(|&one| one != outer).any(|one| {
            let named = (0..self.at(one).inputs.len()).filter(|&at| is_named(one, at));
            self.different(one, named.fold(0, |named, at| named | 1 << at)) > activations
        })
    }

    /// Returns the number of different values that some of a loop's inputs had; `named` has a bit for each of them.
    fn different(&self, index: u32, named: u8) -> u64 {
        *self.different.borrow_mut().entry((index, named)).or_insert_with(|| {
            let values = |o: &LoopObservation| {
                let mut inputs = o.inputs;
                (0..inputs.len()).filter(|at| named & 1 << at == 0).for_each(|at| inputs[at] = 0);
                inputs
            };
            self.at(index).observations.iter().map(values).collect::<BTreeSet<_>>().len() as u64
        })
    }

    /// Returns the possible starts of a loop's counter, each with its possible steps.
    fn starts(&self, counter: &str, outer: u32) -> Vec<(Polynomial, i64)> {
        let values = self.values_of(counter);
        let least = values.first().copied().unwrap_or(0);
        let step = self.step(counter);
        let mut starts: Vec<Polynomial> =
            [0, 1, least].map(|one| Polynomial::integer(i128::from(one))).to_vec();
        let inputs = self.at(outer).inputs.iter();
        for input in inputs {
            let shifted =
                [1, 0, -1].map(|shift| Polynomial::name(&symbol(input)).plus(&Polynomial::integer(shift)));
            starts.extend(shifted.into_iter().flatten());
        }
        // The trips of a loop with a step are a quotient by the step.
        let trips = self.own(outer).trips.value;
        let divisors = trips.terms().flat_map(|(monomial, _)| monomial).filter_map(|(atom, _)| match atom {
            Atom::Quotient { divisor, .. } => i64::try_from(divisor.as_constant()?.as_integer()?).ok(),
            _ => None,
        });
        let up: BTreeSet<i64> = divisors.chain([1, step]).collect();
        let steps: Vec<i64> = up.iter().copied().chain(up.iter().map(|step| -step)).collect();
        let both = starts.iter().flat_map(|start| steps.iter().map(move |&step| (start.clone(), step)));
        both.collect()
    }

    /// Returns the smallest distance between the observed values of a counter.
    fn step(&self, counter: &str) -> i64 {
        let values = self.values_of(counter);
        values.iter().zip(values.iter().skip(1)).map(|(a, b)| b - a).min().unwrap_or(1)
    }

    /// Returns the start and step of a counter. They are confirmed by the trips of a loop that has the counter as an
    /// input. Otherwise, they are the least observed value and the smallest observed distance.
    fn confirmed_start(&self, counter: &str, outer: u32) -> Option<(Polynomial, i64)> {
        let trips = self.own(outer).trips;
        let inner: Vec<(u32, Guarded)> = (self.nested[outer as usize].iter().copied())
            .filter(|&index| self.at(index).parent == Some(outer))
            .map(|index| (index, self.own(index).trips))
            .filter(|(_, own)| own.has_name(counter))
            .collect();
        let starts = self.starts(counter, outer);
        let is_right = |(start, step): &&(Polynomial, i64)| {
            inner.iter().any(|(index, own)| {
                let step = Polynomial::integer(i128::from(*step));
                let counting = Counting { name: counter, start: start.clone(), step };
                let sum = own.summed(&trips, &counting, &self.signs);
                sum.is_some_and(|sum| matches!(self.compared(&sum, *index, outer), Compared::Right(_)))
            })
        };
        let least = self.values_of(counter).first().map(|&least| Polynomial::integer(i128::from(least)));
        starts.iter().find(is_right).cloned().or_else(|| Some((least?, self.step(counter))))
    }

    /// Returns the observed values of a counter, in ascending order.
    fn values_of(&self, counter: &str) -> &[i64] {
        self.of_counters.get(counter).map_or(&[], Vec::as_slice)
    }

    /// Returns the position of an inner loop's trips in the observations of an outer loop.
    fn place(&self, index: u32, outer: u32) -> Option<usize> {
        self.nested[outer as usize].binary_search(&index).ok()
    }

    /// Returns the value of a name at an observation of a loop: an input of the loop, or a value that never differs.
    fn value_at(&self, name: &str, outer: u32, o: &LoopObservation) -> Option<i128> {
        if let Some(position) = self.symbols[outer as usize].iter().position(|symbol| symbol == name) {
            return Some(i128::from(o.inputs[position]));
        }
        self.same.get(name).copied().flatten().map(i128::from)
    }

    fn compared_with(
        &self,
        sum: &Guarded,
        index: u32,
        outer: u32,
        is_right: impl Fn(Rational, Rational) -> bool,
    ) -> Compared {
        let Some(place) = self.place(index, outer) else { return Compared::Unknown };
        // Sums of a sample are estimates.
        if self.at(outer).total.sampled.is_some() {
            return Compared::Unknown;
        }
        let mut right = 0;
        for o in spread(&self.at(outer).observations, MOST_COMPARED) {
            let Some(measured) = o.inner_trips.get(place) else { continue };
            let Some(value) = sum.trips(&|name| self.value_at(name, outer, o)) else {
                // A sum is wrong if it has no value where trips were observed, although all its names have one.
                let is_known = |name: &Name| self.value_at(name, outer, o).is_some();
                let is_unknown = sum.any_name(&mut |name| !is_known(name));
                return if is_unknown { Compared::Unknown } else { Compared::Wrong };
            };
            let activations = Rational::integer(i128::from(o.activations));
            let all = value.times(activations);
            if !all.is_some_and(|all| is_right(all, Rational::integer(i128::from(*measured)))) {
                return Compared::Wrong;
            }
            right += 1;
        }
        if right > 0 { Compared::Right(right) } else { Compared::Unknown }
    }

    fn compared(&self, sum: &Guarded, index: u32, outer: u32) -> Compared {
        self.compared_with(sum, index, outer, |sum, measured| sum == measured)
    }

    /// Interpolates the measured sums of an inner loop's trips by a polynomial in the inputs of the outer loop. The
    /// outer loop must have every name that the inner trips depend on, because averages over other names follow no
    /// law.
    fn measured(&self, index: u32, outer: u32) -> Option<(Polynomial, usize)> {
        let (place, one) = (self.place(index, outer)?, self.at(outer));
        if one.total.sampled.is_some() || !self.is_decided_by(index, outer) {
            return None;
        }
        let point = |o: &LoopObservation| {
            let trips = *o.inner_trips.get(place)?;
            let inputs = o.inputs[..one.inputs.len()].to_vec();
            (o.activations == 1).then_some(Point { inputs, trips })
        };
        let points: Vec<Point> = one.observations.iter().map(point).collect::<Option<_>>()?;
        // A body that never ran gives no information.
        if points.iter().all(|point| point.trips == 0) {
            return None;
        }
        let names: Vec<&str> = self.symbols[outer as usize].iter().map(String::as_str).collect();
        let interpolated = interpolate(&names, &points).filter(|interpolated| interpolated.off.is_empty())?;
        Some((interpolated.polynomial, points.len()))
    }

    /// Returns true if all inputs of a loop, and of the loops between it and an outer one, are inputs of the outer
    /// loop or change in its trips, and no loop is skipped or left early.
    fn is_decided_by(&self, index: u32, outer: u32) -> bool {
        self.with_around(index).take_while(|&one| one != outer).all(|one| {
            let inner = self.at(one);
            let is_known = |at: usize| {
                let symbol = &self.symbols[one as usize][at];
                let varies_in = inner.stated.inputs.get(at).and_then(|movement| movement.varies_in);
                inner.inputs[at].value != LoopInputValue::Changing
                    && (self.symbols[outer as usize].contains(symbol)
                        || inner.inputs[at].counter_of.is_some_and(|counter| counter >= outer)
                        || varies_in.is_some_and(|within| within >= outer))
            };
            !inner.is_conditional && !self.is_left_early(one) && (0..inner.inputs.len()).all(is_known)
        })
    }
}

/// Selects at most `most` items, spread evenly, including the first and the last.
fn spread<T>(all: &[T], most: usize) -> impl Iterator<Item = &T> {
    let count = all.len().min(most);
    (0..count).map(move |k| if count == 1 { &all[0] } else { &all[k * (all.len() - 1) / (count - 1)] })
}

/// Returns the counters of an outer loop in a number of trips.
fn counters_in(trips: &Guarded, outer: u32) -> Vec<String> {
    let mut counters = BTreeSet::new();
    trips.any_name(&mut |name| {
        if counter(name).is_some_and(|(_, index)| index == outer) {
            counters.insert(name.to_string());
        }
        false
    });
    counters.into_iter().collect()
}
