//! A cluster's cost as how often its function was entered times what it costs per entry. Where both grow, each says
//! something else about the program: how many things there are, and how long the list is that each is looked up in.

use trend_profile::{Kind, LocationId, Study};

use crate::models::Modeller;
use crate::{Decomposition, Factor};

/// The decomposition for the function of the costliest of `members`. `None` where nobody counted how often it was
/// entered, or where it was entered at most once in every run and costs per entry are the costs.
pub(crate) fn decomposition(
    study: &Study,
    modeller: &Modeller,
    members: &[LocationId],
) -> Option<Decomposition> {
    let cost = |id: LocationId| study.counts().row(id).iter().copied().max().unwrap_or(0);
    let costliest = members.iter().copied().max_by_key(|&id| (cost(id), std::cmp::Reverse(id)))?;
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
        entries: Factor { max: max(&entries), models: modeller.models(&entries, true), values: entries },
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
        for (sum, &count) in sum.iter_mut().zip(row) {
            *sum += count as f64;
        }
    }
    sum
}
