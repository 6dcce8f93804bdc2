//! Finds the names in a formula that no run varied independently.

use std::collections::HashMap;

use trend_model::loops::Rational;
use trend_profile::{LoopFunction, LoopInputValue};

use super::nest::Nest;
use super::symbols::{counter, symbol};

/// The [direction] of each name's values in the runs of a function. Names with several values in a run, or none, are
/// absent.
pub(super) struct Values(HashMap<String, Vec<Rational>>);

impl Values {
    pub(super) fn new(runs: &[Option<&LoopFunction>]) -> Self {
        let mut runs = runs.iter().flatten().map(|run| values_in(run));
        let first = runs.next().unwrap_or_default();
        let mut all: HashMap<String, Vec<i64>> =
            first.into_iter().map(|(name, value)| (name, vec![value])).collect();
        for run in runs {
            all.retain(|name, values| run.get(name).map(|value| values.push(*value)).is_some());
        }
        Self(all.into_iter().map(|(name, values)| (name, direction(&values))).collect())
    }

    /// Returns the names in the trips of a loop in a call that had one value, or moved on a line with another name, in
    /// all runs. A name that has several values in a run is varied by the program itself.
    pub(super) fn together(&self, nest: &Nest<'_>, index: u32) -> Vec<String> {
        let formula = nest.trips_in_call(index);
        let names = formula.polynomial().names();
        let names: Vec<&str> =
            names.iter().map(|name| &**name).filter(|name| counter(name).is_none()).collect();
        let directions: Vec<Option<&Vec<Rational>>> = names.iter().map(|name| self.0.get(*name)).collect();
        let mut moved: HashMap<&Vec<Rational>, usize> = HashMap::new();
        for direction in directions.iter().flatten() {
            *moved.entry(direction).or_default() += 1;
        }
        let is_moved_alone = |at: usize| {
            directions[at].is_none_or(|own| moved[own] == 1 && own.iter().any(|step| !step.is_zero()))
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
            let shared = all.entry(symbol(input)).or_insert(Some(first));
            if *shared != Some(first) || values.any(|value| value != first) {
                *shared = None;
            }
        }
    }
    all.into_iter().filter_map(|(name, value)| Some((name, value?))).collect()
}

/// Returns the distances of values from the first one, in units of the first distance that is not 0. Paired values of
/// two names lie on a line if their distances are equal, or if all distances of one name are 0.
fn direction(values: &[i64]) -> Vec<Rational> {
    let distances = || values.iter().map(|value| i128::from(*value) - i128::from(values[0]));
    let unit = distances().find(|distance| *distance != 0).unwrap_or(1);
    distances().map(|distance| Rational::new(distance, unit).unwrap_or(Rational::ZERO)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_on_one_line_move_together() {
        let are_together = |a: &[i64], b: &[i64]| direction(a) == direction(b);
        assert!(are_together(&[4, 5, 9], &[7, 8, 12]) && are_together(&[1, 2], &[5, 9]));
        assert!(are_together(&[4, 4, 9], &[9, 9, -6]) && are_together(&[i64::MIN, i64::MAX], &[0, 1]));
        assert!(!are_together(&[5, 8, 13], &[6, 10, 17]) && !are_together(&[3, 3], &[1, 2]));
    }
}
