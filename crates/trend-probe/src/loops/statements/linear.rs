//! Values that grow by the same amount in every trip, and when they reach an end.

use inkwell::llvm_sys::LLVMIntPredicate as Predicate;

use super::terms::{Operator, Terms};

/// A value that grows by the same amount in every trip.
pub(super) struct Linear {
    pub(super) start: Terms,
    pub(super) step: Step,
}

/// Growth of a value per trip.
pub(super) enum Step {
    Number(i64),
    Amount { is_down: bool, by: Terms },
}

impl Step {
    /// Returns whether the value goes down, and by how much per trip; `None` if it stays, or if the amount overflows.
    fn amount(&self) -> Option<(bool, Terms)> {
        match self {
            Self::Number(0) => None,
            Self::Number(by) => Some((*by < 0, Terms::number(by.checked_abs()?))),
            Self::Amount { is_down, by } => Some((*is_down, by.clone())),
        }
    }

    pub(super) fn terms(&self) -> Terms {
        match self {
            Self::Number(by) => Terms::number(*by),
            Self::Amount { is_down: false, by } => by.clone(),
            Self::Amount { is_down: true, by } => Terms::number(0).then(by, Operator::Minus),
        }
    }
}

/// Returns how many trips pass before a comparison of a counter with an end fails for the first time. `is_below` tells
/// if the counter starts below the end.
pub(super) fn trips_until_end(
    counter: &Linear,
    end: &Terms,
    predicate: Predicate,
    is_below: impl Fn() -> bool,
) -> Option<Terms> {
    let (is_down, by) = counter.step.amount()?;
    let distance = if is_down {
        counter.start.then(end, Operator::Minus)
    } else {
        end.then(&counter.start, Operator::Minus)
    };
    let with_end = || distance.then(&Terms::number(1), Operator::Plus);
    let distance = match (predicate, is_down) {
        (Predicate::LLVMIntSLT | Predicate::LLVMIntULT, false)
        | (Predicate::LLVMIntSGT | Predicate::LLVMIntUGT, true) => distance,
        (Predicate::LLVMIntSLE | Predicate::LLVMIntULE, false)
        | (Predicate::LLVMIntSGE | Predicate::LLVMIntUGE, true) => with_end(),
        // The counter must not step over the end, which is only known for a constant step.
        (Predicate::LLVMIntNE, _) if matches!(counter.step, Step::Number(_)) => distance,
        // Counting down past 0 wraps to the largest value, which ends the loop.
        (Predicate::LLVMIntULT, true) if is_below() => counter.start.then(&Terms::number(1), Operator::Plus),
        _ => return None,
    };
    Some(distance.then(&by, Operator::QuotientUp))
}

pub(super) fn sum(a: Linear, b: Linear, sign: Operator) -> Option<Linear> {
    let start = a.start.then(&b.start, sign);
    let step = match (a.step, b.step) {
        (Step::Number(x), Step::Number(y)) => {
            let y = if sign == Operator::Minus { y.checked_neg()? } else { y };
            Step::Number(x.checked_add(y)?)
        }
        (step, Step::Number(0)) => step,
        (Step::Number(0), step) if sign == Operator::Plus => step,
        _ => return None,
    };
    Some(Linear { start, step })
}

pub(super) fn scaled(one: &Linear, by: i64) -> Option<Linear> {
    let Step::Number(step) = one.step else { return None };
    let start = one.start.then(&Terms::number(by), Operator::Times);
    Some(Linear { start, step: Step::Number(step.checked_mul(by)?) })
}
