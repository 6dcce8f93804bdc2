//! Matches counters to functions, and checks that notes and data are from one build.

use super::GcovError;
use super::data::Data;
use super::error::other_number;
use super::flow::{FlowPlan, FunctionCounts, Scratch};
use super::notes::Notes;
use super::reader::Header;

impl Notes {
    /// Computes the counts of every block, `[functions]`, in the order of the notes.
    ///
    /// Functions missing in the data (their code was taken from another object) have zeros.
    ///
    /// # Errors
    /// Fails if notes and data are from different builds.
    pub fn solve(&self, data: &Data) -> Result<Vec<FunctionCounts>, GcovError> {
        let plans: Vec<FlowPlan> = self.functions().iter().map(FlowPlan::new).collect();
        let index = Index::new(self, &plans);
        let mut solved: Vec<FunctionCounts> =
            self.functions().iter().map(|f| FunctionCounts::zeros(f.blocks as usize)).collect();
        let mut scratch = Scratch::default();
        for (function, counters) in match_data(&index, data)? {
            let doubt = plans[function].solve(counters, &mut scratch);
            solved[function].add(scratch.blocks(), doubt);
        }
        Ok(solved)
    }
}

/// Parts of the notes that identify the functions in data.
#[derive(Clone, Debug)]
pub(crate) struct Index {
    header: Header,
    /// Entries by ident. Two functions can share an ident (it is a hash of the name); the checksums distinguish them.
    entries: Vec<Entry>,
}

#[derive(Clone, Debug)]
struct Entry {
    ident: u32,
    checksums: [u32; 2],
    function: usize,
    counters: usize,
    name: String,
}

impl Index {
    pub(crate) fn new(notes: &Notes, plans: &[FlowPlan]) -> Self {
        let functions = notes.functions().iter().zip(plans).enumerate();
        let mut entries: Vec<Entry> = functions
            .map(|(function, (notes, plan))| Entry {
                ident: notes.ident,
                checksums: notes.checksums,
                function,
                counters: plan.counters(),
                name: notes.name().to_owned(),
            })
            .collect();
        entries.sort_by_key(|e| (e.ident, e.function));
        Self { header: Header { version: notes.version(), stamp: notes.stamp() }, entries }
    }

    fn with_ident(&self, ident: u32) -> &[Entry] {
        let start = self.entries.partition_point(|e| e.ident < ident);
        let end = start + self.entries[start..].partition_point(|e| e.ident == ident);
        &self.entries[start..end]
    }
}

/// Returns the functions that ran and their counters. Checks everything before it returns anything.
///
/// Skips functions whose counters are all zero.
pub(crate) fn match_data<'d>(index: &Index, data: &'d Data) -> Result<Vec<(usize, &'d [u64])>, GcovError> {
    index.header.check_same(data.header)?;
    let mut matched = Vec::with_capacity(data.functions.len());
    for counted in &data.functions {
        let (offset, ident) = (counted.offset, counted.ident);
        let candidates = index.with_ident(ident);
        let Some(first) = candidates.first() else {
            return Err(GcovError::Mismatch {
                what: format!(
                    "counts a function (number {ident:#x}, at byte {offset}) that the notes lack; they \
                     are cut off or from another build"
                ),
            });
        };
        let Some(entry) = candidates.iter().find(|e| e.checksums == counted.checksums) else {
            return Err(GcovError::Mismatch {
                what: format!(
                    "is from another build than the notes: at byte {offset} function `{}` has the \
                     checksums {:08x?}, but {:08x?} in the notes",
                    first.name, counted.checksums, first.checksums
                ),
            });
        };
        let Some((counter_count, values)) = data.counters_of(counted) else { continue };
        if counter_count != entry.counters {
            return Err(other_number(offset, &entry.name, entry.counters, counter_count));
        }
        if let Some(values) = values {
            matched.push((entry.function, values));
        }
    }
    Ok(matched)
}
