//! Instructions: calls, branches, comparisons, phis, and accesses to memory.

use inkwell::llvm_sys::core as llvm;
use inkwell::llvm_sys::{LLVMIntPredicate, LLVMOpcode};

use super::value::{Block, Opcode, Value};

/// Metadata of reads that the program does not make.
pub(super) const OURS: &std::ffi::CStr = c"trend.read";

impl Value {
    /// Returns the alignment in bytes of the pointer of a load or a store.
    pub(crate) fn alignment(self) -> u64 {
        u64::from(unsafe { llvm::LLVMGetAlignment(self.0) })
    }

    /// Returns true for a load or a store if others may see when it happens.
    pub(crate) fn is_volatile_or_atomic(self) -> bool {
        use inkwell::llvm_sys::LLVMAtomicOrdering::LLVMAtomicOrderingNotAtomic;
        unsafe {
            llvm::LLVMGetVolatile(self.0) != 0 || llvm::LLVMGetOrdering(self.0) != LLVMAtomicOrderingNotAtomic
        }
    }

    /// Returns true for a read that the program does not make. If the optimizer merges it with one of the program's, it
    /// is the program's.
    pub(crate) fn is_own_read(self) -> bool {
        unsafe {
            let context = llvm::LLVMGetTypeContext(self.ty().0);
            let kind = llvm::LLVMGetMDKindIDInContext(context, OURS.as_ptr(), OURS.count_bytes() as u32);
            !llvm::LLVMGetMetadata(self.0, kind).is_null()
        }
    }

    /// Returns, for each element of a vector, true if the element is used. Returns `None` unless all uses take known
    /// elements.
    pub(crate) fn taken_lanes(self) -> Option<Vec<bool>> {
        unsafe {
            let ty = llvm::LLVMTypeOf(self.0);
            if llvm::LLVMGetTypeKind(ty) != inkwell::llvm_sys::LLVMTypeKind::LLVMVectorTypeKind {
                return None;
            }
            let count = llvm::LLVMGetVectorSize(ty) as usize;
            let mut taken = vec![false; count];
            for user in self.users() {
                if user.opcode() != Some(Opcode::LLVMShuffleVector) {
                    return None;
                }
                for index in 0..llvm::LLVMGetNumMaskElements(user.0) {
                    if let Ok(lane) = usize::try_from(llvm::LLVMGetMaskValue(user.0, index))
                        && user.operand((lane / count) as u32) == self
                    {
                        taken[lane % count] = true;
                    }
                }
            }
            Some(taken)
        }
    }

    /// Returns the function that a call or an invoke names; `None` for other instructions and for calls through
    /// pointers.
    pub(crate) fn called(self) -> Option<Value> {
        let is_call = matches!(self.opcode(), Some(LLVMOpcode::LLVMCall | LLVMOpcode::LLVMInvoke));
        is_call.then(|| self.callee()).flatten()
    }

    /// Returns the function that a call names; `None` if it calls a pointer.
    pub(crate) fn callee(self) -> Option<Value> {
        let called = unsafe { llvm::LLVMGetCalledValue(self.0) };
        Self::some(called).filter(|called| called.is_function())
    }

    /// Returns the function that a call names, directly or by another name of the function.
    pub(crate) fn callee_by_any_name(self) -> Option<Value> {
        let mut called = unsafe { llvm::LLVMGetCalledValue(self.0) };
        unsafe {
            while !called.is_null() && !llvm::LLVMIsAGlobalAlias(called).is_null() {
                called = llvm::LLVMAliasGetAliasee(called);
            }
        }
        Self::some(called).filter(|called| called.is_function())
    }

    /// Returns true if a call calls a value that is known only when the program runs.
    pub(crate) fn calls_pointer(self) -> bool {
        Self::some(unsafe { llvm::LLVMGetCalledValue(self.0) }).is_some_and(|called| !called.is_constant())
    }

    pub(crate) fn is_tail_call_that_must_be(self) -> bool {
        unsafe {
            self.opcode() == Some(LLVMOpcode::LLVMCall)
                && llvm::LLVMGetTailCallKind(self.0)
                    == inkwell::llvm_sys::LLVMTailCallKind::LLVMTailCallKindMustTail
        }
    }

    pub(crate) fn arguments(self) -> u32 {
        unsafe { llvm::LLVMGetNumArgOperands(self.0) }
    }

    /// Returns the alignment in bytes that a call states for a pointer argument; 1 if it states none.
    pub(crate) fn alignment_of_argument(self, index: u32) -> u64 {
        unsafe {
            let kind = llvm::LLVMGetEnumAttributeKindForName(c"align".as_ptr(), 5);
            // Index 0 stands for the result.
            let attribute = llvm::LLVMGetCallSiteEnumAttribute(self.0, index + 1, kind);
            if attribute.is_null() { 1 } else { llvm::LLVMGetEnumAttributeValue(attribute) }
        }
    }

    /// Returns true for a call of inline assembly.
    pub(crate) fn is_assembly(self) -> bool {
        unsafe { !llvm::LLVMIsAInlineAsm(llvm::LLVMGetCalledValue(self.0)).is_null() }
    }

    pub(crate) fn normal_destination(self) -> Block {
        Block(unsafe { llvm::LLVMGetNormalDest(self.0) })
    }

    /// Returns true for a call that can throw and has no destination for exceptions.
    pub(crate) fn may_throw(self) -> bool {
        self.opcode() == Some(LLVMOpcode::LLVMCall)
            && !self.is_tail_call_that_must_be()
            && !self.has_attribute("nounwind")
            && !self.callee().is_some_and(|callee| callee.has_attribute("nounwind"))
    }

    /// Makes a landing pad catch every exception.
    pub(crate) fn land_always(self) {
        unsafe { llvm::LLVMSetCleanup(self.0, 1) };
    }

    /// Returns the values of a phi, and the blocks that they come from.
    pub(crate) fn incoming(self) -> Vec<(Value, Block)> {
        let count = unsafe { llvm::LLVMCountIncoming(self.0) };
        let one = |index| unsafe {
            (
                Value(llvm::LLVMGetIncomingValue(self.0, index)),
                Block(llvm::LLVMGetIncomingBlock(self.0, index)),
            )
        };
        (0..count).map(one).collect()
    }

    /// Returns true for an `or` if no bit is set in both operands.
    pub(crate) fn is_sum(self) -> bool {
        unsafe { llvm::LLVMGetIsDisjoint(self.0) != 0 }
    }

    /// Returns the integer that this one was widened from, or itself.
    pub(crate) fn widened(self) -> Value {
        let mut value = self;
        while matches!(value.opcode(), Some(Opcode::LLVMSExt | Opcode::LLVMZExt | Opcode::LLVMFreeze)) {
            value = value.operand(0);
        }
        value
    }

    /// Returns the value behind phis with a single incoming value, and other values as they are. By such a phi, a
    /// loop passes a value to the code after it.
    pub(crate) fn passed(self) -> Value {
        let mut value = self;
        while value.opcode() == Some(Opcode::LLVMPHI)
            && let [(one, _)] = value.incoming()[..]
        {
            value = one;
        }
        value
    }

    /// Returns the value, followed by the values that it is cast from.
    pub(crate) fn casts(self) -> impl Iterator<Item = Value> {
        let is_cast = |value: Value| {
            matches!(
                value.opcode(),
                Some(
                    Opcode::LLVMSExt
                        | Opcode::LLVMZExt
                        | Opcode::LLVMTrunc
                        | Opcode::LLVMFreeze
                        | Opcode::LLVMPtrToInt
                        | Opcode::LLVMIntToPtr
                        | Opcode::LLVMBitCast
                        | Opcode::LLVMFPExt
                        | Opcode::LLVMFPTrunc
                        | Opcode::LLVMSIToFP
                        | Opcode::LLVMUIToFP
                        | Opcode::LLVMFPToSI
                        | Opcode::LLVMFPToUI
                )
            )
        };
        std::iter::successors(Some(self), move |value| is_cast(*value).then(|| value.operand(0)))
    }

    /// Returns the operand that a constant is added to or subtracted from.
    pub(crate) fn shifted(self) -> Option<Value> {
        let is_sum = matches!(self.opcode(), Some(Opcode::LLVMAdd | Opcode::LLVMSub));
        (is_sum && self.operand(1).is_constant()).then(|| self.operand(0))
    }

    /// Returns the predicate of an integer comparison.
    pub(crate) fn predicate(self) -> LLVMIntPredicate {
        unsafe { llvm::LLVMGetICmpPredicate(self.0) }
    }

    /// Returns true for a comparison by `==`, and false for one by `!=`; `None` for others.
    pub(crate) fn is_equality(self) -> Option<bool> {
        match self.predicate() {
            LLVMIntPredicate::LLVMIntEQ => Some(true),
            LLVMIntPredicate::LLVMIntNE => Some(false),
            _ => None,
        }
    }

    /// Returns the condition that decides the next block; `None` if that is certain.
    pub(crate) fn condition(self) -> Option<Value> {
        match self.opcode() {
            Some(Opcode::LLVMBr) => unsafe {
                (llvm::LLVMIsConditional(self.0) != 0).then(|| Value(llvm::LLVMGetCondition(self.0)))
            },
            Some(Opcode::LLVMSwitch) => Some(self.operand(0)),
            _ => None,
        }
    }
}

/// Returns a value without conversions of its type.
pub(crate) fn stripped(value: Value) -> Value {
    value.casts().last().unwrap_or(value)
}

/// Returns true if the result of an instruction depends only on its operands.
pub(crate) fn is_computed(opcode: Opcode) -> bool {
    matches!(
        opcode,
        Opcode::LLVMAdd
            | Opcode::LLVMSub
            | Opcode::LLVMMul
            | Opcode::LLVMUDiv
            | Opcode::LLVMSDiv
            | Opcode::LLVMURem
            | Opcode::LLVMSRem
            | Opcode::LLVMShl
            | Opcode::LLVMLShr
            | Opcode::LLVMAShr
            | Opcode::LLVMAnd
            | Opcode::LLVMOr
            | Opcode::LLVMXor
            | Opcode::LLVMTrunc
            | Opcode::LLVMZExt
            | Opcode::LLVMSExt
            | Opcode::LLVMICmp
            | Opcode::LLVMSelect
            | Opcode::LLVMGetElementPtr
            | Opcode::LLVMPtrToInt
    )
}
