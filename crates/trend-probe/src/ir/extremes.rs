//! Values that are the lesser or the greater of two others.

use inkwell::llvm_sys::LLVMIntPredicate as Predicate;

use super::predicates::turned;
use super::value::{Opcode, Value};

/// Minimum or maximum of two values.
pub(crate) struct Extreme {
    pub(crate) is_least: bool,
    pub(crate) of: [Value; 2],
}

impl Value {
    /// Returns the operands of an integer minimum or maximum.
    pub(crate) fn extreme(self) -> Option<Extreme> {
        match self.opcode()? {
            Opcode::LLVMSelect => self.chosen(),
            Opcode::LLVMCall => {
                let name = self.callee()?.name();
                let is_one = |names: [&str; 2]| names.iter().any(|one| name.starts_with(one));
                let is_least = is_one(["llvm.smin.", "llvm.umin."]);
                let of = || [self.operand(0), self.operand(1)];
                (is_least || is_one(["llvm.smax.", "llvm.umax."])).then(|| Extreme { is_least, of: of() })
            }
            _ => None,
        }
    }

    /// Returns the operands of a `select` that compares the two values it chooses from.
    fn chosen(self) -> Option<Extreme> {
        let [condition, a, b] = [0, 1, 2].map(|index| self.operand(index));
        if condition.opcode() != Some(Opcode::LLVMICmp) {
            return None;
        }
        let [x, y] = [condition.operand(0), condition.operand(1)];
        let predicate = match ((x, y) == (a, b), (x, y) == (b, a)) {
            (true, _) => condition.predicate(),
            (_, true) => turned(condition.predicate()),
            _ => return None,
        };
        let is_least = match predicate {
            Predicate::LLVMIntSLT | Predicate::LLVMIntSLE | Predicate::LLVMIntULT | Predicate::LLVMIntULE => {
                true
            }
            Predicate::LLVMIntSGT | Predicate::LLVMIntSGE | Predicate::LLVMIntUGT | Predicate::LLVMIntUGE => {
                false
            }
            _ => return None,
        };
        Some(Extreme { is_least, of: [a, b] })
    }
}
