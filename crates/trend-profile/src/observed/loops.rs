//! Loops of a program: their bounds in terms of program variables, and their observed trip counts for the values of
//! these.
//!
//! ```text
//!   for (i = 0; i < n; i++)          loop 0: input n                     observed: n = 3: 1 activation, 3 trips
//!     for (j = 0; j < i; j++)        loop 1: input i, counter of loop 0  observed: i = 0, 1, 2: 1 activation each
//! ```
//!
//! An *activation* is one entry into a loop from outside, a *trip* one completed iteration of its body. A loop that is
//! left before its body completes once has 0 trips.

use serde::{Deserialize, Serialize};

use crate::program::location::Symbol;
use crate::program::loops_stated::{LoopMovement, LoopStatement};
use crate::runs::workload::WorkloadId;

/// Maximum number of observed inputs of a loop.
pub const MOST_LOOP_INPUTS: usize = 4;

/// Sampling of activations, as pairs of a number of activations and a sampling interval, largest first. From that many
/// activations on, the inputs of at least one in this many are kept. Below the smallest number, all are kept.
pub const LOOP_SAMPLING: [(u64, u64); 3] = [(262_144, 1024), (65_536, 128), (8192, 16)];

/// Maximum number of loops in a function. Interpreters and generated parsers have hundreds; analysing a nest takes
/// quadratic time.
const MOST_LOOPS: usize = 4096;

/// Maximum nesting depth of loops, including the loop itself. Compilers accept nests up to a depth of 256; sums over a
/// nest take time quadratic in its depth.
const MOST_LOOP_DEPTH: usize = 256;

/// A function with its loops, its calls, and the observations of its loops.
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[derive(Clone, Debug, PartialEq)]
pub struct LoopFunction {
    /// Names of the function.
    pub symbol: Symbol,
    /// Program or library that contains it; for a probed program, the source file.
    pub object: String,
    /// Source file of the function.
    pub file: String,
    /// First line of the function.
    pub line: u32,
    /// Names of its parameters, in order; empty for unnamed ones.
    pub parameters: Vec<String>,
    /// Loops: outer ones before the ones nested in them, otherwise in source order.
    pub loops: Vec<ProgramLoop>,
    /// Calls in the function, in source order.
    pub calls: Vec<LoopCall>,
}

/// A loop of a function.
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ProgramLoop {
    /// Line of the loop's header.
    pub line: u32,
    /// Index in the function of the enclosing loop.
    pub parent: Option<u32>,
    /// Values defined outside the loop that decide its number of trips, at most [`MOST_LOOP_INPUTS`].
    pub inputs: Vec<LoopInput>,
    /// Exits of the loop.
    pub exits: LoopExits,
    /// True if its surroundings, a trip of its parent or a call of its function, can end without entering it.
    pub is_conditional: bool,
    /// Number of trips if the compiler knows it; such a loop is not instrumented.
    pub constant_trips: Option<u64>,
    /// True if nothing counts its activations and trips, for example because the code enters it at several places.
    pub is_uncounted: bool,
    /// The code's own statement about the trips.
    pub stated: LoopStatement,
    /// Observations by ascending inputs, each once.
    pub observations: Vec<LoopObservation>,
    /// Totals over all activations.
    pub total: LoopTotal,
}

/// Exits of a loop.
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum LoopExits {
    /// One condition, evaluated once in every trip.
    #[default]
    Single,
    /// Several exits, such as `break`: the loop can end before it reaches its bound.
    Several,
}

/// A value from outside a loop that its exit conditions depend on.
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoopInput {
    /// Name in the program's terms: `n`, `m.rows`, `v.len()`. If there is none, a description: `*p at list.c:12`.
    pub name: String,
    /// Kind of the input.
    pub kind: LoopInputKind,
    /// Index in the function of the enclosing loop whose counter it is; triangular nests have such inputs.
    pub counter_of: Option<u32>,
    /// Kind of its observed value.
    pub value: LoopInputValue,
    /// True if the loop ends at this value whatever the data. Every trip changes a counter in one direction and
    /// compares it with the value.
    pub is_limit: bool,
}

/// Observed value of an input of a loop.
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LoopInputValue {
    /// Integer, extended to 64 bits.
    #[default]
    Integer,
    /// Bits of an `f64`.
    Floating,
    /// No value, because it can change from trip to trip: it is read from a list or a string, or returned by a call.
    /// The observed value is 0. The data decide the trips of a loop with such an input.
    Changing,
}

/// Kind of an input of a loop. New kinds go to the end: study files store their positions.
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LoopInputKind {
    /// Parameter of the function.
    Parameter,
    /// Another variable of the function.
    Variable,
    /// Field of a structure.
    Field,
    /// Length of a collection or a string.
    Length,
    /// Target of a pointer.
    Target,
    /// Global variable of the program.
    Global,
    /// Result of a call.
    Result,
    /// Value without a name in the program.
    Unnamed,
}

/// Least, greatest and sum of counts.
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LoopSummary {
    /// Smallest of the counts.
    pub least: u64,
    /// Largest of the counts.
    pub greatest: u64,
    /// Sum of the counts.
    pub sum: u64,
}

/// All activations of a loop with equal values of its inputs.
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LoopObservation {
    /// Values before the loop, in the order of its inputs, extended to 64 bits according to their types. Unused entries
    /// are 0.
    pub inputs: [i64; MOST_LOOP_INPUTS],
    /// Number of activations with these values.
    pub activations: u64,
    /// Trips of these activations.
    pub trips: LoopSummary,
    /// Costs in executed basic blocks, with inner loops of the same function and without calls.
    pub cost: LoopSummary,
    /// Total trips of each nested loop in these activations, for loops at any depth in the order of their indices.
    /// Empty if unknown.
    pub inner_trips: Vec<u64>,
}

/// Totals over all activations of a loop, including those whose inputs were not kept.
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct LoopTotal {
    /// Number of activations; exact.
    pub activations: u64,
    /// Number of trips; exact.
    pub trips: u64,
    /// Activation with the fewest trips; exact.
    pub least: LoopExtreme,
    /// Activation with the most trips; exact.
    pub greatest: LoopExtreme,
    /// Share of activations whose inputs were kept; `None` if all were.
    pub sampled: Option<f64>,
}

/// One activation and its trips.
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LoopExtreme {
    /// Number of its trips.
    pub trips: u64,
    /// Values of its inputs, as in [`LoopObservation::inputs`].
    pub inputs: [i64; MOST_LOOP_INPUTS],
}

/// A call site in a function.
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoopCall {
    /// Line of the call.
    pub line: u32,
    /// Index in the function of the innermost loop around the call.
    pub within: Option<u32>,
    /// True if its surroundings can end without making the call.
    pub is_conditional: bool,
    /// Linkage name of the callee; `None` for a call through a pointer.
    pub callee: Option<String>,
    /// Arguments in the caller's terms, or as numbers if they are constants; `None` for an argument without a name.
    pub arguments: Vec<Option<String>>,
}

/// The loops of one run.
#[derive(Clone, Debug, PartialEq)]
pub struct RunLoops {
    /// Workload of the run.
    pub workload: WorkloadId,
    /// Functions by object, file, line and name, each once.
    pub functions: Vec<LoopFunction>,
}

/// Identity of a function: object, file, line and linkage name.
pub type LoopFunctionKey<'a> = (&'a str, &'a str, u32, &'a str);

impl LoopSummary {
    /// Summarises the value of one activation.
    pub const fn new(value: u64) -> Self {
        Self { least: value, greatest: value, sum: value }
    }

    /// Combines two summaries into one.
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
    /// Adds the activations of another observation with the same inputs.
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

    /// Sorts by inputs, and merges observations with equal inputs.
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
    /// Returns true if `other` is this loop of the same build; observations are ignored.
    pub fn is_same(&self, other: &Self) -> bool {
        let fixed = |l: &Self| (l.line, l.parent, l.exits, l.is_conditional, l.constant_trips);
        fixed(self) == fixed(other) && self.inputs == other.inputs && self.stated == other.stated
    }
}

impl ProgramLoop {
    /// Returns a description of the first contradiction. The loop's function has `loops` loops, and `nested` of them
    /// are nested in this one.
    fn flaw(&self, loops: u32, nested: usize) -> Option<String> {
        if self.inputs.len() > MOST_LOOP_INPUTS {
            return Some(format!("has a loop with {} inputs", self.inputs.len()));
        }
        let is_bad = |input: &&LoopInput| input.counter_of.is_some_and(|counter| counter >= loops);
        if let Some(input) = self.inputs.iter().find(is_bad) {
            return Some(format!("has an input `{}` that counts a loop which does not exist", input.name));
        }
        if let Some(flaw) = self.flaw_of_statement(loops) {
            return Some(flaw);
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

    /// Returns a description of the first contradiction in the code's statement. The counters' own expressions are
    /// checked with their loops.
    fn flaw_of_statement(&self, loops: u32) -> Option<String> {
        let LoopStatement { trips, inputs, .. } = &self.stated;
        if !trips.is_valid(self.inputs.len()) {
            return Some("has a loop whose stated trips are not an expression".to_owned());
        }
        let is_other = !inputs.is_empty() && inputs.len() != self.inputs.len();
        let is_bad = |movement: &LoopMovement| movement.varies_in.is_some_and(|outer| outer >= loops);
        (is_other || inputs.iter().any(is_bad))
            .then(|| "has a loop whose inputs move in unknown ways".to_owned())
    }
}

impl LoopFunction {
    /// Returns the function's identity.
    pub fn key(&self) -> LoopFunctionKey<'_> {
        (&self.object, &self.file, self.line, &self.symbol.linkage)
    }

    /// Returns the loops around a loop, the nearest first.
    pub fn around(&self, index: u32) -> impl Iterator<Item = u32> + '_ {
        let parent = |&one: &u32| self.loops[one as usize].parent;
        std::iter::successors(parent(&index), parent)
    }

    /// Returns the indices of the loops nested in each loop at any depth, in order.
    ///
    /// - Time and memory: O(loops · depth).
    pub fn nested(&self) -> Vec<Vec<u32>> {
        let mut nested = vec![Vec::new(); self.loops.len()];
        for index in 0..self.loops.len() as u32 {
            self.around(index).for_each(|outer| nested[outer as usize].push(index));
        }
        nested
    }

    /// Returns a description of the first contradiction, which completes "a record ...".
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
            // The enclosing loops have been checked already.
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
            return Some(format!("has a call at line {} in loop {within}, which does not exist", call.line));
        }
        let nested = self.loops_nested();
        let flaw = self.loops.iter().zip(nested).find_map(|(one, nested)| one.flaw(count, nested));
        flaw.or_else(|| self.flaw_of_counters())
    }

    /// Returns a description of the first counter whose start or step is not an expression in the inputs of its loop.
    fn flaw_of_counters(&self) -> Option<String> {
        let is_bad = |(input, movement): (&LoopInput, &LoopMovement)| {
            let of = input.counter_of.and_then(|of| self.loops.get(of as usize));
            let inputs = of.map_or(0, |of| of.inputs.len());
            !movement.start.is_valid(inputs) || !movement.step.is_valid(inputs)
        };
        let one = self.loops.iter().find(|one| one.inputs.iter().zip(&one.stated.inputs).any(is_bad))?;
        Some(format!("has a loop at line {} with a counter whose movement is not an expression", one.line))
    }

    /// Returns the number of loops nested in each loop, at any depth.
    pub fn loops_nested(&self) -> Vec<usize> {
        let mut nested = vec![0; self.loops.len()];
        // Loops come after those around them.
        for index in (0..self.loops.len()).rev() {
            if let Some(parent) = self.loops[index].parent {
                nested[parent as usize] += nested[index] + 1;
            }
        }
        nested
    }

    /// Returns true if `other` is this function of the same build; observations are ignored.
    pub fn is_same(&self, other: &Self) -> bool {
        self.key() == other.key()
            && self.parameters == other.parameters
            && self.loops.len() == other.loops.len()
            && self.loops.iter().zip(&other.loops).all(|(a, b)| a.is_same(b))
            && self.calls == other.calls
    }

    /// Adds the observations of another run of the same build. Returns false if the function is not
    /// [the same](Self::is_same).
    fn add(&mut self, other: &Self) -> bool {
        if !self.is_same(other) {
            return false;
        }
        for (sum, more) in self.loops.iter_mut().zip(&other.loops) {
            sum.observations.extend_from_slice(&more.observations);
            LoopObservation::merge(&mut sum.observations);
            sum.total.add(&more.total);
        }
        true
    }

    /// Sorts functions and merges equal ones, such as those of several runs. If functions with the same key differ, the
    /// last one is kept. Returns the names of such functions.
    ///
    /// Each run repeats the loops and calls of its functions, so only one copy of each function is made.
    ///
    /// - Time: O(observations · log observations).
    pub fn added_up<'a>(functions: impl IntoIterator<Item = &'a Self>) -> (Vec<Self>, Vec<String>) {
        let mut functions: Vec<&Self> = functions.into_iter().collect();
        functions.sort_by_key(|function| function.key());
        let mut sums: Vec<Self> = Vec::new();
        let mut unlike: Vec<String> = Vec::new();
        for function in functions {
            match sums.last_mut().filter(|last| last.key() == function.key()) {
                None => sums.push(function.clone()),
                Some(last) => {
                    if !last.add(function) {
                        unlike.push(function.symbol.name.clone());
                        last.clone_from(function);
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
            trips: LoopSummary::new(trips),
            cost: LoopSummary::new(3 * trips + 1),
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
            LoopFunction::added_up(&[function(2, &[(3, 3), (9, 9)]), function(2, &[(3, 2), (5, 5)])]);
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
        let (sums, unlike) = LoopFunction::added_up(&[function(2, &[(3, 3)]), function(4, &[(5, 5)])]);
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
