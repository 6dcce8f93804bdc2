//! Which clusters pass costlier ones as a feature grows.

use crate::{Cluster, Model, Overtaking, PowerLawModel};

/// How far beyond the largest value of the feature a crossing is still worth telling. Few plan for a
/// load a hundred times the largest that was tried, and hardly a fit is good for more.
const HORIZON: f64 = 100.0;

/// A power law that explains less than this of the log cost crosses nothing that can be told.
const LEAST_R2: f64 = 0.8;

/// What crossings are judged by.
pub(crate) struct Horizon<'a> {
    /// The greatest value of each feature.
    pub(crate) largest: &'a [Option<f64>],
    /// The whole program's models, one per feature.
    pub(crate) total: &'a [Model],
    /// Share of the total below which a crossing matters to nobody.
    pub(crate) costly_share: f64,
}

/// Fills in [`Cluster::overtakes`].
///
/// A cluster passes a costlier one when its exponent is greater with both intervals apart, and the
/// two power laws cross beyond the data, within [`HORIZON`], where both are costly.
pub(crate) fn find(clusters: &mut [Cluster], horizon: &Horizon<'_>) {
    for later in 1..clusters.len() {
        let (costlier, rest) = clusters.split_at_mut(later);
        let cluster = &mut rest[0];
        let overtakes =
            costlier.iter().filter(|c| c.costly).filter_map(|c| first_crossing(cluster, c, horizon));
        cluster.overtakes = overtakes.collect();
    }
}

/// Where `fast` passes `slow`, in the first declared feature in which it does.
fn first_crossing(fast: &Cluster, slow: &Cluster, horizon: &Horizon<'_>) -> Option<Overtaking> {
    let crossing = |feature: usize| {
        let (fast, slow) = (law(&fast.models[feature])?, law(&slow.models[feature])?);
        let largest = horizon.largest[feature]?;
        let at = crossing_of(fast, slow).filter(|&at| at > largest && at <= largest * HORIZON)?;
        let total = horizon.total[feature].power_law.as_ref()?;
        let share = as_law(fast).predict(at) / as_law(total).predict(at);
        (fast.b_ci?[0] > slow.b_ci?[1] && share > horizon.costly_share).then_some(at)
    };
    let (feature, at) = (0..fast.models.len()).find_map(|feature| Some((feature, crossing(feature)?)))?;
    Some(Overtaking {
        cluster: slow.representative.name.clone(),
        rank: slow.rank,
        feature: fast.models[feature].feature.clone(),
        at,
    })
}

/// A model's power law, where it can be trusted that far.
fn law(model: &Model) -> Option<&PowerLawModel> {
    model.power_law.as_ref().filter(|m| m.r2 >= LEAST_R2)
}

fn crossing_of(fast: &PowerLawModel, slow: &PowerLawModel) -> Option<f64> {
    as_law(fast).crossing(&as_law(slow))
}

fn as_law(m: &PowerLawModel) -> trend_model::PowerLaw {
    trend_model::PowerLaw { a: m.a, b: m.b, r2: m.r2, points: m.points, ignored_zeros: m.ignored_zeros }
}

#[cfg(test)]
mod tests {
    use trend_profile::Study;

    use crate::{Options, analyze};

    /// Sizes 1 to 30 in hundreds, and a row of costs per function of the size.
    fn overtakings(costs: &[&dyn Fn(u64) -> u64]) -> Vec<(String, f64)> {
        let row =
            |f: &dyn Fn(u64) -> u64| (1..=30).map(|i| f(100 * i).to_string()).collect::<Vec<_>>().join(" ");
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
}
