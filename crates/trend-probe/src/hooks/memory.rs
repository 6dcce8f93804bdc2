//! Accesses to memory: by which hook each is watched.

use crate::Options;
use crate::accesses::{Access, Kind, Size};
use crate::ir::Value;

use super::{Instrumentation, Locals};

impl Instrumentation<'_, '_> {
    /// Watches an access.
    pub(super) fn watch(&self, locals: &Locals, access: &Access) {
        match access.kind {
            Kind::Read => self.read(locals, access),
            Kind::Write => self.write(locals, access),
        }
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
        16 if cell == 4 && access.alignment >= 16 && !options.is_dynamic => Shape::Four,
        8 if is_wide && !is_aligned => Shape::Wide(("read.wide.8", "write.wide.8")),
        16 if is_wide => Shape::Wide(("read.wide.16", "write.wide.16")),
        32 if is_wide => Shape::Wide(("read.wide.32", "write.wide.32")),
        64 if is_wide => Shape::Wide(("read.wide.64", "write.wide.64")),
        16..=64 if cell == 4 && size.is_multiple_of(8) && access.alignment >= 8 => Shape::Pairs(size / 8),
        _ if size <= cell + 1 || (is_aligned && size <= 2 * cell) => Shape::Ends(size),
        _ => Shape::Range,
    }
}
