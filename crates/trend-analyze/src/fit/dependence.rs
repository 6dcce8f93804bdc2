//! Finds further features that a cost depends on, by comparing runs with each other. Fits no law.
//!
//! ```text
//!   log cost ▲        ○ y = 8     If runs agree in x but differ in cost by more than noise, the cost depends on
//!            │  ○     ○ y = 4     another feature that follows the differences. No law in x or y is needed for that.
//!            │  ○     ○ y = 2
//!            │  ○                 If hardly any runs agree in x, neighbours in x are compared, after removing a straight
//!            └──┴─────┴──▶ log x  line through them.
//! ```

use trend_model::chance_r2;

/// Minimum number of runs of one size for a separate group.
const LEVEL: usize = 3;

/// Number of runs of different sizes that are compared with each other, after removing a line. It is small, so that any
/// law is straight over them.
const NEIGHBOURS: usize = 6;

/// Minimum fraction of a feature's variance that must remain among runs that are alike in another feature. Below this,
/// the feature follows from the other: within a cluster, features count as equal from an R² of 0.98.
const OWN_PART: f64 = 0.02;

/// Runs that are alike in one feature, `[groups]`.
pub(crate) struct AlikeRuns {
    groups: Vec<Group>,
}

/// Runs that are compared with each other.
struct Group {
    /// Positions of the runs.
    runs: Vec<usize>,
    /// Log sizes of the runs, whose line is removed before they are compared. `None` if the runs have one size; then
    /// only their mean is removed.
    sizes: Option<Vec<f64>>,
}

/// The dependence of a cost on a second feature, among runs that are alike in a first.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Dependence {
    /// Fraction of the variance of log cost among alike runs that the second feature's logarithm explains.
    pub(crate) r2: f64,
    /// Degrees of freedom of the differences.
    pub(crate) freedom: usize,
}

impl AlikeRuns {
    /// Groups runs by the logarithms of a feature, `[runs]`.
    ///
    /// - Time: O(k log k).
    pub(crate) fn new(sizes: &[f64]) -> Self {
        let mut order: Vec<usize> = (0..sizes.len()).collect();
        order.sort_by(|&i, &j| sizes[i].total_cmp(&sizes[j]).then(i.cmp(&j)));
        let (levels, single): (Vec<&[usize]>, Vec<&[usize]>) =
            order.chunk_by(|&i, &j| sizes[i] == sizes[j]).partition(|level| level.len() >= LEVEL);
        let single: Vec<usize> = single.concat();
        let mut neighbours: Vec<Vec<usize>> = single.chunks(NEIGHBOURS).map(<[usize]>::to_vec).collect();
        // If the last runs are too few for a line and a difference, they join the previous group.
        if let Some(short) = neighbours.pop_if(|last| last.len() <= LEVEL) {
            match neighbours.last_mut() {
                Some(before) => before.extend(short),
                None => neighbours.push(short),
            }
        }
        let level = |runs: &[usize]| Group { runs: runs.to_vec(), sizes: None };
        let neighbours = neighbours.into_iter().map(|runs| {
            let sizes = Some(runs.iter().map(|&i| sizes[i]).collect());
            Group { runs, sizes }
        });
        Self { groups: levels.into_iter().map(level).chain(neighbours).collect() }
    }

    /// Returns the standard deviation of a row's logarithms among alike runs; `None` if too few runs are alike.
    pub(crate) fn spread(&self, logs: &[f64]) -> Option<f64> {
        let squares: f64 = self.groups.iter().flat_map(|group| group.differences(logs)).map(|d| d * d).sum();
        let freedom: usize = self.groups.iter().map(Group::freedom).sum();
        (freedom > 0).then(|| (squares / freedom as f64).sqrt())
    }

    /// Returns the dependence of a row on a second feature, `[runs]` each; `None` if the second follows from the first.
    pub(crate) fn dependence(&self, costs: &[f64], second: &[f64]) -> Option<Dependence> {
        let (mut own, mut both, mut cost, mut freedom) = (0.0, 0.0, 0.0, 0);
        for group in &self.groups {
            let (z, y) = (group.differences(second), group.differences(costs));
            let squares: f64 = z.iter().map(|z| z * z).sum();
            own += squares;
            // Runs that are alike in both features carry no information about the second.
            if squares > ROUNDING {
                both += z.iter().zip(&y).map(|(z, y)| z * y).sum::<f64>();
                cost += y.iter().map(|y| y * y).sum::<f64>();
                freedom += group.freedom();
            }
        }
        let mean = second.iter().sum::<f64>() / second.len() as f64;
        let all: f64 = second.iter().map(|z| (z - mean).powi(2)).sum();
        let is_resolved = own > OWN_PART * all && cost > 0.0;
        is_resolved.then(|| Dependence { r2: (both * both / own / cost).min(1.0), freedom })
    }
}

/// Maximum sum of squared differences of logarithms that is rounding error.
const ROUNDING: f64 = 1e-18;

impl Group {
    /// Returns the runs' values less their mean or line.
    fn differences(&self, values: &[f64]) -> Vec<f64> {
        let values = centred(self.runs.iter().map(|&i| values[i]));
        let Some(sizes) = &self.sizes else { return values };
        let sizes = centred(sizes.iter().copied());
        let squares: f64 = sizes.iter().map(|x| x * x).sum();
        let along: f64 = sizes.iter().zip(&values).map(|(x, v)| x * v).sum();
        let slope = if squares > 0.0 { along / squares } else { 0.0 };
        values.iter().zip(&sizes).map(|(v, x)| v - slope * x).collect()
    }

    fn freedom(&self) -> usize {
        self.runs.len().saturating_sub(1 + usize::from(self.sizes.is_some()))
    }
}

impl Dependence {
    /// Returns true if an unrelated feature would reach this R² with less than `probability`, as the best of `tries`
    /// features.
    pub(crate) fn is_beyond_chance(self, tries: usize, probability: f64) -> bool {
        self.r2 > chance_r2(self.freedom.saturating_sub(1), tries, probability)
    }
}

/// Subtracts the mean from values.
fn centred(values: impl Iterator<Item = f64> + Clone) -> Vec<f64> {
    let (sum, count) = values.clone().fold((0.0, 0), |(sum, count), v| (sum + v, count + 1));
    let mean = sum / f64::from(count.max(1));
    values.map(|v| v - mean).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Deterministic noise, uniform about 0.
    fn noise(i: usize) -> f64 {
        let mixed = (i as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let mixed = (mixed ^ (mixed >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        ((mixed ^ (mixed >> 32)) >> 11) as f64 / (1_u64 << 53) as f64 - 0.5
    }

    const RUNS: usize = 30;

    /// Sizes of a random design.
    fn sizes(seed: usize) -> Vec<f64> {
        (0..RUNS).map(|i| 6.0 * noise(i + 1000 * seed)).collect()
    }

    #[test]
    fn runs_that_agree_in_one_feature_tell_of_another_whatever_the_laws_are() {
        let x: Vec<f64> = (0..25).map(|i| f64::from(i / 5)).collect();
        let y: Vec<f64> = (0..25).map(|i| f64::from(i % 5)).collect();
        let step = |x: f64| if x > 2.5 { 40.0 } else { -7.0 };
        let costs: Vec<f64> = x.iter().zip(&y).map(|(x, y)| step(*x) + 0.03 * y).collect();
        let alike = AlikeRuns::new(&x);
        let dependence = alike.dependence(&costs, &y).unwrap();
        assert!(dependence.freedom == 20 && dependence.r2 > 1.0 - 1e-9, "{dependence:?}");
        // The deviation of 0 … 4, times 0.03.
        assert!((alike.spread(&costs).unwrap() - 0.03 * 2.5_f64.sqrt()).abs() < 1e-9);
        assert!(alike.dependence(&costs, &x).is_none(), "a feature follows from itself");
        assert_eq!(AlikeRuns::new(&[1.0, 2.0]).spread(&[1.0, 5.0]), None);
    }

    #[test]
    fn neighbours_of_a_random_design_tell_as_much() {
        for seed in 0..50 {
            let (x, y) = (sizes(2 * seed), sizes(2 * seed + 1));
            let costs: Vec<f64> = x.iter().zip(&y).map(|(x, y)| x * x + 0.5 * y).collect();
            let dependence = AlikeRuns::new(&x).dependence(&costs, &y).unwrap();
            assert!(dependence.is_beyond_chance(1, 1e-4), "{seed}: {dependence:?}");
        }
    }

    #[test]
    fn a_feature_without_part_is_beyond_chance_as_often_as_said() {
        const DRAWS: usize = 2000;
        let accidents = (0..DRAWS).filter(|seed| {
            let [x, y, costs] = [0, 1, 2].map(|i| sizes(3 * seed + i));
            AlikeRuns::new(&x)
                .dependence(&costs, &y)
                .is_some_and(|dependence| dependence.is_beyond_chance(1, 0.05))
        });
        // 5 % of 2,000 are 100, with a standard deviation of 10.
        let accidents = accidents.count();
        assert!((70..=130).contains(&accidents), "{accidents}");
    }

    #[test]
    fn a_feature_that_follows_from_the_first_says_nothing_new() {
        let x = sizes(1);
        let bytes: Vec<f64> = x.iter().map(|x| 3.0 * x + 0.01 * x.sin()).collect();
        let costs: Vec<f64> = x.iter().zip(sizes(2)).map(|(x, noise)| x + 0.1 * noise).collect();
        assert_eq!(AlikeRuns::new(&x).dependence(&costs, &bytes), None);
    }
}
