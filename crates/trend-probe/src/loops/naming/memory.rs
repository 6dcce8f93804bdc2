//! Names of memory: the path to it.

use super::members::with_members;
use super::named::{Kind, Named};
use super::names::{Names, View};
use crate::ir::instruction::stripped;
use crate::ir::pointer::Offset;
use crate::ir::value::{Opcode, Value};
use crate::loops::debug::node::Node;
use crate::loops::debug::reader::Capture;

/// Maximum number of pointers on a path to memory.
pub(super) const DEEPEST: usize = 8;

/// Names of the members in which libstdc++'s trees, hash tables and lists keep the number of their nodes.
const COUNTS_OF_NODES: [&str; 3] = ["_M_node_count", "_M_element_count", "_M_size"];

impl Names<'_, '_> {
    /// Returns the name of the memory at an address.
    pub(crate) fn memory(&self, pointer: Value, width: u64, view: &View) -> Option<Named> {
        self.place(pointer, width, view, DEEPEST)
    }

    fn place(&self, pointer: Value, width: u64, view: &View, depth: usize) -> Option<Named> {
        match self.captured(pointer) {
            Some(_) => self.object(pointer, view),
            None => self.at(&pointer.offset(self.module), width, view, depth),
        }
    }

    /// Returns the name of the memory at a place.
    pub(crate) fn memory_at(&self, place: &Offset, width: u64, view: &View) -> Option<Named> {
        self.at(place, width, view, DEEPEST)
    }

    /// Returns the name of the number of nodes that a container of libstdc++ keeps. The number is `distance` bytes
    /// behind `first`, the place of the pointer to the first node.
    pub(crate) fn count_of_nodes(&self, first: &Offset, distance: i64, view: &View) -> Option<Named> {
        let (_, ty, _) = self.container(first.base, view, DEEPEST)?;
        let place = Offset { bytes: first.bytes.checked_add(distance)?, ..first.clone() };
        let bit = u64::try_from(place.bytes).ok()?.checked_mul(8)?;
        ty?.integers_called(&COUNTS_OF_NODES).into_iter().find(|count| *count == bit)?;
        self.memory_at(&place, 64, view).filter(|named| named.kind == Kind::Length)
    }

    /// Returns the variable at an address, or else the pointer that holds the address. Also returns the type of the
    /// object there, and true for a variable.
    fn container(&self, base: Value, view: &View, depth: usize) -> Option<(Named, Option<Node>, bool)> {
        if let Some(object) = self.object(base, view) {
            let ty = object.ty;
            return Some((object, ty, true));
        }
        let pointer = self.pointer(base, view, depth.checked_sub(1)?)?;
        let ty = pointer.ty.and_then(Node::pointee);
        Some((pointer, ty, false))
    }

    fn at(&self, offset: &Offset, width: u64, view: &View, depth: usize) -> Option<Named> {
        let (base, bit) = (offset.base, u64::try_from(offset.bytes).ok()?.checked_mul(8)?);
        let (container, ty, is_object) = self.container(base, view, depth)?;
        if !offset.indices.is_empty() {
            let index = match offset.indices[..] {
                [(index, _)] => self.subscript(index, view),
                _ => None,
            };
            let index = index.unwrap_or_default();
            // `s.array[i]`, with the array inside the target of the pointer.
            if let (Some(ty), [(_, bytes)]) = (ty.filter(|ty| !ty.is_array()), &offset.indices[..]) {
                let apart = 8 * bytes;
                let (members, member) = ty.members_at(bit, width, Some((&index, apart)));
                if apart != ty.plain().size() && members.iter().any(|member| member.index.is_some()) {
                    return Some(with_members(container.name, Kind::Field, &members, member));
                }
            }
            let name = format!("{}[{index}]", container.name);
            let element = ty.map(|ty| ty.element().unwrap_or(ty).plain());
            let is_of_element = |element: &Node| matches!(offset.indices[..], [(_, bytes)] if 8 * bytes == element.size() && bit < element.size());
            if let Some(element) = element.filter(is_of_element) {
                let (members, member) = element.members_at(bit, width, None);
                if !members.is_empty() {
                    return Some(with_members(name, Kind::Field, &members, member));
                }
            }
            return Some(Named { name, kind: Kind::Target, ty: None });
        }
        let (members, member) = ty.map_or((Vec::new(), ty), |ty| {
            let (members, member) = ty.members_at(bit, width, None);
            (members, Some(member))
        });
        if !members.is_empty() {
            let kind = if is_object && container.kind == Kind::Global { Kind::Global } else { Kind::Field };
            return Some(with_members(container.name, kind, &members, member?));
        }
        // Behind the target of a pointer, there is another one of the same type.
        let element = ty.map(Node::plain).filter(|ty| !is_object && ty.size() > 0 && bit >= ty.size());
        if let Some(element) = element {
            let name = format!("{}[{}]", container.name, bit / element.size());
            let (members, member) = element.members_at(bit % element.size(), width, None);
            if !members.is_empty() {
                return Some(with_members(name, Kind::Field, &members, member));
            }
        }
        if bit != 0 {
            let name = format!("{}[{}]", container.name, offset.bytes / (width as i64 / 8).max(1));
            return Some(Named { name, kind: Kind::Target, ty: member });
        }
        if is_object || container.ty.is_some_and(Node::is_reference) {
            return Some(Named { ty: member, ..container });
        }
        Some(Named { name: format!("*{}", container.name), kind: Kind::Target, ty: member })
    }

    /// Returns the name of a subscript: `i`, or `i + 1`.
    fn subscript(&self, index: Value, view: &View) -> Option<String> {
        let index = stripped(index);
        if let Some(named) = self.variable(index, view) {
            return Some(named.name);
        }
        let by = index.operands().get(1).copied()?.signed()?;
        let of = self.variable(stripped(index.shifted()?), view)?.name;
        let is_less = (index.opcode() == Some(Opcode::LLVMSub)) != (by < 0);
        Some(format!("{of} {} {}", if is_less { '-' } else { '+' }, by.unsigned_abs()))
    }

    /// Returns the variable whose memory a pointer points to.
    pub(super) fn object(&self, pointer: Value, view: &View) -> Option<Named> {
        if pointer.is_global_variable() {
            let variable = self.debug.global(pointer);
            // A variable of another file has no debug information here, but its symbol.
            let name = variable.map_or_else(|| symbol(pointer), Node::variable_name)?;
            return Some(Named { name, kind: Kind::Global, ty: variable.and_then(Node::variable_type) });
        }
        if let Some(variable) = self.captured(pointer) {
            let (name, ty) = (variable.variable_name()?, variable.variable_type());
            return Some(Named { name, kind: Kind::Variable, ty });
        }
        let binding = self.best(pointer, view, true)?;
        let name = binding.variable.variable_name()?;
        Some(Named { name, kind: Kind::Variable, ty: binding.variable.variable_type() })
    }

    /// Returns the type of a variable's memory, whatever that variable is called.
    pub(crate) fn type_of(&self, variable: Value) -> Option<Node> {
        let mut bindings = self
            .bindings
            .get(&variable)?
            .iter()
            .filter(|binding| binding.is_address && binding.part.is_none());
        bindings.find_map(|binding| binding.variable.variable_type())
    }

    /// Returns the variable of a closure that a pointer points to.
    fn captured(&self, pointer: Value) -> Option<Node> {
        let is_by_reference = pointer.opcode() == Some(Opcode::LLVMLoad);
        let place = if is_by_reference { pointer.operand(0) } else { pointer }.offset(self.module);
        let is_it = |of: &&Capture| {
            (of.parameter, of.bytes, of.is_by_reference) == (place.base, place.bytes, is_by_reference)
        };
        self.captures.iter().find(is_it).filter(|_| place.indices.is_empty()).map(|capture| capture.variable)
    }

    /// Returns the name of a pointer.
    pub(super) fn pointer(&self, pointer: Value, view: &View, depth: usize) -> Option<Named> {
        if let Some(named) = self.variable(pointer, view) {
            return Some(named);
        }
        match pointer.opcode()? {
            Opcode::LLVMLoad => self.place(pointer.operand(0), 64, view, depth),
            Opcode::LLVMCall | Opcode::LLVMInvoke => self.call(pointer, view),
            // By a phi with one value, a loop passes a value to the code after it.
            Opcode::LLVMPHI if pointer.passed() != pointer => {
                self.pointer(pointer.passed(), view, depth.checked_sub(1)?)
            }
            _ => None,
        }
    }
}

/// Returns the symbol of a variable, unless the compiler changed its name or made it up.
fn symbol(variable: Value) -> Option<String> {
    let name = variable.name();
    let is_plain = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    (is_plain && !name.is_empty() && !name.starts_with("_Z") && !name.starts_with("_R")).then_some(name)
}
