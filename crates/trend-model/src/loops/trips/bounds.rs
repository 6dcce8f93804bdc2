//! Upper bounds of trip counts that no polynomial describes.

use std::collections::HashSet;

use super::problem::{Point, Problem};
use crate::loops::polynomials::polynomial::{Atom, Polynomial};

/// Minimum number of distinct trip counts that must equal a bound if the bound is not known to end the loop. In runs
/// of real programs, other runs exceeded 23 of 166 candidates that fewer trip counts had reached. They exceeded none
/// of 42 candidates that more had reached.
const REACHED: usize = 3;

/// Returns a simple bound that no point exceeds: an input, the difference or the lesser of two inputs, or one of these
/// plus or minus 1. Among the valid bounds, the tightest one in total is chosen.
///
/// `limits` marks the inputs that always end the loop; bounds by these come first. Any other candidate is a bound only
/// if trip counts reach it repeatedly. A candidate that was never reached, such as the code of a character, is above by
/// chance.
pub fn bound(names: &[&str], limits: &[bool], points: &[Point]) -> Option<Polynomial> {
    let problem = Problem::new(names, points)?;
    let name = |index: usize| Polynomial::name(&problem.names[index]);
    let is_limit = |index: usize| limits.get(index) == Some(&true);
    // Each candidate; true if it is a limit.
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
            // A loop that the data end early may also go on to the limit.
            let is_sure = *is_limit && shift >= 0;
            if let Some(slack) = slack(&one).filter(|_| is_sure || is_reached(&one)) {
                let terms = one.terms().len();
                valid.push((!is_sure, slack, terms, one));
            }
        }
    }
    valid.into_iter().min().map(|(.., one)| one)
}
