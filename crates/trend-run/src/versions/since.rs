//! Determines which workloads may count differently since a revision. The counts of the others are kept.
//!
//! ```text
//!   git diff ─▶ lines ─▶ functions of the study ─▶ workloads that executed one: run again
//!                 │                                the others: keep their counts, on their blocks' present lines
//!                 └─ in no function's body: everything is run again
//! ```
//!
//! A change within a function's body has no effect on runs that did not execute the function. Any other change may have
//! one: a declaration, a macro, a build file, an unknown file, or a function that the compiler evaluates.
//!
//! `diff` reads the changed lines from git. `carry` moves counts to their present lines, and detects contradictions.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use trend_profile::{FunctionId, LocationId, Study};

use super::diff::{Change, Diff, Hunk};
use super::git::RevisionError;
use crate::program::binaries::is_elf;
use crate::run::root;

/// Extensions of files that are not compiled: build products, trend-prof's own files and texts.
const NO_SOURCES: [&str; 8] = ["gcno", "gcda", "o", "a", "d", "trend", "md", "log"];

/// Words that give a line effects outside of the function that contains it.
const FAR_REACHING: [&str; 6] = ["macro_rules", "impl", "mod", "use", "constexpr", "consteval"];

/// Words that make a program depend on its line numbers.
const LINE_NUMBERS: [&str; 2] = ["__LINE__", "line!("];

/// The changes since a revision.
#[derive(Debug)]
pub enum Changes {
    /// Nothing changed.
    Nothing,
    /// The changes may affect any workload, for this reason.
    Anything(String),
    /// Only bodies of functions changed.
    Bodies(Bodies),
}

/// Functions whose bodies changed.
#[derive(Debug)]
pub struct Bodies {
    /// Ids of the functions in the study.
    pub(super) functions: BTreeSet<FunctionId>,
    /// Locations of other functions that contain code of changed lines.
    pub(super) places: BTreeSet<LocationId>,
    /// The hunks of each file, by the file's name in the study.
    pub(super) hunks: BTreeMap<String, Vec<Hunk>>,
}

/// Compares the files around `folder` with the revision at which a study was measured. `inputs` are files whose
/// content is already part of the workloads. Their changes are ignored.
///
/// # Errors
/// [`RevisionError`] if git does not know the revision.
pub fn changes_since(
    folder: &Path,
    revision: &str,
    study: &Study,
    inputs: &BTreeSet<PathBuf>,
) -> Result<Changes, RevisionError> {
    let diff = Diff::new(folder, revision)?;
    let root = root::of_study(study.root(), folder);
    let root = fs::canonicalize(&root).unwrap_or(root);
    let files: BTreeMap<PathBuf, &str> =
        names(study).into_iter().map(|name| (root.join(name), name)).collect();
    if let Some(reason) = other_source(study, &diff, &root) {
        return Ok(Changes::Anything(reason));
    }
    let ends = ends(study);
    let is_nothing = |change: &&Change| is_no_source(&change.path) || inputs.contains(&change.path);
    let mut bodies = Bodies { functions: BTreeSet::new(), places: BTreeSet::new(), hunks: BTreeMap::new() };
    for change in diff.changes.iter().filter(|change| !is_nothing(change)) {
        let shown = change.path.strip_prefix(&diff.top).unwrap_or(&change.path).display();
        let (Some(file), Some(hunks)) = (files.get(&change.path), &change.hunks) else {
            return Ok(Changes::Anything(format!("{shown} changed, and its dependents are unknown")));
        };
        let lines: Vec<&str> = study.source(file).unwrap_or_default().lines().collect();
        if lines.iter().any(|line| LINE_NUMBERS.iter().any(|word| line.contains(word))) {
            return Ok(Changes::Anything(format!("{shown} changed, and depends on its line numbers")));
        }
        for hunk in hunks {
            if !bodies.add(study, &ends, file, &lines, hunk) {
                let line = hunk.first;
                return Ok(Changes::Anything(format!(
                    "{shown}:{line} changed, which is not inside one function"
                )));
            }
        }
        bodies.hunks.insert((*file).to_owned(), hunks.clone());
    }
    Ok(if bodies.hunks.is_empty() { Changes::Nothing } else { Changes::Bodies(bodies) })
}

/// Returns the names of all files with code.
fn names(study: &Study) -> BTreeSet<&str> {
    let of_functions = study.functions().iter().map(|f| f.file.as_str());
    of_functions.chain(study.locations().iter().map(|l| &*l.file)).filter(|name| !name.is_empty()).collect()
}

/// Returns a message if the study's text of a source differs from the text at the revision.
fn other_source(study: &Study, diff: &Diff, root: &Path) -> Option<String> {
    for name in names(study) {
        let path = root.join(name);
        if !path.starts_with(&diff.top) {
            continue;
        }
        let is_changed = diff.changes.iter().any(|change| change.path == path);
        let text = if is_changed {
            diff.text(&path)
        } else {
            fs::read(&path).ok().map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
        };
        if text.is_none() || text.as_deref() != study.source(name) {
            return Some(format!("the study was not measured at that revision: its {name} differs"));
        }
    }
    None
}

fn is_no_source(path: &Path) -> bool {
    let extension = path.extension().and_then(|e| e.to_str()).unwrap_or_default();
    NO_SOURCES.contains(&extension) || is_elf(path)
}

impl Bodies {
    /// Adds the functions whose bodies contain a hunk. Returns true if the hunk is in such a body and has no effects
    /// outside.
    fn add(&mut self, study: &Study, ends: &[u32], file: &str, lines: &[&str], hunk: &Hunk) -> bool {
        if hunk.texts.iter().any(|text| is_far_reaching(text)) {
            return false;
        }
        let (first, last) = (hunk.first, hunk.first + hunk.old.max(1) - 1);
        let inserted = u32::from(hunk.old == 0);
        let mut is_within = false;
        for (i, function) in study.functions().iter().enumerate().filter(|(_, f)| f.file == file) {
            let (id, end) = (FunctionId(i as u32), ends[i]);
            let Some(open) = opening(lines, function.line) else { continue };
            // Inserted lines come after line `first`. After the last line with code, they may lie outside of the
            // function.
            let is_in_body = open < first + inserted && last + inserted <= end;
            let overlaps = first <= end && last >= function.line;
            if overlaps {
                let head = function.line.saturating_sub(2) as usize..(open as usize).min(lines.len());
                // A directive above the function is not part of its head.
                let is_evaluated = |l: &&str| has_far_reaching_word(l) || l.contains("const fn");
                if !is_in_body || lines.get(head).unwrap_or_default().iter().any(is_evaluated) {
                    return false;
                }
                self.functions.insert(id);
            }
            is_within |= is_in_body;
        }
        let has_line = |l: &trend_profile::Location| {
            *l.file == *file && l.lines.iter().any(|l| (first..=last).contains(l))
        };
        let places = study.locations().iter().enumerate().filter(|(_, l)| has_line(l));
        self.places.extend(places.map(|(i, _)| LocationId(i as u32)));
        is_within
    }

    /// Returns the workloads that executed changed code, by their position in the study, each with a function that it
    /// executed.
    pub fn concerned(&self, study: &Study) -> BTreeMap<usize, FunctionId> {
        let mut concerned = BTreeMap::new();
        for (i, location) in study.locations().iter().enumerate() {
            let id = LocationId(i as u32);
            if self.functions.contains(&location.function) || self.places.contains(&id) {
                for (workload, count) in study.counts().row(id).iter().enumerate() {
                    if count > 0 {
                        concerned.entry(workload).or_insert(location.function);
                    }
                }
            }
        }
        concerned
    }

    /// Returns the names of the functions.
    pub fn names(&self, study: &Study) -> Vec<String> {
        let mut names: Vec<String> =
            self.functions.iter().map(|id| study.function(*id).symbol.name.clone()).collect();
        names.dedup();
        names
    }
}

/// Returns each function's last line with code; 0 if it has none in its own file.
fn ends(study: &Study) -> Vec<u32> {
    let mut ends = vec![0; study.functions().len()];
    for location in study.locations() {
        let end = &mut ends[location.function.index()];
        if *location.file == *study.function(location.function).file {
            *end = (*end).max(location.lines.last().copied().unwrap_or(0));
        }
    }
    ends
}

/// Returns the line number, from 1, of the first opening brace of a function that begins at a line.
fn opening(lines: &[&str], begin: u32) -> Option<u32> {
    let begin = begin.checked_sub(1)? as usize;
    let after = lines.iter().skip(begin).position(|line| line.contains('{'))?;
    Some((begin + after + 1) as u32)
}

/// Returns true if a line may affect code outside of the function that contains it.
fn is_far_reaching(line: &str) -> bool {
    line.trim_start().starts_with('#') || line.trim_end().ends_with('\\') || has_far_reaching_word(line)
}

fn has_far_reaching_word(line: &str) -> bool {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    line.split(|c| !is_word(c)).any(|word| FAR_REACHING.contains(&word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_reaches_beyond_a_function_is_known() {
        for line in
            ["#define A 1", "  #[cfg(x)]", "impl A for B {", "constexpr int a = 3;", "use a::b;", "a \\"]
        {
            assert!(is_far_reaching(line), "{line}");
        }
        for line in ["for (int i = 0; i < n; i++)", "let module = reuse(implied);", "}"] {
            assert!(!is_far_reaching(line), "{line}");
        }
        assert_eq!(opening(&["int f(int a,", "      int b)", "{"], 1), Some(3));
        assert_eq!(opening(&["int f();"], 1), None);
    }
}
