//! Computes the trip counts of loops that count by constants from one constant to another.

use crate::ir::predicates::holds;
use crate::ir::value::{Opcode, Value};
use crate::loops::inputs::slicer::Slicer;

/// Maximum number of trips that are counted.
const MOST_TRIPS: u64 = 10_000_000;

impl Slicer<'_, '_> {
    /// Returns the trip count of a loop without inputs, if it counts by constants.
    pub(crate) fn constant_trips(&self, of: usize) -> Option<u64> {
        let exits: Vec<(usize, usize)> = self.normal_exits(of).collect();
        let [(from, _)] = exits[..] else { return None };
        let one = &self.loops[of];
        let [latch] = one.latches[..] else { return None };
        let condition = self.graph.blocks[from].terminator().condition()?;
        if condition.opcode() != Some(Opcode::LLVMICmp) || (from != one.header && from != latch) {
            return None;
        }
        let stays = one.blocks.contains(self.graph.numbers_of_successor(from, 0).as_ref()?);
        let [a, b] = [condition.operand(0), condition.operand(1)];
        // Handles a counter that is compared after its step.
        let counter = |compared: Value| {
            let is_cast = matches!(compared.opcode(), Some(Opcode::LLVMZExt | Opcode::LLVMSExt));
            let value = if is_cast { compared.operand(0) } else { compared };
            if self.header_of(value) == Some(of) {
                return Some((value, 0, compared));
            }
            let phi = [value.operands().first().copied()?, value.operands().get(1).copied()?]
                .into_iter()
                .find(|operand| self.header_of(*operand) == Some(of))?;
            let (_, next) = self.first_and_next(phi, of);
            (next == [value]).then_some((phi, self.step(phi, of, None)?, compared))
        };
        let ((phi, ahead, compared), bound, is_swapped) =
            match (counter(a), b.signed(), counter(b), a.signed()) {
                (Some(counter), Some(bound), _, _) => (counter, bound, false),
                (_, _, Some(counter), Some(bound)) => (counter, bound, true),
                _ => return None,
            };
        let step = self.step(phi, of, None)?;
        let first = self.first_and_next(phi, of).0?.signed()?;
        // A narrow counter wraps around in its own width before it is compared in a wider one.
        let unused = 64 - phi.ty().bits().clamp(1, 64);
        let is_unsigned = compared.opcode() == Some(Opcode::LLVMZExt);
        let is_so = |at: i64| {
            let at = at << unused;
            let at = if is_unsigned { (at as u64 >> unused) as i64 } else { at >> unused };
            let (x, y) = if is_swapped { (bound, at) } else { (at, bound) };
            holds(condition.predicate(), x, y, compared.ty().bits())
        };
        // If the exit is at the latch, the body is executed once more.
        let is_late = from == latch;
        let mut at = first.wrapping_add(ahead);
        let mut trips = u64::from(is_late);
        while is_so(at) == stays {
            at = at.wrapping_add(step);
            trips += 1;
            if trips > MOST_TRIPS {
                return None;
            }
        }
        Some(trips)
    }
}
