//! Chooses the hooks that watch accesses to memory.

use super::instrumentation::{Instrumentation, Locals};
use crate::accesses::access::{Access, Kind, Size};
use crate::ir::value::Value;
use crate::options::Options;

impl Instrumentation<'_, '_> {
    /// Inserts the hooks that watch an access.
    pub(super) fn watch(&self, locals: &Locals, access: &Access) {
        for piece in pieces(access, self.options) {
            self.watch_piece(locals, &piece);
        }
    }

    fn watch_piece(&self, locals: &Locals, access: &Access) {
        let builder = &self.builder;
        builder.before(access.at);
        let (ids, form) = (self.ids(locals), shape(access, self.options));
        let pointer = builder.offset(access.pointer, access.offset);
        let extent = match form {
            HookForm::One => Some(self.cells(access)),
            HookForm::Ends(last) | HookForm::Wide(_, last) => Some(self.number(last)),
            HookForm::Pair | HookForm::Four => None,
            HookForm::Range => Some(self.bytes(access)),
        };
        let id = if matches!(form, HookForm::Pair) { ids } else { builder.low_half(ids) };
        let (of_kind, hook) = match (access.kind, &form) {
            (Kind::Read, _) => {
                (vec![builder.load(builder.int32(), locals.parent), locals.count], form.hooks()[0])
            }
            (Kind::Write, HookForm::Range) => (Vec::new(), form.hooks()[1]),
            (Kind::Write, _) => (vec![locals.flip, locals.writer], form.hooks()[1]),
        };
        let activation = [locals.mask, locals.frame, id];
        let arguments: Vec<Value> =
            [pointer].into_iter().chain(extent).chain(activation).chain(of_kind).collect();
        self.call_in_first_trip(access, hook, &arguments);
    }

    /// Calls a hook. If a loop repeats the access, the hook is called only in the loop's first trip.
    fn call_in_first_trip(&self, access: &Access, hook: &str, arguments: &[Value]) {
        let (builder, hook) = (&self.builder, self.hooks[hook]);
        match access.first_trip {
            Some(variable) => {
                let is_first = builder.load(builder.int64(), variable);
                builder.call(builder.only_if(hook), &[&[is_first], arguments].concat());
            }
            None => {
                builder.call(hook, arguments);
            }
        }
    }

    /// Watches a read of `length` bytes, at the position of the builder.
    pub(super) fn read_range(&self, locals: &Locals, pointer: Value, length: Value) {
        let builder = &self.builder;
        let id = builder.low_half(self.ids(locals));
        let parent = builder.load(builder.int32(), locals.parent);
        let arguments = [pointer, length, locals.mask, locals.frame, id, parent, locals.count];
        builder.call(self.hooks["read.range"], &arguments);
    }

    /// Watches a write of `length` bytes, at the position of the builder.
    pub(super) fn write_range(&self, locals: &Locals, pointer: Value, length: Value) {
        let id = self.builder.low_half(self.ids(locals));
        let arguments = [pointer, length, locals.mask, locals.frame, id];
        self.builder.call(self.hooks["write.range"], &arguments);
    }

    /// Loads the id of the activation, which is in both halves of the result.
    fn ids(&self, locals: &Locals) -> Value {
        self.builder.load(self.builder.int64(), locals.ids)
    }

    /// Returns the mask that clears the bits of a pointer within its cell.
    fn cells(&self, access: &Access) -> Value {
        let cell = 1_u64 << self.options.cell_shift;
        let mask = if access.alignment >= cell { u64::MAX } else { !(cell - 1) };
        self.builder.constant(self.builder.int64(), mask)
    }

    fn number(&self, number: i64) -> Value {
        self.builder.constant(self.builder.int64(), number.cast_unsigned())
    }

    fn bytes(&self, access: &Access) -> Value {
        match access.size {
            Size::Known(size) => self.builder.constant(self.builder.int64(), size),
            Size::Computed(value) => self.builder.widened(value),
        }
    }
}

/// Form of an access, which determines its hook.
enum HookForm {
    /// The access lies within one cell.
    One,
    /// The access touches the cells of its first and its last byte, and no others. The number is their distance.
    Ends(i64),
    /// Two aligned cells of 4 bytes.
    Pair,
    /// Four aligned cells of 4 bytes.
    Four,
    /// Cells of 4 bytes, with the hooks for a read and a write. The number is the distance from the first to the last
    /// byte, or -1 if all cells are whole.
    Wide([&'static str; 2], i64),
    Range,
}

impl HookForm {
    /// Returns the names of the hooks for a read and a write.
    fn hooks(&self) -> [&'static str; 2] {
        match self {
            Self::One => ["read", "write"],
            Self::Ends(_) => ["read.ends", "write.ends"],
            Self::Pair => ["read.pair", "write.pair"],
            Self::Four => ["read.four", "write.four"],
            Self::Wide(hooks, _) => *hooks,
            Self::Range => ["read.range", "write.range"],
        }
    }
}

/// Splits an access to whole cells of 4 bytes into pieces for which there are hooks. Other accesses stay as they are.
fn pieces(access: &Access, options: Options) -> Vec<Access> {
    let Size::Known(size) = access.size else { return vec![*access] };
    let is_whole = options.cell_shift == 2 && access.alignment >= 4 && size.is_multiple_of(4) && size <= 64;
    let is_at_once = matches!(size, 16 | 32 | 64) && !options.is_dynamic;
    if !is_whole || is_at_once {
        return vec![*access];
    }
    let mut all = Vec::new();
    let mut at = 0;
    while at < size {
        let alignment =
            if at == 0 { access.alignment } else { access.alignment.min(1 << at.trailing_zeros()) };
        let rest = size - at;
        let length = match rest {
            8.. if alignment >= 8 => 8,
            // The short piece comes first. A 16-byte load that overlaps a recent 4-byte store cannot be forwarded: the
            // processor waits until the store has reached the cache.
            16.. if !options.is_dynamic && rest.is_multiple_of(16) => 16,
            _ => 4,
        };
        let offset = access.offset + at.cast_signed();
        all.push(Access { offset, alignment, size: Size::Known(length), ..*access });
        at += length;
    }
    all
}

fn shape(access: &Access, options: Options) -> HookForm {
    let cell = 1_u64 << options.cell_shift;
    let Size::Known(size) = access.size else { return HookForm::Range };
    let is_aligned = access.alignment >= cell;
    // If writes of the kernel and of other threads are watched, wide accesses save no time.
    let is_wide = cell == 4 && !options.is_dynamic;
    let last = if is_aligned { -1 } else { size.cast_signed() - 1 };
    match size {
        _ if size <= cell && access.alignment >= size.next_power_of_two() => HookForm::One,
        // Shadows are contiguous for 2 KB at a time.
        8 if cell == 4 && access.alignment >= 8 => HookForm::Pair,
        16 if cell == 4 && access.alignment >= 16 && !options.is_dynamic => HookForm::Four,
        8 if is_wide && !is_aligned => HookForm::Wide(["read.wide.8", "write.wide.8"], last),
        16 if is_wide => HookForm::Wide(["read.wide.16", "write.wide.16"], last),
        32 if is_wide => HookForm::Wide(["read.wide.32", "write.wide.32"], last),
        64 if is_wide => HookForm::Wide(["read.wide.64", "write.wide.64"], last),
        _ if size <= cell + 1 || (is_aligned && size <= 2 * cell) => HookForm::Ends(size.cast_signed() - 1),
        _ => HookForm::Range,
    }
}
