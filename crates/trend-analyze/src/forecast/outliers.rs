//! Finds runs whose total cost is far off the law of the whole. Look at these first if the law fits badly.

use trend_answer::Law;
use trend_profile::Study;

use crate::findings::row::{Outlier, Scatter};

/// Distance from the middle, in sigmas, beyond which a run is an outlier. With normal scatter, one run in some
/// thousands is.
const OUTLIER_SIGMAS: f64 = 3.5;

/// Minimum sigma, as a ratio. Costs that follow a law exactly scatter only by rounding, which does not count.
const LEAST_SIGMA: f64 = 1e-3;

/// Standard deviation of normal scatter per median absolute deviation.
const SIGMA_PER_MAD: f64 = 1.4826;

/// Measures the scatter of the totals about a law. Runs for which the law predicts nothing are left out; `None` if
/// these are all.
///
/// - Time: O(n log n)
pub(crate) fn scatter(study: &Study, totals: &[u64], law: &Law) -> Option<Scatter> {
    let features: Option<Vec<&[Option<f64>]>> = law
        .features
        .iter()
        .map(|name| Some(study.features()[study.feature_named(name)?.index()].values.as_slice()))
        .collect();
    let features = features?;
    let log_ratio = |run: usize| {
        let point: Option<Vec<f64>> =
            features.iter().map(|values| values[run].filter(|x| *x > 0.0)).collect();
        let ratio = totals[run] as f64 / law.cost(&point?)?;
        Some((run, ratio.ln())).filter(|(_, log)| log.is_finite())
    };
    let logs: Vec<(usize, f64)> = (0..totals.len()).filter_map(log_ratio).collect();
    let middle = median(&logs.iter().map(|(_, log)| *log).collect::<Vec<_>>())?;
    let deviation = median(&logs.iter().map(|(_, log)| (log - middle).abs()).collect::<Vec<_>>())?;
    let sigma = (SIGMA_PER_MAD * deviation).max(LEAST_SIGMA);
    let outlier = |&(run, log): &(usize, f64)| Outlier {
        workload: study.workloads()[run].name.clone(),
        ratio: log.exp(),
        sigmas: (log - middle) / sigma,
    };
    let mut outliers: Vec<Outlier> =
        logs.iter().map(outlier).filter(|run| run.sigmas.abs() > OUTLIER_SIGMAS).collect();
    outliers.sort_by(|a, b| b.sigmas.abs().total_cmp(&a.sigmas.abs()));
    Some(Scatter { middle: middle.exp(), sigma, limit: OUTLIER_SIGMAS, outliers })
}

fn median(values: &[f64]) -> Option<f64> {
    (!values.is_empty()).then(|| trend_model::percentiles(values, [0.5])[0])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analyze::analyze;
    use crate::findings::Findings;
    use crate::options::Options;

    const SIZES: [u64; 10] = [10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000];

    fn study(cost: impl Fn(usize, u64) -> u64) -> Findings {
        let row = |value: &dyn Fn(usize, u64) -> u64| {
            SIZES.iter().enumerate().map(|(i, &n)| value(i, n).to_string()).collect::<Vec<_>>().join(" ")
        };
        let study = Study::from_text(&format!("n: {}\na.c:1:f: {}", row(&|_, n| n), row(&cost))).unwrap();
        analyze(&study, &Options::default()).unwrap()
    }

    #[test]
    fn a_run_that_costs_three_times_what_the_law_says_is_an_outlier() {
        let noise = [102, 98, 101, 100, 99, 103, 97, 100, 102, 98];
        let findings = study(|i, n| n * noise[i] * if i == 4 { 3 } else { 1 });
        let scatter = findings.total.scatter.unwrap();
        let [outlier] = scatter.outliers.as_slice() else { panic!("{scatter:?}") };
        assert!((2.8..3.1).contains(&outlier.ratio), "{outlier:?}");
        // By hand: the median absolute deviation of the logarithms is about 0.02, so σ is 0.03, and ln 2.97 / 0.03 is
        // 37.
        assert!((25.0..50.0).contains(&outlier.sigmas), "{outlier:?}");
    }

    #[test]
    fn exact_costs_have_no_outliers_and_zeros_do_not_count() {
        let findings = study(|i, n| if i == 0 { 0 } else { 3 * n });
        let scatter = findings.total.scatter.unwrap();
        assert_eq!((scatter.outliers, scatter.sigma), (Vec::new(), LEAST_SIGMA));
    }
}
