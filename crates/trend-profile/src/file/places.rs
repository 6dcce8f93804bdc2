//! Which places a study knows, by position: what a writer needs to add more.

use std::sync::Arc;

use indexmap::IndexSet;

use super::body::KnownPlaces;
use crate::{Function, Kind, Location, LocationId};

/// What tells a location from the others: its function, kind, block and label.
type Key = (u32, Kind, u32, Arc<str>);

/// Positions of functions and locations.
#[derive(Debug, Default)]
pub(super) struct Index {
    functions: IndexSet<Function>,
    locations: IndexSet<Key>,
}

/// What came to an index that it did not have.
#[derive(Debug, Default)]
pub(super) struct New<'a> {
    pub(super) functions: Vec<&'a Function>,
    /// With the position of its function.
    pub(super) locations: Vec<(u32, &'a Location)>,
}

impl Index {
    pub(super) fn of(places: &KnownPlaces) -> Self {
        let mut index = Self::default();
        index.add(&places.functions, &places.locations);
        index
    }

    /// Adds those that are not known yet, and gives the position of each location. The functions are those that
    /// `locations` refer to by index.
    pub(super) fn add<'a>(
        &mut self,
        functions: &'a [Function],
        locations: &'a [Location],
    ) -> (Vec<LocationId>, New<'a>) {
        let mut new = New::default();
        let mut position = |function: &'a Function| {
            if let Some(known) = self.functions.get_index_of(function) {
                return known as u32;
            }
            new.functions.push(function);
            self.functions.insert_full(function.clone()).0 as u32
        };
        let of_functions: Vec<u32> = functions.iter().map(&mut position).collect();
        let mut ids = Vec::with_capacity(locations.len());
        for location in locations {
            let function = of_functions[location.function.index()];
            let key = (function, location.kind, location.block, Arc::clone(&location.label));
            let (id, is_new) = self.locations.insert_full(key);
            if is_new {
                new.locations.push((function, location));
            }
            ids.push(LocationId(id as u32));
        }
        (ids, new)
    }
}
