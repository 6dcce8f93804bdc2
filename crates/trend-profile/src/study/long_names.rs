//! Cuts names that are too long to be repeated. A study stores each of its names once, but reports repeat them with
//! every location, model and sentence. One long name could fill all memory.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

use super::Study;
use crate::program::location::Location;
use crate::runs::warning::{Warning, WarningKind};

/// Maximum total bytes of the names of all locations, each with its file, function and label. A million locations of a
/// C++ program have at most 100 MB.
const MOST_OF_LOCATIONS: usize = 128 << 20;

/// Maximum total bytes of the names of all workloads, which every model that follows two trends repeats. 20,000
/// workloads with paths have 1.2 MB.
const MOST_OF_WORKLOADS: usize = 4 << 20;

/// Maximum total bytes of the commands of all workloads, which nothing repeats.
const MOST_OF_COMMANDS: usize = 16 << 20;

/// Maximum bytes of a feature's name, which every model and sentence repeats.
const LONGEST_FEATURE: usize = 1 << 10;

/// Maximum bytes of any other name. The longest known names that compilers make of templates are shorter.
const LONGEST: usize = 64 << 10;

/// Minimum length to which names are cut, however many there are.
const SHORTEST: usize = 128;

impl Study {
    /// Cuts each long name to its beginning and a digest that keeps it unique, and adds a warning. References by name
    /// stay valid. A study without long names is returned unchanged.
    ///
    /// - Time: O(locations + bytes of long names).
    #[must_use]
    pub fn with_long_names_cut(mut self) -> Self {
        let of_locations = self.longest_of_locations(MOST_OF_LOCATIONS);
        let workloads = self.parts.workloads.len() + self.parts.failed.len();
        let of_workloads = (MOST_OF_WORKLOADS / workloads.max(1)).clamp(SHORTEST, LONGEST);
        let of_commands = (MOST_OF_COMMANDS / workloads.max(1)).clamp(SHORTEST, LONGEST);
        let mut cut = Cut::default();
        for function in &mut self.parts.functions {
            cut.string(&mut function.symbol.name, of_locations);
            cut.string(&mut function.symbol.linkage, of_locations);
            cut.string(&mut function.file, of_locations);
        }
        for location in &mut self.parts.locations {
            cut.shared(&mut location.file, of_locations);
            cut.shared(&mut location.label, of_locations);
        }
        for source in &mut self.parts.sources {
            cut.string(&mut source.file, of_locations);
        }
        for place in self.parts.series.iter_mut().map(|one| &mut one.place) {
            cut.string(&mut place.symbol.name, of_locations);
            cut.string(&mut place.symbol.linkage, of_locations);
            cut.string(&mut place.object, of_locations);
            cut.string(&mut place.context, of_locations);
        }
        for workload in &mut self.parts.workloads {
            cut.string(&mut workload.name, of_workloads);
            cut.string(&mut workload.command, of_commands);
        }
        for workload in &mut self.parts.failed {
            cut.string(&mut workload.name, of_workloads);
        }
        for feature in &mut self.parts.features {
            cut.string(&mut feature.name, LONGEST_FEATURE);
        }
        for text in [&mut self.parts.program, &mut self.parts.root] {
            cut.string(text, LONGEST);
        }
        for warning in &mut self.parts.warnings {
            cut.string(&mut warning.message, LONGEST);
        }
        if cut.count > 0 {
            let message = format!(
                "{} names are too long and are cut, with a digest at the end: to {of_locations} bytes for \
                 files and functions, {of_workloads} for workloads and {LONGEST_FEATURE} for features",
                cut.count
            );
            self.parts.warnings.push(Warning::new(WarningKind::NamesCut, message));
        }
        self
    }

    /// Returns the maximum length of a file, function or label with which the names of all locations stay within `most`
    /// bytes.
    fn longest_of_locations(&self, most: usize) -> usize {
        let mut longest = LONGEST;
        while longest > SHORTEST {
            let bytes = |location: &Location| {
                let symbol = &self.parts.functions[location.function.index()].symbol;
                let names =
                    [location.file.len(), location.label.len(), symbol.name.len(), symbol.linkage.len()];
                names.into_iter().map(|length| length.min(longest)).sum::<usize>()
            };
            if self.parts.locations.iter().map(bytes).sum::<usize>() <= most {
                break;
            }
            longest /= 2;
        }
        longest
    }
}

#[derive(Default)]
struct Cut {
    count: usize,
    /// Cut names, so that locations that shared a name still share it.
    shared: HashMap<Arc<str>, Arc<str>>,
}

impl Cut {
    fn string(&mut self, name: &mut String, longest: usize) {
        if name.len() > longest {
            *name = beginning(name, longest);
            self.count += 1;
        }
    }

    fn shared(&mut self, name: &mut Arc<str>, longest: usize) {
        if name.len() > longest {
            let count = &mut self.count;
            let cut = self.shared.entry(name.clone()).or_insert_with(|| {
                *count += 1;
                beginning(name, longest).into()
            });
            *name = cut.clone();
        }
    }
}

/// Returns the beginning of a name and a digest of the whole, in `longest` bytes.
fn beginning(name: &str, longest: usize) -> String {
    let mut hasher = DefaultHasher::new();
    name.hash(&mut hasher);
    let end = format!("…{:016x}", hasher.finish());
    let begin = name.floor_char_boundary(longest - end.len());
    name[..begin].to_owned() + &end
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_names_are_cut_alike_wherever_they_stand_and_others_stay() {
        let long = "ä".repeat(LONGEST);
        let text =
            format!("{long}n: 1 2\n{long}.c:3:{long}: 10 20\n{long}.c:4:{long}other: 10 20\nb.c:1:g: 5 6");
        let study = Study::from_text(&text).unwrap().with_long_names_cut();
        let files: Vec<&str> = study.locations().iter().map(|l| &*l.file).collect();
        assert_eq!(files[0], "b.c");
        assert!(
            files[1] == files[2] && files[1].len() <= LONGEST && files[1].starts_with("äää"),
            "{}",
            files[1].len()
        );
        let functions: Vec<&str> = study.functions().iter().map(|f| f.symbol.name.as_str()).collect();
        assert!(functions[1] != functions[2] && functions[1].len() <= LONGEST);
        assert_eq!(study.functions()[1].file, files[1]);
        assert!(study.features()[0].name.len() <= LONGEST_FEATURE);
        assert_eq!(study.warnings().iter().map(|w| w.kind.as_str()).collect::<Vec<_>>(), ["names_cut"]);
        let short = Study::from_text("n: 1 2\na.c:3:f: 10 20").unwrap().with_long_names_cut();
        assert!(short.warnings().is_empty());
    }

    #[test]
    fn a_name_that_many_locations_have_is_cut_to_what_there_is_room_for() {
        let file = "d/".repeat(500);
        let rows: Vec<String> = (1..=1000).map(|line| format!("{file}x.c:{line}:f: 1 2")).collect();
        let study = Study::from_text(&rows.join("\n")).unwrap();
        assert_eq!(study.longest_of_locations(3_000_000), LONGEST);
        assert_eq!(study.longest_of_locations(600_000), 512);
        assert_eq!(study.longest_of_locations(1), SHORTEST);
    }
}
