//! Names of variables, as seen from a loop or a call.

use std::collections::{HashMap, HashSet};
use std::path::Path;

use inkwell::module::Module;

use super::members::with_members;
use super::named::{Kind, Named};
use crate::ir::instruction::stripped;
use crate::ir::value::{Opcode, Value};
use crate::loops::debug::node::Node;
use crate::loops::debug::reader::{Binding, Capture, Debug};

/// Position from which names are seen.
#[derive(Clone, Debug, Default)]
pub(crate) struct View {
    /// Scope of the loop or the call.
    pub(crate) scope: Option<Node>,
    /// Variables that the loop changes: they name something else once it runs.
    pub(crate) changed: HashSet<Node>,
    /// True if variables of inlined functions of the same file give names as well.
    pub(crate) has_inlined: bool,
    /// Variables that an outer loop changes, with values from before that loop.
    pub(crate) stale: HashSet<(Value, Node)>,
}

/// Names of the values of one function.
pub(crate) struct Names<'a, 'b> {
    pub(super) module: &'a Module<'b>,
    pub(crate) debug: &'a Debug,
    pub(super) function: Value,
    /// Source file without its folder.
    pub(super) file: String,
    pub(super) bindings: HashMap<Value, Vec<Binding>>,
    pub(super) captures: &'a [Capture],
}

impl<'a, 'b> Names<'a, 'b> {
    pub(crate) fn new(
        module: &'a Module<'b>,
        debug: &'a Debug,
        captures: &'a [Capture],
        function: Value,
    ) -> Self {
        let mut bindings: HashMap<Value, Vec<Binding>> = HashMap::new();
        for instruction in function.blocks().iter().flat_map(|block| block.instructions()) {
            for one in debug.bindings_before(instruction) {
                bindings.entry(one.value).or_default().push(one);
            }
        }
        let (path, _) = function.source().unwrap_or_default();
        let file = path.rsplit('/').next().unwrap_or_default().to_owned();
        Self { module, debug, function, file, bindings, captures }
    }

    /// Returns the variable that holds a value, unless the loop assigns other values to that variable.
    pub(crate) fn lasting(&self, value: Value, view: &View) -> Option<Named> {
        let is_lasting = !view.changed.contains(&self.best(value, view, false)?.variable);
        if is_lasting { self.variable(value, view) } else { None }
    }

    /// Removes casts from a value until a variable holds the result, or no cast is left: `n` may hold a cast of
    /// `atoi`'s result.
    pub(crate) fn uncast(&self, value: Value, view: &View) -> Value {
        let named = value.casts().find(|cast| self.lasting(*cast, view).is_some());
        named.unwrap_or_else(|| stripped(value))
    }

    /// Returns true if the variable that holds a value can be seen from a scope. The compiler may have merged equal
    /// values of variables with different scopes.
    pub(crate) fn is_in_scope(&self, value: Value, view: &View) -> bool {
        let scopes = self.best(value, view, false).and_then(|binding| binding.scope.zip(view.scope));
        scopes.is_some_and(|(of, scope)| of.encloses(scope))
    }

    /// Returns the variable that holds a value, as seen from a scope. A variable holds a phi if it holds all incoming
    /// values of the phi.
    pub(crate) fn variable(&self, value: Value, view: &View) -> Option<Named> {
        let Some(best) = self.best(value, view, false) else {
            let ways = (value.opcode() == Some(Opcode::LLVMPHI)).then(|| value.incoming())?;
            let mut all = ways.iter().map(|(way, _)| self.best(*way, view, false));
            let first = all.next()??;
            let is_same =
                |binding: &Binding| (binding.variable, binding.part) == (first.variable, first.part);
            let is_one = all.all(|binding| binding.is_some_and(is_same));
            return is_one.then(|| self.variable(first.value, view))?;
        };
        let name = name_of(best.variable)?;
        let ty = best.variable.variable_type();
        let kind = if value.is_argument() { Kind::Parameter } else { Kind::Variable };
        let Some(bit) = best.part else { return Some(Named { name, kind, ty }) };
        let (members, ty) = ty?.members_at(bit, width_of(value), None);
        Some(with_members(name, kind, &members, ty))
    }

    /// Returns true if the variable that holds a value never holds another value, except the values that a loop
    /// carries into it.
    pub(crate) fn is_assigned_once(&self, value: Value, view: &View) -> bool {
        let Some(best) = self.best(value, view, false) else { return false };
        let carried = if value.opcode() == Some(Opcode::LLVMPHI) { value.incoming() } else { Vec::new() };
        let is_own = |other: Value| other == value || carried.iter().any(|(way, _)| *way == other);
        let of_variable =
            self.bindings.values().flatten().filter(|binding| binding.variable == best.variable);
        of_variable.filter(|binding| !binding.is_address).all(|binding| is_own(binding.value))
    }

    pub(super) fn best(&self, value: Value, view: &View, is_address: bool) -> Option<&Binding> {
        let is_stale = |binding: &Binding| view.stale.contains(&(value, binding.variable));
        let all = self.bindings.get(&value)?.iter();
        let is_seen =
            |binding: &&Binding| !binding.is_inlined || view.has_inlined && !binding.is_of_other_file;
        let all =
            all.filter(is_seen).filter(|binding| binding.is_address == is_address && !is_stale(binding));
        let fits = |binding: &&Binding| {
            let name = name_of(binding.variable).unwrap_or_default();
            // Nothing else has the name of a method's own object. Parameters of libraries begin with underscores.
            !name.is_empty()
                && (name == "self"
                    || value.is_argument() && is_of_library(&name)
                    || !is_temporary(
                        &name,
                        Path::new(&self.file).extension().is_some_and(|extension| extension == "rs"),
                    ))
        };
        // If several variables have one value, the others were assigned from the first.
        all.filter(fits).rev().max_by_key(|binding| {
            let sees = view.scope.zip(binding.scope).is_some_and(|(scope, of)| of.encloses(scope));
            let is_lasting = !view.changed.contains(&binding.variable);
            (is_lasting, sees, if sees { binding.scope.map_or(0, Node::depth) } else { 0 })
        })
    }

    /// Returns the variable that holds both values of a counter: its first value, and the value of later trips. The
    /// value of later trips may also belong to another variable, as in `a = b`.
    pub(crate) fn shared(&self, counter: Value, first: Value, view: &View) -> Option<Named> {
        let variables = |value: Value| {
            let all = self.bindings.get(&value).into_iter().flatten();
            all.filter(|binding| !binding.is_address && !binding.is_inlined).map(|binding| binding.variable)
        };
        let firsts: Vec<Node> = variables(first).collect();
        let mut shared = variables(counter).filter(|variable| firsts.contains(variable));
        let variable = shared.next().filter(|one| shared.all(|other| other == *one))?;
        let named = self.variable(first, view)?;
        (name_of(variable)? == named.name).then_some(named)
    }

    /// Returns the variables that the phis assign, with all of their other values for which `is_outside` is true.
    pub(crate) fn stale(&self, phis: &[Value], is_outside: impl Fn(Value) -> bool) -> HashSet<(Value, Node)> {
        let values = |binding: &Binding| !binding.is_address && !binding.is_inlined;
        let given = phis.iter().flat_map(|phi| self.bindings.get(phi).into_iter().flatten());
        let given: HashSet<Node> =
            given.filter(|binding| values(binding)).map(|binding| binding.variable).collect();
        let others = self.bindings.iter().filter(|(value, _)| is_outside(**value)).flat_map(|(_, all)| all);
        let others = others.filter(|binding| values(binding) && given.contains(&binding.variable));
        others.map(|binding| (binding.value, binding.variable)).collect()
    }

    /// Returns the variables that are assigned inside.
    pub(crate) fn changed(&self, is_inside: impl Fn(Value) -> bool) -> HashSet<Node> {
        let bindings = self.bindings.iter().filter(|(value, _)| is_inside(**value));
        bindings
            .flat_map(|(_, all)| all)
            .filter(|binding| !binding.is_address)
            .map(|binding| binding.variable)
            .collect()
    }

    /// Returns the name of a parameter; empty if debug information has none.
    pub(crate) fn parameter(&self, parameter: Value) -> String {
        let all = self.bindings.get(&parameter).into_iter().flatten().filter(|binding| !binding.is_inlined);
        let mut all = all.filter(|binding| binding.variable.variable_name().is_some());
        let Some(binding) = all.next() else { return String::new() };
        let name = binding.variable.variable_name().unwrap_or_default();
        match (binding.part, binding.variable.variable_type()) {
            (Some(bit), Some(ty)) => {
                let (members, ty) = ty.members_at(bit, width_of(parameter), None);
                with_members(name, Kind::Parameter, &members, ty).name
            }
            _ => name,
        }
    }
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

/// Returns true for names such as C++'s library gives its parameters: `__first`. Returns false for the compiler's
/// variables of a range-based `for`, such as `__range1`.
fn is_of_library(name: &str) -> bool {
    let front = name.trim_end_matches(|end: char| end.is_ascii_digit());
    name.starts_with("__") && (front == name || !matches!(front, "__range" | "__begin" | "__end"))
}

/// Returns true for names of variables that compilers and libraries create. rustc's have names that programs in other
/// languages use.
fn is_temporary(name: &str, is_rust: bool) -> bool {
    let is_of_rustc = is_rust && matches!(name, "iter" | "residual" | "val" | "self");
    name.starts_with("__") || is_of_rustc || name.contains('~')
}

pub(super) fn width_of(value: Value) -> u64 {
    let ty = value.ty();
    if ty.is_any_integer() {
        u64::from(ty.bits())
    } else if ty.is_pointer() {
        64
    } else {
        1
    }
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
