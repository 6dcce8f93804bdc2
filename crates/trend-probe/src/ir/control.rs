//! Changes the control flow of a function: code before it, exceptions that leave it, and back edges.

use std::ffi::{CString, c_uint};

use inkwell::llvm_sys::core as llvm;
use inkwell::llvm_sys::debuginfo as debug;
use inkwell::llvm_sys::prelude::LLVMValueRef;

use super::builder::Builder;
use super::value::{Block, Opcode, Type, Value};

/// Removes the `llvm.loop` metadata of branches with several targets. If a back edge was split, the branch of its new
/// block has the same metadata. While both have it, the optimizer keeps the new block, even if it is empty.
pub(crate) fn forget_split_back_edges(function: Value) {
    for end in function.blocks().into_iter().map(Block::terminator) {
        if end.block().successors().len() > 1 {
            unsafe {
                let context = llvm::LLVMGetTypeContext(llvm::LLVMTypeOf(end.0));
                let kind = llvm::LLVMGetMDKindIDInContext(context, c"llvm.loop".as_ptr(), 9);
                llvm::LLVMSetMetadata(end.0, kind, std::ptr::null_mut());
            }
        }
    }
}

impl Builder {
    /// Inserts a branch before a function's code: if a call of `is_met` returns true, control goes to a new block.
    /// The builder is left in this block, which the caller must end. Variables stay those of the whole function.
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

    /// Returns a function that calls `hook` unless its first parameter is 0. The other parameters are those of `hook`.
    /// Adds the function to the module if it is not there yet.
    pub(crate) fn only_if(&self, hook: Value) -> Value {
        let name = format!("{}.if", hook.name());
        let c_name = CString::new(name.as_str()).expect("names of hooks have no zero");
        let known = unsafe { llvm::LLVMGetNamedFunction(self.module, c_name.as_ptr()) };
        if !known.is_null() {
            return Value(known);
        }
        let of_hook = hook.parameters().into_iter().map(Value::ty);
        let parameters: Vec<Type> = std::iter::once(self.int64()).chain(of_hook).collect();
        let function = self.declare(&name, &parameters);
        function.make_internal();
        function.add_attribute("alwaysinline", 0);
        function.add_attribute("nounwind", 0);
        unsafe {
            let inside = Self {
                position: llvm::LLVMCreateBuilderInContext(self.context),
                context: self.context,
                module: self.module,
            };
            let [entry, watch, done] =
                [(); 3].map(|()| llvm::LLVMAppendBasicBlockInContext(self.context, function.0, c"".as_ptr()));
            llvm::LLVMPositionBuilderAtEnd(inside.position, entry);
            let parameters = function.parameters();
            let is_first = llvm::LLVMBuildIsNotNull(inside.position, parameters[0].0, c"".as_ptr());
            llvm::LLVMBuildCondBr(inside.position, is_first, watch, done);
            llvm::LLVMPositionBuilderAtEnd(inside.position, watch);
            inside.call(hook, &parameters[1..]);
            llvm::LLVMBuildBr(inside.position, done);
            llvm::LLVMPositionBuilderAtEnd(inside.position, done);
            llvm::LLVMBuildRetVoid(inside.position);
            function
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

    /// Calls a function from within, with its own parameters and their attributes.
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

    /// Returns from the function with the result of a call.
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

    /// Creates the block that exceptions leaving a function go through. Leaves the builder before the end of that
    /// block.
    pub(crate) fn where_exceptions_leave(&self, function: Value) -> Block {
        unsafe {
            let mut personality = Value(std::ptr::null_mut());
            if llvm::LLVMHasPersonalityFn(function.0) != 0 {
                personality = Value(llvm::LLVMGetPersonalityFn(function.0));
            }
            if personality.0.is_null() {
                let name = c"__gcc_personality_v0".as_ptr();
                personality = Value(llvm::LLVMGetNamedFunction(self.module, name));
                if personality.0.is_null() {
                    let ty = llvm::LLVMFunctionType(self.int32().0, std::ptr::null_mut(), 0, 1);
                    personality = Value(llvm::LLVMAddFunction(self.module, name, ty));
                }
            }
            let block = llvm::LLVMAppendBasicBlockInContext(self.context, function.0, c"".as_ptr());
            llvm::LLVMPositionBuilderAtEnd(self.position, block);
            llvm::LLVMSetCurrentDebugLocation2(self.position, std::ptr::null_mut());
            let mut parts = [llvm::LLVMPointerTypeInContext(self.context, 0), self.int32().0];
            let ty = llvm::LLVMStructTypeInContext(self.context, parts.as_mut_ptr(), 2, 0);
            let pad = llvm::LLVMBuildLandingPad(self.position, ty, personality.0, 0, c"".as_ptr());
            llvm::LLVMSetCleanup(pad, 1);
            let resume = llvm::LLVMBuildResume(self.position, pad);
            llvm::LLVMPositionBuilderBefore(self.position, resume);
            Block(block)
        }
    }

    /// Makes a call branch to a block if it throws. The instructions before the call become a separate block.
    pub(crate) fn catch(&self, call: Value, handler: Block) {
        let rest = call.block();
        unsafe {
            let front = llvm::LLVMInsertBasicBlockInContext(self.context, rest.0, c"".as_ptr());
            llvm::LLVMSetCurrentDebugLocation2(self.position, std::ptr::null_mut());
            // Predecessors of the block now branch to its front. Its successors must keep it as their predecessor, so
            // its terminator is taken out meanwhile.
            let end = rest.terminator();
            llvm::LLVMInstructionRemoveFromParent(end.0);
            llvm::LLVMReplaceAllUsesWith(
                llvm::LLVMBasicBlockAsValue(rest.0),
                llvm::LLVMBasicBlockAsValue(front),
            );
            llvm::LLVMPositionBuilderAtEnd(self.position, rest.0);
            llvm::LLVMInsertIntoBuilder(self.position, end.0);
            llvm::LLVMPositionBuilderAtEnd(self.position, front);
            for instruction in rest.instructions().into_iter().take_while(|of| *of != call) {
                llvm::LLVMInstructionRemoveFromParent(instruction.0);
                llvm::LLVMInsertIntoBuilder(self.position, instruction.0);
            }
            llvm::LLVMSetCurrentDebugLocation2(self.position, debug::LLVMInstructionGetDebugLoc(call.0));
            let mut arguments: Vec<_> = (0..call.arguments()).map(|index| call.operand(index).0).collect();
            let mut bundles: Vec<_> = (0..llvm::LLVMGetNumOperandBundles(call.0))
                .map(|index| llvm::LLVMGetOperandBundleAtIndex(call.0, index))
                .collect();
            let invoke = llvm::LLVMBuildInvokeWithOperandBundles(
                self.position,
                llvm::LLVMGetCalledFunctionType(call.0),
                llvm::LLVMGetCalledValue(call.0),
                arguments.as_mut_ptr(),
                arguments.len() as c_uint,
                rest.0,
                handler.0,
                bundles.as_mut_ptr(),
                bundles.len() as c_uint,
                c"".as_ptr(),
            );
            for bundle in bundles {
                llvm::LLVMDisposeOperandBundle(bundle);
            }
            llvm::LLVMSetInstructionCallConv(invoke, llvm::LLVMGetInstructionCallConv(call.0));
            // Copies the attributes of the function, of its result, and of its arguments.
            for index in (0..=arguments.len() as c_uint).chain([c_uint::MAX]) {
                let count = llvm::LLVMGetCallSiteAttributeCount(call.0, index) as usize;
                let mut attributes = vec![std::ptr::null_mut(); count];
                llvm::LLVMGetCallSiteAttributes(call.0, index, attributes.as_mut_ptr());
                for attribute in attributes {
                    llvm::LLVMAddCallSiteAttribute(invoke, index, attribute);
                }
            }
            llvm::LLVMReplaceAllUsesWith(call.0, invoke);
        }
        call.remove();
    }

    /// Redirects the branches of some blocks to `to` through a new block. Returns the branch of the new block.
    pub(crate) fn gather(&self, ends: &[Value], to: Block) -> Value {
        let from: Vec<Block> = ends.iter().map(|end| end.block()).collect();
        let phis: Vec<Value> =
            to.instructions().into_iter().take_while(|of| of.opcode() == Some(Opcode::LLVMPHI)).collect();
        unsafe {
            let last = from.last().expect("some blocks go there").0;
            let between = Block(llvm::LLVMInsertBasicBlockInContext(self.context, to.0, c"".as_ptr()));
            llvm::LLVMMoveBasicBlockAfter(between.0, last);
            let line = debug::LLVMInstructionGetDebugLoc(to.first_insertion_point().0);
            llvm::LLVMPositionBuilderAtEnd(self.position, between.0);
            llvm::LLVMSetCurrentDebugLocation2(self.position, line);
            let branch = Value(llvm::LLVMBuildBr(self.position, to.0));
            for old in phis {
                let (inside, mut outside): (Vec<_>, Vec<_>) =
                    old.incoming().into_iter().partition(|(_, block)| from.contains(block));
                outside.push((self.before(branch).phi(old.ty(), &inside), between));
                let new = self.before(old).phi(old.ty(), &outside);
                llvm::LLVMReplaceAllUsesWith(old.0, new.0);
                old.remove();
            }
            for end in ends {
                for (index, _) in (0..).zip(end.block().successors()).filter(|(_, way)| *way == to) {
                    llvm::LLVMSetSuccessor(end.0, index, between.0);
                }
            }
            branch
        }
    }

    fn phi(&self, ty: Type, incoming: &[(Value, Block)]) -> Value {
        let mut values: Vec<_> = incoming.iter().map(|(value, _)| value.0).collect();
        let mut blocks: Vec<_> = incoming.iter().map(|(_, block)| block.0).collect();
        unsafe {
            let phi = llvm::LLVMBuildPhi(self.position, ty.0, c"".as_ptr());
            let count = incoming.len() as c_uint;
            llvm::LLVMAddIncoming(phi, values.as_mut_ptr(), blocks.as_mut_ptr(), count);
            Value(phi)
        }
    }
}
