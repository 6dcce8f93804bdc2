//! Plans further sizes that people can run: larger ones, ones in between, or the same ones again. This module judges
//! nothing.
//!
//! Plans never contain smaller sizes. Those are cheap and would often settle the choice between the models, but
//! programs resemble no model there. A quicksort with hardly anything to sort is all bookkeeping.

use crate::laws::class::Term;
use crate::numerics::bisection::largest_that;
use crate::statistics::order_statistics::nearest_rank;

/// Multiples of the largest size to try, alone and together. A few very large sizes are the most informative for their
/// cost.
const LARGER: [&[f64]; 12] = [
    &[2.0],
    &[4.0],
    &[2.0, 4.0],
    &[2.0, 4.0, 8.0],
    &[10.0],
    &[3.0, 10.0],
    &[30.0],
    &[3.0, 10.0, 30.0],
    &[10.0, 30.0],
    &[100.0],
    &[10.0, 100.0],
    &[3.0, 10.0, 30.0, 100.0],
];

/// Multiples of the cost at the largest size, for costs that may double with every unit of size. Each plan has the
/// sizes at which the cost reaches these multiples.
const COSTLIER: [&[f64]; 10] = [
    &[2.0],
    &[4.0],
    &[2.0, 4.0],
    &[10.0],
    &[3.0, 10.0],
    &[30.0],
    &[3.0, 10.0, 30.0],
    &[100.0],
    &[10.0, 100.0],
    &[300.0],
];

/// Numbers of sizes to insert between the existing ones.
const BETWEEN: [usize; 2] = [4, 8];

/// Maximum number of inputs per size, the existing ones included: more are less informative than another size.
const MOST_INPUTS: usize = 5;

/// Size below which a program does nothing but start up.
const LEAST: f64 = 2.0;

/// Minimum number of sizes for a study of growth.
const ENOUGH_SIZES: usize = 6;

/// Minimum ratio of the largest size to the smallest for a study of growth.
const ENOUGH_SPAN: f64 = 100.0;

/// Smallest useful ratio between two sizes.
const NEAR: f64 = 1.1;

/// Possible growth of the cost, as far as plans depend on it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Growing {
    /// Powers of the size.
    Powers,
    /// A power, or a term that explodes.
    Either(Term),
    /// A term that explodes.
    Exploding(Term),
}

/// Runs to add to a study.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct FurtherRuns {
    /// Sizes, ascending.
    pub(crate) sizes: Vec<f64>,
    /// Number of inputs per size.
    pub(crate) inputs: usize,
    /// True if the sizes are larger than the existing ones: growth shows there.
    pub(crate) is_larger: bool,
}

/// Returns plans for a study with sizes `x`, ascending. A new size gets the median number of inputs per size, or more
/// if runs of one size differ (`varies`).
pub(crate) fn plans(x: &[f64], varies: bool, growing: Growing, largest: Option<f64>) -> Vec<FurtherRuns> {
    let groups: Vec<usize> = x.chunk_by(|p, q| p == q).map(<[f64]>::len).collect();
    let usual =
        nearest_rank(&groups.iter().map(|&n| n as f64).collect::<Vec<_>>(), 0.5).unwrap_or(1.0) as usize;
    let mut sizes = x.to_vec();
    sizes.dedup();
    let Some(&most) = sizes.last() else { return Vec::new() };
    let is_integral = sizes.iter().all(|x| x.fract() == 0.0);
    let (by_factor, term): (&[&[f64]], _) = match growing {
        Growing::Powers => (&LARGER, None),
        Growing::Either(term) => (&LARGER, Some(term)),
        Growing::Exploding(term) => (&[], Some(term)),
    };
    let by_factor =
        by_factor.iter().map(|factors| factors.iter().map(|f| round(most * f, is_integral)).collect());
    let by_cost = term.into_iter().flat_map(|term| {
        let further = move |times: &f64| rounded_finely(further(term, most, *times), is_integral);
        COSTLIER.iter().map(move |times| times.iter().map(further).collect())
    });
    let larger = by_factor.chain(by_cost).map(|mut sizes: Vec<f64>| {
        sizes.dedup();
        sizes
    });
    let gap: Gap = if term.is_some() { difference } else { ratio };
    let nearer = BETWEEN.iter().map(|&count| between(&sizes, count, is_integral, gap));
    let choices = larger.map(|sizes| (true, sizes)).chain(nearer.map(|sizes| (false, sizes)));
    let is_new = |x: &f64| !sizes.contains(x) && largest.is_none_or(|most| *x <= most);
    let mut all = Vec::new();
    for (is_larger, sizes) in choices.filter(|(_, sizes)| !sizes.is_empty() && sizes.iter().all(is_new)) {
        for inputs in inputs(usual, varies) {
            all.push(FurtherRuns { sizes: sizes.clone(), inputs, is_larger });
        }
    }
    if varies && largest.is_none_or(|largest| most <= largest) {
        for inputs in 1..=MOST_INPUTS.saturating_sub(usual) {
            all.push(FurtherRuns { sizes: sizes.clone(), inputs, is_larger: false });
        }
    }
    all
}

fn inputs(usual: usize, varies: bool) -> Vec<usize> {
    if !varies {
        return vec![1];
    }
    let usual = usual.clamp(1, MOST_INPUTS);
    if usual == MOST_INPUTS { vec![usual] } else { vec![usual, MOST_INPUTS.min(3 * usual)] }
}

/// Returns the width of the gap between two sizes, and its middle. The width is 0 if the gap is too narrow.
type Gap = fn(f64, f64, bool) -> (f64, f64);

/// Measures the gap as a ratio: powers grow equally from 10 to 20 and from 100 to 200.
fn ratio(low: f64, high: f64, is_integral: bool) -> (f64, f64) {
    let ratio = high / low;
    (if ratio < NEAR { 0.0 } else { ratio }, round((low * high).sqrt(), is_integral))
}

/// Measures the gap as a difference: exploding terms grow equally from 10 to 11 and from 100 to 101.
fn difference(low: f64, high: f64, is_integral: bool) -> (f64, f64) {
    (high - low, rounded_finely(low.midpoint(high), is_integral))
}

/// Returns sizes in the middle of the widest gaps, ascending.
fn between(sizes: &[f64], count: usize, is_integral: bool, gap: Gap) -> Vec<f64> {
    let mut all = sizes.to_vec();
    let mut new = Vec::new();
    for _ in 0..count {
        let middle = |(i, w): (usize, &[f64])| {
            let (width, middle) = gap(w[0], w[1], is_integral);
            (width > 0.0 && w[0] < middle && middle < w[1]).then_some((i, width, middle))
        };
        let gaps = all.windows(2).enumerate().filter_map(middle);
        let widest = gaps.max_by(|p, q| p.1.total_cmp(&q.1).then(q.0.cmp(&p.0)));
        let Some((at, _, middle)) = widest else { break };
        all.insert(at + 1, middle);
        new.push(middle);
    }
    new.sort_by(f64::total_cmp);
    new
}

/// Returns the size at which a term that explodes is `times` its value at `from`.
pub(crate) fn further(term: Term, from: f64, times: f64) -> f64 {
    let target = term.log_value(from) + times.ln();
    let mut high = 2.0 * from;
    while term.log_value(high) < target {
        high *= 2.0;
    }
    largest_that(from, high, |x| term.log_value(x) < target)
}

/// Returns further sizes for a study with too few sizes for a verdict, if its cost may explode. The sizes bring the
/// total to six. They are in the middle of the widest gaps, and otherwise above the largest size by the usual gap, but
/// not above `largest`. Returns nothing if no size can or need be added.
///
/// ```
/// assert_eq!(trend_model::further_units(&[10.0, 11.0, 12.0, 13.0], None), [14.0, 15.0]);
/// assert_eq!(trend_model::further_units(&[10.0, 14.0, 18.0, 22.0], Some(25.0)), [12.0, 16.0]);
/// ```
pub fn further_units(x: &[f64], largest: Option<f64>) -> Vec<f64> {
    let mut sizes: Vec<f64> = x.iter().copied().filter(|x| *x > 0.0 && x.is_finite()).collect();
    sizes.sort_by(f64::total_cmp);
    sizes.dedup();
    let Some(&most) = sizes.last() else { return Vec::new() };
    let is_integral = sizes.iter().all(|x| x.fract() == 0.0);
    let missing = ENOUGH_SIZES.saturating_sub(sizes.len());
    let mut new = between(&sizes, missing, is_integral, difference);
    let gaps: Vec<f64> = sizes.windows(2).map(|w| w[1] - w[0]).collect();
    let usual = nearest_rank(&gaps, 0.5).unwrap_or(1.0);
    let beyond = (new.len()..missing).scan(most, |last, _| {
        *last = rounded_finely(*last + usual, is_integral);
        Some(*last)
    });
    new.extend(beyond.take_while(|x| largest.is_none_or(|most| *x <= most)));
    new
}

/// Returns further sizes for a study with too few sizes, or sizes too close together, for a verdict. The total is then
/// six sizes over two decades, with none above `largest`. The result ascends, and is empty if nothing can or need be
/// added.
///
/// ```
/// assert_eq!(trend_model::further_sizes(&[100.0, 200.0], None), [530.0, 1400.0, 3700.0, 10000.0]);
/// assert_eq!(trend_model::further_sizes(&[10.0, 30.0, 100.0, 200.0, 500.0, 1000.0], None), []);
/// ```
pub fn further_sizes(x: &[f64], largest: Option<f64>) -> Vec<f64> {
    let mut sizes: Vec<f64> = x.iter().copied().filter(|x| *x > 0.0 && x.is_finite()).collect();
    sizes.sort_by(f64::total_cmp);
    sizes.dedup();
    let (Some(&least), Some(&most)) = (sizes.first(), sizes.last()) else { return Vec::new() };
    let is_integral = sizes.iter().all(|x| x.fract() == 0.0);
    let measured_sizes = sizes.clone();
    if most / least < ENOUGH_SPAN {
        let up = round(least * ENOUGH_SPAN, is_integral);
        let up = largest.map_or(up, |largest| up.min(round_down(largest, is_integral)));
        if up > most * NEAR {
            sizes.push(up);
        }
        let (low, high) = (round(up.max(most) / ENOUGH_SPAN, is_integral), sizes[0] / NEAR);
        if low < high && low >= LEAST {
            sizes.insert(0, low);
        }
    }
    let missing = ENOUGH_SIZES.saturating_sub(sizes.len());
    sizes.extend(between(&sizes, missing, is_integral, ratio));
    sizes.sort_by(f64::total_cmp);
    sizes.retain(|x| !measured_sizes.contains(x));
    sizes
}

/// Rounds to two significant digits, and to integers if `is_integral`.
pub(crate) fn round(x: f64, is_integral: bool) -> f64 {
    let short: f64 = format!("{x:.1e}").parse().unwrap_or(x);
    if is_integral { short.round().max(1.0) } else { short }
}

/// Rounds to integers if `is_integral`, otherwise to four significant digits: one unit more or less may double a cost.
fn rounded_finely(x: f64, is_integral: bool) -> f64 {
    if is_integral { x.round().max(1.0) } else { format!("{x:.3e}").parse().unwrap_or(x) }
}

/// Rounds like [`round`], but never above `x`.
fn round_down(x: f64, is_integral: bool) -> f64 {
    let near = round(x, is_integral);
    if near <= x { near } else { round(x * 0.95, is_integral).min(x) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sizes(plans: &[FurtherRuns], inputs: usize) -> Vec<&[f64]> {
        plans.iter().filter(|p| p.inputs == inputs).map(|p| p.sizes.as_slice()).collect()
    }

    #[test]
    fn plans_are_sizes_that_people_can_run() {
        let all = plans(&[100.0, 330.0, 1000.0], false, Growing::Powers, None);
        assert!(sizes(&all, 1).contains(&&[2000.0, 4000.0][..]));
        assert!(sizes(&all, 1).contains(&&[130.0, 180.0, 240.0, 570.0][..]), "{all:?}");
        assert_eq!(all.len(), sizes(&all, 1).len(), "exact costs need no second run");
        for plan in &all {
            assert!(plan.sizes.is_sorted() && plan.sizes.iter().all(|x| *x == round(*x, true) && *x > 100.0));
            assert_eq!(plan.is_larger, plan.sizes[0] > 1000.0);
        }
        let bounded = plans(&[100.0, 330.0, 1000.0], false, Growing::Powers, Some(3000.0));
        assert!(bounded.iter().flat_map(|p| &p.sizes).all(|x| *x <= 3000.0));
        assert!(sizes(&bounded, 1).contains(&&[2000.0][..]));
    }

    #[test]
    fn plans_for_what_explodes_are_a_few_units_further_or_between() {
        let doubling = Term::Exponential { base: 2.0 };
        let all = plans(&[10.0, 14.0, 18.0, 22.0], false, Growing::Exploding(doubling), None);
        // Twice and four times the cost; three and ten times.
        for expected in [&[23.0][..], &[23.0, 24.0], &[24.0, 25.0], &[30.0], &[11.0, 12.0, 16.0, 20.0]] {
            assert!(sizes(&all, 1).contains(&expected), "{expected:?} in {all:?}");
        }
        assert!(all.iter().flat_map(|p| &p.sizes).all(|x| *x <= 22.0 + 300f64.log2().round()));
        let slow =
            plans(&[1000.0, 1010.0], false, Growing::Exploding(Term::Exponential { base: 1.01 }), None);
        assert!(sizes(&slow, 1).contains(&&[1080.0][..]), "{slow:?}");
        let either = plans(&[10.0, 14.0], false, Growing::Either(doubling), None);
        assert!(sizes(&either, 1).contains(&&[15.0][..]) && sizes(&either, 1).contains(&&[28.0][..]));
        // All integer sizes up to the largest exist, so no size fits in between.
        let full = plans(&[3.0, 4.0, 5.0], false, Growing::Exploding(Term::Factorial), None);
        assert!(full.iter().all(|p| p.is_larger && p.sizes.is_sorted_by(|a, b| a < b)), "{full:?}");
        assert_eq!(further(Term::Factorial, 5.0, 42.0).round(), 7.0);
    }

    #[test]
    fn where_inputs_of_a_size_differ_more_of_them_are_a_plan() {
        let all = plans(&[100.0, 100.0, 330.0, 330.0, 1000.0, 1000.0], true, Growing::Powers, None);
        assert!(sizes(&all, 2).contains(&&[2000.0][..]));
        assert!(sizes(&all, 3).contains(&&[100.0, 330.0, 1000.0][..]));
    }

    #[test]
    fn too_few_sizes_become_six_over_two_decades() {
        for measured in [&[1000.0][..], &[100.0, 200.0, 300.0], &[5.0, 7.0, 9.0, 11.0, 13.0, 17.0, 19.0]] {
            let further = further_sizes(measured, None);
            let mut all = [measured, &further].concat();
            all.sort_by(f64::total_cmp);
            assert!(all.len() >= 6 && all[all.len() - 1] / all[0] >= 99.0, "{all:?}");
            assert!(further.iter().all(|x| !measured.contains(x)), "{further:?}");
        }
        // Sizes that are out of reach above are replaced by smaller ones.
        let bounded = further_sizes(&[1000.0, 2000.0, 3000.0], Some(4999.0));
        assert_eq!((bounded[0], bounded[bounded.len() - 1]), (47.0, 4700.0));
        assert_eq!(further_sizes(&[], None), []);
        assert_eq!(further_sizes(&[-1.0, f64::INFINITY], None), []);
        assert_eq!(further_sizes(&[2.0, 3.0], Some(3.0)), [] as [f64; 0]);
    }
}
