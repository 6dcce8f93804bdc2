//! Decides which functions are routines with observations of their own.
//!
//! A function costs the same for all inputs if it has no loop and calls only such functions and the C library's. It is
//! a *part* of its callers, for which its reads and costs are counted. If it is small, it is inlined as well. So are
//! other functions without a loop that are not recursive, as in a build without the probe. Recursive functions without
//! a loop that only forward to the next one become part of their callers, too: Rust's traits and closures create many.
//! All others are routines. A coroutine is always a routine: its beginning, each resumption, and its end are
//! activations.
//!
//! Code of the standard libraries of C++ and Rust is compiled with its users. It is a part of its callers, with or
//! without loops, like the C library. Crates that a program depends on are inlined as in any build, and their remaining
//! functions are routines.
//!
//! ```text
//!   sort ─▶ swap        part: no loop              parse ─▶ value ─▶ array ─▶ value     routines: they call themselves
//!        ─▶ less ─▶ key  parts                     main ─▶ print (another source)       main is a routine: what is `print`?
//! ```

use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

use inkwell::module::Module;
use petgraph::algo::tarjan_scc;
use petgraph::graph::DiGraph;

use crate::ir::{self, Block, Opcode, Value};
use crate::models;

/// Attribute of functions that run before the program's libraries are ready.
const RESOLVER: &str = "trend-resolver";

/// Attribute of functions that are parts of their callers.
const PART: &str = "trend-part";

/// Attribute of parts that call no routine.
const STEADY: &str = "trend-steady";

/// Attribute of coroutines, and of the functions that they are split into.
const COROUTINE: &str = "trend-coroutine";

/// Maximum cost, as estimated by LLVM's inliner, of inlined functions of Rust crates and standard libraries; for others
/// it is 225. Inlined code has no entry and no exit, and reads nothing anew. With this limit, four crates take 3.40
/// times as long as without the probe; with 225, they take 3.91 times as long. C code in a crate has no closures and
/// iterators that would be worth it: SQLite became 11 times as large, and takes 290 s to compile instead of 84 s.
const OF_LIBRARIES: &str = "2000";

/// Excludes functions that choose between versions of a function while the program is loaded.
pub(crate) fn leave_out_resolvers(module: &Module<'_>) {
    for resolver in ir::resolvers(module) {
        resolver.add_text_attribute(RESOLVER, "");
    }
}

/// Returns true for a call after which the caller may not continue.
pub(crate) fn may_not_return(instruction: Value) -> bool {
    match instruction.opcode() {
        Some(Opcode::LLVMInvoke) => true,
        Some(Opcode::LLVMCall) => {
            !instruction.is_assembly()
                && instruction
                    .callee()
                    .is_none_or(|callee| !callee.is_intrinsic() && !callee.name().starts_with("trend."))
        }
        _ => false,
    }
}

/// Returns true if the probe's hooks go into a function.
pub(crate) fn is_routine(function: Value) -> bool {
    !function.is_declaration()
        && function.linkage() != inkwell::llvm_sys::LLVMLinkage::LLVMAvailableExternallyLinkage
        && !function.has_attribute("naked")
        && !function.has_text_attribute(RESOLVER)
        && !function.name().starts_with("trend.")
        // The functions that rustc generates only forward to the allocator.
        && !models::is_of_allocator(&function.name())
}

/// Prevents the inlining of functions that are recursive, or that loop by themselves or through library functions.
/// Library functions are inlined unless they are recursive.
pub(crate) fn keep_those_with_trends(module: &Module<'_>) {
    let functions: Vec<Value> = ir::functions(module).into_iter().filter(|f| is_routine(*f)).collect();
    let recursive = recursive(&functions);
    let looping = looping(&functions);
    for function in &functions {
        function.add_text_attribute("disable-tail-calls", "true");
        if is_coroutine(*function) {
            function.add_text_attribute(COROUTINE, "");
        }
        // Looping functions are excluded first: in an endless loop, `hands_on` would not end.
        if is_coroutine(*function)
            || (looping.contains(function) && origin(*function) == Origin::Program)
            || (recursive.contains(function) && !hands_on(*function))
        {
            keep_out(*function);
        } else if is_inlined_further(*function) {
            function.add_text_attribute("function-inline-threshold", OF_LIBRARIES);
        }
    }
}

/// Returns true if the module has coroutines that are not split yet.
pub(crate) fn has_coroutines(module: &Module<'_>) -> bool {
    ir::functions(module).into_iter().any(is_coroutine)
}

fn is_coroutine(function: Value) -> bool {
    function.has_attribute("presplitcoroutine")
}

/// Origin of a function's code.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Origin {
    Program,
    /// A crate that the program depends on.
    Crate,
    StandardLibrary,
}

/// Returns true if a function is inlined up to the larger cost.
fn is_inlined_further(function: Value) -> bool {
    match origin(function) {
        Origin::Program => false,
        Origin::Crate => {
            function.source().is_some_and(|(path, _)| Path::new(&path).extension() == Some("rs".as_ref()))
        }
        Origin::StandardLibrary => true,
    }
}

/// Returns the origin of a function's code, according to the path of its source.
fn origin(function: Value) -> Origin {
    let Some((path, _)) = function.source() else { return Origin::Program };
    if is_of_standard_library(&path) {
        Origin::StandardLibrary
    } else if Path::new(&path).parent().is_some_and(is_of_crate) {
        Origin::Crate
    } else {
        Origin::Program
    }
}

/// Files in folders that cargo has unpacked: from a registry or git, and by `cargo vendor`.
const OF_CARGO: [&str; 2] = [".cargo-ok", ".cargo-checksum.json"];

thread_local! {
    /// Known folders, each with true if it belongs to a crate that cargo got from elsewhere. The package being built
    /// never does, wherever it came from.
    static FOLDERS: RefCell<HashMap<PathBuf, bool>> = RefCell::new(package().map(|own| (own, false)).into_iter().collect());
}

/// Returns the folder of the package that cargo was asked to build, if it is being compiled.
fn package() -> Option<PathBuf> {
    std::env::var_os("CARGO_PRIMARY_PACKAGE")?;
    Some(std::env::var_os("CARGO_MANIFEST_DIR")?.into())
}

/// Returns true if a folder belongs to a crate that cargo got from elsewhere.
fn is_of_crate(folder: &Path) -> bool {
    if let Some(known) = FOLDERS.with_borrow(|folders| folders.get(folder).copied()) {
        return known;
    }
    let is_unpacked = OF_CARGO.iter().any(|file| folder.join(file).exists());
    let is_one = is_unpacked || folder.parent().is_some_and(is_of_crate);
    FOLDERS.with_borrow_mut(|folders| folders.insert(folder.to_owned(), is_one));
    is_one
}

/// Returns true if a source file belongs to the standard library of C++ or Rust.
pub(crate) fn is_of_standard_library(path: &str) -> bool {
    let begins = ["/rustc/", "/rust/deps/"].iter().any(|folder| path.starts_with(folder));
    begins || ["/include/c++/", "/rustlib/src/"].iter().any(|folder| path.contains(folder))
}

/// Returns true if a function's reads and costs are counted for its caller.
pub(crate) fn is_part(function: Value) -> bool {
    function.has_text_attribute(PART)
}

/// Returns true if a function is a part that calls no routine.
pub(crate) fn is_steady(function: Value) -> bool {
    function.has_text_attribute(STEADY)
}

/// Marks the functions that are parts of their callers.
pub(crate) fn find_parts(module: &Module<'_>) {
    let functions: Vec<Value> = ir::functions(module).into_iter().filter(|f| is_routine(*f)).collect();
    let recursive = recursive(&functions);
    let mut calls: Vec<(Value, Vec<Value>)> = functions
        .iter()
        .filter(|function| !recursive.contains(function) && !has_loop(**function) && can_be_part(**function))
        .filter_map(|function| Some((*function, known_calls(*function)?)))
        .collect();
    // Drops functions that call functions outside this set, until all remaining ones are parts.
    loop {
        let known: HashSet<Value> = calls.iter().map(|(function, _)| *function).collect();
        calls.retain(|(_, callees)| callees.iter().all(|callee| known.contains(callee)));
        if calls.len() == known.len() {
            break;
        }
    }
    for (function, _) in calls {
        function.add_text_attribute(PART, "");
        function.add_text_attribute(STEADY, "");
    }
    let is_of_library = |of: &Value| origin(*of) == Origin::StandardLibrary && can_be_part(*of);
    for function in functions.into_iter().filter(is_of_library) {
        function.add_text_attribute(PART, "");
    }
}

/// Returns true if the probe can count the work of a function for its caller.
fn can_be_part(function: Value) -> bool {
    let instructions = || function.blocks().into_iter().flat_map(Block::instructions);
    !function.has_text_attribute(COROUTINE)
        && !function.is_variadic()
        && !instructions().any(Value::is_tail_call_that_must_be)
        && !instructions().filter(|of| may_not_return(*of)).any(returns_twice)
}

/// Returns true if a call can return a second time, as `setjmp` does.
pub(crate) fn returns_twice(call: Value) -> bool {
    call.has_attribute("returns_twice")
        || call.callee().is_some_and(|callee| callee.has_attribute("returns_twice"))
}

/// Returns the functions of the module that a function calls and that return. Returns `None` if it may call unknown
/// functions.
fn known_calls(function: Value) -> Option<Vec<Value>> {
    let mut known = Vec::new();
    for instruction in function.blocks().iter().flat_map(|block| block.instructions()) {
        if !may_not_return(instruction) || instruction.has_attribute("noreturn") {
            continue;
        }
        let callee = instruction.callee()?;
        if callee.has_attribute("noreturn") {
            continue;
        }
        if !callee.is_declaration() && is_routine(callee) {
            known.push(callee);
        } else if !models::calls_nothing_back(&callee.name()) {
            return None;
        }
    }
    Some(known)
}

/// Prevents the inlining of all functions that still exist.
pub(crate) fn keep_all(module: &Module<'_>) {
    ir::functions(module).into_iter().filter(|f| is_routine(*f)).for_each(keep_out);
}

fn keep_out(function: Value) {
    if !function.has_attribute("alwaysinline") {
        function.remove_attribute("inlinehint");
        function.add_attribute("noinline", 0);
    }
}

/// Returns functions that loop, or that call a library function that does: its loop is theirs once it is inlined.
fn looping(functions: &[Value]) -> HashSet<Value> {
    let of_libraries: HashSet<Value> =
        functions.iter().copied().filter(|function| origin(*function) != Origin::Program).collect();
    let mut callers: HashMap<Value, Vec<Value>> = HashMap::new();
    for function in functions {
        for call in function.blocks().iter().flat_map(|block| block.instructions()) {
            if let Some(callee) = call.called().filter(|callee| of_libraries.contains(callee)) {
                callers.entry(callee).or_default().push(*function);
            }
        }
    }
    let mut found: Vec<Value> = functions.iter().copied().filter(|function| has_loop(*function)).collect();
    let mut looping: HashSet<Value> = found.iter().copied().collect();
    while let Some(function) = found.pop() {
        let through = callers.get(&function).into_iter().flatten();
        found.extend(through.filter(|caller| looping.insert(**caller)));
    }
    looping
}

/// Returns the functions that can call themselves, directly or through other functions of the module.
fn recursive(functions: &[Value]) -> HashSet<Value> {
    let mut calls = DiGraph::<Value, ()>::new();
    let nodes: HashMap<Value, _> = functions.iter().map(|f| (*f, calls.add_node(*f))).collect();
    let mut is_self_calling = HashSet::new();
    for function in functions {
        for call in function.blocks().iter().flat_map(|block| block.instructions()) {
            let Some(callee) = call.called() else { continue };
            if callee == *function {
                is_self_calling.insert(callee);
            } else if let Some(node) = nodes.get(&callee) {
                calls.update_edge(nodes[function], *node, ());
            }
        }
    }
    let circles = tarjan_scc(&calls).into_iter().filter(|circle| circle.len() > 1).flatten();
    is_self_calling.extend(circles.map(|node| calls[node]));
    is_self_calling
}

/// Returns true if there is only one path through a function, apart from exceptions.
fn hands_on(function: Value) -> bool {
    let mut block = function.blocks()[0];
    loop {
        let last = block.terminator();
        block = match *block.successors() {
            _ if last.opcode() == Some(Opcode::LLVMInvoke) => last.normal_destination(),
            [] => return true,
            [next] => next,
            _ => return false,
        };
    }
}

/// Returns true if control can come back to a block of a function.
pub(crate) fn has_loop(function: Value) -> bool {
    let blocks = function.blocks();
    let mut graph = DiGraph::<(), ()>::new();
    let nodes: HashMap<_, _> = blocks.iter().map(|block| (*block, graph.add_node(()))).collect();
    for block in &blocks {
        for next in block.successors() {
            graph.add_edge(nodes[block], nodes[&next], ());
        }
    }
    petgraph::algo::is_cyclic_directed(&graph)
}
