//! What trips never exceed, where no polynomial gives them.

use std::collections::HashSet;

use super::polynomial::{Atom, Polynomial};
use super::problem::{Point, Problem};

/// What is not known to end the loop is a bound where trips come up to it at so many different numbers of them. Of 166 that
/// were reached at fewer in runs of real programs, other runs were above 23; of 42 that were reached at more above none.
const REACHED: usize = 3;

/// A simple bound that no point is above: an input, the difference or the lesser of two, or one more or less; of these the one
/// that is least in all.
///
/// `limits` says which inputs the loop ends at in any case; bounds by these come first. Any other is one only where trips
/// come up to it again and again: what never was reached, such as the code of a character, is above by chance.
pub fn bound(names: &[&str], limits: &[bool], points: &[Point]) -> Option<Polynomial> {
    let problem = Problem::new(names, points)?;
    let name = |index: usize| Polynomial::name(&problem.names[index]);
    let is_limit = |index: usize| limits.get(index) == Some(&true);
    // Each with whether it is a limit.
    let mut candidates: Vec<(Polynomial, bool)> = Vec::new();
    for &j in &problem.varying {
        candidates.push((name(j), is_limit(j)));
        for &k in problem.varying.iter().filter(|&&k| k != j) {
            candidates.push((name(j).minus(&name(k))?, false));
            if j < k {
                let lesser = Atom::Min(Box::new(name(j)), Box::new(name(k)));
                candidates.push((Polynomial::atom(lesser), is_limit(j) && is_limit(k)));
            }
        }
    }
    let is_reached = |candidate: &Polynomial| {
        let reached = (0..points.len()).filter(|&i| {
            let trips = i128::from(points[i].trips);
            trips > 0 && problem.value(candidate, i).is_some_and(|value| value.floor() == trips)
        });
        reached.map(|i| points[i].trips).collect::<HashSet<_>>().len() >= REACHED
    };
    let slack = |candidate: &Polynomial| -> Option<i128> {
        let slacks = (0..points.len()).map(|i| {
            let value = problem.value(candidate, i)?.floor().max(0);
            (value >= i128::from(points[i].trips)).then(|| value - i128::from(points[i].trips))
        });
        slacks.sum()
    };
    let mut valid = Vec::new();
    for (candidate, is_limit) in &candidates {
        for shift in [0, -1, 1] {
            let Some(one) = candidate.plus(&Polynomial::integer(shift)) else { continue };
            // A loop that data end early may go on to the limit.
            let is_sure = *is_limit && shift >= 0;
            if let Some(slack) = slack(&one).filter(|_| is_sure || is_reached(&one)) {
                let terms = one.terms().len();
                valid.push((!is_sure, slack, terms, one));
            }
        }
    }
    valid.into_iter().min().map(|(.., one)| one)
}
