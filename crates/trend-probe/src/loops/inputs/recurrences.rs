//! Decides if a loop moves its counters by the same amount in every trip. Only then is a formula in the first value
//! right.
//!
//! ```text
//!   while (i < n) i += step;                              step stays: the first i, n and step decide
//!   while (col + width <= end) { col += width;            width changes after the first trip:
//!                                width = tab; }           col changes from trip to trip
//!   while (lo < hi) { lo *= 2; hi /= 2; }                 each is rounded, and both move: so do lo and hi
//! ```

use std::collections::HashSet;

use super::search::Search;
use crate::ir::instruction::stripped;
use crate::ir::value::{Opcode, Value};

/// Maximum number of values that are examined for one counter.
const MOST: usize = 512;

/// Dependence of a value on a counter.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Way {
    /// The value does not depend on the counter.
    Apart,
    /// The value is the counter plus or minus values that do not change.
    Steps,
    /// The value also results from multiplying, dividing or shifting the counter.
    Multiplies,
}

/// Computes the dependence of a counter's next value on the counter.
struct Motion<'a, 'b, 'c, 'd> {
    search: &'d Search<'a, 'b, 'c>,
    counter: Value,
    /// Values that are being examined. Through an inner loop, a value can depend on itself.
    open: Vec<Value>,
    left: usize,
}

impl Search<'_, '_, '_> {
    /// Returns true if a counter moves by amounts that change in the loop, or is multiplied while the value that it is
    /// compared with moves, too. The counter is a phi of the header, or is read from one place. Remainders of counters
    /// are regular: the first values decide.
    pub(super) fn is_irregular(&self, counter: Value) -> bool {
        let is_moved = || self.motion(counter).is_none() && !self.is_remainder_of_counters(counter);
        is_moved() || self.irregular.contains(&counter)
    }

    /// Returns true if a counter becomes the remainder of two counters in every trip, as in Euclid's algorithm. The
    /// trip count is unknown, but the first values decide it.
    fn is_remainder_of_counters(&self, counter: Value) -> bool {
        let is_counter = |value: Value| {
            let value = stripped(value);
            value.opcode() == Some(Opcode::LLVMPHI) && self.is_counter(value)
        };
        let is_remainder = |next: Value| {
            matches!(next.opcode(), Some(Opcode::LLVMURem | Opcode::LLVMSRem))
                && next.operands().into_iter().all(is_counter)
        };
        let is_phi = counter.opcode() == Some(Opcode::LLVMPHI);
        let next = if is_phi { self.all.first_and_next(counter, self.of).1 } else { Vec::new() };
        !next.is_empty() && next.into_iter().map(stripped).all(is_remainder)
    }

    /// Returns the dependence of a counter's next value on the counter; `None` if trips differ.
    fn motion(&self, counter: Value) -> Option<Way> {
        let next = if counter.opcode() == Some(Opcode::LLVMPHI) {
            self.all.first_and_next(counter, self.of).1
        } else {
            let stores: Vec<Value> = self.overwriting(counter);
            // An inner loop changes the counter once per trip.
            if stores.iter().any(|at| self.all.is_in_loop_inside(*at, self.of)) {
                return None;
            }
            let stores = stores.into_iter().filter(|at| at.opcode() == Some(Opcode::LLVMStore));
            stores.map(|at| at.operand(0)).collect()
        };
        let mut motion = Motion { search: self, counter, open: Vec::new(), left: MOST };
        next.into_iter().try_fold(Way::Apart, |most, value| Some(most.max(motion.way_of(value)?)))
    }

    /// Returns the counters of comparisons in which one is multiplied or divided, and another one moves as well.
    pub(super) fn multiplied_on_both_sides(&self, condition: Value) -> Vec<Value> {
        let (mut next, mut seen, mut counters) = (vec![condition], HashSet::new(), Vec::new());
        while let Some(value) = next.pop() {
            if !self.all.is_inside(value, self.of) || !seen.insert(value) || seen.len() > MOST {
                continue;
            }
            if !matches!(value.opcode(), Some(Opcode::LLVMICmp | Opcode::LLVMFCmp)) {
                next.extend(parts(value));
                continue;
            }
            let mut moving = Vec::new();
            self.counters_of(value, &mut moving, &mut HashSet::new());
            let ways: Vec<_> = moving.iter().map(|one| self.motion(*one)).collect();
            let is_moved = |way: &&Option<Way>| **way != Some(Way::Apart);
            if ways.iter().filter(is_moved).count() > 1 && ways.contains(&Some(Way::Multiplies)) {
                counters.extend(moving);
            }
        }
        counters
    }

    /// Finds the counters that a value is computed from.
    fn counters_of(&self, value: Value, counters: &mut Vec<Value>, seen: &mut HashSet<Value>) {
        if !self.all.is_inside(value, self.of) || seen.len() > MOST || !seen.insert(value) {
            return;
        }
        if self.is_counter(value) {
            if !counters.iter().any(|one| self.is_same_counter(*one, value)) {
                counters.push(value);
            }
            return;
        }
        for part in parts(value) {
            self.counters_of(part, counters, seen);
        }
    }

    /// Returns true if the loop itself changes a value from trip to trip.
    fn is_counter(&self, value: Value) -> bool {
        match value.opcode() {
            Some(Opcode::LLVMPHI) => self.all.header_of(value) == Some(self.of),
            Some(Opcode::LLVMLoad) => !self.overwriting(value).is_empty(),
            _ => false,
        }
    }

    fn is_same_counter(&self, a: Value, b: Value) -> bool {
        let is_read = |one: Value| one.opcode() == Some(Opcode::LLVMLoad);
        a == b
            || is_read(a) && is_read(b) && {
                let [a, b] = [a, b].map(|one| one.operand(0).offset(self.all.module));
                (a.bytes, &a.indices) == (b.bytes, &b.indices) && self.all.is_same_object(&a, &b)
            }
    }

    /// Returns true if a value differs in the next trip, because the loop changes a counter.
    fn varies(&self, value: Value) -> bool {
        let mut counters = Vec::new();
        if self.is_clipped(value) {
            return false;
        }
        self.counters_of(value, &mut counters, &mut HashSet::new());
        !counters.is_empty()
    }

    /// Returns true if a value stays the same except in the last trip: the lesser of the rest and `size`.
    fn is_clipped(&self, value: Value) -> bool {
        let is_choice = self.all.is_inside(value, self.of)
            && match value.opcode() {
                Some(Opcode::LLVMPHI) => self.all.header_of(value).is_none(),
                Some(Opcode::LLVMSelect) => true,
                Some(Opcode::LLVMCall) => is_choice(value),
                _ => false,
            };
        if !is_choice {
            return false;
        }
        let (moving, staying): (Vec<_>, Vec<_>) =
            choices(value).into_iter().partition(|one| self.varies(*one));
        !staying.is_empty() && moving.into_iter().all(|one| self.is_left(one, value))
    }

    /// Returns true if a value is the rest up to an end: a fixed value minus a counter, or a counter that `step` is
    /// subtracted from.
    fn is_left(&self, value: Value, step: Value) -> bool {
        let is_exact = |one: &Value| {
            matches!(
                one.opcode(),
                Some(
                    Opcode::LLVMSDiv
                        | Opcode::LLVMUDiv
                        | Opcode::LLVMAShr
                        | Opcode::LLVMLShr
                        | Opcode::LLVMTrunc
                        | Opcode::LLVMSExt
                        | Opcode::LLVMZExt
                )
            )
        };
        let distance = std::iter::successors(Some(value), |one| is_exact(one).then(|| one.operand(0))).last();
        let is_distance = |one: Value| one.opcode() == Some(Opcode::LLVMSub) && !self.varies(one.operand(0));
        let takes = |by: Value| {
            (by.opcode() == Some(Opcode::LLVMSub) || by.opcode() == Some(Opcode::LLVMCall) && is_sum(by))
                && self.is_same_counter(by.operand(0), value)
        };
        distance.is_some_and(is_distance) || self.is_counter(value) && step.users().into_iter().any(takes)
    }
}

impl Motion<'_, '_, '_, '_> {
    fn way_of(&mut self, value: Value) -> Option<Way> {
        let search = self.search;
        if search.is_same_counter(value, self.counter) {
            return Some(Way::Steps);
        }
        if !search.all.is_inside(value, search.of) || search.is_counter(value) || self.open.contains(&value) {
            return Some(Way::Apart);
        }
        self.left = self.left.checked_sub(1)?;
        self.open.push(value);
        let way = self.inside(value);
        self.open.pop();
        way
    }

    fn inside(&mut self, value: Value) -> Option<Way> {
        match value.opcode()? {
            // An inner loop changes the value once per trip.
            Opcode::LLVMPHI if self.search.all.header_of(value).is_some() => {
                self.most(choices(value)).filter(|way| *way == Way::Apart)
            }
            Opcode::LLVMPHI | Opcode::LLVMSelect => self.most(choices(value)),
            Opcode::LLVMAdd | Opcode::LLVMSub | Opcode::LLVMFAdd | Opcode::LLVMFSub | Opcode::LLVMOr => {
                self.moved(value.operand(0), value.operand(1), Way::Steps)
            }
            Opcode::LLVMMul | Opcode::LLVMShl | Opcode::LLVMFMul => {
                self.moved(value.operand(0), value.operand(1), Way::Multiplies)
            }
            Opcode::LLVMUDiv | Opcode::LLVMSDiv | Opcode::LLVMFDiv | Opcode::LLVMLShr | Opcode::LLVMAShr => {
                match self.way_of(value.operand(1))? {
                    Way::Apart => self.moved(value.operand(0), value.operand(1), Way::Multiplies),
                    _ => None,
                }
            }
            // A flag is not a counter.
            Opcode::LLVMURem | Opcode::LLVMSRem | Opcode::LLVMAnd | Opcode::LLVMXor => {
                let way = self.most(value.operands())?;
                (way == Way::Apart || value.ty().bits() == 1).then_some(way)
            }
            Opcode::LLVMZExt
            | Opcode::LLVMSExt
            | Opcode::LLVMTrunc
            | Opcode::LLVMPtrToInt
            | Opcode::LLVMIntToPtr
            | Opcode::LLVMFreeze
            | Opcode::LLVMExtractValue => self.way_of(value.operand(0)),
            Opcode::LLVMGetElementPtr => {
                let operands = value.operands();
                let (base, indices) = operands.split_first()?;
                indices.iter().try_fold(self.way_of(*base)?, |most, index| {
                    let way = if most == Way::Apart {
                        self.way_of(*index)?
                    } else {
                        self.moved(*base, *index, Way::Steps)?
                    };
                    Some(most.max(way))
                })
            }
            Opcode::LLVMCall if is_choice(value) => self.most(choices(value)),
            Opcode::LLVMCall if is_sum(value) => self.moved(value.operand(0), value.operand(1), Way::Steps),
            Opcode::LLVMCall if is_product(value) => {
                self.moved(value.operand(0), value.operand(1), Way::Multiplies)
            }
            _ => Some(Way::Apart),
        }
    }

    /// Returns the dependence of a value that is one of several.
    fn most(&mut self, values: Vec<Value>) -> Option<Way> {
        values.into_iter().try_fold(Way::Apart, |most, value| Some(most.max(self.way_of(value)?)))
    }

    /// Returns the dependence of a value that is computed from two others, if one depends on the counter and the
    /// other one does not change.
    fn moved(&mut self, a: Value, b: Value, way: Way) -> Option<Way> {
        // `i + i` multiplies the counter.
        if a == b {
            return self.way_of(a).map(|of| if of == Way::Apart { of } else { Way::Multiplies });
        }
        if self.search.is_clipped(b) {
            return self.way_of(a).map(|of| if of == Way::Apart { of } else { of.max(way) });
        }
        match (self.way_of(a)?, self.way_of(b)?) {
            (Way::Apart, Way::Apart) => Some(Way::Apart),
            (of, Way::Apart) if !self.search.varies(b) => Some(of.max(way)),
            (Way::Apart, of) if !self.search.varies(a) => Some(of.max(way)),
            _ => None,
        }
    }
}

/// Returns the operands of a value, except for memory and for results of other functions.
pub(crate) fn parts(value: Value) -> Vec<Value> {
    match value.opcode() {
        Some(Opcode::LLVMLoad | Opcode::LLVMInvoke) => Vec::new(),
        Some(Opcode::LLVMPHI) => choices(value),
        Some(Opcode::LLVMCall) if !value.callee().is_some_and(Value::is_intrinsic) => Vec::new(),
        Some(Opcode::LLVMCall) => (0..value.arguments()).map(|index| value.operand(index)).collect(),
        _ => value.operands(),
    }
}

/// Returns the values from which a choice takes one.
fn choices(value: Value) -> Vec<Value> {
    match value.opcode() {
        Some(Opcode::LLVMPHI) => value.incoming().into_iter().map(|(value, _)| value).collect(),
        Some(Opcode::LLVMSelect) => vec![value.operand(1), value.operand(2)],
        _ => vec![value.operand(0), value.operand(1)],
    }
}

fn is_intrinsic(call: Value, names: &[&str]) -> bool {
    call.callee().is_some_and(|callee| {
        let name = callee.name();
        names.iter().any(|start| name.starts_with(start))
    })
}

fn is_choice(call: Value) -> bool {
    is_intrinsic(
        call,
        &["llvm.umin.", "llvm.umax.", "llvm.smin.", "llvm.smax.", "llvm.minnum.", "llvm.maxnum."],
    )
}

fn is_sum(call: Value) -> bool {
    let names = ["sadd", "uadd", "ssub", "usub"];
    names.iter().any(|name| {
        is_intrinsic(call, &[&format!("llvm.{name}.with.overflow."), &format!("llvm.{name}.sat.")])
    })
}

fn is_product(call: Value) -> bool {
    is_intrinsic(call, &["llvm.smul.with.overflow.", "llvm.umul.with.overflow."])
}
