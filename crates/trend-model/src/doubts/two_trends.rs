//! Finds two trends in one set of points: costs at equal feature values that fall into two groups with nothing in
//! between, such as those of sorted and random inputs. This module fits no growth class; the caller can fit one to each
//! group.
//!
//! ```text
//!   log cost                 ● ●           1  cut the residuals of one curve in two, in several ways
//!      │                ● ●                2  fit two curves to the groups, with a common bend
//!      │           ● ●             ○ ○     3  assign points to the nearer curve; repeat 2 and 3 until stable
//!      │      ● ●        ○ ○ ○ ○           4  are the curves far apart, with an empty middle?
//!      │  ● ● ○ ○ ○ ○ ○
//!      └────────────────────────── log n
//! ```

use crate::models::log_points::{LogPoints, is_usable};
use crate::numerics::linear_system::least_squares;
use crate::numerics::wide::widely;
use crate::statistics::order_statistics::{sort_points, sorted};

/// Two trends that points follow.
#[derive(Clone, Debug, PartialEq)]
pub struct TwoTrends {
    /// For every point, in the given order: true if it is in the trend that costs more at the largest feature value.
    /// `None` if feature or cost is not positive.
    pub is_upper: Vec<Option<bool>>,
    /// Cost by the upper trend divided by the cost by the lower trend, in the middle of the points.
    pub factor: f64,
    /// The same factor at the largest feature value.
    pub factor_at_largest: f64,
    /// Fraction of the distinct points that are in the upper trend.
    pub upper_share: f64,
    /// Distance between the trends in the middle of the points, in standard deviations around them.
    pub separation: f64,
}

/// Minimum number of distinct points: five numbers describe two curves.
const FEWEST_POINTS: usize = 12;

/// Minimum separation of two trends for many points, in standard deviations. One uniform distribution, cut in two, has
/// 3.46.
const SMALLEST_SEPARATION: f64 = 4.5;

/// Additional separation for k points, as a multiple of 1/k: few points fall into two groups by chance. Tuned so that,
/// at 12 to 300 points, one trend is mistaken for two in fewer than 0.5 % of data sets (simulated).
const FURTHER_SEPARATION: f64 = 90.0;

/// Separation at which a few points in the common range are enough: no scatter about a single trend moves them so far.
const UNMISTAKABLE: f64 = 30.0;

/// Minimum fraction of the points in either trend; fewer are outliers.
const SMALLEST_SHARE: f64 = 0.2;

/// Maximum fraction of the points in the inner third between two trends; a uniform distribution has 1/6.
const LARGEST_MIDDLE_SHARE: f64 = 0.1;

/// Minimum fraction of the points at which the trends are clearly apart, for trends that start from the same cost.
const SMALLEST_APART_SHARE: f64 = 0.6;

/// Smallest cost ratio of two trends that matters, as a logarithm: 10 %.
const SMALLEST_DISTANCE: f64 = 0.095;

/// Scatter of log cost that counts as zero.
const NEGLIGIBLE_SPREAD: f64 = 0.003;

/// Maximum ratio of the variance around the two curves of step 1 to the variance around one curve. Above it, the other
/// steps are not worth their time. A normal distribution, cut at its mean, has 0.36; a uniform one has 0.25.
const HOPELESS: f64 = 0.3;

/// Maximum number of rounds: if points still change sides then, there are no two trends.
const MOST_ROUNDS: usize = 30;

/// Number of coefficients of the two curves.
const PARAMETERS: usize = 5;

/// Finds two trends that the points follow, parallel or not. Points that occur several times count once.
///
/// # Formula
///
/// `ln y = c₀ + c₁z + c₂z² ± ½(c₃ + c₄z)` for z = ln x about its middle, by alternating least squares over coefficients
/// and signs. Two trends must satisfy three conditions. The median distance |c₃ + c₄z| is at least 4.5 + 90/k standard
/// deviations. The middle third between them is nearly empty where they are apart. Both trends have points over a
/// common range of x; a difference between small and large sizes is not a second trend.
///
/// - Time: O(k) if the residuals of one curve do not look like two groups, otherwise O(k) for each of up to 120 rounds.
pub fn two_trends(x: &[f64], y: &[f64]) -> Option<TwoTrends> {
    let logs = LogPoints::new(x, y);
    let trends = trends_of(&logs)?;
    let mut upper = trends.is_upper.iter().flatten();
    let is_upper = x.iter().zip(y).map(|(&x, &y)| if is_usable(x, y) { upper.next().copied() } else { None });
    Some(TwoTrends { is_upper: is_upper.collect(), ..trends })
}

/// Computes [`two_trends`] from the logarithms of points that are all usable.
pub(crate) fn trends_of(logs: &LogPoints) -> Option<TwoTrends> {
    let mut points: Vec<(f64, f64)> = logs.x.iter().copied().zip(logs.y.iter().copied()).collect();
    sort_points(&mut points);
    points.dedup();
    if points.len() < FEWEST_POINTS {
        return None;
    }
    let (first, last) = (points[0].0, points[points.len() - 1].0);
    let (middle, half) = (first.midpoint(last), (last - first) / 2.0);
    if half <= 0.0 {
        return None;
    }
    let z: Vec<f64> = points.iter().map(|p| (p.0 - middle) / half).collect();
    let log_y: Vec<f64> = points.iter().map(|p| p.1).collect();
    let pair = Pair::best(&z, &log_y)?;
    let shape = pair.shape(&z, &log_y)?;
    // The upper curve is the one that is higher at the large end.
    let flip = if pair.distance(1.0) < 0.0 { -1.0 } else { 1.0 };
    let side = |(x, y): (&f64, &f64)| Some(pair.sign((x - middle) / half, *y) * flip > 0.0);
    let is_upper = logs.x.iter().zip(&logs.y).map(side).collect();
    let upper = z.iter().zip(&log_y).filter(|(z, y)| pair.sign(**z, **y) * flip > 0.0).count();
    Some(TwoTrends {
        is_upper,
        factor: shape.distance.exp(),
        factor_at_largest: (pair.distance(1.0) * flip).exp(),
        upper_share: upper as f64 / z.len() as f64,
        separation: shape.separation,
    })
}

/// Two curves with a common bend.
struct Pair {
    coefficients: [f64; PARAMETERS],
    squares: f64,
    signs: Vec<f64>,
}

struct Gap {
    distance: f64,
    separation: f64,
}

impl Pair {
    /// Returns the pair with the least sum of squares, from several starts; `None` if one trend fits as well.
    fn best(z: &[f64], y: &[f64]) -> Option<Self> {
        let powers = || z.iter().map(|&z| [1.0, z, z * z]);
        let one = least_squares(powers().zip(y.iter().copied()))?;
        let residuals: Vec<f64> = powers().zip(y).map(|(p, y)| y - dot(&p, &one)).collect();
        let squares: f64 = residuals.iter().map(|r| r * r).sum();
        if squares <= z.len() as f64 * NEGLIGIBLE_SPREAD.powi(2) {
            return None;
        }
        // With few points, two trends bend a parabola, but hardly turn a line.
        let lines = || z.iter().map(|&z| [1.0, z]);
        let line = least_squares(lines().zip(y.iter().copied()))?;
        let straight: Vec<f64> = lines().zip(y).map(|(p, y)| y - dot(&p, &line)).collect();
        let mut starts = starts(z, &residuals);
        starts.extend(cut(&straight));
        let is_hopeful = |signs: &Vec<f64>| {
            fit_pair(z, y, signs).is_some_and(|(_, pair_squares)| pair_squares <= HOPELESS * squares)
        };
        if !starts.iter().any(is_hopeful) {
            return None;
        }
        let settled = starts.into_iter().filter_map(|signs| Self::settled(z, y, &signs));
        settled.min_by(|p, q| p.squares.total_cmp(&q.squares))
    }

    fn fit(z: &[f64], y: &[f64], signs: &[f64]) -> Option<Self> {
        let (coefficients, squares) = fit_pair(z, y, signs)?;
        Some(Self { coefficients, squares, signs: signs.to_vec() })
    }

    fn settled(z: &[f64], y: &[f64], signs: &[f64]) -> Option<Self> {
        let mut pair = Self::fit(z, y, signs)?;
        for _ in 0..MOST_ROUNDS {
            let signs: Vec<f64> = z.iter().zip(y).map(|(z, y)| pair.sign(*z, *y)).collect();
            if signs == pair.signs {
                return Some(pair);
            }
            pair = Self::fit(z, y, &signs)?;
        }
        None
    }

    /// Returns the value half-way between the curves.
    fn middle(&self, z: f64) -> f64 {
        dot(&[1.0, z, z * z], &[self.coefficients[0], self.coefficients[1], self.coefficients[2]])
    }

    /// Returns the distance from the curve of sign −1 to that of sign 1.
    fn distance(&self, z: f64) -> f64 {
        self.coefficients[3] + self.coefficients[4] * z
    }

    /// Returns the sign of the nearer curve.
    fn sign(&self, z: f64, y: f64) -> f64 {
        sign((y - self.middle(z)) * self.distance(z) > 0.0)
    }

    /// Returns distance and separation, if these are two trends.
    fn shape(&self, z: &[f64], y: &[f64]) -> Option<Gap> {
        /// Distance of the curves in standard deviations, below which a point may belong to either.
        const APART: f64 = 3.0;
        let k = z.len();
        let spread = (self.squares / (k - PARAMETERS) as f64).sqrt().max(NEGLIGIBLE_SPREAD);
        let mut distances: Vec<f64> = z.iter().map(|&z| self.distance(z).abs()).collect();
        let separated: Vec<usize> =
            (0..k).filter(|&i| distances[i] >= (APART * spread).max(SMALLEST_DISTANCE)).collect();
        // The position is 0 on one curve and 1 on the other.
        let position = |i: usize| (y[i] - self.middle(z[i])) / self.distance(z[i]) + 0.5;
        let between = |&&i: &&usize| (1.0 / 3.0..2.0 / 3.0).contains(&position(i));
        let middle_share = separated.iter().filter(between).count() as f64 / separated.len().max(1) as f64;
        distances.sort_by(f64::total_cmp);
        let distance = distances[k / 2];
        let separation = distance / spread;
        let is_split = separation >= SMALLEST_SEPARATION + FURTHER_SEPARATION / k as f64
            && separated.len() as f64 >= SMALLEST_APART_SHARE * k as f64
            && middle_share <= LARGEST_MIDDLE_SHARE
            && self.overlap(z, separation);
        is_split.then_some(Gap { distance, separation })
    }

    /// Returns true if both trends have enough points, and enough of these in their common range: at least half as many
    /// as the smaller trend has, or a few if scatter cannot explain the distance.
    fn overlap(&self, z: &[f64], separation: f64) -> bool {
        const FEWEST: usize = 4;
        let with_sign = |sign: f64| -> Vec<f64> {
            z.iter().zip(&self.signs).filter(|(_, s)| **s == sign).map(|(z, _)| *z).collect()
        };
        let groups = [with_sign(-1.0), with_sign(1.0)];
        let [Some((low, high)), Some((low2, high2))] =
            [&groups[0], &groups[1]].map(|g| g.first().copied().zip(g.last().copied()))
        else {
            return false;
        };
        let common = low.max(low2)..=high.min(high2);
        let smaller = groups[0].len().min(groups[1].len());
        let fewest = if separation >= UNMISTAKABLE { FEWEST } else { FEWEST.max(smaller.div_ceil(2)) };
        let shared = |g: &Vec<f64>| g.iter().filter(|z| common.contains(z)).count() >= fewest;
        smaller as f64 >= SMALLEST_SHARE * z.len() as f64 && groups.iter().all(shared)
    }
}

widely! {
    /// Returns the coefficients of two curves through points with these signs, and the remaining sum of squares.
    fn fit_pair(z: &[f64], y: &[f64], signs: &[f64]) -> Option<([f64; PARAMETERS], f64)> {
        let rows = || z.iter().zip(signs).map(|(&z, &s)| [1.0, z, z * z, s / 2.0, s / 2.0 * z]);
        let coefficients = least_squares(rows().zip(y.iter().copied()))?;
        let squares = rows().zip(y).map(|(row, y)| (y - dot(&row, &coefficients)).powi(2)).sum();
        Some((coefficients, squares))
    }
}

fn sign(is_upper: bool) -> f64 {
    if is_upper { 1.0 } else { -1.0 }
}

fn cut(values: &[f64]) -> Option<Vec<f64>> {
    let threshold = best_cut(values, SMALLEST_SHARE)?;
    Some(values.iter().map(|v| sign(*v > threshold)).collect())
}

/// Returns the cut between two groups of values that minimizes the sum of squares within them. Each group has at least
/// the fraction `smallest_share` of the values; returns `None` if no cut satisfies this.
///
/// - Time: O(n log n).
fn best_cut(values: &[f64], smallest_share: f64) -> Option<f64> {
    let smallest = ((smallest_share * values.len() as f64).ceil() as usize).max(1);
    let sorted = sorted(values);
    let n = sorted.len();
    let total: f64 = sorted.iter().sum();
    let mut lower_sum: f64 = 0.0;
    let mut best: Option<(f64, f64)> = None;
    for (i, value) in sorted.iter().enumerate() {
        lower_sum += value;
        let (lower, upper) = (i + 1, n - i - 1);
        if lower < smallest || upper < smallest {
            continue;
        }
        // The smallest sum within the groups is the largest one between them.
        let distance = (total - lower_sum) / upper as f64 - lower_sum / lower as f64;
        let between = lower as f64 * upper as f64 * distance * distance;
        if best.is_none_or(|(most, _)| between > most) {
            best = Some((between, value.midpoint(sorted[i + 1])));
        }
    }
    best.map(|(_, threshold)| threshold)
}

/// Returns ways to cut the residuals of one curve in two.
fn starts(z: &[f64], residuals: &[f64]) -> Vec<Vec<f64>> {
    let lines = z.iter().map(|&z| [1.0, z]);
    let sizes: Vec<f64> = residuals.iter().map(|r| r.abs()).collect();
    // A fan is evened out by dividing by its average width.
    let even = least_squares(lines.zip(sizes.iter().copied())).map(|width| {
        let least = sizes.iter().sum::<f64>() / sizes.len() as f64 / 10.0;
        let width = |z: &f64| dot(&[1.0, *z], &width).max(least);
        z.iter().zip(residuals).map(|(z, r)| r / width(z)).collect::<Vec<f64>>()
    });
    let signs = residuals.iter().map(|r| sign(*r > 0.0)).collect();
    let crossing = residuals.iter().zip(z).map(|(r, z)| sign(r * z > 0.0)).collect();
    [cut(residuals), even.and_then(|even| cut(&even)), Some(signs), Some(crossing)]
        .into_iter()
        .flatten()
        .collect()
}

fn dot<const P: usize>(p: &[f64; P], q: &[f64; P]) -> f64 {
    p.iter().zip(q).map(|(p, q)| p * q).sum()
}

#[cfg(test)]
mod tests;
