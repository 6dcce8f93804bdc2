//! Compares two versions of a cost, workload by workload. This module chooses no workloads and names no classes.
//!
//! Variation from input to input is the same before and after, so it cancels in the ratio of the two. The shape of the
//! ratio shows the change:
//!
//! ```text
//!   after ÷ before                          after against before
//!     │                     ╱ exponent        │        ╱            after = floor + factor·before,
//!     │              ╱                        │     ╱    floor      a line, whatever law both follow
//!     │──────────────────── factor            │  ╱
//!     └────────────────── size                └────────── before
//! ```
//!
//! Worked example. The executions are 700, 1400, 2800, 5600 before and 1700, 2400, 3800, 6600 after. The ratio falls
//! from 2.4 to 1.2, and every point is on `after = 1000 + 1·before`: a floor was added, and the exponent is unchanged.

use super::interval::Interval;
use super::students::Students;
use crate::error::FitError;

/// Minimum number of pairs for telling a shape from noise.
const FEWEST: usize = 4;

/// Relative error below which a difference is rounding; its square is compared with mean squares.
const ROUNDING: f64 = 1e-9;

/// The relation of costs after to costs before.
#[derive(Clone, Debug)]
pub struct Paired {
    /// Number of pairs used: those with a positive size and two positive costs.
    pub points: usize,
    /// True if every cost is unchanged.
    pub is_equal: bool,
    factor: Mean,
    line: Line,
    /// Sum of squared residuals of a line of the costs after over those before, or vice versa, whichever is smaller.
    line_squares: f64,
    power: Power,
    /// Sum of squared residuals of the best of [`RATIOS`].
    curve_squares: f64,
    /// Logarithms of `after ÷ before`, each with the error of integer counts.
    ratios: Vec<(f64, f64)>,
}

/// The geometric mean of `after ÷ before`, regardless of the sizes.
#[derive(Clone, Copy, Debug)]
pub struct MeanRatio {
    /// Number of pairs used: those in which both costs are positive.
    pub points: usize,
    /// Smallest ratio of a pair.
    pub least: f64,
    /// Largest ratio of a pair.
    pub most: f64,
    mean: Mean,
}

/// Returns the geometric mean of the ratios of costs; `None` for fewer than four pairs of positive costs.
///
/// - Time: O(n).
pub fn mean_ratio(before: &[f64], after: &[f64]) -> Option<MeanRatio> {
    let usable = |(b, a): &(f64, f64)| *b > 0.0 && *a > 0.0 && (a / b).is_finite();
    let pairs = before.iter().copied().zip(after.iter().copied()).filter(usable);
    let ratios: Vec<f64> = pairs.map(|(b, a)| (a / b).ln()).collect();
    let least = ratios.iter().copied().fold(f64::INFINITY, f64::min).exp();
    let most = ratios.iter().copied().fold(f64::NEG_INFINITY, f64::max).exp();
    let points = ratios.len();
    (points >= FEWEST).then(|| MeanRatio { points, least, most, mean: Mean::fit(&ratios) })
}

impl MeanRatio {
    /// Returns the mean with its interval.
    pub fn at(&self, level: f64) -> (f64, Interval) {
        let Mean { value, error, .. } = self.mean;
        let width = quantile(level, self.points as f64 - 1.0) * error;
        (value.exp(), Interval { lo: value - width, hi: value + width, level }.map(f64::exp))
    }

    /// Returns the probability of a mean this far from 1 if nothing changed; 0 for a ratio that never varies.
    pub fn p_value(&self) -> f64 {
        if self.mean.value.abs() <= ROUNDING {
            return 1.0;
        }
        two_sided(self.mean.value / self.mean.error, self.points as f64 - 1.0)
    }
}

/// Functions of the size that a growing ratio may be linear in, besides a power: terms that a law gained or lost.
const RATIOS: [fn(f64) -> f64; 4] = [f64::ln, f64::sqrt, |x| x, |x| x * x];

/// Number of shapes that a ratio is compared with. Each but the power is fitted in both directions, so that both
/// directions find the same.
const SHAPES: f64 = 1.0 + 2.0 * (1.0 + RATIOS.len() as f64);

/// The cost after as a function of the cost before.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Relation {
    /// The costs are the same, as far as the data show.
    Same,
    /// `after = factor·before`.
    Factor {
        /// Factor by which the cost changed.
        factor: f64,
        /// Interval of the factor.
        ci: Interval,
    },
    /// `after = floor + factor·before`.
    Line {
        /// Cost that is added.
        floor: f64,
        /// Interval of the floor.
        floor_ci: Interval,
        /// Factor on the cost before.
        factor: f64,
        /// Interval of the factor.
        factor_ci: Interval,
    },
    /// The ratio `after ÷ before` grows as this power of the size.
    Power {
        /// Difference of the exponents.
        exponent: f64,
        /// Interval of the difference.
        ci: Interval,
    },
}

/// The mean log ratio.
#[derive(Clone, Copy, Debug)]
struct Mean {
    value: f64,
    error: f64,
    squares: f64,
}

/// The line `after = a + b·before`, fitted by relative errors.
#[derive(Clone, Copy, Debug)]
struct Line {
    a: f64,
    b: f64,
    /// Variances of `a` and `b`.
    variances: [f64; 2],
    squares: f64,
}

/// The line `ln(after ÷ before) = constant + slope·ln x`.
#[derive(Clone, Copy, Debug)]
struct Power {
    slope: f64,
    /// Variance of the residuals.
    variance: f64,
    /// Sum of squares of `ln x` about its mean.
    spread_x: f64,
    squares: f64,
}

/// Compares two versions' costs of the same workloads.
///
/// # Formula
///
/// These are least-squares fits by relative errors. `ln(after ÷ before)` is fitted on a constant and on `ln x`, and
/// `after` and `before` are fitted on each other. `after ÷ before` and its inverse are fitted on `ln x`, `√x`, `x` and
/// `x²`. The F test of the best of the eleven shapes against the constant tells a shape from a factor; its p-value is
/// multiplied by eleven, because the best shape is chosen. The t test of the mean tells a factor from no change.
///
/// - Time: O(n).
///
/// # Errors
///
/// [`FitError::LengthMismatch`], [`FitError::TooFewPoints`] below four pairs, [`FitError::ConstantFeature`] if all
/// pairs have the same size.
pub fn paired(x: &[f64], before: &[f64], after: &[f64]) -> Result<Paired, FitError> {
    for actual in [before.len(), after.len()] {
        if actual != x.len() {
            return Err(FitError::LengthMismatch { expected: x.len(), actual });
        }
    }
    let usable = |&(x, (b, a)): &(f64, (f64, f64))| [x, b, a].iter().all(|v| *v > 0.0 && v.is_finite());
    let pairs = x.iter().copied().zip(before.iter().copied().zip(after.iter().copied()));
    let triples: Vec<(f64, (f64, f64))> = pairs.filter(usable).collect();
    let points = triples.len();
    if points < FEWEST {
        return Err(FitError::TooFewPoints { points, needed: FEWEST });
    }
    let sizes: Vec<f64> = triples.iter().map(|t| t.0.ln()).collect();
    let ratios: Vec<f64> = triples.iter().map(|t| (t.1.1 / t.1.0).ln()).collect();
    let power = Power::fit(&sizes, &ratios).ok_or(FitError::ConstantFeature)?;
    let factor = Mean::fit(&ratios);
    let costs: Vec<(f64, f64)> = triples.iter().map(|t| t.1).collect();
    let line = Line::fit(&costs);
    let varies = |side: fn(&(f64, f64)) -> f64| costs.iter().any(|pair| side(pair) != side(&costs[0]));
    let swapped: Vec<(f64, f64)> = costs.iter().map(|&(before, after)| (after, before)).collect();
    // A floor alone explains costs that are constant, so the line would say nothing about the others.
    let both_vary = varies(|pair| pair.0) && varies(|pair| pair.1);
    let line_squares = if both_vary { line.squares.min(Line::fit(&swapped).squares) } else { f64::INFINITY };
    let curve = |size: &fn(f64) -> f64, ratio: &dyn Fn(&(f64, f64)) -> f64| {
        let most = triples.iter().map(|t| size(t.0).abs()).fold(0.0, f64::max);
        let points: Vec<(f64, f64)> = triples.iter().map(|t| (size(t.0) / most, ratio(&t.1))).collect();
        Line::fit(&points).squares
    };
    let both = |size: &fn(f64) -> f64| curve(size, &|(b, a)| a / b).min(curve(size, &|(b, a)| b / a));
    let curve_squares = RATIOS.iter().map(both).fold(f64::INFINITY, f64::min);
    let is_equal = costs.iter().all(|(before, after)| before == after);
    let ratios = ratios.into_iter().zip(&costs).map(|(ratio, (b, a))| (ratio, b.recip().hypot(a.recip())));
    let ratios = ratios.collect();
    Ok(Paired { points, is_equal, factor, line, line_squares, power, curve_squares, ratios })
}

impl Mean {
    fn fit(values: &[f64]) -> Self {
        let n = values.len() as f64;
        let mean = values.iter().sum::<f64>() / n;
        let squares: f64 = values.iter().map(|v| (v - mean) * (v - mean)).sum();
        Self { value: mean, error: (squares / (n - 1.0) / n).sqrt(), squares }
    }
}

impl Power {
    fn fit(x: &[f64], y: &[f64]) -> Option<Self> {
        let n = x.len() as f64;
        let (mean_x, at_mean) = (x.iter().sum::<f64>() / n, y.iter().sum::<f64>() / n);
        let spread_x: f64 = x.iter().map(|x| (x - mean_x) * (x - mean_x)).sum();
        if spread_x <= f64::EPSILON {
            return None;
        }
        let slope = x.iter().zip(y).map(|(x, y)| (x - mean_x) * (y - at_mean)).sum::<f64>() / spread_x;
        let residual = |(x, y): (&f64, &f64)| y - at_mean - slope * (x - mean_x);
        let squares: f64 = x.iter().zip(y).map(|p| residual(p) * residual(p)).sum();
        Some(Self { slope, variance: squares / (n - 2.0), spread_x, squares })
    }
}

impl Line {
    fn fit(costs: &[(f64, f64)]) -> Self {
        // In units of the costs after, so that errors are relative: 1 = a·(1/after) + b·(before/after).
        let (mut uu, mut uv, mut vv, mut u1, mut v1) = (0.0, 0.0, 0.0, 0.0, 0.0);
        for &(before, after) in costs {
            let (u, v) = (1.0 / after, before / after);
            uu += u * u;
            uv += u * v;
            vv += v * v;
            u1 += u;
            v1 += v;
        }
        let determinant = uu * vv - uv * uv;
        let (a, b) = ((u1 * vv - v1 * uv) / determinant, (v1 * uu - u1 * uv) / determinant);
        let residual = |&(before, after): &(f64, f64)| 1.0 - (a + b * before) / after;
        let squares: f64 = costs.iter().map(|c| residual(c) * residual(c)).sum();
        let variance = squares / (costs.len() as f64 - 2.0);
        let variances = [vv, uu].map(|part| part / determinant * variance);
        let is_fit = determinant > 0.0 && a.is_finite() && b.is_finite();
        Self { a, b, variances, squares: if is_fit { squares } else { f64::INFINITY } }
    }
}

impl Paired {
    /// Returns the probability of such a difference if nothing changed; 0 if the costs differ without noise.
    pub fn p_value(&self) -> f64 {
        (2.0 * self.p_factor().min(self.p_shape())).min(1.0)
    }

    /// Returns the probability of the farthest ratio if nothing changed and costs scatter by `spread` around the laws
    /// of both versions. `spread` is a standard deviation of the logarithm of the ratio.
    ///
    /// # Formula
    /// Student's t of the farthest of the n ratios, times n, with the degrees of freedom that laws of three terms
    /// leave. A count is off by at least one, so laws through every point prove nothing for small counts.
    pub fn p_beyond(&self, spread: f64) -> f64 {
        const TERMS: f64 = 3.0;
        let farthest =
            self.ratios.iter().map(|(ratio, error)| ratio.abs() / spread.hypot(*error)).fold(0.0, f64::max);
        let freedom = (self.points as f64 - TERMS).max(1.0);
        (self.points as f64 * two_sided(farthest, freedom)).min(1.0)
    }

    fn freedom(&self) -> f64 {
        self.points as f64 - 2.0
    }

    /// Returns the smallest sum of squared residuals among shapes in which the ratio keeps growing or falling.
    fn growing_squares(&self) -> f64 {
        self.power.squares.min(self.curve_squares)
    }

    fn is_rounding(&self, squares: f64) -> bool {
        squares <= self.points as f64 * ROUNDING * ROUNDING
    }

    /// Returns the p-value of the hypothesis that the ratio is 1.
    fn p_factor(&self) -> f64 {
        if self.is_equal {
            return 1.0;
        }
        if self.is_rounding(self.factor.squares) {
            return if self.factor.value.abs() > ROUNDING { 0.0 } else { 1.0 };
        }
        two_sided(self.factor.value / self.factor.error, self.points as f64 - 1.0)
    }

    /// Returns the p-value of the hypothesis that the ratio is the same at all sizes.
    fn p_shape(&self) -> f64 {
        let best = self.line_squares.min(self.growing_squares());
        if self.is_rounding(self.factor.squares) {
            return 1.0;
        }
        if self.is_rounding(best) {
            return 0.0;
        }
        let gained = (self.factor.squares - best).max(0.0);
        (SHAPES * two_sided((gained / (best / self.freedom())).sqrt(), self.freedom())).min(1.0)
    }

    /// Returns true if the relation explains everything: counts without noise.
    pub fn is_exact(&self) -> bool {
        let all = [self.factor.squares, self.line_squares, self.growing_squares()];
        all.iter().any(|squares| self.is_rounding(*squares))
    }

    /// Returns the change, if chance explains it with a probability of at most `alpha`. Intervals have the given level.
    pub fn relation(&self, alpha: f64, level: f64) -> Relation {
        let t = quantile(level, self.freedom());
        if 2.0 * self.p_shape() <= alpha {
            // If two shapes fit equally well, the one that changes no law is preferred.
            if self.line_squares <= self.growing_squares() || self.is_rounding(self.line_squares) {
                let [of_a, of_b] = self.line.variances.map(|v| t * v.max(0.0).sqrt());
                let (floor, factor) = (self.line.a, self.line.b);
                return Relation::Line {
                    floor,
                    floor_ci: Interval { lo: floor - of_a, hi: floor + of_a, level },
                    factor,
                    factor_ci: Interval { lo: factor - of_b, hi: factor + of_b, level },
                };
            }
            let (exponent, width) =
                (self.power.slope, t * (self.power.variance / self.power.spread_x).sqrt());
            let ci = Interval { lo: exponent - width, hi: exponent + width, level };
            return Relation::Power { exponent, ci };
        }
        if 2.0 * self.p_factor() <= alpha {
            let width = quantile(level, self.points as f64 - 1.0) * self.factor.error;
            let ci = Interval { lo: self.factor.value - width, hi: self.factor.value + width, level };
            return Relation::Factor { factor: self.factor.value.exp(), ci: ci.map(f64::exp) };
        }
        Relation::Same
    }

    /// Returns the ratio of the costs if the cost before is `before`. The relation must explain everything and hold at
    /// every size; otherwise returns `None`.
    pub fn exact_ratio(&self, relation: &Relation, before: f64) -> Option<f64> {
        let ratio = match *relation {
            Relation::Same if self.is_equal => 1.0,
            Relation::Factor { factor, .. } if self.is_rounding(self.factor.squares) => factor,
            Relation::Line { floor, factor, .. } if self.is_rounding(self.line_squares) => {
                factor + floor / before
            }
            _ => return None,
        };
        (ratio > 0.0 && ratio.is_finite()).then_some(ratio)
    }
}

/// Returns the probability of a value at least as far from 0 as `t`.
fn two_sided(t: f64, freedom: f64) -> f64 {
    let Some(students) = Students::new(freedom).filter(|_| t.is_finite()) else { return 0.0 };
    (2.0 * (1.0 - students.cdf(t.abs()))).clamp(0.0, 1.0)
}

fn quantile(level: f64, freedom: f64) -> f64 {
    Students::new(freedom).map_or(f64::NAN, |students| students.quantile(0.5 + level / 2.0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statistics::noise::Noise;

    const LEVEL: f64 = 0.95;

    fn sizes(count: usize) -> Vec<f64> {
        (0..count).map(|i| 100.0 * 2f64.powf(i as f64 * 8.0 / count as f64)).collect()
    }

    fn related(before: &dyn Fn(f64) -> f64, after: &dyn Fn(f64) -> f64) -> (Paired, Relation) {
        let x = sizes(8);
        let (b, a): (Vec<f64>, Vec<f64>) = x.iter().map(|&x| (before(x).round(), after(x).round())).unzip();
        let paired = paired(&x, &b, &a).unwrap();
        let relation = paired.relation(1e-6, LEVEL);
        (paired, relation)
    }

    #[test]
    fn a_constant_cost_is_no_floor_below_one_that_scatters() {
        let odd = sizes(8)[3];
        let one_more = move |x: f64| if x == odd { 3191.0 } else { 3188.0 };
        for (paired, relation) in [related(&one_more, &|_| 3188.0), related(&|_| 3188.0, &one_more)] {
            assert_eq!((relation, paired.is_exact()), (Relation::Same, false));
        }
        // A cost that became constant falls with the size, and is no floor either.
        let (_, relation) = related(&|x| 3.0 * x, &|_| 50.0);
        assert!(matches!(relation, Relation::Power { exponent, .. } if exponent < -0.9), "{relation:?}");
    }

    #[test]
    fn each_kind_of_change_is_told_from_the_others() {
        assert_eq!(related(&|x| x * x, &|x| x * x).1, Relation::Same);
        let (twice, relation) = related(&|x| x.round(), &|x| 2.0 * x.round());
        assert!(
            matches!(relation, Relation::Factor { factor, .. } if (factor - 2.0).abs() < 1e-12)
                && twice.is_exact()
        );
        let (floor, relation) = related(&|x| x.round(), &|x| x.round() + 1000.0);
        let Relation::Line { floor: added, factor, .. } = relation else { panic!("{relation:?}") };
        assert!((added - 1000.0).abs() < 1e-6 && (factor - 1.0).abs() < 1e-9 && floor.is_exact());
        let ratio = floor.exact_ratio(&relation, 1e6).unwrap();
        assert!((ratio - 1.001).abs() < 1e-9);
        let (_, relation) = related(&|x| 7.0 * x, &|x| 7.0 * x + x * x / 50.0);
        let Relation::Power { exponent, ci } = relation else { panic!("{relation:?}") };
        assert!(exponent > 0.3 && ci.lo > 0.0, "{exponent}");
        // In the other direction, the change is equally clear.
        let (_, relation) = related(&|x| 7.0 * x + x * x / 50.0, &|x| 7.0 * x);
        assert!(matches!(relation, Relation::Power { exponent: back, .. } if (back + exponent).abs() < 1e-3));
    }

    #[test]
    fn nothing_is_found_where_nothing_changed_more_often_than_was_agreed() {
        let mut noise = Noise::new(7);
        let x = sizes(10);
        let (mut alarms, trials) = (0_u32, 4000);
        for _ in 0..trials {
            let mut cost =
                || x.iter().map(|x| 50.0 * x * (0.05 * noise.normal()).exp()).collect::<Vec<f64>>();
            let (before, after) = (cost(), cost());
            alarms += u32::from(paired(&x, &before, &after).unwrap().relation(0.05, LEVEL) != Relation::Same);
        }
        let rate = f64::from(alarms) / f64::from(trials);
        assert!((0.01..0.06).contains(&rate), "{rate}");
    }

    #[test]
    fn intervals_of_a_factor_cover_it() {
        let mut noise = Noise::new(11);
        let x = sizes(10);
        let (mut covered, mut detected, trials) = (0_u32, 0_u32, 2000);
        for _ in 0..trials {
            let mut cost =
                |c: f64| x.iter().map(|x| c * x * (0.05 * noise.normal()).exp()).collect::<Vec<f64>>();
            let (before, after) = (cost(50.0), cost(65.0));
            let Relation::Factor { ci, .. } = paired(&x, &before, &after).unwrap().relation(0.05, LEVEL)
            else {
                continue;
            };
            detected += 1;
            covered += u32::from(ci.contains(1.3));
        }
        assert!(detected > trials * 9 / 10, "{detected}");
        let rate = f64::from(covered) / f64::from(detected);
        assert!((0.92..0.975).contains(&rate), "{rate}");
    }

    #[test]
    fn too_few_pairs_are_refused() {
        let few = [1.0, 2.0, 4.0];
        assert!(matches!(paired(&few, &few, &few), Err(FitError::TooFewPoints { points: 3, .. })));
        assert!(matches!(paired(&[3.0; 5], &[1.0; 5], &[2.0; 5]), Err(FitError::ConstantFeature)));
    }
}
