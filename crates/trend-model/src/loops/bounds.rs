//! What trips never exceed, where no polynomial gives them.

use super::polynomial::{Atom, Polynomial};
use super::problem::{Point, Problem};
use super::rational::Rational;

/// A bound is at most so many times the most trips.
const NEAR: i128 = 2;

/// A simple bound that no point is above: an input, the difference or the lesser of two, or one more or less; of these the one
/// that is least in all.
///
/// `limits` says which inputs the loop ends at in any case; bounds by these come first. What the point with the most trips does
/// not come near to is only a bound if it is such an input: the code of a character says nothing of the trips.
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
    let most = (0..points.len()).max_by_key(|&i| points[i].trips)?;
    let is_near = |candidate: &Polynomial| {
        let value = problem.value(candidate, most).map(Rational::floor);
        value.is_some_and(|value| value <= NEAR * i128::from(points[most].trips))
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
            if let Some(slack) = slack(&one).filter(|_| is_sure || is_near(&one)) {
                let terms = one.terms().len();
                valid.push((!is_sure, slack, terms, one));
            }
        }
    }
    valid.into_iter().min().map(|(.., one)| one)
}
