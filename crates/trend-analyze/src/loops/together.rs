//! Finds the names in a formula that no run varied independently.

use std::collections::BTreeSet;

use trend_profile::{LoopFunction, LoopInputValue};

use super::nest::Nest;
use super::symbols::{counter, symbol};

/// Returns the names in the trips of a loop in a call that had one value, or moved on a line with another name, in all
/// runs. A name that has several values in a run is varied by the program itself.
pub(super) fn together(nest: &Nest<'_>, index: u32, runs: &[Option<&LoopFunction>]) -> Vec<String> {
    let formula = nest.trips_in_call(index);
    let names = formula.polynomial().names();
    let names: Vec<&str> = names.iter().map(|name| &**name).filter(|name| counter(name).is_none()).collect();
    let values: Vec<Option<Vec<i64>>> = names.iter().map(|name| values(name, runs)).collect();
    let is_moved_alone = |at: usize| {
        let Some(own) = &values[at] else { return true };
        let others = (0..names.len()).filter(|other| *other != at).filter_map(|other| values[other].as_ref());
        !is_constant(own) && others.into_iter().all(|other| is_constant(other) || !is_line(own, other))
    };
    let is_shown = |at: &usize| formula.is_known() && !is_moved_alone(*at);
    (0..names.len()).filter(is_shown).map(|at| names[at].to_owned()).collect()
}

/// Returns the value of a name in each run; `None` if a run has several, or none.
fn values(name: &str, runs: &[Option<&LoopFunction>]) -> Option<Vec<i64>> {
    let of_run = |run: &LoopFunction| {
        let mut all = BTreeSet::new();
        for one in &run.loops {
            let named = one
                .inputs
                .iter()
                .position(|input| input.value == LoopInputValue::Integer && symbol(input) == name);
            all.extend(named.into_iter().flat_map(|at| one.observations.iter().map(move |o| o.inputs[at])));
        }
        all.first().copied().filter(|_| all.len() == 1)
    };
    runs.iter().flatten().map(|run| of_run(run)).collect()
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
