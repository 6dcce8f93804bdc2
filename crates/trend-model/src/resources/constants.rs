//! Estimates seconds per execution of a code fragment from timed repetitions, as Finkler and Mehlhorn do it: *Runtime
//! Prediction of Real Programs on Real Machines* (SODA 1997).

use crate::statistics::students::Students;

/// The mean of the values that are close together: the measurements of an undisturbed machine.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MajorityMean {
    /// Mean of the values that are close together.
    pub mean: f64,
    /// Number of values in the mean.
    pub count: usize,
    /// 95 % prediction interval of one more value, by the t distribution of the logarithms of the values from R − R/Δ
    /// to R + R/Δ. The mean leaves out the values above R, although nothing disturbed them. The interval contains 95 of
    /// 100 new values if values scatter by up to 3 %, 90 at 5 % and 80 at 8 %, because values farther away are left
    /// out.
    pub interval: [f64; 2],
}

impl MajorityMean {
    /// Returns the mean of the values in [R − R/Δ, R], with the lowest R for which these are more than half. All others
    /// are outliers.
    ///
    /// Returns `None` if the values have no such interval, or if one of them is not positive and finite. Δ is
    /// `narrowness`: 10 in the paper, and less if values scatter more.
    ///
    /// ```
    /// # use trend_model::MajorityMean;
    /// let timed = MajorityMean::new(&[9.0, 5.1, 5.0, 30.0, 4.9], 10.0).unwrap();
    /// assert_eq!((timed.count, timed.mean), (3, 5.0));
    /// assert_eq!(MajorityMean::new(&[1.0, 2.0, 4.0, 8.0], 10.0), None);
    /// ```
    pub fn new(values: &[f64], narrowness: f64) -> Option<Self> {
        let mut sorted = values.to_vec();
        sorted.sort_by(f64::total_cmp);
        if !sorted.iter().all(|value| value.is_finite() && *value > 0.0) {
            return None;
        }
        let within =
            |most: f64| sorted.iter().filter(move |v| (most - most / narrowness..=most).contains(*v));
        let most = sorted.iter().copied().find(|most| 2 * within(*most).count() > sorted.len())?;
        let majority: Vec<f64> = within(most).copied().collect();
        let mean = majority.iter().sum::<f64>() / majority.len() as f64;
        let undisturbed = |value: &f64| (most - most / narrowness..=most + most / narrowness).contains(value);
        let undisturbed: Vec<f64> = sorted.iter().copied().filter(undisturbed).collect();
        Some(Self { mean, count: majority.len(), interval: interval(&undisturbed, mean) })
    }
}

/// Returns the 95 % prediction interval of one more value, extended to contain the mean.
fn interval(values: &[f64], mean: f64) -> [f64; 2] {
    let n = values.len() as f64;
    let Some(students) = Students::new(n - 1.0) else { return [mean; 2] };
    let logarithms = values.iter().map(|value| (value / mean).ln());
    let centre = logarithms.clone().sum::<f64>() / n;
    let variance = logarithms.map(|l| (l - centre).powi(2)).sum::<f64>() / (n - 1.0);
    let half = students.quantile(0.975) * (variance * (1.0 + 1.0 / n)).sqrt();
    [mean.min(mean * (centre - half).exp()), mean.max(mean * (centre + half).exp())]
}

/// A constant, measured at one size of memory.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ConstantPoint {
    /// Size of the memory in bytes; 0 if the fragment's memory does not grow.
    pub bytes: f64,
    /// Seconds per execution.
    pub seconds: f64,
    /// 95 % interval of the seconds.
    pub interval: [f64; 2],
}

/// A constant's value at a size of memory.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ConstantAt {
    /// Seconds per execution.
    pub seconds: f64,
    /// Interval of the seconds.
    pub interval: [f64; 2],
    /// True if the size is larger than any that was measured.
    pub is_beyond: bool,
}

/// A constant as a function of memory. Between two measured sizes it is linear in the logarithm of the size; outside
/// the measured range it is constant.
#[derive(Clone, Debug, PartialEq)]
pub struct ConstantCurve {
    /// Points by ascending memory, one per size.
    points: Vec<ConstantPoint>,
}

impl ConstantCurve {
    /// Creates a curve. Returns `None` without points.
    pub fn new(mut points: Vec<ConstantPoint>) -> Option<Self> {
        points.sort_by(|a, b| a.bytes.total_cmp(&b.bytes));
        points.dedup_by(|a, b| a.bytes == b.bytes);
        (!points.is_empty()).then_some(Self { points })
    }

    /// Returns the point with the fewest seconds.
    pub fn small(&self) -> ConstantPoint {
        self.points.iter().copied().min_by(|a, b| a.seconds.total_cmp(&b.seconds)).unwrap_or(self.points[0])
    }

    /// Returns the slowest point with at least as much memory as [`Self::small`]. Points with less memory include the
    /// cost of the experiment itself.
    pub fn large(&self) -> ConstantPoint {
        let small = self.small();
        let above = self.points.iter().copied().filter(|point| point.bytes >= small.bytes);
        above.max_by(|a, b| a.seconds.total_cmp(&b.seconds)).unwrap_or(small)
    }

    /// Returns the constant for a program that works on `bytes` of memory. If that is unknown, returns the large
    /// constant, with an interval that reaches down to the small one.
    pub fn at(&self, bytes: Option<f64>) -> ConstantAt {
        let Some(bytes) = bytes else {
            let (small, large) = (self.small(), self.large());
            let interval = [small.interval[0], large.interval[1]];
            return ConstantAt { seconds: large.seconds, interval, is_beyond: false };
        };
        let above = self.points.partition_point(|point| point.bytes < bytes);
        let (low, high) = (&self.points[above.saturating_sub(1)], self.points.get(above));
        let Some(high) = high.filter(|_| above > 0) else {
            let nearest = high.unwrap_or(low);
            let is_beyond = high.is_none() && nearest.bytes > 0.0;
            return ConstantAt { seconds: nearest.seconds, interval: nearest.interval, is_beyond };
        };
        let share = (bytes / low.bytes).ln() / (high.bytes / low.bytes).ln();
        let share = if share.is_finite() { share.clamp(0.0, 1.0) } else { 1.0 };
        let between = |a: f64, b: f64| a + share * (b - a);
        let interval = [0, 1].map(|end| between(low.interval[end], high.interval[end]));
        ConstantAt { seconds: between(low.seconds, high.seconds), interval, is_beyond: false }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statistics::noise::Noise;

    #[test]
    fn the_values_of_the_papers_figure_keep_their_floor() {
        // Values like those of figure 1: a floor near 1.1 and outliers far above it.
        let values = [1.12, 1.1, 1.11, 2.6, 1.09, 1.13, 3.9, 1.1, 1.12, 1.9, 1.11];
        let majority = MajorityMean::new(&values, 10.0).unwrap();
        assert_eq!(majority.count, 7);
        assert!((majority.mean - 7.75 / 7.0).abs() < 1e-9, "{majority:?}");
        // Two groups of equal size: neither is a majority. A wider interval contains both.
        assert_eq!(MajorityMean::new(&[1.0, 1.0, 1.3, 1.3], 10.0), None);
        assert_eq!(MajorityMean::new(&[1.0, 1.0, 1.3, 1.3], 4.0).unwrap().count, 4);
        assert_eq!(MajorityMean::new(&[], 10.0), None);
        assert_eq!(MajorityMean::new(&[1.0, 0.0, 1.0], 10.0), None);
        assert_eq!(MajorityMean::new(&[1.0, f64::NAN, 1.0], 10.0), None);
    }

    #[test]
    fn one_more_experiment_is_within_the_interval_as_often_as_stated() {
        let mut noise = Noise::new(1);
        for (scatter, least) in [(0.01, 930), (0.03, 930), (0.05, 880), (0.08, 790)] {
            for n in [5, 10] {
                let mut covered = 0;
                for _ in 0..1000 {
                    let mut draw = || 20e-9 * (scatter * noise.normal()).exp();
                    let values: Vec<f64> = (0..n).map(|_| draw()).collect();
                    // If no half agrees, there is no constant, and nothing can be missed.
                    let majority = MajorityMean::new(&values, 10.0);
                    let [low, high] = majority.map_or([0.0, f64::INFINITY], |majority| majority.interval);
                    covered += usize::from((low..=high).contains(&draw()));
                }
                assert!(covered >= least && covered <= 980, "{scatter} {n}: {covered}");
            }
        }
    }

    #[test]
    fn a_constant_is_that_of_the_memory_it_works_on() {
        let point = |bytes: f64, seconds: f64| ConstantPoint {
            bytes,
            seconds,
            interval: [0.9 * seconds, 1.1 * seconds],
        };
        let curve =
            ConstantCurve::new(vec![point(65536.0, 2.0), point(4096.0, 1.5), point(16384.0, 1.0)]).unwrap();
        // The smallest memory includes the cost of the loop around it, and is not the large constant.
        assert_eq!((curve.small().seconds, curve.large().seconds), (1.0, 2.0));
        assert!((curve.at(Some(32768.0)).seconds - 1.5).abs() < 1e-12);
        assert_eq!(curve.at(Some(1.0)).seconds, 1.5);
        assert!(!curve.at(Some(1.0)).is_beyond);
        let far = curve.at(Some(1e9));
        assert!(far.is_beyond && far.seconds == 2.0, "{far:?}");
        let unknown = curve.at(None);
        assert_eq!((unknown.seconds, unknown.interval), (2.0, [0.9, 2.2]));
        let fixed = ConstantCurve::new(vec![point(0.0, 3.0)]).unwrap();
        assert_eq!(
            fixed.at(Some(1e6)),
            ConstantAt { seconds: 3.0, interval: [2.7, 3.0 * 1.1], is_beyond: false }
        );
    }
}
