//! Finds the names in a formula that no run varied independently.

use std::collections::HashMap;

use trend_profile::{LoopFunction, LoopInputValue};

use super::nest::Nest;
use super::symbols::{counter, symbol};

/// The value of each name in every run of a function. Names with several values in a run, or none, are absent.
pub(super) struct Values(HashMap<String, Vec<i64>>);

impl Values {
    pub(super) fn new(runs: &[Option<&LoopFunction>]) -> Self {
        let mut runs = runs.iter().flatten().map(|run| values_in(run));
        let first = runs.next().unwrap_or_default();
        let mut all: HashMap<String, Vec<i64>> =
            first.into_iter().map(|(name, value)| (name, vec![value])).collect();
        for run in runs {
            all.retain(|name, values| run.get(name).map(|value| values.push(*value)).is_some());
        }
        Self(all)
    }

    /// Returns the names in the trips of a loop in a call that had one value, or moved on a line with another name, in
    /// all runs. A name that has several values in a run is varied by the program itself.
    pub(super) fn together(&self, nest: &Nest<'_>, index: u32) -> Vec<String> {
        let formula = nest.trips_in_call(index);
        let names = formula.polynomial().names();
        let names: Vec<&str> =
            names.iter().map(|name| &**name).filter(|name| counter(name).is_none()).collect();
        let values: Vec<Option<&Vec<i64>>> = names.iter().map(|name| self.0.get(*name)).collect();
        let is_moved_alone = |at: usize| {
            let Some(own) = values[at] else { return true };
            let others = (0..names.len()).filter(|other| *other != at).filter_map(|other| values[other]);
            !is_constant(own) && others.into_iter().all(|other| is_constant(other) || !is_line(own, other))
        };
        let is_shown = |at: &usize| formula.is_known() && !is_moved_alone(*at);
        (0..names.len()).filter(is_shown).map(|at| names[at].to_owned()).collect()
    }
}

/// Returns the names that have one value in all activations of a run, with that value.
fn values_in(run: &LoopFunction) -> HashMap<String, i64> {
    let mut all: HashMap<String, Option<i64>> = HashMap::new();
    for one in &run.loops {
        for (at, input) in one.inputs.iter().enumerate() {
            if input.value != LoopInputValue::Integer {
                continue;
            }
            let mut values = one.observations.iter().map(|observation| observation.inputs[at]);
            let Some(first) = values.next() else { continue };
            let known = all.entry(symbol(input)).or_insert(Some(first));
            if *known != Some(first) || values.any(|value| value != first) {
                *known = None;
            }
        }
    }
    all.into_iter().filter_map(|(name, value)| Some((name, value?))).collect()
}

fn is_constant(values: &[i64]) -> bool {
    values.iter().all(|value| *value == values[0])
}

/// Returns true if the pairs of two rows of values are on one line.
fn is_line(a: &[i64], b: &[i64]) -> bool {
    let distance = |values: &[i64], at: usize| i128::from(values[at]) - i128::from(values[0]);
    let Some(other) = (1..a.len()).find(|&at| distance(a, at) != 0) else { return false };
    let product = |x: i128, y: i128| x.checked_mul(y);
    (1..a.len()).all(|at| {
        product(distance(a, at), distance(b, other)) == product(distance(a, other), distance(b, at))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_on_one_line_move_together() {
        assert!(is_line(&[4, 5, 9], &[7, 8, 12]) && is_line(&[1, 2], &[5, 9]));
        assert!(!is_line(&[5, 8, 13], &[6, 10, 17]) && !is_line(&[3, 3], &[1, 2]));
        assert!(is_constant(&[3, 3]) && !is_constant(&[3, 4]));
    }
}
