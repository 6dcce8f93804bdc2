//! Instrumentation of a module: its hooks, its descriptors, and the values that a routine keeps in registers.

use std::collections::HashMap;

use inkwell::module::Module;

use crate::ir::builder::Builder;
use crate::ir::value::{Opcode, Value};
use crate::options::{Options, Unit};

pub(super) struct Instrumentation<'a, 'b> {
    pub(super) module: &'a Module<'b>,
    pub(super) builder: Builder,
    pub(super) hooks: HashMap<&'static str, Value>,
    pub(super) options: Options,
    /// Descriptors by name: copies that the optimizer made of a function are one routine.
    pub(super) descriptors: HashMap<String, Value>,
    pub(super) externals: HashMap<Value, Value>,
}

/// Values that the code of one routine keeps in registers.
pub(super) struct Locals {
    pub(super) frame: Value,
    pub(super) mask: Value,
    /// XOR mask that turns the address of a cell's shadow into the address of the cell's writer.
    pub(super) flip: Value,
    /// Number of the thread as a writer.
    pub(super) writer: Value,
    /// Id of the activation in both halves: for two cells of 4 bytes.
    pub(super) ids: Value,
    pub(super) parent: Value,
    /// Number of cells that were new.
    pub(super) count: Value,
    /// Cost at the next exit.
    pub(super) cost: Value,
    /// Cost that a `longjmp` made the registers forget.
    pub(super) forgotten: Option<Value>,
}

impl Instrumentation<'_, '_> {
    /// Inserts the entry of a routine.
    pub(super) fn begin(&self, function: Value, descriptor: Value, has_jump: bool) -> Locals {
        let builder = &self.builder;
        let first = function.blocks()[0].instructions()[0];
        let (long, short) = (builder.int64(), builder.int32());
        builder.before(first);
        let [count, cost] = [(); 2].map(|()| builder.variable(long));
        let (ids, parent) = (builder.variable(long), builder.variable(short));
        let forgotten = has_jump.then(|| builder.variable(long));
        builder.before(after_variables(first));
        for variable in [count, cost].into_iter().chain(forgotten) {
            builder.store(builder.constant(long, 0), variable);
        }
        let frame = builder.call(self.hooks["enter"], &[descriptor]);
        let mask = builder.call(self.hooks["mask"], &[]);
        let (flip, writer) = self.writer();
        let locals = Locals { frame, mask, flip, writer, ids, parent, count, cost, forgotten };
        self.reload(&locals);
        locals
    }

    /// Inserts code that loads the values of the callers' frame that a part needs.
    pub(super) fn begin_part(&self, first: Value) -> Locals {
        let builder = &self.builder;
        let (long, short) = (builder.int64(), builder.int32());
        builder.before(first);
        let (ids, parent) = (builder.variable(long), builder.variable(short));
        builder.before(after_variables(first));
        let frame = builder.call(self.hooks["running"], &[]);
        let count = builder.call(self.hooks["parts.count"], &[frame]);
        let mask = builder.call(self.hooks["mask"], &[]);
        let (flip, writer) = self.writer();
        let cost = builder.constant(long, 0);
        let locals = Locals { frame, mask, flip, writer, ids, parent, count, cost, forgotten: None };
        self.reload(&locals);
        locals
    }

    /// Returns the XOR that leads from a shadow to the writers of cells, and the thread's number as a writer.
    fn writer(&self) -> (Value, Value) {
        let builder = &self.builder;
        if self.options.is_dynamic {
            (builder.call(self.hooks["flip"], &[]), builder.call(self.hooks["writer"], &[]))
        } else {
            (builder.constant(builder.int64(), 0), builder.constant(builder.int32(), 0))
        }
    }

    pub(super) fn reload(&self, locals: &Locals) {
        self.builder.call(self.hooks["reload"], &[locals.frame, locals.ids, locals.parent]);
    }

    /// Returns the cost so far, at the position of the builder.
    pub(super) fn own(&self, locals: &Locals, cost: Value) -> Value {
        let builder = &self.builder;
        match locals.forgotten {
            Some(forgotten) => builder.add(cost, builder.load(builder.int64(), forgotten)),
            None => cost,
        }
    }

    pub(super) fn exit(&self, locals: &Locals, at: Value) {
        let builder = &self.builder;
        let long = builder.int64();
        let count = builder.before(at).load(long, locals.count);
        let cost = builder.load(long, locals.cost);
        let own = self.own(locals, cost);
        builder.call(self.hooks["exit"], &[locals.frame, count, own]);
    }

    /// Writes the routine's `Descriptor` into the module, in the layout that the runtime reads.
    pub(super) fn descriptor(&mut self, function: Value) -> Value {
        let name = routine_name(&function.name());
        if let Some(descriptor) = self.descriptors.get(&name) {
            return *descriptor;
        }
        let builder = &self.builder;
        let (file, line) = function.source().unwrap_or_default();
        let short = |value: u64| builder.constant(builder.int32(), value);
        let unit = match self.options.unit {
            Unit::Blocks => 0,
            Unit::Instructions => 1,
            Unit::Nanoseconds => 2,
        };
        let config = u64::from(self.options.cell_shift)
            | (unit << 3)
            | (u64::from(self.options.is_dynamic) << 5)
            | (u64::from(self.options.has_contexts) << 6);
        let values = [
            short(0),
            short(u64::from(line)),
            builder.text(&name),
            builder.text(&file),
            short(name.len() as u64),
            short(file.len() as u64),
            short(config),
        ];
        let descriptor = builder.record(c"trend.routine", &values);
        self.descriptors.insert(name, descriptor);
        descriptor
    }
}

/// Returns the instruction after the variables at the start of a function.
fn after_variables(first: Value) -> Value {
    let mut body = first;
    while body.opcode() == Some(Opcode::LLVMAlloca) {
        body = body.next().expect("a block ends with a terminator");
    }
    body
}

/// Returns the name of the function that a function was made from.
fn routine_name(name: &str) -> String {
    let copied = [".specialized.", ".cold.", ".llvm."].iter().find_map(|mark| name.split_once(mark));
    let name = copied.map_or(name, |(front, _)| front);
    // Parts of a coroutine have the coroutine's name.
    let part = [".resume", ".destroy", ".cleanup"].iter().find_map(|part| name.strip_suffix(part));
    part.unwrap_or(name).to_owned()
}
