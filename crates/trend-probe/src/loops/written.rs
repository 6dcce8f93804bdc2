//! Finds the writes of functions that their callers can read: to globals, and through parameters.
//!
//! ```text
//!   void push(struct list *l, int x) { l->items[l->n++] = x; }       writes *(0 + 8), where l->n is, of parameter 0
//!   while (l->n < most) push(&l, 1);                                 so l->n changes in the loop
//! ```
//!
//! However, if each call of a function always adds the same number, as here, the value from before the loop decides.

use std::collections::HashMap;

use inkwell::module::Module;

use super::inputs::{Search, Slicer};
use crate::ir::{self, Opcode, Value};

/// Maximum number of known places of a function.
const MOST_PLACES: usize = 128;
/// Maximum number of reads that pointers are followed through.
const MOST_READS: usize = 4;
/// Maximum depth to which calls are followed.
const MOST_CALLS: usize = 8;

/// A place in memory.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Place {
    base: Base,
    /// Distances in bytes. Between one and the next, a pointer is read.
    offsets: Vec<i64>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Base {
    Value(Value),
    Parameter(usize),
}

/// A write to a place.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Write {
    place: Place,
    bytes: i64,
    /// True if each call adds the same number.
    is_step: bool,
}

/// Writes of each function of a module.
pub(crate) struct Writes(HashMap<Value, Vec<Write>>);

impl Place {
    /// Returns the place that a pointer points to, if its path contains no index.
    fn of(module: &Module<'_>, pointer: Value) -> Option<Self> {
        let (mut at, mut offsets) = (pointer, Vec::new());
        loop {
            let offset = at.offset(module);
            if !offset.indices.is_empty() || offsets.len() > MOST_READS {
                return None;
            }
            offsets.insert(0, offset.bytes);
            if offset.base.opcode() != Some(Opcode::LLVMLoad) {
                return Some(Self { base: Base::Value(offset.base), offsets });
            }
            at = offset.base.operand(0);
        }
    }

    /// Returns a place of a callee in the terms of a call.
    fn called(&self, module: &Module<'_>, call: Value) -> Option<Self> {
        let Base::Parameter(number) = self.base else { return Some(self.clone()) };
        let number = u32::try_from(number).ok().filter(|number| *number < call.arguments())?;
        let Self { base, mut offsets } = Self::of(module, call.operand(number))?;
        *offsets.last_mut()? += self.offsets.first()?;
        offsets.extend(&self.offsets[1..]);
        (offsets.len() <= MOST_READS).then_some(Self { base, offsets })
    }

    /// Returns the place if callers can read it.
    fn outside(self, parameters: &[Value]) -> Option<Self> {
        match self.base {
            Base::Value(base) if base.is_global_variable() => Some(self),
            Base::Value(base) => {
                let number = parameters.iter().position(|parameter| *parameter == base)?;
                Some(Self { base: Base::Parameter(number), ..self })
            }
            Base::Parameter(_) => Some(self),
        }
    }
}

impl Writes {
    pub(crate) fn new(module: &Module<'_>) -> Self {
        let mut all: HashMap<Value, Vec<Write>> = HashMap::new();
        // Function, its parameters, the call, and true if it is always made.
        let mut calls: Vec<(Value, Vec<Value>, Value, bool)> = Vec::new();
        for function in ir::functions(module).into_iter().filter(|function| !function.is_declaration()) {
            let parameters = function.parameters();
            let places = all.entry(function).or_default();
            let blocks = function.blocks();
            for at in blocks.iter().copied().flat_map(ir::Block::instructions) {
                let is_certain = at.block() == blocks[0];
                match at.opcode() {
                    Some(Opcode::LLVMStore) => {
                        let bytes = at.operand(0).ty().size(module) as i64;
                        let place = Place::of(module, at.operand(1)).and_then(|p| p.outside(&parameters));
                        add(places, place, bytes, is_certain && is_step(module, at));
                    }
                    Some(Opcode::LLVMCall | Opcode::LLVMInvoke) => {
                        let callee = at.callee().filter(|callee| !callee.is_declaration());
                        calls.extend(callee.map(|_| (function, parameters.clone(), at, is_certain)));
                    }
                    _ => {}
                }
            }
        }
        for _ in 0..MOST_CALLS {
            let mut is_new = false;
            for (function, parameters, call, is_certain) in &calls {
                let of_callee =
                    call.callee().and_then(|callee| all.get(&callee)).cloned().unwrap_or_default();
                let places = all.entry(*function).or_default();
                for Write { place, bytes, is_step } in of_callee {
                    let place = place.called(module, *call).and_then(|place| place.outside(parameters));
                    is_new |= add(places, place, bytes, is_step && *is_certain);
                }
            }
            if !is_new {
                break;
            }
        }
        Self(all)
    }
}

/// Adds a place if it is new. Returns true if it was added.
fn add(places: &mut Vec<Write>, place: Option<Place>, bytes: i64, is_step: bool) -> bool {
    let Some(place) = place.filter(|_| places.len() < MOST_PLACES) else { return false };
    let new = Write { place, bytes, is_step };
    let is_new = !places.contains(&new);
    if is_new {
        places.push(new);
    }
    is_new
}

/// Returns true if a store adds a constant to the value that is there.
fn is_step(module: &Module<'_>, store: Value) -> bool {
    let (sum, place) = (store.operand(0), Place::of(module, store.operand(1)));
    matches!(sum.opcode(), Some(Opcode::LLVMAdd | Opcode::LLVMSub))
        && sum.operand(1).signed().is_some()
        && sum.operand(0).opcode() == Some(Opcode::LLVMLoad)
        && place.is_some()
        && Place::of(module, sum.operand(0).operand(0)) == place
}

impl Search<'_, '_, '_> {
    /// Returns true if a function that the loop calls changes a value other than by adding the same number in each
    /// trip.
    pub(super) fn is_written_by_calls(&self, load: Value) -> bool {
        self.all.is_written_by_calls(load, self.of)
    }
}

impl Slicer<'_, '_> {
    /// Returns true if a function that a loop calls changes a value other than by adding the same number in each trip.
    pub(super) fn is_written_by_calls(&self, load: Value, of: usize) -> bool {
        let (all, graph) = (self, self.graph);
        let Some(read) = Place::of(all.module, load.operand(0)) else { return false };
        let bytes = load.ty().size(all.module) as i64;
        let meets = |(place, length): (&Place, i64)| {
            let (Some((a, before)), Some((b, others))) =
                (read.offsets.split_last(), place.offsets.split_last())
            else {
                return false;
            };
            read.base == place.base && before == others && *a < b + length && *b < a + bytes
        };
        let one = &all.loops[of];
        let is_written_in = |block: usize| {
            // In an inner loop, a write is executed as often as that loop has trips.
            let is_certain = one.latches.iter().all(|latch| graph.dominates(block, *latch))
                && !self.is_in_loop_inside(graph.blocks[block].terminator(), of);
            graph.blocks[block].instructions().into_iter().any(|at| {
                let is_call = matches!(at.opcode(), Some(Opcode::LLVMCall | Opcode::LLVMInvoke));
                let callee = is_call.then(|| at.callee()).flatten();
                let writes = callee.and_then(|callee| all.writes.0.get(&callee)).into_iter().flatten();
                let mut others = writes.filter(|write| !(is_certain && write.is_step));
                others.any(|Write { place, bytes, .. }| {
                    place.called(all.module, at).is_some_and(|place| meets((&place, *bytes)))
                })
            })
        };
        one.blocks.iter().any(|block| is_written_in(*block))
    }
}
