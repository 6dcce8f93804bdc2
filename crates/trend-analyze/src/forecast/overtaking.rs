//! Finds the clusters that overtake costlier ones as a feature grows.

use rayon::prelude::*;
use trend_model::largest_that;

use crate::findings::growth::GrowthSupport;
use crate::findings::model::{Model, PowerLawModel};
use crate::findings::row::{Cluster, Overtaking};

/// Maximum size of a reported crossing, as a multiple of the feature's largest value. Few users plan for a load a
/// hundred times the largest that was tried, and hardly any fit is good for more.
const HORIZON: f64 = 100.0;

/// Minimum R² in the log domain with which a power law's crossings are reported.
const LEAST_R2: f64 = 0.8;

/// Maximum number of costly clusters, the costliest first, whose overtaking is reported. Real studies have some
/// dozens. Without this limit and [`MOST_PASSING`], 60,000 clusters that are all costly form two billion pairs.
const MOST_PASSED: usize = 256;

/// Maximum number of clusters that may overtake costly ones.
const MOST_PASSING: usize = 20_000;

/// Limits by which crossings are judged.
pub(crate) struct Horizon<'a> {
    /// The greatest value of each feature.
    pub(crate) largest: &'a [Option<f64>],
    /// The whole program's models, one per feature.
    pub(crate) total: &'a [Model],
    /// Share of the total below which a crossing does not matter.
    pub(crate) costly_share: f64,
}

/// Number of steps, evenly spaced in logarithms, in which a crossing of growth models is searched. Two sums of three
/// terms hardly cross twice within 7 % of size.
const STEPS: u32 = 64;

/// Fills in [`Cluster::overtakes`].
///
/// A cluster overtakes a costlier one if it certainly grows faster, and if the two models cross beyond the data. The
/// crossing must be within [`HORIZON`], and the cluster must be costly there. A cluster certainly grows faster if both
/// growth classes are decided and its class is faster. If a class is undecided, its exponent must be greater, with both
/// intervals apart. Only models with enough points count.
pub(crate) fn find(clusters: &mut [Cluster], horizon: &Horizon<'_>) {
    let costly: Vec<usize> = (0..clusters.len()).filter(|&i| clusters[i].costly).take(MOST_PASSED).collect();
    let overtakes = |later: usize| -> Vec<Overtaking> {
        let costlier = costly.iter().take_while(|&&earlier| earlier < later);
        costlier.filter_map(|&i| first_crossing(&clusters[later], &clusters[i], horizon)).collect()
    };
    let overtakes: Vec<Vec<Overtaking>> =
        (0..clusters.len().min(MOST_PASSING)).into_par_iter().map(overtakes).collect();
    for (cluster, overtakes) in clusters.iter_mut().zip(overtakes) {
        cluster.overtakes = overtakes;
    }
}

/// Returns the crossing at which `fast` overtakes `slow`, in the first declared feature that has one.
fn first_crossing(fast: &Cluster, slow: &Cluster, horizon: &Horizon<'_>) -> Option<Overtaking> {
    let crossing = |feature: usize| {
        let (fast, slow) = (&fast.fits.models[feature], &slow.fits.models[feature]);
        if !(fast.is_sound() && slow.is_sound()) || fast.runs_until.is_some() {
            return None;
        }
        let largest = horizon.largest[feature].filter(|largest| *largest > 0.0)?;
        let (at, cost) = match (decided(fast), decided(slow)) {
            (Some(fast), Some(slow)) => crossing_of_classes(fast, slow, largest)?,
            _ => crossing_of_laws(fast, slow)?,
        };
        let is_ahead = at > largest && at <= largest * HORIZON;
        let share = cost / horizon.total[feature].predict(at)?;
        (is_ahead && share > horizon.costly_share).then_some(at)
    };
    let (feature, at) =
        (0..fast.fits.models.len()).find_map(|feature| Some((feature, crossing(feature)?)))?;
    Some(Overtaking {
        cluster: slow.representative.name.clone(),
        rank: slow.rank,
        feature: fast.fits.models[feature].feature.clone(),
        at,
    })
}

fn decided(model: &Model) -> Option<&GrowthSupport> {
    model.growth.as_ref()?.decided_class()
}

/// Returns the size beyond `largest` at which the model of the faster class first exceeds the other, and the cost
/// there.
fn crossing_of_classes(fast: &GrowthSupport, slow: &GrowthSupport, largest: f64) -> Option<(f64, f64)> {
    let is_below = |x: f64| fast.fit.predict(x) < slow.fit.predict(x);
    if fast.class <= slow.class || !is_below(largest) {
        return None;
    }
    let size = |step: u32| largest * HORIZON.powf(f64::from(step) / f64::from(STEPS));
    let step = (1..=STEPS).find(|&step| !is_below(size(step)))?;
    let crossing = largest_that(size(step - 1), size(step), is_below);
    Some((crossing, fast.fit.predict(crossing)))
}

/// Returns the size at which two power laws that explain their costs cross, and the cost there.
fn crossing_of_laws(fast: &Model, slow: &Model) -> Option<(f64, f64)> {
    let law = |model: &Model| {
        let law = model.power_law.as_ref().filter(|law| law.r2 >= LEAST_R2)?;
        Some((as_law(law), law.b_ci?))
    };
    let ((fast, fast_b), (slow, slow_b)) = (law(fast)?, law(slow)?);
    let at = fast.crossing(&slow).filter(|_| fast_b[0] > slow_b[1])?;
    Some((at, fast.predict(at)))
}

fn as_law(m: &PowerLawModel) -> trend_model::PowerLaw {
    trend_model::PowerLaw { a: m.a, b: m.b, r2: m.r2, points: m.points, ignored_zeros: m.ignored_zeros }
}

#[cfg(test)]
mod tests {
    use trend_profile::Study;

    use crate::analyze::analyze;
    use crate::options::Options;

    /// Returns the overtakings of rows of costs at sizes 100, 200, … 3000.
    fn overtakings(costs: &[&dyn Fn(u64) -> u64]) -> Vec<(String, f64)> {
        overtakings_at(&(1..=30).map(|i| 100 * i).collect::<Vec<u64>>(), costs)
    }

    fn overtakings_at(sizes: &[u64], costs: &[&dyn Fn(u64) -> u64]) -> Vec<(String, f64)> {
        let row =
            |f: &dyn Fn(u64) -> u64| sizes.iter().map(|&n| f(n).to_string()).collect::<Vec<_>>().join(" ");
        let rows = costs.iter().enumerate().map(|(i, f)| format!("a.c:{}:f: {}\n", i + 1, row(*f)));
        let text = format!("n: {}\n{}", row(&|n| n), rows.collect::<String>());
        let findings = analyze(&Study::from_text(&text).unwrap(), &Options::default()).unwrap();
        let all = findings.clusters.iter().flat_map(|c| &c.overtakes);
        all.map(|o| (o.cluster.clone(), o.at.round())).collect()
    }

    #[test]
    fn a_square_passes_a_line_where_the_two_are_equal() {
        // n²/100 = 100·n at n = 10,000, some three times the largest size.
        assert_eq!(overtakings(&[&|n| 100 * n, &|n| n * n / 100]), [("n".to_owned(), 10_000.0)]);
    }

    #[test]
    fn what_is_passed_long_ago_or_far_away_is_not_told() {
        assert_eq!(overtakings(&[&|n| 100 * n, &|n| n * n]), []);
        assert_eq!(overtakings(&[&|n| 1_000_000 * n, &|n| n * n / 100]), []);
    }

    #[test]
    fn a_crossing_is_that_of_the_sums_and_not_of_power_laws() {
        // n²/100 + 3000 = 100·n at n = 9970; a power law through the first part of the sum grows more slowly.
        let crossings = overtakings(&[&|n| 100 * n, &|n| n * n / 100 + 3000]);
        assert_eq!(crossings, [("n".to_owned(), 9970.0)]);
    }

    #[test]
    fn two_sizes_are_no_reason_to_tell_of_a_crossing() {
        let costs: [&dyn Fn(u64) -> u64; 2] = [&|n| 100 * n, &|n| n * n / 100];
        assert_eq!(overtakings_at(&[1000, 2000, 1000, 2000, 1000, 2000], &costs), []);
        assert_eq!(overtakings_at(&[1000, 2000, 3000], &costs), []);
    }
}
