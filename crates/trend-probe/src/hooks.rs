//! Puts entries, exits and watched accesses into routines.

use std::collections::HashMap;

use inkwell::context::Context;
use inkwell::memory_buffer::MemoryBuffer;
use inkwell::module::Module;

use crate::accesses::{self, Access, Kind, Size};
use crate::costs::{AT_EXIT, BEFORE_CALL, OF_PART, ends_in_tail_call};
use crate::effects::{self, Amount, Argument, Effect};
use crate::formats;
use crate::ir::{self, Builder, Opcode, Value};
use crate::models::{self, Allocator};
use crate::redundancy;
use crate::routines::{is_part, is_routine, is_steady, may_not_return, returns_twice};
use crate::{Options, ProbeError, Unit};

const SOURCE: &str = include_str!("hooks.ll");
/// As in record.rs of the runtime.
const PART_MARK: [u8; 8] = *b"trendprt";

/// Adds the functions that are put into routines.
pub(crate) fn link<'a>(
    context: &'a Context,
    module: &Module<'a>,
    options: Options,
) -> Result<(), ProbeError> {
    let widened = 2_u32.saturating_sub(options.cell_shift);
    let inside: i64 = if widened > 0 { (1 << 47) - 1 } else { -1 };
    // Ids of activations stay below what marks cells that others wrote.
    let (below, last_id) = if options.is_dynamic { ("slt", (1_i64 << 30) - 17) } else { ("ult", -17) };
    let lines = |are_there: bool| if are_there { ("", ";") } else { (";", "") };
    let (dynamic, fixed) = lines(options.is_dynamic);
    let (contexts, flat) = lines(options.has_contexts);
    let (timed, counted) = lines(options.unit == Unit::Nanoseconds);
    // Cells of 4 bytes that nobody watches: short ranges of them are checked without the runtime.
    let (short, long) = lines(!options.is_dynamic && options.cell_shift == 2);
    let source = SOURCE
        .replace("{dynamic}", dynamic)
        .replace("{static}", fixed)
        .replace("{contexts}", contexts)
        .replace("{flat}", flat)
        .replace("{timed}", timed)
        .replace("{counted}", counted)
        .replace("{short}", short)
        .replace("{long}", long)
        .replace("{below}", below)
        .replace("{last_id}", &last_id.to_string())
        .replace("{shift}", &options.cell_shift.to_string())
        .replace("{widened}", &widened.to_string())
        .replace("{inside}", &inside.to_string())
        .replace("{cell_mask}", &(-(1_i64 << options.cell_shift)).to_string());
    let error = |reason: String| ProbeError::Llvm { what: "add the hooks", reason };
    let text = MemoryBuffer::create_from_memory_range_copy(source.as_bytes(), "hooks");
    let hooks = context.create_module_from_ir(text).map_err(|e| error(e.to_string()))?;
    hooks.set_data_layout(&module.get_data_layout());
    hooks.set_triple(&module.get_triple());
    module.link_in_module(hooks).map_err(|e| error(e.to_string()))?;
    ir::functions(module)
        .into_iter()
        .filter(|f| f.name().starts_with("trend.") && !f.is_declaration())
        .for_each(Value::make_internal);
    Ok(())
}

/// Instruments all routines of a module that the hooks were linked into.
pub(crate) fn instrument(module: &Module<'_>, options: Options) {
    let builder = Builder::new(module);
    let names = [
        "enter",
        "mask",
        "flip",
        "writer",
        "reload",
        "save",
        "land",
        "exit",
        "read",
        "read.ends",
        "read.pair",
        "read.four",
        "read.range",
        "read.wide.8",
        "read.wide.16",
        "read.wide.32",
        "read.wide.64",
        "write",
        "write.ends",
        "write.pair",
        "write.four",
        "write.range",
        "write.wide.8",
        "write.wide.16",
        "write.wide.32",
        "write.wide.64",
        "saved",
        "external",
        "given",
        "running",
        "parts.count",
        "parts.cost",
        "is.idle",
        "begin",
        "finish",
    ];
    let hooks = names
        .map(|name| (name, ir::function(module, &format!("trend.{name}")).expect("hooks.ll defines it")))
        .into();
    let mut unit = Instrumentation {
        module,
        builder,
        hooks,
        options,
        descriptors: HashMap::new(),
        externals: HashMap::new(),
    };
    for function in ir::functions(module).into_iter().filter(|f| is_routine(*f)) {
        if is_part(function) {
            function.set_prefix(unit.builder.constant(unit.builder.int64(), u64::from_le_bytes(PART_MARK)));
            unit.part(function);
        } else {
            unit.routine(function);
        }
    }
    for function in ir::functions(module).into_iter().filter(|f| !f.is_declaration()) {
        if let Some(kind) = models::allocator(&function.name()) {
            unit.allocator(function, kind);
        }
    }
}

struct Instrumentation<'a, 'b> {
    module: &'a Module<'b>,
    builder: Builder,
    hooks: HashMap<&'static str, Value>,
    options: Options,
    /// By name: copies that the optimizer made of a function are one routine.
    descriptors: HashMap<String, Value>,
    externals: HashMap<Value, Value>,
}

/// What the code of one routine keeps in registers.
struct Locals {
    frame: Value,
    mask: Value,
    /// What leads to who wrote a cell, and the thread as a writer.
    flip: Value,
    writer: Value,
    id: Value,
    parent: Value,
    /// How many cells were new.
    count: Value,
    /// The cost at the exit that comes next.
    cost: Value,
    /// What a `longjmp` made the registers forget of the cost.
    forgotten: Option<Value>,
}

impl Instrumentation<'_, '_> {
    fn routine(&mut self, function: Value) {
        let blocks = function.blocks();
        let instructions: Vec<Value> = blocks.iter().flat_map(|block| block.instructions()).collect();
        let is_repeated = |of: &Value| of.opcode() == Some(Opcode::LLVMCall) && returns_twice(*of);
        let has_jump = instructions.iter().any(is_repeated);
        let accesses: Vec<Access> =
            instructions.iter().flat_map(|of| accesses::of(*of, self.module)).collect();
        let accesses = redundancy::needed(function, accesses, self.options.is_dynamic);

        let locals = self.begin(function, has_jump);
        for access in accesses {
            match access.kind {
                Kind::Read => self.read(&locals, &access),
                Kind::Write => self.write(&locals, &access),
            }
        }
        let mut last_mark = None;
        for instruction in instructions {
            let builder = &self.builder;
            match instruction.opcode() {
                Some(Opcode::LLVMCall | Opcode::LLVMInvoke) => {
                    let name = instruction.callee().map(Value::name).unwrap_or_default();
                    if name == BEFORE_CALL {
                        last_mark = Some(instruction.operand(0));
                        let count = builder.before(instruction).load(builder.int64(), locals.count);
                        let own = self.own(&locals, instruction.operand(0));
                        builder.call(self.hooks["save"], &[locals.frame, count, own]);
                        instruction.remove();
                    } else if name == AT_EXIT {
                        builder.before(instruction).store(instruction.operand(0), locals.cost);
                        instruction.remove();
                    } else if instruction.is_tail_call_that_must_be() {
                        self.exit(&locals, instruction);
                    } else if may_not_return(instruction) {
                        self.call(&locals, instruction, &name, last_mark);
                    }
                }
                Some(Opcode::LLVMLandingPad) => {
                    let after = instruction.block().first_insertion_point();
                    builder.before(after).call(self.hooks["land"], &[locals.frame]);
                    self.reload(&locals);
                }
                Some(Opcode::LLVMRet | Opcode::LLVMResume) if !ends_in_tail_call(instruction.block()) => {
                    self.exit(&locals, instruction);
                }
                _ => {}
            }
        }
    }

    /// A part of its callers: what it reads and costs is counted in the frame on top, which is that of the routine it was called
    /// by. Where none runs, it is a routine itself.
    fn part(&mut self, function: Value) {
        let blocks = function.blocks();
        let instructions: Vec<Value> = blocks.iter().flat_map(|block| block.instructions()).collect();
        let accesses: Vec<Access> =
            instructions.iter().flat_map(|of| accesses::of(*of, self.module)).collect();
        let accesses = redundancy::needed(function, accesses, self.options.is_dynamic);
        let locals = self.begin_part(blocks[0].instructions()[0]);
        for access in accesses {
            match access.kind {
                Kind::Read => self.read(&locals, &access),
                Kind::Write => self.write(&locals, &access),
            }
        }
        for instruction in instructions {
            match instruction.opcode() {
                Some(Opcode::LLVMCall | Opcode::LLVMInvoke) => {
                    let name = instruction.callee().map(Value::name).unwrap_or_default();
                    if name == OF_PART {
                        let cost = instruction.operand(0);
                        self.builder
                            .before(instruction)
                            .call(self.hooks["parts.cost"], &[locals.frame, cost]);
                        instruction.remove();
                    } else if may_not_return(instruction) {
                        self.call(&locals, instruction, &name, None);
                    }
                }
                Some(Opcode::LLVMLandingPad) => {
                    let after = instruction.block().first_insertion_point();
                    self.builder.before(after).call(self.hooks["land"], &[locals.frame]);
                }
                _ => {}
            }
        }
        let descriptor = self.descriptor(function);
        let builder = &self.builder;
        builder.before_all_if(function, self.hooks["is.idle"]);
        let frame = builder.call(self.hooks["begin"], &[descriptor]);
        let call = builder.call_again(function);
        builder.call(self.hooks["finish"], &[descriptor, frame]);
        builder.give_back(call);
    }

    /// What a part of its callers needs of their frame.
    fn begin_part(&self, first: Value) -> Locals {
        let builder = &self.builder;
        let (long, short) = (builder.int64(), builder.int32());
        builder.before(first);
        let [id, parent] = [(); 2].map(|()| builder.variable(short));
        builder.before(after_variables(first));
        let frame = builder.call(self.hooks["running"], &[]);
        let count = builder.call(self.hooks["parts.count"], &[frame]);
        let mask = builder.call(self.hooks["mask"], &[]);
        let (flip, writer) = self.writer();
        let cost = builder.constant(long, 0);
        let locals = Locals { frame, mask, flip, writer, id, parent, count, cost, forgotten: None };
        self.reload(&locals);
        locals
    }

    /// What leads to who wrote a cell, and the thread as a writer.
    fn writer(&self) -> (Value, Value) {
        let builder = &self.builder;
        if self.options.is_dynamic {
            (builder.call(self.hooks["flip"], &[]), builder.call(self.hooks["writer"], &[]))
        } else {
            (builder.constant(builder.int64(), 0), builder.constant(builder.int32(), 0))
        }
    }

    /// What Rust's allocator gives, told where it is defined.
    fn allocator(&self, function: Value, kind: Allocator) {
        let builder = &self.builder;
        let (length, kept) = match kind {
            Allocator::Gives => (0, None),
            Allocator::Moves => (3, Some((0, 1))),
            Allocator::Other => return,
        };
        for block in function.blocks() {
            let exit = block.terminator();
            if exit.opcode() != Some(Opcode::LLVMRet) {
                continue;
            }
            let memory = exit.operand(0);
            let (old, kept) = match kept {
                Some((old, kept)) => (function.parameter(old), function.parameter(kept)),
                None => (memory, builder.constant(builder.int64(), 0)),
            };
            let arguments = [memory, function.parameter(length), old, kept];
            builder.before(exit).call(self.hooks["given"], &arguments);
        }
    }

    /// The entry of a routine.
    fn begin(&mut self, function: Value, has_jump: bool) -> Locals {
        let descriptor = self.descriptor(function);
        let builder = &self.builder;
        let first = function.blocks()[0].instructions()[0];
        let (long, short) = (builder.int64(), builder.int32());
        builder.before(first);
        let [count, cost] = [(); 2].map(|()| builder.variable(long));
        let [id, parent] = [(); 2].map(|()| builder.variable(short));
        let forgotten = has_jump.then(|| builder.variable(long));
        builder.before(after_variables(first));
        for variable in [count, cost].into_iter().chain(forgotten) {
            builder.store(builder.constant(long, 0), variable);
        }
        let frame = builder.call(self.hooks["enter"], &[descriptor]);
        let mask = builder.call(self.hooks["mask"], &[]);
        let (flip, writer) = self.writer();
        let locals = Locals { frame, mask, flip, writer, id, parent, count, cost, forgotten };
        self.reload(&locals);
        locals
    }

    /// Writes the routine's `Descriptor`, as the runtime reads it, into the module.
    fn descriptor(&mut self, function: Value) -> Value {
        let name = routine_name(&function.name());
        if let Some(known) = self.descriptors.get(&name) {
            return *known;
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

    fn reload(&self, locals: &Locals) {
        self.builder.call(self.hooks["reload"], &[locals.frame, locals.id, locals.parent]);
    }

    /// The cost so far, where the builder stands.
    fn own(&self, locals: &Locals, cost: Value) -> Value {
        let builder = &self.builder;
        match locals.forgotten {
            Some(forgotten) => builder.add(cost, builder.load(builder.int64(), forgotten)),
            None => cost,
        }
    }

    fn exit(&self, locals: &Locals, at: Value) {
        let builder = &self.builder;
        let long = builder.int64();
        let count = builder.before(at).load(long, locals.count);
        let cost = builder.load(long, locals.cost);
        let own = self.own(locals, cost);
        builder.call(self.hooks["exit"], &[locals.frame, count, own]);
    }

    /// A call of another function, and what follows when it returns.
    fn call(&mut self, locals: &Locals, call: Value, name: &str, mark: Option<Value>) {
        let is_external = call.callee().is_some_and(Value::is_declaration);
        let effects = models::effects_of(name, call).filter(|all| is_external && effects::fit(all, call));
        let is_invoke = call.opcode() == Some(Opcode::LLVMInvoke);
        let after = if is_invoke {
            call.normal_destination().first_insertion_point()
        } else {
            call.next().expect("a call is not the last of its block")
        };
        if let Some(effects) = effects {
            for effect in effects.iter().filter(|e| e.is_before()) {
                self.builder.before(call);
                self.effect(locals, call, *effect);
            }
        } else if is_external
            && let Some(callee) = call.callee()
            // What ends the caller as well has no part in what it reads.
            && !callee.has_attribute("noreturn")
        {
            self.external(callee, name, call);
        }
        let builder = &self.builder;
        builder.before(after);
        if call.opcode() == Some(Opcode::LLVMCall) && returns_twice(call) {
            builder.call(self.hooks["land"], &[locals.frame]);
            self.remember(locals, mark);
        }
        // Where no routine is called, ids stay as they are.
        if !call.callee().is_some_and(is_steady) {
            self.reload(locals);
        }
        // Behind an exceptional edge nothing was done.
        for effect in effects.unwrap_or_default().iter().filter(|e| !e.is_before()) {
            self.effect(locals, call, *effect);
        }
        if let Some(format) = models::scanned_format(name).filter(|_| is_external) {
            self.scanned(locals, call, format);
        }
    }

    /// What a call has written by a format that is known, where the builder stands.
    fn scanned(&self, locals: &Locals, call: Value, format: u32) {
        let builder = &self.builder;
        let long = builder.int64();
        if format >= call.arguments() || !call.ty().is_integer() {
            return;
        }
        let outputs = call.operand(format).text().and_then(|text| formats::outputs(&text));
        for (output, index) in outputs.into_iter().flatten().zip(format + 1..call.arguments()) {
            let pointer = call.operand(index);
            if pointer.ty().is_thin_pointer() {
                let bytes = builder.constant(long, output.bytes.unwrap_or(u64::MAX));
                let needed = builder.constant(long, output.needed);
                let done = builder.positive(call);
                self.tell(
                    locals,
                    "write_scanned",
                    &[builder.address(pointer), bytes, builder.less(done, needed)],
                );
            }
        }
    }

    /// After `setjmp`, which can be after a `longjmp`: registers are as they were at the call of `setjmp`, and the frame is as
    /// it was at the last call.
    fn remember(&self, locals: &Locals, mark: Option<Value>) {
        let builder = &self.builder;
        let long = builder.int64();
        let saved = self.hooks["saved"];
        let count = builder.call(saved, &[locals.frame, builder.constant(long, 4)]);
        builder.store(count, locals.count);
        if let (Some(forgotten), Some(mark)) = (locals.forgotten, mark) {
            let own = builder.call(saved, &[locals.frame, builder.constant(long, 5)]);
            let minus = builder.multiply(mark, builder.constant(long, u64::MAX));
            builder.store(builder.add(own, minus), forgotten);
        }
    }

    /// Counts the calls of a function that this module does not define and no model describes.
    fn external(&mut self, callee: Value, name: &str, call: Value) {
        let builder = &self.builder;
        let descriptor = *self.externals.entry(callee).or_insert_with(|| {
            let zero = builder.constant(builder.int64(), 0);
            let length = builder.constant(builder.int64(), name.len() as u64);
            builder.record(c"trend.external", &[zero, builder.text(name), length, callee])
        });
        builder.before(call).call(self.hooks["external"], &[descriptor]);
    }

    /// What a modelled function does to memory, where the builder stands.
    fn effect(&self, locals: &Locals, call: Value, effect: Effect) {
        let builder = &self.builder;
        let long = builder.int64();
        let amount = |amount: Amount| match amount {
            Amount::Bytes(bytes) => builder.constant(long, bytes),
            Amount::BytesIfZero(bytes) => builder.if_zero(call, builder.constant(long, bytes)),
            Amount::Argument(index) => builder.widened(call.operand(index)),
            Amount::ArgumentIfZero(index) => builder.if_zero(call, builder.widened(call.operand(index))),
            Amount::Items(index, bytes) => {
                builder.multiply(builder.widened(call.operand(index)), builder.constant(long, bytes))
            }
            Amount::Lesser(a, b) => {
                let [a, b] = [a, b].map(|index| builder.widened(call.operand(index)));
                builder.lesser(a, b)
            }
            Amount::Product(a, b) => {
                let [a, b] = [a, b].map(|index| builder.widened(call.operand(index)));
                builder.multiply(a, b)
            }
            Amount::Result => builder.positive(call),
            Amount::ResultAndOne => builder.add(builder.positive(call), builder.constant(long, 1)),
            Amount::ResultTimes(index) => {
                builder.multiply(builder.widened(call), builder.widened(call.operand(index)))
            }
            Amount::All => builder.constant(long, u64::MAX),
        };
        let effects::Call { function, arguments } = effect.call();
        let arguments = arguments.map(|argument| match argument {
            Argument::Pointer(index) => builder.address(call.operand(index)),
            Argument::Result => builder.address(call),
            Argument::Amount(of) => amount(of),
            Argument::None => builder.constant(long, 0),
        });
        self.tell(locals, function, &arguments);
    }

    /// Calls a function of the runtime's models.
    fn tell(&self, locals: &Locals, function: &str, arguments: &[Value; 3]) {
        let builder = &self.builder;
        let long = builder.int64();
        let shift = builder.constant(builder.int32(), u64::from(self.options.cell_shift));
        let all = [&[locals.frame, locals.mask, shift][..], arguments].concat();
        let new = builder.call(builder.model(function), &all);
        builder.store(builder.add(builder.load(long, locals.count), new), locals.count);
    }

    fn read(&self, locals: &Locals, access: &Access) {
        let builder = &self.builder;
        builder.before(access.at);
        let id = builder.load(builder.int32(), locals.id);
        let parent = builder.load(builder.int32(), locals.parent);
        let rest = [locals.mask, locals.frame, id, parent, locals.count];
        let with = |first: &[Value]| [first, &rest].concat();
        let last = |size: u64| builder.constant(builder.int64(), size - 1);
        match shape(access, self.options) {
            Shape::One => {
                builder.call(self.hooks["read"], &with(&[access.pointer, self.cells(access)]));
            }
            Shape::Ends(size) => {
                builder.call(self.hooks["read.ends"], &with(&[access.pointer, last(size)]));
            }
            Shape::Pair => {
                builder.call(self.hooks["read.pair"], &with(&[access.pointer]));
            }
            Shape::Four => {
                builder.call(self.hooks["read.four"], &with(&[access.pointer]));
            }
            Shape::Pairs(pairs) => {
                for pair in 0..pairs {
                    let pointer = builder.offset(access.pointer, 8 * pair);
                    builder.call(self.hooks["read.pair"], &with(&[pointer]));
                }
            }
            Shape::Wide(hooks) => {
                builder.call(self.hooks[hooks.0], &with(&[access.pointer]));
            }
            Shape::Range => {
                builder.call(self.hooks["read.range"], &with(&[access.pointer, self.bytes(access)]));
            }
        }
    }

    fn write(&self, locals: &Locals, access: &Access) {
        let builder = &self.builder;
        builder.before(access.at);
        let id = builder.load(builder.int32(), locals.id);
        let rest = [locals.mask, locals.frame, id, locals.flip, locals.writer];
        let with = |first: &[Value]| [first, &rest].concat();
        let last = |size: u64| builder.constant(builder.int64(), size - 1);
        let pointer = access.pointer;
        match shape(access, self.options) {
            Shape::One => {
                builder.call(self.hooks["write"], &with(&[pointer, self.cells(access)]));
            }
            Shape::Ends(size) => {
                builder.call(self.hooks["write.ends"], &with(&[pointer, last(size)]));
            }
            Shape::Pair => {
                builder.call(self.hooks["write.pair"], &with(&[pointer]));
            }
            Shape::Four => {
                builder.call(self.hooks["write.four"], &with(&[pointer]));
            }
            Shape::Pairs(pairs) => {
                for pair in 0..pairs {
                    let pointer = builder.offset(pointer, 8 * pair);
                    builder.call(self.hooks["write.pair"], &with(&[pointer]));
                }
            }
            Shape::Wide(hooks) => {
                builder.call(self.hooks[hooks.1], &with(&[pointer]));
            }
            Shape::Range => {
                let arguments = [pointer, self.bytes(access), locals.mask, locals.frame, id];
                builder.call(self.hooks["write.range"], &arguments);
            }
        }
    }

    /// What clears the bits of a pointer within its cell.
    fn cells(&self, access: &Access) -> Value {
        let cell = 1_u64 << self.options.cell_shift;
        let mask = if access.alignment >= cell { u64::MAX } else { !(cell - 1) };
        self.builder.constant(self.builder.int64(), mask)
    }

    fn bytes(&self, access: &Access) -> Value {
        match access.size {
            Size::Known(size) => self.builder.constant(self.builder.int64(), size),
            Size::Computed(value) => self.builder.widened(value),
        }
    }
}

/// Where the code of a function begins whose first instruction is `first`.
fn after_variables(first: Value) -> Value {
    let mut body = first;
    while body.opcode() == Some(Opcode::LLVMAlloca) {
        body = body.next().expect("a block ends with a terminator");
    }
    body
}

/// By which hook an access is watched.
enum Shape {
    /// It lies within one cell.
    One,
    /// It touches the cells of its first and its last byte, of so many, and no others.
    Ends(u64),
    /// Two cells of 4 bytes.
    Pair,
    /// Four of them.
    Four,
    /// So many pairs of them: a structure that is copied.
    Pairs(u64),
    /// Cells of 4 bytes of any alignment, by these hooks for a read and a write.
    Wide((&'static str, &'static str)),
    Range,
}

fn shape(access: &Access, options: Options) -> Shape {
    let cell = 1_u64 << options.cell_shift;
    let Size::Known(size) = access.size else { return Shape::Range };
    let is_aligned = access.alignment >= cell;
    // Where others are watched, it takes as long to look at their cells one by one.
    let is_wide = cell == 4 && !options.is_dynamic;
    match size {
        _ if size <= cell && access.alignment >= size.next_power_of_two() => Shape::One,
        // Shadows are contiguous for 2 KB at a time.
        8 if cell == 4 && access.alignment >= 8 => Shape::Pair,
        16 if cell == 4 && access.alignment >= 16 => Shape::Four,
        24 if cell == 4 && access.alignment >= 8 => Shape::Pairs(3),
        16 | 32 if cell == 4 && access.alignment >= 8 && !is_wide => Shape::Pairs(size / 8),
        8 if is_wide && !is_aligned => Shape::Wide(("read.wide.8", "write.wide.8")),
        16 if is_wide => Shape::Wide(("read.wide.16", "write.wide.16")),
        32 if is_wide => Shape::Wide(("read.wide.32", "write.wide.32")),
        64 if is_wide => Shape::Wide(("read.wide.64", "write.wide.64")),
        _ if size <= cell + 1 || (is_aligned && size <= 2 * cell) => Shape::Ends(size),
        _ => Shape::Range,
    }
}

/// The name of the function that this one was made from.
fn routine_name(name: &str) -> String {
    let copied = [".specialized.", ".cold.", ".llvm."].iter().find_map(|mark| name.split_once(mark));
    let name = copied.map_or(name, |(front, _)| front);
    // Parts of a coroutine.
    let part = [".resume", ".destroy", ".cleanup"].iter().find_map(|part| name.strip_suffix(part));
    part.unwrap_or(name).to_owned()
}
