//! Names values in the program's terms: variables and parameters by debug information, memory by the path to it
//! (`m.rows`, `*p`, `a[]`), and results by their call.
//!
//! A value can have several names. The loop's own scope takes precedence over others. Variables of inlined functions,
//! such as the iterators of the standard libraries, are no names.

use std::collections::{HashMap, HashSet};
use std::path::Path;

use inkwell::module::Module;

use super::Kind;
use super::debug::{Capture, Debug, Member, Node, Said};
use super::values::Offset;
use crate::ir::{Opcode, Value};

/// Maximum number of pointers on a path to memory.
const DEEPEST: usize = 8;

/// Name of a value, with its kind and its type.
#[derive(Clone, Debug)]
pub(crate) struct Named {
    pub(crate) name: String,
    pub(crate) kind: Kind,
    pub(crate) ty: Option<Node>,
}

/// Position from which names are seen.
#[derive(Clone, Debug, Default)]
pub(crate) struct View {
    /// Scope of the loop or the call.
    pub(crate) scope: Option<Node>,
    /// Variables that the loop changes: they name something else once it runs.
    pub(crate) changed: HashSet<Node>,
    /// True if variables of inlined functions of the same file are names as well.
    pub(crate) has_inlined: bool,
    /// Variables that an outer loop changes, with values from in front of that loop.
    pub(crate) stale: HashSet<(Value, Node)>,
}

/// Names of the values of one function.
pub(crate) struct Names<'a, 'b> {
    module: &'a Module<'b>,
    pub(crate) debug: &'a Debug,
    function: Value,
    /// Source file without its folder.
    file: String,
    said: HashMap<Value, Vec<Said>>,
    captures: &'a [Capture],
}

/// Returns the name of a variable. The parameter of the drop functions that rustc generates has no name. It takes the
/// name of the type that it points to, as in `[Node].len()`.
fn name_of(variable: Node) -> Option<String> {
    let of_dropped = || {
        let ty = variable.variable_type()?.type_name()?;
        Some(without_paths(ty.strip_prefix("*mut ")?))
    };
    variable.variable_name().or_else(of_dropped)
}

/// Removes paths from a type: `[main::Node]` becomes `[Node]`, and `alloc::vec::Vec<u8, alloc::alloc::Global>` becomes
/// `Vec<u8>`.
fn without_paths(ty: &str) -> String {
    let mut short = String::new();
    let mut word = 0;
    let mut characters = ty.chars().peekable();
    while let Some(c) = characters.next() {
        match c {
            ':' if characters.peek() == Some(&':') => {
                characters.next();
                short.truncate(word);
            }
            _ => {
                short.push(c);
                if !c.is_alphanumeric() && c != '_' {
                    word = short.len();
                }
            }
        }
    }
    short.replace(", Global>", ">")
}

/// Returns true for names of variables that compilers and libraries create. rustc's have names that programs in other
/// languages use.
fn is_temporary(name: &str, is_rust: bool) -> bool {
    let is_of_rustc = is_rust && matches!(name, "iter" | "residual" | "val" | "self");
    name.starts_with("__") || is_of_rustc || name.contains('~')
}

impl<'a, 'b> Names<'a, 'b> {
    pub(crate) fn new(
        module: &'a Module<'b>,
        debug: &'a Debug,
        captures: &'a [Capture],
        function: Value,
    ) -> Self {
        let mut said: HashMap<Value, Vec<Said>> = HashMap::new();
        for instruction in function.blocks().iter().flat_map(|block| block.instructions()) {
            for one in debug.said_before(instruction) {
                said.entry(one.value).or_default().push(one);
            }
        }
        let (path, _) = function.source().unwrap_or_default();
        let file = path.rsplit('/').next().unwrap_or_default().to_owned();
        Self { module, debug, function, file, said, captures }
    }

    /// Returns the variable that a value is, unless the loop assigns other values to that variable.
    pub(crate) fn lasting(&self, value: Value, view: &View) -> Option<Named> {
        let is_lasting = !view.changed.contains(&self.best(value, view, false)?.variable);
        if is_lasting { self.variable(value, view) } else { None }
    }

    /// Returns true if the variable that a value is can be seen from a scope. The compiler may have merged equal values
    /// of variables with different scopes.
    pub(crate) fn is_in_scope(&self, value: Value, view: &View) -> bool {
        let scopes = self.best(value, view, false).and_then(|said| said.scope.zip(view.scope));
        scopes.is_some_and(|(of, scope)| of.encloses(scope))
    }

    /// Returns the variable that a value is, as seen from a scope. A phi is a variable if all its incoming values are
    /// that variable.
    pub(crate) fn variable(&self, value: Value, view: &View) -> Option<Named> {
        let Some(best) = self.best(value, view, false) else {
            let ways = (value.opcode() == Some(Opcode::LLVMPHI)).then(|| value.incoming())?;
            let mut all = ways.iter().map(|(way, _)| self.best(*way, view, false));
            let first = all.next()??;
            let is_same = |said: &Said| (said.variable, said.part) == (first.variable, first.part);
            let is_one = all.all(|said| said.is_some_and(is_same));
            return is_one.then(|| self.variable(first.value, view))?;
        };
        let name = name_of(best.variable)?;
        let ty = best.variable.variable_type();
        let kind = if value.is_argument() { Kind::Parameter } else { Kind::Variable };
        let Some(bit) = best.part else { return Some(Named { name, kind, ty }) };
        let (members, ty) = ty?.members_at(bit, width_of(value), None);
        Some(with_members(name, kind, &members, ty))
    }

    fn best(&self, value: Value, view: &View, is_address: bool) -> Option<&Said> {
        let is_stale = |said: &Said| view.stale.contains(&(value, said.variable));
        let all = self.said.get(&value)?.iter();
        let is_seen = |said: &&Said| !said.is_inlined || view.has_inlined && !said.is_of_other_file;
        let all = all.filter(is_seen).filter(|said| said.is_address == is_address && !is_stale(said));
        let fits = |said: &&Said| {
            let name = name_of(said.variable).unwrap_or_default();
            // Nothing else has the name of a method's own object.
            !name.is_empty()
                && (name == "self"
                    || !is_temporary(
                        &name,
                        Path::new(&self.file).extension().is_some_and(|extension| extension == "rs"),
                    ))
        };
        // If several variables have one value, the others were assigned from the first.
        all.filter(fits).rev().max_by_key(|said| {
            let sees = view.scope.zip(said.scope).is_some_and(|(scope, of)| of.encloses(scope));
            let is_lasting = !view.changed.contains(&said.variable);
            (is_lasting, sees, if sees { said.scope.map_or(0, Node::depth) } else { 0 })
        })
    }

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
    pub(super) fn memory_at(&self, place: &Offset, width: u64, view: &View) -> Option<Named> {
        self.at(place, width, view, DEEPEST)
    }

    fn at(&self, offset: &Offset, width: u64, view: &View, depth: usize) -> Option<Named> {
        let (base, bit) = (offset.base, u64::try_from(offset.bytes).ok()?.checked_mul(8)?);
        let (container, is_object) = match self.object(base, view) {
            Some(object) => (object, true),
            None => (self.pointer(base, view, depth.checked_sub(1)?)?, false),
        };
        let ty = if is_object { container.ty } else { container.ty.and_then(Node::pointee) };
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
    fn object(&self, pointer: Value, view: &View) -> Option<Named> {
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
        let said = self.best(pointer, view, true)?;
        let name = said.variable.variable_name()?;
        Some(Named { name, kind: Kind::Variable, ty: said.variable.variable_type() })
    }

    /// Returns the type of a variable's memory, whatever that variable is called.
    pub(super) fn type_of(&self, variable: Value) -> Option<Node> {
        let mut said = self.said.get(&variable)?.iter().filter(|said| said.is_address && said.part.is_none());
        said.find_map(|said| said.variable.variable_type())
    }

    /// Returns the variable of a closure that a pointer points to.
    fn captured(&self, pointer: Value) -> Option<Node> {
        let is_by_reference = pointer.opcode() == Some(Opcode::LLVMLoad);
        let place = if is_by_reference { pointer.operand(0) } else { pointer }.offset(self.module);
        let is_it = |of: &&Capture| {
            (of.parameter, of.bytes, of.is_by_reference) == (place.base, place.bytes, is_by_reference)
        };
        self.captures.iter().find(is_it).filter(|_| place.indices.is_empty()).map(|found| found.variable)
    }

    /// Returns the name of a pointer.
    fn pointer(&self, pointer: Value, view: &View, depth: usize) -> Option<Named> {
        if let Some(named) = self.variable(pointer, view) {
            return Some(named);
        }
        match pointer.opcode()? {
            Opcode::LLVMLoad => self.place(pointer.operand(0), 64, view, depth),
            Opcode::LLVMCall | Opcode::LLVMInvoke => self.call(pointer, view),
            // By a phi with one value, a loop passes a value to the code behind it.
            Opcode::LLVMPHI => match pointer.incoming()[..] {
                [(one, _)] => self.pointer(one, view, depth.checked_sub(1)?),
                _ => None,
            },
            _ => None,
        }
    }

    /// Returns the name of a value; `None` if it must be computed from others.
    pub(crate) fn value(&self, value: Value, view: &View) -> Option<Named> {
        let value = stripped(value);
        if let Some(named) = self.lasting(value, view) {
            return Some(named);
        }
        self.computed(value, view).or_else(|| self.variable(value, view))
    }

    /// Returns the name of a value according to its origin.
    fn computed(&self, value: Value, view: &View) -> Option<Named> {
        match value.opcode() {
            Some(Opcode::LLVMLoad) => self.memory(value.operand(0), width_of(value), view),
            Some(Opcode::LLVMCall | Opcode::LLVMInvoke) => self.call(value, view),
            Some(Opcode::LLVMGetElementPtr) => {
                let offset = value.offset(self.module);
                let named = self.pointer(offset.base, view, DEEPEST)?;
                (offset.bytes == 0 && offset.indices.is_empty()).then_some(named)
            }
            opcode if value.is_global_variable() || opcode == Some(Opcode::LLVMAlloca) => {
                let object = self.object(value, view)?;
                // An array stands for its address.
                let is_array = object.ty.is_some_and(Node::is_array);
                let name = if is_array { object.name } else { format!("&{}", object.name) };
                Some(Named { name, ..object })
            }
            _ => None,
        }
    }

    /// Returns the name of a value that changes from trip to trip. The place that it is read from has priority, since
    /// the variable that receives it has other values.
    pub(crate) fn changing(&self, value: Value, view: &View) -> Option<Named> {
        match value.opcode() {
            Some(Opcode::LLVMLoad) => self.memory(value.operand(0), width_of(value), view),
            Some(Opcode::LLVMCall | Opcode::LLVMInvoke) => self.call(value, view),
            _ => self.value(value, view),
        }
    }

    /// Returns the variable that both values of a counter are: its first value, and the value of later trips. By then,
    /// the value of later trips may belong to another variable, as in `a = b`.
    pub(crate) fn shared(&self, counter: Value, first: Value, view: &View) -> Option<Named> {
        let variables = |value: Value| {
            let all = self.said.get(&value).into_iter().flatten();
            all.filter(|said| !said.is_address && !said.is_inlined).map(|said| said.variable)
        };
        let firsts: Vec<Node> = variables(first).collect();
        let mut shared = variables(counter).filter(|variable| firsts.contains(variable));
        let variable = shared.next().filter(|one| shared.all(|other| other == *one))?;
        let named = self.variable(first, view)?;
        (name_of(variable)? == named.name).then_some(named)
    }

    /// Returns the variables that the phis assign, with all of their other values for which `is_outside` is true.
    pub(crate) fn stale(&self, phis: &[Value], is_outside: impl Fn(Value) -> bool) -> HashSet<(Value, Node)> {
        let values = |said: &Said| !said.is_address && !said.is_inlined;
        let given = phis.iter().flat_map(|phi| self.said.get(phi).into_iter().flatten());
        let given: HashSet<Node> = given.filter(|said| values(said)).map(|said| said.variable).collect();
        let others = self.said.iter().filter(|(value, _)| is_outside(**value)).flat_map(|(_, all)| all);
        let others = others.filter(|said| values(said) && given.contains(&said.variable));
        others.map(|said| (said.value, said.variable)).collect()
    }

    /// Returns the variables that are assigned inside.
    pub(crate) fn changed(&self, is_inside: impl Fn(Value) -> bool) -> HashSet<Node> {
        let said = self.said.iter().filter(|(value, _)| is_inside(**value));
        said.flat_map(|(_, all)| all).filter(|said| !said.is_address).map(|said| said.variable).collect()
    }

    /// Returns the name of a call's result: `strlen(s)`, `v.size()`.
    fn call(&self, call: Value, view: &View) -> Option<Named> {
        let callee = call.callee()?;
        if callee.is_intrinsic() {
            return None;
        }
        let said = self.debug.function(callee).and_then(Node::function_name);
        let linkage = callee.name();
        let is_plain = !linkage.starts_with("_Z") && !linkage.starts_with("_R");
        let (name, is_method) = said.or_else(|| is_plain.then_some((linkage, false)))?;
        let arguments: Vec<String> = (0..call.arguments())
            .map(|index| self.argument(call.operand(index), view).unwrap_or_else(|| "…".to_owned()))
            .collect();
        let is_length = matches!(&*name, "strlen" | "len" | "size" | "length" | "count" | "wcslen");
        let kind = if is_length && arguments.len() == 1 { Kind::Length } else { Kind::Result };
        let name = match &arguments[..] {
            [object, rest @ ..] if is_method => {
                format!("{}.{name}({})", object.trim_start_matches('&'), rest.join(", "))
            }
            _ => format!("{name}({})", arguments.join(", ")),
        };
        Some(Named { name, kind, ty: None })
    }

    /// Returns an argument of a call, in the caller's terms or as a number.
    pub(crate) fn argument(&self, argument: Value, view: &View) -> Option<String> {
        if let Some(number) = argument.signed() {
            return Some(number.to_string());
        }
        if argument.is_null_pointer() {
            return Some("0".to_owned());
        }
        if let Some(text) = argument.text() {
            let short: String = text.chars().take(16).filter(|c| !c.is_control()).collect();
            return Some(format!("\"{short}{}\"", if text.len() > short.len() { "…" } else { "" }));
        }
        let sum = self.arithmetic(argument, view, DEEPEST)?;
        let inside = sum.strip_prefix('(').and_then(|rest| rest.strip_suffix(')'));
        Some(inside.map_or_else(|| sum.clone(), str::to_owned))
    }

    /// Returns the expression of a value that is computed from numbers and values with names: `(n - 1)`, `((lo + hi) /
    /// 2)`.
    fn arithmetic(&self, value: Value, view: &View, depth: usize) -> Option<String> {
        let value = stripped(value);
        if let Some(number) = value.signed() {
            return Some(number.to_string());
        }
        if let Some(named) = self.value(value, view) {
            return Some(named.name);
        }
        let depth = depth.checked_sub(1)?;
        let number = |value: i64| u32::try_from(value).ok();
        let (sign, by) = match value.opcode()? {
            Opcode::LLVMAdd => match value.operand(1).signed() {
                Some(less) if less < 0 => ("-", less.checked_neg()?.to_string()),
                _ => ("+", self.arithmetic(value.operand(1), view, depth)?),
            },
            Opcode::LLVMSub => ("-", self.arithmetic(value.operand(1), view, depth)?),
            Opcode::LLVMMul => ("*", self.arithmetic(value.operand(1), view, depth)?),
            Opcode::LLVMSDiv | Opcode::LLVMUDiv => ("/", number(value.operand(1).signed()?)?.to_string()),
            Opcode::LLVMAShr | Opcode::LLVMLShr => {
                ("/", 1_u64.checked_shl(number(value.operand(1).signed()?)?)?.to_string())
            }
            _ => return None,
        };
        Some(format!("({} {sign} {by})", self.arithmetic(value.operand(0), view, depth)?))
    }

    /// Returns the name of a parameter; empty if debug information has none.
    pub(crate) fn parameter(&self, parameter: Value) -> String {
        let all = self.said.get(&parameter).into_iter().flatten().filter(|said| !said.is_inlined);
        let mut all = all.filter(|said| said.variable.variable_name().is_some());
        let Some(said) = all.next() else { return String::new() };
        let name = said.variable.variable_name().unwrap_or_default();
        match (said.part, said.variable.variable_type()) {
            (Some(bit), Some(ty)) => {
                let (members, ty) = ty.members_at(bit, width_of(parameter), None);
                with_members(name, Kind::Parameter, &members, ty).name
            }
            _ => name,
        }
    }

    /// Names a value that has no name in the function itself. Uses variables of inlined functions of the same file, or
    /// else a description.
    pub(crate) fn unnamed(&self, value: Value, view: &View) -> Named {
        let view = View { has_inlined: true, ..view.clone() };
        let described = || Named { name: self.described(value, &view), kind: Kind::Unnamed, ty: None };
        self.value(value, &view).unwrap_or_else(described)
    }

    /// Describes a value that has no name.
    pub(crate) fn described(&self, value: Value, view: &View) -> String {
        let what = match value.opcode() {
            Some(Opcode::LLVMLoad) => {
                let base = value.operand(0).offset(self.module).base;
                match self.pointer(base, view, DEEPEST) {
                    Some(named) => format!("*{}", named.name),
                    None => "memory".to_owned(),
                }
            }
            Some(Opcode::LLVMCall | Opcode::LLVMInvoke) => "a call".to_owned(),
            _ if value.is_argument() => "parameter".to_owned(),
            _ if value.ty().is_pointer() => "pointer".to_owned(),
            _ => "value".to_owned(),
        };
        let line = if value.opcode().is_some() { self.debug.line(value) } else { 0 };
        let line = if line == 0 { self.function.source().map_or(0, |(_, line)| line) } else { line };
        format!("{what} at {}:{line}", self.file)
    }
}

/// Returns the symbol of a variable, unless the compiler changed its name or made it up.
fn symbol(variable: Value) -> Option<String> {
    let name = variable.name();
    let is_plain = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    (is_plain && !name.is_empty() && !name.starts_with("_Z") && !name.starts_with("_R")).then_some(name)
}

/// Returns a value without conversions of its type.
pub(crate) fn stripped(mut value: Value) -> Value {
    while matches!(
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
    ) {
        value = value.operand(0);
    }
    value
}

fn width_of(value: Value) -> u64 {
    let ty = value.ty();
    if ty.is_any_integer() {
        u64::from(ty.bits())
    } else if ty.is_pointer() {
        64
    } else {
        1
    }
}

/// Beginnings of the names of Rust's collections, except `String`.
const COLLECTIONS: [&str; 14] = [
    "Vec<",
    "VecDeque<",
    "BTreeMap<",
    "BTreeSet<",
    "HashMap<",
    "HashSet<",
    "BinaryHeap<",
    "LinkedList<",
    "&[",
    "&mut [",
    "*mut [",
    "&str",
    "&mut str",
    "alloc::boxed::Box<[",
];

/// Returns the name of the member of a variable that holds a value. Lengths of collections are named like their method.
fn with_members(name: String, kind: Kind, members: &[Member], ty: Node) -> Named {
    let mut name = name;
    let is_collection = |structure: &String| {
        structure == "String" || COLLECTIONS.iter().any(|front| structure.starts_with(front))
    };
    // The length of a map is the length of a table or a tree in it.
    if let (Some(first), Some(last)) =
        (members.iter().position(|member| is_collection(&member.of)), members.last())
        && matches!(&*last.name, "len" | "length" | "items")
    {
        let object = with_members(name, kind, &members[..first], ty);
        return Named { name: object.name + ".len()", kind: Kind::Length, ty: Some(ty) };
    }
    for Member { name: member, of: structure, index } in members {
        match &**member {
            "_M_string_length" | "_M_extent_value" => {
                return Named { name: name + ".size()", kind: Kind::Length, ty: Some(ty) };
            }
            "_M_len"
                if ["basic_string_view<", "initializer_list<"].iter().any(|of| structure.starts_with(of)) =>
            {
                return Named { name: name + ".size()", kind: Kind::Length, ty: Some(ty) };
            }
            // A span has its size in a part of its own.
            "_M_extent" if structure.starts_with("span<") => {}
            // The buffer of a text, and the parts of libstdc++'s containers, add nothing to the name.
            "vec" if structure == "String" => {}
            "_M_impl" | "_M_t" => {}
            "_M_start" if structure.starts_with("_Vector_impl") => name += ".begin()",
            "_M_finish" if structure.starts_with("_Vector_impl") => name += ".end()",
            "__begin_" if structure.starts_with("vector<") => name += ".begin()",
            "__end_" if structure.starts_with("vector<") => name += ".end()",
            // Beginnings of libstdc++'s lists and trees.
            "_M_node" | "_M_header" if structure.contains("_impl") => {}
            "_M_next" if structure.contains("_List_node") => name += ".begin()",
            "_M_left" if structure.contains("_Rb_tree_node") => name += ".begin()",
            "__0" | "__1" | "__2" | "__3" => name = format!("{name}.{}", &member[2..]),
            // A variable that a Rust closure refers to.
            reference if reference.starts_with("_ref__") => reference[6..].clone_into(&mut name),
            // The contents of a collection are not the program's.
            _ if is_collection(structure) => break,
            member => name = format!("{name}.{member}"),
        }
        if let Some(index) = index {
            name = format!("{name}[{index}]");
        }
    }
    let kind = if kind == Kind::Global { kind } else { Kind::Field };
    Named { name, kind, ty: Some(ty) }
}

#[cfg(test)]
mod tests {
    use super::without_paths;

    #[test]
    fn types_are_told_without_their_paths() {
        let short = [
            "[main::Node]",
            "alloc::vec::Vec<my_crate::a::T, alloc::alloc::Global>",
            "str",
            "(core::a::X, b::Y)",
        ];
        assert_eq!(short.map(without_paths), ["[Node]", "Vec<T>", "str", "(X, Y)"]);
    }
}
