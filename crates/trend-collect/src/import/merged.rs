//! Merges the functions and locations of many files.

use std::hash::{BuildHasher as _, RandomState};

use hashbrown::HashTable;
use hashbrown::hash_table::Entry;
use trend_profile::{Function, FunctionId, Location};

use super::Imported;

/// Deduplicated functions and locations of several files of one program. It only grows, so positions of locations stay.
#[derive(Clone, Debug, Default)]
pub struct Merged {
    functions: Vec<Function>,
    locations: Vec<Location>,
    hasher: RandomState,
    /// Positions in `functions` and `locations`. The table of locations hashes the key by which the study identifies a
    /// location.
    function_ids: HashTable<u32>,
    location_ids: HashTable<u32>,
    moved: usize,
}

impl Merged {
    /// Adds a file's functions and locations, and returns the positions of the locations in [`Self::locations`].
    pub fn learn(&mut self, imported: &Imported) -> Vec<u32> {
        let functions: Vec<FunctionId> = imported.functions.iter().map(|f| self.function(f)).collect();
        imported.locations.iter().map(|l| self.location(functions[l.function.index()], l)).collect()
    }

    fn function(&mut self, function: &Function) -> FunctionId {
        let (functions, hasher) = (&mut self.functions, &self.hasher);
        let is_same = |&f: &u32| functions[f as usize] == *function;
        let hash_of = |&f: &u32| hasher.hash_one(&functions[f as usize]);
        FunctionId(match self.function_ids.entry(hasher.hash_one(function), is_same, hash_of) {
            Entry::Occupied(entry) => *entry.get(),
            Entry::Vacant(new) => {
                let next = functions.len() as u32;
                new.insert(next);
                functions.push(function.clone());
                next
            }
        })
    }

    fn location(&mut self, function: FunctionId, location: &Location) -> u32 {
        fn key(function: FunctionId, l: &Location) -> impl std::hash::Hash + PartialEq + use<'_> {
            (function, l.kind, l.block, &*l.label)
        }
        let (locations, hasher) = (&mut self.locations, &self.hasher);
        let is_same = |&l: &u32| {
            let l = &locations[l as usize];
            key(l.function, l) == key(function, location)
        };
        let hash_of = |&l: &u32| {
            let l = &locations[l as usize];
            hasher.hash_one(key(l.function, l))
        };
        match self.location_ids.entry(hasher.hash_one(key(function, location)), is_same, hash_of) {
            Entry::Occupied(place) => {
                let place = *place.get();
                let first = &locations[place as usize];
                if (&first.file, first.line) == (&location.file, location.line) {
                    return place;
                }
                // A block with this number, but of another build: its counts are kept apart.
                self.moved += 1;
                let label = format!("{}{}:{}", location.label, location.file, location.line).into();
                self.location(function, &Location { label, ..location.clone() })
            }
            Entry::Vacant(new) => {
                let next = locations.len() as u32;
                new.insert(next);
                locations.push(Location { function, ..location.clone() });
                next
            }
        }
    }

    /// Returns the number of places with a known function and number, but another line. They come from another build
    /// and are separate places.
    pub fn moved(&self) -> usize {
        self.moved
    }

    /// Returns all functions learned so far.
    pub fn functions(&self) -> &[Function] {
        &self.functions
    }

    /// Returns all locations; they refer to the functions by index.
    pub fn locations(&self) -> &[Location] {
        &self.locations
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn block(line: u32) -> Imported {
        let function = Function::plain("f", "a.c", 1);
        let location = Location { block: 5, ..Location::on_line(trend_profile::Kind::Block, "a.c", line) };
        Imported { functions: vec![function], locations: vec![location], ..Imported::default() }
    }

    #[test]
    fn blocks_of_two_builds_are_not_mixed() {
        let mut merged = Merged::default();
        let ids: Vec<u32> = [10, 12, 10, 12].iter().flat_map(|&line| merged.learn(&block(line))).collect();
        assert_eq!(ids, [0, 1, 0, 1]);
        assert_eq!((merged.functions().len(), merged.moved()), (1, 2));
        assert_eq!(&*merged.locations()[1].label, "a.c:12");
    }
}
