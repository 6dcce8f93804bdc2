//! A cluster's cost as how often its function was entered times what it costs per entry. Where both grow, each says
//! something else about the program: how many things there are, and how long the list is that each is looked up in.

use trend_profile::{Kind, LocationId, Study};

use crate::models::Modeller;
use crate::{Decomposition, Factor};

/// The decomposition for the function of the costliest of `members`; `greatest` has the greatest cost of every location. `None` where nobody counted how often it was
/// entered, or where it was entered at most once in every run and costs per entry are the costs.
pub(crate) fn decomposition(
    study: &Study,
    modeller: &Modeller,
    members: &[LocationId],
    greatest: &[u64],
) -> Option<Decomposition> {
    let costliest =
        members.iter().copied().max_by_key(|&id| (greatest[id.index()], std::cmp::Reverse(id)))?;
    let function = study.function(study.location(costliest).function);
    // Copies that were compiled differently are one function here as in the table of functions.
    let is_in = |id: &LocationId| {
        let other = study.function(study.location(*id).function);
        (&other.symbol.name, &other.file) == (&function.symbol.name, &function.file)
    };
    let ids = (0..study.locations().len() as u32).map(LocationId);
    let entries = sum(study, ids.filter(|&id| study.location(id).kind == Kind::Entry).filter(is_in))?;
    if entries.iter().all(|&entries| entries <= 1.0) {
        return None;
    }
    let costs = sum(study, members.iter().copied().filter(is_in))?;
    let entered: Vec<bool> = entries.iter().map(|&entries| entries > 0.0).collect();
    let per_entry: Vec<f64> =
        costs.iter().zip(&entries).map(|(cost, e)| if *e > 0.0 { cost / e } else { f64::NAN }).collect();
    let max = |values: &[f64]| values.iter().copied().fold(0.0, f64::max);
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

/// Sum of counts per workload; `None` of no locations.
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
    use trend_profile::{Definition, Feature, Function, FunctionId, Location, StudyParts, Symbol, Workload};

    use super::*;
    use crate::{Findings, Model, Options, analyze};

    /// A function with a loop body and, if there are any, entries; costs per run of 12 sizes.
    fn findings(body: impl Fn(f64) -> f64, entries: Option<&dyn Fn(f64) -> f64>) -> Findings {
        let sizes: Vec<f64> = (0..12).map(|i| (1000.0 * 2f64.powi(i)).round()).collect();
        let symbol = Symbol { name: "append".to_owned(), linkage: "append".to_owned() };
        let function = Function { symbol, file: "list.c".to_owned(), line: 3, signature: String::new() };
        let location = |kind, block| Location {
            function: FunctionId(0),
            kind,
            block,
            file: "list.c".into(),
            line: 3 + block,
            lines: [3 + block].into(),
            label: "".into(),
        };
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
        // The paper's reasoning: n^1.21 iterations in n entries are lists of n^0.21.
        let found = findings(|n| n.powf(1.21), Some(&|n| n / 10.0));
        let parts = found.clusters[0].decomposition.as_ref().unwrap();
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
        let found =
            findings(|n| if n < 3000.0 { 0.0 } else { n * n }, Some(&|n| if n < 3000.0 { 0.0 } else { n }));
        let parts = found.clusters[0].decomposition.as_ref().unwrap();
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
}
