//! Instruments calls of other functions: the code before them and where they return.

use super::instrumentation::{Instrumentation, Locals};
use crate::ir::value::{Opcode, Value};
use crate::library::effects::{Amount, Argument, Effect};
use crate::library::{effects, formats, models};
use crate::routines::calls::returns_twice;
use crate::routines::marks::is_steady;

impl Instrumentation<'_, '_> {
    /// Instruments a call of another function, and the place where it returns.
    pub(super) fn call(&mut self, locals: &Locals, call: Value, name: &str, mark: Option<Value>) {
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
            // A function that never returns does not affect what the caller reads.
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
        // If no routine is called, ids stay unchanged.
        if !call.callee().is_some_and(is_steady) {
            self.reload(locals);
        }
        // Effects are not recorded on exceptional edges.
        for effect in effects.unwrap_or_default().iter().filter(|e| !e.is_before()) {
            self.effect(locals, call, *effect);
        }
        if let Some(format) = models::scanned_format(name).filter(|_| is_external) {
            self.scanned(locals, call, format);
        }
    }

    /// Records what a call with a known format has written, at the position of the builder.
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

    /// Restores counts after `setjmp`, which can return again after a `longjmp`. Then registers have the values of the
    /// call of `setjmp`, but the frame has the counts of the last call.
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

    /// Records an effect of a modelled function, at the position of the builder.
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
        let [_, length, _] = arguments;
        match effect {
            // Most ranges are short, and need no call of the runtime.
            Effect::Reads(of, _) => self.read_range(locals, call.operand(of), length),
            Effect::Writes(of, _) => self.write_range(locals, call.operand(of), length),
            _ => self.tell(locals, function, &arguments),
        }
    }

    /// Calls a model of the runtime, and counts the cells that are new.
    fn tell(&self, locals: &Locals, function: &str, arguments: &[Value; 3]) {
        let builder = &self.builder;
        let long = builder.int64();
        let shift = builder.constant(builder.int32(), u64::from(self.options.cell_shift));
        let all = [&[locals.frame, locals.mask, shift][..], arguments].concat();
        let new = builder.call(builder.model(function), &all);
        builder.store(builder.add(builder.load(long, locals.count), new), locals.count);
    }
}
