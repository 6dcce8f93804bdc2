//! Predicates of comparisons: their opposites, and their results for numbers.

use inkwell::llvm_sys::LLVMIntPredicate as Predicate;

/// Returns the predicate that is true where this one is false.
pub(crate) fn opposite(predicate: Predicate) -> Predicate {
    match predicate {
        Predicate::LLVMIntEQ => Predicate::LLVMIntNE,
        Predicate::LLVMIntNE => Predicate::LLVMIntEQ,
        Predicate::LLVMIntSLT => Predicate::LLVMIntSGE,
        Predicate::LLVMIntSLE => Predicate::LLVMIntSGT,
        Predicate::LLVMIntSGT => Predicate::LLVMIntSLE,
        Predicate::LLVMIntSGE => Predicate::LLVMIntSLT,
        Predicate::LLVMIntULT => Predicate::LLVMIntUGE,
        Predicate::LLVMIntULE => Predicate::LLVMIntUGT,
        Predicate::LLVMIntUGT => Predicate::LLVMIntULE,
        Predicate::LLVMIntUGE => Predicate::LLVMIntULT,
    }
}

/// Returns the predicate with both sides exchanged.
pub(crate) fn turned(predicate: Predicate) -> Predicate {
    match predicate {
        Predicate::LLVMIntSLT => Predicate::LLVMIntSGT,
        Predicate::LLVMIntSLE => Predicate::LLVMIntSGE,
        Predicate::LLVMIntSGT => Predicate::LLVMIntSLT,
        Predicate::LLVMIntSGE => Predicate::LLVMIntSLE,
        Predicate::LLVMIntULT => Predicate::LLVMIntUGT,
        Predicate::LLVMIntULE => Predicate::LLVMIntUGE,
        Predicate::LLVMIntUGT => Predicate::LLVMIntULT,
        Predicate::LLVMIntUGE => Predicate::LLVMIntULE,
        equal => equal,
    }
}

pub(crate) fn holds(predicate: Predicate, x: i64, y: i64, bits: u32) -> bool {
    let shift = 64 - bits.clamp(1, 64);
    let (x, y) = ((x << shift) >> shift, (y << shift) >> shift);
    let (u, v) = (((x as u64) << shift) >> shift, ((y as u64) << shift) >> shift);
    match predicate {
        Predicate::LLVMIntEQ => x == y,
        Predicate::LLVMIntNE => x != y,
        Predicate::LLVMIntSLT => x < y,
        Predicate::LLVMIntSLE => x <= y,
        Predicate::LLVMIntSGT => x > y,
        Predicate::LLVMIntSGE => x >= y,
        Predicate::LLVMIntULT => u < v,
        Predicate::LLVMIntULE => u <= v,
        Predicate::LLVMIntUGT => u > v,
        Predicate::LLVMIntUGE => u >= v,
    }
}
