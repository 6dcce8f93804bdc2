//! Loops of a program: what bounds each of them in the program's words, and how often it was run through at which values.
//!
//! ```text
//!   for (i = 0; i < n; i++)          loop 0: input n                     observed: n = 3: 1 activation, 3 trips
//!     for (j = 0; j < i; j++)        loop 1: input i, counter of loop 0  observed: i = 0, 1, 2: 1 activation each
//! ```
//!
//! An *activation* is one entry into a loop from outside, a *trip* one completed iteration of its body. A loop that is left
//! before its body completes once has 0 trips.

use serde::{Deserialize, Serialize};

use crate::{Symbol, WorkloadId};

/// The most inputs of a loop that are observed.
pub const MOST_LOOP_INPUTS: usize = 4;

/// From so many activations of a loop on, one of how many is kept by its inputs at the least, the largest number first; of fewer
/// all are.
pub const LOOP_SAMPLING: [(u64, u64); 3] = [(262_144, 1024), (65_536, 128), (8192, 16)];

/// The most loops of a function. Interpreters and generated parsers have hundreds; the analysis of a nest takes the square.
const MOST_LOOPS: usize = 4096;

/// The most loops around one another, itself included. Compilers read nests to a depth of 256; sums over a nest take time
/// with the square of its depth.
const MOST_LOOP_DEPTH: usize = 256;

/// A function with its loops and the calls that it makes, and what was observed of them.
#[derive(Clone, Debug, PartialEq)]
pub struct LoopFunction {
    /// Its names.
    pub symbol: Symbol,
    /// The program or library that it is in; of a probed program the source file.
    pub object: String,
    /// The source file.
    pub file: String,
    /// The line where it begins.
    pub line: u32,
    /// The names of its parameters, in order; an empty name where there is none.
    pub parameters: Vec<String>,
    /// Its loops: outer loops before those that are nested in them, otherwise as they stand in the source.
    pub loops: Vec<ProgramLoop>,
    /// The calls in it, as they stand in the source.
    pub calls: Vec<LoopCall>,
}

/// A natural loop.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ProgramLoop {
    /// The line of its header.
    pub line: u32,
    /// The index in its function of the loop around it.
    pub parent: Option<u32>,
    /// What decides how often it is run through and is defined outside it: at most [`MOST_LOOP_INPUTS`].
    pub inputs: Vec<LoopInput>,
    /// How it can be left.
    pub exits: LoopExits,
    /// Whether what is around it, a trip of its parent or a call of its function, can end without entering it.
    pub is_conditional: bool,
    /// The number of trips where the compiler knows it; such a loop is not watched.
    pub constant_trips: Option<u64>,
    /// By ascending inputs, each once.
    pub observations: Vec<LoopObservation>,
    /// Of all activations.
    pub total: LoopTotal,
}

/// How a loop can be left.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum LoopExits {
    /// By one condition that is evaluated once in every trip.
    #[default]
    Single,
    /// In several ways, such as by `break`: it can end before it reaches its bound.
    Several,
}

/// A value from outside a loop that its exit conditions depend on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoopInput {
    /// In the program's words: `n`, `m.rows`, `v.len()`; where there are none, what it is: `*p at list.c:12`.
    pub name: String,
    /// What it is.
    pub kind: LoopInputKind,
    /// The index in the function of the loop around this one whose counter it is: nests that are triangles have such inputs.
    pub counter_of: Option<u32>,
    /// What is observed of it.
    pub value: LoopInputValue,
    /// Whether the loop ends at it whatever the data are: a counter that every trip changes in one direction is compared with it
    /// in every trip.
    pub is_limit: bool,
}

/// What is observed of an input of a loop.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LoopInputValue {
    /// An integer.
    #[default]
    Integer,
    /// The bits of an `f64`.
    Floating,
    /// Nothing, as it can change from trip to trip: what is read from a list or a string, or what a call returns. The observed
    /// value is 0. A loop that has such an input is decided by data.
    Changing,
}

/// What an input of a loop is. New kinds go to the end: study files hold their positions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LoopInputKind {
    /// A parameter of the function.
    Parameter,
    /// Another variable of the function.
    Variable,
    /// A field of a structure.
    Field,
    /// The length of a collection or a string.
    Length,
    /// What a pointer points to.
    Target,
    /// A global variable.
    Global,
    /// What a call returned.
    Result,
    /// Nothing in the program names it.
    Unnamed,
}

/// Least, greatest and sum of counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LoopSummary {
    /// The least.
    pub least: u64,
    /// The greatest.
    pub greatest: u64,
    /// The sum.
    pub sum: u64,
}

/// All activations of a loop at the same values of its inputs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LoopObservation {
    /// The values before the loop, in the order of its inputs, extended to 64 bits as their types say; 0 behind them.
    pub inputs: [i64; MOST_LOOP_INPUTS],
    /// How many activations.
    pub activations: u64,
    /// Their trips.
    pub trips: LoopSummary,
    /// Their costs in executed basic blocks: with inner loops of the same function, without calls.
    pub cost: LoopSummary,
    /// For every loop that is nested in this one at any depth, in the order of their indices: the sum of its trips in these
    /// activations. Empty where it is not known.
    pub inner_trips: Vec<u64>,
}

/// What is known of all activations of a loop, however many were kept by their inputs.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct LoopTotal {
    /// How many; exact.
    pub activations: u64,
    /// Their trips; exact.
    pub trips: u64,
    /// The activation with the fewest trips; exact.
    pub least: LoopExtreme,
    /// The one with the most; exact.
    pub greatest: LoopExtreme,
    /// The share of activations that was kept by inputs, where it is not all.
    pub sampled: Option<f64>,
}

/// An activation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LoopExtreme {
    /// Its trips.
    pub trips: u64,
    /// Its inputs, as in [`LoopObservation::inputs`].
    pub inputs: [i64; MOST_LOOP_INPUTS],
}

/// A place where a function calls another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoopCall {
    /// The line.
    pub line: u32,
    /// The index in the function of the innermost loop around it.
    pub within: Option<u32>,
    /// Whether what is around it can end without making the call.
    pub is_conditional: bool,
    /// Whom it calls, by the name for the linker.
    pub callee: String,
    /// The arguments in the caller's words, or as numbers where they are constants; none where an argument has no name.
    pub arguments: Vec<Option<String>>,
}

/// The loops of one run.
#[derive(Clone, Debug, PartialEq)]
pub struct RunLoops {
    /// The workload.
    pub workload: WorkloadId,
    /// By object, file, line and name, each once.
    pub functions: Vec<LoopFunction>,
}

/// What tells a function from others: object, file, line and name for the linker.
pub type LoopFunctionKey<'a> = (&'a str, &'a str, u32, &'a str);

impl LoopSummary {
    /// Of one activation.
    pub const fn of(value: u64) -> Self {
        Self { least: value, greatest: value, sum: value }
    }

    /// Of both.
    #[must_use]
    pub fn plus(self, more: Self) -> Self {
        Self {
            least: self.least.min(more.least),
            greatest: self.greatest.max(more.greatest),
            sum: self.sum.saturating_add(more.sum),
        }
    }
}

impl LoopObservation {
    /// Adds the activations of another observation at these values.
    pub fn add(&mut self, more: &Self) {
        self.activations = self.activations.saturating_add(more.activations);
        self.trips = self.trips.plus(more.trips);
        self.cost = self.cost.plus(more.cost);
        if self.inner_trips.len() == more.inner_trips.len() {
            for (sum, inner) in self.inner_trips.iter_mut().zip(&more.inner_trips) {
                *sum = sum.saturating_add(*inner);
            }
        } else {
            self.inner_trips.clear();
        }
    }

    /// Sorts by inputs, and adds up what is of the same.
    ///
    /// - Time: O(observations · log observations).
    pub fn merge(observations: &mut Vec<Self>) {
        observations.sort_by_key(|observation| observation.inputs);
        observations.dedup_by(|next, sum| {
            let is_same = next.inputs == sum.inputs;
            if is_same {
                sum.add(next);
            }
            is_same
        });
    }
}

impl LoopTotal {
    /// Adds other activations of the same loop.
    pub fn add(&mut self, more: &Self) {
        if more.activations == 0 {
            return;
        }
        if self.activations == 0 {
            *self = *more;
            return;
        }
        let kept = |total: &Self| total.sampled.unwrap_or(1.0) * total.activations as f64;
        let all = self.activations.saturating_add(more.activations);
        if self.sampled.is_some() || more.sampled.is_some() {
            self.sampled = Some((kept(self) + kept(more)) / all as f64);
        }
        self.activations = all;
        self.trips = self.trips.saturating_add(more.trips);
        if more.least.trips < self.least.trips {
            self.least = more.least;
        }
        if more.greatest.trips > self.greatest.trips {
            self.greatest = more.greatest;
        }
    }
}

impl ProgramLoop {
    /// Whether another one is this loop of the same build, whatever was observed.
    pub fn is_same(&self, other: &Self) -> bool {
        let fixed = |l: &Self| (l.line, l.parent, l.exits, l.is_conditional, l.constant_trips);
        fixed(self) == fixed(other) && self.inputs == other.inputs
    }
}

impl ProgramLoop {
    /// What contradicts itself, where its function has so many loops and so many of them are nested in this one.
    fn flaw(&self, loops: u32, nested: usize) -> Option<String> {
        if self.inputs.len() > MOST_LOOP_INPUTS {
            return Some(format!("has a loop with {} inputs", self.inputs.len()));
        }
        let is_bad = |input: &&LoopInput| input.counter_of.is_some_and(|counter| counter >= loops);
        if let Some(input) = self.inputs.iter().find(is_bad) {
            return Some(format!("has an input `{}` that is the counter of no loop", input.name));
        }
        if let Some(share) = self.total.sampled.filter(|share| !(0.0..=1.0).contains(share)) {
            return Some(format!("has a share of {share} of the activations"));
        }
        let lengths = self.observations.iter().map(|o| o.inner_trips.len());
        if let Some(length) = lengths.into_iter().find(|&length| length != 0 && length != nested) {
            return Some(format!("has trips of {length} inner loops of {nested}"));
        }
        let is_in_order = self.observations.is_sorted_by(|a, b| a.inputs < b.inputs);
        (!is_in_order).then(|| "has observations that are not in order".to_owned())
    }
}

impl LoopFunction {
    /// What tells it from others.
    pub fn key(&self) -> LoopFunctionKey<'_> {
        (&self.object, &self.file, self.line, &self.symbol.linkage)
    }

    /// Indices of the loops that are nested in one at any depth, in order.
    pub fn nested_in(&self, outer: u32) -> impl Iterator<Item = u32> + '_ {
        let is_nested = move |&inner: &u32| {
            let parent = |one: &u32| self.loops[*one as usize].parent;
            std::iter::successors(parent(&inner), parent).any(|around| around == outer)
        };
        (0..self.loops.len() as u32).filter(is_nested)
    }

    /// What contradicts itself; completes "a record ...".
    pub fn flaw(&self) -> Option<String> {
        if self.loops.len() > MOST_LOOPS {
            return Some(format!("has {} loops in one function, more than {MOST_LOOPS}", self.loops.len()));
        }
        let count = self.loops.len() as u32;
        let mut depths = Vec::with_capacity(self.loops.len());
        for (index, one) in self.loops.iter().enumerate() {
            if let Some(parent) = one.parent.filter(|&parent| parent as usize >= index) {
                return Some(format!(
                    "has a loop at line {} in loop {parent}, which is not before it",
                    one.line
                ));
            }
            // Those around it are sound by now.
            let depth = one.parent.map_or(1, |parent| depths[parent as usize] + 1);
            if depth > MOST_LOOP_DEPTH {
                return Some(format!("has a loop at line {} in more than {} others", one.line, depth - 2));
            }
            depths.push(depth);
            let parent = |&of: &u32| self.loops[of as usize].parent;
            let is_around = |outer| std::iter::successors(one.parent, parent).any(|one| one == outer);
            let is_bad = |input: &&LoopInput| input.counter_of.is_some_and(|of| of < count && !is_around(of));
            if let Some(input) = one.inputs.iter().find(is_bad) {
                return Some(format!(
                    "has an input `{}` that is the counter of a loop that is not around it",
                    input.name
                ));
            }
        }
        if let Some(call) = self.calls.iter().find(|call| call.within.is_some_and(|within| within >= count)) {
            let within = call.within.unwrap_or_default();
            return Some(format!("has a call at line {} in loop {within}, which there is not", call.line));
        }
        let nested = self.loops_nested();
        self.loops.iter().zip(nested).find_map(|(one, nested)| one.flaw(count, nested))
    }

    /// How many loops are nested in each one, at any depth.
    pub fn loops_nested(&self) -> Vec<usize> {
        let mut nested = vec![0; self.loops.len()];
        // Loops stand behind those around them.
        for index in (0..self.loops.len()).rev() {
            if let Some(parent) = self.loops[index].parent {
                nested[parent as usize] += nested[index] + 1;
            }
        }
        nested
    }

    /// Whether another one is this function of the same build, whatever was observed.
    pub fn is_same(&self, other: &Self) -> bool {
        self.key() == other.key()
            && self.parameters == other.parameters
            && self.loops.len() == other.loops.len()
            && self.loops.iter().zip(&other.loops).all(|(a, b)| a.is_same(b))
            && self.calls == other.calls
    }

    /// Adds what was observed in another run of the same build; gives it back where it is not of the same.
    ///
    /// # Errors
    /// The other function is not [the same](Self::is_same).
    pub fn add(&mut self, other: Self) -> Result<(), Box<Self>> {
        if !self.is_same(&other) {
            return Err(Box::new(other));
        }
        for (sum, mut more) in self.loops.iter_mut().zip(other.loops) {
            sum.observations.append(&mut more.observations);
            LoopObservation::merge(&mut sum.observations);
            sum.total.add(&more.total);
        }
        Ok(())
    }

    /// Functions in order, each once: what several of them say is added up, as that of the processes of a run is. Gives the
    /// names of those that are not alike in all; of these the last one counts.
    ///
    /// - Time: O(observations · log observations).
    pub fn added_up(mut functions: Vec<Self>) -> (Vec<Self>, Vec<String>) {
        functions.sort_by(|a, b| a.key().cmp(&b.key()));
        let mut sums: Vec<Self> = Vec::with_capacity(functions.len());
        let mut unlike: Vec<String> = Vec::new();
        for function in functions {
            match sums.last_mut().filter(|last| last.key() == function.key()) {
                None => sums.push(function),
                Some(last) => {
                    if let Err(newer) = last.add(function) {
                        unlike.push(newer.symbol.name.clone());
                        *last = *newer;
                    }
                }
            }
        }
        unlike.dedup();
        for one in sums.iter_mut().flat_map(|function| &mut function.loops) {
            LoopObservation::merge(&mut one.observations);
        }
        (sums, unlike)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn observed(n: i64, trips: u64) -> LoopObservation {
        LoopObservation {
            inputs: [n, 0, 0, 0],
            activations: 1,
            trips: LoopSummary::of(trips),
            cost: LoopSummary::of(3 * trips + 1),
            inner_trips: Vec::new(),
        }
    }

    fn function(line: u32, observations: &[(i64, u64)]) -> LoopFunction {
        let observations: Vec<_> = observations.iter().map(|&(n, trips)| observed(n, trips)).collect();
        let mut total = LoopTotal::default();
        for one in &observations {
            let extreme = LoopExtreme { trips: one.trips.sum, inputs: one.inputs };
            let (activations, trips) = (one.activations, one.trips.sum);
            total.add(&LoopTotal { activations, trips, least: extreme, greatest: extreme, sampled: None });
        }
        LoopFunction {
            symbol: Symbol { name: "f".to_owned(), linkage: "f".to_owned() },
            object: "a.c".to_owned(),
            file: "a.c".to_owned(),
            line: 1,
            parameters: vec!["n".to_owned()],
            loops: vec![ProgramLoop { line, observations, total, ..ProgramLoop::default() }],
            calls: Vec::new(),
        }
    }

    #[test]
    fn runs_add_up_by_the_values_of_inputs() {
        let (sums, unlike) =
            LoopFunction::added_up(vec![function(2, &[(3, 3), (9, 9)]), function(2, &[(3, 2), (5, 5)])]);
        assert_eq!(unlike, Vec::<String>::new());
        let one = &sums[0].loops[0];
        let points: Vec<_> =
            one.observations.iter().map(|o| (o.inputs[0], o.activations, o.trips.sum)).collect();
        assert_eq!(points, [(3, 2, 5), (5, 1, 5), (9, 1, 9)]);
        assert_eq!(one.observations[0].trips, LoopSummary { least: 2, greatest: 3, sum: 5 });
        assert_eq!((one.total.activations, one.total.trips), (4, 19));
        assert_eq!((one.total.least.trips, one.total.greatest.inputs[0]), (2, 9));
    }

    #[test]
    fn loops_of_another_build_replace_those_that_were_there() {
        let (sums, unlike) = LoopFunction::added_up(vec![function(2, &[(3, 3)]), function(4, &[(5, 5)])]);
        assert_eq!(unlike, ["f"]);
        assert_eq!(sums, [function(4, &[(5, 5)])]);
    }

    #[test]
    fn a_sampled_share_is_that_of_all_activations() {
        let total = |activations, sampled| LoopTotal { activations, sampled, ..LoopTotal::default() };
        let mut sum = total(100, None);
        sum.add(&total(300, Some(0.5)));
        assert_eq!(sum.sampled, Some(0.625));
        sum.add(&total(0, Some(0.0)));
        assert_eq!((sum.activations, sum.sampled), (400, Some(0.625)));
    }
}
