//! Finds the value at which a loop always ends, since its counter reaches it by steps that all lead there.
//!
//! ```text
//!   while (i < size) {                             every trip compares i with size,
//!       while (i < size && plain[text[i]]) i++;    i grows by 0 or more here,
//!       i++;                                       and by 1 here: at most size trips for any text
//!   }
//! ```

use crate::flow::graph::Graph;
use crate::flow::loops::Loop;
use crate::ir::value::{Opcode, Value};

/// Maximum number of values that are examined between two trips.
const MOST: usize = 256;

/// Order of a counter and its end while the loop continues.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Order {
    Less,
    Greater,
    Unequal,
    Equal,
}

/// Returns the value that a counter reaches at the exit of a block. If the counter goes down to a number, returns its
/// first value. A counter that goes up is assumed to begin at 0 or above, unless it begins at a negative number.
pub(super) fn limit(graph: &Graph, one: &Loop, block: usize) -> Option<Value> {
    let (condition, order) = compared(graph, one, block)?;
    let [a, b] = [condition.operand(0), condition.operand(1)];
    [(a, b, order), (b, a, turned(order))].into_iter().find_map(|(moving, end, order)| {
        let counter = counter(graph, one, moving)?;
        let (mut first, mut steps) = (None, Vec::new());
        for (value, from) in counter.incoming() {
            if one.blocks.contains(&graph.number(from)) {
                steps.push(Advance { graph, one, counter, open: Vec::new(), left: MOST }.change_to(value)?);
            } else {
                first = Some(value);
            }
        }
        let least = steps.iter().map(|(least, _)| *least).min()?;
        let greatest = steps.iter().map(|(_, greatest)| *greatest).max()?;
        // With steps of more than 1, a counter can pass an end that it must only differ from.
        let is_up = least > 0 && (order == Order::Less || order == Order::Unequal && greatest == 1);
        let is_down = greatest < 0 && (order == Order::Greater || order == Order::Unequal && least == -1);
        let is_below_0 = |value: Value| value.signed().is_some_and(|number| number < 0);
        if is_up && !first.is_some_and(is_below_0) {
            return Some(end);
        }
        first.filter(|_| is_down && end.signed().is_some_and(|number| number >= -1))
    })
}

/// Returns the condition of an exit that compares, in every trip, a pointer with one from before the loop.
pub(super) fn pointers_compared(graph: &Graph, one: &Loop, block: usize) -> Option<Value> {
    let (condition, order) = compared(graph, one, block)?;
    let is_before =
        |value: Value| value.opcode().is_none() || !one.blocks.contains(&graph.number(value.block()));
    let [a, b] = [condition.operand(0), condition.operand(1)];
    let is_pointer = a.ty().is_pointer() && order != Order::Equal;
    (is_pointer && (is_before(a) || is_before(b))).then_some(condition)
}

/// Returns the comparison that decides an exit in every trip. If some trips skip it, it may never be true.
fn compared(graph: &Graph, one: &Loop, block: usize) -> Option<(Value, Order)> {
    use inkwell::llvm_sys::LLVMIntPredicate as Predicate;
    let is_always = one.always_passes(graph, block);
    let condition = graph.blocks[block].terminator().condition().filter(|_| is_always)?;
    if condition.opcode() != Some(Opcode::LLVMICmp) {
        return None;
    }
    let order = match condition.predicate() {
        Predicate::LLVMIntSLT | Predicate::LLVMIntSLE | Predicate::LLVMIntULT | Predicate::LLVMIntULE => {
            Order::Less
        }
        Predicate::LLVMIntSGT | Predicate::LLVMIntSGE | Predicate::LLVMIntUGT | Predicate::LLVMIntUGE => {
            Order::Greater
        }
        Predicate::LLVMIntNE => Order::Unequal,
        Predicate::LLVMIntEQ => Order::Equal,
    };
    let stays = one.blocks.contains(&graph.numbers_of_successor(block, 0)?);
    let opposite = match order {
        Order::Less => Order::Greater,
        Order::Greater => Order::Less,
        Order::Unequal => Order::Equal,
        Order::Equal => Order::Unequal,
    };
    Some((condition, if stays { order } else { opposite }))
}

/// Returns the order with both sides exchanged.
fn turned(order: Order) -> Order {
    match order {
        Order::Less => Order::Greater,
        Order::Greater => Order::Less,
        equal => equal,
    }
}

/// Returns the phi of a loop's header that a value is, or is computed from by adding constants. Numbers with fewer bits
/// than an `int` are not followed: they wrap around before they reach the end of a wider one.
fn counter(graph: &Graph, one: &Loop, value: Value) -> Option<Value> {
    let mut value = value;
    for _ in 0..MOST {
        match value.opcode()? {
            Opcode::LLVMPHI if graph.number(value.block()) == one.header => return Some(value),
            Opcode::LLVMZExt | Opcode::LLVMSExt if value.operand(0).ty().bits() >= 32 => {
                value = value.operand(0);
            }
            Opcode::LLVMAdd | Opcode::LLVMSub if value.operand(1).signed().is_some() => {
                value = value.operand(0);
            }
            _ => return None,
        }
    }
    None
}

/// Returns the least and the greatest value of a constant, or of a choice between constants.
fn amount(value: Value) -> Option<(i64, i64)> {
    if let Some(constant) = value.signed() {
        return Some((constant, constant));
    }
    let choices = match value.opcode()? {
        Opcode::LLVMSelect => vec![value.operand(1), value.operand(2)],
        Opcode::LLVMPHI => value.incoming().into_iter().map(|(value, _)| value).collect(),
        _ => return None,
    };
    let constants: Vec<i64> = choices.into_iter().map(Value::signed).collect::<Option<_>>()?;
    Some((*constants.iter().min()?, *constants.iter().max()?))
}

/// Computes the change of a counter up to a value of the loop.
struct Advance<'a> {
    graph: &'a Graph,
    one: &'a Loop,
    counter: Value,
    /// Values that are being examined. Through an inner loop, a value can depend on itself.
    open: Vec<Value>,
    /// Number of values that may still be examined.
    left: usize,
}

impl Advance<'_> {
    /// Returns the least and the greatest change, if every path changes the counter by constants.
    fn change_to(&mut self, value: Value) -> Option<(i64, i64)> {
        if value == self.counter {
            return Some((0, 0));
        }
        self.left = self.left.checked_sub(1)?;
        if self.open.contains(&value)
            || !self.one.blocks.contains(&self.graph.number(value.opcode().map(|_| value.block())?))
        {
            return None;
        }
        match value.opcode()? {
            Opcode::LLVMAdd => {
                let [a, b] = [value.operand(0), value.operand(1)];
                let (from, (least, greatest)) = match (amount(a), amount(b)) {
                    (None, Some(by)) => (a, by),
                    (Some(by), None) => (b, by),
                    _ => return None,
                };
                let from = self.change_to(from)?;
                Some((from.0.saturating_add(least), from.1.saturating_add(greatest)))
            }
            Opcode::LLVMSub => {
                let (least, greatest) = amount(value.operand(1))?;
                let from = self.change_to(value.operand(0))?;
                Some((from.0.saturating_sub(greatest), from.1.saturating_sub(least)))
            }
            Opcode::LLVMSelect => self.all(&[value.operand(1), value.operand(2)], value),
            Opcode::LLVMPHI => {
                let incoming: Vec<Value> = value.incoming().into_iter().map(|(value, _)| value).collect();
                self.all(&incoming, value)
            }
            _ => None,
        }
    }

    /// Returns the change to a value by any of several paths.
    fn all(&mut self, ways: &[Value], value: Value) -> Option<(i64, i64)> {
        self.open.push(value);
        let mut range: Option<(i64, i64)> = None;
        let mut around: Option<(i64, i64)> = None;
        for way in ways {
            match self.back(*way) {
                Some((from, by)) if from == value => {
                    around = Some(around.map_or((by, by), |(least, most)| (least.min(by), most.max(by))));
                }
                _ => {
                    let (least, greatest) = self.change_to(*way)?;
                    range = Some(range.map_or((least, greatest), |(a, b)| (a.min(least), b.max(greatest))));
                }
            }
        }
        self.open.pop();
        let (least, greatest) = range?;
        // Each trip of the inner loop adds once more.
        let (least_around, most_around) = around.unwrap_or((0, 0));
        let least = if least_around < 0 { i64::MIN } else { least };
        let greatest = if most_around > 0 { i64::MAX } else { greatest };
        Some((least, greatest))
    }

    /// Returns an open value that a value is computed from by only adding constants, and their sum.
    fn back(&self, value: Value) -> Option<(Value, i64)> {
        let (mut value, mut by) = (value, 0_i64);
        for _ in 0..MOST {
            if self.open.contains(&value) {
                return Some((value, by));
            }
            let (next, more) = match value.opcode()? {
                Opcode::LLVMAdd => (value.operand(0), value.operand(1).signed()?),
                Opcode::LLVMSub => (value.operand(0), value.operand(1).signed()?.checked_neg()?),
                _ => return None,
            };
            (value, by) = (next, by.checked_add(more)?);
        }
        None
    }
}
