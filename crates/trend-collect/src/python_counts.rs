//! Reads the counts that a Python process wrote, and adds up those of a run's processes.
//!
//! A file is one JSON object. Counts are signed: a block's count may be derived from the counts of others, and a
//! child process of `fork` that begins inside a block counts what is inside, but not the block. Only the sum over all
//! processes is meaningful.
//!
//! ```text
//!   {"python_counts": 1,
//!    "modules": [{"file": "/home/me/sort.py",
//!                 "functions": [["<module>", 1], ["sort", 4]],
//!                 "blocks": [[1, 5, 5, [5, 6], 12]]}],          function, line, column, lines, count
//!    "not_rewritten": [["/home/me/odd.py", "the reason"]],
//!    "packages": ["attrs"], "extensions": ["numpy.core"]}
//! ```

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::sync::Arc;

use serde::Deserialize;
use trend_profile::{Function, FunctionId, Kind, Location, Unit, Warning, WarningKind};

use crate::import::{Imported, ImportedRun, Root};

/// Version of the format.
const VERSION: u32 = 1;

/// Maximum number of names that a warning lists.
const MOST_NAMED: usize = 8;

/// The counts of a run's Python processes.
#[derive(Clone, Debug, Default)]
pub struct PythonCounts {
    modules: BTreeMap<String, Module>,
    not_rewritten: BTreeMap<String, String>,
    packages: BTreeSet<String>,
    extensions: BTreeSet<String>,
}

/// The reason why a process's counts cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PythonCountsError {
    /// The file is cut off or has another format.
    #[error("are damaged: {0}")]
    Malformed(#[from] serde_json::Error),
    /// Another version of the tool wrote the file.
    #[error("have version {0}, not {VERSION}: another version of trend-prof wrote them")]
    Version(u32),
    /// A block refers to a function that the module does not have.
    #[error("are damaged: a block of {file} is in function {function}, which does not exist")]
    NoFunction {
        /// The module's file.
        file: String,
        /// Index of the function.
        function: u32,
    },
    /// The module's source changed while the program ran.
    #[error("are from two versions of {file}, which changed during the run; run it again")]
    OtherSource {
        /// The module's file.
        file: String,
    },
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Process {
    python_counts: u32,
    modules: Vec<WrittenModule>,
    not_rewritten: Vec<(String, String)>,
    packages: Vec<String>,
    extensions: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenModule {
    file: String,
    functions: Vec<(String, u32)>,
    blocks: Vec<(u32, u32, u32, Vec<u32>, i64)>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Module {
    functions: Vec<(String, u32)>,
    blocks: Vec<Block>,
    /// `[blocks]`
    counts: Vec<i64>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Block {
    /// Index in the module's functions.
    function: u32,
    line: u32,
    column: u32,
    lines: Arc<[u32]>,
}

impl PythonCounts {
    /// Adds what one process wrote. On an error the counts stay unchanged.
    ///
    /// - Time and memory: O(bytes).
    ///
    /// # Errors
    /// [`PythonCountsError`] completes "the counts …".
    pub fn add(&mut self, bytes: &[u8]) -> Result<(), PythonCountsError> {
        let Process { python_counts, modules, not_rewritten, packages, extensions } =
            serde_json::from_slice(bytes)?;
        if python_counts != VERSION {
            return Err(PythonCountsError::Version(python_counts));
        }
        let modules =
            modules.into_iter().map(|module| self.checked(module)).collect::<Result<Vec<_>, _>>()?;
        for (file, module) in modules {
            match self.modules.entry(file) {
                Entry::Vacant(place) => drop(place.insert(module)),
                Entry::Occupied(mut module_entry) => {
                    for (sum, count) in module_entry.get_mut().counts.iter_mut().zip(&module.counts) {
                        *sum = sum.saturating_add(*count);
                    }
                }
            }
        }
        self.not_rewritten.extend(not_rewritten);
        self.packages.extend(packages);
        self.extensions.extend(extensions);
        Ok(())
    }

    /// Returns a module whose indices are valid, and which agrees with the known one of the same file.
    fn checked(&self, written: WrittenModule) -> Result<(String, Module), PythonCountsError> {
        let WrittenModule { file, functions, blocks } = written;
        let mut module = Module { functions, blocks: Vec::new(), counts: Vec::new() };
        for (function, line, column, mut lines, count) in blocks {
            if function as usize >= module.functions.len() {
                return Err(PythonCountsError::NoFunction { file, function });
            }
            lines.push(line);
            lines.retain(|line| *line > 0);
            lines.sort_unstable();
            lines.dedup();
            module.blocks.push(Block { function, line, column, lines: lines.into() });
            module.counts.push(count);
        }
        let is_same =
            |other: &Module| (&other.functions, &other.blocks) == (&module.functions, &module.blocks);
        if self.modules.get(&file).is_some_and(|other| !is_same(other)) {
            return Err(PythonCountsError::OtherSource { file });
        }
        Ok((file, module))
    }

    /// Returns the paths of the counted files.
    pub fn files(&self) -> impl Iterator<Item = &str> {
        self.modules.keys().map(String::as_str)
    }

    /// Converts the sums to the counts of one run.
    ///
    /// A function's entry is its first block. Blocks of a function are numbered from 1 in the order of the file.
    pub fn into_imported(self, root: &Root) -> Imported {
        let mut imported = Imported { unit: Unit::default(), ..Imported::default() };
        let mut counts = Vec::new();
        let mut contradictory = BTreeSet::new();
        for (path, module) in &self.modules {
            let file: Arc<str> = root.file(path).into();
            if module.counts.iter().any(|count| *count < 0) {
                contradictory.insert(file.to_string());
            }
            module.add_to(&file, &mut imported, &mut counts);
        }
        imported.runs.push(ImportedRun { counts, ..ImportedRun::default() });
        imported.warnings = self.warnings(root, &contradictory);
        imported
    }

    fn warnings(&self, root: &Root, contradictory: &BTreeSet<String>) -> Vec<Warning> {
        let mut warnings = Vec::new();
        for (file, reason) in &self.not_rewritten {
            let message = format!("{} was not counted: {reason}", root.file(file));
            warnings.push(Warning::new(WarningKind::NotRewritten, message));
        }
        let rest = "their work is in the CPU time, but not in the counts";
        if let Some(names) = listed(&self.packages) {
            let message = format!(
                "installed packages are not counted: {names}; {rest}. Count them with `--packages all`"
            );
            warnings.push(Warning::new(WarningKind::PackagesNotCounted, message));
        }
        if let Some(names) = listed(&self.extensions) {
            let message = format!("extensions in C or another language are not counted: {names}; {rest}");
            warnings.push(Warning::new(WarningKind::ExtensionsNotCounted, message));
        }
        if let Some(names) = listed(contradictory) {
            let message = format!("some counts in {names} are not exact: a process ended inside of a block");
            warnings.push(Warning::new(WarningKind::ContradictoryCounters, message));
        }
        warnings
    }
}

impl Module {
    fn add_to(&self, file: &Arc<str>, imported: &mut Imported, counts: &mut Vec<(u32, u64)>) {
        let first = imported.functions.len() as u32;
        imported
            .functions
            .extend(self.functions.iter().map(|(name, line)| Function::plain(name, file, *line)));
        let mut of_line: BTreeMap<u32, usize> = BTreeMap::new();
        for block in &self.blocks {
            *of_line.entry(block.line).or_default() += 1;
        }
        // Number of blocks so far, `[functions]`.
        let mut numbers = vec![0; self.functions.len()];
        for (block, count) in self.blocks.iter().zip(&self.counts) {
            let number = &mut numbers[block.function as usize];
            let function = FunctionId(first + block.function);
            let count = u64::try_from(*count).unwrap_or(0);
            if *number == 0 {
                let (_, line) = self.functions[block.function as usize];
                let entry = Location::on_line(Kind::Entry, file.clone(), line);
                push(imported, counts, Location { function, ..entry }, count);
            }
            *number += 1;
            let mut label = String::new();
            if of_line.get(&block.line).is_some_and(|blocks| *blocks > 1) {
                let _ = write!(label, "{file}:{}:{}", block.line, block.column);
            }
            let place = Location::on_line(Kind::Block, file.clone(), block.line);
            let (lines, label) = (block.lines.clone(), label.into());
            push(imported, counts, Location { function, block: *number, lines, label, ..place }, count);
        }
    }
}

fn push(imported: &mut Imported, counts: &mut Vec<(u32, u64)>, place: Location, count: u64) {
    counts.push((imported.locations.len() as u32, count));
    imported.locations.push(place);
}

/// Lists some names, or returns `None` if there are none.
fn listed(names: &BTreeSet<String>) -> Option<String> {
    let shown: Vec<&str> = names.iter().take(MOST_NAMED).map(String::as_str).collect();
    let more = match names.len() - shown.len() {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    (!shown.is_empty()).then(|| format!("{}{more}", shown.join(", ")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn process(modules: &str) -> Vec<u8> {
        let text = format!(
            r#"{{"python_counts": 1, "modules": [{modules}], "not_rewritten": [["/p/odd.py", "it is odd"]],
                "packages": ["attrs"], "extensions": []}}"#
        );
        text.into_bytes()
    }

    const SORT: &str = r#"{"file": "/p/sort.py", "functions": [["<module>", 1], ["sort", 4]],
        "blocks": [[0, 1, 1, [1, 4], 1], [1, 5, 5, [5], COUNT], [1, 6, 9, [6], 10], [1, 6, 20, [6], 3]]}"#;

    fn sort(count: i64) -> Vec<u8> {
        process(&SORT.replace("COUNT", &count.to_string()))
    }

    #[test]
    fn counts_of_processes_add_up_before_they_mean_anything() {
        let mut counts = PythonCounts::default();
        counts.add(&sort(12)).unwrap();
        counts.add(&sort(-2)).unwrap();
        assert_eq!(counts.files().collect::<Vec<_>>(), ["/p/sort.py"]);
        let imported = counts.into_imported(&Root::new("/p"));
        let place = |&(location, count): &(u32, u64)| {
            let l = &imported.locations[location as usize];
            let name = &imported.functions[l.function.index()].symbol.name;
            (name.as_str(), l.kind, l.block, l.line, &*l.label, count)
        };
        let places: Vec<_> = imported.runs[0].counts.iter().map(place).collect();
        assert_eq!(
            places,
            [
                ("<module>", Kind::Entry, 0, 1, "", 2),
                ("<module>", Kind::Block, 1, 1, "", 2),
                ("sort", Kind::Entry, 0, 4, "", 10),
                ("sort", Kind::Block, 1, 5, "", 10),
                ("sort", Kind::Block, 2, 6, "sort.py:6:9", 20),
                ("sort", Kind::Block, 3, 6, "sort.py:6:20", 6),
            ]
        );
        let kinds: Vec<&str> = imported.warnings.iter().map(|w| w.kind.as_str()).collect();
        assert_eq!(kinds, ["not_rewritten", "packages_not_counted"]);
    }

    #[test]
    fn a_sum_below_zero_is_a_doubt() {
        let mut counts = PythonCounts::default();
        counts.add(&sort(-1)).unwrap();
        let imported = counts.into_imported(&Root::new("/p"));
        assert!(imported.warnings.iter().any(|w| w.kind == WarningKind::ContradictoryCounters));
    }

    #[test]
    fn damaged_counts_are_refused_and_change_nothing() {
        let mut counts = PythonCounts::default();
        counts.add(&sort(1)).unwrap();
        let whole = sort(5);
        for end in 0..whole.len() {
            assert!(counts.add(&whole[..end]).is_err());
        }
        let other = process(&SORT.replace("[1, 6, 20, [6], 3]", "[1, 7, 20, [7], 3]").replace("COUNT", "1"));
        assert!(matches!(counts.add(&other), Err(PythonCountsError::OtherSource { .. })));
        let nowhere = process(&SORT.replace("[1, 6, 20", "[9, 6, 20").replace("COUNT", "1"));
        assert!(matches!(counts.add(&nowhere), Err(PythonCountsError::NoFunction { function: 9, .. })));
        let newer = String::from_utf8(whole).unwrap().replace("counts\": 1", "counts\": 2");
        assert!(matches!(counts.add(newer.as_bytes()), Err(PythonCountsError::Version(2))));
        assert_eq!(counts.modules["/p/sort.py"].counts, [1, 1, 10, 3]);
    }
}
