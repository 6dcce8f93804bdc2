//! Searches the sums of products that describe a cost best. This module names no law.
//!
//! ```text
//!   1   every single term, with and without a constant    ─▶ the best few
//!   2   each of these and one more term                   ─▶ the best few
//!   3   each of these and one more term
//! ```

use super::products::Product;
use crate::growth::candidates::evidence::{HALF_LOG_TAU, SMALLEST_SIGNIFICANCE, scaled_information};
use crate::growth::fits::fit::{Design, Fit};
use crate::growth::fits::points::Points;
use crate::growth::fits::previews::Previews;
use crate::laws::class::Term;
use crate::laws::law::Factor;
use crate::numerics::linear_system::{MOST, cholesky};

/// Number of models per round that the next round extends.
const BEAM: usize = 8;

/// Number of models per round that are fitted and not only previewed.
const FITTED: usize = 24;

/// Maximum number of terms, without the constant.
const MOST_TERMS: usize = MOST - 1;

/// Prior probability of each further term, and of a constant.
const FURTHER: f64 = 0.2;

/// Prior probability of two terms whose powers of one feature differ by more than one. `y + y^3` imitates `y^2` in the
/// runs, and costs many times as much beyond them. Code that costs both usually costs `y^2` as well.
const APART: f64 = 0.03;

/// Logarithm of the prior width of a coefficient's logarithm, relative to the first coefficient.
const LOG_RANGE: f64 = 2.3;

/// A model to try: the indices of its products, ascending, and whether it has a constant.
pub(super) type Shape = (Vec<usize>, bool);

pub(super) struct Fitted {
    pub(super) shape: Shape,
    pub(super) fit: Fit,
    pub(super) log_evidence: f64,
}

/// Fits models of growing size; returns them by falling evidence.
pub(super) fn search(points: &Points, products: &[Product]) -> Vec<Fitted> {
    let one = vec![1.0; points.len()];
    let mut fitted: Vec<Fitted> = fit(points, products, &one, (Vec::new(), true)).into_iter().collect();
    let mut beam: Vec<Vec<usize>> = vec![Vec::new()];
    let all = Previews::new(points, products.iter().map(|p| p.values.as_slice()).chain([&one[..]]));
    for round in 0..MOST_TERMS {
        let mut shapes: Vec<Shape> = if round == 1 { sums_of_features(products) } else { Vec::new() };
        for base in &beam {
            for added in (0..products.len()).filter(|added| !base.contains(added)) {
                let mut terms = base.clone();
                terms.push(added);
                terms.sort_unstable();
                shapes.extend([(terms.clone(), false), (terms, true)]);
            }
        }
        shapes.sort_unstable();
        shapes.dedup();
        let mut previews: Vec<(f64, Shape)> = Vec::with_capacity(shapes.len());
        for shape in shapes {
            let columns: Vec<usize> =
                shape.0.iter().copied().chain(shape.1.then_some(products.len())).collect();
            let Some(preview) = all.preview(&columns) else { continue };
            let preview = preview + log_prior(products, &shape);
            if preview.is_finite() {
                previews.push((preview, shape));
            }
        }
        previews.sort_by(|p, q| q.0.total_cmp(&p.0).then_with(|| p.1.cmp(&q.1)));
        let shapes = previews.into_iter().take(FITTED).map(|(_, shape)| shape);
        let mut round: Vec<Fitted> = shapes.filter_map(|shape| fit(points, products, &one, shape)).collect();
        round.sort_by(|p, q| q.log_evidence.total_cmp(&p.log_evidence));
        beam = round.iter().map(|model| model.shape.0.clone()).collect();
        beam.dedup();
        beam.truncate(BEAM);
        fitted.extend(round);
    }
    sorted(fitted)
}

/// Returns sums of a function of one feature and a function of another. Each summand alone may do worse than many
/// products, so the beam could miss them.
fn sums_of_features(products: &[Product]) -> Vec<Shape> {
    let feature = |i: usize| match products[i].factors.as_slice() {
        [Factor::Of(feature, _)] => Some(*feature),
        _ => None,
    };
    let alone: Vec<usize> = (0..products.len()).filter(|&i| feature(i).is_some()).collect();
    let mut shapes = Vec::new();
    for (n, &first) in alone.iter().enumerate() {
        for &second in alone[n + 1..].iter().filter(|second| feature(**second) != feature(first)) {
            shapes.extend([(vec![first, second], false), (vec![first, second], true)]);
        }
    }
    shapes
}

fn design<'a>(products: &'a [Product], one: &'a [f64], shape: &Shape) -> Design<'a> {
    let terms = shape.0.iter().map(|&i| products[i].values.as_slice());
    Design { columns: terms.chain(shape.1.then_some(one)).collect(), exponent: None }
}

fn log_prior(products: &[Product], shape: &Shape) -> f64 {
    let further = (shape.0.len() + usize::from(shape.1)).saturating_sub(1) as f64;
    let pairs = shape
        .0
        .iter()
        .enumerate()
        .flat_map(|(n, &one)| shape.0[n + 1..].iter().map(move |&other| (one, other)));
    let distant_pairs =
        pairs.filter(|&(one, other)| are_apart(&products[one], &products[other])).count() as f64;
    shape.0.iter().map(|&i| products[i].log_prior).sum::<f64>()
        + further * FURTHER.ln()
        + distant_pairs * APART.ln()
}

/// Returns true if two products differ only in their powers of one feature, by more than one.
fn are_apart(one: &Product, other: &Product) -> bool {
    let gap = |(one, other): (&Factor, &Factor)| match (one, other) {
        (
            Factor::Of(feature, Term::Power { exponent, .. }),
            Factor::Of(of_other, Term::Power { exponent: power, .. }),
        ) if feature == of_other => Some((exponent - power).abs()),
        _ => None,
    };
    let gaps: Option<Vec<f64>> = one.factors.iter().zip(&other.factors).map(gap).collect();
    let mut gaps = gaps.into_iter().flatten().filter(|gap| *gap > 0.0);
    one.factors.len() == other.factors.len()
        && gaps.next().is_some_and(|gap| gap > 1.0)
        && gaps.next().is_none()
}

/// Fits a shape. Returns `None` if a coefficient is not positive, or so uncertain that the shape without it is
/// preferred.
pub(super) fn fit(points: &Points, products: &[Product], one: &[f64], shape: Shape) -> Option<Fitted> {
    let design = design(products, one, &shape);
    if design.parameters() > MOST {
        return None;
    }
    let fit = Fit::new(points, points.len(), &design)?;
    let p = fit.parameters;
    if !fit.coefficients[..p].iter().all(|&c| c > 0.0) {
        return None;
    }
    let factor = cholesky(&scaled_information(&fit, p), p)?;
    if (0..p).any(|j| factor[j][j] < SMALLEST_SIGNIFICANCE) {
        return None;
    }
    let width = |j: usize| HALF_LOG_TAU - factor[j][j].ln();
    let volume: f64 = width(0) + (1..p).map(|j| (width(j) - LOG_RANGE).min(0.0)).sum::<f64>();
    let log_evidence = fit.log_likelihood + volume + log_prior(products, &shape);
    Some(Fitted { shape, fit, log_evidence })
}

/// Sorts by falling evidence.
pub(super) fn sorted(mut fitted: Vec<Fitted>) -> Vec<Fitted> {
    fitted.sort_by(|p, q| q.log_evidence.total_cmp(&p.log_evidence).then_with(|| p.shape.cmp(&q.shape)));
    fitted
}
