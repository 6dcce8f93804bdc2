//! Models of cost that is linear in two pieces. The cost has a step or a bend where a cache overflows, a table fills
//! up, or a threshold is passed. It grows as its upper piece does. Without this rival, every such bend looks like a
//! higher power.
//!
//! ```text
//!   cost                     ●       The best sum of terms is n^1.5. It is 6 times too high for inputs 100 times as
//!     │                   ●          large. Two lines fit better: `n`.
//!     │                ●
//!     │  ●  ●  ●  ●
//!     └───────────┬─────────── n
//! ```
//!
//! Each piece is a line, and the lower one may be flat. A line is given by its values at its ends, and the parameters
//! are their logarithms. The pieces meet between any two sizes that leave enough sizes on both sides. `fit` fits them;
//! this module weighs nothing.

use super::evidence::{Evidence, HALF_LOG_TAU, SMALLEST_SHARE, scaled_information};
use super::model::Model;
use crate::growth::fits::fit::{Design, Fit};
use crate::growth::fits::points::Points;
use crate::growth::fits::splits::{PieceKind, Splits};
use crate::laws::class::{GrowthClass, Term};
use crate::lines::line::Line;
use crate::numerics::linear_system::{Vector, cholesky};

/// Minimum number of distinct sizes for two pieces.
const FEWEST_SIZES: usize = 6;

/// Minimum number of distinct sizes in the lower piece.
const SIZES_BELOW: usize = 2;

/// Minimum number of distinct sizes in the upper piece. Growth that is visible only in the two largest sizes may be
/// an outlier.
const SIZES_ABOVE: usize = 3;

/// Number of splits per kind that are fitted: those with the best previews.
const FITTED: usize = 2;

/// Maximum number of points, spread over the sizes, on which splits are searched.
const MOST_SPLITS: usize = 60;

/// Prior probability of two pieces, in units of one growing class.
const PRIOR: f64 = 0.07;

/// Logarithm of the largest step between the pieces.
const LARGEST_STEP: f64 = 3.0;

const KINDS: [PieceKind; 4] = [
    PieceKind { is_joined: true, is_flat: true },
    PieceKind { is_joined: true, is_flat: false },
    PieceKind { is_joined: false, is_flat: true },
    PieceKind { is_joined: false, is_flat: false },
];

/// Two pieces; the upper one begins at point `at`.
struct Pieces<'a> {
    points: &'a Points,
    x: &'a [f64],
    at: usize,
    kind: PieceKind,
}

/// Returns the best models of two linear pieces.
///
/// - Time: O(k) for each split between at most 60 sizes, and a few fits.
pub(crate) fn regimes(points: &Points) -> Vec<Model> {
    let starts = points.starts();
    if starts.len() < FEWEST_SIZES {
        return Vec::new();
    }
    let splits = &starts[SIZES_BELOW..=starts.len() - SIZES_ABOVE];
    let prior = (PRIOR / KINDS.len() as f64 / splits.len().min(MOST_SPLITS) as f64).ln();
    let x = points.relative_x();
    let screening = points.thinned(MOST_SPLITS);
    let few = screening.as_ref().unwrap_or(points);
    let few_x = few.relative_x();
    let candidates = Splits::new(few, &few_x);
    // Returns the first point at or above the size at which the sample is split.
    let place = |at: usize| x.partition_point(|&v| v < few_x[at]);
    let mut models = Vec::new();
    for kind in KINDS {
        let best = best_splits(&candidates, few, &few_x, kind).into_iter().map(place);
        let best = best.filter(|at| splits.contains(at));
        models.extend(best.filter_map(|at| Pieces { points, x: &x, at, kind }.model(prior)));
    }
    models
}

/// Returns the splits with the best previews.
fn best_splits(candidates: &Splits, points: &Points, x: &[f64], kind: PieceKind) -> Vec<usize> {
    let starts = points.starts();
    if starts.len() < FEWEST_SIZES {
        return Vec::new();
    }
    let preview = |&at: &usize| {
        let pieces = Pieces { points, x, at, kind };
        let (preview, lines) = candidates.preview(at, kind)?;
        pieces.are_rising(&pieces.ends_of(lines)).then_some((preview, at))
    };
    let splits = &starts[SIZES_BELOW..=starts.len() - SIZES_ABOVE];
    let mut previews: Vec<(f64, usize)> = splits.iter().filter_map(preview).collect();
    previews.sort_by(|p, q| q.0.total_cmp(&p.0).then(p.1.cmp(&q.1)));
    previews.into_iter().take(FITTED).map(|(_, at)| at).collect()
}

impl Pieces<'_> {
    /// Returns the end of the lower piece and the beginning of the upper one.
    fn ends(&self) -> (f64, f64) {
        let from = self.x[self.at];
        (if self.kind.is_joined { from } else { self.x[self.at - 1] }, from)
    }

    /// Returns the parameters that describe two lines.
    fn ends_of(&self, [lower, upper]: [Line; 2]) -> Vector {
        let (until, from) = self.ends();
        let mut ends = [upper.at(1.0), upper.at(from), 0.0, 0.0];
        let lowers = [lower.at(until), lower.at(self.x[0])];
        let first = if self.kind.is_joined { 1 } else { 2 };
        for (end, value) in ends[first..].iter_mut().zip(lowers).take(if self.kind.is_flat { 1 } else { 2 }) {
            *end = value;
        }
        ends
    }

    /// Returns the columns of the design: the cost at the upper end and at the beginning of the upper piece. Unless the
    /// pieces meet, there is a column for the end of the lower piece. Unless the lower piece is flat, there is one for
    /// its beginning.
    fn columns(&self) -> Vec<Vec<f64>> {
        let (until, from) = self.ends();
        let (at, smallest) = (self.at, self.x[0]);
        let column = |low: &dyn Fn(f64) -> f64, high: &dyn Fn(f64) -> f64| -> Vec<f64> {
            let side = |(i, &x): (usize, &f64)| {
                if i < at {
                    low((x - smallest) / (until - smallest))
                } else {
                    high((x - from) / (1.0 - from))
                }
            };
            self.x.iter().enumerate().map(side).collect()
        };
        let rising = |r: f64| if self.kind.is_flat { 1.0 } else { r };
        let mut columns = vec![column(&|_| 0.0, &|r| r)];
        if self.kind.is_joined {
            columns.push(column(&rising, &|r| 1.0 - r));
        } else {
            columns.extend([column(&|_| 0.0, &|r| 1.0 - r), column(&rising, &|_| 0.0)]);
        }
        if !self.kind.is_flat {
            columns.push(column(&|r| 1.0 - r, &|_| 0.0));
        }
        columns
    }

    /// Returns true if neither line falls and the upper one grows visibly.
    fn are_rising(&self, coefficients: &Vector) -> bool {
        let [end, start, ..] = *coefficients;
        let (_, from) = self.ends();
        let is_growing = start > 0.0 && (end - start) / (1.0 - from) > SMALLEST_SHARE * end;
        let first = if self.kind.is_joined { 1 } else { 2 };
        let lower = &coefficients[first..first + if self.kind.is_flat { 1 } else { 2 }];
        is_growing && lower.iter().all(|&c| c > 0.0) && lower.windows(2).all(|w| w[1] < w[0])
    }

    /// Fits the pieces. Returns `None` if a line falls or the upper one hardly grows.
    fn model(&self, log_prior: f64) -> Option<Model> {
        let columns = self.columns();
        let design = Design { columns: columns.iter().map(Vec::as_slice).collect(), exponent: None };
        let fit = Fit::new(self.points, self.points.len(), &design)?;
        let p = fit.parameters;
        let (until, from) = self.ends();
        if !self.are_rising(&fit.coefficients) {
            return None;
        }
        let factor = cholesky(&scaled_information(&fit, p), p)?;
        let width = |j: usize| HALF_LOG_TAU - factor[j][j].ln();
        let mut evidence = Evidence::new(fit.log_likelihood, log_prior + width(0));
        // Along a line with a positive start, the logarithm of the cost grows by at most the logarithm of the size.
        let log_range = |from: f64, to: f64| (1.0 + (to / from).ln()).ln();
        evidence.add_width(width(1) - log_range(from, 1.0));
        if !self.kind.is_joined {
            evidence.add_width(width(2) - (2.0 * LARGEST_STEP).ln());
        }
        if !self.kind.is_flat {
            evidence.add_width(width(p - 1) - log_range(self.x[0], until));
        }
        let line = Term::Power { exponent: 1.0, log: false };
        let span = 1.0 - from;
        let upper = vec![
            vec![(1.0 / span, line), (-from / span, Term::ONE)],
            vec![(-1.0 / span, line), (1.0 / span, Term::ONE)],
        ];
        Some(Model::of_pieces(
            GrowthClass::Linear,
            fit,
            evidence,
            (self.points.size(self.at), upper),
            columns,
        ))
    }
}

#[cfg(test)]
mod tests {
    use crate::growth::verdict::growth;

    /// A cheap path up to 50, and n^2.5 above.
    #[test]
    fn a_jump_to_a_steep_piece_is_not_decided_to_be_linear() {
        let x = [20.0, 32.0, 50.0, 79.0, 126.0, 199.0, 316.0, 500.0];
        let y = [26e3, 26e3, 26e3, 0.62e6, 2.1e6, 6.3e6, 20e6, 68e6];
        let verdict = growth(&x, &y).unwrap();
        assert!(!verdict.decided, "{}", verdict.best().class);
    }
}
