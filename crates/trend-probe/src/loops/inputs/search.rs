//! Search for the inputs of one loop: what was visited, and what was found.

use std::collections::HashSet;

use super::input::{Input, InputSource, source_of};
use super::slicer::Slicer;
use crate::ir::value::Value;
use crate::loops::debug::node::Node;
use crate::loops::naming::named::Named;
use crate::loops::naming::names::View;

/// Maximum number of steps by which values are followed to the code before the loop.
pub(super) const DEEPEST: usize = 12;

/// Maximum number of inputs that are searched for.
pub(super) const MOST: usize = 24;

/// Search for the inputs of one loop.
pub(super) struct Search<'a, 'b, 'c> {
    pub(super) all: &'c Slicer<'a, 'b>,
    pub(super) of: usize,
    pub(super) view: View,
    pub(super) seen: HashSet<Value>,
    /// Reads of memory that were followed to the stored value.
    pub(super) followed: HashSet<Value>,
    pub(super) inputs: Vec<Input>,
    /// Blocks that decide if a trip passes each block, from `Graph::decided_in`.
    pub(super) decided_by: Vec<Vec<usize>>,
    /// Counters that are multiplied while the values that they are compared with move.
    pub(super) irregular: HashSet<Value>,
}

impl Search<'_, '_, '_> {
    /// Returns true if a value exists before the loop, on every path to it.
    pub(super) fn is_there(&self, value: Value) -> bool {
        let graph = self.all.graph;
        let one = &self.all.loops[self.of];
        value.opcode().is_none()
            || graph.dominates(graph.number(value.block()), one.preheader.unwrap_or(one.header))
    }

    pub(super) fn changes(&mut self, value: Value) {
        let named = self.all.names.changing(value, &self.view);
        let named = named.unwrap_or_else(|| self.all.names.unnamed(value, &self.view));
        self.push_as(value, named, InputSource::Changes);
    }

    pub(super) fn push(&mut self, value: Value, source: InputSource) {
        let named = self.all.names.value(value, &self.view);
        let named = named.unwrap_or_else(|| self.all.names.unnamed(value, &self.view));
        self.push_as(value, named, source);
    }

    pub(super) fn push_named(&mut self, value: Value, named: Named) {
        self.push_as(value, named, source_of(value));
    }

    pub(super) fn push_as(&mut self, value: Value, named: Named, source: InputSource) {
        let counter_of = self.all.header_of(value).filter(|outer| self.all.is_around(*outer, self.of));
        let is_unsigned = named
            .ty
            .and_then(Node::is_unsigned)
            .unwrap_or(value.ty().is_any_integer() && value.ty().bits() == 1);
        let is_value = value.ty().is_integer() || value.ty().is_floating() || value.ty().is_pointer();
        let source = match source {
            _ if !is_value => InputSource::Changes,
            InputSource::Before(value) | InputSource::IsThere(value) if !self.is_there(value) => {
                InputSource::Changes
            }
            InputSource::Inside(pointer) if pointer.ty().is_pointer() => InputSource::Changes,
            source => source,
        };
        let Named { name, kind, .. } = named;
        self.inputs.push(Input { name, kind, counter_of, source, is_unsigned, is_limit: false });
    }

    /// Returns the instructions in the loop that may write to a place that is read.
    pub(super) fn overwriting(&self, load: Value) -> Vec<Value> {
        self.all.overwriting(load, self.of)
    }

    /// Returns true if a function that the loop calls changes a value other than by adding the same number in each
    /// trip.
    pub(super) fn is_written_by_calls(&self, load: Value) -> bool {
        self.all.is_written_by_calls(load, self.of)
    }
}
