//! Functions and locations of many files, each once.

use std::collections::HashMap;
use std::sync::Arc;

use trend_profile::{Function, FunctionId, Kind, Location};

use super::Imported;

/// Everything that several files tell of one program. It only grows: positions of locations stay.
#[derive(Clone, Debug, Default)]
pub struct Merged {
    functions: Vec<Function>,
    function_ids: HashMap<Function, FunctionId>,
    locations: Vec<Location>,
    /// By what the study knows a location by.
    location_ids: HashMap<(FunctionId, Kind, u32, Arc<str>), u32>,
}

impl Merged {
    /// Adds a file's functions and locations, and gives the positions of the latter in [`Self::locations`].
    pub fn learn(&mut self, imported: &Imported) -> Vec<u32> {
        let function = |function: &Function| {
            let next = FunctionId(self.functions.len() as u32);
            *self.function_ids.entry(function.clone()).or_insert_with_key(|function| {
                self.functions.push(function.clone());
                next
            })
        };
        let functions: Vec<FunctionId> = imported.functions.iter().map(function).collect();
        let location = |location: &Location| {
            let function = functions[location.function.index()];
            let key = (function, location.kind, location.block, location.label.clone());
            let next = self.locations.len() as u32;
            *self.location_ids.entry(key).or_insert_with(|| {
                self.locations.push(Location { function, ..location.clone() });
                next
            })
        };
        imported.locations.iter().map(location).collect()
    }

    /// All functions.
    pub fn functions(&self) -> &[Function] {
        &self.functions
    }

    /// All locations; they refer to the functions by index.
    pub fn locations(&self) -> &[Location] {
        &self.locations
    }
}
