//! Index of the places in a study by position, which a writer needs to add more.

use std::sync::Arc;

use indexmap::IndexSet;

use super::body::KnownPlaces;
use crate::program::location::{Function, Kind, Location, LocationId};

/// Identity of a location: its function, kind, block and label.
type Key = (u32, Kind, u32, Arc<str>);

/// Positions of functions and locations.
#[derive(Debug, Default)]
pub(in crate::file) struct Index {
    functions: IndexSet<Function>,
    locations: IndexSet<Key>,
}

/// Places that an index did not know before.
#[derive(Debug, Default)]
pub(in crate::file) struct New<'a> {
    pub(in crate::file) functions: Vec<&'a Function>,
    /// Locations, each with the position of its function.
    pub(in crate::file) locations: Vec<(u32, &'a Location)>,
}

impl Index {
    pub(in crate::file) fn from_places(places: &KnownPlaces) -> Self {
        let mut index = Self::default();
        index.add(&places.functions, &places.locations);
        index
    }

    /// Adds unknown places and returns the position of each location. `locations` refer to `functions` by index.
    pub(in crate::file) fn add<'a>(
        &mut self,
        functions: &'a [Function],
        locations: &'a [Location],
    ) -> (Vec<LocationId>, New<'a>) {
        let mut new = New::default();
        let mut position = |function: &'a Function| {
            if let Some(index) = self.functions.get_index_of(function) {
                return index as u32;
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
