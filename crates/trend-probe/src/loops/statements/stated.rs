//! States the trips of counted loops from the code alone, and how their inputs move in the loops around.
//!
//! ```text
//!   for (i = lo; i <= hi; i += 2)      i is lo + 2·k in trip k, so i <= hi holds in ⌈(hi + 1 − lo)/2⌉ trips
//!   for (i = lo; i < hi; i *= 2)       i is lo·2ᵏ in trip k, so i < hi holds in ⌈log₂(hi/lo)⌉ trips
//! ```
//!
//! If a loop has several exits, its trips are the minimum over all exits. If no expression describes an exit, the
//! stated trips are an upper bound. Counters are assumed not to wrap around, except one that goes down from below its
//! end: `for (i = n - 1; i < n; i--)`.

use inkwell::llvm_sys::LLVMIntPredicate as Predicate;
use trend_runtime::loop_record::MOST_INPUTS;

use super::geometric::{Geometric, Scale, power_of_two};
use super::linear::{Linear, Step, scaled, sum, trips_until_end};
use super::terms::{Operator, Terms};
use crate::flow::loops::around;
use crate::ir::extremes::Extreme;
use crate::ir::instruction::stripped;
use crate::ir::predicates::{opposite, turned};
use crate::ir::value::{Opcode, Value};
use crate::loops::inputs::input::{Input, InputSource};
use crate::loops::inputs::slicer::Slicer;

/// Maximum depth of the expressions that are followed.
const DEEPEST: usize = 16;

/// Minimum number of bits of counters that are assumed not to wrap around.
const WIDE: u32 = 32;

/// Statement of the code about a loop.
#[derive(Clone, Debug, Default)]
pub(crate) struct Statement {
    /// Trips of an activation, if the code states them.
    pub(crate) trips: Option<Terms>,
    /// True if the loop can be left earlier.
    pub(crate) is_bound: bool,
    /// Movement of each input.
    pub(crate) movements: Vec<Movement>,
}

/// Movement of an input in the loops around its loop.
#[derive(Clone, Debug, Default)]
pub(crate) struct Movement {
    /// Innermost loop around in whose trips the value may change.
    pub(crate) varies_in: Option<usize>,
    /// First value and growth per trip of a counter, in the inputs of its own loop.
    pub(crate) counting: Option<[Terms; 2]>,
}

/// Expressions in the inputs of one loop.
struct Inside<'a, 'b, 'c> {
    all: &'a Slicer<'a, 'b>,
    of: usize,
    inputs: &'c [Input],
}

impl Slicer<'_, '_> {
    /// Returns the statement about a loop, from the inputs of all loops.
    pub(crate) fn statement(&self, of: usize, inputs: &[Vec<Input>]) -> Statement {
        let inside = |of: usize| Inside { all: self, of, inputs: kept(&inputs[of]) };
        let (trips, is_bound) = inside(of).trips();
        let movements = kept(&inputs[of]).iter().map(|input| {
            let value = match input.source {
                InputSource::Before(value) => Some(value),
                _ => None,
            };
            let counting = input.counter_of.zip(value).and_then(|(of, counter)| {
                let Linear { start, step } = inside(of).linear(counter, DEEPEST)?;
                Some([start, step.terms()])
            });
            Movement { varies_in: self.varies_in(input, of), counting }
        });
        Statement { trips, is_bound, movements: movements.collect() }
    }

    /// Returns the innermost loop around a loop in whose trips an input may change.
    fn varies_in(&self, input: &Input, of: usize) -> Option<usize> {
        let values = match input.source {
            InputSource::Before(value)
            | InputSource::IsThere(value)
            | InputSource::Inside(value)
            | InputSource::Count(value, _) => vec![value],
            InputSource::Steps(first, last, _) => vec![first, last],
            InputSource::Changes => return self.loops[of].parent,
        };
        let is_written = |outer: usize| match input.source {
            InputSource::Count(first, distance) => self.is_count_written(first, distance, outer),
            _ => false,
        };
        around(self.loops, of).find(|outer| {
            is_written(*outer) || values.iter().any(|value| self.may_vary(*value, *outer, DEEPEST))
        })
    }

    /// Returns true if a value may change from trip to trip of a loop.
    fn may_vary(&self, value: Value, of: usize, depth: usize) -> bool {
        if !self.is_inside(value, of) {
            return false;
        }
        let Some(deeper) = depth.checked_sub(1) else { return true };
        match value.opcode() {
            Some(Opcode::LLVMPHI | Opcode::LLVMCall | Opcode::LLVMInvoke | Opcode::LLVMAlloca) | None => true,
            Some(Opcode::LLVMLoad) => {
                self.may_vary(value.operand(0), of, deeper)
                    || !self.overwriting(value, of).is_empty()
                    || self.is_written_by_calls(value, of)
            }
            _ => value.operands().into_iter().any(|operand| self.may_vary(operand, of, deeper)),
        }
    }
}

/// Returns the inputs of a loop that are recorded.
fn kept(inputs: &[Input]) -> &[Input] {
    &inputs[..inputs.len().min(MOST_INPUTS)]
}

impl Inside<'_, '_, '_> {
    /// Returns the trips that the exits allow, and true if there is an exit that no expression describes.
    fn trips(&self) -> (Option<Terms>, bool) {
        let mut exiting: Vec<usize> = self.all.normal_exits(self.of).map(|(from, _)| from).collect();
        exiting.sort_unstable();
        exiting.dedup();
        let ends: Vec<Option<Terms>> = exiting.into_iter().flat_map(|from| self.trips_to(from)).collect();
        let is_bound = ends.contains(&None);
        let least = ends.into_iter().flatten().reduce(|a, b| a.then(&b, Operator::Lesser));
        (least.filter(Terms::is_short), is_bound)
    }

    /// Returns the trips up to the exits of a block, one for each condition that ends the loop.
    fn trips_to(&self, from: usize) -> Vec<Option<Terms>> {
        let (graph, one) = (self.all.graph, &self.all.loops[self.of]);
        let is_always = one.always_passes(graph, from);
        let condition = graph.blocks[from].terminator().condition().filter(|_| is_always);
        let first = graph.numbers_of_successor(from, 0);
        let (Some(condition), Some(first)) = (condition, first) else { return vec![None] };
        let stays = one.blocks.contains(&first);
        let is_late = one.latches.contains(&from);
        let trips = |trips: Terms| {
            // If the exit is after the body, the body is executed once more.
            let late =
                || Terms::number(1).then(&trips.then(&Terms::number(1), Operator::Plus), Operator::Greater);
            if is_late { late() } else { trips }
        };
        self.while_holds(condition, stays, DEEPEST).into_iter().map(|one| one.map(trips)).collect()
    }

    /// Returns the number of first trips in which a condition is true, or false. If it consists of several that must
    /// all hold, returns the numbers for each.
    fn while_holds(&self, condition: Value, is_true: bool, depth: usize) -> Vec<Option<Terms>> {
        let Some(deeper) = depth.checked_sub(1) else { return vec![None] };
        let both =
            |a, b| [self.while_holds(a, is_true, deeper), self.while_holds(b, is_true, deeper)].concat();
        let is_bit = condition.ty().is_any_integer() && condition.ty().bits() == 1;
        match condition.opcode() {
            Some(Opcode::LLVMICmp) => vec![self.while_compared(condition, is_true)],
            Some(Opcode::LLVMAnd) if is_true && is_bit => both(condition.operand(0), condition.operand(1)),
            Some(Opcode::LLVMOr) if !is_true && is_bit => both(condition.operand(0), condition.operand(1)),
            Some(Opcode::LLVMXor) if is_bit && condition.operand(1).is_constant() => {
                self.while_holds(condition.operand(0), !is_true, deeper)
            }
            Some(Opcode::LLVMSelect) if is_bit => {
                let [a, b, c] = [0, 1, 2].map(|index| condition.operand(index));
                match (is_true, b.constant(), c.constant()) {
                    (true, _, Some(0)) => both(a, b),
                    (false, Some(1), _) => both(a, c),
                    _ => vec![None],
                }
            }
            _ => vec![None],
        }
    }

    /// Returns the number of first trips in which a comparison is true, or false.
    fn while_compared(&self, compare: Value, is_true: bool) -> Option<Terms> {
        let predicate = if is_true { compare.predicate() } else { opposite(compare.predicate()) };
        let [a, b] = [compare.operand(0), compare.operand(1)];
        if a.ty().is_pointer() {
            return self
                .while_at_nodes(compare, predicate)
                .or_else(|| self.while_pointing(a, b, predicate))
                .or_else(|| self.while_pointing(b, a, turned(predicate)));
        }
        let of_geometric = || {
            let until = |value, end, predicate| {
                self.geometric(value, DEEPEST)?.trips_until(&self.fixed(end, DEEPEST)?, predicate)
            };
            until(a, b, predicate).or_else(|| until(b, a, turned(predicate)))
        };
        self.while_linear(a, b, predicate).or_else(of_geometric)
    }

    /// Returns the number of first trips in which a comparison holds, if both values grow by equal steps.
    fn while_linear(&self, a: Value, b: Value, predicate: Predicate) -> Option<Terms> {
        if a.ty().bits() < WIDE && [a, b].iter().all(|one| one.signed().is_none()) {
            return None;
        }
        let (x, y) = (self.linear(a, DEEPEST)?, self.linear(b, DEEPEST)?);
        match (&x.step, &y.step) {
            (Step::Number(0), Step::Number(0)) => None,
            (_, Step::Number(0)) => {
                let is_below = || self.is_below(a, b);
                trips_until_end(&x, &y.start, predicate, is_below)
            }
            (Step::Number(0), _) => trips_until_end(&y, &x.start, turned(predicate), || self.is_below(b, a)),
            (Step::Number(by), Step::Number(from)) => {
                let step = Step::Number(by.checked_sub(*from)?);
                let distance = Linear { start: x.start.then(&y.start, Operator::Minus), step };
                trips_until_end(&distance, &Terms::number(0), predicate, || false)
            }
            _ => None,
        }
    }

    /// Returns true if the first value of a counter is an end minus a positive constant.
    fn is_below(&self, counter: Value, end: Value) -> bool {
        let first = (self.all.header_of(counter) == Some(self.of))
            .then(|| self.all.first_and_next(counter, self.of).0)
            .flatten();
        first.is_some_and(|first| {
            if let (Some(first), Some(end)) = (first.signed(), end.signed()) {
                return 0 <= first && first < end;
            }
            let is_less = |by: i64| match first.opcode() {
                Some(Opcode::LLVMAdd) => by < 0,
                Some(Opcode::LLVMSub) => by > 0,
                _ => false,
            };
            first.shifted() == Some(end) && first.operand(1).signed().is_some_and(is_less)
        })
    }

    /// Returns the number of first trips in which a pointer to the nodes of a container is not at the end.
    fn while_at_nodes(&self, compare: Value, predicate: Predicate) -> Option<Terms> {
        let first = self.all.first_node(compare, self.of).filter(|_| predicate == Predicate::LLVMIntNE)?;
        let is_it = |input: &Input| matches!(input.source, InputSource::Count(of, _) if of == first);
        self.inputs.iter().position(is_it).map(Terms::input)
    }

    /// Returns the number of first trips in which a comparison of a pointer with an end holds.
    fn while_pointing(&self, pointer: Value, end: Value, predicate: Predicate) -> Option<Terms> {
        let (all, at) = (self.all, pointer.offset(self.all.module));
        if all.header_of(at.base) != Some(self.of) || !at.indices.is_empty() || all.is_inside(end, self.of) {
            return None;
        }
        let (first, step) = (all.first_and_next(at.base, self.of).0?, all.step(at.base, self.of, None)?);
        let (start, amount) = match self.distance(first, end) {
            Some(bytes) => (bytes, step),
            None => self.recorded_steps(first, end, step)?,
        };
        // A pointer moves from minus the distance to 0.
        let ahead = Terms::number(at.bytes / (step / amount));
        let start = Terms::number(0).then(&start, Operator::Minus).then(&ahead, Operator::Plus);
        trips_until_end(&Linear { start, step: Step::Number(amount) }, &Terms::number(0), predicate, || false)
    }

    /// Returns the distance of two pointers in bytes.
    fn distance(&self, first: Value, end: Value) -> Option<Terms> {
        let [from, to] = [first, end].map(|pointer| pointer.offset(self.all.module));
        if from.base != to.base && !self.all.is_kept_pointer(from.base, to.base, self.of) {
            return None;
        }
        let mut sum = Terms::number(to.bytes.checked_sub(from.bytes)?);
        for (indices, sign) in [(&to.indices, Operator::Plus), (&from.indices, Operator::Minus)] {
            for (index, size) in indices {
                let bytes = self.fixed(*index, DEEPEST)?.then(&Terms::number(*size as i64), Operator::Times);
                sum = sum.then(&bytes, sign);
            }
        }
        Some(sum)
    }

    /// Returns an input that is the distance of two pointers in elements, and the step in elements.
    fn recorded_steps(&self, first: Value, end: Value, step: i64) -> Option<(Terms, i64)> {
        self.inputs.iter().enumerate().find_map(|(index, input)| match input.source {
            InputSource::Steps(from, to, size)
                if (from, to) == (first, end) && size != 0 && step % size == 0 =>
            {
                // A distance is recorded as a number of steps, in either direction.
                let elements = step / size;
                (elements > 0).then(|| (Terms::input(index), elements))
            }
            _ => None,
        })
    }

    /// Returns a value that grows by the same amount in every trip.
    fn linear(&self, value: Value, depth: usize) -> Option<Linear> {
        if let Some(start) = self.fixed(value, depth) {
            return Some(Linear { start, step: Step::Number(0) });
        }
        let deeper = depth.checked_sub(1)?;
        let operand = |index| self.linear(value.operand(index), deeper);
        match value.opcode()? {
            Opcode::LLVMPHI if self.all.header_of(value) == Some(self.of) => {
                let first = self.all.first_and_next(value, self.of).0?;
                Some(Linear { start: self.fixed(first, deeper)?, step: self.step(value)? })
            }
            Opcode::LLVMAdd => sum(operand(0)?, operand(1)?, Operator::Plus),
            Opcode::LLVMSub => sum(operand(0)?, operand(1)?, Operator::Minus),
            Opcode::LLVMMul => scaled(&operand(0)?, value.operand(1).signed()?),
            Opcode::LLVMShl => scaled(&operand(0)?, power_of_two(value.operand(1))?),
            Opcode::LLVMZExt | Opcode::LLVMSExt => {
                let inner = operand(0)?;
                let is_narrow = value.operand(0).ty().bits() < WIDE;
                (!is_narrow || matches!(inner.step, Step::Number(-1..=1))).then_some(inner)
            }
            Opcode::LLVMTrunc if value.ty().bits() >= WIDE => operand(0),
            Opcode::LLVMFreeze => operand(0),
            _ => None,
        }
    }

    /// Returns a value that is multiplied or divided by the same number in every trip.
    fn geometric(&self, value: Value, depth: usize) -> Option<Geometric> {
        let (deeper, compared, value) = (depth.checked_sub(1)?, value, stripped(value));
        let of_phi = |phi: Value, is_next: bool| {
            if self.all.header_of(phi) != Some(self.of) {
                return None;
            }
            let (Some(first), next) = self.all.first_and_next(phi, self.of) else { return None };
            let [next] = next[..] else { return None };
            let next = next.passed();
            let (scaled, scale) = Scale::of(stripped(next))?;
            let start = self.fixed(first, deeper)?;
            let is_it = scaled == phi
                && (!is_next || stripped(next) == value)
                && scale.is_kept(phi, [compared, next], WIDE);
            is_it.then_some(Geometric { start, scale, is_next, divisor: 1 })
        };
        if let Some(geometric) = of_phi(value, false) {
            return Some(geometric);
        }
        let (scaled, scale) = Scale::of(value)?;
        of_phi(scaled, true).or_else(|| {
            let inner = self.geometric(scaled, deeper)?;
            let divisor = inner.divisor.checked_mul(scale.divisor()?)?;
            Some(Geometric { divisor, ..inner })
        })
    }

    /// Returns the growth of a phi of the header per trip.
    fn step(&self, phi: Value) -> Option<Step> {
        if let Some(by) = self.all.step(phi, self.of, None) {
            return Some(Step::Number(by));
        }
        let next = self.all.first_and_next(phi, self.of).1;
        let [next] = next[..] else { return None };
        // If an inner loop computes this value as well, the value leaves that loop through a phi.
        let next = next.passed();
        let [a, b] = [next.operands().first().copied()?, next.operands().get(1).copied()?];
        let (is_down, by) = match next.opcode()? {
            Opcode::LLVMAdd if a == phi => (false, b),
            Opcode::LLVMAdd if b == phi => (false, a),
            Opcode::LLVMSub if a == phi => (true, b),
            _ => return None,
        };
        Some(Step::Amount { is_down, by: self.fixed(by, DEEPEST)? })
    }

    /// Returns a value that does not change in the loop.
    fn fixed(&self, value: Value, depth: usize) -> Option<Terms> {
        if let Some(number) = value.signed() {
            return Some(Terms::number(number));
        }
        if let Some(input) = self.input(value) {
            return Some(Terms::input(input));
        }
        let deeper = depth.checked_sub(1)?;
        let operand = |index| self.fixed(value.operand(index), deeper);
        let is_wide = value.ty().is_any_integer() && value.ty().bits() >= WIDE;
        let both = |operator| Some(operand(0)?.then(&operand(1)?, operator));
        match value.opcode()? {
            Opcode::LLVMAdd if is_wide => both(Operator::Plus),
            Opcode::LLVMOr if is_wide && value.is_sum() => both(Operator::Plus),
            Opcode::LLVMSub if is_wide => both(Operator::Minus),
            Opcode::LLVMMul if is_wide => both(Operator::Times),
            Opcode::LLVMShl if is_wide => {
                let by = Terms::number(power_of_two(value.operand(1))?);
                Some(operand(0)?.then(&by, Operator::Times))
            }
            Opcode::LLVMLShr | Opcode::LLVMAShr if is_wide => {
                let by = Terms::number(power_of_two(value.operand(1))?);
                Some(operand(0)?.then(&by, Operator::QuotientDown))
            }
            Opcode::LLVMUDiv | Opcode::LLVMSDiv if is_wide => both(Operator::QuotientDown),
            Opcode::LLVMZExt | Opcode::LLVMSExt | Opcode::LLVMFreeze => operand(0),
            Opcode::LLVMTrunc if is_wide => operand(0),
            Opcode::LLVMPHI if value.passed() != value => self.fixed(value.passed(), deeper),
            _ => {
                let Extreme { is_least, of: [a, b] } = value.extreme()?;
                let operator = if is_least { Operator::Lesser } else { Operator::Greater };
                Some(self.fixed(a, deeper)?.then(&self.fixed(b, deeper)?, operator))
            }
        }
    }

    /// Returns the position of the input that has a value throughout an activation.
    fn input(&self, value: Value) -> Option<usize> {
        let is_it = |input: &Input| match input.source {
            InputSource::Before(source) => source == value || self.all.is_same_read(source, value, self.of),
            InputSource::Inside(source) => {
                (source == value || self.all.is_same_read(source, value, self.of))
                    && self.all.overwriting(source, self.of).is_empty()
            }
            _ => false,
        };
        let is_number = value.ty().is_any_integer();
        is_number.then(|| self.inputs.iter().position(is_it)).flatten()
    }
}
