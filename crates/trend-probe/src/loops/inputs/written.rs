//! Finds the memory that functions write and their callers can read: globals, and memory that parameters point to.
//!
//! ```text
//!   void push(struct list *l, int x) { l->items[l->n++] = x; }       writes *(0 + 8), where l->n is, of parameter 0
//!   while (l->n < most) push(&l, 1);                                 so l->n changes in the loop
//! ```
//!
//! However, if each call of a function always adds the same number, as here, the value from before the loop decides.

use std::collections::HashMap;

use inkwell::module::Module;

use crate::ir::symbols;
use crate::ir::value::{Block, Opcode, Value};

/// Maximum number of known places of a function.
const MOST_PLACES: usize = 128;

/// Maximum number of reads that pointers are followed through.
const MOST_READS: usize = 4;

/// Maximum depth to which calls are followed.
const MOST_CALLS: usize = 8;

/// A place in memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct MemoryPlace {
    pub(super) base: Base,
    /// Distances in bytes. Between one and the next, a pointer is read.
    pub(super) offsets: Vec<i64>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Base {
    Value(Value),
    Parameter(usize),
}

/// A write to a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Write {
    pub(super) place: MemoryPlace,
    pub(super) bytes: i64,
    /// True if each call adds the same number.
    pub(super) is_step: bool,
}

/// Writes of each function of a module.
pub(crate) struct Writes(pub(super) HashMap<Value, Vec<Write>>);

impl MemoryPlace {
    /// Returns the place that a pointer points to, if its path contains no index.
    pub(super) fn from_pointer(module: &Module<'_>, pointer: Value) -> Option<Self> {
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

    /// Returns the place that is a number of bytes behind this one.
    pub(super) fn behind(mut self, bytes: i64) -> Self {
        if let Some(last) = self.offsets.last_mut() {
            *last += bytes;
        }
        self
    }

    /// Returns a place of a callee in the terms of a call.
    pub(super) fn called(&self, module: &Module<'_>, call: Value) -> Option<Self> {
        let Base::Parameter(number) = self.base else { return Some(self.clone()) };
        let number = u32::try_from(number).ok().filter(|number| *number < call.arguments())?;
        let Self { base, mut offsets } = Self::from_pointer(module, call.operand(number))?;
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
        for function in symbols::functions(module).into_iter().filter(|function| !function.is_declaration()) {
            let parameters = function.parameters();
            let places = all.entry(function).or_default();
            let blocks = function.blocks();
            for at in blocks.iter().copied().flat_map(Block::instructions) {
                let is_certain = at.block() == blocks[0];
                match at.opcode() {
                    Some(Opcode::LLVMStore) => {
                        let bytes = at.operand(0).ty().size(module) as i64;
                        let place = MemoryPlace::from_pointer(module, at.operand(1))
                            .and_then(|p| p.outside(&parameters));
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
fn add(places: &mut Vec<Write>, place: Option<MemoryPlace>, bytes: i64, is_step: bool) -> bool {
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
    let (sum, place) = (store.operand(0), MemoryPlace::from_pointer(module, store.operand(1)));
    matches!(sum.opcode(), Some(Opcode::LLVMAdd | Opcode::LLVMSub))
        && sum.operand(1).signed().is_some()
        && sum.operand(0).opcode() == Some(Opcode::LLVMLoad)
        && place.is_some()
        && MemoryPlace::from_pointer(module, sum.operand(0).operand(0)) == place
}
