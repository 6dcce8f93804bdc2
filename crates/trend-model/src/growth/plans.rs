//! Further sizes that people can run: larger ones, or between, or the same again. Judges nothing.
//!
//! Smaller sizes are never among them: they cost nothing and would often settle it between the models, and they are
//! where programs are least like any model. A quicksort that has hardly anything to sort is all bookkeeping.

use crate::order_statistics::nearest_rank;

/// Multiples of the largest size that are tried, alone and together. Few sizes far out tell most for their cost.
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

/// The same where the cost may double with every unit of size.
const SLIGHTLY_LARGER: [&[f64]; 4] = [&[1.1], &[1.2], &[1.1, 1.2], &[1.5]];

/// Sizes put between those that there are.
const BETWEEN: [usize; 2] = [4, 8];

/// Inputs of a size beyond those that there are; more tell less than another size.
const MOST_INPUTS: usize = 5;

/// Sizes below which a program is all startup.
const LEAST: f64 = 2.0;

/// Sizes that a study of growth should have at least, and the ratio of the largest to the smallest.
const ENOUGH_SIZES: usize = 6;
const ENOUGH_SPAN: f64 = 100.0;

/// Sizes nearer to each other than this ratio tell the same.
const NEAR: f64 = 1.1;

/// Runs to add.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Plan {
    /// Ascending.
    pub(crate) sizes: Vec<f64>,
    /// At each.
    pub(crate) inputs: usize,
    /// Whether the sizes are beyond those that there are, where growth shows.
    pub(crate) is_larger: bool,
}

/// Plans for a study whose runs had sizes `x`, ascending. New sizes get as many inputs as the usual one has, or more
/// where runs of one size differ (`varies`). `explodes`: the cost may be exponential.
pub(crate) fn plans(x: &[f64], varies: bool, explodes: bool, largest: Option<f64>) -> Vec<Plan> {
    let groups: Vec<usize> = x.chunk_by(|p, q| p == q).map(<[f64]>::len).collect();
    let usual =
        nearest_rank(&groups.iter().map(|&n| n as f64).collect::<Vec<_>>(), 0.5).unwrap_or(1.0) as usize;
    let mut sizes = x.to_vec();
    sizes.dedup();
    let Some(&most) = sizes.last() else { return Vec::new() };
    let whole = sizes.iter().all(|x| x.fract() == 0.0);
    let slightly: &[&[f64]] = if explodes { &SLIGHTLY_LARGER } else { &[] };
    let factors = LARGER.iter().chain(slightly);
    let larger = factors.map(|factors| {
        let mut sizes: Vec<f64> = factors.iter().map(|f| round(most * f, whole)).collect();
        sizes.dedup();
        sizes
    });
    let nearer = BETWEEN.iter().map(|&count| between(&sizes, count, whole));
    let choices = larger.map(|sizes| (true, sizes)).chain(nearer.map(|sizes| (false, sizes)));
    let is_new = |x: &f64| !sizes.contains(x) && largest.is_none_or(|most| *x <= most);
    let mut all = Vec::new();
    for (is_larger, sizes) in choices.filter(|(_, sizes)| !sizes.is_empty() && sizes.iter().all(is_new)) {
        for inputs in inputs(usual, varies) {
            all.push(Plan { sizes: sizes.clone(), inputs, is_larger });
        }
    }
    if varies && largest.is_none_or(|largest| most <= largest) {
        for inputs in 1..=MOST_INPUTS.saturating_sub(usual) {
            all.push(Plan { sizes: sizes.clone(), inputs, is_larger: false });
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

/// Sizes in the middle of the widest gaps, ascending.
fn between(sizes: &[f64], count: usize, whole: bool) -> Vec<f64> {
    let mut all = sizes.to_vec();
    let mut new = Vec::new();
    for _ in 0..count {
        let gaps = all.windows(2).enumerate().map(|(i, w)| (i, w[1] / w[0]));
        let Some((at, gap)) = gaps.max_by(|p, q| p.1.total_cmp(&q.1).then(q.0.cmp(&p.0))) else { break };
        let middle = round((all[at] * all[at + 1]).sqrt(), whole);
        if gap < NEAR || !(all[at] < middle && middle < all[at + 1]) {
            break;
        }
        all.insert(at + 1, middle);
        new.push(middle);
    }
    new.sort_by(f64::total_cmp);
    new
}

/// Further sizes for a study that has too few of them, or too close together, for a verdict: so many that there are
/// six over two decades, none above `largest`. Ascending; empty where nothing can or need be added.
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
    let whole = sizes.iter().all(|x| x.fract() == 0.0);
    let known = sizes.clone();
    if most / least < ENOUGH_SPAN {
        let up = round(least * ENOUGH_SPAN, whole);
        let up = largest.map_or(up, |largest| up.min(round_down(largest, whole)));
        if up > most * NEAR {
            sizes.push(up);
        }
        let (low, high) = (round(up.max(most) / ENOUGH_SPAN, whole), sizes[0] / NEAR);
        if low < high && low >= LEAST {
            sizes.insert(0, low);
        }
    }
    let missing = ENOUGH_SIZES.saturating_sub(sizes.len());
    sizes.extend(between(&sizes, missing, whole));
    sizes.sort_by(f64::total_cmp);
    sizes.retain(|x| !known.contains(x));
    sizes
}

/// To two significant digits, and to whole numbers where `whole`.
pub(crate) fn round(x: f64, whole: bool) -> f64 {
    let short: f64 = format!("{x:.1e}").parse().unwrap_or(x);
    if whole { short.round().max(1.0) } else { short }
}

/// The same, never above `x`.
fn round_down(x: f64, whole: bool) -> f64 {
    let near = round(x, whole);
    if near <= x { near } else { round(x * 0.95, whole).min(x) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sizes(plans: &[Plan], inputs: usize) -> Vec<&[f64]> {
        plans.iter().filter(|p| p.inputs == inputs).map(|p| p.sizes.as_slice()).collect()
    }

    #[test]
    fn plans_are_sizes_that_people_can_run() {
        let all = plans(&[100.0, 330.0, 1000.0], false, false, None);
        assert!(sizes(&all, 1).contains(&&[2000.0, 4000.0][..]));
        assert!(sizes(&all, 1).contains(&&[130.0, 180.0, 240.0, 570.0][..]), "{all:?}");
        assert_eq!(all.len(), sizes(&all, 1).len(), "exact costs need no second run");
        for plan in &all {
            assert!(plan.sizes.is_sorted() && plan.sizes.iter().all(|x| *x == round(*x, true) && *x > 100.0));
            assert_eq!(plan.is_larger, plan.sizes[0] > 1000.0);
        }
        let bounded = plans(&[100.0, 330.0, 1000.0], false, false, Some(3000.0));
        assert!(bounded.iter().flat_map(|p| &p.sizes).all(|x| *x <= 3000.0));
        assert!(sizes(&bounded, 1).contains(&&[2000.0][..]));
        assert!(sizes(&plans(&[18.0, 20.0], false, true, None), 1).contains(&&[22.0][..]));
        // 5.5 and 6 are both 6.
        let small = plans(&[3.0, 4.0, 5.0], false, true, None);
        assert!(small.iter().all(|p| p.sizes.is_sorted_by(|a, b| a < b)), "{small:?}");
        assert!(sizes(&small, 1).contains(&&[6.0][..]));
    }

    #[test]
    fn where_inputs_of_a_size_differ_more_of_them_are_a_plan() {
        let all = plans(&[100.0, 100.0, 330.0, 330.0, 1000.0, 1000.0], true, false, None);
        assert!(sizes(&all, 2).contains(&&[2000.0][..]));
        assert!(sizes(&all, 3).contains(&&[100.0, 330.0, 1000.0][..]));
    }

    #[test]
    fn too_few_sizes_become_six_over_two_decades() {
        for known in [&[1000.0][..], &[100.0, 200.0, 300.0], &[5.0, 7.0, 9.0, 11.0, 13.0, 17.0, 19.0]] {
            let further = further_sizes(known, None);
            let mut all = [known, &further].concat();
            all.sort_by(f64::total_cmp);
            assert!(all.len() >= 6 && all[all.len() - 1] / all[0] >= 99.0, "{all:?}");
            assert!(further.iter().all(|x| !known.contains(x)), "{further:?}");
        }
        // What is out of reach above is made up for below.
        let bounded = further_sizes(&[1000.0, 2000.0, 3000.0], Some(4999.0));
        assert_eq!((bounded[0], bounded[bounded.len() - 1]), (47.0, 4700.0));
        assert_eq!(further_sizes(&[], None), []);
        assert_eq!(further_sizes(&[-1.0, f64::INFINITY], None), []);
        assert_eq!(further_sizes(&[2.0, 3.0], Some(3.0)), [] as [f64; 0]);
    }
}
