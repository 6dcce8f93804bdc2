//! LLVM's values as the probe sees them: small handles, valid as long as their module.
//!
//! inkwell wraps contexts, modules and passes; what it has for instructions is made for generating code and not for
//! changing it, so that these handles call the C API themselves.
#![expect(unsafe_code, reason = "LLVM has a C API")]
#![expect(
    clippy::undocumented_unsafe_blocks,
    reason = "each block is a call of the C API with handles that are valid as long as the module, which outlives them"
)]

use std::ffi::{CStr, CString, c_uint};

use inkwell::llvm_sys::LLVMOpcode;
use inkwell::llvm_sys::core as llvm;
use inkwell::llvm_sys::debuginfo as debug;
use inkwell::llvm_sys::prelude::{LLVMBasicBlockRef, LLVMBuilderRef, LLVMTypeRef, LLVMValueRef};
use inkwell::llvm_sys::target as layout;
use inkwell::llvm_sys::{LLVMIntPredicate, LLVMLinkage, LLVMValueKind, LLVMVisibility};
use inkwell::module::Module;

pub(crate) use inkwell::llvm_sys::LLVMOpcode as Opcode;

/// A value, an instruction or a function.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Value(pub(crate) LLVMValueRef);

/// A basic block.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Block(pub(crate) LLVMBasicBlockRef);

/// A type.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Type(pub(crate) LLVMTypeRef);

// SAFETY for all that follows: handles come from one module that outlives them, are used by one thread, and each
// function is called for the kinds of values that it is for.
impl Value {
    fn some(value: LLVMValueRef) -> Option<Self> {
        (!value.is_null()).then_some(Self(value))
    }

    /// What an instruction does; `None` of what is none.
    pub(crate) fn opcode(self) -> Option<Opcode> {
        unsafe {
            (!llvm::LLVMIsAInstruction(self.0).is_null()).then(|| llvm::LLVMGetInstructionOpcode(self.0))
        }
    }

    /// Whether it is a pointer that is computed from its first operand, by an instruction or as a constant.
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

    /// The instructions and constants that have it as an operand.
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

    /// The bytes to which the pointer of a load or a store is aligned.
    pub(crate) fn alignment(self) -> u64 {
        u64::from(unsafe { llvm::LLVMGetAlignment(self.0) })
    }

    /// An integer that is known when the program is built.
    pub(crate) fn constant(self) -> Option<u64> {
        unsafe {
            let is_integer = !llvm::LLVMIsAConstantInt(self.0).is_null();
            is_integer.then(|| llvm::LLVMConstIntGetZExtValue(self.0))
        }
    }

    /// The constant text that a pointer points to, where it has the type of one.
    pub(crate) fn text(self) -> Option<String> {
        unsafe {
            if !self.is_global_variable() || llvm::LLVMIsGlobalConstant(self.0) == 0 {
                return None;
            }
            let contents = llvm::LLVMGetInitializer(self.0);
            // What is all zero is none, and must not be taken for one.
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

    /// The function that a call names; `None` where it calls a pointer.
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

    /// Whether it is a call of inline assembly.
    pub(crate) fn is_assembly(self) -> bool {
        unsafe { !llvm::LLVMIsAInlineAsm(llvm::LLVMGetCalledValue(self.0)).is_null() }
    }

    pub(crate) fn normal_destination(self) -> Block {
        Block(unsafe { llvm::LLVMGetNormalDest(self.0) })
    }

    // Of functions.

    pub(crate) fn is_declaration(self) -> bool {
        unsafe { llvm::LLVMIsDeclaration(self.0) != 0 }
    }

    pub(crate) fn linkage(self) -> LLVMLinkage {
        unsafe { llvm::LLVMGetLinkage(self.0) }
    }

    pub(crate) fn parameter(self, index: u32) -> Value {
        Self(unsafe { llvm::LLVMGetParam(self.0, index) })
    }

    /// Parameters of a function.
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

    /// Of a function or of a call.
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

    /// How a call says that the pointer it passes is aligned, in bytes; 1 where it does not.
    pub(crate) fn alignment_of_argument(self, index: u32) -> u64 {
        unsafe {
            let kind = llvm::LLVMGetEnumAttributeKindForName(c"align".as_ptr(), 5);
            // 0 is what is returned.
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

    /// Of a load or a store: whether others may see when it happens.
    pub(crate) fn is_volatile_or_atomic(self) -> bool {
        use inkwell::llvm_sys::LLVMAtomicOrdering::LLVMAtomicOrderingNotAtomic;
        unsafe {
            llvm::LLVMGetVolatile(self.0) != 0 || llvm::LLVMGetOrdering(self.0) != LLVMAtomicOrderingNotAtomic
        }
    }

    /// The file and the line where a function is defined, as its debug information says.
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

/// A text of LLVM's; an empty one may be null.
///
/// # Safety
/// `text` is null or has `length` bytes.
unsafe fn text(text: *const i8, length: &u32) -> String {
    if text.is_null() {
        return String::new();
    }
    let bytes = unsafe { std::slice::from_raw_parts(text.cast(), *length as usize) };
    String::from_utf8_lossy(bytes).into_owned()
}

impl Block {
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

    /// Where instructions can be put in: behind phis and what receives an exception.
    pub(crate) fn first_insertion_point(self) -> Value {
        let is_fixed =
            |of: &Value| matches!(of.opcode(), Some(LLVMOpcode::LLVMPHI | LLVMOpcode::LLVMLandingPad));
        let all = self.instructions();
        all.iter().copied().find(|of| !is_fixed(of)).unwrap_or_else(|| self.terminator())
    }
}

impl Type {
    /// Bytes that a load of it reads; 0 where that is not known.
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

/// Puts instructions into a module.
pub(crate) struct Builder {
    pub(crate) position: LLVMBuilderRef,
    pub(crate) context: inkwell::llvm_sys::prelude::LLVMContextRef,
    pub(crate) module: inkwell::llvm_sys::prelude::LLVMModuleRef,
}

impl Builder {
    pub(crate) fn new(module: &Module<'_>) -> Self {
        let module = module.as_mut_ptr();
        unsafe {
            let context = llvm::LLVMGetModuleContext(module);
            Self { position: llvm::LLVMCreateBuilderInContext(context), context, module }
        }
    }

    /// In front of an instruction.
    pub(crate) fn before(&self, instruction: Value) -> &Self {
        unsafe {
            llvm::LLVMPositionBuilderBefore(self.position, instruction.0);
            // What has no line of its own must not take that of its neighbour.
            llvm::LLVMSetCurrentDebugLocation2(self.position, std::ptr::null_mut());
            let location = debug::LLVMInstructionGetDebugLoc(instruction.0);
            llvm::LLVMSetCurrentDebugLocation2(self.position, location);
        }
        self
    }

    pub(crate) fn int32(&self) -> Type {
        Type(unsafe { llvm::LLVMInt32TypeInContext(self.context) })
    }

    pub(crate) fn int64(&self) -> Type {
        Type(unsafe { llvm::LLVMInt64TypeInContext(self.context) })
    }

    #[expect(clippy::unused_self, reason = "constants are made where instructions are")]
    pub(crate) fn constant(&self, ty: Type, value: u64) -> Value {
        Value(unsafe { llvm::LLVMConstInt(ty.0, value, 0) })
    }

    pub(crate) fn variable(&self, ty: Type) -> Value {
        Value(unsafe { llvm::LLVMBuildAlloca(self.position, ty.0, c"".as_ptr()) })
    }

    pub(crate) fn load(&self, ty: Type, from: Value) -> Value {
        Value(unsafe { llvm::LLVMBuildLoad2(self.position, ty.0, from.0, c"".as_ptr()) })
    }

    pub(crate) fn store(&self, value: Value, into: Value) {
        unsafe { llvm::LLVMBuildStore(self.position, value.0, into.0) };
    }

    pub(crate) fn add(&self, a: Value, b: Value) -> Value {
        Value(unsafe { llvm::LLVMBuildAdd(self.position, a.0, b.0, c"".as_ptr()) })
    }

    pub(crate) fn multiply(&self, a: Value, b: Value) -> Value {
        Value(unsafe { llvm::LLVMBuildMul(self.position, a.0, b.0, c"".as_ptr()) })
    }

    /// An integer of 64 bits, of one without a sign.
    pub(crate) fn widened(&self, value: Value) -> Value {
        Value(unsafe { llvm::LLVMBuildIntCast2(self.position, value.0, self.int64().0, 0, c"".as_ptr()) })
    }

    /// `value` where that is positive, and 0 otherwise: what a call returns of which -1 says that it failed.
    pub(crate) fn positive(&self, value: Value) -> Value {
        let wide = unsafe {
            Value(llvm::LLVMBuildIntCast2(self.position, value.0, self.int64().0, 1, c"".as_ptr()))
        };
        let zero = self.constant(self.int64(), 0);
        self.select(LLVMIntPredicate::LLVMIntSGT, [wide, zero], wide, zero)
    }

    /// `value` where a call returned 0, and 0 otherwise.
    pub(crate) fn if_zero(&self, call: Value, value: Value) -> Value {
        let zero = self.constant(self.int64(), 0);
        self.select(LLVMIntPredicate::LLVMIntEQ, [self.widened(call), zero], value, zero)
    }

    /// The lesser of two numbers without signs.
    pub(crate) fn lesser(&self, a: Value, b: Value) -> Value {
        self.select(LLVMIntPredicate::LLVMIntULT, [a, b], a, b)
    }

    /// 1 where the first number is less than the second, both without signs, and 0 otherwise.
    pub(crate) fn less(&self, a: Value, b: Value) -> Value {
        let [no, yes] = [0, 1].map(|number| self.constant(self.int64(), number));
        self.select(LLVMIntPredicate::LLVMIntULT, [a, b], yes, no)
    }

    fn select(&self, predicate: LLVMIntPredicate, [a, b]: [Value; 2], yes: Value, no: Value) -> Value {
        unsafe {
            let is_so = llvm::LLVMBuildICmp(self.position, predicate, a.0, b.0, c"".as_ptr());
            Value(llvm::LLVMBuildSelect(self.position, is_so, yes.0, no.0, c"".as_ptr()))
        }
    }

    pub(crate) fn call(&self, function: Value, arguments: &[Value]) -> Value {
        let mut arguments: Vec<LLVMValueRef> = arguments.iter().map(|a| a.0).collect();
        unsafe {
            let ty = llvm::LLVMGlobalGetValueType(function.0);
            let count = arguments.len() as c_uint;
            let call = llvm::LLVMBuildCall2(
                self.position,
                ty,
                function.0,
                arguments.as_mut_ptr(),
                count,
                c"".as_ptr(),
            );
            llvm::LLVMSetInstructionCallConv(call, llvm::LLVMGetFunctionCallConv(function.0));
            Value(call)
        }
    }

    /// Puts code in front of all of a function's: a call of `is_met` decides whether the builder is left where that holds, in a
    /// block that the caller has to end. Variables stay those of the whole function.
    pub(crate) fn before_all_if(&self, function: Value, is_met: Value) {
        let body = function.blocks()[0];
        let variables: Vec<Value> = body
            .instructions()
            .into_iter()
            .take_while(|of| of.opcode() == Some(Opcode::LLVMAlloca))
            .collect();
        unsafe {
            let [entry, met] =
                [(); 2].map(|()| llvm::LLVMInsertBasicBlockInContext(self.context, body.0, c"".as_ptr()));
            llvm::LLVMPositionBuilderAtEnd(self.position, entry);
            let scope = debug::LLVMGetSubprogram(function.0);
            let location = if scope.is_null() {
                std::ptr::null_mut()
            } else {
                let line = debug::LLVMDISubprogramGetLine(scope);
                let nowhere = std::ptr::null_mut();
                debug::LLVMDIBuilderCreateDebugLocation(self.context, line, 0, scope, nowhere)
            };
            llvm::LLVMSetCurrentDebugLocation2(self.position, location);
            for variable in variables {
                llvm::LLVMInstructionRemoveFromParent(variable.0);
                llvm::LLVMInsertIntoBuilder(self.position, variable.0);
            }
            let is_met = self.call(is_met, &[]);
            let branch = llvm::LLVMBuildCondBr(self.position, is_met.0, met, body.0);
            self.make_unlikely(branch);
            llvm::LLVMPositionBuilderAtEnd(self.position, met);
        }
    }

    unsafe fn make_unlikely(&self, branch: LLVMValueRef) {
        unsafe {
            let weight = |of: u64| llvm::LLVMValueAsMetadata(self.constant(self.int32(), of).0);
            let name = "branch_weights";
            let name = llvm::LLVMMDStringInContext2(self.context, name.as_ptr().cast(), name.len());
            let mut parts = [name, weight(1), weight(2000)];
            let weights = llvm::LLVMMDNodeInContext2(self.context, parts.as_mut_ptr(), parts.len());
            let kind = llvm::LLVMGetMDKindIDInContext(self.context, c"prof".as_ptr(), 4);
            llvm::LLVMSetMetadata(branch, kind, llvm::LLVMMetadataAsValue(self.context, weights));
        }
    }

    /// Calls a function with its own parameters from within, and what they are passed like.
    pub(crate) fn call_again(&self, function: Value) -> Value {
        let parameters = function.parameters();
        let call = self.call(function, &parameters);
        for index in 0..=parameters.len() as c_uint {
            unsafe {
                let count = llvm::LLVMGetAttributeCountAtIndex(function.0, index) as usize;
                let mut attributes = vec![std::ptr::null_mut(); count];
                llvm::LLVMGetAttributesAtIndex(function.0, index, attributes.as_mut_ptr());
                for attribute in attributes {
                    llvm::LLVMAddCallSiteAttribute(call.0, index, attribute);
                }
            }
        }
        call
    }

    /// Returns what a call of the function returned.
    pub(crate) fn give_back(&self, call: Value) {
        unsafe {
            let void = llvm::LLVMVoidTypeInContext(self.context);
            if llvm::LLVMTypeOf(call.0) == void {
                llvm::LLVMBuildRetVoid(self.position);
            } else {
                llvm::LLVMBuildRet(self.position, call.0);
            }
        }
    }

    /// The address so many bytes behind a pointer.
    pub(crate) fn offset(&self, pointer: Value, bytes: u64) -> Value {
        if bytes == 0 {
            return pointer;
        }
        unsafe {
            let byte = llvm::LLVMInt8TypeInContext(llvm::LLVMGetModuleContext(self.module));
            let mut index = self.constant(self.int64(), bytes).0;
            let name = c"".as_ptr();
            Value(llvm::LLVMBuildGEP2(self.position, byte, pointer.0, &raw mut index, 1, name))
        }
    }

    /// A function of the runtime for what a model tells: frame, mask, size of a cell, and three numbers; it gives how many
    /// cells were new.
    pub(crate) fn model(&self, name: &str) -> Value {
        let name = CString::new(format!("trend_probe_4_{name}")).expect("names of models have no zero");
        unsafe {
            let known = llvm::LLVMGetNamedFunction(self.module, name.as_ptr());
            if !known.is_null() {
                return Value(known);
            }
            let (long, short) = (self.int64().0, self.int32().0);
            let pointer = llvm::LLVMPointerTypeInContext(self.context, 0);
            let mut parameters = [pointer, long, short, long, long, long];
            let ty = llvm::LLVMFunctionType(long, parameters.as_mut_ptr(), parameters.len() as c_uint, 0);
            Value(llvm::LLVMAddFunction(self.module, name.as_ptr(), ty))
        }
    }

    /// A pointer as a number.
    pub(crate) fn address(&self, pointer: Value) -> Value {
        Value(unsafe { llvm::LLVMBuildPtrToInt(self.position, pointer.0, self.int64().0, c"".as_ptr()) })
    }

    /// A function that is only declared: nothing, of these types.
    pub(crate) fn declare(&self, name: &str, parameters: &[Type]) -> Value {
        let name = CString::new(name).expect("names of hooks have no zero");
        let mut parameters: Vec<LLVMTypeRef> = parameters.iter().map(|p| p.0).collect();
        unsafe {
            let void = llvm::LLVMVoidTypeInContext(self.context);
            let count = parameters.len() as c_uint;
            let ty = llvm::LLVMFunctionType(void, parameters.as_mut_ptr(), count, 0);
            Value(llvm::LLVMAddFunction(self.module, name.as_ptr(), ty))
        }
    }

    /// A constant array of bytes, of this module alone.
    pub(crate) fn text(&self, text: &str) -> Value {
        unsafe {
            let constant = llvm::LLVMConstStringInContext2(self.context, text.as_ptr().cast(), text.len(), 1);
            let global = llvm::LLVMAddGlobal(self.module, llvm::LLVMTypeOf(constant), c"trend.text".as_ptr());
            llvm::LLVMSetInitializer(global, constant);
            llvm::LLVMSetGlobalConstant(global, 1);
            llvm::LLVMSetLinkage(global, LLVMLinkage::LLVMPrivateLinkage);
            Value(global)
        }
    }

    /// A variable of this module, with a struct of these values.
    pub(crate) fn record(&self, name: &CStr, values: &[Value]) -> Value {
        let mut values: Vec<LLVMValueRef> = values.iter().map(|v| v.0).collect();
        unsafe {
            let count = values.len() as c_uint;
            let constant = llvm::LLVMConstStructInContext(self.context, values.as_mut_ptr(), count, 0);
            let global = llvm::LLVMAddGlobal(self.module, llvm::LLVMTypeOf(constant), name.as_ptr());
            llvm::LLVMSetInitializer(global, constant);
            llvm::LLVMSetLinkage(global, LLVMLinkage::LLVMPrivateLinkage);
            Value(global)
        }
    }
}

impl Drop for Builder {
    fn drop(&mut self) {
        unsafe { llvm::LLVMDisposeBuilder(self.position) };
    }
}

/// Lets the pass `instrprof` update counters atomically. It holds for the process.
pub(crate) fn update_counters_atomically() {
    let words = [c"trend-probe".as_ptr(), c"-instrprof-atomic-counter-update-all".as_ptr()];
    unsafe {
        inkwell::llvm_sys::support::LLVMParseCommandLineOptions(2, words.as_ptr(), std::ptr::null());
    }
}

/// All functions of a module.
pub(crate) fn functions(module: &Module<'_>) -> Vec<Value> {
    let first = unsafe { llvm::LLVMGetFirstFunction(module.as_mut_ptr()) };
    std::iter::successors((!first.is_null()).then_some(first), |of| {
        let next = unsafe { llvm::LLVMGetNextFunction(*of) };
        (!next.is_null()).then_some(next)
    })
    .map(Value)
    .collect()
}

/// The functions that choose, while the program is loaded, which one a name stands for.
pub(crate) fn resolvers(module: &Module<'_>) -> Vec<Value> {
    let first = unsafe { llvm::LLVMGetFirstGlobalIFunc(module.as_mut_ptr()) };
    std::iter::successors((!first.is_null()).then_some(first), |of| {
        let next = unsafe { llvm::LLVMGetNextGlobalIFunc(*of) };
        (!next.is_null()).then_some(next)
    })
    .map(|chosen| Value(unsafe { llvm::LLVMGetGlobalIFuncResolver(chosen) }))
    .collect()
}

/// The function of that name.
pub(crate) fn function(module: &Module<'_>, name: &str) -> Option<Value> {
    let name = CString::new(name).ok()?;
    let found = unsafe { llvm::LLVMGetNamedFunction(module.as_mut_ptr(), name.as_ptr()) };
    (!found.is_null()).then_some(Value(found))
}
