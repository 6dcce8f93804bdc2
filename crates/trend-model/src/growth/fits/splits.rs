//! Previews all splits of the points into two lines that meet or break, from running sums. This module fits nothing
//! robustly.
//!
//! Least squares of the relative error, `Σ (1 − ŷ/y)² → min`, for lines on both sides of a split needs only these sums
//! on each side: `1/y`, `x/y`, `1/y²`, `x/y²` and `x²/y²`.
//!
//! ```text
//!   points   · · · · · · | · · · · · · · ·
//!   sums     ──────────▶ │ ◀──────────────     all splits in one pass from either end
//! ```

use super::points::Points;
use crate::lines::line::Line;
use crate::numerics::linear_system::{MOST, solve};

/// Kind of two pieces.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct PieceKind {
    /// True if the pieces meet: a bend instead of a step.
    pub(crate) is_joined: bool,
    /// True if the lower piece is flat.
    pub(crate) is_flat: bool,
}

impl PieceKind {
    /// Returns the number of parameters, besides the place where the pieces meet.
    pub(crate) fn parameters(self) -> usize {
        4 - usize::from(self.is_joined) - usize::from(self.is_flat)
    }
}

/// Sums over the points of one side, with costs in units of the largest.
#[derive(Clone, Copy, Debug, Default)]
struct Sums {
    /// `Σ 1/y`, `Σ x/y`.
    first: [f64; 2],
    /// `Σ 1/y²`, `Σ x/y²`, `Σ x²/y²`.
    second: [f64; 3],
}

impl Sums {
    fn with(mut self, x: f64, y: f64) -> Self {
        let weight = 1.0 / y;
        self.first[0] += weight;
        self.first[1] += weight * x;
        self.second[0] += weight * weight;
        self.second[1] += weight * weight * x;
        self.second[2] += weight * weight * x * x;
        self
    }

    /// Returns the sums of `(x − origin)/y`, `(x − origin)/y²` and `(x − origin)²/y²`.
    fn about(&self, origin: f64) -> (f64, f64, f64) {
        let [s0, s1, s2] = self.second;
        let square = s2 - 2.0 * origin * s1 + origin * origin * s0;
        (self.first[1] - origin * self.first[0], s1 - origin * s0, square)
    }
}

/// Running sums over points in units of the largest size.
pub(crate) struct Splits<'a> {
    points: &'a Points,
    x: &'a [f64],
    /// Sums of the points before each position.
    below: Vec<Sums>,
    /// Sums of the points at and above each position.
    above: Vec<Sums>,
    known_variance: f64,
}

impl<'a> Splits<'a> {
    /// Computes the running sums; `x` is [`Points::relative_x`].
    ///
    /// - Time: O(k).
    pub(crate) fn new(points: &'a Points, x: &'a [f64]) -> Self {
        let n = points.len();
        let (mut below, mut above) = (vec![Sums::default(); n + 1], vec![Sums::default(); n + 1]);
        for i in 0..n {
            below[i + 1] = below[i].with(x[i], points.relative_y[i]);
        }
        for i in (0..n).rev() {
            above[i] = above[i + 1].with(x[i], points.relative_y[i]);
        }
        let known_variance = points.known_variances.iter().sum::<f64>() / n as f64;
        Self { points, x, below, above, known_variance }
    }

    /// Returns the two lines of least squares for the split before point `at`, and their score on the scale of
    /// [`Previews::preview`](super::previews::Previews::preview).
    ///
    /// - Time: O(k).
    pub(crate) fn preview(&self, at: usize, kind: PieceKind) -> Option<(f64, [Line; 2])> {
        let lines = self.lines(at, kind)?;
        let error = |i: usize| 1.0 - lines[usize::from(i >= at)].at(self.x[i]) / self.points.relative_y[i];
        let squares: f64 = (0..self.x.len()).map(|i| error(i).powi(2)).sum();
        let freedom = (self.points.len() - kind.parameters()) as f64;
        Some((-freedom / 2.0 * (squares / freedom + self.known_variance).ln(), lines))
    }

    fn lines(&self, at: usize, kind: PieceKind) -> Option<[Line; 2]> {
        let (low, high) = (&self.below[at], &self.above[at]);
        let (from, smallest) = (self.x[at], self.x[0]);
        let (high_first, high_cross, high_square) = high.about(from);
        let (low_first, low_cross, low_square) = low.about(smallest);
        let (mut normal, mut right) = ([[0.0; MOST]; MOST], [0.0; MOST]);
        let line = |value: f64, origin: f64, slope: f64| Line { intercept: value - slope * origin, slope };
        if !kind.is_joined {
            normal[0][0] = high.second[0];
            (normal[1][0], normal[1][1]) = (high_cross, high_square);
            (right[0], right[1]) = (high.first[0], high_first);
            let upper = solve(&normal, &right, 2)?;
            let upper = line(upper[0], from, upper[1]);
            if kind.is_flat {
                return Some([line(low.first[0] / low.second[0], 0.0, 0.0), upper]);
            }
            normal[0][0] = low.second[0];
            (normal[1][0], normal[1][1]) = (low_cross, low_square);
            (right[0], right[1]) = (low.first[0], low_first);
            let lower = solve(&normal, &right, 2)?;
            return Some([line(lower[0], smallest, lower[1]), upper]);
        }
        // Parameters: the value where the pieces meet, the upper slope, and the lower slope around the meeting point.
        normal[0][0] = low.second[0] + high.second[0];
        (normal[1][0], normal[1][1]) = (high_cross, high_square);
        (right[0], right[1]) = (low.first[0] + high.first[0], high_first);
        if kind.is_flat {
            let joined = solve(&normal, &right, 2)?;
            return Some([line(joined[0], 0.0, 0.0), line(joined[0], from, joined[1])]);
        }
        let (low_first, low_cross, low_square) = low.about(from);
        (normal[2][0], normal[2][1], normal[2][2]) = (low_cross, 0.0, low_square);
        right[2] = low_first;
        let joined = solve(&normal, &right, 3)?;
        Some([line(joined[0], from, joined[2]), line(joined[0], from, joined[1])])
    }
}
