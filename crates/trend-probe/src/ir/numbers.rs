//! Inserts arithmetic and comparisons.

use inkwell::llvm_sys::LLVMIntPredicate;
use inkwell::llvm_sys::core as llvm;

use super::builder::Builder;
use super::value::Value;

impl Builder {
    pub(crate) fn add(&self, a: Value, b: Value) -> Value {
        Value(unsafe { llvm::LLVMBuildAdd(self.position, a.0, b.0, c"".as_ptr()) })
    }

    pub(crate) fn subtract(&self, a: Value, b: Value) -> Value {
        Value(unsafe { llvm::LLVMBuildSub(self.position, a.0, b.0, c"".as_ptr()) })
    }

    pub(crate) fn multiply(&self, a: Value, b: Value) -> Value {
        Value(unsafe { llvm::LLVMBuildMul(self.position, a.0, b.0, c"".as_ptr()) })
    }

    /// Converts an unsigned integer to 64 bits.
    pub(crate) fn widened(&self, value: Value) -> Value {
        Value(unsafe { llvm::LLVMBuildIntCast2(self.position, value.0, self.int64().0, 0, c"".as_ptr()) })
    }

    /// Converts a signed integer to 64 bits.
    pub(crate) fn signed(&self, value: Value) -> Value {
        Value(unsafe { llvm::LLVMBuildIntCast2(self.position, value.0, self.int64().0, 1, c"".as_ptr()) })
    }

    /// Returns the lower half of a 64-bit integer.
    pub(crate) fn low_half(&self, value: Value) -> Value {
        Value(unsafe { llvm::LLVMBuildIntCast2(self.position, value.0, self.int32().0, 0, c"".as_ptr()) })
    }

    /// Returns `value` if it is positive, and 0 otherwise. Used for results of calls that return -1 on failure.
    pub(crate) fn positive(&self, value: Value) -> Value {
        let wide = unsafe {
            Value(llvm::LLVMBuildIntCast2(self.position, value.0, self.int64().0, 1, c"".as_ptr()))
        };
        let zero = self.constant(self.int64(), 0);
        self.select(LLVMIntPredicate::LLVMIntSGT, [wide, zero], wide, zero)
    }

    /// Converts a value to a 64-bit integer: an integer is extended according to its sign, and a floating-point number
    /// keeps its bits.
    pub(crate) fn number(&self, value: Value, is_unsigned: bool) -> Value {
        let (long, name) = (self.int64(), c"".as_ptr());
        unsafe {
            if value.ty().is_floating() {
                let double = llvm::LLVMDoubleTypeInContext(self.context);
                let wide = llvm::LLVMBuildFPCast(self.position, value.0, double, name);
                return Value(llvm::LLVMBuildBitCast(self.position, wide, long.0, name));
            }
            Value(llvm::LLVMBuildIntCast2(self.position, value.0, long.0, i32::from(!is_unsigned), name))
        }
    }

    /// Returns `value` if a call returned 0, and 0 otherwise.
    pub(crate) fn if_zero(&self, call: Value, value: Value) -> Value {
        let zero = self.constant(self.int64(), 0);
        self.select(LLVMIntPredicate::LLVMIntEQ, [self.widened(call), zero], value, zero)
    }

    /// Returns the lesser of two unsigned numbers.
    pub(crate) fn lesser(&self, a: Value, b: Value) -> Value {
        self.select(LLVMIntPredicate::LLVMIntULT, [a, b], a, b)
    }

    /// Returns the greater of two unsigned numbers.
    pub(crate) fn greater(&self, a: Value, b: Value) -> Value {
        self.select(LLVMIntPredicate::LLVMIntUGT, [a, b], a, b)
    }

    /// Returns 1 if the first of two unsigned numbers is less than the second, and 0 otherwise.
    pub(crate) fn less(&self, a: Value, b: Value) -> Value {
        let [no, yes] = [0, 1].map(|number| self.constant(self.int64(), number));
        self.select(LLVMIntPredicate::LLVMIntULT, [a, b], yes, no)
    }

    fn select(&self, predicate: LLVMIntPredicate, [a, b]: [Value; 2], yes: Value, no: Value) -> Value {
        let is_so = unsafe { llvm::LLVMBuildICmp(self.position, predicate, a.0, b.0, c"".as_ptr()) };
        self.choose(Value(is_so), yes, no)
    }

    /// Returns `yes` if a condition is true, and `no` otherwise.
    pub(crate) fn choose(&self, condition: Value, yes: Value, no: Value) -> Value {
        Value(unsafe { llvm::LLVMBuildSelect(self.position, condition.0, yes.0, no.0, c"".as_ptr()) })
    }

    /// Returns `yes` if two numbers are equal, and `no` otherwise.
    pub(crate) fn if_equal(&self, a: Value, b: Value, yes: Value, no: Value) -> Value {
        self.select(LLVMIntPredicate::LLVMIntEQ, [a, b], yes, no)
    }

    /// Returns 1 for a pointer that is not null, and 0 otherwise.
    pub(crate) fn is_there(&self, pointer: Value) -> Value {
        let (long, name) = (self.int64(), c"".as_ptr());
        unsafe {
            let is_there = llvm::LLVMBuildIsNotNull(self.position, pointer.0, name);
            Value(llvm::LLVMBuildZExt(self.position, is_there, long.0, name))
        }
    }

    /// Returns a place in an object, or another place if the object is null.
    pub(crate) fn if_there(&self, object: Value, place: Value, none: Value) -> Value {
        let is_there = unsafe { llvm::LLVMBuildIsNotNull(self.position, object.0, c"".as_ptr()) };
        self.choose(Value(is_there), place, none)
    }

    /// Returns the number of steps of `step` bytes from one pointer to another.
    pub(crate) fn steps(&self, first: Value, last: Value, step: i64) -> Value {
        let [first, last] = [first, last].map(|pointer| self.address(pointer));
        let distance = self.subtract(last, first);
        let step = self.constant(self.int64(), step as u64);
        Value(unsafe { llvm::LLVMBuildSDiv(self.position, distance.0, step.0, c"".as_ptr()) })
    }
}
