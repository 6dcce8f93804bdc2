//! The points of a growth fit: sorted, deduplicated, and in units in which every term is 1 at the largest size. This
//! module fits nothing.

use crate::laws::class::Term;
use crate::numerics::logarithms::replace_by_ln;
use crate::statistics::order_statistics::sort_points;

/// Degrees of freedom of the error distribution. With 4, a fit that passes exactly through k points recognizes k/5
/// outliers, and normal errors cost a few per cent of efficiency (Lange, Little and Taylor, *Robust statistical
/// modeling using the t distribution*, 1989).
pub(crate) const NU: f64 = 4.0;

/// Usable points by ascending x, deduplicated.
#[derive(Clone, Debug)]
pub(crate) struct Points {
    pub(crate) y: Vec<f64>,
    /// `y/y_max`.
    pub(crate) relative_y: Vec<f64>,
    /// `ln(y/y_max)`.
    pub(crate) log_y: Vec<f64>,
    /// Known variance of `ln y` per point, as the square of the scale of Student's errors. Rounding causes it (integers
    /// are right to ±½, floating-point numbers to some digits), and for averages also the scatter of single calls.
    pub(crate) known_variances: Vec<f64>,
    /// Part of `known_variances` that comes from averaging; empty if the points are not averages.
    of_average: Vec<f64>,
    pub(crate) y_max: f64,
    x: Vec<f64>,
    log_shift: f64,
}

/// Squared relative error of arithmetic in sums of terms.
const ARITHMETIC: f64 = 1e-22;

/// Squared scale of Student's errors that are as informative as normal errors of variance 1: their expected information
/// is `(ν+1)/(ν+3)` over that square.
const NORMAL_AS_STUDENTS: f64 = (NU + 1.0) / (NU + 3.0);

/// Largest count that can be recognized as rounded to an integer: every larger `f64` is an integer.
const LARGEST_ROUNDED: f64 = 9_007_199_254_740_992.0;

/// Logarithm of the largest exponential that is considered, `2^900` at the largest size. The coefficient of a larger
/// one would not be a number.
pub(crate) const LARGEST_EXPONENTIAL: f64 = 900.0 * std::f64::consts::LN_2;

/// Returns a key that orders costs independently of their size: SplitMix64 of the bits (G. Steele, D. Lea, C. Flood,
/// *Fast splittable pseudorandom number generators*, 2014).
fn scrambled(cost: f64) -> u64 {
    let mut bits = cost.to_bits().wrapping_add(0x9e37_79b9_7f4a_7c15);
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ (bits >> 31)
}

impl Points {
    /// Creates the points in which both values are positive.
    pub(crate) fn new(x: &[f64], y: &[f64]) -> Self {
        let mut pairs: Vec<(f64, f64)> =
            x.iter().copied().zip(y.iter().copied()).filter(|&(x, y)| x > 0.0 && y > 0.0).collect();
        sort_points(&mut pairs);
        pairs.dedup();
        let (x, y): (Vec<f64>, Vec<f64>) = pairs.into_iter().unzip();
        Self::sorted(x, y, Vec::new())
    }

    /// Creates averages in which both values are positive; each is its own observation. `variances` holds the known
    /// variance of `ln y`, `[points]`, or is empty if none is known.
    pub(crate) fn of_averages(x: &[f64], y: &[f64], variances: &[f64]) -> Self {
        if variances.is_empty() {
            return Self::new(x, y);
        }
        let triples = x.iter().zip(y).zip(variances).map(|((&x, &y), &variance)| (x, y, variance));
        let mut triples: Vec<(f64, f64, f64)> = triples.filter(|&(x, y, _)| x > 0.0 && y > 0.0).collect();
        triples.sort_by(|p, q| p.0.total_cmp(&q.0).then(p.1.total_cmp(&q.1)).then(p.2.total_cmp(&q.2)));
        let column = |field: fn(&(f64, f64, f64)) -> f64| triples.iter().map(field).collect();
        Self::sorted(column(|p| p.0), column(|p| p.1), column(|p| p.2 * NORMAL_AS_STUDENTS))
    }

    /// Creates points from columns that ascend in x.
    fn sorted(x: Vec<f64>, y: Vec<f64>, of_average: Vec<f64>) -> Self {
        let y_max = y.iter().copied().fold(0.0, f64::max);
        let is_count = y.iter().all(|&y| y.fract() == 0.0 && y <= LARGEST_ROUNDED);
        let unit = if is_count { 1.0 / 12.0 } else { 0.0 };
        let mut known_variances: Vec<f64> = y.iter().map(|y| unit / (y * y) + ARITHMETIC).collect();
        for (variance, of_average) in known_variances.iter_mut().zip(&of_average) {
            *variance += of_average;
        }
        // The logarithm is at least 1 everywhere if all sizes are 2 or more. For smaller sizes, another origin keeps
        // the term positive, and the difference goes to the term without logarithm.
        let smallest = x.first().copied().unwrap_or(2.0);
        let log_shift = if smallest >= 2.0 { 0.0 } else { 1.0 - smallest.log2() };
        let relative_y: Vec<f64> = y.iter().map(|y| y / y_max).collect();
        let mut log_y = relative_y.clone();
        replace_by_ln(&mut log_y);
        Self { y, relative_y, log_y, known_variances, of_average, y_max, x, log_shift }
    }

    /// Returns at most `most` of the points, evenly spread over the logarithm of x, including both ends. Returns `None`
    /// if there are no more than `most`.
    ///
    /// - Time: O(k).
    pub(crate) fn thinned(&self, most: usize) -> Option<Self> {
        if self.len() <= most {
            return None;
        }
        let log_x = self.log_x();
        let mut order: Vec<usize> = (0..self.len()).collect();
        // Within a size, the order must not depend on the cost: the first point would otherwise be the cheapest.
        for equal in order.chunk_by_mut(|&i, &j| self.x[i] == self.x[j]) {
            equal.sort_by_key(|&i| scrambled(self.y[i]));
        }
        let mut chosen = vec![false; self.len()];
        let mut next = 0;
        for i in 0..most {
            // Takes the first remaining point at or beyond the target, but leaves enough points for the later targets.
            let target = log_x[0] * (1.0 - i as f64 / (most - 1) as f64);
            let last = self.len() - (most - i);
            while next < last && log_x[order[next]] < target {
                next += 1;
            }
            chosen[order[next]] = true;
            next += 1;
        }
        let chosen_values = |values: &[f64]| -> Vec<f64> {
            values.iter().zip(&chosen).filter(|(_, chosen)| **chosen).map(|(value, _)| *value).collect()
        };
        // The chosen points stay sorted and deduplicated.
        Some(Self::sorted(chosen_values(&self.x), chosen_values(&self.y), chosen_values(&self.of_average)))
    }

    /// Keeps only the units: the largest size, at which every term is 1, without points.
    pub(crate) fn units(&self) -> Self {
        let x = self.x.last().copied().into_iter().collect();
        let (y_max, log_shift) = (self.y_max, self.log_shift);
        Self {
            y: Vec::new(),
            log_y: Vec::new(),
            known_variances: Vec::new(),
            of_average: Vec::new(),
            relative_y: Vec::new(),
            y_max,
            x,
            log_shift,
        }
    }

    /// Creates points from costs without an order, such as those with several features. All count as different sizes.
    pub(crate) fn unordered(y: &[f64]) -> Self {
        let places: Vec<f64> = (0..y.len()).map(|i| (i + 2) as f64).collect();
        Self::new(&places, y)
    }

    pub(crate) fn len(&self) -> usize {
        self.x.len()
    }

    /// Returns the number of distinct x among the first `n` points.
    pub(crate) fn sizes(&self, n: usize) -> usize {
        self.x[..n].chunk_by(|p, q| p == q).count()
    }

    /// Returns the feature value of a point.
    pub(crate) fn size(&self, point: usize) -> f64 {
        self.x[point]
    }

    /// Returns the number of points of each distinct x.
    pub(crate) fn groups(&self) -> Vec<usize> {
        self.x.chunk_by(|p, q| p == q).map(<[f64]>::len).collect()
    }

    /// Returns the positions at which a new x begins.
    pub(crate) fn starts(&self) -> Vec<usize> {
        (0..self.len()).filter(|&i| i == 0 || self.x[i] != self.x[i - 1]).collect()
    }

    /// Returns the smallest known variance among the first `n` points. If the points are not averages, the last of
    /// them, with the largest size, has it.
    pub(crate) fn least_known_variance(&self, n: usize) -> f64 {
        if self.of_average.is_empty() {
            self.known_variances[n - 1]
        } else {
            self.known_variances[..n].iter().copied().fold(f64::INFINITY, f64::min)
        }
    }

    /// Returns the points at index `from` and above, in the same units.
    pub(crate) fn from(&self, from: usize) -> Self {
        let tail = |values: &[f64]| values.get(from..).unwrap_or_default().to_vec();
        let (x, y, relative_y) = (tail(&self.x), tail(&self.y), tail(&self.relative_y));
        let (log_y, known_variances, of_average) =
            (tail(&self.log_y), tail(&self.known_variances), tail(&self.of_average));
        let (y_max, log_shift) = (self.y_max, self.log_shift);
        Self { y, relative_y, log_y, known_variances, of_average, y_max, x, log_shift }
    }

    /// Returns every x in units of the largest.
    pub(crate) fn relative_x(&self) -> Vec<f64> {
        self.x.iter().map(|x| x / self.x_max()).collect()
    }

    /// Returns the number of points without the `largest` largest distinct x.
    pub(crate) fn without_largest(&self, largest: usize) -> usize {
        let groups = self.groups();
        groups[..groups.len().saturating_sub(largest)].iter().sum()
    }

    pub(crate) fn x_max(&self) -> f64 {
        self.x.last().copied().unwrap_or(1.0)
    }

    /// Returns `ln(x/x_max)` for every point.
    pub(crate) fn log_x(&self) -> Vec<f64> {
        self.x.iter().map(|&x| self.log_relative(x)).collect()
    }

    pub(crate) fn log_relative(&self, x: f64) -> f64 {
        (x / self.x_max()).ln()
    }

    /// Returns the distance of `x` from the largest x, in units of it: an exponential is `exp(rate·distance)`.
    pub(crate) fn distance(&self, x: f64) -> f64 {
        x / self.x_max() - 1.0
    }

    /// Returns a term at `x`, in units of its value at the largest x.
    pub(crate) fn relative(&self, term: Term, x: f64) -> f64 {
        match term {
            Term::Exponential { base: 2.0 } => (x - self.x_max()).exp2(),
            Term::Exponential { base } => ((x - self.x_max()) * base.ln()).exp(),
            Term::TimesExponential { .. } | Term::Factorial => {
                (term.log_value(x) - term.log_value(self.x_max())).exp()
            }
            Term::Power { exponent, log } => {
                let power = if exponent == 0.0 { 1.0 } else { (exponent * self.log_relative(x)).exp() };
                if log { power * self.log_relative_factor(x) } else { power }
            }
        }
    }

    fn log_relative_factor(&self, x: f64) -> f64 {
        (x.log2() + self.log_shift) / (self.x_max().log2() + self.log_shift)
    }

    /// Returns the logarithmic factor at every point; it is 1 at the largest.
    pub(crate) fn log_factors(&self) -> Vec<f64> {
        self.x.iter().map(|&x| self.log_relative_factor(x)).collect()
    }

    /// Returns a term at every point.
    pub(crate) fn column(&self, term: Term) -> Vec<f64> {
        self.x.iter().map(|&x| self.relative(term, x)).collect()
    }

    /// Returns true if a term can be evaluated and its coefficient is representable.
    pub(crate) fn allows(&self, term: Term) -> bool {
        let most = term.log_value(self.x_max());
        // The factorial decreases for sizes below 0.46.
        let rises = self.x.first().is_none_or(|&x| term.log_value(x) <= most);
        matches!(term, Term::Power { .. }) || (most <= LARGEST_EXPONENTIAL && rises)
    }

    /// Returns `coefficient` times the relative term, as coefficients of terms in plain x. The second of these terms
    /// corrects for another origin of the logarithm.
    pub(crate) fn absolute(&self, coefficient: f64, term: Term) -> [(f64, Term); 2] {
        // Powers of sizes far below 1 overflow. Clamping keeps the sum of several such terms finite.
        let finite = |coefficient: f64| coefficient.clamp(f64::MIN / 8.0, f64::MAX / 8.0);
        let scaled = coefficient * self.y_max;
        match term {
            Term::Power { exponent, log: true } => {
                let plain = Term::Power { exponent, log: false };
                let per_log = scaled / (self.x_max().log2() + self.log_shift) / plain.value(self.x_max());
                [(finite(per_log), term), (finite(per_log * self.log_shift), plain)]
            }
            _ => [(finite(scaled / term.value(self.x_max())), term), (0.0, term)],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::laws::class::GrowthClass;

    #[test]
    fn points_are_sorted_and_each_counts_once() {
        let points = Points::new(&[8.0, 2.0, 8.0, 4.0, 8.0, 0.0], &[5.0, 1.0, 5.0, 0.0, 6.0, 3.0]);
        assert_eq!(points.y, [1.0, 5.0, 6.0]);
        assert_eq!((points.len(), points.sizes(3), points.without_largest(1)), (3, 2, 1));
    }

    #[test]
    fn thinned_points_of_repeated_sizes_are_neither_the_cheapest_nor_the_costliest() {
        let mut noise = crate::statistics::noise::Noise::new(3);
        let x: Vec<f64> = (0..990).map(|i| 100.0 * 1.2f64.powi(i % 30)).collect();
        let y = noise.costs(&x, 0.5, |n| n);
        let thinned = Points::new(&x, &y).thinned(40).unwrap();
        let residuals: Vec<f64> = thinned.x.iter().zip(&thinned.y).map(|(x, y)| (y / x).ln()).collect();
        let mean = residuals.iter().sum::<f64>() / 40.0;
        // Three standard errors.
        assert!(mean.abs() < 3.0 * 0.5 / 40f64.sqrt(), "{mean}");
        let spread = crate::sample_standard_deviation(&residuals);
        assert!((0.35..0.65).contains(&spread), "{spread}");
    }

    #[test]
    fn thinned_points_are_spread_and_keep_the_ends() {
        let x: Vec<f64> = (0..1000).map(|i| 10.0 + f64::from(i)).collect();
        let thinned = Points::new(&x, &x).thinned(20).unwrap();
        assert_eq!((thinned.len(), thinned.y[0], thinned.y[19]), (20, 10.0, 1009.0));
        let ratios: Vec<f64> = thinned.y.windows(2).map(|w| w[1] / w[0]).collect();
        assert!(ratios.iter().all(|r| (1.05..1.6).contains(r)), "{ratios:?}");
        assert!(Points::new(&x[..20], &x[..20]).thinned(20).is_none());
    }

    #[test]
    fn every_term_is_one_at_the_largest_size_and_positive_everywhere() {
        for x in [[0.001, 0.1, 3.0], [1.0, 2.0, 64.0], [10.0, 20.0, 40.0]] {
            let points = Points::new(&x, &[1.0, 2.0, 3.0]);
            for class in GrowthClass::FIXED {
                let column = points.column(class.term());
                assert!(
                    (column[2] - 1.0).abs() < 1e-15 && column.iter().all(|&v| v > 0.0),
                    "{class} {column:?}"
                );
            }
        }
    }

    #[test]
    fn coefficients_of_sizes_far_below_one_are_finite() {
        let points = Points::new(&[1e-318, 1e-190, 1e-188], &[3.0, 3.0, 1e-188]);
        for class in GrowthClass::FIXED {
            assert!(points.absolute(0.5, class.term()).iter().all(|(c, _)| c.is_finite()), "{class}");
        }
    }

    #[test]
    fn absolute_terms_have_the_value_of_the_relative_one() {
        let points = Points::new(&[0.5, 1.0, 64.0], &[1.0, 2.0, 30.0]);
        for class in GrowthClass::FIXED {
            let relative = 0.5 * 30.0 * points.relative(class.term(), 7.0);
            let absolute: f64 =
                points.absolute(0.5, class.term()).iter().map(|(c, t)| c * t.value(7.0)).sum();
            assert!((relative - absolute).abs() <= 1e-12 * relative.abs(), "{class}: {relative} {absolute}");
        }
    }
}
