//! Splits a cluster's cost into the number of entries of its function times the cost per entry. If both grow, each says
//! something different about the program: the number of items, and the length of the list in which each is looked up.

use std::collections::BTreeMap;

use trend_profile::{Kind, LocationId, Study};

use super::modeller::Modeller;
use crate::findings::structure::{Decomposition, Factor};

/// Maximum number of entries per execution of the cluster's code in the function, in the run with the fewest. Beyond
/// it, most entries do not reach the code, and the quotient is noise.
const MOST_ENTRIES_FOR_ONE: f64 = 10.0;

/// Locations of function entries, by the functions' names and files. As in the table of functions, copies that were
/// compiled differently count as one function.
pub(crate) struct Entries<'a>(BTreeMap<(&'a str, &'a str), Vec<LocationId>>);

impl<'a> Entries<'a> {
    /// Collects the entries of a study's functions.
    ///
    /// - Time: O(locations·log locations).
    pub(crate) fn new(study: &'a Study) -> Self {
        let mut entries: BTreeMap<(&str, &str), Vec<LocationId>> = BTreeMap::new();
        for id in (0..study.locations().len() as u32).map(LocationId) {
            if study.location(id).kind == Kind::Entry {
                entries.entry(name_and_file(study, id)).or_default().push(id);
            }
        }
        Self(entries)
    }

    /// Returns how often a function was entered, per workload; `None` if its entries were not counted.
    pub(crate) fn per_run(&self, study: &Study, name: &str, file: &str) -> Option<Vec<f64>> {
        sum(study, self.0.get(&(name, file))?.iter().copied())
    }

    /// Returns how often a function was entered in one run; `None` if its entries were not counted.
    pub(crate) fn in_run(&self, study: &Study, (name, file): (&str, &str), run: usize) -> Option<u64> {
        let ids = self.0.get(&(name, file))?.iter();
        Some(ids.map(|&id| study.counts().row(id).at(run)).fold(0, u64::saturating_add))
    }

    /// Returns true if a location ran more often than its function was entered, and so is in a loop. `greatest` has
    /// the greatest cost of every location.
    pub(crate) fn is_repeated(&self, study: &Study, id: LocationId, greatest: &[u64]) -> bool {
        let entries = self.0.get(&name_and_file(study, id));
        let entries =
            entries.map(|ids| ids.iter().map(|id| greatest[id.index()]).fold(0, u64::saturating_add));
        entries.is_some_and(|entries| greatest[id.index()] > entries)
    }
}

pub(crate) fn name_and_file(study: &Study, id: LocationId) -> (&str, &str) {
    let function = study.function(study.location(id).function);
    (&function.symbol.name, &function.file)
}

/// Returns the decomposition for the function of the costliest of `members`; `greatest` has the greatest cost of every
/// location. `None` if its entries were not counted, or if hardly any entry reaches the code. Also `None` if no run
/// entered it more than once, as costs per entry are then the costs.
pub(crate) fn decomposition(
    study: &Study,
    modeller: &Modeller,
    members: &[LocationId],
    greatest: &[u64],
    entries: &Entries<'_>,
) -> Option<Decomposition> {
    let costliest =
        members.iter().copied().max_by_key(|&id| (greatest[id.index()], std::cmp::Reverse(id)))?;
    let function = study.function(study.location(costliest).function);
    let of_function = (function.symbol.name.as_str(), function.file.as_str());
    let is_in = |id: &LocationId| name_and_file(study, *id) == of_function;
    let entries = entries.per_run(study, of_function.0, of_function.1)?;
    if entries.iter().all(|&entries| entries <= 1.0) {
        return None;
    }
    let costs = sum(study, members.iter().copied().filter(is_in))?;
    let entered: Vec<bool> = entries.iter().map(|&entries| entries > 0.0).collect();
    let per_entry: Vec<f64> =
        costs.iter().zip(&entries).map(|(cost, e)| if *e > 0.0 { cost / e } else { f64::NAN }).collect();
    let max = |values: &[f64]| values.iter().copied().fold(0.0, f64::max);
    if max(&per_entry) * MOST_ENTRIES_FOR_ONE < 1.0 {
        return None;
    }
    Some(Decomposition {
        function: function.symbol.name.clone(),
        file: function.file.clone(),
        line: function.line,
        entries: Factor { max: max(&entries), models: modeller.models(&entries), values: entries },
        per_entry: Factor {
            max: max(&per_entry),
            models: modeller.models_of(&entered, &per_entry),
            values: per_entry,
        },
    })
}

/// Returns the sum of counts per workload; `None` without locations.
fn sum(study: &Study, ids: impl Iterator<Item = LocationId>) -> Option<Vec<f64>> {
    let mut sum: Option<Vec<f64>> = None;
    for id in ids {
        let row = study.counts().row(id);
        let sum = sum.get_or_insert_with(|| vec![0.0; row.len()]);
        for (sum, count) in sum.iter_mut().zip(row.iter()) {
            *sum += count as f64;
        }
    }
    sum
}

#[cfg(test)]
mod tests {
    use trend_profile::{Definition, Feature, Function, Location, StudyParts, Workload};

    use super::*;
    use crate::analyze::analyze;
    use crate::findings::Findings;
    use crate::findings::model::Model;
    use crate::options::Options;

    /// Findings of a function with a loop body and, optionally, entries. Both are counts for each of 12 sizes.
    fn findings(body: impl Fn(f64) -> f64, entries: Option<&dyn Fn(f64) -> f64>) -> Findings {
        let sizes: Vec<f64> = (0..12).map(|i| (1000.0 * 2f64.powi(i)).round()).collect();
        let function = Function::plain("append", "list.c", 3);
        let location = |kind, block| Location { block, ..Location::on_line(kind, "list.c", 3 + block) };
        let row = |f: &dyn Fn(f64) -> f64| sizes.iter().map(|&n| f(n).round() as u64).collect::<Vec<u64>>();
        let mut locations = vec![location(Kind::Block, 2)];
        let mut counts = vec![row(&body)];
        if let Some(entries) = entries {
            locations.push(location(Kind::Entry, 0));
            counts.push(row(entries));
        }
        let values = sizes.iter().map(|&n| Some(n)).collect();
        let study = Study::new(StudyParts {
            program: "parser".to_owned(),
            functions: vec![function],
            locations,
            workloads: (0..12).map(|i| Workload::imported(&format!("w{i:02}"))).collect(),
            features: vec![Feature { name: "bytes".to_owned(), definition: Definition::Given, values }],
            counts,
            ..StudyParts::default()
        });
        analyze(&study.unwrap(), &Options::default()).unwrap()
    }

    fn exponent(models: &[Model]) -> f64 {
        models[0].power_law.as_ref().unwrap().b
    }

    #[test]
    fn lists_that_grow_are_entries_times_cost_per_entry() {
        // The paper's argument: n^1.21 iterations in n entries are lists of length n^0.21.
        let findings = findings(|n| n.powf(1.21), Some(&|n| n / 10.0));
        let parts = findings.clusters[0].decomposition.as_ref().unwrap();
        assert_eq!((&*parts.function, &*parts.file, parts.line), ("append", "list.c", 3));
        assert!((exponent(&parts.entries.models) - 1.0).abs() < 1e-3);
        assert!((exponent(&parts.per_entry.models) - 0.21).abs() < 1e-3);
        assert_eq!(parts.entries.max, 204_800.0);
        assert!((parts.per_entry.max / (10.0 * 2_048_000f64.powf(0.21)) - 1.0).abs() < 1e-4);
        assert_eq!(parts.entries.models[0].growth.as_ref().unwrap().verdict, "n");
        assert!(parts.per_entry.models[0].power_law.as_ref().unwrap().b_ci.is_some());
    }

    #[test]
    fn runs_that_never_enter_are_left_out_of_the_cost_per_entry() {
        let findings =
            findings(|n| if n < 3000.0 { 0.0 } else { n * n }, Some(&|n| if n < 3000.0 { 0.0 } else { n }));
        let parts = findings.clusters[0].decomposition.as_ref().unwrap();
        assert!(parts.per_entry.values[0].is_nan() && parts.per_entry.values[2] == 4000.0);
        let law = parts.per_entry.models[0].power_law.as_ref().unwrap();
        assert_eq!((law.points, law.ignored_zeros), (10, 2));
        assert!((law.b - 1.0).abs() < 1e-9);
    }

    #[test]
    fn nothing_is_learnt_of_one_entry_or_none_that_was_counted() {
        assert!(findings(|n| n, Some(&|_| 1.0)).clusters[0].decomposition.is_none());
        assert!(findings(|n| n, None).clusters[0].decomposition.is_none());
        assert!(findings(|n| n, Some(&|_| 7.0)).clusters[0].decomposition.is_some());
    }

    #[test]
    fn nothing_is_learnt_of_code_that_hardly_any_entry_reaches() {
        let rare =
            |part: f64| findings(move |n| n, Some(&move |n| n / part)).clusters[0].decomposition.is_some();
        assert!(rare(0.2) && !rare(0.05) && !rare(0.0003));
    }
}
