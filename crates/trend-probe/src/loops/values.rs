//! Extends LLVM's values for the analysis of loops, and the builder for their counters.
#![expect(unsafe_code, reason = "LLVM has a C API")]
#![expect(
    clippy::undocumented_unsafe_blocks,
    reason = "each block is a call of the C API with handles that are valid as long as the module, which outlives them"
)]

use inkwell::llvm_sys::core as llvm;
use inkwell::llvm_sys::target as layout;
use inkwell::llvm_sys::{LLVMIntPredicate, LLVMTypeKind};
use inkwell::module::Module;

use crate::ir::{Block, Builder, Opcode, Type, Value};

/// Offset of an address from a pointer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Offset {
    pub(crate) base: Value,
    /// Number of bytes that are constant.
    pub(crate) bytes: i64,
    /// Indices that are not constant, with the size of their elements in bytes.
    pub(crate) indices: Vec<(Value, u64)>,
}

/// Metadata of reads that the program does not make.
const OURS: &std::ffi::CStr = c"trend.read";

impl Value {
    /// Returns true for a read that the program does not make. If the optimizer merges it with one of the program's, it
    /// is the program's.
    pub(crate) fn is_own_read(self) -> bool {
        unsafe {
            let context = llvm::LLVMGetTypeContext(self.ty().0);
            let kind = llvm::LLVMGetMDKindIDInContext(context, OURS.as_ptr(), OURS.count_bytes() as u32);
            !llvm::LLVMGetMetadata(self.0, kind).is_null()
        }
    }

    pub(crate) fn is_argument(self) -> bool {
        unsafe { !llvm::LLVMIsAArgument(self.0).is_null() }
    }

    pub(crate) fn is_constant(self) -> bool {
        unsafe { llvm::LLVMIsConstant(self.0) != 0 }
    }

    /// Returns the value of a constant integer with its sign.
    pub(crate) fn signed(self) -> Option<i64> {
        unsafe {
            let is_integer = !llvm::LLVMIsAConstantInt(self.0).is_null() && self.ty().is_integer();
            is_integer.then(|| llvm::LLVMConstIntGetSExtValue(self.0))
        }
    }

    pub(crate) fn is_null_pointer(self) -> bool {
        unsafe { !llvm::LLVMIsAConstantPointerNull(self.0).is_null() }
    }

    pub(crate) fn operands(self) -> Vec<Value> {
        let count = unsafe { llvm::LLVMGetNumOperands(self.0) };
        (0..u32::try_from(count).unwrap_or(0)).map(|index| self.operand(index)).collect()
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

    /// Returns true for a parameter whose object nothing else accesses while the function runs.
    pub(crate) fn is_argument_alone(self) -> bool {
        if !self.is_argument() {
            return false;
        }
        unsafe {
            let function = llvm::LLVMGetParamParent(self.0);
            let kind = llvm::LLVMGetEnumAttributeKindForName(c"noalias".as_ptr(), 7);
            // Index 0 stands for the result.
            let index = (1..).zip(Value(function).parameters()).find(|(_, of)| *of == self);
            index
                .is_some_and(|(index, _)| !llvm::LLVMGetEnumAttributeAtIndex(function, index, kind).is_null())
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

    /// Returns the offset of a pointer from its base, through all constant and computed offsets.
    pub(crate) fn offset(self, module: &Module<'_>) -> Offset {
        let mut found = Offset { base: self, bytes: 0, indices: Vec::new() };
        for _ in 0..64 {
            let at = found.base;
            if !at.is_offset() || at.opcode() == Some(Opcode::LLVMBitCast) {
                break;
            }
            let Some(bytes) = add_indices(at, module, &mut found.indices) else { break };
            found.bytes = found.bytes.wrapping_add(bytes);
            found.base = at.operand(0);
        }
        found
    }

    /// Returns true if a function changes no memory.
    pub(crate) fn only_reads(self) -> bool {
        unsafe {
            let kind = llvm::LLVMGetEnumAttributeKindForName(c"memory".as_ptr(), 6);
            let at = inkwell::llvm_sys::LLVMAttributeFunctionIndex;
            let found = llvm::LLVMGetEnumAttributeAtIndex(self.0, at, kind);
            // Each kind of memory has two bits: it is read, and it is changed.
            !found.is_null() && llvm::LLVMGetEnumAttributeValue(found) & 0xaaaa_aaaa_aaaa_aaaa == 0
        }
    }
}

/// Adds the computed indices of one instruction to `indices`. Returns the sum of the constant ones in bytes.
fn add_indices(at: Value, module: &Module<'_>, indices: &mut Vec<(Value, u64)>) -> Option<i64> {
    unsafe {
        let data = layout::LLVMGetModuleDataLayout(module.as_mut_ptr());
        let mut ty = llvm::LLVMGetGEPSourceElementType(at.0);
        let mut bytes = 0_i64;
        for (number, index) in at.operands().into_iter().skip(1).enumerate() {
            if number > 0 {
                match llvm::LLVMGetTypeKind(ty) {
                    LLVMTypeKind::LLVMStructTypeKind => {
                        let field = u32::try_from(index.constant()?).ok()?;
                        bytes = bytes.checked_add(layout::LLVMOffsetOfElement(data, ty, field) as i64)?;
                        ty = llvm::LLVMStructGetTypeAtIndex(ty, field);
                        continue;
                    }
                    LLVMTypeKind::LLVMArrayTypeKind | LLVMTypeKind::LLVMVectorTypeKind => {
                        ty = llvm::LLVMGetElementType(ty);
                    }
                    _ => return None,
                }
            }
            if llvm::LLVMTypeIsSized(ty) == 0 {
                return None;
            }
            let size = layout::LLVMABISizeOfType(data, ty);
            match index.signed() {
                Some(index) => bytes = bytes.checked_add(index.checked_mul(size as i64)?)?,
                None => indices.push((index, size)),
            }
        }
        Some(bytes)
    }
}

impl Type {
    pub(crate) fn bits(self) -> u32 {
        unsafe { llvm::LLVMGetIntTypeWidth(self.0) }
    }

    pub(crate) fn is_any_integer(self) -> bool {
        unsafe { llvm::LLVMGetTypeKind(self.0) == LLVMTypeKind::LLVMIntegerTypeKind }
    }

    pub(crate) fn is_floating(self) -> bool {
        let kind = unsafe { llvm::LLVMGetTypeKind(self.0) };
        matches!(kind, LLVMTypeKind::LLVMFloatTypeKind | LLVMTypeKind::LLVMDoubleTypeKind)
    }

    pub(crate) fn is_pointer(self) -> bool {
        unsafe { llvm::LLVMGetTypeKind(self.0) == LLVMTypeKind::LLVMPointerTypeKind }
    }
}

impl Builder {
    pub(crate) fn pointer(&self) -> Type {
        Type(unsafe { llvm::LLVMPointerTypeInContext(self.context, 0) })
    }

    /// Declares a function that returns a value.
    pub(crate) fn declare_returning(&self, returned: Type, name: &str, parameters: &[Type]) -> Value {
        let name = std::ffi::CString::new(name).expect("names of hooks have no zero");
        let mut parameters: Vec<_> = parameters.iter().map(|p| p.0).collect();
        unsafe {
            let ty = llvm::LLVMFunctionType(returned.0, parameters.as_mut_ptr(), parameters.len() as u32, 0);
            Value(llvm::LLVMAddFunction(self.module, name.as_ptr(), ty))
        }
    }

    /// Declares a variable of another part of the program.
    pub(crate) fn external(&self, name: &std::ffi::CStr) -> Value {
        unsafe {
            let byte = llvm::LLVMInt8TypeInContext(self.context);
            Value(llvm::LLVMAddGlobal(self.module, byte, name.as_ptr()))
        }
    }

    pub(crate) fn subtract(&self, a: Value, b: Value) -> Value {
        Value(unsafe { llvm::LLVMBuildSub(self.position, a.0, b.0, c"".as_ptr()) })
    }

    /// Returns `yes` if two numbers are equal, and `no` otherwise.
    pub(crate) fn if_equal(&self, a: Value, b: Value, yes: Value, no: Value) -> Value {
        let name = c"".as_ptr();
        unsafe {
            let is_so = llvm::LLVMBuildICmp(self.position, LLVMIntPredicate::LLVMIntEQ, a.0, b.0, name);
            Value(llvm::LLVMBuildSelect(self.position, is_so, yes.0, no.0, name))
        }
    }

    /// Returns a place in an object, or another place if the object is null.
    pub(crate) fn if_there(&self, object: Value, place: Value, none: Value) -> Value {
        let name = c"".as_ptr();
        unsafe {
            let is_there = llvm::LLVMBuildIsNotNull(self.position, object.0, name);
            Value(llvm::LLVMBuildSelect(self.position, is_there, place.0, none.0, name))
        }
    }

    /// Reads from a place with the type of a load. The program does not make this read.
    pub(crate) fn load_like(&self, load: Value, place: Value) -> Value {
        let found = self.load(load.ty(), place);
        unsafe {
            // If there is no object, a variable of 8 bytes takes its place.
            llvm::LLVMSetAlignment(found.0, llvm::LLVMGetAlignment(load.0).min(8));
            let text = llvm::LLVMMDStringInContext2(self.context, c"".as_ptr(), 0);
            let mark = llvm::LLVMMetadataAsValue(
                self.context,
                llvm::LLVMMDNodeInContext2(self.context, [text].as_mut_ptr(), 1),
            );
            llvm::LLVMSetMetadata(found.0, self.mark_of_reads(), mark);
        }
        found
    }

    fn mark_of_reads(&self) -> u32 {
        unsafe { llvm::LLVMGetMDKindIDInContext(self.context, OURS.as_ptr(), OURS.count_bytes() as u32) }
    }

    /// Returns the greater of two unsigned numbers.
    pub(crate) fn greater(&self, a: Value, b: Value) -> Value {
        let name = c"".as_ptr();
        unsafe {
            let is_so = llvm::LLVMBuildICmp(self.position, LLVMIntPredicate::LLVMIntUGT, a.0, b.0, name);
            Value(llvm::LLVMBuildSelect(self.position, is_so, a.0, b.0, name))
        }
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

    /// Returns 1 for a pointer that is not null, and 0 otherwise.
    pub(crate) fn is_there(&self, pointer: Value) -> Value {
        let (long, name) = (self.int64(), c"".as_ptr());
        unsafe {
            let is_there = llvm::LLVMBuildIsNotNull(self.position, pointer.0, name);
            Value(llvm::LLVMBuildZExt(self.position, is_there, long.0, name))
        }
    }

    /// Returns the number of steps of `step` bytes from one pointer to another.
    pub(crate) fn steps(&self, first: Value, last: Value, step: i64) -> Value {
        let [first, last] = [first, last].map(|pointer| self.address(pointer));
        let distance = self.subtract(last, first);
        let step = self.constant(self.int64(), step as u64);
        Value(unsafe { llvm::LLVMBuildSDiv(self.position, distance.0, step.0, c"".as_ptr()) })
    }
}

/// Makes a global variable internal to its module.
pub(crate) fn make_global_internal(module: &Module<'_>, name: &std::ffi::CStr) {
    unsafe {
        let global = llvm::LLVMGetNamedGlobal(module.as_mut_ptr(), name.as_ptr());
        if !global.is_null() {
            Value(global).make_internal();
        }
    }
}
