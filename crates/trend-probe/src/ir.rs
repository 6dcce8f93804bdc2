//! LLVM's values as the probe sees them: small handles, valid as long as their module.
//!
//! inkwell wraps contexts, modules and passes. Its instructions are made for generating code and not for changing it,
//! so these handles call the C API themselves.
#![expect(unsafe_code, reason = "LLVM has a C API")]
#![expect(
    clippy::undocumented_unsafe_blocks,
    reason = "each block is a call of the C API with handles that are valid as long as the module, which outlives them"
)]

use std::ffi::{CStr, CString, c_int, c_uint};

use inkwell::llvm_sys::LLVMOpcode;
use inkwell::llvm_sys::core as llvm;
use inkwell::llvm_sys::debuginfo as debug;
use inkwell::llvm_sys::prelude::{LLVMAttributeRef, LLVMBasicBlockRef, LLVMTypeRef, LLVMValueRef};
use inkwell::llvm_sys::target as layout;
use inkwell::llvm_sys::{LLVMLinkage, LLVMValueKind, LLVMVisibility};
use inkwell::module::Module;

pub(crate) use inkwell::llvm_sys::LLVMOpcode as Opcode;

pub(crate) use crate::builder::Builder;

/// Handle of a value, an instruction or a function.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Value(pub(crate) LLVMValueRef);

/// Handle of a basic block.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Block(pub(crate) LLVMBasicBlockRef);

/// Handle of a type.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Type(pub(crate) LLVMTypeRef);

/// Handle of a function's attribute.
pub(crate) struct Attribute(LLVMAttributeRef);

// SAFETY for all that follows: handles come from one module that outlives them, and are used by one thread. Each
// function is only called for the kinds of values that it supports.
impl Value {
    fn some(value: LLVMValueRef) -> Option<Self> {
        (!value.is_null()).then_some(Self(value))
    }

    /// Returns the opcode of an instruction; `None` for other values.
    pub(crate) fn opcode(self) -> Option<Opcode> {
        unsafe {
            (!llvm::LLVMIsAInstruction(self.0).is_null()).then(|| llvm::LLVMGetInstructionOpcode(self.0))
        }
    }

    /// Returns true for a pointer that is computed from its first operand, by an instruction or as a constant.
    pub(crate) fn is_offset(self) -> bool {
        let is_of = |opcode| matches!(opcode, LLVMOpcode::LLVMGetElementPtr | LLVMOpcode::LLVMBitCast);
        unsafe {
            let is_constant = !llvm::LLVMIsAConstantExpr(self.0).is_null();
            self.opcode().is_some_and(is_of) || (is_constant && is_of(llvm::LLVMGetConstOpcode(self.0)))
        }
    }

    pub(crate) fn is_function(self) -> bool {
        unsafe { llvm::LLVMGetValueKind(self.0) == LLVMValueKind::LLVMFunctionValueKind }
    }

    pub(crate) fn is_global_variable(self) -> bool {
        unsafe { llvm::LLVMGetValueKind(self.0) == LLVMValueKind::LLVMGlobalVariableValueKind }
    }

    pub(crate) fn name(self) -> String {
        let mut length = 0;
        unsafe {
            let text = llvm::LLVMGetValueName2(self.0, &raw mut length);
            String::from_utf8_lossy(std::slice::from_raw_parts(text.cast(), length)).into_owned()
        }
    }

    pub(crate) fn operand(self, index: u32) -> Value {
        Self(unsafe { llvm::LLVMGetOperand(self.0, index) })
    }

    /// Returns the instructions and constants that have it as an operand.
    pub(crate) fn users(self) -> impl Iterator<Item = Value> {
        let first = unsafe { llvm::LLVMGetFirstUse(self.0) };
        std::iter::successors((!first.is_null()).then_some(first), |of| {
            let next = unsafe { llvm::LLVMGetNextUse(*of) };
            (!next.is_null()).then_some(next)
        })
        .map(|of| Self(unsafe { llvm::LLVMGetUser(of) }))
    }

    pub(crate) fn next(self) -> Option<Value> {
        Self::some(unsafe { llvm::LLVMGetNextInstruction(self.0) })
    }

    pub(crate) fn block(self) -> Block {
        Block(unsafe { llvm::LLVMGetInstructionParent(self.0) })
    }

    pub(crate) fn ty(self) -> Type {
        Type(unsafe { llvm::LLVMTypeOf(self.0) })
    }

    pub(crate) fn remove(self) {
        unsafe { llvm::LLVMInstructionEraseFromParent(self.0) };
    }

    /// Returns the alignment in bytes of the pointer of a load or a store.
    pub(crate) fn alignment(self) -> u64 {
        u64::from(unsafe { llvm::LLVMGetAlignment(self.0) })
    }

    /// Returns the value of a constant integer.
    pub(crate) fn constant(self) -> Option<u64> {
        unsafe {
            let is_integer = !llvm::LLVMIsAConstantInt(self.0).is_null();
            is_integer.then(|| llvm::LLVMConstIntGetZExtValue(self.0))
        }
    }

    /// Returns true for an `or` if no bit is set in both operands.
    pub(crate) fn is_sum(self) -> bool {
        unsafe { llvm::LLVMGetIsDisjoint(self.0) != 0 }
    }

    /// Returns the constant text that a pointer points to, if the constant has the type of a text.
    pub(crate) fn text(self) -> Option<String> {
        unsafe {
            if !self.is_global_variable() || llvm::LLVMIsGlobalConstant(self.0) == 0 {
                return None;
            }
            let contents = llvm::LLVMGetInitializer(self.0);
            // An all-zero constant has no text, and must not be used as one.
            if contents.is_null()
                || llvm::LLVMIsAConstantDataSequential(contents).is_null()
                || llvm::LLVMIsConstantString(contents) == 0
            {
                return None;
            }
            let mut length = 0;
            let bytes = llvm::LLVMGetAsString(contents, &raw mut length);
            let bytes: &[u8] = std::slice::from_raw_parts(bytes.cast(), length);
            let text = bytes.split(|byte| *byte == 0).next()?;
            Some(std::str::from_utf8(text).ok()?.to_owned())
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

    // The following methods are for functions.

    pub(crate) fn is_declaration(self) -> bool {
        unsafe { llvm::LLVMIsDeclaration(self.0) != 0 }
    }

    pub(crate) fn linkage(self) -> LLVMLinkage {
        unsafe { llvm::LLVMGetLinkage(self.0) }
    }

    pub(crate) fn parameter(self, index: u32) -> Value {
        Self(unsafe { llvm::LLVMGetParam(self.0, index) })
    }

    /// Returns the parameters of a function.
    pub(crate) fn parameters(self) -> Vec<Value> {
        (0..unsafe { llvm::LLVMCountParams(self.0) }).map(|index| self.parameter(index)).collect()
    }

    pub(crate) fn is_variadic(self) -> bool {
        unsafe { llvm::LLVMIsFunctionVarArg(llvm::LLVMGlobalGetValueType(self.0)) != 0 }
    }

    pub(crate) fn is_intrinsic(self) -> bool {
        unsafe { llvm::LLVMGetIntrinsicID(self.0) != 0 }
    }

    pub(crate) fn make_internal(self) {
        unsafe {
            llvm::LLVMSetVisibility(self.0, LLVMVisibility::LLVMDefaultVisibility);
            llvm::LLVMSetLinkage(self.0, LLVMLinkage::LLVMInternalLinkage);
        }
    }

    pub(crate) fn blocks(self) -> Vec<Block> {
        let first = unsafe { llvm::LLVMGetFirstBasicBlock(self.0) };
        std::iter::successors((!first.is_null()).then_some(first), |block| {
            let next = unsafe { llvm::LLVMGetNextBasicBlock(*block) };
            (!next.is_null()).then_some(next)
        })
        .map(Block)
        .collect()
    }

    /// Returns true if a function or a call has an attribute.
    pub(crate) fn has_attribute(self, name: &str) -> bool {
        let kind = unsafe { llvm::LLVMGetEnumAttributeKindForName(name.as_ptr().cast(), name.len()) };
        let at = inkwell::llvm_sys::LLVMAttributeFunctionIndex;
        unsafe {
            let attribute = if self.is_function() {
                llvm::LLVMGetEnumAttributeAtIndex(self.0, at, kind)
            } else {
                llvm::LLVMGetCallSiteEnumAttribute(self.0, at, kind)
            };
            !attribute.is_null()
        }
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

    pub(crate) fn remove_attribute(self, name: &str) {
        let at = inkwell::llvm_sys::LLVMAttributeFunctionIndex;
        unsafe {
            let kind = llvm::LLVMGetEnumAttributeKindForName(name.as_ptr().cast(), name.len());
            llvm::LLVMRemoveEnumAttributeAtIndex(self.0, at, kind);
        }
    }

    pub(crate) fn add_attribute(self, name: &str, value: u64) {
        let at = inkwell::llvm_sys::LLVMAttributeFunctionIndex;
        unsafe {
            let context = llvm::LLVMGetTypeContext(llvm::LLVMTypeOf(self.0));
            let kind = llvm::LLVMGetEnumAttributeKindForName(name.as_ptr().cast(), name.len());
            llvm::LLVMAddAttributeAtIndex(self.0, at, llvm::LLVMCreateEnumAttribute(context, kind, value));
        }
    }

    /// Puts a number in front of a function's code.
    pub(crate) fn set_prefix(self, number: Value) {
        unsafe { llvm::LLVMSetPrefixData(self.0, number.0) }
    }

    pub(crate) fn add_text_attribute(self, name: &str, value: &str) {
        let at = inkwell::llvm_sys::LLVMAttributeFunctionIndex;
        unsafe {
            let context = llvm::LLVMGetTypeContext(llvm::LLVMTypeOf(self.0));
            let attribute = llvm::LLVMCreateStringAttribute(
                context,
                name.as_ptr().cast(),
                name.len() as c_uint,
                value.as_ptr().cast(),
                value.len() as c_uint,
            );
            llvm::LLVMAddAttributeAtIndex(self.0, at, attribute);
        }
    }

    pub(crate) fn has_text_attribute(self, name: &str) -> bool {
        let at = inkwell::llvm_sys::LLVMAttributeFunctionIndex;
        let length = name.len() as c_uint;
        let found = unsafe { llvm::LLVMGetStringAttributeAtIndex(self.0, at, name.as_ptr().cast(), length) };
        !found.is_null()
    }

    /// Returns the size of the element that a pointer into an array points to; `None` for other values.
    pub(crate) fn element_size(self, module: &Module<'_>) -> Option<u64> {
        let is_element = self.opcode() == Some(Opcode::LLVMGetElementPtr) && self.operands().len() == 2;
        is_element.then(|| Type(unsafe { llvm::LLVMGetGEPSourceElementType(self.0) }).size(module))
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

    pub(crate) fn take_text_attribute(self, name: &str) -> Option<Attribute> {
        let at = inkwell::llvm_sys::LLVMAttributeFunctionIndex;
        let (text, length) = (name.as_ptr().cast(), name.len() as c_uint);
        unsafe {
            let found = llvm::LLVMGetStringAttributeAtIndex(self.0, at, text, length);
            llvm::LLVMRemoveStringAttributeAtIndex(self.0, at, text, length);
            (!found.is_null()).then_some(Attribute(found))
        }
    }

    pub(crate) fn give_back_attribute(self, Attribute(attribute): Attribute) {
        let at = inkwell::llvm_sys::LLVMAttributeFunctionIndex;
        unsafe { llvm::LLVMAddAttributeAtIndex(self.0, at, attribute) }
    }

    /// Returns true for a load or a store if others may see when it happens.
    pub(crate) fn is_volatile_or_atomic(self) -> bool {
        use inkwell::llvm_sys::LLVMAtomicOrdering::LLVMAtomicOrderingNotAtomic;
        unsafe {
            llvm::LLVMGetVolatile(self.0) != 0 || llvm::LLVMGetOrdering(self.0) != LLVMAtomicOrderingNotAtomic
        }
    }

    /// Returns the file and the line where a function is defined, according to its debug information.
    pub(crate) fn source(self) -> Option<(String, u32)> {
        unsafe {
            let program = debug::LLVMGetSubprogram(self.0);
            if program.is_null() {
                return None;
            }
            let file = debug::LLVMDIScopeGetFile(program);
            let line = debug::LLVMDISubprogramGetLine(program);
            if file.is_null() {
                return None;
            }
            let mut length = 0;
            let name = text(debug::LLVMDIFileGetFilename(file, &raw mut length), &length);
            let folder = text(debug::LLVMDIFileGetDirectory(file, &raw mut length), &length);
            let path =
                if name.starts_with('/') || folder.is_empty() { name } else { format!("{folder}/{name}") };
            Some((path, line))
        }
    }
}

/// Converts a text of LLVM. A null pointer stands for an empty one.
///
/// # Safety
/// `text` must be null or have `length` bytes.
unsafe fn text(text: *const i8, length: &u32) -> String {
    if text.is_null() {
        return String::new();
    }
    let bytes = unsafe { std::slice::from_raw_parts(text.cast(), *length as usize) };
    String::from_utf8_lossy(bytes).into_owned()
}

impl Block {
    /// Returns the function that contains the block.
    pub(crate) fn function(self) -> Value {
        Value(unsafe { llvm::LLVMGetBasicBlockParent(self.0) })
    }

    pub(crate) fn instructions(self) -> Vec<Value> {
        let first = unsafe { llvm::LLVMGetFirstInstruction(self.0) };
        std::iter::successors(Value::some(first), |of| of.next()).collect()
    }

    pub(crate) fn terminator(self) -> Value {
        Value(unsafe { llvm::LLVMGetBasicBlockTerminator(self.0) })
    }

    pub(crate) fn successors(self) -> Vec<Block> {
        let last = self.terminator();
        let count = unsafe { llvm::LLVMGetNumSuccessors(last.0) };
        (0..count).map(|index| Block(unsafe { llvm::LLVMGetSuccessor(last.0, index) })).collect()
    }

    /// Returns the first position where instructions can be inserted: behind phis and landing pads.
    pub(crate) fn first_insertion_point(self) -> Value {
        let is_fixed =
            |of: &Value| matches!(of.opcode(), Some(LLVMOpcode::LLVMPHI | LLVMOpcode::LLVMLandingPad));
        let all = self.instructions();
        all.iter().copied().find(|of| !is_fixed(of)).unwrap_or_else(|| self.terminator())
    }
}

impl Type {
    /// Returns the number of bytes that a load of the type reads; 0 if it is unknown.
    pub(crate) fn size(self, module: &Module<'_>) -> u64 {
        unsafe {
            let layout = layout::LLVMGetModuleDataLayout(module.as_mut_ptr());
            if llvm::LLVMTypeIsSized(self.0) == 0 { 0 } else { layout::LLVMStoreSizeOfType(layout, self.0) }
        }
    }

    pub(crate) fn is_integer(self) -> bool {
        unsafe {
            llvm::LLVMGetTypeKind(self.0) == inkwell::llvm_sys::LLVMTypeKind::LLVMIntegerTypeKind
                && llvm::LLVMGetIntTypeWidth(self.0) <= 64
        }
    }

    pub(crate) fn is_thin_pointer(self) -> bool {
        unsafe {
            llvm::LLVMGetTypeKind(self.0) == inkwell::llvm_sys::LLVMTypeKind::LLVMPointerTypeKind
                && llvm::LLVMGetPointerAddressSpace(self.0) == 0
        }
    }
}

/// Sets options of LLVM for the whole process.
pub(crate) fn set_options(options: &[&CStr]) {
    let words: Vec<_> = [c"trend-probe"].iter().chain(options).map(|word| word.as_ptr()).collect();
    let count = words.len() as c_int;
    unsafe {
        inkwell::llvm_sys::support::LLVMParseCommandLineOptions(count, words.as_ptr(), std::ptr::null());
    }
}

/// Returns all functions of a module.
pub(crate) fn functions(module: &Module<'_>) -> Vec<Value> {
    let first = unsafe { llvm::LLVMGetFirstFunction(module.as_mut_ptr()) };
    std::iter::successors((!first.is_null()).then_some(first), |of| {
        let next = unsafe { llvm::LLVMGetNextFunction(*of) };
        (!next.is_null()).then_some(next)
    })
    .map(Value)
    .collect()
}

/// Returns the functions that choose, while the program is loaded, the target of a name.
pub(crate) fn resolvers(module: &Module<'_>) -> Vec<Value> {
    let first = unsafe { llvm::LLVMGetFirstGlobalIFunc(module.as_mut_ptr()) };
    std::iter::successors((!first.is_null()).then_some(first), |of| {
        let next = unsafe { llvm::LLVMGetNextGlobalIFunc(*of) };
        (!next.is_null()).then_some(next)
    })
    .map(|chosen| Value(unsafe { llvm::LLVMGetGlobalIFuncResolver(chosen) }))
    .collect()
}

/// Returns the function with a name.
pub(crate) fn function(module: &Module<'_>, name: &str) -> Option<Value> {
    let name = CString::new(name).ok()?;
    let found = unsafe { llvm::LLVMGetNamedFunction(module.as_mut_ptr(), name.as_ptr()) };
    (!found.is_null()).then_some(Value(found))
}
