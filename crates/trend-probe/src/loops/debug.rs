//! Reads debug information: variables, types, lines. LLVM's C API has little for it, so nodes are read by their
//! operands, with the positions of LLVM 22.
#![expect(unsafe_code, reason = "LLVM has a C API")]
#![expect(
    clippy::undocumented_unsafe_blocks,
    reason = "each block is a call of the C API with handles that are valid as long as the module, which outlives them"
)]

use std::collections::HashMap;
use std::ffi::CStr;

use inkwell::llvm_sys::LLVMDbgRecordKind::LLVMDbgRecordDeclare;
use inkwell::llvm_sys::LLVMDbgRecordKind::LLVMDbgRecordValue;
use inkwell::llvm_sys::core as llvm;
use inkwell::llvm_sys::debuginfo::{self as api, LLVMMetadataKind};
use inkwell::llvm_sys::prelude::{LLVMContextRef, LLVMMetadataRef, LLVMValueRef};
use inkwell::module::Module;

use crate::ir::{Opcode, Value};

/// A node of debug information.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Node {
    node: LLVMMetadataRef,
    context: LLVMContextRef,
}

/// DWARF tags of the types that are used here.
mod tag {
    pub(super) const ARRAY: u16 = 0x01;
    pub(super) const CLASS: u16 = 0x02;
    pub(super) const MEMBER: u16 = 0x0d;
    pub(super) const POINTER: u16 = 0x0f;
    pub(super) const REFERENCE: u16 = 0x10;
    pub(super) const STRUCTURE: u16 = 0x13;
    pub(super) const UNION: u16 = 0x17;
    pub(super) const INHERITANCE: u16 = 0x1c;
    pub(super) const RVALUE_REFERENCE: u16 = 0x42;
}

/// Record of debug information: a value is a variable, a part of one, or the address of one.
#[derive(Clone, Debug)]
pub(crate) struct Said {
    pub(crate) value: Value,
    pub(crate) variable: Node,
    /// True if the value is the address of the variable.
    pub(crate) is_address: bool,
    /// First bit of the part of the variable; `None` for all of it.
    pub(crate) part: Option<u64>,
    /// True if the variable belongs to a function that was inlined here.
    pub(crate) is_inlined: bool,
    /// True if that function is in another file.
    pub(crate) is_of_other_file: bool,
    /// Scope in which the variable is declared.
    pub(crate) scope: Option<Node>,
}

/// A variable of a closure, in the target of a parameter.
#[derive(Clone, Debug)]
pub(crate) struct Capture {
    pub(crate) parameter: Value,
    pub(crate) bytes: i64,
    /// True if the closure has a pointer to the variable, and not the variable itself.
    pub(crate) is_by_reference: bool,
    pub(crate) variable: Node,
}

/// A member of a structure.
pub(crate) struct Member {
    pub(crate) name: String,
    /// Name of the structure that contains it.
    pub(crate) of: String,
    /// Index of the element, if the member is an array.
    pub(crate) index: Option<String>,
}

impl Member {
    fn new(name: String, of: Node) -> Self {
        Self { name, of: of.type_name().unwrap_or_default(), index: None }
    }
}

impl Node {
    fn some(node: LLVMMetadataRef, context: LLVMContextRef) -> Option<Self> {
        (!node.is_null()).then_some(Self { node, context })
    }

    fn kind(self) -> LLVMMetadataKind {
        unsafe { api::LLVMGetMetadataKind(self.node) }
    }

    fn tag(self) -> u16 {
        unsafe { api::LLVMGetDINodeTag(self.node) }
    }

    fn value(self) -> LLVMValueRef {
        unsafe { llvm::LLVMMetadataAsValue(self.context, self.node) }
    }

    fn operands(self) -> Vec<LLVMValueRef> {
        let value = self.value();
        let count = unsafe { llvm::LLVMGetMDNodeNumOperands(value) };
        let mut operands = vec![std::ptr::null_mut(); count as usize];
        unsafe { llvm::LLVMGetMDNodeOperands(value, operands.as_mut_ptr()) };
        operands
    }

    fn operand(self, index: usize) -> Option<Self> {
        let operand = *self.operands().get(index)?;
        if operand.is_null() {
            return None;
        }
        Self::some(unsafe { llvm::LLVMValueAsMetadata(operand) }, self.context)
    }

    fn text(self, index: usize) -> Option<String> {
        let operand = *self.operands().get(index)?;
        if operand.is_null() {
            return None;
        }
        let mut length = 0;
        unsafe {
            let text = llvm::LLVMGetMDString(operand, &raw mut length);
            if text.is_null() {
                return None;
            }
            let bytes = std::slice::from_raw_parts(text.cast(), length as usize);
            Some(String::from_utf8_lossy(bytes).into_owned()).filter(|name| !name.is_empty())
        }
    }

    // The following methods are for variables.

    /// Returns the name of a variable.
    pub(crate) fn variable_name(self) -> Option<String> {
        self.text(1)
    }

    /// Returns the type of a variable.
    pub(crate) fn variable_type(self) -> Option<Self> {
        self.operand(3)
    }

    // The following methods are for types.

    /// Returns the name of a type.
    pub(crate) fn type_name(self) -> Option<String> {
        self.text(2)
    }

    fn is_derived(self) -> bool {
        matches!(self.kind(), LLVMMetadataKind::LLVMDIDerivedTypeMetadataKind)
    }

    fn is_composite(self) -> bool {
        matches!(self.kind(), LLVMMetadataKind::LLVMDICompositeTypeMetadataKind)
    }

    /// Returns the type that a derived type is derived from; for a member, its type.
    fn base(self) -> Option<Self> {
        self.operand(BASE)
    }

    /// Returns the type without typedefs and qualifiers.
    pub(crate) fn plain(self) -> Self {
        let mut ty = self;
        for _ in 0..32 {
            let is_other = ty.is_derived()
                && ![tag::POINTER, tag::REFERENCE, tag::RVALUE_REFERENCE, tag::MEMBER, tag::INHERITANCE]
                    .contains(&ty.tag());
            match ty.base().filter(|_| is_other) {
                Some(base) => ty = base,
                None => break,
            }
        }
        ty
    }

    /// Returns the target of a pointer or a reference.
    pub(crate) fn pointee(self) -> Option<Self> {
        let ty = self.plain();
        let is_pointer =
            ty.is_derived() && [tag::POINTER, tag::REFERENCE, tag::RVALUE_REFERENCE].contains(&ty.tag());
        ty.base().filter(|_| is_pointer)
    }

    /// Returns true for a reference, which is no pointer in the program's terms.
    pub(crate) fn is_reference(self) -> bool {
        let ty = self.plain();
        ty.is_derived() && [tag::REFERENCE, tag::RVALUE_REFERENCE].contains(&ty.tag())
    }

    /// Returns the element type of an array.
    pub(crate) fn element(self) -> Option<Self> {
        self.plain().base().filter(|_| self.is_array())
    }

    pub(crate) fn is_array(self) -> bool {
        let ty = self.plain();
        ty.is_composite() && ty.tag() == tag::ARRAY
    }

    /// Returns the size of a type in bits.
    pub(crate) fn size(self) -> u64 {
        unsafe { api::LLVMDITypeGetSizeInBits(self.node) }
    }

    /// Returns true if numbers of this type are unsigned; `None` if the type does not say.
    pub(crate) fn is_unsigned(self) -> Option<bool> {
        let ty = self.plain();
        if !matches!(ty.kind(), LLVMMetadataKind::LLVMDIBasicTypeMetadataKind) {
            return None;
        }
        let name = ty.type_name()?;
        let is_rust = |front: &str| {
            let bits = name.strip_prefix(front);
            bits.is_some_and(|bits| {
                bits == "size" || (!bits.is_empty() && bits.bytes().all(|b| b.is_ascii_digit()))
            })
        };
        Some(name.contains("unsigned") || name == "bool" || name == "_Bool" || is_rust("u"))
    }

    /// Returns the members of a structure at a bit, from the outermost to the innermost, and the type of the last one.
    /// Each member has its name and the name of its structure.
    ///
    /// `width` is the width of the access in bits. If several members begin there, the innermost one that is not
    /// smaller is chosen. If several members of a union fit, the choice is unknown. Then the union is the last member,
    /// or all of them if it has no name. If a member is an array, its element follows from the bit. If `index` has the
    /// distance of its elements in bits, `index` is the element.
    pub(crate) fn members_at(self, bit: u64, width: u64, index: Option<(&str, u64)>) -> (Vec<Member>, Self) {
        let (mut members, mut ty, mut bit) = (Vec::<Member>::new(), self.plain(), bit);
        let mut is_named = true;
        for _ in 0..32 {
            if let (Some(array), Some(element)) = (members.last_mut().filter(|_| is_named), ty.element())
                && element.size() >= width.max(1)
            {
                array.index = Some(match index {
                    Some((index, apart)) if apart == element.size() => index.to_owned(),
                    // If there are several dimensions, the bit does not determine an index.
                    _ if ty.operand(ELEMENTS).is_some_and(|all| all.operands().len() > 1) => String::new(),
                    _ => (bit / element.size()).to_string(),
                });
                (ty, bit) = (element.plain(), bit % element.size());
                continue;
            }
            let is_structure =
                ty.is_composite() && [tag::CLASS, tag::STRUCTURE, tag::UNION].contains(&ty.tag());
            if !is_structure || (bit == 0 && ty.size() < width) {
                break;
            }
            let Some(elements) = ty.operand(ELEMENTS) else { break };
            let fitting = elements.operands().into_iter().filter(|o| !o.is_null()).filter_map(|member| {
                let member = Self::some(unsafe { llvm::LLVMValueAsMetadata(member) }, self.context)?;
                if !member.is_derived() || ![tag::MEMBER, tag::INHERITANCE].contains(&member.tag()) {
                    return None;
                }
                let base = member.base()?.plain();
                let begin = unsafe { api::LLVMDITypeGetOffsetInBits(member.node) };
                // A bit field has a type with more bits.
                let size = if member.size() > 0 { member.size() } else { base.size() };
                let is_there = (begin..begin + size).contains(&bit) && (bit > begin || size >= width);
                is_there.then_some((member, base, begin))
            });
            let fitting: Vec<_> = fitting.collect();
            if ty.tag() == tag::UNION && fitting.len() > 1 {
                let all: Vec<String> = fitting.iter().filter_map(|(member, ..)| member.type_name()).collect();
                if !is_named {
                    members.push(Member::new(all.join("|"), ty));
                }
                break;
            }
            let Some((member, base, begin)) = fitting.first().copied() else { break };
            let name = member.type_name().filter(|_| member.tag() == tag::MEMBER);
            is_named = name.is_some();
            members.extend(name.map(|name| Member::new(name, ty)));
            (ty, bit) = (base, bit - begin);
        }
        (members, ty)
    }

    /// Returns the bits at which a structure and its members have integers with one of some names, except for the
    /// lengths of slices.
    pub(crate) fn integers_called(self, names: &[&str]) -> Vec<u64> {
        let mut found = Vec::new();
        self.find_integers(names, 0, 0, &mut found);
        found.sort_unstable();
        found
    }

    fn find_integers(self, names: &[&str], begin: u64, depth: u32, found: &mut Vec<u64>) {
        let ty = self.plain();
        let is_slice = ty.type_name().is_some_and(|name| name.starts_with(['&', '*']));
        let is_structure = ty.is_composite() && !is_slice && depth < 8;
        let Some(elements) = ty.operand(ELEMENTS).filter(|_| is_structure) else { return };
        for member in elements.operands().into_iter().filter(|o| !o.is_null()) {
            let member = Self::some(unsafe { llvm::LLVMValueAsMetadata(member) }, self.context);
            let Some(member) = member.filter(|m| m.is_derived() && m.tag() == tag::MEMBER) else { continue };
            let Some(base) = member.base() else { continue };
            let at = begin + unsafe { api::LLVMDITypeGetOffsetInBits(member.node) };
            let is_integer = matches!(base.plain().kind(), LLVMMetadataKind::LLVMDIBasicTypeMetadataKind);
            if is_integer && member.type_name().is_some_and(|name| names.contains(&&*name)) {
                found.push(at);
            }
            base.find_integers(names, at, depth + 1, found);
        }
    }

    // The following methods are for locations.

    fn line(self) -> u32 {
        unsafe { api::LLVMDILocationGetLine(self.node) }
    }

    fn inlined_at(self) -> Option<Self> {
        Self::some(unsafe { api::LLVMDILocationGetInlinedAt(self.node) }, self.context)
    }

    /// Returns the file of a location.
    fn file(self) -> Option<Self> {
        let scope = unsafe { api::LLVMDILocationGetScope(self.node) };
        Self::some(unsafe { api::LLVMDIScopeGetFile(scope) }, self.context)
    }

    /// Returns a location and the calls by which it was inlined, from the innermost one to the one in the function
    /// itself.
    fn frames(self) -> impl Iterator<Item = Self> {
        std::iter::successors(Some(self), |frame| frame.inlined_at())
    }

    /// Returns the lines in the file of the function, from the function itself to the innermost function inlined from
    /// that file. Code inlined from other files, such as libraries, has the lines of the calls.
    fn lines_in_file(self) -> Vec<u32> {
        let mut frames: Vec<Self> = self.frames().collect();
        frames.reverse();
        let own = frames[0].file();
        frames.into_iter().filter(|frame| frame.file() == own).map(Self::line).collect()
    }

    /// Returns true if a location is in another file than the function.
    fn is_of_other_file(self) -> bool {
        self.frames().last().is_some_and(|own| own.file() != self.file())
    }

    /// Returns the enclosing scope, up to the function.
    fn around(self) -> Option<Self> {
        let is_block = matches!(
            self.kind(),
            LLVMMetadataKind::LLVMDILexicalBlockMetadataKind
                | LLVMMetadataKind::LLVMDILexicalBlockFileMetadataKind
        );
        self.operand(1).filter(|_| is_block)
    }

    /// Returns the name of a function, and true if it is a method.
    pub(crate) fn function_name(self) -> Option<(String, bool)> {
        let is_method = self.operand(1).is_some_and(Self::is_composite);
        Some((self.text(2)?, is_method))
    }

    /// Returns true if code in scope `inner` can see declarations of this scope.
    pub(crate) fn encloses(self, inner: Self) -> bool {
        std::iter::successors(Some(inner), |scope| scope.around()).any(|scope| scope == self)
    }

    /// Returns the depth of a scope in its function.
    pub(crate) fn depth(self) -> usize {
        std::iter::successors(Some(self), |scope| scope.around()).count()
    }
}

/// Positions of operands of type nodes in LLVM 22: the base type, and the elements.
const BASE: usize = 5;
const ELEMENTS: usize = 6;

/// Reads debug information of one module.
pub(crate) struct Debug {
    context: LLVMContextRef,
    /// Operations by expression.
    expressions: std::cell::RefCell<HashMap<LLVMMetadataRef, Vec<String>>>,
    loop_kind: u32,
    attachment_kind: u32,
}

impl Debug {
    pub(crate) fn new(module: &Module<'_>) -> Self {
        let context = unsafe { llvm::LLVMGetModuleContext(module.as_mut_ptr()) };
        let kind = |name: &str| unsafe {
            llvm::LLVMGetMDKindIDInContext(context, name.as_ptr().cast(), name.len() as u32)
        };
        let (loop_kind, attachment_kind) = (kind("llvm.loop"), kind("dbg"));
        Self { context, expressions: std::cell::RefCell::default(), loop_kind, attachment_kind }
    }

    fn location(&self, instruction: Value) -> Option<Node> {
        Node::some(unsafe { api::LLVMInstructionGetDebugLoc(instruction.0) }, self.context)
    }

    /// Returns the line of an instruction in the file of its function; 0 if it has none.
    pub(crate) fn line(&self, instruction: Value) -> u32 {
        self.lines(instruction).last().copied().unwrap_or(0)
    }

    /// Returns the lines of an instruction: this line, preceded by the lines of the calls through which it was inlined
    /// within this file.
    pub(crate) fn lines(&self, instruction: Value) -> Vec<u32> {
        self.location(instruction).map_or_else(Vec::new, Node::lines_in_file)
    }

    /// Returns the scope of an instruction in its own function.
    pub(crate) fn scope(&self, instruction: Value) -> Option<Node> {
        let location = self.location(instruction)?.frames().last()?;
        Node::some(unsafe { api::LLVMDILocationGetScope(location.node) }, self.context)
    }

    /// Returns the loop of a back edge, if the compiler states it.
    pub(crate) fn loop_of(&self, back: Value) -> Option<Node> {
        let found = unsafe { llvm::LLVMGetMetadata(back.0, self.loop_kind) };
        (!found.is_null())
            .then(|| Node { node: unsafe { llvm::LLVMValueAsMetadata(found) }, context: self.context })
    }

    /// Moves the loop of some back edges to another back edge.
    pub(crate) fn move_loop(&self, from: &[Value], to: Value) {
        for back in from {
            unsafe {
                let found = llvm::LLVMGetMetadata(back.0, self.loop_kind);
                if !found.is_null() {
                    llvm::LLVMSetMetadata(to.0, self.loop_kind, found);
                    llvm::LLVMSetMetadata(back.0, self.loop_kind, std::ptr::null_mut());
                }
            }
        }
    }

    /// Returns the line where the loop of a back edge begins, if the compiler states it.
    pub(crate) fn line_of_loop(&self, back: Value) -> Option<u32> {
        let node = self.loop_of(back)?;
        let locations = node.operands().into_iter().filter(|operand| !operand.is_null());
        let mut locations = locations
            .map(|operand| Node {
                node: unsafe { llvm::LLVMValueAsMetadata(operand) },
                context: self.context,
            })
            .filter(|node| matches!(node.kind(), LLVMMetadataKind::LLVMDILocationMetadataKind));
        locations.next()?.lines_in_file().pop().filter(|line| *line != 0)
    }

    /// Returns the debug records in front of an instruction.
    pub(crate) fn said_before(&self, instruction: Value) -> Vec<Said> {
        let mut all = Vec::new();
        let mut record = unsafe { llvm::LLVMGetFirstDbgRecord(instruction.0) };
        while !record.is_null() {
            unsafe {
                let kind = llvm::LLVMDbgRecordGetKind(record);
                let is_address = matches!(kind, LLVMDbgRecordDeclare);
                if is_address || matches!(kind, LLVMDbgRecordValue) {
                    let value = llvm::LLVMDbgVariableRecordGetValue(record, 0);
                    let variable = llvm::LLVMDbgVariableRecordGetVariable(record);
                    let expression = llvm::LLVMDbgVariableRecordGetExpression(record);
                    let location = Node::some(llvm::LLVMDbgRecordGetDebugLoc(record), self.context);
                    if !value.is_null()
                        && let Some(variable) = Node::some(variable, self.context)
                        && let Some((is_indirect, part)) = self.meaning(expression)
                    {
                        let scope = api::LLVMDIVariableGetScope(variable.node);
                        all.push(Said {
                            value: Value(value),
                            variable,
                            is_address: is_address || is_indirect,
                            part,
                            is_inlined: location.is_some_and(|at| at.inlined_at().is_some()),
                            is_of_other_file: location.is_some_and(Node::is_of_other_file),
                            scope: Node::some(scope, self.context),
                        });
                    }
                }
                record = llvm::LLVMGetNextDbgRecord(record);
            }
        }
        all
    }

    /// Returns the variables that a closure has in the target of one of its function's parameters. Memory must not be
    /// in registers yet: rustc describes the parameter's copy on the stack.
    pub(crate) fn captures(&self, function: Value) -> Vec<Capture> {
        let mut all = Vec::new();
        let parameters = function.parameters();
        if parameters.is_empty() {
            return all;
        }
        let Some(first) = function.blocks().first().map(|block| block.instructions()) else { return all };
        for instruction in first {
            let mut record = unsafe { llvm::LLVMGetFirstDbgRecord(instruction.0) };
            while !record.is_null() {
                let (kind, copy, expression, variable) = unsafe {
                    (
                        llvm::LLVMDbgRecordGetKind(record),
                        llvm::LLVMDbgVariableRecordGetValue(record, 0),
                        llvm::LLVMDbgVariableRecordGetExpression(record),
                        llvm::LLVMDbgVariableRecordGetVariable(record),
                    )
                };
                record = unsafe { llvm::LLVMGetNextDbgRecord(record) };
                if !matches!(kind, LLVMDbgRecordDeclare) || copy.is_null() {
                    continue;
                }
                let place = match &self.words(expression).iter().map(String::as_str).collect::<Vec<_>>()[..] {
                    ["DW_OP_deref", "DW_OP_deref"] => Some((0, true)),
                    ["DW_OP_deref", "DW_OP_plus_uconst", bytes] => {
                        bytes.parse().ok().map(|bytes| (bytes, false))
                    }
                    ["DW_OP_deref", "DW_OP_plus_uconst", bytes, "DW_OP_deref"] => {
                        bytes.parse().ok().map(|bytes| (bytes, true))
                    }
                    _ => None,
                };
                let Some((bytes, is_by_reference)) = place else { continue };
                let stored =
                    |user: Value| (user.opcode() == Some(Opcode::LLVMStore)).then(|| user.operand(0));
                let parameter = Value(copy).users().find_map(stored).filter(|of| parameters.contains(of));
                if let (Some(parameter), Some(variable)) = (parameter, Node::some(variable, self.context)) {
                    all.push(Capture { parameter, bytes, is_by_reference, variable });
                }
            }
        }
        all
    }

    /// Returns true if an expression follows a pointer, and the first bit that it selects. Returns `None` if it
    /// computes something.
    fn meaning(&self, expression: LLVMMetadataRef) -> Option<(bool, Option<u64>)> {
        match &self.words(expression).iter().map(String::as_str).collect::<Vec<_>>()[..] {
            [] | ["DW_OP_LLVM_arg", "0"] => Some((false, None)),
            ["DW_OP_deref"] => Some((true, None)),
            ["DW_OP_LLVM_fragment", bit, _] => Some((false, Some(bit.parse().ok()?))),
            ["DW_OP_deref", "DW_OP_LLVM_fragment", bit, _] => Some((true, Some(bit.parse().ok()?))),
            _ => None,
        }
    }

    /// Returns the operations of an expression, with their operands.
    fn words(&self, expression: LLVMMetadataRef) -> Vec<String> {
        let mut known = self.expressions.borrow_mut();
        let words = known.entry(expression).or_insert_with(|| {
            let node = Node { node: expression, context: self.context };
            let text = printed(node.value());
            let inside = text.split_once('(').and_then(|(_, rest)| rest.split_once(')'));
            let inside = inside.map_or("", |(inside, _)| inside);
            inside.split(", ").filter(|w| !w.is_empty()).map(str::to_owned).collect()
        });
        words.clone()
    }

    /// Returns the debug information of a function.
    pub(crate) fn function(&self, function: Value) -> Option<Node> {
        Node::some(unsafe { api::LLVMGetSubprogram(function.0) }, self.context)
    }

    /// Returns the variable in the program that a global variable is.
    pub(crate) fn global(&self, global: Value) -> Option<Node> {
        let mut count = 0;
        unsafe {
            let entries = llvm::LLVMGlobalCopyAllMetadata(global.0, &raw mut count);
            if entries.is_null() {
                return None;
            }
            let found = (0..count as u32)
                .find(|index| llvm::LLVMValueMetadataEntriesGetKind(entries, *index) == self.attachment_kind)
                .map(|index| llvm::LLVMValueMetadataEntriesGetMetadata(entries, index));
            llvm::LLVMDisposeValueMetadataEntries(entries);
            let variable = api::LLVMDIGlobalVariableExpressionGetVariable(found?);
            Node::some(variable, self.context)
        }
    }
}

fn printed(value: LLVMValueRef) -> String {
    unsafe {
        let text = llvm::LLVMPrintValueToString(value);
        let copy = CStr::from_ptr(text).to_string_lossy().into_owned();
        llvm::LLVMDisposeMessage(text);
        copy
    }
}
